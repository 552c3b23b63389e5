// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "export/engines/engine_world.hpp"
#include "export/engines/shared_meshes.hpp"
#include "sinew/export/mjcf.hpp"
#include "sinew/physics/collision_classes.hpp"
#include "sinew/physics/shape_hull.hpp"

namespace sinew::exporter {

inline bool is_open(double bound) {
  return !std::isfinite(bound);
}

inline bool has_limit(const physics::LinkDof& dof) {
  return !is_open(dof.lower) || !is_open(dof.upper);
}

/// An attribute that is a list; nothing if the list is empty.
std::string number_list(const char* name, std::span<const double> values);

/// Those of an element that the solver's numbers stand beside.
std::string solver_attributes(const physics::MjcSolver& solver);

/// Writes one model. The functions are spread over mjcf.cpp, mjcf_constraints.cpp and
/// mjcf_shapes.cpp.
class MjcfWriter {
 public:
  MjcfWriter(const physics::PhysicsModel& source, const EngineOptions& options,
             Diagnostics& diagnostics);
  EngineFile run();

 private:
  void name_all();
  void line(const std::string& text);
  static std::string place(const physics::Posed& pose);

  void open_body(std::size_t link);
  void write_inertial(const physics::ForestLink& link);
  void add_free_start(std::size_t link, const physics::Posed& frame);
  void write_joint(std::size_t link, const physics::LinkJoint& joint);
  void write_dof(std::size_t link, const physics::LinkJoint& joint, std::size_t dof);
  std::string dof_name(const physics::LinkJoint& joint, const physics::LinkDof& dof) const;
  void add_drive(std::size_t link, const physics::LinkJoint& joint, std::size_t dof,
                 const std::string& name);
  void write_actuators();
  void write_actuator(const physics::Actuator& actuator, const std::string& called);
  void write_mimics();
  void write_loop(std::int32_t joint);
  void write_rope(std::int32_t joint, const physics::NormalJoint& normal);
  void find_welds();
  bool move_as_one(std::int32_t a, std::int32_t b) const;
  physics::JointExtras extras_of(std::int32_t joint) const;
  void find_filters();
  std::string stack_hint() const;
  void assemble();

  // --- Shapes (mjcf_shapes.cpp)
  void write_shapes(const std::vector<std::int32_t>& colliders,
                    const std::vector<std::int32_t>& shown);
  void write_shape(std::int32_t index);
  void write_geom(std::int32_t index, const std::string& name, const std::string& type,
                  const std::string& size, const physics::Posed& pose, double mass);
  /// Whether it is written as a mesh; what is flat is a box.
  bool write_hull(std::int32_t index, const std::string& name, const physics::HullMesh& hull,
                  const physics::Posed& pose, double mass);
  void write_mesh(std::int32_t index, const physics::Posed& pose);
  void write_shown_mesh(std::int32_t index, const physics::Posed& pose);
  std::string asset(const std::string& name, const physics::HullMesh& mesh, bool with_faces);
  void write_sites();
  std::string contact_attributes(std::int32_t index) const;

  const EngineOptions options_;
  EngineFile file_;
  EngineReport report_;
  EngineWorld world_;
  std::vector<std::string> body_names_;
  std::vector<std::string> joint_names_;
  std::vector<std::string> shape_names_;
  std::vector<std::string> site_names_;
  std::vector<std::string> drive_names_;  ///< Of the actuators that are drives.
  SharedMeshes meshes_;
  std::set<std::int32_t> actuated_;  ///< Joints that an actuator of a vendor drives.
  /// Joints in the file under their own name, each with its drive.
  std::map<std::int32_t, physics::JointDrive> written_joints_;
  std::optional<physics::CollisionMasks> masks_;  ///< If pairs of bodies are not enough.

  // Sections of the file.
  std::string assets_;
  std::string bodies_;
  std::string contacts_;
  std::string tendons_;
  std::string equalities_;
  std::string actuators_;
  std::vector<std::int32_t> weld_;             ///< See find_welds().
  std::map<std::int32_t, std::string> sites_;  ///< Per body, kNone for the world.
  int depth_ = 2;
  bool balances_ = false;

  // The keyframe.
  std::string start_position_;
  std::string start_velocity_;
  std::string controls_;
  std::string activations_;
  std::size_t position_count_ = 0;
  std::size_t velocity_count_ = 0;
};

}  // namespace sinew::exporter
