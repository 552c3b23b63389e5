// SPDX-License-Identifier: Apache-2.0
#include "stage/shared/reporter.hpp"

#include <utility>

#include "core/report.hpp"
#include "stage/opinions.hpp"

namespace sinew::stage {

namespace {

// The strongest opinion about a prim; of a prim without any, the root layer.
Subject place_of(const Prim& prim) {
  const Stage::Impl& impl = impl_of(prim.stage());
  const auto sites = impl.sites_of(prim.node());
  if (sites.empty()) return {.file = impl.layers.front()->identifier()};
  return {.file = impl.layers[sites.front().layer]->identifier(), .line = sites.front().spec->line};
}

// The opinion that supplies the default value of a property, else the strongest.
Subject place_of(const Property& property) {
  const Prim prim = property.prim();
  const Stage::Impl& impl = impl_of(prim.stage());
  const Resolved found = resolve(impl, prim.node(), property.name(), false);
  SpecAt at = found.strongest();
  if (found.source == ValueSource::none) {
    for_each_spec(impl, prim.node(), property.name(), [&](SpecAt strongest) {
      at = strongest;
      return true;
    });
  }
  if (at.spec == nullptr) return place_of(prim);
  return {.file = impl.layers[at.site->layer]->identifier(), .line = at.spec->line};
}

}  // namespace

bool Reporter::is_told_now(std::string_view code, const Prim& prim, std::string_view property) {
  if (diagnostics_ == nullptr) return false;
  return repeats_ == Repeats::all || told_.emplace(prim.node(), code, property).second;
}

Reporter::Reporter(const Prim& prim, Diagnostics* diagnostics, Repeats repeats) noexcept
    : stage_(prim ? &prim.stage() : nullptr),
      diagnostics_(prim ? diagnostics : nullptr),
      repeats_(repeats) {}

Rules Reporter::rules() const noexcept {
  return stage_ == nullptr ? Rules::documented : stage_->rules();
}

void Reporter::add(Severity severity, std::string_view code, const Prim& prim, std::string message,
                   std::string_view hint) {
  if (!is_told_now(code, prim, {})) return;
  Subject subject = place_of(prim);
  const layer::Path path = prim.path();
  subject.path = path.view();
  report(diagnostics_, severity, code, subject, std::move(message), hint);
}

void Reporter::add(Severity severity, std::string_view code, const Property& property,
                   std::string message, std::string_view hint) {
  if (!is_told_now(code, property.prim(), property.name().view())) return;
  Subject subject = place_of(property);
  const layer::Path path = property.path();
  subject.path = path.view();
  report(diagnostics_, severity, code, subject, std::move(message), hint);
}

void Reporter::add(Severity severity, std::string_view code, const layer::Path& path,
                   std::string message, std::string_view hint) {
  const Prim prim = stage_->prim(path.prim_path());
  if (prim && !is_told_now(code, prim, path.is_property() ? path.name() : std::string_view())) {
    return;
  }
  Subject subject;
  if (prim) {
    subject = place_of(prim);
    if (path.is_property()) {
      const Attribute attribute = prim.attribute(path.name());
      const Relationship relationship = prim.relationship(path.name());
      if (attribute) subject = place_of(attribute);
      if (relationship) subject = place_of(relationship);
    }
  }
  subject.path = path.view();
  report(diagnostics_, severity, code, subject, std::move(message), hint);
}

}  // namespace sinew::stage
