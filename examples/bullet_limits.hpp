// SPDX-License-Identifier: CC0-1.0
// What a joint asks that Bullet does not keep. For bullet_world.hpp.
#pragma once

#include <btBulletDynamicsCommon.h>

#include <cmath>
#include <string>

#include "sinew/physics/engine_parts.hpp"

// Whether angles of Bullet end before the range does.
inline bool is_cut_by_bullet(const sinew::physics::NormalJoint& form) {
  using namespace sinew::physics;
  for (const JointDof turn : {JointDof::rot_x, JointDof::rot_y, JointDof::rot_z}) {
    const DofRule& dof = form.dof(turn);
    const float most = turn == JointDof::rot_y ? SIMD_HALF_PI : SIMD_PI;
    const bool bounded = std::isfinite(dof.lower) || std::isfinite(dof.upper);
    if (dof.state == DofState::limited && bounded && !(dof.lower >= -most && dof.upper <= most))
      return true;
  }
  return false;
}

inline void tell_what_bullet_cannot_keep(const sinew::physics::PhysicsModel& model,
                                         const sinew::physics::EngineJoint& joint,
                                         sinew::Diagnostics& diagnostics) {
  using namespace sinew::physics;
  const auto tell = [&](sinew::Severity severity, const char* code, const char* message) {
    const std::string path = model.joint(joint.joint).path.str();
    diagnostics.push_back({severity, code, message, "", 0, 0, path, "", ""});
  };
  if (joint.form.dof(JointDof::distance).state == DofState::limited)
    tell(sinew::Severity::error, "engine-joint-unsupported", "Bullet keeps no distances.");
  if (is_cut_by_bullet(joint.form))
    tell(sinew::Severity::warning, "engine-limit-range",
         "Bullet takes turns up to half of one, the second up to a quarter.");
}
