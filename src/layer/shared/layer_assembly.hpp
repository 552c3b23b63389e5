// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "layer/shared/layer_impl.hpp"
#include "sinew/core/limits.hpp"

namespace sinew::layer {

/// Puts a layer together from statements in the order of a file. Prims open and close like its
/// braces, the root being open from the start; what is stated belongs to the innermost open prim.
///
/// Names stay distinct and limits are kept whatever is stated: a call that would break one is
/// refused, which changes nothing, returns null or false, and leaves the reason in refusal().
class LayerAssembly {
 public:
  struct Refusal {
    enum class Reason : std::uint8_t {
      limit,           ///< More than Limits allows.
      duplicate_name,  ///< The prim has a child of that name.
      other_kind,      ///< A property is stated as an attribute and as a relationship.
    };
    Reason reason = Reason::limit;
    std::string message;  ///< One sentence.
  };

  /// @param tokens  Null: a table of the layer's own.
  LayerAssembly(std::string identifier, std::shared_ptr<TokenTable> tokens, const Limits& limits);

  /// Why the last refused call was refused.
  const Refusal& refusal() const noexcept { return refusal_; }

  const std::string& identifier() const noexcept { return layer_->identifier; }
  TokenTable& tokens() noexcept { return *layer_->tokens; }
  Token intern(std::string_view text) { return layer_->tokens->intern(text); }

  // --- The layer as a whole.
  void note_fills() noexcept { layer_->has_fills = true; }
  void set_version(int version) noexcept { layer_->version = version; }
  std::vector<SubLayer>& sub_layers() noexcept { return layer_->sub_layers; }
  std::vector<Relocate>& relocates() noexcept { return layer_->relocates; }

  // --- Prims.
  /// The innermost open prim or variant.
  PrimSpec& prim() noexcept { return *frames_.back().prim; }
  const PrimSpec& prim() const noexcept { return *frames_.back().prim; }
  /// Opens a new child of the open prim.
  PrimSpec* push_prim(std::string_view name);
  /// Opens a variant of the open prim, again if it was closed before.
  PrimSpec* push_variant(std::size_t set_index, Token name);
  /// Closes the innermost prim; the root is closed by finish().
  void pop_prim();
  /// What few prims have, for the open prim.
  PrimExtra& extra() { return layer_->extra(prim()); }
  /// The place of a variant set of the open prim, which is made if it is new.
  bool declare_variant_set(Token name, std::size_t& set_index);
  bool select_variant(Token set, Token variant);

  // --- Properties of the open prim.
  struct Declared {
    PropertySpec* spec = nullptr;  ///< Null: refused. Valid until something else is opened.
    bool is_new = false;
  };
  Declared declare_property(Token name, PropertySpec::Kind kind);
  /// What few properties have, for this one to change.
  PropertyExtra& extra(PropertySpec& property);
  /// Lets a property that has none share the extra of another, which has targets and nothing else.
  void share_extra(PropertySpec& property, const PropertyExtra& extra);

  // --- Fields of the open property, else of the open prim.
  /// Opens a property for its fields. Those it has already remain.
  void push_fields(const PropertySpec& property);
  void pop_fields(PropertySpec& property);
  /// The value of a field stated before, or null.
  const Value* find_field(Token key) noexcept;
  bool set_field(Token key, Value value, std::uint32_t line = 0);

  /// Closes whatever is open. Nothing else may be called afterwards.
  LayerPtr finish(bool complete = true);

 private:
  // An open prim. Its children, properties and fields are the tops of the stacks.
  struct Frame {
    PrimSpec* prim = nullptr;
    std::size_t first_child = 0;
    std::size_t first_property = 0;
    std::size_t first_field = 0;
    // How many are in the layer's tables of names, where they are too many to scan.
    std::size_t children_known = 0;
    std::size_t properties_known = 0;
  };

  bool may_push(std::string_view what);
  void push_frame(PrimSpec* prim);
  void reopen_frame(PrimSpec* prim);
  bool has_child(Frame& frame, Token name);
  std::span<Field> open_fields() noexcept;
  PropertySpec* find_property(Frame& frame, Token name);
  bool refuse(Refusal::Reason reason, std::string message);
  bool refuse_limit(std::string_view what, std::uint64_t limit);

  Limits limits_;
  std::unique_ptr<LayerAccess::Impl> layer_;
  Refusal refusal_;

  std::vector<Frame> frames_;
  std::vector<PrimSpec*> children_;
  std::vector<PropertySpec> properties_;
  std::vector<Field> fields_;
  std::vector<Field> property_fields_;  // Of the open property.
  bool property_open_ = false;
  std::size_t open_variants_ = 0;
  std::unordered_set<const PropertyExtra*> shared_extras_;  // Of more than one property.
};

/// Whether a prim is a variant or inside one; false for null.
bool is_inside_variant(const PrimSpec* prim) noexcept;

}  // namespace sinew::layer
