// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <utility>

#include "sinew/stage/stage.hpp"

namespace sinew::stage {

/// Opens "root.usda" of a set of layers given as (name, text after the header line).
inline StagePtr open_layers(std::initializer_list<std::pair<const char*, const char*>> layers,
                            Diagnostics& diagnostics, OpenOptions options = {}) {
  MemoryResolver resolver;
  for (const auto& [name, text] : layers) resolver.add(name, std::string("#usda 1.0\n") + text);
  options.resolver = &resolver;
  Result<StagePtr> stage = Stage::open("root.usda", diagnostics, options);
  EXPECT_TRUE(stage) << stage.error().message;
  return stage ? *stage : nullptr;
}

inline std::string text_at(const Stage& stage, const char* prim, const char* attribute) {
  const Prim found = stage.prim(prim);
  if (!found) return "no prim";
  const Attribute value = found.attribute(attribute);
  return value ? value.get_text().value_or("no value") : "no attribute";
}

inline std::string first_target(const Stage& stage, const char* prim, const char* relationship) {
  const Relationship found = stage.prim(prim).relationship(relationship);
  if (!found) return "no relationship";
  const auto targets = found.targets();
  return targets.empty() ? "nothing" : targets.front().str();
}

/// The names of the children, each with a blank behind it.
inline std::string children_of(const Stage& stage, const char* prim,
                               const Traversal& traversal = {}) {
  std::string names;
  for (const Prim child : stage.prim(prim).children(traversal)) names += child.name().str() + " ";
  return names;
}

}  // namespace sinew::stage
