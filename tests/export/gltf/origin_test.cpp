// SPDX-License-Identifier: Apache-2.0
// What an import noted on prims, on its way back into a .glb.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "export/gltf/written.hpp"

namespace sinew::exporter::gltf_origin_test {
namespace {

using namespace test;
using test::Json;  // Not that of the library.
using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

// Metadata of a prim that holds these entries.
std::string noted(const std::string& entries) {
  return "(customData = { dictionary gltf = {\n" + entries + "\n}})";
}

// The prim with such notes.
std::string with_notes(std::string prim, const std::string& entries) {
  return prim.insert(prim.find('{'), noted(entries));
}

std::vector<std::string> names(const Written& written) {
  std::vector<std::string> result;
  for (const Json& node : written.json().value("nodes", Json::array())) {
    result.push_back(node.value("name", "-"));
  }
  return result;
}

Written write_prims(const std::string& prims) {
  Written written = write_text(kHead + prims);
  EXPECT_EQ(written.error, "") << prims;
  return written;
}

// Lists in lists, and the object around them.
std::string nested(std::size_t depth) {
  return "{\"a\":" + std::string(depth - 1, '[') + std::string(depth - 1, ']') + "}";
}

TEST(GltfOrigin, ExtrasAreWrittenIfTheyAreAnObjectOfSixtyFourLevelsAtMost) {
  const auto has_extras = [](const std::string& text) {
    const Written written = write_prims(
        with_notes("def Xform \"X\" {" + quad() + "}\n", "string extras = '''" + text + "'''"));
    return written.parts.node("X")->value("extras", Json::object()).contains("a");
  };
  EXPECT_TRUE(has_extras(R"({"a": 1})"));
  EXPECT_TRUE(has_extras(nested(64)));
  EXPECT_FALSE(has_extras(nested(65)));
  EXPECT_FALSE(has_extras(R"({"a": )"));
  EXPECT_FALSE(has_extras(""));
}

TEST(GltfOrigin, NotesOfOtherTypesDoNotCount) {
  const auto written_names = [](const std::string& entries) {
    return names(write_prims("def Xform \"X\" {" + with_notes(quad(), entries) + "}\n"));
  };
  EXPECT_THAT(written_names("string name = \"other\""), UnorderedElementsAre("X", "other"));
  EXPECT_THAT(written_names("token name = \"other\""), UnorderedElementsAre("X", "M"));
  EXPECT_THAT(written_names("string[] name = [\"other\"]"), UnorderedElementsAre("X", "M"));
  EXPECT_THAT(written_names("bool part = 1"), ElementsAre("X"));
  EXPECT_THAT(written_names("bool part = 0"), UnorderedElementsAre("X", "M"));
  EXPECT_THAT(written_names("string part = \"1\""), UnorderedElementsAre("X", "M"));
}

// Only what shows something, or what was a node that shows nothing.
TEST(GltfOrigin, NodesThatShowNothingAreKeptIfTheyWereNodes) {
  const auto written_names = [](const std::string& entries) {
    return names(write_prims(quad() + with_notes("def Xform \"X\" {}\n", entries)));
  };
  EXPECT_THAT(written_names("bool empty = 1"), UnorderedElementsAre("M", "X"));
  EXPECT_THAT(written_names("bool empty = 0"), ElementsAre("M"));
}

// A part is one as long as it stands where its node does and the node has room.
TEST(GltfOrigin, APartThatHasBecomeMoreIsANode) {
  const std::string part = "bool part = 1";
  const auto below = [](const std::string& type, const std::string& prims) {
    return names(write_prims("def " + type + " \"X\" {" + prims + "}\n"));
  };
  const auto moved = [&](const std::string& lines) {
    return below("Xform", with_notes(quad(lines), part));
  };
  const std::string order = "uniform token[] xformOpOrder = [\"xformOp:translate\"]\n";
  EXPECT_THAT(moved(""), ElementsAre("X"));
  EXPECT_THAT(moved("double3 xformOp:translate = (0,0,0)\n" + order), ElementsAre("X"));
  EXPECT_THAT(moved("double3 xformOp:translate = (0,0,1e-9)\n" + order),
              UnorderedElementsAre("X", "M"));
  EXPECT_THAT(moved("double3 xformOp:translate.timeSamples = { 0: (0,0,0), 1: (0,0,2) }\n" + order),
              UnorderedElementsAre("X", "M"));
  EXPECT_THAT(moved("uniform token[] xformOpOrder = [\"!resetXformStack!\"]\n"), ElementsAre("M"));
  // What shows something itself has no room.
  EXPECT_THAT(below("Cube", with_notes(quad(), part)), UnorderedElementsAre("X", "M"));
  EXPECT_THAT(below("Camera", with_notes(quad(), part)), UnorderedElementsAre("X", "M"));
  // One camera finds room.
  const std::string cameras =
      with_notes("def Camera \"C\" {}\n", part) + with_notes("def Camera \"D\" {}\n", part);
  EXPECT_THAT(below("Xform", cameras), UnorderedElementsAre("X", "D"));
  // Other shapes are no primitives.
  EXPECT_THAT(below("Xform", with_notes("def Cube \"C\" {}\n", part)),
              UnorderedElementsAre("X", "C"));
}

}  // namespace
}  // namespace sinew::exporter::gltf_origin_test
