// SPDX-License-Identifier: Apache-2.0
#include "sinew/export/obj.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace sinew::exporter::obj_test {
namespace {

using ::testing::HasSubstr;

class WriteObj : public ::testing::Test {
 protected:
  ObjMesh triangle() const {
    return {.name = "tri angle",
            .points = points,
            .face_vertex_counts = counts,
            .face_vertex_indices = indices};
  }
  std::vector<Vector3f> points{{0, 0, 0}, {1, 0, 0}, {0, 0.1F, 0}};
  std::vector<std::int32_t> counts{3};
  std::vector<std::int32_t> indices{0, 1, 2};
};

TEST_F(WriteObj, WritesPointsAndFacesCountedFromOne) {
  const std::vector<ObjMesh> meshes{triangle()};

  EXPECT_EQ(*write_obj(meshes), "g tri_angle\nv 0 0 0\nv 1 0 0\nv 0 0.1 0\nf 1 2 3\n");
}

TEST_F(WriteObj, NamesAreOneWord) {
  ObjMesh mesh = triangle();
  mesh.name = "a\tb\nc\vd\fe\rf\xc3\xa9 ";
  const std::vector<ObjMesh> meshes{mesh};

  EXPECT_THAT(*write_obj(meshes), ::testing::StartsWith("g a_b_c_d_e_f\xc3\xa9_\nv 0 0 0\n"));
}

TEST_F(WriteObj, RejectsAnIndexBelowThePoints) {
  indices = {0, -1, 2};
  const std::vector<ObjMesh> meshes{triangle()};
  const Status status = write_obj_file(meshes, "/no/such/directory/x.obj");

  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::index_out_of_range);
  EXPECT_EQ(status.error().message,
            "mesh 'tri angle': face-vertex index -1 at position 1 is not below 3.");
}

TEST_F(WriteObj, ContinuesCountingInTheNextMesh) {
  const std::vector<ObjMesh> meshes{triangle(), triangle()};

  EXPECT_THAT(*write_obj(meshes), HasSubstr("f 4 5 6"));
}

TEST_F(WriteObj, WritesNormalsPerPoint) {
  const std::vector<Vector3f> normals(3, Vector3f(0, 0, 1));
  ObjMesh mesh = triangle();
  mesh.normals = normals;
  const std::vector<ObjMesh> meshes{mesh};

  EXPECT_THAT(*write_obj(meshes), HasSubstr("f 1//1 2//2 3//3"));
}

// As many normals as corners are those of points if these are as many.
TEST_F(WriteObj, NumbersNormalsPerPointAsThePoints) {
  indices = {2, 0, 1};
  const std::vector<Vector3f> normals(3, Vector3f(0, 0, 1));
  ObjMesh mesh = triangle();
  mesh.normals = normals;
  const std::vector<ObjMesh> meshes{mesh, mesh};

  EXPECT_THAT(*write_obj(meshes), HasSubstr("\nf 3//3 1//1 2//2\ng"));
  EXPECT_THAT(*write_obj(meshes), ::testing::EndsWith("\nf 6//6 4//4 5//5\n"));
}

TEST_F(WriteObj, WritesNormalsPerCornerAndCountsThemOverAllMeshes) {
  counts = {3, 3};
  indices = {0, 1, 2, 2, 1, 0};
  const std::vector<Vector3f> normals(6, Vector3f(0, 0.5F, 1));
  ObjMesh mesh = triangle();
  mesh.normals = normals;
  const std::vector<ObjMesh> meshes{mesh, mesh};
  const std::string text = *write_obj(meshes);

  EXPECT_THAT(text, HasSubstr("vn 0 0.5 1\nf 1//1 2//2 3//3\nf 3//4 2//5 1//6\ng"));
  EXPECT_THAT(text, HasSubstr("\nf 4//7 5//8 6//9\nf 6//10 5//11 4//12\n"));
}

TEST_F(WriteObj, LeavesOutFacesWithoutAnArea) {
  counts = {2, 3, 0, 1, 3};
  indices = {0, 1, 0, 1, 2, 1, 2, 1, 0};
  const std::vector<ObjMesh> meshes{triangle()};

  EXPECT_THAT(*write_obj(meshes), ::testing::EndsWith("v 0 0.1 0\nf 1 2 3\nf 3 2 1\n"));
}

TEST_F(WriteObj, RejectsFacesOfLessThanNoCorners) {
  counts = {4, -1};
  const std::vector<ObjMesh> meshes{triangle()};
  const Result<std::string> text = write_obj(meshes);

  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().code, ErrorCode::size_mismatch);
  EXPECT_EQ(text.error().message, "mesh 'tri angle' has a face of -1 corners.");
}

TEST_F(WriteObj, RejectsNormalsThatFitNothing) {
  const std::vector<Vector3f> normals(2, Vector3f(0, 0, 1));
  ObjMesh mesh = triangle();
  mesh.normals = normals;
  const std::vector<ObjMesh> meshes{mesh};
  const Result<std::string> text = write_obj(meshes);

  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().code, ErrorCode::size_mismatch);
  EXPECT_EQ(text.error().message, "mesh 'tri angle' has 2 normals for 3 points and 3 corners.");
}

TEST_F(WriteObj, RejectsCountsThatDoNotAddUp) {
  counts = {4};
  const std::vector<ObjMesh> meshes{triangle()};
  const Result<std::string> text = write_obj(meshes);

  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().code, ErrorCode::size_mismatch);
}

TEST_F(WriteObj, RejectsAnIndexBeyondThePoints) {
  indices = {0, 1, 3};
  const std::vector<ObjMesh> meshes{triangle()};
  const Result<std::string> text = write_obj(meshes);

  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().code, ErrorCode::index_out_of_range);
  EXPECT_THAT(text.error().message, HasSubstr("position 2"));
}

TEST_F(WriteObj, ReportsAFileThatCannotBeWritten) {
  const std::vector<ObjMesh> meshes{triangle()};
  const Status status = write_obj_file(meshes, "/no/such/directory/x.obj");

  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::io_failed);
}

}  // namespace
}  // namespace sinew::exporter::obj_test
