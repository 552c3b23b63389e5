// SPDX-License-Identifier: Apache-2.0
// Joints: what they connect, where, and how.
#include <fmt/format.h>

#include <cmath>

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

constexpr JointDof kDofs[] = {JointDof::distance, JointDof::trans_x, JointDof::trans_y,
                              JointDof::trans_z,  JointDof::rot_x,   JointDof::rot_y,
                              JointDof::rot_z};

}  // namespace

const Matrix4d& Reader::world_of(const Prim& prim) {
  const auto [found, added] = worlds_.try_emplace(prim);
  if (added) found->second = geom::world_from_prim(prim, {}, nullptr);
  return found->second;
}

// The prim that carries a relation's target: the nearest body, else the topmost collider.
Prim Reader::body_prim_of(const Prim& prim) const {
  Prim collider;
  for (Prim at = prim; at && !at.is_root(); at = at.parent()) {
    const std::uint16_t apis = apis_of(at);
    if ((apis & kRigidBodyApi) != 0 && (!documented() || body_index(at) != kNone)) return at;
    if ((apis & kCollisionApi) != 0) collider = at;
  }
  return collider;
}

void Reader::read_end(const Prim& prim, int end, Joint& joint, std::size_t& dynamic_ends) {
  const bool first = end == 0;
  const std::vector<std::string> rels = targets(prim, first ? "physics:body0" : "physics:body1");
  const Vector3f position =
      read(prim, first ? "physics:localPos0" : "physics:localPos1", Vector3f(0, 0, 0));
  const Quatf rotation =
      read(prim, first ? "physics:localRot0" : "physics:localRot1", Quatf(1, 0, 0, 0));
  Pose pose;
  if (rels.empty()) {
    pose = joint_pose(position, rotation, Vector3f::Ones());
    // The frame is in world space, with nothing applied to it.
    pose.position = position;
  } else {
    (first ? joint.rel0 : joint.rel1) = rels.front();
    const Prim target = stage_.prim(usda::Path::from_trusted(rels.front()).prim_path());
    const bool is_prim = target && rels.front().find('.') == std::string::npos;
    const Prim body = is_prim ? body_prim_of(target) : Prim();
    if (!is_prim) {
      pose = joint_pose(position, rotation, Vector3f::Ones());
      if (documented()) {
        joint.is_valid = false;
        report(Severity::error, "physics-invalid-joint", prim,
               fmt::format("physics:body{} names <{}>, which is no prim", end, rels.front()));
      }
    } else if (body == target) {
      pose = joint_pose(position, rotation, world_pose(world_of(target)).scale);
    } else {
      pose = joint_pose(position, rotation, world_of(target),
                        body ? world_of(body) : Matrix4d(Matrix4d::Identity()));
    }
    if (body) {
      const std::int32_t index = body_index(body);
      (first ? joint.body0 : joint.body1) = body.path().str();
      (first ? joint.body0_index : joint.body1_index) = index;
      const ScaledPose world = world_pose(world_of(body));
      (first ? joint.body0_world : joint.body1_world) = {world.position, world.rotation};
      if ((apis_of(body) & kRigidBodyApi) != 0 && read(body, "physics:rigidBodyEnabled", true)) {
        ++dynamic_ends;
      }
    }
    if (rels.size() > 1 && documented()) {
      report(Severity::warning, "physics-joint-targets", prim,
             fmt::format("physics:body{} has {} targets; the first counts", end, rels.size()));
    }
  }
  (first ? joint.local_pose0_position : joint.local_pose1_position) = pose.position;
  (first ? joint.local_pose0_orientation : joint.local_pose1_orientation) = pose.rotation;
}

void Reader::add_joints() {
  model_.joints.reserve(joints_.size());
  for (const JointEntry& entry : joints_) read_joint(entry);
}

void Reader::read_joint(const JointEntry& entry) {
  const Prim& prim = entry.prim;
  Joint joint;
  joint.path = prim.path().str();
  std::size_t dynamic_ends = 0;
  read_end(prim, 0, joint, dynamic_ends);
  read_end(prim, 1, joint, dynamic_ends);
  joint.joint_enabled = read(prim, "physics:jointEnabled", true);
  joint.collision_enabled = read(prim, "physics:collisionEnabled", false);
  joint.exclude_from_articulation = read(prim, "physics:excludeFromArticulation", false);
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  joint.break_force = read(prim, "physics:breakForce", kInfinity);
  joint.break_torque = read(prim, "physics:breakTorque", kInfinity);
  if (documented() && joint.is_valid && dynamic_ends == 0) {
    joint.is_valid = false;
    report(Severity::error, "physics-invalid-joint", prim,
           "the joint connects no dynamic body at either end");
  }
  read_kind(entry, joint);
  model_.joints.push_back(std::move(joint));
}

JointLimit Reader::read_limit(const Prim& prim, std::string_view low, std::string_view high) {
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

JointDrive Reader::read_drive(const Prim& prim, std::string_view instance) {
  JointDrive drive;
  if (!prim.has_api(fmt::format("PhysicsDriveAPI:{}", instance))) return drive;
  const auto name = [&](std::string_view base) {
    return fmt::format("drive:{}:physics:{}", instance, base);
  };
  drive.enabled = true;
  drive.target_position = read(prim, name("targetPosition"), 0.0F);
  drive.target_velocity = read(prim, name("targetVelocity"), 0.0F);
  drive.force_limit = read(prim, name("maxForce"), std::numeric_limits<float>::infinity());
  drive.stiffness = read(prim, name("stiffness"), 0.0F);
  drive.damping = read(prim, name("damping"), 0.0F);
  drive.acceleration = read_token(prim, name("type"), "force") == "acceleration";
  return drive;
}

void Reader::read_kind(const JointEntry& entry, Joint& joint) {
  const Prim& prim = entry.prim;
  if (entry.custom) {
    joint.kind = CustomJoint{prim.type_name().str()};
    return;
  }
  const auto axis = [&] { return read_axis(prim, "physics:axis", Axis::x); };
  switch (entry.schema) {
    case SchemaType::physics_fixed_joint:
      joint.kind = FixedJoint{};
      return;
    case SchemaType::physics_revolute_joint: {
      RevoluteJoint revolute;
      revolute.axis = axis();
      revolute.limit = read_limit(prim, "physics:lowerLimit", "physics:upperLimit");
      // Documented rules: one finite end is enough, as for every other limit.
      revolute.limit.enabled =
          documented() ? one_sided(revolute.limit).enabled
                       : limits_below(revolute.limit.lower) && limits_above(revolute.limit.upper);
      revolute.drive = read_drive(prim, "angular");
      joint.kind = revolute;
      return;
    }
    case SchemaType::physics_prismatic_joint: {
      PrismaticJoint prismatic;
      prismatic.axis = axis();
      prismatic.limit = one_sided(read_limit(prim, "physics:lowerLimit", "physics:upperLimit"));
      prismatic.drive = read_drive(prim, "linear");
      joint.kind = prismatic;
      return;
    }
    case SchemaType::physics_spherical_joint: {
      SphericalJoint spherical;
      spherical.axis = axis();
      spherical.limit.lower = read(prim, "physics:coneAngle0Limit", -1.0F);
      spherical.limit.upper = read(prim, "physics:coneAngle1Limit", -1.0F);
      const bool first = std::isfinite(spherical.limit.lower) && spherical.limit.lower >= 0.0F;
      const bool second = std::isfinite(spherical.limit.upper) && spherical.limit.upper >= 0.0F;
      spherical.limit.enabled = first && second;
      joint.kind = spherical;
      return;
    }
    case SchemaType::physics_distance_joint: {
      DistanceJoint distance;
      distance.limit.lower = read(prim, "physics:minDistance", -1.0F);
      distance.limit.upper = read(prim, "physics:maxDistance", -1.0F);
      distance.min_enabled = distance.limit.lower >= 0.0F;
      distance.max_enabled = distance.limit.upper >= 0.0F;
      joint.kind = distance;
      return;
    }
    default:
      break;
  }
  D6Joint d6;
  for (const JointDof dof : kDofs) {
    const std::string_view name = to_string(dof);
    if (prim.has_api(fmt::format("PhysicsLimitAPI:{}", name))) {
      d6.limits.push_back(
          {dof, one_sided(read_limit(prim, fmt::format("limit:{}:physics:low", name),
                                     fmt::format("limit:{}:physics:high", name)))});
    }
    if (prim.has_api(fmt::format("PhysicsDriveAPI:{}", name))) {
      d6.drives.push_back({dof, read_drive(prim, name)});
    }
  }
  joint.kind = std::move(d6);
}

}  // namespace sinew::physics
