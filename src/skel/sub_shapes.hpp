// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "sinew/skel/packed_blend_shapes.hpp"

namespace sinew::skel {

/// All sub-shapes of a set, as they are packed.
inline std::vector<SubShapeDesc> sub_shapes_of(const BlendShapeSet& shapes) {
  std::vector<SubShapeDesc> result;
  for (std::size_t i = 0; i < shapes.sub_shape_count(); ++i) {
    const BlendShapeSet::Offsets offsets = shapes.sub_shape(i);
    result.push_back({offsets.offsets, offsets.normal_offsets, offsets.point_indices});
  }
  return result;
}

}  // namespace sinew::skel
