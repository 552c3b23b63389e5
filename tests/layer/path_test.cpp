// SPDX-License-Identifier: Apache-2.0
#include "sinew/layer/path.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace sinew::layer::path_test {
namespace {

Path path(std::string_view text) {
  Result<Path> result = Path::parse(text);
  EXPECT_TRUE(result) << text;
  return result ? *result : Path();
}

TEST(PathParse, ReadsEveryKindOfPath) {  // usda 17, grammar units
  for (const char* text :
       {"/", "/A/B.c", "../A", ".x", "..", "/A{v=x}B.c", "/A.r[/B].w", "A/B", "/A.b:c:d",
        "../../.radius", "/A{v=x}{w=}", "/A.x.expression", "/A.x.mapper[/B.y]",
        "/A.x.mapper[/B.y].arg", "/A.r[/B].w.expression", "/_a1/\xC3\xA9t\xC3\xA9"}) {
    EXPECT_TRUE(Path::parse(text)) << text;
  }
}

TEST(PathParse, RejectsWhatIsNoPath) {  // usda 17, grammar units
  for (const char* text : {"//A", "/A/", "/A.b/c", "A.b.c", "/A{v=x}/B", "/1A", "/A{}", " /A",
                           "/A.", "/A-b", "/A.b[/C", "A:b", "/.x", "/A.x.mapper", "/A.x.other",
                           "/A.x.expressions", "/A.x.mapper[/B.y].", "/A.r[/B].w.other"}) {
    EXPECT_FALSE(Path::parse(text)) << text;
  }
}

// Texts are views, often of a larger text: what stands behind them is none of theirs.
TEST(PathParse, ReadsNothingBehindItsText) {
  const std::string_view whole = "/A/B{v=one}{w=}C.rel[/D.x:y].mapper[../E].arg";
  for (std::size_t size = 0; size <= whole.size(); ++size) {
    const Result<Path> part = Path::parse(whole.substr(0, size));
    const Result<Path> alone = Path::parse(std::string(whole.substr(0, size)));
    ASSERT_EQ(static_cast<bool>(part), static_cast<bool>(alone)) << size;
    if (part) {
      EXPECT_EQ(*part, *alone);
    } else {
      EXPECT_EQ(part.error().message, alone.error().message);
    }
  }
}

TEST(PathParse, TellsWhereItFails) {
  struct Case {
    const char* text;
    std::uint32_t column;
    const char* rest;
  };
  for (const Case& each :
       {Case{"/A.b/c", 5, "'/' at position 4 does not fit."},
        Case{"//A", 2, "'/' at position 1 does not fit."}, Case{"/A/", 4, "it ends too early."},
        Case{"/A{v=x", 7, "it ends too early."}, Case{"/A.b[/C", 8, "it ends too early."},
        Case{"/A{v x}", 6, "'x' at position 5 does not fit."}}) {
    const Error error = Path::parse(each.text).error();
    EXPECT_EQ(error.code, ErrorCode::syntax);
    EXPECT_EQ(error.column, each.column) << each.text;
    EXPECT_EQ(error.message, std::string("'") + each.text + "' is not a path: " + each.rest);
  }
}

TEST(PathParse, ReadsTargetsInsideTargetsToADepth) {
  const auto nested = [](int depth) {
    std::string text = "/A.r";
    for (int i = 0; i < depth; ++i) text += "[/A.r";
    return text + std::string(static_cast<std::size_t>(depth), ']');
  };
  EXPECT_TRUE(Path::parse(nested(32)));
  EXPECT_FALSE(Path::parse(nested(33)));
}

TEST(PathParse, DropsBlanksInSelections) {
  EXPECT_EQ(path("/A{ v = x }B").str(), "/A{v=x}B");
}

TEST(PathParse, DropsBlanksAroundSelections) {
  EXPECT_EQ(path("/A {v=x} B").str(), "/A{v=x}B");
  EXPECT_EQ(path("/A\t{v=x}\t{w=}  B.c").str(), "/A{v=x}{w=}B.c");
  EXPECT_EQ(path("A {v=x} ").str(), "A{v=x}");
  EXPECT_EQ(path("/A{v=x} .c").str(), "/A{v=x}.c");
  EXPECT_EQ(path("/A.b[/C {v=x} D]").str(), "/A.b[/C{v=x}D]");
  for (const char* text : {"/A ", "/A B", "/A .c", "/A {v=x} /B", "/ {v=x}", " /A{v=x}"}) {
    EXPECT_FALSE(Path::parse(text)) << text;
  }
}

TEST(Path, ParentClimbsByElements) {
  EXPECT_EQ(path("/A/B").parent().str(), "/A");
  EXPECT_EQ(path("/A").parent().str(), "/");
  EXPECT_EQ(path("/A.x").parent().str(), "/A");
  EXPECT_EQ(path("/A{v=x}B").parent().str(), "/A{v=x}");
  EXPECT_EQ(path("/A{v=x}").parent().str(), "/A");
  EXPECT_EQ(path("/A.r[/B].w").parent().str(), "/A.r[/B]");
  EXPECT_EQ(path("/A.r[/B]").parent().str(), "/A.r");
  EXPECT_TRUE(path("/").parent().empty());
}

TEST(Path, PropertiesOfTheRootLieInIt) {
  const Path of = Path::root().property("x");
  EXPECT_EQ(of.str(), "/.x");
  EXPECT_EQ(of.name(), "x");
  EXPECT_EQ(of.prim_path(), Path::root());
  EXPECT_EQ(of.parent(), Path::root());
}

TEST(Path, NameIsTheLastElement) {
  EXPECT_EQ(path("/A/B").name(), "B");
  EXPECT_EQ(path("/A{v=x}B").name(), "B");
  EXPECT_EQ(path("/A.b:c").name(), "b:c");
}

TEST(Path, PrefixesAreWholeElements) {
  EXPECT_TRUE(path("/A/B").has_prefix(path("/A")));
  EXPECT_TRUE(path("/A.x").has_prefix(path("/A")));
  EXPECT_TRUE(path("/A{v=x}B").has_prefix(path("/A{v=x}")));
  EXPECT_FALSE(path("/AB").has_prefix(path("/A")));
  EXPECT_TRUE(path("/A").has_prefix(Path::root()));
  EXPECT_TRUE(path("/A").has_prefix(path("/A")));
  EXPECT_TRUE(path("/A{v=x}").has_prefix(path("/A")));
  EXPECT_TRUE(path("/A.r[/B]").has_prefix(path("/A.r")));
  EXPECT_FALSE(path("/A.rs").has_prefix(path("/A.r")));
  EXPECT_FALSE(path("/A").has_prefix(path("/A/B")));
  EXPECT_FALSE(path("/BB").has_prefix(path("/AB")));
  EXPECT_FALSE(path("A").has_prefix(Path::root()));
  EXPECT_FALSE(path("/A").has_prefix(Path()));
  EXPECT_FALSE(Path().has_prefix(path("/A")));
  EXPECT_FALSE(Path().has_prefix(Path::root()));
}

TEST(Path, ReplacesPrefixes) {
  EXPECT_EQ(path("/A/B.x").replace_prefix(path("/A"), path("/W/M")).str(), "/W/M/B.x");
  EXPECT_EQ(path("/A.x").replace_prefix(path("/A"), path("/W")).str(), "/W.x");
  EXPECT_EQ(path("/A/B").replace_prefix(path("/A"), Path::root()).str(), "/B");
  EXPECT_EQ(path("/A/B").replace_prefix(Path::root(), path("/W")).str(), "/W/A/B");
  EXPECT_EQ(path("/A{v=x}B").replace_prefix(path("/A{v=x}"), path("/W")).str(), "/W/B");
  EXPECT_EQ(path("/C").replace_prefix(path("/A"), path("/W")).str(), "/C");
  EXPECT_EQ(path("../.x").replace_prefix(path(".."), path("/W")).str(), "/W.x");
  EXPECT_EQ(path("../A.x").replace_prefix(path(".."), path("/W")).str(), "/W/A.x");
  EXPECT_EQ(path("/A.x").replace_prefix(path("/A"), path("..")).str(), "../.x");
  EXPECT_EQ(path("/A.x").replace_prefix(path("/A"), path(".")).str(), ".x");
  EXPECT_EQ(path("/A").replace_prefix(path("/A"), path("/W")).str(), "/W");
  EXPECT_EQ(path("/A/B").replace_prefix(path("/A"), path("/W{v=x}")).str(), "/W{v=x}B");
  EXPECT_EQ(path("/A{v=x}B").replace_prefix(path("/A"), path("/W")).str(), "/W{v=x}B");
  EXPECT_EQ(path("/A{v=x}.p").replace_prefix(path("/A{v=x}"), path("/W")).str(), "/W.p");
  EXPECT_EQ(path("/A.r[/B]").replace_prefix(path("/A.r"), path("/W.s")).str(), "/W.s[/B]");
}

TEST(Path, OfPropertiesOfPrimsAboveAreRead) {
  for (const char* prim : {"/A", "A", ".", "..", "../..", "../A", "/A{v=x}"}) {
    const Path property = path(prim).property("x:y");
    EXPECT_EQ(path(property.str().c_str()), property) << prim;
    EXPECT_EQ(property.prim_path(), path(prim)) << prim;
  }
}

TEST(Path, MakesRelativePathsAbsolute) {
  EXPECT_EQ(path("../A").make_absolute(path("/W/M"))->str(), "/W/A");
  EXPECT_EQ(path("B.x").make_absolute(path("/W"))->str(), "/W/B.x");
  EXPECT_EQ(path(".x").make_absolute(path("/W"))->str(), "/W.x");
  EXPECT_EQ(path("..").make_absolute(path("/W/M"))->str(), "/W");
  EXPECT_EQ(path("../B").make_absolute(path("/W{v=x}M"))->str(), "/W/B");
  EXPECT_FALSE(path("../../A").make_absolute(path("/W")));
  EXPECT_EQ(path("../../A").make_absolute(path("/W")).error().message,
            "'../../A' climbs above the root from '/W'.");
  EXPECT_FALSE(path("..").make_absolute(Path::root()));
  EXPECT_FALSE(path("..").make_absolute(Path()));
  EXPECT_EQ(path("../..").make_absolute(path("/W/M"))->str(), "/");
  EXPECT_EQ(path("../.x").make_absolute(path("/W/M"))->str(), "/W.x");
  EXPECT_EQ(path("../../A").make_absolute(path("/W/M"))->str(), "/A");
  EXPECT_EQ(path(".").make_absolute(path("/W{v=x}"))->str(), "/W");
  EXPECT_EQ(path("A").make_absolute(Path::root())->str(), "/A");
  EXPECT_EQ(path("/A/B").make_absolute(path("/W"))->str(), "/A/B");
  EXPECT_EQ(path("/A.r[/B]").make_absolute(path("/W"))->str(), "/A.r[/B]");
  EXPECT_EQ(path("/A.r[B].x[../C]").make_absolute(path("/W/M"))->str(), "/A.r[/W/M/B].x[/W/C]");
  EXPECT_FALSE(path("/A.r[B].x[../../C]").make_absolute(path("/W")));
}

TEST(Path, FindsThePropertyBehindSelectionsAndDots) {
  struct Case {
    const char* path;
    const char* name;
    const char* prim;
    const char* parent;
  };
  for (const Case& c : {Case{"/A{v-w=.x|y-z}B.p", "p", "/A{v-w=.x|y-z}B", "/A{v-w=.x|y-z}B"},
                        Case{"/A{v=.x}", "{v=.x}", "/A{v=.x}", "/A"},
                        Case{"/A{v=}{w=.y}.p:q", "p:q", "/A{v=}{w=.y}", "/A{v=}{w=.y}"},
                        Case{"../A.x", "x", "../A", "../A"}, Case{"../.x", "x", "..", ".."},
                        Case{"../../.x", "x", "../..", "../.."}, Case{"../A", "A", "../A", ".."},
                        Case{".x", "x", ".", "."}, Case{"/A.r[../.x]", "r[../.x]", "/A", "/A.r"},
                        Case{"/A.r[/B.s[/C]].w", "w", "/A", "/A.r[/B.s[/C]]"},
                        Case{"/A.r[/B.s[/C]]", "r[/B.s[/C]]", "/A", "/A.r"}}) {
    const Path of = path(c.path);
    EXPECT_EQ(of.name(), c.name) << c.path;
    EXPECT_EQ(of.prim_path().view(), c.prim) << c.path;
    EXPECT_EQ(of.parent().view(), c.parent) << c.path;
    EXPECT_EQ(of.is_prim(), of.view() == c.prim) << c.path;
    EXPECT_TRUE(Path::parse(of.prim_path().view())) << c.path;
  }
}

TEST(PathParse, KnowsTheCharactersOfSelections) {
  for (const char* text : {"/A{v-w=x}", "/A{v1-=x|y}", "/A{v=-x}", "/A{v=1}", "/A{v=.x}", "/A{v=.}",
                           "/A{v=|}", "/A{\xC3\xA9=\xC3\xA9}"}) {
    EXPECT_TRUE(Path::parse(text)) << text;
  }
  for (const char* text : {"/A{-v=x}", "/A{v|w=x}", "/A{v=..x}", "/A{v=x.y}", "/A{v=x:y}",
                           "/A{1=x}", "/A{v}", "/A{v=x", "/A{v=x y}", "/A{v w=x}"}) {
    EXPECT_FALSE(Path::parse(text)) << text;
  }
}

TEST(Path, OrdersByElements) {
  const std::vector<std::string> expected = {
      "",         "/",         "/A",       "/A/B", "/A/B/C",   "/A/B.x",    "/A{v=x}",
      "/A{v=x}B", "/A{v=x-y}", "/A{v=xy}", "/A.x", "/A.x[/B]", "/A.x[/BC]", "/A.xy",
      "/A1",      "/AB",       "../A",     ".x",   "A"};
  std::vector<Path> paths;
  for (const std::string& text : expected) paths.push_back(path(text));
  std::reverse(paths.begin(), paths.end());

  std::sort(paths.begin(), paths.end());

  std::vector<std::string> sorted;
  for (const Path& of : paths) sorted.push_back(of.str());
  EXPECT_EQ(sorted, expected);
}

TEST(Path, StripsSelections) {
  EXPECT_EQ(path("/A{v=x}B{w=y}.c").strip_variants().str(), "/A/B.c");
  EXPECT_EQ(path("/A{v=x}").strip_variants().str(), "/A");
  EXPECT_EQ(path("/A{v=x}{w=y}B").strip_variants().str(), "/A/B");
  EXPECT_EQ(path("/A{v=x}.r[/C{u=}]").strip_variants().str(), "/A.r[/C]");
  EXPECT_EQ(path("/A.r[/C{u=z}D].w").strip_variants().str(), "/A.r[/C/D].w");
}

TEST(PathParse, RejectsPropertiesWithNamesThatAreIncomplete) {
  for (const char* text : {"/A.b:", "/A.b::c", "/A.:b", "/A.r[/B].", "/A.r[/B].w[",
                           "/A.r[/B].w:", "/A{v=\xFF}", "/A{v=\xC2\xA1}", "/A{v\xFF=x}"}) {
    EXPECT_FALSE(Path::parse(text)) << text;
  }
}

TEST(Path, OfOneRelativeElementHasNoParent) {
  EXPECT_EQ(path("A").parent(), Path());
  EXPECT_EQ(path("A").name(), "A");
  EXPECT_EQ(path("A{v=x}").parent().str(), "A");
  EXPECT_EQ(path("A{v=x}").name(), "{v=x}");
  EXPECT_EQ(path("A/B").parent().str(), "A");
  EXPECT_EQ(Path().parent(), Path());
}

TEST(Path, OfTheRootHasNoNameAndIsNoPrim) {
  EXPECT_EQ(Path::root().name(), "");
  EXPECT_FALSE(Path::root().is_prim());
  EXPECT_FALSE(Path::root().is_property());
  EXPECT_FALSE(Path().is_prim());
  EXPECT_FALSE(Path().is_property());
  EXPECT_FALSE(path("/A.x").is_prim());
}

TEST(Path, ChildrenOfNoPathAreRelative) {
  EXPECT_EQ(Path().child("A").str(), "A");
  EXPECT_EQ(Path::root().child("A").str(), "/A");
  EXPECT_EQ(path("/A{v=x}").child("B").str(), "/A{v=x}B");
}

}  // namespace
}  // namespace sinew::layer::path_test
