// SPDX-License-Identifier: CC0-1.0
// Skins the strip of the glTF tutorial "Skins": ten vertices and two joints, whose numbers a glTF
// loader would give. The second joint turns about z. Run: bend_gltf_skin [DEGREES]

#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "sinew/skel/gltf.hpp"
#include "sinew/skel/joint_transforms.hpp"
#include "sinew/skel/packed_influences.hpp"
#include "sinew/skel/skin_palette.hpp"
#include "sinew/skel/skinning.hpp"

namespace skel = sinew::skel;

namespace {

sinew::Matrix4d moved_up(double y) {
  sinew::Matrix4d m = sinew::Matrix4d::Identity();
  m(1, 3) = y;
  return m;
}

sinew::Status bend(double degrees, std::vector<sinew::Vector3f>& points) {
  // The skin: "joints", "inverseBindMatrices" and the nodes that they name.
  const auto skin = skel::import_gltf_skin({.names = {"lower", "upper"},
                                            .parents = {skel::kNoParent, 0},
                                            .local_transforms = {moved_up(0), moved_up(1)},
                                            .inverse_bind_matrices = {moved_up(0), moved_up(-1)}});
  if (!skin) return skin.error();

  // The accessors JOINTS_0 and WEIGHTS_0 of the primitive.
  std::vector<std::array<std::uint16_t, 4>> joints;
  std::vector<std::array<float, 4>> weights;
  for (int vertex = 0; vertex < 10; ++vertex) {
    const float upper = 0.25F * static_cast<float>(vertex / 2);
    joints.push_back({0, 1, 0, 0});
    weights.push_back({1.0F - upper, upper, 0.0F, 0.0F});
  }
  const skel::GltfInfluences set{joints, weights};
  const auto influences = skel::import_gltf_influences({&set, 1}, skin->joint_from_gltf);
  if (!influences) return influences.error();
  const auto packed = skel::PackedInfluences::pack({.joint_indices = influences->indices,
                                                    .joint_weights = influences->weights,
                                                    .influences = influences->influences,
                                                    .joint_count = skin->skeleton.joint_count()});
  if (!packed) return packed.error();

  // One frame: local transforms, skeleton space, skinning transforms, points.
  const double half = degrees * std::acos(-1.0) / 360.0;
  const sinew::Quatf turned(static_cast<float>(std::cos(half)), 0.0F, 0.0F,
                            static_cast<float>(std::sin(half)));
  const sinew::Half one(1.0F);
  std::vector<sinew::Matrix4d> pose(skin->skeleton.rest_transforms().begin(),
                                    skin->skeleton.rest_transforms().end());
  pose[1] = skel::make_transform({0, 1, 0}, turned, {one, one, one});
  sinew::Status status = skel::concat_joint_transforms(skin->skeleton.topology(), pose, pose);
  if (status) status = skel::skinning_transforms(skin->skeleton, pose, pose);
  if (!status) return status;

  skel::SkinPalette palette;
  palette.prepare_linear(pose, sinew::Matrix4d::Identity());
  skel::SkinPointsJob job;
  job.influences = &*packed;
  job.palette = palette.view();
  job.points = points;
  job.points_out = points;
  return job.run();
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<sinew::Vector3f> points;
  for (int row = 0; row < 5; ++row) {
    points.emplace_back(-0.5F, 0.5F * static_cast<float>(row), 0.0F);
    points.emplace_back(0.5F, 0.5F * static_cast<float>(row), 0.0F);
  }
  if (const sinew::Status status = bend(argc > 1 ? std::atof(argv[1]) : 45.0, points); !status) {
    std::fprintf(stderr, "%s\n", status.error().message.c_str());
    return 1;
  }
  for (const sinew::Vector3f& p : points) std::printf("%.6f %.6f %.6f\n", p.x(), p.y(), p.z());
  return 0;
}
