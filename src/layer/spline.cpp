// SPDX-License-Identifier: Apache-2.0
#include "sinew/layer/spline.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "core/sort.hpp"

namespace sinew::layer {

namespace {

using Knot = Spline::Knot;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// A knot as it is shown: itself, or where an inner loop repeats it.
struct Point {
  double time = 0.0;
  double value = 0.0;
  double left_value = 0.0;  ///< What the curve comes in with.
  const Knot* knot = nullptr;

  Spline::Interpolation interpolation() const {
    return knot->interpolation.value_or(Spline::Interpolation::held);
  }
};

/// The knots that a spline shows, in ascending order, those that its inner loop repeats included.
/// They are worked out when asked for: there may be any number of them.
class ShownKnots {
 public:
  explicit ShownKnots(const Spline& spline) : knots_(spline.knots) {
    if (!spline.loop) return;
    const Spline::InnerLoop& loop = *spline.loop;
    before_ = std::max(0.0, std::floor(loop.pre_loops));
    behind_ = std::max(0.0, std::floor(loop.post_loops));
    if (!(loop.prototype_start < loop.prototype_end) || before_ + behind_ == 0.0) return;
    const std::size_t first = first_from(loop.prototype_start);
    if (first == knots_.size() || knots_[first].time != loop.prototype_start) return;
    loop_ = &loop;
    first_ = first;
    end_ = std::max(first_ + 1, first_from(loop.prototype_end));
    span_ = loop.prototype_end - loop.prototype_start;
    loop_begin_ = loop.prototype_start - before_ * span_;
    loop_end_ = loop.prototype_end + behind_ * span_;
  }

  /// The last one at or before a time.
  std::optional<Point> at_or_before(double time) const {
    if (loop_ != nullptr && time >= loop_begin_) {
      if (time < loop_end_) {
        const double round = round_of(time);
        const std::size_t next = next_in_prototype(time, round);
        return shown(next == first_ ? first_ : next - 1, round);
      }
      const std::size_t next = first_behind(time);
      if (next == 0 || !(knots_[next - 1].time > loop_end_)) return shown(first_, behind_ + 1.0);
      return shown(next - 1, 0.0);
    }
    const std::size_t next = first_behind(time);
    if (next == 0) return std::nullopt;
    return shown(next - 1, 0.0);
  }

  /// The first one behind a time.
  std::optional<Point> behind(double time) const {
    if (loop_ != nullptr && time >= loop_begin_ && time < loop_end_) {
      const double round = round_of(time);
      const std::size_t next = next_in_prototype(time, round);
      return next < end_ ? shown(next, round) : shown(first_, round + 1.0);
    }
    const std::size_t next = first_behind(time);
    if (loop_ != nullptr && time < loop_begin_ &&
        (next == knots_.size() || !(knots_[next].time < loop_begin_))) {
      return shown(first_, -before_);
    }
    if (next == knots_.size()) return std::nullopt;
    return shown(next, 0.0);
  }

 private:
  std::size_t first_from(double time) const {
    return first_that_not([time](const Knot& knot) { return knot.time < time; });
  }
  std::size_t first_behind(double time) const {
    return first_that_not([time](const Knot& knot) { return !(time < knot.time); });
  }
  // Unlike std::partition_point(), for knots in no order too: then it is any of them.
  template <typename Condition>
  std::size_t first_that_not(Condition holds) const {
    std::size_t first = 0;
    std::size_t last = knots_.size();
    while (first < last) {
      const std::size_t middle = first + (last - first) / 2;
      if (holds(knots_[middle])) {
        first = middle + 1;
      } else {
        last = middle;
      }
    }
    return first;
  }
  /// Which repetition a time of the loop is in: 0 is the prototype.
  double round_of(double time) const {
    const double round = std::floor((time - loop_->prototype_start) / span_);
    return std::clamp(round, -before_, behind_);
  }
  /// The first knot of the prototype behind a time, or end_.
  std::size_t next_in_prototype(double time, double round) const {
    return std::clamp(first_behind(time - round * span_), first_, end_);
  }
  Point shown(std::size_t index, double round) const {
    const Knot& knot = knots_[index];
    const double offset = round == 0.0 ? 0.0 : round * loop_->value_offset;
    const double time = round == 0.0 ? knot.time : knot.time + round * span_;
    return {time, knot.value + offset, knot.pre_value.value_or(knot.value) + offset, &knot};
  }

  const std::vector<Knot>& knots_;
  const Spline::InnerLoop* loop_ = nullptr;  ///< Null if nothing repeats.
  std::size_t first_ = 0;                    ///< Of the prototype.
  std::size_t end_ = 0;
  double before_ = 0.0, behind_ = 0.0;  ///< Repetitions.
  double span_ = 0.0;
  double loop_begin_ = 0.0, loop_end_ = 0.0;  ///< Knots between that do not repeat are hidden.
};

/// a * t^3 + b * t^2 + c * t + d, of the control points of a Bezier curve.
struct Cubic {
  Cubic(double p0, double p1, double p2, double p3)
      : a(p3 - p0 + 3.0 * (p1 - p2)), b(3.0 * (p0 - 2.0 * p1 + p2)), c(3.0 * (p1 - p0)), d(p0) {}
  double at(double t) const { return ((a * t + b) * t + c) * t + d; }
  double slope(double t) const { return (3.0 * a * t + 2.0 * b) * t + c; }
  double a, b, c, d;
};

/// Where a cubic that ascends from 0 to 1 has a value: by Newton's steps, halving where they leave
/// what is known to enclose it.
double parameter_of(const Cubic& cubic, double value) {
  double low = 0.0;
  double high = 1.0;
  double t = value;
  for (int i = 0; i < 64 && low < high; ++i) {
    const double error = cubic.at(t) - value;
    if (error == 0.0) break;
    (error < 0.0 ? low : high) = t;
    const double slope = cubic.slope(t);
    double next = slope > 0.0 ? t - error / slope : low;
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    if (next == t) break;
    t = next;
  }
  return t;
}

double slope_of(const std::optional<Spline::Tangent>& tangent) {
  return tangent ? tangent->slope : 0.0;
}

double width_of(const std::optional<Spline::Tangent>& tangent) {
  return tangent && tangent->width ? *tangent->width : 0.0;
}

// Widths are parts of the segment. Where the curve would go back in time both are made shorter, in
// proportion, until it only just does not: there (1 - a - b)^2 = a * b.
double bezier(const Point& left, const Point& right, double u) {
  const double length = right.time - left.time;
  double a = width_of(left.knot->post_tangent) / length;
  double b = width_of(right.knot->pre_tangent) / length;
  const double rest = 1.0 - a - b;
  if (rest < 0.0 && rest * rest > a * b) {
    const double factor = (a + b + std::sqrt(a * b)) / (a * a + a * b + b * b);
    a *= factor;
    b *= factor;
  }
  const double t = parameter_of(Cubic(0.0, a, 1.0 - b, 1.0), u);
  const double leaving = a * length * slope_of(left.knot->post_tangent);
  const double coming = b * length * slope_of(right.knot->pre_tangent);
  return Cubic(left.value, left.value + leaving, right.left_value - coming, right.left_value).at(t);
}

double hermite(const Point& left, const Point& right, double u) {
  const double third = (right.time - left.time) / 3.0;
  return Cubic(left.value, left.value + third * slope_of(left.knot->post_tangent),
               right.left_value - third * slope_of(right.knot->pre_tangent), right.left_value)
      .at(u);
}

/// A spline that shows knots.
class Evaluation {
 public:
  Evaluation(const Spline& spline, const ShownKnots& shown, const Point& first, const Point& last)
      : spline_(spline), shown_(shown), first_(first), last_(last) {}

  std::optional<double> at(double time) const {
    using Mode = Spline::Extrapolation;
    const bool is_before = time < first_.time;
    if (!is_before && time < last_.time) return inside(time, false);
    const Spline::Extrapolate& end = is_before ? spline_.pre : spline_.post;
    switch (end.mode) {
      case Mode::none:
        return std::nullopt;
      case Mode::loop_repeat:
      case Mode::loop_reset:
      case Mode::loop_oscillate:
        return repeated(time, end, is_before);
      default:
        break;
    }
    const Point& from = is_before ? first_ : last_;
    double slope = 0.0;
    if (end.mode == Mode::sloped) slope = end.parameter.value_or(0.0);
    if (end.mode == Mode::linear) slope = end_slope(is_before);
    return (is_before ? from.left_value : from.value) + slope * (time - from.time);
  }

 private:
  /// Between the ends. At a knot: what begins there, or what ends there.
  std::optional<double> inside(double time, bool from_left) const {
    const double side = from_left ? std::nextafter(time, -kInfinity) : time;
    const std::optional<Point> left = shown_.at_or_before(side);
    const std::optional<Point> right = shown_.behind(side);
    if (!left || !right) return std::nullopt;
    const double u = std::clamp((time - left->time) / (right->time - left->time), 0.0, 1.0);
    switch (left->interpolation()) {
      case Spline::Interpolation::none:
        return std::nullopt;
      case Spline::Interpolation::held:
        return left->value;
      case Spline::Interpolation::linear:
        return left->value + u * (right->left_value - left->value);
      case Spline::Interpolation::curve:
        break;
    }
    if (u == 0.0) return left->value;
    if (u == 1.0) return right->left_value;
    return spline_.curve_type == Spline::CurveType::hermite ? hermite(*left, *right, u)
                                                            : bezier(*left, *right, u);
  }

  /// The slope that a straight continuation has.
  double end_slope(bool is_before) const {
    const Point& end = is_before ? first_ : last_;
    if (end.knot->pre_value || !(first_.time < last_.time)) return 0.0;
    const std::optional<Point> inner =
        is_before ? shown_.behind(end.time)
                  : shown_.at_or_before(std::nextafter(end.time, -kInfinity));
    if (!inner) return 0.0;
    const Point& left = is_before ? end : *inner;
    const Point& right = is_before ? *inner : end;
    switch (left.interpolation()) {
      case Spline::Interpolation::linear:
        return (right.left_value - left.value) / (right.time - left.time);
      case Spline::Interpolation::curve:
        return slope_of(is_before ? end.knot->post_tangent : end.knot->pre_tangent);
      default:
        return 0.0;
    }
  }

  /// Outside, where the curve repeats; all of it, or what lies on this side of a boundary.
  std::optional<double> repeated(double time, const Spline::Extrapolate& end,
                                 bool is_before) const {
    using Mode = Spline::Extrapolation;
    double begin = first_.time;
    double finish = last_.time;
    if (end.parameter && *end.parameter > begin && *end.parameter < finish) {
      (is_before ? finish : begin) = *end.parameter;
    }
    const double span = finish - begin;
    if (!(span > 0.0)) return is_before ? first_.left_value : last_.value;
    // How many repetitions away, counted from the curve itself.
    const double round =
        is_before ? -std::ceil((begin - time) / span) : std::floor((time - finish) / span) + 1.0;
    const double there = std::clamp(time - round * span, begin, finish);
    if (end.mode == Mode::loop_oscillate && std::fmod(round, 2.0) != 0.0) {
      return inside(begin + (finish - there), true);
    }
    const std::optional<double> value = inside(there, there >= last_.time);
    if (!value || end.mode != Mode::loop_repeat) return value;
    const std::optional<double> from =
        begin > first_.time ? inside(begin, false) : std::optional(first_.left_value);
    const std::optional<double> to =
        finish < last_.time ? inside(finish, true) : std::optional(last_.value);
    if (!from || !to) return std::nullopt;
    return *value + round * (*to - *from);
  }

  const Spline& spline_;
  const ShownKnots& shown_;
  Point first_;
  Point last_;
};

}  // namespace

std::optional<double> evaluate(const Spline& spline, double time) noexcept {
  if (!std::isfinite(time)) return std::nullopt;
  const ShownKnots shown(spline);
  const std::optional<Point> first = shown.behind(-kInfinity);
  const std::optional<Point> last = shown.at_or_before(kInfinity);
  if (!first || !last) return std::nullopt;
  const std::optional<double> value = Evaluation(spline, shown, *first, *last).at(time);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

bool might_vary(const Spline& spline) noexcept {
  const auto varies = [](const Spline::Extrapolate& end) {
    return end.mode == Spline::Extrapolation::none || end.mode == Spline::Extrapolation::sloped;
  };
  return spline.knots.size() > 1 || varies(spline.pre) || varies(spline.post);
}

std::vector<double> sample_times(const Spline& spline) {
  constexpr double kMost = 1e5;
  std::vector<double> times;
  for (const Knot& knot : spline.knots) times.push_back(knot.time);
  const ShownKnots shown(spline);
  const std::optional<Point> first = shown.behind(-kInfinity);
  const std::optional<Point> last = shown.at_or_before(kInfinity);
  if (!first || !last || !(last->time - first->time < kMost)) return times;
  times.push_back(first->time);
  times.push_back(last->time);
  const double begin = std::ceil(first->time);
  for (double i = 0.0; begin + i < last->time && i < kMost; i += 1.0) times.push_back(begin + i);
  sort_range(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

}  // namespace sinew::layer
