// SPDX-License-Identifier: Apache-2.0
// Bodies, colliders, joints and all that belongs to them, for random scenes.
#include <algorithm>

#include "support/random_scene.hpp"

namespace sinew::test {
namespace {

std::string positive(Random& random) {
  return number(random.eighths(0, 2) + 0.125);
}
std::string any(Random& random) {
  return number(random.eighths(-3, 3));
}
std::string triple(Random& random) {
  return joined({"(", any(random), ", ", any(random), ", ", any(random), ")"});
}
std::string axis(Random& random) {
  return random.pick({"\"X\"", "\"Y\"", "\"Z\""});
}

void add_schemas(PrimText& prim, const std::string& schemas) {
  prim.metadata.push_back("prepend apiSchemas = [" + schemas + "]");
}

void add_transform(Random& random, PrimText& prim) {
  if (!random.chance(60)) return;
  prim.properties.push_back("double3 xformOp:translate = " + triple(random));
  prim.properties.push_back("quatf xformOp:orient = " +
                            random.pick({"(1, 0, 0, 0)", "(0.6, 0.8, 0, 0)", "(0.6, 0, 0, -0.8)"}));
  const std::string size = positive(random);
  prim.properties.push_back("float3 xformOp:scale = (" + size + ", " + size + ", " +
                            (random.chance(80) ? size : positive(random)) + ")");
  prim.properties.push_back(
      "uniform token[] xformOpOrder = [\"xformOp:translate\", \"xformOp:orient\"" +
      random.pick({"", ", \"xformOp:scale\""}) + "]");
}

void add_mass(Random& random, PrimText& prim) {
  if (random.chance(60)) prim.properties.push_back("float physics:mass = " + any(random));
  if (random.chance(40)) prim.properties.push_back("float physics:density = " + positive(random));
  if (random.chance(20))
    prim.properties.push_back("point3f physics:centerOfMass = " + triple(random));
  if (random.chance(20)) {
    prim.properties.emplace_back("float3 physics:diagonalInertia = (1, 2, 2.5)");
    prim.properties.emplace_back("quatf physics:principalAxes = (0.6, 0, 0.8, 0)");
  }
}

void add_sizes(Random& random, PrimText& prim) {
  const auto size = [&](const char* name) {
    prim.properties.push_back("double " + std::string(name) + " = " + positive(random));
  };
  const std::string& type = prim.type;
  if (type == "Sphere") size("radius");
  if (type == "Cube") size("size");
  if (type == "Capsule" || type == "Cylinder" || type == "Cone") {
    size("radius");
    size("height");
    if (random.chance(50)) prim.properties.push_back("uniform token axis = " + axis(random));
  }
  if (type == "Capsule_1" || type == "Cylinder_1") {
    size("radiusTop");
    size("radiusBottom");
  }
  if (type == "Plane" && random.chance(50))
    prim.properties.push_back("uniform token axis = " + axis(random));
  if (type == "Points") {
    prim.properties.push_back(
        joined({"point3f[] points = [", triple(random), ", ", triple(random), "]"}));
    prim.properties.emplace_back("float[] widths = [0.5, 1]");
  }
  if (type == "Mesh") {
    prim.properties.push_back(joined({"point3f[] points = [(0, 0, 0), (", positive(random),
                                      ", 0, 0), (0, 1, 0), (0, 0, ", positive(random), ")]"}));
    prim.properties.emplace_back("int[] faceVertexCounts = [3, 3, 3, 3]");
    prim.properties.emplace_back("int[] faceVertexIndices = [0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3]");
    prim.properties.push_back(
        "uniform token physics:approximation = " +
        quoted(random.pick({"none", "convexHull", "boundingCube", "boundingSphere",
                            "convexDecomposition", "meshSimplification"})));
  }
}

PrimText collider(Random& random, const std::string& name, const std::string& root) {
  PrimText prim;
  prim.name = name;
  prim.type = random.pick({"Sphere", "Cube", "Capsule", "Cylinder", "Cone", "Capsule_1",
                           "Cylinder_1", "Plane", "Points", "Mesh"});
  std::string schemas = "\"PhysicsCollisionAPI\"";
  if (prim.type == "Mesh") schemas += ", \"PhysicsMeshCollisionAPI\"";
  add_sizes(random, prim);
  add_transform(random, prim);
  if (random.chance(25)) {
    schemas += ", \"PhysicsMassAPI\"";
    add_mass(random, prim);
  }
  if (random.chance(10)) prim.properties.emplace_back("bool physics:collisionEnabled = false");
  if (random.chance(40)) {
    schemas += ", \"MaterialBindingAPI\"";
    prim.properties.push_back("rel material:binding:physics = <" +
                              random.pick({"/World/Steel", ""}) + ">");
    if (prim.properties.back().ends_with("<>")) {
      prim.properties.back() = "rel material:binding = <" + root + "/Rubber>";
    }
  }
  if (random.chance(15)) {
    schemas += ", \"PhysicsFilteredPairsAPI\"";
    prim.properties.push_back("rel physics:filteredPairs = <" + root + "/A>");
  }
  if (random.chance(15))
    prim.properties.emplace_back("rel physics:simulationOwner = </World/Scene>");
  add_schemas(prim, schemas);
  return prim;
}

PrimText material(Random& random, const std::string& name) {
  PrimText prim;
  prim.type = "Material";
  prim.name = name;
  add_schemas(prim, "\"PhysicsMaterialAPI\"");
  for (const char* property : {"staticFriction", "dynamicFriction", "restitution", "density"}) {
    if (random.chance(50)) {
      prim.properties.push_back("float physics:" + std::string(property) + " = " +
                                positive(random));
    }
  }
  return prim;
}

void make_body(Random& random, PrimText& prim) {
  std::string schemas = "\"PhysicsRigidBodyAPI\"";
  if (random.chance(40)) {
    schemas += ", \"PhysicsMassAPI\"";
    add_mass(random, prim);
  }
  if (random.chance(10)) prim.properties.emplace_back("bool physics:rigidBodyEnabled = false");
  if (random.chance(10)) prim.properties.emplace_back("bool physics:kinematicEnabled = true");
  if (random.chance(10)) prim.properties.emplace_back("bool physics:startsAsleep = true");
  if (random.chance(20)) prim.properties.push_back("vector3f physics:velocity = " + triple(random));
  if (random.chance(20)) {
    prim.properties.push_back("vector3f physics:angularVelocity = " + triple(random));
  }
  add_schemas(prim, schemas);
}

std::string drive(Random& random, const std::string& name) {
  std::string text;
  for (const char* property :
       {"targetPosition", "targetVelocity", "damping", "stiffness", "maxForce"}) {
    if (!random.chance(50)) continue;
    text += (text.empty() ? "" : "\n") + ("float drive:" + name) + ":physics:" + property + " = " +
            positive(random);
  }
  return text;
}

// What only some kinds of joints have.
void add_freedom(Random& random, PrimText& joint, std::string& schemas) {
  const auto add = [&](const std::string& statement) { joint.properties.push_back(statement); };
  const std::string& type = joint.type;
  if (type == "PhysicsRevoluteJoint" || type == "PhysicsPrismaticJoint") {
    add("uniform token physics:axis = " + axis(random));
    if (random.chance(50)) add("float physics:lowerLimit = " + number(-random.eighths(0, 60)));
    if (random.chance(50)) add("float physics:upperLimit = " + number(random.eighths(0, 60)));
    if (random.chance(50)) {
      const std::string dof = type == "PhysicsRevoluteJoint" ? "angular" : "linear";
      schemas += ", \"PhysicsDriveAPI:" + dof + "\"";
      const std::string statements = drive(random, dof);
      if (!statements.empty()) add(statements);
    }
  }
  if (type == "PhysicsSphericalJoint" && random.chance(50)) {
    add("float physics:coneAngle0Limit = 30");
    add("float physics:coneAngle1Limit = " + any(random));
  }
  if (type == "PhysicsDistanceJoint") {
    add("float physics:minDistance = " + any(random));
    add("float physics:maxDistance = " + positive(random));
  }
  if (type != "PhysicsJoint") return;
  for (const char* dof : {"transX", "transY", "rotX", "rotZ", "distance"}) {
    if (random.chance(40)) {
      schemas += ", \"PhysicsLimitAPI:" + std::string(dof) + "\"";
      add("float limit:" + std::string(dof) + ":physics:low = " + any(random));
      add("float limit:" + std::string(dof) + ":physics:high = " + any(random));
    }
    const std::string statements = random.chance(30) ? drive(random, dof) : "";
    if (statements.empty()) continue;
    schemas += ", \"PhysicsDriveAPI:" + std::string(dof) + "\"";
    add(statements);
  }
}

PrimText joint(Random& random, const std::string& name, const std::string& body0,
               const std::string& body1) {
  PrimText prim;
  prim.name = name;
  prim.type = random.pick({"PhysicsFixedJoint", "PhysicsRevoluteJoint", "PhysicsPrismaticJoint",
                           "PhysicsSphericalJoint", "PhysicsDistanceJoint", "PhysicsJoint"});
  if (random.chance(85)) prim.properties.push_back("rel physics:body0 = <" + body0 + ">");
  if (random.chance(90)) prim.properties.push_back("rel physics:body1 = <" + body1 + ">");
  if (random.chance(40)) prim.properties.push_back("point3f physics:localPos0 = " + triple(random));
  if (random.chance(30)) prim.properties.emplace_back("quatf physics:localRot1 = (0.6, 0, 0.8, 0)");
  if (random.chance(20)) prim.properties.emplace_back("bool physics:collisionEnabled = true");
  if (random.chance(20))
    prim.properties.emplace_back("bool physics:excludeFromArticulation = true");
  if (random.chance(20))
    prim.properties.push_back("float physics:breakForce = " + positive(random));
  std::string schemas;
  add_freedom(random, prim, schemas);
  if (random.chance(10)) schemas += ", \"PhysicsArticulationRootAPI\"";
  if (!schemas.empty()) add_schemas(prim, schemas.substr(2));
  return prim;
}

PrimText group(Random& random, const std::string& name) {
  PrimText prim;
  prim.type = "PhysicsCollisionGroup";
  prim.name = name;
  add_schemas(prim, "\"CollectionAPI:colliders\"");
  prim.properties.push_back("rel collection:colliders:includes = <" +
                            random.pick({"/World/P0", "/World/P1", "/World/P2", "/World/G"}) + ">");
  if (random.chance(30)) {
    prim.properties.emplace_back("rel collection:colliders:excludes = [</World/P0/A>]");
  }
  prim.properties.push_back("rel physics:filteredGroups = <" +
                            random.pick({"/World/Group0", "/World/Group1"}) + ">");
  if (random.chance(20)) prim.properties.emplace_back("bool physics:invertFilteredGroups = true");
  if (random.chance(30)) prim.properties.emplace_back("string physics:mergeGroup = \"merged\"");
  return prim;
}

}  // namespace

void add_physics_content(Random& random, PrimText& prim, Source& source) {
  const std::string path = "/" + source.name;
  prim.type = "Xform";
  add_transform(random, prim);
  // One body, or two with a joint between them.
  const bool is_pair = random.chance(30);
  if (!is_pair && random.chance(80)) make_body(random, prim);
  for (const char* name : {"A", "B", "C"}) {
    if (!random.chance(65)) continue;
    PrimText child;
    if (random.chance(70)) {
      child = collider(random, name, path);
    } else {
      child.type = random.pick({"Xform", "Scope", ""});
      child.name = name;
      child.children.push_back(collider(random, "Inner", path));
      if (random.chance(20)) {
        add_schemas(child, "\"PhysicsMassAPI\"");
        add_mass(random, child);
      }
    }
    if (is_pair) {
      PrimText body;
      body.type = "Xform";
      body.name = name;
      child.name = "Shape";
      make_body(random, body);
      add_transform(random, body);
      body.children.push_back(std::move(child));
      child = std::move(body);
    }
    prim.children.push_back(std::move(child));
    source.children.emplace_back(name);
  }
  prim.children.push_back(material(random, "Rubber"));
  if (is_pair) {
    prim.children.push_back(joint(random, "Joint", path + "/A", path + random.pick({"/B", "/C"})));
    if (random.chance(40)) add_schemas(prim, "\"PhysicsArticulationRootAPI\"");
  }
}

void add_physics_world(Random& random, Scene& scene, PrimText& world) {
  std::vector<std::string>& metadata = scene.layers[0].metadata;
  if (random.chance(60)) metadata.push_back("metersPerUnit = " + random.pick({"1", "0.01", "0.5"}));
  if (random.chance(30)) metadata.emplace_back("kilogramsPerUnit = 2");
  if (random.chance(50)) metadata.emplace_back("upAxis = \"Z\"");
  PrimText simulation;
  simulation.type = "PhysicsScene";
  simulation.name = "Scene";
  if (random.chance(50))
    simulation.properties.push_back("vector3f physics:gravityDirection = " + triple(random));
  if (random.chance(50))
    simulation.properties.push_back("float physics:gravityMagnitude = " + any(random));
  world.children.push_back(std::move(simulation));
  world.children.push_back(material(random, "Steel"));
  if (random.chance(30)) add_schemas(world, "\"PhysicsArticulationRootAPI\"");
  for (int i = 0; i < 2; ++i) {
    if (random.chance(60)) world.children.push_back(group(random, "Group" + std::to_string(i)));
    const auto end = [&] {
      return random.pick({"/World/P0", "/World/P1", "/World/P2", "/World/P0/A", "/World/P1/B",
                          "/World/G/P1", "/World/Nothing"});
    };
    if (random.chance(70)) {
      const std::string body0 = end();
      const std::string body1 = end();
      world.children.push_back(joint(random, "Joint" + std::to_string(i), body0, body1));
    }
  }
}

}  // namespace sinew::test
