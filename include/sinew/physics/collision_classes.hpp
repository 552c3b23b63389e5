// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "sinew/core/export.hpp"
#include "sinew/physics/model.hpp"
#include "sinew/physics/pair_filter.hpp"

namespace sinew::physics {

/// Shapes sorted into classes, such that whether two collide depends on their classes alone: what
/// engines call layers.
struct CollisionClasses {
  std::size_t count = 0;  ///< Of classes, which are numbered from 0.
  /// Per shape; kNone for those that collide with nothing at all, invalid and switched off.
  std::vector<std::int32_t> class_of_shape;
  std::vector<bool> matrix;  ///< count * count, symmetric: whether two classes collide.

  /// Whether shapes of two classes collide: false if either is kNone. Precondition: both < count.
  bool collide(std::int32_t a, std::int32_t b) const noexcept {
    return a >= 0 && b >= 0 &&
           matrix[static_cast<std::size_t>(a) * count + static_cast<std::size_t>(b)];
  }
};

/// Finds classes that say the same as the filter of every pair that could meet. Two shapes of one
/// body, or two static ones, never do, so what the matrix says of them has no meaning.
///
/// Greedy in the order of shapes: not always the fewest.
/// @par Cost  O(shapes) for those that no rule speaks of, which share a class. For the others, r of
///            them: r^2 decisions, r bits of memory for each class.
SINEW_API CollisionClasses collision_classes(const PhysicsModel& model, const PairFilter& filter);

/// Classes as bits, for engines that let two shapes collide if the group of each is in the mask of
/// the other.
struct CollisionMasks {
  /// The bits of one shape; both 0 if its class is kNone.
  struct Masks {
    std::uint32_t group = 0;  ///< Its own bit; 0 collides with nothing.
    std::uint32_t mask = 0;   ///< Bits of the classes that it collides with.
  };
  std::vector<Masks> of_shape;  ///< Per shape.
  bool exact = true;            ///< Whether there were enough bits.
  /// Pairs of shapes that the masks let collide although the filter does not, or the other way
  /// round; the first `max_leftover` of them, and how many there are.
  std::vector<std::pair<std::int32_t, std::int32_t>> leftover;
  std::size_t leftover_count = 0;  ///< Of all such pairs, listed or not; 0 if exact.
};

/// @param bits  1 to 32. If there are more classes, those that differ least in what they collide
///              with are made one, and collide with what either collides with.
/// @par Cost    O(shapes + classes^2); more with too few bits: O(shapes^2 + classes^3).
SINEW_API CollisionMasks collision_masks(const PhysicsModel& model, const PairFilter& filter,
                                         const CollisionClasses& classes, int bits,
                                         std::size_t max_leftover = 1000);

/// Pairs of bodies none of whose shapes may collide.
struct ExcludedBodyPairs {
  using Pair = std::pair<std::int32_t, std::int32_t>;  ///< kNone, the static shapes, comes first.
  std::vector<Pair> excluded;                          ///< Pairs of which no two shapes collide.
  std::vector<Pair> mixed;  ///< Pairs of which some shapes collide and others do not.
};

/// Looks at the valid shapes that are not switched off. Static shapes, and those of disabled
/// bodies, count as shapes of one body, kNone.
/// @par Cost  O(bodies^2) plus the decisions for pairs of shapes that some rule may speak of.
SINEW_API ExcludedBodyPairs excluded_body_pairs(const PhysicsModel& model,
                                                const PairFilter& filter);

}  // namespace sinew::physics
