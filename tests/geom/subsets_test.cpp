// SPDX-License-Identifier: Apache-2.0
#include "sinew/geom/subsets.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "stage/support.hpp"
#include "support/codes.hpp"

namespace sinew::geom::subsets_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(SubsetElementTest, HasTheNamesOfTheSchema) {
  EXPECT_EQ(to_string(SubsetElement::face), "face");
  EXPECT_EQ(to_string(SubsetElement::tetrahedron), "tetrahedron");
  EXPECT_EQ(to_string(SubsetElement::unknown), "");
}

class Subsets : public ::testing::Test {
 protected:
  stage::Prim prim(const char* path) const { return stage_->prim(path); }
  Status check(const char* family, SubsetElement element = SubsetElement::face,
               const char* path = "/M", stage::Time time = {}) {
    found_.clear();
    return check_subset_family(prim(path), element, family, time, &found_);
  }
  std::string codes() const { return test::codes_of(found_); }
  std::vector<std::int32_t> unassigned(const char* family,
                                       SubsetElement element = SubsetElement::face,
                                       const char* path = "/M") {
    const auto result = unassigned_indices(prim(path), element, family);
    EXPECT_TRUE(result);
    return result.value_or({});
  }

  Diagnostics found_;
  Diagnostics diagnostics_;
  // Two quads with a common edge: points 0 1 2 3 and 1 4 5 2.
  stage::StagePtr stage_ = stage::open_layers({{"root.usda", R"(
def Mesh "M" {
    point3f[] points = [(0,0,0), (1,0,0), (1,1,0), (0,1,0), (2,0,0), (2,1,0)]
    int[] faceVertexCounts = [4, 4]
    int[] faceVertexIndices = [0, 1, 2, 3, 1, 4, 5, 2]
    uniform token subsetFamily:halves:familyType = "partition"
    uniform token subsetFamily:torn:familyType = "partition"
    uniform token subsetFamily:apart:familyType = "nonOverlapping"
    uniform token subsetFamily:wrong:familyType = "partition"
    uniform token subsetFamily:rim:familyType = "partition"
    uniform token subsetFamily:moving:familyType = "partition"
    uniform token subsetFamily:strange:familyType = "sideways"
    def GeomSubset "Left" { uniform token familyName = "halves"; int[] indices = [0]; }
    def GeomSubset "Right" { uniform token familyName = "halves"; int[] indices = [1]; }
    def GeomSubset "Points" { uniform token familyName = "halves"; uniform token elementType = "point"; int[] indices = [5]; }
    def GeomSubset "Torn" { uniform token familyName = "torn"; int[] indices = [1]; }
    def GeomSubset "A" { uniform token familyName = "apart"; int[] indices = [1]; }
    def GeomSubset "B" { uniform token familyName = "apart"; int[] indices = [1, 0, 0]; }
    def GeomSubset "Loose" { int[] indices = [0, 0]; }
    def GeomSubset "Empty" { uniform token familyName = "empty"; int[] indices = []; }
    def GeomSubset "Out" { uniform token familyName = "wrong"; int[] indices = [-1, 0, 2, 2147483647]; }
    def GeomSubset "Typed" { uniform token familyName = "wrong"; float[] indices = [0]; }
    def GeomSubset "Rim" { uniform token familyName = "rim"; uniform token elementType = "edge"; int[] indices = [1, 0, 2, 3, 3, 0, 1, 4, 4, 5, 2, 5]; }
    def GeomSubset "Odd" { uniform token familyName = "odd"; uniform token elementType = "edge"; int[] indices = [1, 2, 0, 2, 0]; }
    def GeomSubset "Moving" { uniform token familyName = "moving"; int[] indices.timeSamples = { 0: [0], 10: [0, 1] }; }
    def GeomSubset "Strange" { uniform token familyName = "strange"; uniform token elementType = "corner"; int[] indices = [0, 0]; }
    def GeomSubset "Inactive" (active = false) { uniform token familyName = "halves"; int[] indices = [0]; }
    over GeomSubset "Over" { uniform token familyName = "halves"; int[] indices = [0]; }
    def Xform "Xform" {
        def GeomSubset "Deep" { uniform token familyName = "deep"; int[] indices = [0]; }
    }
}
def TetMesh "T" { int4[] tetVertexIndices = [(0, 1, 2, 3), (1, 2, 3, 4)]
    def GeomSubset "S" { uniform token familyName = "f"; uniform token elementType = "tetrahedron"; int[] indices = [1]; }
}
def TetMesh "Shown" { int3[] surfaceFaceVertexIndices = [(0, 1, 2), (1, 2, 3)]
    uniform token subsetFamily:f:familyType = "partition"
    def GeomSubset "S" { uniform token familyName = "f"; int[] indices = [1]; }
    def GeomSubset "T" { uniform token familyName = "g"; int[] indices = [1, 2]; }
}
over Mesh "Weak" { int[] faceVertexCounts = [3]
    def GeomSubset "S" { int[] indices = [0]; }
    over GeomSubset "Over" { int[] indices = [0]; }
}
def BasisCurves "C" { uniform token type = "linear"; int[] curveVertexCounts = [3, 1, 2]
    uniform token subsetFamily:f:familyType = "partition"
    def GeomSubset "S" { uniform token familyName = "f"; uniform token elementType = "segment"; int[] indices = [0, 1, 2, 0]; }
    def GeomSubset "Out" { uniform token familyName = "out"; uniform token elementType = "segment"; int[] indices = [0, 2, 1, 0, 3, 0, 0, -1]; }
}
def BasisCurves "Huge" { uniform token type = "linear"; int[] curveVertexCounts = [2147483647, -7, 2147483647]; }
def Mesh "Broken" { int[] faceVertexCounts = [3, -1, 99]; int[] faceVertexIndices = [0, 1, -2, 4]; }
)"}},
                                              diagnostics_);
};

TEST_F(Subsets, AreTheDefinedChildren) {  // stage 7.5
  std::vector<std::string> names;
  for (const GeomSubset& subset : geom_subsets(prim("/M"), "halves")) {
    names.push_back(subset.prim.name().str());
  }
  EXPECT_THAT(names, ElementsAre("Left", "Right", "Points"));
  EXPECT_EQ(geom_subsets(prim("/M")).size(), 14U);
  EXPECT_EQ(geom_subsets(prim("/M"), "").size(), 1U);
  EXPECT_THAT(geom_subsets(prim("/M/Xform/Deep")), IsEmpty());
  EXPECT_THAT(diagnostics_, IsEmpty());
}

TEST_F(Subsets, MayBelongToAnOver) {
  const std::vector<GeomSubset> subsets = geom_subsets(prim("/Weak"));
  ASSERT_EQ(subsets.size(), 1U);
  EXPECT_EQ(subsets[0].prim.name().str(), "S");
}

TEST_F(Subsets, CountTheFacesThatATetMeshShows) {
  EXPECT_EQ(subset_element_count(prim("/Shown"), SubsetElement::face), 2U);
  EXPECT_EQ(subset_element_count(prim("/T"), SubsetElement::face), 0U);
  EXPECT_EQ(check("f", SubsetElement::face, "/Shown").error().code, ErrorCode::invalid_argument)
      << "face 0 is in no subset of the partition";
  EXPECT_EQ(check("g", SubsetElement::face, "/Shown").error().code, ErrorCode::index_out_of_range);
  EXPECT_THAT(unassigned("f", SubsetElement::face, "/Shown"), ElementsAre(0));
}

TEST_F(Subsets, SayWhatTheyCount) {
  const auto halves = geom_subsets(prim("/M"), "halves");
  EXPECT_EQ(halves.at(0).element, SubsetElement::face);
  EXPECT_EQ(halves.at(2).element, SubsetElement::point);
  EXPECT_EQ(halves.at(2).family, "halves");
  EXPECT_EQ(geom_subsets(prim("/M"), "strange").at(0).element, SubsetElement::unknown);
}

TEST_F(Subsets, GiveIndicesAtATime) {
  const GeomSubset moving = geom_subsets(prim("/M"), "moving").at(0);
  EXPECT_FALSE(moving.indices());
  EXPECT_THAT(moving.indices(5.0)->span(), ElementsAre(0));
  EXPECT_THAT(moving.indices(10.0)->span(), ElementsAre(0, 1));
  EXPECT_FALSE(geom_subsets(prim("/M"), "wrong").at(1).indices());
}

TEST_F(Subsets, BelongToFamilies) {
  EXPECT_THAT(subset_families(prim("/M")), ElementsAre("halves", "torn", "apart", "empty", "wrong",
                                                       "rim", "odd", "moving", "strange"));
  EXPECT_EQ(subset_family_type(prim("/M"), "halves"), SubsetFamilyType::partition);
  EXPECT_EQ(subset_family_type(prim("/M"), "apart"), SubsetFamilyType::non_overlapping);
  EXPECT_EQ(subset_family_type(prim("/M"), "empty"), SubsetFamilyType::unrestricted);
  EXPECT_EQ(subset_family_type(prim("/M"), "strange"), SubsetFamilyType::unrestricted);
}

TEST_F(Subsets, KnowHowManyElementsThereAre) {
  const auto count = [&](const char* path, SubsetElement element) {
    const auto n = subset_element_count(prim(path), element);
    return n ? static_cast<int>(*n) : -1;
  };
  EXPECT_EQ(count("/M", SubsetElement::face), 2);
  EXPECT_EQ(count("/M", SubsetElement::point), 6);
  EXPECT_EQ(count("/M", SubsetElement::edge), 7);
  EXPECT_EQ(count("/M", SubsetElement::tetrahedron), -1);
  EXPECT_EQ(count("/M", SubsetElement::unknown), -1);
  EXPECT_EQ(count("/T", SubsetElement::tetrahedron), 2);
  EXPECT_EQ(count("/C", SubsetElement::segment), 3);
  EXPECT_EQ(count("/C", SubsetElement::face), -1);
  EXPECT_EQ(count("/Broken", SubsetElement::edge), 1);
}

TEST_F(Subsets, OfAPartitionHoldEveryElementOnce) {
  EXPECT_TRUE(check("halves"));
  EXPECT_THAT(found_, IsEmpty());

  const Status torn = check("torn");
  ASSERT_FALSE(torn);
  EXPECT_EQ(torn.error().code, ErrorCode::invalid_argument);
  EXPECT_THAT(torn.error().message, HasSubstr("1 of 2 elements of the kind face"));
  EXPECT_EQ(codes(), "geom-subset-partition /M;");
}

TEST_F(Subsets, MayNotOverlapWhereTheFamilyForbidsIt) {
  EXPECT_EQ(check("apart").error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(codes(), "geom-subset-overlap /M/B;");
  EXPECT_THAT(found_.at(0).message, HasSubstr("2 of its elements are named twice"));
  EXPECT_TRUE(check(""));  // Unrestricted.
  EXPECT_TRUE(check("empty"));
}

TEST_F(Subsets, MayOnlyNameElementsThatExist) {
  const Status wrong = check("wrong");
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().code, ErrorCode::index_out_of_range);
  EXPECT_THAT(wrong.error().message,
              HasSubstr("3 of its 4 elements do not exist: the first is -1"));
  EXPECT_EQ(codes(),
            "geom-subset-range /M/Out;geom-subset-indices /M/Typed;geom-subset-partition /M;");
}

TEST_F(Subsets, OfEdgesNameThemByTheirEnds) {
  EXPECT_EQ(check("rim", SubsetElement::edge).error().code, ErrorCode::invalid_argument);
  EXPECT_THAT(unassigned("rim", SubsetElement::edge), ElementsAre(1, 2));
  EXPECT_EQ(check("odd", SubsetElement::edge).error().code, ErrorCode::size_mismatch);
  EXPECT_EQ(codes(), "geom-subset-indices /M/Odd;geom-subset-range /M/Odd;");
  EXPECT_THAT(found_.at(1).message, HasSubstr("the first is 0, 2"));
}

TEST_F(Subsets, OfSegmentsNameThemByCurve) {
  EXPECT_FALSE(check("f", SubsetElement::segment, "/C"));
  EXPECT_THAT(unassigned("f", SubsetElement::segment, "/C"), ElementsAre(0, 0));
  EXPECT_EQ(check("out", SubsetElement::segment, "/C").error().code, ErrorCode::index_out_of_range);
  EXPECT_THAT(found_.at(0).message, HasSubstr("4 of its 4 elements"));
}

TEST_F(Subsets, AreCheckedAtATime) {
  EXPECT_FALSE(check("moving", SubsetElement::face, "/M", 0.0));
  EXPECT_TRUE(check("moving", SubsetElement::face, "/M", 10.0));
  EXPECT_FALSE(check("moving"));  // No indices at the default time.
}

TEST_F(Subsets, MustBeThereToBeChecked) {
  EXPECT_EQ(check("nobody").error().code, ErrorCode::not_found);
  EXPECT_EQ(check("torn", SubsetElement::edge).error().code, ErrorCode::not_found);
  EXPECT_EQ(check("strange", SubsetElement::unknown).error().code, ErrorCode::unsupported);
}

TEST_F(Subsets, LeaveTheRestUnassigned) {
  EXPECT_THAT(unassigned("halves"), IsEmpty());
  EXPECT_THAT(unassigned("torn"), ElementsAre(0));
  EXPECT_THAT(unassigned("nobody"), ElementsAre(0, 1));
  EXPECT_THAT(unassigned("wrong"), ElementsAre(1));
  EXPECT_THAT(unassigned("halves", SubsetElement::point), ElementsAre(0, 1, 2, 3, 4));
  EXPECT_THAT(unassigned("f", SubsetElement::tetrahedron, "/T"), ElementsAre(0));
  EXPECT_EQ(unassigned_indices(prim("/C"), SubsetElement::face, "f").error().code,
            ErrorCode::unsupported);
  EXPECT_EQ(unassigned_indices(prim("/Huge"), SubsetElement::segment, "f").error().code,
            ErrorCode::limit_exceeded);
}

TEST_F(Subsets, OfSegmentsAreListedBehindCurvesWithoutAny) {
  Diagnostics diagnostics;
  const auto stage = stage::open_layers({{"root.usda", R"(
def BasisCurves "C" { uniform token type = "linear"; int[] curveVertexCounts = [3, 1, 3, 2]
    def GeomSubset "S" { uniform token familyName = "f"; uniform token elementType = "segment"; int[] indices = [0, 0, 0, 1, 2, 0]; }
    def GeomSubset "Out" { uniform token familyName = "out"; uniform token elementType = "segment"; int[] indices = [3, 0, 3, 1]; }
}
)"}},
                                        diagnostics);
  ASSERT_NE(stage, nullptr);
  const auto rest = unassigned_indices(stage->prim("/C"), SubsetElement::segment, "f");
  ASSERT_TRUE(rest);
  EXPECT_THAT(*rest, ElementsAre(2, 1, 3, 0));
  const Status out = check_subset_family(stage->prim("/C"), SubsetElement::segment, "out");
  ASSERT_FALSE(out);
  EXPECT_THAT(out.error().message,
              HasSubstr("1 of its 2 elements do not exist: the first is 3, 1."));
}

TEST_F(Subsets, CountTheSegmentsOfEveryKindOfCurve) {  // UsdGeomBasisCurves
  const auto segments = [](const char* type, const char* basis, const char* wrap, int points) {
    Diagnostics diagnostics;
    const std::string text = std::string("def BasisCurves \"C\" { uniform token type = \"") + type +
                             "\"; uniform token basis = \"" + basis +
                             "\"; uniform token wrap = \"" + wrap +
                             "\"; int[] curveVertexCounts = [" + std::to_string(points) + "]; }\n";
    const auto stage = stage::open_layers({{"root.usda", text.c_str()}}, diagnostics);
    return subset_element_count(stage->prim("/C"), SubsetElement::segment);
  };
  for (const char* basis : {"bezier", "bspline"}) {
    EXPECT_EQ(segments("linear", basis, "nonperiodic", 6), 5U) << basis;
    EXPECT_EQ(segments("linear", basis, "pinned", 6), 5U) << basis;
    EXPECT_EQ(segments("linear", basis, "periodic", 6), 6U) << basis;
  }
  EXPECT_EQ(segments("cubic", "bezier", "nonperiodic", 7), 2U);
  EXPECT_EQ(segments("cubic", "bezier", "pinned", 7), 2U);
  EXPECT_EQ(segments("cubic", "bezier", "periodic", 6), 2U);
  for (const char* basis : {"bspline", "catmullRom"}) {
    EXPECT_EQ(segments("cubic", basis, "nonperiodic", 6), 3U) << basis;
    EXPECT_EQ(segments("cubic", basis, "nonperiodic", 4), 1U) << basis;
    EXPECT_EQ(segments("cubic", basis, "nonperiodic", 3), 0U) << basis;
    EXPECT_EQ(segments("cubic", basis, "pinned", 6), 5U) << basis;
    EXPECT_EQ(segments("cubic", basis, "periodic", 6), 6U) << basis;
  }
  EXPECT_EQ(segments("linear", "bezier", "periodic", 0), 0U);
  EXPECT_EQ(segments("linear", "bezier", "nonperiodic", 0), 0U);
}

TEST_F(Subsets, OfEdgesLeaveOutThoseFromAPointToItself) {
  Diagnostics diagnostics;
  const auto stage = stage::open_layers({{"root.usda", R"(
def Mesh "M" { int[] faceVertexCounts = [3, 3]; int[] faceVertexIndices = [0, 0, 1, 2, -1, 3]; }
)"}},
                                        diagnostics);
  ASSERT_NE(stage, nullptr);
  // 0-1 of the first face, 2-3 of the second.
  EXPECT_EQ(subset_element_count(stage->prim("/M"), SubsetElement::edge), 2U);
  EXPECT_EQ(subset_element_count(prim("/C"), SubsetElement::edge), std::nullopt);
  EXPECT_EQ(subset_element_count(prim("/M"), SubsetElement::segment), std::nullopt);
}

TEST_F(Subsets, WithoutIndicesAtATimeAreNoPartition) {
  EXPECT_EQ(check("moving").error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(codes(), "geom-subset-partition /M;");
}

}  // namespace
}  // namespace sinew::geom::subsets_test
