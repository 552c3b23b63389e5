// SPDX-License-Identifier: Apache-2.0
// Joints: what they connect, where, and how.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "physics/reader.hpp"
#include "sinew/geom/transforms.hpp"

namespace sinew::physics {

using stage::Prim;
using stage::SchemaType;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// What descriptors start from, and keep where a value is blocked: a limit that is no limit, and
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

// The body of that path, if it is easily found. Joints mostly come in the order of their bodies, so
// that the last one found and the one behind it are worth a try before any path is hashed.
std::int32_t Reader::guess_body(std::string_view path, int end) {
  if (!options_.include_paths.empty()) return kNone;  // There may be two of that path.
  const std::vector<RigidBody>& bodies = model_.rigid_bodies;
  std::int32_t& last = last_found_[end];
  for (const std::int32_t guess : {last + 1, last, last_found_[1 - end]}) {
    if (guess < 0 || static_cast<std::size_t>(guess) >= bodies.size()) continue;
    if (bodies[static_cast<std::size_t>(guess)].path == path) return last = guess;
  }
  return kNone;
}

// The body of that path among all, kNone if there is none.
std::int32_t Reader::find_body(std::string_view path, int end) {
  const std::vector<RigidBody>& bodies = model_.rigid_bodies;
  const std::int32_t guess = guess_body(path, end);
  if (guess != kNone) return guess;
  if (body_at_.empty()) {
    body_at_.reserve(bodies.size());
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      body_at_.try_emplace(bodies[i].path, static_cast<std::int32_t>(i));
    }
  }
  const auto found = body_at_.find(path);
  return found == body_at_.end() ? kNone : last_found_[end] = found->second;
}

Prim Reader::prim_at(std::string_view path) const {
  return path.find('.') == std::string_view::npos ? stage_.prim(path) : Prim();
}

void Reader::finish_end(const JointEntry& entry, int end, Joint& joint, std::size_t& dynamic_ends) {
  const bool first = end == 0;
  Vector3f& position = first ? joint.local_pose0_position : joint.local_pose1_position;
  Quatf& rotation = first ? joint.local_pose0_orientation : joint.local_pose1_orientation;
  const JointTarget& target = entry.targets[end];
  Pose pose;
  if (target.count == 0) {
    pose = joint_pose(position, rotation, Vector3f::Ones());
    // The frame is in world space, with nothing applied to it.
    pose.position = position;
  } else {
    if (target.count > 1 && documented()) {
      report(Severity::warning, "physics-joint-targets", entry.prim,
             fmt::format("physics:body{} has {} targets; the first counts", end, target.count));
    }
    Text& rel = first ? joint.rel0 : joint.rel1;
    const std::int32_t known = target.body != kNone ? target.body : find_body(target.path, end);
    if (known != kNone) {  // Nearly always: the body itself.
      const RigidBody& body = model_.rigid_bodies[static_cast<std::size_t>(known)];
      rel = body.path;
      pose = joint_pose(position, rotation, body.scale);
      set_known_end(end, known, joint);
      if (body.rigid_body_enabled) ++dynamic_ends;
    } else if (const Prim named = prim_at(target.path)) {
      rel = texts_.make(target.path);
      pose = read_end_at(named, end, position, rotation, joint, dynamic_ends);
    } else {
      rel = texts_.make(target.path);
      pose = joint_pose(position, rotation, Vector3f::Ones());
      if (documented()) {
        joint.is_valid = false;
        report(Severity::error, "physics-invalid-joint", entry.prim,
               fmt::format("physics:body{} names <{}>, which is no prim", end, target.path));
      }
    }
  }
  position = pose.position;
  rotation = pose.rotation;
}

// Bodies may stand behind the joints that name them, so ends wait until all are known.
void Reader::finish_joints() {
  auto reports = joint_reports_.begin();
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    const JointEntry& entry = joints_[i];
    Joint& joint = model_.joints[i];
    std::size_t dynamic_ends = 0;
    finish_end(entry, 0, joint, dynamic_ends);
    finish_end(entry, 1, joint, dynamic_ends);
    const auto own = joint_reports_.begin() + static_cast<std::ptrdiff_t>(entry.report_count);
    for (; reports != own; ++reports) diagnostics_.push_back(std::move(*reports));
    if (documented() && joint.is_valid && dynamic_ends == 0) {
      joint.is_valid = false;
      report(Severity::error, "physics-invalid-joint", entry.prim,
             "the joint connects no dynamic body at either end");
    }
  }
}

Reader::JointTarget Reader::joint_target(const Prim& prim, const Name& name, int end) {
  if (const std::vector<layer::Path>* plain = properties_.plain_targets(prim, name)) {
    if (plain->empty()) return {};
    const std::string_view path = plain->front().view();
    return {path, plain->size(), guess_body(path, end)};
  }
  std::vector<Text> all = targets(prim, name);
  if (all.empty()) return {};
  return {joint_targets_.emplace_back(std::move(all.front())).view(), all.size(), kNone};
}

// Reads all but the ends, whose frames are kept as they are authored.
void Reader::read_joint(const Prim& prim, SchemaType schema, bool custom) {
  sink_ = &joint_reports_;
  Joint& joint = model_.joints.emplace_back();
  JointEntry& entry = joints_.emplace_back();
  entry.prim = prim;
  joint.path = texts_.make(path_);
  entry.targets[0] = joint_target(prim, names_.body0, 0);
  entry.targets[1] = joint_target(prim, names_.body1, 1);
  joint.local_pose0_position = read(prim, names_.local_pos0, Vector3f(0, 0, 0));
  joint.local_pose0_orientation = read(prim, names_.local_rot0, Quatf(1, 0, 0, 0));
  joint.local_pose1_position = read(prim, names_.local_pos1, Vector3f(0, 0, 0));
  joint.local_pose1_orientation = read(prim, names_.local_rot1, Quatf(1, 0, 0, 0));
  joint.joint_enabled = read(prim, names_.joint_enabled, true);
  joint.collision_enabled = read(prim, names_.collision_enabled, false, true);
  joint.exclude_from_articulation = read(prim, names_.exclude_from_articulation, false);
  joint.break_force = read(prim, names_.break_force, kInfinity, kInitialForce);
  joint.break_torque = read(prim, names_.break_torque, kInfinity, kInitialForce);
  read_kind(prim, schema, custom, joint);
  entry.report_count = joint_reports_.size();
  sink_ = &diagnostics_;
}

JointLimit Reader::read_limit(const Prim& prim, const Name& low, const Name& high) {
  JointLimit limit;
  limit.lower = read(prim, low, -kInfinity, kInitialLower);
  limit.upper = read(prim, high, kInfinity, kInitialUpper);
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
