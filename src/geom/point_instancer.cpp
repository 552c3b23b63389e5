// SPDX-License-Identifier: Apache-2.0
#include "sinew/geom/point_instancer.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_set>

#include "core/format_text.hpp"
#include "sinew/layer/list_op.hpp"
#include "sinew/stage/attribute.hpp"
#include "sinew/stage/schema.hpp"
#include "sinew/stage/stage.hpp"
#include "stage/shared/reporter.hpp"

namespace sinew::geom {
namespace {

using stage::Prim;

constexpr std::array<std::string_view, 7> kAttributes = {
    "protoIndices", "positions", "orientationsf", "orientations", "scales", "ids", "invisibleIds"};

class Reader {
 public:
  Reader(const Prim& prim, stage::Time time, Diagnostics* diagnostics)
      : prim_(prim), time_(time), reporter_(prim, diagnostics) {}

  PointInstances read() {
    PointInstances result;
    if (const stage::Relationship targets = prim_.relationship("prototypes")) {
      for (const layer::Path& path : targets.forwarded_targets()) {
        result.prototypes.push_back(prim_.stage().prim(path));
      }
    }
    const auto indices = array<std::int32_t>("protoIndices");
    const auto positions = array<Vector3f>("positions");
    const auto scales = array_of<Vector3f>("scales", indices.size());
    const auto ids = array_of<std::int64_t>("ids", indices.size());
    auto orientations = array_of<Quatf>("orientationsf", indices.size());
    const auto halves = orientations.empty() ? array_of<Quath>("orientations", indices.size())
                                             : stage::ArrayValue<Quath>();
    const std::unordered_set<std::int64_t> hidden = hidden_ids();

    const auto misfits =
        ids.empty() ? array<std::int64_t>("ids") : stage::ArrayValue<std::int64_t>();
    result.consistent = positions.size() == indices.size() &&
                        std::none_of(misfits.begin(), misfits.end(),
                                     [&](std::int64_t id) { return hidden.contains(id); });

    std::size_t lost = 0;
    for (std::size_t i = 0; i < indices.size(); ++i) {
      PointInstance instance;
      instance.id = ids.empty() ? static_cast<std::int64_t>(i) : ids[i];
      instance.prototype = static_cast<std::uint32_t>(indices[i]);  // Too large if negative.
      const bool is_listed = instance.prototype < result.prototypes.size();
      result.consistent = result.consistent && is_listed;
      if (hidden.contains(instance.id)) continue;
      if (i >= positions.size() || !is_listed || !result.prototypes[instance.prototype]) {
        ++lost;
        continue;
      }
      instance.position = positions[i];
      if (!orientations.empty()) instance.orientation = orientations[i];
      if (!halves.empty()) instance.orientation = halves[i].cast<float>();
      if (!scales.empty()) instance.scale = scales[i];
      if (!(instance.orientation.norm() > 0.0F)) instance.orientation.setIdentity();
      if (!instance.transform().allFinite()) {
        ++lost;
        continue;
      }
      result.instances.push_back(instance);
    }
    if (lost > 0) {
      reporter_.add(Severity::warning, "geom-instancer", prim_,
                    format_text("{} of {} instances have no prototype or no finite place; they are "
                                "left out.",
                                lost, indices.size()));
    }
    return result;
  }

 private:
  template <typename T>
  stage::ArrayValue<T> array(std::string_view name) const {
    const stage::Attribute attribute = prim_.attribute(name);
    if (!attribute) return {};
    return attribute.get_array<T>(time_).value_or(stage::ArrayValue<T>());
  }

  // One for each instance, or none.
  template <typename T>
  stage::ArrayValue<T> array_of(std::string_view name, std::size_t count) {
    stage::ArrayValue<T> values = array<T>(name);
    if (values.empty() || values.size() == count) return values;
    reporter_.add(Severity::warning, "geom-instancer-size", prim_.attribute(name),
                  format_text("There are {} {} for {} instances; they are ignored.", values.size(),
                              name, count));
    return {};
  }

  std::unordered_set<std::int64_t> hidden_ids() const {
    const auto invisible = array<std::int64_t>("invisibleIds");
    std::unordered_set<std::int64_t> hidden(invisible.begin(), invisible.end());
    const layer::Value value = prim_.metadata("inactiveIds");  // A composed one, so a whole list.
    if (const layer::ListOp<layer::Value>* const list = value.as_list_op()) {
      for (const layer::Value& item : list->explicit_items) {
        if (const auto id = item.get<std::int64_t>()) hidden.insert(*id);
      }
    }
    return hidden;
  }

  Prim prim_;
  stage::Time time_;
  stage::Reporter reporter_;
};

}  // namespace

Matrix4d PointInstance::transform() const {
  Matrix4d result = Matrix4d::Identity();
  result.topLeftCorner<3, 3>() = orientation.cast<double>().normalized().toRotationMatrix() *
                                 scale.cast<double>().asDiagonal();
  result.topRightCorner<3, 1>() = position.cast<double>();
  return result;
}

std::optional<PointInstances> read_point_instances(const Prim& prim, stage::Time time,
                                                   Diagnostics* diagnostics) {
  if (!prim.is_a(stage::SchemaType::point_instancer)) return std::nullopt;
  return Reader(prim, time, diagnostics).read();
}

bool point_instances_might_vary(const Prim& prim) {
  return std::any_of(kAttributes.begin(), kAttributes.end(), [&](std::string_view name) {
    const stage::Attribute attribute = prim.attribute(name);
    return attribute && attribute.might_be_time_varying();
  });
}

}  // namespace sinew::geom
