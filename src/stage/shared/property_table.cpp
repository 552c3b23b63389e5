// SPDX-License-Identifier: Apache-2.0
#include "stage/shared/property_table.hpp"

#include <algorithm>

#include "core/prefetch.hpp"
#include "sinew/core/assert.hpp"
#include "stage/opinions.hpp"

namespace sinew::stage {

PropertyName PropertyNames::find(std::string_view text) {
  const Token token = stage_->find_token(text);
  if (token.empty()) return {};
  const auto known = std::find(tokens_.begin(), tokens_.end(), token);
  const auto index = static_cast<std::size_t>(known - tokens_.begin());
  SINEW_ASSERT(index + 1 < kMost);
  if (known == tokens_.end()) tokens_.push_back(token);
  return {token, static_cast<std::uint8_t>(index + 1)};
}

PropertyTable::PropertyTable(const PropertyNames& names, std::string_view watched)
    : watched_(watched), table_(512) {
  for (const Token token : names.tokens()) add(token, static_cast<std::uint8_t>(known_ + 1));
}

void PropertyTable::add(Token name, std::uint8_t number) {
  std::size_t i = std::hash<Token>()(name) & (table_.size() - 1);
  while (!table_[i].token.empty()) i = (i + 1) & (table_.size() - 1);
  table_[i] = {name, number};
  ++known_;
}

std::uint8_t PropertyTable::number_of(Token name) {
  for (std::size_t i = std::hash<Token>()(name);; ++i) {
    const Known& known = table_[i & (table_.size() - 1)];
    if (known.token == name) return known.number;
    if (known.token.empty()) break;
  }
  if (known_ * 2 >= table_.size()) {
    std::vector<Known> old(table_.size() * 2);
    old.swap(table_);
    known_ = 0;
    for (const Known& known : old) {
      if (!known.token.empty()) add(known.token, known.number);
    }
  }
  const bool is_watched = !watched_.empty() && name.view().starts_with(watched_);
  const std::uint8_t number = is_watched ? kWatched : kOther;
  add(name, number);
  return number;
}

namespace {

// What the next prims in namespace order author, so that it is there when they are read.
void fetch_ahead(const Stage::Impl& impl, std::size_t node) noexcept {
  constexpr std::size_t kLine = 64;
  constexpr std::size_t kMostBytes = 8 * kLine;
  const auto spec_of = [&](std::size_t at) -> const layer::PrimSpec* {
    if (at >= impl.nodes.size() || impl.nodes[at].site_count == 0) return nullptr;
    return impl.sites[impl.nodes[at].first_site].spec;
  };
  prefetch_memory(spec_of(node + 2));
  if (const layer::PrimSpec* next = spec_of(node + 1)) {
    const auto bytes = std::as_bytes(next->properties);
    for (std::size_t at = 0; at < std::min(bytes.size(), kMostBytes); at += kLine) {
      prefetch_memory(bytes.data() + at);
    }
  }
}

}  // namespace

void PropertyTable::collect(const Prim& prim) {
  for (const std::uint8_t number : used_) slots_[number] = {};
  used_.clear();
  has_watched_ = false;
  prim_ = prim;
  const Stage::Impl& impl = impl_of(prim.stage());
  fetch_ahead(impl, prim.node());
  for (const Site& site : impl.sites_of(prim.node())) {
    for (const layer::PropertySpec& property : site.spec->properties) {
      const std::uint8_t number = number_of(property.name);
      if (number == kOther) continue;
      if (number == kWatched) {
        has_watched_ = true;
        continue;
      }
      Slot& slot = slots_[number];
      if (slot.spec != nullptr) {
        slot.is_only = false;
      } else {
        slot = {&property, true, site.mapping != 0};
        used_.push_back(number);
      }
    }
  }
}

bool PropertyTable::finds_block(const Prim& prim, const PropertyName& name, ValueTypes wanted) {
  const Resolved found = resolve(impl_of(prim.stage()), prim.node(), name.token, false, wanted);
  return found.source == ValueSource::blocked && !found.is_edited();
}

const std::vector<layer::Path>* PropertyTable::plain_targets(const Prim& prim,
                                                             const PropertyName& name) const {
  if (prim != prim_ || prim.instance_context() != 0) return nullptr;
  const Slot& slot = slots_[name.number];
  if (slot.spec == nullptr || !slot.is_only || slot.is_mapped || slot.spec->is_attribute()) {
    return nullptr;
  }
  const layer::ListOp<layer::Path>* targets = slot.spec->targets();
  const bool one_list = targets != nullptr && targets->is_explicit;
  return one_list && targets->explicit_items.size() <= 1 ? &targets->explicit_items : nullptr;
}

const std::vector<layer::Path>& PropertyTable::targets(const Prim& prim, const PropertyName& name,
                                                       std::vector<layer::Path>& made,
                                                       Diagnostics* diagnostics) const {
  made.clear();
  if (!may_have(prim, name)) return made;
  if (const std::vector<layer::Path>* plain = plain_targets(prim, name)) return *plain;
  if (const Relationship relationship = prim.relationship(name.token)) {
    made = relationship.targets(diagnostics);
  }
  return made;
}

}  // namespace sinew::stage
