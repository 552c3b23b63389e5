// SPDX-License-Identifier: Apache-2.0
#include "sinew/skel/read/character.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "sinew/core/executor_std_thread.hpp"
#include "sinew/core/simd.hpp"
#include "skel/skel_scene.hpp"
#include "support/count_allocations.hpp"

namespace sinew::skel::character_test {
namespace {

const std::string kGecko = "../../examples/data/character.usda";

Character open_character(const SkeletonBinding& binding, const CharacterOptions& options = {}) {
  Diagnostics diagnostics;
  Result<Character> character = Character::open(binding, diagnostics, options);
  EXPECT_TRUE(character) << (character ? "" : character.error().message);
  return *std::move(character);
}

std::vector<Vector3f> copy(std::span<const Vector3f> vectors) {
  return {vectors.begin(), vectors.end()};
}

// Everything that a frame computes.
struct Frame {
  std::vector<Vector3f> points, normals, tangents, blended_points;
  bool operator==(const Frame&) const = default;
};

std::vector<Frame> frames_of(Character& character, const Executor& executor = {}) {
  std::vector<Frame> frames;
  for (const double time : {1.0, 7.5, 12.0, 3.25}) {
    character.pose(time);
    character.deform(executor);
    for (const CharacterMesh& mesh : character.meshes()) {
      frames.push_back(
          {copy(mesh.points), copy(mesh.normals), copy(mesh.tangents), copy(mesh.blended_points)});
    }
  }
  return frames;
}

// Two joints, of which the second turns and bends what hangs on it. `extra` goes into the rig,
// `meshes` beside it.
std::string rig(const std::string& meshes, const std::string& skeleton_extra = "",
                const std::string& rest = "((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1))") {
  return R"(#usda 1.0
def SkelRoot "Root" (prepend apiSchemas = ["SkelBindingAPI"]) {
  rel skel:skeleton = </Root/Skel>
  rel skel:animationSource = </Root/Anim>
  def Skeleton "Skel" {
    uniform token[] joints = ["A", "A/B"]
    uniform matrix4d[] bindTransforms = [((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1)),
      ((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,2,0,1))]
    uniform matrix4d[] restTransforms = [)" +
         rest + R"(, ((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,2,0,1))]
)" + skeleton_extra +
         R"(  }
  def SkelAnimation "Anim" {
    uniform token[] joints = ["A/B"]
    float3[] translations = [(0, 2, 0)]
    quatf[] rotations.timeSamples = {0: [(1, 0, 0, 0)], 10: [(0.6, 0, 0, 0.8)]}
    half3[] scales = [(1, 1, 1)]
    uniform token[] blendShapes = ["Puff", "Torn"]
    float[] blendShapeWeights.timeSamples = {0: [0, 0], 5: [1, 0], 10: [1, 1]}
  }
)" + meshes +
         "}\n";
}

const char* const kBound = R"(
    int[] primvars:skel:jointIndices = [0, 1, 1] (elementSize = 1; interpolation = "vertex")
    float[] primvars:skel:jointWeights = [1, 1, 1] (elementSize = 1; interpolation = "vertex")
)";

std::string mesh(const std::string& name, const std::string& properties) {
  return "  def Mesh \"" + name + "\" (prepend apiSchemas = [\"SkelBindingAPI\"]) {\n" + kBound +
         properties + "\n  }\n";
}

const char* const kPoints = "    point3f[] points = [(0, 0, 0), (0, 2, 0), (1, 3, 0)]\n";

const CharacterMesh& find(const Character& character, std::string_view name) {
  for (const CharacterMesh& mesh : character.meshes()) {
    if (mesh.target->prim.name().view() == name) return mesh;
  }
  ADD_FAILURE() << "no mesh " << name;
  return character.meshes().front();
}

void expect_as_evaluated(SkelScene& scene, const Character& character) {
  for (const CharacterMesh& mesh : character.meshes()) {
    const std::string path = mesh.target->prim.path().str();
    const DeformedPrim expected = scene.deform(path, character.time());
    EXPECT_EQ(mesh.skinned, expected.skinned) << path;
    EXPECT_EQ(mesh.blended, expected.blended) << path;
    float size = 1.0F;  // What the documented error is relative to, for chains of rotations.
    for (const Vector3f& p : expected.points) size = std::max(size, p.cwiseAbs().maxCoeff());
    const float bound = static_cast<float>(Character::kPoseError) * size;
    EXPECT_POINTS_NEAR(copy(mesh.points), expected.points, bound) << path;
    EXPECT_POINTS_NEAR(copy(mesh.normals), expected.normals, 1e-5F) << path;
    EXPECT_POINTS_NEAR(copy(mesh.tangents), expected.tangents, 1e-5F) << path;
    EXPECT_EQ(mesh.normals_per_face_vertex, expected.normals_per_face_vertex) << path;
  }
}

TEST(Character, PlaysTheBundledCharacterAsItIsEvaluated) {
  SkelScene scene = open_data(kGecko);
  ASSERT_EQ(scene.bindings.size(), 1U);
  Character character = open_character(scene.bindings.front());
  for (const double time : {1.0, 6.5, 12.0, 40.0}) {
    character.pose(time);
    character.deform();
    EXPECT_TRUE(character.is_posed_fast());
    EXPECT_EQ(character.status(), PoseStatus::skinnable);
    expect_as_evaluated(scene, character);
    for (const CharacterMesh& mesh : character.meshes()) {
      EXPECT_TRUE(mesh.fast) << mesh.target->prim.path().str();
      EXPECT_TRUE(mesh.skinned);
    }
  }
  EXPECT_TRUE(character.diagnostics().empty());
}

// What it plays itself, given to another.
TEST(Character, TakesPosesThatAreMadeElsewhere) {
  SkelScene scene = open_data(kGecko);
  const SkeletonBinding& binding = scene.bindings.at(0);
  Character played = open_character(binding);
  Character puppet = open_character(binding);
  for (const double time : {1.0, 7.5, 12.0}) {
    played.pose(time);
    played.deform();
    const auto weights = played.blend_shape_weights().value_or(std::span<const float>());
    ASSERT_TRUE(puppet.pose(100.0, played.skel_from_joint(), weights));
    EXPECT_FALSE(puppet.is_posed_fast());
    EXPECT_EQ(puppet.status(), PoseStatus::skinnable);
    puppet.deform();
    for (std::size_t m = 0; m < played.meshes().size(); ++m) {
      const CharacterMesh& a = played.meshes()[m];
      const CharacterMesh& b = puppet.meshes()[m];
      EXPECT_TRUE(b.fast);
      ASSERT_EQ(a.points.size(), b.points.size());
      for (std::size_t i = 0; i < a.points.size(); ++i) {
        EXPECT_LT((a.points[i] - b.points[i]).norm(), 2e-6F * (1.0F + a.points[i].norm()));
      }
    }
  }
  const auto weights = played.blend_shape_weights().value_or(std::span<const float>());
  const std::size_t allocations = test::count_allocations([&] {
    for (const bool blends : {false, true, false}) {
      (void)puppet.pose(3.0, played.skel_from_joint(), blends ? weights : std::span<const float>());
      puppet.deform();
    }
  });
  EXPECT_EQ(allocations, 0U);
  EXPECT_FALSE(puppet.blend_shape_weights());
  // Its own again.
  puppet.pose(12.0);
  EXPECT_TRUE(puppet.is_posed_fast());
  puppet.deform();
  EXPECT_EQ(copy(puppet.meshes()[0].points), copy(played.meshes()[0].points));
  // As it stands.
  ASSERT_TRUE(puppet.pose(12.0, puppet.skel_from_joint(), {}));
}

TEST(Character, TakesNoPoseOfAnotherSize) {
  SkelScene scene = open_scene(rig("  def Mesh \"M\" {}\n"));
  Character character = open_character(scene.bindings.at(0));
  character.pose(5.0);
  const std::vector<Affine34f> joints(3);
  const std::vector<float> weights(3);
  Status status = character.pose(1.0, joints, {});
  EXPECT_EQ(status.error().code, ErrorCode::size_mismatch);
  EXPECT_EQ(status.error().message, "There are 3 transforms for 2 joints.");
  status = character.pose(1.0, std::span(joints).first(2), weights);
  EXPECT_EQ(status.error().code, ErrorCode::size_mismatch);
  EXPECT_EQ(status.error().message, "There are 3 weights for 2 blend shapes.");
  EXPECT_EQ(character.time(), 5.0);
  EXPECT_TRUE(character.is_posed_fast());
  EXPECT_TRUE(character.pose(1.0, std::span(joints).first(2), std::span(weights).first(2)));
}

// Rotations with few digits are not rigid: normals have transforms of their own.
TEST(Character, TurnsNormalsByWhatMovesThemHoweverItScales) {
  const std::string with_normals = std::string(kPoints) +
                                   "normal3f[] normals = [(0, 0.6, 0.8), (0, 1, 0), (1, 0, 0)] "
                                   "(interpolation = \"vertex\")\n"
                                   "matrix4d primvars:skel:geomBindTransform = ";
  std::string text =
      rig(mesh("Plain", with_normals + "((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1))") +
          mesh("Sheared", with_normals + "((1,0.5,0,0),(0,1,0,0),(0,0.25,2,0),(1,0,0,1))") +
          mesh("Mirrored", with_normals + "((-1,0,0,0),(0,3,0,0),(0,0,1,0),(0,0,1,1))") +
          mesh("Flat", with_normals + "((1,0,0,0),(0,1,0,0),(0,0,0,0),(0,0,0,1))"));
  const std::string exact = "(0.6, 0, 0, 0.8)";
  text.replace(text.find(exact), exact.size(), "(0.6002, 0, 0, 0.8)");
  SkelScene scene = open_scene(text);
  Character character = open_character(scene.bindings.at(0));
  for (const double time : {10.0, 0.0, 6.0}) {
    character.pose(time);
    EXPECT_FALSE(find(character, "Plain").skinned);  // Not before it is deformed.
    character.deform();
    EXPECT_TRUE(find(character, "Sheared").fast);
    expect_as_evaluated(scene, character);
  }
}

TEST(Character, AllocatesNothingFromFrameToFrame) {
  const SkelScene scene = open_data(kGecko);
  Character character = open_character(scene.bindings.at(0));
  StdThreadPool pool(3);
  double time = 1.0;
  for (const Executor& executor : {Executor(), pool.executor()}) {
    for (int frame = 0; frame < 20; ++frame) {
      time += 0.7;
      const std::size_t allocations = test::count_allocations([&] {
        character.pose(time);
        character.deform(executor);
      });
      EXPECT_EQ(allocations, 0U) << "at " << time;
    }
  }
}

// The first frame too: everything is there when the character has been opened.
TEST(Character, AllocatesNothingForAnyKindOfMesh) {
  const SkelScene scene = open_scene(rig(
      mesh("Plain", kPoints) +
      mesh("Faces", std::string(kPoints) +
                        "int[] faceVertexIndices = [2, 1, 0]\nnormal3f[] normals = [(0, 0, 1), (0, "
                        "1, 0), (1, 0, 0)] (interpolation = \"faceVarying\")") +
      mesh("Dual",
           std::string(kPoints) +
               "uniform token primvars:skel:skinningMethod = \"dualQuaternion\"\nmatrix4d "
               "primvars:skel:geomBindTransform = ((2,0,0,0),(0,1,0,0),(0,0,1,0),(3,0,0,1))") +
      R"(def Cube "Rigid" (prepend apiSchemas = ["SkelBindingAPI"]) {
  int[] primvars:skel:jointIndices = [0, 1] (elementSize = 2; interpolation = "constant")
  float[] primvars:skel:jointWeights = [0.5, 0.5] (elementSize = 2; interpolation = "constant")
}
)"));
  CharacterOptions options;
  options.keep_blended = true;
  for (const PointOrder order : {PointOrder::keep, PointOrder::by_joint}) {
    options.order = order;
    Character character = open_character(scene.bindings.at(0), options);
    const std::size_t allocations = test::count_allocations([&] {
      for (const double time : {0.0, 2.5, 7.0, 30.0}) {
        character.pose(time);
        character.deform();
      }
    });
    EXPECT_EQ(allocations, 0U);
    for (const CharacterMesh& mesh : character.meshes()) EXPECT_TRUE(mesh.fast);
    EXPECT_TRUE(find(character, "Rigid").skinned_transform.has_value());
    EXPECT_TRUE(find(character, "Faces").normals_per_face_vertex);
  }
}

// A mesh whose points follow B, A and B. `values` is what is behind the name of its joint indices.
std::string mixed_mesh(const std::string& name, const std::string& values,
                       const std::string& interpolation = "vertex") {
  return "  def Mesh \"" + name + "\" (prepend apiSchemas = [\"SkelBindingAPI\"]) {\n" + kPoints +
         "    int[] primvars:skel:jointIndices" + values +
         "\n    int[] primvars:skel:jointIndices (" + "elementSize = 1; interpolation = \"" +
         interpolation + "\")\n    float[] primvars:skel:jointWeights = " +
         (interpolation == "vertex" ? "[1, 1, 1]" : "[1]") +
         " (elementSize = 1; interpolation = \"" + interpolation + "\")\n  }\n";
}

// From the time that a character is open, for the faces; it is another one only where there are
// other influences.
TEST(Character, TellsTheOrderOfItsPoints) {
  const SkelScene scene = open_scene(rig(mixed_mesh("Mixed", " = [1, 0, 1]") +
                                         mixed_mesh("Timed", ".timeSamples = {0: [1, 0, 1]}") +
                                         mixed_mesh("Piece", " = [1]", "constant")));
  Character character =
      open_character(scene.bindings.at(0), {.deform = {}, .order = PointOrder::by_joint});
  const auto expect_orders = [&](bool is_timed) {
    EXPECT_THAT(find(character, "Mixed").new_from_old, testing::ElementsAre(1, 0, 2));
    EXPECT_EQ(find(character, "Timed").new_from_old.size(), is_timed ? 3U : 0U);
    EXPECT_TRUE(find(character, "Piece").new_from_old.empty());
  };
  expect_orders(true);
  for (const stage::Time time :
       {stage::Time(2.0), stage::Time::default_time(), stage::Time(3.0), stage::Time(4.0)}) {
    SCOPED_TRACE(time.is_default() ? "default" : "time code");
    character.pose(time);
    expect_orders(!time.is_default());
    character.deform();
    expect_orders(!time.is_default());
    EXPECT_EQ(find(character, "Mixed").points.size(), 3U);
  }
}

TEST(Character, MovesWhatHasNoPointsInOnePieceBetweenItsJoints) {
  const struct {
    int count;
    const char *joints, *weights;
    double still, turning;  // What counts of the first joint and of the second.
  } rows[] = {
      {1, "[0]", "[1]", 1.0, 0.0},           {1, "[1]", "[1]", 0.0, 1.0},
      {2, "[0, 1]", "[0.5, 0.5]", 0.5, 0.5}, {2, "[1, 0]", "[0.75, 0.25]", 0.25, 0.75},
      {2, "[1, 0]", "[0, 1]", 1.0, 0.0},     {3, "[0, 1, 0]", "[0.25, 0.5, 0.25]", 0.5, 0.5}};
  // The turn about (0, 2, 0) that the animation ends with.
  Matrix4d turn = Matrix4d::Identity();
  turn.topLeftCorner<2, 2>() << -0.28, -0.96, 0.96, -0.28;
  turn.topRightCorner<4, 1>() << 1.92, 2.56, 0.0, 1.0;
  for (const auto& row : rows) {
    const std::string how =
        " (elementSize = " + std::to_string(row.count) + "; interpolation = \"constant\")\n";
    const SkelScene scene =
        open_scene(rig(std::string("  def Cube \"Rigid\" (prepend apiSchemas = "
                                   "[\"SkelBindingAPI\"]) {\n"
                                   "    int[] primvars:skel:jointIndices = ") +
                       row.joints + how +
                       "    float[] primvars:skel:jointWeights = " + row.weights + how + "  }\n"));
    Character character = open_character(scene.bindings.at(0));
    character.pose(10.0);
    character.deform();
    const CharacterMesh& rigid = find(character, "Rigid");
    EXPECT_TRUE(rigid.fast) << row.joints;
    ASSERT_TRUE(rigid.skinned_transform) << row.joints;
    const Matrix4d expected = row.still * Matrix4d::Identity() + row.turning * turn;
    EXPECT_LT((*rigid.skinned_transform - expected).cwiseAbs().maxCoeff(), 1e-5) << row.joints;
  }
}

TEST(Character, ComputesTheSameBitsOnAnyNumberOfThreads) {
  const SkelScene scene = open_data(kGecko);
  Character character = open_character(scene.bindings.at(0));
  const std::vector<Frame> expected = frames_of(character);
  for (const std::size_t threads : {2U, 5U}) {
    StdThreadPool pool(threads);
    EXPECT_EQ(frames_of(character, pool.executor()), expected) << threads;
  }
}

// One joint that rests, or is moved by `animation`, and a mesh that half follows it.
std::string one_joint(const std::string& rest, const std::string& animation,
                      const std::string& method) {
  return R"(#usda 1.0
def SkelRoot "R" (prepend apiSchemas = ["SkelBindingAPI"]) {
  rel skel:skeleton = </R/S>
  rel skel:animationSource = </R/A>
  def Skeleton "S" {
    uniform token[] joints = ["a"]
    uniform matrix4d[] bindTransforms = [((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1))]
    uniform matrix4d[] restTransforms = [)" +
         rest + R"(]
  }
  def SkelAnimation "A" {
)" + animation +
         R"(  }
  def Mesh "M" (prepend apiSchemas = ["SkelBindingAPI"]) {
    point3f[] points = [(1, 2, 3)]
    int[] primvars:skel:jointIndices = [0] (elementSize = 1; interpolation = "vertex")
    float[] primvars:skel:jointWeights = [0.5] (elementSize = 1; interpolation = "vertex")
    uniform token primvars:skel:skinningMethod = ")" +
         method + "\"\n  }\n}\n";
}

// skel 9.9: scales that differ from 1 by more than 1e-6 count.
TEST(Character, RestsWithTheScaleOfTheSkeleton) {
  for (const char* scale : {"1.0000011", "1.0000009", "0.9999985", "1"}) {
    const std::string s = scale;
    SkelScene scene =
        open_scene(one_joint("((" + s + ",0,0,0),(0," + s + ",0,0),(0,0," + s + ",0),(0,0,0,1))",
                             "", "dualQuaternion"),
                   Rules::openusd);
    Character character = open_character(scene.bindings.at(0));
    character.pose(0.0);
    character.deform();
    expect_as_evaluated(scene, character);
  }
}

// skel 4.5: rotations of any length, at times of their own.
TEST(Character, InterpolatesRotationsOfAnyLengthAtTheirOwnTimes) {
  const std::string joints =
      "    uniform token[] joints = [\"a\"]\n    half3[] scales = [(1,1,1)]\n";
  for (const char* values :
       {"float3[] translations.timeSamples = { 0: [(0,0,0)], 2: [(2,0,0)] }\n"
        "quatf[] rotations = [(0.8,0,0,0.1)]\n",
        "float3[] translations.timeSamples = { 0: [(0,0,0)], 1: [(1,0,0)], 2: [(2,0,0)] }\n"
        "quatf[] rotations.timeSamples = { 0: [(2,0,0,0)], 2: [(0,0,0,2)] }\n",
        "float3[] translations.timeSamples = { 0: [(0,0,0)], 2: [(2,0,0)] }\n"
        "quatf[] rotations.timeSamples = { 0: [(2,0,0,0)], 2: [(0,0,0,2)] }\n"}) {
    SkelScene scene = open_scene(
        one_joint("((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1))", joints + values, "classicLinear"),
        Rules::openusd);
    Character character = open_character(scene.bindings.at(0));
    for (const double time : {0.0, 0.5, 1.0, 1.75, 2.0}) {
      character.pose(time);
      character.deform();
      expect_as_evaluated(scene, character);
    }
  }
}

TEST(Character, PlaysBesideOthersOfTheSameBinding) {
  const SkelScene scene = open_data(kGecko);
  Character alone = open_character(scene.bindings.at(0));
  const std::vector<Frame> expected = frames_of(alone);
  std::array<std::vector<Frame>, 4> found;
  std::array<std::thread, 4> threads;
  for (std::size_t i = 0; i < threads.size(); ++i) {
    threads[i] = std::thread([&scene, &result = found[i]] {
      Character character = open_character(scene.bindings.at(0));
      result = frames_of(character);
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::vector<Frame>& frames : found) EXPECT_EQ(frames, expected);
}

TEST(Character, ReadsAgainOnlyTheMeshThatVaries) {
  SkelScene scene = open_scene(
      rig(mesh("Still", kPoints) +
          mesh("Melting",
               "point3f[] points.timeSamples = {0: [(0, 0, 0), (0, 2, 0), (1, 3, 0)], 10: [(0, 0, "
               "0), (0, 1, 0), (1, 1, 0)]}")));
  Character character = open_character(scene.bindings.at(0));
  for (const double time : {0.0, 5.0, 10.0}) {
    character.pose(time);
    character.deform();
    EXPECT_TRUE(find(character, "Still").fast);
    EXPECT_FALSE(find(character, "Melting").fast);
    expect_as_evaluated(scene, character);
  }
}

// What varies or does not fit goes the slow road; what no frame looks at does not.
TEST(Character, FollowsEachThingThatVariesOfAMesh) {
  const std::string faces = "int[] faceVertexIndices = [2, 1, 0]\n";
  const std::string corners =
      "normal3f[] normals = [(1,0,0), (0,1,0), (1,0,0)] (interpolation = \"faceVarying\")\n";
  const std::string tangents = "float3[] primvars:tangents";
  const std::string of_points = " (interpolation = \"vertex\")\n";
  const std::string points = kPoints;
  const std::pair<std::string, bool> cases[] = {
      {points, true},
      {points + tangents + " = [(1,0,0), (0,1,0), (1,0,0)]" + of_points, true},
      {points + tangents + " = [(1,0,0), (0,1,0)]" + of_points, false},
      {points + tangents +
           ".timeSamples = {0: [(1,0,0), (0,1,0), (1,0,0)], 10: [(0,1,0), (0,1,0), "
           "(1,0,0)]}\n" +
           tangents + of_points,
       false},
      {points + tangents +
           ".timeSamples = {0: [(1,0,0), (0,1,0), (1,0,0)], 10: [(0,1,0), (0,1,0), "
           "(1,0,0)]}\n",
       true},
      {points + faces + corners, true},
      {points + corners, false},
      {points + "int[] faceVertexIndices = [2, 1]\n" + corners, false},
      {points + "int[] faceVertexIndices = [2, 1, 3]\n" + corners, false},
      {points + "int[] faceVertexIndices = [2, 1, -1]\n" + corners, false},
      {points + "int[] faceVertexIndices.timeSamples = {0: [2, 1, 0], 5: [0, 0, 1]}\n" + corners,
       false},
      {points + "int[] faceVertexIndices.timeSamples = {0: [2, 1, 0], 5: [0, 0, 1]}\n", true},
      {points + "normal3f[] normals = [(1,0,0), (0,1,0), (1,0,0)]" + of_points, true},
      {points + "normal3f[] normals = [(1,0,0), (0,1,0)]" + of_points, false},
      {points + "normal3f[] normals = [(1,0,0)] (interpolation = \"constant\")\n", true},
      {points + "int[] primvars:skel:jointIndices:indices.timeSamples = {0: [0, 1, 1], 5: [1, 0, "
                "0]}\n",
       false},
      {points + "int[] primvars:skel:jointIndices:indices = [0, 0, 1]\n", true},
      {points + "int[] primvars:skel:jointIndices:indices = [0, 0, 3]\n", false},
      {points + "matrix4d primvars:skel:geomBindTransform.timeSamples = {0: "
                "((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1)), 5: "
                "((1,0,0,0),(0,1,0,0),(0,0,1,0),(5,0,0,1))}\n",
       false},
      {"point3f[] points = [(0, 0, 0), (0, 2, 0)]\n", false},
      {"point3f[] points = []\n", false},
      {"", false},
  };
  for (const Rules rules : {Rules::documented, Rules::openusd}) {
    for (const auto& [properties, is_fast] : cases) {
      SCOPED_TRACE(properties);
      SkelScene scene = open_scene(rig(mesh("Body", properties)), rules);
      Character character = open_character(scene.bindings.at(0));
      for (const double time : {0.0, 7.0, 10.0}) {
        character.pose(time);
        character.deform();
        EXPECT_EQ(find(character, "Body").fast, is_fast);
        expect_as_evaluated(scene, character);
      }
    }
  }
}

const std::string kTorn = std::string(kPoints) + R"(
    uniform token[] skel:blendShapes = ["Puff", "Torn"]
    rel skel:blendShapeTargets = [</Root/Body/Puff>, </Root/Body/Torn>]
    def BlendShape "Puff" {
uniform vector3f[] offsets = [(0, 0, 1), (0, 0, 2), (0, 1, 0)]
}
    def BlendShape "Torn" {
uniform vector3f[] offsets = [(9, 9, 9)]
uniform int[] pointIndices = [7]
}
)";

TEST(Character, GoesSlowlyWhileABlendShapeThatDoesNotFitHasAWeight) {
  for (const Rules rules : {Rules::documented, Rules::openusd}) {
    SkelScene scene = open_scene(rig(mesh("Body", kTorn)), rules);
    Character character = open_character(scene.bindings.at(0));
    for (const double time : {0.0, 2.5, 5.0}) {
      character.pose(time);
      character.deform();
      EXPECT_TRUE(character.meshes()[0].fast) << time;
      EXPECT_TRUE(character.meshes()[0].blended) << time;
      expect_as_evaluated(scene, character);
    }
    EXPECT_TRUE(character.diagnostics().empty());
    character.pose(8.0);
    character.deform();
    EXPECT_FALSE(character.meshes()[0].fast);
    EXPECT_EQ(character.meshes()[0].blended, rules == Rules::documented);
    expect_as_evaluated(scene, character);
    ASSERT_EQ(character.diagnostics().size(), 1U);
    EXPECT_EQ(character.diagnostics()[0].code, "skel-blend-shape-mismatch");
  }
}

// Meshes that have jobs in some frames only, between others that always do.
TEST(Character, ChangesWhichMeshesTakeTheFastRoad) {
  const std::string normals = "normal3f[] normals = [(1,0,0), (0,1,0), (1,0,0)]";
  SkelScene scene =
      open_scene(rig(mesh("First", kPoints) + mesh("Body", kTorn) +
                     mesh("Last", kPoints + normals + " (interpolation = \"vertex\")\n")));
  Character character = open_character(scene.bindings.at(0));
  for (const double time : {0.0, 8.0, 2.5, 9.0, 10.0, 5.0, 1.0}) {
    character.pose(time);
    character.deform();
    EXPECT_EQ(find(character, "Body").fast, time <= 5.0) << time;
    expect_as_evaluated(scene, character);
    character.deform();  // Once more, of the same pose.
    expect_as_evaluated(scene, character);
  }
}

// A sample hides nothing at the default time, and a single one never varies at time codes.
TEST(Character, KeepsTheDefaultTimeApart) {
  SkelScene scene = open_scene(rig(
      mesh("Body",
           "point3f[] points = [(5, 0, 0), (5, 2, 0), (5, 3, 0)]\npoint3f[] points.timeSamples = "
           "{4: [(0, 0, 0), (0, 2, 0), (1, 3, 0)]}")));
  Character character = open_character(scene.bindings.at(0));
  for (const stage::Time time : {stage::Time(1.0), stage::Time(), stage::Time(7.0)}) {
    character.pose(time);
    character.deform();
    EXPECT_TRUE(character.meshes()[0].fast);
    EXPECT_EQ(character.is_posed_fast(), !time.is_default());
    expect_as_evaluated(scene, character);
  }
}

TEST(Character, PosesASkeletonSlowlyThatNoClipCanHold) {
  SkelScene scene =
      open_scene(rig(mesh("Body", kPoints), "", "((1,0.5,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1))"));
  Character character = open_character(scene.bindings.at(0));
  for (const double time : {0.0, 5.0}) {
    character.pose(time);
    character.deform();
    EXPECT_FALSE(character.is_posed_fast());
    EXPECT_TRUE(character.meshes()[0].fast);
    expect_as_evaluated(scene, character);
  }
}

// Either way round is as short: the quaternions here are at right angles, as far as they are
// written.
TEST(Character, GoesHalfTurnsTheWayThatTheStageGoes) {
  std::string text = rig(mesh("Body", kPoints));
  const std::string given = "{0: [(1, 0, 0, 0)], 10: [(0.6, 0, 0, 0.8)]}";
  for (const char* half_turn :
       {"{0: [(-0.90630779, -0.42261826, 0, 0)], 10: [(-0.42261826, 0.90630779, 0, 0)], 20: "
        "[(0.90630779, 0.42261826, 0, 0)]}",
        "{0: [(0.6, 0, 0.8, 0)], 10: [(0.8, 0, -0.6, 0)], 20: [(-0.6, 0, -0.8, 0)]}"}) {
    std::string turned = text;
    turned.replace(turned.find(given), given.size(), half_turn);
    SkelScene scene = open_scene(turned);
    for (const SimdLevel level : supported_simd_levels()) {
      CharacterOptions options;
      options.deform.level = level;
      Character character = open_character(scene.bindings.at(0), options);
      for (const double time : {2.5, 12.5}) {
        character.pose(time);
        character.deform();
        EXPECT_TRUE(character.is_posed_fast());
        expect_as_evaluated(scene, character);
      }
    }
  }
}

TEST(Character, FollowsWhereTheSkeletonStands) {
  const SkelScene scene = open_scene(rig(mesh("Body", kPoints), R"(
    double3 xformOp:translate.timeSamples = {0: (0, 0, 0), 10: (10, 0, 0)}
    uniform token[] xformOpOrder = ["xformOp:translate"]
)"));
  Character character = open_character(scene.bindings.at(0));
  for (const double time : {2.0, 6.0, 10.0}) {
    character.pose(time);
    EXPECT_EQ(character.world_from_skel()(0, 3), time);
  }
}

TEST(Character, OfAnInvalidSkeletonDoesNotMove) {
  std::string text = rig(mesh("Body", kPoints));
  text.replace(text.find("[\"A\", \"A/B\"]"), 12, "[\"A/B\", \"A\"]");
  const SkelScene scene = open_scene(text);
  ASSERT_EQ(scene.bindings.at(0).skeleton, nullptr);
  Character character = open_character(scene.bindings.at(0));
  character.pose(3.0);
  character.deform();
  EXPECT_EQ(character.status(), PoseStatus::none);
  EXPECT_TRUE(character.skel_from_joint().empty());
  EXPECT_FALSE(character.blend_shape_weights().has_value());
  EXPECT_FALSE(character.meshes()[0].skinned);
}

TEST(Character, ShowsNothingBeforeItIsDeformed) {
  const SkelScene scene = open_scene(rig(mesh("Body", kPoints)));
  Character character = open_character(scene.bindings.at(0));
  EXPECT_FALSE(character.meshes()[0].skinned);
  character.pose(1.0);
  character.deform();
  EXPECT_TRUE(character.meshes()[0].skinned);
  character.pose(2.0);
  EXPECT_FALSE(character.meshes()[0].skinned);
  EXPECT_TRUE(character.meshes()[0].points.empty());
}

TEST(Character, MayBeMoved) {
  const SkelScene scene = open_data(kGecko);
  Character character = open_character(scene.bindings.at(0));
  const std::vector<Frame> expected = frames_of(character);
  Character moved = std::move(character);
  EXPECT_EQ(frames_of(moved), expected);
  SkelScene other = open_scene(rig(mesh("Body", kPoints)));
  Character assigned = open_character(other.bindings.at(0));
  assigned = std::move(moved);
  EXPECT_EQ(frames_of(assigned), expected);
  EXPECT_EQ(assigned.binding().skeleton_prim, scene.bindings.at(0).skeleton_prim);
}

TEST(Character, TakesTheClipOfNoProjectiveSkeleton) {
  SkelScene scene =
      open_scene(rig(mesh("Body", kPoints), "", "((1,0,0,0.5),(0,1,0,0),(0,0,1,0),(0,0,0,1))"));
  Character character = open_character(scene.bindings.at(0));
  character.pose(5.0);
  character.deform();
  EXPECT_FALSE(character.is_posed_fast());
  expect_as_evaluated(scene, character);
  EXPECT_EQ(character.binding().skeleton_prim, scene.bindings.at(0).skeleton_prim);
}

TEST(Character, NeedsABindingOfSomething) {
  Diagnostics diagnostics;
  const auto character = Character::open(SkeletonBinding(), diagnostics);
  ASSERT_FALSE(character);
  EXPECT_EQ(character.error().code, ErrorCode::invalid_argument);
}

TEST(Character, NeedsALevelThatTheMachineHas) {
  const SkelScene scene = open_scene(rig(mesh("Body", kPoints)));
  const auto levels = supported_simd_levels();
  for (const SimdLevel level :
       {SimdLevel::sse4, SimdLevel::avx2, SimdLevel::avx512, SimdLevel::neon}) {
    if (std::find(levels.begin(), levels.end(), level) != levels.end()) continue;
    CharacterOptions options;
    options.deform.level = level;
    Diagnostics diagnostics;
    const auto character = Character::open(scene.bindings.at(0), diagnostics, options);
    ASSERT_FALSE(character);
    EXPECT_EQ(character.error().code, ErrorCode::unsupported);
  }
}

TEST(Character, StandsWhereItDidAgainAfterTheDefaultTime) {
  const SkelScene scene = open_scene(rig(mesh("Body", kPoints), R"(
    double3 xformOp:translate = (5, 0, 0)
    double3 xformOp:translate.timeSamples = {0: (1, 0, 0)}
    uniform token[] xformOpOrder = ["xformOp:translate"]
)"));
  Character character = open_character(scene.bindings.at(0));
  for (const stage::Time time : {stage::Time(3.0), stage::Time(), stage::Time(3.0)}) {
    character.pose(time);
    EXPECT_EQ(character.world_from_skel()(0, 3), time.is_default() ? 5.0 : 1.0);
    EXPECT_EQ(character.time(), time);
    const auto weights = character.blend_shape_weights();
    ASSERT_EQ(weights.has_value(), !time.is_default());
    if (weights) {
      EXPECT_THAT(std::vector<float>(weights->begin(), weights->end()),
                  ::testing::ElementsAre(0.6F, 0.0F));
    }
  }
}

}  // namespace
}  // namespace sinew::skel::character_test
