// SPDX-License-Identifier: Apache-2.0
// Edits of arrays against the same edits on a plain vector, over arrays long enough that they are
// held in many pieces.
#include <gtest/gtest.h>

#include <optional>
#include <vector>

#include "layer/shared/array_edit_fill.hpp"
#include "stage/apply_array_edit.hpp"
#include "support/random.hpp"

namespace sinew::stage::array_edit_test {
namespace {

using layer::ArrayEdit;
using layer::ElementType;
using layer::Value;
using Kind = ArrayEdit::Kind;
using Instruction = ArrayEdit::Instruction;

struct OfInts {
  using Element = std::int32_t;
  static constexpr ElementType kType = ElementType::int_;
  static Element make(std::int32_t number) { return number; }
};
struct OfVectors {  // 12 bytes: no power of two.
  using Element = Vector3f;
  static constexpr ElementType kType = ElementType::float3;
  static Element make(std::int32_t number) {
    return Vector3f(static_cast<float>(number), 0.5F, -static_cast<float>(number));
  }
};

template <typename Of>
class LongArrays : public ::testing::Test {
 public:
  using Element = typename Of::Element;
  using List = std::vector<Element>;

  static Value value(const List& list) {
    return Value::array(Of::kType, std::span<const Element>(list));
  }
  static List list(const Value& value) {
    const auto elements = value.template as_array<Element>();
    return {elements.begin(), elements.end()};
  }

  // By the words of value.hpp, one instruction at a time.
  static void apply(List& list, const Instruction& step) {
    const auto count = static_cast<std::int64_t>(list.size());
    const auto within = [&](std::int64_t index) -> std::optional<std::int64_t> {
      if (index < 0) index += count;
      if (index < 0 || index >= count) return std::nullopt;
      return index;
    };
    std::optional<Element> given;
    if (step.source) {
      if (const auto at = within(*step.source)) given = list[static_cast<std::size_t>(*at)];
    } else {
      given = step.literal.template get<Element>();
    }
    const auto insert = [&](std::int64_t at) {
      if (given && at >= 0 && at <= count) list.insert(list.begin() + at, *given);
    };
    switch (step.kind) {
      case Kind::prepend:
        return insert(0);
      case Kind::append:
        return insert(count);
      case Kind::insert:
        return insert(step.index < 0 ? step.index + count : step.index);
      case Kind::write:
        if (const auto at = within(step.index); at && given) {
          list[static_cast<std::size_t>(*at)] = *given;
        }
        return;
      case Kind::erase:
        if (const auto at = within(step.index)) list.erase(list.begin() + *at);
        return;
      case Kind::min_size:
        if (step.index <= count) return;
        break;
      case Kind::max_size:
        if (step.index >= count) return;
        break;
      case Kind::resize:
        break;
    }
    if (step.index < 0) return;
    const Element zero = Of::make(0) * 0;
    list.resize(static_cast<std::size_t>(step.index),
                step.literal.template get<Element>().value_or(zero));
  }

  static Value edit(std::vector<Instruction> steps) {
    ArrayEdit edit;
    edit.element = Of::kType;
    edit.instructions = std::move(steps);
    return Value::array_edit(std::move(edit));
  }

  // `many` steps around one place, or all over the array, or at its ends.
  static std::vector<Instruction> steps(test::Random& random, std::int64_t size, int many) {
    const int manner = random.between(0, 4);
    std::vector<Instruction> result;
    const auto place = [&] {
      const auto extent = static_cast<std::size_t>(size + 2);
      return static_cast<std::int64_t>(random.below(extent)) - (random.chance(30) ? size : 0);
    };
    const std::int64_t here = place();
    for (int i = 0; i < many; ++i) {
      Instruction& step = result.emplace_back();
      step.index = random.chance(manner == 4 ? 10 : 90) ? here : place();
      const int kind = random.between(0, 99);
      if (manner == 0 || (manner == 1 && kind < 60)) {
        step.kind = Kind::insert;
      } else if (manner == 2 || (manner == 1 && kind < 90)) {
        step.kind = Kind::erase;
      } else if (kind < 98) {
        step.kind = static_cast<Kind>(random.below(5));
      } else {
        step.kind = static_cast<Kind>(5 + random.below(3));
        step.index =
            static_cast<std::int64_t>(random.below(static_cast<std::size_t>(size) + 6000)) -
            (random.chance(10) ? size : 0);
        if (random.chance(50)) step.literal = Value::scalar(Of::kType, Of::make(-i));
        continue;
      }
      if (random.chance(20)) {
        step.source = place();
      } else {
        step.literal = Value::scalar(Of::kType, Of::make(random.between(1, 1 << 20)));
      }
    }
    return result;
  }
};

using Kinds = ::testing::Types<OfInts, OfVectors>;
TYPED_TEST_SUITE(LongArrays, Kinds);

TYPED_TEST(LongArrays, AreEditedAsAPlainVectorIs) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    test::Random random(seed);
    typename TestFixture::List expected;
    const std::size_t first_size = random.chance(20) ? 0 : random.below(20000);
    for (std::size_t i = 0; i < first_size; ++i) {
      expected.push_back(TypeParam::make(static_cast<std::int32_t>(i)));
    }
    const Value weaker = this->value(expected);
    const auto steps =
        this->steps(random, static_cast<std::int64_t>(first_size), random.chance(30) ? 9000 : 900);
    for (const Instruction& step : steps) this->apply(expected, step);
    const std::vector<Value> edits = {this->edit(steps)};
    const Value made = apply_array_edits(edits, weaker, Rules::documented);
    ASSERT_EQ(this->list(made).size(), expected.size());
    EXPECT_TRUE(this->list(made) == expected);
  }
}

// Where one literal is filled in for another, as OpenUSD does with edits over edits.
TYPED_TEST(LongArrays, ShareTheNumbersOfTheirLiteralsByTheRulesOfOpenUsd) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    test::Random random(seed);
    std::vector<Value> edits;
    for (int i = random.between(1, 4); i > 0; --i) {
      edits.push_back(this->edit(this->steps(random, 40, random.between(0, 80))));
    }
    typename TestFixture::List expected(40, TypeParam::make(7));
    typename TestFixture::List documented = expected;
    const Value weaker = this->value(expected);
    std::vector<Value> literals;
    for (std::size_t k = edits.size(); k-- > 0;) {
      std::vector<Instruction> steps = edits[k].as_array_edit()->instructions;
      for (const Instruction& step : steps) {
        this->apply(documented, step);
        if (step.literal.has_value()) literals.push_back(step.literal);
      }
      std::size_t number = 0;
      for (Instruction& step : steps) {
        if (!step.literal.has_value()) continue;
        const bool is_fill = step.kind == Kind::min_size || step.kind == Kind::resize;
        if (is_fill && edits.size() > 1) step.literal = literals[number];
        ++number;
      }
      for (const Instruction& step : steps) this->apply(expected, step);
    }
    EXPECT_TRUE(this->list(apply_array_edits(edits, weaker, Rules::openusd)) == expected);
    EXPECT_TRUE(this->list(apply_array_edits(edits, weaker, Rules::documented)) == documented);
  }
}

TYPED_TEST(LongArrays, FillUpToWhatOneFillMayMakeAndNoFurther) {
  const std::size_t size = sizeof(typename TestFixture::Element);
  const auto most = static_cast<std::int64_t>(layer::kMaxFill / size);
  Instruction step;
  step.kind = Kind::resize;
  for (const std::int64_t count : {most, most + 1}) {
    step.index = count;
    const std::vector<Value> edits = {this->edit({step})};
    const Value made = apply_array_edits(edits, this->value({}), Rules::documented);
    EXPECT_EQ(made.bytes().size(), count == most ? static_cast<std::size_t>(most) * size : 0U);
  }
}

}  // namespace
}  // namespace sinew::stage::array_edit_test
