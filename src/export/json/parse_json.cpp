// SPDX-License-Identifier: Apache-2.0
// nlohmann-json, without exceptions, and in a namespace of its own, so that a program that links
// the library and uses nlohmann-json with exceptions gets its own functions.

#ifndef JSON_NOEXCEPTION
#define JSON_NOEXCEPTION
#endif
#define NLOHMANN_JSON_NAMESPACE nlohmann::sinew_private
#define NLOHMANN_JSON_NAMESPACE_BEGIN \
  namespace nlohmann {                \
  inline namespace sinew_private {
#define NLOHMANN_JSON_NAMESPACE_END \
  }                                 \
  }
#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/sort.hpp"
#include "export/json.hpp"

namespace sinew::exporter {

/// Takes a document piece by piece. What is open is on a stack; an item does not move while it is.
class JsonTreeBuilder {
 public:
  using Source = nlohmann::sinew_private::json;

  bool null() { return put(Json()); }
  bool boolean(bool yes) { return put(yes); }
  bool number_integer(Source::number_integer_t whole) { return put(whole); }
  bool number_unsigned(Source::number_unsigned_t whole) {
    constexpr auto kLast = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    return whole <= kLast ? put(whole) : put(static_cast<double>(whole));
  }
  bool number_float(Source::number_float_t real, const std::string&) { return put(real); }
  bool string(std::string& text) { return put(std::move(text)); }
  bool binary(Source::binary_t&) { return true; }
  bool start_object(std::size_t) { return open(Json::object()); }
  bool key(std::string& name) {
    open_.back()->boxed<Json::Object>()->members.push_back({std::move(name), Json()});
    return true;
  }
  bool end_object() {
    Json::Object& object = *open_.back()->boxed<Json::Object>();
    sort_members(object.members);
    object.is_sorted = true;
    open_.pop_back();
    return true;
  }
  bool start_array(std::size_t) { return open(Json::array()); }
  bool end_array() {
    open_.pop_back();
    return true;
  }
  template <typename Exception>
  bool parse_error(std::size_t where, const std::string&, const Exception&) {
    result.fault = where;
    return false;
  }

  ParsedJson result;

 private:
  /// By key; of equal keys the last stays.
  static void sort_members(std::vector<Json::Member>& members) {
    stable_sort_range(members.begin(), members.end(),
                      [](const Json::Member& a, const Json::Member& b) { return a.key < b.key; });
    std::size_t kept = 0;
    for (std::size_t i = 0; i < members.size(); ++i) {
      if (i + 1 < members.size() && members[i + 1].key == members[i].key) continue;
      if (kept != i) members[kept] = std::move(members[i]);
      ++kept;
    }
    members.erase(members.begin() + static_cast<std::ptrdiff_t>(kept), members.end());
  }

  Json& place(Json value) {
    if (open_.empty()) return result.document = std::move(value);
    Json& holder = *open_.back();
    if (holder.is_object()) {
      return holder.boxed<Json::Object>()->members.back().value = std::move(value);
    }
    holder.push_back(std::move(value));
    return holder.items().back();
  }
  bool put(Json value) {
    place(std::move(value));
    return true;
  }
  bool open(Json value) {
    open_.push_back(&place(std::move(value)));
    return true;
  }

  std::vector<Json*> open_;
};

// Text is all that brackets do not count in.
std::size_t json_nesting(std::string_view text) noexcept {
  std::size_t deepest = 0;
  std::size_t depth = 0;
  bool in_text = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_text) {
      if (c == '\\') {
        ++i;
      } else if (c == '"') {
        in_text = false;
      }
    } else if (c == '"') {
      in_text = true;
    } else if (c == '{' || c == '[') {
      deepest = std::max(deepest, ++depth);
    } else if ((c == '}' || c == ']') && depth > 0) {
      --depth;
    }
  }
  return deepest;
}

ParsedJson parse_json(std::string_view text) {
  JsonTreeBuilder builder;
  JsonTreeBuilder::Source::sax_parse(text.begin(), text.end(), &builder);
  return std::move(builder.result);
}

}  // namespace sinew::exporter
