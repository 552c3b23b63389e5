// SPDX-License-Identifier: Apache-2.0
#include "sinew/skel/packed_vectors.hpp"

#include <cstring>

#include "core/large_pages.hpp"
#include "skel/job.hpp"
#include "skel/kernels/skin_kernels.hpp"

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
  result.blocks_ = Buffer(influences.block_count() * 3 * width * sizeof(float));
  expect_large(result.blocks_.mutable_data(), result.blocks_.size());
  auto* const floats = reinterpret_cast<float*>(result.blocks_.mutable_data());
  std::memset(floats, 0, result.blocks_.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    float* const lane = floats + i / width * 3 * width + i % width;
    for (std::size_t c = 0; c < 3; ++c) {
      lane[c * width] = values[i][static_cast<Eigen::Index>(c)];
    }
  }
  return result;
}

}  // namespace sinew::skel
