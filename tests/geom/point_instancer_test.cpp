// SPDX-License-Identifier: Apache-2.0
#include "sinew/geom/point_instancer.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "sinew/geom/bounds.hpp"
#include "sinew/geom/transforms.hpp"
#include "stage/support.hpp"
#include "support/codes.hpp"
#include "support/random.hpp"

namespace sinew::geom::point_instancer_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// A stage of one PointInstancer "/P" of two prototypes, with more properties and metadata.
class Instancer : public ::testing::Test {
 protected:
  void open(const std::string& properties, const std::string& metadata = "") {
    const std::string text = "def PointInstancer \"P\" (" + metadata +
                             ") {\nrel prototypes = [</P/A>, </P/B>, </P/Missing>]\n" + properties +
                             "\ndef Cube \"A\" {}\ndef Sphere \"B\" {}\n}\ndef Xform \"X\" {}\n";
    stage_ = stage::open_layers({{"root.usda", text.c_str()}}, diagnostics_);
    ASSERT_NE(stage_, nullptr);
  }
  PointInstances read(stage::Time time = {}) {
    auto result = read_point_instances(stage_->prim("/P"), time, &diagnostics_);
    return result ? *std::move(result) : PointInstances();
  }
  static std::vector<std::int64_t> ids(const PointInstances& shown) {
    std::vector<std::int64_t> ids;
    for (const PointInstance& instance : shown.instances) ids.push_back(instance.id);
    return ids;
  }
  std::string codes() const { return test::codes_of(diagnostics_); }

  Diagnostics diagnostics_;
  stage::StagePtr stage_;
};

TEST_F(Instancer, HasWhatItsArraysSay) {
  open(
      "int[] protoIndices = [1, 0]\npoint3f[] positions = [(1, 2, 3), (4, 5, 6)]\n"
      "quatf[] orientationsf = [(0, 0, 0, 1), (1, 0, 0, 0)]\n"
      "quath[] orientations = [(0, 1, 0, 0), (0, 1, 0, 0)]\n"
      "float3[] scales = [(2, 3, 4), (1, 1, 1)]\nint64[] ids = [70, 5000000000]");
  const PointInstances shown = read();
  ASSERT_EQ(shown.prototypes.size(), 3U);
  EXPECT_EQ(shown.prototypes[1].path().str(), "/P/B");
  EXPECT_FALSE(shown.prototypes[2]);
  ASSERT_EQ(shown.instances.size(), 2U);
  const PointInstance& first = shown.instances[0];
  EXPECT_EQ(first.prototype, 1U);
  EXPECT_EQ(shown.instances[1].prototype, 0U);
  EXPECT_THAT(ids(shown), ElementsAre(70, 5000000000));
  EXPECT_EQ(first.position, Vector3f(1, 2, 3));
  EXPECT_EQ(first.orientation.coeffs(), Eigen::Vector4f(0, 0, 1, 0)) << "half precision is second";
  EXPECT_EQ(first.scale, Vector3f(2, 3, 4));
  // Half a turn about z of what was scaled.
  Matrix4d expected = Matrix4d::Identity();
  expected.diagonal() << -2, -3, 4, 1;
  expected.topRightCorner<3, 1>() << 1, 2, 3;
  EXPECT_LE((first.transform() - expected).cwiseAbs().maxCoeff(), 1e-15);
  EXPECT_THAT(diagnostics_, IsEmpty());
}

TEST_F(Instancer, NeedsPositionsAndPrototypesAlone) {
  open("int[] protoIndices = [0]\npoint3f[] positions = [(1, 2, 3)]");
  const PointInstances shown = read();
  ASSERT_EQ(shown.instances.size(), 1U);
  EXPECT_EQ(shown.instances[0].id, 0);
  EXPECT_EQ(shown.instances[0].orientation.coeffs(), Quatf::Identity().coeffs());
  EXPECT_EQ(shown.instances[0].scale, Vector3f(1, 1, 1));
  EXPECT_FALSE(read_point_instances(stage_->prim("/X")));
  open("");
  EXPECT_THAT(read().instances, IsEmpty());
}

TEST_F(Instancer, TakesOrientationsOfHalfPrecisionAndOfAnyLength) {
  open(
      "int[] protoIndices = [0, 0]\npoint3f[] positions = [(0, 0, 0), (0, 0, 0)]\n"
      "quath[] orientations = [(0, 0, 3, 0), (0, 0, 0, 0)]");
  const PointInstances shown = read();
  ASSERT_EQ(shown.instances.size(), 2U);
  Matrix4d turned = Matrix4d::Identity();
  turned.diagonal() << -1, 1, -1, 1;
  EXPECT_LE((shown.instances[0].transform() - turned).cwiseAbs().maxCoeff(), 1e-15);
  EXPECT_EQ(shown.instances[1].transform(), Matrix4d::Identity());
}

TEST_F(Instancer, LeavesOutWhatIsHidden) {
  const std::string five =
      "int[] protoIndices = [0, 0, 0, 0, 0]\n"
      "point3f[] positions = [(0,0,0), (1,0,0), (2,0,0), (3,0,0), (4,0,0)]\n";
  open(five + "int64[] invisibleIds = [1, 9]", "inactiveIds = [3]");
  EXPECT_THAT(ids(read()), ElementsAre(0, 2, 4));
  open(five + "int64[] ids = [9, 8, 7, 6, 5]\nint64[] invisibleIds = [1, 9]",
       "prepend inactiveIds = [6]\nappend inactiveIds = [5]");
  EXPECT_THAT(ids(read()), ElementsAre(8, 7));
  EXPECT_EQ(codes(), "");
}

TEST_F(Instancer, LeavesOutWhatTheLayersTogetherHide) {
  const char* const weak =
      "def PointInstancer \"P\" (inactiveIds = [1, 2]) {\nrel prototypes = </P/A>\n"
      "int[] protoIndices = [0, 0, 0, 0]\n"
      "point3f[] positions = [(0,0,0), (1,0,0), (2,0,0), (3,0,0)]\ndef Cube \"A\" {}\n}\n";
  stage_ =
      stage::open_layers({{"root.usda",
                           "(subLayers = [@weak.usda@])\nover \"P\" (delete inactiveIds = [1, 3]; "
                           "append inactiveIds = [0]) {}\n"},
                          {"weak.usda", weak}},
                         diagnostics_);
  ASSERT_NE(stage_, nullptr);
  EXPECT_THAT(ids(read()), ElementsAre(1, 3));
}

TEST_F(Instancer, ReportsInstancesWithoutPlaceOrPrototype) {
  open(
      "int[] protoIndices = [0, 2, -1, 3, 1, 1, 0]\n"
      "point3f[] positions = [(0,0,0), (1,0,0), (2,0,0), (3,0,0), (nan,0,0), (5,0,0)]");
  const PointInstances shown = read();
  EXPECT_THAT(ids(shown), ElementsAre(0, 5));
  EXPECT_FALSE(shown.consistent);
  ASSERT_EQ(codes(), "geom-instancer /P;");
  EXPECT_THAT(diagnostics_[0].message, HasSubstr("5 of 7 instances"));
}

TEST_F(Instancer, IgnoresArraysOfAnotherLength) {
  open(
      "int[] protoIndices = [0, 0]\npoint3f[] positions = [(0, 0, 0), (1, 0, 0)]\n"
      "quatf[] orientationsf = [(0, 0, 0, 1)]\nquath[] orientations = [(0, 1, 0, 0)]\n"
      "float3[] scales = [(2, 2, 2), (2, 2, 2), (2, 2, 2)]\nint64[] ids = [7]");
  const PointInstances shown = read();
  EXPECT_THAT(ids(shown), ElementsAre(0, 1));
  EXPECT_EQ(shown.instances[0].transform(), Matrix4d::Identity());
  EXPECT_EQ(codes(),
            "geom-instancer-size /P.scales;geom-instancer-size /P.ids;"
            "geom-instancer-size /P.orientationsf;geom-instancer-size /P.orientations;");
  EXPECT_THAT(diagnostics_[0].message, HasSubstr("3 scales for 2 instances"));
}

TEST_F(Instancer, MovesInTime) {
  open(
      "int[] protoIndices = [0]\npoint3f[] positions.timeSamples = { 0: [(0,0,0)], 10: [(4,0,0)] "
      "}");
  EXPECT_TRUE(point_instances_might_vary(stage_->prim("/P")));
  EXPECT_EQ(read(2.5).instances.at(0).position, Vector3f(1, 0, 0));
  for (const char* name : {"int64[] invisibleIds.timeSamples = { 0: [], 1: [0] }",
                           "int[] protoIndices.timeSamples = { 0: [0], 1: [1] }",
                           "quath[] orientations.timeSamples = { 0: [(1,0,0,0)], 1: [(0,1,0,0)] }",
                           "float3[] scales.timeSamples = { 0: [(1,1,1)], 1: [(2,1,1)] }"}) {
    open(name);
    EXPECT_TRUE(point_instances_might_vary(stage_->prim("/P"))) << name;
  }
  open("int[] protoIndices = [0]\nvector3f[] velocities.timeSamples = { 0: [], 1: [] }");
  EXPECT_FALSE(point_instances_might_vary(stage_->prim("/P"))) << "nobody reads those";
}

// A prototype at each of some places, and the same as copies below Xforms: equal bounds, where both
// are measured in their own space, as that of a component is.
TEST(InstancerBounds, AreThoseOfCopies) {
  const std::string prototypes =
      "def Xform \"A\" (kind = \"component\") { double3 xformOp:translate = (1, 0, 0)\n"
      "float xformOp:rotateZ = 30\n"
      "uniform token[] xformOpOrder = [\"xformOp:translate\", \"xformOp:rotateZ\"]\n"
      "def Cube \"C\" { double size = 3; }\n"
      "def Sphere \"Aid\" { double radius = 50\nuniform token purpose = \"guide\"\n}\n}\n"
      "def Cone \"B\" { double height = 5; }\n";
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    test::Random random(seed);
    std::string indices, positions, orientations, scales, copies;
    const std::size_t count = 1 + random.below(6);
    const auto number = [&] { return static_cast<float>(random.eighths(-4, 4)); };
    for (std::size_t i = 0; i < count; ++i) {
      const bool second = random.below(2) == 1;
      const std::string p = fmt::format("({}, {}, {})", number(), number(), number());
      const Quatf turn = Quatf(5.0F, number(), number(), number()).normalized();
      const std::string q = fmt::format("({}, {}, {}, {})", turn.w(), turn.x(), turn.y(), turn.z());
      // No scale of 0: what is flat is measured in a space of its own.
      const auto scale = [&] {
        const float drawn = number();
        return drawn == 0.0F ? 1.0F : drawn;
      };
      const std::string s = fmt::format("({}, {}, {})", scale(), scale(), scale());
      indices += fmt::format("{}, ", second ? 1 : 0);
      positions += p + ", ";
      orientations += q + ", ";
      scales += s + ", ";
      copies += fmt::format(
          "def Xform \"I{}\" {{ float3 xformOp:translate = {}\nquatf xformOp:orient = {}\n"
          "float3 xformOp:scale = {}\nuniform token[] xformOpOrder = [\"xformOp:translate\", "
          "\"xformOp:orient\", \"xformOp:scale\"]\ndef \"Copy\" (references = </P/{}>) {{}}\n}}\n",
          i, p, q, s, second ? "B" : "A");
    }
    Diagnostics diagnostics;
    const std::string text =
        "def PointInstancer \"P\" {\nrel prototypes = [</P/A>, </P/B>]\nint[] protoIndices = [" +
        indices + "]\npoint3f[] positions = [" + positions + "]\nquatf[] orientationsf = [" +
        orientations + "]\nfloat3[] scales = [" + scales + "]\n" + prototypes + "}\n" +
        "def Xform \"Copies\" {\n" + copies + "}\n";
    const auto stage = stage::open_layers({{"root.usda", text.c_str()}}, diagnostics);
    ASSERT_NE(stage, nullptr);
    BoundsOptions options;
    options.diagnostics = &diagnostics;
    BoundsCache bounds({}, options);
    Range3d expected;
    for (std::size_t i = 0; i < count; ++i) {
      const stage::Prim copy = stage->prim(fmt::format("/Copies/I{}", i));
      const Range3d one = aligned_range(bounds.local_bound(copy));
      if (one.empty()) continue;
      expected.min = expected.min.cwiseMin(one.min);
      expected.max = expected.max.cwiseMax(one.max);
    }
    const Range3d found = aligned_range(bounds.untransformed_bound(stage->prim("/P")));
    EXPECT_LE((found.min - expected.min).cwiseAbs().maxCoeff(), 1e-5) << seed;
    EXPECT_LE((found.max - expected.max).cwiseAbs().maxCoeff(), 1e-5) << seed;
    EXPECT_THAT(diagnostics, IsEmpty()) << seed;
  }
}

class BoundsOfInstancers : public ::testing::Test {
 protected:
  Range3d world(const std::string& text, const char* path, BoundsOptions options = {}) {
    stage_ = stage::open_layers({{"root.usda", text.c_str()}}, diagnostics_);
    options.diagnostics = &diagnostics_;
    BoundsCache cache({}, std::move(options));
    return aligned_range(cache.world_bound(stage_->prim(path)));
  }
  Diagnostics diagnostics_;
  stage::StagePtr stage_;
};

constexpr const char* kNested = R"(
def Xform "World" { double3 xformOp:translate = (100, 0, 0); uniform token[] xformOpOrder = ["xformOp:translate"]
  def PointInstancer "Rows" {
    rel prototypes = [</World/Rows/Row>]
    int[] protoIndices = [0, 0]
    point3f[] positions = [(0, 0, 0), (0, 10, 0)]
    def PointInstancer "Row" {
      rel prototypes = [</Cube>]
      int[] protoIndices = [0, 0, 0]
      point3f[] positions = [(0, 0, 0), (5, 0, 0), (10, 0, 0)]
    }
  }
}
class Cube "Cube" {}
)";

TEST_F(BoundsOfInstancers, HoldInstancersOfInstancers) {
  const Range3d found = world(kNested, "/World");
  EXPECT_EQ(found.min, Vector3d(99, -1, -1));
  EXPECT_EQ(found.max, Vector3d(111, 11, 1));
  EXPECT_THAT(diagnostics_, IsEmpty());
}

TEST_F(BoundsOfInstancers, AreTheExtentWhereThereIsOne) {
  std::string text = kNested;
  text.insert(text.find("int[] protoIndices = [0, 0]\n"), "float3[] extent = [(0,0,0), (1,2,3)]\n");
  const Range3d found = world(text, "/World");
  EXPECT_EQ(found.min, Vector3d(100, 0, 0));
  EXPECT_EQ(found.max, Vector3d(101, 2, 3));
}

TEST_F(BoundsOfInstancers, AreEmptyForAnotherPurpose) {
  EXPECT_TRUE(world(kNested, "/World", {.purposes = {.default_ = false, .render = true}}).empty());
}

// Around in a circle, however they are reached: each is left out where it shows itself.
TEST_F(BoundsOfInstancers, EndWhereOneShowsItself) {
  const std::string text = R"(
def Xform "World" {
  def PointInstancer "A" {
    rel prototypes = [</World>, </World/B>, </Cube>]
    int[] protoIndices = [0, 1, 2]
    point3f[] positions = [(10, 0, 0), (0, 10, 0), (0, 0, 10)]
  }
  def PointInstancer "B" {
    rel prototypes = [</World/A>, </Cube>]
    int[] protoIndices = [0, 1]
    point3f[] positions = [(20, 0, 0), (0, 20, 0)]
  }
}
def Cube "Cube" {}
)";
  const Range3d found = world(text, "/World/A");
  EXPECT_FALSE(found.empty());
  EXPECT_THAT(test::codes_of(diagnostics_), HasSubstr("geom-instancer"));
  // B shows a cube at (0, 20, 0), A shows B at (0, 10, 0).
  EXPECT_EQ(found.max.y(), 31.0);
  EXPECT_EQ(found.max.z(), 11.0);
}

// As in OpenUSD: which purposes are asked for decides on the instancer alone.
TEST_F(BoundsOfInstancers, HoldPrototypesOfEveryPurposeButGuides) {
  const std::string text = R"(
def PointInstancer "P" {
  rel prototypes = [</P/Render>, </P/Proxy>, </P/Guide>, </P/Hidden>, </P/Hinted>]
  int[] protoIndices = [0, 1, 2, 3, 4]
  point3f[] positions = [(0, 0, 0), (10, 0, 0), (90, 0, 0), (0, 20, 0), (0, 0, 30)]
  def Cube "Render" { uniform token purpose = "render"; }
  def Cube "Proxy" { uniform token purpose = "proxy"; }
  def Cube "Guide" { uniform token purpose = "guide"; }
  def Cube "Hidden" { token visibility = "invisible"; }
  def Xform "Hinted" (kind = "component") { float3[] extentsHint = [(0, 0, 0), (99, 99, 99)]
    def Cube "Cube" {}
    def Cube "Hidden" { double size = 50; token visibility = "invisible"; }
  }
}
)";
  const Range3d found = world(text, "/P", {.use_extents_hint = true, .ignore_visibility = true});
  EXPECT_EQ(found.min, Vector3d(-1, -1, -1));
  EXPECT_EQ(found.max, Vector3d(11, 21, 31));
  EXPECT_THAT(diagnostics_, IsEmpty());
  EXPECT_TRUE(world(text, "/P", {.purposes = {.default_ = false, .render = true}}).empty());
}

TEST_F(BoundsOfInstancers, AreEmptyWhereTheArraysDoNotFit) {
  const auto bound = [&](const std::string& arrays) {
    diagnostics_.clear();
    return world("def PointInstancer \"P\" {\nrel prototypes = </P/Cube>\n" + arrays +
                     "\ndef Cube \"Cube\" {}\n}\n",
                 "/P");
  };
  const std::string two = "point3f[] positions = [(0, 0, 0), (5, 0, 0)]\n";
  EXPECT_EQ(bound("int[] protoIndices = [0, 0]\n" + two).max.x(), 6.0);
  EXPECT_EQ(bound("int[] protoIndices = [0, 0]\nint64[] ids = [7]\n" + two).max.x(), 6.0);
  for (const char* wrong :
       {"int[] protoIndices = [0, 1]\n", "int[] protoIndices = [-1, 0]\n",
        "int[] protoIndices = [0]\n", "int[] protoIndices = [0, 0, 0]\n",
        "int[] protoIndices = [0, 0]\nint64[] ids = [7]\nint64[] invisibleIds = [7]\n"}) {
    EXPECT_TRUE(bound(wrong + two).empty()) << wrong;
    EXPECT_THAT(test::codes_of(diagnostics_), HasSubstr("geom-no-extent /P;")) << wrong;
  }
}

TEST_F(BoundsOfInstancers, TakeOrientationsAsTheyAre) {
  // 1 - 2 * 1.5 * 1.5 along x and y.
  const Range3d found = world(R"(
def PointInstancer "P" {
  rel prototypes = </P/Cube>
  int[] protoIndices = [0]
  point3f[] positions = [(0, 0, 0)]
  quath[] orientations = [(0, 0, 0, 1.5)]
  def Cube "Cube" {}
}
)",
                              "/P");
  EXPECT_EQ(found.min, Vector3d(-3.5, -3.5, -1));
  EXPECT_EQ(found.max, Vector3d(3.5, 3.5, 1));
}

TEST_F(BoundsOfInstancers, AreTheSameInEveryInstance) {
  std::string text = kNested;
  text += R"(
class Xform "Proto" {
  def PointInstancer "P" {
    rel prototypes = [</Proto/P/Cube>]
    int[] protoIndices = [0, 0]
    point3f[] positions = [(0, 0, 0), (0, 10, 0)]
    def Cube "Cube" {}
  }
}
def "I" (instanceable = true; inherits = </Proto>) {}
def "J" (instanceable = true; inherits = </Proto>) {}
)";
  for (const char* path : {"/I", "/J"}) {
    const Range3d found = world(text, path);
    EXPECT_EQ(found.min, Vector3d(-1, -1, -1)) << path;
    EXPECT_EQ(found.max, Vector3d(1, 11, 1)) << path;
  }
}

}  // namespace
}  // namespace sinew::geom::point_instancer_test
