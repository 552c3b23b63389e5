// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/text_arena.hpp"
#include "geom/shared/transform_reader.hpp"
#include "physics/articulation_island.hpp"
#include "physics/read/applied_apis.hpp"
#include "physics/read/body_lookup.hpp"
#include "physics/read/last_decomposition.hpp"
#include "physics/read/names.hpp"
#include "physics/read/prim_map.hpp"
#include "sinew/geom/material_binding.hpp"
#include "sinew/physics/read/read_physics.hpp"
#include "stage/shared/property_table.hpp"
#include "stage/shared/reporter.hpp"

namespace sinew::physics {

/// Whether a body inside a body does not count.
inline bool ignores_nested_bodies_of(const ReadOptions& options, Rules rules) noexcept {
  if (options.nested_bodies == NestedBodies::by_rules) return rules == Rules::documented;
  return options.nested_bodies == NestedBodies::ignore;
}

/// Reads one stage. The functions are spread over read_physics.cpp, read_values.cpp,
/// read_shapes.cpp, read_joints.cpp and read_groups.cpp, as the comments between them say.
class Reader {
 public:
  Reader(const stage::Stage& stage, Diagnostics& diagnostics, const ReadOptions& options);

  PhysicsModel run();

 private:
  // What a prim takes over from those above it.
  struct Context {
    Matrix4d world = Matrix4d::Identity();
    std::int32_t body = kNone;       ///< Nearest body, an index into bodies_.
    std::int32_t mass_node = kNone;  ///< Nearest node of that body, an index into its nodes.
    bool reset_since_body = false;   ///< A transform reset stands between the body and here.
    bool reported = true;            ///< False below what is excluded: only mass is looked at.
    bool binds_material = false;     ///< A material may be bound here or above.
    bool weighs = true;              ///< Colliders add to the mass of that body.
    bool apple_geometry = false;     ///< What is visited collides by Apple's schema.
  };
  // A body while it is being read.
  struct BodyEntry {
    stage::Prim prim;
    Matrix4d world;
    Matrix4d from_world;
    Vector3d scale;
    std::int32_t node_count = 0;
  };
  // Where a collider, or a prim with mass, stands.
  struct Placement {
    ScaledPose world;
    ScaledPose local;  ///< Relative to the body; the same as `world` without one.
  };
  // A shape in the list of those that are reported, or of those that are not.
  struct ShapeRef {
    std::int32_t index = kNone;
    bool reported = true;
  };
  // Where a mass node belongs.
  struct NodePlace {
    std::int32_t body = kNone;
    bool reported_shape = true;  ///< As ShapeRef::reported.
  };
  class GprimAttributes;
  // What shapes need to know about a prim that they are bound to; nothing if that is not physical.
  struct BoundMaterial {
    Text path;
    float density = 0.0F;
  };
  // What an end of a joint names: the first target.
  struct JointTarget {
    Text path;
    std::size_t count = 0;
    std::int32_t body = kNone;  ///< If it is already known; the path is then left out.
  };
  // A joint that is read but for its ends, which may name bodies that are yet to come.
  struct JointEntry {
    stage::Prim prim;
    JointTarget targets[2];
  };
  // --- Walk (read_physics.cpp)
  void visit(const stage::Prim& prim, const Context& parent);
  bool enter(const stage::Prim& prim, const Context& parent, Context& context);
  void classify(const stage::Prim& prim, Context& context, std::uint16_t apis);
  void weigh_material(const stage::Prim& prim, Context& context, std::uint16_t apis);
  bool is_instancer(const stage::Prim& prim) const;
  void reserve();
  bool starts_body(const stage::Prim& prim, const Context& context);
  bool takes_in_bodies(const Context& context) const;
  BodyEntry& entry_of(std::int32_t body) { return bodies_[static_cast<std::size_t>(body)]; }
  Placement place(const Context& context, bool is_body);
  void add_body(const stage::Prim& prim, Context& context, std::uint16_t apis);
  void add_mass_node(const stage::Prim& prim, Context& context, std::uint16_t apis,
                     const ShapeRef& shape, const Placement& placement);
  void add_scene(const stage::Prim& prim);
  void add_material(const stage::Prim& prim);
  void finish_body(std::int32_t index);
  void finish_mass_nodes();
  void finish_materials();
  void resolve_owners();
  void add_articulations();

  // --- Values (read_values.cpp)
  template <typename T>
  T read(const stage::Prim& prim, const Name& name, T fallback);
  /// Where a block leaves what a descriptor starts from and not the schema's fallback.
  template <typename T>
  T read(const stage::Prim& prim, const Name& name, T fallback, T initial);
  /// The text of a token; valid as long as `made` and the stage.
  std::optional<std::string_view> read_text(const stage::Prim& prim, const Name& name,
                                            layer::Value& made);
  std::string read_token(const stage::Prim& prim, const Name& name, std::string_view fallback);
  template <typename T>
  std::optional<T> authored(const stage::Prim& prim, const Name& name);
  layer::Value value_of(const stage::Prim& prim, const Name& name, stage::ValueTypes wanted);
  template <typename T>
  layer::Value read_array(const stage::Prim& prim, const Name& name);
  const layer::Value* weaker_value(const stage::Prim& prim, const Name& name, layer::Value& made,
                                   stage::ValueTypes wanted);
  std::vector<Text> targets(const stage::Prim& prim, const Name& name);
  AuthoredMass authored_mass(const stage::Prim& prim);
  Axis read_axis(const stage::Prim& prim, const Name& name, Axis fallback);
  void mismatch(const stage::Prim& prim, const Name& name, std::string_view consequence);

  // --- Shapes (read_shapes.cpp)
  ShapeRef add_shape(const stage::Prim& prim, const Context& context, std::uint16_t apis,
                     const Placement& placement);
  void add_site(const stage::Prim& prim, const Context& context, const Placement& placement);
  bool read_geometry(const stage::Prim& prim, const Vector3f& scale, std::uint16_t apis,
                     Shape& shape);
  bool read_gprim(const stage::Prim& prim, const Vector3f& scale, Geometry& geometry);
  std::string_view custom_token(const stage::Prim& prim) const;
  layer::Value read_widths(const stage::Prim& prim, std::size_t point_count);
  void read_mesh(const stage::Prim& prim, const Vector3f& scale, std::uint16_t apis, Shape& shape);
  void read_subdivision(const stage::Prim& prim, geom::Mesh& mesh);
  void read_sphere_points(const stage::Prim& prim, const Vector3f& scale, Shape& shape);
  void read_materials(const stage::Prim& prim, const Context& context, std::uint16_t apis,
                      Shape& shape);
  Text listed_material(const stage::Prim& prim, std::uint16_t apis,
                       const geom::MaterialBinding& binding);
  const BoundMaterial& bound_material(const stage::Prim& material);
  void check_scale(const stage::Prim& prim, const Matrix4d& world, const Shape& shape);

  // --- Apple's schemas (read_apple.cpp)
  std::uint16_t with_apple(const stage::Prim& prim, std::uint16_t apis, Context& context) const;
  bool is_apple_xformable(const stage::Prim& prim) const;
  void add_apple_gravity(const stage::Prim& prim, const Context& context);
  void keep_apple_gravity();
  void place_apple_plane(const stage::Prim& prim, Shape& shape);

  // --- Joints (read_joints.cpp)
  void read_joint(const stage::Prim& prim, stage::SchemaType schema, bool custom);
  JointTarget joint_target(const stage::Prim& prim, const Name& name, int end);
  void read_kind(const stage::Prim& prim, stage::SchemaType schema, bool custom, Joint& joint);
  void finish_joints();
  void finish_end(const JointEntry& entry, int which, Joint& joint, std::size_t& dynamic_ends);
  stage::Prim prim_at(std::string_view path) const;
  JointDrive read_drive(const stage::Prim& prim, const Names::Degree& degree);
  JointLimit read_limit(const stage::Prim& prim, const Name& low, const Name& high);
  JointLimit one_sided(JointLimit limit) const;
  void finish_end_at(const stage::Prim& target, JointEnd& end, std::size_t& dynamic_ends);
  void attach(JointEnd& end, std::int32_t body) const;
  bool is_ignored_body(const stage::Prim& prim) const;
  stage::Prim body_prim_of(const stage::Prim& prim) const;
  const Matrix4d& world_of(const stage::Prim& prim);

  // --- Groups (read_groups.cpp)
  void add_group(const stage::Prim& prim);
  std::optional<std::string> merge_group(const stage::Prim& prim);
  void read_group_prims();
  void finish_groups();
  void list_groups(std::vector<std::int32_t> groups, Shape& shape) const;

  bool documented() const noexcept { return model_.rules == Rules::documented; }
  bool ignores_nested_bodies() const noexcept {
    return ignores_nested_bodies_of(options_, model_.rules);
  }
  void report(Severity severity, std::string_view code, const stage::Prim& prim,
              std::string message, std::string_view hint = {});

  const stage::Stage& stage_;
  Diagnostics& diagnostics_;
  const ReadOptions& options_;
  stage::Reporter reporter_;
  PhysicsModel model_;

  // How prims are read.
  Names names_;
  stage::PropertyTable properties_;
  AppliedApis apis_;
  bool reads_apple_;
  TextArena texts_;
  geom::TransformReader transforms_;

  // Where the walk is.
  std::string path_;  // Of the prim being visited.
  std::unordered_set<std::string> excluded_;
  LastDecomposition last_world_;
  LastDecomposition last_local_;

  // Bodies, and the mass nodes in order of visit.
  std::vector<BodyEntry> bodies_;        // Parallel to model_.rigid_bodies.
  std::vector<std::int32_t> body_ends_;  // The same: one past the last body in its subtree.
  PrimMap body_of_;
  std::vector<NodePlace> node_places_;  // Parallel to model_.mass_nodes.

  // Materials.
  geom::MaterialBindings bindings_;
  std::unordered_map<stage::Prim, BoundMaterial> bound_materials_;
  std::unordered_map<Text, std::int32_t> material_index_;

  // What has to wait for the end of the walk.
  std::vector<JointEntry> joints_;  // Parallel to model_.joints.
  BodyLookup joint_bodies_;
  std::unordered_map<stage::Prim, Matrix4d> worlds_;  // Of the prims that joints name.
  std::vector<stage::Prim> groups_;
  std::vector<Scene> apple_scenes_;
  std::vector<Text> articulation_roots_;
  std::vector<RootPlace> root_places_;  // Parallel to articulation_roots_.
};

}  // namespace sinew::physics
