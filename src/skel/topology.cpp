// SPDX-License-Identifier: Apache-2.0
#include "sinew/skel/topology.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

#include "core/format_text.hpp"
#include "core/sort.hpp"
#include "core/unicode.hpp"

namespace sinew::skel {
namespace {

// Whether the joint can have a parent and be one. The documents only ask for slash-separated
// parts; "." and "/" are not parents of anything under either rule set.
bool takes_part(std::string_view joint, Rules rules) {
  if (rules == Rules::openusd) return is_joint_path(joint);
  if (joint.starts_with('/')) joint.remove_prefix(1);
  return !joint.empty() && joint.front() != '/' && joint.back() != '/' && joint != "." &&
         joint.find("//") == std::string_view::npos;
}

// Orders paths so that what lies below a path comes right after it: slashes before all else.
int compare_paths(std::string_view a, std::string_view b) {
  const auto rank = [](char c) { return c == '/' ? -1 : static_cast<int>(c) + 128; };
  const std::size_t shared = std::min(a.size(), b.size());
  const auto at = static_cast<std::size_t>(
      std::mismatch(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(shared), b.begin()).first -
      a.begin());
  if (at < shared) return rank(a[at]) - rank(b[at]);
  return a.size() == b.size() ? 0 : a.size() < b.size() ? -1 : 1;
}

bool is_at_or_below(std::string_view path, std::string_view ancestor) {
  return path.starts_with(ancestor) &&
         (path.size() == ancestor.size() || path[ancestor.size()] == '/');
}

}  // namespace

bool is_joint_path(std::string_view text) noexcept {
  if (text.starts_with('/')) {
    text.remove_prefix(1);
  } else {
    while (text.starts_with("..")) {
      if (text.size() == 2) return true;
      if (text[2] != '/') return false;
      text.remove_prefix(3);
    }
  }
  while (true) {
    const std::size_t slash = text.find('/');
    const std::string_view name = text.substr(0, slash);
    if (name.empty() || identifier_length(name) != name.size()) return false;
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
  std::vector<std::size_t> order;
  order.reserve(joints.size());
  for (std::size_t i = 0; i < joints.size(); ++i) {
    if (takes_part(joints[i], rules)) order.push_back(i);
  }
  sort_range(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const int compared = compare_paths(joints[a], joints[b]);
    return compared != 0 ? compared < 0 : a < b;
  });
  // Looking every ancestor up by its name would be simpler, but takes time quadratic in the length
  // of a path: see Topology.TakesPathsOfAnyLength.
  std::vector<std::int32_t> parents(joints.size(), kNoParent);
  std::vector<std::size_t> above;  // The joints that the last one lies below, and itself.
  for (const std::size_t i : order) {
    while (!above.empty() && !is_at_or_below(joints[i], joints[above.back()])) above.pop_back();
    if (!above.empty() && joints[above.back()] == joints[i]) {
      parents[i] = parents[above.back()];
      above.back() = i;  // Of joints listed twice the last is the parent.
      continue;
    }
    if (!above.empty()) parents[i] = static_cast<std::int32_t>(above.back());
    above.push_back(i);
  }
  return from_parents(std::move(parents));
}

Status Topology::validate() const {
  for (std::size_t i = 0; i < parents_.size(); ++i) {
    const std::int32_t parent = parents_[i];
    if (parent < 0 || static_cast<std::size_t>(parent) < i) continue;
    if (static_cast<std::size_t>(parent) == i) {
      return {ErrorCode::bad_topology, format_text("Joint {} is its own parent.", i)};
    }
    return {ErrorCode::bad_topology,
            format_text("Joint {} comes before its parent, joint {}.", i, parent)};
  }
  return {};
}

}  // namespace sinew::skel
