// SPDX-License-Identifier: Apache-2.0
// What becomes of robots, whole: every line of the layer and everything that is said, as recorded.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "export/robot_import/robot_models.hpp"
#include "sinew/physics/inertia.hpp"
#include "support/recorded.hpp"

namespace sinew::robot_import_recorded_test {
namespace {

using exporter::ImportRobotOptions;
using exporter::RobotFormat;

std::string binary_stl(std::vector<std::array<float, 9>> triangles, std::uint32_t promised) {
  std::string bytes(80, ' ');
  bytes.append(reinterpret_cast<const char*>(&promised), sizeof promised);
  for (const std::array<float, 9>& triangle : triangles) {
    const float normal[3] = {};
    bytes.append(reinterpret_cast<const char*>(normal), sizeof normal);
    bytes.append(reinterpret_cast<const char*>(triangle.data()), sizeof triangle);
    bytes.append(2, '\0');
  }
  return bytes;
}

// Files that robots ask for: good ones, and one for each way to be broken.
void add_parts(stage::MemoryResolver& resolver) {
  const std::string good =
      "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  const std::vector<std::array<float, 9>> corner = {{0, 0, 0, 0, 1, 0, 1, 0, 0},
                                                    {0, 0, 0, 1, 0, 0, 0, 0, 1},
                                                    {0, 0, 0, 0, 0, 1, 0, 1, 0},
                                                    {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  resolver.add("good.obj", good);
  resolver.add("robot/good.obj", good);
  resolver.add("part.xml",
               "<mujocoinclude><worldbody><geom size='0.125'/></worldbody></mujocoinclude>");
  resolver.add("broken.xml", "<mujocoinclude>\n<worldbody></mujocoinclude>");
  const std::vector<std::pair<std::string, std::string>> parts = {
      {"good.obj", good},
      {"faces.obj",
       "# of squares\nv 0 0 0\nv 1 0 0\r\nv 1 1 0\n\nv 0 1 0\nv +0.5 .5 1\nf -5/1/1 -2//1 -3 -4\n"
       "f 1 2 5\nf 2 3 5\nf 3 4 5\nf 4 1 5\nf 1 1 2\nvn 0 0 1\n"},
      {"text.stl",
       "solid t\nfacet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 0 1 0\nvertex 1 0 "
       "0\nendloop\n"
       "outer loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 0 1\nendloop\nendfacet\n"
       "outer loop\nvertex 0 0 0\nvertex 0 0 1\nvertex 0 1 0\nendloop\n"
       "outer loop\nvertex 1 0 0\nvertex 0 1 0\nvertex 0 0 1\nendloop\n"
       "outer loop\nvertex 0 0 0\nvertex 0 1 0\nendloop\nendsolid t\n"},
      {"binary.stl", binary_stl(corner, 4)},
      {"word.obj", "v 0 0 0\nf one two three\n"},
      {"part.obj", "v 0 0 0\nv 1 0 0\nf 1.5 1 2\n"},
      {"corner.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\n\nf 1 2 4\n"},
      {"vertex.obj", "v 0 0 0\nv 1 0\n"},
      {"vertex.stl", "solid\nfacet\nouter loop\nvertex 0 0 1e40\n"},
      {"short.stl", std::string(83, ' ')},
      {"ends.stl", binary_stl(corner, 5)},
      {"inf.stl",
       binary_stl({{0, 0, 0, 1, 0, 0, 0, std::numeric_limits<float>::infinity(), 0}}, 1)},
      {"flat.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"},
  };
  for (const auto& [name, text] : parts) resolver.add("parts/" + name, text);
}

class RecordedRobot : public ::testing::TestWithParam<const char*> {};

TEST_P(RecordedRobot, IsTheSameLineByLine) {
  const std::string name = GetParam();
  const bool is_our_own = name.starts_with("faults") || name.starts_with("start");
  const std::string folder = test::data_folder() + (is_our_own ? "/recorded/robots/" : "/robots/");
  const std::string text = test::file_text(folder + name);
  stage::MemoryResolver parts;
  add_parts(parts);
  stage::FileResolver files;
  ImportRobotOptions options;
  options.file = is_our_own ? name : folder + name;
  options.resolver = &files;
  if (is_our_own) options.resolver = &parts;
  Diagnostics said;
  const Bytes bytes{std::string(text)};
  const auto made = exporter::robot_format(text) == RobotFormat::urdf
                        ? exporter::import_urdf(bytes, options, said)
                        : exporter::import_mjcf(bytes, options, said);
  ASSERT_TRUE(made) << made.error().message;

  std::string all;
  for (Diagnostic& diagnostic : said) {
    if (!is_our_own) diagnostic.file = name;
    all += format(diagnostic) + "\n";
  }
  const exporter::RobotCounts& n = made->counts;
  all += fmt::format(
      "{} bodies, {} joints, {} colliders, {} visuals, {} drives, {} actuators, {} kinds unread\n",
      n.bodies, n.joints, n.colliders, n.visuals, n.drives, n.actuators, n.unread);
  all += usda::write(*made->layer);
  test::expect_recorded("robots/" + name + ".txt", test::with_short_lines(all));
}

INSTANTIATE_TEST_SUITE_P(All, RecordedRobot,
                         ::testing::Values("faults.xml", "start.xml", "faults.urdf", "start.urdf",
                                           "pendulum.xml", "degrees.xml", "defaults.xml",
                                           "actuators.xml", "joints.xml", "filters.xml",
                                           "loops.xml", "meshes.xml", "visuals.xml", "frames.xml",
                                           "arm.urdf", "wheel.urdf", "drawer.urdf", "floating.urdf",
                                           "rigid.urdf", "gripper.urdf", "door.urdf", "locked.urdf",
                                           "meshes.urdf", "tree.urdf"),
                         [](const auto& of) {
                           std::string name = of.param;
                           std::replace(name.begin(), name.end(), '.', '_');
                           return name;
                         });

struct Sized {
  std::string shape;
  double volume;
  Vector3d moments;  ///< Of a density of 1.
};

TEST(ImportRobot, WeighsEveryShapeByItsSizes) {
  constexpr double kPi = std::numbers::pi;
  const double ball = 4.0 / 3.0 * kPi;
  const Sized sizes[] = {
      {"type='sphere' size='0.5 9 9'", ball / 8, Vector3d::Constant(0.4 * 0.25 * ball / 8)},
      {"type='box' size='1 2 3'", 48.0, Vector3d(13, 10, 5) * 16.0},
      {"type='cylinder' size='1 2'", 4 * kPi,
       Vector3d(0.25 + 4.0 / 3.0, 0.25 + 4.0 / 3.0, 0.5) * 4 * kPi},
      {"type='ellipsoid' size='1 2 3'", 6 * ball, Vector3d(13, 10, 5) / 5.0 * 6 * ball},
      {"type='mesh' mesh='m'", 1.0 / 6.0, Vector3d::Zero()},
  };
  for (const Sized& sized : sizes) {
    SCOPED_TRACE(sized.shape);
    const test::RobotModel robot(
        "<mujoco><asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/></asset><worldbody><body>"
        "<freejoint/><geom density='2' " +
        sized.shape + "/></body></worldbody></mujoco>");
    Diagnostics unused;
    const physics::BodyMass mass = physics::body_mass(robot.model, 0, unused);
    EXPECT_NEAR(mass.mass, 2.0 * sized.volume, 1e-5 * sized.volume);
    if (sized.moments.isZero()) continue;
    Vector3d moments = physics::diagonalize(physics::mass_frame(mass).inertia).diagonal;
    Vector3d expected = 2.0 * sized.moments;
    std::sort(moments.data(), moments.data() + 3);
    std::sort(expected.data(), expected.data() + 3);
    EXPECT_LT((moments - expected).norm(), 1e-5 * expected.norm())
        << moments.transpose() << " and " << expected.transpose();
  }
}

// A whole number of what they allow is within the limits, and one more is not.
TEST(ImportRobot, KeepsItsLimitsToTheLastElement) {
  const std::string text = "<mujoco><worldbody><body><geom size='1'/></body></worldbody></mujoco>";
  const auto refused = [&](const ImportRobotOptions& options) {
    Diagnostics said;
    const auto made = exporter::import_mjcf(Bytes{std::string(text)}, options, said);
    return made ? std::string() : made.error().message;
  };
  ImportRobotOptions options;
  options.limits.file_bytes = text.size();
  EXPECT_EQ(refused(options), "");
  options.limits.file_bytes = text.size() - 1;
  EXPECT_EQ(refused(options),
            fmt::format("The file has {} bytes, and Limits::file_bytes allows {}.", text.size(),
                        text.size() - 1));
  options = {};
  options.nesting = 4;
  EXPECT_EQ(refused(options), "");
  options.nesting = 3;
  EXPECT_EQ(refused(options), "Elements are nested deeper than 3.");
  options = {};
  options.elements = 4;
  EXPECT_EQ(refused(options), "");
  options.elements = 2;
  EXPECT_EQ(refused(options), "There are more elements than ImportRobotOptions::elements allows.");
  options = {};
  options.limits.decoded_per_byte = 1;
  options.limits.decoded_bytes = 100;
  EXPECT_EQ(refused(options),
            "The file and its meshes ask for more than Limits::decoded_bytes and decoded_per_byte "
            "allow.");
}

}  // namespace
}  // namespace sinew::robot_import_recorded_test
