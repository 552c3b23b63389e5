// SPDX-License-Identifier: Apache-2.0
#include <span>
#include <string>

#include "core/format_text.hpp"
#include "sinew/geom/primvars.hpp"
#include "sinew/skel/read/evaluate.hpp"
#include "skel/read/reporting_evaluate.hpp"
#include "skel/read/typed_reader.hpp"

namespace sinew::skel {
namespace {

// Block i of the result is block indices[i] of the authored values.
template <typename T>
std::optional<stage::ArrayValue<T>> expand_indexed(const stage::Attribute& primvar,
                                                   const stage::ArrayValue<T>& authored,
                                                   const stage::ArrayValue<std::int32_t>& indices,
                                                   std::size_t block, Reporter& reporter) {
  if (authored.empty()) return std::nullopt;
  Result<layer::Value> expanded = geom::flatten_indexed(authored.value(), indices.span(), block);
  if (expanded) return stage::ArrayValue<T>(*std::move(expanded));
  const bool out_of_range = expanded.error().code == ErrorCode::index_out_of_range;
  reporter.add(Severity::warning,
               out_of_range ? "skel-primvar-index-out-of-range" : "skel-primvar-too-large", primvar,
               format_text("{}: {}", primvar.name().view(), expanded.error().message));
  return std::nullopt;
}

template <typename T>
std::optional<stage::ArrayValue<T>> read_primvar(const stage::Attribute& primvar, stage::Time time,
                                                 std::size_t block, Reporter& reporter) {
  std::optional<stage::ArrayValue<T>> authored = typed(reporter).array<T>(primvar, time);
  const stage::Attribute index_attribute = geom::Primvar(primvar).indices_attribute();
  if (!authored || !index_attribute || !index_attribute.has_authored_value()) return authored;
  const auto indices = typed(reporter).array<std::int32_t>(index_attribute, time);
  if (!indices) return std::nullopt;  // What the values are of is not known.
  return expand_indexed(primvar, *authored, *indices, block, reporter);
}

}  // namespace

std::optional<JointInfluences> read_influences(const SkinTarget& target, stage::Time time,
                                               Reporter& reporter) {
  const SkinnedPrim& skin = *target.skin;
  if (!skin.has_joint_influences) return std::nullopt;
  const auto indices =
      read_primvar<std::int32_t>(skin.joint_indices, time, skin.influences, reporter);
  const auto weights = read_primvar<float>(skin.joint_weights, time, skin.influences, reporter);
  if (!indices || !weights) return std::nullopt;
  const auto refuse = [&](std::string message) {
    reporter.add(Severity::warning, "skel-influences-invalid", target.prim, std::move(message));
    return std::nullopt;
  };
  if (indices->size() != weights->size()) {
    return refuse(format_text("{} has {} joint indices but {} joint weights.",
                              target.prim.path().view(), indices->size(), weights->size()));
  }
  if (indices->size() % skin.influences != 0) {
    return refuse(
        format_text("{} has {} joint influences, which is not a multiple of its elementSize "
                    "{}.",
                    target.prim.path().view(), indices->size(), skin.influences));
  }
  if (skin.scope == InfluenceScope::constant && indices->size() != skin.influences) {
    return refuse(
        format_text("{} has constant joint influences with elementSize {}, but {} values.",
                    target.prim.path().view(), skin.influences, indices->size()));
  }
  return JointInfluences{*indices, *weights};
}

std::optional<JointInfluences> read_influences(const SkinTarget& target, stage::Time time,
                                               Diagnostics* diagnostics) {
  Reporter reporter(target.prim, diagnostics, Reporter::Repeats::once_per_prim);
  return read_influences(target, time, reporter);
}

Matrix4d read_geom_bind(const SkinTarget& target, stage::Time time, Reporter& reporter) {
  const stage::Attribute& attribute = target.skin->geom_bind_transform;
  if (!attribute) return Matrix4d::Identity();
  const layer::Value value =
      typed(reporter).value(attribute, time, stage::ValueTypes::scalar_of<Matrix4d>(), "matrix4d");
  return value.get<Matrix4d>().value_or(Matrix4d::Identity());
}

Matrix4d read_geom_bind(const SkinTarget& target, stage::Time time, Diagnostics* diagnostics) {
  Reporter reporter(target.prim, diagnostics, Reporter::Repeats::once_per_prim);
  return read_geom_bind(target, time, reporter);
}

}  // namespace sinew::skel
