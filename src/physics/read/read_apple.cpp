// SPDX-License-Identifier: Apache-2.0
// What Apple's preliminary schemas say. They stand in place of the standard ones, which win where
// both are used.
#include <array>
#include <cmath>

#include "core/shortest_turn.hpp"
#include "core/usable_unit.hpp"
#include "physics/read/apple.hpp"
#include "physics/read/dialect_reader.hpp"
#include "physics/read/reader.hpp"
#include "physics/shared/indexed.hpp"
#include "sinew/physics/tokens.hpp"
#include "sinew/physics/units.hpp"
#include "stage/shared/typed_value.hpp"

namespace sinew::physics {

using stage::Prim;

namespace {

// A vector that is all numbers, of whichever precision.
Vector3f vector_of(const Prim& prim, std::string_view name, const Vector3f& otherwise) {
  const stage::Attribute attribute = prim.attribute(name);
  if (!attribute) return otherwise;
  const auto vector = stage::scalar_as<Vector3f>(attribute.value(), Rules::documented);
  return vector && vector->allFinite() ? *vector : otherwise;
}

// A figure in SI units in those of the stage, where these can be measured in.
double in_unit(double figure, double unit) {
  return is_usable_unit(unit) ? figure / unit : figure;
}

bool says(const Prim& prim, std::string_view standard) {
  const stage::Attribute attribute = prim.attribute(standard);
  return attribute && attribute.has_authored_value();
}

}  // namespace

// The schemas of a prim, with that of a collider if it is geometry of one of Apple's, as is all
// that has a surface at and below the prim that such a collider means.
std::uint16_t Reader::with_apple(const Prim& prim, std::uint16_t apis, Context& context) const {
  context.apple_geometry = context.apple_geometry || (apis & kAppleGeometry) != 0;
  apis = static_cast<std::uint16_t>(apis & ~(kAppleCollider | kAppleGeometry));
  if (!context.apple_geometry) return apis;
  const bool is_geometry =
      prim.is_a(stage::SchemaType::gprim) || prim.type_name().view() == apple::kPlane;
  return is_geometry ? static_cast<std::uint16_t>(apis | kCollisionApi | kAppleCollider) : apis;
}

// Types that are no schema's, so that nothing else tells that they have a transform.
bool Reader::is_apple_xformable(const Prim& prim) const {
  if (!reads_apple_) return false;
  const std::string_view type = prim.type_name().view();
  return type == apple::kPlane || type == apple::kGravity;
}

// A prim that pulls everything along a vector of its own axes, in m / s^2.
void Reader::add_apple_gravity(const Prim& prim, const Context& context) {
  const Vector3f along =
      vector_of(prim, apple::kAcceleration, {0.0F, apple::kDefaultAcceleration, 0.0F});
  const Vector3d pull = last_world_.of(context.world).rotation * along.cast<double>();
  Scene& scene = apple_scenes_.emplace_back();
  scene.path = texts_.make(path_);
  const auto magnitude = static_cast<float>(in_unit(pull.norm(), model_.units.meters_per_unit));
  const Gravity gravity =
      resolve_gravity(pull.cast<float>(), magnitude, model_.units, model_.rules);
  scene.gravity_direction = gravity.direction;
  scene.gravity_magnitude = gravity.magnitude;
}

// Counts only where no scene says which gravity it has.
void Reader::keep_apple_gravity() {
  if (model_.scenes.empty()) model_.scenes = std::move(apple_scenes_);
}

// A plane through `position` across `normal`, both in the axes of the prim.
void Reader::place_apple_plane(const Prim& prim, Shape& shape) {
  const Vector3f position = vector_of(prim, "position", Vector3f::Zero());
  Vector3f normal = vector_of(prim, "normal", Vector3f::UnitY());
  if (!(normal.norm() > 0.0F)) normal = Vector3f::UnitY();
  Pose& pose = shape.local_pose;
  pose.position += pose.rotation * position.cwiseProduct(shape.local_scale);
  const Quatd turn = shortest_turn(Vector3d::UnitZ(), normal.cast<double>());
  pose.rotation = pose.rotation * turn.cast<float>();
}

void DialectReader::read_apple(const Prim& prim, const Place& place) {
  if (place.body != kNone && prim.has_api(apple::kRigidBodyApi)) {
    RigidBody& body = at(model_.rigid_bodies, place.body);
    const std::optional<double> active = value_of(prim, stage_.find_token(apple::kInitiallyActive));
    if (active && !says(prim, tokens::kStartsAsleep)) body.starts_asleep = *active == 0.0;
    read_apple_mass(prim, body);
  }
  if (place.material != kNone) {
    read_apple_material(prim, at(model_.materials, place.material));
  }
}

void DialectReader::read_apple_mass(const Prim& prim, const RigidBody& body) {
  if (body.mass_node_count == 0) return;
  MassNode& node = model_.mass_nodes[body.first_mass_node];
  if (node.authored.mass || node.authored.density) return;
  const double kilograms =
      value_of(prim, stage_.find_token(apple::kMass)).value_or(apple::kDefaultMass);
  node.has_mass_api = true;
  node.authored.mass = static_cast<float>(in_unit(kilograms, model_.units.kilograms_per_unit));
}

void DialectReader::read_apple_material(const Prim& prim, RigidBodyMaterial& material) {
  struct Figure {
    std::string_view name, standard;
    float RigidBodyMaterial::*field;
  };
  constexpr std::array<Figure, 3> kFigures = {
      {{apple::kStaticFriction, tokens::kStaticFriction, &RigidBodyMaterial::static_friction},
       {apple::kDynamicFriction, tokens::kDynamicFriction, &RigidBodyMaterial::dynamic_friction},
       {apple::kRestitution, tokens::kRestitution, &RigidBodyMaterial::restitution}}};
  for (const auto& [name, standard, field] : kFigures) {
    if (says(prim, standard)) continue;
    const std::optional<double> value = value_of(prim, stage_.find_token(name));
    if (value && std::isfinite(*value)) material.*field = static_cast<float>(*value);
  }
}

}  // namespace sinew::physics
