// SPDX-License-Identifier: Apache-2.0
#include "skel/read/bake_plan.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "core/format_text.hpp"
#include "core/report.hpp"
#include "core/sort.hpp"
#include "sinew/geom/primvars.hpp"
#include "sinew/geom/transforms.hpp"

namespace sinew::skel {
namespace {

using stage::Attribute;
using stage::Prim;

// More frames than are ever baked on purpose; a range that asks for more is a mistake.
constexpr double kMostFrames = 1e6;

bool is_authored(const Attribute& attribute) {
  return attribute && attribute.has_authored_value();
}

bool has_usable_pose(const SkeletonBinding& binding) {
  if (binding.skeleton == nullptr) return false;
  if (binding.animation != nullptr && !binding.mapper.is_null()) return true;
  return is_authored(binding.skeleton_prim.attribute("restTransforms"));
}

TargetPlan plan_target(const SkeletonBinding& binding, const SkinTarget& target,
                       const BakeOptions& options) {
  TargetPlan plan;
  plan.target = &target;
  const Prim& prim = target.prim;
  const SkinnedPrim& skin = *target.skin;
  const bool point_based = prim.is_a(stage::SchemaType::point_based);
  const bool has_points = point_based && is_authored(prim.attribute("points"));
  const Attribute normals = prim.attribute("normals");
  std::string interpolation;
  if (point_based && is_authored(normals)) {
    const layer::Value value = normals.metadata("interpolation");
    interpolation = value.text().value_or("vertex");
  }
  const bool per_point = interpolation == "vertex" || interpolation == "varying";
  plan.face_varying_normals = interpolation == "faceVarying" &&
                              prim.is_a(stage::SchemaType::mesh) &&
                              is_authored(prim.attribute("faceVertexIndices"));
  if (skin.has_joint_influences && has_usable_pose(binding)) {
    if (skin.scope == InfluenceScope::constant) {
      plan.transform = options.skin_transforms && prim.is_a(stage::SchemaType::xformable);
    } else {
      plan.skin_points = options.skin_points && has_points;
      plan.skin_normals =
          options.skin_normals && has_points && (per_point || plan.face_varying_normals);
    }
  }
  if (target.has_blend_shapes() && has_points && binding.animation != nullptr &&
      is_authored(binding.animation->blend_shape_weights)) {
    plan.blend_points = options.blend_points && skin.blend_shapes->has_offsets();
    plan.blend_normals =
        options.blend_normals && per_point && skin.blend_shapes->has_normal_offsets();
  }
  return plan;
}

// Collects the times at which inputs have samples.
class TimeCollector {
 public:
  explicit TimeCollector(bool with_ancestors) : with_ancestors_(with_ancestors) {}

  void add(const Attribute& attribute) { add(attribute.time_samples()); }
  void add_primvar(const Attribute& primvar) {
    if (!primvar) return;
    add(primvar);
    add(geom::Primvar(primvar).indices_attribute());
  }
  // What a transform to the world depends on. OpenUSD looks at the prim itself only.
  void add_world_transform(const Prim& prim) {
    for (Prim p = prim; p && !p.is_root(); p = p.parent()) {
      add(geom::local_transform_samples(p));
      if (!with_ancestors_ || geom::local_transform(p, {}).resets_stack) break;
    }
  }
  std::vector<double> take() {
    sort_range(times_.begin(), times_.end());
    times_.erase(std::unique(times_.begin(), times_.end()), times_.end());
    return std::move(times_);
  }

 private:
  void add(const std::vector<double>& times) {
    times_.insert(times_.end(), times.begin(), times.end());
  }
  bool with_ancestors_;
  std::vector<double> times_;
};

std::vector<double> sample_times(const BakePlan& plan, Rules rules) {
  TimeCollector collector(rules == Rules::documented);
  const SkeletonBinding& binding = *plan.binding;
  const auto any = [&](auto&& claim) {
    return std::any_of(plan.targets.begin(), plan.targets.end(), claim);
  };
  if (any([](const TargetPlan& t) { return t.skins(); })) {
    // OpenUSD takes also those of an animation that gives no joint of the skeleton.
    if (binding.animation != nullptr && (rules == Rules::openusd || !binding.mapper.is_null())) {
      collector.add(binding.animation->translations);
      collector.add(binding.animation->rotations);
      collector.add(binding.animation->scales);
    }
    collector.add_world_transform(binding.skeleton_prim);
  }
  if (any([](const TargetPlan& t) { return t.blend_points || t.blend_normals; })) {
    collector.add(binding.animation->blend_shape_weights);
  }
  for (const TargetPlan& target : plan.targets) {
    const Prim& prim = target.target->prim;
    const SkinnedPrim& skin = *target.target->skin;
    if (target.writes_points()) collector.add(prim.attribute("points"));
    if (target.writes_normals()) collector.add(prim.attribute("normals"));
    if (target.skin_normals && target.face_varying_normals) {
      collector.add(prim.attribute("faceVertexIndices"));
    }
    if (!target.skins()) continue;
    collector.add(skin.geom_bind_transform);
    collector.add_primvar(skin.joint_indices);
    collector.add_primvar(skin.joint_weights);
    if (!target.transform) {
      collector.add_world_transform(prim);
    } else if (!geom::local_transform(prim, {}).resets_stack) {
      collector.add_world_transform(prim.parent());
    }
  }
  return collector.take();
}

// Frames of the stage's range between the first and the last sample, so that what is sparse is
// right on frames too.
void add_frames(const stage::Stage& stage, const BakeOptions& options, std::vector<double>& times,
                Diagnostics& diagnostics) {
  const stage::Metrics& metrics = stage.metrics();
  if (times.size() < 2 || !metrics.has_time_code_range) return;
  const double step = std::abs(metrics.time_codes_per_second / metrics.frames_per_second);
  const double count = (metrics.end_time_code - metrics.start_time_code) / step;
  if (!(step > 0.0) || !(count >= 0.0)) return;
  if (count > kMostFrames) {
    report(&diagnostics, Severity::warning, "skel-too-many-frames", {},
           format_text("The stage's range of {} to {} has more than a million frames; only samples "
                       "are baked.",
                       metrics.start_time_code, metrics.end_time_code));
    return;
  }
  const double first = std::max(times.front(), options.first_time);
  const double last = std::min(times.back(), options.last_time);
  // OpenUSD goes one step beyond the end.
  const double beyond = stage.rules() == Rules::openusd ? step : 0.0;
  for (double k = 0.0;; k += 1.0) {
    const double time = metrics.start_time_code + k * step;
    if (!(time <= metrics.end_time_code + beyond)) break;
    if (time >= first && time <= last) times.push_back(time);
  }
  sort_range(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
}

void choose_times(const stage::Stage& stage, const BakeOptions& options, BakePlan& plan,
                  Diagnostics& diagnostics) {
  std::vector<double> times = options.times;
  if (times.empty()) {
    times = sample_times(plan, stage.rules());
    std::erase_if(times, [&](double t) { return t < options.first_time || t > options.last_time; });
    if (times.empty()) {
      plan.times = {stage::Time::default_time()};
      return;
    }
    add_frames(stage, options, times, diagnostics);
  }
  sort_range(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  plan.times.assign(times.begin(), times.end());
}

}  // namespace

std::vector<BakePlan> plan_baking(const stage::Stage& stage,
                                  std::span<const SkeletonBinding> bindings,
                                  const BakeOptions& options, Diagnostics& diagnostics) {
  std::vector<BakePlan> plans;
  for (const SkeletonBinding& binding : bindings) {
    if (binding.skeleton == nullptr) continue;
    BakePlan plan;
    plan.binding = &binding;
    for (const SkinTarget& target : binding.targets) {
      TargetPlan planned = plan_target(binding, target, options);
      if (planned.does_anything()) plan.targets.push_back(planned);
    }
    if (plan.targets.empty()) continue;
    choose_times(stage, options, plan, diagnostics);
    if (!plan.times.empty()) plans.push_back(std::move(plan));
  }
  return plans;
}

}  // namespace sinew::skel
