// SPDX-License-Identifier: Apache-2.0
// Attribute values: the schema's type counts, other types are fallbacks or conversions.
#include <fmt/format.h>

#include "physics/attribute_value.hpp"
#include "physics/reader.hpp"
#include "physics/report.hpp"

namespace sinew::physics {

using layer::ElementType;
using layer::Value;
using stage::Prim;

Value Reader::value_of(const Prim& prim, const Name& name) const {
  Value made;
  const Value* value = properties_.value(prim, name, made);
  return value != nullptr ? *value : Value();
}

void Reader::mismatch(const Prim& prim, const Name& name, bool converted) {
  if (converted || documented()) {
    report(Severity::warning, "physics-attribute-type", prim,
           fmt::format("'{}' has another type than the schema; {}", name.view(),
                       converted ? "its value is converted" : "it is ignored"),
           "write it with the schema's type");
  }
}

template <typename T>
std::optional<T> Reader::authored(const Prim& prim, const Name& name) {
  Value made;
  const Value* value = properties_.value(prim, name, made);
  if (value == nullptr) return std::nullopt;
  const AttributeValue<T> read = value_as<T>(*value, model_.rules);
  if (read.mismatched) mismatch(prim, name, read.converted);
  return read.value;
}

template <typename T>
T Reader::read(const Prim& prim, const Name& name, T fallback) {
  return authored<T>(prim, name).value_or(fallback);
}

template bool Reader::read(const Prim&, const Name&, bool);
template float Reader::read(const Prim&, const Name&, float);
template double Reader::read(const Prim&, const Name&, double);
template Vector3f Reader::read(const Prim&, const Name&, Vector3f);
template Quatf Reader::read(const Prim&, const Name&, Quatf);

std::string_view Reader::read_text(const Prim& prim, const Name& name, std::string_view fallback,
                                   Value& made) {
  const Value* value = properties_.value(prim, name, made);
  if (value == nullptr) return fallback;
  if (value->type() == ElementType::token && !value->is_array()) return *value->text();
  const bool text = documented() && value->type() == ElementType::string && !value->is_array();
  mismatch(prim, name, text);
  return text ? *value->text() : fallback;
}

std::string Reader::read_token(const Prim& prim, const Name& name, std::string_view fallback) {
  Value made;
  return std::string(read_text(prim, name, fallback, made));
}

Axis Reader::read_axis(const Prim& prim, const Name& name, Axis fallback) {
  constexpr std::string_view kNames[] = {"X", "Y", "Z"};
  Value made;
  const std::string_view text = read_text(prim, name, kNames[static_cast<int>(fallback)], made);
  return text == "Y" ? Axis::y : text == "Z" ? Axis::z : Axis::x;
}

std::vector<Text> Reader::targets(const Prim& prim, const Name& name) {
  std::vector<Text> result;
  if (!properties_.may_have_targets(prim, name)) return result;
  if (const std::vector<layer::Path>* plain = properties_.plain_targets(prim, name)) {
    for (const layer::Path& path : *plain) result.push_back(texts_.make(path.view()));
  } else if (const stage::Relationship relationship = prim.relationship(name.token)) {
    const std::vector<layer::Path> paths = relationship.targets(sink_);
    result.reserve(paths.size());
    for (const layer::Path& path : paths) result.push_back(texts_.make(path.view()));
  }
  return result;
}

AuthoredMass Reader::authored_mass(const Prim& prim) {
  AuthoredMass mass;
  mass.mass = authored<float>(prim, names_.mass);
  mass.density = authored<float>(prim, names_.density);
  mass.center_of_mass = authored<Vector3f>(prim, names_.center_of_mass);
  mass.diagonal_inertia = authored<Vector3f>(prim, names_.diagonal_inertia);
  mass.principal_axes = authored<Quatf>(prim, names_.principal_axes);
  return mass;
}

}  // namespace sinew::physics
