// SPDX-License-Identifier: Apache-2.0
// The walk over the stage: which prims are what, and what belongs to which body.
#include "sinew/physics/read/read_physics.hpp"

#include <algorithm>

#include "core/format_text.hpp"
#include "core/large_pages.hpp"
#include "core/sort.hpp"
#include "physics/read/apple.hpp"
#include "physics/read/owner_filter.hpp"
#include "physics/read/reader.hpp"
#include "physics/shared/indexed.hpp"
#include "physics/shared/scale.hpp"
#include "sinew/geom/transforms.hpp"
#include "sinew/physics/articulation.hpp"
#include "sinew/physics/read/read_dialects.hpp"
#include "sinew/physics/tokens.hpp"
#include "sinew/physics/units.hpp"

namespace sinew::physics {

using stage::Prim;
using stage::SchemaType;

namespace {

bool contains(const std::vector<std::string>& list, std::string_view text) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

bool is_joint(SchemaType type) noexcept {
  return stage::derives_from(type, SchemaType::physics_joint);
}

// Spellings that files use for joint types, next to the schema's own.
SchemaType legacy_joint(std::string_view name) noexcept {
  if (name == "PhysicsD6Joint" || name == "D6PhysicsJoint") return SchemaType::physics_joint;
  if (name == "DistancePhysicsJoint") return SchemaType::physics_distance_joint;
  if (name == "FixedPhysicsJoint") return SchemaType::physics_fixed_joint;
  if (name == "RevolutePhysicsJoint") return SchemaType::physics_revolute_joint;
  if (name == "PrismaticPhysicsJoint") return SchemaType::physics_prismatic_joint;
  if (name == "SphericalPhysicsJoint") return SchemaType::physics_spherical_joint;
  return SchemaType::unknown;
}

}  // namespace

SchemaType joint_schema(const Prim& prim) noexcept {
  const SchemaType schema = prim.schema_type();
  if (is_joint(schema)) return schema;
  const bool may_be_legacy =
      schema == SchemaType::unknown && prim && prim.stage().rules() == Rules::documented;
  return may_be_legacy ? legacy_joint(prim.type_name().view()) : SchemaType::unknown;
}

Reader::Reader(const stage::Stage& stage, Diagnostics& diagnostics, const ReadOptions& options)
    : stage_(stage),
      diagnostics_(diagnostics),
      options_(options),
      reporter_(stage, diagnostics),
      names_(stage),
      properties_(names_, "material:binding"),
      apis_(stage, options),
      reads_apple_(asks_for(options.dialects, Dialect::apple)),
      transforms_(&diagnostics),
      excluded_(options.exclude_paths.begin(), options.exclude_paths.end()),
      bindings_(stage, tokens::kPhysics),
      // The same prim may be read from two paths that are included.
      joint_bodies_(model_, options.include_paths.empty()) {
  model_.rules = stage.rules();
  const stage::Metrics& metrics = stage.metrics();
  model_.units.up_axis_token = metrics.up_axis;
  model_.units.up_axis = parse_axis(metrics.up_axis).value_or(Axis::z);
  model_.units.meters_per_unit = metrics.meters_per_unit;
  model_.units.kilograms_per_unit = metrics.kilograms_per_unit;
}

void Reader::report(Severity severity, std::string_view code, const Prim& prim, std::string message,
                    std::string_view hint) {
  reporter_.add(severity, code, prim, std::move(message), hint);
}

PhysicsModel Reader::run() {
  reserve();
  if (options_.include_paths.empty()) {
    visit(stage_.root(), {});
  } else {
    for (const std::string& path : options_.include_paths) {
      const Prim prim = stage_.prim(path);
      const bool is_visited =
          prim && (prim.is_root() || prim.matches(stage::Traversal::with_instance_proxies()));
      if (!is_visited) continue;
      Context context;
      if (prim.parent()) {
        context.world = geom::world_from_prim(prim.parent(), {}, nullptr);
        context.binds_material = true;
        path_ = prim.parent().is_root() ? std::string() : prim.parent().path().str();
      }
      visit(prim, context);
    }
  }
  keep_apple_gravity();
  read_group_prims();
  finish_groups();
  finish_mass_nodes();
  finish_materials();
  finish_joints();
  resolve_owners();
  add_articulations();
#ifndef SINEW_WITHOUT_DIALECTS  // In the module for browsers, which asks for none.
  read_dialects(stage_, options_.dialects, model_, diagnostics_);
#endif
  if (options_.simulation_owner_paths && !options_.simulation_owner_paths->empty()) {
    keep_owned(model_, *options_.simulation_owner_paths);
  }
  return std::move(model_);
}

// Bodies, shapes and joints are large: that they are counted is cheaper than to move them later.
void Reader::reserve() {
  const AppliedApis::Counts& counts = apis_.counts();
  reserve_large(bodies_, counts.bodies);
  body_ends_.reserve(counts.bodies);
  reserve_large(model_.rigid_bodies, counts.bodies);
  reserve_large(model_.shapes, counts.shapes);
  reserve_large(joints_, counts.joints);
  reserve_large(model_.joints, counts.joints);
  reserve_large(model_.mass_nodes, counts.mass_nodes);
  node_places_.reserve(counts.mass_nodes);
}

bool Reader::is_instancer(const Prim& prim) const {
  return prim.schema_type() == SchemaType::point_instancer ||
         (!options_.instancer_tokens.empty() &&
          contains(options_.instancer_tokens, prim.type_name().view()));
}

void Reader::visit(const Prim& prim, const Context& parent) {
  Context context = parent;
  const std::size_t path_size = path_.size();
  const std::size_t first_root = articulation_roots_.size();
  const std::size_t first_body = bodies_.size();
  const bool enters = prim.is_root() || enter(prim, parent, context);
  const bool is_articulation_root = articulation_roots_.size() != first_root;
  if (enters) {
    for (Prim child = prim.first_child(); child; child = child.next_sibling()) {
      if (child.matches(stage::Traversal::with_instance_proxies())) visit(child, context);
    }
    if (context.body != parent.body && context.body != kNone) finish_body(context.body);
  }
  if (is_articulation_root) {
    root_places_[first_root].first_body = static_cast<std::int32_t>(first_body);
    root_places_[first_root].end_body = static_cast<std::int32_t>(bodies_.size());
  }
  path_.resize(path_size);
}

// Reads one prim. False if what lies below is not to be visited.
bool Reader::enter(const Prim& prim, const Context& parent, Context& context) {
  path_ += '/';
  path_ += prim.name().view();
  if (context.reported && !excluded_.empty() && excluded_.contains(path_)) {
    if (context.body == kNone) return false;
    context.reported = false;  // It is not there, but it has mass.
  }
  properties_.collect(prim);
  context.binds_material = context.binds_material || properties_.has_watched();
  if (prim.is_a(SchemaType::xformable) || is_apple_xformable(prim)) {
    layer::Value made;
    if (const layer::Value* order = properties_.value(prim, names_.xform_op_order, made)) {
      const geom::LocalTransform local = transforms_.read(prim, *order);
      context.world = local.resets_stack ? local.parent_from_prim
                                         : Matrix4d(parent.world * local.parent_from_prim);
      context.reset_since_body = context.reset_since_body || local.resets_stack;
    }
  }
  const std::uint16_t apis = with_apple(prim, apis_.of(prim), context);
  classify(prim, context, apis);
  // Mass stops at every other prim that is declared a body, even if it is read as something else.
  const bool other_body = (apis & kRigidBodyApi) != 0 && context.body == parent.body;
  if (other_body && context.body != kNone && !takes_in_bodies(context)) context.weighs = false;
  if (is_instancer(prim)) {
    if (context.body == kNone) return false;
    context.reported = false;
  }
  return true;
}

void Reader::classify(const Prim& prim, Context& context, std::uint16_t apis) {
  if (context.reported) {
    SchemaType schema = prim.schema_type();
    if (schema == SchemaType::physics_scene) return add_scene(prim);
    if (schema == SchemaType::physics_collision_group) return groups_.push_back(prim);
    const std::string_view type_name = prim.type_name().view();
    if (reads_apple_ && type_name == apple::kGravity) {
      return add_apple_gravity(prim, context);
    }
    if (schema == SchemaType::unknown) {
      schema = joint_schema(prim);
      if (schema != SchemaType::unknown) {
        report(Severity::warning, "physics-legacy-spelling", prim,
               format_text("'{}' is not a schema type; read as {}.", type_name,
                           stage::to_string(schema)),
               "Use the schema's name.");
      }
    }
    const bool token_joint =
        !options_.joint_tokens.empty() && contains(options_.joint_tokens, type_name);
    if ((apis & kIsMaterial) != 0) {
      add_material(prim);
      return weigh_material(prim, context, apis);
    }
    if (is_joint(schema) || (schema == SchemaType::unknown && token_joint)) {
      const bool specific = is_joint(schema) && schema != SchemaType::physics_joint;
      read_joint(prim, schema, token_joint && !specific);
      if ((apis & kArticulationRootApi) != 0) {
        articulation_roots_.push_back(texts_.make(path_));
        root_places_.push_back({kNone, static_cast<std::int32_t>(model_.joints.size()) - 1});
      }
      return;
    }
  }
  if (apis == 0) return;
  const bool is_body = (apis & kRigidBodyApi) != 0 && starts_body(prim, context);
  if (is_body) {
    if (!context.reported) {
      context.body = kNone;  // Not part of what is read; its colliders weigh nothing here.
      return;
    }
    add_body(prim, context, apis);
  }
  if (context.reported && (apis & kArticulationRootApi) != 0) {
    articulation_roots_.push_back(texts_.make(path_));
    root_places_.push_back({is_body ? context.body : kNone, kNone});
  }
  if ((apis & kSiteApi) != 0) {
    if (context.reported) add_site(prim, context, place(context, is_body));
    apis = static_cast<std::uint16_t>(apis & ~kCollisionApi);
  }
  const bool collides = (apis & kCollisionApi) != 0;
  const bool has_body = context.body != kNone;
  const bool weighs = has_body && context.weighs && (is_body || collides || (apis & kMassApi) != 0);
  if (!weighs && !(collides && context.reported)) return;
  const Placement placement = place(context, is_body);
  const ShapeRef shape = collides ? add_shape(prim, context, apis, placement) : ShapeRef{};
  if (weighs) add_mass_node(prim, context, apis, shape, placement);
}

// What is read as a material is no shape, but mass asks only whether it collides.
void Reader::weigh_material(const Prim& prim, Context& context, std::uint16_t apis) {
  const bool other_body = (apis & kRigidBodyApi) != 0 && !takes_in_bodies(context);
  if ((apis & kSiteApi) != 0) apis = static_cast<std::uint16_t>(apis & ~kCollisionApi);
  const bool collides = (apis & kCollisionApi) != 0;
  const bool weighs = context.body != kNone && context.weighs && !other_body;
  if (!weighs || !(collides || (apis & kMassApi) != 0)) return;
  const Placement placement = place(context, false);
  Context unreported = context;
  unreported.reported = false;
  const ShapeRef shape = collides ? add_shape(prim, unreported, apis, placement) : ShapeRef{};
  add_mass_node(prim, context, apis, shape, placement);
}

Reader::Placement Reader::place(const Context& context, bool is_body) {
  if (is_body) {
    const RigidBody& own = model_.body(context.body);
    return {{own.pose, own.scale}, {}};
  }
  Placement placement;
  const Decomposition& world = last_world_.of(context.world);
  placement.world = {{world.translation.cast<float>(), world.rotation.cast<float>()},
                     world.scale.cast<float>()};
  if (context.body != kNone) {
    // As local_pose(), with the inverse and the scale of the body at hand.
    const BodyEntry& entry = entry_of(context.body);
    const Decomposition& d = last_local_.of(entry.from_world * context.world);
    placement.local = {{scaled_position(d.translation, entry.scale), d.rotation.cast<float>()},
                       d.scale.cast<float>()};
  } else {
    placement.local = placement.world;
  }
  return placement;
}

// A body inside an enabled body, without a transform reset between, may not count.
bool Reader::takes_in_bodies(const Context& context) const {
  return ignores_nested_bodies() && context.body != kNone && !context.reset_since_body &&
         model_.body(context.body).rigid_body_enabled;
}

bool Reader::starts_body(const Prim& prim, const Context& context) {
  if (!takes_in_bodies(context)) return true;
  report(Severity::error, "physics-nested-body", prim,
         format_text("The rigid body lies inside the rigid body <{}> and is ignored.",
                     model_.body(context.body).path),
         "Add !resetXformStack! to its xformOpOrder, or move it out. Files converted from robot "
         "formats nest bodies that joints connect: NestedBodies::keep, as `sinew export` has it, "
         "reads each as a body of its own.");
  return false;
}

void Reader::add_body(const Prim& prim, Context& context, std::uint16_t apis) {
  context.body = static_cast<std::int32_t>(model_.rigid_bodies.size());
  context.reset_since_body = false;
  context.weighs = true;
  context.mass_node = kNone;
  RigidBody& body = model_.rigid_bodies.emplace_back();
  body.path = texts_.make(path_);
  const Decomposition& world = last_world_.of(context.world);
  body.pose = {world.translation.cast<float>(), world.rotation.cast<float>()};
  body.scale = world.scale.cast<float>();
  body.rigid_body_enabled = read(prim, names_.rigid_body_enabled, true);
  body.kinematic_body = read(prim, names_.kinematic_enabled, false);
  body.starts_asleep = read(prim, names_.starts_asleep, false);
  body.linear_velocity = read(prim, names_.velocity, Vector3f(0, 0, 0));
  if (documented() && !properties_.has_attribute(prim, names_.velocity) &&
      properties_.has_attribute(prim, names_.linear_velocity)) {
    body.linear_velocity = read(prim, names_.linear_velocity, Vector3f(0, 0, 0));
    report(Severity::warning, "physics-legacy-spelling", prim,
           "'physics:linearVelocity' is read as 'physics:velocity'.", "Use the schema's name.");
  }
  body.angular_velocity = read(prim, names_.angular_velocity, Vector3f(0, 0, 0));
  body.simulation_owner_paths = targets(prim, names_.simulation_owner);
  if ((apis & kFilteredPairsApi) != 0) {
    body.filtered_collision_paths = targets(prim, names_.filtered_pairs);
  }
  body_of_.insert(prim, context.body);
  body_ends_.push_back(context.body + 1);
  bodies_.push_back({prim, context.world, inverse_affine(context.world), world.scale, 0});
}

void Reader::add_mass_node(const Prim& prim, Context& context, std::uint16_t apis,
                           const ShapeRef& shape, const Placement& placement) {
  BodyEntry& body = entry_of(context.body);
  node_places_.push_back({context.body, shape.reported});
  MassNode& node = model_.mass_nodes.emplace_back();
  node.parent = context.mass_node;
  node.is_collider = (apis & kCollisionApi) != 0;
  node.shape = shape.index;
  node.has_mass_api = (apis & kMassApi) != 0;
  if (node.has_mass_api) node.authored = authored_mass(prim);
  node.local_pose = placement.local.pose;
  node.world_scale = placement.world.scale;
  if (shape.index == kNone && body.node_count != 0) node.path = texts_.make(path_);
  context.mass_node = body.node_count++;
}

void Reader::add_scene(const Prim& prim) {
  Scene scene;
  scene.path = texts_.make(path_);
  Vector3f direction = read(prim, names_.gravity_direction, Vector3f(0, 0, 0));
  float magnitude = read(prim, names_.gravity_magnitude, -std::numeric_limits<float>::infinity());
  if (documented() && !properties_.has_attribute(prim, names_.gravity_direction) &&
      !properties_.has_attribute(prim, names_.gravity_magnitude) &&
      properties_.has_attribute(prim, names_.legacy_gravity)) {
    const Vector3f gravity = read(prim, names_.legacy_gravity, Vector3f(0, 0, 0));
    if (gravity.norm() > 0.0F) {
      direction = gravity;
      magnitude = gravity.norm();
    }
    report(Severity::warning, "physics-legacy-spelling", prim,
           "'gravity' is read as direction and magnitude.",
           "Use physics:gravityDirection and physics:gravityMagnitude.");
  }
  const Gravity gravity = resolve_gravity(direction, magnitude, model_.units, model_.rules);
  scene.gravity_direction = gravity.direction;
  scene.gravity_magnitude = gravity.magnitude;
  model_.scenes.push_back(std::move(scene));
}

void Reader::add_material(const Prim& prim) {
  RigidBodyMaterial material;
  material.path = texts_.make(path_);
  material.static_friction = read(prim, names_.static_friction, 0.0F);
  material.dynamic_friction = read(prim, names_.dynamic_friction, 0.0F);
  material.restitution = read(prim, names_.restitution, 0.0F);
  material.density = bound_material(prim).density;
  material_index_.try_emplace(material.path, static_cast<std::int32_t>(model_.materials.size()));
  model_.materials.push_back(std::move(material));
}

// Lists the valid shapes of a body, which are all known: by type, then by path.
void Reader::finish_body(std::int32_t index) {
  at(body_ends_, index) = static_cast<std::int32_t>(bodies_.size());
  RigidBody& body = at(model_.rigid_bodies, index);
  sort_range(body.shapes.begin(), body.shapes.end(), [&](std::int32_t a, std::int32_t b) {
    const std::size_t x = model_.shape(a).geometry.index();
    const std::size_t y = model_.shape(b).geometry.index();
    return x != y ? x < y : model_.shape(a).path < model_.shape(b).path;
  });
  body.shape_paths.reserve(body.shapes.size());
  for (const std::int32_t shape : body.shapes) body.shape_paths.push_back(model_.shape(shape).path);
}

// Groups the mass nodes by body. Without bodies in bodies they are so already.
void Reader::finish_mass_nodes() {
  std::vector<std::uint32_t> next(bodies_.size());
  std::uint32_t total = 0;
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const auto count = static_cast<std::uint32_t>(bodies_[i].node_count);
    model_.rigid_bodies[i].first_mass_node = next[i] = total;
    model_.rigid_bodies[i].mass_node_count = count;
    total += count;
  }
  std::vector<MassNode>& nodes = model_.mass_nodes;
  if (!model_.unreported_shapes.empty()) {
    // Shapes that are not reported are numbered after all that are.
    const auto reported_shapes = static_cast<std::int32_t>(model_.shapes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (!node_places_[i].reported_shape) nodes[i].shape += reported_shapes;
    }
  }
  const auto by_body = [](const NodePlace& a, const NodePlace& b) { return a.body < b.body; };
  if (std::is_sorted(node_places_.begin(), node_places_.end(), by_body)) return;
  std::vector<MassNode> grouped(total);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    grouped[at(next, node_places_[i].body)++] = std::move(nodes[i]);
  }
  nodes = std::move(grouped);
}

// Finds the materials that shapes name.
void Reader::finish_materials() {
  if (material_index_.empty()) return;
  const auto index = [&](const Text& path) {
    if (path.empty()) return kNone;
    const auto found = material_index_.find(path);
    return found == material_index_.end() ? kNone : found->second;
  };
  for (std::vector<Shape>* shapes : {&model_.shapes, &model_.unreported_shapes}) {
    for (Shape& shape : *shapes) {
      for (std::size_t i = 0; i < shape.material_paths.size(); ++i) {
        shape.materials[i] = index(shape.material_paths[i]);
      }
      shape.bound_material = index(shape.bound_material_path);
    }
  }
}

// Documented rules: who names no owner belongs to the only scene there is.
void Reader::resolve_owners() {
  if (!documented() || model_.scenes.size() != 1) return;
  for (RigidBody& body : model_.rigid_bodies) {
    if (body.simulation_owner_paths.empty())
      body.simulation_owner_paths.push_back(model_.scenes[0].path);
  }
}

void Reader::add_articulations() {
  // Prims that are visited twice have no place of their own.
  const bool placed = options_.include_paths.empty();
  std::vector<Articulation> resolved =
      placed ? resolve_in_place(model_, articulation_roots_, root_places_, body_ends_, diagnostics_)
             : resolve_by_path(model_, articulation_roots_, diagnostics_);
  for (Articulation& articulation : resolved) {
    if (!names_.filtered_pairs.empty()) {
      const Prim prim = stage_.prim(articulation.path);
      if (prim && (apis_.of(prim) & kFilteredPairsApi) != 0) {
        articulation.filtered_collision_paths = targets(prim, names_.filtered_pairs);
      }
    }
    model_.articulations.push_back(std::move(articulation));
  }
}

PhysicsModel read_physics(const stage::Stage& stage, Diagnostics& diagnostics,
                          const ReadOptions& options) {
  return Reader(stage, diagnostics, options).run();
}

}  // namespace sinew::physics
