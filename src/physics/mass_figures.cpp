// SPDX-License-Identifier: Apache-2.0
#include "physics/mass_figures.hpp"

#include <cmath>

#include "sinew/physics/mass.hpp"

namespace sinew::physics {
namespace {

constexpr double kAxesThreshold = 1e-5;

void read_if(bool counts, const std::optional<float>& authored, IgnoredFigure reason,
             std::optional<double>& figure, std::uint16_t& ignored) noexcept {
  if (!authored) return;
  if (counts) {
    figure = static_cast<double>(*authored);
  } else {
    ignored |= reason;
  }
}

}  // namespace

bool density_counts(float authored, FiguresUse use) noexcept {
  if (use == FiguresUse::literal) return !(authored <= 0.0F);
  return authored > 0.0F && std::isfinite(authored);
}

MassFigures mass_figures(const MassNode& node, double inertia_threshold, FiguresUse use) noexcept {
  MassFigures figures;
  if (!node.has_mass_api) return figures;
  const AuthoredMass& authored = node.authored;
  const float mass = authored.mass.value_or(0.0F);
  read_if(mass > 0.0F && (use == FiguresUse::literal || std::isfinite(mass)), authored.mass,
          kMassNotPositive, figures.mass, figures.ignored);
  read_if(density_counts(authored.density.value_or(0.0F), use), authored.density,
          kDensityNotPositive, figures.density, figures.ignored);
  if (authored.center_of_mass) {
    const Vector3f& center = *authored.center_of_mass;
    const Vector3d local = center.cwiseProduct(node.world_scale).cast<double>();
    const bool given = use == FiguresUse::literal ? center.allFinite() : local.allFinite();
    if (given) {
      const Vector3d turned = node.local_pose.rotation.cast<double>().toRotationMatrix() * local;
      // The frame of the body itself turns nothing, not even what is infinite.
      const bool is_body = node.parent == kNone;
      figures.center = node.local_pose.position.cast<double>() + (is_body ? local : turned);
    } else {
      figures.ignored |= kCenterNotFinite;
    }
  }
  if (authored.diagonal_inertia) {
    const Vector3d diagonal = authored.diagonal_inertia->cast<double>();
    const bool given = use == FiguresUse::literal || std::isfinite(diagonal.sum());
    if (given && diagonal.norm() > inertia_threshold) {
      figures.inertia = diagonal;
    } else {
      figures.ignored |= kInertiaTooSmall;
    }
  }
  if (authored.principal_axes) {
    const Quatd axes = authored.principal_axes->cast<double>();
    const bool given = use == FiguresUse::literal || std::isfinite(axes.coeffs().sum());
    if (given && (axes.vec().norm() > kAxesThreshold || std::abs(axes.w()) > kAxesThreshold)) {
      figures.axes = axes;
    } else {
      figures.ignored |= kAxesZero;
    }
  }
  return figures;
}

}  // namespace sinew::physics
