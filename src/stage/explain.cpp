// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <utility>
#include <vector>

#include "core/format_text.hpp"
#include "sinew/stage/opinion.hpp"
#include "stage/opinions.hpp"

namespace sinew::stage {

namespace {

// Where the spec of a prim is written.
OpinionPlace place_of(const Stage::Impl& impl, const Site& site) {
  return {impl.layers[site.layer]->identifier(), site.spec->line, layer::Layer::path_of(*site.spec),
          impl.describe(site.mapping), impl.mappings[site.mapping].offset};
}

// What clips say, as far as one line can say it: of the clip that is active at the time.
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
  opinion.arcs += format_text("value clips '{}' of @{}@<{}>", set.name,
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
  if (!valid()) return {};
  const Stage::Impl& impl = impl_of(*stage_);
  const Resolved winner = resolve(impl, node_, name_, !time.is_default());
  std::vector<Opinion> opinions;
  bool after = false;
  for_each_opinion(impl, node_, name_, [&](const OpinionAt& at) {
    const bool wins = winner.source != ValueSource::none && at == winner.strongest();
    if (at.use != nullptr) {
      Opinion opinion = explain_clips(impl, at, name_, time);
      opinion.wins = wins;
      if (after) opinion.note += ", hidden by a stronger opinion";
      after = after || wins;
      opinions.push_back(std::move(opinion));
      return false;
    }
    Opinion opinion = {place_of(impl, *at.site), at.spec, wins, {}};
    opinion.line = at.spec->line;
    opinion.spec_path = opinion.spec_path.property(name_.view());
    const bool samples = at.spec->time_samples() != nullptr;
    if (opinion.wins) {
      opinion.note = winner.is_edited()                           ? "edit of weaker opinions"
                     : winner.source == ValueSource::blocked      ? "blocks the value"
                     : winner.source == ValueSource::time_samples ? "time samples"
                     : winner.source == ValueSource::spline       ? "spline"
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

std::vector<PrimOpinion> Prim::explain() const {
  if (!valid()) return {};
  const Stage::Impl& impl = impl_of(*stage_);
  std::vector<PrimOpinion> opinions;
  for (const Site& site : impl.sites_of(node_)) {
    opinions.push_back({place_of(impl, site), site.spec});
  }
  return opinions;
}

}  // namespace sinew::stage
