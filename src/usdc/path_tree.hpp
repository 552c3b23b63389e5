// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "core/large_pages.hpp"
#include "sinew/core/limits.hpp"
#include "usdc/crate_file.hpp"
#include "usdc/tables.hpp"

namespace sinew::usdc {

/// The paths of a file as a tree. An item is a place in its depth-first order, the root is item 0,
/// a first child directly follows its parent. Paths stay numbers: their text is made only for those
/// that are values.
class PathTree {
 public:
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  enum class Kind : std::uint8_t {
    root,
    prim,
    property,
    variant_set,
    variant,
    target,
    other,
    below_target,
  };

  /// Has no values of its own to begin with: a list of them is not to be written twice.
  struct Item {
    std::uint32_t parent;
    std::uint32_t next;   ///< The next sibling.
    std::uint32_t token;  ///< Of the last element.
    Kind kind;
    bool has_child;
    bool is_marked;  ///< As a property.
    /// What the specs of the file tell: see assign().
    bool is_attribute;
    std::uint32_t fields;  ///< Where the run of its fields begins.

    bool has_spec() const noexcept { return fields != kNone; }
  };

  bool read(const CrateFile& file, const TokenList& tokens, const Limits& limits, Budget& budget,
            Report& report);

  /// Number of path indices.
  std::uint64_t path_count() const noexcept { return path_count_; }
  const LargeVector<Item>& items() const noexcept { return items_; }
  /// The item that defines a path, or kNone: the empty path.
  std::uint32_t item_of(std::uint32_t path) const noexcept {
    return path < item_of_.size() ? item_of_[path] : kNone;
  }
  std::uint32_t first_child(std::uint32_t item) const noexcept {
    return items_[item].has_child ? item + 1 : kNone;
  }

  /// Gives an item its spec: where the run of its fields begins, and whether it is an attribute.
  void assign(std::uint32_t item, std::uint32_t fields, bool is_attribute) noexcept {
    items_[item].fields = fields;
    items_[item].is_attribute = is_attribute;
  }

  /// Makes a prim a property whose mark the file could not hold, see usdc-token-zero.
  void mark_property(std::uint32_t item, const TokenList& tokens);

  /// The text of the path of an item; nothing if it is longer than `most` bytes.
  std::string text(std::uint32_t item, const TokenList& tokens,
                   std::size_t most = std::numeric_limits<std::size_t>::max()) const;

 private:
  struct Walk;
  bool read_plain(const CrateFile& file, const TokenList& tokens, const Limits& limits,
                  ByteReader reader, Report& report);
  bool read_packed(const TokenList& tokens, const Limits& limits, ByteReader reader, Budget& budget,
                   Report& report);
  // Takes an item for a path.
  bool define(std::uint32_t path, std::uint32_t item, std::uint64_t at, Report& report) {
    if (path >= path_count_ || item_of_[path] != kNone) {
      return cannot_define(path, item, at, report);
    }
    item_of_[path] = item;
    return true;
  }
  bool cannot_define(std::uint32_t path, std::uint32_t item, std::uint64_t at,
                     Report& report) const;
  void classify(Item& item, const TokenList& tokens) const;

  std::uint64_t path_count_ = 0;
  LargeVector<Item> items_;
  LargeVector<std::uint32_t> item_of_;
};

}  // namespace sinew::usdc
