// SPDX-License-Identifier: Apache-2.0
#include "geom/shared/gather.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

namespace sinew::geom::gather_test {
namespace {

using ::testing::ElementsAre;

constexpr std::array<float, 4> kNumbers = {1, 2, 3, 4};
const layer::Value kValues = layer::Value::array<float>(layer::ElementType::float_, kNumbers);

TEST(Gather, ChoosesElements) {
  constexpr std::array<std::int32_t, 3> kIndices = {3, 0, 3};
  EXPECT_THAT(gather(kValues, kIndices).as_array<float>(), ElementsAre(4, 1, 4));
}

TEST(Gather, ChoosesElementsOfSeveralValues) {
  constexpr std::array<std::int32_t, 2> kIndices = {1, 0};
  EXPECT_THAT(gather(kValues, kIndices, 2).as_array<float>(), ElementsAre(3, 4, 1, 2));
}

TEST(Gather, GivesZerosOutOfRange) {
  constexpr std::array<std::int32_t, 4> kIndices = {-1, 1, 4, 0};
  EXPECT_THAT(gather(kValues, kIndices).as_array<float>(), ElementsAre(0, 2, 0, 1));
  EXPECT_THAT(out_of_range(kIndices, 4), ElementsAre(0, 2));
}

}  // namespace
}  // namespace sinew::geom::gather_test
