// SPDX-License-Identifier: Apache-2.0
// What becomes of bodies, colliders, materials and joints.
#include <gtest/gtest.h>

#include <initializer_list>
#include <string>

#include "export/gltf/written.hpp"
#include "support/folders.hpp"

namespace sinew::exporter::gltf_physics_test {
namespace {

using namespace test;
using test::Json;  // Not that of the library.

std::string box(const std::string& name, const std::string& more = "") {
  return "def Cube \"" + name +
         "\" (prepend apiSchemas = [\"PhysicsRigidBodyAPI\", \"PhysicsCollisionAPI\"" +
         (more.empty() ? "" : ", \"PhysicsFilteredPairsAPI\"") + "]) {" + more + "}\n";
}

// What the node says of physics, if anything.
Json body_of(const Json& node) {
  return node.value("extensions", Json::object()).value("KHR_physics_rigid_bodies", Json::object());
}

Json body_of(const Written& written, const std::string& name) {
  const Json* const node = written.parts.node(name);
  return node == nullptr ? Json() : body_of(*node);
}

TEST(GltfPhysics, WritesBodiesCollidersAndJoints) {
  Diagnostics diagnostics;
  const auto stage =
      stage::Stage::open(test::example_data_folder() + "/robot_arm.usda", diagnostics);
  ASSERT_TRUE(stage);

  const Written written = write(**stage);

  ASSERT_EQ(written.error, "");
  const Json& base = *written.parts.node("base");
  EXPECT_EQ(base["extensions"]["KHR_physics_rigid_bodies"]["motion"]["mass"], 14.0);
  const Json& root = written.json()["extensions"];
  EXPECT_EQ(root["KHR_physics_rigid_bodies"]["physicsMaterials"][0]["staticFriction"], 0.5);
  const Json& joint = *written.parts.node("turntable_joint");
  const Json& side = joint["extensions"]["KHR_physics_rigid_bodies"]["joint"];
  const Json& description =
      root["KHR_physics_rigid_bodies"]["physicsJoints"][side["joint"].get<std::size_t>()];
  EXPECT_EQ(description["limits"][0], Json::parse(R"({"linearAxes":[0,1,2],"min":0.0,"max":0.0})"));
  EXPECT_EQ(description["limits"][1], Json::parse(R"({"angularAxes":[0,1],"min":0.0,"max":0.0})"));
  EXPECT_EQ(written.json()["nodes"][side["connectedNode"].get<std::size_t>()]["name"],
            "turntable_joint_1");
  EXPECT_EQ(written.file.summary.bodies, 9U);
}

TEST(GltfPhysics, GivesBodiesWithScaleANodeBelow) {
  const Written written = write_text(
      std::string(kHead) +
      "def Xform \"B\" (prepend apiSchemas = [\"PhysicsRigidBodyAPI\"]) {\n"
      "double3 xformOp:scale = (2, 2, 2)\nuniform token[] xformOpOrder = [\"xformOp:scale\"]\n"
      "def Cube \"C\" (prepend apiSchemas = [\"PhysicsCollisionAPI\"]) { double size = 1 } }\n");

  ASSERT_EQ(written.error, "");
  const Json& body = *written.parts.node("B");
  EXPECT_FALSE(body.contains("scale"));
  EXPECT_EQ((*written.parts.node("B_scale"))["scale"], Json({2, 2, 2}));
  const Json& shapes = written.json()["extensions"]["KHR_implicit_shapes"]["shapes"];
  EXPECT_EQ(shapes[0]["box"]["size"], Json({2, 2, 2}));
  EXPECT_NEAR(body["extensions"]["KHR_physics_rigid_bodies"]["motion"]["mass"].get<double>(),
              8000.0, 1.0);
}

TEST(GltfPhysics, WritesWhoDoesNotCollideByClasses) {
  const Written written =
      write_text(std::string(kHead) + box("A", "rel physics:filteredPairs = </B>") + box("B") +
                 box("C") + box("D"));

  ASSERT_EQ(written.error, "");
  const Json& filters =
      written.json()["extensions"]["KHR_physics_rigid_bodies"]["collisionFilters"];
  // A and B keep apart and are alike for all others: one class, apart from itself.
  ASSERT_EQ(filters.size(), 1U);
  EXPECT_EQ(filters[0]["collisionSystems"], filters[0]["notCollideWithSystems"]);
  std::size_t filtered = 0;
  for (const Json& node : written.json()["nodes"]) {
    const Json body = body_of(node);
    if (body.contains("collider") && body["collider"].contains("collisionFilter")) ++filtered;
  }
  EXPECT_EQ(filtered, 2U);
}

// gltf 105
TEST(GltfPhysics, GivesBodiesTheirShareOfTheGravityOfTheEarth) {
  const std::string sideways =
      "warning gltf-gravity /P: Gravity of /P does not point down, which glTF cannot say.\n";
  const struct {
    const char *axis, *direction, *magnitude;
    bool keeps_axis;
    Json factor, kept;
    std::string told;
  } rows[] = {
      {"Y", "(0,-1,0)", "9.81", false, {}, {}, ""},
      {"Y", "(0,-1,0)", "9.815", false, {}, {{"direction", {0, -1, 0}}, {"magnitude", 9.815F}}, ""},
      {"Y",
       "(0,-1,0)",
       "19.62",
       false,
       2.0,
       {{"direction", {0, -1, 0}}, {"magnitude", 19.62F}},
       ""},
      {"Y", "(0,-1,0)", "0", false, 0.0, {{"direction", {0, -1, 0}}, {"magnitude", 0}}, ""},
      {"Y",
       "(0,1,0)",
       "9.81",
       false,
       {},
       {{"direction", {0, 1, 0}}, {"magnitude", 9.81F}},
       sideways},
      {"Z", "(0,0,-1)", "9.81", false, {}, {}, ""},
      {"Z",
       "(0,-1,0)",
       "9.81",
       false,
       {},
       {{"direction", {0, 0, 1}}, {"magnitude", 9.81F}},
       sideways},
      {"Z",
       "(0,-1,0)",
       "9.81",
       true,
       {},
       {{"direction", {0, -1, 0}}, {"magnitude", 9.81F}},
       sideways},
  };
  for (const auto& row : rows) {
    GlbOptions options;
    options.keep_up_axis = row.keeps_axis;
    const Written written = write_text(
        std::string("#usda 1.0\n(metersPerUnit = 1\nupAxis = \"") + row.axis +
            "\")\ndef PhysicsScene \"P\" { vector3f physics:gravityDirection = " + row.direction +
            "\nfloat physics:gravityMagnitude = " + row.magnitude + "\n}\n" + box("B"),
        options);
    ASSERT_EQ(written.error, "");
    SCOPED_TRACE(std::string(row.axis) + row.direction + row.magnitude);
    EXPECT_EQ(written.told(), row.told);
    EXPECT_EQ(body_of(written, "B")["motion"].value("gravityFactor", Json()), row.factor);
    const Json::json_pointer gravity("/extras/sinew/gravity");
    const Json& scene = written.json()["scenes"][0];
    EXPECT_EQ(scene.contains(gravity), !row.kept.is_null());
    if (!row.kept.is_null() && scene.contains(gravity)) {
      const Json& kept = scene[gravity];
      EXPECT_EQ(kept["direction"], row.kept["direction"]);
      EXPECT_FLOAT_EQ(kept["magnitude"].get<float>(), row.kept["magnitude"].get<float>());
    }
  }
}

// gltf 94
TEST(GltfPhysics, LeavesOutFiguresOfBodiesThatSayNothing) {
  const struct {
    const char *lines, *motion;
  } rows[] = {
      {"float physics:mass = 2\nfloat3 physics:diagonalInertia = (1,2,3)\n",
       R"({"mass": 2, "inertiaDiagonal": [1, 2, 3]})"},
      {"float physics:mass = 2\nfloat3 physics:diagonalInertia = (1,2,3)\n"
       "point3f physics:centerOfMass = (0,0.5,0)\nquatf physics:principalAxes = (0,1,0,0)\n",
       R"({"mass": 2, "centerOfMass": [0, 0.5, 0], "inertiaDiagonal": [1, 2, 3],
           "inertiaOrientation": [1, 0, 0, 0]})"},
      {"float physics:mass = 2\nfloat3 physics:diagonalInertia = (1,2,3)\n"
       "bool physics:kinematicEnabled = 1\nvector3f physics:velocity = (0,0,-4)\n",
       R"({"isKinematic": true, "mass": 2, "inertiaDiagonal": [1, 2, 3],
           "linearVelocity": [0, 0, -4]})"},
      {"float physics:mass = 2\nfloat3 physics:diagonalInertia = (1,2,3)\n"
       "vector3f physics:velocity = (inf,0,0)\nvector3f physics:angularVelocity = (0,nan,0)\n",
       R"({"mass": 2, "inertiaDiagonal": [1, 2, 3]})"},
  };
  for (const auto& row : rows) {
    const Written written = write_text(
        std::string(kHead) +
        "def Xform \"B\" (prepend apiSchemas = [\"PhysicsRigidBodyAPI\", \"PhysicsMassAPI\"]) {\n" +
        row.lines + "}\n");
    ASSERT_EQ(written.error, "");
    EXPECT_EQ(body_of(written, "B")["motion"], Json::parse(row.motion)) << row.lines;
  }
  const Written turning =
      write_text(std::string(kHead) +
                 "def Xform \"B\" (prepend apiSchemas = [\"PhysicsRigidBodyAPI\"]) {\n"
                 "vector3f physics:angularVelocity = (0,180,0)\n}\n");
  const Json motion = body_of(turning, "B")["motion"];
  EXPECT_FALSE(motion.contains("linearVelocity"));
  EXPECT_FLOAT_EQ(motion["angularVelocity"][1].get<float>(), 3.14159265F);
}

// gltf 100
TEST(GltfPhysics, KeepsFiguresOfPhysicsMaterialsWithinTheirRanges) {
  const struct {
    const char *lines, *material;
  } rows[] = {
      {"float physics:staticFriction = 0\nfloat physics:dynamicFriction = 2\n"
       "float physics:restitution = 0.5\n",
       R"({"staticFriction": 0, "dynamicFriction": 2, "restitution": 0.5})"},
      {"float physics:staticFriction = -1\nfloat physics:dynamicFriction = inf\n"
       "float physics:restitution = 1.5\n",
       R"({"restitution": 1})"},
      {"float physics:restitution = nan\nfloat physics:density = 0\n",
       R"({"staticFriction": 0, "dynamicFriction": 0})"},
      {"float physics:density = 4\n",
       R"({"staticFriction": 0, "dynamicFriction": 0, "restitution": 0, "density": 4})"},
      {"float physics:density = inf\n",
       R"({"staticFriction": 0, "dynamicFriction": 0, "restitution": 0})"},
  };
  for (const auto& row : rows) {
    const Written written = write_text(
        std::string(kHead) +
        "def Material \"T\" (prepend apiSchemas = [\"PhysicsMaterialAPI\"]) {\n" + row.lines +
        "}\ndef Cube \"C\" (prepend apiSchemas = [\"PhysicsCollisionAPI\"]) {\n"
        "rel material:binding:physics = </T>\n}\n");
    ASSERT_EQ(written.error, "");
    Json made = written.json()["extensions"]["KHR_physics_rigid_bodies"]["physicsMaterials"][0];
    const Json extras = made.value("extras", Json::object());
    EXPECT_EQ(extras["usd"]["path"], "/T");
    made.erase("extras");
    if (extras.contains("sinew")) made["density"] = extras["sinew"]["density"];
    EXPECT_EQ(made, Json::parse(row.material)) << row.lines;
  }
}

/// What is said of a joint between two bodies.
Json joint_of(const std::string& type, const std::string& lines, const std::string& apis = "") {
  const Written written =
      write_text(kHead + box("A") + box("B") + "def " + type + " \"J\" " +
                 (apis.empty() ? "" : "(prepend apiSchemas = [" + apis + "]) ") +
                 "{ rel physics:body0 = </A>\nrel physics:body1 = </B>\n" + lines + "}\n");
  EXPECT_EQ(written.error, "");
  EXPECT_EQ(written.told(), "");
  return written.json()["extensions"]["KHR_physics_rigid_bodies"]["physicsJoints"][0];
}

// gltf 102, 103
TEST(GltfPhysics, LimitsJointsWhereTheyHaveEnds) {
  const std::string all = R"({"linearAxes":[0,1,2],"min":0,"max":0})";
  const std::string revolute = all + R"(,{"angularAxes":[0,1],"min":0,"max":0})";
  const struct {
    const char *type, *lines;
    std::string limits;
  } rows[] = {
      {"PhysicsRevoluteJoint", "uniform token physics:axis = \"Z\"\n", revolute},
      {"PhysicsRevoluteJoint", "uniform token physics:axis = \"Z\"\nfloat physics:lowerLimit = 0\n",
       revolute + R"(,{"angularAxes":[2],"min":0})"},
      {"PhysicsRevoluteJoint", "uniform token physics:axis = \"Z\"\nfloat physics:upperLimit = 0\n",
       revolute + R"(,{"angularAxes":[2],"max":0})"},
      {"PhysicsPrismaticJoint",
       "uniform token physics:axis = \"Y\"\nfloat physics:lowerLimit = -1\n"
       "float physics:upperLimit = 0.5\n",
       R"({"angularAxes":[0,1,2],"min":0,"max":0},{"linearAxes":[0,2],"min":0,"max":0},)"
       R"({"linearAxes":[1],"min":-1,"max":0.5})"},
      {"PhysicsSphericalJoint", "", all},
      {"PhysicsSphericalJoint",
       "uniform token physics:axis = \"X\"\nfloat physics:coneAngle0Limit = 0\n"
       "float physics:coneAngle1Limit = 0\n",
       all + R"(,{"angularAxes":[1,2],"min":0,"max":0})"},
      {"PhysicsSphericalJoint",
       "uniform token physics:axis = \"Y\"\nfloat physics:coneAngle0Limit = 0\n"
       "float physics:coneAngle1Limit = 0\n",
       all + R"(,{"angularAxes":[0,2],"min":0,"max":0})"},
      {"PhysicsDistanceJoint", "float physics:minDistance = 0.5\nfloat physics:maxDistance = 2\n",
       R"({"linearAxes":[0,1,2],"min":0.5,"max":2})"},
      {"PhysicsDistanceJoint", "float physics:minDistance = 0.5\n",
       R"({"linearAxes":[0,1,2],"min":0.5})"},
      {"PhysicsDistanceJoint", "float physics:maxDistance = 2\n",
       R"({"linearAxes":[0,1,2],"max":2})"},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(joint_of(row.type, row.lines)["limits"], Json::parse('[' + row.limits + ']'))
        << row.type << ' ' << row.lines;
  }
  // A cone that differs towards the two other axes: towards Y is a turn about Z.
  const Json oval = joint_of("PhysicsSphericalJoint",
                             "uniform token physics:axis = \"X\"\n"
                             "float physics:coneAngle0Limit = 30\n"
                             "float physics:coneAngle1Limit = 90\n")["limits"];
  ASSERT_EQ(oval.size(), 3U);
  EXPECT_EQ(oval[1]["angularAxes"], Json({2}));
  EXPECT_FLOAT_EQ(oval[1]["min"].get<float>(), -0.52359878F);
  EXPECT_FLOAT_EQ(oval[1]["max"].get<float>(), 0.52359878F);
  EXPECT_EQ(oval[2]["angularAxes"], Json({1}));
  EXPECT_FLOAT_EQ(oval[2]["min"].get<float>(), -1.5707963F);
  EXPECT_FLOAT_EQ(oval[2]["max"].get<float>(), 1.5707963F);
}

TEST(GltfPhysics, LimitsEachDegreeOfAGeneralJoint) {
  const auto limits = [](const std::string& dof, const std::string& low, const std::string& high) {
    const std::string prefix = "float limit:" + dof + ":physics:";
    return joint_of("PhysicsJoint",
                    (low.empty() ? "" : prefix + "low = " + low + '\n') +
                        (high.empty() ? "" : prefix + "high = " + high + '\n'),
                    "\"PhysicsLimitAPI:" + dof + '"');
  };
  EXPECT_EQ(limits("transY", "-1", "2"),
            Json::parse(R"({"limits": [{"linearAxes": [1], "min": -1, "max": 2}]})"));
  EXPECT_EQ(limits("transZ", "1", "-1"),
            Json::parse(R"({"limits": [{"linearAxes": [2], "min": 0, "max": 0}]})"));
  EXPECT_EQ(limits("rotX", "1", "-1"),
            Json::parse(R"({"limits": [{"angularAxes": [0], "min": 0, "max": 0}]})"));
  EXPECT_EQ(limits("rotZ", "0", "0"),
            Json::parse(R"({"limits": [{"angularAxes": [2], "min": 0, "max": 0}]})"));
  EXPECT_EQ(limits("transX", "", "3"),
            Json::parse(R"({"limits": [{"linearAxes": [0], "max": 3}]})"));
  EXPECT_EQ(limits("transX", "", ""), Json::object());  // Free.
  EXPECT_EQ(limits("distance", "1", "2"),
            Json::parse(R"({"limits": [{"linearAxes": [0, 1, 2], "min": 1, "max": 2}]})"));
}

// gltf 103
TEST(GltfPhysics, DrivesJointsByWhatIsFinite) {
  const auto drive = [](std::initializer_list<const char*> values) {
    std::string lines;
    for (const std::string value : values) lines += "float drive:linear:physics:" + value + '\n';
    return joint_of("PhysicsPrismaticJoint", lines, "\"PhysicsDriveAPI:linear\"")["drives"];
  };
  const Json plain = {{"type", "linear"}, {"mode", "force"}, {"axis", 0}};
  const auto with = [&](const char* more) {
    Json made = plain;
    made.update(Json::parse(more));
    return Json::array({made});
  };
  EXPECT_EQ(drive({}), Json::array({plain}));
  EXPECT_EQ(drive({"stiffness = 2"}), with(R"({"positionTarget": 0, "stiffness": 2})"));
  EXPECT_EQ(drive({"stiffness = 2", "damping = 3"}),
            with(R"({"positionTarget": 0, "stiffness": 2, "velocityTarget": 0, "damping": 3})"));
  EXPECT_EQ(drive({"damping = 3", "maxForce = 5"}),
            with(R"({"velocityTarget": 0, "damping": 3, "maxForce": 5})"));
  EXPECT_EQ(drive({"stiffness = inf", "damping = inf", "maxForce = inf"}), Json::array({plain}));
  EXPECT_EQ(drive({"stiffness = -2", "damping = -3"}), Json::array({plain}));
}

// gltf 104
TEST(GltfPhysics, KeepsWhatBreaksAJoint) {
  const auto kept = [](const std::string& lines) {
    const Written written = write_text(
        kHead + box("A") + box("B") +
        "def PhysicsFixedJoint \"J\" { rel physics:body0 = </A>\nrel physics:body1 = </B>\n" +
        lines + "}\n");
    EXPECT_EQ(written.error, "");
    const Json extras = written.parts.node("J")->value("extras", Json::object());
    EXPECT_EQ(written.says("gltf-joint-extras"), extras.contains("sinew"));
    return extras.value("sinew", Json());
  };
  EXPECT_EQ(kept(""), Json());
  EXPECT_EQ(kept("float physics:breakForce = 3\n"), Json({{"breakForce", 3.0}}));
  EXPECT_EQ(kept("float physics:breakTorque = 4\n"), Json({{"breakTorque", 4.0}}));
  EXPECT_EQ(kept("float physics:breakForce = inf\nfloat physics:breakTorque = inf\n"), Json());
  EXPECT_EQ(kept("bool physics:excludeFromArticulation = 1\n"),
            Json({{"excludeFromArticulation", true}}));
}

}  // namespace
}  // namespace sinew::exporter::gltf_physics_test
