// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "physics/shared/indexed.hpp"
#include "sinew/export/engine_file.hpp"
#include "sinew/physics/initial_state.hpp"
#include "sinew/physics/joint_forest.hpp"
#include "sinew/physics/link_joint.hpp"
#include "sinew/physics/mass.hpp"
#include "sinew/physics/mass_frame.hpp"
#include "sinew/physics/model.hpp"
#include "sinew/physics/names.hpp"
#include "sinew/physics/pair_filter.hpp"

namespace sinew::exporter {

using physics::at;

/// What the elements of a list are called in a file: by their paths, each in its own way.
template <typename List>
std::vector<std::string> names_of(const List& list, physics::NameStyle style,
                                  const std::vector<std::string>& reserved = {}) {
  std::vector<std::string> paths;
  for (const auto& element : list) paths.push_back(element.path.str());
  return physics::unique_names(paths, style, reserved).names;
}

/// Names a file beside the robot's for its mesh `number`. Where names of prims are short, the
/// robot's comes first, since the files of others may lie there too.
std::string mesh_file_name(const EngineOptions& options, const std::string& name,
                           std::size_t number);

/// Whether a generic joint limits or drives the distance of its ends, for which no engine's joint
/// has a place.
bool loses_distance(const physics::Joint& joint);

/// Tells what a writer does with each prim.
class EngineReport {
 public:
  EngineReport(Diagnostics& diagnostics, EngineFile& file)
      : diagnostics_(diagnostics), file_(file) {}

  /// A diagnostic of engine_diagnostics(), of the severity that it has there.
  void add(std::string_view code, std::string_view path, std::string message,
           std::string_view hint = {});
  /// The same, once for any number of prims: the message is finished with their count.
  void add_counted(std::string_view code, std::string_view path, std::string_view what);
  void finish_counted();

  void became(std::string_view path, std::string_view what, bool exact = true,
              std::string_view code = {});
  /// What became() says first, from now on.
  void set_prefix(std::string_view prefix) { prefix_ = prefix; }

 private:
  struct Counted {
    std::string code;
    std::string path;  // Of the first.
    std::string what;
    std::size_t count = 0;
  };
  Diagnostics& diagnostics_;
  EngineFile& file_;
  std::vector<Counted> counted_;
  std::string prefix_;
};

/// A model in SI units with all that the writers need of it.
struct EngineWorld {
  physics::PhysicsModel model;
  physics::JointForest forest;
  std::vector<std::vector<std::int32_t>> children;        ///< Per link.
  std::vector<std::int32_t> roots;                        ///< Links without a parent.
  std::vector<std::vector<physics::LinkJoint>> joints;    ///< Per link.
  std::vector<physics::LinkStart> starts;                 ///< Per link.
  std::vector<physics::BodyMass> body_masses;             ///< Per body.
  std::vector<physics::MassFrame> masses;                 ///< The same.
  std::vector<bool> has_mass;                             ///< Per body: `masses` can be written.
  std::vector<std::vector<std::int32_t>> shapes_of_body;  ///< Usable ones.
  std::vector<std::int32_t> static_shapes;                ///< Usable ones of no body.
  std::vector<double> shape_mass;                         ///< What each adds to its body.
  std::vector<std::vector<std::int32_t>> shown_of_body;   ///< After show().
  std::vector<std::int32_t> static_shown;                 ///< After show(): of no body.
  std::set<std::int32_t> welded_joints;                   ///< Of kinematic bodies in trees.
  physics::PairFilter filter;
  physics::Gravity gravity;

  EngineWorld(const physics::PhysicsModel& source, const EngineOptions& options,
              EngineReport& report, Diagnostics& diagnostics);

  /// Adds what is only shown to the shapes of the model, behind the colliders and in SI units, when
  /// everything is known of those.
  void show(const EngineOptions& options, std::vector<std::string>& shape_names);
  bool is_shown_only(std::int32_t shape) const {
    return static_cast<std::size_t>(shape) >= collider_count_;
  }
  /// The code for a shape that cannot be written.
  std::string_view refused(std::int32_t shape) const {
    return is_shown_only(shape) ? "engine-visual-skipped" : "engine-shape-unsupported";
  }
  /// World frame of what a link hangs on.
  physics::Posed parent_frame(std::size_t link) const;
  /// Of a joint that is written as hinges one after the other: what that changes. The code of
  /// what was told; for fewer than two turns that of what else the joint loses, or empty.
  std::string_view tell_turns(const physics::LinkJoint& joint, EngineReport& report) const;
  /// Of a joint that leaves nothing open.
  void tell_welded(std::int32_t joint, std::string_view what, EngineReport& report) const;
  /// Of formats that cannot cap them.
  void tell_about_speeds(EngineReport& report) const;
  /// Of formats that hold one friction.
  void tell_about_friction(EngineReport& report) const;

 private:
  double meters_per_unit_;  // Of the source.
  std::size_t collider_count_ = 0;

  void drop_unusable(EngineReport& report);
  void weld_kinematic(EngineReport& report);
  void weigh(EngineReport& report, Diagnostics& diagnostics);
  void sort_shapes(EngineReport& report);
  void tell_about_scenes(EngineReport& report) const;
  void tell_about_joints(EngineReport& report) const;
  void tell_about_loops(EngineReport& report) const;
  void tell_about_features(EngineReport& report) const;
};

/// A number that reads back to the same double; 0 for what is not finite.
std::string number(double value);
/// Three numbers between blanks.
std::string numbers(const Vector3d& v);
/// w x y z.
std::string numbers(const Quatd& q);
/// For an attribute in double quotes.
std::string escaped(std::string_view text);

/// A hull as OBJ text.
std::string obj_text(const std::vector<Vector3d>& points,
                     const std::vector<std::array<std::int32_t, 3>>& triangles);

/// Turns +z to an axis.
Quatd from_z(Axis axis);

/// Whether there is anything of a point to be written as a ball.
bool is_solid(const physics::SpherePoint& point);
/// Whether a box of these half extents has room along every axis. Signs do not count.
bool is_solid(const Vector3d& half_extents);

inline constexpr double kLeastMass = 1e-15;  ///< Below, engines divide by it in vain.

}  // namespace sinew::exporter
