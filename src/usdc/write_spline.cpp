// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "layer/shared/spline_ends.hpp"
#include "sinew/core/types.hpp"
#include "usdc/value_writer.hpp"

namespace sinew::usdc {

using layer::ElementType;
using layer::Spline;

namespace {

using Extrapolation = Spline::Extrapolation;

std::uint8_t number_of(const Spline::Extrapolate& extrapolate) noexcept {
  if (extrapolate.mode == Extrapolation::unset) return 1;  // Held.
  return static_cast<std::uint8_t>(static_cast<int>(extrapolate.mode) - 1);
}

bool has_algorithm(const std::optional<Spline::Tangent>& tangent) noexcept {
  return tangent && tangent->algorithm != Spline::TangentAlgorithm::none;
}

// Readers drop splines with other loops, which loop nothing.
bool has_loop(const Spline& spline) noexcept {
  return spline.loop && std::isfinite(spline.loop->prototype_start) &&
         std::isfinite(spline.loop->prototype_end) && std::isfinite(spline.loop->value_offset) &&
         spline.loop->prototype_start < spline.loop->prototype_end;
}

std::uint8_t blob_version(const Spline& spline, ElementType type) noexcept {
  if (loops_to_boundary(spline.pre) || loops_to_boundary(spline.post) ||
      type == ElementType::timecode) {
    return 3;
  }
  const bool algorithms =
      std::any_of(spline.knots.begin(), spline.knots.end(), [](const Spline::Knot& knot) {
        return has_algorithm(knot.pre_tangent) || has_algorithm(knot.post_tangent);
      });
  return algorithms ? 2 : 1;
}

std::uint8_t value_type(ElementType type) noexcept {
  switch (type) {
    case ElementType::float_:
      return 2;
    case ElementType::half:
      return 3;
    case ElementType::timecode:
      return 4;
    default:
      return 1;
  }
}

// What makes the bytes of a spline, but for its custom data.
class SplineBlob {
 public:
  SplineBlob(const Spline& spline, ElementType type)
      : spline_(spline),
        type_(type),
        version_(blob_version(spline, type)),
        is_hermite_(spline.curve_type == Spline::CurveType::hermite) {}

  std::uint8_t version() const noexcept { return version_; }

  std::span<const std::byte> make() {
    const unsigned curve = is_hermite_ ? 1U << 7 : 0U;
    put_byte(version_ | static_cast<unsigned>(value_type(type_)) << 4 | curve);
    put_byte(number_of(spline_.pre) | static_cast<unsigned>(number_of(spline_.post)) << 3 |
             (has_loop(spline_) ? 1U << 6 : 0U));
    if (version_ >= 3) {
      put_byte((loops_to_boundary(spline_.pre) ? 1U : 0U) |
               (loops_to_boundary(spline_.post) ? 2U : 0U));
    }
    if (loops_to_boundary(spline_.pre)) blob_.put(*spline_.pre.parameter);
    if (loops_to_boundary(spline_.post)) blob_.put(*spline_.post.parameter);
    put_slope(spline_.pre);
    put_slope(spline_.post);
    if (has_loop(spline_)) {
      blob_.put(spline_.loop->prototype_start);
      blob_.put(spline_.loop->prototype_end);
      blob_.put(whole(spline_.loop->pre_loops));
      blob_.put(whole(spline_.loop->post_loops));
      blob_.put(spline_.loop->value_offset);
    }
    blob_.put(static_cast<std::uint32_t>(spline_.knots.size()));
    for (const Spline::Knot& knot : spline_.knots) put_knot(knot);
    return blob_.bytes();
  }

 private:
  void put_byte(unsigned value) { blob_.put(static_cast<std::uint8_t>(value)); }
  void put_number(double value) {
    if (type_ == ElementType::float_) {
      blob_.put(static_cast<float>(value));
    } else if (type_ == ElementType::half) {
      blob_.put(Half(static_cast<float>(value)));
    } else {
      blob_.put(value);
    }
  }
  void put_slope(const Spline::Extrapolate& extrapolate) {
    if (extrapolate.mode == Extrapolation::sloped) blob_.put(extrapolate.parameter.value_or(0.0));
  }
  static std::int32_t whole(double count) noexcept {
    return count > 0.0 ? static_cast<std::int32_t>(std::min(count, 2147483647.0)) : 0;
  }

  void put_knot(const Spline::Knot& knot) {
    const auto interpolation = knot.interpolation.value_or(Spline::Interpolation::held);
    const Spline::Tangent pre = knot.pre_tangent.value_or(Spline::Tangent());
    const Spline::Tangent post = knot.post_tangent.value_or(Spline::Tangent());
    put_byte((knot.pre_value ? 1U : 0U) | static_cast<unsigned>(interpolation) << 1 |
             (is_hermite_ ? 1U << 3 : 0U));
    blob_.put(knot.time);
    put_number(knot.value);
    if (knot.pre_value) put_number(*knot.pre_value);
    if (!is_hermite_) {
      blob_.put(pre.width.value_or(0.0));
      blob_.put(post.width.value_or(0.0));
    }
    put_number(pre.slope);
    put_number(post.slope);
    if (version_ >= 2) {
      put_byte(static_cast<unsigned>(pre.algorithm) | static_cast<unsigned>(post.algorithm) << 4);
    }
  }

  const Spline& spline_;
  ElementType type_;
  std::uint8_t version_;
  bool is_hermite_;
  Stream blob_;
};

}  // namespace

std::uint64_t ValueWriter::spline(const Spline& spline, ElementType type) {
  static constexpr Version kVersions[] = {{0, 12, 0}, {0, 13, 0}, {0, 15, 0}};
  SplineBlob blob(spline, type);
  need(kVersions[blob.version() - 1]);
  if (type == ElementType::timecode) need({0, 9, 0});
  if (spline.loop && !has_loop(spline)) {
    omissions_.push_back({key_ + ":loop", "a loop that does not end behind its start"});
  }
  const std::span<const std::byte> bytes = blob.make();
  Stream stream;
  stream.put(std::uint64_t{bytes.size()});
  stream.put_bytes(bytes);
  const auto has_data = [](const Spline::Knot& knot) {
    const layer::Dictionary* entries = knot.custom_data.as_dictionary();
    return entries != nullptr && !entries->empty();
  };
  stream.put(static_cast<std::uint64_t>(
      std::count_if(spline.knots.begin(), spline.knots.end(), has_data)));
  for (const Spline::Knot& knot : spline.knots) {
    if (!has_data(knot)) continue;
    stream.put(knot.time);
    custom_data(knot.custom_data, stream);
  }
  return place(Type::spline, stream.bytes());
}

}  // namespace sinew::usdc
