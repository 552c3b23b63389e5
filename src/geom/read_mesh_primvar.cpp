// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "core/format_text.hpp"
#include "geom/read_value.hpp"
#include "sinew/geom/primvars.hpp"
#include "sinew/geom/read_mesh.hpp"
#include "stage/shared/reporter.hpp"

namespace sinew::geom {
namespace {

using layer::ElementType;
using stage::Prim;
using stage::Time;
using stage::ValueTypes;

// Attributes of the schemas that are like primvars, but for their name.
constexpr std::array<std::string_view, 4> kSchemaPrimvars = {"normals", "widths", "velocities",
                                                             "accelerations"};

// The types that are read as one to four floats, the exact one first.
std::span<const ElementType> types_read_as(ElementType type) {
  using E = ElementType;
  static constexpr std::array kOne = {E::float_, E::half, E::double_};
  static constexpr std::array kTwo = {E::float2, E::half2, E::double2,
                                      E::float3, E::half3, E::double3};
  static constexpr std::array kThree = {E::float3, E::half3, E::double3};
  static constexpr std::array kFour = {E::float4, E::half4, E::double4};
  if (type == E::float_) return kOne;
  if (type == E::float2) return kTwo;
  return type == E::float3 ? std::span<const ElementType>(kThree) : kFour;
}

// The first `kept` of every `given` numbers, as floats.
template <typename Number>
Buffer to_floats(std::span<const std::byte> bytes, std::size_t given, std::size_t kept) {
  const std::size_t count = bytes.size() / (given * sizeof(Number));
  Buffer buffer(count * kept * sizeof(float));
  std::byte* out = buffer.mutable_data();
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t k = 0; k < kept; ++k, out += sizeof(float)) {
      Number number;
      std::memcpy(&number, bytes.data() + (i * given + k) * sizeof(Number), sizeof(Number));
      const float single = static_cast<float>(number);
      std::memcpy(out, &single, sizeof(float));
    }
  }
  return buffer;
}

layer::Value converted(const layer::Value& values, ElementType type) {
  if (values.type() == type) return values;
  const std::size_t given = layer::component_count(values.type());
  const std::size_t kept = layer::component_count(type);
  const std::span<const std::byte> bytes = values.bytes();
  const std::size_t number_bytes = layer::element_size(values.type()) / given;
  Buffer floats = number_bytes == sizeof(Half)    ? to_floats<Half>(bytes, given, kept)
                  : number_bytes == sizeof(float) ? to_floats<float>(bytes, given, kept)
                                                  : to_floats<double>(bytes, given, kept);
  return layer::Value::array_from_buffer(type, std::move(floats));
}

std::optional<std::size_t> element_count(const Mesh& mesh, PrimvarInterpolation interpolation) {
  switch (interpolation) {
    case PrimvarInterpolation::constant:
      return 1;
    case PrimvarInterpolation::uniform:
      return mesh.face_counts.size();
    case PrimvarInterpolation::varying:
    case PrimvarInterpolation::vertex:
      return mesh.points.size();
    case PrimvarInterpolation::face_varying:
      return mesh.face_indices.size();
    case PrimvarInterpolation::unknown:
      break;
  }
  return std::nullopt;
}

Primvar find(const Prim& prim, std::string_view name) {
  const auto end = kSchemaPrimvars.end();
  if (std::find(kSchemaPrimvars.begin(), end, name) != end) {
    if (const Primvar primvar = find_schema_primvar(prim, name)) return primvar;
  }
  return find_inherited_primvar(prim, name);
}

// Reads one primvar; says why if it cannot be used.
class PrimvarReader {
 public:
  PrimvarReader(const Primvar& primvar, const Mesh& mesh, Time time)
      : primvar_(primvar), mesh_(mesh), time_(time) {}

  // The problem; empty if there is none.
  std::string read(ElementType type, detail::MeshPrimvarArrays& arrays) const {
    arrays.interpolation = primvar_.interpolation();
    const std::optional<std::size_t> expected = element_count(mesh_, arrays.interpolation);
    if (!expected) return "The interpolation is not known";
    if (primvar_.element_size() != 1) {
      return format_text("The elementSize is {}, not 1", primvar_.element_size());
    }
    if (std::string problem = read_values(type, arrays.values); !problem.empty()) return problem;
    if (primvar_.is_indexed()) return read_indices(*expected, arrays);
    if (arrays.values.size() == *expected) return {};
    return format_text("There are {} values; {} needs {}", arrays.values.size(),
                       to_string(arrays.interpolation), *expected);
  }

 private:
  std::string read_values(ElementType type, layer::Value& values) const {
    ValueTypes wanted = ValueTypes::array(type);
    for (const ElementType other : types_read_as(type)) wanted = wanted | ValueTypes::array(other);
    values = read_value(primvar_.attribute(), time_, wanted);
    if (wanted.accept(values) && values.is_array()) {
      values = converted(values, type);
      return {};
    }
    return values.has_value() && !values.is_block()
               ? format_text("Its type {} cannot be read as {} floats",
                             primvar_.attribute().type_name(), layer::component_count(type))
               : "It has no value at this time";
  }

  std::string read_indices(std::size_t expected, detail::MeshPrimvarArrays& arrays) const {
    arrays.indices =
        read_value(primvar_.indices_attribute(), time_, ValueTypes::array_of<std::int32_t>());
    const std::span<const std::int32_t> indices = arrays.indices.as_array<std::int32_t>();
    if (indices.size() != expected) {
      return format_text("There are {} indices; {} needs {}", indices.size(),
                         to_string(arrays.interpolation), expected);
    }
    const std::size_t size = arrays.values.size();
    std::size_t strays = 0;
    for (const std::int32_t index : indices) {
      strays += index < 0 || static_cast<std::size_t>(index) >= size ? 1 : 0;
    }
    if (strays == 0) return {};
    return format_text("{} of {} indices are outside the {} values", strays, expected, size);
  }

  const Primvar& primvar_;
  const Mesh& mesh_;
  Time time_;
};

}  // namespace

detail::MeshPrimvarArrays detail::read_mesh_primvar(const Prim& prim, const Mesh& mesh,
                                                    std::string_view name, ElementType type,
                                                    Time time, Diagnostics* diagnostics) {
  const Primvar primvar = find(prim, name);
  if (!primvar) return {};
  MeshPrimvarArrays arrays;
  const std::string problem = PrimvarReader(primvar, mesh, time).read(type, arrays);
  if (problem.empty()) return arrays;
  stage::Reporter(prim, diagnostics)
      .add(Severity::warning, "geom-mesh-primvar",
           prim.path().property(primvar.attribute().name().view()),
           problem + "; the primvar is left out.");
  return {};
}

}  // namespace sinew::geom
