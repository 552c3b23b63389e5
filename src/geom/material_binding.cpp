// SPDX-License-Identifier: Apache-2.0
#include "sinew/geom/material_binding.hpp"

#include <string>
#include <unordered_map>
#include <vector>

#include "core/format_text.hpp"
#include "sinew/geom/collections.hpp"

namespace sinew::geom {

namespace {

constexpr std::string_view kBinding = "material:binding";
constexpr std::string_view kCollection = "material:binding:collection:";

// One binding on one prim.
struct Slot {
  stage::Prim material;  // Invalid if the target is not a material.
  layer::Path relationship;
  bool stronger = false;
  Collection members;  // Of collection bindings.
};

// What one prim authors for one purpose.
struct Slots {
  bool direct = false;
  Slot direct_slot;
  std::vector<Slot> collections;
};

bool is_stronger(const stage::Relationship& relationship) {
  return relationship.metadata("bindMaterialAs").text() == "strongerThanDescendants";
}

}  // namespace

struct MaterialBindings::Impl {
  const stage::Stage& stage;
  std::string purpose;
  Token direct_name[2];         // For the purpose, for all purposes.
  std::string collection_name;  // Prefix for the purpose.
  std::unordered_map<stage::Prim, Slots> known[2];
  // Of prims by node, which proxies share: 0 unknown, 1 nothing authored, 2 something.
  std::vector<std::uint8_t> authors_by_node;
  // Of ordinary prims by node: 0 unknown, 1 nothing authored here and above, 2 something.
  std::vector<std::uint8_t> chain_by_node;

  static std::uint8_t& at(std::vector<std::uint8_t>& states, const stage::Prim& prim) {
    if (prim.node() >= states.size()) states.resize(prim.node() + 1 + states.size() / 2, 0);
    return states[prim.node()];
  }

  bool authors(const stage::Prim& prim) {
    std::uint8_t& state = at(authors_by_node, prim);
    if (state == 0) state = prim.has_property_in_namespace(kBinding) ? 2 : 1;
    return state == 2;
  }

  // Whether nothing is authored on the prim and all above it. False where it would take long to
  // tell.
  bool none_in_chain(const stage::Prim& prim) {
    if (prim.instance_context() != 0 || prim.is_root()) return false;
    std::uint8_t state = at(chain_by_node, prim);
    if (state == 0) {
      const stage::Prim parent = prim.parent();
      const bool none_above = parent.is_root() || none_in_chain(parent);
      state = none_above && !authors(prim) ? 1 : 2;
      at(chain_by_node, prim) = state;
    }
    return state == 1;
  }

  // What a prim authors; null if nothing.
  const Slots* slots(const stage::Prim& prim, int which) {
    if (!authors(prim)) return nullptr;
    const auto [found, added] = known[which].try_emplace(prim);
    if (added) read(prim, which, found->second);
    return &found->second;
  }

  stage::Prim material_at(const layer::Path& path) const {
    const stage::Prim material = stage.prim(path);
    return material && material.is_a(stage::SchemaType::material) ? material : stage::Prim();
  }

  void read(const stage::Prim& prim, int which, Slots& slots) const {
    if (const auto relationship = prim.relationship(direct_name[which])) {
      const std::vector<layer::Path> targets = relationship.forwarded_targets();
      if (targets.size() == 1 && !targets[0].is_property()) {
        slots.direct = true;
        slots.direct_slot = {
            material_at(targets[0]), relationship.path(), is_stronger(relationship), {}};
      }
    }
    if (!prim.has_property_in_namespace(kCollection)) return;
    for (const stage::Relationship& relationship : prim.relationships()) {
      std::string_view name = relationship.name().view();
      if (!name.starts_with(kCollection)) continue;
      name.remove_prefix(kCollection.size());
      // "NAME" binds for all purposes, "PURPOSE:NAME" for one.
      const std::size_t colon = name.find(':');
      const bool fits = which == 1
                            ? colon == std::string_view::npos
                            : colon != std::string_view::npos && name.substr(0, colon) == purpose;
      if (fits) add_collection(relationship, slots);
    }
  }

  void add_collection(const stage::Relationship& relationship, Slots& slots) const {
    const std::vector<layer::Path> targets = relationship.forwarded_targets();
    if (targets.size() != 2 || targets[0].is_property() == targets[1].is_property()) return;
    const layer::Path& members = targets[targets[0].is_property() ? 0 : 1];
    const layer::Path& material = targets[targets[0].is_property() ? 1 : 0];
    constexpr std::string_view kPrefix = "collection:";
    const stage::Prim owner = stage.prim(members.prim_path());
    if (!owner || !members.name().starts_with(kPrefix)) return;
    const std::string collection(members.name().substr(kPrefix.size()));
    if (!owner.has_api("CollectionAPI:" + collection)) return;
    slots.collections.push_back({material_at(material), relationship.path(),
                                 is_stronger(relationship), Collection::read(owner, collection)});
  }
};

MaterialBindings::MaterialBindings(const stage::Stage& stage, std::string_view purpose)
    : impl_(new Impl{stage, std::string(purpose), {}, {}, {}, {}, {}}) {
  impl_->direct_name[0] = stage.find_token(format_text("{}:{}", kBinding, purpose));
  impl_->direct_name[1] = stage.find_token(kBinding);
}

MaterialBindings::~MaterialBindings() = default;

MaterialBinding MaterialBindings::resolve(const stage::Prim& prim) {
  if (impl_->none_in_chain(prim)) return {};
  layer::Path path;  // Made only if a collection asks for it.
  for (int which = impl_->purpose.empty() ? 1 : 0; which < 2; ++which) {
    const Slot* winner = nullptr;
    for (stage::Prim at = prim; at && !at.is_root(); at = at.parent()) {
      const Slots* slots = impl_->slots(at, which);
      if (slots == nullptr) continue;
      bool own = false;
      if (slots->direct && (winner == nullptr || slots->direct_slot.stronger)) {
        winner = &slots->direct_slot;
        own = true;
      }
      for (const Slot& slot : slots->collections) {
        if (winner != nullptr && !own && !slot.stronger) continue;
        if (path.empty()) path = prim.path();
        const bool by_path = slot.members.expression().empty();
        if (by_path ? slot.members.contains(path) : slot.members.contains(prim)) {
          winner = &slot;
          break;
        }
      }
    }
    if (winner == nullptr) continue;
    MaterialBinding result;
    result.bound = true;
    result.relationship = winner->relationship;
    result.material = winner->material;
    return result;
  }
  return {};
}

}  // namespace sinew::geom
