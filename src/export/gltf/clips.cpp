// SPDX-License-Identifier: Apache-2.0
// What the stage plays: what the joints, the morph targets and the nodes do in time.

#include "export/gltf/clips.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "core/format_text.hpp"
#include "core/shortest_text.hpp"
#include "core/sort.hpp"
#include "export/gltf/joint_source.hpp"
#include "export/gltf/origin.hpp"
#include "export/gltf/tracks.hpp"
#include "export/gltf/writer.hpp"
#include "sinew/geom/transforms.hpp"
#include "sinew/skel/read/evaluate.hpp"

namespace sinew::exporter {

namespace {

using skel::Clip;
using skel::PackedClip;
using skel::SkeletonBinding;

constexpr float kNotANumber = std::numeric_limits<float>::quiet_NaN();

/// Adds the channels of one skeleton.
class JointClip {
 public:
  JointClip(Writer& writer, const PlanSkeleton& skeleton, JointSource& source)
      : w_(writer), skeleton_(skeleton), source_(source) {}

  void add_to(PlanClip& clip) {
    const std::size_t count = skeleton_.joints.size();
    Component translations = component(GlbChannelPath::translation, 3);
    Component rotations = component(GlbChannelPath::rotation, 4);
    Component scales = component(GlbChannelPath::scale, 3);
    if (w_.error) return;
    std::vector<Component*> left = {&translations, &rotations, &scales};
    while (!left.empty()) {
      const KeyTimes& keys = left.front()->keys;
      std::vector<Component*> same;
      std::vector<Component*> others;
      for (Component* const each : left) (each->keys == keys ? same : others).push_back(each);
      add_keys(keys, same);
      left = std::move(others);
    }
    for (std::size_t j = 0; j < count; ++j) {
      const GlbTransform& rest = skeleton_.rest[j];
      const Vector3f translation = rest.translation.cast<float>();
      const Vector3f scale = rest.scale.cast<float>();
      dropped_ = translations.tracks[j].finish({translation.data(), 3}, clip) || dropped_;
      dropped_ = rotations.tracks[j].finish(gltf_quaternion(rest.rotation), clip) || dropped_;
      dropped_ = scales.tracks[j].finish({scale.data(), 3}, clip) || dropped_;
    }
    report();
  }

 private:
  using Row = std::vector<float>;

  // One of the three that joints move by, with a track for each joint.
  struct Component {
    GlbChannelPath path = GlbChannelPath::translation;
    KeyTimes keys;
    std::vector<Track> tracks;
  };

  Component component(GlbChannelPath path, std::size_t width) {
    Component result;
    result.path = path;
    result.keys = key_times(w_, source_.times(path),
                            [&](double from, double to) { return source_.holds(path, from, to); });
    for (const std::int32_t node : skeleton_.joints) {
      result.tracks.emplace_back(w_, node, path, width);
    }
    if (!w_.error) check_limit(result.keys);
    return result;
  }

  // Of components that have the same keys: the joints are sampled once for all.
  void add_keys(const KeyTimes& keys, std::span<Component* const> components) {
    std::vector<GlbTransform> joints = skeleton_.rest;
    Row row;
    for (std::size_t k = 0; k < keys.codes.size(); ++k) {
      source_.at(keys.codes[k], joints);
      for (Component* const component : components) {
        for (std::size_t j = 0; j < component->tracks.size(); ++j) {
          read(joints[j], component->path, row);
          component->tracks[j].add(keys.codes[k], row, keys.holds[k]);
        }
      }
    }
  }

  void read(const GlbTransform& joint, GlbChannelPath path, Row& row) {
    if (path == GlbChannelPath::rotation) return read_rotation(joint.rotation, row);
    const Vector3d values =
        path == GlbChannelPath::translation ? Vector3d(joint.translation * w_.meters) : joint.scale;
    const Vector3f numbers = values.cast<float>();
    row.assign(numbers.begin(), numbers.end());
  }

  void read_rotation(const Quatd& rotation, Row& row) {
    if (!rotation.coeffs().allFinite()) return row.assign(4, kNotANumber);
    const double length = rotation.norm();
    if (length == 0.0) {
      zero_rotation_ = true;
    } else if (std::abs(length - 1.0) > std::abs(worst_length_ - 1.0)) {
      worst_length_ = length;
    }
    const auto numbers = gltf_quaternion(rotation);
    row.assign(numbers.begin(), numbers.end());
  }

  void check_limit(const KeyTimes& keys) {
    if (keys.codes.size() * skeleton_.joints.size() <= w_.options.limits.keys) return;
    w_.fail(ErrorCode::limit_exceeded,
            format_text("The clip of {} has more than {} keys.",
                        skeleton_.binding->skeleton_prim.path().view(), w_.options.limits.keys));
  }

  void report() {
    const stage::Prim& prim = skeleton_.binding->animation_prim ? skeleton_.binding->animation_prim
                                                                : skeleton_.binding->skeleton_prim;
    if (dropped_) {
      w_.warn("gltf-not-finite", prim,
              format_text("Keys of {} that are not finite are left out.", prim.path().view()));
    }
    if (const double off = std::abs(worst_length_ - 1.0); off > 1e-6) {
      w_.inform("gltf-rotation-length", prim,
                format_text("Rotations of {} are not of unit length, but {} at worst, and USD "
                            "takes them so; they are written normalised.",
                            prim.path().view(), rounded_text(worst_length_, off < 1e-5 ? 7 : 6)));
    }
    if (zero_rotation_) {
      w_.warn(
          "gltf-zero-rotation", prim,
          format_text("Rotations of {} that are zero are written as none.", prim.path().view()));
    }
  }

  Writer& w_;
  const PlanSkeleton& skeleton_;
  JointSource& source_;
  bool dropped_ = false;
  bool zero_rotation_ = false;
  double worst_length_ = 1.0;
};

/// Adds the channel of the morph targets of one mesh.
class MorphClip {
 public:
  MorphClip(Writer& writer, const MorphUse& use, const skel::PackedWeights& weights,
            const std::vector<std::string>& names)
      : w_(writer),
        use_(use),
        weights_(weights),
        set_(*use.target->skin->blend_shapes),
        mapper_(names, use.target->skin->blend_shape_order.value_or(std::vector<std::string>())) {}

  void add_to(PlanClip& clip, std::span<const float> at_rest) {
    const KeyTimes keys = key_times(w_, weights_.times(), [this](double from, double to) {
      const auto a = shapes_at(from), middle = shapes_at(from + (to - from) / 2);
      return a == middle && a != shapes_at(to);
    });
    if (keys.codes.size() * use_.sub_shapes.size() > w_.options.limits.keys) {
      w_.fail(ErrorCode::limit_exceeded,
              format_text("The weights of {} have more than {} keys.",
                          use_.target->prim.path().view(), w_.options.limits.keys));
      return;
    }
    Track track(w_, use_.node, GlbChannelPath::weights, use_.sub_shapes.size());
    std::vector<float> shapes = shapes_at(keys.codes.front());
    for (std::size_t k = 0; k < keys.codes.size(); ++k) {
      track.add(keys.codes[k], split(shapes), keys.holds[k]);
      if (k + 1 == keys.codes.size()) break;
      const std::vector<float> next = shapes_at(keys.codes[k + 1]);
      if (!keys.holds[k]) add_crossings(keys.codes[k], keys.codes[k + 1], shapes, next, track);
      shapes = next;
    }
    if (!track.finish(at_rest, clip)) return;
    const stage::Prim& prim = use_.target->prim;
    w_.warn("gltf-not-finite", prim,
            format_text("Weights of {} that are not finite are left out.", prim.path().view()));
  }

 private:
  // In the order of the mesh's blend shapes.
  std::vector<float> shapes_at(double code) const {
    std::vector<float> row(weights_.width(), 0.0F);
    const auto count = weights_.sample(code, row);
    row.resize(count.value_or(0));
    std::vector<float> result;
    (void)mapper_.remap_resized<float>(row, result);
    result.resize(set_.shape_count(), 0.0F);
    return result;
  }

  std::vector<float> split(std::span<const float> shapes) const {
    std::vector<skel::SubShapeWeight> entries;
    std::vector<float> flat(set_.sub_shape_count(), 0.0F);
    std::vector<float> result(use_.sub_shapes.size(), 0.0F);
    if (!set_.sub_shape_weights(shapes, entries) || !set_.flatten(entries, flat)) return result;
    for (std::size_t i = 0; i < result.size(); ++i) {
      if (use_.sub_shapes[i] != MorphUse::kNoSubShape) result[i] = flat[use_.sub_shapes[i]];
    }
    return result;
  }

  // Weights of sub-shapes have corners where a weight passes one of them.
  void add_crossings(double from, double to, const std::vector<float>& a,
                     const std::vector<float>& b, Track& track) {
    std::vector<double> parts;
    for (std::size_t s = 0; s < set_.shape_count(); ++s) {
      const skel::BlendShape& shape = set_.shapes()[s];
      if (shape.inbetweens.empty() || !std::isfinite(a[s]) || !std::isfinite(b[s])) continue;
      std::vector<float> corners = {0.0F, 1.0F};
      for (const skel::InbetweenShape& inbetween : shape.inbetweens) {
        corners.push_back(inbetween.weight);
      }
      const auto low = static_cast<double>(a[s]), high = static_cast<double>(b[s]);
      for (const float corner : corners) {
        const auto at = static_cast<double>(corner);
        const bool is_passed = (low < at && at < high) || (high < at && at < low);
        if (is_passed) parts.push_back((at - low) / (high - low));
      }
    }
    sort_range(parts.begin(), parts.end());
    double last = 0.0;
    for (const double part : parts) {
      if (part - last < 1e-7 || part > 1.0 - 1e-7) continue;
      last = part;
      std::vector<float> shapes(a.size());
      for (std::size_t s = 0; s < a.size(); ++s) {
        shapes[s] = static_cast<float>(static_cast<double>(a[s]) * (1.0 - part) +
                                       static_cast<double>(b[s]) * part);
      }
      track.add(from + (to - from) * part, split(shapes), false);
      ++w_.document.summary.added_keys;
    }
  }

  Writer& w_;
  const MorphUse& use_;
  const skel::PackedWeights& weights_;
  const skel::BlendShapeSet& set_;
  skel::AnimMapper mapper_;
};

std::vector<float> weights_at_rest(const Writer& w, const MorphUse& use) {
  const PlanNode& node = w.nodes[static_cast<std::size_t>(use.node)];
  if (!node.target_weights.empty()) return node.target_weights;
  std::vector<float> weights;
  const Json& mesh = w.document.meshes[static_cast<std::size_t>(node.mesh)];
  const Json* const authored = mesh.find("weights");
  if (authored == nullptr) return weights;
  for (const Json& weight : authored->items()) {
    weights.push_back(static_cast<float>(weight.number()));
  }
  return weights;
}

}  // namespace

void add_joints(Writer& w, const PlanSkeleton& skeleton, const PackedClip& joints,
                const skel::StageAnimation* animation, PlanClip& clip) {
  const std::unique_ptr<JointSource> source = joints_of(joints, animation);
  JointClip(w, skeleton, *source).add_to(clip);
}

void add_morphs(Writer& w, const SkeletonBinding& binding, const Clip& from, PlanClip& clip) {
  for (const MorphUse& use : w.morphs) {
    if (use.binding != &binding || !use.target->skin->blend_shape_order) continue;
    const std::vector<float> at_rest = weights_at_rest(w, use);
    // A clip without weights puts them to 0, where another one has them otherwise.
    if (from.weights.sample_count() == 0 && at_rest.empty()) continue;
    MorphClip(w, use, from.weights, from.blend_shapes).add_to(clip, at_rest);
  }
}

const PlanSkeleton* planned(const Writer& w, const SkeletonBinding& binding) {
  for (const PlanSkeleton& skeleton : w.skeletons) {
    if (skeleton.binding == &binding) return &skeleton;
  }
  return nullptr;
}

bool drives_morphs(const Writer& w, const SkeletonBinding& binding) {
  return std::any_of(w.morphs.begin(), w.morphs.end(),
                     [&](const MorphUse& use) { return use.binding == &binding; });
}

void stand_still(Writer& w, std::int32_t node, PlanClip& clip) {
  if (node == kTop) return;
  Track track(w, node, GlbChannelPath::translation, 3);
  const Vector3f rest = factor(w.node(node).local).transform.translation.cast<float>();
  track.add(w.first, {rest.data(), 3}, false);
  if (w.last > w.first) track.add(w.last, {rest.data(), 3}, false);
  track.finish(clip);
}

namespace {

// What the stage plays.
void add_binding(Writer& w, const SkeletonBinding& binding, PlanClip& clip) {
  const PlanSkeleton* const skeleton = planned(w, binding);
  if (binding.animation == nullptr || (skeleton == nullptr && !drives_morphs(w, binding))) return;
  skel::ClipOptions options;
  options.max_values = w.options.limits.keys;
  const Result<Clip> read = skel::read_clip(binding, w.diagnostics, options);
  if (read) {
    if (skeleton != nullptr) add_joints(w, *skeleton, read->joints, binding.animation.get(), clip);
    add_morphs(w, binding, *read, clip);
    return;
  }
  if (read.error().code == ErrorCode::limit_exceeded) {
    w.fail(read.error().code, read.error().message);
    return;
  }
  if (skeleton != nullptr && binding.skeleton != nullptr) {
    const std::unique_ptr<JointSource> source = joints_of(binding, w.diagnostics);
    JointClip(w, *skeleton, *source).add_to(clip);
  }
  // Weights do not need the joints.
  if (!drives_morphs(w, binding) || !binding.animation->blend_shape_weights) return;
  Clip weights;
  weights.blend_shapes = binding.animation->blend_shapes;
  const std::vector<double> times = binding.animation->blend_shape_weights.time_samples();
  std::vector<float> rows;
  std::vector<double> kept;
  const std::size_t width = weights.blend_shapes.size();
  skel::SkeletonPose pose;
  for (const double time : times.empty() ? std::vector<double>{w.first} : times) {
    skel::evaluate_pose(binding, time, pose, w.diagnostics);
    if (!kept.empty() && !(time > kept.back())) continue;
    std::vector<float> row = pose.blend_shape_weights.value_or(std::vector<float>());
    row.resize(width, 0.0F);
    kept.push_back(time);
    rows.insert(rows.end(), row.begin(), row.end());
  }
  skel::PackedWeightsDesc desc;
  desc.width = width;
  desc.times = kept;
  desc.weights = rows;
  if (auto packed = skel::PackedWeights::pack(desc)) {
    weights.weights = *std::move(packed);
    add_morphs(w, binding, weights, clip);
  }
}

std::string clip_name(const Writer& w) {
  if (const stage::Prim top = w.stage.default_prim()) {
    if (const auto name = read_origin(top).clip) return *name;
  }
  std::vector<stage::Prim> animations;
  for (const SkeletonBinding& binding : w.bindings) {
    const bool plays = planned(w, binding) != nullptr || drives_morphs(w, binding);
    if (!plays || !binding.animation_prim) continue;
    if (std::find(animations.begin(), animations.end(), binding.animation_prim) ==
        animations.end()) {
      animations.push_back(binding.animation_prim);
    }
  }
  if (animations.size() == 1) return std::string(animations.front().name().view());
  return w.document.scene_name;
}

// A node that what plays moves, in vain if it gets no channel.
std::int32_t moved_node(const Writer& w) {
  for (const PlanSkeleton& skeleton : w.skeletons) {
    if (skeleton.binding->animation != nullptr && !skeleton.joints.empty())
      return skeleton.joints[0];
  }
  for (const MorphUse& use : w.morphs) {
    const SkeletonBinding& binding = *use.binding;
    const bool plays = binding.skeleton != nullptr && binding.animation != nullptr;
    if (plays && binding.animation->blend_shape_weights) return use.node;
  }
  const auto moves = [](const PlanNode& node) { return node.needed && might_move(node); };
  const auto found = std::find_if(w.nodes.begin(), w.nodes.end(), moves);
  return found == w.nodes.end() ? kTop : static_cast<std::int32_t>(found - w.nodes.begin());
}

}  // namespace

void plan_clips(Writer& w) {
  mark_needed(w);
  PlanClip clip;
  for (std::size_t b = 0; b < w.bindings.size() && !w.error; ++b) {
    w.progress("clips", b, w.bindings.size());
    add_binding(w, w.bindings[b], clip);
  }
  for (std::size_t i = 0; i < w.nodes.size() && !w.error; ++i) {
    if (!w.nodes[i].needed || !might_move(w.nodes[i]) || !(w.last > w.first)) continue;
    plan_node_motion(w, static_cast<std::int32_t>(i), clip);
  }
  if (w.error) return;
  if (clip.channels.empty() && w.last > w.first) stand_still(w, moved_node(w), clip);
  clip.name = clip_name(w);
  if (!clip.channels.empty()) w.clips.push_back(std::move(clip));
  for (const GlbClipRequest& request : w.options.clips) {
    if (!w.error) add_requested_clip(w, request);
  }
}

}  // namespace sinew::exporter
