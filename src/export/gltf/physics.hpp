// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "export/gltf/writer.hpp"
#include "sinew/physics/model.hpp"

namespace sinew::exporter {

Matrix4d matrix_of_pose(const physics::Pose& pose);
bool finite_pose(const physics::Pose& pose);

inline Json json_float(double value) {
  return json_number(static_cast<float>(value));
}
inline Json json_floats(const Vector3f& v) {
  return Json::list({json_number(v.x()), json_number(v.y()), json_number(v.z())});
}

/// A collider as a shape of KHR_implicit_shapes.
struct ColliderGeometry {
  Json shape;  ///< Null if it is none, or its size is not positive and finite.
  /// Turns the spine of the extension's shape, along Y, to that of the collider; for bounds of
  /// meshes moves it to their centre.
  Matrix4d shape_from_collider = Matrix4d::Identity();
};
ColliderGeometry collider_geometry(const physics::Shape& shape);

/// The limits and drives of a joint.
Json joint_description(const physics::Joint& joint);

}  // namespace sinew::exporter
