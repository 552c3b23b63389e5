// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/large_pages.hpp"
#include "sinew/core/buffer.hpp"
#include "sinew/core/token.hpp"
#include "usdc/crate_file.hpp"
#include "usdc/report.hpp"

namespace sinew::usdc {

/// The texts of a file. Most are names that occur many times, but some are data that occurs once or
/// never: each becomes a Token when it is first asked for.
class TokenList {
 public:
  bool read(const CrateFile& file, Budget& budget, Report& report);

  std::size_t size() const noexcept { return ends_.size(); }
  std::string_view text(std::uint32_t index) const noexcept {
    const std::uint32_t start = index == 0 ? 0 : ends_[index - 1] + 1;
    return {chars_ + start, ends_[index] - start};
  }
  /// Whether the text begins with a bracket, as elements of paths do that are no names.
  bool is_bracketed(std::uint32_t index) const noexcept { return is_bracketed_[index] != 0; }
  Token token(std::uint32_t index, TokenTable& table) {
    const Token token = tokens_[index];
    return token.empty() ? first_token(index, table) : token;
  }
  /// Whether the table had a text before it was asked for the token of this index: another index
  /// may have the same text.
  bool was_known(std::uint32_t index) const noexcept { return was_known_[index]; }

 private:
  Token first_token(std::uint32_t index, TokenTable& table);
  bool split(std::uint64_t count, std::size_t size, std::uint64_t at, Report& report);

  Buffer unpacked_;
  const char* chars_ = nullptr;  // In the file or unpacked: texts, each ended by a NUL.
  std::vector<std::uint32_t> ends_;
  std::vector<std::uint8_t> is_bracketed_;
  std::vector<Token> tokens_;
  std::vector<bool> was_known_;
};

/// The specs of a file.
struct Specs {
  LargeVector<std::uint32_t> paths;
  LargeVector<std::uint32_t> field_sets;  ///< Where the run of fields of each begins.
  LargeVector<std::uint32_t> types;

  std::size_t size() const noexcept { return paths.size(); }
};

/// The tables of a file but for its paths. All indices in them are good.
struct Tables {
  TokenList tokens;
  std::vector<std::uint32_t> strings;       ///< Into tokens.
  LargeVector<std::uint32_t> field_names;   ///< Into tokens.
  LargeVector<std::uint64_t> field_values;  ///< Value representations, unchecked.
  LargeVector<std::uint32_t> field_sets;    ///< Into fields, or kNoIndex at the end of a run.

  bool read(const CrateFile& file, Budget& budget, Report& report);

 private:
  bool read_strings(const CrateFile& file, Report& report);
  bool read_fields(const CrateFile& file, Budget& budget, Report& report);
  bool read_field_sets(const CrateFile& file, Budget& budget, Report& report);
};

/// Reads the specs, whose paths are below `path_count`.
bool read_specs(const CrateFile& file, const Tables& tables, std::uint64_t path_count,
                Budget& budget, Report& report, Specs& specs);

/// Reads a compressed run of `count` integers of a section.
bool read_run(ByteReader& reader, std::uint64_t count, Budget& budget, Report& report,
              std::string_view code, LargeVector<std::uint32_t>& integers);

/// Tells that the content of a section ends too early.
bool cut_short(const ByteReader& reader, std::string_view code, Report& report);

}  // namespace sinew::usdc
