// SPDX-License-Identifier: Apache-2.0
#include "physics/read/prim_properties.hpp"

#include <algorithm>
#include <span>

#include "stage/stage_impl.hpp"

namespace sinew::physics {

PrimProperties::PrimProperties(const Names& names) : table_(512) {
  for (std::size_t i = 0; i < names.known.size(); ++i) {
    add(names.known[i], static_cast<std::uint8_t>(i + 1));
  }
}

void PrimProperties::add(Token name, std::uint8_t number) {
  std::size_t i = name.hash() & (table_.size() - 1);
  while (!table_[i].token.empty()) i = (i + 1) & (table_.size() - 1);
  table_[i] = {name, number};
  ++known_;
}

std::uint8_t PrimProperties::number_of(Token name) {
  for (std::size_t i = name.hash();; ++i) {
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
  const std::uint8_t number = name.view().starts_with("material:binding") ? kBinding : kOther;
  add(name, number);
  return number;
}

namespace {

void prefetch(const void* address) noexcept {
#if defined(__GNUC__)
  __builtin_prefetch(address);
#else
  (void)address;
#endif
}

// What the next prims in namespace order author, so that it is there when they are read.
void fetch_ahead(const stage::Stage::Impl& impl, std::size_t node) noexcept {
  constexpr std::size_t kLine = 64;
  constexpr std::size_t kMostBytes = 8 * kLine;
  const auto spec_of = [&](std::size_t at) -> const layer::PrimSpec* {
    if (at >= impl.nodes.size() || impl.nodes[at].site_count == 0) return nullptr;
    return impl.sites[impl.nodes[at].first_site].spec;
  };
  prefetch(spec_of(node + 2));
  if (const layer::PrimSpec* next = spec_of(node + 1)) {
    const auto bytes = std::as_bytes(next->properties);
    for (std::size_t at = 0; at < std::min(bytes.size(), kMostBytes); at += kLine) {
      prefetch(bytes.data() + at);
    }
  }
}

}  // namespace

void PrimProperties::collect(const stage::Prim& prim) {
  for (const std::uint8_t number : used_) slots_[number] = {};
  used_.clear();
  binds_material_ = false;
  prim_ = prim;
  const stage::Stage::Impl& impl = prim.stage().impl();
  fetch_ahead(impl, prim.node());
  for (const stage::Site& site : impl.sites_of(prim.node())) {
    if (site.spec->properties.empty()) continue;
    State state = State::plain;
    if (site.mapping != 0) {
      const bool same_times = impl.mappings[site.mapping].offset == layer::LayerOffset{};
      state = same_times ? State::mapped : State::many;
    }
    for (const layer::PropertySpec& property : site.spec->properties) {
      const std::uint8_t number = number_of(property.name);
      if (number == kOther) continue;
      if (number == kBinding) {
        binds_material_ = true;
        continue;
      }
      Slot& slot = slots_[number];
      if (slot.spec != nullptr) {
        slot.state = State::many;
      } else {
        slot = {&property, state};
        used_.push_back(number);
      }
    }
  }
}

bool PrimProperties::finds_block(const stage::Prim& prim, const Name& name,
                                 stage::ValueTypes wanted) {
  const stage::Stage::Impl& impl = prim.stage().impl();
  for (const stage::Site& site : impl.sites_of(prim.node())) {
    const layer::PropertySpec* spec =
        impl.layers[site.layer]->find_property(*site.spec, name.token);
    if (spec == nullptr || !spec->is_attribute()) continue;
    const layer::Value& value = spec->default_value;
    if (value.is_block()) return true;
    if (value.has_value() && wanted.accept(value)) return false;
  }
  return false;
}

const std::vector<layer::Path>* PrimProperties::plain_targets(const stage::Prim& prim,
                                                              const Name& name) const {
  if (prim != prim_ || prim.instance_context() != 0) return nullptr;
  const Slot& slot = slots_[name.number];
  if (slot.spec == nullptr || slot.state != State::plain || slot.spec->is_attribute()) {
    return nullptr;
  }
  const layer::ListOp<layer::Path>* targets = slot.spec->targets();
  const bool one_list = targets != nullptr && targets->is_explicit;
  return one_list && targets->explicit_items.size() <= 1 ? &targets->explicit_items : nullptr;
}

}  // namespace sinew::physics
