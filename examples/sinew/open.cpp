// SPDX-License-Identifier: Apache-2.0
#include "open.hpp"

#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "paths.hpp"

namespace sinew::tool {

namespace {

template <typename T>
void lift(T& limit) {
  limit = std::numeric_limits<T>::max();
}

// A sentence that says more than that there is no such file.
Status check_name(const std::string& file) {
  if (is_folder(file)) {
    return {ErrorCode::not_found, "'" + file + "' is a folder; a file is wanted here."};
  }
  if (file == "-") {
    return {ErrorCode::not_found,
            "there is no file '-', and nothing is read from standard input: layers refer to others "
            "by place, so write it to a file first."};
  }
  if (is_stream(file)) {
    return {ErrorCode::not_found,
            "'" + file +
                "' is no regular file, and layers refer to others by place: write what it "
                "gives to a file first."};
  }
  return {};
}

// What could not be opened may be a file of another program.
template <typename Opened>
Opened with_hint(const std::string& file, Opened opened, Diagnostics& diagnostics) {
  if (opened || diagnostics.empty()) return opened;
  const std::string extension = extension_of(file);
  for (const std::string_view imported : {".glb", ".gltf", ".urdf", ".xml", ".mjcf"}) {
    if (extension == imported) diagnostics.back().hint = "sinew import makes a layer of it";
  }
  return opened;
}

}  // namespace

Limits limits_of(const CommonOptions& common) {
  Limits limits;
  limits.decoded_per_byte = 64;
  if (!common.trust) return limits;
  limits.decoded_per_byte = 0;
  lift(limits.names_per_spec);
  lift(limits.layers);
  lift(limits.arcs_per_prim);
  lift(limits.arcs_per_stage);
  lift(limits.composition_steps);
  limits.composition_steps_per_prim = 0;  // They come on top.
  lift(limits.prims);
  lift(limits.instance_proxies);
  lift(limits.clip_entries);
  lift(limits.file_bytes);
  lift(limits.array_elements);
  lift(limits.array_edit_bytes);
  lift(limits.decoded_bytes);
  lift(limits.value_items);
  return limits;
}

stage::OpenOptions open_options(const CommonOptions& common) {
  stage::OpenOptions options;
  options.rules = common.rules;
  options.limits = limits_of(common);
  options.closed_packages = common.closed;
  return options;
}

Result<stage::StagePtr> open_stage(const std::string& file, const CommonOptions& common,
                                   Diagnostics& diagnostics) {
  if (Status good = check_name(file); !good) return std::move(good).error();
  return with_hint(file, stage::Stage::open(file, diagnostics, open_options(common)), diagnostics);
}

void add_places(Diagnostics& diagnostics, const stage::Stage& stage) {
  for (Diagnostic& diagnostic : diagnostics) {
    if (!diagnostic.file.empty() || diagnostic.path.empty()) continue;
    const auto path = layer::Path::parse(diagnostic.path);
    const stage::Prim prim = path ? stage.prim(path->prim_path()) : stage::Prim();
    if (!prim) continue;
    const std::vector<stage::PrimOpinion> opinions = prim.explain();
    if (opinions.empty()) continue;
    diagnostic.file = opinions.front().layer;
    diagnostic.line = opinions.front().line;
    diagnostic.column = diagnostic.line == 0 ? 0 : 1;
  }
}

Result<layer::LayerPtr> read_layer(const std::string& file, const CommonOptions& common,
                                   Diagnostics& diagnostics) {
  if (Status good = check_name(file); !good) return std::move(good).error();
  return with_hint(file, stage::read_layer(file, diagnostics, open_options(common)), diagnostics);
}

}  // namespace sinew::tool
