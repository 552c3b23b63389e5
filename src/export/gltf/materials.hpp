// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "export/gltf/writer.hpp"
#include "sinew/geom/material_binding.hpp"
#include "sinew/stage/package_resolver.hpp"

namespace sinew::exporter {

struct InstanceBorder;

/// The materials, textures and images of a file.
class Materials {
 public:
  explicit Materials(Writer& writer);
  ~Materials();

  /// What decides how a material is written.
  struct Use {
    stage::Prim material;  ///< Invalid: none is bound.
    bool double_sided = false;
    std::vector<std::string> uv_names;  ///< Of TEXCOORD_0 and so on, of the mesh.
    std::optional<Vector4f> color;      ///< Of the whole mesh, where no material gives one.
    bool is_translucent = false;        ///< Likewise, of the vertices.
    bool had_none = false;              ///< Came without a material, from another glTF file.
    stage::Prim user;                   ///< To be named in diagnostics.
  };

  /// The Material that a prim or subset is bound to; invalid if there is none.
  stage::Prim bound(const stage::Prim& prim);
  /// What tells one Material from another: those of instances that share one are the same.
  const std::string& key(const stage::Prim& material);
  /// The primvars of texture coordinates that a Material reads, in the order of its inputs.
  const std::vector<std::string>& uv_names(const stage::Prim& material);
  /// Whether a material gives colours, so that those of the mesh do not count.
  bool gives_color(const stage::Prim& material);
  /// The material of the file; kNoGlbIndex for what goes back without one.
  std::int32_t index(const Use& use);

 private:
  struct Texture;
  struct Surface;

  const Surface& surface(const stage::Prim& material);
  std::unique_ptr<Surface> read(const stage::Prim& material);
  void read_texture(const stage::Prim& material, const stage::Prim& shader, std::string_view output,
                    Texture& texture, InstanceBorder& border);
  std::int32_t image(const Texture& texture);
  std::int32_t texture_index(const Texture& texture);
  std::optional<Json> texture_info(const Texture& texture, const Use& use);
  Json write(const Use& use, const Surface& surface);
  void tell_losses(const Use& use, const Surface& surface);
  void write_base_color(const Use& use, const Surface& surface, Json& json);
  void write_metallic_roughness(const Use& use, const Surface& surface, Json& json);
  void write_extensions(const Use& use, const Surface& surface, Json& json);

  Writer& w_;
  geom::MaterialBindings bindings_;
  stage::FileResolver files_;
  stage::PackageResolver resolver_;
  /// By node, which instances share; where that is not enough, by path.
  std::map<std::string, std::unique_ptr<Surface>> surfaces_;
  JsonIndex known_;
  std::map<std::string, std::int32_t> images_;  // By identifier; kNoGlbIndex: cannot be used.
  std::map<std::string, bool> is_webp_;
  JsonIndex samplers_, textures_;
};

}  // namespace sinew::exporter
