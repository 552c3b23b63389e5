// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/core/diagnostic.hpp"
#include "sinew/layer/layer.hpp"
#include "sinew/stage/prim.hpp"
#include "sinew/stage/stage.hpp"
#include "stage/shared/local_value.hpp"

namespace sinew::stage {

/// A name that a reader asks for, and its number among those. A name that no layer mentions has the
/// empty token, which no prim has a property of, and number 0.
struct PropertyName {
  Token token;
  std::uint8_t number = 0;

  bool empty() const noexcept { return token.empty(); }
  std::string_view view() const noexcept { return token.view(); }
};

/// The names that a reader asks for, looked up once per stage.
class PropertyNames {
 public:
  /// Numbers are below this.
  static constexpr std::size_t kMost = 192;

  explicit PropertyNames(const Stage& stage) : stage_(&stage) {}

  /// Numbers a name. At most kMost - 1 different ones.
  PropertyName find(std::string_view text);

  const Stage& stage() const noexcept { return *stage_; }
  /// By number - 1.
  std::span<const Token> tokens() const noexcept { return tokens_; }

 private:
  const Stage* stage_;
  std::vector<Token> tokens_;
};

/// The properties of one prim that a reader may ask for, collected in one pass over what is
/// authored: asking for a name is then an array look-up, and asking for one that is not authored
/// costs nothing. Other prims are asked by name.
///
/// An opinion that is the only one is the answer. Where there are several, the stage
/// is asked which one counts. Not thread-safe; use one per thread.
class PropertyTable {
 public:
  /// @param watched  A prefix of names to watch for, see has_watched(); may be empty.
  explicit PropertyTable(const PropertyNames& names, std::string_view watched = {});

  /// Makes `prim` the prim whose properties are at hand.
  void collect(const Prim& prim);

  /// As default_value().
  const layer::Value* value(const Prim& prim, const PropertyName& name, layer::Value& made) const {
    if (prim == prim_) {
      const Slot& slot = slots_[name.number];
      if (slot.spec == nullptr) return nullptr;
      if (slot.is_only && holds_value(*slot.spec)) return &slot.spec->default_value;
    }
    return default_value(prim, name.token, made);
  }

  /// As default_value() with the types that are wanted; for when the first gives another.
  const layer::Value* value(const Prim& prim, const PropertyName& name, layer::Value& made,
                            ValueTypes wanted) const {
    return default_value(prim, name.token, made, wanted);
  }

  /// Whether there is no value because the strongest opinion, other than of types that are not
  /// wanted, is a block. Asked where value() gives none, it costs nothing without an opinion.
  bool is_blocked(const Prim& prim, const PropertyName& name, ValueTypes wanted) const {
    return may_have(prim, name) && finds_block(prim, name, wanted);
  }

  /// Whether the prim has an attribute of that name.
  bool has_attribute(const Prim& prim, const PropertyName& name) const {
    if (prim != prim_) return prim.attribute(name.token).valid();
    const Slot& slot = slots_[name.number];
    return slot.spec != nullptr && slot.spec->is_attribute();
  }

  /// Whether the prim may have a property of that name, such as a relationship with targets.
  bool may_have(const Prim& prim, const PropertyName& name) const {
    return prim == prim_ ? slots_[name.number].spec != nullptr : !name.empty();
  }

  /// The targets of a relationship, where one list holds them as they are; else null, and
  /// Relationship::targets() has to be asked.
  const std::vector<layer::Path>* plain_targets(const Prim& prim, const PropertyName& name) const;

  /// The targets of a relationship; `made` holds them where no layer does. What is wrong with them
  /// goes to `diagnostics`, which may be null.
  const std::vector<layer::Path>& targets(const Prim& prim, const PropertyName& name,
                                          std::vector<layer::Path>& made,
                                          Diagnostics* diagnostics) const;

  /// Whether the prim at hand has a property whose name begins with the watched prefix.
  bool has_watched() const noexcept { return has_watched_; }

 private:
  // What is authored under one name.
  struct Slot {
    const layer::PropertySpec* spec = nullptr;  // The strongest.
    bool is_only = false;
    bool is_mapped = false;  // Paths have to be mapped.
  };
  struct Known {
    Token token;
    std::uint8_t number = 0;
  };
  static constexpr std::uint8_t kOther = 0;
  static constexpr std::uint8_t kWatched = 255;
  static_assert(PropertyNames::kMost < kWatched);

  static bool finds_block(const Prim& prim, const PropertyName& name, ValueTypes wanted);
  std::uint8_t number_of(Token name);
  void add(Token name, std::uint8_t number);

  std::string watched_;
  Prim prim_;
  bool has_watched_ = false;
  std::array<Slot, PropertyNames::kMost> slots_;
  std::vector<std::uint8_t> used_;  // Numbers whose slots are filled in.
  // Numbers of all property names met so far, hashed with linear probing; a power of two.
  std::vector<Known> table_;
  std::size_t known_ = 0;
};

}  // namespace sinew::stage
