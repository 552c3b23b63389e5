// SPDX-License-Identifier: Apache-2.0
#include "sinew/skel/skin_many.hpp"

#include <algorithm>

#include "core/format_text.hpp"
#include "sinew/core/assert.hpp"
#include "skel/job.hpp"
#include "skel/run_valid.hpp"

namespace sinew::skel {

namespace {

/// Parts worth a task: a few microseconds.
constexpr std::size_t kManyGrain = 2;

/// How much a point costs, in units of a point that is skinned linearly and has no directions.
std::size_t cost_per_point(const SkinPointsJob& skin) {
  const std::size_t directions =
      (skin.normals_out.empty() ? 0U : 1U) + (skin.tangents_out.empty() ? 0U : 1U);
  const std::size_t method = skin.palette.method == SkinningMethod::linear ? 1 : 2;
  return method * (1 + directions);
}

/// Blocks of a mesh that make a part. Those of blend shapes are large enough as they are.
std::size_t blocks_per_part(const BlendAndSkinJob& mesh) {
  if (mesh.shapes != nullptr) return 1;
  constexpr std::size_t kPointsPerPart = 4 * PackedBlendShapes::kBlockPoints;
  const std::size_t width = std::max<std::size_t>(mesh.skin.influences->block_width(), 1);
  return std::max<std::size_t>(kPointsPerPart / cost_per_point(mesh.skin) / width, 1);
}

std::size_t blocks_of(const BlendAndSkinJob& mesh) {
  return mesh.shapes != nullptr ? mesh.block_count() : mesh.skin.block_count();
}

std::size_t parts_of(const BlendAndSkinJob& mesh) {
  const std::size_t blocks = blocks_of(mesh);
  if (blocks == 0) return 0;
  return (blocks - 1) / blocks_per_part(mesh) + 1;
}

void run_blocks_of(const BlendAndSkinJob& mesh, std::size_t first, std::size_t last) {
  if (mesh.shapes != nullptr) {
    mesh.run_blocks(first, last);
  } else {
    mesh.skin.run_blocks(first, last);
  }
}

/// Runs parts [first, last) of one mesh.
void run_parts(const BlendAndSkinJob& mesh, std::size_t first, std::size_t last) {
  const std::size_t blocks = blocks_per_part(mesh);
  run_blocks_of(mesh, first * blocks, std::min(last * blocks, blocks_of(mesh)));
}

}  // namespace

void run_valid(const SkinManyJob& job, const Executor& executor) {
  if (executor.parallel_for == nullptr) {
    // Nothing to share out: small meshes cost less than counting their parts.
    for (const BlendAndSkinJob& mesh : job.meshes) run_blocks_of(mesh, 0, blocks_of(mesh));
    return;
  }
  run_all_blocks(job, executor, kManyGrain);
}

Status SkinManyJob::validate() const {
  for (std::size_t i = 0; i < meshes.size(); ++i) {
    const BlendAndSkinJob& mesh = meshes[i];
    const Status status = mesh.shapes != nullptr ? mesh.validate() : mesh.skin.validate();
    if (status) continue;
    return {status.error().code, format_text("Mesh {}: {}", i, status.error().message)};
  }
  return {};
}

Status SkinManyJob::run(const Executor& executor) const {
  Status status = validate();
  if (status) run_valid(*this, executor);
  return status;
}

std::size_t SkinManyJob::block_count() const {
  std::size_t count = 0;
  for (const BlendAndSkinJob& mesh : meshes) {
    if (mesh.skin.influences != nullptr) count += parts_of(mesh);
  }
  return count;
}

void SkinManyJob::run_blocks(std::size_t first, std::size_t last) const {
  SINEW_ASSERT(first <= last && last <= block_count());
  std::size_t begin = 0;  // First part of the mesh.
  for (const BlendAndSkinJob& mesh : meshes) {
    if (begin >= last) return;
    const std::size_t end = begin + parts_of(mesh);
    if (end > first) {
      run_parts(mesh, std::max(first, begin) - begin, std::min(last, end) - begin);
    }
    begin = end;
  }
}

}  // namespace sinew::skel
