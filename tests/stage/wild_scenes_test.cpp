// SPDX-License-Identifier: Apache-2.0
// Scenes without any sense: every arc from anywhere to anywhere, most of it broken. What they
// compose to and what is said of them is recorded in few words: nobody looked at each, but a change
// that was not meant is seen here. SINEW_SCENE_SEED=<seed> prints one scene and all that is said.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <string>
#include <utility>

#include "sinew/stage/asset_resolver.hpp"
#include "sinew/stage/stage.hpp"
#include "support/describe_stage.hpp"
#include "support/random.hpp"
#include "support/recorded.hpp"

namespace sinew::stage::wild_scenes_test {
namespace {

constexpr const char* kNames[] = {"A", "B", "C", "a", "b", "c"};
constexpr const char* kLayers[] = {"root.usda", "over.usda", "part.usda"};

class WildLayer {
 public:
  WildLayer(test::Random& random, std::size_t index) : random_(random), index_(index) {}

  std::string text() {
    const bool is_root = index_ == 0;
    text_ = "#usda 1.0\n(\n    defaultPrim = \"" + random_.pick(kNames) + "\"\n";
    if (is_root && random_.chance(60)) {
      text_ += "    subLayers = [@over.usda@" +
               std::string(random_.chance(30) ? " (offset = 2; scale = 0.5)" : "") + "]\n";
    }
    if (random_.chance(25)) {
      text_ += test::joined({"    relocates = { <", path(2), ">: <", path(2), "> }\n"});
    }
    text_ += ")\n";
    prims(0, {});
    return std::move(text_);
  }

 private:
  std::string path(int least_depth = 1) {
    std::string text;
    const int depth = random_.between(least_depth, least_depth + 1);
    for (int i = 0; i < depth; ++i) text += "/" + random_.pick(kNames);
    return text;
  }

  std::string target() {
    return random_.chance(25) ? "<../" + random_.pick(kNames) + ">" : "<" + path() + ">";
  }

  std::string reference() {
    const std::string offset = random_.chance(20) ? " (offset = 3)" : "";
    if (random_.chance(40)) return "<" + path() + ">" + offset;
    const std::string layer = "@" + random_.pick(kLayers) + "@";
    return (random_.chance(25) ? layer : layer + "<" + path() + ">") + offset;
  }

  template <typename Item>
  void list(const std::string& indent, const std::string& key, Item item) {
    const char* const edits[] = {"", "prepend ", "append ", "delete "};
    text_ += indent + random_.pick(edits) + key + " = [";
    const std::string first = item();
    const std::string second = item();
    text_ += first + (random_.chance(50) && first != second ? ", " + second : "") + "]\n";
  }

  void metadata(const std::string& indent, bool& has_variants) {
    text_ += indent + "(\n";
    const std::string inner = indent + "    ";
    if (random_.chance(22)) list(inner, "references", [&] { return reference(); });
    if (random_.chance(10)) list(inner, "payload", [&] { return reference(); });
    if (random_.chance(16)) list(inner, "inherits", [&] { return target(); });
    if (random_.chance(16)) list(inner, "specializes", [&] { return target(); });
    if (random_.chance(10)) text_ += inner + "instanceable = true\n";
    if (random_.chance(5)) text_ += inner + "active = false\n";
    if (random_.chance(20)) text_ += inner + "kind = \"" + random_.pick(kNames) + "\"\n";
    has_variants = random_.chance(20);
    if (has_variants || random_.chance(10)) {
      text_ += inner + "variants = { string v = \"" + random_.pick(kNames) + "\" }\n";
    }
    if (has_variants) text_ += inner + "prepend variantSets = \"v\"\n";
    text_ += indent + ")\n";
  }

  void properties(const std::string& indent) {
    const std::string value = std::to_string(++values_);
    if (random_.chance(40)) text_ += indent + "int x = " + value + "\n";
    if (random_.chance(20)) {
      text_ += indent + "custom double t.timeSamples = { 0: " + value + ", 8: 16 }\n";
    }
    if (random_.chance(15)) list(indent, "rel r", [&] { return target(); });
    if (random_.chance(10)) text_ += indent + "int x.connect = <" + path() + ".x>\n";
    if (random_.chance(8)) text_ += indent + "int y = None\n";
  }

  void contents(int depth, const std::string& indent) {
    properties(indent);
    if (random_.chance(10)) {
      text_ += indent + "reorder nameChildren = [\"c\", \"" + random_.pick(kNames) + "\"]\n";
    }
    if (depth < 2) prims(depth + 1, indent);
  }

  void prims(int depth, const std::string& indent) {
    constexpr const char* kSpecifiers[] = {"def", "def", "over", "class"};
    constexpr const char* kTypes[] = {"", "", "Scope ", "Xform "};
    for (const char* name : kNames) {
      if (!random_.chance(depth == 0 ? 50 : 25)) continue;
      text_ += test::joined(
          {indent, random_.pick(kSpecifiers), " ", random_.pick(kTypes), "\"", name, "\""});
      bool has_variants = false;
      if (random_.chance(55)) {
        text_ += " ";
        metadata(indent, has_variants);
      }
      text_ += indent + "{\n";
      const std::string inner = indent + "    ";
      contents(depth, inner);
      if (has_variants) variants(depth, inner);
      text_ += indent + "}\n";
    }
  }

  void variants(int depth, const std::string& indent) {
    text_ += indent + "variantSet \"v\" = {\n";
    for (const char* name : {"A", "b"}) {
      text_ += indent + "    \"" + name + "\" ";
      bool more = false;
      if (random_.chance(30)) metadata(indent + "    ", more);
      text_ += "{\n";
      contents(depth + 1, indent + "        ");
      text_ += indent + "    }\n";
    }
    text_ += indent + "}\n";
  }

  test::Random& random_;
  std::size_t index_;
  std::string text_;
  int values_ = 0;
};

std::string compose(std::uint64_t seed, bool is_printed) {
  test::Random random(seed);
  MemoryResolver resolver;
  for (std::size_t i = 0; i < std::size(kLayers); ++i) {
    std::string text = WildLayer(random, i).text();
    if (is_printed) std::cout << "-- " << kLayers[i] << "\n" << text;
    resolver.add(kLayers[i], std::move(text));
  }
  OpenOptions options;
  options.resolver = &resolver;
  options.rules = seed % 4 == 3 ? Rules::documented : Rules::openusd;
  Diagnostics diagnostics;
  const auto stage = Stage::open("root.usda", diagnostics, options);
  std::string all = stage ? test::describe((*stage)->root()) : "not opened\n";
  all += test::lines_of(diagnostics);
  if (is_printed) std::cout << all;
  return test::in_one_line(all);
}

TEST(WildScenes, ComposeToWhatIsRecorded) {
  if (const char* seed = std::getenv("SINEW_SCENE_SEED")) {
    std::cout << compose(std::strtoull(seed, nullptr, 10), true) << "\n";
    return;
  }
  std::string all;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    all += std::to_string(seed) + ": " + compose(seed, false) + "\n";
  }
  test::expect_recorded("wild.stage.txt", all);
}

}  // namespace
}  // namespace sinew::stage::wild_scenes_test
