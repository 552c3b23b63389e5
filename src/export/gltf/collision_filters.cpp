// SPDX-License-Identifier: Apache-2.0
#include "export/gltf/collision_filters.hpp"

#include <algorithm>
#include <utility>

#include "core/format_text.hpp"
#include "sinew/physics/collision_classes.hpp"
#include "sinew/physics/pair_filter.hpp"

namespace sinew::exporter {

namespace {

constexpr std::size_t kMostColliders = 8192;
constexpr std::size_t kMostClasses = 4096;

bool may_filter(const physics::PhysicsModel& model) {
  const auto filters = [](const auto& owner) { return !owner.filtered_collision_paths.empty(); };
  return !model.group_prims.empty() || std::ranges::any_of(model.shapes, filters) ||
         std::ranges::any_of(model.rigid_bodies, filters) ||
         std::ranges::any_of(model.articulations, filters);
}

}  // namespace

CollisionFilters collision_filters(Writer& w, physics::PhysicsModel& model) {
  CollisionFilters result;
  result.filter_of_shape.assign(model.shapes.size(), -1);
  if (!may_filter(model)) return result;
  const auto give_up = [&] {
    w.warn("gltf-collision-filters", w.stage.root(),
           format_text("The collision filters of {} colliders are too many; they are left out.",
                       model.shapes.size()));
  };
  if (model.shapes.size() > kMostColliders) {
    give_up();
    return result;
  }
  // What joints keep apart, they say themselves.
  std::vector<physics::Joint> joints = std::exchange(model.joints, {});
  const auto filter = physics::PairFilter::build(model, w.diagnostics);
  const physics::CollisionClasses classes = physics::collision_classes(model, filter);
  model.joints = std::move(joints);
  if (classes.count > kMostClasses) {
    give_up();
    return result;
  }
  std::vector<std::string> names(classes.count);  // Of the first shape of each.
  for (std::size_t s = 0; s < model.shapes.size(); ++s) {
    const std::int32_t of = classes.class_of_shape[s];
    if (of < 0) continue;
    std::string& name = names[static_cast<std::size_t>(of)];
    if (name.empty()) name = model.shapes[s].path.str();
  }
  std::vector<std::int32_t> number(classes.count, -1);
  for (std::size_t a = 0; a < classes.count; ++a) {
    Json apart = Json::array();
    for (std::size_t b = 0; b < classes.count; ++b) {
      if (!classes.collide(static_cast<std::int32_t>(a), static_cast<std::int32_t>(b))) {
        apart.push_back(names[b]);
      }
    }
    if (apart.empty()) continue;
    Json json = Json::object();
    json["collisionSystems"] = Json::list({names[a]});
    json["notCollideWithSystems"] = std::move(apart);
    number[a] = static_cast<std::int32_t>(result.filters.size());
    result.filters.push_back(std::move(json));
  }
  for (std::size_t s = 0; s < model.shapes.size(); ++s) {
    const std::int32_t of = classes.class_of_shape[s];
    if (of >= 0) result.filter_of_shape[s] = number[static_cast<std::size_t>(of)];
  }
  return result;
}

}  // namespace sinew::exporter
