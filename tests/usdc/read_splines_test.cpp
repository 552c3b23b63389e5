// SPDX-License-Identifier: Apache-2.0
// Splines of binary files: a block of bytes of its own version, and custom data of knots.
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "sinew/core/types.hpp"
#include "sinew/usda/parser.hpp"
#include "sinew/usda/writer.hpp"
#include "usdc/read_crate.hpp"

namespace sinew::usdc::read_splines_test {
namespace {

using namespace layer;
using namespace test;
using testing::IsEmpty;

// Types of values as blocks have them, and bits of their heads.
constexpr unsigned kDoubles = 1;
constexpr unsigned kFloats = 2;
constexpr unsigned kHalves = 3;
constexpr unsigned kTimecodes = 4;
constexpr unsigned kHermite = 0x80;
constexpr unsigned kLoops = 0x40;
constexpr unsigned kHeld = 1;

std::string head(unsigned version, unsigned type, unsigned modes, unsigned boundaries = 0) {
  std::string bytes;
  bytes += static_cast<char>(version | type << 4);
  bytes += static_cast<char>(modes);
  if (version >= 3) bytes += static_cast<char>(boundaries);
  return bytes;
}

// A knot with a curve behind it, and tangents of widths 1 and 2 and slopes 3 and 4.
template <typename T>
std::string knot(unsigned version, double time, double value) {
  std::string bytes(1, '\x06');
  append(bytes, time);
  append(bytes, static_cast<T>(value));
  append(bytes, 1.0);
  append(bytes, 2.0);
  append(bytes, static_cast<T>(3.0));
  append(bytes, static_cast<T>(4.0));
  if (version >= 2) bytes += '\x21';  // Custom before it, auto ease behind.
  return bytes;
}

template <typename T>
std::string two_knots(unsigned version) {
  std::string bytes;
  append(bytes, std::uint32_t{2});
  return bytes + knot<T>(version, 1, 10) + knot<T>(version, 2, 20);
}

std::string loop(double start, double end, std::int32_t pre, std::int32_t post) {
  std::string bytes;
  append(bytes, start);
  append(bytes, end);
  append(bytes, pre);
  append(bytes, post);
  append(bytes, 1.5);
  return bytes;
}

class ReadSplines : public ReadCrate {
 protected:
  /// The spline of `/A.x`, or null.
  const Spline* spline_of(const std::string& blob, const std::string& data = {},
                          std::uint64_t data_count = 0) {
    std::string bytes;
    append(bytes, std::uint64_t{blob.size()});
    bytes += blob;
    append(bytes, data_count);
    bytes += data;
    CrateBuilder crate(15);
    const std::uint64_t value = rep(59, crate.put(bytes));
    const std::uint32_t prim = crate.path(0, "A");
    const std::uint32_t x = crate.path(prim, "x", true);
    crate.string("note");
    crate.spec(0, 7, {{"primChildren", crate.token_vector({"A"})}});
    crate.spec(prim, 6, {{"properties", crate.token_vector({"x"})}});
    crate.spec(x, 1, {{"typeName", crate.token_value("double")}, {"spline", value}});
    layer_ = read_layer(crate.build());
    return layer_ == nullptr ? nullptr : layer_->root().children[0]->properties[0].spline();
  }
};

TEST_F(ReadSplines, OfEveryVersionAndType) {
  const auto expect = [&](const std::string& blob, unsigned version) {
    SCOPED_TRACE(version);
    const Spline* const spline = spline_of(blob);
    ASSERT_NE(spline, nullptr);
    EXPECT_THAT(diagnostics_, IsEmpty());
    EXPECT_EQ(spline->pre.mode, Spline::Extrapolation::held);
    ASSERT_EQ(spline->knots.size(), 2u);
    const Spline::Knot& last = spline->knots[1];
    EXPECT_EQ(last.time, 2.0);
    EXPECT_EQ(last.value, 20.0);
    EXPECT_EQ(last.interpolation, Spline::Interpolation::curve);
    ASSERT_TRUE(last.pre_tangent && last.post_tangent);
    EXPECT_EQ(last.pre_tangent->width, 1.0);
    EXPECT_EQ(last.post_tangent->slope, 4.0);
    EXPECT_EQ(last.post_tangent->algorithm,
              version >= 2 ? Spline::TangentAlgorithm::auto_ease : Spline::TangentAlgorithm::none);
  };
  for (const unsigned version : {1U, 2U, 3U}) {
    expect(head(version, kDoubles, kHeld) + two_knots<double>(version), version);
    expect(head(version, kFloats, kHeld) + two_knots<float>(version), version);
    expect(head(version, kHalves, kHeld) + two_knots<Half>(version), version);
    const unsigned timecodes = version >= 3 ? kTimecodes : kTimecodes | kDoubles;
    expect(head(version, timecodes, kHeld) + two_knots<double>(version), version);
  }
}

TEST_F(ReadSplines, KeepSlopesBoundariesAndLoops) {
  std::string blob = head(3, kDoubles, 3 | 4U << 3 | kLoops, 2);
  append(blob, 50.0);  // The boundary of the loop at the end,
  append(blob, 0.25);  // the slope at the start.
  blob += loop(10, 20, 2, 3) + two_knots<double>(3);
  const Spline* const spline = spline_of(blob);
  ASSERT_NE(spline, nullptr);
  EXPECT_EQ(spline->pre.mode, Spline::Extrapolation::sloped);
  EXPECT_EQ(spline->pre.parameter, 0.25);
  EXPECT_EQ(spline->post.mode, Spline::Extrapolation::loop_repeat);
  EXPECT_EQ(spline->post.parameter, 50.0);
  ASSERT_TRUE(spline->loop);
  EXPECT_EQ(*spline->loop, (Spline::InnerLoop{10, 20, 2, 3, 1.5}));
}

// Modes from 0: none, held, linear, sloped, three that loop. Text has no boundary for the others.
TEST_F(ReadSplines, KeepBoundariesOfLoopsAlone) {
  constexpr unsigned kSloped = 3, kFirstLoop = 4;
  for (unsigned mode = 0; mode <= 6; ++mode) {
    SCOPED_TRACE(mode);
    std::string blob = head(3, kDoubles, mode | mode << 3, 3);
    append(blob, -20.0);
    append(blob, 30.0);
    for (const double slope : {0.25, 0.5}) {
      if (mode == kSloped) append(blob, slope);
    }
    const Spline* const spline = spline_of(blob + two_knots<double>(3));
    ASSERT_NE(spline, nullptr);
    ASSERT_EQ(spline->knots.size(), 2u);
    std::optional<double> pre, post;
    if (mode == kSloped) {
      pre = 0.25;
      post = 0.5;
    } else if (mode >= kFirstLoop) {
      pre = -20.0;
      post = 30.0;
    }
    EXPECT_EQ(spline->pre.parameter, pre);
    EXPECT_EQ(spline->post.parameter, post);
    Diagnostics parsed;
    EXPECT_TRUE(usda::parse(usda::write(*layer_), "written.usda", parsed));
    EXPECT_TRUE(parsed.empty());
  }
}

TEST_F(ReadSplines, KeepCustomDataOfTheirKnots) {
  const auto entry = [](double time) {
    std::string data;
    append(data, time);
    append(data, std::uint64_t{1});
    append(data, std::uint32_t{0});  // The text "note".
    append(data, std::int64_t{8});
    append(data, rep(3, 7, kInline));
    return data;
  };
  const std::string blob = head(3, kDoubles, kHeld) + two_knots<double>(3);
  const Spline* spline = spline_of(blob, entry(2), 1);
  ASSERT_NE(spline, nullptr);
  EXPECT_FALSE(spline->knots[0].custom_data.has_value());
  const Dictionary* const data = spline->knots[1].custom_data.as_dictionary();
  ASSERT_NE(data, nullptr);
  EXPECT_EQ((*data)[0].value.get<std::int32_t>(), 7);
  EXPECT_EQ(spline_of(blob, entry(3), 1), nullptr) << "there is no such knot";
}

TEST_F(ReadSplines, AreDroppedIfTheyAreDamaged) {
  const std::string knots = two_knots<double>(3);
  const std::string good = head(3, kDoubles, kHeld) + knots;
  ASSERT_NE(spline_of(good), nullptr);
  std::string backwards;
  append(backwards, std::uint32_t{2});
  backwards += knot<double>(3, 2, 1) + knot<double>(3, 1, 1);
  std::string endless;
  append(endless, std::uint32_t{1});
  endless += knot<double>(3, 1, std::numeric_limits<double>::infinity());
  std::string too_many;
  append(too_many, std::uint32_t{0xFFFFFFFF});
  const std::string damaged[] = {
      head(0, kDoubles, kHeld) + knots,                               // Versions
      head(4, kDoubles, kHeld) + knots,                               // and types that do not
      head(3, 7, kHeld) + knots,                                      // exist,
      head(3, kDoubles, 7) + knots,                                   // nor extrapolations;
      good.substr(0, good.size() - 1),                                // too short,
      good + "x",                                                     // too long,
      head(3, kDoubles, kHeld) + backwards,                           // out of order,
      head(3, kDoubles, kHeld) + endless,                             // not finite,
      head(3, kDoubles, kHeld) + too_many,                            // more than fit;
      head(3, kDoubles, kHeld | kLoops) + loop(1, 2, -1, 1) + knots,  // loops less than none,
      head(3, kDoubles, kHeld | kLoops) + loop(5, 5, 1, 1) + knots,   // no time,
      head(3, kDoubles, kHeld | kLoops) + loop(5, 4, 1, 1) + knots,   // or less.
  };
  for (const std::string& blob : damaged) {
    EXPECT_EQ(spline_of(blob), nullptr);
    EXPECT_TRUE(has("usdc-value"));
    EXPECT_NE(layer_, nullptr);
  }
}

// Every number is at this offset: a boundary, two slopes, a loop, a knot with a value before it.
TEST_F(ReadSplines, AreDroppedIfCutOffOrNotFiniteAnywhere) {
  std::string blob = head(3, kDoubles, 3 | 5U << 3 | kLoops, 2);
  append(blob, 50.0);
  append(blob, 0.25);
  blob += loop(10, 20, 2, 3);
  append(blob, std::uint32_t{1});
  blob += '\x07';
  for (const double number : {1.0, 10.0, 5.0, 1.0, 2.0, 3.0, 4.0}) append(blob, number);
  blob += '\x21';
  const Spline* const spline = spline_of(blob);
  ASSERT_NE(spline, nullptr);
  EXPECT_THAT(diagnostics_, IsEmpty());
  EXPECT_EQ(spline->post.mode, Spline::Extrapolation::loop_reset);
  ASSERT_EQ(spline->knots.size(), 1u);
  EXPECT_EQ(spline->knots[0].value, 10.0);
  EXPECT_EQ(spline->knots[0].pre_value, 5.0);
  EXPECT_EQ(spline->knots[0].pre_tangent->width, 1.0);
  EXPECT_EQ(spline->knots[0].pre_tangent->slope, 3.0);
  EXPECT_EQ(spline->knots[0].pre_tangent->algorithm, Spline::TangentAlgorithm::custom);
  EXPECT_EQ(spline->knots[0].post_tangent->width, 2.0);
  for (std::size_t size = 0; size < blob.size(); ++size) {
    const Spline* const part = spline_of(blob.substr(0, size));
    const bool has_no_knots = size == 0 || size == 51;  // It may end where their count should be.
    ASSERT_EQ(part != nullptr, has_no_knots) << size;
    EXPECT_EQ(has("usdc-value"), !has_no_knots) << size;
    if (part == nullptr) continue;
    EXPECT_TRUE(part->knots.empty());
    EXPECT_EQ(part->loop.has_value(), size != 0);
  }
  for (const std::size_t at : {3U, 11U, 19U, 27U, 43U, 56U, 64U, 72U, 80U, 88U, 96U, 104U}) {
    for (const double number :
         {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
      std::string changed = blob;
      std::memcpy(changed.data() + at, &number, sizeof number);
      EXPECT_EQ(spline_of(changed), nullptr) << at;
      EXPECT_TRUE(has("usdc-value")) << at;
    }
  }
  for (const char algorithms : {'\x31', '\x23'}) {
    blob.back() = algorithms;
    EXPECT_EQ(spline_of(blob), nullptr);
  }
}

TEST_F(ReadSplines, OfHermiteCurvesHaveNoWidths) {
  std::string blob;
  blob += static_cast<char>(kHermite | kDoubles << 4 | 3);
  blob += static_cast<char>(kHeld);
  blob += '\0';
  append(blob, std::uint32_t{1});
  blob += '\x06';
  for (const double number : {1.0, 10.0, 3.0, 4.0}) append(blob, number);
  blob += '\0';
  const Spline* const spline = spline_of(blob);
  ASSERT_NE(spline, nullptr);
  EXPECT_EQ(spline->curve_type, Spline::CurveType::hermite);
  ASSERT_TRUE(spline->knots[0].pre_tangent);
  EXPECT_FALSE(spline->knots[0].pre_tangent->width.has_value());
  EXPECT_EQ(spline->knots[0].pre_tangent->slope, 3.0);
}

}  // namespace
}  // namespace sinew::usdc::read_splines_test
