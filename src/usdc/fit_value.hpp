// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "sinew/core/token.hpp"
#include "sinew/layer/value.hpp"
#include "sinew/layer/value_type.hpp"

namespace sinew::usdc {

enum class Fit : std::uint8_t {
  same,       ///< It has the declared type.
  converted,  ///< It has now.
  unfit,      ///< It has another one, and is as it was.
};

/// Makes a value one of the declared type, where nothing is lost by it; `may_round` allows rounding
/// to floating-point numbers of fewer bits.
Fit fit_value(layer::Value& value, const layer::ValueType& declared, bool may_round);

/// Makes a list of edits of whole numbers one of 64-bit integers.
Fit fit_int64_list(layer::Value& value);

/// Makes the source text of strings, tokens and assets, one or an array, or of a bool or a number a
/// value of that type.
Fit fit_unregistered(layer::Value& value, const layer::ValueType& declared, TokenTable& names);

}  // namespace sinew::usdc
