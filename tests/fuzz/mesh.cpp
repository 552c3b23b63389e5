// SPDX-License-Identifier: Apache-2.0
// Meshes and characters: whatever is there is cut into triangles, split into vertices, written to
// buffers, posed and deformed as a game would. Bounds of everything.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "fuzz/open_stage.hpp"
#include "fuzz/target.hpp"
#include "sinew/geom/bounds.hpp"
#include "sinew/geom/read_mesh.hpp"
#include "sinew/geom/triangles.hpp"
#include "sinew/geom/vertices.hpp"
#include "sinew/skel/read/bindings.hpp"
#include "sinew/skel/read/character.hpp"
#include "sinew/skel/read/vertex_buffer.hpp"
#include "sinew/stage/stage.hpp"

namespace {

using namespace sinew;

void write(const geom::Mesh& mesh, const geom::Vertices& vertices) {
  std::vector<std::byte> out(vertices.size() * 32);
  const geom::VertexField fields[] = {
      {{mesh.points, geom::PrimvarInterpolation::vertex}, 0}, {mesh.normals, 12}, {mesh.uvs, 24}};
  (void)geom::write_vertices(vertices, fields, 32, out);
}

void draw(const stage::Prim& prim, stage::Time time, Diagnostics& diagnostics) {
  const geom::Mesh mesh = geom::read_mesh(prim, time, &diagnostics);
  geom::Triangles triangles = geom::triangulate(mesh);
  (void)geom::group_by_subset(mesh, "materialBind", triangles);
  for (const std::uint32_t corner : triangles.corners) {
    fuzz::require(corner < mesh.face_indices.size(), "corners of triangles are corners");
  }
  fuzz::require(geom::smooth_normals(mesh, triangles).size() == mesh.points.size(),
                "every point has a smooth normal");
  const geom::VertexAttribute attributes[] = {mesh.normals, mesh.uvs};
  const auto vertices = geom::split_corners(mesh, triangles, attributes);
  if (!vertices) return;
  fuzz::require(vertices->indices.size() == triangles.corners.size(), "every corner has a vertex");
  for (const std::uint32_t index : vertices->indices) {
    fuzz::require(index < vertices->size(), "indices are of vertices");
  }
  write(mesh, *vertices);
}

void play(const skel::SkeletonBinding& binding, Diagnostics& diagnostics) {
  auto character = skel::Character::open(binding, diagnostics);
  if (!character) return;
  for (const stage::Time time : {stage::Time(1.5), stage::Time::default_time()}) {
    character->pose(time);
    character->deform();
    for (const skel::CharacterMesh& mesh : character->meshes()) {
      auto buffer = skel::make_vertex_buffer(binding, *mesh.target, time, {}, &diagnostics);
      if (!buffer) continue;
      fuzz::require(buffer->bytes.size() == buffer->vertices.size() * buffer->layout.stride,
                    "every vertex has its bytes");
      (void)skel::update_vertices(mesh, *buffer, buffer->bytes);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  stage::MemoryResolver resolver;
  Diagnostics diagnostics;
  // By its first bytes, whatever the name says.
  const stage::StagePtr stage = fuzz::open_stage(data, size, resolver, diagnostics, "a.usd");
  if (stage == nullptr) return 0;
  for (const stage::Prim& prim : stage->root().descendants()) {
    if (!prim.is_a(stage::SchemaType::mesh)) continue;
    draw(prim, stage::Time::default_time(), diagnostics);
    draw(prim, 1.5, diagnostics);
  }
  geom::BoundsCache bounds(1.5, {.diagnostics = &diagnostics});
  for (const stage::Prim& prim : stage->root().descendants()) (void)bounds.world_bound(prim);
  for (const skel::SkeletonBinding& binding : skel::read_bindings(*stage, diagnostics)) {
    play(binding, diagnostics);
  }
  return 0;
}
