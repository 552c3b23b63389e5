// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace sinew::exporter {

class JsonSink;

/// A JSON document, or a value in one: what the glTF half of this module builds and reads.
///
/// A class of our own, since every line that writes to a document is a call here and not a template
/// of a general library: this module compiles in five sixths of the time. Text is read by
/// nlohmann-json, in parse_json.cpp alone.
///
/// Copies are deep. What nests deeper than the stack allows is refused by parse_json()'s callers.
class Json {
 public:
  struct Member;

  Json();  ///< null
  Json(const Json& other);
  Json(Json&& other) noexcept;
  Json& operator=(const Json& other);
  Json& operator=(Json&& other) noexcept;
  ~Json();

  template <std::same_as<bool> T>
  Json(T yes) : Json(Boolean{yes}) {}
  template <std::integral T>
  requires(!std::same_as<T, bool>) Json(T whole) : Json(Whole{static_cast<std::int64_t>(whole)}) {}
  Json(float real);   ///< Finite. Its text is the shortest that reads back to the same float.
  Json(double real);  ///< The same of a double.
  Json(std::string text);
  Json(std::string_view text);
  Json(const char* text);
  Json(std::vector<Json> items);

  /// What is assigned needs no value of its own first: most lines that write to a document are
  /// such.
  template <std::same_as<bool> T>
  Json& operator=(T yes) {
    return *this = Boolean{yes};
  }
  template <std::integral T>
  requires(!std::same_as<T, bool>) Json& operator=(T whole) {
    return *this = Whole{static_cast<std::int64_t>(whole)};
  }
  Json& operator=(float real);
  Json& operator=(double real);
  Json& operator=(std::string text);
  Json& operator=(std::string_view text);
  Json& operator=(const char* text);

  static Json object();
  static Json array();
  /// Of any range of values.
  template <typename Range>
  static Json list(const Range& range) {
    std::vector<Json> items;
    for (const auto& item : range) items.emplace_back(item);
    return Json(std::move(items));
  }
  static Json list(std::initializer_list<Json> items) { return Json(std::vector<Json>(items)); }

  bool is_null() const noexcept { return std::holds_alternative<std::monostate>(value_); }
  bool is_boolean() const noexcept { return std::holds_alternative<bool>(value_); }
  bool is_integer() const noexcept { return std::holds_alternative<std::int64_t>(value_); }
  bool is_number() const noexcept;
  bool is_string() const noexcept { return std::holds_alternative<Box<std::string>>(value_); }
  bool is_array() const noexcept { return std::holds_alternative<Box<Items>>(value_); }
  bool is_object() const noexcept { return std::holds_alternative<Box<Object>>(value_); }
  /// "null", "boolean", "number", "string", "array" or "object".
  const char* type_name() const noexcept;

  bool boolean() const noexcept;           ///< False for what is none.
  std::int64_t integer() const noexcept;   ///< 0 for what is none.
  double number() const noexcept;          ///< 0 for what is none.
  std::string_view text() const noexcept;  ///< Empty for what is none.

  std::size_t size() const noexcept;  ///< Items or members; 0 of anything else.
  bool empty() const noexcept { return size() == 0; }

  std::span<const Json> items() const noexcept;  ///< Of an array; none of anything else.
  std::span<Json> items() noexcept;
  const Json& operator[](std::size_t index) const noexcept { return items()[index]; }
  /// Adds an item; null becomes an array.
  void push_back(Json item);

  std::span<const Member> members() const noexcept;  ///< Of an object; none of anything else.
  /// The value of a member, or nullptr. Cost: O(log n) in what was parsed, else O(n).
  const Json* find(std::string_view key) const noexcept;
  Json* find(std::string_view key) noexcept;
  bool contains(std::string_view key) const noexcept { return find(key) != nullptr; }
  /// The value of a member, made if it is not there. Null becomes an object.
  Json& operator[](std::string_view key);
  void erase(std::string_view key);

  /// Writes it piece by piece. Bytes that are not UTF-8 become replacement characters.
  void write(JsonSink& sink) const;

  friend bool operator==(const Json& a, const Json& b);

 private:
  friend class JsonTreeBuilder;
  using Items = std::vector<Json>;
  /// Keeps a value apart, so that lists of numbers take 16 bytes an item. Null only if moved from.
  template <typename T>
  class Box {
   public:
    explicit Box(T value) : value_(std::make_unique<T>(std::move(value))) {}
    Box(const Box& other) : value_(other.value_ ? std::make_unique<T>(*other.value_) : nullptr) {}
    Box(Box&&) noexcept = default;
    Box& operator=(Box other) noexcept {
      value_ = std::move(other.value_);
      return *this;
    }
    ~Box() = default;
    T* get() const noexcept { return value_.get(); }

   private:
    std::unique_ptr<T> value_;
  };
  struct Boolean {
    bool yes;
  };
  struct Whole {
    std::int64_t number;
  };
  struct Object {
    std::vector<Member> members;  // In the order they were added, unless sorted.
    bool is_sorted = false;       // By key, each key once: by the parser.
  };

  explicit Json(Boolean yes);
  explicit Json(Whole whole);
  Json& operator=(Boolean yes);
  Json& operator=(Whole whole);
  /// What is boxed, or nullptr if the value is something else.
  template <typename T>
  T* boxed() const noexcept {
    const Box<T>* const box = std::get_if<Box<T>>(&value_);
    return box == nullptr ? nullptr : box->get();
  }

  std::variant<std::monostate, bool, std::int64_t, float, double, Box<std::string>, Box<Items>,
               Box<Object>>
      value_;
};

struct Json::Member {
  std::string key;
  Json value;

  friend bool operator==(const Member&, const Member&) = default;
};

/// A finite float, without a sign if it is 0.
float json_number(float value);

/// The text of a document. Bytes that are not UTF-8 become replacement characters.
std::string json_text(const Json& document);

/// How deep arrays and objects of a text nest, if it is JSON.
std::size_t json_nesting(std::string_view text) noexcept;

/// What parse_json() found.
struct ParsedJson {
  Json document;
  std::optional<std::size_t> fault;  ///< Byte where the text breaks the grammar.
};

/// Reads a text. Members of objects are sorted by key, and of equal keys the last counts. Cost:
/// O(n log n). What recurses over the document takes stack for json_nesting() levels.
ParsedJson parse_json(std::string_view text);

}  // namespace sinew::exporter
