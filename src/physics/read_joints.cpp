// SPDX-License-Identifier: Apache-2.0
// Joints: what they connect, where, and how.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "physics/reader.hpp"
#include "physics/report.hpp"
#include "sinew/geom/transforms.hpp"

namespace sinew::physics {

using stage::Prim;
using stage::SchemaType;

namespace {

bool limits_below(float lower) noexcept {
  return std::isfinite(lower) && lower > -kUnlimited;
}
bool limits_above(float upper) noexcept {
  return std::isfinite(upper) && upper < kUnlimited;
}

bool applies(const Prim& prim, Token api) noexcept {
  const std::span<const Token> apis = prim.authored_api_schemas();
  return !api.empty() && std::find(apis.begin(), apis.end(), api) != apis.end();
}

}  // namespace

const Matrix4d& Reader::world_of(const Prim& prim) {
  const std::int32_t body = body_of_.find(prim);
  if (body != kNone) return bodies_[static_cast<std::size_t>(body)].world;
  const auto [found, added] = worlds_.try_emplace(prim);
  if (added) found->second = geom::world_from_prim(prim, {}, nullptr);
  return found->second;
}

// The prim that carries a relation's target: the nearest body, else the topmost collider.
Prim Reader::body_prim_of(const Prim& prim) const {
  Prim collider;
  for (Prim at = prim; at && !at.is_root(); at = at.parent()) {
    const std::uint16_t apis = apis_of(at);
    if ((apis & kRigidBodyApi) != 0 && (!documented() || body_of_.find(at) != kNone)) return at;
    if ((apis & kCollisionApi) != 0) collider = at;
  }
  return collider;
}

// An end that names a body of the model.
void Reader::set_known_end(int end, std::int32_t body, Joint& joint) const {
  const RigidBody& known = model_.rigid_bodies[static_cast<std::size_t>(body)];
  (end == 0 ? joint.body0 : joint.body1) = known.path;
  (end == 0 ? joint.body0_index : joint.body1_index) = body;
  (end == 0 ? joint.body0_world : joint.body1_world) = {known.position, known.rotation};
}

// The end of a joint that names `target`; its frame relative to the body that carries that.
Pose Reader::read_end_at(const Prim& target, int end, const Vector3f& position,
                         const Quatf& rotation, Joint& joint, std::size_t& dynamic_ends) {
  const Prim body = body_prim_of(target);
  const Pose pose = body == target
                        ? joint_pose(position, rotation, world_pose(world_of(target)).scale)
                        : joint_pose(position, rotation, world_of(target),
                                     body ? world_of(body) : Matrix4d(Matrix4d::Identity()));
  if (!body) return pose;
  const std::int32_t index = body_of_.find(body);
  if (index != kNone) {
    set_known_end(end, index, joint);
  } else {
    (end == 0 ? joint.body0 : joint.body1) = body.path().str();
    const ScaledPose world = world_pose(world_of(body));
    (end == 0 ? joint.body0_world : joint.body1_world) = {world.position, world.rotation};
  }
  if ((apis_of(body) & kRigidBodyApi) != 0 && read(body, names_.rigid_body_enabled, true)) {
    ++dynamic_ends;
  }
  return pose;
}

void Reader::read_end(const Prim& prim, int end, Joint& joint, std::size_t& dynamic_ends) {
  const bool first = end == 0;
  std::vector<std::string> rels = targets(prim, first ? names_.body0 : names_.body1);
  const Vector3f position =
      read(prim, first ? names_.local_pos0 : names_.local_pos1, Vector3f(0, 0, 0));
  const Quatf rotation =
      read(prim, first ? names_.local_rot0 : names_.local_rot1, Quatf(1, 0, 0, 0));
  Pose pose;
  if (rels.empty()) {
    pose = joint_pose(position, rotation, Vector3f::Ones());
    // The frame is in world space, with nothing applied to it.
    pose.position = position;
  } else {
    if (rels.size() > 1 && documented()) {
      report(Severity::warning, "physics-joint-targets", prim,
             fmt::format("physics:body{} has {} targets; the first counts", end, rels.size()));
    }
    std::string& rel = first ? joint.rel0 : joint.rel1;
    rel = std::move(rels.front());
    const auto known = body_at_.find(rel);
    if (known != body_at_.end()) {  // Nearly always: the body itself.
      const RigidBody& body = model_.rigid_bodies[static_cast<std::size_t>(known->second)];
      pose = joint_pose(position, rotation, body.scale);
      set_known_end(end, known->second, joint);
      if (body.rigid_body_enabled) ++dynamic_ends;
    } else if (const Prim target = rel.find('.') == std::string::npos ? stage_.prim(rel) : Prim()) {
      pose = read_end_at(target, end, position, rotation, joint, dynamic_ends);
    } else {
      pose = joint_pose(position, rotation, Vector3f::Ones());
      if (documented()) {
        joint.is_valid = false;
        report(Severity::error, "physics-invalid-joint", prim,
               fmt::format("physics:body{} names <{}>, which is no prim", end, rel));
      }
    }
  }
  (first ? joint.local_pose0_position : joint.local_pose1_position) = pose.position;
  (first ? joint.local_pose0_orientation : joint.local_pose1_orientation) = pose.rotation;
}

void Reader::add_joints() {
  if (joints_.empty()) return;
  body_at_.reserve(model_.rigid_bodies.size());
  for (std::size_t i = 0; i < model_.rigid_bodies.size(); ++i) {
    body_at_.try_emplace(model_.rigid_bodies[i].path, static_cast<std::int32_t>(i));
  }
  model_.joints.reserve(joints_.size());
  for (JointEntry& entry : joints_) read_joint(entry);
}

void Reader::read_joint(JointEntry& entry) {
  const Prim& prim = entry.prim;
  Joint& joint = model_.joints.emplace_back();
  joint.path = std::move(entry.path);
  std::size_t dynamic_ends = 0;
  read_end(prim, 0, joint, dynamic_ends);
  read_end(prim, 1, joint, dynamic_ends);
  joint.joint_enabled = read(prim, names_.joint_enabled, true);
  joint.collision_enabled = read(prim, names_.collision_enabled, false);
  joint.exclude_from_articulation = read(prim, names_.exclude_from_articulation, false);
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  joint.break_force = read(prim, names_.break_force, kInfinity);
  joint.break_torque = read(prim, names_.break_torque, kInfinity);
  if (documented() && joint.is_valid && dynamic_ends == 0) {
    joint.is_valid = false;
    report(Severity::error, "physics-invalid-joint", prim,
           "the joint connects no dynamic body at either end");
  }
  read_kind(entry, joint);
}

JointLimit Reader::read_limit(const Prim& prim, Token low, Token high) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  JointLimit limit;
  limit.lower = read(prim, low, -kInfinity);
  limit.upper = read(prim, high, kInfinity);
  return limit;
}

// Enabled if either end limits.
JointLimit Reader::one_sided(JointLimit limit) const {
  limit.enabled = limits_below(limit.lower) || limits_above(limit.upper);
  return limit;
}

JointDrive Reader::read_drive(const Prim& prim, const Names::Degree& degree) {
  JointDrive drive;
  if (!applies(prim, degree.drive_api)) return drive;
  drive.enabled = true;
  drive.target_position = read(prim, degree.target_position, 0.0F);
  drive.target_velocity = read(prim, degree.target_velocity, 0.0F);
  drive.force_limit = read(prim, degree.max_force, std::numeric_limits<float>::infinity());
  drive.stiffness = read(prim, degree.stiffness, 0.0F);
  drive.damping = read(prim, degree.damping, 0.0F);
  drive.acceleration = read_token(prim, degree.type, "force") == "acceleration";
  return drive;
}

void Reader::read_kind(const JointEntry& entry, Joint& joint) {
  const Prim& prim = entry.prim;
  if (entry.custom) {
    joint.kind = CustomJoint{prim.type_name().str()};
    return;
  }
  const auto axis = [&] { return read_axis(prim, names_.joint_axis, Axis::x); };
  switch (entry.schema) {
    case SchemaType::physics_fixed_joint:
      joint.kind = FixedJoint{};
      return;
    case SchemaType::physics_revolute_joint: {
      RevoluteJoint revolute;
      revolute.axis = axis();
      revolute.limit = read_limit(prim, names_.lower_limit, names_.upper_limit);
      // Documented rules: one finite end is enough, as for every other limit.
      revolute.limit.enabled =
          documented() ? one_sided(revolute.limit).enabled
                       : limits_below(revolute.limit.lower) && limits_above(revolute.limit.upper);
      revolute.drive = read_drive(prim, names_.angular);
      joint.kind = revolute;
      return;
    }
    case SchemaType::physics_prismatic_joint: {
      PrismaticJoint prismatic;
      prismatic.axis = axis();
      prismatic.limit = one_sided(read_limit(prim, names_.lower_limit, names_.upper_limit));
      prismatic.drive = read_drive(prim, names_.linear);
      joint.kind = prismatic;
      return;
    }
    case SchemaType::physics_spherical_joint: {
      SphericalJoint spherical;
      spherical.axis = axis();
      spherical.limit.lower = read(prim, names_.cone_angle0_limit, -1.0F);
      spherical.limit.upper = read(prim, names_.cone_angle1_limit, -1.0F);
      const bool first = std::isfinite(spherical.limit.lower) && spherical.limit.lower >= 0.0F;
      const bool second = std::isfinite(spherical.limit.upper) && spherical.limit.upper >= 0.0F;
      spherical.limit.enabled = first && second;
      joint.kind = spherical;
      return;
    }
    case SchemaType::physics_distance_joint: {
      DistanceJoint distance;
      distance.limit.lower = read(prim, names_.min_distance, -1.0F);
      distance.limit.upper = read(prim, names_.max_distance, -1.0F);
      distance.min_enabled = distance.limit.lower >= 0.0F;
      distance.max_enabled = distance.limit.upper >= 0.0F;
      joint.kind = distance;
      return;
    }
    default:
      break;
  }
  D6Joint d6;
  for (int i = 0; i < kJointDofCount; ++i) {
    const auto dof = static_cast<JointDof>(i);
    const Names::Degree& degree = names_.dofs[i];
    if (applies(prim, degree.limit_api)) {
      d6.limits.push_back({dof, one_sided(read_limit(prim, degree.low, degree.high))});
    }
    if (applies(prim, degree.drive_api)) d6.drives.push_back({dof, read_drive(prim, degree)});
  }
  joint.kind = std::move(d6);
}

}  // namespace sinew::physics
