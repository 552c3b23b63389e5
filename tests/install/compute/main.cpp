// SPDX-License-Identifier: Apache-2.0
// Skins the numbers of a program of its own, and makes a collider of its mesh, without a file.
#include <cstdio>
#include <memory>
#include <vector>

#include "sinew/geom/mesh.hpp"
#include "sinew/physics/shape.hpp"
#include "sinew/skel/packed_influences.hpp"
#include "sinew/skel/skinning.hpp"

int main() {
  const std::vector<std::int32_t> joints = {0, 1};
  const std::vector<float> weights = {1.0F, 1.0F};
  const auto influences = sinew::skel::PackedInfluences::pack(
      {.joint_indices = joints, .joint_weights = weights, .influences = 1, .joint_count = 2});
  if (!influences) {
    std::printf("%s\n", influences.error().message.c_str());
    return 1;
  }
  std::vector<sinew::Affine34f> palette(2);
  palette[1].m[3] = 5.0F;  // The second joint moves along x.
  const std::vector<sinew::Vector3f> rest = {{0, 0, 0}, {1, 2, 3}};
  std::vector<sinew::Vector3f> deformed(2);

  sinew::skel::SkinPointsJob job;
  job.influences = &*influences;
  job.palette.transforms = palette;
  job.points = rest;
  job.points_out = deformed;
  if (const sinew::Status status = job.run(); !status) {
    std::printf("%s\n", status.error().message.c_str());
    return 1;
  }
  for (const sinew::Vector3f& p : deformed) std::printf("%g %g %g\n", p.x(), p.y(), p.z());
  job.points = {};
  std::printf("%s\n", job.validate().error().message.c_str());

  const std::vector<std::int32_t> counts = {2};
  sinew::physics::MeshShape collider;
  collider.geometry = std::make_shared<const sinew::geom::Mesh>(
      sinew::geom::Mesh::copy_of(deformed, counts, joints));
  std::printf("%zu points, subdivision %s\n", collider.geometry->points.size(),
              sinew::geom::to_string(collider.geometry->subdivision).data());
}
