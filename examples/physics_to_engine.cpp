// SPDX-License-Identifier: CC0-1.0
// Lists what an engine needs of a file, in the order in which it wants it: gravity, bodies as a
// forest with their masses and joints, shapes, and the pairs that never collide.
// simulate_mujoco.cpp and simulate_bullet.cpp do the same with a real one. Run: physics_to_engine
// FILE.usda

#include <cstdio>
#include <string>
#include <vector>

#include "sinew/physics/collision_classes.hpp"
#include "sinew/physics/initial_state.hpp"
#include "sinew/physics/joint_forest.hpp"
#include "sinew/physics/link_joint.hpp"
#include "sinew/physics/mass_frame.hpp"
#include "sinew/physics/pair_filter.hpp"
#include "sinew/physics/read/read_physics.hpp"

namespace {

using namespace sinew;

const char* name_of(const physics::PhysicsModel& model, std::int32_t body) {
  return body == physics::kNone ? "the world" : model.body(body).path.c_str();
}

void print_joint(const physics::PhysicsModel& model, std::int32_t index, std::int32_t child) {
  const physics::LinkJoint joint = physics::link_joint(model, index, child);
  std::printf("  %s to %s\n", model.joint(index).path.c_str(), name_of(model, joint.parent));
  for (const physics::LinkDof& dof : joint.dofs) {
    const Vector3d& axis = dof.axis_in_child;
    std::printf("    %s: axis (%.3f, %.3f, %.3f), starts at %.4f, from %.4f to %.4f\n",
                std::string(to_string(dof.dof)).c_str(), axis.x(), axis.y(), axis.z(), dof.start,
                dof.lower, dof.upper);
    if (!dof.drive.enabled) continue;
    std::printf("    driven to %.4f: stiffness %g, damping %g\n",
                static_cast<double>(dof.drive.target_position),
                static_cast<double>(dof.drive.stiffness), static_cast<double>(dof.drive.damping));
  }
}

void print_world(const physics::PhysicsModel& model, Diagnostics& diagnostics) {
  const physics::Gravity gravity = physics::model_gravity(model);
  const Vector3d g = (gravity.magnitude * gravity.direction).cast<double>();
  std::printf("gravity (%.2f, %.2f, %.2f) m/s^2\n", g.x(), g.y(), g.z());

  const std::vector<physics::BodyMass> masses = physics::body_masses(model, diagnostics);
  const physics::JointForest forest = physics::joint_forest(model);
  for (const physics::ForestLink& link : forest.links) {  // Parents come before children.
    const physics::RigidBody& body = model.body(link.body);
    const auto mass = physics::mass_frame(masses[static_cast<std::size_t>(link.body)]);
    const Vector3d p = body.pose.position.cast<double>();
    const bool stands =
        link.state == physics::LinkState::is_static || link.state == physics::LinkState::kinematic;
    std::printf("%s: %.3f kg at (%.2f, %.2f, %.2f), %zu shapes%s\n", body.path.c_str(), mass.mass,
                p.x(), p.y(), p.z(), body.shapes.size(), stands ? ", does not move" : "");
    for (const std::int32_t joint : link.joints) print_joint(model, joint, link.body);
  }
  std::printf("%zu joints close loops\n", forest.loop_joints.size());

  const auto filter = physics::PairFilter::build(model, diagnostics);
  const auto pairs = physics::excluded_body_pairs(model, filter);
  for (const auto& [a, b] : pairs.excluded) {
    std::printf("%s never collides with %s\n", name_of(model, a), name_of(model, b));
  }
  for (const auto& [a, b] : pairs.mixed) {
    std::printf("some shapes of %s collide with %s\n", name_of(model, a), name_of(model, b));
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: physics_to_engine FILE.usda\n");
    return 2;
  }
  Diagnostics diagnostics;
  const auto stage = stage::Stage::open(std::string(argv[1]), diagnostics);
  if (!stage) {
    std::fprintf(stderr, "%s\n", stage.error().message.c_str());
    return 1;
  }
  print_world(physics::read_physics(**stage, diagnostics).to_si(), diagnostics);
  for (const Diagnostic& diagnostic : diagnostics) {
    std::fprintf(stderr, "%s\n", format(diagnostic).c_str());
  }
}
