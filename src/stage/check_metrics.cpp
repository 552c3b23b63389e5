// SPDX-License-Identifier: Apache-2.0
#include "sinew/stage/check_metrics.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/format_text.hpp"
#include "core/report.hpp"
#include "core/shown.hpp"
#include "core/usable_unit.hpp"

namespace sinew::stage {

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
}

}  // namespace sinew::stage
