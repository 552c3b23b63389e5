// SPDX-License-Identifier: Apache-2.0
#include "support/describe_stage.hpp"

#include <array>

#include "sinew/geom/collections.hpp"
#include "sinew/geom/transforms.hpp"
#include "sinew/geom/visibility.hpp"
#include "sinew/usda/writer.hpp"

namespace sinew::test {
namespace {

using stage::Time;
using stage::Traversal;

constexpr Traversal kAll = Traversal::all();

// Between, on, before and after the samples that scenes have.
const std::array<Time, 5> kTimes = {Time(), Time::earliest(), Time(0.5), Time(3.0), Time(11.25)};

// What composes as metadata; other keys are structure.
constexpr std::array kKeys = {"kind", "customData", "assetInfo"};
constexpr std::array kAttributeKeys = {"interpolation", "elementSize", "weight", "customData"};

std::string text_of(const layer::Value& value) {
  return value.has_value() ? usda::write_value(value) : "no value";
}

void describe_attribute(const stage::Attribute& attribute, std::string& text) {
  text += std::string(attribute.type_name()) + (attribute.is_custom() ? " custom" : "") +
          (attribute.variability() == layer::Variability::uniform ? " uniform" : "");
  for (const Time time : kTimes) text += " | " + text_of(attribute.value(time));
  for (const double time : attribute.time_samples()) {
    text += " @" + usda::write_number(time) + " " + text_of(attribute.value(time));
  }
  for (const char* key : kAttributeKeys) {
    const layer::Value value = attribute.metadata(key);
    if (value.has_value()) text += std::string(" ") + key + " " + text_of(value);
  }
  if (attribute.has_authored_opinion() && !attribute.has_authored_value()) text += " blocked";
  for (const layer::Path& path : attribute.connections()) text += " <- " + path.str();
}

void describe_properties(const stage::Prim& prim, std::string& text) {
  for (const stage::Attribute& attribute : prim.attributes()) {
    text += "  ." + std::string(attribute.name().view()) + ": ";
    describe_attribute(attribute, text);
    text += "\n";
  }
  for (const stage::Relationship& relationship : prim.relationships()) {
    text += "  ." + std::string(relationship.name().view()) + " ->";
    for (const layer::Path& path : relationship.targets()) text += " " + path.str();
    text += " =>";
    for (const layer::Path& path : relationship.forwarded_targets()) text += " " + path.str();
    text += "\n";
  }
}

void describe_place(const stage::Prim& prim, const geom::Collection& members, std::string& text) {
  for (const Time time : {Time(), Time(3.0)}) {
    const Matrix4d world = geom::world_from_prim(prim, time);
    text += "  world";
    for (int i = 0; i < 16; ++i) text += " " + usda::write_number(world(i % 4, i / 4));
    text += geom::compute_visibility(prim, time) == geom::Visibility::invisible ? " hidden" : "";
    text += "\n";
  }
  const geom::PurposeInfo purpose = geom::compute_purpose(prim);
  text += "  purpose " + std::string(geom::to_string(purpose.purpose)) +
          (purpose.inheritable ? " inheritable" : "") +
          (members.contains(prim.path()) ? " member" : "") + "\n";
}

std::string list_of(const std::vector<layer::Path>& paths) {
  std::string text;
  for (const layer::Path& path : paths) text += (text.empty() ? "<" : ", <") + path.str() + ">";
  return "[" + text + "]";
}

std::string sample_text(const layer::Value& value) {
  return value.has_value() ? usda::write_value(value) : "None";
}

std::string flatten_attribute(const stage::Attribute& attribute) {
  const std::string name(attribute.name().view());
  std::string text = std::string(attribute.is_custom() ? "custom " : "") +
                     (attribute.variability() == layer::Variability::uniform ? "uniform " : "") +
                     std::string(attribute.type_name()) + " " + name;
  const bool blocked = attribute.source() == stage::ValueSource::blocked;
  const layer::Value value = attribute.value();
  if (blocked || value.has_value()) text += " = " + sample_text(value);
  std::string fields;
  for (const char* key : kAttributeKeys) {
    const layer::Value field = attribute.metadata(key);
    if (field.has_value()) fields += std::string(key) + " = " + usda::write_value(field) + "\n";
  }
  if (!fields.empty()) text += " (\n" + fields + ")";
  // The declaration without what only one statement may say.
  const std::string again = std::string(attribute.type_name()) + " " + name;
  if (attribute.source(Time::earliest()) == stage::ValueSource::time_samples) {
    text += "\n" + again + ".timeSamples = {\n";
    for (const double time : attribute.time_samples()) {
      text += usda::write_number(time) + ": " + sample_text(attribute.value(time)) + ",\n";
    }
    text += "}";
  }
  if (attribute.has_connections()) {
    text += "\n" + again + ".connect = " + list_of(attribute.connections());
  }
  return text;
}

PrimText flatten_prim(const stage::Prim& prim) {
  PrimText result;
  result.specifier = to_string(prim.specifier());
  result.type = prim.type_name().view();
  result.name = prim.name().view();
  std::string schemas;
  for (const Token schema : prim.authored_api_schemas()) {
    schemas += (schemas.empty() ? "\"" : ", \"") + std::string(schema.view()) + "\"";
  }
  if (!schemas.empty()) result.metadata.push_back("apiSchemas = [" + schemas + "]");
  for (const char* key : kKeys) {
    const layer::Value value = prim.metadata(key);
    if (value.has_value()) {
      result.metadata.push_back(std::string(key) + " = " + usda::write_value(value));
    }
  }
  if (!prim.is_active()) result.metadata.emplace_back("active = false");
  for (const stage::Attribute& attribute : prim.attributes()) {
    result.properties.push_back(flatten_attribute(attribute));
  }
  for (const stage::Relationship& relationship : prim.relationships()) {
    result.properties.push_back("rel " + std::string(relationship.name().view()) + " = " +
                                list_of(relationship.targets()));
  }
  for (const stage::Prim& child : prim.children(kAll)) {
    result.children.push_back(flatten_prim(child));
  }
  return result;
}

}  // namespace

std::string describe(const stage::Prim& top) {
  if (!top) return "no prim\n";
  std::string text;
  const geom::Collection members = geom::Collection::read(top, "c");
  for (const stage::Prim prim : top.descendants(kAll)) {
    if (prim.is_root()) continue;
    text += prim.path().str() + " " + std::string(prim.type_name().view()) +
            (prim.is_active() ? "" : " inactive") + (prim.is_defined() ? "" : " undefined") +
            (prim.is_abstract() ? " abstract" : "") + "\n";
    for (const Token schema : prim.authored_api_schemas()) {
      text += "  schema " + std::string(schema.view()) + "\n";
    }
    for (const char* key : kKeys) {
      const layer::Value value = prim.metadata(key);
      if (value.has_value()) text += std::string("  ") + key + " " + text_of(value) + "\n";
    }
    describe_properties(prim, text);
    describe_place(prim, members, text);
  }
  return text;
}

Scene flatten(const stage::Stage& stage) {
  Scene scene;
  scene.layers.push_back({"flat.usda", {}, {}});
  for (const char* key : {"upAxis", "metersPerUnit", "kilogramsPerUnit", "timeCodesPerSecond"}) {
    const layer::Value* value = stage.metadata(key);
    if (value == nullptr) continue;
    scene.layers[0].metadata.push_back(std::string(key) + " = " + usda::write_value(*value));
  }
  for (const stage::Prim& prim : stage.root().children(kAll)) {
    scene.layers[0].prims.push_back(flatten_prim(prim));
  }
  return scene;
}

}  // namespace sinew::test
