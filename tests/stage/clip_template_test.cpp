// SPDX-License-Identifier: Apache-2.0
#include "stage/clip_template.hpp"

#include <gtest/gtest.h>

#include <string>

namespace sinew::stage::clip_template_test {
namespace {

std::string file_at(const char* path, double time) {
  const std::optional<ClipTemplate> found = read_clip_template(path);
  return found ? found->before + found->number(time) + found->after : "no template";
}

TEST(ClipTemplate, PutsTheTimeInThePlaceOfItsMarks) {
  EXPECT_EQ(file_at("walk.###.usda", 7), "walk.007.usda");
  EXPECT_EQ(file_at("walk.###.usda", 1234), "walk.1234.usda");
  EXPECT_EQ(file_at("walk.#.usda", 0), "walk.0.usda");
  EXPECT_EQ(file_at("walk.##.usda", 9.75), "walk.09.usda");
  EXPECT_EQ(file_at("walk.##.usda", -0.25), "walk.00.usda");
  EXPECT_EQ(file_at("walk.####.usda", -12.9), "walk.-012.usda");
  EXPECT_EQ(file_at("walk.##.##.usda", 1.5), "walk.01.50.usda");
  EXPECT_EQ(file_at("walk.###.#.usda", -2.25), "walk.-02.2.usda");
  EXPECT_EQ(file_at("walk.##.##.usda", 1.999), "walk.01.00.usda") << "Only decimals are rounded.";
  EXPECT_EQ(file_at("walk.###.##.usda", -0.5), "walk.000.50.usda");
  EXPECT_EQ(file_at("walk.###.##.usda", -1.5), "walk.-01.50.usda");
  EXPECT_EQ(file_at("a.#.b/walk.##.usda", 3), "a.#.b/walk.03.usda");
  EXPECT_EQ(file_at("##.usda", 3), "03.usda");
  EXPECT_EQ(file_at("walk.##", 3), "walk.03");
  EXPECT_EQ(file_at("a..b/.walk..##...#.usda.", 3), "a..b/walk.03.0.usda");
}

TEST(ClipTemplate, HasOneGroupOfMarksOrTwoBesideEachOther) {
  for (const char* path : {"", "walk.usda", "walk#.usda", "walk.#a.usda", "walk.#.x.#.usda",
                           "walk.#.#.#.usda", "a.#.usda/walk.usda", "a.#/"}) {
    EXPECT_FALSE(read_clip_template(path)) << path;
  }
  const auto marks = [](std::size_t count) { return std::string(count, '#'); };
  EXPECT_TRUE(read_clip_template("w." + marks(15) + ".usda"));
  EXPECT_FALSE(read_clip_template("w." + marks(16) + ".usda"));
  EXPECT_FALSE(read_clip_template("w.#." + marks(16) + ".usda"));
}

TEST(ClipTimes, CountTheirSteps) {
  EXPECT_EQ((ClipTimes{1, 5, 1}.steps()), 4.0);
  EXPECT_EQ((ClipTimes{1, 5, 1.5}.steps()), 2.0);
  EXPECT_EQ((ClipTimes{1, 1, 1}.steps()), 0.0);
  EXPECT_EQ((ClipTimes{0, 0.3, 0.1}.steps()), 3.0) << "Counted in whole ticks.";
  EXPECT_EQ((ClipTimes{1, 5, 1.5}.at(2)), 4.0);
  EXPECT_EQ((ClipTimes{0, 1, 0.1}.at(3)), 0.3);
  EXPECT_EQ((ClipTimes{0, 1, 0.1}.at(1, 0.2)), 0.3) << "The sum of 0.1 and 0.2 is not.";
}

}  // namespace
}  // namespace sinew::stage::clip_template_test
