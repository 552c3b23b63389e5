// SPDX-License-Identifier: Apache-2.0
#include "sinew/stage/attribute.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "stage/apply_array_edit.hpp"
#include "stage/clips.hpp"
#include "stage/interpolate.hpp"
#include "stage/metadata.hpp"
#include "stage/stage_impl.hpp"

namespace sinew::stage {

namespace {

using usda::ElementType;
using usda::PropertySpec;
using usda::Value;

// One spec of a property with where it stands.
struct SpecAt {
  const PropertySpec* spec = nullptr;
  const Site* site = nullptr;
};

// Calls `visit(SpecAt)` for every spec, strongest first, until it returns true.
template <typename Visit>
void for_each_spec(const Stage::Impl& impl, std::uint32_t node, Token name, Visit visit) {
  for (const Site& site : impl.sites_of(node)) {
    const PropertySpec* spec = impl.layers[site.layer]->find_property(*site.spec, name);
    if (spec != nullptr && visit(SpecAt{spec, &site})) return;
  }
}

// An opinion about an attribute: a spec, or what a set of value clips says.
struct OpinionAt : SpecAt {
  const ClipUse* use = nullptr;  // Then there is no spec.
  const ClipAttribute* in_clips = nullptr;

  const ClipBinding& binding(const Stage::Impl& impl) const {
    return impl.clips->bindings[use->binding];
  }
  const ClipSet& clip_set(const Stage::Impl& impl) const { return *binding(impl).set; }
  const usda::LayerOffset& offset(const Stage::Impl& impl) const {
    return use != nullptr ? binding(impl).offset : impl.mappings[site->mapping].offset;
  }
  friend bool operator==(const OpinionAt& a, const OpinionAt& b) {
    return a.spec == b.spec && a.use == b.use;
  }
};

// Calls `visit(OpinionAt)` for every spec and for the clips between them, strongest first, until it
// returns true.
template <typename Visit>
void for_each_opinion(const Stage::Impl& impl, std::uint32_t node, Token name, Visit visit) {
  std::span<const ClipUse> clips;
  if (impl.clips != nullptr) clips = impl.clips->uses_of(node);
  std::uint32_t index = 0;
  const auto visit_clips = [&] {
    for (; !clips.empty() && clips.front().sites_before <= index; clips = clips.subspan(1)) {
      const ClipAttribute* found = impl.clips->find(clips.front(), name);
      if (found != nullptr && visit(OpinionAt{{}, &clips.front(), found})) return true;
    }
    return false;
  };
  for (const Site& site : impl.sites_of(node)) {
    if (!clips.empty() && visit_clips()) return;
    const PropertySpec* spec = impl.layers[site.layer]->find_property(*site.spec, name);
    if (spec != nullptr && visit(OpinionAt{{spec, &site}})) return;
    ++index;
  }
  if (!clips.empty()) visit_clips();
}

// What a read uses: one opinion, and whether its samples or its default.
struct Resolved {
  OpinionAt at;
  ValueSource source = ValueSource::none;
};

Resolved resolve(const Stage::Impl& impl, std::uint32_t node, Token name, bool numeric,
                 bool any_animation = false) {
  Resolved result;
  bool animation_blocked = false;
  for_each_opinion(impl, node, name, [&](const OpinionAt& at) {
    if (at.use != nullptr) {
      if ((!numeric && !any_animation) || animation_blocked) return false;
      result = {at, ValueSource::value_clips};
      return true;
    }
    if (!at.spec->is_attribute()) return false;
    if ((numeric || any_animation) && !animation_blocked) {
      if (at.spec->time_samples() != nullptr) {
        result = {at, ValueSource::time_samples};
        return true;
      }
      if (at.spec->spline() != nullptr) {
        result = {at, ValueSource::spline};
        return true;
      }
    }
    const Value& value = at.spec->default_value;
    if (value.type() == ElementType::animation_block) {
      animation_blocked = true;
    } else if (value.has_value()) {
      result = {at, value.is_block() ? ValueSource::blocked : ValueSource::default_};
      return true;
    }
    return false;
  });
  return result;
}

Prim prim_of(const Stage& stage, std::uint32_t node, std::uint64_t context) noexcept {
  return StageAccess::prim(stage, node, context);
}

// The value that clips give at a time of the stage.
ClipValue clip_value(const Stage::Impl& impl, const OpinionAt& at, double time) {
  return read_clip_value(at.clip_set(impl), *at.in_clips,
                         to_layer_time(time, at.binding(impl).offset), impl.interpolation);
}

// The value that opinions weaker than `above` give, for array edits to work on.
Value weaker_value(const Stage::Impl& impl, std::uint32_t node, Token name, const OpinionAt& above,
                   Time time) {
  Value result;
  std::vector<const Value*> edits;
  bool below = false;
  for_each_opinion(impl, node, name, [&](const OpinionAt& at) {
    if (!below) {
      below = at == above;
      return false;
    }
    const usda::LayerOffset& offset = at.offset(impl);
    if (at.use != nullptr) {
      if (time.is_default()) return false;
      result = offset_times(clip_value(impl, at, time.code()).value, offset);
      return true;
    }
    if (!time.is_default() && at.spec->time_samples() != nullptr) {
      result = sample_at(*at.spec->time_samples(), to_layer_time(time.code(), offset),
                         impl.interpolation);
      return true;
    }
    const Value& value = at.spec->default_value;
    if (!value.has_value() || value.type() == ElementType::animation_block) return false;
    if (value.as_array_edit() != nullptr) {
      edits.push_back(&value);
      return false;
    }
    if (!value.is_block()) result = offset_times(value, offset);
    return true;
  });
  for (auto edit = edits.rbegin(); edit != edits.rend(); ++edit) {
    result = apply_array_edit(*(*edit)->as_array_edit(), result);
  }
  return result;
}

}  // namespace

const usda::Value* Prim::default_value(Token name, usda::Value& made) const {
  if (name.empty()) return nullptr;
  const Stage::Impl& impl = stage_->impl();
  bool strongest = true;
  for (const Site& site : impl.sites_of(node_)) {
    const PropertySpec* spec = impl.layers[site.layer]->find_property(*site.spec, name);
    if (spec == nullptr) continue;
    if (!spec->is_attribute()) {
      if (strongest) return nullptr;
      continue;
    }
    strongest = false;
    const Value& value = spec->default_value;
    if (!value.has_value() || value.type() == ElementType::animation_block) continue;
    if (value.is_block()) return nullptr;
    const bool as_it_is = value.as_array_edit() == nullptr &&
                          impl.mappings[site.mapping].offset == usda::LayerOffset{};
    if (as_it_is) return &value;
    made = attribute(name).value();
    return made.has_value() ? &made : nullptr;
  }
  return nullptr;
}

Prim Property::prim() const noexcept {
  return prim_of(*stage_, node_, context_);
}
usda::Path Property::path() const {
  return prim().path().property(name_.view());
}

bool Property::is_custom() const noexcept {
  bool custom = false;
  for_each_spec(stage_->impl(), node_, name_, [&](SpecAt at) { return custom = at.spec->custom; });
  return custom;
}

usda::Variability Property::variability() const noexcept {
  usda::Variability result = usda::Variability::varying;
  for_each_spec(stage_->impl(), node_, name_, [&](SpecAt at) {
    result = at.spec->variability;
    return false;
  });
  return result;
}

usda::Value Property::metadata(std::string_view key) const {
  return compose_property_field(stage_->impl(), node_, name_, key);
}

namespace {

// What clips say, as far as it can be told in a line: of the clip that is active at the time.
Opinion explain_clips(const Stage::Impl& impl, const OpinionAt& at, Token name, Time time) {
  const ClipBinding& binding = at.binding(impl);
  const ClipSet& set = *binding.set;
  const double set_time =
      time.is_default() ? set.active.front().time : to_layer_time(time.code(), binding.offset);
  const std::uint32_t clip = set.active[set.active_at(set_time)].clip;
  Opinion opinion;
  opinion.spec = at.in_clips->find(clip);
  opinion.layer =
      impl.layers[set.layers[clip] != kNoNode ? set.layers[clip] : binding.layer]->identifier();
  if (opinion.spec != nullptr) opinion.line = opinion.spec->line;
  opinion.spec_path = impl.clips->path_of(*at.use).property(name.view());
  opinion.arcs = impl.describe(binding.mapping);
  if (!opinion.arcs.empty()) opinion.arcs += " > ";
  opinion.arcs += fmt::format("value clips '{}' of @{}@<{}>", set.name,
                              impl.layers[binding.layer]->identifier(), binding.site.view());
  opinion.offset = binding.offset;
  if (time.is_default()) {
    opinion.note = "value clips do not count at the default time";
  } else {
    opinion.note = opinion.spec != nullptr ? "value clip" : "value clip without samples of it";
  }
  return opinion;
}

}  // namespace

std::vector<Opinion> Property::explain(Time time) const {
  const Stage::Impl& impl = stage_->impl();
  const Resolved winner = resolve(impl, node_, name_, !time.is_default());
  std::vector<Opinion> opinions;
  bool after = false;
  for_each_opinion(impl, node_, name_, [&](const OpinionAt& at) {
    const bool wins = winner.source != ValueSource::none && at == winner.at;
    if (at.use != nullptr) {
      Opinion opinion = explain_clips(impl, at, name_, time);
      opinion.wins = wins;
      if (after) opinion.note += ", hidden by a stronger opinion";
      after = after || wins;
      opinions.push_back(std::move(opinion));
      return false;
    }
    Opinion opinion;
    const Mapping& mapping = impl.mappings[at.site->mapping];
    opinion.layer = impl.layers[at.site->layer]->identifier();
    opinion.line = at.spec->line;
    opinion.spec_path = usda::Layer::path_of(*at.site->spec).property(name_.view());
    opinion.arcs = impl.describe(at.site->mapping);
    opinion.offset = mapping.offset;
    opinion.spec = at.spec;
    opinion.wins = wins;
    const bool samples = at.spec->time_samples() != nullptr;
    if (opinion.wins) {
      opinion.note = winner.source == ValueSource::blocked        ? "blocks the value"
                     : winner.source == ValueSource::time_samples ? "time samples"
                     : winner.source == ValueSource::spline       ? "spline, not evaluated"
                                                                  : "default";
      after = true;
    } else if (after) {
      opinion.note =
          samples ? "time samples hidden by a stronger opinion" : "hidden by a stronger opinion";
    } else if (samples && time.is_default()) {
      opinion.note = "time samples do not count at the default time";
    } else {
      opinion.note = "no value";
    }
    opinions.push_back(std::move(opinion));
    return false;
  });
  return opinions;
}

std::string_view Attribute::type_name() const noexcept {
  std::string_view name;
  for_each_spec(stage_->impl(), node_, name_, [&](SpecAt at) {
    name = at.spec->type_name.view();
    return !name.empty();
  });
  return usda::modern_type_name(name);
}

ValueSource Attribute::source(Time time) const noexcept {
  return resolve(stage_->impl(), node_, name_, !time.is_default()).source;
}

bool Attribute::has_authored_opinion() const noexcept {
  return resolve(stage_->impl(), node_, name_, true).source != ValueSource::none;
}

bool Attribute::has_authored_value() const noexcept {
  const ValueSource found = resolve(stage_->impl(), node_, name_, true).source;
  return found != ValueSource::none && found != ValueSource::blocked;
}

usda::Value Attribute::value(Time time) const {
  const Stage::Impl& impl = stage_->impl();
  const Resolved found = resolve(impl, node_, name_, !time.is_default());
  if (found.source == ValueSource::none) return {};
  const usda::LayerOffset& offset = found.at.offset(impl);
  Value value;
  if (found.source == ValueSource::time_samples) {
    value = sample_at(*found.at.spec->time_samples(), to_layer_time(time.code(), offset),
                      impl.interpolation);
  } else if (found.source == ValueSource::value_clips) {
    value = clip_value(impl, found.at, time.code()).value;
  } else if (found.source == ValueSource::default_) {
    value = found.at.spec->default_value;
  }
  if (const usda::ArrayEdit* edit = value.as_array_edit()) {
    return apply_array_edit(*edit, weaker_value(impl, node_, name_, found.at, time));
  }
  return offset_times(value, offset);
}

std::optional<std::string> Attribute::get_text(Time time) const {
  const Value v = value(time);
  const std::optional<std::string_view> text = v.text();
  if (!text) return std::nullopt;
  return std::string(*text);
}

std::vector<double> Attribute::time_samples() const {
  const Stage::Impl& impl = stage_->impl();
  const Resolved found = resolve(impl, node_, name_, true);
  std::vector<double> times;
  if (found.source == ValueSource::time_samples) {
    times = found.at.spec->time_samples()->times;
  } else if (found.source == ValueSource::value_clips) {
    times = list_clip_times(found.at.clip_set(impl), *found.at.in_clips);
  } else {
    return {};
  }
  const usda::LayerOffset& offset = found.at.offset(impl);
  for (double& time : times) time = time * offset.scale + offset.offset;
  return times;
}

std::size_t Attribute::time_sample_count() const noexcept {
  const Resolved found = resolve(stage_->impl(), node_, name_, true);
  if (found.source == ValueSource::value_clips) {
    return list_clip_times(found.at.clip_set(stage_->impl()), *found.at.in_clips).size();
  }
  if (found.source != ValueSource::time_samples) return 0;
  return found.at.spec->time_samples()->times.size();
}

bool Attribute::might_be_time_varying() const noexcept {
  const Resolved found = resolve(stage_->impl(), node_, name_, true);
  if (found.source == ValueSource::value_clips) return true;
  if (found.source == ValueSource::spline) return found.at.spec->spline()->knots.size() > 1;
  return found.source == ValueSource::time_samples &&
         found.at.spec->time_samples()->times.size() > 1;
}

std::string Attribute::resolved_asset(Time time) const {
  const Stage::Impl& impl = stage_->impl();
  const Resolved found = resolve(impl, node_, name_, !time.is_default());
  const std::optional<std::string> asset = get_text(time);
  if (!asset || asset->empty() || found.source == ValueSource::none) return {};
  if (asset->front() == '/' || asset->find("://") != std::string::npos) return *asset;
  std::uint32_t from = 0;
  if (found.at.use != nullptr) {
    const ClipSet& set = found.at.clip_set(impl);
    const std::uint32_t clip = clip_value(impl, found.at, time.code()).clip;
    from = set.layers[clip] != kNoNode ? set.layers[clip] : found.at.binding(impl).layer;
  } else {
    from = found.at.site->layer;
  }
  const std::string& layer = impl.layers[from]->identifier();
  const std::size_t slash = layer.rfind('/');
  std::string_view rest = *asset;
  while (rest.starts_with("./")) rest.remove_prefix(2);
  return (slash == std::string::npos ? std::string() : layer.substr(0, slash + 1)) +
         std::string(rest);
}

namespace {

// Targets or connections of all specs, as stage paths seen from this prim's side of instances.
std::vector<usda::Path> compose_targets(const Stage& stage, std::uint32_t node,
                                        std::uint64_t context, Token name,
                                        Diagnostics* diagnostics) {
  const Stage::Impl& impl = stage.impl();
  std::vector<usda::Path> result;
  std::vector<SpecAt> specs;
  bool done = false;
  for_each_spec(impl, node, name, [&](SpecAt at) {
    const usda::ListOp<usda::Path>* targets = at.spec->targets();
    if (targets == nullptr) return false;
    if (specs.empty() && targets->is_explicit && at.site->mapping == 0 && context == 0) {
      apply_list_op(*targets, result);  // Nothing to map and nothing below: by far the most.
      return done = true;
    }
    specs.push_back(at);
    return targets->is_explicit;
  });
  if (done || specs.empty()) return result;
  // Proxies read what was composed for the first instance, and put their own path in its place.
  usda::Path from;
  usda::Path to;
  if (context != 0) {
    from = impl.trees[impl.nodes[node].tree].path;
    const Stage::Impl::Enclosing around = impl.enclosing(context);
    to = prim_of(stage, around.instance, around.context).path();
  }
  const auto place = [&](const Site& site, const usda::Path& path) {
    usda::Path mapped = map_path(impl.mappings, site.mapping, path);
    if (mapped.empty() && diagnostics != nullptr) {
      Diagnostic diagnostic;
      diagnostic.severity = Severity::error;
      diagnostic.code = "stage-unmappable-target";
      diagnostic.message = fmt::format(
          "<{}> lies outside of what the arc brings in; the target is left out", path.view());
      diagnostic.file = impl.layers[site.layer]->identifier();
      diagnostic.path = prim_of(stage, node, context).path().property(name.view()).str();
      diagnostics->push_back(std::move(diagnostic));
    }
    return from.empty() ? mapped : mapped.replace_prefix(from, to);
  };
  for (auto at = specs.rbegin(); at != specs.rend(); ++at) {
    const usda::ListOp<usda::Path>& authored = *at->spec->targets();
    usda::ListOp<usda::Path> op;
    op.is_explicit = authored.is_explicit;
    const auto place_all = [&](const std::vector<usda::Path>& in, std::vector<usda::Path>& out) {
      for (const usda::Path& path : in) {
        usda::Path mapped = place(*at->site, path);
        if (!mapped.empty()) out.push_back(std::move(mapped));
      }
    };
    place_all(authored.explicit_items, op.explicit_items);
    place_all(authored.deleted, op.deleted);
    place_all(authored.added, op.added);
    place_all(authored.prepended, op.prepended);
    place_all(authored.appended, op.appended);
    place_all(authored.ordered, op.ordered);
    apply_list_op(op, result);
  }
  return result;
}

bool has_targets(const Stage::Impl& impl, std::uint32_t node, Token name) {
  bool found = false;
  for_each_spec(impl, node, name, [&](SpecAt at) { return found = at.spec->targets() != nullptr; });
  return found;
}

}  // namespace

bool Attribute::has_connections() const noexcept {
  return has_targets(stage_->impl(), node_, name_);
}

std::vector<usda::Path> Attribute::connections(Diagnostics* diagnostics) const {
  return compose_targets(*stage_, node_, context_, name_, diagnostics);
}

bool Relationship::has_authored_targets() const noexcept {
  return has_targets(stage_->impl(), node_, name_);
}

std::vector<usda::Path> Relationship::targets(Diagnostics* diagnostics) const {
  return compose_targets(*stage_, node_, context_, name_, diagnostics);
}

std::vector<usda::Path> Relationship::forwarded_targets(Diagnostics* diagnostics) const {
  std::vector<usda::Path> result;
  std::unordered_set<usda::Path> seen;
  // A stack of targets still to look at, the next one on top; depth first, cycles cut by `seen`.
  std::vector<usda::Path> open = targets(diagnostics);
  std::reverse(open.begin(), open.end());
  while (!open.empty()) {
    const usda::Path path = std::move(open.back());
    open.pop_back();
    if (!seen.insert(path).second) continue;
    if (path.is_property()) {
      const Prim owner = stage_->prim(path.prim_path());
      const Relationship next = owner ? owner.relationship(path.name()) : Relationship();
      if (next) {
        std::vector<usda::Path> more = next.targets(diagnostics);
        open.insert(open.end(), more.rbegin(), more.rend());
        continue;
      }
    }
    result.push_back(path);
  }
  return result;
}

}  // namespace sinew::stage
