// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include "sinew/core/export.hpp"
#include "sinew/physics/joint_forest.hpp"
#include "sinew/physics/link_joint.hpp"
#include "sinew/physics/mass_frame.hpp"
#include "sinew/physics/model.hpp"

namespace sinew::physics {

/// What a force along a degree of freedom has to accelerate with everything else at rest and
/// locked: the mass of all that the link carries, or its moment about the axis, as the file poses
/// it. It turns a drive that states an acceleration into one that states a force.
///
/// @param masses  Per body, mass_frame() of it; bodies beyond them weigh nothing.
/// @param link    Into forest.links.
/// @param joint   One of the joints of that link, by link_joint(); `dof` indexes its dofs.
/// @return Mass, or mass * distance^2.
/// @par Cost  O(links).
SINEW_API double effective_inertia(const PhysicsModel& model, const JointForest& forest,
                                   std::span<const MassFrame> masses, std::int32_t link,
                                   const LinkJoint& joint, std::size_t dof);

}  // namespace sinew::physics
