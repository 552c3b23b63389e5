// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstring>
#include <optional>
#include <string_view>

#include "core/read_double.hpp"
#include "core/sort.hpp"
#include "layer/compare_values.hpp"
#include "layer/shared/element_table.hpp"
#include "sinew/core/types.hpp"
#include "sinew/layer/compare.hpp"
#include "sinew/layer/spline.hpp"

namespace sinew::layer {

namespace {

// Equal bits, or both NaN.
template <typename T>
bool same_reals(std::span<const std::byte> a, std::span<const std::byte> b) noexcept {
  for (std::size_t i = 0; i < a.size(); i += sizeof(T)) {
    if (std::memcmp(&a[i], &b[i], sizeof(T)) == 0) continue;
    T x;
    T y;
    std::memcpy(static_cast<void*>(&x), &a[i], sizeof x);
    std::memcpy(static_cast<void*>(&y), &b[i], sizeof y);
    if (!std::isnan(static_cast<double>(x)) || !std::isnan(static_cast<double>(y))) return false;
  }
  return true;
}

bool same_dictionaries(const Dictionary& a, const Dictionary& b) noexcept {
  if (a.size() != b.size()) return false;
  const auto by_key = [](const DictionaryEntry* x, const DictionaryEntry* y) {
    return x->key.view() < y->key.view();
  };
  std::vector<const DictionaryEntry*> x;
  std::vector<const DictionaryEntry*> y;
  for (const DictionaryEntry& entry : a) x.push_back(&entry);
  for (const DictionaryEntry& entry : b) y.push_back(&entry);
  sort_range(x.begin(), x.end(), by_key);
  sort_range(y.begin(), y.end(), by_key);
  return std::equal(x.begin(), x.end(), y.begin(), [](const auto* p, const auto* q) {
    return p->key.view() == q->key.view() && same_value(p->value, q->value);
  });
}

// `insert x at [0]` is `prepend x`.
ArrayEdit::Instruction in_short(ArrayEdit::Instruction instruction) {
  using Kind = ArrayEdit::Kind;
  if (instruction.kind == Kind::insert && instruction.index == 0) instruction.kind = Kind::prepend;
  return instruction;
}

bool same_edits(const ArrayEdit& a, const ArrayEdit& b) {
  return a.element == b.element &&
         std::equal(a.instructions.begin(), a.instructions.end(), b.instructions.begin(),
                    b.instructions.end(), [](const auto& p, const auto& q) {
                      const ArrayEdit::Instruction x = in_short(p);
                      const ArrayEdit::Instruction y = in_short(q);
                      return x.kind == y.kind && x.index == y.index && x.source == y.source &&
                             same_value(x.literal, y.literal);
                    });
}

bool same_texts(const Value& a, const Value& b) noexcept {
  if (!a.is_array()) return a.text() == b.text();
  const auto x = a.as_array<Token>();
  const auto y = b.as_array<Token>();
  return std::equal(x.begin(), x.end(), y.begin(), y.end(),
                    [](Token p, Token q) { return p == q || p.view() == q.view(); });
}

// Text has more digits than the curve of a float attribute keeps.
bool same_number(double a, double b, ElementType type) noexcept {
  if (type == ElementType::float_) {
    return same_double(double{static_cast<float>(a)}, double{static_cast<float>(b)});
  }
  if (type == ElementType::half) {
    const auto rounded = [](double x) { return static_cast<double>(static_cast<Half>(x)); };
    return same_double(rounded(a), rounded(b));
  }
  return same_double(a, b);
}

bool same_extrapolation(const Spline::Extrapolate& a, const Spline::Extrapolate& b) noexcept {
  const auto mode = [](const Spline::Extrapolate& e) {
    return e.mode == Spline::Extrapolation::unset ? Spline::Extrapolation::held : e.mode;
  };
  return mode(a) == mode(b) && a.parameter.has_value() == b.parameter.has_value() &&
         same_double(a.parameter.value_or(0.0), b.parameter.value_or(0.0));
}

bool same_loops(const std::optional<Spline::InnerLoop>& a,
                const std::optional<Spline::InnerLoop>& b) noexcept {
  if (!a || !b) return a.has_value() == b.has_value();
  return same_double(a->prototype_start, b->prototype_start) &&
         same_double(a->prototype_end, b->prototype_end) &&
         same_double(a->pre_loops, b->pre_loops) && same_double(a->post_loops, b->post_loops) &&
         same_double(a->value_offset, b->value_offset);
}

// How the numbers of a curve are kept: their type, and whether tangents have widths.
struct CurveKind {
  ElementType type = ElementType::double_;
  bool has_widths = true;
};

bool same_tangents(const std::optional<Spline::Tangent>& a, const std::optional<Spline::Tangent>& b,
                   const CurveKind& kind) noexcept {
  const Spline::Tangent x = a.value_or(Spline::Tangent());
  const Spline::Tangent y = b.value_or(Spline::Tangent());
  return (!kind.has_widths || same_double(x.width.value_or(0.0), y.width.value_or(0.0))) &&
         same_number(x.slope, y.slope, kind.type) && x.algorithm == y.algorithm;
}

// Whether `text` is the number `value`, or one that a float rounds to it.
bool is_number(std::string_view text, double value, ElementType type) noexcept {
  const std::optional<double> written = read_double(text);
  if (!written || std::isnan(value)) return false;
  if (*written == value) return true;
  return type == ElementType::float_ && std::abs(*written) <= double{FLT_MAX} &&
         static_cast<float>(*written) == static_cast<float>(value);
}

// Whether `text` is how a scalar is written, one of the types that such metadata has.
bool is_written_as(const Value& value, std::string_view text) noexcept {
  if (value.is_array()) return false;
  switch (value.type()) {
    case ElementType::bool_:
      return *value.get<bool>() ? text == "true" || text == "1" : text == "false" || text == "0";
    case ElementType::int_:
      return is_number(text, *value.get<std::int32_t>(), value.type());
    case ElementType::uint:
      return is_number(text, *value.get<std::uint32_t>(), value.type());
    case ElementType::float_:
      return is_number(text, double{*value.get<float>()}, value.type());
    case ElementType::double_:
      return is_number(text, *value.get<double>(), value.type());
    case ElementType::string:
    case ElementType::token: {
      const std::string_view inner = *value.text();
      return text.size() == inner.size() + 2 && text.front() == '"' && text.back() == '"' &&
             text.substr(1, inner.size()) == inner && inner.find('\\') == std::string_view::npos;
    }
    default:
      return false;
  }
}

// Without entries it says nothing.
const Dictionary* entries_of(const Value& custom_data) noexcept {
  const Dictionary* const entries = custom_data.as_dictionary();
  return entries != nullptr && !entries->empty() ? entries : nullptr;
}

bool same_knots(const Spline::Knot& a, const Spline::Knot& b, const CurveKind& kind) noexcept {
  constexpr auto kHeld = Spline::Interpolation::held;
  return same_double(a.time, b.time) && same_number(a.value, b.value, kind.type) &&
         a.pre_value.has_value() == b.pre_value.has_value() &&
         same_number(a.pre_value.value_or(0.0), b.pre_value.value_or(0.0), kind.type) &&
         a.interpolation.value_or(kHeld) == b.interpolation.value_or(kHeld) &&
         same_tangents(a.pre_tangent, b.pre_tangent, kind) &&
         same_tangents(a.post_tangent, b.post_tangent, kind) &&
         same_custom_data(a.custom_data, b.custom_data);
}

}  // namespace

bool same_double(double a, double b) noexcept {
  return a == b || (std::isnan(a) && std::isnan(b));
}

bool same_metadata(const Value& a, const Value& b) noexcept {
  const auto is_unregistered = [](const Value& value) {
    return value.type() == ElementType::unregistered && !value.is_array();
  };
  if (is_unregistered(a) == is_unregistered(b)) return same_value(a, b);
  return is_unregistered(a) ? is_written_as(b, *a.text()) : is_written_as(a, *b.text());
}

bool same_custom_data(const Value& a, const Value& b) noexcept {
  const Dictionary* const x = entries_of(a);
  const Dictionary* const y = entries_of(b);
  return x == nullptr || y == nullptr ? x == y : same_dictionaries(*x, *y);
}

bool same_value(const Value& a, const Value& b) noexcept {
  if (a.type() != b.type() || a.is_array() != b.is_array()) return false;
  switch (a.type()) {
    case ElementType::dictionary:
      return same_dictionaries(*a.as_dictionary(), *b.as_dictionary());
    case ElementType::list_op:
      return same_list_ops(*a.as_list_op(), *b.as_list_op(), same_value);
    case ElementType::token_list_op:
      return same_list_ops(*a.as_token_list_op(), *b.as_token_list_op(),
                           [](Token x, Token y) { return x.view() == y.view(); });
    case ElementType::array_edit:
      return same_edits(*a.as_array_edit(), *b.as_array_edit());
    default:
      break;
  }
  if (stores_as<Token>(a.type())) return same_texts(a, b);
  const std::span<const std::byte> x = a.bytes();
  const std::span<const std::byte> y = b.bytes();
  if (x.size() != y.size()) return false;
  if (x.empty() || std::memcmp(x.data(), y.data(), x.size()) == 0) return true;
  switch (info_of(a.type()).component) {
    case ElementType::half:
      return same_reals<Half>(x, y);
    case ElementType::float_:
      return same_reals<float>(x, y);
    case ElementType::double_:
      return same_reals<double>(x, y);
    default:
      return false;
  }
}

bool same_splines(const Spline& a, const Spline& b, ElementType type) noexcept {
  constexpr auto kBezier = Spline::CurveType::bezier;
  const Spline::CurveType curve = a.curve_type.value_or(kBezier);
  const CurveKind kind = {type, curve == kBezier};
  return curve == b.curve_type.value_or(kBezier) && same_extrapolation(a.pre, b.pre) &&
         same_extrapolation(a.post, b.post) && same_loops(a.loop, b.loop) &&
         std::equal(a.knots.begin(), a.knots.end(), b.knots.begin(), b.knots.end(),
                    [&](const auto& x, const auto& y) { return same_knots(x, y, kind); });
}

}  // namespace sinew::layer
