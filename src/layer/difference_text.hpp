// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "sinew/layer/layer.hpp"
#include "sinew/layer/spline.hpp"

namespace sinew::layer {

// What one layer says, for Difference: "-" where it says nothing.

/// Each at most 80 bytes: what is longer is cut in the middle, between characters, or, where both
/// would read the same then, to its start and what stands around the first byte that differs.
std::pair<std::string, std::string> shortened(std::string_view a, std::string_view b);

std::string told(std::string_view text);
std::string told(std::span<const Token> names);
/// The variants chosen of variant sets.
using VariantChoices = std::set<std::pair<std::string_view, std::string_view>>;

std::string told(const VariantChoices& choices);
std::string told(std::span<const SubLayer> layers);
std::string told(std::span<const Relocate> relocates);
std::string told(const ListOp<Path>& op);
std::string told(const ListOp<Token>& op);
std::string told(const ListOp<Reference>& op);
std::string told(const Spline* spline);

/// Values, spelled by a function or, where it is null, by their types and sizes.
class ValueTelling {
 public:
  using Spell = std::string (*)(const Value&);
  explicit ValueTelling(Spell spell) noexcept : spell_(spell) {}

  std::string told(const Value* value) const;
  /// Of two values that differ. Arrays as long as each other are told by the first element that
  /// is not the same, values that are spelled alike by their types as well.
  std::pair<std::string, std::string> told(const Value& a, const Value& b) const;
  /// Of samples that differ: the first that is not the same, or how many there are. Null for a
  /// property that has none.
  std::pair<std::string, std::string> told(const TimeSamples* a, const TimeSamples* b) const;

  /// Whether `source` is the source of unregistered metadata, and that of `value`.
  bool is_source(const Value& source, const Value& value) const;

 private:
  std::string spelled(const Value& value) const;
  std::string sample(const TimeSamples& samples, std::size_t index) const;

  Spell spell_;
};

}  // namespace sinew::layer
