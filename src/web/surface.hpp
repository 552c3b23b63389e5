// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sinew/export/json.hpp"
#include "sinew/stage/asset_resolver.hpp"
#include "sinew/stage/prim.hpp"

namespace sinew::web {

/// The image that an asset value names: its identifier; of one that is not found, where it is
/// looked for first.
struct ImagePlace {
  std::string identifier;
  bool is_found = false;
};
/// Looks for it as the stage looks for layers, but keeps no account of what is missing.
ImagePlace find_image(const stage::Attribute& file, stage::AssetResolver& resolver);

/// Writes what a renderer needs of a Material with a UsdPreviewSurface: numbers, and for each input
/// that reads one, the image with its identifier. Other shaders give the values that inputs fall
/// back to, with `known` false.
void write_surface(exporter::JsonSink& json, const stage::Prim& material,
                   stage::AssetResolver& resolver);

}  // namespace sinew::web
