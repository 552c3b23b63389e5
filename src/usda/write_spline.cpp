// SPDX-License-Identifier: Apache-2.0
#include "usda/text_writer.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>

#include "core/format_text.hpp"
#include "layer/shared/spline_ends.hpp"
#include "sinew/usda/writer.hpp"
#include "usda/text_rules.hpp"

namespace sinew::usda {

void TextWriter::spline(const PropertySpec& property) {
  using Extrapolation = Spline::Extrapolation;
  constexpr auto kHeld = Spline::Interpolation::held;
  const Spline& spline = *property.extra->spline;
  const auto number = [&](double value) { out_ += write_number(value); };
  const auto extrapolate = [&](std::string_view key, const Spline::Extrapolate& e) {
    constexpr std::string_view kNames[] = {"",       "none",        "held",       "linear",
                                           "sloped", "loop repeat", "loop reset", "loop oscillate"};
    if (e.mode == Extrapolation::unset) return;
    indent();
    append_text(out_, "{}: {}", key, kNames[static_cast<int>(e.mode)]);
    const bool has_boundary = loops_to_boundary(e);
    if (has_boundary || e.mode == Extrapolation::sloped) {
      out_ += "(" + write_number(e.parameter.value_or(0.0)) + ")";
    }
    if (has_boundary) minor_version_ = std::max(minor_version_, 3U);
    out_ += ",\n";
  };
  const auto tangent = [&](const Spline::Tangent& t) {
    out_ += '(';
    if (t.width) {
      number(*t.width);
      out_ += ", ";
    }
    number(t.slope);
    if (t.algorithm != Spline::TangentAlgorithm::none) {
      out_ += t.algorithm == Spline::TangentAlgorithm::custom ? ", custom" : ", autoEase";
      minor_version_ = std::max(minor_version_, 1U);
    }
    out_ += ')';
  };
  indent();
  declaration(property, false);
  out_ += ".spline = {\n";
  ++depth_;
  if (spline.curve_type) {
    line(*spline.curve_type == Spline::CurveType::bezier ? "bezier," : "hermite,");
  }
  extrapolate("pre", spline.pre);
  extrapolate("post", spline.post);
  if (spline.loop) {
    const Spline::InnerLoop& l = *spline.loop;
    line("loop: (" + write_number(l.prototype_start) + ", " + write_number(l.prototype_end) + ", " +
         write_number(l.pre_loops) + ", " + write_number(l.post_loops) + ", " +
         write_number(l.value_offset) + "),");
  }
  for (const Spline::Knot& knot : spline.knots) {
    indent();
    number(knot.time);
    out_ += ": ";
    if (knot.pre_value) {
      number(*knot.pre_value);
      out_ += " & ";
    }
    number(knot.value);
    if (knot.pre_tangent) {
      out_ += "; pre ";
      tangent(*knot.pre_tangent);
    }
    if (knot.interpolation || knot.post_tangent) {
      constexpr std::string_view kModes[] = {"none", "held", "linear", "curve"};
      append_text(out_, "; post {}", kModes[static_cast<int>(knot.interpolation.value_or(kHeld))]);
      if (knot.post_tangent) {
        out_ += ' ';
        tangent(*knot.post_tangent);
      }
    }
    if (knot.custom_data.has_value() && can_write_custom_data("spline", knot.custom_data)) {
      out_ += "; ";
      below("spline", [&] { value(knot.custom_data); });
    }
    out_ += ",\n";
  }
  --depth_;
  line("}");
}

}  // namespace sinew::usda
