// SPDX-License-Identifier: Apache-2.0
#include "stage/clip_loader.hpp"

#include <algorithm>
#include <utility>

#include "core/format_text.hpp"
#include "core/report.hpp"
#include "core/shown.hpp"
#include "core/sort.hpp"
#include "stage/key_bytes.hpp"

namespace sinew::stage {

namespace {

using layer::Dictionary;
using layer::DictionaryEntry;
using layer::ElementType;
using layer::PrimSpec;
using layer::PropertySpec;
using layer::Value;

std::uint32_t line_of(const PrimSpec& spec, std::string_view key) noexcept {
  for (const layer::Field& field : spec.fields) {
    if (field.key.view() == key) return field.line;
  }
  return spec.line;
}

// Names of the sets that one spec has entries for, in alphabetical order.
std::vector<Token> set_names(const Dictionary& clips) {
  std::vector<Token> names;
  for (const DictionaryEntry& entry : clips) {
    if (entry.value.as_dictionary() != nullptr) names.push_back(entry.key);
  }
  sort_range(names.begin(), names.end(), [](Token a, Token b) { return a.view() < b.view(); });
  return names;
}

}  // namespace

void ClipLoader::report(const Entry& at, Severity severity, std::string_view code,
                        std::string message) {
  registry_.report(severity, code, std::move(message), at.opinion->layer, at.line,
                   at.site->path.str());
}

bool ClipLoader::report_limit(const Entry& at, std::string message) {
  report(at, Severity::error, "stage-limit", std::move(message));
  return false;
}

void ClipLoader::report_spent(std::uint32_t layer, std::uint32_t line) {
  if (spent_reported_) return;
  spent_reported_ = true;
  registry_.report(Severity::error, "stage-limit",
                   format_text("The value clips of the stage have more entries than the limit of "
                               "{}; the rest is left out.",
                               options_.limits.clip_entries),
                   layer, line);
}

bool ClipLoader::spend(std::uint64_t entries) noexcept {
  const std::uint64_t left = options_.limits.clip_entries - spent_;
  if (entries > left) return false;
  spent_ += entries;
  return true;
}

// The sets of a prim, each entry from the strongest opinion that has it. A site leaves out sets
// that its `clipSets` take away, and orders the others.
std::vector<ClipLoader::Definition> ClipLoader::compose(std::span<const ClipSite> sites) {
  std::vector<Definition> definitions;
  std::unordered_map<Token, std::uint32_t> by_name;
  for (std::uint32_t rank = 0; rank < sites.size(); ++rank) {
    const ClipSite& site = sites[rank];
    std::vector<Token> listed;
    bool has_clips = false;  // What layers below all clips say about sets does not count.
    for (auto opinion = site.opinions.rbegin(); opinion != site.opinions.rend(); ++opinion) {
      const Value* clips = opinion->spec->field("clips");
      if (clips != nullptr && clips->as_dictionary() != nullptr) {
        has_clips = true;
        layer::ListOp<Token> add;
        add.added = set_names(*clips->as_dictionary());
        apply_list_op(add, listed);
      }
      const Value* edits = opinion->spec->field("clipSets");
      if (has_clips && edits != nullptr && edits->as_token_list_op() != nullptr) {
        apply_list_op(*edits->as_token_list_op(), listed);
      }
    }
    std::unordered_map<Token, std::uint32_t> place;
    for (std::uint32_t i = 0; i < listed.size(); ++i) place.emplace(listed[i], i);
    for (const ClipSite::Opinion& opinion : site.opinions) {
      const Value* clips = opinion.spec->field("clips");
      if (clips == nullptr || clips->as_dictionary() == nullptr) continue;
      const std::uint32_t line = line_of(*opinion.spec, "clips");
      for (const DictionaryEntry& set : *clips->as_dictionary()) {
        if (set.value.as_dictionary() == nullptr) {
          report(
              {&set.value, &site, &opinion, line}, Severity::warning, "stage-bad-clips",
              format_text("The clip set '{}' is not a dictionary and is ignored.", set.key.view()));
          continue;
        }
        const auto listed_at = place.find(set.key);
        if (listed_at == place.end()) continue;
        const auto [found, added] =
            by_name.try_emplace(set.key, static_cast<std::uint32_t>(definitions.size()));
        if (added) definitions.emplace_back().name = set.key;
        Definition& definition = definitions[found->second];
        const Entry at = {&set.value, &site, &opinion, line};
        definition.parts.push_back({at, rank, listed_at->second});
        for (std::size_t key = 0; key < kKeyCount; ++key) {
          const Value* value = entry_of(definition.parts.back(), static_cast<Key>(key));
          if (value == nullptr || definition.entries[key].value != nullptr) continue;
          definition.entries[key] = {value, &site, &opinion, line};
        }
      }
    }
  }
  for (Definition& definition : definitions) place(definition);
  return definitions;
}

ClipLoader::Scope ClipLoader::enter(Scope outer, std::span<const ClipSite> sites) {
  std::vector<Definition> definitions = compose(sites);
  // The place that names the clips is where the set ranks among the other opinions.
  stable_sort_range(definitions.begin(), definitions.end(),
                    [](const Definition& a, const Definition& b) {
                      if (a.anchor.site_rank != b.anchor.site_rank) {
                        return a.anchor.site_rank < b.anchor.site_rank;
                      }
                      return a.anchor.list_rank < b.anchor.list_rank;
                    });
  ScopeEntry scope;
  scope.outer = outer;
  for (const Definition& definition : definitions) {
    if (const auto binding = bind(definition)) scope.bindings.push_back(*binding);
  }
  if (scope.bindings.empty()) return outer;
  scopes_.push_back(std::move(scope));
  return static_cast<Scope>(scopes_.size() - 1);
}

ClipLoader::Scope ClipLoader::below_instance(Scope scope, Scope outer) {
  if (scope == outer) return 0;
  scopes_.push_back({0, scopes_[scope].bindings});
  return static_cast<Scope>(scopes_.size() - 1);
}

// Whether times of the stage are times of the clips: offsets move when clips are active, but where
// `times` says nothing of a clip's time, they do not move that.
bool ClipLoader::keeps_stage_times(const Definition& definition) {
  if (definition.entries[kAssetPaths].value == nullptr ||
      !is_array_of(*definition.entries[kAssetPaths].value, ElementType::asset)) {
    return false;  // A template has times.
  }
  const Value* times = definition.entries[kTimes].value;
  return times == nullptr || !is_array_of(*times, ElementType::double2) || times->size() == 0;
}

std::optional<std::uint32_t> ClipLoader::bind(const Definition& definition) {
  const Entry& anchor = definition.anchor.at;
  std::string key;
  for (const Entry& entry : definition.entries) {
    append_bytes(key, entry.value);
    if (entry.value != nullptr) append_bytes(key, entry.opinion->layer, entry.site->stack);
  }
  if (anchor.value != nullptr) {
    const layer::LayerOffset& from = definition.times_from;
    const layer::LayerOffset& to = definition.times_to;
    append_bytes(key, anchor.opinion->layer, anchor.site->stack, to_layer_time(from.offset, to),
                 from.scale / to.scale);
  }
  const bool is_on_stage = keeps_stage_times(definition);
  if (is_on_stage) append_bytes(key, definition.frame.offset, definition.frame.scale);
  const auto [found, added] = sets_.try_emplace(key);
  if (added) found->second = load(definition);
  const std::shared_ptr<const ClipSet>& set = found->second;
  if (set == nullptr) return std::nullopt;
  const layer::LayerOffset offset = is_on_stage ? layer::LayerOffset() : definition.frame;
  std::string binding_key;
  append_bytes(binding_key, set.get(), offset.offset, offset.scale, anchor.site->stack,
               anchor.opinion->stack_layer);
  binding_key += anchor.site->path.view();
  const auto [binding, is_new] =
      bindings_.try_emplace(binding_key, static_cast<std::uint32_t>(table_.bindings.size()));
  if (is_new) {
    table_.bindings.push_back(
        {set, offset, anchor.opinion->layer, anchor.opinion->mapping, anchor.site->path});
    anchors_.push_back({anchor.site->stack, anchor.site->path, anchor.opinion->stack_layer});
  }
  return binding->second;
}

// The prim of the clips that stands for `path`, with `anchor` for the first one. What a variant of
// that one holds has no place in clips: the site without the variant stands for it.
std::optional<std::uint32_t> ClipLoader::find_prim(const ClipContents& contents,
                                                   const layer::Path& anchor,
                                                   const layer::Path& path) const {
  std::string_view rest = path.view().substr(anchor.view().size());
  if (contents.prims.empty() || rest.find('{') != std::string_view::npos) return std::nullopt;
  std::uint32_t at = 0;
  while (!rest.empty()) {
    if (rest.front() == '/') rest.remove_prefix(1);
    const std::size_t end = std::min(rest.find('/'), rest.size());
    const auto& children = contents.prims[at].children;
    const auto child = children.find(registry_.find_token(rest.substr(0, end)));
    if (child == children.end()) return std::nullopt;
    at = child->second;
    rest.remove_prefix(end);
  }
  if (contents.prims[at].attributes.empty()) return std::nullopt;
  return at;
}

void ClipLoader::attach(std::uint32_t node, Scope scope, std::span<const ClipSite> sites) {
  std::uint32_t before = 0;
  for (const ClipSite& site : sites) {
    const auto first = static_cast<std::ptrdiff_t>(table_.uses.size());
    for (Scope at = scope; at != 0; at = scopes_[at].outer) {
      for (const std::uint32_t binding : scopes_[at].bindings) {
        if (!spend(1)) {
          report_spent(table_.bindings[binding].layer, 0);
          return;
        }
        const Anchor& anchor = anchors_[binding];
        if (site.stack != anchor.stack || !site.path.has_prefix(anchor.path)) continue;
        const auto prim =
            find_prim(*table_.bindings[binding].set->contents, anchor.path, site.path);
        if (!prim) continue;
        const auto stronger = std::count_if(
            site.opinions.begin(), site.opinions.end(),
            [&](const ClipSite::Opinion& o) { return o.stack_layer <= anchor.stack_layer; });
        table_.uses.push_back(
            {node, before + static_cast<std::uint32_t>(stronger), binding, *prim});
      }
    }
    before += static_cast<std::uint32_t>(site.opinions.size());
    // By the layers that name the clips, whether or not these say anything else here.
    stable_sort_range(table_.uses.begin() + first, table_.uses.end(),
                      [&](const ClipUse& a, const ClipUse& b) {
                        return anchors_[a.binding].stack_layer < anchors_[b.binding].stack_layer;
                      });
  }
}

std::string ClipLoader::key_of(Scope scope, const LayerStack& stack,
                               const layer::Path& path) const {
  std::string key;
  for (Scope at = scope; at != 0; at = scopes_[at].outer) {
    for (const std::uint32_t binding : scopes_[at].bindings) {
      const Anchor& anchor = anchors_[binding];
      if (&stack == anchor.stack && path.has_prefix(anchor.path))
        key += format_text(" {}", binding);
    }
  }
  return key;
}

std::shared_ptr<const ClipTable> ClipLoader::take() {
  if (table_.uses.empty()) return nullptr;
  table_.uses.shrink_to_fit();
  return std::make_shared<const ClipTable>(std::move(table_));
}

std::shared_ptr<const ClipSet> ClipLoader::load(const Definition& definition) {
  const std::string_view name = definition.name.view();
  const Entry& anchor = definition.anchor.at;
  const bool has_template = definition.entries[kTemplate].value != nullptr;
  const bool is_listed = definition.entries[kAssetPaths].value != nullptr;
  if (!has_template && !is_listed) {
    report(definition.parts.front().at, Severity::warning, "stage-bad-clips",
           format_text("The clip set '{}' names no clips (assetPaths or templateAssetPath) and is "
                       "ignored",
                       name));
    return nullptr;
  }
  // A list of another type does not stand in the way of a template.
  const bool templated =
      !is_listed || !is_array(definition, kAssetPaths, ElementType::asset,
                              has_template ? Severity::warning : Severity::error);
  if (templated && !has_template) return nullptr;
  if (anchor.value == nullptr) {
    (void)text(definition, kTemplate, ElementType::string);  // Says why.
    return nullptr;
  }
  const auto refuse = [&](std::string message) {
    report(anchor, Severity::error, "stage-bad-clips",
           format_text("The clip set '{}' is ignored: {}.", name, message));
    return nullptr;
  };
  if (definition.entries[kPrimPath].value == nullptr) return refuse("it has no primPath");
  const std::optional<std::string> prim_path = text(definition, kPrimPath, ElementType::string);
  if (!prim_path) return nullptr;
  const Result<layer::Path> parsed = layer::Path::parse(*prim_path);
  if (!parsed || !parsed->is_absolute() || !parsed->is_prim() || parsed->has_variant_selection()) {
    return refuse(format_text("its primPath '{}' is not the absolute path of a prim", *prim_path));
  }
  Plan plan;
  if (!(templated ? plan_template(definition, plan) : plan_explicit(definition, plan)) ||
      plan.active.empty()) {
    return nullptr;  // Without clips it is valid, but says nothing.
  }
  for (std::size_t i = 2; i < plan.times.size(); ++i) {
    if (plan.times[i].time == plan.times[i - 2].time) {
      return refuse(format_text("more than two pairs of times stand at {}", plan.times[i].time));
    }
  }
  if (!spend(plan.active.size() + plan.times.size())) {
    report_spent(anchor.opinion->layer, anchor.line);
    return nullptr;
  }

  if (keeps_stage_times(definition)) {
    for (ClipSet::Active& active : plan.active) {
      active.time = from_layer_time(active.time, definition.frame);
    }
  }
  auto set = std::make_shared<ClipSet>();
  set->name = name;
  set->times = std::move(plan.times);
  set->active = std::move(plan.active);
  std::vector<std::uint32_t> clip_of(plan.assets.size(), kNoNode);
  std::unordered_map<std::uint32_t, std::uint32_t> known;  // Layer -> clip.
  for (ClipSet::Active& active : set->active) {
    std::uint32_t& clip = clip_of[active.clip];
    if (clip == kNoNode) {
      const std::uint32_t layer = open(plan.assets[active.clip], anchor, name);
      const auto [found, added] =
          known.try_emplace(layer, static_cast<std::uint32_t>(set->layers.size()));
      if (added) set->layers.push_back(layer);
      clip = found->second;
    }
    active.clip = clip;
  }
  const Entry& interpolate = definition.entries[kInterpolate];
  if (interpolate.value != nullptr) {
    const std::optional<bool> flag = interpolate.value->get<bool>();
    set->interpolate_missing = flag.value_or(false);
    if (!flag) {
      report(interpolate, Severity::warning, "stage-bad-clips",
             format_text("The interpolateMissingClipValues of the clip set '{}' is not a bool and "
                         "is ignored.",
                         name));
    }
  }
  std::optional<std::uint32_t> manifest;
  if (definition.entries[kManifest].value != nullptr) {
    const std::optional<std::string> asset = text(definition, kManifest, ElementType::asset);
    if (asset) set->manifest = manifest.emplace(open(*asset, anchor, name));
  }
  set->contents = contents(set->layers, *prim_path, manifest);
  return fits(anchor, *set) ? set : nullptr;
}

// What reading all attributes of the set can cost is bounded here, once.
bool ClipLoader::fits(const Entry& anchor, const ClipSet& set) {
  const std::uint64_t limit = options_.limits.clip_entries;
  if (set.contents == nullptr) {
    report_spent(anchor.opinion->layer, anchor.line);
    return false;
  }
  const double stretches = static_cast<double>(set.active.size() + set.times.size());
  const double samples = stretches * static_cast<double>(1 + set.contents->max_samples);
  const double all = stretches * static_cast<double>(set.contents->attribute_count);
  if (samples <= static_cast<double>(limit) && all <= 10.0 * static_cast<double>(limit))
    return true;
  return report_limit(anchor, format_text("The clip set '{}' shows more samples than the limit of "
                                          "{}; it is ignored.",
                                          set.name, limit));
}

std::uint32_t ClipLoader::open(const std::string& asset, const Entry& from, std::string_view set) {
  const std::string path =
      registry_.evaluate(asset, *from.site->stack, from.opinion->layer).value_or("");
  const auto [found, added] =
      opened_.try_emplace(format_text("{}\n{}", from.opinion->layer, path), kNoNode);
  if (!added) return found->second;
  if (opened_.size() > options_.limits.layers) {
    if (!missing_reported_) {
      report_limit(from, format_text("The value clips of the stage name more layers than the limit "
                                     "of {}.",
                                     options_.limits.layers));
      missing_reported_ = true;
    }
    return kNoNode;
  }
  const Result<std::uint32_t> layer = registry_.load(path, from.opinion->layer);
  if (layer) return found->second = *layer;
  const bool limit = layer.error().code == ErrorCode::limit_exceeded;
  report(from, limit ? Severity::error : Severity::warning, "stage-missing-clip",
         format_text("The layer @{}@ of the clip set '{}' is taken as empty: {}.", shown(path),
                     shown(set), inside_sentence(layer.error())));
  return kNoNode;
}

// What is declared at a prim path and below, by the manifest or else by the samples of the clips.
// Null past the limit.
std::shared_ptr<const ClipContents> ClipLoader::contents(const std::vector<std::uint32_t>& layers,
                                                         const std::string& prim_path,
                                                         std::optional<std::uint32_t> manifest) {
  std::string key = prim_path;
  if (manifest) key += format_text(" by {}", *manifest);
  for (const std::uint32_t layer : layers) key += format_text(" {}", layer);
  const auto [cached, added] = contents_.try_emplace(key);
  if (!added) return cached->second;
  auto made = std::make_shared<ClipContents>();
  made->top = prim_path;
  made->prims.emplace_back();
  bool within = true;
  // Goes through a layer, and makes the prims that are not there yet if `makes`.
  const auto visit = [&](std::uint32_t layer, bool makes, auto take) {
    if (layer == kNoNode) return;
    const PrimSpec* top = registry_.layers()[layer]->find_prim(prim_path);
    if (top == nullptr) return;
    std::vector<std::pair<const PrimSpec*, std::uint32_t>> open = {{top, 0}};
    while (!open.empty() && within) {
      const auto [spec, at] = open.back();
      open.pop_back();
      within = spend(1 + spec->properties.size());
      for (const PropertySpec& property : spec->properties) {
        if (property.is_attribute()) take(property, made->prims[at].attributes);
      }
      for (const PrimSpec* child : spec->children) {
        const auto known = made->prims[at].children.find(child->name);
        if (known != made->prims[at].children.end()) {
          open.emplace_back(child, known->second);
        } else if (makes) {
          const auto index = static_cast<std::uint32_t>(made->prims.size());
          made->prims[at].children.emplace(child->name, index);
          made->prims.push_back({at, child->name, {}, {}});
          open.emplace_back(child, index);
        }
      }
    }
  };
  if (manifest) {
    visit(*manifest, true, [&](const PropertySpec& property, ClipAttributes& attributes) {
      if (property.variability != layer::Variability::varying) return;
      attributes[property.name].declared = &property;
      ++made->attribute_count;
    });
  }
  for (std::uint32_t clip = 0; clip < layers.size() && within; ++clip) {
    visit(layers[clip], !manifest, [&](const PropertySpec& property, ClipAttributes& attributes) {
      const layer::TimeSamples* samples = property.time_samples();
      if (samples == nullptr) return;
      auto found = attributes.find(property.name);
      if (found == attributes.end()) {
        if (manifest) return;
        found = attributes.try_emplace(property.name).first;
        found->second.uniform = property.variability != layer::Variability::varying;
        ++made->attribute_count;
      }
      found->second.sources.push_back({clip, &property});
      made->max_samples = std::max(made->max_samples, samples->times.size());
    });
  }
  if (within) cached->second = std::move(made);
  return cached->second;
}

}  // namespace sinew::stage
