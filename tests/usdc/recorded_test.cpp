// SPDX-License-Identifier: Apache-2.0
// A crate with a value of every type, and each of its bytes wrong in two ways, or the last
// one: how often what is read and said of it, as recorded. tests/data/crate has its text.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "sinew/layer/compare.hpp"
#include "sinew/usda/parser.hpp"
#include "sinew/usdc/reader.hpp"
#include "support/folders.hpp"
#include "support/recorded.hpp"
#include "support/tally.hpp"

namespace sinew::usdc::recorded_test {
namespace {

std::string crate_file() {
  return test::data_folder() + "/crate/everything.usdc";
}

std::string tell(std::string bytes, const layer::Layer& whole) {
  Diagnostics diagnostics;
  const auto layer = read(Bytes(std::move(bytes)), "a.usdc", diagnostics);
  std::string told = layer ? std::string() : "refused: " + layer.error().message + "\n";
  if (layer) {
    for (const layer::Difference& d : layer::differences(whole, **layer)) {
      told += fmt::format("differs in {} of <{}>\n", d.field, d.path);
    }
  }
  if (told.empty()) told = "read as if nothing were wrong\n";
  return told + test::lines_of(diagnostics);
}

TEST(RecordedCrate, EqualsItsText) {
  Diagnostics diagnostics;
  const auto crate = read_file(crate_file(), diagnostics);
  ASSERT_TRUE(crate) << crate.error().message;
  usda::ParseOptions options;
  options.rules = Rules::openusd;  // Tells of no unknown fields.
  const auto text =
      usda::parse_file(test::data_folder() + "/crate/everything.usda", diagnostics, options);
  ASSERT_TRUE(text) << text.error().message;
  EXPECT_TRUE(diagnostics.empty());
  const auto differences = layer::differences(**text, **crate);
  ASSERT_EQ(differences.size(), 1U);  // A path as a default has no place in a crate.
  EXPECT_EQ(differences[0].path, "/A.u");
}

TEST(RecordedCrate, IsToldWhatIsWrongInEveryByte) {
  const auto bytes = sinew::read_file(crate_file());
  ASSERT_TRUE(bytes) << bytes.error().message;
  const std::string good(bytes->text());
  Diagnostics diagnostics;
  const auto whole = read(Bytes(good), "a.usdc", diagnostics);
  ASSERT_TRUE(whole);
  const std::string all = test::tally_of_damage(
      good, {0x01, 0xFF}, [&](std::string changed) { return tell(std::move(changed), **whole); });
  test::expect_recorded("faults.usdc.txt", all);
}

}  // namespace
}  // namespace sinew::usdc::recorded_test
