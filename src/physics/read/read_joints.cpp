// SPDX-License-Identifier: Apache-2.0
// Joints: what they connect, where, and how.

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "core/format_text.hpp"
#include "physics/read/nested_body.hpp"
#include "physics/read/reader.hpp"
#include "sinew/geom/transforms.hpp"

namespace sinew::physics {

using stage::Prim;
using stage::SchemaType;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// What descriptors start from, and keep where a value is blocked: a limit that does not limit, and
// forces that nothing exceeds.
constexpr float kInitialLower = 90.0F;
constexpr float kInitialUpper = -90.0F;
constexpr float kInitialForce = std::numeric_limits<float>::max();

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
  if (body != kNone) return entry_of(body).world;
  const auto [found, added] = worlds_.try_emplace(prim);
  if (added) found->second = geom::world_from_prim(prim, {}, nullptr);
  return found->second;
}

// Of the prims that are declared bodies and not read as such, those count that are not nested ones:
// inactive ones, excluded ones, prototypes.
bool Reader::is_ignored_body(const Prim& prim) const {
  if (!ignores_nested_bodies() || body_of_.find(prim) != kNone) return false;
  return is_nested_body(prim, [&](const Prim& outer) {
    const std::int32_t body = body_of_.find(outer);
    return body != kNone && model_.body(body).rigid_body_enabled;
  });
}

// The prim that carries a relation's target: the nearest body, else the topmost collider.
Prim Reader::body_prim_of(const Prim& prim) const {
  Prim collider;
  for (Prim at = prim; at && !at.is_root(); at = at.parent()) {
    const std::uint16_t apis = apis_.of(at);
    if ((apis & kRigidBodyApi) != 0 && !is_ignored_body(at)) return at;
    if ((apis & kCollisionApi) != 0) collider = at;
  }
  return collider;
}

// Hangs an end on a body of the model.
void Reader::attach(JointEnd& end, std::int32_t body) const {
  end.body = body;
  end.body_path = model_.body(body).path;
  end.body_world = model_.body(body).pose;
}

// The end of a joint that names `target`; its frame becomes one of the body that carries that.
void Reader::finish_end_at(const Prim& target, JointEnd& end, std::size_t& dynamic_ends) {
  const Prim body = body_prim_of(target);
  end.frame = body == target ? joint_pose(end.frame, world_pose(world_of(target)).scale)
                             : joint_pose(end.frame, world_of(target),
                                          body ? world_of(body) : Matrix4d(Matrix4d::Identity()));
  if (!body) return;
  const std::int32_t index = body_of_.find(body);
  if (index != kNone) {
    attach(end, index);
  } else {
    end.body_path = body.path().str();
    end.body_world = world_pose(world_of(body)).pose;
  }
  const bool is_there = body.matches(stage::Traversal::with_instance_proxies());
  if (is_there && (apis_.of(body) & kRigidBodyApi) != 0 &&
      read(body, names_.rigid_body_enabled, true)) {
    ++dynamic_ends;
  }
}

Prim Reader::prim_at(std::string_view path) const {
  return path.find('.') == std::string_view::npos ? stage_.prim(path) : Prim();
}

void Reader::finish_end(const JointEntry& entry, int which, Joint& joint,
                        std::size_t& dynamic_ends) {
  const JointTarget& target = entry.targets[which];
  JointEnd& end = joint.ends[which];
  if (target.count == 0) {
    // The frame is in world space, with nothing applied to its position.
    end.frame.rotation = joint_pose(end.frame, Vector3f::Ones()).rotation;
    return;
  }
  if (target.count > 1 && documented()) {
    report(Severity::warning, "physics-joint-targets", entry.prim,
           format_text("physics:body{} has {} targets; the first counts.", which, target.count));
  }
  const std::int32_t known =
      target.body != kNone ? target.body : joint_bodies_.find(target.path, which);
  if (known != kNone) {  // Nearly always: the body itself.
    const RigidBody& body = model_.body(known);
    end.prim_path = body.path;
    end.frame = joint_pose(end.frame, body.scale);
    attach(end, known);
    if (body.rigid_body_enabled) ++dynamic_ends;
    return;
  }
  end.prim_path = target.path;
  if (const Prim named = prim_at(target.path)) {
    finish_end_at(named, end, dynamic_ends);
    return;
  }
  end.frame = joint_pose(end.frame, Vector3f::Ones());
  if (documented()) {
    joint.is_valid = false;
    report(Severity::error, "physics-invalid-joint", entry.prim,
           format_text("physics:body{} names <{}>, where there is no prim.", which, target.path));
  }
}

// Bodies may stand behind the joints that name them, so ends wait until all are known.
void Reader::finish_joints() {
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    const JointEntry& entry = joints_[i];
    Joint& joint = model_.joints[i];
    std::size_t dynamic_ends = 0;
    for (const int which : {0, 1}) finish_end(entry, which, joint, dynamic_ends);
    if (documented() && joint.is_valid && dynamic_ends == 0) {
      joint.is_valid = false;
      report(Severity::error, "physics-invalid-joint", entry.prim,
             "The joint has no dynamic body at either end.");
    }
  }
}

Reader::JointTarget Reader::joint_target(const Prim& prim, const Name& name, int end) {
  if (const std::vector<layer::Path>* plain = properties_.plain_targets(prim, name)) {
    if (plain->empty()) return {};
    const std::string_view path = plain->front().view();
    const std::int32_t body = joint_bodies_.guess(path, end);
    return {body != kNone ? Text() : texts_.make(path), plain->size(), body};
  }
  std::vector<Text> all = targets(prim, name);
  if (all.empty()) return {};
  return {std::move(all.front()), all.size(), kNone};
}

// Reads all but the ends, whose frames are kept as they are authored.
void Reader::read_joint(const Prim& prim, SchemaType schema, bool custom) {
  Joint& joint = model_.joints.emplace_back();
  JointEntry& entry = joints_.emplace_back();
  entry.prim = prim;
  joint.path = texts_.make(path_);
  for (const int which : {0, 1}) {
    const Names::JointEnd& end = names_.ends[which];
    entry.targets[which] = joint_target(prim, end.body, which);
    joint.ends[which].frame = {read(prim, end.local_pos, Vector3f(0, 0, 0)),
                               read(prim, end.local_rot, Quatf(1, 0, 0, 0))};
  }
  joint.joint_enabled = read(prim, names_.joint_enabled, true);
  joint.collision_enabled = read(prim, names_.collision_enabled, false, true);
  joint.exclude_from_articulation = read(prim, names_.exclude_from_articulation, false);
  joint.break_force = read(prim, names_.break_force, kInfinity, kInitialForce);
  joint.break_torque = read(prim, names_.break_torque, kInfinity, kInitialForce);
  read_kind(prim, schema, custom, joint);
}

JointLimit Reader::read_limit(const Prim& prim, const Name& low, const Name& high) {
  JointLimit limit;
  limit.lower = read(prim, low, -kInfinity, kInitialLower);
  limit.upper = read(prim, high, kInfinity, kInitialUpper);
  return limit;
}

// Enabled if either end limits. Documented rules: an end that does not is infinite then.
JointLimit Reader::one_sided(JointLimit limit) const {
  const bool below = limits_below(limit.lower);
  const bool above = limits_above(limit.upper);
  limit.enabled = below || above;
  if (!documented() || !limit.enabled) return limit;
  if (!below) limit.lower = -kInfinity;
  if (!above) limit.upper = kInfinity;
  return limit;
}

JointDrive Reader::read_drive(const Prim& prim, const Names::Degree& degree) {
  JointDrive drive;
  if (!applies(prim, degree.drive_api)) return drive;
  drive.enabled = true;
  drive.target_position = read(prim, degree.target_position, 0.0F);
  drive.target_velocity = read(prim, degree.target_velocity, 0.0F);
  drive.force_limit = read(prim, degree.max_force, kInfinity, kInitialForce);
  drive.stiffness = read(prim, degree.stiffness, 0.0F);
  drive.damping = read(prim, degree.damping, 0.0F);
  drive.acceleration = read_token(prim, degree.type, "force") == "acceleration";
  return drive;
}

void Reader::read_kind(const Prim& prim, SchemaType schema, bool custom, Joint& joint) {
  if (custom) {
    joint.kind = CustomJoint{prim.type_name().str()};
    return;
  }
  const auto axis = [&] { return read_axis(prim, names_.joint_axis, Axis::x); };
  switch (schema) {
    case SchemaType::physics_fixed_joint:
      joint.kind = FixedJoint{};
      return;
    case SchemaType::physics_revolute_joint: {
      RevoluteJoint revolute;
      revolute.axis = axis();
      revolute.limit = one_sided(read_limit(prim, names_.lower_limit, names_.upper_limit));
      // Documented rules: one finite end is enough, as for every other limit.
      if (!documented()) {
        revolute.limit.enabled =
            limits_below(revolute.limit.lower) && limits_above(revolute.limit.upper);
      }
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
      spherical.limit.lower = read(prim, names_.cone_angle0_limit, -1.0F, kInitialLower);
      spherical.limit.upper = read(prim, names_.cone_angle1_limit, -1.0F, kInitialUpper);
      const bool first = std::isfinite(spherical.limit.lower) && spherical.limit.lower >= 0.0F;
      const bool second = std::isfinite(spherical.limit.upper) && spherical.limit.upper >= 0.0F;
      spherical.limit.enabled = first && second;
      joint.kind = spherical;
      return;
    }
    case SchemaType::physics_distance_joint: {
      DistanceJoint distance;
      distance.limit.lower = read(prim, names_.min_distance, -1.0F, kInitialLower);
      distance.limit.upper = read(prim, names_.max_distance, -1.0F, kInitialUpper);
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
