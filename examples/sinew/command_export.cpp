// SPDX-License-Identifier: Apache-2.0
// sinew export: stages as files of other programs. The ending of the output chooses the writer.

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "commands.hpp"
#include "export_engines.hpp"
#include "interrupt.hpp"
#include "paths.hpp"
#include "sinew/export/glb.hpp"

namespace sinew::tool {

namespace {

Json summary_to_json(const exporter::GltfSummary& summary) {
  Json json = Json::object();
  json["nodes"] = summary.nodes;
  json["meshes"] = summary.meshes;
  json["primitives"] = summary.primitives;
  json["vertices"] = summary.vertices;
  json["triangles"] = summary.triangles;
  json["morphTargets"] = summary.morph_targets;
  json["skins"] = summary.skins;
  json["joints"] = summary.joints;
  json["clips"] = summary.clips;
  json["channels"] = summary.channels;
  json["keys"] = summary.keys;
  json["addedKeys"] = summary.added_keys;
  json["materials"] = summary.materials;
  json["images"] = summary.images;
  json["cameras"] = summary.cameras;
  json["bodies"] = summary.bodies;
  json["colliders"] = summary.colliders;
  json["physicsJoints"] = summary.physics_joints;
  json["instances"] = summary.instances;
  Json& bytes = json["bytes"] = Json::object();
  bytes["json"] = summary.json_bytes;
  bytes["indices"] = summary.index_bytes;
  bytes["vertices"] = summary.vertex_bytes;
  bytes["images"] = summary.image_bytes;
  bytes["other"] = summary.other_bytes;
  bytes["saved"] = summary.saved_bytes;
  return json;
}

std::string summary_to_text(const exporter::GltfSummary& s) {
  std::string text = fmt::format("{} nodes, {} meshes, {} vertices, {} triangles", s.nodes,
                                 s.meshes, s.vertices, s.triangles);
  const auto add = [&text](std::size_t count, std::string_view what) {
    if (count > 0) text += fmt::format(", {} {}", count, what);
  };
  add(s.skins, "skins");
  add(s.joints, "joints");
  add(s.morph_targets, "morph targets");
  add(s.clips, "clips");
  add(s.keys, "keys");
  add(s.materials, "materials");
  add(s.images, "images");
  add(s.cameras, "cameras");
  add(s.bodies, "bodies");
  add(s.colliders, "colliders");
  add(s.physics_joints, "physics joints");
  add(s.instances, "instances");
  const std::uint64_t bytes =
      s.json_bytes + s.index_bytes + s.vertex_bytes + s.image_bytes + s.other_bytes;
  return text + fmt::format("; {} bytes, {} saved by sharing\n", bytes, s.saved_bytes);
}

Result<exporter::GltfSummary> write_glb(const stage::Stage& stage, const ExportOptions& options,
                                        Reporter& reporter, Diagnostics& diagnostics) {
  exporter::GlbOptions glb = options.glb;
  glb.closed_packages = options.common.closed;
  glb.nested_bodies = options.nested_bodies;
  if (options.common.trust) {  // What is left are the limits of the format.
    glb.limits.nodes = std::numeric_limits<std::int32_t>::max();
    glb.limits.keys = glb.limits.image_bytes = glb.limits.bytes;
  }
  if (options.frames) {
    glb.time_range = {options.frames->first, options.frames->last};
    if (options.has_step) glb.step = options.frames->step;
  }
  glb.progress = [&reporter](std::string_view what, std::size_t done, std::size_t total) {
    reporter.progress(what, done, total);
  };
  const WriteScope scope;
  Result<exporter::GltfSummary> summary =
      exporter::write_glb_file(stage, options.output, glb, diagnostics);
  reporter.clear_progress();
  return summary;
}

}  // namespace

bool is_for_engines(const ExportOptions& options) {
  if (options.output.empty() || !options.engines.format.empty()) return true;
  const std::string extension = extension_of(options.output);
  return std::find(kEngineExtensions.begin(), kEngineExtensions.end(), extension) !=
         kEngineExtensions.end();
}

ExitStatus run_export(const ExportOptions& options, Reporter& reporter) {
  if (options.output.empty() && !options.engines.check_only) {
    return reporter.usage_error("export: -o OUT is required (see sinew export --help)");
  }
  if (is_for_engines(options)) return export_engines(options, reporter);
  if (extension_of(options.output) != ".glb") {
    return reporter.usage_error("export: '" + options.output +
                                "' does not end in .glb, .xml, .mjcf or .urdf");
  }
  Diagnostics diagnostics;
  const auto stage = open_stage(options.file, options.common, diagnostics);
  if (!stage) return reporter.open_failed(options.file, stage.error(), diagnostics);
  if (Status good = check_output(**stage, options.output, "export"); !good) {
    return reporter.usage_error(good.error().message);
  }
  if (Status made = make_folder_of(options.output); !made) {
    return reporter.usage_error(made.error().message);
  }
  const auto summary = write_glb(**stage, options, reporter, diagnostics);
  add_places(diagnostics, **stage);
  reporter.report(diagnostics, options.file);
  if (!summary) return reporter.failed(options.file, summary.error(), diagnostics);
  if (options.json) {
    print_json(summary_to_json(*summary));
  } else {
    fmt::print("{}", summary_to_text(*summary));
  }
  // What no layer was found for is not in the file, which is whole all the same.
  const bool is_less = has_error(diagnostics, "gltf-") || has_error(diagnostics, "physics-") ||
                       has_error(diagnostics, "skel-");
  return is_less ? ExitStatus::file_error : ExitStatus::success;
}

}  // namespace sinew::tool
