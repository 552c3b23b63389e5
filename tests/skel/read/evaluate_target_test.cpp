// SPDX-License-Identifier: Apache-2.0
// Numbers in comments are those of the checklist in the behaviour specification.
#include "sinew/skel/read/evaluate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "skel/skel_scene.hpp"

namespace sinew::skel::evaluate_target_test {
namespace {

using ::testing::HasSubstr;

// A joint for each of two points.
const std::string kEach = influences("[0, 1]", "[1, 1]", "interpolation = \"vertex\"");

// A skeleton of two joints, the second one unit up; the animation turns and moves.
constexpr const char* kTwoJoints = R"(
    def Skeleton "S"
    {
        uniform token[] joints = ["a", "a/b"]
        uniform matrix4d[] bindTransforms = [((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1)), ((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,1,0,1))]
        uniform matrix4d[] restTransforms = [((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1)), ((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,1,0,1))]
    }
    def SkelAnimation "A"
    {
        uniform token[] joints = ["a", "a/b"]
        float3[] translations = [(1,0,0), (0,2,0)]
        quatf[] rotations = [(1,0,0,0), (1,0,0,0)]
        half3[] scales = [(1,1,1), (1,1,1)]
    }
)";

SkelScene two_joint_scene(const std::string& mesh, Rules rules = Rules::openusd) {
  return open_scene(std::string(R"(#usda 1.0
def SkelRoot "R" (prepend apiSchemas = ["SkelBindingAPI"])
{
    rel skel:skeleton = </R/S>
    rel skel:animationSource = </R/A>
)") + kTwoJoints + R"(
    def Mesh "M" (prepend apiSchemas = ["SkelBindingAPI"])
    {
        point3f[] points = [(0,0,0), (0,1,0)]
)" + mesh + R"(
    }
}
)",
                    rules);
}

TEST(EvaluateTarget, SkinsPoints) {
  SkelScene scene = two_joint_scene(kEach);
  EXPECT_POINTS_NEAR(scene.deform("/R/M", {}).points, (std::vector<Vector3f>{{1, 0, 0}, {1, 2, 0}}),
                     1e-6F);
}

TEST(EvaluateTarget, FailsForAnIndexOutOfRangeEvenOfNoWeight) {  // skel 12.86
  SkelScene scene = two_joint_scene(
      influences("[0, 9, 1, 0]", "[1, 0, 1, 0]", "interpolation = \"vertex\"; elementSize = 2"));
  EXPECT_FALSE(scene.deform("/R/M", {}).skinned);
  ASSERT_EQ(scene.said("skel-joint-index-out-of-range").size(), 1U);
  EXPECT_EQ(scene.said("skel-joint-index-out-of-range")[0].path, "/R/M");
}

TEST(EvaluateTarget, MovesUnknownJointsByNumberUnderOpenUsdRules) {
  SkelScene scene = two_joint_scene(kEach + "uniform token[] skel:joints = [\"a/b\", \"nowhere\"]");
  // Joint 0 of the mesh is a/b: from 1 up to 2 up and 1 aside. "nowhere" is number 1: a/b too.
  EXPECT_POINTS_NEAR(scene.deform("/R/M", {}).points, (std::vector<Vector3f>{{1, 1, 0}, {1, 2, 0}}),
                     1e-6F);
}

TEST(EvaluateTarget, LeavesUnknownJointsInPlaceByTheDocumentedRules) {
  SkelScene scene = two_joint_scene(kEach + "uniform token[] skel:joints = [\"a/b\", \"nowhere\"]",
                                    Rules::documented);
  EXPECT_POINTS_NEAR(scene.deform("/R/M", {}).points, (std::vector<Vector3f>{{1, 1, 0}, {0, 1, 0}}),
                     1e-6F);
  ASSERT_EQ(scene.said("skel-custom-joint-missing").size(), 1U);
  EXPECT_THAT(scene.said("skel-custom-joint-missing")[0].message, HasSubstr("nowhere"));
}

TEST(EvaluateTarget, GivesTheTransformOfRigidPrims) {
  SkelScene scene = two_joint_scene(
      influences("[0, 1]", "[0.5, 0.5]", "interpolation = \"constant\"; elementSize = 2"));
  const DeformedPrim deformed = scene.deform("/R/M", {});
  ASSERT_TRUE(deformed.skinned_transform);
  Matrix4d expected = Matrix4d::Identity();
  expected.topRightCorner<3, 1>() = Vector3d(1.0, 0.5, 0.0);
  EXPECT_LE((*deformed.skinned_transform - expected).cwiseAbs().maxCoeff(), 1e-6);
  EXPECT_POINTS_NEAR(deformed.points, (std::vector<Vector3f>{{1, 0.5F, 0}, {1, 1.5F, 0}}), 1e-6F);
}

TEST(EvaluateTarget, FollowsInfluencesThatVaryInTime) {
  SkelScene scene = two_joint_scene(
      "int[] primvars:skel:jointIndices.timeSamples = { 0: [0, 0], 5: [1, 1] }\n"
      "int[] primvars:skel:jointIndices (interpolation = \"vertex\")\n"
      "float[] primvars:skel:jointWeights = [1, 1] (interpolation = \"vertex\")\n");
  EXPECT_POINTS_NEAR(scene.deform("/R/M", 0.0).points,
                     (std::vector<Vector3f>{{1, 0, 0}, {1, 1, 0}}), 1e-6F);
  EXPECT_POINTS_NEAR(scene.deform("/R/M", 5.0).points,
                     (std::vector<Vector3f>{{1, 1, 0}, {1, 2, 0}}), 1e-6F);
  EXPECT_FALSE(scene.deform("/R/M", {}).skinned);
}

TEST(EvaluateTarget, SkinsFaceVaryingNormals) {
  SkelScene scene = two_joint_scene(kEach + R"(
        int[] faceVertexCounts = [3]
        int[] faceVertexIndices = [0, 1, 0]
        normal3f[] normals = [(0,0,1), (0,1,0), (1,0,0)] (interpolation = "faceVarying")
)");
  const DeformedPrim deformed = scene.deform("/R/M", {});
  ASSERT_TRUE(!deformed.normals.empty() && deformed.normals_per_face_vertex);
  EXPECT_POINTS_NEAR(deformed.normals, (std::vector<Vector3f>{{0, 0, 1}, {0, 1, 0}, {1, 0, 0}}),
                     1e-6F);
}

// The scene with a prim of another type in place of the mesh.
SkelScene two_joint_scene_of(const std::string& type, const std::string& properties) {
  std::string text = std::string(
                         "#usda 1.0\ndef SkelRoot \"R\" (prepend apiSchemas = "
                         "[\"SkelBindingAPI\"])\n{\n    rel skel:skeleton = </R/S>\n"
                         "    rel skel:animationSource = </R/A>\n") +
                     kTwoJoints + "    def " + type +
                     " \"M\" (prepend apiSchemas = [\"SkelBindingAPI\"])\n    {\n" + properties +
                     "    }\n}\n";
  return open_scene(text, Rules::openusd);
}

TEST(EvaluateTarget, SkinsPointsOfEveryTypeThatHasSome) {
  for (const char* type :
       {"Mesh", "TetMesh", "Points", "BasisCurves", "NurbsCurves", "HermiteCurves", "NurbsPatch"}) {
    SkelScene scene = two_joint_scene_of(type, "point3f[] points = [(0,0,0), (0,1,0)]\n" + kEach);
    EXPECT_POINTS_NEAR(scene.deform("/R/M", {}).points,
                       (std::vector<Vector3f>{{1, 0, 0}, {1, 2, 0}}), 1e-6F)
        << type;
  }
}

TEST(EvaluateTarget, MovesEveryTypeWithoutPointsAsOnePiece) {
  for (const char* type : {"Cube", "Sphere", "Cylinder", "Cylinder_1", "Capsule", "Capsule_1",
                           "Cone", "Plane", "PointInstancer", "RectLight", "Volume"}) {
    SkelScene scene =
        two_joint_scene_of(type, influences("[1]", "[1]", "interpolation = \"constant\""));
    const DeformedPrim deformed = scene.deform("/R/M", {});
    EXPECT_FALSE(deformed.skinned) << type;
    ASSERT_TRUE(deformed.skinned_transform) << type;
    EXPECT_EQ(Vector3d(deformed.skinned_transform->topRightCorner<3, 1>()), Vector3d(1, 1, 0))
        << type;
  }
}

// The second joint turns by a right angle about z.
std::string turning(const std::string& properties, const std::string& method) {
  return "#usda 1.0\ndef SkelRoot \"R\"\n{\n    rel skel:skeleton = </R/S>\n"
         "    rel skel:animationSource = </R/A>\n" +
         std::string(kTwoJoints)
             .replace(std::string(kTwoJoints).find("(1,0,0,0), (1,0,0,0)]\n        half3"), 20,
                      "(1,0,0,0), (0.70710678,0,0,0.70710678)") +
         "    def Mesh \"M\"\n    {\n        point3f[] points = [(0,0,0), (0,1,0)]\n" + kEach +
         "        uniform token primvars:skel:skinningMethod = \"" + method + "\"\n" + properties +
         "    }\n}\n";
}

TEST(EvaluateTarget, TurnsNormalsAndTangentsWithTheirPoints) {
  for (const char* method : {"classicLinear", "dualQuaternion"}) {
    SkelScene scene = open_scene(turning(R"(
        normal3f[] normals = [(1,0,0), (1,0,0)] (interpolation = "vertex")
        float3[] primvars:tangents = [(0,1,0), (0,1,0)] (interpolation = "vertex")
)",
                                         method));
    const DeformedPrim deformed = scene.deform("/R/M", {});
    ASSERT_TRUE(!deformed.normals.empty() && !deformed.tangents.empty()) << method;
    EXPECT_POINTS_NEAR(deformed.normals, (std::vector<Vector3f>{{1, 0, 0}, {0, 1, 0}}), 1e-6F);
    EXPECT_POINTS_NEAR(deformed.tangents, (std::vector<Vector3f>{{0, 1, 0}, {-1, 0, 0}}), 1e-6F);
  }
}

TEST(EvaluateTarget, TurnsFaceVaryingNormalsWithTheirPoints) {
  for (const char* method : {"classicLinear", "dualQuaternion"}) {
    SkelScene scene = open_scene(turning(R"(
        int[] faceVertexIndices = [1, 0, 1]
        normal3f[] normals = [(1,0,0), (0,1,0), (0,1,0)] (interpolation = "faceVarying")
)",
                                         method));
    const DeformedPrim deformed = scene.deform("/R/M", {});
    ASSERT_TRUE(!deformed.normals.empty() && deformed.normals_per_face_vertex) << method;
    EXPECT_POINTS_NEAR(deformed.normals, (std::vector<Vector3f>{{0, 1, 0}, {0, 1, 0}, {-1, 0, 0}}),
                       1e-6F);
  }
}

TEST(EvaluateTarget, TurnsWhatItIsToldTo) {
  const std::string all = R"(
        normal3f[] normals = [(1,0,0), (1,0,0)] (interpolation = "%")
        float3[] primvars:tangents = [(0,1,0), (0,1,0)] (interpolation = "vertex")
)";
  const auto with = [&](std::string interpolation) {
    std::string text = all;
    return open_scene(
        turning(text.replace(text.find('%'), 1, std::move(interpolation)), "classicLinear"));
  };
  const std::vector<Vector3f> turned = {{1, 0, 0}, {0, 1, 0}}, none;
  SkelScene varying = with("varying"), uniform = with("uniform"), constant = with("constant");
  DeformOptions per_point, ignore, straight;
  per_point.normals = NormalsUse::per_point;
  ignore.normals = NormalsUse::ignore;
  straight.tangents = false;
  EXPECT_POINTS_NEAR(varying.deform("/R/M", {}).normals, turned, 1e-6F);
  EXPECT_POINTS_NEAR(uniform.deform("/R/M", {}).normals, none, 0.0F);
  EXPECT_POINTS_NEAR(constant.deform("/R/M", {}).normals, none, 0.0F);
  EXPECT_POINTS_NEAR(uniform.deform("/R/M", {}, per_point).normals, turned, 1e-6F);
  EXPECT_POINTS_NEAR(varying.deform("/R/M", {}, ignore).normals, none, 0.0F);
  EXPECT_EQ(varying.deform("/R/M", {}, ignore).tangents.size(), 2U);
  EXPECT_EQ(varying.deform("/R/M", {}, straight).tangents.size(), 0U);
  EXPECT_EQ(varying.deform("/R/M", {}, straight).normals.size(), 2U);
}

TEST(EvaluateTarget, LeavesAloneTangentsThatAreNotOfPoints) {
  for (const char* metadata : {"", " (interpolation = \"varying\")"}) {
    SkelScene scene = open_scene(
        turning(std::string("float3[] primvars:tangents = [(0,1,0), (0,1,0)]") + metadata + "\n",
                "classicLinear"));
    EXPECT_TRUE(scene.deform("/R/M", {}).tangents.empty()) << metadata;
    EXPECT_EQ(scene.said("skel-tangents-size-mismatch").size(), 0U);
  }
}

TEST(EvaluateTarget, TurnsNormalsOfCornersOutOfRangeWithTheFirstPoint) {
  SkelScene scene = open_scene(turning(R"(
        int[] faceVertexIndices = [1, 2, -1]
        normal3f[] normals = [(1,0,0), (1,0,0), (1,0,0)] (interpolation = "faceVarying")
)",
                                       "classicLinear"));
  EXPECT_POINTS_NEAR(scene.deform("/R/M", {}).normals,
                     (std::vector<Vector3f>{{0, 1, 0}, {1, 0, 0}, {1, 0, 0}}), 1e-6F);
  const std::vector<Diagnostic> said = scene.said("skel-face-vertex-out-of-range");
  ASSERT_EQ(said.size(), 1U);
  EXPECT_EQ(said[0].path, "/R/M");
  EXPECT_EQ(said[0].message, "/R/M has the face-vertex index 2 but 2 points; point 0 is used.");
}

TEST(EvaluateTarget, TurnsNormalsOfCornersOfAPrimThatMovesAsOne) {
  std::string text = turning(R"(
        int[] faceVertexIndices = [1, 7, 0]
        normal3f[] normals = [(1,0,0), (0,1,0), (0,0,1)] (interpolation = "faceVarying")
)",
                             "classicLinear");
  text.replace(text.find(kEach), kEach.size(),
               influences("[1]", "[1]", "interpolation = \"constant\""));
  SkelScene scene = open_scene(text);
  const DeformedPrim deformed = scene.deform("/R/M", {});
  EXPECT_TRUE(deformed.normals_per_face_vertex);
  EXPECT_POINTS_NEAR(deformed.normals, (std::vector<Vector3f>{{0, 1, 0}, {-1, 0, 0}, {0, 0, 1}}),
                     1e-6F);
  EXPECT_EQ(scene.said("skel-face-vertex-out-of-range").size(), 0U);
}

TEST(EvaluateTarget, LeavesOutTangentsOfAnotherNumber) {
  SkelScene scene = open_scene(turning(
      "float3[] primvars:tangents = [(0,1,0)] (interpolation = \"vertex\")\n", "classicLinear"));
  const DeformedPrim deformed = scene.deform("/R/M", {});
  EXPECT_TRUE(deformed.skinned);
  EXPECT_TRUE(deformed.tangents.empty());
  ASSERT_EQ(scene.said("skel-tangents-size-mismatch").size(), 1U);
  EXPECT_EQ(scene.said("skel-tangents-size-mismatch")[0].path, "/R/M.primvars:tangents");
}

// Its skeleton may have been read anew, with more joints.
TEST(EvaluateTarget, FollowsPosesOfAnyNumberOfJoints) {
  SkelScene scene = two_joint_scene(kEach);
  const SkinTarget& target = *scene.find_target("/R/M");
  SkeletonPose pose = scene.pose(0, {});
  DeformedPrim deformed;
  for (const std::size_t joints : {2U, 3U, 4U, 2U, 1U}) {
    pose.skinning.resize(joints, Matrix4d::Identity());
    evaluate_target(target, pose, deformed, scene.diagnostics);
    EXPECT_EQ(deformed.skinned, joints > 1) << joints;
    const std::vector<Vector3f> expected =
        joints > 1 ? std::vector<Vector3f>{{1, 0, 0}, {1, 2, 0}} : std::vector<Vector3f>();
    EXPECT_POINTS_NEAR(deformed.points, expected, 1e-6F) << joints;
  }
  ASSERT_EQ(scene.diagnostics.size(), 1U);
  EXPECT_EQ(scene.diagnostics[0].code, "skel-joint-index-out-of-range");
}

TEST(EvaluateTarget, ReusesItsMemoryFromTimeToTime) {
  SkelScene scene = two_joint_scene(kEach);
  const SkinTarget* target = scene.find_target("/R/M");
  SkeletonPose pose;
  DeformedPrim deformed;
  evaluate_pose(scene.bindings[0], {}, pose, scene.diagnostics);
  evaluate_target(*target, pose, deformed, scene.diagnostics);
  const Vector3f* const before = deformed.points.data();
  evaluate_pose(scene.bindings[0], 1.0, pose, scene.diagnostics);
  evaluate_target(*target, pose, deformed, scene.diagnostics);
  EXPECT_EQ(deformed.points.data(), before);
}

TEST(EvaluateTarget, KnowsNormalsOfCornersOfMeshesOnly) {
  SkelScene scene = two_joint_scene_of(
      "Points",
      "point3f[] points = [(0,0,0), (0,1,0)]\n"
      "normal3f[] normals = [(0,0,1), (0,0,1)] (interpolation = \"faceVarying\")\n" +
          kEach);
  const DeformedPrim deformed = scene.deform("/R/M", {});
  EXPECT_TRUE(deformed.skinned);
  EXPECT_TRUE(deformed.normals.empty());
  EXPECT_TRUE(scene.diagnostics.empty()) << scene.diagnostics.front().message;
}

// Of points that cannot be read something else is said, and what is of one piece needs none.
TEST(EvaluateTarget, MissesPointsOnlyWhereThereAreNone) {
  SkelScene wrong = two_joint_scene_of("Mesh", "string[] points = [\"x\"]\n" + kEach);
  EXPECT_FALSE(wrong.deform("/R/M", {}).skinned);
  EXPECT_EQ(wrong.said("skel-value-type").size(), 1U);
  EXPECT_EQ(wrong.said("skel-points-missing").size(), 0U);
  SkelScene rigid =
      two_joint_scene_of("Cube", influences("[1]", "[1]", "interpolation = \"constant\""));
  EXPECT_TRUE(rigid.deform("/R/M", {}).skinned_transform);
  EXPECT_TRUE(rigid.diagnostics.empty()) << rigid.diagnostics.front().message;
}

TEST(EvaluateTarget, BlendsAndSkinsAsItIsTold) {
  SkelScene scene = two_joint_scene(kEach +
                                    R"(
        uniform token[] skel:blendShapes = ["up"]
        rel skel:blendShapeTargets = </R/M/Up>
        def BlendShape "Up" {
            uniform vector3f[] offsets = [(0, 0, 4), (0, 0, 4)]
        }
)");
  const SkinTarget& target = *scene.find_target("/R/M");
  SkeletonPose pose = scene.pose(0, {});
  pose.blend_shape_weights = std::vector<float>{0.5F};
  ASSERT_EQ(target.blend_shape_mapper->size(), 1U);
  SkinTarget mapped = target;
  mapped.blend_shape_mapper = std::make_shared<const AnimMapper>(1);
  const auto deform = [&](bool blend, bool skin) {
    DeformOptions options;
    options.blend_shapes = blend;
    options.skinning = skin;
    DeformedPrim deformed;
    evaluate_target(mapped, pose, deformed, scene.diagnostics, options);
    EXPECT_EQ(deformed.blended, blend);
    EXPECT_EQ(deformed.skinned, skin);
    return deformed;
  };
  const std::vector<Vector3f> none;
  const DeformedPrim both = deform(true, true), blended = deform(true, false),
                     skinned = deform(false, true), plain = deform(false, false);
  EXPECT_POINTS_NEAR(both.points, (std::vector<Vector3f>{{1, 0, 2}, {1, 2, 2}}), 1e-6F);
  EXPECT_POINTS_NEAR(blended.points, none, 0.0F);
  EXPECT_POINTS_NEAR(blended.blended_points, (std::vector<Vector3f>{{0, 0, 2}, {0, 1, 2}}), 1e-6F);
  EXPECT_POINTS_NEAR(skinned.points, (std::vector<Vector3f>{{1, 0, 0}, {1, 2, 0}}), 1e-6F);
  EXPECT_POINTS_NEAR(skinned.blended_points, none, 0.0F);
  EXPECT_POINTS_NEAR(plain.points, none, 0.0F);
}

}  // namespace
}  // namespace sinew::skel::evaluate_target_test
