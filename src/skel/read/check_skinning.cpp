// SPDX-License-Identifier: Apache-2.0
// What there is to say of skeletons, their animations and what they deform.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/format_text.hpp"
#include "core/shortest_text.hpp"
#include "sinew/skel/match_joints.hpp"
#include "sinew/skel/read/bindings.hpp"
#include "sinew/skel/read/check_bindings.hpp"
#include "sinew/skel/read/evaluate.hpp"
#include "skel/read/find_bindings.hpp"
#include "skel/read/joint_values.hpp"
#include "skel/read/reporting_evaluate.hpp"
#include "skel/read/typed_reader.hpp"

namespace sinew::skel {
namespace {

using stage::Prim;

// How far from 1 the length of a rotation and a sum of weights may be; numbers of 16 bits are.
constexpr double kMostOff = 1e-3;

using Names = std::unordered_set<std::string_view>;

// Names that are not among the known ones.
std::vector<std::string_view> unknown_of(std::span<const std::string> names, const Names& known) {
  std::vector<std::string_view> unknown;
  for (const std::string& name : names) {
    if (!known.contains(name)) unknown.push_back(name);
  }
  return unknown;
}

// That all, or some, of the names in an animation mean nothing to what it drives.
void report_unknown(const SkeletonBinding& binding, std::span<const std::string> names,
                    const Names& known, std::string_view code, std::string_view what,
                    std::string_view consequence, std::string_view hint, Reporter& reporter) {
  const std::vector<std::string_view> unknown = unknown_of(names, known);
  if (unknown.empty()) return;
  const layer::Path animation = binding.animation_prim.path();
  if (unknown.size() == names.size()) {
    reporter.add(Severity::warning, code, binding.animation_prim,
                 format_text("None of the {} {} of {} is known to {}, {}; the first is \"{}\".",
                             names.size(), what, animation.view(),
                             binding.skeleton_prim.path().view(), consequence, unknown.front()),
                 hint);
  } else {
    reporter.add(Severity::info, code, binding.animation_prim,
                 format_text("{} of the {} {} of {} are not known to {} and have no effect; the "
                             "first is \"{}\".",
                             unknown.size(), names.size(), what, animation.view(),
                             binding.skeleton_prim.path().view(), unknown.front()));
  }
}

void check_joint_names(const SkeletonBinding& binding, Reporter& reporter) {
  const std::vector<std::string>& moved = binding.animation->joints;
  const std::vector<std::string>& joints = binding.skeleton->joints();
  const bool is_moved = match_joints(moved, joints).rule != JointMatchRule::none;
  report_unknown(binding, moved, Names(joints.begin(), joints.end()), "skel-animation-joints",
                 "joints", "which stays at rest",
                 is_moved ? "Only what stands before the names differs; spell the joints of both "
                            "alike, or let the program use match_joints()."
                          : "Spell the joints of both alike, whole paths from the root joint.",
                 reporter);
}

// The blend shapes of all that an animation drives, by its node.
std::map<std::uint32_t, Names> blend_shapes_driven(std::span<const SkeletonBinding> bindings) {
  std::map<std::uint32_t, Names> driven;
  for (const SkeletonBinding& binding : bindings) {
    if (binding.animation == nullptr) continue;
    Names& names = driven[binding.animation_prim.node()];
    for (const SkinTarget& target : binding.targets) {
      const auto& order = target.skin->blend_shape_order;
      if (order) names.insert(order->begin(), order->end());
    }
  }
  return driven;
}

void check_blend_shape_names(const SkeletonBinding& binding, const Names& known,
                             Reporter& reporter) {
  if (known.empty()) return;  // A clip may be made for more than this character.
  report_unknown(binding, binding.animation->blend_shapes, known, "skel-animation-blend-shapes",
                 "blend shapes", "whose meshes keep their shape",
                 "Spell them as skel:blendShapes of the meshes does.", reporter);
}

// Rotations of every sample: quaternions of another length than 1 scale what they turn.
void check_rotations(const SkeletonBinding& binding, Reporter& reporter) {
  const stage::Attribute& rotations = binding.animation->rotations;
  if (!rotations) return;
  std::size_t wrong = 0;
  double worst = 1.0;
  const auto look = [&](stage::Time time) {
    const auto values = typed(reporter).array<Quatf>(rotations, time);
    if (!values) return;
    for (const Quatf& rotation : values->span()) {
      const auto length = static_cast<double>(rotation.norm());
      if (std::abs(length - 1.0) <= kMostOff) continue;
      ++wrong;
      if (!(std::abs(length - 1.0) <= std::abs(worst - 1.0))) worst = length;  // NaN is worst.
    }
  };
  const std::vector<double> times = rotations.time_samples();
  if (times.empty()) look({});
  for (const double time : times) look(time);
  if (wrong == 0) return;
  reporter.add(Severity::warning, "skel-rotation-length", rotations,
               format_text("{} rotations of {} are not of unit length, but {} at worst, and scale "
                           "what they turn.",
                           wrong, binding.animation_prim.path().view(), rounded_text(worst)),
               "Normalise the quaternions.");
}

// Points whose weights do not say where they are: each kind once per prim.
void check_weights(const SkinTarget& target, Reporter& reporter) {
  const auto influences = read_influences(target, stage::Time::earliest(), reporter);
  const std::size_t per_row = target.skin->influences;
  if (!influences || per_row == 0) return;
  const std::span<const float> weights = influences->weights.span();
  std::size_t not_finite = 0, negative = 0, empty = 0, off = 0;
  double worst_sum = 1.0;
  for (std::size_t row = 0; row + per_row <= weights.size(); row += per_row) {
    double sum = 0.0;
    bool has_negative = false;
    for (const float weight : weights.subspan(row, per_row)) {
      sum += static_cast<double>(weight);
      has_negative = has_negative || weight < 0.0F;
    }
    if (!std::isfinite(sum)) {
      ++not_finite;
      continue;
    }
    if (has_negative) ++negative;
    if (sum == 0.0) {
      ++empty;
    } else if (std::abs(sum - 1.0) > kMostOff) {
      ++off;
      if (std::abs(sum - 1.0) > std::abs(worst_sum - 1.0)) worst_sum = sum;
    }
  }
  const layer::Path path = target.prim.path();
  const auto of = [&](std::size_t count) {
    return target.skin->scope == InfluenceScope::constant
               ? format_text("The weights of {}", path.view())
               : format_text("The weights of {} points of {}", count, path.view());
  };
  constexpr std::string_view kNormalise = "Let the weights of each point add up to 1.";
  if (not_finite != 0) {
    reporter.add(Severity::error, "skel-weights-not-finite", target.skin->joint_weights,
                 of(not_finite) + " are not finite, and neither is where they are.");
  }
  if (negative != 0) {
    reporter.add(Severity::warning, "skel-weights-negative", target.skin->joint_weights,
                 of(negative) + " are below 0 in part: they move away from what moves the joint.",
                 "Write weights of 0 or more.");
  }
  if (empty != 0) {
    reporter.add(Severity::warning, "skel-weights-missing", target.skin->joint_weights,
                 of(empty) + " are all 0: they collapse into the origin of the skeleton.",
                 kNormalise);
  }
  if (off != 0) {
    reporter.add(Severity::warning, "skel-weights-sum", target.skin->joint_weights,
                 format_text("{} do not add up to 1, but to {} at worst: they are pulled towards "
                             "the origin of the skeleton or pushed away from it.",
                             of(off), rounded_text(worst_sum)),
                 kNormalise);
  }
}

}  // namespace

void check_skinning(const stage::Stage& stage, Diagnostics& diagnostics) {
  Reporter reporter(stage, diagnostics, Reporter::Repeats::once_per_prim);
  Diagnostics reading;
  const std::vector<SkeletonBinding> bindings = read_bindings(stage, reading);
  for (Diagnostic& diagnostic : reading) {
    // check_bindings() says this of every prim, whether it is skinned or not.
    if (diagnostic.code != "skel-binding-api-missing") diagnostics.push_back(std::move(diagnostic));
  }
  std::map<std::uint32_t, Names> driven = blend_shapes_driven(bindings);
  std::set<std::pair<std::uint32_t, std::uint32_t>> posed;
  std::set<const SkinnedPrim*> deformed;
  for (const SkeletonBinding& binding : bindings) {
    const std::uint32_t animation = binding.animation_prim ? binding.animation_prim.node() : 0;
    const bool is_new = posed.emplace(binding.skeleton_prim.node(), animation).second;
    SkeletonPose pose;
    if (is_new) {
      evaluate_pose(binding, stage::Time::earliest(), pose, reporter);
      if (binding.animation != nullptr && binding.skeleton != nullptr) {
        check_joint_names(binding, reporter);
        check_blend_shape_names(binding, driven[animation], reporter);
        check_rotations(binding, reporter);
      }
    }
    for (const SkinTarget& target : binding.targets) {
      if (!deformed.insert(target.skin.get()).second) continue;
      if (pose.status != PoseStatus::skinnable)
        evaluate_pose(binding, stage::Time::earliest(), pose, reporter);
      DeformedPrim result;
      evaluate_target(target, pose, result, reporter);
      check_weights(target, reporter);
    }
  }
}

}  // namespace sinew::skel
