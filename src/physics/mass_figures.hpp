// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "sinew/core/rules.hpp"
#include "sinew/core/types.hpp"
#include "sinew/physics/model.hpp"

namespace sinew::physics {

/// The authored figures of a prim that count, and the bits of those that do not.
struct MassFigures {
  std::optional<double> mass;
  std::optional<double> density;
  std::optional<Vector3d> center;   ///< In the body's frame.
  std::optional<Vector3d> inertia;  ///< Diagonal.
  std::optional<Quatd> axes;        ///< As authored.
  std::uint16_t ignored = 0;        ///< IgnoredFigure bits.
};

/// Whether an authored density means what it says.
/// @param rules  openusd: an infinite one too.
bool density_counts(float authored, Rules rules) noexcept;

MassFigures mass_figures(const MassNode& node, double inertia_threshold, Rules rules) noexcept;

}  // namespace sinew::physics
