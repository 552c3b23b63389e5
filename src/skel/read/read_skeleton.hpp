// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "sinew/skel/read/bindings.hpp"
#include "sinew/stage/prim.hpp"
#include "skel/read/typed_reader.hpp"

namespace sinew::skel {

/// Reads a Skeleton prim. Null, with an error reported, if its joints do not form a valid
/// hierarchy. Poses that are missing or of the wrong length are reported and left out.
std::shared_ptr<const Skeleton> read_skeleton(const stage::Prim& prim, Reporter& reporter);

/// Reads the orders of a SkelAnimation prim and looks up its attributes.
std::shared_ptr<const StageAnimation> read_animation(const stage::Prim& prim, Reporter& reporter);

/// Reads the blend shapes that a relationship names, in its order. Targets that are not blend
/// shapes or inactive keep their place and contribute nothing.
std::shared_ptr<const BlendShapeSet> read_blend_shapes(const stage::Relationship& targets,
                                                       Reporter& reporter);

}  // namespace sinew::skel
