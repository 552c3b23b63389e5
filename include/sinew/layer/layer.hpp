// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sinew/core/export.hpp"
#include "sinew/core/token.hpp"
#include "sinew/layer/list_op.hpp"
#include "sinew/layer/path.hpp"
#include "sinew/layer/spline.hpp"
#include "sinew/layer/value.hpp"

namespace sinew::layer {

// Data only: what one file says, as it says it. No composition, no fallbacks, no other files.
// All specs live in the arena of their Layer and are valid as long as it is.

/// What a prim spec does to a prim.
enum class Specifier : std::uint8_t {
  def,     ///< Defines a prim.
  over,    ///< States opinions about a prim that may be defined elsewhere.
  class_,  ///< Defines an abstract prim.
};

/// "def", "over" or "class".
SINEW_API std::string_view to_string(Specifier specifier) noexcept;

/// Whether an attribute may have samples over time; `uniform` says that it should not.
enum class Variability : std::uint8_t { varying, uniform };

/// Maps time: outer = inner * scale + offset.
struct LayerOffset {
  double offset = 0.0;  ///< In time codes of the outer layer.
  double scale = 1.0;   ///< Negative ones turn time around.
  /// Whether both numbers are equal.
  friend bool operator==(const LayerOffset&, const LayerOffset&) = default;
};

/// One metadata entry, e.g. `kind = "component"` or `customData = { ... }`. The key is the field's
/// full name: "documentation" for `doc`, "comment" for the bare string.
struct Field {
  Token key;               ///< The full name of the field.
  Value value;             ///< As written; list edits and dictionaries are special forms of Value.
  std::uint32_t line = 0;  ///< 1-based; 0 if it was not read from text.
};

/// One item of `references` or `payload`.
struct Reference {
  Token asset;             ///< Empty: the same layer stack (an internal reference).
  Path prim_path;          ///< Empty: the target layer's defaultPrim.
  LayerOffset offset;      ///< From the time of the referenced layer to the time of this one.
  Value custom_data;       ///< Dictionary, references only; no value if not authored.
  std::uint32_t line = 0;  ///< 1-based; 0 if it was not read from text.
  /// Whether both say the same; lines do not count, names compare by text.
  friend bool operator==(const Reference& a, const Reference& b) noexcept {
    return a.asset.view() == b.asset.view() && a.prim_path == b.prim_path && a.offset == b.offset &&
           a.custom_data == b.custom_data;
  }
};

/// One layer of `subLayers`.
struct SubLayer {
  Token asset;             ///< As written, not resolved.
  LayerOffset offset;      ///< From the time of the sublayer to the time of this one.
  std::uint32_t line = 0;  ///< 1-based; 0 if it was not read from text.
};

/// One entry of `relocates`: a prim moves to another place in the namespace.
struct Relocate {
  Path source;  ///< Where it was, before relocation.
  Path target;  ///< Empty: the prim is removed.
  /// Whether both paths are equal.
  friend bool operator==(const Relocate&, const Relocate&) = default;
};

/// Times ascending and distinct; values parallel to them, a block where the value is None.
struct TimeSamples {
  std::vector<double> times;  ///< Time codes of this layer.
  std::vector<Value> values;  ///< As many as times, all of the type of the attribute or blocks.
};

/// What few properties have.
struct PropertyExtra {
  bool has_time_samples = false;  ///< Samples were stated, possibly none.
  /// Empty without samples, and where the samples are stated as an empty list.
  TimeSamples time_samples;
  std::unique_ptr<const Spline> spline;  ///< Null if there is none.
  ListOp<Path> targets;                  ///< Relationship targets, or connections of attributes.
};

/// An attribute or a relationship.
struct PropertySpec {
  /// What a property is.
  enum class Kind : std::uint8_t { attribute, relationship };  ///< What a property is.

  Token name;                            ///< With its namespaces: "xformOp:translate".
  Token type_name;                       ///< As written, e.g. "point3f[]"; empty for relationships.
  Value default_value;                   ///< No value if none is authored; a block for `None`.
  const PropertyExtra* extra = nullptr;  ///< Null if it has none of these.
  std::span<const Field> fields;         ///< Metadata, in authored order.
  std::uint32_t line = 0;       ///< Of the first statement, 1-based; 0 if not read from text.
  Kind kind = Kind::attribute;  ///< A relationship has no values, only targets.
  Variability variability = Variability::varying;  ///< As authored; relationships are uniform.
  bool custom = false;  ///< Whether it is declared `custom`, i.e. part of no schema.

  /// Whether it has values; else it is a relationship.
  bool is_attribute() const noexcept { return kind == Kind::attribute; }
  /// Non-empty time samples, or null.
  const TimeSamples* time_samples() const noexcept {
    return extra != nullptr && !extra->time_samples.times.empty() ? &extra->time_samples : nullptr;
  }
  /// The curve of the attribute, or null.
  const Spline* spline() const noexcept { return extra != nullptr ? extra->spline.get() : nullptr; }
  /// Targets or connections with any opinion, or null.
  const ListOp<Path>* targets() const noexcept {
    return extra != nullptr && !extra->targets.empty() ? &extra->targets : nullptr;
  }
};

struct PrimSpec;

/// One variant of a set.
struct VariantSpec {
  Token name;  ///< Any text that is a variant name, which may begin with a digit.
  const PrimSpec* prim = nullptr;  ///< Its contents; named as the variant, specifier over.
};

/// The variants that a prim offers under one name.
struct VariantSetSpec {
  Token name;                         ///< The name of the set.
  std::vector<VariantSpec> variants;  ///< In authored order.
};

/// What few prims have: composition arcs, variants, ordering.
struct PrimExtra {
  ListOp<Reference> references;  ///< Edits of `references`.
  ListOp<Reference> payloads;    ///< Edits of `payload`.
  ListOp<Path> inherits;         ///< Edits of `inherits`, absolute paths.
  ListOp<Path> specializes;      ///< Edits of `specializes`, absolute paths.
  /// Edits of `variantSets`, the names alone; a set may be named here and defined elsewhere.
  ListOp<Token> variant_set_names;
  std::vector<std::pair<Token, Token>> variant_selections;  ///< (set, variant); "": select none.
  /// Sets that this spec defines variants of, in authored order.
  std::vector<VariantSetSpec> variant_sets;
  std::vector<Relocate> relocates;    ///< Legacy, kept but not composed.
  std::vector<Token> child_order;     ///< `reorder nameChildren`; on the root, `rootPrims`.
  std::vector<Token> property_order;  ///< `reorder properties`.
};

/// A prim, a variant, or the root of a layer. All names in one prim are distinct, children and
/// properties separately.
struct PrimSpec {
  Token name;                                 ///< Empty for the root.
  Token type_name;                            ///< Empty if not authored.
  const PrimSpec* parent = nullptr;           ///< Null for the root; of a variant, its prim.
  std::span<const PrimSpec* const> children;  ///< In authored order; variants not included.
  std::span<const PropertySpec> properties;   ///< In authored order.
  /// Metadata, in authored order; arcs and variants are in `extra`.
  std::span<const Field> fields;
  const PrimExtra* extra = nullptr;       ///< Null if it has none of these.
  std::uint32_t line = 0;                 ///< 1-based; 0 if it was not read from text.
  Specifier specifier = Specifier::over;  ///< Of a variant and of the root: `over`.
  bool is_variant = false;  ///< Whether it is the contents of a variant, whose name it has.

  /// The field `key`, or null. O(fields).
  const Value* field(std::string_view key) const noexcept;
};

/// The field `key` of a list, or null. O(n).
SINEW_API const Value* find_field(std::span<const Field> fields, std::string_view key) noexcept;

/// One file, or what LayerBuilder made. Immutable; safe to share between threads.
class SINEW_API Layer {
 public:
  ~Layer();
  Layer(const Layer&) = delete;
  Layer& operator=(const Layer&) = delete;

  /// As given when it was read, usually the path of the file.
  const std::string& identifier() const noexcept;

  /// The version of the file format that the file states, 10 for 1.0, 13 for 1.3; 10 if it was
  /// built in memory.
  int version() const noexcept;

  /// False if reading stopped at an error and what came before was kept.
  bool complete() const noexcept;

  /// Values that turned out to be damaged when they were first used; they read as empty arrays.
  /// Only layers of binary files have any, see usdc::read().
  std::size_t damaged_values() const noexcept;

  /// The root: its fields are the layer's metadata, its children the root prims.
  const PrimSpec& root() const noexcept;

  /// Layer metadata, e.g. "upAxis"; null if not authored.
  const Value* field(std::string_view key) const noexcept;

  /// In authored order, the strongest first; empty if there are none.
  std::span<const SubLayer> sub_layers() const noexcept;
  /// Layer relocates, in authored order; those of prims are in PrimExtra.
  std::span<const Relocate> relocates() const noexcept;

  /// The child prim of that name, or null. O(1) expected. The token must come from tokens().
  const PrimSpec* find_child(const PrimSpec& parent, Token name) const noexcept;
  /// The property of that name, or null. O(1) expected.
  const PropertySpec* find_property(const PrimSpec& prim, Token name) const noexcept;
  /// The prim or variant at an absolute path, or null: "/A/B", "/A{set=name}B".
  const PrimSpec* find_prim(std::string_view path) const noexcept;
  /// The variant, or null.
  const PrimSpec* find_variant(const PrimSpec& prim, Token set, Token variant) const noexcept;

  /// Number of prims and variants, the root not counted.
  std::size_t prim_count() const noexcept;

  /// Owns the text of every token in the layer.
  const std::shared_ptr<TokenTable>& tokens() const noexcept;

  /// The path of a prim or variant of this layer. O(depth).
  static Path path_of(const PrimSpec& prim);

 private:
  friend struct LayerAccess;
  struct Impl;
  explicit Layer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

using LayerPtr = std::shared_ptr<const Layer>;  ///< How layers are held and shared.

/// Whether two layers say the same: same specs in the same order with equal fields and values.
/// Text positions, identifiers and token tables do not count.
SINEW_API bool equal(const Layer& a, const Layer& b);

}  // namespace sinew::layer
