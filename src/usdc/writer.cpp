// SPDX-License-Identifier: Apache-2.0
#include "sinew/usdc/writer.hpp"

#include <bit>
#include <memory>
#include <utility>

#include "core/format_text.hpp"
#include "core/replace_file.hpp"
#include "usdc/layer_writer.hpp"

namespace sinew::usdc {

static_assert(std::endian::native == std::endian::little,
              "the format is little-endian, and so is everything that writes it");

namespace {

Status check(const WriteOptions& options) {
  const Version asked = options.version;
  if (asked >= kOldestWritten && asked <= kNewestWritten) return {};
  return {ErrorCode::invalid_argument,
          format_text("version {}.{}.{} of the binary format cannot be written; {}.{}.{} to "
                      "{}.{}.{} can.",
                      asked.major, asked.minor, asked.patch, kOldestWritten.major,
                      kOldestWritten.minor, kOldestWritten.patch, kNewestWritten.major,
                      kNewestWritten.minor, kNewestWritten.patch)};
}

}  // namespace

Result<Bytes> write(const layer::Layer& layer, Diagnostics& diagnostics,
                    const WriteOptions& options) {
  if (Status good = check(options); !good) return std::move(good).error();
  Output output;
  if (Status made = LayerWriter(layer, output, diagnostics).write(options.version); !made) {
    return std::move(made).error();
  }
  const auto bytes = std::make_shared<const std::vector<std::byte>>(output.take());
  return Bytes(*bytes, bytes);
}

Status write_file(const layer::Layer& layer, const std::string& file, Diagnostics& diagnostics,
                  const WriteOptions& options) {
  if (Status good = check(options); !good) return good;
  Result<ReplaceFile> made = ReplaceFile::create(file);
  if (!made) return std::move(made).error();
  Output output(made->handle());
  if (Status written = LayerWriter(layer, output, diagnostics).write(options.version); !written) {
    return written;
  }
  if (!output.good()) {
    return {ErrorCode::io_failed, format_text("cannot write '{}': the disk may be full.", file)};
  }
  return (*std::move(made)).commit();
}

}  // namespace sinew::usdc
