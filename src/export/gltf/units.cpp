// SPDX-License-Identifier: Apache-2.0
// Units, axes, and which part of time is written.

#include <algorithm>
#include <cmath>

#include "core/format_text.hpp"
#include "core/usable_unit.hpp"
#include "export/gltf/writer.hpp"
#include "sinew/geom/transforms.hpp"

namespace sinew::exporter {

namespace {

// Skeletons are looked for wherever something may be shown.
void find_bindings(Writer& w) {
  skel::ReadOptions options;
  options.pack_influences = false;
  w.bindings = skel::read_bindings(w.stage, w.diagnostics, options);
  for (std::size_t b = 0; b < w.bindings.size(); ++b) {
    for (std::size_t t = 0; t < w.bindings[b].targets.size(); ++t) {
      w.targets.try_emplace(w.bindings[b].targets[t].prim, b, t);
    }
  }
}

}  // namespace

void TimeSpan::add(const std::vector<double>& times) {
  for (const double time : times) {
    if (!std::isfinite(time)) continue;
    first = std::min(first, time);
    last = std::max(last, time);
  }
}

void TimeSpan::add(const skel::StageAnimation& animation) {
  for (const stage::Attribute* attribute : {&animation.translations, &animation.rotations,
                                            &animation.scales, &animation.blend_shape_weights}) {
    add(attribute->time_samples());
  }
}

void read_units(Writer& w) {
  const stage::Metrics& metrics = w.stage.metrics();
  const stage::Prim root = w.stage.root();
  w.meters = w.options.meters_per_unit.value_or(metrics.meters_per_unit);
  if (!w.options.meters_per_unit && !metrics.has_meters_per_unit) {
    w.warn("gltf-units-assumed", root,
           "metersPerUnit is not authored; one unit is taken for 0.01 m, as USD does.");
  }
  if (!is_usable_unit(w.meters)) {
    w.reporter.add(Severity::error, "gltf-bad-units", root,
                   format_text("metersPerUnit is {}; one unit is taken for 1 m.", w.meters));
    w.meters = 1.0;
  }
  w.rate = metrics.time_codes_per_second;
  if (!is_usable_unit(w.rate)) {
    w.warn("gltf-bad-rate", root,
           format_text("timeCodesPerSecond is {}; 24 is used.", metrics.time_codes_per_second));
    w.rate = 24.0;
  }
  const bool is_z_up = metrics.up_axis == "Z" || metrics.up_axis == "z";
  if (!is_z_up && metrics.up_axis != "Y" && metrics.up_axis != "y") {
    w.warn("gltf-up-axis", root,
           format_text("The up axis is \"{}\"; Y is taken to point upwards.", metrics.up_axis));
  }
  if (is_z_up && !w.options.keep_up_axis) {
    Matrix4d turn = Matrix4d::Identity();
    turn(1, 1) = turn(2, 2) = 0.0;
    turn(1, 2) = 1.0;
    turn(2, 1) = -1.0;
    w.root = w.add_node(kTop, "root", turn);
    w.node(w.root).world = Matrix4d::Identity();  // World transforms are in the stage's axes.
  }
}

void read_time_range(Writer& w) {
  find_bindings(w);
  const stage::Metrics& metrics = w.stage.metrics();
  if (w.options.time_range) {
    w.first = w.options.time_range->first;
    w.last = w.options.time_range->last;
  } else if (metrics.has_time_code_range && std::isfinite(metrics.start_time_code) &&
             std::isfinite(metrics.end_time_code) &&
             metrics.start_time_code <= metrics.end_time_code) {
    w.first = metrics.start_time_code;
    w.last = metrics.end_time_code;
  } else {
    w.has_given_range = false;
    TimeSpan span;
    for (const skel::SkeletonBinding& binding : w.bindings) {
      if (binding.animation != nullptr) span.add(*binding.animation);
    }
    for (const stage::Prim& prim :
         w.stage.root().descendants(stage::Traversal::with_instance_proxies())) {
      if (geom::local_transform_might_vary(prim)) span.add(geom::local_transform_samples(prim));
    }
    if (!span.is_empty()) {
      w.first = span.first;
      w.last = span.last;
    }
  }
  w.shown = stage::Time(w.first);
}

}  // namespace sinew::exporter
