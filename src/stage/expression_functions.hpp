// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

#include "stage/variable_expression.hpp"

namespace sinew::stage {

/// What a value is, for messages: "an int".
std::string_view type_of(const ExpressionValue& value);

/// That a function was given a value of a type that it does not take.
Error mismatch(std::string_view function, std::string_view wanted, const ExpressionValue& got);

/// Calls a function of expressions that looks at its arguments alone: all but if() and defined().
/// Precondition: there is such a function, and it takes as many.
/// @return The value; or `type_mismatch` or `index_out_of_range`.
Result<ExpressionValue> call_function(std::string_view function,
                                      std::span<const ExpressionValue> arguments);

}  // namespace sinew::stage
