// SPDX-License-Identifier: Apache-2.0
#include "core/shortest_turn.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

namespace sinew {
namespace {

double angle_of(const Quatd& turn) {
  return 2.0 * std::atan2(turn.vec().norm(), turn.w());
}

TEST(ShortestTurn, BringsOneDirectionToTheOther) {
  std::mt19937 random(7);
  std::normal_distribution<double> any;
  for (int i = 0; i < 1000; ++i) {
    const Vector3d from(any(random), any(random), any(random));
    const Vector3d to = 1e3 * Vector3d(any(random), any(random), any(random));
    const Quatd turn = shortest_turn(from, to);
    EXPECT_NEAR(turn.norm(), 1.0, 1e-15);
    EXPECT_LT((turn * from.normalized() - to.normalized()).norm(), 1e-14);
    const double angle = std::atan2(from.cross(to).norm(), from.dot(to));
    EXPECT_NEAR(angle_of(turn), angle, 1e-14);
  }
}

TEST(ShortestTurn, NearlyOppositeDirectionsKeepTheirAccuracy) {
  for (const double miss : {1e-3, 1e-6, 1e-9, 1e-11, 1e-14, 0.0}) {
    const Vector3d from(0.0, 0.0, 2.0);
    const Vector3d to(miss, 0.0, -1.0);
    const Quatd turn = shortest_turn(from, to);
    EXPECT_NEAR(turn.norm(), 1.0, 1e-15) << miss;
    EXPECT_LT((turn * from.normalized() - to.normalized()).norm(), 1e-12) << miss;
  }
}

TEST(ShortestTurn, OppositeDirectionsTurnAboutTheAxisFarthestFromTheirs) {
  EXPECT_TRUE(shortest_turn(Vector3d::UnitZ(), -Vector3d::UnitZ())
                  .isApprox(Quatd(0.0, 1.0, 0.0, 0.0), 1e-15));
  EXPECT_TRUE(shortest_turn(-Vector3d::UnitX(), Vector3d::UnitX())
                  .isApprox(Quatd(0.0, 0.0, 1.0, 0.0), 1e-15));
  const Vector3d slanted(1.0, 2.0, 3.0);
  const Quatd turn = shortest_turn(slanted, -slanted);
  EXPECT_NEAR(turn.vec().dot(slanted), 0.0, 1e-15);
  EXPECT_LT((turn * slanted + slanted).norm(), 1e-14);
}

TEST(ShortestTurn, SameDirectionAndNoneStayAsTheyAre) {
  EXPECT_EQ(shortest_turn(Vector3d(0, 3, 0), Vector3d(0, 0.5, 0)).coeffs(),
            Quatd::Identity().coeffs());
  EXPECT_EQ(shortest_turn(Vector3d::Zero(), Vector3d::UnitX()).coeffs(),
            Quatd::Identity().coeffs());
  // Lengths whose squares are no numbers.
  EXPECT_NEAR(angle_of(shortest_turn(Vector3d(1e-200, 0, 0), Vector3d(0, 1e200, 0))),
              std::numbers::pi / 2.0, 1e-15);
}

}  // namespace
}  // namespace sinew
