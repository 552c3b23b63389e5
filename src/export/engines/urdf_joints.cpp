// SPDX-License-Identifier: Apache-2.0
// The joints of URDF: one axis each, so those with several become chains of light links.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>

#include "export/engines/urdf_writer.hpp"
#include "export/shared/open_ends.hpp"
#include "physics/shared/frames.hpp"

namespace sinew::exporter {

using namespace physics;

namespace {

// What a link within a chain weighs, of the body at its end: readers that simulate want a mass
// wherever something moves.
constexpr double kLight = 1e-6;
constexpr double kLeastLight = 1e-14;

// How a degree of freedom moves a body, in the frame of that.
Posed motion(const LinkJoint& joint, const LinkDof& dof, double value) {
  if (!dof.is_rotation()) return {value * dof.axis_in_child, Quatd::Identity()};
  const Quatd turn(Eigen::AngleAxisd(value, dof.axis_in_child.normalized()));
  return {joint.anchor - turn * joint.anchor, turn};
}

bool is_open_range(const LinkDof& dof) {
  return !std::isfinite(dof.lower) && !std::isfinite(dof.upper);
}

std::string_view type_of(const LinkDof& dof) {
  return !dof.is_rotation() ? "prismatic" : is_open_range(dof) ? "continuous" : "revolute";
}

}  // namespace

// What moves each link, and the names of that.
void UrdfWriter::list_axes() {
  std::vector<Degree*> extra;
  std::vector<Degree*> inner;
  std::vector<std::string> joint_paths;
  std::vector<std::string> link_paths;
  axes_.resize(world_.joints.size());
  for (std::size_t i = 0; i < world_.joints.size(); ++i) {
    const std::vector<LinkJoint>& joints = world_.joints[i];
    const bool is_single = joints.size() == 1 && joints.front().dofs.size() == 1;
    const bool chains = joints.size() > 1 || options_.stacked == StackedJoints::always;
    if (!is_single && !chains) continue;
    std::vector<Degree>& axes = axes_[i];
    for (const LinkJoint& joint : joints) {
      for (const LinkDof& dof : joint.dofs) axes.push_back({&joint, &dof, {}, {}});
    }
    for (Degree& axis : axes) {
      std::string path = world_.model.joint(axis.joint->joint).path.str();
      if (axis.joint->dofs.size() == 1) {
        axis.name = escaped(at(joint_names_, axis.joint->joint));
      } else {
        path += ":" + std::string(to_string(axis.dof->dof));
        extra.push_back(&axis);
        joint_paths.push_back(path);
      }
      if (&axis == &axes.back()) continue;
      inner.push_back(&axis);
      link_paths.push_back(path);
    }
  }
  const auto more = unique_names(joint_paths, options_.names, joint_names_).names;
  for (std::size_t i = 0; i < extra.size(); ++i) extra[i]->name = escaped(more[i]);
  std::vector<std::string> used = joint_names_;
  used.insert(used.end(), more.begin(), more.end());
  std::vector<std::string> holds;  // Of links, by what holds those without a joint.
  for (const ForestLink& link : world_.forest.links) {
    holds.push_back(at(link_names_, link.body) + "_to_world");
  }
  world_joint_names_ = unique_names(holds, NameStyle::path, used).names;
  std::vector<std::string> taken = link_names_;
  taken.emplace_back("world");
  const auto links = unique_names(link_paths, options_.names, taken).names;
  for (std::size_t i = 0; i < inner.size(); ++i) inner[i]->link = escaped(links[i]);
  for (const std::vector<Degree>& axes : axes_) {
    for (const Degree& axis : axes) axis_names_[{axis.joint->joint, axis.dof->dof}] = axis.name;
  }
}

// Whether the joints of a link are written from where its body is, not from their frames: several
// axes always are, one is where the frames would have the body elsewhere.
bool UrdfWriter::keeps_pose(std::size_t link) const {
  if (axes_[link].empty()) return false;
  const LinkJoint& joint = world_.joints[link].front();
  // Other turns that are locked away from 0 turn the axis against the frames.
  if (world_.joints[link].size() > 1 || joint.dofs.size() > 1 || !joint.locked_turns.isZero()) {
    return true;
  }
  constexpr double kSame = 1e-4;
  const Posed pose = compose(inverse(body_frame(world_.model, joint.parent)),
                             body_frame(world_.model, joint.child));
  const Posed said = link_pose(joint, {joint.dofs.front().start}, true);
  return (pose.position - said.position).norm() > kSame ||
         pose.rotation.angularDistance(said.rotation) > kSame;
}

void UrdfWriter::write_plain(const std::string& name, const char* type, const Posed& where,
                             const std::string& parent, const std::string& child) {
  add("  <joint name=\"" + name + "\" type=\"" + type + "\">\n    " + urdf_origin(where) +
      "\n    <parent link=\"" + parent + "\"/>\n    <child link=\"" + child + "\"/>\n  </joint>");
}

// The joint that holds a link; every link has one, be it to the world.
void UrdfWriter::write_joint(std::size_t index, const std::string& child) {
  const ForestLink& link = world_.forest.links[index];
  const RigidBody& body = world_.model.body(link.body);
  const Posed pose = body_frame(world_.model, link.body);
  const std::string parent =
      link.parent == kNone ? "world"
                           : escaped(at(link_names_, at(world_.forest.links, link.parent).body));
  if (world_.joints[index].empty()) {
    const bool floats = link.state == LinkState::free;
    if (link.state == LinkState::kinematic) {
      report_.add_counted("engine-feature-dropped", body.path,
                          "A kinematic body stands still in the file");
    }
    return write_plain(escaped(world_joint_names_[index]), floats ? "floating" : "fixed", pose,
                       parent, child);
  }
  const LinkJoint& joint = world_.joints[index].front();
  const bool from_body = link.parent != kNone;
  // A joint to a static prim or a disabled body hangs on the world.
  const Posed base = from_body ? Posed{} : body_frame(world_.model, joint.parent);
  const Posed parent_link = from_body ? at(frames_, link.parent) : Posed{};
  const auto placed = [&](const Posed& child_in_parent) {
    return compose(inverse(parent_link), compose(base, child_in_parent));
  };
  const Posed start =
      from_body ? compose(inverse(world_.parent_frame(index)), pose) : compose(inverse(base), pose);
  const std::vector<Degree>& axes = axes_[index];
  if (axes.empty()) {
    refuse_joint(index);
    return write_plain(escaped(at(joint_names_, joint.joint)), "fixed",
                       compose(placed(start), frames_[index]), parent, child);
  }
  if (keeps_pose(index)) return write_chain(index, placed(start), parent, child);
  // At zero nothing has turned: the axis is that of the child's joint frame.
  const LinkDof& dof = *axes.front().dof;
  const int k = (static_cast<int>(dof.dof) - static_cast<int>(JointDof::trans_x)) % 3;
  const Vector3d axis =
      (joint.reversed ? -1.0 : 1.0) * (joint.child_frame.rotation * Vector3d::Unit(k));
  const bool starts_at_zero = write_axis(
      axes.front(), axis, compose(placed(zero_pose(joint)), frames_[index]), parent, child);
  const std::string_view told =
      starts_at_zero ? world_.tell_turns(joint, report_) : "engine-start-dropped";
  report_.became(world_.model.joint(joint.joint).path, type_of(dof), told.empty(), told);
}

// Of a link whose joints are written as one that is fixed.
void UrdfWriter::refuse_joint(std::size_t index) {
  for (const LinkJoint& joint : world_.joints[index]) {
    const Joint& prim = world_.model.joint(joint.joint);
    if (joint.dofs.empty()) {
      world_.tell_welded(joint.joint, "fixed", report_);
      continue;
    }
    report_.add("engine-joint-unsupported", prim.path,
                fmt::format("The joint leaves {} degrees of freedom open and the format knows one; "
                            "the body is fixed as it stands.",
                            joint.dofs.size()),
                "Export with --stack always to write a chain of joints with light links between.");
    report_.became(prim.path, "fixed", false, "engine-joint-unsupported");
  }
}

// Joints one after the other, with a light link behind each but the last; `start` is the pose of
// the body in the parent link.
void UrdfWriter::write_chain(std::size_t index, const Posed& start, const std::string& parent,
                             const std::string& child) {
  const std::int32_t body = world_.forest.links[index].body;
  const std::vector<Degree>& axes = axes_[index];
  // Of the body in the link before, with the coordinates up to here at 0.
  Posed pose = start;
  const std::string* from = &parent;
  bool starts_at_zero = true;
  for (const Degree& axis : axes) {
    const bool is_last = &axis == &axes.back();
    if (!is_last) write_light_link(axis.link, body);
    const std::string& to = is_last ? child : axis.link;
    pose = compose(pose, motion(*axis.joint, *axis.dof, -axis.dof->start));
    const Posed frame{axis.joint->anchor, Quatd::Identity()};
    starts_at_zero = write_axis(axis, axis.dof->axis_in_child, compose(pose, frame), *from, to) &&
                     starts_at_zero;
    pose = inverse(frame);
    from = &to;
    if (axis.dof != &axis.joint->dofs.back()) continue;
    const std::string_view path = world_.model.joint(axis.joint->joint).path;
    const std::string_view turns = world_.tell_turns(*axis.joint, report_);
    const std::string_view told = !turns.empty()    ? turns
                                  : !starts_at_zero ? "engine-start-dropped"
                                                    : std::string_view();
    const std::size_t count = axis.joint->dofs.size();
    report_.became(path, count == 1 ? type_of(*axis.dof) : fmt::format("chain of {} joints", count),
                   told.empty(), told);
    starts_at_zero = true;
  }
  if (axes.size() > 1) {
    report_.add_counted("engine-link-added", world_.model.joint(axes.front().joint->joint).path,
                        "Between the axes stand links that weigh a millionth of the body");
  }
}

void UrdfWriter::write_light_link(const std::string& name, std::int32_t body) {
  const MassFrame& mass = at(world_.masses, body);
  const std::string moment = number(std::max(kLight * mass.moments.maxCoeff(), kLeastLight));
  add("  <link name=\"" + name + "\">\n    <inertial>\n      <mass value=\"" +
      number(std::max(kLight * mass.mass, kLeastLight)) + "\"/>\n      <inertia ixx=\"" + moment +
      "\" ixy=\"0\" ixz=\"0\" iyy=\"" + moment + "\" iyz=\"0\" izz=\"" + moment +
      "\"/>\n    </inertial>\n  </link>");
}

// Returns whether the joint stands at 0 at the start.
bool UrdfWriter::write_axis(const Degree& axis, const Vector3d& direction, const Posed& where,
                            const std::string& parent, const std::string& child) {
  const LinkDof& dof = *axis.dof;
  const Joint& prim = world_.model.joint(axis.joint->joint);
  const bool turns = dof.is_rotation();
  const std::string_view type = type_of(dof);
  std::string text = "  <joint name=\"" + axis.name + "\" type=\"" + std::string(type) +
                     "\">\n    " + urdf_origin(where) + "\n    <parent link=\"" + parent +
                     "\"/>\n    <child link=\"" + child + "\"/>\n    <axis xyz=\"" +
                     numbers(direction) + "\"/>";
  const auto force = static_cast<double>(dof.drive.force_limit);
  const bool has_effort =
      dof.drive.enabled && force >= 0.0 && force < static_cast<double>(kUnlimited);
  if (!has_effort) {
    report_.add_counted("engine-effort-unset", prim.path,
                        "The file wants an effort and no drive limits its force: 0 is written");
  }
  const double far = turns ? kFarAngle : kFarDistance;
  double velocity = far;
  const DofExtras extras = world_.model.dof_extras(axis.joint->joint, dof.dof);
  if (extras.velocity_limit && std::isfinite(*extras.velocity_limit)) {
    velocity = static_cast<double>(*extras.velocity_limit);
  } else {
    report_.add_counted(
        "engine-velocity-unset", prim.path,
        fmt::format("The file wants a velocity and nothing caps it: {:g} is written", far));
  }
  text += "\n    <limit effort=\"" + number(has_effort ? force : 0.0) + "\" velocity=\"" +
          number(velocity) + "\"";
  if (type != "continuous") {
    if (!std::isfinite(dof.lower) || !std::isfinite(dof.upper)) {
      report_.add_counted("engine-limit-one-sided", prim.path,
                          fmt::format("The open end of the range is written as {:g}", far));
    }
    text += " lower=\"" + number(std::isfinite(dof.lower) ? dof.lower : -far) + "\" upper=\"" +
            number(std::isfinite(dof.upper) ? dof.upper : far) + "\"";
  }
  text += "/>";
  if (extras.damping || extras.friction) {
    text += "\n    <dynamics damping=\"" +
            number(static_cast<double>(extras.damping.value_or(0.0F))) + "\" friction=\"" +
            number(static_cast<double>(extras.friction.value_or(0.0F))) + "\"/>";
  }
  add(text + mimic_of(axis) + "\n  </joint>");
  // Frames in single precision are off by less.
  constexpr double kNoStart = 1e-6;
  const double start = extras.start ? static_cast<double>(*extras.start) : dof.start;
  const bool starts_at_zero = std::abs(start) <= kNoStart;
  const std::string_view what =
      axis.joint->dofs.size() == 1 ? std::string_view("The joint") : to_string(dof.dof);
  if (!starts_at_zero) {
    report_.add("engine-start-dropped", prim.path,
                fmt::format("{} starts at {:g} {}; the file holds its pose at 0.", what, start,
                            turns ? "radians" : "m"));
  }
  if (dof.drive.enabled && (dof.drive.stiffness > 0.0F || dof.drive.damping > 0.0F)) {
    report_.add(
        "engine-drive-gains-dropped", prim.path,
        fmt::format("The drive has a stiffness of {:g} and a damping of {:g}, for which the "
                    "file has no place.",
                    dof.drive.stiffness, dof.drive.damping));
  }
  return starts_at_zero;
}

std::string UrdfWriter::mimic_of(const Degree& axis) {
  std::string text;
  for (const Mimic& mimic : world_.model.mimics) {
    const bool follows = axis.joint->dofs.size() == 1 || mimic.follower_dof == axis.dof->dof;
    if (mimic.follower != axis.joint->joint || !follows) continue;
    const std::string* leader = name_of(mimic.leader, mimic.leader_dof);
    if (leader == nullptr) {
      report_.add_counted("engine-feature-dropped", world_.model.joint(mimic.follower).path,
                          "The joint does not follow the other one, which is not in the file");
      continue;
    }
    if (*leader == axis.name) {
      report_.add_counted("engine-feature-dropped", world_.model.joint(mimic.follower).path,
                          "The joint does not follow itself");
      continue;
    }
    text += "\n    <mimic joint=\"" + *leader + "\" multiplier=\"" +
            number(static_cast<double>(mimic.ratio)) + "\" offset=\"" +
            number(static_cast<double>(mimic.offset)) + "\"/>";
  }
  return text;
}

// Of the joint in the file that a degree of freedom became; where there is only one of its joint,
// that, whichever is meant.
const std::string* UrdfWriter::name_of(std::int32_t joint, JointDof dof) const {
  const auto exact = axis_names_.find({joint, dof});
  if (exact != axis_names_.end()) return &exact->second;
  const auto first = axis_names_.lower_bound({joint, JointDof::distance});
  const auto last = axis_names_.upper_bound({joint, JointDof::rot_z});
  return first != last && std::next(first) == last ? &first->second : nullptr;
}

}  // namespace sinew::exporter
