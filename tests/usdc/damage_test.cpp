// SPDX-License-Identifier: Apache-2.0
// Whatever the bytes, reading ends in a layer or a diagnostic. Run under sanitizers this shows that
// it does so without touching memory it should not.
//
// SINEW_CRATE_MUTATIONS sets the number of random changes.
#include <cstdlib>
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

TEST_F(ReadCrate, RefusesFilesCutOffAnywhere) {
  for (const std::string& file : crates()) {
    for (std::size_t size = 0; size < file.size(); ++size) {
      ASSERT_EQ(read_layer(file.substr(0, size)), nullptr) << size;
      ASSERT_FALSE(diagnostics_.empty());
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
  }
  EXPECT_GT(layers, rounds / 40);
}

}  // namespace
}  // namespace sinew::usdc::damage_test
