// SPDX-License-Identifier: Apache-2.0
// The geometry of a robot as gprims, and what they are made of where they touch.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/format_text.hpp"
#include "core/shortest_text.hpp"
#include "export/robot_import/robot_writer.hpp"
#include "physics/shared/hull_triangles.hpp"

namespace sinew::exporter::robot_import {

namespace {

constexpr std::string_view kGprims[] = {"Sphere", "Cube", "Capsule", "Cylinder",
                                        "Plane",  "Mesh", "Mesh"};
constexpr std::string_view kShapeNames[] = {"sphere", "box",       "capsule", "cylinder",
                                            "plane",  "ellipsoid", "mesh"};

// The triangles of the hull of points; none if they lie in a plane.
std::vector<std::int32_t> hull_corners(const std::vector<Vector3f>& points) {
  std::vector<Vector3d> precise;
  for (const Vector3f& point : points) precise.push_back(point.cast<double>());
  std::vector<std::array<std::int32_t, 3>> triangles;
  physics::hull_triangles(precise, triangles);
  std::vector<std::int32_t> corners;
  for (const auto& triangle : triangles) {
    corners.insert(corners.end(), triangle.begin(), triangle.end());
  }
  return corners;
}

}  // namespace

std::string_view RobotWriter::write_shape_type(const RobotGeom& geom) const {
  return kGprims[static_cast<std::size_t>(geom.kind)];
}

void RobotWriter::write_geom(std::int32_t index, OutPrim* parent, bool has_visuals) {
  const RobotGeom& geom = at(robot_.geoms, index);
  const std::string_view name = std::string_view(geom.name).substr(geom.name.rfind('/') + 1);
  OutPrim* const prim = out_.add(parent, write_shape_type(geom), name,
                                 kShapeNames[static_cast<std::size_t>(geom.kind)]);
  at(geoms_, index) = prim;
  const Vector3d scale = write_sizes(geom, prim);
  write_pose(prim, geom.pose, scale);
  write_color(geom, prim);
  if (!geom.is_collider) {
    ++counts_.visuals;
    return;
  }
  ++counts_.colliders;
  const bool is_mesh = geom.kind == GeomKind::mesh || geom.kind == GeomKind::ellipsoid;
  out_.apply(prim, "PhysicsCollisionAPI");
  if (is_mesh) {
    out_.apply(prim, "PhysicsMeshCollisionAPI");
    out_.set_uniform(prim, "token", "physics:approximation", out_.token("convexHull"));
  }
  if (!geom.collides) out_.set(prim, "bool", "physics:collisionEnabled", value_of(false));
  if (has_visuals && (geom.is_hidden || !robot_.has_masks)) {
    out_.set_uniform(prim, "token", "purpose", out_.token("guide"));
  }
  if (geom.friction) {
    out_.apply(prim, "MaterialBindingAPI");
    out_.relate(prim, "material:binding:physics", material_of(geom));
  }
  write_extra(prim, "NewtonCollisionAPI", "newton:contactMargin", geom.margin);
  write_extra(prim, "NewtonCollisionAPI", "newton:contactGap", geom.gap);
  for (const auto& [key, values] : geom.contact) write_mjc(prim, "MjcCollisionAPI", key, values);
}

// Whole numbers, single ones and lists, as the schema of MuJoCo has them.
void RobotWriter::write_mjc(OutPrim* prim, std::string_view api, std::string_view name,
                            std::span<const double> values) {
  out_.apply(prim, api);
  const bool scales = name == "torquescale";
  const std::string attribute = "mjc:" + std::string(scales ? "torqueScale" : name);
  if (name.starts_with("solref") || name.starts_with("solimp")) {
    out_.set_uniform(prim, "double[]", attribute, out_.array(layer::ElementType::double_, values));
  } else if (name == "solmix" || scales) {
    out_.set_uniform(prim, "double", attribute, value_of(values[0]));
  } else {
    const double whole = std::clamp(values[0], -1e9, 1e9);
    out_.set_uniform(
        prim, "int", attribute,
        layer::Value::scalar(layer::ElementType::int_, static_cast<std::int32_t>(whole)));
  }
}

void RobotWriter::write_color(const RobotGeom& geom, OutPrim* prim) {
  if (!geom.color) return;
  const std::array<float, 4>& c = *geom.color;
  const float color[] = {c[0], c[1], c[2]};
  out_.set_primvar(prim, "color3f[]", "primvars:displayColor",
                   out_.array_of_floats(layer::ElementType::float3, color), "constant");
  if (c[3] == 1.0F) return;
  out_.set_primvar(prim, "float[]", "primvars:displayOpacity",
                   out_.array_of_floats(layer::ElementType::float_, std::span(&c[3], 1)),
                   "constant");
}

// A marker is a guide. What is no sphere in MuJoCo but round is a scaled one.
void RobotWriter::write_site(const RobotSite& site, OutPrim* parent) {
  const bool is_ellipsoid = site.geom.kind == GeomKind::ellipsoid;
  const std::string_view name = std::string_view(site.geom.name);
  const std::string_view type = is_ellipsoid ? "Sphere" : write_shape_type(site.geom);
  OutPrim* const prim = out_.add(parent, type, name.substr(name.rfind('/') + 1), "site");
  Vector3d scale = site.geom.size;
  if (is_ellipsoid) {
    out_.set(prim, "double", "radius", value_of(1.0));
  } else {
    scale = write_sizes(site.geom, prim);
  }
  write_pose(prim, site.geom.pose, scale);
  write_color(site.geom, prim);
  out_.apply(prim, "MjcSiteAPI");
  out_.set_uniform(prim, "token", "purpose", out_.token("guide"));
  const double group = site.geom.group;
  if (group != 0.0) write_mjc(prim, "MjcSiteAPI", "group", std::span(&group, 1));
}

// Returns the scale that the prim needs besides.
Vector3d RobotWriter::write_sizes(const RobotGeom& geom, OutPrim* prim) {
  const auto set = [&](std::string_view name, double value) {
    out_.set(prim, "double", name, value_of(value));
  };
  const Vector3d& half = geom.size;
  switch (geom.kind) {
    case GeomKind::sphere:
      set("radius", half.x());
      break;
    case GeomKind::box:
      if (half == Vector3d::Constant(half.x())) {
        set("size", 2.0 * half.x());
        break;
      }
      set("size", 2.0);
      return half;
    case GeomKind::capsule:
    case GeomKind::cylinder:
      set("radius", half.x());
      set("height", 2.0 * half.z());
      out_.set_uniform(prim, "token", "axis", out_.token("Z"));
      break;
    case GeomKind::plane:
      out_.set_uniform(prim, "token", "axis", out_.token("Z"));
      break;
    case GeomKind::ellipsoid:
      in_.faults->counted("robot-shape", geom.where,
                          "An ellipsoid becomes a convex mesh of 482 corners");
      write_mesh(ellipsoid(half), prim);
      break;
    case GeomKind::mesh:
      write_mesh(at(robot_.meshes, geom.mesh), prim);
      break;
  }
  return Vector3d::Ones();
}

RobotMesh RobotWriter::ellipsoid(const Vector3d& half) const {
  constexpr int kRings = 16;
  constexpr int kSegments = 32;
  RobotMesh mesh;
  const auto add = [&](double x, double y, double z) {
    mesh.points.push_back(Vector3d(x, y, z).cwiseProduct(half).cast<float>());
  };
  add(0, 0, 1);
  for (int ring = 1; ring < kRings; ++ring) {
    const double polar = std::numbers::pi * ring / kRings;
    for (int i = 0; i < kSegments; ++i) {
      const double around = 2.0 * std::numbers::pi * i / kSegments;
      add(std::sin(polar) * std::cos(around), std::sin(polar) * std::sin(around), std::cos(polar));
    }
  }
  add(0, 0, -1);
  return mesh;
}

void RobotWriter::write_mesh(const RobotMesh& mesh, OutPrim* prim) {
  // Sorting points into a hull takes more than listing them.
  if (!out_.budget().spend(mesh.points.size(), 32)) return;
  const std::vector<std::int32_t> corners =
      mesh.corners.empty() ? hull_corners(mesh.points) : mesh.corners;
  const std::vector<std::int32_t> counts(corners.size() / 3, 3);
  using layer::ElementType;
  out_.set(prim, "point3f[]", "points",
           out_.array(ElementType::float3, std::span<const Vector3f>(mesh.points)));
  out_.set(prim, "int[]", "faceVertexCounts",
           out_.array(ElementType::int_, std::span<const std::int32_t>(counts)));
  out_.set(prim, "int[]", "faceVertexIndices",
           out_.array(ElementType::int_, std::span<const std::int32_t>(corners)));
  out_.set_uniform(prim, "token", "subdivisionScheme", out_.token("none"));
  std::array<Vector3f, 2> extent = {mesh.points.front(), mesh.points.front()};
  for (const Vector3f& point : mesh.points) {
    extent[0] = extent[0].cwiseMin(point);
    extent[1] = extent[1].cwiseMax(point);
  }
  out_.set(prim, "float3[]", "extent",
           out_.array(ElementType::float3, std::span<const Vector3f>(extent)));
}

// A number of an API of Newton's, if the file has it.
void RobotWriter::write_extra(OutPrim* prim, std::string_view api, std::string_view attribute,
                              const std::optional<double>& value) {
  if (!value) return;
  out_.apply(prim, api);
  out_.set(prim, "float", attribute, float_value(*value));
}

// Precondition: the geom has a friction.
OutPrim* RobotWriter::material_of(const RobotGeom& geom) {
  const double friction = *geom.friction;
  const auto [found, is_new] = materials_.emplace(
      std::tuple(friction, geom.torsional_friction, geom.rolling_friction), nullptr);
  if (!is_new) return found->second;
  if (materials_scope_ == nullptr) {
    materials_scope_ = out_.add(root_, "Scope", "PhysicsMaterials", "PhysicsMaterials");
  }
  OutPrim* const prim =
      out_.add(materials_scope_, "Material", "friction_" + rounded_text(friction), "material");
  out_.apply(prim, "PhysicsMaterialAPI");
  out_.set(prim, "float", "physics:staticFriction", float_value(friction));
  out_.set(prim, "float", "physics:dynamicFriction", float_value(friction));
  write_extra(prim, "NewtonMaterialAPI", "newton:torsionalFriction", geom.torsional_friction);
  write_extra(prim, "NewtonMaterialAPI", "newton:rollingFriction", geom.rolling_friction);
  return found->second = prim;
}

}  // namespace sinew::exporter::robot_import
