// SPDX-License-Identifier: Apache-2.0
// Small texts that ask for endless composition. Each is cut at the limit of steps with one error
// that names it, and what does not depend on arcs is there.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "support.hpp"

namespace sinew::stage::amplification_test {
namespace {

constexpr int kLevels = 40;

std::string class_name(int level) {
  return "C" + std::to_string(level);
}

// Prims whose two children each bring the prim before: 2^40 prims in the end.
std::string doubling(const std::string& arc, const std::string& more = "") {
  std::string text = "def \"C0\" {\ndef \"Leaf\" {}\n}\n";
  for (int i = 1; i < kLevels; ++i) {
    const std::string below = " (" + more + arc + " = </" + class_name(i - 1) + ">) {}\n";
    text += "def \"" + class_name(i) + "\" {\ndef \"a\"" + below + "def \"b\"" + below + "}\n";
  }
  return text;
}

std::string doubling_variants() {
  std::string text = "def \"C0\" {\ndef \"Leaf\" {}\n}\n";
  for (int i = 1; i < kLevels; ++i) {
    const std::string below = " (references = </" + class_name(i - 1) + ">) {}\n";
    text += "def \"" + class_name(i) +
            "\" (variantSets = \"v\"; variants = { string v = \"x\" }) {\nvariantSet \"v\" = {\n"
            "\"x\" {\ndef \"a\"" +
            below + "def \"b\"" + below + "}\n}\n}\n";
  }
  return text;
}

// Every prim brings all before it: sites multiply in one prim instead of below it.
std::string fan(const std::string& arc) {
  std::string text = "def \"C0\" {}\n";
  std::string all = "</C0>";
  for (int i = 1; i < kLevels; ++i) {
    text += "def \"" + class_name(i) + "\" (" + arc + " = [" + all + "]) {}\n";
    all += ", </" + class_name(i) + ">";
  }
  return text;
}

std::string mutual(const std::string& arc) {
  std::string text;
  for (int i = 0; i < 8; ++i) {
    text += "def \"" + class_name(i) + "\" {\n";
    for (int j = 0; j < 8; ++j) {
      if (j != i) {
        text += "def \"p" + std::to_string(j) + "\" (" + arc + " = </" + class_name(j) + ">) {}\n";
      }
    }
    text += "}\n";
  }
  return text;
}

std::string levels_of_fans(const std::string& arc, int levels, int width,
                           const std::string& below) {
  std::string text;
  for (int level = 0; level < levels; ++level) {
    std::string all;
    for (int i = 0; i < width; ++i) {
      all += "</L" + std::to_string(level - 1) + "_" + std::to_string(i) + below + ">, ";
    }
    const std::string arcs = level == 0 ? "" : " (" + arc + " = [" + all + "])";
    for (int i = 0; i < width; ++i) {
      text += "def \"L" + std::to_string(level) + "_" + std::to_string(i) + "\"";
      text += below.empty() ? arcs + " {}\n" : " {\ndef \"c\"" + arcs + " {}\n}\n";
    }
  }
  return text;
}

// Every prim of a chain enters what all before it have entered, one variant in another.
std::string variants_in_variants() {
  std::string text = "def \"C0\" {\ndef \"Leaf\" {}\n}\n";
  for (int i = 1; i < kLevels; ++i) {
    const std::string below = " (references = </" + class_name(i - 1) + ">) {}\n";
    text += "def \"" + class_name(i) +
            "\" (variantSets = \"v\"; variants = { string v = \"x\"; string w = \"y\" }) {\n"
            "variantSet \"v\" = {\n\"x\" (variantSets = \"w\") {\nvariantSet \"w\" = {\n\"y\" {\n"
            "def \"a\"" +
            below + "def \"b\"" + below + "}\n}\n}\n}\n}\n";
  }
  return text;
}

// Prims that reference the one before, twice, and inherit from a chain of classes: each reference
// implies the classes of all that follow from it.
std::string implied_classes() {
  std::string text = "class \"K0\" {}\n";
  for (int i = 1; i < kLevels; ++i) {
    text +=
        "class \"K" + std::to_string(i) + "\" (inherits = </K" + std::to_string(i - 1) + ">) {}\n";
  }
  return text + doubling("references", "inherits = </K39>; ");
}

std::string list_edits() {
  std::string text;
  std::string up;
  std::string down;
  for (int i = 0; i < 200; ++i) {
    text += "def \"S" + std::to_string(i) + "\" {}\n";
    up += "</S" + std::to_string(i) + ">, ";
    down += "</S" + std::to_string(199 - i) + ">, ";
  }
  for (int i = 0; i < 200; ++i) {
    text += "def \"A" + std::to_string(i) + "\" (prepend references = [" + up +
            "]\nappend references = [" + down + "]\nreorder references = [" + down + "]) {}\n";
  }
  return text;
}

std::string deep_nesting() {
  std::string text = "def \"R\" {\n";
  for (int i = 0; i < 100; ++i) text += "def \"p" + std::to_string(i) + "\" {}\n";
  text += "}\n";
  for (int i = 0; i < 300; ++i) text += "def \"a\" (references = </R>) {\n";
  for (int i = 0; i < 300; ++i) text += "}\n";
  return text;
}

std::string many_of_one() {
  std::string text = "def \"S\" {\n";
  for (int i = 0; i < 200; ++i) text += "def \"p" + std::to_string(i) + "\" {}\n";
  text += "}\n";
  for (int i = 0; i < 200; ++i)
    text += "def \"A" + std::to_string(i) + "\" (references = </S>) {}\n";
  return text;
}

std::size_t count_of(const Diagnostics& diagnostics, std::string_view code) {
  return static_cast<std::size_t>(
      std::count_if(diagnostics.begin(), diagnostics.end(),
                    [&](const Diagnostic& diagnostic) { return diagnostic.code == code; }));
}

// Each prim leads to the one before, and each of them is composed with all before it.
std::string chain(const std::string& arc) {
  std::string text = "def \"C0\" {\ndef \"c\" {}\n}\n";
  for (int i = 1; i < 400; ++i) {
    const std::string below = " (" + arc + " = </" + class_name(i - 1) + "/c>) {}\n}\n";
    text += "def \"" + class_name(i) + "\" {\ndef \"c\"" + below;
  }
  return text;
}

std::string deep_variants() {
  constexpr int kDepth = 40;
  std::string text = "def \"C0\" {\ndef \"Leaf\" {}\n}\n";
  for (int i = 1; i < 20; ++i) {
    text += "def \"" + class_name(i) + "\" (variantSets = \"v0\"; variants = {";
    for (int d = 0; d < kDepth; ++d) text += "string v" + std::to_string(d) + " = \"x\"\n";
    text += "}) {\n";
    for (int d = 0; d < kDepth; ++d) {
      const std::string more =
          d + 1 < kDepth ? "(variantSets = \"v" + std::to_string(d + 1) + "\") " : "";
      text += "variantSet \"v" + std::to_string(d) + "\" = {\n\"x\" " + more + "{\n";
    }
    const std::string below = " (references = </" + class_name(i - 1) + ">) {}\n";
    text += "def \"a\"" + below + "def \"b\"" + below;
    for (int d = 0; d < kDepth; ++d) text += "}\n}\n";
    text += "}\n";
  }
  return text;
}

std::string relocated(const std::string& prims, int count, const std::string& source,
                      const std::string& target) {
  std::string text = "(relocates = {\n";
  for (int i = 1; i < count; ++i) {
    text += "<" + source + std::to_string(i) + ">: <" + target + std::to_string(i) + ">,\n";
  }
  return text + "})\n" + prims;
}

// One prim out of which all children were moved, brought to many places.
std::string many_relocates() {
  std::string text = "def \"S\" {\n";
  for (int i = 0; i < 100; ++i) text += "def \"p" + std::to_string(i) + "\" {}\n";
  text += "}\ndef \"W\" {\ndef \"R\" (references = </S>) {}\n}\n";
  for (int i = 0; i < 100; ++i)
    text += "def \"A" + std::to_string(i) + "\" (references = </W>) {}\n";
  return relocated(text, 100, "/W/R/p", "/W/q");
}

// Instances that differ in their offsets have no prototype in common.
std::string distinct_instances() {
  std::string text = "def \"S\" {\n";
  for (int i = 0; i < 200; ++i) text += "def \"p" + std::to_string(i) + "\" {}\n";
  text += "}\n";
  for (int i = 0; i < 200; ++i) {
    text += "def \"A" + std::to_string(i) +
            "\" (instanceable = true; references = </S> (offset = " + std::to_string(i) + ")) {}\n";
  }
  return text;
}

TEST(Amplification, IsCutAtTheLimitOfStepsAndTheRestIsThere) {
  const std::vector<std::pair<const char*, std::string>> kinds{
      {"references", doubling("references")},
      {"payloads", doubling("payload")},
      {"inherits", doubling("inherits")},
      {"specializes", doubling("specializes")},
      {"variants", doubling_variants()},
      {"mixed", doubling("references", "inherits = </C0>; ")},
      {"fan of references", fan("references")},
      {"mutual references", mutual("references")},
      {"mutual inherits", mutual("inherits")},
      {"mutual specializes", mutual("specializes")},
      {"mutual payloads", mutual("payload")},
      {"long names", doubling("references", "doc = \"" + std::string(2000, 'x') + "\"; ")},
      {"variants in variants", variants_in_variants()},
      {"implied classes", implied_classes()},
      {"list edits", list_edits()},
      {"deep nesting", deep_nesting()},
      {"many of one", many_of_one()},
      {"levels of references", levels_of_fans("references", 5, 12, "")},
      {"levels of payloads", levels_of_fans("payload", 5, 12, "")},
      {"levels of references to children", levels_of_fans("references", 5, 12, "/c")},
      {"chain of payloads", chain("payload")},
      {"chain of inherits", chain("inherits")},
      {"chain of specializes", chain("specializes")},
      {"deep variants", deep_variants()},
      {"relocates", many_relocates()},
      {"doubling relocates",
       relocated(doubling("references"), kLevels, "/C39/a/b/a/b/a", "/C39/m")},
      {"distinct instances", distinct_instances()},
  };
  for (const auto& [kind, text] : kinds) {
    OpenOptions options;
    options.limits.composition_steps = 20'000;
    options.limits.composition_steps_per_prim = 0;
    Diagnostics diagnostics;
    const std::string all = text + "def \"Beside\" {\ntoken t = \"beside\"\n}\n";
    const StagePtr stage = open_layers({{"root.usda", all.c_str()}}, diagnostics, options);
    ASSERT_NE(stage, nullptr);
    const auto errors =
        std::count_if(diagnostics.begin(), diagnostics.end(), [](const Diagnostic& diagnostic) {
          return diagnostic.severity == Severity::error && diagnostic.code == "stage-limit" &&
                 diagnostic.message.find("limit of 20000") != std::string::npos;
        });
    EXPECT_EQ(errors, 1) << kind;
    EXPECT_EQ(count_of(diagnostics, "stage-limit"), 1u) << kind;
    // Where prims are relocated, any may be composed of others.
    if (all.find("relocates") == std::string::npos) {
      EXPECT_EQ(text_at(*stage, "/Beside", "t"), "beside") << kind;
    }
    EXPECT_LT(stage->prim_count(), 20'000u) << kind;
  }
}

// A prim with a list of `count` items, and a hundred that reference it.
std::string repeated(const std::string& before, const std::string& item, const std::string& after,
                     int count) {
  std::string text = "def \"S\" " + before;
  for (int i = 0; i < count; ++i) {
    for (const char letter : item)
      text += letter == '#' ? std::to_string(i) : std::string(1, letter);
  }
  text += after;
  for (int i = 0; i < 100; ++i) {
    text += "def \"A" + std::to_string(i) +
            "\" (prepend apiSchemas = [\"own\"]\nreferences = </S>) {}\n";
  }
  return text;
}

TEST(Amplification, CountsWhatPrimsRepeatAsStepsToo) {
  struct Kind {
    const char* name;
    std::string before;
    std::string item;
    std::string after;
  };
  const std::vector<Kind> kinds{
      {"API schemas", "(prepend apiSchemas = [", "\"A#\", ", "]) {}\n"},
      {"deleted classes", "(delete inherits = [", "</c#>, ", "]) {}\n"},
      {"selections", "(variants = {\n", "string s# = \"x\"\n", "}) {}\n"},
      {"order of children", "{\nreorder nameChildren = [", "\"c#\", ", "]\n}\n"},
      {"order of properties", "{\nreorder properties = [", "\"p#\", ", "]\n}\n"},
      {"properties", "{\n", "float p#\n", "}\n"},
  };
  for (const Kind& kind : kinds) {
    for (const int count : {10, 5'000}) {
      OpenOptions options;
      options.limits.composition_steps = 20'000;
      options.limits.composition_steps_per_prim = 0;
      Diagnostics diagnostics;
      const std::string text = repeated(kind.before, kind.item, kind.after, count);
      const StagePtr stage = open_layers({{"root.usda", text.c_str()}}, diagnostics, options);
      ASSERT_NE(stage, nullptr);
      EXPECT_TRUE(stage->prim("/A0").valid()) << kind.name;
      EXPECT_EQ(stage->prim("/A99").valid(), count == 10) << kind.name;
      EXPECT_EQ(count_of(diagnostics, "stage-limit"), count == 10 ? 0u : 1u) << kind.name;
    }
  }
}

// What arcs or instances repeat beyond measure counts by the bytes of its values: programs make
// something of them each time.
TEST(Amplification, CountsTheBytesOfValuesThatAreRepeated) {
  std::string heavy = "int[] a = [0";
  for (int i = 1; i < 10'000; ++i) heavy += ", 0";
  heavy += "]\n";
  std::string sampled = "int[] a.timeSamples = {\n";
  for (int i = 0; i < 10; ++i) {
    sampled += std::to_string(i) + ": [0";
    for (int k = 1; k < 1'000; ++k) sampled += ", 0";
    sampled += "],\n";
  }
  sampled += "}\n";
  std::string targets = "rel a = [</T>";
  for (int i = 1; i < 3'000; ++i) targets += ", </T" + std::to_string(i) + ">";
  targets += "]\n";
  const std::string filled = "int[] a = edit [minsize 10000]\n";
  const std::vector<std::pair<std::string, bool>> leaves{
      {"int a = 0\n", false}, {heavy, true}, {sampled, true}, {targets, true}, {filled, true}};
  for (const char* arc : {"references = ", "instanceable = true; references = "}) {
    for (const auto& [leaf, is_heavy] : leaves) {
      std::string text = "def \"C0\" {\ndef \"Leaf\" {\n" + leaf + "}\n}\n";
      for (int i = 1; i <= 12; ++i) {
        const std::string below = std::string(" (") + arc + "</" + class_name(i - 1) + ">) {}\n";
        text += "def \"" + class_name(i) + "\" {\ndef \"a\"" + below + "def \"b\"" + below + "}\n";
      }
      OpenOptions options;
      options.limits.composition_steps = 400'000;
      options.limits.composition_steps_per_prim = 0;
      Diagnostics diagnostics;
      const StagePtr stage = open_layers({{"root.usda", text.c_str()}}, diagnostics, options);
      ASSERT_NE(stage, nullptr);
      EXPECT_EQ(count_of(diagnostics, "stage-limit"), is_heavy ? 1u : 0u)
          << arc << leaf.substr(0, 30);
    }
  }
}

TEST(Amplification, ValuesThatAreRepeatedAsOftenAsUsualCountForNothing) {
  std::string text = "def \"S\" {\nint[] a = [0";
  for (int i = 1; i < 10'000; ++i) text += ", 0";
  text += "]\n}\n";
  for (int i = 0; i < 900; ++i)
    text += "def \"A" + std::to_string(i) + "\" (references = </S>) {}\n";
  OpenOptions options;
  options.limits.composition_steps = 20'000;
  options.limits.composition_steps_per_prim = 0;
  Diagnostics diagnostics;
  const StagePtr stage = open_layers({{"root.usda", text.c_str()}}, diagnostics, options);
  ASSERT_NE(stage, nullptr);
  EXPECT_TRUE(diagnostics.empty());
  EXPECT_TRUE(stage->prim("/A899").attribute("a").valid());
}

// Opens layers that each name the next one twice, down to `last`.
StagePtr open_doubling_layers(int count, const std::string& last, Diagnostics& diagnostics,
                              OpenOptions options = {}) {
  MemoryResolver resolver;
  const auto name = [](int i) {
    return i == 0 ? std::string("root.usda") : "l" + std::to_string(i) + ".usda";
  };
  for (int i = 0; i < count; ++i) {
    const std::string next = "@" + name(i + 1) + "@";
    resolver.add(name(i), "#usda 1.0\n(subLayers = [" + next + ", " + next + "])\n");
  }
  resolver.add(name(count), "#usda 1.0\n" + last);
  options.resolver = &resolver;
  const Result<StagePtr> stage = Stage::open("root.usda", diagnostics, options);
  return stage ? *stage : nullptr;
}

TEST(Amplification, ALayerStackRepeatsItsLayersOnlySoOften) {
  Diagnostics diagnostics;
  const StagePtr stage = open_doubling_layers(30, "def \"A\" {}\n", diagnostics);
  ASSERT_NE(stage, nullptr);
  EXPECT_TRUE(stage->prim("/A").valid());
  ASSERT_EQ(diagnostics.size(), 1u);
  EXPECT_EQ(diagnostics[0].code, "stage-limit");
  EXPECT_NE(diagnostics[0].message.find("limit of 1000"), std::string::npos);
}

TEST(Amplification, CountsEveryOpinionOfARepeatedLayer) {
  std::string last;
  for (int i = 0; i < 1000; ++i) last += "def \"" + class_name(i) + "\" {}\n";
  OpenOptions options;
  options.limits.composition_steps = 20'000;
  options.limits.composition_steps_per_prim = 0;
  for (const int doublings : {1, 8}) {
    Diagnostics diagnostics;
    const StagePtr stage = open_doubling_layers(doublings, last, diagnostics, options);
    ASSERT_NE(stage, nullptr);
    EXPECT_TRUE(stage->prim("/C0").valid());
    EXPECT_EQ(stage->prim("/C999").valid(), doublings == 1);
    EXPECT_EQ(count_of(diagnostics, "stage-limit"), doublings == 1 ? 0u : 1u);
  }
}

TEST(Amplification, AnArcThatClosesACycleIsToldOnceHoweverManyPrimsLeadToIt) {
  for (const char* arc : {"references", "payload", "inherits", "specializes"}) {
    OpenOptions options;
    options.limits.composition_steps = 200'000;
    Diagnostics diagnostics;
    const std::string text = mutual(arc);  // 56 arcs.
    ASSERT_NE(open_layers({{"root.usda", text.c_str()}}, diagnostics, options), nullptr);
    std::set<std::pair<std::string, std::string>> arcs;
    for (const Diagnostic& diagnostic : diagnostics) {
      if (diagnostic.code != "stage-cycle") continue;
      arcs.emplace(diagnostic.path, diagnostic.message.substr(0, diagnostic.message.find(';')));
    }
    EXPECT_GT(arcs.size(), 0u) << arc;
    EXPECT_EQ(count_of(diagnostics, "stage-cycle"), arcs.size()) << arc;
    EXPECT_LE(arcs.size(), 56u) << arc;
  }
}

TEST(Amplification, ArcsThatCloseCyclesAreToldAThousandTimesAtMost) {
  std::string all;
  for (int i = 0; i < 60; ++i) all += "</" + class_name(i) + ">, ";
  std::string text;
  for (int i = 0; i < 60; ++i)
    text += "def \"" + class_name(i) + "\" (references = [" + all + "]) {}\n";
  Diagnostics diagnostics;
  ASSERT_NE(open_layers({{"root.usda", text.c_str()}}, diagnostics), nullptr);
  ASSERT_EQ(count_of(diagnostics, "stage-cycle"), 1'000u);
  std::size_t last = 0;
  for (const Diagnostic& diagnostic : diagnostics) {
    if (diagnostic.code == "stage-cycle")
      last += diagnostic.message.ends_with("what more of this kind there is, is not told.") ? 1 : 0;
  }
  EXPECT_EQ(last, 1u);
}

TEST(Amplification, ALimitOfArcsIsToldOnceHoweverManyPrimsMeetIt) {
  OpenOptions options;
  options.limits.arcs_per_prim = 100;
  for (const char* arc : {"references", "payload"}) {
    Diagnostics diagnostics;
    const std::string text = levels_of_fans(arc, 4, 12, "");
    const StagePtr stage = open_layers({{"root.usda", text.c_str()}}, diagnostics, options);
    ASSERT_NE(stage, nullptr);
    EXPECT_EQ(count_of(diagnostics, "stage-limit"), 1u) << arc;
    EXPECT_EQ(diagnostics.size(), 1u) << arc;
    EXPECT_EQ(stage->prim_count(), 48u) << arc;
  }
}

TEST(Amplification, ALimitOfLayersIsToldOnceHoweverOftenSublayersDouble) {
  std::string layers[12];
  for (int i = 0; i < 11; ++i) {
    const std::string next = "@l" + std::to_string(i + 1) + ".usda@";
    layers[i] = "(subLayers = [" + next + ", " + next + "])\n";
  }
  layers[11] = "def \"A\" {}\n";
  OpenOptions options;
  options.limits.layers = 100;
  Diagnostics diagnostics;
  const StagePtr stage = open_layers({{"root.usda", layers[0].c_str()},
                                      {"l1.usda", layers[1].c_str()},
                                      {"l2.usda", layers[2].c_str()},
                                      {"l3.usda", layers[3].c_str()},
                                      {"l4.usda", layers[4].c_str()},
                                      {"l5.usda", layers[5].c_str()},
                                      {"l6.usda", layers[6].c_str()},
                                      {"l7.usda", layers[7].c_str()},
                                      {"l8.usda", layers[8].c_str()},
                                      {"l9.usda", layers[9].c_str()},
                                      {"l10.usda", layers[10].c_str()},
                                      {"l11.usda", layers[11].c_str()}},
                                     diagnostics, options);
  ASSERT_NE(stage, nullptr);
  EXPECT_TRUE(stage->prim("/A").valid());
  EXPECT_EQ(count_of(diagnostics, "stage-limit"), 1u);
}

TEST(Amplification, IsAllowedInProportionToWhatIsRead) {
  OpenOptions options;
  options.limits.composition_steps = 0;
  const std::string text = "def \"S\" {\ndef \"A\" {}\n}\ndef \"R\" (references = </S>) {}\n";
  for (const std::uint32_t per_prim : {0u, 100u}) {
    options.limits.composition_steps_per_prim = per_prim;
    Diagnostics diagnostics;
    const StagePtr stage = open_layers({{"root.usda", text.c_str()}}, diagnostics, options);
    ASSERT_NE(stage, nullptr);
    EXPECT_EQ(stage->prim("/R/A").valid(), per_prim != 0);
    EXPECT_EQ(diagnostics.empty(), per_prim != 0);
  }
}

}  // namespace
}  // namespace sinew::stage::amplification_test
