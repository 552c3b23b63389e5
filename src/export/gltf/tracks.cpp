// SPDX-License-Identifier: Apache-2.0
#include "export/gltf/tracks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "core/format_text.hpp"
#include "core/shortest_text.hpp"
#include "core/sort.hpp"
#include "sinew/geom/transforms.hpp"
#include "stage/shared/interpolation.hpp"

namespace sinew::exporter {

namespace {

constexpr double kMostKeys = 1e7;
constexpr double kLargestTurn = 0.1;    // Degrees that a node may be off between keys.
constexpr double kLargestStep = 120.0;  // Degrees from key to key; at 180 either way is as short.
constexpr double kLargestShift = 1e-4;  // Of the largest translation, and of the largest scale.
// Steps from key to key: of what hardly turns, and of anything, of which each that is added costs.
constexpr int kMostSteps = 64;
constexpr int kMostFastSteps = 4096;
constexpr std::size_t kManyKeys = 1U << 20;  // Added so far: no more of the fast ones.
// A place between two times that is no fraction of small numbers, so that no number of whole turns
// looks like none there.
constexpr double kOddPart = 0.6180339887498949;

float before(float time) {
  return std::nextafter(time, -std::numeric_limits<float>::infinity());
}

}  // namespace

KeyTimes key_times(Writer& w, std::span<const double> samples,
                   const std::function<bool(double, double)>& holds) {
  KeyTimes keys;
  keys.codes.push_back(w.first);
  for (const double sample : samples) {
    if (sample > w.first && sample < w.last) keys.codes.push_back(sample);
  }
  const double steps = w.options.step > 0.0 ? (w.last - w.first) / w.options.step : 0.0;
  if (steps >= kMostKeys) {
    w.fail(ErrorCode::limit_exceeded, "The step between keys makes too many of them.");
  } else {
    const auto count = static_cast<std::size_t>(steps + 1e-6);
    for (std::size_t i = 1; i <= count; ++i) {
      const double code = w.first + static_cast<double>(i) * w.options.step;
      if (code < w.last) keys.codes.push_back(code);
    }
  }
  if (w.last > w.first) keys.codes.push_back(w.last);
  sort_range(keys.codes.begin(), keys.codes.end());
  keys.codes.erase(std::unique(keys.codes.begin(), keys.codes.end()), keys.codes.end());
  for (std::size_t i = 0; i < keys.codes.size(); ++i) {
    keys.holds.push_back(i + 1 < keys.codes.size() && holds(keys.codes[i], keys.codes[i + 1]));
  }
  return keys;
}

void Track::add(double code, std::span<const float> values, bool holds) {
  const auto time = static_cast<float>(w_.seconds(code));
  const bool finite =
      std::all_of(values.begin(), values.end(), [](float v) { return std::isfinite(v); });
  if (!finite || !std::isfinite(time) || time < 0.0F) {
    dropped_ = true;
    return;
  }
  // Times that floats cannot tell apart: a jump. The earlier key moves as little as it can.
  if (!times_.empty() && !(time > times_.back())) {
    const float earlier = before(time);
    if (times_.size() > 1 ? earlier > times_[times_.size() - 2] : earlier >= 0.0F) {
      times_.back() = earlier;
    } else {
      times_.pop_back();
      values_.resize(values_.size() - width_);
      holds_.pop_back();
    }
  }
  times_.push_back(time);
  holds_.push_back(holds);
  if (path_ == GlbChannelPath::rotation && !values_.empty()) {
    const float* last = values_.data() + values_.size() - 4;
    double dot = 0.0;
    for (std::size_t i = 0; i < 4; ++i)
      dot += static_cast<double>(last[i]) * static_cast<double>(values[i]);
    for (const float v : values) values_.push_back(dot < 0.0 ? -v : v);
    return;
  }
  values_.insert(values_.end(), values.begin(), values.end());
}

bool Track::finish(std::span<const float> at_rest, PlanClip& clip) {
  if (times_.empty()) return dropped_;
  const auto is_near = [&](std::span<const float> wanted, bool negated) {
    float largest = 0.0F;
    for (const float v : values_) largest = std::max(largest, std::abs(v));
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const float value = negated ? -values_[i] : values_[i];
      if (!(std::abs(value - wanted[i % width_]) <= 1e-7F * largest)) return false;
    }
    return true;
  };
  const bool is_rotation = path_ == GlbChannelPath::rotation;
  if (!at_rest.empty() && (is_near(at_rest, false) || (is_rotation && is_near(at_rest, true)))) {
    return dropped_;
  }
  PlanChannel channel;
  channel.node = node_;
  channel.path = path_;
  // One value: the two ends tell it.
  const std::vector<float> first(values_.begin(),
                                 values_.begin() + static_cast<std::ptrdiff_t>(width_));
  bool is_constant = true;
  for (std::size_t i = 0; i < values_.size(); ++i)
    is_constant = is_constant && values_[i] == first[i % width_];
  if (is_constant && times_.size() > 2) {
    times_ = {times_.front(), times_.back()};
    values_.resize(2 * width_);
    holds_ = {false, false};
  }
  std::size_t held = 0;
  for (std::size_t i = 0; i + 1 < times_.size(); ++i) held += holds_[i] ? 1 : 0;
  channel.step = held > 0 && held + 1 == times_.size();
  if (held == 0 || channel.step) {
    channel.times = std::move(times_);
    channel.values = std::move(values_);
  } else {  // Where it holds, one key more just before the next.
    for (std::size_t i = 0; i < times_.size(); ++i) {
      const float* row = values_.data() + i * width_;
      channel.times.push_back(times_[i]);
      channel.values.insert(channel.values.end(), row, row + width_);
      if (!holds_[i] || i + 1 == times_.size() || !(before(times_[i + 1]) > times_[i])) continue;
      channel.times.push_back(before(times_[i + 1]));
      channel.values.insert(channel.values.end(), row, row + width_);
    }
  }
  clip.channels.push_back(std::move(channel));
  return dropped_;
}

namespace {

Matrix4d matrix_at(const Writer& w, const PlanNode& node, double code) {
  return scaled_translation(node.motion == PlanNode::Motion::world
                                ? geom::world_from_prim(node.prim, code)
                                : geom::local_transform(node.prim, code).parent_from_prim,
                            w.meters);
}

/// How a node stands at times.
class Mover {
 public:
  Mover(const Writer& writer, const PlanNode& node) : w_(writer), node_(node) {}

  bool is_finite_at(double code) const { return matrix_at(w_, node_, code).allFinite(); }

  GlbTransform at(double code) {
    const Matrix4d matrix = matrix_at(w_, node_, code);
    const Factors factors = factor(matrix);
    if (!factors.exact) shear_ = std::max(shear_, factors.shear);
    GlbTransform transform = factors.transform;
    if (node_.share == PlanNode::Share::rigid) {
      transform.rotation = transform.rotation * node_.body_axes;
      transform.scale = Vector3d::Ones();
    } else if (node_.share == PlanNode::Share::scale) {
      transform.translation = Vector3d::Zero();
      transform.rotation = node_.body_axes.conjugate();
    }
    return transform;
  }

  /// The same for a key. What is scaled to nothing is turned as beside it: by itself it is not.
  GlbTransform at_key(double code, double beside) {
    GlbTransform transform = at(code);
    if (transform.scale.isZero(0.0)) {
      transform.rotation = at(code + (beside - code) * 1e-3).rotation;
    }
    return transform;
  }

  double shear() const { return shear_; }

 private:
  const Writer& w_;
  const PlanNode& node_;
  double shear_ = 0.0;
};

std::vector<double> samples_of(const PlanNode& node) {
  std::vector<double> samples = geom::local_transform_samples(node.prim);
  if (node.motion != PlanNode::Motion::world) return samples;
  for (stage::Prim prim = node.prim.parent(); prim && !prim.is_root(); prim = prim.parent()) {
    const std::vector<double> more = geom::local_transform_samples(prim);
    samples.insert(samples.end(), more.begin(), more.end());
  }
  sort_range(samples.begin(), samples.end());
  return samples;
}

bool equal(const GlbTransform& a, const GlbTransform& b) {
  return a.translation == b.translation && a.rotation.coeffs() == b.rotation.coeffs() &&
         a.scale == b.scale;
}

/// Whether a node stays as it is until it jumps, as where an opinion is blocked.
bool holds_between(Mover& mover, double from, double to) {
  const GlbTransform first = mover.at(from);
  if (equal(first, mover.at(to))) return false;
  for (const double part : {0.5, kOddPart, 0.999}) {
    if (!equal(first, mover.at(from + (to - from) * part))) return false;
  }
  return true;
}

/// The largest translation and scale of a node.
struct Sizes {
  double translation = 0.0, scale = 0.0;
};

/// How many steps a node takes at least from one key to the next, so that none is too far: as it
/// turns at most of a few places. What it is turned by between the keys leaves out whole turns.
int fewest_steps(Mover& mover, double from, double to) {
  constexpr double kPart = 1e-4;
  std::vector<double> turns;
  for (const double place : {0.1, 0.3, 0.5, kOddPart, 0.9}) {
    const auto rotation = [&](double part) { return mover.at(from + (to - from) * part).rotation; };
    turns.push_back(angle_between(rotation(place), rotation(place + kPart)) / kPart);
  }
  sort_range(turns.begin(), turns.end());
  int steps = 2;
  while (steps < kMostFastSteps && steps * kLargestStep < turns[turns.size() / 2]) steps *= 2;
  return steps;
}

/// A transform as it goes on from another one: with the signs of its scale, of which two change
/// with half a turn about the third axis. Where they cannot be the same, one of them having passed
/// 0, the one that is turned least.
GlbTransform going_on_from(const GlbTransform& last, const GlbTransform& transform) {
  const Eigen::Array3d signs = last.scale.array() * transform.scale.array();
  if ((signs > 0.0).all()) return transform;
  const bool is_mirrored = (last.scale.prod() < 0.0) != (transform.scale.prod() < 0.0);
  GlbTransform closest = transform;
  double least = is_mirrored || (signs >= 0.0).all()
                     ? angle_between(last.rotation, transform.rotation)
                     : std::numeric_limits<double>::infinity();
  for (int axis = 0; axis < 3; ++axis) {
    GlbTransform turned = transform;
    Quatd half(0.0, 0.0, 0.0, 0.0);
    half.vec()[axis] = 1.0;
    turned.rotation = transform.rotation * half;
    for (const int other : {(axis + 1) % 3, (axis + 2) % 3}) {
      turned.scale[other] = 0.0 - transform.scale[other];
    }
    if (!is_mirrored && !(last.scale.array() * turned.scale.array() >= 0.0).all()) continue;
    const double angle = angle_between(last.rotation, turned.rotation);
    if (angle >= least) continue;
    least = angle;
    closest = turned;
  }
  return closest;
}

/// Steps between two keys that keep what viewers make of them close to the stage. `first` is the
/// first of the two, `most_steps` what there may be; `is_close` becomes false if they are not
/// enough.
int steps_between(Mover& mover, const GlbTransform& first, double from, double to,
                  const Sizes& most, int most_steps, bool& is_close) {
  int enough = most_steps;
  for (int steps = 1;;) {
    bool good = true;
    GlbTransform last = first;
    for (int i = 0; i < steps && good; ++i) {
      const auto code = [&](double part) { return from + (to - from) * part / steps; };
      const GlbTransform next = going_on_from(last, mover.at_key(code(i + 1), code(i)));
      good = angle_between(last.rotation, next.rotation) <= kLargestStep;
      for (const double part : {0.25, 0.5, kOddPart}) {
        const GlbTransform made = interpolate(last, next, part);
        const GlbTransform wanted = going_on_from(made, mover.at(code(i + part)));
        good = good && angle_between(wanted.rotation, made.rotation) <= kLargestTurn &&
               (wanted.translation - made.translation).norm() <= kLargestShift * most.translation &&
               (wanted.scale - made.scale).norm() <= kLargestShift * most.scale;
      }
      last = next;
    }
    if (good) return steps;
    if (steps >= enough) {
      is_close = false;
      return steps;
    }
    if (steps == 1) {
      steps = std::min(fewest_steps(mover, from, to), most_steps);
      enough = std::min(kMostSteps / 2 * steps, most_steps);
    } else {
      steps *= 2;
    }
  }
}

}  // namespace

bool might_move(const PlanNode& node) {
  if (!node.prim || node.motion == PlanNode::Motion::none) return false;
  return node.motion == PlanNode::Motion::world ? geom::world_transform_might_vary(node.prim)
                                                : geom::local_transform_might_vary(node.prim);
}

bool scale_varies(Writer& w, const PlanNode& node) {
  if (!might_move(node)) return false;
  const auto scale_at = [&](double code) {
    return factor(matrix_at(w, node, code)).transform.scale;
  };
  const Vector3d first = scale_at(w.first);
  const KeyTimes keys = key_times(w, samples_of(node), [](double, double) { return false; });
  return std::any_of(keys.codes.begin(), keys.codes.end(), [&](double code) {
    return (scale_at(code) - first).norm() > 1e-6 * first.norm();
  });
}

void plan_node_motion(Writer& w, std::int32_t index, PlanClip& clip) {
  const PlanNode& node = w.node(index);
  const stage::Prim prim = node.prim;
  const bool is_held = stage::interpolation_of(w.stage) == stage::Interpolation::held;
  const std::vector<double> samples = samples_of(node);
  const KeyTimes keys = key_times(w, samples, [is_held](double, double) { return is_held; });
  Mover mover(w, node);
  Sizes most;
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < keys.codes.size(); ++i) {
    if (!mover.is_finite_at(keys.codes[i])) continue;
    kept.push_back(i);
    const GlbTransform transform = mover.at(keys.codes[i]);
    most.translation = std::max(most.translation, transform.translation.norm());
    most.scale = std::max(most.scale, transform.scale.norm());
  }
  bool is_close = true;
  Track translations(w, index, GlbChannelPath::translation, 3);
  Track rotations(w, index, GlbChannelPath::rotation, 4);
  Track scales(w, index, GlbChannelPath::scale, 3);
  std::optional<GlbTransform> last;
  const auto add = [&](double code, double beside, bool holds) {
    const GlbTransform transform = mover.at_key(code, beside);
    last = last ? going_on_from(*last, transform) : transform;
    const Vector3f translation = last->translation.cast<float>();
    const Vector3f scale = last->scale.cast<float>();
    translations.add(code, {translation.data(), 3}, holds);
    rotations.add(code, gltf_quaternion(last->rotation), holds);
    scales.add(code, {scale.data(), 3}, holds);
  };
  for (std::size_t k = 0; k < kept.size(); ++k) {
    const double from = keys.codes[kept[k]];
    const double before = k == 0 ? from : keys.codes[kept[k - 1]];
    // Towards a key that is left out, nothing is finite.
    if (k + 1 == kept.size() || kept[k + 1] != kept[k] + 1) {
      add(from, before, keys.holds[kept[k]]);
      continue;
    }
    const double to = keys.codes[kept[k + 1]];
    const bool holds = keys.holds[kept[k]] || holds_between(mover, from, to);
    add(from, k == 0 ? to : before, holds);
    const int most_steps = w.document.summary.added_keys < kManyKeys ? kMostFastSteps : kMostSteps;
    const int steps = holds ? 1 : steps_between(mover, *last, from, to, most, most_steps, is_close);
    for (int s = 1; s < steps; ++s) {
      add(from + (to - from) * s / steps, from, false);
      ++w.document.summary.added_keys;
    }
  }
  const GlbTransform rest = factor(node.local).transform;
  const Vector3f translation = rest.translation.cast<float>();
  const Vector3f scale = rest.scale.cast<float>();
  bool dropped = translations.finish({translation.data(), 3}, clip);
  dropped = rotations.finish(gltf_quaternion(rest.rotation), clip) || dropped;
  if (node.share != PlanNode::Share::rigid) {
    dropped = scales.finish({scale.data(), 3}, clip) || dropped;
  }
  if (!is_close) {
    w.warn("gltf-rough-motion", prim,
           format_text("{} moves in a way that keys follow only roughly.", prim.path().view()));
  }
  if (mover.shear() > kLargestTurn) {
    w.warn("gltf-shear", prim,
           format_text("{} moves and shears, by up to {} degrees; it is written as the closest "
                       "translations, rotations and scales.",
                       prim.path().view(), rounded_text(mover.shear(), 3)));
  }
  if (dropped || kept.size() < keys.codes.size()) {
    w.warn("gltf-not-finite", prim,
           format_text("The transform of {} is not finite at some times; it is left out there.",
                       prim.path().view()));
  }
}

}  // namespace sinew::exporter
