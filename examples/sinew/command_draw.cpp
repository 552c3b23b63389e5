// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cmath>
#include <cstdio>
#include <variant>

#include "commands.hpp"
#include "paths.hpp"
#include "sinew/geom/read_mesh.hpp"
#include "sinew/geom/transforms.hpp"
#include "sinew/geom/visibility.hpp"
#include "sinew/physics/decompose.hpp"
#include "sinew/physics/read/read_physics.hpp"
#include "sinew/skel/read/bindings.hpp"
#include "sinew/skel/read/evaluate.hpp"
#include "sinew/stage/stage.hpp"
#include "svg.hpp"

namespace sinew::tool {

namespace {

constexpr SvgStyle kMesh{.stroke = "#5b7a99", .fill = {}, .width = 0.5F, .opacity = 0.8F};
constexpr SvgStyle kBone{.stroke = "#c2410c", .fill = {}, .width = 1.6F};
constexpr SvgStyle kJoint{.stroke = "#7c2d12", .fill = "#fb923c", .width = 0.8F};
constexpr SvgStyle kShape{.stroke = "#166534", .fill = {}, .width = 0.9F, .opacity = 0.9F};
constexpr std::array<SvgStyle, 3> kAxes = {
    SvgStyle{.stroke = "#dc2626", .fill = {}, .width = 1.4F},
    SvgStyle{.stroke = "#16a34a", .fill = {}, .width = 1.4F},
    SvgStyle{.stroke = "#2563eb", .fill = {}, .width = 1.4F}};

Vector3f transform(const Matrix4d& matrix, const Vector3f& point) {
  const Vector3d p = point.cast<double>();
  return (matrix.topLeftCorner<3, 3>() * p + matrix.topRightCorner<3, 1>()).cast<float>();
}

void draw_characters(const stage::Stage& stage, stage::Time time, SvgPicture& picture,
                     Diagnostics& diagnostics) {
  for (const skel::SkeletonBinding& binding : skel::read_bindings(stage, diagnostics)) {
    if (binding.skeleton == nullptr) continue;
    skel::SkeletonPose pose;
    skel::evaluate_pose(binding, time, pose, diagnostics);
    const Matrix4d world = geom::world_from_prim(binding.skeleton_prim, time);
    for (const skel::SkinTarget& target : binding.targets) {
      skel::DeformedPrim deformed;
      skel::evaluate_target(target, pose, deformed, diagnostics);
      std::vector<Vector3f> points;
      if (!deformed.points.empty()) {
        for (const Vector3f& point : deformed.points) points.push_back(transform(world, point));
      } else {
        const Matrix4d placed = deformed.skinned_transform
                                    ? Matrix4d(world * *deformed.skinned_transform)
                                    : geom::world_from_prim(target.prim, time);
        const auto rest = target.prim.attribute("points");
        if (!rest) continue;
        for (const Vector3f& point : rest.value(time).as_array<Vector3f>()) {
          points.push_back(transform(placed, point));
        }
      }
      const stage::Attribute counts = target.prim.attribute("faceVertexCounts");
      const stage::Attribute indices = target.prim.attribute("faceVertexIndices");
      if (!counts || !indices) continue;
      const layer::Value face_counts = counts.value(time);
      const layer::Value face_indices = indices.value(time);
      picture.add_wireframe(points, face_counts.as_array<std::int32_t>(),
                            face_indices.as_array<std::int32_t>(), kMesh);
    }
    if (pose.joint_world.empty()) continue;
    const auto parents = binding.skeleton->topology().parents();
    const auto pivot = [&](std::size_t joint) {
      return Vector3f(pose.joint_world[joint].topRightCorner<3, 1>().cast<float>());
    };
    for (std::size_t i = 0; i < parents.size(); ++i) {
      if (parents[i] >= 0) {
        picture.add_line(pivot(static_cast<std::size_t>(parents[i])), pivot(i), kBone);
      }
    }
    for (std::size_t i = 0; i < parents.size(); ++i) picture.add_dot(pivot(i), 2.0F, kJoint);
  }
}

// Of a stage without anything else to draw.
void draw_meshes(const stage::Stage& stage, stage::Time time, SvgPicture& picture) {
  for (const stage::Prim prim :
       stage.root().descendants(stage::Traversal::with_instance_proxies())) {
    if (!prim.is_a(stage::SchemaType::mesh) ||
        geom::compute_visibility(prim, time) == geom::Visibility::invisible) {
      continue;
    }
    const geom::Mesh mesh = geom::read_mesh(prim, time, nullptr);
    const Matrix4d world = geom::world_from_prim(prim, time);
    std::vector<Vector3f> points;
    for (const Vector3f& point : mesh.points) points.push_back(transform(world, point));
    picture.add_wireframe(points, mesh.face_counts, mesh.face_indices, kMesh);
  }
}

// Lines of one shape in its own frame, placed in the world.
class ShapeLines {
 public:
  ShapeLines(SvgPicture& picture, const physics::Pose& pose) : picture_(picture), pose_(pose) {}

  void operator()(const physics::SphereShape& s) const { ball(Vector3f::Zero(), s.radius); }
  void operator()(const physics::CubeShape& s) const {
    const Vector3f h = s.half_extents.cwiseAbs();
    for (int axis = 0; axis < 3; ++axis) {
      for (int corner = 0; corner < 4; ++corner) {
        Vector3f from;
        from[axis] = -h[axis];
        from[(axis + 1) % 3] = (corner & 1) != 0 ? h[(axis + 1) % 3] : -h[(axis + 1) % 3];
        from[(axis + 2) % 3] = (corner & 2) != 0 ? h[(axis + 2) % 3] : -h[(axis + 2) % 3];
        Vector3f to = from;
        to[axis] = h[axis];
        line(from, to);
      }
    }
  }
  void operator()(const physics::CapsuleShape& s) const {
    tube(s.axis, s.half_height, s.radius, s.radius);
    ends(s.axis, s.half_height, s.radius, s.radius);
  }
  void operator()(const physics::Capsule1Shape& s) const {
    tube(s.axis, s.half_height, s.top_radius, s.bottom_radius);
    ends(s.axis, s.half_height, s.top_radius, s.bottom_radius);
  }
  void operator()(const physics::CylinderShape& s) const {
    tube(s.axis, s.half_height, s.radius, s.radius);
  }
  void operator()(const physics::Cylinder1Shape& s) const {
    tube(s.axis, s.half_height, s.top_radius, s.bottom_radius);
  }
  void operator()(const physics::ConeShape& s) const {
    tube(s.axis, s.half_height, 0.0F, s.radius);
  }
  void operator()(const physics::PlaneShape&) const {}  // Without end; it would fill the picture.
  void operator()(const physics::MeshShape& s) const {
    if (s.geometry == nullptr) return;
    std::vector<Vector3f> points;
    for (const Vector3f& p : s.geometry->points)
      points.push_back(place(s.mesh_scale.cwiseProduct(p)));
    picture_.add_wireframe(points, s.geometry->face_counts, s.geometry->face_indices, kShape);
  }
  void operator()(const physics::SpherePointsShape& s) const {
    for (const physics::SpherePoint& point : s.sphere_points) {
      ball(point.scaled_center, point.radius);
    }
  }
  void operator()(const physics::CustomShape&) const {}

 private:
  static constexpr int kSegments = 24;

  Vector3f place(const Vector3f& p) const { return pose_.position + pose_.rotation * p; }
  void line(const Vector3f& from, const Vector3f& to) const {
    picture_.add_line(place(from), place(to), kShape);
  }
  void circle(const Vector3f& center, int axis, float radius) const {
    std::vector<Vector3f> points;
    for (int i = 0; i < kSegments; ++i) {
      const float angle = 6.2831853F * static_cast<float>(i) / static_cast<float>(kSegments);
      Vector3f p = center;
      p[(axis + 1) % 3] += radius * std::cos(angle);
      p[(axis + 2) % 3] += radius * std::sin(angle);
      points.push_back(place(p));
    }
    picture_.add_polyline(points, true, kShape);
  }
  void ball(const Vector3f& center, float radius) const {
    for (int axis = 0; axis < 3; ++axis) circle(center, axis, radius);
  }
  void tube(Axis axis, float half_height, float top, float bottom) const {
    const int a = static_cast<int>(axis);
    Vector3f up = Vector3f::Zero();
    up[a] = half_height;
    if (top > 0.0F) circle(up, a, top);
    circle(-up, a, bottom);
    for (int i = 0; i < 4; ++i) {
      Vector3f side = Vector3f::Zero();
      side[(a + 1 + i % 2) % 3] = i < 2 ? 1.0F : -1.0F;
      line(up + top * side, -up + bottom * side);
    }
  }
  void ends(Axis axis, float half_height, float top, float bottom) const {
    const int a = static_cast<int>(axis);
    Vector3f up = Vector3f::Zero();
    up[a] = half_height;
    for (int k = 1; k < 3; ++k) {
      circle(up, (a + k) % 3, top);
      circle(-up, (a + k) % 3, bottom);
    }
  }

  SvgPicture& picture_;
  const physics::Pose& pose_;
};

physics::Pose in_world(const physics::Pose& body, const physics::Pose& local) {
  return {body.position + body.rotation * local.position, body.rotation * local.rotation};
}

// Where a prim is at a time. Physics is read at the default time.
physics::Pose pose_at(const stage::Stage& stage, std::string_view path, stage::Time time) {
  return physics::world_pose(geom::world_from_prim(stage.prim(path), time)).pose;
}

void draw_physics(const stage::Stage& stage, stage::Time time, SvgPicture& picture,
                  Diagnostics& diagnostics) {
  const physics::PhysicsModel model = physics::read_physics(stage, diagnostics);
  std::vector<physics::Pose> bodies;
  for (const physics::RigidBody& body : model.rigid_bodies) {
    bodies.push_back(time.is_default() ? body.pose : pose_at(stage, body.path, time));
  }
  const auto body_pose = [&](std::int32_t body) { return bodies[static_cast<std::size_t>(body)]; };
  Range3f bounds;
  for (const physics::Shape& shape : model.shapes) {
    if (!shape.is_valid) continue;
    physics::Pose pose = shape.local_pose;
    if (shape.body != physics::kNone) {
      pose = in_world(body_pose(shape.body), pose);
    } else if (!time.is_default() && geom::world_transform_might_vary(stage.prim(shape.path))) {
      pose = pose_at(stage, shape.path, time);
    }
    if (!std::holds_alternative<physics::PlaneShape>(shape.geometry)) bounds.add(pose.position);
    std::visit(ShapeLines(picture, pose), shape.geometry);
  }
  const float size = bounds.empty() ? 1.0F : 0.04F * (bounds.max - bounds.min).norm();
  for (const physics::Joint& joint : model.joints) {
    const physics::JointEnd& end = joint.ends[0];
    const bool moves = end.body != physics::kNone;
    const auto [at, turned] = in_world(moves ? body_pose(end.body) : end.body_world, end.frame);
    for (int axis = 0; axis < 3; ++axis) {
      picture.add_line(at, at + turned * (size * Vector3f::Unit(axis)),
                       kAxes[static_cast<std::size_t>(axis)]);
    }
  }
}

}  // namespace

ExitStatus run_draw(const DrawOptions& options, Reporter& reporter) {
  if (extension_of(options.output) != ".svg") {
    return reporter.usage_error("draw: the output must end in .svg, not '" + options.output + "'");
  }
  Diagnostics diagnostics;
  const auto stage = open_stage(options.file, options.common, diagnostics);
  if (!stage) return reporter.open_failed(options.file, stage.error(), diagnostics);
  SvgPicture picture(SvgView::three_quarter((*stage)->metrics().up_axis));
  draw_characters(**stage, options.time, picture, diagnostics);
  draw_physics(**stage, options.time, picture, diagnostics);
  reporter.report(diagnostics, options.file);
  if (picture.empty()) draw_meshes(**stage, options.time, picture);
  if (picture.empty()) {
    reporter.usage_error("draw: " + options.file + " has nothing to draw");
    return ExitStatus::file_error;
  }
  return write_output(options.output, picture.write(720, options.file), reporter);
}

}  // namespace sinew::tool
