// SPDX-License-Identifier: Apache-2.0
#include "sinew/physics/lookup.hpp"

#include <algorithm>
#include <numeric>

#include "core/sort.hpp"
#include "physics/shared/indexed.hpp"

namespace sinew::physics {
namespace {

// Stable, so that the first of equal paths comes first.
template <typename List>
std::vector<std::int32_t> sorted(const List& list) {
  std::vector<std::int32_t> order(list.size());
  std::iota(order.begin(), order.end(), 0);
  stable_sort_range(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
    return at(list, a).path.view() < at(list, b).path.view();
  });
  return order;
}

template <typename List>
std::int32_t find(const List& list, const std::vector<std::int32_t>& order,
                  std::string_view path) noexcept {
  const auto found = std::lower_bound(
      order.begin(), order.end(), path,
      [&](std::int32_t index, std::string_view p) { return at(list, index).path.view() < p; });
  return found != order.end() && at(list, *found).path.view() == path ? *found : kNone;
}

}  // namespace

Lookup::Lookup(const PhysicsModel& model)
    : model_(model),
      bodies_(sorted(model.rigid_bodies)),
      joints_(sorted(model.joints)),
      shapes_(sorted(model.shapes)),
      scenes_(sorted(model.scenes)),
      materials_(sorted(model.materials)) {}

std::int32_t Lookup::body(std::string_view path) const noexcept {
  return find(model_.rigid_bodies, bodies_, path);
}
std::int32_t Lookup::joint(std::string_view path) const noexcept {
  return find(model_.joints, joints_, path);
}
std::int32_t Lookup::shape(std::string_view path) const noexcept {
  return find(model_.shapes, shapes_, path);
}
std::int32_t Lookup::scene(std::string_view path) const noexcept {
  return find(model_.scenes, scenes_, path);
}
std::int32_t Lookup::material(std::string_view path) const noexcept {
  return find(model_.materials, materials_, path);
}

}  // namespace sinew::physics
