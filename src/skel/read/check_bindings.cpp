// SPDX-License-Identifier: Apache-2.0
#include "sinew/skel/read/check_bindings.hpp"

#include <algorithm>
#include <vector>

#include "core/format_text.hpp"
#include "skel/read/find_bindings.hpp"
#include "skel/read/typed_reader.hpp"

namespace sinew::skel {
namespace {

using stage::Prim;

Token first_binding_property(const Prim& prim, const std::vector<Token>& binding_names) {
  if (binding_names.empty()) return {};
  for (const Token name : prim.property_names()) {
    if (std::find(binding_names.begin(), binding_names.end(), name) != binding_names.end()) {
      return name;
    }
  }
  return {};
}

bool is_in_skel_root(const Prim& prim) {
  for (Prim p = prim; p && !p.is_root(); p = p.parent()) {
    if (p.type_name() == std::string_view("SkelRoot")) return true;
  }
  return false;
}

// Whether a weaker opinion makes a SkelRoot of the prim or an ancestor: giving it another type is
// how skinning is switched off, e.g. in baked layers.
bool is_switched_off(const Prim& prim) {
  for (Prim p = prim; p && !p.is_root(); p = p.parent()) {
    for (const stage::PrimOpinion& opinion : p.explain()) {
      if (opinion.spec->type_name == std::string_view("SkelRoot")) return true;
    }
  }
  return false;
}

}  // namespace

void check_bindings(const stage::Stage& stage, Diagnostics& diagnostics) {
  Reporter reporter(
      stage, diagnostics,
      Reporter::Repeats::once_per_prim);  // Once per composed prim, so once per prototype.
  std::vector<Token> binding_names;
  for (const std::string_view name : kBindingPropertyNames) {
    if (const Token token = stage.find_token(name); !token.empty()) binding_names.push_back(token);
  }
  const auto severity = stage.rules() == Rules::openusd ? Severity::error : Severity::warning;
  for (const Prim prim : stage.root().descendants(stage::Traversal::with_instance_proxies())) {
    if (prim.is_root()) continue;
    if (!prim.has_api("SkelBindingAPI")) {
      const Token name = first_binding_property(prim, binding_names);
      if (name.empty()) continue;
      reporter.add(severity, "skel-missing-binding-api", prim,
                   format_text("{} is authored on <{}>, to which SkelBindingAPI is not applied.",
                               name.view(), prim.path().view()),
                   "write prepend apiSchemas = [\"SkelBindingAPI\"]");
    } else if (!is_in_skel_root(prim) && !(reporter.documented() && is_switched_off(prim))) {
      reporter.add(severity, "skel-invalid-binding-api-apply", prim,
                   format_text("SkelBindingAPI is applied to <{}>, which is neither a SkelRoot nor "
                               "below one.",
                               prim.path().view()),
                   "move the prim below a SkelRoot, or make an ancestor one");
    }
  }
}

}  // namespace sinew::skel
