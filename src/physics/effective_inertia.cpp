// SPDX-License-Identifier: Apache-2.0
#include "sinew/physics/effective_inertia.hpp"

#include "physics/shared/frames.hpp"
#include "physics/shared/indexed.hpp"
#include "sinew/physics/inertia.hpp"

namespace sinew::physics {

double effective_inertia(const PhysicsModel& model, const JointForest& forest,
                         std::span<const MassFrame> masses, std::int32_t link,
                         const LinkJoint& joint, std::size_t dof) {
  if (dof >= joint.dofs.size()) return 0.0;
  const LinkDof& open = joint.dofs[dof];
  const Posed child = body_frame(model, joint.child);
  const Vector3d axis = child.rotation * open.axis_in_child;
  const Vector3d pivot = child.position + child.rotation * joint.anchor;
  double sum = 0.0;
  for (const std::int32_t index : forest.links_below(link)) {
    const std::int32_t body = at(forest.links, index).body;
    if (!model.has_body(body) || static_cast<std::size_t>(body) >= masses.size()) continue;
    const MassFrame& mass = masses[static_cast<std::size_t>(body)];
    if (!open.is_rotation()) {
      sum += mass.mass;
      continue;
    }
    const Posed world = body_frame(model, body);
    const Matrix3d about_center = rotate_inertia(mass.inertia, world.rotation);
    const Vector3d arm = world.position + world.rotation * mass.center - pivot;
    sum += axis.dot(translate_inertia(about_center, mass.mass, arm) * axis);
  }
  return sum;
}

}  // namespace sinew::physics
