// SPDX-License-Identifier: Apache-2.0
#include "sinew/export/import_glb.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "export/gltf_import/scene_writer.hpp"

namespace sinew::exporter {

namespace {

using gltf_import::Faults;

Status check(const ImportGlbOptions& options) {
  const auto wrong = [](std::string message) {
    return Status(ErrorCode::invalid_argument, std::move(message));
  };
  if (options.up == Axis::x) return wrong("Up is Y or Z.");
  const auto is_positive = [](double value) { return value > 0.0 && std::isfinite(value); };
  if (!is_positive(options.meters_per_unit)) return wrong("metersPerUnit must be positive.");
  if (!is_positive(options.time_codes_per_second)) {
    return wrong("timeCodesPerSecond must be positive.");
  }
  if (!is_positive(options.curve_tolerance)) return wrong("The tolerance must be positive.");
  return {};
}

void set_metadata(const gltf_import::WriteContext& context) {
  const ImportGlbOptions& options = context.options();
  LayerOutput& out = *context.out;
  const auto set = [&](std::string_view key, double value) {
    out.set_field(out.root(), key, value_of(value));
  };
  out.set_field(out.root(), "upAxis", out.token(to_string(options.up)));
  set("metersPerUnit", options.meters_per_unit);
  if (context.counts->bodies + context.counts->colliders > 0) set("kilogramsPerUnit", 1.0);
  set("timeCodesPerSecond", options.time_codes_per_second);
  if (context.first_code <= context.last_code) {
    set("startTimeCode", std::min(context.first_code, 0.0));  // Clips of glTF begin at 0.
    set("endTimeCode", context.last_code);
  }
}

}  // namespace

Result<ImportedGlb> import_glb(const Bytes& bytes, const ImportGlbOptions& options,
                               Diagnostics& diagnostics) {
  using namespace gltf_import;
  if (Status good = check(options); !good) return std::move(good).error();
  Faults faults(diagnostics, options.file);
  Result<Container> container = open_container(bytes, faults);
  if (!container) return std::move(container).error();
  Result<Json> json = read_json(container->json.text(), options.limits, faults);
  if (!json) return std::move(json).error();

  Budget budget(options.limits, bytes.size());
  JsonReader reader(faults);
  const Cursor root(&*json, "");
  Accessors accessors(root, *container, options, reader, budget);
  const ReadContext read = {root, &options, &reader, &accessors, &budget};
  Document document;
  std::size_t done = 0;
  const auto progress = [&] {
    constexpr std::size_t kSteps = 6;
    if (options.progress) options.progress(++done, kSteps);
  };
  if (Status good = check_asset(read); !good) return std::move(good).error();
  if (Status good = read_nodes(read, document); !good) return std::move(good).error();
  progress();
  read_meshes(read, document);
  progress();
  read_skins(read, document);
  read_animations(read, document);
  progress();
  if (options.materials) {
    read_materials(read, document);
  } else {
    document.materials.resize(root["materials"].size());
  }
  if (options.physics) read_physics(read, document);

  ImportedGlb result;
  LayerOutput out(options.identifier, budget);
  SkeletonPlans plans = plan_skeletons(read, document);
  WriteContext context;
  context.read = &read;
  context.document = &document;
  context.out = &out;
  context.plans = &plans;
  context.counts = &result.counts;
  context.images = &result.images;
  context.per_metre = 1.0 / options.meters_per_unit;
  group_primitives(context);
  write_scene(context);
  progress();
  write_skeletons(context);
  progress();
  write_physics(context);
  set_metadata(context);
  progress();
  if (budget.is_spent()) {
    return faults.refuse(ErrorCode::limit_exceeded, "", "gltf-limit",
                         "The file asks for more than Limits::decoded_bytes and decoded_per_byte "
                         "allow.");
  }
  Result<layer::LayerPtr> layer = std::move(out).finish();
  if (!layer) return std::move(layer).error();
  result.layer = *std::move(layer);
  return result;
}

}  // namespace sinew::exporter
