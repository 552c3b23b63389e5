// SPDX-License-Identifier: Apache-2.0
#include "sinew/geom/vertices.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "support/random.hpp"

namespace sinew::geom::vertices_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Two quads side by side: points 0 1 2 3 and 1 4 5 2.
class TwoQuads : public ::testing::Test {
 protected:
  TwoQuads() {
    mesh_.points = points_;
    mesh_.face_counts = counts_;
    mesh_.face_indices = indices_;
    triangles_ = triangulate(mesh_);
  }
  template <typename T>
  static MeshPrimvar<T> primvar(std::span<const T> values, PrimvarInterpolation interpolation,
                                std::span<const std::int32_t> indices = {}) {
    return {values, indices, interpolation, {}};
  }
  Vertices split(const std::vector<VertexAttribute>& attributes) {
    const auto vertices = split_corners(mesh_, triangles_, attributes);
    EXPECT_TRUE(vertices) << vertices.error().message;
    return vertices.value_or({});
  }

  std::vector<Vector3f> points_ = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0},
                                   {0, 1, 0}, {2, 0, 0}, {2, 1, 0}};
  std::vector<std::int32_t> counts_ = {4, 4};
  std::vector<std::int32_t> indices_ = {0, 1, 2, 3, 1, 4, 5, 2};
  Mesh mesh_;
  Triangles triangles_;
};

TEST_F(TwoQuads, KeepTheirPointsIfNothingIsPerFaceOrCorner) {
  const std::vector<Vector3f> normals(6, Vector3f::UnitZ());
  const std::vector<float> one = {1.0F};
  const Vertices vertices =
      split({primvar<Vector3f>(normals, PrimvarInterpolation::vertex),
             primvar<float>(one, PrimvarInterpolation::constant), VertexAttribute()});
  EXPECT_THAT(vertices.points, ElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_THAT(vertices.indices, ElementsAre(0, 1, 2, 0, 2, 3, 1, 4, 5, 1, 5, 2));
  EXPECT_THAT(vertices.corners, IsEmpty());
}

TEST_F(TwoQuads, KeepPointsThatNoFaceUsesIfNothingIsSplit) {
  points_.emplace_back(9, 9, 9);
  mesh_.points = points_;
  EXPECT_EQ(split({}).size(), 7U);
}

TEST_F(TwoQuads, ShareVerticesWhereCornersHaveTheSameValues) {
  const std::vector<Vector2f> uvs = {{0, 0}, {1, 0}, {1, 1}, {0, 1},
                                     {1, 0}, {2, 0}, {2, 1}, {1, 1}};
  const Vertices vertices = split({primvar<Vector2f>(uvs, PrimvarInterpolation::face_varying)});
  EXPECT_THAT(vertices.points, ElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_THAT(vertices.corners, ElementsAre(0, 1, 2, 3, 5, 6));
  EXPECT_THAT(vertices.faces, ElementsAre(0, 0, 0, 0, 1, 1));
  EXPECT_THAT(vertices.indices, ElementsAre(0, 1, 2, 0, 2, 3, 1, 4, 5, 1, 5, 2));
}

TEST_F(TwoQuads, SplitPointsWhereCornersDiffer) {
  // Point 1 has (1, 0) in one face and (0, 0) in the other; point 2 is (1, 1) in both.
  const std::vector<Vector2f> uvs = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  const std::vector<std::int32_t> chosen = {0, 1, 2, 3, 0, 1, 3, 2};
  const MeshPrimvar<Vector2f> primvar =
      TwoQuads::primvar<Vector2f>(uvs, PrimvarInterpolation::face_varying, chosen);
  const Vertices vertices = split({primvar});
  EXPECT_THAT(vertices.points, ElementsAre(0, 1, 2, 3, 1, 4, 5));
  EXPECT_THAT(vertices.indices, ElementsAre(0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 2));
  const auto values = vertex_values(vertices, primvar);
  ASSERT_TRUE(values);
  EXPECT_THAT(*values, ElementsAre(uvs[0], uvs[1], uvs[2], uvs[3], uvs[0], uvs[1], uvs[3]));
}

TEST_F(TwoQuads, SplitPointsBetweenFacesOfDifferentValues) {
  const std::vector<float> values = {1.0F, 2.0F};
  const MeshPrimvar<float> per_face = primvar<float>(values, PrimvarInterpolation::uniform);
  const Vertices vertices = split({per_face});
  EXPECT_THAT(vertices.points, ElementsAre(0, 1, 2, 3, 1, 4, 5, 2));
  EXPECT_THAT(vertices.faces, ElementsAre(0, 0, 0, 0, 1, 1, 1, 1));
  EXPECT_THAT(*vertex_values(vertices, per_face), ElementsAre(1, 1, 1, 1, 2, 2, 2, 2));
  const std::vector<float> same = {1.0F, 1.0F};
  EXPECT_EQ(split({primvar<float>(same, PrimvarInterpolation::uniform)}).size(), 6U);
}

TEST_F(TwoQuads, SplitNoPointForWhatIsPerPointOrConstant) {
  const std::vector<float> faces = {1.0F, 2.0F};
  const std::vector<float> one = {7.0F};
  const std::vector<float> ramp = {0, 10, 20, 30, 40, 50};
  const MeshPrimvar<float> uniform = primvar<float>(faces, PrimvarInterpolation::uniform);
  const MeshPrimvar<float> constant = primvar<float>(one, PrimvarInterpolation::constant);
  const MeshPrimvar<float> varying = primvar<float>(ramp, PrimvarInterpolation::varying);
  const MeshPrimvar<float> vertex = primvar<float>(ramp, PrimvarInterpolation::vertex);
  const Vertices vertices = split({uniform, constant, varying, vertex});
  EXPECT_THAT(vertices.points, ElementsAre(0, 1, 2, 3, 1, 4, 5, 2));
  EXPECT_THAT(*vertex_values(vertices, uniform), ElementsAre(1, 1, 1, 1, 2, 2, 2, 2));
  EXPECT_THAT(*vertex_values(vertices, constant), ElementsAre(7, 7, 7, 7, 7, 7, 7, 7));
  EXPECT_THAT(*vertex_values(vertices, varying), ElementsAre(0, 10, 20, 30, 10, 40, 50, 20));
  EXPECT_THAT(*vertex_values(vertices, vertex), ElementsAre(0, 10, 20, 30, 10, 40, 50, 20));
}

// Values and indices that end early leave out what they lack, and only that.
TEST_F(TwoQuads, WriteWhatThereIsOfIncompleteValues) {
  const std::vector<float> ramp = {0, 10, 20, 30, 40, 50};
  const std::vector<std::int32_t> chosen = {5, 4, -1, 2, 6, 0};
  const Vertices points = split({});
  const auto written = [&](const VertexAttribute& attribute) {
    std::vector<float> out(6, -1.0F);
    const VertexField field{attribute, 0};
    const Status status = write_vertices(points, std::span(&field, 1), sizeof(float),
                                         std::as_writable_bytes(std::span<float>(out)));
    const bool complete = std::find(out.begin(), out.end(), -1.0F) == out.end();
    EXPECT_EQ(status.has_value(), complete || attribute.size == 0);
    return out;
  };
  const auto vertex = PrimvarInterpolation::vertex;
  EXPECT_THAT(written(primvar<float>(ramp, vertex)), ElementsAre(0, 10, 20, 30, 40, 50));
  EXPECT_THAT(written(primvar<float>(std::span(ramp).first(4), vertex)),
              ElementsAre(0, 10, 20, 30, -1, -1));
  EXPECT_THAT(written(primvar<float>(ramp, vertex, chosen)), ElementsAre(50, 40, -1, 20, -1, 0));
  EXPECT_THAT(written(primvar<float>(ramp, vertex, std::span(chosen).first(2))),
              ElementsAre(50, 40, -1, -1, -1, -1));
  EXPECT_THAT(written(primvar<float>(ramp, PrimvarInterpolation::constant, chosen)),
              ElementsAre(50, 50, 50, 50, 50, 50));
  EXPECT_THAT(written(VertexAttribute()), ElementsAre(-1, -1, -1, -1, -1, -1));
}

TEST_F(TwoQuads, LeaveOutPointsThatNoFaceUsesIfSplit) {
  points_.emplace_back(9, 9, 9);
  mesh_.points = points_;
  const std::vector<float> values = {1.0F, 1.0F};
  EXPECT_EQ(split({primvar<float>(values, PrimvarInterpolation::uniform)}).size(), 6U);
}

TEST_F(TwoQuads, WriteInterleavedVertices) {
  const std::vector<Vector2f> uvs = {{0, 0}, {1, 0}, {1, 1}, {0, 1},
                                     {0, 0}, {1, 0}, {1, 1}, {0, 1}};
  const std::vector<std::uint8_t> joints = {10, 11, 12, 13, 14, 15};
  const MeshPrimvar<Vector2f> uv = primvar<Vector2f>(uvs, PrimvarInterpolation::face_varying);
  const Vertices vertices = split({uv});
  ASSERT_EQ(vertices.size(), 8U);

  struct Vertex {
    float point[3];
    float uv[2];
    std::uint8_t joint;
    std::uint8_t untouched[3];
  };
  std::vector<Vertex> out(8, Vertex{{}, {}, 0, {77, 77, 77}});
  const VertexField fields[] = {
      {{mesh_.points, PrimvarInterpolation::vertex}, offsetof(Vertex, point)},
      {uv, offsetof(Vertex, uv)},
      {{std::span<const std::uint8_t>(joints), PrimvarInterpolation::vertex},
       offsetof(Vertex, joint)}};
  const Status status = write_vertices(vertices, fields, sizeof(Vertex),
                                       std::as_writable_bytes(std::span<Vertex>(out)));
  ASSERT_TRUE(status) << status.error().message;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::size_t point = vertices.points[i];
    EXPECT_EQ(Vector3f(out[i].point[0], out[i].point[1], out[i].point[2]), points_[point]);
    EXPECT_EQ(Vector2f(out[i].uv[0], out[i].uv[1]), uvs[vertices.corners[i]]);
    EXPECT_EQ(out[i].joint, joints[point]);
    EXPECT_EQ(out[i].untouched[0], 77);
    EXPECT_EQ(out[i].untouched[2], 77);
  }
}

TEST_F(TwoQuads, RefuseWhatDoesNotFit) {
  const std::vector<Vector2f> seven(7, Vector2f::Zero());
  const std::vector<Vector2f> eight(8, Vector2f::Zero());
  const VertexAttribute short_one = primvar<Vector2f>(seven, PrimvarInterpolation::face_varying);
  const VertexAttribute long_one = primvar<Vector2f>(eight, PrimvarInterpolation::face_varying);
  const auto none = split_corners(mesh_, triangles_, {&short_one, 1});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::index_out_of_range);
  EXPECT_THAT(none.error().message, HasSubstr("corner 7 of face 1"));

  const std::vector<std::int32_t> bad = {0, 0, 0, -1, 0, 0, 0, 0};
  const VertexAttribute indexed = primvar<Vector2f>(eight, PrimvarInterpolation::face_varying, bad);
  EXPECT_FALSE(split_corners(mesh_, triangles_, {&indexed, 1}));

  Triangles others = triangles_;
  others.corners[3] = 8;
  EXPECT_EQ(split_corners(mesh_, others, {}).error().code, ErrorCode::index_out_of_range);
  others = triangles_;
  others.faces[1] = 2;
  EXPECT_FALSE(split_corners(mesh_, others, {&long_one, 1}));
  others = triangles_;
  others.faces.pop_back();
  EXPECT_FALSE(split_corners(mesh_, others, {&long_one, 1}));
}

TEST_F(TwoQuads, RefuseToWriteWhatDoesNotFit) {
  const std::vector<Vector2f> eight(8, Vector2f::Zero());
  const MeshPrimvar<Vector2f> per_corner =
      primvar<Vector2f>(eight, PrimvarInterpolation::face_varying);
  const Vertices points = split({});
  std::vector<std::byte> out(1000);
  const auto write = [&](const Vertices& vertices, const VertexField& field, std::size_t stride,
                         std::size_t bytes) {
    const Status status =
        write_vertices(vertices, {&field, 1}, stride, std::span(out).first(bytes));
    return status ? ErrorCode::ok : status.error().code;
  };
  EXPECT_EQ(write(points, {per_corner, 0}, 8, 48), ErrorCode::invalid_argument);
  const Vertices vertices = split({per_corner});
  EXPECT_EQ(write(vertices, {per_corner, 0}, 8, 48), ErrorCode::ok);
  EXPECT_EQ(write(vertices, {per_corner, 0}, 8, 47), ErrorCode::size_mismatch);
  EXPECT_EQ(write(vertices, {per_corner, 1}, 8, 48), ErrorCode::invalid_argument);
  EXPECT_EQ(write(vertices, {per_corner, 9}, 8, 48), ErrorCode::invalid_argument);
  EXPECT_EQ(write(vertices, {per_corner, 0}, 0, 48), ErrorCode::invalid_argument);
  const std::span<const Vector3f> two = std::span<const Vector3f>(points_).first(2);
  EXPECT_EQ(write(vertices, {{two, PrimvarInterpolation::vertex}, 0}, 12, 72),
            ErrorCode::index_out_of_range);
}

TEST_F(TwoQuads, AreGroupedBySubsetsInTheirOrder) {
  const std::vector<std::int32_t> second = {1};
  const std::vector<std::int32_t> both = {1, -1, 0, 0, 7};
  mesh_.subsets = {
      {"/M/A", "materialBind", second}, {"/M/B", "other", both}, {"/M/C", "materialBind", both}};
  const TriangleGroups result = group_by_subset(mesh_, "materialBind", triangles_);
  ASSERT_EQ(result.groups.size(), 2U);
  EXPECT_EQ(result.groups[0].subset, 0);
  EXPECT_EQ(result.groups[0].first, 0U);
  EXPECT_EQ(result.groups[0].count, 2U);
  EXPECT_EQ(result.groups[1].subset, 2);
  EXPECT_EQ(result.groups[1].first, 2U);
  EXPECT_EQ(result.groups[1].count, 2U);
  EXPECT_EQ(result.shared_faces, 1U) << "face 1 is in two subsets; the first has it";
  EXPECT_THAT(triangles_.faces, ElementsAre(1, 1, 0, 0));
  EXPECT_THAT(triangles_.corners, ElementsAre(4, 5, 6, 4, 6, 7, 0, 1, 2, 0, 2, 3));
}

TEST_F(TwoQuads, PutFacesOfNoSubsetLast) {
  const std::vector<std::int32_t> second = {1};
  mesh_.subsets = {{"/M/Empty", "materialBind", {}}, {"/M/A", "materialBind", second}};
  const TriangleGroups result = group_by_subset(mesh_, "materialBind", triangles_);
  ASSERT_EQ(result.groups.size(), 3U);
  EXPECT_EQ(result.groups[0].count, 0U);
  EXPECT_EQ(result.groups[1].count, 2U);
  EXPECT_EQ(result.groups[2].subset, TriangleGroup::kUnassigned);
  EXPECT_EQ(result.groups[2].first, 2U);
  EXPECT_EQ(result.groups[2].count, 2U);
  EXPECT_THAT(triangles_.faces, ElementsAre(1, 1, 0, 0));
}

TEST_F(TwoQuads, AreOneGroupWithoutSubsets) {
  const TriangleGroups result = group_by_subset(mesh_, "materialBind", triangles_);
  ASSERT_EQ(result.groups.size(), 1U);
  EXPECT_EQ(result.groups[0].subset, TriangleGroup::kUnassigned);
  EXPECT_EQ(result.groups[0].count, 4U);
  EXPECT_THAT(triangles_.faces, ElementsAre(0, 0, 1, 1));
}

// Random triangles, some around one point that all of them share; the slow and obvious way beside
// the fast one.
TEST(SplitCorners, FindsTheSameVerticesAsAMap) {
  test::Random random(23);
  for (int round = 0; round < 60; ++round) {
    const std::size_t faces = 1 + random.below(300);
    const std::size_t point_count = 3 + random.below(40);
    const int values = random.between(1, 300);
    std::vector<Vector3f> points(point_count, Vector3f::Zero());
    std::vector<std::int32_t> counts(faces, 3);
    std::vector<std::int32_t> indices;
    std::vector<Vector2f> uvs;
    std::vector<float> per_face;
    for (std::size_t i = 0; i < 3 * faces; ++i) {
      indices.push_back(i % 3 == 0 ? 0 : static_cast<std::int32_t>(random.below(point_count)));
      uvs.emplace_back(static_cast<float>(random.between(1, values)), 1.0F);
      if (i % 3 == 0) per_face.push_back(static_cast<float>(random.between(0, 1)));
    }
    Mesh mesh;
    mesh.points = points;
    mesh.face_counts = counts;
    mesh.face_indices = indices;
    const VertexAttribute attributes[] = {
        {std::span<const Vector2f>(uvs), PrimvarInterpolation::face_varying},
        {std::span<const float>(per_face), PrimvarInterpolation::uniform}};
    const Triangles triangles = triangulate(mesh);
    const auto vertices = split_corners(mesh, triangles, attributes);
    ASSERT_TRUE(vertices);

    std::map<std::tuple<std::int32_t, float, float>, std::uint32_t> known;
    for (std::size_t i = 0; i < triangles.corners.size(); ++i) {
      const std::size_t corner = triangles.corners[i];
      const auto next = static_cast<std::uint32_t>(known.size());
      const auto [found, added] =
          known.emplace(std::tuple(indices[corner], uvs[corner].x(), per_face[corner / 3]), next);
      ASSERT_EQ(vertices->indices[i], found->second);
      if (!added) continue;
      ASSERT_EQ(vertices->corners[next], corner) << "the first corner that uses it";
      ASSERT_EQ(vertices->points[next], static_cast<std::uint32_t>(indices[corner]));
      ASSERT_EQ(vertices->faces[next], corner / 3);
    }
    EXPECT_EQ(vertices->size(), known.size());
  }
}

// A strip of triangles, the last of which lack values: the first of them is named.
TEST(SplitCorners, NamesTheFirstCornerWithoutAValue) {
  constexpr std::size_t kFaces = 7;
  std::vector<Vector3f> points;
  std::vector<std::int32_t> counts(kFaces, 3), indices;
  for (std::size_t i = 0; i < kFaces + 2; ++i) {
    points.emplace_back(static_cast<float>(i / 2), static_cast<float>(i % 2), 0.0F);
  }
  for (std::size_t face = 0; face < kFaces; ++face) {
    for (std::size_t k = 0; k < 3; ++k) indices.push_back(static_cast<std::int32_t>(face + k));
  }
  Mesh mesh;
  mesh.points = points;
  mesh.face_counts = counts;
  mesh.face_indices = indices;
  const Triangles triangles = triangulate(mesh);
  ASSERT_EQ(triangles.size(), kFaces);
  const std::vector<float> values(3 * kFaces, 1.0F);
  const std::span<const float> all = values;
  for (std::size_t face = 1; face < kFaces; ++face) {  // No values are no attribute.
    const VertexAttribute per_face(all.first(face), PrimvarInterpolation::uniform);
    const VertexAttribute per_corner(all.first(3 * face + 1), PrimvarInterpolation::face_varying);
    for (const auto& [attribute, corner] :
         {std::pair(per_face, 3 * face), std::pair(per_corner, 3 * face + 1)}) {
      const auto vertices = split_corners(mesh, triangles, {&attribute, 1});
      ASSERT_FALSE(vertices) << face;
      EXPECT_THAT(vertices.error().message, HasSubstr("corner " + std::to_string(corner) +
                                                      " of face " + std::to_string(face)));
    }
  }
}

// Nothing in the arrays of a mesh is trusted.
TEST(SplitCorners, SurvivesMeshesOfRandomNumbers) {
  test::Random random(29);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float inf = std::numeric_limits<float>::infinity();
  const float numbers[] = {0.0F, 1.0F, 2.0F, -1.0F, 0.5F, 3e38F, -3e38F, 1e-45F, nan, inf};
  std::size_t made = 0;
  for (int round = 0; round < 3000; ++round) {
    const std::size_t ordinary = round % 3 == 0 ? 10 : 5;
    std::vector<Vector3f> points(1 + random.below(12));
    for (Vector3f& p : points) {
      for (int k = 0; k < 3; ++k) p[k] = numbers[random.below(ordinary)];
    }
    std::vector<std::int32_t> counts, indices, holes, part;
    for (std::size_t i = 0; i < 1 + random.below(6); ++i) counts.push_back(random.between(0, 9));
    if (random.chance(10)) counts[0] = random.chance(50) ? -1 : 2147483647;
    const auto last = static_cast<int>(points.size()) - (random.chance(80) ? 1 : 0);
    const int first = random.chance(90) ? 0 : -1;
    for (std::size_t i = 0; i < random.below(40); ++i) {
      indices.push_back(random.between(first, last));
      holes.push_back(random.between(-20, 20));
      part.push_back(random.between(-1, 6));
    }
    std::vector<float> values(indices.size() - (random.chance(90) || indices.empty() ? 0 : 1));
    for (float& value : values) value = numbers[random.below(3)];
    Mesh mesh;
    mesh.points = points;
    mesh.face_counts = counts;
    mesh.face_indices = indices;
    mesh.hole_faces = holes;
    mesh.left_handed = random.chance(50);
    mesh.subsets = {{"/M/A", "f", part}, {"/M/B", "f", holes}};
    mesh.normals = {points, random.chance(50) ? part : indices, PrimvarInterpolation::vertex, {}};

    Triangles triangles = triangulate(mesh);
    const TriangleGroups groups = group_by_subset(mesh, "f", triangles);
    std::size_t grouped = 0;
    for (const TriangleGroup& group : groups.groups) grouped += group.count;
    ASSERT_EQ(grouped, triangles.size());
    ASSERT_EQ(smooth_normals(mesh, triangles).size(), points.size());
    const VertexAttribute attribute(std::span<const float>(values),
                                    PrimvarInterpolation::face_varying);
    const auto vertices = split_corners(mesh, triangles, {&attribute, 1});
    if (!vertices) continue;
    ASSERT_EQ(vertices->indices.size(), 3 * triangles.size());
    for (const std::uint32_t index : vertices->indices) ASSERT_LT(index, vertices->size());
    (void)vertex_values(*vertices, mesh.normals);
    made += triangles.size();
  }
  EXPECT_GT(made, 1000U) << "many are meshes";
}

TEST(SplitCorners, TakesTimeInProportionWhenAllCornersShareAPoint) {
  constexpr std::size_t kFaces = 200'000;
  const std::vector<Vector3f> points(1, Vector3f::Zero());
  const std::vector<std::int32_t> counts(kFaces, 3);
  const std::vector<std::int32_t> indices(3 * kFaces, 0);
  std::vector<std::uint32_t> values(3 * kFaces);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::uint32_t>(i / 2);
  Mesh mesh;
  mesh.points = points;
  mesh.face_counts = counts;
  mesh.face_indices = indices;
  const VertexAttribute attribute(std::span<const std::uint32_t>(values),
                                  PrimvarInterpolation::face_varying);
  const auto vertices = split_corners(mesh, triangulate(mesh), {&attribute, 1});
  ASSERT_TRUE(vertices);
  EXPECT_EQ(vertices->size(), values.size() / 2);
}

TEST_F(TwoQuads, RefuseMoreCornersThanThereAreIndices) {
  const std::vector<Vector2f> one(1, Vector2f::Zero());
  const std::vector<std::int32_t> seven(7, 0);
  const std::vector<std::int32_t> eight(8, 0);
  const VertexAttribute fits = primvar<Vector2f>(one, PrimvarInterpolation::face_varying, eight);
  EXPECT_TRUE(split_corners(mesh_, triangles_, {&fits, 1}));
  const VertexAttribute lacks = primvar<Vector2f>(one, PrimvarInterpolation::face_varying, seven);
  const auto none = split_corners(mesh_, triangles_, {&lacks, 1});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::index_out_of_range);
  EXPECT_THAT(none.error().message, HasSubstr("corner 7 of face 1"));
}

TEST_F(TwoQuads, PassOverAttributesWithoutValues) {
  const std::vector<Vector2f> none;
  EXPECT_THAT(split({primvar<Vector2f>(none, PrimvarInterpolation::face_varying)}).points,
              ElementsAre(0, 1, 2, 3, 4, 5));
}

TEST_F(TwoQuads, RefuseFacesWithPointsThatDoNotExist) {
  const std::vector<Vector3f> five(points_.begin(), points_.end() - 1);
  mesh_.points = five;
  EXPECT_EQ(split_corners(mesh_, triangles_, {}).error().code, ErrorCode::index_out_of_range);
  mesh_.points = points_;
  EXPECT_TRUE(split_corners(mesh_, triangles_, {}));
  Triangles others = triangles_;
  others.faces.back() = 2;
  EXPECT_EQ(split_corners(mesh_, others, {}).error().code, ErrorCode::index_out_of_range);
  others = triangles_;
  others.faces.push_back(0);
  EXPECT_EQ(split_corners(mesh_, others, {}).error().code, ErrorCode::index_out_of_range);
}

}  // namespace
}  // namespace sinew::geom::vertices_test
