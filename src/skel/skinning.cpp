// SPDX-License-Identifier: Apache-2.0
#include "sinew/skel/skinning.hpp"

#include "skel/job.hpp"
#include "skel/skin_plan.hpp"

namespace sinew::skel {

namespace {

/// Blocks worth a task: about a microsecond of work.
constexpr std::size_t kSkinningGrain = 64;

Status check_palette(const SkinPaletteView& palette, std::size_t joints) {
  if (palette.method == SkinningMethod::linear) {
    if (Status s = check_size("palette.transforms", palette.transforms.size(), joints); !s)
      return s;
    return check_optional("palette.normal_transforms", palette.normal_transforms.size(), joints);
  }
  if (Status s = check_size("palette.motions", palette.motions.size(), joints); !s) return s;
  if (Status s = check_optional("palette.scales", palette.scales.size(), joints); !s) return s;
  if (Status s = check_optional("palette.normal_motions", palette.normal_motions.size(), joints);
      !s) {
    return s;
  }
  return check_optional("palette.normal_scales", palette.normal_scales.size(), joints);
}

/// Packed values must be those of a stream that is there, in blocks of the influences.
Status check_packed(std::string_view member, const PackedVectors* packed,
                    std::span<const Vector3f> values, const PackedInfluences& influences) {
  if (packed == nullptr || packed->empty()) return {};
  if (Status s = check_size(member, packed->size(), values.size()); !s) return s;
  if (packed->block_width() == influences.block_width()) return {};
  return {ErrorCode::invalid_argument,
          format_text("{} has blocks of {} values, but influences has blocks of {} points.", member,
                      packed->block_width(), influences.block_width())};
}

}  // namespace

Status SkinPointsJob::validate() const {
  if (influences == nullptr) return {ErrorCode::invalid_argument, "influences is null."};
  const std::size_t n = influences->point_count();
  if (points.empty() && normals.empty() && tangents.empty() && n != 0) {
    return check_size("points", 0, n);
  }
  if (Status s = check_stream("points", points.size(), "points_out", points_out.size(), n); !s) {
    return s;
  }
  if (Status s = check_stream("normals", normals.size(), "normals_out", normals_out.size(), n);
      !s) {
    return s;
  }
  if (Status s = check_stream("tangents", tangents.size(), "tangents_out", tangents_out.size(), n);
      !s) {
    return s;
  }
  if (Status s = check_packed("packed_points", packed_points, points, *influences); !s) return s;
  if (Status s = check_packed("packed_normals", packed_normals, normals, *influences); !s) return s;
  if (Status s = check_packed("packed_tangents", packed_tangents, tangents, *influences); !s) {
    return s;
  }
  return check_palette(palette, influences->joint_count());
}

Status SkinPointsJob::run(const Executor& executor) const {
  Status status = validate();
  if (!status) return status;
  SkinPlan plan;
  make_plan(*this, plan);
  parallel_for(executor, block_count(), kSkinningGrain,
               [&plan](std::size_t first, std::size_t last) { plan.run(first, last); });
  return status;
}

std::size_t SkinPointsJob::block_count() const {
  return influences == nullptr ? 0 : influences->block_count();
}

void SkinPointsJob::run_blocks(std::size_t first, std::size_t last) const {
  SINEW_ASSERT(validate());
  SINEW_ASSERT(first <= last && last <= block_count());
  SkinPlan plan;
  make_plan(*this, plan);
  plan.run(first, last);
}

}  // namespace sinew::skel
