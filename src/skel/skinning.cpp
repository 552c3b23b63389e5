// SPDX-License-Identifier: Apache-2.0
#include "sinew/skel/skinning.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "skel/baked_skin.hpp"

namespace sinew::skel {

namespace {

/// Blocks that two passes over the same points take in turn, so that the second finds the tiles
/// and points still in the first-level cache.
constexpr std::size_t kBlocksPerTurn = 8;

/// Blocks worth a task: about a microsecond of work.
constexpr std::size_t kGrain = 64;

/// One kernel and what it reads.
struct Pass {
  SkinKernel kernel = nullptr;
  SkinArgs args;
};

/// A job translated for the kernels. Lives on the stack; for the constant form it holds the one
/// transform of the mesh, so it must not be copied.
struct Plan {
  Pass passes[2];
  std::size_t pass_count = 0;
  Affine34f constant_transform;
  Affine34f constant_normal_transform;

  Plan() = default;
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;

  void run(std::size_t first, std::size_t last) const {
    const std::size_t turn = pass_count > 1 ? kBlocksPerTurn : last - first;
    for (; first < last; first += turn) {
      for (std::size_t i = 0; i < pass_count; ++i) {
        passes[i].kernel(passes[i].args, first, std::min(first + turn, last));
      }
    }
  }
};

SkinStream stream(std::span<const Vector3f> in, std::span<Vector3f> out) {
  if (out.empty()) return {};
  return {in.front().data(), out.front().data()};
}

SkinStage stage(const PointTransform& transform) {
  SkinStage result;
  switch (transform.kind) {
    case PointTransform::Kind::identity:
      result.kind = SkinStage::none;
      break;
    case PointTransform::Kind::affine:
      result.kind = SkinStage::affine;
      break;
    case PointTransform::Kind::projective:
      result.kind = SkinStage::projective;
      break;
  }
  std::copy(std::begin(transform.m), std::end(transform.m), result.m);
  return result;
}

/// Arguments with the binding's influences in them.
SkinArgs influence_args(const BakedSkin& skin, bool streamed) {
  SkinArgs args;
  args.point_count = skin.point_count;
  args.streamed = streamed;
  switch (skin.form) {
    case BindingForm::blocks:
      args.blocks = skin.blocks.data();
      args.rows = skin.rows.data();
      args.tiles = reinterpret_cast<const float*>(skin.tiles.data());
      break;
    case BindingForm::rows:
      args.offsets = skin.offsets.data();
      args.influences = skin.influences.data();
      args.pivots = skin.pivots.data();
      break;
    case BindingForm::constant:
      break;
  }
  return args;
}

SkinKernel linear_kernel(const BakedSkin& skin, SkinOutput output) {
  if (skin.level == SimdLevel::scalar) return linear_scalar_kernel(output);
  return skin.form == BindingForm::rows ? linear_rows_kernel(skin.level, output)
                                        : linear_blocks_kernel(skin.level, output);
}

/// The weighted sum of the transforms in the constant form's only row.
Affine34f blend_constant(const BakedSkin& skin, std::span<const Affine34f> transforms) {
  Affine34f sum;
  std::fill(std::begin(sum.m), std::end(sum.m), 0.0F);
  for (const SkinInfluence& influence : skin.influences) {
    const Affine34f& transform = transforms[influence.joint];
    for (std::size_t i = 0; i < 12; ++i) sum.m[i] += influence.weight * transform.m[i];
  }
  return sum;
}

/// Adds a pass over the wanted streams of `args`, all moved by one palette.
void add_linear_pass(const BakedSkin& skin, std::span<const Affine34f> transforms, SkinArgs args,
                     Affine34f& constant_transform, Plan& plan) {
  const bool points = args.points.out != nullptr;
  const bool vectors = args.vectors[0].out != nullptr || args.vectors[1].out != nullptr;
  if (!points && !vectors) return;
  if (skin.form == BindingForm::constant) {
    constant_transform = blend_constant(skin, transforms);
    args.palette = constant_transform.m;
  } else {
    args.palette = transforms.empty() ? nullptr : transforms.front().m;
  }
  const SkinOutput output = !vectors  ? SkinOutput::points
                            : !points ? SkinOutput::vectors
                                      : SkinOutput::frame;
  plan.passes[plan.pass_count++] = {linear_kernel(skin, output), args};
}

void plan_linear(const SkinPointsJob& job, const BakedSkin& skin, Plan& plan) {
  SkinArgs args = influence_args(skin, job.output_use == OutputUse::streamed);
  const SkinPaletteView& palette = job.palette;
  const bool shared = palette.normal_transforms.empty() &&
                      palette.point_transform.kind == PointTransform::Kind::identity &&
                      palette.normal_transform.kind == PointTransform::Kind::identity;
  const SkinStream normals = stream(job.normals, job.normals_out);
  args.stage = stage(palette.point_transform);
  args.points = stream(job.points, job.points_out);
  args.vectors[0] = stream(job.tangents, job.tangents_out);
  if (shared) args.vectors[1] = normals;
  add_linear_pass(skin, palette.transforms, args, plan.constant_transform, plan);
  if (!shared) {
    args.points = args.vectors[0] = {};
    args.vectors[1] = normals;
    args.stage = stage(palette.normal_transform);
    add_linear_pass(
        skin, palette.normal_transforms.empty() ? palette.transforms : palette.normal_transforms,
        args, plan.constant_normal_transform, plan);
  }
}

void make_plan(const SkinPointsJob& job, Plan& plan) {
  const BakedSkin* skin = job.binding->baked();
  if (skin != nullptr) plan_linear(job, *skin, plan);
}

Status size_error(const char* member, std::size_t size, std::size_t expected) {
  return {ErrorCode::size_mismatch,
          fmt::format("{} has {} entries, but {} are needed.", member, size, expected)};
}

Status check_stream(const char* in_name, std::size_t in, const char* out_name, std::size_t out,
                    std::size_t n) {
  if (in != 0 && in != n) return size_error(in_name, in, n);
  if (out != in) return size_error(out_name, out, in);
  return {};
}

Status check_palette(const SkinPaletteView& palette, std::size_t joints) {
  if (palette.method == SkinningMethod::dual_quaternion) {
    return {ErrorCode::unsupported, "Dual quaternion skinning is not available yet."};
  }
  if (palette.transforms.size() != joints) {
    return size_error("palette.transforms", palette.transforms.size(), joints);
  }
  if (!palette.normal_transforms.empty() && palette.normal_transforms.size() != joints) {
    return size_error("palette.normal_transforms", palette.normal_transforms.size(), joints);
  }
  return {};
}

}  // namespace

Status SkinPointsJob::validate() const {
  if (binding == nullptr) return {ErrorCode::invalid_argument, "binding is null."};
  const std::size_t n = binding->point_count();
  if (points.empty() && normals.empty() && tangents.empty() && n != 0) {
    return size_error("points", 0, n);
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
  return check_palette(palette, binding->joint_count());
}

Status SkinPointsJob::run() const {
  return run(Executor{});
}

Status SkinPointsJob::run(const Executor& executor) const {
  Status status = validate();
  if (!status) return status;
  Plan plan;
  make_plan(*this, plan);
  parallel_for(executor, block_count(), kGrain,
               [&plan](std::size_t first, std::size_t last) { plan.run(first, last); });
  return status;
}

std::size_t SkinPointsJob::block_count() const {
  return binding == nullptr ? 0 : binding->block_count();
}

void SkinPointsJob::run_blocks(std::size_t first, std::size_t last) const {
  SINEW_ASSERT(validate());
  SINEW_ASSERT(first <= last && last <= block_count());
  Plan plan;
  make_plan(*this, plan);
  plan.run(first, last);
}

}  // namespace sinew::skel
