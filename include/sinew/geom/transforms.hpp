// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "sinew/core/diagnostic.hpp"
#include "sinew/core/export.hpp"
#include "sinew/core/types.hpp"
#include "sinew/stage/prim.hpp"
#include "sinew/stage/time.hpp"

namespace sinew::geom {

/// What the transform operations of one prim say.
struct LocalTransform {
  Matrix4d parent_from_prim = Matrix4d::Identity();  ///< World from prim if the stack is reset.
  bool resets_stack = false;                         ///< The parent's transform does not apply.
};

/// Composes the operations that xformOpOrder lists, the first outermost.
///
/// Operations without a value are identity. Those that do not exist, are of an unknown kind, or
/// hold a value that does not fit are reported and skipped. An operation beside its inverse counts
/// as neither, whatever they hold; what does not exist between them does not part them. Prims that
/// are not Xformable have no transform, whatever is authored.
///
/// @param diagnostics  Null: problems are not reported.
/// @par Source  UsdGeomXformable. The inverse of a single-axis scale is its reciprocal.
SINEW_API LocalTransform local_transform(const stage::Prim& prim, stage::Time time,
                                         Diagnostics* diagnostics = nullptr);

/// World from prim: the product of the local transforms of the prim and its ancestors, up to one
/// that resets the stack.
/// @par Cost  O(depth * operations).
SINEW_API Matrix4d world_from_prim(const stage::Prim& prim, stage::Time time,
                                   Diagnostics* diagnostics = nullptr);

/// World from the parent of the prim; identity if the prim resets the stack.
SINEW_API Matrix4d world_from_parent(const stage::Prim& prim, stage::Time time,
                                     Diagnostics* diagnostics = nullptr);

/// Whether any operation of this prim alone has more than one sample, or a spline; also one that
/// stands beside its inverse.
SINEW_API bool local_transform_might_vary(const stage::Prim& prim);

/// The same of the prim and its ancestors, up to one that resets the stack: whether
/// world_from_prim() may differ between times.
/// @par Cost  O(depth * operations).
SINEW_API bool world_transform_might_vary(const stage::Prim& prim);

/// Stage times of the samples of this prim's operations, ascending, each once; of splines those to
/// sample them at. Also of those that stand beside their inverse.
SINEW_API std::vector<double> local_transform_samples(const stage::Prim& prim);

}  // namespace sinew::geom
