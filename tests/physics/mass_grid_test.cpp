// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "physics/mass_scene.hpp"
#include "physics/read_scene.hpp"
#include "sinew/physics/mass.hpp"
#include "sinew/physics/units.hpp"

#include <fmt/format.h>

// Every combination of mass, density and nothing on the body, on a prim between, on the collider
// and on its material, under several transforms and units and both rule sets, against a reference
// that knows nothing of inertia tensors: a uniform box has the mass, centre and inertia of eight
// equal points at 1/sqrt(3) of its corners, so the reference only weighs points.

namespace sinew::physics::mass_grid_test {
namespace {

using test::Api;
using test::MassScene;
using test::no_api;
using test::rotate_xyz;
using test::scale;
using test::tensor;
using test::translate;

struct Figures {
  double mass = 0.0;     // 0: not given.
  double density = 0.0;  // 0: not given.
};

struct Point {
  Vector3d world;
  double mass;
};

using Points = std::vector<Point>;

double total(const Points& points) {
  double sum = 0.0;
  for (const Point& point : points) sum += point.mass;
  return sum;
}

Points box_points(const Matrix4d& world, double mass) {
  Points points;
  for (int corner = 0; corner < 8; ++corner) {
    const double reach = 0.5 / std::sqrt(3.0);
    const Vector3d local((corner & 1) != 0 ? reach : -reach, (corner & 2) != 0 ? reach : -reach,
                         (corner & 4) != 0 ? reach : -reach);
    points.push_back({(world * local.homogeneous()).head<3>(), mass / 8.0});
  }
  return points;
}

Points weigh(Points points, double mass) {
  if (mass <= 0.0) return points;
  const double factor = mass / total(points);
  for (Point& point : points) point.mass *= factor;
  return points;
}

Points join(Points a, const Points& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

struct Case {
  Figures body;
  bool has_between = false;
  Figures between;
  Figures collider;
  double material = 0.0;
  Matrix4d body_world = Matrix4d::Identity();
  Matrix4d collider_local = Matrix4d::Identity();
  bool disabled = false;
  double meters = 1.0;
  double kilograms = 1.0;
  Rules rules = Rules::documented;
};

Matrix4d between_local() {
  return translate(0.5, -1, 2);
}
Matrix4d sibling_local() {
  return translate(-1.5, 0.25, 0.5) * scale(0.5, 0.75, 1.25);
}

double first_positive(std::initializer_list<double> values) {
  for (const double value : values) {
    if (value > 0.0) return value;
  }
  return 0.0;
}

double box_volume(const Matrix4d& world) {
  return std::abs(world.block<3, 3>(0, 0).determinant());
}

// The rules in words, on points.
Points reference(const Case& c) {
  const double water = 1000.0 * std::pow(c.meters, 3) / c.kilograms;
  const bool documented = c.rules == Rules::documented;
  const Matrix4d between = c.body_world * between_local();
  const Matrix4d collider = (c.has_between ? between : c.body_world) * c.collider_local;
  const Matrix4d sibling = c.body_world * sibling_local();
  const double between_density = documented && c.has_between ? c.between.density : 0.0;
  const double density =
      first_positive({c.collider.density, between_density, c.body.density, c.material, water});
  const double sibling_density = first_positive({c.body.density, water});

  Points subtree = weigh(box_points(collider, density * box_volume(collider)), c.collider.mass);
  if (documented && c.has_between) subtree = weigh(subtree, c.between.mass);
  const Points whole = join(subtree, box_points(sibling, sibling_density * box_volume(sibling)));
  return weigh(whole, c.body.mass);
}

Api api(const Figures& figures) {
  Api result = no_api();
  result.api = figures.mass > 0.0 || figures.density > 0.0;
  if (figures.mass > 0.0) result.mass(static_cast<float>(figures.mass));
  if (figures.density > 0.0) result.density(static_cast<float>(figures.density));
  return result;
}

BodyMass solve(const Case& c) {
  MassScene s(c.rules);
  s.model.units.meters_per_unit = c.meters;
  s.model.units.kilograms_per_unit = c.kilograms;
  s.body(c.body_world, api(c.body));
  std::int32_t parent = 0;
  Matrix4d parent_world = c.body_world;
  if (c.has_between) {
    parent_world = c.body_world * between_local();
    parent = s.xform(0, parent_world, api(c.between));
  }
  s.cube(parent, parent_world * c.collider_local, api(c.collider));
  s.last_shape().bound_material_density = static_cast<float>(c.material);
  s.last_shape().collision_enabled = !c.disabled;
  s.cube(0, c.body_world * sibling_local());
  return s.solve();
}

void expect_agreement(const Case& c, const BodyMass& actual, const std::string& name) {
  const Points points = reference(c);

  const ScaledPose pose = world_pose(c.body_world);
  const Vector3d origin = pose.pose.position.cast<double>();
  const Matrix3d body_from_world =
      pose.pose.rotation.cast<double>().normalized().toRotationMatrix().transpose();
  const double mass = total(points);
  Vector3d center = Vector3d::Zero();
  for (const Point& point : points) {
    center += point.mass / mass * (body_from_world * (point.world - origin));
  }
  Matrix3d inertia = Matrix3d::Zero();
  for (const Point& point : points) {
    const Vector3d r = body_from_world * (point.world - origin) - center;
    inertia += point.mass * (r.squaredNorm() * Matrix3d::Identity() - r * r.transpose());
  }
  // Descriptors are single precision.
  EXPECT_NEAR(actual.mass, mass, 1e-5 * mass) << name;
  EXPECT_LT((actual.center_of_mass - center).norm(), 1e-5 * (1.0 + center.norm())) << name;
  EXPECT_LT((tensor(actual) - inertia).norm(), 1e-5 * inertia.norm()) << name;
}

struct Transforms {
  const char* name;
  Matrix4d body;
  Matrix4d collider;
};

// Scales that shapes can follow exactly: along their own axes.
std::vector<Transforms> transforms() {
  return {
      {"plain", Matrix4d::Identity(), translate(1, 0, 0)},
      {"posed", translate(3, -2, 1) * rotate_xyz(20, 30, 40),
       translate(1, 0.5, 0) * rotate_xyz(-50, 10, 75)},
      {"scaled", translate(3, -2, 1) * rotate_xyz(20, 30, 40) * scale(2, 2, 2),
       translate(1, 0.5, 0) * rotate_xyz(10, 0, 75) * scale(1, 2, 3)},
      {"stretched", rotate_xyz(0, 0, 33) * scale(2, 3, 0.5), translate(1, 0.5, 0)},
      {"mirrored body", translate(1, 1, 1) * rotate_xyz(15, 0, 60) * scale(-1, 1, 1),
       translate(1, 0.5, 0) * rotate_xyz(10, 0, 75)},
      {"mirrored collider", rotate_xyz(15, 0, 60), translate(1, 0.5, 0) * scale(1, -2, 1)},
  };
}

TEST(MassGrid, AgreesWithWeighedPointsForEveryCombination) {
  const std::array<Figures, 4> body = {{{0, 0}, {12, 0}, {0, 300}, {12, 300}}};
  const std::array<Figures, 4> between = {{{0, 0}, {7, 0}, {0, 450}, {7, 450}}};
  const std::array<Figures, 4> collider = {{{0, 0}, {3, 0}, {0, 800}, {3, 800}}};
  int cases = 0;
  for (const Transforms& transform : transforms()) {
    for (const Rules rules : {Rules::documented, Rules::openusd}) {
      for (std::size_t i = 0; i < 4 * 5 * 4 * 2 * 2 * 2; ++i) {
        std::size_t code = i;
        const auto pick = [&](std::size_t n) {
          const std::size_t digit = code % n;
          code /= n;
          return digit;
        };
        Case c;
        c.rules = rules;
        c.body_world = transform.body;
        c.collider_local = transform.collider;
        c.body = body[pick(4)];
        const std::size_t middle = pick(5);
        c.has_between = middle > 0;
        if (c.has_between) c.between = between[middle - 1];
        c.collider = collider[pick(4)];
        c.material = pick(2) == 1 ? 200.0 : 0.0;
        c.disabled = pick(2) == 1;
        if (pick(2) == 1) {
          c.meters = 0.01;
          c.kilograms = 0.001;
        }
        expect_agreement(c, solve(c), std::string(transform.name) + " case " + std::to_string(i));
        ++cases;
      }
    }
  }
  EXPECT_EQ(cases, 6 * 2 * 640);
}

// The same bodies as text: what lies below the body comes from a class, referenced by a prim that
// is instanced or not.
std::string text_of(const Case& c, bool instanced) {
  const auto op = [](const Matrix4d& m) {
    std::string rows;
    for (int column = 0; column < 4; ++column) {  // USD writes row vectors.
      rows += column == 0 ? "(" : ", (";
      for (int row = 0; row < 4; ++row)
        rows += (row == 0 ? "" : ", ") + fmt::to_string(m(row, column));
      rows += ")";
    }
    return "matrix4d xformOp:transform = (" + rows +
           ")\nuniform token[] xformOpOrder = [\"xformOp:transform\"]\n";
  };
  const auto figures = [](const Figures& f) {
    std::string text;
    if (f.mass > 0.0) text += "float physics:mass = " + fmt::to_string(f.mass) + "\n";
    if (f.density > 0.0) text += "float physics:density = " + fmt::to_string(f.density) + "\n";
    return text;
  };
  const auto mass_api = [](const Figures& f) {
    return std::string(f.mass > 0.0 || f.density > 0.0 ? ", \"PhysicsMassAPI\"" : "");
  };
  const std::string between_api = mass_api(c.between).empty() ? "" : "\"PhysicsMassAPI\"";
  std::string text = "(\nmetersPerUnit = " + fmt::to_string(c.meters) +
                     "\nkilogramsPerUnit = " + fmt::to_string(c.kilograms) + "\n)\n";
  text += "class Xform \"source\" {\n";
  text += "def Material \"m\" (apiSchemas = [\"PhysicsMaterialAPI\"]) {\nfloat physics:density = " +
          fmt::to_string(c.material) + "\n}\n";
  text += "def Cube \"c\" (apiSchemas = [\"PhysicsCollisionAPI\"" + mass_api(c.collider) +
          "]) {\nrel material:binding:physics = </source/m>\ndouble size = 1\n" +
          "bool physics:collisionEnabled = " + (c.disabled ? "false" : "true") + "\n" +
          figures(c.collider) + op(c.collider_local) + "}\n}\n";
  text += "def Xform \"b\" (apiSchemas = [\"PhysicsRigidBodyAPI\"" + mass_api(c.body) + "]) {\n" +
          figures(c.body) + op(c.body_world);
  text += "def \"i\" (references = </source>; instanceable = " +
          std::string(instanced ? "true" : "false") + "; apiSchemas = [" + between_api + "]) {\n" +
          figures(c.between) + (c.has_between ? op(between_local()) : "") + "}\n";
  return text + "def Cube \"s\" (apiSchemas = [\"PhysicsCollisionAPI\"]) {\ndouble size = 1\n" +
         op(sibling_local()) + "}\n}\n";
}

TEST(MassGrid, AgreesWhereTheColliderIsInstanced) {
  const std::array<Figures, 3> figures = {{{0, 0}, {12, 0}, {0, 300}}};
  for (const Transforms& transform : transforms()) {
    for (std::size_t i = 0; i < 3 * 4 * 3 * 2 * 2 * 2 * 2; ++i) {
      std::size_t code = i;
      const auto pick = [&](std::size_t n) {
        const std::size_t digit = code % n;
        code /= n;
        return digit;
      };
      Case c;
      c.body_world = transform.body;
      c.collider_local = transform.collider;
      c.body = figures[pick(3)];
      const std::size_t middle = pick(4);
      c.has_between = middle > 0;
      if (c.has_between) c.between = figures[middle - 1];
      c.collider = figures[pick(3)];
      c.material = pick(2) == 1 ? 200.0 : 0.0;
      c.disabled = pick(2) == 1;
      if (pick(2) == 1) {
        c.meters = 0.01;
        c.kilograms = 0.001;
      }
      c.rules = pick(2) == 1 ? Rules::documented : Rules::openusd;
      const std::string name = std::string(transform.name) + " instanced " + std::to_string(i);
      for (const bool instanced : {true, false}) {
        Diagnostics diagnostics;
        const PhysicsModel model = test::read(text_of(c, instanced), diagnostics, c.rules);
        ASSERT_EQ(model.rigid_bodies.size(), 1u) << name;
        expect_agreement(c, body_mass(model, 0, diagnostics), name);
      }
    }
  }
}

}  // namespace
}  // namespace sinew::physics::mass_grid_test
