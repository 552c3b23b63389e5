// SPDX-License-Identifier: Apache-2.0
#include "stage/layer_registry.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <set>

#include "core/files.hpp"
#include "core/format_text.hpp"
#include "core/report.hpp"
#include "core/shown.hpp"
#include "core/sort.hpp"
#include "core/usable_unit.hpp"
#include "layer/shared/layer_assembly.hpp"
#include "layer/shared/layer_impl.hpp"
#include "sinew/usdz/package_path.hpp"
#include "stage/key_bytes.hpp"
#include "stage/layer_formats.hpp"
#include "stage/stage_impl.hpp"

namespace sinew::stage {

namespace {

using layer::Value;

std::optional<double> number_field(const layer::Layer& layer, std::string_view key) {
  const Value* value = layer.field(key);
  return value == nullptr ? std::nullopt : value->get<double>();
}

// Time codes per second by what the first of some layers says; frames count where none says more.
double rate_of(std::initializer_list<const layer::Layer*> layers) {
  constexpr double kFallback = 24.0;
  for (const std::string_view key : {"timeCodesPerSecond", "framesPerSecond"}) {
    for (const layer::Layer* layer : layers) {
      if (const auto rate = number_field(*layer, key)) {
        return is_usable_unit(*rate) ? *rate : kFallback;
      }
    }
  }
  return kFallback;
}

}  // namespace

void LayerRegistry::report(Severity severity, std::string_view code, std::string message,
                           std::uint32_t layer, std::uint32_t line, std::string_view path) {
  sinew::report(&diagnostics_, severity, code, {layers_[layer]->identifier(), line, path},
                std::move(message));
}

std::uint32_t LayerRegistry::adopt(layer::LayerPtr layer) {
  const auto index = static_cast<std::uint32_t>(layers_.size());
  by_identifier_.emplace(layer->identifier(), index);
  prims_read_ += layer->prim_count();
  has_fills_ = has_fills_ || layer::LayerAccess::has_fills(*layer);
  layers_.push_back(std::move(layer));
  return index;
}

Result<std::uint32_t> LayerRegistry::load(std::string_view asset_path, std::uint32_t anchor) {
  Result<std::string> identifier = resolver_.resolve_on_stage(
      asset_path, layers_[anchor]->identifier(), layers_.front()->identifier());
  if (!identifier) return std::move(identifier).error();
  return load_resolved(*identifier);
}

bool LayerRegistry::exists(std::string_view asset_path, std::uint32_t anchor) {
  return resolver_
      .resolve_on_stage(asset_path, layers_[anchor]->identifier(), layers_.front()->identifier())
      .has_value();
}

bool LayerRegistry::is_found_elsewhere(std::string_view asset_path, std::uint32_t anchor,
                                       const std::string& found) {
  const std::string_view asset = split_format_arguments(asset_path).path;
  const std::string& from = layers_[anchor]->identifier();
  if (asset.starts_with("./") || asset.starts_with("../") || is_absolute_name(std::string(asset)) ||
      asset.find("://") != std::string_view::npos || usdz::is_package_path(from)) {
    return false;
  }
  const std::string_view folder = std::string_view(from).substr(0, from.rfind('/') + 1);
  if (found.size() == folder.size() + asset.size() && found.starts_with(folder) &&
      found.ends_with(asset)) {
    return false;
  }
  const Result<std::string> beside = resolver_.resolve(format_text("./{}", asset), from);
  return !beside || *beside != found;
}

Result<std::uint32_t> LayerRegistry::load_resolved(const std::string& identifier) {
  const auto known = by_identifier_.find(identifier);
  if (known != by_identifier_.end()) return known->second;
  const auto failed = failed_.find(identifier);
  if (failed != failed_.end()) return failed->second;
  const auto fail = [&](Error error) -> Result<std::uint32_t> {
    failed_.emplace(identifier, error);
    return error;
  };
  if (layers_.size() >= options_.limits.layers) {
    return fail(
        {ErrorCode::limit_exceeded,
         format_text("the stage has more layers than the limit of {}.", options_.limits.layers)});
  }
  const auto& muted = options_.muted_layers;
  if (std::find(muted.begin(), muted.end(), identifier) != muted.end()) {
    return adopt(layer::LayerAssembly(identifier, tokens_, {}).finish());
  }
  Result<Bytes> bytes = resolver_.read(identifier, options_.limits.file_bytes);
  if (!bytes) return fail(std::move(bytes).error());
  Result<layer::LayerPtr> layer = read_layer(*bytes, identifier, diagnostics_, options_, tokens_);
  if (!layer) return fail(std::move(layer).error());
  return adopt(*std::move(layer));
}

double LayerRegistry::rate_of(std::uint32_t layer) const {
  return stage::rate_of({layers_[layer].get()});
}

std::optional<std::string> LayerRegistry::evaluate(std::string_view text, const LayerStack& stack,
                                                   std::uint32_t layer) {
  if (!is_expression(text)) return std::string(text);
  const Result<ExpressionValue> value =
      evaluate_expression(text, [&](std::string_view name) -> std::optional<ExpressionValue> {
        const auto found = stack.variables.find(name);
        if (found == stack.variables.end()) return std::nullopt;
        return found->second;
      });
  if (value) {
    if (const auto* result = std::get_if<std::string>(&value->data)) return *result;
    if (std::holds_alternative<std::monostate>(value->data)) return std::string();
  }
  report(Severity::error, "stage-bad-expression",
         value ? format_text("The expression '{}' does not give a string.", text)
               : format_text("The expression '{}' cannot be evaluated: {}.", text,
                             inside_sentence(value.error())),
         layer, 0);
  return std::nullopt;
}

const LayerStack* LayerRegistry::stack(std::uint32_t root, const LayerStack* referencing,
                                       const std::uint32_t* session) {
  auto made = std::make_unique<LayerStack>();
  made->root = root;
  read_variables(*made, referencing, session);
  // Who overrides the variables is part of what a stack is, even if they come out the same.
  const LayerStack* const source = referencing == nullptr ? nullptr : referencing->variables_source;
  made->variables_source =
      referencing != nullptr && made->variables == referencing->variables ? source : made.get();
  // The stage's own stack, with or without a session layer, is not that of an arc to its file.
  std::string key;
  append_bytes(key, root, source);
  const auto known = stacks_.find(key);
  if (known != stacks_.end()) return known->second.get();

  made->rate = session == nullptr ? rate_of(root)
                                  : stage::rate_of({layers_[*session].get(), layers_[root].get()});
  std::vector<std::uint32_t> open;
  if (session != nullptr) {
    add_layer(*made, *session, {0.0, made->rate / rate_of(*session)}, open);
  }
  add_layer(*made, root, {0.0, made->rate / rate_of(root)}, open);
  for (const StackLayer& at : made->layers) first_places_[at.layer] = 0;
  read_relocates(*made);
  return stacks_.emplace(key, std::move(made)).first->second.get();
}

void LayerRegistry::add_layer(LayerStack& stack, std::uint32_t layer,
                              const layer::LayerOffset& offset, std::vector<std::uint32_t>& open) {
  // Layers that name others twice make a stack as large as two to the power of their number, and
  // every prim of the last one has so many opinions.
  constexpr std::size_t kFewLayers = 1000;
  constexpr std::size_t kRepeats = 16;
  const std::size_t most = std::min<std::size_t>(
      options_.limits.layers, std::max<std::size_t>(kFewLayers, kRepeats * layers_.size()));
  if (stack.layers.size() >= most) {
    if (!stack_limit_told_) {
      report(Severity::error, "stage-limit",
             most == options_.limits.layers
                 ? format_text("A layer stack has more layers than the limit of {}.", most)
                 : format_text("A layer stack repeats its layers up to more than the limit of {}.",
                               most),
             layer, 0);
    }
    stack_limit_told_ = true;
    return;
  }
  constexpr std::size_t kMaxDepth = 1000;
  if (open.size() >= kMaxDepth) {
    report(Severity::error, "stage-limit",
           format_text("Sublayers nest deeper than the limit of {}.", kMaxDepth), layer, 0);
    return;
  }
  open.push_back(layer);
  stack.layers.push_back({layer, offset, offset});
  if (first_places_.size() < layers_.size()) first_places_.resize(layers_.size(), 0);
  std::uint32_t& place = first_places_[layer];
  if (place == 0) place = static_cast<std::uint32_t>(stack.layers.size());
  stack.layers.back().value_offset = stack.layers[place - 1].offset;
  const layer::LayerPtr parent = layers_[layer];  // Loading may move the table.
  for (const layer::SubLayer& sub_layer : parent->sub_layers()) {
    const std::string asset = evaluate(sub_layer.asset.view(), stack, layer).value_or("");
    if (asset.empty()) {
      if (!sub_layer.asset.empty()) continue;  // What an expression lacks has been told.
      report(Severity::warning, "stage-missing-sublayer",
             "A sublayer that is named by an empty path is left out.", layer, sub_layer.line);
      continue;
    }
    const Result<std::uint32_t> loaded = load(asset, layer);
    if (!loaded) {
      const bool limit = loaded.error().code == ErrorCode::limit_exceeded;
      report(limit ? Severity::error : Severity::warning, "stage-missing-sublayer",
             format_text("The sublayer @{}@ is left out: {}.", shown(asset),
                         inside_sentence(loaded.error())),
             layer, sub_layer.line);
      continue;
    }
    if (std::find(open.begin(), open.end(), *loaded) != open.end()) {
      report(Severity::error, "stage-sublayer-cycle",
             format_text("The sublayer @{}@ contains itself; it is left out there.", shown(asset)),
             layer, sub_layer.line);
      continue;
    }
    layer::LayerOffset own = sub_layer.offset;
    if (!std::isfinite(own.offset) || !std::isfinite(own.scale) || own.scale <= 0.0) {
      report(Severity::error, "stage-bad-offset",
             format_text("The offset of sublayer @{}@ is not usable and is ignored.", shown(asset)),
             layer, sub_layer.line);
      own = {};
    }
    own.scale *= rate_of(layer) / rate_of(*loaded);
    add_layer(stack, *loaded, compose(offset, own), open);
  }
  open.pop_back();
}

void LayerRegistry::read_variables(LayerStack& stack, const LayerStack* referencing,
                                   const std::uint32_t* session) {
  const auto take = [&](const layer::Layer& layer) {
    const Value* value = layer.field("expressionVariables");
    if (value == nullptr || value->as_dictionary() == nullptr) return;
    for (const layer::DictionaryEntry& entry : *value->as_dictionary()) {
      stack.variables.try_emplace(entry.key.str(), expression_value(entry.value));
    }
  };
  if (referencing != nullptr) stack.variables = referencing->variables;
  if (session != nullptr) take(*layers_[*session]);
  take(*layers_[stack.root]);
}

void LayerRegistry::read_relocates(LayerStack& stack) {
  constexpr int kMaxMoves = 64;  // Entries could make one another ever longer.
  struct Entry {
    layer::Path target;
    std::uint32_t layer = 0;  // That states it.
  };
  const auto refuse = [&](const layer::Path& source, const layer::Path& target,
                          std::uint32_t layer) {
    report(Severity::error, "stage-bad-relocate",
           format_text("The relocate from <{}> to <{}> is not valid and is ignored.", source.view(),
                       target.view()),
           layer, 0);
  };
  // An entry that is wrong in itself does not get in the way of others.
  const auto is_possible = [](const layer::Relocate& relocate) {
    return !relocate.source.parent().is_root() &&
           (relocate.target.empty() || (!relocate.target.has_prefix(relocate.source) &&
                                        !relocate.source.has_prefix(relocate.target)));
  };
  std::map<layer::Path, Entry> all;
  for (const StackLayer& layer : stack.layers) {
    for (const layer::Relocate& relocate : layers_[layer.layer]->relocates()) {
      if (is_possible(relocate)) {
        all.try_emplace(relocate.source, Entry{relocate.target, layer.layer});
      } else {
        refuse(relocate.source, relocate.target, layer.layer);
      }
    }
  }
  if (all.empty()) return;
  std::map<layer::Path, int> target_count;
  for (const auto& [source, entry] : all) {
    if (!entry.target.empty()) ++target_count[entry.target];
  }
  const auto below_a_source = [&](const layer::Path& path) {
    for (layer::Path p = path.parent(); !p.empty() && !p.is_root(); p = p.parent()) {
      if (all.contains(p)) return true;
    }
    return false;
  };
  std::set<layer::Path> invalid;
  for (const auto& [source, entry] : all) {
    const layer::Path& target = entry.target;
    const bool repeated = !target.empty() && target_count[target] > 1;
    if (repeated || below_a_source(source) || (!target.empty() && below_a_source(target))) {
      invalid.insert(source);
    }
    if (!target.empty() && all.contains(target)) {  // Chained.
      invalid.insert(source);
      invalid.insert(target);
    }
  }
  std::map<layer::Path, layer::Path> source_of;
  for (const auto& [source, entry] : all) {
    const layer::Path& target = entry.target;
    if (invalid.contains(source)) {
      refuse(source, target, entry.layer);
      continue;
    }
    if (target.empty()) {
      stack.relocates.emplace(source, target);
    } else {
      source_of.emplace(target, source);
    }
  }
  // A source may be below another entry's target, but not without end.
  for (const auto& [target, source] : source_of) {
    layer::Path full = source;
    int moves = 0;
    for (layer::Path above = full; !above.empty() && !above.is_root(); above = above.parent()) {
      const auto moved = source_of.find(above);
      if (moved == source_of.end()) continue;
      full = full.replace_prefix(above, moved->second);
      above = full;
      if (++moves == kMaxMoves) break;
    }
    if (moves == kMaxMoves) {
      refuse(source, target, all.at(source).layer);
      continue;
    }
    stack.relocates.emplace(source, target);
    stack.relocate_sources.emplace(target, source);
    stack.full_relocates.emplace_back(source, target);
    if (full == source) continue;
    stack.nested_relocates.emplace(source, full);
    stack.full_relocates.emplace_back(std::move(full), target);
  }
  sort_range(stack.full_relocates.begin(), stack.full_relocates.end());
}

}  // namespace sinew::stage
