// SPDX-License-Identifier: Apache-2.0
#include "stage/shared/typed_value.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "stage/support.hpp"

namespace sinew::stage::typed_value_test {
namespace {

using ::testing::ElementsAre;

constexpr const char* kRoot = R"(
def "Weak" {
    float number = 1
    float[] numbers = [1, 2]
    token word = "weak"
}
def "P" (
    references = </Weak>
) {
    string number = "two"
    int[] numbers = [2]
    int word = 2
    double wide = 0.5
    half narrow = 0.5
    int whole = 3
    uint64 huge = 3
    int64 long = 6
    uint count = 7
    half3 soft = (1, 2, 3)
    quath turn_half = (0, 0, 1, 0)
    int truth = 2
    float exact = 4
    double3 vector = (1, 2, 3)
    int3 cells = (1, 2, 3)
    float4 turn = (1, 0, 0, 0)
    quatd turn_double = (0, 1, 0, 0)
    float blocked = None
    double[] wides = [0.5, 1.5]
    float[] exacts = [4]
    half3[] vectors = [(1, 2, 3)]
    int64[] indices = [1, 5000000000]
    quath[] turns = [(1, 0, 0, 0)]
    float4[] fours = [(1, 0, 0, 0)]
    timecode[] times = [1]
    string text = "plain"
    string[] texts = ["a", "b"]
    token[] tokens = ["a"]
}
)";

class TypedValueTest : public testing::TestWithParam<Rules> {
 protected:
  TypedValueTest() {
    OpenOptions options;
    options.rules = GetParam();
    stage_ = open_layers({{"root.usda", kRoot}}, found_, options);
  }
  bool documented() const { return GetParam() == Rules::documented; }
  Attribute attribute(const char* name) const { return stage_->prim("/P").attribute(name); }

  template <typename T>
  std::optional<T> scalar(const char* name) {
    return reader().scalar<T>(attribute(name), {});
  }
  template <typename T>
  std::optional<ArrayValue<T>> array(const char* name) {
    return reader().array<T>(attribute(name), {});
  }
  TypedReader reader() { return {reporter_.emplace(*stage_, found_), "test-type"}; }
  // What was told since the last time.
  std::string told() {
    std::string text;
    for (const Diagnostic& diagnostic : found_) text += diagnostic.message + "\n";
    found_.clear();
    return text;
  }

  Diagnostics found_;
  StagePtr stage_;
  std::optional<Reporter> reporter_;
};

TEST_P(TypedValueTest, OfTheSchemasTypeIsSharedWithoutAWord) {
  EXPECT_EQ(scalar<float>("exact"), 4.0F);
  const auto exact = array<float>("exacts");
  ASSERT_TRUE(exact);
  EXPECT_EQ(exact->span().data(), attribute("exacts").value().as_array<float>().data());
  EXPECT_EQ(reader().tokens(attribute("tokens")), (std::vector<std::string>{"a"}));
  EXPECT_EQ(told(), "");
}

TEST_P(TypedValueTest, OfAnotherPrecisionIsConvertedByTheRules) {
  const auto expect = [&](auto value, auto wanted, const char* what) {
    EXPECT_EQ(value, documented() ? std::optional(wanted) : std::nullopt) << what;
    EXPECT_NE(told(), "") << what;
  };
  expect(scalar<float>("wide"), 0.5F, "wide");
  expect(scalar<double>("narrow"), 0.5, "narrow");
  expect(scalar<double>("exact"), 4.0, "exact");
  expect(scalar<float>("whole"), 3.0F, "whole");
  expect(scalar<double>("long"), 6.0, "long");
  expect(scalar<float>("count"), 7.0F, "count");
  expect(scalar<Vector3f>("soft"), Vector3f(1, 2, 3), "soft");
  expect(scalar<bool>("truth"), true, "truth");
  expect(scalar<Vector3f>("vector"), Vector3f(1, 2, 3), "vector");
  expect(scalar<Vector3f>("cells"), Vector3f(1, 2, 3), "cells");
  expect(reader().token(attribute("text")), std::string("plain"), "text");
  expect(reader().tokens(attribute("texts")), std::vector<std::string>{"a", "b"}, "texts");
}

TEST_P(TypedValueTest, OfFourNumbersIsAQuaternionWithItsRealPartFirst) {
  const std::pair<const char*, Vector4f> cases[] = {// x, y, z, w.
                                                    {"turn", {0, 0, 0, 1}},
                                                    {"turn_double", {1, 0, 0, 0}},
                                                    {"turn_half", {0, 1, 0, 0}}};
  for (const auto& [name, expected] : cases) {
    const std::optional<Quatf> turn = scalar<Quatf>(name);
    ASSERT_EQ(turn.has_value(), documented()) << name;
    if (turn) {
      EXPECT_EQ(turn->coeffs(), expected) << name;
    }
  }
}

TEST_P(TypedValueTest, OfArraysIsConvertedByTheRules) {
  const auto wides = array<float>("wides");
  ASSERT_EQ(wides.has_value(), documented());
  if (wides) {
    EXPECT_THAT(wides->span(), ElementsAre(0.5F, 1.5F));
  }
  const auto vectors = array<Vector3f>("vectors");
  ASSERT_EQ(vectors.has_value(), documented());
  if (vectors) {
    EXPECT_EQ((*vectors)[0], Vector3f(1, 2, 3));
  }
  const auto turns = array<Quatf>("turns");
  ASSERT_EQ(turns.has_value(), documented());
  if (turns) {
    EXPECT_EQ((*turns)[0].w(), 1.0F);
  }
  const auto indices = array<std::int32_t>("indices");
  ASSERT_EQ(indices.has_value(), documented());
  if (indices) {
    EXPECT_THAT(indices->span(), ElementsAre(1, -1));
  }
}

TEST_P(TypedValueTest, OfAnotherKindIsPassedOver) {
  EXPECT_FALSE(scalar<float>("huge"));
  EXPECT_FALSE(scalar<Vector3f>("turn"));
  EXPECT_FALSE(scalar<float>("text"));
  EXPECT_FALSE(scalar<float>("wides"));
  EXPECT_FALSE(array<float>("wide"));
  EXPECT_FALSE(array<float>("indices"));
  EXPECT_FALSE(array<std::int32_t>("wides"));
  EXPECT_FALSE(array<Quatf>("fours"));
  EXPECT_FALSE(array<float>("times"));
  EXPECT_FALSE(reader().token(attribute("whole")));
  EXPECT_EQ(found_.size(), 10U);
}

TEST_P(TypedValueTest, OfAnotherKindLetsAWeakerOpinionCount) {
  EXPECT_EQ(scalar<float>("number"), 1.0F);
  EXPECT_EQ(told(),
            "The value of number is of type string instead of float; it is ignored, a "
            "weaker opinion holds instead.\n");
  const auto numbers = array<float>("numbers");
  ASSERT_TRUE(numbers);
  EXPECT_EQ(numbers->size(), 2U);
  EXPECT_EQ(reader().token(attribute("word")), "weak");
  const layer::Value word =
      reader().value(attribute("word"), {}, ValueTypes::scalar_of<Token>(), "token");
  EXPECT_EQ(word.text(), "weak");
}

TEST_P(TypedValueTest, IsMissingWithoutAWord) {
  EXPECT_FALSE(scalar<float>("blocked"));
  EXPECT_FALSE(scalar<float>("nowhere"));
  EXPECT_FALSE(array<float>("nowhere"));
  EXPECT_FALSE(reader().tokens(attribute("nowhere")));
  EXPECT_FALSE(reader().value(attribute("blocked"), {}, ValueTypes::any(), "float").has_value());
  EXPECT_EQ(told(), "");
}

TEST_P(TypedValueTest, OfArraysOfOtherSizesIsPassedOver) {
  EXPECT_FALSE(array<float>("vectors"));
  EXPECT_FALSE(array<Vector3f>("fours"));
  EXPECT_FALSE(array<Vector3f>("wides"));
  EXPECT_FALSE(array<float>("turns"));
  EXPECT_EQ(found_.size(), 4U);
}

// The first opinion is of no use, the next one has to be converted; both are told, each by the type
// that it has.
TEST_P(TypedValueTest, IsToldByTheTypeThatItHas) {
  OpenOptions options;
  options.rules = GetParam();
  stage_ = open_layers({{"root.usda", R"(
def "Weak" {
    double number = 2
}
def "P" (
    references = </Weak>
) {
    string number = "two"
    color3d tint = (1, 0, 0)
    uint[] counts = [7, 4000000000]
    uint64[] sizes = [8, 4000000000]
    int64[] small = [-2147483648, -2147483649, 2147483647, 2147483648]
}
)"}},
                       found_, options);
  EXPECT_EQ(scalar<float>("number"), documented() ? std::optional(2.0F) : std::nullopt);
  EXPECT_EQ(told(),
            documented()
                ? "The value of number is of type string instead of float; it is ignored, a weaker "
                  "opinion holds instead.\n"
                  "The value of number is of type double instead of float; it is converted.\n"
                : "The value of number is of type string instead of float; it is ignored.\n");
  scalar<Vector3f>("tint");
  EXPECT_EQ(told(), std::string("The value of tint is of type color3d instead of float3; it is ") +
                        (documented() ? "converted.\n" : "ignored.\n"));
  const auto numbers = [&](const char* name) {
    const auto found = array<std::int32_t>(name);
    return found ? std::vector<std::int32_t>(found->begin(), found->end())
                 : std::vector<std::int32_t>{-99};
  };
  if (documented()) {  // Numbers that have no place are -1.
    EXPECT_THAT(numbers("counts"), ElementsAre(7, -1));
    EXPECT_THAT(numbers("sizes"), ElementsAre(8, -1));
    EXPECT_THAT(numbers("small"), ElementsAre(-2147483647 - 1, -1, 2147483647, -1));
  } else {
    EXPECT_THAT(numbers("counts"), ElementsAre(-99));
  }
}

INSTANTIATE_TEST_SUITE_P(Rules, TypedValueTest, testing::Values(Rules::documented, Rules::openusd),
                         [](const auto& rules) {
                           return rules.param == Rules::documented ? "Documented" : "Openusd";
                         });

}  // namespace
}  // namespace sinew::stage::typed_value_test
