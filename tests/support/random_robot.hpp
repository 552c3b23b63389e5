// SPDX-License-Identifier: Apache-2.0
// Robots as text, with what an engine must make of them worked out beside it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "sinew/core/types.hpp"
#include "sinew/physics/pose.hpp"
#include "support/random.hpp"

namespace sinew::test {

/// What pushes a joint: stiffness * (target - q) + damping * (speed - v), no more than `most`.
struct RobotDrive {
  double stiffness = 0.0;
  double damping = 0.0;
  double target = 0.0;
  double speed = 0.0;
  double most = 0.0;

  double force(double q, double v) const {
    return std::clamp(stiffness * (target - q) + damping * (speed - v), -most, most);
  }
};

struct RobotJoint {
  std::string path;
  int parent = -1;  ///< Index of a body; -1: the world.
  int child = 0;
  bool turns = true;
  bool reversed = false;  ///< The file's body0 is the child.
  int axis = 0;
  physics::Posed parent_frame;  ///< In the body, metres.
  physics::Posed child_frame;
  double start = 0.0;  ///< Radians or metres.
  double lower = 0.0;
  double upper = 0.0;
  std::optional<RobotDrive> drive;

  /// Pose of the child in its parent at a coordinate.
  physics::Posed child_in_parent(double q) const;
  /// In the child, in the direction in which the child moves.
  Vector3d axis_in_child() const {
    return (reversed ? -1.0 : 1.0) * (child_frame.rotation * Vector3d::Unit(axis));
  }
};

struct RobotBody {
  std::string path;
  physics::Posed world;  ///< Metres.
  double mass = 1.0;     ///< Kilograms.
};

enum class RobotParts { bodies, drives_and_filters };

/// A tree of 3 to 7 bodies: nested frames, scales, other units than SI, joints that are stated the
/// other way round, joint ends at prims below a body, and joints that do not start at 0. Of the
/// same seed it is the same tree with drives and filters too.
struct RandomRobot {
  std::string text;
  double meters_per_unit = 1.0;
  std::vector<RobotBody> bodies;
  std::vector<RobotJoint> joints;  ///< joints[i] holds bodies[i].
  /// Bodies whose boxes never touch, whatever joints say.
  std::vector<std::pair<std::size_t, std::size_t>> apart;

  explicit RandomRobot(std::uint64_t seed, RobotParts parts = RobotParts::bodies);

 private:
  std::vector<double> scales_;  // Of the bodies.
};

inline physics::Posed posed_product(const physics::Posed& a, const physics::Posed& b) {
  return {a.position + a.rotation * b.position, (a.rotation * b.rotation).normalized()};
}
inline physics::Posed posed_inverse(const physics::Posed& a) {
  const Quatd back = a.rotation.conjugate();
  return {-(back * a.position), back};
}

inline physics::Posed RobotJoint::child_in_parent(double q) const {
  physics::Posed moved;
  if (turns) {
    moved.rotation = Quatd(Eigen::AngleAxisd(q, Eigen::Vector3d::Unit(axis)));
  } else {
    moved.position = q * Vector3d::Unit(axis);
  }
  if (reversed) moved = posed_inverse(moved);
  return posed_product(posed_product(parent_frame, moved), posed_inverse(child_frame));
}

inline RandomRobot::RandomRobot(std::uint64_t seed, RobotParts parts) {
  Random random(seed);
  Random more(seed + 1'000'000);
  const bool has_more = parts == RobotParts::drives_and_filters;
  const double units[] = {1.0, 0.01, 0.5};
  const double masses[] = {1.0, 0.001, 2.0};
  meters_per_unit = units[random.below(3)];
  const double kilograms_per_unit = masses[random.below(3)];
  const auto uniform = [&](double low, double high) {
    return low + (high - low) * static_cast<double>(random.next() >> 11) / 9007199254740992.0;
  };
  // Braces, for compilers differ in the order in which they evaluate what stands in parentheses.
  const auto rotation = [&] {
    Quatd q{uniform(-1, 1), uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)};
    if (q.norm() < 0.1) q = Quatd::Identity();
    return q.normalized();
  };
  const auto vector = [&](double size) {
    return Vector3d{uniform(-size, size), uniform(-size, size), uniform(-size, size)};
  };
  std::ostringstream out;
  out.precision(17);
  const auto triple = [&](const Vector3d& v) {
    std::ostringstream s;
    s.precision(17);
    s << '(' << v.x() << ", " << v.y() << ", " << v.z() << ')';
    return s.str();
  };
  const auto quat = [&](const Quatd& q) {
    std::ostringstream s;
    s.precision(17);
    s << '(' << q.w() << ", " << q.x() << ", " << q.y() << ", " << q.z() << ')';
    return s.str();
  };
  // A frame, given in metres relative to a parent whose scale is `scale`, with a scale of its own.
  const auto ops = [&](const physics::Posed& local, double scale, double own) {
    return "double3 xformOp:translate = " + triple(local.position / (scale * meters_per_unit)) +
           "\nquatd xformOp:orient = " + quat(local.rotation) +
           "\ndouble3 xformOp:scale = " + triple(Vector3d::Constant(own)) +
           "\nuniform token[] xformOpOrder = [\"xformOp:translate\", \"xformOp:orient\", "
           "\"xformOp:scale\"]\n";
  };
  // A frame of a joint as a file holds it, in single precision, below a prim of that scale.
  const auto filed = [&](const physics::Posed& frame, double scale) {
    const double unit = scale * meters_per_unit;
    return physics::Posed{(frame.position / unit).cast<float>().cast<double>() * unit,
                          frame.rotation.cast<float>().cast<double>().normalized()};
  };
  const double scales[] = {1.0, 2.0, 0.5};
  const physics::Posed root{vector(1.0), rotation()};
  const double root_scale = scales[random.below(3)];
  out << "#usda 1.0\n(\nmetersPerUnit = " << meters_per_unit
      << "\nkilogramsPerUnit = " << kilograms_per_unit << "\nupAxis = \"Z\"\n)\n"
      << "def PhysicsScene \"Scene\" {}\n"
      << "def Xform \"Robot\" (apiSchemas = [\"PhysicsArticulationRootAPI\"]) {\n"
      << ops(root, 1.0, root_scale);
  const int count = random.between(3, 7);
  std::string joint_text;
  for (int i = 0; i < count; ++i) {
    RobotJoint joint;
    joint.child = i;
    joint.parent = i == 0 ? -1 : random.between(0, i - 1);
    joint.turns = random.chance(70);
    joint.reversed = random.chance(40);
    joint.axis = random.between(0, 2);
    const double parent_scale =
        joint.parent < 0 ? 1.0 : scales_[static_cast<std::size_t>(joint.parent)];
    joint.parent_frame = filed({vector(0.3), rotation()}, parent_scale);
    joint.child_frame = {vector(0.3), rotation()};
    joint.start = joint.turns ? uniform(-1.5, 1.5) : uniform(-0.3, 0.3);
    joint.lower = joint.start - uniform(0.1, 1.0);
    joint.upper = joint.start + uniform(0.1, 1.0);
    joint.path = "/Robot/joint" + std::to_string(i);
    RobotBody body;
    body.mass = uniform(0.2, 5.0);

    // The body's prim, perhaps below a frame of its own; an end of its joint perhaps below it.
    const bool nested = random.chance(40);
    const bool below = random.chance(40);
    const std::string name = "body" + std::to_string(i);
    body.path = (nested ? "/Robot/mount" + std::to_string(i) : std::string("/Robot")) + "/" + name;
    physics::Posed outer = root;
    double outer_scale = root_scale;
    if (nested) {
      const physics::Posed mount{vector(0.5), rotation()};
      const double scale = scales[random.below(3)];
      out << "def Xform \"mount" << i << "\" {\n" << ops(mount, outer_scale, scale);
      outer = posed_product(outer, mount);
      outer_scale *= scale;
    }
    const double own = scales[random.below(3)];
    const double body_scale = outer_scale * own;
    const physics::Posed handle{vector(0.2), rotation()};
    const double half = uniform(0.05, 0.2);
    physics::Posed child_local = joint.child_frame;
    double child_scale = body_scale;
    if (below) {
      child_scale *= 2.0;
      child_local = filed(posed_product(posed_inverse(handle), child_local), child_scale);
      joint.child_frame = posed_product(handle, child_local);
    } else {
      joint.child_frame = child_local = filed(child_local, child_scale);
    }
    const physics::Posed parent =
        joint.parent < 0 ? physics::Posed{} : bodies[static_cast<std::size_t>(joint.parent)].world;
    body.world = posed_product(parent, joint.child_in_parent(joint.start));
    out << "def Xform \"" << name
        << "\" (apiSchemas = [\"PhysicsRigidBodyAPI\", \"PhysicsMassAPI\"]) {\n"
        << "float physics:mass = " << body.mass / kilograms_per_unit << "\n"
        << ops(posed_product(posed_inverse(outer), body.world), outer_scale, own)
        << "def Cube \"box\" (apiSchemas = [\"PhysicsCollisionAPI\""
        << (has_more ? ", \"PhysicsFilteredPairsAPI\"" : "")
        << "]) {\ndouble size = " << 2.0 * half / (body_scale * meters_per_unit) << "\n";
    if (has_more && i > 0 && more.chance(40)) {
      const auto other = static_cast<std::size_t>(more.between(0, i - 1));
      apart.emplace_back(other, static_cast<std::size_t>(i));
      out << "rel physics:filteredPairs = <" << bodies[other].path << "/box>\n";
    }
    out << ops({vector(0.1), rotation()}, body_scale, 1.0) << "}\n"
        << "def Xform \"handle\" {\n"
        << ops(handle, body_scale, 2.0) << "}\n}\n";
    if (nested) out << "}\n";

    const std::string child_target = below ? body.path + "/handle" : body.path;
    const int child_end = joint.reversed ? 0 : 1;
    const int parent_end = 1 - child_end;
    const double angle = joint.turns ? 180.0 / std::numbers::pi : 1.0 / meters_per_unit;
    const bool has_drive = has_more && more.chance(70);
    const std::string schema = std::string(" (apiSchemas = [\"PhysicsDriveAPI:") +
                               (joint.turns ? "angular" : "linear") + "\"])";
    std::ostringstream j;
    j.precision(17);
    j << "def Physics" << (joint.turns ? "Revolute" : "Prismatic") << "Joint \"joint" << i << "\""
      << (has_drive ? schema : std::string()) << " {\nuniform token physics:axis = \""
      << "XYZ"[joint.axis] << "\"\n"
      << "rel physics:body" << child_end << " = <" << child_target << ">\n"
      << "point3f physics:localPos" << child_end << " = "
      << triple(child_local.position / (child_scale * meters_per_unit))
      << "\nquatf physics:localRot" << child_end << " = " << quat(child_local.rotation) << "\n";
    if (joint.parent >= 0) {
      j << "rel physics:body" << parent_end << " = <"
        << bodies[static_cast<std::size_t>(joint.parent)].path << ">\n";
    }
    j << "point3f physics:localPos" << parent_end << " = "
      << triple(joint.parent_frame.position / (parent_scale * meters_per_unit))
      << "\nquatf physics:localRot" << parent_end << " = " << quat(joint.parent_frame.rotation)
      << "\n"
      << "float physics:lowerLimit = " << joint.lower * angle
      << "\nfloat physics:upperLimit = " << joint.upper * angle << "\n";
    if (has_drive) {
      const auto some = [&](double low, double high) {
        return low + (high - low) * static_cast<double>(more.next() >> 11) / 9007199254740992.0;
      };
      RobotDrive drive;
      drive.stiffness = more.chance(70) ? some(1.0, 50.0) : 0.0;
      drive.damping = some(0.1, 5.0);
      if (drive.stiffness > 0.0) {
        drive.target = some(joint.lower, joint.upper);
      } else {
        drive.speed = some(-2.0, 2.0);
      }
      drive.most = some(0.5, 40.0);
      joint.drive = drive;
      // Of a slide: a force by a length; of a turn a moment by an angle.
      const double force = kilograms_per_unit * meters_per_unit;
      const double effort = joint.turns ? force * meters_per_unit : force;
      const std::string prefix =
          std::string("drive:") + (joint.turns ? "angular" : "linear") + ":physics:";
      j << "uniform token " << prefix << "type = \"force\"\n"
        << "float " << prefix << "stiffness = " << drive.stiffness / (effort * angle) << "\n"
        << "float " << prefix << "damping = " << drive.damping / (effort * angle) << "\n"
        << "float " << prefix << "targetPosition = " << drive.target * angle << "\n"
        << "float " << prefix << "targetVelocity = " << drive.speed * angle << "\n"
        << "float " << prefix << "maxForce = " << drive.most / effort << "\n";
    }
    j << "}\n";
    joint_text += j.str();
    scales_.push_back(body_scale);
    bodies.push_back(body);
    joints.push_back(joint);
  }
  out << joint_text << "}\n";
  text = out.str();
}

}  // namespace sinew::test
