// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sinew/core/result.hpp"
#include "sinew/layer/value.hpp"

namespace sinew::stage {

/// What a variable holds whose type expressions do not have.
struct UnknownType {
  friend bool operator==(const UnknownType&, const UnknownType&) = default;
};

/// What a variable expression evaluates to. std::monostate is `None`.
struct ExpressionValue;
using ExpressionList = std::vector<ExpressionValue>;
struct ExpressionValue {
  std::variant<std::monostate, bool, std::int64_t, std::string, ExpressionList, UnknownType> data;
  friend bool operator==(const ExpressionValue&, const ExpressionValue&) = default;
};

/// The value of a variable, or nothing if there is no such variable. A string may itself be an
/// expression between backticks; it is evaluated in turn.
using VariableLookup = std::function<std::optional<ExpressionValue>(std::string_view name)>;

/// What an entry of `expressionVariables` stands for.
ExpressionValue expression_value(const layer::Value& value);

/// Whether text is an expression: it starts and ends with a backtick.
bool is_expression(std::string_view text) noexcept;

/// Evaluates a variable expression such as `` `if(eq(${LOD}, "high"), "hi.usda", "lo.usda")` ``.
///
/// Literals: strings in double or single quotes with ${NAME} replaced (left as it is where there is
/// no such variable, nothing for None), integers, True and False, None, and lists of one of these.
/// A bare ${NAME} is the variable's value. Functions: if, and, or, not, eq, neq, lt, leq, gt, geq,
/// contains, at, len, defined. What fails in the branch that if() does not take does not count.
///
/// @return The value; or `syntax` with the column; or `not_found` for an unknown variable outside a
///         string; or `type_mismatch` / `index_out_of_range` from a function; or `limit_exceeded`
///         if expressions nest too deeply or variables refer to one another in a circle.
/// @par Cost  Linear in the text and in what variables expand to; at most 64 KiB of expansion.
Result<ExpressionValue> evaluate_expression(std::string_view text, const VariableLookup& variables);

}  // namespace sinew::stage
