// SPDX-License-Identifier: Apache-2.0
#include "support/random_scene.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>

#include "sinew/usda/writer.hpp"
#include "support/recorded.hpp"

namespace sinew::test {
namespace {

constexpr const char* kRoot = "root.usda";
constexpr const char* kSub = "sub.usda";

class Generator {
 public:
  Generator(Subject subject, std::uint64_t seed)
      : random_(3 * seed + static_cast<std::uint64_t>(subject)), subject_(subject) {}

  Scene make() {
    add_layers();
    const int count = random_.between(2, 4);
    for (int i = 0; i < count; ++i) add_source("S" + std::to_string(i));
    add_world();
    return std::move(scene_);
  }

 private:
  LayerText& layer(const std::string& name) {
    return *std::find_if(scene_.layers.begin(), scene_.layers.end(),
                         [&](const LayerText& l) { return l.name == name; });
  }
  static bool in_root_stack(const std::string& name) { return name == kRoot || name == kSub; }

  void add_layers() {
    scene_.layers.push_back({kRoot, {}, {}});
    scene_.layers.push_back({"asset0.usda", {}, {}});
    if (random_.chance(50)) scene_.layers.push_back({"asset1.usda", {}, {}});
    if (random_.chance(40)) {
      scene_.layers.push_back({kSub, {}, {}});
      const std::string offset = random_.chance(50) ? " (offset = 4; scale = 0.5)" : "";
      scene_.layers[0].metadata.push_back("subLayers = [@sub.usda@" + offset + "]");
    }
    // Twice and half the usual rate: times stay exact.
    for (LayerText& each : scene_.layers) {
      if (random_.chance(15)) each.metadata.emplace_back("timeCodesPerSecond = 48");
    }
  }

  std::string offset_text() {
    if (!random_.chance(30)) return "";
    return joined(
        {" (offset = ", number(random_.between(-4, 4)), random_.chance(50) ? "; scale = 2)" : ")"});
  }

  // Composes a prim of sources. What it then has is added to `source`.
  void add_arcs(PrimText& prim, const std::string& from, std::vector<const Source*> targets,
                Source& source) {
    std::string lists[4];
    constexpr const char* kKinds[4] = {"references", "payload", "inherits", "specializes"};
    for (const Source* target : targets) {
      // A sublayer that is also referenced by name is a layer stack without the root layer.
      const bool near = target->layer == from || (from == kRoot && target->layer == kSub);
      const std::size_t kind = random_.below(near ? 4 : 2);
      std::string item = "</" + target->name + ">";
      if (!near) item.insert(0, "@" + target->layer + "@");
      if (kind < 2) item += offset_text();
      lists[kind] += (lists[kind].empty() ? "" : ", ") + item;
      source.instance |= target->instance;
      for (const std::string& child : target->children) {
        if (std::find(source.children.begin(), source.children.end(), child) ==
            source.children.end()) {
          source.children.push_back(child);
          source.movable.push_back(child);
        }
      }
    }
    for (std::size_t kind = 0; kind < 4; ++kind) {
      if (lists[kind].empty()) continue;
      const std::string edit = random_.pick({"prepend ", "append ", ""});
      prim.metadata.push_back(edit + kKinds[kind] + " = [" + lists[kind] + "]");
    }
  }

  std::vector<const Source*> choose(int percent, bool instances) {
    std::vector<const Source*> chosen;
    for (const Source& source : sources_) {
      if ((instances || !source.instance) && random_.chance(percent)) chosen.push_back(&source);
    }
    return chosen;
  }

  // A prim inside a source that is composed of others: an instance, as often as not.
  void add_nested(PrimText& parent, const Source& inside, int index) {
    const std::vector<const Source*> targets = choose(40, true);
    if (targets.empty()) return;
    PrimText child;
    child.type = "Xform";
    child.name = "I" + inside.name + "_" + std::to_string(index);
    Source unused;
    add_arcs(child, inside.layer, targets, unused);
    if (random_.chance(60)) child.metadata.emplace_back(kInstanceable);
    if (subject_ == Subject::composition) add_composition_opinions(random_, child);
    parent.children.push_back(std::move(child));
  }

  void add_over(PrimText& parent, const std::string& name) {
    const auto same = std::find_if(parent.children.begin(), parent.children.end(),
                                   [&](const PrimText& child) { return child.name == name; });
    if (same != parent.children.end()) return;
    PrimText over;
    over.specifier = "over";
    over.name = name;
    if (subject_ == Subject::composition) add_composition_opinions(random_, over);
    parent.children.push_back(std::move(over));
  }

  void add_content(PrimText& prim, Source& source) {
    if (subject_ == Subject::composition) add_composition_content(random_, prim, source, 0);
    if (subject_ == Subject::skeletons) add_skeleton_content(random_, prim, source);
    if (subject_ == Subject::physics) add_physics_content(random_, prim, source);
  }

  void add_source(const std::string& name) {
    Source source;
    source.name = name;
    source.layer = random_.of(scene_.layers).name;
    PrimText prim;
    prim.specifier = random_.chance(60) ? "class" : "def";
    prim.name = name;
    const bool composed = random_.chance(subject_ == Subject::composition ? 60 : 30);
    if (composed) add_arcs(prim, source.layer, choose(50, true), source);
    relocate(source, prim);
    add_content(prim, source);
    leave_out_moved(prim);
    std::erase(source.children, moved_);
    for (const std::string& child : source.children) {
      if (random_.chance(20) && child != moved_) add_over(prim, child);
    }
    for (int i = 0; i < 2; ++i) {
      if (random_.chance(40)) add_nested(prim, source, i);
    }
    if (!prim.metadata.empty() && random_.chance(10)) {
      prim.metadata.emplace_back(kInstanceable);
      source.instance = true;
    }
    layer(source.layer).prims.push_back(std::move(prim));
    if (!in_root_stack(source.layer) && random_.chance(20)) add_implied(source);
    sources_.push_back(std::move(source));
  }

  // Renames a child that a source has from others, in the only layer of its stack.
  void relocate(Source& source, const PrimText& prim) {
    moved_.clear();
    if (source.instance || source.movable.empty() || in_root_stack(source.layer)) return;
    if (prim.metadata.empty() || !random_.chance(30)) return;
    moved_ = random_.of(source.movable);
    std::erase(source.children, moved_);
    const std::string target = random_.chance(80) ? "/" + source.name + "/R" + source.name : "";
    if (!target.empty()) source.children.push_back("R" + source.name);
    relocates_[source.layer].push_back("</" + source.name + "/" + moved_ + ">: <" + target + ">");
  }

  // A layer has no opinions at the place that something was moved away from.
  void leave_out_moved(PrimText& prim) const {
    const auto is_moved = [&](const PrimText& child) { return child.name == moved_; };
    std::erase_if(prim.children, is_moved);
    for (VariantSetText& set : prim.variant_sets) {
      for (PrimText& variant : set.variants) std::erase_if(variant.children, is_moved);
    }
  }

  // Opinions in the root layer at the path of a class elsewhere.
  void add_implied(const Source& source) {
    PrimText over;
    over.specifier = "over";
    over.name = source.name;
    for (const std::string& child : source.children) {
      if (random_.chance(50)) add_over(over, child);
    }
    if (subject_ == Subject::composition) add_composition_opinions(random_, over);
    scene_.layers[0].prims.push_back(std::move(over));
  }

  void add_placement(PrimText& parent, const std::string& name) {
    std::vector<const Source*> targets = choose(30, true);
    if (targets.empty()) targets.push_back(&random_.of(sources_));
    PrimText prim;
    prim.type = "Xform";
    prim.name = name;
    Source composed;
    add_arcs(prim, kRoot, targets, composed);
    if (random_.chance(50)) {
      prim.metadata.emplace_back(kInstanceable);
      composed.instance = true;
    }
    if (subject_ == Subject::composition) {
      add_composition_opinions(random_, prim);
      if (random_.chance(30)) {
        prim.metadata.push_back("variants = { string v = " + quoted(random_.pick({"a", "b"})) +
                                " }");
      }
    } else if (random_.chance(50)) {
      prim.properties.push_back("double3 xformOp:translate = (" + number(random_.eighths(-2, 2)) +
                                ", 1, 2)");
      prim.properties.emplace_back("uniform token[] xformOpOrder = [\"xformOp:translate\"]");
    }
    if (!composed.instance) {
      for (const std::string& child : composed.children) {
        if (random_.chance(30)) add_over(prim, child);
      }
    }
    // A type of its own would hide that of the source.
    if (random_.chance(70)) prim.type.clear();
    parent.children.push_back(std::move(prim));
  }

  void add_world() {
    PrimText world;
    world.type = "Xform";
    world.name = "World";
    const int count = random_.between(1, 4);
    PrimText group;
    group.type = random_.pick({"Xform", "Scope", ""});
    group.name = "G";
    for (int i = 0; i < count; ++i) {
      add_placement(random_.chance(70) ? world : group, "P" + std::to_string(i));
    }
    if (subject_ == Subject::composition) {
      world.metadata.emplace_back("prepend apiSchemas = [\"CollectionAPI:c\"]");
      add_composition_opinions(random_, world);
      world.properties.emplace_back("rel collection:c:includes = [</World/P0>, </World/G/P1/A>]");
      world.properties.push_back(
          "uniform token collection:c:expansionRule = " +
          quoted(random_.pick({"expandPrims", "explicitOnly", "expandPrimsAndProperties"})));
      if (random_.chance(50))
        world.properties.emplace_back("rel collection:c:excludes = </World/P0/B>");
    }
    if (!group.children.empty()) world.children.push_back(std::move(group));
    if (subject_ == Subject::skeletons) add_skeleton_world(random_, world);
    if (subject_ == Subject::physics) add_physics_world(random_, scene_, world);
    scene_.layers[0].prims.push_back(std::move(world));
    for (const auto& [name, statements] : relocates_) {
      std::string text;
      for (const std::string& each : statements) text += (text.empty() ? "" : ", ") + each;
      layer(name).metadata.push_back("relocates = { " + text + " }");
    }
    for (LayerText& each : scene_.layers) drop_later_twins(each);
  }

  // A layer says each prim once.
  static void drop_later_twins(LayerText& layer) {
    for (std::size_t i = 0; i < layer.prims.size(); ++i) {
      for (std::size_t k = layer.prims.size() - 1; k > i; --k) {
        if (layer.prims[k].name != layer.prims[i].name) continue;
        layer.prims.erase(layer.prims.begin() + static_cast<std::ptrdiff_t>(k));
      }
    }
  }

  Random random_;
  Subject subject_;
  Scene scene_;
  std::vector<Source> sources_;
  std::map<std::string, std::vector<std::string>> relocates_;
  std::string moved_;
};

// The code of a diagnostic in a complaint, so that a smaller scene fails for the same reason.
std::string code_of(const std::string& complaint) {
  const std::size_t start = complaint.find(" [");
  return start == std::string::npos ? ""
                                    : complaint.substr(start, complaint.find(']', start) - start);
}

bool any_field(const std::vector<PrimText>& prims,
               const std::function<bool(const std::string& field)>& holds) {
  return std::any_of(prims.begin(), prims.end(), [&](const PrimText& prim) {
    return std::any_of(prim.metadata.begin(), prim.metadata.end(), holds) ||
           any_field(prim.children, holds);
  });
}

bool any_field(const Scene& scene, const std::function<bool(const std::string& field)>& holds) {
  return std::any_of(scene.layers.begin(), scene.layers.end(),
                     [&](const LayerText& layer) { return any_field(layer.prims, holds); });
}

}  // namespace

std::string number(double value) {
  return usda::write_number(value);
}

std::string quoted(const std::string& text) {
  return '"' + text + '"';
}

Scene random_scene(Subject subject, std::uint64_t seed) {
  return Generator(subject, seed).make();
}

std::string difference(const std::string& expected, const std::string& actual) {
  if (expected == actual) return "";
  const auto line_at = [](const std::string& text, std::size_t start) {
    return start >= text.size() ? std::string("the end")
                                : text.substr(start, text.find('\n', start) - start);
  };
  const auto [e, a] = std::mismatch(expected.begin(), expected.end(), actual.begin(), actual.end());
  const auto at = static_cast<std::size_t>(e - expected.begin());
  const std::size_t before = at == 0 ? std::string::npos : expected.rfind('\n', at - 1);
  const std::size_t start = before == std::string::npos ? 0 : before + 1;
  // The prim that it is about: the last line that is not indented.
  std::size_t prim = start;
  while (prim > 0 && (prim >= expected.size() || expected[prim] == ' ')) {
    const std::size_t previous = prim < 2 ? std::string::npos : expected.rfind('\n', prim - 2);
    prim = previous == std::string::npos ? 0 : previous + 1;
  }
  return "at " + line_at(expected, prim) + "\nexpected " + line_at(expected, start) +
         "\n     got " + line_at(actual, start) + "\n";
}

bool specializes_where_layers_name_themselves(const Scene& scene) {
  return any_field(scene,
                   [](const std::string& field) {
                     return field.find("specializes") != std::string::npos;
                   }) &&
         any_field(scene, [](const std::string& field) {
           return field.find("@root.usda@") != std::string::npos;
         });
}

bool specializes_several(const Scene& scene) {
  return any_field(scene, [](const std::string& field) {
    return field.find("specializes") != std::string::npos && field.find(',') != std::string::npos;
  });
}

std::string in_one_line_each(
    Subject subject, std::uint64_t count,
    const std::function<std::string(const Scene& scene, Rules rules)>& describe) {
  std::string all;
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    const Rules rules = seed % 4 == 3 ? Rules::documented : Rules::openusd;
    all += std::to_string(seed) + ": " + in_one_line(describe(random_scene(subject, seed), rules)) +
           "\n";
  }
  return all;
}

void for_random_scenes(Subject subject, Seeds seeds, const Complaint& complaint) {
  std::uint64_t first = seeds.first;
  std::uint64_t last = seeds.first + seeds.count;
  if (const char* seed = std::getenv("SINEW_SCENE_SEED")) {
    const char* count = std::getenv("SINEW_SCENE_COUNT");
    first = std::strtoull(seed, nullptr, 10);
    last = first + (count == nullptr ? 1 : std::strtoull(count, nullptr, 10));
  }
  std::string report;
  std::string others;
  for (std::uint64_t seed = first; seed < last; ++seed) {
    const Scene scene = random_scene(subject, seed);
    const std::string wrong = complaint(scene);
    if (wrong.empty()) continue;
    if (!report.empty()) {
      others += " " + std::to_string(seed);
      continue;
    }
    const Scene small = shrink(scene, [&](const Scene& part) {
      const std::string still = complaint(part);
      return !still.empty() && code_of(still) == code_of(wrong);
    });
    report = "SINEW_SCENE_SEED=" + std::to_string(seed) + "\n" + wrong + "In short:\n" +
             complaint(small) + to_text(small);
  }
  EXPECT_TRUE(report.empty()) << report << (others.empty() ? "" : "Also wrong:" + others);
}

}  // namespace sinew::test
