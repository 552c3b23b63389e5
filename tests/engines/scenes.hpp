// SPDX-License-Identifier: Apache-2.0
// Scenes that every engine is asked for, and what becomes of the joints of random robots.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "sinew/physics/dialects.hpp"
#include "sinew/physics/joint_frames.hpp"
#include "sinew/physics/lookup.hpp"
#include "sinew/physics/mass_frame.hpp"
#include "sinew/physics/read/read_physics.hpp"
#include "stage/support.hpp"
#include "support/folders.hpp"
#include "support/random_robot.hpp"

namespace sinew::test {

/// Scenes of examples/data.
inline const char* const kExamples[] = {"bouncing_spheres", "box_on_quad",     "distance_joint",
                                        "driven_joint",     "group_filtering", "pair_filtering",
                                        "robot_arm"};

/// The physics of a stage, in SI units, nested bodies kept.
inline physics::PhysicsModel model_of_stage(const stage::Stage& stage, Diagnostics& diagnostics,
                                            std::vector<physics::Dialect> dialects) {
  physics::ReadOptions options;
  options.nested_bodies = physics::NestedBodies::keep;
  options.dialects = std::move(dialects);
  return physics::read_physics(stage, diagnostics, options).to_si();
}

/// Of a layer.
inline physics::PhysicsModel model_of_text(const std::string& text,
                                           std::vector<physics::Dialect> dialects = {}) {
  Diagnostics diagnostics;
  const std::string header = "#usda 1.0\n";
  const auto stage = stage::open_layers({{"root.usda", text.c_str() + header.size()}}, diagnostics);
  return model_of_stage(*stage, diagnostics, std::move(dialects));
}

/// Of a scene of examples/data.
inline physics::PhysicsModel model_of_example(const std::string& name,
                                              std::vector<physics::Dialect> dialects = {}) {
  Diagnostics diagnostics;
  const auto stage = stage::Stage::open(example_data_folder() + "/" + name + ".usda", diagnostics);
  return model_of_stage(**stage, diagnostics, std::move(dialects));
}

/// The example robot_arm, the drives of its joints that turn with another target, in radians.
inline physics::PhysicsModel arm_driven_to(float target) {
  physics::PhysicsModel model = model_of_example("robot_arm");
  for (physics::Joint& joint : model.joints) {
    auto* const turns = std::get_if<physics::RevoluteJoint>(&joint.kind);
    if (turns != nullptr) turns->drive.target_position = target;
  }
  return model;
}

/// Of the bar of the example driven_joint, in kilograms, and of its drive, in radians a second.
inline constexpr double kBarMass = 10.0;
inline constexpr double kBarSpeed = 10.0 * std::numbers::pi / 180.0;

/// How far the bar has turned about its hinge, by where it is.
inline double bar_angle(const physics::Posed& bar) {
  return std::atan2(-bar.position.x(), bar.position.y() - 0.6);
}

/// How far it has turned by then if it gains speed as its damping says:
/// w (1 - e^(-t/tau)), tau = I / d about the hinge.
inline double bar_angle_after(double seconds) {
  const double inertia = kBarMass * ((1.0 + 0.01) / 12.0) + kBarMass * 0.6 * 0.6;
  const double damping = 9999.0 * 1e-4 * 180.0 / std::numbers::pi;
  const double tau = inertia / damping;
  return kBarSpeed * (seconds - tau * (1.0 - std::exp(-seconds / tau)));
}

/// A box that lies on a floor and a ball a metre above it, of one material: friction 0.3 and
/// restitution 0.75.
inline constexpr const char* kSlideAndBounce = R"(#usda 1.0
(
    metersPerUnit = 1
    upAxis = "Z"
)
def Material "Rubber" (apiSchemas = ["PhysicsMaterialAPI"]) {
    float physics:dynamicFriction = 0.3
    float physics:staticFriction = 0.3
    float physics:restitution = 0.75
}
def Plane "Floor" (apiSchemas = ["PhysicsCollisionAPI", "MaterialBindingAPI"]) {
    rel material:binding:physics = </Rubber>
}
def Cube "Box" (apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI", "MaterialBindingAPI"]) {
    double size = 1
    rel material:binding:physics = </Rubber>
    double3 xformOp:translate = (0, 3, 0.5)
    uniform token[] xformOpOrder = ["xformOp:translate"]
}
def Sphere "Ball" (apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI", "MaterialBindingAPI"]) {
    double radius = 0.25
    rel material:binding:physics = </Rubber>
    double3 xformOp:translate = (0, 0, 1.25)
    uniform token[] xformOpOrder = ["xformOp:translate"]
}
)";
inline constexpr double kSlideSpeed = 2.0;  ///< Of the box, along x.

/// A rod of 1 m that hangs from its end.
inline const char* const kPendulum = R"(#usda 1.0
(metersPerUnit = 1
 kilogramsPerUnit = 1
 upAxis = "Z")
def PhysicsScene "S" {}
def Cube "Rod" (apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI"]) {
  double size = 1
  double3 xformOp:translate = (0, 0, -0.5)
  float3 xformOp:scale = (0.001, 0.001, 1)
  uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:scale"]
}
def PhysicsRevoluteJoint "Pivot" {
  rel physics:body1 = </Rod>
  uniform token physics:axis = "X"
  point3f physics:localPos1 = (0, 0, 0.5)
})";

/// Of small swings, in seconds: T = 2 pi sqrt(2 l / 3 g).
inline double pendulum_period() {
  return 2.0 * std::numbers::pi * std::sqrt(2.0 / (3.0 * 9.81));
}

/// The time between two times at which values, one per step, come down through 0: the mean of all.
/// 0 without two of them.
inline double period_of(const std::vector<double>& values, double step) {
  std::vector<double> crossings;
  for (std::size_t i = 1; i < values.size(); ++i) {
    const double last = values[i - 1];
    const double now = values[i];
    if (last > 0.0 && now <= 0.0) {
      crossings.push_back(step * (static_cast<double>(i) - now / (now - last)));
    }
  }
  if (crossings.size() < 2) return 0.0;
  return (crossings.back() - crossings.front()) / static_cast<double>(crossings.size() - 1);
}

/// A ball on a spherical joint with a cone of 20 degrees towards one axis and 50 towards the other,
/// twisted by 70 degrees, and gravity that pulls it along one of the two.
struct ConeScene {
  std::string text;
  double limit = 0.0;  ///< What the cone allows there, in radians.

  /// @param axis    Of the cone: 0 to 2.
  /// @param second  Gravity pulls towards the axis after the next, else towards the next.
  ConeScene(int axis, bool second) {
    const double degrees[] = {20.0, 50.0};
    limit = degrees[second ? 1 : 0] * std::numbers::pi / 180.0;
    // The rod lies along the axis of the cone.
    Vector3d rod = Vector3d::Unit(axis);
    Vector3d pull = Vector3d::Unit((axis + (second ? 2 : 1)) % 3);
    const auto triple = [](const Vector3d& v) {
      return "(" + std::to_string(v.x()) + ", " + std::to_string(v.y()) + ", " +
             std::to_string(v.z()) + ")";
    };
    text =
        "#usda 1.0\n(metersPerUnit = 1\nkilogramsPerUnit = 1\nupAxis = \"Z\")\n"
        "def PhysicsScene \"S\" {\nvector3f physics:gravityDirection = " +
        triple(pull) +
        "\nfloat physics:gravityMagnitude = 5\n}\n"
        "def Sphere \"Ball\" (apiSchemas = [\"PhysicsRigidBodyAPI\", "
        "\"PhysicsCollisionAPI\"]) {\ndouble radius = 0.2\ndouble3 xformOp:translate = " +
        triple(rod) +
        "\nuniform token[] xformOpOrder = [\"xformOp:translate\"]\n}\n"
        "def PhysicsSphericalJoint \"Joint\" {\nrel physics:body1 = </Ball>\n"
        "uniform token physics:axis = \"" +
        "XYZ"[axis] + "\"\npoint3f physics:localPos1 = " + triple(-rod) +
        "\nquatf physics:localRot1 = (0.819152, " + triple(0.573576 * rod).substr(1) +
        "\nfloat physics:coneAngle0Limit = 20\nfloat physics:coneAngle1Limit = 50\n}\n";
    axis_ = rod;
    pull_ = pull;
  }

  /// How far the ball has swung the way that gravity pulls, by where it is.
  double swing(const Vector3d& ball) const { return std::atan2(ball.dot(pull_), ball.dot(axis_)); }

 private:
  Vector3d axis_;
  Vector3d pull_;
};

/// Two shapes in a body and one in another, all in one place, and two of the three pairs that could
/// meet are filtered, or all of them.
inline std::string overlapping_boxes(bool one_pair_meets) {
  const std::string box =
      " (apiSchemas = [\"PhysicsCollisionAPI\", \"PhysicsFilteredPairsAPI\"]) {\ndouble size = 1\n";
  return "#usda 1.0\n(metersPerUnit = 1\nkilogramsPerUnit = 1\nupAxis = \"Z\")\n"
         "def PhysicsScene \"S\" {\nfloat physics:gravityMagnitude = 0\n}\n"
         "def Xform \"a\" (apiSchemas = [\"PhysicsRigidBodyAPI\"]) {\ndef Cube \"one\"" +
         box + "}\ndef Cube \"two\"" + box +
         "}\n}\ndef Xform \"b\" (apiSchemas = [\"PhysicsRigidBodyAPI\"]) {\n"
         "double3 xformOp:translate = (0.5, 0, 0)\n"
         "uniform token[] xformOpOrder = [\"xformOp:translate\"]\ndef Cube \"three\"" +
         box + "rel physics:filteredPairs = [</a/one>" + (one_pair_meets ? "" : ", </a/two>") +
         "]\n}\n}\n";
}

inline physics::Posed widened(const physics::Pose& pose) {
  return {pose.position.cast<double>(), pose.rotation.cast<double>().normalized()};
}

/// A coordinate for every joint of a robot, in radians or metres.
inline std::vector<double> random_coordinates(const RandomRobot& robot, Random& random) {
  std::vector<double> q;
  for (const RobotJoint& joint : robot.joints) {
    q.push_back(joint.turns ? random.eighths(-3, 3) : random.eighths(-1, 1));
  }
  return q;
}

/// Where the bodies of a robot stand at coordinates of its joints.
inline std::vector<physics::Posed> robot_poses(const RandomRobot& robot,
                                               const std::vector<double>& q) {
  std::vector<physics::Posed> poses;
  for (std::size_t i = 0; i < robot.joints.size(); ++i) {
    const RobotJoint& joint = robot.joints[i];
    const physics::Posed parent =
        joint.parent < 0 ? physics::Posed{} : poses[static_cast<std::size_t>(joint.parent)];
    poses.push_back(posed_product(parent, joint.child_in_parent(q[i])));
  }
  return poses;
}

/// Where a joint is, by where its two bodies are.
struct JointReading {
  double q = 0.0;      ///< Radians or metres.
  double apart = 0.0;  ///< How far what it locks is off, in metres,
  double tilt = 0.0;   ///< and in radians.
};

inline JointReading read_joint(const RobotJoint& joint, const physics::Posed& parent,
                               const physics::Posed& child) {
  physics::Posed moved =
      posed_product(posed_product(posed_inverse(joint.parent_frame), posed_inverse(parent)),
                    posed_product(child, joint.child_frame));
  if (joint.reversed) moved = posed_inverse(moved);
  JointReading reading;
  physics::Posed locked = moved;
  if (joint.turns) {
    reading.q = 2.0 * std::atan2(moved.rotation.vec()[joint.axis], moved.rotation.w());
    reading.q = std::remainder(reading.q, 2.0 * std::numbers::pi);
    locked.rotation =
        moved.rotation * Quatd(Eigen::AngleAxisd(-reading.q, Eigen::Vector3d::Unit(joint.axis)));
  } else {
    reading.q = moved.position[joint.axis];
    locked.position[joint.axis] = 0.0;
  }
  reading.apart = locked.position.norm();
  reading.tilt = locked.rotation.angularDistance(Quatd::Identity());
  return reading;
}

/// Takes what disturbs drives out of a model: gravity and contacts.
inline void leave_drives_alone(physics::PhysicsModel& model) {
  for (physics::Scene& scene : model.scenes) scene.gravity_magnitude = 0.0F;
  for (physics::Shape& shape : model.shapes) shape.collision_enabled = false;
}

/// Calls a function with the drive of every joint that turns or slides, and the joint of the robot.
template <typename Change>
void change_drives(physics::PhysicsModel& model, const RandomRobot& robot, Change change) {
  const physics::Lookup lookup(model);
  for (const RobotJoint& source : robot.joints) {
    auto& kind = model.joints[static_cast<std::size_t>(lookup.joint(source.path))].kind;
    if (auto* turns = std::get_if<physics::RevoluteJoint>(&kind)) change(turns->drive, source);
    if (auto* slides = std::get_if<physics::PrismaticJoint>(&kind)) change(slides->drive, source);
  }
}

/// Has what no spring drives hold where it starts.
inline void hold(physics::JointDrive& drive, const RobotJoint& joint) {
  drive.enabled = true;
  drive.stiffness = 1.0F;
  drive.target_position = static_cast<float>(joint.start);
  drive.target_velocity = 0.0F;
}

/// Drives a joint by its speed alone.
inline void run_at(physics::JointDrive& drive, float speed) {
  drive = {};
  drive.enabled = true;
  drive.damping = 20.0F;
  drive.target_velocity = speed;
  drive.force_limit = 20.0F;
}

/// The robot with one of its joints left, and all bodies but the one that it holds fixed.
inline physics::PhysicsModel with_one_joint(const RandomRobot& robot, std::size_t which) {
  physics::PhysicsModel model = model_of_text(robot.text);
  leave_drives_alone(model);
  for (physics::Joint& joint : model.joints) {
    joint.joint_enabled = joint.path.view() == robot.joints[which].path;
  }
  for (physics::RigidBody& body : model.rigid_bodies) {
    body.rigid_body_enabled = body.path.view() == robot.bodies[which].path;
  }
  return model;
}

/// What a force along that joint has to accelerate: the mass of what it holds, or its moment about
/// the axis.
inline double inertia_about(const physics::PhysicsModel& model, const RandomRobot& robot,
                            std::size_t which) {
  const RobotJoint& joint = robot.joints[which];
  Diagnostics unused;
  const physics::MassFrame mass = physics::mass_frame(
      physics::body_mass(model, physics::Lookup(model).body(robot.bodies[which].path), unused));
  if (!joint.turns) return mass.mass;
  const Vector3d axis = joint.axis_in_child();
  const Vector3d arm = mass.center - joint.child_frame.position;
  return axis.dot(mass.inertia * axis) + mass.mass * axis.cross(arm).squaredNorm();
}

}  // namespace sinew::test
