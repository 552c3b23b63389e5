// SPDX-License-Identifier: Apache-2.0
// The walk over the stage: which prims are what, and what belongs to which body.
#include "sinew/physics/read.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "physics/reader.hpp"
#include "physics/report.hpp"
#include "sinew/geom/transforms.hpp"
#include "sinew/physics/articulation.hpp"
#include "sinew/physics/units.hpp"

namespace sinew::physics {

using stage::Prim;
using stage::SchemaType;

namespace {

constexpr std::string_view kApiNames[] = {"PhysicsRigidBodyAPI",     "PhysicsCollisionAPI",
                                          "PhysicsMassAPI",          "PhysicsMaterialAPI",
                                          "PhysicsMeshCollisionAPI", "PhysicsArticulationRootAPI",
                                          "PhysicsFilteredPairsAPI", "MaterialBindingAPI"};

// The order in which a body lists its shapes.
int type_rank(const Shape& shape) noexcept {
  constexpr int kRanks[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  return kRanks[shape.geometry.index()];
}

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

Reader::Reader(const stage::Stage& stage, Diagnostics& diagnostics, const ReadOptions& options)
    : stage_(stage), diagnostics_(diagnostics), options_(options), bindings_(stage, "physics") {
  model_.rules = stage.rules();
  const stage::Metrics& metrics = stage.metrics();
  model_.units.up_axis = metrics.up_axis == "X"   ? Axis::x
                         : metrics.up_axis == "Y" ? Axis::y
                                                  : Axis::z;
  model_.units.meters_per_unit = metrics.meters_per_unit;
  model_.units.kilograms_per_unit = metrics.kilograms_per_unit;
  // Schemas that no layer mentions have no token, and are applied nowhere.
  const auto add = [&](std::string_view name, std::string_view meaning) {
    const auto* known = std::find(std::begin(kApiNames), std::end(kApiNames), meaning);
    const Token token = stage.find_token(name);
    if (known == std::end(kApiNames) || token.empty()) return;
    api_bits_.push_back({token, static_cast<std::uint16_t>(1U << (known - kApiNames))});
  };
  for (const std::string_view name : kApiNames) add(name, name);
  for (const ApiSchema& schema : options.api_schemas) {
    for (const std::string& included : schema.includes) add(schema.name, included);
  }
  excluded_.insert(options.exclude_paths.begin(), options.exclude_paths.end());
}

void Reader::report(Severity severity, std::string_view code, const Prim& prim, std::string message,
                    std::string_view hint) {
  physics::report(diagnostics_, severity, code, prim.path().str(), std::move(message), hint);
}

PhysicsModel Reader::run() {
  if (options_.include_paths.empty()) {
    visit(stage_.root(), {});
  } else {
    for (const std::string& path : options_.include_paths) {
      const Prim prim = stage_.prim(path);
      if (!prim) continue;
      Context context;
      if (prim.parent()) context.world = geom::world_from_prim(prim.parent(), {}, nullptr);
      visit(prim, context);
    }
  }
  read_group_prims();
  finish_groups();
  finish_bodies();
  add_joints();
  resolve_owners();
  add_articulations();
  if (options_.simulation_owners && !options_.simulation_owners->empty()) filter_by_owner();
  return std::move(model_);
}

std::uint16_t Reader::apis_of(const Prim& prim) const {
  std::uint16_t apis = 0;
  constexpr std::uint16_t kOutranks = kArticulationRootApi | kCollisionApi | kRigidBodyApi;
  const auto add = [&](std::uint16_t bit) {
    if (bit == kMaterialApi && (apis & kOutranks) == 0) apis |= kIsMaterial;
    apis |= bit;
  };
  for (const Token name : prim.authored_api_schemas()) {
    for (const auto& [token, bit] : api_bits_) {
      if (name == token) add(bit);
    }
  }
  return apis;
}

bool Reader::is_instancer(const Prim& prim) const {
  return prim.is_a(SchemaType::point_instancer) ||
         contains(options_.instancer_tokens, prim.type_name().view());
}

void Reader::visit(const Prim& prim, const Context& parent) {
  Context context = parent;
  if (!prim.is_root()) {
    if (context.reported && !excluded_.empty() && excluded_.contains(prim.path().str())) {
      if (context.body == kNone) return;
      context.reported = false;  // It is not there, but it has mass.
    }
    if (prim.is_a(SchemaType::xformable)) {
      const geom::LocalTransform local = geom::local_transform(prim, {}, nullptr);
      context.world = local.resets_stack ? local.parent_from_prim
                                         : Matrix4d(parent.world * local.parent_from_prim);
      context.reset_since_body = context.reset_since_body || local.resets_stack;
    }
    classify(prim, context, apis_of(prim));
    if (is_instancer(prim)) {
      if (context.body == kNone) return;
      context.reported = false;
    }
  }
  for (Prim child = prim.first_child(); child; child = child.next_sibling()) {
    if (child.matches(stage::Traversal::with_instance_proxies())) visit(child, context);
  }
}

void Reader::classify(const Prim& prim, Context& context, std::uint16_t apis) {
  const std::string_view type_name = prim.type_name().view();
  if (context.reported) {
    if (prim.is_a(SchemaType::physics_scene)) return add_scene(prim);
    if (prim.is_a(SchemaType::physics_collision_group)) return groups_.push_back(prim);
    SchemaType schema = stage::find_schema_type(type_name);
    if (schema == SchemaType::unknown && documented()) {
      schema = legacy_joint(type_name);
      if (schema != SchemaType::unknown) {
        report(Severity::warning, "physics-legacy-spelling", prim,
               fmt::format("'{}' is not a schema type; read as {}", type_name,
                           stage::to_string(schema)),
               "use the schema's name");
      }
    }
    const bool token_joint = contains(options_.joint_tokens, type_name);
    if ((apis & kIsMaterial) != 0) return add_material(prim);
    if (is_joint(schema) || (schema == SchemaType::unknown && token_joint)) {
      const bool specific = is_joint(schema) && schema != SchemaType::physics_joint;
      joints_.push_back({prim, schema, token_joint && !specific});
      if ((apis & kArticulationRootApi) != 0) {
        articulation_roots_.push_back(prim.path().str());
        articulation_prims_.push_back(prim);
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
    articulation_roots_.push_back(prim.path().str());
    articulation_prims_.push_back(prim);
  }
  std::int32_t shape = kNone;
  const bool collides = (apis & kCollisionApi) != 0;
  if (collides && (context.reported || context.body != kNone)) {
    shape = add_shape(prim, context, apis, is_body);
  }
  if (context.body == kNone) return;
  if (is_body) {
    MassNode& node = bodies_[static_cast<std::size_t>(context.body)].nodes.front();
    node.is_collider = collides;
    node.shape = shape;
  } else if (collides || (apis & kMassApi) != 0) {
    add_mass_node(prim, context, apis, shape);
  }
}

// Documented rules: a body inside an enabled body, without a transform reset between, is none.
bool Reader::starts_body(const Prim& prim, const Context& context) {
  if (!documented() || context.body == kNone) return true;
  const RigidBody& outer = model_.rigid_bodies[static_cast<std::size_t>(context.body)];
  if (!outer.rigid_body_enabled || context.reset_since_body) return true;
  report(Severity::error, "physics-nested-body", prim,
         fmt::format("the rigid body lies inside the rigid body <{}> and is ignored", outer.path),
         "add !resetXformStack! to its xformOpOrder, or move it out");
  return false;
}

void Reader::add_body(const Prim& prim, Context& context, std::uint16_t apis) {
  RigidBody body;
  body.path = prim.path().str();
  const ScaledPose pose = world_pose(context.world);
  body.position = pose.position;
  body.rotation = pose.rotation;
  body.scale = pose.scale;
  body.rigid_body_enabled = read(prim, "physics:rigidBodyEnabled", true);
  body.kinematic_body = read(prim, "physics:kinematicEnabled", false);
  body.starts_asleep = read(prim, "physics:startsAsleep", false);
  body.linear_velocity = read(prim, "physics:velocity", Vector3f(0, 0, 0));
  if (documented() && !prim.attribute("physics:velocity") &&
      prim.attribute("physics:linearVelocity")) {
    body.linear_velocity = read(prim, "physics:linearVelocity", Vector3f(0, 0, 0));
    report(Severity::warning, "physics-legacy-spelling", prim,
           "'physics:linearVelocity' is read as 'physics:velocity'", "use the schema's name");
  }
  body.angular_velocity = read(prim, "physics:angularVelocity", Vector3f(0, 0, 0));
  body.simulation_owners = targets(prim, "physics:simulationOwner");
  if ((apis & kFilteredPairsApi) != 0) {
    body.filtered_collisions = targets(prim, "physics:filteredPairs");
  }
  context.body = static_cast<std::int32_t>(model_.rigid_bodies.size());
  context.reset_since_body = false;
  context.mass_node = 0;
  body_of_.try_emplace(prim, context.body);
  model_.rigid_bodies.push_back(std::move(body));
  BodyEntry entry{prim, context.world, pose, {}, {}};
  MassNode& node = entry.nodes.emplace_back();
  node.has_mass_api = (apis & kMassApi) != 0;
  if (node.has_mass_api) node.authored = authored_mass(prim);
  node.world_scale = pose.scale;
  bodies_.push_back(std::move(entry));
}

void Reader::add_mass_node(const Prim& prim, Context& context, std::uint16_t apis,
                           std::int32_t shape) {
  BodyEntry& body = bodies_[static_cast<std::size_t>(context.body)];
  MassNode node;
  node.parent = context.mass_node;
  node.is_collider = (apis & kCollisionApi) != 0;
  node.shape = shape;
  node.has_mass_api = (apis & kMassApi) != 0;
  if (node.has_mass_api) node.authored = authored_mass(prim);
  const ScaledPose pose = local_pose(body.world, context.world);
  node.local_pos = pose.position;
  node.local_rot = pose.rotation;
  node.world_scale = world_pose(context.world).scale;
  if (shape == kNone) node.path = prim.path().str();
  context.mass_node = static_cast<std::int32_t>(body.nodes.size());
  body.nodes.push_back(std::move(node));
}

void Reader::add_scene(const Prim& prim) {
  Scene scene;
  scene.path = prim.path().str();
  Vector3f direction = read(prim, "physics:gravityDirection", Vector3f(0, 0, 0));
  float magnitude = read(prim, "physics:gravityMagnitude", -std::numeric_limits<float>::infinity());
  if (documented() && !prim.attribute("physics:gravityDirection") &&
      !prim.attribute("physics:gravityMagnitude") && prim.attribute("gravity")) {
    const Vector3f gravity = read(prim, "gravity", Vector3f(0, 0, 0));
    if (gravity.norm() > 0.0F) {
      direction = gravity;
      magnitude = gravity.norm();
    }
    report(Severity::warning, "physics-legacy-spelling", prim,
           "'gravity' is read as direction and magnitude",
           "use physics:gravityDirection and physics:gravityMagnitude");
  }
  const Gravity gravity = resolve_gravity(direction, magnitude, model_.units, model_.rules);
  scene.gravity_direction = gravity.direction;
  scene.gravity_magnitude = gravity.magnitude;
  model_.scenes.push_back(std::move(scene));
}

void Reader::add_material(const Prim& prim) {
  RigidBodyMaterial material;
  material.path = prim.path().str();
  material.static_friction = read(prim, "physics:staticFriction", 0.0F);
  material.dynamic_friction = read(prim, "physics:dynamicFriction", 0.0F);
  material.restitution = read(prim, "physics:restitution", 0.0F);
  material.density = bound_material(prim).density;
  material_index_.try_emplace(material.path, static_cast<std::int32_t>(model_.materials.size()));
  model_.materials.push_back(std::move(material));
}

// Brings lists of bodies and shapes into their final form and order.
void Reader::finish_bodies() {
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    RigidBody& body = model_.rigid_bodies[i];
    std::vector<std::int32_t>& shapes = bodies_[i].shapes;
    const auto shape_of = [&](std::int32_t s) -> const Shape& {
      return model_.shapes[static_cast<std::size_t>(s)];
    };
    std::sort(shapes.begin(), shapes.end(), [&](std::int32_t a, std::int32_t b) {
      const int x = type_rank(shape_of(a));
      const int y = type_rank(shape_of(b));
      return x != y ? x < y : shape_of(a).path < shape_of(b).path;
    });
    for (const std::int32_t shape : shapes) body.collisions.push_back(shape_of(shape).path);
    body.shapes = std::move(shapes);
    body.first_mass_node = static_cast<std::uint32_t>(model_.mass_nodes.size());
    body.mass_node_count = static_cast<std::uint32_t>(bodies_[i].nodes.size());
    for (MassNode& node : bodies_[i].nodes) {
      // Shapes that are not reported were numbered downwards from -2.
      if (node.shape < kNone) {
        node.shape = static_cast<std::int32_t>(model_.shapes.size()) + (-2 - node.shape);
      }
      model_.mass_nodes.push_back(std::move(node));
    }
  }
  for (std::vector<Shape>* shapes : {&model_.shapes, &model_.unreported_shapes}) {
    for (Shape& shape : *shapes) {
      const auto index = [&](const std::string& path) {
        const auto found = material_index_.find(path);
        return found == material_index_.end() ? kNone : found->second;
      };
      for (const std::string& material : shape.materials) {
        shape.material_indices.push_back(index(material));
      }
      shape.bound_material_index = index(shape.bound_material);
    }
  }
}

std::int32_t Reader::body_index(const Prim& prim) const {
  const auto found = body_of_.find(prim);
  return found == body_of_.end() ? kNone : found->second;
}

// Documented rules: who names no owner belongs to the only scene there is.
void Reader::resolve_owners() {
  if (!documented() || model_.scenes.size() != 1) return;
  for (RigidBody& body : model_.rigid_bodies) {
    if (body.simulation_owners.empty()) body.simulation_owners = {model_.scenes.front().path};
  }
}

void Reader::add_articulations() {
  std::vector<ResolvedArticulation> resolved =
      resolve_articulations(model_, articulation_roots_, diagnostics_);
  for (ResolvedArticulation& entry : resolved) {
    Articulation articulation = std::move(entry.articulation);
    const Prim prim = stage_.prim(articulation.path);
    if (prim && (apis_of(prim) & kFilteredPairsApi) != 0) {
      articulation.filtered_collisions = targets(prim, "physics:filteredPairs");
    }
    model_.articulations.push_back(std::move(articulation));
  }
}

PhysicsModel read_physics(const stage::Stage& stage, Diagnostics& diagnostics,
                          const ReadOptions& options) {
  return Reader(stage, diagnostics, options).run();
}

}  // namespace sinew::physics
