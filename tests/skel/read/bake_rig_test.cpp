// SPDX-License-Identifier: Apache-2.0
// Numbers in comments are those of the checklist in the behaviour specification.
#include "sinew/skel/read/bake_skinning.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "skel/read/baked_scene.hpp"

namespace sinew::skel::bake_rig_test {
namespace {

using ::testing::ElementsAreArray;

class BakedRig : public ::testing::TestWithParam<const char*> {
 protected:
  static Baked bake(const BakeOptions& options = {}) {
    return bake_text(text_of(std::string("skel/bake_rig_") + GetParam() + ".usda"), options);
  }
  static bool is_linear() { return std::string_view(GetParam()) == "linear"; }
};

constexpr const char* kPrism = "/Rig/Geometry/Prism";
// The reference figures have eight digits; linear blending differs in the last bits of a float.
constexpr float kFigures = 2e-6F;

TEST_P(BakedRig, IsAnXformWithSamplesAtEveryFrame) {  // skel 12.70
  const Baked baked = bake();
  EXPECT_EQ(baked.result.stage->prim("/Rig").type_name().view(), "Xform");
  EXPECT_EQ(baked.result.stage->prim("/Rig").specifier(), layer::Specifier::def);
  for (const char* prim : {"Prism", "FaceVarying", "Tube", "Curves"}) {
    EXPECT_THAT(baked.samples(std::string("/Rig/Geometry/") + prim, "points"),
                ElementsAreArray(frames(1, 30)))
        << prim;
  }
  for (const char* prim : {"Sphere", "Cube", "Cylinder"}) {
    EXPECT_THAT(baked.samples(std::string("/Rig/Geometry/") + prim, "xformOp:transform"),
                ElementsAreArray(frames(1, 30)))
        << prim;
  }
}

TEST_P(BakedRig, HasSamplesInTheIntervalOnly) {  // skel 12.70
  BakeOptions options;
  options.first_time = 1.0;
  options.last_time = 10.0;
  EXPECT_THAT(bake(options).samples(kPrism, "points"), ElementsAreArray(frames(1, 10)));
}

TEST_P(BakedRig, IsBakedAtTheDefaultTimeWhereTheIntervalHasNoSamples) {
  BakeOptions options;
  options.first_time = 1.25;
  options.last_time = 1.75;
  const Baked baked = bake(options);
  EXPECT_TRUE(baked.samples(kPrism, "points").empty());
  EXPECT_TRUE(baked.attribute("/Rig/Geometry/Prism", "extent").has_authored_value());
  EXPECT_EQ(baked.result.stage->prim("/Rig").type_name().view(), "Xform");
}

TEST_P(BakedRig, KeepsDefaultValues) {  // skel 12.70
  const Baked baked = bake();
  const auto source = baked.source.stage->prim(kPrism).attribute("points").get_array<Vector3f>();
  ASSERT_TRUE(source);
  EXPECT_EQ(baked.vectors(kPrism, "points", {}),
            std::vector<Vector3f>(source->begin(), source->end()));
}

TEST_P(BakedRig, StartsAtTheRestShape) {  // skel 12.71
  const Baked baked = bake();
  EXPECT_POINTS_NEAR(baked.vectors(kPrism, "points", 1.0), baked.vectors(kPrism, "points", {}),
                     kFigures);
  EXPECT_LE((baked.vectors(kPrism, "normals", 1.0).at(0) -
             Vector3f(-0.57735026F, -0.57735026F, 0.57735026F))
                .norm(),
            kFigures);
}

TEST_P(BakedRig, MovesThePrism) {  // skel 12.72
  const Baked baked = bake();
  struct Row {
    double time;
    Vector3f p4, p6, p8, p11, min, max;
  };
  const Row linear[] = {{10.0,
                         {.55F, -.09408767F, .53340375F},
                         {.55F, -.07698082F, .43642125F},
                         {.55F, .75147474F, .85894454F},
                         {.45F, .7856884F, .7649795F},
                         {.45F, -1.F, .43642125F},
                         {.55F, .7856884F, .85894454F}},
                        {30.0,
                         {.31466362F, -.12036469F, .64268076F},
                         {.3445367F, -.0980578F, .5593641F},
                         {-.22552043F, .65419513F, 1.0612112F},
                         {-.23994356F, .69796413F, .9275091F},
                         {-.2996897F, -1.F, .45F},
                         {.55F, .6988089F, 1.0612112F}}};
  const Row dual[] = {{10.0,
                       {.55F, -.095540166F, .5416383F},
                       {.55F, -.07816922F, .44315863F},
                       {.55F, .75147474F, .85894454F},
                       {.45F, .78568846F, .76497954F},
                       {.45F, -1.F, .44315863F},
                       {.55F, .78568846F, .85894454F}},
                      {30.0,
                       {.32616925F, -.09942447F, .69909114F},
                       {.36009917F, -.076610185F, .6078318F},
                       {-.22552045F, .65419513F, 1.0612112F},
                       {-.23994358F, .69796413F, .92750907F},
                       {-.2996897F, -1.F, .45F},
                       {.55F, .6988089F, 1.0612112F}}};
  for (const Row& row : is_linear() ? linear : dual) {
    const std::vector<Vector3f> points = baked.vectors(kPrism, "points", row.time);
    ASSERT_EQ(points.size(), 12U);
    EXPECT_POINTS_NEAR((std::vector<Vector3f>{points[4], points[6], points[8], points[11]}),
                       (std::vector<Vector3f>{row.p4, row.p6, row.p8, row.p11}), kFigures);
    const std::vector<Vector3f> rest = baked.vectors(kPrism, "points", {});
    EXPECT_POINTS_NEAR((std::vector<Vector3f>{points.begin(), points.begin() + 4}),
                       (std::vector<Vector3f>{rest.begin(), rest.begin() + 4}), kFigures);
    EXPECT_POINTS_NEAR(baked.vectors(kPrism, "extent", row.time),
                       (std::vector<Vector3f>{row.min, row.max}), kFigures);
  }
}

TEST_P(BakedRig, TurnsVertexNormals) {  // skel 12.73
  const Baked baked = bake();
  const auto at = [&](double time, std::size_t i) {
    return baked.vectors(kPrism, "normals", time).at(i);
  };
  const std::vector<Vector3f> actual = {at(10.0, 4), at(10.0, 8), at(30.0, 4), at(30.0, 8)};
  const std::vector<Vector3f> linear = {{.7125021F, -.12188667F, .69100237F},
                                        {.57735026F, .34497437F, .7400401F},
                                        {.43364173F, -.16587603F, .8856861F},
                                        {-.0927319F, .26398462F, .9600588F}};
  const std::vector<Vector3f> dual = {{.70710677F, -.1228311F, .6963566F},
                                      {.57735026F, .34497437F, .7400401F},
                                      {.41933906F, -.12782493F, .8987856F},
                                      {-.0927319F, .26398462F, .9600588F}};
  EXPECT_POINTS_NEAR(actual, is_linear() ? linear : dual, kFigures);
}

TEST_P(BakedRig, TurnsFaceVaryingNormals) {  // skel 12.74
  const Baked baked = bake();
  const auto face = [&](double time) {
    std::vector<Vector3f> normals = baked.vectors("/Rig/Geometry/FaceVarying", "normals", time);
    normals.resize(4);
    return normals;
  };
  const Vector3f up(0, 0, 1);
  if (is_linear()) {
    const Vector3f at_10(0, -.17370942F, .98479694F);
    EXPECT_POINTS_NEAR(face(10.0), (std::vector<Vector3f>{up, at_10, at_10, up}), kFigures);
  }
  const Vector3f at_30 = is_linear() ? Vector3f(-.32727566F, -.244384F, .91277987F)
                                     : Vector3f(-.3392993F, -.22814277F, .9125935F);
  EXPECT_POINTS_NEAR(face(30.0), (std::vector<Vector3f>{up, at_30, at_30, up}), kFigures);
}

// Rows as usda writes them.
void expect_transform(const Baked& baked, std::string_view prim, double time,
                      const std::vector<Vector3d>& rows, double tolerance) {
  const auto m = baked.attribute(prim, "xformOp:transform").get<Matrix4d>(time);
  ASSERT_TRUE(m) << prim;
  for (int i = 0; i < 4; ++i) {
    const Vector3d row = m->col(i).head<3>();
    EXPECT_LE((row - rows[static_cast<std::size_t>(i)]).cwiseAbs().maxCoeff(), tolerance)
        << prim << " at " << time << ", row " << i << ": " << row.transpose();
  }
}

TEST_P(BakedRig, MovesRigidPrimsAsOnePiece) {  // skel 12.75
  const Baked baked = bake();
  const char* sphere = "/Rig/Geometry/Sphere";
  const char* cylinder = "/Rig/Geometry/Cylinder";
  const char* cube = "/Rig/Geometry/Cube";
  for (const double time : {1.0, 10.0, 30.0}) {
    expect_transform(baked, sphere, time, {{.1, 0, 0}, {0, .1, 0}, {0, 0, .1}, {.5, -1, .5}}, 1e-7);
  }
  // One influence of weight 1 is exact to the quaternion's float.
  expect_transform(baked, cylinder, 10.0,
                   {{.1, 0, 0},
                    {0, .0939650059, .0342136979},
                    {0, -.0342136979, .0939650059},
                    {.5, .7685815692, .8119620085}},
                   1e-7);
  // Of the rest, four points are skinned in float.
  expect_transform(baked, cube, 1.0, {{.1, 0, 0}, {0, .1, 0}, {0, 0, .1}, {.5, 0, .5}}, 2e-7);
  if (is_linear()) {
    expect_transform(baked, cube, 10.0,
                     {{.1, 0, 0},
                      {0, .0969825238, .0171068907},
                      {0, -.0171068534, .0969825387},
                      {.5, -.0855342448, .4849125147}},
                     2e-7);
    expect_transform(baked, cube, 30.0,
                     {{.08708465, .00042240, .03353441},
                      {-.01524240, .09474625, .01629251},
                      {-.02987307, -.02230689, .08331680},
                      {.28605783, -.10942245, .58425522}},
                     2e-7);
  } else {
    expect_transform(baked, cube, 10.0,
                     {{.1, 0, 0},
                      {0, .09847972, .01737097},
                      {0, -.01737095, .09847972},
                      {.5, -.08685469, .49239847}},
                     2e-7);
  }
}

TEST_P(BakedRig, RewritesBoxes) {  // skel 12.76
  const Baked baked = bake();
  EXPECT_THAT(baked.samples("/Rig", "extentsHint"), ElementsAreArray(frames(1, 30)));
  EXPECT_THAT(baked.samples("/Rig/Geometry/Curves", "extent"), ElementsAreArray(frames(1, 30)));
  for (const char* prim : {"Sphere", "Cube", "Cylinder"}) {
    EXPECT_FALSE(baked.attribute(std::string("/Rig/Geometry/") + prim, "extent")) << prim;
  }
  // Reached by the curves below, left, behind and on top, by the rigid prims in front.
  EXPECT_POINTS_NEAR(baked.vectors("/Rig", "extentsHint", 1.0),
                     (std::vector<Vector3f>{{-.55F, -1.1F, -.55F}, {1.15F, 1.1F, .6F}}), kFigures);
  EXPECT_POINTS_NEAR(baked.vectors("/Rig", "extentsHint", 10.0),
                     (std::vector<Vector3f>{{-.55F, -1.1F, -.55F}, {1.15F, 1.2217903F, .9401407F}}),
                     kFigures);
}

INSTANTIATE_TEST_SUITE_P(Methods, BakedRig, ::testing::Values("linear", "dual_quaternion"),
                         [](const auto& tested) { return std::string(tested.param); });

}  // namespace
}  // namespace sinew::skel::bake_rig_test
