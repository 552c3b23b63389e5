// SPDX-License-Identifier: Apache-2.0
// The walk of the validation pass, and the rules for bodies, colliders and articulations.
#include "sinew/physics/read/check_physics.hpp"

#include <algorithm>
#include <limits>

#include "core/format_text.hpp"
#include "core/shortest_text.hpp"
#include "physics/read/checker.hpp"
#include "physics/read/reader.hpp"
#include "physics/read/scale.hpp"
#include "sinew/geom/transforms.hpp"
#include "sinew/physics/decompose.hpp"
#include "sinew/physics/units.hpp"

namespace sinew::physics {

using stage::Prim;
using stage::SchemaType;

bool is_placed_at_times_alone(const Prim& prim) {
  const stage::Attribute order = prim.attribute("xformOpOrder");
  if (!order) return false;
  const layer::Value operations = order.value();
  for (const Token operation : operations.as_array<Token>()) {
    const stage::Attribute attribute = prim.attribute(operation.view());
    if (attribute && attribute.has_authored_value() && !attribute.value().has_value()) return true;
  }
  return false;
}

void Checker::run() {
  visit(stage_.root(), {});
  if (!has_bodies_) return;
  const stage::Metrics& metrics = stage_.metrics();
  if (!metrics.has_meters_per_unit) {
    report(Severity::info, "physics-units-assumed", stage_.root(),
           format_text("There are rigid bodies but no metersPerUnit: a unit is taken to be {} m.",
                       metrics.meters_per_unit),
           "Write metersPerUnit in the metadata of the root layer.");
  }
  if (has_scene_) return;
  StageUnits units;
  units.up_axis = parse_axis(metrics.up_axis).value_or(Axis::z);
  units.meters_per_unit = metrics.meters_per_unit;
  const Gravity gravity = resolve_gravity(Vector3f::Zero(), -std::numeric_limits<float>::infinity(),
                                          units, stage_.rules());
  report(Severity::info, "physics-no-scene", stage_.root(),
         format_text("There are rigid bodies but no PhysicsScene: gravity is taken to be {} along "
                     "({}, {}, {}), that of the earth.",
                     rounded_text(gravity.magnitude), gravity.direction.x(), gravity.direction.y(),
                     gravity.direction.z()),
         "Add a PhysicsScene to say which gravity is meant.");
}

void Checker::report(Severity severity, std::string_view code, const Prim& prim,
                     std::string message, std::string_view hint) {
  reporter_.add(severity, code, prim, std::move(message), hint);
}

void Checker::report(Severity severity, std::string_view code, const stage::Property& property,
                     std::string message, std::string_view hint) {
  reporter_.add(severity, code, property, std::move(message), hint);
}

bool Checker::has_api(const Prim& prim, std::string_view schema) const {
  if (prim.has_api(schema)) return true;
  return std::any_of(
      options_.api_schemas.begin(), options_.api_schemas.end(), [&](const ApiSchema& own) {
        return std::find(own.includes.begin(), own.includes.end(), schema) != own.includes.end() &&
               prim.has_api(own.name);
      });
}

bool Checker::is_custom(const Prim& prim) const {
  return std::any_of(options_.shape_tokens.begin(), options_.shape_tokens.end(),
                     [&](const std::string& token) {
                       return prim.type_name().view() == token || prim.has_api(token);
                     });
}

void Checker::visit(const Prim& prim, const Context& parent) {
  Context context = parent;
  if (!prim.is_root()) {
    properties_.collect(prim);
    if (prim.is_a(SchemaType::xformable)) {
      const geom::LocalTransform local = geom::local_transform(prim, {}, nullptr);
      context.world = local.resets_stack ? local.parent_from_prim
                                         : Matrix4d(parent.world * local.parent_from_prim);
      context.reset_since_body = context.reset_since_body || local.resets_stack;
      if (local.resets_stack) context.timed = {};
      if (is_placed_at_times_alone(prim)) context.timed = prim;
    }
    const bool is_body = has_api(prim, tokens::kRigidBodyApi);
    const bool collides = has_api(prim, tokens::kCollisionApi);
    has_bodies_ = has_bodies_ || is_body;
    has_scene_ = has_scene_ || prim.is_a(SchemaType::physics_scene);
    if (is_body || collides) check_place(prim, context.timed);
    if (is_body) check_body(prim, parent, context);
    if (collides) check_collider(prim, context);
    if ((is_body || collides) && has_api(prim, tokens::kMassApi)) check_mass(prim);
    if (has_api(prim, tokens::kArticulationRootApi)) check_articulation(prim, context);
    if (joint_schema(prim) != SchemaType::unknown) check_joint(prim);
    if (has_api(prim, tokens::kMaterialApi)) {
      for (const Name& name :
           {names_.static_friction, names_.dynamic_friction, names_.restitution, names_.density}) {
        check_finite(prim, name);
        check_not_negative(prim, name, "physics-negative-value", Severity::warning);
      }
    }
    check_relations(prim, is_body || collides);
  }
  for (Prim child = prim.first_child(); child; child = child.next_sibling()) {
    if (child.matches(stage::Traversal::with_instance_proxies())) visit(child, context);
  }
}

// Bodies that only animation moves are written so.
void Checker::check_place(const Prim& prim, const Prim& timed) {
  if (!timed || !timed_told_.insert(timed.node()).second) return;
  report(flag(prim, names_.kinematic_enabled, false) ? Severity::info : Severity::warning,
         "physics-place-at-times", timed,
         "Its transform has values at times alone; physics is read at the default time, at which "
         "it places nothing.",
         "Give its operations a default value, that of the start.");
}

void Checker::check_body(const Prim& prim, const Context& parent, Context& context) {
  const bool enabled = flag(prim, names_.rigid_body_enabled, true);
  const bool kinematic = flag(prim, names_.kinematic_enabled, false);
  if (!prim.is_a(SchemaType::xformable)) {
    report(Severity::error, "physics-rigid-body-non-xformable", prim,
           format_text("A prim of type '{}' has no transform, so as a rigid body it cannot move.",
                       prim.type_name().view()),
           "Apply PhysicsRigidBodyAPI to an Xform or to geometry.");
  }
  if (prim.is_instance_proxy() && enabled && !kinematic) {
    report(Severity::error, "physics-rigid-body-non-instanceable", prim,
           "The rigid body lies below an instance, whose contents cannot move on their own.",
           "Make the prim that is instanced the body, or set instanceable = false.");
  }
  const Decomposition world = decompose(context.world);
  if (!is_uniform(world.scale) && !is_axis_aligned(world)) {
    report(documented() ? Severity::warning : Severity::error,
           "physics-rigid-body-orientation-scale", prim,
           format_text("Its world scale of ({}, {}, {}) acts along directions that are not the "
                       "prim's axes, which bodies cannot represent.",
                       world.scale.x(), world.scale.y(), world.scale.z()),
           "Scale uniformly above rotated prims.");
  }
  if (ignores_nested_bodies_of(options_, stage_.rules()) && parent.in_body && parent.body_enabled &&
      !context.reset_since_body) {
    report(Severity::error, "physics-nested-body", prim,
           "The rigid body lies inside an enabled rigid body and is ignored.",
           "Add !resetXformStack! to its xformOpOrder, or move it out.");
  } else {
    context.in_body = true;
    context.body_enabled = enabled;
    context.body_kinematic = kinematic;
    context.reset_since_body = false;
  }
  check_finite(prim, names_.velocity);
  check_finite(prim, names_.angular_velocity);
}

// Documented rules: along its spine a shape may have a scale of its own.
bool Checker::follows_along_spine(const Prim& prim, const Vector3d& scale) const {
  if (!documented() || prim.is_a(SchemaType::sphere) || prim.is_a(SchemaType::points)) return false;
  layer::Value made;
  const layer::Value* axis = value(prim, names_.axis, made, stage::tokens_read(stage_.rules()));
  std::optional<std::string_view> text;
  if (axis != nullptr) text = axis->text();
  return is_uniform_across(scale, text ? parse_axis(*text).value_or(Axis::x) : Axis::z);
}

void Checker::check_collider(const Prim& prim, const Context& context) {
  if (is_custom(prim)) return;
  if (!prim.is_a(SchemaType::gprim)) {
    if (joint_schema(prim) != SchemaType::unknown) return;
    report(Severity::warning, "physics-unknown-collider-geometry", prim,
           format_text("A prim of type '{}' has no geometry to collide with.",
                       prim.type_name().view()),
           "Apply PhysicsCollisionAPI to the geometry below it.");
    return;
  }
  if (prim.is_a(SchemaType::plane) && context.in_body && context.body_enabled &&
      !context.body_kinematic) {
    report(Severity::error, "physics-collider-plane-dynamic", prim,
           "An infinite plane belongs to a rigid body that moves.",
           "Make the body kinematic, or use a thin box.");
  }
  const Vector3d scale = decompose(context.world).scale;
  if (is_round(prim) && !is_uniform(scale) && !follows_along_spine(prim, scale)) {
    report(documented() ? Severity::warning : Severity::error, "physics-collider-non-uniform-scale",
           prim,
           format_text("A {} cannot follow its world scale of ({}, {}, {}).",
                       prim.type_name().view(), scale.x(), scale.y(), scale.z()),
           "Scale uniformly, or use a mesh.");
  }
  if (documented() && !prim.is_a(SchemaType::plane) && is_skewed(context.world.block<3, 3>(0, 0))) {
    report(Severity::warning, "physics-skewed-collider", prim,
           "Its world transform skews the collider, which no shape can follow.",
           "Scale uniformly above rotated prims.");
  }
  if (prim.is_a(SchemaType::points)) check_sphere_points(prim);
  if (has_api(prim, tokens::kMeshCollisionApi)) {
    check_token(prim, names_.approximation,
                {"none", tokens::kConvexDecomposition, tokens::kConvexHull, tokens::kBoundingSphere,
                 tokens::kBoundingCube, tokens::kMeshSimplification});
  }
  for (const Name& name :
       {names_.radius, names_.radius_top, names_.radius_bottom, names_.height, names_.size}) {
    check_finite(prim, name);
  }
  check_token(prim, names_.axis, {tokens::kX, tokens::kY, tokens::kZ});
}

void Checker::check_sphere_points(const Prim& prim) {
  // What is of another type is there, but has nothing in it.
  const auto count = [&](std::string_view name,
                         stage::ValueTypes wanted) -> std::optional<std::size_t> {
    const stage::Attribute attribute = prim.attribute(name);
    if (!attribute || !attribute.has_authored_value()) return std::nullopt;
    return attribute.value({}, wanted).size();
  };
  const Rules rules = stage_.rules();
  const stage::ValueTypes floats = stage::arrays_read_as<float>(rules);
  const std::size_t points = count("points", stage::arrays_read_as<Vector3f>(rules)).value_or(0);
  std::string_view source = "primvars:widths";
  std::optional<std::size_t> widths = count(source, floats);
  if (!widths) {
    source = "widths";
    widths = count(source, floats);
  } else if (*widths != 0) {
    widths = count("primvars:widths:indices", stage::arrays_read_as<std::int32_t>(rules))
                 .value_or(*widths);
  }
  if (points != 0 && widths && *widths == points) return;
  report(Severity::error, "physics-collider-sphere-points-data-missing", prim,
         format_text("{} points have {} widths in '{}'; each point needs one.", points,
                     widths.value_or(0), source),
         "Write one width per point.");
}

void Checker::check_articulation(const Prim& prim, Context& context) {
  if (context.in_articulation) {
    report(Severity::error, "physics-nested-articulation", prim,
           "The articulation root lies below another articulation root.",
           "Remove PhysicsArticulationRootAPI from one of them.");
  }
  context.in_articulation = true;
  if (has_api(prim, tokens::kRigidBodyApi) && !flag(prim, names_.rigid_body_enabled, true)) {
    report(Severity::error, "physics-articulation-on-static-body", prim,
           "The articulation root is a rigid body that is disabled, so nothing can hang on it.",
           "Enable the body, or move PhysicsArticulationRootAPI to a prim above it.");
  }
}

void check_physics(const stage::Stage& stage, Diagnostics& diagnostics,
                   const ReadOptions& options) {
  Checker(stage, diagnostics, options).run();
}

}  // namespace sinew::physics
