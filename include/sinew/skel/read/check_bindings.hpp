// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sinew/core/diagnostic.hpp"
#include "sinew/core/export.hpp"
#include "sinew/stage/stage.hpp"

namespace sinew::skel {

/// Checks where SkelBindingAPI is applied, without computing anything.
///
/// - skel-missing-binding-api: a prim has a property of the binding schema but the schema is not
///   applied. One per prim, naming the first such property. An error under Rules::openusd, where
///   the property has no effect; a warning under Rules::documented, where it does.
/// - skel-invalid-binding-api-apply: the schema is applied to a prim that is not a SkelRoot and
/// lies
///   below none. An error under Rules::openusd; a warning under Rules::documented, because turning
///   a SkelRoot into an Xform is how the documents switch skinning off.
///
/// Looks at active, defined, loaded prims that are not abstract; at what instances share, once.
///
/// @par Cost    One look at every prim.
/// @par Source  UsdSkel validators MissingSkelBindingAPI and InvalidSkelBindingAPIApply.
SINEW_API void check_bindings(const stage::Stage& stage, Diagnostics& diagnostics);

/// Reads everything that is bound to skeletons and deforms it once, at the earliest time, to find
/// what there is to say about it: invalid hierarchies, indices out of range, arrays that do not
/// fit, as reading and evaluating tell it, and what neither tells because it has a meaning, though
/// hardly the one that was wanted:
///
/// - skel-animation-joints, skel-animation-blend-shapes: joints of a SkelAnimation that the
///   skeleton has not, and blend shapes that no mesh has. A warning if that is all of them, so that
///   nothing moves ("Armature/Hips" for "Hips"); info if some, as where characters share a clip.
/// - skel-rotation-length: quaternions that are not of unit length within 0.001, in any sample.
/// - skel-weights-not-finite (an error), skel-weights-negative, skel-weights-missing (all 0),
///   skel-weights-sum (not 1 within 0.001): how many points, and the worst.
///
/// Prims that instances share are looked at once.
/// @par Cost    As read_bindings() and one frame of skinning; every sample of rotations is read.
SINEW_API void check_skinning(const stage::Stage& stage, Diagnostics& diagnostics);

}  // namespace sinew::skel
