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

}  // namespace
}  // namespace sinew::stage::asset_resolver_test
