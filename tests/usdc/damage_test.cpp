// SPDX-License-Identifier: Apache-2.0
// Whatever the bytes, reading ends in a layer or a diagnostic. Run under sanitizers this shows that
// it does so without touching memory it should not.
//
// SINEW_CRATE_MUTATIONS sets the number of random changes.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/usda/parser.hpp"
#include "sinew/usdc/writer.hpp"
#include "usdc/read_crate.hpp"
#include "usdc/use_values.hpp"

namespace sinew::usdc::damage_test {
namespace {

using layer::LayerPtr;
using namespace test;

// Something of every kind that the writer of binary files knows.
constexpr std::string_view kRichText = R"(#usda 1.0
(
    customLayerData = {
        string note = "kept"
        dictionary inner = {
            double3[] places = [(1, 2, 3), (4, 5, 6.25)]
        }
    }
    subLayers = [@other.usda@ (offset = 1; scale = 2)]
)

def Xform "A" (
    apiSchemas = ["OneAPI", "TwoAPI"]
    inherits = </Class>
    references = [@ref.usda@</R> (offset = 3), </Class>]
    payload = @load.usda@
    variants = {
        string look = "red"
    }
    prepend variantSets = "look"
)
{
    double curve.spline = {
        bezier,
        pre: loop repeat,
        post: sloped(0.5),
        1: 2; post curve (1, 0.5),
        5: 4 & 6; post held; { string note = "here" },
    }
    int[] edited = edit [prepend 7; append 9; minsize 4]
    int[] indices = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19]
    float[] levels = [0.5, 1.5, 0.5, 1.5, 0.5, 1.5, 0.5, 1.5, 0.5, 1.5, 0.5, 1.5, 0.5, 1.5, 0.5, 1.5, 0.5]
    float moved
    float moved.connect = </A.curve>
    float moved.timeSamples = {
        1: 2.5,
        2: None,
        3: 7,
    }
    matrix4d m = ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (1, 2, 3, 1))
    token[] names = ["a", "b"]
    rel to = [</A>, </Class>]
    variantSet "look" = {
        "red" {
            def "Inside"
            {
            }
        }
    }
}

class "Class"
{
}
)";

std::string crate_of(std::string_view text) {
  Diagnostics diagnostics;
  const auto layer = usda::parse(text, "text.usda", diagnostics);
  EXPECT_TRUE(layer) << (layer ? "" : layer.error().message);
  if (!layer) return {};
  const auto bytes = write(**layer, diagnostics);
  EXPECT_TRUE(bytes);
  return bytes ? std::string(bytes->text()) : std::string();
}

std::string rich() {
  return crate_of(kRichText);
}

// Sections of four kinds, arrays of four, whatever a value may be.
std::vector<std::string> crates() {
  std::vector<std::string> files;
  for (const unsigned minor : {0U, 1U, 3U, 4U, 5U, 6U, 7U, 8U}) files.push_back(scene(minor));
  files.push_back(two_samples(1, 2));
  files.push_back(rich());
  return files;
}

std::size_t mutation_count() {
  const char* const wanted = std::getenv("SINEW_CRATE_MUTATIONS");
  return wanted != nullptr ? std::strtoull(wanted, nullptr, 10) : 4000;
}

TEST_F(ReadCrate, ReadsWholeWhatTheTestsOfDamageCutAndChange) {
  for (const std::string& file : crates()) {
    EXPECT_NE(read_layer(file), nullptr) << error_.message;
    EXPECT_THAT(diagnostics_, testing::IsEmpty());
  }
}

// A line is where something stands in a text.
TEST_F(ReadCrate, HasNoLines) {
  std::size_t fields = 0;
  for (const std::string& file : crates()) {
    const layer::LayerPtr layer = read_layer(file);
    ASSERT_NE(layer, nullptr);
    const auto look = [&](std::span<const layer::Field> of) {
      fields += of.size();
      for (const layer::Field& field : of) EXPECT_EQ(field.line, 0U) << field.key.view();
    };
    const auto go = [&](const auto& self, const layer::PrimSpec& prim) -> void {
      EXPECT_EQ(prim.line, 0U);
      look(prim.fields);
      for (const layer::PropertySpec& property : prim.properties) {
        EXPECT_EQ(property.line, 0U);
        look(property.fields);
      }
      for (const layer::PrimSpec* child : prim.children) self(self, *child);
    };
    go(go, layer->root());
  }
  EXPECT_GT(fields, 0U);
}

// Equal values stand in a file once; what they fill is made for each.
TEST_F(ReadCrate, CountsTheFillsOfEqualEditsForEachUse) {
  const std::string file = crate_of(
      "#usda 1.0\ndef \"A\" {\nint[] a = edit [minsize 25]\nint[] b = edit [minsize 25]\n}\n");
  for (const bool fits : {true, false}) {
    options_.limits.array_edit_bytes = fits ? 200 : 199;
    const LayerPtr layer = read_layer(file);
    ASSERT_NE(layer, nullptr);
    const auto properties = layer->root().children[0]->properties;
    EXPECT_NE(properties[0].default_value.as_array_edit(), nullptr);
    EXPECT_EQ(properties[1].default_value.as_array_edit() != nullptr, fits);
    EXPECT_EQ(has("usdc-limit"), !fits);
  }
}

TEST_F(ReadCrate, TellsOfSizesThatNoArrayEditFillsUpTo) {
  const auto read = [&](const std::string& size) {
    diagnostics_.clear();
    return read_layer(crate_of("#usda 1.0\ndef \"A\" {\nint[] a = edit [resize " + size +
                               "]\nint[] b = edit [minsize 1000000000000]\n}\n"));
  };
  ASSERT_NE(read("16777217"), nullptr);  // 64 MiB of four bytes each, and one more.
  EXPECT_THAT(diagnostics_, testing::SizeIs(1));
  EXPECT_TRUE(has("usdc-limit"));
  ASSERT_NE(read("16777216"), nullptr);
  EXPECT_THAT(diagnostics_, testing::SizeIs(1));  // The other one.
}

// Whatever a limit stops, it is said, and a file within its limits is read without a word.
TEST_F(ReadCrate, TellsOfEveryLimitThatIsTooLow) {
  std::vector<std::string> files = crates();
  CrateBuilder many;
  std::vector<std::string> names;
  for (int i = 0; i < 70; ++i) names.push_back("p" + std::to_string(i));
  many.spec(0, 7, {{"primChildren", many.token_vector(names)}});
  for (const std::string& name : names) many.spec(many.path(0, name), 6, {});
  files.push_back(many.build());
  for (std::size_t i = 0; i < files.size(); ++i) {
    for (const auto limit : {&Limits::decoded_bytes, &Limits::value_items}) {
      SCOPED_TRACE(testing::Message() << "file " << i << (limit == &Limits::value_items));
      std::uint64_t enough = 0;
      options_.limits = Limits();
      for (std::uint64_t step = 1 << 16; step != 0; step /= 2) {  // The lowest that suffices.
        options_.limits.*limit = enough + step - 1;
        const LayerPtr layer = read_layer(files[i]);
        if (layer == nullptr || !diagnostics_.empty()) enough += step;
      }
      ASSERT_LT(enough, 1U << 16);
      const std::uint64_t stride = enough / 500 + 1;
      for (std::uint64_t value = 0; value < enough; value += stride) {
        options_.limits.*limit = value;
        const LayerPtr layer = read_layer(files[i]);
        ASSERT_TRUE(has("usdc-limit")) << value;
        if (layer == nullptr) {
          ASSERT_EQ(error_.code, ErrorCode::limit_exceeded) << value << error_.message;
        }
      }
      for (std::uint64_t value = enough; value < enough + 100; ++value) {
        options_.limits.*limit = value;
        ASSERT_NE(read_layer(files[i]), nullptr) << value;
        ASSERT_THAT(diagnostics_, testing::IsEmpty()) << value;
      }
    }
  }
}

// Whether a message says where in the file to look: a byte, or the entry of a table.
bool tells_the_place(const Diagnostic& diagnostic) {
  const std::string& message = diagnostic.message;
  for (const char* place : {" (at byte ", ", at byte ", " of FIELDS", " of SPECS", " of PATHS"}) {
    if (message.find(place) != std::string::npos) return true;
  }
  // What is nowhere, or in many places.
  return message.starts_with("PATHS leaves ") ||
         message == "There is no spec of the layer itself." ||
         message.starts_with("Specs of targets, ") ||
         message.find(" more of this kind are not listed") != std::string::npos;
}

TEST_F(ReadCrate, RefusesFilesCutOffAnywhere) {
  for (const std::string& file : crates()) {
    for (std::size_t size = 0; size < file.size(); ++size) {
      ASSERT_EQ(read_layer(file.substr(0, size)), nullptr) << size;
      ASSERT_FALSE(diagnostics_.empty());
      for (const Diagnostic& d : diagnostics_) ASSERT_TRUE(tells_the_place(d)) << d.message;
    }
    EXPECT_NE(read_layer(file + "more"), nullptr);
  }
}

TEST_F(ReadCrate, SurvivesAnyBytes) {
  std::mt19937 random(20260101);
  options_.limits.decoded_bytes = 1 << 20;
  options_.on_error = OnError::keep_what_was_read;
  std::size_t layers = 0;
  const std::vector<std::string> files = crates();
  const std::size_t rounds = mutation_count();
  for (std::size_t round = 0; round < rounds; ++round) {
    std::string file = files[round % files.size()];
    for (int changes = 1 + static_cast<int>(random() % 4); changes > 0; --changes) {
      char& byte = file[random() % file.size()];
      constexpr unsigned char kOdd[] = {0, 1, 0x7F, 0x80, 0xFE, 0xFF};
      byte = static_cast<char>(random() % 2 == 0 ? kOdd[random() % 6] : random());
    }
    options_.unpack = round / files.size() % 2 == 0 ? Unpack::at_once : Unpack::when_used;
    if (const LayerPtr layer = read_layer(file)) {
      use(layer->root());
      ++layers;
    } else {
      ASSERT_FALSE(diagnostics_.empty());
    }
    for (const Diagnostic& d : diagnostics_) ASSERT_TRUE(tells_the_place(d)) << d.message;
  }
  EXPECT_GT(layers, rounds / 40);
}

// Files of which one section is another one, or has wrong numbers.
class WrongSections : public ReadCrate {
 protected:
  struct Section {
    std::string name;
    std::int64_t start, size;
  };

  static std::uint64_t contents_of(const std::string& file) {
    std::uint64_t offset = 0;
    std::memcpy(&offset, file.data() + 16, sizeof offset);
    return offset;
  }
  static std::vector<Section> sections_of(const std::string& file) {
    const char* at = file.data() + contents_of(file);
    std::uint64_t count = 0;
    std::memcpy(&count, at, sizeof count);
    at += sizeof count;
    std::vector<Section> sections;
    for (; count != 0; --count, at += 32) {
      Section& section = sections.emplace_back(Section{at, 0, 0});
      std::memcpy(&section.start, at + 16, 8);
      std::memcpy(&section.size, at + 24, 8);
    }
    return sections;
  }
  /// The file with another table of contents, at its end.
  static std::string with_contents(std::string file, const std::vector<Section>& sections) {
    const std::uint64_t offset = file.size();
    std::memcpy(file.data() + 16, &offset, sizeof offset);
    append(file, std::uint64_t{sections.size()});
    for (const Section& section : sections) {
      std::string name = section.name;
      name.resize(16);
      file += name;
      append(file, section.start);
      append(file, section.size);
    }
    return file;
  }
  static std::string with_section(std::string file, std::string_view name,
                                  const std::string& content) {
    std::vector<Section> sections = sections_of(file);
    for (Section& section : sections) {
      if (section.name != name) continue;
      section.start = static_cast<std::int64_t>(file.size());
      section.size = static_cast<std::int64_t>(content.size());
    }
    return with_contents(file + content, sections);
  }
  static std::string with_one_more(const std::string& file, const Section& section) {
    std::vector<Section> sections = sections_of(file);
    sections.push_back(section);
    return with_contents(file, sections);
  }
  /// Why a file is refused: the code and the message without the place; "read" if it is not.
  std::string refusal(const std::string& file) {
    if (read_layer(file) != nullptr) return "read";
    EXPECT_FALSE(diagnostics_.empty());
    if (diagnostics_.empty()) return {};
    EXPECT_EQ(diagnostics_.back().severity, Severity::error);
    return diagnostics_.back().code + ": " + reason();
  }
  /// Prims `/A` and `/A/C`, and `/B`: paths 1, 3 and 2 of 4, the tokens 1, 3 and 2 of kTokens.
  static std::string three_prims(unsigned minor) {
    CrateBuilder crate(minor, 1);
    const std::uint32_t a = crate.path(0, "A");
    const std::uint32_t b = crate.path(0, "B");
    const std::uint32_t c = crate.path(a, "C");
    crate.spec(0, 7, {{"primChildren", crate.token_vector({"A", "B"})}});
    crate.spec(a, 6, {{"primChildren", crate.token_vector({"C"})}});
    crate.spec(b, 6, {});
    crate.spec(c, 6, {});
    return crate.build();
  }
  static constexpr std::uint32_t kTokens = 5;  // The last is primChildren.
  static constexpr const char* kCutShort = "the section claims more than it holds";
};

TEST_F(WrongSections, MayBe64AndNoMore) {
  std::vector<Section> sections = sections_of(three_prims(8));
  while (sections.size() < 64) sections.push_back({"X" + std::to_string(sections.size()), 88, 0});
  EXPECT_EQ(refusal(with_contents(three_prims(8), sections)), "read");
  sections.push_back({"X64", 88, 0});
  EXPECT_EQ(refusal(with_contents(three_prims(8), sections)),
            "usdc-toc: there is no room for 65 sections");
}

TEST_F(WrongSections, LieInTheFileAndApart) {
  const std::string plain = three_prims(8);
  // With the table of contents, and four bytes behind it.
  const std::string file = with_one_more(plain, {"X", 0, 0});
  const auto contents = static_cast<std::int64_t>(plain.size());
  const auto end = static_cast<std::int64_t>(file.size());
  const auto with_x = [&](std::int64_t start, std::int64_t size) {
    return refusal(with_one_more(plain, {"X", start, size}) + "more");
  };
  EXPECT_EQ(with_x(end, 4), "read");
  EXPECT_EQ(with_x(end + 4, 0), "read");
  EXPECT_EQ(with_x(end, 5),
            "usdc-toc: section X does not lie in the file: 5 bytes at " + std::to_string(end));
  EXPECT_EQ(with_x(end + 5, 0),
            "usdc-toc: section X does not lie in the file: 0 bytes at " + std::to_string(end + 5));
  EXPECT_EQ(with_x(-1, 0), "usdc-toc: section X does not lie in the file: 0 bytes at -1");
  EXPECT_EQ(with_x(88, -1), "usdc-toc: section X does not lie in the file: -1 bytes at 88");
  // Neither over the header, another section nor the table of contents.
  const std::string overlap = "usdc-toc: sections overlap";
  const std::int64_t tokens = sections_of(plain)[0].start;
  EXPECT_EQ(with_x(87, 1), overlap);
  EXPECT_EQ(with_x(88, tokens - 87), overlap);
  EXPECT_EQ(with_x(contents, 1), overlap);
  EXPECT_EQ(with_x(end - 1, 1), overlap);
}

TEST_F(WrongSections, AreAllThereAndOnce) {
  const std::string file = three_prims(8);
  for (std::size_t i = 0; i < 6; ++i) {
    std::vector<Section> sections = sections_of(file);
    const std::string name = sections[i].name;
    sections[i].name = "OTHER";
    EXPECT_EQ(refusal(with_contents(file, sections)), "usdc-toc: section " + name + " is missing");
    EXPECT_EQ(refusal(with_one_more(file, {name, 88, 0})),
              "usdc-toc: section " + name + " is there twice");
  }
}

TEST_F(WrongSections, AreListedBehindTheHeader) {
  std::string file = three_prims(8).substr(0, 88) + std::string(8, '\0');
  const auto listed_at = [&](std::int64_t offset) {
    std::memcpy(file.data() + 16, &offset, sizeof offset);
    return refusal(file);
  };
  EXPECT_EQ(listed_at(88), "usdc-toc: section TOKENS is missing");
  for (const std::int64_t offset : {-1, 0, 87, 89, 96}) {
    EXPECT_EQ(listed_at(offset),
              "usdc-header: the table of contents cannot be at " + std::to_string(offset));
  }
  EXPECT_EQ(refusal(file.substr(0, 87)), "usdc-header: the file ends within its header");
  EXPECT_EQ(refusal("PXR-USDA" + file.substr(8)), "usdc-header: this is not a .usdc file");
}

TEST_F(WrongSections, OfTextsHoldAsManyAsTheySay) {
  for (const unsigned minor : {3U, 8U}) {
    const auto with_texts = [&](std::uint64_t count, const std::string& chars,
                                int size_change = 0) {
      std::string section =
          bytes_of({count, chars.size() + static_cast<std::uint64_t>(size_change)});
      if (minor >= 4) append(section, std::uint64_t{lz4(chars).size()});
      section += minor >= 4 ? lz4(chars) : chars;
      return refusal(with_section(three_prims(minor), "TOKENS", section));
    };
    const std::string chars(";-)\0A\0B\0C\0primChildren\0", 23);
    EXPECT_EQ(with_texts(5, chars), "read") << minor;
    EXPECT_EQ(with_texts(4, chars), "usdc-tokens: the bytes are not those of 4 texts") << minor;
    EXPECT_EQ(with_texts(6, chars), "usdc-tokens: the bytes are not those of 6 texts") << minor;
    EXPECT_EQ(with_texts(5, chars.substr(0, 22)), "usdc-tokens: the bytes are not those of 5 texts")
        << minor;
    EXPECT_EQ(with_texts(23, chars), "usdc-tokens: the bytes are not those of 23 texts") << minor;
    EXPECT_EQ(with_texts(24, chars), "usdc-tokens: 23 bytes cannot hold 24 texts") << minor;
    EXPECT_EQ(with_texts(5, chars, 1), minor >= 4 ? "usdc-lz4: the texts are damaged"
                                                  : std::string("usdc-tokens: ") + kCutShort);
    EXPECT_EQ(with_texts(5, chars, -1), minor >= 4
                                            ? "usdc-lz4: the texts are damaged"
                                            : "usdc-tokens: the bytes are not those of 5 texts");
  }
}

TEST_F(WrongSections, PointToWhatExists) {
  for (const unsigned minor : {0U, 1U, 3U, 4U, 8U}) {
    SCOPED_TRACE(minor);
    const bool packs = minor >= 4;
    const std::string file = three_prims(minor);
    const auto strings = [&](std::initializer_list<std::uint32_t> tokens, std::uint64_t count) {
      return refusal(with_section(file, "STRINGS", bytes_of({count}) + bytes_of(tokens)));
    };
    EXPECT_EQ(strings({0, kTokens - 1}, 2), "read");
    EXPECT_EQ(strings({0, kTokens}, 2),
              "usdc-strings: entry 1 of STRINGS points to token 5, which does not exist");
    EXPECT_EQ(strings({0, 1}, 3), std::string("usdc-strings: ") + kCutShort);

    // Two fields: the children of the layer and of A, whose lists begin the file.
    const auto fields = [&](std::uint32_t name, std::uint64_t count = 2) {
      std::string section = bytes_of({count});
      const std::string values = bytes_of({rep(41, 88), rep(41, 104)});
      if (packs) {
        section += run_of({4, name});
        append(section, std::uint64_t{lz4(values).size()});
        section += lz4(values);
      } else {
        section +=
            bytes_of({0U, 4U}) + values.substr(0, 8) + bytes_of({0U, name}) + values.substr(8);
      }
      return refusal(with_section(file, "FIELDS", section));
    };
    EXPECT_EQ(fields(kTokens - 1), "read");
    EXPECT_EQ(fields(kTokens),
              "usdc-fields: entry 1 of FIELDS points to token 5, which does not exist");
    EXPECT_EQ(fields(4, 3), packs ? "usdc-ints: a list of integers is damaged"
                                  : std::string("usdc-fields: ") + kCutShort);

    const auto runs = [&](const std::vector<std::uint32_t>& indices, std::uint64_t count = 6) {
      std::string section = bytes_of({count});
      if (packs) section += run_of(indices);
      for (const std::uint32_t index : indices) {
        if (!packs) append(section, index);
      }
      return refusal(with_section(file, "FIELDSETS", section));
    };
    const std::uint32_t end = 0xFFFFFFFF;
    EXPECT_EQ(runs({0, end, 1, end, end, end}), "read");
    EXPECT_EQ(runs({0, end, 2, end, end, end}),
              "usdc-fieldsets: entry 2 of FIELDSETS points to field 2, which does not exist");
    EXPECT_EQ(runs({0, end, 1, end, end, 1}),
              "usdc-fieldsets: the last list of fields is not ended");
    EXPECT_EQ(runs({0, end, 1, end, end, end}, 7),
              packs ? "usdc-ints: a list of integers is damaged"
                    : std::string("usdc-fieldsets: ") + kCutShort);

    const auto specs = [&](const std::vector<std::uint32_t>& paths,
                           const std::vector<std::uint32_t>& sets, std::uint64_t count = 4) {
      const std::vector<std::uint32_t> types = {7, 6, 6, 6};
      std::string section = bytes_of({count});
      if (packs) section += run_of(paths) + run_of(sets) + run_of(types);
      for (std::size_t i = 0; !packs && i < 4; ++i) {
        if (minor == 0) append(section, std::uint32_t{7});
        section += bytes_of({paths[i], sets[i], types[i]});
      }
      return refusal(with_section(file, "SPECS", section));
    };
    EXPECT_EQ(specs({0, 1, 2, 3}, {0, 2, 4, 5}), "read");
    EXPECT_EQ(specs({0, 1, 2, 4}, {0, 2, 4, 5}),
              "usdc-specs: entry 3 of SPECS points to path 4, which does not exist");
    EXPECT_EQ(specs({0, 1, 2, 3}, {0, 2, 4, 6}),
              "usdc-specs: entry 3 of SPECS points to list of fields 6, which does not exist");
    EXPECT_EQ(specs({0, 1, 2, 3}, {0, 3, 4, 5}),
              "usdc-specs: entry 1 of SPECS points to list of fields 3, which does not exist");
    EXPECT_EQ(specs({0, 1, 2, 3}, {0, 2, 4, 5}, 5), "usdc-specs: 5 specs have 4 paths");
  }
}

constexpr std::uint32_t word_of(int number) {
  return static_cast<std::uint32_t>(number);
}

TEST_F(WrongSections, OfPathsLeadToATree) {  // usdc 6
  const std::string file = three_prims(8);
  struct Item {
    std::uint32_t path;
    int element, jump;
  };
  const auto with_paths = [&](const std::vector<Item>& items, std::uint64_t path_count = 4) {
    std::vector<std::uint32_t> parts[3];
    for (const Item& item : items) {
      parts[0].push_back(item.path);
      parts[1].push_back(word_of(item.element));
      parts[2].push_back(word_of(item.jump));
    }
    return refusal(with_section(file, "PATHS",
                                bytes_of({path_count, std::uint64_t{items.size()}}) +
                                    run_of(parts[0]) + run_of(parts[1]) + run_of(parts[2])));
  };
  const auto jumps = [&](int root, int a, int c, int b) {
    return with_paths({{0, 0, root}, {1, 1, a}, {3, 3, c}, {2, 2, b}});
  };
  const auto no_tree = [](int item) {
    return "usdc-paths: item " + std::to_string(item) + " of PATHS does not lead to a tree";
  };
  EXPECT_EQ(jumps(-1, 2, -2, -2), "read");
  EXPECT_EQ(jumps(-1, 0, 0, -2), "usdc-children: the child 'C' of </A> is missing");
  EXPECT_EQ(jumps(-3, 2, -2, -2), no_tree(0));
  EXPECT_EQ(jumps(0, 2, -2, -2), no_tree(0));
  EXPECT_EQ(jumps(2, 2, -2, -2), no_tree(0));
  EXPECT_EQ(jumps(-2, 2, -2, -2), no_tree(0));
  EXPECT_EQ(jumps(-1, -3, -2, -2), no_tree(1));
  EXPECT_EQ(jumps(-1, 1, -2, -2), no_tree(1));
  EXPECT_EQ(jumps(-1, 3, -2, -2), no_tree(1));
  EXPECT_EQ(jumps(-1, -2, -2, -2), no_tree(1));
  EXPECT_EQ(jumps(-1, 2, -1, -2), no_tree(3)) << "B cannot be both below C and beside A";
  EXPECT_EQ(jumps(-1, 2, 0, -2), no_tree(3)) << "nor beside C";
  EXPECT_EQ(jumps(-1, 2, -2, -1), no_tree(3));
  EXPECT_EQ(jumps(-1, 2, -2, 0), no_tree(3));
  EXPECT_EQ(jumps(-1, 2, -2, 1), no_tree(3));

  const auto define = [&](std::uint32_t path, int element) {
    return with_paths({{0, 0, -1}, {1, 1, 2}, {3, 3, -2}, {path, element, -2}});
  };
  EXPECT_EQ(define(2, 2), "read");
  EXPECT_EQ(define(4, 2), "usdc-paths: item 3 of PATHS defines path 4, which does not exist");
  EXPECT_EQ(define(1, 2), "usdc-paths: item 3 of PATHS defines path 1 again");
  for (const int token : {5, -5}) {
    EXPECT_EQ(define(2, token),
              "usdc-paths: item 3 of PATHS points to token 5, which does not exist");
  }
  EXPECT_EQ(define(2, 4), "usdc-children: the child 'B' of </> is missing");

  EXPECT_EQ(with_paths({}, 0), "usdc-paths: there cannot be 0 paths");
  EXPECT_EQ(with_paths({{0, 0, -2}}, 0xFFFFFFFF), "usdc-paths: there cannot be 4294967295 paths");
  EXPECT_EQ(with_paths({}, 1), "usdc-paths: 0 items cannot define 1 paths");
  EXPECT_EQ(with_paths({{0, 0, -1}, {1, 1, -2}}, 1), "usdc-paths: 2 items cannot define 1 paths");
}

TEST_F(WrongSections, OfPathsMayLeaveSomeUndefined) {
  const std::string file = three_prims(8);
  const auto read_of = [&](std::uint64_t path_count) {
    const std::string jumps = run_of({word_of(-1), 2, word_of(-2), word_of(-2)});
    return refusal(with_section(file, "PATHS",
                                bytes_of({path_count, std::uint64_t{4}}) + run_of({0, 1, 3, 2}) +
                                    run_of({0, 1, 3, 2}) + jumps));
  };
  EXPECT_EQ(read_of(5), "read");
  EXPECT_THAT(diagnostics_, testing::IsEmpty());
  for (const std::uint64_t undefined : {std::uint64_t{2}, std::uint64_t{65'536}}) {
    EXPECT_EQ(read_of(4 + undefined), "read");
    ASSERT_EQ(diagnostics_.size(), 1u);
    EXPECT_EQ(diagnostics_[0].code, "usdc-paths");
    EXPECT_EQ(diagnostics_[0].severity, Severity::warning);
    EXPECT_EQ(diagnostics_[0].message, "PATHS leaves " + std::to_string(undefined) + " of " +
                                           std::to_string(4 + undefined) + " paths undefined.");
  }
  EXPECT_EQ(read_of(4 + 65'537), "usdc-paths: 4 items cannot define 65541 paths");
}

TEST_F(WrongSections, OfPlainPathsLeadToATree) {  // usdc 6
  for (const unsigned minor : {0U, 3U}) {
    SCOPED_TRACE(minor);
    const std::string file = three_prims(minor);
    const std::uint64_t bytes = minor == 0 ? 16 : 12;
    struct Item {
      std::uint32_t path, token, bits;
      std::int64_t sibling;  // As an offset in the section, for those of bits 1 and 2.
    };
    const auto with_paths = [&](const std::vector<Item>& items, std::uint64_t path_count = 4) {
      std::string section = bytes_of({path_count});
      for (const Item& item : items) {
        if (minor == 0) append(section, std::uint32_t{7});
        section += bytes_of({item.path, item.token, item.bits});
        if ((item.bits & 3) != 3) continue;
        append(section, static_cast<std::int64_t>(file.size()) + item.sibling);
      }
      return refusal(with_section(file, "PATHS", section));
    };
    // The root, A, C and B: where each begins.
    const auto a = static_cast<std::int64_t>(8 + bytes);
    const auto c = a + static_cast<std::int64_t>(bytes + 8);
    const auto b = c + static_cast<std::int64_t>(bytes);
    const auto end = b + static_cast<std::int64_t>(bytes);
    const auto tree = [&](unsigned root, unsigned of_a, unsigned of_c, unsigned of_b,
                          std::int64_t sibling) {
      return with_paths(
          {{0, 0, root, end}, {1, 1, of_a, sibling}, {3, 3, of_c, end}, {2, 2, of_b, end}});
    };
    const auto no_tree = [](int item) {
      return "usdc-paths: item " + std::to_string(item) + " of PATHS does not lead to a tree";
    };
    EXPECT_EQ(tree(1, 3, 0, 0, b), "read");
    EXPECT_EQ(tree(3, 3, 0, 0, b), no_tree(0));
    EXPECT_EQ(tree(2, 3, 0, 0, b), no_tree(0));
    EXPECT_EQ(tree(1, 3, 0, 0, a), no_tree(1));
    EXPECT_EQ(tree(1, 3, 0, 0, end), no_tree(1));
    EXPECT_EQ(tree(1, 3, 0, 0, c), no_tree(2));
    EXPECT_EQ(tree(1, 3, 0, 0, end - 1), no_tree(2));
    EXPECT_EQ(tree(1, 3, 2, 0, b), no_tree(3)) << "B cannot be both beside C and beside A";
    EXPECT_EQ(tree(1, 3, 1, 0, b), no_tree(3)) << "nor below C";
    EXPECT_EQ(tree(1, 3, 0, 2, b), std::string("usdc-paths: ") + kCutShort);
    EXPECT_EQ(tree(1, 3, 0, 1, b), std::string("usdc-paths: ") + kCutShort);
    EXPECT_EQ(tree(0, 3, 0, 0, b), "usdc-children: the child 'A' of </> is missing");

    const auto define = [&](std::uint32_t path, std::uint32_t token, std::uint64_t count = 4) {
      return with_paths({{0, 0, 1, 0}, {1, 1, 3, b}, {3, 3, 0, 0}, {path, token, 0, 0}}, count);
    };
    EXPECT_EQ(define(2, 2), "read");
    EXPECT_EQ(define(4, 2), "usdc-paths: item 3 of PATHS defines path 4, which does not exist");
    EXPECT_EQ(define(1, 2), "usdc-paths: item 3 of PATHS defines path 1 again");
    EXPECT_EQ(define(2, 5), "usdc-paths: item 3 of PATHS points to token 5, which does not exist");
    EXPECT_EQ(define(2, 2, 5), "read") << "one path may be undefined";
    EXPECT_EQ(define(2, 2, 0), "usdc-paths: there cannot be 0 paths");
    EXPECT_EQ(define(2, 2, 7), std::string("usdc-paths: ") + kCutShort);
  }
}

// Every prim may be inside a variant: twice as many paths as prims, and eight.
TEST_F(WrongSections, OfPathsNestAsDeepAsPrimsMay) {
  options_.limits.prim_nesting = 3;
  for (const unsigned minor : {3U, 8U}) {
    for (const int depth : {14, 15}) {
      CrateBuilder crate(minor);
      std::uint32_t path = 0;
      for (int i = 0; i < depth; ++i) path = crate.path(path, "A");
      crate.spec(0, 7, {});
      EXPECT_EQ(
          refusal(crate.build()),
          depth == 14 ? "read" : "usdc-limit: paths nest deeper than the limit of 3 prims allows")
          << minor;
      if (depth == 15) {
        EXPECT_EQ(error_.code, ErrorCode::limit_exceeded);
      }
    }
    // Siblings do not add up.
    CrateBuilder crate(minor);
    for (int i = 0; i < 20; ++i) crate.path(crate.path(0, "A" + std::to_string(i)), "B");
    crate.spec(0, 7, {});
    EXPECT_EQ(refusal(crate.build()), "read") << minor;
  }
}

}  // namespace
}  // namespace sinew::usdc::damage_test
