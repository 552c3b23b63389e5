// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/format_text.hpp"
#include "sinew/stage/stage.hpp"
#include "skel/read/read_skeleton.hpp"

namespace sinew::skel {
namespace {

using stage::Prim;

constexpr std::string_view kInbetweenPrefix = "inbetweens:";
constexpr std::string_view kNormalOffsetsSuffix = ":normalOffsets";

// The arrays that a shape borrows: values share the memory of the layer they were parsed from.
struct ShapeArrays {
  std::vector<stage::ArrayValue<Vector3f>> vectors;
  stage::ArrayValue<std::int32_t> indices;
};

std::span<const Vector3f> read_offsets(const stage::Attribute& attribute, ShapeArrays& arrays,
                                       Reporter& reporter) {
  auto values = typed(reporter).array<Vector3f>(attribute, stage::Time());
  if (!values) return {};
  arrays.vectors.push_back(*std::move(values));
  return arrays.vectors.back().span();
}

// Files of before 2018 store point indices as unsigned numbers.
std::span<const std::int32_t> read_point_indices(const Prim& prim, ShapeArrays& arrays,
                                                 Reporter& reporter) {
  const stage::Attribute attribute = prim.attribute("pointIndices");
  if (!attribute) return {};
  const bool documented = reporter.documented();
  using stage::ValueTypes;
  const layer::Value value =
      documented ? attribute.value(stage::Time(), ValueTypes::array_of<std::int32_t>() |
                                                      ValueTypes::array(layer::ElementType::uint))
                 : attribute.value(stage::Time());
  if (value.is_array() && value.type() == layer::ElementType::uint) {
    // Numbers above the largest int turn negative, so they are out of range as they should be.
    Buffer copy = Buffer::copy_of(value.bytes());
    arrays.indices = stage::ArrayValue<std::int32_t>(
        layer::Value::array_from_buffer(layer::ElementType::int_, std::move(copy)));
  } else if (auto indices =
                 looked_up_first(reporter).array<std::int32_t>(attribute, stage::Time())) {
    arrays.indices = *std::move(indices);
  }
  return arrays.indices.span();
}

BlendShape read_shape(const Prim& prim, Reporter& reporter) {
  BlendShape shape;
  shape.name = prim.path().str();
  auto arrays = std::make_shared<ShapeArrays>();
  shape.offsets = read_offsets(prim.attribute("offsets"), *arrays, reporter);
  shape.normal_offsets = read_offsets(prim.attribute("normalOffsets"), *arrays, reporter);
  shape.point_indices = read_point_indices(prim, *arrays, reporter);
  for (const stage::Attribute& attribute : prim.attributes()) {
    const std::string_view name = attribute.name().view();
    if (!name.starts_with(kInbetweenPrefix) || name.ends_with(kNormalOffsetsSuffix)) continue;
    const layer::Value weight = attribute.metadata("weight");
    InbetweenShape inbetween;
    inbetween.name = name.substr(kInbetweenPrefix.size());
    if (const auto single = weight.get<float>()) {
      inbetween.weight = *single;
    } else if (const auto twice = weight.get<double>()) {
      inbetween.weight = static_cast<float>(*twice);
    } else {
      reporter.add(Severity::warning, "skel-inbetween-weight", attribute,
                   format_text("The in-between {} of {} is ignored: it has no weight.",
                               inbetween.name, shape.name));
      continue;
    }
    inbetween.offsets = read_offsets(attribute, *arrays, reporter);
    inbetween.normal_offsets = read_offsets(
        prim.attribute(std::string(name) + std::string(kNormalOffsetsSuffix)), *arrays, reporter);
    const std::size_t expected =
        shape.point_indices.empty() ? shape.offsets.size() : shape.point_indices.size();
    if (expected != 0 && !inbetween.offsets.empty() && inbetween.offsets.size() != expected) {
      reporter.add(Severity::warning, "skel-inbetween-size", attribute,
                   format_text("The in-between {} of {} has {} offsets instead of {}.",
                               inbetween.name, shape.name, inbetween.offsets.size(), expected));
    }
    shape.inbetweens.push_back(std::move(inbetween));
  }
  shape.owner = std::move(arrays);
  return shape;
}

}  // namespace

std::shared_ptr<const BlendShapeSet> read_blend_shapes(const stage::Relationship& targets,
                                                       Reporter& reporter) {
  std::vector<BlendShape> shapes;
  const stage::Stage& stage = targets.prim().stage();
  for (const layer::Path& path : targets.targets()) {
    const Prim prim = path.is_prim() ? stage.prim(path) : Prim();
    if (prim && prim.is_a(stage::SchemaType::blend_shape) && prim.is_active()) {
      shapes.push_back(read_shape(prim, reporter));
      continue;
    }
    BlendShape nothing;
    nothing.name = path.str();
    nothing.valid = false;
    shapes.push_back(std::move(nothing));
    reporter.add(
        Severity::warning, "skel-blend-shape-target", targets,
        format_text("{} names <{}>, which is not an active BlendShape; it changes nothing.",
                    targets.name().view(), path.view()));
  }
  std::vector<std::string> ignored;
  auto set = std::make_shared<const BlendShapeSet>(std::move(shapes), reporter.rules(), &ignored);
  if (!ignored.empty()) {
    reporter.add(
        Severity::warning, "skel-inbetween-weight", targets,
        format_text("The in-between {}{} is ignored: its weight is 0, 1, or that of another.",
                    ignored.front(),
                    ignored.size() > 1 ? format_text(" (and {} more)", ignored.size() - 1)
                                       : std::string()));
  }
  return set;
}

}  // namespace sinew::skel
