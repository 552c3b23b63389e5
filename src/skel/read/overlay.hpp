// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/core/types.hpp"
#include "sinew/layer/layer_builder.hpp"
#include "sinew/stage/prim.hpp"
#include "sinew/stage/stage.hpp"
#include "sinew/stage/time.hpp"

namespace sinew::skel {

/// Values of one attribute at the times that are written.
class AttributeWriter {
 public:
  void add(stage::Time time, layer::Value value);
  bool empty() const { return !default_.has_value() && samples_.times.empty(); }
  /// Writes what was added: a default, time samples, or both.
  Status write(layer::LayerBuilder& builder, layer::LayerBuilder::Prim* prim,
               std::string_view type_name, std::string_view name);

 private:
  layer::Value default_;
  layer::TimeSamples samples_;
};

/// SkelRoots by path.
using SkelRoots = std::map<std::string, stage::Prim>;

/// A layer of opinions over a stage, made prim by prim.
class Overlay {
 public:
  /// @param retyped  The prims that become `def Xform`.
  Overlay(const stage::Stage& stage, std::string identifier, SkelRoots retyped);

  /// Goes on top of that layer, and repeats the stage's metadata, which does not compose.
  void put_on(std::string_view source_layer);

  /// The opinions about a prim; made, with those of its ancestors, when asked for first. Instances
  /// above it are taken apart, because what lies below them cannot be overridden.
  layer::LayerBuilder::Prim* prim(const stage::Prim& prim);

  /// Makes those of the prims that become Xforms that were not asked for.
  void retype_roots();
  bool retypes(const stage::Prim& prim) const { return retyped_.contains(prim.path().str()); }

  layer::LayerBuilder& builder() { return builder_; }
  layer::LayerPtr finish() && { return std::move(builder_).finish(); }

 private:
  const stage::Stage* stage_;
  layer::LayerBuilder builder_;
  SkelRoots retyped_;
  std::map<std::string, layer::LayerBuilder::Prim*> made_;
};

layer::Value vector_value(const std::vector<Vector3f>& vectors);
layer::Value range_value(const Range3f& range);

}  // namespace sinew::skel
