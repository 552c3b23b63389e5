// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "sinew/layer/layer.hpp"
#include "sinew/layer/path.hpp"

namespace sinew::stage {

/// Where an opinion is written, and how composition came to it: for explanations and for messages
/// to users.
struct OpinionPlace {
  std::string layer;          ///< Identifier.
  std::uint32_t line = 0;     ///< 1-based.
  layer::Path spec_path;      ///< Where in that layer, e.g. "/Model{look=red}.size".
  std::string arcs;           ///< How the layer was reached, e.g. "reference > variant look=red".
  layer::LayerOffset offset;  ///< Stage time = layer time * scale + offset.
};

/// One prim spec with opinions about a prim.
struct PrimOpinion : OpinionPlace {
  const layer::PrimSpec* spec = nullptr;  ///< In the layer, valid as long as the stage.
};

/// One opinion about a property.
struct Opinion : OpinionPlace {
  const layer::PropertySpec* spec = nullptr;  ///< Null if it is a value clip without samples.
  bool wins = false;                          ///< Supplies the value at the time asked for.
  std::string note;                           ///< E.g. "time samples hidden by a stronger default".
};

}  // namespace sinew::stage
