// SPDX-License-Identifier: Apache-2.0
// What the writers for engines do with joints alike, and what they tell of them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string_view>
#include <variant>
#include <vector>

#include "core/sort.hpp"
#include "export/engines/engine_world.hpp"
#include "physics/shared/frames.hpp"
#include "physics/shared/one_axis.hpp"
#include "sinew/physics/articulation.hpp"

namespace sinew::exporter {

using namespace physics;

namespace {

constexpr double kApart = 1e-4;

double degrees(double radians) {
  return radians * 180.0 / std::numbers::pi;
}

bool holds_by_axes(const Joint& joint) {
  return !std::holds_alternative<CustomJoint>(joint.kind) &&
         !std::holds_alternative<DistanceJoint>(joint.kind);
}

// By how much the corner of a pyramid lies outside the elliptic cone in it, in degrees.
double cone_error(double first, double second) {
  const double corner = std::acos(std::clamp(std::cos(first) * std::cos(second), -1.0, 1.0));
  const double phi = std::atan2(second, first);
  const double x = std::cos(phi) / first;
  const double y = std::sin(phi) / second;
  return degrees(corner - 1.0 / std::sqrt(x * x + y * y));
}

void tell_apart(const LinkJoint& link, std::string_view path, std::string_view hint,
                EngineReport& report) {
  if (link.mismatch_distance <= kApart && link.mismatch_angle <= kApart) return;
  report.add("engine-joint-apart", path,
             fmt::format("The frames of the joint stand {:g} m and {:g} degrees apart in what it "
                         "locks; bodies keep their poses.",
                         link.mismatch_distance, degrees(link.mismatch_angle)),
             hint);
}

// Whether two joints of one axis between the same bodies leave each other that to move: slides
// along, or turns about, the same line.
bool share_axis(const LinkJoint& a, const LinkJoint& b) {
  if (a.dofs.size() != 1 || b.dofs.size() != 1) return false;
  const LinkDof& first = a.dofs.front();
  const LinkDof& second = b.dofs.front();
  if (first.is_rotation() != second.is_rotation()) return false;
  const Vector3d& axis = first.axis_in_child;
  if (axis.cross(second.axis_in_child).norm() > 1e-3) return false;
  return !first.is_rotation() || axis.cross(b.anchor - a.anchor).norm() <= 1e-3;
}

}  // namespace

// A kinematic body within a mechanism: engines move only what stands in the world by itself, so it
// becomes a part of what its joint connects it to.
void EngineWorld::weld_kinematic(EngineReport& report) {
  for (const Articulation& articulation : model.articulations) {
    for (const ArticulationTree& tree : articulation_trees(model, articulation)) {
      for (const ArticulationLink& link : tree.links) {
        if (link.parent == kNone || link.joint == kNone) continue;
        RigidBody& body = at(model.rigid_bodies, link.body);
        Joint& joint = at(model.joints, link.joint);
        if (!body.kinematic_body || !holds_by_axes(joint)) continue;
        JointEnd& own = joint.ends[joint.ends[0].body == link.body ? 0 : 1];
        const JointEnd& other = joint.ends[joint.ends[0].body == link.body ? 1 : 0];
        own.frame = to_pose(compose(inverse(to_frame(body.pose)), world_frame(model, other)));
        joint.kind = FixedJoint{};
        body.kinematic_body = false;
        welded_joints.insert(link.joint);
        report.add("engine-kinematic-jointed", body.path,
                   fmt::format("The body is moved by animation and is a part of a mechanism, by "
                               "<{}>; it is welded there.",
                               joint.path.view()),
                   "Take the joint out of the articulation to keep the body moving.");
      }
    }
  }
}

void EngineWorld::tell_about_joints(EngineReport& report) const {
  std::vector<std::string_view> paths;
  for (const RigidBody& body : model.rigid_bodies) paths.push_back(body.path);
  sort_range(paths.begin(), paths.end());
  for (const std::string_view path : paths) {
    std::string_view above = path.substr(0, path.rfind('/'));
    while (!above.empty() && !std::binary_search(paths.begin(), paths.end(), above)) {
      above = above.substr(0, above.rfind('/'));
    }
    if (above.empty()) continue;
    report.add_counted("engine-nested-body", path,
                       "The body lies inside another one and is kept as a body of its own; the "
                       "documented rules ignore it");
  }
  for (const std::vector<LinkJoint>& of_link : joints) {
    for (const LinkJoint& link : of_link) {
      const Joint& joint = model.joint(link.joint);
      tell_apart(link, joint.path, "Export with --snap to move the bodies instead.", report);
      for (const LinkDof& dof : link.dofs) {
        const double beyond = std::max(dof.lower - dof.start, dof.start - dof.upper);
        if (!(beyond > kApart)) continue;
        report.add("engine-starts-outside-limit", joint.path,
                   fmt::format("{} starts at {:g}, outside its range of {:g} to {:g}.",
                               to_string(dof.dof), dof.start, dof.lower, dof.upper));
      }
    }
  }
}

void EngineWorld::tell_about_loops(EngineReport& report) const {
  for (const std::int32_t j : forest.loop_joints) {
    const Joint& joint = model.joint(j);
    if (!holds_by_axes(joint)) continue;
    const LinkJoint link = link_joint(model, j, joint.ends[1].body);
    tell_apart(link, joint.path, {}, report);
    if (!has_one_axis(joint) || joint.exclude_from_articulation) continue;
    for (const JointEnd& end : joint.ends) {
      if (!model.has_body(end.body)) continue;
      const std::vector<LinkJoint>& held = at(joints, at(forest.link_of_body, end.body));
      if (held.empty()) continue;
      const LinkJoint seen = link_joint(model, j, end.body);
      const Joint& other = model.joint(held.front().joint);
      if (seen.parent != held.front().parent || !has_one_axis(other) ||
          share_axis(seen, held.front())) {
        continue;
      }
      report.add(
          "engine-joints-parallel", joint.path,
          fmt::format("The joint and <{}> connect the same bodies and hold at the same time, "
                      "which leaves nothing to move.",
                      other.path.view()),
          "If they are meant one after the other, export with --stack always.");
    }
  }
}

void EngineWorld::tell_welded(std::int32_t joint, std::string_view what,
                              EngineReport& report) const {
  const bool is_exact = welded_joints.count(joint) == 0;
  report.became(model.joint(joint).path, what, is_exact,
                is_exact ? "" : "engine-kinematic-jointed");
}

std::string_view EngineWorld::tell_turns(const LinkJoint& joint, EngineReport& report) const {
  const std::string_view path = model.joint(joint.joint).path;
  std::size_t turns = 0;
  std::vector<double> limits;
  for (const LinkDof& dof : joint.dofs) {
    if (!dof.is_rotation()) continue;
    ++turns;
    if (std::isfinite(dof.lower) || std::isfinite(dof.upper)) limits.push_back(dof.upper);
  }
  if (turns < 2) {
    return loses_distance(model.joint(joint.joint)) ? "engine-feature-dropped" : std::string_view();
  }
  if (joint.cone && !limits.empty()) {
    const double error = limits.size() == 2 ? cone_error(limits[0], limits[1]) : 0.0;
    report.add("engine-cone-as-hinges", path,
               fmt::format("The cone is written as hinges with ranges: a pyramid, whose corners "
                           "are {:.3g} degrees outside.",
                           error));
    return "engine-cone-as-hinges";
  }
  report.add("engine-euler-order", path,
             fmt::format("{} turns are written as hinges one after the other; away from 0 "
                         "engines measure them differently.",
                         turns));
  return "engine-euler-order";
}

}  // namespace sinew::exporter
