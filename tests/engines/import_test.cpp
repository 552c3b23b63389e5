// SPDX-License-Identifier: Apache-2.0
// What MuJoCo makes of a robot before and after it was a layer, and what it saves of ours.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "export/robot_import/robot_models.hpp"
#include "sinew/export/mjcf.hpp"
#include "stage/support.hpp"
#include "support/folders.hpp"
#include "support/random_robot.hpp"

namespace sinew::import_test {
namespace {

namespace fs = std::filesystem;
using Model = std::unique_ptr<mjModel, void (*)(mjModel*)>;

class Folder {
 public:
  Folder() : path_(fs::path(::testing::TempDir()) / ("sinew_import_" + std::to_string(getpid()))) {
    fs::create_directories(path_);
  }
  ~Folder() { fs::remove_all(path_); }
  std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  fs::path path_;
};

Model load(const std::string& file) {
  char error[1000] = "";
  Model model(mj_loadXML(file.c_str(), nullptr, error, sizeof error), mj_deleteModel);
  EXPECT_NE(model, nullptr) << error;
  return model;
}

exporter::EngineFile written(const physics::PhysicsModel& model) {
  Diagnostics unused;
  return exporter::write_mjcf(model, {}, unused);
}

// The engine's number of something of ours, whose name is a path that ends in `name`.
int find(const mjModel& m, int type, int count, const std::string& name) {
  for (int i = 0; i < count; ++i) {
    const char* const other = mj_id2name(&m, type, i);
    if (other != nullptr && std::string(other).ends_with("/" + name)) return i;
  }
  return -1;
}

// Whether the engine looks for contacts of two geoms, by its own tables and rules.
bool may_touch(const mjModel& m, int a, int b) {
  const int body_a = m.geom_bodyid[a];
  const int body_b = m.geom_bodyid[b];
  const int weld_a = m.body_weldid[body_a];
  const int weld_b = m.body_weldid[body_b];
  if (weld_a == weld_b) return false;
  if ((m.opt.disableflags & mjDSBL_FILTERPARENT) == 0 && weld_a != 0 && weld_b != 0) {
    if (m.body_weldid[m.body_parentid[weld_a]] == weld_b) return false;
    if (m.body_weldid[m.body_parentid[weld_b]] == weld_a) return false;
  }
#if mjVERSION_HEADER >= 300
  constexpr int kFirst = 0;
#else
  constexpr int kFirst = 1;
#endif
  for (int e = 0; e < m.nexclude; ++e) {
    const int signature = m.exclude_signature[e];
    if (signature == ((body_a + kFirst) << 16) + body_b + kFirst) return false;
    if (signature == ((body_b + kFirst) << 16) + body_a + kFirst) return false;
  }
  return (m.geom_contype[a] & m.geom_conaffinity[b]) != 0 ||
         (m.geom_contype[b] & m.geom_conaffinity[a]) != 0;
}

class MuJoCoImports : public ::testing::TestWithParam<const char*> {};

TEST_P(MuJoCoImports, FindsTheSameMassesPosesAndJoints) {
  const Folder folder;
  const Model theirs = load(test::data_folder() + "/robots/" + GetParam());
  const test::RobotModel robot = test::robot_file(GetParam());
  std::ofstream(folder.file("ours.xml")) << written(robot.model).text;
  const Model ours = load(folder.file("ours.xml"));
  ASSERT_TRUE(theirs && ours);
  EXPECT_EQ(ours->nv, theirs->nv);
  const auto data = [](const Model& m) {
    std::unique_ptr<mjData, void (*)(mjData*)> made(mj_makeData(m.get()), mj_deleteData);
    mj_kinematics(m.get(), made.get());
    mj_comPos(m.get(), made.get());
    return made;
  };
  const auto at_theirs = data(theirs);
  const auto at_ours = data(ours);
  const auto near = [](const mjtNum* a, const mjtNum* b, int count, const std::string& what) {
    for (int i = 0; i < count; ++i) EXPECT_NEAR(a[i], b[i], 1e-6) << what << ' ' << i;
  };
  near(ours->opt.gravity, theirs->opt.gravity, 3, "gravity");
  for (int i = 1; i < theirs->nbody; ++i) {
    const std::string name = mj_id2name(theirs.get(), mjOBJ_BODY, i);
    const int k = find(*ours, mjOBJ_BODY, ours->nbody, name);
    if (k < 0) {  // A frame without a mass.
      EXPECT_LT(theirs->body_mass[i], 1e-9) << name;
      continue;
    }
    near(at_ours->xpos + 3 * k, at_theirs->xpos + 3 * i, 3, name + " position");
    near(at_ours->xmat + 9 * k, at_theirs->xmat + 9 * i, 9, name + " rotation");
    if (theirs->body_mocapid[i] >= 0) continue;
    EXPECT_NEAR(ours->body_mass[k], theirs->body_mass[i], 1e-6 * theirs->body_mass[i]) << name;
    near(at_ours->xipos + 3 * k, at_theirs->xipos + 3 * i, 3, name + " centre");
    const auto tensor = [](const Model& m, const mjData& d, int body) {
      Eigen::Matrix3d axes;
      for (int j = 0; j < 9; ++j) axes(j / 3, j % 3) = d.ximat[9 * body + j];
      const mjtNum* v = m->body_inertia + 3 * body;
      return Eigen::Matrix3d(axes * Vector3d(v[0], v[1], v[2]).asDiagonal() * axes.transpose());
    };
    const Eigen::Matrix3d expected = tensor(theirs, *at_theirs, i);
    EXPECT_LT((tensor(ours, *at_ours, k) - expected).norm(), 1e-6 * expected.norm()) << name;
  }
  for (int a = 0; a < theirs->njnt; ++a) {
    if (theirs->jnt_type[a] == mjJNT_FREE) continue;
    const std::string name = mj_id2name(theirs.get(), mjOBJ_JOINT, a);
    const int b = find(*ours, mjOBJ_JOINT, ours->njnt, name);
    const std::string what = "joint " + name;
    ASSERT_GE(b, 0) << what;
    ASSERT_EQ(ours->jnt_type[b], theirs->jnt_type[a]) << what;
    const int i = ours->jnt_dofadr[b];
    const int k = theirs->jnt_dofadr[a];
    EXPECT_NEAR(ours->dof_damping[i], theirs->dof_damping[k], 1e-6) << what;
    EXPECT_NEAR(ours->dof_armature[i], theirs->dof_armature[k], 1e-6) << what;
    near(ours->jnt_pos + 3 * b, theirs->jnt_pos + 3 * a, 3, what + " anchor");
    if (theirs->jnt_type[a] == mjJNT_BALL) continue;
    near(ours->jnt_axis + 3 * b, theirs->jnt_axis + 3 * a, 3, what + " axis");
    EXPECT_EQ(ours->jnt_limited[b], theirs->jnt_limited[a]) << what;
    if (theirs->jnt_limited[a]) near(ours->jnt_range + 2 * b, theirs->jnt_range + 2 * a, 2, what);
    EXPECT_NEAR(ours->qpos0[ours->jnt_qposadr[b]], theirs->qpos0[theirs->jnt_qposadr[a]], 1e-6);
  }
}

TEST(MuJoCoImport, LetsTheSameGeomsTouch) {
  const Folder folder;
  const Model theirs = load(test::data_folder() + "/robots/filters.xml");
  const test::RobotModel robot = test::robot_file("filters.xml");
  std::ofstream(folder.file("ours.xml")) << written(robot.model).text;
  const Model ours = load(folder.file("ours.xml"));
  ASSERT_TRUE(theirs && ours);
  int apart = 0;
  for (int a = 0; a < theirs->ngeom; ++a) {
    for (int b = 0; b < a; ++b) {
      const std::string name_a = mj_id2name(theirs.get(), mjOBJ_GEOM, a);
      const std::string name_b = mj_id2name(theirs.get(), mjOBJ_GEOM, b);
      const int ours_a = find(*ours, mjOBJ_GEOM, ours->ngeom, name_a);
      const int ours_b = find(*ours, mjOBJ_GEOM, ours->ngeom, name_b);
      ASSERT_GE(ours_a, 0);
      ASSERT_GE(ours_b, 0);
      const bool expected = may_touch(*theirs, a, b);
      apart += expected ? 0 : 1;
      EXPECT_EQ(may_touch(*ours, ours_a, ours_b), expected) << name_a << ' ' << name_b;
    }
  }
  EXPECT_GT(apart, 5);
}

INSTANTIATE_TEST_SUITE_P(Files, MuJoCoImports,
                         ::testing::Values("pendulum.xml", "degrees.xml", "defaults.xml",
                                           "actuators.xml", "joints.xml", "filters.xml",
                                           "loops.xml", "frames.xml"));

// force = g (gain c + b0 + g (b1 q + b2 v)): the length of a transmission is g q.
TEST(MuJoCoImport, KeepsWhatAGearDoesToAnActuator) {
  const std::string text =
      "<mujoco><worldbody><body><joint name='j'/><geom size='0.1'/></body></worldbody><actuator>"
      "<general joint='j' gear='3' gainprm='10' biastype='affine' biasprm='1 -10 -2'/></actuator>"
      "</mujoco>";
  const Folder folder;
  std::ofstream(folder.file("theirs.xml")) << text;
  std::ofstream(folder.file("ours.xml")) << written(test::RobotModel(text).model).text;
  for (const char* name : {"theirs.xml", "ours.xml"}) {
    SCOPED_TRACE(name);
    const Model model = load(folder.file(name));
    ASSERT_TRUE(model);
    ASSERT_EQ(model->nu, 1);
    std::unique_ptr<mjData, void (*)(mjData*)> data(mj_makeData(model.get()), mj_deleteData);
    data->qpos[0] = 0.2;
    data->qvel[0] = 0.5;
    data->ctrl[0] = 0.7;
    mj_forward(model.get(), data.get());
    EXPECT_NEAR(data->qfrc_actuator[0], 3.0 * (7.0 + 1.0 - 10.0 * 0.6 - 2.0 * 1.5), 1e-9);
  }
}

// In the same state forces are the same, and so is how fast activations change.
TEST(MuJoCoImport, KeepsActivationsAndGainsOfActuators) {
  const Folder folder;
  const Model theirs = load(test::data_folder() + "/robots/actuators.xml");
  std::ofstream(folder.file("ours.xml")) << written(test::robot_file("actuators.xml").model).text;
  const Model ours = load(folder.file("ours.xml"));
  ASSERT_TRUE(theirs && ours);
  ASSERT_EQ(theirs->na, 4);
  ASSERT_EQ(ours->na, 4);
  ASSERT_EQ(theirs->nv, ours->nv);
  std::vector<std::vector<double>> results;
  for (const Model* model : {&theirs, &ours}) {
    std::unique_ptr<mjData, void (*)(mjData*)> data(mj_makeData(model->get()), mj_deleteData);
    mj_resetDataKeyframe(model->get(), data.get(), 0);
    for (int i = 0; i < (*model)->nv; ++i) data->qvel[i] = 0.3 - 0.2 * i;
    const std::vector<double> start(data->act, data->act + 4);
    EXPECT_THAT(start, testing::ElementsAre(0.0625, -0.25, 0.5, 0.0));
    data->act[0] = 0.4;
    data->act[3] = 0.375;
    mj_forward(model->get(), data.get());
    auto& numbers = results.emplace_back(data->qfrc_actuator, data->qfrc_actuator + (*model)->nv);
    numbers.insert(numbers.end(), data->act_dot, data->act_dot + (*model)->na);
    EXPECT_EQ(std::count(numbers.begin(), numbers.end(), 0.0), 0);
    for (int i = 0; i < (*model)->nu; ++i) {
      if ((*model)->actuator_dyntype[i] == mjDYN_NONE) continue;
      numbers.insert(numbers.end(), (*model)->actuator_actrange + 2 * i,
                     (*model)->actuator_actrange + 2 * i + 2);
    }
  }
  ASSERT_EQ(results[0].size(), results[1].size());
  for (std::size_t i = 0; i < results[0].size(); ++i) {
    EXPECT_NEAR(results[1][i], results[0][i], 1e-5 * std::max(1.0, std::abs(results[0][i]))) << i;
  }
}

// Shortcuts write into one set of numbers, those of the classes around first, so what one leaves
// open the next may find said: of all of them, in classes, in classes inside those, and by
// themselves.
TEST(MuJoCoImport, TakesWhatIsLeftOpenFromTheClassesAround) {
  const std::vector<std::string> servos = {
      "general gaintype='affine' gainprm='5 0.5 -0.25' biastype='affine' biasprm='0.1 -3 -0.5'",
      "general gainprm='7'",
      "general",
      "motor",
      "position kp='30'",
      "position",
      "velocity kv='20'",
      "velocity",
      "damper kv='4' ctrlrange='0 1'",
      "damper ctrlrange='0 1'"};
  const std::vector<std::string> muscles = {"muscle force='300' lmin='0.4'",
                                            "muscle timeconst='0.02 0.06' range='0.8 1.1'", "motor",
                                            "general"};
  // Where a bias comes before a <position>, which keeps what it does not say of it from MuJoCo 3
  // on.
  const auto clears_bias = [](const std::string& all) {
    const std::size_t position = all.rfind("position");
    return position != std::string::npos &&
           std::min(all.find("bias"), all.find("velocity")) < position;
  };
  const auto forces = [](const Model& m) {
    std::unique_ptr<mjData, void (*)(mjData*)> data(mj_makeData(m.get()), mj_deleteData);
    std::fill_n(data->qpos, m->nq, 0.2);
    std::fill_n(data->qvel, m->nv, 0.5);
    std::fill_n(data->ctrl, m->nu, 0.7);
    std::fill_n(data->act, m->na, 0.4);
    mj_forward(m.get(), data.get());
    return std::vector<double>(data->qfrc_actuator, data->qfrc_actuator + m->nv);
  };
  const Folder folder;
  const auto compare = [&](const std::string& outer, const std::vector<std::string>& kinds) {
    SCOPED_TRACE(outer);
    std::string classes;
    std::string bodies;
    std::string actuators;
    std::string activated;  // The engine wants these behind the others.
    std::vector<std::string> all;
    for (const std::string& inner : kinds) {
      for (const std::string& own : kinds) {
        const std::string i = std::to_string(all.size());
        classes += "<default class='o" + i + "'><" + outer + "/><default class='i" + i + "'><" +
                   inner + "/></default></default>";
        bodies += "<body pos='" + i + " 0 0'><joint name='j" + i +
                  "' limited='true' range='-60 60'/><geom size='0.1'/></body>";
        const std::string& kind = own != "general" ? own : inner != "general" ? inner : outer;
        (kind.starts_with("muscle") ? activated : actuators) +=
            "<" + own + " joint='j" + i + "' class='i" + i + "'/>";
        all.push_back(inner + " | " + own);
      }
    }
    const std::string text = "<mujoco><default>" + classes + "</default><worldbody>" + bodies +
                             "</worldbody><actuator>" + actuators + activated +
                             "</actuator></mujoco>";
    std::ofstream(folder.file("theirs.xml")) << text;
    std::ofstream(folder.file("ours.xml")) << written(test::RobotModel(text).model).text;
    const Model theirs = load(folder.file("theirs.xml"));
    const Model ours = load(folder.file("ours.xml"));
    ASSERT_TRUE(theirs && ours);
    ASSERT_EQ(theirs->nv, static_cast<int>(all.size()));
    ASSERT_EQ(ours->nv, theirs->nv);
    const std::vector<double> of_theirs = forces(theirs);
    const std::vector<double> of_ours = forces(ours);
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (mjVERSION_HEADER < 300 && clears_bias(outer + " | " + all[i])) continue;
      const int k = find(*ours, mjOBJ_JOINT, ours->njnt, "j" + std::to_string(i));
      ASSERT_GE(k, 0) << i;
      const double expected = of_theirs[i];
      EXPECT_NEAR(of_ours[static_cast<std::size_t>(ours->jnt_dofadr[k])], expected,
                  1e-5 * std::max(1.0, std::abs(expected)))
          << all[i];
    }
  };
  for (const std::string& outer : servos) compare(outer, servos);
  for (const std::string& outer : muscles) compare(outer, muscles);
}

// What is no quaternion comes before one, whatever says it.
TEST(MuJoCoImport, TurnsByTheOrientationThatCounts) {
  const Folder folder;
  std::string classes;
  std::string bodies;
  const std::vector<std::string> ways = {"quat='0.9 0.1 0.2 -0.3'", "euler='30 20 10'",
                                         "axisangle='1 2 3 40'",    "zaxis='1 2 -2'",
                                         "xyaxes='0 1 0.5 -1 0 0'", ""};
  int count = 0;
  for (const std::string& around : ways) {
    for (const std::string& own : ways) {
      // Where a class and an element both turn without a quaternion, versions of MuJoCo differ.
      const auto turns = [](const std::string& way) { return !way.empty() && way[0] != 'q'; };
      if (turns(around) && turns(own)) continue;
      const std::string i = std::to_string(count++);
      classes += "<default class='c" + i + "'><geom " + around + "/></default>";
      bodies += "<body><joint type='slide'/><geom name='g" + i + "' class='c" + i +
                "' type='box' size='1 2 3' " + own + "/></body>";
    }
  }
  const std::string text =
      "<mujoco><default>" + classes + "</default><worldbody>" + bodies + "</worldbody></mujoco>";
  std::ofstream(folder.file("theirs.xml")) << text;
  std::ofstream(folder.file("ours.xml")) << written(test::RobotModel(text).model).text;
  const Model theirs = load(folder.file("theirs.xml"));
  const Model ours = load(folder.file("ours.xml"));
  ASSERT_TRUE(theirs && ours);
  ASSERT_EQ(theirs->ngeom, count);
  EXPECT_GT(count, 15);
  const auto placed = [](const Model& m) {
    std::unique_ptr<mjData, void (*)(mjData*)> data(mj_makeData(m.get()), mj_deleteData);
    mj_kinematics(m.get(), data.get());
    return data;
  };
  const auto at_theirs = placed(theirs);
  const auto at_ours = placed(ours);
  for (int i = 0; i < count; ++i) {
    const int k = find(*ours, mjOBJ_GEOM, ours->ngeom, "g" + std::to_string(i));
    ASSERT_GE(k, 0) << i;
    for (int j = 0; j < 9; ++j) {
      EXPECT_NEAR(at_ours->geom_xmat[9 * k + j], at_theirs->geom_xmat[9 * i + j], 1e-6) << i;
    }
  }
}

// A corner of a room: it encloses 5, and the pyramids to its middle hold more.
TEST(MuJoCoImport, WeighsMeshesAsItIsAskedTo) {
  const std::string corner =
      "vertex='0 0 0 3 0 0 3 1 0 1 1 0 1 3 0 0 3 0 0 0 1 3 0 1 3 1 1 1 1 1 1 3 1 0 3 1' "
      "face='0 3 1 1 3 2 0 4 3 0 5 4 6 7 9 7 8 9 6 9 10 6 10 11 0 1 7 0 7 6 1 2 8 1 8 7 2 3 9 2 9 "
      "8 3 4 10 3 10 9 4 5 11 4 11 10 5 0 6 5 6 11'";
  std::vector<double> masses;
  for (const std::string exact : {"false", "true"}) {
    const std::string text = "<mujoco><compiler exactmeshinertia='" + exact +
                             "'/><asset><mesh name='m' " + corner +
                             "/></asset><worldbody><body name='b'><freejoint/><geom type='mesh' "
                             "mesh='m' density='10'/></body></worldbody></mujoco>";
    SCOPED_TRACE(exact);
    const Folder folder;
    std::ofstream(folder.file("theirs.xml")) << text;
    std::ofstream(folder.file("ours.xml")) << written(test::RobotModel(text).model).text;
    const Model theirs = load(folder.file("theirs.xml"));
    const Model ours = load(folder.file("ours.xml"));
    ASSERT_TRUE(theirs && ours);
    masses.push_back(ours->body_mass[1]);
    // Before MuJoCo 3 the mass of what is not exact is that of a box with the same moments.
    if (exact == "true" || mjVERSION_HEADER >= 300) {
      EXPECT_NEAR(ours->body_mass[1], theirs->body_mass[1], 1e-5 * theirs->body_mass[1]);
    }
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR(ours->body_ipos[3 + i], theirs->body_ipos[3 + i], 1e-5);
      EXPECT_NEAR(ours->body_inertia[3 + i] / ours->body_mass[1],
                  theirs->body_inertia[3 + i] / theirs->body_mass[1], 1e-5);
    }
  }
  EXPECT_NEAR(masses[1], 50.0, 1e-4);
  EXPECT_NEAR(masses[0], 53.22547509, 1e-4);
}

// A room that hangs on nothing, with a floor and a wall: what falls rests on the one.
TEST(MuJoCoImport, KeepsTheFloorOfABodyThatStands) {
  const std::string plane = "<geom type='plane' size='5 5 0.1' pos='0 0 1'/>";
  const std::string wall = "<geom type='box' size='0.1 5 1' pos='3 0 1'/>";
  const std::string ball =
      "<body name='ball' pos='0 0 0.5'><freejoint/><geom name='g' size='0.1'/></body>";
  for (const std::string& room : {plane + wall, "<body name='floor'>" + plane + "</body>" + wall}) {
    const std::string text = "<mujoco><worldbody><body name='room' pos='0 0 -1'>" + room +
                             "</body>" + ball + "</worldbody></mujoco>";
    const Folder folder;
    const test::RobotModel robot(text);
    EXPECT_TRUE(robot.found.empty()) << robot.found.front().message;
    std::ofstream(folder.file("ours.xml")) << written(robot.model).text;
    const Model model = load(folder.file("ours.xml"));
    ASSERT_TRUE(model);
    std::unique_ptr<mjData, void (*)(mjData*)> data(mj_makeData(model.get()), mj_deleteData);
    while (data->time < 2.0) mj_step(model.get(), data.get());
    const int geom = find(*model, mjOBJ_GEOM, model->ngeom, "g");
    ASSERT_GE(geom, 0);
    EXPECT_NEAR(data->geom_xpos[3 * geom + 2], 0.1, 0.01);
  }
}

// What a room does not meet falls through its floor.
TEST(MuJoCoImport, LetsThroughWhatAFloorExcludes) {
  const test::RobotModel robot(
      "<mujoco><worldbody><body name='room'><geom type='plane' size='5 5 0.1'/><geom type='box' "
      "size='0.1 5 1' pos='3 0 1'/></body><body name='a' pos='0 0 0.5'><freejoint/><geom name='ga' "
      "size='0.1'/></body><body name='b' pos='1 0 0.5'><freejoint/><geom name='gb' size='0.1'/>"
      "</body></worldbody><contact><exclude body1='room' body2='a'/></contact></mujoco>");
  const Folder folder;
  std::ofstream(folder.file("ours.xml")) << written(robot.model).text;
  const Model model = load(folder.file("ours.xml"));
  ASSERT_TRUE(model);
  std::unique_ptr<mjData, void (*)(mjData*)> data(mj_makeData(model.get()), mj_deleteData);
  while (data->time < 1.0) mj_step(model.get(), data.get());
  const int a = find(*model, mjOBJ_GEOM, model->ngeom, "ga");
  const int b = find(*model, mjOBJ_GEOM, model->ngeom, "gb");
  ASSERT_TRUE(a >= 0 && b >= 0);
  EXPECT_LT(data->geom_xpos[3 * a + 2], -1.0);
  EXPECT_GT(data->geom_xpos[3 * b + 2], 0.0);
}

TEST(MuJoCoImport, SolvesFrictionAsItIsToldTo) {
  const std::string text =
      "<mujoco><option cone='elliptic' impratio='50' noslip_iterations='3'/><worldbody><body>"
      "<freejoint/><geom size='0.1'/></body></worldbody></mujoco>";
  const Folder folder;
  std::ofstream(folder.file("ours.xml")) << written(test::RobotModel(text).model).text;
  const Model model = load(folder.file("ours.xml"));
  ASSERT_TRUE(model);
  EXPECT_EQ(model->opt.cone, mjCONE_ELLIPTIC);
  EXPECT_EQ(model->opt.impratio, 50.0);
  EXPECT_EQ(model->opt.noslip_iterations, 3);
}

// MuJoCo 2.2 saves six digits of each number, so these are files whose numbers need no more.
TEST(MuJoCoSaves, WhatIsImportedAsTheSameRobot) {
  const Folder folder;
  for (const char* name : {"pendulum.xml", "actuators.xml", "loops.xml"}) {
    SCOPED_TRACE(name);
    const test::RobotModel robot = test::robot_file(name);
    std::ofstream(folder.file("ours.xml")) << written(robot.model).text;
    const Model model = load(folder.file("ours.xml"));
    ASSERT_TRUE(model);
    char error[1000] = "";
    ASSERT_TRUE(mj_saveLastXML(folder.file("saved.xml").c_str(), model.get(), error, sizeof error))
        << error;
    const std::string saved = test::file_text(folder.file("saved.xml"));
    const test::RobotModel again(saved);
    EXPECT_EQ(test::ModelDifferences(robot.model, again.model).text, "") << saved;
  }
}

}  // namespace
}  // namespace sinew::import_test
