// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

#include "sinew/core/assert.hpp"
#include "sinew/core/export.hpp"

namespace sinew {

/// What went wrong, for code to branch on. The sentence for people is Error::message.
enum class ErrorCode : std::uint16_t {
  ok = 0,              ///< Nothing: the call succeeded.
  io_failed,           ///< The operating system refused to read or write.
  not_found,           ///< A file, prim or property that was asked for does not exist.
  syntax,              ///< A text does not follow its grammar: of a .usda file, a path, ...
  corrupt,             ///< A binary file breaks the rules of its format.
  unsupported,         ///< Valid USD, outside what this library implements.
  invalid_argument,    ///< A parameter is outside its documented range, or a required one is null.
  size_mismatch,       ///< Two arrays that must agree in length do not.
  index_out_of_range,  ///< A joint, point or target index is out of bounds.
  type_mismatch,       ///< A value has another type than the one asked for.
  no_value,            ///< Nothing is authored and there is no fallback, or the value is blocked.
  bad_topology,        ///< A parent is missing, repeated, or after its child.
  not_invertible,      ///< A transform that must be inverted or factored is singular.
  limit_exceeded,      ///< The input asks for more than Limits allows.
};

/// The name of a code as spelled above, e.g. "size_mismatch".
SINEW_API std::string_view to_string(ErrorCode code) noexcept;

/// A failed call: a code, a sentence, and where in the text if the source is text.
struct Error {
  ErrorCode code = ErrorCode::ok;  ///< Never `ok` in a Result that has failed.
  std::string message;             ///< One sentence with the offending name or number.
  std::uint32_t line = 0;          ///< 1-based, 0 if the source is not text.
  std::uint32_t column = 0;        ///< 1-based, in bytes.
};

/// Either a value or an Error. A subset of std::expected with the same names.
template <typename T>
class [[nodiscard]] Result {
 public:
  using value_type = T;  ///< What it holds if all went well; as in std::expected.

  /// Success. Implicit, so that a function returns the value itself.
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}  // NOLINT: implicit
  /// Failure. Implicit, so that a function returns the error itself. Precondition: not `ok`.
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT: implicit
  /// Failure with a code and a sentence.
  Result(ErrorCode code, std::string message)
      : state_(std::in_place_index<1>, Error{code, std::move(message)}) {}

  /// Whether the call succeeded.
  bool has_value() const noexcept { return state_.index() == 0; }
  /// The same as has_value().
  explicit operator bool() const noexcept { return has_value(); }

  /// The value. Precondition: has_value(), as for all of these.
  T& operator*() & { return checked_value(); }
  /// The value, read only.
  const T& operator*() const& { return checked_value(); }
  /// The value, moved out.
  T&& operator*() && { return std::move(checked_value()); }
  /// A member of the value.
  T* operator->() { return &checked_value(); }
  /// A member of the value, read only.
  const T* operator->() const { return &checked_value(); }

  /// The error. Precondition: !has_value().
  const Error& error() const& {
    SINEW_ASSERT(!has_value());
    return *std::get_if<1>(&state_);
  }
  /// The error, moved out. Precondition: !has_value().
  Error&& error() && {
    SINEW_ASSERT(!has_value());
    return std::move(*std::get_if<1>(&state_));
  }

  /// The value, or `fallback` if the call failed.
  T value_or(T fallback) const& { return has_value() ? **this : std::move(fallback); }

 private:
  T& checked_value() {
    SINEW_ASSERT(has_value());
    return *std::get_if<0>(&state_);
  }
  const T& checked_value() const {
    SINEW_ASSERT(has_value());
    return *std::get_if<0>(&state_);
  }

  std::variant<T, Error> state_;
};

/// Success, or an Error.
template <>
class [[nodiscard]] Result<void> {
 public:
  using value_type = void;  ///< There is no value, only success.

  Result() = default;
  /// Failure, implicit as for other results; success if the code is `ok`.
  Result(Error error) : error_(std::move(error)) {}  // NOLINT: implicit
  /// Failure with a code and a sentence.
  Result(ErrorCode code, std::string message) : error_{code, std::move(message)} {}

  /// Whether the call succeeded.
  bool has_value() const noexcept { return error_.code == ErrorCode::ok; }
  /// The same as has_value().
  explicit operator bool() const noexcept { return has_value(); }

  /// The error. Precondition: !has_value().
  const Error& error() const& {
    SINEW_ASSERT(!has_value());
    return error_;
  }
  /// The error, moved out. Precondition: !has_value().
  Error&& error() && {
    SINEW_ASSERT(!has_value());
    return std::move(error_);
  }

 private:
  Error error_;
};

using Status = Result<void>;  ///< Of a call that gives nothing but success or an Error.

}  // namespace sinew
