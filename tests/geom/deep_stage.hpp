// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <span>
#include <utility>

#include "sinew/layer/layer_builder.hpp"
#include "sinew/stage/stage.hpp"
#include "support/stack.hpp"

namespace sinew::geom {

/// A stage of one chain of Xforms, each moved by (1, 0, 0); the last of them has another type.
inline stage::StagePtr deep_stage(std::uint32_t depth, const char* last_type) {
  layer::LayerBuilder builder("deep.usda");
  const Token op = builder.tokens().intern("xformOp:translateX");
  const auto order = layer::Value::array<Token>(layer::ElementType::token, std::span(&op, 1));
  const auto one = layer::Value::scalar(layer::ElementType::double_, 1.0);
  layer::LayerBuilder::Prim* prim = builder.root();
  for (std::uint32_t i = 1; i <= depth; ++i) {
    const char* type = i == depth ? last_type : "Xform";
    prim = *builder.add_prim(prim, layer::Specifier::def, type, "a");
    EXPECT_TRUE(builder.set_default(prim, "token[]", "xformOpOrder", order));
    EXPECT_TRUE(builder.set_default(prim, "double", op.view(), one));
  }
  Diagnostics diagnostics;
  stage::OpenOptions options;
  options.limits.prim_nesting = depth + 1;
  stage::StagePtr stage;
  run_with_stack(kLargeStack, [&] {
    auto opened = stage::Stage::open(std::move(builder).finish(), diagnostics, options);
    if (opened) stage = *opened;
  });
  EXPECT_NE(stage, nullptr);
  return stage;
}

}  // namespace sinew::geom
