// SPDX-License-Identifier: Apache-2.0
#include "skel/read/target_inputs.hpp"

#include <cmath>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "sinew/geom/primvars.hpp"
#include "skel/read/reporting_evaluate.hpp"
#include "skel/read/typed_reader.hpp"

namespace sinew::skel {

namespace {

using stage::Attribute;
using stage::ValueTypes;

/// Whether an attribute, there or not, has the same value at all times of a kind, and that of its
/// strongest opinion.
bool is_settled(const Attribute& attribute, stage::Time time, ValueTypes wanted) {
  if (!attribute) return true;
  if (attribute.might_be_time_varying()) return false;
  const layer::Value value = attribute.value(time);
  return !value.has_value() || value.is_block() || wanted.accept(value);
}

template <typename T>
bool is_settled_primvar(const Attribute& primvar, stage::Time time) {
  return is_settled(primvar, time, ValueTypes::array_of<T>()) &&
         is_settled(geom::Primvar(primvar).indices_attribute(), time,
                    ValueTypes::array_of<std::int32_t>());
}

bool has_interpolation(const Attribute& attribute, std::string_view unauthored,
                       std::string_view wanted) {
  const layer::Value value = attribute.metadata("interpolation");
  return value.text().value_or(unauthored) == wanted;
}

/// Reads inputs step by step; each says whether the fast road is still open.
class InputReader {
 public:
  InputReader(const SkinTarget& target, const Skeleton& skeleton, stage::Time time,
              const CharacterOptions& options)
      : target_(target),
        skin_(*target.skin),
        skeleton_(skeleton),
        time_(time),
        options_(options.deform),
        order_(options.order),
        reporter_(target.prim.stage(), nullptr) {}

  std::optional<TargetInputs> read() {
    if (!read_points() || !read_normals() || !read_joints() || !read_shapes()) return std::nullopt;
    for (auto* values : {&inputs_.points, &inputs_.normals, &inputs_.tangents}) reorder(*values);
    pack_vectors();
    return std::move(inputs_);
  }

 private:
  bool read_points();
  bool read_normals();
  bool read_tangents();
  bool read_joints();
  bool order_joints(bool& may_be_rigid);
  bool pack_influences(const JointInfluences& influences);
  bool pack_rigid(const JointInfluences& influences);
  bool pack_face_influences(const JointInfluences& influences);
  bool read_shapes();
  void reorder(stage::ArrayValue<Vector3f>& values) const;
  bool skins_from_packed_points() const;
  void pack_vectors();
  bool missing_joints_rest() const {
    return reporter_.documented() || options_.identity_for_missing_joints;
  }
  PackedInfluencesDesc packed_desc(const JointInfluences& influences) const;

  const SkinTarget& target_;
  const SkinnedPrim& skin_;
  const Skeleton& skeleton_;
  stage::Time time_;
  const DeformOptions& options_;
  PointOrder order_;
  Reporter reporter_;  // Silent: what does not fit is reported by evaluate_target().
  TargetInputs inputs_;
};

bool InputReader::read_points() {
  if (!is_settled(skin_.geom_bind_transform, time_, ValueTypes::scalar_of<Matrix4d>())) {
    return false;
  }
  inputs_.geom_bind = read_geom_bind(target_, time_, reporter_);
  const Attribute attribute = target_.prim.attribute("points");
  if (!is_settled(attribute, time_, ValueTypes::array_of<Vector3f>())) return false;
  if (auto points = typed(reporter_).array<Vector3f>(attribute, time_)) {
    inputs_.points = *std::move(points);
    inputs_.has_points = true;
  }
  return true;
}

bool InputReader::read_normals() {
  if (options_.normals == NormalsUse::ignore) return true;
  const Attribute attribute = target_.prim.attribute("normals");
  if (!attribute) return true;
  if (!is_settled(attribute, time_, ValueTypes::array_of<Vector3f>())) return false;
  auto normals = typed(reporter_).array<Vector3f>(attribute, time_);
  if (!normals) return true;
  const bool fit = inputs_.has_points && normals->size() == inputs_.points.size();
  if (options_.normals == NormalsUse::per_point) {
    if (fit) inputs_.normals = *std::move(normals);
    return true;
  }
  if (has_interpolation(attribute, "vertex", "vertex") ||
      has_interpolation(attribute, "vertex", "varying")) {
    inputs_.normals = *std::move(normals);
    return fit || !inputs_.has_points;
  }
  if (has_interpolation(attribute, "vertex", "faceVarying") &&
      target_.prim.is_a(stage::SchemaType::mesh)) {
    inputs_.face_normals = *std::move(normals);
  }
  return true;
}

bool InputReader::read_tangents() {
  if (!options_.tangents) return true;
  const Attribute attribute = target_.prim.attribute("primvars:tangents");
  if (!attribute || !has_interpolation(attribute, "constant", "vertex")) return true;
  if (!is_settled(attribute, time_, ValueTypes::array_of<Vector3f>())) return false;
  auto tangents = typed(reporter_).array<Vector3f>(attribute, time_);
  if (!tangents) return true;
  inputs_.tangents = *std::move(tangents);
  return inputs_.tangents.size() == inputs_.points.size();
}

// The joints that skinning transforms are taken from, as evaluate_target() orders them.
bool InputReader::order_joints(bool& may_be_rigid) {
  std::vector<std::int32_t> all(skeleton_.joint_count());
  std::iota(all.begin(), all.end(), 0);
  may_be_rigid = true;
  if (!skin_.joint_order) {
    inputs_.joints = std::move(all);
    return true;
  }
  // Beyond the joints of the skeleton rigid prims have zeros under OpenUSD's rules.
  may_be_rigid = missing_joints_rest() || skin_.joint_order->size() <= all.size();
  if (!missing_joints_rest()) inputs_.joints = all;
  return skin_.joint_mapper.remap_resized(std::span<const std::int32_t>(all), inputs_.joints, 1, -1)
      .has_value();
}

PackedInfluencesDesc InputReader::packed_desc(const JointInfluences& influences) const {
  PackedInfluencesDesc desc;
  desc.joint_indices = influences.indices.span();
  desc.joint_weights = influences.weights.span();
  desc.influences = skin_.influences;
  desc.joint_count = inputs_.joints.size();
  desc.scope = skin_.scope;
  desc.level = options_.level;
  return desc;
}

bool InputReader::pack_influences(const JointInfluences& influences) {
  const std::size_t count = inputs_.points.size();
  if (order_ == PointOrder::keep && skin_.packed.point_count() == count &&
      skin_.packed.joint_count() == inputs_.joints.size()) {
    inputs_.influences = skin_.packed;
    return true;
  }
  PackedInfluencesDesc desc = packed_desc(influences);
  desc.point_count = count;
  desc.order = order_;
  auto packed = PackedInfluences::pack(desc);
  if (!packed || packed->point_count() != count) return false;
  inputs_.influences = *std::move(packed);
  return true;
}

bool InputReader::pack_rigid(const JointInfluences& influences) {
  PackedInfluencesDesc desc = packed_desc(influences);
  desc.influences = influences.indices.size();
  desc.point_count = 4;
  desc.level = SimdLevel::scalar;
  auto packed = PackedInfluences::pack(desc);
  if (!packed) return false;
  inputs_.rigid = *std::move(packed);
  inputs_.is_rigid = true;
  inputs_.rigid_joint = -1;
  const bool is_one = influences.indices.size() == 1 &&
                      std::abs(static_cast<double>(influences.weights[0]) - 1.0) < 1e-6;
  if (is_one) inputs_.rigid_joint = influences.indices[0];
  return true;
}

bool InputReader::pack_face_influences(const JointInfluences& influences) {
  const std::size_t count = inputs_.face_normals.size();
  const Attribute attribute = target_.prim.attribute("faceVertexIndices");
  if (!is_settled(attribute, time_, ValueTypes::array_of<std::int32_t>())) return false;
  const auto face_vertices = typed(reporter_).array<std::int32_t>(attribute, time_);
  if (!face_vertices || face_vertices->size() != count) return false;
  PackedInfluencesDesc desc = packed_desc(influences);
  if (skin_.scope == InfluenceScope::per_point) {
    desc.row_of_element = face_vertices->span();
  } else {
    desc.point_count = count;
  }
  auto packed = PackedInfluences::pack(desc);
  if (!packed || packed->point_count() != count) return false;
  inputs_.face_influences = *std::move(packed);
  return true;
}

bool InputReader::read_joints() {
  if (!options_.skinning || !skin_.has_joint_influences || !skin_.known_method) return true;
  if (!is_settled_primvar<std::int32_t>(skin_.joint_indices, time_) ||
      !is_settled_primvar<float>(skin_.joint_weights, time_)) {
    return false;
  }
  const auto influences = read_influences(target_, time_, reporter_);
  if (!influences) return false;
  bool may_be_rigid = false;
  if (!order_joints(may_be_rigid)) return false;
  inputs_.follows_joints = true;
  if (skin_.scope == InfluenceScope::constant && (!may_be_rigid || !pack_rigid(*influences))) {
    return false;
  }
  if (!inputs_.has_points) return skin_.scope == InfluenceScope::constant;
  if (inputs_.points.empty()) {
    return skin_.scope == InfluenceScope::constant || influences->indices.empty();
  }
  if (!pack_influences(*influences) || !read_tangents()) return false;
  return inputs_.face_normals.empty() || pack_face_influences(*influences);
}

/// Whether the offsets of a sub-shape fit as many points.
bool fits(std::span<const Vector3f> offsets, std::span<const std::int32_t> indices,
          std::size_t points) {
  if (offsets.empty()) return true;
  if (offsets.size() != (indices.empty() ? points : indices.size())) return false;
  for (const std::int32_t index : indices) {
    if (index < 0 || static_cast<std::size_t>(index) >= points) return false;
  }
  return true;
}

bool InputReader::read_shapes() {
  if (!options_.blend_shapes || !target_.has_blend_shapes() || !inputs_.has_points) return true;
  const BlendShapeSet& set = *skin_.blend_shapes;
  const std::size_t points = inputs_.points.size();
  std::vector<SubShapeDesc> sub_shapes;
  for (std::size_t i = 0; i < set.sub_shape_count(); ++i) {
    const BlendShapeSet::Offsets shape = set.sub_shape(i);
    const bool fit = fits(shape.offsets, shape.point_indices, points) &&
                     fits(shape.normal_offsets, shape.point_indices, points);
    inputs_.misfits.push_back(!fit);
    sub_shapes.push_back(
        fit ? SubShapeDesc{shape.offsets, shape.normal_offsets, shape.point_indices}
            : SubShapeDesc{});
  }
  const PackedInfluences& influences = inputs_.influences;
  auto packed =
      PackedBlendShapes::pack({.sub_shapes = sub_shapes,
                               .point_count = points,
                               .new_from_old = influences.new_from_old(),
                               .influences = skins_from_packed_points() ? &influences : nullptr});
  if (!packed) return false;
  inputs_.shapes = *std::move(packed);
  return true;
}

// Into the order of the packed influences, if there is one value per point.
void InputReader::reorder(stage::ArrayValue<Vector3f>& values) const {
  const std::span<const std::uint32_t> new_from_old = inputs_.influences.new_from_old();
  if (new_from_old.empty() || values.size() != new_from_old.size()) return;
  std::vector<Vector3f> ordered(values.size());
  remap_values<Vector3f>(ordered, values.span(), new_from_old);
  values =
      stage::ArrayValue<Vector3f>(layer::Value::array<Vector3f>(values.value().type(), ordered));
}

// Linear skinning alone reads packed values.
bool InputReader::skins_from_packed_points() const {
  return skin_.method == SkinningMethod::linear &&
         inputs_.points.size() == inputs_.influences.point_count();
}

void InputReader::pack_vectors() {
  if (skin_.method != SkinningMethod::linear) return;
  const auto pack = [](const stage::ArrayValue<Vector3f>& values,
                       const PackedInfluences& influences) -> PackedVectors {
    if (values.size() != influences.point_count()) return {};
    return *PackedVectors::pack(values.span(), influences);
  };
  inputs_.packed_points = pack(inputs_.points, inputs_.influences);
  inputs_.packed_normals = pack(inputs_.normals, inputs_.influences);
  inputs_.packed_tangents = pack(inputs_.tangents, inputs_.influences);
  inputs_.packed_face_normals = pack(inputs_.face_normals, inputs_.face_influences);
}

}  // namespace

std::optional<TargetInputs> read_target_inputs(const SkinTarget& target, const Skeleton& skeleton,
                                               stage::Time time, const CharacterOptions& options) {
  return InputReader(target, skeleton, time, options).read();
}

}  // namespace sinew::skel
