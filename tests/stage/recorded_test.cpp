// SPDX-License-Identifier: Apache-2.0
// Layers with some of everything that composition knows, and each of their words with something
// wrong in its place: what is composed and everything that is said, as recorded.
#include <gtest/gtest.h>

#include <string>

#include "sinew/stage/asset_resolver.hpp"
#include "sinew/stage/stage.hpp"
#include "support/damaged_text.hpp"
#include "support/describe_stage.hpp"
#include "support/recorded.hpp"

namespace sinew::stage::recorded_test {
namespace {

const char* const kRoot = R"(#usda 1.0
(
    defaultPrim = "World"
    subLayers = [
        @over.usda@ (offset = 2; scale = 2)
    ]
    relocates = {
        </World/Moved/From>: </World/Moved/To>
    }
    expressionVariables = {
        string WHICH = "part"
    }
    metersPerUnit = 0.5
    timeCodesPerSecond = 24
)
class "_class_Base" {
    string from = "base class"
    double b = 3
}
class "_class_Wide" (inherits = </_class_Base>) {
    string from = "wide class"
    int w.timeSamples = { 0: 1, 4: 2 }
}
def Xform "World" (
    kind = "assembly"
    customData = {
        string author = "root"
        dictionary more = {
            int n = 1
        }
    }
) {
    def Xform "Refs" (
        prepend references = [@part.usda@</Part> (offset = 10; scale = 0.5), </World/Target>]
        append payload = @`"${WHICH}.usda"`@</Second>
    ) {
        over "Child" (active = true) {
            double d = 7
        }
        reorder nameChildren = ["Last", "Child"]
        reorder properties = ["z", "a"]
        custom int z = 1
        custom int a = 2
    }
    def "Target" (kind = "component") {
        string from = "target"
        def "Inner" {
            rel to = </World/Target/Inner>
            add rel outside = </World>
        }
    }
    def Xform "Classes" (prepend inherits = </_class_Wide>
        specializes = </_class_Base>
    ) {
        double b.connect = </World/Refs.a>
    }
    def "Variants" (
        variants = {
            string shape = "round"
            string size = "big"
        }
        prepend variantSets = ["shape", "size"]
    ) {
        variantSet "shape" = {
            "round" {
                string from = "round"
                def Sphere "S" {
                    double radius = 2
                }
            }
            "square" {
                string from = "square"
            }
        }
        variantSet "size" = {
            "big" (prepend references = @part.usda@</Part/Child>) {
                double size = 10
            }
        }
    }
    def "Moved" (prepend references = @part.usda@</Holder>) {
    }
    def "One" (instanceable = true
        prepend references = @part.usda@</Part>) {
    }
    def "Two" (instanceable = true
        prepend references = @part.usda@</Part>) {
        double own = 1
    }
    def "Clips" (
        clips = {
            dictionary default = {
                double2[] active = [(0, 0), (10, 1)]
                asset[] assetPaths = [@clip0.usda@, @clip1.usda@]
                asset manifestAssetPath = @manifest.usda@
                string primPath = "/Clip"
                double2[] times = [(0, 0), (10, 10), (20, 0)]
            }
        }
    ) {
        double moved
    }
    def Xform "Placed" (apiSchemas = ["CollectionAPI:c"]) {
        double3 xformOp:translate = (1, 2, 3)
        float xformOp:rotateZ = 90
        float3 xformOp:scale.timeSamples = { 0: (1, 1, 1), 6: (2, 2, 2) }
        matrix4d xformOp:transform:more = ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (5, 0, 0, 1))
        uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:rotateZ", "!invert!xformOp:transform:more", "xformOp:scale"]
        token visibility = "inherited"
        uniform token purpose = "render"
        rel collection:c:includes = [</World/Placed>, </World/Variants.collection:d>]
        rel collection:c:excludes = </World/Placed/Hidden>
        uniform token collection:c:expansionRule = "expandPrims"
        def "Hidden" {
            token visibility = "invisible"
            float blocked = None
            int[] list = [1, 2, 3]
            double curve.spline = {
                0: 1; post curve (1, 2),
                10: 5; pre (2, 1),
            }
        }
    }
}
)";

const char* const kOver = R"(#usda 1.0
over "World" (
    customData = {
        string author = "sublayer"
        dictionary more = {
            int m = 2
        }
    }
) {
    over "Refs" (
        delete references = @part.usda@</Third>
        append references = @part.usda@</Third>
    ) {
        double under.timeSamples = { 1: 10, 2: 20 }
    }
    over "Placed" {
        int fromSub = 4
        rel collection:c:includes = </World/Refs>
    }
}
)";

const char* const kPart = R"(#usda 1.0
(
    defaultPrim = "Part"
)
def Xform "Part" (inherits = </_class_Base>) {
    string from = "part"
    double moves.timeSamples = { 0: 0, 8: 4 }
    rel inside = </Part/Child>
    rel outside = </Second>
    def "Child" {
        double d = 1
        string from = "child"
        string out.connect = </Part.from>
    }
    def "Last" (inherits = </Part/Child>) {
    }
}
def "Second" (payload = </Third>) {
    string from = "second"
}
def "Third" (references = @missing.usda@) {
    string third = "third"
}
def "Holder" {
    def "From" {
        rel self = </Holder/From>
    }
    def "Pointer" {
        rel to = </Holder/From>
    }
}
class "_class_Base" {
    string from = "base class of the part"
}
)";

struct Told {
  bool is_open = false;
  std::string said;
  std::string scene;
};

Told tell(const std::string& root, const std::string& part = kPart) {
  MemoryResolver resolver;
  resolver.add("root.usda", root);
  resolver.add("over.usda", kOver);
  resolver.add("part.usda", part);
  resolver.add("manifest.usda", "#usda 1.0\ndef \"Clip\" {\n double moved\n}\n");
  resolver.add("clip0.usda",
               "#usda 1.0\ndef \"Clip\" {\n double moved.timeSamples = { 0: 1, 5: 2 }\n}\n");
  resolver.add("clip1.usda",
               "#usda 1.0\ndef \"Clip\" {\n double moved.timeSamples = { 5: 7, 10: 9 }\n}\n");
  OpenOptions options;
  options.resolver = &resolver;
  Diagnostics diagnostics;
  Told told;
  const auto stage = Stage::open("root.usda", diagnostics, options);
  if (stage) {
    told.is_open = true;
    told.scene = test::describe((*stage)->root());
    for (const Prim& prim : (*stage)->root().descendants(Traversal::all())) {
      for (const Relationship& relationship : prim.relationships()) {
        (void)relationship.targets(&diagnostics);
      }
    }
  } else {
    told.said = "  " + stage.error().message + "\n";
  }
  told.said += test::lines_of(diagnostics, "  ");
  return told;
}

TEST(RecordedStage, IsTheSameLineByLine) {
  const Told told = tell(kRoot);
  ASSERT_TRUE(told.is_open) << told.said;
  test::expect_recorded("everything.stage.txt", told.said + told.scene);
}

TEST(RecordedStage, IsToldWhatIsWrongInEveryPlace) {
  const Told unchanged = tell(kRoot);
  std::string all;
  const auto damage = [&](const char* name, const char* text, const auto& use) {
    test::for_each_damage(
        text, {"", "-1", "\"x\"", "</World/Target>", "None", "@part.usda@", "delete", "class"},
        [&](const std::string& title, const std::string& changed) {
          const Told told = use(changed);
          if (told.said.find("[usda-") != std::string::npos) return;  // Recorded for that module.
          const std::string more =
              test::changes(told.said, unchanged.said, told.scene, unchanged.scene);
          if (!more.empty()) all += std::string(name) + " " + title + "\n" + more;
        });
  };
  damage("root", kRoot, [](const std::string& changed) { return tell(changed); });
  damage("part", kPart, [](const std::string& changed) { return tell(kRoot, changed); });
  test::expect_recorded("faults.stage.txt", all);
}

}  // namespace
}  // namespace sinew::stage::recorded_test
