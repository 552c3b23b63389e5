// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sinew/core/buffer.hpp"
#include "sinew/core/export.hpp"
#include "sinew/core/types.hpp"

namespace sinew::physics {

/// The control cage of a mesh collider: views of arrays that live elsewhere, and their owners.
///
/// Reading from a stage copies nothing: the views point into the stage's own buffers, which
/// `owners` keeps alive. Engines with meshes of their own point the views at those and leave
/// `owners` empty. The contents are not trusted: indices may be out of range and counts may not
/// add up; the functions that use a mesh report that.
///
/// Not changed once shared; safe to read from any thread.
struct MeshGeometry {
  std::span<const Vector3f> points;            ///< Mesh space, unscaled.
  std::span<const std::int32_t> face_counts;   ///< (faceVertexCounts) Corners of each face.
  std::span<const std::int32_t> face_indices;  ///< (faceVertexIndices) Points of the corners.
  std::span<const std::int32_t> hole_faces;    ///< (holeIndices) Faces that are not there.
  bool left_handed = false;                    ///< (orientation) Faces wind clockwise.
  bool subdivided = false;                     ///< (subdivisionScheme) authored, and not "none".
  std::vector<Buffer> owners;                  ///< Keeps the views alive.

  /// A mesh that owns copies of its arrays.
  SINEW_API static std::shared_ptr<const MeshGeometry> copy_of(
      std::span<const Vector3f> points, std::span<const std::int32_t> face_counts,
      std::span<const std::int32_t> face_indices);
};

}  // namespace sinew::physics
