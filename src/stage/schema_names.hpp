// SPDX-License-Identifier: Apache-2.0
// How the schemas spell the names of types, of API schemas and of properties, for what looks for
// names that are spelled otherwise.
#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/core/token.hpp"
#include "sinew/stage/schema.hpp"

namespace sinew::stage {

/// Of the names that are offered the one that another may have been meant to be: the same but for
/// upper and lower case, or a letter or two away and as long, but for one. Names that somebody put
/// something in front of, or behind, are others. Names are views: what they show must last.
class SimilarName {
 public:
  explicit SimilarName(std::string_view name) noexcept : name_(name) {}

  void offer(std::string_view known) noexcept;
  /// Empty if there is none.
  std::string_view closest() const noexcept { return closest_; }

 private:
  std::string_view name_;
  std::string_view closest_;
  std::size_t distance_ = 3;  ///< Of the closest.
};

/// The type, or the API schema, that a name may have been meant to be; empty if there is none. For
/// names that are unknown.
std::string_view similar_type(std::string_view name) noexcept;
std::string_view similar_api_schema(std::string_view name) noexcept;

/// The properties that a type and API schemas have, for questions about many names.
class KnownProperties {
 public:
  KnownProperties(SchemaType type, std::span<const Token> api_schemas);

  bool has(std::string_view property) const;
  /// The property that a name may have been meant to be; of names of physics also of those that the
  /// API schemas of physics would add. Empty if there is none. For names that it has not.
  std::string similar(std::string_view property) const;

 private:
  SchemaType type_;
  std::set<std::string, std::less<>> applied_;  ///< With their instances.
  std::set<std::string, std::less<>> schemas_;  ///< The same without.
};

/// Whether a name may have been meant to be any property of any schema.
bool is_like_a_property(std::string_view name);

/// The API schemas that have a property of a name in a namespace that only schemas of USD use
/// ("physics:", "drive:", "limit:", "collection:"), with its instance: "PhysicsDriveAPI:rotX".
std::vector<std::string> api_schemas_that_have(std::string_view property);

/// Whether an API schema is applied once per instance ("CollectionAPI:lights"). For known ones.
bool is_multiple_apply(std::string_view api_schema) noexcept;

}  // namespace sinew::stage
