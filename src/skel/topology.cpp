// SPDX-License-Identifier: Apache-2.0
#include "sinew/skel/topology.hpp"

#include <string_view>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "sinew/usda/path.hpp"

namespace sinew::skel {
namespace {

// Whether the joint can have a parent and be one. The documents only ask for slash-separated
// parts; "." and ".." are no joints under either rule set.
bool takes_part(std::string_view joint, Rules rules) {
  if (rules == Rules::openusd) return is_joint_path(joint);
  if (joint.starts_with('/')) joint.remove_prefix(1);
  return !joint.empty() && joint.front() != '/' && joint.back() != '/' && joint != "." &&
         joint != ".." && joint.find("//") == std::string_view::npos;
}

}  // namespace

bool is_joint_path(std::string_view text) noexcept {
  if (text.starts_with('/')) text.remove_prefix(1);
  while (true) {
    const std::size_t slash = text.find('/');
    if (!usda::is_identifier(text.substr(0, slash))) return false;
    if (slash == std::string_view::npos) return true;
    text.remove_prefix(slash + 1);
  }
}

Topology Topology::from_parents(std::vector<std::int32_t> parents) {
  Topology topology;
  topology.parents_ = std::move(parents);
  return topology;
}

Topology Topology::from_joint_paths(std::span<const std::string> joints, Rules rules) {
  std::unordered_map<std::string_view, std::int32_t> index_of;
  index_of.reserve(joints.size());
  for (std::size_t i = 0; i < joints.size(); ++i) {
    if (takes_part(joints[i], rules)) {
      index_of.insert_or_assign(joints[i], static_cast<std::int32_t>(i));
    }
  }
  std::vector<std::int32_t> parents(joints.size(), kNoParent);
  for (std::size_t i = 0; i < joints.size(); ++i) {
    std::string_view path = joints[i];
    if (!takes_part(path, rules)) continue;
    for (std::size_t slash = path.rfind('/'); slash != std::string_view::npos && slash > 0;
         slash = path.rfind('/')) {
      path = path.substr(0, slash);
      if (const auto found = index_of.find(path); found != index_of.end()) {
        parents[i] = found->second;
        break;
      }
    }
  }
  return from_parents(std::move(parents));
}

Status Topology::validate() const {
  for (std::size_t i = 0; i < parents_.size(); ++i) {
    const std::int32_t parent = parents_[i];
    if (parent < 0 || static_cast<std::size_t>(parent) < i) continue;
    if (static_cast<std::size_t>(parent) == i) {
      return {ErrorCode::bad_topology, fmt::format("joint {} is its own parent", i)};
    }
    return {ErrorCode::bad_topology,
            fmt::format("joint {} comes before its parent, joint {}", i, parent)};
  }
  return {};
}

}  // namespace sinew::skel
