// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "physics/read/names.hpp"
#include "sinew/layer/layer.hpp"
#include "sinew/stage/prim.hpp"

namespace sinew::physics {

/// The properties of one prim that reading may ask for, collected in one pass over what is
/// authored: asking for a name is then an array look-up, and asking for one that is not authored
/// costs nothing. Other prims are asked by name.
class PrimProperties {
 public:
  explicit PrimProperties(const Names& names);

  /// Makes `prim` the prim whose properties are at hand.
  void collect(const stage::Prim& prim);

  /// As Prim::default_value().
  const layer::Value* value(const stage::Prim& prim, const Name& name, layer::Value& made) const {
    if (prim != prim_) return prim.default_value(name.token, made);
    const Slot& slot = slots_[name.number];
    if (slot.spec == nullptr) return nullptr;
    if (slot.state == State::many) return prim.default_value(name.token, made);
    const layer::Value& value = slot.spec->default_value;
    const bool plain = slot.spec->is_attribute() && value.has_value() && !is_special(value);
    return plain ? &value : prim.default_value(name.token, made);
  }

  /// As Prim::default_value() with the types that are wanted; for when value() gives another.
  const layer::Value* value(const stage::Prim& prim, const Name& name, layer::Value& made,
                            stage::ValueTypes wanted) const {
    return prim.default_value(name.token, made, wanted);
  }

  /// Whether there is no value because the strongest opinion, other than of types that are not
  /// wanted, is a block. Asked where value() gives none, it costs nothing without an opinion.
  bool is_blocked(const stage::Prim& prim, const Name& name, stage::ValueTypes wanted) const {
    return may_have(prim, name) && finds_block(prim, name, wanted);
  }

  /// Whether the prim has an attribute of that name.
  bool has_attribute(const stage::Prim& prim, const Name& name) const {
    if (prim != prim_) return prim.attribute(name.token).valid();
    const Slot& slot = slots_[name.number];
    return slot.spec != nullptr && slot.spec->is_attribute();
  }

  /// Whether the prim may have a property of that name, such as a relationship with targets.
  bool may_have(const stage::Prim& prim, const Name& name) const {
    return prim == prim_ ? slots_[name.number].spec != nullptr : !name.empty();
  }

  /// The targets of a relationship, where they stand in one list as they are; else null, and
  /// Relationship::targets() has to be asked.
  const std::vector<layer::Path>* plain_targets(const stage::Prim& prim, const Name& name) const;

  /// Whether the prim at hand has a property of the namespace material:binding.
  bool binds_material() const noexcept { return binds_material_; }

 private:
  // How far the opinion of a slot is the value on the stage.
  enum class State : std::uint8_t {
    plain,   // The only one, and nothing is mapped.
    mapped,  // The only one; paths have to be mapped.
    many,    // Others stand behind it, or its times have to be mapped.
  };
  struct Slot {
    const layer::PropertySpec* spec = nullptr;
    State state = State::plain;
  };
  struct Known {
    Token token;
    std::uint8_t number = 0;
  };
  static constexpr std::uint8_t kOther = 0;
  static constexpr std::uint8_t kBinding = 255;
  static_assert(Names::kMost < kBinding);

  static bool is_special(const layer::Value& value) noexcept {
    return value.is_block() || value.type() == layer::ElementType::animation_block ||
           value.as_array_edit() != nullptr;
  }
  static bool finds_block(const stage::Prim& prim, const Name& name, stage::ValueTypes wanted);
  std::uint8_t number_of(Token name);
  void add(Token name, std::uint8_t number);

  stage::Prim prim_;
  bool binds_material_ = false;
  std::array<Slot, Names::kMost> slots_;
  std::vector<std::uint8_t> used_;  // Numbers whose slots are filled in.
  // Numbers of all property names met so far, hashed with linear probing; a power of two.
  std::vector<Known> table_;
  std::size_t known_ = 0;
};

}  // namespace sinew::physics
