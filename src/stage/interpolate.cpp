// SPDX-License-Identifier: Apache-2.0
#include "stage/interpolate.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <span>
#include <type_traits>

#include "sinew/core/types.hpp"
#include "stage/stage_impl.hpp"

namespace sinew::stage {

namespace {

using layer::ElementType;
using layer::Value;

template <typename T>
void lerp(const std::byte* a, const std::byte* b, std::byte* out, std::size_t count, double alpha) {
  for (std::size_t i = 0; i < count; ++i) {
    T x;
    T y;
    std::memcpy(static_cast<void*>(&x), a + i * sizeof(T), sizeof(T));
    std::memcpy(static_cast<void*>(&y), b + i * sizeof(T), sizeof(T));
    const double mixed = (1.0 - alpha) * static_cast<double>(x) + alpha * static_cast<double>(y);
    const T value = static_cast<T>(mixed);
    std::memcpy(out + i * sizeof(T), static_cast<const void*>(&value), sizeof(T));
  }
}

// Vectors and matrices: both products are rounded to the stored type, and so is their sum. `Real`
// is the precision that products are formed in.
template <typename T, typename Real>
void lerp_rounded(const std::byte* a, const std::byte* b, std::byte* out, std::size_t count,
                  double alpha) {
  const auto scaled = [](T value, double factor) {
    return static_cast<T>(static_cast<Real>(value) * static_cast<Real>(factor));
  };
  for (std::size_t i = 0; i < count; ++i) {
    T x;
    T y;
    std::memcpy(static_cast<void*>(&x), a + i * sizeof(T), sizeof(T));
    std::memcpy(static_cast<void*>(&y), b + i * sizeof(T), sizeof(T));
    const T value = static_cast<T>(scaled(x, 1.0 - alpha) + scaled(y, alpha));
    std::memcpy(out + i * sizeof(T), static_cast<const void*>(&value), sizeof(T));
  }
}

// `Real` is the precision that single steps are evaluated in. Halves are rounded after every one of
// them: the angle and its sine, the factors, the products and the sum.
template <typename T, typename Real>
void slerp(const std::byte* a, const std::byte* b, std::byte* out, std::size_t count,
           double alpha) {
  for (std::size_t i = 0; i < count; ++i) {
    T x[4];
    T y[4];
    std::memcpy(static_cast<void*>(x), a + i * sizeof x, sizeof x);
    std::memcpy(static_cast<void*>(y), b + i * sizeof y, sizeof y);
    const auto product = [&](int k) { return static_cast<Real>(x[k]) * static_cast<Real>(y[k]); };
    const T imaginary = static_cast<T>(product(0) + product(1) + product(2));
    Real dot = static_cast<Real>(imaginary) + product(3);
    const bool flip = dot < 0;
    if (flip) dot = -dot;
    double k0 = 1.0 - alpha;
    double k1 = alpha;
    if (static_cast<Real>(1) - dot > static_cast<Real>(1e-5)) {
      const T theta = static_cast<T>(std::acos(dot));
      const T sine = static_cast<T>(std::sin(static_cast<Real>(theta)));
      k0 = static_cast<double>(std::sin((1.0 - alpha) * static_cast<double>(theta))) /
           static_cast<double>(sine);
      k1 = static_cast<double>(std::sin(alpha * static_cast<double>(theta))) /
           static_cast<double>(sine);
    }
    if (flip) k1 = -k1;
    T result[4];
    if constexpr (std::is_same_v<T, Half>) {
      const auto scaled = [](double factor, T value) {
        return static_cast<T>(static_cast<Real>(static_cast<T>(factor)) * static_cast<Real>(value));
      };
      for (int k = 0; k < 4; ++k) {
        result[k] = static_cast<T>(static_cast<Real>(scaled(k0, x[k])) +
                                   static_cast<Real>(scaled(k1, y[k])));
      }
    } else {
      for (int k = 0; k < 4; ++k) {
        result[k] = static_cast<T>(k0 * static_cast<double>(x[k]) + k1 * static_cast<double>(y[k]));
      }
    }
    std::memcpy(out + i * sizeof result, static_cast<const void*>(result), sizeof result);
  }
}

void mix(ElementType type, const std::byte* a, const std::byte* b, std::byte* out,
         std::size_t elements, double alpha) {
  const std::size_t numbers = elements * layer::component_count(type);
  switch (type) {
    case ElementType::quath:
      slerp<Half, float>(a, b, out, elements, alpha);
      break;
    case ElementType::quatf:
      slerp<float, float>(a, b, out, elements, alpha);
      break;
    case ElementType::quatd:
      slerp<double, double>(a, b, out, elements, alpha);
      break;
    case ElementType::half:
      lerp<Half>(a, b, out, numbers, alpha);
      break;
    case ElementType::half2:
    case ElementType::half3:
    case ElementType::half4:
      lerp_rounded<Half, float>(a, b, out, numbers, alpha);
      break;
    case ElementType::float_:
      lerp<float>(a, b, out, numbers, alpha);
      break;
    case ElementType::float2:
    case ElementType::float3:
    case ElementType::float4:
      lerp_rounded<float, double>(a, b, out, numbers, alpha);
      break;
    default:
      lerp<double>(a, b, out, numbers, alpha);
      break;
  }
}

// The sample in force at a time: its index, and how far towards the next.
struct Bracket {
  std::size_t lower = 0;
  double alpha = 0.0;
};

// The sample that is in force at a time of the stage.
std::size_t sample_in_force(std::span<const double> times, double stage_time,
                            const layer::LayerOffset& offset) {
  const bool as_it_is = offset == layer::LayerOffset{};
  const auto after =
      as_it_is ? std::upper_bound(times.begin(), times.end(), stage_time)
               : std::upper_bound(times.begin(), times.end(), stage_time, [&](double t, double s) {
                   return t < from_layer_time(s, offset);
                 });
  return after == times.begin() ? 0 : static_cast<std::size_t>(after - times.begin()) - 1;
}

// Times that are no numbers are last in their order, and no time comes after them.
std::span<const double> without_nan(std::span<const double> times) {
  while (!times.empty() && std::isnan(times.back())) times = times.first(times.size() - 1);
  return times;
}

Bracket bracket(std::span<const double> times, double stage_time,
                const layer::LayerOffset& offset) {
  times = without_nan(times);
  const std::size_t lower = sample_in_force(times, stage_time, offset);
  if (lower + 1 >= times.size()) return {lower, 0.0};
  const double span = times[lower + 1] - times[lower];
  if (!(span >= 1e-6) || from_layer_time(times[lower], offset) == stage_time) {
    return {lower, 0.0};
  }
  const double alpha = (to_layer_time(stage_time, offset) - times[lower]) / span;
  if (!(alpha > 0.0)) return {lower, 0.0};  // Before the first, or next to an infinite time.
  return {lower, std::min(alpha, 1.0)};
}

}  // namespace

Value interpolate(const Value& lower, const Value& upper, double alpha) {
  const ElementType type = lower.type();
  if (!layer::interpolates(type) || upper.type() != type || upper.is_array() != lower.is_array() ||
      upper.size() != lower.size() || lower.size() == 0) {
    return lower;
  }
  const std::span<const std::byte> a = lower.bytes();
  const std::span<const std::byte> b = upper.bytes();
  Buffer buffer(a.size());
  mix(type, a.data(), b.data(), buffer.mutable_data(), lower.size(), alpha);
  if (lower.is_array()) return Value::array_from_buffer(type, std::move(buffer));
  return Value::scalar_of(type, {buffer.data(), buffer.size()});
}

Value sample_at(const layer::TimeSamples& samples, double stage_time,
                const layer::LayerOffset& offset, Interpolation mode) {
  const Bracket at = bracket(samples.times, stage_time, offset);
  const Value& lower = samples.values[at.lower];
  if (lower.is_block()) return {};
  if (at.alpha == 0.0 || mode == Interpolation::held) return lower;
  const Value& upper = samples.values[at.lower + 1];
  if (upper.is_block()) return lower;
  return interpolate(lower, upper, at.alpha);
}

}  // namespace sinew::stage
