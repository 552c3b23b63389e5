// SPDX-License-Identifier: CC0-1.0
// Fills the world of an imaginary engine from a file: bodies with mass, shapes, joints, filters.
// Run: physics_to_engine FILE.usda

#include <cstdio>
#include <string>
#include <variant>
#include <vector>

#include "sinew/physics/mass.hpp"
#include "sinew/physics/pair_filter.hpp"
#include "sinew/physics/read/read_physics.hpp"

namespace {

using namespace sinew;

// What engines commonly take, in metres, kilograms, seconds and radians.
struct EngineBody {
  std::string name;
  Vector3f position;
  Quatf rotation;
  double mass = 0.0;
  Vector3d center_of_mass;
  bool moves = false;
};

struct EngineWorld {
  Vector3f gravity = Vector3f::Zero();
  std::vector<EngineBody> bodies;
  std::size_t boxes = 0;
  std::size_t other_shapes = 0;
  std::size_t joints = 0;
  std::size_t pairs_that_never_collide = 0;
};

EngineWorld fill(const physics::PhysicsModel& model, Diagnostics& diagnostics) {
  EngineWorld world;
  for (const physics::Scene& scene : model.scenes) {
    world.gravity = scene.gravity_magnitude * scene.gravity_direction;
  }
  const std::vector<physics::BodyMass> masses = physics::body_masses(model, diagnostics);
  for (std::size_t i = 0; i < model.rigid_bodies.size(); ++i) {
    const physics::RigidBody& body = model.rigid_bodies[i];
    world.bodies.push_back({body.path.str(), body.pose.position, body.pose.rotation, masses[i].mass,
                            masses[i].center_of_mass,
                            body.rigid_body_enabled && !body.kinematic_body});
  }
  for (const physics::Shape& shape : model.shapes) {
    if (!shape.is_valid) continue;
    // An engine would create its own shape here; sizes have the scale of the file applied.
    if (std::holds_alternative<physics::CubeShape>(shape.geometry)) {
      ++world.boxes;
    } else {
      ++world.other_shapes;
    }
  }
  for (const physics::Joint& joint : model.joints) {
    if (joint.is_valid && joint.joint_enabled) ++world.joints;
  }
  const auto filter = physics::PairFilter::build(model, diagnostics);
  const auto count = static_cast<std::int32_t>(model.shapes.size());
  for (std::int32_t a = 0; a < count; ++a) {
    for (std::int32_t b = a + 1; b < count; ++b) {
      if (!filter.collides(a, b)) ++world.pairs_that_never_collide;
    }
  }
  return world;
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
  const physics::PhysicsModel model = physics::read_physics(**stage, diagnostics).to_si();
  const EngineWorld world = fill(model, diagnostics);
  for (const Diagnostic& diagnostic : diagnostics) {
    std::fprintf(stderr, "%s\n", format(diagnostic).c_str());
  }
  std::printf("gravity (%.2f, %.2f, %.2f) m/s^2\n", static_cast<double>(world.gravity.x()),
              static_cast<double>(world.gravity.y()), static_cast<double>(world.gravity.z()));
  for (const EngineBody& body : world.bodies) {
    std::printf("%s: %.3f kg at (%.2f, %.2f, %.2f)%s\n", body.name.c_str(), body.mass,
                static_cast<double>(body.position.x()), static_cast<double>(body.position.y()),
                static_cast<double>(body.position.z()), body.moves ? "" : ", does not move");
  }
  std::printf("%zu boxes, %zu other shapes, %zu joints, %zu pairs never collide\n", world.boxes,
              world.other_shapes, world.joints, world.pairs_that_never_collide);
}
