// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "sinew/core/simd.hpp"
#include "sinew/skel/skinning.hpp"
#include "support/random_skin.hpp"

namespace sinew::skel::test {

inline PackedInfluences pack(const RandomSkin& skin, SimdLevel level = SimdLevel::best) {
  const Result<PackedInfluences> packed =
      PackedInfluences::pack({.joint_indices = skin.joint_indices,
                              .joint_weights = skin.joint_weights,
                              .influences = skin.influences,
                              .joint_count = skin.joint_count(),
                              .level = level});
  EXPECT_TRUE(packed) << (packed ? "" : packed.error().message);
  return packed.value_or(PackedInfluences());
}

/// What a job writes.
struct Deformed {
  std::vector<Vector3f> points, normals, tangents;
};

/// The job that deforms everything, into memory of `out`.
inline SkinPointsJob skin_job(const RandomSkin& skin, const PackedInfluences& packed,
                              const SkinPaletteView& palette, Deformed& out) {
  for (std::vector<Vector3f>* values : {&out.points, &out.normals, &out.tangents}) {
    values->resize(skin.point_count());
  }
  return {.influences = &packed,
          .palette = palette,
          .points = skin.points,
          .points_out = out.points,
          .normals = skin.normals,
          .normals_out = out.normals,
          .tangents = skin.tangents,
          .tangents_out = out.tangents};
}

/// Gives a job the stream `from`, if wanted, with its result in `to`, where the stream itself is if
/// the job works in place.
inline void add_stream(bool wanted, bool in_place, const std::vector<Vector3f>& from,
                       std::vector<Vector3f>& to, std::span<const Vector3f>& in,
                       std::span<Vector3f>& result) {
  to.assign(wanted ? from.size() : 0, Vector3f(-7, -7, -7));
  if (wanted && in_place) to = from;
  if (wanted) in = in_place ? to : from;
  result = to;
}

}  // namespace sinew::skel::test
