// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <span>
#include <utility>

#include "core/format_text.hpp"
#include "core/replace_file.hpp"
#include "core/usable_unit.hpp"
#include "export/gltf/materials.hpp"
#include "export/gltf/origin.hpp"
#include "export/gltf/writer.hpp"
#include "sinew/geom/transforms.hpp"

namespace sinew::exporter {

namespace {

Status check_options(const GlbOptions& options) {
  if (options.time_range &&
      !(std::isfinite(options.time_range->first) && std::isfinite(options.time_range->last) &&
        options.time_range->first <= options.time_range->last)) {
    return {ErrorCode::invalid_argument, "The range of times is empty or without end."};
  }
  if (!(options.step >= 0.0) || !std::isfinite(options.step)) {
    return {ErrorCode::invalid_argument, "The step between keys is negative or not finite."};
  }
  if (options.meters_per_unit && !is_usable_unit(*options.meters_per_unit)) {
    return {ErrorCode::invalid_argument, "The unit has no size."};
  }
  return {};
}

void name_scene(Writer& w) {
  std::string name;
  if (const stage::Prim top = w.stage.default_prim()) {
    name = read_origin(top).scene.value_or(std::string(top.name().view()));
  } else if (!w.stage.layers().empty()) {
    name = w.stage.layers().front()->identifier();
    const std::size_t slash = name.find_last_of("/\\[");
    if (slash != std::string::npos) name.erase(0, slash + 1);
    name.erase(std::min(name.find_last_of('.'), name.size()));
  }
  w.builder.name_scene(name);
}

void tell_missing_primvars(Writer& w) {
  std::string missing;
  for (const std::string& name : w.options.primvars) {
    if (w.found_primvars.contains(name)) continue;
    append_item(missing, format_text("\"{}\"", name));
  }
  if (missing.empty()) return;
  w.warn("gltf-primvar", w.stage.root(),
         format_text("Nothing that is written has the primvars {}.", missing));
}

/// A file that is written piece by piece.
class OnDisk final : public GlbOutput {
 public:
  OnDisk(const std::string& file, std::FILE* handle) : file_(file), handle_(handle) {}

  bool is_sequential() const override { return true; }
  Status begin(std::size_t) override { return {}; }
  Status put(std::size_t, std::span<const std::byte> bytes) override {
    if (std::fwrite(bytes.data(), 1, bytes.size(), handle_) == bytes.size()) return {};
    return {ErrorCode::io_failed,
            format_text("cannot write '{}': {}.", file_, std::strerror(errno))};
  }

 private:
  const std::string& file_;
  std::FILE* handle_;
};

/// Everything from the stage into the document.
Status fill(Writer& w) {
  w.document.container.limit_bytes(w.options.limits.bytes);
  name_scene(w);
  read_units(w);
  w.materials = std::make_unique<Materials>(w);
  read_time_range(w);
  plan_nodes(w);
  plan_instancers(w);
  add_shapes(w);
  tell_missing_primvars(w);
  if (!w.error && w.options.instancing == GlbInstancing::gpu) merge_instances(w);
  if (!w.error && w.options.physics) add_physics(w);
  if (!w.error) plan_clips(w);
  if (!w.error) emit(w);
  if (w.error) return *std::move(w.error);
  return {};
}

}  // namespace

Writer::Writer(const stage::Stage& on, const GlbOptions& with, Diagnostics& to)
    : stage(on),
      options(with),
      diagnostics(to),
      reporter(on, to, stage::Reporter::Repeats::once_per_prim),
      document(GlbBuilderAccess::of(builder)) {}

Writer::~Writer() = default;

void Writer::tell_if_animated(const stage::Attribute& attribute) {
  if (!attribute || !attribute.might_be_time_varying()) return;
  reporter.add(Severity::warning, "gltf-attribute-animation", attribute,
               format_text("{} of {} varies with time; it is written as at the first time.",
                           attribute.name().view(), attribute.prim().path().view()));
}

std::int32_t Writer::add_node(std::int32_t parent, std::string name, const Matrix4d& local) {
  if (nodes.size() >= options.limits.nodes) {
    std::int32_t above = parent;
    while (above != kTop && node(above).source_path.empty()) above = node(above).parent;
    fail(ErrorCode::limit_exceeded,
         format_text("There would be more than {} nodes: \"{}\" below {} is one too many.",
                     options.limits.nodes, name, above == kTop ? "/" : node(above).source_path));
    return parent;
  }
  PlanNode added;
  added.parent = parent;
  added.name = std::move(name);
  added.local = local;
  added.world = parent == kTop ? local : Matrix4d(node(parent).world * local);
  nodes.push_back(std::move(added));
  return static_cast<std::int32_t>(nodes.size() - 1);
}

Result<GltfFile> write_glb(const stage::Stage& stage, const GlbOptions& options,
                           Diagnostics& diagnostics) {
  if (Status good = check_options(options); !good) return std::move(good).error();
  Writer w(stage, options, diagnostics);
  if (Status filled = fill(w); !filled) return std::move(filled).error();
  return w.builder.finish();
}

Result<GltfSummary> write_glb_file(const stage::Stage& stage, const std::string& file,
                                   const GlbOptions& options, Diagnostics& diagnostics) {
  if (Status good = check_options(options); !good) return std::move(good).error();
  GlbOptions with_output = options;
  if (with_output.output.empty()) with_output.output = file;
  Writer w(stage, with_output, diagnostics);
  if (Status filled = fill(w); !filled) return std::move(filled).error();
  Result<ReplaceFile> target = ReplaceFile::create(file);
  if (!target) return std::move(target).error();
  OnDisk disk(file, target->handle());
  Result<GltfSummary> summary = write_document(w.document, disk);
  if (!summary) return std::move(summary).error();
  if (Status written = (*std::move(target)).commit(); !written) return std::move(written).error();
  return summary;
}

}  // namespace sinew::exporter
