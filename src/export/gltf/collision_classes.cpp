// SPDX-License-Identifier: Apache-2.0
#include "export/gltf/collision_classes.hpp"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "sinew/physics/pair_filter.hpp"

namespace sinew::exporter {

namespace {

using physics::PairReason;

constexpr std::size_t kMostColliders = 8192;
constexpr std::size_t kMostClasses = 4096;

/// A set of colliders by its sum over scrambled numbers: equal sets have equal sums, and others
/// practically never; what is found to be equal is compared.
using Signature = std::pair<std::uint64_t, std::uint64_t>;

std::uint64_t scramble(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
  return x ^ (x >> 31);
}

class Classifier {
 public:
  Classifier(const physics::PhysicsModel& model, const physics::PairFilter& filter)
      : count_(model.shapes.size()), filter_(filter) {}

  bool are_apart(std::size_t a, std::size_t b) const {
    const PairReason reason =
        filter_.decide(static_cast<std::int32_t>(a), static_cast<std::int32_t>(b)).reason;
    return reason == PairReason::filtered_pair || reason == PairReason::collision_groups;
  }

  /// The class of each shape, by its first member.
  std::vector<std::size_t> run() {
    std::map<Signature, std::size_t> friendly, shy;  // Members collide with each other; or do not.
    std::vector<std::size_t> first(count_);
    for (std::size_t a = 0; a < count_; ++a) {
      Signature others = {0, 0};
      for (std::size_t b = 0; b < count_; ++b) {
        if (b == a || !are_apart(a, b)) continue;
        others.first += scramble(b);
        others.second += scramble(~b);
      }
      Signature with_self = others;
      with_self.first += scramble(a);
      with_self.second += scramble(~a);
      first[a] = a;
      const auto [same, is_new] = friendly.try_emplace(others, a);
      if (!is_new && are_alike(a, same->second)) {
        first[a] = same->second;
        continue;
      }
      const auto [also, is_first] = shy.try_emplace(with_self, a);
      if (!is_first && are_alike(a, also->second)) first[a] = also->second;
    }
    return first;
  }

 private:
  bool are_alike(std::size_t a, std::size_t b) const {
    for (std::size_t c = 0; c < count_; ++c) {
      if (c != a && c != b && are_apart(a, c) != are_apart(b, c)) return false;
    }
    return true;
  }

  std::size_t count_;
  const physics::PairFilter& filter_;
};

}  // namespace

CollisionClasses collision_classes(Writer& w, const physics::PhysicsModel& model) {
  CollisionClasses result;
  result.filter_of_shape.assign(model.shapes.size(), -1);
  const bool may_filter = !model.group_prims.empty() || [&] {
    for (const physics::Shape& shape : model.shapes) {
      if (!shape.filtered_collision_paths.empty()) return true;
    }
    for (const physics::RigidBody& body : model.rigid_bodies) {
      if (!body.filtered_collision_paths.empty()) return true;
    }
    for (const physics::Articulation& articulation : model.articulations) {
      if (!articulation.filtered_collision_paths.empty()) return true;
    }
    return false;
  }();
  if (!may_filter) return result;
  const auto give_up = [&] {
    w.warn("gltf-collision-filters", w.stage.root(),
           fmt::format("The collision filters of {} colliders are too many; they are left out.",
                       model.shapes.size()));
    return CollisionClasses{{}, std::vector<std::int32_t>(model.shapes.size(), -1)};
  };
  if (model.shapes.size() > kMostColliders) return give_up();
  const auto filter = physics::PairFilter::build(model, w.diagnostics);
  Classifier classifier(model, filter);
  const std::vector<std::size_t> first = classifier.run();
  std::vector<std::vector<std::size_t>> classes;
  std::vector<std::size_t> class_of(first.size());
  for (std::size_t s = 0; s < first.size(); ++s) {
    if (first[s] == s) {
      class_of[s] = classes.size();
      classes.push_back({s});
    } else {
      class_of[s] = class_of[first[s]];
      classes[class_of[s]].push_back(s);
    }
  }
  if (classes.size() > kMostClasses) return give_up();
  std::vector<std::int32_t> number(classes.size(), -1);
  const auto name = [&](std::size_t c) { return model.shapes[classes[c].front()].path.str(); };
  for (std::size_t c = 0; c < classes.size(); ++c) {
    Json apart = Json::array();
    for (std::size_t d = 0; d < classes.size(); ++d) {
      const bool is_self = c == d;
      if (is_self && classes[c].size() < 2) continue;
      if (classifier.are_apart(classes[c][is_self ? 1 : 0], classes[d].front()))
        apart.push_back(name(d));
    }
    if (apart.empty()) continue;
    Json json = Json::object();
    json["collisionSystems"] = Json::array({name(c)});
    json["notCollideWithSystems"] = std::move(apart);
    number[c] = static_cast<std::int32_t>(result.filters.size());
    result.filters.push_back(std::move(json));
  }
  for (std::size_t s = 0; s < first.size(); ++s) result.filter_of_shape[s] = number[class_of[s]];
  return result;
}

}  // namespace sinew::exporter
