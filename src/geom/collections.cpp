// SPDX-License-Identifier: Apache-2.0
#include "sinew/geom/collections.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "core/format_text.hpp"
#include "geom/path_predicate.hpp"
#include "geom/read_value.hpp"
#include "geom/shared/expansion_rule.hpp"
#include "layer/shared/path_expression_syntax.hpp"
#include "stage/shared/reporter.hpp"

namespace sinew::geom {

namespace {

using Rules = std::unordered_map<std::string, MembershipRule>;

constexpr std::string_view kTypeCode = "geom-collection-type";

std::string property_of(std::string_view collection, std::string_view name) {
  return format_text("collection:{}:{}", collection, name);
}

void warn(Diagnostics* diagnostics, std::string_view code, const stage::Prim& prim,
          std::string message) {
  stage::Reporter(prim, diagnostics).add(Severity::warning, code, prim, std::move(message));
}

// Enters what a collection and those that it includes say of paths. A later include is stronger
// than an earlier one, and excludes are stronger than both; so all is gone through from the end,
// and what is said of a path first stays. What a collection says a second time changes nothing
// then: each is read once, however many others include it.
class RuleReader {
 public:
  RuleReader(Rules& rules, Diagnostics* diagnostics) : rules_(rules), diagnostics_(diagnostics) {}

  void read(const stage::Prim& prim, std::string_view name) {
    enter(prim, name);
    while (!open_.empty()) {
      Included& last = open_.back();
      if (last.targets.empty()) {
        known_[key_of(last.prim.path().view(), last.name)] = State::read;
        open_.pop_back();
        continue;
      }
      const layer::Path target = std::move(last.targets.back());
      last.targets.pop_back();
      include(last.prim, last.rule, target);
    }
  }

 private:
  enum class State : std::uint8_t { open, read };

  struct Included {
    stage::Prim prim;
    std::string name;
    MembershipRule rule = MembershipRule::expand_prims;
    std::vector<layer::Path> targets;  // Includes that are still to be looked at.
  };

  static std::string key_of(std::string_view prim, std::string_view name) {
    return format_text("{}.{}", prim, name);
  }

  MembershipRule expansion_of(const stage::Prim& prim, std::string_view name) {
    const std::string expansion =
        read_token(prim, property_of(name, "expansionRule"), {}, diagnostics_, kTypeCode);
    const MembershipRule rule = expansion_rule(expansion);
    if (rule != MembershipRule::unknown) return rule;
    warn(diagnostics_, "geom-collection-expansion-rule", prim,
         format_text("The collection '{}' has the expansionRule \"{}\"; the schema allows "
                     "explicitOnly, expandPrims and expandPrimsAndProperties.",
                     name, expansion));
    return rule;
  }

  void enter(const stage::Prim& prim, std::string_view name) {
    known_[key_of(prim.path().view(), name)] = State::open;
    Included entered{prim, std::string(name), expansion_of(prim, name), {}};
    if (const stage::Relationship excludes = prim.relationship(property_of(name, "excludes"))) {
      for (const layer::Path& target : excludes.targets(diagnostics_)) {
        rules_.try_emplace(target.str(), MembershipRule::exclude);
      }
    }
    const stage::Attribute root = prim.attribute(property_of(name, "includeRoot"));
    if (root && root.get<bool>().value_or(false) && entered.rule != MembershipRule::explicit_only) {
      rules_.try_emplace("/", entered.rule);
    }
    if (const stage::Relationship includes = prim.relationship(property_of(name, "includes"))) {
      entered.targets = includes.targets(diagnostics_);
    }
    open_.push_back(std::move(entered));
  }

  void include(const stage::Prim& prim, MembershipRule rule, const layer::Path& target) {
    constexpr std::string_view kPrefix = "collection:";
    if (!target.is_property() || !target.name().starts_with(kPrefix)) {
      rules_.try_emplace(target.str(), rule);
      return;
    }
    const stage::Prim other = prim.stage().prim(target.prim_path());
    const std::string_view name = target.name().substr(kPrefix.size());
    const auto known = known_.find(key_of(target.prim_path().view(), name));
    if (!other) {
      warn(diagnostics_, "geom-collection-missing-prim", prim,
           format_text("The included collection <{}> does not exist.", target.view()));
    } else if (known == known_.end()) {
      enter(other, name);
    } else if (known->second == State::open) {
      warn(diagnostics_, "geom-collection-cycle", prim,
           format_text("The included collection <{}> includes this one.", target.view()));
    }
  }

  Rules& rules_;
  Diagnostics* diagnostics_;
  std::vector<Included> open_;
  std::map<std::string, State> known_;
};

// The membership expression of a collection with those that it refers to in their places.
class ExpressionReader {
 public:
  explicit ExpressionReader(Diagnostics* diagnostics) : diagnostics_(diagnostics) {}

  std::string read(const stage::Prim& prim, std::string_view name) {
    constexpr auto kExpressions = stage::ValueTypes::scalar(layer::ElementType::path_expression);
    const stage::Attribute attribute = prim.attribute(property_of(name, "membershipExpression"));
    if (!attribute) return {};
    const layer::Value value = attribute.value({}, kExpressions);
    const std::string_view text = value.text().value_or("");
    open_.push_back(attribute.path());
    const layer::PathExpressionEdit edit{
        {}, [&](const layer::Path& path, std::string_view collection) {
          return referred(path.empty() ? prim : prim.stage().prim(path), collection, prim, path);
        }};
    const std::optional<std::string> result = layer::edit_path_expression(text, edit);
    open_.pop_back();
    if (!result) {
      warn(diagnostics_, "geom-collection-expression-size", prim,
           format_text("The expression of the collection '{}' is none, or becomes too long with "
                       "those that it refers to: it matches nothing.",
                       name));
    }
    return result.value_or("");
  }

 private:
  static bool is_applied(const stage::Prim& prim, std::string_view collection) {
    return prim.stage().rules() != sinew::Rules::openusd ||
           prim.has_api(format_text("CollectionAPI:{}", collection));
  }

  // What a reference stands for; of weaker opinions that do not exist, nothing.
  std::string referred(const stage::Prim& other, std::string_view collection,
                       const stage::Prim& prim, const layer::Path& path) {
    constexpr std::size_t kMaxDepth = 64;
    if (collection == "_" && path.empty()) return {};
    if (!other || !is_applied(other, collection)) {
      warn(diagnostics_, "geom-collection-missing-prim", prim,
           format_text("The collection %{}:{} of an expression {}.", path.view(), collection,
                       other ? "is not applied to its prim" : "does not exist"));
      return {};
    }
    const layer::Path property =
        other.path().property(property_of(collection, "membershipExpression"));
    if (std::find(open_.begin(), open_.end(), property) != open_.end() ||
        open_.size() > kMaxDepth) {
      warn(diagnostics_, "geom-collection-cycle", prim,
           format_text("The expression of <{}> leads back to itself, or refers too deeply.",
                       property.view()));
      return {};
    }
    if (const auto known = known_.find(property); known != known_.end()) return known->second;
    std::string result = read(other, collection);
    known_.emplace(property, result);
    return result;
  }

  Diagnostics* diagnostics_;
  std::vector<layer::Path> open_;
  std::unordered_map<layer::Path, std::string> known_;  // So that each is read once.
};

}  // namespace

Collection Collection::read(const stage::Prim& prim, std::string_view name,
                            Diagnostics* diagnostics) {
  Collection collection;
  const std::string mode = read_token(prim, property_of(name, "mode"), {}, diagnostics, kTypeCode);
  if (mode != "expression") {
    RuleReader(collection.rules_, diagnostics).read(prim, name);
  }
  const bool only_excludes =
      std::all_of(collection.rules_.begin(), collection.rules_.end(),
                  [](const auto& entry) { return entry.second == MembershipRule::exclude; });
  if (mode == "expression" || (mode != "relationship" && collection.rules_.empty())) {
    collection.expression_ = ExpressionReader(diagnostics).read(prim, name);
    if (prim && !can_be_asked(collection.expression_, prim.stage())) {
      warn(diagnostics, "geom-collection-predicate", prim,
           format_text("The expression of the collection '{}' has a predicate that cannot be "
                       "asked: it matches nothing.",
                       name));
    }
  } else if (only_excludes && !collection.rules_.empty()) {
    warn(diagnostics, "geom-collection-only-excludes", prim,
         format_text("The collection '{}' excludes without including, so it is empty.", name));
  }
  return collection;
}

bool Collection::contains(const stage::Prim& prim) const {
  return expression_.empty() ? contains(prim.path()) : matches_path_expression(expression_, prim);
}

bool Collection::contains(const layer::Path& path) const {
  if (!expression_.empty()) return matches_path_expression(expression_, path);
  if (rules_.empty() || path.is_root()) return false;  // The root itself is never a member.
  bool self = true;
  for (layer::Path at = path; !at.empty(); at = at.parent()) {
    const auto found = rules_.find(at.str());
    if (found != rules_.end()) {
      switch (found->second) {
        case MembershipRule::exclude:
          return false;
        case MembershipRule::explicit_only:
          if (self) return true;
          break;
        case MembershipRule::unknown:
        case MembershipRule::expand_prims:
          if (self || !path.is_property()) return true;
          break;
        case MembershipRule::expand_prims_and_properties:
          return true;
      }
    }
    self = false;
  }
  return false;
}

}  // namespace sinew::geom
