// SPDX-License-Identifier: Apache-2.0
#include "sinew/skel/gltf.hpp"

#include <limits>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>

#include "core/format_text.hpp"
#include "sinew/skel/joint_transforms.hpp"

namespace sinew::skel {
namespace {

// Paths repeat the names of all ancestors, so that a long chain of long names is a lot of text.
constexpr std::size_t kLargestPaths = std::size_t{1} << 28;

// A name that is an identifier: letters, digits and underscores, none of them a digit in front.
std::string identifier(std::string_view name, std::size_t joint) {
  if (name.empty()) return format_text("joint{}", joint);
  std::string result;
  for (const char c : name) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    const bool digit = c >= '0' && c <= '9';
    if (digit && result.empty()) result += '_';
    result += letter || digit ? c : '_';
  }
  return result;
}

// Joints in an order in which parents come first, otherwise unchanged.
Result<std::vector<std::int32_t>> parents_first(std::span<const std::int32_t> parents) {
  const std::size_t count = parents.size();
  std::vector<std::int32_t> order;
  std::vector<bool> placed(count, false);
  std::vector<std::int32_t> chain;
  for (std::size_t i = 0; i < count; ++i) {
    chain.clear();
    auto joint = static_cast<std::int32_t>(i);
    while (joint >= 0 && !placed[static_cast<std::size_t>(joint)]) {
      chain.push_back(joint);
      if (chain.size() > count) {
        return {ErrorCode::bad_topology, format_text("Joint {} is its own ancestor.", i)};
      }
      joint = parents[static_cast<std::size_t>(joint)];
    }
    for (auto it = chain.rbegin(); it != chain.rend(); ++it) {
      order.push_back(*it);
      placed[static_cast<std::size_t>(*it)] = true;
    }
  }
  return order;
}

// Characters that all joint paths have together, before any are numbered.
std::size_t path_characters(const GltfSkin& skin, std::span<const std::int32_t> order) {
  std::vector<std::size_t> lengths(order.size());
  std::size_t total = 0;
  for (const std::int32_t joint : order) {
    const auto at = static_cast<std::size_t>(joint);
    lengths[at] = identifier(skin.names[at], at).size() + 1;
    if (const std::int32_t parent = skin.parents[at]; parent >= 0) {
      lengths[at] += lengths[static_cast<std::size_t>(parent)];
    }
    total += lengths[at];
  }
  return total;
}

template <typename Accessor>
std::size_t point_count(const Accessor& accessor) {
  return std::visit([](const auto values) { return values.size(); }, accessor);
}

float weight_of(float stored) {
  return stored;
}
float weight_of(std::uint16_t stored) {
  return static_cast<float>(stored) / 65535.0F;
}
float weight_of(std::uint8_t stored) {
  return static_cast<float>(stored) / 255.0F;
}

}  // namespace

Result<ImportedSkin> import_gltf_skin(const GltfSkin& skin) {
  const std::size_t count = skin.names.size();
  const bool has_bind = !skin.inverse_bind_matrices.empty();
  if (skin.parents.size() != count || skin.local_transforms.size() != count ||
      (has_bind && skin.inverse_bind_matrices.size() != count)) {
    return {
        ErrorCode::size_mismatch,
        format_text("There are {} names, {} parents, {} transforms and {} inverse bind matrices.",
                    count, skin.parents.size(), skin.local_transforms.size(),
                    skin.inverse_bind_matrices.size())};
  }
  for (std::size_t j = 0; j < count; ++j) {
    if (skin.parents[j] >= 0 && static_cast<std::size_t>(skin.parents[j]) >= count) {
      return {ErrorCode::bad_topology,
              format_text("Joint {} has the parent {}, but there are {} joints.", j,
                          skin.parents[j], count)};
    }
  }
  Result<std::vector<std::int32_t>> order = parents_first(skin.parents);
  if (!order) return std::move(order).error();
  if (const std::size_t size = path_characters(skin, *order); size > kLargestPaths) {
    return {ErrorCode::limit_exceeded,
            format_text("The paths of {} joints have {} characters, more than {}.", count, size,
                        kLargestPaths)};
  }

  ImportedSkin result;
  result.joint_from_gltf.resize(count);
  SkeletonDesc desc;
  std::unordered_set<std::string> taken;
  std::unordered_map<std::string, int> last_number;  // By the path it was added to.
  for (const std::int32_t gltf_joint : *order) {
    const auto from = static_cast<std::size_t>(gltf_joint);
    result.joint_from_gltf[from] = static_cast<std::int32_t>(desc.joints.size());
    std::string path;
    if (const std::int32_t parent = skin.parents[from]; parent >= 0) {
      const auto at =
          static_cast<std::size_t>(result.joint_from_gltf[static_cast<std::size_t>(parent)]);
      path = desc.joints[at] + "/";
    }
    path += identifier(skin.names[from], from);
    if (!taken.insert(path).second) {
      const std::string unnumbered = path;
      int& number = last_number[unnumbered];
      do {
        path = format_text("{}_{}", unnumbered, ++number);
      } while (!taken.insert(path).second);
    }
    desc.joints.push_back(path);
    desc.bind_transforms.push_back(has_bind ? inverse_transform(skin.inverse_bind_matrices[from])
                                            : Matrix4d(Matrix4d::Identity()));
    desc.rest_transforms.push_back(skin.local_transforms[from]);
  }
  Result<Skeleton> skeleton = Skeleton::make(std::move(desc));
  if (!skeleton) return std::move(skeleton).error();
  result.skeleton = *std::move(skeleton);
  return result;
}

Result<InfluenceArrays> import_gltf_influences(std::span<const GltfInfluences> sets,
                                               std::span<const std::int32_t> joint_from_gltf) {
  InfluenceArrays result;
  if (sets.empty()) return {ErrorCode::invalid_argument, "There are no JOINTS_0 and WEIGHTS_0."};
  const std::size_t points = point_count(sets.front().joints);
  result.influences = 4 * sets.size();
  for (const GltfInfluences& set : sets) {
    if (point_count(set.joints) == points && point_count(set.weights) == points) continue;
    return {ErrorCode::size_mismatch,
            format_text("There are {} joints and {} weights for {} points.",
                        point_count(set.joints), point_count(set.weights), points)};
  }
  result.indices.resize(points * result.influences);
  result.weights.resize(points * result.influences);
  for (std::size_t s = 0; s < sets.size(); ++s) {
    const auto index_of = [&](std::size_t p, std::size_t k) {
      return p * result.influences + 4 * s + k;
    };
    Status status = std::visit(
        [&](const auto joints) -> Status {
          for (std::size_t p = 0; p < points; ++p) {
            for (std::size_t k = 0; k < 4; ++k) {
              const std::size_t joint = joints[p][k];
              if (joint >= joint_from_gltf.size()) {
                return {ErrorCode::index_out_of_range,
                        format_text("Joint {} of point {} is not in [0, {}).", joint, p,
                                    joint_from_gltf.size())};
              }
              result.indices[index_of(p, k)] = joint_from_gltf[joint];
            }
          }
          return {};
        },
        sets[s].joints);
    if (!status) return std::move(status).error();
    std::visit(
        [&](const auto weights) {
          for (std::size_t p = 0; p < points; ++p) {
            for (std::size_t k = 0; k < 4; ++k) {
              result.weights[index_of(p, k)] = weight_of(weights[p][k]);
            }
          }
        },
        sets[s].weights);
  }
  return result;
}

}  // namespace sinew::skel
