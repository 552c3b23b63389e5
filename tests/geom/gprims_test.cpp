// SPDX-License-Identifier: Apache-2.0
#include "sinew/geom/gprims.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "stage/support.hpp"
#include "support/codes.hpp"

namespace sinew::geom::gprims_test {
namespace {

using ::testing::IsEmpty;

class ReadShape : public ::testing::Test {
 protected:
  template <typename T>
  T read(const char* type, const std::string& body = {}, stage::Time time = {}) {
    diagnostics_.clear();
    const std::string text = std::string("def ") + type + " \"A\" {\n" + body + "\n}\n";
    stage::OpenOptions options;
    options.rules = rules_;
    stage_ = stage::open_layers({{"root.usda", text.c_str()}}, diagnostics_, options);
    const auto shape = read_shape(stage_->prim("/A"), time, &diagnostics_);
    EXPECT_TRUE(shape && std::holds_alternative<T>(*shape)) << type;
    return shape && std::holds_alternative<T>(*shape) ? std::get<T>(*shape) : T();
  }
  std::string codes() const { return test::codes_of(diagnostics_); }
  stage::StagePtr stage_;
  Rules rules_ = Rules::documented;
  Diagnostics diagnostics_;
};

TEST_F(ReadShape, HasTheFallbacksOfTheSchema) {  // stage 7.6
  EXPECT_EQ(read<Sphere>("Sphere").radius, 1.0);
  EXPECT_EQ(read<Cube>("Cube").size, 2.0);
  for (const char* type : {"Cylinder", "Cylinder_1"}) {
    const auto cylinder = read<Cylinder>(type);
    EXPECT_EQ(cylinder.height, 2.0);
    EXPECT_EQ(cylinder.radius_top, 1.0);
    EXPECT_EQ(cylinder.radius_bottom, 1.0);
    EXPECT_EQ(cylinder.axis, Axis::z);
  }
  for (const char* type : {"Capsule", "Capsule_1"}) {
    const auto capsule = read<Capsule>(type);
    EXPECT_EQ(capsule.height, 1.0);
    EXPECT_EQ(capsule.radius_top, 0.5);
    EXPECT_EQ(capsule.radius_bottom, 0.5);
    EXPECT_EQ(capsule.axis, Axis::z);
  }
  const auto cone = read<Cone>("Cone");
  EXPECT_EQ(cone.height, 2.0);
  EXPECT_EQ(cone.radius, 1.0);
  EXPECT_EQ(cone.axis, Axis::z);
  const auto plane = read<Plane>("Plane");
  EXPECT_EQ(plane.width, 2.0);
  EXPECT_EQ(plane.length, 2.0);
  EXPECT_EQ(plane.axis, Axis::z);
  EXPECT_TRUE(plane.double_sided);
  EXPECT_THAT(diagnostics_, IsEmpty());
}

TEST_F(ReadShape, ReadsWhatIsAuthored) {
  EXPECT_EQ(read<Sphere>("Sphere", "float radius = 3").radius, 3.0);
  EXPECT_EQ(read<Cube>("Cube", "double size.timeSamples = { 0: 1, 10: 3 }", 5.0).size, 2.0);
  EXPECT_EQ(read<Cube>("Cube", "double size.timeSamples = { 0: 4, 10: 6 }", 5.0).size, 5.0);
  const auto cylinder = read<Cylinder>(
      "Cylinder", "double radius = 3\ndouble height = 4\nuniform token axis = \"X\"");
  EXPECT_EQ(cylinder.radius_top, 3.0);
  EXPECT_EQ(cylinder.radius_bottom, 3.0);
  EXPECT_EQ(cylinder.height, 4.0);
  EXPECT_EQ(cylinder.axis, Axis::x);
  const auto capsule = read<Capsule>(
      "Capsule_1", "double radiusTop = 3\ndouble radiusBottom = 4\nuniform token axis = \"Y\"");
  EXPECT_EQ(capsule.radius_top, 3.0);
  EXPECT_EQ(capsule.radius_bottom, 4.0);
  EXPECT_EQ(capsule.axis, Axis::y);
  EXPECT_FALSE(read<Plane>("Plane", "uniform bool doubleSided = 0").double_sided);
}

TEST_F(ReadShape, ReportsWhatItCannotUse) {
  EXPECT_EQ(read<Sphere>("Sphere", "double radius = nan").radius, 1.0);
  EXPECT_EQ(codes(), "geom-shape-value /A.radius;");
  EXPECT_EQ(read<Cube>("Cube", "string size = \"big\"").size, 2.0);
  EXPECT_EQ(codes(), "geom-shape-value /A.size;");
  EXPECT_EQ(read<Cone>("Cone", "uniform token axis = \"W\"").axis, Axis::z);
  EXPECT_EQ(codes(), "geom-shape-value /A.axis;");
  EXPECT_TRUE(read<Plane>("Plane", "string doubleSided = \"no\"").double_sided);
  EXPECT_EQ(codes(), "geom-shape-value /A.doubleSided;");
}

TEST_F(ReadShape, ConvertsOtherPrecisionsAndSaysSo) {
  EXPECT_EQ(read<Sphere>("Sphere", "float radius = 3").radius, 3.0);
  EXPECT_EQ(codes(), "geom-shape-value /A.radius;");
  EXPECT_FALSE(read<Plane>("Plane", "int doubleSided = 0").double_sided);
  EXPECT_EQ(codes(), "geom-shape-value /A.doubleSided;");
  EXPECT_EQ(read<Cone>("Cone", "string axis = \"X\"").axis, Axis::x);
  EXPECT_EQ(codes(), "geom-shape-value /A.axis;");
}

TEST_F(ReadShape, PassesOtherPrecisionsOverUnderOpenusd) {
  rules_ = Rules::openusd;
  EXPECT_EQ(read<Sphere>("Sphere", "float radius = 3").radius, 1.0);
  EXPECT_EQ(codes(), "geom-shape-value /A.radius;");
  EXPECT_EQ(read<Cone>("Cone", "string axis = \"X\"").axis, Axis::z);
  EXPECT_EQ(codes(), "geom-shape-value /A.axis;");
}

TEST_F(ReadShape, SaysWhereTheValueStands) {
  read<Sphere>("Sphere", "double radius = nan");
  ASSERT_EQ(diagnostics_.size(), 1U);
  EXPECT_EQ(diagnostics_[0].file, "root.usda");
  EXPECT_EQ(diagnostics_[0].line, 3U);
}

TEST_F(ReadShape, GivesNothingForOtherTypes) {
  Diagnostics diagnostics;
  const auto stage =
      stage::open_layers({{"root.usda", "def Mesh \"M\" {}\ndef \"U\" {}\n"}}, diagnostics);
  EXPECT_FALSE(read_shape(stage->prim("/M")));
  EXPECT_FALSE(read_shape(stage->prim("/U")));
}

}  // namespace
}  // namespace sinew::geom::gprims_test
