// SPDX-License-Identifier: Apache-2.0
#include "web/surface_mesh.hpp"

#include <cmath>

#include "sinew/geom/read_mesh.hpp"
#include "sinew/stage/stage.hpp"

namespace sinew::web {

namespace {

using geom::PrimvarInterpolation;

bool fits(const geom::MeshPrimvar<Vector3f>& normals) {
  return !normals.empty() && normals.interpolation != PrimvarInterpolation::constant;
}

Vector3f direction(const Eigen::Matrix3f& turn, const Vector3f& normal) {
  const Vector3f turned = turn * normal;
  const float length = turned.norm();
  return length > 0.0F ? Vector3f(turned / length) : turned;
}

/// The colour at a vertex: its own, that of its face, or the only one.
Vector3f color_at(const geom::MeshPrimvar<Vector3f>& colors, const geom::Vertices& vertices,
                  std::size_t vertex) {
  std::size_t element = vertices.points[vertex];
  if (colors.interpolation == PrimvarInterpolation::uniform) element = vertices.faces[vertex];
  if (colors.interpolation == PrimvarInterpolation::face_varying) {
    element = vertices.corners[vertex];
  }
  return element < colors.size() ? colors[element] : Vector3f::Constant(0.5F).eval();
}

}  // namespace

void SurfaceMesh::read(const stage::Prim& prim, stage::Time time,
                       geom::MaterialBindings& bindings) {
  mesh_ = geom::read_mesh(prim, time);
  triangles_ = geom::triangulate(mesh_);
  use_normals_ = mesh_.subdivision == geom::SubdivisionScheme::none && fits(mesh_.normals);
  // Cages are drawn as they are, for which authored normals are better than none.
  if (!mesh_.subdivision_authored && fits(mesh_.normals)) use_normals_ = true;
  read_colors(prim, time);

  const auto path_of = [&](const stage::Prim& from) {
    const geom::MaterialBinding found = bindings.resolve(from);
    return found.material ? found.material.path().str() : std::string();
  };
  groups_.clear();
  for (const geom::TriangleGroup& group :
       geom::group_by_subset(mesh_, "materialBind", triangles_).groups) {
    if (group.count == 0) continue;
    stage::Prim bound = prim;
    if (group.subset >= 0) {
      bound = prim.stage().prim(mesh_.subsets[static_cast<std::size_t>(group.subset)].path);
    }
    groups_.push_back({3 * group.first, 3 * group.count, path_of(bound ? bound : prim)});
  }

  std::vector<geom::VertexAttribute> attributes{mesh_.uvs, color_values_};
  if (use_normals_) attributes.emplace_back(mesh_.normals);
  const auto split_by = [this](std::span<const geom::VertexAttribute> differing) {
    return geom::split_corners(mesh_, triangles_, differing);
  };
  Result<geom::Vertices> split = split_by(attributes);
  if (!split) split = split_by({});  // Something lacks values.
  vertices_ = split ? *std::move(split) : geom::Vertices();

  points_.resize(3 * vertices_.size());
  normals_.resize(3 * vertices_.size());
  uvs_.clear();
  if (!mesh_.uvs.empty()) {
    if (const auto values = geom::vertex_values(vertices_, mesh_.uvs)) {
      uvs_.assign(values->front().data(), values->front().data() + 2 * values->size());
    }
  }
  colors_.clear();
  if (!color_values_.empty()) {
    colors_.reserve(3 * vertices_.size());
    for (std::size_t i = 0; i < vertices_.size(); ++i) {
      const Vector3f color = color_at(color_values_, vertices_, i);
      colors_.insert(colors_.end(), {color.x(), color.y(), color.z()});
    }
  }
}

void SurfaceMesh::read_colors(const stage::Prim& prim, stage::Time time) {
  color_.reset();
  color_values_ = geom::read_mesh_primvar<Vector3f>(prim, mesh_, "displayColor", time);
  if (color_values_.interpolation == PrimvarInterpolation::constant) {
    if (!color_values_.empty()) color_ = color_values_[0];
    color_values_ = {};
  }
}

std::span<const Vector3f> SurfaceMesh::smooth(std::span<const Vector3f> points) {
  geom::Mesh moved = mesh_;
  moved.points = points;
  smooth_ = geom::smooth_normals(moved, triangles_);
  return smooth_;
}

void SurfaceMesh::place(std::span<const Vector3f> points, std::span<const Vector3f> normals,
                        const Matrix4d& world) {
  if (points.size() != mesh_.points.size()) points = mesh_.points;
  const bool is_read = normals.empty() && use_normals_ && points.data() == mesh_.points.data();
  const bool per_corner = normals.size() == mesh_.face_indices.size() && !normals.empty() &&
                          normals.size() != points.size() && !vertices_.corners.empty();
  if (!is_read && !per_corner && normals.size() != points.size()) normals = smooth(points);

  const Eigen::Matrix4f to_world = world.cast<float>();
  const Eigen::Matrix3d linear = world.topLeftCorner<3, 3>();
  // The cofactors turn normals as the inverse transpose does, and exist always.
  Eigen::Matrix3d cofactors;
  for (int i = 0; i < 3; ++i) {
    cofactors.col(i) = linear.col((i + 1) % 3).cross(linear.col((i + 2) % 3));
  }
  const Eigen::Matrix3f turn = cofactors.cast<float>();
  for (std::size_t i = 0; i < vertices_.size(); ++i) {
    const std::size_t point = vertices_.points[i];
    const Vector3f& p = points[point];
    const Vector3f at = to_world.topLeftCorner<3, 3>() * p + to_world.topRightCorner<3, 1>();
    Vector3f normal;
    if (is_read) {
      std::size_t element = point;
      if (mesh_.normals.interpolation == PrimvarInterpolation::uniform) {
        element = vertices_.faces[i];
      } else if (mesh_.normals.interpolation == PrimvarInterpolation::face_varying) {
        element = vertices_.corners[i];
      }
      normal = element < mesh_.normals.size() ? mesh_.normals[element] : Vector3f::Zero().eval();
    } else {
      normal = normals[per_corner ? vertices_.corners[i] : point];
    }
    normal = direction(turn, normal);
    for (int k = 0; k < 3; ++k) {
      points_[3 * i + static_cast<std::size_t>(k)] = at[k];
      normals_[3 * i + static_cast<std::size_t>(k)] = normal[k];
    }
  }
}

void SurfaceMesh::spread(std::span<const float> per_point, std::vector<float>& per_vertex) const {
  per_vertex.assign(vertices_.size(), 0.0F);
  for (std::size_t i = 0; i < vertices_.size(); ++i) {
    const std::size_t point = vertices_.points[i];
    if (point < per_point.size()) per_vertex[i] = per_point[point];
  }
}

void SurfaceMesh::write_members(exporter::JsonSink& json) const {
  json.member("pointCount", point_count());
  json.member("vertexCount", vertex_count());
  json.member("triangleCount", triangles().size() / 3);
  json.member("doubleSided", mesh_.double_sided);
  json.key("color");
  if (color_) {
    json.value(*color_);
  } else {
    json.null();
  }
  json.key("groups");
  json.begin_array();
  for (const SurfaceGroup& group : groups_) {
    json.begin_object();
    json.member("first", group.first);
    json.member("count", group.count);
    json.key("material");
    if (group.material.empty()) {
      json.null();
    } else {
      json.value(group.material);
    }
    json.end_object();
  }
  json.end_array();
}

}  // namespace sinew::web
