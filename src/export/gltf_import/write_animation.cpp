// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_map>

#include "core/format_text.hpp"
#include "core/shortest_text.hpp"
#include "export/gltf_import/scene_writer.hpp"
#include "export/gltf_origin.hpp"

namespace sinew::exporter::gltf_import {

namespace {

using layer::ElementType;
using layer::TimeSamples;
using layer::Value;

std::string pointer_of(std::uint32_t animation) {
  return "/animations/" + std::to_string(animation);
}

Vector3f vector3_at(std::span<const float> v) {
  return {v[0], v[1], v[2]};
}

Quatf rotation_at(std::span<const float> v) {
  return {v[3], v[0], v[1], v[2]};
}

std::vector<double> codes_of(const WriteContext& context, const std::vector<double>& seconds) {
  std::vector<double> codes;
  codes.reserve(seconds.size());
  for (const double time : seconds) {
    double code = context.code_of(time);
    // Two times that fall together stay apart.
    if (!codes.empty() && code <= codes.back()) {
      code = std::nextafter(codes.back(), std::numeric_limits<double>::infinity());
    }
    codes.push_back(code);
  }
  return codes;
}

// An op of a node: how it is at rest, and what a track makes of it.
template <typename Make>
void write_op(WriteContext& context, OutPrim* prim, const Track& track, std::string_view type,
              std::string_view name, Value rest, const Make& make) {
  context.out->set(prim, type, name, std::move(rest));
  if (track.times.empty()) return;
  TimeSamples samples;
  samples.times = codes_of(context, track.times);
  context.cover(samples.times);
  for (std::size_t i = 0; i < track.times.size(); ++i) {
    samples.values.push_back(make(std::span(track.values).subspan(i * track.width, track.width)));
  }
  context.out->set_samples(prim, type, name, std::move(samples));
}

// The channel of the node's first animation that changes this part.
const Channel* first_channel(const WriteContext& context, std::uint32_t node, ChannelPath path) {
  const std::vector<ChannelUse>& uses = context.channels[node];
  std::optional<std::uint32_t> animation;
  for (const ChannelUse& use : uses) {
    if (use.channel->path == ChannelPath::weights) continue;
    if (!animation) animation = use.animation;
    if (use.animation != *animation) {
      context.faults().warning(
          pointer_of(use.animation), "gltf-node-animation",
          format_text("Node {} moves in animation {} too, which is the one that was taken for it; "
                      "of several, only those of skeletons are kept.",
                      node, *animation));
      break;
    }
  }
  for (const ChannelUse& use : uses) {
    if (animation && use.animation == *animation && use.channel->path == path) return use.channel;
  }
  return nullptr;
}

// Tracks of one kind, of several joints or meshes.
struct TrackSet {
  std::vector<Track> tracks;
  std::vector<std::size_t> owners;

  std::vector<double> times(const WriteContext& context, std::uint32_t animation,
                            std::size_t elements) const {
    std::vector<const Track*> pointers;
    std::size_t keys = 0;
    for (const Track& track : tracks) {
      pointers.push_back(&track);
      keys += track.times.size();
    }
    if (pointers.empty()) return {};
    // Every sample holds all elements: channels that share no times would need the square of what
    // the file says.
    constexpr std::size_t kAlways = 10'000;
    const std::size_t most = std::max(kAlways, 8 * keys / std::max<std::size_t>(elements, 1));
    bool is_resampled = false;
    std::vector<double> result = common_times(pointers, most, is_resampled);
    if (is_resampled) {
      context.faults().warning(
          pointer_of(animation), "gltf-animation-resampled",
          format_text("The channels have few times in common; {} equal steps are taken.",
                      result.size()));
    }
    return result;
  }
};

class SkeletonWriter {
 public:
  SkeletonWriter(WriteContext& context, SkeletonPlan& plan)
      : context_(context), out_(*context.out), plan_(plan) {}

  void run() {
    write_rest();
    std::map<std::uint32_t, bool> animations;
    for (const std::uint32_t joint : plan_.joints) {
      for (const ChannelUse& use : context_.channels[joint]) {
        if (use.channel->path != ChannelPath::weights) animations[use.animation] = true;
      }
    }
    std::int32_t before = kNothing;
    for (const MorphChannel& morph : plan_.morphs) {
      if (static_cast<std::int32_t>(morph.node) == before) continue;
      before = static_cast<std::int32_t>(morph.node);
      for (const ChannelUse& use : context_.channels[morph.node]) {
        if (use.channel->path == ChannelPath::weights) animations[use.animation] = true;
      }
    }
    OutPrim* first = nullptr;
    for (const auto& [animation, used] : animations) {
      if (context_.is_over()) return;
      OutPrim* const prim = write_animation(animation);
      if (first == nullptr) first = prim;
    }
    if (first == nullptr && !plan_.morphs.empty()) {
      first = out_.add(plan_.prim, "SkelAnimation", "Weights", "Weights");
      write_weight_names(first);
      const std::vector<float> weights = rest_weights();
      out_.set(first, "float[]", "blendShapeWeights",
               out_.array(ElementType::float_, std::span<const float>(weights)));
    }
    if (first == nullptr) return;
    out_.apply(plan_.prim, "SkelBindingAPI");
    out_.relate(plan_.prim, "skel:animationSource", first);
  }

 private:
  void write_rest() {
    ++context_.counts->skeletons;
    context_.counts->joints += plan_.joints.size();
    std::vector<Matrix4d> binds;
    std::vector<Matrix4d> rests;
    for (std::size_t i = 0; i < plan_.joints.size(); ++i) {
      binds.push_back(in_layer_units(context_, plan_.binds[i]));
      rests.push_back(in_layer_units(context_, context_.node(plan_.joints[i]).local()));
    }
    out_.set_uniform(plan_.prim, "token[]", "joints", out_.tokens(plan_.paths));
    note_joints();
    out_.set_uniform(plan_.prim, "matrix4d[]", "bindTransforms",
                     out_.array(ElementType::matrix4d, std::span<const Matrix4d>(binds)));
    out_.set_uniform(plan_.prim, "matrix4d[]", "restTransforms",
                     out_.array(ElementType::matrix4d, std::span<const Matrix4d>(rests)));
  }

  void note_joints() {
    std::vector<std::string> names;
    bool differ = false;
    for (std::size_t i = 0; i < plan_.joints.size(); ++i) {
      names.push_back(context_.node(plan_.joints[i]).name);
      const std::string& path = plan_.paths[i];
      differ = differ || path.substr(path.rfind('/') + 1) != names.back();
      OutPrim* const prim = context_.nodes[plan_.joints[i]];
      if (prim == nullptr) continue;
      out_.note(prim, origin::kJoint, path);
      out_.note(prim, origin::kSkeleton, plan_.prim->name);
    }
    if (differ) out_.note(plan_.prim, origin::kJoints, names);
  }

  std::vector<float> rest_weights() const {
    std::vector<float> weights;
    for (const MorphChannel& morph : plan_.morphs) {
      const Node& node = context_.node(morph.node);
      const Mesh& mesh = context_.document->meshes[static_cast<std::size_t>(node.mesh)];
      weights.push_back(node.weights.empty() ? mesh.weights[morph.target]
                                             : node.weights[morph.target]);
    }
    return weights;
  }

  void write_weight_names(OutPrim* prim) {
    std::vector<std::string> names;
    for (const MorphChannel& morph : plan_.morphs) names.push_back(morph.name);
    out_.set_uniform(prim, "token[]", "blendShapes", out_.tokens(names));
  }

  Track track_of(const Channel& channel) {
    return make_track(channel, context_.options().curve_tolerance, out_.budget());
  }

  const Channel* channel_of(std::uint32_t node, std::uint32_t animation, ChannelPath path) const {
    const std::vector<ChannelUse>& uses = context_.channels[node];
    auto use = std::lower_bound(
        uses.begin(), uses.end(), animation,
        [](const ChannelUse& before, std::uint32_t wanted) { return before.animation < wanted; });
    for (; use != uses.end() && use->animation == animation; ++use) {
      if (use->channel->path == path) return use->channel;
    }
    return nullptr;
  }

  OutPrim* write_animation(std::uint32_t animation) {
    const std::string& name = context_.document->animations[animation].name;
    OutPrim* const prim =
        out_.add(plan_.prim, "SkelAnimation", name, "animation_" + std::to_string(animation));
    ++context_.counts->animations;
    write_joints(prim, animation);
    if (!plan_.morphs.empty()) {
      write_weight_names(prim);
      write_weights(prim, animation);
    }
    return prim;
  }

  void write_joints(OutPrim* prim, std::uint32_t animation) {
    std::vector<std::string> paths;
    std::vector<std::uint32_t> nodes;
    TrackSet sets[3];
    for (std::size_t i = 0; i < plan_.joints.size(); ++i) {
      const std::uint32_t node = plan_.joints[i];
      bool is_animated = false;
      for (const ChannelPath path :
           {ChannelPath::translation, ChannelPath::rotation, ChannelPath::scale}) {
        const Channel* const channel = channel_of(node, animation, path);
        if (channel == nullptr) continue;
        is_animated = true;
        TrackSet& set = sets[static_cast<std::size_t>(path)];
        set.tracks.push_back(track_of(*channel));
        if (set.tracks.back().times.empty()) return;  // The budget is spent.
        set.owners.push_back(nodes.size());
      }
      if (!is_animated) continue;
      nodes.push_back(node);
      paths.push_back(plan_.paths[i]);
    }
    if (nodes.empty()) return;
    out_.set_uniform(prim, "token[]", "joints", out_.tokens(paths));
    std::vector<Vector3f> translations;
    std::vector<Quatf> rotations;
    std::vector<Vector3f> scales;
    for (const std::uint32_t node : nodes) {
      const Node& from = context_.node(node);
      translations.push_back((from.translation * context_.per_metre).cast<float>());
      rotations.push_back(from.rotation.cast<float>());
      scales.push_back(from.scale.cast<float>());
    }
    const auto per_metre = static_cast<float>(context_.per_metre);
    write_arrays(
        prim, animation, sets[0], "float3[]", "translations", translations,
        [&](std::span<const float> v) { return Vector3f(vector3_at(v) * per_metre); },
        [&](const std::vector<Vector3f>& v) { return vectors(v); });
    write_arrays(prim, animation, sets[1], "quatf[]", "rotations", rotations, rotation_at,
                 [&](const std::vector<Quatf>& v) {
                   return out_.array(ElementType::quatf, std::span<const Quatf>(v));
                 });
    float worst = 0.0F;
    write_arrays(prim, animation, sets[2], "half3[]", "scales", scales, vector3_at,
                 [&](const std::vector<Vector3f>& v) { return halves(v, worst); });
    constexpr float kNoticed = 1e-6F;  // Less is rounding in the file itself.
    if (worst > kNoticed) {
      context_.faults().info(
          pointer_of(animation), "gltf-scale-rounded",
          format_text("SkelAnimation keeps scales in half precision: one differs by {}.",
                      rounded_text(worst, 2)));
    }
  }

  Value vectors(const std::vector<Vector3f>& v) {
    return out_.array(ElementType::float3, std::span<const Vector3f>(v));
  }

  Value halves(const std::vector<Vector3f>& vectors, float& worst) {
    constexpr float kMost = 65504.0F;  // That half precision holds.
    std::vector<Vector3h> result;
    for (const Vector3f& v : vectors) {
      result.push_back(v.cwiseMax(-kMost).cwiseMin(kMost).cast<Half>());
      worst = std::max(worst, (result.back().cast<float>() - v).cwiseAbs().maxCoeff());
    }
    return out_.array(ElementType::half3, std::span<const Vector3h>(result));
  }

  // One of the arrays of a SkelAnimation: `rest` where no track says otherwise.
  template <typename T, typename Convert, typename MakeValue>
  void write_arrays(OutPrim* prim, std::uint32_t animation, const TrackSet& set,
                    std::string_view type, std::string_view name, const std::vector<T>& rest,
                    const Convert& convert, const MakeValue& value_of_all) {
    const std::vector<double> times = set.times(context_, animation, rest.size());
    out_.set(prim, type, name, value_of_all(rest));
    if (times.empty()) return;
    TimeSamples samples;
    samples.times = codes_of(context_, times);
    context_.cover(samples.times);
    std::vector<T> values = rest;
    float numbers[4];
    for (const double time : times) {
      if (context_.is_over()) return;
      for (std::size_t i = 0; i < set.tracks.size(); ++i) {
        const std::span<float> out(numbers, set.tracks[i].width);
        set.tracks[i].at(time, out);
        values[set.owners[i]] = convert(out);
      }
      samples.values.push_back(value_of_all(values));
    }
    out_.set_samples(prim, type, name, std::move(samples));
  }

  void write_weights(OutPrim* prim, std::uint32_t animation) {
    TrackSet set;
    std::unordered_map<std::uint32_t, std::size_t> first_of_node;
    for (std::size_t i = 0; i < plan_.morphs.size(); ++i) {
      const MorphChannel& morph = plan_.morphs[i];
      if (!first_of_node.try_emplace(morph.node, i).second) continue;
      const Channel* const channel = channel_of(morph.node, animation, ChannelPath::weights);
      if (channel == nullptr) continue;
      set.tracks.push_back(track_of(*channel));
      if (set.tracks.back().times.empty()) return;
      set.owners.push_back(i);
    }
    std::vector<float> weights = rest_weights();
    const auto value = [&] {
      return out_.array(ElementType::float_, std::span<const float>(weights));
    };
    const std::vector<double> times = set.times(context_, animation, weights.size());
    out_.set(prim, "float[]", "blendShapeWeights", value());
    if (times.empty()) return;
    TimeSamples samples;
    samples.times = codes_of(context_, times);
    context_.cover(samples.times);
    for (const double time : times) {
      if (context_.is_over()) return;
      for (std::size_t i = 0; i < set.tracks.size(); ++i) {
        set.tracks[i].at(time, std::span(weights).subspan(set.owners[i], set.tracks[i].width));
      }
      samples.values.push_back(value());
    }
    out_.set_samples(prim, "float[]", "blendShapeWeights", std::move(samples));
  }

  WriteContext& context_;
  LayerOutput& out_;
  SkeletonPlan& plan_;
};

bool lies_in_body(const WriteContext& context, std::uint32_t index) {
  if (!context.options().physics || !context.node(index).motion) return false;
  for (std::int32_t at = context.node(index).parent; at != kNothing;
       at = context.node(static_cast<std::size_t>(at)).parent) {
    if (context.node(static_cast<std::size_t>(at)).motion) return true;
  }
  return false;
}

}  // namespace

void write_matrix(WriteContext& context, const Matrix4d& matrix, OutPrim* prim, bool resets) {
  std::vector<std::string> order;
  if (resets) order.emplace_back("!resetXformStack!");
  order.emplace_back("xformOp:transform");
  context.out->set(prim, "matrix4d", "xformOp:transform",
                   value_of(in_layer_units(context, matrix)));
  context.out->set_uniform(prim, "token[]", "xformOpOrder", context.out->tokens(order));
}

void write_transform(WriteContext& context, std::uint32_t index, OutPrim* prim) {
  const Node& node = context.node(index);
  LayerOutput& out = *context.out;
  const auto track_of = [&](ChannelPath path) {
    const Channel* const channel = first_channel(context, index, path);
    return channel == nullptr
               ? Track()
               : make_track(*channel, context.options().curve_tolerance, out.budget());
  };
  const Track translation = track_of(ChannelPath::translation);
  const Track rotation = track_of(ChannelPath::rotation);
  const Track scale = track_of(ChannelPath::scale);
  const bool moves = !translation.times.empty() || !rotation.times.empty() || !scale.times.empty();
  if (lies_in_body(context, index)) {
    // A body inside another one does not follow it.
    if (moves) {
      context.faults().warning("/nodes/" + std::to_string(index), "gltf-body-animation",
                               "The body lies in another one; how it is animated is left out.");
    }
    return write_matrix(
        context, context.turn * world_of(*context.document, static_cast<std::int32_t>(index)), prim,
        true);
  }
  if (node.has_matrix) {
    if (!node.matrix.isIdentity(0.0)) write_matrix(context, node.matrix, prim, false);
    return;
  }
  std::vector<std::string> order;
  if (!translation.times.empty() || !node.translation.isZero(0.0)) {
    order.emplace_back("xformOp:translate");
    write_op(context, prim, translation, "double3", order.back(),
             value_of(Vector3d(node.translation * context.per_metre)), [&](auto v) {
               return value_of(Vector3d(vector3_at(v).template cast<double>() * context.per_metre));
             });
  }
  if (!rotation.times.empty() || !node.rotation.vec().isZero(0.0)) {
    order.emplace_back("xformOp:orient");
    write_op(context, prim, rotation, "quatf", order.back(),
             value_of(Quatf(node.rotation.cast<float>())),
             [](auto v) { return value_of(rotation_at(v)); });
  }
  if (!scale.times.empty() || !node.scale.isOnes(0.0)) {
    order.emplace_back("xformOp:scale");
    write_op(context, prim, scale, "float3", order.back(),
             value_of(Vector3f(node.scale.cast<float>())),
             [](auto v) { return value_of(vector3_at(v)); });
  }
  if (!order.empty()) out.set_uniform(prim, "token[]", "xformOpOrder", out.tokens(order));
}

void write_skeletons(WriteContext& context) {
  for (SkeletonPlan& plan : context.plans->skeletons) {
    if (context.is_over()) return;
    SkeletonWriter(context, plan).run();
  }
  for (const auto& [mesh, skeleton] : context.bindings) {
    OutPrim* const prim = context.plans->skeletons[static_cast<std::size_t>(skeleton)].prim;
    context.out->apply(mesh, "SkelBindingAPI");
    context.out->relate(mesh, "skel:skeleton", prim);
  }
}

}  // namespace sinew::exporter::gltf_import
