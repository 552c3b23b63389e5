// SPDX-License-Identifier: Apache-2.0
// The attributes of vendors: one row each. What is done with a row that lands somewhere is in
// read/read_dialects.cpp.
#include "sinew/physics/dialects.hpp"

#include <algorithm>

namespace sinew::physics {
namespace {

constexpr std::string_view kDialectNames[] = {"newton", "mjc", "physx", "isaac", "apple"};
constexpr std::string_view kDynamicsNames[] = {"none", "integrator", "filter", "filterexact"};

// Of an enumeration whose values have these names, in order.
template <typename Enum>
std::string_view name_of(std::span<const std::string_view> names, Enum value) noexcept {
  const auto index = static_cast<std::size_t>(value);
  return index < names.size() ? names[index] : std::string_view{};
}

template <typename Enum>
std::optional<Enum> value_named(std::span<const std::string_view> names,
                                std::string_view name) noexcept {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == name) return static_cast<Enum>(i);
  }
  return std::nullopt;
}

// Of rows that match the same attribute the one with the longest text before its '*' counts.
// clang-format off
constexpr DialectAttribute kAttributes[] = {
    {Dialect::newton, "newton:armature", DialectTarget::joint, {"DofExtras", "armature"}, false, false, "mass distance^2, or mass", "inertia of the motor", "NewtonJointAPI"},
    {Dialect::newton, "newton:damping", DialectTarget::joint, {"DofExtras", "damping"}, false, false, "effort s / angle", "passive damping", "NewtonJointAPI"},
    {Dialect::newton, "newton:friction", DialectTarget::joint, {"DofExtras", "friction"}, false, false, "effort", "dry friction", "NewtonJointAPI"},
    {Dialect::newton, "newton:velocityLimit", DialectTarget::joint, {"DofExtras", "velocity_limit"}, false, false, "angle or distance / s", "largest speed", "NewtonJointAPI"},
    {Dialect::newton, "newton:limitStiffness", DialectTarget::joint, {"DofExtras", "limit_stiffness"}, false, false, "effort / angle", "stiffness of the limits; -inf the engine's, inf hard", "NewtonJointAPI"},
    {Dialect::newton, "newton:limitDamping", DialectTarget::joint, {"DofExtras", "limit_damping"}, false, false, "effort s / angle", "damping of the limits", "NewtonJointAPI"},
    {Dialect::newton, "newton:*:position", DialectTarget::joint, {"DofExtras", "start"}, false, true, "angle or distance", "coordinate at the start", {}},
    {Dialect::newton, "newton:*:velocity", DialectTarget::joint, {"DofExtras", "start_velocity"}, false, false, "angle or distance / s", "speed at the start", {}},
    {Dialect::newton, "newton:jointsAddMobility", DialectTarget::articulation, {"JointExtras", "stacks"}, false, false, {}, "joints between the same bodies are a chain", "NewtonArticulationRootAPI"},
    {Dialect::newton, "newton:selfCollisionEnabled", DialectTarget::articulation, {"ArticulationExtras", "self_collision"}, false, false, {}, "whether its bodies collide with each other", "NewtonArticulationRootAPI"},
    {Dialect::newton, "newton:gravityEnabled", DialectTarget::any, {"BodyExtras", "gravity_scale"}, false, false, {}, "whether gravity acts, on a body or in a scene", {}},
    {Dialect::newton, "newton:inertia", DialectTarget::body, {"BodyExtras", "inertia"}, false, true, "mass distance^2", "xx yy zz xy xz yz about the centre", "NewtonMassAPI"},
    {Dialect::newton, "newton:contactMargin", DialectTarget::shape, {"ShapeExtras", "margin"}, false, false, "distance", "where contact pushes", "NewtonCollisionAPI"},
    {Dialect::newton, "newton:contactGap", DialectTarget::shape, {"ShapeExtras", "gap"}, false, false, "distance", "where contact is looked for", "NewtonCollisionAPI"},
    {Dialect::newton, "newton:maxHullVertices", DialectTarget::shape, {"ShapeExtras", "max_hull_vertices"}, false, false, {}, "corners of a hull", "NewtonMeshCollisionAPI"},
    {Dialect::newton, "newton:torsionalFriction", DialectTarget::any, {"MaterialExtras", "torsional_friction"}, false, false, "distance", "friction against turning", "NewtonMaterialAPI"},
    {Dialect::newton, "newton:rollingFriction", DialectTarget::any, {"MaterialExtras", "rolling_friction"}, false, false, "distance", "friction against rolling", "NewtonMaterialAPI"},
    {Dialect::newton, "newton:contactStiffness", DialectTarget::material, {}, false, false, {}, "contact tuning", "NewtonMaterialAPI"},
    {Dialect::newton, "newton:contactDamping", DialectTarget::material, {}, false, false, {}, "contact tuning", "NewtonMaterialAPI"},
    {Dialect::newton, "newton:contactFrictionGain", DialectTarget::material, {}, false, false, {}, "contact tuning", "NewtonMaterialAPI"},
    {Dialect::newton, "newton:massModel", DialectTarget::shape, {}, false, false, {}, "how volume becomes mass", "NewtonMassAPI"},
    {Dialect::newton, "newton:shellThickness", DialectTarget::shape, {}, false, false, {}, "how volume becomes mass", "NewtonMassAPI"},
    {Dialect::newton, "newton:mimicJoint", DialectTarget::joint, {"Mimic", "leader"}, false, false, {}, "the joint that is followed", "NewtonMimicAPI"},
    {Dialect::newton, "newton:mimicCoef0", DialectTarget::joint, {"Mimic", "offset"}, false, false, "angle or distance", "constant part", "NewtonMimicAPI"},
    {Dialect::newton, "newton:mimicCoef1", DialectTarget::joint, {"Mimic", "ratio"}, false, false, {}, "factor", "NewtonMimicAPI"},
    {Dialect::newton, "newton:mimicEnabled", DialectTarget::joint, {"Mimic", "enabled"}, false, false, {}, "whether it follows", "NewtonMimicAPI"},
    {Dialect::newton, "newton:timeStepsPerSecond", DialectTarget::scene, {"SceneExtras", "time_step"}, false, false, "1 / s", "steps per second", "NewtonSceneAPI"},
    {Dialect::newton, "newton:maxSolverIterations", DialectTarget::scene, {}, false, false, {}, "solver tuning", "NewtonSceneAPI"},
    {Dialect::newton, "newton:kp", DialectTarget::actuator, {}, false, false, {}, "controller of an actuator", {}},
    {Dialect::newton, "newton:kd", DialectTarget::actuator, {}, false, false, {}, "controller of an actuator", {}},
    {Dialect::newton, "newton:maxEffort", DialectTarget::actuator, {}, false, false, {}, "controller of an actuator", {}},
    {Dialect::newton, "newton:delaySteps", DialectTarget::actuator, {}, false, false, {}, "controller of an actuator", {}},
    {Dialect::newton, "newton:targets", DialectTarget::actuator, {}, false, false, {}, "controller of an actuator", {}},
    {Dialect::mjc, "mjc:armature", DialectTarget::joint, {"DofExtras", "armature"}, false, false, "mass distance^2, or mass", "inertia of the motor", "MjcJointAPI"},
    {Dialect::mjc, "mjc:damping", DialectTarget::joint, {"DofExtras", "damping"}, true, false, "effort s / radian", "passive damping", "MjcJointAPI"},
    {Dialect::mjc, "mjc:stiffness", DialectTarget::joint, {"DofExtras", "stiffness"}, true, false, "effort / radian", "passive spring", "MjcJointAPI"},
    {Dialect::mjc, "mjc:springref", DialectTarget::joint, {"DofExtras", "spring_rest"}, false, false, "degree or distance", "rest of the spring", "MjcJointAPI"},
    {Dialect::mjc, "mjc:frictionloss", DialectTarget::joint, {"DofExtras", "friction"}, false, false, "effort", "dry friction", "MjcJointAPI"},
    {Dialect::mjc, "mjc:ref", DialectTarget::joint, {}, false, false, "degree or distance", "engine value at the start: limits are off by it", "MjcJointAPI"},
    {Dialect::mjc, "mjc:solreflimit", DialectTarget::joint, {"MjcSolver", "solref"}, false, false, {}, "time constant and damping ratio of the limits", "MjcJointAPI"},
    {Dialect::mjc, "mjc:solimplimit", DialectTarget::joint, {"MjcSolver", "solimp"}, false, false, {}, "impedance of the limits", "MjcJointAPI"},
    {Dialect::mjc, "mjc:solreffriction", DialectTarget::joint, {}, false, false, {}, "solver tuning", "MjcJointAPI"},
    {Dialect::mjc, "mjc:solimpfriction", DialectTarget::joint, {}, false, false, {}, "solver tuning", "MjcJointAPI"},
    {Dialect::mjc, "mjc:margin", DialectTarget::any, {"ShapeExtras", "margin"}, false, false, "distance", "where contact pushes", {}},
    {Dialect::mjc, "mjc:actuatorgravcomp", DialectTarget::joint, {}, false, false, {}, "solver tuning", "MjcJointAPI"},
    {Dialect::mjc, "mjc:actuatorfrcrange:min", DialectTarget::joint, {}, false, false, {}, "solver tuning", "MjcJointAPI"},
    {Dialect::mjc, "mjc:actuatorfrcrange:max", DialectTarget::joint, {}, false, false, {}, "solver tuning", "MjcJointAPI"},
    {Dialect::mjc, "mjc:actuatorfrclimited", DialectTarget::joint, {}, false, false, {}, "solver tuning", "MjcJointAPI"},
    {Dialect::mjc, "mjc:springdamper", DialectTarget::joint, {}, false, false, {}, "solver tuning", "MjcJointAPI"},
    {Dialect::mjc, "mjc:group", DialectTarget::any, {"MjcContact", "group"}, false, false, {}, "group to show", {}},
    {Dialect::mjc, "mjc:springinertial", DialectTarget::joint, {}, false, false, {}, "solver tuning", "MjcJointAPI"},
    {Dialect::mjc, "mjc:gap", DialectTarget::shape, {"ShapeExtras", "gap"}, false, false, "distance", "where contact is looked for", "MjcCollisionAPI"},
    {Dialect::mjc, "mjc:condim", DialectTarget::shape, {"MjcContact", "condim"}, false, false, {}, "directions of friction, and one", "MjcCollisionAPI"},
    {Dialect::mjc, "mjc:solref", DialectTarget::any, {"MjcContact", "solref"}, false, false, {}, "time constant and damping ratio of contact, or of an equality", {}},
    {Dialect::mjc, "mjc:solimp", DialectTarget::any, {"MjcContact", "solimp"}, false, false, {}, "impedance of contact, or of an equality", {}},
    {Dialect::mjc, "mjc:priority", DialectTarget::shape, {"MjcContact", "priority"}, false, false, {}, "which of two colliders decides", "MjcCollisionAPI"},
    {Dialect::mjc, "mjc:solmix", DialectTarget::shape, {"MjcContact", "solmix"}, false, false, {}, "weight in a mixture", "MjcCollisionAPI"},
    {Dialect::mjc, "mjc:shellinertia", DialectTarget::shape, {}, false, false, {}, "contact tuning", "MjcCollisionAPI"},
    {Dialect::mjc, "mjc:maxhullvert", DialectTarget::shape, {"ShapeExtras", "max_hull_vertices"}, false, false, {}, "corners of a hull", "MjcMeshCollisionAPI"},
    {Dialect::mjc, "mjc:inertia", DialectTarget::shape, {}, false, false, {}, "how volume becomes mass", "MjcMeshCollisionAPI"},
    {Dialect::mjc, "mjc:torsionalfriction", DialectTarget::any, {"MaterialExtras", "torsional_friction"}, false, false, "distance", "friction against turning", "MjcMaterialAPI"},
    {Dialect::mjc, "mjc:rollingfriction", DialectTarget::any, {"MaterialExtras", "rolling_friction"}, false, false, "distance", "friction against rolling", "MjcMaterialAPI"},
    {Dialect::mjc, "mjc:target", DialectTarget::actuator, {"Actuator", "joint"}, false, false, {}, "the joint that is driven", "MjcActuator"},
    {Dialect::mjc, "mjc:gear", DialectTarget::actuator, {"Actuator", "gear"}, false, false, {}, "transmission", "MjcActuator"},
    {Dialect::mjc, "mjc:ctrlRange:min", DialectTarget::actuator, {"Actuator", "control_range"}, false, false, {}, "smallest control", "MjcActuator"},
    {Dialect::mjc, "mjc:ctrlRange:max", DialectTarget::actuator, {"Actuator", "control_range"}, false, false, {}, "largest control", "MjcActuator"},
    {Dialect::mjc, "mjc:forceRange:min", DialectTarget::actuator, {"Actuator", "force_range"}, false, false, "effort", "smallest force", "MjcActuator"},
    {Dialect::mjc, "mjc:forceRange:max", DialectTarget::actuator, {"Actuator", "force_range"}, false, false, "effort", "largest force", "MjcActuator"},
    {Dialect::mjc, "mjc:gainPrm", DialectTarget::actuator, {"Actuator", "gain"}, false, false, {}, "factors of the control", "MjcActuator"},
    {Dialect::mjc, "mjc:biasPrm", DialectTarget::actuator, {"Actuator", "bias"}, false, false, {}, "factors of position and speed", "MjcActuator"},
    {Dialect::mjc, "mjc:ctrlLimited", DialectTarget::actuator, {"Actuator", "control_range"}, false, false, {}, "whether the range counts", "MjcActuator"},
    {Dialect::mjc, "mjc:gainType", DialectTarget::actuator, {"Actuator", "gain"}, false, false, {}, "kind of the actuator", "MjcActuator"},
    {Dialect::mjc, "mjc:biasType", DialectTarget::actuator, {"Actuator", "bias"}, false, false, {}, "kind of the actuator", "MjcActuator"},
    {Dialect::mjc, "mjc:dynType", DialectTarget::actuator, {"Actuator", "dynamics"}, false, false, {}, "from control to activation", "MjcActuator"},
    {Dialect::mjc, "mjc:dynPrm", DialectTarget::actuator, {"Actuator", "time_constant"}, false, false, "s", "time constant of a filter", "MjcActuator"},
    {Dialect::mjc, "mjc:forceLimited", DialectTarget::actuator, {"Actuator", "force_range"}, false, false, {}, "whether the range counts", "MjcActuator"},
    {Dialect::mjc, "mjc:actLimited", DialectTarget::actuator, {"Actuator", "activation_range"}, false, false, {}, "whether the range counts", "MjcActuator"},
    {Dialect::mjc, "mjc:actRange:min", DialectTarget::actuator, {"Actuator", "activation_range"}, false, false, {}, "smallest activation", "MjcActuator"},
    {Dialect::mjc, "mjc:actRange:max", DialectTarget::actuator, {"Actuator", "activation_range"}, false, false, {}, "largest activation", "MjcActuator"},
    {Dialect::mjc, "mjc:lengthRange:min", DialectTarget::actuator, {"Actuator", "length_range"}, false, false, {}, "shortest length", "MjcActuator"},
    {Dialect::mjc, "mjc:lengthRange:max", DialectTarget::actuator, {"Actuator", "length_range"}, false, false, {}, "longest length", "MjcActuator"},
    {Dialect::mjc, "mjc:actDim", DialectTarget::actuator, {}, false, false, {}, "kind of the actuator", "MjcActuator"},
    {Dialect::mjc, "mjc:actEarly", DialectTarget::actuator, {"Actuator", "acts_early"}, false, false, {}, "whether the next activation acts", "MjcActuator"},
    {Dialect::mjc, "mjc:inheritRange", DialectTarget::actuator, {}, false, false, {}, "kind of the actuator", "MjcActuator"},
    {Dialect::mjc, "mjc:jointInParent", DialectTarget::actuator, {}, false, false, {}, "kind of the actuator", "MjcActuator"},
    {Dialect::mjc, "mjc:refSite", DialectTarget::actuator, {}, false, false, {}, "kind of the actuator", "MjcActuator"},
    {Dialect::mjc, "mjc:sliderSite", DialectTarget::actuator, {}, false, false, {}, "kind of the actuator", "MjcActuator"},
    {Dialect::mjc, "mjc:crankLength", DialectTarget::actuator, {}, false, false, {}, "kind of the actuator", "MjcActuator"},
    {Dialect::mjc, "mjc:ctrl", DialectTarget::any, {"Actuator", "control"}, false, false, {}, "controls of all actuators in a keyframe", {}},
    {Dialect::mjc, "mjc:qpos", DialectTarget::any, {}, false, false, {}, "coordinates in a keyframe", {}},
    {Dialect::mjc, "mjc:qvel", DialectTarget::any, {}, false, false, {}, "speeds in a keyframe", {}},
    {Dialect::mjc, "mjc:act", DialectTarget::any, {"Actuator", "activation"}, false, false, {}, "activations in a keyframe", {}},
    {Dialect::mjc, "mjc:mpos", DialectTarget::any, {}, false, false, {}, "places of what is moved by hand in a keyframe", {}},
    {Dialect::mjc, "mjc:mquat", DialectTarget::any, {}, false, false, {}, "rotations of what is moved by hand in a keyframe", {}},
    {Dialect::mjc, "mjc:coef0", DialectTarget::joint, {"Mimic", "offset"}, true, false, "radian or distance", "constant part", "MjcEqualityJointAPI"},
    {Dialect::mjc, "mjc:coef1", DialectTarget::joint, {"Mimic", "ratio"}, false, false, {}, "factor", "MjcEqualityJointAPI"},
    {Dialect::mjc, "mjc:coef2", DialectTarget::joint, {}, false, false, {}, "of the equality", "MjcEqualityJointAPI"},
    {Dialect::mjc, "mjc:coef3", DialectTarget::joint, {}, false, false, {}, "of the equality", "MjcEqualityJointAPI"},
    {Dialect::mjc, "mjc:coef4", DialectTarget::joint, {}, false, false, {}, "of the equality", "MjcEqualityJointAPI"},
    {Dialect::mjc, "mjc:torqueScale", DialectTarget::joint, {"JointExtras", "torque_scale"}, false, false, {}, "how much turns count in the equality", "MjcEqualityWeldAPI"},
    {Dialect::mjc, "mjc:option:timestep", DialectTarget::scene, {"SceneExtras", "time_step"}, false, false, "s", "time of a step", "MjcSceneAPI"},
    {Dialect::mjc, "mjc:option:cone", DialectTarget::scene, {"MjcFriction", "elliptic"}, false, false, {}, "elliptic cones of friction, or pyramidal ones", "MjcSceneAPI"},
    {Dialect::mjc, "mjc:option:impratio", DialectTarget::scene, {"MjcFriction", "impratio"}, false, false, {}, "impedance of friction, of that of contact", "MjcSceneAPI"},
    {Dialect::mjc, "mjc:option:noslip_iterations", DialectTarget::scene, {"MjcFriction", "noslip_iterations"}, false, false, {}, "steps against creeping", "MjcSceneAPI"},
    {Dialect::mjc, "mjc:option:*", DialectTarget::scene, {}, false, false, {}, "solver tuning", "MjcSceneAPI"},
    {Dialect::mjc, "mjc:flag:*", DialectTarget::scene, {}, false, false, {}, "solver switch", "MjcSceneAPI"},
    {Dialect::mjc, "mjc:compiler:*", DialectTarget::scene, {}, false, false, {}, "how MuJoCo compiles", "MjcSceneAPI"},
    {Dialect::physx, "state:*:physics:position", DialectTarget::joint, {"DofExtras", "start"}, false, true, "degree or distance", "coordinate at the start", "PhysicsJointStateAPI:*"},
    {Dialect::physx, "state:*:physics:velocity", DialectTarget::joint, {"DofExtras", "start_velocity"}, false, false, "degree or distance / s", "speed at the start", "PhysicsJointStateAPI:*"},
    {Dialect::physx, "state:*:physics:appliedForce", DialectTarget::joint, {}, false, false, "effort", "output of a simulation", "PhysicsJointStateAPI:*"},
    {Dialect::physx, "physxJoint:armature", DialectTarget::joint, {"DofExtras", "armature"}, false, false, "mass distance^2, or mass", "inertia of the motor", "PhysxJointAPI"},
    {Dialect::physx, "physxJoint:maxJointVelocity", DialectTarget::joint, {"DofExtras", "velocity_limit"}, false, false, "degree or distance / s", "largest speed", "PhysxJointAPI"},
    {Dialect::physx, "physxJoint:jointFriction", DialectTarget::joint, {}, false, false, {}, "share of the constraint force", "PhysxJointAPI"},
    {Dialect::physx, "physxJoint:enableProjection", DialectTarget::joint, {}, false, false, {}, "solver tuning", "PhysxJointAPI"},
    {Dialect::physx, "physxJoint:enableResidualReporting", DialectTarget::joint, {}, false, false, {}, "solver tuning", "PhysxJointAPI"},
    {Dialect::physx, "physxLimit:*:stiffness", DialectTarget::joint, {"DofExtras", "limit_stiffness"}, false, false, "effort / degree", "stiffness of the limits; 0 hard", "PhysxLimitAPI:*"},
    {Dialect::physx, "physxLimit:*:damping", DialectTarget::joint, {"DofExtras", "limit_damping"}, false, false, "effort s / degree", "damping of the limits", "PhysxLimitAPI:*"},
    {Dialect::physx, "physxLimit:*:restitution", DialectTarget::joint, {}, false, false, {}, "bounce at the limits", "PhysxLimitAPI:*"},
    {Dialect::physx, "physxLimit:*:bounceThreshold", DialectTarget::joint, {}, false, false, {}, "bounce at the limits", "PhysxLimitAPI:*"},
    {Dialect::physx, "physxRigidBody:angularDamping", DialectTarget::body, {"BodyExtras", "angular_damping"}, false, false, "1 / s", "slows turning", "PhysxRigidBodyAPI"},
    {Dialect::physx, "physxRigidBody:linearDamping", DialectTarget::body, {"BodyExtras", "linear_damping"}, false, false, "1 / s", "slows moving", "PhysxRigidBodyAPI"},
    {Dialect::physx, "physxRigidBody:disableGravity", DialectTarget::body, {"BodyExtras", "gravity_scale"}, false, false, {}, "whether gravity does not act", "PhysxRigidBodyAPI"},
    {Dialect::physx, "physxRigidBody:maxLinearVelocity", DialectTarget::body, {}, false, false, {}, "engine tuning", "PhysxRigidBodyAPI"},
    {Dialect::physx, "physxRigidBody:maxAngularVelocity", DialectTarget::body, {}, false, false, {}, "engine tuning", "PhysxRigidBodyAPI"},
    {Dialect::physx, "physxRigidBody:maxDepenetrationVelocity", DialectTarget::body, {}, false, false, {}, "engine tuning", "PhysxRigidBodyAPI"},
    {Dialect::physx, "physxRigidBody:sleepThreshold", DialectTarget::body, {}, false, false, {}, "engine tuning", "PhysxRigidBodyAPI"},
    {Dialect::physx, "physxRigidBody:stabilizationThreshold", DialectTarget::body, {}, false, false, {}, "engine tuning", "PhysxRigidBodyAPI"},
    {Dialect::physx, "physxRigidBody:enableGyroscopicForces", DialectTarget::body, {}, false, false, {}, "engine tuning", "PhysxRigidBodyAPI"},
    {Dialect::physx, "physxRigidBody:retainAccelerations", DialectTarget::body, {}, false, false, {}, "engine tuning", "PhysxRigidBodyAPI"},
    {Dialect::physx, "physxRigidBody:solverPositionIterationCount", DialectTarget::body, {}, false, false, {}, "engine tuning", "PhysxRigidBodyAPI"},
    {Dialect::physx, "physxRigidBody:solverVelocityIterationCount", DialectTarget::body, {}, false, false, {}, "engine tuning", "PhysxRigidBodyAPI"},
    {Dialect::physx, "physxRigidBody:enableCCD", DialectTarget::body, {}, false, false, {}, "engine tuning", "PhysxRigidBodyAPI"},
    {Dialect::physx, "physxRigidBody:enableSpeculativeCCD", DialectTarget::body, {}, false, false, {}, "engine tuning", "PhysxRigidBodyAPI"},
    {Dialect::physx, "physxRigidBody:cfmScale", DialectTarget::body, {}, false, false, {}, "engine tuning", "PhysxRigidBodyAPI"},
    {Dialect::physx, "physxRigidBody:maxContactImpulse", DialectTarget::body, {}, false, false, {}, "engine tuning", "PhysxRigidBodyAPI"},
    {Dialect::physx, "physxRigidBody:lockedPosAxis", DialectTarget::body, {}, false, false, {}, "engine tuning", "PhysxRigidBodyAPI"},
    {Dialect::physx, "physxRigidBody:lockedRotAxis", DialectTarget::body, {}, false, false, {}, "engine tuning", "PhysxRigidBodyAPI"},
    {Dialect::physx, "physxRigidBody:contactSlopCoefficient", DialectTarget::body, {}, false, false, {}, "engine tuning", "PhysxRigidBodyAPI"},
    {Dialect::physx, "physxArticulation:enabledSelfCollisions", DialectTarget::articulation, {"ArticulationExtras", "self_collision"}, false, false, {}, "whether its bodies collide with each other", "PhysxArticulationAPI"},
    {Dialect::physx, "physxArticulation:articulationEnabled", DialectTarget::articulation, {}, false, false, {}, "engine tuning", "PhysxArticulationAPI"},
    {Dialect::physx, "physxArticulation:solverPositionIterationCount", DialectTarget::articulation, {}, false, false, {}, "engine tuning", "PhysxArticulationAPI"},
    {Dialect::physx, "physxArticulation:solverVelocityIterationCount", DialectTarget::articulation, {}, false, false, {}, "engine tuning", "PhysxArticulationAPI"},
    {Dialect::physx, "physxArticulation:sleepThreshold", DialectTarget::articulation, {}, false, false, {}, "engine tuning", "PhysxArticulationAPI"},
    {Dialect::physx, "physxArticulation:stabilizationThreshold", DialectTarget::articulation, {}, false, false, {}, "engine tuning", "PhysxArticulationAPI"},
    {Dialect::physx, "physxCollision:contactOffset", DialectTarget::shape, {"ShapeExtras", "gap"}, false, false, "distance", "where contact is looked for; -inf the engine's", "PhysxCollisionAPI"},
    {Dialect::physx, "physxCollision:restOffset", DialectTarget::shape, {"ShapeExtras", "margin"}, false, false, "distance", "where contact pushes; -inf the engine's", "PhysxCollisionAPI"},
    {Dialect::physx, "physxCollision:torsionalPatchRadius", DialectTarget::shape, {}, false, false, "distance", "patch that resists turning", "PhysxCollisionAPI"},
    {Dialect::physx, "physxCollision:minTorsionalPatchRadius", DialectTarget::shape, {}, false, false, "distance", "patch that resists turning", "PhysxCollisionAPI"},
    {Dialect::physx, "physxConvexHullCollision:hullVertexLimit", DialectTarget::shape, {"ShapeExtras", "max_hull_vertices"}, false, false, {}, "corners of a hull", "PhysxConvexHullCollisionAPI"},
    {Dialect::physx, "physxMaterial:frictionCombineMode", DialectTarget::material, {"MaterialExtras", "friction_combine"}, false, false, {}, "how two frictions make one", "PhysxMaterialAPI"},
    {Dialect::physx, "physxMaterial:restitutionCombineMode", DialectTarget::material, {"MaterialExtras", "restitution_combine"}, false, false, {}, "how two restitutions make one", "PhysxMaterialAPI"},
    {Dialect::physx, "physxMaterial:compliantContactStiffness", DialectTarget::material, {}, false, false, {}, "contact tuning", "PhysxMaterialAPI"},
    {Dialect::physx, "physxMaterial:compliantContactDamping", DialectTarget::material, {}, false, false, {}, "contact tuning", "PhysxMaterialAPI"},
    {Dialect::physx, "physxMaterial:improvePatchFriction", DialectTarget::material, {}, false, false, {}, "contact tuning", "PhysxMaterialAPI"},
    {Dialect::physx, "physxMaterial:dampingCombineMode", DialectTarget::material, {}, false, false, {}, "contact tuning", "PhysxMaterialAPI"},
    {Dialect::physx, "physxScene:timeStepsPerSecond", DialectTarget::scene, {"SceneExtras", "time_step"}, false, false, "1 / s", "steps per second", "PhysxSceneAPI"},
    {Dialect::physx, "physxScene:*", DialectTarget::scene, {}, false, false, {}, "engine tuning", "PhysxSceneAPI"},
    {Dialect::physx, "physxTendon:*", DialectTarget::any, {}, false, false, {}, "tendons: joints move without them", "PhysxTendon"},
    {Dialect::physx, "physxMimicJoint:*:gearing", DialectTarget::joint, {"Mimic", "ratio"}, false, false, {}, "minus the factor", "PhysxMimicJointAPI:*"},
    {Dialect::physx, "physxMimicJoint:*:offset", DialectTarget::joint, {"Mimic", "offset"}, false, false, "degree or distance", "minus the constant part", "PhysxMimicJointAPI:*"},
    {Dialect::physx, "physxMimicJoint:*:referenceJoint", DialectTarget::joint, {"Mimic", "leader"}, false, false, {}, "the joint that is followed", "PhysxMimicJointAPI:*"},
    {Dialect::physx, "physxMimicJoint:*:referenceJointAxis", DialectTarget::joint, {"Mimic", "leader_dof"}, false, false, {}, "of that joint", "PhysxMimicJointAPI:*"},
    {Dialect::physx, "physxCookedData:*", DialectTarget::any, {}, false, false, {}, "what an engine made of meshes", "PhysxCookedDataAPI:*"},
    {Dialect::isaac, "isaac:nameOverride", DialectTarget::any, {}, false, false, {}, "name to show", {}},
    {Dialect::isaac, "isaac:physics:robotLinks", DialectTarget::any, {"Robot", "link_paths"}, false, false, {}, "links in order", "IsaacRobotAPI"},
    {Dialect::isaac, "isaac:physics:robotJoints", DialectTarget::any, {"Robot", "joint_paths"}, false, false, {}, "joints in order", "IsaacRobotAPI"},
    {Dialect::isaac, "isaac:physics:*:DofOffset", DialectTarget::joint, {"DofExtras", "order"}, false, false, {}, "where it stands among all of the robot", "IsaacJointAPI"},
    {Dialect::isaac, "isaac:physics:*:AccelerationLimit", DialectTarget::joint, {"DofExtras", "acceleration_limit"}, false, false, "degree or distance / s^2", "largest acceleration", "IsaacJointAPI"},
    {Dialect::isaac, "isaac:physics:*:JerkLimit", DialectTarget::joint, {"DofExtras", "jerk_limit"}, false, false, "degree or distance / s^3", "largest jerk", "IsaacJointAPI"},
    {Dialect::isaac, "isaac:*", DialectTarget::any, {}, false, false, {}, "description", {}},
    {Dialect::apple, "preliminary:physics:rigidBody:mass", DialectTarget::body, {"AuthoredMass", "mass"}, false, false, "kg", "mass", "Preliminary_PhysicsRigidBodyAPI"},
    {Dialect::apple, "preliminary:physics:rigidBody:initiallyActive", DialectTarget::body, {"RigidBody", "starts_asleep"}, false, false, {}, "whether it moves from the start", "Preliminary_PhysicsRigidBodyAPI"},
    {Dialect::apple, "preliminary:physics:collider:convexShape", DialectTarget::any, {"Shape", "geometry"}, false, false, {}, "the prim whose geometry collides", "Preliminary_PhysicsColliderAPI"},
    {Dialect::apple, "preliminary:physics:material:friction:static", DialectTarget::material, {"RigidBodyMaterial", "static_friction"}, false, false, {}, "friction at rest", "Preliminary_PhysicsMaterialAPI"},
    {Dialect::apple, "preliminary:physics:material:friction:dynamic", DialectTarget::material, {"RigidBodyMaterial", "dynamic_friction"}, false, false, {}, "friction in motion", "Preliminary_PhysicsMaterialAPI"},
    {Dialect::apple, "preliminary:physics:material:restitution", DialectTarget::material, {"RigidBodyMaterial", "restitution"}, false, false, {}, "bounce", "Preliminary_PhysicsMaterialAPI"},
    {Dialect::apple, "physics:gravitationalForce:acceleration", DialectTarget::scene, {"Scene", "gravity_direction"}, false, false, "m / s^2", "gravity in the axes of the prim", {}},
};
// clang-format on

// Whether `name` is what a row stands for: '*' is one element, or at the end any number of them.
bool matches(std::string_view pattern, std::string_view name) noexcept {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) return pattern == name;
  const std::string_view before = pattern.substr(0, star);
  const std::string_view after = pattern.substr(star + 1);
  if (!name.starts_with(before) || name.size() <= before.size()) return false;
  const std::string_view rest = name.substr(before.size());
  if (after.empty()) return true;
  return rest.size() > after.size() && rest.ends_with(after) &&
         rest.find(':') == rest.size() - after.size();
}

}  // namespace

DofExtras JointExtras::of(JointDof dof) const noexcept {
  DofExtras result;
  for (const JointDof from : {dof, JointDof::distance}) {
    const DofExtras* const said = find(from);
    if (said == nullptr) continue;
    const auto fill = [&](std::optional<float> DofExtras::*field) {
      if (!(result.*field)) result.*field = said->*field;
    };
    fill(&DofExtras::start);
    fill(&DofExtras::start_velocity);
    fill(&DofExtras::armature);
    fill(&DofExtras::damping);
    fill(&DofExtras::stiffness);
    fill(&DofExtras::spring_rest);
    fill(&DofExtras::friction);
    fill(&DofExtras::velocity_limit);
    fill(&DofExtras::limit_stiffness);
    fill(&DofExtras::limit_damping);
    fill(&DofExtras::acceleration_limit);
    fill(&DofExtras::jerk_limit);
    if (!result.order) result.order = said->order;
  }
  result.dof = dof;
  return result;
}

std::vector<Dialect> all_dialects() {
  std::vector<Dialect> all(std::size(kDialectNames));
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<Dialect>(i);
  return all;
}

std::string_view to_string(Dialect dialect) noexcept {
  return name_of(kDialectNames, dialect);
}

std::optional<Dialect> parse_dialect(std::string_view name) noexcept {
  return value_named<Dialect>(kDialectNames, name);
}

std::string_view to_string(ActuatorDynamics dynamics) noexcept {
  return name_of(kDynamicsNames, dynamics);
}

std::optional<ActuatorDynamics> parse_actuator_dynamics(std::string_view word) noexcept {
  return value_named<ActuatorDynamics>(kDynamicsNames, word);
}

std::span<const DialectAttribute> dialect_attributes() noexcept {
  return kAttributes;
}

std::optional<Dialect> dialect_of(std::string_view attribute) noexcept {
  if (attribute.starts_with("newton:")) return Dialect::newton;
  if (attribute.starts_with("mjc:")) return Dialect::mjc;
  if (attribute.starts_with("physx") || attribute.starts_with("state:")) return Dialect::physx;
  if (attribute.starts_with("isaac:")) return Dialect::isaac;
  if (attribute.starts_with("preliminary:physics:") ||
      attribute.starts_with("physics:gravitationalForce:")) {
    return Dialect::apple;
  }
  return std::nullopt;
}

const DialectAttribute* find_dialect_attribute(std::string_view name) noexcept {
  const std::optional<Dialect> dialect = dialect_of(name);
  const DialectAttribute* best = nullptr;
  if (!dialect) return best;
  for (const DialectAttribute& row : kAttributes) {
    if (row.dialect != *dialect || !matches(row.name, name)) continue;
    if (best == nullptr || row.name.find('*') > best->name.find('*')) best = &row;
  }
  return best;
}

}  // namespace sinew::physics
