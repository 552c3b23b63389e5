// SPDX-License-Identifier: Apache-2.0
#include "sinew/geom/read_mesh.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sinew/geom/triangles.hpp"
#include "stage/support.hpp"
#include "support/codes.hpp"

namespace sinew::geom::read_mesh_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class ReadMesh : public ::testing::Test {
 protected:
  // Reads "/M", or "/M" below "/A".
  Mesh read(const std::string& text, stage::Time time = {}, const ReadMeshOptions& options = {}) {
    stage_ = stage::open_layers({{"root.usda", text.c_str()}}, found_);
    found_.clear();
    stage::Prim prim = stage_->prim("/M");
    if (!prim) prim = stage_->prim("/A/M");
    return read_mesh(prim, time, &found_, options);
  }
  // A mesh of two quads with something more.
  Mesh read_quads(const std::string& more, const ReadMeshOptions& options = {}) {
    return read(R"(def Mesh "M" {
      point3f[] points = [(0,0,0), (1,0,0), (1,1,0), (0,1,0), (2,0,0), (2,1,0)]
      int[] faceVertexCounts = [4, 4]
      int[] faceVertexIndices = [0, 1, 2, 3, 1, 4, 5, 2]
)" + more + "\n}",
                {}, options);
  }
  std::string codes() const { return test::codes_of(found_); }

  stage::StagePtr stage_;
  Diagnostics found_;
};

TEST_F(ReadMesh, GivesWhatIsAuthored) {
  const Mesh mesh = read_quads(R"(
      int[] holeIndices = [1]
      uniform token orientation = "leftHanded"
      uniform token subdivisionScheme = "none"
      uniform bool doubleSided = true
      normal3f[] normals = [(0,0,1), (0,0,1), (0,0,1), (0,0,1), (0,0,1), (0,0,1)]
      texCoord2f[] primvars:st = [(0,0), (1,0), (1,1), (0,1)] (interpolation = "faceVarying")
      int[] primvars:st:indices = [0, 1, 2, 3, 0, 1, 2, 3]
      def GeomSubset "Left" { uniform token familyName = "materialBind"; int[] indices = [0]; }
      def GeomSubset "Points" { uniform token elementType = "point"; int[] indices = [5]; }
      def GeomSubset "Loose" { int[] indices = [1, 0]; }
)");
  EXPECT_EQ(codes(), "");
  EXPECT_THAT(mesh.points, SizeIs(6));
  EXPECT_THAT(mesh.face_counts, ElementsAre(4, 4));
  EXPECT_THAT(mesh.face_indices, ElementsAre(0, 1, 2, 3, 1, 4, 5, 2));
  EXPECT_THAT(mesh.hole_faces, ElementsAre(1));
  EXPECT_TRUE(mesh.left_handed);
  EXPECT_TRUE(mesh.double_sided);
  EXPECT_EQ(mesh.subdivision, SubdivisionScheme::none);
  EXPECT_TRUE(mesh.subdivision_authored);
  EXPECT_EQ(mesh.normals.interpolation, PrimvarInterpolation::vertex);
  EXPECT_EQ(mesh.normals.size(), 6U);
  EXPECT_EQ(mesh.uv_name, "st");
  EXPECT_EQ(mesh.uvs.interpolation, PrimvarInterpolation::face_varying);
  EXPECT_EQ(mesh.uvs.size(), 8U);
  EXPECT_THAT(mesh.uvs.values, SizeIs(4));
  EXPECT_EQ(mesh.uvs[6], Vector2f(1, 1));
  ASSERT_THAT(mesh.subsets, SizeIs(2));
  EXPECT_EQ(mesh.subsets[0].path, "/M/Left");
  EXPECT_EQ(mesh.subsets[0].family, "materialBind");
  EXPECT_THAT(mesh.subsets[0].faces, ElementsAre(0));
  EXPECT_EQ(mesh.subsets[1].family, "");
  EXPECT_THAT(mesh.subsets[1].faces, ElementsAre(1, 0));
}

TEST_F(ReadMesh, ComparesValuesWithTheElementsOfEachInterpolation) {
  const struct {
    const char* interpolation;
    std::size_t count;
  } cases[] = {{"constant", 1}, {"uniform", 2}, {"varying", 6}, {"vertex", 6}, {"faceVarying", 8}};
  for (const auto& c : cases) {
    for (const std::size_t count : {c.count - 1, c.count, c.count + 1}) {
      SCOPED_TRACE(std::string(c.interpolation) + " " + std::to_string(count));
      std::string values;
      for (std::size_t i = 0; i < count; ++i) values += "(0,0,1), ";
      read_quads("normal3f[] primvars:normals = [" + values + "] (interpolation = \"" +
                 c.interpolation + "\")");
      EXPECT_EQ(codes() == "", count == c.count) << codes();
    }
  }
}

TEST_F(ReadMesh, SharesTheArraysOfTheStageAndOutlivesIt) {
  Mesh mesh = read_quads("normal3f[] primvars:normals = [(0,0,1)] (interpolation = \"constant\")");
  const auto points = stage_->prim("/M").attribute("points").get_array<Vector3f>();
  EXPECT_EQ(mesh.points.data(), points->span().data());
  stage_.reset();
  EXPECT_EQ(mesh.points[5], Vector3f(2, 1, 0));
  EXPECT_EQ(mesh.normals[0], Vector3f(0, 0, 1));
}

TEST_F(ReadMesh, LeavesEmptyWhatIsNotThere) {
  const Mesh mesh = read("def Xform \"M\" {}");
  EXPECT_THAT(found_, IsEmpty());
  EXPECT_TRUE(mesh.points.empty() && mesh.face_counts.empty() && mesh.normals.empty());
  EXPECT_TRUE(mesh.uvs.empty() && mesh.uv_name.empty() && mesh.subsets.empty());
  EXPECT_FALSE(mesh.left_handed);
  EXPECT_EQ(mesh.subdivision, SubdivisionScheme::catmull_clark);
  EXPECT_FALSE(mesh.subdivision_authored);
}

TEST_F(ReadMesh, ReadsAtATime) {
  const char* text = R"(def Mesh "M" {
      point3f[] points.timeSamples = { 0: [(0,0,0)], 10: [(10,0,0)] }
      normal3f[] normals.timeSamples = { 0: [(0,0,1)], 10: [(0,1,0)] }
    })";
  EXPECT_EQ(read(text, 5.0).points[0], Vector3f(5, 0, 0));
  EXPECT_EQ(read(text, 10.0).normals[0], Vector3f(0, 1, 0));
}

TEST_F(ReadMesh, KnowsEverySubdivisionScheme) {
  const auto scheme = [&](const std::string& name) {
    return read_quads("uniform token subdivisionScheme = \"" + name + "\"").subdivision;
  };
  EXPECT_EQ(scheme("none"), SubdivisionScheme::none);
  EXPECT_EQ(scheme("catmullClark"), SubdivisionScheme::catmull_clark);
  EXPECT_EQ(scheme("loop"), SubdivisionScheme::loop);
  EXPECT_EQ(scheme("bilinear"), SubdivisionScheme::bilinear);
  EXPECT_EQ(codes(), "");
}

TEST_F(ReadMesh, ReportsValuesThatTheSchemaDoesNotHave) {
  const Mesh mesh = read(R"(def Mesh "M" {
      float[] points = [1]
      int faceVertexCounts = 3
      uniform token orientation = "sideways"
      uniform token subdivisionScheme = "smooth"
      uniform int doubleSided = 1
      def GeomSubset "S" { float[] indices = [0]; }
    })");
  EXPECT_EQ(codes(),
            "geom-mesh-value /M.points;geom-mesh-value /M.faceVertexCounts;"
            "geom-mesh-value /M.doubleSided;geom-mesh-value /M.orientation;"
            "geom-mesh-value /M.subdivisionScheme;geom-mesh-value /M/S.indices;");
  EXPECT_TRUE(mesh.points.empty());
  EXPECT_EQ(mesh.subdivision, SubdivisionScheme::catmull_clark);
  EXPECT_FALSE(mesh.left_handed);
  EXPECT_EQ(found_[0].message,
            "The value is of type float[], which is not that of the schema; the fallback of the "
            "schema is used.");
}

TEST_F(ReadMesh, TakesBlockedAttributesAsAbsent) {
  EXPECT_THAT(read("def Mesh \"M\" { point3f[] points = None; int[] holeIndices = None; }").points,
              IsEmpty());
  EXPECT_EQ(codes(), "");
}

TEST_F(ReadMesh, ReportsArraysThatDoNotFitAndReadsThemAllTheSame) {
  const Mesh mesh = read(R"(def Mesh "M" {
      point3f[] points = [(0,0,0), (1,0,0), (1,1,0), (nan,1,0)]
      int[] faceVertexCounts = [3, 3, 3, 4]
      int[] faceVertexIndices = [0, 1, 2, 0, 1, 3, 0, 1, 4, -1]
      int[] holeIndices = [9, -1, 0]
      def GeomSubset "S" { int[] indices = [0, 4, -2]; }
    })");
  EXPECT_EQ(codes(),
            "geom-mesh-counts /M.faceVertexCounts;geom-mesh-indices /M.faceVertexIndices;"
            "geom-mesh-holes /M.holeIndices;geom-mesh-points /M.points;geom-subset-range /M/S;");
  EXPECT_THAT(found_[0].message, HasSubstr("add up to 13, but there are 10 faceVertexIndices"));
  EXPECT_THAT(found_[1].message, HasSubstr("2 of 10 indices are outside the 4 points: the first, "
                                           "at 8, is 4."));
  EXPECT_EQ(found_[1].severity, Severity::error);
  EXPECT_EQ(found_[1].file, "root.usda");
  EXPECT_EQ(found_[1].line, 5U);
  EXPECT_THAT(mesh.face_indices, SizeIs(10));
  const Triangles triangles = triangulate(mesh);
  EXPECT_EQ(triangles.hole_faces, 1U);
  EXPECT_EQ(triangles.not_finite_faces, 1U);
  EXPECT_EQ(triangles.broken_faces, 2U);
}

TEST_F(ReadMesh, ReportsNegativeCountsAndIndicesLeftOver) {
  read(R"(def Mesh "M" { int[] faceVertexCounts = [0, -2147483648]; })");
  ASSERT_EQ(codes(), "geom-mesh-counts /M.faceVertexCounts;");
  EXPECT_THAT(found_[0].message, HasSubstr("Face 1 has -2147483648 corners."));
  read(R"(def Mesh "M" { point3f[] points = [(0,0,0)]
          int[] faceVertexCounts = [1]; int[] faceVertexIndices = [0, 0]; })");
  ASSERT_EQ(codes(), "geom-mesh-counts /M.faceVertexCounts;");
}

TEST_F(ReadMesh, PrefersNormalsThatArePrimvars) {
  const std::string plain =
      "normal3f[] normals = [(1,0,0), (1,0,0)] (interpolation = \"uniform\")\n";
  EXPECT_EQ(read_quads(plain).normals[1], Vector3f(1, 0, 0));
  const Mesh mesh =
      read_quads(plain + "normal3f[] primvars:normals = [(0,1,0)] (interpolation = \"constant\")");
  EXPECT_EQ(mesh.normals.interpolation, PrimvarInterpolation::constant);
  EXPECT_EQ(mesh.normals[0], Vector3f(0, 1, 0));
}

TEST_F(ReadMesh, FindsTextureCoordinatesByNameThenByType) {
  const std::string pairs = R"(
      float2[] primvars:aPair = [(1, 1)] (interpolation = "constant")
      float3[] primvars:bTriple = [(9, 9, 9)] (interpolation = "constant")
)";
  const std::string map = R"(
      texCoord2f[] primvars:map1 = [(2, 2)] (interpolation = "constant")
)";
  const std::string st = R"(
      float2[] primvars:st = [(3, 3)] (interpolation = "constant")
)";
  EXPECT_EQ(read_quads("").uv_name, "");
  EXPECT_EQ(read_quads(pairs).uv_name, "aPair");
  EXPECT_EQ(read_quads(pairs + map).uv_name, "map1");
  EXPECT_EQ(read_quads(pairs + map + st).uv_name, "st");
  ReadMeshOptions options;
  options.uv_name = "primvars:aPair";
  const Mesh mesh = read_quads(pairs + map + st, options);
  EXPECT_EQ(mesh.uv_name, "aPair");
  EXPECT_EQ(mesh.uvs[0], Vector2f(1, 1));
  options.uv_name = "missing";
  EXPECT_TRUE(read_quads(pairs + map + st, options).uvs.empty());
  EXPECT_EQ(codes(), "");
}

TEST_F(ReadMesh, TakesTheFirstPairOfFloatsForTextureCoordinates) {
  const Mesh mesh = read_quads(R"(
      double2[] primvars:aDouble = [(1, 1)] (interpolation = "constant")
      float2 primvars:bSingle = (2, 2)
      float2[] primvars:cPair = [(3, 3)] (interpolation = "constant")
      float2[] primvars:dPair = [(4, 4)] (interpolation = "constant")
)");
  EXPECT_EQ(mesh.uv_name, "cPair");
  EXPECT_EQ(mesh.uvs[0], Vector2f(3, 3));
  EXPECT_EQ(read_quads("double2[] primvars:aDouble = [(1, 1)]").uv_name, "");
}

TEST_F(ReadMesh, CountsPointsThatAreNotFiniteAlongAnyAxis) {
  read(R"(def Mesh "M" {
      point3f[] points = [(0,0,0), (nan,0,0), (0,inf,0), (0,0,-inf), (1,1,1)]
    })");
  ASSERT_EQ(codes(), "geom-mesh-points /M.points;");
  EXPECT_THAT(found_[0].message, HasSubstr("3 of 5 points are not finite"));
}

TEST_F(ReadMesh, TakesAttributesWithoutValuesAsAbsent) {
  const Mesh mesh = read(R"(def Mesh "M" {
      uniform bool doubleSided = None
      uniform token orientation = None
      uniform token subdivisionScheme = None
      texCoord2f[] primvars:st = None
      point3f[] points
    })");
  EXPECT_EQ(codes(), "");
  EXPECT_FALSE(mesh.double_sided);
  EXPECT_FALSE(mesh.left_handed);
  EXPECT_FALSE(mesh.subdivision_authored);
  EXPECT_TRUE(mesh.points.empty());
}

TEST_F(ReadMesh, SaysWhyAPrimvarHasNoValues) {
  const Mesh mesh = read_quads("texCoord2f[] primvars:st.timeSamples = { 1: None }\n");
  EXPECT_TRUE(mesh.uvs.empty());
  ASSERT_EQ(codes(), "geom-mesh-primvar /M.primvars:st;");
  EXPECT_EQ(found_[0].message, "It has no value at this time; the primvar is left out.");
}

TEST_F(ReadMesh, InheritsConstantPrimvars) {
  const Mesh mesh = read(R"(def Xform "A" {
      texCoord2f[] primvars:st = [(5, 6)] (interpolation = "constant")
      def Mesh "M" { point3f[] points = [(0,0,0)]; }
    })");
  EXPECT_EQ(mesh.uvs[0], Vector2f(5, 6));
}

TEST_F(ReadMesh, ConvertsPrimvarsOfOtherPrecision) {
  const Mesh mesh = read_quads(R"(
      normal3d[] normals = [(0, 0.5, 1), (1, 0, 0)] (interpolation = "uniform")
      texCoord3h[] primvars:st = [(0.25, 0.5, 9), (0.125, 1, 9)] (interpolation = "uniform")
      double[] primvars:one = [0.75] (interpolation = "constant")
      color4h[] primvars:four = [(1, 0.5, 0.25, 0)] (interpolation = "constant")
)");
  EXPECT_EQ(codes(), "");
  EXPECT_EQ(mesh.normals[0], Vector3f(0, 0.5F, 1));
  EXPECT_EQ(mesh.uvs[0], Vector2f(0.25F, 0.5F));
  EXPECT_EQ(mesh.uvs[1], Vector2f(0.125F, 1));
  const stage::Prim prim = stage_->prim("/M");
  EXPECT_EQ(read_mesh_primvar<float>(prim, mesh, "one")[0], 0.75F);
  EXPECT_EQ(read_mesh_primvar<Vector4f>(prim, mesh, "four")[0], Vector4f(1, 0.5F, 0.25F, 0));
  EXPECT_TRUE(read_mesh_primvar<float>(prim, mesh, "none", {}, &found_).empty());
  EXPECT_EQ(codes(), "");
}

TEST_F(ReadMesh, LeavesOutAndReportsPrimvarsThatCannotBeUsed) {
  const auto message = [&](const std::string& st) {
    const Mesh mesh = read_quads(st);
    EXPECT_TRUE(mesh.uvs.empty());
    EXPECT_EQ(mesh.uv_name, "");
    EXPECT_EQ(codes(), "geom-mesh-primvar /M.primvars:st;");
    return found_.empty() ? std::string() : found_[0].message;
  };
  const std::string end = "; the primvar is left out.";
  EXPECT_EQ(message("texCoord2f[] primvars:st = [(0,0)] (interpolation = \"vertex\")"),
            "There are 1 values; vertex needs 6" + end);
  EXPECT_EQ(message("texCoord2f[] primvars:st = [(0,0), (0,0)]"),
            "There are 2 values; constant needs 1" + end);
  EXPECT_EQ(message("float[] primvars:st = [0]"),
            "Its type float[] cannot be read as 2 floats" + end);
  EXPECT_EQ(message("texCoord2f[] primvars:st = [(0,0)] (interpolation = \"all\")"),
            "The interpolation is not known" + end);
  EXPECT_EQ(message("texCoord2f[] primvars:st = [(0,0), (1,1)] (elementSize = 2)"),
            "The elementSize is 2, not 1" + end);
  const std::string per_face =
      "texCoord2f[] primvars:st = [(0,0), (1,1)] (interpolation = "
      "\"uniform\")\nint[] primvars:st:indices = ";
  EXPECT_EQ(message(per_face + "[0]"), "There are 1 indices; uniform needs 2" + end);
  EXPECT_EQ(message(per_face + "[2, -1]"), "2 of 2 indices are outside the 2 values" + end);
}

TEST_F(ReadMesh, ReadsOnlyWhatItIsAskedFor) {
  ReadMeshOptions options;
  options.normals = options.uvs = options.subsets = false;
  const Mesh mesh = read_quads(R"(
      normal3f[] normals = [(0,0,1)] (interpolation = "constant")
      texCoord2f[] primvars:st = [(0,0)] (interpolation = "constant")
      def GeomSubset "S" { int[] indices = [0]; }
)",
                               options);
  EXPECT_TRUE(mesh.normals.empty() && mesh.uvs.empty() && mesh.subsets.empty());
  EXPECT_THAT(mesh.face_counts, SizeIs(2));
}

TEST(SubdivisionSchemes, AreSpelledAsInUsd) {
  using S = SubdivisionScheme;
  for (const S scheme : {S::none, S::catmull_clark, S::loop, S::bilinear}) {
    EXPECT_EQ(parse_subdivision_scheme(to_string(scheme)), scheme);
  }
  EXPECT_EQ(to_string(S::catmull_clark), "catmullClark");
  EXPECT_EQ(parse_subdivision_scheme("None"), std::nullopt);
  EXPECT_EQ(parse_subdivision_scheme(""), std::nullopt);
}

TEST(PrimvarInterpolations, AreSpelledAsInUsd) {
  using I = PrimvarInterpolation;
  for (const I i : {I::constant, I::uniform, I::varying, I::vertex, I::face_varying, I::unknown}) {
    EXPECT_EQ(parse_interpolation(to_string(i)), i);
  }
  EXPECT_EQ(to_string(I::face_varying), "faceVarying");
  EXPECT_EQ(parse_interpolation("corner"), I::unknown);
}

TEST(MeshCopy, OwnsItsArrays) {
  std::vector<Vector3f> points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  std::vector<std::int32_t> counts = {3};
  std::vector<std::int32_t> indices = {0, 1, 2};
  const Mesh mesh = Mesh::copy_of(points, counts, indices);
  points[1] = {9, 9, 9};
  counts[0] = 7;
  indices[2] = 7;
  EXPECT_EQ(mesh.points[1], Vector3f(1, 0, 0));
  EXPECT_THAT(mesh.face_counts, ElementsAre(3));
  EXPECT_THAT(mesh.face_indices, ElementsAre(0, 1, 2));
}

}  // namespace
}  // namespace sinew::geom::read_mesh_test
