// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the parts of write_glb() share. Each part is one function that adds to the plan of nodes or
// to the document; write_glb.cpp calls them in order.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "export/gltf/document.hpp"
#include "export/gltf/transforms.hpp"
#include "sinew/export/glb.hpp"
#include "sinew/geom/gprims.hpp"
#include "sinew/geom/mesh.hpp"
#include "sinew/skel/read/bindings.hpp"
#include "stage/shared/reporter.hpp"

namespace sinew::exporter {

/// No node of the plan: the top of the scene.
inline constexpr std::int32_t kTop = -1;

/// A node of the file to come.
struct PlanNode {
  std::int32_t parent = kTop;  ///< In the plan.
  std::string name;
  std::string source_path;                ///< Of the prim that it stands for.
  stage::Prim prim;                       ///< Invalid for nodes that stand for no prim.
  Matrix4d local = Matrix4d::Identity();  ///< Parent from node, metres, at the first time.
  Matrix4d world = Matrix4d::Identity();  ///< Metres, in the axes of the stage.
  bool visible = true;                    ///< The prim's own shape is shown.
  bool resets = false;                    ///< The prim resets the transform stack.
  bool needed = false;                    ///< It or something below holds something.
  bool keeps_factors = false;             ///< Must be written as translation, rotation and scale.
  /// What moves it, if that varies.
  enum class Motion : std::uint8_t {
    local,  ///< The prim's own transform.
    world,  ///< The transforms of the prim and all above it.
    none,   ///< The prim moves another node.
  };
  /// How much of that transform the node has.
  enum class Share : std::uint8_t {
    all,
    rigid,  ///< What is left without the scale.
    scale,  ///< What the rigid share leaves, for a node below.
  };
  Motion motion = Motion::local;
  Share share = Share::all;
  /// Of rigid shares: the axes of the body in those that factor() finds.
  Quatd body_axes = Quatd::Identity();
  bool in_scene = true;
  bool is_copy = false;       ///< It is one of the things that a PointInstancer shows.
  bool is_instancer = false;  ///< It is a PointInstancer; copies are below.
  std::optional<std::int64_t> instance_id;  ///< Of a copy's topmost node, if there are ids.
  std::int32_t mesh = kNoGlbIndex;          ///< Of the file.
  std::int32_t skin = -1;                   ///< In Writer::skins.
  std::int32_t camera = kNoGlbIndex;        ///< Of the file.
  std::vector<float> target_weights;        ///< Where they differ from the mesh's.
  std::vector<stage::Prim> parts;           ///< Prims below that are shown by this node.
  std::string joint;                        ///< Of the skeleton named so: see origin::kJoint.
  std::string skeleton;
  std::string imported_extras;      ///< JSON, or nothing.
  std::int32_t gltf = kNoGlbIndex;  ///< The node of the file, once they are numbered.
  Json extensions = Json::object();
  Json extras = Json::object();
};

/// A skin of the file to come: joints are nodes of the plan.
struct PlanSkin {
  std::string name;
  std::string source_path;
  std::vector<std::int32_t> joints;
  std::vector<Matrix4d> inverse_binds;
  std::int32_t skeleton = kTop;
  std::size_t plan = 0;  ///< In Writer::skeletons.
};

/// The nodes of one skeleton instance.
struct PlanSkeleton {
  const skel::SkeletonBinding* binding = nullptr;
  std::int32_t node = kTop;          ///< Of the Skeleton prim.
  std::vector<std::int32_t> joints;  ///< One node for each.
  std::vector<GlbTransform> rest;    ///< What the nodes hold.
  std::int32_t still_joint = -1;     ///< Stays where the skeleton is; -1: not needed so far.
  std::int32_t origin_joint = -1;    ///< Likewise; draws points to its origin.
};

/// A mesh with morph targets that a node shows, for clips to find.
struct MorphUse {
  std::int32_t node = kTop;  ///< In the plan.
  const skel::SkeletonBinding* binding = nullptr;
  const skel::SkinTarget* target = nullptr;
  std::vector<std::uint32_t> sub_shapes;  ///< Of the set, for each morph target; kNoSubShape: none.
  static constexpr std::uint32_t kNoSubShape = 0xFFFFFFFF;
};

/// A channel of a clip, for a node of the plan.
struct PlanChannel {
  std::int32_t node = kTop;
  GlbChannelPath path = GlbChannelPath::translation;
  bool step = false;
  std::vector<float> times;
  std::vector<float> values;
};

struct PlanClip {
  std::string name;
  std::vector<PlanChannel> channels;
};

/// The first and the last of the times it is shown.
struct TimeSpan {
  double first = std::numeric_limits<double>::infinity();
  double last = -std::numeric_limits<double>::infinity();

  bool is_empty() const { return first > last; }
  void add(const std::vector<double>& times);
  void add(const skel::StageAnimation& animation);
};

class Materials;

/// The state of one export.
struct Writer {
  Writer(const stage::Stage& on, const GlbOptions& with, Diagnostics& to);
  ~Writer();

  const stage::Stage& stage;
  const GlbOptions& options;
  Diagnostics& diagnostics;
  stage::Reporter reporter;
  GlbBuilder builder;
  GlbBuilder::Impl& document;
  std::optional<Error> error;  ///< Nothing can be written.

  // Units and time.
  double meters = 1.0;  ///< Per unit.
  double rate = 24.0;   ///< Time codes per second.
  double first = 0.0;   ///< The range of time codes.
  double last = 0.0;
  /// Whether the caller or the stage says so. Else each clip has the range of its samples.
  bool has_given_range = true;
  stage::Time shown;  ///< What does not move is as it is then.

  std::vector<skel::SkeletonBinding> bindings;
  /// By prim: the binding and the target in it.
  std::unordered_map<stage::Prim, std::pair<std::size_t, std::size_t>> targets;

  std::vector<PlanNode> nodes;
  std::int32_t root = kTop;  ///< The node that turns the axes, if there is one.
  std::unordered_map<stage::Prim, std::int32_t> node_of_prim;
  /// Prims that are part of another node, or of the top of the scene.
  std::unordered_map<stage::Prim, std::int32_t> part_of;
  std::vector<std::int32_t> joint_nodes;  ///< Nodes of prims that say that they are joints.
  std::vector<PlanSkin> skins;
  std::vector<PlanSkeleton> skeletons;
  std::vector<MorphUse> morphs;
  std::vector<PlanClip> clips;
  std::unique_ptr<Materials> materials;
  /// Meshes that are there, by what they are made of.
  std::map<std::string, std::int32_t> known_meshes;
  /// Those that prims name a mesh of an imported file for, by that name.
  std::multimap<std::string, std::int32_t> imported_meshes;
  /// Those of GlbOptions::primvars that some prim has.
  std::set<std::string> found_primvars;

  PlanNode& node(std::int32_t index) { return nodes[static_cast<std::size_t>(index)]; }
  /// Adds a node; its world transform follows from its parent's.
  std::int32_t add_node(std::int32_t parent, std::string name, const Matrix4d& local);
  double seconds(double code) const { return (code - first) / rate; }
  void fail(ErrorCode code, std::string message) {
    if (!error) error = Error{code, std::move(message), 0, 0};
  }
  void warn(std::string_view code, const stage::Prim& prim, std::string message) {
    reporter.add(Severity::warning, code, prim, std::move(message));
  }
  void inform(std::string_view code, const stage::Prim& prim, std::string message) {
    reporter.add(Severity::info, code, prim, std::move(message));
  }
  /// About an attribute of which only the value at the first time is written.
  void tell_if_animated(const stage::Attribute& attribute);
  void progress(std::string_view what, std::size_t done, std::size_t total) const {
    if (options.progress) options.progress(what, done, total);
  }
};

/// metersPerUnit, the up axis, rate and range of time.
void read_units(Writer& writer);
/// What deforms, and which times there are. Needs read_units().
void read_time_range(Writer& writer);

/// The nodes of all prims that could be shown.
void plan_nodes(Writer& writer);
/// The meshes, cameras and skins of those nodes.
void add_shapes(Writer& writer);
/// The camera of a node.
void add_camera(Writer& writer, PlanNode& node, const stage::Prim& prim);
/// What PointInstancers show. Before add_shapes(): adds nodes.
void plan_instancers(Writer& writer);
/// Merges equal shapes into instances for GPUs.
void merge_instances(Writer& writer);

/// Bodies, colliders, joints: changes the nodes of bodies and adds others.
void add_physics(Writer& writer);

/// Marks what leads to something.
void mark_needed(Writer& writer);

/// Clips of skeletons, morph targets and nodes.
void plan_clips(Writer& writer);

/// Numbers the nodes that lead to something, and adds them to the document, then skins and clips.
void emit(Writer& writer);

// Skins.

/// How a mesh follows joints.
struct SkinnedMesh {
  std::size_t skeleton = 0;  ///< In Writer::skeletons.
  std::int32_t skin = -1;    ///< In Writer::skins; -1: the mesh hangs below one joint.
  std::int32_t rigid_joint = -1;
  Matrix4d rigid_local = Matrix4d::Identity();  ///< Joint from mesh, metres.
  std::size_t sets = 0;
  /// What `joints` depend on beside the mesh: two uses of one prim that agree here are the same.
  std::vector<std::int32_t> numbering;
  std::vector<std::uint16_t> joints;  ///< 4 * sets for each point.
  std::vector<float> weights;
};

/// @param point_count  Of the mesh.
/// @return Nothing if joints do not move the mesh, which is reported if it should.
std::optional<SkinnedMesh> bind_mesh(Writer& writer, const stage::Prim& prim,
                                     std::size_t point_count);

// Morph targets.

/// The offsets of one morph target, per point of the mesh, metres.
struct PointTarget {
  std::string name;
  std::vector<Vector3f> positions;    ///< For each of `points`.
  std::vector<Vector3f> normals;      ///< Likewise, or none.
  std::vector<std::uint32_t> points;  ///< Ascending.
  std::uint32_t sub_shape = MorphUse::kNoSubShape;
};

/// The morph targets of a prim, in order; empty if it has none.
std::vector<PointTarget> read_targets(Writer& writer, const skel::SkinTarget& target,
                                      std::size_t point_count);

/// The weights of the animation of a binding at the first time; empty if it has none.
std::vector<float> shown_weights(Writer& writer, const skel::SkeletonBinding& binding);

/// The weights of morph targets at a time, as the animation of a binding has them.
std::vector<float> target_weights(const skel::SkeletonBinding& binding,
                                  const skel::SkinTarget& target, const MorphUse& use,
                                  std::span<const float> animation_weights);

// Shapes.

/// A shape that has no mesh of its own, as one: quads, with normals of the corners where it is
/// round.
/// @param normals  Keeps the normals.
geom::Mesh shape_mesh(const geom::Shape& shape, double meters, std::vector<Vector3f>& normals);

/// What tells one shape from another.
std::string shape_key(const geom::Shape& shape);

/// The mesh of the file with the points and triangles of a collider, made if it is not there.
/// @return kNoGlbIndex if it has no triangles.
std::int32_t collider_mesh(Writer& writer, const std::string& path, const geom::Mesh& mesh);

}  // namespace sinew::exporter
