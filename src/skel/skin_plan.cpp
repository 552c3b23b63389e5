// SPDX-License-Identifier: Apache-2.0
#include "skel/skin_plan.hpp"

#include <algorithm>

#include "skel/packed_influences_impl.hpp"

namespace sinew::skel {

namespace {

using Impl = PackedInfluencesAccess::Impl;

/// Blocks that two passes over the same points take in turn, so that the second finds the tiles
/// and points still in the first-level cache.
constexpr std::size_t kBlocksPerTurn = 8;

/// Where the rows of tiles begin if there are none: kernels add to it before they look how many.
constexpr float kNoTile[64] = {};

SkinStream stream(std::span<const Vector3f> in, std::span<Vector3f> out,
                  const PackedVectors* packed) {
  if (out.empty()) return {};
  const bool is_packed = packed != nullptr && !packed->empty();
  return {in.front().data(), out.front().data(), is_packed ? packed->floats().data() : nullptr};
}

void set_pre_transform(const PointTransform& transform, PreTransform& result) {
  switch (transform.kind) {
    case PointTransform::Kind::identity:
      result.kind = PreTransform::none;
      return;  // Of no kind, the matrix is not read.
    case PointTransform::Kind::affine:
      result.kind = PreTransform::affine;
      break;
    case PointTransform::Kind::projective:
      result.kind = PreTransform::projective;
      break;
  }
  std::copy(std::begin(transform.m), std::end(transform.m), result.m);
}

void set_influences(const Impl& skin, SkinArgs& args) {
  args.block_width = skin.width;
  args.point_count = skin.point_count;
  switch (skin.form) {
    case InfluenceForm::blocks:
      args.blocks = skin.blocks.data();
      args.rows = skin.rows.data();
      args.matrices = skin.matrices.data();
      args.tiles = skin.tiles.empty() ? kNoTile : reinterpret_cast<const float*>(skin.tiles.data());
      break;
    case InfluenceForm::rows:
      args.offsets = skin.offsets.data();
      args.influences = skin.influences.data();
      args.pivots = skin.pivots.data();
      break;
    case InfluenceForm::constant:
      break;
  }
}

// Whether rows are deformed in plain C++ at every level.
bool is_plain(const Impl& skin) {
  return skin.form == InfluenceForm::rows && skin.has_infinite_weight;
}

SkinKernel kernel(const Impl& skin, SkinningMethod method, SkinOutput output) {
  if (skin.level == SimdLevel::scalar || is_plain(skin)) return scalar_rows_kernel(output);
  // The constant form is one matrix by now, whatever the method.
  const bool linear = method == SkinningMethod::linear || skin.form == InfluenceForm::constant;
  if (skin.form != InfluenceForm::rows) {
    return linear ? linear_blocks_kernel(skin.level, output)
                  : dual_blocks_kernel(skin.level, output);
  }
  return linear ? linear_rows_kernel(skin.level, output) : scalar_rows_kernel(output);
}

/// Puts the blended matrix of the constant form's only row in the place of the joints.
void use_constant_matrix(const Impl& skin, float (&matrix)[12], SkinArgs& args) {
  SkinArgs row = args;
  row.offsets = skin.offsets.data();
  row.influences = skin.influences.data();
  row.pivots = skin.pivots.data();
  blend_row(row, 0, matrix);
  args.palette = matrix;
  args.motions = args.scales = nullptr;
}

/// Adds the next pass of the plan, whose arguments are complete, if any of its streams is wanted:
/// all are moved by the same joints.
void add_pass(const Impl& skin, SkinningMethod method, SkinPlan& plan) {
  SkinPass& pass = plan.passes[plan.pass_count];
  SkinArgs& args = pass.args;
  const bool points = args.points.out != nullptr;
  const bool vectors = args.vectors[0].out != nullptr || args.vectors[1].out != nullptr;
  if (!points && !vectors) return;
  if (skin.form == InfluenceForm::constant) {
    use_constant_matrix(skin, plan.constant_matrices[plan.pass_count], args);
  }
  args.moves_before_weighing = points && method == SkinningMethod::linear && is_plain(skin);
  const SkinOutput output = !vectors  ? SkinOutput::points
                            : !points ? SkinOutput::vectors
                                      : SkinOutput::frame;
  pass.kernel = kernel(skin, method, output);
  ++plan.pass_count;
}

template <typename T>
const float* floats(std::span<const T> values) {
  return values.empty() ? nullptr : reinterpret_cast<const float*>(values.data());
}

/// Whether normals move exactly as tangents do, so that one blended motion serves everything.
bool normals_follow_points(const SkinPaletteView& palette) {
  const bool own = palette.method == SkinningMethod::linear ? !palette.normal_transforms.empty()
                                                            : !palette.normal_motions.empty();
  if (own || palette.point_transform.kind != palette.normal_transform.kind) return false;
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 3; ++column) {
      const int i = 4 * row + column;
      if (palette.point_transform.m[i] != palette.normal_transform.m[i]) return false;
    }
  }
  return true;
}

}  // namespace

void SkinPlan::run(std::size_t first, std::size_t last) const {
  const std::size_t turn = pass_count > 1 ? kBlocksPerTurn : last - first;
  for (; first < last; first += turn) {
    for (std::size_t i = 0; i < pass_count; ++i) {
      passes[i].kernel(passes[i].args, first, std::min(first + turn, last));
    }
  }
}

void make_plan(const SkinPointsJob& job, SkinPlan& plan) {
  const Impl* skin = PackedInfluencesAccess::impl(*job.influences);
  if (skin == nullptr) return;
  const SkinPaletteView& palette = job.palette;
  const bool linear = palette.method == SkinningMethod::linear;
  const SkinStream normals = stream(job.normals, job.normals_out, job.packed_normals);
  const bool own_pass = normals.out != nullptr && !normals_follow_points(palette);

  SkinArgs& args = plan.passes[0].args;
  set_influences(*skin, args);
  args.streamed = job.output_use == OutputUse::streamed;
  set_pre_transform(palette.point_transform, args.pre_transform);
  const auto set_joints = [linear](std::span<const Affine34f> transforms,
                                   std::span<const DualQuaternionf> motions,
                                   std::span<const Linear33f> scales, SkinArgs& of) {
    of.palette = linear ? floats(transforms) : nullptr;
    of.motions = linear ? nullptr : floats(motions);
    of.scales = linear ? nullptr : floats(scales);
  };
  set_joints(palette.transforms, palette.motions, palette.scales, args);
  args.points = stream(job.points, job.points_out, job.packed_points);
  args.vectors[kTangentStream] = stream(job.tangents, job.tangents_out, job.packed_tangents);
  if (!own_pass) args.vectors[kNormalStream] = normals;
  add_pass(*skin, palette.method, plan);
  if (!own_pass) return;

  SkinArgs& own = plan.passes[plan.pass_count].args;
  own = args;
  set_pre_transform(palette.normal_transform, own.pre_transform);
  own.points = own.vectors[kTangentStream] = {};
  own.vectors[kNormalStream] = normals;
  if (linear ? !palette.normal_transforms.empty() : !palette.normal_motions.empty()) {
    set_joints(palette.normal_transforms, palette.normal_motions, palette.normal_scales, own);
  } else {
    set_joints(palette.transforms, palette.motions, palette.scales, own);
  }
  add_pass(*skin, palette.method, plan);
}

}  // namespace sinew::skel
