// SPDX-License-Identifier: Apache-2.0
// Numbers in comments are those of the checklist in the behaviour specification.
#include "sinew/skel/read/bindings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "skel/skel_scene.hpp"

namespace sinew::skel::bindings_test {
namespace {

using ::testing::ElementsAre;

// What drives the skeletons of animation_sources.usda, under Rules::openusd.
std::string source_of(const SkelScene& scene, std::string_view skeleton) {
  const SkeletonBinding* binding = scene.find(skeleton);
  if (binding == nullptr) return "not bound";
  if (binding->skeleton == nullptr) return "invalid";
  return binding->animation_prim ? binding->animation_prim.path().str() : "none";
}

class AnimationSources : public ::testing::Test {
 protected:
  SkelScene scene_ = open_data("skel/animation_sources.usda", Rules::openusd);
};

TEST_F(AnimationSources, AreInheritedFromAnAncestorOfTheSkeleton) {  // skel 12.29
  EXPECT_EQ(source_of(scene_, "/AnimBinding/Scope/Inherit"), "/Anim1");
}

TEST_F(AnimationSources, OnTheSkeletonWinOverInherited) {  // skel 12.30
  EXPECT_EQ(source_of(scene_, "/AnimBinding/Scope/Override"), "/Anim2");
}

TEST_F(AnimationSources, LeaveTheSkeletonValidWhenBlockedUnboundOrInactive) {  // skel 12.31
  EXPECT_EQ(source_of(scene_, "/AnimBinding/Scope/Block"), "none");
  EXPECT_EQ(source_of(scene_, "/AnimBinding/Unbound"), "none");
  EXPECT_EQ(source_of(scene_, "/AnimBinding/BoundToInactiveAnim"), "none");
}

TEST_F(AnimationSources, OnAnInstanceReachSkeletonsInsideIt) {  // skel 12.32
  EXPECT_EQ(source_of(scene_, "/AnimBinding/Instance/Inherit"), "/Anim1");
}

TEST_F(AnimationSources, InsideAnInstanceNameTheAnimationInsideIt) {  // skel 12.33
  EXPECT_EQ(source_of(scene_, "/AnimBinding/Instance/Override"), "/AnimBinding/Instance/Anim");
}

TEST_F(AnimationSources, AreReadWithTheirOrderOfBlendShapes) {  // skel 12.28
  const SkeletonBinding* binding = scene_.find("/AnimBinding/Scope/Inherit");
  ASSERT_NE(binding, nullptr);
  ASSERT_NE(binding->animation, nullptr);
  EXPECT_THAT(binding->animation->blend_shapes, ElementsAre("override", "shape"));
}

TEST(ReadBindings, FindsNoAnimationWhereThereIsNone) {  // skel 12.28
  const SkelScene scene = open_scene(R"(#usda 1.0
def SkelRoot "R" (prepend apiSchemas = ["SkelBindingAPI"])
{
    rel skel:skeleton = </R/S>
    rel skel:animationSource = </R/M>
    def Skeleton "S" {}
    def Mesh "M" {}
}
)",
                                     Rules::openusd);
  ASSERT_EQ(scene.bindings.size(), 1U);
  EXPECT_FALSE(scene.bindings[0].animation_prim);
  EXPECT_EQ(scene.said("skel-target-wrong-type").size(), 1U);
}

class SkeletonBindings : public ::testing::Test {
 protected:
  // The default predicate of OpenUSD leaves out what lies below instances.
  void leave_out_proxies() {
    Diagnostics diagnostics;
    ReadOptions options;
    options.traversal = stage::Traversal::standard();
    scene_.bindings = read_bindings(*scene_.stage, diagnostics, options);
  }
  SkelScene scene_ = open_data("skel/skeleton_bindings.usda", Rules::openusd);
};

TEST_F(SkeletonBindings, InheritEveryPropertyButBlendShapes) {  // skel 12.34
  leave_out_proxies();
  const SkeletonBinding* binding = scene_.find("/Skel1");
  ASSERT_NE(binding, nullptr);
  ASSERT_THAT(target_paths(*binding), ElementsAre("/SkelBinding/Scope/Inherit"));
  const SkinnedPrim& skin = *binding->targets[0].skin;
  EXPECT_EQ(skin.joint_indices.prim().path().str(), "/SkelBinding/Scope");
  EXPECT_EQ(skin.joint_weights.prim().path().str(), "/SkelBinding/Scope");
  ASSERT_TRUE(skin.joint_order);
  EXPECT_THAT(*skin.joint_order, ElementsAre("scope"));
  EXPECT_FALSE(skin.blend_shape_order);
  EXPECT_FALSE(binding->targets[0].has_blend_shapes());
}

TEST_F(SkeletonBindings, AreOverriddenByTheMeshItself) {  // skel 12.35
  leave_out_proxies();
  const SkeletonBinding* binding = scene_.find("/Skel2");
  ASSERT_NE(binding, nullptr);
  ASSERT_THAT(target_paths(*binding), ElementsAre("/SkelBinding/Scope/Override"));
  const SkinnedPrim& skin = *binding->targets[0].skin;
  EXPECT_EQ(skin.joint_indices.prim().path().str(), "/SkelBinding/Scope/Override");
  EXPECT_EQ(skin.joint_weights.prim().path().str(), "/SkelBinding/Scope/Override");
  EXPECT_THAT(skin.joint_order.value_or(std::vector<std::string>{}), ElementsAre("override"));
  EXPECT_THAT(skin.blend_shape_order.value_or(std::vector<std::string>{}), ElementsAre("shape"));
  EXPECT_TRUE(binding->targets[0].has_blend_shapes());
}

TEST_F(SkeletonBindings, LeaveOutInactiveBlockedUnboundAndInstanced) {  // skel 12.36
  leave_out_proxies();
  EXPECT_THAT(skeleton_paths(scene_), ElementsAre("/Skel1", "/Skel2"));
}

TEST_F(SkeletonBindings, DoNotEnterInstancesUnlessAsked) {  // skel 12.37
  leave_out_proxies();
  EXPECT_EQ(scene_.find_target("/SkelBinding/Instance/Inherit"), nullptr);
  EXPECT_EQ(scene_.find_target("/SkelBinding/Instance/Override"), nullptr);
}

TEST_F(SkeletonBindings, FlowFromAnInstanceIntoIt) {  // skel 12.38
  const SkeletonBinding* binding = scene_.find("/Skel1");
  ASSERT_NE(binding, nullptr);
  ASSERT_THAT(target_paths(*binding),
              ElementsAre("/SkelBinding/Scope/Inherit", "/SkelBinding/Instance/Inherit"));
  const SkinTarget& target = binding->targets[1];
  EXPECT_EQ(target.skin->joint_indices.prim().path().str(), "/SkelBinding/Instance");
  EXPECT_EQ(target.skin->joint_weights.prim().path().str(), "/SkelBinding/Instance");
  EXPECT_THAT(target.skin->joint_order.value_or(std::vector<std::string>{}),
              ElementsAre("instance"));
  EXPECT_FALSE(target.skin->blend_shape_order);
  EXPECT_FALSE(target.has_blend_shapes());
}

TEST_F(SkeletonBindings, InsideInstancesAreSkeletonsOfTheirOwn) {  // skel 12.39
  EXPECT_THAT(skeleton_paths(scene_),
              ElementsAre("/Skel1", "/Skel2", "/SkelBinding/Instance/Skel"));
  EXPECT_THAT(target_paths(scene_.bindings.at(2)), ElementsAre("/SkelBinding/Instance/Override"));
}

TEST_F(SkeletonBindings, InsideInstancesHaveTheirOwnOrders) {  // skel 12.40 and 12.41
  const SkinTarget* target = scene_.find_target("/SkelBinding/Instance/Override");
  ASSERT_NE(target, nullptr);
  EXPECT_THAT(target->skin->joint_order.value_or(std::vector<std::string>{}),
              ElementsAre("override"));
  EXPECT_THAT(target->skin->blend_shape_order.value_or(std::vector<std::string>{}),
              ElementsAre("override"));
}

TEST_F(SkeletonBindings, InsideInstancesFollowTheSourceOutside) {  // skel 12.42
  const SkeletonBinding* binding = scene_.find("/SkelBinding/Instance/Skel");
  ASSERT_NE(binding, nullptr);
  ASSERT_NE(binding->animation, nullptr);
  EXPECT_THAT(binding->animation->blend_shapes, ElementsAre("override", "shape"));
}

TEST_F(SkeletonBindings, InsideInstancesHaveBlendShapes) {  // skel 12.43
  const SkinTarget* target = scene_.find_target("/SkelBinding/Instance/Override");
  ASSERT_NE(target, nullptr);
  EXPECT_TRUE(target->has_blend_shapes());
  Diagnostics diagnostics;
  EXPECT_EQ(inherited_animation_source(target->prim, &diagnostics).path().str(), "/Anim1");
}

TEST_F(SkeletonBindings, InsideInstancesMapTheirBlendShapes) {  // skel 12.44
  const SkinTarget* target = scene_.find_target("/SkelBinding/Instance/Override");
  ASSERT_NE(target, nullptr);
  ASSERT_NE(target->blend_shape_mapper, nullptr);
  EXPECT_FALSE(target->blend_shape_mapper->is_null());
}

TEST(ReadBindings, KeepsInheritedInfluencesWhereTheyAreBlocked) {  // skel 12.83
  const SkelScene scene = open_scene(R"(#usda 1.0
def SkelRoot "R" (prepend apiSchemas = ["SkelBindingAPI"])
{
    rel skel:skeleton = </R/S>
    int[] primvars:skel:jointIndices = [0]
    float[] primvars:skel:jointWeights = [1]
    def Skeleton "S" {}
    def Mesh "M" (prepend apiSchemas = ["SkelBindingAPI"])
    {
        int[] primvars:skel:jointIndices = None
    }
    def Mesh "N" (prepend apiSchemas = ["SkelBindingAPI"])
    {
        rel skel:skeleton = None
    }
}
)",
                                     Rules::openusd);
  ASSERT_EQ(scene.bindings.size(), 1U);
  ASSERT_THAT(target_paths(scene.bindings[0]), ElementsAre("/R/M"));
  EXPECT_EQ(scene.bindings[0].targets[0].skin->joint_indices.prim().path().str(), "/R");
}

constexpr const char* kAboveAndUntyped = R"(#usda 1.0
def Xform "Top" (prepend apiSchemas = ["SkelBindingAPI"])
{
    rel skel:skeleton = </Top/R/S>
    rel skel:animationSource = </Anim>
    def SkelRoot "R" (prepend apiSchemas = ["SkelBindingAPI"])
    {
        def Skeleton "S" {}
        def Mesh "M" {}
        def "Untyped"
        {
            def Mesh "Below" (prepend apiSchemas = ["SkelBindingAPI"])
            {
                rel skel:skeleton = </Top/R/S>
            }
        }
        def Mesh "Bound" (prepend apiSchemas = ["SkelBindingAPI"])
        {
            rel skel:skeleton = </Top/R/S>
        }
    }
}
def SkelAnimation "Anim" {}
)";

TEST(ReadBindings, IgnoresBindingsAboveTheSkelRootButNotSources) {  // skel 12.84
  const SkelScene scene = open_scene(kAboveAndUntyped, Rules::openusd);
  ASSERT_EQ(scene.bindings.size(), 1U);
  EXPECT_THAT(target_paths(scene.bindings[0]), ElementsAre("/Top/R/Bound"));
  ASSERT_TRUE(scene.bindings[0].animation_prim);
  EXPECT_EQ(scene.bindings[0].animation_prim.path().str(), "/Anim");
}

TEST(ReadBindings, HonoursBindingsAboveTheSkelRootByTheDocumentedRules) {
  const SkelScene scene = open_scene(kAboveAndUntyped);
  ASSERT_EQ(scene.bindings.size(), 1U);
  EXPECT_THAT(target_paths(scene.bindings[0]),
              ElementsAre("/Top/R/M", "/Top/R/Untyped/Below", "/Top/R/Bound"));
  ASSERT_EQ(scene.said("skel-binding-above-skelroot").size(), 1U);
  EXPECT_EQ(scene.said("skel-binding-above-skelroot")[0].path, "/Top");
  ASSERT_EQ(scene.said("skel-binding-below-untyped").size(), 1U);
  EXPECT_EQ(scene.said("skel-binding-below-untyped")[0].path, "/Top/R/Untyped/Below");
}

constexpr const char* kNotApplied = R"(#usda 1.0
def SkelRoot "R"
{
    rel skel:skeleton = </R/S>
    def Skeleton "S" {}
    def Mesh "M"
    {
        int[] primvars:skel:jointIndices = [0]
        float[] primvars:skel:jointWeights = [1]
    }
    def Mesh "N" {}
}
)";

TEST(ReadBindings, IgnoresPropertiesWithoutTheSchemaUnderOpenUsdRules) {
  EXPECT_TRUE(open_scene(kNotApplied, Rules::openusd).bindings.empty());
}

TEST(ReadBindings, WarnsOncePerPrimWithoutTheSchema) {
  const SkelScene scene = open_scene(kNotApplied);
  ASSERT_EQ(scene.bindings.size(), 1U);
  EXPECT_THAT(target_paths(scene.bindings[0]), ElementsAre("/R/M", "/R/N"));
  std::vector<std::string> warned;
  for (const Diagnostic& d : scene.said("skel-binding-api-missing")) warned.push_back(d.path);
  EXPECT_THAT(warned, ::testing::UnorderedElementsAre("/R", "/R/M"));
}

TEST(ReadBindings, DoesNotDescendBelowSkinnablePrims) {
  const SkelScene scene = open_scene(R"(#usda 1.0
def SkelRoot "R" (prepend apiSchemas = ["SkelBindingAPI"])
{
    rel skel:skeleton = </R/S>
    def Skeleton "S" {}
    def Mesh "M"
    {
        def Mesh "Child" {}
    }
    def Camera "C" {}
    def Cube "Q" {}
}
)");
  ASSERT_EQ(scene.bindings.size(), 1U);
  EXPECT_THAT(target_paths(scene.bindings[0]), ElementsAre("/R/M", "/R/Q"));
}

TEST(ReadBindings, ListsOutermostSkelRootsOnly) {
  const SkelScene scene = open_scene(R"(#usda 1.0
def SkelRoot "Outer" (prepend apiSchemas = ["SkelBindingAPI"])
{
    rel skel:skeleton = </Outer/S>
    def Skeleton "S" {}
    def SkelRoot "Inner"
    {
        def Mesh "M" {}
    }
}
)");
  ASSERT_EQ(scene.bindings.size(), 1U);
  EXPECT_EQ(scene.bindings[0].skel_root.path().str(), "/Outer");
  EXPECT_THAT(target_paths(scene.bindings[0]), ElementsAre("/Outer/Inner/M"));
  EXPECT_EQ(find_skel_root(scene.bindings[0].targets[0].prim).path().str(), "/Outer/Inner");
}

TEST(IsSkinnable, MeansBoundableButNeitherSkeletonNorSkelRoot) {
  const std::vector<std::string> yes = {
      "Mesh",          "TetMesh",    "Points",    "BasisCurves",    "NurbsCurves",
      "HermiteCurves", "NurbsPatch", "Cube",      "PointInstancer", "Sphere",
      "Cylinder",      "Cylinder_1", "Capsule",   "Volume",         "Capsule_1",
      "Cone",          "Plane",      "RectLight", "DiskLight",      "SphereLight"};
  const std::vector<std::string> no = {"Skeleton",   "SkelRoot", "Xform", "Scope",
                                       "GeomSubset", "Camera",   ""};
  std::string text = "#usda 1.0\n";
  for (const auto& types : {yes, no}) {
    for (const std::string& type : types) text += "def " + type + " \"a" + type + "\" {}\n";
  }
  const SkelScene scene = open_scene(text);
  for (const std::string& type : yes) EXPECT_TRUE(is_skinnable(scene.stage->prim("/a" + type)));
  for (const std::string& type : no) EXPECT_FALSE(is_skinnable(scene.stage->prim("/a" + type)));
}

TEST(ReadBindings, SharesWhatInstancesShare) {
  SkelScene scene = open_scene(R"(#usda 1.0
def SkelRoot "Library" (prepend apiSchemas = ["SkelBindingAPI"])
{
    rel skel:skeleton = </Library/S>
    def Skeleton "S"
    {
        uniform token[] joints = ["a"]
        uniform matrix4d[] bindTransforms = [((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1))]
        uniform matrix4d[] restTransforms = [((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1))]
    }
    def Mesh "M" (prepend apiSchemas = ["SkelBindingAPI"])
    {
        point3f[] points = [(0,0,0), (1,0,0)]
        int[] primvars:skel:jointIndices = [0, 0] (interpolation = "vertex")
        float[] primvars:skel:jointWeights = [1, 1] (interpolation = "vertex")
    }
}
def "A" (instanceable = true; references = </Library>; prepend apiSchemas = ["SkelBindingAPI"])
{
    rel skel:animationSource = </Walk>
}
def "B" (instanceable = true; references = </Library>; prepend apiSchemas = ["SkelBindingAPI"])
{
    rel skel:animationSource = </Run>
}
def SkelAnimation "Walk"
{
    uniform token[] joints = ["a"]
    float3[] translations = [(0, 1, 0)]
    quatf[] rotations = [(1, 0, 0, 0)]
    half3[] scales = [(1, 1, 1)]
}
def SkelAnimation "Run"
{
    uniform token[] joints = ["a"]
    float3[] translations = [(0, 0, 5)]
    quatf[] rotations = [(1, 0, 0, 0)]
    half3[] scales = [(1, 1, 1)]
}
)");
  const SkeletonBinding* a = scene.find("/A/S");
  const SkeletonBinding* b = scene.find("/B/S");
  ASSERT_TRUE(a != nullptr && b != nullptr);
  EXPECT_EQ(a->skeleton, b->skeleton);
  EXPECT_EQ(a->targets.at(0).skin, b->targets.at(0).skin);
  EXPECT_EQ(a->targets.at(0).skin->packed.point_count(), 2U);
  EXPECT_EQ(a->animation_prim.path().str(), "/Walk");
  EXPECT_EQ(b->animation_prim.path().str(), "/Run");
  // Neither has left its instance, and each moves as its own animation says.
  EXPECT_TRUE(a->targets[0].prim.is_instance_proxy() && b->targets[0].prim.is_instance_proxy());
  EXPECT_POINTS_NEAR(scene.deform("/A/M", {}).points, (std::vector<Vector3f>{{0, 1, 0}, {1, 1, 0}}),
                     1e-6F);
  EXPECT_POINTS_NEAR(scene.deform("/B/M", {}).points, (std::vector<Vector3f>{{0, 0, 5}, {1, 0, 5}}),
                     1e-6F);
}

// What /R/M is bound to, by its own opinion or by that of /R.
std::string bound_by(const std::string& binding) {
  const SkelScene scene = open_scene(
      "#usda 1.0\ndef SkelRoot \"R\" (prepend apiSchemas = [\"SkelBindingAPI\"])\n{\n"
      "rel skel:skeleton = </R/Outer>\ndef Skeleton \"Outer\" (prepend apiSchemas = "
      "[\"SkelBindingAPI\"]) {}\ndef Skeleton \"Inner\" {}\n"
      "def Mesh \"M\" (prepend apiSchemas = [\"SkelBindingAPI\"])\n{\n"
      "int[] primvars:skel:jointIndices = []\nfloat[] primvars:skel:jointWeights = []\n" +
          binding + "\n}\n}\n",
      Rules::openusd);
  for (const SkeletonBinding& found : scene.bindings) {
    for (const SkinTarget& target : found.targets) {
      if (target.prim.path() == "/R/M") return found.skeleton_prim.path().str();
    }
  }
  return "none";
}

TEST(ForwardedBindings, AreDefinedWhereOneOfThemIs) {
  EXPECT_EQ(bound_by(""), "/R/Outer");
  EXPECT_EQ(bound_by("rel skel:skeleton = []"), "none");
  EXPECT_EQ(bound_by("rel skel:skeleton = </R/Inner>"), "/R/Inner");
  EXPECT_EQ(bound_by("rel skel:skeleton = </R/Outer.skel:skeleton>"), "/R/Outer");
  EXPECT_EQ(bound_by("rel skel:skeleton = [</R/Inner>, </R/Outer.skel:skeleton>]"), "/R/Inner");
  EXPECT_EQ(bound_by("rel skel:skeleton = [</R/Outer.skel:skeleton>, </R/Inner>]"), "/R/Inner");
  EXPECT_EQ(bound_by("rel skel:skeleton = [</R/Inner>, </R/Outer.proxyPrim>]"), "/R/Inner");
  EXPECT_EQ(bound_by("rel via = []\nrel skel:skeleton = [</R/Outer.skel:skeleton>, </R/M.via>]"),
            "none");
}

TEST(ReadSkeleton, HasOnlyAnAnimationThatIsSwitchedOn) {
  for (const Rules rules : {Rules::documented, Rules::openusd}) {
    SkelScene scene = open_scene(R"(#usda 1.0
def SkelRoot "R" {
    def Skeleton "S" (prepend apiSchemas = ["SkelBindingAPI"]) { rel skel:animationSource = </R/On>; }
    def Skeleton "T" (prepend apiSchemas = ["SkelBindingAPI"]) { rel skel:animationSource = </R/Off>; }
    def SkelAnimation "On" {}
    def SkelAnimation "Off" (active = false) {}
}
)",
                                 rules);
    const SkeletonBinding on = read_skeleton(scene.stage->prim("/R/S"), scene.diagnostics);
    const SkeletonBinding off = read_skeleton(scene.stage->prim("/R/T"), scene.diagnostics);
    EXPECT_EQ(on.skel_root.path(), "/R");
    EXPECT_EQ(on.animation_prim.path(), "/R/On");
    EXPECT_NE(on.animation, nullptr);
    EXPECT_FALSE(off.animation_prim);
    EXPECT_EQ(off.animation, nullptr);
    EXPECT_EQ(scene.diagnostics.size(), 0U);
  }
}

// What lies in a prim that is switched off is left away on purpose.
TEST(ReadBindings, AreSilentOfTargetsThatAreSwitchedOff) {
  const SkelScene scene = open_scene(R"(#usda 1.0
def SkelRoot "R" (prepend apiSchemas = ["SkelBindingAPI"]) {
    rel skel:skeleton = </Off/Part/S>
    def Mesh "M" {}
}
def SkelRoot "T" (prepend apiSchemas = ["SkelBindingAPI"]) {
    rel skel:skeleton = </On/Part/S>
    def Mesh "M" {}
}
def Xform "Off" (active = false) {
    def Xform "Part" {
        def Skeleton "S" {}
    }
}
def Xform "On" {
    def Xform "Part" {}
}
)");
  EXPECT_EQ(scene.bindings.size(), 0U);
  ASSERT_EQ(scene.diagnostics.size(), 1U);
  EXPECT_EQ(scene.diagnostics[0].code, "skel-target-missing");
  EXPECT_EQ(scene.diagnostics[0].path, "/T.skel:skeleton");
}

// Asked of a prim instead of read with everything else.
TEST(InheritedSkeleton, IsTheNearestThatIsSaid) {
  const SkelScene scene = open_scene(R"(#usda 1.0
def SkelRoot "R" (prepend apiSchemas = ["SkelBindingAPI"]) {
    rel skel:skeleton = </R/Outer>
    rel skel:animationSource = </R/Walk>
    def Skeleton "Outer" {}
    def Skeleton "Inner" {}
    def SkelAnimation "Walk" {}
    def SkelAnimation "Run" {}
    def Xform "Plain" {
        def Mesh "Below" {}
    }
    def Xform "Own" (prepend apiSchemas = ["SkelBindingAPI"]) {
        rel skel:skeleton = </R/Inner>
        rel skel:animationSource = </R/Run>
        def Mesh "Below" (prepend apiSchemas = ["SkelBindingAPI"]) {}
    }
    def Xform "None" (prepend apiSchemas = ["SkelBindingAPI"]) {
        rel skel:skeleton = None
        rel skel:animationSource = None
        def Mesh "Below" {}
    }
    def Xform "Wrong" (prepend apiSchemas = ["SkelBindingAPI"]) {
        rel skel:skeleton = </R/Plain>
    }
}
def Mesh "Beside" {}
)",
                                     Rules::openusd);
  const auto skeleton = [&](const char* path) {
    const stage::Prim found = inherited_skeleton(scene.stage->prim(path));
    return found ? found.path().str() : "none";
  };
  const auto source = [&](const char* path) {
    const stage::Prim found = inherited_animation_source(scene.stage->prim(path));
    return found ? found.path().str() : "none";
  };
  for (const char* path : {"/R", "/R/Plain", "/R/Plain/Below"}) {
    EXPECT_EQ(skeleton(path), "/R/Outer") << path;
    EXPECT_EQ(source(path), "/R/Walk") << path;
  }
  for (const char* path : {"/R/Own", "/R/Own/Below"}) {
    EXPECT_EQ(skeleton(path), "/R/Inner") << path;
    EXPECT_EQ(source(path), "/R/Run") << path;
  }
  for (const char* path : {"/R/None", "/R/None/Below", "/Beside"}) {
    EXPECT_EQ(skeleton(path), "none") << path;
    EXPECT_EQ(source(path), "none") << path;
  }
  Diagnostics diagnostics;
  EXPECT_FALSE(inherited_skeleton(scene.stage->prim("/R/Wrong"), &diagnostics));
  EXPECT_EQ(diagnostics.size(), 1U);
}

TEST(ForwardedBindings, ThatGoRoundInACircleSayNothing) {
  EXPECT_EQ(bound_by("rel skel:skeleton = </R/M.skel:skeleton>"), "/R/Outer");
  EXPECT_EQ(bound_by("rel via = </R/M.skel:skeleton>\nrel skel:skeleton = </R/M.via>"), "/R/Outer");
  EXPECT_EQ(bound_by("rel skel:skeleton = [</R/M.skel:skeleton>, </R/Inner>]"), "/R/Inner");
}

// skel 7.2: by the paths of skeletons, whatever is bound first.
TEST(ReadBindings, AreSortedBySkeletonsAndTheirTargetsAsTheyStand) {
  const SkelScene scene = open_scene(R"(#usda 1.0
def SkelRoot "R" {
    def Skeleton "A" {}
    def Skeleton "B" {}
    def Mesh "Z" (prepend apiSchemas = ["SkelBindingAPI"]) {
        rel skel:skeleton = </R/B>
    }
    def Mesh "Y" (prepend apiSchemas = ["SkelBindingAPI"]) {
        rel skel:skeleton = </R/A>
    }
    def Mesh "X" (prepend apiSchemas = ["SkelBindingAPI"]) {
        rel skel:skeleton = </R/B>
    }
}
)");
  ASSERT_THAT(skeleton_paths(scene), ElementsAre("/R/A", "/R/B"));
  EXPECT_THAT(target_paths(scene.bindings[0]), ElementsAre("/R/Y"));
  EXPECT_THAT(target_paths(scene.bindings[1]), ElementsAre("/R/Z", "/R/X"));
}

// The documents call the rest pose optional.
TEST(ReadSkeleton, MissesARestPoseUnderOpenUsdRulesOnly) {
  for (const Rules rules : {Rules::documented, Rules::openusd}) {
    SkelScene scene = open_scene(R"(#usda 1.0
def Skeleton "S" {
    uniform token[] joints = ["a"]
    uniform matrix4d[] bindTransforms = [((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1))]
}
)",
                                 rules);
    const SkeletonBinding binding = read_skeleton(scene.stage->prim("/S"), scene.diagnostics);
    EXPECT_FALSE(binding.skeleton->has_rest_pose());
    const std::vector<Diagnostic> said = scene.said("skel-rest-transforms-size");
    ASSERT_EQ(said.size(), rules == Rules::openusd ? 1U : 0U);
    if (said.empty()) continue;
    EXPECT_EQ(said[0].message, "/S has 0 restTransforms for 1 joints; it has no rest pose.");
  }
}

// A mesh with two points and the shapes T and U.
SkelScene shape_scene(const std::string& t, const std::string& u) {
  return open_scene(R"(#usda 1.0
def SkelRoot "R" (prepend apiSchemas = ["SkelBindingAPI"]) {
    rel skel:skeleton = </R/S>
    def Skeleton "S" {}
    def Mesh "M" (prepend apiSchemas = ["SkelBindingAPI"]) {
        point3f[] points = [(0, 0, 0), (1, 0, 0)]
        uniform token[] skel:blendShapes = ["t", "u"]
        rel skel:blendShapeTargets = [</R/M/T>, </R/M/U>]
        def BlendShape "T" {
)" + t + R"(
        }
        def BlendShape "U" {
)" + u + R"(
        }
    }
}
)");
}

TEST(ReadBlendShapes, AreSilentOfInbetweensThatFit) {
  const SkelScene scene = shape_scene(
      // As many as indices, or none but those of normals.
      "uniform int[] pointIndices = [1]\n"
      "uniform vector3f[] offsets = [(0, 1, 0)]\n"
      "uniform point3f[] inbetweens:half = [(0, 2, 0)] (weight = 0.5)\n"
      "uniform vector3f[] inbetweens:half:normalOffsets = [(0, 0, 1)]\n"
      "uniform point3f[] inbetweens:late (weight = 0.75)\n"
      "uniform vector3f[] inbetweens:late:normalOffsets = [(0, 0, 1)]\n",
      // Nothing says how many.
      "uniform point3f[] inbetweens:half = [(0, 2, 0), (0, 2, 0)] (weight = 0.5)\n");
  EXPECT_TRUE(scene.diagnostics.empty()) << scene.diagnostics.front().message;
  EXPECT_EQ(scene.find_target("/R/M")->skin->blend_shapes->sub_shape_count(), 4U + 3U);
}

TEST(ReadBlendShapes, NameTheInbetweenThatDoesNotCount) {
  const SkelScene scene =
      shape_scene("uniform point3f[] inbetweens:late = [(9, 0, 0), (9, 0, 0)] (weight = 1)\n", "");
  const std::vector<Diagnostic> said = scene.said("skel-inbetween-weight");
  ASSERT_EQ(said.size(), 1U);
  EXPECT_EQ(said[0].message,
            "The in-between /R/M/T.late is ignored: its weight is 0, 1, or that of another.");
}

TEST(ReadBindings, AreSilentOfJointOrdersBesideSkeletonsWithoutJoints) {
  const SkelScene scene = open_scene(R"(#usda 1.0
def SkelRoot "R" (prepend apiSchemas = ["SkelBindingAPI"]) {
    rel skel:skeleton = </R/S>
    def Skeleton "S" {}
    def Mesh "M" (prepend apiSchemas = ["SkelBindingAPI"]) {
        uniform token[] skel:joints = ["a"]
    }
}
)");
  ASSERT_NE(scene.find_target("/R/M"), nullptr);
  EXPECT_TRUE(scene.find_target("/R/M")->skin->joint_order.has_value());
  EXPECT_EQ(scene.said("skel-custom-joint-missing").size(), 0U);
}

}  // namespace
}  // namespace sinew::skel::bindings_test
