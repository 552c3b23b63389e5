// SPDX-License-Identifier: Apache-2.0
#include "sinew/layer/list_op.hpp"

#include <gtest/gtest.h>

#include <span>
#include <string>
#include <vector>

#include "layer/shared/list_edits.hpp"

namespace sinew::layer::list_op_test {
namespace {

using List = std::vector<std::string>;

List apply(const ListOp<std::string>& op, List items) {
  apply_list_op(op, items);
  return items;
}

TEST(ApplyListOp, ExplicitReplacesAndKeepsTheFirstOfRepeats) {
  ListOp<std::string> op;
  op.is_explicit = true;
  op.explicit_items = {"b", "a", "b"};
  EXPECT_EQ(apply(op, {"x"}), (List{"b", "a"}));
}

TEST(ApplyListOp, DeletesThenAddsThenPrependsThenAppends) {  // usda 10
  ListOp<std::string> op;
  op.deleted = {"a"};
  op.added = {"b", "n"};
  op.prepended = {"c"};
  op.appended = {"b"};
  EXPECT_EQ(apply(op, {"a", "b", "c"}), (List{"c", "n", "b"}));
}

TEST(ApplyListOp, AppendedKeepsTheLastOfRepeats) {
  ListOp<std::string> op;
  op.appended = {"a", "b", "a"};
  EXPECT_EQ(apply(op, {"x"}), (List{"x", "b", "a"}));
}

TEST(ApplyListOp, OrderedItemsCarryWhatFollowsThem) {  // usda 10
  ListOp<std::string> op;
  op.ordered = {"c", "a", "missing"};
  EXPECT_EQ(apply(op, {"_", "a", "a1", "b", "c", "c1"}), (List{"_", "c", "c1", "a", "a1", "b"}));
}

TEST(ApplyListOp, AddsAgainWhatItDeletes) {
  ListOp<std::string> op;
  op.deleted = {"a", "absent"};
  op.added = {"a", "n", "n", "b"};
  EXPECT_EQ(apply(op, {"a", "b"}), (List{"b", "a", "n"}));
}

TEST(ApplyListOp, PrependedKeepsTheFirstOfRepeats) {
  ListOp<std::string> op;
  op.prepended = {"a", "b", "a"};
  EXPECT_EQ(apply(op, {"x", "b"}), (List{"a", "b", "x"}));
}

TEST(ApplyListOp, ExplicitOfNoneOrOneReplacesToo) {
  ListOp<std::string> op;
  op.is_explicit = true;
  EXPECT_EQ(apply(op, {"x", "y"}), List());
  op.explicit_items = {"a"};
  EXPECT_EQ(apply(op, {"x", "y"}), List{"a"});
  // Other lists do not count then.
  op.deleted = {"a"};
  op.appended = {"z"};
  EXPECT_EQ(apply(op, {"x"}), List{"a"});
}

TEST(ApplyListOp, OrderedKeepsTheFirstOfRepeats) {
  ListOp<std::string> op;
  op.ordered = {"b", "a", "b"};
  EXPECT_EQ(apply(op, {"a", "b", "c"}), (List{"b", "c", "a"}));
}

TEST(ListOp, IsEmptyWithoutAnyOpinion) {
  EXPECT_TRUE(ListOp<std::string>().empty());
  ListOp<std::string> none;
  none.is_explicit = true;
  EXPECT_FALSE(none.empty());
  for (auto list :
       {&ListOp<std::string>::deleted, &ListOp<std::string>::added, &ListOp<std::string>::prepended,
        &ListOp<std::string>::appended, &ListOp<std::string>::ordered}) {
    ListOp<std::string> op;
    (op.*list).push_back("a");
    EXPECT_FALSE(op.empty());
  }
}

enum class Edit { explicit_, add, delete_, append, prepend, reorder };

TEST(ListEdits, KeepEachOtherButNoExplicitList) {
  ListOp<std::string> op;
  set_list(op, Edit::add, {"a"});
  set_list(op, Edit::delete_, {"d"});
  set_list(op, Edit::append, {"p"});
  set_list(op, Edit::prepend, {"f"});
  set_list(op, Edit::reorder, {"o"});
  set_list(op, Edit::append, {"q", "r"});
  EXPECT_FALSE(op.is_explicit);
  EXPECT_EQ(op.added, List{"a"});
  EXPECT_EQ(op.deleted, List{"d"});
  EXPECT_EQ(op.appended, (List{"q", "r"}));
  EXPECT_EQ(op.prepended, List{"f"});
  EXPECT_EQ(op.ordered, List{"o"});
  EXPECT_EQ(op.explicit_items, List());

  set_list(op, Edit::explicit_, {"e"});
  ListOp<std::string> expected;
  expected.is_explicit = true;
  expected.explicit_items = {"e"};
  EXPECT_EQ(op, expected);

  set_list(op, Edit::append, {"p"});
  expected = {};
  expected.appended = {"p"};
  EXPECT_EQ(op, expected);
}

TEST(ListEdits, OfValuesGoOnWithListsOnly) {
  const auto number = [](int value) { return Value::scalar(ElementType::int_, value); };
  const Value first = with_list(nullptr, Edit::append, {number(1)});
  const Value second = with_list(&first, Edit::delete_, {number(2)});
  ListOp<Value> expected;
  expected.appended = {number(1)};
  EXPECT_EQ(first, Value::list_op(expected));
  expected.deleted = {number(2)};
  EXPECT_EQ(second, Value::list_op(expected));
  const Value single = number(3);
  EXPECT_EQ(with_list(&single, Edit::append, {number(1)}), first);
}

TEST(HasRepeats, IsToldOfAnyTwoPlaces) {
  const auto repeats = [](List items) { return has_repeats(std::span<const std::string>(items)); };
  EXPECT_FALSE(repeats({}));
  EXPECT_FALSE(repeats({"a"}));
  EXPECT_FALSE(repeats({"a", "b"}));
  EXPECT_TRUE(repeats({"a", "a"}));
  EXPECT_TRUE(repeats({"a", "b", "c", "a"}));
}

}  // namespace
}  // namespace sinew::layer::list_op_test
