// SPDX-License-Identifier: Apache-2.0
// Every loss that the page on glTF lists, each shown by a small file.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "export/gltf/written.hpp"
#include "sinew/usdz/writer.hpp"
#include "support/folders.hpp"

namespace sinew::exporter::losses_test {
namespace {

namespace fs = std::filesystem;
using namespace test;

/// A file for each loss: the code that must be told.
struct Loss {
  const char* code;
  std::string text;
  std::function<void(GlbOptions&)> change = nullptr;
};

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  for (std::size_t at = text.find(what); at != std::string::npos;
       at = text.find(what, at + with.size())) {
    text.replace(at, what.size(), with);
  }
  return text;
}

/// What is between two texts, and the first of them, is taken out.
std::string without(std::string text, const std::string& from, const std::string& to) {
  const std::size_t begin = text.find(from);
  return text.erase(begin, text.find(to, begin) - begin);
}

std::string rigid(const std::string& more) {
  return skinned(
      "int[] primvars:skel:jointIndices = [0] (elementSize = 1\ninterpolation = \"constant\")\n"
      "float[] primvars:skel:jointWeights = [1] (elementSize = 1\ninterpolation = "
      "\"constant\")\n" +
      more);
}

/// `count` blend shapes, each with these lines.
std::string blend_shapes(int count, const std::string& lines) {
  std::string names, targets, shapes;
  for (int i = 0; i < count; ++i) {
    const std::string name = "s" + std::to_string(i);
    names += "\"" + name + "\",";
    targets += "</R/M/" + name + ">,";
    shapes += "def BlendShape \"" + name + "\" { " + lines + "}\n";
  }
  return "uniform token[] skel:blendShapes = [" + names + "]\nrel skel:blendShapeTargets = [" +
         targets + "]\n" + shapes;
}

std::vector<Loss> stage_losses() {
  const std::string head = kHead;
  return {
      {"gltf-units-assumed", "#usda 1.0\n" + quad()},
      {"gltf-bad-units", "#usda 1.0\n(metersPerUnit = 0)\n" + quad()},
      {"gltf-bad-rate", "#usda 1.0\n(metersPerUnit = 1\ntimeCodesPerSecond = 0)\n" + quad()},
      {"gltf-up-axis", "#usda 1.0\n(metersPerUnit = 1\nupAxis = \"X\")\n" + quad()},
      {"gltf-default-prim", "#usda 1.0\n(metersPerUnit = 1\ndefaultPrim = \"None\")\n" + quad()},
      {"gltf-unsupported-prim", head + "def SphereLight \"L\" {}\n"},
      {"gltf-visibility-animation",
       head + quad("token visibility.timeSamples = { 0: \"inherited\", 1: \"invisible\" }\n")},
      {"gltf-shear", head +
                         "def Xform \"X\" { matrix4d xformOp:transform.timeSamples = {\n"
                         "0: ((1,0,0,0),(1,1,0,0),(0,0,1,0),(0,0,0,1)), 1: "
                         "((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1)) }\n"
                         "uniform token[] xformOpOrder = [\"xformOp:transform\"]\n" +
                         quad() + "}\n"},
      {"gltf-rough-motion",
       head +
           "def Xform \"X\" { float xformOp:rotateZ.timeSamples = { 0: 0, 1: 3.6e7 }\n"
           "uniform token[] xformOpOrder = [\"xformOp:rotateZ\"]\n" +
           quad() + "}\n"},
      {"gltf-camera-attribute", head + "def Camera \"C\" { float fStop = 2.8 }\n"},
      {"gltf-attribute-animation",
       head + "def Camera \"C\" { float focalLength.timeSamples = { 0: 35, 1: 50 } }\n"},
      {"gltf-attribute-animation",
       head + "def Sphere \"S\" { double radius.timeSamples = { 0: 1, 1: 2 } }\n"},
      {"gltf-zero-rotation",
       head +
           "def Xform \"X\" { quatf xformOp:orient.timeSamples = { 0: (1,0,0,0), 1: (0,0,0,0) }\n"
           "uniform token[] xformOpOrder = [\"xformOp:orient\"]\n" +
           quad() + "}\n"},
      {"gltf-camera", head + "def Camera \"C\" { float2 clippingRange = (0, 1) }\n"},
      {"gltf-instancer-animation",
       head +
           "def PointInstancer \"P\" { rel prototypes = [</P/M>]\nint[] protoIndices = [0]\n"
           "point3f[] positions.timeSamples = { 0: [(1,0,0)], 1: [(2,0,0)] }\n" +
           quad() + "}\n"},
      {"gltf-instancer",
       head + "def PointInstancer \"P\" { rel prototypes = [</P>]\nint[] protoIndices = [0]\n"
              "point3f[] positions = [(1,0,0)]\n}\n"},
      {"gltf-outside-default-prim",
       "#usda 1.0\n(metersPerUnit = 1\nupAxis = \"Y\"\ndefaultPrim = \"M\")\n" + quad() +
           "def Xform \"Floor\" { def Cube \"C\" {} }\n"},
  };
}

std::vector<Loss> mesh_losses() {
  const std::string head = kHead;
  return {
      {"gltf-bad-mesh", head +
                            "def Mesh \"M\" { point3f[] points = [(0,0,0)]\n"
                            "int[] faceVertexCounts = [3]\nint[] faceVertexIndices = [0,1,2] }\n"},
      {"gltf-degenerate-face",
       head + "def Mesh \"M\" { point3f[] points = [(0,0,0),(1,0,0),(2,0,0),(3,0,0)]\n"
              "int[] faceVertexCounts = [4]\nint[] faceVertexIndices = [0,1,2,3] }\n"},
      {"gltf-subdivision-cage",
       head + "def Mesh \"M\" { point3f[] points = [(0,0,0),(1,0,0),(0,1,0)]\n"
              "int[] faceVertexCounts = [3]\nint[] faceVertexIndices = [0,1,2] }\n"},
      {"gltf-not-finite",
       head + "def Mesh \"M\" { point3f[] points = [(0,0,nan),(1,0,0),(0,1,0)]\n"
              "int[] faceVertexCounts = [3]\nint[] faceVertexIndices = [0,1,2] }\n"},
      {"gltf-deforming-points",
       head + "def Mesh \"M\" { point3f[] points.timeSamples = {\n"
              "0: [(0,0,0),(1,0,0),(0,1,0)], 1: [(0,0,1),(1,0,0),(0,1,0)] }\n"
              "int[] faceVertexCounts = [3]\nint[] faceVertexIndices = [0,1,2] }\n"},
      {"gltf-attribute-animation",
       head + quad("int[] holeIndices.timeSamples = { 0: [], 1: [0] }\n")},
      {"gltf-attribute-animation",
       head + quad("normal3f[] normals.timeSamples = { 0: [(0,0,1),(0,0,1),(0,0,1),(0,0,1)], 1: "
                   "[(0,1,0),(0,0,1),(0,0,1),(0,0,1)] }\n")},
      {"gltf-attribute-animation",
       head + quad("texCoord2f[] primvars:st (interpolation = \"vertex\")\n"
                   "texCoord2f[] primvars:st.timeSamples = { 0: [(0,0),(1,0),(1,1),(0,1)], 1: "
                   "[(1,0),(1,0),(1,1),(0,1)] }\n")},
      {"gltf-empty-mesh", head +
                              "def Mesh \"M\" { point3f[] points = [(0,0,0),(1,0,0)]\n"
                              "int[] faceVertexCounts = [2]\nint[] faceVertexIndices = [0,1] }\n"},
      {"gltf-small-face", head + "def Mesh \"M\" { point3f[] points = [(0,0,0),(1,0,0),(0,1,0)]\n"
                                 "int[] faceVertexCounts = [2, 3]\n"
                                 "int[] faceVertexIndices = [0,1,0,1,2] }\n"},
      {"gltf-shared-faces",
       head + quad("def GeomSubset \"A\" { uniform token elementType = \"face\"\n"
                   "uniform token familyName = \"materialBind\"\nint[] indices = [0] }\n"
                   "def GeomSubset \"B\" { uniform token elementType = \"face\"\n"
                   "uniform token familyName = \"materialBind\"\nint[] indices = [0] }\n")},
      {"gltf-display-opacity",
       head + quad("color3f[] primvars:displayColor = [(1,0,0)] (interpolation = \"uniform\")\n"
                   "float[] primvars:displayOpacity = [1,1,1,0.5] (interpolation = "
                   "\"vertex\")\n")},
      {"gltf-color-range",
       head + quad("color3f[] primvars:displayColor = [(2,0,0)] (interpolation = \"uniform\")\n")},
      {"gltf-attribute-animation",
       head +
           quad("color3f[] primvars:displayColor.timeSamples = { 0: [(1,0,0)], 1: [(0,1,0)] }\n")},
      {"gltf-primvar", head + quad(), [](GlbOptions& options) { options.primvars = {"nobodys"}; }},
      {"gltf-primvar", head + quad("float primvars:wear = 1\n"),
       [](GlbOptions& options) { options.primvars = {"wear"}; }},
      {"gltf-primvar",
       head + quad("matrix4d[] primvars:frame = [((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1))]\n"),
       [](GlbOptions& options) { options.primvars = {"frame"}; }},
      {"gltf-texture-coordinate-3",
       head + quad("texCoord3f[] primvars:st = [(0,0,0),(1,0,0),(1,1,0),(0,1,0)] (interpolation = "
                   "\"vertex\")\n")},
      {"gltf-texture-coordinates",
       head + quad([] {
         std::string sets;
         for (const char* name : {"a", "b", "c", "d", "e"}) {
           sets += std::string("texCoord2f[] primvars:") + name +
                   " = [(0,0),(1,0),(1,1),(0,1)] (interpolation = \"vertex\")\n";
         }
         return sets;
       }())},
  };
}

std::vector<Loss> material_losses() {
  const std::string head = kHead;
  return {
      {"gltf-unknown-material",
       head + "def Material \"T\" {}\n" + quad("rel material:binding = </T>\n")},
      {"gltf-unknown-shader",
       head + surface("color3f inputs:diffuseColor.connect = </T/N.outputs:rgb>\n")},
      {"gltf-unknown-shader",
       head + surface("color3f inputs:diffuseColor.connect = </P.outputs:result>\n") +
           "def Shader \"P\" { uniform token info:id = \"UsdPrimvarReader_float3\"\n"
           "string inputs:varname = \"dirt\"\nfloat3 outputs:result }\n"},
      {"gltf-attribute-animation",
       head + surface("float inputs:roughness.timeSamples = { 0: 0, 1: 1 }\n")},
      {"gltf-occlusion", head + surface("float inputs:occlusion = 0.2\n")},
      {"gltf-displacement", head + surface("float inputs:displacement = 1\n")},
      {"gltf-specular-workflow", head + surface("int inputs:useSpecularWorkflow = 1\n")},
      {"gltf-texture-color-space",
       head + surface(kDiffuse,
                      "asset inputs:file = @a.png@\ntoken inputs:sourceColorSpace = \"raw\"\n")},
      {"gltf-texture-coordinates-missing", head + surface(kDiffuse, "", "\n")},
      {"gltf-texture-embedded", head + surface(kDiffuse, "asset inputs:file = @p.usdz[a.png]@\n"),
       [](GlbOptions& options) { options.textures = GlbTextures::reference; }},
      {"gltf-texture-format", head + surface(kDiffuse, "asset inputs:file = @a.gif@\n")},
      {"gltf-texture-missing", head + surface(kDiffuse, "asset inputs:file = @none.png@\n")},
      {"gltf-texture-left-out",
       head + surface("float inputs:clearcoat.connect = </T/I.outputs:a>\n")},
      {"gltf-texture-packing", head + surface("float inputs:opacity.connect = </T/I.outputs:r>\n")},
      {"gltf-texture-packing",
       head + surface("color3f inputs:diffuseColor.connect = </T/I.outputs:r>\n")},
      {"gltf-texture-scale",
       head + surface(kDiffuse, "asset inputs:file = @a.png@\nfloat4 inputs:scale = (2,2,2,1)\n")},
      {"gltf-texture-transform",
       head +
           surface(
               kDiffuse,
               "asset inputs:file = @a.png@\nfloat2 inputs:st.connect = </X.outputs:result>\n") +
           "def Shader \"X\" { uniform token info:id = \"UsdTransform2d\"\n"
           "float2 inputs:scale = (2, 1)\nfloat2 inputs:in.connect = </Y.outputs:result>\n}\n"
           "def Shader \"Y\" { uniform token info:id = \"UsdTransform2d\"\n"
           "float inputs:rotation = 45\n}\n"},
      {"gltf-unknown-shader",
       head +
           surface(kDiffuse,
                   "asset inputs:file = @a.png@\nfloat2 inputs:st.connect = </X.outputs:out>\n") +
           "def Shader \"X\" { uniform token info:id = \"Swirl\"\n}\n"},
      {"gltf-texture-wrap",
       head + surface(kDiffuse, "asset inputs:file = @a.png@\ntoken inputs:wrapS = \"black\"\n")},
  };
}

std::vector<Loss> skin_losses() {
  const std::string head = kHead;
  return {
      {"gltf-rotation-length",
       head + skinned(kTwoInfluences,
                      "uniform token[] joints = [\"a\"]\nfloat3[] translations = [(0,0,0)]\n"
                      "quatf[] rotations = [(0.9, 0, 0, 0)]\nhalf3[] scales = [(1,1,1)]\n")},
      {"gltf-no-bind-pose", head + skinned(kTwoInfluences, "", "\n")},
      {"gltf-dual-quaternion",
       head + skinned(kTwoInfluences +
                      "uniform token primvars:skel:skinningMethod = \"dualQuaternion\"\n"
                      "uniform token skel:skinningMethod = \"dualQuaternion\"\n")},
      {"gltf-weights-normalized",
       head + skinned("int[] primvars:skel:jointIndices = [0,0,0,0] (elementSize = "
                      "1\ninterpolation = \"vertex\")\n"
                      "float[] primvars:skel:jointWeights = [0.5,1,1,1] (elementSize = "
                      "1\ninterpolation = \"vertex\")\n")},
      {"gltf-weights-negative",
       head + skinned("int[] primvars:skel:jointIndices = [0,1,0,1,0,1,0,1] (elementSize = "
                      "2\ninterpolation = \"vertex\")\n"
                      "float[] primvars:skel:jointWeights = [1,-0.5,1,0,1,0,1,0] (elementSize = "
                      "2\ninterpolation = \"vertex\")\n")},
      {"gltf-attribute-animation",
       head + skinned("int[] primvars:skel:jointIndices = [0,0,0,0] (elementSize = "
                      "1\ninterpolation = \"vertex\")\n"
                      "float[] primvars:skel:jointWeights = [1,1,1,1] (elementSize = "
                      "1\ninterpolation = \"vertex\")\n"
                      "float[] primvars:skel:jointWeights.timeSamples = { 0: [1,1,1,1], 1: "
                      "[1,1,1,0] }\n")},
      {"gltf-no-rest-pose",
       head + without(skinned(kTwoInfluences), "uniform matrix4d[] restTransforms",
                      "uniform matrix4d[] bind")},
      {"gltf-weights-missing", head + skinned("int[] primvars:skel:jointIndices = [0,0,0,0] "
                                              "(elementSize = 1\ninterpolation = \"vertex\")\n"
                                              "float[] primvars:skel:jointWeights = [0,1,1,1] "
                                              "(elementSize = 1\ninterpolation = \"vertex\")\n")},
      {"gltf-missing-joint",
       head + skinned(kTwoInfluences + "uniform token[] skel:joints = [\"a\", \"tail\"]\n")},
      {"gltf-joint-index", head + skinned("int[] primvars:skel:jointIndices = [0,0,0,9] "
                                          "(elementSize = 1\ninterpolation = \"vertex\")\n"
                                          "float[] primvars:skel:jointWeights = [1,1,1,1] "
                                          "(elementSize = 1\ninterpolation = \"vertex\")\n")},
      {"gltf-bad-skeleton",
       head + replaced(skinned(kTwoInfluences), "[\"a\", \"a/b\"]", "[\"a/b\", \"a\"]")},
      {"gltf-bad-skeleton", head + replaced(skinned(kTwoInfluences), "[\"a\", \"a/b\"]", "[]")},
      {"gltf-skinning-method",
       head + rigid("uniform token primvars:skel:skinningMethod = \"rubber\"\n"
                    "uniform token skel:skinningMethod = \"rubber\"\n")},
      {"gltf-influences",
       head + skinned("int[] primvars:skel:jointIndices = [0,0,0] (elementSize = "
                      "1\ninterpolation = \"vertex\")\n"
                      "float[] primvars:skel:jointWeights = [1,1,1] (elementSize = "
                      "1\ninterpolation = \"vertex\")\n")},
      {"gltf-influences-reduced",
       [&] {
         const std::string matrix = "((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1))";
         const std::string five =
             "[" + matrix + "," + matrix + "," + matrix + "," + matrix + "," + matrix + "]\n";
         std::string text = skinned(
             "int[] primvars:skel:jointIndices = [0,1,2,3,4, 0,0,0,0,0, 0,0,0,0,0, 0,0,0,0,0] "
             "(elementSize = 5\ninterpolation = \"vertex\")\n"
             "float[] primvars:skel:jointWeights = [0.2,0.2,0.2,0.2,0.2, 1,0,0,0,0, 1,0,0,0,0, "
             "1,0,0,0,0] (elementSize = 5\ninterpolation = \"vertex\")\n",
             "", "uniform matrix4d[] bindTransforms = " + five);
         text = replaced(text, "[\"a\", \"a/b\"]", "[\"a\", \"b\", \"c\", \"d\", \"e\"]");
         text = without(text, "uniform matrix4d[] restTransforms", "uniform matrix4d[] bind");
         return head + text;
       }()},
      {"gltf-blend-shape",
       head + skinned(blend_shapes(1,
                                   "uniform vector3f[] offsets = [(0,0,1),(0,0,1)]\n"
                                   "uniform int[] pointIndices = [2]\n"))},
      {"gltf-blend-shape",
       head + skinned(blend_shapes(1,
                                   "uniform vector3f[] offsets = [(0,0,1)]\n"
                                   "uniform vector3f[] normalOffsets = [(0,1,0)]\n"
                                   "uniform int[] pointIndices = [2]\n"))},
      {"gltf-many-morph-targets",
       head + skinned(blend_shapes(65,
                                   "uniform vector3f[] offsets = [(0,0,1)]\n"
                                   "uniform int[] pointIndices = [2]\n"))},
      {"gltf-zero-rotation",
       head + skinned(kTwoInfluences,
                      "uniform token[] joints = [\"a\"]\nfloat3[] translations = [(0,0,0)]\n"
                      "quatf[] rotations = [(0, 0, 0, 0)]\nhalf3[] scales = [(1,1,1)]\n")},
      {"gltf-instanced-skin",
       head +
           "def PointInstancer \"P\" { rel prototypes = [</P/R>]\nint[] protoIndices = [0]\n"
           "point3f[] positions = [(1,0,0)]\n" +
           replaced(skinned(kTwoInfluences), "</R", "</P/R") + "}\n"},
      // A joint that the clip leaves out rests, and the skeleton does not say where.
      {"gltf-clip",
       head +
           without(skinned(kTwoInfluences), "uniform matrix4d[] restTransforms",
                   "uniform matrix4d[] bind") +
           "def SkelAnimation \"Wave\" { uniform token[] joints = [\"a\"]\n"
           "float3[] translations = [(0,0,0)]\nquatf[] rotations = [(1,0,0,0)]\n"
           "half3[] scales = [(1,1,1)] }\n",
       [](GlbOptions& options) {
         options.clips.push_back({"wave", "/Wave"});
       }},
  };
}

std::vector<Loss> physics_losses() {
  const std::string head = kHead;
  return {
      {"gltf-collider-size", head + "def Sphere \"S\" (prepend apiSchemas = "
                                    "[\"PhysicsCollisionAPI\"]) { double radius = 0 }\n"},
      {"gltf-mesh-approximation",
       head + "def Mesh \"M\" (prepend apiSchemas = [\"PhysicsCollisionAPI\", "
              "\"PhysicsMeshCollisionAPI\"]) {\n"
              "uniform token physics:approximation = \"convexDecomposition\"\n"
              "point3f[] points = [(0,0,0),(1,0,0),(0,1,0)]\n"
              "int[] faceVertexCounts = [3]\nint[] faceVertexIndices = [0,1,2] }\n"},
      {"gltf-instancer-physics",
       head +
           "def PointInstancer \"P\" { rel prototypes = [</P/Q>]\nint[] protoIndices = [0, 0]\n"
           "point3f[] positions = [(0,0,0), (2,0,0)]\ndef Xform \"Q\" {\ndef Cube \"C\" (prepend "
           "apiSchemas = [\"PhysicsRigidBodyAPI\", \"PhysicsCollisionAPI\"]) {}\n}\n}\n"},
      {"gltf-gravity",
       head + "def PhysicsScene \"P\" { vector3f physics:gravityDirection = (1, 0, 0) }\n"
              "def Cube \"C\" (prepend apiSchemas = [\"PhysicsRigidBodyAPI\"]) {}\n"},
      {"gltf-several-scenes",
       head + "def PhysicsScene \"P\" {}\ndef PhysicsScene \"Q\" {}\n"
              "def Cube \"C\" (prepend apiSchemas = [\"PhysicsRigidBodyAPI\"]) {}\n"},
      {"gltf-joint", head + "def Cube \"C\" (prepend apiSchemas = [\"PhysicsRigidBodyAPI\"]) {}\n"
                            "def PhysicsFixedJoint \"J\" { rel physics:body0 = </Nobody> }\n"},
      {"gltf-joint", head + "def Cube \"C\" (prepend apiSchemas = [\"PhysicsRigidBodyAPI\"]) {\n"
                            "def Cube \"D\" {}\n}\ndef PhysicsFixedJoint \"J\" { rel "
                            "physics:body0 = </C>\nrel physics:body1 = </C/D> }\n"},
      {"gltf-joint-extras",
       head + "def Cube \"C\" (prepend apiSchemas = [\"PhysicsRigidBodyAPI\"]) {}\n"
              "def PhysicsFixedJoint \"J\" { rel physics:body0 = </C>\nfloat physics:breakForce = "
              "5 }\n"},
      {"gltf-joint-extras", head + "def Cube \"C\" (prepend apiSchemas = [\"PhysicsRigidBodyAPI\", "
                                   "\"PhysicsCollisionAPI\", \"PhysicsArticulationRootAPI\"]) {}\n"
                                   "def PhysicsFixedJoint \"J\" { rel physics:body1 = </C> }\n"},
      {"gltf-collider", head + "def Points \"P\" (prepend apiSchemas = "
                               "[\"PhysicsCollisionAPI\"]) {\npoint3f[] points = [(0,0,0)]\n}\n"},
      {"gltf-collision-filters",
       [&] {
         // 91 times 91 colliders.
         std::string text = head + "class Xform \"Row\" {\n";
         for (int i = 0; i < 91; ++i) {
           text += "def Sphere \"S" + std::to_string(i) +
                   "\" (prepend apiSchemas = [\"PhysicsCollisionAPI\"]) {}\n";
         }
         text += "}\ndef Xform \"All\" { token purpose = \"guide\"\n";
         for (int i = 0; i < 91; ++i) {
           text += "def \"R" + std::to_string(i) + "\" (references = </Row>) {}\n";
         }
         return text +
                "}\ndef Sphere \"S\" (prepend apiSchemas = [\"PhysicsCollisionAPI\", "
                "\"PhysicsFilteredPairsAPI\"]) { rel physics:filteredPairs = </All> }\n";
       }()},
  };
}

std::vector<Loss> losses() {
  std::vector<Loss> all;
  for (auto* part : {stage_losses, mesh_losses, material_losses, skin_losses, physics_losses}) {
    for (Loss& loss : part()) all.push_back(std::move(loss));
  }
  return all;
}

Written write_loss(const Loss& loss) {
  stage::MemoryResolver resolver;
  resolver.add("a.usda", with_breaks(loss.text));
  resolver.add("a.png", std::string("\x89PNG\r\n\x1A\n rest", 13));
  resolver.add("b.png", std::string("\x89PNG\r\n\x1A\n other", 14));
  resolver.add("a.gif", "GIF89a");
  Diagnostics diagnostics;
  const std::vector<usdz::File> packed = {
      {"root.usda", Bytes(std::string(kHead))},
      {"a.png", Bytes(std::string("\x89PNG\r\n\x1A\n rest", 13))}};
  resolver.add("p.usdz", *usdz::write(packed, diagnostics));
  stage::OpenOptions open;
  open.resolver = &resolver;
  const auto stage = stage::Stage::open("a.usda", diagnostics, open);
  if (!stage) {
    Written failed;
    failed.error = stage.error().message;
    return failed;
  }
  for (const Diagnostic& diagnostic : diagnostics) {
    if (diagnostic.severity == Severity::error) ADD_FAILURE() << loss.code << format(diagnostic);
  }
  GlbOptions options;
  options.resolver = &resolver;
  if (loss.change) loss.change(options);
  return write(**stage, options);
}

std::string text_of(const fs::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// The severities that the page gives each code.
std::map<std::string, std::string> codes_of_page() {
  const std::string page = text_of(fs::path(example_data_folder()) / "../../docs/to_gltf.md");
  const std::regex row("\\| `(gltf-[a-z0-9-]+)` \\| ([a-z, ]+) \\|");
  std::map<std::string, std::string> codes;
  for (std::sregex_iterator it(page.begin(), page.end(), row), end; it != end; ++it) {
    codes[(*it)[1]] = (*it)[2];
  }
  return codes;
}

TEST(GlbLosses, AreTold) {
  const auto page = codes_of_page();
  for (const Loss& loss : losses()) {
    const Written written = write_loss(loss);

    EXPECT_EQ(written.error, "") << loss.code;
    std::string told;
    for (const Diagnostic& diagnostic : written.diagnostics) {
      if (diagnostic.code != loss.code) continue;
      told += std::string(to_string(diagnostic.severity)) + " ";
      EXPECT_FALSE(diagnostic.path.empty()) << format(diagnostic);
      const auto row = page.find(loss.code);
      ASSERT_NE(row, page.end()) << loss.code << " is not in docs/to_gltf.md";
      EXPECT_NE(row->second.find(to_string(diagnostic.severity)), std::string::npos)
          << format(diagnostic);
    }
    EXPECT_NE(told, "") << loss.code << " is not told of\n" << loss.text;
  }
}

TEST(GlbLosses, OfThePageHaveAFileEach) {
  std::set<std::string> shown;
  for (const Loss& loss : losses()) shown.insert(loss.code);
  std::set<std::string> listed;
  for (const auto& [code, severity] : codes_of_page()) {
    listed.insert(code);
    EXPECT_TRUE(shown.contains(code)) << "no file shows " << code;
  }
  EXPECT_EQ(shown, listed);
}

TEST(GlbLosses, OfTheSourcesAreOnThePage) {
  const std::regex literal("\"(gltf-[a-z0-9-]+)\"");
  std::set<std::string> told;
  for (const auto& entry :
       fs::directory_iterator(fs::path(example_data_folder()) / "../../src/export/gltf")) {
    const std::string source = text_of(entry.path());
    for (std::sregex_iterator it(source.begin(), source.end(), literal), end; it != end; ++it) {
      told.insert((*it)[1]);
    }
  }
  std::set<std::string> listed;
  for (const auto& [code, severity] : codes_of_page()) listed.insert(code);
  EXPECT_EQ(told, listed);
}

}  // namespace
}  // namespace sinew::exporter::losses_test
