// SPDX-License-Identifier: Apache-2.0
// What the tests of the reader share.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/usdc/reader.hpp"
#include "usdc/crate_builder.hpp"
#include "usdc/scenes.hpp"

namespace sinew::usdc::test {

class ReadCrate : public testing::Test {
 protected:
  layer::LayerPtr read_layer(const std::string& file) {
    diagnostics_.clear();
    Result<layer::LayerPtr> layer = read(Bytes(file), "test.usdc", diagnostics_, options_);
    if (!layer) error_ = layer.error();
    return layer ? *layer : nullptr;
  }
  /// The default of `/A.x`.
  layer::Value value_of(const std::string& type, std::uint64_t value, CrateBuilder& crate) {
    crate.one_attribute(type, value);
    layer_ = read_layer(crate.build());
    if (layer_ == nullptr) return {};
    return layer_->root().children[0]->properties[0].default_value;
  }
  layer::Value value_of(const std::string& type, std::uint64_t value) {
    CrateBuilder crate;
    return value_of(type, value, crate);
  }
  bool has(std::string_view code) const {
    return std::any_of(diagnostics_.begin(), diagnostics_.end(),
                       [&](const Diagnostic& diagnostic) { return diagnostic.code == code; });
  }
  /// The message of the error without the place in the file.
  std::string reason() const { return error_.message.substr(0, error_.message.find(" (at byte")); }

  ReadOptions options_;
  Diagnostics diagnostics_;
  Error error_;
  layer::LayerPtr layer_;
};

}  // namespace sinew::usdc::test
