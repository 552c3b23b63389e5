// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "sinew/core/diagnostic.hpp"
#include "sinew/core/token.hpp"
#include "sinew/geom/transforms.hpp"

namespace sinew::geom {

/// local_transform() at the default time for many prims of one stage: takes the name of an
/// operation apart once, and not once per prim. Not thread-safe; use one per thread.
class TransformReader {
 public:
  /// @param diagnostics  What local_transform() reports, of each composed prim once; null: nothing.
  explicit TransformReader(Diagnostics* diagnostics);
  ~TransformReader();

  /// What local_transform(prim, {}) gives.
  /// @param order  The value of xformOpOrder of an Xformable prim.
  LocalTransform read(const stage::Prim& prim, const layer::Value& order);

 private:
  struct Known;  // An entry of xformOpOrder, and what it means.
  static constexpr std::size_t kMostKnown = 32;

  /// Null if too many different ones were seen.
  const Known* know(Token entry);
  LocalTransform read_unusual(const stage::Prim& prim);

  Diagnostics* diagnostics_;
  std::vector<bool> told_;  // By node.
  std::vector<Known> known_;
};

}  // namespace sinew::geom
