// SPDX-License-Identifier: Apache-2.0
// What random scenes about composition say of a prim.
#include <algorithm>
#include <functional>

#include "support/random_scene.hpp"

namespace sinew::test {
namespace {

using Make = std::string (*)(Random&);

std::string real(Random& random) {
  return number(random.eighths(-4, 4));
}
std::string triple(Random& random) {
  return joined({"(", real(random), ", ", real(random), ", ", real(random), ")"});
}
std::string word(Random& random) {
  return quoted(random.pick({"one", "two", "three"}));
}
std::string whole_numbers(Random& random) {
  std::string text;
  for (int i = random.between(0, 3); i > 0; --i) {
    text += std::to_string(random.between(-3, 9)) + ", ";
  }
  return "[" + text + "]";
}
std::string reals(Random& random) {
  return joined({"[", real(random), ", ", real(random), random.chance(30) ? ", 1]" : "]"});
}
std::string colours(Random& random) {
  return joined({"[", triple(random), ", ", triple(random), "]"});
}
std::string flag(Random& random) {
  return random.chance(50) ? "true" : "false";
}
std::string quaternion(Random& random) {
  return random.pick({"(1, 0, 0, 0)", "(0.6, 0.8, 0, 0)", "(0.6, 0, -0.8, 0)"});
}
std::string matrix(Random& random) {
  return joined({"((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, ", real(random), ", 0), (", real(random),
                 ", 0, 0, 1))"});
}
std::string visibility(Random& random) {
  return random.pick({"\"inherited\"", "\"invisible\""});
}

struct AttributeKind {
  const char* type;
  const char* name;
  Make value;
  bool may_vary = true;  ///< Interpolated times under an offset are rounded.
};

constexpr AttributeKind kAttributes[] = {
    {"double", "a", real},
    {"float3", "b", triple},
    {"token", "t", word},
    {"int[]", "n", whole_numbers},
    {"string", "s", word},
    {"float[]", "w", reals},
    {"bool", "flag", flag},
    {"quatf", "o", quaternion},
    {"timecode", "tc", real, false},
    {"matrix4d", "m", matrix},
    {"half", "h", real},
    {"color3f[]", "primvars:p", colours},
    {"double3", "xformOp:translate", triple},
    {"float", "xformOp:rotateZ", real},
    {"token", "visibility", visibility},
};

std::string samples(Random& random, Make value) {
  std::string text;
  int time = random.between(-6, 2);
  for (int i = random.between(1, 3); i > 0; --i) {
    text += std::to_string(time) + ": " + (random.chance(10) ? "None" : value(random)) + ", ";
    time += random.between(1, 6);
  }
  return "{" + text + "}";
}

std::string attribute(Random& random, const AttributeKind& kind) {
  const std::string declared = std::string(kind.type) + " " + kind.name;
  const std::string fields =
      random.chance(15) ? joined({" (\n customData = { int k", std::to_string(random.below(3)),
                                  " = ", std::to_string(random.below(9)), " }\n)"})
                        : "";
  const std::size_t form = random.below(kind.may_vary ? 10 : 6);
  std::string text;
  if (form == 0) text = declared + " = None" + fields;
  if (form >= 1 && form <= 6) text = declared + " = " + kind.value(random) + fields;
  if (form == 7 && !fields.empty()) text = declared + fields;
  if (form >= 6) {
    text += (text.empty() ? "" : "\n") + declared + ".timeSamples = " + samples(random, kind.value);
  }
  return random.chance(20) ? "custom " + text : text;
}

std::string target(Random& random) {
  return random.pick({"</World/P0>", "</World/P0/A>", "</World/G/P1>", "</World/P2/B.a>", "</S0/A>",
                      "</S1>", "</World.r>"});
}

std::string relationship(Random& random, const std::string& name, const std::string& inside) {
  std::string text;
  const auto one = [&] {
    if (inside.empty()) return target(random);
    // Neither to a source nor into what is placed: instances that share a prototype have one target
    // outside of it, and a class is not mapped to one of its own instances.
    if (random.chance(20)) return random.pick({"</World>", "</World.r>"});
    return "</" + inside + random.pick({"", "/A", "/B", "/A.a", ".r"}) + ">";
  };
  const auto add = [&](const std::string& statement) {
    text += (text.empty() ? "" : "\n") + statement;
  };
  if (random.chance(40)) {
    add("rel " + name + " = " + random.pick({"None", "[]"}));
    if (random.chance(70)) text = "rel " + name + " = [" + one() + ", </World/G>]";
    return text;
  }
  if (random.chance(50)) add("prepend rel " + name + " = " + one());
  if (random.chance(50)) add("append rel " + name + " = " + one());
  if (random.chance(30)) add("delete rel " + name + " = " + one());
  if (text.empty()) add("rel " + name);
  return text;
}

bool is_declared(const PrimText& prim, const std::string& name) {
  return std::any_of(prim.properties.begin(), prim.properties.end(), [&](const std::string& p) {
    return p.find(" " + name + " ") != std::string::npos ||
           p.find(" " + name + ".") != std::string::npos ||
           p.compare(p.size() - std::min(p.size(), name.size()), name.size(), name) == 0;
  });
}

void add_properties(Random& random, PrimText& prim, const std::string& inside, int percent) {
  for (const AttributeKind& kind : kAttributes) {
    if (!random.chance(percent) || is_declared(prim, kind.name)) continue;
    prim.properties.push_back(attribute(random, kind));
  }
  for (const char* name : {"r", "q"}) {
    if (random.chance(percent) && !is_declared(prim, name)) {
      prim.properties.push_back(relationship(random, name, inside));
    }
  }
  if (random.chance(percent)) {
    prim.properties.push_back(random.pick({"", "prepend ", "append "}) + "double x.connect = " +
                              (inside.empty() ? "</World/P0.a>" : "</" + inside + "/A.a>"));
  }
  if (random.chance(percent)) {
    prim.properties.push_back("uniform token purpose = " +
                              quoted(random.pick({"proxy", "guide", "default"})));
  }
  if (random.chance(percent)) {
    prim.properties.push_back(
        "uniform token[] xformOpOrder = [" +
        random.pick({"\"xformOp:translate\"", "\"xformOp:rotateZ\", \"xformOp:translate\"",
                     "\"!resetXformStack!\", \"xformOp:translate\"", ""}) +
        "]");
  }
}

void add_metadata(Random& random, PrimText& prim, int percent) {
  if (random.chance(percent)) {
    prim.metadata.push_back(joined(
        {"customData = { string c", std::to_string(random.below(3)), " = ", word(random), " }"}));
  }
  if (random.chance(percent))
    prim.metadata.push_back("assetInfo = { string version = " + word(random) + " }");
  const bool has_schemas =
      !prim.metadata.empty() && prim.metadata[0].ends_with("CollectionAPI:c\"]");
  if (random.chance(percent) && !has_schemas) {
    prim.metadata.push_back(
        joined({random.pick({"prepend ", "append ", "delete ", ""}), "apiSchemas = [",
                random.pick({"\"GeomModelAPI\"", "\"ApiA\", \"ApiB\"", "\"ApiB\""}), "]"}));
  }
  if (random.chance(percent))
    prim.metadata.push_back("kind = " + quoted(random.pick({"group", "component"})));
}

}  // namespace

void add_composition_opinions(Random& random, PrimText& prim) {
  add_properties(random, prim, "", 8);
  add_metadata(random, prim, 8);
}

void add_composition_content(Random& random, PrimText& prim, Source& source, int depth) {
  prim.type = random.pick({"Xform", "Xform", "Scope", "Cube", ""});
  add_properties(random, prim, source.name, 15);
  add_metadata(random, prim, 10);
  if (depth == 2) return;
  for (const char* name : {"A", "B", "C"}) {
    if (!random.chance(40)) continue;
    PrimText child;
    child.name = name;
    child.specifier = random.chance(90) ? "def" : "over";
    add_composition_content(random, child, source, depth + 1);
    if (random.chance(5)) child.metadata.emplace_back("active = false");
    prim.children.push_back(std::move(child));
    if (depth == 0) source.children.emplace_back(name);
  }
  if (depth > 0 || !random.chance(40)) return;
  VariantSetText set{"v", {}};
  for (const char* name : {"a", "b"}) {
    PrimText variant;
    variant.name = name;
    add_properties(random, variant, source.name, 10);
    PrimText child;
    child.name = random.pick({"A", "V"});
    child.type = "Xform";
    add_properties(random, child, source.name, 15);
    variant.children.push_back(std::move(child));
    set.variants.push_back(std::move(variant));
  }
  prim.variant_sets.push_back(std::move(set));
  prim.metadata.emplace_back("prepend variantSets = \"v\"");
  if (random.chance(70)) {
    prim.metadata.push_back("variants = { string v = " + quoted(random.pick({"a", "b"})) + " }");
  }
}

}  // namespace sinew::test
