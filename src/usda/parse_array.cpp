// SPDX-License-Identifier: Apache-2.0
// Arrays: lists of elements, flat or nested. Runs of numbers that are written the usual way are
// read in bulk; everything else, one element at a time by the rules of the grammar.

#include <algorithm>
#include <cstring>

#include "core/format_text.hpp"
#include "layer/shared/element_table.hpp"
#include "usda/number_list.hpp"
#include "usda/text_parser.hpp"

namespace sinew::usda {

namespace {

// Tries bulk reading after a few elements, and less often the longer it gains nothing, so that text
// that is never written the usual way is read about as fast as by the grammar's rules alone.
class Patience {
 public:
  bool try_now() noexcept {
    if (wait_ == 0) return true;
    --wait_;
    return false;
  }
  void tried(std::size_t count) noexcept {
    step_ = count >= kWorthwhile ? kFirst : std::min(2 * step_, kLast);
    wait_ = step_;
  }

 private:
  static constexpr std::uint32_t kFirst = 2;
  static constexpr std::uint32_t kLast = 1024;
  static constexpr std::size_t kWorthwhile = 16;
  std::uint32_t step_ = kFirst;
  std::uint32_t wait_ = kFirst;
};

// A part of a long array: whole elements, each with its comma.
struct Piece {
  const char* first = nullptr;
  const char* last = nullptr;
  std::size_t before = 0;  // Elements of earlier pieces.
  std::size_t count = 0;
  bool good = false;
};

constexpr std::size_t kPieceBytes = 128 * 1024;

// Whether elements are made of numbers. bool is not: words count.
bool is_read_in_runs(const ElementInfo& info) noexcept {
  return info.component != ElementType::none && info.component != ElementType::bool_;
}

// The first start of an element after `from`: past a comma that, for tuples, follows one ')' and,
// for matrices, two. Returns `last` if there is none nearby.
const char* next_element(const ElementInfo& info, const char* from, const char* last) noexcept {
  const unsigned wanted = info.columns == 1 ? 0 : (info.rows == 0 ? 1 : 2);
  const char* const far = last - from > 4096 ? from + 4096 : last;
  unsigned closed = 0;
  for (const char* p = from; p < far; ++p) {
    if (*p == ',' && closed >= wanted) return p + 1;
    if (*p == ')') {
      ++closed;
    } else if (*p != ' ' && *p != '\n') {
      closed = 0;
    }
  }
  return last;
}

std::vector<Piece> split(const ElementInfo& info, const char* first, const char* last,
                         std::size_t pieces) {
  std::vector<Piece> result;
  const std::size_t bytes = static_cast<std::size_t>(last - first) / pieces;
  for (const char* p = first; p < last;) {
    const bool end = static_cast<std::size_t>(last - p) < 2 * bytes;
    const char* const next = end ? last : next_element(info, p + bytes, last);
    result.push_back({.first = p, .last = next});
    p = next;
  }
  return result;
}

}  // namespace

// Makes room for one more element.
bool TextParser::reserve_element(Buffer& buffer, std::size_t size) {
  if (buffer.size() + size > buffer.capacity()) {
    const std::size_t used = buffer.size();
    const std::uint64_t limit = options_.limits.array_elements;
    if (used / size >= limit) {
      return scan_.fail_limit(
          scan_.position(), format_text("An array has more elements than the limit of {}.", limit));
    }
    const std::size_t grown = std::max<std::size_t>(2 * (used / size), used / size + 1);
    buffer.resize(static_cast<std::size_t>(std::min<std::uint64_t>(grown, limit)) * size);
    buffer.resize(used);
  }
  buffer.resize(buffer.size() + size);
  return true;
}

// Reads elements that are written the usual way, as many as the buffer has room for, perhaps none.
std::size_t TextParser::number_run(ElementType type, Buffer& buffer) {
  const ElementInfo& info = info_of(type);
  if (!is_read_in_runs(info)) return 0;
  const std::size_t size = element_size(type);
  const std::size_t used = buffer.size();
  NumberRun run;
  run.text = scan_.position();
  run.text_end = scan_.text_end();
  run.out = buffer.mutable_data() + used;
  run.capacity = (buffer.capacity() - used) / size;
  read_number_run(info, level_, run);
  if (info.form == ElementForm::quaternion) real_parts_last(info.component, run.out, run.count);
  buffer.resize(used + run.count * size);
  scan_.set_position(run.text);
  return run.count;
}

// Reads all elements before `close` except the last, on several threads. Reads nothing and returns
// 0 unless all of them are written the usual way. The buffer has room for them.
std::size_t TextParser::numbers_in_parallel(ElementType type, Buffer& buffer, const char* close) {
  const ElementInfo& info = info_of(type);
  const auto bytes = static_cast<std::size_t>(close - scan_.position());
  const Executor& executor = options_.executor;
  if (!is_read_in_runs(info) || executor.parallel_for == nullptr || executor.worker_count < 2 ||
      bytes < 2 * kPieceBytes) {
    return 0;
  }
  const std::size_t most = 4 * executor.worker_count;
  std::vector<Piece> pieces =
      split(info, scan_.position(), close, std::clamp<std::size_t>(bytes / kPieceBytes, 2, most));
  const auto for_pieces = [&](auto body) {
    parallel_for(executor, pieces.size(), 1, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) body(pieces[i]);
    });
  };
  for_pieces([&](Piece& piece) {
    piece.count = survey_array(piece.first, piece.last, level_).commas / info.numbers();
  });
  std::size_t total = 0;
  for (Piece& piece : pieces) {
    piece.before = total;
    total += piece.count;
  }
  const std::size_t size = element_size(type);
  if (total > buffer.capacity() / size) return 0;
  std::byte* const out = buffer.mutable_data();
  for_pieces([&](Piece& piece) {
    NumberRun run;
    run.text = piece.first;
    run.text_end = scan_.text_end();
    run.out = out + piece.before * size;
    run.capacity = piece.count;
    read_number_run(info, level_, run);
    if (info.form == ElementForm::quaternion) real_parts_last(info.component, run.out, run.count);
    piece.good = run.count == piece.count && (piece.last == close || run.text == piece.last);
    piece.last = run.text;
  });
  if (!std::all_of(pieces.begin(), pieces.end(), [](const Piece& p) { return p.good; })) return 0;
  buffer.resize(total * size);
  scan_.set_position(pieces.back().last);
  return total;
}

// One level of nested lists, after the '[' at `open` and `count` elements with their commas. Lists
// must be rectangular: every list at one depth has as many items as the first.
bool TextParser::list_level(ElementType type, Buffer& buffer, const char* open, std::size_t depth,
                            std::vector<std::uint64_t>& lengths, std::uint64_t count) {
  if (depth >= options_.limits.value_nesting) {
    return scan_.fail_limit(open, format_text("Lists nest deeper than the limit of {}.",
                                              options_.limits.value_nesting));
  }
  const std::size_t size = element_size(type);
  bool has_lists = false;
  bool has_elements = count != 0;
  Patience patience;
  const auto item = [&] {
    ++count;
    const char* const at = scan_.position();
    if (scan_.take('[')) {
      has_lists = true;
      if (has_elements) return scan_.fail(open, "usda-bad-list", "A list mixes values and lists.");
      return list_level(type, buffer, at, depth + 1, lengths, 0);
    }
    has_elements = true;
    if (has_lists) return scan_.fail(open, "usda-bad-list", "A list mixes values and lists.");
    if (!reserve_element(buffer, size)) return false;
    return element(type, buffer.mutable_data() + buffer.size() - size);
  };
  if (!scan_.multi_pad()) return false;
  bool closed = count != 0 && scan_.take(']');
  while (!closed) {
    if (has_elements && patience.try_now()) {
      const std::size_t read = number_run(type, buffer);
      count += read;
      patience.tried(read);
      if (read != 0 && !scan_.multi_pad()) return false;
      if (read != 0 && scan_.take(']')) break;
    }
    const char* const at = scan_.position();
    if (!item()) return suspect_bracket(at);
    if (!scan_.pad()) return false;
    const bool more = scan_.take(',');
    if (!scan_.multi_pad()) return false;
    closed = scan_.take(']');
    if (!closed && !more) return expected_in_brackets("',' or ']'");
  }
  // Depths are entered into the lengths from the inside out; leaves mark where it ends.
  const std::uint64_t mark = has_elements ? count | (std::uint64_t{1} << 63) : count;
  if (lengths.size() <= depth) lengths.resize(depth + 1, 0);
  if (lengths[depth] == 0) lengths[depth] = mark;
  return lengths[depth] == mark ||
         scan_.fail(open, "usda-bad-list", "Nested lists differ in size.");
}

bool TextParser::array_value(ElementType type, Value& out) {
  const char* const open = scan_.position();
  if (!scan_.take('[')) {
    return scan_.fail(open, "usda-bad-value", "This type is an array, but the value is not a list.",
                      "put it between [ and ]");
  }
  if (!scan_.pad()) return false;
  if (scan_.take(']')) {
    out = Value::array_from_buffer(type, Buffer());
    return true;
  }
  // No more elements than commas before the end: one allocation for arrays that do not nest.
  const char* const first = scan_.position();
  const ArraySurvey survey = survey_array(first, scan_.text_end(), level_);
  scan_.know_line_feeds(first, survey.close, survey.line_feeds);
  const std::size_t components = std::max<std::size_t>(1, component_count(type));
  const std::size_t elements =
      std::min<std::size_t>(survey.commas / components + 1, options_.limits.array_elements);
  Buffer buffer(elements * element_size(type));
  buffer.resize(0);
  const std::size_t count = numbers_in_parallel(type, buffer, survey.close);
  std::vector<std::uint64_t> lengths;
  if (!list_level(type, buffer, open, 0, lengths, count)) return false;
  if (buffer.capacity() > buffer.size() + buffer.size() / 8 + 64) {
    buffer = Buffer::copy_of({buffer.data(), buffer.size()});
  }
  out = Value::array_from_buffer(type, std::move(buffer));
  return true;
}

}  // namespace sinew::usda
