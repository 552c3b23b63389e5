// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "sinew/core/diagnostic.hpp"
#include "sinew/core/export.hpp"
#include "sinew/core/result.hpp"
#include "sinew/core/types.hpp"
#include "sinew/skel/read/bindings.hpp"
#include "sinew/stage/prim.hpp"
#include "sinew/stage/time.hpp"

namespace sinew::skel {

/// The box around the joints of a skeleton, in skeleton space.
/// @param moved_by  Moves the joints before they are measured; null: identity.
/// @return Nothing if the joints cannot be computed at that time.
SINEW_API std::optional<Range3f> skeleton_extent(const SkeletonBinding& binding, stage::Time time,
                                                 const Matrix4d* moved_by = nullptr,
                                                 Diagnostics* diagnostics = nullptr);

/// How far a prim reaches beyond the joints that deform it, at rest: what a box around the joints
/// must grow by to hold the prim too. The authored extent (or that of its type) is used, moved to
/// bind space; without one the answer is 0.
SINEW_API float extents_padding(const SkinTarget& target, const Skeleton& skeleton);

/// A box around everything skinned below a SkelRoot, in the space of the SkelRoot, without skinning
/// a point: a box around the joints of every bound skeleton, padded by the most that any of its
/// prims reaches beyond them. If nothing is bound, all skeletons below the SkelRoot count.
///
/// Where a skeleton stands is taken at the requested time under Rules::documented, and at the
/// default time under Rules::openusd.
///
/// @param moved_by  Applied to the SkelRoot's space; null: identity.
/// @return The box, empty if there is nothing; or bad_topology if a skeleton is invalid.
/// @par Source  UsdSkelRoot, extent computation.
SINEW_API Result<Range3f> skel_root_extent(const stage::Prim& skel_root, stage::Time time,
                                           Diagnostics& diagnostics,
                                           const Matrix4d* moved_by = nullptr);

}  // namespace sinew::skel
