// SPDX-License-Identifier: Apache-2.0
#include "export/gltf/mesh_attributes.hpp"

#include <algorithm>
#include <cmath>

#include "core/format_text.hpp"
#include "export/gltf/materials.hpp"
#include "export/gltf/origin.hpp"
#include "sinew/geom/primvars.hpp"
#include "sinew/geom/read_mesh.hpp"

namespace sinew::exporter {

namespace {

using geom::MeshPrimvar;
using geom::PrimvarInterpolation;
using stage::Prim;

constexpr std::size_t kMostUvSets = 4;

template <typename T>
T& writable(OwnedPrimvar<T>& owned, std::size_t i) {
  if (owned.values.empty()) {
    owned.own(std::vector<T>(owned.primvar.values.begin(), owned.primvar.values.end()));
  }
  return owned.values[i];
}

// Values with 0 for each -0; empty if there is no -0.
Buffer without_negative_zeros(std::span<const float> values) {
  const bool has_any = std::any_of(values.begin(), values.end(),
                                   [](float v) { return v == 0.0F && std::signbit(v); });
  if (!has_any) return {};
  Buffer made = Buffer::in_pages(values.size_bytes());
  std::transform(values.begin(), values.end(), reinterpret_cast<float*>(made.mutable_data()),
                 [](float v) { return v + 0.0F; });
  return made;
}

// Corners of equal values are one vertex, and 0 equals -0.
template <typename T>
void drop_signs_of_zeros(MeshPrimvar<T>& primvar) {
  if (primvar.interpolation != PrimvarInterpolation::uniform &&
      primvar.interpolation != PrimvarInterpolation::face_varying) {
    return;
  }
  Buffer made = without_negative_zeros({reinterpret_cast<const float*>(primvar.values.data()),
                                        primvar.values.size_bytes() / sizeof(float)});
  if (made.empty()) return;
  primvar.values = {reinterpret_cast<const T*>(made.data()), primvar.values.size()};
  primvar.owners.push_back(std::move(made));
}

// Where one face is seen from, by Newell's sum.
Vector3f face_normal(const geom::Mesh& mesh, std::size_t first, std::size_t count) {
  Vector3d sum = Vector3d::Zero();
  const auto point = [&](std::size_t i) -> Vector3d {
    const std::int32_t index = mesh.face_indices[first + i % count];
    if (index < 0 || static_cast<std::size_t>(index) >= mesh.points.size()) return Vector3d::Zero();
    return mesh.points[static_cast<std::size_t>(index)].cast<double>();
  };
  const Vector3d origin = count > 0 ? point(0) : Vector3d::Zero();
  for (std::size_t i = 0; i < count; ++i) sum += (point(i) - origin).cross(point(i + 1) - origin);
  const double length = sum.norm();
  if (!(length > 0.0) || !std::isfinite(length)) return Vector3f::UnitY();
  return (sum / (mesh.left_handed ? -length : length)).cast<float>();
}

bool normalize(Vector3f& normal) {
  const Vector3d wide = normal.cast<double>();
  const double length = wide.norm();
  if (!(length > 1e-30) || !std::isfinite(length)) return false;
  normal = (wide / length).cast<float>();
  return true;
}

/// Reads the attributes of one mesh.
class AttributeReader {
 public:
  AttributeReader(Writer& writer, const Prim& prim, const geom::Mesh& mesh,
                  const geom::Triangles& triangles, const std::vector<Prim>& materials,
                  bool is_a_shape)
      : is_shape(is_a_shape),
        w_(writer),
        prim_(prim),
        mesh_(mesh),
        triangles_(triangles),
        materials_(materials) {}

  MeshAttributes run() {
    read_colors();
    read_uvs();
    read_normals();
    read_tangents();
    read_attributes();
    const auto drop_signs = [](auto& owned) {
      drop_signs_of_zeros(owned.primvar);
      if (owned.primvar.values.data() != owned.values.data()) owned.values = {};
    };
    drop_signs(out_.normals);
    drop_signs(out_.tangents);
    drop_signs(out_.colors);
    for (auto& uvs : out_.uvs) drop_signs(uvs);
    return std::move(out_);
  }

 private:
  // displayColor and displayOpacity, for what no material colours.
  void read_colors() {
    const bool counts =
        !w_.options.materials || read_origin(prim_).colors ||
        std::any_of(materials_.begin(), materials_.end(),
                    [&](const Prim& material) { return !w_.materials->gives_color(material); });
    if (!counts) return;
    auto color = primvar<Vector3f>("displayColor");
    auto opacity = primvar<float>("displayOpacity");
    if (color.empty() && opacity.empty()) return;
    for (const char* name : {"displayColor", "displayOpacity"}) tell_if_animated(name);
    const auto is_constant = [](const auto& p) {
      return p.empty() || p.interpolation == PrimvarInterpolation::constant;
    };
    const auto rgba = [&](std::size_t color_at, std::size_t opacity_at) {
      Vector4f value(0.18F, 0.18F, 0.18F, 1.0F);
      if (!color.empty()) value.head<3>() = color[color_at];
      if (!opacity.empty()) value[3] = opacity[opacity_at];
      for (int i = 0; i < 4; ++i) {
        if (!std::isfinite(value[i])) value[i] = i < 3 ? 0.18F : 1.0F;
      }
      return value;
    };
    if (is_constant(color) && is_constant(opacity)) {
      out_.color = rgba(0, 0);
      cut_colors({&*out_.color, 1});
      return;
    }
    if (is_shape) return;
    // Elements of the finer of the two.
    const auto rank = [](const auto& p) {
      if (p.empty() || p.interpolation == PrimvarInterpolation::constant) return 0;
      if (p.interpolation == PrimvarInterpolation::face_varying) return 3;
      return p.interpolation == PrimvarInterpolation::uniform ? 2 : 1;
    };
    const int rank_color = rank(color), rank_opacity = rank(opacity);
    const bool mixes = rank_color != rank_opacity && rank_color > 0 && rank_opacity > 0;
    if (mixes) {
      w_.warn("gltf-display-opacity", prim_,
              format_text("displayOpacity of {} has another interpolation than displayColor; it is "
                          "left out.",
                          prim_.path().view()));
      opacity = {};
    }
    const auto& shape_of = rank_color > 0 ? static_cast<std::size_t>(color.size()) : opacity.size();
    std::vector<Vector4f> values(shape_of);
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = rgba(rank_color > 0 ? i : 0, rank_opacity > 0 && !mixes ? i : 0);
    }
    cut_colors(values);
    out_.colors.own(std::move(values));
    out_.colors.primvar.interpolation =
        rank_color > 0 ? color.interpolation : opacity.interpolation;
  }

  // glTF takes colours of vertices between 0 and 1.
  void cut_colors(std::span<Vector4f> colors) {
    bool was_outside = false;
    for (Vector4f& color : colors) {
      const Vector4f cut = color.cwiseMax(0.0F).cwiseMin(1.0F);
      was_outside = was_outside || cut != color;
      color = cut;
    }
    if (!was_outside) return;
    w_.warn("gltf-color-range", prim_,
            format_text("Colours of {} are below 0 or above 1; they are written as 0 or 1.",
                        prim_.path().view()));
  }

  void read_uvs() {
    if (is_shape) return;
    std::vector<std::string> names;
    const auto add = [&names](std::string_view name) {
      if (std::find(names.begin(), names.end(), name) == names.end()) names.emplace_back(name);
    };
    for (const Prim& material : materials_) {
      for (const std::string& name : w_.materials->uv_names(material)) add(name);
    }
    for (const geom::Primvar& candidate : geom::find_inherited_primvars(prim_)) {
      const layer::ValueType type = layer::find_value_type(candidate.attribute().type_name());
      const std::size_t width = layer::component_count(type.element);
      const bool is_uv = type.is_array && ((type.role == "TextureCoordinate" && width >= 2) ||
                                           type.element == layer::ElementType::float2);
      if (!is_uv) continue;
      add(candidate.name());
      if (width > 2) {
        w_.warn("gltf-texture-coordinate-3", prim_,
                format_text("{} of {} has three components; the third is left out.",
                            candidate.name(), prim_.path().view()));
      }
    }
    for (const std::string& name : names) {
      OwnedPrimvar<Vector2f> uvs;
      uvs.primvar =
          geom::read_mesh_primvar<Vector2f>(prim_, mesh_, name, w_.shown, &w_.diagnostics);
      if (uvs.empty()) continue;
      if (out_.uvs.size() == kMostUvSets) {
        w_.warn("gltf-texture-coordinates", prim_,
                format_text("{} has more than {} sets of texture coordinates; \"{}\" is left out.",
                            prim_.path().view(), kMostUvSets, name));
        continue;
      }
      tell_if_animated(name);
      out_.uvs.push_back(std::move(uvs));
      out_.uv_names.push_back(name);
    }
  }

  // Authored ones, of unit length; smooth ones of subdivision surfaces.
  void read_normals() {
    if (is_shape) {
      out_.normals.primvar = mesh_.normals;
      return;
    }
    if (mesh_.subdivision != geom::SubdivisionScheme::none) {
      std::vector<Vector3f> smooth = geom::smooth_normals(mesh_, triangles_);
      for (Vector3f& normal : smooth) {
        if (!normalize(normal)) normal = Vector3f::UnitY();  // Of no face.
      }
      out_.normals.own(std::move(smooth));
      out_.normals.primvar.interpolation = PrimvarInterpolation::vertex;
      return;
    }
    if (mesh_.normals.empty()) return;
    const stage::Attribute of_primvar = geom::find_primvar(prim_, "normals").attribute();
    w_.tell_if_animated(of_primvar ? of_primvar : prim_.attribute("normals"));
    out_.normals.primvar = mesh_.normals;
    std::vector<Vector3f> values(mesh_.normals.values.begin(), mesh_.normals.values.end());
    std::vector<bool> is_zero(values.size(), false);
    bool any_zero = false;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (normalize(values[i])) continue;
      is_zero[i] = any_zero = true;
      values[i] = Vector3f::UnitY();
    }
    out_.normals.own(std::move(values));
    if (any_zero) use_face_normals(is_zero);
  }

  // Gives every corner a normal of its own, that of its face where the authored one has no length.
  void use_face_normals(const std::vector<bool>& is_zero) {
    const MeshPrimvar<Vector3f>& authored = out_.normals.primvar;
    std::vector<Vector3f> corners(mesh_.face_indices.size(), Vector3f::UnitY());
    std::size_t corner = 0;
    for (std::size_t face = 0; face < mesh_.face_counts.size(); ++face) {
      const auto count = static_cast<std::size_t>(std::max(mesh_.face_counts[face], 0));
      if (count > corners.size() - corner) break;
      const Vector3f flat = face_normal(mesh_, corner, count);
      for (std::size_t i = 0; i < count; ++i) {
        const std::size_t at = corner + i;
        std::size_t element = 0;
        switch (authored.interpolation) {
          case PrimvarInterpolation::uniform:
            element = face;
            break;
          case PrimvarInterpolation::varying:
          case PrimvarInterpolation::vertex:
            element = static_cast<std::size_t>(std::max(mesh_.face_indices[at], 0));
            break;
          case PrimvarInterpolation::face_varying:
            element = at;
            break;
          default:
            break;
        }
        if (element >= authored.size()) continue;
        const std::size_t value = authored.indices.empty()
                                      ? element
                                      : static_cast<std::size_t>(authored.indices[element]);
        corners[at] = is_zero[value] ? flat : authored.values[value];
      }
      corner += count;
    }
    out_.normals.own(std::move(corners));
    out_.normals.primvar.indices = {};
    out_.normals.primvar.interpolation = PrimvarInterpolation::face_varying;
  }

  // Four numbers, or three and the side from bitangents.
  void read_tangents() {
    if (is_shape || out_.normals.empty() || !prim_.attribute("primvars:tangents")) return;
    const geom::Primvar authored = geom::find_primvar(prim_, "tangents");
    const layer::ValueType type = layer::find_value_type(authored.attribute().type_name());
    if (layer::component_count(type.element) == 4) {
      out_.tangents.primvar = primvar<Vector4f>("tangents");
    } else if (prim_.attribute("primvars:bitangents")) {
      const auto tangents = primvar<Vector3f>("tangents");
      const auto bitangents = primvar<Vector3f>("bitangents");
      const MeshPrimvar<Vector3f>& normals = out_.normals.primvar;
      if (tangents.empty() || tangents.interpolation != bitangents.interpolation ||
          tangents.interpolation != normals.interpolation || tangents.size() != bitangents.size() ||
          tangents.size() != normals.size()) {
        return;
      }
      std::vector<Vector4f> values(tangents.size());
      for (std::size_t i = 0; i < values.size(); ++i) {
        const float side = normals[i].cross(tangents[i]).dot(bitangents[i]);
        values[i] << tangents[i], side < 0.0F ? -1.0F : 1.0F;
      }
      out_.tangents.own(std::move(values));
      out_.tangents.primvar.interpolation = tangents.interpolation;
    }
    for (std::size_t i = 0; i < out_.tangents.primvar.values.size(); ++i) {
      Vector3f direction = out_.tangents.primvar.values[i].head<3>();
      if (!normalize(direction)) {
        out_.tangents = {};  // Some vertex would have none.
        return;
      }
      Vector4f& value = writable(out_.tangents, i);
      value << direction, value[3] < 0.0F ? -1.0F : 1.0F;
    }
  }

  // What the caller asked for by name.
  void read_attributes() {
    for (const std::string& name : w_.options.primvars) {
      const geom::Primvar wanted = geom::find_inherited_primvar(prim_, name);
      if (!wanted) continue;
      w_.found_primvars.insert(name);
      const layer::ValueType type = layer::find_value_type(wanted.attribute().type_name());
      switch (type.is_array ? layer::component_count(type.element) : 0) {
        case 1:
          add_attribute<float>(name);
          break;
        case 2:
          add_attribute<Vector2f>(name);
          break;
        case 3:
          add_attribute<Vector3f>(name);
          break;
        case 4:
          add_attribute<Vector4f>(name);
          break;
        default:
          w_.reporter.add(
              Severity::warning, "gltf-primvar", wanted.attribute(),
              format_text("The primvar \"{}\" of {} is left out: {} is no array of up to four "
                          "numbers.",
                          name, prim_.path().view(), wanted.attribute().type_name()));
          break;
      }
    }
  }

  template <typename T>
  void add_attribute(const std::string& name) {
    auto read = primvar<T>(name);
    if (read.empty()) return;
    tell_if_animated(name);
    drop_signs_of_zeros(read);
    out_.named.push_back({name, sizeof(T) / sizeof(float), geom::VertexAttribute(read), {}});
    out_.owners.insert(out_.owners.end(), read.owners.begin(), read.owners.end());
  }

  template <typename T>
  MeshPrimvar<T> primvar(std::string_view name) {
    if (is_shape) {  // Only what is the same everywhere fits.
      const geom::Primvar found = geom::find_inherited_primvar(prim_, name);
      if (!found || found.interpolation() != PrimvarInterpolation::constant) return {};
    }
    return geom::read_mesh_primvar<T>(prim_, mesh_, name, w_.shown, &w_.diagnostics);
  }

  void tell_if_animated(std::string_view primvar) {
    w_.tell_if_animated(geom::find_inherited_primvar(prim_, primvar).attribute());
  }

  bool is_shape;
  Writer& w_;
  const Prim& prim_;
  const geom::Mesh& mesh_;
  const geom::Triangles& triangles_;
  const std::vector<Prim>& materials_;
  MeshAttributes out_;
};

}  // namespace

MeshAttributes read_attributes(Writer& w, const Prim& prim, const geom::Mesh& mesh,
                               const geom::Triangles& triangles, const std::vector<Prim>& materials,
                               bool is_shape) {
  return AttributeReader(w, prim, mesh, triangles, materials, is_shape).run();
}

}  // namespace sinew::exporter
