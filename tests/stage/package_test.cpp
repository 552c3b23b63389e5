// SPDX-License-Identifier: Apache-2.0
// Layers and other files inside .usdz packages.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "sinew/stage/package_resolver.hpp"
#include "sinew/stage/stage.hpp"
#include "sinew/usdz/writer.hpp"

namespace sinew::stage::package_test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

// A layer whose prim tells where it is from.
std::string leaf(const std::string& from) {
  return "#usda 1.0\n(defaultPrim = \"Root\")\ndef \"Root\" {\n  string from = \"" + from +
         "\"\n}\n";
}

std::string refer(const std::string& asset) {
  return "#usda 1.0\n(defaultPrim = \"Root\")\ndef \"Root\" (references = @" + asset + "@) { }\n";
}

std::string package(const std::vector<std::pair<std::string, std::string>>& contents) {
  std::vector<usdz::File> files;
  for (const auto& [name, text] : contents) files.push_back({name, Bytes(text)});
  Diagnostics diagnostics;
  const auto bytes = usdz::write(files, diagnostics);
  EXPECT_TRUE(bytes);
  return std::string(bytes->text());
}

// What the root prim of `file` says where it is from; empty if nothing.
std::string origin(MemoryResolver& files, const std::string& file, Diagnostics& diagnostics,
                   bool closed = false) {
  OpenOptions options;
  options.resolver = &files;
  options.closed_packages = closed;
  const auto stage = Stage::open(file, diagnostics, options);
  EXPECT_TRUE(stage) << (stage ? "" : stage.error().message);
  if (!stage) return {};
  const Attribute from = (*stage)->prim("/Root").attribute("from");
  return from ? std::string(from.get_text().value_or("")) : std::string();
}

std::string origin(MemoryResolver& files, const std::string& file) {
  Diagnostics diagnostics;
  std::string result = origin(files, file, diagnostics);
  EXPECT_THAT(diagnostics, IsEmpty());
  return result;
}

TEST(PackageStage, OpensTheFirstFile) {  // usdz 4
  MemoryResolver files;
  files.add("p.usdz", package({{"b.usda", leaf("b")}, {"a.usda", leaf("a")}}));
  EXPECT_EQ(origin(files, "p.usdz"), "b");
  EXPECT_EQ(origin(files, "p.usdz[a.usda]"), "a");
}

TEST(PackageStage, OpensThePackageInsideAPackage) {
  MemoryResolver files;
  const std::string inner =
      package({{"in.usda", refer("./side.usda")}, {"side.usda", leaf("side")}});
  files.add("p.usdz", package({{"inner.usdz", inner}}));
  EXPECT_EQ(origin(files, "p.usdz"), "side");
  EXPECT_EQ(origin(files, "p.usdz[inner.usdz[side.usda]]"), "side");
}

TEST(PackageStage, IsReferredToFromOutside) {
  MemoryResolver files;
  files.add("d/p.usdz", package({{"root.usda", leaf("root")}, {"x/y.usda", leaf("y")}}));
  files.add("whole.usda", refer("./d/p.usdz"));
  files.add("part.usda", refer("d/p.usdz[x/y.usda]"));
  EXPECT_EQ(origin(files, "whole.usda"), "root");
  EXPECT_EQ(origin(files, "part.usda"), "y");
}

TEST(PackageStage, KeepsAnchoredPathsInside) {  // usdz 6
  MemoryResolver files;
  files.add("up.usda", leaf("outside"));
  files.add("p.usdz", package({{"a/root.usda", refer("../b/part.usda")},
                               {"b/part.usda", leaf("part")},
                               {"escape.usda", refer("../up.usda")},
                               {"beside.usda", refer("./up.usda")}}));
  EXPECT_EQ(origin(files, "p.usdz"), "part");
  Diagnostics diagnostics;
  EXPECT_EQ(origin(files, "p.usdz[escape.usda]", diagnostics), "");
  EXPECT_EQ(origin(files, "p.usdz[beside.usda]", diagnostics), "");
  EXPECT_EQ(diagnostics.size(), 2U);
}

TEST(PackageStage, SearchesBesideTheLayerThenBesideTheFirstFileThenOutside) {
  MemoryResolver files;
  files.add("s/three.usda", leaf("outside"));
  files.add("s/p.usdz", package({{"r/root.usda", leaf("root")},
                                 {"x/one.usda", refer("both.usda")},
                                 {"x/both.usda", leaf("beside the layer")},
                                 {"r/both.usda", leaf("beside the first file")},
                                 {"x/two.usda", refer("first.usda")},
                                 {"r/first.usda", leaf("beside the first file")},
                                 {"x/out.usda", refer("three.usda")}}));
  EXPECT_EQ(origin(files, "s/p.usdz[x/one.usda]"), "beside the layer");
  EXPECT_EQ(origin(files, "s/p.usdz[x/two.usda]"), "beside the first file");
  EXPECT_EQ(origin(files, "s/p.usdz[x/out.usda]"), "outside");
  Diagnostics diagnostics;
  EXPECT_EQ(origin(files, "s/p.usdz[x/out.usda]", diagnostics, true), "");
  EXPECT_EQ(diagnostics.size(), 1U);
}

TEST(PackageStage, SaysWhatIsWrongWithAPackageOnce) {
  MemoryResolver files;
  files.add("p.usdz", std::string("no package"));
  files.add("image.usdz", package({{"root.usda", leaf("root")}}).replace(30, 9, "image.png"));
  for (const char* name : {"p.usdz", "image.usdz"}) {
    OpenOptions options;
    options.resolver = &files;
    Diagnostics diagnostics;
    EXPECT_FALSE(Stage::open(name, diagnostics, options));
    EXPECT_EQ(count(diagnostics, Severity::error), 1U) << name;
  }
}

TEST(PackageResolver, FindsTexturesAndNamesWithBrackets) {
  MemoryResolver files;
  files.add("p.usdz", package({{"d/root.usda", ""}, {"d/x[1].png", "bracket"}, {"t.png", "t"}}));
  Diagnostics diagnostics;
  PackageResolver resolver(files, diagnostics, {});
  const auto root = resolver.resolve("p.usdz", "");
  ASSERT_TRUE(root);
  EXPECT_EQ(*root, "p.usdz[d/root.usda]");
  const auto odd = resolver.resolve("./x[1].png", *root);
  ASSERT_TRUE(odd);
  EXPECT_EQ(*odd, "p.usdz[d/x\\[1\\].png]");
  EXPECT_EQ(resolver.read(*odd, 100)->text(), "bracket");
  EXPECT_EQ(*resolver.resolve("../t.png", *root), "p.usdz[t.png]");
  EXPECT_FALSE(resolver.resolve("../../t.png", *root));
  EXPECT_FALSE(resolver.resolve("./T.png", *root));
  EXPECT_EQ(resolver.read("p.usdz[t.png]", 0).error().code, ErrorCode::limit_exceeded);
  EXPECT_EQ(resolver.read("p.usdz[none.png]", 100).error().code, ErrorCode::not_found);
}

TEST(PackageResolver, FindsNothingAtAddressesThatNameNothing) {  // usdz 5
  MemoryResolver files;
  files.add("a.usdz", package({{"root.usda", ""}}));
  files.add("a.zip", package({{"root.usda", ""}}));
  Diagnostics diagnostics;
  PackageResolver resolver(files, diagnostics, {});
  EXPECT_TRUE(resolver.resolve("a.usdz[root.usda]", ""));
  for (const char* address : {"a.usdz[]", "a.usdz[root.usda[]]", "a.zip[root.usda]"}) {
    const auto found = resolver.resolve(address, "");
    ASSERT_FALSE(found) << address;
    EXPECT_EQ(found.error().code, ErrorCode::not_found) << address;
  }
  EXPECT_FALSE(resolver.resolve("a.usdz[]", "a.usdz[root.usda]"));
  EXPECT_FALSE(resolver.read("a.zip[root.usda]", 100));
}

TEST(PackageResolver, OpensEachPackageOnTheWayToALayerOnce) {
  // Its list is damaged, which is told whenever it is opened.
  std::string inner = package({{"in.usda", leaf("in")}});
  inner[inner.find("in.usda", 64)] = 'x';
  MemoryResolver files;
  files.add("p.usdz", package({{"inner.usdz", inner}}));
  Diagnostics diagnostics;
  PackageResolver resolver(files, diagnostics, {});
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(*resolver.resolve("p.usdz", ""), "p.usdz[inner.usdz[in.usda]]");
  EXPECT_TRUE(resolver.read("p.usdz[inner.usdz[in.usda]]", 1000));
  EXPECT_EQ(diagnostics.size(), 1U);
}

TEST(PackageResolver, EndsAtTheLimitOfNesting) {
  std::string bytes = package({{"a.usda", ""}});
  for (int i = 0; i < 20; ++i) bytes = package({{"p.usdz", bytes}});
  MemoryResolver files;
  files.add("p.usdz", bytes);
  Diagnostics diagnostics;
  PackageResolver resolver(files, diagnostics, {});
  EXPECT_EQ(resolver.resolve("p.usdz", "").error().code, ErrorCode::limit_exceeded);
  ASSERT_EQ(diagnostics.size(), 1U);
  EXPECT_EQ(diagnostics[0].code, "usdz-nesting");
}

TEST(PackageResolver, RepeatsItselfOnlySoOften) {
  std::vector<std::pair<std::string, std::string>> layers;
  for (int i = 0; i < 200; ++i)
    layers.emplace_back("d/" + std::to_string(i) + ".usda", "#usda 1.0");
  std::string bytes = package(layers);
  for (std::size_t at = 0; (at = bytes.find("#usda", at)) != std::string::npos; ++at)
    bytes[at] = '!';
  MemoryResolver files;
  files.add("p.usdz", bytes);
  Diagnostics diagnostics;
  PackageResolver resolver(files, diagnostics, {});
  for (const auto& [name, text] : layers) {
    EXPECT_TRUE(resolver.resolve("d\\0.usda", "p.usdz[a.usda]"));
    EXPECT_TRUE(resolver.read("p.usdz[" + name + "]", 100));
  }
  EXPECT_EQ(diagnostics.size(), 102U);
}

TEST(PackageResolver, CutsLongNamesInMessages) {  // usdz 10
  MemoryResolver files;
  files.add("p.usdz", package({{"root.usda", ""}}));
  Diagnostics diagnostics;
  PackageResolver resolver(files, diagnostics, {});
  const std::string name(10'000, 'a');
  for (const std::string& asset : {name, "./" + name, "p.usdz[" + name + "]"}) {
    const auto found = resolver.resolve(asset, "p.usdz[root.usda]");
    ASSERT_FALSE(found);
    EXPECT_LT(found.error().message.size(), 500U);
  }
}

TEST(Diagnostics, CutThePathsOfPrimsWithLongNames) {
  const std::string name(1'000'000, 'a');
  MemoryResolver files;
  files.add("a.usda",
            "#usda 1.0\ndef \"" + name + "\" {\n  def \"B\" (references = @./none.usda@) { }\n}\n");
  OpenOptions options;
  options.resolver = &files;
  Diagnostics diagnostics;
  ASSERT_TRUE(Stage::open("a.usda", diagnostics, options));
  ASSERT_EQ(diagnostics.size(), 1U);
  EXPECT_LT(diagnostics[0].path.size(), 2000U);
  EXPECT_LT(diagnostics[0].message.size(), 2000U);
}

// The texture of a prim, in a file of the root layer's or in one that it refers to.
Attribute texture(const Stage& stage) {
  return stage.prim("/Root").attribute("file");
}

std::string asks_for(const std::string& asset) {
  return "#usda 1.0\n(defaultPrim = \"Root\")\ndef \"Root\" {\n  asset file = @" + asset + "@\n}\n";
}

TEST(FindAsset, LooksWhereLayersAreLookedFor) {
  MemoryResolver files;
  files.add("d/p.usdz", package({{"a/root.usda", asks_for("../t.png")},
                                 {"t.png", "in"},
                                 {"a/b.usda", asks_for("./out.png")}}));
  files.add("d/out.png", std::string("out"));
  files.add("root.usda", refer("./lib/mat.usda"));
  files.add("lib/mat.usda", asks_for("beside_root.png"));
  files.add("beside_root.png", std::string("t"));
  struct Case {
    const char* root;
    const char* found;  // Empty: nothing.
    const char* place;
  };
  for (const Case& c : {Case{"d/p.usdz", "d/p.usdz[t.png]", "d/p.usdz[t.png]"},
                        Case{"d/p.usdz[a/b.usda]", "", "d/p.usdz[a/out.png]"},
                        Case{"root.usda", "beside_root.png", "lib/beside_root.png"}}) {
    OpenOptions options;
    options.resolver = &files;
    Diagnostics diagnostics;
    const auto stage = Stage::open(c.root, diagnostics, options);
    ASSERT_TRUE(stage) << c.root;
    PackageResolver resolver(files, diagnostics, {});
    EXPECT_EQ(texture(**stage).find_asset(resolver).value_or(""), c.found);
    EXPECT_EQ(texture(**stage).resolved_asset(), c.place);
  }
}

TEST(PackageResolver, ReadsBackslashesUnlessAskedToBeLikeOpenUsd) {
  MemoryResolver files;
  files.add("p.usdz", package({{"root.usda", ""}, {"textures/a.png", "a"}}));
  Diagnostics diagnostics;
  PackageResolver documented(files, diagnostics, {});
  EXPECT_EQ(*documented.resolve("textures\\a.png", "p.usdz[root.usda]"), "p.usdz[textures/a.png]");
  ASSERT_EQ(diagnostics.size(), 1U);
  EXPECT_EQ(diagnostics[0].code, "usdz-backslash");
  PackageResolver::Options options;
  options.rules = Rules::openusd;
  PackageResolver openusd(files, diagnostics, options);
  EXPECT_FALSE(openusd.resolve("textures\\a.png", "p.usdz[root.usda]"));
}

TEST(PackageResolver, GoesOutsideForAbsolutePathsWhateverItHolds) {
  MemoryResolver files;
  files.add("p.usdz", package({{"root.usda", ""}, {"abs/t.usda", "inside"}}));
  files.add("/abs/t.usda", std::string("outside"));
  Diagnostics diagnostics;
  PackageResolver resolver(files, diagnostics, {});
  EXPECT_EQ(resolver.resolve("/abs/t.usda", "p.usdz[root.usda]").value_or(""), "/abs/t.usda");
  EXPECT_EQ(resolver.resolve("abs/t.usda", "p.usdz[root.usda]").value_or(""), "p.usdz[abs/t.usda]");
  PackageResolver closed(files, diagnostics, {.closed_packages = true});
  const auto refused = closed.resolve("/abs/t.usda", "p.usdz[root.usda]");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message,
            "'/abs/t.usda' is not in the package 'p.usdz', and nothing outside of it is read.");
}

TEST(PackageResolver, FindsNothingInPackagesThatAreNotThere) {
  MemoryResolver files;
  files.add("p.usdz", package({{"root.usda", ""}}));
  Diagnostics diagnostics;
  PackageResolver resolver(files, diagnostics, {});
  for (const char* address : {"gone.usdz[a.usda]", "p.usdz[gone.usdz[a.usda]]"}) {
    const auto found = resolver.resolve(address, "");
    ASSERT_FALSE(found) << address;
    EXPECT_EQ(found.error().code, ErrorCode::not_found) << address;
    const auto read = resolver.read(address, 100);
    ASSERT_FALSE(read) << address;
    EXPECT_EQ(read.error().code, ErrorCode::not_found) << address;
  }
  const auto empty = resolver.resolve("", "p.usdz[root.usda]");
  ASSERT_FALSE(empty);
  EXPECT_EQ(empty.error().message, "the asset path is empty.");
  EXPECT_FALSE(resolver.resolve("..\\..\\root.usda", "p.usdz[root.usda]"));
  EXPECT_THAT(diagnostics, IsEmpty());
}

TEST(PackageResolver, OpensAsManyPackagesWithinOneAnotherAsTheLimit) {
  for (const std::size_t packages : {usdz::Package::kMaxNesting, usdz::Package::kMaxNesting + 1}) {
    std::string bytes = package({{"a.usda", "#usda 1.0\n"}});
    std::string expected = "p.usdz[a.usda]";
    for (std::size_t i = 1; i < packages; ++i) {
      bytes = package({{"p.usdz", bytes}});
      expected = "p.usdz[" + expected + "]";
    }
    MemoryResolver files;
    files.add("p.usdz", bytes);
    Diagnostics diagnostics;
    PackageResolver resolver(files, diagnostics, {});
    const auto found = resolver.resolve("p.usdz", "");
    if (packages == usdz::Package::kMaxNesting) {
      EXPECT_EQ(found.value_or(""), expected);
    } else {
      ASSERT_FALSE(found);
      EXPECT_EQ(found.error().code, ErrorCode::limit_exceeded);
    }
  }
}

}  // namespace
}  // namespace sinew::stage::package_test
