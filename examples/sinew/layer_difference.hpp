// SPDX-License-Identifier: Apache-2.0
// What one layer says otherwise than another, spec by spec.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/layer/layer.hpp"

namespace sinew::tool {

/// One field that differs. A side that has none of that name shows "-".
struct Difference {
  std::string path;
  std::string field;  ///< Empty: the prim, variant or property is on one side only.
  std::string a;
  std::string b;
};

/// Compares two layers bit by bit. What text or binary files do not keep does not count: the order
/// of properties, variants, fields and dictionary entries, roles of types inside dictionaries, old
/// spellings of types, the payload of nan.
class LayerDifference {
 public:
  LayerDifference(const layer::Layer& a, const layer::Layer& b);

  /// In namespace order.
  std::span<const Difference> differences() const noexcept { return found_; }

 private:
  /// A field of a spec: what is compared, and what is shown.
  struct Item {
    const layer::Value* value = nullptr;          ///< Compared as such,
    const layer::TimeSamples* samples = nullptr;  ///< likewise,
    std::string text;                             ///< else by its text.
  };
  using Items = std::map<std::string, Item, std::less<>>;

  void compare_prims(const layer::PrimSpec& a, const layer::PrimSpec& b, const std::string& path);
  void compare_variants(const layer::PrimSpec& a, const layer::PrimSpec& b,
                        const std::string& path);
  void compare_properties(const layer::PrimSpec& a, const layer::PrimSpec& b,
                          const std::string& path);
  void compare_children(const layer::PrimSpec& a, const layer::PrimSpec& b,
                        const std::string& path);
  void compare_items(const Items& a, const Items& b, const std::string& path);
  void add(std::string path, std::string field, std::string a, std::string b);
  void only_in(bool in_a, std::string path) {
    add(std::move(path), {}, in_a ? "here" : "-", in_a ? "-" : "here");
  }

  static Items items_of(const layer::Layer& layer);
  static Items items_of(const layer::PrimSpec& prim);
  static Items items_of(const layer::PropertySpec& property);
  static void add_fields(Items& items, std::span<const layer::Field> fields);

  std::vector<Difference> found_;
};

}  // namespace sinew::tool
