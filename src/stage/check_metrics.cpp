// SPDX-License-Identifier: Apache-2.0
#include "sinew/stage/check_metrics.hpp"

#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/format_text.hpp"
#include "core/report.hpp"
#include "core/shown.hpp"
#include "core/usable_unit.hpp"
#include "sinew/core/axis.hpp"

namespace sinew::stage {

namespace {

// Of a layer that the stage takes in: nothing is converted on the way.
void check_layer_metrics(const layer::Layer& layer, const Metrics& metrics,
                         Diagnostics& diagnostics) {
  const auto tell = [&](std::string message) {
    report(&diagnostics, Severity::info, "stage-metrics-differ", {.file = layer.identifier()},
           std::move(message));
  };
  const auto authored = [](bool is_written) {
    return is_written ? std::string_view() : std::string_view(" (which it does not write)");
  };
  const auto check_unit = [&](std::string_view name, double of_stage, bool is_written) {
    const layer::Value* const written = layer.field(name);
    const std::optional<double> unit = written == nullptr ? std::nullopt : written->get<double>();
    constexpr double kSame = 1e-5;  // 0.01 may have been a float.
    if (!unit || std::abs(*unit - of_stage) <= kSame * std::abs(of_stage)) return;
    tell(format_text("{} is {} here and {} on the stage{}: numbers are taken as they are.", name,
                     *unit, of_stage, authored(is_written)));
  };
  check_unit("metersPerUnit", metrics.meters_per_unit, metrics.has_meters_per_unit);
  check_unit("kilogramsPerUnit", metrics.kilograms_per_unit, metrics.has_kilograms_per_unit);
  const layer::Value* const written = layer.field("upAxis");
  const std::optional<std::string_view> axis = written == nullptr ? std::nullopt : written->text();
  if (axis && parse_axis(*axis) != parse_axis(metrics.up_axis)) {
    tell(format_text("upAxis is \"{}\" here and \"{}\" on the stage{}: nothing is turned.",
                     shown(*axis), shown(metrics.up_axis), authored(metrics.has_up_axis)));
  }
}

}  // namespace

void check_metrics(const Stage& stage, Diagnostics& diagnostics) {
  const Metrics& metrics = stage.metrics();
  const layer::Layer& root = *stage.layers().front();
  const auto warn = [&](std::string_view code, std::string message) {
    report(&diagnostics, Severity::warning, code, {.file = root.identifier()}, std::move(message));
  };
  const auto check_unit = [&](std::string_view name, double value) {
    if (is_usable_unit(value)) return;
    warn("stage-bad-units",
         format_text("{} is {}; nothing can be measured in such a unit.", name, value));
  };
  check_unit("metersPerUnit", metrics.meters_per_unit);
  check_unit("kilogramsPerUnit", metrics.kilograms_per_unit);
  const auto check_rate = [&](std::string_view name, double value) {
    if (std::isfinite(value) && value > 0.0) return;
    warn("stage-bad-time-codes",
         format_text("{} is {}, and must be a number above 0.", name, value));
  };
  check_rate("timeCodesPerSecond", metrics.time_codes_per_second);
  check_rate("framesPerSecond", metrics.frames_per_second);
  if (metrics.has_time_code_range && !(metrics.start_time_code <= metrics.end_time_code)) {
    warn("stage-bad-time-codes", format_text("startTimeCode, {}, is after endTimeCode, {}.",
                                             metrics.start_time_code, metrics.end_time_code));
  }
  if (!metrics.default_prim.empty() && !stage.default_prim()) {
    warn("stage-bad-default-prim",
         format_text("defaultPrim is \"{}\", and there is no such prim: what refers to the file "
                     "without a path finds nothing.",
                     shown(metrics.default_prim)));
  }
  const std::string& axis = metrics.up_axis;
  if (axis != "X" && axis != "Y" && axis != "Z") {
    warn("stage-bad-up-axis", format_text("upAxis is \"{}\", not \"Y\" or \"Z\".", shown(axis)));
  }
  const layer::Value* const written = root.field("upAxis");
  const std::optional<std::string_view> text = written == nullptr ? std::nullopt : written->text();
  if (text && (*text == "x" || *text == "y" || *text == "z") && axis != *text) {
    warn("stage-lower-case-up-axis",
         format_text("upAxis is \"{}\" in lower case, which only this library reads.", *text));
  }
  for (const layer::LayerPtr& layer : stage.layers().subspan(1)) {
    check_layer_metrics(*layer, metrics, diagnostics);
  }
}

}  // namespace sinew::stage
