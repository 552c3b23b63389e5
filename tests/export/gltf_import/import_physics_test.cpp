// SPDX-License-Identifier: Apache-2.0
// What becomes of bodies, colliders and joints of a glTF file.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
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

GltfJson limit_of(const char* axes, std::vector<int> list, double low, double high) {
  return {{axes, std::move(list)}, {"min", low}, {"max", high}};
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
    return limit_of("angularAxes", std::move(axes), low, high);
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
    return limit_of("angularAxes", std::move(axes), low, high);
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

// A body and its colliders may have come from one prim. Of nodes that are alike the first counts.
TEST(ImportGlbPhysics, TheRootOfAnArticulationIsTheBodyOfItsPrim) {
  // Where the prims are along x that are such roots. Node i stands at i + 1.
  const auto roots = [](const std::vector<bool>& is_body, std::vector<int> in_scene = {0, 1}) {
    GlbFile file = physics_file();
    for (std::size_t i = 0; i < 2; ++i) {
      add_body(file, "n", 0, {static_cast<double>(i + 1), 0, 0},
               is_body[i] ? GltfJson::object() : GltfJson());
      file.json["nodes"].back()["extras"]["usd"]["path"] = "/Robot";
    }
    // One that came from no prim.
    in_scene.push_back(add_body(file, "other", 0, {9, 0, 0}));
    file.scene(in_scene);
    file.json["scenes"][0]["extras"]["sinew"]["articulationRoots"] = {"", "/Robot"};
    const Imported imported(file);
    EXPECT_EQ(lines_of(imported.said), "");
    std::vector<double> found;
    for (const stage::Prim& prim : imported.stage->root().descendants()) {
      if (!prim.has_api("PhysicsArticulationRootAPI")) continue;
      found.push_back(geom::world_from_prim(prim, stage::Time())(0, 3));
    }
    return found;
  };
  EXPECT_EQ(roots({false, true}), std::vector<double>{2});
  EXPECT_EQ(roots({true, false}), std::vector<double>{1});
  EXPECT_EQ(roots({true, true}), std::vector<double>{1});
  EXPECT_EQ(roots({true, true}, {1}), std::vector<double>{2});
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

TEST(ImportGlbPhysics, BoxesBesideMeshesKeepTheirSizes) {
  for (const Vector3f& size :
       {Vector3f(2, 2, 3), Vector3f(2, 3, 3), Vector3f(3, 2, 3), Vector3f(2, 2, 2)}) {
    GlbFile file = physics_file();
    GltfJson box = {{"type", "box"}};
    box["box"]["size"] = {size.x(), size.y(), size.z()};
    file.json["extensions"]["KHR_implicit_shapes"]["shapes"][0] = box;
    const int node = add_square(file);
    GltfJson& body = file.json["nodes"][static_cast<std::size_t>(node)]["extensions"][kBodies];
    body["motion"] = GltfJson::object();
    body["collider"]["geometry"]["shape"] = 0;
    file.scene({node});
    const physics::PhysicsModel model = model_of(Imported(file));
    ASSERT_EQ(model.shapes.size(), 1U);
    const auto* cube = std::get_if<physics::CubeShape>(&model.shapes[0].geometry);
    ASSERT_NE(cube, nullptr);
    EXPECT_EQ(2.0F * cube->half_extents, size);
  }
}

TEST(ImportGlbPhysics, HasTheSizesOfTheExtensionWhereNoneAreGiven) {
  GlbFile file = physics_file();
  file.json["extensions"]["KHR_implicit_shapes"]["shapes"] = {
      {{"type", "sphere"}},
      {{"type", "box"}, {"box", GltfJson::object()}},
      {{"type", "capsule"}},
      {{"type", "cylinder"}, {"cylinder", GltfJson::object()}},
      {{"type", "sphere"}, {"sphere", {{"radius", 0}}}},
      {{"type", "box"}, {"box", {{"size", {-2, 2, 2}}}}}};
  std::vector<int> roots;
  for (int i = 0; i < 6; ++i) {
    roots.push_back(add_body(file, "b" + std::to_string(i), i, {0, 0, 0}));
  }
  file.scene(roots);
  const Imported imported(file);
  EXPECT_EQ(lines_of(imported.said), "");
  const auto value = [&](const char* prim, const char* name) {
    return imported.prim(prim).attribute(name).get<double>().value_or(-1.0);
  };
  EXPECT_EQ(value("b0", "radius"), 0.5);
  EXPECT_EQ(value("b1", "size"), 1.0);
  for (const char* prim : {"b2", "b3"}) {
    EXPECT_EQ(value(prim, "radius"), 0.25);
    EXPECT_EQ(value(prim, "height"), 0.5);
  }
  EXPECT_EQ(value("b4", "radius"), 0.0);
  EXPECT_EQ(value("b5", "size"), 2.0);
}

TEST(ImportGlbPhysics, EachFigureOfAMassIsWrittenByItself) {
  const auto text_of = [](GltfJson motion) {
    GlbFile file = physics_file();
    file.scene({add_body(file, "b", 0, {0, 0, 0}, std::move(motion))});
    return Imported(file).text;
  };
  const auto has = [](const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
  };
  const std::string center = text_of({{"centerOfMass", {1, 2, 3}}});
  EXPECT_TRUE(has(center, "PhysicsMassAPI"));
  EXPECT_TRUE(has(center, "physics:centerOfMass = (1, 2, 3)"));
  EXPECT_FALSE(has(center, "principalAxes"));
  const std::string moments = text_of({{"inertiaDiagonal", {1, 2, 3}}});
  EXPECT_TRUE(has(moments, "PhysicsMassAPI"));
  EXPECT_TRUE(has(moments, "physics:principalAxes = (1, 0, 0, 0)"));
  const std::string axes = text_of({{"inertiaOrientation", {0, 0, 2, 0}}});
  EXPECT_TRUE(has(axes, "PhysicsMassAPI"));
  EXPECT_TRUE(has(axes, "physics:principalAxes = (0, 0, 0, 1)"));
  EXPECT_FALSE(has(text_of({{"inertiaOrientation", {0, 0, 0, 0}}}), "PhysicsMassAPI"));
  EXPECT_FALSE(has(text_of(GltfJson::object()), "PhysicsMassAPI"));
}

TEST(ImportGlbPhysics, OfOtherScenesSaysNothing) {
  GlbFile file = physics_file();
  file.json["extensions"][kBodies]["physicsJoints"] = GltfJson::array({GltfJson::object()});
  const int inside = add_body(file, "inside", 0, {0, 0, 0}, {{"gravityFactor", 0.5}});
  const int outside = add_body(file, "outside", 0, {1, 0, 0}, {{"gravityFactor", 0.25}});
  GltfJson joint = {{"name", "hinge"}};
  joint["extensions"][kBodies]["joint"] = {{"connectedNode", outside}, {"joint", 0}};
  file.node(joint);
  const int plain = add_square(file);
  file.scene({inside});
  file.scene({plain});
  const Imported first(file, {.scene = 0});
  ASSERT_EQ(first.said.size(), 1U) << lines_of(first.said);
  EXPECT_EQ(first.said[0].code, "gltf-scenes");
  EXPECT_FLOAT_EQ(model_of(first).scenes.at(0).gravity_magnitude, 4.905F);
  EXPECT_EQ(first.result.counts.bodies, 1U);
  EXPECT_EQ(first.result.counts.physics_joints, 0U);
  const Imported second(file, {.scene = 1});
  EXPECT_EQ(second.text.find("Physics"), std::string::npos) << second.text;
}

TEST(ImportGlbPhysics, IsLeftOutWhereAsked) {
  GlbFile file = physics_file();
  file.scene({add_body(file, "ball", 0, {0, 5, 0})});
  const Imported imported(file, {.physics = false});
  EXPECT_EQ(imported.text.find("Physics"), std::string::npos) << imported.text;
  EXPECT_EQ(imported.result.counts.bodies, 0U);
  EXPECT_EQ(imported.result.counts.colliders, 0U);
  EXPECT_EQ(imported.prim("ball").type_name().view(), "Xform");
}

// A shape is the prim of its node if that is nothing else.
TEST(ImportGlbPhysics, MakesAPrimOfAShapeWhoseNodeIsMore) {
  GlbFile file = physics_file();
  file.add("cameras", {{"type", "perspective"}, {"perspective", {{"yfov", 0.6}, {"znear", 1}}}});
  const int alone = add_body(file, "alone", 0, {0, 0, 0});
  const int above = add_body(file, "above", 0, {1, 0, 0});
  const int eye = add_body(file, "eye", 0, {2, 0, 0});
  const int crate = add_body(file, "crate", 1, {2, 0, 0});
  GltfJson& nodes = file.json["nodes"];
  nodes[static_cast<std::size_t>(above)]["children"] = {add_square(file)};
  nodes[static_cast<std::size_t>(eye)]["camera"] = 0;
  file.scene({alone, above, eye, crate});
  const Imported imported(file);
  const auto collider = [&](const std::string& path) {
    const stage::Prim prim = imported.stage->prim(path);
    return prim ? std::string(prim.type_name().view()) : std::string("none");
  };
  EXPECT_EQ(collider("/Scene/alone"), "Sphere");
  EXPECT_EQ(collider("/Scene/alone/collider"), "none");
  EXPECT_EQ(collider("/Scene/above"), "Xform");
  EXPECT_EQ(collider("/Scene/above/collider"), "Sphere");
  EXPECT_EQ(collider("/Scene/eye/collider"), "Sphere");
  EXPECT_EQ(collider("/Scene/crate"), "Xform");
  EXPECT_EQ(collider("/Scene/crate/collider"), "Cube");
  EXPECT_EQ(imported.result.counts.colliders, 4U);
}

// The prim of a joint between a body and a frame on another, and what is told.
struct MadeJoint {
  Imported imported;
  stage::Prim prim;

  MadeJoint(const GltfJson& description, const ImportGlbOptions& options = {},
            const GltfJson& frame = GltfJson::object())
      : imported(file_of(description, frame), options), prim(imported.prim("hinge")) {}

  static GlbFile file_of(const GltfJson& description, const GltfJson& frame) {
    GlbFile file = physics_file();
    file.json["extensions"][kBodies]["physicsJoints"] = GltfJson::array({description});
    const int b = add_body(file, "b", 0, {4, 0, 0});
    GltfJson hinge = frame;
    hinge["name"] = "hinge";
    hinge["extensions"][kBodies]["joint"] = {{"connectedNode", b}, {"joint", 0}};
    const int start = file.node(hinge);
    const int a = add_body(file, "a", 0, {0, 0, 0});
    file.json["nodes"][static_cast<std::size_t>(a)]["children"] = {start};
    file.scene({a, b});
    return file;
  }
  std::string type() const { return std::string(prim.type_name().view()); }
  float number(const char* name) const {
    return prim.attribute(name).get<float>().value_or(-12345.0F);
  }
};

TEST(ImportGlbPhysics, JointsThatOnlyLookLikeASimplerKindAreGeneric) {
  const GltfJson linear = limit_of("linearAxes", {0, 1, 2}, 0, 0);
  const GltfJson turns = limit_of("angularAxes", {0, 1, 2}, 0, 0);
  const GltfJson rope = limit_of("linearAxes", {0, 1, 2}, 0.5, 2);
  const GltfJson cone = limit_of("angularAxes", {1, 2}, 0, 1);
  const struct {
    std::vector<GltfJson> limits;
    const char* type;
  } rows[] = {
      {{linear, turns}, "PhysicsFixedJoint"},
      // The twist of a cone is limited too.
      {{linear, cone, limit_of("angularAxes", {0}, -1, 1)}, "PhysicsJoint"},
      {{linear, limit_of("angularAxes", {0, 1}, 0, 0), cone}, "PhysicsJoint"},
      // A rope that does not let its ends turn, or not go along x.
      {{rope}, "PhysicsDistanceJoint"},
      {{rope, turns}, "PhysicsJoint"},
      {{rope, limit_of("angularAxes", {0}, 0, 0)}, "PhysicsJoint"},
      {{rope, limit_of("linearAxes", {0}, 0, 0)}, "PhysicsJoint"},
      {{rope, cone}, "PhysicsJoint"},
      {{rope, limit_of("linearAxes", {1, 2}, 0, 0), turns}, "PhysicsJoint"},
      // Two limits that are no cone: not symmetric, locked, open, or with all three turns.
      {{linear, limit_of("angularAxes", {0}, -1, 1), limit_of("angularAxes", {1}, -1, 1)},
       "PhysicsSphericalJoint"},
      {{linear, limit_of("angularAxes", {0}, -1, 0.5), limit_of("angularAxes", {1}, -1, 1)},
       "PhysicsJoint"},
      {{linear, limit_of("angularAxes", {0}, -1, 1), limit_of("angularAxes", {1}, -1, 0.5)},
       "PhysicsJoint"},
      {{linear, limit_of("angularAxes", {0}, 0, 0), limit_of("angularAxes", {1}, -1, 1)},
       "PhysicsJoint"},
      {{limit_of("linearAxes", {0, 1}, 0, 0), limit_of("angularAxes", {0}, -1, 1),
        limit_of("angularAxes", {1}, -1, 1)},
       "PhysicsJoint"},
      // Nothing is limited.
      {{{{"linearAxes", {0, 1, 2}}}, {{"min", 0}, {"max", 0}}}, "PhysicsJoint"},
  };
  for (const auto& row : rows) {
    const MadeJoint made(GltfJson::object({{"limits", row.limits}}));
    EXPECT_EQ(made.type(), row.type) << GltfJson(row.limits).dump();
    EXPECT_EQ(lines_of(made.imported.said), "");
  }
}

TEST(ImportGlbPhysics, LimitsOfTurnsAndTranslationsTogetherAreTold) {
  for (const auto& [linear, angular] : {std::pair(std::vector<int>{0, 1, 2}, std::vector<int>{0}),
                                        std::pair(std::vector<int>{0}, std::vector<int>{1, 2})}) {
    const GltfJson limit = {
        {"linearAxes", linear}, {"angularAxes", angular}, {"min", -1}, {"max", 1}};
    const MadeJoint made(GltfJson::object({{"limits", GltfJson::array({limit})}}));
    ASSERT_EQ(made.imported.said.size(), 1U) << lines_of(made.imported.said);
    EXPECT_EQ(made.imported.said[0].code, "gltf-physics-limit");
    EXPECT_EQ(made.imported.said[0].path,
              "/extensions/KHR_physics_rigid_bodies/physicsJoints/0/limits/0");
    EXPECT_EQ(made.type(), "PhysicsJoint");
  }
}

TEST(ImportGlbPhysics, ARopeHasOnlyTheEndsThatItIsGiven) {
  const auto rope = [](GltfJson limit) {
    limit["linearAxes"] = {0, 1, 2};
    const MadeJoint made(GltfJson::object({{"limits", GltfJson::array({limit})}}));
    EXPECT_EQ(made.type(), "PhysicsDistanceJoint");
    const auto has = [&](const char* name) {
      return made.imported.text.find(name) != std::string::npos;
    };
    return std::pair(has("minDistance"), has("maxDistance"));
  };
  EXPECT_EQ(rope({{"min", 0.5}}), std::pair(true, false));
  EXPECT_EQ(rope({{"max", 0.5}}), std::pair(false, true));
  EXPECT_EQ(rope({{"min", 0}, {"max", 0.5}}), std::pair(true, true));
  EXPECT_EQ(rope({{"min", -1}, {"max", 0.5}}), std::pair(false, true));
}

TEST(ImportGlbPhysics, DrivesOfOtherAxesNeedAGenericJoint) {
  const std::vector<GltfJson> hinge = {limit_of("linearAxes", {0, 1, 2}, 0, 0),
                                       limit_of("angularAxes", {0, 2}, 0, 0)};
  const std::vector<GltfJson> slide = {limit_of("linearAxes", {0, 2}, 0, 0),
                                       limit_of("angularAxes", {0, 1, 2}, 0, 0)};
  const auto type = [](const std::vector<GltfJson>& limits, const char* drive, int axis) {
    GltfJson description = {{"limits", limits}};
    description["drives"].push_back({{"type", drive}, {"axis", axis}});
    return MadeJoint(description).type();
  };
  EXPECT_EQ(type(hinge, "angular", 1), "PhysicsRevoluteJoint");
  EXPECT_EQ(type(hinge, "angular", 0), "PhysicsJoint");
  EXPECT_EQ(type(hinge, "linear", 1), "PhysicsJoint");
  EXPECT_EQ(type(slide, "linear", 1), "PhysicsPrismaticJoint");
  EXPECT_EQ(type(slide, "linear", 2), "PhysicsJoint");
  EXPECT_EQ(type(slide, "angular", 1), "PhysicsJoint");
}

// In centimetres, of which a newton holds a hundred, and a newton metre ten thousand.
TEST(ImportGlbPhysics, DrivesAreInTheUnitsOfTheLayer) {
  const auto drive = [](const char* type, const char* mode) {
    return GltfJson{{"type", type},          {"axis", 1},          {"mode", mode},
                    {"maxForce", 7},         {"stiffness", 180},   {"damping", 90},
                    {"positionTarget", 0.5}, {"velocityTarget", 2}};
  };
  const double degrees = 180.0 / std::numbers::pi;
  const ImportGlbOptions centimetres = {.meters_per_unit = 0.01};
  const struct {
    const char *type, *mode, *dof;
    double force, gain, target;
  } rows[] = {{"linear", "force", "transY", 1e2, 1.0, 1e2},
              {"linear", "acceleration", "transY", 1e2, 1.0, 1e2},
              {"angular", "force", "rotY", 1e4, 1e4 / degrees, degrees},
              {"angular", "acceleration", "rotY", 1e4, 1.0 / degrees, degrees}};
  for (const auto& row : rows) {
    GltfJson description;
    description["drives"].push_back(drive(row.type, row.mode));
    const MadeJoint made(description, centimetres);
    const auto number = [&](const char* name) {
      return made.number((std::string("drive:") + row.dof + ":physics:" + name).c_str());
    };
    EXPECT_FLOAT_EQ(number("maxForce"), static_cast<float>(7 * row.force)) << row.type;
    EXPECT_FLOAT_EQ(number("stiffness"), static_cast<float>(180 * row.gain)) << row.mode;
    EXPECT_FLOAT_EQ(number("damping"), static_cast<float>(90 * row.gain)) << row.mode;
    EXPECT_FLOAT_EQ(number("targetPosition"), static_cast<float>(0.5 * row.target)) << row.type;
    EXPECT_FLOAT_EQ(number("targetVelocity"), static_cast<float>(2 * row.target)) << row.type;
    const std::string kind = "physics:type = \"" + std::string(row.mode) + "\"";
    EXPECT_NE(made.imported.text.find(kind), std::string::npos);
  }
}

TEST(ImportGlbPhysics, FramesOfJointsTurnWithoutTheirScale) {
  const auto rotation = [](const GltfJson& frame) {
    const MadeJoint made(GltfJson::object(), {}, frame);
    return made.prim.attribute("physics:localRot0").get<Quatf>().value_or(Quatf(9, 9, 9, 9));
  };
  const double half = std::sqrt(0.5);
  const GltfJson turn = {0, 0, half, half};
  const Quatf turned(static_cast<float>(half), 0, 0, static_cast<float>(half));
  const auto apart = [](const Quatf& a, const Quatf& b) { return a.angularDistance(b); };
  EXPECT_LT(apart(rotation({{"rotation", turn}, {"scale", {2, 3, 4}}}), turned), 1e-3F);
  EXPECT_LT(apart(rotation({{"rotation", turn}, {"scale", {-2, 3, 4}}}), turned), 1e-3F);
  EXPECT_EQ(rotation({{"rotation", turn}, {"scale", {1, 0, 1}}}).coeffs(), Vector4f(0, 0, 0, 1));
}

}  // namespace
}  // namespace sinew::exporter::import_physics_test
