// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <limits>

#include "commands.hpp"
#include "dialect_names.hpp"
#include "json_builder.hpp"
#include "sinew/export/physics_json.hpp"
#include "sinew/physics/collision_group_table.hpp"
#include "sinew/physics/describe.hpp"
#include "sinew/physics/mass.hpp"
#include "sinew/physics/read/read_physics.hpp"
#include "sinew/physics/units.hpp"

namespace sinew::tool {

namespace {

using namespace physics;

Json model_to_json(const PhysicsModel& model, Diagnostics& diagnostics) {
  Json document = Json::object();
  document["ok"] = true;
  JsonBuilder builder(document);
  exporter::write_physics_json(builder, model, body_masses(model, diagnostics),
                               exporter::PhysicsJsonForm::descriptors);
  const CollisionGroupTable table = CollisionGroupTable::build(model.group_prims, diagnostics);
  Json pairs = Json::array();
  for (const auto& [a, b] : table.disabled_pairs()) {
    pairs.push_back({table.group_paths()[a].str(), table.group_paths()[b].str()});
  }
  document["collisionGroupTable"] = std::move(pairs);
  return document;
}

void print_summary(const PhysicsModel& model) {
  if (model.scenes.empty() && !model.rigid_bodies.empty()) {
    const Gravity gravity = resolve_gravity(
        Vector3f::Zero(), -std::numeric_limits<float>::infinity(), model.units, model.rules);
    std::printf("no scene: gravity %g along (%g, %g, %g), that of the earth\n",
                static_cast<double>(gravity.magnitude), static_cast<double>(gravity.direction.x()),
                static_cast<double>(gravity.direction.y()),
                static_cast<double>(gravity.direction.z()));
  }
  for (const Scene& scene : model.scenes) {
    std::printf("%s: scene, gravity %g along (%g, %g, %g)\n", scene.path.c_str(),
                static_cast<double>(scene.gravity_magnitude),
                static_cast<double>(scene.gravity_direction.x()),
                static_cast<double>(scene.gravity_direction.y()),
                static_cast<double>(scene.gravity_direction.z()));
  }
  for (const RigidBody& body : model.rigid_bodies) {
    std::printf("%s: %s body, %zu shapes\n", body.path.c_str(),
                !body.rigid_body_enabled ? "disabled"
                : body.kinematic_body    ? "kinematic"
                                         : "dynamic",
                body.shape_paths.size());
  }
  for (const Shape& shape : model.shapes) {
    const std::string type(to_string(shape.type()));
    std::printf("%s: %s of %s%s\n", shape.path.c_str(), type.c_str(),
                shape.body_path.empty() ? "the world" : shape.body_path.c_str(),
                shape.is_valid ? "" : ", not usable");
  }
  for (const Joint& joint : model.joints) {
    const std::string type(to_string(joint.type()));
    const auto end = [](const Text& body) { return body.empty() ? "the world" : body.c_str(); };
    std::printf("%s: %s joint from %s to %s%s\n", joint.path.c_str(), type.c_str(),
                end(joint.ends[0].body_path), end(joint.ends[1].body_path),
                joint.is_valid ? "" : ", not valid");
  }
  for (const Site& site : model.sites) {
    std::printf("%s: marker of %s\n", site.path.c_str(),
                model.has_body(site.body) ? model.body(site.body).path.c_str() : "the world");
  }
  for (const Actuator& actuator : model.actuators) {
    std::printf("%s: actuator of %s\n", actuator.path.c_str(),
                actuator.joint == kNone ? "nothing" : model.joint(actuator.joint).path.c_str());
  }
  for (const Articulation& articulation : model.articulations) {
    std::printf("%s: articulation of %zu bodies and %zu joints%s\n", articulation.path.c_str(),
                articulation.body_paths.size(), articulation.joint_paths.size(),
                articulation.is_valid ? "" : ", without a root");
  }
}

bool is_empty(const PhysicsModel& model) {
  return model.scenes.empty() && model.rigid_bodies.empty() && model.shapes.empty() &&
         model.joints.empty() && model.articulations.empty() && model.group_prims.empty() &&
         model.materials.empty() && model.sites.empty() && model.actuators.empty();
}

}  // namespace

ExitStatus run_physics(const PhysicsOptions& options, Reporter& reporter) {
  ReadOptions reading;
  if (const std::string problem = parse_dialects(options.dialects, reading.dialects);
      !problem.empty()) {
    return reporter.usage_error("physics: " + problem);
  }
  Diagnostics diagnostics;
  const auto stage = open_stage(options.file, options.common, diagnostics);
  if (!stage) return reporter.open_failed(options.file, stage.error(), diagnostics);
  PhysicsModel model = read_physics(**stage, diagnostics, reading);
  if (options.si) model = model.to_si();
  if (options.json) {
    const Json document = model_to_json(model, diagnostics);
    add_places(diagnostics, **stage);
    reporter.report(diagnostics, options.file);
    print_json(document);
  } else {
    reporter.report(diagnostics, options.file);
    if (is_empty(model)) {
      std::printf("%s has no physics\n", options.file.c_str());
    } else if (options.fields) {
      std::fputs(describe(model).c_str(), stdout);
    } else {
      print_summary(model);
    }
  }
  return ExitStatus::success;
}

}  // namespace sinew::tool
