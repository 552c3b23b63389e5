// SPDX-License-Identifier: Apache-2.0
#include "stage/clips.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/sort.hpp"
#include "stage/interpolate.hpp"
#include "stage/localize.hpp"

namespace sinew::stage {

namespace {

using layer::PropertySpec;
using layer::Value;

using Knot = ClipSet::Knot;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Where the clip's time jumps, the set has one more sample: this much before the jump.
constexpr double kBeforeJump = std::numeric_limits<double>::epsilon() * 1e6 * 10.0 * 2.0;

// Where a knot shows as a sample of the set.
double sample_time(const std::vector<Knot>& times,
                   std::vector<Knot>::const_iterator knot) noexcept {
  const auto next = knot + 1;
  const bool jumps = next != times.end() && next->time == knot->time;
  return jumps ? knot->time - kBeforeJump : knot->time;
}

// The side from which a time is looked at; it matters where the clip's time jumps.
enum class Side : std::uint8_t { before, after };

double between(const Knot& a, const Knot& b, double time) noexcept {
  const double alpha = (time - a.time) / (b.time - a.time);
  return a.clip_time + alpha * (b.clip_time - a.clip_time);
}

// The knots around a time, where the clip's time moves from one to the other; null where it is
// held or the times of the set are those of the clip.
struct Segment {
  const Knot* from = nullptr;
  const Knot* to = nullptr;
};

Segment segment_at(const std::vector<Knot>& times, double time, Side side) noexcept {
  const auto later = side == Side::after
                         ? std::upper_bound(times.begin(), times.end(), time,
                                            [](double t, const Knot& k) { return t < k.time; })
                         : std::lower_bound(times.begin(), times.end(), time,
                                            [](const Knot& k, double t) { return k.time < t; });
  if (later == times.begin() || later == times.end()) return {};
  return {&*(later - 1), &*later};
}

// The time of the set that stands for a time of the clip, along the stretch in force at `time`.
double set_time_of(double clip_time, const std::vector<Knot>& times, double time) noexcept {
  if (times.empty()) return clip_time;
  const auto later = std::upper_bound(times.begin(), times.end(), time,
                                      [](double t, const Knot& k) { return t < k.time; });
  const auto last = std::clamp<std::ptrdiff_t>(later - times.begin(), 1,
                                               std::max<std::ptrdiff_t>(1, std::ssize(times) - 1));
  const Knot& from = times[static_cast<std::size_t>(last - 1)];
  const Knot& to = times[std::min(static_cast<std::size_t>(last), times.size() - 1)];
  if (clip_time == from.clip_time || from.clip_time == to.clip_time) return from.time;
  if (clip_time == to.clip_time) return to.time;
  return between({from.clip_time, from.time}, {to.clip_time, to.time}, clip_time);
}

double clip_time_at(const std::vector<Knot>& times, double time, Side side) noexcept {
  if (times.empty()) return time;
  if (side == Side::after) {
    if (time < times.front().time) return times.front().clip_time;
    if (time >= times.back().time) return times.back().clip_time;
  } else {
    if (time <= times.front().time) return times.front().clip_time;
    if (time > times.back().time) return times.back().clip_time;
  }
  const Segment at = segment_at(times, time, side);
  if (at.from == nullptr) return times.back().clip_time;  // Not a number.
  if (time == at.from->time) return at.from->clip_time;
  if (time == at.to->time) return at.to->clip_time;
  return between(*at.from, *at.to, time);
}

// A mapped time may miss the sample that it stands for by rounding, which would show the sample
// before it where values are held.
double onto_sample(std::span<const double> times, double time) noexcept {
  const double near = 1e-12 * std::max(1.0, std::abs(time));
  const auto after = std::lower_bound(times.begin(), times.end(), time);
  if (after != times.end() && *after - time <= near) return *after;
  if (after != times.begin() && time - *(after - 1) <= near) return *(after - 1);
  return time;
}

// Reads one attribute of one set.
class Reader {
 public:
  Reader(const ClipSet& set, const ClipAttribute& attribute, Interpolation mode) noexcept
      : set_(set), attribute_(attribute), mode_(mode) {
    const PropertySpec* declared = attribute.declared;
    if (declared != nullptr && declared->default_value.has_value() &&
        !declared->default_value.is_block() &&
        declared->default_value.type() != layer::ElementType::animation_block) {
      fallback_ = &declared->default_value;
    }
  }

  ClipValue value(double stage_time, const layer::LayerOffset& offset) const;
  std::vector<double> times() const;

 private:
  // The range of times in which an entry of `active` is in force; its end does not belong to it.
  double begin_of(std::size_t i) const noexcept {
    return i == 0 ? -kInfinity : set_.active[i].time;
  }
  double end_of(std::size_t i) const noexcept {
    return i + 1 < set_.active.size() ? set_.active[i + 1].time : kInfinity;
  }
  const PropertySpec* spec_of(std::size_t i) const noexcept {
    return attribute_.find(set_.active[i].clip);
  }
  // Whether it has a say, if only that there is no value: by a block in the manifest, for example.
  bool contributes(std::size_t i) const noexcept {
    const PropertySpec* declared = attribute_.declared;
    return !set_.interpolate_missing ||
           (declared != nullptr && declared->default_value.has_value()) ||
           (spec_of(i) != nullptr && !is_ruled_out(i));
  }
  // By a block in the manifest at the time at which the clip becomes active: it says that there are
  // no samples, and nobody looks whether that is so.
  bool is_ruled_out(std::size_t i) const noexcept {
    const PropertySpec* declared = attribute_.declared;
    const layer::TimeSamples* blocks = declared == nullptr ? nullptr : declared->time_samples();
    if (blocks == nullptr) return false;
    const auto first = blocks->times.begin();
    const auto found = std::lower_bound(first, blocks->times.end(), set_.active[i].time);
    return found != blocks->times.end() && *found == set_.active[i].time &&
           blocks->values[static_cast<std::size_t>(found - first)].is_block();
  }

  // The samples around a time, and the entries of `active` that they belong to.
  struct Bracket {
    std::optional<double> lower;  // At or before.
    std::optional<double> upper;  // After.
    std::size_t lower_entry = 0;
    std::size_t upper_entry = 0;
  };
  Bracket bracket(double time) const;
  Value value_in(std::size_t i, double time) const;
  // The last sample at or before a time, and the first one after it.
  std::optional<double> sample_until(std::size_t i, double time, Side side) const;
  std::optional<double> sample_after(std::size_t i, double time) const;
  // Samples of a clip as times of the set, next to a time.
  struct Neighbours {
    double until = -kInfinity;
    double after = kInfinity;
  };
  Neighbours neighbours(std::size_t i, double time, Side side) const;
  void add_samples(std::size_t i, std::vector<double>& times) const;

  const ClipSet& set_;
  const ClipAttribute& attribute_;
  Interpolation mode_;
  const Value* fallback_ = nullptr;
};

Value Reader::value_in(std::size_t i, double time) const {
  const PropertySpec* spec = spec_of(i);
  if (spec == nullptr) return fallback_ == nullptr ? Value() : *fallback_;
  const layer::TimeSamples& samples = *spec->time_samples();
  const double clip_time = clip_time_at(set_.times, time, Side::after);
  Value value = sample_at(samples, onto_sample(samples.times, clip_time), {}, mode_);
  if (value.type() != layer::ElementType::timecode || set_.times.empty()) return value;
  return map_times(value, [&](double t) { return set_time_of(t, set_.times, time); });
}

Reader::Neighbours Reader::neighbours(std::size_t i, double time, Side side) const {
  Neighbours result;
  const PropertySpec* spec = spec_of(i);
  if (spec == nullptr) return result;
  const std::vector<double>& samples = spec->time_samples()->times;
  Segment at;
  if (!set_.times.empty()) {
    at = segment_at(set_.times, time, side);
    if (at.from == nullptr || at.from->clip_time == at.to->clip_time) return result;
  }
  const auto place = [&](double clip_time) {
    if (at.from == nullptr) return clip_time;
    const double mapped =
        between({at.from->clip_time, at.from->time}, {at.to->clip_time, at.to->time}, clip_time);
    return std::clamp(mapped, at.from->time, at.to->time);
  };
  const double low =
      at.from == nullptr ? -kInfinity : std::min(at.from->clip_time, at.to->clip_time);
  const double high =
      at.from == nullptr ? kInfinity : std::max(at.from->clip_time, at.to->clip_time);
  const double clip_time = onto_sample(samples, clip_time_at(set_.times, time, side));
  // Up to two samples on each side: once mapped, they may be on the other one.
  const auto middle = std::lower_bound(samples.begin(), samples.end(), clip_time);
  const auto first = middle - std::min<std::ptrdiff_t>(2, middle - samples.begin());
  const auto last = middle + std::min<std::ptrdiff_t>(3, samples.end() - middle);
  for (auto sample = first; sample != last; ++sample) {
    if (*sample < low || *sample > high) continue;
    const double mapped = place(*sample);
    const bool counts = side == Side::after ? mapped <= time : mapped < time;
    if (counts) result.until = std::max(result.until, mapped);
    if (mapped > time) result.after = std::min(result.after, mapped);
  }
  return result;
}

std::optional<double> Reader::sample_until(std::size_t i, double time, Side side) const {
  double found = neighbours(i, time, side).until;
  const auto take = [&](double t) {
    const bool counts = side == Side::after ? t <= time : t < time;
    if (counts) found = std::max(found, t);
  };
  take(set_.active[i].time);
  const std::vector<Knot>& times = set_.times;
  const auto later = side == Side::after
                         ? std::upper_bound(times.begin(), times.end(), time,
                                            [](double t, const Knot& k) { return t < k.time; })
                         : std::lower_bound(times.begin(), times.end(), time,
                                            [](const Knot& k, double t) { return k.time < t; });
  if (later != times.begin()) take((later - 1)->time);
  if (later != times.end()) take(sample_time(times, later));  // Before a jump.
  if (found == -kInfinity || found < begin_of(i)) return std::nullopt;
  return found;
}

std::optional<double> Reader::sample_after(std::size_t i, double time) const {
  double found = neighbours(i, time, Side::after).after;
  if (set_.active[i].time > time) found = std::min(found, set_.active[i].time);
  const auto later = std::upper_bound(set_.times.begin(), set_.times.end(), time,
                                      [](double t, const Knot& k) { return t < k.time; });
  if (later != set_.times.end()) {
    const double listed = sample_time(set_.times, later);
    found = std::min(found, listed > time ? listed : later->time);
  }
  if (found == kInfinity || found >= end_of(i)) return std::nullopt;
  return found;
}

Reader::Bracket Reader::bracket(double time) const {
  Bracket found;
  const std::size_t at = set_.active_at(time);
  found.lower_entry = at;
  if (contributes(at)) {
    found.lower = sample_until(at, time, Side::after);
    if (found.lower && *found.lower == time) return found;
  } else {
    while (!found.lower && found.lower_entry-- > 0) {
      if (!contributes(found.lower_entry)) continue;
      found.lower = sample_until(found.lower_entry, end_of(found.lower_entry), Side::before);
    }
  }
  found.upper_entry = at;
  if (contributes(at)) found.upper = sample_after(at, time);
  if (found.upper) return found;
  for (++found.upper_entry; found.upper_entry < set_.active.size(); ++found.upper_entry) {
    if (!contributes(found.upper_entry)) continue;
    found.upper = set_.active[found.upper_entry].time;
    break;
  }
  return found;
}

ClipValue Reader::value(double stage_time, const layer::LayerOffset& offset) const {
  const double time = to_layer_time(stage_time, offset);
  const Bracket at = bracket(time);
  const auto from = [&](std::size_t entry, double t) -> ClipValue {
    return {value_in(entry, t), set_.active[entry].clip};
  };
  // A sample's own time on the stage is that sample's, whatever the way there and back rounds to.
  const auto stands_at = [&](double t) {
    return t == time || from_layer_time(t, offset) == stage_time;
  };
  if (at.upper && stands_at(*at.upper)) return from(at.upper_entry, *at.upper);
  if (at.lower && stands_at(*at.lower)) return from(at.lower_entry, *at.lower);
  if (!at.lower && !at.upper) return from(set_.active_at(time), time);
  if (!at.lower) return from(at.upper_entry, *at.upper);
  ClipValue result = from(at.lower_entry, *at.lower);
  if (!at.upper || mode_ == Interpolation::held || !result.value.has_value()) return result;
  const Value next = value_in(at.upper_entry, *at.upper);
  if (!next.has_value()) return result;
  result.value = interpolate(result.value, next, (time - *at.lower) / (*at.upper - *at.lower));
  return result;
}

// The samples of a clip while it is active, through each stretch of its times.
void Reader::add_samples(std::size_t i, std::vector<double>& times) const {
  const double begin = begin_of(i);
  const double end = end_of(i);
  const PropertySpec* spec = spec_of(i);
  const auto add = [&](double t) {
    if (t >= begin && t < end) times.push_back(t);
  };
  if (set_.times.empty()) {
    if (spec == nullptr) return;
    const std::vector<double>& samples = spec->time_samples()->times;
    const auto first = std::lower_bound(samples.begin(), samples.end(), begin);
    times.insert(times.end(), first, std::lower_bound(first, samples.end(), end));
    return;
  }
  auto knot = std::lower_bound(set_.times.begin(), set_.times.end(), begin,
                               [](const Knot& k, double t) { return k.time < t; });
  if (knot != set_.times.begin()) --knot;
  for (; knot != set_.times.end() && sample_time(set_.times, knot) < end; ++knot) {
    add(sample_time(set_.times, knot));
    const auto next = knot + 1;
    if (spec == nullptr || next == set_.times.end() || next->time == knot->time ||
        next->clip_time == knot->clip_time) {
      continue;
    }
    const double from = between(*knot, *next, std::max(begin, knot->time));
    const double to = between(*knot, *next, std::min(end, next->time));
    const std::vector<double>& samples = spec->time_samples()->times;
    const auto first = std::lower_bound(samples.begin(), samples.end(), std::min(from, to));
    const auto last = std::upper_bound(first, samples.end(), std::max(from, to));
    for (auto sample = first; sample != last; ++sample) {
      const double mapped =
          between({knot->clip_time, knot->time}, {next->clip_time, next->time}, *sample);
      add(std::clamp(mapped, knot->time, next->time));
    }
  }
}

std::vector<double> Reader::times() const {
  std::vector<double> times;
  for (std::size_t i = 0; i < set_.active.size(); ++i) {
    if (!contributes(i)) continue;
    times.push_back(set_.active[i].time);
    add_samples(i, times);
  }
  if (times.empty()) times.push_back(set_.active.front().time);
  sort_range(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

}  // namespace

const PropertySpec* ClipAttribute::find(std::uint32_t clip) const noexcept {
  const auto found =
      std::lower_bound(sources.begin(), sources.end(), clip,
                       [](const Source& source, std::uint32_t c) { return source.clip < c; });
  return found != sources.end() && found->clip == clip ? found->spec : nullptr;
}

std::size_t ClipSet::active_at(double time) const noexcept {
  const auto after = std::upper_bound(active.begin(), active.end(), time,
                                      [](double t, const Active& a) { return t < a.time; });
  return after == active.begin() ? 0 : static_cast<std::size_t>(after - active.begin()) - 1;
}

std::span<const ClipUse> ClipTable::uses_of(std::uint32_t node) const noexcept {
  const auto first =
      std::lower_bound(uses.begin(), uses.end(), node,
                       [](const ClipUse& use, std::uint32_t n) { return use.node < n; });
  auto last = first;
  while (last != uses.end() && last->node == node) ++last;
  return {first, last};
}

const ClipAttribute* ClipTable::find(const ClipUse& use, Token name) const noexcept {
  const ClipAttributes& attributes =
      bindings[use.binding].set->contents->prims[use.prim].attributes;
  const auto found = attributes.find(name);
  return found == attributes.end() || found->second.uniform ? nullptr : &found->second;
}

layer::Path ClipTable::path_of(const ClipUse& use) const {
  const ClipContents& contents = *bindings[use.binding].set->contents;
  std::vector<Token> names;
  for (std::uint32_t at = use.prim; contents.prims[at].parent != kNoNode;
       at = contents.prims[at].parent) {
    names.push_back(contents.prims[at].name);
  }
  std::string path = contents.top;
  for (auto name = names.rbegin(); name != names.rend(); ++name) {
    path += '/';
    path += name->view();
  }
  return layer::Path::from_trusted(std::move(path));
}

ClipValue read_clip_value(const ClipSet& set, const ClipAttribute& attribute, double stage_time,
                          const layer::LayerOffset& offset, Interpolation mode) {
  return Reader(set, attribute, mode).value(stage_time, offset);
}

std::vector<double> list_clip_times(const ClipSet& set, const ClipAttribute& attribute) {
  return Reader(set, attribute, Interpolation::linear).times();
}

}  // namespace sinew::stage
