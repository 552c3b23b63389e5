// SPDX-License-Identifier: Apache-2.0
#include "sinew/stage/asset_resolver.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

#include "stage/support.hpp"

namespace sinew::stage::asset_resolver_test {
namespace {

// A layer in a folder names a file that lies beside the root layer.
class Folder : public AssetResolver {
 public:
  Folder() {
    layers_.add("show/root.usda", std::string("#usda 1.0\n(subLayers = [@parts/sub.usda@])\n"));
    layers_.add("show/parts/sub.usda",
                std::string("#usda 1.0\n"
                            "def \"Plain\" (references = @tex/l.usda@</R>) {}\n"
                            "def \"Anchored\" (references = @./tex/l.usda@</R>) {}\n"));
    layers_.add("show/tex/l.usda", std::string("#usda 1.0\ndef \"R\" { int x = 1; }\n"));
  }
  StagePtr open() {
    OpenOptions options;
    options.resolver = this;
    Result<StagePtr> stage = Stage::open("show/root.usda", diagnostics_, options);
    return stage ? *stage : nullptr;
  }
  Result<std::string> resolve(std::string_view asset_path, std::string_view anchor) override {
    return layers_.resolve(asset_path, anchor);
  }
  Result<Bytes> read(std::string_view identifier, std::uint64_t max_bytes) override {
    return layers_.read(identifier, max_bytes);
  }

 private:
  MemoryResolver layers_;
  Diagnostics diagnostics_;
};

class FolderWithoutSearch : public Folder {
 public:
  Result<std::string> resolve_on_stage(std::string_view asset_path, std::string_view anchor,
                                       std::string_view /*root*/) override {
    return resolve(asset_path, anchor);
  }
};

TEST(SearchPath, AnAssetIsAlsoLookedForBesideTheRootLayer) {
  Folder folder;
  const StagePtr stage = folder.open();
  ASSERT_NE(stage, nullptr);
  EXPECT_TRUE(stage->prim("/Plain").attribute("x").valid());
  EXPECT_FALSE(stage->prim("/Anchored").attribute("x").valid());
}

TEST(SearchPath, AResolverCanDoWithoutIt) {
  FolderWithoutSearch folder;
  const StagePtr stage = folder.open();
  ASSERT_NE(stage, nullptr);
  EXPECT_FALSE(stage->prim("/Plain").attribute("x").valid());
}

// A folder for files, gone at the end.
class FilesIn {
 public:
  FilesIn() {
    std::error_code error;
    std::filesystem::remove_all(folder_, error);
  }
  ~FilesIn() {
    std::error_code error;
    std::filesystem::remove_all(folder_, error);
  }
  void write(const std::string& file, const std::string& text) const {
    const std::filesystem::path path = folder_ / file;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }
  std::string path(const std::string& file) const { return (folder_ / file).generic_string(); }

 private:
  std::filesystem::path folder_ =
      std::filesystem::path(::testing::TempDir()) / "sinew_search_path_test";
};

TEST(SearchPath, FilesAreLookedForBesideTheLayerThenBesideTheRootThenInTheSearchPaths) {
  const FilesIn files;
  files.write("root.usda", "#usda 1.0\n(subLayers = [@./parts/sub.usda@])\n");
  files.write("parts/sub.usda", "#usda 1.0\ndef \"P\" (references = @tex/l.usda@</R>) {}\n");
  const auto layer = [](int x) {
    return "#usda 1.0\ndef \"R\" { int x = " + std::to_string(x) + "; }\n";
  };
  FileResolver::Options resolving;
  resolving.search_paths = {files.path("library")};
  FileResolver resolver(resolving);
  OpenOptions options;
  options.resolver = &resolver;
  const auto found = [&] {
    Diagnostics diagnostics;
    const Result<StagePtr> stage = Stage::open(files.path("root.usda"), diagnostics, options);
    EXPECT_TRUE(stage);
    const Attribute x = stage ? (*stage)->prim("/P").attribute("x") : Attribute();
    return x ? x.get<int>().value_or(0) : 0;
  };
  EXPECT_EQ(found(), 0);
  files.write("library/tex/l.usda", layer(3));
  EXPECT_EQ(found(), 3);
  files.write("tex/l.usda", layer(2));
  EXPECT_EQ(found(), 2);
  files.write("parts/tex/l.usda", layer(1));
  EXPECT_EQ(found(), 1);
}

TEST(FileResolver, TakesAbsoluteNamesAsTheyAre) {
  const FilesIn files;
  files.write("lib/t.usda", "#usda 1.0\n");
  FileResolver resolver;
  const Result<std::string> beside = resolver.resolve("./t.usda", files.path("lib/root.usda"));
  const Result<std::string> absolute =
      resolver.resolve(files.path("lib/t.usda"), files.path("other/root.usda"));
  ASSERT_TRUE(beside);
  ASSERT_TRUE(absolute);
  EXPECT_EQ(*absolute, *beside);
  const std::string none = files.path("none.usda");
  const Result<std::string> missing = resolver.resolve(none, files.path("lib/root.usda"));
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::not_found);
  EXPECT_EQ(missing.error().message, "cannot find '" + none + "'.");
}

TEST(FileResolver, FindsNothingUnderAddressesOrNoPath) {
  const FilesIn files;
  const std::string root = files.path("root.usda");
#if !defined(_WIN32)
  files.write("http:/h/t.usda", "#usda 1.0\n");  // Where a path would lead.
#endif
  FileResolver resolver;
  const Result<std::string> address = resolver.resolve_on_stage("http://h/t.usda", root, root);
  ASSERT_FALSE(address);
  EXPECT_EQ(address.error().message,
            "cannot find 'http://h/t.usda': addresses with a scheme are not read.");
  const Result<std::string> empty = resolver.resolve("", root);
  ASSERT_FALSE(empty);
  EXPECT_EQ(empty.error().code, ErrorCode::not_found);
  EXPECT_EQ(empty.error().message, "the asset path is empty.");
}

TEST(FileResolver, LooksForAnchoredPathsBesideTheLayerAlone) {
  const FilesIn files;
  files.write("tex/l.usda", "#usda 1.0\n");
  files.write("library/tex/l.usda", "#usda 1.0\n");
  FileResolver::Options options;
  options.search_paths = {files.path("library")};
  FileResolver resolver(options);
  const std::string root = files.path("root.usda");
  const std::string layer = files.path("parts/sub.usda");
  EXPECT_TRUE(resolver.resolve_on_stage("tex/l.usda", layer, root));
  for (const char* path : {"./tex/l.usda", "../library/l.usda", "./library/tex/l.usda"}) {
    const Result<std::string> found = resolver.resolve_on_stage(path, layer, root);
    ASSERT_FALSE(found) << path;
    EXPECT_EQ(found.error().message,
              "cannot find '" + std::string(path) + "' beside '" + layer + "'.");
  }
}

TEST(FileResolver, DoesWithoutTheFolderOfTheRootLayerIfAsked) {
  const FilesIn files;
  files.write("tex/l.usda", "#usda 1.0\n");
  for (const bool search : {true, false}) {
    FileResolver::Options options;
    options.search_beside_root = search;
    FileResolver resolver(options);
    EXPECT_EQ(
        resolver
            .resolve_on_stage("tex/l.usda", files.path("parts/sub.usda"), files.path("root.usda"))
            .has_value(),
        search);
  }
}

TEST(FileResolver, ReadsNothingOutsideOfTheFoldersThatAreAllowed) {
  const FilesIn files;
  for (const char* name : {"one/a.usda", "two/a.usda", "three/a.usda"}) {
    files.write(name, "#usda 1.0\n");
  }
  FileResolver::Options options;
  options.allowed_directories = {files.path("one"), files.path("two")};
  FileResolver resolver(options);
  EXPECT_EQ(resolver.read(files.path("one/a.usda"), 100)->text(), "#usda 1.0\n");
  EXPECT_EQ(resolver.read(files.path("two/a.usda"), 100)->text(), "#usda 1.0\n");
  const Result<Bytes> outside = resolver.read(files.path("three/a.usda"), 100);
  ASSERT_FALSE(outside);
  EXPECT_EQ(outside.error().code, ErrorCode::io_failed);
  EXPECT_EQ(outside.error().message,
            "'" + files.path("three/a.usda") + "' is outside the directories that may be read.");
}

TEST(MemoryResolver, ReadsWhatItHoldsAndNothingElse) {
  MemoryResolver resolver;
  resolver.add("http://h/t.usda", std::string("address"));
  resolver.add("t.usda", std::string("text"));
  EXPECT_EQ(resolver.read("t.usda", 4)->text(), "text");
  EXPECT_EQ(resolver.read("t.usda", 3).error().code, ErrorCode::limit_exceeded);
  const Result<Bytes> missing = resolver.read("none.usda", 100);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::not_found);
  EXPECT_FALSE(resolver.resolve("http://h/t.usda", "root.usda"));
  EXPECT_FALSE(resolver.resolve("./t.usda", "sub/root.usda"));
  EXPECT_EQ(resolver.resolve("t.usda", "sub/root.usda").value_or(""), "t.usda");
}

}  // namespace
}  // namespace sinew::stage::asset_resolver_test
