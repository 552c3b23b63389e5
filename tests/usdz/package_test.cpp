// SPDX-License-Identifier: Apache-2.0
#include "sinew/usdz/package.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sinew/usdz/check_package.hpp"
#include "usdz/zip_builder.hpp"

namespace sinew::usdz::package_test {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Lies = ZipBuilder::Lies;

std::vector<std::string> codes_of(const Diagnostics& diagnostics) {
  std::vector<std::string> codes;
  for (const Diagnostic& diagnostic : diagnostics) codes.push_back(diagnostic.code);
  return codes;
}

struct Opened {
  Result<Package> package = Error{};
  Diagnostics diagnostics;
  std::vector<std::string> codes() const { return codes_of(diagnostics); }
};

Opened open(const std::string& bytes, const OpenOptions& options = {}) {
  Opened opened;
  opened.package = Package::open(Bytes(bytes), "p.usdz", opened.diagnostics, options);
  return opened;
}

OpenOptions by_openusd() {
  OpenOptions options;
  options.rules = Rules::openusd;
  return options;
}
OpenOptions strict() {
  OpenOptions options;
  options.strict = true;
  return options;
}

TEST(Crc32, IsThatOfZipArchives) {
  EXPECT_EQ(crc32(std::as_bytes(std::span(std::string_view("123456789")))), 0xCBF43926U);
  EXPECT_EQ(crc32({}), 0U);
}

TEST(Package, FindsFilesByName) {
  Opened p = open(
      ZipBuilder().add("root.usda", "#usda 1.0\n").add("d/", "").add("d/t.png", "image").end());
  ASSERT_TRUE(p.package);
  EXPECT_THAT(p.codes(), IsEmpty());
  ASSERT_EQ(p.package->entries().size(), 2U);
  EXPECT_EQ(p.package->entries()[0].offset, 64U);
  const Entry* image = p.package->find("d/t.png");
  ASSERT_NE(image, nullptr);
  EXPECT_EQ(p.package->read(*image, p.diagnostics)->text(), "image");
  EXPECT_EQ(p.package->find("D/t.png"), nullptr);
  EXPECT_EQ(p.package->find("t.png"), nullptr);
}

TEST(Package, SharesItsBytesWithWhatIsRead) {
  const Bytes bytes(ZipBuilder().add("root.usda", "#usda 1.0\n").end());
  Diagnostics diagnostics;
  const auto package = Package::open(bytes, "p.usdz", diagnostics);
  ASSERT_TRUE(package);
  EXPECT_EQ(package->read("root.usda", diagnostics)->data(), bytes.data() + 64);
}

TEST(Package, NamesFilesThatAreAlikeWhenOneIsMissing) {
  Opened p = open(ZipBuilder().add("a/x.usda", "").add("b/x.usda", "").end());
  ASSERT_TRUE(p.package);
  const auto missing = p.package->read("c/x.usda", p.diagnostics);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::not_found);
  EXPECT_THAT(missing.error().message, HasSubstr("there is 'a/x.usda', 'b/x.usda'"));
}

TEST(Package, NamesTheFirstThreeThatAreAlike) {
  ZipBuilder zip;
  for (const char* folder : {"d/", "", "b/", "a/"}) zip.add(std::string(folder) + "x.usda", "");
  Opened p = open(zip.add("y.usda", "").end());
  EXPECT_THAT(p.package->read("c/x.usda", p.diagnostics).error().message,
              HasSubstr("there is 'd/x.usda', 'x.usda', 'b/x.usda'."));
}

TEST(Package, ReadsPackagesInPackages) {
  const std::string inner = ZipBuilder().add("in.usda", "inner layer").add("x[1].png", "x").end();
  Opened p = open(ZipBuilder().add("sub/inner.usdz", inner).add("other.usda", "").end());
  ASSERT_TRUE(p.package);
  EXPECT_EQ(p.package->read("sub/inner.usdz[in.usda]", p.diagnostics)->text(), "inner layer");
  EXPECT_EQ(p.package->read("sub/inner.usdz[x\\[1\\].png]", p.diagnostics)->text(), "x");
  EXPECT_EQ(*p.package->default_layer(p.diagnostics), "sub/inner.usdz[in.usda]");
}

TEST(Package, EndsAtTheLimitOfNesting) {
  std::string bytes = ZipBuilder().add("a.usda", "").end();
  for (int i = 0; i < 15; ++i) bytes = ZipBuilder().add("p.usdz", bytes).end();
  Opened good = open(bytes);
  EXPECT_TRUE(good.package->default_layer(good.diagnostics));
  for (int i = 0; i < 5; ++i) bytes = ZipBuilder().add("p.usdz", bytes).end();
  Opened deep = open(bytes);
  ASSERT_TRUE(deep.package);
  const auto layer = deep.package->default_layer(deep.diagnostics);
  ASSERT_FALSE(layer);
  EXPECT_EQ(layer.error().code, ErrorCode::limit_exceeded);
  EXPECT_THAT(deep.codes(), Contains("usdz-nesting"));
}

TEST(Package, RefusesWhatIsNoPackage) {
  const std::string good = ZipBuilder().add("a.usda", "text").end();
  Lies name;
  name.name_size = 65535;
  Lies extra;
  extra.extra_size = 65535;
  Lies size;
  size.size = 1U << 30;
  for (const std::string& bytes :
       {std::string(), std::string(21, '\0'), good.substr(0, 29), "x" + good, ZipBuilder().end(),
        ZipBuilder().add("a.usda", "text", name).end(),
        ZipBuilder().add("a.usda", "text", extra).end(),
        ZipBuilder().add("a.usda", "text", size).end()}) {
    const Opened p = open(bytes);
    EXPECT_FALSE(p.package);
    EXPECT_THAT(p.codes(), ElementsAre("usdz-not-a-package"));
  }
}

TEST(Package, ReadsWhatIsLeftOfOneThatWasCutOff) {
  const std::string bytes = ZipBuilder().add("a.usda", "text").add("b.usda", "more").end();
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const Opened p = open(bytes.substr(0, size));
    if (size < 68) {
      EXPECT_FALSE(p.package) << size;
    } else {
      ASSERT_TRUE(p.package) << size;
      EXPECT_EQ(p.package->entries().size(), size < 132 ? 1U : 2U) << size;
      EXPECT_THAT(p.codes(), Contains("usdz-directory")) << size;
    }
  }
}

TEST(Package, SaysWhereItIsCutShort) {
  const std::string whole = ZipBuilder().add("a.usda", "0123456789").add("t.png", "image").end();
  const auto message = [&](std::size_t size) {
    const Opened p = open(whole.substr(0, size));
    return p.diagnostics.empty() ? std::string() : p.diagnostics[0].message;
  };
  const std::string short_ = "The package is cut short: ";
  EXPECT_EQ(message(2), "This is not a .usdz package: no entry begins at its start.");
  EXPECT_EQ(message(20), short_ + "it ends within the header of an entry, at byte 0.");
  EXPECT_EQ(message(50), short_ + "it ends within the header of an entry, at byte 0.");
  EXPECT_EQ(message(70), short_ + "'a.usda' has 10 bytes, of which 6 are there.");
  EXPECT_EQ(message(90), short_ + "it ends within the header of an entry, at byte 74.");
  EXPECT_EQ(message(130), short_ + "'t.png' has 5 bytes, of which 2 are there.");
  EXPECT_EQ(message(whole.size() - 1),
            "There is no list of entries at its end, which may have been cut off.");
  EXPECT_EQ(message(whole.size()), "");
}

TEST(Package, TellsWhereItsListIsAnother) {  // usdz 3.1
  Lies renamed;
  renamed.central_name = "evil.usda";
  Lies unlisted;
  unlisted.is_listed = false;
  Lies moved;
  moved.header = 10;
  Lies smaller;
  smaller.central_size = 1;
  Lies gap;
  gap.behind = "gap";
  for (const Lies& lies : {renamed, unlisted, moved, smaller, gap}) {
    const std::string bytes = ZipBuilder().add("a.usda", "text", lies).add("b.usda", "more").end();
    const Opened p = open(bytes);
    ASSERT_TRUE(p.package);
    EXPECT_EQ(p.package->entries()[0].name, "a.usda");
    EXPECT_THAT(p.codes(), ElementsAre("usdz-directory"));
    const Opened quiet = open(bytes, by_openusd());
    EXPECT_TRUE(quiet.package);
    EXPECT_THAT(quiet.codes(), IsEmpty());
    EXPECT_FALSE(open(bytes, strict()).package);
  }
}

TEST(Package, TakesTheOrderOfEntriesNotOfTheList) {
  EXPECT_THAT(
      open(ZipBuilder().add("b.usda", "1").add("a.usda", "2").end()).package->entries()[0].name,
      "b.usda");
}

TEST(Package, IsNotFooledByAnEndInsideAComment) {
  std::string record = "PK\5\6";
  record.append(18, '\0');
  const Opened p = open(ZipBuilder().add("a.usda", "text").end(record + "!"));
  ASSERT_TRUE(p.package);
  EXPECT_THAT(p.codes(), IsEmpty());
}

TEST(Package, FindsItsEndBehindTheLongestComment) {
  const ZipBuilder zip = ZipBuilder().add("a.usda", "text");
  EXPECT_THAT(open(zip.end(std::string(65535, 'c'))).codes(), IsEmpty());
  EXPECT_THAT(open(zip.end(std::string(65535, 'c')) + "c").codes(), ElementsAre("usdz-directory"));
}

// Of 46 bytes and the name each, with a comment where `at` says so.
TEST(Package, TellsOfAListThatEndsWithinAnEntry) {
  const std::string good = ZipBuilder().add("a.usda", "text").add("b.usda", "more").end();
  const std::size_t list = good.size() - 22 - 2 * 52;
  struct Case {
    std::size_t at;
    int value;
    bool is_damaged;
  };
  // Lengths of the name, of the extra field and of the comment: 52 bytes behind are the other one.
  const Case cases[] = {{28, 5, true},      {28, 58, true},     {28, 59, true},     {30, 52, true},
                        {32, 52, true},     {32, 53, true},     {32, 6, true},      {32, 7, true},
                        {52 + 28, 7, true}, {52 + 30, 1, true}, {52 + 32, 1, true}, {0, 'Q', true},
                        {4, 1, false}};
  for (const Case& each : cases) {
    std::string bytes = good;
    bytes[list + each.at] = static_cast<char>(each.value);
    const Opened p = open(bytes);
    ASSERT_TRUE(p.package) << each.at;
    EXPECT_EQ(p.package->entries().size(), 2U);
    if (!each.is_damaged) {
      EXPECT_THAT(p.codes(), IsEmpty());
      continue;
    }
    ASSERT_THAT(p.codes(), ElementsAre("usdz-directory")) << each.at;
    EXPECT_EQ(p.diagnostics[0].message, "The list of entries at its end is damaged.")
        << each.at << ' ' << each.value;
  }
}

TEST(Package, TellsOfAListThatIsShorterThanItsEntries) {
  const std::string good = ZipBuilder().add("a.usda", "text").add("b.usda", "more").end();
  for (int size = 92; size < 104; ++size) {
    std::string bytes = good;
    bytes[good.size() - 10] = static_cast<char>(size);
    const Opened p = open(bytes);
    ASSERT_THAT(p.codes(), ElementsAre("usdz-directory")) << size;
    EXPECT_EQ(p.diagnostics[0].message, "The list of entries at its end is damaged.") << size;
  }
  // Each of the three fits by itself, but not all of them.
  std::string bytes = good;
  const std::size_t last = good.size() - 22 - 52;
  bytes[last + 28] = 3;
  bytes[last + 30] = 2;
  bytes[last + 32] = 2;
  const Opened p = open(bytes);
  ASSERT_THAT(p.codes(), ElementsAre("usdz-directory"));
  EXPECT_EQ(p.diagnostics[0].message, "The list of entries at its end is damaged.");
}

TEST(Package, TellsOfAnEndThatIsDamaged) {
  const std::string good = ZipBuilder().add("a.usda", "text").add("b.usda", "more").end();
  const std::size_t end = good.size() - 22;
  // The disk, that of the list, entries here, entries, the size of the list, where it begins.
  for (const std::size_t at : {4U, 6U, 8U, 10U, 12U, 16U}) {
    std::string bytes = good;
    bytes[end + at] = static_cast<char>(bytes[end + at] + 1);
    const Opened p = open(bytes);
    ASSERT_TRUE(p.package) << at;
    EXPECT_EQ(p.package->entries().size(), 2U);
    ASSERT_THAT(p.codes(), ElementsAre("usdz-directory")) << at;
    EXPECT_EQ(p.diagnostics[0].message, "The record at its end is damaged.") << at;
    EXPECT_FALSE(open(bytes, strict()).package) << at;
    EXPECT_THAT(open(bytes, by_openusd()).codes(), IsEmpty());
  }
}

TEST(Package, FindsSizesThatStandBehindTheData) {
  Lies lies;
  lies.flags = 8;
  lies.size = 0;
  lies.plain_size = 4;
  lies.behind = std::string("PK\7\10") + std::string(12, '\0');
  const std::string bytes = ZipBuilder().add("a.usda", "text", lies).add("b.usda", "more").end();
  Opened p = open(bytes);
  ASSERT_TRUE(p.package);
  EXPECT_EQ(p.package->read("a.usda", p.diagnostics)->text(), "text");
  EXPECT_EQ(p.package->read("b.usda", p.diagnostics)->text(), "more");
  EXPECT_THAT(p.codes(), Contains("usdz-directory"));
}

// Twelve bytes without a signature are a descriptor only in front of what may follow an entry.
TEST(Package, FindsSizesBehindTheDataWithoutASignature) {
  Lies lies;
  lies.flags = 8;
  lies.size = 0;
  lies.plain_size = 4;
  lies.behind = std::string(12, '\0');
  const auto text = [](Opened& p, const char* name) {
    return std::string(p.package->read(name, p.diagnostics).value_or({}).text());
  };
  Opened two = open(ZipBuilder().add("a.usda", "text", lies).add("b.usda", "more").end());
  ASSERT_TRUE(two.package);
  ASSERT_EQ(two.package->entries().size(), 2U);
  EXPECT_EQ(text(two, "a.usda"), "text");
  EXPECT_EQ(text(two, "b.usda"), "more");
  Opened one = open(ZipBuilder().add("a.usda", "text", lies).end());
  ASSERT_TRUE(one.package);
  EXPECT_EQ(text(one, "a.usda"), "text");
  EXPECT_THAT(one.codes(), ElementsAre("usdz-directory"));
  EXPECT_EQ(one.diagnostics[0].message, two.diagnostics[0].message);
  for (const std::size_t size : {0U, 11U, 13U}) {
    lies.behind = std::string(size, '\0');
    Opened other = open(ZipBuilder().add("a.usda", "text", lies).add("b.usda", "more").end());
    ASSERT_TRUE(other.package) << size;
    EXPECT_EQ(text(other, "a.usda"), "text") << size;
    EXPECT_EQ(other.package->entries().size(), size == 0 ? 2U : 1U) << size;
  }
}

TEST(Package, BelievesTheListOfSizesOnlyAboutTheSameEntry) {
  Lies lies;
  lies.flags = 8;
  lies.size = 0;
  lies.plain_size = 0;
  lies.central_size = 4;
  for (const bool has_other_name : {true, false}) {
    if (has_other_name) {
      lies.central_name = "c.usda";
    } else {
      lies.central_name.clear();
      lies.header = 1;
    }
    Opened p = open(ZipBuilder().add("a.usda", "text", lies).add("b.usda", "more").end());
    ASSERT_TRUE(p.package);
    ASSERT_EQ(p.package->entries().size(), 1U);
    EXPECT_EQ(p.package->entries()[0].size, 0U);
    EXPECT_THAT(p.codes(), Contains("usdz-directory"));
  }
}

TEST(Package, RefusesZip64) {
  Lies lies;
  lies.size = 0xFFFFFFFF;
  lies.plain_size = 0xFFFFFFFF;
  lies.extra = std::string("\1\0\20\0", 4) + std::string(16, '\0');
  const Opened p = open(ZipBuilder().add("a.usda", "text", lies).end());
  ASSERT_FALSE(p.package);
  EXPECT_EQ(p.package.error().code, ErrorCode::unsupported);
  EXPECT_THAT(p.codes(), ElementsAre("usdz-zip64"));
}

TEST(Package, RefusesZip64ByItsEndToo) {
  const std::string good = ZipBuilder().add("a.usda", "text").end();
  for (const std::size_t at : {10U, 6U}) {  // From the end: the size of the list, where it begins.
    std::string bytes = good;
    bytes.replace(bytes.size() - at, 4, "\xFF\xFF\xFF\xFF");
    const Opened p = open(bytes);
    ASSERT_FALSE(p.package);
    EXPECT_EQ(p.package.error().code, ErrorCode::unsupported);
    EXPECT_THAT(p.codes(), ElementsAre("usdz-zip64"));
    EXPECT_TRUE(open(bytes, by_openusd()).package);
  }
}

TEST(Package, FindsZip64AmongBlocksOfTheExtraField) {
  const std::string zip64("\1\0\0\0", 4), other("\2\0\3\0abc", 7), none("\2\0\4\0abc", 7);
  const auto code = [](const std::string& extra, std::uint32_t size = 0xFFFFFFFF,
                       std::uint32_t plain_size = 0xFFFFFFFF) {
    Lies lies;
    lies.extra = extra;
    lies.size = size;
    lies.plain_size = plain_size;
    const Opened p = open(ZipBuilder().add("a.usda", "text", lies).end(), by_openusd());
    EXPECT_FALSE(p.package);
    return p.codes().at(0);
  };
  EXPECT_EQ(code(zip64), "usdz-zip64");
  EXPECT_EQ(code(zip64, 0xFFFFFFFF, 4), "usdz-zip64");
  EXPECT_EQ(code(zip64, 4, 0xFFFFFFFF), "usdz-zip64");
  EXPECT_EQ(code(other + zip64), "usdz-zip64");
  EXPECT_EQ(code(other + other + zip64), "usdz-zip64");
  EXPECT_EQ(code(none + zip64), "usdz-not-a-package");
  EXPECT_EQ(code(other), "usdz-not-a-package");
  EXPECT_EQ(code(other + zip64.substr(0, 3)), "usdz-not-a-package");
  EXPECT_EQ(code(none), "usdz-not-a-package");
}

// A list that claims all bytes up to the end, its own among them.
TEST(Package, IsNotLedPastItsEndBySizesBehindTheData) {
  Lies lies;
  lies.flags = 8;
  lies.size = 0;
  lies.plain_size = 0;
  const std::size_t size = ZipBuilder().add("a.usda", "text", lies).end().size();
  for (std::uint32_t left = 0; left < 20; ++left) {
    lies.central_size = static_cast<std::uint32_t>(size - 64) - left;
    lies.plain_size = lies.central_size;
    const Opened p = open(ZipBuilder().add("a.usda", "text", lies).end());
    ASSERT_TRUE(p.package);
    ASSERT_EQ(p.package->entries().size(), 1U);
    EXPECT_EQ(p.package->entries()[0].size, *lies.central_size);
    EXPECT_THAT(p.codes(), Contains("usdz-directory"));
  }
}

TEST(Package, BelievesHeadersAloneUnderOpenUsdRules) {
  Lies lies;
  lies.flags = 8;
  lies.size = 0;
  lies.plain_size = 4;
  lies.behind = std::string("PK\7\10") + std::string(12, '\0');
  const std::string bytes = ZipBuilder().add("a.usda", "text", lies).add("b.usda", "more").end();
  const Opened p = open(bytes, by_openusd());
  ASSERT_TRUE(p.package);
  ASSERT_EQ(p.package->entries().size(), 1U);
  EXPECT_EQ(p.package->entries()[0].size, 0U);
}

TEST(Package, HoldsAsManyEntriesAsCanBeCounted) {  // usdz 1.4
  constexpr std::size_t kMost = 65535;
  Lies bare;
  bare.is_aligned = false;
  ZipBuilder zip;
  zip.add("a.usda", "");
  for (std::size_t i = 1; i < kMost; ++i) zip.add(std::to_string(i), "", bare);
  const Opened p = open(zip.end());
  ASSERT_TRUE(p.package) << p.package.error().message;
  EXPECT_EQ(p.package->entries().size(), kMost);
  EXPECT_THAT(p.codes(), ElementsAre("usdz-alignment"));
}

TEST(Package, RefusesALocatorOfZip64) {
  const std::string zip = ZipBuilder().add("a.usda", "").end();
  const std::size_t end = zip.size() - 22;
  const std::string locator = std::string("PK\6\7", 4) + std::string(16, '\0');
  const Opened p = open(zip.substr(0, end) + locator + zip.substr(end));
  ASSERT_FALSE(p.package);
  EXPECT_THAT(p.codes(), ElementsAre("usdz-zip64"));
}

TEST(Package, LeavesOutOnlyEntriesThatArePacked) {
  Lies deflated;
  deflated.method = 8;
  Lies encrypted;
  encrypted.flags = 1;
  Opened p = open(ZipBuilder()
                      .add("a.usda", "text")
                      .add("b.usda", "x", deflated)
                      .add("c.usda", "x", encrypted)
                      .end());
  ASSERT_TRUE(p.package);
  EXPECT_TRUE(p.package->read("a.usda", p.diagnostics));
  EXPECT_EQ(p.package->read("b.usda", p.diagnostics).error().code, ErrorCode::unsupported);
  EXPECT_EQ(p.package->read("c.usda", p.diagnostics).error().code, ErrorCode::unsupported);
  EXPECT_THAT(p.codes(), ElementsAre("usdz-compressed", "usdz-encrypted"));
}

TEST(Package, TellsOfWrongChecksums) {
  Lies lies;
  lies.crc = 1;
  const std::string bytes = ZipBuilder().add("a.usda", "text", lies).end();
  Opened p = open(bytes);
  EXPECT_TRUE(p.package->read("a.usda", p.diagnostics));
  EXPECT_THAT(p.codes(), ElementsAre("usdz-crc"));
  Opened refused = open(bytes, strict());
  EXPECT_FALSE(refused.package->read("a.usda", refused.diagnostics));
}

TEST(Package, TakesTheFirstOfEqualNames) {
  Opened p = open(ZipBuilder().add("a.usda", "first").add("a.usda", "second").end());
  ASSERT_TRUE(p.package);
  EXPECT_EQ(p.package->read("a.usda", p.diagnostics)->text(), "first");
  EXPECT_THAT(p.codes(), ElementsAre("usdz-duplicate"));
}

TEST(Package, ReadsWhatIsNotAligned) {
  Lies lies;
  lies.is_aligned = false;
  Opened p = open(ZipBuilder().add("a.usda", "text", lies).end());
  ASSERT_TRUE(p.package);
  EXPECT_EQ(p.package->read("a.usda", p.diagnostics)->text(), "text");
  EXPECT_THAT(p.codes(), ElementsAre("usdz-alignment"));
}

TEST(Package, HasADefaultLayerOnlyIfTheFirstFileIsOne) {
  for (const char* name : {"a.png", "readme.txt", "root", "usda"}) {
    Opened p = open(ZipBuilder().add(name, "x").add("root.usda", "").end());
    ASSERT_TRUE(p.package);
    EXPECT_FALSE(p.package->default_layer(p.diagnostics));
    EXPECT_THAT(p.codes(), ElementsAre("usdz-no-default-layer")) << name;
  }
  Opened p = open(ZipBuilder().add("ROOT.USDC", "").end());
  EXPECT_EQ(*p.package->default_layer(p.diagnostics), "ROOT.USDC");
}

TEST(CheckPackage, WarnsOfKindsOfFilesThatPackagesAreNotMeantToHold) {  // usdz 11
  const std::string inner = ZipBuilder().add("in.usda", "").add("in.txt", "").end();
  Opened p = open(
      ZipBuilder().add("a.usda", "").add("b.PNG", "").add("c.mtlx", "").add("d.usdz", inner).end());
  check_package(*p.package, p.diagnostics);
  ASSERT_THAT(p.codes(), ElementsAre("usdz-extension", "usdz-extension"));
  EXPECT_THAT(p.diagnostics[0].message, HasSubstr("'c.mtlx'"));
  EXPECT_EQ(p.diagnostics[1].file, "p.usdz[d.usdz]");
}

// What cannot be opened is told when it is read.
TEST(CheckPackage, LooksIntoPackagesThatCanBeOpened) {
  const std::string inner =
      ZipBuilder().add("in.usda", "").add("deep.usdz", ZipBuilder().add("x.txt", "").end()).end();
  Lies deflated;
  deflated.method = 8;
  Opened p = open(ZipBuilder()
                      .add("a.usda", "")
                      .add("broken.usdz", "no package")
                      .add("packed.usdz", inner, deflated)
                      .add("good.usdz", inner)
                      .end());
  check_package(*p.package, p.diagnostics);
  ASSERT_THAT(p.codes(), ElementsAre("usdz-extension"));
  EXPECT_EQ(p.diagnostics[0].file, "p.usdz[good.usdz[deep.usdz]]");
}

TEST(CheckPackage, EndsAtTheLimitOfNesting) {
  const auto found = [](int levels) {
    std::string bytes = ZipBuilder().add("x.txt", "").end();
    for (int i = 1; i < levels; ++i) bytes = ZipBuilder().add("p.usdz", bytes).end();
    Opened p = open(bytes);
    check_package(*p.package, p.diagnostics);
    return p.codes().size();
  };
  EXPECT_EQ(found(1), 1U);
  EXPECT_EQ(found(static_cast<int>(Package::kMaxNesting)), 1U);
  EXPECT_EQ(found(static_cast<int>(Package::kMaxNesting) + 1), 0U);
}

TEST(Package, OfFoldersAloneHasNoDefaultLayer) {
  Opened p = open(ZipBuilder().add("d/", "").end());
  ASSERT_TRUE(p.package);
  const auto layer = p.package->default_layer(p.diagnostics);
  ASSERT_FALSE(layer);
  EXPECT_EQ(layer.error().code, ErrorCode::unsupported);
  EXPECT_EQ(layer.error().message, "the first file of the package, '', is not a layer.");
}

TEST(Package, ShowsNamesWithoutControlCharacters) {
  const std::string name = "a\n\033[31m" + std::string(1000, 'x') + ".usda";
  Lies lies;
  lies.method = 8;
  Opened p = open(ZipBuilder().add(name, "x", lies).end());
  ASSERT_TRUE(p.package);
  EXPECT_FALSE(p.package->read(p.package->entries()[0], p.diagnostics));
  EXPECT_LT(p.diagnostics[0].message.size(), 300U);
  EXPECT_EQ(p.diagnostics[0].message.find('\n'), std::string::npos);
  EXPECT_EQ(p.diagnostics[0].message.find('\033'), std::string::npos);
}

TEST(Package, NamesThePackageInsideThatIsMissing) {
  Opened p = open(ZipBuilder().add("a.usda", "").end());
  ASSERT_TRUE(p.package);
  const auto missing = p.package->read("none.usdz[a.usda]", p.diagnostics);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::not_found);
  EXPECT_EQ(missing.error().message, "there is no 'none.usdz' in the package 'p.usdz'.");
}

}  // namespace
}  // namespace sinew::usdz::package_test
