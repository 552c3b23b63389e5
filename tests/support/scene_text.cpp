// SPDX-License-Identifier: Apache-2.0
#include "support/scene_text.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/random.hpp"

namespace sinew::test {
namespace {

void write_block(std::string& text, const std::vector<std::string>& lines,
                 const std::string& indent) {
  for (const std::string& line : lines) text += indent + line + "\n";
}

void write_contents(std::string& text, const PrimText& prim, const std::string& indent);

void write_prim(std::string& text, const PrimText& prim, const std::string& indent) {
  text += indent + prim.specifier + (prim.type.empty() ? "" : " ") + prim.type + " \"" + prim.name +
          "\"";
  if (!prim.metadata.empty()) {
    text += " (\n";
    write_block(text, prim.metadata, indent + "    ");
    text += indent + ")";
  }
  text += " {\n";
  write_contents(text, prim, indent + "    ");
  text += indent + "}\n";
}

void write_contents(std::string& text, const PrimText& prim, const std::string& indent) {
  write_block(text, prim.properties, indent);
  for (const PrimText& child : prim.children) write_prim(text, child, indent);
  for (const VariantSetText& set : prim.variant_sets) {
    text += indent + "variantSet \"" + set.name + "\" = {\n";
    for (const PrimText& variant : set.variants) {
      text += indent + "    \"" + variant.name + "\" {\n";
      write_contents(text, variant, indent + "        ");
      text += indent + "    }\n";
    }
    text += indent + "}\n";
  }
}

void visit(PrimText& prim, const std::function<void(PrimText&)>& change) {
  change(prim);
  for (VariantSetText& set : prim.variant_sets) {
    for (PrimText& variant : set.variants) visit(variant, change);
  }
  for (PrimText& child : prim.children) visit(child, change);
}

// Moves statements of a prim and of those below it into `over`, at random.
void split_off(PrimText& prim, PrimText& over, Random& random) {
  over.specifier = "over";
  over.name = prim.name;
  // Several statements may be about one property; they stay together.
  auto& statements = prim.properties;
  for (std::size_t i = 0; i < statements.size();) {
    if (!random.chance(40)) {
      ++i;
      continue;
    }
    over.properties.push_back(statements[i]);
    statements.erase(statements.begin() + static_cast<std::ptrdiff_t>(i));
  }
  for (std::size_t i = 0; i < prim.metadata.size();) {
    const bool about_variants = prim.metadata[i].find("variant") != std::string::npos;
    if (about_variants || !random.chance(40)) {
      ++i;
      continue;
    }
    over.metadata.push_back(prim.metadata[i]);
    prim.metadata.erase(prim.metadata.begin() + static_cast<std::ptrdiff_t>(i));
  }
  for (PrimText& child : prim.children) {
    if (!random.chance(70)) continue;
    over.children.emplace_back();
    split_off(child, over.children.back(), random);
  }
}

// Erases the element of a list that the countdown reaches, if it is in there.
template <typename T>
bool erase_at(std::vector<T>& list, std::size_t& countdown) {
  if (countdown >= list.size()) {
    countdown -= list.size();
    return false;
  }
  list.erase(list.begin() + static_cast<std::ptrdiff_t>(countdown));
  return true;
}

bool erase_in(PrimText& prim, std::size_t& countdown) {
  if (erase_at(prim.children, countdown) || erase_at(prim.variant_sets, countdown) ||
      erase_at(prim.metadata, countdown) || erase_at(prim.properties, countdown)) {
    return true;
  }
  for (VariantSetText& set : prim.variant_sets) {
    if (set.variants.size() > 1 && erase_at(set.variants, countdown)) return true;
    for (PrimText& variant : set.variants) {
      if (erase_in(variant, countdown)) return true;
    }
  }
  return std::any_of(prim.children.begin(), prim.children.end(),
                     [&](PrimText& child) { return erase_in(child, countdown); });
}

// Leaves out the n-th of all statements, large ones first. False past the last one.
bool erase_statement(Scene& scene, std::size_t n) {
  for (std::size_t i = 1; i < scene.layers.size(); ++i) {
    if (n-- == 0) {
      scene.layers.erase(scene.layers.begin() + static_cast<std::ptrdiff_t>(i));
      return true;
    }
  }
  for (LayerText& layer : scene.layers) {
    if (erase_at(layer.prims, n) || erase_at(layer.metadata, n)) return true;
  }
  for (LayerText& layer : scene.layers) {
    for (PrimText& prim : layer.prims) {
      if (erase_in(prim, n)) return true;
    }
  }
  return false;
}

}  // namespace

std::string to_text(const LayerText& layer) {
  std::string text = "#usda 1.0\n";
  if (!layer.metadata.empty()) {
    text += "(\n";
    write_block(text, layer.metadata, "    ");
    text += ")\n";
  }
  for (const PrimText& prim : layer.prims) write_prim(text, prim, "");
  return text;
}

std::string to_text(const Scene& scene) {
  std::string text;
  for (const LayerText& layer : scene.layers) {
    text += "---- " + layer.name + "\n" + to_text(layer);
  }
  return text;
}

stage::StagePtr open(const std::vector<std::pair<std::string, std::string>>& layers, Rules rules,
                     Diagnostics& diagnostics) {
  stage::MemoryResolver resolver;
  for (const auto& [name, text] : layers) resolver.add(name, text);
  stage::OpenOptions options;
  options.rules = rules;
  options.resolver = &resolver;
  const auto opened = stage::Stage::open(layers.front().first, diagnostics, options);
  EXPECT_TRUE(opened) << opened.error().message;
  return opened ? *opened : nullptr;
}

stage::StagePtr open(const Scene& scene, Rules rules, Diagnostics& diagnostics) {
  std::vector<std::pair<std::string, std::string>> layers;
  for (const LayerText& layer : scene.layers) layers.emplace_back(layer.name, to_text(layer));
  return open(layers, rules, diagnostics);
}

stage::StagePtr open(const Scene& scene, Rules rules) {
  Diagnostics diagnostics;
  return open(scene, rules, diagnostics);
}

void for_each_prim(Scene& scene, const std::function<void(PrimText&)>& change) {
  for (LayerText& layer : scene.layers) {
    for (PrimText& prim : layer.prims) visit(prim, change);
  }
}

Scene without_instances(Scene scene) {
  for_each_prim(scene, [](PrimText& prim) { std::erase(prim.metadata, kInstanceable); });
  return scene;
}

Scene with_sources_as(Scene scene, const char* specifier) {
  for (LayerText& layer : scene.layers) {
    for (PrimText& prim : layer.prims) {
      if (prim.name.front() == 'S' && prim.specifier != "over") prim.specifier = specifier;
    }
  }
  return scene;
}

Scene with_root_layer_split(Scene scene, std::size_t count, std::uint64_t seed) {
  Random random(seed);
  LayerText& root = scene.layers.front();
  std::vector<LayerText> parts(count);
  std::string names;
  for (std::size_t i = 0; i < count; ++i) {
    parts[i].name = "part" + std::to_string(i) + ".usda";
    names += (i == 0 ? "@" : ", @") + parts[i].name + "@";
  }
  for (const std::string& line : root.metadata) {
    if (line.find("PerSecond") != std::string::npos) {
      for (LayerText& part : parts) part.metadata.push_back(line);
    }
  }
  parts.back().prims = std::move(root.prims);
  root.prims.clear();
  for (std::size_t i = 0; i + 1 < count; ++i) {
    for (PrimText& prim : parts.back().prims) {
      parts[i].prims.emplace_back();
      split_off(prim, parts[i].prims.back(), random);
    }
  }
  // Sublayers that the root layer already has stay weaker than what it said itself.
  const std::string kSubLayers = "subLayers = [";
  bool added = false;
  for (std::string& line : root.metadata) {
    if (line.compare(0, kSubLayers.size(), kSubLayers) != 0) continue;
    line.insert(kSubLayers.size(), names + ", ");
    added = true;
  }
  if (!added) root.metadata.push_back(kSubLayers + names + "]");
  for (LayerText& part : parts) scene.layers.push_back(std::move(part));
  return scene;
}

Scene shrink(Scene scene, const std::function<bool(const Scene&)>& fails) {
  for (bool smaller = true; smaller;) {
    smaller = false;
    for (std::size_t n = 0;;) {
      Scene without = scene;
      if (!erase_statement(without, n)) break;
      if (fails(without)) {
        scene = std::move(without);
        smaller = true;
      } else {
        ++n;
      }
    }
  }
  return scene;
}

}  // namespace sinew::test
