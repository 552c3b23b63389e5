// SPDX-License-Identifier: Apache-2.0
// docs/coverage.md says which test proves each capability. Those tests must exist: each is looked
// up in the sources of the tests, so that a test cannot be renamed or removed without the table.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/folders.hpp"

namespace sinew::coverage_test {
namespace {

namespace fs = std::filesystem;

const fs::path kTests = fs::path(test::data_folder()).parent_path();

std::string contents(const fs::path& file) {
  std::ifstream stream(file);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

// Of every test that there is: "Suite" and "Suite.Name". Of cases of parameterised tests, which
// are quoted strings in the sources: "Name".
struct KnownTests {
  std::set<std::string> names;
  std::set<std::string> strings;
};

KnownTests known_tests() {
  KnownTests known;
  const std::regex gtest(R"(TEST(?:_F|_P)?\(\s*(\w+),\s*(\w+)\))");
  const std::regex command(R"(sinew_run\((\w+)\.(\w+))");
  const std::regex quoted(R"re("(\w+)")re");
  const std::sregex_iterator end;
  for (const auto& entry : fs::recursive_directory_iterator(kTests)) {
    const bool is_source = entry.path().extension() == ".cpp";
    if (!is_source && entry.path().filename() != "CMakeLists.txt") continue;
    const std::string text = contents(entry.path());
    for (std::sregex_iterator it(text.begin(), text.end(), is_source ? gtest : command); it != end;
         ++it) {
      known.names.insert((*it)[1]);
      known.names.insert((*it)[1].str() + "." + (*it)[2].str());
    }
    for (std::sregex_iterator it(text.begin(), text.end(), quoted); it != end; ++it) {
      known.strings.insert((*it)[1]);
    }
  }
  return known;
}

// The last cell of every row that is no heading or ruler.
struct Row {
  std::string line;
  std::string proof;
};

std::vector<Row> coverage_rows() {
  std::vector<Row> rows;
  std::ifstream stream(kTests.parent_path() / "docs" / "coverage.md");
  for (std::string line; std::getline(stream, line);) {
    if (!line.starts_with("| ") || !line.ends_with(" |")) continue;
    const std::string row = line.substr(0, line.size() - 2);
    const std::string proof = row.substr(row.rfind("| ") + 2);
    if (proof == "---" || proof == "proved by") continue;
    rows.push_back({line, proof});
  }
  return rows;
}

TEST(Coverage, NamesTestsThatExist) {
  const KnownTests known = known_tests();
  ASSERT_GT(known.names.size(), 500U);
  const std::regex reference(R"((\w+)\.(\w+|\*)(?:/(\w+))?)");
  std::size_t references = 0;
  for (const Row& row : coverage_rows()) {
    const std::sregex_iterator end;
    for (std::sregex_iterator it(row.proof.begin(), row.proof.end(), reference); it != end; ++it) {
      const std::string suite = (*it)[1];
      const std::string name = (*it)[2];
      const std::string parameter = (*it)[3];
      EXPECT_TRUE(known.names.contains(name == "*" ? suite : suite + "." + name)) << row.line;
      EXPECT_TRUE(parameter.empty() || known.strings.contains(parameter)) << row.line;
      ++references;
    }
  }
  EXPECT_GT(references, 200U);
}

TEST(Coverage, ProvesEveryRowOrSaysWhyNot) {
  const std::regex proof(R"(-|.*\w\.(\w+|\*).*|.*Conformance.*)");
  for (const Row& row : coverage_rows()) {
    EXPECT_TRUE(std::regex_match(row.proof, proof)) << row.line;
  }
}

TEST(Coverage, ListsEveryCapabilityOfUsdSkel) {
  int expected = 1;
  for (const Row& row : coverage_rows()) {
    int number = 0;
    if (std::sscanf(row.line.c_str(), "| F%d |", &number) != 1) continue;
    EXPECT_EQ(number, expected) << row.line;
    ++expected;
  }
  EXPECT_EQ(expected - 1, 176);
}

}  // namespace
}  // namespace sinew::coverage_test
