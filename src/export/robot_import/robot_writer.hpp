// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "export/robot_import/reading.hpp"
#include "export/shared/layer_output.hpp"

namespace sinew::exporter::robot_import {

/// Several joints of one body as one joint of UsdPhysics, which moves along and then about the axes
/// of one frame.
struct JointFrame {
  Quatd frame = Quatd::Identity();  ///< Of the joint, in the body, before anything turned.
  std::array<std::int32_t, 6> dofs = {kNothing, kNothing, kNothing,
                                      kNothing, kNothing, kNothing};  ///< trans, then rot.
  bool is_ball = false;                                               ///< All turns are open.
};

/// Fills the layer. Its functions are spread over write_robot.cpp, write_geoms.cpp,
/// write_robot_joints.cpp and write_filters.cpp.
class RobotWriter {
 public:
  RobotWriter(const RobotInput& input, LayerOutput& out, RobotCounts& counts)
      : in_(input), robot_(*input.robot), out_(out), counts_(counts) {}
  void run();

 private:
  bool is_over() const { return out_.budget().is_spent(); }
  bool is_rigid(std::int32_t body) const {
    return body != 0 && at(robot_.bodies, body).carrier == body;
  }
  /// The rigid body that a body is part of, 0 for the world, and its pose in that.
  std::int32_t carrier(std::int32_t body) const { return at(robot_.bodies, body).carrier; }
  Posed in_carrier(std::int32_t body) const;
  OutPrim* prim_of(std::int32_t carrier);

  // --- write_robot.cpp
  void write_root();
  void write_scene();
  bool marks(const RobotBody& body) const;
  void write_body(std::int32_t index);
  void write_mass(const RobotBody& body, OutPrim* prim);
  void write_pose(OutPrim* prim, const Posed& pose, const Vector3d& scale);
  void write_articulations();

  // --- write_geoms.cpp
  void write_geom(std::int32_t index, OutPrim* parent, bool has_visuals);
  void write_site(const RobotSite& site, OutPrim* parent);
  void write_mjc(OutPrim* prim, std::string_view api, std::string_view name,
                 std::span<const double> values);
  void write_color(const RobotGeom& geom, OutPrim* prim);
  std::string_view write_shape_type(const RobotGeom& geom) const;
  Vector3d write_sizes(const RobotGeom& geom, OutPrim* prim);
  void write_mesh(const RobotMesh& mesh, OutPrim* prim);
  RobotMesh ellipsoid(const Vector3d& half) const;
  OutPrim* material_of(const RobotGeom& geom);
  void write_extra(OutPrim* prim, std::string_view api, std::string_view attribute,
                   const std::optional<double>& value);

  // --- write_robot_joints.cpp
  void write_joints(std::int32_t body);
  OutPrim* add_joint(std::string_view type, std::string_view name, std::int32_t body0,
                     const Posed& frame0, std::int32_t body1, const Posed& frame1);
  void write_one_axis(std::int32_t index, std::int32_t parent, const Posed& child_in_parent,
                      bool is_stacked);
  void write_ball(std::int32_t index, std::int32_t parent, const Posed& child_in_parent);
  std::optional<JointFrame> joint_frame(const RobotBody& body) const;
  void write_general(const RobotBody& body, const JointFrame& plan, std::int32_t parent,
                     const Posed& child_in_parent);
  void write_extras(const RobotJoint& joint, OutPrim* prim, bool is_stacked);
  void write_drive(const RobotJoint& joint, std::string_view dof, OutPrim* prim);
  void write_state(const RobotJoint& joint, std::string_view dof, OutPrim* prim);
  void write_mimics();
  void write_loop(const RobotLoop& loop);
  void write_actuators();

  // --- write_filters.cpp
  void find_welds();
  bool joint_filters(std::int32_t body) const;
  void write_filters();
  void filter_moved_geoms();
  void write_weld(const std::vector<std::int32_t>& members);
  void write_groups();

  const RobotInput& in_;
  Robot& robot_;
  LayerOutput& out_;
  RobotCounts& counts_;
  OutPrim* root_ = nullptr;
  OutPrim* world_ = nullptr;  ///< What stands still, if anything does.
  OutPrim* joints_scope_ = nullptr;
  OutPrim* materials_scope_ = nullptr;
  std::vector<OutPrim*> bodies_;       ///< Of rigid ones.
  std::vector<OutPrim*> body_joints_;  ///< The first joint that holds each.
  std::vector<OutPrim*> joints_;       ///< Null where several share a prim.
  std::vector<bool> leads_;            ///< Per joint: others follow it.
  std::vector<OutPrim*> geoms_;
  /// By sliding, torsional and rolling friction.
  std::map<std::tuple<double, std::optional<double>, std::optional<double>>, OutPrim*> materials_;
  std::vector<std::int32_t> weld_;  ///< Per body: the one that it is welded to and moves with.
  std::set<std::pair<std::int32_t, std::int32_t>> excluded_;  ///< Carriers, smaller first.
};

}  // namespace sinew::exporter::robot_import
