// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "sinew/physics/enums.hpp"
#include "sinew/stage/prim.hpp"

namespace sinew::physics {

/// A number per prim, kNone where none was set. Ordinary prims are looked up in an array by node,
/// instance proxies in a hash map.
class PrimMap {
 public:
  std::int32_t find(const stage::Prim& prim) const {
    if (prim.instance_context() == 0) {
      return prim.node() < by_node_.size() ? by_node_[prim.node()] : kNone;
    }
    const auto found = proxies_.find(prim);
    return found == proxies_.end() ? kNone : found->second;
  }

  /// Keeps the first value of a prim.
  void insert(const stage::Prim& prim, std::int32_t value) {
    if (prim.instance_context() != 0) {
      proxies_.try_emplace(prim, value);
      return;
    }
    if (prim.node() >= by_node_.size())
      by_node_.resize(prim.node() + 1 + by_node_.size() / 2, kNone);
    if (by_node_[prim.node()] == kNone) by_node_[prim.node()] = value;
  }

 private:
  std::vector<std::int32_t> by_node_;
  std::unordered_map<stage::Prim, std::int32_t> proxies_;
};

}  // namespace sinew::physics
