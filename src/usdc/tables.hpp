// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "core/large_pages.hpp"
#include "sinew/core/buffer.hpp"
#include "sinew/core/token.hpp"
#include "usdc/crate_file.hpp"
#include "usdc/report.hpp"
#include "usdc/unpack.hpp"

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
  bool is_bracketed(std::uint32_t index) const noexcept {
    return (flags_[index] & kIsBracketed) != 0;
  }
  Token token(std::uint32_t index, TokenTable& table) {
    const Token token = tokens_[index];
    return token.empty() ? first_token(index, table) : token;
  }
  /// Makes the tokens of at most kTogether texts, of which many are new: they wait for memory
  /// together and not one after the other.
  void make_tokens(std::span<const std::uint32_t> indices, TokenTable& table);
  static constexpr std::size_t kTogether = 8;
  /// Whether the table had a text before it was asked for the token of this index: another index
  /// may have the same text.
  bool was_known(std::uint32_t index) const noexcept { return (flags_[index] & kWasKnown) != 0; }

 private:
  static constexpr std::uint8_t kIsBracketed = 1;
  static constexpr std::uint8_t kWasKnown = 2;

  Token first_token(std::uint32_t index, TokenTable& table);
  Token first_token(std::uint32_t index, std::string_view name, std::uint64_t hash,
                    TokenTable& table);
  bool split(std::uint64_t count, std::size_t size, std::uint64_t at, Report& report);

  Buffer unpacked_;
  const char* chars_ = nullptr;  // In the file or unpacked: texts, each ended by a NUL.
  std::vector<std::uint32_t> ends_;
  std::vector<std::uint8_t> flags_;
  std::vector<Token> tokens_;
};

/// Specs that follow each other, as files have them: of each its path, where the run of its fields
/// begins, and its type.
struct SpecBlock {
  std::size_t first = 0;  ///< The index of the first.
  std::span<const std::uint32_t> paths, fields, types;

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

/// What is done with each block of specs.
using TakeSpecs = std::function<void(const SpecBlock& specs)>;
/// Reads the specs, whose paths are below `path_count`, at most kRunBlock at a time.
/// @return False if one is damaged: those of the blocks before have been taken.
bool read_specs(const CrateFile& file, const Tables& tables, std::uint64_t path_count,
                Budget& budget, Report& report, const TakeSpecs& take);

/// So many integers of runs that belong together are read at a time; see IntegerRun::read().
inline constexpr std::size_t kRunBlock = 512;
static_assert(kRunBlock % 4 == 0);

/// Opens a compressed run of `count` integers of a section. Of none there is nothing to read.
bool open_run(ByteReader& reader, std::uint64_t count, Budget& budget, Report& report,
              std::string_view code, IntegerRun<std::uint32_t>& run);
/// Reads one as a whole.
bool read_run(ByteReader& reader, std::uint64_t count, Budget& budget, Report& report,
              std::string_view code, LargeVector<std::uint32_t>& integers);

/// Tells that the content of a section ends too early.
bool cut_short(const ByteReader& reader, std::string_view code, Report& report);

}  // namespace sinew::usdc
