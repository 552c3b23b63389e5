// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sinew/core/diagnostic.hpp"
#include "sinew/geom/mesh.hpp"
#include "sinew/stage/prim.hpp"

namespace sinew::geom {

/// Reports what is wrong with the arrays of a mesh that was read from a prim.
void check_mesh(const Mesh& mesh, const stage::Prim& prim, Diagnostics& diagnostics);

}  // namespace sinew::geom
