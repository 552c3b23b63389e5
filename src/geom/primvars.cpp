// SPDX-License-Identifier: Apache-2.0
#include "sinew/geom/primvars.hpp"

#include <algorithm>
#include <unordered_map>

#include "core/format_text.hpp"
#include "core/sort.hpp"
#include "geom/curve_layout.hpp"
#include "geom/read_value.hpp"
#include "geom/shared/gather.hpp"
#include "sinew/stage/schema.hpp"
#include "sinew/stage/stage.hpp"

namespace sinew::geom {
namespace {

using stage::Attribute;
using stage::Prim;
using stage::Time;

constexpr std::string_view kPrimvarPrefix = "primvars:";
constexpr std::string_view kIndices = ":indices";

// Indexed primvars can name one large element again and again; nothing sensible expands to more.
constexpr std::size_t kLargestExpansion = std::size_t{1} << 28;

// The primvars in force while walking down, by name; those that stopped being so are invalid.
class PrimvarList {
 public:
  explicit PrimvarList(std::span<const Primvar> start) {
    for (const Primvar& primvar : start) set(primvar);
  }

  // A prim's own primvars replace those from above. Only constant ones reach its children, but any
  // with a value hides those above.
  void add(const Prim& prim, bool for_children) {
    if (!prim.has_property_in_namespace(kPrimvarPrefix)) return;
    for (const Primvar& primvar : authored_primvars(prim)) {
      if (!primvar.has_authored_value()) continue;
      remove(primvar.name());
      if (!for_children || primvar.interpolation() == PrimvarInterpolation::constant) set(primvar);
    }
  }

  std::vector<Primvar> take() {
    std::erase_if(primvars_, [](const Primvar& primvar) { return !primvar; });
    return std::move(primvars_);
  }

 private:
  void set(const Primvar& primvar) {
    places_[primvar.name()] = primvars_.size();
    primvars_.push_back(primvar);
  }
  void remove(std::string_view name) {
    const auto found = places_.find(name);
    if (found != places_.end()) primvars_[found->second] = Primvar();
  }

  std::vector<Primvar> primvars_;
  std::unordered_map<std::string_view, std::size_t> places_;
};

std::size_t array_size(const Prim& prim, std::string_view name, Time time) {
  constexpr auto kWanted =
      stage::ValueTypes::array_of<std::int32_t>() | stage::ValueTypes::array_of<Vector3f>();
  const layer::Value value = read_value(prim.attribute(name), time, kWanted);
  return value.is_array() ? value.size() : 0;
}

// Calls `count(n)` for the number of points of each curve, and adds up what it returns.
template <typename Count>
std::size_t sum_over_curves(const Prim& prim, Time time, Count count) {
  const Attribute attribute = prim.attribute("curveVertexCounts");
  const auto counts = attribute ? attribute.get_array<std::int32_t>(time) : std::nullopt;
  std::size_t sum = 0;
  if (!counts) return sum;
  for (const std::int32_t n : *counts) sum += static_cast<std::size_t>(std::max(0, count(n)));
  return sum;
}

std::size_t points_of_curves(const Prim& prim, Time time) {
  return sum_over_curves(prim, time, [](std::int32_t n) { return n; });
}

}  // namespace

bool is_primvar_name(std::string_view attribute_name) noexcept {
  return attribute_name.size() > kPrimvarPrefix.size() &&
         attribute_name.starts_with(kPrimvarPrefix) && !attribute_name.ends_with(kIndices);
}

std::string primvar_attribute_name(std::string_view name) {
  return name.starts_with(kPrimvarPrefix) ? std::string(name)
                                          : format_text("{}{}", kPrimvarPrefix, name);
}

std::string_view primvar_name(std::string_view attribute_name) noexcept {
  if (attribute_name.starts_with(kPrimvarPrefix))
    attribute_name.remove_prefix(kPrimvarPrefix.size());
  return attribute_name;
}

PrimvarInterpolation Primvar::interpolation() const {
  const layer::Value authored = attribute_.metadata("interpolation");
  const std::optional<std::string_view> text = authored.text();
  if (!text) {
    return attribute_.name().view().starts_with(kPrimvarPrefix) ? PrimvarInterpolation::constant
                                                                : PrimvarInterpolation::vertex;
  }
  return parse_interpolation(*text);
}

bool Primvar::has_authored_interpolation() const {
  return attribute_.metadata("interpolation").text().has_value();
}

std::int32_t Primvar::element_size() const {
  return attribute_.metadata("elementSize").get<std::int32_t>().value_or(1);
}

std::int32_t Primvar::unauthored_values_index() const {
  return attribute_.metadata("unauthoredValuesIndex").get<std::int32_t>().value_or(-1);
}

Attribute Primvar::indices_attribute() const {
  return attribute_.prim().attribute(format_text("{}{}", attribute_.name().view(), kIndices));
}

bool Primvar::is_indexed() const {
  const Attribute attribute = indices_attribute();
  return attribute && attribute.has_authored_value();
}

std::optional<stage::ArrayValue<std::int32_t>> Primvar::indices(Time time) const {
  const Attribute attribute = indices_attribute();
  if (!attribute) return std::nullopt;
  return attribute.get_array<std::int32_t>(time);
}

bool Primvar::might_be_time_varying() const {
  if (attribute_.might_be_time_varying()) return true;
  const Attribute attribute = indices_attribute();
  return attribute && attribute.might_be_time_varying();
}

std::vector<double> Primvar::time_samples() const {
  std::vector<double> times = attribute_.time_samples();
  if (const Attribute attribute = indices_attribute()) {
    const std::vector<double> more = attribute.time_samples();
    times.insert(times.end(), more.begin(), more.end());
  }
  sort_range(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

Result<layer::Value> Primvar::flattened(Time time) const {
  const std::string_view name = attribute_.name().view();
  layer::Value values = attribute_.value(time);
  if (!values.has_value() || values.is_block()) {
    return {ErrorCode::no_value, format_text("{} has no value", name)};
  }
  if (!values.is_array() || !is_indexed()) return values;
  const layer::Value chosen = indices_attribute().value(time);
  if (!chosen.is_array() || !layer::stores_as<std::int32_t>(chosen.type())) {
    // Blocked samples leave indexed values without meaning.
    if (!chosen.has_value()) {
      return {ErrorCode::no_value, format_text("{}{} has no value", name, kIndices)};
    }
    return {ErrorCode::type_mismatch, format_text("{}{} is not an int[]", name, kIndices)};
  }
  const std::int32_t size = element_size();
  if (size < 1) {
    return {ErrorCode::invalid_argument, format_text("{} has elementSize {}", name, size)};
  }
  Result<layer::Value> result =
      flatten_indexed(values, chosen.as_array<std::int32_t>(), static_cast<std::size_t>(size));
  if (result) return result;
  return {result.error().code, format_text("{}: {}", name, result.error().message)};
}

Error Primvar::wrong_type() const {
  return {ErrorCode::type_mismatch,
          format_text("{} is of type {}, not an array of the type asked for",
                      attribute_.name().view(), attribute_.type_name())};
}

Result<layer::Value> flatten_indexed(const layer::Value& values,
                                     std::span<const std::int32_t> indices,
                                     std::size_t element_size) {
  if (element_size == 0) return {ErrorCode::invalid_argument, "an element of no values"};
  if (!values.is_array()) return values;
  const std::size_t available = values.size() / element_size;
  const std::vector<std::size_t> offenders = out_of_range(indices, available);
  if (!offenders.empty()) {
    constexpr std::size_t kMostShown = 5;
    std::string shown;
    for (std::size_t i = 0; i < std::min(offenders.size(), kMostShown); ++i) {
      append_item(shown, format_text("{} at {}", indices[offenders[i]], offenders[i]));
    }
    return {ErrorCode::index_out_of_range,
            format_text("{} of {} indices lie outside its {} elements: {}{}", offenders.size(),
                        indices.size(), available, shown,
                        offenders.size() > kMostShown ? ", ..." : "")};
  }
  if (element_size > kLargestExpansion / std::max<std::size_t>(indices.size(), 1)) {
    return {ErrorCode::limit_exceeded,
            format_text("{} indices to elements of {} values are more than can be expanded",
                        indices.size(), element_size)};
  }
  return gather(values, indices, element_size);
}

std::vector<Primvar> authored_primvars(const Prim& prim) {
  std::vector<Primvar> result;
  for (const Token name : prim.property_names()) {
    if (!is_primvar_name(name.view())) continue;
    if (const Attribute attribute = prim.attribute(name)) result.emplace_back(attribute);
  }
  return result;
}

Primvar find_primvar(const Prim& prim, std::string_view name) {
  const std::string attribute = primvar_attribute_name(name);
  return is_primvar_name(attribute) ? Primvar(prim.attribute(attribute)) : Primvar();
}

Primvar find_inherited_primvar(const Prim& prim, std::string_view name) {
  if (!prim) return {};
  const std::string text = primvar_attribute_name(name);
  const Token token = is_primvar_name(text) ? prim.stage().find_token(text) : Token();
  if (token.empty()) return {};
  for (Prim p = prim; p && !p.is_root(); p = p.parent()) {
    const Primvar primvar(p.attribute(token));
    if (!primvar || !primvar.has_authored_value()) continue;
    const bool usable = p == prim || primvar.interpolation() == PrimvarInterpolation::constant;
    return usable ? primvar : Primvar();
  }
  return {};
}

std::vector<Primvar> find_inherited_primvars(const Prim& prim) {
  std::vector<Prim> ancestors;
  for (Prim p = prim.parent(); p && !p.is_root(); p = p.parent()) ancestors.push_back(p);
  PrimvarList list({});
  for (auto it = ancestors.rbegin(); it != ancestors.rend(); ++it) list.add(*it, true);
  list.add(prim, false);
  return list.take();
}

std::vector<Primvar> inheritable_primvars(const Prim& prim, std::span<const Primvar> from_parent) {
  PrimvarList list(from_parent);
  list.add(prim, true);
  return list.take();
}

Primvar find_schema_primvar(const Prim& prim, std::string_view name) {
  const Primvar preferred = find_primvar(prim, name);
  if (preferred && preferred.has_authored_value()) return preferred;
  const Primvar plain(prim.attribute(primvar_name(name)));
  return plain && plain.has_authored_value() ? plain : Primvar();
}

std::optional<std::size_t> expected_element_count(const Prim& prim,
                                                  PrimvarInterpolation interpolation, Time time) {
  using Type = stage::SchemaType;
  const bool mesh = prim.is_a(Type::mesh);
  const bool curves = prim.is_a(Type::curves);
  switch (interpolation) {
    case PrimvarInterpolation::constant:
      return 1;
    case PrimvarInterpolation::uniform:
      if (mesh) return array_size(prim, "faceVertexCounts", time);
      if (curves) return array_size(prim, "curveVertexCounts", time);
      break;
    case PrimvarInterpolation::varying:
      if (mesh || prim.is_a(Type::points)) return array_size(prim, "points", time);
      if (prim.is_a(Type::basis_curves)) {
        const CurveLayout layout = CurveLayout::read(prim);
        return sum_over_curves(prim, time, [&](std::int32_t n) { return layout.ends(n); });
      }
      if (prim.is_a(Type::hermite_curves)) return points_of_curves(prim, time);
      break;
    case PrimvarInterpolation::vertex:
      if (curves) return points_of_curves(prim, time);
      if (prim.is_a(Type::point_based)) return array_size(prim, "points", time);
      break;
    case PrimvarInterpolation::face_varying:
      if (mesh) return array_size(prim, "faceVertexIndices", time);
      break;
    case PrimvarInterpolation::unknown:
      break;
  }
  return std::nullopt;
}

Status check_primvar(const Primvar& primvar, const Prim& prim, Time time) {
  const std::string_view name = primvar.attribute().name().view();
  const std::int32_t element_size = primvar.element_size();
  if (element_size < 1) {
    return {ErrorCode::invalid_argument, format_text("{} has elementSize {}", name, element_size)};
  }
  const PrimvarInterpolation interpolation = primvar.interpolation();
  if (interpolation == PrimvarInterpolation::unknown) {
    return {ErrorCode::invalid_argument,
            format_text("{} has interpolation \"{}\"", name,
                        primvar.attribute().metadata("interpolation").text().value_or(""))};
  }
  const Result<layer::Value> value = primvar.flattened(time);
  if (!value) return value.error();
  const auto size = static_cast<std::size_t>(element_size);
  if (value->size() % size != 0) {
    return {ErrorCode::size_mismatch, format_text("{} has {} values, which make no elements of {}",
                                                  name, value->size(), size)};
  }
  const auto expected = expected_element_count(prim, interpolation, time);
  if (expected && *expected != value->size() / size) {
    return {ErrorCode::size_mismatch,
            format_text("{} has {} elements; {} needs {}", name, value->size() / size,
                        to_string(interpolation), *expected)};
  }
  return {};
}

}  // namespace sinew::geom
