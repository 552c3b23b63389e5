// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "sinew/core/types.hpp"
#include "sinew/physics/model.hpp"

namespace sinew::physics {

/// Which authored figures count.
enum class FiguresUse : std::uint8_t {
  literal,  ///< As OpenUSD has it: infinite ones too, and densities that are no number.
  finite,   ///< Finite ones only.
};

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
bool density_counts(float authored, FiguresUse use) noexcept;

MassFigures mass_figures(const MassNode& node, double inertia_threshold, FiguresUse use) noexcept;

}  // namespace sinew::physics
