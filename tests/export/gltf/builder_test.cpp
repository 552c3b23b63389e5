// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "export/gltf/glb_checker.hpp"
#include "sinew/export/glb_builder.hpp"

namespace sinew::exporter::builder_test {
namespace {

const std::vector<Vector3f> kPoints = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
const std::vector<std::uint32_t> kTriangles = {0, 1, 2, 2, 1, 3};

/// A mesh of two triangles; the arrays live as long as the program.
GlbMesh quad(const GlbPrimitive& primitive) {
  GlbMesh mesh;
  mesh.name = "quad";
  mesh.positions = kPoints;
  mesh.primitives = {&primitive, 1};
  return mesh;
}

ErrorCode code_of(GlbBuilder& builder) {
  const Result<GltfFile> file = builder.finish();
  return file ? ErrorCode::ok : file.error().code;
}

std::string message_of(GlbBuilder& builder) {
  const Result<GltfFile> file = builder.finish();
  return file ? "" : file.error().message;
}

TEST(GlbBuilder, WritesANodeWithAMesh) {
  GlbBuilder builder;
  const GlbPrimitive primitive = {kTriangles};
  GlbNode node;
  node.name = "holder";
  node.mesh = builder.add_mesh(quad(primitive));
  node.transform.translation = {1, 2, 3};
  builder.add_node(node);

  const Result<GltfFile> file = builder.finish();

  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ(test::check_glb(file->bytes), "");
  std::string problem;
  const test::GlbParts parts = test::open_glb(file->bytes, problem);
  EXPECT_EQ(parts.json["nodes"][0]["translation"], nlohmann::json({1, 2, 3}));
  EXPECT_EQ(parts.json["scenes"][0]["nodes"], nlohmann::json::array({0}));
  const auto& primitives = parts.json["meshes"][0]["primitives"];
  EXPECT_EQ(parts.integers(primitives[0]["indices"]), kTriangles);
  EXPECT_EQ(parts.floats(primitives[0]["attributes"]["POSITION"])[3], 1.0F);
  EXPECT_EQ(file->summary.triangles, 2U);
}

TEST(GlbBuilder, WritesNothingAsAnEmptyScene) {
  GlbBuilder builder;

  const Result<GltfFile> file = builder.finish();

  ASSERT_TRUE(file);
  EXPECT_EQ(test::check_glb(file->bytes), "");
  std::string problem;
  EXPECT_EQ(test::open_glb(file->bytes, problem).json["scenes"], nlohmann::json::parse("[{}]"));
}

TEST(GlbBuilder, StoresEqualArraysOnce) {
  const GlbPrimitive primitive = {kTriangles};
  GlbBuilder one, two;
  one.add_mesh(quad(primitive));
  two.add_mesh(quad(primitive));
  two.add_mesh(quad(primitive));

  const Result<GltfFile> single = one.finish(), both = two.finish();

  ASSERT_TRUE(single && both);
  EXPECT_EQ(single->summary.vertex_bytes, both->summary.vertex_bytes);
  EXPECT_EQ(both->summary.saved_bytes, both->summary.vertex_bytes + both->summary.index_bytes);
}

TEST(GlbBuilder, ChecksEveryIndex) {
  const GlbPrimitive good = {kTriangles};
  const auto expect = [&](ErrorCode code, auto&& add) {
    GlbBuilder builder;
    builder.add_node({.name = "first"});
    add(builder);
    EXPECT_EQ(to_string(code_of(builder)), to_string(code));
  };
  const std::vector<std::uint32_t> beyond = {0, 1, 4};
  const GlbPrimitive bad = {beyond};
  expect(ErrorCode::index_out_of_range, [&](GlbBuilder& b) { b.add_mesh(quad(bad)); });
  const GlbPrimitive unpainted = {kTriangles, 3};
  expect(ErrorCode::index_out_of_range, [&](GlbBuilder& b) { b.add_mesh(quad(unpainted)); });
  expect(ErrorCode::index_out_of_range, [](GlbBuilder& b) { b.add_node({.parent = 5}); });
  expect(ErrorCode::index_out_of_range, [](GlbBuilder& b) { b.add_node({.mesh = 0}); });
  expect(ErrorCode::index_out_of_range, [](GlbBuilder& b) { b.add_node({.camera = 0}); });
  expect(ErrorCode::bad_topology, [](GlbBuilder& b) { b.add_node({.parent = 1}); });
  const std::vector<Matrix4d> identities(2, Matrix4d::Identity());
  const std::vector<std::int32_t> twice = {0, 0}, missing = {0, 7};
  expect(ErrorCode::invalid_argument, [&](GlbBuilder& b) {
    b.add_skin({.joints = twice, .inverse_bind_matrices = identities});
  });
  expect(ErrorCode::index_out_of_range, [&](GlbBuilder& b) {
    b.add_skin({.joints = missing, .inverse_bind_matrices = identities});
  });
  expect(ErrorCode::index_out_of_range, [&](GlbBuilder& b) {  // A mesh that names no joints.
    const std::vector<std::int32_t> joint = {0};
    b.add_skin({.joints = joint, .inverse_bind_matrices = std::span(identities).first(1)});
    b.add_node({.mesh = b.add_mesh(quad(good)), .skin = 0});
  });
  const std::vector<float> times = {0.0F, 1.0F}, values(6, 0.0F);
  const auto clip = [&](GlbBuilder& b, std::int32_t node, GlbChannelPath path) {
    GlbChannel channel;
    channel.node = node;
    channel.path = path;
    channel.times = times;
    channel.values = values;
    b.add_clip({.name = "clip", .channels = {&channel, 1}});
  };
  expect(ErrorCode::ok, [&](GlbBuilder& b) { clip(b, 0, GlbChannelPath::translation); });
  expect(ErrorCode::index_out_of_range, [&](GlbBuilder& b) { clip(b, 9, GlbChannelPath::scale); });
  expect(ErrorCode::invalid_argument, [&](GlbBuilder& b) { clip(b, 0, GlbChannelPath::rotation); });
  expect(ErrorCode::size_mismatch, [&](GlbBuilder& b) { clip(b, 0, GlbChannelPath::weights); });
}

TEST(GlbBuilder, RefusesWhatIsNotFiniteOrDoesNotFit) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  const GlbPrimitive primitive = {kTriangles};
  const auto expect = [&](ErrorCode code, auto&& change) {
    GlbBuilder builder;
    GlbMesh mesh = quad(primitive);
    change(mesh);
    EXPECT_EQ(builder.add_mesh(mesh), kNoGlbIndex);
    EXPECT_EQ(to_string(code_of(builder)), to_string(code));
  };
  std::vector<Vector3f> odd = kPoints;
  odd[1].x() = kNan;
  expect(ErrorCode::invalid_argument, [&](GlbMesh& m) { m.positions = odd; });
  const std::vector<Vector3f> normals(4, Vector3f(0, 0, 2));
  expect(ErrorCode::invalid_argument, [&](GlbMesh& m) { m.normals = normals; });
  expect(ErrorCode::size_mismatch, [&](GlbMesh& m) { m.normals = std::span(normals).first(3); });
  expect(ErrorCode::size_mismatch, [&](GlbMesh& m) { m.influence_sets = 1; });
  const std::vector<float> weights(2, 0.0F);
  expect(ErrorCode::size_mismatch, [&](GlbMesh& m) { m.target_weights = weights; });
}

TEST(GlbBuilder, TakesAttributesOfOneToFourComponents) {
  const GlbPrimitive primitive = {kTriangles};
  const std::vector<float> values(20, 1.0F);
  for (std::size_t components = 0; components <= 5; ++components) {
    for (const std::string_view name : {"wear", ""}) {
      const GlbAttribute attribute = {name, std::span(values).first(components * 4), components};
      GlbMesh mesh = quad(primitive);
      mesh.attributes = {&attribute, 1};
      GlbBuilder builder;
      const bool is_good = components >= 1 && components <= 4 && !name.empty();
      EXPECT_EQ(builder.add_mesh(mesh), is_good ? 0 : kNoGlbIndex) << components;
      EXPECT_EQ(message_of(builder),
                is_good ? ""
                        : "The mesh 'quad' has an attribute without a name or with other than 1 to "
                          "4 components.");
    }
  }
}

TEST(GlbBuilder, TakesMorphTargetsOfVerticesThatAscend) {
  const GlbPrimitive primitive = {kTriangles};
  const std::vector<Vector3f> offsets(2, Vector3f(0, 0, 1));
  const std::pair<std::vector<std::uint32_t>, bool> rows[] = {
      {{0, 1}, true}, {{2, 3}, true}, {{1, 1}, false}, {{2, 1}, false}, {{3, 4}, false}};
  for (const auto& [vertices, is_good] : rows) {
    const GlbMorphTarget target = {"t", offsets, {}, vertices};
    GlbMesh mesh = quad(primitive);
    mesh.targets = {&target, 1};
    GlbBuilder builder;
    EXPECT_EQ(builder.add_mesh(mesh), is_good ? 0 : kNoGlbIndex);
    EXPECT_EQ(message_of(builder),
              is_good ? ""
                      : "The mesh 'quad' has morph offsets of vertices that do not exist or do not "
                        "ascend.");
  }
}

TEST(GlbBuilder, RefusesSkinsAndNodesThatAreNotWhole) {
  const auto expect = [](const std::string& message, auto&& add) {
    GlbBuilder builder;
    builder.add_node({.name = "first"});
    add(builder);
    EXPECT_EQ(message_of(builder), message);
  };
  std::vector<Matrix4d> matrices(2, Matrix4d::Identity());
  const std::vector<std::int32_t> joint = {0};
  expect("The skin 's' has 1 joints and 2 inverse bind matrices.", [&](GlbBuilder& b) {
    EXPECT_EQ(b.add_skin({.name = "s", .joints = joint, .inverse_bind_matrices = matrices}),
              kNoGlbIndex);
  });
  expect("The skin 's' has 0 joints and 0 inverse bind matrices.",
         [](GlbBuilder& b) { EXPECT_EQ(b.add_skin({.name = "s"}), kNoGlbIndex); });
  for (const double odd : {1e39, std::numeric_limits<double>::quiet_NaN()}) {
    matrices[0](1, 2) = odd;
    expect("An inverse bind matrix of the skin 's' is not finite.", [&](GlbBuilder& b) {
      EXPECT_EQ(b.add_skin({.name = "s",
                            .joints = joint,
                            .inverse_bind_matrices = std::span(matrices).first(1)}),
                kNoGlbIndex);
    });
    GlbTransform transform;
    transform.scale.y() = odd;
    expect("The transform of the node 'n' is not finite.",
           [&](GlbBuilder& b) { b.add_node({.name = "n", .transform = transform}); });
  }
  // The last row of an affine matrix is no matter.
  matrices[1](3, 1) = std::numeric_limits<double>::infinity();
  expect("", [&](GlbBuilder& b) {
    b.add_skin({.joints = joint, .inverse_bind_matrices = std::span(matrices).last(1)});
  });
}

TEST(GlbBuilder, WeightsOfANodeFitItsMesh) {
  const std::vector<GlbMorphTarget> targets = {{"a"}, {"b"}};
  const std::vector<float> weights(3, 0.5F);
  for (const std::size_t count : {0U, 1U, 2U, 3U}) {
    const GlbPrimitive primitive = {kTriangles};
    GlbMesh mesh = quad(primitive);
    mesh.targets = targets;
    GlbBuilder builder;
    builder.add_node(
        {.mesh = builder.add_mesh(mesh), .target_weights = std::span(weights).first(count)});
    EXPECT_EQ(message_of(builder),
              count == 0 || count == 2
                  ? ""
                  : "Node 0 has " + std::to_string(count) + " weights for 2 morph targets.");
  }
}

TEST(GlbBuilder, AClipMovesEachPropertyOfANodeOnce) {
  const std::vector<float> times = {0.0F, 1.0F}, values(6, 0.0F);
  const auto clip_of = [&](std::int32_t node, GlbChannelPath path) {
    GlbBuilder builder;
    builder.add_node({.name = "first"});
    builder.add_node({.name = "second"});
    GlbChannel channels[2];
    for (GlbChannel& channel : channels) {
      channel.node = 0;
      channel.times = times;
      channel.values = values;
    }
    channels[1].node = node;
    channels[1].path = path;
    builder.add_clip({.name = "clip", .channels = channels});
    return message_of(builder);
  };
  EXPECT_EQ(clip_of(1, GlbChannelPath::translation), "");
  EXPECT_EQ(clip_of(0, GlbChannelPath::scale), "");
  EXPECT_EQ(clip_of(0, GlbChannelPath::translation), "A clip moves one property of a node twice.");
}

TEST(GlbBuilder, KeepsWhatItHoldsWhenItMoves) {
  GlbBuilder builder;
  builder.add_node({.name = "first"});
  GlbBuilder moved = std::move(builder);
  moved.add_node({.name = "second"});
  GlbBuilder again;
  again = std::move(moved);

  const Result<GltfFile> file = again.finish();

  ASSERT_TRUE(file);
  EXPECT_EQ(file->summary.nodes, 2U);
}

TEST(GlbBuilder, NumbersMovedVerticesByShortsUpTo65536) {
  for (const std::size_t count : {65536U, 65537U}) {
    const std::vector<Vector3f> points(count, Vector3f::Zero());
    const auto last = static_cast<std::uint32_t>(count - 1);
    const std::vector<std::uint32_t> vertices = {1, last};
    const std::vector<Vector3f> offsets = {{1, 2, 3}, {4, 5, 6}};
    const GlbMorphTarget target = {"t", offsets, {}, vertices};
    const GlbPrimitive primitive = {kTriangles};
    GlbMesh mesh = quad(primitive);
    mesh.positions = points;
    mesh.targets = {&target, 1};
    GlbBuilder builder;
    builder.add_mesh(mesh);

    const Result<GltfFile> file = builder.finish();

    ASSERT_TRUE(file);
    EXPECT_EQ(test::check_glb(file->bytes), "");
    std::string problem;
    const test::GlbParts parts = test::open_glb(file->bytes, problem);
    const std::size_t accessor = parts.json["meshes"][0]["primitives"][0]["targets"][0]["POSITION"];
    const auto& sparse = parts.json["accessors"][accessor]["sparse"];
    EXPECT_EQ(sparse["indices"]["componentType"], count == 65536 ? 5123 : 5125);
    const std::vector<float> moved = parts.floats(accessor);
    ASSERT_EQ(moved.size(), 3 * count);
    EXPECT_EQ(moved[4], 2.0F);
    EXPECT_EQ(moved[3 * count - 1], 6.0F);
  }
}

TEST(GlbBuilder, NumbersUpTo65535VerticesByShorts) {
  for (const std::size_t count : {65535U, 65536U}) {
    std::vector<Vector3f> points(count, Vector3f::Zero());
    points.back().x() = 1.0F;
    const auto last = static_cast<std::uint32_t>(count - 1);
    const std::vector<std::uint32_t> triangle = {0, 1, last};
    const GlbPrimitive primitive = {triangle};
    GlbMesh mesh = quad(primitive);
    mesh.positions = points;
    GlbBuilder builder;
    builder.add_mesh(mesh);

    const Result<GltfFile> file = builder.finish();

    ASSERT_TRUE(file);
    EXPECT_EQ(test::check_glb(file->bytes), "");
    EXPECT_EQ(file->summary.index_bytes, count == 65535 ? 6U : 12U);
  }
}

TEST(GlbBuilder, NumbersUpTo256JointsByBytes) {
  const std::vector<float> weights = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0};
  for (const int highest : {255, 256}) {
    std::vector<std::uint16_t> joints(16, 0);
    joints[4] = static_cast<std::uint16_t>(highest);
    GlbBuilder builder;
    const GlbPrimitive primitive = {kTriangles};
    GlbMesh mesh = quad(primitive);
    mesh.joints = joints;
    mesh.weights = weights;
    mesh.influence_sets = 1;
    const std::int32_t made = builder.add_mesh(mesh);
    std::vector<std::int32_t> nodes;
    for (int i = 0; i <= highest; ++i) nodes.push_back(builder.add_node({.name = "joint"}));
    const std::vector<Matrix4d> binds(nodes.size(), Matrix4d::Identity());
    const std::int32_t skin = builder.add_skin({.joints = nodes, .inverse_bind_matrices = binds});
    builder.add_node({.mesh = made, .skin = skin});

    const Result<GltfFile> file = builder.finish();

    ASSERT_TRUE(file) << file.error().message;
    EXPECT_EQ(test::check_glb(file->bytes), "");
    std::string problem;
    const test::GlbParts parts = test::open_glb(file->bytes, problem);
    const std::size_t accessor = parts.json["meshes"][0]["primitives"][0]["attributes"]["JOINTS_0"];
    EXPECT_EQ(parts.integers(accessor).at(4), static_cast<std::uint32_t>(highest));
    EXPECT_EQ(parts.json["accessors"][accessor]["componentType"], highest < 256 ? 5121 : 5123);
    EXPECT_EQ(file->summary.meshes, 1U);
    EXPECT_EQ(file->summary.joints, nodes.size());
  }
}

TEST(GlbBuilder, WritesTargetsThatMoveLittleSparsely) {
  const std::vector<Vector3f> offset = {{0, 0, 5}};
  const std::vector<std::uint32_t> vertex = {2};
  const std::vector<Vector3f> all(4, Vector3f(1, 0, 0));
  const std::vector<GlbMorphTarget> targets = {{"one", offset, {}, vertex}, {"all", all}, {"none"}};
  const GlbPrimitive primitive = {kTriangles};
  GlbMesh mesh = quad(primitive);
  mesh.targets = targets;
  GlbBuilder builder;
  builder.add_mesh(mesh);

  const Result<GltfFile> file = builder.finish();

  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ(test::check_glb(file->bytes), "");
  std::string problem;
  const test::GlbParts parts = test::open_glb(file->bytes, problem);
  const auto& json = parts.json["meshes"][0]["primitives"][0]["targets"];
  const auto accessor = [&](std::size_t target) {
    return json[target]["POSITION"].get<std::size_t>();
  };
  EXPECT_TRUE(parts.json["accessors"][accessor(0)].contains("sparse"));
  EXPECT_FALSE(parts.json["accessors"][accessor(1)].contains("sparse"));
  EXPECT_EQ(parts.floats(accessor(0)), (std::vector<float>{0, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0}));
  EXPECT_EQ(parts.floats(accessor(2)), std::vector<float>(12, 0.0F));
  EXPECT_EQ(parts.json["meshes"][0]["extras"]["targetNames"],
            nlohmann::json({"one", "all", "none"}));
}

TEST(GlbBuilder, SaysWhatIsWrongWithAMesh) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  const GlbPrimitive primitive = {kTriangles};
  const auto expect = [&](const std::string& what, auto&& change) {
    GlbBuilder builder;
    GlbMesh mesh = quad(primitive);
    change(mesh);
    EXPECT_EQ(builder.add_mesh(mesh), what.empty() ? 0 : kNoGlbIndex);
    EXPECT_EQ(message_of(builder), what.empty() ? "" : "The mesh 'quad' has " + what + ".");
  };
  const std::vector<std::uint32_t> four = {0, 1, 2, 3};
  const GlbPrimitive part = {four};
  expect("a part of a triangle", [&](GlbMesh& m) { m.primitives = {&part, 1}; });
  const std::vector<std::uint32_t> beyond = {0, 1, 4};
  const GlbPrimitive wild = {beyond};
  expect("a triangle of vertex 4, but 4 vertices", [&](GlbMesh& m) { m.primitives = {&wild, 1}; });
  const std::vector<Vector2f> points(5, Vector2f(0.5F, 0.25F));
  for (const std::size_t count : {0U, 3U, 4U, 5U}) {
    const std::span<const Vector2f> sets[] = {std::span(points).first(count),
                                              std::span(points).first(4)};
    expect(count == 4 ? "" : std::to_string(count) + " texture coordinates for 4 vertices",
           [&](GlbMesh& m) { m.uvs = sets; });
  }
  const std::vector<Vector2f> odd_uvs(4, Vector2f(0, kNan));
  const std::span<const Vector2f> odd_set = odd_uvs;
  expect("texture coordinates that are not finite", [&](GlbMesh& m) { m.uvs = {&odd_set, 1}; });
  const std::vector<Vector4f> rows(3, Vector4f(1, 0, 0, 1)), odd_rows(4, Vector4f(1, 0, 0, kNan));
  expect("3 tangents for 4 vertices", [&](GlbMesh& m) { m.tangents = rows; });
  expect("tangents that are not finite", [&](GlbMesh& m) { m.tangents = odd_rows; });
  expect("3 colours for 4 vertices", [&](GlbMesh& m) { m.colors = rows; });
  expect("colours that are not finite", [&](GlbMesh& m) { m.colors = odd_rows; });
  const std::vector<float> numbers(4, kNan);
  const GlbAttribute attribute = {"wear", numbers, 1};
  expect("attribute values that are not finite", [&](GlbMesh& m) {
    m.attributes = {&attribute, 1};
  });
  const std::vector<std::uint16_t> joints(16, 0);
  const std::vector<float> weights(16, 0.25F);
  const std::string influences =
      "another number of joints or weights than its sets of influences ask for";
  for (const auto& [joint_count, weight_count] : {std::pair(16U, 12U), std::pair(12U, 16U)}) {
    expect(influences, [&, j = joint_count, w = weight_count](GlbMesh& m) {
      m.influence_sets = 1;
      m.joints = std::span(joints).first(j);
      m.weights = std::span(weights).first(w);
    });
  }
  const std::vector<Vector3f> offsets(5, Vector3f(0, 0, 1));
  const std::vector<Vector3f> odd_offsets(4, Vector3f(0, kNan, 1));
  const std::pair<GlbMorphTarget, std::string> targets[] = {
      {{"t", std::span(offsets).first(3)}, "3 morph offsets for 4 vertices"},
      {{"t", offsets}, "5 morph offsets for 4 vertices"},
      {{"t", {}, offsets}, "5 morph offsets of normals for 4 vertices"},
      {{"t", odd_offsets}, "morph offsets that are not finite"},
      {{"t", {}, odd_offsets}, "morph offsets of normals that are not finite"},
      {{"t", std::span(offsets).first(4)}, ""}};
  for (const auto& [target, what] : targets) {
    expect(what, [&, t = &target](GlbMesh& m) { m.targets = {t, 1}; });
  }
}

TEST(GlbBuilder, LeavesOutWhatHasNoTriangles) {
  const GlbPrimitive primitives[] = {{}, {kTriangles}, {}};
  GlbMesh mesh;
  mesh.positions = kPoints;
  mesh.primitives = primitives;
  GlbBuilder builder;
  EXPECT_EQ(builder.add_mesh(mesh), 0);
  mesh.primitives = std::span(primitives).first(1);
  EXPECT_EQ(builder.add_mesh(mesh), kNoGlbIndex);

  const Result<GltfFile> file = builder.finish();

  ASSERT_TRUE(file) << file.error().message;
  std::string problem;
  const auto json = test::open_glb(file->bytes, problem).json;
  ASSERT_EQ(json["meshes"].size(), 1U);
  EXPECT_EQ(json["meshes"][0]["primitives"].size(), 1U);
  EXPECT_FALSE(json["meshes"][0].contains("name"));
  EXPECT_EQ(file->summary.primitives, 1U);
  EXPECT_EQ(file->summary.triangles, 2U);
}

TEST(GlbBuilder, WritesColoursAsShortsIfAllAreInTheirRange) {
  for (const float odd : {0.0F, 1.0F, 0.5F, -1e-6F, 1.000001F}) {
    const bool fits = odd >= 0.0F && odd <= 1.0F;
    std::vector<Vector4f> colors(4, Vector4f(0, 0.25F, 0.5F, 1));
    colors[2].y() = odd;
    const GlbPrimitive primitive = {kTriangles};
    GlbMesh mesh = quad(primitive);
    mesh.colors = colors;
    GlbBuilder builder;
    builder.add_mesh(mesh);

    const Result<GltfFile> file = builder.finish();

    ASSERT_TRUE(file);
    EXPECT_EQ(test::check_glb(file->bytes), "");
    std::string problem;
    const test::GlbParts parts = test::open_glb(file->bytes, problem);
    const std::size_t at = parts.json["meshes"][0]["primitives"][0]["attributes"]["COLOR_0"];
    EXPECT_EQ(parts.json["accessors"][at]["componentType"], fits ? 5123 : 5126) << odd;
    EXPECT_EQ(parts.json["accessors"][at].value("normalized", false), fits) << odd;
    if (fits) {
      const std::vector<std::uint32_t> whole = parts.integers(at);
      EXPECT_EQ(std::vector<std::uint32_t>(whole.begin(), whole.begin() + 4),
                (std::vector<std::uint32_t>{0, 16384, 32768, 65535}));
      EXPECT_EQ(whole[9], odd == 0.5F ? 32768U : odd == 1.0F ? 65535U : 0U);
    } else {
      EXPECT_EQ(parts.floats(at)[9], odd);
    }
  }
}

TEST(GlbBuilder, FindsWhatMovesInTargetsOfAllVertices) {
  const Vector3f none = Vector3f::Zero(), up(0, 0, 5);
  const std::vector<Vector3f> one = {none, none, up, none}, two = {none, up, none, up};
  const std::vector<Vector3f> listed = {up, none, up};
  const std::vector<std::uint32_t> vertices = {0, 1, 3};
  const std::vector<GlbMorphTarget> targets = {
      {"one", one}, {"two", two}, {"listed", listed, {}, vertices}};
  const GlbPrimitive primitive = {kTriangles};
  GlbMesh mesh = quad(primitive);
  mesh.targets = targets;
  GlbBuilder builder;
  builder.add_mesh(mesh);

  const Result<GltfFile> file = builder.finish();

  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ(test::check_glb(file->bytes), "");
  std::string problem;
  const test::GlbParts parts = test::open_glb(file->bytes, problem);
  const auto& json = parts.json["meshes"][0]["primitives"][0]["targets"];
  const std::vector<float> moved[] = {{0, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0},
                                      {0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 5},
                                      {0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0, 5}};
  for (std::size_t t = 0; t < 3; ++t) {
    const std::size_t accessor = json[t]["POSITION"];
    EXPECT_EQ(parts.json["accessors"][accessor].contains("sparse"), t == 0) << t;
    EXPECT_EQ(parts.floats(accessor), moved[t]) << t;
  }
}

TEST(GlbBuilder, SkinsHaveTheJointsThatTheirMeshesName) {
  const std::vector<float> weights = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0};
  const std::vector<Matrix4d> binds(2, Matrix4d::Identity());
  const std::vector<std::int32_t> nodes = {0, 1};
  for (const std::uint16_t highest : {std::uint16_t{1}, std::uint16_t{2}}) {
    std::vector<std::uint16_t> joints(16, 0);
    joints[4] = highest;
    const GlbPrimitive primitive = {kTriangles};
    GlbMesh mesh = quad(primitive);
    mesh.joints = joints;
    mesh.weights = weights;
    mesh.influence_sets = 1;
    GlbBuilder builder;
    builder.add_node({.name = "a"});
    builder.add_node({.name = "b"});
    const std::int32_t skin = builder.add_skin({.joints = nodes, .inverse_bind_matrices = binds});
    builder.add_node({.mesh = builder.add_mesh(mesh), .skin = skin});
    EXPECT_EQ(to_string(code_of(builder)),
              to_string(highest == 1 ? ErrorCode::ok : ErrorCode::index_out_of_range));
  }
}

TEST(GlbBuilder, SaysWhatIsWrongWithAChannel) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  const auto fault_of = [](GlbChannelPath path, const std::vector<float>& times,
                           const std::vector<float>& values) {
    GlbBuilder builder;
    builder.add_node({.name = "n"});
    GlbChannel channel;
    channel.node = 0;
    channel.path = path;
    channel.times = times;
    channel.values = values;
    const std::int32_t made = builder.add_clip({.name = "c", .channels = {&channel, 1}});
    const std::string message = message_of(builder);
    EXPECT_EQ(made, message.empty() ? 0 : kNoGlbIndex);
    const std::string start = "A channel of the clip 'c' for node 0 ";
    EXPECT_TRUE(message.empty() || message.starts_with(start)) << message;
    return message.empty() ? "" : message.substr(start.size());
  };
  const std::vector<float> six(6, 0.5F), eight(8, 0.5F);
  const std::string size = "has another number of values than its times ask for.";
  EXPECT_EQ(fault_of(GlbChannelPath::translation, {0, 1}, six), "");
  EXPECT_EQ(fault_of(GlbChannelPath::translation, {0, 1}, eight), size);
  EXPECT_EQ(fault_of(GlbChannelPath::scale, {0, 1, 2}, six), size);
  EXPECT_EQ(fault_of(GlbChannelPath::rotation, {0, 1}, eight), "");
  EXPECT_EQ(fault_of(GlbChannelPath::rotation, {0, 1}, six), size);
  EXPECT_EQ(fault_of(GlbChannelPath::weights, {0, 1, 2, 3}, six), size);
  EXPECT_EQ(fault_of(GlbChannelPath::weights, {0, 1}, {}), size);
  const std::string finite = "is not finite.", order = "has times that do not ascend from 0.";
  EXPECT_EQ(fault_of(GlbChannelPath::translation, {0, 1}, {0, 0, 0, 0, 0, kNan}), finite);
  EXPECT_EQ(fault_of(GlbChannelPath::translation, {0, kNan}, six), finite);
  EXPECT_EQ(fault_of(GlbChannelPath::translation, {0.5F, 0.75F}, six), "");
  EXPECT_EQ(fault_of(GlbChannelPath::translation, {-0.5F, 1}, six), order);
  EXPECT_EQ(fault_of(GlbChannelPath::translation, {1, 1}, six), order);
  EXPECT_EQ(fault_of(GlbChannelPath::translation, {1, 0.5F}, six), order);
}

TEST(GlbBuilder, ChannelsOfTheSameKeysShareASampler) {
  const std::vector<float> times = {0, 1}, values = {0, 0, 0, 1, 2, 3}, other = {0, 0, 0, 3, 2, 1};
  GlbBuilder builder;
  for (int i = 0; i < 4; ++i) builder.add_node({.name = "n"});
  std::vector<GlbChannel> channels(5);
  for (std::size_t i = 0; i < channels.size(); ++i) {
    channels[i].node = static_cast<std::int32_t>(i);
    channels[i].times = times;
    channels[i].values = i == 3 ? other : values;
    channels[i].step = i == 2;
  }
  channels[4].times = {};
  EXPECT_EQ(builder.add_clip({.channels = std::span(channels).last(1)}), kNoGlbIndex);
  EXPECT_EQ(builder.add_clip({.channels = channels}), 0);

  const Result<GltfFile> file = builder.finish();

  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ(test::check_glb(file->bytes), "");
  std::string problem;
  const auto clips = test::open_glb(file->bytes, problem).json["animations"];
  ASSERT_EQ(clips.size(), 1U);
  EXPECT_FALSE(clips[0].contains("name"));
  ASSERT_EQ(clips[0]["channels"].size(), 4U);
  const std::size_t samplers[] = {0, 0, 1, 2};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(clips[0]["channels"][i]["sampler"], samplers[i]);
    EXPECT_EQ(clips[0]["channels"][i]["target"],
              nlohmann::json({{"node", i}, {"path", "translation"}}));
  }
  ASSERT_EQ(clips[0]["samplers"].size(), 3U);
  for (std::size_t s = 0; s < 3; ++s) {
    EXPECT_EQ(clips[0]["samplers"][s]["interpolation"], s == 1 ? "STEP" : "LINEAR");
  }
  EXPECT_EQ(file->summary.channels, 4U);
  EXPECT_EQ(file->summary.keys, 8U);
}

TEST(GlbBuilder, TurnsOfAnyLengthAreWrittenWithLengthOne) {
  const std::pair<Quatd, nlohmann::json> rows[] = {
      {Quatd(1, 0, 0, 0), {}},           {Quatd(2, 0, 0, 0), {}},
      {Quatd(0, 0, 0, 0), {}},           {Quatd(-1, 0, 0, 0), {0, 0, 0, -1}},
      {Quatd(0, 4, 0, 0), {1, 0, 0, 0}}, {Quatd(0, 0, -4, 0), {0, -1, 0, 0}},
      {Quatd(0, 0, 0, 1e200), {}},       {Quatd(3, 0, 0, 4), {0, 0, 0.8F, 0.6F}}};
  for (const auto& [turn, wanted] : rows) {
    GlbBuilder builder;
    GlbNode node;
    node.transform.rotation = turn;
    builder.add_node(node);
    const Result<GltfFile> file = builder.finish();
    ASSERT_TRUE(file);
    std::string problem;
    const auto made = test::open_glb(file->bytes, problem).json["nodes"][0];
    EXPECT_EQ(made.contains("rotation"), !wanted.is_null()) << turn.coeffs().transpose();
    if (!wanted.is_null()) {
      for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_EQ(made["rotation"][i].get<float>(), wanted[i].get<float>());
      }
    }
  }
}

TEST(GlbBuilder, TakesAnyBytesForNames) {
  GlbBuilder builder;
  builder.add_node({.name = std::string_view("a\"\n\x01\xFF\xC3", 6)});

  const Result<GltfFile> file = builder.finish();

  ASSERT_TRUE(file);
  EXPECT_EQ(test::check_glb(file->bytes), "");
}

TEST(GlbBuilder, SaysWhichArrayOfAMeshIsNotFinite) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const GlbPrimitive primitive = {kTriangles};
  std::vector<Vector3f> normals(4, Vector3f(0, 0, 1));
  std::vector<Vector4f> fours(4, Vector4f(1, 0, 0, 1));
  std::vector<Vector2f> uvs(4, Vector2f(0, 0));
  std::vector<float> weights(16, 0.25F), one(1, 0.5F), values(4, 1.0F);
  const std::vector<std::uint16_t> joints(16, 0);
  std::vector<Vector3f> offsets(4, Vector3f(0, 0, 1));
  const auto told = [&](auto&& change) {
    GlbMesh mesh = quad(primitive);
    const std::span<const Vector2f> sets[] = {uvs};
    const GlbAttribute attribute = {"wear", values, 1};
    GlbMorphTarget target = {"t", std::vector<Vector3f>(), {}, {}};
    change(mesh, sets, attribute, target);
    GlbBuilder builder;
    builder.add_mesh(mesh);
    return message_of(builder);
  };
  const auto all = [&](bool with_target_normals) {
    return told([&](GlbMesh& mesh, const auto& sets, const GlbAttribute& attribute,
                    GlbMorphTarget& target) {
      mesh.normals = normals;
      mesh.tangents = fours;
      mesh.colors = fours;
      mesh.uvs = sets;
      mesh.joints = joints;
      mesh.weights = weights;
      mesh.influence_sets = 1;
      mesh.attributes = {&attribute, 1};
      target.positions = offsets;
      if (with_target_normals) target.normals = normals;
      mesh.targets = {&target, 1};
      mesh.target_weights = one;
    });
  };
  EXPECT_EQ(all(true), "");
  // One array after the other has a number that is not finite.
  const auto expect = [&](float& number, const std::string& what) {
    const float good = std::exchange(number, kInfinity);
    EXPECT_EQ(all(false), "The mesh 'quad' has " + what + " that are not finite.");
    number = -kInfinity;
    EXPECT_EQ(all(false), "The mesh 'quad' has " + what + " that are not finite.");
    number = good;
  };
  expect(normals[3].x(), "normals");
  expect(fours[3].w(), "tangents");
  expect(uvs[3].y(), "texture coordinates");
  expect(weights[15], "weights");
  expect(one[0], "weights of morph targets");
  expect(values[3], "attribute values");
  expect(offsets[3].z(), "morph offsets");
  EXPECT_EQ(all(true), "");
}

TEST(GlbBuilder, NodesStandWhereFloatsCanSay) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  const auto told = [](auto&& change) {
    GlbTransform transform;
    change(transform);
    GlbBuilder builder;
    builder.add_node({.name = "n", .transform = transform});
    return message_of(builder);
  };
  const std::string bad = "The transform of the node 'n' is not finite.";
  EXPECT_EQ(told([](GlbTransform&) {}), "");
  EXPECT_EQ(told([](GlbTransform& t) { t.translation.z() = kNan; }), bad);
  EXPECT_EQ(told([](GlbTransform& t) { t.translation.x() = 1e39; }), bad);
  EXPECT_EQ(told([](GlbTransform& t) { t.translation.x() = 1e38; }), "");
  EXPECT_EQ(told([](GlbTransform& t) { t.rotation.x() = kNan; }), bad);
  EXPECT_EQ(told([](GlbTransform& t) { t.rotation.w() = HUGE_VAL; }), bad);
  EXPECT_EQ(told([](GlbTransform& t) { t.scale.y() = -1e39; }), bad);
}

TEST(GlbBuilder, LeavesOutTransformsThatAreNone) {
  const auto made = [](const GlbTransform& transform) {
    GlbBuilder builder;
    builder.add_node({.transform = transform});
    const Result<GltfFile> file = builder.finish();
    std::string problem;
    return test::open_glb(file->bytes, problem).json["nodes"][0];
  };
  GlbTransform transform;
  EXPECT_EQ(made(transform), nlohmann::json::object());
  transform.translation = {0.0, 0.0, 1e-50};  // 0 as a float.
  EXPECT_EQ(made(transform), nlohmann::json::object());
  transform.translation.y() = 0.5;
  EXPECT_EQ(made(transform), nlohmann::json::parse(R"({"translation": [0, 0.5, 0]})"));
  transform = {};
  transform.scale = {1.0, 1.0, 2.0};
  EXPECT_EQ(made(transform), nlohmann::json::parse(R"({"scale": [1, 1, 2]})"));
  for (int i = 0; i < 3; ++i) {
    transform = {};
    transform.rotation.coeffs().setZero();
    transform.rotation.coeffs()[i] = 2.0;
    EXPECT_EQ(made(transform)["rotation"][static_cast<std::size_t>(i)], 1.0) << i;
  }
  // The other sign of none is kept: keys of clips go on from there.
  transform = {};
  transform.rotation = Quatd(-1.0, 0.0, 0.0, 0.0);
  EXPECT_EQ(made(transform), nlohmann::json::parse(R"({"rotation": [0, 0, 0, -1]})"));
}

}  // namespace
}  // namespace sinew::exporter::builder_test
