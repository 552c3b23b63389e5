// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sinew/core/export.hpp"
#include "sinew/core/result.hpp"
#include "sinew/geom/interpolation.hpp"
#include "sinew/layer/value.hpp"
#include "sinew/stage/attribute.hpp"
#include "sinew/stage/prim.hpp"
#include "sinew/stage/time.hpp"

namespace sinew::geom {

/// Whether an attribute of that name is a primvar: "primvars:st" is, "primvars:st:indices" is not.
SINEW_API bool is_primvar_name(std::string_view attribute_name) noexcept;

/// The attribute of a primvar: "primvars:st" for both "st" and "primvars:st".
SINEW_API std::string primvar_attribute_name(std::string_view name);

/// The name of a primvar: "st" for both "primvars:st" and "st".
SINEW_API std::string_view primvar_name(std::string_view attribute_name) noexcept;

/// A primvar: an attribute that says which parts of a prim its elements belong to.
///
/// A handle, or none; small. It knows the attribute, not the prim that inherits it: of an inherited
/// primvar, attribute().prim() is the ancestor. Valid as long as the stage. Const functions may run
/// concurrently.
/// @par Source  UsdGeomPrimvar.
class SINEW_API Primvar {
 public:
  Primvar() = default;
  /// Any attribute: also `normals`, `widths` and such, which are like primvars but for their name.
  explicit Primvar(stage::Attribute attribute) noexcept : attribute_(attribute) {}

  /// Whether it stands for an attribute, with a value or without.
  bool valid() const noexcept { return attribute_.valid(); }
  /// The same as valid().
  explicit operator bool() const noexcept { return valid(); }

  // All functions below need a valid primvar.

  /// The attribute with the values; indices are in another, see indices_attribute().
  const stage::Attribute& attribute() const noexcept { return attribute_; }
  /// Without "primvars:".
  std::string_view name() const noexcept { return primvar_name(attribute_.name().view()); }
  /// A default or samples that are not blocked.
  bool has_authored_value() const noexcept { return attribute_.has_authored_value(); }

  /// The metadata field; if it is not authored, constant, or vertex for an attribute outside the
  /// namespace of primvars.
  PrimvarInterpolation interpolation() const;
  /// Whether any opinion says what it is.
  bool has_authored_interpolation() const;
  /// Array values that make one element; 1 if not authored. What is written may be below 1, which
  /// makes the primvar unusable.
  std::int32_t element_size() const;
  /// The index that stands for "no value here"; -1 if there is none.
  std::int32_t unauthored_values_index() const;

  /// The attribute "...:indices" if any opinion mentions it; it may be without value.
  stage::Attribute indices_attribute() const;
  /// Whether elements are chosen by indices that have a value.
  bool is_indexed() const;
  /// The indices; nothing if there are none, or if they are no int[].
  std::optional<stage::ArrayValue<std::int32_t>> indices(stage::Time time = {}) const;

  /// More than one sample of the values or of the indices.
  bool might_be_time_varying() const;
  /// Stage times of the samples of values and indices, ascending, each once.
  std::vector<double> time_samples() const;

  /// The value as authored; an indexed one is not expanded.
  layer::Value value(stage::Time time = {}) const { return attribute_.value(time); }

  /// The value with indices applied: element i is element indices[i] of the authored value. Values
  /// without indices are shared, not copied; a value that is not an array stays as it is.
  /// @return The value; or no_value, type_mismatch if the indices are not an int[], and the errors
  /// of
  ///         flatten_indexed(). The message names the primvar.
  /// @par Cost  O(result); one allocation if indexed.
  Result<layer::Value> flattened(stage::Time time = {}) const;

  /// flattened() as elements of type T.
  /// @return The array; type_mismatch if it is stored otherwise; or an error of flattened().
  template <typename T>
  Result<stage::ArrayValue<T>> flattened_array(stage::Time time = {}) const {
    Result<layer::Value> value = flattened(time);
    if (!value) return std::move(value).error();
    if (!value->is_array() || !layer::stores_as<T>(value->type())) return wrong_type();
    return stage::ArrayValue<T>(*std::move(value));
  }

 private:
  Error wrong_type() const;

  stage::Attribute attribute_;
};

/// Chooses elements of an array: element i of the result is element indices[i], where one element
/// is `element_size` array values. A value that is not an array is returned as it is.
/// @return The array; or
///         - invalid_argument if element_size is 0;
///         - index_out_of_range, with the number of offenders and the first few of them;
///         - limit_exceeded if the result would have more than 2^28 array values.
/// @par Cost    O(result); one allocation.
/// @par Source  UsdGeomPrimvar::ComputeFlattened.
SINEW_API Result<layer::Value> flatten_indexed(const layer::Value& values,
                                               std::span<const std::int32_t> indices,
                                               std::size_t element_size = 1);

/// Every primvar that any opinion on the prim mentions, in the order of its properties. With a
/// value or without.
SINEW_API std::vector<Primvar> authored_primvars(const stage::Prim& prim);

/// The prim's own primvar, with or without a value; invalid if nothing mentions it.
/// @param name  With or without "primvars:".
SINEW_API Primvar find_primvar(const stage::Prim& prim, std::string_view name);

/// The primvar that has a value for the prim: its own, else that of an ancestor.
///
/// The nearest ancestor with an authored value decides: if its primvar is constant it is inherited,
/// if not, the search ends without one. A blocked value counts as none, so it does not hide those
/// above.
/// @return The primvar; invalid if none has a value.
/// @par Cost    O(depth) look-ups.
/// @par Source  UsdGeomPrimvarsAPI::FindPrimvarWithInheritance.
SINEW_API Primvar find_inherited_primvar(const stage::Prim& prim, std::string_view name);

/// Every primvar that has a value for the prim: its own and those it inherits. Inherited ones
/// first, from the top down; in one prim in the order of its properties.
/// @par Cost    O(depth + primvars).
/// @par Source  UsdGeomPrimvarsAPI::FindPrimvarsWithInheritance.
SINEW_API std::vector<Primvar> find_inherited_primvars(const stage::Prim& prim);

/// What the children of a prim inherit, from what the prim itself inherits: for walking down a tree
/// with one step for each prim. Start at the root with nothing.
/// @par Source  UsdGeomPrimvarsAPI::FindIncrementallyInheritablePrimvars.
SINEW_API std::vector<Primvar> inheritable_primvars(const stage::Prim& prim,
                                                    std::span<const Primvar> from_parent);

/// "normals", "widths", "velocities" and such: "primvars:NAME" of the prim if that has a value,
/// else the schema's attribute NAME if that does; else invalid.
SINEW_API Primvar find_schema_primvar(const stage::Prim& prim, std::string_view name);

/// How many elements a primvar of that interpolation has on a prim, by its topology at `time`.
///
/// constant: 1. uniform: faces of a Mesh, curves. vertex: points of anything point-based, of curves
/// the sum of curveVertexCounts. varying: points of a Mesh or Points; of BasisCurves the ends of
/// their segments, by type, basis and wrap; of HermiteCurves the points. face_varying: the
/// faceVertexIndices of a Mesh.
/// @return Nothing where the schema defines no number: the other combinations, or other types.
/// @par Source  UsdGeomMesh, UsdGeomBasisCurves (ComputeUniformDataSize and its siblings).
SINEW_API std::optional<std::size_t> expected_element_count(const stage::Prim& prim,
                                                            PrimvarInterpolation interpolation,
                                                            stage::Time time = {});

/// Checks that a primvar can be used on a prim at a time: it flattens, its elementSize is at least
/// 1 and divides its values, its interpolation is known, and it has as many elements as the
/// topology of the prim needs.
/// @param prim  The prim it is for: attribute().prim() or one below that inherits it.
/// @return ok; an error of Primvar::flattened(); invalid_argument for the elementSize or the
///         interpolation; or size_mismatch with both numbers.
SINEW_API Status check_primvar(const Primvar& primvar, const stage::Prim& prim,
                               stage::Time time = {});

}  // namespace sinew::geom
