// SPDX-License-Identifier: Apache-2.0
#include "sinew/usdz/arkit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "sinew/usda/parser.hpp"

namespace sinew::usdz::arkit_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::string_view kGoodHeader =
    "#usda 1.0\n(\n  defaultPrim = \"A\"\n  upAxis = \"Y\"\n  metersPerUnit = 0.01\n)\n";

// What the check says of a layer, in a package with two textures.
std::vector<std::string> complaints(std::string_view text) {
  Diagnostics diagnostics;
  const auto layer = usda::parse(text, "a.usda", diagnostics);
  for (const Diagnostic& diagnostic : diagnostics) ADD_FAILURE() << format(diagnostic);
  if (!layer) return {"unreadable"};
  diagnostics.clear();
  const std::vector<std::string_view> names = {"a.usdc", "t.png", "textures/t.JPG", "e.exr"};
  check_arkit(**layer, names, diagnostics);
  std::vector<std::string> messages;
  for (const Diagnostic& diagnostic : diagnostics) {
    EXPECT_EQ(diagnostic.code, "usdz-arkit");
    EXPECT_EQ(diagnostic.severity, Severity::warning);
    messages.push_back(diagnostic.message);
  }
  return messages;
}

std::vector<std::string> complaints_of_body(std::string_view body) {
  return complaints(std::string(kGoodHeader) + std::string(body));
}

TEST(CheckArkit, IsContentWithAnOrdinaryCharacter) {  // usdz 9
  EXPECT_THAT(complaints_of_body(R"(
def SkelRoot "A" (
  references = </B>
) {
  rel material:binding = </A/Look>
  def Skeleton "Skel" {
    uniform matrix4d[] restTransforms = []
    rel skel:animationSource = <Clip>
    def SkelAnimation "Clip" {
    }
  }
  def "Untyped" {
  }
  def Material "Look" {
    token outputs:surface.connect = <Surface.outputs:surface>
    def Shader "Surface" {
      uniform token info:id = "UsdPreviewSurface"
      color3f inputs:diffuseColor.connect = </A/Look/Texture.outputs:rgb>
    }
    def Shader "Texture" {
      uniform token info:id = "UsdUVTexture"
      asset inputs:file = @./textures/../t.png@
      asset inputs:other = @textures/t.JPG@
      float2 inputs:st.connect = </A/Look/St.outputs:result>
    }
    def Shader "St" {
      uniform token info:id = "UsdPrimvarReader_float2"
    }
  }
}
class "B" {
}
)"),
              IsEmpty());
}

TEST(CheckArkit, WantsADefaultPrimAnAxisAndAUnit) {
  EXPECT_THAT(complaints("#usda 1.0\n(\n  upAxis = \"Z\"\n)\n"),
              ElementsAre("The layer has no defaultPrim.", "The layer does not say upAxis = \"Y\".",
                          "The layer has no metersPerUnit."));
}

TEST(CheckArkit, WantsNoArcsToOtherFiles) {
  EXPECT_THAT(complaints(R"(#usda 1.0
(
  defaultPrim = "A"
  upAxis = "Y"
  metersPerUnit = 1
  subLayers = [@./sub.usda@]
)
def "A" (
  prepend references = @./b.usda@
  variants = {
    string v = "x"
  }
  prepend variantSets = "v"
) {
  variantSet "v" = {
    "x" {
      over "C" (
        payload = @./c.usda@</C>
      ) {
      }
    }
  }
}
)"),
              ElementsAre(HasSubstr("sublayer @./sub.usda@"), HasSubstr("reference @./b.usda@"),
                          HasSubstr("payload @./c.usda@")));
}

TEST(CheckArkit, KnowsTheTypesOfUsdAndNamesOthersOnce) {
  EXPECT_THAT(complaints_of_body(R"(
def Xform "A" {
  def PointInstancer "P" {
  }
  def MyType "M" {
  }
  def MyType "N" {
  }
  def Capsule_1 "C" {
  }
}
)"),
              ElementsAre("Prims of the type 'PointInstancer' are not shown.",
                          "Prims of the type 'MyType' are not part of USD."));
}

TEST(CheckArkit, KnowsThePreviewShadersOnly) {
  EXPECT_THAT(
      complaints_of_body(R"(
def Material "A" {
  def Shader "S" {
    uniform token info:id = "ND_standard_surface_surfaceshader"
  }
  def Shader "T" {
  }
}
)"),
      ElementsAre(HasSubstr("ND_standard_surface_surfaceshader"), "The shader has no info:id."));
}

TEST(CheckArkit, WantsSourcesAndMaterialsThatAreThere) {
  EXPECT_THAT(complaints_of_body(R"(
def Mesh "A" {
  rel material:binding = </Nowhere>
  float inputs:a.connect = </A/Gone.outputs:r>
  float inputs:b.connect = [</A.x>, </A.y>]
  rel other = </Nowhere>
}
)"),
              ElementsAre("material:binding leads to </Nowhere>, which is not in the layer.",
                          "inputs:a leads to </A/Gone.outputs:r>, which is not in the layer.",
                          "inputs:b has more than one source."));
}

TEST(CheckArkit, WantsPackedTexturesOfTwoKinds) {
  EXPECT_THAT(complaints_of_body(R"(
def Shader "A" {
  uniform token info:id = "UsdUVTexture"
  asset inputs:a = @./t.<UDIM>.png@
  asset inputs:b = @./e.exr@
  asset inputs:c = @../t.png@
  asset[] inputs:d = [@t.png@, @/abs/t.png@]
  asset inputs:e.timeSamples = {
    1: @./gone.png@
  }
}
)"),
              ElementsAre("inputs:a names UDIM tiles, @./t.<UDIM>.png@.",
                          "inputs:b names @./e.exr@, neither a png nor a jpeg image.",
                          "inputs:c names @../t.png@, which is not in the package.",
                          "inputs:d names @/abs/t.png@, which is not in the package.",
                          "inputs:e names @./gone.png@, which is not in the package."));
}

TEST(CheckArkit, WantsRestTransformsAndOneAnimation) {
  EXPECT_THAT(complaints_of_body(R"(
def Skeleton "A" {
  rel skel:animationSource = [</A/B>, </A/C>]
}
)"),
              ElementsAre("skel:animationSource names more than one animation.",
                          "The skeleton has no restTransforms."));
}

TEST(CheckArkit, WantsMetadataOfTheRightWords) {
  EXPECT_THAT(
      complaints("#usda 1.0\n(\n  defaultPrim = \"\"\n  upAxis = \"y\"\n  metersPerUnit = 1\n)\n"),
      ElementsAre("The layer has no defaultPrim.", "The layer does not say upAxis = \"Y\"."));
}

TEST(CheckArkit, KnowsEveryPreviewShaderAndKindOfImage) {
  EXPECT_THAT(complaints_of_body(R"(
def Scope "A" {
  def Shader "S" {
    uniform token other = "none"
    uniform token info:id = "UsdTransform2d"
  }
  def Shader "T" {
    uniform token info:id = "UsdPrimvarReader_"
    asset inputs:a = @textures/t.JPG@
    asset inputs:b = @@
    asset inputs:c = @textures/t.jpeg@
  }
  def Shader "U" {
    uniform token info:id = "UsdTransform2D"
  }
  over "V" {
    rel material:binding:preview = </Nowhere>
    rel material:bindings = </Nowhere>
    rel material:binding = [</A/S>, <../Gone>]
    asset other = @e.exr@
  }
  over Shader "W" {
  }
}
)"),
              ElementsAre("inputs:c names @textures/t.jpeg@, which is not in the package.",
                          "info:id is 'UsdTransform2D', a shader that viewers do not know.",
                          "material:binding:preview leads to </Nowhere>, which is not in the "
                          "layer.",
                          "material:binding leads to </A/Gone>, which is not in the layer."));
}

TEST(CheckArkit, FindsTexturesFromTheFolderOfTheLayer) {
  Diagnostics diagnostics;
  const auto layer = usda::parse(std::string(kGoodHeader) + R"(
def "A" {
  asset inputs:a = @t.png@
  asset inputs:b = @./t.png@
  asset inputs:c = @../t.png@
  asset inputs:d = @../d/./t.png@
  asset inputs:e = @../../t.png@
  asset inputs:f = @d/t.png@
  asset inputs:g = @x/../u.png@
  asset inputs:h = @../u.png@
}
)",
                                 "a.usda", diagnostics);
  ASSERT_TRUE(layer);
  const auto missing = [&](const std::vector<std::string_view>& names) {
    diagnostics.clear();
    check_arkit(**layer, names, diagnostics);
    std::string letters;
    for (const Diagnostic& diagnostic : diagnostics) letters += diagnostic.message.at(7);
    return letters;
  };
  EXPECT_EQ(missing({"d/a.usdc", "d/t.png", "t.png"}), "efgh");
  EXPECT_EQ(missing({"d/a.usdc", "d/u.png", "d/d/t.png", "d/t.png"}), "ceh");
  EXPECT_EQ(missing({"a.usdc", "t.png", "u.png", "../t.png"}), "defh");
  EXPECT_EQ(missing({}), "abcdefgh");
}

TEST(CheckArkit, WantsEachOfTheMetadataOfTheLayer) {
  EXPECT_THAT(complaints("#usda 1.0\n(\n  defaultPrim = \"A\"\n  metersPerUnit = 1\n)\n"),
              ElementsAre("The layer does not say upAxis = \"Y\"."));
  EXPECT_THAT(complaints("#usda 1.0\n(\n  upAxis = \"Y\"\n  metersPerUnit = 1\n)\n"),
              ElementsAre("The layer has no defaultPrim."));
  EXPECT_THAT(complaints("#usda 1.0\n(\n  defaultPrim = \"A\"\n  upAxis = \"Y\"\n)\n"),
              ElementsAre("The layer has no metersPerUnit."));
}

TEST(CheckArkit, FindsTexturesBehindSlashesThatAddNothing) {
  EXPECT_THAT(complaints_of_body(R"(
def "A" {
  asset inputs:a = @textures//t.JPG@
  asset inputs:b = @.//textures/./t.JPG@
  asset inputs:c = @textures/t.JPG/@
  asset inputs:d = @textures///u.JPG@
}
)"),
              ElementsAre("inputs:d names @textures///u.JPG@, which is not in the package."));
}

TEST(CheckArkit, BelievesInWhatVariantsAndArcsOfTheNearestPrimMayBring) {
  EXPECT_THAT(complaints_of_body(R"(
def "A" (
  references = </B>
) {
  def "C" {
    rel material:binding = </A/Look>
    rel material:binding:preview = </A/C/Look>
  }
}
class "B" {
}
)"),
              ElementsAre("material:binding:preview leads to </A/C/Look>, which is not in the "
                          "layer."));
}

}  // namespace
}  // namespace sinew::usdz::arkit_test
