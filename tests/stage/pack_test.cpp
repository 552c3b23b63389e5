// SPDX-License-Identifier: Apache-2.0
#include "sinew/stage/pack.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sinew/stage/package_resolver.hpp"
#include "sinew/stage/stage.hpp"
#include "sinew/usda/parser.hpp"
#include "sinew/usda/writer.hpp"
#include "sinew/usdc/reader.hpp"
#include "sinew/usdc/writer.hpp"

namespace sinew::stage::pack_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct Packed {
  std::vector<usdz::File> files;
  Diagnostics diagnostics;

  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const usdz::File& file : files) names.push_back(file.name);
    return names;
  }
  std::string text(const std::string& name) const {
    for (const usdz::File& file : files) {
      if (file.name == name) return std::string(file.bytes.text());
    }
    return "there is no such file";
  }
};

Packed packed(MemoryResolver& files, const std::string& file, const std::string& name) {
  Packed result;
  PackOptions options;
  options.open.resolver = &files;
  options.name = name;
  auto made = pack(file, result.diagnostics, options);
  EXPECT_TRUE(made) << (made ? "" : made.error().message);
  if (made) result.files = *std::move(made);
  return result;
}

// The package alone, elsewhere.
MemoryResolver moved(const Packed& packed) {
  Diagnostics diagnostics;
  const auto bytes = usdz::write(packed.files, diagnostics);
  EXPECT_TRUE(bytes) << (bytes ? "" : bytes.error().message);
  MemoryResolver files;
  if (bytes) files.add("elsewhere/moved.usdz", *bytes);
  return files;
}

// What the asset `path`, written in the first file of the moved package, holds.
std::string asset(MemoryResolver& files, const std::string& path, const std::string& layer) {
  Diagnostics diagnostics;
  PackageResolver resolver(files, diagnostics, {.closed_packages = true});
  const auto found = resolver.resolve(path, "elsewhere/moved.usdz[" + layer + "]");
  if (!found) return found.error().message;
  const auto bytes = resolver.read(*found, Bytes::kNoLimit);
  return bytes ? std::string(bytes->text()) : bytes.error().message;
}

TEST(Pack, TakesEveryKindOfPath) {
  MemoryResolver files;
  files.add("d/root.usda", std::string(R"(#usda 1.0
(subLayers = [@sub.usda@])
def "A" (references = [@./lib/part.usda@</P>]
    payload = @lib/part.usda@</P>
    customData = { asset icon = @icon.png@; dictionary more = { asset[] all = [@icon.png@]; } }) {
    asset one = @tex/a.png@
    asset[] many = [@tex/b.png@, @tex/c.png@, @tex/a.png@]
    asset moving.timeSamples = { 1: @tex/d.png@, 2: None }
    asset[] edited = edit [append @tex/e.png@]
    double curve.spline = { 1: 2; { asset mark = @tex/g.png@ }, }
    variantSet "v" = { "x" { asset inside = @tex/f.png@; } }
}
)"));
  files.add("d/sub.usda", std::string("#usda 1.0\n"));
  files.add("d/lib/part.usda",
            std::string("#usda 1.0\ndef \"P\" { asset up = @../tex/a.png@; }\n"));
  for (const char c : std::string("abcdefg")) {
    files.add(std::string("d/tex/") + c + ".png", std::string(1, c));
  }
  files.add("d/icon.png", std::string("icon"));

  const Packed made = packed(files, "d/root.usda", "root.usda");

  EXPECT_THAT(made.diagnostics, IsEmpty());
  EXPECT_THAT(made.names(), ElementsAre("root.usda", "sub.usda", "lib/part.usda", "icon.png",
                                        "tex/a.png", "tex/b.png", "tex/c.png", "tex/d.png",
                                        "tex/e.png", "tex/g.png", "tex/f.png"));
  const std::string text = made.text("root.usda");
  for (const char* path :
       {"@./sub.usda@", "@./lib/part.usda@</P>", "@./icon.png@", "[@./icon.png@]", "@./tex/a.png@",
        "[@./tex/b.png@, @./tex/c.png@, @./tex/a.png@]", "1: @./tex/d.png@", "@./tex/e.png@",
        "@./tex/f.png@", "@./tex/g.png@"}) {
    EXPECT_THAT(text, HasSubstr(path));
  }
  EXPECT_THAT(made.text("lib/part.usda"), HasSubstr("@../tex/a.png@"));
}

TEST(Pack, OpensAnywhere) {
  MemoryResolver files;
  files.add("home/artist/shot/root.usda", std::string(R"(#usda 1.0
(defaultPrim = "A")
def "A" (references = @../lib/part.usda@</P>) {
    asset a = @../lib/tex/t.png@
    asset b = @../other/tex/t.png@
}
)"));
  files.add("home/artist/lib/part.usda", std::string(R"(#usda 1.0
def "P" { asset c = @tex/t.png@
    asset d = @../shot/own.png@; }
)"));
  files.add("home/artist/lib/tex/t.png", std::string("one"));
  files.add("home/artist/other/tex/t.png", std::string("two"));
  files.add("home/artist/shot/own.png", std::string("own"));

  const Packed made = packed(files, "home/artist/shot/root.usda", "root.usda");
  MemoryResolver alone = moved(made);
  Diagnostics diagnostics;
  OpenOptions options;
  options.resolver = &alone;
  options.closed_packages = true;
  const auto stage = Stage::open("elsewhere/moved.usdz", diagnostics, options);

  ASSERT_TRUE(stage);
  EXPECT_THAT(diagnostics, IsEmpty());
  PackageResolver resolver(alone, diagnostics, {.closed_packages = true});
  const auto contents = [&](const char* name) {
    const Attribute attribute = (*stage)->prim("/A").attribute(name);
    const auto found = attribute.find_asset(resolver);
    if (!found) return found.error().message;
    return std::string(resolver.read(*found, Bytes::kNoLimit)->text());
  };
  EXPECT_EQ(contents("a"), "one");
  EXPECT_EQ(contents("b"), "two");
  EXPECT_EQ(contents("c"), "one");
  EXPECT_EQ(contents("d"), "own");
  for (const std::string& name : made.names()) {  // Nothing of the author's machine.
    EXPECT_EQ(name.find("artist"), std::string::npos) << name;
    EXPECT_EQ(made.text(name).find("artist"), std::string::npos) << name;
  }
}

TEST(Pack, TakesTheTilesThatExist) {
  MemoryResolver files;
  files.add("d/root.usda", std::string(R"(#usda 1.0
def "A" { asset a = @tex/s.<UDIM>.png@
    asset b = @../far/<UDIM>.png@
    asset c = @tex/none.<UDIM>.png@; }
)"));
  for (const char* tile : {"1001", "1012", "1999"}) {
    files.add("d/tex/s." + std::string(tile) + ".png", std::string(tile));
  }
  files.add("d/tex/s.1000.png", std::string());
  files.add("d/tex/s.2000.png", std::string());
  files.add("far/1002.png", std::string("far"));

  const Packed made = packed(files, "d/root.usda", "root.usda");

  EXPECT_THAT(made.names(), ElementsAre("root.usda", "tex/s.1001.png", "tex/s.1012.png",
                                        "tex/s.1999.png", "0/1002.png"));
  EXPECT_THAT(made.text("root.usda"), HasSubstr("@./tex/s.<UDIM>.png@"));
  EXPECT_THAT(made.text("root.usda"), HasSubstr("@./0/<UDIM>.png@"));
  EXPECT_THAT(made.text("root.usda"), HasSubstr("@tex/none.<UDIM>.png@"));
  ASSERT_EQ(made.diagnostics.size(), 1U);
  EXPECT_THAT(made.diagnostics[0].message, HasSubstr("none.<UDIM>.png' is not found"));
  MemoryResolver alone = moved(made);
  EXPECT_EQ(asset(alone, "./0/1002.png", "root.usda"), "far");
}

TEST(Pack, KeepsAndTellsWhatIsNotFound) {
  MemoryResolver files;
  files.add("root.usda", std::string(R"(#usda 1.0
def "A" (references = [@none.usda@, @`"${X}.usda"`@]
    clips = { dictionary default = { string templateAssetPath = "./c.#.usda" } }) {
    asset a = @http://b/c.png@
}
)"));

  const Packed made = packed(files, "root.usda", "root.usda");

  EXPECT_THAT(made.names(), ElementsAre("root.usda"));
  EXPECT_THAT(made.text("root.usda"), HasSubstr("[@none.usda@, @`\"${X}.usda\"`@]"));
  EXPECT_THAT(made.text("root.usda"), HasSubstr("@http://b/c.png@"));
  ASSERT_EQ(made.diagnostics.size(), 4U);
  for (const Diagnostic& diagnostic : made.diagnostics) {
    EXPECT_EQ(diagnostic.code, "usdz-not-packed");
    EXPECT_EQ(diagnostic.severity, Severity::warning);
  }
}

// Resolves what it cannot read.
class PartlyReadable : public MemoryResolver {
 public:
  Result<Bytes> read(std::string_view identifier, std::uint64_t max_bytes) override {
    if (identifier.find("locked") != std::string_view::npos) {
      return {ErrorCode::io_failed, "it is locked."};
    }
    return MemoryResolver::read(identifier, max_bytes);
  }
};

TEST(Pack, TellsWhatCannotBeReadAndPacksTheRest) {
  PartlyReadable files;
  files.add("root.usda", std::string(R"(#usda 1.0
(subLayers = [@locked.usda@, @damaged.usda@])
def "A" {
    asset bad = @locked.png@
    asset good = @good.png@
}
)"));
  files.add("locked.usda", std::string("#usda 1.0\n"));
  files.add("damaged.usda", std::string("#usda 1.0\ndef {\n"));
  files.add("locked.png", std::string("x"));
  files.add("good.png", std::string("good"));

  const Packed made = packed(files, "root.usda", "root.usda");

  EXPECT_THAT(made.names(), ElementsAre("root.usda", "damaged.usda", "good.png"));
  EXPECT_EQ(made.text("damaged.usda"), "#usda 1.0\ndef {\n") << "As bad as it is.";
  std::vector<std::string> told;
  for (const Diagnostic& diagnostic : made.diagnostics) {
    told.push_back(diagnostic.code + " " + diagnostic.file);
  }
  EXPECT_THAT(told, ElementsAre("usdz-not-packed locked.usda", "usda-syntax damaged.usda",
                                "usdz-not-packed locked.png"));
}

TEST(Pack, NeedsARootThatCanBeRead) {
  PartlyReadable files;
  files.add("locked.usda", std::string("#usda 1.0\n"));
  files.add("damaged.usda", std::string("#usda 1.0\ndef {\n"));
  for (const char* root : {"locked.usda", "damaged.usda", "missing.usda"}) {
    Diagnostics diagnostics;
    PackOptions options;
    options.open.resolver = &files;
    options.name = "root.usda";
    EXPECT_FALSE(pack(root, diagnostics, options)) << root;
  }
}

TEST(Pack, LeavesTilesApartThatLieApart) {
  MemoryResolver files;
  files.add(
      "d/root.usda",
      std::string(
          "#usda 1.0\ndef \"A\" { asset a = @t.<UDIM>.png@\nasset b = @../u.<UDIM>.png@; }\n"));
  for (const char* name :
       {"d/t.1001.png", "d/t.1012.png", "u.1002.png", "d/t.1000.png", "d/t.2000.png"}) {
    files.add(name, std::string(name));
  }
  const Packed made = packed(files, "d/root.usda", "root.usda");
  EXPECT_THAT(made.diagnostics, IsEmpty());
  MemoryResolver package = moved(made);
  EXPECT_THAT(made.text("root.usda"), HasSubstr("@./t.<UDIM>.png@"));
  EXPECT_EQ(asset(package, "./t.1001.png", "root.usda"), "d/t.1001.png");
  EXPECT_EQ(asset(package, "./t.1012.png", "root.usda"), "d/t.1012.png");
  EXPECT_EQ(made.names().size(), 4U);
}

// What a stage opened from the package says of an attribute at a time.
std::optional<double> value_at(MemoryResolver& files, const std::string& path, double time) {
  Diagnostics diagnostics;
  OpenOptions options;
  options.resolver = &files;
  options.closed_packages = true;
  const auto stage = Stage::open("elsewhere/moved.usdz", diagnostics, options);
  EXPECT_THAT(diagnostics, IsEmpty());
  if (!stage) return std::nullopt;
  return (*stage)->prim(path).attribute("a").get<double>(time);
}

void add_clips(MemoryResolver& files, const std::string& name, std::vector<double> times) {
  for (const double time : times) {
    const std::string number = std::to_string(static_cast<int>(time));
    files.add(
        name + std::string(3 - number.size(), '0') + number + ".usda",
        "#usda 1.0\ndef \"A\" { double a.timeSamples = { " + number + ": " + number + "0 }; }\n");
  }
}

TEST(Pack, TakesTheClipsOfATemplate) {
  MemoryResolver files;
  const auto prim = [](const std::string& name, const std::string& pattern) {
    return "def \"" + name + "\" (clips = { dictionary default = {\n" +
           "string primPath = \"/A\"; asset manifestAssetPath = @manifest.usda@\n" +
           "string templateAssetPath = \"" + pattern + "\"\n" +
           "double templateStartTime = 1; double templateEndTime = 4; double templateStride = 1\n" +
           "} }) { double a; }\n";
  };
  files.add("d/root.usda", "#usda 1.0\n(expressionVariables = { string V = \"near\" })\n" +
                               prim("Near", "clips/near.###.usda") +
                               prim("Far", "../far/far.###.usda") +
                               prim("Named", "`'./clips/${V}.###.usda'`"));
  files.add("d/manifest.usda", std::string("#usda 1.0\ndef \"A\" { double a; }\n"));
  add_clips(files, "d/clips/near.", {1, 3, 9});
  add_clips(files, "far/far.", {2, 4});

  const Packed made = packed(files, "d/root.usda", "root.usda");

  EXPECT_THAT(made.diagnostics, IsEmpty());
  EXPECT_THAT(made.names(), ElementsAre("root.usda", "manifest.usda", "clips/near.001.usda",
                                        "clips/near.003.usda", "0/far.002.usda", "0/far.004.usda"));
  EXPECT_THAT(made.text("root.usda"), HasSubstr("\"./clips/near.###.usda\""));
  EXPECT_THAT(made.text("root.usda"), HasSubstr("\"./0/far.###.usda\""));
  MemoryResolver alone = moved(made);
  EXPECT_EQ(value_at(alone, "/Near", 3.0), 30.0);
  EXPECT_EQ(value_at(alone, "/Far", 4.0), 40.0);
  EXPECT_EQ(value_at(alone, "/Named", 1.0), 10.0);
}

TEST(Pack, TakesTheClipsOfAList) {
  MemoryResolver files;
  files.add("d/root.usda", std::string(R"(#usda 1.0
def "A" (clips = { dictionary default = {
    asset[] assetPaths = [@../c/c.001.usda@, @../c/c.002.usda@]
    asset manifestAssetPath = @../c/manifest.usda@
    string primPath = "/A"
    double2[] active = [(1, 0), (2, 1)]
} }) { double a; }
)"));
  files.add("c/manifest.usda", std::string("#usda 1.0\ndef \"A\" { double a; }\n"));
  add_clips(files, "c/c.", {1, 2});

  const Packed made = packed(files, "d/root.usda", "root.usda");

  EXPECT_THAT(made.diagnostics, IsEmpty());
  MemoryResolver alone = moved(made);
  EXPECT_EQ(value_at(alone, "/A", 2.0), 20.0);
}

// Names that differ in letter case alone are changed, and no template names them then.
TEST(Pack, TellsOfClipsThatNoTemplateNames) {
  MemoryResolver files;
  files.add("root.usda", std::string(R"(#usda 1.0
(subLayers = [@C.2.usda@])
def "A" (clips = { dictionary default = { string templateAssetPath = "./c.#.usda"
    double templateStartTime = 1; double templateEndTime = 2; double templateStride = 1 } }) {}
)"));
  for (const char* name : {"c.1.usda", "c.2.usda", "C.2.usda"}) {
    files.add(name, std::string("#usda 1.0\n"));
  }

  const Packed made = packed(files, "root.usda", "root.usda");

  ASSERT_EQ(made.diagnostics.size(), 1U);
  EXPECT_THAT(made.diagnostics[0].message, HasSubstr("./c.#.usda"));
  EXPECT_EQ(made.files.size(), 4U);
}

// The root layer's variables win over those of all layers that it reaches.
TEST(Pack, TakesWhatExpressionsGiveByTheVariablesOfTheRoot) {
  MemoryResolver files;
  files.add("root.usda", std::string(R"(#usda 1.0
(expressionVariables = { string LOD = "high"; string TEX = "`\"${LOD}.png\"`" })
def "A" (references = @`"lib/${LOD}.usda"`@) { asset t = @`${TEX}`@; asset none = @`None`@; }
)"));
  files.add("lib/high.usda", std::string(R"(#usda 1.0
(defaultPrim = "P"
 expressionVariables = { string LOD = "low"; string OWN = "own" })
def "P" { asset b = @`"${LOD}.png"`@; asset c = @`if(defined("OWN"), "a.png", "b.png")`@; }
)"));
  files.add("high.png", std::string("root"));
  files.add("lib/high.png", std::string("lib"));

  const Packed made = packed(files, "root.usda", "root.usda");

  EXPECT_THAT(made.names(), ElementsAre("root.usda", "lib/high.usda", "high.png", "lib/high.png"));
  EXPECT_THAT(made.text("root.usda"), HasSubstr("@./lib/high.usda@"));
  EXPECT_THAT(made.text("root.usda"), HasSubstr("asset t = @./high.png@"));
  EXPECT_THAT(made.text("root.usda"), HasSubstr("@`None`@"));
  EXPECT_THAT(made.text("lib/high.usda"), HasSubstr("asset b = @./high.png@"));
  ASSERT_EQ(made.diagnostics.size(), 1U);
  EXPECT_THAT(made.diagnostics[0].message, HasSubstr("OWN"));
}

// Reading a layer tells of what is wrong in it, which packing it does not say again.
TEST(Pack, TakesALayerThatHasBeenRead) {
  MemoryResolver files;
  files.add("root.usda",
            std::string("#usda 1.0\n(upAxiss = \"Y\")\ndef \"A\" { asset a = @./t.png@; }\n"));
  files.add("t.png", std::string("t"));
  PackOptions options;
  options.open.resolver = &files;
  options.name = "root.usdc";
  options.binary = usdc::kOldestWritten;
  Diagnostics of_reading;
  const auto layer = read_layer("root.usda", of_reading, options.open);
  ASSERT_TRUE(layer);
  ASSERT_FALSE(of_reading.empty());
  Diagnostics again;
  ASSERT_TRUE(pack("root.usda", again, options));
  EXPECT_EQ(again.size(), of_reading.size());
  options.layer = *layer;
  Diagnostics none;
  const auto made = pack("root.usda", none, options);
  ASSERT_TRUE(made);
  EXPECT_THAT(none, IsEmpty());
  EXPECT_EQ(made->size(), 2U);
}

TEST(Pack, TakesOtherPackagesAsTheyAre) {
  MemoryResolver files;
  Diagnostics diagnostics;
  const std::vector<usdz::File> inner = {
      {"in.usda", Bytes(std::string("#usda 1.0\n(defaultPrim = \"P\")\ndef \"P\" {}\n"))},
      {"t.png", Bytes(std::string("within"))}};
  files.add("lib/set.usdz", *usdz::write(inner, diagnostics));
  files.add("d/root.usda", std::string(R"(#usda 1.0
def "A" (references = @../lib/set.usdz@) { asset a = @../lib/set.usdz[t.png]@; }
)"));

  const Packed made = packed(files, "d/root.usda", "root.usda");

  EXPECT_THAT(made.diagnostics, IsEmpty());
  EXPECT_THAT(made.names(), ElementsAre("root.usda", "0/set.usdz"));
  EXPECT_THAT(made.text("root.usda"), HasSubstr("@./0/set.usdz@"));
  EXPECT_THAT(made.text("root.usda"), HasSubstr("@./0/set.usdz[t.png]@"));
  MemoryResolver alone = moved(made);
  EXPECT_EQ(asset(alone, "./0/set.usdz[t.png]", "root.usda"), "within");
}

TEST(Pack, TakesALayerOutOfItsPackage) {
  MemoryResolver files;
  Diagnostics diagnostics;
  const std::vector<usdz::File> inner = {
      {"in.usda", Bytes(std::string("#usda 1.0\ndef \"P\" { asset a = @tex/t.png@\n"
                                    "  asset b = @beside.png@; }\n"))},
      {"tex/t.png", Bytes(std::string("within"))},
      {"unused.png", Bytes(std::string("unused"))}};
  files.add("lib/set.usdz", *usdz::write(inner, diagnostics));
  files.add("lib/beside.png", std::string("beside"));

  const Packed made = packed(files, "lib/set.usdz", "source/in.usda");

  EXPECT_THAT(made.names(),
              ElementsAre("source/in.usda", "source/tex/t.png", "source/0/beside.png"));
  EXPECT_THAT(made.text("source/in.usda"), HasSubstr("@./0/beside.png@"));
}

TEST(Pack, LeavesLayersAloneThatNeedNoOtherPaths) {
  MemoryResolver files;
  const std::string text = "#usda 1.0\n# Kept.\ndef \"A\" { asset a = @./t.png@; }\n";
  files.add("root.usda", text);
  files.add("t.png", std::string("t"));

  EXPECT_EQ(packed(files, "root.usda", "root.usda").text("root.usda"), text);
}

TEST(Pack, ChangesNothingButPaths) {
  const std::string text = R"(#usda 1.0
(
    subLayers = [@s.usda@ (offset = 2; scale = 3)]
    relocates = { </A/B>: </A/C> }
)
def Xform "A" (
    kind = "component"
    prepend references = @s.usda@</P> (offset = 1; customData = { int a = 1 })
    variants = { string v = "x" }
    prepend variantSets = "v"
)
{
    reorder nameChildren = ["B"]
    custom uniform token t = "q" (doc = "d")
    double s.spline = { bezier, pre: held, post: held, 1: 2; post held, 3: 4; post held, }
    rel r = </A/B>
    float f.connect = </A.s>
    asset a = @t.png@
    def "B" {}
    variantSet "v" = {
        "x" {
            def "I" {}
        }
        "y" {}
    }
}
)";
  Diagnostics diagnostics;
  const auto binary = usdc::write(**usda::parse(text, "r.usda", diagnostics), diagnostics);
  ASSERT_TRUE(binary);
  for (const char* name : {"root.usda", "root.usdc"}) {
    MemoryResolver files;
    const bool is_text = std::string_view(name).ends_with('a');
    files.add(name, is_text ? Bytes(text) : *binary);
    files.add("s.usda", std::string("#usda 1.0\ndef \"P\" {}\n"));
    files.add("t.png", std::string("t"));
    const std::string made = packed(files, name, name).text(name);
    std::string expected = text;
    for (const std::string path : {"@s.usda@", "@t.png@"}) {
      for (std::size_t at = 0; (at = expected.find(path, at)) != std::string::npos; at += 3) {
        expected.insert(at + 1, "./");
      }
    }
    const auto layer =
        is_text ? usda::parse(made, name, diagnostics) : usdc::read(Bytes(made), name, diagnostics);
    ASSERT_TRUE(layer) << name;
    const auto wanted = usda::parse(expected, name, diagnostics);
    EXPECT_EQ(usda::write(**layer), usda::write(**wanted)) << name;
  }
  EXPECT_THAT(diagnostics, IsEmpty());
}

TEST(Pack, GivesNamesThatEveryReaderTakes) {
  MemoryResolver files;
  files.add("d/root.usda", std::string(R"(#usda 1.0
def "A" { asset[] a = [@./T.png@, @./t.png@, @./x:y.png@, @../e/T.png@]; }
)"));
  for (const char* name : {"d/T.png", "d/t.png", "d/x:y.png", "e/T.png"}) {
    files.add(name, std::string(name));
  }

  const Packed made = packed(files, "d/root.usda", "root.usda");

  MemoryResolver alone = moved(made);
  EXPECT_THAT(made.names(), ElementsAre("root.usda", "T.png", "0/t.png", "x_y.png", "1/T.png"));
  EXPECT_THAT(made.text("root.usda"),
              HasSubstr("[@./T.png@, @./0/t.png@, @./x_y.png@, @./1/T.png@]"));
  EXPECT_EQ(asset(alone, "./1/T.png", "root.usda"), "e/T.png");
}

TEST(Pack, NamesFilesFromTheLayerByTheFoldersThatTheyShare) {
  MemoryResolver files;
  files.add("d/root.usda", std::string("#usda 1.0\n(subLayers = [@./a/b/x.usda@])\n"));
  files.add("d/a/b/x.usda", std::string(R"(#usda 1.0
def "A" {
    asset same = @t.png@
    asset below = @c/t.png@
    asset above = @../t.png@
    asset beside = @../c/t.png@
    asset apart = @../../b/t.png@
    asset top = @../../t.png@
}
)"));
  for (const char* name :
       {"d/a/b/t.png", "d/a/b/c/t.png", "d/a/t.png", "d/a/c/t.png", "d/b/t.png", "d/t.png"}) {
    files.add(name, std::string(name));
  }

  const Packed made = packed(files, "d/root.usda", "root.usda");

  EXPECT_THAT(made.names(), ElementsAre("root.usda", "a/b/x.usda", "a/b/t.png", "a/b/c/t.png",
                                        "a/t.png", "a/c/t.png", "b/t.png", "t.png"));
  const std::string text = made.text("a/b/x.usda");
  for (const char* path :
       {"same = @./t.png@", "below = @./c/t.png@", "above = @../t.png@", "beside = @../c/t.png@",
        "apart = @../../b/t.png@", "top = @../../t.png@"}) {
    EXPECT_THAT(text, HasSubstr(path));
  }
}

TEST(Pack, TakesNoMoreLayersThanTheLimitButEveryAsset) {
  MemoryResolver files;
  files.add("root.usda", std::string("#usda 1.0\n(subLayers = [@./a.usda@, @./b.usda@])\n"
                                     "def \"A\" { asset t = @./t.png@; }\n"));
  for (const char* name : {"a.usda", "b.usda"}) files.add(name, std::string("#usda 1.0\n"));
  files.add("t.png", std::string("t"));
  for (const std::uint32_t limit : {3U, 2U}) {
    Packed made;
    PackOptions options;
    options.open.resolver = &files;
    options.open.limits.layers = limit;
    options.name = "root.usda";
    auto result = pack("root.usda", made.diagnostics, options);
    ASSERT_TRUE(result);
    made.files = *std::move(result);
    if (limit == 3U) {
      EXPECT_THAT(made.names(), ElementsAre("root.usda", "a.usda", "b.usda", "t.png"));
      EXPECT_THAT(made.diagnostics, IsEmpty());
    } else {
      EXPECT_THAT(made.names(), ElementsAre("root.usda", "a.usda", "t.png"));
      ASSERT_EQ(made.diagnostics.size(), 1U);
      EXPECT_EQ(made.diagnostics[0].code, "usdz-not-packed");
      EXPECT_THAT(made.diagnostics[0].message, HasSubstr("'./b.usda'"));
    }
  }
}

TEST(Pack, KeepsTheFormatOfALayerThatHasBeenReadUnlessAskedForAnother) {
  MemoryResolver files;
  const std::string text = "#usda 1.0\n# Kept.\ndef \"A\" { asset a = @./t.png@; }\n";
  files.add("root.usda", text);
  files.add("t.png", std::string("t"));
  PackOptions options;
  options.open.resolver = &files;
  options.name = "root.usda";
  Diagnostics diagnostics;
  const auto layer = read_layer("root.usda", diagnostics, options.open);
  ASSERT_TRUE(layer);
  options.layer = *layer;
  const auto made = pack("root.usda", diagnostics, options);
  ASSERT_TRUE(made);
  EXPECT_EQ((*made)[0].bytes.text(), text);
}

TEST(Pack, TellsOfTemplatesThatItCannotFollow) {
  const std::string times[] = {
      "double templateStartTime = 2; double templateEndTime = 1; double templateStride = 1",
      "double templateStartTime = 1; double templateEndTime = 2; double templateStride = 0",
      "double templateStartTime = 1; double templateEndTime = 2",
      "double templateStartTime = 1; double templateStride = 1"};
  for (const std::string& set : times) {
    SCOPED_TRACE(set);
    MemoryResolver files;
    files.add("root.usda",
              "#usda 1.0\ndef \"A\" (clips = { dictionary default = {\n"
              "string templateAssetPath = \"c.#.usda\"\n" +
                  set + "\n} }) {}\n");
    for (const char* name : {"c.1.usda", "c.2.usda"}) files.add(name, std::string("#usda 1.0\n"));

    const Packed made = packed(files, "root.usda", "root.usda");

    EXPECT_THAT(made.names(), ElementsAre("root.usda"));
    EXPECT_THAT(made.text("root.usda"), HasSubstr("\"c.#.usda\""));
    ASSERT_EQ(made.diagnostics.size(), 1U);
    EXPECT_EQ(made.diagnostics[0].message, "The clips of the template 'c.#.usda' are not packed.");
  }
}

TEST(Pack, KeepsATemplateWhoseExpressionFails) {
  MemoryResolver files;
  files.add("root.usda", std::string("#usda 1.0\ndef \"A\" (clips = { dictionary default = {\n"
                                     "string templateAssetPath = \"`${NOPE}`\"\n} }) {}\n"));

  const Packed made = packed(files, "root.usda", "root.usda");

  EXPECT_THAT(made.text("root.usda"), HasSubstr("\"`${NOPE}`\""));
  ASSERT_EQ(made.diagnostics.size(), 1U);
  EXPECT_EQ(made.diagnostics[0].message, "What the expression '`${NOPE}`' gives is not packed.");
}

}  // namespace
}  // namespace sinew::stage::pack_test
