// SPDX-License-Identifier: Apache-2.0
#include "physics/read/body_lookup.hpp"

#include <gtest/gtest.h>

#include <string>

namespace sinew::physics::body_lookup_test {
namespace {

PhysicsModel chain_of_bodies(int count) {
  PhysicsModel model;
  for (int i = 0; i < count; ++i) {
    model.rigid_bodies.emplace_back().path = "/b" + std::to_string(i);
  }
  return model;
}

TEST(BodyLookup, GuessesTheBodiesThatJointsNameInOrder) {
  const PhysicsModel model = chain_of_bodies(4);
  BodyLookup bodies(model, true);

  for (int i = 0; i + 1 < 4; ++i) {
    EXPECT_EQ(bodies.guess("/b" + std::to_string(i), 0), i);
    EXPECT_EQ(bodies.find("/b" + std::to_string(i + 1), 1), i + 1);
  }
}

TEST(BodyLookup, FindsInAnyOrderWhatItCannotGuess) {
  const PhysicsModel model = chain_of_bodies(4);
  BodyLookup bodies(model, true);

  EXPECT_EQ(bodies.guess("/b2", 0), kNone);
  EXPECT_EQ(bodies.find("/b2", 0), 2);
  EXPECT_EQ(bodies.find("/b0", 0), 0);
  EXPECT_EQ(bodies.find("/b9", 0), kNone);
}

TEST(BodyLookup, GivesTheFirstOfEqualPathsAndDoesNotGuessAmongThem) {
  PhysicsModel model = chain_of_bodies(2);
  model.rigid_bodies.emplace_back().path = "/b0";
  BodyLookup bodies(model, false);

  EXPECT_EQ(bodies.guess("/b0", 0), kNone);
  EXPECT_EQ(bodies.find("/b0", 0), 0);
  EXPECT_EQ(bodies.find("/b0", 1), 0);
}

}  // namespace
}  // namespace sinew::physics::body_lookup_test
