// SPDX-License-Identifier: Apache-2.0
#include "sinew/stage/attribute.hpp"

#include "stage/apply_array_edit.hpp"
#include "stage/interpolate.hpp"
#include "stage/metadata.hpp"
#include "stage/opinions.hpp"

namespace sinew::stage {

namespace {

using usda::ElementType;
using usda::PropertySpec;
using usda::Value;

// The value that clips give at a time of the stage.
ClipValue clip_value(const Stage::Impl& impl, const OpinionAt& at, double time) {
  return read_clip_value(at.clip_set(impl), *at.in_clips,
                         to_layer_time(time, at.binding(impl).offset), impl.interpolation);
}

// The value that opinions weaker than `above` give, for array edits to work on.
Value weaker_value(const Stage::Impl& impl, std::uint32_t node, Token name, const OpinionAt& above,
                   Time time, ValueTypes wanted) {
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
    if (value.is_block()) return true;
    if (!value.has_value() || !wanted.accept(value) ||
        value.type() == ElementType::animation_block) {
      return false;
    }
    if (value.as_array_edit() != nullptr) {
      edits.push_back(&value);
      return false;
    }
    result = offset_times(value, offset);
    return true;
  });
  for (auto edit = edits.rbegin(); edit != edits.rend(); ++edit) {
    result = apply_array_edit(*(*edit)->as_array_edit(), result);
  }
  return result;
}

}  // namespace

const usda::Value* Prim::default_value(Token name, usda::Value& made, ValueTypes wanted) const {
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
    if (!wanted.accept(value)) continue;
    const bool as_it_is = value.as_array_edit() == nullptr &&
                          impl.mappings[site.mapping].offset == usda::LayerOffset{};
    if (as_it_is) return &value;
    made = attribute(name).value(Time::default_time(), wanted);
    return made.has_value() ? &made : nullptr;
  }
  return nullptr;
}

Prim Property::prim() const noexcept {
  return StageAccess::prim(*stage_, node_, context_);
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

usda::Value Attribute::value(Time time, ValueTypes wanted) const {
  const Stage::Impl& impl = stage_->impl();
  const Resolved found = resolve(impl, node_, name_, !time.is_default(), wanted);
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
  if (!wanted.accept(value)) return {};
  if (const usda::ArrayEdit* edit = value.as_array_edit()) {
    return apply_array_edit(*edit, weaker_value(impl, node_, name_, found.at, time, wanted));
  }
  return offset_times(value, offset);
}

std::optional<std::string> Attribute::get_text(Time time) const {
  const Value v = value(time, ValueTypes::scalar_of<Token>());
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

}  // namespace sinew::stage
