// SPDX-License-Identifier: CC0-1.0
// Deforms every mesh of a file by its skeleton and writes them, placed in the world, as OBJ.
// Run: deform_mesh FILE.usda TIME OUT.obj

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "sinew/export/obj.hpp"
#include "sinew/skel/read/bindings.hpp"
#include "sinew/skel/read/evaluate.hpp"
#include "sinew/stage/stage.hpp"

namespace {

struct Mesh {
  std::string name;
  std::vector<sinew::Vector3f> points;
  sinew::stage::ArrayValue<std::int32_t> counts;
  sinew::stage::ArrayValue<std::int32_t> indices;
};

// Everything that one skeleton deforms. Results of skinning are in skeleton space.
void deform(const sinew::skel::SkeletonBinding& binding, double time, std::vector<Mesh>& meshes,
            sinew::Diagnostics& diagnostics) {
  sinew::skel::SkeletonPose pose;
  sinew::skel::evaluate_pose(binding, time, pose, diagnostics);
  for (const auto& target : binding.targets) {
    const auto counts = target.prim.attribute("faceVertexCounts");
    const auto indices = target.prim.attribute("faceVertexIndices");
    sinew::skel::DeformedPrim deformed;
    sinew::skel::evaluate_target(target, pose, deformed, diagnostics);
    if (deformed.points.empty() || !counts || !indices) continue;
    Mesh mesh{target.prim.path().str(), std::move(deformed.points), {}, {}};
    mesh.counts = counts.get_array<std::int32_t>(time).value_or(mesh.counts);
    mesh.indices = indices.get_array<std::int32_t>(time).value_or(mesh.indices);
    const sinew::Affine34f world_from_skel(pose.world_from_skel);
    for (sinew::Vector3f& point : mesh.points) point = world_from_skel * point;
    meshes.push_back(std::move(mesh));
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: deform_mesh FILE.usda TIME OUT.obj\n");
    return 2;
  }
  sinew::Diagnostics diagnostics;
  const auto stage = sinew::stage::Stage::open(std::string(argv[1]), diagnostics);
  if (!stage) {
    std::fprintf(stderr, "%s\n", stage.error().message.c_str());
    return 1;
  }
  std::vector<Mesh> meshes;
  for (const auto& binding : sinew::skel::read_bindings(**stage, diagnostics)) {
    deform(binding, std::atof(argv[2]), meshes, diagnostics);
  }
  std::vector<sinew::exporter::ObjMesh> views;
  for (const Mesh& mesh : meshes) {
    views.push_back({.name = mesh.name,
                     .points = mesh.points,
                     .face_vertex_counts = mesh.counts.span(),
                     .face_vertex_indices = mesh.indices.span()});
  }
  for (const sinew::Diagnostic& diagnostic : diagnostics) {
    std::fprintf(stderr, "%s\n", sinew::format(diagnostic).c_str());
  }
  if (const auto status = sinew::exporter::write_obj_file(views, argv[3]); !status) {
    std::fprintf(stderr, "%s\n", status.error().message.c_str());
    return 1;
  }
  std::printf("%zu meshes\n", meshes.size());
  return 0;
}
