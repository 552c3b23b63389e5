// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>

#include "core/sort.hpp"
#include "physics/articulation_island.hpp"
#include "physics/path_order.hpp"
#include "physics/shared/indexed.hpp"

namespace sinew::physics {
namespace {

template <typename Object>
std::vector<std::int32_t> sorted_by_path(const std::vector<Object>& objects) {
  // Paths begin alike, so the text that follows what all share decides nearly every comparison:
  // its first sixteen bytes are compared as two numbers.
  struct Key {
    std::uint64_t high;
    std::uint64_t low;
    std::int32_t index;
  };
  std::size_t shared = objects.empty() ? 0 : objects.front().path.size();
  for (const Object& object : objects) {
    const std::string_view first = objects.front().path.view().substr(0, shared);
    const std::string_view path = object.path;
    const auto differs = std::mismatch(first.begin(), first.end(), path.begin(), path.end()).first;
    shared = static_cast<std::size_t>(differs - first.begin());
  }
  std::vector<Key> keys;
  keys.reserve(objects.size());
  for (const Object& object : objects) {
    const std::string_view path = object.path;
    const auto number = [&](std::size_t from) {
      std::uint64_t bytes = 0;
      for (std::size_t i = from; i < from + 8; ++i) {
        const char c = i < path.size() ? path[i] : '\0';
        bytes = bytes << 8 | static_cast<unsigned char>(c);
      }
      return bytes;
    };
    keys.push_back({number(shared), number(shared + 8), static_cast<std::int32_t>(keys.size())});
  }
  sort_range(keys.begin(), keys.end(), [&](const Key& a, const Key& b) {
    if (a.high != b.high) return a.high < b.high;
    if (a.low != b.low) return a.low < b.low;
    const int order = at(objects, a.index).path.view().compare(at(objects, b.index).path.view());
    return order != 0 ? order < 0 : a.index < b.index;
  });
  std::vector<std::int32_t> order;
  order.reserve(keys.size());
  for (const Key& key : keys) order.push_back(key.index);
  return order;
}

template <typename Object>
std::int32_t find(const std::vector<Object>& objects, const std::vector<std::int32_t>& order,
                  std::string_view path) {
  const auto found =
      std::lower_bound(order.begin(), order.end(), path,
                       [&](std::int32_t a, std::string_view p) { return at(objects, a).path < p; });
  if (found == order.end() || at(objects, *found).path != path) return kNone;
  return *found;
}

std::vector<std::int32_t> inverse(const std::vector<std::int32_t>& order) {
  std::vector<std::int32_t> rank(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    at(rank, order[i]) = static_cast<std::int32_t>(i);
  }
  return rank;
}

}  // namespace

ArticulationGraph::ArticulationGraph(const PhysicsModel& model,
                                     std::span<const std::int32_t> preorder, Paths paths)
    : model_(model), position_(model.rigid_bodies.size()) {
  if (paths == Paths::any) sort();
  std::iota(position_.begin(), position_.end(), 0);
  for (std::size_t i = 0; i < preorder.size(); ++i) {
    const std::int32_t body = preorder[i];
    if (body >= 0 && static_cast<std::size_t>(body) < position_.size()) {
      at(position_, body) = static_cast<std::int32_t>(i);
    }
  }
  connect();
}

void ArticulationGraph::sort() {
  if (sorted_) return;
  bodies_by_path_ = sorted_by_path(model_.rigid_bodies);
  joints_by_path_ = sorted_by_path(model_.joints);
  body_rank_ = inverse(bodies_by_path_);
  joint_rank_ = inverse(joints_by_path_);
  sorted_ = true;
}

bool ArticulationGraph::joint_before(std::int32_t a, std::int32_t b) const noexcept {
  if (sorted_) {
    return at(joint_rank_, a) < at(joint_rank_, b);
  }
  return a != b && model_.joint(a).path < model_.joint(b).path;
}

bool ArticulationGraph::body_before(std::int32_t a, std::int32_t b) const noexcept {
  if (sorted_) {
    return at(body_rank_, a) < at(body_rank_, b);
  }
  return a != b && model_.body(a).path < model_.body(b).path;
}

std::string_view ArticulationGraph::body_path(std::int32_t body) const noexcept {
  return body == kNone ? std::string_view{} : model_.body(body).path.view();
}

std::int32_t ArticulationGraph::end(std::int32_t joint, int which) const noexcept {
  const std::int32_t body = model_.joint(joint).ends[which].body;
  return model_.has_body(body) && model_.body(body).rigid_body_enabled ? body : kNone;
}

// Lists the joints of every body in path order: counted first, then filled in.
void ArticulationGraph::connect() {
  std::vector<std::int32_t> usable;
  usable.reserve(model_.joints.size());
  for (std::size_t i = 0; i < model_.joints.size(); ++i) {
    const std::int32_t index = sorted_ ? joints_by_path_[i] : static_cast<std::int32_t>(i);
    const Joint& joint = model_.joint(index);
    const bool repeated =
        sorted_ && i > 0 && joint.path == model_.joint(joints_by_path_[i - 1]).path;
    if (joint.joint_enabled && joint.is_valid && !repeated) usable.push_back(index);
  }
  first_joint_.assign(body_count() + 1, 0);
  for (const std::int32_t joint : usable) {
    for (const int which : {0, 1}) {
      const std::int32_t body = end(joint, which);
      if (body != kNone) ++first_joint_[static_cast<std::size_t>(body) + 1];
    }
  }
  std::partial_sum(first_joint_.begin(), first_joint_.end(), first_joint_.begin());
  joint_list_.resize(first_joint_.back());
  std::vector<std::uint32_t> next(first_joint_.begin(), first_joint_.end() - 1);
  for (const std::int32_t joint : usable) {
    for (const int which : {0, 1}) {
      const std::int32_t body = end(joint, which);
      if (body != kNone) joint_list_[at(next, body)++] = joint;
    }
  }
  if (sorted_) return;
  for (std::size_t body = 0; body < body_count(); ++body) {
    if (first_joint_[body + 1] - first_joint_[body] < 2) continue;
    sort_range(joint_list_.begin() + static_cast<std::ptrdiff_t>(first_joint_[body]),
               joint_list_.begin() + static_cast<std::ptrdiff_t>(first_joint_[body + 1]),
               [&](std::int32_t a, std::int32_t b) { return joint_before(a, b); });
  }
}

std::span<const std::int32_t> ArticulationGraph::joints_of(std::int32_t body) const noexcept {
  const auto index = static_cast<std::size_t>(body);
  return std::span(joint_list_)
      .subspan(first_joint_[index], first_joint_[index + 1] - first_joint_[index]);
}

std::int32_t ArticulationGraph::find_body(std::string_view path) {
  sort();
  return find(model_.rigid_bodies, bodies_by_path_, path);
}

std::int32_t ArticulationGraph::find_joint(std::string_view path) {
  sort();
  return find(model_.joints, joints_by_path_, path);
}

std::vector<std::int32_t> ArticulationGraph::bodies_below(std::string_view path) {
  sort();
  auto from =
      std::lower_bound(bodies_by_path_.begin(), bodies_by_path_.end(), path,
                       [&](std::int32_t a, std::string_view p) { return body_path(a) < p; });
  std::vector<std::int32_t> below;
  for (; from != bodies_by_path_.end() && is_at_or_below(body_path(*from), path); ++from) {
    // A body that was visited twice counts once, as its first occurrence.
    if (!below.empty() && body_path(below.back()) == body_path(*from)) continue;
    below.push_back(*from);
  }
  sort_range(below.begin(), below.end(),
             [&](std::int32_t a, std::int32_t b) { return at(position_, a) < at(position_, b); });
  return below;
}

}  // namespace sinew::physics
