// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "export/gltf_import/faults.hpp"
#include "export/json.hpp"

namespace sinew::exporter::gltf_import {

/// Reads a document. How deep it nests is looked at first, because what takes it apart recurses.
Result<Json> read_json(std::string_view text, const Limits& limits, Faults& faults);

/// A place in a document, whether or not anything is there.
class Cursor {
 public:
  Cursor() = default;
  Cursor(const Json* value, std::string pointer) : value_(value), pointer_(std::move(pointer)) {}

  Cursor operator[](std::string_view key) const;
  Cursor operator[](std::size_t index) const;
  /// extensions/NAME.
  Cursor extension(std::string_view name) const { return (*this)["extensions"][name]; }

  explicit operator bool() const { return value_ != nullptr; }
  bool is_object() const { return value_ != nullptr && value_->is_object(); }
  bool is_array() const { return value_ != nullptr && value_->is_array(); }
  bool is_number() const { return value_ != nullptr && value_->is_number(); }
  /// Items of an array; 0 for anything else.
  std::size_t size() const { return is_array() ? value_->size() : 0; }
  const Json* value() const { return value_; }
  const std::string& pointer() const { return pointer_; }

 private:
  const Json* value_ = nullptr;
  std::string pointer_;
};

/// Reads values of expected types. What is not there gives nothing; what has another type too, and
/// is reported.
class JsonReader {
 public:
  explicit JsonReader(Faults& faults) : faults_(&faults) {}

  Faults& faults() const { return *faults_; }

  std::optional<double> number(const Cursor& at) const;
  std::optional<bool> boolean(const Cursor& at) const;
  std::optional<std::string> text(const Cursor& at) const;
  /// A whole number from 0 to `last`.
  std::optional<std::uint64_t> count(const Cursor& at, std::uint64_t last) const;
  /// An index below `end` into a list called `what`.
  std::optional<std::uint32_t> index(const Cursor& at, std::size_t end,
                                     std::string_view what) const;
  /// A list of as many numbers as `out` has room for; all or none are read.
  bool numbers(const Cursor& at, std::span<double> out) const;
  /// A list, or nothing; 0 items if it is something else.
  std::size_t list(const Cursor& at) const;
  bool object(const Cursor& at) const;

 private:
  bool expect(bool is_right, const Cursor& at, std::string_view type) const;

  Faults* faults_;
};

}  // namespace sinew::exporter::gltf_import
