// SPDX-License-Identifier: Apache-2.0
#include "stage/shared/reporter.hpp"

#include <gtest/gtest.h>

#include "stage/support.hpp"

namespace sinew::stage::reporter_test {
namespace {

// Line 1 is the header, line 2 is empty.
constexpr const char* kRoot = R"(
def "A" (
    references = @asset.usda@</Model>
) {
    float size = 2
}
over "B" (
    references = @asset.usda@</Model>
) {}
def "C" (
    instanceable = true
    references = @asset.usda@</Model>
) {}
def "D" (
    instanceable = true
    references = @asset.usda@</Model>
) {}
)";
constexpr const char* kAsset = R"(
def "Model" {
    float size = 1
    rel target = </Model>
    def "Part" {}
}
)";

class ReporterTest : public testing::Test {
 protected:
  Prim prim(const char* path) const { return stage_->prim(path); }
  Reporter reporter(Reporter::Repeats repeats = Reporter::Repeats::all) {
    return {*stage_, found_, repeats};
  }

  Diagnostics found_;
  StagePtr stage_ = open_layers({{"root.usda", kRoot}, {"asset.usda", kAsset}}, found_);
};

TEST_F(ReporterTest, LocatesAPrimByItsStrongestOpinion) {
  reporter().add(Severity::warning, "test-code", prim("/A"), "Something.", "do something else");

  ASSERT_EQ(found_.size(), 1U);
  EXPECT_EQ(format(found_[0]),
            "root.usda:3:1: warning: </A>: Something. (do something else) [test-code]");
}

TEST_F(ReporterTest, LocatesAPropertyByTheOpinionInForce) {
  reporter().add(Severity::error, "test-code", prim("/A").attribute("size"), "Wrong.");
  reporter().add(Severity::error, "test-code", prim("/B").attribute("size"), "Wrong.");
  reporter().add(Severity::error, "test-code", prim("/B").relationship("target"), "Wrong.");

  ASSERT_EQ(found_.size(), 3U);
  EXPECT_EQ(format(found_[0]), "root.usda:6:1: error: </A.size>: Wrong. [test-code]");
  EXPECT_EQ(format(found_[1]), "asset.usda:4:1: error: </B.size>: Wrong. [test-code]");
  EXPECT_EQ(format(found_[2]), "asset.usda:5:1: error: </B.target>: Wrong. [test-code]");
}

TEST_F(ReporterTest, LocatesWhatStandsAtAPath) {
  for (const char* path : {"/B.size", "/B.target", "/B.other", "/B", "/Nobody"}) {
    reporter().add(Severity::info, "test-code", *layer::Path::parse(path), "Here.");
  }

  ASSERT_EQ(found_.size(), 5U);
  EXPECT_EQ(format(found_[0]), "asset.usda:4:1: info: </B.size>: Here. [test-code]");
  EXPECT_EQ(format(found_[1]), "asset.usda:5:1: info: </B.target>: Here. [test-code]");
  EXPECT_EQ(format(found_[2]), "root.usda:8:1: info: </B.other>: Here. [test-code]");
  EXPECT_EQ(format(found_[3]), "root.usda:8:1: info: </B>: Here. [test-code]");
  EXPECT_EQ(format(found_[4]), "</Nobody>: info: Here. [test-code]");
}

TEST_F(ReporterTest, OfAPrimWithoutOpinionsNamesTheRootLayer) {
  reporter().add(Severity::info, "test-code", stage_->root(), "Here.");

  ASSERT_EQ(found_.size(), 1U);
  EXPECT_EQ(found_[0].file, "root.usda");
  EXPECT_EQ(found_[0].path, "/");
}

TEST_F(ReporterTest, TellsEverythingUnlessAskedToTellItOnce) {
  Reporter all = reporter();
  for (int i = 0; i < 2; ++i) all.add(Severity::info, "test-code", prim("/A"), "Here.");
  EXPECT_EQ(found_.size(), 2U);
}

TEST_F(ReporterTest, TellsACodeOnceAboutAComposedPrim) {
  Reporter once = reporter(Reporter::Repeats::once_per_prim);
  for (int i = 0; i < 2; ++i) {
    once.add(Severity::info, "test-code", prim("/A"), "Here.");
    once.add(Severity::info, "test-code", prim("/A").attribute("size"), "Here.");
    once.add(Severity::info, "test-code", prim("/C/Part"), "Here.");
    once.add(Severity::info, "test-code", prim("/D/Part"), "Here.");  // The same prototype's.
    once.add(Severity::info, "test-other", prim("/A"), "There.");
  }

  ASSERT_EQ(found_.size(), 4U);
  EXPECT_EQ(found_[0].path, "/A");
  EXPECT_EQ(found_[1].path, "/A.size");
  EXPECT_EQ(found_[2].path, "/C/Part");
  EXPECT_EQ(found_[3].code, "test-other");
}

TEST_F(ReporterTest, SaysNothingToNobody) {
  Reporter(*stage_, nullptr).add(Severity::error, "test-code", prim("/A"), "Something.");
  EXPECT_TRUE(found_.empty());
}

}  // namespace
}  // namespace sinew::stage::reporter_test
