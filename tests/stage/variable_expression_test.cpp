// SPDX-License-Identifier: Apache-2.0
#include "stage/variable_expression.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

namespace sinew::stage::variable_expression_test {
namespace {

using ::testing::HasSubstr;

class EvaluateExpression : public ::testing::Test {
 protected:
  Result<ExpressionValue> evaluate(std::string_view text) const {
    return evaluate_expression(text, [this](std::string_view name) {
      const auto found = variables.find(name);
      return found == variables.end() ? std::nullopt : std::optional(found->second);
    });
  }
  std::string text_of(std::string_view expression) const {
    const Result<ExpressionValue> value = evaluate(expression);
    if (!value) return "error: " + value.error().message;
    const auto* text = std::get_if<std::string>(&value->data);
    return text != nullptr ? *text : "not a string";
  }
  bool is_true(std::string_view expression) const {
    const Result<ExpressionValue> value = evaluate(expression);
    return value && std::get_if<bool>(&value->data) != nullptr && std::get<bool>(value->data);
  }
  ErrorCode error_of(std::string_view expression) const {
    const Result<ExpressionValue> value = evaluate(expression);
    return value ? ErrorCode::ok : value.error().code;
  }

  std::map<std::string, ExpressionValue, std::less<>> variables{
      {"NAME", {std::string("arm")}},
      {"LOD", {std::int64_t{2}}},
      {"NESTED", {std::string("`\"${NAME}_nested\"`")}},
      {"LOOP", {std::string("`${LOOP}`")}},
      {"WIDE", {std::string("`\"${WIDE}${WIDE}\"`")}}};
};

TEST_F(EvaluateExpression, ReplacesVariablesInStrings) {
  EXPECT_EQ(text_of("`\"${NAME}/x.usda\"`"), "arm/x.usda");
  EXPECT_EQ(text_of("`'${NAME}'`"), "arm");
  EXPECT_EQ(text_of("`${NAME}`"), "arm");
}

TEST_F(EvaluateExpression, KeepsEscapedCharacters) {
  EXPECT_EQ(text_of("`\"a\\${NAME}\"`"), "a${NAME}");
  EXPECT_EQ(text_of("`\"say \\\"x\\\"\"`"), "say \"x\"");
}

TEST_F(EvaluateExpression, EvaluatesVariablesThatAreExpressions) {
  EXPECT_EQ(text_of("`${NESTED}`"), "arm_nested");
}

TEST_F(EvaluateExpression, ChoosesWithIf) {
  EXPECT_EQ(text_of("`if(gt(${LOD}, 1), \"hi\", \"lo\")`"), "hi");
  EXPECT_EQ(text_of("`if(lt(${LOD}, 1), \"hi\", \"lo\")`"), "lo");
  EXPECT_EQ(*evaluate("`if(False, 1)`"), ExpressionValue{});
}

TEST_F(EvaluateExpression, HasLogicComparisonAndListFunctions) {
  for (const char* expression :
       {"`and(True, true)`", "`or(False, True)`", "`not(False)`", "`eq(\"a\", 'a')`", "`neq(1, 2)`",
        "`lt(1, 2)`", "`leq(2, 2)`", "`gt(\"b\", \"a\")`", "`geq(2, 2)`", "`contains([1, 2], 2)`",
        "`contains(\"abc\", \"bc\")`", "`eq(at([\"x\", \"y\"], -1), \"y\")`",
        "`eq(len([1, 2, 3]), 3)`", "`eq(len(\"ab\"), 2)`", "`defined(NAME, \"LOD\")`",
        "`not(defined(NOPE))`", "`eq(None, None)`"}) {
    EXPECT_TRUE(is_true(expression)) << expression;
  }
}

TEST_F(EvaluateExpression, ReportsUnknownVariablesAndFunctionsByName) {
  EXPECT_EQ(error_of("`${NOPE}`"), ErrorCode::not_found);
  EXPECT_THAT(text_of("`${NOPE}`"), HasSubstr("'NOPE'"));
  EXPECT_THAT(text_of("`frobnicate(1)`"), HasSubstr("'frobnicate'"));
}

TEST_F(EvaluateExpression, LeavesUnknownVariablesInStringsAsTheyAre) {
  EXPECT_EQ(text_of("`\"a${NOPE}b\"`"), "a${NOPE}b");
  EXPECT_EQ(error_of("`eq(${NOPE}, 1)`"), ErrorCode::not_found);
}

TEST_F(EvaluateExpression, ReportsTypeErrors) {
  EXPECT_EQ(error_of("`if(1, 2, 3)`"), ErrorCode::type_mismatch);
  EXPECT_EQ(error_of("`eq(1, \"1\")`"), ErrorCode::type_mismatch);
  EXPECT_EQ(error_of("`[1, \"a\"]`"), ErrorCode::type_mismatch);
  EXPECT_EQ(error_of("`\"${LOD}\"`"), ErrorCode::type_mismatch);
  EXPECT_EQ(error_of("`at([1], 1)`"), ErrorCode::index_out_of_range);
}

TEST_F(EvaluateExpression, ReportsSyntaxErrorsWithTheColumn) {
  for (const char* expression : {"``", "`\"abc`", "`${`", "`${A`", "`[1, `", "`if(`", "`1 2`",
                                 "`@`", "`-`", "`defined()`", "abc", "`"}) {
    EXPECT_EQ(error_of(expression), ErrorCode::syntax) << expression;
  }
  EXPECT_EQ(evaluate("`  @`").error().column, 3u);
}

TEST_F(EvaluateExpression, StopsAtCirclesAndAtDeepNesting) {
  EXPECT_EQ(error_of("`${LOOP}`"), ErrorCode::limit_exceeded);
  EXPECT_EQ(error_of("`${WIDE}`"), ErrorCode::limit_exceeded);
  EXPECT_EQ(error_of("`" + std::string(10'000, '[') + "`"), ErrorCode::limit_exceeded);
  EXPECT_EQ(error_of("`99999999999999999999`"), ErrorCode::limit_exceeded);
}

}  // namespace
}  // namespace sinew::stage::variable_expression_test
