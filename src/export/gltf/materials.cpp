// SPDX-License-Identifier: Apache-2.0
#include "export/gltf/materials.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/angles.hpp"
#include "core/files.hpp"
#include "core/format_text.hpp"
#include "core/hex.hpp"
#include "export/gltf/origin.hpp"
#include "export/gltf/surface.hpp"
#include "sinew/usdz/package_path.hpp"

namespace sinew::exporter {

namespace {

using stage::Prim;

constexpr int kRepeat = 10497, kClamp = 33071, kMirror = 33648;

float unit(float value) {
  return std::clamp(value, 0.0F, 1.0F);
}

Json color_list(const Vector3f& color) {
  Json list = Json::array();
  for (int i = 0; i < 3; ++i) list.push_back(json_number(color[i]));
  return list;
}

enum class ImageFormat : std::uint8_t { png, jpeg, webp, other };

ImageFormat format_of(std::span<const std::byte> bytes) {
  const auto begins = [bytes](std::initializer_list<int> magic, std::size_t at) {
    if (bytes.size() < at + magic.size()) return false;
    return std::equal(magic.begin(), magic.end(), bytes.begin() + static_cast<std::ptrdiff_t>(at),
                      [](int a, std::byte b) { return a == static_cast<int>(b); });
  };
  if (begins({0x89, 'P', 'N', 'G', 0x0D, 0x0A, 0x1A, 0x0A}, 0)) return ImageFormat::png;
  if (begins({0xFF, 0xD8, 0xFF}, 0)) return ImageFormat::jpeg;
  if (begins({'R', 'I', 'F', 'F'}, 0) && begins({'W', 'E', 'B', 'P'}, 8)) return ImageFormat::webp;
  return ImageFormat::other;
}

std::string_view mime_type(ImageFormat format) {
  if (format == ImageFormat::jpeg) return "image/jpeg";
  return format == ImageFormat::webp ? "image/webp" : "image/png";
}

/// An address as URIs spell it.
std::string percent_encoded(std::string_view path) {
  std::string result;
  for (const char c : path) {
    const auto u = static_cast<unsigned char>(c);
    const bool is_plain = (u >= 'a' && u <= 'z') || (u >= 'A' && u <= 'Z') ||
                          (u >= '0' && u <= '9') || u == '/' || u == '.' || u == '-' || u == '_' ||
                          u == '~';
    if (is_plain) {
      result += c;
    } else {
      result += '%';
      append_hex(u, kUpperHex, result);
    }
  }
  return result;
}

}  // namespace

Materials::Materials(Writer& writer)
    : w_(writer),
      bindings_(writer.stage, "preview"),
      resolver_(
          writer.options.resolver == nullptr ? files_ : *writer.options.resolver,
          writer.diagnostics,
          {.rules = writer.stage.rules(), .closed_packages = writer.options.closed_packages}) {}

Materials::~Materials() = default;

Prim Materials::bound(const Prim& prim) {
  return bindings_.resolve(prim).material;
}

const Materials::Surface& Materials::surface(const Prim& material) {
  std::string key = material ? format_text("{}", material.node()) : std::string();
  const auto shared = surfaces_.find(key);
  if (shared != surfaces_.end() && shared->second->border.is_crossed) key = material.path().str();
  std::unique_ptr<Surface>& known = surfaces_[key];
  if (known != nullptr) return *known;
  known = material ? read(material) : std::make_unique<Surface>();
  if (!material) return *known;
  known->path = material.path().str();
  known->key = known->border.is_crossed ? known->path : key;
  if (!known->known) {
    w_.warn("gltf-unknown-material", material,
            known->shader_id.empty()
                ? format_text("{} has no UsdPreviewSurface; it is written as a plain colour.",
                              material.path().view())
                : format_text("{} is made by the shader \"{}\", not by UsdPreviewSurface; it is "
                              "written as a plain colour.",
                              material.path().view(), known->shader_id));
  }
  if (known->displaces) {
    w_.inform("gltf-displacement", material,
              format_text("The displacement of {} is left out.", material.path().view()));
  }
  return *known;
}

const std::string& Materials::key(const Prim& material) {
  return surface(material).key;
}

const std::vector<std::string>& Materials::uv_names(const Prim& material) {
  return surface(material).uv_names;
}

bool Materials::gives_color(const Prim& material) {
  return material && surface(material).known && !surface(material).has_mesh_color;
}

std::int32_t Materials::image(const Texture& texture) {
  const auto [known, is_new] = images_.try_emplace(texture.identifier, kNoGlbIndex);
  if (!is_new) return known->second;
  w_.progress("textures", images_.size() - 1, images_.size());
  const auto lose = [&](const char* code, const std::string& why) {
    w_.warn(code, texture.shader,
            format_text("The texture '{}' is left out: {}", texture.authored, why));
    return kNoGlbIndex;
  };
  if (texture.identifier.find("<UDIM>") != std::string::npos) {
    return lose("gltf-texture-format", "it is a set of tiles (UDIM).");
  }
  if (!texture.not_found.empty()) return lose("gltf-texture-missing", texture.not_found);
  Result<Bytes> bytes = resolver_.read(texture.identifier, w_.options.limits.image_bytes);
  if (!bytes) return lose("gltf-texture-missing", bytes.error().message);
  const std::span<const std::byte> content(bytes->data(), bytes->size());
  const ImageFormat format = format_of(content);
  if (format == ImageFormat::other) {
    return lose("gltf-texture-format", "it is no PNG, JPEG or WebP file.");
  }
  Json image = Json::object();
  const auto [outer, inner] = usdz::split_inner(texture.authored);
  const std::string& file = inner.empty() ? outer : inner;
  image["name"] = file.substr(file.find_last_of("/\\") + 1);
  const bool is_wanted_beside = w_.options.textures == GlbTextures::reference;
  const bool is_packed = usdz::is_package_path(texture.identifier);
  if (is_wanted_beside && is_packed) {
    w_.inform("gltf-texture-embedded", texture.shader,
              format_text("The texture '{}' is in a package, which no address leads into; it is "
                          "embedded.",
                          texture.authored));
  }
  if (is_wanted_beside && !is_packed) {
    image["uri"] = percent_encoded(name_from(folder_of(w_.options.output), texture.identifier));
  } else {
    image["bufferView"] = w_.document.container.add_view(GlbUse::images, Buffer::copy_of(content));
    image["mimeType"] = mime_type(format);
  }
  known->second = static_cast<std::int32_t>(w_.document.images.size());
  is_webp_[texture.identifier] = format == ImageFormat::webp;
  w_.document.images.push_back(std::move(image));
  return known->second;
}

std::int32_t Materials::texture_index(const Texture& texture) {
  const std::int32_t source = image(texture);
  if (source == kNoGlbIndex) return kNoGlbIndex;
  const auto wrap = [&](const std::string& mode) {
    if (mode == "clamp" || mode == "black") return kClamp;
    return mode == "mirror" ? kMirror : kRepeat;
  };
  if (texture.wrap_s == "black" || texture.wrap_t == "black") {
    w_.inform("gltf-texture-wrap", texture.shader,
              format_text("The texture '{}' is black outside; its edge is repeated instead.",
                          texture.authored));
  }
  Json sampler = Json::object();
  sampler["magFilter"] = 9729;
  sampler["minFilter"] = 9987;
  sampler["wrapS"] = wrap(texture.wrap_s);
  sampler["wrapT"] = wrap(texture.wrap_t);
  Json json = Json::object();
  json["sampler"] = samplers_.place(w_.document.samplers, std::move(sampler));
  if (is_webp_[texture.identifier]) {
    // There is no image besides for who cannot read it.
    w_.document.extensions_used.emplace("EXT_texture_webp");
    w_.document.extensions_required.emplace("EXT_texture_webp");
    json["extensions"]["EXT_texture_webp"]["source"] = source;
  } else {
    json["source"] = source;
  }
  return textures_.place(w_.document.textures, std::move(json));
}

std::optional<Json> Materials::texture_info(const Texture& texture, const Use& use) {
  if (w_.options.textures == GlbTextures::none) return std::nullopt;
  if (use.uv_names.empty()) {
    w_.warn("gltf-texture-coordinates-missing", use.user,
            format_text("{} has no texture coordinates; its material is written without textures.",
                        use.user.path().view()));
    return std::nullopt;
  }
  const std::int32_t index = texture_index(texture);
  if (index == kNoGlbIndex) return std::nullopt;
  Json info = Json::object();
  info["index"] = index;
  if (!texture.uv_name.empty()) {
    const auto found = std::find(use.uv_names.begin(), use.uv_names.end(), texture.uv_name);
    if (found == use.uv_names.end()) {
      w_.warn("gltf-texture-coordinates-missing", use.user,
              format_text("{} has no primvar \"{}\", which its material reads; \"{}\" is used.",
                          use.user.path().view(), texture.uv_name, use.uv_names.front()));
    } else if (found != use.uv_names.begin()) {
      info["texCoord"] = found - use.uv_names.begin();
    }
  }
  if (texture.transform) {
    // With D = diag(1, -1) and e = (0, 1), a coordinate X = D U + e of glTF becomes
    // Y = D t + e + D R S D (X - e). D R(r) D turns by -r, which is what glTF calls a rotation of
    // r: its V axis points down.
    const Texture::Transform& t = *texture.transform;
    const double r = static_cast<double>(t.rotation) * kRadiansPerDegree;
    const auto sy = static_cast<double>(t.scale.y());
    const double offset[2] = {static_cast<double>(t.translation.x()) - sy * std::sin(r),
                              1.0 - static_cast<double>(t.translation.y()) - sy * std::cos(r)};
    const auto number = [](double value) {
      constexpr double kMost = std::numeric_limits<float>::max();
      return json_number(static_cast<float>(std::clamp(value, -kMost, kMost)));
    };
    Json transform = Json::object();
    transform["offset"] = Json::list({number(offset[0]), number(offset[1])});
    if (r != 0.0) transform["rotation"] = number(r);
    transform["scale"] = Json::list({json_number(t.scale.x()), json_number(t.scale.y())});
    info["extensions"]["KHR_texture_transform"] = std::move(transform);
    w_.document.extensions_used.emplace("KHR_texture_transform");
  }
  return info;
}

// What textures say that no place is for in the file.
void Materials::tell_losses(const Use& use, const Surface& surface) {
  if (w_.options.textures == GlbTextures::none) return;
  const auto tell = [&](std::initializer_list<const char*> inputs, const auto& is_lost,
                        const char* code, const char* what) {
    std::string names;
    for (const char* input : inputs) {
      const Texture* const texture = surface.texture(input);
      if (texture == nullptr || !is_lost(*texture)) continue;
      append_item(names, input);
    }
    if (names.empty()) return;
    w_.warn(code, use.material,
            format_text("Textures of {} for {} {}.", use.material.path().view(), names, what));
  };
  tell(
      {"clearcoat", "clearcoatRoughness", "specularColor", "opacityThreshold", "ior"},
      [&](const Texture& texture) {
        if (&texture == surface.texture("clearcoat")) return texture.channel != "r";
        return &texture != surface.texture("clearcoatRoughness") || texture.channel != "g";
      },
      "gltf-texture-left-out", "are left out; plain values are written");
  tell(
      {"emissiveColor", "metallic", "roughness", "clearcoat", "clearcoatRoughness"},
      [](const Texture& texture) { return !texture.bias.isZero(0.0F); }, "gltf-texture-scale",
      "are moved by a bias, which is left out");
  tell(
      {"diffuseColor", "emissiveColor", "normal"},
      [](const Texture& texture) { return texture.channel.size() == 1; }, "gltf-texture-packing",
      "are read by one channel; glTF reads red, green and blue");
  tell(
      {"diffuseColor", "emissiveColor"},
      [](const Texture& texture) { return texture.color_space == "raw"; },
      "gltf-texture-color-space", "are raw; glTF reads them as sRGB");
  tell(
      {"metallic", "roughness", "normal", "occlusion", "clearcoat", "clearcoatRoughness"},
      [](const Texture& texture) { return texture.color_space == "sRGB"; },
      "gltf-texture-color-space", "are sRGB; glTF reads them as raw");
}

void Materials::write_base_color(const Use& use, const Surface& surface, Json& json) {
  Json& pbr = json["pbrMetallicRoughness"];
  Vector3f rgb = surface.has_mesh_color && use.color ? use.color->head<3>() : surface.diffuse;
  float alpha = unit(surface.opacity);
  const Texture* const color = surface.texture("diffuseColor");
  const Texture* const opacity = surface.texture("opacity");
  bool has_alpha = alpha < 1.0F, is_opaque = false;
  if (color != nullptr) {
    if (auto info = texture_info(*color, use)) {
      rgb = color->scale.head<3>();
      if (!color->bias.isZero(0.0F) || !(rgb.array() >= 0.0F).all() ||
          !(rgb.array() <= 1.0F).all()) {
        w_.warn("gltf-texture-scale", use.material,
                format_text("The scale or bias of the diffuseColor texture of {} does not fit into "
                            "a factor.",
                            use.material.path().view()));
      }
      pbr["baseColorTexture"] = *std::move(info);
    } else {
      rgb = color->color_without(surface.diffuse);
    }
  }
  if (opacity != nullptr) {
    alpha = 1.0F;
    const bool is_shared = color != nullptr && opacity->is_read_as(*color) &&
                           opacity->channel == "a" && pbr.contains("baseColorTexture");
    if (is_shared) {
      has_alpha = true;
      alpha = unit(opacity->scale.w());
    } else {
      is_opaque = true;
      w_.warn("gltf-texture-packing", use.material,
              format_text("The opacity of {} is in '{}', not in the alpha of its colour; it is "
                          "written opaque.",
                          use.material.path().view(), opacity->authored));
    }
  }
  for (int i = 0; i < 3; ++i) rgb[i] = unit(rgb[i]);
  if (rgb != Vector3f::Ones() || alpha != 1.0F) {
    Json factor = color_list(rgb);
    factor.push_back(json_number(alpha));
    pbr["baseColorFactor"] = std::move(factor);
  }
  if (is_opaque) return;
  if (surface.opacity_threshold > 0.0F) {
    json["alphaMode"] = "MASK";
    json["alphaCutoff"] = json_number(surface.opacity_threshold);
  } else if (has_alpha) {
    json["alphaMode"] = "BLEND";
  }
}

void Materials::write_metallic_roughness(const Use& use, const Surface& surface, Json& json) {
  Json& pbr = json["pbrMetallicRoughness"];
  float metallic = surface.specular_workflow ? 0.0F : unit(surface.metallic);
  float roughness = unit(surface.roughness);
  const Texture* const metal = surface.specular_workflow ? nullptr : surface.texture("metallic");
  const Texture* const rough = surface.texture("roughness");
  if (metal != nullptr || rough != nullptr) {
    const bool good_metal = metal == nullptr ? metallic == 0.0F : metal->channel == "b";
    const bool good_rough = rough == nullptr || rough->channel == "g";
    const bool same = metal == nullptr || rough == nullptr || metal->is_read_as(*rough);
    std::optional<Json> info;
    if (good_metal && good_rough && same)
      info = texture_info(metal != nullptr ? *metal : *rough, use);
    if (info) {
      // Blue is the metal: where only roughness has a texture, the factor keeps it out.
      pbr["metallicRoughnessTexture"] = *std::move(info);
      if (metal != nullptr) metallic = unit(metal->scale.z());
      roughness = rough != nullptr ? unit(rough->scale.y()) : roughness;
      if (rough == nullptr) {
        w_.warn("gltf-texture-packing", use.material,
                format_text("The texture '{}' of {} gives metallic, and its green roughness too.",
                            metal->authored, use.material.path().view()));
      }
    } else {
      if (w_.options.textures != GlbTextures::none && !(good_metal && good_rough && same)) {
        w_.warn(
            "gltf-texture-packing", use.material,
            format_text("Metallic ('{}') and roughness ('{}') of {} are not the blue and green of "
                        "one file; plain values are written.",
                        metal == nullptr ? "" : metal->authored,
                        rough == nullptr ? "" : rough->authored, use.material.path().view()));
      }
      if (metal != nullptr) metallic = unit(metal->number_without(surface.metallic));
      if (rough != nullptr) roughness = unit(rough->number_without(surface.roughness));
    }
  }
  if (metallic != 1.0F) pbr["metallicFactor"] = json_number(metallic);
  if (roughness != 1.0F) pbr["roughnessFactor"] = json_number(roughness);
}

void Materials::write_extensions(const Use& use, const Surface& surface, Json& json) {
  const auto extension = [&](const char* name) -> Json& {
    w_.document.extensions_used.emplace(name);
    return json["extensions"][name];
  };
  Vector3f emissive = surface.emissive.cwiseMax(0.0F);
  if (const Texture* const texture = surface.texture("emissiveColor")) {
    if (auto info = texture_info(*texture, use)) {
      emissive = texture->scale.head<3>().cwiseMax(0.0F);
      json["emissiveTexture"] = *std::move(info);
    } else {
      emissive = texture->color_without(surface.emissive).cwiseMax(0.0F);
    }
  }
  if (!emissive.isZero(0.0F)) {
    const float strength = emissive.maxCoeff();
    if (strength > 1.0F) {
      emissive /= strength;
      extension("KHR_materials_emissive_strength")["emissiveStrength"] = json_number(strength);
    }
    json["emissiveFactor"] = color_list(emissive);
  }
  if (!surface.specular_workflow && std::abs(surface.ior - 1.5F) > 1e-6F &&
      (surface.ior >= 1.0F || surface.ior == 0.0F)) {
    extension("KHR_materials_ior")["ior"] = json_number(surface.ior);
  }
  // Where the texture is not written the coat is whole: a plain surface has none.
  const Texture* const coat_texture = surface.texture("clearcoat");
  std::optional<Json> info;
  float coat_factor = surface.clearcoat;
  if (coat_texture != nullptr) {
    coat_factor = coat_texture->of_channel(coat_texture->scale);
    if (coat_texture->channel == "r" && coat_factor > 0.0F) info = texture_info(*coat_texture, use);
    if (!info) coat_factor = coat_texture->number_without(coat_factor);
  }
  if (coat_factor > 0.0F) {
    Json& coat = extension("KHR_materials_clearcoat");
    coat["clearcoatFactor"] = json_number(unit(coat_factor));
    if (info) coat["clearcoatTexture"] = *std::move(info);
    float roughness = surface.clearcoat_roughness;
    if (const Texture* const texture = surface.texture("clearcoatRoughness")) {
      info.reset();
      if (texture->channel == "g") info = texture_info(*texture, use);
      roughness = info ? texture->scale.y() : texture->number_without(roughness);
      if (info) coat["clearcoatRoughnessTexture"] = *std::move(info);
    }
    coat["clearcoatRoughnessFactor"] = json_number(unit(roughness));
  }
  if (surface.specular_workflow) {
    constexpr float kPlain = 0.04F;  // What glass of 1.5 reflects, which the factor multiplies.
    extension("KHR_materials_specular")["specularColorFactor"] =
        color_list(surface.specular.cwiseMax(0.0F) / kPlain);
    w_.inform("gltf-specular-workflow", use.material,
              format_text("{} has specular colours, which are written as KHR_materials_specular: "
                          "close, but not the same.",
                          use.material.path().view()));
  }
}

Json Materials::write(const Use& use, const Surface& surface) {
  Json json = Json::object();
  const Origin origin = use.material ? read_origin(use.material) : Origin();
  if (use.material) {
    const std::string name = origin.name.value_or(std::string(use.material.name().view()));
    if (!name.empty()) json["name"] = name;
  }
  json["pbrMetallicRoughness"] = Json::object();
  if (!surface.known) {
    Json& pbr = json["pbrMetallicRoughness"];
    Vector4f color = use.color.value_or(Vector4f(0.18F, 0.18F, 0.18F, 1.0F));
    for (int i = 0; i < 4; ++i) color[i] = unit(color[i]);
    Json factor = color_list(color.head<3>());
    factor.push_back(json_number(color.w()));
    pbr["baseColorFactor"] = std::move(factor);
    pbr["metallicFactor"] = 0.0;
    pbr["roughnessFactor"] = 0.5;
    if (color.w() < 1.0F || use.is_translucent) json["alphaMode"] = "BLEND";
  } else {
    tell_losses(use, surface);
    write_base_color(use, surface, json);
    write_metallic_roughness(use, surface, json);
    if (const Texture* const normal = surface.texture("normal")) {
      if (auto info = texture_info(*normal, use)) {
        // x and y by 2 f and moved by -f: a normal scale of f.
        const float f = -normal->bias.x();
        const Vector3f wanted(2.0F * f, 2.0F * f, 2.0F);
        const bool is_usual =
            (normal->scale.head<3>() - wanted).isZero(1e-6F * std::max(1.0F, std::abs(f))) &&
            (normal->bias.head<3>() + wanted * 0.5F).isZero(1e-6F * std::max(1.0F, std::abs(f)));
        if (is_usual && f != 1.0F) (*info)["scale"] = json_number(f);
        if (!is_usual) {
          w_.warn("gltf-texture-scale", use.material,
                  format_text("The normal texture of {} is not scaled by 2 and moved by -1.",
                              use.material.path().view()));
        }
        json["normalTexture"] = *std::move(info);
      }
    }
    if (const Texture* const occlusion = surface.texture("occlusion")) {
      if (occlusion->channel == "r") {
        if (auto info = texture_info(*occlusion, use)) {
          // s * sample + 1 - s: a strength of s.
          const float strength = occlusion->scale.x();
          const bool is_strength = strength >= 0.0F && strength <= 1.0F &&
                                   std::abs(occlusion->bias.x() + strength - 1.0F) < 1e-6F;
          if (is_strength && strength != 1.0F) (*info)["strength"] = json_number(strength);
          if (!is_strength && (strength != 1.0F || occlusion->bias.x() != 0.0F)) {
            w_.warn("gltf-texture-scale", use.material,
                    format_text("The scale and bias of the occlusion texture of {} are no strength "
                                "of occlusion.",
                                use.material.path().view()));
          }
          json["occlusionTexture"] = *std::move(info);
        }
      } else {
        w_.warn("gltf-texture-packing", use.material,
                format_text("The occlusion of {} is not the red of '{}'; it is left out.",
                            use.material.path().view(), occlusion->authored));
      }
    } else if (surface.occlusion != 1.0F) {
      w_.inform("gltf-occlusion", use.material,
                format_text("The occlusion of {} is no texture; it is left out.",
                            use.material.path().view()));
    }
    write_extensions(use, surface, json);
  }
  if (origin.blend && !json.contains("alphaMode")) json["alphaMode"] = "BLEND";
  if (json["pbrMetallicRoughness"].empty()) json.erase("pbrMetallicRoughness");
  if (use.double_sided) json["doubleSided"] = true;
  if (w_.options.extras && use.material) {
    add_source_path(json, surface.path);
    add_extras(json, origin.extras);
  }
  return json;
}

std::int32_t Materials::index(const Use& use) {
  const Surface& from = surface(use.material);
  if (use.had_none && !use.material && !use.color && !use.double_sided) return kNoGlbIndex;
  return known_.place(w_.document.materials, write(use, from));
}

}  // namespace sinew::exporter
