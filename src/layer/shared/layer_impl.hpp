// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "layer/shared/arena.hpp"
#include "layer/shared/name_table.hpp"
#include "sinew/core/assert.hpp"
#include "sinew/layer/layer.hpp"

namespace sinew::layer {

/// What a layer owns. Filled by readers and LayerBuilder through LayerAssembly, read-only
/// afterwards.
struct Layer::Impl {
  /// Prims with more children or properties than this are found through the hash tables below.
  static constexpr std::size_t kScanLimit = 16;

  std::string identifier;
  std::shared_ptr<TokenTable> tokens;
  int version = 10;
  bool complete = true;
  bool has_fills = false;  ///< Whether sizes of array edits fill arrays; of files alone.
  std::size_t prim_count = 0;
  /// Counted by values that are made when they are first used; null: there are none.
  std::shared_ptr<const std::atomic<std::size_t>> damaged_values;

  Arena arena;
  std::deque<PrimExtra> prim_extras;
  std::deque<PropertyExtra> property_extras;
  std::deque<Value*> owners;  // Values in the arena that have to be destroyed.
  NameTable child_places;
  NameTable property_places;

  PrimSpec* root = nullptr;
  std::vector<SubLayer> sub_layers;
  std::vector<Relocate> relocates;

  Impl();
  ~Impl();
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  PrimSpec* new_prim();
  std::span<const Field> keep_fields(std::span<Field> fields);
  std::span<const PropertySpec> keep_properties(std::span<PropertySpec> properties);
  std::span<const PrimSpec* const> keep_children(std::span<PrimSpec* const> children);
  PrimExtra& extra(PrimSpec& prim);
  PropertyExtra& extra(PropertySpec& property);
  /// Enters the children and properties of a finished prim into the tables if they are many, except
  /// for the first ones, as many as given, which are known already.
  void index_names(const PrimSpec& prim, std::size_t children_known = 0,
                   std::size_t properties_known = 0);
};

/// Gives the code that fills layers access to them.
struct LayerAccess {
  static LayerPtr make(std::unique_ptr<Layer::Impl> impl) {
    return LayerPtr(new Layer(std::move(impl)));
  }
  /// Makes a property like `known` of the same layer at `place`, in its arena. What the values hold
  /// stays that of `known`, which is among the owners or holds nothing; the new one is not.
  static PropertySpec& repeat(const PropertySpec& known, PropertySpec* place) noexcept {
    PropertySpec& made = repeat_all_but_default(known, place);
    made.default_value.borrow(known.default_value);
    return made;
  }
  /// The same without the default value, for one that has its own.
  static PropertySpec& repeat_all_but_default(const PropertySpec& known,
                                              PropertySpec* place) noexcept {
    PropertySpec& made = *::new (place) PropertySpec;
    made.type_name = known.type_name;
    made.extra = known.extra;
    made.fields = known.fields;
    made.line = known.line;
    made.kind = known.kind;
    made.variability = known.variability;
    made.custom = known.custom;
    return made;
  }
  /// Value::scalar_of(), made in its place.
  static void set_scalar(Value& value, ElementType type, std::span<const std::byte> bytes) {
    SINEW_ASSERT(bytes.size() == element_size(type));
    if (value.has_value()) value = {};
    value.hold_scalar(type, bytes.data(), bytes.size());
  }
  static bool has_fills(const Layer& layer) noexcept { return layer.impl_->has_fills; }
  using Impl = Layer::Impl;
};

}  // namespace sinew::layer
