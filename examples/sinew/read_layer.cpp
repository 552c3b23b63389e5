// SPDX-License-Identifier: Apache-2.0
#include "read_layer.hpp"

#include "sinew/usda/parser.hpp"
#include "sinew/usdc/reader.hpp"

namespace sinew::tool {

Result<layer::LayerPtr> read_layer(const std::string& file, const CommonOptions& common,
                                   Diagnostics& diagnostics) {
  const Result<Bytes> bytes = map_file(file);
  if (bytes && usdc::is_crate(*bytes)) {
    usdc::ReadOptions options;
    options.rules = common.rules;
    options.limits = untrusted_limits();
    options.unpack = usdc::Unpack::at_once;
    return usdc::read(*bytes, file, diagnostics, options);
  }
  usda::ParseOptions options;
  options.rules = common.rules;
  if (bytes) return usda::parse(bytes->text(), file, diagnostics, options);
  return usda::parse_file(file, diagnostics, options);
}

}  // namespace sinew::tool
