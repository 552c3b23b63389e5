// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "sinew/core/simd.hpp"
#include "usda/model.hpp"

namespace sinew::usda {

/// A run of elements written the usual way, each with its comma: numbers without padding before
/// the ',' or ')' after them, commas without padding before them, nothing but blanks, tabs and
/// line breaks elsewhere.
struct NumberRun {
  const char* text = nullptr;      ///< In: the start of an element. Out: past the last one read.
  const char* text_end = nullptr;  ///< In: nothing is read from here on.
  std::byte* out = nullptr;        ///< In: where the numbers go, in the order of the text.
  std::size_t capacity = 0;        ///< In: elements that `out` has room for.
  std::size_t count = 0;           ///< Out: elements read.
};

/// Reads elements until one is not written the usual way, has no comma after it, does not fit its
/// type, or has an integer beyond 64 bits. What is read equals what the grammar's rules read,
/// number by number: correctly rounded. Whatever stopped it, the caller goes on from `text` with
/// those rules.
///
/// The text is read in blocks: first where every number starts and ends, 64 characters at a time,
/// then the numbers, 16 digits at a time.
/// @par Cost  No allocation.
void read_number_run(const ElementInfo& info, SimdLevel level, NumberRun& run) noexcept;

/// What one look at the text of an array shows.
struct ArraySurvey {
  const char* close = nullptr;  ///< The first ']', or the end of the text.
  std::size_t commas = 0;       ///< Before that.
  std::size_t line_feeds = 0;   ///< Before that.
};
ArraySurvey survey_array(const char* first, const char* last, SimdLevel level) noexcept;

/// What one look at a whole text shows.
struct TextSurvey {
  std::size_t ascii = 0;          ///< So many characters at least, from the first, are ASCII.
  bool carriage_returns = false;  ///< Whether there are any among those.
};
TextSurvey survey_text(const char* first, const char* last, SimdLevel level) noexcept;

}  // namespace sinew::usda
