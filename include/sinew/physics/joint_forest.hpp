// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sinew/core/export.hpp"
#include "sinew/physics/model.hpp"

namespace sinew::physics {

/// What holds a body in a forest of links.
enum class LinkState : std::uint8_t {
  free,            ///< Nothing: it moves on its own.
  jointed,         ///< Joints to its parent, or to the world.
  fixed_to_world,  ///< A joint without any freedom to the world.
  kinematic,       ///< Moved by animation.
  is_static,       ///< A disabled body: it never moves.
};

/// A body and what holds it.
struct ForestLink {
  std::int32_t body = kNone;    ///< Into PhysicsModel::rigid_bodies.
  std::int32_t parent = kNone;  ///< Index of a link earlier in the forest; kNone: the world.
  /// Into PhysicsModel::joints. One, or, where joints are stacked, several in the order in which
  /// they move the body; none for what is free, kinematic or static.
  std::vector<std::int32_t> joints;
  LinkState state = LinkState::free;  ///< How the body is held; free has no joints.
};

/// Which joints between the same two bodies make a chain instead of holding at the same time.
enum class StackedJoints : std::uint8_t {
  automatic,  ///< Where the file says so: see serial_joints().
  never,
  always,  ///< Wherever all are revolute or prismatic, enabled and not excluded.
};

/// How joint_forest() spans the bodies.
struct ForestOptions {
  StackedJoints stacked = StackedJoints::automatic;  ///< Which joints become a chain.
};

/// Every body of a model exactly once, each held by at most one joint or stack: what engines take
/// that build trees.
struct JointForest {
  std::vector<ForestLink> links;           ///< Parents before children.
  std::vector<std::int32_t> link_of_body;  ///< Per body, its link.
  /// The other enabled joints between two different things: those that close loops, those that are
  /// excluded from articulations, distance and custom joints. In the order of the model.
  std::vector<std::int32_t> loop_joints;

  /// Links at or below one, that one first, each after its parent. O(links).
  SINEW_API std::vector<std::int32_t> links_below(std::int32_t link) const;
};

/// Spans the bodies of a model by its joints.
///
/// Mechanisms below articulation roots keep the trees of articulation_trees() and come first; a
/// body that nothing in its tree holds hangs on what else holds it, the world first. Every
/// other body is spanned breadth first, those first that a joint connects with the world, a
/// disabled body or a static collider. Kinematic and disabled bodies hang on nothing. A kinematic
/// one holds nothing either, so joints to it are loop joints, unless it is the base of an
/// articulation, whose links hang on it. Joints with all six degrees of freedom open hold nothing.
///
/// @par Cost  O(bodies + joints), times log, and for each articulation what its islands take in
///            articulation_trees().
SINEW_API JointForest joint_forest(const PhysicsModel& model, const ForestOptions& options = {});

/// Whether several joints between the same two bodies are meant one after the other, as robot
/// formats stack them, and not all at once, which would weld the bodies: each is revolute or
/// prismatic, enabled and not excluded from articulations, and the file says so by
/// JointExtras::stacks.
/// @param joints  Into model.joints, at least two.
SINEW_API bool serial_joints(const PhysicsModel& model, const std::vector<std::int32_t>& joints,
                             StackedJoints stacked = StackedJoints::automatic) noexcept;

}  // namespace sinew::physics
