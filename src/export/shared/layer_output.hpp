// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <deque>
#include <initializer_list>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "export/shared/budget.hpp"
#include "sinew/core/types.hpp"
#include "sinew/layer/layer_builder.hpp"

namespace sinew::exporter {

/// A prim that is being made.
struct OutPrim {
  layer::LayerBuilder::Prim* prim = nullptr;
  OutPrim* parent = nullptr;
  std::string name;
  std::map<std::string, std::size_t, std::less<>> names;  ///< Of children, and the next number.
  std::vector<std::string> apis;                          ///< Applied schemas.
  layer::Dictionary origin;                               ///< See gltf_origin.hpp.
};

/// `text` with whatever an identifier cannot hold replaced by '_', at most 200 bytes of it; or
/// `fallback` if it is empty.
std::string identifier_of(std::string_view text, std::string_view fallback);

/// `wanted`, or `wanted` with a number if it is taken.
std::string distinct_name(std::map<std::string, std::size_t, std::less<>>& taken,
                          std::string wanted);

/// Fills the layer. Names become distinct identifiers; what is made is paid from the budget; the
/// first thing that goes wrong is kept until finish().
class LayerOutput {
 public:
  LayerOutput(std::string identifier, Budget& budget);

  OutPrim* root() { return &prims_.front(); }
  Budget& budget() { return *budget_; }

  /// The new child; or, once the budget is spent, the parent.
  OutPrim* add(OutPrim* parent, std::string_view type, std::string_view wanted,
               std::string_view fallback, layer::Specifier specifier = layer::Specifier::def);
  /// Makes a prim inherit from another.
  void inherit(OutPrim* prim, const OutPrim& from);
  /// Notes something of the file that the prim cannot say.
  void note(OutPrim* prim, std::string_view key, bool value);
  void note(OutPrim* prim, std::string_view key, std::string_view text);
  void note(OutPrim* prim, std::string_view key, std::span<const std::string> texts);
  layer::Path path(const OutPrim& prim);

  void set(OutPrim* prim, std::string_view type, std::string_view name, layer::Value value,
           layer::Variability variability = layer::Variability::varying);
  void set_uniform(OutPrim* prim, std::string_view type, std::string_view name,
                   layer::Value value) {
    set(prim, type, name, std::move(value), layer::Variability::uniform);
  }
  void set_samples(OutPrim* prim, std::string_view type, std::string_view name,
                   layer::TimeSamples samples);
  void set_primvar(OutPrim* prim, std::string_view type, std::string_view name, layer::Value value,
                   std::string_view interpolation, int element_size = 1);
  void set_interpolation(OutPrim* prim, std::string_view name, std::string_view interpolation);
  void relate(OutPrim* prim, std::string_view name, std::span<OutPrim* const> targets);
  void relate_paths(OutPrim* prim, std::string_view name, std::vector<layer::Path> targets);
  void relate(OutPrim* prim, std::string_view name, OutPrim* target) {
    relate(prim, name, std::span<OutPrim* const>(&target, 1));
  }
  void connect(OutPrim* prim, std::string_view type, std::string_view name, const OutPrim& source,
               std::string_view output);
  void set_field(OutPrim* prim, std::string_view key, layer::Value value) {
    builder_.set_field(prim->prim, key, std::move(value));
  }
  void apply(OutPrim* prim, std::string_view schema);

  layer::Value token(std::string_view text);
  layer::Value string(std::string_view text);
  layer::Value asset(std::string_view text);
  layer::Value tokens(std::span<const std::string> texts);

  template <typename T>
  layer::Value array(layer::ElementType type, std::span<const T> elements) {
    if (!budget_->spend(elements.size(), sizeof(T))) elements = {};
    return layer::Value::array(type, elements);
  }
  /// `floats` as elements of a vector type.
  layer::Value array_of_floats(layer::ElementType type, std::span<const float> floats);

  Result<layer::LayerPtr> finish() &&;

 private:
  void note(OutPrim* prim, std::string_view key, std::string_view type, layer::Value value);
  void must(const Status& status) {
    if (!status && error_.code == ErrorCode::ok) error_ = status.error();
  }

  Budget* budget_;
  layer::LayerBuilder builder_;
  std::deque<OutPrim> prims_;
  Error error_;  // The first.
};

inline layer::Value value_of(double value) {
  return layer::Value::scalar(layer::ElementType::double_, value);
}
inline layer::Value value_of(float value) {
  return layer::Value::scalar(layer::ElementType::float_, value);
}
/// The nearest float that is finite if the number is.
inline float finite_float(double value) {
  constexpr double kMost = std::numeric_limits<float>::max();
  return static_cast<float>(std::isfinite(value) ? std::clamp(value, -kMost, kMost) : value);
}
/// As a USD float.
inline layer::Value float_value(double value) {
  return value_of(finite_float(value));
}
inline layer::Value value_of(bool value) {
  return layer::Value::scalar(layer::ElementType::bool_, value);
}
inline layer::Value value_of(const Vector3f& value) {
  return layer::Value::scalar(layer::ElementType::float3, value);
}
/// As three USD floats.
inline layer::Value floats_value(const Vector3d& value) {
  return value_of(Vector3f(value.unaryExpr(&finite_float)));
}
inline layer::Value value_of(const Vector3d& value) {
  return layer::Value::scalar(layer::ElementType::double3, value);
}
inline layer::Value value_of(const Quatf& value) {
  return layer::Value::scalar(layer::ElementType::quatf, value);
}
inline layer::Value value_of(const Quatd& value) {
  return layer::Value::scalar(layer::ElementType::quatd, value);
}
inline layer::Value value_of(const Matrix4d& value) {
  return layer::Value::scalar(layer::ElementType::matrix4d, value);
}

}  // namespace sinew::exporter
