// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "export/gltf_origin.hpp"
#include "export/json.hpp"
#include "sinew/stage/prim.hpp"

namespace sinew::exporter {

/// What a prim says of the glTF file that it was made of; nothing for most.
struct Origin {
  bool part = false;
  bool empty = false;
  bool colors = false;
  bool collider = false;
  bool blend = false;
  bool on_body[2] = {false, false};
  std::optional<std::string> name;
  std::optional<std::string> mesh;
  std::optional<std::string> skin;
  std::optional<std::string> connected;
  std::optional<std::string> scene;
  std::optional<std::string> clip;
  std::optional<std::vector<std::string>> targets;
  std::optional<std::vector<std::string>> joints;
  std::string joint;
  std::string skeleton;
  std::string extras;
  std::string mesh_extras;
};

Origin read_origin(const stage::Prim& prim);

/// Adds the members of an object that `text` holds to the extras of another. Text that is no such
/// object, or nests without measure, adds nothing.
void add_extras(Json& object, const std::string& text);

}  // namespace sinew::exporter
