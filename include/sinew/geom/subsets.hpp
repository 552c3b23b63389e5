// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/core/diagnostic.hpp"
#include "sinew/core/export.hpp"
#include "sinew/core/result.hpp"
#include "sinew/stage/attribute.hpp"
#include "sinew/stage/prim.hpp"
#include "sinew/stage/time.hpp"

namespace sinew::geom {

/// What the indices of a GeomSubset count.
enum class SubsetElement : std::uint8_t {
  face,         ///< Faces of a Mesh, or those that a TetMesh shows (surfaceFaceVertexIndices).
  point,        ///< Points of anything point-based.
  edge,         ///< Edges of a Mesh: two indices each, the points at the ends in any order.
  segment,      ///< Segments of BasisCurves: two indices each, the curve and the segment in it.
  tetrahedron,  ///< Tetrahedra of a TetMesh.
  unknown,      ///< A token that the schema does not have.
};

/// "face", ... "tetrahedron"; empty for unknown.
SINEW_API std::string_view to_string(SubsetElement element) noexcept;

/// What the subsets of a family may do together.
enum class SubsetFamilyType : std::uint8_t {
  unrestricted,     ///< Anything.
  non_overlapping,  ///< No element is in two subsets, or twice in one.
  partition,        ///< Every element is in exactly one.
};

/// A part of the elements of a geometric prim.
/// @par Source  UsdGeomSubset.
struct SINEW_API GeomSubset {
  stage::Prim prim;                             ///< The GeomSubset.
  SubsetElement element = SubsetElement::face;  ///< (elementType)
  std::string family;                           ///< Empty if it belongs to none.

  /// As authored: nothing is checked. Nothing if there is no value at that time, or no int[].
  std::optional<stage::ArrayValue<std::int32_t>> indices(stage::Time time = {}) const;
};

/// The subsets of a prim: its GeomSubset children that are active, not abstract and no mere `over`,
/// in order. Whether the prim itself is defined does not matter.
SINEW_API std::vector<GeomSubset> geom_subsets(const stage::Prim& prim);

/// Those of one family; "" for those that belong to none.
SINEW_API std::vector<GeomSubset> geom_subsets(const stage::Prim& prim, std::string_view family);

/// The families of the subsets of a prim, each once, in order; "" is not one.
SINEW_API std::vector<std::string> subset_families(const stage::Prim& prim);

/// What `subsetFamily:<family>:familyType` of a prim says; unrestricted if it says nothing that the
/// schema has.
SINEW_API SubsetFamilyType subset_family_type(const stage::Prim& prim, std::string_view family);

/// How many elements of a kind a prim has at a time. An edge that several faces share is one.
/// @return Nothing if prims of its type have no such elements.
/// @par Cost  O(1) for faces, points and tetrahedra; O(curves) for segments; O(n log n) and one
///            allocation for edges, n being the face vertices.
SINEW_API std::optional<std::size_t> subset_element_count(const stage::Prim& prim,
                                                          SubsetElement element,
                                                          stage::Time time = {});

/// Checks the subsets of a family that count one kind of element, at one time: that their indices
/// are int[], in pairs where elements are pairs, and name elements that exist; and that they keep
/// to the type of the family. Subsets without indices at that time are empty.
///
/// @param diagnostics  Every problem, of each kind once per subset: "geom-subset-indices",
///                     "geom-subset-range", "geom-subset-overlap", "geom-subset-partition". Null:
///                     not reported.
/// @return ok; or the first problem:
///         - not_found if there is no such subset;
///         - unsupported if prims of this type have no such elements;
///         - type_mismatch or size_mismatch for indices that are not an int[] or not pairs;
///         - index_out_of_range;
///         - invalid_argument if subsets overlap that must not, or leave elements out that a
///           partition must hold.
/// @par Cost    O(n log n) in the number of indices.
/// @par Source  UsdGeomSubset::ValidateFamily.
SINEW_API Status check_subset_family(const stage::Prim& prim, SubsetElement element,
                                     std::string_view family, stage::Time time = {},
                                     Diagnostics* diagnostics = nullptr);

/// The elements that are in no subset of a family, ascending: one index each, or two for edges and
/// segments. Indices that name no element are passed over.
/// @return The indices; unsupported if prims of this type have no such elements; or limit_exceeded
///         if there are more than 2^28 elements.
/// @par Source  UsdGeomSubset::GetUnassignedIndices.
SINEW_API Result<std::vector<std::int32_t>> unassigned_indices(const stage::Prim& prim,
                                                               SubsetElement element,
                                                               std::string_view family,
                                                               stage::Time time = {});

}  // namespace sinew::geom
