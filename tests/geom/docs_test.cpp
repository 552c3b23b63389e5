// SPDX-License-Identifier: Apache-2.0
// The code of docs/geometry.md, compiled and run. The last test checks that every block of C++ on
// that page stands here too, so neither can change without the other.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sinew/geom/bounds.hpp"
#include "sinew/geom/check_geometry.hpp"
#include "sinew/geom/extents.hpp"
#include "sinew/geom/point_instancer.hpp"
#include "sinew/geom/primvars.hpp"
#include "sinew/geom/read_mesh.hpp"
#include "sinew/geom/subsets.hpp"
#include "sinew/geom/transform_cache.hpp"
#include "sinew/geom/transforms.hpp"
#include "sinew/geom/triangles.hpp"
#include "sinew/geom/vertices.hpp"
#include "sinew/geom/visibility.hpp"
#include "sinew/skel/read/extents.hpp"
#include "stage/support.hpp"
#include "support/folders.hpp"
#include "support/quoted_code.hpp"

namespace sinew::docs_test {
namespace {

std::vector<Vector2f> texture_coordinates(const stage::Prim& mesh, stage::Time time) {
  const geom::Primvar st = geom::find_inherited_primvar(mesh, "st");
  if (!st) return {};  // Nobody wrote any.
  if (const Status usable = geom::check_primvar(st, mesh, time); !usable) {
    std::puts(usable.error().message.c_str());  // "primvars:st has 3 elements; vertex needs 4"
    return {};
  }
  const auto values = st.flattened_array<Vector2f>(time);  // With the indices applied.
  return values ? std::vector<Vector2f>(values->begin(), values->end()) : std::vector<Vector2f>();
}

bool is_shown(const stage::Prim& prim, stage::Time time) {
  const geom::Purpose purpose = geom::compute_purpose(prim).purpose;
  return geom::compute_visibility(prim, time) == geom::Visibility::inherited &&
         (purpose == geom::Purpose::default_ || purpose == geom::Purpose::render);
}

void print_positions(const stage::Stage& stage, stage::Time time) {
  geom::TransformCache transforms(time);
  for (const stage::Prim prim : stage.root().descendants()) {
    if (!prim.is_a(stage::SchemaType::mesh)) continue;
    const Matrix4d& world = transforms.world_from_prim(prim);
    std::printf("%s: %g %g %g\n", prim.path().str().c_str(), world(0, 3), world(1, 3), world(2, 3));
  }
}

std::optional<Range3f> mesh_extent(const stage::Prim& mesh, stage::Time time,
                                   Diagnostics& diagnostics) {
  return geom::extent(mesh, time, &diagnostics);
}

geom::Range3d scene_bounds(const stage::Stage& stage, stage::Time time, Diagnostics& diagnostics) {
  geom::BoundsOptions options;
  options.purposes.render = true;  // Beside default.
  options.extent_of = [&](const stage::Prim& prim, stage::Time at) -> std::optional<Range3f> {
    if (!prim.is_a(stage::SchemaType::skel_root)) return std::nullopt;
    const auto posed = skel::skel_root_extent(prim, at, diagnostics);
    return posed ? std::optional(*posed) : std::nullopt;
  };
  options.diagnostics = &diagnostics;
  geom::BoundsCache bounds(time, options);
  return geom::aligned_range(bounds.world_bound(stage.root()));
}

void draw_instances(const stage::Prim& prim, stage::Time time, Diagnostics& diagnostics) {
  const auto shown = geom::read_point_instances(prim, time, &diagnostics);
  if (!shown) return;  // No PointInstancer.
  for (const geom::PointInstance& instance : shown->instances) {
    const stage::Prim& prototype = shown->prototypes[instance.prototype];
    const Matrix4d place =
        instance.transform() * geom::local_transform(prototype, time).parent_from_prim;
    std::printf("%s at %g %g %g\n", prototype.name().str().c_str(), place(0, 3), place(1, 3),
                place(2, 3));
  }
}

void print_parts(const stage::Prim& mesh, Diagnostics& diagnostics) {
  for (const std::string& family : geom::subset_families(mesh)) {
    const Status valid =
        geom::check_subset_family(mesh, geom::SubsetElement::face, family, {}, &diagnostics);
    std::printf("%s: %s\n", family.c_str(), valid ? "valid" : valid.error().message.c_str());
    for (const geom::GeomSubset& subset : geom::geom_subsets(mesh, family)) {
      const auto faces = subset.indices();
      std::printf("  %s: %zu faces\n", subset.prim.name().str().c_str(), faces ? faces->size() : 0);
    }
  }
}

struct Vertex {
  Vector3f point;
  Vector3f normal;
  Vector2f uv;
};

struct DrawCall {
  std::string material_from;  // The prim whose material binding counts.
  std::uint32_t first_index;
  std::uint32_t index_count;
};

struct RenderMesh {
  std::vector<Vertex> vertices;
  std::vector<std::uint32_t> indices;
  std::vector<std::uint32_t> points;  // Of each vertex: where its skin influences are.
  std::vector<DrawCall> calls;
};

Result<RenderMesh> render_mesh(const stage::Prim& prim, stage::Time time,
                               Diagnostics& diagnostics) {
  const geom::Mesh mesh = geom::read_mesh(prim, time, &diagnostics);
  geom::Triangles triangles = geom::triangulate(mesh);
  const geom::TriangleGroups materials = geom::group_by_subset(mesh, "materialBind", triangles);

  // USD ignores the normals of what is to be subdivided.
  geom::MeshPrimvar<Vector3f> normals = mesh.normals;
  std::vector<Vector3f> smooth;
  if (mesh.normals.empty() || mesh.subdivision != geom::SubdivisionScheme::none) {
    smooth = geom::smooth_normals(mesh, triangles);
    normals = {smooth, {}, geom::PrimvarInterpolation::vertex, {}};
  }
  const geom::VertexAttribute attributes[] = {normals, mesh.uvs};
  Result<geom::Vertices> vertices = geom::split_corners(mesh, std::move(triangles), attributes);
  if (!vertices) return std::move(vertices).error();

  RenderMesh result;
  result.vertices.resize(vertices->size());
  const geom::VertexField fields[] = {
      {{mesh.points, geom::PrimvarInterpolation::vertex}, offsetof(Vertex, point)},
      {normals, offsetof(Vertex, normal)},
      {mesh.uvs, offsetof(Vertex, uv)}};  // Empty ones are left as they are.
  const Status written =
      geom::write_vertices(*vertices, fields, sizeof(Vertex),
                           std::as_writable_bytes(std::span<Vertex>(result.vertices)));
  if (!written) return written.error();
  result.indices = std::move(vertices->indices);
  result.points = std::move(vertices->points);
  for (const geom::TriangleGroup& group : materials.groups) {
    const bool unassigned = group.subset == geom::TriangleGroup::kUnassigned;
    const auto subset = static_cast<std::size_t>(group.subset);
    result.calls.push_back({unassigned ? prim.path().str() : mesh.subsets[subset].path.str(),
                            3 * group.first, 3 * group.count});
  }
  return result;
}

bool is_sound(const stage::Stage& stage) {
  Diagnostics diagnostics;
  geom::check_geometry(stage, diagnostics);  // All that follows, of every prim once.
  for (const Diagnostic& diagnostic : diagnostics) std::puts(format(diagnostic).c_str());
  return count(diagnostics, Severity::error) == 0;
}

class GeometryPage : public ::testing::Test {
 protected:
  stage::Prim mesh() const { return stage_->prim("/A/Mesh"); }
  Diagnostics diagnostics_;
  stage::StagePtr stage_ = stage::open_layers({{"root.usda", R"(
def Xform "A" {
    double3 xformOp:translate = (10, 0, 0)
    uniform token[] xformOpOrder = ["xformOp:translate"]
    def Mesh "Mesh" {
        point3f[] points = [(0,0,0), (1,0,0), (1,1,0), (0,1,0)]
        int[] faceVertexCounts = [4]
        int[] faceVertexIndices = [0, 1, 2, 3]
        texCoord2f[] primvars:st = [(0, 0), (1, 1)] (interpolation = "vertex")
        int[] primvars:st:indices = [0, 1, 1, 0]
        uniform token subsetFamily:parts:familyType = "partition"
        def GeomSubset "All" { uniform token familyName = "parts"; int[] indices = [0]; }
    }
    def Mesh "Box" {
        point3f[] points = [(0,0,0), (1,0,0), (1,1,0), (0,1,0), (2,0,0), (2,1,0)]
        int[] faceVertexCounts = [4, 4]
        int[] faceVertexIndices = [0, 1, 2, 3, 1, 4, 5, 2]
        texCoord2f[] primvars:st = [(0, 0), (1, 0), (1, 1), (0, 1)] (interpolation = "faceVarying")
        int[] primvars:st:indices = [0, 1, 2, 3, 0, 1, 2, 3]
        def GeomSubset "Right" { uniform token familyName = "materialBind"; int[] indices = [1]; }
    }
    def Mesh "Guide" { uniform token purpose = "guide"; token visibility = "inherited"; }
    def PointInstancer "Many" { rel prototypes = </A/Mesh>; int[] protoIndices = [0, 0]; point3f[] positions = [(0, 0, 0), (0, 0, 3)]
        float3[] extent = [(0, 0, 0), (1, 1, 0)]
    }
    def SkelRoot "Rig" {
        def Skeleton "Skel" {
            uniform token[] joints = ["a", "b"]
            uniform matrix4d[] restTransforms = [((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1)), ((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,5,0,1))]
        }
    }
}
)"}},
                                              diagnostics_);
};

TEST_F(GeometryPage, ReadsTextureCoordinates) {
  const auto st = texture_coordinates(mesh(), {});
  ASSERT_EQ(st.size(), 4U);
  EXPECT_EQ(st[1], Vector2f(1, 1));
}

TEST_F(GeometryPage, TellsWhatIsShown) {
  EXPECT_TRUE(is_shown(mesh(), {}));
  EXPECT_FALSE(is_shown(stage_->prim("/A/Guide"), {}));
}

TEST_F(GeometryPage, PrintsPositions) {
  ::testing::internal::CaptureStdout();
  print_positions(*stage_, {});
  EXPECT_EQ(::testing::internal::GetCapturedStdout(),
            "/A/Mesh: 10 0 0\n/A/Box: 10 0 0\n/A/Guide: 10 0 0\n");
}

TEST_F(GeometryPage, MeasuresMeshesAndScenes) {
  const auto extent = mesh_extent(mesh(), {}, diagnostics_);
  ASSERT_TRUE(extent);
  EXPECT_EQ(extent->max, Vector3f(1, 1, 0));
  const geom::Range3d bounds = scene_bounds(*stage_, {}, diagnostics_);
  EXPECT_EQ(bounds.min, Vector3d(10, 0, 0));
  EXPECT_EQ(bounds.max, Vector3d(12, 5, 0));
}

TEST_F(GeometryPage, DrawsInstances) {
  ::testing::internal::CaptureStdout();
  draw_instances(stage_->prim("/A/Many"), {}, diagnostics_);
  draw_instances(mesh(), {}, diagnostics_);
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "Mesh at 0 0 0\nMesh at 0 0 3\n");
}

TEST_F(GeometryPage, PrintsParts) {
  ::testing::internal::CaptureStdout();
  print_parts(mesh(), diagnostics_);
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "parts: valid\n  All: 1 faces\n");
}

TEST_F(GeometryPage, MakesBuffersOfARenderer) {
  const auto result = render_mesh(stage_->prim("/A/Box"), {}, diagnostics_);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->vertices.size(), 8U) << "two quads that share no texture coordinates";
  EXPECT_EQ(result->indices, (std::vector<std::uint32_t>{0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7}));
  EXPECT_EQ(result->points, (std::vector<std::uint32_t>{1, 4, 5, 2, 0, 1, 2, 3}));
  EXPECT_EQ(result->vertices[1].point, Vector3f(2, 0, 0));
  EXPECT_EQ(result->vertices[1].normal, Vector3f(0, 0, 1));
  EXPECT_EQ(result->vertices[2].uv, Vector2f(1, 1));
  ASSERT_EQ(result->calls.size(), 2U);
  EXPECT_EQ(result->calls[0].material_from, "/A/Box/Right");
  EXPECT_EQ(result->calls[0].index_count, 6U);
  EXPECT_EQ(result->calls[1].material_from, "/A/Box");
  EXPECT_EQ(result->calls[1].first_index, 6U);
  EXPECT_TRUE(diagnostics_.empty());
  const auto plain = render_mesh(mesh(), {}, diagnostics_);
  ASSERT_TRUE(plain);
  EXPECT_EQ(plain->vertices.size(), 4U) << "as many as points";
}

TEST_F(GeometryPage, TellsWhatIsWrong) {
  ::testing::internal::CaptureStdout();
  EXPECT_TRUE(is_sound(*stage_));
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "");
}

TEST_F(GeometryPage, QuotesOnlyTestedCode) {
  EXPECT_GE(test::expect_quotes_tested_code(test::data_folder() + "/../../docs/geometry.md",
                                            test::data_folder() + "/../geom/docs_test.cpp"),
            9U);
}

}  // namespace
}  // namespace sinew::docs_test
