// SPDX-License-Identifier: Apache-2.0
#pragma once
// `export` is a keyword, so the namespace of this module is `exporter`.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "sinew/core/export.hpp"
#include "sinew/core/result.hpp"
#include "sinew/core/types.hpp"

namespace sinew::exporter {

/// A mesh to write. Everything is a view; nothing is kept.
struct ObjMesh {
  std::string_view name = {};             ///< Group name; blanks become '_'.
  std::span<const Vector3f> points = {};  ///< n points, any space.
  std::span<const std::int32_t> face_vertex_counts =
      {};  ///< Corners of each face; < 3 is left out.
  std::span<const std::int32_t> face_vertex_indices = {};  ///< Point of each corner, 0-based.
  std::span<const Vector3f> normals = {};  ///< Empty, n (per point), or one per corner.
};

/// Wavefront OBJ text of several meshes, one group each. Numbers read back to the same float.
///
/// @return The text; or size_mismatch if the counts do not add up to the number of indices or the
///         normals fit neither points nor corners; or index_out_of_range; the message names the
///         mesh.
/// @par Cost  O(points + corners), memory in proportion.
SINEW_API Result<std::string> write_obj(std::span<const ObjMesh> meshes);

/// write_obj() into a file.
/// @return ok, an error of write_obj(), or io_failed.
SINEW_API Status write_obj_file(std::span<const ObjMesh> meshes, const std::string& file);

}  // namespace sinew::exporter
