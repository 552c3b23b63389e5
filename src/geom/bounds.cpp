// SPDX-License-Identifier: Apache-2.0
#include "sinew/geom/bounds.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <unordered_map>
#include <utility>
#include <vector>

#include <Eigen/Geometry>

#include "core/format_text.hpp"
#include "core/full_inverse.hpp"
#include "geom/shared/measuring.hpp"
#include "geom/shared/model.hpp"
#include "sinew/geom/extents.hpp"
#include "sinew/geom/point_instancer.hpp"
#include "sinew/geom/transform_cache.hpp"
#include "sinew/geom/transforms.hpp"
#include "sinew/stage/schema.hpp"
#include "stage/shared/reporter.hpp"

namespace sinew::geom {
namespace {

using stage::Prim;
using stage::SchemaType;

// Marks what holds for every proxy of a prim below an instance.
constexpr std::uint64_t kEveryContext = std::numeric_limits<std::uint64_t>::max();

// A matrix whose volume is below this flattens space.
constexpr double kFlat = 1e-13;

// What counts of the prototypes of a PointInstancer, whatever is asked for.
constexpr PurposeSet kShownPurposes = {.render = true, .proxy = true};

// Not flat, and finite.
bool can_be_undone(const Matrix4d& m) {
  const Eigen::Matrix4d matrix = m;
  return m.allFinite() && std::abs(matrix.determinant()) > kFlat;
}

// Of what has none nothing is finite, as is told of the bounds that it gives.
Matrix4d inverse(const Matrix4d& m) {
  double determinant = 0.0;
  const Matrix4d result = full_inverse(m, &determinant);
  if (std::abs(determinant) > 0.0) return result;
  return Matrix4d::Constant(std::numeric_limits<double>::quiet_NaN());
}

// Grows the first box, in its space, to hold the second.
BoundingBox grown(const BoundingBox& box, const BoundingBox& other) {
  BoundingBox result = box;
  add(aligned_range({other.range, inverse(box.matrix) * other.matrix}), result.range);
  return result;
}

double volume(const BoundingBox& box) {
  const Eigen::Matrix3d linear = box.matrix.topLeftCorner<3, 3>();
  return std::abs(linear.determinant() * (box.range.max - box.range.min).prod());
}

// OpenUSD measures with orientations as they are, of whatever length.
Matrix4d measured_transform(const PointInstance& instance) {
  Matrix4d result = instance.transform();
  result.topLeftCorner<3, 3>() = instance.orientation.cast<double>().toRotationMatrix() *
                                 instance.scale.cast<double>().asDiagonal();
  return result;
}

}  // namespace

Range3d aligned_range(const BoundingBox& box) {
  Range3d result;
  if (box.empty()) return result;
  const Eigen::Matrix3d linear = box.matrix.topLeftCorner<3, 3>();
  const Eigen::Matrix3d low = linear * box.range.min.asDiagonal();
  const Eigen::Matrix3d high = linear * box.range.max.asDiagonal();
  const Vector3d offset = box.matrix.topRightCorner<3, 1>();
  result.min = offset + low.cwiseMin(high).rowwise().sum();
  result.max = offset + low.cwiseMax(high).rowwise().sum();
  if (!result.min.allFinite() || !result.max.allFinite()) return {};
  return result;
}

BoundingBox combine(const BoundingBox& a, const BoundingBox& b) {
  if (a.empty()) return b;
  if (b.empty()) return a;
  const bool a_is_flat = !can_be_undone(a.matrix);
  const bool b_is_flat = !can_be_undone(b.matrix);
  if (a_is_flat && b_is_flat) {
    BoundingBox both{aligned_range(a), Matrix4d::Identity()};
    add(aligned_range(b), both.range);
    return both;
  }
  if (a_is_flat) return grown(b, a);
  if (b_is_flat) return grown(a, b);
  BoundingBox in_a = grown(a, b);
  BoundingBox in_b = grown(b, a);
  const double volume_a = volume(in_a);
  const double volume_b = volume(in_b);
  // Where they are as good as equal the first is kept, so that rounding does not decide.
  const double tolerance = std::max(1e-10, 1e-6 * std::max(volume_a, volume_b));
  return volume_b < volume_a - tolerance ? in_b : in_a;
}

bool PurposeSet::contains(Purpose purpose) const noexcept {
  switch (purpose) {
    case Purpose::default_:
      return default_;
    case Purpose::render:
      return render;
    case Purpose::proxy:
      return proxy;
    case Purpose::guide:
      return guide;
    case Purpose::unknown:
      break;
  }
  return false;
}

class BoundsCache::Impl {
 public:
  Impl(stage::Time time, BoundsOptions options)
      : options_(std::move(options)), transforms_(time, nullptr) {}

  stage::Time time() const noexcept { return transforms_.time(); }
  void set_time(stage::Time time);
  void clear();
  const Matrix4d& world_from_prim(const Prim& prim) { return transforms_.world_from_prim(prim); }

  /// In the space of the prim.
  BoundingBox compute(const Prim& prim);
  /// A box of the prim moved by a transform; empty, and reported, where that is not finite.
  BoundingBox placed(const Prim& prim, const BoundingBox& box, const Matrix4d& transform) const;

 private:
  // How a prim is reached.
  struct Visit {
    PurposeInfo inherited;      // From the parent.
    bool in_prototype = false;  // Of a PointInstancer, which has its own rules of what counts.
    bool in_place = false;      // Below an instance, but not from there: the same place only.
    friend bool operator==(const Visit&, const Visit&) = default;
  };
  struct Key {
    std::uint32_t node;
    std::uint64_t context;
    Visit visit;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const noexcept;
  };
  struct Entry {
    BoundingBox box;
    bool depends_on_place = false;  // Not the same for every instance.
  };
  // What a PointInstancer shows, and the boxes of those prototypes that have been visited.
  struct Instancer {
    PointInstances shown;
    std::vector<BoundingBox> boxes;  // In the spaces of the prototypes.
  };
  // A prim whose children, or prototypes, are being visited.
  struct Frame {
    Prim prim;
    Prim next;  // Of the children.
    Visit visit;
    PurposeInfo purpose;
    Entry entry;
    std::unique_ptr<Instancer> instancer;
    std::optional<Matrix4d> placement = {};  // In the parent's space; nothing: it has no place.
    // The space that the children are measured in: that of the nearest component, or the world.
    Matrix4d space_from_prim = Matrix4d::Identity();
    Matrix4d prim_from_space = Matrix4d::Identity();
    bool space_depends_on_place = false;
    bool space_is_lost = false;  // There is no way back: its own space has to do.
  };

  const Entry* find(const Prim& prim, const Visit& visit) const;
  void store(const Prim& prim, const Visit& visit, const Entry& entry);
  bool is_included(const Prim& prim, bool in_prototype) const;
  std::optional<Entry> own_box(const Prim& prim, PurposeInfo purpose, bool in_prototype);
  std::optional<BoundingBox> hint(const Prim& prim) const;
  void begin(const Prim& prim, Visit visit, Entry& result);
  Prim next_child(Frame& frame) const;
  void visit_child(const Prim& child);
  void visit_prototype(const Prim& prototype);
  Matrix4d space_from(const Prim& prim, bool in_place);
  void measure_in(const Matrix4d& space_from_prim, bool depends_on_place, Frame& frame);
  std::optional<Matrix4d> parent_from(const Prim& child, bool& resets_stack);
  void finish(Frame& frame) const;
  void accept(const Prim& child, const Entry& of_child, const std::optional<Matrix4d>& placement,
              Frame& parent) const;
  void add_instances(Frame& frame) const;
  bool is_being_visited(const Prim& prim) const;
  void complain(const Prim& prim, const char* code, const char* message) const;

  BoundsOptions options_;
  TransformCache transforms_;
  std::unordered_map<Key, Entry, KeyHash> entries_;
  std::vector<Frame> frames_;
};

void BoundsCache::Impl::set_time(stage::Time time) {
  if (time == transforms_.time()) return;
  transforms_.set_time(time);
  clear();
}

void BoundsCache::Impl::clear() {
  transforms_.clear();
  entries_.clear();
}

std::size_t BoundsCache::Impl::KeyHash::operator()(const Key& key) const noexcept {
  std::uint64_t h = (key.context + 0x9E3779B97F4A7C15ULL) * 0xBF58476D1CE4E5B9ULL;
  const Visit& visit = key.visit;
  h ^= (std::uint64_t{key.node} << 8U) + static_cast<std::uint64_t>(visit.inherited.purpose) * 8U +
       (visit.inherited.inheritable ? 4U : 0U) + (visit.in_prototype ? 2U : 0U) +
       (visit.in_place ? 1U : 0U);
  h = (h ^ (h >> 31U)) * 0x94D049BB133111EBULL;
  return h ^ (h >> 29U);
}

const BoundsCache::Impl::Entry* BoundsCache::Impl::find(const Prim& prim,
                                                        const Visit& visit) const {
  auto found = entries_.find({prim.node(), prim.instance_context(), visit});
  if (found == entries_.end() && prim.is_instance_proxy()) {
    found = entries_.find({prim.node(), kEveryContext, visit});
  }
  return found == entries_.end() ? nullptr : &found->second;
}

void BoundsCache::Impl::store(const Prim& prim, const Visit& visit, const Entry& entry) {
  const bool shared = prim.is_instance_proxy() && !entry.depends_on_place;
  const std::uint64_t context = shared ? kEveryContext : prim.instance_context();
  entries_.insert_or_assign({prim.node(), context, visit}, entry);
}

void BoundsCache::Impl::complain(const Prim& prim, const char* code, const char* message) const {
  stage::Reporter(prim, options_.diagnostics).add(Severity::warning, code, prim, message);
}

// Whether a child counts. Who ignores visibility looks everywhere.
bool BoundsCache::Impl::is_included(const Prim& prim, bool in_prototype) const {
  return (options_.ignore_visibility && !in_prototype) || is_shown(prim, time());
}

// The boxes of a model by purpose: two corners each for default, render, proxy and guide; those at
// the end may be missing.
std::optional<BoundingBox> BoundsCache::Impl::hint(const Prim& prim) const {
  const stage::Attribute attribute = prim.attribute("extentsHint");
  if (!attribute) return std::nullopt;
  const auto corners = attribute.get_array<Vector3f>(time());
  if (!corners || !is_model(prim)) return std::nullopt;
  BoundingBox box;
  for (const Purpose purpose :
       {Purpose::default_, Purpose::render, Purpose::proxy, Purpose::guide}) {
    const std::size_t i = 2 * static_cast<std::size_t>(purpose);
    if (!options_.purposes.contains(purpose) || i + 1 >= corners->size()) continue;
    const Range3f range{(*corners)[i], (*corners)[i + 1]};
    if (range.min.allFinite() && range.max.allFinite()) add(widened(range), box.range);
  }
  return box;
}

// The box of a prim that is not made of its children's.
std::optional<BoundsCache::Impl::Entry> BoundsCache::Impl::own_box(const Prim& prim,
                                                                   PurposeInfo purpose,
                                                                   bool in_prototype) {
  Entry entry;
  if (options_.use_extents_hint && !in_prototype) {
    if (const auto box = hint(prim)) {
      entry.box = *box;
      entry.depends_on_place = true;  // Whether it is a model depends on its ancestors.
      return entry;
    }
  }
  if (!prim.is_a(SchemaType::boundable)) return std::nullopt;
  const PurposeSet& counted = in_prototype ? kShownPurposes : options_.purposes;
  if (!counted.contains(purpose.purpose)) return entry;
  std::optional<Range3f> range;
  if (options_.extent_of) {
    range = options_.extent_of(prim, time());
    entry.depends_on_place = true;
  }
  if (range && !(range->min.allFinite() && range->max.allFinite())) range.reset();
  if (!range) range = extent(prim, time(), options_.diagnostics);
  if (!range && prim.is_a(SchemaType::point_instancer)) return std::nullopt;
  if (range) {
    entry.box.range = widened(*range);
  } else {
    complain(prim, "geom-no-extent", "The prim has no extent, and none can be computed.");
  }
  return entry;
}

// Gives the box of a prim if it is known without visiting its children; else begins to visit them,
// in its own space until another one is set.
void BoundsCache::Impl::begin(const Prim& prim, Visit visit, Entry& result) {
  result = {};
  const bool is_instancer = prim.is_a(SchemaType::point_instancer);
  if (prim.is_a(SchemaType::boundable) && !is_instancer) visit.in_place = false;
  if (const Entry* known = find(prim, visit)) {
    result = *known;
    return;
  }
  const PurposeInfo purpose = compute_purpose(prim, visit.inherited);
  if (std::optional<Entry> own = own_box(prim, purpose, visit.in_prototype)) {
    result = *own;
    store(prim, visit, result);
    return;
  }
  if (is_instancer) {
    if (is_being_visited(prim)) {
      complain(prim, "geom-instancer", "The prim shows itself; its instances are left out there.");
      return;
    }
    auto instancer = std::make_unique<Instancer>();
    instancer->shown = *read_point_instances(prim, time(), options_.diagnostics);
    if (!instancer->shown.consistent) {
      complain(prim, "geom-no-extent",
               "The prim has no extent, and its arrays do not fit each other: none is computed.");
      store(prim, visit, result);
      return;
    }
    frames_.push_back({prim, Prim(), visit, purpose, {}, std::move(instancer)});
    return;
  }
  // Whether a hint counts depends on the kinds of the ancestors, which instances may not share.
  const bool has_hint =
      options_.use_extents_hint && !visit.in_prototype && prim.attribute("extentsHint");
  frames_.push_back({prim, prim.first_child(), visit, purpose, {{}, has_hint}, nullptr});
}

bool BoundsCache::Impl::is_being_visited(const Prim& prim) const {
  return std::any_of(frames_.begin(), frames_.end(),
                     [&](const Frame& frame) { return frame.prim == prim; });
}

// The child or prototype to visit next; invalid after the last.
Prim BoundsCache::Impl::next_child(Frame& frame) const {
  if (frame.instancer == nullptr) {
    while (frame.next) {
      const Prim child = frame.next;
      frame.next = child.next_sibling();
      if (child.matches(kMeasured) && is_included(child, frame.visit.in_prototype)) return child;
    }
    return {};
  }
  Instancer& instancer = *frame.instancer;
  while (instancer.boxes.size() < instancer.shown.prototypes.size()) {
    const Prim prototype = instancer.shown.prototypes[instancer.boxes.size()];
    instancer.boxes.emplace_back();
    if (prototype && !prototype.is_root()) return prototype;
  }
  return {};
}

// A child has its box. Where all stand in one space, what is turned is measured once.
void BoundsCache::Impl::accept(const Prim& child, const Entry& of_child,
                               const std::optional<Matrix4d>& placement, Frame& parent) const {
  parent.entry.depends_on_place |= of_child.depends_on_place;
  if (parent.instancer != nullptr) {
    parent.instancer->boxes.back() = of_child.box;
    // Elsewhere in an instance, a prototype inherits from what is not known here.
    parent.entry.depends_on_place |= child.is_instance_proxy() && child.parent() != parent.prim;
    return;
  }
  if (of_child.box.empty()) return;
  if (!placement) {
    complain(child, "geom-bounds-transform",
             "The prim resets the transform stack below a transform that flattens space.");
    return;
  }
  add(aligned_range(placed(child, of_child.box, *placement)), parent.entry.box.range);
}

// All children have their boxes.
void BoundsCache::Impl::finish(Frame& frame) const {
  if (frame.instancer != nullptr) {
    add_instances(frame);
  } else {
    frame.entry.box.matrix = frame.prim_from_space;
  }
}

// A prototype stands where its own transform has it, seen from each instance.
void BoundsCache::Impl::add_instances(Frame& frame) const {
  for (std::size_t i = 0; i < frame.instancer->boxes.size(); ++i) {
    BoundingBox& box = frame.instancer->boxes[i];
    if (box.empty()) continue;
    const Prim& prototype = frame.instancer->shown.prototypes[i];
    box = placed(prototype, box,
                 local_transform(prototype, time(), options_.diagnostics).parent_from_prim);
  }
  for (const PointInstance& instance : frame.instancer->shown.instances) {
    const BoundingBox& box = frame.instancer->boxes[instance.prototype];
    const Matrix4d matrix = measured_transform(instance) * box.matrix;
    add(aligned_range({box.range, matrix}), frame.entry.box.range);
  }
}

// Nothing if a child that resets the stack cannot be seen from its parent.
std::optional<Matrix4d> BoundsCache::Impl::parent_from(const Prim& child, bool& resets_stack) {
  const LocalTransform local = local_transform(child, time(), options_.diagnostics);
  resets_stack = local.resets_stack;
  if (!local.resets_stack) return local.parent_from_prim;
  const Matrix4d world = transforms_.world_from_prim(child.parent());
  if (!can_be_undone(world)) return std::nullopt;
  return Matrix4d(inverse(world) * local.parent_from_prim);
}

// The space of a prim that is asked for itself: of the nearest component, of the instance that it
// is seen from, or the world.
Matrix4d BoundsCache::Impl::space_from(const Prim& prim, bool in_place) {
  Prim top = prim;
  while (!top.is_root() && !has_own_axes(top) && (in_place || top == prim || !top.is_instance())) {
    top = top.parent();
  }
  if (top == prim) return Matrix4d::Identity();
  const Matrix4d world_from_prim = transforms_.world_from_prim(prim);
  if (top.is_root()) return world_from_prim;
  return Matrix4d(inverse(transforms_.world_from_prim(top)) * world_from_prim);
}

// A space that there is no way back from is not one to measure in.
void BoundsCache::Impl::measure_in(const Matrix4d& space_from_prim, bool depends_on_place,
                                   Frame& frame) {
  const Matrix4d prim_from_space = inverse(space_from_prim);
  frame.space_depends_on_place = depends_on_place;
  frame.entry.depends_on_place |= depends_on_place;
  frame.space_is_lost = !prim_from_space.allFinite();
  if (frame.space_is_lost) return;
  frame.space_from_prim = space_from_prim;
  frame.prim_from_space = prim_from_space;
}

// Visits a child of the last frame.
void BoundsCache::Impl::visit_child(const Prim& child) {
  const std::size_t parent = frames_.size() - 1;
  Visit visit = frames_[parent].visit;
  visit.inherited = frames_[parent].purpose;
  // From an instance on, what is below is the same in every place.
  const bool of_instance = frames_[parent].prim.is_instance();
  if (of_instance) visit.in_place = false;
  Entry of_child;
  begin(child, visit, of_child);
  const bool is_done = frames_.size() == parent + 1;
  std::optional<Matrix4d> placement;
  if (!is_done || !of_child.box.empty()) {
    bool resets_stack = false;
    const std::optional<Matrix4d> local = parent_from(child, resets_stack);
    Frame& above = frames_[parent];
    above.entry.depends_on_place |= resets_stack;
    if (local) placement = Matrix4d(above.space_from_prim * *local);
    if (!is_done) {
      frames_.back().placement = placement;
      const std::optional<Matrix4d>& space = of_instance ? local : placement;
      const bool is_own = has_own_axes(child);
      const bool is_lost = !is_own && (!space || (!of_instance && above.space_is_lost));
      const bool is_moved = resets_stack || (!of_instance && above.space_depends_on_place);
      frames_.back().space_is_lost = is_lost;
      if (!is_lost && !is_own) measure_in(*space, is_moved, frames_.back());
    }
  }
  if (is_done) accept(child, of_child, placement, frames_[parent]);
}

// Visits a prototype of the last frame. It inherits where it is, not from who shows it.
void BoundsCache::Impl::visit_prototype(const Prim& prototype) {
  const std::size_t parent = frames_.size() - 1;
  const Frame& above = frames_[parent];
  const bool in_place =
      prototype.is_instance_proxy() && (above.visit.in_place || !above.prim.is_instance_proxy());
  Entry entry;
  begin(prototype, {compute_purpose(prototype.parent()), true, in_place}, entry);
  if (frames_.size() == parent + 1) {
    accept(prototype, entry, {}, frames_[parent]);
  } else if (frames_.back().instancer == nullptr) {
    measure_in(space_from(prototype, in_place), in_place, frames_.back());
  }
}

BoundingBox BoundsCache::Impl::placed(const Prim& prim, const BoundingBox& box,
                                      const Matrix4d& transform) const {
  BoundingBox result = box;
  result.matrix = Matrix4d(transform * box.matrix);
  if (box.empty() || result.matrix.allFinite()) return result;
  complain(prim, "geom-bounds-transform", "The transform has numbers that are not finite.");
  return {};
}

BoundingBox BoundsCache::Impl::compute(const Prim& prim) {
  const Prim parent = prim.parent();
  const bool in_place = prim.is_instance_proxy();
  Entry result;
  frames_.clear();
  begin(prim, {parent ? compute_purpose(parent) : PurposeInfo(), false, in_place}, result);
  if (!frames_.empty() && frames_.back().instancer == nullptr) {
    measure_in(space_from(prim, in_place), in_place, frames_.back());
  }
  while (!frames_.empty()) {
    if (const Prim child = next_child(frames_.back())) {
      if (frames_.back().instancer != nullptr) {
        visit_prototype(child);
      } else {
        visit_child(child);
      }
      continue;
    }
    Frame done = std::move(frames_.back());
    frames_.pop_back();
    finish(done);
    store(done.prim, done.visit, done.entry);
    result = done.entry;
    if (!frames_.empty()) accept(done.prim, result, done.placement, frames_.back());
  }
  return result.box;
}

BoundsCache::BoundsCache(stage::Time time, BoundsOptions options)
    : impl_(std::make_unique<Impl>(time, std::move(options))) {}

BoundsCache::BoundsCache(BoundsCache&& other) noexcept = default;
BoundsCache& BoundsCache::operator=(BoundsCache&& other) noexcept = default;
BoundsCache::~BoundsCache() = default;

stage::Time BoundsCache::time() const noexcept {
  return impl_->time();
}

void BoundsCache::set_time(stage::Time time) {
  impl_->set_time(time);
}

void BoundsCache::clear() {
  impl_->clear();
}

BoundingBox BoundsCache::untransformed_bound(const Prim& prim) {
  return impl_->compute(prim);
}

BoundingBox BoundsCache::local_bound(const Prim& prim) {
  const BoundingBox box = impl_->compute(prim);
  if (prim.is_root()) return box;
  return impl_->placed(prim, box, local_transform(prim, time()).parent_from_prim);
}

BoundingBox BoundsCache::world_bound(const Prim& prim) {
  const BoundingBox box = impl_->compute(prim);
  return impl_->placed(prim, box, impl_->world_from_prim(prim));
}

Result<BoundingBox> BoundsCache::relative_bound(const Prim& prim, const Prim& space) {
  const Matrix4d world_from_space = impl_->world_from_prim(space);
  if (!can_be_undone(world_from_space)) {
    return {ErrorCode::not_invertible,
            format_text("the transform of <{}> flattens space", space.path().view())};
  }
  return impl_->placed(prim, world_bound(prim), inverse(world_from_space));
}

}  // namespace sinew::geom
