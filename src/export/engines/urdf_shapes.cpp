// SPDX-License-Identifier: Apache-2.0
// The shapes of URDF.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <variant>

#include "export/engines/urdf_writer.hpp"
#include "physics/shared/frames.hpp"
#include "sinew/physics/names.hpp"
#include "sinew/physics/volumes.hpp"

namespace sinew::exporter {

using namespace physics;

namespace {

SharedMeshes::Kind mesh_kind(const MeshShape& mesh) {
  const bool is_hull = mesh_approximation(mesh.approximation) == MeshApproximation::convex_hull;
  return is_hull ? SharedMeshes::Kind::hull : SharedMeshes::Kind::triangles;
}

std::string sphere(float radius) {
  return "<sphere radius=\"" + number(std::abs(static_cast<double>(radius))) + "\"/>";
}

std::string box(const Vector3d& half) {
  return "<box size=\"" + numbers(Vector3d(2.0 * half.cwiseAbs())) + "\"/>";
}

}  // namespace

void UrdfWriter::write_geometry(const std::string& name, const Posed& pose,
                                const std::string& geometry) {
  const std::string element(element_);
  add("    <" + element + " name=\"" + escaped(name) + "\">\n      " + urdf_origin(pose) +
      "\n      <geometry>" + geometry + "</geometry>\n    </" + element + ">");
}

void UrdfWriter::write_mesh(const std::string& name, const HullMesh& surface, const Posed& pose) {
  const std::string own = mesh_file_name(options_, name, file_.meshes.size());
  const std::string& file = meshes_.find_or_add(surface, own);
  if (file == own) file_.meshes.push_back({file, obj_text(surface.points, surface.triangles)});
  write_geometry(name, pose, "<mesh filename=\"" + escaped(file) + "\"/>");
}

// Whether a shape leaves room for a solid in all that the format can write.
bool UrdfWriter::has_size(const Shape& shape) {
  const auto solid = [](double a, double b) {
    return std::abs(a) > 0.0 && std::abs(b) > 0.0 && std::isfinite(a) && std::isfinite(b);
  };
  const auto both = [&](float a, float b) {
    return solid(static_cast<double>(a), static_cast<double>(b));
  };
  if (const auto* s = std::get_if<SphereShape>(&shape.geometry)) {
    return both(s->radius, s->radius);
  }
  if (const auto* c = std::get_if<CubeShape>(&shape.geometry)) {
    return is_solid(c->half_extents.cast<double>());
  }
  if (const auto* y = std::get_if<CylinderShape>(&shape.geometry)) {
    return both(y->radius, y->half_height);
  }
  if (const auto* k = std::get_if<CapsuleShape>(&shape.geometry)) {
    return both(k->radius, k->radius) && std::isfinite(k->half_height);
  }
  if (const auto* p = std::get_if<SpherePointsShape>(&shape.geometry)) {
    return std::any_of(p->sphere_points.begin(), p->sphere_points.end(),
                       [](const SpherePoint& point) { return is_solid(point); });
  }
  const auto* m = std::get_if<MeshShape>(&shape.geometry);
  if (m == nullptr) return true;
  const MeshApproximation approximation = mesh_approximation(m->approximation);
  if (approximation == MeshApproximation::bounding_sphere) {
    return solid(bounding_radius(*m), 1.0);
  }
  if (approximation == MeshApproximation::bounding_cube) {
    return is_solid(bounding_box(*m).half_extents);
  }
  return !meshes_.make(mesh_kind(*m), shape).front().triangles.empty();
}

void UrdfWriter::write_shapes(const std::vector<std::int32_t>& colliders,
                              const std::vector<std::int32_t>& shown, const Posed& into) {
  for (const std::int32_t shape : colliders) write_shape(shape, into);
  element_ = "visual";
  report_.set_prefix("visual ");
  for (const std::int32_t shape : shown) write_shape(shape, into);
  report_.set_prefix({});
  element_ = "collision";
}

void UrdfWriter::write_shape(std::int32_t index, const Posed& into) {
  const Shape& shape = world_.model.shape(index);
  if (!shape.collision_enabled) {
    return report_.became(shape.path, "nothing: switched off");
  }
  if (!has_size(shape)) {
    report_.add(world_.refused(index), shape.path,
                "A size is 0 or not finite; the shape is left out.");
    return report_.became(shape.path, "nothing", false, world_.refused(index));
  }
  const Posed pose = compose(into, to_frame(shape.local_pose));
  const std::string& name = at(shape_names_, index);
  const auto cylinder = [&](const std::string& part, float radius, float half, Axis axis) {
    const Posed turned{pose.position, pose.rotation * from_z(axis)};
    write_geometry(part, turned,
                   "<cylinder radius=\"" + number(std::abs(static_cast<double>(radius))) +
                       "\" length=\"" + number(2.0 * std::abs(static_cast<double>(half))) + "\"/>");
  };
  if (const auto* s = std::get_if<SphereShape>(&shape.geometry)) {
    write_geometry(name, pose, sphere(s->radius));
    report_.became(shape.path, "sphere");
  } else if (const auto* c = std::get_if<CubeShape>(&shape.geometry)) {
    write_geometry(name, pose, box(c->half_extents.cast<double>()));
    report_.became(shape.path, "box");
  } else if (const auto* y = std::get_if<CylinderShape>(&shape.geometry)) {
    cylinder(name, y->radius, y->half_height, y->axis);
    report_.became(shape.path, "cylinder");
  } else if (const auto* k = std::get_if<CapsuleShape>(&shape.geometry)) {
    if (k->half_height != 0.0F) cylinder(name, k->radius, k->half_height, k->axis);
    for (const double side : {1.0, -1.0}) {
      Posed end = pose;
      end.position += pose.rotation * (side * static_cast<double>(k->half_height) *
                                       Vector3d::Unit(static_cast<int>(k->axis)));
      write_geometry(name + (side > 0.0 ? "#top" : "#bottom"), end, sphere(k->radius));
    }
    report_.became(shape.path, "cylinder and two spheres");
  } else if (std::holds_alternative<PlaneShape>(shape.geometry)) {
    report_.add("engine-shape-unsupported", shape.path,
                "The format has no infinite planes; it is left out.");
    report_.became(shape.path, "nothing", false, "engine-shape-unsupported");
  } else if (const auto* p = std::get_if<SpherePointsShape>(&shape.geometry)) {
    for (std::size_t i = 0; i < p->sphere_points.size(); ++i) {
      const SpherePoint& point = p->sphere_points[i];
      if (!is_solid(point)) continue;
      Posed center = pose;
      center.position += pose.rotation * point.scaled_center.cast<double>();
      write_geometry(name + "#" + std::to_string(i), center, sphere(point.radius));
    }
    report_.became(shape.path, "spheres");
  } else if (const auto* m = std::get_if<MeshShape>(&shape.geometry)) {
    const MeshApproximation approximation = mesh_approximation(m->approximation);
    if (approximation == MeshApproximation::bounding_cube) {
      const HullBox bounds = bounding_box(*m);
      write_geometry(name, compose(pose, bounds.pose), box(bounds.half_extents));
      return report_.became(shape.path, "box");
    }
    if (approximation == MeshApproximation::bounding_sphere) {
      write_geometry(name, compose(pose, bounding_box(*m).pose),
                     sphere(static_cast<float>(bounding_radius(*m))));
      return report_.became(shape.path, "sphere");
    }
    write_mesh(name, meshes_.make(mesh_kind(*m), shape).front(), pose);
    report_.became(shape.path, "mesh");
  } else {
    const HullMesh& hull = meshes_.make(SharedMeshes::Kind::hull, shape).front();
    report_.add(
        "engine-shape-approximated", shape.path,
        fmt::format("A {} becomes a mesh of {} corners, {:.2g} % smaller.", to_string(shape.type()),
                    hull.points.size(), 100.0 * (1.0 - hull.volume_ratio)));
    write_mesh(name, hull, pose);
    report_.became(shape.path, "mesh", false, "engine-shape-approximated");
  }
}

}  // namespace sinew::exporter
