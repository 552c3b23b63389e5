// SPDX-License-Identifier: Apache-2.0
// Robots that were imported, as models, and how two models differ; for the tests.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "sinew/export/import_robot.hpp"
#include "sinew/physics/initial_state.hpp"
#include "sinew/physics/joint_forest.hpp"
#include "sinew/physics/link_joint.hpp"
#include "sinew/physics/mass.hpp"
#include "sinew/physics/mass_frame.hpp"
#include "sinew/physics/pair_filter.hpp"
#include "sinew/physics/read/check_physics.hpp"
#include "sinew/physics/read/read_physics.hpp"
#include "sinew/stage/asset_resolver.hpp"
#include "sinew/stage/stage.hpp"
#include "sinew/usda/writer.hpp"
#include "support/folders.hpp"
#include "support/recorded.hpp"

namespace sinew::test {

/// The physics of a stage in SI, with what all vendors say.
inline physics::PhysicsModel model_of(const stage::Stage& stage, Diagnostics& diagnostics) {
  physics::ReadOptions options;
  options.dialects = physics::all_dialects();
  return physics::read_physics(stage, diagnostics, options).to_si();
}

/// A robot that was imported, written as text, and opened from that.
class RobotModel {
 public:
  explicit RobotModel(const std::string& xml, exporter::ImportRobotOptions options = {}) {
    const auto format = exporter::robot_format(xml);
    const Bytes bytes{std::string(xml)};
    auto made = format == exporter::RobotFormat::urdf ? exporter::import_urdf(bytes, options, said)
                                                      : exporter::import_mjcf(bytes, options, said);
    if (!made) {
      ADD_FAILURE() << made.error().message;
      return;
    }
    result = *std::move(made);
    text = usda::write(*result.layer);
    stage::MemoryResolver resolver;
    resolver.add("imported.usda", text);
    stage::OpenOptions open;
    open.resolver = &resolver;
    auto opened = stage::Stage::open("imported.usda", found, open);
    if (!opened) {
      ADD_FAILURE() << opened.error().message << "\n" << text;
      return;
    }
    stage = *opened;
    physics::check_physics(*stage, found);
    model = model_of(*stage, found);
  }

  exporter::ImportedRobot result;
  Diagnostics said;   ///< By the importer.
  Diagnostics found;  ///< In the result, by checking and reading it.
  std::string text;
  stage::StagePtr stage;
  physics::PhysicsModel model;
};

/// A robot of these elements of MJCF.
inline RobotModel mjcf_model(const std::string& content,
                             const exporter::ImportRobotOptions& options = {}) {
  return RobotModel("<mujoco>" + content + "</mujoco>", options);
}

inline physics::LinkJoint joint_of(const RobotModel& robot, std::size_t index = 0) {
  return physics::link_joint(robot.model, static_cast<std::int32_t>(index),
                             robot.model.joints.at(index).ends[1].body);
}

inline std::string file_text(const std::string& file) {
  std::ifstream stream(file);
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

/// One of the robots in tests/data/robots.
inline RobotModel robot_file(const std::string& name, exporter::ImportRobotOptions options = {}) {
  stage::FileResolver resolver;
  const std::string file = test::data_folder() + "/robots/" + name;
  options.file = file;
  options.resolver = &resolver;
  return RobotModel(file_text(file), options);
}

/// How two models differ. Bodies are matched by the last element of their paths.
class ModelDifferences {
 public:
  ModelDifferences(const physics::PhysicsModel& a, const physics::PhysicsModel& b,
                   double tolerance = 1e-6)
      : a_(a), b_(b), tolerance_(tolerance) {
    const auto gravity_a = physics::model_gravity(a);
    const auto gravity_b = physics::model_gravity(b);
    vectors("gravity", (gravity_a.direction * gravity_a.magnitude).cast<double>(),
            (gravity_b.direction * gravity_b.magnitude).cast<double>());
    compare_bodies();
    compare_shapes();
    compare_loops();
    compare_extras();
  }

  std::string text;

 private:
  using Model = physics::PhysicsModel;
  static std::string leaf(std::string_view path) {
    return std::string(path.substr(path.rfind('/') + 1));
  }
  std::string body_name(const Model& model, std::int32_t body) const {
    return model.has_body(body) ? leaf(model.body(body).path.view()) : "world";
  }
  void tell(const std::string& what) { text += what + "\n"; }
  void numbers(const std::string& what, double a, double b) {
    const bool both_open = std::abs(a) > 1e30 && std::abs(b) > 1e30 && (a > 0) == (b > 0);
    if (both_open || std::abs(a - b) <= tolerance_ * std::max(1.0, std::abs(a))) return;
    tell(fmt::format("{}: {} and {}", what, a, b));
  }
  void vectors(const std::string& what, const Vector3d& a, const Vector3d& b) {
    for (int i = 0; i < 3; ++i) numbers(what, a[i], b[i]);
  }
  void poses(const std::string& what, const physics::Pose& a, const physics::Pose& b) {
    vectors(what, a.position.cast<double>(), b.position.cast<double>());
    numbers(what + " rotation", 0.0,
            a.rotation.cast<double>().normalized().angularDistance(
                b.rotation.cast<double>().normalized()) /
                2.0);
  }
  void texts(const std::string& what, const std::string& a, const std::string& b) {
    if (a != b) tell(what + ": " + a + " and " + b);
  }

  void compare_bodies() {
    const physics::JointForest forest_a = physics::joint_forest(a_);
    const physics::JointForest forest_b = physics::joint_forest(b_);
    numbers("bodies", static_cast<double>(forest_a.links.size()),
            static_cast<double>(forest_b.links.size()));
    Diagnostics unused;
    const auto masses_a = physics::body_masses(a_, unused);
    const auto masses_b = physics::body_masses(b_, unused);
    std::map<std::string, std::size_t> links_b;
    for (std::size_t i = 0; i < forest_b.links.size(); ++i) {
      links_b[body_name(b_, forest_b.links[i].body)] = i;
    }
    for (const physics::ForestLink& link : forest_a.links) {
      const std::string name = body_name(a_, link.body);
      const auto other = links_b.find(name);
      if (other == links_b.end()) {
        tell("no body " + name);
        continue;
      }
      const physics::ForestLink& link_b = forest_b.links[other->second];
      const auto ia = static_cast<std::size_t>(link.body);
      const auto ib = static_cast<std::size_t>(link_b.body);
      const physics::RigidBody& body_a = a_.rigid_bodies[ia];
      const physics::RigidBody& body_b = b_.rigid_bodies[ib];
      poses(name + " pose", body_a.pose, body_b.pose);
      vectors(name + " velocity", body_a.linear_velocity.cast<double>(),
              body_b.linear_velocity.cast<double>());
      vectors(name + " spin", body_a.angular_velocity.cast<double>(),
              body_b.angular_velocity.cast<double>());
      numbers(name + " state", static_cast<double>(link.state), static_cast<double>(link_b.state));
      // What moves by animation needs no mass.
      const bool has_mass = link.state != physics::LinkState::kinematic;
      if (has_mass)
        compare_masses(name, with_inertia(a_, ia, masses_a), with_inertia(b_, ib, masses_b));
      const auto parent = [&](const Model& model, const physics::JointForest& forest,
                              std::int32_t index) {
        return index < 0 ? std::string("world")
                         : body_name(model, forest.links[static_cast<std::size_t>(index)].body);
      };
      texts(name + " parent", parent(a_, forest_a, link.parent),
            parent(b_, forest_b, link_b.parent));
      numbers(name + " joints", static_cast<double>(link.joints.size()),
              static_cast<double>(link_b.joints.size()));
      for (std::size_t j = 0; j < std::min(link.joints.size(), link_b.joints.size()); ++j) {
        compare_joints(link.joints[j], link.body, link_b.joints[j], link_b.body);
      }
    }
  }

  // What stands in newton:inertia replaces the rest.
  static physics::MassFrame with_inertia(const Model& model, std::size_t i,
                                         const std::vector<physics::BodyMass>& masses) {
    physics::MassFrame frame = physics::mass_frame(masses[i]);
    if (i < model.body_extras.size() && model.body_extras[i].inertia) {
      const auto& s = *model.body_extras[i].inertia;
      frame.inertia << static_cast<double>(s[0]), static_cast<double>(s[3]),
          static_cast<double>(s[4]), static_cast<double>(s[3]), static_cast<double>(s[1]),
          static_cast<double>(s[5]), static_cast<double>(s[4]), static_cast<double>(s[5]),
          static_cast<double>(s[2]);
    }
    return frame;
  }

  void compare_masses(const std::string& name, const physics::MassFrame& a,
                      const physics::MassFrame& b) {
    numbers(name + " mass", 1.0, b.mass / a.mass);
    vectors(name + " centre", a.center, b.center);
    numbers(name + " inertia", 0.0, (a.inertia - b.inertia).norm() / a.inertia.norm());
  }

  void compare_joints(std::int32_t ja, std::int32_t child_a, std::int32_t jb,
                      std::int32_t child_b) {
    const std::string name = leaf(a_.joint(ja).path.view());
    texts("joint", name, leaf(b_.joint(jb).path.view()));
    const physics::LinkJoint a = physics::link_joint(a_, ja, child_a);
    const physics::LinkJoint b = physics::link_joint(b_, jb, child_b);
    compare_solver(name, ja, jb);
    vectors(name + " anchor", a.anchor, b.anchor);
    numbers(name + " apart", 0.0, b.mismatch_distance);
    numbers(name + " cone", a.cone, b.cone);
    numbers(name + " dofs", static_cast<double>(a.dofs.size()), static_cast<double>(b.dofs.size()));
    for (std::size_t i = 0; i < std::min(a.dofs.size(), b.dofs.size()); ++i) {
      const physics::LinkDof& da = a.dofs[i];
      const physics::LinkDof& db = b.dofs[i];
      const std::string dof = fmt::format("{} dof {}", name, i);
      numbers(dof + " kind", da.is_rotation(), db.is_rotation());
      const bool is_ball = a.dofs.size() == 3 && std::isinf(da.lower) && std::isinf(db.lower);
      if (!is_ball) vectors(dof + " axis", da.axis_in_child, db.axis_in_child);
      if (!is_ball) numbers(dof + " start", da.start, db.start);
      numbers(dof + " lower", da.lower, db.lower);
      numbers(dof + " upper", da.upper, db.upper);
      numbers(dof + " driven", da.drive.enabled, db.drive.enabled);
      if (!da.drive.enabled) continue;
      const auto both = [&](const char* what, float x, float y) {
        numbers(dof + what, static_cast<double>(x), static_cast<double>(y));
      };
      both(" stiffness", da.drive.stiffness, db.drive.stiffness);
      both(" damping", da.drive.damping, db.drive.damping);
      both(" force", da.drive.force_limit, db.drive.force_limit);
      both(" target", da.drive.target_position, db.drive.target_position);
      both(" speed", da.drive.target_velocity, db.drive.target_velocity);
    }
    compare_joint_extras(name, ja, jb);
  }

  void compare_joint_extras(const std::string& name, std::int32_t ja, std::int32_t jb) {
    const auto dofs = [](const Model& model, std::int32_t j) {
      const auto i = static_cast<std::size_t>(j);
      return i < model.joint_extras.size() ? model.joint_extras[i].dofs
                                           : std::vector<physics::DofExtras>();
    };
    const auto a = dofs(a_, ja);
    const auto b = dofs(b_, jb);
    numbers(name + " extras", static_cast<double>(a.size()), static_cast<double>(b.size()));
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
      const auto both = [&](const char* what, const std::optional<float>& x,
                            const std::optional<float>& y) {
        numbers(name + what, static_cast<double>(x.value_or(0.0F)),
                static_cast<double>(y.value_or(0.0F)));
      };
      both(" start", a[i].start, b[i].start);
      both(" start speed", a[i].start_velocity, b[i].start_velocity);
      both(" armature", a[i].armature, b[i].armature);
      both(" passive damping", a[i].damping, b[i].damping);
      both(" spring", a[i].stiffness, b[i].stiffness);
      both(" rest", a[i].spring_rest, b[i].spring_rest);
      both(" friction", a[i].friction, b[i].friction);
      both(" velocity limit", a[i].velocity_limit, b[i].velocity_limit);
    }
  }

  void compare_shapes() {
    numbers("shapes", static_cast<double>(a_.shapes.size()), static_cast<double>(b_.shapes.size()));
    if (a_.shapes.size() != b_.shapes.size()) return;
    // Of each body in its order; bodies may be listed in another one.
    const auto sorted = [&](const Model& model) {
      std::vector<std::int32_t> order;
      for (std::size_t i = 0; i < model.shapes.size(); ++i) {
        order.push_back(static_cast<std::int32_t>(i));
      }
      std::stable_sort(order.begin(), order.end(), [&](std::int32_t x, std::int32_t y) {
        return body_name(model, model.shape(x).body) < body_name(model, model.shape(y).body);
      });
      return order;
    };
    const std::vector<std::int32_t> order_a = sorted(a_);
    const std::vector<std::int32_t> order_b = sorted(b_);
    Diagnostics unused;
    const auto filter_a = physics::PairFilter::build(a_, unused);
    const auto filter_b = physics::PairFilter::build(b_, unused);
    for (std::size_t i = 0; i < order_a.size(); ++i) {
      const physics::Shape& a = a_.shape(order_a[i]);
      const physics::Shape& b = b_.shape(order_b[i]);
      const std::string name(a.path.view());
      texts(name + " body", body_name(a_, a.body), body_name(b_, b.body));
      poses(name + " pose", a.local_pose, b.local_pose);
      numbers(name + " kind", static_cast<double>(a.geometry.index()),
              static_cast<double>(b.geometry.index()));
      numbers(name + " collides", a.collision_enabled, b.collision_enabled);
      compare_sizes(name, a, b);
      const auto friction = [](const Model& model, const physics::Shape& shape) {
        return shape.bound_material == physics::kNone
                   ? 1.0
                   : static_cast<double>(
                         model.materials[static_cast<std::size_t>(shape.bound_material)]
                             .dynamic_friction);
      };
      numbers(name + " friction", friction(a_, a), friction(b_, b));
      for (std::size_t k = 0; k < i; ++k) {
        const physics::Shape& other = a_.shape(order_a[k]);
        if (other.body == a.body) continue;
        const bool ca = filter_a.decide(order_a[i], order_a[k]).collides;
        const bool cb = filter_b.decide(order_b[i], order_b[k]).collides;
        if (ca != cb) tell(fmt::format("{} meets {}: {} and {}", name, other.path.view(), ca, cb));
      }
    }
  }

  void compare_sizes(const std::string& name, const physics::Shape& a, const physics::Shape& b) {
    const auto both = [&](float x, float y) {
      numbers(name + " size", static_cast<double>(x), static_cast<double>(y));
    };
    if (a.geometry.index() != b.geometry.index()) return;
    if (const auto* s = std::get_if<physics::SphereShape>(&a.geometry)) {
      both(s->radius, std::get<physics::SphereShape>(b.geometry).radius);
    } else if (const auto* c = std::get_if<physics::CubeShape>(&a.geometry)) {
      vectors(name + " size", c->half_extents.cast<double>(),
              std::get<physics::CubeShape>(b.geometry).half_extents.cast<double>());
    } else if (const auto* k = std::get_if<physics::CapsuleShape>(&a.geometry)) {
      both(k->radius, std::get<physics::CapsuleShape>(b.geometry).radius);
      both(k->half_height, std::get<physics::CapsuleShape>(b.geometry).half_height);
    } else if (const auto* y = std::get_if<physics::CylinderShape>(&a.geometry)) {
      both(y->radius, std::get<physics::CylinderShape>(b.geometry).radius);
      both(y->half_height, std::get<physics::CylinderShape>(b.geometry).half_height);
    } else if (const auto* m = std::get_if<physics::MeshShape>(&a.geometry)) {
      const auto& other = std::get<physics::MeshShape>(b.geometry);
      ASSERT_NE(m->geometry, nullptr);
      ASSERT_NE(other.geometry, nullptr);
      const auto box = [](const physics::MeshShape& mesh) {
        Vector3f low = mesh.geometry->points.front();
        Vector3f high = low;
        for (const Vector3f& point : mesh.geometry->points) {
          low = low.cwiseMin(point);
          high = high.cwiseMax(point);
        }
        return std::pair<Vector3d, Vector3d>(low.cast<double>(), high.cast<double>());
      };
      vectors(name + " low", box(*m).first, box(other).first);
      vectors(name + " high", box(*m).second, box(other).second);
    }
  }

  void compare_loops() {
    const auto loops_a = physics::joint_forest(a_).loop_joints;
    const auto loops_b = physics::joint_forest(b_).loop_joints;
    numbers("loops", static_cast<double>(loops_a.size()), static_cast<double>(loops_b.size()));
    std::map<std::string, std::int32_t> by_name;
    for (const std::int32_t j : loops_b) by_name[leaf(b_.joint(j).path.view())] = j;
    for (const std::int32_t j : loops_a) {
      const physics::Joint& a = a_.joint(j);
      const std::string name = leaf(a.path.view());
      const auto other = by_name.find(name);
      if (other == by_name.end()) {
        tell("no loop " + name);
        continue;
      }
      const physics::Joint& b = b_.joint(other->second);
      numbers(name + " kind", static_cast<double>(a.kind.index()),
              static_cast<double>(b.kind.index()));
      compare_solver(name, j, other->second);
      // Which end is named first does not matter.
      const auto place = [](const physics::Joint& joint, int end) {
        const physics::JointEnd& e = joint.ends[end];
        return Vector3d(
            (e.body_world.position + e.body_world.rotation * e.frame.position).cast<double>());
      };
      const bool swapped = body_name(a_, a.ends[0].body) != body_name(b_, b.ends[0].body);
      for (int end = 0; end < 2; ++end) {
        const int end_b = swapped ? 1 - end : end;
        texts(name + " body", body_name(a_, a.ends[end].body), body_name(b_, b.ends[end_b].body));
        const bool is_weld = std::holds_alternative<physics::FixedJoint>(a.kind);
        if (!is_weld) vectors(name + " anchor", place(a, end), place(b, end_b));
      }
      if (const auto* rope = std::get_if<physics::DistanceJoint>(&a.kind)) {
        const auto* rope_b = std::get_if<physics::DistanceJoint>(&b.kind);
        if (rope_b == nullptr) continue;
        numbers(name + " least", static_cast<double>(rope->limit.lower),
                static_cast<double>(rope_b->limit.lower));
        numbers(name + " most", static_cast<double>(rope->limit.upper),
                static_cast<double>(rope_b->limit.upper));
      }
    }
  }

  void compare_extras() {
    numbers("mimics", static_cast<double>(a_.mimics.size()), static_cast<double>(b_.mimics.size()));
    for (std::size_t i = 0; i < std::min(a_.mimics.size(), b_.mimics.size()); ++i) {
      numbers("ratio", static_cast<double>(a_.mimics[i].ratio),
              static_cast<double>(b_.mimics[i].ratio));
      numbers("offset", static_cast<double>(a_.mimics[i].offset),
              static_cast<double>(b_.mimics[i].offset));
    }
    numbers("actuators", static_cast<double>(a_.actuators.size()),
            static_cast<double>(b_.actuators.size()));
    for (std::size_t i = 0; i < std::min(a_.actuators.size(), b_.actuators.size()); ++i) {
      const physics::Actuator& a = a_.actuators[i];
      const physics::Actuator& b = b_.actuators[i];
      texts("actuator", leaf(a.path.view()), leaf(b.path.view()));
      numbers("gear", static_cast<double>(a.gear), static_cast<double>(b.gear));
      numbers("gain", static_cast<double>(a.gain), static_cast<double>(b.gain));
      for (std::size_t k = 0; k < 3; ++k) {
        numbers("bias", static_cast<double>(a.bias[k]), static_cast<double>(b.bias[k]));
      }
      numbers("dynamics", static_cast<double>(a.dynamics), static_cast<double>(b.dynamics));
      numbers("time constant", static_cast<double>(a.time_constant),
              static_cast<double>(b.time_constant));
      numbers("early", a.acts_early, b.acts_early);
      numbers("activation", static_cast<double>(a.activation.value_or(0.0F)),
              static_cast<double>(b.activation.value_or(0.0F)));
      compare_laws(a.law.value_or(physics::ActuatorLaw()), b.law.value_or(physics::ActuatorLaw()));
      numbers("control", static_cast<double>(a.control.value_or(0.0F)),
              static_cast<double>(b.control.value_or(0.0F)));
      for (std::size_t k = 0; k < 2; ++k) {
        const auto end = [&](const std::optional<std::array<float, 2>>& range) {
          return range ? static_cast<double>((*range)[k]) : 1e9;
        };
        numbers("gain slope", static_cast<double>(a.gain_slopes[k]),
                static_cast<double>(b.gain_slopes[k]));
        numbers("control range", end(a.control_range), end(b.control_range));
        numbers("force range", end(a.force_range), end(b.force_range));
        numbers("activation range", end(a.activation_range), end(b.activation_range));
        numbers("length range", end(a.length_range), end(b.length_range));
      }
    }
  }

  void compare_laws(const physics::ActuatorLaw& a, const physics::ActuatorLaw& b) {
    texts("kind of gain", a.gain_type.str(), b.gain_type.str());
    texts("kind of bias", a.bias_type.str(), b.bias_type.str());
    texts("kind of dynamics", a.dynamics_type.str(), b.dynamics_type.str());
    lists("gain", a.gain, b.gain);
    lists("bias", a.bias, b.bias);
    lists("dynamics", a.dynamics, b.dynamics);
  }

  // What MuJoCo's solver is told of equalities.
  void compare_solver(const std::string& name, std::int32_t ja, std::int32_t jb) {
    const auto extras = [](const Model& model, std::int32_t joint) {
      const auto i = static_cast<std::size_t>(joint);
      return i < model.joint_extras.size() ? model.joint_extras[i] : physics::JointExtras();
    };
    const physics::JointExtras a = extras(a_, ja);
    const physics::JointExtras b = extras(b_, jb);
    lists(name + " solref", a.equality.solref, b.equality.solref);
    lists(name + " solimp", a.equality.solimp, b.equality.solimp);
    numbers(name + " torque scale", a.torque_scale.value_or(-1.0), b.torque_scale.value_or(-1.0));
  }

  void lists(const std::string& name, const std::vector<double>& a, const std::vector<double>& b) {
    numbers(name + " count", static_cast<double>(a.size()), static_cast<double>(b.size()));
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) numbers(name, a[i], b[i]);
  }

  const Model& a_;
  const Model& b_;
  double tolerance_;
};

}  // namespace sinew::test
