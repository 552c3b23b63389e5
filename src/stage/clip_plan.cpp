// SPDX-License-Identifier: Apache-2.0
// How clip sets say which clips are active when: by lists, or by a template of file names.

#include <algorithm>
#include <cmath>

#include "core/format_text.hpp"
#include "core/sort.hpp"
#include "sinew/core/types.hpp"
#include "stage/clip_loader.hpp"
#include "stage/clip_template.hpp"

namespace sinew::stage {

using layer::ElementType;
using layer::Value;

const Value* ClipLoader::entry_of(const Part& part, Key key) {
  const layer::DictionaryEntry* found =
      layer::find(*part.at.value->as_dictionary(), kKeyNames[key]);
  return found == nullptr ? nullptr : &found->value;
}

// Whether an opinion about a set names clips, by a list or by a template.
bool ClipLoader::names_clips(const Part& part) const {
  const Value* assets = entry_of(part, kAssetPaths);
  if (assets != nullptr && is_array_of(*assets, ElementType::asset)) return true;
  const Value* pattern = entry_of(part, kTemplate);
  return pattern != nullptr && pattern->text() &&
         (pattern->type() == ElementType::string || options_.rules == Rules::documented);
}

// The offset in which a site states the times of an entry: that of the layer that has the entry or,
// if it is stronger, of the one that names clips. Null if the site names none.
const layer::LayerOffset* ClipLoader::frame_at(const Definition& definition, const ClipSite* site,
                                               Key key) const {
  const layer::LayerOffset* frame = nullptr;
  for (const Part& part : definition.parts) {
    if (part.at.site != site) continue;
    const bool names = names_clips(part);
    if (frame == nullptr && (names || entry_of(part, key) != nullptr)) {
      frame = &part.at.opinion->offset;
    }
    if (names) return frame;
  }
  return nullptr;
}

// A set stands where the strongest opinion names clips, whichever opinion its entries are from. All
// its times are in the frame of that site: those of other sites are taken as if they were, but for
// `times` beside clips of their own, which are first put into the frame that these would have.
void ClipLoader::place(Definition& definition) const {
  const std::vector<Part>& parts = definition.parts;
  const auto anchor =
      std::find_if(parts.begin(), parts.end(), [&](const Part& part) { return names_clips(part); });
  if (anchor == parts.end()) return;
  definition.anchor = *anchor;
  // Where there is a template `active` does not say when clips are active.
  const auto frame_of = [&](const ClipSite* site) {
    const bool templated = std::any_of(parts.begin(), parts.end(), [&](const Part& part) {
      return part.at.site == site && entry_of(part, kTemplate) != nullptr;
    });
    return frame_at(definition, site, templated ? kTemplate : kActive);
  };
  definition.frame = *frame_of(definition.anchor.at.site);
  const ClipSite* site = definition.entries[kTimes].site;
  const layer::LayerOffset* from = site == nullptr ? nullptr : frame_at(definition, site, kTimes);
  if (from == nullptr) return;
  definition.times_from = *from;
  definition.times_to = *frame_of(site);
}

// The text of an entry; under the documented rules any kind of text will do.
std::optional<std::string> ClipLoader::text(const Definition& definition, Key key,
                                            ElementType expected) {
  const Entry& entry = definition.entries[key];
  const std::optional<std::string_view> found = entry.value->text();
  if (found && entry.value->type() == expected) return std::string(*found);
  const bool lenient = found && options_.rules == Rules::documented;
  report(
      entry, Severity::warning, "stage-bad-clips",
      format_text("The {} of the clip set '{}' is not {} {}.", kKeyNames[key],
                  definition.name.view(), expected == ElementType::asset ? "an asset" : "a string",
                  lenient ? "but is read as one" : "and is ignored"));
  return lenient ? std::optional<std::string>(*found) : std::nullopt;
}

std::optional<double> ClipLoader::number(const Definition& definition, Key key) {
  const Entry& entry = definition.entries[key];
  if (entry.value == nullptr) return std::nullopt;
  const std::optional<double> found = entry.value->get<double>();
  if (found && std::isfinite(*found)) return found;
  report(entry, Severity::warning, "stage-bad-clips",
         format_text("The {} of the clip set '{}' is not a finite double and is ignored.",
                     kKeyNames[key], definition.name.view()));
  return std::nullopt;
}

bool ClipLoader::is_array(const Definition& definition, Key key, ElementType expected,
                          Severity severity) {
  const Entry& entry = definition.entries[key];
  if (is_array_of(*entry.value, expected)) return true;
  report(entry, severity, "stage-bad-clips",
         format_text("The {} of the clip set '{}' is not {}{}.", kKeyNames[key],
                     definition.name.view(),
                     expected == ElementType::asset ? "an array of assets" : "an array of double2",
                     severity == Severity::error ? "" : " and is ignored"));
  return false;
}

bool ClipLoader::plan_explicit(const Definition& definition, Plan& plan) {
  const std::string_view name = definition.name.view();
  const Entry& active = definition.entries[kActive];
  if (active.value == nullptr) {
    report(
        definition.entries[kAssetPaths], Severity::error, "stage-bad-clips",
        format_text("The clip set '{}' is ignored: it does not say when clips are active.", name));
    return false;
  }
  if (!is_array(definition, kActive, ElementType::double2, Severity::error)) return false;
  for (const Token asset : definition.entries[kAssetPaths].value->as_array<Token>()) {
    plan.assets.push_back(asset.str());
  }
  const auto refuse = [&](std::string message) {
    report(active, Severity::error, "stage-bad-clips",
           format_text("The clip set '{}' is ignored: {}.", name, message));
    return false;
  };
  if (std::find(plan.assets.begin(), plan.assets.end(), "") != plan.assets.end()) {
    return refuse("one of its asset paths is empty");
  }
  bool sorted = true;
  for (const Vector2d& entry : active.value->as_array<Vector2d>()) {
    if (!std::isfinite(entry[0])) return refuse("a time in 'active' is not finite");
    if (!(entry[1] >= 0.0 && entry[1] < static_cast<double>(plan.assets.size()))) {
      return refuse(format_text("'active' names clip {} of {}", entry[1], plan.assets.size()));
    }
    sorted = sorted && (plan.active.empty() || plan.active.back().time <= entry[0]);
    plan.active.push_back({entry[0], static_cast<std::uint32_t>(entry[1])});
  }
  stable_sort_range(plan.active.begin(), plan.active.end(),
                    [](const auto& a, const auto& b) { return a.time < b.time; });
  for (std::size_t i = 1; i < plan.active.size(); ++i) {
    if (plan.active[i].time == plan.active[i - 1].time) {
      return refuse(format_text("two clips become active at {}", plan.active[i].time));
    }
  }
  const Entry& times = definition.entries[kTimes];
  if (times.value != nullptr &&
      is_array(definition, kTimes, ElementType::double2, Severity::warning)) {
    const layer::LayerOffset& from = definition.times_from;
    const layer::LayerOffset& to = definition.times_to;
    for (const Vector2d& entry : times.value->as_array<Vector2d>()) {
      const double time =
          from == to ? entry[0] : to_layer_time(entry[0] * from.scale + from.offset, to);
      if (!std::isfinite(time) || !std::isfinite(entry[1])) {
        return refuse("a pair in 'times' is not finite");
      }
      sorted = sorted && (plan.times.empty() || plan.times.back().time <= time);
      plan.times.push_back({time, entry[1]});
    }
  }
  stable_sort_range(plan.times.begin(), plan.times.end(),
                    [](const auto& a, const auto& b) { return a.time < b.time; });
  if (!sorted) {
    report(active, Severity::warning, "stage-bad-clips",
           format_text("The times of the clip set '{}' are not in order; they are sorted.", name));
  }
  return true;
}

bool ClipLoader::plan_template(const Definition& definition, Plan& plan) {
  const Entry& entry = definition.anchor.at;
  const auto refuse = [&](std::string message) {
    report(entry, Severity::error, "stage-bad-clips",
           format_text("The clip set '{}' is ignored: {}.", definition.name.view(), message));
    return false;
  };
  const std::optional<std::string> asset = text(definition, kTemplate, ElementType::string);
  if (!asset) return false;
  const std::optional<double> start = number(definition, kTemplateStart);
  const std::optional<double> end = number(definition, kTemplateEnd);
  const std::optional<double> stride = number(definition, kTemplateStride);
  const std::optional<double> active_offset = number(definition, kTemplateOffset);
  const double offset = active_offset.value_or(0.0);
  if (!start || !end || !stride) {
    return refuse("a template needs templateStartTime, templateEndTime and templateStride");
  }
  if (*stride <= 0.0) return refuse(format_text("templateStride is {}", *stride));
  if (*start > *end) return refuse("templateEndTime is before templateStartTime");
  if (std::abs(offset) > *stride) {
    return refuse("templateActiveOffset is larger than templateStride");
  }
  if (std::abs(*start) > kMaxClipTime || std::abs(*end) > kMaxClipTime) {
    return refuse(format_text("its times exceed {}", kMaxClipTime));
  }
  const std::string evaluated =
      registry_.evaluate(*asset, *entry.site->stack, entry.opinion->layer).value_or("");
  const std::optional<ClipTemplate> pattern = read_clip_template(evaluated);
  if (!pattern) {
    return refuse(
        format_text("'{}' is not of the form name.###.usda or name.##.##.usda", evaluated));
  }
  const ClipTimes times = {*start, *end, *stride};
  const double steps = times.steps();
  if (!(steps < static_cast<double>(options_.limits.layers)) ||
      !spend(static_cast<std::uint64_t>(steps) + 1)) {
    return report_limit(entry, format_text("The template of the clip set '{}' stands for more "
                                           "clips than the limit of {}; it is ignored.",
                                           definition.name.view(), options_.limits.layers));
  }
  const auto count = static_cast<std::uint32_t>(steps) + 1;
  for (std::uint32_t i = 0; i < count; ++i) {
    const double time = times.at(i);
    std::string clip = pattern->before + pattern->number(time) + pattern->after;
    if (!registry_.exists(clip, entry.opinion->layer)) continue;
    plan.active.push_back({times.at(i, offset), static_cast<std::uint32_t>(plan.assets.size())});
    plan.times.push_back({time, time});
    plan.assets.push_back(std::move(clip));
  }
  if (plan.assets.empty()) return refuse(format_text("no file fits '{}'", evaluated));
  // One pair more at either end of the template, files there or not; of no offset it is a jump.
  if (active_offset) {
    const double first = ClipTimes{*start, 0.0, -std::abs(offset)}.at(1);
    const double last =
        std::max(plan.times.back().time, ClipTimes{*end, 0.0, std::abs(offset)}.at(1));
    plan.times.insert(plan.times.begin(), {first, first});
    plan.times.push_back({last, last});
  }
  // Steps too small to tell times apart.
  for (std::size_t i = 1; i < plan.active.size(); ++i) {
    if (!(plan.active[i - 1].time < plan.active[i].time)) {
      return refuse("templateStride is too small for its times");
    }
  }
  return true;
}

}  // namespace sinew::stage
