// SPDX-License-Identifier: Apache-2.0
#include "export/json.hpp"

#include <algorithm>

#include "core/unicode.hpp"
#include "sinew/export/json.hpp"

namespace sinew::exporter {

namespace {

/// The same text, bytes that are not UTF-8 replaced. `room` holds it if there are any.
std::string_view valid_text(std::string_view text, std::string& room) {
  if (find_invalid_utf8(text) == std::string_view::npos) return text;
  for (std::size_t good; (good = find_invalid_utf8(text)) != std::string_view::npos;) {
    room += text.substr(0, good);
    room += "\xEF\xBF\xBD";  // U+FFFD
    text.remove_prefix(good + 1);
  }
  return room += text;
}

}  // namespace

Json::Json() = default;
Json::Json(const Json& other) = default;
Json::Json(Json&& other) noexcept = default;
Json& Json::operator=(const Json& other) = default;
Json& Json::operator=(Json&& other) noexcept = default;
Json::~Json() = default;

Json::Json(Boolean yes) : value_(yes.yes) {}
Json::Json(Whole whole) : value_(whole.number) {}
Json::Json(float real) : value_(real) {}
Json::Json(double real) : value_(real) {}
Json::Json(std::string text) : value_(Box<std::string>(std::move(text))) {}
Json::Json(std::string_view text) : Json(std::string(text)) {}
Json::Json(const char* text) : Json(std::string(text)) {}
Json::Json(std::vector<Json> items) : value_(Box<Items>(std::move(items))) {}

Json& Json::operator=(Boolean yes) {
  return *this = Json(yes);
}

Json& Json::operator=(Whole whole) {
  return *this = Json(whole);
}

Json& Json::operator=(float real) {
  return *this = Json(real);
}

Json& Json::operator=(double real) {
  return *this = Json(real);
}

Json& Json::operator=(std::string text) {
  return *this = Json(std::move(text));
}

Json& Json::operator=(std::string_view text) {
  return *this = Json(text);
}

Json& Json::operator=(const char* text) {
  return *this = Json(text);
}

Json Json::object() {
  Json result;
  result.value_.emplace<Box<Object>>(Object());
  return result;
}

Json Json::array() {
  return Json(std::vector<Json>());
}

bool Json::is_number() const noexcept {
  return is_integer() || std::holds_alternative<float>(value_) ||
         std::holds_alternative<double>(value_);
}

const char* Json::type_name() const noexcept {
  if (is_null()) return "null";
  if (is_boolean()) return "boolean";
  if (is_string()) return "string";
  if (is_array()) return "array";
  return is_object() ? "object" : "number";
}

bool Json::boolean() const noexcept {
  const bool* const yes = std::get_if<bool>(&value_);
  return yes != nullptr && *yes;
}

std::int64_t Json::integer() const noexcept {
  const std::int64_t* const whole = std::get_if<std::int64_t>(&value_);
  return whole == nullptr ? 0 : *whole;
}

double Json::number() const noexcept {
  if (const double* const real = std::get_if<double>(&value_)) return *real;
  if (const float* const real = std::get_if<float>(&value_)) return *real;
  return static_cast<double>(integer());
}

std::string_view Json::text() const noexcept {
  const std::string* const text = boxed<std::string>();
  return text == nullptr ? std::string_view() : std::string_view(*text);
}

std::size_t Json::size() const noexcept {
  return is_array() ? items().size() : members().size();
}

std::span<const Json> Json::items() const noexcept {
  const Items* const items = boxed<Items>();
  return items == nullptr ? std::span<const Json>() : std::span<const Json>(*items);
}

std::span<Json> Json::items() noexcept {
  Items* const items = boxed<Items>();
  return items == nullptr ? std::span<Json>() : std::span<Json>(*items);
}

void Json::push_back(Json item) {
  if (is_null()) *this = array();
  if (Items* const items = boxed<Items>()) items->push_back(std::move(item));
}

std::span<const Json::Member> Json::members() const noexcept {
  const Object* const object = boxed<Object>();
  return object == nullptr ? std::span<const Member>() : std::span<const Member>(object->members);
}

const Json* Json::find(std::string_view key) const noexcept {
  const Object* const object = boxed<Object>();
  if (object == nullptr) return nullptr;
  const std::vector<Member>& members = object->members;
  if (object->is_sorted) {
    const auto found = std::partition_point(members.begin(), members.end(),
                                            [key](const Member& m) { return m.key < key; });
    return found != members.end() && found->key == key ? &found->value : nullptr;
  }
  for (const Member& member : members) {
    if (member.key == key) return &member.value;
  }
  return nullptr;
}

Json* Json::find(std::string_view key) noexcept {
  return const_cast<Json*>(std::as_const(*this).find(key));
}

Json& Json::operator[](std::string_view key) {
  if (Json* const found = find(key)) return *found;
  if (!is_object()) *this = object();
  Object& object = *boxed<Object>();
  object.is_sorted = false;
  object.members.push_back({std::string(key), Json()});
  return object.members.back().value;
}

void Json::erase(std::string_view key) {
  if (Object* const object = boxed<Object>()) {
    std::erase_if(object->members, [key](const Member& m) { return m.key == key; });
  }
}

bool operator==(const Json& a, const Json& b) {
  if (a.is_object() && b.is_object()) return std::ranges::equal(a.members(), b.members());
  if (a.is_array() && b.is_array()) return std::ranges::equal(a.items(), b.items());
  return a.value_.index() == b.value_.index() && a.boolean() == b.boolean() &&
         a.number() == b.number() && a.integer() == b.integer() && a.text() == b.text();
}

void Json::write(JsonSink& sink) const {
  std::string room;
  if (is_object()) {
    sink.begin_object();
    for (const Member& member : members()) {
      room.clear();
      sink.key(valid_text(member.key, room));
      member.value.write(sink);
    }
    sink.end_object();
  } else if (is_array()) {
    sink.begin_array(size());
    for (const Json& item : items()) item.write(sink);
    sink.end_array();
  } else if (is_string()) {
    sink.text(valid_text(text(), room));
  } else if (is_boolean()) {
    sink.boolean(boolean());
  } else if (is_integer()) {
    sink.integer(integer());
  } else if (const float* const real = std::get_if<float>(&value_)) {
    sink.number(*real);
  } else if (is_number()) {
    sink.number(number());
  } else {
    sink.null();
  }
}

float json_number(float value) {
  return value == 0.0F ? 0.0F : value;
}

std::string json_text(const Json& document) {
  JsonWriter writer;
  document.write(writer);
  return writer.take();
}

}  // namespace sinew::exporter
