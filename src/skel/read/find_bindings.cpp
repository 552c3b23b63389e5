// SPDX-License-Identifier: Apache-2.0
#include "skel/read/find_bindings.hpp"

#include <string>
#include <utility>

#include "core/format_text.hpp"
#include "core/sort.hpp"
#include "sinew/skel/read/bindings.hpp"
#include "skel/read/forwarding.hpp"

namespace sinew::skel {
namespace {

using stage::Prim;
using stage::SchemaType;

// Whether a path leads into a prim that is switched off, so that nothing can be there.
bool lies_in_inactive(const stage::Stage& stage, const layer::Path& path) {
  for (layer::Path p = path.prim_path(); !p.empty() && !p.is_root(); p = p.parent()) {
    if (const Prim prim = stage.prim(p)) return !prim.is_active();
  }
  return false;
}

// Finds the entry of a skeleton and its animation in a list of bindings, or adds one.
class BindingIndex {
 public:
  FoundBinding& binding(const Prim& skel_root, const Prim& skeleton, const Prim& animation,
                        std::vector<FoundBinding>& bindings) {
    const std::size_t hash = skeleton.hash() * 31 + (animation ? animation.hash() : 0);
    const auto [first, last] = positions_.equal_range(hash);
    for (auto it = first; it != last; ++it) {
      FoundBinding& known = bindings[it->second];
      if (known.skeleton == skeleton && known.animation == animation) return known;
    }
    positions_.emplace(hash, bindings.size());
    bindings.push_back({skel_root, skeleton, animation, skeleton.path(), {}});
    return bindings.back();
  }

 private:
  std::unordered_multimap<std::size_t, std::size_t> positions_;
};

}  // namespace

BindingNames::BindingNames(const stage::Stage& stage) {
  Token* const fields[] = {&skeleton,        &animation_source, &joints,
                           &joint_indices,   &joint_weights,    &geom_bind_transform,
                           &skinning_method, &blend_shapes,     &blend_shape_targets};
  for (std::size_t i = 0; i < std::size(kBindingPropertyNames); ++i) {
    *fields[i] = stage.find_token(kBindingPropertyNames[i]);
  }
}

bool is_skinnable(const Prim& prim) {
  return prim.is_a(SchemaType::boundable) && !prim.is_a(SchemaType::skeleton) &&
         !prim.is_a(SchemaType::skel_root);
}

BindingFinder::BindingFinder(const stage::Stage& stage, Reporter& reporter)
    : stage_(&stage), reporter_(&reporter), names_(stage) {}

std::vector<Prim> BindingFinder::skel_roots(const Prim& top) const {
  std::vector<Prim> roots;
  const stage::PrimRange range = top.descendants(stage::Traversal::with_instance_proxies());
  for (auto it = range.begin(); it != range.end(); ++it) {
    const Prim prim = *it;
    if (prim.is_root() || !prim.is_a(SchemaType::skel_root)) continue;
    roots.push_back(prim);
    it.skip_descendants();
  }
  return roots;
}

bool BindingFinder::has_binding_api(const Prim& prim) {
  const auto [entry, is_new] = has_api_.try_emplace(prim.node(), false);
  if (!is_new) return entry->second;
  if (prim.has_api("SkelBindingAPI")) return entry->second = true;
  if (!reporter_->documented()) return false;
  const Token names[] = {
      names_.skeleton,        names_.animation_source, names_.joints,
      names_.joint_indices,   names_.joint_weights,    names_.geom_bind_transform,
      names_.skinning_method, names_.blend_shapes,     names_.blend_shape_targets};
  for (const Token name : names) {
    if (name.empty()) continue;
    if (!prim.attribute(name) && !prim.relationship(name)) continue;
    reporter_->add(
        Severity::warning, "skel-binding-api-missing", prim,
        format_text("{} is used although SkelBindingAPI is not applied to this prim.", name.view()),
        "write prepend apiSchemas = [\"SkelBindingAPI\"]; OpenUSD ignores the property");
    return entry->second = true;
  }
  return false;
}

BoundPrim BindingFinder::bound(const Prim& prim, Token relationship, SchemaType type) {
  if (relationship.empty()) return {};
  const stage::Relationship rel = prim.relationship(relationship);
  if (!rel || !rel.has_authored_targets()) return {};
  Diagnostics problems;
  const ForwardedTargets forwarded = forward_targets(rel, &problems);
  const std::vector<layer::Path>& targets = forwarded.targets;
  if (!forwarded.is_defined || count(problems, Severity::error) > 0) return {};
  if (targets.empty()) return {true, {}};
  if (targets.size() > 1) {
    reporter_->add(Severity::warning, "skel-several-targets", rel,
                   format_text("{} has {} targets; only the first, <{}>, is used.",
                               relationship.view(), targets.size(), targets.front().view()));
  }
  const layer::Path& target = targets.front();
  const Prim found = target.is_prim() ? stage_->prim(target) : Prim();
  if (!found) {
    if (!lies_in_inactive(*stage_, target)) {
      reporter_->add(
          Severity::warning, "skel-target-missing", rel,
          format_text("{} names <{}>, which does not exist.", relationship.view(), target.view()));
    }
    return {true, {}};
  }
  if (!found.is_a(type)) {
    reporter_->add(
        Severity::warning, "skel-target-wrong-type", rel,
        format_text("{} names <{}>, which is a {} and not a {}.", relationship.view(),
                    target.view(),
                    found.type_name().empty() ? "prim without a type" : found.type_name().view(),
                    stage::to_string(type)));
    return {true, {}};
  }
  return {true, found};
}

BoundPrim BindingFinder::inherited_animation_source(const Prim& prim) {
  for (Prim p = prim; p && !p.is_root(); p = p.parent()) {
    if (!has_binding_api(p)) continue;
    const BoundPrim found = bound(p, names_.animation_source, SchemaType::skel_animation);
    if (found.defined) return found;
  }
  return {};
}

// The source that drives a skeleton: that of the Skeleton prim; failing any, and only by the
// documented rules, that of the prim that binds the skeleton.
Prim BindingFinder::animation_of(const BindingSite& site) {
  BoundPrim source = inherited_animation_source(site.skeleton);
  if (!source.defined && reporter_->documented()) {
    source = inherited_animation_source(site.skeleton_site);
  }
  return source.prim && source.prim.is_active() ? source.prim : Prim();
}

// Lets the prim's own properties replace inherited ones. Tells whether any did.
bool BindingFinder::update(const Prim& prim, BindingSite& site) {
  if (!has_binding_api(prim)) return false;
  bool changed = false;
  if (const BoundPrim found = bound(prim, names_.skeleton, SchemaType::skeleton); found.defined) {
    site.skeleton = found.prim;
    site.skeleton_site = prim;
    changed = true;
  }
  const std::pair<Token, Prim*> inherited[] = {
      {names_.joints, &site.joints},
      {names_.joint_indices, &site.joint_indices},
      {names_.joint_weights, &site.joint_weights},
      {names_.geom_bind_transform, &site.geom_bind_transform},
      {names_.skinning_method, &site.skinning_method}};
  for (const auto& [name, place] : inherited) {
    if (name.empty()) continue;
    // A blocked attribute has no authored value: the ancestor's stays in force.
    if (const stage::Attribute a = prim.attribute(name); a && a.has_authored_value()) {
      *place = prim;
      changed = true;
    }
  }
  return changed;
}

BindingSite BindingFinder::site_above(const Prim& skel_root) {
  BindingSite site;
  if (!reporter_->documented()) return site;
  std::vector<Prim> ancestors;
  for (Prim p = skel_root.parent(); p && !p.is_root(); p = p.parent()) ancestors.push_back(p);
  for (auto it = ancestors.rbegin(); it != ancestors.rend(); ++it) {
    if (update(*it, site)) {
      reporter_->add(
          Severity::warning, "skel-binding-above-skelroot", *it,
          format_text("Skinning properties above the SkelRoot <{}> are inherited into it.",
                      skel_root.path().view()),
          "move them to the SkelRoot; OpenUSD ignores them here");
    }
  }
  return site;
}

// Whether discovery enters a prim. Prims that cannot be seen are left out with everything below,
// but by the documented rules a prim without a type does not hide what it holds.
bool BindingFinder::is_visited(const Prim& prim) {
  if (prim.is_a(SchemaType::imageable)) return true;
  if (!reporter_->documented()) return false;
  return prim.schema_type() == SchemaType::unknown;
}

void BindingFinder::add_blend_shapes(const Prim& prim, BindingSite& site) {
  if (!has_binding_api(prim)) return;
  if (!names_.blend_shapes.empty()) {
    const stage::Attribute shapes = prim.attribute(names_.blend_shapes);
    if (shapes && shapes.has_authored_value()) site.blend_shapes = prim;
  }
  if (!names_.blend_shape_targets.empty()) {
    const stage::Relationship targets = prim.relationship(names_.blend_shape_targets);
    if (targets && targets.has_authored_targets()) site.blend_shape_targets = prim;
  }
}

std::vector<FoundBinding> BindingFinder::find(const Prim& skel_root,
                                              const stage::Traversal& traversal) {
  struct Frame {
    Prim next;         // The sibling to look at.
    BindingSite site;  // What it inherits.
    bool below_untyped;
  };
  std::vector<Frame> frames;
  std::vector<FoundBinding> result;
  BindingIndex index;

  const auto enter = [&](const Prim& prim, BindingSite site, bool below_untyped) {
    if (!prim.matches(traversal) || !is_visited(prim)) return;
    update(prim, site);
    if (is_skinnable(prim)) {
      add_blend_shapes(prim, site);
      if (below_untyped && site.skeleton) {
        reporter_->add(Severity::warning, "skel-binding-below-untyped", prim,
                       "A prim without a type stands between this skinned prim and its SkelRoot.",
                       "give it a type, for example Scope; OpenUSD does not look below it");
      }
      if (site.skeleton && site.skeleton.is_active()) {
        index.binding(skel_root, site.skeleton, animation_of(site), result)
            .targets.push_back({prim, site});
      }
      return;
    }
    if (prim.is_instance() && !traversal.instance_proxies) return;
    const bool untyped = !prim.is_a(SchemaType::imageable);
    if (const Prim child = prim.first_child()) {
      frames.push_back({child, site, below_untyped || untyped});
    }
  };

  enter(skel_root, site_above(skel_root), false);
  while (!frames.empty()) {
    Frame& frame = frames.back();
    const Prim prim = frame.next;
    if (!prim) {
      frames.pop_back();
      continue;
    }
    frame.next = prim.next_sibling();
    enter(prim, frame.site, frame.below_untyped);  // Copies, because it may grow the stack.
  }
  stable_sort_range(result.begin(), result.end(), [](const FoundBinding& a, const FoundBinding& b) {
    return a.skeleton_path < b.skeleton_path;
  });
  return result;
}

}  // namespace sinew::skel
