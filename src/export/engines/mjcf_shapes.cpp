// SPDX-License-Identifier: Apache-2.0
// The geoms of MJCF.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <string_view>
#include <variant>

#include "export/engines/mjcf_writer.hpp"
#include "physics/shared/frames.hpp"
#include "sinew/physics/volumes.hpp"

namespace sinew::exporter {

using namespace physics;

namespace {

constexpr double kFlatThickness = 1e-3;  // Metres.
constexpr double kLeastVolume = 1e-10;   // Cubic metres: what the engine takes as a solid.

double magnitude(float value) {
  return std::abs(static_cast<double>(value));
}

Posed turned(const Posed& pose, Axis axis) {
  return {pose.position, pose.rotation * from_z(axis)};
}

double volume(const HullMesh& hull) {
  double sum = 0.0;
  for (const auto& t : hull.triangles) {
    sum += at(hull.points, t[0]).dot(at(hull.points, t[1]).cross(at(hull.points, t[2])));
  }
  return std::abs(sum) / 6.0;
}

// Whether the engine takes it as a mesh.
bool is_solid(const HullMesh& hull) {
  return !hull.is_flat && volume(hull) >= kLeastVolume;
}

std::string integer(const char* name, const std::optional<std::int32_t>& value) {
  return value ? fmt::format(" {}=\"{}\"", name, *value) : std::string();
}

// What a dialect says in MuJoCo's own words. The group of what does not collide is that of
// colliders.
std::string verbatim(const MjcContact& contact, bool has_group) {
  std::string text = integer("condim", contact.condim) + integer("priority", contact.priority);
  if (has_group) text += integer("group", contact.group);
  if (contact.solmix) text += number_list("solmix", std::span(&*contact.solmix, 1));
  return text + solver_attributes(contact.solver);
}

}  // namespace

std::string number_list(const char* name, std::span<const double> values) {
  if (values.empty()) return {};
  std::string text = fmt::format(" {}=\"", name);
  for (const double value : values) text += number(value) + ' ';
  text.back() = '"';
  return text;
}

std::string solver_attributes(const MjcSolver& solver) {
  return number_list("solref", solver.solref) + number_list("solimp", solver.solimp);
}

// What every geom of a shape has.
std::string MjcfWriter::contact_attributes(std::int32_t index) const {
  const Shape& shape = world_.model.shape(index);
  // As MuJoCo marks what a URDF only shows.
  if (world_.is_shown_only(index)) return " mass=\"0\" contype=\"0\" conaffinity=\"0\" group=\"1\"";
  const ShapeExtras extras = static_cast<std::size_t>(index) < world_.model.shape_extras.size()
                                 ? at(world_.model.shape_extras, index)
                                 : ShapeExtras{};
  std::string text = verbatim(extras.contact, shape.collision_enabled);
  if (!shape.collision_enabled) {
    text += " contype=\"0\" conaffinity=\"0\" group=\"3\"";
  } else if (masks_) {
    const CollisionMasks::Masks& masks = at(masks_->of_shape, index);
    text += " contype=\"" + std::to_string(masks.group) + "\" conaffinity=\"" +
            std::to_string(masks.mask) + "\"";
  }
  const auto number_of = [](float value) { return number(static_cast<double>(value)); };
  const std::int32_t bound = shape.bound_material;
  const bool has_material =
      bound >= 0 && static_cast<std::size_t>(bound) < world_.model.materials.size();
  if (has_material || extras.torsional_friction || extras.rolling_friction) {
    const float sliding = has_material ? at(world_.model.materials, bound).dynamic_friction : 1.0F;
    text += " friction=\"" + number_of(std::max(0.0F, sliding)) + " " +
            number_of(extras.torsional_friction.value_or(0.005F)) + " " +
            number_of(extras.rolling_friction.value_or(0.0001F)) + "\"";
  }
  if ((extras.margin || extras.gap)) {
    // MuJoCo looks for contact within the margin and pushes within margin - gap.
    const float gap = std::max(0.0F, extras.gap.value_or(0.0F));
    const float margin = extras.margin.value_or(0.0F) + gap;
    if (std::isfinite(gap) && std::isfinite(margin) && margin >= 0.0F) {
      text += " margin=\"" + number_of(margin) + "\" gap=\"" + number_of(gap) + "\"";
    }
  }
  return text;
}

void MjcfWriter::write_geom(std::int32_t index, const std::string& name, const std::string& type,
                            const std::string& size, const Posed& pose, double mass) {
  std::string text =
      "<geom name=\"" + escaped(name) + "\" type=\"" + type + "\" " + size + place(pose);
  if (mass > 0.0) text += " mass=\"" + number(mass) + "\"";
  line(text + contact_attributes(index) + "/>");
}

bool MjcfWriter::write_hull(std::int32_t index, const std::string& name, const HullMesh& hull,
                            const Posed& pose, double mass) {
  const Shape& shape = world_.model.shape(index);
  if (hull.points.empty()) return false;
  if (!is_solid(hull)) {
    const HullBox box = flat_box(hull, kFlatThickness);
    const Vector3d half = box.half_extents;
    report_.add(
        "engine-flat-mesh", shape.path,
        fmt::format("The mesh is flat; it collides as a box of {:g} by {:g} by {:g} m, whose "
                    "upper side lies in its plane.",
                    2.0 * half.x(), 2.0 * half.y(), 2.0 * half.z()));
    write_geom(index, name, "box", "size=\"" + numbers(half) + "\"", compose(pose, box.pose), mass);
    return false;
  }
  write_geom(index, name, "mesh", "mesh=\"" + asset(name, hull, false) + "\"", pose, mass);
  return true;
}

// The name of a mesh in the file, escaped; an equal one that is there serves too.
std::string MjcfWriter::asset(const std::string& name, const HullMesh& mesh, bool with_faces) {
  const std::string& known = meshes_.find_or_add(mesh, name);
  const std::string escaped_name = escaped(known);
  if (known != name) return escaped_name;
  if (options_.meshes == EngineMeshes::obj) {
    const std::string file = mesh_file_name(options_, name, file_.meshes.size());
    file_.meshes.push_back({file, obj_text(mesh.points, mesh.triangles)});
    assets_ += "    <mesh name=\"" + escaped_name + "\" file=\"" + escaped(file) + "\"/>\n";
    return escaped_name;
  }
  assets_ += "    <mesh name=\"" + escaped_name + "\" vertex=\"";
  std::string_view between;
  for (const Vector3d& point : mesh.points) {
    assets_ += between;
    assets_ += numbers(point);
    between = "  ";
  }
  if (with_faces) {
    assets_ += "\" face=\"";
    between = "";
    for (const std::array<std::int32_t, 3>& t : mesh.triangles) {
      fmt::format_to(std::back_inserter(assets_), "{}{} {} {}", between, t[0], t[1], t[2]);
      between = "  ";
    }
  }
  assets_ += "\"/>\n";
  return escaped_name;
}

// A mesh with its faces. The engine makes a hull of that too, so a flat one is a box here as well.
void MjcfWriter::write_shown_mesh(std::int32_t index, const Posed& pose) {
  const Shape& shape = world_.model.shape(index);
  const std::string& name = at(shape_names_, index);
  const HullMesh& surface = meshes_.make(SharedMeshes::Kind::triangles, shape).front();
  const HullMesh& hull = meshes_.make(SharedMeshes::Kind::hull, shape).front();
  if (surface.triangles.empty()) {
    report_.add("engine-visual-skipped", shape.path, "The mesh has no faces; it is left out.");
    return report_.became(shape.path, "nothing", false, "engine-visual-skipped");
  }
  if (!is_solid(hull)) {
    const HullBox flat = flat_box(surface, kFlatThickness);
    report_.add_counted("engine-shape-approximated", shape.path,
                        "The mesh is flat; it is shown as a thin box around it");
    write_geom(index, name, "box", "size=\"" + numbers(flat.half_extents) + "\"",
               compose(pose, flat.pose), 0.0);
    return report_.became(shape.path, "box", false, "engine-shape-approximated");
  }
  write_geom(index, name, "mesh", "mesh=\"" + asset(name, surface, true) + "\"", pose, 0.0);
  report_.became(shape.path, "mesh");
}

void MjcfWriter::write_mesh(std::int32_t index, const Posed& pose) {
  const Shape& shape = world_.model.shape(index);
  const auto& mesh = std::get<MeshShape>(shape.geometry);
  const std::string& name = at(shape_names_, index);
  const double mass = at(world_.shape_mass, index);
  const MeshApproximation approximation = mesh_approximation(mesh.approximation);
  const bool is_bounding = approximation == MeshApproximation::bounding_sphere ||
                           approximation == MeshApproximation::bounding_cube;
  const double radius = is_bounding ? bounding_radius(mesh) : 0.0;
  const auto& points = mesh.geometry->points;
  const bool has_points = std::any_of(points.begin(), points.end(),
                                      [](const Vector3f& point) { return point.allFinite(); });
  if (!has_points || (is_bounding && !(radius > 0.0 && std::isfinite(radius)))) {
    report_.add("engine-shape-unsupported", shape.path, "A size is 0 or not finite.");
    return report_.became(shape.path, "nothing", false, "engine-shape-unsupported");
  }
  if (approximation == MeshApproximation::bounding_sphere) {
    const HullBox box = bounding_box(mesh);
    write_geom(index, name, "sphere", "size=\"" + number(radius) + "\"", compose(pose, box.pose),
               mass);
    report_.became(shape.path, "sphere");
    return;
  }
  if (approximation == MeshApproximation::bounding_cube) {
    const HullBox box = bounding_box(mesh);
    const Vector3d half = box.half_extents.cwiseMax(kFlatThickness / 2.0);
    write_geom(index, name, "box", "size=\"" + numbers(half) + "\"", compose(pose, box.pose), mass);
    report_.became(shape.path, "box");
    return;
  }
  if (approximation == MeshApproximation::convex_hull) {
    const HullMesh& hull = meshes_.make(SharedMeshes::Kind::hull, shape).front();
    if (write_hull(index, name, hull, pose, mass)) {
      return report_.became(shape.path, "convex mesh");
    }
    return report_.became(shape.path, "box", false, "engine-flat-mesh");
  }
  const SharedMeshes::Parts& parts = meshes_.make(SharedMeshes::Kind::parts, shape);
  double worst = 1.0;
  double whole = 0.0;
  for (const HullMesh& part : parts) {
    worst = std::max(worst, part.volume_ratio);
    whole += part.is_flat ? 0.0 : volume(part) / part.volume_ratio;
  }
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::string part_name = parts.size() == 1 ? name : name + "#" + std::to_string(i);
    const double share =
        parts.size() == 1 || !(whole > 0.0)
            ? mass / static_cast<double>(parts.size())
            : mass * (parts[i].is_flat ? 0.0 : volume(parts[i]) / parts[i].volume_ratio / whole);
    write_hull(index, part_name, parts[i], pose, share);
  }
  if (worst > 1.0 + 1e-6) {
    report_.add("engine-mesh-becomes-hull", shape.path,
                fmt::format("The engine collides convex hulls: the largest fills {:.4g} times the "
                            "volume of its piece of the mesh.",
                            worst),
                "Split the mesh into convex pieces.");
    report_.became(shape.path, "convex meshes", false, "engine-mesh-becomes-hull");
  } else {
    report_.became(shape.path, "convex meshes");
  }
}

void MjcfWriter::write_shapes(const std::vector<std::int32_t>& colliders,
                              const std::vector<std::int32_t>& shown) {
  for (const std::int32_t shape : colliders) write_shape(shape);
  report_.set_prefix("visual ");
  for (const std::int32_t shape : shown) write_shape(shape);
  report_.set_prefix({});
}

// Of what has no size that the engine takes, its own smallest ball is shown.
void MjcfWriter::write_sites() {
  for (std::size_t i = 0; i < world_.model.sites.size(); ++i) {
    const Site& site = world_.model.sites[i];
    Vector3d size = Vector3d::Constant(0.005);
    Axis axis = Axis::z;
    const char* type = "sphere";
    const auto take = [&](const char* name, const Vector3d& given, Axis along) {
      if (!is_solid(given)) return;
      type = name;
      size = given;
      axis = along;
    };
    if (const auto* sphere = std::get_if<SphereShape>(&site.geometry)) {
      take("sphere", Vector3d::Constant(magnitude(sphere->radius)), axis);
    } else if (const auto* cube = std::get_if<CubeShape>(&site.geometry)) {
      take("box", cube->half_extents.cast<double>().cwiseAbs(), axis);
    } else if (const auto* capsule = std::get_if<CapsuleShape>(&site.geometry)) {
      const double half = magnitude(capsule->half_height);
      take("capsule", {magnitude(capsule->radius), half, half}, capsule->axis);
    } else if (const auto* cylinder = std::get_if<CylinderShape>(&site.geometry)) {
      const double half = magnitude(cylinder->half_height);
      take("cylinder", {magnitude(cylinder->radius), half, half}, cylinder->axis);
    }
    const std::int32_t body = world_.model.has_body(site.body) ? site.body : kNone;
    sites_[body] += fmt::format("      <site name=\"{}\" type=\"{}\" size=\"{}\"{}{}/>\n",
                                escaped(site_names_[i]), type, numbers(size),
                                place(turned(to_frame(site.local_pose), axis)),
                                site.group == 0 ? "" : integer("group", site.group));
    report_.became(site.path, "site");
  }
}

void MjcfWriter::write_shape(std::int32_t index) {
  const Shape& shape = world_.model.shape(index);
  const Posed pose = to_frame(shape.local_pose);
  const std::string& name = at(shape_names_, index);
  const double mass = at(world_.shape_mass, index);
  const auto refuse = [&](std::string_view why) {
    report_.add(world_.refused(index), shape.path, std::string(why));
    report_.became(shape.path, "nothing", false, world_.refused(index));
  };
  const auto solid = [&](double a, double b) { return a > 0.0 && b > 0.0 && std::isfinite(a + b); };
  const auto round = [&](const char* type, float radius, float half, Axis axis) {
    if (!solid(magnitude(radius), magnitude(half))) return refuse("A size is 0 or not finite.");
    write_geom(index, name, type,
               "size=\"" + number(magnitude(radius)) + " " + number(magnitude(half)) + "\"",
               turned(pose, axis), mass);
    report_.became(shape.path, type);
  };
  const auto approximated = [&] {
    const HullMesh& hull = meshes_.make(SharedMeshes::Kind::hull, shape).front();
    if (hull.is_flat) return refuse("A size is 0 or not finite.");
    report_.add(
        "engine-shape-approximated", shape.path,
        fmt::format("A {} becomes a convex mesh of {} corners, {:.2g} % smaller; the mass is "
                    "not affected.",
                    to_string(shape.type()), hull.points.size(),
                    100.0 * (1.0 - hull.volume_ratio)));
    write_hull(index, name, hull, pose, mass);
    report_.became(shape.path, "convex mesh", false, "engine-shape-approximated");
  };
  if (const auto* sphere = std::get_if<SphereShape>(&shape.geometry)) {
    const double radius = magnitude(sphere->radius);
    if (!solid(radius, radius)) return refuse("The radius is 0 or not finite.");
    write_geom(index, name, "sphere", "size=\"" + number(radius) + "\"", pose, mass);
    report_.became(shape.path, "sphere");
  } else if (const auto* cube = std::get_if<CubeShape>(&shape.geometry)) {
    const Vector3d half = cube->half_extents.cast<double>().cwiseAbs();
    if (!is_solid(half)) return refuse("A size is 0 or not finite.");
    write_geom(index, name, "box", "size=\"" + numbers(half) + "\"", pose, mass);
    report_.became(shape.path, "box");
  } else if (const auto* capsule = std::get_if<CapsuleShape>(&shape.geometry)) {
    const double radius = magnitude(capsule->radius);
    if (magnitude(capsule->half_height) == 0.0 && solid(radius, radius)) {
      write_geom(index, name, "sphere", "size=\"" + number(radius) + "\"", pose, mass);
      return report_.became(shape.path, "sphere");
    }
    round("capsule", capsule->radius, capsule->half_height, capsule->axis);
  } else if (const auto* cylinder = std::get_if<CylinderShape>(&shape.geometry)) {
    round("cylinder", cylinder->radius, cylinder->half_height, cylinder->axis);
  } else if (const auto* plane = std::get_if<PlaneShape>(&shape.geometry)) {
    const bool moves =
        world_.model.has_body(shape.body) && world_.model.body(shape.body).rigid_body_enabled;
    if (moves) {
      report_.add("engine-plane-moves", shape.path,
                  "An infinite plane on a body that moves has no counterpart; it is left out.",
                  "Use a thin box.");
      return report_.became(shape.path, "nothing", false, "engine-plane-moves");
    }
    write_geom(index, name, "plane", "size=\"0 0 1\"", turned(pose, plane->axis), 0.0);
    report_.became(shape.path, "plane");
  } else if (std::holds_alternative<MeshShape>(shape.geometry)) {
    world_.is_shown_only(index) ? write_shown_mesh(index, pose) : write_mesh(index, pose);
  } else if (const auto* points = std::get_if<SpherePointsShape>(&shape.geometry)) {
    double cubes = 0.0;
    for (const SpherePoint& point : points->sphere_points) {
      if (is_solid(point)) cubes += std::pow(magnitude(point.radius), 3.0);
    }
    if (cubes == 0.0) return refuse("All sizes are 0 or not finite.");
    for (std::size_t i = 0; i < points->sphere_points.size(); ++i) {
      const SpherePoint& point = points->sphere_points[i];
      if (!is_solid(point)) continue;
      const double radius = magnitude(point.radius);
      const Posed center{pose.position + pose.rotation * point.scaled_center.cast<double>(),
                         pose.rotation};
      write_geom(index, name + "#" + std::to_string(i), "sphere", "size=\"" + number(radius) + "\"",
                 center, mass * std::pow(radius, 3.0) / cubes);
    }
    report_.became(shape.path, "spheres");
  } else {
    approximated();
  }
}

}  // namespace sinew::exporter
