// SPDX-License-Identifier: Apache-2.0
// The library's JSON as a document of nlohmann-json.
#pragma once

#include <vector>

#include "output.hpp"
#include "sinew/export/json.hpp"

namespace sinew::tool {

/// Adds what is written to a document: the value that comes next becomes it if it is null; if it is
/// an object or a list already, members or items are added to it.
class JsonBuilder final : public exporter::JsonSink {
 public:
  explicit JsonBuilder(Json& document);

  void begin_object() override { open_.push_back(&place(Json::object())); }
  void end_object() override { open_.pop_back(); }
  void begin_array(std::size_t count) override;
  void end_array() override { open_.pop_back(); }
  void key(std::string_view name) override { next_ = &(*open_.back())[std::string(name)]; }
  void text(std::string_view text) override { place(std::string(text)); }
  void number(double number) override { place(to_json(number)); }
  void number(float number) override { place(to_json(number)); }
  void integer(std::int64_t number) override { place(number); }
  void natural(std::uint64_t number) override { place(number); }
  void boolean(bool yes) override { place(yes); }
  void null() override { place(nullptr); }

 private:
  Json& place(Json value);

  std::vector<Json*> open_;  // Objects and lists that have begun, the innermost last.
  Json* next_;               // Where the next value goes; null: at the end of the innermost list.
};

}  // namespace sinew::tool
