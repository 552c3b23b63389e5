// SPDX-License-Identifier: Apache-2.0
#include "geom/check_mesh.hpp"

#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "core/format_text.hpp"
#include "stage/shared/reporter.hpp"

namespace sinew::geom {
namespace {

// Which of some indices are outside an array.
struct Strays {
  std::size_t count = 0;
  std::size_t first = 0;  // Its place.
};

Strays strays(std::span<const std::int32_t> indices, std::size_t size) {
  Strays found;
  for (std::size_t i = 0; i < indices.size(); ++i) {
    if (indices[i] >= 0 && static_cast<std::size_t>(indices[i]) < size) continue;
    if (found.count++ == 0) found.first = i;
  }
  return found;
}

class MeshCheck {
 public:
  MeshCheck(const Mesh& mesh, const stage::Prim& prim, Diagnostics& diagnostics)
      : mesh_(mesh), prim_(prim), reporter_(prim, diagnostics) {}

  void run() {
    check_counts();
    check_indices(mesh_.face_indices, mesh_.points.size(), "faceVertexIndices", "points",
                  "geom-mesh-indices", Severity::error, "Faces with such corners are left out.");
    check_indices(mesh_.hole_faces, mesh_.face_counts.size(), "holeIndices", "faces",
                  "geom-mesh-holes", Severity::warning, "They are passed over.");
    check_points();
    for (const MeshSubset& subset : mesh_.subsets) check_subset(subset);
  }

 private:
  void check_counts() {
    std::size_t sum = 0;
    for (std::size_t face = 0; face < mesh_.face_counts.size(); ++face) {
      const std::int32_t count = mesh_.face_counts[face];
      if (count < 0) {
        add(Severity::error, "geom-mesh-counts", "faceVertexCounts",
            format_text("Face {} has {} corners. It and all faces behind it are left out.", face,
                        count));
        return;
      }
      sum += static_cast<std::size_t>(count);
    }
    if (sum == mesh_.face_indices.size()) return;
    add(Severity::error, "geom-mesh-counts", "faceVertexCounts",
        format_text("The counts add up to {}, but there are {} faceVertexIndices. {}", sum,
                    mesh_.face_indices.size(),
                    sum > mesh_.face_indices.size() ? "Faces without corners are left out."
                                                    : "Those left over are passed over."));
  }

  void check_indices(std::span<const std::int32_t> indices, std::size_t size,
                     std::string_view property, std::string_view what, std::string_view code,
                     Severity severity, std::string_view consequence) {
    const Strays found = strays(indices, size);
    if (found.count == 0) return;
    add(severity, code, property,
        format_text("{} of {} indices are outside the {} {}: the first, at {}, is {}. {}",
                    found.count, indices.size(), size, what, found.first, indices[found.first],
                    consequence));
  }

  void check_points() {
    std::size_t count = 0;
    for (const Vector3f& point : mesh_.points) {
      if (!std::isfinite(point.x()) || !std::isfinite(point.y()) || !std::isfinite(point.z())) {
        ++count;
      }
    }
    if (count == 0) return;
    add(Severity::warning, "geom-mesh-points", "points",
        format_text("{} of {} points are not finite. Faces that use them are left out.", count,
                    mesh_.points.size()));
  }

  void check_subset(const MeshSubset& subset) {
    const Strays found = strays(subset.faces, mesh_.face_counts.size());
    if (found.count == 0) return;
    reporter_.add(
        Severity::warning, "geom-subset-range", layer::Path::from_trusted(subset.path.str()),
        format_text(
            "{} of {} indices are outside the {} faces: the first is {}. They are passed over.",
            found.count, subset.faces.size(), mesh_.face_counts.size(), subset.faces[found.first]));
  }

  void add(Severity severity, std::string_view code, std::string_view property,
           std::string message) {
    reporter_.add(severity, code, prim_.path().property(property), std::move(message));
  }

  const Mesh& mesh_;
  const stage::Prim& prim_;
  stage::Reporter reporter_;
};

}  // namespace

void check_mesh(const Mesh& mesh, const stage::Prim& prim, Diagnostics& diagnostics) {
  MeshCheck(mesh, prim, diagnostics).run();
}

}  // namespace sinew::geom
