// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sinew/skel/read/check_bindings.hpp"
#include "skel/skel_scene.hpp"

namespace sinew::skel::check_skinning_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* kApplied = "prepend apiSchemas = [\"SkelBindingAPI\"]";

// A SkelRoot with a skeleton of one joint, and a mesh of one point that names `joint`.
std::string skel_root(const std::string& name, const std::string& api, const std::string& skeleton,
                      const std::string& joint) {
  return "def SkelRoot \"" + name + "\" (" + api + ")\n{\n    rel skel:skeleton = <" + skeleton +
         R"(>
    def Skeleton "S"
    {
        uniform token[] joints = ["a"]
        uniform matrix4d[] bindTransforms = [((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1))]
        uniform matrix4d[] restTransforms = [((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1))]
    }
    def Mesh "M" ()" +
         api + R"()
    {
        point3f[] points = [(0,0,0)]
        int[] primvars:skel:jointIndices = [)" +
         joint + R"(] (interpolation = "vertex")
        float[] primvars:skel:jointWeights = [1] (interpolation = "vertex")
    }
}
)";
}

TEST(CheckSkinning, ReportsWhatCannotBeDeformedOncePerPrototype) {
  std::string text = "#usda 1.0\n" + skel_root("Library", kApplied, "/Library/S", "3");
  for (int i = 0; i < 20; ++i) {
    text +=
        "def \"I" + std::to_string(i) + "\" (instanceable = true; references = </Library>) {}\n";
  }
  const SkelScene scene = open_scene(text);
  Diagnostics diagnostics;
  check_skinning(*scene.stage, diagnostics);
  ASSERT_EQ(diagnostics.size(), 2U);  // The library, and all of its instances.
  EXPECT_EQ(diagnostics[0].code, "skel-joint-index-out-of-range");
}

TEST(CheckSkinning, LeavesMissingSchemasToCheckBindings) {
  const SkelScene scene = open_scene("#usda 1.0\n" + skel_root("R", "", "/R/S", "0"));
  ASSERT_EQ(scene.said("skel-binding-api-missing").size(), 2U);
  Diagnostics skinning, bindings;
  check_skinning(*scene.stage, skinning);
  check_bindings(*scene.stage, bindings);
  EXPECT_EQ(skinning.size(), 0U);
  EXPECT_EQ(bindings.size(), 2U);
}

// The pose of a skeleton counts for every SkelRoot that binds it.
TEST(CheckSkinning, ReportsOfEverySkelRootOfOneSkeleton) {
  const SkelScene scene = open_scene("#usda 1.0\n" + skel_root("A", kApplied, "/A/S", "0") +
                                     skel_root("B", kApplied, "/A/S", "7"));
  Diagnostics diagnostics;
  check_skinning(*scene.stage, diagnostics);
  ASSERT_EQ(diagnostics.size(), 1U);
  EXPECT_EQ(diagnostics[0].code, "skel-joint-index-out-of-range");
  EXPECT_EQ(diagnostics[0].path, "/B/M");
}

// A skeleton of two joints, "a" and "a/b", with a mesh of two points and a clip.
struct Rig {
  std::string joints = R"("a", "a/b")";                  ///< Of the clip.
  std::string rotations = "(1, 0, 0, 0), (0, 1, 0, 0)";  ///< Per joint of the clip.
  std::string shapes = R"("smile")";                     ///< Of the clip.
  std::string weights = "1, 0, 0.25, 0.75";              ///< Two for each point.
  std::string indices = "0, 1, 0, 1";                    ///< Likewise.
  std::string interpolation = "vertex";                  ///< Of the influences.

  std::string text() const {
    return R"(#usda 1.0
def SkelRoot "R" (prepend apiSchemas = ["SkelBindingAPI"])
{
    rel skel:skeleton = </R/S>
    rel skel:animationSource = </R/A>
    def Skeleton "S"
    {
        uniform token[] joints = ["a", "a/b"]
        uniform matrix4d[] bindTransforms = [((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1)), ((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,1,0,1))]
        uniform matrix4d[] restTransforms = [((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1)), ((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,1,0,1))]
    }
    def SkelAnimation "A"
    {
        uniform token[] joints = [)" +
           joints + R"(]
        float3[] translations = [(0,0,0), (0,1,0)]
        quatf[] rotations.timeSamples = { 1: [(1,0,0,0), (1,0,0,0)], 2: [)" +
           rotations + R"(] }
        half3[] scales = [(1,1,1), (1,1,1)]
        uniform token[] blendShapes = [)" +
           shapes + R"(]
        float[] blendShapeWeights = [0]
    }
    def Mesh "M" (prepend apiSchemas = ["SkelBindingAPI"])
    {
        point3f[] points = [(0,0,0), (0,1,0)]
        uniform token[] skel:blendShapes = ["smile"]
        rel skel:blendShapeTargets = </R/M/Smile>
        int[] primvars:skel:jointIndices = [)" +
           indices + R"(] (elementSize = 2; interpolation = ")" + interpolation + R"(")
        float[] primvars:skel:jointWeights = [)" +
           weights + "] (elementSize = 2; interpolation = \"" + interpolation + R"(")
        def BlendShape "Smile" { uniform vector3f[] offsets = [(0,0,0), (0,0,1)]; }
    }
}
)";
  }

  Diagnostics check() const {
    const SkelScene scene = open_scene(text());
    Diagnostics diagnostics;
    check_skinning(*scene.stage, diagnostics);
    return diagnostics;
  }
};

// "severity code path" of each.
std::vector<std::string> told(const Diagnostics& diagnostics) {
  std::vector<std::string> result;
  for (const Diagnostic& told : diagnostics) {
    result.push_back(std::string(to_string(told.severity)) + ' ' + told.code + ' ' + told.path);
  }
  return result;
}

TEST(CheckSkinning, SaysNothingOfWhatFits) {
  EXPECT_THAT(told(Rig{}.check()), IsEmpty());
}

TEST(CheckSkinning, WarnsOfAClipThatMovesNothing) {
  const Diagnostics prefixed = Rig{.joints = R"("Armature/a", "Armature/a/b")"}.check();
  ASSERT_THAT(told(prefixed), ElementsAre("warning skel-animation-joints /R/A"));
  EXPECT_EQ(prefixed[0].message,
            "None of the 2 joints of /R/A is known to /R/S, which stays at rest; the first is "
            "\"Armature/a\".");
  EXPECT_THAT(prefixed[0].hint, HasSubstr("match_joints()"));
  const Diagnostics foreign = Rig{.joints = R"("x", "x/y")"}.check();
  ASSERT_THAT(told(foreign), ElementsAre("warning skel-animation-joints /R/A"));
  EXPECT_THAT(foreign[0].hint, HasSubstr("whole paths"));
}

TEST(CheckSkinning, MentionsJointsThatAClipHasBesides) {
  const Diagnostics said = Rig{.joints = R"("a", "a/c")"}.check();
  ASSERT_THAT(told(said), ElementsAre("info skel-animation-joints /R/A"));
  EXPECT_THAT(said[0].message, HasSubstr("1 of the 2 joints of /R/A are not known to /R/S"));
}

TEST(CheckSkinning, WarnsOfBlendShapesThatNoMeshHas) {
  EXPECT_THAT(told(Rig{.shapes = R"("smyle")"}.check()),
              ElementsAre("warning skel-animation-blend-shapes /R/A"));
}

TEST(CheckSkinning, KnowsTheBlendShapesOfEverySkelRootThatAClipDrives) {
  std::string text = Rig{}.text();
  std::string second = text.substr(text.find("def SkelRoot"));
  second.replace(second.find("\"R\""), 3, "\"Q\"");
  const std::string names = "skel:blendShapes = [\"smile\"]";
  text.replace(text.find(names), names.size(), "skel:blendShapes = [\"frown\"]");
  const SkelScene scene = open_scene(text + second);
  Diagnostics diagnostics;
  check_skinning(*scene.stage, diagnostics);
  EXPECT_THAT(told(diagnostics), IsEmpty());
}

TEST(CheckSkinning, WarnsOfRotationsThatScaleInAnySample) {
  for (const char* rotations : {"(2,0,0,0), (1,0,0,0)", "(1,0,0,0), (0,0,0,0)"}) {
    EXPECT_THAT(told(Rig{.rotations = rotations}.check()),
                ElementsAre("warning skel-rotation-length /R/A.rotations"))
        << rotations;
  }
  EXPECT_THAT(told(Rig{.rotations = "(1.0004,0,0,0), (0.9996,0,0,0)"}.check()), IsEmpty());
}

TEST(CheckSkinning, WarnsOfWeightsThatSayNoPlace) {
  const std::string at = " /R/M.primvars:skel:jointWeights";
  const auto of = [](const char* weights) { return Rig{.weights = weights}.check(); };
  EXPECT_THAT(told(of("1, 0, nan, 1")), ElementsAre("error skel-weights-not-finite" + at));
  EXPECT_THAT(told(of("1, 0, inf, 1")), ElementsAre("error skel-weights-not-finite" + at));
  EXPECT_THAT(told(of("1, 0, 0, 0")), ElementsAre("warning skel-weights-missing" + at));
  EXPECT_THAT(told(of("1, 0, 1.5, -0.5")), ElementsAre("warning skel-weights-negative" + at));
  EXPECT_THAT(told(of("1, 0, 0.5, 0.4995")), IsEmpty());
  const Diagnostics sums = of("2, 2, 0.5, 0.6");
  ASSERT_THAT(told(sums), ElementsAre("warning skel-weights-sum" + at));
  EXPECT_THAT(sums[0].message, HasSubstr("The weights of 2 points of /R/M do not add up to 1, but "
                                         "to 4 at worst"));
  const Diagnostics all = of("2, -2, nan, 0");
  EXPECT_THAT(told(all), ElementsAre("error skel-weights-not-finite" + at,
                                     "warning skel-weights-negative" + at,
                                     "warning skel-weights-missing" + at));
}

TEST(CheckSkinning, CountsNoPointsWhereAllShareOneRow) {
  const Diagnostics said =
      Rig{.weights = "0.5, 0.25", .indices = "0, 1", .interpolation = "constant"}.check();
  std::vector<std::string> messages;
  for (const Diagnostic& diagnostic : said) messages.push_back(diagnostic.message);
  EXPECT_THAT(messages, ::testing::Contains(HasSubstr("The weights of /R/M do not add up to 1, "
                                                      "but to 0.75 at worst")));
}

}  // namespace
}  // namespace sinew::skel::check_skinning_test
