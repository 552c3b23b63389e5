// SPDX-License-Identifier: Apache-2.0
#include "sinew/layer/value.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <limits>
#include <utility>

#include "layer/shared/array_edit_fill.hpp"
#include "sinew/core/token.hpp"

namespace sinew::layer::value_test {
namespace {

TEST(Value, GivesWhatItHoldsAndNothingElse) {
  const Value value = Value::scalar(ElementType::timecode, 2.5);
  EXPECT_TRUE(value.has_value());
  EXPECT_FALSE(value.is_array());
  EXPECT_EQ(value.size(), 1u);
  EXPECT_EQ(value.get<double>(), 2.5);
  EXPECT_EQ(value.get<float>(), std::nullopt);
  EXPECT_TRUE(value.as_array<double>().empty());
  EXPECT_FALSE(value.text());
  EXPECT_EQ(value.as_dictionary(), nullptr);
}

TEST(Value, TellsNoValueFromABlock) {
  EXPECT_FALSE(Value().has_value());
  EXPECT_TRUE(Value::block().has_value());
  EXPECT_TRUE(Value::block().is_block());
  EXPECT_FALSE(Value::animation_block().is_block());
  EXPECT_NE(Value(), Value::block());
  EXPECT_EQ(Value::block().size(), 0u);
}

TEST(Value, HoldsScalarsUpTo24BytesInside) {
  EXPECT_FALSE(Value::scalar(ElementType::double3, Vector3d(1, 2, 3)).owns_memory());
  const Value large = Value::scalar(ElementType::matrix4d, Matrix4d(Matrix4d::Identity()));
  EXPECT_TRUE(large.owns_memory());
  EXPECT_EQ(large.get<Matrix4d>(), Matrix4d(Matrix4d::Identity()));
  EXPECT_EQ(large.bytes().size(), 128u);
}

TEST(Value, SharesArraysWhenCopied) {
  const std::array<float, 3> numbers = {1, 2, 3};
  const Value value = Value::array<float>(ElementType::float_, numbers);
  const Value copy = value;
  EXPECT_EQ(copy.as_array<float>().data(), value.as_array<float>().data());
  EXPECT_EQ(copy.size(), 3u);
  EXPECT_TRUE(copy.as_array<double>().empty());
  EXPECT_FALSE(copy.get<float>());
}

TEST(Value, HoldsEmptyArraysOfAType) {
  const Value empty = Value::array_from_buffer(ElementType::int_, {});
  EXPECT_TRUE(empty.has_value());
  EXPECT_TRUE(empty.is_array());
  EXPECT_EQ(empty.size(), 0u);
  EXPECT_TRUE(empty.bytes().empty());
  EXPECT_NE(empty, Value::array_from_buffer(ElementType::uint, {}));
}

TEST(Value, IsNoValueAfterItWasMoved) {
  const std::array<float, 1> one = {1};
  for (Value from : {Value::array<float>(ElementType::float_, one), Value::dictionary({}),
                     Value::scalar(ElementType::float_, 1.0F)}) {
    const Value copy = from;
    const Value to = std::move(from);
    EXPECT_EQ(to, copy);
    EXPECT_FALSE(from.has_value());  // NOLINT: what this test is about
    EXPECT_FALSE(from.owns_memory());
  }
}

TEST(Value, SurvivesAssignmentToItself) {
  const std::array<float, 2> numbers = {1, 2};
  Value value = Value::array<float>(ElementType::float_, numbers);
  const Value& self = value;
  value = self;
  EXPECT_EQ(value.as_array<float>()[1], 2.0F);
}

TEST(ValueEquality, ComparesTokensOfDifferentTablesByText) {
  TokenTable one;
  TokenTable other;
  other.intern("something before");
  const auto in = [](TokenTable& table, const char* text) {
    return Value::scalar(ElementType::token, table.intern(text));
  };
  EXPECT_EQ(in(one, "a"), in(other, "a"));
  EXPECT_NE(in(one, "a"), in(other, "b"));
  const std::array<Token, 2> x = {one.intern("a"), one.intern("b")};
  const std::array<Token, 2> y = {other.intern("a"), other.intern("b")};
  EXPECT_EQ(Value::array<Token>(ElementType::token, x), Value::array<Token>(ElementType::token, y));
  EXPECT_NE(in(one, "a"), Value::scalar(ElementType::string, one.intern("a")));
}

TEST(ValueEquality, ComparesNumbersByBits) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto number = [](double value) { return Value::scalar(ElementType::double_, value); };
  EXPECT_EQ(number(nan), number(nan));
  EXPECT_NE(number(0.0), number(-0.0));
  EXPECT_NE(number(1.0), Value::scalar(ElementType::timecode, 1.0));
}

TEST(ValueEquality, ComparesSpecialFormsByContents) {
  TokenTable tokens;
  const auto dictionary = [&](std::int32_t number) {
    return Value::dictionary({{.key = tokens.intern("k"),
                               .type_name = tokens.intern("int"),
                               .value = Value::scalar(ElementType::int_, number)}});
  };
  EXPECT_EQ(dictionary(1), dictionary(1));
  EXPECT_NE(dictionary(1), dictionary(2));
  const auto edit = [](std::int64_t index) {
    ArrayEdit made;
    made.element = ElementType::int_;
    ArrayEdit::Instruction& erase = made.instructions.emplace_back();
    erase.kind = ArrayEdit::Kind::erase;
    erase.index = index;
    return Value::array_edit(std::move(made));
  };
  EXPECT_EQ(edit(1), edit(1));
  EXPECT_NE(edit(1), edit(2));
  ListOp<Token> op;
  op.appended = {tokens.intern("x")};
  EXPECT_EQ(Value::token_list_op(op), Value::token_list_op(op));
  EXPECT_NE(Value::token_list_op(op), Value::token_list_op({}));
}

TEST(Dictionary, FindsEntriesByKey) {
  TokenTable tokens;
  const Dictionary entries = {{.key = tokens.intern("a"), .type_name = {}, .value = Value::block()},
                              {.key = tokens.intern("b c"), .type_name = {}, .value = {}}};
  EXPECT_EQ(find(entries, "b c"), &entries[1]);
  EXPECT_EQ(find(entries, "b"), nullptr);
}

ArrayEdit::Instruction sized(ArrayEdit::Kind kind, std::int64_t size) {
  ArrayEdit::Instruction instruction;
  instruction.kind = kind;
  instruction.index = size;
  return instruction;
}

ArrayEdit of(ElementType element) {
  ArrayEdit edit;
  edit.element = element;
  return edit;
}

constexpr std::int64_t kMostInts = (std::int64_t{64} << 20) / 4;

TEST(ArrayEditFill, IsCarriedOutUpToItsBound) {
  const ArrayEdit edit = of(ElementType::int_);
  for (const auto kind : {ArrayEdit::Kind::min_size, ArrayEdit::Kind::resize}) {
    EXPECT_TRUE(is_fill(edit, sized(kind, 0)));
    EXPECT_FALSE(fills_too_much(edit, sized(kind, kMostInts)));
    EXPECT_TRUE(fills_too_much(edit, sized(kind, kMostInts + 1)));
    EXPECT_EQ(filled_bytes(edit, sized(kind, 3)), 12u);
    EXPECT_EQ(filled_bytes(edit, sized(kind, kMostInts)), kMaxFill);
    EXPECT_EQ(filled_bytes(edit, sized(kind, kMostInts + 1)), 0u);
  }
}

TEST(ArrayEditFill, IsNoneOfOtherInstructionsOrNegativeSizes) {
  const ArrayEdit edit = of(ElementType::int_);
  for (const auto kind : {ArrayEdit::Kind::max_size, ArrayEdit::Kind::write,
                          ArrayEdit::Kind::insert, ArrayEdit::Kind::append}) {
    EXPECT_FALSE(is_fill(edit, sized(kind, kMostInts + 1)));
    EXPECT_FALSE(fills_too_much(edit, sized(kind, kMostInts + 1)));
    EXPECT_EQ(filled_bytes(edit, sized(kind, 3)), 0u);
  }
  for (const auto kind : {ArrayEdit::Kind::min_size, ArrayEdit::Kind::resize}) {
    EXPECT_FALSE(is_fill(edit, sized(kind, -1)));
    EXPECT_FALSE(fills_too_much(edit, sized(kind, -1)));
    EXPECT_EQ(filled_bytes(edit, sized(kind, -1)), 0u);
  }
}

TEST(ArrayEditFill, IsTheLargestOfAllInstructions) {
  ArrayEdit edit = of(ElementType::double_);
  EXPECT_EQ(filled_bytes(edit), 0u);
  edit.instructions = {sized(ArrayEdit::Kind::resize, 2), sized(ArrayEdit::Kind::min_size, 5),
                       sized(ArrayEdit::Kind::resize, 3), sized(ArrayEdit::Kind::max_size, 9)};
  EXPECT_EQ(filled_bytes(edit), 40u);
}

}  // namespace
}  // namespace sinew::layer::value_test
