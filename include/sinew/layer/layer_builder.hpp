// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "sinew/core/export.hpp"
#include "sinew/core/result.hpp"
#include "sinew/core/token.hpp"
#include "sinew/layer/layer.hpp"

namespace sinew::layer {

/// Makes a layer in memory, e.g. to write results with usda::write(). Only memory limits its size.
///
///     LayerBuilder builder("baked.usda");
///     auto mesh = builder.add_prim(builder.root(), Specifier::def, "Mesh", "body");
///     builder.set_default(*mesh, "point3f[]", "points", value);
///     LayerPtr layer = std::move(builder).finish();
///
/// Handles are valid until finish(). Values that hold Tokens must have those of tokens(), or of a
/// table that lives as long as the layer. Not thread-safe.
class SINEW_API LayerBuilder {
 public:
  struct Prim;  ///< A prim under construction; opaque.

  explicit LayerBuilder(std::string identifier, std::shared_ptr<TokenTable> tokens = nullptr);
  /// Handles stay valid; `other` may only be assigned to or destroyed.
  LayerBuilder(LayerBuilder&& other) noexcept;
  LayerBuilder& operator=(LayerBuilder&& other) noexcept;  ///< Handles of `other` stay valid.
  ~LayerBuilder();

  /// Where the names of the layer are interned: the table given, or one of its own.
  TokenTable& tokens() noexcept;
  /// The root of the layer, valid until finish().
  Prim* root() noexcept;

  /// @return The prim; or `invalid_argument` if the name is not an identifier or already taken.
  Result<Prim*> add_prim(Prim* parent, Specifier specifier, std::string_view type_name,
                         std::string_view name);

  /// Sets metadata of a prim, or of the layer when `prim` is root().
  void set_field(Prim* prim, std::string_view key, Value value);
  /// Creates the attribute if needed. `invalid_argument` if the name is not a property name, the
  /// type does not fit the value, or it exists with another type. Types that USD does not know take
  /// any value; what files cannot say of it, writers leave out and tell.
  Status set_default(Prim* prim, std::string_view type_name, std::string_view name, Value value,
                     Variability variability = Variability::varying);
  /// Creates the attribute if needed, and replaces its samples. `size_mismatch` if there are not as
  /// many values as times; `invalid_argument` if times do not ascend, or as set_default().
  Status set_time_samples(Prim* prim, std::string_view type_name, std::string_view name,
                          TimeSamples samples);
  /// Metadata of an existing property.
  Status set_property_field(Prim* prim, std::string_view name, std::string_view key, Value value);
  /// Targets of a relationship, which is created if needed; of an existing attribute, its
  /// connections. Those given before are replaced. `invalid_argument` if the name is not a property
  /// name.
  Status set_targets(Prim* prim, std::string_view name, ListOp<Path> targets);
  /// Arcs, variant selections and ordering of a prim.
  PrimExtra& extra(Prim* prim);
  /// Adds a sublayer behind, i.e. weaker than, those added before.
  void add_sub_layer(SubLayer sub_layer);

  /// Ends construction. The builder may only be assigned to or destroyed afterwards.
  LayerPtr finish() &&;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sinew::layer
