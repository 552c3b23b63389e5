// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "export/gltf_import/accessors.hpp"
#include "sinew/core/types.hpp"

namespace sinew::exporter::gltf_import {

// A glTF file as plain structs. Every index in them is in range, every array has the size that its
// use needs, all numbers are finite. Lengths are those of the file, in metres.

inline constexpr std::int32_t kNothing = -1;

struct Motion {
  bool is_kinematic = false;
  std::optional<float> mass;  ///< Infinite if the file says 0.
  std::optional<Vector3f> center_of_mass;
  std::optional<Vector3f> inertia_diagonal;
  std::optional<Quatf> inertia_orientation;
  Vector3f linear_velocity = Vector3f::Zero();
  Vector3f angular_velocity = Vector3f::Zero();  ///< Radians per second.
  double gravity_factor = 1.0;
  // extras.sinew, as what follows that glTF has no place for.
  bool starts_asleep = false;
  bool is_enabled = true;
};

struct Collider {
  std::int32_t shape = kNothing;
  std::int32_t mesh = kNothing;
  bool convex_hull = false;
  std::int32_t material = kNothing;
  std::int32_t filter = kNothing;
  // extras.sinew
  std::string approximation;  ///< One of those that USD knows, or empty.
  bool is_enabled = true;
};

struct JointUse {
  std::int32_t connected_node = kNothing;
  std::int32_t joint = kNothing;
  bool enable_collision = false;
  // extras.sinew
  std::optional<double> break_force;   ///< Newtons.
  std::optional<double> break_torque;  ///< Newton metres.
  bool exclude_from_articulation = false;
  bool is_generic = false;  ///< Of the general kind, whatever its limits leave free.
  bool is_enabled = true;
};

/// EXT_mesh_gpu_instancing.
struct Instances {
  std::size_t count = 0;
  Floats translations;
  Floats rotations;
  Floats scales;
};

struct Node {
  std::string name;
  std::string usd_path;  ///< extras.usd.path, or empty.
  std::string extras;    ///< What else is there, JSON, or empty.
  std::vector<std::uint32_t> children;
  std::int32_t parent = kNothing;
  std::int32_t mesh = kNothing;
  std::int32_t skin = kNothing;
  std::int32_t camera = kNothing;
  bool has_matrix = false;
  Matrix4d matrix = Matrix4d::Identity();
  Vector3d translation = Vector3d::Zero();
  Quatd rotation = Quatd::Identity();
  Vector3d scale = Vector3d::Ones();
  std::vector<float> weights;
  std::optional<Motion> motion;
  std::optional<Collider> collider;
  std::optional<JointUse> joint;
  std::optional<Instances> instances;
  /// extras.sinew, of a side of a joint: the path of the static collider that it belongs to.
  std::string static_body;

  Matrix4d local() const;
};

struct Attributes {
  Floats positions;
  Floats normals;
  Floats tangents;
  std::vector<Floats> uvs;
  std::vector<Floats> colors;
  std::vector<Integers> joints;
  std::vector<Floats> weights;
};

struct Target {
  Floats positions;  ///< Or nothing.
  Floats normals;
};

enum class Mode : std::uint8_t { points, lines, line_loop, line_strip, triangles, strip, fan };

struct Primitive {
  Mode mode = Mode::triangles;
  std::int32_t attributes = kNothing;   ///< Into Mesh::attributes.
  std::vector<std::uint32_t> vertices;  ///< In the order of the mode; each exists.
  std::int32_t material = kNothing;
};

/// Attributes that several primitives have in common, and their morph targets.
struct VertexData {
  Attributes attributes;
  std::vector<Target> targets;
};

struct Mesh {
  std::string name;
  std::string usd_path;
  std::string extras;
  std::vector<VertexData> attributes;
  std::vector<Primitive> primitives;
  std::vector<float> weights;             ///< One for each target.
  std::vector<std::string> target_names;  ///< One for each target.
};

struct Skin {
  std::string name;
  std::vector<std::uint32_t> joints;
  Floats inverse_binds;  ///< Or nothing: identities.
};

struct Camera {
  std::string name;
  bool is_perspective = true;
  double y_fov = 0.0;
  double aspect_ratio = 0.0;  ///< 0: not said.
  double x_mag = 1.0;
  double y_mag = 1.0;
  double z_near = 0.0;
  std::optional<double> z_far;
};

enum class ChannelPath : std::uint8_t { translation, rotation, scale, weights };
enum class Interpolation : std::uint8_t { linear, step, cubic_spline };

struct Channel {
  std::uint32_t node = 0;
  ChannelPath path = ChannelPath::translation;
  Interpolation interpolation = Interpolation::linear;
  std::size_t width = 0;  ///< Numbers in one key.
  Floats times;           ///< Seconds, ascending.
  Floats values;          ///< Of a cubic spline each key is three: in-tangent, value, out-tangent.
};

struct Animation {
  std::string name;
  std::vector<Channel> channels;
};

struct TextureTransform {
  Vector2d offset = Vector2d::Zero();
  double rotation = 0.0;
  Vector2d scale = Vector2d::Ones();
};

struct TextureUse {
  std::int32_t texture = kNothing;
  std::uint32_t uv_set = 0;
  std::optional<TextureTransform> transform;
  double factor = 1.0;  ///< Scale of normals, strength of occlusion.
  explicit operator bool() const { return texture != kNothing; }
};

enum class AlphaMode : std::uint8_t { opaque, mask, blend };

struct Material {
  std::string name;
  std::string usd_path;
  std::string extras;
  std::array<double, 4> base_color = {1, 1, 1, 1};
  TextureUse base_color_texture;
  double metallic = 1.0;
  double roughness = 1.0;
  TextureUse metallic_roughness_texture;
  TextureUse normal_texture;
  TextureUse occlusion_texture;
  std::array<double, 3> emissive = {0, 0, 0};  ///< Strength included.
  TextureUse emissive_texture;
  AlphaMode alpha_mode = AlphaMode::opaque;
  double alpha_cutoff = 0.5;
  bool double_sided = false;
  std::optional<double> ior;
  double clearcoat = 0.0;
  double clearcoat_roughness = 0.0;
  TextureUse clearcoat_texture;
  TextureUse clearcoat_roughness_texture;
};

struct Texture {
  std::int32_t image = kNothing;
  std::array<std::string, 2> wrap = {"repeat", "repeat"};  ///< As UsdUVTexture spells it.
};

struct Image {
  std::string name;
  std::string path;  ///< Of a file of its own, or empty.
  Bytes bytes;       ///< Of one inside the file.
  std::string extension;
};

struct ImplicitShape {
  enum class Kind : std::uint8_t { sphere, box, capsule, cylinder, plane };
  Kind kind = Kind::sphere;
  double radius = 0.5;
  Vector3f size = Vector3f::Ones();
  double height = 0.5;
  double radius_top = 0.25;
  double radius_bottom = 0.25;
  bool is_valid = true;
};

struct PhysicsMaterial {
  std::string usd_path;
  std::optional<double> static_friction;
  std::optional<double> dynamic_friction;
  std::optional<double> restitution;
  std::optional<double> density;  ///< extras.sinew, in kg/m3.
};

struct CollisionFilter {
  std::vector<std::string> systems;
  std::vector<std::string> collide_with;
  std::vector<std::string> not_collide_with;
  bool has_collide_with = false;
};

struct JointLimit {
  std::array<bool, 3> linear = {};
  std::array<bool, 3> angular = {};
  std::optional<double> min;
  std::optional<double> max;
  std::optional<double> stiffness;
  double damping = 0.0;
};

struct JointDrive {
  bool is_angular = false;
  bool is_acceleration = false;
  int axis = 0;
  std::optional<double> max_force;
  std::optional<double> position_target;
  std::optional<double> velocity_target;
  double stiffness = 0.0;
  double damping = 0.0;
};

struct JointDescription {
  std::vector<JointLimit> limits;
  std::vector<JointDrive> drives;
};

/// Of the scene.
struct Gravity {
  Vector3d direction = Vector3d(0.0, -1.0, 0.0);  ///< Of length 1.
  double magnitude = 0.0;                         ///< Metres / s^2.
};

struct Document {
  std::string scene_name;
  std::vector<std::uint32_t> roots;  ///< Of the scene.
  std::vector<bool> in_scene;        ///< Of each node.
  std::vector<Node> nodes;
  std::vector<Mesh> meshes;
  std::vector<Skin> skins;
  std::vector<Camera> cameras;
  std::vector<Animation> animations;
  std::vector<Material> materials;
  std::vector<Texture> textures;
  std::vector<Image> images;
  std::vector<ImplicitShape> shapes;
  std::vector<PhysicsMaterial> physics_materials;
  std::vector<CollisionFilter> filters;
  std::vector<JointDescription> joints;
  // extras.sinew of the scene.
  /// By the path of the prim: the node that stands for it; kNothing: none.
  std::map<std::string, std::int32_t> articulation_roots;
  std::optional<Gravity> gravity;
};

/// What the readers of the parts of a file share.
struct ReadContext {
  Cursor root;
  const ImportGlbOptions* options;
  JsonReader* reader;
  Accessors* accessors;
  Budget* budget;

  Faults& faults() const { return reader->faults(); }
};

/// Checks the version and the extensions that the file requires.
Status check_asset(const ReadContext& context);
/// Scenes, nodes and cameras. The nodes form trees, none deeper than prims may nest.
Status read_nodes(const ReadContext& context, Document& document);
void read_meshes(const ReadContext& context, Document& document);
void read_skins(const ReadContext& context, Document& document);
void read_animations(const ReadContext& context, Document& document);
void read_materials(const ReadContext& context, Document& document);
void read_physics(const ReadContext& context, Document& document);

/// extras.usd.path of something, or nothing.
std::string usd_path_of(const ReadContext& context, const Cursor& at);
/// extras.sinew of something, where write_glb() keeps what glTF has no place for.
Cursor kept_extras(const Cursor& at);
/// What is kept there under a name: false, or nothing, where it is not there or not of its type.
bool kept_flag(const Cursor& kept, std::string_view key);
std::optional<double> kept_number(const Cursor& kept, std::string_view key, double least);
std::string kept_text(const Cursor& kept, std::string_view key);
/// The extras of something but for what is known, as text; empty if there are none.
std::string extras_of(const ReadContext& context, const Cursor& at);
std::string name_of(const ReadContext& context, const Cursor& at);
/// Whether all numbers of an accessor are finite; tells where its user has the first that is not.
bool check_finite(const ReadContext& context, const Cursor& user, const Floats& values);

}  // namespace sinew::exporter::gltf_import
