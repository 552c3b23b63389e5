// SPDX-License-Identifier: Apache-2.0
// The children of specs, by the lists that name them.

#include <algorithm>
#include <string>
#include <unordered_set>
#include <utility>

#include "core/format_text.hpp"
#include "core/unicode.hpp"
#include "usdc/layer_reader.hpp"

namespace sinew::usdc {

using Kind = PathTree::Kind;

namespace {

// What is known of a name.
constexpr std::uint8_t kCheckedAsPrim = 1;
constexpr std::uint8_t kIsPrim = 2;
constexpr std::uint8_t kCheckedAsProperty = 4;
constexpr std::uint8_t kIsProperty = 8;
constexpr std::uint8_t kIsOnce = 16;  // It has a Token; of indices with one text one has this flag.

// Longer lists count against the limit of items each time.
constexpr std::uint32_t kFewNames = 64;

}  // namespace

// A child that cannot be: no layer, or it is left out if what was read is kept.
bool LayerReader::bad_child(std::uint32_t parent, std::string_view name, std::string_view what,
                            std::uint64_t at) {
  constexpr std::string_view kCode = "usdc-children";
  std::string message = format_text("the child '{}' of <{}> is {}", name.substr(0, kMaxNameBytes),
                                    path_of(parent), what);
  if (c_.options.on_error == OnError::keep_what_was_read) {
    is_complete_ = false;
    if (c_.report.wants(kCode)) {
      c_.report.add(Severity::error, kCode, format_text("{} (at byte {})", message, at),
                    path_of(parent));
    }
    return true;
  }
  const bool is_first = !std::exchange(is_rejected_, true);
  return is_first ? c_.report.reject(kCode, message, at) : false;
}

bool LayerReader::is_good_name(std::uint32_t token, Kind kind) {
  const std::string_view text = c_.tables.tokens.text(token);
  const bool is_short = text.size() <= kMaxNameBytes;
  std::uint8_t& flags = name_flags_[token];
  if (kind == Kind::prim) {
    if ((flags & kCheckedAsPrim) == 0) {
      const bool is_prim = is_short && layer::is_identifier(text);
      flags = static_cast<std::uint8_t>(flags | kCheckedAsPrim | (is_prim ? kIsPrim : 0));
    }
    return (flags & kIsPrim) != 0;
  }
  if (kind == Kind::property) {
    if ((flags & kCheckedAsProperty) == 0) {
      const bool is_property = is_short && layer::is_property_name(text);
      flags =
          static_cast<std::uint8_t>(flags | kCheckedAsProperty | (is_property ? kIsProperty : 0));
    }
    return (flags & kIsProperty) != 0;
  }
  return is_short && is_variant_name(text) && !text.empty();
}

// Makes tokens of names in a list, and notes what is known of each.
void LayerReader::meet_names(std::span<const std::uint32_t> names, Kind kind) {
  values_.make_tokens(names);
  for (const std::uint32_t name : names) {
    is_good_name(name, kind);  // Which notes it.
    if (!c_.tables.tokens.was_known(name)) {
      name_flags_[name] = static_cast<std::uint8_t>(name_flags_[name] | kIsOnce);
    }
  }
}

// The child whose name has the text of another token. Only files that hold a text twice need this.
std::uint32_t LayerReader::find_by_text(std::uint32_t parent, Kind kind, std::uint32_t name) {
  const TokenList& tokens = c_.tables.tokens;
  if (has_duplicate_texts_ < 0 && kind != Kind::variant_set) {
    std::unordered_set<std::string_view> texts;
    has_duplicate_texts_ = 0;
    for (std::uint32_t i = 0; i < tokens.size() && has_duplicate_texts_ == 0; ++i) {
      if (!texts.insert(tokens.text(i)).second) has_duplicate_texts_ = 1;
    }
  }
  if (has_duplicate_texts_ == 0 && kind != Kind::variant_set) return kNone;
  const std::string_view text = tokens.text(name);
  const auto& tree = c_.paths.items();
  for (std::uint32_t i = c_.paths.first_child(parent); i != kNone; i = tree[i].next) {
    if (!c_.budget->take_items(1)) {
      limit(parent, "items", c_.options.limits.value_items);
      return kNone;
    }
    if (tree[i].kind != kind || !tree[i].has_spec()) continue;
    std::string_view element = tokens.text(tree[i].token);
    if (kind == Kind::variant_set) element = element.substr(1, element.size() - 3);
    if (element == text) return i;
  }
  return kNone;
}

// The child of one kind that has a name, or kNone.
std::uint32_t LayerReader::listed_item(std::uint32_t parent, Kind kind, std::uint32_t name) {
  if (kind != Kind::variant_set) {
    const std::uint32_t item = (kind == Kind::prim ? prim_slots_ : property_slots_)[name];
    if (item != kNone && c_.paths.items()[item].parent == parent) return item;
  }
  return find_by_text(parent, kind, name);
}

// Takes the child of a name for a list, whatever is known of the name.
bool LayerReader::take_listed(std::uint32_t parent, Kind kind, std::uint32_t name, std::uint64_t at,
                              std::uint32_t& taken, bool& any_known) {
  const std::uint32_t item = listed_item(parent, kind, name);
  taken = kNone;
  if (is_rejected_) return false;
  if (item == kNone || !is_good_name(name, kind)) {
    return bad_child(parent, c_.tables.tokens.text(name), "missing", at);
  }
  if (is_placed_[item] != 0) {
    return bad_child(parent, c_.tables.tokens.text(name), "listed twice", at);
  }
  is_placed_[item] = 1;
  taken = item;
  if (kind == Kind::variant_set) return true;
  const std::uint32_t token = c_.paths.items()[item].token;
  values_.token(token);
  if (c_.tables.tokens.was_known(token)) any_known = true;
  return true;
}

// The items of the children of one kind, in the order of their list. So many are `present`.
bool LayerReader::list_children(std::uint32_t parent, Kind kind, NameList names,
                                std::size_t present, LargeVector<std::uint32_t>& items) {
  items.clear();
  if (names.count == 0) {
    if (present != 0) report_unlisted(parent, kind);
    return true;
  }
  if (names.count > kFewNames && !c_.budget->take_items(names.count)) {
    return limit(parent, "items", c_.options.limits.value_items);
  }
  items.resize(names.count);
  bool any_known = kind == Kind::variant_set;           // Those are few.
  const int wanted = kind == Kind::variant_set ? 0x100  // No name has it.
                     : kind == Kind::prim      ? kIsOnce | kIsPrim
                                               : kIsOnce | kIsProperty;
  // Marks are bytes, which may be anything for all the compiler knows: it is not to look up again
  // where everything is after each.
  const std::uint32_t* const listed = name_pool_.data() + names.first;
  const std::uint32_t* const slots =
      kind == Kind::prim ? prim_slots_.data() : property_slots_.data();
  const PathTree::Item* const tree = c_.paths.items().data();
  const std::uint8_t* const flags = name_flags_.data();
  std::uint8_t* const is_placed = is_placed_.data();
  std::uint32_t* const begin = items.data();
  std::uint32_t* next = begin;
  std::uint32_t met = kind == Kind::variant_set ? names.count : 0;
  for (std::uint32_t k = 0; k < names.count; ++k) {
    const std::uint32_t name = listed[k];
    if (k >= met && (flags[name] & wanted) != wanted) {
      const auto together = std::min<std::uint32_t>(TokenList::kTogether, names.count - k);
      meet_names({listed + k, together}, kind);
      met = k + together;
    }
    std::uint32_t item = slots[name];
    if ((flags[name] & wanted) == wanted && item != kNone && tree[item].parent == parent &&
        is_placed[item] == 0) {
      is_placed[item] = 1;
    } else {
      if (!take_listed(parent, kind, name, names.at, item, any_known)) return false;
    }
    if (item != kNone) *next++ = item;
  }
  items.resize(static_cast<std::size_t>(next - begin));
  if (any_known && may_repeat(items) && !drop_repeated(parent, kind, names.at, items)) {
    return false;
  }
  if (items.size() < present) report_unlisted(parent, kind);
  return true;
}

// Prims of the same fields mostly are leaves that have the same properties at the same places of
// the tree. Whether these are, and nothing else; then they are listed, without looking for each.
bool LayerReader::properties_as_before(std::uint32_t prim, const PrimPlan& plan) {
  if (plan.places == kNone) return false;
  const std::uint32_t count = plan.properties.count;
  const auto& tree = c_.paths.items();
  // Behind so many children in a row there is no other.
  if (count >= tree.size() - prim || tree[prim + count].next != kNone) return false;
  const std::uint32_t* const names = name_pool_.data() + plan.properties.first;
  const std::uint32_t* const places = place_pool_.data() + plan.places;
  if (listed_.size() != count) listed_.resize(count);
  std::uint32_t* const items = listed_.data();
  for (std::uint32_t k = 0; k < count; ++k) {
    const std::uint32_t item = prim + places[k];
    const PathTree::Item& property = tree[item];
    if (property.parent != prim || property.token != names[k] || property.kind != Kind::property ||
        !property.has_spec()) {
      return false;
    }
    items[k] = item;
  }
  return true;
}

// Of a prim whose children are properties alone, which have just been listed: what the above needs,
// if it holds for this one.
void LayerReader::remember_places(std::uint32_t prim, PrimPlan& plan) {
  const std::uint32_t count = plan.properties.count;
  if (plan.children.count + plan.variant_sets.count + plan.variants.count != 0 || count == 0 ||
      count > kFewNames || listed_.size() != count || plan.places != kNone) {
    return;
  }
  const auto is_near = [&](std::uint32_t item) { return item - prim <= count; };
  if (!std::all_of(listed_.begin(), listed_.end(), is_near)) return;
  plan.places = static_cast<std::uint32_t>(place_pool_.size());
  for (const std::uint32_t item : listed_) place_pool_.push_back(item - prim);
}

// Whether two children may have the same name: few are looked at. Only files that hold a text twice
// have such.
bool LayerReader::may_repeat(const LargeVector<std::uint32_t>& items) {
  if (items.size() > layer::LayerAccess::Impl::kScanLimit) return true;
  const auto& tree = c_.paths.items();
  const auto text = [&](std::uint32_t item) { return c_.tables.tokens.text(tree[item].token); };
  for (std::size_t i = 1; i < items.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      if (text(items[i]) == text(items[k])) return true;
    }
  }
  return false;
}

bool LayerReader::drop_repeated(std::uint32_t parent, Kind kind, std::uint64_t at,
                                LargeVector<std::uint32_t>& items) {
  std::unordered_set<std::string_view> texts;
  LargeVector<std::uint32_t> distinct;
  for (const std::uint32_t item : items) {
    std::string_view name = c_.tables.tokens.text(c_.paths.items()[item].token);
    if (texts.insert(name).second) {
      distinct.push_back(item);
      continue;
    }
    if (kind == Kind::variant_set) name = name.substr(1, name.size() - 3);
    if (!bad_child(parent, name, "listed twice", at)) return false;
  }
  items = std::move(distinct);
  return true;
}

void LayerReader::report_unlisted(std::uint32_t parent, Kind kind) {
  const auto& tree = c_.paths.items();
  for (std::uint32_t i = c_.paths.first_child(parent); i != kNone; i = tree[i].next) {
    if (tree[i].kind != kind || !tree[i].has_spec() || is_placed_[i] != 0) continue;
    note(Severity::warning, "usdc-children", "this is not in the list of children and is left out",
         i);
  }
}

}  // namespace sinew::usdc
