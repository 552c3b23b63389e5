// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "web/answer.hpp"
#include "web/handle_table.hpp"

/// A function that JavaScript sees under its own name. Texts are UTF-8, each an address and bytes.
/// What goes wrong is in the Answer; numbers of nothing do nothing.
#define SINEW_WEB_EXPORT(name) \
  extern "C" __attribute__((export_name(#name), visibility("default"))) auto name

namespace sinew::web {

/// A text that JavaScript put into memory.
inline std::string_view text_at(const char* data, std::uint32_t size) {
  return data == nullptr ? std::string_view() : std::string_view(data, size);
}

/// The time that a number means: NaN is the default time.
inline stage::Time time_of(double code) {
  return code == code ? stage::Time(code) : stage::Time::default_time();
}

/// A stage, or null with an error in the answer.
inline WebStage* stage_or_fail(std::uint32_t handle, Answer* answer) {
  WebStage* const stage = handles().stage(handle);
  if (stage == nullptr) {
    answer->fail({ErrorCode::invalid_argument, "the stage has been disposed of."});
  }
  return stage;
}

/// Gives a text, or the error.
inline void give(const Result<std::string>& text, Answer* answer) {
  if (text) {
    answer->give(*text);
  } else {
    answer->fail(text.error());
  }
}

}  // namespace sinew::web
