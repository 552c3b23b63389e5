// SPDX-License-Identifier: Apache-2.0
#include "stage/variable_expression.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "stage/support.hpp"

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
      {"HELD", {std::string("NAME")}},
      {"NONE", {}},
      {"ODD", {UnknownType()}},
      {"NESTED", {std::string("`\"${NAME}_nested\"`")}},
      {"LOOP", {std::string("`${LOOP}`")}},
      {"WIDE", {std::string("`\"${WIDE}${WIDE}\"`")}}};
};

TEST_F(EvaluateExpression, ReplacesVariablesInStrings) {
  EXPECT_EQ(text_of("`\"${NAME}/x.usda\"`"), "arm/x.usda");
  EXPECT_EQ(text_of("`'${NAME}'`"), "arm");
  EXPECT_EQ(text_of("`${NAME}`"), "arm");
}

TEST_F(EvaluateExpression, EndsAtItsSecondBacktick) {
  EXPECT_EQ(text_of("`${NAME}`/`${NOPE}`"), "arm");
  EXPECT_EQ(text_of("`\"a`b\"``"), "a`b");
  EXPECT_FALSE(is_expression("``"));
  EXPECT_TRUE(is_expression("` `"));
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
  for (const char* expression : {"`and(True, true)`",
                                 "`or(False, True)`",
                                 "`not(False)`",
                                 "`eq(\"a\", 'a')`",
                                 "`neq(1, 2)`",
                                 "`lt(1, 2)`",
                                 "`leq(2, 2)`",
                                 "`gt(\"b\", \"a\")`",
                                 "`geq(2, 2)`",
                                 "`contains([1, 2], 2)`",
                                 "`contains(\"abc\", \"bc\")`",
                                 "`eq(at([\"x\", \"y\"], -1), \"y\")`",
                                 "`eq(len([1, 2, 3]), 3)`",
                                 "`eq(len(\"ab\"), 2)`",
                                 "`defined(\"NAME\", \"LOD\")`",
                                 "`not(defined(\"NOPE\"))`",
                                 "`defined(${HELD})`",
                                 "`lt(False, True)`",
                                 "`if ( True , True )`",
                                 "`contains([\"a\"], 'a')`",
                                 "`not(contains(\"abc\", \"ac\"))`",
                                 "`eq(at(\"abc\", 0), \"a\")`",
                                 "`eq(at(\"abc\", 2), \"c\")`",
                                 "`eq(at(\"abc\", -3), \"a\")`",
                                 "`eq(at([4, 5], 1), 5)`",
                                 "`eq(at([4, 5], -2), 4)`",
                                 "`not(lt(2, 2))`",
                                 "`not(gt(2, 2))`",
                                 "`not(leq(\"b\", \"a\"))`",
                                 "`not(geq(False, True))`",
                                 "`eq(len(\"\"), 0)`",
                                 "`eq(None, None)`",
                                 "`eq(len([ ]), 0)`",
                                 "`eq(len([  ]), 0)`"}) {
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
  for (const char* expression :
       {"`at([1], 1)`", "`at([1], -2)`", "`at(\"a\", 1)`", "`at(\"\", 0)`", "`at(\"a\", -2)`"}) {
    EXPECT_EQ(error_of(expression), ErrorCode::index_out_of_range) << expression;
  }
  for (const char* expression :
       {"`if(True, \"a\", 1)`", "`if(False, [1], [\"a\"])`", "`contains([\"a\"], 1)`", "`[None]`",
        "`${ODD}`", "`\"${ODD}\"`", "`defined(1)`", "`lt(None, None)`", "`and(True, 1)`",
        "`lt([1], [2])`", "`eq([1], [1])`", "`len(1)`", "`at(1, 0)`", "`at(\"a\", \"b\")`",
        "`contains(1, 1)`", "`contains(\"1\", 1)`"}) {
    EXPECT_EQ(error_of(expression), ErrorCode::type_mismatch) << expression;
  }
}

TEST_F(EvaluateExpression, DoesNotMindWhatFailsWhereItDoesNotCount) {
  EXPECT_EQ(text_of("`if(defined(\"NOPE\"), ${NOPE}, \"lo\")`"), "lo");
  EXPECT_EQ(text_of("`if(True, \"hi\", \"${LOD}\")`"), "hi");
  EXPECT_EQ(text_of("`if(True, \"hi\", at([1], 7))`"), "hi");
  EXPECT_EQ(text_of("`if(True, \"hi\", ${LOOP})`"), "hi");
  EXPECT_EQ(text_of("`if(True, if(False, ${NOPE}, \"in\"), ${NOPE})`"), "in");
  EXPECT_EQ(error_of("`if(False, \"hi\", ${NOPE})`"), ErrorCode::not_found);
  EXPECT_EQ(error_of("`if(${NOPE}, \"hi\", \"lo\")`"), ErrorCode::not_found);
  EXPECT_EQ(error_of("`eq(if(True, ${NOPE}), 1)`"), ErrorCode::not_found);
  EXPECT_EQ(error_of("`[1, ${NOPE}]`"), ErrorCode::not_found);
}

TEST_F(EvaluateExpression, ReadsEscapesAsStringsOfTextFilesDo) {
  EXPECT_EQ(text_of("`\"a\\tb\\x41${NAME}\\n\"`"), "a\tbAarm\n");
  EXPECT_EQ(text_of("`'it\\'s'`"), "it's");
  EXPECT_EQ(text_of("`\"a${NONE}b\"`"), "ab");
}

TEST_F(EvaluateExpression, ReportsSyntaxErrorsWithTheColumn) {
  for (const char* expression : {"``",
                                 "`\"abc`",
                                 "`${`",
                                 "`${A`",
                                 "`[1, `",
                                 "`if(`",
                                 "`1 2`",
                                 "`@`",
                                 "`-`",
                                 "`defined()`",
                                 "`defined(NAME)`",
                                 "` 1`",
                                 "`1 `",
                                 "`[ 1]`",
                                 "`[1 ]`",
                                 "`[[1]]`",
                                 "`if(True, 1, nothing(1))`",
                                 "`if(False, \"a`",
                                 "abc",
                                 "`"}) {
    EXPECT_EQ(error_of(expression), ErrorCode::syntax) << expression;
  }
  EXPECT_EQ(evaluate("`if(@`").error().column, 4u);
}

TEST_F(EvaluateExpression, StopsAtCirclesAndAtDeepNesting) {
  EXPECT_EQ(error_of("`${LOOP}`"), ErrorCode::limit_exceeded);
  EXPECT_EQ(error_of("`${WIDE}`"), ErrorCode::limit_exceeded);
  std::string deep = "`";
  for (int i = 0; i < 10'000; ++i) deep += "not(";
  EXPECT_EQ(error_of(deep + "`"), ErrorCode::limit_exceeded);
  EXPECT_EQ(error_of("`99999999999999999999`"), ErrorCode::limit_exceeded);
}

TEST_F(EvaluateExpression, StopsAtALongTextThoughNothingGoesInCircles) {
  variables["LONG"] = {std::string(16 * 1024, 'x')};
  EXPECT_EQ(text_of("`\"${LONG}${LONG}${LONG}${LONG}\"`").size(), 64U * 1024U);
  EXPECT_EQ(error_of("`\"${LONG}${LONG}${LONG}${LONG}${NAME}\"`"), ErrorCode::limit_exceeded);
  EXPECT_EQ(error_of("`\"" + std::string(64 * 1024, 'x') + "${NONE}x${NONE}\"`"),
            ErrorCode::limit_exceeded);
}

TEST_F(EvaluateExpression, NamesVariablesByLettersUnderscoresAndLaterDigits) {
  for (const char* name : {"a", "z", "A", "Z", "_", "a0", "Z9", "aZ_09"}) {
    variables[name] = {std::string("found")};
    EXPECT_EQ(text_of("`${" + std::string(name) + "}`"), "found") << name;
  }
  for (const char* name : {"0a", "9", "a/", "a:", "a@", "A[", "a`", "a{", "", "$"}) {
    EXPECT_EQ(error_of("`${" + std::string(name) + "}`"), ErrorCode::syntax) << name;
    EXPECT_EQ(error_of("`\"${" + std::string(name) + "}\"`"), ErrorCode::syntax) << name;
  }
  EXPECT_EQ(error_of("`$a`"), ErrorCode::syntax);
}

TEST_F(EvaluateExpression, ChoosesBetweenListsOfOneKindOrNone) {
  for (const char* expression :
       {"`eq(len(if(True, [], [])), 0)`", "`eq(at(if(True, [1], [2]), 0), 1)`",
        "`eq(at(if(False, [1], [2]), 0), 2)`", "`eq(if(True, 1, None), 1)`",
        "`eq(if(False, None, 1), 1)`", "`eq(if(True, None, 1), None)`"}) {
    EXPECT_TRUE(is_true(expression)) << expression;
  }
  for (const char* expression : {"`if(True, [], [1])`", "`if(True, [1], [])`"}) {
    EXPECT_EQ(error_of(expression), ErrorCode::type_mismatch) << expression;
  }
}

TEST_F(EvaluateExpression, KnowsItsWordsInBothSpellings) {
  for (const char* expression :
       {"`not(false)`", "`not(False)`", "`eq(none, None)`", "`not(and(True, False))`",
        "`not(or(False, False))`", "`not(and(True, True, False))`", "`or(False, False, True)`",
        "`not(defined(\"NAME\", \"NOPE\"))`", "`not(defined(\"NOPE\", \"NAME\"))`",
        "`not(contains([], 1))`", "`at([False, True], 1)`", "`eq(len([True, False]), 2)`",
        "`not(eq(1, 2))`", "`not(neq(1, 1))`", "`gt(2, 1)`", "`geq(2, 1)`", "`leq(1, 2)`",
        "`not(lt(2, 1))`", "`not(gt(1, 2))`"}) {
    EXPECT_TRUE(is_true(expression)) << expression;
  }
}

TEST_F(EvaluateExpression, TakesAsManyArgumentsAsAFunctionHas) {
  for (const char* expression :
       {"`if(True)`", "`if(True, 1, 2, 3)`", "`and(True)`",     "`or(True)`",
        "`not()`",    "`not(True, True)`",   "`eq(1)`",         "`eq(1, 1, 1)`",
        "`neq(1)`",   "`neq(1, 2, 3)`",      "`lt(1)`",         "`lt(1, 2, 3)`",
        "`leq(1)`",   "`leq(1, 2, 3)`",      "`gt(1)`",         "`gt(2, 1, 0)`",
        "`geq(1)`",   "`geq(2, 1, 0)`",      "`contains([1])`", "`contains([1], 1, 1)`",
        "`at([1])`",  "`at([1], 0, 0)`",     "`len()`",         "`len([1], [1])`"}) {
    EXPECT_EQ(error_of(expression), ErrorCode::syntax) << expression;
  }
}

TEST_F(EvaluateExpression, NeedsTheEndOfWhatIsBegun) {
  for (const char* expression :
       {"`'abc`", "`not(True`", "`not(True]`", "`[1)`", "`\"${NAME`", "`\"a\\\"`", "`'a\\'`"}) {
    EXPECT_EQ(error_of(expression), ErrorCode::syntax) << expression;
  }
  EXPECT_EQ(text_of("`\"a\\\\\"`"), "a\\");
  EXPECT_EQ(text_of("`'a\\\\'`"), "a\\");
  EXPECT_EQ(text_of("`\"a\\\\${NAME}\"`"), "a\\arm") << "The first backslash escapes the second.";
  EXPECT_EQ(text_of("`\"a\\`b\"`"), "a`b");
  for (const char* text : {"`a", "a`", "a", "`", ""}) EXPECT_FALSE(is_expression(text)) << text;
}

TEST_F(EvaluateExpression, NestsAndGoesOnUpToItsLimits) {
  const auto nested = [](std::size_t calls) {
    std::string text = "`";
    for (std::size_t i = 0; i < calls; ++i) text += "not(";
    return text + "True" + std::string(calls, ')') + "`";
  };
  EXPECT_EQ(error_of(nested(63)), ErrorCode::ok);
  EXPECT_EQ(error_of(nested(64)), ErrorCode::limit_exceeded);
  const auto list = [](std::size_t items) {
    std::string text = "`[1";
    for (std::size_t i = 1; i < items; ++i) text += ",1";
    return text + "]`";
  };
  EXPECT_EQ(error_of(list(99'999)), ErrorCode::ok) << "The list itself is one value more.";
  EXPECT_EQ(error_of(list(100'000)), ErrorCode::limit_exceeded);
}

TEST_F(EvaluateExpression, GoesThroughVariablesUpToALimitOfDepth) {
  variables["V1"] = {std::string("end")};
  for (int i = 2; i <= 65; ++i) {
    variables["V" + std::to_string(i)] = {"`${V" + std::to_string(i - 1) + "}`"};
  }
  EXPECT_EQ(text_of("`${V64}`"), "end");
  EXPECT_EQ(error_of("`${V65}`"), ErrorCode::limit_exceeded);
}

// What is too much is so whether or not it counts.
TEST_F(EvaluateExpression, StopsAtALimitInABranchThatIsNotTakenToo) {
  variables["LONG"] = {std::string(16 * 1024, 'x')};
  variables["FIVE"] = {std::string("`\"${LONG}${LONG}${LONG}${LONG}${LONG}\"`")};
  EXPECT_EQ(error_of("`if(True, \"hi\", ${FIVE})`"), ErrorCode::limit_exceeded);
}

TEST(ExpressionVariables, OfAStageMayBeTextsNumbersTruthsAndListsOfThem) {
  Diagnostics diagnostics;
  const StagePtr stage = open_layers({{"root.usda", R"usda(
(
    expressionVariables = {
        bool[] flags = [false, true]
        int[] numbers = [3, -4]
        int64[] wide = [5000000000]
        string[] texts = ["a", "b"]
        int64 one = 1
        double real = 1.5
    }
)
def "A" {
    asset flags = @`if(at(${flags}, 1), "yes", "no")`@
    asset numbers = @`if(eq(at(${numbers}, -1), -4), "yes", "no")`@
    asset number = @`if(eq(at(${wide}, 0), 5000000000), "yes", "no")`@
    asset texts = @`at(${texts}, ${one})`@
    asset real = @`if(gt(${real}, 1), "yes", "no")`@
}
)usda"}},
                                     diagnostics);
  ASSERT_NE(stage, nullptr);
  EXPECT_EQ(text_at(*stage, "/A", "flags"), "yes");
  EXPECT_EQ(text_at(*stage, "/A", "numbers"), "yes");
  EXPECT_EQ(text_at(*stage, "/A", "number"), "yes");
  EXPECT_EQ(text_at(*stage, "/A", "texts"), "b");
  EXPECT_NE(text_at(*stage, "/A", "real"), "yes");
}

TEST(ExpressionArcs, ThatEvaluateToNothingAreNoItems) {
  Diagnostics diagnostics;
  const StagePtr stage =
      open_layers({{"root.usda", R"usda(
(
    expressionVariables = {
        bool FLAG = false
    }
    subLayers = [@weak.usda@]
)
def "Src" {
    string x = "src"
}
def "Behind" (references = [</Src>, @`if(${FLAG}, "./no.usda")`@</Src>]) {}
def "Alone" (references = [@`if(${FLAG}, "./no.usda")`@</Src>]) {}
def "Payload" (payload = [@`""`@</Src>]) {}
over "Kept" (delete references = @`""`@</Src>) {}
)usda"},
                   {"weak.usda", "def \"Kept\" (prepend references = </Src>) {}\n"}},
                  diagnostics);
  ASSERT_NE(stage, nullptr);
  EXPECT_EQ(text_at(*stage, "/Behind", "x"), "src");
  EXPECT_EQ(text_at(*stage, "/Alone", "x"), "no attribute");
  EXPECT_EQ(text_at(*stage, "/Payload", "x"), "no attribute");
  EXPECT_EQ(text_at(*stage, "/Kept", "x"), "src");
  EXPECT_TRUE(diagnostics.empty()) << format(diagnostics.front());
}

TEST(ExpressionArcs, ThatFailAreToldOnce) {
  Diagnostics diagnostics;
  const StagePtr stage = open_layers({{"root.usda", R"usda(
def "Src" {
    string x = "src"
}
def "Behind" (references = [</Src>, @`${NOPE}`@</Src>]) {}
)usda"}},
                                     diagnostics);
  ASSERT_NE(stage, nullptr);
  EXPECT_EQ(text_at(*stage, "/Behind", "x"), "src");
  ASSERT_EQ(diagnostics.size(), 1u);
  EXPECT_EQ(diagnostics[0].code, "stage-bad-expression");
}

}  // namespace
}  // namespace sinew::stage::variable_expression_test
