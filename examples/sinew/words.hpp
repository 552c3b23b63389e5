// SPDX-License-Identifier: Apache-2.0
// Reading words of the command line.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "commands.hpp"

namespace sinew::tool {

/// "; did you mean 'X'?" for the known word that this one begins, or the closest one, or nothing if
/// none is close.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& known);

/// "a, b or c".
std::string listed(std::span<const std::string_view> words);

/// A finite number and nothing else.
bool parse_number(std::string_view text, double& value);

// What options take. Each returns a sentence if the word is anything else.

/// "documented" or "openusd".
std::string parse_rules(const std::string& text, Rules& rules);

/// A time code or "default".
std::string parse_time(const std::string& text, stage::Time& time);

/// "best" or a level of this machine.
std::string parse_simd(const std::string& text, SimdLevel& level);

/// "A:B" or "A:B:STEP". Not more than a million frames.
std::string parse_frames(const std::string& text, FrameRange& range, bool* has_step = nullptr);

}  // namespace sinew::tool
