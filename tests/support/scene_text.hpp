// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sinew/stage/stage.hpp"

namespace sinew::test {

// Scenes as trees of statements, so that tests can say the same in another way: split layers, turn
// instances into plain prims, leave something out.

struct VariantSetText;

/// A prim, or the contents of a variant (which has a name only).
struct PrimText {
  std::string specifier = "def";
  std::string type;
  std::string name;
  std::vector<std::string> metadata;    ///< Statements between the parentheses.
  std::vector<std::string> properties;  ///< Statements between the braces; the name is the claim.
  std::vector<VariantSetText> variant_sets;
  std::vector<PrimText> children;
};

struct VariantSetText {
  std::string name;
  std::vector<PrimText> variants;
};

struct LayerText {
  std::string name;
  std::vector<std::string> metadata;
  std::vector<PrimText> prims;
};

/// Layers that refer to each other by name; the first is the root layer.
struct Scene {
  std::vector<LayerText> layers;
};

std::string to_text(const LayerText& layer);
/// All layers, each after a line with its name.
std::string to_text(const Scene& scene);

/// Composes a scene. Null, and a failed expectation, if its root layer cannot be read.
stage::StagePtr open(const Scene& scene, Rules rules, Diagnostics& diagnostics);
stage::StagePtr open(const Scene& scene, Rules rules = Rules::openusd);
/// The same from texts, the first of which is the root layer.
stage::StagePtr open(const std::vector<std::pair<std::string, std::string>>& layers, Rules rules,
                     Diagnostics& diagnostics);

/// Calls `change` for every prim and variant of all layers, parents first.
void for_each_prim(Scene& scene, const std::function<void(PrimText&)>& change);

/// The statement `instanceable = true`, which tests look for.
inline constexpr std::string_view kInstanceable = "instanceable = true";

/// The scene without instances.
Scene without_instances(Scene scene);
/// The scene with every root prim that is a class defined instead, or the other way round.
Scene with_sources_as(Scene scene, const char* specifier);
/// The scene with the statements of its root layer spread over `count` sublayers at random: prims
/// are defined in the weakest one.
Scene with_root_layer_split(Scene scene, std::size_t count, std::uint64_t seed);

/// The scene with every statement left out that is not needed for `fails` to hold.
Scene shrink(Scene scene, const std::function<bool(const Scene&)>& fails);

}  // namespace sinew::test
