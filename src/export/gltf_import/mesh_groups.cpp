// SPDX-License-Identifier: Apache-2.0
// Primitives of a mesh as the arrays of prims.
#include "export/gltf_import/mesh_groups.hpp"

#include <algorithm>
#include <limits>
#include <map>

namespace sinew::exporter::gltf_import {

namespace {

using layer::ElementType;
using layer::Value;

MeshGroup::Kind kind_of(Mode mode) {
  switch (mode) {
    case Mode::points:
      return MeshGroup::Kind::points;
    case Mode::lines:
    case Mode::line_loop:
    case Mode::line_strip:
      return MeshGroup::Kind::curves;
    default:
      return MeshGroup::Kind::faces;
  }
}

// Corners of the triangles of a primitive.
void append_triangles(const Primitive& primitive, std::vector<std::int32_t>& corners) {
  const std::vector<std::uint32_t>& v = primitive.vertices;
  const auto add = [&](std::size_t a, std::size_t b, std::size_t c) {
    for (const std::size_t i : {a, b, c}) corners.push_back(static_cast<std::int32_t>(v[i]));
  };
  if (primitive.mode == Mode::triangles) {
    for (std::size_t i = 0; i + 2 < v.size(); i += 3) add(i, i + 1, i + 2);
  } else if (primitive.mode == Mode::strip) {
    for (std::size_t i = 0; i + 2 < v.size(); ++i) add(i, i + 1 + i % 2, i + 2 - i % 2);
  } else {
    for (std::size_t i = 0; i + 2 < v.size(); ++i) add(i + 1, i + 2, 0);
  }
}

class GroupMaker {
 public:
  GroupMaker(WriteContext& context, const Mesh& mesh)
      : context_(context), out_(*context.out), mesh_(mesh) {}

  void run(MeshGroup& group);

 private:
  void make_faces(MeshGroup& group);
  void make_curves(MeshGroup& group);
  void keep_used(MeshGroup& group, std::vector<std::int32_t>& corners);
  void make_vertices(MeshGroup& group);
  Value floats(const MeshGroup& group, const Floats& values, ElementType type, float factor = 1.0F);

  const VertexData& data(const MeshGroup& group) const {
    return mesh_.attributes[group.attributes];
  }

  WriteContext& context_;
  LayerOutput& out_;
  const Mesh& mesh_;
};

Value GroupMaker::floats(const MeshGroup& group, const Floats& values, ElementType type,
                         float factor) {
  if (group.vertices.empty() && factor == 1.0F) {
    return out_.array_of_floats(type, *values.values);
  }
  std::vector<float> own = gather(group, *values.values, values.width);
  scale_within_range(own, factor);
  return out_.array_of_floats(type, own);
}

// Many primitives may share one pool of vertices. A prim that uses less than half of them keeps
// only its own.
void GroupMaker::keep_used(MeshGroup& group, std::vector<std::int32_t>& corners) {
  const std::size_t count = data(group).attributes.positions.size();
  if (corners.size() >= count) return;
  std::vector<std::int32_t> sorted = corners;
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  if (2 * sorted.size() >= count) return;
  for (std::int32_t& corner : corners) {
    corner = static_cast<std::int32_t>(std::lower_bound(sorted.begin(), sorted.end(), corner) -
                                       sorted.begin());
  }
  group.vertices.assign(sorted.begin(), sorted.end());
}

void GroupMaker::make_faces(MeshGroup& group) {
  std::vector<std::int32_t> corners;
  std::vector<std::size_t> ends;
  std::size_t needed = 0;
  for (const Primitive* primitive : group.primitives) needed += primitive->vertices.size();
  if (!out_.budget().spend(3 * needed, sizeof(std::int32_t))) return;
  for (const Primitive* primitive : group.primitives) {
    append_triangles(*primitive, corners);
    ends.push_back(corners.size() / 3);
  }
  keep_used(group, corners);
  group.face_count = corners.size() / 3;
  const std::vector<std::int32_t> counts(group.face_count, 3);
  group.counts = out_.array(ElementType::int_, std::span<const std::int32_t>(counts));
  group.indices = out_.array(ElementType::int_, std::span<const std::int32_t>(corners));
  // Also of equal materials: what was apart stays so.
  if (group.primitives.size() < 2 || !context_.options().materials) return;
  std::size_t face = 0;
  for (const std::size_t end : ends) {
    std::vector<std::int32_t> faces;
    for (; face < end; ++face) faces.push_back(static_cast<std::int32_t>(face));
    group.face_sets.push_back(out_.array(ElementType::int_, std::span<const std::int32_t>(faces)));
  }
}

// Points of curves stand one after the other, so vertices that several curves use are repeated.
void GroupMaker::make_curves(MeshGroup& group) {
  const Primitive& primitive = *group.primitives.front();
  group.vertices = primitive.vertices;
  if (primitive.mode == Mode::lines && group.vertices.size() % 2 != 0) group.vertices.pop_back();
  const auto size = static_cast<std::int32_t>(group.vertices.size());
  std::vector<std::int32_t> counts;
  if (primitive.mode == Mode::lines) {
    counts.assign(group.vertices.size() / 2, 2);
  } else {
    counts.push_back(size);
  }
  group.counts = out_.array(ElementType::int_, std::span<const std::int32_t>(counts));
}

void GroupMaker::make_vertices(MeshGroup& group) {
  const Attributes& from = data(group).attributes;
  const auto per_metre = static_cast<float>(context_.per_metre);
  group.points = floats(group, from.positions, ElementType::float3, per_metre);
  const std::span<const Vector3f> points = group.points.as_array<Vector3f>();
  group.vertex_count = points.size();
  Range3f range;
  for (const Vector3f& point : points) range.add(point);
  const Vector3f corners[2] = {range.min, range.max};
  group.extent = out_.array(ElementType::float3, std::span<const Vector3f>(corners));
  if (from.normals) group.normals = floats(group, from.normals, ElementType::float3);
  if (from.tangents) group.tangents = floats(group, from.tangents, ElementType::float4);
  for (const Floats& uv : from.uvs) {
    if (!uv) {
      group.uvs.emplace_back();
      continue;
    }
    std::vector<float> flipped = gather(group, *uv.values, 2);
    for (std::size_t i = 1; i < flipped.size(); i += 2) flipped[i] = 1.0F - flipped[i];
    group.uvs.push_back(out_.array_of_floats(ElementType::float2, flipped));
  }
  if (from.colors.empty() || !from.colors.front()) return;
  const Floats& colors = from.colors.front();
  const std::vector<float> all = gather(group, *colors.values, colors.width);
  if (colors.width == 3) {
    group.colors = out_.array_of_floats(ElementType::float3, all);
    return;
  }
  std::vector<float> rgb;
  std::vector<float> alpha;
  for (std::size_t i = 0; i < all.size(); i += 4) {
    rgb.insert(rgb.end(), all.begin() + static_cast<std::ptrdiff_t>(i),
               all.begin() + static_cast<std::ptrdiff_t>(i + 3));
    alpha.push_back(all[i + 3]);
  }
  group.colors = out_.array_of_floats(ElementType::float3, rgb);
  const bool is_opaque =
      std::all_of(alpha.begin(), alpha.end(), [](float value) { return value == 1.0F; });
  if (!is_opaque) group.opacities = out_.array_of_floats(ElementType::float_, alpha);
}

void GroupMaker::run(MeshGroup& group) {
  if (group.is_made) return;
  group.is_made = true;
  switch (group.kind) {
    case MeshGroup::Kind::faces:
      make_faces(group);
      break;
    case MeshGroup::Kind::curves:
      make_curves(group);
      break;
    case MeshGroup::Kind::points:
      group.vertices = group.primitives.front()->vertices;
      break;
  }
  make_vertices(group);
  for (const Primitive* primitive : group.primitives) {
    if (primitive->material == kNothing) continue;
    const auto material = static_cast<std::size_t>(primitive->material);
    if (context_.document->materials[material].double_sided) group.is_double_sided = true;
  }
}

}  // namespace

void make_group(WriteContext& context, const Mesh& mesh, MeshGroup& group) {
  GroupMaker(context, mesh).run(group);
}

void group_primitives(WriteContext& context) {
  context.users.resize(context.document->meshes.size());
  for (std::size_t i = 0; i < context.document->nodes.size(); ++i) {
    const std::int32_t mesh = context.node(i).mesh;
    if (mesh != kNothing && context.document->in_scene[i]) {
      ++context.users[static_cast<std::size_t>(mesh)];
    }
  }
  for (const Mesh& mesh : context.document->meshes) {
    std::vector<MeshGroup>& groups = context.groups.emplace_back();
    std::map<std::int32_t, std::size_t> faces;
    for (const Primitive& primitive : mesh.primitives) {
      const MeshGroup::Kind kind = kind_of(primitive.mode);
      const bool is_faces = kind == MeshGroup::Kind::faces;
      const auto [found, is_new] = is_faces ? faces.try_emplace(primitive.attributes, groups.size())
                                            : std::pair(faces.end(), true);
      if (is_new) {
        MeshGroup& group = groups.emplace_back();
        group.kind = kind;
        group.attributes = static_cast<std::size_t>(primitive.attributes);
        group.primitives.push_back(&primitive);
      } else {
        groups[found->second].primitives.push_back(&primitive);
      }
    }
  }
}

void scale_within_range(std::vector<float>& numbers, float factor) {
  constexpr float kMost = std::numeric_limits<float>::max();
  for (float& number : numbers) number = std::clamp(number * factor, -kMost, kMost);
}

}  // namespace sinew::exporter::gltf_import
