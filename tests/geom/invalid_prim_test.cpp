// SPDX-License-Identifier: Apache-2.0
// What is read from no prim is nothing.
#include <gtest/gtest.h>

#include "sinew/geom.hpp"
#include "stage/support.hpp"

namespace sinew::geom::invalid_prim_test {
namespace {

class InvalidPrim : public ::testing::Test {
 protected:
  Diagnostics diagnostics_;
  const stage::StagePtr stage_ =
      stage::open_layers({{"root.usda", "def Xform \"A\" {}\n"}}, diagnostics_);
  const stage::Prim none_ = stage_->prim("/typo");
};

TEST_F(InvalidPrim, HasNoGeometry) {
  const Mesh mesh = read_mesh(none_, 1.0, &diagnostics_);
  EXPECT_EQ(mesh.points.size(), 0u);
  EXPECT_EQ(read_mesh_primvar<float>(none_, mesh, "x", 1.0, &diagnostics_).values.size(), 0u);
  EXPECT_FALSE(read_shape(none_, 1.0, &diagnostics_));
  EXPECT_FALSE(read_point_instances(none_, 1.0, &diagnostics_));
  EXPECT_FALSE(point_instances_might_vary(none_));
  EXPECT_FALSE(read_extent(none_, 1.0, &diagnostics_));
  EXPECT_FALSE(compute_extent(none_, 1.0, &diagnostics_));
  EXPECT_FALSE(compute_extent(none_, std::span<const Vector3f>(), 1.0, &diagnostics_));
  EXPECT_FALSE(extent(none_, 1.0, &diagnostics_));
  EXPECT_TRUE(geom_subsets(none_).empty());
  EXPECT_TRUE(geom_subsets(none_, "f").empty());
  EXPECT_TRUE(subset_families(none_).empty());
  EXPECT_EQ(subset_family_type(none_, "f"), SubsetFamilyType::unrestricted);
  EXPECT_FALSE(subset_element_count(none_, SubsetElement::face));
  EXPECT_FALSE(unassigned_indices(none_, SubsetElement::face, "f").has_value());
}

TEST_F(InvalidPrim, HasNoPrimvars) {
  EXPECT_TRUE(authored_primvars(none_).empty());
  EXPECT_FALSE(find_primvar(none_, "x"));
  EXPECT_FALSE(find_inherited_primvar(none_, "x"));
  EXPECT_TRUE(find_inherited_primvars(none_).empty());
  EXPECT_TRUE(inheritable_primvars(none_, {}).empty());
  EXPECT_FALSE(find_schema_primvar(none_, "normals"));
  EXPECT_FALSE(expected_element_count(none_, PrimvarInterpolation::vertex));
}

TEST_F(InvalidPrim, StandsAtTheOrigin) {
  EXPECT_TRUE(local_transform(none_, 1.0, &diagnostics_).parent_from_prim.isIdentity(0));
  EXPECT_TRUE(world_from_prim(none_, 1.0, &diagnostics_).isIdentity(0));
  EXPECT_TRUE(world_from_parent(none_, 1.0, &diagnostics_).isIdentity(0));
  EXPECT_FALSE(local_transform_might_vary(none_));
  EXPECT_FALSE(world_transform_might_vary(none_));
  EXPECT_TRUE(local_transform_samples(none_).empty());
  TransformCache cache(1.0, &diagnostics_);
  EXPECT_TRUE(cache.world_from_prim(none_).isIdentity(0));
  EXPECT_TRUE(cache.world_from_parent(none_).isIdentity(0));
  EXPECT_FALSE(cache.resets_stack(none_));
  BoundsCache bounds;
  EXPECT_TRUE(bounds.world_bound(none_).range.empty());
  EXPECT_TRUE(bounds.local_bound(none_).range.empty());
  EXPECT_TRUE(bounds.untransformed_bound(none_).range.empty());
  EXPECT_TRUE(bounds.relative_bound(none_, stage_->root())->range.empty());
  EXPECT_TRUE(bounds.relative_bound(stage_->prim("/A"), none_)->range.empty());
}

TEST_F(InvalidPrim, IsInNoCollectionAndBoundToNothing) {
  EXPECT_FALSE(Collection::read(none_, "c", &diagnostics_).contains(stage_->prim("/A")));
  EXPECT_FALSE(Collection::read(stage_->prim("/A"), "c", &diagnostics_).contains(none_));
  EXPECT_FALSE(matches_path_expression("//", none_));
  EXPECT_FALSE(MaterialBindings(*stage_, "").resolve(none_).material);
}

}  // namespace
}  // namespace sinew::geom::invalid_prim_test
