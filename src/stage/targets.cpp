// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/format_text.hpp"
#include "core/report.hpp"
#include "layer/shared/list_edits.hpp"
#include "sinew/stage/attribute.hpp"
#include "stage/opinions.hpp"
#include "stage/placements.hpp"

namespace sinew::stage {

namespace {

enum class Kind : bool { relationship, attribute };

Kind kind_of(const layer::PropertySpec& spec) {
  return spec.is_attribute() ? Kind::attribute : Kind::relationship;
}

// Targets or connections of all specs of one kind, as stage paths seen from this prim's
// side of instances.
std::vector<layer::Path> compose_targets(const Stage& stage, std::uint32_t node,
                                         std::uint64_t context, Token name, Kind kind,
                                         Diagnostics* diagnostics) {
  const Stage::Impl& impl = impl_of(stage);
  std::vector<layer::Path> result;
  std::vector<SpecAt> specs;
  bool done = false;
  for_each_spec(impl, node, name, [&](SpecAt at) {
    const layer::ListOp<layer::Path>* targets = at.spec->targets();
    if (targets == nullptr || kind_of(*at.spec) != kind) return false;
    if (specs.empty() && targets->is_explicit && at.site->mapping == 0 && context == 0) {
      apply_list_op(*targets, result);  // Nothing to map and nothing below: by far the most.
      return done = true;
    }
    specs.push_back(at);
    return targets->is_explicit;
  });
  if (done || specs.empty()) return result;
  const auto report_unmappable = [&](const SpecAt& at, const layer::Path& path) {
    const layer::Path property =
        StageAccess::prim(stage, node, context).path().property(name.view());
    report(diagnostics, Severity::error, "stage-unmappable-target",
           {impl.layers[at.site->layer]->identifier(), at.spec->line, property.view()},
           format_text("The target <{}> lies outside of what the arc brings in and is left out.",
                       path.view()));
  };
  for (auto at = specs.rbegin(); at != specs.rend(); ++at) {
    const layer::ListOp<layer::Path>& authored = *at->spec->targets();
    const auto map_all = [&](const std::vector<layer::Path>& in, std::vector<layer::Path>& out) {
      for (const layer::Path& path : in) {
        layer::Path mapped = map_path(impl.mappings, at->site->mapping, path);
        if (!mapped.empty()) {
          out.push_back(std::move(mapped));
        } else if (diagnostics != nullptr && &in != &authored.deleted) {
          report_unmappable(*at, path);  // To delete what cannot be there is no mistake.
        }
      }
    };
    apply_list_op(layer::convert_lists<layer::Path>(authored, map_all), result);
  }
  // The lists are of paths where the prototype was composed; what that leads to is seen from here.
  const std::vector<Placement> places = placements(stage, node, context);
  for (layer::Path& target : result) target = place(places, std::move(target));
  return result;
}

bool has_targets(const Stage::Impl& impl, std::uint32_t node, Token name, Kind kind) {
  bool found = false;
  for_each_spec(impl, node, name, [&](SpecAt at) {
    return found = at.spec->targets() != nullptr && kind_of(*at.spec) == kind;
  });
  return found;
}

}  // namespace

bool Attribute::has_connections() const noexcept {
  return valid() && has_targets(impl_of(*stage_), node_, name_, Kind::attribute);
}

std::vector<layer::Path> Attribute::connections(Diagnostics* diagnostics) const {
  if (!valid()) return {};
  return compose_targets(*stage_, node_, context_, name_, Kind::attribute, diagnostics);
}

bool Relationship::has_authored_targets() const noexcept {
  return valid() && has_targets(impl_of(*stage_), node_, name_, Kind::relationship);
}

std::vector<layer::Path> Relationship::targets(Diagnostics* diagnostics) const {
  if (!valid()) return {};
  return compose_targets(*stage_, node_, context_, name_, Kind::relationship, diagnostics);
}

std::vector<layer::Path> Relationship::forwarded_targets(Diagnostics* diagnostics) const {
  std::vector<layer::Path> result;
  std::unordered_set<layer::Path> seen;
  // A stack of targets still to look at, the next one on top; depth first, cycles cut by `seen`.
  std::vector<layer::Path> open = targets(diagnostics);
  std::reverse(open.begin(), open.end());
  while (!open.empty()) {
    const layer::Path path = std::move(open.back());
    open.pop_back();
    if (!seen.insert(path).second) continue;
    if (path.is_property()) {
      const Prim owner = stage_->prim(path.prim_path());
      const Relationship next = owner ? owner.relationship(path.name()) : Relationship();
      if (next) {
        std::vector<layer::Path> more = next.targets(diagnostics);
        open.insert(open.end(), more.rbegin(), more.rend());
        continue;
      }
    }
    result.push_back(path);
  }
  return result;
}

}  // namespace sinew::stage
