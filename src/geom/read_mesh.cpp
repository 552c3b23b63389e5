// SPDX-License-Identifier: Apache-2.0
#include "sinew/geom/read_mesh.hpp"

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/format_text.hpp"
#include "geom/check_mesh.hpp"
#include "geom/read_value.hpp"
#include "sinew/geom/primvars.hpp"
#include "sinew/geom/subsets.hpp"
#include "sinew/stage/attribute.hpp"
#include "stage/shared/reporter.hpp"
#include "stage/shared/typed_value.hpp"

namespace sinew::geom {
namespace {

using stage::Prim;
using stage::Time;
using stage::ValueTypes;

// Reads the attributes of one prim into a mesh.
class MeshReader {
 public:
  MeshReader(const Prim& prim, Time time, Diagnostics* diagnostics)
      : prim_(prim), time_(time), diagnostics_(diagnostics) {}

  template <typename T>
  std::span<const T> array(std::string_view name, std::vector<Buffer>& owners) const {
    const layer::Value value = value_of(name, ValueTypes::array_of<T>());
    if (!value.has_value() || value.is_block()) return {};
    const std::span<const T> elements = value.as_array<T>();
    if (!value.is_array() || !layer::stores_as<T>(value.type())) complain_of_type(name, value);
    if (!elements.empty()) owners.push_back(value.buffer());
    return elements;
  }

  bool flag(std::string_view name, bool fallback) const {
    const layer::Value value = value_of(name, ValueTypes::scalar_of<bool>());
    const std::optional<bool> flag = value.get<bool>();
    if (!flag && value.has_value() && !value.is_block()) complain_of_type(name, value);
    return flag.value_or(fallback);
  }

  // Nothing if it is not authored.
  std::optional<std::string> token(std::string_view name) const {
    const layer::Value value = value_of(name, ValueTypes::scalar_of<Token>());
    const std::optional<std::string_view> text = value.text();
    if (!text && value.has_value() && !value.is_block()) complain_of_type(name, value);
    return text ? std::optional<std::string>(*text) : std::nullopt;
  }

  void read_orientation(Mesh& mesh) const {
    const std::string orientation = token("orientation").value_or("rightHanded");
    mesh.left_handed = orientation == "leftHanded";
    if (!mesh.left_handed && orientation != "rightHanded") {
      complain("orientation", format_text("The orientation \"{}\" is not known", orientation));
    }
  }

  void read_subdivision(Mesh& mesh) const {
    const std::optional<std::string> scheme = token("subdivisionScheme");
    mesh.subdivision = SubdivisionScheme::catmull_clark;
    mesh.subdivision_authored = scheme.has_value();
    if (!scheme) return;
    if (const auto known = parse_subdivision_scheme(*scheme)) {
      mesh.subdivision = *known;
    } else {
      complain("subdivisionScheme", format_text("The scheme \"{}\" is not known", *scheme));
    }
  }

  void read_subsets(Mesh& mesh) const {
    for (const GeomSubset& subset : geom_subsets(prim_)) {
      if (subset.element != SubsetElement::face) continue;
      MeshSubset part;
      part.path = subset.prim.path().view();
      part.family = subset.family;
      const MeshReader reader(subset.prim, time_, diagnostics_);
      part.faces = reader.array<std::int32_t>("indices", mesh.owners);
      mesh.subsets.push_back(std::move(part));
    }
  }

 private:
  layer::Value value_of(std::string_view name, ValueTypes wanted) const {
    return read_value(prim_.attribute(name), time_, wanted);
  }
  void complain_of_type(std::string_view name, const layer::Value& value) const {
    complain(name, format_text("The value is of type {}, which is not that of the schema",
                               stage::told_type(prim_.attribute(name), value)));
  }
  void complain(std::string_view name, const std::string& message) const {
    if (diagnostics_ == nullptr) return;
    stage::Reporter(prim_, diagnostics_)
        .add(Severity::warning, "geom-mesh-value", prim_.attribute(name),
             message + "; the fallback of the schema is used.");
  }

  const Prim& prim_;
  Time time_;
  Diagnostics* diagnostics_;
};

// The name of the primvar of texture coordinates; empty if there is none.
std::string find_uvs(const Prim& prim, std::string_view wanted) {
  if (!wanted.empty()) return std::string(primvar_name(wanted));
  if (find_inherited_primvar(prim, "st")) return "st";
  std::string any_pair;
  for (const Primvar& primvar : find_inherited_primvars(prim)) {
    const layer::ValueType type = layer::find_value_type(primvar.attribute().type_name());
    if (!type.is_array || layer::component_count(type.element) != 2) continue;
    if (type.role == "TextureCoordinate") return std::string(primvar.name());
    if (any_pair.empty() && type.element == layer::ElementType::float2) any_pair = primvar.name();
  }
  return any_pair;
}

}  // namespace

Mesh read_mesh(const Prim& prim, Time time, Diagnostics* diagnostics,
               const ReadMeshOptions& options) {
  Mesh mesh;
  const MeshReader reader(prim, time, diagnostics);
  mesh.points = reader.array<Vector3f>("points", mesh.owners);
  mesh.face_counts = reader.array<std::int32_t>("faceVertexCounts", mesh.owners);
  mesh.face_indices = reader.array<std::int32_t>("faceVertexIndices", mesh.owners);
  mesh.hole_faces = reader.array<std::int32_t>("holeIndices", mesh.owners);
  mesh.double_sided = reader.flag("doubleSided", false);
  reader.read_orientation(mesh);
  reader.read_subdivision(mesh);
  if (options.subsets) reader.read_subsets(mesh);
  if (diagnostics != nullptr) check_mesh(mesh, prim, *diagnostics);
  if (options.normals) {
    mesh.normals = read_mesh_primvar<Vector3f>(prim, mesh, "normals", time, diagnostics);
  }
  if (options.uvs) {
    mesh.uv_name = find_uvs(prim, options.uv_name);
    mesh.uvs = read_mesh_primvar<Vector2f>(prim, mesh, mesh.uv_name, time, diagnostics);
    if (mesh.uvs.empty()) mesh.uv_name = {};
  }
  return mesh;
}

}  // namespace sinew::geom
