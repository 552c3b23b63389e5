// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/format_text.hpp"
#include "sinew/skel/packed_influences.hpp"
#include "sinew/skel/rigid_transform.hpp"
#include "sinew/skel/skin_palette.hpp"
#include "sinew/skel/skinning.hpp"
#include "skel/read/blend_target.hpp"
#include "skel/read/reporting_evaluate.hpp"
#include "skel/read/typed_reader.hpp"

namespace sinew::skel {

struct DeformedPrim::Impl {
  SkinPalette palette;
  std::vector<Matrix4d> joint_order_skinning;
  PackedInfluences packed;
  const SkinnedPrim* packed_skin = nullptr;
  stage::Time packed_time;
};

struct DeformedPrimAccess {
  using Impl = DeformedPrim::Impl;
  static Impl& impl(DeformedPrim& deformed) {
    if (deformed.impl_ == nullptr) deformed.impl_ = std::make_unique<Impl>();
    return *deformed.impl_;
  }
};

DeformedPrim::DeformedPrim() = default;
DeformedPrim::~DeformedPrim() = default;
DeformedPrim::DeformedPrim(DeformedPrim&& other) noexcept = default;
DeformedPrim& DeformedPrim::operator=(DeformedPrim&& other) noexcept = default;

namespace {

using PointArray = std::optional<stage::ArrayValue<Vector3f>>;

std::span<const Vector3f> span_of(const PointArray& array) {
  return array ? array->span() : std::span<const Vector3f>();
}

std::string interpolation_of(const stage::Attribute& attribute, std::string_view unauthored) {
  const layer::Value value = attribute.metadata("interpolation");
  return std::string(value.text().value_or(unauthored));
}

// One evaluation of one prim: what its steps share.
class TargetEvaluation {
 public:
  TargetEvaluation(const SkinTarget& target, const SkeletonPose& pose, DeformedPrim& deformed,
                   Reporter& reporter, const DeformOptions& options, const Blending& blending)
      : target_(target),
        skin_(*target.skin),
        pose_(pose),
        deformed_(deformed),
        kept_(DeformedPrimAccess::impl(deformed)),
        reporter_(reporter),
        options_(options),
        blending_(blending) {}

  void run() {
    clear();
    points_ = typed(reporter_).array<Vector3f>(target_.prim.attribute("points"), pose_.time);
    read_normals();
    rest_points_ = span_of(points_);
    rest_normals_ = span_of(normals_);
    if (options_.blend_shapes) blend();
    if (options_.skinning && pose_.status == PoseStatus::skinnable && skin_.has_joint_influences)
      skin();
  }

 private:
  void clear();
  void read_normals();
  void blend();
  void skin();
  bool missing_joints_rest() const {
    return reporter_.documented() || options_.identity_for_missing_joints;
  }
  void order_joints();
  PackedInfluencesDesc packed_desc(const JointInfluences& influences) const;
  const PackedInfluences* packed(const JointInfluences& influences);
  void skin_rigidly(const JointInfluences& influences);
  void skin_points(const PackedInfluences& packed);
  void skin_face_vertex_normals(const JointInfluences& influences);
  void report_bad_indices(const Error& error);

  const SkinTarget& target_;
  const SkinnedPrim& skin_;
  const SkeletonPose& pose_;
  DeformedPrim& deformed_;
  DeformedPrimAccess::Impl& kept_;
  Reporter& reporter_;
  const DeformOptions& options_;
  const Blending blending_;
  PointArray points_;
  PointArray normals_;
  bool normals_per_point_ = false;
  bool normals_per_face_vertex_ = false;
  std::span<const Vector3f> rest_points_;   // After blend shapes.
  std::span<const Vector3f> rest_normals_;  // Likewise.
  std::span<const Matrix4d> skinning_;      // In the order of the prim's joints.
};

void TargetEvaluation::clear() {
  deformed_.blended = deformed_.skinned = deformed_.normals_per_face_vertex = false;
  deformed_.sub_shape_weights.clear();
  deformed_.blended_points.clear();
  deformed_.blended_normals.clear();
  deformed_.skinned_transform.reset();
  deformed_.points.clear();
  deformed_.normals.clear();
  deformed_.tangents.clear();
  deformed_.geom_bind = read_geom_bind(target_, pose_.time, reporter_);
}

void TargetEvaluation::read_normals() {
  if (options_.normals == NormalsUse::ignore) return;
  const stage::Attribute attribute = target_.prim.attribute("normals");
  if (!attribute) return;
  normals_ = typed(reporter_).array<Vector3f>(attribute, pose_.time);
  if (options_.normals == NormalsUse::per_point) {
    normals_per_point_ = normals_ && points_ && normals_->size() == points_->size();
    if (!normals_per_point_) normals_.reset();
    return;
  }
  const std::string interpolation = interpolation_of(attribute, "vertex");
  normals_per_point_ = interpolation == "vertex" || interpolation == "varying";
  normals_per_face_vertex_ =
      interpolation == "faceVarying" && target_.prim.is_a(stage::SchemaType::mesh);
  if (!normals_per_point_ && !normals_per_face_vertex_) normals_.reset();
}

void TargetEvaluation::blend() {
  if (!target_.has_blend_shapes() || !pose_.blend_shape_weights || !points_) return;
  const BlendedTarget blended = blend_target(
      target_, *pose_.blend_shape_weights, rest_points_,
      normals_per_point_ ? rest_normals_ : std::span<const Vector3f>(), deformed_, reporter_);
  deformed_.blended = blended.points && blending_.points;
  if (deformed_.blended) {
    rest_points_ = deformed_.blended_points;
  } else {
    deformed_.blended_points.clear();
  }
  if (blended.normals && blending_.normals) {
    rest_normals_ = deformed_.blended_normals;
  } else {
    deformed_.blended_normals.clear();
  }
}

// Skinning transforms in the order that the prim's joint indices refer to.
void TargetEvaluation::order_joints() {
  if (!skin_.joint_order) {
    skinning_ = pose_.skinning;
    return;
  }
  std::vector<Matrix4d>& ordered = kept_.joint_order_skinning;
  ordered.clear();
  // OpenUSD starts from a copy in skeleton order, so a joint that the skeleton lacks moves with
  // whatever joint stands at its place.
  if (!missing_joints_rest()) ordered = pose_.skinning;
  remap_transforms(skin_.joint_mapper, std::span<const Matrix4d>(pose_.skinning), ordered);
  skinning_ = ordered;
}

void TargetEvaluation::report_bad_indices(const Error& error) {
  reporter_.add(Severity::error, "skel-joint-index-out-of-range", target_.prim,
                format_text("{} cannot be skinned: {}", target_.prim.path().view(), error.message));
}

// What both points and face vertices are packed from.
PackedInfluencesDesc TargetEvaluation::packed_desc(const JointInfluences& influences) const {
  PackedInfluencesDesc desc;
  desc.joint_indices = influences.indices.span();
  desc.joint_weights = influences.weights.span();
  desc.influences = skin_.influences;
  desc.joint_count = skinning_.size();
  desc.scope = skin_.scope;
  desc.level = options_.level;
  return desc;
}

// The influences packed for the present number of points, or null if they do not fit.
const PackedInfluences* TargetEvaluation::packed(const JointInfluences& influences) {
  const std::size_t count = rest_points_.size();
  if (skin_.packed.point_count() == count && count > 0 &&
      skin_.packed.joint_count() == skinning_.size()) {
    return &skin_.packed;
  }
  if (kept_.packed_skin == &skin_ && kept_.packed_time == pose_.time &&
      kept_.packed.point_count() == count && kept_.packed.joint_count() == skinning_.size()) {
    return &kept_.packed;
  }
  kept_.packed_skin = nullptr;
  if (skin_.scope == InfluenceScope::per_point &&
      influences.indices.size() / skin_.influences != count) {
    reporter_.add(
        Severity::warning, "skel-influences-invalid", target_.prim,
        format_text("{} has {} points but joint influences for {}.", target_.prim.path().view(),
                    count, influences.indices.size() / skin_.influences));
    return nullptr;
  }
  PackedInfluencesDesc desc = packed_desc(influences);
  desc.point_count = count;
  auto made = PackedInfluences::pack(desc);
  if (!made) {
    report_bad_indices(made.error());
    return nullptr;
  }
  kept_.packed = *std::move(made);
  kept_.packed_skin = &skin_;
  kept_.packed_time = pose_.time;
  return &kept_.packed;
}

void TargetEvaluation::skin_rigidly(const JointInfluences& influences) {
  // A joint that the skeleton lacks is identity; of rigid prims OpenUSD has a zero matrix where
  // there is no joint of that number either.
  std::vector<Matrix4d> with_zeros;
  std::span<const Matrix4d> skinning = skinning_;
  if (!missing_joints_rest() && skin_.joint_order &&
      skin_.joint_order->size() > pose_.skinning.size()) {
    with_zeros = pose_.skinning;
    with_zeros.resize(skin_.joint_order->size(), Matrix4d::Zero());
    remap_transforms(skin_.joint_mapper, std::span<const Matrix4d>(pose_.skinning), with_zeros);
    skinning = with_zeros;
  }
  auto transform = rigid_transform(skin_.method, deformed_.geom_bind, skinning,
                                   influences.indices.span(), influences.weights.span());
  if (!transform) return report_bad_indices(transform.error());
  deformed_.skinned_transform = *transform;
}

void TargetEvaluation::skin_points(const PackedInfluences& packed) {
  SkinPointsJob job;
  job.influences = &packed;
  job.palette = kept_.palette.view();
  job.points = rest_points_;
  deformed_.points.resize(rest_points_.size());
  job.points_out = deformed_.points;
  if (normals_per_point_ && normals_ && rest_normals_.size() == rest_points_.size()) {
    deformed_.normals.resize(rest_normals_.size());
    job.normals = rest_normals_;
    job.normals_out = deformed_.normals;
  } else if (normals_per_point_ && normals_) {
    reporter_.add(
        Severity::warning, "skel-normals-size-mismatch", target_.prim,
        format_text("{} has {} points but {} normals; they are left out.",
                    target_.prim.path().view(), rest_points_.size(), rest_normals_.size()));
  }
  PointArray tangents;
  if (options_.tangents) {
    const stage::Attribute attribute = target_.prim.attribute("primvars:tangents");
    if (attribute && interpolation_of(attribute, "constant") == "vertex") {
      tangents = typed(reporter_).array<Vector3f>(attribute, pose_.time);
    }
    if (tangents && tangents->size() == rest_points_.size()) {
      deformed_.tangents.resize(tangents->size());
      job.tangents = tangents->span();
      job.tangents_out = deformed_.tangents;
    } else if (tangents) {
      reporter_.add(Severity::warning, "skel-tangents-size-mismatch", attribute,
                    format_text("{} has {} points but {} tangents; they are left out.",
                                target_.prim.path().view(), rest_points_.size(), tangents->size()));
    }
  }
  if (const Status status = job.run(options_.executor); !status) {
    report_bad_indices(status.error());
    deformed_.points.clear();
    deformed_.normals.clear();
    deformed_.tangents.clear();
    return;
  }
  deformed_.skinned = true;
}

void TargetEvaluation::skin_face_vertex_normals(const JointInfluences& influences) {
  const auto face_vertices =
      typed(reporter_).array<std::int32_t>(target_.prim.attribute("faceVertexIndices"), pose_.time);
  if (!face_vertices || face_vertices->size() != normals_->size()) {
    reporter_.add(Severity::warning, "skel-normals-size-mismatch", target_.prim,
                  format_text("{} has {} face-varying normals for {} face vertices; they are left "
                              "out.",
                              target_.prim.path().view(), normals_->size(),
                              face_vertices ? face_vertices->size() : 0));
    return;
  }
  PackedInfluencesDesc desc = packed_desc(influences);
  std::vector<std::int32_t> rows;
  if (skin_.scope == InfluenceScope::per_point) {
    const std::size_t row_count = influences.indices.size() / skin_.influences;
    rows.assign(face_vertices->begin(), face_vertices->end());
    for (std::int32_t& row : rows) {
      if (row >= 0 && static_cast<std::size_t>(row) < row_count) continue;
      reporter_.add(Severity::warning, "skel-face-vertex-out-of-range", target_.prim,
                    format_text("{} has the face-vertex index {} but {} points; point 0 is used.",
                                target_.prim.path().view(), row, row_count));
      row = 0;
    }
    desc.row_of_element = rows;
  } else {
    desc.point_count = normals_->size();
  }
  auto made = PackedInfluences::pack(desc);
  if (!made) return report_bad_indices(made.error());
  SkinPointsJob job;
  job.influences = &*made;
  job.palette = kept_.palette.view();
  deformed_.normals.resize(normals_->size());
  job.normals = normals_->span();
  job.normals_out = deformed_.normals;
  if (const Status status = job.run(options_.executor); !status) {
    report_bad_indices(status.error());
    deformed_.normals.clear();
    return;
  }
  deformed_.normals_per_face_vertex = true;
}

void TargetEvaluation::skin() {
  if (!skin_.known_method) return;
  const auto influences = read_influences(target_, pose_.time, reporter_);
  if (!influences) return;
  order_joints();
  if (skin_.scope == InfluenceScope::constant) skin_rigidly(*influences);
  if (!points_) {
    if (skin_.scope == InfluenceScope::per_point && !target_.prim.attribute("points")) {
      reporter_.add(Severity::warning, "skel-points-missing", target_.prim,
                    format_text("{} has joint influences per point but no points.",
                                target_.prim.path().view()));
    }
    return;
  }
  kept_.palette.prepare(skin_.method, skinning_, deformed_.geom_bind);
  const bool is_constant = skin_.scope == InfluenceScope::constant;
  if (rest_points_.empty() && (is_constant || influences->indices.empty())) {
    deformed_.skinned = true;
    return;
  }
  const PackedInfluences* fitting = packed(*influences);
  if (fitting == nullptr) return;
  skin_points(*fitting);
  if (normals_per_face_vertex_ && normals_ && deformed_.skinned) {
    skin_face_vertex_normals(*influences);
  }
}

}  // namespace

void evaluate_target(const SkinTarget& target, const SkeletonPose& pose, DeformedPrim& deformed,
                     Reporter& reporter, const DeformOptions& options, const Blending& blending) {
  TargetEvaluation(target, pose, deformed, reporter, options, blending).run();
}

void evaluate_target(const SkinTarget& target, const SkeletonPose& pose, DeformedPrim& deformed,
                     Diagnostics& diagnostics, const DeformOptions& options) {
  Reporter reporter(target.prim, diagnostics, Reporter::Repeats::once_per_prim);
  evaluate_target(target, pose, deformed, reporter, options);
}

}  // namespace sinew::skel
