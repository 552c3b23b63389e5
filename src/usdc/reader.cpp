// SPDX-License-Identifier: Apache-2.0
#include "sinew/usdc/reader.hpp"

#include <utility>

#include "core/format_text.hpp"
#include "usdc/format.hpp"
#include "usdc/layer_reader.hpp"

namespace sinew::usdc {

bool is_crate(const Bytes& bytes) noexcept {
  return bytes.starts_with(kMagic);
}

bool ReadContext::open(const Bytes& bytes) {
  names = options.tokens != nullptr ? options.tokens : std::make_shared<TokenTable>();
  budget = std::make_shared<Budget>(options.limits, bytes.size());
  if (bytes.size() > options.limits.file_bytes) {
    return report.reject("usdc-limit",
                         format_text("the file has {} bytes, more than the limit of {}",
                                     bytes.size(), options.limits.file_bytes),
                         0, ErrorCode::limit_exceeded);
  }
  return file.open(bytes, report) && tables.read(file, *budget, report) &&
         paths.read(file, tables.tokens, options.limits, *budget, report);
}

Result<layer::LayerPtr> read(const Bytes& bytes, std::string identifier, Diagnostics& diagnostics,
                             const ReadOptions& options) {
  ReadContext context(options, identifier, diagnostics);
  if (!context.open(bytes)) return context.report.error();
  Result<layer::LayerPtr> layer = LayerReader(context).run(std::move(identifier));
  context.report.finish();
  return layer;
}

Result<layer::LayerPtr> read_file(const std::string& file, Diagnostics& diagnostics,
                                  const ReadOptions& options) {
  Result<Bytes> bytes = map_file(file, options.limits.file_bytes);
  if (bytes) return read(*bytes, file, diagnostics, options);
  Diagnostic diagnostic;
  diagnostic.severity = Severity::error;
  diagnostic.code = bytes.error().code == ErrorCode::limit_exceeded ? "usdc-limit" : "io-failed";
  diagnostic.message = bytes.error().message;
  diagnostic.file = file;
  diagnostics.push_back(std::move(diagnostic));
  return std::move(bytes).error();
}

}  // namespace sinew::usdc
