// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "sinew/physics/shape.hpp"

namespace sinew::geom {
struct Sphere;
struct Cube;
struct Capsule;
struct Cylinder;
struct Cone;
struct Plane;
}  // namespace sinew::geom

namespace sinew::physics {

/// What a shape of geom is as a collider, in single precision as descriptors are.
class UnderScale {
 public:
  /// A tapered shape has a radius at each end of its spine. The scale must outlive this.
  UnderScale(const Vector3f& scale, bool tapered) : scale_(scale), tapered_(tapered) {}

  /// The alternatives of geom::Shape, which this header does not need to know.
  template <typename Solid>
  Geometry operator()(const Solid& s) const {
    if constexpr (std::is_same_v<Solid, geom::Sphere>) {
      return SphereShape{radius(s.radius, scale_.cwiseAbs().maxCoeff())};
    } else if constexpr (std::is_same_v<Solid, geom::Cube>) {
      return CubeShape{scale_ * (std::fabs(static_cast<float>(s.size)) / 2.0F)};
    } else if constexpr (std::is_same_v<Solid, geom::Capsule>) {
      return round<CapsuleShape, Capsule1Shape>(s);
    } else if constexpr (std::is_same_v<Solid, geom::Cylinder>) {
      return round<CylinderShape, Cylinder1Shape>(s);
    } else if constexpr (std::is_same_v<Solid, geom::Cone>) {
      return ConeShape{radius(s.radius, across(s.axis)), half(s.height, s.axis), s.axis};
    } else {
      static_assert(std::is_same_v<Solid, geom::Plane>);
      return PlaneShape{s.axis};
    }
  }

 private:
  template <typename Straight, typename Tapered, typename Round>
  Geometry round(const Round& s) const {
    const float top = radius(s.radius_top, across(s.axis));
    const float half_height = half(s.height, s.axis);
    if (!tapered_) return Straight{top, half_height, s.axis};
    return Tapered{top, radius(s.radius_bottom, across(s.axis)), half_height, s.axis};
  }

  static float radius(double radius, float factor) {
    return std::fabs(static_cast<float>(radius) * factor);
  }
  float half(double height, Axis axis) const {
    return std::fabs(static_cast<float>(height) / 2.0F * scale_[static_cast<int>(axis)]);
  }
  // The larger of the two factors across an axis.
  float across(Axis axis) const {
    const int along = static_cast<int>(axis);
    return std::max(std::fabs(scale_[(along + 1) % 3]), std::fabs(scale_[(along + 2) % 3]));
  }

  const Vector3f& scale_;
  bool tapered_;
};

}  // namespace sinew::physics
