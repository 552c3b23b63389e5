// SPDX-License-Identifier: Apache-2.0
// Collections and material bindings: the scene of stage.md 10.12.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sinew/geom/collections.hpp"
#include "sinew/geom/material_binding.hpp"
#include "stage/support.hpp"

namespace sinew::geom::binding_test {
namespace {

class Bindings : public ::testing::Test {
 protected:
  void SetUp() override {
    stage_ = stage::open_layers({{"root.usda", R"(
def Material "Base" {}
def Material "Phys" {}
def Material "Coll" {}
def Material "Direct" {}
def "W" (apiSchemas = ["CollectionAPI:nobig"]) {
    rel material:binding = </Base>
    rel material:binding:physics = </Phys>
    rel material:binding:collection:c1 = [</W.collection:nobig>, </Coll>]
    rel collection:all:includes = </W>
    rel collection:nobig:includes = </W/G>
    rel collection:nobig:excludes = </W/G/Big>
    uniform token collection:one:expansionRule = "explicitOnly"
    rel collection:one:includes = </W/G>
    rel collection:without:excludes = </W/G>
    rel collection:nested:includes = [</W.collection:nobig>, </W/H>]
    rel collection:nested:excludes = </W/G/Small>
    uniform pathExpression collection:expression:membershipExpression = "/W/G//B*"
    rel collection:loop:includes = </W.collection:loop>
    def "G" {
        def Cube "Big" { rel material:binding = </Direct>; }
        def Cube "Small" {}
        def Cube "Small2" { rel material:binding = </Direct>; }
    }
    def Cube "H" {}
}
def "S" (apiSchemas = ["CollectionAPI:self"]) {
    rel collection:self:includes = </S>
    rel material:binding:collection:a = [</S.collection:self>, </Coll>]
    rel material:binding:collection:b = [</S.collection:self>, </Base>] (
        bindMaterialAs = "strongerThanDescendants"
    )
    def Cube "K" { rel material:binding = </Direct>; }
    def Cube "L" {}
}
def Cube "Dangling" { rel material:binding = </Nothing>; }
)"}},
                                diagnostics_);
  }
  bool member(const char* collection, const char* path) {
    return Collection::read(stage_->prim("/W"), collection, &diagnostics_)
        .contains(*layer::Path::parse(path));
  }
  std::string material(const char* prim, const char* purpose = "") {
    MaterialBindings bindings(*stage_, purpose);
    const MaterialBinding binding = bindings.resolve(stage_->prim(prim));
    if (!binding.bound) return "unbound";
    return binding.material ? binding.material.name().str() : "missing";
  }
  stage::StagePtr stage_;
  Diagnostics diagnostics_;
};

TEST_F(Bindings, MembershipFollowsTheNearestRule) {  // stage 10.12
  EXPECT_TRUE(member("all", "/W/G/Big"));
  EXPECT_TRUE(member("nobig", "/W/G"));
  EXPECT_TRUE(member("nobig", "/W/G/Small"));
  EXPECT_FALSE(member("nobig", "/W/G/Big"));
  EXPECT_TRUE(member("one", "/W/G"));
  EXPECT_FALSE(member("one", "/W/G/Small"));
  EXPECT_FALSE(member("without", "/W/H"));
  EXPECT_TRUE(member("nested", "/W/G/Small2"));
  EXPECT_TRUE(member("nested", "/W/H"));
  EXPECT_FALSE(member("nested", "/W/G/Small"));
  EXPECT_FALSE(member("nested", "/W/G/Big"));
  EXPECT_TRUE(member("expression", "/W/G/Big"));
  EXPECT_FALSE(member("expression", "/W/G/Small"));
  EXPECT_FALSE(member("loop", "/W"));
}

TEST_F(Bindings, MaterialsFollowPurposeCollectionsAndStrength) {  // stage 10.12
  EXPECT_EQ(material("/W/G/Big"), "Direct");
  EXPECT_EQ(material("/W/G/Small"), "Coll");
  EXPECT_EQ(material("/W/G/Small2"), "Direct");
  EXPECT_EQ(material("/W/H"), "Base");
  for (const char* prim : {"/W/G/Big", "/W/G/Small", "/W/G/Small2", "/W/H"}) {
    EXPECT_EQ(material(prim, "physics"), "Phys") << prim;
  }
  EXPECT_EQ(material("/S/K"), "Base");
  EXPECT_EQ(material("/S/L"), "Coll");
  EXPECT_EQ(material("/Dangling"), "missing");
  EXPECT_EQ(material("/S/L", "full"), "Coll");
}

stage::StagePtr open_root(const char* text, Diagnostics& diagnostics) {
  return stage::open_layers({{"root.usda", text}}, diagnostics);
}

TEST(CollectionRules, AnExplicitEntryDoesNotEndTheExpansionOfOneAboveIt) {
  Diagnostics diagnostics;
  const stage::StagePtr stage = open_root(R"(
def "A" {
    rel collection:both:includes = [</A>, </A.collection:one>]
    rel collection:one:includes = </A/B>
    uniform token collection:one:expansionRule = "explicitOnly"
    def "B" {
        def "C" {}
    }
}
)",
                                          diagnostics);
  const Collection both = Collection::read(stage->prim("/A"), "both");
  EXPECT_TRUE(both.contains(*layer::Path::parse("/A/B")));
  EXPECT_TRUE(both.contains(*layer::Path::parse("/A/B/C")));
  const Collection one = Collection::read(stage->prim("/A"), "one");
  EXPECT_TRUE(one.contains(*layer::Path::parse("/A/B")));
  EXPECT_FALSE(one.contains(*layer::Path::parse("/A/B/C")));
}

TEST(CollectionRules, AnEntryOfPrimsDoesNotEndTheExpansionOfPropertiesAboveIt) {
  Diagnostics diagnostics;
  const stage::StagePtr stage = open_root(R"(
def "A" {
    rel collection:both:includes = [</A>, </A.collection:prims>]
    uniform token collection:both:expansionRule = "expandPrimsAndProperties"
    rel collection:prims:includes = </A/B>
    def "B" {
        int x = 1
    }
}
def "R" {
    uniform bool collection:all:includeRoot = 1
}
)",
                                          diagnostics);
  const Collection both = Collection::read(stage->prim("/A"), "both");
  EXPECT_EQ(both.rules().at("/A/B"), MembershipRule::expand_prims);
  EXPECT_TRUE(both.contains(*layer::Path::parse("/A/B")));
  EXPECT_TRUE(both.contains(*layer::Path::parse("/A/B.x")));
  const Collection prims = Collection::read(stage->prim("/A"), "prims");
  EXPECT_TRUE(prims.contains(*layer::Path::parse("/A/B")));
  EXPECT_FALSE(prims.contains(*layer::Path::parse("/A/B.x")));
  // The root counts for what is below it, but is no prim.
  const Collection all = Collection::read(stage->prim("/R"), "all");
  EXPECT_TRUE(all.contains(*layer::Path::parse("/A/B")));
  EXPECT_FALSE(all.contains(layer::Path::root()));
}

TEST(CollectionRules, AnUnknownExpansionRuleExpandsWhereMembershipIsAsked) {
  Diagnostics diagnostics;
  const stage::StagePtr stage = open_root(R"(
def "A" {
    rel collection:odd:includes = </A>
    uniform token collection:odd:expansionRule = "everything"
    def "B" {}
}
)",
                                          diagnostics);
  const Collection odd = Collection::read(stage->prim("/A"), "odd", &diagnostics);
  EXPECT_TRUE(odd.contains(*layer::Path::parse("/A/B")));
  EXPECT_EQ(odd.rules().at("/A"), MembershipRule::unknown);
  ASSERT_EQ(diagnostics.size(), 1u);
  EXPECT_EQ(diagnostics[0].code, "geom-collection-expansion-rule");
}

TEST(CollectionBindings, CountOnlyWhereTheCollectionIsApplied) {
  for (const Rules rules : {Rules::documented, Rules::openusd}) {
    Diagnostics diagnostics;
    stage::OpenOptions options;
    options.rules = rules;
    const stage::StagePtr stage = stage::open_layers({{"root.usda", R"(
def Material "M" {}
def Cube "Applied" (apiSchemas = ["CollectionAPI:all"]) {
    rel collection:all:includes = </Applied>
    rel material:binding:collection:all = [</Applied.collection:all>, </M>]
}
def Cube "NotApplied" {
    rel collection:all:includes = </NotApplied>
    rel material:binding:collection:all = [</NotApplied.collection:all>, </M>]
}
)"}},
                                                     diagnostics, options);
    MaterialBindings bindings(*stage, "");
    EXPECT_TRUE(bindings.resolve(stage->prim("/Applied")).bound);
    EXPECT_FALSE(bindings.resolve(stage->prim("/NotApplied")).bound);
  }
}

TEST(MatchesPathExpression, KnowsPatternsAndOperators) {  // stage 8.3
  const auto matches = [](const char* expression, const char* path) {
    return matches_path_expression(expression, *layer::Path::parse(path));
  };
  EXPECT_TRUE(matches("/A//", "/A"));
  EXPECT_TRUE(matches("/A//", "/A/B/C"));
  EXPECT_FALSE(matches("/A//", "/B"));
  EXPECT_TRUE(matches("//C", "/A/B/C"));
  EXPECT_TRUE(matches("/A/[BC]?", "/A/Bx"));
  EXPECT_FALSE(matches("/A/[BC]?", "/A/Dx"));
  EXPECT_TRUE(matches("/A /B", "/B"));
  EXPECT_FALSE(matches("/A// - /A/B", "/A/B"));
  EXPECT_TRUE(matches("/A// & ~/A/B", "/A/C"));
  EXPECT_TRUE(matches("(/A + /B) & /B", "/B"));
}

TEST(MatchesPathExpression, AsksPredicatesOfPrims) {
  Diagnostics diagnostics;
  const stage::StagePtr stage = stage::open_layers({{"root.usda", R"(
def Xform "W" (apiSchemas = ["PhysicsRigidBodyAPI", "CollectionAPI:one"]) {
    def Cube "Box" (apiSchemas = ["PhysicsCollisionAPI"]) {}
    def Sphere "Ball" {}
    over "Over" {}
}
class "Class" {
    def Cube "Box" {}
}
)"}},
                                                   diagnostics);
  ASSERT_NE(stage, nullptr);
  const auto matches = [&](const char* expression, const char* path) {
    return matches_path_expression(expression, stage->prim(path));
  };
  const auto box = [&](const std::string& predicate) {
    return matches(("//{" + predicate + "}").c_str(), "/W/Box");
  };
  EXPECT_TRUE(box("isa:Cube"));
  EXPECT_TRUE(box("isa:Gprim"));
  EXPECT_TRUE(box("isa:Sphere,Cube"));
  EXPECT_TRUE(box("isa(Cube, strict=true)"));
  EXPECT_FALSE(box("isa(Gprim, strict=true)"));
  EXPECT_FALSE(box("isa:Sphere"));
  EXPECT_FALSE(box("isa:Nothing"));
  EXPECT_TRUE(box("hasAPI:PhysicsCollisionAPI"));
  EXPECT_FALSE(box("hasAPI:PhysicsRigidBodyAPI"));
  EXPECT_TRUE(box("isa:'Cube'"));
  // Strings may hold what ends a predicate, and arguments may be empty.
  EXPECT_TRUE(box("isa:'} /[' or isa:Cube"));
  EXPECT_TRUE(box("isa:'\\'}' or isa:Cube"));
  EXPECT_FALSE(box("isa:'\\'}' or isa:Mesh"));
  EXPECT_TRUE(matches("//{isa:'[' or isa:Cube}-//{isa:Sphere}", "/W/Box"));
  EXPECT_TRUE(box("isa(Cube,)"));
  EXPECT_TRUE(box("isa:Cube,"));
  EXPECT_TRUE(box("not isa:"));
  EXPECT_TRUE(box("isa(\"Sphere\", 'Cube')"));
  EXPECT_TRUE(box("defined:1"));
  EXPECT_TRUE(box("defined(yes)"));
  EXPECT_FALSE(box("defined:no"));
  EXPECT_TRUE(box("abstract:0"));
  EXPECT_TRUE(box("isa:Sphere or isa:Mesh or isa:Cube"));
  EXPECT_TRUE(box("isa:Cube or isa:Sphere and isa:Mesh"));
  EXPECT_FALSE(box("isa:Cube and isa:Mesh isa:Cube"));
  EXPECT_FALSE(box("isa:Mesh isa:Cube"));
  EXPECT_TRUE(box("not isa:Mesh isa:Cube"));
  EXPECT_TRUE(box("not not isa:Cube"));
  EXPECT_TRUE(box("  isa:Cube\t"));
  EXPECT_FALSE(box("isa:Cube x"));
  EXPECT_FALSE(box("isa:Cube )"));
  EXPECT_TRUE(box("defined()"));
  EXPECT_TRUE(box("defined( true )"));
  EXPECT_FALSE(box("specifier(a=def)"));
  EXPECT_TRUE(box(std::string(64, '(') + "defined" + std::string(64, ')')));
  EXPECT_FALSE(box(std::string(65, '(') + "defined" + std::string(65, ')')));
  EXPECT_TRUE(box("isa:Cube and not hasAPI:PhysicsMassAPI"));
  EXPECT_TRUE(box("isa:Cube hasAPI:PhysicsCollisionAPI"));
  EXPECT_FALSE(box("isa:Cube hasAPI:PhysicsMassAPI"));
  EXPECT_TRUE(box("isa:Sphere or (defined and not abstract)"));
  EXPECT_TRUE(box("specifier:def"));
  EXPECT_FALSE(box("specifier:over,class"));
  for (const char* broken :
       {"", "isa:", "isa(Cube", "not", "isa:Cube and", "unheard:Cube", "(defined", "isa:'Cube",
        "isa:\"Cube", "isa:'Cube\"", "isa('Cube)", "isa:'Cube\\"})
    EXPECT_FALSE(box(broken)) << broken;
  EXPECT_TRUE(matches("//{hasAPI:CollectionAPI}", "/W"));
  EXPECT_TRUE(matches("//{hasAPI(CollectionAPI, instanceName='one')}", "/W"));
  EXPECT_FALSE(matches("//{hasAPI(CollectionAPI, instanceName='two')}", "/W"));
  EXPECT_TRUE(matches("//{abstract}", "/Class/Box"));
  EXPECT_TRUE(matches("//{defined:false}", "/W/Over"));
  // Of a prim on the way too, and beside a name.
  EXPECT_TRUE(matches("/W{isa:Xform}/B*{isa:Cube}", "/W/Box"));
  EXPECT_FALSE(matches("/W{isa:Mesh}/B*{isa:Cube}", "/W/Box"));
  EXPECT_FALSE(matches("/W//B*{isa:Cube}", "/W/Ball"));
  EXPECT_TRUE(matches("//B* - //{isa:Sphere}", "/W/Box"));
  EXPECT_FALSE(matches("//B* - //{isa:Sphere}", "/W/Ball"));
  // Of a path alone nothing is known.
  EXPECT_FALSE(matches_path_expression("//{isa:Cube}", *layer::Path::parse("/W/Box")));
}

TEST(MatchesPathExpression, AsksForKindsAndVariants) {
  Diagnostics diagnostics;
  const auto stage = stage::open_layers({{"root.usda", R"(
def "W" (kind = "assembly") {
  def "G" (kind = "group") {
    def Cube "C" (
      kind = "component"
      variants = { string look = "red" }
      variantSets = ["look"]
    ) {
      variantSet "look" = {
        "red" {
        }
        "blue" {
        }
      }
      def "S" (kind = "subcomponent") {
      }
      def "G" (kind = "group") {
      }
    }
  }
  def "M" (kind = "model") {
  }
  def "Own" (kind = "of_my_own") {
  }
}
)"}},
                                        diagnostics);
  ASSERT_NE(stage, nullptr);
  EXPECT_EQ(diagnostics.size(), 1U);  // Of the kind that is not of the standard.
  const auto matches = [&](const std::string& predicate, const char* path) {
    return matches_path_expression("//{" + predicate + "}", stage->prim(path));
  };
  for (const char* model : {"/W", "/W/G", "/W/G/C", "/W/M"}) {
    EXPECT_TRUE(matches("model", model)) << model;
  }
  for (const char* other : {"/W/G/C/S", "/W/G/C/G", "/W/Own"}) {
    EXPECT_TRUE(matches("model:false", other)) << other;
  }
  EXPECT_TRUE(matches("group", "/W"));
  EXPECT_TRUE(matches("group", "/W/G"));
  EXPECT_FALSE(matches("group", "/W/G/C"));
  EXPECT_FALSE(matches("group", "/W/G/C/G"));
  // A kind counts wherever it stands, and as what it is a case of.
  EXPECT_TRUE(matches("kind:group", "/W/G/C/G"));
  EXPECT_TRUE(matches("kind:group", "/W"));
  EXPECT_TRUE(matches("kind:model", "/W/G/C"));
  EXPECT_TRUE(matches("kind:subcomponent,component", "/W/G/C/S"));
  EXPECT_FALSE(matches("kind:model", "/W/G/C/S"));
  EXPECT_FALSE(matches("kind(group, strict=true)", "/W"));
  EXPECT_TRUE(matches("kind(assembly, strict=true)", "/W"));
  EXPECT_FALSE(matches("kind:of_my_own", "/W/Own"));
  EXPECT_FALSE(matches("kind", "/W"));

  EXPECT_TRUE(matches("variant(look=red)", "/W/G/C"));
  EXPECT_TRUE(matches("variant (look = 'red')", "/W/G/C"));
  EXPECT_TRUE(matches("variant(look=r*d)", "/W/G/C"));
  EXPECT_TRUE(matches("variant(look=\"?ed\")", "/W/G/C"));
  EXPECT_FALSE(matches("variant(look=blue)", "/W/G/C"));
  EXPECT_FALSE(matches("variant(look=b*)", "/W/G/C"));
  EXPECT_FALSE(matches("variant(look=red, shape=round)", "/W/G/C"));
  EXPECT_FALSE(matches("variant(look=red)", "/W/G"));
  EXPECT_FALSE(matches("variant(red)", "/W/G/C"));
  EXPECT_TRUE(matches("isa (Cube)", "/W/G/C"));
  // What cannot be called is not to be negated either.
  for (const char* broken : {"not kind:unheard", "not unheard", "not specifier:unheard",
                             "not variant:red", "isa:Cube or unheard"}) {
    EXPECT_FALSE(matches(broken, "/W/G/C")) << broken;
  }
}

TEST(CollectionAttributes, CountOnlyIfOfTheirType) {
  Diagnostics diagnostics;
  stage::OpenOptions options;
  options.rules = sinew::Rules::openusd;
  const stage::StagePtr stage = stage::open_layers({{"root.usda", R"(
def "A" {
    rel collection:c:includes = </X>
    uniform string collection:c:expansionRule = "explicitOnly"
    uniform string collection:c:mode = "expression"
    uniform token collection:c:membershipExpression = "//"
}
def "X" {
    def "Y" {}
}
)"}},
                                                   diagnostics, options);
  const Collection collection = Collection::read(stage->prim("/A"), "c");
  EXPECT_TRUE(collection.contains(stage->prim("/X/Y")));
  EXPECT_FALSE(collection.contains(stage->prim("/A")));
}

TEST(MaterialBindingsByCollection, AreForwarded) {
  Diagnostics diagnostics;
  const stage::StagePtr stage = stage::open_layers({{"root.usda", R"(
def Material "M" {}
def "P" (apiSchemas = ["MaterialBindingAPI", "CollectionAPI:c"]) {
    rel collection:c:includes = </P>
    rel pick = </M>
    rel material:binding:collection:q = [</P.collection:c>, </P.pick>]
    def Cube "K" {}
}
)"}},
                                                   diagnostics);
  MaterialBindings bindings(*stage, "");
  const MaterialBinding binding = bindings.resolve(stage->prim("/P/K"));
  ASSERT_TRUE(binding.material);
  EXPECT_EQ(binding.material.path().str(), "/M");
}

TEST(MaterialBindingsByCollection, NeedACollectionAndAMaterialInEitherOrder) {
  const auto bound = [](const std::string& targets, const char* purpose = "",
                        const std::string& name = "q") {
    Diagnostics diagnostics;
    const std::string text = R"(
def Material "M" {}
def "P" (apiSchemas = ["MaterialBindingAPI", "CollectionAPI:c"]) {
    rel collection:c:includes = </P/K>
    rel collection:d:includes = </P/K>
    rel material:binding:collection:)" +
                             name + " = [" + targets + R"(]
    def Cube "K" {}
    def Cube "L" {}
}
)";
    const stage::StagePtr stage = stage::open_layers({{"root.usda", text.c_str()}}, diagnostics);
    MaterialBindings bindings(*stage, purpose);
    EXPECT_FALSE(bindings.resolve(stage->prim("/P/L")).bound);
    return bindings.resolve(stage->prim("/P/K")).bound;
  };
  EXPECT_TRUE(bound("</P.collection:c>, </M>"));
  EXPECT_TRUE(bound("</M>, </P.collection:c>"));
  EXPECT_FALSE(bound("</P.collection:c>"));
  EXPECT_FALSE(bound("</M>, </P>"));
  EXPECT_FALSE(bound("</P.collection:c>, </P.collection:d>"));
  EXPECT_FALSE(bound("</P.collection:c>, </M>, </P>"));
  EXPECT_FALSE(bound("</P.other:c>, </M>"));
  EXPECT_FALSE(bound("</Gone.collection:c>, </M>"));
  EXPECT_FALSE(bound("</P.collection:d>, </M>")) << "The schema is not applied.";
  const std::string good = "</P.collection:c>, </M>";
  EXPECT_TRUE(bound(good, "physics"));
  EXPECT_TRUE(bound(good, "physics", "physics:q"));
  EXPECT_FALSE(bound(good, "physics", "full:q"));
  EXPECT_FALSE(bound(good, "", "physics:q"));
}

TEST(MatchesPathExpression, AsksPredicatesForAnyOfTheirWords) {
  Diagnostics diagnostics;
  const stage::StagePtr stage = open_root(R"(
def "W" (
    apiSchemas = ["CollectionAPI:one"]
) {
    over "Over" {}
}
)",
                                          diagnostics);
  ASSERT_NE(stage, nullptr);
  const auto matches = [&](const std::string& predicate, const char* path) {
    return matches_path_expression("//{" + predicate + "}", stage->prim(path));
  };
  EXPECT_TRUE(matches("specifier:def,over", "/W"));
  EXPECT_TRUE(matches("specifier:over,def", "/W"));
  EXPECT_FALSE(matches("specifier:class,over", "/W"));
  EXPECT_TRUE(matches("specifier:class,over", "/W/Over"));
  // The whole name of a schema, not the beginning of one.
  EXPECT_FALSE(matches("hasAPI:Collection", "/W"));
  // A truth is a 1, or begins as "yes" does.
  for (const char* yes : {"1", "true", "y", "yes", "Y", "Yes"}) {
    EXPECT_TRUE(matches(std::string("defined:") + yes, "/W")) << yes;
    EXPECT_FALSE(matches(std::string("defined:") + yes, "/W/Over")) << yes;
  }
  for (const char* no : {"0", "false", "2", "True", "n", "t"}) {
    EXPECT_FALSE(matches(std::string("defined:") + no, "/W")) << no;
    EXPECT_TRUE(matches(std::string("defined:") + no, "/W/Over")) << no;
  }
}

TEST(MatchesPathExpression, ComparesWholeSelectionsWithWordsOnly) {
  Diagnostics diagnostics;
  const stage::StagePtr stage = open_root(R"(
def "W" (
    variants = { string look = "my_Sel1"; string other = "a9z" }
    variantSets = ["look", "other"]
) {
    variantSet "look" = {
        "my_Sel1" {
        }
    }
    variantSet "other" = {
        "a9z" {
        }
    }
}
)",
                                          diagnostics);
  ASSERT_NE(stage, nullptr);
  const auto selects = [&](const std::string& arguments) {
    return matches_path_expression("//{variant(" + arguments + ")}", stage->prim("/W"));
  };
  EXPECT_TRUE(selects("look=my_Sel1"));
  // Words of letters of either case, digits and underscores are no parts of selections,
  for (const char* part : {"y_Sel1", "my_Sel", "Sel1", "S", "_", "_Sel1", "e"}) {
    EXPECT_FALSE(selects(std::string("look=") + part)) << part;
  }
  // but what begins with a digit, or has anything else, is a pattern for any part.
  EXPECT_TRUE(selects("look=1"));
  EXPECT_TRUE(selects("other=9z"));
  EXPECT_FALSE(selects("other=0z"));
  EXPECT_TRUE(selects("look=S?l"));
  EXPECT_TRUE(selects("look=S?l, other=9"));
  EXPECT_FALSE(selects("look=Z?l, other=9"));
  EXPECT_TRUE(selects("look=''"));
}

TEST(MatchesPathExpression, OpenUsdKnowsNoSchemaThatIsNotRegistered) {
  stage::OpenOptions options;
  options.rules = Rules::openusd;
  Diagnostics diagnostics;
  const stage::StagePtr stage =
      stage::open_layers({{"root.usda",
                           "def Cube \"Box\" (apiSchemas = [\"PhysicsMassAPI\", \"UnheardAPI\", "
                           "\"CollectionAPI:one\"]) {}\n"}},
                         diagnostics, options);
  const stage::Prim prim = stage->prim("/Box");
  EXPECT_TRUE(matches_path_expression("//{hasAPI:PhysicsMassAPI}", prim));
  EXPECT_TRUE(matches_path_expression("//{hasAPI:CollectionAPI}", prim));
  EXPECT_FALSE(matches_path_expression("//{hasAPI:UnheardAPI}", prim));
}

// As OpenUSD does with what it cannot link.
TEST(MatchesPathExpression, OfAPredicateThatCannotBeAskedNothingIsLeft) {
  Diagnostics diagnostics;
  const stage::StagePtr stage = open_root("def Cube \"Box\" {}\n", diagnostics);
  const stage::Prim prim = stage->prim("/Box");
  const auto matches = [&](const std::string& text) { return matches_path_expression(text, prim); };
  EXPECT_TRUE(matches("/Box //{isa:Sphere}"));
  EXPECT_TRUE(matches("~//{isa:Sphere}"));
  for (const char* odd : {"unheard", "kind:bogus", "isa:Cube)", ""}) {
    EXPECT_FALSE(matches("/Box //{" + std::string(odd) + "}")) << odd;
    EXPECT_FALSE(matches("//{" + std::string(odd) + "} /Box")) << odd;
    EXPECT_FALSE(matches("~//{" + std::string(odd) + "}")) << odd;
    EXPECT_FALSE(matches("//{isa:'{'} + /Box - /X{" + std::string(odd) + "}")) << odd;
  }
  EXPECT_TRUE(matches("//{isa:'{'} + /Box - /X{isa:'}'}"));
}

// A predicate alone takes no name of its own behind "//".
TEST(MatchesPathExpression, APredicateBehindAnyDepthAsksWhatIsBeforeIt) {
  Diagnostics diagnostics;
  const stage::StagePtr stage = open_root(R"(
def Xform "W" {
    def Xform "Secret" {
        def Sphere "Ball" {}
        def Cube "Box" {}
    }
    def Xform "G" {
        def Xform "Deep" {
            def Cube "Leaf" {}
        }
    }
    def Cube "Top" {
        def Cube "Under" {}
    }
}
)",
                                          diagnostics);
  ASSERT_NE(stage, nullptr);
  const auto members = [&](const char* expression) {
    std::string names;
    for (const stage::Prim prim : stage->root().descendants()) {
      if (matches_path_expression(expression, prim)) names += std::string(prim.name().view()) + " ";
    }
    return names;
  };
  EXPECT_EQ(members("/W/Top//{isa:Cube}"), "Top Under ");
  EXPECT_EQ(members("/W/*//{isa:Cube}"), "Box Leaf Top Under ");
  EXPECT_EQ(members("/W/Secret//{isa:Xform}/Ball"), "Ball ");
  EXPECT_EQ(members("//{isa:Cube}"), "Box Leaf Top Under ");
  EXPECT_EQ(members("//{isa:Xform}/W"), "");
  EXPECT_EQ(members("/W//{isa:Xform}//B*"), "Ball Box ");
  EXPECT_EQ(members("/W/T*//{isa:Cube}//U*"), "Under ");
  EXPECT_EQ(members("/W/{isa:Cube}"), "Top ");
  EXPECT_EQ(members("//Deep//{isa:Xform}/L*"), "Leaf ");
  EXPECT_EQ(members("//Top//{isa:Cube}//"), "Top Under ");
}

TEST(MatchesPathExpression, TakesAPredicateThatIsNotClosedForNothing) {
  Diagnostics diagnostics;
  const stage::StagePtr stage = open_root("def Cube \"Box\" {}\n", diagnostics);
  const stage::Prim prim = stage->prim("/Box");
  EXPECT_TRUE(matches_path_expression("/Box{isa:Cube}", prim));
  EXPECT_FALSE(matches_path_expression("/Box{isa:Cube", prim));
  EXPECT_FALSE(matches_path_expression("/Box{isa:Cubes", prim));
}

TEST(CollectionModes, ChooseWhatCounts) {  // stage 8.2
  Diagnostics diagnostics;
  const stage::StagePtr stage = open_root(R"(
def "A" {
    uniform token collection:rules:mode = "relationship"
    rel collection:rules:includes = </X>
    uniform pathExpression collection:rules:membershipExpression = "/Y"
    uniform token collection:none:mode = "relationship"
    uniform pathExpression collection:none:membershipExpression = "/Y"
    uniform token collection:expression:mode = "expression"
    rel collection:expression:includes = </X>
    uniform pathExpression collection:expression:membershipExpression = "/Y"
    uniform token collection:excludes:mode = "expression"
    rel collection:excludes:excludes = </X>
    uniform pathExpression collection:excludes:membershipExpression = "/Y"
    rel collection:automatic:includes = </X>
    uniform pathExpression collection:automatic:membershipExpression = "/Y"
    rel collection:without:excludes = </X>
}
)",
                                          diagnostics);
  const layer::Path x = *layer::Path::parse("/X");
  const layer::Path y = *layer::Path::parse("/Y");
  const auto members = [&](const char* name) {
    const Collection read = Collection::read(stage->prim("/A"), name, &diagnostics);
    return std::string(read.contains(x) ? "x" : "") + (read.contains(y) ? "y" : "");
  };
  EXPECT_EQ(members("rules"), "x");
  EXPECT_EQ(members("none"), "");
  EXPECT_EQ(members("expression"), "y");
  EXPECT_EQ(members("excludes"), "y");
  EXPECT_EQ(members("automatic"), "x");
  EXPECT_TRUE(diagnostics.empty());
  EXPECT_EQ(members("without"), "");
  ASSERT_EQ(diagnostics.size(), 1U);
  EXPECT_EQ(diagnostics[0].code, "geom-collection-only-excludes");
  EXPECT_EQ(diagnostics[0].path, "/A");
}

TEST(DirectMaterialBindings, HaveOneTargetThatIsAPrim) {  // stage 9
  Diagnostics diagnostics;
  const stage::StagePtr stage = open_root(R"(
def Material "M" {
    token outputs:surface
}
def "P" {
    rel material:binding = </M>
    def Cube "Two" { rel material:binding = [</M>, </P>]; }
    def Cube "Property" { rel material:binding = </M.outputs:surface>; }
    def Cube "NoMaterial" { rel material:binding = </P>; }
}
)",
                                          diagnostics);
  MaterialBindings bindings(*stage, "");
  const auto bound_at = [&](const char* path) {
    return bindings.resolve(stage->prim(path)).relationship.str();
  };
  EXPECT_EQ(bound_at("/P"), "/P.material:binding");
  EXPECT_EQ(bound_at("/P/Two"), "/P.material:binding");
  EXPECT_EQ(bound_at("/P/Property"), "/P.material:binding");
  EXPECT_EQ(bound_at("/P/NoMaterial"), "/P/NoMaterial.material:binding");
  EXPECT_FALSE(bindings.resolve(stage->prim("/P/NoMaterial")).material);
}

TEST(DirectMaterialBindings, MayBeStrongerThanThoseBelow) {  // stage 9
  Diagnostics diagnostics;
  const stage::StagePtr stage = open_root(R"(
def Material "Upper" {}
def Material "Middle" {}
def Material "Lower" {}
def "Strong" {
    rel material:binding = </Upper> (bindMaterialAs = "strongerThanDescendants")
    def "Middle" {
        rel material:binding = </Middle> (bindMaterialAs = "weakerThanDescendants")
        def Cube "Lower" { rel material:binding = </Lower>; }
    }
}
def "Weak" {
    rel material:binding = </Upper>
    def "Middle" {
        rel material:binding = </Middle> (bindMaterialAs = "strongerThanDescendants")
        def Cube "Lower" { rel material:binding = </Lower>; }
    }
}
)",
                                          diagnostics);
  MaterialBindings bindings(*stage, "");
  const auto material = [&](const char* path) {
    return bindings.resolve(stage->prim(path)).material.path().str();
  };
  EXPECT_EQ(material("/Strong/Middle/Lower"), "/Upper");
  EXPECT_EQ(material("/Strong/Middle"), "/Upper");
  EXPECT_EQ(material("/Weak/Middle/Lower"), "/Middle");
  EXPECT_EQ(material("/Weak/Middle"), "/Middle");
  EXPECT_EQ(material("/Weak"), "/Upper");
}

TEST(MaterialBindingsByCollection, AskExpressionsOfThePrimItself) {
  Diagnostics diagnostics;
  const stage::StagePtr stage = open_root(R"(
def Material "M" {}
def Material "N" {}
def "P" (apiSchemas = ["CollectionAPI:cubes", "CollectionAPI:all"]) {
    uniform pathExpression collection:cubes:membershipExpression = "//{isa:Cube}"
    rel collection:all:includes = </P>
    rel material:binding:collection:a = [</P.collection:cubes>, </M>]
    rel material:binding:collection:b = [</P.collection:all>, </N>]
    def Cube "Cube" {}
    def Sphere "Sphere" {}
}
)",
                                          diagnostics);
  MaterialBindings bindings(*stage, "");
  EXPECT_EQ(bindings.resolve(stage->prim("/P/Cube")).material.path().str(), "/M");
  EXPECT_EQ(bindings.resolve(stage->prim("/P/Sphere")).material.path().str(), "/N");
}

}  // namespace
}  // namespace sinew::geom::binding_test
