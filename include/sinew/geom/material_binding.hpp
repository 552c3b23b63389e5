// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string_view>

#include "sinew/core/export.hpp"
#include "sinew/layer/path.hpp"
#include "sinew/stage/stage.hpp"

namespace sinew::geom {

/// The material that a prim is bound to, and what decided it.
struct MaterialBinding {
  bool bound = false;        ///< Some binding applies, even if its material is missing.
  stage::Prim material;      ///< Invalid if none, or if the target is missing or no Material.
  layer::Path relationship;  ///< The winning relationship; empty if nothing is bound.
};

/// Resolves material bindings of many prims of one stage; remembers what ancestors say.
///
/// Not thread-safe; use one per thread. Valid as long as the stage.
class SINEW_API MaterialBindings {
 public:
  /// @param purpose  "physics", "full", "preview", or "" for all purposes only.
  explicit MaterialBindings(const stage::Stage& stage, std::string_view purpose);
  ~MaterialBindings();
  MaterialBindings(const MaterialBindings&) = delete;
  MaterialBindings& operator=(const MaterialBindings&) = delete;

  /// The binding in force for a prim or a GeomSubset.
  ///
  /// First for the purpose, then for all purposes: from the prim upwards, the nearest binding
  /// holds unless one further up is strongerThanDescendants; on one prim a collection that contains
  /// the prim beats the direct binding. A binding to a missing prim, or to one that is no
  /// Material, ends the search with no material. MaterialBindingAPI need not be applied.
  /// @par Cost    O(depth) once for each prim and ancestor.
  /// @par Source  UsdShadeMaterialBindingAPI.
  MaterialBinding resolve(const stage::Prim& prim);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sinew::geom
