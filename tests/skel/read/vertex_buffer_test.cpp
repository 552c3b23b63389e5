// SPDX-License-Identifier: Apache-2.0
#include "sinew/skel/read/vertex_buffer.hpp"

#include <array>
#include <cstring>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "skel/skel_scene.hpp"
#include "support/count_allocations.hpp"

namespace sinew::skel::vertex_buffer_test {
namespace {

using sinew::test::count_allocations;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Two roots; b rises by 8 from time 0 to 4. A mesh of two triangles with the given properties.
SkelScene scene_with(const std::string& mesh, const std::string& type = "Mesh") {
  return open_scene(R"(#usda 1.0
def SkelRoot "R" (prepend apiSchemas = ["SkelBindingAPI"])
{
    rel skel:skeleton = </R/S>
    rel skel:animationSource = </R/A>
    def Skeleton "S" (prepend apiSchemas = ["SkelBindingAPI"])
    {
        uniform token[] joints = ["a", "b"]
        uniform matrix4d[] bindTransforms = [
            ((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1)), ((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1))]
    }
    def SkelAnimation "A"
    {
        uniform token[] joints = ["a", "b"]
        float3[] translations.timeSamples = { 0: [(0,0,0), (0,0,0)], 4: [(0,0,0), (0,8,0)] }
        quatf[] rotations = [(1,0,0,0), (1,0,0,0)]
        half3[] scales = [(1,1,1), (1,1,1)]
    }
    def )" + type + R"( "M" (prepend apiSchemas = ["SkelBindingAPI"])
    {
        int[] faceVertexCounts = [3, 3]
        int[] faceVertexIndices = [0, 1, 2, 0, 2, 3]
        point3f[] points = [(0,0,0), (1,0,0), (1,1,0), (0,1,0)]
)" + mesh + R"(
    }
}
)");
}

std::string influences(const std::string& indices, const std::string& weights, int count,
                       const std::string& interpolation = "vertex") {
  const std::string fields =
      " (interpolation = \"" + interpolation + "\"; elementSize = " + std::to_string(count) + ")\n";
  return "int[] primvars:skel:jointIndices = [" + indices + "]" + fields +
         "float[] primvars:skel:jointWeights = [" + weights + "]" + fields;
}

const std::string kInfluences = influences("0, 0, 1, 1", "1, 1, 0.5, 1", 1);
constexpr const char* kUvs =
    "texCoord2f[] primvars:st = [(0,0), (1,0), (1,1), (0.5,0), (1,1), (0,1)] (interpolation = "
    "\"faceVarying\")\n";

Result<VertexBuffer> make(SkelScene& scene, const VertexBufferOptions& options = {}) {
  const SkeletonBinding& binding = scene.bindings.at(0);
  return make_vertex_buffer(binding, binding.targets.at(0), 0.0, options, &scene.diagnostics);
}

template <typename T, std::size_t kCount>
std::array<T, kCount> read(const VertexBuffer& buffer, std::size_t vertex, std::size_t offset) {
  std::array<T, kCount> result;
  std::memcpy(result.data(), buffer.bytes.data() + vertex * buffer.layout.stride + offset,
              sizeof result);
  return result;
}

TEST(VertexBuffer, InterleavesWhatAVertexHas) {
  SkelScene scene = scene_with(kInfluences + kUvs);

  const auto buffer = make(scene);

  ASSERT_TRUE(buffer) << buffer.error().message;
  // Point 0 has two texture coordinates.
  EXPECT_THAT(buffer->vertices.points, ElementsAre(0, 1, 2, 0, 3));
  EXPECT_THAT(buffer->vertices.indices, ElementsAre(0, 1, 2, 3, 2, 4));
  EXPECT_EQ(buffer->layout.position, 0U);
  EXPECT_EQ(buffer->layout.normal, 12U);
  EXPECT_EQ(buffer->layout.uv, 24U);
  EXPECT_EQ(buffer->layout.joints, 32U);
  EXPECT_EQ(buffer->layout.weights, 40U);
  EXPECT_EQ(buffer->layout.stride, 56U);
  ASSERT_EQ(buffer->bytes.size(), 5U * 56U);
  EXPECT_THAT((read<float, 3>(*buffer, 4, 0)), ElementsAre(0, 1, 0));
  EXPECT_THAT((read<float, 3>(*buffer, 4, 12)), ElementsAre(0, 0, 1));
  EXPECT_THAT((read<float, 2>(*buffer, 3, 24)), ElementsAre(0.5F, 0));
  EXPECT_THAT((read<std::uint16_t, 4>(*buffer, 2, 32)), ElementsAre(1, 0, 0, 0));
  EXPECT_THAT((read<float, 4>(*buffer, 2, 40)), ElementsAre(1, 0, 0, 0));
  EXPECT_EQ(buffer->largest_weight_lost, 0.0);
}

TEST(VertexBuffer, LeavesOutWhatIsNotAskedForOrNotThere) {
  SkelScene scene = scene_with(kInfluences);

  const auto buffer = make(scene, {.influences = 8, .normals = false});

  ASSERT_TRUE(buffer) << buffer.error().message;
  EXPECT_EQ(buffer->vertices.size(), 4U);
  EXPECT_EQ(buffer->layout.normal, VertexLayout::kAbsent);
  EXPECT_EQ(buffer->layout.uv, VertexLayout::kAbsent);
  EXPECT_EQ(buffer->layout.joints, 12U);
  EXPECT_EQ(buffer->layout.stride, 12U + 16U + 32U);
  EXPECT_THAT((read<float, 8>(*buffer, 3, 28)), ElementsAre(1, 0, 0, 0, 0, 0, 0, 0));
}

TEST(VertexBuffer, KeepsTheStrongestInfluencesAndTellsWhatIsLost) {
  SkelScene scene = scene_with(influences(
      "0, 1, 0, 1, 0, 0, 1, 0, 1, 0, 0, 1, 0, 1, 0, 0, 1, 0, 1, 0",
      "0.25, 0.25, 0.25, 0.25, 0, 0.1, 0.2, 0.3, 0.3, 0.1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0", 5));

  const auto buffer = make(scene);

  ASSERT_TRUE(buffer) << buffer.error().message;
  EXPECT_NEAR(buffer->largest_weight_lost, 0.1, 1e-6);
  EXPECT_EQ(buffer->weight_lost_at, 1U);
  const auto weights = read<float, 4>(*buffer, 1, buffer->layout.weights);
  EXPECT_NEAR(weights[0] + weights[1] + weights[2] + weights[3], 1.0F, 1e-6F);
  EXPECT_NEAR(weights[0], 0.3F / 0.9F, 1e-6F);
  EXPECT_THAT((read<float, 4>(*buffer, 3, buffer->layout.weights)), ElementsAre(0, 0, 0, 0));
}

TEST(VertexBuffer, GivesEveryVertexTheInfluencesOfAPrimThatMovesAsOne) {
  SkelScene scene = scene_with(influences("1", "1", 1, "constant"));

  const auto buffer = make(scene);

  ASSERT_TRUE(buffer) << buffer.error().message;
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_THAT((read<std::uint16_t, 4>(*buffer, i, buffer->layout.joints)),
                ElementsAre(1, 0, 0, 0));
  }
}

TEST(VertexBuffer, NamesJointsInTheOrderOfTheSkeleton) {
  SkelScene scene = scene_with("uniform token[] skel:joints = [\"b\", \"elsewhere\"]\n" +
                               influences("0, 0, 1, 1", "1, 1, 1, 1", 1));

  const auto buffer = make(scene);

  ASSERT_TRUE(buffer) << buffer.error().message;
  EXPECT_TRUE(buffer->has_still_joint);
  EXPECT_EQ((read<std::uint16_t, 4>(*buffer, 0, buffer->layout.joints))[0], 1);
  EXPECT_EQ((read<std::uint16_t, 4>(*buffer, 2, buffer->layout.joints))[0], 2);
}

TEST(VertexBuffer, GroupsTrianglesByMaterial) {
  SkelScene scene = scene_with(kInfluences + R"(
        def GeomSubset "Second"
        {
            uniform token elementType = "face"
            uniform token familyName = "materialBind"
            int[] indices = [1]
        })");

  const auto buffer = make(scene);

  ASSERT_TRUE(buffer) << buffer.error().message;
  ASSERT_EQ(buffer->groups.size(), 2U);
  EXPECT_EQ(buffer->groups[0].subset, 0);
  EXPECT_EQ(buffer->vertices.points[buffer->vertices.indices[2]], 3U);
  EXPECT_EQ(buffer->groups[1].subset, geom::TriangleGroup::kUnassigned);
}

TEST(VertexBuffer, RefusesWhatDoesNotFit) {
  SkelScene scene = scene_with(kInfluences);
  EXPECT_EQ(make(scene, {.influences = 5}).error().code, ErrorCode::invalid_argument);
  SkelScene three = scene_with(influences("0, 0, 1", "1, 1, 1", 1));
  EXPECT_EQ(make(three).error().code, ErrorCode::size_mismatch);
  SkelScene third = scene_with(influences("0, 0, 1, 2", "1, 1, 1, 0", 1));
  EXPECT_EQ(make(third).error().code, ErrorCode::index_out_of_range);
  EXPECT_THAT(make(third).error().message, HasSubstr("2 at position 3"));
  SkelScene cloud = scene_with(kInfluences, "Points");
  EXPECT_EQ(make(cloud).error().code, ErrorCode::no_value);
}

TEST(VertexBuffer, NeedsASkeletonAndPoints) {
  SkelScene scene = scene_with(kInfluences);
  SkeletonBinding invalid = scene.bindings.at(0);
  invalid.skeleton = nullptr;
  const Error error = make_vertex_buffer(invalid, invalid.targets.at(0), 0.0).error();
  EXPECT_EQ(error.code, ErrorCode::bad_topology);
  EXPECT_EQ(error.message, "The joints of /R/S form no valid hierarchy.");
  SkelScene empty = scene_with("point3f[] points.timeSamples = { 0: [] }\n" + kInfluences);
  EXPECT_EQ(make(empty).error().code, ErrorCode::no_value);
  EXPECT_EQ(make(empty).error().message, "/R/M is no mesh with points.");
}

// A vertex names its joints with 16 bits.
TEST(VertexBuffer, RefusesJointsPastItsNumbers) {
  std::string joints = "\"j\"";
  for (int j = 1; j <= 65536; ++j) joints += ", \"j" + std::to_string(j) + "\"";
  const std::string mesh =
      " (prepend apiSchemas = [\"SkelBindingAPI\"]) {\n"
      "int[] faceVertexCounts = [3]\nint[] faceVertexIndices = [0, 1, 2]\n"
      "point3f[] points = [(0,0,0), (1,0,0), (1,1,0)]\n";
  SkelScene scene = open_scene(
      "#usda 1.0\ndef SkelRoot \"R\" (prepend apiSchemas = [\"SkelBindingAPI\"]) {\n"
      "rel skel:skeleton = </R/S>\ndef Skeleton \"S\" { uniform token[] joints = [" +
      joints + "]; }\ndef Mesh \"Last\"" + mesh + influences("0, 1, 65535", "1, 1, 1", 1) +
      "}\ndef Mesh \"Beyond\"" + mesh + influences("0, 1, 65536", "1, 1, 1", 1) + "}\n}\n");
  const SkeletonBinding& binding = scene.bindings.at(0);

  const auto last = make_vertex_buffer(binding, binding.targets.at(0), 0.0);
  const auto beyond = make_vertex_buffer(binding, binding.targets.at(1), 0.0);

  ASSERT_TRUE(last) << last.error().message;
  EXPECT_THAT((read<std::uint16_t, 4>(*last, 2, last->layout.joints)), ElementsAre(65535, 0, 0, 0));
  EXPECT_EQ(beyond.error().code, ErrorCode::index_out_of_range);
}

TEST(UpdateVertices, WritesDeformedPointsAndNormalsWithoutAllocating) {
  SkelScene scene = scene_with(kInfluences + kUvs +
                               "normal3f[] normals = [(0,0,1), (0,0,1), (0,0,1), (0,0,1), (0,0,1), "
                               "(0,1,0)] (interpolation = \"faceVarying\")\n");
  auto buffer = make(scene);
  ASSERT_TRUE(buffer) << buffer.error().message;
  auto character = Character::open(scene.bindings[0], scene.diagnostics);
  ASSERT_TRUE(character);
  character->pose(2.0);
  const CharacterMesh& mesh = character->meshes()[0];
  EXPECT_EQ(update_vertices(mesh, *buffer, buffer->bytes).error().code, ErrorCode::no_value);
  character->deform();

  Status status;
  const auto allocations =
      count_allocations([&] { status = update_vertices(mesh, *buffer, buffer->bytes); });

  ASSERT_TRUE(status) << status.error().message;
  EXPECT_EQ(allocations, 0U);
  for (std::size_t i = 0; i < buffer->vertices.size(); ++i) {
    const Vector3f& point = mesh.points[buffer->vertices.points[i]];
    EXPECT_THAT((read<float, 3>(*buffer, i, 0)), ElementsAre(point.x(), point.y(), point.z()));
    const Vector3f& normal = mesh.normals[buffer->vertices.corners[i]];
    EXPECT_THAT((read<float, 3>(*buffer, i, 12)), ElementsAre(normal.x(), normal.y(), normal.z()));
    EXPECT_EQ((read<float, 4>(*buffer, i, buffer->layout.weights))[0], 1.0F);
  }
  EXPECT_EQ(update_vertices(mesh, *buffer, {}).error().code, ErrorCode::size_mismatch);
  // One of the two is not enough.
  CharacterMesh partly = mesh;
  partly.skinned = false;
  EXPECT_EQ(update_vertices(partly, *buffer, buffer->bytes).error().code, ErrorCode::no_value);
  partly.skinned = true;
  partly.points = {};
  EXPECT_EQ(update_vertices(partly, *buffer, buffer->bytes).error().code, ErrorCode::no_value);
}

TEST(UpdateVertices, LeavesNormalsThatTheMeshDoesNotHave) {
  SkelScene scene = scene_with(kInfluences);
  auto buffer = make(scene);
  ASSERT_TRUE(buffer) << buffer.error().message;
  auto character = Character::open(scene.bindings[0], scene.diagnostics);
  ASSERT_TRUE(character);
  character->pose(4.0);
  character->deform();

  ASSERT_TRUE(update_vertices(character->meshes()[0], *buffer, buffer->bytes));

  EXPECT_THAT((read<float, 3>(*buffer, 3, 0)), ElementsAre(0, 9, 0));
  EXPECT_THAT((read<float, 3>(*buffer, 3, 12)), ElementsAre(0, 0, 1));
}

TEST(UpdateVertices, WritesNormalsOfPointsIfTheBufferHasThem) {
  const std::string normals =
      "normal3f[] normals = [(1,0,0), (0,1,0), (0,0,1), (-1,0,0)] (interpolation = \"vertex\")\n";
  for (const bool has_normals : {true, false}) {
    SkelScene scene = scene_with(kInfluences + normals);
    auto buffer = make(scene, {.normals = has_normals});
    ASSERT_TRUE(buffer) << buffer.error().message;
    auto character = Character::open(scene.bindings[0], scene.diagnostics);
    ASSERT_TRUE(character);
    character->pose(4.0);
    character->deform();
    CharacterMesh mesh = character->meshes()[0];
    const std::vector<Vector3f> others = {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {9, 10, 11}};
    mesh.normals = others;

    ASSERT_TRUE(update_vertices(mesh, *buffer, buffer->bytes));

    EXPECT_THAT((read<float, 3>(*buffer, 3, 0)), ElementsAre(0, 9, 0));
    if (has_normals) {
      EXPECT_THAT((read<float, 3>(*buffer, 3, 12)), ElementsAre(9, 10, 11));
    }
    EXPECT_THAT((read<std::uint16_t, 4>(*buffer, 3, buffer->layout.joints)),
                ElementsAre(1, 0, 0, 0));
  }
}

TEST(UpdateVertices, FindsPointsThatAreInTheOrderOfTheirJoints) {
  const std::string joints = influences("1, 0, 1, 0", "1, 1, 1, 1", 1);
  const std::string per_point =
      "normal3f[] normals = [(1,0,0), (0,1,0), (0,0,1), (-1,0,0)] (interpolation = \"vertex\")\n";
  const std::string per_corner =
      "normal3f[] normals = [(0,0,1), (0,0,1), (1,0,0), (0,0,1), (0,0,1), (0,1,0)] "
      "(interpolation = \"faceVarying\")\n";
  for (const std::string& normals : {per_point, per_corner}) {
    SkelScene scene = scene_with(joints + kUvs + normals);
    auto expected = make(scene);
    ASSERT_TRUE(expected) << expected.error().message;
    VertexBuffer buffer = *expected;
    auto kept = Character::open(scene.bindings[0], scene.diagnostics);
    auto ordered =
        Character::open(scene.bindings[0], scene.diagnostics, {.order = PointOrder::by_joint});
    ASSERT_TRUE(kept && ordered);
    EXPECT_TRUE(kept->meshes()[0].new_from_old.empty());
    const std::span<const std::uint32_t> order = ordered->meshes()[0].new_from_old;
    EXPECT_THAT(order, ElementsAre(2, 0, 3, 1));  // There before any frame.
    for (auto* character : {&*kept, &*ordered}) {
      character->pose(4.0);
      character->deform();
    }

    ASSERT_TRUE(update_vertices(kept->meshes()[0], *expected, expected->bytes));
    ASSERT_TRUE(update_vertices(ordered->meshes()[0], buffer, buffer.bytes));

    EXPECT_EQ(buffer.bytes, expected->bytes);
    EXPECT_EQ(ordered->meshes()[0].new_from_old.data(), order.data());
    EXPECT_EQ(ordered->meshes()[0].points[2], kept->meshes()[0].points[0]);
  }
}

TEST(VertexBuffer, NamesNoJointWhereThereIsNoWeight) {
  SkelScene scene = scene_with(influences("1, 0, 0, 1, 1, 1, 0, 1", "1, 0, 1, 0, 0, 0, 0, 1", 2));
  for (const std::size_t count : {4U, 8U}) {
    const auto buffer = make(scene, {.influences = count});
    ASSERT_TRUE(buffer) << buffer.error().message;
    EXPECT_EQ(buffer->influences, count);
    const auto joints = [&](std::size_t vertex) {
      return read<std::uint16_t, 4>(*buffer, vertex, buffer->layout.joints);
    };
    EXPECT_THAT(joints(0), ElementsAre(1, 0, 0, 0));
    EXPECT_THAT(joints(1), ElementsAre(0, 0, 0, 0));
    EXPECT_THAT(joints(2), ElementsAre(0, 0, 0, 0));
    EXPECT_THAT(joints(3), ElementsAre(1, 0, 0, 0));
  }
}

TEST(VertexBuffer, TellsWhatBindsThePrim) {
  SkelScene scene = scene_with(
      kInfluences +
      "matrix4d primvars:skel:geomBindTransform = ((2,0,0,0),(0,1,0,0),(0,0,1,0),(3,0,0,1))\n");
  const auto buffer = make(scene);
  ASSERT_TRUE(buffer) << buffer.error().message;
  EXPECT_EQ(buffer->geom_bind(0, 0), 2.0);
  EXPECT_EQ(buffer->geom_bind(0, 3), 3.0);
  EXPECT_FALSE(buffer->has_still_joint);
  // Positions are those of the mesh.
  EXPECT_THAT((read<float, 3>(*buffer, 1, 0)), ElementsAre(1, 0, 0));
}

TEST(VertexBuffer, TakesTheTextureCoordinatesThatAreAskedFor) {
  SkelScene scene = scene_with(
      kInfluences + kUvs +
      "texCoord2f[] primvars:map = [(9,9), (8,8), (7,7), (6,6)] (interpolation = \"vertex\")\n");
  const auto none = make(scene, {.uvs = false});
  const auto other = make(scene, {.uv_name = "map"});
  ASSERT_TRUE(none && other);
  EXPECT_EQ(none->layout.uv, VertexLayout::kAbsent);
  EXPECT_EQ(none->vertices.size(), 4U);
  EXPECT_EQ(other->vertices.size(), 4U);
  EXPECT_THAT((read<float, 2>(*other, 2, other->layout.uv)), ElementsAre(7, 7));
}

}  // namespace
}  // namespace sinew::skel::vertex_buffer_test
