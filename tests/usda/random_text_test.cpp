// SPDX-License-Identifier: Apache-2.0
// Random layers: what is written reads back, and every instruction set reads and reports the same,
// of sound texts and of damaged ones.
//
// SINEW_RANDOM_TEXTS sets the number of layers.
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/usda/parser.hpp"
#include "sinew/usda/writer.hpp"

namespace sinew::usda::random_text_test {

using namespace layer;
namespace {

std::size_t text_count() {
  const char* wanted = std::getenv("SINEW_RANDOM_TEXTS");
  return wanted != nullptr ? std::strtoull(wanted, nullptr, 10) : 150;
}

// Writes a well-formed layer that uses most of the grammar.
class RandomText {
 public:
  explicit RandomText(std::uint32_t seed) : random_(seed) {}

  std::string layer() {
    text_ = "#usda 1.0\n";
    if (one_in(2)) {
      text_ += "(\n";
      for (std::size_t i = below(5); i > 0; --i) layer_item();
      text_ += ")\n";
    }
    for (std::size_t i = 1 + below(4); i > 0; --i) prim(0);
    return std::move(text_);
  }

 private:
  std::size_t below(std::size_t n) { return random_() % n; }
  bool one_in(std::size_t n) { return below(n) == 0; }
  template <std::size_t N>
  const char* any(const char* const (&words)[N]) {
    return words[below(N)];
  }
  std::string name() { return "n" + std::to_string(next_name_++); }
  std::string path() {
    return std::string("</") + any({"A", "B/C", "n1", "A/n2"}) + (one_in(3) ? ".x>" : ">");
  }
  std::string blank() { return any({" ", "  ", "\n", "\t", "", "", " ", "\n   "}); }

  std::string number(bool whole) {
    const std::string sign = one_in(3) ? "-" : "";
    if (whole) return std::to_string(below(128));
    switch (below(8)) {
      case 0:
        return sign + std::to_string(below(10'000));
      case 1:
        return sign + std::to_string(random_()) + "." + std::to_string(random_());
      case 2:
        return sign + "." + std::to_string(below(1000)) + "e" + std::to_string(below(30));
      case 3:
        return any({"inf", "-inf", "nan", "0", "-0", "1e400", "-1e-400", "\"inf\""});
      case 4:
        return sign + std::to_string(random_()) + std::to_string(random_()) +
               std::to_string(random_());
      default:
        return sign + std::to_string(below(1000)) + "." + std::to_string(below(100'000));
    }
  }
  std::string string() {
    return any({"\"\"", "'a'", "\"with 'quotes'\"", "'''several\nlines'''", "\"tab\\tend\"",
                "\"\\xff\\0\"", "\"\xC3\xA4\"", "\"back\\\\slash\"", "\"\\\"\"", "\"a b\""});
  }
  std::string asset() { return any({"@a.usda@", "@@@odd@name@@@", "@./b c.png@", "@\xC3\xA4@"}); }

  struct Type {
    const char* name;
    int columns;  // 0: text.
    int rows;
    bool whole;
  };
  const Type& any_type() {
    static constexpr Type kTypes[] = {
        {"bool", 1, 0, true},      {"uchar", 1, 0, true},     {"int", 1, 0, true},
        {"int64", 1, 0, true},     {"half", 1, 0, false},     {"float", 1, 0, false},
        {"double", 1, 0, false},   {"timecode", 1, 0, false}, {"int3", 3, 0, true},
        {"half2", 2, 0, false},    {"point3f", 3, 0, false},  {"double4", 4, 0, false},
        {"quath", 4, 0, false},    {"quatf", 4, 0, false},    {"matrix2d", 2, 2, false},
        {"matrix4d", 4, 4, false}, {"string", 0, 0, false},   {"token", 0, 0, false},
        {"asset", 0, 0, false}};
    return kTypes[below(std::size(kTypes))];
  }
  std::string tuple(int count, bool whole) {
    std::string text = "(";
    for (int i = 0; i < count; ++i) text += (i == 0 ? "" : "," + blank()) + number(whole);
    return text + ")";
  }
  std::string scalar(const Type& type) {
    if (type.columns == 0) return std::string_view(type.name) == "asset" ? asset() : string();
    if (type.columns == 1) return number(type.whole);
    if (type.rows == 0) return tuple(type.columns, type.whole);
    std::string text = "(";
    for (int i = 0; i < type.rows; ++i) {
      text += (i == 0 ? "" : "," + blank()) + tuple(type.columns, type.whole);
    }
    return text + ")";
  }
  std::string array(const Type& type) {
    std::string text = "[";
    const std::size_t count = one_in(3) ? below(300) : below(6);
    for (std::size_t i = 0; i < count; ++i) {
      // Now and then what bulk reading leaves to the grammar.
      if (i != 0) text += (one_in(40) ? " ," : ",") + blank() + (one_in(60) ? "/* , ] */" : "");
      text += scalar(type);
    }
    return text + "]";
  }
  std::string value(const Type& type, bool is_array) {
    return is_array ? array(type) : scalar(type);
  }
  std::string dictionary(int depth) {
    std::string text = "{\n";
    for (std::size_t i = below(4); i > 0; --i) {
      const Type& type = any_type();
      const bool is_array = one_in(3);
      const std::string key = one_in(3) ? string() : name();
      if (one_in(4) && depth < 3) {
        text += "dictionary " + key + " = " + dictionary(depth + 1) + "\n";
      } else {
        text += type.name + std::string(is_array ? "[] " : " ") + key + " = " +
                value(type, is_array) + "\n";
      }
    }
    return text + "}";
  }

  void layer_item() {
    const std::string item[] = {
        "doc = " + string(),
        "metersPerUnit = 0." + std::to_string(1 + below(100)),
        "customLayerData = " + dictionary(0),
        "subLayers = [@s.usda@ (offset = 2), " + asset() + "]",
        "relocates = { </A/B>: </A/" + name() + "> }",
        "defaultPrim = " + string(),
        "unknown" + name() + " = [1, (two, " + string() + ")]",
        std::string(any({"prepend", "append", "delete", "add"})) + " listed = [a, " + name() + "]",
        string()};
    text_ += item[below(std::size(item))] + (one_in(4) ? "; # comment\n" : "\n");
  }
  void prim_item() {
    const std::string edit = any({"", "", "prepend ", "append ", "delete ", "add ", "reorder "});
    const std::string item[] = {
        "kind = \"component\"",
        "active = false",
        edit + "references = [" + asset() + "</R> (offset = 3), </" + name() + ">]",
        edit + "payload = " + asset(),
        edit + "inherits = </" + name() + ">",
        edit + "specializes = [</S>, </" + name() + ">]",
        edit + "apiSchemas = [\"X\", \"" + name() + "\"]",
        edit + "inactiveIds = [" + std::to_string(below(9)) + "]",
        edit + "variantSets = [\"" + name() + "\"]",
        "variants = { string " + name() + " = \"x\" }",
        "customData = " + dictionary(0),
        "prefixSubstitutions = { \"a\": " + string() + " }",
        "permission = private",
        "unknown" + name() + " = " + dictionary(0),
        string()};
    text_ += item[below(std::size(item))] + (one_in(4) ? ";\n" : "\n");
  }
  void spline() {
    text_ += std::string(any({"double ", "float ", "half "})) + name() + ".spline = {\n";
    text_ += any({"bezier, ", "hermite, ", ""});
    text_ += any({"pre: linear, ", "post: sloped(2), ", "post: loop repeat, ", ""});
    for (std::size_t i = below(4); i > 0; --i) {
      text_ += std::to_string(below(50)) + ": " + std::to_string(below(50)) +
               any({"", " & 3", "; pre (1, 2)", "; post held", "; post curve (1, 2, custom)",
                    "; { int k = 1 }"}) +
               ",\n";
    }
    text_ += "}";
  }
  void samples(const Type& type, bool is_array) {
    text_ += ".timeSamples = {\n";
    for (std::size_t i = below(5); i > 0; --i) {
      const std::string time = any({"inf", "-inf", "nan", "1e3", "-0", "18446744073709551616"});
      text_ += (one_in(4) ? time : std::to_string(below(90))) + ": " +
               (one_in(5) ? "None" : value(type, is_array)) + ",\n";
    }
    text_ += "}";
  }
  void attribute() {
    const Type& type = any_type();
    const bool is_array = one_in(2);
    text_ += any({"", "", "custom ", "uniform ", "custom uniform "});
    text_ += type.name + std::string(is_array ? "[] " : " ") + name();
    switch (below(6)) {
      case 0:
        return samples(type, is_array);
      case 1:
        text_ += ".connect = [" + path() + ", </D." + name() + ">]";
        return;
      case 2:
        if (!is_array) break;
        text_ += " = edit [append " + scalar(type) + "; erase [-1]; minsize 3 fill " +
                 scalar(type) + "]";
        return;
      default:
        break;
    }
    text_ += " = " + (one_in(10) ? any({"None", "AnimationBlock"}) : value(type, is_array));
    if (one_in(3)) text_ += " (doc = " + string() + "; customData = " + dictionary(0) + ")";
  }
  void property() {
    switch (below(8)) {
      case 0:
        text_ += std::string(any({"", "prepend ", "append ", "delete ", "varying "})) + "rel " +
                 name() + " = [" + path() + ", </E/" + name() + ">]";
        break;
      case 1:
        spline();
        break;
      case 2:
        text_ += "strange" + name() + " " + name() + " = (a, (1, 2), " + string() + ")";
        break;
      default:
        attribute();
    }
    text_ += one_in(4) ? "; // comment\n" : "\n";
  }
  void body(int depth) {
    text_ += "{\n";
    if (one_in(5)) text_ += "reorder nameChildren = [\"b\", \"a\"]\n";
    for (std::size_t i = below(5); i > 0; --i) property();
    for (std::size_t i = depth < 3 ? below(3) : 0; i > 0; --i) prim(depth + 1);
    if (depth < 3 && one_in(4)) {
      text_ += "variantSet \"" + name() + "\" = {\n";
      for (std::size_t i = 1 + below(2); i > 0; --i) {
        text_ += "\"" + name() + "\" ";
        metadata();
        body(depth + 1);
        text_ += "\n";
      }
      text_ += "}\n";
    }
    text_ += "}";
  }
  void metadata() {
    if (!one_in(2)) return;
    text_ += "(\n";
    for (std::size_t i = below(4); i > 0; --i) prim_item();
    text_ += ")\n";
  }
  void prim(int depth) {
    text_ += std::string(any({"def Mesh ", "def ", "over ", "class ", "def a::B "})) + "\"" +
             name() + "\"\n";
    metadata();
    body(depth);
    text_ += one_in(4) ? " # comment\r\n\n" : "\n";
  }

  std::mt19937 random_;
  std::string text_;
  std::size_t next_name_ = 0;
};

// A few bytes changed, left out, doubled or moved.
std::string damaged(std::string text, std::mt19937& random) {
  constexpr char kLikely[] = "()[]{}<>@\"'\\/.,:;=#\n\r\t -0123456789eE\x00\x80\xFF";
  for (std::size_t i = 1 + random() % 3; i > 0 && !text.empty(); --i) {
    const std::size_t at = random() % text.size();
    const std::size_t size = 1 + random() % (random() % 4 == 0 ? 60 : 3);
    switch (random() % 4) {
      case 0:
        text[at] = kLikely[random() % (sizeof kLikely - 1)];
        break;
      case 1:
        text.erase(at, size);
        break;
      case 2:
        text.insert(at, text.substr(random() % text.size(), size));
        break;
      default:
        text.insert(at, std::to_string(random()) + std::to_string(random()));
    }
  }
  return text;
}

struct Reading {
  LayerPtr layer;
  Diagnostics diagnostics;
};

Reading read(std::string_view text, SimdLevel level, Rules rules = Rules::documented) {
  Reading reading;
  ParseOptions options;
  options.rules = rules;
  options.level = level;
  options.on_error = OnError::keep_what_was_read;
  const Result<LayerPtr> layer = parse(text, "random", reading.diagnostics, options);
  if (layer) reading.layer = *layer;
  return reading;
}

void expect_same_diagnostics(const Diagnostics& a, const Diagnostics& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].severity, b[i].severity);
    EXPECT_EQ(a[i].code, b[i].code);
    EXPECT_EQ(a[i].message, b[i].message);
    EXPECT_EQ(a[i].hint, b[i].hint);
    EXPECT_EQ(a[i].path, b[i].path);
    EXPECT_EQ(a[i].excerpt, b[i].excerpt);
    EXPECT_EQ(a[i].line, b[i].line);
    EXPECT_EQ(a[i].column, b[i].column);
  }
}

// Every level reads the same and reports the same.
void expect_same_at_every_level(const std::string& text) {
  const Reading scalar = read(text, SimdLevel::scalar);
  ASSERT_NE(scalar.layer, nullptr);
  for (const SimdLevel level : supported_simd_levels()) {
    SCOPED_TRACE(to_string(level));
    const Reading other = read(text, level);
    expect_same_diagnostics(scalar.diagnostics, other.diagnostics);
    ASSERT_NE(other.layer, nullptr);
    EXPECT_TRUE(equal(*scalar.layer, *other.layer));
  }
}

TEST(RandomText, ReadsBackAsItWasWrittenAndWritesTheSameBytes) {
  for (std::size_t seed = 0; seed < text_count(); ++seed) {
    const std::string text = RandomText(static_cast<std::uint32_t>(seed)).layer();
    const Reading first = read(text, SimdLevel::best);
    ASSERT_EQ(count(first.diagnostics, Severity::error), 0u)
        << format(first.diagnostics.back()) << "\n"
        << text;
    const std::string written = write(*first.layer);
    const Reading second = read(written, SimdLevel::best, Rules::openusd);
    ASSERT_TRUE(second.diagnostics.empty()) << format(second.diagnostics.back()) << "\n" << written;
    ASSERT_TRUE(equal(*first.layer, *second.layer)) << text << "\n\n" << written;
    ASSERT_EQ(write(*second.layer), written) << "seed " << seed;
  }
}

TEST(RandomText, IsReadAndReportedAlikeAtEveryLevel) {
  for (std::size_t seed = 0; seed < text_count(); ++seed) {
    const std::string text = RandomText(static_cast<std::uint32_t>(seed)).layer();
    expect_same_at_every_level(text);
    if (HasFailure()) FAIL() << "seed " << seed << "\n" << text;
  }
}

TEST(RandomText, IsReportedAlikeAtEveryLevelWhenDamaged) {
  std::mt19937 random(7);
  for (std::size_t seed = 0; seed < 4 * text_count(); ++seed) {
    const std::string text =
        damaged(RandomText(static_cast<std::uint32_t>(seed % text_count())).layer(), random);
    expect_same_at_every_level(text);
    if (HasFailure()) FAIL() << "seed " << seed << "\n" << text;
  }
}

}  // namespace
}  // namespace sinew::usda::random_text_test
