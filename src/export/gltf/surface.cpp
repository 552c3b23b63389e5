// SPDX-License-Identifier: Apache-2.0
// Reads the shader network of a Material.

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/angles.hpp"
#include "core/format_text.hpp"
#include "export/gltf/surface.hpp"

namespace sinew::exporter {

namespace {

using stage::Attribute;
using stage::Prim;

constexpr int kLongestChain = 32;

/// Where a value comes from: an attribute with a value, or an output of a shader.
struct Source {
  Attribute value;
  Prim shader;
  std::string output;
};

bool is_shader(const Prim& prim) {
  return prim.is_a(stage::SchemaType::shader);
}

/// Follows connections, through inputs and outputs of node graphs too.
Source follow(Attribute attribute, InstanceBorder& border) {
  for (int i = 0; i < kLongestChain && attribute; ++i) {
    if (!attribute.has_connections()) return {attribute, Prim(), {}};
    const std::vector<layer::Path> targets = attribute.connections();
    if (targets.empty()) return {attribute, Prim(), {}};
    const Prim prim = attribute.prim().stage().prim(targets.front().prim_path());
    if (!prim) return {};
    if (!prim.path().view().starts_with(border.inside)) border.is_crossed = true;
    const std::string target(targets.front().name());
    // The output of a shader need not be authored.
    if (is_shader(prim) && target.starts_with("outputs:"))
      return {Attribute(), prim, target.substr(8)};
    attribute = prim.attribute(target);
  }
  return {};
}

std::string shader_id(const Prim& shader, stage::Time time) {
  const Attribute id = shader.attribute("info:id");
  return id ? id.get_text(time).value_or(std::string()) : std::string();
}

std::optional<double> number(const Attribute& attribute, stage::Time time) {
  if (!attribute) return std::nullopt;
  std::optional<double> result;
  if (const auto f = attribute.get<float>(time)) {
    result = static_cast<double>(*f);
  } else if (const auto d = attribute.get<double>(time)) {
    result = *d;
  } else if (const auto h = attribute.get<Half>(time)) {
    result = static_cast<double>(static_cast<float>(*h));
  } else if (const auto i = attribute.get<std::int32_t>(time)) {
    result = static_cast<double>(*i);
  }
  if (result && !std::isfinite(static_cast<float>(*result))) result.reset();
  return result;
}

template <typename Float, typename Half, typename Double>
std::optional<Float> vector(const Attribute& attribute, stage::Time time) {
  if (!attribute) return std::nullopt;
  std::optional<Float> result;
  if (const auto f = attribute.get<Float>(time)) {
    result = *f;
  } else if (const auto h = attribute.get<Half>(time)) {
    result = h->template cast<float>();
  } else if (const auto d = attribute.get<Double>(time)) {
    result = d->template cast<float>();
  }
  if (result && !result->allFinite()) result.reset();
  return result;
}

void read_number(const Attribute& attribute, stage::Time time, float& value) {
  if (const auto read = number(attribute, time)) value = static_cast<float>(*read);
}
void read_color(const Attribute& attribute, stage::Time time, Vector3f& value) {
  if (const auto read = vector<Vector3f, Vector3h, Vector3d>(attribute, time)) value = *read;
}
void read_vector(const Attribute& attribute, stage::Time time, Vector4f& value) {
  if (const auto read = vector<Vector4f, Vector4h, Vector4d>(attribute, time)) value = *read;
}

std::string text(const Attribute& attribute, stage::Time time, std::string_view fallback) {
  return attribute ? attribute.get_text(time).value_or(std::string(fallback))
                   : std::string(fallback);
}

}  // namespace

// R S R' S' is a rotation and a scale if it does not shear, as uneven scales after a turn do.
Materials::Texture::Transform Materials::Texture::Transform::after(const Transform& inner,
                                                                   bool& is_exact) const {
  const auto as_float = [&is_exact](double value) {
    constexpr double kMost = std::numeric_limits<float>::max();
    if (std::abs(value) > kMost) is_exact = false;
    return static_cast<float>(std::clamp(value, -kMost, kMost));
  };
  const double turn = static_cast<double>(rotation) * kRadiansPerDegree;
  const double inner_turn = static_cast<double>(inner.rotation) * kRadiansPerDegree;
  const Vector2d direction(std::cos(inner_turn), std::sin(inner_turn));
  const Vector2d outer_scale = scale.cast<double>(), inner_scale = inner.scale.cast<double>();
  // Where S R' takes the axes, and the turn that takes the first there.
  const Vector2d x = outer_scale.cwiseProduct(direction);
  const Vector2d y(-outer_scale.x() * direction.y(), outer_scale.y() * direction.x());
  Vector2d along = x.isZero(0.0) ? direction : Vector2d(x / x.norm());
  if (along.dot(direction) < 0.0) along = -along;
  if (std::abs(along.dot(y)) > 1e-6 * y.norm()) is_exact = false;

  const Vector2d moved = outer_scale.cwiseProduct(inner.translation.cast<double>());
  Transform result;
  result.rotation = as_float((turn + std::atan2(along.y(), along.x())) * kDegreesPerRadian);
  result.scale = {as_float(along.dot(x) * inner_scale.x()),
                  as_float((along.x() * y.y() - along.y() * y.x()) * inner_scale.y())};
  result.translation = {as_float(static_cast<double>(translation.x()) + std::cos(turn) * moved.x() -
                                 std::sin(turn) * moved.y()),
                        as_float(static_cast<double>(translation.y()) + std::sin(turn) * moved.x() +
                                 std::cos(turn) * moved.y())};
  return result;
}

void Materials::read_texture(const Prim& material, const Prim& shader, std::string_view output,
                             Texture& texture, InstanceBorder& border) {
  const stage::Time time = w_.shown;
  const auto input = [&](const Prim& prim, const char* name) {
    Source source = follow(prim.attribute(name), border);
    w_.tell_if_animated(source.value);
    return source;
  };
  if (shader_id(shader, time) != "UsdUVTexture") {
    w_.warn("gltf-unknown-shader", material,
            format_text("{} reads the shader \"{}\", which glTF has no place for; the value of the "
                        "input is used.",
                        material.path().view(), shader_id(shader, time)));
    return;
  }
  texture.channel = output;
  texture.shader = shader;
  const Source file = input(shader, "inputs:file");
  if (!file.value) return;
  texture.authored = text(file.value, time, {});
  texture.identifier = file.value.resolved_asset(time);
  if (const Result<std::string> found = file.value.find_asset(resolver_, time)) {
    texture.identifier = *found;
  } else {
    texture.not_found = found.error().message;
  }
  texture.wrap_s = text(input(shader, "inputs:wrapS").value, time, "useMetadata");
  texture.wrap_t = text(input(shader, "inputs:wrapT").value, time, "useMetadata");
  texture.color_space = text(input(shader, "inputs:sourceColorSpace").value, time, "auto");
  read_vector(input(shader, "inputs:scale").value, time, texture.scale);
  read_vector(input(shader, "inputs:bias").value, time, texture.bias);
  texture.fallback =
      vector<Vector4f, Vector4h, Vector4d>(input(shader, "inputs:fallback").value, time);

  Source coordinates = input(shader, "inputs:st");
  for (int i = 0; i < kLongestChain && coordinates.shader; ++i) {
    const Prim prim = coordinates.shader;
    const std::string id = shader_id(prim, time);
    if (id.starts_with("UsdPrimvarReader_float2")) {
      texture.uv_name = text(input(prim, "inputs:varname").value, time, {});
      break;
    }
    if (id != "UsdTransform2d") {
      w_.warn("gltf-unknown-shader", shader,
              format_text("The coordinates of {} come from the shader \"{}\", which glTF has no "
                          "place for; those of the mesh are used.",
                          shader.path().view(), id));
      break;
    }
    Texture::Transform inner;
    if (const auto s =
            vector<Vector2f, Vector2h, Vector2d>(input(prim, "inputs:scale").value, time)) {
      inner.scale = *s;
    }
    if (const auto t =
            vector<Vector2f, Vector2h, Vector2d>(input(prim, "inputs:translation").value, time)) {
      inner.translation = *t;
    }
    read_number(input(prim, "inputs:rotation").value, time, inner.rotation);
    bool is_exact = true;
    texture.transform = texture.transform ? texture.transform->after(inner, is_exact) : inner;
    if (!is_exact) {
      w_.warn("gltf-texture-transform", shader,
              format_text("The transforms of the coordinates of {} shear, or are out of range; the "
                          "closest that glTF has is written.",
                          shader.path().view()));
    }
    coordinates = input(prim, "inputs:in");
  }
}

std::unique_ptr<Materials::Surface> Materials::read(const Prim& material) {
  auto surface = std::make_unique<Surface>();
  const stage::Time time = w_.shown;
  if (material.is_instance_proxy()) {
    Prim instance = material;
    while (instance.instance_context() == material.instance_context()) instance = instance.parent();
    surface->border.inside = instance.path().str() + "/";
  }
  Source terminal;
  for (const char* name : {"outputs:glslfx:surface", "outputs:surface"}) {
    const Attribute output = material.attribute(name);
    if (output) terminal = follow(output, surface->border);
    if (terminal.shader) break;
  }
  if (!terminal.shader) return surface;
  const Prim shader = terminal.shader;
  surface->shader_id = shader_id(shader, time);
  surface->known = surface->shader_id == "UsdPreviewSurface";
  if (!surface->known) return surface;
  const auto reads_display_color = [&](const Prim& reader) {
    const Source varname = follow(reader.attribute("inputs:varname"), surface->border);
    return shader_id(reader, time).starts_with("UsdPrimvarReader_float3") &&
           text(varname.value, time, {}) == "displayColor";
  };
  const auto input = [&](const std::string& name, auto&& read, auto& value) {
    const Source source = follow(shader.attribute("inputs:" + name), surface->border);
    if (source.value) read(source.value, time, value);
    w_.tell_if_animated(source.value);
    if (!source.shader) return;
    if (name == "diffuseColor" && reads_display_color(source.shader)) {
      surface->has_mesh_color = true;
      const Source fallback = follow(source.shader.attribute("inputs:fallback"), surface->border);
      if (fallback.value) read(fallback.value, time, value);
      return;
    }
    Texture texture;
    read_texture(material, source.shader, source.output, texture, surface->border);
    if (texture.identifier.empty()) return;
    const auto& names = surface->uv_names;
    if (!texture.uv_name.empty() &&
        std::find(names.begin(), names.end(), texture.uv_name) == names.end()) {
      surface->uv_names.push_back(texture.uv_name);
    }
    surface->textures.emplace(name, std::move(texture));
  };
  input("diffuseColor", read_color, surface->diffuse);
  input("emissiveColor", read_color, surface->emissive);
  input("specularColor", read_color, surface->specular);
  input("metallic", read_number, surface->metallic);
  input("roughness", read_number, surface->roughness);
  input("opacity", read_number, surface->opacity);
  input("opacityThreshold", read_number, surface->opacity_threshold);
  input("ior", read_number, surface->ior);
  input("clearcoat", read_number, surface->clearcoat);
  input("clearcoatRoughness", read_number, surface->clearcoat_roughness);
  input("occlusion", read_number, surface->occlusion);
  float workflow = 0.0F;
  input("useSpecularWorkflow", read_number, workflow);
  surface->specular_workflow = workflow != 0.0F;
  Vector3f normal = Vector3f::UnitZ();
  input("normal", read_color, normal);
  const Source displacement = follow(shader.attribute("inputs:displacement"), surface->border);
  surface->displaces = displacement.shader || number(displacement.value, time).value_or(0.0) != 0.0;
  return surface;
}

}  // namespace sinew::exporter
