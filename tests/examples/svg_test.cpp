// SPDX-License-Identifier: Apache-2.0
#include "sinew/svg.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace sinew::tool::svg_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::size_t count_of(const std::string& text, std::string_view word) {
  std::size_t n = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++n;
  return n;
}

TEST(SvgView, IsAnOrthonormalFrameWithTheUpAxisUpwards) {
  for (const char* axis : {"X", "Y", "Z"}) {
    const SvgView view = SvgView::three_quarter(axis);
    EXPECT_NEAR(view.right.norm(), 1.0F, 1e-6F);
    EXPECT_NEAR(view.up.norm(), 1.0F, 1e-6F);
    EXPECT_NEAR(view.right.dot(view.up), 0.0F, 1e-6F);
    EXPECT_GT(view.up[axis[0] - 'X'], 0.9F) << axis;
  }
}

TEST(SvgPicture, HasATitleWithoutControlCharacters) {
  EXPECT_THAT(SvgPicture().write(100, "a\x1B<b"), HasSubstr("<title>a\\x1B&lt;b</title>"));
}

TEST(SvgPicture, ScalesTheLongerSideToTheSizeAskedFor) {
  SvgPicture picture;
  picture.add_line(Vector3f(0, 0, 0), Vector3f(2, 1, 0), {});

  EXPECT_THAT(picture.write(232), HasSubstr("width=\"232\" height=\"132\""));
}

TEST(SvgPicture, DrawsEachEdgeOfAMeshOnce) {
  const std::vector<Vector3f> points{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  const std::vector<std::int32_t> counts{3, 3};
  const std::vector<std::int32_t> indices{0, 1, 2, 0, 2, 3};
  SvgPicture picture;
  picture.add_wireframe(points, counts, indices, {});

  EXPECT_EQ(count_of(picture.write(), "M"), 5u);
}

TEST(SvgPicture, LeavesOutBadIndicesAndNonFinitePoints) {
  const float inf = std::numeric_limits<float>::infinity();
  const std::vector<Vector3f> points{{0, 0, 0}, {1, 0, 0}, {inf, 1, 0}};
  const std::vector<std::int32_t> counts{3, 99};
  const std::vector<std::int32_t> indices{0, 1, 7};
  SvgPicture picture;
  picture.add_wireframe(points, counts, indices, {});
  picture.add_dot(points[2], 2, {});

  EXPECT_EQ(count_of(picture.write(), "M"), 1u);
  EXPECT_THAT(picture.write(), Not(HasSubstr("inf")));
}

TEST(SvgPicture, EscapesText) {
  SvgPicture picture;
  picture.add_label(Vector3f::Zero(), "a<b & \"c\"", {});

  EXPECT_THAT(picture.write(), HasSubstr("a&lt;b &amp; &quot;c&quot;"));
}

TEST(SvgPicture, WithoutContentIsStillAPicture) {
  EXPECT_THAT(SvgPicture().write(), HasSubstr("</svg>"));
}

}  // namespace
}  // namespace sinew::tool::svg_test
