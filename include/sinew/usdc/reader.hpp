// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sinew/core/bytes.hpp"
#include "sinew/core/diagnostic.hpp"
#include "sinew/core/export.hpp"
#include "sinew/core/limits.hpp"
#include "sinew/core/result.hpp"
#include "sinew/core/rules.hpp"
#include "sinew/core/token.hpp"
#include "sinew/layer/layer.hpp"
#include "sinew/usdc/version.hpp"

namespace sinew::usdc {

/// What happens to the layer when the file is damaged. What is wrong is reported either way.
enum class OnError : std::uint8_t {
  reject,              ///< No layer, whatever is damaged.
  drop_values,         ///< Single damaged values are left out; no layer if more is damaged.
  keep_what_was_read,  ///< Also prims whose children are damaged; complete() is false then.
};

/// When compressed arrays are unpacked.
enum class Unpack : std::uint8_t {
  when_used,  ///< By the first caller that asks for one. A damaged one is empty, and counted in
              ///< Layer::damaged_values().
  at_once,    ///< While reading, so that all damage is reported.
};

/// How a binary file is read.
struct ReadOptions {
  Rules rules = Rules::documented;  ///< `documented` also repairs what old writers got wrong.
  OnError on_error = OnError::drop_values;  ///< By default a damaged value costs that value alone.
  Limits limits;                       ///< Of what the file declares and what its parts unpack to.
  std::shared_ptr<TokenTable> tokens;  ///< Where names go; null: a new table.
  /// Large arrays wait until they are used, so that opening is cheap.
  Unpack unpack = Unpack::when_used;
};

/// Whether these are the first bytes of a .usdc file. Names of files do not tell: .usd may be text.
SINEW_API bool is_crate(const Bytes& bytes) noexcept;

/// Reads a .usdc file ("crate"), of every version from 0.0.1 to 0.15.
///
/// The layer equals that of the same content as text. Large arrays stay in `bytes`, which the
/// layer and its values share: plain ones where the file has them aligned, others until they are
/// first used.
///
/// Whatever the bytes are, no more memory is taken than they can fill, see Limits.
///
/// @param identifier   Names the layer in diagnostics, usually the path of the file.
/// @param diagnostics  What was found wrong, with codes `usdc-*`, the offset and the prim or
///                     property.
/// @return The layer; or `syntax`, `unsupported` (a version that is not known), `limit_exceeded`.
/// @par Cost  Linear in the tables and small values. Tokens are interned, so not concurrently with
///            another user of the same table.
SINEW_API Result<layer::LayerPtr> read(const Bytes& bytes, std::string identifier,
                                       Diagnostics& diagnostics, const ReadOptions& options = {});

/// Maps a file and reads it with read(); the identifier is `file`.
/// @return As read(); or `io_failed` if the file cannot be read.
SINEW_API Result<layer::LayerPtr> read_file(const std::string& file, Diagnostics& diagnostics,
                                            const ReadOptions& options = {});

/// What a file consists of.
struct Info {
  /// One entry of the table of contents.
  struct Section {
    std::string name;          ///< E.g. "TOKENS", "FIELDS", "SPECS".
    std::uint64_t offset = 0;  ///< From the first byte of the file.
    std::uint64_t bytes = 0;   ///< Size in the file.
  };
  /// The values of one type, taken together.
  struct Values {
    std::string type;  ///< As declared in text, e.g. "float3[]"; or "time samples" and the like.
    std::uint64_t count = 0;       ///< Distinct ones outside of the tables.
    std::uint64_t compressed = 0;  ///< How many of them are compressed.
    std::uint64_t elements = 0;    ///< Of all arrays.
    std::uint64_t bytes = 0;       ///< In the file, where their type tells.
  };
  Version version;                ///< Of the format, as the file states it.
  std::uint64_t file_bytes = 0;   ///< Size of the whole file.
  std::vector<Section> sections;  ///< In the order of the table of contents.
  std::uint64_t tokens = 0;       ///< Distinct names and texts.
  std::uint64_t strings = 0;      ///< Values of type string, which are tokens by number.
  std::uint64_t fields = 0;       ///< Distinct pairs of a name and a value.
  std::uint64_t field_sets = 0;   ///< Distinct lists of fields; specs share them.
  std::uint64_t paths = 0;        ///< Prims, variants, properties and targets together.
  /// Prims, variants, properties; every one with a path and a list of fields.
  std::uint64_t specs = 0;
  std::vector<Values> values;  ///< What takes the most bytes first.
};

/// Describes a file without making a layer of it.
/// @return As read().
SINEW_API Result<Info> describe(const Bytes& bytes, std::string identifier,
                                Diagnostics& diagnostics, const Limits& limits = {});

}  // namespace sinew::usdc
