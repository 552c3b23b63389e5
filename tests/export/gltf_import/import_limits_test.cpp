// SPDX-License-Identifier: Apache-2.0
// Files that say more, or other things, than a stage can hold.
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "export/gltf_import/imported.hpp"
#include "export/gltf_import/tracks.hpp"

namespace sinew::exporter::import_limits_test {
namespace {

using test::add_square;
using test::GlbFile;
using test::GltfJson;
using test::Imported;
using test::kSquare;

constexpr const char* kBodies = "KHR_physics_rigid_bodies";

bool says(const Diagnostics& diagnostics, const std::string& code) {
  return test::lines_of(diagnostics).find("[" + code + "]") != std::string::npos;
}

// Everything that was imported is in order, and the importer says what it changed.
void expect_sane(const GlbFile& file, const std::string& code,
                 const ImportGlbOptions& options = {}) {
  const Imported imported(file, options);
  EXPECT_TRUE(says(imported.said, code)) << test::lines_of(imported.said);
  EXPECT_EQ(test::lines_of(imported.found), "") << imported.text;
  EXPECT_EQ(imported.text.find(" inf\n"), std::string::npos) << imported.text;
  EXPECT_EQ(imported.text.find(" nan\n"), std::string::npos) << imported.text;
}

GlbFile square_with_material(GltfJson material) {
  GlbFile file;
  file.add("materials", std::move(material));
  file.scene({add_square(file, {{"material", 0}})});
  return file;
}

TEST(ImportGlbLimits, NumbersOfMaterialsThatNoFloatHoldsAreReplaced) {
  const std::vector<GltfJson> extensions = {
      {{"KHR_materials_emissive_strength", {{"emissiveStrength", 1e300}}}},
      {{"KHR_materials_emissive_strength", {{"emissiveStrength", -3}}}},
      {{"KHR_materials_ior", {{"ior", 1e300}}}}};
  for (const GltfJson& extension : extensions) {
    expect_sane(square_with_material({{"emissiveFactor", {1, 1, 1}}, {"extensions", extension}}),
                "gltf-number");
  }
  expect_sane(square_with_material({{"alphaMode", "MASK"}, {"alphaCutoff", 1e300}}), "gltf-number");
}

TEST(ImportGlbLimits, AFarPlaneBeforeTheNearOneIsLeftOut) {
  GlbFile file;
  file.add("cameras",
           {{"type", "perspective"}, {"perspective", {{"yfov", 0.5}, {"znear", 10}, {"zfar", 1}}}});
  file.scene({file.node({{"name", "eye"}, {"camera", 0}})});
  expect_sane(file, "gltf-camera");
}

TEST(ImportGlbLimits, PointsStayFiniteInSmallUnits) {
  GlbFile file;
  std::vector<float> points = kSquare;
  points[3] = 3e38F;
  file.scene({add_square(file, {{"attributes", {{"POSITION", file.floats("VEC3", points)}}}})});
  ImportGlbOptions options;
  options.meters_per_unit = 0.01;
  const Imported imported(file, options);
  EXPECT_EQ(imported.text.find("inf"), std::string::npos) << imported.text;
}

TEST(ImportGlbLimits, OffsetsAndPlacesOfInstancesStayFiniteInSmallUnits) {
  GlbFile file;
  GltfJson primitive, node;
  const std::vector<float> far = {0, 0, -3e38F, 3e38F, 0, 0, 1, 1, 0, 0, 1, 0};
  primitive["targets"] = {{{"POSITION", file.floats("VEC3", far)}}};
  const int morphing = add_square(file, primitive, {{"name", "morphing"}});
  node["extensions"]["EXT_mesh_gpu_instancing"]["attributes"]["TRANSLATION"] =
      file.floats("VEC3", far);
  file.scene({morphing, add_square(file, {}, node)});
  ImportGlbOptions options;
  options.meters_per_unit = 0.01;
  const Imported imported(file, options);
  EXPECT_EQ(imported.text.find("inf"), std::string::npos) << imported.text;
  const float most = std::numeric_limits<float>::max();
  EXPECT_EQ(imported.array<Vector3f>("instances", "positions")[0], Vector3f(0, 0, -most));
  EXPECT_EQ(imported.array<Vector3f>("instances", "positions")[2], Vector3f(100, 100, 0));
}

TEST(ImportGlbLimits, BodiesAndJointsStayFiniteInSmallUnits) {
  GlbFile file;
  file.json["extensions"]["KHR_implicit_shapes"]["shapes"] = {
      {{"type", "box"}, {"box", {{"size", {3e38, 1, 2}}}}}};
  GltfJson& bodies = file.json["extensions"][kBodies];
  bodies["physicsJoints"] = {
      {{"drives",
        {{{"type", "angular"}, {"axis", 0}, {"maxForce", 3e38}, {"positionTarget", -3e38}}}}}};
  GltfJson node = {{"name", "body"}};
  node["extensions"][kBodies]["motion"] = {{"linearVelocity", {3e38, 1, 0}},
                                           {"angularVelocity", {0, -3e38, 0}},
                                           {"centerOfMass", {3, 0, -3e38}},
                                           {"inertiaDiagonal", {3e38, 1, 2}}};
  node["extensions"][kBodies]["collider"] = {{"geometry", {{"shape", 0}}}};
  const int body = file.node(node);
  GltfJson end = {{"name", "joint"}, {"translation", {3e38, 0, 1}}};
  end["extensions"][kBodies]["joint"] = {{"connectedNode", body}, {"joint", 0}};
  file.scene({body, file.node(end)});
  ImportGlbOptions options;
  options.meters_per_unit = 0.01;
  const Imported imported(file, options);
  EXPECT_EQ(test::lines_of(imported.said), "");
  EXPECT_EQ(imported.text.find("inf"), std::string::npos) << imported.text;
  const float most = std::numeric_limits<float>::max();
  const std::pair<std::string, Vector3f> vectors[] = {
      {"physics:velocity", {most, 100, 0}},
      {"physics:angularVelocity", {0, -most, 0}},
      {"physics:centerOfMass", {300, 0, -most}},
      {"physics:diagonalInertia", {most, 10000, 20000}}};
  for (const auto& [name, value] : vectors) {
    EXPECT_EQ(imported.prim("body").attribute(name).get<Vector3f>(), value) << name;
  }
  EXPECT_EQ(imported.prim("collider").attribute("xformOp:scale").get<Vector3f>(),
            Vector3f(most, 100, 200));
  const stage::Prim joint = imported.prim("joint");
  EXPECT_EQ(joint.attribute("physics:localPos0").get<Vector3f>(), Vector3f(most, 0, 100));
  EXPECT_EQ(joint.attribute("drive:rotX:physics:maxForce").get<float>(), most);
  EXPECT_EQ(joint.attribute("drive:rotX:physics:targetPosition").get<float>(), -most);
}

TEST(ImportGlbLimits, CamerasStayFiniteInSmallUnits) {
  GlbFile file;
  file.add("cameras",
           {{"type", "orthographic"},
            {"orthographic", {{"xmag", 3e38}, {"ymag", 2e37}, {"znear", 0.5}, {"zfar", 3e38}}}});
  file.add("cameras", {{"type", "perspective"},
                       {"perspective", {{"yfov", 1e-38}, {"aspectRatio", 1e-38}, {"znear", 1}}}});
  file.scene(
      {file.node({{"name", "flat"}, {"camera", 0}}), file.node({{"name", "far"}, {"camera", 1}})});
  ImportGlbOptions options;
  options.meters_per_unit = 0.01;
  const Imported imported(file, options);
  EXPECT_EQ(imported.text.find("inf"), std::string::npos) << imported.text;
  const float most = std::numeric_limits<float>::max();
  const stage::Prim flat = imported.prim("flat");
  EXPECT_EQ(flat.attribute("horizontalAperture").get<float>(), most);
  EXPECT_EQ(flat.attribute("verticalAperture").get<float>(), most);
  EXPECT_EQ(flat.attribute("clippingRange").get<Vector2f>(), Vector2f(50, most));
  EXPECT_EQ(imported.prim("far").attribute("focalLength").get<float>(), most);
  EXPECT_EQ(imported.prim("far").attribute("verticalAperture").get<float>(), most);
  EXPECT_EQ(imported.prim("far").attribute("clippingRange").get<Vector2f>(), Vector2f(100, 1e8F));
}

TEST(ImportGlbLimits, ScalesOfJointsStayWithinHalfPrecision) {
  GlbFile file;
  GltfJson primitive;
  primitive["attributes"] = {
      {"JOINTS_0", file.accessor("VEC4", std::vector<std::uint8_t>(16, 0))},
      {"WEIGHTS_0", file.floats("VEC4", {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0})}};
  const int joint = file.node({{"name", "joint"}});
  file.add("skins", {{"joints", {joint}}});
  file.scene({joint, add_square(file, primitive, {{"skin", 0}})});
  file.add("animations",
           {{"channels", {{{"sampler", 0}, {"target", {{"node", joint}, {"path", "scale"}}}}}},
            {"samplers",
             {{{"input", file.floats("SCALAR", {0, 1})},
               {"output", file.floats("VEC3", {1, 1, 1, 1e6F, -1e6F, 2})}}}}});
  const Imported imported(file);
  EXPECT_TRUE(says(imported.said, "gltf-scale-rounded")) << test::lines_of(imported.said);
  EXPECT_NE(imported.text.find("24: [(65504, -65504, 2)]"), std::string::npos) << imported.text;
}

TEST(ImportGlbLimits, MomentsOfZeroAreLeftOut) {
  GlbFile file;
  file.json["extensionsUsed"] = {kBodies};
  GltfJson node;
  node["extensions"][kBodies]["motion"] = {{"mass", 2}, {"inertiaDiagonal", {0, 1, 1}}};
  file.scene({add_square(file, {}, node)});
  expect_sane(file, "gltf-physics-inertia");
}

TEST(ImportGlbLimits, ManyFiltersAreCompared) {
  GlbFile file;
  file.json["extensionsUsed"] = {"KHR_implicit_shapes", kBodies};
  file.json["extensions"]["KHR_implicit_shapes"]["shapes"] = {
      {{"type", "sphere"}, {"sphere", {{"radius", 1}}}}};
  constexpr int kCount = 500;
  GltfJson filters = GltfJson::array(), names = GltfJson::array();
  for (int i = 0; i < kCount; ++i) {
    const std::string name = "s" + std::to_string(i);
    filters.push_back({{"collisionSystems", {name}}, {"notCollideWithSystems", names}});
    names.push_back(name);
  }
  file.json["extensions"][kBodies]["collisionFilters"] = filters;
  std::vector<int> roots;
  for (int i = 0; i < kCount; ++i) {
    GltfJson node = {{"name", "n" + std::to_string(i)}};
    node["extensions"][kBodies]["collider"] = {{"geometry", {{"shape", 0}}},
                                               {"collisionFilter", i}};
    roots.push_back(file.node(node));
  }
  file.scene(roots);
  const Imported imported(file);
  EXPECT_EQ(test::lines_of(imported.said), "");
  const auto filtered = imported.prim("filter_0").relationship("physics:filteredGroups").targets();
  EXPECT_EQ(filtered.size(), static_cast<std::size_t>(kCount - 1));
}

TEST(ImportGlbLimits, FiltersThatAreTooManyToCompareAreLeftOut) {
  GlbFile file;
  file.json["extensions"]["KHR_implicit_shapes"]["shapes"] = {{{"type", "sphere"}}};
  constexpr int kCount = 17321;  // Its square is above 3e8.
  std::vector<int> roots;
  for (int i = 0; i < kCount; ++i) {
    GltfJson node;
    node["extensions"][kBodies]["collider"] = {{"geometry", {{"shape", 0}}},
                                               {"collisionFilter", i}};
    roots.push_back(file.node(std::move(node)));
  }
  file.scene(roots);
  file.json["extensions"][kBodies]["collisionFilters"] =
      GltfJson(static_cast<std::size_t>(kCount), GltfJson::object());
  Diagnostics said;
  const auto imported = import_glb(file.bytes(), {}, said);
  ASSERT_TRUE(imported);
  ASSERT_EQ(said.size(), 1U);
  EXPECT_EQ(said[0].code, "gltf-physics-filters");
  EXPECT_EQ(said[0].path, "/extensions/KHR_physics_rigid_bodies/collisionFilters");
  EXPECT_EQ(imported->counts.colliders, static_cast<std::size_t>(kCount));
  EXPECT_EQ(usda::write(*imported->layer).find("PhysicsCollisionGroup"), std::string::npos);
}

GlbFile square_with_texture() {
  GlbFile file;
  file.add("images", {{"uri", "tex.png"}});
  file.add("textures", {{"source", 0}});
  file.add("materials", {{"pbrMetallicRoughness", {{"baseColorTexture", {{"index", 0}}}}}});
  GltfJson primitive = {{"material", 0}};
  primitive["attributes"] = {{"POSITION", file.floats("VEC3", kSquare)},
                             {"TEXCOORD_0", file.floats("VEC2", {0, 0, 1, 0, 1, 1, 0, 1})}};
  file.scene({add_square(file, primitive)});
  return file;
}

TEST(ImportGlbLimits, ImagesBesideTheFileAreNamedAsTheLayerSeesThem) {
  ImportGlbOptions options;
  options.file = "models/a/x.gltf";
  options.identifier = "models/b/x.usda";
  const Imported imported(square_with_texture(), options);
  EXPECT_NE(imported.text.find("@../a/tex.png@"), std::string::npos) << imported.text;
}

TEST(ImportGlbLimits, ImagesBesideTheFileAreCollectedForPackages) {
  stage::MemoryResolver resolver;
  resolver.add("models/a/tex.png", "\x89PNG");
  ImportGlbOptions options;
  options.file = "models/a/x.gltf";
  options.identifier = "models/b/x.usdz";
  options.resolver = &resolver;
  options.textures = ImportedTextures::collect;
  const Imported imported(square_with_texture(), options);
  ASSERT_EQ(imported.result.images.size(), 1U) << test::lines_of(imported.said);
  EXPECT_EQ(imported.result.images[0].name, "textures/tex.png");
  EXPECT_NE(imported.text.find("@./textures/tex.png@"), std::string::npos) << imported.text;
}

TEST(ImportGlbLimits, ImagesThatCannotBeCollectedStayWhereTheyAre) {
  stage::MemoryResolver resolver;
  ImportGlbOptions options;
  options.file = "models/a/x.gltf";
  options.identifier = "models/b/x.usdz";
  options.resolver = &resolver;
  options.textures = ImportedTextures::collect;
  const Imported imported(square_with_texture(), options);
  ASSERT_EQ(imported.said.size(), 1U) << test::lines_of(imported.said);
  EXPECT_EQ(imported.said[0].code, "gltf-image");
  EXPECT_EQ(imported.said[0].path, "/images/0");
  EXPECT_EQ(imported.said[0].message, resolver.resolve("tex.png", options.file).error().message);
  EXPECT_TRUE(imported.result.images.empty());
  EXPECT_NE(imported.text.find("@../a/tex.png@"), std::string::npos) << imported.text;
}

// Steps of time codes that doubles cannot tell apart.
TEST(ImportGlbLimits, KeysStayApartWhereTheirTimeCodesFallTogether) {
  GlbFile file;
  file.scene({file.node({{"name", "a"}})});
  file.add("animations",
           {{"channels", {{{"sampler", 0}, {"target", {{"node", 0}, {"path", "translation"}}}}}},
            {"samplers",
             {{{"input", file.floats("SCALAR", {1, 1.25F, 1.5F})},
               {"output", file.floats("VEC3", {1, 0, 0, 2, 0, 0, 3, 0, 0})}}}}});
  const double least = std::numeric_limits<double>::denorm_min();
  const Imported imported(file, {.time_codes_per_second = least});
  const stage::Attribute places = imported.prim("a").attribute("xformOp:translate");
  for (int i = 1; i <= 3; ++i) {
    EXPECT_EQ(places.get<Vector3d>(stage::Time(i * least)), Vector3d(i, 0, 0));
  }
}

// The keys of a spline count while they are made.
TEST(ImportGlbLimits, SplinesStopWhereTheBudgetEnds) {
  constexpr std::size_t kKeys = 1000;
  std::vector<float> times, values;
  for (std::size_t i = 0; i < kKeys; ++i) {
    times.push_back(static_cast<float>(i));
    for (int k = 0; k < 3; ++k) values.insert(values.end(), {1e6F, 0.0F, -1e6F});
  }
  gltf_import::Channel channel;
  channel.interpolation = gltf_import::Interpolation::cubic_spline;
  channel.width = 3;
  channel.times = {std::make_shared<const std::vector<float>>(times), 1, nullptr};
  channel.values = {std::make_shared<const std::vector<float>>(values), 3, nullptr};
  Limits limits;
  limits.decoded_bytes = 4 * kKeys * 20;
  limits.decoded_per_byte = 0;
  Budget budget(limits, 0);
  const auto track = gltf_import::make_track(channel, 1e-4, budget);
  EXPECT_TRUE(budget.is_spent());
  EXPECT_TRUE(track.times.empty());
  EXPECT_LT(track.values.capacity(), 1U);
}

}  // namespace
}  // namespace sinew::exporter::import_limits_test
