// SPDX-License-Identifier: Apache-2.0
#include "sinew/skel/packed_vectors.hpp"

#include "skel/job.hpp"
#include "skel/kernels/skin_kernels.hpp"
#include "skel/packed_floats.hpp"

namespace sinew::skel {

Result<PackedVectors> PackedVectors::pack(std::span<const Vector3f> values,
                                          const PackedInfluences& influences) {
  if (Status s = check_size("values", values.size(), influences.point_count()); !s) {
    return std::move(s).error();
  }
  PackedVectors result;
  const std::size_t width = influences.block_width();
  if (values.empty() || influences.form() != InfluenceForm::blocks || width < kWideBlock) {
    return result;
  }
  result.count_ = values.size();
  result.width_ = width;
  result.blocks_ = zeroed_floats(influences.block_count() * 3 * width);
  float* const floats = floats_of(result.blocks_);
  for (std::size_t i = 0; i < values.size(); ++i) {
    put_lane(values[i], i % width, width, floats + i / width * 3 * width);
  }
  return result;
}

}  // namespace sinew::skel
