// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include "sinew/core/token.hpp"

namespace sinew::usda {

/// What short bracketed texts were last read as, found by the text itself. Files state the same
/// value of the same property on thousands of prims, e.g. `["xformOp:translate"]`; it is then read
/// once and shared. Where every text differs, this costs the comparison of a few bytes.
template <typename T>
class RepeatedText {
 public:
  /// What the text at the start of `rest` was read as before, under the same name, type and kind
  /// and from the same bytes; `size` says how many. Null if it was not.
  const T* find(Token name, Token type, std::uint8_t kind, std::string_view rest,
                std::size_t& size) const noexcept {
    for (const Entry& entry : sets_[set_of(name)].entries) {
      if (entry.name == name && entry.kind == kind && entry.type == type && !entry.text.empty() &&
          rest.starts_with(entry.text)) {
        size = entry.text.size();
        return &entry.result;
      }
    }
    return nullptr;
  }

  /// Remembers a text that ends with the bracket that closes it, so that whatever follows the same
  /// bytes elsewhere does not change how they read. Long texts are not remembered.
  void keep(Token name, Token type, std::uint8_t kind, std::string_view text, T result) {
    if (text.size() > kLongest) return;
    Set& set = sets_[set_of(name)];
    set.entries[set.next] = {name, type, text, std::move(result), kind};
    set.next = (set.next + 1) % set.entries.size();
  }

  /// Forgets what is known under a name.
  void forget(Token name) noexcept { sets_[set_of(name)] = {}; }

 private:
  static constexpr std::size_t kLongest = 256;
  static constexpr std::size_t kSets = 32;

  struct Entry {
    Token name;
    Token type;
    std::string_view text;
    T result{};
    std::uint8_t kind = 0;
  };
  struct Set {
    std::array<Entry, 4> entries;
    std::size_t next = 0;
  };

  static std::size_t set_of(Token name) noexcept {
    return static_cast<std::size_t>(name.hash() % kSets);
  }

  std::array<Set, kSets> sets_;
};

}  // namespace sinew::usda
