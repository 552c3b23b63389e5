// SPDX-License-Identifier: Apache-2.0
#include "sinew/stage/attribute.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "core/sort.hpp"
#include "layer/shared/path_expression_syntax.hpp"
#include "sinew/stage/asset_resolver.hpp"
#include "stage/apply_array_edit.hpp"
#include "stage/interpolate.hpp"
#include "stage/localize.hpp"
#include "stage/metadata.hpp"
#include "stage/opinions.hpp"
#include "stage/path_expressions.hpp"
#include "stage/shared/asset_place.hpp"
#include "stage/shared/local_value.hpp"

namespace sinew::stage {

namespace {

using layer::ElementType;
using layer::Value;

// The value that clips give at a time of the stage.
ClipValue clip_value(const Stage::Impl& impl, const OpinionAt& at, double time) {
  return read_clip_value(at.clip_set(impl), *at.in_clips, time, at.binding(impl).offset,
                         impl.interpolation);
}

// The value of a curve, as the type of its attribute. The earliest time is that of its first knot.
Value spline_value(const layer::PropertySpec& spec, Time time, const layer::LayerOffset& offset) {
  const layer::Spline& spline = *spec.spline();
  double layer_time = to_layer_time(time.code(), offset);
  if (time.code() == Time::earliest().code() && !spline.knots.empty()) {
    layer_time = spline.knots.front().time;
  }
  const std::optional<double> number = layer::evaluate(spline, layer_time);
  if (!number) return {};
  const ElementType type = layer::find_value_type(spec.type_name.view()).element;
  switch (type) {
    case ElementType::double_:
    case ElementType::timecode:
      return Value::scalar(type, *number);
    case ElementType::float_:
      return Value::scalar(type, static_cast<float>(*number));
    case ElementType::half:
      return Value::scalar(type, static_cast<Half>(static_cast<float>(*number)));
    default:
      return {};
  }
}

// What one opinion gives by itself; an array edit is given as it is.
Value own_value(const Stage::Impl& impl, const OpinionAt& at, ValueSource source, Time time) {
  const layer::LayerOffset& offset = at.offset(impl);
  Value value;
  if (source == ValueSource::time_samples) {
    value = sample_at(*at.spec->time_samples(), time.code(), offset, impl.interpolation);
  } else if (source == ValueSource::spline) {
    value = spline_value(*at.spec, time, offset);
  } else if (source == ValueSource::value_clips) {
    value = clip_value(impl, at, time.code()).value;
  } else if (source == ValueSource::default_) {
    value = at.spec->default_value;
  }
  return localize(impl, std::move(value), offset, at.mapping(impl));
}

// The array that the edits among the opinions make of the first one that is not an edit. Over a
// block there is no value.
Value edited_value(const Stage::Impl& impl, std::uint32_t node, Token name, Time time,
                   ValueTypes wanted) {
  Value result;
  std::vector<Value> edits;
  bool animated = !time.is_default();
  bool blocked = false;
  for_each_opinion(impl, node, name, [&](const OpinionAt& at) {
    ValueSource source = ValueSource::default_;
    if (at.use != nullptr) {
      if (!animated) return false;
      source = ValueSource::value_clips;
    } else if (!at.spec->is_attribute()) {
      return false;
    } else if (animated && at.spec->time_samples() != nullptr) {
      source = ValueSource::time_samples;
    } else if (animated && at.spec->spline() != nullptr) {
      return blocked = true;
    } else if (at.spec->default_value.type() == ElementType::animation_block) {
      animated = false;
      return false;
    } else if (!at.spec->default_value.has_value()) {
      return false;
    }
    Value value = own_value(impl, at, source, time);
    if (!value.has_value() || value.is_block()) return blocked = true;
    if (!wanted.accept(value)) return source != ValueSource::default_;
    if (value.as_array_edit() != nullptr) {
      edits.push_back(std::move(value));
      return false;
    }
    result = std::move(value);
    return true;
  });
  if (blocked) return {};
  return apply_array_edits(edits, std::move(result), impl.rules);
}

// A path expression with the defaults of weaker opinions in the place of its "%_".
Value over_weaker(const Stage::Impl& impl, std::uint32_t node, Token name, Value strongest) {
  std::string text(strongest.get<Token>()->view());
  if (!layer::refers_to_weaker(text)) return strongest;
  bool is_weaker = false;
  for_each_opinion(impl, node, name, [&](const OpinionAt& at) {
    if (at.use != nullptr || !at.spec->is_attribute()) return false;
    const Value value = own_value(impl, at, ValueSource::default_, Time::default_time());
    if (value.is_block()) return true;
    const bool is_expression = value.type() == ElementType::path_expression && !value.is_array();
    if (!is_expression || !std::exchange(is_weaker, true)) return false;
    const layer::PathExpressionEdit edit{
        {},
        [&](const layer::Path& prim, std::string_view collection) -> std::optional<std::string> {
          if (!prim.empty() || collection != "_") return std::nullopt;
          return std::string(value.get<Token>()->view());
        }};
    text = layer::edit_path_expression(text, edit).value_or("");
    return !layer::refers_to_weaker(text);
  });
  return Value::scalar(ElementType::path_expression, impl.evaluated_texts.intern(text));
}

bool is_listed(double time) noexcept {
  return std::isfinite(time);
}

bool has_edits(const layer::TimeSamples& samples) noexcept {
  return std::any_of(samples.values.begin(), samples.values.end(),
                     [](const Value& value) { return value.type() == ElementType::array_edit; });
}

// Stage times of the samples that one opinion gives.
void add_times(const Stage::Impl& impl, const OpinionAt& at, std::vector<double>& times) {
  const layer::LayerOffset& offset = at.offset(impl);
  std::vector<double> of_clips;
  if (at.use != nullptr) of_clips = list_clip_times(at.clip_set(impl), *at.in_clips);
  for (const double time : at.use != nullptr ? of_clips : at.spec->time_samples()->times) {
    const double mapped = from_layer_time(time, offset);
    if (is_listed(mapped)) times.push_back(mapped);
  }
}

// A time that has a sample, and whether the sample edits what weaker opinions say there.
struct SampleTime {
  double time;
  bool edits;
};

// The sample of a series that holds at a time: the last one before it, else the first.
const SampleTime& holding(const std::vector<SampleTime>& series, double time) {
  const auto after =
      std::upper_bound(series.begin(), series.end(), time,
                       [](double t, const SampleTime& sample) { return t < sample.time; });
  return after == series.begin() ? *after : *std::prev(after);
}

// Weaker samples show where the stronger ones edit them; a stronger sample that holds a value hides
// them until the next one.
std::vector<SampleTime> over(const std::vector<SampleTime>& strong,
                             const std::vector<SampleTime>& weak) {
  if (strong.empty()) return weak;
  if (weak.empty()) return strong;
  std::vector<SampleTime> result;
  std::size_t next = 0;
  const auto add_weak_before = [&](double time) {
    for (; next < weak.size() && weak[next].time < time; ++next) {
      if (holding(strong, weak[next].time).edits) result.push_back(weak[next]);
    }
  };
  for (const SampleTime& sample : strong) {
    add_weak_before(sample.time);
    result.push_back({sample.time, sample.edits && holding(weak, sample.time).edits});
    if (next < weak.size() && weak[next].time == sample.time) ++next;
  }
  add_weak_before(HUGE_VAL);
  return result;
}

// Samples that are array edits show those of weaker opinions as well.
std::vector<double> edited_times(const Stage::Impl& impl, std::uint32_t node, Token name) {
  std::vector<SampleTime> shown;
  const auto add = [&](const OpinionAt& at) {
    std::vector<SampleTime> weaker;
    if (at.use != nullptr) {
      for (const double time : list_clip_times(at.clip_set(impl), *at.in_clips)) {
        const double mapped = from_layer_time(time, at.offset(impl));
        if (is_listed(mapped)) weaker.push_back({mapped, false});
      }
    } else {
      const layer::TimeSamples& samples = *at.spec->time_samples();
      for (std::size_t i = 0; i < samples.times.size(); ++i) {
        const double mapped = from_layer_time(samples.times[i], at.offset(impl));
        if (!is_listed(mapped)) continue;
        weaker.push_back({mapped, samples.values[i].as_array_edit() != nullptr});
      }
    }
    shown = over(shown, weaker);
    return std::none_of(shown.begin(), shown.end(),
                        [](const SampleTime& sample) { return sample.edits; });
  };
  for_each_opinion(impl, node, name, [&](const OpinionAt& at) {
    if (at.use != nullptr) return add(at);
    if (!at.spec->is_attribute()) return false;
    if (at.spec->time_samples() != nullptr) return add(at);
    const Value& value = at.spec->default_value;
    return at.spec->spline() != nullptr ||
           (value.has_value() && value.type() != ElementType::array_edit);
  });
  std::vector<double> times;
  times.reserve(shown.size());
  for (const SampleTime& sample : shown) times.push_back(sample.time);
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

// As the node of a prim gives it, which instances may share.
Value composed_value(const Stage::Impl& impl, std::uint32_t node, Token name, Time time,
                     ValueTypes wanted) {
  const Resolved found = resolve(impl, node, name, !time.is_default(), wanted);
  if (found.is_edited()) return edited_value(impl, node, name, time, wanted);
  if (found.source == ValueSource::none) return {};
  Value value = own_value(impl, found.at, found.source, time);
  if (!wanted.accept(value)) return {};
  if (value.as_array_edit() != nullptr) return edited_value(impl, node, name, time, wanted);
  if (value.type() == ElementType::path_expression && time.is_default() && !value.is_array()) {
    return over_weaker(impl, node, name, std::move(value));
  }
  return value;
}

}  // namespace

const layer::Value* default_value(const Prim& prim, Token name, layer::Value& made,
                                  ValueTypes wanted) {
  if (name.empty()) return nullptr;
  const Stage::Impl& impl = impl_of(prim.stage());
  if (const std::span<const Site> sites = impl.sites_of(prim.node()); sites.size() == 1) {
    const Site& only = sites.front();
    const layer::PropertySpec* spec = impl.layers[only.layer]->find_property(*only.spec, name);
    if (spec == nullptr) return nullptr;
    const Value& value = spec->default_value;
    if (holds_value(*spec)) return wanted.accept(value) ? &value : nullptr;
  }
  const Resolved found = resolve(impl, prim.node(), name, false, wanted);
  if (found.source != ValueSource::default_) return nullptr;
  const Value& value = found.at.spec->default_value;
  if (!found.is_edited() && is_local(value)) return &value;
  made = prim.attribute(name).value(Time::default_time(), wanted);
  return made.has_value() ? &made : nullptr;
}

// What stands for no property has no opinions.

Prim Property::prim() const noexcept {
  if (!valid()) return {};
  return StageAccess::prim(*stage_, node_, context_);
}
layer::Path Property::path() const {
  if (!valid()) return {};
  return prim().path().property(name_.view());
}

bool Property::is_custom() const noexcept {
  if (!valid()) return false;
  bool custom = false;
  for_each_spec(impl_of(*stage_), node_, name_,
                [&](SpecAt at) { return custom = at.spec->custom; });
  return custom;
}

layer::Variability Property::variability() const noexcept {
  layer::Variability result = layer::Variability::varying;
  if (!valid()) return result;
  for_each_spec(impl_of(*stage_), node_, name_, [&](SpecAt at) {
    result = at.spec->variability;
    return false;
  });
  return result;
}

layer::Value Property::metadata(std::string_view key) const {
  if (!valid()) return {};
  return compose_property_field(impl_of(*stage_), node_, name_, key);
}

std::string_view Attribute::type_name() const noexcept {
  if (!valid()) return {};
  std::string_view name;
  for_each_spec(impl_of(*stage_), node_, name_, [&](SpecAt at) {
    name = at.spec->type_name.view();
    return !name.empty();
  });
  return layer::modern_type_name(name);
}

ValueSource Attribute::source(Time time) const noexcept {
  if (!valid()) return ValueSource::none;
  return resolve(impl_of(*stage_), node_, name_, !time.is_default()).source;
}

bool Attribute::has_authored_opinion() const noexcept {
  return valid() && resolve(impl_of(*stage_), node_, name_, true).source != ValueSource::none;
}

bool Attribute::has_authored_value() const noexcept {
  if (!valid()) return false;
  const ValueSource found = resolve(impl_of(*stage_), node_, name_, true).source;
  return found != ValueSource::none && found != ValueSource::blocked;
}

layer::Value Attribute::value(Time time, ValueTypes wanted) const {
  if (!valid()) return {};
  Value value = composed_value(impl_of(*stage_), node_, name_, time, wanted);
  if (value.type() != ElementType::path_expression) return value;
  return place_expressions(*stage_, std::move(value), node_, context_);
}

std::optional<std::string> Attribute::get_text(Time time) const {
  const Value v = value(time, ValueTypes::scalar_of<Token>());
  const std::optional<std::string_view> text = v.text();
  if (!text) return std::nullopt;
  return std::string(*text);
}

std::vector<double> Attribute::time_samples() const {
  if (!valid()) return {};
  const Stage::Impl& impl = impl_of(*stage_);
  const Resolved found = resolve(impl, node_, name_, true);
  if (found.source == ValueSource::time_samples && has_edits(*found.at.spec->time_samples())) {
    return edited_times(impl, node_, name_);
  }
  std::vector<double> times;
  if (found.is_sampled()) add_times(impl, found.at, times);
  return times;
}

std::vector<double> Attribute::spline_sample_times() const {
  if (!valid()) return {};
  const Stage::Impl& impl = impl_of(*stage_);
  const Resolved found = resolve(impl, node_, name_, true);
  if (found.source != ValueSource::spline) return {};
  std::vector<double> times = layer::sample_times(*found.at.spec->spline());
  const layer::LayerOffset& offset = found.at.offset(impl);
  for (double& time : times) time = from_layer_time(time, offset);
  return times;
}

std::size_t Attribute::time_sample_count() const noexcept {
  return time_samples().size();
}

bool Attribute::might_be_time_varying() const noexcept {
  if (!valid()) return false;
  const Stage::Impl& impl = impl_of(*stage_);
  const Resolved found = resolve(impl, node_, name_, true);
  if (found.source == ValueSource::value_clips) {
    return found.at.clip_set(impl).active.size() > 1 || time_sample_count() > 1;
  }
  if (found.source == ValueSource::spline) return layer::might_vary(*found.at.spec->spline());
  if (found.source != ValueSource::time_samples) return false;
  const layer::TimeSamples& samples = *found.at.spec->time_samples();
  return samples.times.size() > 1 || (has_edits(samples) && time_sample_count() > 1);
}

AssetReference Attribute::asset(Time time) const {
  if (!valid()) return {};
  const Stage::Impl& impl = impl_of(*stage_);
  const Resolved found = resolve(impl, node_, name_, !time.is_default());
  std::optional<std::string> path = get_text(time);
  if (!path || path->empty() || found.source == ValueSource::none) return {};
  std::uint32_t layer = 0;
  if (found.at.use != nullptr) {
    const ClipSet& set = found.at.clip_set(impl);
    const std::uint32_t clip = clip_value(impl, found.at, time.code()).clip;
    // What a clip has no samples of has the default of the manifest.
    layer = found.at.in_clips->find(clip) != nullptr ? set.layers[clip] : set.manifest;
    if (layer == kNoNode) layer = found.at.binding(impl).layer;
  } else {
    layer = found.at.site->layer;
  }
  return {*std::move(path), impl.layers[layer]->identifier()};
}

std::string Attribute::resolved_asset(Time time) const {
  const AssetReference written = asset(time);
  return written.path.empty() ? std::string() : asset_place(written.path, written.layer);
}

Result<std::string> Attribute::find_asset(AssetResolver& resolver, Time time) const {
  const AssetReference written = asset(time);
  if (written.path.empty()) return Error{ErrorCode::not_found, "there is no asset path."};
  const layer::Layer& root = *impl_of(*stage_).layers.front();
  return resolver.resolve_on_stage(written.path, written.layer, root.identifier());
}

}  // namespace sinew::stage
