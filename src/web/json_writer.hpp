// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "sinew/core/types.hpp"

namespace sinew::web {

/// Writes one JSON document from its beginning to its end.
///
/// Numbers are the shortest text that reads back to the same value; those that are not finite are
/// the strings "inf", "-inf" and "nan". Vectors are lists, quaternions [w, x, y, z], matrices their
/// numbers in the order of USD's text. Bytes that are no UTF-8 go through as they are.
///
/// Not thread-safe; use one per document.
class JsonWriter {
 public:
  void begin_object() { open('{'); }  ///< The value that comes next is an object.
  void end_object() { close('}'); }   ///< Ends the innermost object.
  void begin_array() { open('['); }   ///< The value that comes next is a list.
  void end_array() { close(']'); }    ///< Ends the innermost list.
  /// The name of the member whose value comes next.
  void key(std::string_view name);

  void value(std::string_view text);  ///< A string.
  /// The same; without it a literal would become a bool.
  void value(const char* text) { value(std::string_view(text)); }
  void value(double number);  ///< A number, or the name of one that is not finite.
  void value(float number);   ///< The same.
  /// true or false; nothing converts to it.
  template <std::same_as<bool> T>
  void value(T yes) {
    plain(yes ? "true" : "false");
  }
  /// An integer, as it is; beyond 2^53 JavaScript rounds it.
  template <std::integral T>
  requires(!std::same_as<T, bool>) void value(T number) { plain(std::to_string(number)); }
  void null() { plain("null"); }  ///< No value.

  void value(const Quatf& q) { list({q.w(), q.x(), q.y(), q.z()}); }  ///< W first.
  void value(const Quatd& q) { list({q.w(), q.x(), q.y(), q.z()}); }  ///< W first.
  /// All numbers of a vector or a matrix, column by column as they are stored.
  template <typename Derived>
  void value(const Eigen::PlainObjectBase<Derived>& matrix) {
    begin_array();
    for (Eigen::Index i = 0; i < matrix.size(); ++i) value(matrix.derived().data()[i]);
    end_array();
  }
  void value(Half number) { value(static_cast<float>(number)); }  ///< As the float that it is.

  /// A member of the innermost object.
  template <typename T>
  void member(std::string_view name, const T& item) {
    key(name);
    value(item);
  }
  /// A list of what can be written.
  template <typename List>
  void list(const List& items) {
    begin_array();
    for (const auto& item : items) value(item);
    end_array();
  }
  /// A member that is a list.
  template <typename List>
  void list_member(std::string_view name, const List& items) {
    key(name);
    list(items);
  }

  /// The document; the writer is empty afterwards.
  std::string take() {
    comma_ = false;
    return std::exchange(text_, {});
  }

 private:
  template <typename T>
  void list(std::initializer_list<T> items) {
    begin_array();
    for (const T item : items) value(item);
    end_array();
  }
  void open(char bracket);
  void close(char bracket);
  void plain(std::string_view token);
  void string(std::string_view text);

  std::string text_;
  bool comma_ = false;  // Something stands before what comes next.
};

}  // namespace sinew::web
