// SPDX-License-Identifier: Apache-2.0
#include "sinew/layer/list_op.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

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

}  // namespace
}  // namespace sinew::layer::list_op_test
