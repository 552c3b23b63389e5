// SPDX-License-Identifier: Apache-2.0
// Splines: kept, not evaluated.
#include <fmt/format.h>

#include <algorithm>

#include "usda/text_parser.hpp"

namespace sinew::usda {

bool TextParser::plain_number(double& value) {
  const char* const at = position();
  const char* after = read_real(at, text_end(), value);
  if (after == at) return expected("a number");
  set_position(after);
  return true;
}

bool TextParser::spline(Spline& spline, ElementType) {
  const char* const at = position();
  if (!require('{', "'{'") || !multi_pad()) return false;
  if (!take('}')) {
    if (!comma_list('}', "',' or '}'", [&] { return spline_item(spline); })) return false;
  }
  const auto loops_to_boundary = [](const Spline::Extrapolate& e) {
    const bool loop = e.mode == Spline::Extrapolation::loop_repeat ||
                      e.mode == Spline::Extrapolation::loop_reset ||
                      e.mode == Spline::Extrapolation::loop_oscillate;
    return loop && e.parameter.has_value();
  };
  if (spline.loop && (loops_to_boundary(spline.pre) || loops_to_boundary(spline.post))) {
    return fail(at, "usda-bad-spline",
                "An inner loop cannot be combined with an extrapolation loop that has a boundary.");
  }
  std::stable_sort(spline.knots.begin(), spline.knots.end(),
                   [](const auto& a, const auto& b) { return a.time < b.time; });
  // Of knots at one time the first counts.
  const auto same_time = [](const auto& a, const auto& b) { return a.time == b.time; };
  spline.knots.erase(std::unique(spline.knots.begin(), spline.knots.end(), same_time),
                     spline.knots.end());
  return true;
}

bool TextParser::spline_item(Spline& spline) {
  if (take_word("bezier")) {
    spline.curve_type = Spline::CurveType::bezier;
    return true;
  }
  if (take_word("hermite")) {
    spline.curve_type = Spline::CurveType::hermite;
    return true;
  }
  if (take_word("pre")) {
    return pad() && require(':', "':'") && pad() && extrapolation(spline.pre);
  }
  if (take_word("post")) {
    return pad() && require(':', "':'") && pad() && extrapolation(spline.post);
  }
  if (take_word("loop")) {
    double values[5] = {};
    if (!pad() || !require(':', "':'") || !pad() || !require('(', "'('")) return false;
    for (int i = 0; i < 5; ++i) {
      if (i != 0 && (!require(',', "','"))) return false;
      if (!pad() || !plain_number(values[i]) || !pad()) return false;
    }
    spline.loop = Spline::InnerLoop{values[0], values[1], values[2], values[3], values[4]};
    return require(')', "')'");
  }
  return spline_knot(spline);
}

bool TextParser::extrapolation(Spline::Extrapolate& extrapolate) {
  using Mode = Spline::Extrapolation;
  const auto parameter = [&](bool optional) {
    const char* const after = position();
    if (!pad()) return false;
    if (!take('(')) {
      set_position(after);
      return optional || expected("'('");
    }
    double value = 0.0;
    if (!pad() || !plain_number(value) || !pad() || !require(')', "')'")) return false;
    extrapolate.parameter = value;
    return true;
  };
  extrapolate.parameter.reset();
  if (take_word("none")) {
    extrapolate.mode = Mode::none;
  } else if (take_word("held")) {
    extrapolate.mode = Mode::held;
  } else if (take_word("linear")) {
    extrapolate.mode = Mode::linear;
  } else if (take_word("sloped")) {
    extrapolate.mode = Mode::sloped;
    return parameter(false);
  } else if (take_word("loop")) {
    if (!gap("repeat, reset or oscillate")) return false;
    if (take_word("repeat")) {
      extrapolate.mode = Mode::loop_repeat;
    } else if (take_word("reset")) {
      extrapolate.mode = Mode::loop_reset;
    } else if (take_word("oscillate")) {
      extrapolate.mode = Mode::loop_oscillate;
    } else {
      return expected("repeat, reset or oscillate");
    }
    return parameter(true);
  } else {
    return expected("none, held, linear, sloped or loop");
  }
  return true;
}

bool TextParser::spline_knot(Spline& spline) {
  Spline::Knot knot;
  if (!plain_number(knot.time) || !pad() || !require(':', "':'") || !pad() ||
      !plain_number(knot.value)) {
    return false;
  }
  const char* after = position();
  if (!pad()) return false;
  if (take('&')) {
    knot.pre_value = knot.value;
    if (!pad() || !plain_number(knot.value)) return false;
    after = position();
    if (!pad()) return false;
  }
  // Parameters follow a separator and are separated by more of them.
  bool first = true;
  while (take_separator()) {
    if (!multi_pad()) return false;
    if (!first && (peek() == '}' || peek() == ',')) {
      after = position();
      break;
    }
    if (!knot_parameter(knot)) return false;
    first = false;
    after = position();
    if (!line_pad()) return false;
  }
  set_position(after);
  spline.knots.push_back(std::move(knot));
  return true;
}

bool TextParser::knot_parameter(Spline::Knot& knot) {
  if (peek() == '{') return dictionary(knot.custom_data, 0);
  if (take_word("pre")) {
    knot.pre_tangent = Spline::Tangent{};
    return gap("a tangent") && tangent(*knot.pre_tangent);
  }
  if (!take_word("post")) return expected("pre, post or a dictionary");
  using Mode = Spline::Interpolation;
  if (!gap("none, held, linear or curve")) return false;
  if (take_word("none")) {
    knot.interpolation = Mode::none;
  } else if (take_word("held")) {
    knot.interpolation = Mode::held;
  } else if (take_word("linear")) {
    knot.interpolation = Mode::linear;
  } else if (take_word("curve")) {
    knot.interpolation = Mode::curve;
  } else {
    return expected("none, held, linear or curve");
  }
  // A tangent follows after padding, never directly.
  const char* const after = position();
  if (peek() == '(') return expected("a blank before the tangent");
  if (!pad()) return false;
  if (peek() == '(') {
    knot.post_tangent = Spline::Tangent{};
    return tangent(*knot.post_tangent);
  }
  set_position(after);
  return true;
}

bool TextParser::tangent(Spline::Tangent& tangent) {
  if (!require('(', "'('") || !pad() || !plain_number(tangent.slope) || !pad()) return false;
  const auto algorithm = [&] {
    if (take_word("custom")) {
      tangent.algorithm = Spline::TangentAlgorithm::custom;
    } else if (take_word("autoEase")) {
      tangent.algorithm = Spline::TangentAlgorithm::auto_ease;
    } else {
      return expected("custom or autoEase");
    }
    return pad();
  };
  bool named = false;
  if (take(',')) {
    if (!pad()) return false;
    const std::string_view word = peek_identifier();
    named = word == "custom" || word == "autoEase";
    if (named) {
      if (!algorithm()) return false;
    } else {
      tangent.width = tangent.slope;
      if (!plain_number(tangent.slope) || !pad()) return false;
      if (take(',') && !(pad() && algorithm())) return false;
    }
  }
  return !failed() && require(')', "')'");
}

}  // namespace sinew::usda
