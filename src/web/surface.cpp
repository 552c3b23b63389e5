// SPDX-License-Identifier: Apache-2.0
#include "web/surface.hpp"

#include <array>
#include <optional>
#include <string>
#include <utility>

#include "sinew/stage/stage.hpp"

namespace sinew::web {

namespace {

using stage::Attribute;
using stage::Prim;

constexpr int kLongestChain = 32;

/// Where an input gets its value from.
struct Source {
  Attribute value;     ///< An attribute without connections,
  Prim shader;         ///< or a shader,
  std::string output;  ///< by this output.
};

/// Follows connections, through node graphs too.
Source follow(const stage::Stage& stage, Attribute at) {
  for (int i = 0; i < kLongestChain && at; ++i) {
    const auto targets = at.connections();
    if (targets.empty()) return {at, {}, {}};
    const Prim prim = stage.prim(targets.front().prim_path());
    if (!prim) return {};
    const std::string name(targets.front().name());
    if (prim.is_a(stage::SchemaType::shader) && name.starts_with("outputs:")) {
      return {{}, prim, name.substr(8)};
    }
    at = prim.attribute(name);
  }
  return {};
}

std::string id_of(const Prim& shader) {
  const Attribute id = shader.attribute("info:id");
  return id ? id.get_text(stage::Time::earliest()).value_or(std::string()) : std::string();
}

/// The image of a texture shader, as members of an object.
void write_texture(exporter::JsonSink& json, const Source& source, stage::AssetResolver& resolver) {
  const stage::Stage& stage = source.shader.stage();
  const auto text = [&](const char* name, std::string_view fallback) {
    const Source found = follow(stage, source.shader.attribute(name));
    std::optional<std::string> value;
    if (found.value) value = found.value.get_text(stage::Time::earliest());
    return value.value_or(std::string(fallback));
  };
  json.begin_object();
  const Source file = follow(stage, source.shader.attribute("inputs:file"));
  json.member("file", file.value ? find_image(file.value, resolver).identifier : "");
  json.member("written", text("inputs:file", ""));
  json.member("channel", source.output);
  json.member("wrapS", text("inputs:wrapS", "useMetadata"));
  json.member("wrapT", text("inputs:wrapT", "useMetadata"));
  json.end_object();
}

}  // namespace

ImagePlace find_image(const stage::Attribute& file, stage::AssetResolver& resolver) {
  // Of files that are asked for by this, the resolver of a page would remember what is missing.
  class Silent : public stage::AssetResolver {
   public:
    explicit Silent(stage::AssetResolver& resolver) : resolver_(resolver) {}
    Result<std::string> resolve(std::string_view asset_path, std::string_view anchor) override {
      return resolver_.resolve(asset_path, anchor);
    }
    Result<Bytes> read(std::string_view identifier, std::uint64_t max_bytes) override {
      return resolver_.read(identifier, max_bytes);
    }

   private:
    stage::AssetResolver& resolver_;
  };
  Silent silent(resolver);
  const stage::Time time = stage::Time::earliest();
  Result<std::string> found = file.find_asset(silent, time);
  if (!found) return {file.resolved_asset(time), false};
  return {*std::move(found), true};
}

void write_surface(exporter::JsonSink& json, const stage::Prim& material,
                   stage::AssetResolver& resolver) {
  const stage::Stage& stage = material.stage();
  json.begin_object();
  json.member("path", material.path().view());
  const Source terminal = follow(stage, material.attribute("outputs:surface"));
  const bool known = terminal.shader && id_of(terminal.shader) == "UsdPreviewSurface";
  json.member("known", known);
  std::vector<std::pair<std::string, Source>> textures;
  const auto input = [&](const char* name) {
    Source found;
    if (known) found = follow(stage, terminal.shader.attribute("inputs:" + std::string(name)));
    if (found.shader && id_of(found.shader) == "UsdUVTexture") textures.emplace_back(name, found);
    return found.value;
  };
  const auto color = [&](const char* name, const Vector3f& fallback) {
    const Attribute value = input(name);
    std::optional<Vector3f> authored;
    if (value) authored = value.get<Vector3f>(stage::Time::earliest());
    json.member(name, authored.value_or(fallback));
  };
  const auto number = [&](const char* name, float fallback) {
    const Attribute value = input(name);
    std::optional<float> authored;
    if (value) authored = value.get<float>(stage::Time::earliest());
    json.member(name, authored.value_or(fallback));
  };
  color("diffuseColor", Vector3f::Constant(0.18F));
  color("emissiveColor", Vector3f::Zero());
  color("normal", Vector3f::UnitZ());
  number("metallic", 0.0F);
  number("roughness", 0.5F);
  number("opacity", 1.0F);
  number("opacityThreshold", 0.0F);
  number("occlusion", 1.0F);
  json.key("textures");
  json.begin_object();
  for (const auto& [name, source] : textures) {
    json.key(name);
    write_texture(json, source, resolver);
  }
  json.end_object();
  json.end_object();
}

}  // namespace sinew::web
