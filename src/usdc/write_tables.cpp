// SPDX-License-Identifier: Apache-2.0
#include "usdc/write_tables.hpp"

#include <algorithm>
#include <cstring>

#include "core/sort.hpp"

namespace sinew::usdc {

void HashIndex::place(std::vector<Slot>& slots, const Slot& slot) {
  std::size_t i = slot.hash & (slots.size() - 1);
  while (slots[i].index != kNoIndex) i = (i + 1) & (slots.size() - 1);
  slots[i] = slot;
}

void HashIndex::insert(std::uint64_t hash, std::uint32_t index) {
  if (2 * (count_ + 1) > slots_.size()) {
    std::vector<Slot> grown(std::max<std::size_t>(16, 2 * slots_.size()));
    for (const Slot& slot : slots_) {
      if (slot.index != kNoIndex) place(grown, slot);
    }
    slots_ = std::move(grown);
  }
  place(slots_, {hash, index});
  ++count_;
}

std::uint32_t TextTable::find(std::string_view text, std::uint64_t& hash) const {
  hash = hash_bytes(std::as_bytes(std::span(text)), seed_);
  return index_.find(hash, [&](std::uint32_t i) { return texts_[i] == text; });
}

std::uint32_t TextTable::append(std::string_view text, std::uint64_t hash) {
  const auto index = static_cast<std::uint32_t>(texts_.size());
  texts_.push_back(text);
  bytes_ += text.size() + 1;
  index_.insert(hash, index);
  return index;
}

std::uint32_t TextTable::add(std::string_view text) {
  std::uint64_t hash = 0;
  const std::uint32_t known = find(text, hash);
  return known != kNoIndex ? known : append(text, hash);
}

std::uint32_t TextTable::add_copy(std::string_view text) {
  std::uint64_t hash = 0;
  const std::uint32_t known = find(text, hash);
  return known != kNoIndex ? known : append(copies_.emplace_back(text), hash);
}

PathTable::PathTable(TextTable& tokens) : tokens_(tokens) {
  nodes_.push_back({kNoIndex, tokens.add(""), Kind::root});
}

std::uint32_t PathTable::add(std::uint32_t parent, Kind kind, std::uint32_t token) {
  const std::uint64_t hash = fold(hash_number((std::uint64_t{parent} << 32) | token, seed_),
                                  static_cast<std::uint64_t>(kind) + seed_.second);
  const std::uint32_t known = index_.find(hash, [&](std::uint32_t i) {
    const Node& node = nodes_[i];
    return node.parent == parent && node.kind == kind && node.token == token;
  });
  if (known != kNoIndex) return known;
  const auto index = static_cast<std::uint32_t>(nodes_.size());
  nodes_.push_back({parent, token, kind});
  index_.insert(hash, index);
  return index;
}

std::uint32_t PathTable::empty_path() {
  if (empty_ == kNoIndex) {
    empty_ = static_cast<std::uint32_t>(nodes_.size());
    nodes_.push_back({kNoIndex, 0, Kind::empty});
  }
  return empty_;
}

namespace {

// Behind the ']' that closes the '[' at the start, or 0 if none does.
std::size_t bracket_length(std::string_view text) noexcept {
  std::size_t depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '[') ++depth;
    if (text[i] == ']' && --depth == 0) return i + 1;
  }
  return 0;
}

}  // namespace

std::optional<std::uint32_t> PathTable::add_path(std::string_view text) {
  if (!text.starts_with('/')) return std::nullopt;
  std::uint32_t node = kRoot;
  bool in_target = false;
  const auto name_length = [](std::string_view rest) {
    return std::min(rest.find_first_of("/.{["), rest.size());
  };
  std::string_view rest = text.substr(1);
  while (!rest.empty()) {
    std::size_t length = 0;
    if (rest.front() == '{') {
      length = rest.find('}') + 1;
      if (length == 0) return std::nullopt;
      node = add(node, Kind::variant, tokens_.add_copy(rest.substr(0, length)));
    } else if (rest.front() == '[') {
      length = bracket_length(rest);
      if (length < 3 || !add_path(rest.substr(1, length - 2))) return std::nullopt;
      node = add(node, Kind::other, tokens_.add_copy(rest.substr(0, length)));
      in_target = true;
    } else if (rest.front() == '.') {
      length = 1 + name_length(rest.substr(1));
      if (length == 1) return std::nullopt;
      // Below a target the dot is part of the element, and there is no mark.
      node = in_target ? add(node, Kind::other, tokens_.add_copy(rest.substr(0, length)))
                       : add(node, Kind::property, tokens_.add_copy(rest.substr(1, length - 1)));
    } else {
      const std::size_t slash = rest.front() == '/' ? 1 : 0;
      const std::size_t name = name_length(rest.substr(slash));
      length = slash + name;
      if (name == 0) return std::nullopt;
      node = add(node, Kind::prim, tokens_.add_copy(rest.substr(slash, name)));
    }
    rest.remove_prefix(length);
  }
  return node;
}

// The children of node i are those from begins[i] to begins[i + 1], in their order.
PathTable::Ordered PathTable::ordered() const {
  std::vector<std::uint32_t> begins(nodes_.size() + 1);
  for (const Node& node : nodes_) {
    if (node.parent != kNoIndex) ++begins[node.parent + 1];
  }
  for (std::size_t i = 0; i < nodes_.size(); ++i) begins[i + 1] += begins[i];
  std::vector<std::uint32_t> children(begins.back());
  std::vector<std::uint32_t> next(begins.begin(), begins.end() - 1);
  for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
    if (nodes_[i].parent != kNoIndex) children[next[nodes_[i].parent]++] = i;
  }
  const auto before = [&](std::uint32_t a, std::uint32_t b) {
    const Node& x = nodes_[a];
    const Node& y = nodes_[b];
    return x.kind != y.kind ? x.kind < y.kind : a < b;
  };
  const auto at = [&](std::uint32_t i) {
    return children.begin() + static_cast<std::ptrdiff_t>(i);
  };
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    sort_range(at(begins[i]), at(begins[i + 1]), before);
  }

  Ordered result;
  struct Open {
    std::uint32_t next;  // Into children: the sibling to come.
    std::uint32_t end;
    std::size_t last_place;  // Of the sibling before it.
  };
  std::vector<Open> open;
  const auto emit = [&](std::uint32_t node) {
    const bool has_child = begins[node] != begins[node + 1];
    result.nodes.push_back(node);
    result.jumps.push_back(has_child ? -1 : -2);
    if (has_child) open.push_back({begins[node], begins[node + 1], 0});
  };
  emit(kRoot);
  while (!open.empty()) {
    Open& level = open.back();
    if (level.next == level.end) {
      open.pop_back();
      continue;
    }
    const std::size_t place = result.nodes.size();
    if (level.last_place != 0) {  // Now its distance to the next sibling is known.
      std::int32_t& jump = result.jumps[level.last_place];
      jump = jump == -2 ? 0 : static_cast<std::int32_t>(place - level.last_place);
    }
    level.last_place = place;
    emit(children[level.next++]);
  }
  return result;
}

std::string PathTable::text(std::uint32_t index) const {
  std::vector<std::uint32_t> chain;
  for (; index != kNoIndex && index != kRoot; index = nodes_[index].parent) chain.push_back(index);
  std::string result = "/";
  Kind above = Kind::root;
  for (auto i = chain.rbegin(); i != chain.rend(); ++i) {
    const Node& node = nodes_[*i];
    if (node.kind == Kind::prim && above == Kind::prim) result += '/';
    if (node.kind == Kind::property) result += '.';
    result += tokens_[node.token];
    above = node.kind;
  }
  return result;
}

std::uint32_t FieldTable::add(const Field& field) {
  const std::uint64_t hash = hash_number(field.rep, seed_) ^ hash_number(~field.token, seed_);
  const std::uint32_t known =
      field_index_.find(hash, [&](std::uint32_t i) { return fields_[i] == field; });
  if (known != kNoIndex) return known;
  const auto index = static_cast<std::uint32_t>(fields_.size());
  fields_.push_back(field);
  field_index_.insert(hash, index);
  return index;
}

std::uint32_t FieldTable::add_run(std::span<const std::uint32_t> run) {
  const std::uint64_t hash = hash_bytes(std::as_bytes(run), seed_);
  const auto is_same = [&](std::uint32_t first) {
    return runs_.size() - first > run.size() &&
           std::equal(run.begin(), run.end(), runs_.begin() + static_cast<std::ptrdiff_t>(first)) &&
           runs_[first + run.size()] == kNoIndex;
  };
  const std::uint32_t known = run_index_.find(hash, is_same);
  if (known != kNoIndex) return known;
  const auto first = static_cast<std::uint32_t>(runs_.size());
  runs_.insert(runs_.end(), run.begin(), run.end());
  runs_.push_back(kNoIndex);
  run_index_.insert(hash, first);
  return first;
}

std::optional<std::uint64_t> ValueTable::find_array(const layer::Value& array,
                                                    std::uint64_t& hash) const {
  const std::span<const std::byte> bytes = array.bytes();
  const auto same_place = [&](std::uint32_t i) {
    const layer::Value& other = arrays_[i].value;
    return other.type() == array.type() && other.bytes().data() == bytes.data() &&
           other.bytes().size() == bytes.size();
  };
  const std::uint32_t shared = buffer_index_.find(hash_of_place(bytes.data()), same_place);
  if (shared != kNoIndex) return arrays_[shared].rep;
  hash = hash_bytes(bytes, seed_) ^ hash_number(static_cast<std::uint64_t>(array.type()), seed_);
  const std::uint32_t known = array_index_.find(hash, [&](std::uint32_t i) {
    const layer::Value& other = arrays_[i].value;
    const std::span<const std::byte> others = other.bytes();
    return other.type() == array.type() && others.size() == bytes.size() &&
           std::memcmp(others.data(), bytes.data(), bytes.size()) == 0;
  });
  if (known == kNoIndex) return std::nullopt;
  return arrays_[known].rep;
}

void ValueTable::add_array(const layer::Value& array, std::uint64_t hash, std::uint64_t rep) {
  const auto index = static_cast<std::uint32_t>(arrays_.size());
  array_index_.insert(hash, index);
  buffer_index_.insert(hash_of_place(array.bytes().data()), index);
  arrays_.push_back({array, rep});
}

std::optional<std::uint64_t> ValueTable::find(Type type, std::span<const std::byte> bytes,
                                              std::uint64_t& hash) const {
  hash = hash_bytes(bytes, seed_) ^ hash_number(static_cast<std::uint64_t>(type), seed_);
  const std::uint32_t known = other_index_.find(hash, [&](std::uint32_t i) {
    const Other& other = others_[i];
    return ((other.rep >> kTypeShift) & 0xFF) == static_cast<std::uint64_t>(type) &&
           other.size == bytes.size() &&
           std::memcmp(bytes_.data() + other.first, bytes.data(), bytes.size()) == 0;
  });
  if (known == kNoIndex) return std::nullopt;
  return others_[known].rep;
}

void ValueTable::add(std::span<const std::byte> bytes, std::uint64_t hash, std::uint64_t rep) {
  other_index_.insert(hash, static_cast<std::uint32_t>(others_.size()));
  others_.push_back({bytes_.size(), bytes.size(), rep});
  bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
}

}  // namespace sinew::usdc
