// SPDX-License-Identifier: Apache-2.0
// Attribute values: the schema's type counts, other types are fallbacks or conversions.

#include <utility>

#include "core/format_text.hpp"
#include "physics/read/reader.hpp"
#include "stage/shared/typed_value.hpp"

namespace sinew::physics {

using layer::ElementType;
using layer::Value;
using stage::Prim;
using stage::ValueTypes;

Value Reader::value_of(const Prim& prim, const Name& name, ValueTypes wanted) {
  Value made;
  const Value* value = properties_.value(prim, name, made);
  if (value == nullptr) return {};
  if (!wanted.accept(*value)) value = weaker_value(prim, name, made, wanted);
  return value != nullptr ? *value : Value();
}

void Reader::mismatch(const Prim& prim, const Name& name, std::string_view consequence) {
  if (!documented()) return;
  report(Severity::warning, "physics-attribute-type", prim,
         format_text("'{}' has another type than the schema; {}.", name.view(), consequence),
         "Write it with the schema's type.");
}

// The strongest value of the wanted types, where a stronger opinion has another type.
const Value* Reader::weaker_value(const Prim& prim, const Name& name, Value& made,
                                  ValueTypes wanted) {
  const Value* value = properties_.value(prim, name, made, wanted);
  mismatch(prim, name,
           value != nullptr ? "it is ignored, a weaker opinion holds instead" : "it is ignored");
  return value;
}

template <typename T>
std::optional<T> Reader::authored(const Prim& prim, const Name& name) {
  Value made;
  const Value* value = properties_.value(prim, name, made);
  if (value == nullptr) return std::nullopt;
  std::optional<T> result = stage::scalar_as<T>(*value, model_.rules);
  if (!result) {
    value = weaker_value(prim, name, made, stage::scalars_read_as<T>(model_.rules));
    if (value == nullptr) return std::nullopt;
    result = stage::scalar_as<T>(*value, model_.rules);
  }
  const bool converted = result && !value->get<T>();
  if (converted) mismatch(prim, name, "its value is converted");
  return result;
}

template <typename T>
T Reader::read(const Prim& prim, const Name& name, T fallback) {
  return authored<T>(prim, name).value_or(fallback);
}

template <typename T>
T Reader::read(const Prim& prim, const Name& name, T fallback, T initial) {
  if (const std::optional<T> value = authored<T>(prim, name)) return *value;
  const bool blocked = properties_.is_blocked(prim, name, stage::scalars_read_as<T>(model_.rules));
  return blocked ? initial : fallback;
}

// An array of T; none if there is none.
template <typename T>
Value Reader::read_array(const Prim& prim, const Name& name) {
  Value value = value_of(prim, name, stage::arrays_read_as<T>(model_.rules));
  if (!value.is_array() || layer::stores_as<T>(value.type())) return value;
  mismatch(prim, name, "its value is converted");
  return stage::array_as<T>(std::move(value), model_.rules)
      .value_or(stage::ArrayValue<T>())
      .value();
}

template Value Reader::read_array<float>(const Prim&, const Name&);
template Value Reader::read_array<Vector3f>(const Prim&, const Name&);
template Value Reader::read_array<std::int32_t>(const Prim&, const Name&);
template bool Reader::read(const Prim&, const Name&, bool);
template float Reader::read(const Prim&, const Name&, float);
template double Reader::read(const Prim&, const Name&, double);
template Vector3f Reader::read(const Prim&, const Name&, Vector3f);
template Quatf Reader::read(const Prim&, const Name&, Quatf);
template bool Reader::read(const Prim&, const Name&, bool, bool);
template float Reader::read(const Prim&, const Name&, float, float);

std::optional<std::string_view> Reader::read_text(const Prim& prim, const Name& name, Value& made) {
  const Value* value = properties_.value(prim, name, made);
  if (value == nullptr) return std::nullopt;
  const ValueTypes wanted = stage::tokens_read(model_.rules);
  if (!wanted.accept(*value)) value = weaker_value(prim, name, made, wanted);
  if (value == nullptr) return std::nullopt;
  if (value->type() != ElementType::token) mismatch(prim, name, "its value is converted");
  return value->text();
}

std::string Reader::read_token(const Prim& prim, const Name& name, std::string_view fallback) {
  Value made;
  return std::string(read_text(prim, name, made).value_or(fallback));
}

Axis Reader::read_axis(const Prim& prim, const Name& name, Axis fallback) {
  Value made;
  const std::optional<std::string_view> text = read_text(prim, name, made);
  if (text) return parse_axis(*text).value_or(Axis::x);
  // What a blocked axis leaves is not the schema's fallback but where a descriptor starts: X.
  const bool blocked = properties_.is_blocked(prim, name, stage::tokens_read(model_.rules));
  return blocked ? Axis::x : fallback;
}

std::vector<Text> Reader::targets(const Prim& prim, const Name& name) {
  std::vector<layer::Path> made;
  const std::vector<layer::Path>& paths = properties_.targets(prim, name, made, &diagnostics_);
  std::vector<Text> result;
  result.reserve(paths.size());
  for (const layer::Path& path : paths) result.push_back(texts_.make(path.view()));
  return result;
}

AuthoredMass Reader::authored_mass(const Prim& prim) {
  AuthoredMass mass;
  mass.mass = authored<float>(prim, names_.mass);
  mass.density = authored<float>(prim, names_.density);
  mass.center_of_mass = authored<Vector3f>(prim, names_.center_of_mass);
  mass.diagonal_inertia = authored<Vector3f>(prim, names_.diagonal_inertia);
  // openusd: stated without a value of its type, it is the schema's fallback.
  const bool may_be_stated =
      !mass.diagonal_inertia && !documented() && !names_.diagonal_inertia.empty();
  if (may_be_stated && prim.attribute(names_.diagonal_inertia.token)) {
    mass.diagonal_inertia = Vector3f::Zero();
  }
  mass.principal_axes = authored<Quatf>(prim, names_.principal_axes);
  return mass;
}

}  // namespace sinew::physics
