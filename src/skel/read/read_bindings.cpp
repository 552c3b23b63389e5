// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <map>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "core/format_text.hpp"
#include "sinew/geom/primvars.hpp"
#include "sinew/skel/read/bindings.hpp"
#include "sinew/skel/read/evaluate.hpp"
#include "skel/read/find_bindings.hpp"
#include "skel/read/read_skeleton.hpp"
#include "skel/read/typed_reader.hpp"

namespace sinew::skel {
namespace {

using stage::Attribute;
using stage::Prim;

// What makes two prims share one SkinnedPrim: the same composed prims supply everything.
using SharingKey = std::array<std::uint32_t, 9>;

std::uint32_t node_of(const Prim& prim) {
  return prim ? prim.node() : ~std::uint32_t{0};
}

Attribute attribute_at(const Prim& prim, Token name) {
  return prim && !name.empty() ? prim.attribute(name) : Attribute();
}

class BindingReader {
 public:
  BindingReader(const stage::Stage& stage, Reporter& reporter, const ReadOptions& options)
      : reporter_(&reporter), options_(&options), finder_(stage, reporter) {}

  SkeletonBinding read_alone(const Prim& skeleton_prim) {
    FoundBinding found;
    found.skel_root = find_skel_root(skeleton_prim);
    found.skeleton = skeleton_prim;
    const Prim source = finder_.inherited_animation_source(skeleton_prim).prim;
    if (source && source.is_active()) found.animation = source;
    return binding(found);
  }

  void read(const Prim& top, std::vector<SkeletonBinding>& result) {
    for (const Prim& root : finder_.skel_roots(top)) {
      for (const FoundBinding& found : finder_.find(root, options_->traversal)) {
        result.push_back(binding(found));
      }
    }
  }

 private:
  SkeletonBinding binding(const FoundBinding& found);
  std::shared_ptr<const Skeleton> skeleton(const Prim& prim);
  std::shared_ptr<const StageAnimation> animation(const Prim& prim);
  std::shared_ptr<const SkinnedPrim> skin(const FoundTarget& target, const Skeleton* skeleton);
  std::size_t constant_influences(const FoundTarget& target, const Attribute& weights);
  void read_influence_metadata(const FoundTarget& target, SkinnedPrim& skin);
  void report_missing_joints(const FoundTarget& target, const std::vector<std::string>& joints,
                             const std::vector<std::string>& order);
  void pack(const SkinTarget& target, SkinnedPrim& skin, const Skeleton& skeleton);

  Reporter* reporter_;
  const ReadOptions* options_;
  BindingFinder finder_;
  std::unordered_map<std::uint32_t, std::shared_ptr<const Skeleton>> skeletons_;
  std::unordered_map<std::uint32_t, std::shared_ptr<const StageAnimation>> animations_;
  std::map<SharingKey, std::shared_ptr<const SkinnedPrim>> skins_;
  std::map<std::pair<const void*, const void*>, std::shared_ptr<const AnimMapper>> shape_mappers_;
};

std::shared_ptr<const Skeleton> BindingReader::skeleton(const Prim& prim) {
  const auto [entry, is_new] = skeletons_.try_emplace(prim.node());
  if (is_new) entry->second = read_skeleton(prim, *reporter_);
  return entry->second;
}

std::shared_ptr<const StageAnimation> BindingReader::animation(const Prim& prim) {
  const auto [entry, is_new] = animations_.try_emplace(prim.node());
  if (is_new) entry->second = read_animation(prim, *reporter_);
  return entry->second;
}

// The documents give several constant influences without saying elementSize: all of the values
// belong to the one block that there is.
std::size_t BindingReader::constant_influences(const FoundTarget& target,
                                               const Attribute& weights) {
  if (weights.prim().attribute(weights.name().str() + ":indices")) return 1;
  const layer::Value value = weights.value(stage::Time::earliest());
  const std::size_t count = value.is_array() ? value.size() : 1;
  if (count <= 1) return 1;
  reporter_->add(Severity::warning, "skel-element-size-missing", weights,
                 format_text("{} has {} constant joint weights without elementSize; they are taken "
                             "as one block of influences.",
                             target.prim.path().view(), count));
  return count;
}

// The rules under which influence primvars are used at all; values are not read here.
void BindingReader::read_influence_metadata(const FoundTarget& target, SkinnedPrim& skin) {
  const BindingNames& names = finder_.names();
  const Attribute indices = attribute_at(target.site.joint_indices, names.joint_indices);
  const Attribute weights = attribute_at(target.site.joint_weights, names.joint_weights);
  if (!indices || !weights) return;
  const auto has_element_size = [](const Attribute& a) {
    return a.metadata("elementSize").has_value();
  };
  const auto interpolation = [](const Attribute& a) {
    const layer::Value value = a.metadata("interpolation");
    return std::string(value.text().value_or("constant"));
  };
  const auto refuse = [&](std::string message) {
    reporter_->add(Severity::warning, "skel-influences-invalid", target.prim, std::move(message));
  };
  const std::string path = target.prim.path().str();
  const std::int32_t size = geom::Primvar(indices).element_size();
  const std::int32_t size_of_weights = geom::Primvar(weights).element_size();
  if (size != size_of_weights) {
    return refuse(format_text("The joint indices of {} have elementSize {}, its joint weights {}.",
                              path, size, size_of_weights));
  }
  if (size <= 0) {
    return refuse(format_text("The joint influences of {} have elementSize {}.", path, size));
  }
  const std::string kind = interpolation(indices);
  if (kind != interpolation(weights)) {
    return refuse(
        format_text("The joint indices of {} have interpolation {}, its joint weights {}.", path,
                    kind, interpolation(weights)));
  }
  if (kind != "constant" && kind != "vertex") {
    return refuse(
        format_text("The joint influences of {} have interpolation {}; only constant and "
                    "vertex can be used.",
                    path, kind));
  }
  skin.has_joint_influences = true;
  skin.influences = static_cast<std::size_t>(size);
  if (kind == "constant" && reporter_->documented() && !has_element_size(indices) &&
      !has_element_size(weights)) {
    skin.influences = constant_influences(target, weights);
  }
  skin.scope = kind == "vertex" ? InfluenceScope::per_point : InfluenceScope::constant;
  skin.joint_indices = indices;
  skin.joint_weights = weights;
}

void BindingReader::report_missing_joints(const FoundTarget& target,
                                          const std::vector<std::string>& joints,
                                          const std::vector<std::string>& order) {
  if (joints.empty()) return;
  const std::unordered_set<std::string_view> known(joints.begin(), joints.end());
  for (const std::string& joint : order) {
    if (known.contains(joint)) continue;
    reporter_->add(
        Severity::warning, "skel-custom-joint-missing", target.prim,
        format_text("The joint order of {} has \"{}\", which its skeleton lacks; it {}.",
                    target.prim.path().view(), joint,
                    reporter_->documented() ? "does not move anything"
                                            : "moves with whatever joint has its number"));
    return;
  }
}

// Whether the influences are the same at all times.
bool is_static(const Attribute& primvar) {
  if (primvar.time_sample_count() > 0) return false;
  const Attribute indices = geom::Primvar(primvar).indices_attribute();
  return !indices || indices.time_sample_count() == 0;
}

// Packs influences that are the same at all times and whose indices are in range. What fails here
// is reported when the prim is deformed.
void BindingReader::pack(const SkinTarget& target, SkinnedPrim& skin, const Skeleton& skeleton) {
  if (!is_static(skin.joint_indices) || !is_static(skin.joint_weights)) return;
  const auto influences = read_influences(target, stage::Time::default_time());
  if (!influences) return;
  PackedInfluencesDesc desc;
  desc.joint_indices = influences->indices.span();
  desc.joint_weights = influences->weights.span();
  desc.influences = skin.influences;
  desc.joint_count = skin.joint_order ? skin.joint_order->size() : skeleton.joints().size();
  desc.scope = skin.scope;
  desc.level = options_->level;
  if (skin.scope == InfluenceScope::constant) {
    const Attribute attribute = target.prim.attribute("points");
    if (!attribute) return;
    const layer::Value points = attribute.value(
        stage::Time::earliest(), stage::arrays_read_as<Vector3f>(reporter_->rules()));
    if (!points.has_value()) return;
    desc.point_count = points.size();
  }
  if (auto packed = PackedInfluences::pack(desc)) skin.packed = *std::move(packed);
}

std::shared_ptr<const SkinnedPrim> BindingReader::skin(const FoundTarget& target,
                                                       const Skeleton* skeleton) {
  const BindingSite& site = target.site;
  const SharingKey key = {node_of(target.prim),
                          node_of(site.skeleton),
                          node_of(site.joints),
                          node_of(site.joint_indices),
                          node_of(site.joint_weights),
                          node_of(site.geom_bind_transform),
                          node_of(site.skinning_method),
                          node_of(site.blend_shapes),
                          node_of(site.blend_shape_targets)};
  const auto [entry, is_new] = skins_.try_emplace(key);
  if (!is_new) return entry->second;

  const BindingNames& names = finder_.names();
  auto skin = std::make_shared<SkinnedPrim>();
  entry->second = skin;
  if (const Attribute method = attribute_at(site.skinning_method, names.skinning_method)) {
    const layer::Value value =
        typed(*reporter_)
            .value(method, stage::Time(), stage::tokens_read(reporter_->rules()), "token");
    if (const auto name = value.text()) skin->method_name = std::string(*name);
    if (skin->method_name == "dualQuaternion") {
      skin->method = SkinningMethod::dual_quaternion;
    } else if (skin->method_name != "classicLinear") {
      skin->known_method = false;
      reporter_->add(Severity::warning, "skel-skinning-method", method,
                     format_text("There is no skinning method \"{}\"; the joints do not move {}.",
                                 skin->method_name, target.prim.path().view()),
                     "write classicLinear or dualQuaternion");
    }
  }
  skin->geom_bind_transform = attribute_at(site.geom_bind_transform, names.geom_bind_transform);
  read_influence_metadata(target, *skin);
  const std::vector<std::string> no_joints;
  const std::vector<std::string>& joints = skeleton != nullptr ? skeleton->joints() : no_joints;
  if (const Attribute order = attribute_at(site.joints, names.joints)) {
    skin->joint_order = typed(*reporter_).tokens(order);
    if (skin->joint_order) {
      skin->joint_mapper = AnimMapper(joints, *skin->joint_order);
      report_missing_joints(target, joints, *skin->joint_order);
    }
  }
  if (const Attribute order = attribute_at(site.blend_shapes, names.blend_shapes)) {
    skin->blend_shape_order = typed(*reporter_).tokens(order);
    if (skin->blend_shape_order && site.blend_shape_targets) {
      skin->blend_shapes = read_blend_shapes(
          site.blend_shape_targets.relationship(names.blend_shape_targets), *reporter_);
    }
  }
  if (options_->pack_influences && skin->has_joint_influences && skeleton != nullptr) {
    pack({target.prim, skin, nullptr}, *skin, *skeleton);
  }
  return skin;
}

SkeletonBinding BindingReader::binding(const FoundBinding& found) {
  SkeletonBinding result;
  result.skel_root = found.skel_root;
  result.skeleton_prim = found.skeleton;
  result.skeleton = skeleton(found.skeleton);
  if (found.animation) {
    result.animation_prim = found.animation;
    result.animation = animation(found.animation);
    if (result.skeleton != nullptr) {
      result.mapper = AnimMapper(result.animation->joints, result.skeleton->joints());
    }
  }
  const std::vector<std::string> no_shapes;
  const bool has_source = result.animation != nullptr && result.skeleton != nullptr;
  for (const FoundTarget& target : found.targets) {
    SkinTarget made{target.prim, skin(target, result.skeleton.get()), nullptr};
    if (made.skin->blend_shapes != nullptr) {
      auto& mapper = shape_mappers_[{result.animation.get(), made.skin.get()}];
      if (mapper == nullptr) {
        mapper = std::make_shared<AnimMapper>(
            has_source ? result.animation->blend_shapes : no_shapes, *made.skin->blend_shape_order);
      }
      made.blend_shape_mapper = mapper;
    }
    result.targets.push_back(std::move(made));
  }
  return result;
}

}  // namespace

std::vector<SkeletonBinding> read_bindings(const Prim& top, Diagnostics& diagnostics,
                                           const ReadOptions& options) {
  std::vector<SkeletonBinding> result;
  if (!top) return result;
  Reporter reporter(top, diagnostics, Reporter::Repeats::once_per_prim);
  BindingReader(top.stage(), reporter, options).read(top, result);
  return result;
}

std::vector<SkeletonBinding> read_bindings(const stage::Stage& stage, Diagnostics& diagnostics,
                                           const ReadOptions& options) {
  return read_bindings(stage.root(), diagnostics, options);
}

SkeletonBinding read_skeleton(const Prim& skeleton, Diagnostics& diagnostics) {
  if (!skeleton.is_a(stage::SchemaType::skeleton)) return {};
  Reporter reporter(skeleton, diagnostics, Reporter::Repeats::once_per_prim);
  const ReadOptions options;
  return BindingReader(skeleton.stage(), reporter, options).read_alone(skeleton);
}

Prim inherited_animation_source(const Prim& prim, Diagnostics* diagnostics) {
  if (!prim) return {};
  Reporter reporter(prim, diagnostics, Reporter::Repeats::once_per_prim);
  return BindingFinder(prim.stage(), reporter).inherited_animation_source(prim).prim;
}

Prim inherited_skeleton(const Prim& prim, Diagnostics* diagnostics) {
  if (!prim) return {};
  Reporter reporter(prim, diagnostics, Reporter::Repeats::once_per_prim);
  BindingFinder finder(prim.stage(), reporter);
  for (Prim p = prim; p && !p.is_root(); p = p.parent()) {
    if (!finder.has_binding_api(p)) continue;
    const BoundPrim found = finder.bound(p, finder.names().skeleton, stage::SchemaType::skeleton);
    if (found.defined) return found.prim;
  }
  return {};
}

Prim find_skel_root(const Prim& prim) {
  for (Prim p = prim; p && !p.is_root(); p = p.parent()) {
    if (p.is_a(stage::SchemaType::skel_root)) return p;
  }
  return {};
}

}  // namespace sinew::skel
