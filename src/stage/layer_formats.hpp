// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "sinew/core/bytes.hpp"
#include "sinew/stage/stage.hpp"
#include "sinew/usdc/reader.hpp"

namespace sinew::stage {

/// Reads a layer of any format. Its first bytes tell which one it is; its name does not count.
/// Errors are reported to `diagnostics`.
/// @param tokens  Where names go; null: a new table.
/// @param unpack  When large arrays of binary files are read.
Result<layer::LayerPtr> read_layer(const Bytes& bytes, const std::string& identifier,
                                   Diagnostics& diagnostics, const OpenOptions& options,
                                   std::shared_ptr<TokenTable> tokens,
                                   usdc::Unpack unpack = usdc::Unpack::when_used);

}  // namespace sinew::stage
