// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "export/engines/engine_world.hpp"
#include "export/engines/shared_meshes.hpp"
#include "sinew/export/urdf.hpp"
#include "sinew/physics/shape_hull.hpp"

namespace sinew::exporter {

/// Writes one model. The functions are spread over urdf.cpp, urdf_joints.cpp and urdf_shapes.cpp.
class UrdfWriter {
 public:
  UrdfWriter(const physics::PhysicsModel& source, const EngineOptions& options,
             Diagnostics& diagnostics);
  EngineFile run();

 private:
  // A joint of the file: a degree of freedom of a joint of the stage.
  struct Degree {
    const physics::LinkJoint* joint;
    const physics::LinkDof* dof;
    std::string name;
    std::string link;  // The one that it moves, where that is not the body's; escaped, as `name`.
  };

  void add(const std::string& text) { file_.text += text + "\n"; }
  void write_link(std::size_t index);
  void write_inertial(std::int32_t body, const physics::Posed& into);
  void refuse_loop(std::int32_t index);
  void tell_filters();
  void tell_features();

  // --- Joints (urdf_joints.cpp)
  void list_axes();
  bool keeps_pose(std::size_t link) const;
  void write_joint(std::size_t index, const std::string& child);
  void write_plain(const std::string& name, const char* type, const physics::Posed& where,
                   const std::string& parent, const std::string& child);
  void refuse_joint(std::size_t index);
  void write_chain(std::size_t index, const physics::Posed& start, const std::string& parent,
                   const std::string& child);
  void write_light_link(const std::string& name, std::int32_t body);
  bool write_axis(const Degree& axis, const Vector3d& direction, const physics::Posed& where,
                  const std::string& parent, const std::string& child);
  std::string mimic_of(const Degree& axis);
  const std::string* name_of(std::int32_t joint, physics::JointDof dof) const;

  // --- Shapes (urdf_shapes.cpp)
  void write_shapes(const std::vector<std::int32_t>& colliders,
                    const std::vector<std::int32_t>& shown, const physics::Posed& into);
  void write_shape(std::int32_t index, const physics::Posed& into);
  void write_geometry(const std::string& name, const physics::Posed& pose,
                      const std::string& geometry);
  void write_mesh(const std::string& name, const physics::HullMesh& surface,
                  const physics::Posed& pose);
  bool has_size(const physics::Shape& shape);

  const EngineOptions options_;
  EngineFile file_;
  SharedMeshes meshes_;
  EngineReport report_;
  EngineWorld world_;
  const std::string robot_name_;
  std::vector<std::vector<Degree>> axes_;  // Per link, in the order in which they move it.
  std::map<std::pair<std::int32_t, physics::JointDof>, std::string> axis_names_;
  std::vector<physics::Posed> frames_;  // Of the links, in their bodies.
  std::vector<std::string> link_names_;
  std::vector<std::string> joint_names_;
  std::vector<std::string> world_joint_names_;  // Of links: what holds one without a joint.
  std::vector<std::string> shape_names_;
  std::string_view element_ = "collision";  // What shapes are written as.
};

/// The element that places something in a link.
std::string urdf_origin(const physics::Posed& pose);

}  // namespace sinew::exporter
