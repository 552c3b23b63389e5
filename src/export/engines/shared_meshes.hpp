// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "sinew/physics/model.hpp"
#include "sinew/physics/shape_hull.hpp"

namespace sinew::exporter {

/// Hulls and triangles of shapes, for scenes that repeat their meshes: each is made once and
/// written once. Of one model, which outlives it.
class SharedMeshes {
 public:
  using Parts = std::vector<physics::HullMesh>;
  enum class Kind : unsigned char {
    hull,
    triangles,
    parts
  };  ///< As the functions of shape_hull.hpp.

  /// What a shape becomes: one mesh, or several with Kind::parts.
  const Parts& make(Kind kind, const physics::Shape& shape);

  /// The name of an equal mesh that was given before; if there is none, `name`, under which the
  /// caller writes it. Preconditions: make() returned the mesh; names differ.
  const std::string& find_or_add(const physics::HullMesh& mesh, const std::string& name);

 private:
  // The same arrays, wound and scaled alike; a scale by its bits, as it may be no number.
  using Key = std::tuple<Kind, const void*, const void*, const void*, const void*, bool,
                         std::array<std::uint32_t, 3>>;
  struct Named {
    const physics::HullMesh* mesh;
    std::string name;
  };

  std::map<Key, Parts> of_meshes_;
  std::deque<Parts> of_others_;
  std::unordered_multimap<std::size_t, Named> names_;
};

}  // namespace sinew::exporter
