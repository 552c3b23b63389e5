// SPDX-License-Identifier: Apache-2.0
#include "export/gltf/joint_source.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <span>

#include "core/sort.hpp"
#include "sinew/skel/read/evaluate.hpp"

namespace sinew::exporter {

namespace {

using skel::PackedClip;
using skel::SkeletonBinding;

std::vector<double> times_of(const stage::Attribute& attribute) {
  return attribute ? attribute.time_samples() : std::vector<double>();
}

class ClipSource final : public JointSource {
 public:
  ClipSource(const PackedClip& clip, const skel::StageAnimation* animation) : clip_(clip) {
    kind_ = kind_of(clip.times(), [&](double time) { return clip.bracket(time); });
    scale_kind_ =
        kind_of(clip.scale_times(), [&](double time) { return clip.scale_bracket(time); });
    // What has samples at other times only is interpolated there, and needs no keys.
    if (animation == nullptr || kind_ == Kind::mixed) return;
    const std::vector<double> translations = times_of(animation->translations);
    const std::vector<double> rotations = times_of(animation->rotations);
    std::set_difference(rotations.begin(), rotations.end(), translations.begin(),
                        translations.end(), std::back_inserter(of_rotations_));
    std::set_difference(translations.begin(), translations.end(), rotations.begin(),
                        rotations.end(), std::back_inserter(of_translations_));
  }

  std::vector<double> times(GlbChannelPath path) const override {
    if (path == GlbChannelPath::scale) {
      return {clip_.scale_times().begin(), clip_.scale_times().end()};
    }
    const std::vector<double>& others =
        path == GlbChannelPath::translation ? of_rotations_ : of_translations_;
    std::vector<double> result;
    std::set_difference(clip_.times().begin(), clip_.times().end(), others.begin(), others.end(),
                        std::back_inserter(result));
    return result;
  }
  bool holds(GlbChannelPath path, double from, double to) const override {
    const bool is_scale = path == GlbChannelPath::scale;
    const Kind kind = is_scale ? scale_kind_ : kind_;
    if (kind != Kind::mixed) return kind == Kind::held;
    const std::span<const double> times = is_scale ? clip_.scale_times() : clip_.times();
    const double middle = from + (to - from) / 2;
    const auto bracket = is_scale ? clip_.scale_bracket(middle) : clip_.bracket(middle);
    return bracket.lower == bracket.upper && bracket.lower + 1 < times.size() && to > times.front();
  }
  void at(double code, std::vector<GlbTransform>& joints) override {
    joints.resize(clip_.joint_count());
    const auto bracket = clip_.bracket(code);
    const float* low = clip_.sample(bracket.lower);
    const float* high = clip_.sample(bracket.upper);
    const auto scales = clip_.scale_bracket(code);
    const float* low_scale = clip_.scales(scales.lower);
    const float* high_scale = clip_.scales(scales.upper);
    for (std::size_t j = 0; j < joints.size(); ++j) {
      const GlbTransform a = read(low + j * PackedClip::kStride);
      const GlbTransform b = read(high + j * PackedClip::kStride);
      joints[j] = bracket.alpha == 0.0 ? a : interpolate(a, b, bracket.alpha);
      if (low_scale == nullptr) continue;
      const Vector3d s = vector(low_scale + j * PackedClip::kScaleStride);
      const Vector3d t = vector(high_scale + j * PackedClip::kScaleStride);
      joints[j].scale = scales.alpha == 0.0 ? s : Vector3d(s + (t - s) * scales.alpha);
    }
  }

 private:
  enum class Kind { linear, held, mixed };

  // Whether a clip holds between its samples.
  template <typename BracketOf>
  static Kind kind_of(std::span<const double> times, BracketOf bracket_of) {
    std::size_t held = 0;
    for (std::size_t i = 1; i < times.size(); ++i) {
      const auto bracket = bracket_of(times[i - 1] + (times[i] - times[i - 1]) / 2);
      held += bracket.lower == bracket.upper ? 1 : 0;
    }
    if (held == 0) return Kind::linear;
    return held + 1 == times.size() ? Kind::held : Kind::mixed;
  }
  static Vector3d vector(const float* v) { return Vector3f(v[0], v[1], v[2]).cast<double>(); }
  static GlbTransform read(const float* row) {
    GlbTransform result;
    result.rotation = Quatf(row[3], row[0], row[1], row[2]).cast<double>();
    result.translation = vector(row + 4);
    return result;
  }

  const PackedClip& clip_;
  Kind kind_ = Kind::linear;
  Kind scale_kind_ = Kind::linear;
  std::vector<double> of_rotations_, of_translations_;  // Times that the other has not.
};

class PoseSampler final : public JointSource {
 public:
  PoseSampler(const SkeletonBinding& binding, Diagnostics& diagnostics)
      : binding_(binding), diagnostics_(diagnostics) {
    for (const stage::Attribute& attribute :
         {binding.animation->translations, binding.animation->rotations,
          binding.animation->scales}) {
      const std::vector<double> samples = times_of(attribute);
      times_.insert(times_.end(), samples.begin(), samples.end());
    }
    sort_range(times_.begin(), times_.end());
  }
  std::vector<double> times(GlbChannelPath) const override { return times_; }
  bool holds(GlbChannelPath, double, double) const override { return false; }
  void at(double code, std::vector<GlbTransform>& joints) override {
    skel::evaluate_pose(binding_, code, pose_, diagnostics_);
    if (pose_.joint_local.size() != binding_.skeleton->joint_count()) return;  // As they were.
    joints.clear();
    for (const Matrix4d& local : pose_.joint_local) joints.push_back(factor(local).transform);
  }

 private:
  const SkeletonBinding& binding_;
  Diagnostics& diagnostics_;
  skel::SkeletonPose pose_;
  std::vector<double> times_;
};

}  // namespace

std::unique_ptr<JointSource> joints_of(const PackedClip& clip,
                                       const skel::StageAnimation* animation) {
  return std::make_unique<ClipSource>(clip, animation);
}

std::unique_ptr<JointSource> joints_of(const SkeletonBinding& binding, Diagnostics& diagnostics) {
  return std::make_unique<PoseSampler>(binding, diagnostics);
}

}  // namespace sinew::exporter
