// SPDX-License-Identifier: Apache-2.0
// What becomes of cameras.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "export/gltf/written.hpp"

namespace sinew::exporter::gltf_cameras_test {
namespace {

using test::Json;
using test::write_text;
using test::Written;

Written write_camera(const std::string& lines, double meters = 1.0) {
  return write_text(
      fmt::format("#usda 1.0\n(metersPerUnit = {}\nupAxis = \"Y\")\ndef Camera \"C\" {{\n{}\n}}\n",
                  meters, lines));
}

TEST(GltfCameras, ThatFloatsCannotSayAreLeftOut) {
  const std::string flat = "uniform token projection = \"orthographic\"\n";
  const std::pair<double, std::string> bad[] = {
      {1000, flat + "float horizontalAperture = 3e38"},
      {1000, flat + "float verticalAperture = 3e38"},
      {1e-9, flat + "float horizontalAperture = 1e-37"},
      {1e-9, flat + "float verticalAperture = 1e-37"},
      {1, "float horizontalAperture = 1e38\nfloat verticalAperture = 1e-5"},
      {1, "float horizontalAperture = 1e-38\nfloat verticalAperture = 1e38"},
      {1,
       "float horizontalAperture = 1e-38\nfloat verticalAperture = 1e-38\n"
       "float focalLength = 1e38"},
      {0.01, "float2 clippingRange = (1e-45, 1)"},
      {1000, "float2 clippingRange = (1, 3e38)"},
      {1e-9, "float2 clippingRange = (1e-38, 1e-37)"},
      {1, "float2 clippingRange = (nan, 1)"},
      {1, "float2 clippingRange = (1, nan)"},
  };
  for (const auto& [meters, lines] : bad) {
    const Written written = write_camera(lines, meters);
    EXPECT_EQ(written.error, "") << lines;
    EXPECT_FALSE(written.json().contains("cameras")) << lines;
    EXPECT_EQ(written.told(),
              "warning gltf-camera /C: The camera /C has an aperture, focal length or clipping "
              "range that glTF does not allow; it is left out.\n")
        << lines;
  }
  const Written written = write_camera(flat +
                                           "float horizontalAperture = 40\n"
                                           "float verticalAperture = 10\n"
                                           "float2 clippingRange = (0.5, 8)",
                                       2.0);
  EXPECT_EQ(written.told(), "");
  EXPECT_EQ(written.json()["cameras"][0]["orthographic"],
            Json::parse(R"({"xmag": 4.0, "ymag": 1.0, "znear": 1.0, "zfar": 16.0})"));
}

TEST(GltfCameras, TellWhatTheyLoseWhereItSaysSomething) {
  const auto told = [](const std::string& lines) {
    const Written written = write_camera(lines);
    EXPECT_EQ(written.error, "");
    EXPECT_EQ(written.json()["cameras"].size(), 1U);
    return written.told();
  };
  const auto lost = [](const std::string& names) {
    return "warning gltf-camera-attribute /C: glTF has no place for what /C says of " + names +
           "; it is left out.\n";
  };
  EXPECT_EQ(told("float fStop = 0\nfloat exposure = 0\nfloat horizontalApertureOffset = 0\n"), "");
  EXPECT_EQ(told("float exposure = -0.5\n"), lost("exposure"));
  EXPECT_EQ(told("float fStop = 2\nfloat horizontalApertureOffset = 0.25\nfloat "
                 "verticalApertureOffset = 0.5\n"),
            lost("horizontalApertureOffset, verticalApertureOffset, fStop"));
  EXPECT_EQ(told("float fStop.timeSamples = { 0: 0, 1: 2 }\n"), lost("fStop"));
}

// What is not authored, or not finite, is as USD has it: 20.955 and 15.2908 wide and high.
TEST(GltfCameras, HaveTheFiguresOfUsdWhereTheySayNothing) {
  const auto perspective = [](const std::string& lines) {
    const Written written = write_camera(lines, 0.5);
    EXPECT_EQ(written.error, "");
    EXPECT_EQ(written.told(), "");
    const Json camera = written.json()["cameras"][0];
    EXPECT_EQ(camera["name"], "C");
    EXPECT_EQ(camera["type"], "perspective");
    const Json& data = camera["perspective"];
    return std::vector<float>{data["aspectRatio"], data["yfov"], data["znear"], data["zfar"]};
  };
  // 20.955 / 15.2908, 2 atan(15.2908 / 100), 1 and 1000000 units.
  const std::vector<float> usual = {1.3704319F, 0.3034655F, 0.5F, 500000.0F};
  const auto expect_near = [](const std::vector<float>& made, const std::vector<float>& wanted) {
    for (std::size_t i = 0; i < 4; ++i) EXPECT_FLOAT_EQ(made[i], wanted[i]) << i;
  };
  expect_near(perspective(""), usual);
  expect_near(perspective("float horizontalAperture = nan\nfloat verticalAperture = inf\n"
                          "float focalLength = nan\n"),
              usual);
  // 2 atan(20 / 20) = pi / 2.
  expect_near(perspective("float horizontalAperture = 30\nfloat verticalAperture = 20\n"
                          "float focalLength = 10\nfloat2 clippingRange = (2, 4)\n"),
              {1.5F, 1.5707963F, 1.0F, 2.0F});
}

TEST(GltfCameras, WithRangesThatAreEmptyAreLeftOut) {
  for (const auto& [lines, is_good] :
       {std::pair("float2 clippingRange = (2, 2)\n", false),
        std::pair("float2 clippingRange = (2, 2.5)\n", true),
        std::pair("float2 clippingRange = (0, 2)\n", false),
        std::pair("float2 clippingRange = (-1, 2)\n", false),
        std::pair("float horizontalAperture = 0\n", false),
        std::pair("float horizontalAperture = -1\n", false),
        std::pair("float verticalAperture = 0\n", false),
        std::pair("float focalLength = 0\n", false), std::pair("float focalLength = -50\n", false),
        std::pair("uniform token projection = \"orthographic\"\n"
                  "float focalLength = 0\n",
                  true),
        std::pair("uniform token projection = \"orthographic\"\n"
                  "float2 clippingRange = (0, 2)\n",
                  true),
        std::pair("uniform token projection = \"orthographic\"\n"
                  "float verticalAperture = -1\n",
                  false)}) {
    const Written written = write_camera(lines);
    ASSERT_EQ(written.error, "");
    EXPECT_EQ(written.json().contains("cameras"), is_good) << lines;
    EXPECT_EQ(written.says("gltf-camera"), !is_good) << lines;
    EXPECT_EQ(written.file.summary.cameras, is_good ? 1U : 0U) << lines;
  }
}

}  // namespace
}  // namespace sinew::exporter::gltf_cameras_test
