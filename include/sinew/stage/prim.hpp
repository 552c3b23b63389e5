// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/core/diagnostic.hpp"
#include "sinew/core/export.hpp"
#include "sinew/core/token.hpp"
#include "sinew/layer/layer.hpp"
#include "sinew/layer/path.hpp"
#include "sinew/layer/value.hpp"
#include "sinew/stage/attribute.hpp"
#include "sinew/stage/schema.hpp"
#include "sinew/stage/time.hpp"

namespace sinew::stage {

class Stage;
class PrimRange;

/// Which prims a traversal visits. A prim that fails hides its descendants.
struct Traversal {
  bool inactive = false;          ///< Also prims that are not active (they have no descendants).
  bool undefined = false;         ///< Also prims made of `over`s only.
  bool abstract = false;          ///< Also classes.
  bool unloaded = false;          ///< Also prims whose payload was skipped.
  bool instance_proxies = false;  ///< Also what lies below instances.

  /// Active, loaded, defined, not abstract; instances are visited, what lies below them is not.
  static constexpr Traversal standard() noexcept { return {}; }
  /// As standard(), and below instances too.
  static constexpr Traversal with_instance_proxies() noexcept {
    return {false, false, false, false, true};
  }
  /// Everything.
  static constexpr Traversal all() noexcept { return {true, true, true, true, true}; }
};

/// A handle to a composed prim, or to none. Small; pass by value. Valid as long as the stage.
///
/// What lies below an instance exists once, in a prototype that has no path; seen through an
/// instance it is an instance proxy: same opinions, with the path, ancestors and inherited state of
/// the instance. Every path that this class gives or takes is that of an ordinary prim or proxy.
class SINEW_API Prim {
 public:
  Prim() = default;

  /// Whether it stands for a prim, be it the root.
  bool valid() const noexcept { return stage_ != nullptr; }
  /// The same as valid().
  explicit operator bool() const noexcept { return valid(); }

  // Of an invalid prim texts and lists are empty, handles are invalid and answers are no. Functions
  // elsewhere that take a prim take it for one that says nothing.

  /// The stage it belongs to. Precondition: valid().
  const Stage& stage() const noexcept { return *stage_; }
  /// O(depth); makes the text.
  layer::Path path() const;
  /// The last element of its path; empty for the root.
  Token name() const noexcept;
  /// Whether it is the nameless prim above all others; also yes of an invalid prim, so that walks
  /// upwards end.
  bool is_root() const noexcept;

  Token type_name() const noexcept;  ///< Empty if no opinion gives one.
  /// The type if it is a known schema type and not an abstract one, else SchemaType::unknown.
  SchemaType schema_type() const noexcept;
  /// Whether the type is, or derives from, a known schema type. Unknown types are nothing.
  bool is_a(SchemaType type) const noexcept;
  /// As composed: `over` only if no opinion says more.
  layer::Specifier specifier() const noexcept;
  /// False if `active = false` is in force; such a prim has no descendants.
  bool is_active() const noexcept;
  bool is_defined() const noexcept;   ///< def or class, as are all its ancestors.
  bool is_abstract() const noexcept;  ///< class, or below one.
  /// False where a payload, of the prim or of one above it, was skipped.
  bool is_loaded() const noexcept;
  bool is_instance() const noexcept;        ///< Shares its descendants with other instances.
  bool is_instance_proxy() const noexcept;  ///< Lies below an instance.
  bool instanceable() const noexcept;       ///< The metadata field, composed.
  /// Whether a traversal with these settings would visit it, its ancestors aside.
  bool matches(const Traversal& traversal) const noexcept;

  /// Names in composed order as authored: unknown ones too, built-in ones not.
  std::span<const Token> authored_api_schemas() const noexcept;
  /// Whether an API schema applies: authored, or built into the type or into another API. Multiple
  /// apply: "PhysicsLimitAPI:rotX". Unknown schema names count only under their authored spelling.
  bool has_api(std::string_view schema) const noexcept;

  Prim parent() const noexcept;  ///< Invalid for the root.
  /// The child of that name, active or not; invalid if there is none.
  Prim child(Token name) const noexcept;
  /// The same by text.
  Prim child(std::string_view name) const noexcept;
  /// Children in composed order; those of an instance are proxies.
  std::vector<Prim> children(const Traversal& traversal = Traversal::standard()) const;
  /// First child and next sibling among all children, without allocating; invalid at the end.
  Prim first_child() const noexcept;
  /// Invalid after the last sibling, and for the root.
  Prim next_sibling() const noexcept;
  /// This prim and everything below it, depth first, parents first.
  PrimRange descendants(const Traversal& traversal = Traversal::standard()) const noexcept;

  /// The property of that name if any opinion mentions it; else an invalid handle.
  Attribute attribute(std::string_view name) const noexcept;
  /// The same by token, which must be one of the stage, see Stage::find_token().
  Attribute attribute(Token name) const noexcept;
  /// The relationship of that name; invalid if nothing mentions it, or the strongest opinion is an
  /// attribute.
  Relationship relationship(std::string_view name) const noexcept;
  /// The same by token.
  Relationship relationship(Token name) const noexcept;
  /// Names of authored properties in composed order (dictionary order, then `reorder properties`).
  std::vector<Token> property_names() const;
  /// Whether any opinion mentions a property whose name starts with `prefix`. Never allocates.
  bool has_property_in_namespace(std::string_view prefix) const noexcept;
  /// All attributes, but for those that are relationships by the prim's schemas.
  std::vector<Attribute> attributes() const;
  /// All properties whose strongest opinion is a relationship, in composed order, but for those
  /// that are attributes by the prim's schemas.
  std::vector<Relationship> relationships() const;

  /// Metadata composed over all opinions: dictionaries merge key by key, list operations apply, of
  /// anything else the strongest counts. No value if not authored.
  layer::Value metadata(std::string_view key) const;

  /// Every prim spec that has opinions about this prim, strongest first. Empty for the root of a
  /// stage whose layers say nothing.
  std::vector<PrimOpinion> explain() const;

  /// Variant sets in composed order, each with the selection in force ("" if none).
  std::vector<std::pair<Token, Token>> variant_selections() const;

  /// One number per prim or proxy of a stage: equal exactly if the handles are. For hash maps.
  std::size_t hash() const noexcept;
  /// Equal handles name the same prim of the same stage.
  friend bool operator==(const Prim&, const Prim&) = default;

  /// Index of the composed prim that this handle shows: the same for all proxies of one prototype
  /// prim, below Stage::Impl's node count. For tables indexed by prim.
  std::uint32_t node() const noexcept { return node_; }
  /// 0 for ordinary prims; tells proxies of one prototype prim apart.
  std::uint64_t instance_context() const noexcept { return context_; }

 private:
  friend class Stage;
  friend class PrimRange;
  friend struct StageAccess;
  Prim(const Stage* stage, std::uint32_t node, std::uint64_t context) noexcept
      : stage_(stage), context_(context), node_(node) {}

  const Stage* stage_ = nullptr;
  std::uint64_t context_ = 0;
  std::uint32_t node_ = 0;
};

/// A depth-first walk, for range-based for. Does not allocate.
class SINEW_API PrimRange {
 public:
  /// Where a walk is. Input iterators; the end is a default-constructed one.
  class SINEW_API Iterator {
   public:
    /// The prim the walk is at.
    Prim operator*() const noexcept { return current_; }
    /// The next prim that the traversal visits.
    Iterator& operator++() noexcept;
    /// Does not enter the descendants of the current prim at the next step.
    void skip_descendants() noexcept { skip_ = true; }
    /// Whether both are at the same prim, or both at the end.
    friend bool operator==(const Iterator& a, const Iterator& b) noexcept {
      return a.current_ == b.current_;
    }

   private:
    friend class PrimRange;
    Prim current_;
    Prim top_;
    Traversal traversal_;
    bool skip_ = false;
  };

  /// At the prim itself, if the traversal visits it.
  Iterator begin() const noexcept;
  /// After the last prim.
  Iterator end() const noexcept { return {}; }

 private:
  friend class Prim;
  Prim top_;
  Traversal traversal_;
};

}  // namespace sinew::stage

/// @cond
template <>
struct std::hash<sinew::stage::Prim> {
  std::size_t operator()(const sinew::stage::Prim& prim) const noexcept { return prim.hash(); }
};
/// @endcond
