// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <unordered_map>
#include <utility>

#include "sinew/layer/value.hpp"

namespace sinew::layer {

/// The entries of a dictionary, in the order in which their keys first appear. A key that appears
/// again replaces its entry.
class DictionaryBuilder {
 public:
  void put(DictionaryEntry entry) {
    const auto [found, added] =
        by_key_.try_emplace(entry.key, static_cast<std::uint32_t>(entries_.size()));
    if (added) {
      entries_.push_back(std::move(entry));
    } else {
      entries_[found->second] = std::move(entry);
    }
  }
  Dictionary take() { return std::move(entries_); }

 private:
  Dictionary entries_;
  std::unordered_map<Token, std::uint32_t> by_key_;
};

}  // namespace sinew::layer
