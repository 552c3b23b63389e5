// SPDX-License-Identifier: Apache-2.0
#include "sinew/physics/collision_classes.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "physics/shared/indexed.hpp"

namespace sinew::physics {
namespace {

bool touches_nothing(const Shape& shape) noexcept {
  return !shape.is_valid || !shape.collision_enabled;
}

// The body that a shape moves with; kNone for all that stand still.
std::int32_t moving_body(const PhysicsModel& model, const Shape& shape) noexcept {
  const bool moves = model.has_body(shape.body) && model.body(shape.body).rigid_body_enabled;
  return moves ? shape.body : kNone;
}

enum class Known : std::uint8_t { open, yes, no };

// A square of what is known of pairs of classes, which grows by one class at a time.
class KnownPairs {
 public:
  std::size_t count() const noexcept { return rows_.size(); }
  Known get(std::size_t a, std::size_t b) const { return rows_[std::max(a, b)][std::min(a, b)]; }
  void set(std::size_t a, std::size_t b, Known value) {
    rows_[std::max(a, b)][std::min(a, b)] = value;
  }
  void add() { rows_.emplace_back(rows_.size() + 1, Known::open); }

 private:
  std::vector<std::vector<Known>> rows_;
};

// What is known of a shape, or of a class, and every shape that rules speak of: two bits each.
class Row {
 public:
  explicit Row(std::size_t shapes) : known_((shapes + 63) / 64), yes_((shapes + 63) / 64) {}
  void set(std::size_t i, bool collides) {
    known_[i / 64] |= std::uint64_t{1} << (i % 64);
    if (collides) yes_[i / 64] |= std::uint64_t{1} << (i % 64);
  }
  bool agrees(const Row& other) const noexcept {
    for (std::size_t i = 0; i < known_.size(); ++i) {
      if ((known_[i] & other.known_[i] & (yes_[i] ^ other.yes_[i])) != 0) return false;
    }
    return true;
  }
  void take(const Row& other) noexcept {
    for (std::size_t i = 0; i < known_.size(); ++i) {
      known_[i] |= other.known_[i];
      yes_[i] |= other.yes_[i];
    }
  }

 private:
  std::vector<std::uint64_t> known_;
  std::vector<std::uint64_t> yes_;
};

}  // namespace

CollisionClasses collision_classes(const PhysicsModel& model, const PairFilter& filter) {
  CollisionClasses result;
  const auto shapes = static_cast<std::int32_t>(model.shapes.size());
  result.class_of_shape.assign(model.shapes.size(), kNone);
  KnownPairs known;
  std::vector<Row> rows;  // Of the classes.
  std::vector<std::int32_t> ruled;
  std::vector<std::int32_t> bodies;
  for (std::int32_t s = 0; s < shapes; ++s) {
    if (touches_nothing(at(model.shapes, s))) continue;
    if (filter.has_rules(s)) {
      ruled.push_back(s);
      bodies.push_back(moving_body(model, at(model.shapes, s)));
      continue;
    }
    if (known.count() == 0) {  // The first class is that of all shapes without rules.
      known.add();
      rows.emplace_back(0);
    }
    at(result.class_of_shape, s) = 0;
  }
  const std::size_t first = known.count();
  if (first > 0) rows.front() = Row(ruled.size());
  for (std::size_t i = 0; i < ruled.size(); ++i) {
    Row row(ruled.size());
    std::vector<Known> wanted(known.count(), Known::open);  // Of the classes so far.
    for (std::size_t j = 0; j < ruled.size(); ++j) {
      if (bodies[i] == bodies[j]) continue;  // They never meet.
      const bool collides = filter.collides(ruled[i], ruled[j]);
      row.set(j, collides);
      if (j < i) {
        at(wanted, at(result.class_of_shape, ruled[j])) = collides ? Known::yes : Known::no;
      }
    }
    std::size_t fit = first;
    for (; fit < known.count(); ++fit) {
      if (!rows[fit].agrees(row)) continue;
      std::size_t other = 0;
      for (; other < known.count(); ++other) {
        const Known have = known.get(fit, other);
        if (wanted[other] != Known::open && have != Known::open && wanted[other] != have) break;
      }
      if (other == known.count()) break;
    }
    if (fit == known.count()) {
      known.add();
      rows.emplace_back(ruled.size());
      wanted.push_back(Known::open);
    }
    rows[fit].take(row);
    at(result.class_of_shape, ruled[i]) = static_cast<std::int32_t>(fit);
    for (std::size_t other = 0; other < known.count(); ++other) {
      if (wanted[other] != Known::open) known.set(fit, other, wanted[other]);
    }
  }
  result.count = known.count();
  result.matrix.assign(result.count * result.count, true);
  for (std::size_t a = 0; a < result.count; ++a) {
    for (std::size_t b = 0; b < result.count; ++b) {
      result.matrix[a * result.count + b] = known.get(a, b) != Known::no;
    }
  }
  return result;
}

namespace {

// Makes classes one until there are no more than `wanted`. `of` maps the old ones to the new.
std::size_t merge_classes(const CollisionClasses& classes, std::size_t wanted,
                          std::vector<std::size_t>& of, std::vector<std::vector<bool>>& rows) {
  constexpr std::size_t kMostCompared = 1024;
  rows.assign(classes.count, std::vector<bool>(classes.count));
  for (std::size_t a = 0; a < classes.count; ++a) {
    of.push_back(a);
    for (std::size_t b = 0; b < classes.count; ++b) {
      rows[a][b] = classes.matrix[a * classes.count + b];
    }
  }
  std::vector<std::size_t> left = of;
  const auto merge = [&](std::size_t keep, std::size_t gone) {
    for (std::size_t b = 0; b < classes.count; ++b) {
      rows[keep][b] = rows[keep][b] || rows[gone][b];
      rows[b][keep] = rows[b][keep] || rows[b][gone];
    }
    rows[keep][keep] = rows[keep][keep] || rows[gone][gone];
    for (std::size_t& target : of) {
      if (target == gone) target = keep;
    }
    left.erase(std::find(left.begin(), left.end(), gone));
  };
  // Beyond what is worth comparing, the last ones become one.
  while (left.size() > std::max(wanted, kMostCompared)) merge(left[left.size() - 2], left.back());
  // How many of those that are left tell two of them apart. Counted anew after each merge it would
  // take the fourth power of the classes.
  std::vector<std::vector<std::int32_t>> apart(classes.count);
  const auto count_column = [&](std::size_t c, std::int32_t step) {
    std::vector<std::size_t> with, without;
    for (const std::size_t a : left) (rows[a][c] ? with : without).push_back(a);
    for (const std::size_t a : with) {
      for (const std::size_t b : without) apart[std::min(a, b)][std::max(a, b)] += step;
    }
  };
  if (left.size() > wanted) {
    for (const std::size_t a : left) apart[a].assign(classes.count, 0);
    for (const std::size_t c : left) count_column(c, 1);
  }
  while (left.size() > wanted) {
    std::size_t keep = left[0];
    std::size_t gone = left[1];
    for (std::size_t a = 0; a < left.size(); ++a) {
      for (std::size_t b = a + 1; b < left.size(); ++b) {
        if (apart[left[a]][left[b]] >= apart[keep][gone]) continue;
        keep = left[a];
        gone = left[b];
      }
    }
    count_column(keep, -1);
    count_column(gone, -1);
    merge(keep, gone);
    count_column(keep, 1);
    for (const std::size_t other : left) {
      if (other == keep) continue;
      std::int32_t& differ = apart[std::min(keep, other)][std::max(keep, other)];
      differ = 0;
      for (const std::size_t c : left) differ += rows[keep][c] != rows[other][c] ? 1 : 0;
    }
  }
  std::vector<std::size_t> number(classes.count, 0);
  for (std::size_t i = 0; i < left.size(); ++i) number[left[i]] = i;
  std::vector<std::vector<bool>> compact(left.size(), std::vector<bool>(left.size()));
  for (std::size_t a = 0; a < left.size(); ++a) {
    for (std::size_t b = 0; b < left.size(); ++b) compact[a][b] = rows[left[a]][left[b]];
  }
  rows = std::move(compact);
  for (std::size_t& target : of) target = number[target];
  return left.size();
}

}  // namespace

CollisionMasks collision_masks(const PhysicsModel& model, const PairFilter& filter,
                               const CollisionClasses& classes, int bits,
                               std::size_t max_leftover) {
  CollisionMasks result;
  result.of_shape.resize(model.shapes.size());
  const auto wanted = static_cast<std::size_t>(std::clamp(bits, 1, 32));
  std::vector<std::size_t> of;
  std::vector<std::vector<bool>> rows;
  const std::size_t count = merge_classes(classes, wanted, of, rows);
  std::vector<CollisionMasks::Masks> masks(count);
  for (std::size_t a = 0; a < count; ++a) {
    masks[a].group = std::uint32_t{1} << a;
    for (std::size_t b = 0; b < count; ++b) {
      if (rows[a][b]) masks[a].mask |= std::uint32_t{1} << b;
    }
  }
  const auto shapes =
      static_cast<std::int32_t>(std::min(model.shapes.size(), classes.class_of_shape.size()));
  for (std::int32_t s = 0; s < shapes; ++s) {
    const std::int32_t c = at(classes.class_of_shape, s);
    if (c != kNone) at(result.of_shape, s) = masks[at(of, c)];
  }
  result.exact = classes.count <= wanted;
  if (result.exact) return result;
  for (std::int32_t a = 0; a < shapes; ++a) {
    for (std::int32_t b = a + 1; b < shapes; ++b) {
      const PairReason reason = filter.decide(a, b).reason;
      if (reason == PairReason::same_body || reason == PairReason::both_static) continue;
      const CollisionMasks::Masks& ma = at(result.of_shape, a);
      const CollisionMasks::Masks& mb = at(result.of_shape, b);
      const bool meet = (ma.group & mb.mask) != 0 && (mb.group & ma.mask) != 0;
      if (meet == (reason == PairReason::collide)) continue;
      ++result.leftover_count;
      if (result.leftover.size() < max_leftover) result.leftover.emplace_back(a, b);
    }
  }
  return result;
}

ExcludedBodyPairs excluded_body_pairs(const PhysicsModel& model, const PairFilter& filter) {
  ExcludedBodyPairs result;
  struct Carrier {
    std::vector<std::int32_t> ruled;
    std::size_t count = 0;
  };
  std::map<std::int32_t, Carrier> carriers;  // By body, kNone first.
  for (std::int32_t s = 0; s < static_cast<std::int32_t>(model.shapes.size()); ++s) {
    const Shape& shape = at(model.shapes, s);
    if (touches_nothing(shape)) continue;
    Carrier& carrier = carriers[moving_body(model, shape)];
    ++carrier.count;
    if (filter.has_rules(s)) carrier.ruled.push_back(s);
  }
  std::erase_if(carriers, [](const auto& entry) { return entry.second.ruled.empty(); });
  using Entry = std::pair<const std::int32_t, Carrier>;
  const auto look_at = [&](const Entry& a, const Entry& b) {
    std::size_t apart = 0;
    for (const std::int32_t s : a.second.ruled) {
      for (const std::int32_t t : b.second.ruled) apart += filter.collides(s, t) ? 0 : 1;
    }
    if (apart == 0) return;
    const bool all = apart == a.second.count * b.second.count;
    (all ? result.excluded : result.mixed).emplace_back(a.first, b.first);
  };
  if (!model.group_prims.empty() || !filter.filtered_pairs().empty()) {
    for (auto a = carriers.begin(); a != carriers.end(); ++a) {
      for (auto b = std::next(a); b != carriers.end(); ++b) look_at(*a, *b);
    }
    return result;
  }
  // Only joints keep bodies apart, and there may be many bodies: those that one connects, and
  // whatever does not move, which joints may name too.
  std::set<std::pair<std::int32_t, std::int32_t>> pairs;
  for (const auto& [body, carrier] : carriers) pairs.emplace(kNone, body);
  for (const Joint& joint : model.joints) {
    pairs.insert(std::minmax({joint.ends[0].body, joint.ends[1].body}));
  }
  for (const auto& [low, high] : pairs) {
    const auto a = carriers.find(low);
    const auto b = carriers.find(high);
    if (low != high && a != carriers.end() && b != carriers.end()) look_at(*a, *b);
  }
  return result;
}

}  // namespace sinew::physics
