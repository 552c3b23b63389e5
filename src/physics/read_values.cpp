// SPDX-License-Identifier: Apache-2.0
// Attribute values: the schema's type counts, other types are fallbacks or conversions.
#include <fmt/format.h>

#include "physics/attribute_value.hpp"
#include "physics/reader.hpp"
#include "physics/report.hpp"

namespace sinew::physics {

using stage::Prim;
using usda::ElementType;
using usda::Value;

Value Reader::value_of(const Prim& prim, Token name) const {
  Value made;
  const Value* value = prim.default_value(name, made);
  return value != nullptr ? *value : Value();
}

void Reader::mismatch(const Prim& prim, Token name, bool converted) {
  if (converted || documented()) {
    report(Severity::warning, "physics-attribute-type", prim,
           fmt::format("'{}' has another type than the schema; {}", name.view(),
                       converted ? "its value is converted" : "it is ignored"),
           "write it with the schema's type");
  }
}

template <typename T>
std::optional<T> Reader::authored(const Prim& prim, Token name) {
  Value made;
  const Value* value = prim.default_value(name, made);
  if (value == nullptr) return std::nullopt;
  const AttributeValue<T> read = value_as<T>(*value, model_.rules);
  if (read.mismatched) mismatch(prim, name, read.converted);
  return read.value;
}

template <typename T>
T Reader::read(const Prim& prim, Token name, T fallback) {
  return authored<T>(prim, name).value_or(fallback);
}

template bool Reader::read(const Prim&, Token, bool);
template float Reader::read(const Prim&, Token, float);
template double Reader::read(const Prim&, Token, double);
template Vector3f Reader::read(const Prim&, Token, Vector3f);
template Quatf Reader::read(const Prim&, Token, Quatf);

std::string Reader::read_token(const Prim& prim, Token name, std::string_view fallback) {
  const Value value = value_of(prim, name);
  if (value.type() == ElementType::token && !value.is_array()) return std::string(*value.text());
  if (value.has_value()) {
    const bool text = documented() && value.type() == ElementType::string && !value.is_array();
    mismatch(prim, name, text);
    if (text) return std::string(*value.text());
  }
  return std::string(fallback);
}

Axis Reader::read_axis(const Prim& prim, Token name, Axis fallback) {
  if (name.empty()) return fallback;
  constexpr std::string_view kNames[] = {"X", "Y", "Z"};
  const std::string token = read_token(prim, name, kNames[static_cast<int>(fallback)]);
  return token == "Y" ? Axis::y : token == "Z" ? Axis::z : Axis::x;
}

std::vector<std::string> Reader::targets(const Prim& prim, Token name) {
  std::vector<std::string> result;
  if (const stage::Relationship relationship = prim.relationship(name)) {
    std::vector<usda::Path> paths = relationship.targets(&diagnostics_);
    result.reserve(paths.size());
    for (usda::Path& path : paths) result.push_back(std::move(path).str());
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
