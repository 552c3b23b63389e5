// SPDX-License-Identifier: Apache-2.0
// What the recorded tests of composed scenes share.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "sinew/stage/asset_resolver.hpp"
#include "sinew/stage/stage.hpp"
#include "support/damaged_text.hpp"
#include "support/recorded.hpp"

namespace sinew::test {

/// What becomes of a scene, and what is said of it.
struct ToldScene {
  bool is_usable = false;  ///< Otherwise there is nothing to tell.
  std::string said;
  std::string result;
};

/// Composes a layer, "a.usda" of a resolver that outlives the stage; null if it has errors.
inline stage::StagePtr open_without_errors(stage::MemoryResolver& resolver,
                                           const std::string& text) {
  resolver.add("a.usda", text);
  stage::OpenOptions options;
  options.resolver = &resolver;
  Diagnostics diagnostics;
  const auto stage = stage::Stage::open("a.usda", diagnostics, options);
  return stage && count(diagnostics, Severity::error) == 0 ? *stage : nullptr;
}

/// Adds to `all` what `tell`, of a text a ToldScene, tells otherwise of a scene that was changed.
template <typename Tell>
auto difference_from(const std::string& scene, Tell tell, std::string& all) {
  return
      [unchanged = tell(scene), tell, &all](const std::string& title, const std::string& changed) {
        const ToldScene told = tell(changed);
        if (!told.is_usable) return;
        const std::string more = changes(told.said, unchanged.said, told.result, unchanged.result);
        if (!more.empty()) all += title + "\n" + more;
      };
}

/// What is told otherwise of a scene with each of its words damaged.
template <typename Tell>
std::string told_of_each_damage(const std::string& scene,
                                std::initializer_list<std::string_view> replacements, Tell tell) {
  std::string all;
  for_each_damage(scene, replacements, difference_from(scene, tell, all));
  return all;
}

/// What is told otherwise of a scene with each of its attributes of another type.
template <typename Tell>
std::string told_of_each_other_type(const std::string& scene, Tell tell) {
  std::string all;
  for_each_other_type(scene, difference_from(scene, tell, all));
  return all;
}

}  // namespace sinew::test
