// SPDX-License-Identifier: Apache-2.0
#include "sinew/skel/read/vertex_buffer.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "core/format_text.hpp"
#include "sinew/geom/read_mesh.hpp"
#include "sinew/geom/triangles.hpp"
#include "sinew/skel/influences.hpp"
#include "skel/read/reporting_evaluate.hpp"
#include "skel/read/skeleton_influences.hpp"

namespace sinew::skel {
namespace {

using geom::PrimvarInterpolation;
using geom::VertexAttribute;

/// The influences of every point, as many as a vertex has.
struct PointInfluences {
  std::vector<std::uint16_t> joints;
  std::vector<float> weights;
};

/// Rows of `count` in place of rows of another number of influences.
Result<PointInfluences> cut_rows(std::span<const std::int32_t> indices,
                                 std::span<const float> weights, std::size_t influences,
                                 std::size_t count) {
  std::vector<std::int32_t> joints(indices.begin(), indices.end());
  PointInfluences result;
  result.weights.assign(weights.begin(), weights.end());
  const std::size_t kept = std::min(influences, count);
  Status status = keep_strongest_influences(joints, result.weights, influences, kept);
  if (status) status = resize_influences(joints, kept, count);
  if (status) status = resize_influences(result.weights, kept, count);
  if (!status) return std::move(status).error();
  result.joints.reserve(joints.size());
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const bool used = result.weights[i] != 0.0F;
    result.joints.push_back(used ? static_cast<std::uint16_t>(joints[i]) : std::uint16_t{0});
  }
  return result;
}

Status check_joints(std::span<const std::int32_t> joints, std::size_t joint_count) {
  return validate_joint_indices(joints, std::min(joint_count, std::size_t{1} << 16));
}

/// Bytes of a value per point, or of one for all of them.
template <typename T>
VertexAttribute rows_of(const std::vector<T>& values, std::size_t width, InfluenceScope scope) {
  VertexAttribute attribute(std::span<const T>(values), scope == InfluenceScope::per_point
                                                            ? PrimvarInterpolation::vertex
                                                            : PrimvarInterpolation::constant);
  attribute.size = width * sizeof(T);
  return attribute;
}

/// Puts the parts of a vertex one behind the other.
struct Fields {
  std::array<geom::VertexField, 5> all;
  std::size_t count = 0;
  std::size_t stride = 0;

  std::size_t add(const VertexAttribute& attribute) {
    if (attribute.values.empty()) return VertexLayout::kAbsent;
    const std::size_t offset = stride;
    all[count++] = {attribute, offset};
    stride += attribute.size;
    return offset;
  }
  std::span<const geom::VertexField> view() const { return std::span(all).first(count); }
};

}  // namespace

Result<VertexBuffer> make_vertex_buffer(const SkeletonBinding& binding, const SkinTarget& target,
                                        stage::Time time, const VertexBufferOptions& options,
                                        Diagnostics* diagnostics) {
  if (options.influences != 4 && options.influences != 8) {
    return {ErrorCode::invalid_argument,
            format_text("A vertex has 4 or 8 influences, not {}.", options.influences)};
  }
  Reporter reporter(target.prim, diagnostics, Reporter::Repeats::once_per_prim);
  const auto read = read_skeleton_influences(binding, target, time, reporter);
  if (!read) return read.error();
  const SkinnedPrim& skin = *target.skin;
  const std::span<const std::int32_t> indices = read->indices(skin);
  const std::span<const float> weights = read->authored.weights.span();
  const std::size_t points = read->points.size();
  if (!target.prim.is_a(stage::SchemaType::mesh) || points == 0) {
    return {ErrorCode::no_value,
            format_text("{} is no mesh with points.", target.prim.path().view())};
  }
  if (skin.scope == InfluenceScope::per_point && indices.size() / skin.influences != points) {
    return {ErrorCode::size_mismatch,
            format_text("{} has {} points but joint influences for {}.", target.prim.path().view(),
                        points, indices.size() / skin.influences)};
  }
  if (Status s = check_joints(indices, read->joint_count); !s) return std::move(s).error();
  const auto rows = cut_rows(indices, weights, skin.influences, options.influences);
  if (!rows) return rows.error();

  geom::ReadMeshOptions reading;
  reading.normals = options.normals;
  reading.uvs = options.uvs;
  reading.uv_name = options.uv_name;
  const geom::Mesh mesh = geom::read_mesh(target.prim, time, diagnostics, reading);
  geom::Triangles triangles = geom::triangulate(mesh);
  VertexBuffer buffer;
  buffer.groups = geom::group_by_subset(mesh, "materialBind", triangles).groups;
  std::vector<Vector3f> smooth;
  VertexAttribute normals = mesh.normals;
  if (options.normals && mesh.normals.empty()) {
    smooth = geom::smooth_normals(mesh, triangles);
    normals = {std::span<const Vector3f>(smooth), PrimvarInterpolation::vertex};
  }
  const std::array<VertexAttribute, 2> split = {normals, mesh.uvs};
  auto vertices = geom::split_corners(mesh, std::move(triangles), split);
  if (!vertices) return std::move(vertices).error();
  buffer.vertices = *std::move(vertices);

  Fields fields;
  buffer.layout.position = fields.add({mesh.points, PrimvarInterpolation::vertex});
  buffer.layout.normal = fields.add(normals);
  buffer.layout.uv = fields.add(mesh.uvs);
  buffer.layout.joints = fields.add(rows_of(rows->joints, options.influences, skin.scope));
  buffer.layout.weights = fields.add(rows_of(rows->weights, options.influences, skin.scope));
  buffer.layout.stride = fields.stride;
  buffer.bytes.resize(buffer.vertices.size() * fields.stride);
  if (Status s = geom::write_vertices(buffer.vertices, fields.view(), fields.stride, buffer.bytes);
      !s) {
    return std::move(s).error();
  }
  const WeightLoss loss = measure_weight_loss(weights, skin.influences, options.influences);
  buffer.influences = options.influences;
  buffer.geom_bind = read->geom_bind;
  buffer.has_still_joint = read->has_still_joint;
  buffer.largest_weight_lost = loss.largest;
  buffer.weight_lost_at = loss.point;
  return buffer;
}

Status update_vertices(const CharacterMesh& mesh, const VertexBuffer& buffer,
                       std::span<std::byte> out) {
  if (!mesh.skinned || mesh.points.empty()) {
    return {ErrorCode::no_value, "The mesh has no deformed points."};
  }
  // Where the value of each point is, as the indices of a primvar say it.
  const std::span<const std::int32_t> order(
      reinterpret_cast<const std::int32_t*>(mesh.new_from_old.data()), mesh.new_from_old.size());
  const geom::VertexAttribute points(mesh.points, PrimvarInterpolation::vertex, order);
  geom::VertexAttribute normals(mesh.normals, PrimvarInterpolation::vertex, order);
  if (mesh.normals_per_face_vertex) normals = {mesh.normals, PrimvarInterpolation::face_varying};
  std::array<geom::VertexField, 2> parts;
  std::size_t count = 0;
  parts[count++] = {points, buffer.layout.position};
  if (buffer.layout.normal != VertexLayout::kAbsent && !mesh.normals.empty()) {
    parts[count++] = {normals, buffer.layout.normal};
  }
  return geom::write_vertices(buffer.vertices, std::span(parts).first(count), buffer.layout.stride,
                              out);
}

}  // namespace sinew::skel
