// SPDX-License-Identifier: Apache-2.0
// sinew import: files of other formats as layers.

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <utility>

#include "commands.hpp"
#include "interrupt.hpp"
#include "paths.hpp"
#include "sinew/export/import_glb.hpp"
#include "sinew/export/import_robot.hpp"
#include "sinew/stage/asset_resolver.hpp"
#include "sinew/usdc/writer.hpp"
#include "sinew/usdz/writer.hpp"

namespace sinew::tool {

namespace {

/// What a reader makes of a file.
struct Imported {
  layer::LayerPtr layer;
  std::vector<usdz::File> files;  ///< To stand beside the layer, by their names relative to it.
  Json summary = Json::object();
};

using Reader = Result<Imported> (*)(const ImportOptions&, const Reporter&, Diagnostics&);

Result<Imported> read_gltf(const ImportOptions& options, const Reporter& reporter,
                           Diagnostics& diagnostics) {
  const Limits limits = limits_of(options.common);
  const Result<Bytes> bytes = map_file(options.input, limits.file_bytes);
  if (!bytes) return bytes.error();
  stage::FileResolver resolver;
  exporter::ImportGlbOptions settings;
  settings.identifier = options.output;
  settings.file = options.input;
  settings.resolver = &resolver;
  settings.up = options.up;
  settings.meters_per_unit = options.meters_per_unit;
  settings.time_codes_per_second = options.time_codes_per_second;
  settings.scene = options.scene;
  settings.materials = options.materials;
  settings.physics = options.physics;
  if (options.textures == "none") {
    settings.textures = exporter::ImportedTextures::none;
  } else if (extension_of(options.output) == ".usdz") {
    settings.textures = exporter::ImportedTextures::collect;
  }
  settings.image_folder = utf8_of(path_of(options.output).stem()) + "_textures";
  settings.limits = limits;
  settings.progress = [&](std::size_t done, std::size_t total) {
    reporter.progress("importing", done, total);
  };
  Result<exporter::ImportedGlb> made = exporter::import_glb(*bytes, settings, diagnostics);
  if (!made) return std::move(made).error();
  Imported result;
  result.layer = made->layer;
  for (exporter::ImportedImage& image : made->images) {
    result.files.push_back({std::move(image.name), std::move(image.bytes)});
  }
  const exporter::GlbCounts& counts = made->counts;
  Json& summary = result.summary;
  summary["nodes"] = counts.nodes;
  summary["meshes"] = counts.meshes;
  summary["points"] = counts.points;
  summary["faces"] = counts.faces;
  summary["skeletons"] = counts.skeletons;
  summary["joints"] = counts.joints;
  summary["blendShapes"] = counts.blend_shapes;
  summary["animations"] = counts.animations;
  summary["cameras"] = counts.cameras;
  summary["materials"] = counts.materials;
  summary["images"] = counts.images;
  summary["bodies"] = counts.bodies;
  summary["colliders"] = counts.colliders;
  summary["physicsJoints"] = counts.physics_joints;
  return result;
}

// An .xml file may hold either format of robots: its first element tells.
Result<Imported> read_robot(const ImportOptions& options, const Reporter&,
                            Diagnostics& diagnostics) {
  exporter::ImportRobotOptions settings;
  settings.identifier = options.output;
  settings.file = options.input;
  settings.prim_name = options.prim_name;
  settings.visuals = options.visuals;
  if (options.base == "fixed") settings.base = exporter::RobotBase::fixed;
  if (options.common.trust) settings.limits = limits_of(options.common);
  const Result<Bytes> bytes = map_file(options.input, settings.limits.file_bytes);
  if (!bytes) return bytes.error();
  stage::FileResolver resolver;
  settings.resolver = &resolver;
  const bool is_urdf = exporter::robot_format(bytes->text()) == exporter::RobotFormat::urdf ||
                       extension_of(options.input) == ".urdf";
  Result<exporter::ImportedRobot> made = is_urdf
                                             ? exporter::import_urdf(*bytes, settings, diagnostics)
                                             : exporter::import_mjcf(*bytes, settings, diagnostics);
  if (!made) return std::move(made).error();
  Imported result;
  result.layer = made->layer;
  const exporter::RobotCounts& counts = made->counts;
  Json& summary = result.summary;
  summary["format"] = is_urdf ? "urdf" : "mjcf";
  summary["bodies"] = counts.bodies;
  summary["joints"] = counts.joints;
  summary["colliders"] = counts.colliders;
  summary["visuals"] = counts.visuals;
  summary["drives"] = counts.drives;
  summary["actuators"] = counts.actuators;
  summary["unread"] = counts.unread;
  return result;
}

/// Who reads files that end so.
struct Importer {
  std::string_view extension;
  Reader read;
};
constexpr std::array<Importer, 5> kImporters = {{{".glb", read_gltf},
                                                 {".gltf", read_gltf},
                                                 {".urdf", read_robot},
                                                 {".xml", read_robot},
                                                 {".mjcf", read_robot}}};

ExitStatus write(const ImportOptions& options, Imported imported, Reporter& reporter,
                 Diagnostics& diagnostics) {
  const std::filesystem::path output = path_of(options.output);
  if (extension_of(options.output) != ".usdz") {
    for (const usdz::File& file : imported.files) {
      const std::string name = utf8_of(output.parent_path() / path_of(file.name));
      const ExitStatus status = write_output(name, file.bytes.text(), reporter);
      if (status != ExitStatus::success) return status;
    }
    const Status status =
        write_layer(*imported.layer, options.output, usdc::Version(), diagnostics);
    return status ? ExitStatus::success
                  : reporter.failed(options.output, status.error(), diagnostics);
  }
  Result<Bytes> bytes = usdc::write(*imported.layer, diagnostics);
  if (!bytes) return reporter.failed(options.output, bytes.error(), diagnostics);
  imported.files.insert(imported.files.begin(),
                        usdz::File{utf8_of(output.stem()) + ".usdc", *std::move(bytes)});
  Status status = make_folder_of(options.output);
  const WriteScope scope;
  if (status) status = usdz::write_file(imported.files, options.output, diagnostics);
  return status ? ExitStatus::success
                : reporter.failed(options.output, status.error(), diagnostics);
}

}  // namespace

bool is_robot_file(const std::string& file) {
  const std::string extension = extension_of(file);
  return std::any_of(kImporters.begin(), kImporters.end(), [&](const Importer& known) {
    return known.extension == extension && known.read == read_robot;
  });
}

ExitStatus run_import(const ImportOptions& options, Reporter& reporter) {
  const std::string extension = extension_of(options.input);
  const auto format =
      std::find_if(kImporters.begin(), kImporters.end(),
                   [&](const Importer& known) { return known.extension == extension; });
  if (format == kImporters.end()) {
    std::string known;
    for (const Importer& one : kImporters) {
      if (!known.empty()) known += ", ";
      known += one.extension;
    }
    return reporter.usage_error("import: reads " + known + ", not '" + options.input + "'");
  }
  const std::string to = extension_of(options.output);
  if (std::find(kLayerExtensions.begin(), kLayerExtensions.end(), to) == kLayerExtensions.end()) {
    return reporter.usage_error(
        "import: the output must end in .usdc, .usda, .usd or .usdz, not '" + options.output + "'");
  }
  Diagnostics diagnostics;
  Result<Imported> imported = format->read(options, reporter, diagnostics);
  reporter.clear_progress();
  if (!imported) {
    reporter.report(diagnostics, options.input);
    return reporter.failed(options.input, imported.error(), diagnostics);
  }
  reporter.report(diagnostics, options.input);
  Json summary = imported->summary;
  Diagnostics of_writing;
  const ExitStatus status = write(options, *std::move(imported), reporter, of_writing);
  reporter.report(of_writing, options.output);
  if (status != ExitStatus::success) return status;
  if (options.json) {
    summary["output"] = options.output;
    print_json(summary);
  }
  return reporter.error_count() > 0 ? ExitStatus::file_error : ExitStatus::success;
}

}  // namespace sinew::tool
