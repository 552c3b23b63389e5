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

// Why a file that is read as text does not begin as one: it may be one of another program.
std::string hint_for(const std::string& file) {
  const std::string extension = extension_of(file);
  for (const std::string_view imported : {".glb", ".gltf", ".urdf", ".xml", ".mjcf"}) {
    if (extension == imported) return "sinew import makes a layer of it";
  }
  if (extension == ".abc") return "Alembic files are not read";
  const Result<Bytes> bytes = map_file(file);
  if (!bytes) return {};
  if (bytes->size() == 0) return "the file is empty";
  const auto first = bytes->text().substr(0, 3);
  if (first == "\xEF\xBB\xBF") {
    return "it begins with a byte order mark: save it as UTF-8 without one";
  }
  if (first.starts_with("\xFF\xFE") || first.starts_with("\xFE\xFF")) {
    return "it is UTF-16: save it as UTF-8 without a byte order mark";
  }
  return {};
}

template <typename Opened>
Opened with_hints(Opened opened, Diagnostics& diagnostics) {
  for (Diagnostic& diagnostic : diagnostics) {
    if (diagnostic.code != "usda-bad-header" || diagnostic.line != 1) continue;
    if (std::string hint = hint_for(diagnostic.file); !hint.empty()) {
      diagnostic.hint = std::move(hint);
    }
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
  return with_hints(stage::Stage::open(file, diagnostics, open_options(common)), diagnostics);
}

void add_places(Diagnostics& diagnostics, const stage::Stage& stage) {
  for (Diagnostic& diagnostic : diagnostics) {
    if (!diagnostic.file.empty() || diagnostic.path.empty()) continue;
    const auto path = layer::Path::parse(diagnostic.path);
    const stage::Prim prim = path ? stage.prim(path->prim_path()) : stage::Prim();
    if (!prim) continue;
    const auto place = [&](const auto& opinions) {
      if (opinions.empty()) return;
      diagnostic.file = opinions.front().layer;
      diagnostic.line = opinions.front().line;
      diagnostic.column = diagnostic.line == 0 ? 0 : 1;
    };
    place(prim.explain());
    if (!path->is_property()) continue;
    const stage::Attribute attribute = prim.attribute(path->name());
    place(attribute ? attribute.explain() : prim.relationship(path->name()).explain());
  }
}

Result<layer::LayerPtr> read_layer(const std::string& file, const CommonOptions& common,
                                   Diagnostics& diagnostics) {
  if (Status good = check_name(file); !good) return std::move(good).error();
  return with_hints(stage::read_layer(file, diagnostics, open_options(common)), diagnostics);
}

}  // namespace sinew::tool
