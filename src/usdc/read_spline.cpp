// SPDX-License-Identifier: Apache-2.0
// Splines: a block of bytes of its own version, and custom data of knots.
#include <algorithm>
#include <cmath>

#include "layer/shared/spline_ends.hpp"
#include "sinew/core/types.hpp"
#include "usdc/value_reader.hpp"

namespace sinew::usdc {

using layer::Spline;
using layer::Value;

namespace {

using Extrapolation = Spline::Extrapolation;

constexpr unsigned kNewestBlob = 3;
constexpr unsigned kMaxExtrapolation = 6;
constexpr unsigned kMaxAlgorithm = 2;

// How values and slopes are stored.
enum Stored : unsigned { unset = 0, doubles = 1, floats = 2, halves = 3, timecodes = 4 };

struct Head {
  unsigned version = 0;
  unsigned stored = 0;
  bool is_hermite = false;
};

Head head_of(std::uint8_t byte) noexcept {
  Head head;
  head.version = byte & 0xFU;
  head.stored = (byte >> 4) & (head.version >= 3 ? 7U : 3U);
  if (head.version < 3 && (byte & 0x40) != 0) head.stored = timecodes;
  head.is_hermite = (byte & 0x80) != 0;
  return head;
}

// A number that has to be finite.
template <typename T>
bool read_finite(ByteReader& reader, double& number) {
  T stored;
  if (!reader.read(stored)) return false;
  number = static_cast<double>(stored);
  return std::isfinite(number);
}

bool read_extrapolation(ByteReader& reader, unsigned mode, bool has_boundary,
                        Spline::Extrapolate& out) {
  if (mode > kMaxExtrapolation) return false;
  out.mode = static_cast<Extrapolation>(mode + 1);
  double parameter = 0.0;
  if (!has_boundary) return true;
  if (!read_finite<double>(reader, parameter)) return false;
  if (loops(out)) out.parameter = parameter;  // Else it bounds nothing.
  return true;
}

bool read_slope(ByteReader& reader, Spline::Extrapolate& out) {
  if (out.mode != Extrapolation::sloped) return true;
  double slope = 0.0;
  if (!read_finite<double>(reader, slope)) return false;
  out.parameter = slope;
  return true;
}

bool read_loop(ByteReader& reader, Spline::InnerLoop& loop) {
  std::int32_t pre = 0;
  std::int32_t post = 0;
  if (!read_finite<double>(reader, loop.prototype_start) ||
      !read_finite<double>(reader, loop.prototype_end) || !reader.read(pre) || !reader.read(post) ||
      !read_finite<double>(reader, loop.value_offset)) {
    return false;
  }
  loop.pre_loops = pre;
  loop.post_loops = post;
  return pre >= 0 && post >= 0 && loop.prototype_start < loop.prototype_end;
}

template <typename T>
bool read_knot(ByteReader& reader, unsigned version, bool is_hermite, Spline::Knot& knot) {
  std::uint8_t flags = 0;
  if (!reader.read(flags) || !read_finite<double>(reader, knot.time) ||
      !read_finite<T>(reader, knot.value)) {
    return false;
  }
  double pre_value = 0.0;
  if ((flags & 1) != 0) {
    if (!read_finite<T>(reader, pre_value)) return false;
    knot.pre_value = pre_value;
  }
  knot.interpolation = static_cast<Spline::Interpolation>((flags >> 1) & 3);
  Spline::Tangent pre;
  Spline::Tangent post;
  if (!is_hermite) {
    double widths[2] = {};
    if (!read_finite<double>(reader, widths[0]) || !read_finite<double>(reader, widths[1])) {
      return false;
    }
    pre.width = widths[0];
    post.width = widths[1];
  }
  if (!read_finite<T>(reader, pre.slope) || !read_finite<T>(reader, post.slope)) return false;
  if (version >= 2) {
    std::uint8_t algorithms = 0;
    if (!reader.read(algorithms)) return false;
    if ((algorithms & 0xFU) > kMaxAlgorithm || algorithms >> 4 > kMaxAlgorithm) return false;
    pre.algorithm = static_cast<Spline::TangentAlgorithm>(algorithms & 0xF);
    post.algorithm = static_cast<Spline::TangentAlgorithm>(algorithms >> 4);
  }
  // A tangent of width and slope 0 does not count as one.
  const auto is_stated = [](const Spline::Tangent& tangent) {
    return tangent.width.value_or(0.0) != 0.0 || tangent.slope != 0.0 ||
           tangent.algorithm != Spline::TangentAlgorithm::none;
  };
  if (is_stated(pre)) knot.pre_tangent = pre;
  if (is_stated(post)) knot.post_tangent = post;
  return true;
}

template <typename T>
bool read_knots(ByteReader& reader, unsigned version, Spline& spline) {
  const bool is_hermite = spline.curve_type == Spline::CurveType::hermite;
  const std::uint64_t least =
      1 + sizeof(double) + 3 * sizeof(T) + (is_hermite ? 0 : 16) + (version >= 2 ? 1 : 0);
  std::uint32_t count = 0;
  if (reader.left() == 0) return true;  // Written so where there is nothing at all.
  if (!reader.read(count) || count > reader.left() / least) return false;
  spline.knots.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (!read_knot<T>(reader, version, is_hermite, spline.knots[i])) return false;
    if (i != 0 && !(spline.knots[i - 1].time < spline.knots[i].time)) return false;
  }
  return reader.left() == 0;
}

}  // namespace

bool ValueReader::spline_blob(ByteReader reader, Spline& spline) {
  if (reader.left() == 0) return true;
  std::uint8_t bytes[3] = {};
  const std::uint64_t at = reader.position();
  if (!reader.read(bytes[0]) || !reader.read(bytes[1])) return false;
  const Head head = head_of(bytes[0]);
  if (head.version == 0 || head.version > kNewestBlob || head.stored > timecodes) return false;
  if (head.version >= 3 && !reader.read(bytes[2])) return false;
  if (!charge_items(at, reader.left() / 16, sizeof(Spline::Knot))) return false;
  spline.curve_type = head.is_hermite ? Spline::CurveType::hermite : Spline::CurveType::bezier;
  const unsigned modes = bytes[1];
  if (!read_extrapolation(reader, modes & 7, (bytes[2] & 1) != 0, spline.pre) ||
      !read_extrapolation(reader, (modes >> 3) & 7, (bytes[2] & 2) != 0, spline.post) ||
      !read_slope(reader, spline.pre) || !read_slope(reader, spline.post)) {
    return false;
  }
  if ((modes & 0x40) != 0) {
    Spline::InnerLoop loop;
    if (!read_loop(reader, loop)) return false;
    spline.loop = loop;
  }
  switch (head.stored) {
    case floats:
      return read_knots<float>(reader, head.version, spline);
    case halves:
      return read_knots<Half>(reader, head.version, spline);
    default:
      return read_knots<double>(reader, head.version, spline);
  }
}

bool ValueReader::knot_data(ByteReader& reader, Spline& spline) {
  double time = 0.0;
  Value data;
  if (!reader.read(time)) return false;
  if (!dictionary(reader, data)) return false;
  const auto knot = std::lower_bound(spline.knots.begin(), spline.knots.end(), time,
                                     [](const Spline::Knot& k, double t) { return k.time < t; });
  if (knot == spline.knots.end() || knot->time != time) return false;
  if (!data.as_dictionary()->empty()) knot->custom_data = std::move(data);
  return true;
}

bool ValueReader::spline(std::uint64_t bits, Spline& spline) {
  ByteReader reader;
  if (!open(bits, Type::spline, reader)) return false;
  const std::uint64_t at = reader.position();
  std::uint64_t size = 0;
  std::uint64_t count = 0;
  std::span<const std::byte> blob;
  const auto damaged = [&] { return fail(at, "the spline is damaged"); };
  if (!reader.read(size) || !reader.take(size, blob)) return damaged();
  const std::uint64_t start = reader.position() - size;
  if (!spline_blob({c_.file.bytes().span(), start, start + size}, spline)) return damaged();
  if (!reader.count(2 * sizeof(std::uint64_t), count)) return damaged();
  for (std::uint64_t i = 0; i < count; ++i) {
    if (!knot_data(reader, spline)) return damaged();
  }
  return true;
}

}  // namespace sinew::usdc
