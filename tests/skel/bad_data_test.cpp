// SPDX-License-Identifier: Apache-2.0
// Wrong data of every kind: a diagnostic names what is wrong, and everything else still works.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sinew/skel/read/extents.hpp"
#include "skel/skel_scene.hpp"

namespace sinew::skel::bad_data_test {
namespace {

using ::testing::HasSubstr;

struct BadData {
  const char* name;
  std::string skeleton;   // Replaces the skeleton's properties, if not empty.
  std::string animation;  // Likewise.
  std::string mesh;       // Likewise.
  const char* code;       // What is said,
  const char* path;       // of which prim or property,
  const char* words;      // and what the sentence contains.
};

const std::string kSkeleton = R"(
        uniform token[] joints = ["a", "a/b"]
        uniform matrix4d[] bindTransforms = [((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1)), ((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,1,0,1))]
        uniform matrix4d[] restTransforms = [((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1)), ((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,1,0,1))]
)";
const std::string kAnimation = R"(
        uniform token[] joints = ["a", "a/b"]
        float3[] translations = [(1,0,0), (0,1,0)]
        quatf[] rotations = [(1,0,0,0), (1,0,0,0)]
        half3[] scales = [(1,1,1), (1,1,1)]
        uniform token[] blendShapes = ["s"]
        float[] blendShapeWeights = [1]
)";
const std::string kMesh = R"(
        point3f[] points = [(0,0,0), (0,1,0)]
        int[] primvars:skel:jointIndices = [0, 1] (interpolation = "vertex")
        float[] primvars:skel:jointWeights = [1, 1] (interpolation = "vertex")
)";

std::string scene_text(const BadData& bad) {
  const auto or_good = [](const std::string& text, const std::string& good) {
    return text.empty() ? good : text;
  };
  return "#usda 1.0\ndef SkelRoot \"R\" (prepend apiSchemas = [\"SkelBindingAPI\"])\n{\n"
         "    rel skel:skeleton = </R/S>\n    rel skel:animationSource = </R/A>\n"
         "    def Skeleton \"S\" {\n" +
         or_good(bad.skeleton, kSkeleton) + "\n}\n    def SkelAnimation \"A\" {\n" +
         or_good(bad.animation, kAnimation) +
         "\n}\n    def Mesh \"M\" (prepend apiSchemas = [\"SkelBindingAPI\"]) {\n" +
         or_good(bad.mesh, kMesh) +
         "\n}\n}\n"
         "def SkelRoot \"Good\" (prepend apiSchemas = [\"SkelBindingAPI\"])\n{\n"
         "    rel skel:skeleton = </Good/S>\n    rel skel:animationSource = </Good/A>\n"
         "    def Skeleton \"S\" {" +
         kSkeleton + "}\n    def SkelAnimation \"A\" {" + kAnimation +
         "}\n    def Mesh \"M\" (prepend apiSchemas = [\"SkelBindingAPI\"]) {" + kMesh + "}\n}\n";
}

// Bound to the blend shape /R/M/T, which comes next.
const std::string kShape =
    "uniform token[] skel:blendShapes = [\"s\"]\nrel skel:blendShapeTargets = </R/M/T>\n";

std::string mesh(const std::string& properties) {
  return kMesh + properties;
}

const std::vector<BadData> kBadData = {
    {"ChildBeforeParent", "uniform token[] joints = [\"a/b\", \"a\"]", "", "",
     "skel-invalid-topology", "/R/S", "a/b"},
    {"TooFewBindTransforms",
     "uniform token[] joints = [\"a\"]\nuniform matrix4d[] bindTransforms = []\nuniform matrix4d[] "
     "restTransforms = [((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1))]",
     "", "", "skel-bind-transforms-size", "/R/S", "0 bindTransforms for 1 joints"},
    {"TooManyRestTransforms",
     "uniform token[] joints = []\nuniform matrix4d[] restTransforms = "
     "[((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1))]",
     "", "", "skel-rest-transforms-size", "/R/S", "1 restTransforms for 0 joints"},
    {"BindPoseMissing",
     "uniform token[] joints = [\"a\", \"a/b\"]\nuniform matrix4d[] restTransforms = "
     "[((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1)), ((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1))]",
     "", "", "skel-bind-pose-missing", "/R/S", "nothing can be skinned"},
    {"JointsOfAnotherType", "int[] joints = [1]", "", "", "skel-value-type", "/R/S.joints",
     "token[]"},
    {"ComponentsOfDifferentLengths", "",
     "uniform token[] joints = [\"a\", \"a/b\"]\nfloat3[] translations = [(1,0,0)]\nquatf[] "
     "rotations = [(1,0,0,0), (1,0,0,0)]\nhalf3[] scales = [(1,1,1), (1,1,1)]",
     "", "skel-animation-size-mismatch", "/R/A", "1 translations, 2 rotations and 2 scales"},
    {"TransformsForOtherJoints", "",
     "uniform token[] joints = [\"a\"]\nfloat3[] translations = [(1,0,0), (1,0,0)]\nquatf[] "
     "rotations = [(1,0,0,0), (1,0,0,0)]\nhalf3[] scales = [(1,1,1), (1,1,1)]",
     "", "skel-animation-size-mismatch", "/R/A", "2 transforms for 1 joints"},
    {"RotationsOfAnotherType", "",
     "uniform token[] joints = [\"a\"]\nfloat3[] translations = [(1,0,0)]\nfloat4[] rotations = "
     "[(1,0,0,0)]\nhalf3[] scales = [(1,1,1)]",
     "", "skel-value-type", "/R/A.rotations", "float4[]"},
    {"SparseAnimationWithoutRestPose",
     "uniform token[] joints = [\"a\", \"b\"]\nuniform matrix4d[] bindTransforms = "
     "[((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1)), ((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1))]",
     "uniform token[] joints = [\"a\"]", "", "skel-rest-pose-missing", "/R/S", "/R/A"},
    {"IndexTooLarge", "", "",
     "point3f[] points = [(0,0,0), (0,1,0)]\nint[] primvars:skel:jointIndices = [0, 2] "
     "(interpolation = \"vertex\")\nfloat[] primvars:skel:jointWeights = [1, 1] (interpolation = "
     "\"vertex\")",
     "skel-joint-index-out-of-range", "/R/M", "2"},
    {"IndexNegative", "", "",
     "point3f[] points = [(0,0,0)]\nint[] primvars:skel:jointIndices = [-2147483648] "
     "(interpolation = \"vertex\")\nfloat[] primvars:skel:jointWeights = [1] (interpolation = "
     "\"vertex\")",
     "skel-joint-index-out-of-range", "/R/M", "-2147483648"},
    {"FewerWeightsThanIndices", "", "",
     "point3f[] points = [(0,0,0), (0,1,0)]\nint[] primvars:skel:jointIndices = [0, 1] "
     "(interpolation = \"vertex\")\nfloat[] primvars:skel:jointWeights = [1] (interpolation = "
     "\"vertex\")",
     "skel-influences-invalid", "/R/M", "2 joint indices but 1 joint weights"},
    {"InfluencesForOtherPoints", "", "",
     "point3f[] points = [(0,0,0), (0,1,0), (0,2,0)]\nint[] primvars:skel:jointIndices = [0, 1] "
     "(interpolation = \"vertex\")\nfloat[] primvars:skel:jointWeights = [1, 1] (interpolation = "
     "\"vertex\")",
     "skel-influences-invalid", "/R/M", "3 points but joint influences for 2"},
    {"HugeElementSize", "", "",
     "point3f[] points = [(0,0,0)]\nint[] primvars:skel:jointIndices = [0] (interpolation = "
     "\"vertex\"; elementSize = 2147483647)\nfloat[] primvars:skel:jointWeights = [1] "
     "(interpolation = \"vertex\"; elementSize = 2147483647)",
     "skel-influences-invalid", "/R/M", "2147483647"},
    {"UnknownMethod", "", "", mesh("uniform token primvars:skel:skinningMethod = \"magic\""),
     "skel-skinning-method", "/R/M.primvars:skel:skinningMethod", "magic"},
    {"GeomBindOfAnotherType", "", "", mesh("float primvars:skel:geomBindTransform = 2"),
     "skel-value-type", "/R/M.primvars:skel:geomBindTransform", "instead of matrix4d"},
    {"JointThatTheSkeletonLacks", "", "", mesh("uniform token[] skel:joints = [\"a\", \"c\"]"),
     "skel-custom-joint-missing", "/R/M", "\"c\""},
    {"NormalsOfAnotherNumber", "", "",
     mesh("normal3f[] normals = [(0,0,1)] (interpolation = \"vertex\")"),
     "skel-normals-size-mismatch", "/R/M", "2 points but 1 normals"},
    {"FaceVertexOutOfRange", "", "",
     mesh("int[] faceVertexIndices = [0, 1, 7]\nnormal3f[] normals = [(0,0,1), (0,0,1), (0,0,1)] "
          "(interpolation = \"faceVarying\")"),
     "skel-face-vertex-out-of-range", "/R/M", "7"},
    {"BlendShapeTargetOfAnotherType", "", "",
     mesh("uniform token[] skel:blendShapes = [\"s\"]\nrel skel:blendShapeTargets = </R/S>"),
     "skel-blend-shape-target", "/R/M.skel:blendShapeTargets", "/R/S"},
    {"MoreBlendShapesThanTargets", "", "",
     mesh("uniform token[] skel:blendShapes = [\"s\", \"t\"]\nrel skel:blendShapeTargets = "
          "</R/M/T>\ndef BlendShape \"T\" { uniform vector3f[] offsets = [(1,0,0), (1,0,0)]; }"),
     "skel-blend-shape-count", "/R/M", "2 blend shapes but has 1 targets"},
    {"OffsetsForOtherPoints", "", "",
     mesh("uniform token[] skel:blendShapes = [\"s\"]\nrel skel:blendShapeTargets = "
          "</R/M/T>\ndef BlendShape \"T\" { uniform vector3f[] offsets = [(1,0,0)]; }"),
     "skel-blend-shape-mismatch", "/R/M", "1 offsets for 2 points"},
    {"PointIndexOutOfRange", "", "",
     mesh("uniform token[] skel:blendShapes = [\"s\"]\nrel skel:blendShapeTargets = "
          "</R/M/T>\ndef BlendShape \"T\" { uniform vector3f[] offsets = [(1,0,0)]\nuniform int[] "
          "pointIndices = [5]; }"),
     "skel-blend-shape-mismatch", "/R/M", "Point index 5"},
    {"UnsignedPointIndexOutOfRange", "", "",
     mesh("uniform token[] skel:blendShapes = [\"s\"]\nrel skel:blendShapeTargets = "
          "</R/M/T>\ndef BlendShape \"T\" { uniform vector3f[] offsets = [(1,0,0)]\nuint[] "
          "pointIndices = [4294967295]; }"),
     "skel-blend-shape-mismatch", "/R/M", "Point index -1"},
    {"InbetweenAtOne", "", "",
     mesh("uniform token[] skel:blendShapes = [\"s\"]\nrel skel:blendShapeTargets = "
          "</R/M/T>\ndef BlendShape \"T\" { uniform vector3f[] offsets = [(1,0,0), "
          "(1,0,0)]\nuniform point3f[] inbetweens:late = [(9,0,0), (9,0,0)] (weight = 1); }"),
     "skel-inbetween-weight", "/R/M.skel:blendShapeTargets", "late"},
    {"SkeletonThatDoesNotExist", "", "", mesh("rel skel:skeleton = </R/Nowhere>"),
     "skel-target-missing", "/R/M.skel:skeleton", "/R/Nowhere"},
    {"SkeletonOfAnotherType", "", "", mesh("rel skel:skeleton = </R/A>"), "skel-target-wrong-type",
     "/R/M.skel:skeleton", "SkelAnimation"},
    {"SeveralSkeletons", "", "", mesh("rel skel:skeleton = [</R/S>, </Good/S>]"),
     "skel-several-targets", "/R/M.skel:skeleton", "2 targets"},
    {"RepeatedJoint", "uniform token[] joints = [\"a\", \"b\", \"a\"]", "", "",
     "skel-joint-repeated", "/R/S", "Joints 0 and 2"},
    {"JointThatIsNoPath", "uniform token[] joints = [\"a\", \"a//b\"]", "", "", "skel-joint-name",
     "/R/S", "a//b"},
    {"SingularBindTransform",
     "uniform token[] joints = [\"a\", \"b\"]\nuniform matrix4d[] bindTransforms = "
     "[((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1)), ((1,0,0,0),(0,1,0,0),(0,0,0,0),(0,0,0,1))]",
     "", "", "skel-bind-transform-singular", "/R/S.bindTransforms", "bindTransforms[1]"},
    {"BindTransformsOfAnotherType",
     "uniform token[] joints = [\"a\"]\nmatrix3d[] bindTransforms = [((1,0,0),(0,1,0),(0,0,1))]",
     "", "", "skel-value-type", "/R/S.bindTransforms", "matrix3d[]"},
    {"ComponentMissing", "",
     "uniform token[] joints = [\"a\"]\nfloat3[] translations = [(1,0,0)]\nquatf[] rotations = "
     "[(1,0,0,0)]",
     "", "skel-animation-component-missing", "/R/A", "no scales"},
    {"WeightsForOtherShapes", "",
     kAnimation + "float[] blendShapeWeights.timeSamples = { 0: [1, 1] }", "",
     "skel-blend-shape-weights-size", "/R/A", "2 blendShapeWeights for 1 blendShapes"},
    {"WeightsOfAnotherType", "",
     "uniform token[] blendShapes = [\"s\"]\nstring[] blendShapeWeights = [\"x\"]", "",
     "skel-value-type", "/R/A.blendShapeWeights", "string[]"},
    {"ShapeNamesOfAnotherType", "", "int[] blendShapes = [1]\nfloat[] blendShapeWeights = [1]", "",
     "skel-value-type", "/R/A.blendShapes", "int[]"},
    {"IndicesOfAnotherType", "", "",
     "point3f[] points = [(0,0,0)]\nfloat[] primvars:skel:jointIndices = [0] (interpolation = "
     "\"vertex\")\nfloat[] primvars:skel:jointWeights = [1] (interpolation = \"vertex\")",
     "skel-value-type", "/R/M.primvars:skel:jointIndices", "float[]"},
    {"UniformInfluences", "", "",
     "point3f[] points = [(0,0,0)]\nint[] primvars:skel:jointIndices = [0] (interpolation = "
     "\"uniform\")\nfloat[] primvars:skel:jointWeights = [1] (interpolation = \"uniform\")",
     "skel-influences-invalid", "/R/M", "uniform"},
    {"DifferentElementSizes", "", "",
     "point3f[] points = [(0,0,0)]\nint[] primvars:skel:jointIndices = [0, 1] (interpolation = "
     "\"vertex\"; elementSize = 2)\nfloat[] primvars:skel:jointWeights = [1, 1] (interpolation = "
     "\"vertex\")",
     "skel-influences-invalid", "/R/M", "elementSize 2, its joint weights 1"},
    {"NegativeElementSize", "", "",
     "point3f[] points = [(0,0,0)]\nint[] primvars:skel:jointIndices = [0] (interpolation = "
     "\"vertex\"; elementSize = -3)\nfloat[] primvars:skel:jointWeights = [1] (interpolation = "
     "\"vertex\"; elementSize = -3)",
     "skel-influences-invalid", "/R/M", "-3"},
    {"PrimvarIndexOutOfRange", "", "", mesh("int[] primvars:skel:jointIndices:indices = [0, 5]"),
     "skel-primvar-index-out-of-range", "/R/M.primvars:skel:jointIndices", "5 at 1"},
    {"PrimvarIndexNegative", "", "", mesh("int[] primvars:skel:jointIndices:indices = [0, -1]"),
     "skel-primvar-index-out-of-range", "/R/M.primvars:skel:jointIndices", "-1 at 1"},
    {"BlendShapeTargetThatIsNoPrim", "", "",
     mesh("uniform token[] skel:blendShapes = [\"s\"]\nrel skel:blendShapeTargets = </R/M.points>"),
     "skel-blend-shape-target", "/R/M.skel:blendShapeTargets", "/R/M.points"},
    {"SeveralInbetweensThatDoNotCount", "", "",
     mesh(kShape + "def BlendShape \"T\" { uniform vector3f[] offsets = [(1,0,0), (1,0,0)]\n"
                   "uniform point3f[] inbetweens:a = [(9,0,0), (9,0,0)] (weight = 1)\n"
                   "uniform point3f[] inbetweens:b = [(9,0,0), (9,0,0)] (weight = 0); }"),
     "skel-inbetween-weight", "/R/M.skel:blendShapeTargets", "(and 1 more)"},
    {"PointsMissing", "", "",
     "int[] primvars:skel:jointIndices = [0] (interpolation = \"vertex\")\nfloat[] "
     "primvars:skel:jointWeights = [1] (interpolation = \"vertex\")",
     "skel-points-missing", "/R/M", "no points"},
    {"JointOrderOfAnotherType", "", "", mesh("int[] skel:joints = [3]"), "skel-value-type",
     "/R/M.skel:joints", "int[]"},
    {"MethodOfAnotherType", "", "", mesh("int primvars:skel:skinningMethod = 3"), "skel-value-type",
     "/R/M.primvars:skel:skinningMethod", "instead of token"},
    {"TangentsOfAnotherNumber", "", "",
     mesh("float3[] primvars:tangents = [(1,0,0)] (interpolation = \"vertex\")"),
     "skel-tangents-size-mismatch", "/R/M.primvars:tangents", "2 points but 1 tangents"},
    {"FaceVerticesMissing", "", "",
     mesh("normal3f[] normals = [(0,0,1)] (interpolation = \"faceVarying\")"),
     "skel-normals-size-mismatch", "/R/M", "1 face-varying normals for 0 face vertices"},
    {"BlendShapeTargetInactive", "", "", mesh(kShape + "def BlendShape \"T\" (active = false) { }"),
     "skel-blend-shape-target", "/R/M.skel:blendShapeTargets", "/R/M/T"},
    {"OffsetsOfAnotherType", "", "",
     mesh(kShape + "def BlendShape \"T\" { string[] offsets = [\"a\"]; }"), "skel-value-type",
     "/R/M/T.offsets", "string[]"},
    {"PointIndicesOfAnotherType", "", "",
     mesh(kShape +
          "def BlendShape \"T\" { uniform vector3f[] offsets = [(1,0,0)]\nstring[] pointIndices = "
          "[\"0\"]; }"),
     "skel-value-type", "/R/M/T.pointIndices", "string[]"},
    {"OffsetsForOtherIndices", "", "",
     mesh(kShape + "def BlendShape \"T\" { uniform vector3f[] offsets = [(1,0,0)]\nuniform int[] "
                   "pointIndices = "
                   "[0, 1]; }"),
     "skel-blend-shape-mismatch", "/R/M", "1 offsets for 2 point indices"},
    {"NormalOffsetsForOtherPoints", "", "",
     mesh("normal3f[] normals = [(0,0,1), (0,0,1)] (interpolation = \"vertex\")\nuniform token[] "
          "skel:blendShapes = [\"s\"]\nrel skel:blendShapeTargets = </R/M/T>\ndef BlendShape \"T\" "
          "{ uniform vector3f[] normalOffsets = [(1,0,0)]; }"),
     "skel-blend-shape-mismatch", "/R/M", "1 offsets for 2 points"},
    {"InbetweenWithoutWeight", "", "",
     mesh(kShape + "def BlendShape \"T\" { uniform vector3f[] offsets = [(1,0,0), "
                   "(1,0,0)]\nuniform point3f[] "
                   "inbetweens:half = [(9,0,0), (9,0,0)]; }"),
     "skel-inbetween-weight", "/R/M/T.inbetweens:half", "no weight"},
    {"InbetweenForOtherPoints", "", "",
     mesh(kShape + "def BlendShape \"T\" { uniform vector3f[] offsets = [(1,0,0), "
                   "(1,0,0)]\nuniform point3f[] "
                   "inbetweens:half = [(9,0,0)] (weight = 0.5); }"),
     "skel-inbetween-size", "/R/M/T.inbetweens:half", "1 offsets instead of 2"},
    {"PointsOfAnotherType", "", "",
     "string[] points = [\"x\"]\nint[] primvars:skel:jointIndices = [0]\nfloat[] "
     "primvars:skel:jointWeights = [1]",
     "skel-value-type", "/R/M.points", "string[]"},
};

class BadDataTest : public ::testing::TestWithParam<BadData> {};

TEST_P(BadDataTest, IsNamedAndTheRestStillWorks) {
  const BadData& bad = GetParam();
  for (const Rules rules : {Rules::documented, Rules::openusd}) {
    SkelScene scene = open_scene(scene_text(bad), rules);
    for (const stage::Time time : {stage::Time(), stage::Time(3.0)}) {
      for (const SkeletonBinding& binding : scene.bindings) {
        SkeletonPose pose;
        evaluate_pose(binding, time, pose, scene.diagnostics);
        for (const SkinTarget& target : binding.targets) {
          DeformedPrim deformed;
          evaluate_target(target, pose, deformed, scene.diagnostics);
        }
        (void)skel_root_extent(binding.skel_root, time, scene.diagnostics);
      }
    }
    const std::vector<Diagnostic> said = scene.said(bad.code);
    ASSERT_FALSE(said.empty()) << bad.code;
    EXPECT_EQ(said[0].path, bad.path);
    EXPECT_THAT(said[0].message, HasSubstr(bad.words));
    EXPECT_POINTS_NEAR(scene.deform("/Good/M", {}).points,
                       (std::vector<Vector3f>{{1, 0, 0}, {1, 1, 0}}), 1e-6F);
  }
}

INSTANTIATE_TEST_SUITE_P(All, BadDataTest, ::testing::ValuesIn(kBadData),
                         [](const auto& tested) { return std::string(tested.param.name); });

TEST(ValuePrecision, IsConvertedByTheDocumentedRules) {
  const std::string text = scene_text({"", "", R"(
        uniform token[] joints = ["a", "a/b"]
        double3[] translations = [(1,0,0), (0,1,0)]
        quatd[] rotations = [(1,0,0,0), (1,0,0,0)]
        float3[] scales = [(1,1,1), (1,1,1)]
)",
                                       R"(
        point3d[] points = [(0,0,0), (0,1,0)]
        int64[] primvars:skel:jointIndices = [0, 1] (interpolation = "vertex")
        double[] primvars:skel:jointWeights = [1, 1] (interpolation = "vertex")
)",
                                       "", "", ""});
  SkelScene scene = open_scene(text);
  EXPECT_POINTS_NEAR(scene.deform("/R/M", {}).points, (std::vector<Vector3f>{{1, 0, 0}, {1, 1, 0}}),
                     1e-6F);
  EXPECT_GE(scene.said("skel-value-type").size(), 6U);
}

TEST(ValuePrecision, MakesAnAnimationUnusableUnderOpenUsdRules) {
  SkelScene scene = open_scene(
      scene_text({"", "",
                  "uniform token[] joints = [\"a\", \"a/b\"]\nfloat3[] translations = [(1,0,0), "
                  "(0,1,0)]\nquatf[] rotations = [(1,0,0,0), (1,0,0,0)]\nfloat3[] scales = "
                  "[(1,1,1), (1,1,1)]",
                  "", "", "", ""}),
      Rules::openusd);
  EXPECT_POINTS_NEAR(scene.deform("/R/M", {}).points, (std::vector<Vector3f>{{0, 0, 0}, {0, 1, 0}}),
                     1e-6F);
  EXPECT_EQ(scene.said("skel-value-type").size(), 1U);
}

TEST(Diagnostics, OfInstancesAreGivenOnce) {
  std::string text = R"(#usda 1.0
def SkelRoot "Library"
{
    rel skel:skeleton = </Library/S>
    def Skeleton "S" { uniform token[] joints = ["a/b", "a"]; }
    def Mesh "M" { int[] primvars:skel:jointIndices = [0]; }
}
)";
  for (int i = 0; i < 50; ++i) {
    text +=
        "def \"I" + std::to_string(i) + "\" (instanceable = true; references = </Library>) {}\n";
  }
  const SkelScene scene = open_scene(text);
  EXPECT_EQ(scene.bindings.size(), 51U);
  // Once for the library and once for all of its instances.
  EXPECT_LE(scene.said("skel-invalid-topology").size(), 2U);
}

}  // namespace
}  // namespace sinew::skel::bad_data_test
