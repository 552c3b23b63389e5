// SPDX-License-Identifier: Apache-2.0
// Random numbers, directions and robots.
#pragma once

#include <string>

#include "physics/read_scene.hpp"
#include "sinew/core/types.hpp"
#include "sinew/physics/model.hpp"
#include "support/random_robot.hpp"

namespace sinew::physics::test {

inline PhysicsModel model_of(const sinew::test::RandomRobot& robot) {
  return read(robot.text.substr(std::string("#usda 1.0\n").size()), Rules::documented).to_si();
}

inline double uniform(sinew::test::Random& random, double low, double high) {
  return low + (high - low) * static_cast<double>(random.next() >> 11) / 9007199254740992.0;
}

inline Quatd rotation(sinew::test::Random& random) {
  Quatd q(uniform(random, -1, 1), uniform(random, -1, 1), uniform(random, -1, 1),
          uniform(random, 0.1, 1));
  return q.normalized();
}

inline Vector3d vector(sinew::test::Random& random, double size) {
  return {uniform(random, -size, size), uniform(random, -size, size), uniform(random, -size, size)};
}

}  // namespace sinew::physics::test
