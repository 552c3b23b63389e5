// SPDX-License-Identifier: Apache-2.0
#include "sinew/geom/primvars.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "stage/support.hpp"

namespace sinew::geom::primvars_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

stage::StagePtr open(const std::string& text) {
  Diagnostics diagnostics;
  const auto stage = stage::open_layers({{"root.usda", text.c_str()}}, diagnostics);
  EXPECT_THAT(diagnostics, IsEmpty());
  return stage;
}

std::vector<std::string> names(const std::vector<Primvar>& primvars) {
  std::vector<std::string> result;
  for (const Primvar& primvar : primvars) {
    result.push_back(primvar.attribute().path().str());
  }
  return result;
}

template <typename T>
std::vector<T> copy(const stage::ArrayValue<T>& values) {
  return {values.begin(), values.end()};
}

TEST(PrimvarNames, KeepOrDropTheirPrefix) {
  EXPECT_TRUE(is_primvar_name("primvars:skel:jointIndices"));
  EXPECT_FALSE(is_primvar_name("primvars:st:indices"));
  EXPECT_FALSE(is_primvar_name("primvars:"));
  EXPECT_FALSE(is_primvar_name("points"));
  EXPECT_EQ(primvar_attribute_name("st"), "primvars:st");
  EXPECT_EQ(primvar_attribute_name("primvars:st"), "primvars:st");
  EXPECT_EQ(primvar_name("primvars:a:b"), "a:b");
  EXPECT_EQ(primvar_name("points"), "points");
}

TEST(PrimvarInterpolationTest, HasTheNamesOfTheSchema) {
  EXPECT_EQ(to_string(PrimvarInterpolation::constant), "constant");
  EXPECT_EQ(to_string(PrimvarInterpolation::face_varying), "faceVarying");
  EXPECT_EQ(to_string(PrimvarInterpolation::unknown), "");
}

TEST(Primvar, TellsWhatIsAuthoredAndWhatIsNot) {
  const auto stage = open(R"(
def Mesh "M" {
    float[] primvars:a = [1, 2] (interpolation = "uniform"; elementSize = 2)
    int[] primvars:a:indices = [0]
    float primvars:b
    float[] primvars:c = [1] (interpolation = "sideways")
    normal3f[] normals = [(0, 0, 1)]
}
)");
  const stage::Prim mesh = stage->prim("/M");

  const Primvar a = find_primvar(mesh, "a");
  EXPECT_EQ(a.name(), "a");
  EXPECT_TRUE(a.has_authored_value());
  EXPECT_EQ(a.interpolation(), PrimvarInterpolation::uniform);
  EXPECT_TRUE(a.has_authored_interpolation());
  EXPECT_EQ(a.element_size(), 2);
  EXPECT_TRUE(a.is_indexed());
  EXPECT_EQ(a.value().size(), 2U);

  const Primvar b = find_primvar(mesh, "primvars:b");
  EXPECT_FALSE(b.has_authored_value());
  EXPECT_EQ(b.interpolation(), PrimvarInterpolation::constant);
  EXPECT_FALSE(b.has_authored_interpolation());
  EXPECT_EQ(b.element_size(), 1);
  EXPECT_EQ(b.unauthored_values_index(), -1);
  EXPECT_FALSE(b.is_indexed());

  EXPECT_EQ(find_primvar(mesh, "c").interpolation(), PrimvarInterpolation::unknown);
  EXPECT_EQ(find_schema_primvar(mesh, "normals").interpolation(), PrimvarInterpolation::vertex);
  EXPECT_FALSE(find_primvar(mesh, "d"));
  EXPECT_FALSE(find_primvar(mesh, "a:indices"));
}

TEST(Primvar, VariesIfItsValuesOrItsIndicesDo) {
  const auto stage = open(R"(
def Mesh "M" {
    float[] primvars:still = [1]
    int[] primvars:still:indices = [0]
    float[] primvars:bare = [1]
    float[] primvars:values.timeSamples = { 1: [1], 2: [2] }
    float[] primvars:chosen = [1, 2]
    int[] primvars:chosen:indices.timeSamples = { 3: [0], 4: [1] }
    float[] primvars:once.timeSamples = { 1: [1] }
}
)");
  const auto varies = [&](const char* name) {
    return find_primvar(stage->prim("/M"), name).might_be_time_varying();
  };
  EXPECT_FALSE(varies("still"));
  EXPECT_FALSE(varies("bare"));
  EXPECT_TRUE(varies("values"));
  EXPECT_TRUE(varies("chosen"));
  EXPECT_FALSE(varies("once"));
  EXPECT_EQ(find_primvar(stage->prim("/M"), "chosen").time_samples(),
            (std::vector<double>{3.0, 4.0}));
}

TEST(Primvar, ReadsItsUnauthoredValuesIndex) {
  const auto stage = open(R"(
def Mesh "M" { float[] primvars:a = [1] (unauthoredValuesIndex = 3); }
)");
  EXPECT_EQ(find_primvar(stage->prim("/M"), "a").unauthored_values_index(), 3);
}

TEST(Primvar, FlattensByElement) {
  const auto stage = open(R"(
def Mesh "M" {
    float[] primvars:a = [1, 2, 3, 4, 5, 6] (elementSize = 2)
    int[] primvars:a:indices = [2, 0, 2]
    token[] primvars:names = ["x", "y"]
    int[] primvars:names:indices = [1, 1, 0]
    float[] primvars:plain = [7, 8]
    float primvars:single = 9
    int[] primvars:single:indices = [5]
    float[] primvars:none = [1, 2]
    int[] primvars:none:indices = []
}
)");
  const stage::Prim mesh = stage->prim("/M");
  const auto floats = [&](const char* name) {
    return copy(*find_primvar(mesh, name).flattened_array<float>());
  };
  EXPECT_THAT(floats("a"), ElementsAre(5, 6, 1, 2, 5, 6));
  EXPECT_THAT(floats("plain"), ElementsAre(7, 8));
  EXPECT_THAT(floats("none"), IsEmpty());
  const auto texts = find_primvar(mesh, "names").flattened_array<Token>();
  ASSERT_TRUE(texts);
  EXPECT_EQ((*texts)[0].view(), "y");
  EXPECT_EQ((*texts)[2].view(), "x");
  EXPECT_EQ(find_primvar(mesh, "single").flattened()->get<float>(), 9.0F);
}

TEST(Primvar, FlattensAtATime) {
  const auto stage = open(R"(
def Mesh "M" {
    float[] primvars:a.timeSamples = { 0: [0, 10], 10: [10, 20] }
    int[] primvars:a:indices.timeSamples = { 0: [0], 5: [1], 12: None }
}
)");
  const Primvar a = find_primvar(stage->prim("/M"), "a");
  EXPECT_THAT(copy(*a.flattened_array<float>(2.0)), ElementsAre(2));
  EXPECT_THAT(copy(*a.flattened_array<float>(6.0)), ElementsAre(16));
  EXPECT_EQ(a.flattened(12.0).error().code, ErrorCode::no_value);
  EXPECT_EQ(a.flattened().error().code, ErrorCode::no_value);
  EXPECT_THAT(copy(*a.indices(0.0)), ElementsAre(0));
  EXPECT_THAT(a.time_samples(), ElementsAre(0, 5, 10, 12));
  EXPECT_TRUE(a.might_be_time_varying());
}

TEST(Primvar, RefusesIndicesThatItCannotUse) {
  const auto stage = open(R"(
def Mesh "M" {
    float[] primvars:a = [1, 2, 3, 4, 5] (elementSize = 2)
    int[] primvars:a:indices = [0, 2, -1, 1]
    float[] primvars:b = [1]
    float[] primvars:b:indices = [0]
    float[] primvars:c = [1] (elementSize = 0)
    int[] primvars:c:indices = [0]
    double[] primvars:d = [1]
    float[] primvars:e = []
    int[] primvars:e:indices = [0]
}
)");
  const stage::Prim mesh = stage->prim("/M");
  const auto error = [&](const char* name) {
    const auto result = find_primvar(mesh, name).flattened_array<float>();
    return result ? Error() : result.error();
  };
  EXPECT_EQ(error("a").code, ErrorCode::index_out_of_range);
  EXPECT_EQ(error("a").message,
            "primvars:a: 2 of 4 indices lie outside its 2 elements: 2 at 1, -1 at 2");
  EXPECT_EQ(error("b").code, ErrorCode::type_mismatch);
  EXPECT_EQ(error("c").code, ErrorCode::invalid_argument);
  EXPECT_EQ(error("d").code, ErrorCode::type_mismatch);
  EXPECT_THAT(error("d").message, HasSubstr("double[]"));
  EXPECT_EQ(error("e").code, ErrorCode::index_out_of_range);
}

TEST(FlattenIndexed, BoundsWhatItExpands) {
  const std::vector<float> block(1 << 15);
  const std::vector<std::int32_t> indices((1 << 13) + 1, 0);
  const auto values = layer::Value::array<float>(layer::ElementType::float_, block);
  const auto result = flatten_indexed(values, indices, block.size());
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::limit_exceeded);
  EXPECT_EQ(flatten_indexed(values, indices, 0).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(flatten_indexed(values, indices, std::numeric_limits<std::size_t>::max()).error().code,
            ErrorCode::index_out_of_range);
}

class InheritedPrimvars : public ::testing::Test {
 protected:
  stage::StagePtr stage_ = open(R"(
def Xform "P" {
    float primvars:kept = 1
    float primvars:hidden = 1
    float primvars:stopped = 1
    float primvars:blocked = 1
    float[] primvars:own = [1] (interpolation = "vertex")
    def "Untyped" {
        float primvars:hidden = 2
        float[] primvars:stopped = [2] (interpolation = "vertex")
        float primvars:declared
        def Mesh "M" {
            float primvars:blocked = None
            float[] primvars:own = [3] (interpolation = "vertex")
        }
    }
}
)");
  std::string found(const char* name) {
    const Primvar primvar = find_inherited_primvar(stage_->prim("/P/Untyped/M"), name);
    return primvar ? primvar.attribute().path().str() : "none";
  }
};

TEST_F(InheritedPrimvars, AreDecidedByTheNearestValue) {  // stage 7.4
  EXPECT_EQ(found("kept"), "/P.primvars:kept");
  EXPECT_EQ(found("primvars:hidden"), "/P/Untyped.primvars:hidden");
  EXPECT_EQ(found("stopped"), "none");
  EXPECT_EQ(found("blocked"), "/P.primvars:blocked");
  EXPECT_EQ(found("own"), "/P/Untyped/M.primvars:own");
  EXPECT_EQ(found("declared"), "none");
  EXPECT_EQ(found("nowhere"), "none");
}

TEST_F(InheritedPrimvars, AreListedFromTheTopDown) {
  EXPECT_THAT(names(find_inherited_primvars(stage_->prim("/P/Untyped/M"))),
              ElementsAre("/P.primvars:blocked", "/P.primvars:kept", "/P/Untyped.primvars:hidden",
                          "/P/Untyped/M.primvars:own"));
  EXPECT_THAT(find_inherited_primvars(stage_->root()), IsEmpty());
}

TEST_F(InheritedPrimvars, AreFoundStepByStepToo) {
  std::vector<Primvar> inherited;
  for (const char* path : {"/P", "/P/Untyped"}) {
    inherited = inheritable_primvars(stage_->prim(path), inherited);
  }
  EXPECT_THAT(names(inherited),
              ElementsAre("/P.primvars:blocked", "/P.primvars:kept", "/P/Untyped.primvars:hidden"));
}

TEST(InheritedPrimvarsOfInstances, ComeFromAboveTheInstance) {
  const auto stage = open(R"(
class Xform "Proto" {
    def Mesh "M" { float primvars:own = 0; }
}
def Xform "A" { float primvars:x = 1
    def "I" (instanceable = true; inherits = </Proto>) {}
}
def Xform "B" { float primvars:x = 2
    def "I" (instanceable = true; inherits = </Proto>) {}
}
)");
  for (const auto& [path, value] : {std::pair{"/A/I/M", 1.0F}, {"/B/I/M", 2.0F}}) {
    const Primvar x = find_inherited_primvar(stage->prim(path), "x");
    ASSERT_TRUE(x) << path;
    EXPECT_EQ(x.value().get<float>(), value) << path;
  }
}

TEST(AuthoredPrimvars, AreThoseThatAnOpinionMentions) {
  const auto stage = open(R"(
def Mesh "M" {
    float primvars:b = 1
    int[] primvars:b:indices = [0]
    float primvars:a
    rel primvars:r = </M>
    float other = 1
}
)");
  EXPECT_THAT(names(authored_primvars(stage->prim("/M"))),
              ElementsAre("/M.primvars:a", "/M.primvars:b"));
}

TEST(FindSchemaPrimvar, PrefersThePrimvar) {  // stage 7.4
  const auto stage = open(R"(
def Mesh "Both" { normal3f[] normals = []; normal3f[] primvars:normals = [] (interpolation = "faceVarying"); }
def Mesh "Blocked" { normal3f[] normals = []; normal3f[] primvars:normals = None; }
def Mesh "Neither" { normal3f[] normals; }
)");
  const auto name = [&](const char* prim) {
    const Primvar found = find_schema_primvar(stage->prim(prim), "normals");
    return found ? found.attribute().name().str() : "none";
  };
  EXPECT_EQ(name("/Both"), "primvars:normals");
  EXPECT_EQ(name("/Blocked"), "normals");
  EXPECT_EQ(name("/Neither"), "none");
}

class ElementCounts : public ::testing::Test {
 protected:
  // Counts as text: constant uniform varying vertex faceVarying, "-" where there is none.
  std::string counts(const char* path) {
    std::string text;
    for (int i = 0; i < 5; ++i) {
      const auto n =
          expected_element_count(stage_->prim(path), static_cast<PrimvarInterpolation>(i));
      text += (i == 0 ? "" : " ") + (n ? std::to_string(*n) : "-");
    }
    return text;
  }
  stage::StagePtr stage_ = open(R"(
def Mesh "Mesh" { point3f[] points = [(0,0,0), (1,0,0), (1,1,0), (0,1,0)]; int[] faceVertexCounts = [3, 3]; int[] faceVertexIndices = [0, 1, 2, 0, 2, 3]; }
def Mesh "Empty" {}
def Points "Points" { point3f[] points = [(0,0,0), (1,0,0)]; }
def Cube "Cube" {}
def BasisCurves "Linear" { uniform token type = "linear"; int[] curveVertexCounts = [2, 5]; }
def BasisCurves "Bezier" { int[] curveVertexCounts = [4, 7]; }
def BasisCurves "ClosedBezier" { uniform token wrap = "periodic"; int[] curveVertexCounts = [6]; }
def BasisCurves "Spline" { uniform token basis = "bspline"; int[] curveVertexCounts = [4, 7]; }
def BasisCurves "ClosedSpline" { uniform token basis = "catmullRom"; uniform token wrap = "periodic"; int[] curveVertexCounts = [6]; }
def BasisCurves "Pinned" { uniform token basis = "bspline"; uniform token wrap = "pinned"; int[] curveVertexCounts = [4]; }
def BasisCurves "Broken" { int[] curveVertexCounts = [-5, 1, 4, -2147483648]; }
def HermiteCurves "Hermite" { int[] curveVertexCounts = [3]; }
def NurbsCurves "Nurbs" { int[] curveVertexCounts = [5]; }
)");
};

TEST_F(ElementCounts, FollowTheTopology) {  // stage 7.4
  EXPECT_EQ(counts("/Mesh"), "1 2 4 4 6");
  EXPECT_EQ(counts("/Empty"), "1 0 0 0 0");
  EXPECT_EQ(counts("/Points"), "1 - 2 2 -");
  EXPECT_EQ(counts("/Cube"), "1 - - - -");
}

TEST_F(ElementCounts, OfCurvesFollowTheirSegments) {
  EXPECT_EQ(counts("/Linear"), "1 2 7 7 -");
  EXPECT_EQ(counts("/Bezier"), "1 2 5 11 -");
  EXPECT_EQ(counts("/ClosedBezier"), "1 1 2 6 -");
  EXPECT_EQ(counts("/Spline"), "1 2 7 11 -");
  EXPECT_EQ(counts("/ClosedSpline"), "1 1 6 6 -");
  EXPECT_EQ(counts("/Pinned"), "1 1 4 4 -");
  EXPECT_EQ(counts("/Broken"), "1 4 2 5 -");
  EXPECT_EQ(counts("/Hermite"), "1 1 3 3 -");
  EXPECT_EQ(counts("/Nurbs"), "1 1 - 5 -");
}

TEST(CheckPrimvar, ComparesElementsWithTheTopology) {
  const auto stage = open(R"(
def Mesh "M" {
    point3f[] points = [(0,0,0), (1,0,0), (1,1,0)]
    int[] faceVertexCounts = [3]
    int[] faceVertexIndices = [0, 1, 2]
    float[] primvars:good = [1, 2, 3, 4, 5, 6] (interpolation = "vertex"; elementSize = 2)
    float[] primvars:indexed = [1] (interpolation = "faceVarying")
    int[] primvars:indexed:indices = [0, 0, 0]
    float primvars:single = 1
    float[] primvars:short = [1, 2] (interpolation = "vertex")
    float[] primvars:torn = [1, 2, 3] (elementSize = 2)
    float[] primvars:odd = [1] (interpolation = "sideways")
    float[] primvars:negative = [1] (elementSize = -1)
    float[] primvars:bad = [1]
    int[] primvars:bad:indices = [1]
}
)");
  const stage::Prim mesh = stage->prim("/M");
  const auto problem = [&](const char* name) {
    const Status status = check_primvar(find_primvar(mesh, name), mesh);
    return status ? std::string() : status.error().message;
  };
  EXPECT_EQ(problem("good"), "");
  EXPECT_EQ(problem("indexed"), "");
  EXPECT_EQ(problem("single"), "");
  EXPECT_EQ(problem("short"), "primvars:short has 2 elements; vertex needs 3");
  EXPECT_EQ(problem("torn"), "primvars:torn has 3 values, which make no elements of 2");
  EXPECT_EQ(problem("odd"), "primvars:odd has interpolation \"sideways\"");
  EXPECT_EQ(problem("negative"), "primvars:negative has elementSize -1");
  EXPECT_EQ(problem("bad"), "primvars:bad: 1 of 1 indices lie outside its 1 elements: 1 at 0");
}

TEST(Primvar, IsNotIndexedByIndicesThatAreOnlyDeclared) {
  const auto stage = open(R"(
def Mesh "M" {
    float[] primvars:a = [1, 2]
    int[] primvars:a:indices
    float[] primvars:bare = [1, 2]
    float[] primvars:blocked = None
    float[] primvars:declared
}
)");
  const stage::Prim mesh = stage->prim("/M");
  const Primvar a = find_primvar(mesh, "a");
  EXPECT_FALSE(a.is_indexed());
  EXPECT_THAT(copy(*a.flattened_array<float>()), ElementsAre(1, 2));
  EXPECT_FALSE(a.indices());
  EXPECT_FALSE(find_primvar(mesh, "bare").indices());
  EXPECT_EQ(find_primvar(mesh, "blocked").flattened().error().code, ErrorCode::no_value);
  EXPECT_EQ(find_primvar(mesh, "declared").flattened().error().code, ErrorCode::no_value);
}

TEST(FlattenIndexed, LeavesASingleValueAsItIs) {
  const std::vector<std::int32_t> indices = {7};
  const auto result =
      flatten_indexed(layer::Value::scalar(layer::ElementType::float_, 3.0F), indices, 1);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->get<float>(), 3.0F);
}

TEST(FlattenIndexed, NamesTheFirstFiveThatLieOutside) {
  const std::vector<float> two = {1, 2};
  const auto values = layer::Value::array<float>(layer::ElementType::float_, two);
  const auto message = [&](const std::vector<std::int32_t>& indices) {
    return flatten_indexed(values, indices, 1).error().message;
  };
  EXPECT_EQ(message({2, 3, 4, 5, 6}),
            "5 of 5 indices lie outside its 2 elements: 2 at 0, 3 at 1, 4 at 2, 5 at 3, 6 at 4");
  EXPECT_EQ(message({2, 3, 4, 0, 5, 6, -7}),
            "6 of 7 indices lie outside its 2 elements: 2 at 0, 3 at 1, 4 at 2, 5 at 4, 6 at 5, "
            "...");
}

TEST_F(ElementCounts, OfCurvesWithoutCountsAreNone) {
  const auto stage = open("def BasisCurves \"Bare\" {}\ndef NurbsCurves \"Nurbs\" {}\n");
  for (const auto interpolation : {PrimvarInterpolation::uniform, PrimvarInterpolation::vertex}) {
    EXPECT_EQ(expected_element_count(stage->prim("/Bare"), interpolation), 0U);
    EXPECT_EQ(expected_element_count(stage->prim("/Nurbs"), interpolation), 0U);
  }
  EXPECT_EQ(expected_element_count(stage->prim("/Bare"), PrimvarInterpolation::varying), 0U);
}

}  // namespace
}  // namespace sinew::geom::primvars_test
