// SPDX-License-Identifier: Apache-2.0
// What becomes of bodies, colliders and joints of a glTF file.
#include <gtest/gtest.h>

#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "export/gltf_import/imported.hpp"
#include "sinew/export/import_glb.hpp"
#include "sinew/physics/model.hpp"
#include "sinew/physics/read/read_physics.hpp"

namespace sinew::exporter::import_physics_test {
namespace {

using test::add_square;
using test::expect_clean;
using test::GlbFile;
using test::GltfJson;
using test::GltfJudge;
using test::Imported;
using test::lines_of;

constexpr const char* kBodies = "KHR_physics_rigid_bodies";

GlbFile physics_file() {
  GlbFile file;
  file.json["extensionsUsed"] = {"KHR_implicit_shapes", "KHR_physics_rigid_bodies"};
  file.json["extensions"]["KHR_implicit_shapes"]["shapes"] = {
      {{"type", "sphere"}, {"sphere", {{"radius", 0.25}}}},
      {{"type", "box"}, {"box", {{"size", {1, 2, 3}}}}},
      {{"type", "capsule"},
       {"capsule", {{"height", 0.8}, {"radiusTop", 0.1}, {"radiusBottom", 0.1}}}},
      {{"type", "cylinder"},
       {"cylinder", {{"height", 0.5}, {"radiusTop", 0.2}, {"radiusBottom", 0.3}}}},
      {{"type", "plane"}, {"plane", GltfJson::object()}}};
  GltfJson& bodies = file.json["extensions"]["KHR_physics_rigid_bodies"];
  bodies["physicsMaterials"] = {
      {{"staticFriction", 0.6}, {"dynamicFriction", 0.5}, {"restitution", 0.1}}};
  bodies["collisionFilters"] = {
      {{"collisionSystems", {"left"}}, {"notCollideWithSystems", {"right"}}},
      {{"collisionSystems", {"right"}}}};
  return file;
}

int add_body(GlbFile& file, const std::string& name, int shape, std::vector<double> at,
             GltfJson motion = GltfJson::object()) {
  GltfJson node = {{"name", name}, {"translation", at}};
  GltfJson& body = node["extensions"]["KHR_physics_rigid_bodies"];
  if (!motion.is_null()) body["motion"] = motion;
  body["collider"] = {{"geometry", {{"shape", shape}}}, {"physicsMaterial", 0}};
  return file.node(node);
}

physics::PhysicsModel model_of(const Imported& imported) {
  Diagnostics diagnostics;
  physics::PhysicsModel model = physics::read_physics(*imported.stage, diagnostics);
  EXPECT_EQ(lines_of(diagnostics), "");
  return model;
}

TEST(ImportGlbPhysics, MakesBodiesOfEveryShape) {
  GlbFile file = physics_file();
  std::vector<int> roots;
  roots.push_back(add_body(file, "ball", 0, {0, 5, 0},
                           {{"mass", 2.5},
                            {"centerOfMass", {0.01, 0.02, 0.03}},
                            {"inertiaDiagonal", {0.1, 0.2, 0.3}},
                            {"inertiaOrientation", {0, 0, 0, 1}},
                            {"linearVelocity", {1, 2, 3}},
                            {"angularVelocity", {0, std::numbers::pi, 0}}}));
  roots.push_back(add_body(file, "crate", 1, {3, 0, 0}));
  roots.push_back(add_body(file, "pill", 2, {6, 0, 0}, {{"isKinematic", true}}));
  roots.push_back(add_body(file, "bucket", 3, {9, 0, 0}));
  roots.push_back(add_body(file, "ground", 4, {0, -1, 0}, nullptr));
  file.scene(roots);
  Imported imported(file);
  expect_clean(imported);
  const physics::PhysicsModel model = model_of(imported);
  ASSERT_EQ(model.rigid_bodies.size(), 4U);
  ASSERT_EQ(model.shapes.size(), 5U);
  const auto body = std::find_if(
      model.rigid_bodies.begin(), model.rigid_bodies.end(),
      [](const physics::RigidBody& one) { return one.path.view().ends_with("/ball"); });
  ASSERT_NE(body, model.rigid_bodies.end());
  EXPECT_EQ(body->linear_velocity, Vector3f(1, 2, 3));
  EXPECT_NEAR(body->angular_velocity.y(), 180.0F, 1e-4F);
  const std::string& text = imported.text;
  for (const char* line :
       {"float physics:mass = 2.5", "physics:centerOfMass = (0.01, 0.02, 0.03)",
        "physics:diagonalInertia = (0.1, 0.2, 0.3)", "physics:kinematicEnabled = 1",
        "double radius = 0.25", "double radiusTop = 0.2", "double radiusBottom = 0.3",
        "float physics:staticFriction = 0.6"}) {
    EXPECT_NE(text.find(line), std::string::npos) << line << "\n" << text;
  }
}

TEST(ImportGlbPhysics, FiltersCollisions) {
  GlbFile file = physics_file();
  std::vector<int> roots = {add_body(file, "a", 0, {0, 0, 0}), add_body(file, "b", 0, {1, 0, 0})};
  for (std::size_t i = 0; i < 2; ++i) {
    file.json["nodes"][i]["extensions"]["KHR_physics_rigid_bodies"]["collider"]["collisionFilter"] =
        i;
  }
  file.scene(roots);
  Imported imported(file);
  expect_clean(imported);
  EXPECT_NE(imported.text.find("rel physics:filteredGroups = </Scene/filter_1>"), std::string::npos)
      << imported.text;
}

struct JointCase {
  const char* name;
  GltfJson description;
  const char* type;
  std::vector<const char*> lines;
};

TEST(ImportGlbPhysics, FindsTheKindOfAJointByItsLimits) {
  const GltfJson linear = {{"linearAxes", {0, 1, 2}}, {"min", 0}, {"max", 0}};
  const auto turns = [](std::vector<int> axes, double low, double high) {
    return GltfJson{{"angularAxes", axes}, {"min", low}, {"max", high}};
  };
  const auto limits = [](std::vector<GltfJson> list) { return GltfJson{{"limits", list}}; };
  const double right = std::numbers::pi / 2.0;
  std::vector<JointCase> cases = {
      {"fixed", limits({linear, turns({0, 1, 2}, 0, 0)}), "PhysicsFixedJoint", {}},
      {"revolute",
       limits({linear, turns({0, 2}, 0, 0), turns({1}, -right, right)}),
       "PhysicsRevoluteJoint",
       {"physics:axis = \"Y\"", "physics:lowerLimit = -90", "physics:upperLimit = 90",
        "PhysicsDriveAPI:angular", "drive:angular:physics:targetPosition = 90",
        "drive:angular:physics:maxForce = 7"}},
      {"prismatic",
       limits({turns({0, 1, 2}, 0, 0),
               {{"linearAxes", {0, 1}}, {"min", 0}, {"max", 0}},
               {{"linearAxes", {2}}, {"min", -0.5}, {"max", 0.25}}}),
       "PhysicsPrismaticJoint",
       {"physics:axis = \"Z\"", "physics:lowerLimit = -0.5", "physics:upperLimit = 0.25"}},
      {"spherical",
       limits({linear, turns({1, 2}, 0, right)}),
       "PhysicsSphericalJoint",
       {"physics:axis = \"X\"", "physics:coneAngle0Limit = 90", "physics:coneAngle1Limit = 90"}},
      {"oval",
       limits({linear, turns({0}, -right, right), turns({1}, -right / 2, right / 2)}),
       "PhysicsSphericalJoint",
       {"physics:axis = \"Z\"", "physics:coneAngle0Limit = 45", "physics:coneAngle1Limit = 90"}},
      {"distance",
       limits({{{"linearAxes", {0, 1, 2}}, {"min", 0.5}, {"max", 2}}}),
       "PhysicsDistanceJoint",
       {"physics:minDistance = 0.5", "physics:maxDistance = 2"}},
      {"d6",
       limits({turns({0}, 0, 0), {{"linearAxes", {1}}, {"min", -1}, {"max", 3}}}),
       "PhysicsJoint",
       {"limit:rotX:physics:low = 1", "limit:rotX:physics:high = -1",
        "limit:transY:physics:low = -1", "limit:transY:physics:high = 3"}}};
  cases[1].description["drives"] = {{{"type", "angular"},
                                     {"axis", 1},
                                     {"mode", "force"},
                                     {"maxForce", 7},
                                     {"stiffness", 180 / std::numbers::pi},
                                     {"positionTarget", right}}};
  // Cone: towards the axis after the next one a turn about the next.
  for (const JointCase& joint : cases) {
    GlbFile file = physics_file();
    file.json["extensions"]["KHR_physics_rigid_bodies"]["physicsJoints"] =
        GltfJson::array({joint.description});
    const int end = file.node({{"name", "socket"}, {"translation", {-1, 0, 0}}});
    const int b = add_body(file, "b", 0, {4, 0, 0});
    file.json["nodes"][static_cast<std::size_t>(b)]["children"] = {end};
    GltfJson hinge = {{"name", "hinge"}, {"translation", {3, 0, 0}}};
    hinge["extensions"]["KHR_physics_rigid_bodies"]["joint"] = {{"connectedNode", end},
                                                                {"joint", 0}};
    const int start = file.node(hinge);
    const int a = add_body(file, "a", 0, {0, 0, 0});
    file.json["nodes"][static_cast<std::size_t>(a)]["children"] = {start};
    file.scene({a, b});
    Imported imported(file);
    expect_clean(imported);
    EXPECT_EQ(imported.prim("hinge").type_name().view(), joint.type) << joint.name;
    EXPECT_EQ(imported.by_name.count("socket"), 0U);
    std::vector<const char*> lines = joint.lines;
    lines.push_back("rel physics:body0 = </Scene/a>");
    lines.push_back("rel physics:body1 = </Scene/b>");
    lines.push_back("physics:localPos0 = (3, 0, 0)");
    lines.push_back("physics:localPos1 = (-1, 0, 0)");
    for (const char* line : lines) {
      EXPECT_NE(imported.text.find(line), std::string::npos) << line << "\n" << imported.text;
    }
    if (std::string(joint.name) == "revolute") {
      const auto stiffness = imported.prim("hinge")
                                 .attribute("drive:angular:physics:stiffness")
                                 .get<float>(stage::Time());
      ASSERT_TRUE(stiffness);
      EXPECT_FLOAT_EQ(*stiffness, 1.0F);  // Per degree.
    }
  }
}

TEST(ImportGlbPhysics, LeavesOutLimitsThatUsdWouldTakeForNone) {
  const GltfJson linear = {{"linearAxes", {0, 1, 2}}, {"min", 0}, {"max", 0}};
  const auto turns = [](std::vector<int> axes, double low, double high) {
    return GltfJson{{"angularAxes", axes}, {"min", low}, {"max", high}};
  };
  const double half = 90 / std::numbers::pi;
  const struct {
    std::vector<GltfJson> limits;
    const char* type;
    bool is_told;
    std::vector<std::pair<const char*, double>> values;
  } cases[] = {
      {{linear, turns({1, 2}, 0.25, 0.5)}, "PhysicsSphericalJoint", true, {}},
      {{linear, turns({1, 2}, -0.5, -0.25)}, "PhysicsSphericalJoint", true, {}},
      {{linear, {{"angularAxes", {1, 2}}, {"min", -0.5}}}, "PhysicsSphericalJoint", true, {}},
      {{linear, turns({0, 1, 2}, -0.5, 0.5)}, "PhysicsSphericalJoint", true, {}},
      {{linear, turns({1, 2}, -0.5, 0.5)},
       "PhysicsSphericalJoint",
       false,
       {{"physics:coneAngle0Limit", half}, {"physics:coneAngle1Limit", half}}},
      {{linear, {{"angularAxes", {1, 2}}, {"max", 0}}},
       "PhysicsSphericalJoint",
       false,
       {{"physics:coneAngle0Limit", 0}, {"physics:coneAngle1Limit", 0}}},
      {{linear, turns({0}, 0.5, -0.5), turns({1}, 0.5, -0.5)},
       "PhysicsJoint",
       false,
       {{"limit:rotX:physics:low", half},
        {"limit:rotX:physics:high", -half},
        {"limit:rotY:physics:low", half}}},
      {{{{"linearAxes", {0, 1, 2}}, {"min", -2}, {"max", -1}}}, "PhysicsJoint", true, {}},
      {{{{"linearAxes", {0, 1}}, {"min", -2}, {"max", 1}}}, "PhysicsJoint", true, {}},
      {{{{"linearAxes", {0, 1, 2}}, {"max", 0}}},
       "PhysicsDistanceJoint",
       false,
       {{"physics:maxDistance", 0}}},
  };
  for (const auto& joint : cases) {
    const std::string what = GltfJson(joint.limits).dump();
    GlbFile file = physics_file();
    file.json["extensions"][kBodies]["physicsJoints"] =
        GltfJson::array({{{"limits", joint.limits}}});
    const int body = add_body(file, "b", 0, {0, 0, 0});
    GltfJson end = {{"name", "joint"}};
    end["extensions"][kBodies]["joint"] = {{"connectedNode", body}, {"joint", 0}};
    file.scene({body, file.node(end)});
    const Imported imported(file);
    const std::string told = joint.is_told ? "gltf-physics-limit" : "";
    EXPECT_EQ(imported.said.empty() ? "" : imported.said[0].code, told) << what;
    EXPECT_EQ(imported.said.size(), joint.is_told ? 1U : 0U) << what;
    const stage::Prim prim = imported.prim("joint");
    EXPECT_EQ(prim.type_name().view(), joint.type) << what;
    for (const auto& [name, value] : joint.values) {
      EXPECT_EQ(prim.attribute(name).get<float>(), static_cast<float>(value)) << name << what;
    }
    if (joint.is_told) {
      EXPECT_EQ(imported.text.find("coneAngle"), std::string::npos) << what;
      EXPECT_EQ(imported.text.find("Distance ="), std::string::npos) << what;
    }
  }
}

TEST(ImportGlbPhysics, SaysThatMeshesWithoutTrianglesDoNotCollide) {
  GlbFile file = physics_file();
  const GltfJson collider = {{"geometry", {{"mesh", 0}}}};
  const int seen = add_square(file, {{"mode", 3}}, {{"name", "seen"}});
  const int hidden = file.node({{"name", "hidden"}});
  for (GltfJson& node : file.json["nodes"]) node["extensions"][kBodies]["collider"] = collider;
  file.scene({seen, hidden});
  const Imported imported(file);
  ASSERT_EQ(imported.said.size(), 2U) << lines_of(imported.said);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(imported.said[i].code, "gltf-physics-geometry");
    EXPECT_EQ(imported.said[i].path, "/nodes/" + std::to_string(i));
  }
  EXPECT_EQ(imported.result.counts.colliders, 0U);
}

TEST(ImportGlbPhysics, LeavesOutCollidersOfBrokenShapes) {
  GlbFile file = physics_file();
  file.json["extensions"]["KHR_implicit_shapes"]["shapes"] = {
      {{"type", "blob"}}, {{"type", "sphere"}, {"sphere", {{"radius", -1}}}}};
  file.scene({add_body(file, "blob", 0, {0, 0, 0}), add_body(file, "inside_out", 1, {1, 0, 0})});
  Imported imported(file);
  EXPECT_EQ(imported.said.size(), 2U) << lines_of(imported.said);
  EXPECT_EQ(imported.result.counts.bodies, 2U);
  EXPECT_EQ(imported.result.counts.colliders, 0U);
  EXPECT_EQ(imported.text.find("def Sphere"), std::string::npos) << imported.text;
}

TEST(ImportGlbPhysics, GivesBodiesInBodiesAPlaceOfTheirOwn) {
  GlbFile file = physics_file();
  const int inner = add_body(file, "inner", 0, {0, 1, 0});
  const int outer = add_body(file, "outer", 0, {5, 0, 0});
  file.json["nodes"][static_cast<std::size_t>(outer)]["children"] = {inner};
  file.scene({outer});
  Imported imported(file);
  expect_clean(imported);
  EXPECT_EQ(model_of(imported).rigid_bodies.size(), 2U);
  EXPECT_LT((imported.world("inner") - GltfJudge(file).world(inner)).cwiseAbs().maxCoeff(), 1e-9);
}

TEST(ImportGlbPhysics, BodiesInBodiesStayWhereAnimationWouldMoveThem) {
  GlbFile file = physics_file();
  const int inner = add_body(file, "inner", 0, {0, 1, 0});
  const int outer = add_body(file, "outer", 0, {5, 0, 0});
  file.json["nodes"][static_cast<std::size_t>(outer)]["children"] = {inner};
  file.scene({outer});
  GltfJson channels = GltfJson::array();
  for (const int node : {inner, outer}) {
    channels.push_back({{"sampler", 0}, {"target", {{"node", node}, {"path", "translation"}}}});
  }
  file.add("animations", {{"channels", channels},
                          {"samplers",
                           {{{"input", file.floats("SCALAR", {0, 1})},
                             {"output", file.floats("VEC3", {5, 0, 0, 9, 0, 0})}}}}});
  Imported imported(file);
  ASSERT_EQ(imported.said.size(), 1U) << lines_of(imported.said);
  EXPECT_EQ(imported.said[0].code, "gltf-body-animation");
  EXPECT_EQ(imported.said[0].path, "/nodes/" + std::to_string(inner));
  EXPECT_EQ(imported.world("inner", 1.0)(0, 3), 5.0);
  EXPECT_EQ(imported.world("inner", 1.0)(1, 3), 1.0);
  EXPECT_EQ(imported.world("outer", 1.0)(0, 3), 9.0);
}

TEST(ImportGlbPhysics, FallsAsOnEarthWhereBodiesDisagree) {
  const auto magnitude = [](std::vector<double> factors, const std::string& code) {
    GlbFile file = physics_file();
    std::vector<int> roots;
    for (const double factor : factors) {
      roots.push_back(add_body(file, "b", 0, {0, 0, 0}, {{"gravityFactor", factor}}));
    }
    file.scene(roots);
    const Imported imported(file);
    EXPECT_EQ(imported.said.empty() ? "" : imported.said[0].code, code);
    EXPECT_LE(imported.said.size(), 1U);
    return model_of(imported).scenes.at(0).gravity_magnitude;
  };
  EXPECT_FLOAT_EQ(magnitude({0.5, 0.5}, ""), 4.905F);
  EXPECT_FLOAT_EQ(magnitude({0, 0}, ""), 0.0F);
  EXPECT_FLOAT_EQ(magnitude({0.5, 0.25, 0.25}, "gltf-physics-gravity"), 9.81F);
  EXPECT_FLOAT_EQ(magnitude({-0.5}, "gltf-physics-gravity"), 9.81F);
}

TEST(ImportGlbPhysics, DerivesAMassThatIsInfinite) {
  GlbFile file = physics_file();
  file.scene({add_body(file, "heavy", 0, {0, 0, 0}, {{"mass", 0}}),
              add_body(file, "moved", 0, {1, 0, 0}, {{"mass", 0}, {"isKinematic", true}})});
  Imported imported(file);
  ASSERT_EQ(imported.said.size(), 1U) << lines_of(imported.said);
  EXPECT_EQ(imported.said[0].code, "gltf-physics-mass");
  EXPECT_EQ(imported.said[0].path, "/nodes/0");
  EXPECT_EQ(imported.text.find("PhysicsMassAPI"), std::string::npos) << imported.text;
}

TEST(ImportGlbPhysics, TakesTheMeshOfANodeThatAColliderNames) {
  GlbFile file = physics_file();
  const int seen = add_square(file, {}, {{"name", "seen"}});
  GltfJson node = {{"name", "hidden"}};
  node["extensions"]["KHR_physics_rigid_bodies"]["collider"] = {
      {"geometry", {{"node", seen}, {"convexHull", true}}}};
  const int named = file.node(node);
  node["name"] = "empty";
  node["extensions"]["KHR_physics_rigid_bodies"]["collider"]["geometry"]["node"] = named;
  file.scene({seen, named, file.node(node)});
  Imported imported(file);
  ASSERT_EQ(imported.said.size(), 1U) << lines_of(imported.said);
  EXPECT_EQ(imported.said[0].code, "gltf-physics-geometry");
  EXPECT_EQ(imported.said[0].path,
            "/nodes/2/extensions/KHR_physics_rigid_bodies/collider/geometry");
  EXPECT_EQ(imported.result.counts.colliders, 1U);
  const physics::PhysicsModel model = model_of(imported);
  ASSERT_EQ(model.shapes.size(), 1U);
  EXPECT_EQ(model.shapes[0].path.view().substr(0, 13), "/Scene/hidden");
  const auto& mesh = std::get<physics::MeshShape>(model.shapes[0].geometry);
  EXPECT_EQ(mesh.approximation, "convexHull");
  EXPECT_EQ(mesh.geometry->points.size(), 4U);
}

TEST(ImportGlbPhysics, UsesMeshesAsColliders) {
  GlbFile file = physics_file();
  const int seen = add_square(file, {}, {{"name", "seen"}});
  const int plain = file.node({{"name", "plain"}});
  GltfJson collider = {{"geometry", {{"mesh", 0}, {"convexHull", true}}}};
  file.json["nodes"][static_cast<std::size_t>(seen)]["extensions"]["KHR_physics_rigid_bodies"]
           ["collider"] = collider;
  collider["geometry"]["convexHull"] = false;
  file.json["nodes"][static_cast<std::size_t>(plain)]["extensions"]["KHR_physics_rigid_bodies"]
           ["collider"] = collider;
  file.scene({seen, plain});
  Imported imported(file);
  EXPECT_EQ(lines_of(imported.said), "");
  EXPECT_EQ(imported.result.counts.colliders, 2U);
  EXPECT_NE(imported.text.find("physics:approximation = \"convexHull\""), std::string::npos);
  EXPECT_NE(imported.text.find("physics:approximation = \"none\""), std::string::npos);
  EXPECT_NE(imported.text.find("purpose = \"guide\""), std::string::npos);
}

}  // namespace
}  // namespace sinew::exporter::import_physics_test
