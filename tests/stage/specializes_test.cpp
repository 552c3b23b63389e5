// SPDX-License-Identifier: Apache-2.0
// The order among what is specialized, wherever the arcs are.
#include <gtest/gtest.h>

#include "support.hpp"

namespace sinew::stage::specializes_test {
namespace {

std::string first_of(const char* text, const char* prim) {
  Diagnostics diagnostics;
  const StagePtr stage = open_layers({{"root.usda", text}}, diagnostics);
  if (stage == nullptr || !diagnostics.empty()) return "problems";
  return text_at(*stage, prim, "from");
}

TEST(Specializes, WhatABaseIsBasedOnIsWeakerThanIt) {
  EXPECT_EQ(first_of("def \"P\" {\ntoken from = \"P\"\n}\n"
                     "def \"K\" (specializes = </P>) {\ntoken from = \"K\"\n}\n"
                     "def \"A\" (specializes = </K>) {}\n",
                     "/A"),
            "K");
}

// What comes with the children of a base is deeper than the other bases of the parent: it stands
// before the first of them, even before the base that brings it.
TEST(Specializes, BasesOfChildrenComeBeforeAllBasesOfTheirParent) {
  constexpr const char* kScene =
      "def \"P\" {\ntoken from = \"P\"\n}\n"
      "def \"J\" {}\n"
      "def \"K\" {\ndef \"b\" (specializes = </P>) {\ntoken from = \"K\"\n}\n}\n"
      "def \"Both\" (specializes = [</J>, </K>]) {}\n"
      "def \"One\" (specializes = </K>) {}\n";
  EXPECT_EQ(first_of(kScene, "/Both/b"), "P");
  EXPECT_EQ(first_of(kScene, "/One/b"), "K");
}

// Unless the prim has arcs of other kinds: none of its bases comes first then, and what is weaker
// than the last of them comes last.
TEST(Specializes, BasesOfChildrenComeLastBelowAPrimWithOtherArcs) {
  EXPECT_EQ(first_of("def \"P\" {\ntoken from = \"P\"\n}\n"
                     "def \"R\" {\ndef \"b\" {}\n}\n"
                     "def \"J\" {}\n"
                     "def \"K\" {\ndef \"b\" (specializes = </P>) {\ntoken from = \"K\"\n}\n}\n"
                     "def \"Both\" (references = </R>\nspecializes = [</J>, </K>]) {}\n",
                     "/Both/b"),
            "K");
}

// The depth that counts is that of the prim on the stage, not that of the site with the arc.
TEST(Specializes, DepthIsThatOfThePrimThatIsComposed) {
  EXPECT_EQ(first_of("def \"J\" {\ndef \"b\" {\ntoken from = \"J\"\n}\n}\n"
                     "def \"K\" {\ntoken from = \"K\"\n}\n"
                     "def \"S\" {\ndef \"b\" (specializes = </K>) {}\n}\n"
                     "def \"W\" {\ndef \"X\" {\ndef \"Y\" (references = </S>\n"
                     "specializes = </J>) {}\n}\n}\n",
                     "/W/X/Y/b"),
            "K");
}

// The place where an arc is implied at the root is the place of the site, though its opinions come
// by another way.
// What an inherited prim specializes stands at the root, so a class there is not an inherited one,
// which a weaker def would overrule.
TEST(Specializes, AClassThatAnInheritedPrimSpecializesSaysThatItsHeirIsAbstract) {
  Diagnostics diagnostics;
  const StagePtr stage = open_layers({{"root.usda",
                                       "class \"K\" {}\n"
                                       "def \"D\" {}\n"
                                       "over \"Q\" (specializes = [</K>, </D>]) {}\n"
                                       "over \"A\" (inherits = </Q>) {}\n"
                                       "over \"B\" (inherits = [</K>, </D>]) {}\n"}},
                                     diagnostics);
  ASSERT_TRUE(stage);
  EXPECT_EQ(stage->prim("/A").specifier(), layer::Specifier::class_);
  EXPECT_EQ(stage->prim("/B").specifier(), layer::Specifier::def);
}

TEST(Specializes, ASiteImpliedAtTheRootStandsThereOnce) {
  Diagnostics diagnostics;
  const StagePtr stage = open_layers({{"root.usda",
                                       "def \"P\" {\ntoken from = \"P\"\ndef \"c\" {}\n}\n"
                                       "def \"S\" (specializes = </P>) {}\n"
                                       "def \"T\" (references = </S>) {}\n"
                                       "def \"A\" (references = </T>) {}\n"}},
                                     diagnostics);
  ASSERT_NE(stage, nullptr);
  EXPECT_TRUE(diagnostics.empty());
  EXPECT_EQ(text_at(*stage, "/A", "from"), "P");
  EXPECT_TRUE(stage->prim("/A/c").valid());
}

// Two sites that other sites specialize below the same prim: the one that came first is stronger.
TEST(Specializes, OfOneDepthComeInTheOrderTheyWereFoundIn) {
  const char* const text =
      "def \"C\" {\ndef \"D\" {\nclass \"a\" {\ntoken from = \"C\"\n}\n}\n}\n"
      "over \"P\" {\n"
      "over \"b\" (prepend inherits = [<../S>, </P>]; prepend specializes = [</C/D/a>, <../a>]) "
      "{}\n"
      "def \"a\" {\ntoken from = \"P\"\n}\n}\n"
      "def \"B\" (specializes = [</N>, </P>]) {\nover \"a\" {}\n}\n";
  Diagnostics diagnostics;
  const StagePtr stage = open_layers({{"root.usda", text}}, diagnostics);
  EXPECT_EQ(text_at(*stage, "/B/b", "from"), "C");
  EXPECT_TRUE(stage->prim("/B/b").is_abstract());
}

// /B/c/a specializes /B/c/c, a copy of /X/c: its child /B/c/c/a leads to /X/c/a, which specializes
// /X/c/c. Both are sites that the root specializes, and the one that came to be deeper is stronger.
TEST(Specializes, SelectVariantsInTheOrderOfTheirStrength) {
  const auto layer = [](const std::string& selections) {
    return "class \"X\" {\ndef \"c\" {\n"
           "def \"c\" (variants = { string w = \"" +
           selections +
           "\" }) {\ntoken tok = \"other\"\n}\n"
           "over \"a\" (specializes = <../c>; variantSets = \"w\"; variants = { string w = \"two\" "
           "}) {\n"
           "variantSet \"w\" = {\n\"one\" {\ntoken y = \"one\"\n}\n\"two\" {\ntoken y = "
           "\"two\"\n}\n"
           "}\n}\n}\n}\n"
           "def \"B\" (references = </X>) {\ndef \"c\" (references = </X>) {}\n}\n";
  };
  const auto y_at = [&](const char* prim, const std::string& selection) {
    Diagnostics diagnostics;
    const std::string text = layer(selection);
    const StagePtr stage = open_layers({{"root.usda", text.c_str()}}, diagnostics);
    EXPECT_EQ(text_at(*stage, prim, "tok"), "other");
    return text_at(*stage, prim, "y");
  };
  EXPECT_EQ(y_at("/B/c/a/a", "one"), "one");
  EXPECT_EQ(y_at("/B/c/a/a", "none"), "no attribute");
  // Where the site itself has a selection, what it specializes is weaker.
  EXPECT_EQ(y_at("/B/c/a", "one"), "two");
  EXPECT_EQ(y_at("/B/c/c/a", "one"), "two");
  EXPECT_EQ(y_at("/X/c/a", "none"), "two");
}

}  // namespace
}  // namespace sinew::stage::specializes_test
