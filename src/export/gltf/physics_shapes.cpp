// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "export/gltf/physics.hpp"
#include "sinew/physics/volumes.hpp"

namespace sinew::exporter {

namespace {

bool positive(float value) {
  return value > 0.0F && std::isfinite(value);
}
bool not_negative(float value) {
  return value >= 0.0F && std::isfinite(value);
}

// Y of the extension to the axis of the collider.
Matrix4d turned(Axis axis) {
  Matrix4d turn = Matrix4d::Identity();
  if (axis == Axis::x) {  // -90 degrees about Z.
    turn(0, 0) = turn(1, 1) = 0.0;
    turn(0, 1) = 1.0;
    turn(1, 0) = -1.0;
  } else if (axis == Axis::z) {  // 90 degrees about X.
    turn(1, 1) = turn(2, 2) = 0.0;
    turn(1, 2) = -1.0;
    turn(2, 1) = 1.0;
  }
  return turn;
}

/// "capsule" or "cylinder".
ColliderGeometry spine(const char* type, float half_height, float top, float bottom, Axis axis) {
  ColliderGeometry result;
  const float height = 2.0F * half_height;
  if (!not_negative(height) || !not_negative(top) || !not_negative(bottom) ||
      !(std::max(top, bottom) > 0.0F)) {
    return result;
  }
  const bool is_capsule = std::string_view(type) == "capsule";
  if (!is_capsule && !(height > 0.0F)) return result;
  result.shape["type"] = type;
  Json& data = result.shape[type];
  data["height"] = json_number(height);
  data["radiusBottom"] = json_number(bottom);
  data["radiusTop"] = json_number(top);
  result.shape_from_collider = turned(axis);
  return result;
}

ColliderGeometry box(const Vector3f& size, const Vector3f& centre) {
  ColliderGeometry result;
  if (!size.allFinite() || !(size.minCoeff() > 0.0F)) return result;
  result.shape["type"] = "box";
  result.shape["box"]["size"] = json_floats(size);
  result.shape_from_collider.block<3, 1>(0, 3) = centre.cast<double>();
  return result;
}

ColliderGeometry sphere(float radius, const Vector3f& centre) {
  ColliderGeometry result;
  if (!positive(radius)) return result;
  result.shape["type"] = "sphere";
  result.shape["sphere"]["radius"] = json_number(radius);
  result.shape_from_collider.block<3, 1>(0, 3) = centre.cast<double>();
  return result;
}

struct ShapeVisitor {
  ColliderGeometry operator()(const physics::SphereShape& s) const {
    return sphere(s.radius, Vector3f::Zero());
  }
  ColliderGeometry operator()(const physics::CubeShape& s) const {
    return box(2.0F * s.half_extents.cwiseAbs(), Vector3f::Zero());
  }
  ColliderGeometry operator()(const physics::CapsuleShape& s) const {
    return spine("capsule", s.half_height, s.radius, s.radius, s.axis);
  }
  ColliderGeometry operator()(const physics::Capsule1Shape& s) const {
    return spine("capsule", s.half_height, s.top_radius, s.bottom_radius, s.axis);
  }
  ColliderGeometry operator()(const physics::CylinderShape& s) const {
    return spine("cylinder", s.half_height, s.radius, s.radius, s.axis);
  }
  ColliderGeometry operator()(const physics::Cylinder1Shape& s) const {
    return spine("cylinder", s.half_height, s.top_radius, s.bottom_radius, s.axis);
  }
  ColliderGeometry operator()(const physics::ConeShape& s) const {
    return spine("cylinder", s.half_height, 0.0F, s.radius, s.axis);
  }
  ColliderGeometry operator()(const physics::PlaneShape& s) const {
    ColliderGeometry result;
    result.shape["type"] = "plane";
    result.shape["plane"] = Json::object();
    result.shape_from_collider = turned(s.axis);
    return result;
  }
  // Bounds are shapes; triangles and hulls are not.
  ColliderGeometry operator()(const physics::MeshShape& s) const {
    const physics::MeshApproximation kind = physics::mesh_approximation(s.approximation);
    const bool is_cube = kind == physics::MeshApproximation::bounding_cube;
    if ((!is_cube && kind != physics::MeshApproximation::bounding_sphere) ||
        s.geometry == nullptr) {
      return {};
    }
    Range3f range;
    for (const Vector3f& point : s.geometry->points) {
      const Vector3f scaled = point.cwiseProduct(s.mesh_scale);
      if (scaled.allFinite()) range.add(scaled);
    }
    if (range.empty()) return {};
    const Vector3f centre =
        (range.min.cast<double>() + range.max.cast<double>()).cast<float>() * 0.5F;
    if (is_cube) return box(range.max - range.min, centre);
    float radius = 0.0F;
    for (const Vector3f& point : s.geometry->points) {
      const Vector3f scaled = point.cwiseProduct(s.mesh_scale);
      if (scaled.allFinite()) radius = std::max(radius, (scaled - centre).norm());
    }
    return sphere(radius, centre);
  }
  ColliderGeometry operator()(const physics::SpherePointsShape&) const { return {}; }
  ColliderGeometry operator()(const physics::CustomShape&) const { return {}; }
};

}  // namespace

ColliderGeometry collider_geometry(const physics::Shape& shape) {
  return std::visit(ShapeVisitor(), shape.geometry);
}

}  // namespace sinew::exporter
