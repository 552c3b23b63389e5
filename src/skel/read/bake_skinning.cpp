// SPDX-License-Identifier: Apache-2.0
#include "sinew/skel/read/bake_skinning.hpp"

#include <Eigen/LU>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/format_text.hpp"
#include "sinew/geom/extents.hpp"
#include "sinew/geom/transforms.hpp"
#include "sinew/skel/blend_shapes.hpp"
#include "sinew/skel/joint_transforms.hpp"
#include "skel/read/bake_extents.hpp"
#include "skel/read/bake_plan.hpp"
#include "skel/read/overlay.hpp"
#include "skel/read/reporting_evaluate.hpp"
#include "skel/read/typed_reader.hpp"

namespace sinew::skel {
namespace {

using stage::Prim;

bool lies_in_instance(const Prim& prim) {
  return prim.is_instance() || prim.is_instance_proxy();
}

// The attributes of one prim that are being written, if any of their values is deformed.
struct TargetOutput {
  AttributeWriter points;
  AttributeWriter normals;
  AttributeWriter transform;
  AttributeWriter extent;
  bool moves_points = false;
  bool turns_normals = false;
  bool moves = false;
};

void transform_points(const Matrix4d& transform, std::vector<Vector3f>& points) {
  const Eigen::Matrix3d linear = transform.topLeftCorner<3, 3>();
  const Vector3d offset = transform.topRightCorner<3, 1>();
  for (Vector3f& point : points) point = (linear * point.cast<double>() + offset).cast<float>();
}

void transform_normals(const Matrix4d& transform, std::vector<Vector3f>& normals) {
  const Eigen::Matrix3d linear = inverse_transform(transform).topLeftCorner<3, 3>().transpose();
  for (Vector3f& normal : normals) normal = (linear * normal.cast<double>()).cast<float>();
}

class Baker {
 public:
  Baker(const stage::Stage& stage, const BakeOptions& options, Overlay& overlay, Reporter& reporter)
      : stage_(stage), options_(options), overlay_(overlay), reporter_(reporter) {}

  Status bake(const BakePlan& plan, BakedExtents& extents);

 private:
  DeformOptions deform_options() const;
  // Whether what nothing deforms at one of the times is written as it stands there: it is deformed
  // at others, between which it must not hang.
  bool writes_undeformed() const { return stage_.rules() == Rules::documented; }
  // OpenUSD replaces the operations of a rigid prim before it knows whether a transform comes out.
  bool writes_order(const TargetPlan& plan) const { return plan.transform && !writes_undeformed(); }
  bool lacks_skinning(stage::Time time, const SkeletonPose& pose, const TargetPlan& plan) const;
  std::vector<Vector3f> vectors_of(const Prim& prim, std::string_view name, stage::Time time);
  void bake_at(stage::Time time, const SkeletonPose& pose, const TargetPlan& plan,
               DeformedPrim& deformed, TargetOutput& output, BakedExtents& extents);
  void bake_transform(stage::Time time, const SkeletonPose& pose, const TargetPlan& plan,
                      const DeformedPrim& deformed, TargetOutput& output, BakedExtents& extents);
  void add_points(stage::Time time, const TargetPlan& plan, const std::vector<Vector3f>& points,
                  TargetOutput& output, BakedExtents& extents);
  Status write(const TargetPlan& plan, TargetOutput& output);

  const stage::Stage& stage_;
  const BakeOptions& options_;
  Overlay& overlay_;
  Reporter& reporter_;
};

DeformOptions Baker::deform_options() const {
  DeformOptions options;
  options.tangents = false;
  options.identity_for_missing_joints = true;
  options.level = options_.level;
  options.executor = options_.executor;
  return options;
}

std::vector<Vector3f> Baker::vectors_of(const Prim& prim, std::string_view name, stage::Time time) {
  const auto values = typed(reporter_).array<Vector3f>(prim.attribute(name), time);
  if (!values) return {};
  return {values->begin(), values->end()};
}

// Whether there is nothing to skin with, which differs from skinning that fails.
bool Baker::lacks_skinning(stage::Time time, const SkeletonPose& pose,
                           const TargetPlan& plan) const {
  return pose.status != PoseStatus::skinnable || !read_influences(*plan.target, time, reporter_);
}

// Points and normals come out of skinning in skeleton space and are written in that of the prim.
void Baker::bake_at(stage::Time time, const SkeletonPose& pose, const TargetPlan& plan,
                    DeformedPrim& deformed, TargetOutput& output, BakedExtents& extents) {
  const Prim& prim = plan.target->prim;
  DeformOptions options = deform_options();
  options.blend_shapes = plan.blend_points || plan.blend_normals;
  options.skinning = plan.skins();
  options.normals = plan.writes_normals() ? NormalsUse::by_interpolation : NormalsUse::ignore;
  evaluate_target(*plan.target, pose, deformed, reporter_, options,
                  {.points = plan.blend_points, .normals = plan.blend_normals});

  if (plan.transform) bake_transform(time, pose, plan, deformed, output, extents);
  const bool skins = plan.skin_points || plan.skin_normals;
  const bool skinned = deformed.skinned && skins;
  // Where joints do not move it, OpenUSD loses what shapes have deformed if skinning fails.
  const bool has_blended = deformed.blended || !deformed.blended_normals.empty();
  const bool keeps_blended =
      writes_undeformed() || (skins && !skinned && has_blended && lacks_skinning(time, pose, plan));
  Matrix4d prim_from_skel = Matrix4d::Identity();
  if (skinned) {
    prim_from_skel = inverse_transform(geom::world_from_prim(prim, time)) * pose.world_from_skel;
  }
  if (plan.skin_points && skinned) {
    transform_points(prim_from_skel, deformed.points);
    add_points(time, plan, deformed.points, output, extents);
    output.moves_points = true;
  } else if (plan.blend_points && deformed.blended && (!plan.skin_points || keeps_blended)) {
    add_points(time, plan, deformed.blended_points, output, extents);
    output.moves_points = true;
  } else if (plan.writes_points() && writes_undeformed()) {
    add_points(time, plan, vectors_of(prim, "points", time), output, extents);
  }
  if (plan.skin_normals && skinned && !deformed.normals.empty()) {
    transform_normals(prim_from_skel, deformed.normals);
    output.normals.add(time, vector_value(deformed.normals));
    output.turns_normals = true;
  } else if (plan.blend_normals && !deformed.blended_normals.empty() &&
             (!plan.skin_normals || keeps_blended)) {
    output.normals.add(time, vector_value(deformed.blended_normals));
    output.turns_normals = true;
  } else if (plan.writes_normals() && writes_undeformed()) {
    output.normals.add(time, vector_value(vectors_of(prim, "normals", time)));
  }
}

void Baker::bake_transform(stage::Time time, const SkeletonPose& pose, const TargetPlan& plan,
                           const DeformedPrim& deformed, TargetOutput& output,
                           BakedExtents& extents) {
  const Prim& prim = plan.target->prim;
  const auto add = [&](const Matrix4d& parent_from_prim) {
    output.transform.add(time,
                         layer::Value::scalar(layer::ElementType::matrix4d, parent_from_prim));
  };
  if (deformed.skinned_transform) {
    const Matrix4d world_from_baked = pose.world_from_skel * *deformed.skinned_transform;
    const Matrix4d parent_from_baked =
        inverse_transform(geom::world_from_parent(prim, time)) * world_from_baked;
    add(parent_from_baked);
    extents.add_transform(prim, time, parent_from_baked);
    output.moves = true;
  } else if (writes_undeformed()) {
    add(geom::local_transform(prim, time).parent_from_prim);
  }
}

void Baker::add_points(stage::Time time, const TargetPlan& plan,
                       const std::vector<Vector3f>& points, TargetOutput& output,
                       BakedExtents& extents) {
  output.points.add(time, vector_value(points));
  if (!options_.update_extents && !options_.update_extent_hints) return;
  auto extent = geom::compute_extent(plan.target->prim, points, time);
  if (!extent) {
    // Points with another number of widths.
    if (!writes_undeformed()) return;
    extent = geom::points_extent(points);
  }
  if (options_.update_extents) output.extent.add(time, range_value(*extent));
  extents.add(plan.target->prim, time, *extent);
}

Status Baker::write(const TargetPlan& plan, TargetOutput& output) {
  const bool writes_transform = output.moves || writes_order(plan);
  if (!output.moves_points && !output.turns_normals && !writes_transform) return {};
  layer::LayerBuilder& builder = overlay_.builder();
  layer::LayerBuilder::Prim* const prim = overlay_.prim(plan.target->prim);
  Status status;
  if (output.moves_points) {
    status = output.points.write(builder, prim, "point3f[]", "points");
    if (status) status = output.extent.write(builder, prim, "float3[]", "extent");
  }
  if (status && output.turns_normals) {
    status = output.normals.write(builder, prim, "normal3f[]", "normals");
  }
  if (!status || !writes_transform) return status;
  status = output.moves ? output.transform.write(builder, prim, "matrix4d", "xformOp:transform")
                        : builder.set_default(prim, "matrix4d", "xformOp:transform", {});
  if (!status) return status;
  std::vector<Token> order;
  // What was not relative to its parent must stay so.
  if (stage_.rules() == Rules::documented &&
      geom::local_transform(plan.target->prim, {}).resets_stack) {
    order.push_back(builder.tokens().intern("!resetXformStack!"));
  }
  order.push_back(builder.tokens().intern("xformOp:transform"));
  return builder.set_default(
      prim, "token[]", "xformOpOrder",
      layer::Value::array(layer::ElementType::token, std::span<const Token>(order)),
      layer::Variability::uniform);
}

Status Baker::bake(const BakePlan& plan, BakedExtents& extents) {
  std::vector<TargetOutput> outputs(plan.targets.size());
  std::vector<DeformedPrim> deformed(plan.targets.size());
  SkeletonPose pose;
  std::size_t done = 0;
  for (const stage::Time time : plan.times) {
    evaluate_pose(*plan.binding, time, pose, reporter_);
    for (std::size_t i = 0; i < plan.targets.size(); ++i) {
      bake_at(time, pose, plan.targets[i], deformed[i], outputs[i], extents);
    }
    if (options_.progress) options_.progress(++done, plan.times.size());
  }
  for (std::size_t i = 0; i < plan.targets.size(); ++i) {
    if (writes_order(plan.targets[i]) && !outputs[i].moves) {
      for (const stage::Time time : plan.times) {
        extents.add_transform(plan.targets[i].target->prim, time, Matrix4d::Identity());
      }
    }
    if (Status status = write(plan.targets[i], outputs[i]); !status) return status;
  }
  return {};
}

// Notes the SkelRoots that become Xforms. OpenUSD takes the one nearest to the first prim of each
// binding that has one; where another one remains, what lies below is skinned twice.
void add_roots(std::span<const SkeletonBinding> bindings, Rules rules, SkelRoots& roots) {
  for (const SkeletonBinding& binding : bindings) {
    for (const SkinTarget& target : binding.targets) {
      Prim root = find_skel_root(target.prim);
      if (!root) continue;
      if (rules == Rules::openusd) {
        roots.emplace(root.path().str(), root);
        break;
      }
      while (root && roots.emplace(root.path().str(), root).second) {
        root = find_skel_root(root.parent());
      }
    }
  }
}

// OpenUSD bakes SkelRoots one by one, also those inside others, and does not look into instances.
Status add_nested_roots(const stage::Stage& stage, const ReadOptions& options,
                        std::vector<SkeletonBinding>& bindings, SkelRoots& roots) {
  std::unordered_set<Prim> known;
  for (const SkeletonBinding& binding : bindings) {
    for (const SkinTarget& target : binding.targets) known.insert(target.prim);
  }
  for (const Prim prim : stage.root().descendants()) {
    if (prim.is_root() || !prim.is_a(stage::SchemaType::skel_root)) continue;
    if (prim.is_instance()) {
      return {ErrorCode::unsupported,
              format_text("{} is an instance and cannot be baked.", prim.path().view())};
    }
    if (!find_skel_root(prim.parent())) continue;
    Diagnostics told_before;
    for (SkeletonBinding& nested : read_bindings(prim, told_before, options)) {
      add_roots({&nested, 1}, Rules::openusd, roots);
      std::erase_if(nested.targets,
                    [&](const SkinTarget& target) { return !known.insert(target.prim).second; });
      if (!nested.targets.empty()) bindings.push_back(std::move(nested));
    }
  }
  return {};
}

Status refuse_instances(std::span<const SkeletonBinding> bindings, Reporter& reporter) {
  for (const SkeletonBinding& binding : bindings) {
    for (const SkinTarget& target : binding.targets) {
      if (!lies_in_instance(target.prim)) continue;
      if (!reporter.documented()) {
        return {ErrorCode::unsupported, format_text("{} lies in an instance and cannot be baked.",
                                                    target.prim.path().view())};
      }
      reporter.add(Severity::info, "skel-bake-instance", target.prim,
                   format_text("{} lies in an instance, which the baked layer takes apart.",
                               target.prim.path().view()));
    }
  }
  return {};
}

Result<layer::LayerPtr> bake(const stage::Stage& stage, std::span<const SkeletonBinding> bindings,
                             SkelRoots roots, const BakeOptions& options,
                             Diagnostics& diagnostics) {
  Reporter reporter(stage, diagnostics, Reporter::Repeats::once_per_prim);
  if (Status status = refuse_instances(bindings, reporter); !status) {
    return std::move(status).error();
  }
  Overlay overlay(stage, options.identifier, std::move(roots));
  overlay.put_on(options.source_layer);
  BakedExtents extents(options.update_extents);
  Baker baker(stage, options, overlay, reporter);
  const std::vector<BakePlan> plans = plan_baking(stage, bindings, options, diagnostics);
  for (const BakePlan& plan : plans) {
    if (Status status = baker.bake(plan, extents); !status) return std::move(status).error();
  }
  overlay.retype_roots();
  if (options.update_extent_hints) {
    if (Status status = extents.write_hints(plans, overlay); !status)
      return std::move(status).error();
  }
  return std::move(overlay).finish();
}

}  // namespace

Result<layer::LayerPtr> bake_skinning(const stage::Stage& stage,
                                      std::span<const SkeletonBinding> bindings,
                                      const BakeOptions& options, Diagnostics& diagnostics) {
  SkelRoots roots;
  add_roots(bindings, stage.rules(), roots);
  return bake(stage, bindings, std::move(roots), options, diagnostics);
}

Result<layer::LayerPtr> bake_skinning(const stage::Stage& stage, const BakeOptions& options,
                                      Diagnostics& diagnostics) {
  ReadOptions read_options;
  read_options.level = options.level;
  const bool openusd = stage.rules() == Rules::openusd;
  if (openusd) read_options.traversal = stage::Traversal::standard();
  std::vector<SkeletonBinding> bindings = read_bindings(stage, diagnostics, read_options);
  SkelRoots roots;
  add_roots(bindings, stage.rules(), roots);
  if (openusd) {
    if (Status status = add_nested_roots(stage, read_options, bindings, roots); !status) {
      return std::move(status).error();
    }
  }
  return bake(stage, bindings, std::move(roots), options, diagnostics);
}

}  // namespace sinew::skel
