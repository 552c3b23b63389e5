// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "sinew/core/export.hpp"
#include "sinew/core/types.hpp"
#include "sinew/layer/value.hpp"

namespace sinew::exporter {

/// Takes one JSON document piece by piece, from its beginning to its end.
///
/// What writes JSON in this library writes to one of these, so that the same form becomes text, by
/// JsonWriter, or the values of a JSON library, by a class of the caller's.
///
/// Not thread-safe; use one per document.
class SINEW_API JsonSink {
 public:
  virtual ~JsonSink() = default;

  virtual void begin_object() = 0;  ///< The value that comes next is an object.
  virtual void end_object() = 0;    ///< Ends the innermost object.
  /// The value that comes next is a list.
  /// @param count  How many items it gets, or 0 if that is not known.
  virtual void begin_array(std::size_t count) = 0;
  virtual void end_array() = 0;                    ///< Ends the innermost list.
  virtual void key(std::string_view name) = 0;     ///< Name of the member whose value comes next.
  virtual void text(std::string_view text) = 0;    ///< A string; its bytes need not be UTF-8.
  virtual void number(double number) = 0;          ///< May be infinite or not a number.
  virtual void number(float number) = 0;           ///< The same; only a float's digits count.
  virtual void integer(std::int64_t number) = 0;   ///< An integer with a sign.
  virtual void natural(std::uint64_t number) = 0;  ///< An integer without.
  virtual void boolean(bool yes) = 0;              ///< true or false.
  virtual void null() = 0;                         ///< No value.

  /// A list of unknown length.
  void begin_array() { begin_array(0); }
  void value(std::string_view item) { text(item); }  ///< A string.
  /// The same; without it a literal would become a bool.
  void value(const char* item) { text(item); }
  void value(double item) { number(item); }                    ///< A number.
  void value(float item) { number(item); }                     ///< A number.
  void value(Half item) { number(static_cast<float>(item)); }  ///< As the float that it is.
  /// true or false; nothing converts to it.
  template <std::same_as<bool> T>
  void value(T item) {
    boolean(item);
  }
  /// An integer, as it is.
  template <std::integral T>
  requires(!std::same_as<T, bool>) void value(T item) {
    if constexpr (std::signed_integral<T>) {
      integer(item);
    } else {
      natural(item);
    }
  }
  /// [w, x, y, z].
  template <typename Scalar, int Options>
  void value(const Eigen::Quaternion<Scalar, Options>& q) {
    begin_array(4);
    for (const Scalar item : {q.w(), q.x(), q.y(), q.z()}) value(item);
    end_array();
  }
  /// The numbers of a vector or a matrix in the order in which they are stored, which for matrices
  /// is that of USD's text.
  template <typename Derived>
  void value(const Eigen::PlainObjectBase<Derived>& matrix) {
    begin_array(static_cast<std::size_t>(matrix.size()));
    for (Eigen::Index i = 0; i < matrix.size(); ++i) value(matrix.derived().data()[i]);
    end_array();
  }

  /// A member of the innermost object.
  template <typename T>
  void member(std::string_view name, const T& item) {
    key(name);
    value(item);
  }
  /// A list of what value() takes.
  template <typename List>
  void list(const List& items) {
    begin_array(items.size());
    for (const auto& item : items) value(item);
    end_array();
  }
  /// A member that is a list.
  template <typename List>
  void list_member(std::string_view name, const List& items) {
    key(name);
    list(items);
  }
};

/// Writes JSON as text without spaces.
///
/// Numbers are the shortest text that reads back to the same value; those that are not finite are
/// the strings "inf", "-inf" and "nan". Strings go through as they are, UTF-8 or not.
///
/// Not thread-safe; use one per document.
class SINEW_API JsonWriter final : public JsonSink {
 public:
  using JsonSink::begin_array;
  void begin_object() override { open('{'); }
  void end_object() override { close('}'); }
  void begin_array(std::size_t) override { open('['); }
  void end_array() override { close(']'); }
  void key(std::string_view name) override;
  void text(std::string_view text) override;
  void number(double number) override;
  void number(float number) override;
  void integer(std::int64_t number) override { plain(std::to_string(number)); }
  void natural(std::uint64_t number) override { plain(std::to_string(number)); }
  void boolean(bool yes) override { plain(yes ? "true" : "false"); }
  void null() override { plain("null"); }

  /// The document; the writer is empty afterwards.
  std::string take() {
    comma_ = false;
    return std::exchange(text_, {});
  }

 private:
  void open(char bracket);
  void close(char bracket);
  void plain(std::string_view token);
  void string(std::string_view text);

  std::string text_;
  bool comma_ = false;  // Something stands before what comes next.
};

/// Writes any value of a layer or stage: numbers, strings, lists of them, null for no value and for
/// blocks. Quaternions are [w, x, y, z], matrices their numbers in the order of USD's text.
/// Dictionaries become objects, list edits lists of what they add.
SINEW_API void write_value_json(JsonSink& json, const layer::Value& value);

}  // namespace sinew::exporter
