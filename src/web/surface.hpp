// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sinew/export/json.hpp"
#include "sinew/stage/prim.hpp"

namespace sinew::web {

/// Writes what a renderer needs of a Material with a UsdPreviewSurface: numbers, and for each input
/// that reads one, the image with its identifier. Other shaders give the values that inputs fall
/// back to, with `known` false.
void write_surface(exporter::JsonSink& json, const stage::Prim& material);

}  // namespace sinew::web
