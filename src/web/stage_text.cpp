// SPDX-License-Identifier: Apache-2.0
// What a stage says about its prims and properties.

#include <algorithm>
#include <string>
#include <vector>

#include "sinew/export/json.hpp"
#include "sinew/layer/path.hpp"
#include "web/web_stage.hpp"

namespace sinew::web {

namespace {

/// The variants that a prim offers for a set, in the order in which its opinions list them.
std::vector<std::string> variants_of(const stage::Prim& prim, std::string_view set) {
  std::vector<std::string> names;
  for (const stage::PrimOpinion& opinion : prim.explain()) {
    if (opinion.spec->extra == nullptr) continue;
    for (const layer::VariantSetSpec& authored : opinion.spec->extra->variant_sets) {
      if (authored.name != set) continue;
      for (const layer::VariantSpec& variant : authored.variants) {
        const std::string name = variant.name.str();
        if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
      }
    }
  }
  return names;
}

void write_prim(exporter::JsonSink& json, const stage::Prim& prim) {
  json.begin_object();
  json.member("path", prim.path().view());
  json.member("type", prim.type_name().view());
  json.member("specifier", to_string(prim.specifier()));
  json.member("active", prim.is_active());
  json.member("instance", prim.is_instance());
  const auto sets = prim.variant_selections();
  if (!sets.empty()) {
    json.key("variants");
    json.begin_object();
    for (const auto& [set, variant] : sets) {
      json.key(set.view());
      json.begin_object();
      json.member("selected", variant.view());
      json.list_member("names", variants_of(prim, set.view()));
      json.end_object();
    }
    json.end_object();
  }
  json.end_object();
}

void write_place(exporter::JsonSink& json, const stage::OpinionPlace& place) {
  json.member("layer", place.layer);
  json.member("line", place.line);
  json.member("path", place.spec_path.view());
  json.member("arcs", place.arcs);
}

}  // namespace

std::string WebStage::tree() const {
  exporter::JsonWriter json;
  json.begin_array();
  stage::Traversal traversal = stage::Traversal::all();
  traversal.instance_proxies = false;  // They can be millions.
  for (const stage::Prim prim : stage_->root().descendants(traversal)) {
    if (!prim.is_root()) write_prim(json, prim);
  }
  json.end_array();
  return json.take();
}

Result<std::string> WebStage::properties(std::string_view path) const {
  const stage::Prim prim = stage_->prim(path);
  if (!prim) return Error{ErrorCode::not_found, "there is no prim '" + std::string(path) + "'."};
  exporter::JsonWriter json;
  json.begin_array();
  for (const stage::Attribute& attribute : prim.attributes()) {
    json.begin_object();
    json.member("name", attribute.name().view());
    json.member("type", attribute.type_name());
    json.member("samples", attribute.time_sample_count());
    json.end_object();
  }
  for (const stage::Relationship& relationship : prim.relationships()) {
    json.begin_object();
    json.member("name", relationship.name().view());
    json.member("type", "rel");
    json.key("targets");
    json.begin_array();
    for (const layer::Path& target : relationship.targets()) json.value(target.view());
    json.end_array();
    json.end_object();
  }
  json.end_array();
  return json.take();
}

Result<layer::Value> WebStage::attribute(std::string_view path, stage::Time time) const {
  const Error missing{ErrorCode::not_found, "there is no attribute '" + std::string(path) + "'."};
  const Result<layer::Path> parsed = layer::Path::parse(path);
  if (!parsed || !parsed->is_property()) return missing;
  const stage::Prim prim = stage_->prim(parsed->prim_path());
  if (!prim) return missing;
  const stage::Attribute attribute = prim.attribute(parsed->name());
  if (!attribute) return missing;
  return attribute.value(time);
}

Result<std::string> WebStage::explain(std::string_view path, stage::Time time) const {
  const Error missing{ErrorCode::not_found, "there is nothing at '" + std::string(path) + "'."};
  const Result<layer::Path> parsed = layer::Path::parse(path);
  if (!parsed) return missing;
  const stage::Prim prim = stage_->prim(parsed->prim_path());
  if (!prim) return missing;
  exporter::JsonWriter json;
  json.begin_array();
  if (!parsed->is_property()) {
    for (const stage::PrimOpinion& opinion : prim.explain()) {
      json.begin_object();
      write_place(json, opinion);
      json.member("wins", false);
      json.member("note",
                  opinion.spec->is_variant ? "variant" : to_string(opinion.spec->specifier));
      json.end_object();
    }
  } else {
    const stage::Attribute attribute = prim.attribute(parsed->name());
    const stage::Relationship relationship = prim.relationship(parsed->name());
    if (!attribute && !relationship) return missing;
    for (const stage::Opinion& opinion :
         attribute ? attribute.explain(time) : relationship.explain(time)) {
      json.begin_object();
      write_place(json, opinion);
      json.member("wins", opinion.wins);
      json.member("note", opinion.note);
      json.end_object();
    }
  }
  json.end_array();
  return json.take();
}

}  // namespace sinew::web
