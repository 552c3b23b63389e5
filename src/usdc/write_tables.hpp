// SPDX-License-Identifier: Apache-2.0
// The five tables of a crate under construction. Each holds an entry once and numbers entries in
// the order of first use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/layer/value.hpp"
#include "usdc/format.hpp"
#include "usdc/hash.hpp"

namespace sinew::usdc {

/// Slots that find entries of a table by their hash. Entries are numbered by their owner.
class HashIndex {
 public:
  /// The entry with that hash for which `is_same(index)` holds, or kNoIndex.
  template <typename Same>
  std::uint32_t find(std::uint64_t hash, Same is_same) const {
    if (slots_.empty()) return kNoIndex;
    for (std::size_t i = hash & (slots_.size() - 1); slots_[i].index != kNoIndex;
         i = (i + 1) & (slots_.size() - 1)) {
      if (slots_[i].hash == hash && is_same(slots_[i].index)) return slots_[i].index;
    }
    return kNoIndex;
  }
  void insert(std::uint64_t hash, std::uint32_t index);

 private:
  struct Slot {
    std::uint64_t hash = 0;
    std::uint32_t index = kNoIndex;
  };
  static void place(std::vector<Slot>& slots, const Slot& slot);

  std::vector<Slot> slots_;  // None, or a power of two.
  std::size_t count_ = 0;
};

/// Distinct texts; the tokens of the file.
class TextTable {
 public:
  /// The index of `text`, which lives as long as the table.
  std::uint32_t add(std::string_view text);
  /// The same for a text that goes away.
  std::uint32_t add_copy(std::string_view text);
  std::span<const std::string_view> texts() const noexcept { return texts_; }
  std::string_view operator[](std::uint32_t index) const noexcept { return texts_[index]; }
  std::uint64_t bytes() const noexcept { return bytes_; }  ///< With a NUL after each.

 private:
  std::uint32_t find(std::string_view text, std::uint64_t& hash) const;
  std::uint32_t append(std::string_view text, std::uint64_t hash);

  HashSeed seed_ = HashSeed::of_address(this);
  HashIndex index_;
  std::vector<std::string_view> texts_;
  std::deque<std::string> copies_;
  std::uint64_t bytes_ = 0;
};

/// Paths as a tree. A node is one element: a name and how it joins its parent.
class PathTable {
 public:
  /// In the order in which siblings are stored.
  enum class Kind : std::uint8_t { root, prim, variant, property, other, empty };
  struct Node {
    std::uint32_t parent = kNoIndex;
    std::uint32_t token = 0;
    Kind kind = Kind::root;
  };

  explicit PathTable(TextTable& tokens);

  static constexpr std::uint32_t kRoot = 0;
  /// The path of an element below `parent`, made if new.
  std::uint32_t add(std::uint32_t parent, Kind kind, std::uint32_t token);
  /// The path that stands for "none".
  std::uint32_t empty_path();
  /// An absolute path with all its ancestors, and those of targets in it; nullopt if the text is no
  /// absolute path.
  std::optional<std::uint32_t> add_path(std::string_view text);

  std::size_t size() const noexcept { return nodes_.size(); }
  const Node& operator[](std::uint32_t index) const noexcept { return nodes_[index]; }

  /// Every path but the empty one, parents before children, each subtree in one piece; siblings by
  /// kind, then as they were added. That is how layers list them: whoever reads the file comes from
  /// one place to the next, and numbers that follow each other take next to no bytes.
  struct Ordered {
    std::vector<std::uint32_t> nodes;
    std::vector<std::int32_t> jumps;  ///< As the format encodes child and sibling.
  };
  Ordered ordered() const;

  /// The text of a path, for messages.
  std::string text(std::uint32_t index) const;

 private:
  TextTable& tokens_;
  HashSeed seed_ = HashSeed::of_address(this);
  HashIndex index_;
  std::vector<Node> nodes_;
  std::uint32_t empty_ = kNoIndex;
};

/// Fields, and runs of them.
class FieldTable {
 public:
  struct Field {
    std::uint32_t token = 0;
    std::uint64_t rep = 0;
    friend bool operator==(const Field&, const Field&) = default;
  };

  std::uint32_t add(const Field& field);
  /// Where the run of these fields begins.
  std::uint32_t add_run(std::span<const std::uint32_t> run);

  std::span<const Field> fields() const noexcept { return fields_; }
  std::span<const std::uint32_t> runs() const noexcept { return runs_; }

 private:
  HashSeed seed_ = HashSeed::of_address(this);
  HashIndex field_index_;
  HashIndex run_index_;
  std::vector<Field> fields_;
  std::vector<std::uint32_t> runs_;
};

/// Values already in the file, found again by their contents.
class ValueTable {
 public:
  /// The rep of the array if it was written before. Elements in the same place need no look.
  std::optional<std::uint64_t> find_array(const layer::Value& array, std::uint64_t& hash) const;
  void add_array(const layer::Value& array, std::uint64_t hash, std::uint64_t rep);

  /// The same for other values, by their type and their bytes in the file.
  std::optional<std::uint64_t> find(Type type, std::span<const std::byte> bytes,
                                    std::uint64_t& hash) const;
  void add(std::span<const std::byte> bytes, std::uint64_t hash, std::uint64_t rep);

 private:
  struct Array {
    layer::Value value;
    std::uint64_t rep = 0;
  };
  struct Other {
    std::size_t first = 0;  // Into bytes_.
    std::size_t size = 0;
    std::uint64_t rep = 0;
  };
  std::uint64_t hash_of_place(const std::byte* data) const noexcept {
    return hash_number(reinterpret_cast<std::uintptr_t>(data), seed_);
  }

  HashSeed seed_ = HashSeed::of_address(this);
  HashIndex array_index_;
  HashIndex buffer_index_;  // Of the arrays in arrays_, by where their elements are.
  HashIndex other_index_;
  std::vector<Array> arrays_;
  std::vector<Other> others_;
  std::vector<std::byte> bytes_;
};

}  // namespace sinew::usdc
