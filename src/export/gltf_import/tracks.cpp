// SPDX-License-Identifier: Apache-2.0
#include "export/gltf_import/tracks.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>

namespace sinew::exporter::gltf_import {

namespace {

// 256 keys between two of the file.
constexpr int kMostHalvings = 8;

Quatd rotation_of(const float* v) {
  return {static_cast<double>(v[3]), static_cast<double>(v[0]), static_cast<double>(v[1]),
          static_cast<double>(v[2])};
}

void store(const Quatd& rotation, float* out) {
  for (int i = 0; i < 4; ++i) out[i] = static_cast<float>(rotation.coeffs()[i]);
}

void normalize(float* v) {
  Quatd rotation = rotation_of(v);
  const double length = rotation.norm();
  rotation = length > 0.0 ? Quatd(rotation.coeffs() / length) : Quatd(1.0, 0.0, 0.0, 0.0);
  store(rotation, v);
}

// Between two keys, `u` from 0 to 1.
void blend(const float* a, const float* b, double u, std::size_t width, bool is_rotation,
           float* out) {
  if (is_rotation) {
    Quatd result = rotation_of(a).slerp(u, rotation_of(b));
    result.normalize();
    store(result, out);
    return;
  }
  for (std::size_t i = 0; i < width; ++i) {
    const auto from = static_cast<double>(a[i]);
    out[i] = static_cast<float>(from + (static_cast<double>(b[i]) - from) * u);
  }
}

// The cubic Hermite curves between two keys of a spline.
class Segment {
 public:
  Segment(const Channel& channel, std::size_t key)
      : width_(channel.width),
        is_rotation_(channel.path == ChannelPath::rotation),
        start_(static_cast<double>(*channel.times[key])),
        length_(static_cast<double>(*channel.times[key + 1]) - start_) {
    const float* all = channel.values.values->data();
    first_ = all + (3 * key + 1) * width_;
    out_tangent_ = all + (3 * key + 2) * width_;
    in_tangent_ = all + (3 * key + 3) * width_;
    last_ = all + (3 * key + 4) * width_;
  }

  void at(double u, float* out) const {
    const double u2 = u * u;
    const double u3 = u2 * u;
    const double a = 2.0 * u3 - 3.0 * u2 + 1.0;
    const double b = (u3 - 2.0 * u2 + u) * length_;
    const double c = 3.0 * u2 - 2.0 * u3;
    const double d = (u3 - u2) * length_;
    for (std::size_t i = 0; i < width_; ++i) {
      const double value =
          a * static_cast<double>(first_[i]) + b * static_cast<double>(out_tangent_[i]) +
          c * static_cast<double>(last_[i]) + d * static_cast<double>(in_tangent_[i]);
      // Tangents beyond all reason.
      out[i] = static_cast<float>(std::clamp(value, -1e38, 1e38));
    }
    if (is_rotation_) normalize(out);
  }
  double time(double u) const { return start_ + u * length_; }

 private:
  std::size_t width_;
  bool is_rotation_;
  double start_;
  double length_;
  const float* first_;
  const float* out_tangent_;
  const float* in_tangent_;
  const float* last_;
};

std::uint64_t bytes_of_key(const Channel& channel) {
  return sizeof(double) + channel.width * sizeof(float);
}

class SplineSampler {
 public:
  SplineSampler(const Channel& channel, double tolerance, Track& track, Budget& budget)
      : channel_(channel),
        track_(track),
        budget_(budget),
        here_(channel.width),
        there_(channel.width) {
    // Half of it, because only three points of each piece are compared.
    tolerance_ = 0.5 * tolerance * (track.is_rotation ? 1.0 : range());
  }

  void run() {
    std::vector<float> first(channel_.width);
    std::vector<float> last(channel_.width);
    for (std::size_t key = 0; key < channel_.times.size() && !budget_.is_spent(); ++key) {
      const auto time = static_cast<double>(*channel_.times[key]);
      const float* value = channel_.values.values->data() + (3 * key + 1) * channel_.width;
      last.assign(value, value + channel_.width);
      if (track_.is_rotation) normalize(last.data());
      if (key > 0) add_between(Segment(channel_, key - 1), 0.0, first, 1.0, last, 0);
      add(time, last);
      first = last;
    }
  }

 private:
  double range() const {
    double range = 0.0;
    double largest = 0.0;
    for (std::size_t i = 0; i < channel_.width; ++i) {
      double low = std::numeric_limits<double>::infinity();
      double high = -low;
      for (std::size_t key = 0; key < channel_.times.size(); ++key) {
        const auto value =
            static_cast<double>((*channel_.values.values)[(3 * key + 1) * channel_.width + i]);
        low = std::min(low, value);
        high = std::max(high, value);
      }
      range = std::max(range, high - low);
      largest = std::max({largest, std::abs(low), std::abs(high)});
    }
    if (range > 0.0) return range;
    return largest > 0.0 ? largest : 1.0;
  }

  double distance() const {
    if (track_.is_rotation) {
      const Quatd a = rotation_of(here_.data());
      const Quatd b = rotation_of(there_.data());
      return a.angularDistance(b);
    }
    double most = 0.0;
    for (std::size_t i = 0; i < channel_.width; ++i) {
      most =
          std::max(most, std::abs(static_cast<double>(here_[i]) - static_cast<double>(there_[i])));
    }
    return most;
  }

  void add(double time, const std::vector<float>& value) {
    if (!budget_.spend(1, bytes_of_key(channel_))) return;
    track_.times.push_back(time);
    track_.values.insert(track_.values.end(), value.begin(), value.end());
  }

  void add_between(const Segment& segment, double from, const std::vector<float>& first, double to,
                   const std::vector<float>& last, int halvings) {
    if (halvings == kMostHalvings || budget_.is_spent()) return;
    bool is_near = true;
    for (const double part : {0.25, 0.5, 0.75}) {
      segment.at(from + (to - from) * part, here_.data());
      blend(first.data(), last.data(), part, channel_.width, track_.is_rotation, there_.data());
      is_near = is_near && distance() <= tolerance_;
    }
    if (is_near) return;
    const double middle = 0.5 * (from + to);
    std::vector<float> value(channel_.width);
    segment.at(middle, value.data());
    add_between(segment, from, first, middle, value, halvings + 1);
    const double time = segment.time(middle);
    if (budget_.is_spent() || time <= track_.times.back()) return;
    add(time, value);
    add_between(segment, middle, value, to, last, halvings + 1);
  }

  const Channel& channel_;
  Track& track_;
  Budget& budget_;
  std::vector<float> here_;
  std::vector<float> there_;
  double tolerance_ = 0.0;
};

void hold(const Channel& channel, Track& track) {
  const std::size_t width = channel.width;
  const std::vector<float>& values = *channel.values.values;
  for (std::size_t key = 0; key < channel.times.size(); ++key) {
    const float time = *channel.times[key];
    if (key > 0) {
      const float before = std::nextafter(time, -std::numeric_limits<float>::infinity());
      if (before > *channel.times[key - 1]) {
        track.times.push_back(static_cast<double>(before));
        const auto from = values.begin() + static_cast<std::ptrdiff_t>((key - 1) * width);
        track.values.insert(track.values.end(), from, from + static_cast<std::ptrdiff_t>(width));
      }
    }
    track.times.push_back(static_cast<double>(time));
    const auto from = values.begin() + static_cast<std::ptrdiff_t>(key * width);
    track.values.insert(track.values.end(), from, from + static_cast<std::ptrdiff_t>(width));
  }
}

}  // namespace

void Track::at(double seconds, std::span<float> out) const {
  const auto next = std::upper_bound(times.begin(), times.end(), seconds);
  const auto index = static_cast<std::size_t>(next - times.begin());
  if (index == 0 || index == times.size()) {
    const std::size_t key = index == 0 ? 0 : index - 1;
    std::copy_n(values.data() + key * width, width, out.data());
    return;
  }
  const double from = times[index - 1];
  const double u = (seconds - from) / (times[index] - from);
  const float* a = values.data() + (index - 1) * width;
  if (u == 0.0) {
    std::copy_n(a, width, out.data());
    return;
  }
  blend(a, a + width, u, width, is_rotation, out.data());
}

Track make_track(const Channel& channel, double tolerance, Budget& budget) {
  Track track;
  track.width = channel.width;
  track.is_rotation = channel.path == ChannelPath::rotation;
  if (!budget.spend(2 * channel.times.size(), bytes_of_key(channel))) return track;
  switch (channel.interpolation) {
    case Interpolation::step:
      hold(channel, track);
      break;
    case Interpolation::cubic_spline:
      SplineSampler(channel, tolerance, track, budget).run();
      if (budget.is_spent()) return {};
      return track;
    case Interpolation::linear:
      for (const float time : *channel.times.values) {
        track.times.push_back(static_cast<double>(time));
      }
      track.values = *channel.values.values;
      break;
  }
  if (track.is_rotation) {
    for (std::size_t i = 0; i < track.values.size(); i += 4) normalize(track.values.data() + i);
  }
  return track;
}

std::vector<double> common_times(std::span<const Track* const> tracks, std::size_t most,
                                 bool& is_resampled) {
  std::vector<double> times;
  for (const Track* track : tracks) {
    // Most channels of a clip share their times.
    if (times.size() == track->times.size() && times == track->times) continue;
    std::vector<double> merged;
    merged.reserve(times.size() + track->times.size());
    std::set_union(times.begin(), times.end(), track->times.begin(), track->times.end(),
                   std::back_inserter(merged));
    times = std::move(merged);
    if (times.size() > most) break;
  }
  if (times.size() <= most) return times;
  is_resampled = true;
  double first = std::numeric_limits<double>::infinity();
  double last = -first;
  for (const Track* track : tracks) {
    first = std::min(first, track->times.front());
    last = std::max(last, track->times.back());
  }
  times.clear();
  const std::size_t steps = std::max<std::size_t>(most, 2) - 1;
  for (std::size_t i = 0; i <= steps; ++i) {
    times.push_back(first + (last - first) * static_cast<double>(i) / static_cast<double>(steps));
  }
  return times;
}

}  // namespace sinew::exporter::gltf_import
