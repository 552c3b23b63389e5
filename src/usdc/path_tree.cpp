// SPDX-License-Identifier: Apache-2.0
#include "usdc/path_tree.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "core/format_text.hpp"

namespace sinew::usdc {

namespace {

constexpr std::string_view kPathsCode = "usdc-paths";

// Paths that no item defines: at most one in real files.
constexpr std::uint64_t kMaxUndefined = 65'536;

// Every prim may be inside a variant.
std::size_t max_depth(const Limits& limits) noexcept {
  return 2 * std::size_t{limits.prim_nesting} + 8;
}

bool holds_prims(PathTree::Kind kind) noexcept {
  using Kind = PathTree::Kind;
  return kind == Kind::prim || kind == Kind::root || kind == Kind::variant;
}

bool too_deep(const Limits& limits, std::uint64_t at, Report& report) {
  return report.reject(
      "usdc-limit",
      format_text("paths nest deeper than the limit of {} prims allows", limits.prim_nesting), at,
      ErrorCode::limit_exceeded);
}

}  // namespace

// Where the walk through the tree is, and the siblings that follow when subtrees have been read.
struct PathTree::Walk {
  struct Pending {
    std::uint64_t position;  // Of the sibling: an item, or an offset in the file.
    std::uint32_t before;    // The item whose sibling it is.
    std::uint32_t depth;
  };

  // What is pending is not part of it, so that the rest may stay in registers.
  Walk(LargeVector<Item>& all, std::vector<Pending>& siblings) : items(all), pending(siblings) {}

  void expect_sibling(std::uint64_t position, std::uint32_t before) {
    pending.push_back({position, before, depth});
  }
  // Goes on with item `next`, which has to be the sibling that was expected last, at `position`.
  bool close_subtree(std::uint64_t position, std::uint32_t next) {
    const Pending last = pending.back();
    if (last.position != position) return false;
    Item& before = items[last.before];
    before.next = next;
    parent = before.parent;
    is_below_prims = holds_prims(items[parent].kind);
    depth = last.depth;
    pending.pop_back();
    return true;
  }
  // Goes on with the children of an item.
  void descend(std::uint32_t item) {
    parent = item;
    is_below_prims = holds_prims(items[item].kind);
    ++depth;
  }

  LargeVector<Item>& items;
  std::uint32_t parent = kNone;
  std::uint32_t depth = 0;
  bool is_below_prims = false;  // Whether what the parent holds are prims and their properties.
  std::vector<Pending>& pending;
};

bool PathTree::read(const CrateFile& file, const TokenList& tokens, const Limits& limits,
                    Budget& budget, Report& report) {
  ByteReader reader = file.section(CrateFile::paths);
  if (!reader.read(path_count_)) return cut_short(reader, kPathsCode, report);
  if (path_count_ == 0 || path_count_ >= kNone) {
    return report.reject(kPathsCode, format_text("there cannot be {} paths", path_count_),
                         reader.position());
  }
  const bool read = file.since(4) ? read_packed(tokens, limits, reader, budget, report)
                                  : read_plain(file, tokens, limits, reader, report);
  if (!read) return false;
  const std::uint64_t undefined = path_count_ - items_.size();
  if (undefined > 1 && report.wants(kPathsCode)) {
    report.add(Severity::warning, kPathsCode,
               format_text("PATHS leaves {} of {} paths undefined", undefined, path_count_));
  }
  return true;
}

bool PathTree::cannot_define(std::uint32_t path, std::uint32_t item, std::uint64_t at,
                             Report& report) const {
  if (path >= path_count_) {
    return report.reject(
        kPathsCode,
        format_text("item {} of PATHS defines path {}, which does not exist", item, path), at);
  }
  return report.reject(kPathsCode,
                       format_text("item {} of PATHS defines path {} again", item, path), at);
}

void PathTree::classify(Item& item, const TokenList& tokens) const {
  if (item.parent == kNone) {
    item.kind = Kind::root;
    return;
  }
  const Kind above = items_[item.parent].kind;
  if (above == Kind::target || above == Kind::below_target) {
    item.kind = Kind::below_target;
    return;
  }
  if (item.is_marked) {
    item.kind = holds_prims(above) ? Kind::property : Kind::other;
    return;
  }
  if (!tokens.is_bracketed(item.token)) {
    item.kind = holds_prims(above) ? Kind::prim : Kind::other;
    return;
  }
  const std::string_view text = tokens.text(item.token);
  if (text.starts_with('{')) {
    const std::size_t equals = text.find('=');
    const bool good = holds_prims(above) && above != Kind::root &&
                      equals != std::string_view::npos && text.ends_with('}');
    const bool is_set = good && equals + 2 == text.size();
    item.kind = !good ? Kind::other : is_set ? Kind::variant_set : Kind::variant;
  } else {
    item.kind = above == Kind::property ? Kind::target : Kind::other;
  }
}

void PathTree::mark_property(std::uint32_t item, const TokenList& tokens) {
  items_[item].is_marked = true;
  classify(items_[item], tokens);
}

bool PathTree::read_packed(const TokenList& tokens, const Limits& limits, ByteReader reader,
                           Budget& budget, Report& report) {
  const std::uint64_t at = reader.position();
  std::uint64_t count = 0;
  if (!reader.read(count)) return cut_short(reader, kPathsCode, report);
  if (count == 0 || count > path_count_ || path_count_ - count > kMaxUndefined) {
    return report.reject(kPathsCode,
                         format_text("{} items cannot define {} paths", count, path_count_), at);
  }
  std::array<IntegerRun<std::uint32_t>, 3> runs;
  for (auto& run : runs) {
    if (!open_run(reader, count, budget, report, kPathsCode, run)) return false;
  }
  std::array<std::uint32_t, kRunBlock> paths, elements, jumps;
  items_.resize(static_cast<std::size_t>(count));
  item_of_.assign(static_cast<std::size_t>(path_count_), kNone);
  std::vector<Walk::Pending> pending;
  Walk walk(items_, pending);
  const auto wrong = [&](std::size_t i) {
    return report.reject(kPathsCode, format_text("item {} of PATHS does not lead to a tree", i),
                         at);
  };
  const std::size_t most_depth = max_depth(limits);
  const std::size_t token_count = tokens.size();
  Item* const items = items_.data();
  for (std::uint32_t i = 0;; ++i) {  // Ends at the last item, behind which nothing can be.
    const std::size_t in_block = i % kRunBlock;
    if (in_block == 0) {
      const std::size_t size = std::min<std::size_t>(kRunBlock, count - i);
      runs[0].read(size, paths.data());
      runs[1].read(size, elements.data());
      runs[2].read(size, jumps.data());
    }
    if (!define(paths[in_block], i, at, report)) return false;
    const std::uint32_t element = elements[in_block];
    const bool is_marked = static_cast<std::int32_t>(element) < 0;
    const std::uint32_t token = is_marked ? 0 - element : element;
    if (token >= token_count) {
      return report.reject(
          kPathsCode,
          format_text("item {} of PATHS points to token {}, which does not exist", i, token), at);
    }
    const auto jump = static_cast<std::int32_t>(jumps[in_block]);
    const bool is_last = i + 1 == count;
    const Kind plain = is_marked ? Kind::property : Kind::prim;
    items[i] = {walk.parent, kNone, token, plain, false, is_marked, false, kNone};
    if (!walk.is_below_prims || (!is_marked && tokens.is_bracketed(token))) {
      if (i == 0 && jump >= 0) return wrong(i);  // Of the root, which is below nothing.
      classify(items[i], tokens);
    }
    if (jump == 0) {
      if (is_last) return wrong(i);
      items[i].next = i + 1;
    } else if (jump == -2) {
      if (walk.pending.empty()) return is_last ? true : wrong(i);
      if (!walk.close_subtree(i + 1, i + 1)) return wrong(i);
    } else {
      if (jump < -2 || is_last) return wrong(i);
      items[i].has_child = true;
      if (jump > 0) {
        const std::uint64_t sibling = std::uint64_t{i} + static_cast<std::uint32_t>(jump);
        if (sibling >= count || sibling <= i + 1) return wrong(i);
        walk.expect_sibling(sibling, i);
      }
      walk.descend(i);
      if (walk.depth > most_depth) return too_deep(limits, at, report);
    }
  }
}

bool PathTree::read_plain(const CrateFile& file, const TokenList& tokens, const Limits& limits,
                          ByteReader reader, Report& report) {
  struct Entry {
    std::uint32_t path, token;
    std::uint8_t bits, padding[3];
  };
  const std::uint64_t padding = file.since(1) ? 0 : 4;
  const std::uint64_t entry_bytes = sizeof(Entry) + padding;
  if (path_count_ > reader.left() / entry_bytes + 1) return cut_short(reader, kPathsCode, report);
  const std::uint64_t section_end = reader.position() + reader.left();
  item_of_.assign(static_cast<std::size_t>(path_count_), kNone);
  std::vector<Walk::Pending> pending;
  Walk walk(items_, pending);
  for (;;) {
    const std::uint64_t at = reader.position();
    Entry entry{};
    if (!reader.skip(padding) || !reader.read(entry)) return cut_short(reader, kPathsCode, report);
    const auto self = static_cast<std::uint32_t>(items_.size());
    if (!define(entry.path, self, at, report)) return false;
    if (entry.token >= tokens.size()) {
      return report.reject(kPathsCode,
                           format_text("item {} of PATHS points to token {}, which does not exist",
                                       self, entry.token),
                           at);
    }
    const bool has_child = (entry.bits & 1) != 0;
    const bool is_marked = (entry.bits & 4) != 0;
    Item item = {walk.parent, kNone, entry.token, Kind::root, has_child, is_marked, false, kNone};
    classify(item, tokens);
    items_.push_back(item);
    const bool has_sibling = (entry.bits & 2) != 0;
    const auto wrong = [&] {
      return report.reject(kPathsCode,
                           format_text("item {} of PATHS does not lead to a tree", self), at);
    };
    if (self == 0 && has_sibling) return wrong();
    if (item.has_child) {
      if (has_sibling) {
        std::int64_t sibling = 0;
        if (!reader.read(sibling)) return cut_short(reader, kPathsCode, report);
        if (sibling <= static_cast<std::int64_t>(at) ||
            static_cast<std::uint64_t>(sibling) >= section_end) {
          return wrong();
        }
        walk.expect_sibling(static_cast<std::uint64_t>(sibling), self);
      }
      walk.descend(self);
      if (walk.depth > max_depth(limits)) return too_deep(limits, at, report);
    } else if (has_sibling) {
      items_.back().next = self + 1;
    } else if (walk.pending.empty()) {
      return true;
    } else if (!walk.close_subtree(reader.position(), self + 1)) {
      return wrong();
    }
  }
}

std::string PathTree::text(std::uint32_t item, const TokenList& tokens, std::size_t most) const {
  if (item == 0) return "/";
  std::vector<std::uint32_t> chain;
  std::size_t size = 0;
  for (std::uint32_t i = item; i != 0; i = items_[i].parent) {
    chain.push_back(i);
    size += tokens.text(items_[i].token).size() + 1;
    if (size > most) return {};
  }
  std::string text;
  text.reserve(size);
  for (auto i = chain.rbegin(); i != chain.rend(); ++i) {
    const Item& last = items_[*i];
    const std::string_view element = tokens.text(last.token);
    const Kind above = items_[last.parent].kind;
    const bool is_bracketed = element.starts_with('{') || element.starts_with('[');
    if (last.is_marked) {
      if (!text.empty() || above == Kind::root) text += above == Kind::root ? "/." : ".";
    } else if (!is_bracketed && !element.starts_with('.') && above != Kind::variant) {
      text += '/';
    }
    text += element;
  }
  return text;
}

}  // namespace sinew::usdc
