// SPDX-License-Identifier: Apache-2.0
// Colliders, bodies and whole files of engines at the borders of what can be said.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "export/engine_models.hpp"
#include "export/engines/engine_world.hpp"

namespace sinew::exporter::engine_bodies_test {

using namespace engine_models;

namespace {

using physics::PhysicsModel;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

// --- Colliders

// Contact is looked for within the margin and pushes within margin - gap, as MuJoCo counts.
TEST(EngineBodies, AMarginOrAGapAloneIsWritten) {
  PhysicsModel model = read(kScene + ball("a"));
  model.shape_extras.resize(1);
  const auto written = [&](std::optional<float> margin, std::optional<float> gap) {
    model.shape_extras[0].margin = margin;
    model.shape_extras[0].gap = gap;
    return write(model).text;
  };
  EXPECT_THAT(written(0.5F, {}), HasSubstr(" margin=\"0.5\" gap=\"0\"/>"));
  EXPECT_THAT(written({}, 0.25F), HasSubstr(" margin=\"0.25\" gap=\"0.25\"/>"));
  EXPECT_THAT(written(0.5F, 0.25F), HasSubstr(" margin=\"0.75\" gap=\"0.25\"/>"));
  EXPECT_THAT(written(0.5F, -1.0F), HasSubstr(" margin=\"0.5\" gap=\"0\"/>"));
  EXPECT_THAT(written(0.0F, {}), HasSubstr(" margin=\"0\" gap=\"0\"/>"));
  EXPECT_THAT(written(-0.25F, 0.25F), HasSubstr(" margin=\"0\" gap=\"0.25\"/>"));
  for (const auto& [margin, gap] : {std::pair(-0.5F, 0.25F), std::pair(kInfinity, 0.0F),
                                    std::pair(0.0F, kInfinity), std::pair(kNan, 0.0F)}) {
    EXPECT_THAT(written(margin, gap), AllOf(Not(HasSubstr("margin")), Not(HasSubstr("gap="))));
  }
  EXPECT_THAT(written({}, {}), Not(HasSubstr("margin")));
}

TEST(EngineBodies, AFrictionThatOnlyTheColliderHasStandsBesideMujocosOwn) {
  PhysicsModel model = read(kScene + ball("a"));
  model.shape_extras.resize(1);
  const auto written = [&](std::optional<float> torsional, std::optional<float> rolling) {
    model.shape_extras[0].torsional_friction = torsional;
    model.shape_extras[0].rolling_friction = rolling;
    return write(model).text;
  };
  EXPECT_THAT(written({}, {}), Not(HasSubstr("friction=")));
  EXPECT_THAT(written(0.25F, {}), HasSubstr(" friction=\"1 0.25 9.999999747378752e-05\""));
  EXPECT_THAT(written({}, 0.5F), HasSubstr(" friction=\"1 0.004999999888241291 0.5\""));
  model.materials.emplace_back().path = "/m";
  model.materials[0].dynamic_friction = -0.5F;  // No engine takes less than none.
  model.shapes[0].bound_material = 0;
  EXPECT_THAT(written(0.25F, 0.5F), HasSubstr(" friction=\"0 0.25 0.5\""));
  model.materials[0].dynamic_friction = 0.75F;
  EXPECT_THAT(written(0.25F, 0.5F), HasSubstr(" friction=\"0.75 0.25 0.5\""));
}

TEST(EngineBodies, OnlyWhatCollidesKeepsTheGroupThatAVendorGivesIt) {
  PhysicsModel model = read(kScene + ball("a"));
  model.shape_extras.resize(1);
  physics::MjcContact& contact = model.shape_extras[0].contact;
  contact.condim = 4;
  contact.priority = -2;
  contact.group = 5;
  contact.solmix = 0.25;
  contact.solver = {{0.01, 0.5}, {0.8, 0.9}};
  EXPECT_THAT(write(model).text,
              HasSubstr(" condim=\"4\" priority=\"-2\" group=\"5\" solmix=\"0.25\" solref=\"0.01 "
                        "0.5\" solimp=\"0.8 0.9\"/>"));
  model.shapes[0].collision_enabled = false;
  EXPECT_THAT(write(model).text,
              HasSubstr(" condim=\"4\" priority=\"-2\" solmix=\"0.25\" solref=\"0.01 0.5\" "
                        "solimp=\"0.8 0.9\" contype=\"0\" conaffinity=\"0\" group=\"3\"/>"));
}

TEST(EngineBodies, AUrdfTellsOfEachThingThatAVendorSaysOfContacts) {
  PhysicsModel model = read(kScene + ball("a"));
  const std::string told =
      "engine-feature-dropped /a: The file holds nothing of what a vendor says of contacts.";
  void (*const said[])(physics::ShapeExtras&) = {
      [](auto& extras) { extras.margin = 0.1F; },
      [](auto& extras) { extras.gap = 0.1F; },
      [](auto& extras) { extras.torsional_friction = 0.1F; },
      [](auto& extras) { extras.rolling_friction = 0.1F; },
      [](auto& extras) { extras.contact.priority = 1; },
      [](auto& extras) { extras.contact.solmix = 0.5; },
      [](auto& extras) { extras.contact.solver.solimp = {0.9}; }};
  for (const auto say : said) {
    model.shape_extras.assign(1, {});
    say(model.shape_extras[0]);
    EXPECT_THAT(write(model, write_urdf).told, ElementsAre(told));
  }
  model.shape_extras.assign(1, {});
  model.shape_extras[0].contact.group = 2;  // Of how it looks.
  EXPECT_EQ(write(model, write_urdf).codes, "");
}

std::string tetrahedron(double size, const std::string& more = "") {
  const std::string s = number(size);
  return "def Mesh \"m\" (apiSchemas = [\"PhysicsCollisionAPI\", \"PhysicsMeshCollisionAPI\"]) {\n"
         "uniform token physics:approximation = \"convexHull\"\n"
         "int[] faceVertexCounts = [3, 3, 3, 3]\n"
         "int[] faceVertexIndices = [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]\npoint3f[] points = [(0, "
         "0, 0), (" +
         s + ", 0, 0), (0, " + s + ", 0), (0, 0, " + s + ")]\n" + more + "}\n";
}

// The engine takes no volume below 1e-10 m3; that of a corner of a cube is a sixth of it.
TEST(EngineBodies, AMeshOfTooLittleVolumeIsABox) {
  const Written small = write(read(kScene + tetrahedron(8e-4)));
  EXPECT_THAT(small.text, HasSubstr("<geom name=\"/m\" type=\"box\""));
  EXPECT_EQ(small.codes, "engine-flat-mesh /m;");
  EXPECT_THAT(small.became, Contains("/m: box by engine-flat-mesh"));
  const Written large = write(read(kScene + tetrahedron(9e-4)));
  EXPECT_THAT(large.text, HasSubstr("<geom name=\"/m\" type=\"mesh\""));
  EXPECT_EQ(large.codes, "");
  EXPECT_THAT(large.became, Contains("/m: convex mesh"));
}

// Two corners of cubes, of 1/6 and 8/6 m3, and a triangle besides, which weighs nothing.
TEST(EngineBodies, PiecesOfAMeshShareItsMassByVolume) {
  const auto pieces = [](const std::string& counts, const std::string& indices) {
    return read(kScene +
                "def Mesh \"m\" (apiSchemas = [\"PhysicsRigidBodyAPI\", \"PhysicsMassAPI\", "
                "\"PhysicsCollisionAPI\"]) {\nfloat physics:mass = 9\nint[] faceVertexCounts = " +
                counts + "\nint[] faceVertexIndices = " + indices +
                "\npoint3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (5, 0, 0), "
                "(7, 0, 0), (5, 2, 0), (5, 0, 2), (9, 0, 0), (9, 1, 0), (9, 0, 1)]\n}\n");
  };
  const std::string both = "0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3, 4, 6, 5, 4, 5, 7, 4, 7, 6, 5, 6, 7";
  const auto mass_of = [](const std::string& text, const std::string& geom) {
    const std::size_t at = text.find("<geom name=\"" + geom + "\"");
    const std::size_t end = text.find("/>", at);
    const std::size_t mass = text.find(" mass=\"", at);
    if (at == std::string::npos || mass > end) return 0.0;
    return std::stod(text.substr(mass + 7));
  };
  PhysicsModel model = pieces("[3, 3, 3, 3, 3, 3, 3, 3]", "[" + both + "]");
  std::string text = write(model).text;
  EXPECT_NEAR(mass_of(text, "/m#0"), 1.0, 1e-9) << text;
  EXPECT_NEAR(mass_of(text, "/m#1"), 8.0, 1e-9);
  model = pieces("[3, 3, 3, 3, 3, 3, 3, 3, 3]", "[" + both + ", 8, 9, 10]");
  text = write(model).text;
  EXPECT_NEAR(mass_of(text, "/m#0"), 1.0, 1e-9) << text;
  EXPECT_NEAR(mass_of(text, "/m#1"), 8.0, 1e-9);
  EXPECT_THAT(text, HasSubstr("<geom name=\"/m#2\" type=\"box\""));
  EXPECT_EQ(mass_of(text, "/m#2"), 0.0);
}

TEST(EngineBodies, RoundThingsLieAlongTheirAxis) {
  const auto can = [](const std::string& axis) {
    return write(read(kScene +
                      "def Cylinder \"c\" (apiSchemas = [\"PhysicsCollisionAPI\"]) {\n"
                      "double radius = 0.25\ndouble height = 3\nuniform token axis = \"" +
                      axis + "\"\n}\n"))
        .text;
  };
  const std::string geom =
      "<geom name=\"/c\" type=\"cylinder\" size=\"0.25 1.5\" pos=\"0 0 0\" quat=\"";
  const std::string half = "0.7071067811865476";
  EXPECT_THAT(can("X"), HasSubstr(geom + half + " 0 " + half + " 0\""));
  EXPECT_THAT(can("Y"), HasSubstr(geom + half + " -" + half + " 0 0\""));
  EXPECT_THAT(can("Z"), HasSubstr(geom + "1 0 0 0\""));
}

TEST(EngineBodies, MarkersOfEveryShapeStandOnTheirBodyAndInTheirGroup) {
  PhysicsModel model = read(kScene + ball("a"));
  const auto add = [&](const char* path, physics::Geometry geometry) -> physics::Site& {
    physics::Site& site = model.sites.emplace_back();
    site.path = path;
    site.geometry = std::move(geometry);
    return site;
  };
  add("/ball", physics::SphereShape{-0.25F}).body = 0;
  add("/box", physics::CubeShape{{-1, -2, -3}}).group = 4;
  add("/pill", physics::CapsuleShape{0.5F, 2.0F, Axis::x}).body = 7;  // None of the model.
  add("/cone", physics::ConeShape{});
  add("/thin", physics::CubeShape{{1, 0, 3}});
  add("/lost", physics::CubeShape{{1, 2, kInfinity}});
  const std::string text = write(model).text;
  EXPECT_THAT(text, HasSubstr("\n      <site name=\"/ball\" type=\"sphere\" size=\"0.25 0.25 "
                              "0.25\" pos=\"0 0 0\" quat=\"1 0 0 0\"/>\n    </body>"));
  EXPECT_THAT(text, HasSubstr("<site name=\"/box\" type=\"box\" size=\"1 2 3\" pos=\"0 0 0\" "
                              "quat=\"1 0 0 0\" group=\"4\"/>"));
  EXPECT_THAT(text, HasSubstr("<site name=\"/pill\" type=\"capsule\" size=\"0.5 2 2\" pos=\"0 0 "
                              "0\" quat=\"0.7071067811865476 0 0.7071067811865476 0\"/>"));
  for (const std::string name : {"/cone", "/thin", "/lost"}) {
    EXPECT_THAT(
        text, HasSubstr("<site name=\"" + name + "\" type=\"sphere\" size=\"0.005 0.005 0.005\""));
  }
  EXPECT_LT(text.find("\"/pill\""), text.find("<body"));
}

TEST(EngineBodies, CollidersThatCannotBeUsedBecomeNothing) {
  const PhysicsModel plain = read(kScene + ball("a") + ball("b"));
  void (*const spoil[])(physics::Shape&) = {
      [](auto& shape) { shape.is_valid = false; },
      [](auto& shape) { shape.geometry = physics::CustomShape{}; },
      [](auto& shape) { shape.geometry = physics::MeshShape{}; },
      [](auto& shape) {
        shape.geometry = physics::CubeShape{{1, kNan, 2}};
      },
      [](auto& shape) { shape.local_pose.position.z() = kNan; },
      [](auto& shape) { shape.local_pose.rotation.w() = kInfinity; }};
  for (const auto spoil_one : spoil) {
    for (const Write writer : {&write_mjcf, &write_urdf}) {
      PhysicsModel model = plain;
      spoil_one(model.shapes[1]);
      const Written written = write(model, writer);
      EXPECT_THAT(written.codes, HasSubstr("engine-shape-unsupported /b;"));
      EXPECT_THAT(written.became, Contains("/b: nothing by engine-shape-unsupported"));
      EXPECT_THAT(written.became, Contains("/a: sphere"));
    }
  }
}

// --- Bodies

TEST(EngineBodies, OnlyWhatMovesByItselfNeedsAMass) {
  const auto body = [](const std::string& more) {
    return write(read(kScene +
                      "def Xform \"b\" (apiSchemas = [\"PhysicsRigidBodyAPI\", "
                      "\"PhysicsMassAPI\"]) {\nfloat physics:mass = 1e-18\n" +
                      more + "\n}\n"))
        .codes;
  };
  EXPECT_EQ(body(""), "engine-no-mass /b;");
  EXPECT_EQ(body("bool physics:kinematicEnabled = 1"), "");
  EXPECT_EQ(body("bool physics:rigidBodyEnabled = 0"), "");
}

// Of a thin disc the first moment is the sum of the others; single precision goes beyond it.
TEST(EngineBodies, MomentsOnTheBorderOfWhatASolidHasAreNotTold) {
  const auto body = [](const std::string& first) {
    return write(read(kScene +
                      "def Xform \"b\" (apiSchemas = [\"PhysicsRigidBodyAPI\", "
                      "\"PhysicsMassAPI\"]) {\nfloat physics:mass = 1\n"
                      "float3 physics:diagonalInertia = (" +
                      first + ", 1, 1)\nquatf physics:principalAxes = (1, 0, 0, 0)\n}\n"));
  };
  const Written disc = body("2.000001");
  EXPECT_EQ(disc.codes, "");
  EXPECT_THAT(disc.text, HasSubstr(" diaginertia=\"2 1 1\"/>"));
  EXPECT_THAT(disc.text, HasSubstr(" balanceinertia=\"false\"/>"));
  const Written none = body("2.00001");
  EXPECT_EQ(none.codes, "engine-inertia-triangle /b;");
  EXPECT_THAT(none.text, HasSubstr(" diaginertia=\"2.0000"));
  EXPECT_THAT(none.text, HasSubstr(" balanceinertia=\"true\"/>"));
}

TEST(EngineBodies, SpeedsThatAreNoNumbersAreNone) {
  PhysicsModel model = read(kScene + ball("a"));
  const auto speeds = [&](const Vector3f& linear, const Vector3f& angular) {
    model.rigid_bodies[0].linear_velocity = linear;
    model.rigid_bodies[0].angular_velocity = angular;
    return write(model).text;
  };
  EXPECT_THAT(speeds({1, 2, 3}, {4, 5, 6}), HasSubstr(" qvel=\"1 2 3 4 5 6\""));
  EXPECT_THAT(speeds({1, kNan, 3}, {4, 5, 6}), HasSubstr(" qvel=\"0 0 0 4 5 6\""));
  EXPECT_THAT(speeds({1, 2, 3}, {4, 5, kInfinity}), HasSubstr(" qvel=\"1 2 3 0 0 0\""));
}

TEST(EngineBodies, AUrdfHasNoMassOfWhatStandsStillAndTellsOfEverySpeed) {
  const auto body = [](const std::string& more) {
    return write(read(kScene + ball("a", more)), write_urdf);
  };
  const Written moves = body("");
  EXPECT_THAT(moves.text, HasSubstr("<inertial>"));
  EXPECT_EQ(moves.codes, "");
  EXPECT_THAT(body("bool physics:kinematicEnabled = 1").text, Not(HasSubstr("<inertial>")));
  EXPECT_THAT(body("bool physics:rigidBodyEnabled = 0").text, Not(HasSubstr("<inertial>")));
  const std::string told = "engine-start-dropped /a;";
  EXPECT_EQ(body("vector3f physics:velocity = (0, 1, 0)").codes, told);
  EXPECT_EQ(body("vector3f physics:angularVelocity = (0, 0, 1)").codes, told);
}

TEST(EngineBodies, ABodyIsNestedHoweverManyPrimsStandBetween) {
  const Written written = write(
      read(kScene + ball("a", "def Xform \"x\" {\ndef Xform \"y\" {\n" + ball("b") + "}\n}\n") +
           ball("ab") + ball("c", ball("d", ball("e")))));
  EXPECT_THAT(written.told,
              Contains("engine-nested-body /a/x/y/b: The body lies inside another one and is kept "
                       "as a body of its own; the documented rules ignore it (3 of them, this is "
                       "the first)."));
}

// --- Filters

TEST(EngineBodies, AUrdfCountsAllPrimsWhoseFiltersItLeavesOut) {
  PhysicsModel model = read(kScene + ball("a") + ball("b") + ball("c"));
  model.shapes[0].filtered_collision_paths = {"/b"};
  model.shapes[1].collision_groups = {0};
  model.rigid_bodies[2].filtered_collision_paths = {"/b"};
  model.articulations.emplace_back().filtered_collision_paths = {"/a"};
  EXPECT_THAT(write(model, write_urdf).told,
              Contains("engine-filter-dropped : The file holds no filters: those of 4 prims are "
                       "left out."));
}

// --- The whole

TEST(EngineBodies, TheFirstTimeStepThatIsOneCounts) {
  PhysicsModel model = read(kScene + ball("a"));
  model.scenes.resize(5, model.scenes[0]);
  model.scene_extras.resize(5);
  model.scene_extras[0].time_step = 0.0F;
  model.scene_extras[1].time_step = kInfinity;
  model.scene_extras[2].time_step = -0.5F;
  model.scene_extras[3].time_step = 0.25F;
  model.scene_extras[4].time_step = 0.125F;
  EXPECT_THAT(write(model).text, HasSubstr("<option timestep=\"0.25\""));
  model.scene_extras.resize(3);
  EXPECT_THAT(write(model).text, HasSubstr("<option timestep=\"0.002\""));
}

TEST(EngineBodies, MaterialsDifferIfAnyTwoDo) {
  PhysicsModel model = read(kScene + ball("a"));
  const auto told = [&](const std::vector<float>& frictions) {
    model.materials.assign(frictions.size(), {});
    for (std::size_t i = 0; i < frictions.size(); ++i) {
      model.materials[i].path = "/m" + std::to_string(i);
      model.materials[i].static_friction = frictions[i];
      model.materials[i].dynamic_friction = frictions[i];
    }
    return write(model).codes;
  };
  EXPECT_EQ(told({0.5F, 0.25F, 0.25F}), "engine-friction-combine /m0;");
  EXPECT_EQ(told({0.5F, 0.5F, 0.5F}), "");
}

TEST(EngineBodies, AUrdfTellsOfGravityThatIsNotWhatReadersTake) {
  PhysicsModel model = read(kScene + ball("a"));
  const auto codes = [&](float magnitude) {
    model.scenes[0].gravity_magnitude = magnitude;
    return write(model, write_urdf).codes;
  };
  EXPECT_EQ(codes(9.8F), "");
  EXPECT_EQ(codes(9.82F), "");
  EXPECT_EQ(codes(9.78F), "engine-feature-dropped /S;");
}

// 200 free bodies: 1200 * (18 * 201 + 7 * 1200 + 2) = 14424000 below 5 * 1700^2 = 14450000, which
// the engine guesses; one more needs 14568480, above 5 * 1706^2 = 14552180. A tenth is in reserve.
TEST(EngineBodies, TheStackOfTheEngineIsAskedForWhereItsGuessIsTooSmall) {
  const auto written = [](int count, bool moves) {
    PhysicsModel model;
    model.units = {Axis::z, 1.0, 1.0, true};
    for (int i = 0; i < count; ++i) {
      physics::RigidBody& body = model.rigid_bodies.emplace_back();
      body.path = "/b" + std::to_string(i);
      body.rigid_body_enabled = moves;
    }
    return write(model).text;
  };
  EXPECT_THAT(written(200, true), Not(HasSubstr("nstack")));
  EXPECT_THAT(written(201, true), HasSubstr("<size nstack=\"16025328\"/>"));
  // Without freedoms every pair counts: 1571 * 1570 / 2 + 15710 and 1572 * 1571 / 2 + 15720 against
  // 5 * 500^2.
  EXPECT_THAT(written(1570, false), Not(HasSubstr("nstack")));
  EXPECT_THAT(written(1571, false), HasSubstr("<size nstack=\"1375578\"/>"));
}

TEST(EngineBodies, NamesHoldNoControlCharacters) {
  EngineOptions options;
  options.robot_name =
      "a\tb\x1F"
      "c \xC3\xA9";
  EXPECT_THAT(write({}, write_urdf, options).text, HasSubstr("<robot name=\"abc \xC3\xA9\">"));
}

}  // namespace
}  // namespace sinew::exporter::engine_bodies_test
