// SPDX-License-Identifier: Apache-2.0
// Physics of random scenes that becomes a .glb and a layer again resolves to the same model. A
// failure names the seed: SINEW_SCENE_SEED=<seed> runs that scene alone.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "sinew/export/glb.hpp"
#include "sinew/export/import_glb.hpp"
#include "sinew/physics/mass.hpp"
#include "sinew/physics/read/read_physics.hpp"
#include "sinew/usda/writer.hpp"
#include "support/random_scene.hpp"

namespace sinew::exporter::random_physics_test {
namespace {

using physics::PhysicsModel;

/// What was compared, so that the test does not pass for want of anything.
struct Counts {
  std::size_t bodies = 0, masses = 0, joints = 0, shapes = 0;
};

/// Two models in SI units, of which the second was imported with Y up.
class Comparison {
 public:
  Comparison(const PhysicsModel& given, const PhysicsModel& made, std::set<std::string> told,
             Counts& counts)
      : given_(given), made_(made), told_(std::move(told)), counts_(counts) {}

  std::string run() {
    Diagnostics diagnostics;
    given_masses_ = physics::body_masses(given_, diagnostics);
    made_masses_ = physics::body_masses(made_, diagnostics);
    if (std::string wrong = compare_gravity(); !wrong.empty()) return wrong;
    std::size_t bodies = 0;
    for (std::size_t i = 0; i < given_.rigid_bodies.size(); ++i) {
      if (!given_.rigid_bodies[i].is_valid) continue;
      ++bodies;
      if (std::string wrong = compare_body(i); !wrong.empty()) return wrong;
    }
    if (made_.rigid_bodies.size() != bodies) {
      return fmt::format("{} bodies become {}", bodies, made_.rigid_bodies.size());
    }
    for (const physics::Joint& joint : given_.joints) {
      if (std::string wrong = compare_joint(joint); !wrong.empty()) return wrong;
    }
    return compare_shapes();
  }

 private:
  Vector3d turned(const Vector3d& v) const {
    return given_.units.up_axis == Axis::z ? Vector3d(v.x(), v.z(), -v.y()) : v;
  }
  static bool near(const Vector3d& a, const Vector3d& b, double size = 0.0) {
    return (a - b).norm() <= 1e-4 * (1.0 + std::max(size, b.norm()));
  }
  /// Whether a pose of the second model is one of the first.
  bool same(const physics::Pose& made, const physics::Pose& given) const {
    if (!near(made.position.cast<double>(), turned(given.position.cast<double>()))) return false;
    for (int i = 0; i < 3; ++i) {
      const Vector3f axis = Vector3f::Unit(i);
      if (!near((made.rotation * axis).cast<double>(),
                turned((given.rotation * axis).cast<double>()))) {
        return false;
      }
    }
    return true;
  }

  std::string compare_gravity() const {
    if (given_.scenes.empty() || made_.scenes.empty()) return {};
    const physics::Scene& is = made_.scenes.front();
    const physics::Scene& was = given_.scenes.front();
    const auto pull = [](const physics::Scene& scene) {
      return Vector3d((scene.gravity_direction * scene.gravity_magnitude).cast<double>());
    };
    if (!near(pull(is), turned(pull(was)))) {
      return fmt::format("gravity of {} becomes {}", was.gravity_magnitude, is.gravity_magnitude);
    }
    return {};
  }

  /// The body that another became: of its name, perhaps with a number, and in its place. Its path
  /// may differ, as bodies below a scale stand at the top of the file.
  std::int32_t find_body(const physics::RigidBody& was) {
    const std::string_view path = was.path.view();
    const std::string_view name = path.substr(path.rfind('/'));
    for (std::size_t i = 0; i < made_.rigid_bodies.size(); ++i) {
      const physics::RigidBody& is = made_.rigid_bodies[i];
      const std::string_view there = is.path.view();
      if (!there.substr(there.rfind('/')).starts_with(name) || !same(is.pose, was.pose)) continue;
      if (taken_.insert(i).second) return static_cast<std::int32_t>(i);
    }
    return physics::kNone;
  }

  std::string compare_body(std::size_t index) {
    const physics::RigidBody& was = given_.rigid_bodies[index];
    const std::int32_t found = find_body(was);
    if (found == physics::kNone) return was.path.str() + " is no body any more, or elsewhere";
    became_[static_cast<std::int32_t>(index)] = found;
    const physics::RigidBody& is = made_.body(found);
    ++counts_.bodies;
    if (is.rigid_body_enabled != was.rigid_body_enabled ||
        is.kinematic_body != was.kinematic_body || is.starts_asleep != was.starts_asleep) {
      return was.path.str() + " is switched differently";
    }
    if (!near(is.linear_velocity.cast<double>(), was.linear_velocity.cast<double>()) ||
        !near(is.angular_velocity.cast<double>(), was.angular_velocity.cast<double>())) {
      return was.path.str() + " moves differently";
    }
    const physics::BodyMass& a = made_masses_[static_cast<std::size_t>(found)];
    const physics::BodyMass& b = given_masses_[index];
    if (!(b.mass > 1e-20) || !(b.mass < 1e30)) return {};
    if (std::abs(a.mass - b.mass) > 1e-5 * b.mass) {
      return fmt::format("{} of {} kg becomes {} kg", was.path.view(), b.mass, a.mass);
    }
    if (!near(a.center_of_mass, b.center_of_mass)) {
      return was.path.str() + " has another centre of mass";
    }
    // The importer tells of those that are too small for USD.
    if (!(b.diagonal_inertia.minCoeff() > 1e-20) || !(b.diagonal_inertia.maxCoeff() < 1e30) ||
        !(b.diagonal_inertia.norm() > 1e-5)) {
      return {};
    }
    const auto tensor = [](const physics::BodyMass& mass) {
      const Eigen::Matrix3d axes = mass.principal_axes.normalized().toRotationMatrix();
      return Eigen::Matrix3d(axes * mass.diagonal_inertia.asDiagonal() * axes.transpose());
    };
    const Eigen::Matrix3d wanted = tensor(b);
    if ((tensor(a) - wanted).cwiseAbs().maxCoeff() > 1e-4 * wanted.cwiseAbs().maxCoeff()) {
      return was.path.str() + " has another inertia";
    }
    ++counts_.masses;
    return {};
  }

  physics::Pose world_of(const PhysicsModel& model, const physics::JointEnd& end) const {
    const physics::Pose& carrier =
        model.has_body(end.body) ? model.body(end.body).pose : end.body_world;
    return {carrier.position + carrier.rotation * end.frame.position,
            carrier.rotation * end.frame.rotation};
  }

  bool is_same_end(const physics::JointEnd& is, const physics::JointEnd& was) const {
    if (given_.has_body(was.body)) {
      const auto body = became_.find(was.body);
      return body != became_.end() && body->second == is.body;
    }
    return !made_.has_body(is.body);
  }

  std::string compare_joint(const physics::Joint& was) const {
    if (!was.is_valid || std::holds_alternative<physics::CustomJoint>(was.kind)) return {};
    // What instances share is told once.
    const bool is_within =
        given_.has_body(was.ends[0].body) && was.ends[0].body == was.ends[1].body;
    if (told_.contains(was.path.str()) || (is_within && !told_.empty())) return {};
    const std::string_view path = was.path.view();
    const std::string_view name = path.substr(path.rfind('/'));
    bool any = false;
    for (const physics::Joint& is : made_.joints) {
      const bool is_named = is.path.view().find(name) != std::string_view::npos;
      if (!is_named || !is_same_end(is.ends[0], was.ends[0]) ||
          !is_same_end(is.ends[1], was.ends[1])) {
        continue;
      }
      any = true;
      if (is.joint_enabled != was.joint_enabled || is.collision_enabled != was.collision_enabled ||
          is.exclude_from_articulation != was.exclude_from_articulation) {
        continue;
      }
      if (same(world_of(made_, is.ends[0]), world_of(given_, was.ends[0])) &&
          same(world_of(made_, is.ends[1]), world_of(given_, was.ends[1]))) {
        ++counts_.joints;
        return {};
      }
    }
    return was.path.str() + (any ? " holds elsewhere" : " is no joint any more");
  }

  std::string compare_shapes() const {
    std::size_t wanted = 0;
    for (const physics::Shape& shape : given_.shapes) {
      if (told_.contains(shape.path.str())) continue;
      const auto* const points = std::get_if<physics::SpherePointsShape>(&shape.geometry);
      wanted += points != nullptr ? points->sphere_points.size() : 1;
    }
    counts_.shapes += wanted;
    if (made_.shapes.size() == wanted) return {};
    return fmt::format("{} colliders become {}", wanted, made_.shapes.size());
  }

  const PhysicsModel& given_;
  const PhysicsModel& made_;
  std::set<std::string> told_;  ///< Paths of colliders and joints that are left out.
  Counts& counts_;
  std::map<std::int32_t, std::int32_t> became_;  ///< Bodies of the second by those of the first.
  std::set<std::size_t> taken_;
  std::vector<physics::BodyMass> given_masses_;
  std::vector<physics::BodyMass> made_masses_;
};

std::string through_glb(const test::Scene& scene, Counts& counts) {
  const stage::StagePtr stage = test::open(scene);
  if (stage == nullptr) return "does not open";
  Diagnostics losses, diagnostics;
  const auto glb = write_glb(*stage, {}, losses);
  if (!glb) return glb.error().message;
  const auto imported = import_glb(
      Bytes(std::string(reinterpret_cast<const char*>(glb->bytes.data()), glb->bytes.size())), {},
      diagnostics);
  if (!imported) return imported.error().message;
  for (const Diagnostic& diagnostic : diagnostics) {
    if (diagnostic.severity == Severity::error) return format(diagnostic);
  }
  const stage::StagePtr again =
      test::open({{"again.usda", usda::write(*imported->layer)}}, Rules::openusd, diagnostics);
  if (again == nullptr) return "the imported layer does not open";

  std::set<std::string> told;
  for (const Diagnostic& loss : losses) {
    if (loss.code == "gltf-several-scenes") return {};
    if (loss.code == "gltf-collider" || loss.code == "gltf-collider-size" ||
        loss.code == "gltf-joint") {
      told.insert(loss.path);
    }
  }
  PhysicsModel given = physics::read_physics(*stage, diagnostics).to_si();
  const PhysicsModel made = physics::read_physics(*again, diagnostics).to_si();
  return Comparison(given, made, std::move(told), counts).run();
}

TEST(RandomPhysics, IsTheSameThroughGlb) {
  constexpr std::uint64_t kScenes = 300;
  Counts counts;
  test::for_random_scenes(test::Subject::physics, {210'000, kScenes},
                          [&](const test::Scene& scene) { return through_glb(scene, counts); });
  EXPECT_GT(counts.bodies, kScenes);
  EXPECT_GT(counts.masses, kScenes / 4);
  EXPECT_GT(counts.joints, kScenes / 10);
  EXPECT_GT(counts.shapes, kScenes);
}

}  // namespace
}  // namespace sinew::exporter::random_physics_test
