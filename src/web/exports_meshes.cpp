// SPDX-License-Identifier: Apache-2.0
// Characters and geometry: arrays that JavaScript looks at where they lie. They stay there as long
// as the stage.

#include "web/exports.hpp"

using namespace sinew;
using namespace sinew::web;

namespace {

WebCharacter* character_of(std::uint32_t handle, std::uint32_t index) {
  WebStage* const stage = handles().stage(handle);
  return stage == nullptr ? nullptr : stage->character(index);
}

/// An array of a mesh, by the number that sinew.js has for it.
enum class MeshArray : std::uint32_t { points, normals, uvs, colors, triangles, instances };

void show(const SurfaceMesh& mesh, MeshArray which, Answer* answer) {
  switch (which) {
    case MeshArray::points:
      return answer->show(mesh.points());
    case MeshArray::normals:
      return answer->show(mesh.normals());
    case MeshArray::uvs:
      return answer->show(mesh.uvs());
    case MeshArray::colors:
      return answer->show(mesh.colors());
    case MeshArray::triangles:
      return answer->show(mesh.triangles());
    case MeshArray::instances:
      return;
  }
}

}  // namespace

/// Poses a character and deforms its meshes.
SINEW_WEB_EXPORT(sinew_pose)(std::uint32_t handle, std::uint32_t index, double time)->void {
  if (WebCharacter* const character = character_of(handle, index)) {
    character->pose(time_of(time));
  }
}

/// Which pose the next sinew_pose() shows; see ShownPose.
SINEW_WEB_EXPORT(sinew_show_pose)
(std::uint32_t handle, std::uint32_t index, std::uint32_t which)->void {
  if (WebCharacter* const character = character_of(handle, index)) {
    character->show(which == 1   ? ShownPose::rest
                    : which == 2 ? ShownPose::bind
                                 : ShownPose::animated);
  }
}

/// Weights of blend shapes instead of the animation's; none: the animation's.
SINEW_WEB_EXPORT(sinew_set_blend_weights)
(std::uint32_t handle, std::uint32_t index, const float* weights, std::uint32_t count)->void {
  if (WebCharacter* const character = character_of(handle, index)) {
    character->set_blend_weights({weights, count});
  }
}

/// Matrices of the joints, and the weights of blend shapes.
SINEW_WEB_EXPORT(sinew_joints)(std::uint32_t handle, std::uint32_t index, Answer* answer)->void {
  if (const WebCharacter* const character = character_of(handle, index)) {
    answer->show(character->joint_world());
    answer->show_more(character->blend_weights());
  }
}

/// Parents of the joints.
SINEW_WEB_EXPORT(sinew_parents)(std::uint32_t handle, std::uint32_t index, Answer* answer)->void {
  if (const WebCharacter* const character = character_of(handle, index)) {
    answer->show(character->parents());
  }
}

/// An array of a mesh that a character deforms.
SINEW_WEB_EXPORT(sinew_target_array)
(std::uint32_t handle, std::uint32_t index, std::uint32_t target, std::uint32_t which,
 Answer* answer)
    ->void {
  const WebCharacter* const character = character_of(handle, index);
  const SurfaceMesh* const mesh = character == nullptr ? nullptr : character->mesh(target);
  if (mesh != nullptr) show(*mesh, static_cast<MeshArray>(which), answer);
}

/// How much a joint moves each vertex of a target, until the next call.
SINEW_WEB_EXPORT(sinew_joint_weights)
(std::uint32_t handle, std::uint32_t index, std::uint32_t target, std::uint32_t joint,
 Answer* answer)
    ->void {
  if (WebCharacter* const character = character_of(handle, index)) {
    answer->show(character->joint_weights(target, joint));
  }
}

/// Moves what no skeleton moves.
SINEW_WEB_EXPORT(sinew_pose_meshes)(std::uint32_t handle, double time)->void {
  if (WebStage* const stage = handles().stage(handle)) stage->pose_meshes(time_of(time));
}

/// Where those meshes are.
SINEW_WEB_EXPORT(sinew_mesh_matrices)(std::uint32_t handle, Answer* answer)->void {
  if (WebStage* const stage = handles().stage(handle)) answer->show(stage->meshes().matrices());
}

/// An array of one of them.
SINEW_WEB_EXPORT(sinew_mesh_array)
(std::uint32_t handle, std::uint32_t index, std::uint32_t which, Answer* answer)->void {
  WebStage* const stage = handles().stage(handle);
  if (stage == nullptr || index >= stage->meshes().meshes().size()) return;
  const StaticMesh& mesh = stage->meshes().meshes()[index];
  if (static_cast<MeshArray>(which) == MeshArray::instances) {
    return answer->show(std::span<const float>(mesh.copies));
  }
  show(mesh.mesh, static_cast<MeshArray>(which), answer);
}
