// SPDX-License-Identifier: Apache-2.0
// What vendors write next to the standard schemas: every row of the table that lands somewhere is
// read from a stage, and turned into SI units.
#include "sinew/physics/dialects.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "physics/read_scene.hpp"
#include "sinew/physics/pair_filter.hpp"
#include "sinew/physics/read/read_dialects.hpp"
#include "sinew/usda/parser.hpp"
#include "support/codes.hpp"

namespace sinew::physics::dialects_test {
namespace {

using test::prim;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

ReadOptions with_dialects() {
  ReadOptions options;
  options.dialects = all_dialects();
  return options;
}

PhysicsModel read(const std::string& text, Diagnostics& diagnostics) {
  return test::read("(metersPerUnit = 0.01\nkilogramsPerUnit = 1)\n" + text, diagnostics,
                    Rules::documented, with_dialects());
}

const std::string kBodies =
    prim("Xform", "a", "RigidBody", "") + prim("Xform", "b", "RigidBody", "");

std::string joint(const std::string& type, const std::string& name, const std::string& more,
                  const std::string& apis = "") {
  return "def Physics" + type + "Joint \"" + name + "\" (apiSchemas = [" + apis +
         "]) {\nrel physics:body0 = </a>\nrel physics:body1 = </b>\n" + more + "\n}\n";
}

TEST(Dialects, TableNamesEveryAttributeOnceAndFindsIt) {
  std::set<std::string_view> names;
  Dialect last = Dialect::newton;
  for (const DialectAttribute& row : dialect_attributes()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_GE(row.dialect, last);
    last = row.dialect;
    EXPECT_FALSE(row.meaning.empty());
    const bool is_only_counted = row.lands.empty();
    EXPECT_FALSE(is_only_counted && (row.wins || row.radians)) << row.name;
    EXPECT_EQ(row.lands.field.empty(), is_only_counted) << row.name;
    std::string example(row.name);
    if (const std::size_t star = example.find('*'); star != std::string::npos) {
      example.replace(star, 1, "rotX");
    }
    EXPECT_EQ(dialect_of(example), row.dialect) << example;
    const DialectAttribute* found = find_dialect_attribute(example);
    ASSERT_NE(found, nullptr) << example;
    EXPECT_EQ(found->name, row.name);
  }
  EXPECT_EQ(find_dialect_attribute("physics:mass"), nullptr);
  EXPECT_EQ(find_dialect_attribute("mjc:nonsense"), nullptr);
  EXPECT_THAT(all_dialects(), SizeIs(5));
  for (const Dialect dialect : all_dialects()) {
    EXPECT_EQ(parse_dialect(to_string(dialect)), dialect);
  }
  EXPECT_EQ(parse_dialect("bullet"), std::nullopt);
}

// Every row of a degree of freedom: authored as 3 (in the file's unit), read back in SI.
TEST(Dialects, EveryRowOfADegreeOfFreedomLandsInItsField) {
  const double degree = std::numbers::pi / 180.0;
  const double area = 1e-4;  // Square centimetres.
  for (const DialectAttribute& row : dialect_attributes()) {
    if (row.lands.extras != "DofExtras") continue;
    SCOPED_TRACE(row.name);
    std::string name(row.name);
    const std::size_t star = name.find('*');
    if (star != std::string::npos) name.replace(star, 1, "angular");
    Diagnostics diagnostics;
    const PhysicsModel model =
        read(kBodies + joint("Revolute", "j", "float " + name + " = 3"), diagnostics);
    ASSERT_EQ(model.joint_extras.size(), 1U);
    const PhysicsModel si = model.to_si();
    const DofExtras* extras = si.joint_extras[0].find(JointDof::distance);
    ASSERT_NE(extras, nullptr);
    const double gain = row.radians ? 3.0 * area : 3.0 * area / degree;
    const std::string_view field = row.lands.field;
    const auto expect = [&](const std::optional<float>& value, double expected) {
      ASSERT_TRUE(value);
      EXPECT_NEAR(static_cast<double>(*value), expected, 1e-6 * expected);
    };
    if (field == "start") expect(extras->start, 3.0 * degree);
    if (field == "start_velocity") expect(extras->start_velocity, 3.0 * degree);
    if (field == "velocity_limit") expect(extras->velocity_limit, 3.0 * degree);
    if (field == "spring_rest") expect(extras->spring_rest, 3.0 * degree);
    if (field == "armature") expect(extras->armature, 3.0 * area);
    if (field == "friction") expect(extras->friction, 3.0 * area);
    if (field == "damping") expect(extras->damping, gain);
    if (field == "stiffness") expect(extras->stiffness, gain);
    if (field == "limit_stiffness") expect(extras->limit_stiffness, gain);
    if (field == "limit_damping") expect(extras->limit_damping, gain);
  }
}

TEST(Dialects, NothingIsReadThatIsNotAskedFor) {
  Diagnostics diagnostics;
  const PhysicsModel model =
      test::read(kBodies + joint("Revolute", "j", "float mjc:armature = 3\nfloat mjc:nonsense = 1"),
                 diagnostics, Rules::documented);
  EXPECT_TRUE(model.joint_extras.empty());
  for (const Diagnostic& d : diagnostics) EXPECT_FALSE(d.code.starts_with("dialect-"));
}

TEST(Dialects, TheFirstOfTheListWins) {
  const std::string text = kBodies + joint("Revolute", "j",
                                           "float newton:armature = 1\nfloat mjc:armature = 2\n"
                                           "float physxJoint:armature = 3");
  const auto armature = [&](std::vector<Dialect> dialects) {
    ReadOptions options;
    options.dialects = std::move(dialects);
    return *test::read(text, Rules::documented, options).joint_extras[0].dofs[0].armature;
  };
  EXPECT_EQ(armature({Dialect::newton, Dialect::mjc, Dialect::physx}), 1.0F);
  EXPECT_EQ(armature({Dialect::mjc, Dialect::newton}), 2.0F);
  EXPECT_EQ(armature({Dialect::physx}), 3.0F);
}

TEST(Dialects, SentinelsAreNotGiven) {
  Diagnostics diagnostics;
  const PhysicsModel model =
      read(kBodies + joint("Revolute", "j",
                           "float newton:limitStiffness = -inf\nfloat mjc:damping = nan"),
           diagnostics);
  for (const DofExtras& dof : model.joint_extras[0].dofs) {
    EXPECT_FALSE(dof.limit_stiffness);
    EXPECT_FALSE(dof.damping);
  }
}

TEST(Dialects, BodiesShapesMaterialsAndScenes) {
  Diagnostics diagnostics;
  const PhysicsModel model =
      read(prim("Xform", "a", "RigidBody",
                "float physxRigidBody:angularDamping = 0.5\nfloat physxRigidBody:linearDamping = "
                "0.25\nbool physxRigidBody:disableGravity = 1\n"
                "float[] newton:inertia = [1, 2, 3, 0.1, 0.2, 0.3]") +
               prim("Xform", "b", "RigidBody", "bool newton:gravityEnabled = 1") +
               prim("Sphere", "s", "Collision",
                    "float physxCollision:contactOffset = 3\nfloat physxCollision:restOffset = "
                    "1\nint physxConvexHullCollision:hullVertexLimit = 32\n"
                    "float mjc:torsionalfriction = 0.5\nfloat newton:rollingFriction = 0.125") +
               prim("Sphere", "t", "Collision",
                    "float newton:contactMargin = 2\nfloat newton:contactGap = 4\n"
                    "int newton:maxHullVertices = 8") +
               "def Sphere \"u\" (apiSchemas = [\"PhysicsCollisionAPI\", \"MjcSiteAPI\"]) {}\n" +
               prim("Material", "m", "Material",
                    "uniform token physxMaterial:frictionCombineMode = \"min\"\n"
                    "uniform token physxMaterial:restitutionCombineMode = \"max\"") +
               "def PhysicsScene \"S\" {\nint newton:timeStepsPerSecond = 500\n}\n",
           diagnostics)
          .to_si();
  EXPECT_EQ(model.body_extras[0].angular_damping, 0.5F);
  EXPECT_EQ(model.body_extras[0].linear_damping, 0.25F);
  EXPECT_EQ(model.body_extras[0].gravity_scale, 0.0F);
  ASSERT_TRUE(model.body_extras[0].inertia);
  EXPECT_NEAR((*model.body_extras[0].inertia)[5], 0.3e-4F, 1e-9F);
  EXPECT_EQ(model.body_extras[1].gravity_scale, 1.0F);
  EXPECT_NEAR(*model.shape_extras[0].margin, 0.01F, 1e-7F);
  EXPECT_NEAR(*model.shape_extras[0].gap, 0.02F, 1e-7F);
  EXPECT_EQ(model.shape_extras[0].max_hull_vertices, 32.0F);
  EXPECT_NEAR(*model.shape_extras[0].torsional_friction, 0.005F, 1e-7F);
  EXPECT_NEAR(*model.shape_extras[0].rolling_friction, 0.00125F, 1e-7F);
  EXPECT_NEAR(*model.shape_extras[1].margin, 0.02F, 1e-7F);
  EXPECT_NEAR(*model.shape_extras[1].gap, 0.04F, 1e-7F);
  EXPECT_EQ(model.shape_extras.size(), 2U) << "a marker is no collider";
  EXPECT_EQ(model.material_extras[0].friction_combine, "min");
  EXPECT_EQ(model.material_extras[0].restitution_combine, "max");
  EXPECT_NEAR(*model.scene_extras[0].time_step, 0.002F, 1e-9F);
}

TEST(Dialects, ArticulationsMayCollideWithThemselvesOrNot) {
  const auto collides = [](const std::string& said) {
    Diagnostics diagnostics;
    const auto body = [](const std::string& name) {
      return prim("Xform", name, "RigidBody", prim("Sphere", "s", "Collision"));
    };
    const PhysicsModel model = read(
        "def Xform \"r\" (apiSchemas = [\"PhysicsArticulationRootAPI\"]) {\n" + said + "\n" +
            body("a") + body("b") + body("c") +
            "def PhysicsRevoluteJoint \"j\" {\nrel physics:body0 = </r/a>\nrel physics:body1 = "
            "</r/b>\n}\ndef PhysicsRevoluteJoint \"k\" {\nrel physics:body0 = </r/b>\nrel "
            "physics:body1 = </r/c>\n}\n}\n",
        diagnostics);
    const PairDecision decision = PairFilter::build(model, diagnostics).decide(0, 2);
    EXPECT_EQ(decision.reason,
              decision.collides ? PairReason::collide : PairReason::self_collision);
    return decision.collides;
  };
  EXPECT_TRUE(collides(""));
  EXPECT_TRUE(collides("bool physxArticulation:enabledSelfCollisions = 1"));
  EXPECT_FALSE(collides("bool physxArticulation:enabledSelfCollisions = 0"));
  EXPECT_FALSE(collides("bool newton:selfCollisionEnabled = 0"));
}

TEST(Dialects, JointsFollowOthersInEveryDialect) {
  const auto read_mimic = [](const std::string& said) {
    Diagnostics diagnostics;
    const PhysicsModel model =
        read(kBodies + joint("Revolute", "leader", "") + joint("Revolute", "j", said), diagnostics)
            .to_si();
    EXPECT_EQ(model.mimics.size(), 1U) << said;
    return model.mimics.empty() ? Mimic{} : model.mimics[0];
  };
  for (const Mimic& mimic :
       {read_mimic("rel newton:mimicJoint = </leader>\nfloat newton:mimicCoef0 = 90\n"
                   "float newton:mimicCoef1 = -2"),
        read_mimic("rel physxMimicJoint:rotX:referenceJoint = </leader>\n"
                   "float physxMimicJoint:rotX:gearing = 2\n"
                   "float physxMimicJoint:rotX:offset = -90\n"
                   "uniform token physxMimicJoint:rotX:referenceJointAxis = \"rotX\""),
        read_mimic("rel mjc:target = </leader>\ndouble mjc:coef0 = 1.5707963267948966\n"
                   "double mjc:coef1 = -2")}) {
    EXPECT_EQ(mimic.leader, 0);
    EXPECT_EQ(mimic.follower, 1);
    EXPECT_NEAR(mimic.ratio, -2.0F, 1e-6F);
    EXPECT_NEAR(mimic.offset, static_cast<float>(std::numbers::pi / 2.0), 1e-5F);
  }
}

TEST(Dialects, BiasesMayBeFewerThanThree) {
  for (const char* given : {"[1]", "[1, 2]", "[1, 2, 3, 4]"}) {
    Diagnostics diagnostics;
    const PhysicsModel model =
        read(kBodies + joint("Revolute", "j", "", "\"MjcJointAPI\"") +
                 "def MjcActuator \"m\" {\nrel mjc:target = </j>\ndouble[] mjc:biasPrm = " + given +
                 "\nuniform token mjc:biasType = \"affine\"\n}\n",
             diagnostics);
    const std::string numbers(given);
    EXPECT_EQ(model.actuators.at(0).bias,
              (std::array<float, 3>{1.0F, numbers.size() > 3 ? 2.0F : 0.0F,
                                    numbers.size() > 6 ? 3.0F : 0.0F}))
        << given;
  }
}

// Of several vendors each measures in its own way, and the first that says a thing wins.
TEST(Dialects, ContactDistancesAreMeasuredAsTheirVendorDoes) {
  const auto read_one = [](const std::string& said) {
    Diagnostics diagnostics;
    return read(prim("Sphere", "s", "Collision", said), diagnostics).to_si().shape_extras.at(0);
  };
  const std::string physx =
      "float physxCollision:contactOffset = 5\nfloat physxCollision:restOffset = 2\n";
  const ShapeExtras both = read_one(physx + "float newton:contactGap = 4");
  EXPECT_NEAR(both.gap.value(), 0.04F, 1e-7F);
  EXPECT_NEAR(both.margin.value(), 0.02F, 1e-7F);
  const ShapeExtras mujoco = read_one("double mjc:margin = 5\ndouble mjc:gap = 2");
  EXPECT_NEAR(mujoco.gap.value(), 0.02F, 1e-7F);
  EXPECT_NEAR(mujoco.margin.value(), 0.03F, 1e-7F);
  EXPECT_NEAR(read_one("double mjc:gap = 2").margin.value(), -0.02F, 1e-7F);
  EXPECT_FALSE(read_one("double mjc:margin = 2").gap);
}

TEST(Dialects, NumbersOfEveryTypeCount) {
  for (const char* type : {"bool", "uchar", "int", "uint", "int64", "uint64", "half", "float",
                           "double", "half[]", "uint[]", "int64[]", "double[]"}) {
    Diagnostics diagnostics;
    const std::string value = std::string(type).ends_with("[]") ? "[1]" : "1";
    const PhysicsModel model =
        read(std::string("def PhysicsScene \"S\" (apiSchemas = [\"PhysxSceneAPI\"]) {\n") + type +
                 " physxScene:timeStepsPerSecond = " + value + "\n}\n",
             diagnostics);
    EXPECT_EQ(model.scene_extras.at(0).time_step, 1.0F) << type;
    EXPECT_EQ(sinew::test::codes_of(diagnostics), "") << type;
  }
}

// What is of another type is told, and does nothing.
TEST(Dialects, ValuesOfAnotherTypeAreTold) {
  const std::string more =
      "def Xform \"b\" (apiSchemas = [\"PhysicsRigidBodyAPI\", \"PhysxRigidBodyAPI\"]) {\n";
  for (const char* value : {"string", "token", "token[]", "asset"}) {
    const std::string text = std::string(value) == "token[]" ? "[\"a\"]"
                             : std::string(value) == "asset" ? "@a@"
                                                             : "\"a\"";
    Diagnostics diagnostics;
    const PhysicsModel model =
        read(more + value + " physxRigidBody:linearDamping = " + text + "\n}\n", diagnostics);
    EXPECT_FALSE(model.body_extras.at(0).linear_damping) << value;
    EXPECT_EQ(sinew::test::codes_of(diagnostics), "dialect-value /b.physxRigidBody:linearDamping;")
        << value;
  }
  for (const char* value : {"None", "[]", "-inf", "nan"}) {
    Diagnostics diagnostics;
    const std::string type = *value == '[' ? "float[]" : "float";
    read(more + type + " physxRigidBody:linearDamping = " + value + "\n}\n", diagnostics);
    EXPECT_EQ(sinew::test::codes_of(diagnostics), "") << value;
  }
}

TEST(Dialects, ActuatorsOfMuJoCo) {
  Diagnostics diagnostics;
  const PhysicsModel model =
      read(kBodies + joint("Revolute", "j", "", "\"MjcJointAPI\"") +
               "def MjcActuator \"m\" {\nrel mjc:target = </j>\ndouble[] mjc:gear = [5, 0, 0]\n"
               "double[] mjc:gainPrm = [7]\ndouble[] mjc:biasPrm = [1, 2, 3]\n"
               "uniform token mjc:biasType = \"affine\"\ndouble mjc:ctrlRange:min = -1\n"
               "double mjc:ctrlRange:max = 2\ndouble mjc:forceRange:min = -3\n"
               "double mjc:forceRange:max = 4\n}\n",
           diagnostics);
  ASSERT_EQ(model.actuators.size(), 1U);
  const Actuator& actuator = model.actuators[0];
  EXPECT_EQ(actuator.joint, 0);
  EXPECT_EQ(actuator.gear, 5.0F);
  EXPECT_EQ(actuator.gain, 7.0F);
  EXPECT_EQ(actuator.bias, (std::array<float, 3>{1.0F, 2.0F, 3.0F}));
  EXPECT_EQ(*actuator.control_range, (std::array<float, 2>{-1.0F, 2.0F}));
  EXPECT_EQ(*actuator.force_range, (std::array<float, 2>{-3.0F, 4.0F}));
  EXPECT_TRUE(model.joint_extras[0].stacks);
}

/// What is read of an actuator that says `said`: none if it is left out.
std::vector<Actuator> actuators(const std::string& said, Diagnostics& diagnostics) {
  return read(kBodies + joint("Revolute", "j", "") +
                  "def MjcActuator \"m\" {\nrel mjc:target = </j>\n" + said + "\n}\n",
              diagnostics)
      .actuators;
}

/// The actuator that says `said`, which is read without complaint.
Actuator sound_actuator(const std::string& said) {
  Diagnostics diagnostics;
  const std::vector<Actuator> read = actuators(said, diagnostics);
  EXPECT_EQ(sinew::test::codes_of(diagnostics), "") << said;
  return read.at(0);
}

TEST(Dialects, ActivationsAndGainsOfActuatorsOfMuJoCo) {
  const auto actuator = [](const std::string& said) {
    return sound_actuator(
        "double[] mjc:gainPrm = [7, 8, 9]\ndouble[] mjc:dynPrm = [0.5, 1]\n"
        "double mjc:actRange:min = -1\ndouble mjc:actRange:max = 2\n" +
        said);
  };
  const Actuator plain = actuator("");
  EXPECT_EQ(plain.dynamics, ActuatorDynamics::none);
  EXPECT_EQ(plain.gain_slopes, (std::array<float, 2>{0.0F, 0.0F}));
  EXPECT_FALSE(plain.activation_range);
  EXPECT_FALSE(plain.acts_early);
  const Actuator affine = actuator("uniform token mjc:gainType = \"affine\"");
  EXPECT_EQ(affine.gain, 7.0F);
  EXPECT_EQ(affine.gain_slopes, (std::array<float, 2>{8.0F, 9.0F}));
  const Actuator filter = actuator("uniform token mjc:dynType = \"filter\"\nbool mjc:actEarly = 1");
  EXPECT_EQ(filter.dynamics, ActuatorDynamics::filter);
  EXPECT_EQ(filter.time_constant, 0.5F);
  EXPECT_EQ(*filter.activation_range, (std::array<float, 2>{-1.0F, 2.0F}));
  EXPECT_TRUE(filter.acts_early);
  const Actuator open = actuator(
      "uniform token mjc:dynType = \"integrator\"\nuniform token mjc:actLimited = \"false\"");
  EXPECT_EQ(open.dynamics, ActuatorDynamics::integrator);
  EXPECT_FALSE(open.activation_range);
  for (const ActuatorDynamics dynamics :
       {ActuatorDynamics::none, ActuatorDynamics::integrator, ActuatorDynamics::filter,
        ActuatorDynamics::filter_exact}) {
    EXPECT_EQ(parse_actuator_dynamics(to_string(dynamics)), dynamics);
  }
  EXPECT_FALSE(parse_actuator_dynamics("user"));
}

TEST(Dialects, MusclesOfMuJoCoKeepTheirWordsAndNumbers) {
  const Actuator muscle = sound_actuator(
      "uniform token mjc:gainType = \"muscle\"\nuniform token mjc:biasType = \"muscle\"\n"
      "uniform token mjc:dynType = \"muscle\"\ndouble[] mjc:gainPrm = [0.75, 1.05, -1, 200]\n"
      "double[] mjc:dynPrm = [0.02, 0.06]\ndouble[] mjc:biasPrm = [1, 2, nan, 4]\n"
      "double mjc:lengthRange:min = -1\ndouble mjc:lengthRange:max = 2");
  ASSERT_TRUE(muscle.law);
  EXPECT_EQ(muscle.law->gain_type, "muscle");
  EXPECT_EQ(muscle.law->bias_type, "muscle");
  EXPECT_EQ(muscle.law->dynamics_type, "muscle");
  EXPECT_EQ(muscle.law->gain, (std::vector<double>{0.75, 1.05, -1.0, 200.0}));
  EXPECT_EQ(muscle.law->bias, (std::vector<double>{1.0, 2.0}));  // What is finite.
  EXPECT_EQ(muscle.law->dynamics, (std::vector<double>{0.02, 0.06}));
  EXPECT_EQ(*muscle.length_range, (std::array<float, 2>{-1.0F, 2.0F}));
  EXPECT_TRUE(muscle.has_activation());
  EXPECT_FALSE(muscle.has_constant_gain());
  const Actuator own = sound_actuator("uniform token mjc:gainType = \"user\"");
  ASSERT_TRUE(own.law);
  EXPECT_EQ(own.law->dynamics_type, "none");
  EXPECT_TRUE(own.law->gain.empty());
  EXPECT_FALSE(own.has_activation());
  EXPECT_FALSE(sound_actuator("uniform token mjc:gainType = \"affine\"").law);
  const Actuator long_one = sound_actuator(
      "uniform token mjc:gainType = \"user\"\n"
      "double[] mjc:gainPrm = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]");
  EXPECT_EQ(long_one.law->gain.size(), 10U);
}

TEST(Dialects, MergesWhatIsSaidOfOneFreedomWithWhatIsSaidOfTheJoint) {
  JointExtras extras;
  extras.dofs.resize(2);
  extras.dofs[0].dof = JointDof::distance;
  extras.dofs[0].armature = 0.5F;
  extras.dofs[0].damping = 1.0F;
  extras.dofs[1].dof = JointDof::rot_z;
  extras.dofs[1].start = 0.0F;
  extras.dofs[1].damping = 2.0F;
  const DofExtras turn = extras.of(JointDof::rot_z);
  EXPECT_EQ(turn.dof, JointDof::rot_z);
  EXPECT_EQ(turn.armature, 0.5F);
  EXPECT_EQ(turn.damping, 2.0F);
  EXPECT_EQ(turn.start, 0.0F);
  EXPECT_FALSE(extras.of(JointDof::rot_x).start);
  EXPECT_EQ(extras.of(JointDof::rot_x).damping, 1.0F);
  PhysicsModel model;
  EXPECT_FALSE(model.dof_extras(0, JointDof::rot_x).damping);
  model.joint_extras.push_back(extras);
  EXPECT_EQ(model.dof_extras(0, JointDof::rot_x).damping, 1.0F);
  EXPECT_FALSE(model.dof_extras(kNone, JointDof::rot_x).damping);
}

// By the schema of MuJoCo the prim is the joint that follows, not a constraint beside it.
TEST(Dialects, AnEqualityOfJointsIsTheJointThatFollows) {
  const auto read_joint = [](const std::string& apis, const std::string& said,
                             Diagnostics& diagnostics) {
    return read(kBodies + joint("Revolute", "leader", "") + joint("Revolute", "j", said, apis),
                diagnostics);
  };
  Diagnostics diagnostics;
  const std::string both = "\"MjcEqualityJointAPI\", \"NewtonMimicAPI\"";
  PhysicsModel model =
      read_joint(both, "rel newton:mimicJoint = </leader>\ndouble mjc:coef1 = 2", diagnostics);
  EXPECT_FALSE(model.joint_extras[1].is_equality);
  ASSERT_EQ(model.mimics.size(), 1U);
  EXPECT_EQ(model.mimics[0].leader, 0);
  EXPECT_EQ(model.mimics[0].ratio, 2.0F);
  EXPECT_THAT(sinew::test::codes_of(diagnostics), Not(HasSubstr("dialect-mimic")));
  // The first vendor that says something wins; higher powers are told.
  model = read_joint(both,
                     "rel newton:mimicJoint = </leader>\nfloat newton:mimicCoef1 = 5\n"
                     "double mjc:coef1 = 2\ndouble mjc:coef2 = 3",
                     diagnostics);
  EXPECT_EQ(model.mimics.at(0).ratio, 5.0F);
  EXPECT_THAT(sinew::test::codes_of(diagnostics), HasSubstr("dialect-mimic"));
  for (const char* const api : {"\"MjcEqualityConnectAPI\"", "\"MjcEqualityWeldAPI\""}) {
    EXPECT_TRUE(read_joint(api, "", diagnostics).joint_extras[1].is_equality);
  }
  model = read_joint(both, "rel newton:mimicJoint = </leader>\nbool newton:mimicEnabled = 0",
                     diagnostics);
  EXPECT_TRUE(model.mimics.empty());
}

TEST(Dialects, ActuatorsOfKindsThatAreNotReadAreLeftOutAndTold) {
  for (const char* const said :
       {"uniform token mjc:dynType = \"plugin\"", "uniform token mjc:gainType = \"none\"",
        "uniform token mjc:biasType = \"fixed\""}) {
    Diagnostics diagnostics;
    EXPECT_TRUE(actuators(said, diagnostics).empty()) << said;
    EXPECT_THAT(sinew::test::codes_of(diagnostics), HasSubstr("dialect-actuator")) << said;
  }
  Diagnostics diagnostics;
  const std::string ranges =
      "double mjc:ctrlRange:min = -1\ndouble mjc:ctrlRange:max = 1\n"
      "double mjc:forceRange:min = -1\ndouble mjc:forceRange:max = 1\n";
  const auto limited = actuators(ranges, diagnostics);
  ASSERT_EQ(limited.size(), 1U);
  EXPECT_TRUE(limited[0].control_range && limited[0].force_range);
  const auto open = actuators(ranges +
                                  "uniform token mjc:ctrlLimited = \"false\"\n"
                                  "uniform token mjc:forceLimited = \"false\"",
                              diagnostics);
  ASSERT_EQ(open.size(), 1U);
  EXPECT_FALSE(open[0].control_range);
  EXPECT_FALSE(open[0].force_range);
  EXPECT_THAT(sinew::test::codes_of(diagnostics), Not(HasSubstr("dialect-actuator")));
}

TEST(Dialects, CollidersHaveTheFrictionsOfTheirMaterial) {
  Diagnostics diagnostics;
  const std::string bound = "rel material:binding:physics = </m>\n";
  const PhysicsModel model =
      read(prim("Material", "m", "Material",
                "double mjc:torsionalfriction = 10\nfloat newton:rollingFriction = 20") +
               prim("Sphere", "s", "Collision", bound) +
               prim("Sphere", "t", "Collision", bound + "float newton:rollingFriction = 5"),
           diagnostics)
          .to_si();
  ASSERT_EQ(model.shape_extras.size(), 2U);
  EXPECT_NEAR(*model.material_extras.at(0).torsional_friction, 0.1F, 1e-7F);
  EXPECT_NEAR(*model.shape_extras[0].torsional_friction, 0.1F, 1e-7F);
  EXPECT_NEAR(*model.shape_extras[0].rolling_friction, 0.2F, 1e-7F);
  EXPECT_NEAR(*model.shape_extras[1].rolling_friction, 0.05F, 1e-7F);
}

TEST(Dialects, AScenePutsItsGravityOut) {
  const auto magnitude = [](const std::string& said) {
    Diagnostics diagnostics;
    return read("def PhysicsScene \"S\" {\n" + said + "\n}\n", diagnostics)
        .scenes.at(0)
        .gravity_magnitude;
  };
  EXPECT_GT(magnitude("bool newton:gravityEnabled = 1"), 0.0F);
  EXPECT_EQ(magnitude("bool newton:gravityEnabled = 0"), 0.0F);
}

TEST(Dialects, ArticulationsSayThatTheirJointsStack) {
  const auto stacks = [](const std::string& said) {
    Diagnostics diagnostics;
    const PhysicsModel model =
        read("def Xform \"r\" (apiSchemas = [\"PhysicsArticulationRootAPI\"]) {\n" + said + "\n" +
                 prim("Xform", "a", "RigidBody") + prim("Xform", "b", "RigidBody") +
                 "def PhysicsRevoluteJoint \"j\" {\nrel physics:body0 = </r/a>\nrel "
                 "physics:body1 = </r/b>\n}\n}\n",
             diagnostics);
    return model.joint_extras[0].stacks;
  };
  EXPECT_FALSE(stacks(""));
  EXPECT_FALSE(stacks("bool newton:jointsAddMobility = 0"));
  EXPECT_TRUE(stacks("bool newton:jointsAddMobility = 1"));
}

TEST(Dialects, CountsWhatALayerMentions) {
  Diagnostics diagnostics;
  const auto layer = usda::parse(
      "#usda 1.0\ndef Xform \"a\" {\nfloat mjc:armature = 1\nfloat mjc:nonsense = 1\n"
      "float state:angular:physics:position = 1\n}\nover \"b\" {\nfloat mjc:armature = 2\n}\n",
      "a.usda", diagnostics);
  ASSERT_TRUE(layer);
  std::vector<std::string> counts;
  for (const DialectCount& entry : count_dialects(**layer)) {
    counts.push_back(entry.name + " " + std::to_string(entry.count) +
                     (entry.is_known ? "" : " unknown"));
  }
  EXPECT_THAT(counts, ::testing::ElementsAre("mjc:armature 2", "mjc:nonsense 1 unknown",
                                             "state:*:physics:position 1"));
}

TEST(Dialects, TellsWhatItCannotRead) {
  Diagnostics diagnostics;
  read(kBodies +
           joint("Revolute", "j",
                 "float mjc:armatur = 1\nfloat mjc:ref = 5\n"
                 "float physxLimit:X:stiffness = 1\nfloat newton:mimicCoef1 = 1") +
           "def Xform \"t\" {\nfloat physxTendon:t:gearing = 1\n}\n",
       diagnostics);
  std::vector<std::string> codes;
  std::string hints;
  for (const Diagnostic& d : diagnostics) {
    codes.push_back(d.code + " " + d.path);
    hints += d.hint;
  }
  EXPECT_THAT(codes, Contains("dialect-unknown-attribute /j"));
  EXPECT_THAT(hints, HasSubstr("mjc:armature"));
  EXPECT_THAT(codes, Contains("dialect-ref-offset /j"));
  EXPECT_THAT(codes, Contains("dialect-value /j"));
  EXPECT_THAT(codes, Contains("dialect-mimic /j"));
  EXPECT_THAT(codes, Contains("dialect-tendon /t"));
  EXPECT_THAT(codes, Contains("dialect-schema-missing /j"));
}

// What is said on one prim of a scene that has one of each kind.
PhysicsModel said_on(const std::string& kind, const std::string& said) {
  const auto content = [&](const char* of) { return kind == of ? said + "\n" : std::string(); };
  const auto hinge = [](const std::string& name, const std::string& more) {
    return "def PhysicsRevoluteJoint \"" + name +
           "\" {\nrel physics:body0 = </r/a>\nrel physics:body1 = </r/b>\n" + more + "}\n";
  };
  Diagnostics diagnostics;
  return read("def PhysicsScene \"scene\" {\n" + content("scene") + "}\n" +
                  "def Xform \"plain\" {\n" + content("plain") + "}\n" +
                  prim("Material", "material", "Material", content("material")) +
                  prim("Sphere", "shape", "Collision", content("shape")) +
                  "def Sphere \"site\" (apiSchemas = [\"MjcSiteAPI\"]) {\n" + content("site") +
                  "}\ndef Xform \"r\" (apiSchemas = [\"PhysicsArticulationRootAPI\"]) {\n" +
                  content("articulation") + prim("Xform", "a", "RigidBody", content("body")) +
                  prim("Xform", "b", "RigidBody") + hinge("j", content("joint")) + "}\n",
              diagnostics);
}

// The names of all fields that something is said of.
std::set<std::string> fields_of(const PhysicsModel& model) {
  std::set<std::string> fields;
  const auto add = [&](bool is_said, const char* name) {
    if (is_said) fields.insert(name);
  };
  for (const JointExtras& joint : model.joint_extras) {
    for (const DofExtras& dof : joint.dofs) {
      add(dof.start.has_value(), "dof.start");
      add(dof.start_velocity.has_value(), "dof.start_velocity");
      add(dof.armature.has_value(), "dof.armature");
      add(dof.damping.has_value(), "dof.damping");
      add(dof.stiffness.has_value(), "dof.stiffness");
      add(dof.spring_rest.has_value(), "dof.spring_rest");
      add(dof.friction.has_value(), "dof.friction");
      add(dof.velocity_limit.has_value(), "dof.velocity_limit");
      add(dof.limit_stiffness.has_value(), "dof.limit_stiffness");
      add(dof.limit_damping.has_value(), "dof.limit_damping");
      add(dof.acceleration_limit.has_value(), "dof.acceleration_limit");
      add(dof.jerk_limit.has_value(), "dof.jerk_limit");
      add(dof.order.has_value(), "dof.order");
    }
    add(joint.stacks, "joint.stacks");
    add(joint.torque_scale.has_value(), "joint.torque_scale");
    add(!joint.limit.solref.empty(), "limit.solref");
    add(!joint.limit.solimp.empty(), "limit.solimp");
    add(!joint.equality.solref.empty(), "equality.solref");
    add(!joint.equality.solimp.empty(), "equality.solimp");
  }
  for (const BodyExtras& body : model.body_extras) {
    add(body.gravity_scale.has_value(), "body.gravity_scale");
    add(body.linear_damping.has_value(), "body.linear_damping");
    add(body.angular_damping.has_value(), "body.angular_damping");
    add(body.inertia.has_value(), "body.inertia");
  }
  for (const ShapeExtras& shape : model.shape_extras) {
    add(shape.margin.has_value(), "shape.margin");
    add(shape.gap.has_value(), "shape.gap");
    add(shape.max_hull_vertices.has_value(), "shape.max_hull_vertices");
    add(shape.torsional_friction.has_value(), "shape.torsional_friction");
    add(shape.rolling_friction.has_value(), "shape.rolling_friction");
    add(shape.contact.condim.has_value(), "contact.condim");
    add(shape.contact.group.has_value(), "contact.group");
    add(shape.contact.priority.has_value(), "contact.priority");
    add(shape.contact.solmix.has_value(), "contact.solmix");
    add(!shape.contact.solver.solref.empty(), "contact.solref");
    add(!shape.contact.solver.solimp.empty(), "contact.solimp");
  }
  for (const MaterialExtras& material : model.material_extras) {
    add(!material.friction_combine.empty(), "material.friction_combine");
    add(!material.restitution_combine.empty(), "material.restitution_combine");
    add(material.torsional_friction.has_value(), "material.torsional_friction");
    add(material.rolling_friction.has_value(), "material.rolling_friction");
  }
  for (const SceneExtras& scene : model.scene_extras) {
    add(scene.time_step.has_value(), "scene.time_step");
    add(scene.friction.elliptic.has_value(), "friction.elliptic");
    add(scene.friction.impratio.has_value(), "friction.impratio");
    add(scene.friction.noslip_iterations.has_value(), "friction.noslip_iterations");
  }
  for (const ArticulationExtras& articulation : model.articulation_extras) {
    add(articulation.self_collision.has_value(), "articulation.self_collision");
  }
  for (const Site& site : model.sites) add(site.group != 0, "site.group");
  add(!model.mimics.empty(), "mimics");
  add(!model.actuators.empty(), "actuators");
  add(!model.robots.empty(), "robots");
  return fields;
}

// The fields that a row fills where it is written on a prim of a kind.
std::set<std::string> fields_expected(const DialectAttribute& row, const std::string& kind) {
  const std::string field(row.lands.field);
  const std::string_view extras = row.lands.extras;
  const bool combines = field.ends_with("_combine");
  const bool solves = field == "solref" || field == "solimp";
  if (row.name == "mjc:gap" && kind == "shape") return {"shape.gap", "shape.margin"};
  if (extras == "DofExtras" && kind == "joint") return {"dof." + field};
  if (extras == "BodyExtras" && kind == "body") return {"body." + field};
  if (extras == "ShapeExtras" && kind == "shape") return {"shape." + field};
  if (extras == "SceneExtras" && kind == "scene") return {"scene." + field};
  if (extras == "MjcFriction" && kind == "scene") return {"friction." + field};
  if (extras == "MaterialExtras" && kind == "material") return {"material." + field};
  if (extras == "MaterialExtras" && kind == "shape" && !combines) return {"shape." + field};
  if (extras == "ArticulationExtras" && kind == "articulation") return {"articulation." + field};
  if (field == "stacks" && kind == "articulation") return {"joint.stacks"};
  if (field == "torque_scale" && kind == "joint") return {"joint.torque_scale"};
  if (extras == "MjcSolver" && kind == "joint") return {"limit." + field};
  if (extras == "MjcContact" && kind == "shape") return {"contact." + field};
  if (extras == "MjcContact" && kind == "joint" && solves) return {"equality." + field};
  if (extras == "MjcContact" && kind == "site" && field == "group") return {"site.group"};
  return {};
}

TEST(Dialects, EveryRowCountsOnPrimsOfItsKindAlone) {
  for (const DialectAttribute& row : dialect_attributes()) {
    if (row.dialect == Dialect::apple) continue;
    std::string name(row.name);
    if (const std::size_t star = name.find('*'); star != std::string::npos) {
      name.replace(star, 1, "angular");
    }
    const std::string_view field = row.lands.field;
    const std::string said = field.ends_with("_combine") ? "token " + name + " = \"min\""
                             : field == "elliptic"       ? "token " + name + " = \"elliptic\""
                             : field == "inertia" ? "float[] " + name + " = [1, 2, 3, 4, 5, 6]"
                                                  : "double " + name + " = 3";
    for (const char* kind :
         {"plain", "body", "shape", "material", "scene", "joint", "articulation", "site"}) {
      EXPECT_EQ(fields_of(said_on(kind, said)), fields_expected(row, kind))
          << row.name << " on " << kind;
    }
  }
}

TEST(Dialects, WhatIsNoFigureOfItsKindIsNotGiven) {
  for (const auto& [kind, said] : std::vector<std::pair<std::string, std::string>>{
           {"joint", "float newton:armature = inf"},
           {"joint", "int isaac:physics:angular:DofOffset = -1"},
           {"joint", "int isaac:physics:angular:DofOffset = 1000000000"},
           {"scene", "float newton:timeStepsPerSecond = 0"},
           {"scene", "float mjc:option:timestep = -1"},
           {"scene", "float mjc:option:timestep = inf"},
           {"scene", "token mjc:option:cone = \"round\""},
           {"scene", "double mjc:option:cone = 1"},
           {"scene", "double mjc:option:impratio = 0"},
           {"scene", "double mjc:option:impratio = inf"},
           {"scene", "double mjc:option:impratio = -1"},
           {"scene", "int mjc:option:noslip_iterations = -1"},
           {"scene", "double mjc:option:noslip_iterations = 1.5"},
           {"shape", "float newton:contactMargin = inf"},
           {"shape", "float newton:contactGap = nan"},
           {"shape", "float mjc:torsionalfriction = inf"},
           {"body", "float physxRigidBody:linearDamping = inf"},
           {"body", "float[] newton:inertia = [1, 2, 3, 4, 5]"},
           {"body", "float[] newton:inertia = [1, 2, 3, 4, 5, 6, 7]"},
           {"material", "int physxMaterial:frictionCombineMode = 1"},
           {"articulation", "bool newton:jointsAddMobility = 0"}}) {
    const std::set<std::string> fields = fields_of(said_on(kind, said));
    // A freedom of which something unusable is said is listed, with nothing in it.
    EXPECT_EQ(fields, std::set<std::string>()) << said;
  }
  const auto order = [](const std::string& number) {
    const PhysicsModel model = said_on("joint", "int isaac:physics:angular:DofOffset = " + number);
    return model.joint_extras.at(0).of(JointDof::distance).order;
  };
  EXPECT_EQ(order("0"), 0);
  EXPECT_EQ(order("999999999"), 999999999);
  EXPECT_EQ(said_on("joint", "float newton:limitStiffness = inf")
                .joint_extras.at(0)
                .dofs.at(0)
                .limit_stiffness,
            INFINITY);
  // Of two that say it the first vendor counts.
  const PhysicsModel apart = said_on("articulation",
                                     "bool physxArticulation:enabledSelfCollisions = 1\n"
                                     "bool newton:selfCollisionEnabled = 0");
  EXPECT_EQ(apart.articulation_extras.at(0).self_collision, false);
}

// Of a slide there is no angle to convert, and a freedom that is named is that one.
TEST(Dialects, FiguresOfSlidesAndOfNamedFreedomsAreNotTurned) {
  const auto dof = [](const std::string& type, const std::string& said, JointDof which) {
    Diagnostics diagnostics;
    const PhysicsModel model = read(kBodies + joint(type, "j", said), diagnostics);
    const DofExtras* found = model.joint_extras.at(0).find(which);
    return found != nullptr ? *found : DofExtras{};
  };
  const float degree = static_cast<float>(std::numbers::pi / 180.0);
  EXPECT_EQ(dof("Prismatic", "float mjc:damping = 3", JointDof::distance).damping, 3.0F);
  EXPECT_EQ(dof("Revolute", "float mjc:damping = 3", JointDof::distance).damping, 3.0F * degree);
  for (const auto& [name, which] :
       std::vector<std::pair<std::string, JointDof>>{{"distance", JointDof::distance},
                                                     {"linear", JointDof::distance},
                                                     {"transX", JointDof::trans_x},
                                                     {"transZ", JointDof::trans_z},
                                                     {"rotX", JointDof::rot_x},
                                                     {"rotZ", JointDof::rot_z}}) {
    EXPECT_EQ(dof("", "float state:" + name + ":physics:position = 3", which).start, 3.0F) << name;
  }
  EXPECT_EQ(dof("", "int isaac:physics:Tr_X:DofOffset = 3", JointDof::trans_x).order, 3);
  EXPECT_EQ(dof("Prismatic", "int isaac:physics:Rot_X:DofOffset = 3", JointDof::distance).order, 3);
}

TEST(Dialects, WhatFollowsWhatAndByHowMuch) {
  struct Case {
    std::string leader, follower, said;
    JointDof leader_dof, follower_dof;
    float ratio, offset;
  };
  const JointDof only = JointDof::distance;
  const std::string newton = "rel newton:mimicJoint = </l>\n";
  const auto physx = [](const std::string& of) {
    return "rel physxMimicJoint:" + of + ":referenceJoint = </l>\nfloat physxMimicJoint:" + of +
           ":gearing = 2\nfloat physxMimicJoint:" + of + ":offset = 3\n";
  };
  const std::string axis = "token physxMimicJoint:rotY:referenceJointAxis = \"rotZ\"\n";
  for (const Case& c : std::vector<Case>{
           {"Revolute", "Revolute", newton, only, only, 1, 0},
           {"Prismatic", "Prismatic", newton + "float mjc:coef0 = 3", only, only, 1, 3},
           {"Prismatic", "Prismatic", newton + "float newton:mimicCoef1 = inf", only, only, 1, 0},
           {"Prismatic", "Prismatic", newton + "float newton:mimicCoef0 = nan", only, only, 1, 0},
           {"Revolute", "Revolute", physx("rotX"), only, only, -2, -3},
           {"Revolute", "", physx("rotY") + axis, only, JointDof::rot_y, -2, -3},
           {"", "", physx("rotY") + axis, JointDof::rot_z, JointDof::rot_y, -2, -3},
           {"Prismatic", "", physx("transZ"), only, JointDof::trans_z, -2, -3},
           {"Revolute", "Revolute",
            newton + "rel physxMimicJoint:rotX:referenceJoint = </f>\nbool newton:mimicEnabled = 1",
            only, only, 1, 0}}) {
    Diagnostics diagnostics;
    const PhysicsModel model =
        read(kBodies + joint(c.leader, "l", "") + joint(c.follower, "f", c.said), diagnostics);
    ASSERT_EQ(model.mimics.size(), 1U) << c.said;
    const Mimic& mimic = model.mimics[0];
    EXPECT_EQ(mimic.leader, 0) << c.said;
    EXPECT_EQ(mimic.follower, 1) << c.said;
    EXPECT_EQ(mimic.leader_dof, c.leader_dof) << c.said;
    EXPECT_EQ(mimic.follower_dof, c.follower_dof) << c.said;
    EXPECT_EQ(mimic.ratio, c.ratio) << c.said;
    EXPECT_EQ(mimic.offset, c.offset) << c.said;
  }
  for (const auto& [leader, follower, said] : std::vector<std::array<std::string, 3>>{
           {"Revolute", "Prismatic", newton},
           {"Prismatic", "Revolute", newton},
           {"", "", physx("rotY") + "token physxMimicJoint:rotY:referenceJointAxis = \"transX\""},
           {"Revolute", "Revolute", "rel newton:mimicJoint = </gone>"},
           {"Revolute", "Revolute", "rel newton:mimicJoint"}}) {
    Diagnostics diagnostics;
    const PhysicsModel model =
        read(kBodies + joint(leader, "l", "") + joint(follower, "f", said), diagnostics);
    EXPECT_TRUE(model.mimics.empty()) << said;
    EXPECT_THAT(sinew::test::codes_of(diagnostics), HasSubstr("dialect-mimic /f;")) << said;
  }
}

TEST(Dialects, PatternsOfTheTableMatchWholeElements) {
  EXPECT_EQ(find_dialect_attribute("state:a:b:physics:position"), nullptr);
  EXPECT_EQ(find_dialect_attribute("state::physics:position"), nullptr);
  EXPECT_EQ(find_dialect_attribute("state:angular:physics:positions"), nullptr);
  EXPECT_EQ(find_dialect_attribute("mjc:option:"), nullptr);
  EXPECT_EQ(find_dialect_attribute("mjc:option:a:b")->name, "mjc:option:*");
  EXPECT_EQ(find_dialect_attribute("mjc:option:timestep")->name, "mjc:option:timestep");
  EXPECT_EQ(find_dialect_attribute("isaac:physics:rotX:DofOffset")->name,
            "isaac:physics:*:DofOffset");
  EXPECT_EQ(find_dialect_attribute("isaac:physics:DofOffset")->name, "isaac:*");
  EXPECT_EQ(find_dialect_attribute("isaac:physics:a:b:DofOffset")->name, "isaac:*");
  EXPECT_EQ(to_string(static_cast<Dialect>(99)), "");
  EXPECT_EQ(to_string(static_cast<ActuatorDynamics>(99)), "");
}

// What a layer mentions: "mjc:armature mjc 3;".
std::string counts_of(const std::string& text) {
  Diagnostics diagnostics;
  const auto layer = usda::parse(text, "a.usda", diagnostics);
  if (!layer) return "not read";
  std::string counts;
  for (const DialectCount& entry : count_dialects(**layer)) {
    counts += entry.name + " " + std::string(to_string(entry.dialect)) + " " +
              std::to_string(entry.count) + ";";
  }
  return counts;
}

TEST(Dialects, CountsWhatVariantsMention) {
  EXPECT_EQ(
      counts_of("#usda 1.0\ndef Xform \"a\" (variants = { string v = \"x\" }\n"
                "prepend variantSets = \"v\") {\nfloat mjc:armature = 1\nvariantSet \"v\" = {\n"
                "\"x\" {\nfloat mjc:armature = 2\ndef \"b\" {\nfloat mjc:damping = 1\n}\n}\n"
                "\"y\" {\nfloat mjc:armature = 3\n}\n}\n}\n"),
      "mjc:armature mjc 3;mjc:damping mjc 1;");
}

// --- Both sides of every condition

TEST(Dialects, SuggestsANameOnlyIfOneIsNear) {
  const auto hint = [](const std::string& name) {
    Diagnostics diagnostics;
    read("def Xform \"x\" {\nfloat " + name + " = 1\n}\n", diagnostics);
    EXPECT_EQ(sinew::test::codes_of(diagnostics), "dialect-unknown-attribute /x;") << name;
    return diagnostics.empty() ? std::string("none") : diagnostics[0].hint;
  };
  EXPECT_EQ(hint("mjc:dampin"), "Did you mean 'mjc:damping'?");
  EXPECT_EQ(hint("mjc:dampiiing"), "Did you mean 'mjc:damping'?");
  EXPECT_EQ(hint("mjc:dampiiiing"), "");
  EXPECT_EQ(hint("mjc:quiteOtherwise"), "");
  // Of a long name a fifth of the letters may differ: six of 33.
  EXPECT_EQ(hint("physxMaterial:frictionCombixxxxxx"),
            "Did you mean 'physxMaterial:frictionCombineMode'?");
  EXPECT_EQ(hint("physxMaterial:frictionCombxxxxxxx"), "");
}

TEST(Dialects, WhatIsWrongIsToldOnceForAllPrims) {
  Diagnostics diagnostics;
  read(
      "def Xform \"x\" {\nfloat mjc:quiteOtherwise = 1\n}\n"
      "def Xform \"y\" {\nfloat mjc:quiteOtherwise = 1\nfloat mjc:another = 1\n}\n"
      "def PhysicsScene \"s\" {\nfloat mjc:option:timestep = 1\n}\n"
      "def PhysicsScene \"t\" {\nfloat mjc:option:timestep = 1\n}\n"
      "def PhysicsScene \"u\" (apiSchemas = [\"MjcSceneAPI\"]) {\nfloat mjc:option:gravity = "
      "1\n}\n",
      diagnostics);
  EXPECT_EQ(sinew::test::codes_of(diagnostics),
            "dialect-unknown-attribute /x;dialect-unknown-attribute /y;dialect-schema-missing /s;");
}

TEST(Dialects, OffsetsAndHigherPowersOfZeroAreNotTold) {
  const auto told = [](const std::string& said) {
    Diagnostics diagnostics;
    read(kBodies + joint("Revolute", "l", "") +
             joint("Revolute", "f", "rel mjc:target = </l>\n" + said,
                   "\"MjcJointAPI\", \"MjcEqualityJointAPI\", \"MjcActuator\""),
         diagnostics);
    return sinew::test::codes_of(diagnostics);
  };
  EXPECT_EQ(told("double mjc:ref = 0\ndouble mjc:coef2 = 0\ndouble mjc:coef4 = 0"), "");
  EXPECT_EQ(told("double mjc:ref = 1"), "dialect-ref-offset /f;");
  EXPECT_EQ(told("double mjc:coef4 = -1"), "dialect-mimic /f;");
  EXPECT_EQ(told("double mjc:coef0 = 1"), "");
}

TEST(Dialects, OnlyRangesOfActuatorsMayBeOpen) {
  const Actuator actuator = sound_actuator(
      "double[] mjc:gear = [inf]\ndouble[] mjc:gainPrm = [inf]\ndouble[] mjc:dynPrm = [-inf]\n"
      "uniform token mjc:dynType = \"filter\"\ndouble mjc:ctrlRange:min = -1\n"
      "double mjc:ctrlRange:max = inf\ndouble mjc:forceRange:min = -inf\n"
      "double mjc:forceRange:max = nan\ndouble mjc:actRange:min = -inf\n"
      "double mjc:lengthRange:max = inf");
  const Actuator plain;
  EXPECT_EQ(actuator.gear, plain.gear);
  EXPECT_EQ(actuator.gain, plain.gain);
  EXPECT_EQ(actuator.time_constant, plain.time_constant);
  EXPECT_EQ(*actuator.control_range, (std::array<float, 2>{-1.0F, INFINITY}));
  EXPECT_EQ(*actuator.force_range, (std::array<float, 2>{-INFINITY, 0.0F}));
  EXPECT_EQ(*actuator.activation_range, (std::array<float, 2>{-INFINITY, 0.0F}));
  EXPECT_EQ(*actuator.length_range, (std::array<float, 2>{0.0F, INFINITY}));
}

TEST(Dialects, SlopesOfGainsMayBeFewerThanTwo) {
  for (const auto& [given, first, second] : std::vector<std::tuple<std::string, float, float>>{
           {"[7]", 0.0F, 0.0F}, {"[7, 8]", 8.0F, 0.0F}, {"[7, 8, 9, 10]", 8.0F, 9.0F}}) {
    const Actuator actuator =
        sound_actuator("uniform token mjc:gainType = \"affine\"\ndouble[] mjc:gainPrm = " + given);
    EXPECT_EQ(actuator.gain, 7.0F) << given;
    EXPECT_EQ(actuator.gain_slopes, (std::array<float, 2>{first, second})) << given;
  }
  // A bias counts only where its word says so.
  EXPECT_EQ(sound_actuator("double[] mjc:biasPrm = [1, 2, 3]").bias,
            (std::array<float, 3>{0.0F, 0.0F, 0.0F}));
}

// What one schema of a joint says the next ones do not take back.
TEST(Dialects, EverySchemaOfAJointCounts) {
  const auto extras = [](const std::string& apis) {
    Diagnostics diagnostics;
    return read(kBodies + joint("Revolute", "j", "", apis), diagnostics).joint_extras.at(0);
  };
  for (const char* equality : {"MjcEqualityConnectAPI", "MjcEqualityWeldAPI"}) {
    const std::string quoted = "\"" + std::string(equality) + "\"";
    for (const std::string& apis : {quoted + ", \"MjcJointAPI\"", "\"MjcJointAPI\", " + quoted}) {
      EXPECT_TRUE(extras(apis).is_equality) << apis;
      EXPECT_TRUE(extras(apis).stacks) << apis;
    }
    EXPECT_FALSE(extras(quoted).stacks);
  }
  EXPECT_FALSE(extras("\"MjcJointAPI\"").is_equality);
}

TEST(Dialects, OwnFrictionsOfCollidersGoBeforeThoseOfTheirMaterial) {
  Diagnostics diagnostics;
  const std::string bound = "rel material:binding:physics = </m>\n";
  const PhysicsModel model =
      read(prim("Material", "m", "Material",
                "double mjc:torsionalfriction = 10\nfloat newton:rollingFriction = 20") +
               prim("Sphere", "s", "Collision", bound + "float newton:torsionalFriction = 5") +
               prim("Sphere", "t", "Collision", "float newton:torsionalFriction = 7"),
           diagnostics);
  ASSERT_EQ(model.shape_extras.size(), 2U);
  EXPECT_EQ(model.shape_extras[0].torsional_friction, 5.0F);
  EXPECT_EQ(model.shape_extras[0].rolling_friction, 20.0F);
  EXPECT_EQ(model.shape_extras[1].torsional_friction, 7.0F);
  EXPECT_FALSE(model.shape_extras[1].rolling_friction);
}

TEST(Dialects, CountsNothingOfTheStandard) {
  EXPECT_EQ(counts_of("#usda 1.0\ndef Sphere \"a\" {\ndouble radius = 1\nfloat physics:mass = 1\n"
                      "float mjcx:armature = 1\nfloat preliminary:physics:rigidBody:mass = 1\n"
                      "double physxScene:a = 1\ndouble physxScene:b = 1\n}\n"),
            "physxScene:* physx 2;preliminary:physics:rigidBody:mass apple 1;");
}

// Of two dialects that speak of gravity the first counts.
TEST(Dialects, GravityActsAsTheFirstDialectSays) {
  const auto scale = [](const std::string& said) {
    return said_on("body", said).body_extras.at(0).gravity_scale;
  };
  EXPECT_EQ(scale("bool physxRigidBody:disableGravity = 0"), 1.0F);
  EXPECT_EQ(scale("bool physxRigidBody:disableGravity = 1"), 0.0F);
  EXPECT_EQ(scale("bool newton:gravityEnabled = 0"), 0.0F);
  EXPECT_EQ(scale("bool newton:gravityEnabled = 0\nbool physxRigidBody:disableGravity = 0"), 0.0F);
  EXPECT_EQ(scale(""), std::nullopt);
}

}  // namespace
}  // namespace sinew::physics::dialects_test
