// SPDX-License-Identifier: Apache-2.0
#include "web/web_stage.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "core/read_double.hpp"
#include "sinew/core/simd.hpp"
#include "sinew/export/glb.hpp"
#include "sinew/export/physics_json.hpp"
#include "sinew/physics/read/read_physics.hpp"
#include "sinew/skel/read/bindings.hpp"
#include "web/collision_json.hpp"
#include "web/surface.hpp"

namespace sinew::web {

namespace {

constexpr std::size_t kMostDiagnostics = 10'000;
constexpr std::size_t kMostCharacters = 10'000;
constexpr std::size_t kMostMeshes = 100'000;
constexpr std::string_view kSession = "(session)";

void write_diagnostics(exporter::JsonSink& json, const Diagnostics& diagnostics) {
  for (const Diagnostic& diagnostic : diagnostics) {
    json.begin_object();
    json.member("severity", to_string(diagnostic.severity));
    json.member("code", diagnostic.code);
    json.member("message", diagnostic.message);
    json.member("file", diagnostic.file);
    json.member("line", diagnostic.line);
    json.member("column", diagnostic.column);
    json.member("path", diagnostic.path);
    json.member("excerpt", diagnostic.excerpt);
    json.member("hint", diagnostic.hint);
    json.end_object();
  }
}

/// Asks for the images that materials read and nobody gave.
void find_textures(const stage::Stage& stage, const std::vector<std::string>& materials,
                   stage::PackageResolver& resolver, DroppedFiles& files) {
  for (const std::string& path : materials) {
    for (const stage::Prim prim :
         stage.prim(path).descendants(stage::Traversal::with_instance_proxies())) {
      if (!prim.is_a(stage::SchemaType::shader)) continue;
      const stage::Attribute file = prim.attribute("inputs:file");
      if (!file) continue;
      const ImagePlace image = find_image(file, resolver);
      if (image.identifier.find("<UDIM>") != std::string::npos) continue;
      if (!image.is_found) files.miss(image.identifier);
    }
  }
}

}  // namespace

WebStage::WebStage(std::unique_ptr<OpenRequest> request) : request_(std::move(request)) {}

Result<std::unique_ptr<WebStage>> WebStage::open(std::unique_ptr<OpenRequest> request,
                                                 const std::string& root) {
  std::unique_ptr<WebStage> opened(new WebStage(std::move(request)));
  OpenRequest& asked = *opened->request_;
  opened->root_ = root;
  asked.options.resolver = &asked.files;
  if (!asked.animations.empty()) {
    asked.files.add(std::string(kSession), session_layer_of(asked.animations));
    asked.options.session_layer = kSession;
  }
  auto stage = stage::Stage::open(root, opened->diagnostics_, asked.options);
  if (!stage) {
    Error error = std::move(stage).error();
    // The diagnostic knows where.
    for (const Diagnostic& diagnostic : opened->diagnostics_) {
      if (diagnostic.severity != Severity::error || error.line != 0) continue;
      error.line = diagnostic.line;
      error.column = diagnostic.column;
    }
    return error;
  }
  opened->stage_ = *std::move(stage);
  opened->read();
  return opened;
}

void WebStage::read() {
  materials_.emplace(*stage_, "");
  resolver_.emplace(request_->files, diagnostics_, stage::PackageResolver::Options());
  const double meters = stage_->metrics().meters_per_unit;

  std::vector<stage::Prim> skinned;
  for (const skel::SkeletonBinding& binding : skel::read_bindings(*stage_, diagnostics_)) {
    if (characters_.size() == kMostCharacters) break;
    for (const skel::SkinTarget& target : binding.targets) skinned.push_back(target.prim);
    characters_.emplace_back(binding, meters, *materials_, diagnostics_);
  }
  meshes_.read(*stage_, skinned, *materials_, kMostMeshes, diagnostics_);
  meshes_.pose(stage_->metrics().start_time_code, meters, *materials_);
  for (const stage::Prim prim :
       stage_->root().descendants(stage::Traversal::with_instance_proxies())) {
    if (prim.is_a(stage::SchemaType::material)) material_paths_.push_back(prim.path().str());
  }
  find_textures(*stage_, material_paths_, *resolver_, request_->files);
  if (diagnostics_.size() > kMostDiagnostics) diagnostics_.resize(kMostDiagnostics);
}

void WebStage::write_metrics(exporter::JsonSink& json) const {
  const stage::Metrics& metrics = stage_->metrics();
  json.begin_object();
  json.member("upAxis", metrics.up_axis);
  json.member("metersPerUnit", metrics.meters_per_unit);
  json.member("kilogramsPerUnit", metrics.kilograms_per_unit);
  json.member("timeCodesPerSecond", metrics.time_codes_per_second);
  json.member("framesPerSecond", metrics.frames_per_second);
  json.member("startTimeCode", metrics.start_time_code);
  json.member("endTimeCode", metrics.end_time_code);
  json.member("hasTimeCodeRange", metrics.has_time_code_range);
  json.member("defaultPrim", metrics.default_prim);
  json.end_object();
}

std::string WebStage::summary() {
  exporter::JsonWriter json;
  json.begin_object();
  json.member("root", root_);
  json.key("metrics");
  write_metrics(json);
  json.member("primCount", stage_->prim_count());
  json.member("byteCount", request_->files.size_in_bytes());
  json.key("layers");
  json.begin_array();
  for (const layer::LayerPtr& layer : stage_->layers()) {
    if (layer->identifier() != kSession) json.value(layer->identifier());
  }
  json.end_array();
  json.list_member("missing", request_->files.missing());
  json.key("characters");
  json.begin_array();
  for (const WebCharacter& character : characters_) character.write(json);
  json.end_array();
  json.key("meshes");
  meshes_.write(json);
  json.key("materials");
  json.begin_array();
  for (const std::string& path : material_paths_) {
    write_surface(json, stage_->prim(path), *resolver_);
  }
  json.end_array();
  json.end_object();
  return json.take();
}

std::string WebStage::diagnostics() const {
  exporter::JsonWriter json;
  json.begin_array();
  write_diagnostics(json, diagnostics_);
  write_diagnostics(json, of_glb_);
  for (const WebCharacter& character : characters_) {
    write_diagnostics(json, character.diagnostics());
  }
  json.end_array();
  return json.take();
}

const physics::PhysicsModel& WebStage::model() {
  if (!model_) {
    model_.emplace(physics::read_physics(*stage_, diagnostics_));
    masses_ = physics::body_masses(*model_, diagnostics_);
  }
  return *model_;
}

const physics::PhysicsModel& WebStage::si_model() {
  if (!si_model_) si_model_.emplace(model().to_si());
  return *si_model_;
}

const physics::PairFilter& WebStage::filter() {
  if (!filter_) filter_.emplace(physics::PairFilter::build(model(), diagnostics_));
  return *filter_;
}

std::string WebStage::physics(bool si) {
  using exporter::PhysicsJsonForm;
  exporter::JsonWriter json;
  json.begin_object();
  if (si) {
    Diagnostics told_before;
    exporter::write_physics_json(json, si_model(), physics::body_masses(si_model(), told_before),
                                 PhysicsJsonForm::resolved);
  } else {
    const physics::PhysicsModel& read = model();
    exporter::write_physics_json(json, read, masses_, PhysicsJsonForm::resolved);
  }
  json.end_object();
  return json.take();
}

std::string WebStage::masses() {
  exporter::JsonWriter json;
  const physics::PhysicsModel& read = model();
  exporter::write_masses_json(json, read, masses_);
  return json.take();
}

Result<std::string> WebStage::collide(std::string_view a, std::string_view b) {
  const auto shapes_of = [this](std::string_view path) {
    std::vector<std::int32_t> shapes;
    for (std::size_t i = 0; i < model().shapes.size(); ++i) {
      const physics::Shape& shape = model().shapes[i];
      if (shape.path == path || shape.body_path == path) {
        shapes.push_back(static_cast<std::int32_t>(i));
      }
    }
    return shapes;
  };
  const std::vector<std::int32_t> first = shapes_of(a);
  const std::vector<std::int32_t> second = shapes_of(b);
  for (const auto& [path, shapes] : {std::pair{a, &first}, std::pair{b, &second}}) {
    if (shapes->empty()) {
      return Error{ErrorCode::not_found, "there is no collider at '" + std::string(path) + "'."};
    }
  }
  exporter::JsonWriter json;
  write_collision(json, model(), filter(), first, second);
  return json.take();
}

const physics::HullMesh* WebStage::shape_mesh(std::uint32_t shape, ShapeForm form) {
  if (shape >= si_model().shapes.size()) return nullptr;
  const physics::Shape& found = si_model().shapes[shape];
  hull_ = form == ShapeForm::hull ? physics::hull_of(found) : physics::triangles_of(found);
  return &hull_;
}

WebCharacter* WebStage::character(std::uint32_t index) noexcept {
  return index < characters_.size() ? &characters_[index] : nullptr;
}

void WebStage::pose_meshes(stage::Time time) {
  meshes_.pose(time, stage_->metrics().meters_per_unit, *materials_);
}

Result<Bytes> WebStage::file(std::string_view identifier) {
  return resolver_->read(identifier, request_->options.limits.file_bytes);
}

Result<std::string> WebStage::glb(std::string_view options) {
  exporter::GlbOptions asked;
  asked.resolver = &*resolver_;
  asked.closed_packages = request_->options.closed_packages;
  while (!options.empty()) {
    const std::size_t end = std::min(options.find('\n'), options.size());
    const std::string_view line = options.substr(0, end);
    options.remove_prefix(std::min(end + 1, options.size()));
    const std::size_t space = std::min(line.find(' '), line.size());
    const std::string_view name = line.substr(0, space);
    const std::string_view value = line.substr(std::min(space + 1, line.size()));
    const auto refuse = [&] {
      return Error{ErrorCode::invalid_argument,
                   std::string(name) + " does not take '" + std::string(value) + "'."};
    };
    const auto flag = [&](bool& option) {
      option = value == "true";
      return option || value == "false";
    };
    bool good = false;
    if (name == "physics") {
      good = flag(asked.physics);
    } else if (name == "materials") {
      good = flag(asked.materials);
    } else if (name == "extras") {
      good = flag(asked.extras);
    } else if (name == "textures") {
      good = value == "embed" || value == "none";
      if (value == "none") asked.textures = exporter::GlbTextures::none;
    } else if (name == "influences") {
      good = value == "4" || value == "8" || value == "all";
      if (value == "8") asked.influences = exporter::GlbInfluences::eight;
      if (value == "all") asked.influences = exporter::GlbInfluences::all;
    } else if (name == "instancing") {
      good = value == "nodes" || value == "gpu";
      if (value == "gpu") asked.instancing = exporter::GlbInstancing::gpu;
    } else if (name == "step") {
      const std::optional<double> step = read_double(value);
      good = step && *step >= 0.0;
      asked.step = step.value_or(0.0);
    } else {
      return Error{ErrorCode::invalid_argument, "there is no option '" + std::string(name) + "'."};
    }
    if (!good) return refuse();
  }
  of_glb_.clear();
  const Result<exporter::GltfFile> written = exporter::write_glb(*stage_, asked, of_glb_);
  if (!written) return written.error();
  return std::string(reinterpret_cast<const char*>(written->bytes.data()), written->bytes.size());
}

}  // namespace sinew::web
