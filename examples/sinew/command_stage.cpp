// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <cstdio>
#include <limits>
#include <set>
#include <string>

#include "commands.hpp"
#include "paths.hpp"
#include "sinew/core/one_line.hpp"
#include "sinew/stage/stage.hpp"

namespace sinew::tool {

namespace {

Json paths_to_json(const std::vector<layer::Path>& paths) {
  Json list = Json::array();
  for (const layer::Path& path : paths) list.push_back(path.str());
  return list;
}

// How much of properties may be printed. Arcs bring the arrays of a small file to hundreds of
// thousands of prims, where they share their memory, but not what is printed.
class PrintLimit {
 public:
  PrintLimit(const stage::Stage& stage, bool trust) {
    if (trust) limit_ = std::numeric_limits<std::uint64_t>::max();
    if (trust) return;
    std::set<std::string> files;  // A package holds many layers.
    for (const layer::LayerPtr& layer : stage.layers()) {
      files.insert(file_of(layer->identifier()));
    }
    for (const std::string& file : files) {
      limit_ += kNumbersPerByte * size_of_file(file);
    }
  }

  bool is_exceeded() const noexcept { return printed_ > limit_; }

  // Counts a value; whether it may be printed.
  bool take(const layer::Value& value) {
    printed_ += 1 + value.bytes().size() / 4;
    if (value.is_array()) {
      for (const Token text : value.as_array<Token>()) printed_ += text.view().size() / 4;
    } else if (const auto text = value.text()) {
      printed_ += text->size() / 4;
    }
    return !is_exceeded();
  }

  // Counts an attribute or relationship; whether it may be listed.
  bool take_property() {
    printed_ += kNumbersPerProperty;
    return !is_exceeded();
  }

  void report(const std::string& file, Diagnostics& diagnostics) const {
    if (!is_exceeded()) return;
    Diagnostic diagnostic;
    diagnostic.severity = Severity::error;
    diagnostic.code = "stage-limit";
    diagnostic.message = "The properties to print are more than the limit of " +
                         std::to_string(limit_) + " numbers; prims after that have none.";
    diagnostic.file = file;
    diagnostic.hint = "--trust prints all of them";
    diagnostics.push_back(std::move(diagnostic));
  }

 private:
  static constexpr std::uint64_t kNumbersPerByte = 64;
  static constexpr std::uint64_t kNumbersPerProperty = 32;  // As much text: about 110 bytes.
  std::uint64_t limit_ = 16'000'000;
  std::uint64_t printed_ = 0;
};

Json attribute_to_json(const stage::Attribute& attribute, PrintLimit& limit,
                       Diagnostics& diagnostics) {
  Json object = Json::object();
  object["type"] = std::string(attribute.type_name());
  object["uniform"] = attribute.variability() == layer::Variability::uniform;
  object["custom"] = attribute.is_custom();
  const layer::Value value = limit.is_exceeded() ? layer::Value() : attribute.value();
  if (value.has_value() && limit.take(value)) object["default"] = to_json(value);
  const std::vector<double> times =
      limit.is_exceeded() ? std::vector<double>() : attribute.time_samples();
  if (!times.empty()) {
    Json samples = Json::array();
    for (const double time : times) {
      if (limit.is_exceeded()) break;
      const layer::Value sample = attribute.value(time);
      if (!limit.take(sample)) break;
      samples.push_back({to_json(time), sample.has_value() ? to_json(sample) : Json(nullptr)});
    }
    object["timeSamples"] = std::move(samples);
  }
  for (const char* key : {"interpolation", "elementSize"}) {
    const layer::Value field = attribute.metadata(key);
    if (field.has_value()) object[key] = to_json(field);
  }
  if (attribute.has_connections()) {
    const std::vector<layer::Path> connections = attribute.connections(&diagnostics);
    if (!connections.empty()) object["connections"] = paths_to_json(connections);
  }
  return object;
}

Json prim_to_json(const stage::Prim& prim, PrintLimit& limit, Diagnostics& diagnostics) {
  Json object = Json::object();
  object["path"] = prim.path().str();
  object["specifier"] = std::string(to_string(prim.specifier()));
  object["typeName"] = prim.type_name().str();
  object["active"] = prim.is_active();
  object["instanceable"] = prim.instanceable();
  const layer::Value kind = prim.metadata("kind");
  if (kind.has_value()) object["kind"] = to_json(kind);
  Json apis = Json::array();
  for (const Token api : prim.authored_api_schemas()) apis.push_back(api.str());
  object["apiSchemas"] = std::move(apis);
  Json attributes = Json::object();
  Json relationships = Json::object();
  if (!limit.is_exceeded()) {  // Otherwise they need not even be listed.
    for (const stage::Attribute& attribute : prim.attributes()) {
      if (!limit.take_property()) break;
      add_member(attributes, attribute.name().str(),
                 attribute_to_json(attribute, limit, diagnostics));
    }
    for (const stage::Relationship& relationship : prim.relationships()) {
      if (!limit.take_property()) break;
      add_member(relationships, relationship.name().str(),
                 paths_to_json(relationship.targets(&diagnostics)));
    }
  }
  object["attributes"] = std::move(attributes);
  object["relationships"] = std::move(relationships);
  return object;
}

void print_stage(const stage::Stage& stage, PrintLimit& limit, Diagnostics& diagnostics) {
  const stage::Metrics& metrics = stage.metrics();
  Json document = Json::object();
  document["upAxis"] = metrics.up_axis;
  document["metersPerUnit"] = to_json(metrics.meters_per_unit);
  document["kilogramsPerUnit"] = to_json(metrics.kilograms_per_unit);
  document["timeCodesPerSecond"] = to_json(metrics.time_codes_per_second);
  document["startTimeCode"] = to_json(metrics.start_time_code);
  document["endTimeCode"] = to_json(metrics.end_time_code);
  const stage::Prim default_prim = stage.default_prim();
  document["defaultPrim"] = default_prim ? Json(default_prim.path().str()) : Json(nullptr);
  document["prims"] = Json::array();
  const stage::PrimRange prims = stage.root().descendants(stage::Traversal::all());
  auto at = prims.begin();
  print_json(document, "prims", [&](Json& item) {
    if (at != prims.end() && (*at).is_root()) ++at;
    if (at == prims.end()) return false;
    item = prim_to_json(*at, limit, diagnostics);
    ++at;
    return true;
  });
}

void print_tree(const stage::Stage& stage) {
  for (const stage::Prim prim : stage.root().descendants(stage::Traversal::all())) {
    if (prim.is_root()) continue;
    std::size_t depth = 0;
    for (stage::Prim p = prim.parent(); p && !p.is_root(); p = p.parent()) ++depth;
    std::string line(2 * depth, ' ');
    line += to_string(prim.specifier());
    if (!prim.type_name().empty()) line += ' ' + prim.type_name().str();
    line += " \"" + prim.name().str() + '"';
    if (!prim.is_active()) line += "  inactive";
    if (prim.is_instance()) line += "  instance";
    for (const auto& [set, variant] : prim.variant_selections()) {
      line += "  {" + set.str() + '=' + variant.str() + '}';
    }
    std::printf("%s\n", one_line(line).c_str());
  }
}

// Where an opinion is written and how it was reached.
void print_place(const stage::OpinionPlace& place) {
  std::printf("%s:%u: <%s>", place.layer.c_str(), place.line, place.spec_path.str().c_str());
  if (!place.arcs.empty()) std::printf(" by %s", place.arcs.c_str());
  if (place.offset != layer::LayerOffset{}) {
    std::printf(" (offset %g, scale %g)", place.offset.offset, place.offset.scale);
  }
}

std::string kind_of(const layer::PrimSpec& spec) {
  return spec.is_variant ? "variant" : std::string(to_string(spec.specifier));
}

// Every opinion about one prim or property, strongest first.
ExitStatus explain(const stage::Stage& stage, const StageOptions& options,
                   const Reporter& reporter) {
  const Result<layer::Path> path = layer::Path::parse(options.explain);
  if (!path || !path->is_absolute() || (!path->is_property() && !path->is_prim())) {
    return reporter.usage_error(
        "--explain takes the path of a prim or a property, e.g. /World/Arm.points");
  }
  const stage::Prim prim = stage.prim(path->prim_path());
  if (!prim) return reporter.usage_error("there is no prim " + path->prim_path().str());
  if (path->is_prim()) {
    std::printf("%s\n", path->str().c_str());
    for (const stage::PrimOpinion& opinion : prim.explain()) {
      std::printf("    ");
      print_place(opinion);
      std::printf(": %s\n", kind_of(*opinion.spec).c_str());
    }
    return ExitStatus::success;
  }
  const stage::Attribute attribute = prim.attribute(path->name());
  const stage::Relationship relationship = prim.relationship(path->name());
  if (!attribute && !relationship) {
    return reporter.usage_error("nothing is authored at " + path->str());
  }
  const std::vector<stage::Opinion> opinions =
      attribute ? attribute.explain(options.time) : relationship.explain(options.time);
  std::printf("%s\n", path->str().c_str());
  for (const stage::Opinion& opinion : opinions) {
    std::printf("  %s ", opinion.wins ? "*" : " ");
    print_place(opinion);
    std::printf(": %s\n", opinion.note.c_str());
  }
  return ExitStatus::success;
}

}  // namespace

ExitStatus run_stage(const StageOptions& options, Reporter& reporter) {
  Diagnostics diagnostics;
  const auto stage = open_stage(options.file, options.common, diagnostics);
  if (!stage) return reporter.open_failed(options.file, stage.error(), diagnostics);
  if (!options.explain.empty()) {
    reporter.report(diagnostics, options.file);
    return explain(**stage, options, reporter);
  }
  if (options.json) {
    PrintLimit limit(**stage, options.common.trust);
    print_stage(**stage, limit, diagnostics);
    limit.report(options.file, diagnostics);
    reporter.report(diagnostics, options.file);
  } else {
    reporter.report(diagnostics, options.file);
    print_tree(**stage);
  }
  return ExitStatus::success;
}

}  // namespace sinew::tool
