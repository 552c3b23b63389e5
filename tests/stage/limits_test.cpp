// SPDX-License-Identifier: Apache-2.0
// Every limit of composition: at the limit all is there, one past it the rest is, and an error
// names the limit.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "sinew/stage/stage.hpp"
#include "sinew/usda/parser.hpp"
#include "sinew/usdc/writer.hpp"
#include "stage/support.hpp"

namespace sinew::stage::limits_test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::Field;
using testing::HasSubstr;

struct Opened {
  StagePtr stage;
  Diagnostics diagnostics;
};

Opened open_text(const std::string& text, const Limits& limits) {
  Opened opened;
  OpenOptions options;
  options.limits = limits;
  opened.stage = open_layers({{"root.usda", text.c_str()}}, opened.diagnostics, options);
  return opened;
}

auto names_limit(const std::string& limit) {
  return Contains(AllOf(Field(&Diagnostic::severity, Severity::error),
                        Field(&Diagnostic::message, HasSubstr("limit of " + limit))));
}

std::string number(std::size_t i) {
  return std::to_string(i);
}

// n prims that are instances of a prototype of two prims, beside one more prim.
std::string instances(std::size_t n) {
  std::string text = "def \"Source\" {\ndef \"A\" { token t = \"shown\"; }\ndef \"B\" {}\n}\n";
  for (std::size_t i = 0; i < n; ++i) {
    text += "def \"I" + number(i) + "\" (instanceable = true; references = </Source>) {}\n";
  }
  return text + "def \"Beside\" { token t = \"beside\"; }\n";
}

TEST(StageLimits, InstanceProxiesAtTheLimitAreShown) {
  Limits limits;
  limits.instance_proxies = 10;
  const Opened opened = open_text(instances(5), limits);

  EXPECT_EQ(text_at(*opened.stage, "/I4/A", "t"), "shown");
  EXPECT_TRUE(opened.diagnostics.empty());
}

TEST(StageLimits, InstanceProxiesPastTheLimitAreNotShownButTheRestIs) {
  Limits limits;
  limits.instance_proxies = 9;
  const Opened opened = open_text(instances(5), limits);

  EXPECT_EQ(text_at(*opened.stage, "/I4/A", "t"), "no prim");
  EXPECT_EQ(text_at(*opened.stage, "/Beside", "t"), "beside");
  EXPECT_THAT(opened.diagnostics, names_limit("9"));
}

TEST(StageLimits, NestedInstancesCountAsOftenAsTheyAreSeen) {
  // Two prims seen through each of Outer's two instances, themselves seen through two more.
  const std::string text =
      "def \"Source\" {\ndef \"A\" {}\ndef \"B\" {}\n}\n"
      "def \"Outer\" {\n"
      "def \"I\" (instanceable = true; references = </Source>) {}\n"
      "def \"J\" (instanceable = true; references = </Source>) {}\n}\n"
      "def \"X\" (instanceable = true; references = </Outer>) {}\n"
      "def \"Y\" (instanceable = true; references = </Outer>) {}\n";
  Limits limits;
  limits.instance_proxies = 4 + 2 * (2 + 4);
  EXPECT_TRUE(open_text(text, limits).stage->prim("/Y/J/B").valid());
  --limits.instance_proxies;
  EXPECT_FALSE(open_text(text, limits).stage->prim("/Y/J/B").valid());
}

TEST(StageLimits, ManyInstancesOfALargePrototypeAreRefusedInBoundedTime) {
  std::string text = "def \"Source\" {\n";
  for (std::size_t i = 0; i < 20'000; ++i) text += "def \"P" + number(i) + "\" {}\n";
  text += "}\n";
  for (std::size_t i = 0; i < 20'000; ++i) {
    text += "def \"I" + number(i) + "\" (instanceable = true; references = </Source>) {}\n";
  }
  Limits limits;
  limits.composition_steps = 100'000'000;
  const Opened opened = open_text(text, limits);  // 4e8 proxies.

  std::size_t seen = 0;
  for (const Prim prim : opened.stage->root().descendants(Traversal::with_instance_proxies())) {
    seen += prim.valid() ? 1 : 0;
  }
  EXPECT_LT(seen, 100'000u);
  EXPECT_THAT(opened.diagnostics, names_limit("10000000"));
}

std::string doubling_instances(std::size_t levels) {
  std::string text = "def \"C0\" { def \"Leaf\" {}\n }\n";
  for (std::size_t i = 1; i < levels; ++i) {
    const std::string below = " (instanceable = true; references = </C" + number(i - 1) + ">) {}\n";
    text += "def \"C" + number(i) + "\" {\ndef \"a\"" + below + "def \"b\"" + below + "}\n";
  }
  return text;
}

// Whoever reads all of the stage goes through them one by one.
TEST(StageLimits, WhatInstancesShowIsBoundedByTheStepsOfComposingToo) {
  const std::string text = doubling_instances(20);
  Limits limits;
  const Opened refused = open_text(text, limits);
  EXPECT_FALSE(refused.stage->prim("/C2/a/a").valid());
  EXPECT_THAT(refused.diagnostics, names_limit("10"));
  limits.composition_steps = limits.instance_proxies;
  const Opened shown = open_text(text, limits);
  EXPECT_TRUE(shown.stage->prim("/C2/a/a").valid());
  EXPECT_TRUE(shown.diagnostics.empty());
}

TEST(StageLimits, InstancesInsideInstancesShareOnePrototypeAtAnyDepth) {
  const std::string text = doubling_instances(40);
  Limits limits;
  limits.instance_proxies = std::uint64_t{1} << 44;
  limits.composition_steps = std::uint64_t{1} << 44;
  const Opened opened = open_text(text, limits);

  // Every level adds its three prims, and its two once more in the prototype that they share.
  EXPECT_LT(opened.stage->prim_count(), 40u * 5u);
  std::string path = "/C39";
  for (std::size_t i = 39; i > 0; --i) path += i % 2 == 0 ? "/a" : "/b";
  EXPECT_TRUE(opened.stage->prim("/C39/a/b").is_instance());
  EXPECT_TRUE(opened.stage->prim(path + "/Leaf").is_instance_proxy());
}

TEST(StageLimits, OpinionsThatAncestorsBringAlongDoNotCountBelowInstances) {
  const Opened opened = open_text(
      "def \"Chair\" {\ndef \"Seat\" { token t = \"chair\"; }\n }\n"
      "def \"Room\" {\n"
      "def \"Chair\" (instanceable = true; references = </Chair>) {\n"
      "over \"Seat\" { token t = \"room\"; }\n }\n }\n"
      "def \"House\" (references = </Room>) {}\n",
      {});

  EXPECT_EQ(text_at(*opened.stage, "/Room/Chair/Seat", "t"), "chair");
  EXPECT_EQ(text_at(*opened.stage, "/House/Chair/Seat", "t"), "chair");
}

TEST(StageLimits, PrimsOfAStage) {
  Limits limits;
  limits.prims = 4;  // The root is one of them.
  std::string text = "def \"A\" {}\ndef \"B\" {}\ndef \"C\" {}\n";
  EXPECT_TRUE(open_text(text, limits).diagnostics.empty());

  const Opened past =
      open_text("def \"S\" { def \"T\" {}\n }\ndef \"R\" (references = </S>) {}\n", limits);
  EXPECT_TRUE(past.stage->prim("/S/T").valid());
  EXPECT_FALSE(past.stage->prim("/R/T").valid());
  EXPECT_THAT(past.diagnostics, names_limit("4"));
}

TEST(StageLimits, ComposedPrimNesting) {
  Limits limits;
  limits.prim_nesting = 4;
  const std::string text = "def \"A\" { def \"B\" {}\n }\n";
  EXPECT_TRUE(open_text(text + "def \"X\" { def \"Y\" (references = </A>) {}\n }\n", limits)
                  .stage->prim("/X/Y/B")
                  .valid());
  const Opened past = open_text(
      text + "def \"X\" { def \"Y\" { def \"Z\" { def \"W\" (references = </A>) {}\n }\n }\n }\n",
      limits);
  EXPECT_TRUE(past.stage->prim("/X/Y/Z/W").valid());
  EXPECT_FALSE(past.stage->prim("/X/Y/Z/W/B").valid());
  EXPECT_THAT(past.diagnostics, names_limit("4"));
}

// A prim with n references.
std::string references(std::size_t n) {
  std::string sources;
  std::string items;
  for (std::size_t i = 0; i < n; ++i) {
    sources += "def \"S" + number(i) + "\" { token t" + number(i) + " = \"here\"; }\n";
    items += "</S" + number(i) + ">, ";
  }
  return sources + "def \"A\" (references = [" + items + "]) {}\n";
}

TEST(StageLimits, ArcsOfAPrim) {
  Limits limits;
  limits.arcs_per_prim = 5;  // The prim itself is one of them.
  const Opened at = open_text(references(4), limits);
  EXPECT_EQ(text_at(*at.stage, "/A", "t3"), "here");
  EXPECT_TRUE(at.diagnostics.empty());

  const Opened past = open_text(references(5), limits);
  EXPECT_EQ(text_at(*past.stage, "/A", "t0"), "here");
  EXPECT_EQ(text_at(*past.stage, "/A", "t4"), "no attribute");
  EXPECT_THAT(past.diagnostics, names_limit("5"));
}

TEST(StageLimits, ArcsOfAStage) {
  Limits limits;
  limits.arcs_per_stage = 4;
  EXPECT_TRUE(open_text(references(4), limits).diagnostics.empty());

  const Opened past = open_text(references(5), limits);
  EXPECT_EQ(text_at(*past.stage, "/A", "t0"), "here");
  EXPECT_THAT(past.diagnostics, names_limit("4"));
}

Opened open_sublayers(std::uint32_t layers) {
  Opened opened;
  OpenOptions options;
  options.limits.layers = layers;
  opened.stage = open_layers({{"root.usda", "(subLayers = [@b.usda@, @c.usda@])\n"},
                              {"b.usda", "def \"B\" {}\n"},
                              {"c.usda", "def \"C\" {}\n"}},
                             opened.diagnostics, options);
  return opened;
}

TEST(StageLimits, LayersOfAStage) {
  EXPECT_TRUE(open_sublayers(3).diagnostics.empty());

  const Opened past = open_sublayers(2);
  EXPECT_TRUE(past.stage->prim("/B").valid());
  EXPECT_FALSE(past.stage->prim("/C").valid());
  EXPECT_THAT(past.diagnostics, names_limit("2"));
}

TEST(StageLimits, BytesOfALayer) {
  OpenOptions options;
  options.limits.file_bytes = 64;
  Diagnostics diagnostics;
  const std::string large = "def \"L\" {}" + std::string(64, '\n');
  const StagePtr stage = open_layers({{"root.usda", "(subLayers = [@b.usda@, @c.usda@])\n"},
                                      {"b.usda", large.c_str()},
                                      {"c.usda", "def \"C\" {}\n"}},
                                     diagnostics, options);
  EXPECT_FALSE(stage->prim("/L").valid());
  EXPECT_TRUE(stage->prim("/C").valid());
  EXPECT_EQ(diagnostics.size(), 1u);
}

// A crate of one prim whose array is compressed.
std::string crate_with_packed_array(bool with_edit) {
  std::string text = "#usda 1.0\ndef \"Mesh\" {\nint[] numbers = [0";
  for (std::size_t i = 1; i < 1'000; ++i) text += ", " + number(i);
  text += "]\n";
  if (with_edit) text += "int[] edited = edit [minsize 5]\n";
  Diagnostics diagnostics;
  const auto layer = usda::parse(text + "}\n", "mesh.usda", diagnostics);
  EXPECT_TRUE(layer);
  const auto bytes = usdc::write(**layer, diagnostics);
  EXPECT_TRUE(bytes);
  return std::string(bytes->text());
}

// Three levels of 14 prims each, of which every one refers to the next level: 2,744 meshes.
std::string thousands_of(const std::string& target) {
  std::string text = "#usda 1.0\n";
  for (std::size_t level = 0; level < 3; ++level) {
    text += "def \"L" + number(level) + "\" {\n";
    const std::string next = level == 2 ? target : "</L" + number(level + 1) + ">";
    for (std::size_t i = 0; i < 14; ++i) {
      text += "def \"P" + number(i) + "\" (references = " + next + ") {}\n";
    }
    text += "}\n";
  }
  return text;
}

TEST(StageLimits, ArraysOfCratesAreWeighedWithoutBeingDecoded) {
  for (const bool with_edit : {false, true}) {
    SCOPED_TRACE(with_edit);
    MemoryResolver files;
    files.add("root.usda", thousands_of("@mesh.usdc@</Mesh>"));
    files.add("mesh.usdc", crate_with_packed_array(with_edit));
    OpenOptions options;
    options.resolver = &files;
    Diagnostics diagnostics;
    const auto stage = Stage::open("root.usda", diagnostics, options);
    ASSERT_TRUE(stage);
    EXPECT_TRUE(diagnostics.empty());
    ASSERT_EQ((*stage)->layers().size(), 2u);
    const layer::PrimSpec* mesh = (*stage)->layers()[1]->find_prim("/Mesh");
    ASSERT_NE(mesh, nullptr);
    EXPECT_TRUE(mesh->properties[0].default_value.is_waiting());

    const Attribute numbers = (*stage)->prim("/L0/P13/P7/P2").attribute("numbers");
    EXPECT_EQ(numbers.get_array<int>()->span()[999], 999);
    EXPECT_FALSE(mesh->properties[0].default_value.is_waiting());
  }
}

TEST(StageLimits, TargetsOfArcsLieNoDeeperThanPrimsMayNest) {
  OpenOptions options;
  options.limits.prim_nesting = 3;
  for (const auto& [path, code] :
       {std::pair{"/A/B/C", "stage-unresolved-arc"}, {"/A/B/C/D", "stage-limit"}}) {
    Diagnostics diagnostics;
    const std::string root = std::string("def \"P\" (references = @a.usda@<") + path + ">) {}\n";
    open_layers({{"root.usda", root.c_str()}, {"a.usda", "def \"A\" {}\n"}}, diagnostics, options);
    ASSERT_EQ(diagnostics.size(), 1u) << path;
    EXPECT_EQ(diagnostics[0].code, code);
  }
}

}  // namespace
}  // namespace sinew::stage::limits_test
