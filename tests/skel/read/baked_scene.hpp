// SPDX-License-Identifier: Apache-2.0
// Bakes small scenes and opens what comes out.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/skel/read/bake_skinning.hpp"
#include "sinew/usda/writer.hpp"
#include "skel/skel_scene.hpp"
#include "support/folders.hpp"

namespace sinew::skel {

/// The text of a file of tests/data.
inline std::string text_of(const std::string& file) {
  std::ifstream stream(test::data_folder() + "/" + file);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

/// A scene and what is on stage when its baked layer lies on top.
struct Baked {
  SkelScene source;
  SkelScene result;
  layer::LayerPtr layer;
  std::string layer_text;

  stage::Attribute attribute(std::string_view prim, std::string_view name) const {
    const stage::Prim found = result.stage->prim(prim);
    return found ? found.attribute(name) : stage::Attribute();
  }
  std::vector<Vector3f> vectors(std::string_view prim, std::string_view name,
                                stage::Time time) const {
    const stage::Attribute found = attribute(prim, name);
    if (!found) return {};
    const auto values = found.get_array<Vector3f>(time);
    return values ? std::vector<Vector3f>(values->begin(), values->end()) : std::vector<Vector3f>();
  }
  std::vector<double> samples(std::string_view prim, std::string_view name) const {
    const stage::Attribute found = attribute(prim, name);
    return found ? found.time_samples() : std::vector<double>();
  }
};

/// Bakes, writes the layer as text, and opens that text above the source.
inline Baked bake_text(const std::string& text, BakeOptions options = {},
                       Rules rules = Rules::openusd) {
  Baked baked;
  baked.source = open_scene(text, rules);
  options.source_layer = "./source.usda";
  const auto layer = bake_skinning(*baked.source.stage, options, baked.source.diagnostics);
  if (!layer) {
    ADD_FAILURE() << layer.error().message;
    return baked;
  }
  baked.layer = *layer;
  baked.layer_text = usda::write(**layer);
  baked.result = open_scene(baked.layer_text, rules, {{"source.usda", text}});
  return baked;
}

/// Both included.
inline std::vector<double> frames(int first, int last) {
  std::vector<double> result;
  for (int frame = first; frame <= last; ++frame) result.push_back(frame);
  return result;
}

}  // namespace sinew::skel
