// SPDX-License-Identifier: Apache-2.0
#include "layer/difference_text.hpp"

#include <algorithm>
#include <cstring>

#include "core/format_text.hpp"
#include "layer/compare_values.hpp"
#include "sinew/layer/compare.hpp"
#include "sinew/layer/value_type.hpp"

namespace sinew::layer {

namespace {

constexpr std::size_t kLongestText = 80;
constexpr std::size_t kMostElements = 40;  // Of arrays that are spelled.
constexpr std::string_view kGap = " ... ";
constexpr std::size_t kMostSpelled = 1U << 20;  // Of lists; items may share what makes them long.

bool continues_character(char c) noexcept {
  return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

std::string name_text(Token name) {
  return std::string(name.view());
}

std::string path_text(const Path& path) {
  return format_text("<{}>", path.view());
}

std::string offset_text(const LayerOffset& offset) {
  if (offset == LayerOffset()) return {};
  return format_text(" (offset = {}; scale = {})", offset.offset, offset.scale);
}

std::string reference_text(const Reference& reference) {
  std::string text;
  if (!reference.asset.empty()) text = format_text("@{}@", reference.asset.view());
  if (!reference.prim_path.empty() || text.empty()) text += path_text(reference.prim_path);
  text += offset_text(reference.offset);
  const Dictionary* const data = reference.custom_data.as_dictionary();
  if (data != nullptr) text += format_text(" and {} entries of custom data", data->size());
  return text;
}

template <typename Items, typename Spell>
std::string bracketed(const Items& items, Spell spell) {
  std::string text;
  for (const auto& item : items) {
    if (text.size() > kMostSpelled) {
      append_item(text, "...");
      break;
    }
    append_item(text, spell(item));
  }
  return format_text("[{}]", text);
}

template <typename T, typename Spell>
std::string edits(const ListOp<T>& op, Spell spell) {
  if (op.is_explicit) return bracketed(op.explicit_items, spell);
  std::string text;
  const auto add = [&](std::string_view word, const std::vector<T>& items) {
    if (items.empty()) return;
    append_item(text, format_text("{} {}", word, bracketed(items, spell)));
  };
  add("delete", op.deleted);
  add("add", op.added);
  add("prepend", op.prepended);
  add("append", op.appended);
  add("reorder", op.ordered);
  return told(std::string_view(text));
}

/// Where a text can be cut, at or before a byte of it.
std::size_t cut_before(std::string_view text, std::size_t at) {
  while (at > 0 && at < text.size() && continues_character(text[at])) --at;
  return std::min(at, text.size());
}

/// The start and the end of a text.
std::string ends_of(std::string_view text) {
  if (text.size() <= kLongestText) return std::string(text);
  constexpr std::size_t kKept = kLongestText - kGap.size();
  const std::size_t head = cut_before(text, kKept / 2);
  std::size_t tail = text.size() - (kKept - kKept / 2);
  while (tail < text.size() && continues_character(text[tail])) ++tail;
  return std::string(text.substr(0, head)).append(kGap).append(text.substr(tail));
}

/// The start of a text, and what stands around a byte further on.
std::string part_around(std::string_view text, std::size_t at) {
  constexpr std::size_t kHead = 16;
  constexpr std::size_t kBefore = 20;
  std::string part;
  std::size_t from = 0;
  if (at > kHead + kGap.size() + kBefore) {
    part = text.substr(0, cut_before(text, kHead));
    part += kGap;
    from = cut_before(text, at - kBefore);
  }
  const std::size_t end = cut_before(text, from + kLongestText - kGap.size() - part.size());
  part += text.substr(from, end - from);
  if (end < text.size()) part += kGap.substr(0, kGap.size() - 1);
  return part;
}

}  // namespace

std::pair<std::string, std::string> shortened(std::string_view a, std::string_view b) {
  std::pair<std::string, std::string> both(ends_of(a), ends_of(b));
  if (both.first != both.second || a == b) return both;
  const auto at = static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
  return {part_around(a, at), part_around(b, at)};
}

std::string told(std::string_view text) {
  return text.empty() ? "-" : std::string(text);
}

std::string told(std::span<const Token> names) {
  return names.empty() ? "-" : bracketed(names, name_text);
}

std::string told(const VariantChoices& choices) {
  std::string text;
  for (const auto& [set, variant] : choices) {
    append_item(text, format_text("{} = \"{}\"", set, variant));
  }
  return told(std::string_view(text));
}

std::string told(std::span<const SubLayer> layers) {
  if (layers.empty()) return "-";
  return bracketed(layers, [](const SubLayer& layer) {
    return format_text("@{}@{}", layer.asset.view(), offset_text(layer.offset));
  });
}

std::string told(std::span<const Relocate> relocates) {
  if (relocates.empty()) return "-";
  return bracketed(relocates, [](const Relocate& relocate) {
    return format_text("<{}>: <{}>", relocate.source.view(), relocate.target.view());
  });
}

std::string told(const ListOp<Path>& op) {
  return edits(op, path_text);
}

std::string told(const ListOp<Token>& op) {
  return edits(op, name_text);
}

std::string told(const ListOp<Reference>& op) {
  return edits(op, reference_text);
}

std::string told(const Spline* spline) {
  if (spline == nullptr) return "-";
  std::string text = format_text("{} knots", spline->knots.size());
  for (const Spline::Knot& knot : spline->knots) {
    if (text.size() > kMostSpelled) break;
    text += format_text(", {}: {}", knot.time, knot.value);
  }
  if (spline->loop) {
    text += format_text(", looped from {} to {}", spline->loop->prototype_start,
                        spline->loop->prototype_end);
  }
  return text;
}

std::string ValueTelling::spelled(const Value& value) const {
  if (const ListOp<Token>* const op = value.as_token_list_op()) return layer::told(*op);
  if (const ListOp<Value>* const op = value.as_list_op()) {
    return edits(*op, [this](const Value& item) { return spelled(item); });
  }
  const bool is_long = value.is_array() && value.size() > kMostElements;
  if (spell_ != nullptr && !is_long) return spell_(value);
  const std::string_view type = plain_type_name(value.type(), value.is_array());
  return value.is_array() ? format_text("{} of {} elements", type, value.size())
                          : std::string(type);
}

std::string ValueTelling::told(const Value* value) const {
  return value == nullptr || !value->has_value() ? "-" : spelled(*value);
}

std::pair<std::string, std::string> ValueTelling::told(const Value& a, const Value& b) const {
  const std::size_t size = element_size(a.type());
  const bool are_alike = a.is_array() && b.is_array() && a.type() == b.type() && size != 0 &&
                         a.bytes().size() == b.bytes().size();
  for (std::size_t i = 0; are_alike && i < a.size(); ++i) {
    const auto in_a = a.bytes().subspan(i * size, size);
    const auto in_b = b.bytes().subspan(i * size, size);
    if (std::memcmp(in_a.data(), in_b.data(), size) == 0) continue;
    const Value x = Value::scalar_of(a.type(), in_a);
    const Value y = Value::scalar_of(b.type(), in_b);
    if (same_value(x, y)) continue;
    return {format_text("[{}] of {}: {}", i, a.size(), spelled(x)),
            format_text("[{}] of {}: {}", i, b.size(), spelled(y))};
  }
  if (a.is_array() && b.is_array() && a.size() != b.size()) {
    return {format_text("{} elements", a.size()), format_text("{} elements", b.size())};
  }
  std::pair<std::string, std::string> both(told(&a), told(&b));
  if (both.first == both.second && (a.type() != b.type() || a.is_array() != b.is_array())) {
    both.first += format_text(" ({})", plain_type_name(a.type(), a.is_array()));
    both.second += format_text(" ({})", plain_type_name(b.type(), b.is_array()));
  }
  return both;
}

bool ValueTelling::is_source(const Value& source, const Value& value) const {
  if (spell_ == nullptr || source.type() != ElementType::unregistered || source.is_array()) {
    return false;
  }
  const std::string_view text = *source.text();
  const bool may_be = value.type() != ElementType::unregistered &&
                      !(value.is_array() && value.size() > text.size());
  return may_be && spell_(value) == text;
}

namespace {

std::string counted(const TimeSamples* samples) {
  if (samples == nullptr) return "-";
  return samples->times.empty() ? "no samples" : format_text("{} samples", samples->times.size());
}

}  // namespace

std::string ValueTelling::sample(const TimeSamples& samples, std::size_t index) const {
  if (index >= samples.times.size()) return counted(&samples);
  return format_text("{}: {}", samples.times[index], told(&samples.values[index]));
}

std::pair<std::string, std::string> ValueTelling::told(const TimeSamples* in_a,
                                                       const TimeSamples* in_b) const {
  if (in_a == nullptr || in_b == nullptr) return {counted(in_a), counted(in_b)};
  const TimeSamples& a = *in_a;
  const TimeSamples& b = *in_b;
  const std::size_t both = std::min(a.times.size(), b.times.size());
  std::size_t i = 0;
  const auto same_time = [&] { return i < both && same_double(a.times[i], b.times[i]); };
  while (same_time() && same_value(a.values[i], b.values[i])) ++i;
  if (same_time()) {
    const auto [x, y] = told(a.values[i], b.values[i]);
    return {format_text("{}: {}", a.times[i], x), format_text("{}: {}", b.times[i], y)};
  }
  return {sample(a, i), sample(b, i)};
}

}  // namespace sinew::layer
