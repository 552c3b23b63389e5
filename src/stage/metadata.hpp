// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

#include "stage/stage_impl.hpp"

namespace sinew::stage {

/// A metadata field of a prim, composed over all its sites.
layer::Value compose_prim_field(const Stage::Impl& impl, std::uint32_t node, std::string_view key);

/// A metadata field of a property, composed over all its specs.
layer::Value compose_property_field(const Stage::Impl& impl, std::uint32_t node, Token name,
                                    std::string_view key);

}  // namespace sinew::stage
