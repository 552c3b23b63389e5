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

#include <fmt/format.h>
#include <Eigen/Geometry>

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

// Prims whose payload was left out count: they may have hints and extents.
constexpr stage::Traversal kCounted = {.unloaded = true, .instance_proxies = true};

double determinant(const Matrix4d& m) {
  const Eigen::Matrix3d linear = m.topLeftCorner<3, 3>();
  return linear.determinant();
}

// Not flat, and finite.
bool can_be_undone(const Matrix4d& m) {
  return m.allFinite() && std::abs(determinant(m)) > kFlat;
}

Matrix4d inverse(const Matrix4d& m) {
  return Eigen::Affine3d(m).inverse().matrix();
}

void add(const Range3d& other, Range3d& range) {
  if (other.empty()) return;
  range.min = range.min.cwiseMin(other.min);
  range.max = range.max.cwiseMax(other.max);
}

// Grows the first box, in its space, to hold the second.
BoundingBox grown(const BoundingBox& box, const BoundingBox& other) {
  BoundingBox result = box;
  add(aligned_range({other.range, inverse(box.matrix) * other.matrix}), result.range);
  return result;
}

double volume(const BoundingBox& box) {
  return std::abs(determinant(box.matrix) * (box.range.max - box.range.min).prod());
}

Range3d widened(const Range3f& range) {
  if (range.empty()) return {};
  return {range.min.cast<double>(), range.max.cast<double>()};
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
  struct Key {
    std::uint32_t node;
    std::uint64_t context;
    PurposeInfo inherited;  // From the parent.
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
    PurposeInfo inherited;
    PurposeInfo purpose;
    Entry entry;
    std::unique_ptr<Instancer> instancer;
  };

  const Entry* find(const Prim& prim, PurposeInfo inherited) const;
  void store(const Prim& prim, PurposeInfo inherited, const Entry& entry);
  bool is_included(const Prim& prim) const;
  std::optional<Entry> own_box(const Prim& prim, PurposeInfo purpose);
  std::optional<BoundingBox> hint(const Prim& prim) const;
  void begin(const Prim& prim, PurposeInfo inherited, Entry& result);
  Prim next_child(Frame& frame) const;
  void accept(const Prim& child, const Entry& of_child, Frame& parent);
  void add_child(const Prim& child, const Entry& of_child, Entry& parent);
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
  h ^= (std::uint64_t{key.node} << 8U) + static_cast<std::uint64_t>(key.inherited.purpose) * 2U +
       (key.inherited.inheritable ? 1U : 0U);
  h = (h ^ (h >> 31U)) * 0x94D049BB133111EBULL;
  return h ^ (h >> 29U);
}

const BoundsCache::Impl::Entry* BoundsCache::Impl::find(const Prim& prim,
                                                        PurposeInfo inherited) const {
  auto found = entries_.find({prim.node(), prim.instance_context(), inherited});
  if (found == entries_.end() && prim.is_instance_proxy()) {
    found = entries_.find({prim.node(), kEveryContext, inherited});
  }
  return found == entries_.end() ? nullptr : &found->second;
}

void BoundsCache::Impl::store(const Prim& prim, PurposeInfo inherited, const Entry& entry) {
  const bool shared = prim.is_instance_proxy() && !entry.depends_on_place;
  const std::uint64_t context = shared ? kEveryContext : prim.instance_context();
  entries_.insert_or_assign({prim.node(), context, inherited}, entry);
}

void BoundsCache::Impl::complain(const Prim& prim, const char* code, const char* message) const {
  stage::Reporter(prim.stage(), options_.diagnostics).add(Severity::warning, code, prim, message);
}

// A prim without a known type may hold anything; one with a type holds geometry only if it can be
// seen.
bool BoundsCache::Impl::is_included(const Prim& prim) const {
  if (!prim.is_a(SchemaType::typed)) return true;
  if (!prim.is_a(SchemaType::imageable)) return false;
  return options_.ignore_visibility || own_visibility(prim, time()) == Visibility::inherited;
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
                                                                   PurposeInfo purpose) {
  Entry entry;
  if (options_.use_extents_hint) {
    if (const auto box = hint(prim)) {
      entry.box = *box;
      entry.depends_on_place = true;  // Whether it is a model depends on its ancestors.
      return entry;
    }
  }
  if (!prim.is_a(SchemaType::boundable)) return std::nullopt;
  if (!options_.purposes.contains(purpose.purpose)) return entry;
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

// Gives the box of a prim if it is known without visiting its children; else begins to visit them.
void BoundsCache::Impl::begin(const Prim& prim, PurposeInfo inherited, Entry& result) {
  result = {};
  if (const Entry* known = find(prim, inherited)) {
    result = *known;
    return;
  }
  if (!prim.is_root() && !is_included(prim)) {
    store(prim, inherited, result);
    return;
  }
  const PurposeInfo purpose = compute_purpose(prim, inherited);
  if (std::optional<Entry> own = own_box(prim, purpose)) {
    result = *own;
    store(prim, inherited, result);
    return;
  }
  if (prim.is_a(SchemaType::point_instancer)) {
    if (is_being_visited(prim)) {
      complain(prim, "geom-instancer", "The prim shows itself; its instances are left out there.");
      return;
    }
    auto instancer = std::make_unique<Instancer>();
    instancer->shown = *read_point_instances(prim, time(), options_.diagnostics);
    frames_.push_back({prim, Prim(), inherited, purpose, {}, std::move(instancer)});
    return;
  }
  // Whether a hint counts depends on the kinds of the ancestors, which instances may not share.
  const bool has_hint = options_.use_extents_hint && prim.attribute("extentsHint");
  frames_.push_back({prim, prim.first_child(), inherited, purpose, {{}, has_hint}, nullptr});
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
      if (child.matches(kCounted)) return child;
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

// A child has its box.
void BoundsCache::Impl::accept(const Prim& child, const Entry& of_child, Frame& parent) {
  if (parent.instancer != nullptr) {
    parent.instancer->boxes.back() = of_child.box;
    // Elsewhere in an instance, a prototype inherits from what is not known here.
    parent.entry.depends_on_place |=
        of_child.depends_on_place || (child.is_instance_proxy() && child.parent() != parent.prim);
  } else {
    add_child(child, of_child, parent.entry);
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
    const Matrix4d matrix = instance.transform() * box.matrix;
    add(aligned_range({box.range, matrix}), frame.entry.box.range);
  }
}

void BoundsCache::Impl::add_child(const Prim& child, const Entry& of_child, Entry& parent) {
  parent.depends_on_place |= of_child.depends_on_place;
  if (of_child.box.empty()) return;
  LocalTransform local = local_transform(child, time(), options_.diagnostics);
  if (local.resets_stack) {
    parent.depends_on_place = true;
    const Prim space = child.parent();
    const Matrix4d world = transforms_.world_from_prim(space);
    if (!can_be_undone(world)) {
      complain(child, "geom-bounds-transform",
               "The prim resets the transform stack below a transform that flattens space.");
      return;
    }
    local.parent_from_prim = Matrix4d(inverse(world) * local.parent_from_prim);
  }
  parent.box = combine(parent.box, placed(child, of_child.box, local.parent_from_prim));
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
  Entry result;
  frames_.clear();
  begin(prim, parent ? compute_purpose(parent) : PurposeInfo(), result);
  while (!frames_.empty()) {
    const std::size_t depth = frames_.size();
    const Prim child = next_child(frames_.back());
    if (!child) {
      Frame done = std::move(frames_.back());
      frames_.pop_back();
      if (done.instancer != nullptr) add_instances(done);
      store(done.prim, done.inherited, done.entry);
      result = done.entry;
      if (!frames_.empty()) accept(done.prim, result, frames_.back());
      continue;
    }
    // A prototype inherits where it is, not from who shows it.
    const PurposeInfo inherited = frames_.back().instancer != nullptr
                                      ? compute_purpose(child.parent())
                                      : frames_.back().purpose;
    Entry of_child;
    begin(child, inherited, of_child);
    if (frames_.size() == depth) accept(child, of_child, frames_.back());
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
            fmt::format("the transform of <{}> flattens space", space.path().view())};
  }
  return impl_->placed(prim, world_bound(prim), inverse(world_from_space));
}

}  // namespace sinew::geom
