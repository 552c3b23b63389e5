// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "core/files.hpp"
#include "core/format_text.hpp"
#include "export/gltf_import/scene_writer.hpp"
#include "export/gltf_origin.hpp"

namespace sinew::exporter::gltf_import {

namespace {

using layer::ElementType;
using layer::Value;

Value color_value(double r, double g, double b) {
  return value_of(Vector3d(r, g, b).cast<float>().eval());
}

Value float4_value(const std::array<double, 4>& numbers) {
  Vector4f value;
  for (int i = 0; i < 4; ++i) value[i] = static_cast<float>(numbers[static_cast<std::size_t>(i)]);
  return Value::scalar(ElementType::float4, value);
}

Value float2_value(const Vector2d& v) {
  return Value::scalar(ElementType::float2, Vector2f(v.cast<float>()));
}

constexpr std::array<double, 4> kOnes = {1, 1, 1, 1};
constexpr std::array<double, 4> kZeros = {0, 0, 0, 0};

// How a texture is read.
struct Reading {
  std::string_view color_space = "raw";
  std::array<double, 4> scale = kOnes;
  std::array<double, 4> bias = kZeros;
};

class MaterialWriter {
 public:
  explicit MaterialWriter(WriteContext& context)
      : context_(context), out_(*context.out), document_(*context.document) {}

  void run() {
    context_.materials.resize(document_.materials.size());
    if (!context_.options().materials || document_.materials.empty()) return;
    write_images();
    find_colors();
    OutPrim* const scope = out_.add(context_.scene, "Scope", "Materials", "Materials");
    for (std::size_t i = 0; i < document_.materials.size(); ++i) {
      if (context_.is_over()) return;
      context_.materials[i] = write(document_.materials[i], scope, i);
    }
  }

 private:
  void find_colors();
  void write_images();
  void write_image(const Image& image, std::size_t index);
  Bytes bytes_beside(const Image& image, std::size_t index);
  OutPrim* write(const Material& material, OutPrim* scope, std::size_t index);
  /// The prim that reads a texture for one of the inputs, or null if there is none to read.
  OutPrim* texture(const TextureUse& use, std::string_view name, const Reading& reading);
  /// The outputs of the coordinates that a texture is looked up at.
  OutPrim* coordinates(const TextureUse& use, std::string_view name);
  void connect(std::string_view type, std::string_view input, const OutPrim& from,
               std::string_view output) {
    out_.connect(shader_, type, format_text("inputs:{}", input), from,
                 format_text("outputs:{}", output));
  }
  void write_base_color(const Material& material, std::size_t index);
  void write_metal(const Material& material);
  void write_normal(const TextureUse& use);

  WriteContext& context_;
  LayerOutput& out_;
  const Document& document_;
  std::vector<bool> is_colored_, is_thinned_;  // By colours, by opacities of vertices: materials.
  std::vector<std::string> paths_;             // Of each image, or empty.
  std::map<std::string, std::size_t, std::less<>> taken_;  // Names of files.
  OutPrim* material_ = nullptr;                            // The one being written.
  OutPrim* shader_ = nullptr;
  std::map<std::uint32_t, OutPrim*> readers_;  // Of coordinate sets.
};

// A path of the input as the layer says it.
std::string path_from_layer(const ImportGlbOptions& options, const std::string& path) {
  const std::string from = folder_of(options.file);
  const std::string to = folder_of(options.identifier);
  const bool stays = from == to || path.find("://") != std::string::npos || is_absolute_name(path);
  return stays ? path : name_from(to, place_in(from, path));
}

Bytes MaterialWriter::bytes_beside(const Image& image, std::size_t index) {
  const ImportGlbOptions& options = context_.options();
  if (options.textures != ImportedTextures::collect || options.resolver == nullptr) return {};
  const Result<std::string> found = options.resolver->resolve(image.path, options.file);
  Result<Bytes> read = found ? options.resolver->read(*found, options.limits.file_bytes)
                             : Result<Bytes>(found.error());
  if (read) return *std::move(read);
  context_.faults().warning("/images/" + std::to_string(index), "gltf-image", read.error().message);
  return {};
}

void MaterialWriter::write_image(const Image& image, std::size_t index) {
  const ImportGlbOptions& options = context_.options();
  const bool is_beside = !image.path.empty();
  const Bytes bytes = is_beside ? bytes_beside(image, index) : image.bytes;
  if (bytes.empty()) {
    if (is_beside) paths_.back() = path_from_layer(options, image.path);
    return;
  }
  const std::string file = last_name_of(image.path);
  const std::size_t dot = std::min(file.rfind('.'), file.size());
  const std::string wanted = image.name.empty() ? file.substr(0, dot) : image.name;
  std::string path = distinct_name(taken_, identifier_of(wanted, "image_" + std::to_string(index)));
  path += is_beside ? file.substr(dot) : image.extension;
  if (!options.image_folder.empty()) path.insert(0, options.image_folder + "/");
  context_.images->push_back({path, bytes});
  ++context_.counts->images;
  paths_.back() = "./" + path;
}

void MaterialWriter::write_images() {
  bool is_told = false;
  for (std::size_t i = 0; i < document_.images.size(); ++i) {
    const Image& image = document_.images[i];
    paths_.emplace_back();
    if (image.path.empty() && context_.options().textures == ImportedTextures::none) {
      if (!image.bytes.empty() && !std::exchange(is_told, true)) {
        context_.faults().warning("/images/" + std::to_string(i), "gltf-image-left-out",
                                  "Images inside the file are left out, as was asked for.");
      }
      continue;
    }
    write_image(image, i);
  }
}

OutPrim* MaterialWriter::coordinates(const TextureUse& use, std::string_view name) {
  OutPrim*& reader = readers_[use.uv_set];
  if (reader == nullptr) {
    const std::string set = use.uv_set == 0 ? "st" : format_text("st{}", use.uv_set);
    reader = out_.add(material_, "Shader", "read_" + set, "read");
    out_.set_uniform(reader, "token", "info:id", out_.token("UsdPrimvarReader_float2"));
    out_.set(reader, "string", "inputs:varname", out_.string(set));
    out_.set(reader, "float2", "outputs:result", Value());
  }
  if (!use.transform) return reader;
  // Counter-clockwise as the extension means it, and all viewers draw it, is so in the image, where
  // v points down on its page; with v upwards the angle is the same. Its listing turns the other
  // way. Offsets change with where v begins.
  const TextureTransform& from = *use.transform;
  const double turn = from.rotation;
  const Vector2d offset(from.offset.x() + from.scale.y() * std::sin(turn),
                        1.0 - from.offset.y() - from.scale.y() * std::cos(turn));
  OutPrim* const transform =
      out_.add(material_, "Shader", format_text("{}_transform", name), "transform");
  out_.set_uniform(transform, "token", "info:id", out_.token("UsdTransform2d"));
  out_.connect(transform, "float2", "inputs:in", *reader, "outputs:result");
  out_.set(transform, "float", "inputs:rotation", float_value(turn * kDegreesPerRadian));
  out_.set(transform, "float2", "inputs:scale", float2_value(from.scale));
  out_.set(transform, "float2", "inputs:translation", float2_value(offset));
  out_.set(transform, "float2", "outputs:result", Value());
  return transform;
}

OutPrim* MaterialWriter::texture(const TextureUse& use, std::string_view name,
                                 const Reading& reading) {
  if (!use) return nullptr;
  const Texture& texture = document_.textures[static_cast<std::size_t>(use.texture)];
  if (texture.image == kNothing) return nullptr;
  const std::string& path = paths_[static_cast<std::size_t>(texture.image)];
  if (path.empty()) return nullptr;
  OutPrim* const from = coordinates(use, name);
  OutPrim* const prim = out_.add(material_, "Shader", name, "texture");
  out_.set_uniform(prim, "token", "info:id", out_.token("UsdUVTexture"));
  out_.set(prim, "asset", "inputs:file", out_.asset(path));
  out_.connect(prim, "float2", "inputs:st", *from, "outputs:result");
  out_.set(prim, "token", "inputs:sourceColorSpace", out_.token(reading.color_space));
  out_.set(prim, "token", "inputs:wrapS", out_.token(texture.wrap[0]));
  out_.set(prim, "token", "inputs:wrapT", out_.token(texture.wrap[1]));
  if (reading.scale != kOnes) out_.set(prim, "float4", "inputs:scale", float4_value(reading.scale));
  if (reading.bias != kZeros) out_.set(prim, "float4", "inputs:bias", float4_value(reading.bias));
  return prim;
}

void MaterialWriter::find_colors() {
  is_colored_.resize(document_.materials.size());
  is_thinned_.resize(document_.materials.size());
  std::map<const void*, bool> is_thin;  // Many primitives may have the same colours.
  for (const Mesh& mesh : document_.meshes) {
    for (const Primitive& primitive : mesh.primitives) {
      if (primitive.material == kNothing || primitive.attributes == kNothing) continue;
      const auto& colors =
          mesh.attributes[static_cast<std::size_t>(primitive.attributes)].attributes.colors;
      if (colors.empty() || !colors.front()) continue;
      const auto at = static_cast<std::size_t>(primitive.material);
      is_colored_[at] = true;
      const std::vector<float>& values = *colors.front().values;
      const auto [known, is_new] = is_thin.try_emplace(&values, false);
      for (std::size_t i = 3; is_new && colors.front().width == 4 && i < values.size(); i += 4) {
        known->second = known->second || values[i] != 1.0F;
      }
      if (known->second) is_thinned_[at] = true;
    }
  }
}

void MaterialWriter::write_base_color(const Material& material, std::size_t index) {
  const std::array<double, 4>& base = material.base_color;
  Reading reading;
  reading.color_space = "sRGB";
  reading.scale = base;
  // A mask that cuts nothing off is opaque, where an opacityThreshold of 0 would blend.
  const bool is_mask = material.alpha_mode == AlphaMode::mask && material.alpha_cutoff > 0.0;
  const bool is_opaque = material.alpha_mode != AlphaMode::blend && !is_mask;
  if (is_opaque) reading.scale[3] = 1.0;
  const bool is_white = base[0] == 1.0 && base[1] == 1.0 && base[2] == 1.0;
  bool loses_colors = is_thinned_[index] && !is_opaque;
  if (OutPrim* const map = texture(material.base_color_texture, "base_color", reading)) {
    out_.set(map, "float3", "outputs:rgb", Value());
    connect("color3f", "diffuseColor", *map, "rgb");
    if (!is_opaque) {
      out_.set(map, "float", "outputs:a", Value());
      connect("float", "opacity", *map, "a");
    }
    loses_colors = loses_colors || is_colored_[index];
  } else {
    if (is_colored_[index] && is_white) {
      OutPrim* const reader = out_.add(material_, "Shader", "read_color", "read");
      out_.set_uniform(reader, "token", "info:id", out_.token("UsdPrimvarReader_float3"));
      out_.set(reader, "string", "inputs:varname", out_.string("displayColor"));
      out_.set(reader, "float3", "inputs:fallback", color_value(1.0, 1.0, 1.0));
      out_.set(reader, "float3", "outputs:result", Value());
      connect("color3f", "diffuseColor", *reader, "result");
    } else {
      loses_colors = loses_colors || is_colored_[index];
      out_.set(shader_, "color3f", "inputs:diffuseColor", color_value(base[0], base[1], base[2]));
    }
    if (!is_opaque) out_.set(shader_, "float", "inputs:opacity", float_value(base[3]));
  }
  if (loses_colors) {
    context_.faults().warning(
        format_text("/materials/{}", index), "gltf-vertex-colors",
        "Colours or opacities of vertices multiply those of the material, which a preview surface "
        "cannot say; displayColor and displayOpacity keep them, and are not drawn.");
  }
  if (is_mask) {
    out_.set(shader_, "float", "inputs:opacityThreshold", float_value(material.alpha_cutoff));
  }
}

void MaterialWriter::write_metal(const Material& material) {
  Reading reading;
  reading.scale = {1.0, material.roughness, material.metallic, 1.0};
  OutPrim* const map = texture(material.metallic_roughness_texture, "metallic_roughness", reading);
  if (map == nullptr) {
    out_.set(shader_, "float", "inputs:metallic", float_value(material.metallic));
    out_.set(shader_, "float", "inputs:roughness", float_value(material.roughness));
    return;
  }
  out_.set(map, "float", "outputs:b", Value());
  out_.set(map, "float", "outputs:g", Value());
  connect("float", "metallic", *map, "b");
  connect("float", "roughness", *map, "g");
}

void MaterialWriter::write_normal(const TextureUse& use) {
  Reading reading;
  reading.scale = {2.0 * use.factor, 2.0 * use.factor, 2.0, 1.0};
  reading.bias = {-use.factor, -use.factor, -1.0, 0.0};
  OutPrim* const map = texture(use, "normal", reading);
  if (map == nullptr) return;
  out_.set(map, "float3", "outputs:rgb", Value());
  connect("normal3f", "normal", *map, "rgb");
}

OutPrim* MaterialWriter::write(const Material& material, OutPrim* scope, std::size_t index) {
  const std::string_view usd = material.usd_path;
  const std::string_view wanted =
      usd.empty() ? std::string_view(material.name) : usd.substr(usd.rfind('/') + 1);
  material_ = out_.add(scope, "Material", wanted, "material_" + std::to_string(index));
  if (material.name != material_->name) out_.note(material_, origin::kName, material.name);
  if (!material.extras.empty()) out_.note(material_, origin::kExtras, material.extras);
  if (material.alpha_mode == AlphaMode::blend) out_.note(material_, origin::kBlend, true);
  readers_.clear();
  ++context_.counts->materials;
  shader_ = out_.add(material_, "Shader", "surface", "surface");
  out_.set_uniform(shader_, "token", "info:id", out_.token("UsdPreviewSurface"));
  out_.set(shader_, "token", "outputs:surface", Value());
  out_.connect(material_, "token", "outputs:surface", *shader_, "outputs:surface");
  write_base_color(material, index);
  write_metal(material);
  write_normal(material.normal_texture);

  Reading occlusion;  // 1 + strength * (sample - 1)
  const double strength = material.occlusion_texture.factor;
  occlusion.scale = {strength, strength, strength, 1.0};
  occlusion.bias = {1.0 - strength, 1.0 - strength, 1.0 - strength, 0.0};
  if (OutPrim* const map = texture(material.occlusion_texture, "occlusion", occlusion)) {
    out_.set(map, "float", "outputs:r", Value());
    connect("float", "occlusion", *map, "r");
  }
  Reading emissive;
  const std::array<double, 3>& light = material.emissive;
  emissive.color_space = "sRGB";
  emissive.scale = {light[0], light[1], light[2], 1.0};
  if (OutPrim* const map = texture(material.emissive_texture, "emissive", emissive)) {
    out_.set(map, "float3", "outputs:rgb", Value());
    connect("color3f", "emissiveColor", *map, "rgb");
  } else if (light != std::array<double, 3>{0, 0, 0} && !material.emissive_texture) {
    out_.set(shader_, "color3f", "inputs:emissiveColor", color_value(light[0], light[1], light[2]));
  }
  if (material.ior) out_.set(shader_, "float", "inputs:ior", float_value(*material.ior));
  if (material.clearcoat > 0.0) {
    Reading coat;
    coat.scale = {material.clearcoat, 1.0, 1.0, 1.0};
    if (OutPrim* const map = texture(material.clearcoat_texture, "clearcoat", coat)) {
      out_.set(map, "float", "outputs:r", Value());
      connect("float", "clearcoat", *map, "r");
    } else {
      out_.set(shader_, "float", "inputs:clearcoat", float_value(material.clearcoat));
    }
    coat.scale = {1.0, material.clearcoat_roughness, 1.0, 1.0};
    if (OutPrim* const map =
            texture(material.clearcoat_roughness_texture, "clearcoat_roughness", coat)) {
      out_.set(map, "float", "outputs:g", Value());
      connect("float", "clearcoatRoughness", *map, "g");
    } else {
      out_.set(shader_, "float", "inputs:clearcoatRoughness",
               float_value(material.clearcoat_roughness));
    }
  }
  return material_;
}

}  // namespace

void write_materials(WriteContext& context) {
  MaterialWriter(context).run();
}

}  // namespace sinew::exporter::gltf_import
