// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sinew/core/diagnostic.hpp"
#include "sinew/core/export.hpp"
#include "sinew/physics/descriptors.hpp"
#include "sinew/physics/enums.hpp"
#include "sinew/physics/joint_frames.hpp"
#include "sinew/physics/model.hpp"

namespace sinew::physics {

/// A body of an articulation and the joint that holds it.
struct ArticulationLink {
  std::int32_t body = kNone;    ///< Index into PhysicsModel::rigid_bodies.
  std::int32_t parent = kNone;  ///< Index of a link earlier in the tree; kNone for the base.
  /// Joint to the parent; for the base of a fixed tree the joint to the world, else kNone.
  std::int32_t joint = kNone;
};

/// A mechanism in the form that reduced-coordinate solvers take: parents before children.
struct ArticulationTree {
  bool fixed_base = false;              ///< Bolted to the world by the base link's joint.
  std::vector<ArticulationLink> links;  ///< Breadth first from the base.
  /// The other joints of the mechanism: those that close loops, that are excluded from the
  /// articulation, and further anchors in the world. To be solved as ordinary constraints. A joint
  /// between two trees is listed with the first.
  std::vector<std::int32_t> loop_joints;
};

/// An articulation as the file states it, and as mechanisms to solve.
struct ResolvedArticulation {
  Articulation articulation;            ///< filtered_collision_paths is left empty.
  std::vector<ArticulationTree> trees;  ///< One for each of Articulation::root_prim_paths.
};

/// Finds the mechanisms below articulation roots, from the bodies and joints of a model.
///
/// A root body gives a free base, a root joint with one end in the world a fixed one. Any other
/// prim articulates every group of bodies below it that joints connect, and the root of each group
/// is chosen: a joint to the world, else the top of a nest of bodies, else the graph's centre.
/// Disabled and invalid joints and disabled bodies do not take part.
///
/// Documented rules: a root below another root is ignored with the error
/// physics-nested-articulation; a root joint may also end at a static prim; body_paths
/// lists the bodies and nothing else. openusd rules: both roots count; only a joint end without any
/// prim makes a fixed base; body_paths lists what the links are connected to, which has an
/// empty path for the world and leaves out a body without joints.
///
/// @param roots     Paths of the prims with the articulation root schema.
/// @param preorder  Indices of model.rigid_bodies in namespace order of the stage; empty if they
///                  are in that order already.
/// @return          One per root, in order; roots ignored as nested are left out. Without a root
///                  is_valid is false.
/// @par Cost        O(bodies + joints) in all, times log; an island with loops takes the product
///                  of its bodies and joints up to 4096 bodies. Larger islands with loops are
///                  centred by the spanning tree in which they were visited.
/// @par Source      UsdPhysics.ArticulationRootAPI and the parsing utilities.
SINEW_API std::vector<ResolvedArticulation> resolve_articulations(
    const PhysicsModel& model, std::span<const Text> roots, Diagnostics& diagnostics,
    std::span<const std::int32_t> preorder = {});

/// The trees of one articulation of a finished model.
SINEW_API std::vector<ArticulationTree> articulation_trees(const PhysicsModel& model,
                                                           const Articulation& articulation);

/// The joint that holds a link, its frame 0 on the parent and its frame 1 on the link, whichever
/// way round the file states them: `reversed` tells. The base of a free tree has no joint, so it
/// gets one from the world that leaves everything free.
SINEW_API NormalJoint link_joint(const PhysicsModel& model, const ArticulationLink& link) noexcept;

}  // namespace sinew::physics
