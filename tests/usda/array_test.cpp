// SPDX-License-Identifier: Apache-2.0
// Arrays through the parser: bulk reading must not be noticeable but for its speed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>
#include <random>
#include <string>
#include <string_view>
#include <vector>
#if defined(__linux__) || defined(__APPLE__)
#include <sys/mman.h>
#include <unistd.h>
#endif

#include "sinew/core/executor_std_thread.hpp"
#include "sinew/usda/parser.hpp"

#include <fmt/format.h>

namespace sinew::usda::array_test {
using namespace layer;
namespace {

class Arrays : public testing::TestWithParam<SimdLevel> {
 protected:
  Result<LayerPtr> read(const std::string& type, const std::string& array) {
    text_ = "#usda 1.0\ndef \"A\"\n{\n    " + type + "[] v = " + array + "\n}\n";
    diagnostics_.clear();
    return parse(text_, "a", diagnostics_, options_);
  }
  // The array as read; an empty value if it was refused.
  Value value(const std::string& type, const std::string& array) {
    const Result<LayerPtr> layer = read(type, array);
    if (!layer) return {};
    layer_ = *layer;
    return layer_->root().children[0]->properties[0].default_value;
  }
  void SetUp() override { options_.level = GetParam(); }
  // Arrays right before memory that nobody may read are read as they are elsewhere.
  void expect_nothing_read_behind(const Executor& executor);

  ParseOptions options_;
  Diagnostics diagnostics_;
  std::string text_;
  LayerPtr layer_;
};
INSTANTIATE_TEST_SUITE_P(Parse, Arrays, testing::ValuesIn(supported_simd_levels()),
                         [](const auto& level) { return std::string(to_string(level.param)); });

constexpr const char* kTypes[] = {
    "uchar",    "int",      "uint",     "int64",   "uint64",     "half",   "float", "double",
    "timecode", "int2",     "int3",     "int4",    "half2",      "half3",  "half4", "float2",
    "float3",   "float4",   "double2",  "double3", "double4",    "quath",  "quatf", "quatd",
    "matrix2d", "matrix3d", "matrix4d", "point3f", "texCoord2f", "frame4d"};

std::string number(std::mt19937& random, const std::string& type) {
  if (type == "uchar") return std::to_string(random() % 256);
  if (type.starts_with("uint")) return std::to_string(random());
  if (type.starts_with("int")) return std::to_string(static_cast<std::int32_t>(random()));
  const double scale = random() % 16 == 0 ? 1e-9 : 1e-3;
  return fmt::format("{}", static_cast<float>(static_cast<std::int32_t>(random() % 2'000'000)) *
                               static_cast<float>(scale));
}

// An element with `comma` between its numbers.
std::string element(std::mt19937& random, const std::string& type, const std::string& comma) {
  const ElementType element_type = find_value_type(type).element;
  const std::size_t count = component_count(element_type);
  if (count == 1) return number(random, type);
  const std::size_t rows = count == 16 ? 4 : count == 9 ? 3 : type == "matrix2d" ? 2 : 1;
  std::string text = rows == 1 ? "" : "( ";
  for (std::size_t row = 0; row < rows; ++row) {
    text += row == 0 ? "(" : comma + "(";
    for (std::size_t i = 0; i < count / rows; ++i) {
      text += (i == 0 ? "" : comma) + number(random, type);
    }
    text += ")";
  }
  return rows == 1 ? text : text + " )";
}

// A blank before every comma keeps bulk reading from seeing more than one number.
std::string array_of(const std::string& type, std::size_t count, const std::string& comma) {
  std::mt19937 random(7);
  std::string text = "[";
  for (std::size_t i = 0; i < count; ++i) {
    text += (i == 0 ? "" : comma) + element(random, type, comma);
  }
  return text + "]";
}

TEST_P(Arrays, OfEveryTypeEqualThoseReadNumberByNumber) {
  for (const char* type : kTypes) {
    const Value bulk = value(type, array_of(type, 1000, ", "));
    const Value single = value(type, array_of(type, 1000, " ,"));
    ASSERT_EQ(bulk.size(), 1000u) << type;
    EXPECT_EQ(bulk, single) << type;
  }
}

TEST_P(Arrays, AllowWhatTheGrammarAllows) {
  const Value expected = value("int", array_of("int", 300, ","));
  for (const char* comma : {",\n", " /* c */, ", ", # c\n", ",\t\r\n", ",   "}) {
    EXPECT_EQ(value("int", array_of("int", 300, comma)), expected) << comma;
  }
  std::string trailing = array_of("int", 300, ",");
  trailing.insert(trailing.size() - 1, ", \n");
  EXPECT_EQ(value("int", trailing), expected);
}

TEST_P(Arrays, GiveThePlaceOfAnErrorAnywhere) {
  for (const char* bad : {"x", "1.2.3", "(1, 2, 3, 4)", "(1, 2)", "\"text\"", "[1]", "-", "1e"}) {
    for (std::size_t at : {0U, 1U, 5U, 100U, 999U}) {
      std::string array = "[";
      std::size_t expected = 0;
      for (std::size_t i = 0; i < 1000; ++i) {
        if (i == at) expected = array.size();
        array += i == at ? std::string(bad) + ", " : "(1, 2, 3), ";
      }
      const Result<LayerPtr> layer = read("float3", array + "]");
      ASSERT_FALSE(layer) << bad;
      EXPECT_EQ(layer.error().line, 4u);
      // Lists among values are reported where the list of values opens.
      const std::size_t column = std::string("    float3[] v = ").size() + 1;
      if (bad[0] != '[') {
        EXPECT_EQ(layer.error().column, column + expected) << bad << at;
      } else if (at != 0) {
        EXPECT_EQ(layer.error().column, column);
      }
    }
  }
}

TEST_P(Arrays, StopExactlyAtTheLimitOfElements) {
  options_.limits.array_elements = 500;
  EXPECT_EQ(value("int", array_of("int", 500, ", ")).size(), 500u);
  const Result<LayerPtr> layer = read("int", array_of("int", 501, ", "));
  ASSERT_FALSE(layer);
  EXPECT_EQ(layer.error().code, ErrorCode::limit_exceeded);
}

TEST_P(Arrays, NestAndStayRectangular) {
  std::string rows;
  for (int i = 0; i < 50; ++i) rows += (i == 0 ? "" : ", ") + array_of("int", 40, ", ");
  EXPECT_EQ(value("int", "[" + rows + "]").size(), 2000u);
  EXPECT_FALSE(read("int", "[" + rows + ", [1]]"));
}

TEST_P(Arrays, KeepTheWarningsOfNumbersThatAreOdd) {
  const std::string large = "[" + std::string("1, ").append("2, ") + "99999999999999999999, 3]";
  EXPECT_FALSE(read("int64", large));
  std::string text = "[";
  for (int i = 0; i < 400; ++i) text += "1, ";
  ASSERT_EQ(value("float", text + "99999999999999999999, nan, -inf, \"inf\", 2]").size(), 405u);
}

// Long enough for several pieces, and too long for one.
TEST_P(Arrays, ReadOnSeveralThreadsEqualThoseReadOnOne) {
  StdThreadPool threads(4);
  for (const char* type : {"int", "float", "point3f", "quatf", "matrix4d", "half2"}) {
    const std::string text =
        array_of(type, 1'200'000 / (3 * component_count(find_value_type(type).element)), ", ");
    options_.executor = {};
    const Value one = value(type, text);
    options_.executor = threads.executor();
    EXPECT_EQ(value(type, text), one) << type;
    ASSERT_NE(one.size(), 0u);
  }
}

TEST_P(Arrays, ReportTheSameOnSeveralThreads) {
  StdThreadPool threads(4);
  for (const char* bad : {"x", "(1, 2)", "[3]", "1 ,2", "1 /* */", "nan", "12345678901"}) {
    std::string text = array_of("int", 100'000, ", ");
    text.insert(text.find(", ", text.size() / 2) + 2, std::string(bad) + ", ");
    options_.executor = {};
    const Value one = value("int", text);
    const Diagnostics expected = diagnostics_;
    options_.executor = threads.executor();
    EXPECT_EQ(value("int", text), one) << bad;
    ASSERT_EQ(diagnostics_.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_EQ(format(diagnostics_[i]), format(expected[i]));
    }
  }
}

#if defined(__linux__) || defined(__APPLE__)

// A text right before memory that nobody may read.
class GuardedText {
 public:
  explicit GuardedText(const std::string& text) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::size_t size = (text.size() + page - 1) / page * page;
    mapped_ = size + page;
    void* const memory =
        mmap(nullptr, mapped_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return;
    memory_ = static_cast<char*>(memory);
    char* const end = memory_ + size;
    if (mprotect(end, page, PROT_NONE) != 0) return;
    std::memcpy(end - text.size(), text.data(), text.size());
    text_ = {end - text.size(), text.size()};
  }
  ~GuardedText() {
    if (memory_ != nullptr) munmap(memory_, mapped_);
  }
  GuardedText(const GuardedText&) = delete;
  GuardedText& operator=(const GuardedText&) = delete;

  std::string_view view() const { return text_; }

 private:
  char* memory_ = nullptr;
  std::size_t mapped_ = 0;
  std::string_view text_;
};

void Arrays::expect_nothing_read_behind(const Executor& executor) {
  for (const char* type : {"int", "float", "float3"}) {
    for (std::size_t more = 0; more < 4; ++more) {
      const std::size_t count = 40'000 / component_count(find_value_type(type).element) + more;
      options_.executor = {};
      const Value one = value(type, array_of(type, count, ", "));
      ASSERT_EQ(one.size(), count);
      const GuardedText text(text_);
      ASSERT_TRUE(text.view() == text_);
      options_.executor = executor;
      const Result<LayerPtr> layer = parse(text.view(), "a", diagnostics_, options_);
      ASSERT_TRUE(layer);
      EXPECT_EQ((*layer)->root().children[0]->properties[0].default_value, one) << type;
    }
  }
}

TEST_P(Arrays, ReadNothingBehindTheText) {
  expect_nothing_read_behind(Executor());
}

TEST_P(Arrays, ReadNothingBehindTheTextOnSeveralThreads) {
  StdThreadPool threads(4);
  expect_nothing_read_behind(threads.executor());
}

#endif

TEST_P(Arrays, ReadOnSeveralThreadsMayHaveGaps) {
  StdThreadPool threads(4);
  for (const char* type : {"int", "int2", "matrix2d"}) {
    std::string text =
        array_of(type, 400'000 / component_count(find_value_type(type).element), ", ");
    for (const std::size_t part : {1U, 2U, 3U}) {
      const std::size_t at = text.find(", ", text.size() / 4 * part);
      text.insert(at + 2, std::string(200'000, ' '));
    }
    options_.executor = {};
    const Value one = value(type, text);
    options_.executor = threads.executor();
    EXPECT_EQ(value(type, text), one) << type;
    ASSERT_NE(one.size(), 0u);
  }
}

}  // namespace
}  // namespace sinew::usda::array_test
