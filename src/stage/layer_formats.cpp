// SPDX-License-Identifier: Apache-2.0
#include "stage/layer_formats.hpp"

#include <utility>

#include "core/report.hpp"
#include "sinew/usda/parser.hpp"
#include "sinew/usdc/reader.hpp"
#include "sinew/usdz/package_path.hpp"

namespace sinew::stage {

namespace {

Error unsupported(Diagnostics& diagnostics, const std::string& identifier) {
  constexpr const char* kMessage =
      "This is a package of files, but its name does not end in .usdz.";
  report(&diagnostics, Severity::error, "stage-unreadable", {.file = identifier}, kMessage);
  return {ErrorCode::unsupported, kMessage};
}

// Whether the bytes are meant to be a binary layer, even if they are damaged at their very start.
bool is_meant_binary(const Bytes& bytes, const std::string& identifier) {
  const auto [outer, inner] = usdz::split_inner(identifier);
  const bool is_named_so = (inner.empty() ? outer : inner).ends_with(".usdc");
  return bytes.starts_with("PXR-USD") || (is_named_so && !bytes.starts_with("#usda"));
}

}  // namespace

Result<layer::LayerPtr> read_layer(const Bytes& bytes, const std::string& identifier,
                                   Diagnostics& diagnostics, const OpenOptions& options,
                                   std::shared_ptr<TokenTable> tokens, usdc::Unpack unpack) {
  if (bytes.starts_with("PK\3\4")) return unsupported(diagnostics, identifier);
  if (is_meant_binary(bytes, identifier)) {
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
