// SPDX-License-Identifier: Apache-2.0
// The validation rules for joints.

#include <string>
#include <utility>
#include <vector>

#include "core/format_text.hpp"
#include "physics/read/checker.hpp"
#include "physics/read/nested_body.hpp"
#include "physics/read/reader.hpp"
#include "sinew/physics/read/schemas.hpp"

namespace sinew::physics {

using stage::Prim;
using stage::SchemaType;

// The nearest prim from `prim` upwards that is a rigid body.
Prim Checker::body_above(const Prim& prim) const {
  for (Prim at = prim; at && !at.is_root(); at = at.parent()) {
    if (has_api(at, tokens::kRigidBodyApi)) return at;
  }
  return {};
}

// The prim that a relation names first; `unusable` if it names something that cannot be an end.
Prim Checker::joint_end(const Prim& prim, const Name& name, bool& unusable) {
  std::vector<layer::Path> made;
  const std::vector<layer::Path>& named = properties_.targets(prim, name, made, nullptr);
  if (named.empty()) return {};
  const std::string_view first = named.front().view();
  const auto wrong = [&](std::string_view code, std::string message, std::string_view hint) {
    report(Severity::error, code, prim.relationship(name.token), std::move(message), hint);
  };
  if (named.size() > 1) {
    wrong("physics-joint-multiple-prims-rel",
          format_text("'{}' names {} prims; only <{}> is used.", name.view(), named.size(), first),
          "Keep one target.");
  }
  const Prim end = stage_.prim(named.front());
  if (!end) {
    unusable = true;
    wrong("physics-joint-invalid-prim-rel",
          format_text("'{}' names <{}>, where there is no prim.", name.view(), first),
          "Name the body's prim, or remove the target to joint to the world.");
  } else if (!end.is_a(SchemaType::xformable)) {
    unusable = true;
    wrong("physics-joint-rel-not-xformable",
          format_text("'{}' names <{}>, which has no transform.", name.view(), first),
          "Name a prim that can be placed, such as an Xform.");
  }
  return end;
}

// Whether an end of a joint is an enabled body; documented rules: or lies below one.
bool Checker::has_enabled_body(const Prim& end) const {
  const auto is_enabled = [&](const Prim& prim) {
    const bool is_there = !documented() || prim.matches(stage::Traversal::with_instance_proxies());
    return is_there && has_api(prim, tokens::kRigidBodyApi) &&
           flag(prim, names_.rigid_body_enabled, true);
  };
  if (!end) return false;
  if (is_enabled(end)) return true;
  const Prim body = documented() ? body_above(end) : Prim();
  if (!body) return false;
  // What is ignored for it lies in an enabled body leaves its ends to that.
  return is_enabled(body) ||
         (ignores_nested_bodies_of(options_, stage_.rules()) && is_nested_body(body, is_enabled));
}

void Checker::check_joint(const Prim& prim) {
  bool unusable = false;
  const Prim ends[] = {joint_end(prim, names_.ends[0].body, unusable),
                       joint_end(prim, names_.ends[1].body, unusable)};
  if (!has_enabled_body(ends[0]) && !has_enabled_body(ends[1])) {
    report(Severity::error, "physics-joint-no-enabled-rigid-body", prim,
           "Neither prim that the joint names is an enabled rigid body, so there is nothing to "
           "constrain.",
           "Name a prim that has PhysicsRigidBodyAPI.");
  }
  if (!unusable && ends[0] && ends[1]) {
    const Prim body = body_above(ends[0]);
    if (body && body == body_above(ends[1])) {
      report(Severity::warning, "physics-joint-same-body", prim,
             format_text("Both ends belong to the rigid body <{}>, so the joint does nothing.",
                         body.path().view()),
             "Name two different bodies.");
    }
  }
  check_joint_values(prim);
}

void Checker::check_distances(const Prim& prim) {
  const float min = value<float>(prim, names_.min_distance).value_or(-1.0F);
  const float max = value<float>(prim, names_.max_distance).value_or(-1.0F);
  if (!(max >= 0.0F && min > max)) return;
  report(Severity::error, "physics-inverted-limit", prim,
         format_text("The smallest distance, {}, is above the largest, {}: no pose satisfies the "
                     "joint, so it limits nothing.",
                     min, max),
         "Exchange physics:minDistance and physics:maxDistance.");
}

// That a limit or a drive is of something that this type of joint has: others are passed over.
void Checker::check_degree(const Prim& prim, std::string_view schema, std::string_view instance) {
  const bool is_drive = schema == tokens::kDriveApi;
  if (!is_drive && schema != tokens::kLimitApi) return;
  std::string allowed;
  bool is_allowed = false;
  const auto allow = [&](std::string_view degree) {
    is_allowed = is_allowed || degree == instance;
    allowed.append(allowed.empty() ? "" : ", ").append(degree);
  };
  switch (joint_schema(prim)) {
    case SchemaType::physics_revolute_joint:
      if (is_drive) allow(tokens::kAngular);
      break;
    case SchemaType::physics_prismatic_joint:
      if (is_drive) allow(tokens::kLinear);
      break;
    case SchemaType::physics_joint:
      for (int i = 0; i < kJointDofCount; ++i) allow(to_string(static_cast<JointDof>(i)));
      break;
    default:
      break;
  }
  if (is_allowed) return;
  report(Severity::warning, "physics-joint-degree-of-freedom", prim,
         format_text("{}:{} has no effect on a {}.", schema, instance, prim.type_name().view()),
         allowed.empty() ? std::string() : format_text("It has: {}.", allowed));
}

void Checker::check_joint_values(const Prim& prim) {
  const auto& [first, second] = names_.ends;
  for (const Name& name : {first.local_pos, second.local_pos, first.local_rot, second.local_rot}) {
    check_finite(prim, name);
  }
  for (const Name& name : {names_.lower_limit, names_.upper_limit, names_.cone_angle0_limit,
                           names_.cone_angle1_limit, names_.min_distance, names_.max_distance}) {
    check_not_nan(prim, name);
  }
  for (const Name& name : {names_.break_force, names_.break_torque}) {
    check_not_nan(prim, name);
    check_not_negative(prim, name, "physics-negative-value", Severity::warning);
  }
  if (joint_schema(prim) == SchemaType::physics_distance_joint) check_distances(prim);
  check_token(prim, names_.joint_axis, {tokens::kX, tokens::kY, tokens::kZ});
  for (const Token api : prim.authored_api_schemas()) {
    const std::string_view text = api.view();
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos) continue;
    const std::string_view schema = text.substr(0, colon);
    const std::string_view instance = text.substr(colon + 1);
    check_degree(prim, schema, instance);
    const auto of = [&](std::string_view name) { return find_name(property_name(name, instance)); };
    if (schema == tokens::kLimitApi) {
      check_not_nan(prim, of(tokens::kLimitLow));
      check_not_nan(prim, of(tokens::kLimitHigh));
    } else if (schema == tokens::kDriveApi) {
      for (const std::string_view name :
           {tokens::kDriveTargetPosition, tokens::kDriveTargetVelocity, tokens::kDriveStiffness,
            tokens::kDriveDamping}) {
        check_finite(prim, of(name));
      }
      const Name force = of(tokens::kDriveMaxForce);
      check_not_nan(prim, force);
      check_not_negative(prim, force, "physics-negative-value", Severity::warning);
      check_token(prim, of(tokens::kDriveType), {tokens::kForce, tokens::kAcceleration});
    }
  }
}

}  // namespace sinew::physics
