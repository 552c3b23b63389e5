// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "export/gltf/materials.hpp"

namespace sinew::exporter {

/// Whether what a Material reads is all in the innermost instance that it is in.
struct InstanceBorder {
  std::string inside;       ///< How paths begin that are; empty: it is in no instance.
  bool is_crossed = false;  ///< Other instances may have other values.
};

/// A UsdUVTexture that an input of a surface is connected to.
struct Materials::Texture {
  std::string identifier;  ///< Of the file, or where it is not found; empty: none.
  std::string not_found;   ///< Why there is no such file; empty: there is one.
  std::string authored;    ///< As the asset path says.
  std::string channel;     ///< The output: "r", "g", "b", "a" or "rgb".
  std::string wrap_s, wrap_t;
  std::string color_space;
  std::string uv_name;  ///< The primvar of its coordinates; empty: not said.
  Vector4f scale = Vector4f::Ones();
  Vector4f bias = Vector4f::Zero();
  std::optional<Vector4f> fallback;  ///< What it says to use where there is no picture.
  struct Transform {
    Vector2f scale = Vector2f::Ones();
    Vector2f translation = Vector2f::Zero();
    float rotation = 0.0F;  ///< Degrees.
    /// This one after another.
    /// @param is_exact  Set to false if the result is only close to that.
    Transform after(const Transform& inner, bool& is_exact) const;
    friend bool operator==(const Transform&, const Transform&) = default;
  };
  std::optional<Transform> transform;
  stage::Prim shader;  ///< To be named in diagnostics.

  /// Whether it is the same picture, laid onto the surface in the same way.
  bool is_read_as(const Texture& other) const {
    return identifier == other.identifier && uv_name == other.uv_name && wrap_s == other.wrap_s &&
           wrap_t == other.wrap_t && transform == other.transform;
  }

  /// What stands for the texture where it is not written.
  /// @param plain  Of an input that is not connected: for textures that say nothing.
  Vector3f color_without(const Vector3f& plain) const {
    return fallback ? Vector3f(fallback->head<3>()) : plain;
  }
  /// The same of its channel.
  float number_without(float plain) const { return fallback ? of_channel(*fallback) : plain; }
  /// The component of the channel; the first of those of several.
  float of_channel(const Vector4f& rgba) const {
    const std::size_t at = std::string_view("rgba").find(channel.substr(0, 1));
    return rgba[static_cast<Eigen::Index>(at == std::string_view::npos ? 0 : at)];
  }
};

/// What a UsdPreviewSurface says.
struct Materials::Surface {
  std::string key;   ///< See Materials::key().
  std::string path;  ///< Of the first Material that is so.
  InstanceBorder border;
  bool known = false;     ///< It is a UsdPreviewSurface.
  std::string shader_id;  ///< What it is otherwise.
  Vector3f diffuse = Vector3f::Constant(0.18F);
  Vector3f emissive = Vector3f::Zero();
  Vector3f specular = Vector3f::Zero();
  float metallic = 0.0F, roughness = 0.5F, opacity = 1.0F, opacity_threshold = 0.0F, ior = 1.5F;
  float clearcoat = 0.0F, clearcoat_roughness = 0.01F, occlusion = 1.0F;
  bool specular_workflow = false;
  bool displaces = false;
  std::map<std::string, Texture, std::less<>> textures;  ///< By input.
  std::vector<std::string> uv_names;
  bool has_mesh_color = false;  ///< Its diffuse colour is the displayColor of the mesh, if any.

  const Texture* texture(std::string_view input) const {
    const auto it = textures.find(input);
    return it == textures.end() || it->second.identifier.empty() ? nullptr : &it->second;
  }
};

}  // namespace sinew::exporter
