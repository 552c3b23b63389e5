// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "sinew/stage/attribute.hpp"
#include "stage/clips.hpp"
#include "stage/stage_impl.hpp"

namespace sinew::stage {

/// One spec of a property, and where it is.
struct SpecAt {
  const layer::PropertySpec* spec = nullptr;
  const Site* site = nullptr;
};

/// Calls `visit(SpecAt)` for every spec, strongest first, until it returns true.
template <typename Visit>
void for_each_spec(const Stage::Impl& impl, std::uint32_t node, Token name, Visit visit) {
  for (const Site& site : impl.sites_of(node)) {
    const layer::PropertySpec* spec = impl.layers[site.layer]->find_property(*site.spec, name);
    if (spec != nullptr && visit(SpecAt{spec, &site})) return;
  }
}

/// Those that are applied to a prim, in their order.
std::span<const Token> api_schemas_of(const Stage::Impl& impl, std::uint32_t node) noexcept;

/// Whether the schemas of a prim have an attribute, or a relationship, of a name: then a property
/// of that name is one, whatever its strongest spec is.
bool declares_attribute(const Stage::Impl& impl, std::uint32_t node, Token name);
bool declares_relationship(const Stage::Impl& impl, std::uint32_t node, Token name);

/// An opinion about an attribute: a spec, or what a set of value clips says.
struct OpinionAt : SpecAt {
  const ClipUse* use = nullptr;  ///< Then there is no spec.
  const ClipAttribute* in_clips = nullptr;

  const ClipBinding& binding(const Stage::Impl& impl) const {
    return impl.clips->bindings[use->binding];
  }
  const ClipSet& clip_set(const Stage::Impl& impl) const { return *binding(impl).set; }
  std::uint32_t mapping(const Stage::Impl& impl) const {
    return use != nullptr ? binding(impl).mapping : site->mapping;
  }
  const layer::LayerOffset& offset(const Stage::Impl& impl) const {
    return use != nullptr ? binding(impl).offset : impl.mappings[site->mapping].offset;
  }
  friend bool operator==(const OpinionAt& a, const OpinionAt& b) {
    return a.spec == b.spec && a.use == b.use;
  }
};

/// Calls `visit(OpinionAt)` for every spec and for the clips between them, strongest first, until
/// it returns true.
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
    const layer::PropertySpec* spec = impl.layers[site.layer]->find_property(*site.spec, name);
    if (spec != nullptr && visit(OpinionAt{{spec, &site}})) return;
    ++index;
  }
  if (!clips.empty()) visit_clips();
}

/// What a read uses: one opinion, and whether its samples or its default.
struct Resolved {
  OpinionAt at;
  ValueSource source = ValueSource::none;
  /// The strongest of the defaults above `at` that are array edits: they change what it gives.
  OpinionAt edit;

  bool is_edited() const noexcept { return edit.spec != nullptr; }
  bool is_sampled() const noexcept {
    return source == ValueSource::time_samples || source == ValueSource::value_clips;
  }
  /// The strongest opinion that has a part in the value.
  const OpinionAt& strongest() const noexcept { return is_edited() ? edit : at; }
};

/// @param numeric  Whether time samples count: the time is not the default time.
/// @param wanted  Defaults of other types are passed over.
Resolved resolve(const Stage::Impl& impl, std::uint32_t node, Token name, bool numeric,
                 ValueTypes wanted = ValueTypes::any());

}  // namespace sinew::stage
