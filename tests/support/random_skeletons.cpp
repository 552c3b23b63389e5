// SPDX-License-Identifier: Apache-2.0
// Skeletons, animations and what they deform, for random scenes.
#include <algorithm>

#include "support/random_scene.hpp"

namespace sinew::test {
namespace {

constexpr const char* kJoints[] = {"Hips", "Hips/Spine", "Hips/Spine/Head", "Hips/Leg", "Prop"};
constexpr std::size_t kPointCount = 6;

template <typename Element>
std::string list(std::size_t count, const Element& element) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += (i == 0 ? "" : ", ") + element(i);
  return "[" + text + "]";
}

std::string triple(Random& random, int low, int high) {
  return joined({"(", number(random.eighths(low, high)), ", ", number(random.eighths(low, high)),
                 ", ", number(random.eighths(low, high)), ")"});
}

std::string rigid(Random& random) {
  return joined({random.pick({"((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (",
                              "((0.6, 0.8, 0, 0), (-0.8, 0.6, 0, 0), (0, 0, 1, 0), (",
                              "((0, 0, -1, 0), (0, 1, 0, 0), (1, 0, 0, 0), ("}),
                 number(random.eighths(-2, 2)), ", ", number(random.eighths(-2, 2)), ", 0.5, 1))"});
}

std::string rotation(Random& random) {
  return random.pick({"(1, 0, 0, 0)", "(0.6, 0.8, 0, 0)", "(0.6, 0, -0.8, 0)", "(0, 0, 0, 1)",
                      "(-0.8, 0, 0.36, 0.48)"});
}

// Joints in another order than the skeleton's, some of them missing.
std::vector<std::string> some_joints(Random& random) {
  std::vector<std::string> joints(std::begin(kJoints), std::end(kJoints));
  for (std::size_t i = joints.size(); i > 1; --i) std::swap(joints[i - 1], joints[random.below(i)]);
  joints.resize(static_cast<std::size_t>(random.between(1, 5)));
  return joints;
}

std::string tokens(const std::vector<std::string>& names) {
  return list(names.size(), [&](std::size_t i) { return quoted(names[i]); });
}

// An attribute with a default, or with samples.
template <typename Element>
std::string varying(Random& random, const std::string& declared, std::size_t count,
                    const Element& element) {
  const auto array = [&] { return list(count, [&](std::size_t) { return element(random); }); };
  if (random.chance(50)) return declared + " = " + array();
  std::string text = declared + ".timeSamples = {";
  for (const char* time : {"0", "4", "10"}) text += std::string(time) + ": " + array() + ", ";
  return text + "}";
}

PrimText skeleton(Random& random, const std::string& name) {
  const auto count = static_cast<std::size_t>(random.between(1, 5));
  PrimText prim;
  prim.type = "Skeleton";
  prim.name = name;
  prim.metadata.emplace_back("prepend apiSchemas = [\"SkelBindingAPI\"]");
  const auto matrices = [&](std::size_t) { return rigid(random); };
  prim.properties.push_back("uniform token[] joints = " +
                            list(count, [](std::size_t i) { return quoted(kJoints[i]); }));
  prim.properties.push_back("uniform matrix4d[] bindTransforms = " + list(count, matrices));
  prim.properties.push_back("uniform matrix4d[] restTransforms = " + list(count, matrices));
  return prim;
}

PrimText animation(Random& random, const std::string& name) {
  const std::vector<std::string> joints = some_joints(random);
  PrimText prim;
  prim.type = "SkelAnimation";
  prim.name = name;
  prim.properties.push_back("uniform token[] joints = " + tokens(joints));
  prim.properties.push_back(varying(random, "float3[] translations", joints.size(),
                                    [](Random& r) { return triple(r, -2, 2); }));
  prim.properties.push_back(varying(random, "quatf[] rotations", joints.size(), rotation));
  prim.properties.push_back(varying(random, "half3[] scales", joints.size(), [](Random& r) {
    return r.chance(70) ? "(1, 1, 1)" : triple(r, 1, 2);
  }));
  if (random.chance(70)) {
    prim.properties.push_back("uniform token[] blendShapes = " +
                              random.pick({"[\"smile\", \"frown\"]", "[\"frown\"]"}));
    const std::size_t shapes = prim.properties.back().find("smile") != std::string::npos ? 2 : 1;
    prim.properties.push_back(varying(random, "float[] blendShapeWeights", shapes,
                                      [](Random& r) { return number(r.eighths(-1, 2)); }));
  }
  return prim;
}

PrimText blend_shape(Random& random, const std::string& name) {
  PrimText prim;
  prim.type = "BlendShape";
  prim.name = name;
  const bool sparse = random.chance(50);
  const std::size_t count = sparse ? 3 : kPointCount;
  const auto offsets = [&](std::size_t) { return triple(random, -1, 1); };
  prim.properties.push_back("uniform vector3f[] offsets = " + list(count, offsets));
  if (random.chance(50)) {
    prim.properties.push_back("uniform vector3f[] normalOffsets = " + list(count, offsets));
  }
  if (sparse) prim.properties.emplace_back("uniform int[] pointIndices = [0, 2, 5]");
  if (random.chance(40)) {
    prim.properties.push_back(joined({"uniform vector3f[] inbetweens:half = ", list(count, offsets),
                                      " (\n weight = ", random.pick({"0.5", "0.25"}), "\n)"}));
  }
  return prim;
}

void add_influences(Random& random, PrimText& mesh) {
  const auto per_point = static_cast<std::size_t>(random.between(1, 3));
  const bool rigid_mesh = random.chance(20);
  const std::size_t count = per_point * (rigid_mesh ? 1 : kPointCount);
  const std::string fields = " (\n elementSize = " + std::to_string(per_point) +
                             "\n interpolation = " + (rigid_mesh ? "\"constant\"" : "\"vertex\"") +
                             "\n)";
  // Joints that most skeletons here have.
  mesh.properties.push_back("int[] primvars:skel:jointIndices = " +
                            list(count,
                                 [&](std::size_t) {
                                   return random.pick({"0", "0", "1"});
                                 }) +
                            fields);
  mesh.properties.push_back("float[] primvars:skel:jointWeights = " +
                            list(count, [&](std::size_t) { return number(random.eighths(0, 1)); }) +
                            fields);
}

PrimText mesh(Random& random, const std::string& name, const std::string& path) {
  PrimText prim;
  prim.type = "Mesh";
  prim.name = name;
  prim.metadata.emplace_back("prepend apiSchemas = [\"SkelBindingAPI\"]");
  const auto triples = [&](std::size_t) { return triple(random, -2, 2); };
  prim.properties.push_back("point3f[] points = " + list(kPointCount, triples));
  prim.properties.emplace_back("int[] faceVertexCounts = [3, 3]");
  prim.properties.emplace_back("int[] faceVertexIndices = [0, 1, 2, 3, 4, 5]");
  if (random.chance(60)) {
    prim.properties.push_back(
        joined({"normal3f[] normals = ",
                list(kPointCount,
                     [&](std::size_t) {
                       return random.pick({"(0, 0, 1)", "(0, 1, 0)", "(0.6, 0.8, 0)"});
                     }),
                " (\n interpolation = ", random.pick({"\"vertex\"", "\"faceVarying\""}), "\n)"}));
  }
  if (random.chance(85)) add_influences(random, prim);
  if (random.chance(30)) {
    prim.properties.push_back("matrix4d primvars:skel:geomBindTransform = " + rigid(random));
  }
  if (random.chance(50)) {
    prim.properties.push_back("uniform token primvars:skel:skinningMethod = " +
                              quoted(random.pick({"classicLinear", "dualQuaternion"})));
  }
  if (random.chance(20)) {
    prim.properties.emplace_back("uniform token[] skel:joints = [\"Prop\", \"Hips\"]");
  }
  if (random.chance(60)) {
    prim.properties.emplace_back("uniform token[] skel:blendShapes = [\"frown\", \"smile\"]");
    prim.properties.push_back("rel skel:blendShapeTargets = [<" + path + "/Frown>, <" + path +
                              "/Smile>]");
    prim.children.push_back(blend_shape(random, "Frown"));
    prim.children.push_back(blend_shape(random, "Smile"));
  }
  return prim;
}

}  // namespace

void add_skeleton_content(Random& random, PrimText& prim, Source& source) {
  const std::string path = "/" + source.name;
  const bool is_rig = random.chance(60);
  prim.type = is_rig ? "SkelRoot" : "Xform";
  if (is_rig || random.chance(20)) {
    prim.metadata.emplace_back("prepend apiSchemas = [\"SkelBindingAPI\"]");
    prim.properties.push_back("rel skel:skeleton = <" + path + "/Skel>");
    if (random.chance(80)) {
      prim.properties.push_back("rel skel:animationSource = <" + path + "/Anim>");
    }
    prim.children.push_back(skeleton(random, "Skel"));
    prim.children.push_back(animation(random, "Anim"));
    source.children.insert(source.children.end(), {"Skel", "Anim"});
  }
  for (const char* name : {"Body", "Hat"}) {
    if (!random.chance(70)) continue;
    prim.children.push_back(mesh(random, name, path + "/" + name));
    if (random.chance(20)) {  // Bound anew, or to nothing.
      prim.children.back().properties.push_back(
          "rel skel:skeleton = " + (random.chance(70) ? "<" + path + "/Skel>" : "None"));
    }
    source.children.emplace_back(name);
  }
}

void add_skeleton_world(Random& random, PrimText& world) {
  if (random.chance(60)) world.type = "SkelRoot";
  world.metadata.emplace_back("prepend apiSchemas = [\"SkelBindingAPI\"]");
  world.properties.emplace_back("rel skel:skeleton = </World/Skel>");
  if (random.chance(60)) world.properties.emplace_back("rel skel:animationSource = </World/Anim>");
  for (PrimText& placed : world.children) {
    if (!random.chance(40) || placed.name == "G") continue;
    placed.metadata.emplace_back("prepend apiSchemas = [\"SkelBindingAPI\"]");
    if (random.chance(70)) {
      placed.properties.emplace_back("rel skel:animationSource = </World/Other>");
    }
    if (random.chance(30)) placed.properties.emplace_back("rel skel:skeleton = </World/Skel>");
  }
  world.children.push_back(skeleton(random, "Skel"));
  world.children.push_back(animation(random, "Anim"));
  world.children.push_back(animation(random, "Other"));
}

}  // namespace sinew::test
