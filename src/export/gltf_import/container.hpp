// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "export/gltf_import/faults.hpp"
#include "sinew/core/bytes.hpp"

namespace sinew::exporter::gltf_import {

/// The parts of a file. Both share its bytes.
struct Container {
  Bytes json;
  std::optional<Bytes> binary;  ///< The BIN chunk of a .glb.
};

/// Takes a .glb apart; anything that begins like a JSON object is the JSON of a .gltf.
Result<Container> open_container(const Bytes& bytes, Faults& faults);

/// What a data URI holds. `media_type` is what it says of it.
struct DataUri {
  Bytes bytes;
  std::string_view media_type;
};

/// @return Nothing if it is no data URI in base64, or not a well-formed one.
std::optional<DataUri> decode_data_uri(std::string_view uri);

bool is_data_uri(std::string_view uri);

/// A relative URI as a path: %20 becomes a blank.
std::string path_of_uri(std::string_view uri);

}  // namespace sinew::exporter::gltf_import
