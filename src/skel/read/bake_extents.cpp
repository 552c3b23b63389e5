// SPDX-License-Identifier: Apache-2.0
#include "skel/read/bake_extents.hpp"

#include <array>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "geom/shared/measuring.hpp"
#include "geom/shared/model.hpp"
#include "sinew/geom/bounds.hpp"
#include "sinew/geom/extents.hpp"
#include "sinew/geom/transform_cache.hpp"
#include "sinew/geom/visibility.hpp"
#include "sinew/skel/joint_transforms.hpp"
#include "sinew/skel/read/bindings.hpp"
#include "sinew/skel/read/extents.hpp"

namespace sinew::skel {
namespace {

using stage::Prim;
using stage::SchemaType;

// By purpose: default, render, proxy, guide.
using Boxes = std::array<geom::Range3d, 4>;
// Those that have been read.
using Skeletons = std::unordered_map<Prim, SkeletonBinding>;

Range3f narrowed(const geom::Range3d& range) {
  if (range.empty()) return {};
  return {range.min.cast<float>(), range.max.cast<float>()};
}

bool has_authored_extent(const Prim& prim) {
  const stage::Attribute extent = prim.attribute("extent");
  return extent && extent.has_authored_value();
}

bool lies_below(const Prim& prim, const Prim& top) {
  for (Prim p = prim; p; p = p.parent()) {
    if (p == top) return true;
  }
  return false;
}

}  // namespace

void BakedExtents::add(const Prim& prim, stage::Time time, const Range3f& extent) {
  frame(time).extents[prim] = extent;
}

void BakedExtents::add_transform(const Prim& prim, stage::Time time,
                                 const Matrix4d& parent_from_prim) {
  frame(time).parent_from_prim[prim] = parent_from_prim;
}

// Measures one model at one time.
class BakedExtents::Measuring {
 public:
  Measuring(const Frame& baked, bool writes_extents, const Overlay& overlay, stage::Time time,
            Skeletons& skeletons)
      : baked_(baked),
        writes_extents_(writes_extents),
        overlay_(overlay),
        transforms_(time),
        bounds_(time, {.purposes = geom::PurposeSet::all(),
                       .extent_of = [&](const Prim& prim,
                                        stage::Time at) { return skeletal_extent(prim, at); }}),
        skeletons_(skeletons) {}

  /// The value of `extentsHint`: two corners for each purpose, up to the last that has any.
  std::vector<Vector3f> hint(const Prim& model) {
    std::vector<Vector3f> corners;
    const auto add = [&](const Range3f& range) {
      corners.push_back(range.min);
      corners.push_back(range.max);
    };
    if (is_boundable(model)) {
      const Range3f range = computed_extent(model);
      add(range);
      for (int i = 1; i < 4 && !range.empty(); ++i) add(range);
      return corners;
    }
    const Boxes boxes = measure(model);
    std::size_t count = boxes.size();
    while (count > 1 && boxes[count - 1].empty()) --count;
    for (std::size_t i = 0; i < count; ++i) add(narrowed(boxes[i]));
    return corners;
  }

 private:
  // What is being added up: the boxes of a prim, along its axes or those of the world.
  struct Sum {
    Prim prim;
    Matrix4d sum_from_world;
    Boxes boxes;
  };

  stage::Time time() const { return transforms_.time(); }
  bool is_boundable(const Prim& prim) const {
    return prim.is_a(SchemaType::boundable) &&
           !(prim.is_a(SchemaType::skel_root) && overlay_.retypes(prim));
  }
  std::optional<Range3f> skeletal_extent(const Prim& prim, stage::Time time);
  Range3f computed_extent(const Prim& prim);
  geom::BoundingBox box_of(const Prim& prim);
  Matrix4d world_from_prim(const Prim& prim);
  Boxes measure(const Prim& model);
  void close(std::vector<Sum>& open);

  const Frame& baked_;
  bool writes_extents_;
  const Overlay& overlay_;
  geom::TransformCache transforms_;
  geom::BoundsCache bounds_;
  Skeletons& skeletons_;
};

// What geom cannot compute. An extent that is authored goes before it.
std::optional<Range3f> BakedExtents::Measuring::skeletal_extent(const Prim& prim,
                                                                stage::Time time) {
  if (has_authored_extent(prim)) return std::nullopt;
  Diagnostics told_before;
  if (prim.is_a(SchemaType::skeleton)) {
    const auto [entry, is_new] = skeletons_.try_emplace(prim);
    if (is_new) entry->second = read_skeleton(prim, told_before);
    return skeleton_extent(entry->second, time);
  }
  if (!prim.is_a(SchemaType::skel_root)) return std::nullopt;
  const Result<Range3f> extent = skel_root_extent(prim, time, told_before);
  return extent ? std::optional(*extent) : std::nullopt;
}

// Of a model that is one piece: what is authored does not count.
Range3f BakedExtents::Measuring::computed_extent(const Prim& prim) {
  if (const auto found = baked_.extents.find(prim); found != baked_.extents.end()) {
    return found->second;
  }
  if (const auto computed = geom::compute_extent(prim, time())) return *computed;
  return narrowed(geom::aligned_range(bounds_.untransformed_bound(prim)));
}

geom::BoundingBox BakedExtents::Measuring::box_of(const Prim& prim) {
  const auto found = baked_.extents.find(prim);
  if (found == baked_.extents.end() || (!writes_extents_ && has_authored_extent(prim))) {
    return bounds_.untransformed_bound(prim);
  }
  return {geom::widened(found->second), Matrix4d::Identity()};
}

Matrix4d BakedExtents::Measuring::world_from_prim(const Prim& prim) {
  const auto moved = baked_.parent_from_prim.find(prim);
  if (moved == baked_.parent_from_prim.end()) return transforms_.world_from_prim(prim);
  // By OpenUSD's rules what has been baked follows its parent in any case.
  const bool stays_apart = prim.stage().rules() == Rules::documented;
  return (stays_apart ? transforms_.world_from_parent(prim)
                      : transforms_.world_from_prim(prim.parent())) *
         moved->second;
}

// The innermost sum is complete and becomes part of the one around it.
void BakedExtents::Measuring::close(std::vector<Sum>& open) {
  const Sum inner = std::move(open.back());
  open.pop_back();
  const Matrix4d transform = open.back().sum_from_world * world_from_prim(inner.prim);
  for (std::size_t i = 0; i < inner.boxes.size(); ++i) {
    geom::add(geom::aligned_range({inner.boxes[i], transform}), open.back().boxes[i]);
  }
}

// Boxes are added up along the axes of the component that they stand in, else of the world.
Boxes BakedExtents::Measuring::measure(const Prim& model) {
  const auto own_axes = [&](const Prim& prim) {
    return inverse_transform(transforms_.world_from_prim(prim));
  };
  const Matrix4d model_from_world = own_axes(model);
  const bool is_group = !geom::has_own_axes(model);
  std::vector<Sum> open;
  open.push_back({model, is_group ? Matrix4d::Identity() : model_from_world, {}});
  const stage::PrimRange range = model.descendants(geom::kMeasured);
  for (auto it = range.begin(); it != range.end(); ++it) {
    const Prim prim = *it;
    if (prim == model) continue;
    while (open.size() > 1 && !lies_below(prim, open.back().prim)) close(open);
    const bool counts = geom::is_shown(prim, time());
    const bool is_leaf = is_boundable(prim);
    if (is_leaf || !counts) it.skip_descendants();
    if (!counts) continue;
    if (!is_leaf) {
      if (geom::has_own_axes(prim)) open.push_back({prim, own_axes(prim), {}});
      continue;
    }
    const auto purpose = static_cast<std::size_t>(geom::compute_purpose(prim).purpose);
    if (purpose >= open.back().boxes.size()) continue;
    const geom::BoundingBox box = box_of(prim);
    const Matrix4d transform = open.back().sum_from_world * world_from_prim(prim) * box.matrix;
    geom::add(geom::aligned_range({box.range, transform}), open.back().boxes[purpose]);
  }
  while (open.size() > 1) close(open);
  Boxes boxes = open.front().boxes;
  if (!is_group) return boxes;
  for (geom::Range3d& box : boxes) box = geom::aligned_range({box, model_from_world});
  return boxes;
}

Status BakedExtents::write_hints(std::span<const BakePlan> plans, Overlay& overlay) const {
  struct Model {
    Prim prim;
    bool at_default = false;
    std::set<double> times;
  };
  std::map<std::string, Model> models;
  const auto add_times = [](const BakePlan& plan, Model& model) {
    for (const stage::Time time : plan.times) {
      if (time.is_default()) {
        model.at_default = true;
      } else {
        model.times.insert(time.code());
      }
    }
  };
  for (const BakePlan& plan : plans) {
    std::set<std::string> holding;
    for (const TargetPlan& target : plan.targets) {
      for (Prim p = target.target->prim; p && !p.is_root(); p = p.parent()) {
        const stage::Attribute hint = p.attribute("extentsHint");
        if (!hint || !geom::is_model(p)) continue;
        // OpenUSD also fills one that is declared alone.
        if (p.stage().rules() == Rules::documented && !hint.has_authored_value()) continue;
        const std::string path = p.path().str();
        Model& model = models[path];
        model.prim = p;
        if (holding.insert(path).second) add_times(plan, model);
      }
    }
  }
  Skeletons skeletons;
  const Frame nothing;
  for (const auto& entry : models) {
    const Model& model = entry.second;
    AttributeWriter writer;
    const auto add = [&](stage::Time time, const Frame& baked) {
      Measuring measuring(baked, writes_extents_, overlay, time, skeletons);
      writer.add(time, vector_value(measuring.hint(model.prim)));
    };
    if (model.at_default) add(stage::Time::default_time(), at_default_);
    for (const double code : model.times) {
      const auto found = at_time_.find(code);
      add(stage::Time(code), found == at_time_.end() ? nothing : found->second);
    }
    Status status =
        writer.write(overlay.builder(), overlay.prim(model.prim), "float3[]", "extentsHint");
    if (!status) return status;
  }
  return {};
}

}  // namespace sinew::skel
