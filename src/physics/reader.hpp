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
#include "physics/names.hpp"
#include "physics/prim_map.hpp"
#include "sinew/geom/material_binding.hpp"
#include "sinew/physics/decompose.hpp"
#include "sinew/physics/read.hpp"
#include "stage/shared/property_table.hpp"

namespace sinew::physics {

/// API schemas that reading looks for, as bits.
enum Api : std::uint16_t {
  kRigidBodyApi = 1,
  kCollisionApi = 2,
  kMassApi = 4,
  kMaterialApi = 8,
  kMeshCollisionApi = 16,
  kArticulationRootApi = 32,
  kFilteredPairsApi = 64,
  kMaterialBindingApi = 128,
  kIsMaterial = 256,  ///< PhysicsMaterialAPI stands before the schemas that would outrank it.
};

/// Reads one stage. The bodies are spread over read.cpp (walk), read_values.cpp, read_shapes.cpp,
/// read_joints.cpp and read_groups.cpp.
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
  // What shapes need to know about a prim that they are bound to; nothing if that is not physical.
  struct BoundMaterial {
    Text path;
    float density = 0.0F;
  };
  // What an end of a joint names: the first target.
  struct JointTarget {
    std::string_view path;
    std::size_t count = 0;
    std::int32_t body = kNone;  ///< If it is already known.
  };
  // A joint that is read but for its ends, which may name bodies that are yet to come.
  struct JointEntry {
    stage::Prim prim;
    JointTarget targets[2];
    std::size_t report_count = 0;  ///< Of joint_reports_, when it was read.
  };
  // The last transform that was taken apart, and its parts: shapes often stand like their body.
  struct LastDecomposition {
    Matrix3d linear = Matrix3d::Zero();
    Decomposition parts;
    bool known = false;
  };

  // --- Walk (read.cpp)
  void visit(const stage::Prim& prim, const Context& parent);
  bool enter(const stage::Prim& prim, const Context& parent, Context& context);
  void classify(const stage::Prim& prim, Context& context, std::uint16_t apis);
  bool is_instancer(const stage::Prim& prim) const;
  std::uint16_t apis_of(const stage::Prim& prim) const { return apis_[prim.node()]; }
  void read_apis();
  bool starts_body(const stage::Prim& prim, const Context& context);
  bool takes_in_bodies(const Context& context) const;
  Placement place(const Context& context, bool is_body);
  static const Decomposition& parts_of(const Matrix4d& matrix, LastDecomposition& last);
  void add_body(const stage::Prim& prim, Context& context, std::uint16_t apis);
  void add_mass_node(const stage::Prim& prim, Context& context, std::uint16_t apis,
                     std::int32_t shape, const Placement& placement);
  void add_scene(const stage::Prim& prim);
  void add_material(const stage::Prim& prim);
  void finish_body(std::int32_t index);
  void finish_mass_nodes();
  void finish_materials();
  void resolve_owners();
  void filter_by_owner();
  void add_articulations();

  // --- Values (read_values.cpp)
  template <typename T>
  T read(const stage::Prim& prim, const Name& name, T fallback);
  /// Where a block leaves what a descriptor starts from and not the schema's fallback.
  template <typename T>
  T read(const stage::Prim& prim, const Name& name, T fallback, T initial);
  /// The text of a token; valid as long as `made` and the stage.
  std::string_view read_text(const stage::Prim& prim, const Name& name, std::string_view fallback,
                             layer::Value& made);
  std::string read_token(const stage::Prim& prim, const Name& name, std::string_view fallback);
  template <typename T>
  std::optional<T> authored(const stage::Prim& prim, const Name& name);
  bool has_value(const stage::Prim& prim, const Name& name) const;
  layer::Value value_of(const stage::Prim& prim, const Name& name, stage::ValueTypes wanted);
  const layer::Value* weaker_value(const stage::Prim& prim, const Name& name, layer::Value& made,
                                   stage::ValueTypes wanted);
  stage::ValueTypes token_types() const noexcept;
  std::vector<Text> targets(const stage::Prim& prim, const Name& name);
  AuthoredMass authored_mass(const stage::Prim& prim);
  Axis read_axis(const stage::Prim& prim, const Name& name, Axis fallback);
  void mismatch(const stage::Prim& prim, const Name& name, std::string_view consequence);

  // --- Shapes (read_shapes.cpp)
  std::int32_t add_shape(const stage::Prim& prim, const Context& context, std::uint16_t apis,
                         const Placement& placement);
  bool read_geometry(const stage::Prim& prim, const Vector3f& scale, std::uint16_t apis,
                     Shape& shape);
  void read_mesh(const stage::Prim& prim, const Vector3f& scale, std::uint16_t apis, Shape& shape);
  void read_sphere_points(const stage::Prim& prim, const Vector3f& scale, Shape& shape);
  void read_materials(const stage::Prim& prim, const Context& context, std::uint16_t apis,
                      Shape& shape);
  Text listed_material(const stage::Prim& prim, std::uint16_t apis,
                       const geom::MaterialBinding& binding);
  const BoundMaterial& bound_material(const stage::Prim& material);
  void check_scale(const stage::Prim& prim, const Vector3d& scale, const Shape& shape);

  // --- Joints (read_joints.cpp)
  void read_joint(const stage::Prim& prim, stage::SchemaType schema, bool custom);
  JointTarget joint_target(const stage::Prim& prim, const Name& name, int end);
  void read_kind(const stage::Prim& prim, stage::SchemaType schema, bool custom, Joint& joint);
  void finish_joints();
  void finish_end(const JointEntry& entry, int end, Joint& joint, std::size_t& dynamic_ends);
  stage::Prim prim_at(std::string_view path) const;
  std::int32_t guess_body(std::string_view path, int end);
  std::int32_t find_body(std::string_view path, int end);
  JointDrive read_drive(const stage::Prim& prim, const Names::Degree& degree);
  JointLimit read_limit(const stage::Prim& prim, const Name& low, const Name& high);
  JointLimit one_sided(JointLimit limit) const;
  Pose read_end_at(const stage::Prim& target, int end, const Vector3f& position,
                   const Quatf& rotation, Joint& joint, std::size_t& dynamic_ends);
  void set_known_end(int end, std::int32_t body, Joint& joint) const;
  stage::Prim body_prim_of(const stage::Prim& prim) const;
  const Matrix4d& world_of(const stage::Prim& prim);

  // --- Groups (read_groups.cpp)
  void add_group(const stage::Prim& prim);
  std::optional<std::string> merge_group(const stage::Prim& prim);
  void read_group_prims();
  void finish_groups();

  bool documented() const noexcept { return model_.rules == Rules::documented; }
  void report(Severity severity, std::string_view code, const stage::Prim& prim,
              std::string message, std::string_view hint = {});

  const stage::Stage& stage_;
  Diagnostics& diagnostics_;
  const ReadOptions& options_;
  PhysicsModel model_;
  Names names_;
  geom::MaterialBindings bindings_;
  std::vector<std::pair<Token, std::uint16_t>> api_bits_;
  std::unordered_set<std::string> excluded_;
  std::string path_;  // Of the prim being visited.
  TextArena texts_;
  stage::PropertyTable properties_;
  geom::TransformReader transforms_;
  std::vector<std::uint16_t> apis_;  // Api bits by node.
  Diagnostics* sink_;                // Where reports go.
  LastDecomposition last_world_;
  LastDecomposition last_local_;

  std::vector<BodyEntry> bodies_;  // Parallel to model_.rigid_bodies.
  PrimMap body_of_;
  std::vector<std::int32_t> node_bodies_;  // Of model_.mass_nodes, in order of visit.
  std::unordered_map<std::string_view, std::int32_t> body_at_;  // By path; see find_body().
  std::int32_t last_found_[2] = {kNone, kNone};  // By end of joints; see find_body().
  std::vector<JointEntry> joints_;               // Parallel to model_.joints.
  std::vector<Text> joint_targets_;              // Those that had to be mapped.
  Diagnostics joint_reports_;                    // Told when the ends of joints are known.
  std::vector<stage::Prim> groups_;
  std::vector<Text> articulation_roots_;
  std::vector<RootPlace> root_places_;   // Parallel to articulation_roots_.
  std::vector<std::int32_t> body_ends_;  // One past the last body in the subtree of each body.
  std::unordered_map<Text, std::int32_t> material_index_;
  std::unordered_map<stage::Prim, Matrix4d> worlds_;
  std::unordered_map<stage::Prim, BoundMaterial> bound_materials_;
};

}  // namespace sinew::physics
