// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "sinew/core/diagnostic.hpp"
#include "sinew/core/export.hpp"
#include "sinew/layer/path.hpp"
#include "sinew/stage/prim.hpp"
#include "sinew/stage/stage.hpp"

namespace sinew::geom {

/// What a collection says about one path.
enum class MembershipRule : std::uint8_t {
  exclude,                      ///< The object and what lies below it are not members.
  explicit_only,                ///< The object itself is a member.
  expand_prims,                 ///< The prim and the prims below it are members.
  expand_prims_and_properties,  ///< And their properties.
  /// The expansionRule of the collection is not one of the three. It lists no members; asked about
  /// a path, contains() takes it for expand_prims.
  unknown
};

/// The members of a collection: CollectionAPI with its instance name.
///
/// A value; independent of the stage it was read from. Const functions may run concurrently.
class SINEW_API Collection {
 public:
  /// Reads the collection `name` of a prim, with the collections that it includes.
  ///
  /// A collection with excludes only is empty unless it includes the root. Inclusion cycles and
  /// missing prims are reported and skipped.
  /// @par Source  UsdCollectionAPI; modes automatic, relationship and expression.
  static Collection read(const stage::Prim& prim, std::string_view name,
                         Diagnostics* diagnostics = nullptr);

  /// Whether a prim or property is a member. The rule of the nearest element of its path decides,
  /// except that what an ancestor says of itself alone (explicit_only), or of prims alone where a
  /// property is asked about, is passed over. The root is never a member.
  /// @par Cost  One hash look-up per element of the path.
  bool contains(const layer::Path& path) const;
  /// The same of a prim, which predicates of an expression are asked of too.
  bool contains(const stage::Prim& prim) const;

  /// Whether nothing can be a member.
  bool empty() const noexcept { return rules_.empty() && expression_.empty(); }

  /// The rules by path; empty in expression mode.
  const std::unordered_map<std::string, MembershipRule>& rules() const noexcept { return rules_; }
  /// The path expression in force, with those of the collections that it refers to (`%/prim:name`,
  /// `%:name`) in their places; empty in relationship mode.
  const std::string& expression() const noexcept { return expression_; }

 private:
  std::unordered_map<std::string, MembershipRule> rules_;
  std::string expression_;
};

/// Whether a path matches a path expression of absolute patterns: names with '*', '?' and '[...]',
/// '//' for any depth, '.' before the name of a property, '~', '+', '&', '-' and parentheses.
/// References to other collections, which Collection::read() resolves, match nothing here, and
/// neither do patterns with predicates, for of a path alone they cannot be told.
///
/// A property counts as one more name behind those of its prim. Patterns with a dot match
/// properties only (`/A.size`, `//.size`), those that end in "//" properties too (`/A//`), any
/// other prims alone. "[!x]" stands for two letters; nothing matches the paths of targets and
/// variants.
/// @par Source  SdfPathExpression; SdfPathExpressionEval.
SINEW_API bool matches_path_expression(std::string_view expression, const layer::Path& path);

/// The same of a prim and, where a pattern has predicates, of the prims above it:
/// `//{isa:Cube}`, `/World{defined}//Arm*{not hasAPI:PhysicsMassAPI}`. Predicates are abstract,
/// defined, model, group, kind, specifier, isa, hasAPI and variant, with `not`, `and`, `or` and
/// parentheses; an expression with any other one matches nothing. Behind "//" a predicate without a
/// name asks the element before it, too: `/World//{isa:Xform}` matches /World if it is one.
SINEW_API bool matches_path_expression(std::string_view expression, const stage::Prim& prim);

}  // namespace sinew::geom
