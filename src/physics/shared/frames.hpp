// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "sinew/physics/joint.hpp"
#include "sinew/physics/model.hpp"
#include "sinew/physics/pose.hpp"

namespace sinew::physics {

// Rigid frames in double precision, their rotations of unit length.

inline Posed to_frame(const Pose& pose) noexcept {
  Quatd q = pose.rotation.cast<double>();
  const double length = q.norm();
  if (length > 1e-10 && std::isfinite(length)) {
    q.normalize();
  } else {
    q.setIdentity();
  }
  return {pose.position.cast<double>(), q};
}

inline Posed compose(const Posed& outer, const Posed& inner) noexcept {
  return {outer.position + outer.rotation * inner.position, outer.rotation * inner.rotation};
}

inline Posed inverse(const Posed& frame) noexcept {
  const Quatd back = frame.rotation.conjugate();
  return {-(back * frame.position), back};
}

inline Pose to_pose(const Posed& frame) noexcept {
  return {frame.position.cast<float>(), frame.rotation.cast<float>()};
}

/// World frame of a body; that of the world for kNone.
inline Posed body_frame(const PhysicsModel& model, std::int32_t body) noexcept {
  return model.has_body(body) ? to_frame(model.body(body).pose) : Posed{};
}

/// World frame of an end of a joint.
inline Posed world_frame(const PhysicsModel& model, const JointEnd& end) noexcept {
  const Pose& carrier = model.has_body(end.body) ? model.body(end.body).pose : end.body_world;
  return compose(to_frame(carrier), to_frame(end.frame));
}

}  // namespace sinew::physics
