// SPDX-License-Identifier: Apache-2.0
// What MuJoCo makes of write_mjcf(): its own masses, frames, contacts and motion against those of
// the model.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "engines/mujoco_engine.hpp"
#include "engines/scenes.hpp"
#include "engines/simulation_checks.hpp"
#include "physics/shared/frames.hpp"
#include "sinew/export/engine_visuals.hpp"
#include "sinew/export/mjcf.hpp"
#include "sinew/export/urdf.hpp"
#include "sinew/physics/initial_state.hpp"
#include "sinew/physics/mass_frame.hpp"
#include "sinew/physics/pair_filter.hpp"

namespace sinew::mujoco_test {
namespace {

Engine simulate(const std::string& text) {
  return Engine(test::model_of_text(text, physics::all_dialects()));
}
Engine simulate_example(const std::string& name) {
  return Engine(test::model_of_example(name, physics::all_dialects()));
}

/// Of a body about its centre of mass, along its own axes.
Eigen::Matrix3d inertia(const Engine& engine, int body) {
  const mjtNum* q = engine.m->body_iquat + 4 * body;
  const mjtNum* moments = engine.m->body_inertia + 3 * body;
  const Eigen::Matrix3d r = Quatd(q[0], q[1], q[2], q[3]).toRotationMatrix();
  return r * Vector3d(moments[0], moments[1], moments[2]).asDiagonal() * r.transpose();
}

void expect_masses(const Engine& engine) {
  Diagnostics unused;
  for (const physics::BodyMass& mass : physics::body_masses(engine.model, unused)) {
    const physics::RigidBody& body = engine.model.body(mass.body);
    if (body.kinematic_body || !body.rigid_body_enabled) continue;
    const int id = engine.body(body.path.str());
    ASSERT_GT(id, 0) << body.path;
    const physics::MassFrame frame = physics::mass_frame(mass);
    EXPECT_NEAR(engine.m->body_mass[id], frame.mass, 1e-6 * frame.mass) << body.path;
    const mjtNum* at = engine.m->body_ipos + 3 * id;
    EXPECT_LT((Vector3d(at[0], at[1], at[2]) - frame.center).norm(), 1e-9) << body.path;
    EXPECT_LT((inertia(engine, id) - frame.inertia).norm(), 1e-6 * frame.inertia.norm())
        << body.path;
  }
}

void expect_start(Engine& engine) {
  mj_resetData(engine.m.get(), engine.d.get());
  mj_kinematics(engine.m.get(), engine.d.get());
  for (const physics::RigidBody& body : engine.model.rigid_bodies) {
    const Posed pose = engine.pose(body.path.str());
    EXPECT_LT((pose.position - body.pose.position.cast<double>()).norm(), 1e-6) << body.path;
    EXPECT_LT(pose.rotation.angularDistance(body.pose.rotation.cast<double>().normalized()), 1e-6)
        << body.path;
  }
  const physics::Gravity gravity = physics::model_gravity(engine.model);
  const Vector3d expected =
      gravity.direction.cast<double>() * static_cast<double>(gravity.magnitude);
  const mjtNum* g = engine.m->opt.gravity;
  EXPECT_LT((Vector3d(g[0], g[1], g[2]) - expected).norm(), 1e-6);
}

TEST(MuJoCo, LoadsEveryBundledSceneWithItsMassesPosesAndGravity) {
  for (const char* name : test::kExamples) {
    SCOPED_TRACE(name);
    complaints().clear();
    Engine engine = simulate_example(name);
    ASSERT_NE(engine.m, nullptr);
    EXPECT_THAT(complaints(), ::testing::IsEmpty());
    expect_masses(engine);
    expect_start(engine);
  }
}

// Expectations come from the generator, which places children by its own formula.
TEST(MuJoCo, MovesAHundredRandomRobotsAsTheFileSays) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE(seed);
    const test::RandomRobot robot(seed);
    Engine engine = simulate(robot.text);
    ASSERT_NE(engine.m, nullptr);
    ASSERT_EQ(engine.m->nv, static_cast<int>(robot.joints.size()));
    expect_masses(engine);
    expect_start(engine);
    for (const test::RobotJoint& joint : robot.joints) {
      const int id = engine.joint(joint.path);
      ASSERT_GE(id, 0);
      EXPECT_EQ(engine.m->jnt_type[id], joint.turns ? mjJNT_HINGE : mjJNT_SLIDE);
      const mjtNum* axis = engine.m->jnt_axis + 3 * id;
      EXPECT_LT((Vector3d(axis[0], axis[1], axis[2]) - joint.axis_in_child()).norm(), 1e-6);
      if (joint.turns) {
        const mjtNum* pos = engine.m->jnt_pos + 3 * id;
        EXPECT_LT((Vector3d(pos[0], pos[1], pos[2]) - joint.child_frame.position).norm(), 1e-6);
      }
      EXPECT_NEAR(engine.m->qpos0[engine.m->jnt_qposadr[id]], joint.start, 1e-6);
      EXPECT_TRUE(engine.m->jnt_limited[id]);
      EXPECT_NEAR(engine.m->jnt_range[2 * id], joint.lower, 1e-6);
      EXPECT_NEAR(engine.m->jnt_range[2 * id + 1], joint.upper, 1e-6);
    }
    test::Random random(seed);
    for (int sample = 0; sample < 20; ++sample) {
      const std::vector<double> q = test::random_coordinates(robot, random);
      for (std::size_t i = 0; i < robot.joints.size(); ++i) {
        engine.coordinate(robot.joints[i].path) = q[i];
      }
      mj_kinematics(engine.m.get(), engine.d.get());
      const std::vector<Posed> worlds = test::robot_poses(robot, q);
      for (std::size_t i = 0; i < robot.bodies.size(); ++i) {
        const Posed pose = engine.pose(robot.bodies[i].path);
        EXPECT_LT((pose.position - worlds[i].position).norm(), 1e-5);
        EXPECT_LT(pose.rotation.angularDistance(worlds[i].rotation), 1e-4);
      }
    }
  }
}

// The engine's own rule, from its own tables.
bool engine_collides(const mjModel& m, int a, int b) {
  const int body_a = m.geom_bodyid[a];
  const int body_b = m.geom_bodyid[b];
#if mjVERSION_HEADER >= 300
  constexpr int kFirst = 0;
#else
  constexpr int kFirst = 1;
#endif
  for (int e = 0; e < m.nexclude; ++e) {
    const int signature = m.exclude_signature[e];
    const int one = ((body_a + kFirst) << 16) + body_b + kFirst;
    const int other = ((body_b + kFirst) << 16) + body_a + kFirst;
    if (signature == one || signature == other) return false;
  }
  return (m.geom_contype[a] & m.geom_conaffinity[b]) != 0 ||
         (m.geom_contype[b] & m.geom_conaffinity[a]) != 0;
}

void expect_contacts(const Engine& engine) {
  Diagnostics unused;
  const auto filter = physics::PairFilter::build(engine.model, unused);
  const auto shapes = static_cast<std::int32_t>(engine.model.shapes.size());
  for (std::int32_t a = 0; a < shapes; ++a) {
    for (std::int32_t b = a + 1; b < shapes; ++b) {
      const auto geom = [&](std::int32_t s) {
        const std::string path = engine.model.shape(s).path.str();
        return mj_name2id(engine.m.get(), mjOBJ_GEOM, path.c_str());
      };
      const int ga = geom(a);
      const int gb = geom(b);
      ASSERT_GE(ga, 0);
      ASSERT_GE(gb, 0);
      const physics::PairDecision decision = filter.decide(a, b);
      // What is one rigid piece in the engine never meets itself.
      if (engine.m->body_weldid[engine.m->geom_bodyid[ga]] ==
          engine.m->body_weldid[engine.m->geom_bodyid[gb]]) {
        continue;
      }
      EXPECT_EQ(engine_collides(*engine.m, ga, gb), decision.collides)
          << engine.model.shape(a).path << " " << engine.model.shape(b).path << " "
          << to_string(decision.reason);
    }
  }
}

TEST(MuJoCo, LetsTheSamePairsCollide) {
  for (const char* name : test::kExamples) {
    SCOPED_TRACE(name);
    expect_contacts(simulate_example(name));
  }
}

TEST(MuJoCo, LetsTheSamePairsCollideInRandomFilters) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(seed);
    test::Random random(seed);
    const int bodies = random.between(2, 8);
    std::string text = "#usda 1.0\n(upAxis = \"Z\")\ndef PhysicsScene \"S\" {}\n";
    std::vector<std::string> shapes;
    for (int i = 0; i < bodies; ++i) {
      const std::string body = "b" + std::to_string(i);
      // Apart, so that few of them touch.
      text += "def Xform \"" + body + "\" (apiSchemas = [\"PhysicsRigidBodyAPI\"]) {\n" +
              "double3 xformOp:translate = (" + std::to_string(5 * i) +
              ", 0, 0)\nuniform token[] xformOpOrder = [\"xformOp:translate\"]\n";
      for (int k = random.between(1, 3); k > 0; --k) {
        const std::string name = "s" + std::to_string(k);
        text += "def Sphere \"" + name +
                "\" (apiSchemas = [\"PhysicsCollisionAPI\", \"PhysicsFilteredPairsAPI\"]) {\n";
        if (!shapes.empty() && random.chance(40)) {
          text += "rel physics:filteredPairs = [<" + random.of(shapes) + ">]\n";
        }
        text += "}\n";
        shapes.push_back("/" + body + "/" + name);
      }
      text += "}\n";
    }
    expect_contacts(simulate(text));
  }
}

// The force of each drive as the generator works it out, wherever the joint is and however fast.
TEST(MuJoCo, PushesAHundredRandomRobotsAsTheFileSays) {
  std::size_t drives = 0;
  std::size_t apart = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE(seed);
    const test::RandomRobot robot(seed, test::RobotParts::drives_and_filters);
    Engine engine = simulate(robot.text);
    ASSERT_NE(engine.m, nullptr);
    expect_contacts(engine);
    for (const auto& [a, b] : robot.apart) {
      const auto box = [&](std::size_t i) {
        const std::string path = robot.bodies[i].path + "/box";
        return mj_name2id(engine.m.get(), mjOBJ_GEOM, path.c_str());
      };
      ASSERT_GE(box(a), 0);
      ASSERT_GE(box(b), 0);
      EXPECT_FALSE(engine_collides(*engine.m, box(a), box(b)));
      ++apart;
    }
    test::Random random(seed);
    for (int sample = 0; sample < 5; ++sample) {
      std::vector<double> q, v;
      for (const test::RobotJoint& joint : robot.joints) {
        const int id = engine.joint(joint.path);
        q.push_back(random.eighths(-1, 1));
        v.push_back(random.eighths(-2, 2));
        engine.d->qpos[engine.m->jnt_qposadr[id]] = q.back();
        engine.d->qvel[engine.m->jnt_dofadr[id]] = v.back();
      }
      mj_forward(engine.m.get(), engine.d.get());
      for (std::size_t i = 0; i < robot.joints.size(); ++i) {
        const test::RobotJoint& joint = robot.joints[i];
        const mjtNum push = engine.d->qfrc_actuator[engine.m->jnt_dofadr[engine.joint(joint.path)]];
        const double wanted = joint.drive ? joint.drive->force(q[i], v[i]) : 0.0;
        EXPECT_NEAR(push, wanted, 1e-4 * (1.0 + std::abs(wanted))) << joint.path;
        drives += joint.drive ? 1 : 0;
      }
    }
  }
  EXPECT_GT(drives, 500U);
  EXPECT_GT(apart, 50U);
}

TEST(MuJoCo, TheArmHoldsAndReachesItsTargets) {
  Engine engine = simulate_example("robot_arm");
  std::vector<double> before(engine.d->qpos, engine.d->qpos + engine.m->nq);
  engine.run(2.0);
  for (int i = 0; i < engine.m->nq; ++i)
    EXPECT_NEAR(engine.d->qpos[i], before[static_cast<std::size_t>(i)], 1e-3) << i;
  // With new targets each joint comes to rest where the spring balances the load.
  for (int i = 0; i < engine.m->nu; ++i) {
    if (engine.m->jnt_type[engine.m->actuator_trnid[2 * i]] == mjJNT_HINGE) engine.d->ctrl[i] = 0.3;
  }
  engine.run(10.0);
  for (int i = 0; i < engine.m->nu; ++i) {
    const int joint = engine.m->actuator_trnid[2 * i];
    if (engine.m->jnt_type[joint] != mjJNT_HINGE) continue;
    const int dof = engine.m->jnt_dofadr[joint];
    const double sag = engine.d->qfrc_bias[dof] / engine.m->actuator_gainprm[mjNGAIN * i];
    const double q = engine.d->qpos[engine.m->jnt_qposadr[joint]];
    EXPECT_NEAR(q, 0.3 - sag, 1e-5);
    EXPECT_NEAR(q, 0.3, 0.01 * 0.3);
  }
}

TEST(MuJoCo, ThingsComeToRestAtTheirHeight) {
  test::expect_things_rest_at_their_height<Engine>(5e-4);
}

TEST(MuJoCo, TheBallHangsAtTheEndOfItsRope) {
  test::expect_ball_at_the_end_of_its_rope<Engine>(20.0);
}

TEST(MuJoCo, TheDrivenJointGainsSpeedAsItsDampingSays) {
  Engine engine = simulate_example("driven_joint");
  engine.run(2.0);
  const int joint = engine.joint("/World/Hinge");
  ASSERT_GE(joint, 0);
  const double q = engine.d->qpos[engine.m->jnt_qposadr[joint]];
  EXPECT_NEAR(engine.m->body_mass[engine.body("/World/Bar")], test::kBarMass, 1e-6);
  EXPECT_NEAR(q, test::bar_angle_after(2.0), 0.01 * test::kBarSpeed * 2.0);
}

TEST(MuJoCo, APendulumHasThePeriodOfItsLengthAndMass) {
  Engine engine = simulate(test::kPendulum);
  ASSERT_EQ(engine.m->nq, 1);
  engine.d->qpos[0] = 0.05;
  mj_forward(engine.m.get(), engine.d.get());
  std::vector<double> angles;
  while (engine.d->time < 10.0) {
    mj_step(engine.m.get(), engine.d.get());
    angles.push_back(engine.d->qpos[0]);
  }
  const double wanted = test::pendulum_period();
  EXPECT_NEAR(test::period_of(angles, engine.m->opt.timestep), wanted, 0.001 * wanted);
}

TEST(MuJoCo, NothingExplodes) {
  for (const char* name : test::kExamples) {
    SCOPED_TRACE(name);
    complaints().clear();
    Engine engine = simulate_example(name);
    engine.run(2.0);
    EXPECT_THAT(complaints(), ::testing::IsEmpty());
    for (int i = 0; i < engine.m->nv; ++i) {
      ASSERT_TRUE(std::isfinite(engine.d->qvel[i]));
      EXPECT_LT(std::abs(engine.d->qvel[i]), 9.81 * 2.0 + 50.0);
    }
  }
}

// The engine adds up the same shapes by its own formulas.
TEST(MuJoCo, WeighsShapesAsTheModelDoes) {
  const char* const kinds[] = {
      "def Sphere \"s\" (apiSchemas = [\"PhysicsCollisionAPI\"]) { double radius = 0.3\n}",
      "def Cube \"s\" (apiSchemas = [\"PhysicsCollisionAPI\"]) { double size = 0.4\n"
      "float3 xformOp:scale = (-1, 2, 0.5)\nuniform token[] xformOpOrder = [\"xformOp:scale\"]\n}",
      "def Capsule \"s\" (apiSchemas = [\"PhysicsCollisionAPI\"]) { double radius = 0.2\n"
      "double height = 0.6\nuniform token axis = \"X\"\n}",
      "def Cylinder \"s\" (apiSchemas = [\"PhysicsCollisionAPI\"]) { double radius = 0.2\n"
      "double height = 0.6\nuniform token axis = \"Y\"\n}",
      "def Mesh \"s\" (apiSchemas = [\"PhysicsCollisionAPI\"]) {\n"
      "int[] faceVertexCounts = [3, 3, 3, 3]\n"
      "int[] faceVertexIndices = [0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3]\n"
      "point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]\n"
      "float3 xformOp:scale = (1, -0.5, 0.7)\nuniform token[] xformOpOrder = "
      "[\"xformOp:scale\"]\n}",
      "def Cone \"s\" (apiSchemas = [\"PhysicsCollisionAPI\"]) { double radius = 0.3\n"
      "double height = 0.8\nuniform token axis = \"Y\"\n}",
      "def Cylinder_1 \"s\" (apiSchemas = [\"PhysicsCollisionAPI\"]) { double radiusTop = 0.1\n"
      "double radiusBottom = 0.3\ndouble height = 0.6\nuniform token axis = \"X\"\n}",
      "def Capsule_1 \"s\" (apiSchemas = [\"PhysicsCollisionAPI\"]) { double radiusTop = 0.1\n"
      "double radiusBottom = 0.2\ndouble height = 0.6\nuniform token axis = \"Z\"\n}"};
  for (const char* const written : kinds) {
    const std::string kind = written;
    SCOPED_TRACE(kind);
    const std::string text = std::string("#usda 1.0\n(metersPerUnit = 1\nupAxis = \"Z\")\n") +
                             "def Xform \"b\" (apiSchemas = [\"PhysicsRigidBodyAPI\"]) {\n" + kind +
                             "\n}\n";
    Engine ours = simulate(text);
    Engine theirs;
    theirs.model = ours.model;
    std::string own = ours.file.text;
    const std::string wanted = "inertiafromgeom=\"auto\"";
    own.replace(own.find(wanted), wanted.size(),
                "inertiafromgeom=\"true\" exactmeshinertia=\"true\"");
    theirs.load(own, ".xml");
    const int id = ours.body("/b");
    // What the engine has as a hull has 64 corners on each circle.
    const bool is_hull = kind.starts_with("def Cone") || kind.find("_1 ") != std::string::npos;
    const double near = is_hull ? 5e-3 : 1e-6;
    EXPECT_NEAR(theirs.m->body_mass[id], ours.m->body_mass[id], near * ours.m->body_mass[id]);
    EXPECT_LT((inertia(theirs, id) - inertia(ours, id)).norm(), near * inertia(ours, id).norm());
  }
}

// What is only shown weighs nothing and touches nothing, and its corners are where the stage has
// them. The engine turns meshes to their principal axes, so extents are compared.
TEST(MuJoCo, ShowsWhatDoesNotCollide) {
  const std::string text =
      "#usda 1.0\n(metersPerUnit = 0.01\nkilogramsPerUnit = 1\nupAxis = \"Z\")\n"
      "def PhysicsScene \"S\" {}\n"
      "def Xform \"a\" (apiSchemas = [\"PhysicsRigidBodyAPI\"]) {\n"
      "double3 xformOp:translate = (10, 20, 30)\nfloat xformOp:rotateX = 30\n"
      "uniform token[] xformOpOrder = [\"xformOp:translate\", \"xformOp:rotateX\"]\n"
      "def Cube \"box\" (apiSchemas = [\"PhysicsCollisionAPI\"]) {\ndouble size = 20\n}\n"
      "def Mesh \"m\" {\nfloat3 xformOp:scale = (1, 2, -1)\n"
      "uniform token[] xformOpOrder = [\"xformOp:scale\"]\n"
      "int[] faceVertexCounts = [3, 3, 3, 3]\n"
      "int[] faceVertexIndices = [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]\n"
      "point3f[] points = [(0, 0, 0), (10, 0, 0), (0, 10, 0), (0, 0, 10)]\n}\n}\n"
      "def Cube \"wall\" {\ndouble size = 100\n}\n";
  Diagnostics diagnostics;
  const auto stage = stage::open_layers({{"root.usda", text.c_str() + 10}}, diagnostics);
  Engine engine;
  engine.model = test::model_of_stage(*stage, diagnostics, {});
  exporter::EngineOptions options;
  options.visuals = exporter::visual_shapes(stage->root(), engine.model, diagnostics);
  ASSERT_EQ(options.visuals.size(), 2U);
  engine.file = exporter::write_mjcf(engine.model, options, engine.diagnostics);
  engine.load(engine.file.text, ".xml");
  ASSERT_NE(engine.m, nullptr);
  expect_masses(engine);
  expect_start(engine);
  engine.start();
  EXPECT_EQ(engine.d->ncon, 0);
  const int geom = mj_name2id(engine.m.get(), mjOBJ_GEOM, "/a/m");
  ASSERT_GE(geom, 0);
  EXPECT_EQ(engine.m->geom_group[geom], 1);
  const int mesh = engine.m->geom_dataid[geom];
  Eigen::AlignedBox3d seen;
  const Eigen::Map<const Eigen::Matrix<mjtNum, 3, 3, Eigen::RowMajor>> turn(engine.d->geom_xmat +
                                                                            9 * geom);
  const Eigen::Map<const Vector3d> place(engine.d->geom_xpos + 3 * geom);
  for (int i = 0; i < engine.m->mesh_vertnum[mesh]; ++i) {
    const float* v = engine.m->mesh_vert + 3 * (engine.m->mesh_vertadr[mesh] + i);
    seen.extend(Vector3d(place + turn * Vector3f(v[0], v[1], v[2]).cast<double>()));
  }
  Eigen::AlignedBox3d expected;
  const physics::Posed body = physics::body_frame(engine.model, 0);
  for (const Vector3d& p :
       {Vector3d(0, 0, 0), Vector3d(0.1, 0, 0), Vector3d(0, 0.2, 0), Vector3d(0, 0, -0.1)}) {
    expected.extend(Vector3d(body.position + body.rotation * p));
  }
  EXPECT_LT((seen.min() - expected.min()).norm(), 1e-6);
  EXPECT_LT((seen.max() - expected.max()).norm(), 1e-6);
}

// MuJoCo reads URDF too, and moves its joints.
TEST(MuJoCo, ReadsTheUrdfOfRandomRobots) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE(seed);
    const test::RandomRobot robot(seed);
    Diagnostics diagnostics;
    Engine engine;
    engine.model = test::model_of_text(robot.text, physics::all_dialects());
    exporter::EngineOptions options;
    options.names = physics::NameStyle::identifier;
    engine.file = exporter::write_urdf(engine.model, options, diagnostics);
    std::string text = engine.file.text;
    text.insert(text.find("  <link"),
                "  <mujoco><compiler fusestatic=\"false\" balanceinertia=\"true\"/></mujoco>\n");
    engine.load(text, ".urdf");
    ASSERT_NE(engine.m, nullptr);
    const auto name = [](std::string path) {
      path.erase(0, 1);
      std::replace(path.begin(), path.end(), '/', '_');
      return path;
    };
    const physics::Lookup lookup(engine.model);
    for (const test::RobotJoint& joint : robot.joints)
      engine.coordinate(name(joint.path)) = joint.start;
    mj_kinematics(engine.m.get(), engine.d.get());
    for (std::size_t i = 0; i < robot.bodies.size(); ++i) {
      const test::RobotBody& body = robot.bodies[i];
      const Posed pose = engine.pose(name(body.path));
      // A link stands at its joint, along the axes of the body.
      const Vector3d expected =
          body.world.position + body.world.rotation * robot.joints[i].child_frame.position;
      EXPECT_LT((pose.position - expected).norm(), 1e-6);
      EXPECT_LT(pose.rotation.angularDistance(body.world.rotation), 1e-6);
      const physics::MassFrame mass = physics::mass_frame(
          physics::body_mass(engine.model, lookup.body(body.path), diagnostics));
      const int id = engine.body(name(body.path));
      EXPECT_NEAR(engine.m->body_mass[id], mass.mass, 1e-6 * mass.mass);
      EXPECT_NEAR(engine.m->body_mass[id], body.mass, 1e-6 * body.mass);
      EXPECT_LT((inertia(engine, id) - mass.inertia).norm(), 1e-6 * mass.inertia.norm());
      const mjtNum* at = engine.m->body_ipos + 3 * id;
      const Vector3d center = mass.center - robot.joints[i].child_frame.position;
      EXPECT_LT((Vector3d(at[0], at[1], at[2]) - center).norm(), 1e-6);
    }
  }
}

}  // namespace
}  // namespace sinew::mujoco_test
