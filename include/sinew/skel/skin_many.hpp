// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include "sinew/core/executor.hpp"
#include "sinew/core/export.hpp"
#include "sinew/core/result.hpp"
#include "sinew/skel/packed_blend_shapes.hpp"

namespace sinew::skel {

/// Blends and skins the meshes of a character, or of many, as one job: the whole is cut into parts
/// of similar cost, so that threads share a body of 50,000 points and forty buttons evenly.
///
/// Every mesh is deformed as BlendAndSkinJob does, or, if its `shapes` are null, as SkinPointsJob
/// does with its `skin`, to the same bits. The job owns nothing and allocates nothing. Meshes may
/// share influences, shapes and palettes, but not outputs.
struct SINEW_API SkinManyJob {
  std::span<const BlendAndSkinJob> meshes = {};  ///< Complete jobs, each with outputs of its own.

  /// Validates every mesh; O(meshes).
  /// @return ok, or what is wrong with the first wrong mesh, naming it.
  Status validate() const;
  /// Validates, then deforms all meshes on the executor's threads, by default on this one. Nothing
  /// is written if validation fails.
  Status run(const Executor& executor = {}) const;
  /// Number of independent parts. O(meshes).
  std::size_t block_count() const;
  /// Deforms parts [first, last) only; different ranges may run at the same time. O(meshes), and
  /// what the parts cost. Precondition: validate() is ok and first <= last <= block_count().
  void run_blocks(std::size_t first, std::size_t last) const;
};

}  // namespace sinew::skel
