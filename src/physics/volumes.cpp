// SPDX-License-Identifier: Apache-2.0
#include "sinew/physics/volumes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <utility>

#include "sinew/physics/inertia.hpp"
#include "sinew/physics/tokens.hpp"

namespace sinew::physics {
namespace {

constexpr double kPi = std::numbers::pi;

// A solid of revolution around `axis`: inertia along and across the spine.
Solid revolved(double volume, double center, double along, double across, Axis axis) noexcept {
  const auto k = static_cast<int>(axis);
  Solid solid;
  solid.volume = volume;
  solid.center[k] = center;
  solid.inertia.diagonal().setConstant(across);
  solid.inertia(k, k) = along;
  return solid;
}

// The part of a ball around 0 beyond the plane u = a, cut at right angles to the axis u. Disc by
// disc with rho^2 = R^2 - u^2: V = int pi rho^2, M1 = int u pi rho^2, and so on.
struct Cap {
  double volume;
  double centroid;  // Along u from the ball's centre.
  double along;     // About the axis.
  double across;    // About a line across the axis through the ball's centre.

  Cap(double radius, double a) noexcept {
    const double r2 = radius * radius;
    const auto v = [&](double u) { return kPi * (r2 * u - u * u * u / 3.0); };
    const auto m1 = [&](double u) { return kPi * (r2 * u * u / 2.0 - u * u * u * u / 4.0); };
    const auto m2 = [&](double u) {
      return kPi * (r2 * u * u * u / 3.0 - u * u * u * u * u / 5.0);
    };
    const auto j = [&](double u) {
      return r2 * r2 * u - 2.0 / 3.0 * r2 * u * u * u + u * u * u * u * u / 5.0;
    };
    volume = v(radius) - v(a);
    centroid = volume > 0.0 ? (m1(radius) - m1(a)) / volume : 0.0;
    along = kPi / 2.0 * (j(radius) - j(a));
    across = kPi / 4.0 * (j(radius) - j(a)) + m2(radius) - m2(a);
  }
};

Vector3d along_axis(Axis axis, double value) noexcept {
  Vector3d v = Vector3d::Zero();
  v[static_cast<int>(axis)] = value;
  return v;
}

MassProperties of_density_one(const Solid& solid) noexcept {
  return {solid.volume, solid.inertia, solid.center};
}

Solid solid_from(const MassProperties& properties) noexcept {
  return {properties.mass, properties.center, properties.inertia};
}

double to_double(float value) noexcept {
  return static_cast<double>(value);
}

struct SolidOf {
  std::string_view path;
  Diagnostics& diagnostics;

  std::optional<Solid> operator()(const SphereShape& s) const {
    return solid_sphere(to_double(s.radius));
  }
  std::optional<Solid> operator()(const CubeShape& s) const {
    return solid_box(s.half_extents.cast<double>());
  }
  std::optional<Solid> operator()(const CapsuleShape& s) const {
    return solid_capsule(to_double(s.radius), to_double(s.half_height), s.axis);
  }
  std::optional<Solid> operator()(const Capsule1Shape& s) const {
    return solid_tapered_capsule(to_double(s.top_radius), to_double(s.bottom_radius),
                                 to_double(s.half_height), s.axis);
  }
  std::optional<Solid> operator()(const CylinderShape& s) const {
    return solid_cylinder(to_double(s.radius), to_double(s.half_height), s.axis);
  }
  std::optional<Solid> operator()(const Cylinder1Shape& s) const {
    return solid_frustum(to_double(s.top_radius), to_double(s.bottom_radius),
                         to_double(s.half_height), s.axis);
  }
  std::optional<Solid> operator()(const ConeShape& s) const {
    return solid_cone(to_double(s.radius), to_double(s.half_height), s.axis);
  }
  std::optional<Solid> operator()(const PlaneShape&) const { return Solid{}; }
  std::optional<Solid> operator()(const MeshShape& s) const {
    if (s.geometry == nullptr) return Solid{};
    return solid_mesh(*s.geometry, mesh_approximation(s.approximation), s.mesh_scale.cast<double>(),
                      path, diagnostics);
  }
  std::optional<Solid> operator()(const SpherePointsShape& s) const {
    return solid_sphere_points(s.sphere_points);
  }
  std::optional<Solid> operator()(const CustomShape&) const { return std::nullopt; }
};

}  // namespace

Solid solid_sphere(double radius) noexcept {
  const double r = std::abs(radius);
  const double volume = 4.0 / 3.0 * kPi * r * r * r;
  const double moment = 0.4 * volume * r * r;
  return revolved(volume, 0.0, moment, moment, Axis::x);
}

Solid solid_box(const Vector3d& half_extents) noexcept {
  const Vector3d h = half_extents.cwiseAbs();
  const Vector3d squares = h.cwiseProduct(h);
  Solid solid;
  solid.volume = 8.0 * h.prod();
  for (int i = 0; i < 3; ++i) {
    solid.inertia(i, i) = solid.volume / 3.0 * (squares[(i + 1) % 3] + squares[(i + 2) % 3]);
  }
  return solid;
}

Solid solid_cylinder(double radius, double half_height, Axis axis) noexcept {
  const double r2 = radius * radius;
  const double h = std::abs(half_height);
  const double volume = 2.0 * kPi * r2 * h;
  return revolved(volume, 0.0, volume * r2 / 2.0, volume * (r2 / 4.0 + h * h / 3.0), axis);
}

Solid solid_capsule(double radius, double half_height, Axis axis) noexcept {
  const double r = std::abs(radius);
  const double r2 = r * r;
  const double h = std::abs(half_height);
  const double tube = 2.0 * kPi * r2 * h;
  const double ball = 4.0 / 3.0 * kPi * r2 * r;
  const double along = tube * r2 / 2.0 + 0.4 * ball * r2;
  const double across = tube * (r2 / 4.0 + h * h / 3.0) + ball * (0.4 * r2 + h * h + 0.75 * h * r);
  return revolved(tube + ball, 0.0, along, across, axis);
}

Solid solid_cone(double radius, double half_height, Axis axis) noexcept {
  const double r2 = radius * radius;
  const double h = std::abs(half_height);
  const double volume = 2.0 / 3.0 * kPi * r2 * h;
  return revolved(volume, -h / 2.0, 0.3 * volume * r2, 0.15 * volume * (r2 + h * h), axis);
}

Solid solid_frustum(double top_radius, double bottom_radius, double half_height,
                    Axis axis) noexcept {
  const double t = std::abs(top_radius);
  const double b = std::abs(bottom_radius);
  const double h = std::abs(half_height);
  if (h == 0.0) return Solid{};
  // The radius at height z is m + k z.
  const double m = (t + b) / 2.0;
  const double k = (t - b) / (2.0 * h);
  const double h3 = h * h * h;
  const double h5 = h3 * h * h;
  const double volume = kPi * (2.0 * h * m * m + 2.0 / 3.0 * h3 * k * k);
  if (volume == 0.0) return Solid{};
  const double center = 4.0 / 3.0 * kPi * m * k * h3 / volume;
  const double j = 2.0 * h * m * m * m * m + 4.0 * h3 * m * m * k * k + 0.4 * h5 * k * k * k * k;
  const double across =
      kPi / 4.0 * j + kPi * (2.0 / 3.0 * h3 * m * m + 0.4 * h5 * k * k) - volume * center * center;
  return revolved(volume, center, kPi / 2.0 * j, across, axis);
}

Solid solid_tapered_capsule(double top_radius, double bottom_radius, double half_height,
                            Axis axis) noexcept {
  const double t = std::abs(top_radius);
  const double b = std::abs(bottom_radius);
  const double h = std::abs(half_height);
  const double kappa = h == 0.0 ? 0.0 : (b - t) / (2.0 * h);
  const double n = std::sqrt(1.0 + kappa * kappa);
  const Cap top(t * n, kappa * t);
  const Cap bottom(b * n, -kappa * b);

  const auto k = static_cast<int>(axis);
  // A cap's properties about its own centroid; `outward` is +1 at the top and -1 at the bottom.
  const auto part = [&](const Cap& cap, double ball_center, double outward) {
    MassProperties properties{cap.volume, Matrix3d::Zero(),
                              along_axis(axis, ball_center + outward * cap.centroid)};
    const double across = cap.across - cap.volume * cap.centroid * cap.centroid;
    properties.inertia.diagonal().setConstant(across);
    properties.inertia(k, k) = cap.along;
    return properties;
  };
  const std::array<MassProperties, 3> parts = {of_density_one(solid_frustum(t, b, h, axis)),
                                               part(top, h - kappa * t, 1.0),
                                               part(bottom, -h - kappa * b, -1.0)};
  return solid_from(sum_mass(parts));
}

Solid solid_sphere_points(std::span<const SpherePoint> points) noexcept {
  MassProperties whole{0.0, Matrix3d::Zero(), Vector3d::Zero()};
  for (const SpherePoint& point : points) {
    Solid ball = solid_sphere(to_double(point.radius));
    ball.center = point.scaled_center.cast<double>();
    const std::array<MassProperties, 2> parts = {whole, of_density_one(ball)};
    whole = sum_mass(parts);
  }
  return solid_from(whole);
}

MeshApproximation mesh_approximation(std::string_view token) noexcept {
  static constexpr std::array<std::pair<std::string_view, MeshApproximation>, 6> kTokens = {{
      {tokens::kNone, MeshApproximation::none},
      {tokens::kConvexDecomposition, MeshApproximation::convex_decomposition},
      {tokens::kConvexHull, MeshApproximation::convex_hull},
      {tokens::kBoundingSphere, MeshApproximation::bounding_sphere},
      {tokens::kBoundingCube, MeshApproximation::bounding_cube},
      {tokens::kMeshSimplification, MeshApproximation::mesh_simplification},
  }};
  for (const auto& [name, value] : kTokens) {
    if (name == token) return value;
  }
  return MeshApproximation::unknown;
}

std::optional<Solid> solid_of(const Shape& shape, Diagnostics& diagnostics) {
  if (!shape.is_valid) return std::nullopt;
  std::optional<Solid> solid = std::visit(SolidOf{shape.path, diagnostics}, shape.geometry);
  if (!solid) return std::nullopt;
  const double all = solid->volume + solid->center.sum() + solid->inertia.sum();
  if (!std::isfinite(all)) return std::nullopt;
  return solid;
}

}  // namespace sinew::physics
