// SPDX-License-Identifier: Apache-2.0
// A glTF file that becomes a layer and a glTF file again is the same.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "export/gltf_import/round_trip.hpp"

namespace sinew::exporter::gltf_import_round_trip_test {
namespace {

using test::add_mesh;
using test::expect_same;
using test::GlbFile;
using test::GltfJson;
using test::kHalf;
using test::kSquare;
using test::kTilted;
using test::round_trip;
using test::RoundTrip;
using test::square;

constexpr const char* kBodies = "KHR_physics_rigid_bodies";

int add_material(GlbFile& file, const std::string& name, GltfJson more = GltfJson::object()) {
  more["name"] = name;
  return file.add("materials", more);
}

TEST(GltfRoundTrip, KeepsNodes) {
  GlbFile file;
  const int mesh = add_mesh(file, "plate", {square(file)});
  const int leaf = file.node({{"name", "empty leaf"}, {"translation", {0, 1, 0}}});
  const int unnamed = file.node({{"mesh", mesh}, {"scale", {1, 2, 3}}});
  const int mirrored = file.node({{"name", "mirrored"},
                                  {"mesh", mesh},
                                  {"rotation", {0, kHalf, 0, kHalf}},
                                  {"scale", {1, -2, 1}}});
  const int group = file.node({{"name", "Group 1"},
                               {"translation", {1, 2, 3}},
                               {"children", {leaf, unnamed, mirrored}},
                               {"extras", {{"kind", "group"}, {"list", {1, 2.5, "three"}}}}});
  const int same_name = file.node({{"name", "mirrored"}, {"mesh", mesh}});
  const int other = file.node({{"name", "2nd root"}, {"children", {same_name}}});
  file.scene({group, other});
  file.json["scenes"][0]["name"] = "The scene";
  expect_same(file);
}

TEST(GltfRoundTrip, KeepsASingleRoot) {
  GlbFile file;
  const int mesh = add_mesh(file, "plate", {square(file)});
  const int child = file.node({{"name", "child"}, {"mesh", mesh}});
  const int below = file.node({{"name", "parent"},
                               {"mesh", mesh},
                               {"children", {child}},
                               {"rotation", {kHalf, 0, 0, kHalf}}});
  file.scene({file.node({{"name", "root"}, {"translation", {0, 0, 1}}, {"children", {below}}})});
  expect_same(file);
}

TEST(GltfRoundTrip, KeepsPrimitives) {
  GlbFile file;
  const int red = add_material(file, "Red Paint",
                               {{"pbrMetallicRoughness", {{"baseColorFactor", {1, 0, 0, 1}}}}});
  const int white = add_material(file, "white");
  const int blue =
      add_material(file, "blue", {{"pbrMetallicRoughness", {{"baseColorFactor", {0, 0, 1, 1}}}}});
  const GltfJson pool = {
      {"POSITION", file.floats("VEC3", kSquare)},
      {"NORMAL", file.floats("VEC3", {0, 0, 1, 0, 0, 1, 0, 0, 1, 0.6F, 0, 0.8F})},
      {"TANGENT", file.floats("VEC4", {1, 0, 0, 1, 1, 0, 0, -1, 1, 0, 0, 1, 1, 0, 0, 1})},
      {"TEXCOORD_0", file.floats("VEC2", {0, 0, 1, 0, 1, 1, 0, 1})},
      {"TEXCOORD_1", file.floats("VEC2", {0.5F, 0, 0.25F, 0, 1, 0.75F, 0, 1})}};
  const auto part = [&](const std::vector<std::uint8_t>& indices, int material) {
    GltfJson primitive = {{"attributes", pool}, {"indices", file.accessor("SCALAR", indices)}};
    if (material >= 0) primitive["material"] = material;
    return primitive;
  };
  // One pool of vertices; a primitive without material between others, and two of one material.
  const int shared = add_mesh(
      file, "shared pool",
      {part({0, 1, 2}, red), part({0, 2, 3}, -1), part({1, 2, 3}, blue), part({3, 2, 1}, red)},
      {{"extras", {{"author", "hand"}}}});
  // Pools of their own, with other attributes.
  GltfJson plain = square(file);
  plain["material"] = red;
  GltfJson colored =
      square(file,
             {{"COLOR_0", file.accessor("VEC4",
                                        std::vector<std::uint8_t>{255, 0, 0, 255, 0, 255, 0, 128, 0,
                                                                  0, 255, 255, 51, 102, 153, 255},
                                        true)}},
             kTilted);
  colored["material"] = white;
  GltfJson uncolored = square(
      file, {{"COLOR_0", file.floats("VEC3", {1, 0, 0, 0, 1, 0, 0, 0, 1, 0.5F, 0.5F, 0.5F})}});
  const int several = add_mesh(file, "several", {plain, colored, uncolored});
  const int child = file.node({{"name", "child"}, {"mesh", shared}});
  file.scene({file.node({{"name", "a"}, {"mesh", several}, {"children", {child}}}),
              file.node({{"name", "b"}, {"translation", {2, 0, 0}}})});
  expect_same(file);
}

// What is unbound is grey elsewhere.
TEST(GltfRoundTrip, AddsNoMaterial) {
  GlbFile file;
  file.scene({file.node({{"name", "plate"}, {"mesh", add_mesh(file, "plate", {square(file)})}})});
  expect_same(file);
}

TEST(GltfRoundTrip, KeepsMeshesShared) {
  GlbFile file;
  const int red = add_material(file, "red", {{"doubleSided", true}});
  GltfJson first = square(file);
  first["material"] = red;
  const int two = add_mesh(file, "two parts", {first, square(file, {}, kTilted)});
  const int one = add_mesh(file, "one", {square(file, {}, kTilted)});
  const int twin = add_mesh(file, "one more", {square(file, {}, kTilted)});
  const int below = file.node({{"name", "below"}, {"mesh", one}});
  file.scene({file.node({{"name", "a"}, {"mesh", two}}),
              file.node({{"name", "b"}, {"mesh", two}, {"scale", {2, 2, 2}}}),
              file.node({{"name", "c"}, {"mesh", one}, {"children", {below}}}),
              file.node({{"name", "d"}, {"mesh", one}}),
              file.node({{"name", "e"}, {"mesh", twin}})});
  expect_same(file);
  const RoundTrip trip = round_trip(file);
  EXPECT_EQ(test::SameGlb::count(trip.file, "meshes"), 3U);
  // The points of each mesh stand in the layer once.
  std::size_t arrays = 0;
  for (std::size_t at = 0; (at = trip.text.find("point3f[] points", at)) != std::string::npos;
       ++at) {
    ++arrays;
  }
  EXPECT_EQ(arrays, 4U);
}

TEST(GltfRoundTrip, KeepsCameras) {
  GlbFile file;
  const int wide = file.add(
      "cameras",
      {{"name", "wide lens"},
       {"type", "perspective"},
       {"perspective", {{"aspectRatio", 1.7777}, {"yfov", 1.1}, {"znear", 0.1}, {"zfar", 50.0}}}});
  const int flat = file.add(
      "cameras", {{"name", "flat"},
                  {"type", "orthographic"},
                  {"orthographic", {{"xmag", 3.0}, {"ymag", 2.0}, {"znear", 0.5}, {"zfar", 9.0}}}});
  const int mesh = add_mesh(file, "box", {square(file)});
  const int child = file.node({{"name", "child"}, {"camera", flat}, {"translation", {0, 1, 0}}});
  file.scene(
      {file.node({{"name", "both"}, {"camera", wide}, {"mesh", mesh}, {"children", {child}}})});
  expect_same(file);
}

TEST(GltfRoundTrip, KeepsMaterials) {
  GlbFile file;
  const auto image = [&](const std::string& name, const std::string& bytes, const char* type) {
    return file.add("images",
                    {{"name", name}, {"mimeType", type}, {"bufferView", file.view(bytes)}});
  };
  const int png = image("wood", std::string("\x89PNG\r\n\x1A\n wood"), "image/png");
  const int jpg = image("rough", std::string("\xFF\xD8\xFF rough"), "image/jpeg");
  const int sampler = file.add("samplers", {{"wrapS", 33071}, {"wrapT", 33648}});
  const int wood = file.add("textures", {{"source", png}});
  const int clamped = file.add("textures", {{"source", jpg}, {"sampler", sampler}});
  const GltfJson transform = {
      {"KHR_texture_transform",
       {{"offset", {0.25, 0.5}}, {"rotation", 0.6}, {"scale", {2.0, 3.0}}}}};
  file.json["extensionsUsed"] = {"KHR_texture_transform", "KHR_materials_emissive_strength",
                                 "KHR_materials_ior", "KHR_materials_clearcoat"};
  std::vector<int> materials;
  materials.push_back(
      add_material(file, "All Of It",
                   {{"pbrMetallicRoughness",
                     {{"baseColorFactor", {0.5, 0.25, 1.0, 1.0}},
                      {"baseColorTexture", {{"index", wood}, {"extensions", transform}}},
                      {"metallicFactor", 0.5},
                      {"roughnessFactor", 0.25},
                      {"metallicRoughnessTexture", {{"index", clamped}}}}},
                    {"normalTexture", {{"index", clamped}, {"scale", 0.5}}},
                    {"occlusionTexture", {{"index", clamped}, {"texCoord", 1}, {"strength", 0.75}}},
                    {"emissiveFactor", {1.0, 0.5, 0.0}},
                    {"emissiveTexture", {{"index", wood}}},
                    {"extensions",
                     {{"KHR_materials_emissive_strength", {{"emissiveStrength", 4.0}}},
                      {"KHR_materials_ior", {{"ior", 1.25}}},
                      {"KHR_materials_clearcoat",
                       {{"clearcoatFactor", 0.5},
                        {"clearcoatTexture", {{"index", clamped}}},
                        {"clearcoatRoughnessFactor", 0.25},
                        {"clearcoatRoughnessTexture", {{"index", clamped}, {"texCoord", 1}}}}}}},
                    {"extras", {{"finish", "matt"}}}}));
  materials.push_back(
      add_material(file, "cut",
                   {{"pbrMetallicRoughness", {{"baseColorTexture", {{"index", wood}}}}},
                    {"alphaMode", "MASK"},
                    {"alphaCutoff", 0.25},
                    {"doubleSided", true}}));
  materials.push_back(
      add_material(file, "glass",
                   {{"pbrMetallicRoughness",
                     {{"baseColorFactor", {1.0, 1.0, 1.0, 0.25}}, {"metallicFactor", 0.0}}},
                    {"alphaMode", "BLEND"}}));
  materials.push_back(add_material(file, "blended", {{"alphaMode", "BLEND"}}));
  materials.push_back(add_material(file, "default", {}));
  const GltfJson uvs = {{"POSITION", file.floats("VEC3", kSquare)},
                        {"TEXCOORD_0", file.floats("VEC2", {0, 0, 1, 0, 1, 1, 0, 1})},
                        {"TEXCOORD_1", file.floats("VEC2", {1, 0, 1, 1, 0, 1, 0, 0})}};
  std::vector<int> roots;
  for (const int material : materials) {
    GltfJson primitive = square(file, uvs);
    primitive["material"] = material;
    const std::string name = "m" + std::to_string(material);
    roots.push_back(file.node({{"name", name}, {"mesh", add_mesh(file, name, {primitive})}}));
  }
  file.scene(roots);
  expect_same(file);
}

TEST(GltfRoundTrip, KeepsPhysics) {
  GlbFile file;
  file.json["extensionsUsed"] = {kBodies, "KHR_implicit_shapes"};
  const auto shape = [&](GltfJson item) {
    GltfJson& list = file.json["extensions"]["KHR_implicit_shapes"]["shapes"];
    list.push_back(std::move(item));
    return static_cast<int>(list.size()) - 1;
  };
  const int ball = shape({{"type", "sphere"}, {"sphere", {{"radius", 0.75}}}});
  const int cube = shape({{"type", "box"}, {"box", {{"size", {2.0, 2.0, 2.0}}}}});
  const int slab = shape({{"type", "box"}, {"box", {{"size", {4.0, 0.5, 2.0}}}}});
  const int pill =
      shape({{"type", "capsule"},
             {"capsule", {{"height", 1.5}, {"radiusBottom", 0.5}, {"radiusTop", 0.5}}}});
  const int drop =
      shape({{"type", "capsule"},
             {"capsule", {{"height", 1.5}, {"radiusBottom", 0.5}, {"radiusTop", 0.25}}}});
  const int can =
      shape({{"type", "cylinder"},
             {"cylinder", {{"height", 2.0}, {"radiusBottom", 0.5}, {"radiusTop", 0.5}}}});
  const int cup =
      shape({{"type", "cylinder"},
             {"cylinder", {{"height", 2.0}, {"radiusBottom", 0.5}, {"radiusTop", 0.75}}}});
  const int ground = shape({{"type", "plane"}, {"plane", GltfJson::object()}});
  GltfJson& physics = file.json["extensions"][kBodies];
  physics["physicsMaterials"] = {
      {{"staticFriction", 0.75}, {"dynamicFriction", 0.5}, {"restitution", 0.25}}};
  physics["collisionFilters"] = {{{"collisionSystems", {"a"}}, {"notCollideWithSystems", {"a"}}}};
  const GltfJson all = {0, 1, 2};
  const auto lock = [](const char* axes, GltfJson which) {
    return GltfJson{{axes, std::move(which)}, {"min", 0.0}, {"max", 0.0}};
  };
  physics["physicsJoints"] = {
      {{"limits", {lock("linearAxes", all), lock("angularAxes", all)}}},
      {{"limits",
        {lock("linearAxes", all),
         lock("angularAxes", {0, 1}),
         {{"angularAxes", {2}}, {"min", -0.5}, {"max", 1.0}}}},
       {"drives",
        {{{"type", "angular"},
          {"mode", "force"},
          {"axis", 2},
          {"maxForce", 12.0},
          {"positionTarget", 0.25},
          {"stiffness", 100.0},
          {"velocityTarget", 0.5},
          {"damping", 3.0}}}}},
      {{"limits",
        {lock("angularAxes", all),
         lock("linearAxes", {1, 2}),
         {{"linearAxes", {0}}, {"min", -2.0}, {"max", 3.0}}}}},
      {{"limits",
        {lock("linearAxes", all), {{"angularAxes", {1, 2}}, {"min", 0.0}, {"max", 0.75}}}}},
      {{"limits", {{{"linearAxes", all}, {"min", 0.5}, {"max", 2.0}}}}}};
  const int mesh = add_mesh(file, "crate", {square(file)});
  const int hull = add_mesh(file, "hull", {square(file, {}, kTilted)});
  std::vector<int> bodies, roots;
  const auto with = [](GltfJson node, const char* key, GltfJson value) {
    node["extensions"][kBodies][key] = std::move(value);
    return node;
  };
  const auto body = [&](const std::string& name, float x, GltfJson node = GltfJson::object()) {
    node["name"] = name;
    node["translation"] = {x, 1.0, 0.0};
    bodies.push_back(file.node(with(node, "motion",
                                    {{"mass", 2.0 + static_cast<double>(x)},
                                     {"centerOfMass", {0.0, 0.25, 0.0}},
                                     {"inertiaDiagonal", {1.0, 2.0, 1.5}},
                                     {"inertiaOrientation", {0.0, 0.0, 0.6, 0.8}},
                                     {"linearVelocity", {1.0, 0.0, 0.0}},
                                     {"angularVelocity", {0.0, 0.5, 0.0}}})));
    roots.push_back(bodies.back());
    return bodies.back();
  };
  const auto collider = [&](const std::string& name, int which, GltfJson more = GltfJson::object(),
                            GltfJson node = GltfJson::object()) {
    more["geometry"]["shape"] = which;
    node["name"] = name;
    return file.node(with(node, "collider", more));
  };
  // Colliders below a body, one on the body itself, one with a mesh of the body, a hull.
  body("a", 0,
       {{"children",
         {collider("ball", ball, {{"physicsMaterial", 0}}, {{"translation", {0, 1, 0}}}),
          collider("cube", cube, {}, {{"rotation", {0, 0.6, 0, 0.8}}}), collider("slab", slab),
          collider("pill", pill), collider("drop", drop), collider("can", can),
          collider("cup", cup)}}});
  body("b", 4,
       with({{"mesh", mesh}}, "collider",
            {{"geometry", {{"shape", slab}}}, {"collisionFilter", 0}}));
  body("c", 8, with({{"mesh", mesh}}, "collider", {{"geometry", {{"mesh", mesh}}}}));
  // A joint keeps neighbours apart; a filter those that have none.
  body("d", 12,
       with({}, "collider",
            {{"geometry", {{"mesh", hull}, {"convexHull", true}}}, {"collisionFilter", 0}}));
  body("e", 16, {{"children", {collider("e_ball", ball)}}});
  body("f", 20, {{"children", {collider("f_ball", ball)}}});
  roots.push_back(collider("ground", ground));
  // Joints between neighbours, in frames of their own.
  for (int i = 0; i < 5; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const std::string name = "joint" + std::to_string(i);
    const int end = file.node({{"name", name + " end"}, {"translation", {-2, 0, 0}}});
    const int start = file.node(with({{"name", name}, {"translation", {2, 0, 0}}}, "joint",
                                     {{"connectedNode", end}, {"joint", i}}));
    file.json["nodes"][static_cast<std::size_t>(bodies[at])]["children"].push_back(start);
    file.json["nodes"][static_cast<std::size_t>(bodies[at + 1])]["children"].push_back(end);
  }
  file.scene(roots);
  expect_same(file);
}

}  // namespace
}  // namespace sinew::exporter::gltf_import_round_trip_test
