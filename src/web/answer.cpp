// SPDX-License-Identifier: Apache-2.0
#include "web/answer.hpp"

#include <cstdlib>
#include <cstring>

#include "sinew/export/json.hpp"

namespace sinew::web {

void Answer::give(std::string_view text) {
  data = 0;
  size = 0;
  if (text.empty()) return;
  void* const copy = std::malloc(text.size());
  if (copy == nullptr) std::abort();  // As every other allocation that fails.
  std::memcpy(copy, text.data(), text.size());
  data = address(copy);
  size = static_cast<std::uint32_t>(text.size());
}

void Answer::fail(const Error& error, std::string_view file) {
  exporter::JsonWriter json;
  json.begin_object();
  json.member("code", to_string(error.code));
  json.member("message", error.message);
  json.member("file", file);
  json.member("line", error.line);
  json.member("column", error.column);
  json.end_object();
  give(json.take());
  status = AnswerStatus::failed;
}

}  // namespace sinew::web
