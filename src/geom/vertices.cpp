// SPDX-License-Identifier: Apache-2.0
#include "sinew/geom/vertices.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>
#include <utility>

#include "core/format_text.hpp"
#include "core/sort.hpp"
#include "sinew/core/buffer.hpp"

namespace sinew::geom {
namespace {

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
// So many vertices of one point are compared one by one; more are sorted.
constexpr std::uint32_t kLongestChain = 32;

bool is_per_point_or_constant(PrimvarInterpolation interpolation) {
  return interpolation == PrimvarInterpolation::constant ||
         interpolation == PrimvarInterpolation::vertex ||
         interpolation == PrimvarInterpolation::varying;
}

// Where the elements of an attribute are looked up.
struct Place {
  std::size_t point = 0;
  std::size_t face = 0;
  std::size_t corner = 0;
};

std::size_t element_at(PrimvarInterpolation interpolation, const Place& place) {
  switch (interpolation) {
    case PrimvarInterpolation::uniform:
      return place.face;
    case PrimvarInterpolation::varying:
    case PrimvarInterpolation::vertex:
      return place.point;
    case PrimvarInterpolation::face_varying:
      return place.corner;
    case PrimvarInterpolation::constant:
    case PrimvarInterpolation::unknown:
      break;
  }
  return 0;
}

// The bytes of an attribute's value at a place; null if it has none there.
const std::byte* value_at(const VertexAttribute& attribute, const Place& place) {
  std::size_t element = element_at(attribute.interpolation, place);
  if (!attribute.indices.empty()) {
    if (element >= attribute.indices.size()) return nullptr;
    element = static_cast<std::size_t>(attribute.indices[element]);  // Huge if negative.
  }
  if (element >= attribute.values.size() / attribute.size) return nullptr;
  return attribute.values.data() + element * attribute.size;
}

// Finds corners that are the same vertex.
class CornerSplitter {
 public:
  CornerSplitter(const Mesh& mesh, Triangles triangles, std::span<const VertexAttribute> attributes)
      : mesh_(mesh), triangles_(std::move(triangles)) {
    for (const VertexAttribute& attribute : attributes) {
      if (attribute.values.empty() || attribute.size == 0) continue;
      if (!is_per_point_or_constant(attribute.interpolation)) attributes_.push_back(attribute);
    }
  }

  Result<Vertices> run() {
    if (Status status = check(); !status) return std::move(status).error();
    if (attributes_.empty()) {
      use_points();
      return std::move(vertices_);
    }
    if (Status status = check_values(); !status) return std::move(status).error();
    gather_faces();
    find_same_corners();
    if (!crowded_.empty()) sort_crowds();
    number();
    return std::move(vertices_);
  }

 private:
  Status check() const {
    if (mesh_.points.size() >= kNone) {
      return {ErrorCode::limit_exceeded, format_text("there are {} points", mesh_.points.size())};
    }
    bool fits = triangles_.corners.size() == 3 * triangles_.faces.size();
    for (const std::uint32_t corner : triangles_.corners) {
      fits = fits && corner < mesh_.face_indices.size() && point_of(corner) < mesh_.points.size();
    }
    for (const std::uint32_t face : triangles_.faces) {
      fits = fits && face < mesh_.face_counts.size();
    }
    if (fits) return {};
    return {ErrorCode::index_out_of_range, "the triangles are not those of this mesh"};
  }

  std::size_t point_of(std::size_t corner) const {
    return static_cast<std::size_t>(mesh_.face_indices[corner]);
  }

  void use_points() {
    vertices_.points.resize(mesh_.points.size());
    std::iota(vertices_.points.begin(), vertices_.points.end(), 0U);
    for (std::uint32_t& corner : triangles_.corners) {
      corner = static_cast<std::uint32_t>(point_of(corner));
    }
    vertices_.indices = std::move(triangles_.corners);
  }

  Status check_values() const {
    for (const VertexAttribute& attribute : attributes_) {
      for (std::size_t i = 0; i < triangles_.corners.size(); ++i) {
        const std::uint32_t corner = triangles_.corners[i];
        const std::uint32_t face = triangles_.faces[i / 3];
        if (value_at(attribute, {point_of(corner), face, corner}) != nullptr) continue;
        return {ErrorCode::index_out_of_range,
                format_text("a {} attribute has no value for corner {} of face {}",
                            to_string(attribute.interpolation), corner, face)};
      }
    }
    return {};
  }

  // The face of each corner that a triangle uses, if that matters.
  void gather_faces() {
    const bool is_asked_for =
        std::any_of(attributes_.begin(), attributes_.end(), [](const VertexAttribute& attribute) {
          return attribute.interpolation == PrimvarInterpolation::uniform;
        });
    if (!is_asked_for) return;
    faces_.assign(mesh_.face_indices.size(), kNone);
    for (std::size_t i = 0; i < triangles_.corners.size(); ++i) {
      faces_[triangles_.corners[i]] = triangles_.faces[i / 3];
    }
  }

  Place place_of(std::uint32_t corner) const {
    return {point_of(corner), faces_.empty() ? kNone : faces_[corner], corner};
  }

  int compare(std::uint32_t a, std::uint32_t b) const {
    const Place place_a = place_of(a);
    const Place place_b = place_of(b);
    for (const VertexAttribute& attribute : attributes_) {
      const int order =
          std::memcmp(value_at(attribute, place_a), value_at(attribute, place_b), attribute.size);
      if (order != 0) return order;
    }
    return 0;
  }

  // Each point has a chain of its different corners, in the order of their first use. A chain that
  // grows long is given up, and its point is left to sort_crowds().
  void find_same_corners() {
    const std::size_t corners = mesh_.face_indices.size();
    memory_ = Buffer::in_pages(2 * corners * sizeof(std::uint32_t));
    same_ = {reinterpret_cast<std::uint32_t*>(memory_.mutable_data()), corners};
    next_ = {same_.data() + corners, corners};
    std::fill(same_.begin(), same_.end(), kNone);
    heads_.assign(mesh_.points.size(), kNone);
    for (const std::uint32_t corner : triangles_.corners) {
      if (same_[corner] != kNone) continue;
      std::uint32_t* link = &heads_[point_of(corner)];
      std::uint32_t length = 0;
      while (*link != kNone && length < kLongestChain && compare(*link, corner) != 0) {
        link = &next_[*link];
        ++length;
      }
      if (length == kLongestChain) {
        crowded_.push_back(corner);
        same_[corner] = corner;
      } else if (*link == kNone) {
        *link = corner;
        next_[corner] = kNone;
        same_[corner] = corner;
      } else {
        same_[corner] = *link;
      }
    }
  }

  // What found no place in the chain of its point, so is none of the corners there.
  void sort_crowds() {
    // Stable: of the same ones the first used stays first.
    stable_sort_range(crowded_.begin(), crowded_.end(), [&](std::uint32_t a, std::uint32_t b) {
      return point_of(a) != point_of(b) ? point_of(a) < point_of(b) : compare(a, b) < 0;
    });
    for (std::size_t i = 1; i < crowded_.size(); ++i) {
      const std::uint32_t before = crowded_[i - 1];
      const std::uint32_t corner = crowded_[i];
      if (point_of(before) == point_of(corner) && compare(before, corner) == 0) {
        same_[corner] = same_[before];
      }
    }
  }

  // The indices take the place of the corners.
  void number() {
    heads_ = {};
    std::size_t count = 0;
    for (std::uint32_t corner = 0; corner < same_.size(); ++corner)
      count += same_[corner] == corner;
    vertices_.points.reserve(count);
    vertices_.corners.reserve(count);
    vertices_.faces.reserve(count);
    const std::span<std::uint32_t> numbers = next_;
    std::fill(numbers.begin(), numbers.end(), kNone);
    for (std::size_t i = 0; i < triangles_.corners.size(); ++i) {
      const std::uint32_t first = same_[triangles_.corners[i]];
      if (numbers[first] == kNone) {
        numbers[first] = static_cast<std::uint32_t>(vertices_.points.size());
        vertices_.points.push_back(static_cast<std::uint32_t>(point_of(first)));
        vertices_.corners.push_back(first);
        vertices_.faces.push_back(triangles_.faces[i / 3]);
      }
      triangles_.corners[i] = numbers[first];
    }
    vertices_.indices = std::move(triangles_.corners);
  }

  const Mesh& mesh_;
  Triangles triangles_;
  std::vector<VertexAttribute> attributes_;  // Those that can differ between corners of a point.
  std::vector<std::uint32_t> faces_;         // Of each corner, if an attribute is per face.
  std::vector<std::uint32_t> heads_;         // Of each point: the chain of its different corners.
  Buffer memory_;                            // Of the next two.
  std::span<std::uint32_t> same_;            // The first corner that is the same vertex.
  std::span<std::uint32_t> next_;            // In the chain.
  std::vector<std::uint32_t> crowded_;
  Vertices vertices_;
};

// The element of an attribute that each vertex takes; null: all take the first.
const std::uint32_t* elements_of(const Vertices& vertices, PrimvarInterpolation interpolation) {
  switch (interpolation) {
    case PrimvarInterpolation::uniform:
      return vertices.faces.data();
    case PrimvarInterpolation::varying:
    case PrimvarInterpolation::vertex:
      return vertices.points.data();
    case PrimvarInterpolation::face_varying:
      return vertices.corners.data();
    case PrimvarInterpolation::constant:
    case PrimvarInterpolation::unknown:
      break;
  }
  return nullptr;
}

// Writes one attribute, of kSize bytes if that is not 0; whether it has a value for every vertex.
template <std::size_t kSize>
bool write_values(const Vertices& vertices, const VertexAttribute& attribute, std::size_t stride,
                  std::byte* out) {
  const std::size_t size = kSize == 0 ? attribute.size : kSize;
  const std::size_t count = attribute.values.size() / size;
  const std::span<const std::int32_t> indices = attribute.indices;
  const std::uint32_t* elements = elements_of(vertices, attribute.interpolation);
  bool complete = true;
  for (std::size_t i = 0; i < vertices.size(); ++i, out += stride) {
    std::size_t element = elements == nullptr ? 0 : elements[i];
    if (!indices.empty()) {
      // What is negative is huge, and so is no value.
      element = element < indices.size() ? static_cast<std::size_t>(indices[element]) : count;
    }
    if (element < count) {
      std::memcpy(out, attribute.values.data() + element * size, size);
    } else {
      complete = false;
    }
  }
  return complete;
}

bool write_field(const Vertices& vertices, const VertexField& field, std::size_t stride,
                 std::byte* out) {
  out += field.offset;
  switch (field.attribute.size) {
    case 4:
      return write_values<4>(vertices, field.attribute, stride, out);
    case 8:
      return write_values<8>(vertices, field.attribute, stride, out);
    case 12:
      return write_values<12>(vertices, field.attribute, stride, out);
    case 16:
      return write_values<16>(vertices, field.attribute, stride, out);
    default:
      return write_values<0>(vertices, field.attribute, stride, out);
  }
}

}  // namespace

Result<Vertices> split_corners(const Mesh& mesh, Triangles triangles,
                               std::span<const VertexAttribute> attributes) {
  return CornerSplitter(mesh, std::move(triangles), attributes).run();
}

Status write_vertices(const Vertices& vertices, std::span<const VertexField> fields,
                      std::size_t stride, std::span<std::byte> out) {
  if (stride != 0 && out.size() / stride < vertices.size()) {
    return {ErrorCode::size_mismatch, format_text("{} vertices of {} bytes do not fit into {}",
                                                  vertices.size(), stride, out.size())};
  }
  if (vertices.size() == 0) return {};
  const bool split =
      vertices.corners.size() == vertices.size() && vertices.faces.size() == vertices.size();
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const VertexField& field = fields[i];
    if (field.offset > stride || field.attribute.size > stride - field.offset) {
      return {ErrorCode::invalid_argument,
              format_text("field {} of {} bytes at {} ends behind the stride of {}", i,
                          field.attribute.size, field.offset, stride)};
    }
    if (!split && !is_per_point_or_constant(field.attribute.interpolation)) {
      return {ErrorCode::invalid_argument,
              format_text("field {} is {}, but the vertices are the points", i,
                          to_string(field.attribute.interpolation))};
    }
  }
  Status status;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (fields[i].attribute.size == 0) continue;
    if (!write_field(vertices, fields[i], stride, out.data()) && status) {
      status = Status(ErrorCode::index_out_of_range,
                      format_text("field {} has no value for some vertices", i));
    }
  }
  return status;
}

}  // namespace sinew::geom
