// SPDX-License-Identifier: Apache-2.0
// The code of docs/geometry.md, compiled and run. The last test checks that every block of C++ on
// that page stands here too, so neither can change without the other.
#include <gtest/gtest.h>

#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "sinew/geom/bounds.hpp"
#include "sinew/geom/extents.hpp"
#include "sinew/geom/primvars.hpp"
#include "sinew/geom/subsets.hpp"
#include "sinew/geom/transform_cache.hpp"
#include "sinew/geom/visibility.hpp"
#include "sinew/skel/read/extents.hpp"
#include "stage/support.hpp"
#include "support/quoted_code.hpp"

namespace sinew {
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
    def Mesh "Guide" { uniform token purpose = "guide"; token visibility = "inherited"; }
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
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "/A/Mesh: 10 0 0\n/A/Guide: 10 0 0\n");
}

TEST_F(GeometryPage, MeasuresMeshesAndScenes) {
  const auto extent = mesh_extent(mesh(), {}, diagnostics_);
  ASSERT_TRUE(extent);
  EXPECT_EQ(extent->max, Vector3f(1, 1, 0));
  const geom::Range3d bounds = scene_bounds(*stage_, {}, diagnostics_);
  EXPECT_EQ(bounds.min, Vector3d(10, 0, 0));
  EXPECT_EQ(bounds.max, Vector3d(11, 5, 0));
}

TEST_F(GeometryPage, PrintsParts) {
  ::testing::internal::CaptureStdout();
  print_parts(mesh(), diagnostics_);
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "parts: valid\n  All: 1 faces\n");
}

TEST_F(GeometryPage, QuotesOnlyTestedCode) {
  EXPECT_GE(test::expect_quotes_tested_code(SINEW_TEST_DATA "/../../docs/geometry.md",
                                            SINEW_TEST_DATA "/../geom/docs_test.cpp"),
            6U);
}

}  // namespace
}  // namespace sinew
