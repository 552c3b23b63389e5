// SPDX-License-Identifier: Apache-2.0
// What several prims of a stage share in the file, and what they must not.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "export/gltf/written.hpp"

namespace sinew::exporter::sharing_test {
namespace {

using test::Json;
using test::kHead;
using test::write_text;
using test::Written;

const std::string kIdentity = "((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1))";

std::string skeleton(const std::string& name, const std::string& joints) {
  return "def Skeleton \"" + name + "\" { uniform token[] joints = [" + joints +
         "]\nuniform matrix4d[] bindTransforms = [" + kIdentity + "," + kIdentity +
         "]\nuniform matrix4d[] restTransforms = [" + kIdentity + "," + kIdentity + "]\n}\n";
}

std::string instance(const std::string& name, const std::string& skeleton) {
  return "def \"" + name +
         "\" (instanceable = true\ninherits = </P>\nprepend apiSchemas = [\"SkelBindingAPI\"]) {\n"
         "rel skel:skeleton = </R/" +
         skeleton + ">\n}\n";
}

// A view that says no stride serves one accessor of vertices, whatever the bytes.
TEST(GltfSharing, NormalsThatAreThePointsHaveAViewOfTheirOwn) {
  const std::string corners = "[(1,0,0),(0,1,0),(0,0,1)]";
  const Written written = write_text(
      std::string(kHead) +
      "def Mesh \"m\" {\nuniform token subdivisionScheme = \"none\"\npoint3f[] points = " +
      corners + "\nnormal3f[] normals = " + corners +
      " (interpolation = \"vertex\")\n"
      "int[] faceVertexCounts = [3]\nint[] faceVertexIndices = [0,1,2]\n}\n");
  ASSERT_EQ(written.error, "");
  const Json& attributes = written.json()["meshes"][0]["primitives"][0]["attributes"];
  const auto view = [&](const char* name) {
    return written.json()["accessors"][attributes[name].get<std::size_t>()]["bufferView"];
  };
  EXPECT_NE(view("POSITION"), view("NORMAL"));
}

/// A triangle that one joint holds as a whole.
std::string held(const std::string& geom_bind) {
  return "def Mesh \"m\" (prepend apiSchemas = [\"SkelBindingAPI\"]) {\n"
         "uniform token subdivisionScheme = \"none\"\n"
         "point3f[] points = [(0,0,0),(1,0,0),(0,1,0)]\nint[] faceVertexCounts = [3]\n"
         "int[] faceVertexIndices = [0,1,2]\nmatrix4d primvars:skel:geomBindTransform = " +
         geom_bind +
         "\nint[] primvars:skel:jointIndices = [0] (interpolation = \"constant\"\nelementSize = "
         "1)\nfloat[] primvars:skel:jointWeights = [1] (interpolation = \"constant\"\nelementSize "
         "= "
         "1)\n}\n";
}

// Nodes cannot shear, the matrices of a skin can.
TEST(GltfSharing, AMeshThatItsJointShearsIsSkinned) {
  const std::string turned = "((0.6,0.8,0,0),(-0.8,0.6,0,0),(0,0,1,0),(0,0,0,1))";
  std::string stretched = skeleton("S", "\"A\",\"B\"");
  stretched.replace(stretched.find(kIdentity), kIdentity.size(),
                    "((1,0,0,0),(0,2,0,0),(0,0,1,0),(0,0,0,1))");
  const auto skins = [&](const std::string& geom_bind) {
    const Written written = write_text(
        std::string(kHead) +
        "def SkelRoot \"R\" (prepend apiSchemas = [\"SkelBindingAPI\"]) {\nrel skel:skeleton = "
        "</R/S>\n" +
        stretched + held(geom_bind) + "}\n");
    EXPECT_EQ(written.error, "");
    for (const Json& node : written.json()["nodes"]) EXPECT_FALSE(node.contains("matrix"));
    return written.json().contains("skins");
  };
  EXPECT_FALSE(skins(kIdentity));
  EXPECT_TRUE(skins(turned));
}

TEST(GltfSharing, ASkeletonOutsideOfWhatIsWrittenMovesAsItDoes) {
  const Written written = write_text(
      "#usda 1.0\n(defaultPrim = \"R\"\nmetersPerUnit = 1\nupAxis = \"Y\")\n"
      "def SkelRoot \"R\" (prepend apiSchemas = [\"SkelBindingAPI\"]) {\nrel skel:skeleton = "
      "</Rig/S>\n" +
      held(kIdentity) +
      "}\ndef Xform \"Rig\" {\ndouble3 xformOp:translate.timeSamples = { 0: (1,0,0), 10: (2,0,0) "
      "}\n"
      "uniform token[] xformOpOrder = [\"xformOp:translate\"]\n" +
      skeleton("S", "\"A\",\"B\"") + "}\n");
  ASSERT_EQ(written.error, "");
  const Json& json = written.json();
  ASSERT_TRUE(json.contains("animations")) << written.told();
  const Json& target = json["animations"][0]["channels"][0]["target"];
  EXPECT_EQ(target["path"], "translation");
  EXPECT_EQ(json["nodes"][target["node"].get<std::size_t>()]["name"], "S");
}

// The mesh lists joints by name: their numbers are those of each skeleton.
TEST(GltfSharing, InstancesShareAMeshIfTheirSkeletonsNumberItsJointsAlike) {
  const Written written = write_text(
      std::string(kHead) +
      "class Xform \"P\" {\ndef Mesh \"m\" (prepend apiSchemas = [\"SkelBindingAPI\"]) {\n"
      "uniform token subdivisionScheme = \"none\"\n"
      "point3f[] points = [(0,0,0),(1,0,0),(0,1,0)]\nint[] faceVertexCounts = [3]\n"
      "int[] faceVertexIndices = [0,1,2]\nuniform token[] skel:joints = [\"A\",\"B\"]\n"
      "int[] primvars:skel:jointIndices = [0,0,1] (interpolation = \"vertex\"\nelementSize = 1)\n"
      "float[] primvars:skel:jointWeights = [1,1,1] (interpolation = \"vertex\"\nelementSize = "
      "1)\n}\n}\n"
      "def SkelRoot \"R\" {\n" +
      skeleton("S1", "\"A\",\"B\"") + skeleton("S2", "\"B\",\"A\"") +
      skeleton("S3", "\"A\",\"B\"") + instance("I1", "S1") + instance("I2", "S2") +
      instance("I3", "S3") + "}\n");
  ASSERT_EQ(written.error, "");
  EXPECT_EQ(written.json()["meshes"].size(), 2U);
}

TEST(GltfSharing, InstancesOfASkinnedMeshThatIsMirroredHaveAMeshOfTheirOwn) {
  std::string mirrored = instance("I2", "S");
  mirrored.insert(mirrored.find("rel"),
                  "double3 xformOp:scale = (-1,1,1)\n"
                  "uniform token[] xformOpOrder = [\"xformOp:scale\"]\n");
  const Written written = write_text(
      std::string(kHead) +
      "class Xform \"P\" {\ndef Mesh \"m\" (prepend apiSchemas = [\"SkelBindingAPI\"]) {\n"
      "uniform token subdivisionScheme = \"none\"\n"
      "point3f[] points = [(0,0,0),(1,0,0),(0,1,0)]\nint[] faceVertexCounts = [3]\n"
      "int[] faceVertexIndices = [0,1,2]\n"
      "int[] primvars:skel:jointIndices = [0,0,1] (interpolation = \"vertex\"\nelementSize = 1)\n"
      "float[] primvars:skel:jointWeights = [1,1,1] (interpolation = \"vertex\"\nelementSize = "
      "1)\n}\n}\n"
      "def SkelRoot \"R\" {\n" +
      skeleton("S", "\"A\",\"B\"") + instance("I1", "S") + mirrored + instance("I3", "S") + "}\n");
  ASSERT_EQ(written.error, "");
  ASSERT_EQ(written.json()["meshes"].size(), 2U);
  const auto indices = [&](std::size_t mesh) {
    const Json& primitive = written.json()["meshes"][mesh]["primitives"][0];
    return written.parts.integers(primitive["indices"].get<std::size_t>());
  };
  EXPECT_EQ(indices(0), (std::vector<std::uint32_t>{0, 1, 2}));
  EXPECT_EQ(indices(1), (std::vector<std::uint32_t>{0, 2, 1}));
}

/// A skeleton of two joints that an animation of one shape's weights drives.
std::string animated(const std::string& name, const std::string& samples) {
  std::string result = skeleton(name, "\"A\",\"B\"");
  result.insert(result.find('{'), "(prepend apiSchemas = [\"SkelBindingAPI\"]) ");
  result.insert(result.rfind('}'), "rel skel:animationSource = </R/" + name + "Weights>\n");
  return result + "def SkelAnimation \"" + name +
         "Weights\" {\nuniform token[] blendShapes = [\"s\"]\n"
         "float[] blendShapeWeights.timeSamples = {" +
         samples + "}\n}\n";
}

TEST(GltfSharing, NodesOfASharedMeshRestAtWeightsOfTheirOwn) {
  const Written written = write_text(
      std::string(kHead) +
      "class Xform \"P\" {\ndef Mesh \"m\" (prepend apiSchemas = [\"SkelBindingAPI\"]) {\n"
      "uniform token subdivisionScheme = \"none\"\n"
      "point3f[] points = [(0,0,0),(1,0,0),(0,1,0)]\nint[] faceVertexCounts = [3]\n"
      "int[] faceVertexIndices = [0,1,2]\n"
      "int[] primvars:skel:jointIndices = [0,0,1] (interpolation = \"vertex\"\nelementSize = 1)\n"
      "float[] primvars:skel:jointWeights = [1,1,1] (interpolation = \"vertex\"\nelementSize = 1)\n"
      "uniform token[] skel:blendShapes = [\"s\"]\nrel skel:blendShapeTargets = </P/m/s>\n"
      "def BlendShape \"s\" {\nuniform vector3f[] offsets = [(0,0,1),(0,0,1),(0,0,1)]\n}\n}\n}\n"
      "def SkelRoot \"R\" {\n" +
      animated("S1", "0: [0.25], 1: [1]") + animated("S2", "0: [0.5], 1: [0.5]") +
      instance("I1", "S1") + instance("I2", "S2") + "}\n");
  ASSERT_EQ(written.error, "");
  const Json json = written.json();
  ASSERT_EQ(json["meshes"].size(), 1U);
  EXPECT_EQ(json["meshes"][0]["weights"], Json::parse("[0.25]"));
  std::vector<std::size_t> shown;
  for (std::size_t n = 0; n < json["nodes"].size(); ++n) {
    if (json["nodes"][n].contains("mesh")) shown.push_back(n);
  }
  ASSERT_EQ(shown.size(), 2U);
  EXPECT_FALSE(json["nodes"][shown[0]].contains("weights"));
  EXPECT_EQ(json["nodes"][shown[1]]["weights"], Json::parse("[0.5]"));
  // The second one stays at the weights of its node, which are not those of the mesh.
  ASSERT_EQ(json["animations"].size(), 1U);
  ASSERT_EQ(json["animations"][0]["channels"].size(), 1U);
  EXPECT_EQ(json["animations"][0]["channels"][0]["target"]["node"].get<std::size_t>(), shown[0]);
}

/// A class of a mesh and its material, and instances of it.
/// @param inputs   Of the surface.
/// @param holder   Of the class itself.
/// @param own      Lines of each instance.
Written write_assets(const std::string& inputs, const std::string& holder,
                     const std::vector<std::string>& own) {
  std::string text = std::string(kHead) + "class Xform \"P\" {\n" + holder +
                     "def Scope \"Looks\" {\n"
                     "def Material \"T\" {\n"
                     "token outputs:surface.connect = </P/Looks/T/S.outputs:surface>\n"
                     "def Shader \"S\" { uniform token info:id = \"UsdPreviewSurface\"\n" +
                     inputs + "token outputs:surface\n}\n}\n}\n" +
                     test::quad("rel material:binding = </P/Looks/T>\n") + "def Xform \"X\" {\n" +
                     test::quad() + "def Cube \"C\" {\nrel material:binding = </P/Looks/T>\n}\n" +
                     "}\n}\n";
  for (std::size_t i = 0; i < own.size(); ++i) {
    text += "def \"I" + std::to_string(i) + "\" (instanceable = true\ninherits = </P>) {\n" +
            own[i] + "}\n";
  }
  return write_text(text);
}

// gltf 83, 88
TEST(GltfSharing, InstancesShareTheMeshesAndMaterialsOfTheirAsset) {
  const std::string red = "color3f[] primvars:displayColor = [(1,0,0)]\n";
  const Written written =
      write_assets("color3f inputs:diffuseColor = (0,0,1)\n", red, {"", "", ""});
  ASSERT_EQ(written.error, "");
  EXPECT_EQ(written.told(), "");
  const Json& json = written.json();
  ASSERT_EQ(json["meshes"].size(), 3U);
  ASSERT_EQ(json["materials"].size(), 2U);  // That of the asset, and red.
  EXPECT_EQ(json["materials"][0]["extras"]["usd"]["path"], "/I0/Looks/T");
  EXPECT_EQ(json["meshes"][0]["extras"]["usd"]["path"], "/I0/M");
  std::vector<int> shown;
  for (const Json& node : json["nodes"]) {
    if (node.contains("mesh")) shown.push_back(node["mesh"].get<int>());
  }
  EXPECT_EQ(shown, (std::vector<int>{0, 1, 2, 0, 1, 2, 0, 1, 2}));
}

TEST(GltfSharing, InstancesThatInheritOtherValuesHaveMeshesOfTheirOwn) {
  const auto colors = [](const char* color) {
    return std::string("color3f[] primvars:displayColor = [") + color + "]\n";
  };
  const Written written =
      write_assets("color3f inputs:diffuseColor = (0,0,1)\n", colors("(1,0,0)"),
                   {"", colors("(0,1,0)"), colors("(1,0,0)"), colors("(0,1,0)")});
  ASSERT_EQ(written.error, "");
  // Twice what the colour comes to, and the shape, whose material gives its own.
  EXPECT_EQ(written.json()["meshes"].size(), 5U);
  EXPECT_EQ(written.json()["materials"].size(), 3U);

  // By many values that one mesh inherits, too.
  std::string many = "float[] primvars:numbers = [0", others = many;
  for (int i = 1; i < 300; ++i) many += "," + std::to_string(i), others += ",1";
  const std::string size = "] (elementSize = 300)\n";
  const Written large = write_assets("", "", {many + size, others + size});
  ASSERT_EQ(large.error, "");
  EXPECT_EQ(large.json()["meshes"].size(), 5U);
}

TEST(GltfSharing, MaterialsThatReadTheirInstanceAreItsOwn) {
  const Written written =
      write_assets("color3f inputs:diffuseColor.connect = </P.inputs:tint>\n",
                   "color3f inputs:tint = (1,0,0)\n", {"", "color3f inputs:tint = (0,1,0)\n"});
  ASSERT_EQ(written.error, "");
  std::vector<Json> colors;
  for (const Json& material : written.json()["materials"]) {
    if (material.contains("name")) {
      colors.push_back(material["pbrMetallicRoughness"]["baseColorFactor"]);
    }
  }
  EXPECT_EQ(colors, (std::vector<Json>{{1.0, 0.0, 0.0, 1.0}, {0.0, 1.0, 0.0, 1.0}}));
}

const std::string kTriangle =
    "uniform token subdivisionScheme = \"none\"\npoint3f[] points = [(0,0,0),(1,0,0),(0,1,0)]\n"
    "int[] faceVertexCounts = [3]\nint[] faceVertexIndices = [0,1,2]\n"
    "color3f[] primvars:displayColor = [(1,0,0),(0,1,0),(0,0,1)] (interpolation = \"vertex\")\n";

TEST(GltfSharing, NothingDimsTheColoursOfVertices) {
  const Written written =
      write_text(kHead + ("def Mesh \"One\" { " + kTriangle + "}\n") +
                 "def Mesh \"Two\" { uniform bool doubleSided = 1\n" + kTriangle +
                 "float[] primvars:displayOpacity = [1,0.5,1] (interpolation = \"vertex\")\n}\n");
  ASSERT_EQ(written.error, "");
  const Json& json = written.json();
  ASSERT_EQ(json["materials"].size(), 2U);
  for (const Json& material : json["materials"]) {
    EXPECT_EQ(material["pbrMetallicRoughness"]["baseColorFactor"], Json({1.0, 1.0, 1.0, 1.0}));
    EXPECT_EQ(material.contains("alphaMode"), material.contains("doubleSided"));
  }
}

TEST(GltfSharing, ShapesOfOneKindSizeAndColourShareAMesh) {
  const std::string red = "color3f[] primvars:displayColor = [(1,0,0)]\n";
  const Written written = write_text(
      std::string(kHead) +
      "def Sphere \"A\" {}\ndef Sphere \"B\" {}\ndef Sphere \"C\" { double radius = 2\n}\n"
      "def Sphere \"D\" { " +
      red + "}\ndef Sphere \"E\" { " + red +
      "}\ndef Cube \"F\" {}\ndef Cylinder \"G\" {}\ndef Cylinder \"H\" { uniform token axis = "
      "\"X\"\n}\n");
  ASSERT_EQ(written.error, "");
  EXPECT_EQ(written.json()["meshes"].size(), 6U);
}

TEST(GltfSharing, ShapesThatDifferInOneFigureDoNotShareAMesh) {
  const std::vector<std::string> straight = {"height", "radius"},
                                 tapered = {"height", "radiusTop", "radiusBottom"};
  const struct {
    const char* type;
    std::vector<std::string> figures;
  } kinds[] = {{"Cube", {"size"}},     {"Sphere", {"radius"}},        {"Cylinder", straight},
               {"Cone", straight},     {"Capsule", straight},         {"Cylinder_1", tapered},
               {"Capsule_1", tapered}, {"Plane", {"width", "length"}}};
  for (const auto& [type, figures] : kinds) {
    // Two that are alike, and for each figure one that has another.
    std::string text = kHead;
    for (std::size_t i = 0; i < figures.size() + 2; ++i) {
      text += "def " + std::string(type) + " \"S" + std::to_string(i) + "\" {\n";
      for (std::size_t f = 0; f < figures.size(); ++f) {
        text += "double " + figures[f] + (f == i ? " = 5\n" : " = 3\n");
      }
      text += "}\n";
    }
    const Written written = write_text(text);
    ASSERT_EQ(written.error, "") << type;
    EXPECT_EQ(written.json()["meshes"].size(), figures.size() + 1) << type;
  }
}

TEST(GltfSharing, EightShapesThatShareAMeshBecomeInstances) {
  for (const std::size_t count : {7U, 8U}) {
    std::string text = kHead;
    for (std::size_t i = 0; i < count; ++i) text += "def Cube \"C" + std::to_string(i) + "\" {}\n";
    GlbOptions options;
    options.instancing = GlbInstancing::gpu;
    const Written written = write_text(text, options);
    ASSERT_EQ(written.error, "");
    EXPECT_EQ(written.json()["meshes"].size(), 1U);
    EXPECT_EQ(written.json()["nodes"].size(), count == 8 ? 1U : count);
    EXPECT_EQ(written.json().contains("extensionsRequired"), count == 8);
  }
}

// gltf 84
TEST(GltfSharing, EightInstancesBesideEachOtherBecomeOneNode) {
  GlbOptions options;
  options.instancing = GlbInstancing::gpu;
  const std::string order = "uniform token[] xformOpOrder = [\"xformOp:translate\"]\n";
  const auto instance_at = [&](const std::string& name, const std::string& place) {
    return "def \"" + name + "\" (instanceable = true\ninherits = </P>) {\n" +
           "double3 xformOp:translate" + place + "\n" + order + "}\n";
  };
  for (const int count : {7, 8}) {
    std::string text = std::string(kHead) +
                       "class Xform \"P\" {\ndef Xform \"Q\" {\n"
                       "double3 xformOp:translate = (0, 0, 5)\n" +
                       order + test::quad() + "}\n}\ndef Xform \"All\" {\n";
    std::vector<float> places;
    for (int i = 0; i < count; ++i) {
      text += instance_at("I" + std::to_string(i), " = (" + std::to_string(i) + ", 1, 0)");
      places.insert(places.end(), {static_cast<float>(i), 1.0F, 5.0F});
    }
    text += instance_at("Moving", ".timeSamples = { 0: (0,0,0), 48: (1,0,0) }") + "}\n";
    const Written written = write_text(text, options);
    ASSERT_EQ(written.error, "");
    EXPECT_EQ(written.told(), "");
    EXPECT_EQ(written.json()["meshes"].size(), 1U);
    const Json* const made = written.parts.node("M_instances");
    ASSERT_EQ(made != nullptr, count == 8);
    // All, and three for each instance that is by itself.
    EXPECT_EQ(written.json()["nodes"].size(), count == 8 ? 5U : 25U);
    if (made == nullptr) continue;
    const Json& attributes = made->at("extensions")["EXT_mesh_gpu_instancing"]["attributes"];
    EXPECT_EQ(written.parts.floats(attributes["TRANSLATION"]), places);
    EXPECT_FALSE(attributes.contains("_ID"));
    EXPECT_EQ(written.json()["nodes"][0]["name"], "All");
    EXPECT_EQ(written.json()["nodes"][0]["children"].size(), 2U);
  }
}

// gltf 84
TEST(GltfSharing, InstancesForGpusStandWhereTheirMeshDoes) {
  GlbOptions options;
  options.instancing = GlbInstancing::gpu;
  const Written written = write_text(
      kHead +
          std::string("def PointInstancer \"P\" { rel prototypes = [</P/Q>]\n"
                      "int[] protoIndices = [0, 0]\npoint3f[] positions = [(1,0,0), (2,0,0)]\n"
                      "quath[] orientations = [(1,0,0,0), (0,0,0,1)]\n"
                      "float3[] scales = [(1,1,1), (2,2,2)]\nint64[] ids = [7, 9]\n"
                      "def Xform \"Q\" { double3 xformOp:translate = (0,0,5)\n"
                      "uniform token[] xformOpOrder = [\"xformOp:translate\"]\n") +
          test::quad("double3 xformOp:translate = (4,3,0)\n"
                     "uniform token[] xformOpOrder = [\"xformOp:translate\"]\n") +
          "}\n}\n",
      options);
  ASSERT_EQ(written.error, "");
  ASSERT_NE(written.parts.node("M_instances"), nullptr);
  const Json& made = *written.parts.node("M_instances");
  EXPECT_EQ(made["extras"]["usd"]["path"], "/P/Q/M");
  const Json& attributes = made["extensions"]["EXT_mesh_gpu_instancing"]["attributes"];
  EXPECT_EQ(written.parts.floats(attributes["TRANSLATION"]),
            (std::vector<float>{5, 3, 5, -6, -6, 10}));
  EXPECT_EQ(written.parts.floats(attributes["ROTATION"]),
            (std::vector<float>{0, 0, 0, 1, 0, 0, 1, 0}));
  EXPECT_EQ(written.parts.floats(attributes["SCALE"]), (std::vector<float>{1, 1, 1, 2, 2, 2}));
  EXPECT_EQ(written.parts.floats(attributes["_ID"]), (std::vector<float>{7, 9}));
  EXPECT_EQ(written.json()["extensionsRequired"], Json({"EXT_mesh_gpu_instancing"}));
  EXPECT_EQ(written.file.summary.instances, 2U);
  std::size_t shown = 0;
  for (const Json& node : written.json()["nodes"]) shown += node.contains("mesh") ? 1 : 0;
  EXPECT_EQ(shown, 1U);
}

TEST(GltfSharing, PrototypesThatDoMoreThanStandThereStayNodes) {
  const std::string slide =
      "double3 xformOp:translate.timeSamples = { 0: (0,0,0), 48: (1,0,0) }\n"
      "uniform token[] xformOpOrder = [\"xformOp:translate\"]\n";
  const auto holder = [](const std::string& api, const std::string& lines) {
    return "def Xform \"M\" " + (api.empty() ? "" : "(prepend apiSchemas = [\"" + api + "\"]) ") +
           "{\n" + lines + test::quad() + "}\n";
  };
  std::string body = test::quad();
  body.insert(body.find("{"), "(prepend apiSchemas = [\"PhysicsRigidBodyAPI\"]) ");
  // Each transform fits floats, but not their product.
  const std::string far_away =
      "def Xform \"M\" {\ndouble3 xformOp:scale = (1e20, 1e20, 1e20)\n"
      "uniform token[] xformOpOrder = [\"xformOp:scale\"]\n" +
      test::quad(
          "double3 xformOp:translate = (1e30, 0, 0)\n"
          "uniform token[] xformOpOrder = [\"xformOp:translate\"]\n") +
      "}\n";
  const struct {
    std::string prototype;
    bool physics, is_merged;
  } rows[] = {
      {test::quad(), true, true},
      {test::quad("def Camera \"C\" {}\n"), true, false},
      {test::quad("def Scope \"C\" {}\n"), true, true},
      {test::quad(slide), true, false},
      {holder("", slide), true, false},
      {holder("", ""), true, true},
      {body, true, false},
      {body, false, true},
      {holder("PhysicsRigidBodyAPI", ""), true, false},
      {holder("PhysicsRigidBodyAPI", ""), false, true},
      {test::quad("matrix4d xformOp:transform = ((1,0,0,0),(1,1,0,0),(0,0,1,0),(0,0,0,1))\n"
                  "uniform token[] xformOpOrder = [\"xformOp:transform\"]\n"),
       true, false},
      {far_away, true, false},
  };
  for (const auto& row : rows) {
    GlbOptions options;
    options.instancing = GlbInstancing::gpu;
    options.physics = row.physics;
    const Written written = write_text(
        std::string(kHead) +
            "def PointInstancer \"P\" { rel prototypes = [</P/M>]\nint[] protoIndices = [0, 0]\n"
            "point3f[] positions = [(1,0,0), (2,0,0)]\n" +
            row.prototype + "}\n",
        options);
    ASSERT_EQ(written.error, "") << row.prototype;
    std::size_t shown = 0;
    for (const Json& node : written.json()["nodes"]) shown += node.contains("mesh") ? 1 : 0;
    EXPECT_EQ(shown, row.is_merged ? 1U : 2U) << row.prototype;
    EXPECT_EQ(written.json().contains("extensionsRequired"), row.is_merged) << row.prototype;
  }
}

TEST(GltfSharing, InstancersInInstancersStayNodes) {
  GlbOptions options;
  options.instancing = GlbInstancing::gpu;
  const Written written =
      write_text(std::string(kHead) +
                     "def PointInstancer \"Outer\" { rel prototypes = [</Outer/Inner>]\n"
                     "int[] protoIndices = [0, 0]\npoint3f[] positions = [(1,0,0), (2,0,0)]\n"
                     "def PointInstancer \"Inner\" { rel prototypes = [</Outer/Inner/Cube>]\n"
                     "int[] protoIndices = [0, 0]\npoint3f[] positions = [(0,1,0), (0,2,0)]\n"
                     "def Cube \"Cube\" {}\n}\n}\n",
                 options);
  ASSERT_EQ(written.error, "");
  std::size_t cubes = 0;
  for (const Json& node : written.json()["nodes"]) {
    cubes += node.contains("mesh") ? 1 : 0;
    EXPECT_FALSE(node.contains("extensions")) << node;
  }
  EXPECT_EQ(cubes, 4U);
}

// A mesh that came into being as a part of the mesh of a node.
std::string part(const std::string& name, const std::string& lines, const std::string& of = "") {
  return "def Mesh \"" + name + "\" (customData = { dictionary gltf = { bool part = 1\n" +
         (of.empty() ? "" : "string mesh = \"" + of + "\"\n") + "} }) {\n" + lines + "}\n";
}

std::string triangle(const std::string& more = "") {
  return "uniform token subdivisionScheme = \"none\"\npoint3f[] points = "
         "[(0,0,0),(1,0,0),(0,1,0)]\nint[] faceVertexCounts = [3]\n"
         "int[] faceVertexIndices = [0,1,2]\n" +
         more;
}

TEST(GltfSharing, PartsOfAMeshAreOneAgainIfTheyStillFit) {
  const auto write = [](const std::string& binding) {
    return write_text(
        std::string(kHead) +
        "def SkelRoot \"R\" {\ndef Skeleton \"S\" { uniform token[] joints = [] }\n"
        "def Xform \"N\" {\n" +
        part("A", triangle(binding.empty() ? ""
                                           : binding + "def BlendShape \"b\" { uniform vector3f[] "
                                                       "offsets = [(0,0,1)]\nuniform int[] "
                                                       "pointIndices = [1] }\n")) +
        part("B", triangle("bool doubleSided = 1\n")) + "}\n}\n");
  };
  const Written one = write("");
  ASSERT_EQ(one.error, "");
  ASSERT_EQ(one.json()["meshes"].size(), 1U);
  EXPECT_EQ(one.json()["meshes"][0]["primitives"].size(), 2U);
  EXPECT_EQ(one.parts.node("B"), nullptr);

  const Written two = write(
      "rel skel:skeleton = </R/S>\nuniform token[] skel:blendShapes = [\"b\"]\n"
      "rel skel:blendShapeTargets = </R/N/A/b>\n");
  ASSERT_EQ(two.error, "");
  ASSERT_EQ(two.json()["meshes"].size(), 2U);
  const Json *const node = two.parts.node("N"), *const below = two.parts.node("B");
  ASSERT_NE(below, nullptr);
  EXPECT_TRUE(two.json()["meshes"][(*node)["mesh"].get<std::size_t>()].contains("weights"));
  EXPECT_EQ(two.json()["meshes"][(*below)["mesh"].get<std::size_t>()]["name"], "B");
  EXPECT_EQ((*below)["extras"]["usd"]["path"], "/R/N/B");
  EXPECT_EQ(two.json()["nodes"][(*node)["children"][0].get<std::size_t>()], *below);
}

TEST(GltfSharing, MeshesThatWereOneAreOneAgainIfTheyStillAreEqual) {
  std::string text = kHead;
  const char* const lines[] = {"", "bool doubleSided = 1\n", "", "bool doubleSided = 1\n"};
  for (int i = 0; i < 4; ++i) {
    text += "def Xform \"N" + std::to_string(i) + "\" {\n" +
            part("P", triangle(lines[i]), "Shared") + "}\n";
  }
  const Written written = write_text(text);
  ASSERT_EQ(written.error, "");
  EXPECT_EQ(written.json()["meshes"].size(), 2U);
  EXPECT_EQ(written.file.summary.triangles, 2U);
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ((*written.parts.node("N" + std::to_string(i)))["mesh"], i % 2) << i;
  }
}

TEST(GltfSharing, PartsOfWhatShowsSomethingElseAreNodes) {
  const Written written = write_text(std::string(kHead) + "def Mesh \"Outer\" {\n" + triangle() +
                                     part("Inner", triangle()) + "}\n");
  ASSERT_EQ(written.error, "");
  ASSERT_NE(written.parts.node("Inner"), nullptr);
  EXPECT_EQ((*written.parts.node("Inner"))["mesh"], 1);
  EXPECT_EQ(written.json()["meshes"][0]["primitives"].size(), 1U);
}

}  // namespace
}  // namespace sinew::exporter::sharing_test
