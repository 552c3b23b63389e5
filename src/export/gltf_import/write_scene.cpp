// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "core/transform_kind.hpp"
#include "export/gltf_import/scene_writer.hpp"
#include "export/gltf_origin.hpp"

namespace sinew::exporter::gltf_import {

namespace {

using layer::ElementType;
using layer::Value;

std::string_view last_of(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

std::string_view parent_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}

// "robot" of "some/robot.glb".
std::string_view stem_of(std::string_view file) {
  file = file.substr(file.find_last_of("/\\") + 1);
  return file.substr(0, file.rfind('.'));
}

class SceneWriter {
 public:
  explicit SceneWriter(WriteContext& context) : context_(context), document_(*context.document) {
    const std::size_t count = document_.nodes.size();
    context.nodes.resize(count);
    context.node_meshes.resize(count);
    context.channels.resize(count);
    context.reversed.resize(count);
    for (std::uint32_t i = 0; i < document_.animations.size(); ++i) {
      for (const Channel& channel : document_.animations[i].channels) {
        context.channels[channel.node].push_back({i, &channel});
      }
    }
    if (context.options().up == Axis::z) {
      context.turn(1, 1) = context.turn(2, 2) = 0.0;
      context.turn(1, 2) = -1.0;
      context.turn(2, 1) = 1.0;
    }
    is_frame_.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
      if (!document_.nodes[i].joint) continue;
      is_frame_[i] = true;
      is_frame_[static_cast<std::size_t>(document_.nodes[i].joint->connected_node)] = true;
    }
    children_.resize(count);
    needs_prim_.resize(count);
    skeletons_at_.resize(count);
  }

  void run() {
    place_nodes();
    find_needed();
    make_scene();
    write_materials(context_);
    for (const std::uint32_t root : roots_) write_node(root, context_.scene);
    for (SkeletonPlan& plan : context_.plans->skeletons) make_skeleton(plan);
  }

 private:
  const Node& node(std::uint32_t index) const { return document_.nodes[index]; }

  // The tree of prims is that of the nodes, but skinned meshes, whose transforms do not matter, may
  // stand where extras.usd.path says.
  void place_nodes() {
    std::map<std::string_view, std::uint32_t> by_path;
    for (std::uint32_t i = 0; i < document_.nodes.size(); ++i) {
      if (document_.in_scene[i] && !node(i).usd_path.empty()) by_path.emplace(node(i).usd_path, i);
    }
    const auto is_root = [&](std::uint32_t index) {
      if (node(index).skin == kNothing || node(index).usd_path.empty()) return true;
      if (!node(index).children.empty()) return true;
      const auto parent = by_path.find(parent_of(node(index).usd_path));
      if (parent == by_path.end() || parent->second == index) return true;
      children_[parent->second].push_back(index);
      const Matrix4d above = world_of(document_, static_cast<std::int32_t>(parent->second));
      context_.reversed[index] = mirrors(above);
      return false;
    };
    for (const std::uint32_t root : document_.roots) {
      if (is_root(root)) roots_.push_back(root);
    }
    for (std::uint32_t i = 0; i < document_.nodes.size(); ++i) {
      const std::vector<std::uint32_t>& own = node(i).children;
      children_[i].insert(children_[i].begin(), own.begin(), own.end());
    }
    // With Z up, the turn that takes a Z-up scene to glTF is undone.
    if (context_.options().up == Axis::z && roots_.size() == 1 && is_turn(node(roots_.front()))) {
      undone_ = static_cast<std::int32_t>(roots_.front());
      roots_ = children_[roots_.front()];
    }
  }

  static bool has_content(const Node& node) {
    return node.mesh != kNothing || node.camera != kNothing || node.motion || node.collider ||
           node.joint;
  }

  // A frame of a physics joint and nothing else: its prim is the joint, or none.
  bool is_only_frame(std::uint32_t index) const {
    return is_frame_[index] && !has_prim_content(index) && node(index).children.empty();
  }

  bool has_prim_content(std::uint32_t index) const {
    const Node& from = node(index);
    return from.mesh != kNothing || from.camera != kNothing || from.motion || from.collider;
  }

  bool is_turn(const Node& root) const {
    const double half = std::sqrt(0.5);
    return !has_content(root) && !root.has_matrix && root.translation.isZero() &&
           root.scale.isOnes() && std::abs(root.rotation.x() + half) < 1e-6 &&
           std::abs(root.rotation.w() - half) < 1e-6 && !is_animated(root);
  }

  bool is_animated(const Node& root) const {
    return !context_.channels[static_cast<std::size_t>(&root - document_.nodes.data())].empty();
  }

  // Joints need prims only where something hangs on them.
  void find_needed() {
    for (const SkeletonPlan& plan : context_.plans->skeletons) {
      if (plan.joints.empty() || plan.parent_node == kNothing) continue;
      const auto at = static_cast<std::size_t>(plan.parent_node);
      needs_prim_[at] = true;
      skeletons_at_[at] += 1;
    }
    // Children come before their parents.
    std::vector<std::uint32_t> order;
    for (const std::uint32_t root : document_.roots) order.push_back(root);
    for (std::size_t i = 0; i < order.size(); ++i) {
      order.insert(order.end(), node(order[i]).children.begin(), node(order[i]).children.end());
    }
    for (auto at = order.rbegin(); at != order.rend(); ++at) {
      const std::uint32_t i = *at;
      const bool is_shown = !context_.plans->is_joint[i] && !is_only_frame(i);
      if (is_shown || has_prim_content(i)) needs_prim_[i] = true;
      if (needs_prim_[i] && node(i).parent != kNothing) {
        needs_prim_[static_cast<std::size_t>(node(i).parent)] = true;
      }
    }
    // What stands below another node's prim by its path needs that one.
    for (std::uint32_t i = 0; i < children_.size(); ++i) {
      if (children_[i].size() == node(i).children.size()) continue;
      for (auto at = static_cast<std::int32_t>(i); at != kNothing;
           at = node(static_cast<std::uint32_t>(at)).parent) {
        needs_prim_[static_cast<std::size_t>(at)] = true;
      }
    }
  }

  // Whether the prim of a node can be the Skeleton of the joints below it.
  bool is_skeleton(std::uint32_t index) const {
    if (skeletons_at_[index] != 1 || has_content(node(index)) || context_.plans->is_joint[index]) {
      return false;
    }
    return std::none_of(children_[index].begin(), children_[index].end(),
                        [&](std::uint32_t child) { return needs_prim_[child]; });
  }

  // The only root but for frames of physics joints; or one that all others stood below by their
  // extras.usd.path, as static colliders of a default prim do.
  std::optional<std::uint32_t> top_root() const {
    std::vector<std::uint32_t> shown;
    for (const std::uint32_t root : roots_) {
      if (!is_only_frame(root)) shown.push_back(root);
    }
    const auto is_bare = [&](std::uint32_t root) {
      return !has_content(node(root)) && !context_.plans->is_joint[root] && !is_skeleton(root);
    };
    const auto top = std::find_if(shown.begin(), shown.end(), is_bare);
    if (top == shown.end()) return std::nullopt;
    if (shown.size() == 1) return *top;
    const std::string& path = node(*top).usd_path;
    if (path.rfind('/') != 0 || path.size() < 2 || is_animated(node(*top)) ||
        !node(*top).local().isIdentity(0.0)) {
      return std::nullopt;
    }
    const bool is_above_all = std::all_of(shown.begin(), shown.end(), [&](std::uint32_t root) {
      return root == *top || node(root).usd_path.starts_with(path + "/");
    });
    return is_above_all ? std::optional(*top) : std::nullopt;
  }

  void make_scene() {
    LayerOutput& out = *context_.out;
    const ImportGlbOptions& options = context_.options();
    const bool has_skeletons = !context_.plans->skeletons.empty();
    const std::string_view type = has_skeletons ? "SkelRoot" : "Xform";
    const bool turns = options.up == Axis::z && undone_ == kNothing;
    // A root that is nothing but a transform, and above all others, is the scene itself.
    if (const auto top = turns ? std::nullopt : top_root()) {
      const std::uint32_t root = *top;
      context_.scene = out.add(out.root(), type, name_of(root), "Scene");
      context_.nodes[root] = context_.scene;
      ++context_.counts->nodes;
      note_node(root, context_.scene);
      note_scene();
      write_transform(context_, root, context_.scene);
      std::vector<std::uint32_t> below = children_[root];
      for (const std::uint32_t other : roots_) {
        if (other != root) below.push_back(other);
      }
      roots_ = std::move(below);
    }
    if (context_.scene == nullptr) {
      std::string_view name = document_.scene_name;
      if (name.empty()) name = stem_of(options.file);
      context_.scene = out.add(out.root(), type, name, "Scene");
      note_scene();
      if (turns) {
        write_matrix(context_, context_.turn, context_.scene, false);
      } else {
        out.note(context_.scene, origin::kPart, true);
      }
    }
    out.set_field(out.root(), "defaultPrim", out.token(context_.scene->name));
  }

  void note_scene() {
    LayerOutput& out = *context_.out;
    if (document_.scene_name != context_.scene->name) {
      out.note(context_.scene, origin::kScene, document_.scene_name);
    }
    if (!document_.animations.empty() &&
        document_.animations.front().name != context_.scene->name) {
      out.note(context_.scene, origin::kClip, document_.animations.front().name);
    }
  }

  // What the file says of a node and its prim does not.
  void note_node(std::uint32_t index, OutPrim* prim) {
    const Node& from = node(index);
    if (from.name != prim->name) context_.out->note(prim, origin::kName, from.name);
    if (!from.extras.empty()) context_.out->note(prim, origin::kExtras, from.extras);
    const bool is_leaf = std::none_of(children_[index].begin(), children_[index].end(),
                                      [&](std::uint32_t child) { return needs_prim_[child]; });
    if (is_leaf && !has_content(from) && !is_frame_[index] && skeletons_at_[index] == 0) {
      context_.out->note(prim, origin::kEmpty, true);
    }
  }

  std::string name_of(std::uint32_t index) const {
    const Node& from = node(index);
    if (!from.usd_path.empty()) return std::string(last_of(from.usd_path));
    if (!from.name.empty()) return from.name;
    if (from.mesh != kNothing) {
      const std::string& mesh = document_.meshes[static_cast<std::size_t>(from.mesh)].name;
      if (!mesh.empty()) return mesh;
    }
    return "node_" + std::to_string(index);
  }

  void write_node(std::uint32_t index, OutPrim* parent) {
    if (context_.is_over() || !needs_prim_[index]) return;
    const Node& from = node(index);
    LayerOutput& out = *context_.out;
    ++context_.counts->nodes;
    const bool is_leaf = std::none_of(children_[index].begin(), children_[index].end(),
                                      [&](std::uint32_t child) { return needs_prim_[child]; });
    const bool hits_itself =
        from.collider && from.collider->shape == kNothing && from.collider->mesh == from.mesh;
    const bool is_plain = is_leaf && !from.joint && (!from.collider || hits_itself);
    const std::size_t meshes = mesh_prims(context_, index);
    std::string_view type = "Xform";
    const bool is_mesh = is_plain && meshes == 1 && from.camera == kNothing && !from.instances;
    const bool is_camera = is_plain && from.mesh == kNothing && from.camera != kNothing;
    const bool is_skeleton_prim = is_skeleton(index);
    if (is_mesh) {
      type = mesh_prim_type(context_, index);
    } else if (is_camera) {
      type = "Camera";
    } else if (is_skeleton_prim) {
      type = "Skeleton";
    } else if (is_leaf && is_shape_prim(context_, index)) {
      type = shape_type(document_.shapes[static_cast<std::size_t>(from.collider->shape)]);
    }
    OutPrim* const prim = out.add(parent, type, name_of(index), "node");
    context_.nodes[index] = prim;
    note_node(index, prim);
    if (is_skeleton_prim) {
      for (SkeletonPlan& plan : context_.plans->skeletons) {
        if (!plan.joints.empty() && plan.parent_node == static_cast<std::int32_t>(index)) {
          plan.prim = prim;
        }
      }
    }
    write_transform(context_, index, prim);
    if (from.mesh != kNothing) write_mesh(context_, index, prim, is_mesh ? prim : nullptr);
    if (from.camera != kNothing) {
      const std::string& name = document_.cameras[static_cast<std::size_t>(from.camera)].name;
      OutPrim* const camera = is_camera ? prim : out.add(prim, "Camera", name, "camera");
      write_camera(context_, from.camera, camera);
      if (!is_camera) out.note(camera, origin::kPart, true);
      if (name != camera->name) out.note(camera, origin::kMesh, name);
    }
    for (const std::uint32_t child : children_[index]) write_node(child, prim);
  }

  void make_skeleton(SkeletonPlan& plan) {
    if (plan.prim != nullptr || context_.is_over()) return;
    OutPrim* parent = context_.scene;
    bool is_part = plan.parent_node == kNothing;
    if (plan.joints.empty()) {
      // Beside the mesh, or in the node that holds the meshes.
      OutPrim* const prim = context_.nodes[static_cast<std::size_t>(plan.parent_node)];
      const auto& meshes = context_.node_meshes[static_cast<std::size_t>(plan.parent_node)];
      if (prim != nullptr) {
        const bool is_mesh = !meshes.empty() && meshes.front() == prim;
        parent = is_mesh && prim->parent != nullptr ? prim->parent : prim;
      }
    } else if (plan.parent_node != kNothing && plan.parent_node != undone_) {
      OutPrim* const prim = context_.nodes[static_cast<std::size_t>(plan.parent_node)];
      if (prim != nullptr) parent = prim;
      is_part = prim != nullptr;
    }
    plan.prim = context_.out->add(parent, "Skeleton", plan.name, "Skeleton");
    if (is_part && !plan.joints.empty()) context_.out->note(plan.prim, origin::kPart, true);
  }

  WriteContext& context_;
  const Document& document_;
  std::vector<std::uint32_t> roots_;
  std::vector<std::vector<std::uint32_t>> children_;  // Of each prim of a node.
  std::vector<bool> needs_prim_;
  std::vector<bool> is_frame_;  // Of a physics joint.
  std::vector<std::uint32_t> skeletons_at_;
  std::int32_t undone_ = kNothing;
};

}  // namespace

double WriteContext::code_of(double seconds) const {
  const double rate = options().time_codes_per_second;
  const double code = seconds * rate;
  // Seconds are floats in the file: a whole frame that gives the same float is what was meant.
  const double whole = std::round(code);
  return static_cast<float>(whole / rate) == static_cast<float>(seconds) ? whole : code;
}

void WriteContext::cover(const std::vector<double>& codes) {
  if (codes.empty()) return;
  first_code = std::min(first_code, codes.front());
  last_code = std::max(last_code, codes.back());
}

Matrix4d in_layer_units(const WriteContext& context, Matrix4d matrix) {
  matrix.topRightCorner<3, 1>() *= context.per_metre;
  return matrix;
}

Matrix4d world_of(const Document& document, std::int32_t node) {
  Matrix4d world = Matrix4d::Identity();
  for (; node != kNothing; node = document.nodes[static_cast<std::size_t>(node)].parent) {
    world = document.nodes[static_cast<std::size_t>(node)].local() * world;
  }
  return world;
}

void write_camera(WriteContext& context, std::int32_t index, OutPrim* prim) {
  LayerOutput& out = *context.out;
  const Camera& camera = context.document->cameras[static_cast<std::size_t>(index)];
  ++context.counts->cameras;
  // Apertures and focal lengths are tenths of a unit; those of a usual camera.
  constexpr double kAperture = 20.955;
  double width = kAperture;
  double height = kAperture;
  if (camera.is_perspective) {
    const double aspect = camera.aspect_ratio > 0.0 ? camera.aspect_ratio : 20.955 / 15.2908;
    height = width / aspect;
    const double focal = height / (2.0 * std::tan(camera.y_fov / 2.0));
    out.set(prim, "float", "focalLength", float_value(focal));
  } else {
    width = 20.0 * camera.x_mag * context.per_metre;
    height = 20.0 * camera.y_mag * context.per_metre;
    out.set(prim, "token", "projection", out.token("orthographic"));
  }
  out.set(prim, "float", "horizontalAperture", float_value(width));
  out.set(prim, "float", "verticalAperture", float_value(height));
  constexpr double kFar = 1e6;
  const double far_plane = camera.z_far.value_or(std::max(kFar, 2.0 * camera.z_near));
  const Vector2f range(finite_float(camera.z_near * context.per_metre),
                       finite_float(far_plane * context.per_metre));
  out.set(prim, "float2", "clippingRange", Value::scalar(ElementType::float2, range));
}

void write_scene(WriteContext& context) {
  SceneWriter(context).run();
}

}  // namespace sinew::exporter::gltf_import
