// SPDX-License-Identifier: Apache-2.0
#include "sinew/export/glb_builder.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <span>
#include <utility>

#include "core/format_text.hpp"
#include "export/gltf/document.hpp"

namespace sinew::exporter {

namespace {

Json number_list(std::span<const float> values) {
  Json list = Json::array();
  for (const float value : values) list.push_back(json_number(value));
  return list;
}

template <typename Vector>
Json vector_list(const Vector& vector) {
  Json list = Json::array();
  for (Eigen::Index i = 0; i < vector.size(); ++i) {
    list.push_back(json_number(static_cast<float>(vector[i])));
  }
  return list;
}

std::string_view path_name(GlbChannelPath path) {
  switch (path) {
    case GlbChannelPath::translation:
      return "translation";
    case GlbChannelPath::rotation:
      return "rotation";
    case GlbChannelPath::scale:
      return "scale";
    case GlbChannelPath::weights:
      break;
  }
  return "weights";
}

/// The file as one block.
class InMemory final : public GlbOutput {
 public:
  bool is_sequential() const override { return false; }
  Status begin(std::size_t total) override {
    file = Buffer(total);
    return {};
  }
  Status put(std::size_t offset, std::span<const std::byte> bytes) override {
    std::copy(bytes.begin(), bytes.end(), file.mutable_data() + offset);
    return {};
  }

  Buffer file;
};

}  // namespace

GlbBuilder::GlbBuilder() : impl_(std::make_unique<Impl>()) {}
GlbBuilder::~GlbBuilder() = default;
GlbBuilder::GlbBuilder(GlbBuilder&&) noexcept = default;
GlbBuilder& GlbBuilder::operator=(GlbBuilder&&) noexcept = default;

void add_source_path(Json& object, std::string_view path) {
  if (!path.empty()) object["extras"]["usd"]["path"] = path;
}

std::array<float, 4> gltf_quaternion(const Quatd& rotation) {
  const double length = rotation.norm();
  if (!(length > 0.0) || !std::isfinite(length)) return {0.0F, 0.0F, 0.0F, 1.0F};
  std::array<float, 4> result;
  for (std::size_t i = 0; i < 4; ++i) {
    const double component = rotation.coeffs()[static_cast<Eigen::Index>(i)] / length;
    result[i] = std::clamp(static_cast<float>(component), -1.0F, 1.0F);
  }
  return result;
}

bool put_transform(Json& node, const GlbTransform& transform) {
  if (!transform.translation.allFinite() || !transform.rotation.coeffs().allFinite() ||
      !transform.scale.allFinite()) {
    return false;
  }
  const Vector3f translation = transform.translation.cast<float>();
  const Vector3f scale = transform.scale.cast<float>();
  if (!translation.allFinite() || !scale.allFinite()) return false;
  if (!translation.isZero(0.0F)) node["translation"] = vector_list(translation);
  const std::array<float, 4> rotation = gltf_quaternion(transform.rotation);
  if (rotation[0] != 0.0F || rotation[1] != 0.0F || rotation[2] != 0.0F || rotation[3] < 0.0F) {
    node["rotation"] = number_list(rotation);
  }
  if (scale != Vector3f::Ones()) node["scale"] = vector_list(scale);
  return true;
}

Json& GlbBuilder::Impl::node_extension(std::int32_t index, std::string_view name) {
  if (extensions_used.find(name) == extensions_used.end()) extensions_used.emplace(name);
  return node(index)["extensions"][std::string(name)];
}

void GlbBuilder::name_scene(std::string_view name) {
  impl_->scene_name = name;
}

std::int32_t GlbBuilder::add_skin(const GlbSkin& skin) {
  Impl& d = *impl_;
  const std::size_t count = skin.joints.size();
  if (count == 0 || skin.inverse_bind_matrices.size() != count) {
    d.fail(ErrorCode::size_mismatch,
           format_text("The skin '{}' has {} joints and {} inverse bind matrices.", skin.name,
                       count, skin.inverse_bind_matrices.size()));
    return kNoGlbIndex;
  }
  Buffer bytes(count * 16 * sizeof(float));
  auto* out = reinterpret_cast<float*>(bytes.mutable_data());
  for (const Matrix4d& matrix : skin.inverse_bind_matrices) {
    for (Eigen::Index i = 0; i < 16; ++i) {
      const bool is_last_row = i % 4 == 3;
      *out++ = is_last_row ? (i == 15 ? 1.0F : 0.0F) : static_cast<float>(matrix.data()[i]) + 0.0F;
    }
  }
  if (!all_finite({reinterpret_cast<const float*>(bytes.data()), count * 16})) {
    d.fail(ErrorCode::invalid_argument,
           format_text("An inverse bind matrix of the skin '{}' is not finite.", skin.name));
    return kNoGlbIndex;
  }
  Json json = Json::object();
  if (!skin.name.empty()) json["name"] = skin.name;
  json["inverseBindMatrices"] =
      d.container.add({.use = GlbUse::other, .width = 16, .count = count}, std::move(bytes));
  if (skin.skeleton != kNoGlbIndex) json["skeleton"] = skin.skeleton;
  json["joints"] = Json::list(skin.joints);
  add_source_path(json, skin.source_path);
  d.skins.push_back(std::move(json));
  d.summary.joints += count;
  return static_cast<std::int32_t>(d.skins.size() - 1);
}

std::int32_t GlbBuilder::add_node(const GlbNode& node) {
  Impl& d = *impl_;
  Json json = Json::object();
  if (!node.name.empty()) json["name"] = node.name;
  if (!put_transform(json, node.transform)) {
    d.fail(ErrorCode::invalid_argument,
           format_text("The transform of the node '{}' is not finite.", node.name));
  }
  if (node.mesh != kNoGlbIndex) json["mesh"] = node.mesh;
  if (node.skin != kNoGlbIndex) json["skin"] = node.skin;
  if (node.camera != kNoGlbIndex) json["camera"] = node.camera;
  if (!node.target_weights.empty()) json["weights"] = number_list(node.target_weights);
  add_source_path(json, node.source_path);
  d.nodes.push_back(std::move(json));
  d.parents.push_back(node.parent);
  d.in_scene.push_back(node.in_scene);
  return static_cast<std::int32_t>(d.nodes.size() - 1);
}

std::int32_t GlbBuilder::add_clip(const GlbClip& clip) {
  Impl& d = *impl_;
  Json samplers = Json::array(), channels = Json::array();
  std::map<std::array<std::int32_t, 3>, std::size_t> known;  // By what samplers are made of.
  std::size_t keys = 0;
  for (const GlbChannel& channel : clip.channels) {
    const std::size_t count = channel.times.size();
    if (count == 0) continue;
    const auto bad = [&](const char* what) {
      d.fail(ErrorCode::invalid_argument, format_text("A channel of the clip '{}' for node {} {}.",
                                                      clip.name, channel.node, what));
      return kNoGlbIndex;
    };
    std::size_t width = channel.path == GlbChannelPath::rotation ? 4 : 3;
    if (channel.path == GlbChannelPath::weights) width = channel.values.size() / count;
    if (width == 0 || channel.values.size() != width * count) {
      return bad("has another number of values than its times ask for");
    }
    if (!all_finite(channel.values) || !all_finite(channel.times)) return bad("is not finite");
    for (std::size_t i = 0; i < count; ++i) {
      const bool ascends =
          i == 0 ? channel.times[0] >= 0.0F : channel.times[i] > channel.times[i - 1];
      if (!ascends) return bad("has times that do not ascend from 0");
    }
    const bool is_scalar = channel.path == GlbChannelPath::weights;
    const std::int32_t input =
        d.container.add_copy<float>({.width = 1, .count = count, .bounds = true}, channel.times);
    const std::int32_t output = d.container.add_copy<float>(
        {.width = is_scalar ? 1 : width, .count = is_scalar ? channel.values.size() : count},
        channel.values);
    const std::array<std::int32_t, 3> parts = {input, output, channel.step ? 1 : 0};
    const auto [same, is_new] = known.try_emplace(parts, known.size());
    if (is_new) {
      Json sampler = Json::object();
      sampler["input"] = input;
      sampler["interpolation"] = channel.step ? "STEP" : "LINEAR";
      sampler["output"] = output;
      samplers.push_back(std::move(sampler));
    }
    Json json = Json::object();
    json["sampler"] = same->second;
    json["target"]["node"] = channel.node;
    json["target"]["path"] = path_name(channel.path);
    channels.push_back(std::move(json));
    keys += count;
  }
  if (channels.empty()) return kNoGlbIndex;
  Json json = Json::object();
  if (!clip.name.empty()) json["name"] = clip.name;
  d.summary.channels += channels.size();
  d.summary.keys += keys;
  json["channels"] = std::move(channels);
  json["samplers"] = std::move(samplers);
  d.animations.push_back(std::move(json));
  return static_cast<std::int32_t>(d.animations.size() - 1);
}

Result<GltfSummary> write_document(GlbBuilder::Impl& d, GlbOutput& output) {
  if (d.fault) return *std::move(d.fault);
  if (Status good = check_document(d); !good) return std::move(good).error();
  d.summary.nodes = d.nodes.size();
  d.summary.meshes = d.meshes.size();
  d.summary.skins = d.skins.size();
  d.summary.clips = d.animations.size();
  d.summary.materials = d.materials.size();
  d.summary.images = d.images.size();
  d.summary.cameras = d.cameras.size();
  Json json = assemble_document(d);
  if (Status written = d.container.write(json, d.summary, output); !written) {
    return std::move(written).error();
  }
  return d.summary;
}

Result<GltfFile> GlbBuilder::finish() {
  const std::unique_ptr<Impl> document = std::exchange(impl_, std::make_unique<Impl>());
  InMemory memory;
  Result<GltfSummary> summary = write_document(*document, memory);
  if (!summary) return std::move(summary).error();
  return GltfFile{std::move(memory.file), *summary};
}

}  // namespace sinew::exporter
