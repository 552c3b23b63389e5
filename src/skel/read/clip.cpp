// SPDX-License-Identifier: Apache-2.0
#include "sinew/skel/read/clip.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <utility>

#include "core/format_text.hpp"
#include "skel/read/clip_source.hpp"
#include "skel/read/joint_values.hpp"
#include "skel/read/read_skeleton.hpp"
#include "skel/read/rest_components.hpp"
#include "skel/read/sample_rows.hpp"
#include "stage/shared/interpolation.hpp"

namespace sinew::skel {
namespace {

constexpr std::size_t kTranslation = 3;
constexpr std::size_t kRotation = 4;

void append_times(const stage::Attribute& attribute, std::vector<double>& times) {
  if (!attribute) return;
  const std::vector<double> own = attribute.time_samples();
  times.insert(times.end(), own.begin(), own.end());
}

Status check_limit(const ClipSource& source, std::size_t samples, std::size_t width,
                   const ClipOptions& options) {
  if (width == 0 || samples <= options.max_values / width) return {};
  return {ErrorCode::limit_exceeded,
          format_text("{} samples of {} are more than a clip of {} may have.", samples, width,
                      source.skeleton_prim.path().view())};
}

/// Widens the times at which a reader interpolates by those of an attribute.
void add_range(const stage::Attribute& attribute, RowReader& reader) {
  if (!attribute) return;
  const std::vector<double> times = attribute.time_samples();
  if (times.size() < 2) return;
  reader.varies_from = std::min(reader.varies_from, times.front());
  reader.varies_to = std::max(reader.varies_to, times.back());
}

/// A reader that interpolates at no time yet.
RowReader still_reader(const ClipSource& source, std::size_t width) {
  RowReader reader;
  reader.width = width;
  reader.interpolation = source.interpolation();
  std::swap(reader.varies_from, reader.varies_to);
  return reader;
}

/// Reads the joints of one clip.
class JointSampler {
 public:
  JointSampler(const ClipSource& source, Reporter& reporter, const ClipOptions& options)
      : source_(source), reporter_(reporter), options_(options) {}

  Result<PackedClip> run() {
    if (source_.is_animated()) {
      if (Status status = look_at_animation(); !status) return std::move(status).error();
    }
    if (Status status = read_rest(); !status) return std::move(status).error();
    const SampledRows transforms = sample_transforms();
    const SampledRows scales = sample_scales();
    return pack(transforms, scales);
  }

 private:
  const Skeleton& skeleton() const { return *source_.skeleton; }
  std::size_t joint_count() const { return skeleton().joint_count(); }

  std::optional<JointValues> values_at(double time) const {
    if (!source_.is_animated()) return std::nullopt;
    return read_joint_values(source_.animation_prim, *source_.animation, time, reporter_);
  }

  std::vector<double> within(std::vector<double> times) const {
    times = times_within(std::move(times), options_.first_time, options_.last_time);
    if (times.empty()) times.push_back(any_time());
    return times;
  }

  // A time to read what does not vary at.
  double any_time() const { return std::clamp(0.0, options_.first_time, options_.last_time); }

  Status missing_rest_pose() const {
    return {ErrorCode::no_value, format_text("{} has no rest pose to take joints from.",
                                             source_.skeleton_prim.path().view())};
  }

  Status look_at_animation();
  Status read_rest();
  SampledRows sample_transforms() const;
  SampledRows sample_scales() const;
  Result<PackedClip> pack(const SampledRows& transforms, const SampledRows& scales) const;

  const ClipSource& source_;
  Reporter& reporter_;
  const ClipOptions& options_;
  bool rests_sometimes_ = false;
  std::vector<double>
      changes_;  // When the animation becomes usable or ceases to be, and a time before.
  std::vector<JointComponents> rest_;
};

// Finds out when the animation can be used.
Status JointSampler::look_at_animation() {
  const StageAnimation& animation = *source_.animation;
  std::vector<double> times;
  append_times(animation.translations, times);
  append_times(animation.rotations, times);
  append_times(animation.scales, times);
  times = within(std::move(times));
  if (Status s = check_limit(source_, times.size(), joint_count(), options_); !s) return s;
  bool ever = false;
  bool before = false;
  for (std::size_t i = 0; i < times.size(); ++i) {
    const bool usable = values_at(times[i]).has_value();
    if (i > 0 && usable != before) changes_.push_back(times[i]);
    before = usable;
    ever = ever || usable;
    rests_sometimes_ = rests_sometimes_ || !usable;
  }
  // What does not vary by itself has a value before the first change, too.
  if (!changes_.empty()) changes_.push_back(times.front());
  if (!rests_sometimes_ || skeleton().has_rest_pose()) return {};
  return {ever ? ErrorCode::unsupported : ErrorCode::no_value,
          format_text("{} has no rest pose to take where {} cannot be used.",
                      source_.skeleton_prim.path().view(), source_.animation_prim.path().view())};
}

// The rest pose of those joints that need one.
Status JointSampler::read_rest() {
  const bool all = !source_.is_animated() || rests_sometimes_;
  if (all && !skeleton().has_rest_pose()) return missing_rest_pose();
  rest_.resize(joint_count());
  for (std::size_t j = 0; j < joint_count(); ++j) {
    if (!all && source_.animation_joint[j] >= 0) continue;
    if (!skeleton().has_rest_pose()) return missing_rest_pose();
    const auto components = components_of(skeleton().rest_transforms()[j]);
    if (!components) {
      return {
          ErrorCode::unsupported,
          format_text("The rest transform of joint {} (\"{}\") of {} is not a scale, rotation and "
                      "translation.",
                      j, skeleton().joints()[j], source_.skeleton_prim.path().view())};
    }
    rest_[j] = *components;
  }
  return {};
}

// Rows of all translations, then all rotations.
SampledRows JointSampler::sample_transforms() const {
  const std::size_t n = joint_count();
  RowReader reader = still_reader(source_, (kTranslation + kRotation) * n);
  reader.quaternions_from = kTranslation * n;
  reader.read = [&](double time, std::span<float> row) {
    const auto values = values_at(time);
    float* translation = row.data();
    float* rotation = row.data() + kTranslation * n;
    for (std::size_t j = 0; j < n; ++j) {
      const std::int32_t from = values ? source_.animation_joint[j] : -1;
      const auto i = static_cast<std::size_t>(from);
      const Vector3f& t = from < 0 ? rest_[j].translation : values->translations[i];
      const Quatf& q = from < 0 ? rest_[j].rotation : values->rotations[i];
      translation = std::copy_n(t.data(), kTranslation, translation);
      rotation = std::copy_n(q.coeffs().data(), kRotation, rotation);
    }
    return static_cast<std::int32_t>(1);
  };
  std::vector<double> times = changes_;
  if (source_.is_animated()) {
    append_times(source_.animation->translations, times);
    append_times(source_.animation->rotations, times);
    add_range(source_.animation->translations, reader);
    add_range(source_.animation->rotations, reader);
  }
  return sample_rows(within(std::move(times)), reader);
}

SampledRows JointSampler::sample_scales() const {
  const std::size_t n = joint_count();
  RowReader reader = still_reader(source_, 3 * n);
  reader.read = [&](double time, std::span<float> row) {
    const auto values = values_at(time);
    float* out = row.data();
    for (std::size_t j = 0; j < n; ++j) {
      const std::int32_t from = values ? source_.animation_joint[j] : -1;
      const Vector3f scale =
          from < 0 ? rest_[j].scale : values->scales[static_cast<std::size_t>(from)].cast<float>();
      out = std::copy_n(scale.data(), 3, out);
    }
    return static_cast<std::int32_t>(1);
  };
  std::vector<double> times = changes_;
  if (source_.is_animated()) {
    append_times(source_.animation->scales, times);
    add_range(source_.animation->scales, reader);
  }
  return sample_rows(within(std::move(times)), reader);
}

Result<PackedClip> JointSampler::pack(const SampledRows& transforms,
                                      const SampledRows& scales) const {
  const std::size_t n = joint_count();
  std::vector<Vector3f> translations, scale_values;
  std::vector<Quatf> rotations;
  for (std::size_t i = 0; i < transforms.times.size(); ++i) {
    const float* const row = transforms.row(i).data();
    for (std::size_t j = 0; j < n; ++j) {
      translations.emplace_back(row + kTranslation * j);
      rotations.emplace_back(row + kTranslation * n + kRotation * j);
    }
  }
  for (std::size_t i = 0; i < scales.values.size(); i += 3) {
    scale_values.emplace_back(scales.values.data() + i);
  }
  std::vector<std::uint8_t> half_scales(n, 0);
  for (std::size_t j = 0; j < n && source_.is_animated(); ++j) {
    half_scales[j] = source_.animation_joint[j] >= 0 ? 1 : 0;
  }
  PackedClipDesc desc;
  desc.joint_count = n;
  desc.times = transforms.times;
  desc.held = transforms.held;
  desc.translations = translations;
  desc.rotations = rotations;
  desc.scales = scale_values;
  desc.half_scales = half_scales;
  // Shared times are searched once.
  if (scales.times != transforms.times || scales.held != transforms.held) {
    desc.scale_times = scales.times;
    desc.scale_held = scales.held;
  }
  return PackedClip::pack(desc);
}

Result<PackedWeights> sample_weights(const ClipSource& source, Reporter& reporter,
                                     const ClipOptions& options) {
  if (source.animation == nullptr || !source.animation->blend_shape_weights) {
    return PackedWeights();
  }
  std::vector<double> times;
  append_times(source.animation->blend_shape_weights, times);
  times = times_within(std::move(times), options.first_time, options.last_time);
  if (times.empty()) times.push_back(std::clamp(0.0, options.first_time, options.last_time));
  const auto weights_at = [&](double time) {
    return read_blend_shape_weights(source.animation_prim, *source.animation, time, reporter);
  };
  RowReader reader;
  bool any = false;
  for (const double time : times) {
    const auto weights = weights_at(time);
    any = any || weights.has_value();
    if (weights) reader.width = std::max(reader.width, weights->size());
  }
  if (!any) return PackedWeights();
  if (Status s = check_limit(source, times.size(), reader.width, options); !s) {
    return std::move(s).error();
  }
  reader.interpolation = source.interpolation();
  reader.read = [&](double time, std::span<float> row) {
    const auto weights = weights_at(time);
    // Between samples there are as many as at one of them.
    const std::size_t count = weights ? std::min(weights->size(), row.size()) : 0;
    if (weights) std::copy_n(weights->begin(), count, row.begin());
    std::fill(row.begin() + static_cast<std::ptrdiff_t>(count), row.end(), 0.0F);
    return weights ? static_cast<std::int32_t>(count) : -1;
  };
  const SampledRows rows = sample_rows(times, reader);
  PackedWeightsDesc desc;
  desc.width = rows.width;
  desc.times = rows.times;
  desc.held = rows.held;
  desc.weights = rows.values;
  const auto full = static_cast<std::int32_t>(rows.width);
  const bool differ = std::any_of(rows.counts.begin(), rows.counts.end(),
                                  [full](std::int32_t count) { return count != full; });
  if (differ) desc.counts = rows.counts;
  return PackedWeights::pack(desc);
}

}  // namespace

std::vector<std::int32_t> animation_joints(const SkeletonBinding& binding) {
  std::vector<std::int32_t> result;
  if (binding.animation != nullptr && !binding.mapper.is_null()) {
    std::vector<std::int32_t> own(binding.animation->joints.size());
    std::iota(own.begin(), own.end(), 0);
    (void)binding.mapper.remap_resized<std::int32_t>(own, result, 1, -1);
  }
  result.resize(binding.skeleton->joint_count(), -1);
  return result;
}

stage::Interpolation ClipSource::interpolation() const {
  return stage::interpolation_of(animation_prim ? animation_prim.stage() : skeleton_prim.stage());
}

Result<Clip> read_clip(const ClipSource& source, Reporter& reporter, const ClipOptions& options) {
  if (source.skeleton == nullptr) {
    return {ErrorCode::bad_topology, format_text("The joints of {} form no valid hierarchy.",
                                                 source.skeleton_prim.path().view())};
  }
  if (!(options.first_time <= options.last_time)) {
    return {ErrorCode::invalid_argument, "The range of times is empty."};
  }
  Result<PackedClip> joints = JointSampler(source, reporter, options).run();
  if (!joints) return std::move(joints).error();
  Result<PackedWeights> weights = sample_weights(source, reporter, options);
  if (!weights) return std::move(weights).error();
  Clip clip;
  clip.joints = *std::move(joints);
  clip.weights = *std::move(weights);
  if (source.animation != nullptr) clip.blend_shapes = source.animation->blend_shapes;
  return clip;
}

Result<Clip> read_clip(const SkeletonBinding& binding, Diagnostics& diagnostics,
                       const ClipOptions& options) {
  Reporter reporter(binding.skeleton_prim, diagnostics, Reporter::Repeats::once_per_prim);
  ClipSource source;
  source.skeleton_prim = binding.skeleton_prim;
  source.skeleton = binding.skeleton.get();
  source.animation_prim = binding.animation_prim;
  source.animation = binding.animation.get();
  if (binding.skeleton != nullptr && binding.animation != nullptr && !binding.mapper.is_null()) {
    source.animation_joint = animation_joints(binding);
    if (binding.mapper.is_sparse() && !binding.skeleton->has_rest_pose()) {
      report_missing_rest_pose(binding.skeleton_prim, binding.animation_prim, reporter);
    }
  }
  return read_clip(source, reporter, options);
}

std::shared_ptr<const StageAnimation> read_animation(const stage::Prim& prim,
                                                     Diagnostics& diagnostics) {
  if (!prim.is_a(stage::SchemaType::skel_animation)) return nullptr;
  Reporter reporter(prim, diagnostics, Reporter::Repeats::once_per_prim);
  return read_animation(prim, reporter);
}

Result<Clip> read_clip(const stage::Prim& animation, const SkeletonBinding& binding,
                       const JointMatch& match, Diagnostics& diagnostics,
                       const ClipOptions& options) {
  if (!animation.is_a(stage::SchemaType::skel_animation)) {
    return {ErrorCode::invalid_argument,
            format_text("<{}> is not a SkelAnimation.", animation.path().view())};
  }
  Reporter reporter(animation, diagnostics, Reporter::Repeats::once_per_prim);
  const auto read = read_animation(animation, reporter);
  ClipSource source;
  source.skeleton_prim = binding.skeleton_prim;
  source.skeleton = binding.skeleton.get();
  source.animation_prim = animation;
  source.animation = read.get();
  if (source.skeleton != nullptr) {
    const std::size_t joints = source.skeleton->joint_count();
    if (match.clip_joint.size() != joints) {
      return {ErrorCode::size_mismatch,
              format_text("The match is of {} joints, but {} has {}.", match.clip_joint.size(),
                          binding.skeleton_prim.path().view(), joints)};
    }
    for (std::size_t j = 0; j < joints; ++j) {
      if (match.clip_joint[j] < static_cast<std::int64_t>(read->joints.size())) continue;
      return {ErrorCode::index_out_of_range,
              format_text("Joint {} matches joint {} of {}, which has {}.", j, match.clip_joint[j],
                          animation.path().view(), read->joints.size())};
    }
  }
  if (match.rule != JointMatchRule::none) source.animation_joint = match.clip_joint;
  return read_clip(source, reporter, options);
}

}  // namespace sinew::skel
