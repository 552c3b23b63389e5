// SPDX-License-Identifier: Apache-2.0
#include "sinew/stage/stage.hpp"

#include <utility>

#include "core/format_text.hpp"
#include "core/report.hpp"
#include "sinew/stage/package_resolver.hpp"
#include "stage/composer.hpp"
#include "stage/layer_formats.hpp"
#include "stage/layer_registry.hpp"
#include "stage/shared/interpolation.hpp"
#include "stage/stage_impl.hpp"

namespace sinew::stage {

namespace {

using layer::Value;

// A field of the session layer, else of the root layer.
const Value* stage_field(const Stage::Impl& impl, std::string_view key) {
  if (impl.session != nullptr) {
    if (const Value* value = impl.session->field(key)) return value;
  }
  return impl.layers.front()->field(key);
}

std::optional<double> number(const Stage::Impl& impl, std::string_view key) {
  const Value* value = stage_field(impl, key);
  return value == nullptr ? std::nullopt : value->get<double>();
}

// A time of the session layer, else of the root layer: by its name or by its old one.
std::optional<double> time_field(const Stage::Impl& impl, std::string_view key,
                                 std::string_view old_key) {
  for (const layer::Layer* layer : {impl.session.get(), impl.layers.front().get()}) {
    if (layer == nullptr) continue;
    for (const std::string_view name : {key, old_key}) {
      const Value* value = layer->field(name);
      if (const auto time = value == nullptr ? std::nullopt : value->get<double>()) return time;
    }
  }
  return std::nullopt;
}

// Whether one layer says both when the stage starts and when it ends, by names of one kind.
bool has_range_in_one_layer(const Stage::Impl& impl) {
  for (const layer::Layer* layer : {impl.session.get(), impl.layers.front().get()}) {
    if (layer == nullptr) continue;
    const auto has = [layer](std::string_view key) { return layer->field(key) != nullptr; };
    if (has("startTimeCode") && has("endTimeCode")) return true;
    if (has("startFrame") && has("endFrame")) return true;
  }
  return false;
}

Metrics read_metrics(const Stage::Impl& impl, double rate) {
  Metrics metrics;
  if (const Value* value = stage_field(impl, "upAxis"); value != nullptr && value->text()) {
    metrics.up_axis = *value->text();
    metrics.has_up_axis = true;
    // Some exporters write it in lower case.
    if (impl.rules == Rules::documented && metrics.up_axis.size() == 1 &&
        metrics.up_axis[0] >= 'x' && metrics.up_axis[0] <= 'z') {
      metrics.up_axis[0] = static_cast<char>(metrics.up_axis[0] - 'x' + 'X');
    }
  }
  if (const auto value = number(impl, "metersPerUnit")) {
    metrics.meters_per_unit = *value;
    metrics.has_meters_per_unit = true;
  }
  if (const auto value = number(impl, "kilogramsPerUnit")) {
    metrics.kilograms_per_unit = *value;
    metrics.has_kilograms_per_unit = true;
  }
  // As written, even where it is of no use; times are scaled by `rate`.
  metrics.time_codes_per_second = number(impl, "timeCodesPerSecond").value_or(rate);
  metrics.frames_per_second = number(impl, "framesPerSecond").value_or(24.0);
  const auto start = time_field(impl, "startTimeCode", "startFrame");
  const auto end = time_field(impl, "endTimeCode", "endFrame");
  metrics.start_time_code = start.value_or(0.0);
  metrics.end_time_code = end.value_or(0.0);
  metrics.has_time_code_range =
      start && end && (impl.rules == Rules::documented || has_range_in_one_layer(impl));
  if (const Value* value = stage_field(impl, "defaultPrim"); value != nullptr && value->text()) {
    metrics.default_prim = *value->text();
  }
  return metrics;
}

PackageResolver package_resolver(const OpenOptions& options, FileResolver& files,
                                 Diagnostics& diagnostics) {
  PackageResolver::Options of_packages;
  of_packages.rules = options.rules;
  of_packages.closed_packages = options.closed_packages;
  of_packages.max_bytes = options.limits.file_bytes;
  AssetResolver& outside = options.resolver != nullptr ? *options.resolver : files;
  return {outside, diagnostics, of_packages};
}

Result<layer::LayerPtr> resolve_layer(const std::string& file, AssetResolver& resolver,
                                      Diagnostics& diagnostics, const OpenOptions& options,
                                      usdc::Unpack unpack) {
  const std::size_t errors_before = count(diagnostics, Severity::error);
  const auto fail = [&](const Error& error) {
    // What is wrong with a package was said where it was found.
    if (count(diagnostics, Severity::error) != errors_before) return error;
    report(&diagnostics, Severity::error,
           error.code == ErrorCode::not_found ? "stage-not-found" : "stage-unreadable",
           {.file = file}, format_text("The layer cannot be read: {}.", inside_sentence(error)));
    return error;
  };
  const Result<std::string> identifier = resolver.resolve(file, {});
  if (!identifier) return fail(identifier.error());
  // What the layer does not share of the bytes is let go: composition needs the memory more.
  const Result<Bytes> bytes = resolver.read(*identifier, options.limits.file_bytes);
  if (!bytes) return fail(bytes.error());
  return read_layer(*bytes, *identifier, diagnostics, options, nullptr, unpack);
}

}  // namespace

Stage::Stage(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Stage::~Stage() = default;

Result<std::shared_ptr<const Stage>> Stage::open(const std::string& file, Diagnostics& diagnostics,
                                                 const OpenOptions& options) {
  FileResolver files;
  PackageResolver resolver = package_resolver(options, files, diagnostics);
  Result<layer::LayerPtr> layer =
      resolve_layer(file, resolver, diagnostics, options, usdc::Unpack::when_used);
  if (!layer) return std::move(layer).error();
  return compose(*std::move(layer), diagnostics, options, resolver);
}

Result<std::shared_ptr<const Stage>> Stage::open(layer::LayerPtr root_layer,
                                                 Diagnostics& diagnostics,
                                                 const OpenOptions& options) {
  if (root_layer == nullptr) {
    return Error{ErrorCode::invalid_argument, "the root layer is null."};
  }
  FileResolver files;
  PackageResolver resolver = package_resolver(options, files, diagnostics);
  return compose(std::move(root_layer), diagnostics, options, resolver);
}

Result<layer::LayerPtr> read_layer(const std::string& file, Diagnostics& diagnostics,
                                   const OpenOptions& options) {
  FileResolver files;
  PackageResolver resolver = package_resolver(options, files, diagnostics);
  // Whoever asks for one layer wants to know of all its damage.
  return resolve_layer(file, resolver, diagnostics, options, usdc::Unpack::at_once);
}

Result<std::shared_ptr<const Stage>> Stage::compose(layer::LayerPtr root_layer,
                                                    Diagnostics& diagnostics,
                                                    const OpenOptions& options,
                                                    AssetResolver& resolver) {
  auto impl = std::make_unique<Impl>();
  impl->rules = options.rules;
  impl->interpolation = options.interpolation;
  impl->tokens = root_layer->tokens();
  LayerRegistry registry(options, resolver, impl->tokens, diagnostics);
  const std::uint32_t root = registry.adopt(std::move(root_layer));
  std::uint32_t session = 0;
  bool has_session = false;
  if (!options.session_layer.empty()) {
    const Result<std::uint32_t> loaded = registry.load(options.session_layer, root);
    if (!loaded) return loaded.error();
    session = *loaded;
    has_session = true;
    impl->session = registry.layers()[session];
  }
  const LayerStack* stack = registry.stack(root, nullptr, has_session ? &session : nullptr);
  Composer composer(options, registry, *impl);
  composer.run(*stack);
  impl->layers = registry.layers();
  impl->metrics = read_metrics(*impl, stack->rate);
  return std::shared_ptr<const Stage>(new Stage(std::move(impl)));
}

Prim Stage::root() const noexcept {
  return StageAccess::prim(*this, 0, 0);
}

Prim Stage::prim(std::string_view path) const noexcept {
  if (path.empty() || path.front() != '/') return {};
  Prim prim = root();
  path.remove_prefix(1);
  while (!path.empty()) {
    const std::size_t slash = path.find('/');
    prim = prim.child(find_token(path.substr(0, slash)));
    if (!prim || slash == std::string_view::npos) return prim;
    path.remove_prefix(slash + 1);
    if (path.empty()) return {};
  }
  return prim;
}

Prim Stage::default_prim() const noexcept {
  const std::string_view name = impl_->metrics.default_prim;
  if (name.empty() || name == "/") return {};  // The root is no prim that can be referenced.
  return name.front() == '/' ? prim(name) : prim('/' + std::string(name));
}

const Metrics& Stage::metrics() const noexcept {
  return impl_->metrics;
}
Rules Stage::rules() const noexcept {
  return impl_->rules;
}

const layer::Value* Stage::metadata(std::string_view key) const noexcept {
  return stage_field(*impl_, key);
}

Token Stage::find_token(std::string_view text) const noexcept {
  return impl_->tokens->find(text);
}

std::size_t Stage::prim_count() const noexcept {
  return impl_->nodes.size() - impl_->trees.size();  // Without the root and prototype roots.
}

std::span<const layer::LayerPtr> Stage::layers() const noexcept {
  return impl_->layers;
}

Interpolation interpolation_of(const Stage& stage) noexcept {
  return impl_of(stage).interpolation;
}

}  // namespace sinew::stage
