// SPDX-License-Identifier: Apache-2.0
// Joints of several axes as chains of light links: what MuJoCo's reader of URDF makes of them
// against what the joints say.
#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "engines/scenes.hpp"
#include "physics/shared/frames.hpp"
#include "sinew/export/urdf.hpp"
#include "sinew/physics/link_joint.hpp"
#include "support/random.hpp"

namespace sinew::urdf_chains_test {
namespace {

namespace fs = std::filesystem;
using physics::Posed;

Posed random_pose(test::Random& random) {
  const Vector3d position(random.eighths(-1, 1), random.eighths(-1, 1), random.eighths(-1, 1));
  const Vector3d axis(random.eighths(-1, 1), random.eighths(-1, 1), random.eighths(1, 2));
  const double angle = random.eighths(-3, 3);
  return {position, Quatd(Eigen::AngleAxisd(angle, axis.normalized()))};
}

void add_body(physics::PhysicsModel& model, const std::string& path, float mass,
              const Vector3f& inertia) {
  physics::RigidBody& body = model.rigid_bodies.emplace_back();
  body.path = path;
  body.first_mass_node = static_cast<std::uint32_t>(model.mass_nodes.size());
  body.mass_node_count = 1;
  physics::MassNode& node = model.mass_nodes.emplace_back();
  node.has_mass_api = true;
  node.authored.mass = mass;
  node.authored.center_of_mass = Vector3f::Zero();
  node.authored.diagonal_inertia = inertia;
  node.authored.principal_axes = Quatf::Identity();
}

/// A chain of 4 bodies in SI units, each held by a joint that leaves 2 to 5 axes open. Bodies
/// stand at the origin until they are posed.
struct RandomChain {
  physics::PhysicsModel model;

  explicit RandomChain(std::uint64_t seed) {
    test::Random random(seed);
    model.units = {sinew::Axis::z, 1.0, 1.0, true};
    model.scenes.emplace_back().path = "/scene";
    for (int i = 0; i < 4; ++i) {
      add_body(model, "/body" + std::to_string(i), 1.0F + static_cast<float>(i),
               Vector3f(0.25F, 0.5F, 0.375F));
      physics::Joint& joint = model.joints.emplace_back();
      joint.path = "/joint" + std::to_string(i);
      const bool reversed = random.chance(50);
      joint.ends[reversed ? 1 : 0].body = i - 1;
      joint.ends[reversed ? 0 : 1].body = i;
      for (physics::JointEnd& end : joint.ends) end.frame = physics::to_pose(random_pose(random));
      joint.kind = random.chance(20) ? decltype(joint.kind)(physics::SphericalJoint{})
                                     : decltype(joint.kind)(generic(random));
    }
  }

  static physics::D6Joint generic(test::Random& random) {
    physics::D6Joint joint;
    const std::size_t open = random.below(6);
    const std::size_t other = (open + 1 + random.below(2)) % 6;
    const std::size_t locked = (open + 3 + random.below(3)) % 6;
    for (std::size_t i = 0; i < 6; ++i) {
      const bool is_open = i == open || i == other || (i != locked && random.chance(40));
      if (is_open && random.chance(50)) continue;
      physics::JointLimit limit{true, 1.0F, -1.0F};
      if (is_open) limit = {true, -2.0F, 1.5F};
      const auto dof = static_cast<physics::JointDof>(i + 1);
      joint.limits.push_back({dof, limit});
    }
    return joint;
  }

  std::vector<physics::LinkJoint> links() const {
    std::vector<physics::LinkJoint> result;
    for (int i = 0; i < 4; ++i) result.push_back(physics::link_joint(model, i, i));
    return result;
  }

  /// Where the bodies are at coordinates of each joint.
  std::vector<Posed> poses(const std::vector<std::vector<double>>& coordinates) const {
    std::vector<Posed> result;
    const std::vector<physics::LinkJoint> joints = links();
    for (std::size_t i = 0; i < joints.size(); ++i) {
      const Posed local = physics::link_pose(joints[i], coordinates[i], true);
      result.push_back(i == 0 ? local : physics::compose(result.back(), local));
    }
    return result;
  }

  std::vector<std::vector<double>> random_coordinates(test::Random& random) const {
    std::vector<std::vector<double>> result;
    for (const physics::LinkJoint& joint : links()) {
      std::vector<double>& values = result.emplace_back();
      for (std::size_t i = 0; i < joint.dofs.size(); ++i) values.push_back(random.eighths(-1, 1));
    }
    return result;
  }
};

struct Engine {
  std::unique_ptr<mjModel, void (*)(mjModel*)> m{nullptr, mj_deleteModel};
  std::unique_ptr<mjData, void (*)(mjData*)> d{nullptr, mj_deleteData};

  explicit Engine(std::string text) {
    text.insert(text.find("  <link"), "  <mujoco><compiler fusestatic=\"false\"/></mujoco>\n");
    const fs::path path =
        fs::path(::testing::TempDir()) / ("sinew_chain_" + std::to_string(::getpid()) + ".urdf");
    std::ofstream(path) << text;
    char error[1000] = "";
    m.reset(mj_loadXML(path.c_str(), nullptr, error, sizeof error));
    fs::remove(path);
    if (m == nullptr) ADD_FAILURE() << error << "\n" << text;
    if (m != nullptr) d.reset(mj_makeData(m.get()));
  }
  int joint(const std::string& name) const {
    return mj_name2id(m.get(), mjOBJ_JOINT, name.c_str());
  }
};

TEST(UrdfChains, MoveAsTheJointsSay) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE(seed);
    test::Random random(seed + 1000);
    RandomChain chain(seed);
    const std::vector<Posed> start = chain.poses(chain.random_coordinates(random));
    for (std::size_t i = 0; i < start.size(); ++i) {
      chain.model.rigid_bodies[i].pose = physics::to_pose(start[i]);
    }
    exporter::EngineOptions options;
    options.names = physics::NameStyle::identifier;
    options.stacked = physics::StackedJoints::always;
    Diagnostics diagnostics;
    const exporter::EngineFile file = exporter::write_urdf(chain.model, options, diagnostics);
    EXPECT_EQ(count(diagnostics, Severity::error), 0U);
    const Engine engine(file.text);
    ASSERT_NE(engine.m, nullptr);
    const std::vector<physics::LinkJoint> links = chain.links();
    for (int round = 0; round < 3; ++round) {
      const std::vector<std::vector<double>> at = chain.random_coordinates(random);
      const std::vector<Posed> expected = chain.poses(at);
      int open = 0;
      for (std::size_t i = 0; i < links.size(); ++i) {
        for (std::size_t k = 0; k < links[i].dofs.size(); ++k) {
          const physics::LinkDof& dof = links[i].dofs[k];
          const std::string name =
              "joint" + std::to_string(i) + "_" + std::string(physics::to_string(dof.dof));
          const int joint = engine.joint(name);
          ASSERT_GE(joint, 0) << name;
          ++open;
          engine.d->qpos[engine.m->jnt_qposadr[joint]] = at[i][k];
          // A slide without a range has a wide one.
          const bool is_open = !std::isfinite(dof.upper);
          EXPECT_EQ(engine.m->jnt_limited[joint] == 0, is_open && dof.is_rotation()) << name;
          if (is_open && dof.is_rotation()) continue;
          const double lower = is_open ? -1e6 : dof.lower;
          const double upper = is_open ? 1e6 : dof.upper;
          EXPECT_NEAR(engine.m->jnt_range[2 * joint], lower, 1e-6) << name;
          EXPECT_NEAR(engine.m->jnt_range[2 * joint + 1], upper, 1e-6) << name;
        }
      }
      EXPECT_EQ(engine.m->nv, open);
      mj_kinematics(engine.m.get(), engine.d.get());
      for (std::size_t i = 0; i < links.size(); ++i) {
        const int body =
            mj_name2id(engine.m.get(), mjOBJ_BODY, ("body" + std::to_string(i)).c_str());
        ASSERT_GT(body, 0);
        const mjtNum* x = engine.d->xpos + 3 * body;
        const mjtNum* q = engine.d->xquat + 4 * body;
        // A link stands at the anchor of its joint, along the axes of the body.
        const Vector3d place =
            expected[i].position +
            expected[i].rotation *
                physics::link_joint(chain.model, static_cast<int>(i), static_cast<int>(i)).anchor;
        EXPECT_LT((Vector3d(x[0], x[1], x[2]) - place).norm(), 1e-5);
        EXPECT_LT(Quatd(q[0], q[1], q[2], q[3]).angularDistance(expected[i].rotation), 1e-5);
        EXPECT_NEAR(engine.m->body_mass[body], 1.0 + static_cast<double>(i), 1e-6);
      }
    }
  }
}

// The links between weigh so little that a ball on a free spherical joint swings as on a rope.
TEST(UrdfChains, SwingAsIfNothingWasBetween) {
  physics::PhysicsModel model;
  model.units = {sinew::Axis::z, 1.0, 1.0, true};
  add_body(model, "/ball", 2.0F, Vector3f::Constant(0.01F));
  model.rigid_bodies[0].pose.position = {1.0F, 0.0F, 0.0F};
  physics::Joint& joint = model.joints.emplace_back();
  joint.path = "/joint";
  joint.ends[1].body = 0;
  joint.ends[1].frame.position = {-1.0F, 0.0F, 0.0F};
  joint.kind = physics::SphericalJoint{};
  exporter::EngineOptions options;
  options.stacked = physics::StackedJoints::always;
  Diagnostics diagnostics;
  const Engine engine(exporter::write_urdf(model, options, diagnostics).text);
  ASSERT_NE(engine.m, nullptr);
  ASSERT_EQ(engine.m->nv, 3);
  mj_forward(engine.m.get(), engine.d.get());
  // About Y alone: m g l / (m l^2 + I).
  const mjtNum* a = engine.d->qacc;
  EXPECT_NEAR(a[0], 0.0, 1e-9);
  EXPECT_NEAR(a[1], 2.0 * 9.81 / 2.01, 1e-4);
  EXPECT_NEAR(a[2], 0.0, 1e-9);
}

}  // namespace
}  // namespace sinew::urdf_chains_test
