// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>

#include "core/format_text.hpp"
#include "export/gltf_import/document.hpp"

namespace sinew::exporter::gltf_import {

namespace {

constexpr double kLowest = std::numeric_limits<double>::lowest();

class MaterialReader {
 public:
  MaterialReader(const ReadContext& context) : context_(context), reader_(*context.reader) {}

  Material read_material(const Cursor& at);
  Texture read_texture(const Cursor& at);
  Image read_image(const Cursor& at);

 private:
  double fraction(const Cursor& at, double fallback);
  /// A number that single precision holds.
  double number(const Cursor& at, double fallback, double least);
  Vector2d pair(const Cursor& at, const Vector2d& fallback);
  /// A factor of the colour: numbers from 0 on.
  template <std::size_t n>
  void color(const Cursor& at, std::array<double, n>& out);
  TextureUse texture(const Cursor& at, std::string_view factor = {});

  const ReadContext& context_;
  const JsonReader& reader_;
};

double MaterialReader::fraction(const Cursor& at, double fallback) {
  const double value = reader_.number(at).value_or(fallback);
  if (value >= 0.0 && value <= 1.0) return value;
  context_.faults().error(at.pointer(), "gltf-number",
                          format_text("{} does not lie between 0 and 1.", value));
  return fallback;
}

double MaterialReader::number(const Cursor& at, double fallback, double least) {
  const double value = reader_.number(at).value_or(fallback);
  if (value >= least && std::isfinite(static_cast<float>(value))) return value;
  context_.faults().warning(at.pointer(), "gltf-number",
                            format_text("{} is out of range; {} is taken.", value, fallback));
  return fallback;
}

Vector2d MaterialReader::pair(const Cursor& at, const Vector2d& fallback) {
  std::array<double, 2> read{};
  if (!at || !reader_.numbers(at, read)) return fallback;
  const Vector2d result(read[0], read[1]);
  if (result.cast<float>().allFinite()) return result;
  context_.faults().warning(at.pointer(), "gltf-number",
                            "The numbers are out of range; they are left out.");
  return fallback;
}

template <std::size_t n>
void MaterialReader::color(const Cursor& at, std::array<double, n>& out) {
  std::array<double, n> numbers{};
  if (!at || !reader_.numbers(at, numbers)) return;
  for (const double number : numbers) {
    if (number >= 0.0 && std::isfinite(static_cast<float>(number))) continue;
    context_.faults().error(at.pointer(), "gltf-number",
                            format_text("{} is no part of a colour.", number));
    return;
  }
  out = numbers;
}

TextureUse MaterialReader::texture(const Cursor& at, std::string_view factor) {
  TextureUse use;
  if (!at || !reader_.object(at)) return use;
  const auto index = reader_.index(at["index"], context_.root["textures"].size(), "textures");
  if (!index) {
    if (!at["index"]) {
      context_.faults().error(at["index"].pointer(), "gltf-missing", "The texture is missing.");
    }
    return use;
  }
  use.texture = static_cast<std::int32_t>(*index);
  constexpr std::uint64_t kMostSets = 1000;
  const auto set = reader_.count(at["texCoord"], kMostSets);
  if (set) use.uv_set = static_cast<std::uint32_t>(*set);
  if (!factor.empty()) use.factor = number(at[factor], 1.0, kLowest);
  const Cursor transform = at.extension("KHR_texture_transform");
  if (!transform || !reader_.object(transform)) return use;
  TextureTransform& out = use.transform.emplace();
  out.offset = pair(transform["offset"], out.offset);
  out.scale = pair(transform["scale"], out.scale);
  out.rotation = number(transform["rotation"], 0.0, kLowest);
  if (const auto other = reader_.count(transform["texCoord"], kMostSets)) {
    use.uv_set = static_cast<std::uint32_t>(*other);
  }
  return use;
}

Material MaterialReader::read_material(const Cursor& at) {
  Material material;
  if (!reader_.object(at)) return material;
  material.name = name_of(context_, at);
  material.usd_path = usd_path_of(context_, at);
  material.extras = extras_of(context_, at);
  const Cursor surface = at["pbrMetallicRoughness"];
  color(surface["baseColorFactor"], material.base_color);
  material.base_color_texture = texture(surface["baseColorTexture"]);
  material.metallic = fraction(surface["metallicFactor"], 1.0);
  material.roughness = fraction(surface["roughnessFactor"], 1.0);
  material.metallic_roughness_texture = texture(surface["metallicRoughnessTexture"]);
  material.normal_texture = texture(at["normalTexture"], "scale");
  material.occlusion_texture = texture(at["occlusionTexture"], "strength");
  color(at["emissiveFactor"], material.emissive);
  material.emissive_texture = texture(at["emissiveTexture"]);
  if (const Cursor strong = at.extension("KHR_materials_emissive_strength"); strong) {
    const double strength = number(strong["emissiveStrength"], 1.0, 0.0);
    constexpr double kMost = std::numeric_limits<float>::max();
    for (double& part : material.emissive) part = std::min(part * strength, kMost);
  }
  const std::string mode = reader_.text(at["alphaMode"]).value_or("OPAQUE");
  if (mode == "MASK") {
    material.alpha_mode = AlphaMode::mask;
  } else if (mode == "BLEND") {
    material.alpha_mode = AlphaMode::blend;
  } else if (mode != "OPAQUE") {
    context_.faults().error(at["alphaMode"].pointer(), "gltf-alpha-mode",
                            format_text("'{}' is not known; OPAQUE is taken.", mode));
  }
  material.alpha_cutoff = number(at["alphaCutoff"], 0.5, 0.0);
  material.double_sided = reader_.boolean(at["doubleSided"]).value_or(false);
  if (const Cursor ior = at.extension("KHR_materials_ior")["ior"]; ior) {
    material.ior = number(ior, 1.5, 0.0);
  }
  const Cursor coat = at.extension("KHR_materials_clearcoat");
  material.clearcoat = fraction(coat["clearcoatFactor"], 0.0);
  material.clearcoat_roughness = fraction(coat["clearcoatRoughnessFactor"], 0.0);
  material.clearcoat_texture = texture(coat["clearcoatTexture"]);
  material.clearcoat_roughness_texture = texture(coat["clearcoatRoughnessTexture"]);
  if (const Cursor normals = coat["clearcoatNormalTexture"]; normals) {
    context_.faults().info(normals.pointer(), "gltf-texture-ignored",
                           "UsdPreviewSurface has no normals of its coat; they are left out.");
  }
  return material;
}

Texture MaterialReader::read_texture(const Cursor& at) {
  Texture texture;
  if (!reader_.object(at)) return texture;
  const std::size_t images = context_.root["images"].size();
  Cursor source = at["source"];
  if (const Cursor webp = at.extension("EXT_texture_webp")["source"]; webp) source = webp;
  if (const auto image = reader_.index(source, images, "images")) {
    texture.image = static_cast<std::int32_t>(*image);
  }
  const Cursor samplers = context_.root["samplers"];
  const auto sampler = reader_.index(at["sampler"], reader_.list(samplers), "samplers");
  if (!sampler) return texture;
  for (std::size_t i = 0; i < 2; ++i) {
    const Cursor wrap = samplers[*sampler][i == 0 ? "wrapS" : "wrapT"];
    const auto code = reader_.count(wrap, 65535);
    if (!code || *code == 10497) continue;
    if (*code == 33071) {
      texture.wrap[i] = "clamp";
    } else if (*code == 33648) {
      texture.wrap[i] = "mirror";
    } else {
      context_.faults().error(wrap.pointer(), "gltf-sampler",
                              format_text("{} is no way to wrap.", *code));
    }
  }
  return texture;
}

// What the first bytes of an image say that it is.
std::string_view extension_of(const Bytes& bytes) {
  if (bytes.starts_with("\x89PNG")) return ".png";
  if (bytes.starts_with("\xFF\xD8\xFF")) return ".jpg";
  if (bytes.starts_with("RIFF") && bytes.size() > 12 && bytes.text().substr(8, 4) == "WEBP") {
    return ".webp";
  }
  return {};
}

Image MaterialReader::read_image(const Cursor& at) {
  Image image;
  if (!reader_.object(at)) return image;
  image.name = name_of(context_, at);
  Cursor place = at["uri"];
  if (place) {
    const auto uri = reader_.text(place);
    if (!uri) return image;
    if (!is_data_uri(*uri)) {
      image.path = path_of_uri(*uri);
      return image;
    }
    const auto decoded = decode_data_uri(*uri);
    if (!decoded) {
      context_.faults().error(place.pointer(), "gltf-uri",
                              "The data URI is not well-formed base64.");
      return image;
    }
    image.bytes = decoded->bytes;
  } else {
    place = at["bufferView"];
    const auto bytes = context_.accessors->view_bytes(place);
    if (!bytes) {
      context_.faults().error(place.pointer(), "gltf-image", "The image has no bytes.");
      return image;
    }
    image.bytes = *bytes;
  }
  image.extension = extension_of(image.bytes);
  if (image.extension.empty()) {
    context_.faults().error(place.pointer(), "gltf-image",
                            "The bytes are neither PNG nor JPEG nor WebP.");
    image.bytes = {};
  }
  return image;
}

}  // namespace

void read_materials(const ReadContext& context, Document& document) {
  MaterialReader reader(context);
  const auto each = [&](std::string_view list, auto& out, const auto& read) {
    const Cursor items = context.root[list];
    for (std::size_t i = 0; i < context.reader->list(items); ++i) {
      out.push_back((reader.*read)(items[i]));
    }
  };
  each("images", document.images, &MaterialReader::read_image);
  each("textures", document.textures, &MaterialReader::read_texture);
  each("materials", document.materials, &MaterialReader::read_material);
}

}  // namespace sinew::exporter::gltf_import
