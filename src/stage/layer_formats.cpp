// SPDX-License-Identifier: Apache-2.0
#include "stage/layer_formats.hpp"

#include <utility>

#include "core/report.hpp"
#include "sinew/usda/parser.hpp"
#include "sinew/usdc/reader.hpp"

namespace sinew::stage {

namespace {

Error unsupported(Diagnostics& diagnostics, const std::string& identifier) {
  constexpr const char* kMessage =
      "This is a package of files, but its name does not end in .usdz.";
  report(&diagnostics, Severity::error, "stage-unreadable", {.file = identifier}, kMessage);
  return {ErrorCode::unsupported, kMessage};
}

}  // namespace

Result<layer::LayerPtr> read_layer(const Bytes& bytes, const std::string& identifier,
                                   Diagnostics& diagnostics, const OpenOptions& options,
                                   std::shared_ptr<TokenTable> tokens, usdc::Unpack unpack) {
  if (bytes.starts_with("PK\3\4")) return unsupported(diagnostics, identifier);
  if (usdc::is_crate(bytes)) {
    usdc::ReadOptions read_options;
    read_options.rules = options.rules;
    read_options.limits = options.limits;
    read_options.tokens = std::move(tokens);
    read_options.unpack = unpack;
    return usdc::read(bytes, identifier, diagnostics, read_options);
  }
  usda::ParseOptions parse_options;
  parse_options.rules = options.rules;
  parse_options.limits = options.limits;
  parse_options.tokens = std::move(tokens);
  parse_options.executor = options.executor;
  return usda::parse(bytes.text(), identifier, diagnostics, parse_options);
}

}  // namespace sinew::stage
