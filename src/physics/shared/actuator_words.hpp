// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "sinew/physics/dialects.hpp"

namespace sinew::physics {

/// The most numbers of a gain, a bias or a dynamics that MuJoCo takes.
inline constexpr std::size_t kMostLawNumbers = 10;

/// What the words of an actuator come to, or which of them first is none that is read.
enum class ActuatorWords : std::uint8_t {
  linear,   ///< Actuator itself says all of it.
  own_law,  ///< It has an ActuatorLaw.
  unknown_dynamics,
  unknown_gain,
  unknown_bias,
};

/// @param gain, bias, dynamics  Those of mjc:gainType, biasType and dynType, and of MJCF's
/// gaintype,
///                              biastype and dyntype.
inline ActuatorWords read_actuator_words(std::string_view gain, std::string_view bias,
                                         std::string_view dynamics) noexcept {
  // MuJoCo has code for the first, and asks the program about the second.
  const auto is_own = [](std::string_view word) { return word == "muscle" || word == "user"; };
  const auto is_affine_or = [&](std::string_view none, std::string_view word) {
    return word == none || word == "affine" || is_own(word);
  };
  if (!is_own(dynamics) && !parse_actuator_dynamics(dynamics)) {
    return ActuatorWords::unknown_dynamics;
  }
  if (!is_affine_or("fixed", gain)) return ActuatorWords::unknown_gain;
  if (!is_affine_or("none", bias)) return ActuatorWords::unknown_bias;
  return is_own(gain) || is_own(bias) || is_own(dynamics) ? ActuatorWords::own_law
                                                          : ActuatorWords::linear;
}

}  // namespace sinew::physics
