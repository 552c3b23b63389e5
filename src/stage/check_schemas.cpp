// SPDX-License-Identifier: Apache-2.0
#include "sinew/stage/check_schemas.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/format_text.hpp"
#include "sinew/stage/prim.hpp"
#include "sinew/stage/schema.hpp"
#include "stage/schema_names.hpp"
#include "stage/shared/reporter.hpp"

namespace sinew::stage {
namespace {

std::string did_you_mean(std::string_view name) {
  return format_text("Did you mean '{}'?", name);
}

void check_type(const Prim& prim, Reporter& reporter) {
  const std::string_view type = prim.type_name().view();
  if (type.empty() || find_schema_type(type) != SchemaType::unknown) return;
  const std::string_view meant = similar_type(type);
  if (meant.empty()) return;
  reporter.add(Severity::warning, "stage-unknown-type", prim,
               format_text("There is no type '{}'; the prim is read as one without a type.", type),
               did_you_mean(meant));
}

void check_api_schemas(const Prim& prim, Reporter& reporter) {
  for (const Token api : prim.authored_api_schemas()) {
    const std::string_view name = api.view().substr(0, api.view().find(':'));
    if (!is_known_api_schema(name)) {
      const std::string_view meant = similar_api_schema(name);
      if (meant.empty()) continue;
      reporter.add(Severity::warning, "stage-unknown-api-schema", prim,
                   format_text("There is no API schema '{}'; applying it has no effect.", name),
                   did_you_mean(meant));
    } else if (is_multiple_apply(name) && api.view().size() <= name.size() + 1) {
      reporter.add(
          Severity::warning, "stage-api-schema-instance", prim,
          format_text("{} is applied without the name of an instance and has no effect.", name),
          format_text("Apply {}:NAME, as its properties have it.", name));
    }
  }
}

// Where names are free: whoever writes them says what they mean.
bool is_free(std::string_view property) {
  if (property.starts_with("primvars:")) return !property.starts_with("primvars:skel:");
  constexpr std::string_view kFree[] = {
      "info:", "inputs:", "material:binding", "outputs:", "ui:", "userProperties:", "xformOp:"};
  return std::any_of(std::begin(kFree), std::end(kFree),
                     [&](std::string_view prefix) { return property.starts_with(prefix); });
}

// Whether the prim has a type or an API schema that nobody here knows, which may have properties
// and other API schemas of its own.
bool has_unknown_schema(const Prim& prim) {
  const std::string_view type = prim.type_name().view();
  if (!type.empty() && find_schema_type(type) == SchemaType::unknown) return true;
  const std::span<const Token> apis = prim.authored_api_schemas();
  return std::any_of(apis.begin(), apis.end(),
                     [](Token api) { return !is_known_api_schema(api.view()); });
}

/// Looks at the properties of prims. What is asked of a name alone is asked once.
class PropertyChecker {
 public:
  explicit PropertyChecker(Reporter& reporter) : reporter_(reporter) {}

  void check(const Prim& prim) {
    const KnownProperties known(prim.schema_type(), prim.authored_api_schemas());
    std::set<std::vector<std::string>> missing;  // What has been told of this prim.
    for (const Token token : prim.property_names()) {
      if (!is_worth_a_look(token) || known.has(token.view())) continue;
      const Attribute attribute = prim.attribute(token);
      const Relationship relationship = attribute ? Relationship() : prim.relationship(token);
      const Property& property = attribute ? static_cast<const Property&>(attribute) : relationship;
      if (!property) continue;
      if (std::vector<std::string> owners = api_schemas_that_have(token.view()); !owners.empty()) {
        const auto [owner, is_new] = missing.insert(std::move(owners));
        if (is_new) report_missing(prim, property, *owner);
      } else if (!property.is_custom()) {
        report_similar(property, known.similar(token.view()));
      }
    }
  }

 private:
  bool is_worth_a_look(Token token) {
    const auto [known, is_new] = worth_.try_emplace(token, false);
    if (is_new) {
      const std::string_view name = token.view();
      known->second =
          !is_free(name) && (is_like_a_property(name) || !api_schemas_that_have(name).empty());
    }
    return known->second;
  }

  void report_missing(const Prim& prim, const Property& property,
                      const std::vector<std::string>& owners) {
    std::string all = owners.front();
    for (std::size_t i = 1; i < owners.size(); ++i) all.append(" or ").append(owners[i]);
    const bool is_sure = !has_unknown_schema(prim);
    reporter_.add(is_sure ? Severity::warning : Severity::info, "stage-api-schema-missing",
                  property,
                  format_text("'{}' {} no effect: {} is not applied.", property.name().view(),
                              is_sure ? "has" : "may have", all),
                  owners.size() == 1 ? "Apply it." : "Apply the one that is meant.");
  }

  void report_similar(const Property& property, const std::string& meant) {
    if (meant.empty()) return;
    reporter_.add(Severity::warning, "stage-unknown-property", property,
                  format_text("No schema of the prim has '{}'.", property.name().view()),
                  did_you_mean(meant));
  }

  Reporter& reporter_;
  std::unordered_map<Token, bool> worth_;
};

}  // namespace

void check_schemas(const Stage& stage, Diagnostics& diagnostics) {
  Reporter reporter(stage, diagnostics);
  PropertyChecker properties(reporter);
  std::unordered_set<std::uint32_t> seen;  // What instances share.
  for (const Prim prim : stage.root().descendants(Traversal::with_instance_proxies())) {
    if (prim.is_root() || !seen.insert(prim.node()).second) continue;
    check_type(prim, reporter);
    check_api_schemas(prim, reporter);
    properties.check(prim);
  }
}

}  // namespace sinew::stage
