// SPDX-License-Identifier: Apache-2.0
#include "sinew/skel/match_joints.hpp"

#include <algorithm>
#include <cstddef>
#include <unordered_map>
#include <utility>

namespace sinew::skel {

namespace {

using Names = std::vector<std::string_view>;

constexpr std::int32_t kSeveral = -2;

std::size_t count_matches(const std::vector<std::int32_t>& mapping) {
  return static_cast<std::size_t>(
      std::count_if(mapping.begin(), mapping.end(), [](std::int32_t joint) { return joint >= 0; }));
}

Names paths_of(std::span<const std::string> joints) {
  return {joints.begin(), joints.end()};
}

Names last_names(std::span<const std::string> joints) {
  Names names;
  for (const std::string_view path : joints) names.push_back(path.substr(path.rfind('/') + 1));
  return names;
}

/// Without what is up to the last colon, and then without what is up to the first underscore if
/// all names begin with it.
Names without_namespaces(Names names) {
  for (std::string_view& name : names) name = name.substr(name.rfind(':') + 1);
  if (names.size() < 2) return names;
  const std::string_view prefix = names.front().substr(0, names.front().find('_') + 1);
  const auto has_prefix = [prefix](std::string_view name) {
    return name.size() > prefix.size() && name.starts_with(prefix);
  };
  if (!std::all_of(names.begin(), names.end(), has_prefix)) return names;
  for (std::string_view& name : names) name.remove_prefix(prefix.size());
  return names;
}

/// Which of two equal names counts.
enum class Repeats : std::uint8_t { last, none };

std::vector<std::int32_t> map_names(const Names& clip, const Names& skeleton, Repeats repeats) {
  const auto number = [&](const Names& names) {
    std::unordered_map<std::string_view, std::int32_t> numbers;
    for (std::size_t i = 0; i < names.size(); ++i) {
      const auto [entry, is_new] = numbers.try_emplace(names[i], static_cast<std::int32_t>(i));
      if (is_new) continue;
      entry->second = repeats == Repeats::last ? static_cast<std::int32_t>(i) : kSeveral;
    }
    return numbers;
  };
  const auto clip_numbers = number(clip);
  const auto skeleton_numbers = number(skeleton);
  std::vector<std::int32_t> mapping(skeleton.size(), -1);
  for (const auto& [name, joint] : skeleton_numbers) {
    const auto found = clip_numbers.find(name);
    // A joint without a name does not count.
    if (joint < 0 || name.empty() || found == clip_numbers.end()) continue;
    mapping[static_cast<std::size_t>(joint)] = std::max(found->second, -1);
  }
  return mapping;
}

/// The shortest path that has to be put before `joint` to make it one of `paths`; empty if there is
/// none.
std::string_view prefix_before(std::string_view joint, const Names& paths) {
  std::string_view shortest;
  for (const std::string_view path : paths) {
    if (path.size() <= joint.size() + 1 || !path.ends_with(joint)) continue;
    const std::string_view prefix = path.substr(0, path.size() - joint.size());
    if (prefix.ends_with('/') && (shortest.empty() || prefix.size() < shortest.size())) {
      shortest = prefix;
    }
  }
  return shortest;
}

/// Those that do not begin with the prefix become nameless.
Names without_prefix(Names names, std::string_view prefix) {
  for (std::string_view& name : names) {
    name = name.starts_with(prefix) ? name.substr(prefix.size()) : std::string_view();
  }
  return names;
}

/// What is above the first joint of one side, which is a root, is dropped from the other.
std::vector<std::int32_t> map_below(const Names& clip, const Names& skeleton) {
  std::vector<std::int32_t> best(skeleton.size(), -1);
  if (clip.empty() || skeleton.empty()) return best;
  if (const std::string_view above = prefix_before(skeleton.front(), clip); !above.empty()) {
    best = map_names(without_prefix(clip, above), skeleton, Repeats::last);
  }
  if (const std::string_view above = prefix_before(clip.front(), skeleton); !above.empty()) {
    auto mapping = map_names(clip, without_prefix(skeleton, above), Repeats::last);
    if (count_matches(mapping) > count_matches(best)) best = std::move(mapping);
  }
  return best;
}

}  // namespace

std::string_view to_string(JointMatchRule rule) noexcept {
  switch (rule) {
    case JointMatchRule::paths:
      return "paths";
    case JointMatchRule::paths_below:
      return "paths_below";
    case JointMatchRule::names:
      return "names";
    case JointMatchRule::names_in_namespace:
      return "names_in_namespace";
    case JointMatchRule::none:
      break;
  }
  return "none";
}

JointMatch match_joints(std::span<const std::string> clip_joints,
                        std::span<const std::string> skeleton_joints) {
  JointMatch match;
  match.clip_joint.assign(skeleton_joints.size(), -1);
  const auto offer = [&match](JointMatchRule rule, std::vector<std::int32_t> mapping) {
    if (count_matches(mapping) <= count_matches(match.clip_joint)) return;
    match.clip_joint = std::move(mapping);
    match.rule = rule;
  };
  const Names clip = paths_of(clip_joints), skeleton = paths_of(skeleton_joints);
  offer(JointMatchRule::paths, map_names(clip, skeleton, Repeats::last));
  offer(JointMatchRule::paths_below, map_below(clip, skeleton));
  const Names clip_names = last_names(clip_joints), own_names = last_names(skeleton_joints);
  offer(JointMatchRule::names, map_names(clip_names, own_names, Repeats::none));
  offer(JointMatchRule::names_in_namespace,
        map_names(without_namespaces(clip_names), without_namespaces(own_names), Repeats::none));

  std::vector<bool> used(clip_joints.size(), false);
  for (std::size_t j = 0; j < skeleton_joints.size(); ++j) {
    const std::int32_t joint = match.clip_joint[j];
    if (joint < 0) {
      match.resting.push_back(skeleton_joints[j]);
    } else {
      used[static_cast<std::size_t>(joint)] = true;
    }
  }
  for (std::size_t i = 0; i < clip_joints.size(); ++i) {
    if (!used[i]) match.unused.push_back(clip_joints[i]);
  }
  return match;
}

}  // namespace sinew::skel
