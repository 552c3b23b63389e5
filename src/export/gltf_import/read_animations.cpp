// SPDX-License-Identifier: Apache-2.0

#include <array>
#include <cmath>
#include <string_view>

#include "core/format_text.hpp"
#include "export/gltf_import/document.hpp"

namespace sinew::exporter::gltf_import {

namespace {

constexpr std::array<std::string_view, 1> kScalar = {"SCALAR"};

class AnimationReader {
 public:
  AnimationReader(const ReadContext& context, const Document& document)
      : context_(context), reader_(*context.reader), document_(document) {}

  Animation read(const Cursor& at);

 private:
  bool read_target(const Cursor& at, Channel& channel, bool& is_known);
  bool read_sampler(const Cursor& at, Channel& channel);
  bool check_times(const Cursor& at, const Floats& times);

  const ReadContext& context_;
  const JsonReader& reader_;
  const Document& document_;
};

bool AnimationReader::read_target(const Cursor& at, Channel& channel, bool& is_known) {
  is_known = false;
  if (!reader_.object(at)) {
    context_.faults().error(at.pointer(), "gltf-missing", "The target is missing.");
    return false;
  }
  if (!at["node"]) return true;  // An extension's business.
  const auto node = reader_.index(at["node"], document_.nodes.size(), "nodes");
  const auto path = reader_.text(at["path"]);
  if (!node || !path) return false;
  channel.node = *node;
  is_known = true;
  if (*path == "translation") {
    channel.path = ChannelPath::translation;
  } else if (*path == "rotation") {
    channel.path = ChannelPath::rotation;
  } else if (*path == "scale") {
    channel.path = ChannelPath::scale;
  } else if (*path == "weights") {
    channel.path = ChannelPath::weights;
  } else {
    context_.faults().warning(at["path"].pointer(), "gltf-animation-path",
                              format_text("'{}' is nothing that nodes have.", *path));
    is_known = false;
    return true;
  }
  const Node& target = document_.nodes[*node];
  if (channel.path == ChannelPath::weights) {
    channel.width = target.mesh == kNothing
                        ? 0
                        : document_.meshes[static_cast<std::size_t>(target.mesh)].weights.size();
    if (channel.width == 0) {
      context_.faults().error(at.pointer(), "gltf-animation-target",
                              "The node has no morph targets whose weights could change.");
      return false;
    }
  } else {
    channel.width = channel.path == ChannelPath::rotation ? 4 : 3;
    if (target.has_matrix) {
      context_.faults().error(at.pointer(), "gltf-animation-target",
                              "The node has a matrix, of which no part can change.");
      return false;
    }
  }
  return true;
}

bool AnimationReader::check_times(const Cursor& at, const Floats& times) {
  for (std::size_t i = 0; i < times.size(); ++i) {
    const float time = *times[i];
    if (std::isfinite(time) && (i == 0 || time > *times[i - 1])) continue;
    context_.faults().error(at.pointer(), "gltf-animation-times",
                            format_text("Time {} (number {}) does not ascend.", time, i));
    return false;
  }
  return true;
}

bool AnimationReader::read_sampler(const Cursor& at, Channel& channel) {
  if (!reader_.object(at)) return false;
  const std::string interpolation = reader_.text(at["interpolation"]).value_or("LINEAR");
  if (interpolation == "STEP") {
    channel.interpolation = Interpolation::step;
  } else if (interpolation == "CUBICSPLINE") {
    channel.interpolation = Interpolation::cubic_spline;
  } else if (interpolation != "LINEAR") {
    context_.faults().warning(at["interpolation"].pointer(), "gltf-animation-interpolation",
                              format_text("'{}' is not known; LINEAR is taken.", interpolation));
  }
  for (const std::string_view key : {"input", "output"}) {
    if (!at[key]) {
      context_.faults().error(at[key].pointer(), "gltf-missing", "The accessor is missing.");
      return false;
    }
  }
  const auto times = context_.accessors->floats(at["input"], kScalar);
  const auto types = channel.path == ChannelPath::weights    ? kScalar
                     : channel.path == ChannelPath::rotation ? kVec4
                                                             : kVec3;
  const auto values = context_.accessors->floats(at["output"], types);
  if (!times || !values || !check_times(at["input"], *times)) return false;
  const std::size_t parts = channel.interpolation == Interpolation::cubic_spline ? 3 : 1;
  const std::uint64_t needed = std::uint64_t{times->size()} * parts * channel.width;
  if (values->values->size() != needed) {
    context_.faults().error(at["output"].pointer(), "gltf-animation-values",
                            format_text("{} keys need {} numbers, not {}.", times->size(), needed,
                                        values->values->size()));
    return false;
  }
  for (const float value : *values->values) {
    if (std::isfinite(value)) continue;
    context_.faults().error(at["output"].pointer(), "gltf-not-finite",
                            "A key has a number that is not finite.");
    return false;
  }
  channel.times = *times;
  channel.values = *values;
  return true;
}

Animation AnimationReader::read(const Cursor& at) {
  Animation animation;
  if (!reader_.object(at)) return animation;
  animation.name = name_of(context_, at);
  const Cursor channels = at["channels"];
  const Cursor samplers = at["samplers"];
  for (std::size_t i = 0; i < reader_.list(channels); ++i) {
    Channel channel;
    bool is_known = false;
    if (!reader_.object(channels[i])) continue;
    if (!read_target(channels[i]["target"], channel, is_known) || !is_known) continue;
    const auto sampler = reader_.index(channels[i]["sampler"], reader_.list(samplers), "samplers");
    if (sampler && read_sampler(samplers[*sampler], channel)) {
      animation.channels.push_back(std::move(channel));
    }
  }
  return animation;
}

}  // namespace

void read_animations(const ReadContext& context, Document& document) {
  const Cursor animations = context.root["animations"];
  AnimationReader reader(context, document);
  for (std::size_t i = 0; i < context.reader->list(animations); ++i) {
    document.animations.push_back(reader.read(animations[i]));
  }
}

}  // namespace sinew::exporter::gltf_import
