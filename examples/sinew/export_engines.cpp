// SPDX-License-Identifier: Apache-2.0
#include "export_engines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "commands.hpp"
#include "dialect_names.hpp"
#include "files.hpp"
#include "paths.hpp"
#include "sinew/export/engine_visuals.hpp"
#include "sinew/export/mjcf.hpp"
#include "sinew/export/urdf.hpp"
#include "sinew/geom/transforms.hpp"
#include "sinew/physics/read/check_physics.hpp"
#include "sinew/physics/read/read_physics.hpp"
#include "sinew/stage/check_metrics.hpp"

namespace sinew::tool {

namespace {

enum class Format { mjcf, urdf };

std::optional<Format> format_of(const ExportOptions& options, std::string& problem) {
  std::string name = options.engines.format;
  const std::string extension = extension_of(options.output);
  if (name.empty()) {
    if (extension == ".xml" || extension == ".mjcf" || options.output.empty()) name = "mjcf";
    if (extension == ".urdf") name = "urdf";
    if (extension == ".sdf") {
      problem = "export: .sdf is not written yet; .urdf and .xml (MJCF) are";
      return std::nullopt;
    }
  }
  if (name == "mjcf") return Format::mjcf;
  if (name == "urdf") return Format::urdf;
  problem = options.engines.format.empty()
                ? "export: OUT must end in .xml, .mjcf or .urdf, not '" + options.output + "'"
                : "export: --format takes mjcf or urdf, not '" + options.engines.format + "'";
  return std::nullopt;
}

// Turns the words into options. Returns a sentence if one is wrong.
std::string convert(const ExportEnginesOptions& options, Format format,
                    exporter::EngineOptions& engine, physics::ReadOptions& read) {
  const auto wrong = [](const char* option, const char* known, const std::string& word) {
    return std::string("export: ") + option + " takes " + known + ", not '" + word + "'";
  };
  engine.names = format == Format::mjcf ? physics::NameStyle::path : physics::NameStyle::identifier;
  if (options.names == "path") {
    engine.names = physics::NameStyle::path;
  } else if (options.names == "leaf") {
    engine.names = physics::NameStyle::leaf;
  } else if (options.names == "identifier") {
    engine.names = physics::NameStyle::identifier;
  } else if (!options.names.empty()) {
    return wrong("--names", "path, leaf or identifier", options.names);
  }
  if (options.stack == "never") {
    engine.stacked = physics::StackedJoints::never;
  } else if (options.stack == "always") {
    engine.stacked = physics::StackedJoints::always;
  } else if (options.stack != "auto") {
    return wrong("--stack", "auto, never or always", options.stack);
  }
  if (options.meshes == "obj") {
    engine.meshes = exporter::EngineMeshes::obj;
  } else if (options.meshes != "inline") {
    return wrong("--meshes", "inline or obj", options.meshes);
  }
  engine.snap = options.snap;
  return parse_dialects(options.dialects, read.dialects);
}

void print_mapping(const exporter::EngineFile& file, const Diagnostics& diagnostics) {
  Json document = Json::object();
  document["prims"] = Json::array();
  for (const exporter::EngineMapping& mapping : file.mapping) {
    Json entry = Json::object();
    entry["path"] = mapping.path;
    entry["became"] = mapping.became;
    entry["exact"] = mapping.is_exact;
    if (!mapping.diagnostic.empty()) entry["diagnostic"] = mapping.diagnostic;
    document["prims"].push_back(std::move(entry));
  }
  document["diagnostics"] = Json::array();
  for (const Diagnostic& diagnostic : diagnostics) {
    document["diagnostics"].push_back({{"severity", std::string(to_string(diagnostic.severity))},
                                       {"code", diagnostic.code},
                                       {"path", diagnostic.path},
                                       {"message", diagnostic.message}});
  }
  print_json(document);
}

bool connects_below(const stage::Prim& joint, const layer::Path& root) {
  for (const char* name : {"physics:body0", "physics:body1"}) {
    const stage::Relationship relationship = joint.relationship(name);
    if (!relationship) continue;
    const std::vector<layer::Path> targets = relationship.targets();
    if (!targets.empty() && targets.front().has_prefix(root)) return true;
  }
  return false;
}

// What to read for the bodies below a prim, in the order of the stage: the prim, and wherever they
// are scenes, materials, collision groups, and joints that connect something below it.
std::vector<std::string> paths_of_root(const stage::Stage& stage, const layer::Path& root) {
  std::vector<std::string> paths;
  const auto range = stage.root().descendants(stage::Traversal::with_instance_proxies());
  for (auto it = range.begin(); it != range.end(); ++it) {
    const stage::Prim prim = *it;
    const layer::Path path = prim.path();
    if (path != root) {
      if (root.has_prefix(path)) continue;  // What lies above the root would bring all below it.
      if (!prim.is_a(stage::SchemaType::physics_scene) &&
          !prim.is_a(stage::SchemaType::physics_collision_group) &&
          !prim.has_api("PhysicsMaterialAPI") &&
          !(physics::joint_schema(prim) != stage::SchemaType::unknown &&
            connects_below(prim, root))) {
        continue;
      }
    }
    paths.push_back(path.str());
    it.skip_descendants();
  }
  return paths;
}

// What a root cuts off that acts on what is below it.
void tell_cut(const stage::Stage& stage, const physics::PhysicsModel& model,
              const stage::Prim& root, Diagnostics& diagnostics) {
  const auto tell = [&](std::string path, std::string message) {
    Diagnostic& diagnostic = diagnostics.emplace_back();
    diagnostic.severity = Severity::warning;
    diagnostic.code = "engine-root-cut";
    diagnostic.path = std::move(path);
    diagnostic.message = std::move(message);
  };
  for (stage::Prim above = root.parent(); above && !above.is_root(); above = above.parent()) {
    if (above.is_a(stage::SchemaType::physics_scene) ||
        above.has_api("PhysicsArticulationRootAPI")) {
      tell(above.path().str(), "The prim stands above --root; what it says is left out.");
    }
  }
  for (const physics::Joint& joint : model.joints) {
    for (const physics::JointEnd& end : joint.ends) {
      const stage::Prim held = end.body_path.empty() ? stage::Prim() : stage.prim(end.body_path);
      if (!held || held.path().has_prefix(root.path()) || !held.has_api("PhysicsRigidBodyAPI")) {
        continue;
      }
      tell(joint.path.str(), fmt::format("The joint connects <{}>, which is not below --root: it "
                                         "holds to the world where that stands.",
                                         end.body_path.view()));
    }
  }
}

void tell_nothing(const physics::PhysicsModel& model, Diagnostics& diagnostics) {
  if (!model.rigid_bodies.empty() || !model.shapes.empty() || !model.joints.empty()) return;
  Diagnostic& diagnostic = diagnostics.emplace_back();
  diagnostic.severity = Severity::warning;
  diagnostic.code = "engine-nothing";
  diagnostic.message = "There are no bodies, colliders or joints: the model is empty.";
  diagnostic.hint = "Bodies need PhysicsRigidBodyAPI, colliders PhysicsCollisionAPI.";
}

// Of bodies and colliders whose place is known at times alone: a model is that of the default time.
void tell_motion(const stage::Stage& stage, const physics::PhysicsModel& model,
                 Diagnostics& diagnostics) {
  std::set<std::string> seen;
  std::size_t count = 0;
  std::string first;
  const auto look = [&](std::string_view path) {
    for (stage::Prim prim = stage.prim(path); prim && !prim.is_root(); prim = prim.parent()) {
      if (!seen.insert(prim.path().str()).second) return;
      if (physics::is_placed_at_times_alone(prim) && count++ == 0) first = prim.path().str();
      if (geom::local_transform(prim, {}).resets_stack) return;
    }
  };
  for (const physics::RigidBody& body : model.rigid_bodies) look(body.path);
  for (const physics::Shape& shape : model.shapes) look(shape.path);
  if (count == 0) return;
  Diagnostic& diagnostic = diagnostics.emplace_back();
  diagnostic.severity = Severity::warning;
  diagnostic.code = "engine-motion-dropped";
  diagnostic.path = first;
  diagnostic.message = fmt::format(
      "The transform has values at times alone ({} prims, this is the first): the file has it "
      "without them.",
      count);
  diagnostic.hint = "Give its operations a default value.";
}

// How many point instancers there are: what they place is not part of the model.
void tell_instancers(const stage::Stage& stage, Diagnostics& diagnostics) {
  for (const stage::Prim prim :
       stage.root().descendants(stage::Traversal::with_instance_proxies())) {
    if (prim.schema_type() != stage::SchemaType::point_instancer) continue;
    Diagnostic& diagnostic = diagnostics.emplace_back();
    diagnostic.severity = Severity::info;
    diagnostic.code = "engine-instancer-skipped";
    diagnostic.path = prim.path().str();
    const stage::Attribute indices = prim.attribute("protoIndices");
    diagnostic.message = fmt::format("The point instancer is left out, with its {} instances.",
                                     indices ? indices.value().size() : 0);
  }
}

}  // namespace

ExitStatus export_engines(const ExportOptions& all, Reporter& reporter) {
  const ExportEnginesOptions& options = all.engines;
  std::string problem;
  const std::optional<Format> format = format_of(all, problem);
  if (!format) return reporter.usage_error(problem);
  exporter::EngineOptions engine;
  physics::ReadOptions read;
  read.nested_bodies = all.nested_bodies;
  problem = convert(options, *format, engine, read);
  if (!problem.empty()) return reporter.usage_error(problem);

  Diagnostics diagnostics;
  const auto stage = open_stage(all.file, all.common, diagnostics);
  if (!stage) return reporter.open_failed(all.file, stage.error(), diagnostics);
  if (Status good = check_output(**stage, all.output, "export"); !good && !options.check_only) {
    return reporter.usage_error(good.error().message);
  }
  const stage::Prim root = options.root.empty() ? stage::Prim() : (*stage)->prim(options.root);
  if (!options.root.empty()) {
    if (!root) {
      const bool is_path = options.root.starts_with('/');
      return reporter.usage_error("export: --root names '" + options.root +
                                  "', where there is no prim" +
                                  (is_path ? "" : "; paths of prims begin with '/'"));
    }
    read.include_paths = paths_of_root(**stage, root.path());
  }
  const stage::Prim named = (*stage)->default_prim();
  engine.robot_name = named ? std::string(named.name().view()) : utf8_of(path_of(all.file).stem());
  const physics::PhysicsModel model = physics::read_physics(**stage, diagnostics, read);
  stage::check_metrics(**stage, diagnostics);
  tell_nothing(model, diagnostics);
  if (root) tell_cut(**stage, model, root, diagnostics);
  tell_motion(**stage, model, diagnostics);
  tell_instancers(**stage, diagnostics);
  if (options.visual) {
    engine.visuals = exporter::visual_shapes(root ? root : (*stage)->root(), model, diagnostics);
  }
  const exporter::EngineFile file = *format == Format::mjcf
                                        ? exporter::write_mjcf(model, engine, diagnostics)
                                        : exporter::write_urdf(model, engine, diagnostics);
  add_places(diagnostics, **stage);
  reporter.report(diagnostics, all.file);
  if (all.json) print_mapping(file, diagnostics);
  if (!options.check_only) {
    const std::filesystem::path folder = path_of(all.output).parent_path();
    for (const exporter::EngineMesh& mesh : file.meshes) {
      const ExitStatus written =
          write_output(utf8_of(folder / path_of(mesh.name)), mesh.text, reporter);
      if (written != ExitStatus::success) return written;
    }
    const ExitStatus written = write_output(all.output, file.text, reporter);
    if (written != ExitStatus::success) return written;
  }
  return has_error(diagnostics, "engine-") ? ExitStatus::file_error : ExitStatus::success;
}

}  // namespace sinew::tool
