// SPDX-License-Identifier: Apache-2.0
// Splines.

#include <algorithm>
#include <cmath>

#include "core/format_text.hpp"
#include "core/sort.hpp"
#include "layer/shared/spline_ends.hpp"
#include "usda/text_parser.hpp"
#include "usda/text_rules.hpp"

namespace sinew::usda {

bool TextParser::plain_number(double& value) {
  const char* const at = scan_.position();
  const char* after = read_real(at, scan_.text_end(), value);
  if (after == at) return scan_.expected("a number");
  scan_.set_position(after);
  check_integer_size(at);
  return true;
}

// A number that must be finite in the type that holds it.
bool TextParser::spline_number(ElementType type, double& value) {
  const char* const at = scan_.position();
  if (!plain_number(value)) return false;
  return is_finite_as(type, value) ||
         scan_.fail(at, "usda-bad-spline",
                    format_text("'{}' is not finite in the type of this spline.", text_since(at)));
}

bool TextParser::spline(Spline& spline, ElementType type) {
  const char* const at = scan_.position();
  if (!scan_.require('{', "'{'") || !scan_.multi_pad()) return false;
  if (!scan_.take('}')) {
    if (!comma_list('}', "',' or '}'", [&] { return spline_item(spline, type); })) return false;
  }
  if (spline.loop && (loops_to_boundary(spline.pre) || loops_to_boundary(spline.post))) {
    return scan_.fail(
        at, "usda-bad-spline",
        "An inner loop cannot be combined with an extrapolation loop that has a boundary.");
  }
  stable_sort_range(spline.knots.begin(), spline.knots.end(),
                    [](const auto& a, const auto& b) { return a.time < b.time; });
  // Of several knots at the same time, the first wins.
  const auto same_time = [](const auto& a, const auto& b) { return a.time == b.time; };
  spline.knots.erase(std::unique(spline.knots.begin(), spline.knots.end(), same_time),
                     spline.knots.end());
  return true;
}

bool TextParser::spline_item(Spline& spline, ElementType type) {
  if (scan_.take_word("bezier")) {
    spline.curve_type = Spline::CurveType::bezier;
    return true;
  }
  if (scan_.take_word("hermite")) {
    spline.curve_type = Spline::CurveType::hermite;
    return true;
  }
  if (scan_.take_word("pre")) {
    return scan_.pad() && scan_.require(':', "':'") && scan_.pad() && extrapolation(spline.pre);
  }
  if (scan_.take_word("post")) {
    return scan_.pad() && scan_.require(':', "':'") && scan_.pad() && extrapolation(spline.post);
  }
  if (scan_.take_word("loop")) {
    Spline::InnerLoop loop;
    const bool read =
        scan_.pad() && scan_.require(':', "':'") && scan_.pad() && scan_.require('(', "'('") &&
        loop_number(loop.prototype_start) && scan_.require(',', "','") &&
        loop_number(loop.prototype_end) && scan_.require(',', "','") &&
        loop_count(loop.pre_loops) && scan_.require(',', "','") && loop_count(loop.post_loops) &&
        scan_.require(',', "','") && loop_number(loop.value_offset) && scan_.require(')', "')'");
    spline.loop = loop;
    return read;
  }
  return spline_knot(spline, type);
}

bool TextParser::loop_number(double& value) {
  return scan_.pad() && spline_number(ElementType::double_, value) && scan_.pad();
}

// As for integers everywhere, what follows the decimal point does not count.
bool TextParser::loop_count(double& count) {
  if (!scan_.pad()) return false;
  const char* const at = scan_.position();
  if (!plain_number(count)) return false;
  count = std::trunc(count) + 0.0;  // Not -0.
  if (!is_loop_count(count)) {
    return scan_.fail(at, "usda-bad-spline",
                      format_text("'{}' is not how often something can repeat.", text_since(at)));
  }
  return scan_.pad();
}

bool TextParser::extrapolation(Spline::Extrapolate& extrapolate) {
  using Mode = Spline::Extrapolation;
  const auto parameter = [&](bool optional) {
    const char* const after = scan_.position();
    if (!scan_.pad()) return false;
    if (!scan_.take('(')) {
      scan_.set_position(after);
      return optional || scan_.expected("'('");
    }
    double value = 0.0;
    if (!scan_.pad() || !spline_number(ElementType::double_, value) || !scan_.pad() ||
        !scan_.require(')', "')'")) {
      return false;
    }
    extrapolate.parameter = value;
    return true;
  };
  extrapolate.parameter.reset();
  if (scan_.take_word("none")) {
    extrapolate.mode = Mode::none;
  } else if (scan_.take_word("held")) {
    extrapolate.mode = Mode::held;
  } else if (scan_.take_word("linear")) {
    extrapolate.mode = Mode::linear;
  } else if (scan_.take_word("sloped")) {
    extrapolate.mode = Mode::sloped;
    return parameter(false);
  } else if (scan_.take_word("loop")) {
    if (!scan_.gap("repeat, reset or oscillate")) return false;
    if (scan_.take_word("repeat")) {
      extrapolate.mode = Mode::loop_repeat;
    } else if (scan_.take_word("reset")) {
      extrapolate.mode = Mode::loop_reset;
    } else if (scan_.take_word("oscillate")) {
      extrapolate.mode = Mode::loop_oscillate;
    } else {
      return scan_.expected("repeat, reset or oscillate");
    }
    return parameter(true);
  } else {
    return scan_.expected("none, held, linear, sloped or loop");
  }
  return true;
}

bool TextParser::spline_knot(Spline& spline, ElementType type) {
  Spline::Knot knot;
  if (!spline_number(ElementType::double_, knot.time) || !scan_.pad() ||
      !scan_.require(':', "':'") || !scan_.pad() || !spline_number(type, knot.value)) {
    return false;
  }
  const char* after = scan_.position();
  if (!scan_.pad()) return false;
  if (scan_.take('&')) {
    knot.pre_value = knot.value;
    if (!scan_.pad() || !spline_number(type, knot.value)) return false;
    after = scan_.position();
    if (!scan_.pad()) return false;
  }
  // Parameters follow a separator and are separated by more of them.
  bool first = true;
  while (scan_.take_separator()) {
    if (!scan_.multi_pad()) return false;
    if (!first && (scan_.peek() == '}' || scan_.peek() == ',')) {
      after = scan_.position();
      break;
    }
    if (!knot_parameter(knot, type)) return false;
    first = false;
    after = scan_.position();
    if (!scan_.line_pad()) return false;
  }
  scan_.set_position(after);
  spline.knots.push_back(std::move(knot));
  return true;
}

bool TextParser::knot_parameter(Spline::Knot& knot, ElementType type) {
  if (scan_.peek() == '{') return dictionary(knot.custom_data, 0);
  if (scan_.take_word("pre")) {
    knot.pre_tangent = Spline::Tangent{};
    return scan_.gap("a tangent") && tangent(*knot.pre_tangent, type);
  }
  if (!scan_.take_word("post")) return scan_.expected("pre, post or a dictionary");
  using Mode = Spline::Interpolation;
  if (!scan_.gap("none, held, linear or curve")) return false;
  if (scan_.take_word("none")) {
    knot.interpolation = Mode::none;
  } else if (scan_.take_word("held")) {
    knot.interpolation = Mode::held;
  } else if (scan_.take_word("linear")) {
    knot.interpolation = Mode::linear;
  } else if (scan_.take_word("curve")) {
    knot.interpolation = Mode::curve;
  } else {
    return scan_.expected("none, held, linear or curve");
  }
  // A tangent follows after padding, never directly.
  const char* const after = scan_.position();
  if (scan_.peek() == '(') return scan_.expected("a blank before the tangent");
  if (!scan_.pad()) return false;
  if (scan_.peek() == '(') {
    knot.post_tangent = Spline::Tangent{};
    return tangent(*knot.post_tangent, type);
  }
  scan_.set_position(after);
  return true;
}

bool TextParser::tangent_algorithm(Spline::Tangent& tangent) {
  if (scan_.take_word("custom")) {
    tangent.algorithm = Spline::TangentAlgorithm::custom;
  } else if (scan_.take_word("autoEase")) {
    tangent.algorithm = Spline::TangentAlgorithm::auto_ease;
  } else {
    return scan_.expected("custom or autoEase");
  }
  return scan_.pad();
}

// (width, slope) or (slope), either possibly followed by an algorithm.
bool TextParser::tangent(Spline::Tangent& tangent, ElementType type) {
  if (!scan_.require('(', "'('") || !scan_.pad()) return false;
  const char* const at = scan_.position();
  if (!spline_number(ElementType::double_, tangent.slope)) return false;
  const std::string_view first = text_since(at);
  if (!scan_.pad()) return false;
  bool algorithm = scan_.take(',');
  if (algorithm && !scan_.pad()) return false;
  const std::string_view word = scan_.peek_identifier();
  if (algorithm && word != "custom" && word != "autoEase") {
    tangent.width = tangent.slope;
    if (*tangent.width < 0.0) {
      return scan_.fail(at, "usda-bad-spline", "The width of a tangent cannot be negative.");
    }
    if (!spline_number(type, tangent.slope) || !scan_.pad()) return false;
    algorithm = scan_.take(',');
    if (algorithm && !scan_.pad()) return false;
  } else if (!is_finite_as(type, tangent.slope)) {
    return scan_.fail(at, "usda-bad-spline",
                      format_text("'{}' is not finite in the type of this spline.", first));
  }
  return (!algorithm || tangent_algorithm(tangent)) && scan_.require(')', "')'");
}

}  // namespace sinew::usda
