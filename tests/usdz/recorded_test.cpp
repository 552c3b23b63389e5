// SPDX-License-Identifier: Apache-2.0
// A package, and each of its bytes wrong in two ways, or the last one: how often what is read and
// said of it, as recorded.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "sinew/usdz/package.hpp"
#include "sinew/usdz/writer.hpp"
#include "support/recorded.hpp"
#include "support/tally.hpp"

namespace sinew::usdz::recorded_test {
namespace {

std::string tell(std::string bytes, const OpenOptions& options) {
  Diagnostics diagnostics;
  const auto package = Package::open(Bytes(std::move(bytes)), "p.usdz", diagnostics, options);
  std::string told = package ? std::string() : "refused: " + package.error().message + "\n";
  if (package) {
    for (const Entry& entry : package->entries()) {
      const auto read = package->read(entry, diagnostics);
      if (!read) told += "not read: " + read.error().message + "\n";
      if (!entry.is_aligned()) told += "not aligned\n";
      if (read && crc32(read->span()) != entry.crc) told += "another checksum\n";
    }
    told += package->entries().size() == 3 ? "all files\n" : "other files\n";
  }
  return told + test::lines_of(diagnostics);
}

TEST(RecordedPackage, IsToldWhatIsWrongInEveryByte) {
  Diagnostics diagnostics;
  const std::vector<File> files = {{"root.usda", Bytes(std::string("#usda 1.0\n"))},
                                   {"maps/color.png", Bytes(std::string(70, 'x'))},
                                   {"part.usdc", Bytes(std::string("PXR-USDC"))}};
  const auto package = write(files, diagnostics);
  ASSERT_TRUE(package) << package.error().message;
  std::string all;
  for (const bool strict : {false, true}) {
    for (const Rules rules : {Rules::documented, Rules::openusd}) {
      OpenOptions options;
      options.strict = strict;
      options.rules = rules;
      all += fmt::format("== {}{}\n", rules == Rules::openusd ? "openusd" : "documented",
                         strict ? ", strict" : "");
      all += test::tally_of_damage(
          std::string(package->text()), {0x01, 0xFF},
          [&](std::string changed) { return tell(std::move(changed), options); });
    }
  }
  test::expect_recorded("faults.usdz.txt", all);
}

}  // namespace
}  // namespace sinew::usdz::recorded_test
