// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "stage/shared/local_value.hpp"
#include "stage/support.hpp"

namespace sinew::stage::typed_read_test {
namespace {

using layer::ElementType;
using ::testing::ElementsAre;

StagePtr open_two(const std::string& strong, const std::string& weak) {
  Diagnostics diagnostics;
  const std::string root = "(subLayers = [@weak.usda@])\n" + strong;
  return open_layers({{"root.usda", root.c_str()}, {"weak.usda", weak.c_str()}}, diagnostics);
}

TEST(TypedRead, AnOpinionOfAnotherTypeDoesNotHideAWeakerOne) {
  const StagePtr stage = open_two("over \"A\" { int x = 3; }\n", "def \"A\" { float x = 6; }\n");
  const Attribute x = stage->prim("/A").attribute("x");
  EXPECT_EQ(x.get<float>(), 6.0F);
  EXPECT_EQ(x.get<float>(2.0), 6.0F);
  EXPECT_EQ(x.get<std::int32_t>(), 3);
  EXPECT_EQ(x.get<double>(), std::nullopt);
  EXPECT_EQ(x.value().type(), ElementType::int_);
  layer::Value made;
  const ValueTypes wanted =
      ValueTypes::scalar(ElementType::float_) | ValueTypes::scalar(ElementType::double_);
  const layer::Value* found = default_value(stage->prim("/A"), x.name(), made, wanted);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->get<float>(), 6.0F);
}

TEST(TypedRead, AScalarDoesNotHideAnArrayNorTheOtherWayRound) {
  const StagePtr stage = open_two("over \"A\" { int x = 3; int[] y = [1, 2]; }\n",
                                  "def \"A\" { int[] x = [4, 5]; int y = 6; }\n");
  EXPECT_THAT(stage->prim("/A").attribute("x").get_array<std::int32_t>()->span(),
              ElementsAre(4, 5));
  EXPECT_EQ(stage->prim("/A").attribute("y").get<std::int32_t>(), 6);
}

TEST(TypedRead, ABlockHidesWeakerOpinionsOfEveryType) {
  const StagePtr stage = open_two("over \"A\" { int x = None; }\n", "def \"A\" { float x = 6; }\n");
  EXPECT_EQ(stage->prim("/A").attribute("x").get<float>(), std::nullopt);
}

TEST(TypedRead, SamplesOfAnotherTypeHideWeakerOpinions) {
  const StagePtr stage = open_two("over \"A\" { int x.timeSamples = { 0: 3 }; }\n",
                                  "def \"A\" { float x.timeSamples = { 0: 6 }; }\n");
  const Attribute x = stage->prim("/A").attribute("x");
  EXPECT_EQ(x.get<float>(0.0), std::nullopt);
  EXPECT_EQ(x.get<std::int32_t>(0.0), 3);
}

TEST(TypedRead, SamplesOfAnotherTypeGiveNothing) {
  const StagePtr stage =
      open_two("over \"A\" { int x.timeSamples = { 0: 3 }; int[] y.timeSamples = { 0: [4] }; }\n",
               "def \"A\" { float[] x = [6]; float y = 7; }\n");
  const Attribute x = stage->prim("/A").attribute("x");
  const Attribute y = stage->prim("/A").attribute("y");
  EXPECT_EQ(x.value(0.0, ValueTypes::scalar_of<std::int32_t>()).type(), ElementType::int_);
  EXPECT_FALSE(x.value(0.0, ValueTypes::scalar_of<float>()).has_value());
  EXPECT_FALSE(x.get_array<std::int32_t>(0.0));
  EXPECT_FALSE(x.get_array<float>(0.0));
  EXPECT_THAT(y.get_array<std::int32_t>(0.0)->span(), ElementsAre(4));
  EXPECT_FALSE(y.value(0.0, ValueTypes::scalar_of<std::int32_t>()).has_value());
  EXPECT_FALSE(y.get_array<float>(0.0));
  // Defaults are another matter: what does not fit is passed over.
  EXPECT_THAT(x.get_array<float>()->span(), ElementsAre(6.0F));
  EXPECT_EQ(y.get<float>(), 7.0F);
}

TEST(TypedRead, AnArrayEditOfAnotherTypeIsPassedOver) {
  const StagePtr stage =
      open_two("over \"A\" { float[] x = edit [append 9]; }\n", "def \"A\" { int[] x = [1]; }\n");
  const Attribute x = stage->prim("/A").attribute("x");
  EXPECT_THAT(x.get_array<std::int32_t>()->span(), ElementsAre(1));
  EXPECT_THAT(x.get_array<float>()->span(), ElementsAre(9.0F));
}

TEST(TypedRead, ATextIsTheStrongestOpinionThatIsOne) {
  const StagePtr stage =
      open_two("over \"A\" { int x = 3; }\n", "def \"A\" { token x = \"here\"; }\n");
  EXPECT_EQ(stage->prim("/A").attribute("x").get_text(), "here");
}

// A stack of defaults of four types: a read of each gives the strongest one of its type above the
// first block.
TEST(TypedRead, FindsTheStrongestOpinionOfItsTypeInAnyStack) {
  constexpr std::array<const char*, 5> kTypes = {"int", "float", "double", "token", "int"};
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    MemoryResolver resolver;
    std::string sublayers;
    std::array<std::optional<std::size_t>, 4> expected;
    bool blocked = false;
    const std::size_t count = 1 + random() % 7;
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t kind = random() % 12 == 0 ? 4 : random() % 4;
      std::string value = kind == 4 ? "None" : std::to_string(i);
      if (kind == 3) value = '"' + value + '"';
      const std::string name = "l" + std::to_string(i) + ".usda";
      resolver.add(
          name, std::string("#usda 1.0\nover \"A\" { ") + kTypes[kind] + " x = " + value + "; }\n");
      sublayers += (i == 0 ? "@" : ", @") + name + "@";
      if (kind == 4) blocked = true;
      if (!blocked && !expected[kind]) expected[kind] = i;
    }
    resolver.add("root.usda", "#usda 1.0\n(subLayers = [" + sublayers + "])\n");
    OpenOptions options;
    options.resolver = &resolver;
    Diagnostics diagnostics;
    const Result<StagePtr> stage = Stage::open("root.usda", diagnostics, options);
    ASSERT_TRUE(stage);
    const Attribute x = (*stage)->prim("/A").attribute("x");
    for (const Time time : {Time(), Time(3)}) {
      const auto as_index = [](const auto& v) -> std::optional<std::size_t> {
        if (!v) return std::nullopt;
        return static_cast<std::size_t>(*v);
      };
      EXPECT_EQ(as_index(x.get<std::int32_t>(time)), expected[0]);
      EXPECT_EQ(as_index(x.get<float>(time)), expected[1]);
      EXPECT_EQ(as_index(x.get<double>(time)), expected[2]);
      std::optional<std::size_t> text;
      if (const auto found = x.get_text(time)) text = std::stoul(*found);
      EXPECT_EQ(text, expected[3]);
    }
  }
}

}  // namespace
}  // namespace sinew::stage::typed_read_test
