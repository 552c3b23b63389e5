// SPDX-License-Identifier: Apache-2.0
// The JSON forms that the tool and the browser part share: what is written, by a reader of another
// make, and that both forms say the same where they have the same.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "physics/everything_scene.hpp"
#include "sinew/export/json.hpp"
#include "sinew/export/physics_json.hpp"
#include "sinew/physics/read/read_physics.hpp"
#include "sinew/stage/stage.hpp"
#include "support/recorded.hpp"

namespace sinew::exporter::json_test {
namespace {

using Json = nlohmann::ordered_json;

stage::StagePtr open(const std::string& text, Rules rules = Rules::documented) {
  stage::MemoryResolver resolver;
  resolver.add("root.usda", "#usda 1.0\n" + text);
  stage::OpenOptions options;
  options.resolver = &resolver;
  options.rules = rules;
  Diagnostics diagnostics;
  auto stage = stage::Stage::open("root.usda", diagnostics, options);
  EXPECT_TRUE(stage && count(diagnostics, Severity::error) == 0);
  return stage ? *std::move(stage) : nullptr;
}

std::string value_text(const layer::Value& value) {
  JsonWriter json;
  write_value_json(json, value);
  return json.take();
}

TEST(JsonWriter, WritesEachKindOfValue) {
  JsonWriter json;
  json.begin_object();
  json.member("text", "a\"b\\c\n");
  json.member("yes", true);
  json.member("float", 0.1F);
  json.member("double", 0.1);
  json.member("byte", std::uint8_t{200});
  json.member("least", std::numeric_limits<std::int64_t>::min());
  json.member("most", std::numeric_limits<std::uint64_t>::max());
  json.member("rotation", Quatf(1, 2, 3, 4));
  json.member("half", Vector2h(Half(0.5F), Half(-1.0F)));
  json.list_member("none", std::vector<double>());
  json.key("nothing");
  json.null();
  json.end_object();
  EXPECT_EQ(json.take(),
            R"({"text":"a\"b\\c\u000a","yes":true,"float":0.1,"double":0.1,"byte":200,)"
            R"("least":-9223372036854775808,"most":18446744073709551615,"rotation":[1,2,3,4],)"
            R"("half":[0.5,-1],"none":[],"nothing":null})");
  EXPECT_EQ(json.take(), "");
}

TEST(JsonWriter, NamesNumbersThatJsonLacks) {
  JsonWriter json;
  const double infinity = std::numeric_limits<double>::infinity();
  json.list(std::vector<double>{infinity, -infinity, std::nan("")});
  EXPECT_EQ(json.take(), R"(["inf","-inf","nan"])");
  const auto large = static_cast<float>(infinity);
  json.list(std::vector<float>{large, -large, std::nanf("")});
  EXPECT_EQ(json.take(), R"(["inf","-inf","nan"])");
}

TEST(WriteValueJson, WritesAttributesOfEveryType) {
  const stage::StagePtr stage = open(R"(def "P" (
    customData = { int a = 1
      dictionary inside = { string b = "c" } }
) {
  custom bool b = true
  custom uchar[] bytes = [1, 255]
  custom int64 large = -9007199254740993
  custom half h = 0.25
  custom token[] names = ["x", "y"]
  custom quath q = (1, 0, 0.5, 0)
  custom matrix2d m = ((1, 2), (3, 4))
  custom float3[] points = [(0, 0.1, inf), (1, 2, 3)]
  custom double none
})");
  ASSERT_NE(stage, nullptr);
  const stage::Prim prim = stage->prim("/P");
  const auto text = [&](const char* name) { return value_text(prim.attribute(name).value()); };
  EXPECT_EQ(text("b"), "true");
  EXPECT_EQ(text("bytes"), "[1,255]");
  EXPECT_EQ(text("large"), "-9007199254740993");
  EXPECT_EQ(text("h"), "0.25");
  EXPECT_EQ(text("names"), R"(["x","y"])");
  EXPECT_EQ(text("q"), "[1,0,0.5,0]");
  EXPECT_EQ(text("m"), "[1,2,3,4]");
  EXPECT_EQ(text("points"), R"([[0,0.1,"inf"],[1,2,3]])");
  EXPECT_EQ(text("none"), "null");
  EXPECT_EQ(value_text(prim.metadata("customData")), R"({"a":1,"inside":{"b":"c"}})");
}

TEST(WriteValueJson, WritesValuesAndArraysOfEveryType) {
  const struct {
    std::string type, text, json;
  } rows[] = {{"bool", "1", "true"},
              {"uchar", "255", "255"},
              {"int", "-3", "-3"},
              {"uint", "4000000000", "4000000000"},
              {"int64", "-9007199254740993", "-9007199254740993"},
              {"uint64", "18446744073709551615", "18446744073709551615"},
              {"half", "0.5", "0.5"},
              {"float", "0.1", "0.1"},
              {"double", "0.1", "0.1"},
              {"timecode", "2.5", "2.5"},
              {"string", "\"a b\"", "\"a b\""},
              {"token", "\"t\"", "\"t\""},
              {"asset", "@x.png@", "\"x.png\""},
              {"int2", "(1, -2)", "[1,-2]"},
              {"int3", "(1, -2, 3)", "[1,-2,3]"},
              {"int4", "(1, -2, 3, 4)", "[1,-2,3,4]"},
              {"half2", "(0.5, 2)", "[0.5,2]"},
              {"half3", "(0.5, 2, 3)", "[0.5,2,3]"},
              {"half4", "(0.5, 2, 3, 4)", "[0.5,2,3,4]"},
              {"float2", "(0.1, 2)", "[0.1,2]"},
              {"color3f", "(0.1, 2, 3)", "[0.1,2,3]"},
              {"float4", "(0.1, 2, 3, 4)", "[0.1,2,3,4]"},
              {"double2", "(0.1, 2)", "[0.1,2]"},
              {"point3d", "(0.1, 2, 3)", "[0.1,2,3]"},
              {"double4", "(0.1, 2, 3, 4)", "[0.1,2,3,4]"},
              {"quath", "(1, 2, 3, 4)", "[1,2,3,4]"},
              {"quatf", "(1, 0.1, 3, 4)", "[1,0.1,3,4]"},
              {"quatd", "(1, 0.1, 3, 4)", "[1,0.1,3,4]"},
              {"matrix2d", "((1, 2), (3, 4))", "[1,2,3,4]"},
              {"matrix3d", "((1, 2, 3), (4, 5, 6), (7, 8, 9))", "[1,2,3,4,5,6,7,8,9]"},
              {"frame4d", "((1, 2, 3, 4), (5, 6, 7, 8), (9, 0, 1, 2), (3, 4, 5, 6))",
               "[1,2,3,4,5,6,7,8,9,0,1,2,3,4,5,6]"}};
  for (const auto& row : rows) {
    const stage::StagePtr stage = open("def \"P\" {\ncustom " + row.type + " one = " + row.text +
                                       "\ncustom " + row.type + "[] two = [" + row.text + ", " +
                                       row.text + "]\ncustom " + row.type + "[] none = []\n}\n");
    ASSERT_NE(stage, nullptr);
    const stage::Prim prim = stage->prim("/P");
    EXPECT_EQ(value_text(prim.attribute("one").value()), row.json) << row.type;
    EXPECT_EQ(value_text(prim.attribute("two").value()), "[" + row.json + "," + row.json + "]");
    EXPECT_EQ(value_text(prim.attribute("none").value()), "[]") << row.type;
  }
  EXPECT_EQ(value_text(layer::Value()), "null");
  EXPECT_EQ(value_text(layer::Value::block()), "null");
}

TEST(WriteValueJson, WritesWhatListEditsAdd) {
  TokenTable table;
  const auto [a, b, c, d, e, f] =
      std::array{table.intern("a"), table.intern("b"), table.intern("c"),
                 table.intern("d"), table.intern("e"), table.intern("f")};
  layer::ListOp<Token> edits;
  edits.deleted = {a};
  edits.added = {b};
  edits.prepended = {c, d};
  edits.appended = {e};
  edits.ordered = {f};
  EXPECT_EQ(value_text(layer::Value::token_list_op(edits)), R"(["c","d","b","e"])");
  layer::ListOp<Token> whole;
  whole.is_explicit = true;
  whole.explicit_items = {b, a};
  EXPECT_EQ(value_text(layer::Value::token_list_op(whole)), R"(["b","a"])");
  layer::ListOp<layer::Value> values;
  for (const std::int64_t number : {7, -8}) {
    values.appended.push_back(layer::Value::scalar(layer::ElementType::int64, number));
  }
  EXPECT_EQ(value_text(layer::Value::list_op(values)), "[7,-8]");
}

constexpr const char* kScene = R"(
( upAxis = "Z" )
def PhysicsScene "Scene" { vector3f physics:gravityDirection = (0, 0, -1)
  float physics:gravityMagnitude = 9.81; }
def Xform "Body" ( prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"] ) {
  float physics:mass = 2
  vector3f physics:velocity = (1, 0, 0)
  float xformOp:rotateZ = 90
  uniform token[] xformOpOrder = ["xformOp:rotateZ"]
  def Sphere "Ball" ( prepend apiSchemas = ["PhysicsCollisionAPI"] ) { double radius = 0.5; }
  def Mesh "Box" ( prepend apiSchemas = ["PhysicsCollisionAPI", "PhysicsMeshCollisionAPI"] ) {
    uniform token physics:approximation = "boundingCube"
    int[] faceVertexCounts = [3, 3, 3, 3]
    int[] faceVertexIndices = [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]
    point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
  }
}
def PhysicsRevoluteJoint "Hinge" {
  rel physics:body1 = </Body>
  uniform token physics:axis = "Z"
  float physics:lowerLimit = -10
  float physics:upperLimit = 20
}
)";

Json physics_of(const stage::Stage& stage, PhysicsJsonForm form,
                const physics::ReadOptions& options = {}) {
  Diagnostics diagnostics;
  const physics::PhysicsModel model = physics::read_physics(stage, diagnostics, options);
  JsonWriter json;
  json.begin_object();
  write_physics_json(json, model, physics::body_masses(model, diagnostics), form);
  json.end_object();
  return Json::parse(json.take());
}

std::set<std::string> names_of(const Json& object) {
  std::set<std::string> names;
  for (const auto& [name, value] : object.items()) names.insert(name);
  return names;
}

TEST(WritePhysicsJson, UpAxesAreAsTheStageHasThemUnderOpenUsdRules) {
  const auto up_axis = [](const char* text, Rules rules) {
    return physics_of(*open(text, rules), PhysicsJsonForm::descriptors)["upAxis"];
  };
  EXPECT_EQ(up_axis("( upAxis = \"y\" )", Rules::openusd), "y");
  EXPECT_EQ(up_axis("( upAxis = \"Z\" )", Rules::openusd), "Z");
  EXPECT_EQ(up_axis("( upAxis = \"y\" )", Rules::documented), "Y");
  EXPECT_EQ(up_axis("", Rules::openusd), "Y");
}

TEST(WritePhysicsJson, WritesDescriptorsAsTheFileHasThem) {
  const stage::StagePtr stage = open(kScene);
  ASSERT_NE(stage, nullptr);
  const Json json = physics_of(*stage, PhysicsJsonForm::descriptors);
  EXPECT_EQ(names_of(json), (std::set<std::string>{
                                "upAxis", "metersPerUnit", "kilogramsPerUnit", "scenes",
                                "materials", "collisionGroups", "rigidBodies", "shapes", "joints",
                                "articulations", "sites", "actuators", "robots", "mass"}));
  EXPECT_EQ(json["scenes"][0]["gravityDirection"], Json({0, 0, -1}));
  EXPECT_EQ(json["rigidBodies"][0]["linearVelocity"], Json({1, 0, 0}));
  ASSERT_EQ(json["shapes"].size(), 2U);
  EXPECT_EQ(json["shapes"][0]["radius"], 0.5);
  EXPECT_FALSE(json["shapes"][0].contains("body"));
  EXPECT_FALSE(json["shapes"][1].contains("box"));
  EXPECT_EQ(json["joints"][0]["limit"]["upper"], 20);
  EXPECT_FALSE(json["joints"][0].contains("form"));
  EXPECT_EQ(json["mass"][0]["mass"], 2);
}

TEST(WritePhysicsJson, ResolvedFormAddsWhatEnginesWant) {
  const stage::StagePtr stage = open(kScene);
  ASSERT_NE(stage, nullptr);
  const Json plain = physics_of(*stage, PhysicsJsonForm::descriptors);
  const Json json = physics_of(*stage, PhysicsJsonForm::resolved);
  EXPECT_NEAR(json["gravity"][2].get<double>(), -9.81, 1e-6);
  EXPECT_NEAR(json["rigidBodies"][0]["linearVelocity"][1].get<double>(), 1.0, 1e-6);
  EXPECT_EQ(json["shapes"][0]["body"], 0);
  EXPECT_EQ(json["shapes"][0]["boundMaterial"], -1);
  EXPECT_EQ(json["shapes"][1]["box"]["halfExtents"], Json({0.5, 0.5, 0.5}));
  const Json& form = json["joints"][0]["form"];
  EXPECT_EQ(form["bodies"], Json({-1, 0}));
  EXPECT_EQ(form["dofs"]["rotZ"]["state"], "limited");
  EXPECT_EQ(form["dofs"]["transX"]["state"], "locked");
  EXPECT_EQ(json["joints"][0]["worldFrames"].size(), 2U);
  // Nothing of the descriptors is missing.
  for (const auto& [list, items] : plain.items()) {
    if (!items.is_array()) continue;
    ASSERT_EQ(items.size(), json[list].size()) << list;
    for (std::size_t i = 0; i < items.size(); ++i) {
      EXPECT_THAT(names_of(json[list][i]), ::testing::IsSupersetOf(names_of(items[i]))) << list;
    }
  }
}

TEST(WritePhysicsJson, ListsSitesAndActuatorsOfMuJoCo) {
  const stage::StagePtr stage = open(std::string(kScene) + R"(
def Xform "Tool" ( prepend apiSchemas = ["PhysicsRigidBodyAPI"] ) {
  def Sphere "Tip" ( prepend apiSchemas = ["MjcSiteAPI"] ) {
    double radius = 0.25
    double3 xformOp:translate = (1, 2, 3)
    uniform token[] xformOpOrder = ["xformOp:translate"]
    uniform int mjc:group = 3
  }
}
def Cube "Mark" ( prepend apiSchemas = ["MjcSiteAPI"] ) {}
def MjcActuator "Motor" {
  rel mjc:target = </Hinge>
  uniform double[] mjc:gear = [2, 0, 0, 0, 0, 0]
  uniform double mjc:ctrlRange:min = -1
  uniform double mjc:ctrlRange:max = 1
}
def MjcActuator "Idle" {}
def Xform "robot" (apiSchemas = ["IsaacRobotAPI"]) {
  rel isaac:physics:robotLinks = [</Tool/Tip>, </Tool>]
}
)");
  ASSERT_NE(stage, nullptr);
  physics::ReadOptions options;
  options.dialects = {physics::Dialect::mjc, physics::Dialect::isaac};
  const Json json = physics_of(*stage, PhysicsJsonForm::descriptors, options);
  ASSERT_EQ(json["sites"].size(), 2U);
  const Json& tip = json["sites"][0];
  EXPECT_EQ(tip["path"], "/Tool/Tip");
  EXPECT_EQ(tip["type"], "Sphere");
  EXPECT_EQ(tip["rigidBody"], "/Tool");
  EXPECT_EQ(tip["localPos"], Json({1, 2, 3}));
  EXPECT_EQ(tip["radius"], 0.25);
  EXPECT_EQ(tip["group"], 3);
  EXPECT_FALSE(tip.contains("body"));
  EXPECT_EQ(json["sites"][1]["type"], "Cube");
  EXPECT_TRUE(json["sites"][1]["rigidBody"].is_null());
  ASSERT_EQ(json["actuators"].size(), 2U);
  const Json& motor = json["actuators"][0];
  EXPECT_EQ(motor["path"], "/Motor");
  EXPECT_EQ(motor["joint"], "/Hinge");
  EXPECT_EQ(motor["gear"], 2);
  EXPECT_EQ(motor["bias"], Json({0, 0, 0}));
  EXPECT_EQ(motor["controlRange"], Json({-1, 1}));
  EXPECT_FALSE(motor.contains("forceRange"));
  EXPECT_FALSE(motor.contains("control"));
  EXPECT_TRUE(json["actuators"][1]["joint"].is_null());
  ASSERT_EQ(json["robots"].size(), 1U);
  EXPECT_EQ(json["robots"][0].dump(),
            R"({"path":"/robot","links":["/Tool/Tip","/Tool"],"joints":[]})");
  const Json resolved = physics_of(*stage, PhysicsJsonForm::resolved, options);
  EXPECT_EQ(resolved["sites"][0]["body"], 1);
  EXPECT_EQ(resolved["sites"][1]["body"], -1);
  // They are the vendor's: without its dialect there are none, and sites are what else they are.
  EXPECT_TRUE(physics_of(*stage, PhysicsJsonForm::descriptors)["sites"].empty());
}

TEST(WritePhysicsJson, ActuatorsHaveWhatIsSaidOfThem) {
  const auto json_of = [](const physics::Actuator& actuator) {
    physics::PhysicsModel model;
    model.actuators.push_back(actuator);
    JsonWriter json;
    json.begin_object();
    write_physics_json(json, model, {}, PhysicsJsonForm::descriptors);
    json.end_object();
    return Json::parse(json.take())["actuators"][0].dump();
  };
  physics::Actuator actuator;
  actuator.path = "/A";
  const std::string plain = R"({"path":"/A","joint":null,"gear":1,"gain":1,"bias":[0,0,0])";
  EXPECT_EQ(json_of(actuator), plain + "}");
  actuator.activation = 0.25F;
  actuator.activation_range = {-0.5F, 0.75F};
  actuator.acts_early = true;
  EXPECT_EQ(json_of(actuator), plain + "}");  // There is none.
  actuator.control_range = {-1.0F, 2.0F};
  actuator.force_range = {-3.0F, 4.0F};
  actuator.control = 0.5F;
  actuator.gain_slopes = {5.0F, 6.0F};
  actuator.length_range = {7.0F, 8.0F};
  actuator.dynamics = physics::ActuatorDynamics::filter;
  actuator.time_constant = 0.125F;
  const std::string ranges = R"(,"controlRange":[-1,2],"forceRange":[-3,4],"control":0.5)";
  const std::string active = R"("activation":0.25,"activationRange":[-0.5,0.75],"actsEarly":true})";
  EXPECT_EQ(json_of(actuator),
            plain + ranges + R"(,"gainSlopes":[5,6],"lengthRange":[7,8],"dynamics":"filter",)" +
                R"("timeConstant":0.125,)" + active);
  actuator.law = physics::ActuatorLaw{"muscle", {1, 2}, "affine", {3}, "muscle", {}};
  EXPECT_EQ(json_of(actuator),
            plain + ranges +
                R"(,"law":{"gainType":"muscle","gain":[1,2],"biasType":"affine","bias":[3],)" +
                R"("dynamicsType":"muscle","dynamics":[]},"lengthRange":[7,8],)" + active);
  actuator.activation.reset();
  actuator.activation_range.reset();
  EXPECT_THAT(json_of(actuator), ::testing::EndsWith(R"("lengthRange":[7,8],"actsEarly":true})"));
}

TEST(WritePhysicsJson, SaysWhatOnlyAnApplicationKnows) {
  const stage::StagePtr stage = open(R"(
def AcmeBlob "Blob" ( prepend apiSchemas = ["PhysicsCollisionAPI"] ) {}
def AcmeJoint "Odd" { rel physics:body1 = </Blob>; }
)");
  ASSERT_NE(stage, nullptr);
  physics::ReadOptions options;
  options.shape_tokens = {"AcmeBlob"};
  options.joint_tokens = {"AcmeJoint"};
  const Json json = physics_of(*stage, PhysicsJsonForm::descriptors, options);
  ASSERT_EQ(json["shapes"].size(), 1U);
  EXPECT_EQ(json["shapes"][0]["customGeometryToken"], "AcmeBlob");
  ASSERT_EQ(json["joints"].size(), 1U);
  EXPECT_EQ(json["joints"][0]["typeName"], "AcmeJoint");
}

TEST(WritePhysicsJson, ResolvedFormHasTheBallAroundAMesh) {
  std::string text = kScene;
  text.replace(text.find("boundingCube"), 12, "boundingSphere");
  text.replace(text.find("(0, 0, 1)]"), 10, "(0, 0, 3)]");
  const stage::StagePtr stage = open(text);
  ASSERT_NE(stage, nullptr);
  const Json mesh = physics_of(*stage, PhysicsJsonForm::resolved)["shapes"][1];
  EXPECT_EQ(mesh["ball"]["position"], Json({0.5, 0.5, 1.5}));
  EXPECT_NEAR(mesh["ball"]["radius"].get<double>(), std::sqrt(2.75), 1e-6);
  EXPECT_FALSE(mesh.contains("box"));
}

TEST(WritePhysicsJson, IsTheSameLineByLine) {
  const stage::StagePtr stage =
      open(std::string(physics::kEverything).substr(std::string_view("#usda 1.0\n").size()));
  ASSERT_NE(stage, nullptr);
  const std::string text = physics_of(*stage, PhysicsJsonForm::resolved).dump(1);
  test::expect_recorded("everything.physics.json", text);
}

TEST(WriteMassesJson, WritesEachStepAndTheExplanation) {
  const stage::StagePtr stage = open(kScene);
  ASSERT_NE(stage, nullptr);
  Diagnostics diagnostics;
  const physics::PhysicsModel model = physics::read_physics(*stage, diagnostics);
  const std::vector<physics::BodyMass> masses = physics::body_masses(model, diagnostics);
  JsonWriter writer;
  write_masses_json(writer, model, masses);
  const Json json = Json::parse(writer.take());
  ASSERT_EQ(json.size(), 1U);
  const physics::BodyMass& mass = masses[0];
  EXPECT_EQ(json[0]["path"], model.body(mass.body).path.view());
  EXPECT_NEAR(json[0]["mass"].get<float>(), mass.mass, 1e-5F);
  for (int i = 0; i < 3; ++i) {
    const auto at = static_cast<std::size_t>(i);
    EXPECT_NEAR(json[0]["centerOfMass"][at].get<float>(), mass.center_of_mass[i], 1e-5F);
    EXPECT_NEAR(json[0]["diagonalInertia"][at].get<float>(), mass.diagonal_inertia[i], 1e-5F);
  }
  EXPECT_EQ(json[0]["principalAxes"].size(), 4U);
  ASSERT_EQ(json[0]["steps"].size(), 3U);
  EXPECT_EQ(json[0]["steps"][0]["massSource"], "authored");
  EXPECT_EQ(json[0]["steps"][1]["parent"], 0);
  EXPECT_EQ(json[0]["steps"][1]["collider"], true);
  EXPECT_EQ(json[0]["text"], physics::explain_mass(model, masses[0]));
}

/// The JSON of steps of the first body.
Json written_steps(const physics::PhysicsModel& model, std::vector<physics::MassStep> steps) {
  physics::BodyMass mass;
  mass.body = 0;
  mass.steps = std::move(steps);
  JsonWriter writer;
  write_masses_json(writer, model, {&mass, 1});
  return Json::parse(writer.take())[0]["steps"];
}

Json written_step(const physics::PhysicsModel& model, const physics::MassStep& step) {
  const Json steps = written_steps(model, {step});
  EXPECT_EQ(steps.size(), 1U);
  return steps[0];
}

TEST(WriteMassesJson, NamesWhereFiguresComeFromAndWhatIsIgnored) {
  using namespace physics;
  const stage::StagePtr stage = open(kScene);
  ASSERT_NE(stage, nullptr);
  Diagnostics diagnostics;
  const PhysicsModel model = read_physics(*stage, diagnostics);
  const auto step_of = [&](const MassStep& step) { return written_step(model, step); };
  const std::pair<MassSource, const char*> masses[] = {{MassSource::none, "none"},
                                                       {MassSource::authored, "authored"},
                                                       {MassSource::parts, "parts"},
                                                       {MassSource::assumed, "assumed"},
                                                       {MassSource::unset, "unset"}};
  for (const auto& [source, name] : masses) {
    MassStep step;
    step.mass_source = source;
    EXPECT_EQ(step_of(step)["massSource"], name);
  }
  const std::pair<DensitySource, const char*> densities[] = {{DensitySource::none, "none"},
                                                             {DensitySource::mass_api, "massApi"},
                                                             {DensitySource::material, "material"},
                                                             {DensitySource::water, "water"}};
  for (const auto& [source, name] : densities) {
    MassStep step;
    step.density_source = source;
    EXPECT_EQ(step_of(step)["densitySource"], name);
  }
  const std::pair<FigureSource, const char*> figures[] = {
      {FigureSource::computed, "computed"},
      {FigureSource::authored, "authored"},
      {FigureSource::small_sphere, "smallSphere"},
      {FigureSource::unit, "unit"}};
  for (const auto& [source, name] : figures) {
    MassStep step;
    step.center_source = source;
    EXPECT_EQ(step_of(step)["centerSource"], name);
    EXPECT_EQ(step_of(step)["inertiaSource"], "computed");
    step = {};
    step.inertia_source = source;
    EXPECT_EQ(step_of(step)["inertiaSource"], name);
    EXPECT_EQ(step_of(step)["axesSource"], "computed");
    step = {};
    step.axes_source = source;
    EXPECT_EQ(step_of(step)["axesSource"], name);
    EXPECT_EQ(step_of(step)["centerSource"], "computed");
  }
  const std::pair<IgnoredFigure, const char*> ignored[] = {
      {kMassNotPositive, "massNotPositive"},
      {kDensityNotPositive, "densityNotPositive"},
      {kCenterNotFinite, "centerNotFinite"},
      {kInertiaTooSmall, "inertiaTooSmall"},
      {kAxesZero, "axesZero"},
      {kNotConsulted, "notConsulted"},
      {kMassOverruled, "massOverruled"},
      {kDensityOverruled, "densityOverruled"},
      {kCenterOverruled, "centerOverruled"},
      {kInertiaOverruled, "inertiaOverruled"},
      {kVolumeUnknown, "volumeUnknown"},
      {kColliderDisabled, "colliderDisabled"}};
  for (const auto& [bit, name] : ignored) {
    MassStep step;
    step.ignored = bit;
    EXPECT_EQ(step_of(step)["ignored"], Json({name}));
  }
  MassStep step;
  step.ignored = kColliderDisabled | kMassNotPositive;
  EXPECT_EQ(step_of(step)["ignored"], Json({"massNotPositive", "colliderDisabled"}));
  EXPECT_EQ(step_of(MassStep())["ignored"], Json::array());
}

TEST(WriteMassesJson, WritesEveryFigureOfAStep) {
  const stage::StagePtr stage = open(kScene);
  ASSERT_NE(stage, nullptr);
  Diagnostics diagnostics;
  const physics::PhysicsModel model = physics::read_physics(*stage, diagnostics);
  physics::MassStep step;
  step.parent = 7;
  step.density_node = 8;
  step.volume = 1.5;
  step.density = 2.5;
  step.parts_mass = 3.5;
  step.mass = 4.5;
  step.share = 5.5;
  step.center = {6.5, 7.5, 8.5};
  Json written = written_step(model, step);
  for (const char* told_above : {"path", "collider", "massSource", "densitySource", "centerSource",
                                 "inertiaSource", "axesSource", "ignored"}) {
    EXPECT_EQ(written.erase(told_above), 1U) << told_above;
  }
  const Json expected = {{"parent", 7},    {"densityStep", 8},         {"volume", 1.5},
                         {"density", 2.5}, {"partsMass", 3.5},         {"mass", 4.5},
                         {"share", 5.5},   {"center", {6.5, 7.5, 8.5}}};
  EXPECT_EQ(written, expected);
}

TEST(WritePhysicsJson, ResolvedFormHasPointsWhereTheScaleOfTheirPrimPutsThem) {
  const stage::StagePtr stage = open(R"(
def Points "P" ( prepend apiSchemas = ["PhysicsCollisionAPI"] ) {
  point3f[] points = [(1, 2, 3), (0, 0, 4)]
  float[] widths = [1, 2]
  double3 xformOp:scale = (2, 2, 2)
  uniform token[] xformOpOrder = ["xformOp:scale"]
}
)",
                                     Rules::openusd);
  ASSERT_NE(stage, nullptr);
  const auto points = [&](PhysicsJsonForm form) {
    return physics_of(*stage, form)["shapes"][0]["spherePoints"];
  };
  EXPECT_EQ(points(PhysicsJsonForm::descriptors)[0]["center"], Json({1, 2, 3}));
  EXPECT_EQ(points(PhysicsJsonForm::descriptors)[1]["center"], Json({0, 0, 4}));
  EXPECT_EQ(points(PhysicsJsonForm::resolved)[0]["center"], Json({2, 4, 6}));
  EXPECT_EQ(points(PhysicsJsonForm::resolved)[1]["center"], Json({0, 0, 8}));
}

TEST(WritePhysicsJson, ModelsThatComeFromNoStageSayTheirAxisToo) {
  const auto up_axis = [](Rules rules, const char* token) {
    physics::PhysicsModel model;
    model.rules = rules;
    model.units.up_axis = Axis::z;
    model.units.up_axis_token = token;
    JsonWriter json;
    json.begin_object();
    write_physics_json(json, model, {}, PhysicsJsonForm::descriptors);
    json.end_object();
    return Json::parse(json.take())["upAxis"];
  };
  EXPECT_EQ(up_axis(Rules::openusd, ""), "Z");
  EXPECT_EQ(up_axis(Rules::openusd, "sideways"), "sideways");
  EXPECT_EQ(up_axis(Rules::documented, "sideways"), "Z");
}

TEST(WriteMassesJson, WritesAsManyStepsAsTheModelHas) {
  const stage::StagePtr stage = open(kScene);
  ASSERT_NE(stage, nullptr);
  Diagnostics diagnostics;
  const physics::PhysicsModel model = physics::read_physics(*stage, diagnostics);
  for (const std::size_t count : {0U, 1U, 3U, 4U}) {
    const std::vector<physics::MassStep> steps(count);
    EXPECT_EQ(written_steps(model, steps).size(), std::min<std::size_t>(count, 3));
  }
}

}  // namespace
}  // namespace sinew::exporter::json_test
