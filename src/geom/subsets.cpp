// SPDX-License-Identifier: Apache-2.0
#include "sinew/geom/subsets.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "core/format_text.hpp"
#include "core/sort.hpp"
#include "geom/curve_layout.hpp"
#include "geom/read_value.hpp"
#include "geom/shared/subset_children.hpp"
#include "sinew/stage/schema.hpp"
#include "stage/shared/reporter.hpp"
#include "stage/shared/typed_value.hpp"

namespace sinew::geom {
namespace {

using stage::Prim;
using stage::SchemaType;
using stage::Time;

constexpr std::array<std::string_view, 5> kElements = {"face", "point", "edge", "segment",
                                                       "tetrahedron"};
constexpr std::size_t kMostListed = std::size_t{1} << 28;

constexpr stage::ValueTypes kIntegers = stage::ValueTypes::array_of<std::int32_t>();

layer::Value value_of(const Prim& prim, std::string_view name, Time time,
                      stage::ValueTypes wanted = kIntegers) {
  return read_value(prim.attribute(name), time, wanted);
}

std::uint64_t pair_of(std::int32_t a, std::int32_t b) {
  return (std::uint64_t{static_cast<std::uint32_t>(a)} << 32U) | static_cast<std::uint32_t>(b);
}

// The elements of one kind that a prim has, numbered in ascending order of their indices.
class Elements {
 public:
  Elements(const Prim& prim, SubsetElement element, Time time) : element_(element) {
    switch (element) {
      case SubsetElement::face:
        count_values(prim, SchemaType::mesh, "faceVertexCounts", time, kIntegers);
        if (!exist_) {
          count_values(prim, SchemaType::tet_mesh, "surfaceFaceVertexIndices", time,
                       stage::ValueTypes::array_of<Vector3i>());
        }
        break;
      case SubsetElement::point:
        count_values(prim, SchemaType::point_based, "points", time,
                     stage::ValueTypes::array_of<Vector3f>());
        break;
      case SubsetElement::tetrahedron:
        count_values(prim, SchemaType::tet_mesh, "tetVertexIndices", time,
                     stage::ValueTypes::array_of<Vector4i>());
        break;
      case SubsetElement::edge:
        exist_ = prim.is_a(SchemaType::mesh);
        if (exist_) find_edges(prim, time);
        break;
      case SubsetElement::segment:
        exist_ = prim.is_a(SchemaType::basis_curves);
        if (exist_) find_segments(prim, time);
        break;
      case SubsetElement::unknown:
        break;
    }
  }

  bool exist() const { return exist_; }
  std::size_t count() const { return count_; }
  bool are_pairs() const {
    return element_ == SubsetElement::edge || element_ == SubsetElement::segment;
  }
  // Indices that name one element.
  std::size_t width() const { return are_pairs() ? 2 : 1; }

  // The number of the element that `width()` indices name; nothing if there is none.
  std::optional<std::uint64_t> find(const std::int32_t* indices) const {
    const std::int32_t first = indices[0];
    if (first < 0) return std::nullopt;
    if (!are_pairs()) {
      const auto number = static_cast<std::uint64_t>(first);
      return number < count_ ? std::optional(number) : std::nullopt;
    }
    const std::int32_t second = indices[1];
    if (second < 0) return std::nullopt;
    if (element_ == SubsetElement::edge) {
      const std::uint64_t edge = pair_of(std::min(first, second), std::max(first, second));
      const auto found = std::lower_bound(edges_.begin(), edges_.end(), edge);
      if (found == edges_.end() || *found != edge) return std::nullopt;
      return static_cast<std::uint64_t>(found - edges_.begin());
    }
    const auto curve = static_cast<std::size_t>(first);
    if (curve + 1 >= first_segments_.size()) return std::nullopt;
    const std::uint64_t number = first_segments_[curve] + static_cast<std::uint64_t>(second);
    return number < first_segments_[curve + 1] ? std::optional(number) : std::nullopt;
  }

  // The indices of an element by its number. Of segments in ascending order only.
  void append(std::uint64_t number, std::size_t& curve, std::vector<std::int32_t>& out) const {
    if (element_ == SubsetElement::edge) {
      out.push_back(static_cast<std::int32_t>(edges_[number] >> 32U));
      out.push_back(static_cast<std::int32_t>(edges_[number] & 0xFFFFFFFFU));
    } else if (element_ == SubsetElement::segment) {
      while (number >= first_segments_[curve + 1]) ++curve;
      out.push_back(static_cast<std::int32_t>(curve));
      out.push_back(static_cast<std::int32_t>(number - first_segments_[curve]));
    } else {
      out.push_back(static_cast<std::int32_t>(number));
    }
  }

 private:
  void count_values(const Prim& prim, SchemaType type, std::string_view name, Time time,
                    stage::ValueTypes wanted) {
    exist_ = prim.is_a(type);
    const layer::Value value = exist_ ? value_of(prim, name, time, wanted) : layer::Value();
    count_ = value.is_array() ? value.size() : 0;
  }

  void find_edges(const Prim& prim, Time time) {
    const layer::Value counts_value = value_of(prim, "faceVertexCounts", time);
    const layer::Value indices_value = value_of(prim, "faceVertexIndices", time);
    std::span<const std::int32_t> indices = indices_value.as_array<std::int32_t>();
    for (const std::int32_t count : counts_value.as_array<std::int32_t>()) {
      const auto n = static_cast<std::size_t>(std::max(count, 0));
      if (n > indices.size()) break;  // Broken topology: what is missing has no edges.
      for (std::size_t i = 0; i < n; ++i) {
        const std::int32_t a = indices[i];
        const std::int32_t b = indices[i + 1 == n ? 0 : i + 1];
        if (a >= 0 && b >= 0 && a != b) edges_.push_back(pair_of(std::min(a, b), std::max(a, b)));
      }
      indices = indices.subspan(n);
    }
    sort_range(edges_.begin(), edges_.end());
    edges_.erase(std::unique(edges_.begin(), edges_.end()), edges_.end());
    count_ = edges_.size();
  }

  void find_segments(const Prim& prim, Time time) {
    const CurveLayout layout = CurveLayout::read(prim);
    const layer::Value counts = value_of(prim, "curveVertexCounts", time);
    first_segments_.push_back(0);
    for (const std::int32_t n : counts.as_array<std::int32_t>()) {
      first_segments_.push_back(first_segments_.back() +
                                static_cast<std::uint64_t>(layout.segments(n)));
    }
    count_ = first_segments_.back();
  }

  SubsetElement element_;
  bool exist_ = false;
  std::size_t count_ = 0;
  std::vector<std::uint64_t> edges_;           // Of edges: both points, the smaller first; sorted.
  std::vector<std::uint64_t> first_segments_;  // Of each curve, and one past the last.
};

// Collects problems; the first is the answer.
class Problems {
 public:
  explicit Problems(Diagnostics* diagnostics) : diagnostics_(diagnostics) {}

  void add(ErrorCode code, std::string_view name, const Prim& prim, const std::string& message) {
    if (first_) first_ = Status(code, format_text("{}: {}", prim.path().view(), message));
    stage::Reporter(prim, diagnostics_).add(Severity::error, name, prim, message);
  }
  Status first() const { return first_; }

 private:
  Diagnostics* diagnostics_;
  Status first_;
};

// An element as a subset names it.
struct Use {
  std::uint64_t element;
  std::uint32_t subset;
  friend bool operator<(const Use& a, const Use& b) {
    return a.element != b.element ? a.element < b.element : a.subset < b.subset;
  }
};

// What a subset names, as far as it exists.
void collect(const GeomSubset& subset, std::uint32_t number, const Elements& elements, Time time,
             std::vector<Use>& uses, Problems& problems) {
  const layer::Value value = value_of(subset.prim, "indices", time);
  if (!value.has_value() || value.is_block()) return;
  if (!value.is_array() || !layer::stores_as<std::int32_t>(value.type())) {
    problems.add(ErrorCode::type_mismatch, "geom-subset-indices", subset.prim,
                 "The indices are not an int[].");
    return;
  }
  const std::span<const std::int32_t> indices = value.as_array<std::int32_t>();
  const std::size_t width = elements.width();
  if (indices.size() % width != 0) {
    problems.add(ErrorCode::size_mismatch, "geom-subset-indices", subset.prim,
                 format_text("There are {} indices, but every {} takes two.", indices.size(),
                             to_string(subset.element)));
  }
  std::size_t missing = 0;
  std::size_t first_missing = 0;
  for (std::size_t i = 0; i + width <= indices.size(); i += width) {
    if (const auto element = elements.find(&indices[i])) {
      uses.push_back({*element, number});
    } else if (missing++ == 0) {
      first_missing = i;
    }
  }
  if (missing == 0) return;
  problems.add(ErrorCode::index_out_of_range, "geom-subset-range", subset.prim,
               format_text("{} of its {} elements do not exist: the first is {}{}.", missing,
                           indices.size() / width, indices[first_missing],
                           width == 1 ? "" : format_text(", {}", indices[first_missing + 1])));
}

std::vector<GeomSubset> subsets_of(const Prim& prim, SubsetElement element,
                                   std::string_view family) {
  std::vector<GeomSubset> subsets = geom_subsets(prim, family);
  std::erase_if(subsets, [&](const GeomSubset& subset) { return subset.element != element; });
  return subsets;
}

}  // namespace

std::string_view to_string(SubsetElement element) noexcept {
  const auto i = static_cast<std::size_t>(element);
  return i < kElements.size() ? kElements[i] : std::string_view();
}

std::optional<stage::ArrayValue<std::int32_t>> GeomSubset::indices(Time time) const {
  const stage::Attribute attribute = prim.attribute("indices");
  if (!attribute) return std::nullopt;
  return attribute.get_array<std::int32_t>(time);
}

std::vector<GeomSubset> geom_subsets(const Prim& prim) {
  std::vector<GeomSubset> result;
  for_each_subset(prim, [&](const Prim& child) {
    const std::string type = read_token(child, "elementType", kElements.front());
    const auto found = std::find(kElements.begin(), kElements.end(), type);
    const auto element = static_cast<SubsetElement>(found - kElements.begin());
    result.push_back({child, element, read_token(child, "familyName")});
  });
  return result;
}

std::vector<GeomSubset> geom_subsets(const Prim& prim, std::string_view family) {
  std::vector<GeomSubset> subsets = geom_subsets(prim);
  std::erase_if(subsets, [&](const GeomSubset& subset) { return subset.family != family; });
  return subsets;
}

std::vector<std::string> subset_families(const Prim& prim) {
  std::vector<std::pair<std::string, std::size_t>> named;  // With its index.
  for (GeomSubset& subset : geom_subsets(prim)) {
    if (!subset.family.empty()) named.emplace_back(std::move(subset.family), named.size());
  }
  sort_range(named.begin(), named.end());
  named.erase(std::unique(named.begin(), named.end(),
                          [](const auto& a, const auto& b) { return a.first == b.first; }),
              named.end());
  sort_range(named.begin(), named.end(),
             [](const auto& a, const auto& b) { return a.second < b.second; });
  std::vector<std::string> result;
  for (auto& [family, place] : named) result.push_back(std::move(family));
  return result;
}

SubsetFamilyType subset_family_type(const Prim& prim, std::string_view family) {
  const std::string type = read_token(prim, format_text("subsetFamily:{}:familyType", family));
  if (type == "partition") return SubsetFamilyType::partition;
  if (type == "nonOverlapping") return SubsetFamilyType::non_overlapping;
  return SubsetFamilyType::unrestricted;
}

std::optional<std::size_t> subset_element_count(const Prim& prim, SubsetElement element,
                                                Time time) {
  const Elements elements(prim, element, time);
  return elements.exist() ? std::optional(elements.count()) : std::nullopt;
}

Status check_subset_family(const Prim& prim, SubsetElement element, std::string_view family,
                           Time time, Diagnostics* diagnostics) {
  const std::vector<GeomSubset> subsets = subsets_of(prim, element, family);
  if (subsets.empty()) {
    return {ErrorCode::not_found, format_text("{} has no subsets of family \"{}\" and element {}",
                                              prim.path().view(), family, to_string(element))};
  }
  const Elements elements(prim, element, time);
  if (!elements.exist()) {
    return {ErrorCode::unsupported,
            format_text("{}: a {} has no elements of the kind {}", prim.path().view(),
                        prim.type_name().view(), to_string(element))};
  }
  Problems problems(diagnostics);
  std::vector<Use> uses;
  for (std::size_t i = 0; i < subsets.size(); ++i) {
    collect(subsets[i], static_cast<std::uint32_t>(i), elements, time, uses, problems);
  }
  const SubsetFamilyType type = subset_family_type(prim, family);
  if (type == SubsetFamilyType::unrestricted) return problems.first();

  sort_range(uses.begin(), uses.end());
  std::size_t distinct = 0;
  std::vector<std::size_t> repeated(subsets.size(), 0);
  for (std::size_t i = 0; i < uses.size(); ++i) {
    if (i == 0 || uses[i].element != uses[i - 1].element) {
      ++distinct;
    } else {
      ++repeated[uses[i].subset];
    }
  }
  for (std::size_t i = 0; i < subsets.size(); ++i) {
    if (repeated[i] == 0) continue;
    problems.add(ErrorCode::invalid_argument, "geom-subset-overlap", subsets[i].prim,
                 format_text("{} of its elements are named twice in the family \"{}\", which must "
                             "not overlap.",
                             repeated[i], family));
  }
  if (type == SubsetFamilyType::partition && distinct != elements.count()) {
    problems.add(
        ErrorCode::invalid_argument, "geom-subset-partition", prim,
        format_text("{} of {} elements of the kind {} are in no subset of the partition "
                    "\"{}\".",
                    elements.count() - distinct, elements.count(), to_string(element), family));
  }
  return problems.first();
}

Result<std::vector<std::int32_t>> unassigned_indices(const Prim& prim, SubsetElement element,
                                                     std::string_view family, Time time) {
  const Elements elements(prim, element, time);
  if (!elements.exist()) {
    return {ErrorCode::unsupported,
            format_text("{}: a {} has no elements of the kind {}", prim.path().view(),
                        prim.type_name().view(), to_string(element))};
  }
  if (elements.count() > kMostListed) {
    return {ErrorCode::limit_exceeded,
            format_text("{} has {} elements", prim.path().view(), elements.count())};
  }
  Problems ignored(nullptr);
  std::vector<Use> uses;
  for (const GeomSubset& subset : subsets_of(prim, element, family)) {
    collect(subset, 0, elements, time, uses, ignored);
  }
  sort_range(uses.begin(), uses.end());
  std::vector<std::int32_t> result;
  std::size_t curve = 0;
  auto use = uses.begin();
  for (std::uint64_t i = 0; i < elements.count(); ++i) {
    while (use != uses.end() && use->element < i) ++use;
    if (use == uses.end() || use->element != i) elements.append(i, curve, result);
  }
  return result;
}

}  // namespace sinew::geom
