// SPDX-License-Identifier: Apache-2.0

#include <algorithm>

#include "core/format_text.hpp"
#include "export/gltf_import/mesh_groups.hpp"
#include "export/gltf_origin.hpp"

namespace sinew::exporter::gltf_import {

namespace {

using layer::ElementType;
using layer::Value;

class MeshWriter {
 public:
  MeshWriter(WriteContext& context, std::uint32_t node, std::int32_t mesh)
      : context_(context),
        out_(*context.out),
        index_(node),
        node_(context.node(node)),
        mesh_(context.document->meshes[static_cast<std::size_t>(mesh)]),
        groups_(context.groups[static_cast<std::size_t>(mesh)]),
        users_(context.users[static_cast<std::size_t>(mesh)]) {}

  // Only what collides.
  std::vector<OutPrim*> run_for_collider(OutPrim* parent) {
    std::vector<OutPrim*> prims;
    for (MeshGroup& group : groups_) {
      if (context_.is_over()) break;
      if (group.kind != MeshGroup::Kind::faces) continue;
      make_group(context_, mesh_, group);
      prims.push_back(out_.add(parent, "Mesh", mesh_.name, "collider"));
      if (mesh_.name != prims.back()->name) {
        out_.note(prims.back(), origin::kName, mesh_.name);
        out_.note(prims.back(), origin::kMesh, mesh_.name);
      }
      write_shape(group, prims.back());
      count(group);
    }
    return prims;
  }

  void run(OutPrim* parent, OutPrim* host) {
    OutPrim* instancer = nullptr;
    if (node_.instances) {
      instancer = out_.add(parent, "PointInstancer", "instances", "instances");
      parent = groups_.size() == 1 ? instancer : out_.add(instancer, "Xform", mesh_.name, "mesh");
    }
    std::vector<OutPrim*> prims;
    for (MeshGroup& group : groups_) {
      if (context_.is_over()) return;
      make_group(context_, mesh_, group);
      OutPrim* const prim =
          host != nullptr ? host : out_.add(parent, type_of(group), mesh_.name, "mesh");
      write(group, prim);
      note(prim, host == nullptr && instancer == nullptr);
      prims.push_back(prim);
      if (group.kind == MeshGroup::Kind::faces) context_.node_meshes[index_].push_back(prim);
    }
    if (instancer != nullptr && !prims.empty()) {
      write_instances(instancer, groups_.size() == 1 ? prims.front() : parent);
    }
  }

  static std::string_view type_of(const MeshGroup& group) {
    switch (group.kind) {
      case MeshGroup::Kind::points:
        return "Points";
      case MeshGroup::Kind::curves:
        return "BasisCurves";
      case MeshGroup::Kind::faces:
        break;
    }
    return "Mesh";
  }

 private:
  // What the prim does not say of the mesh.
  void note(OutPrim* prim, bool is_part);
  void count(const MeshGroup& group);
  OutPrim* shared(MeshGroup& group);
  void write_common(MeshGroup& group, OutPrim* prim);
  void write_shape(const MeshGroup& group, OutPrim* prim);
  void write(MeshGroup& group, OutPrim* prim);
  void write_materials(const MeshGroup& group, OutPrim* prim);
  void write_influences(const MeshGroup& group, OutPrim* prim);
  void write_shapes(MeshGroup& group, OutPrim* prim);
  void write_targets(const MeshGroup& group, OutPrim* prim);
  void write_target(const MeshGroup& group, const Target& target, OutPrim* prim);
  void write_instances(OutPrim* instancer, OutPrim* prototype);

  const VertexData& data(const MeshGroup& group) const {
    return mesh_.attributes[group.attributes];
  }

  WriteContext& context_;
  LayerOutput& out_;
  std::uint32_t index_;
  const Node& node_;
  const Mesh& mesh_;
  std::vector<MeshGroup>& groups_;
  std::size_t users_;  // Nodes that show the mesh.
};

void MeshWriter::note(OutPrim* prim, bool is_part) {
  if (is_part) out_.note(prim, origin::kPart, true);
  const bool lacks_material =
      std::any_of(mesh_.primitives.begin(), mesh_.primitives.end(),
                  [](const Primitive& primitive) { return primitive.material == kNothing; });
  if (is_part || users_ > 1 || lacks_material || mesh_.name != prim->name) {
    out_.note(prim, origin::kMesh, mesh_.name);
  }
  if (!mesh_.extras.empty()) out_.note(prim, origin::kMeshExtras, mesh_.extras);
}

void MeshWriter::count(const MeshGroup& group) {
  ++context_.counts->meshes;
  context_.counts->points += group.vertex_count;
  context_.counts->faces += group.face_count;
}

// What several nodes show stands once, in an abstract prim that theirs inherit from.
OutPrim* MeshWriter::shared(MeshGroup& group) {
  if (users_ < 2 || node_.instances) return nullptr;
  if (group.shared != nullptr) return group.shared;
  if (context_.shared_meshes == nullptr) {
    context_.shared_meshes =
        out_.add(context_.scene, "Scope", "Meshes", "Meshes", layer::Specifier::class_);
  }
  group.shared = out_.add(context_.shared_meshes, type_of(group), mesh_.name, "mesh");
  if (!context_.is_over()) write_common(group, group.shared);
  return group.shared;
}

void MeshWriter::write_materials(const MeshGroup& group, OutPrim* prim) {
  const auto bind = [&](OutPrim* to, std::int32_t material) {
    OutPrim* const target =
        material == kNothing ? nullptr : context_.materials[static_cast<std::size_t>(material)];
    if (target == nullptr) return;
    out_.apply(to, "MaterialBindingAPI");
    out_.relate(to, "material:binding", target);
  };
  if (group.face_sets.empty()) return bind(prim, group.primitives.front()->material);
  if (context_.options().materials) {
    out_.set_uniform(prim, "token", "subsetFamily:materialBind:familyType",
                     out_.token("nonOverlapping"));
  }
  for (std::size_t i = 0; i < group.face_sets.size(); ++i) {
    const std::int32_t material = group.primitives[i]->material;
    const OutPrim* const bound =
        material == kNothing ? nullptr : context_.materials[static_cast<std::size_t>(material)];
    OutPrim* const subset =
        out_.add(prim, "GeomSubset", bound == nullptr ? "faces" : bound->name, "faces");
    out_.set_uniform(subset, "token", "elementType", out_.token("face"));
    out_.set_uniform(subset, "token", "familyName", out_.token("materialBind"));
    out_.set(subset, "int[]", "indices", group.face_sets[i]);
    bind(subset, material);
  }
}

void MeshWriter::write_influences(const MeshGroup& group, OutPrim* prim) {
  const Attributes& from = data(group).attributes;
  if (node_.skin == kNothing) return;
  const SkinPlan& skin = context_.plans->skins[static_cast<std::size_t>(node_.skin)];
  if (skin.skeleton == kNothing) return;
  if (from.joints.empty()) {
    context_.faults().error("/nodes/" + std::to_string(index_) + "/skin", "gltf-skin-influences",
                            "The mesh says nowhere which joints move it.");
    return;
  }
  const std::size_t sets = from.joints.size();
  const std::size_t count = group.vertex_count;
  if (!out_.budget().spend(count, 4 * sets * (sizeof(std::int32_t) + sizeof(float)))) return;
  std::vector<std::int32_t> indices(count * 4 * sets);
  std::vector<float> weights(count * 4 * sets);
  // The mesh lists the joints of its skin, unless they are those of the skeleton.
  const SkeletonPlan& plan = context_.plans->skeletons[static_cast<std::size_t>(skin.skeleton)];
  std::vector<std::int32_t> listed, numbers = skin.joint_from_skin;
  for (std::int32_t& number : numbers) {
    if (number == kNothing) continue;
    listed.push_back(number);
    number = static_cast<std::int32_t>(listed.size() - 1);
  }
  std::vector<std::int32_t> sorted = listed;
  std::sort(sorted.begin(), sorted.end());
  const bool keeps_order = std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
  if (!keeps_order) numbers = skin.joint_from_skin;
  bool is_all = keeps_order && listed.size() == plan.joints.size();
  for (std::size_t i = 0; i < listed.size() && is_all; ++i) {
    is_all = listed[i] == static_cast<std::int32_t>(i);
  }
  if (keeps_order && !is_all) {
    std::vector<std::string> paths;
    for (const std::int32_t joint : listed) {
      paths.push_back(plan.paths[static_cast<std::size_t>(joint)]);
    }
    out_.set_uniform(prim, "token[]", "skel:joints", out_.tokens(paths));
  }
  out_.note(prim, origin::kSkin,
            context_.document->skins[static_cast<std::size_t>(node_.skin)].name);
  std::size_t bad = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t vertex = group.vertices.empty() ? i : group.vertices[i];
    for (std::size_t set = 0; set < sets; ++set) {
      for (std::size_t k = 0; k < 4; ++k) {
        const std::size_t to = (i * sets + set) * 4 + k;
        const std::uint32_t joint = from.joints[set][vertex][k];
        const float weight = from.weights[set][vertex][k];
        if (joint >= numbers.size()) {
          ++bad;
        } else if (numbers[joint] != kNothing) {
          indices[to] = numbers[joint];
          weights[to] = weight;
        }
      }
    }
  }
  if (bad > 0) {
    context_.faults().error(
        "/nodes/" + std::to_string(index_) + "/skin", "gltf-joint-index",
        format_text("{} influences of the mesh name none of the skin's {} joints; they count "
                    "nothing.",
                    bad, skin.joint_from_skin.size()));
  }
  out_.set_primvar(prim, "int[]", "primvars:skel:jointIndices",
                   out_.array(ElementType::int_, std::span<const std::int32_t>(indices)), "vertex",
                   static_cast<int>(4 * sets));
  out_.set_primvar(prim, "float[]", "primvars:skel:jointWeights",
                   out_.array(ElementType::float_, std::span<const float>(weights)), "vertex",
                   static_cast<int>(4 * sets));
  out_.set(prim, "matrix4d", "primvars:skel:geomBindTransform",
           value_of(in_layer_units(context_, skin.geom_bind)));
  context_.bindings.emplace_back(prim, skin.skeleton);
}

void MeshWriter::write_target(const MeshGroup& group, const Target& target, OutPrim* prim) {
  const auto per_metre = static_cast<float>(context_.per_metre);
  std::vector<float> offsets(3 * group.vertex_count);
  std::vector<float> normals;
  if (target.positions) {
    offsets = gather(group, *target.positions.values, 3);
    scale_within_range(offsets, per_metre);
  }
  if (target.normals) normals = gather(group, *target.normals.values, 3);
  // Only the points that move.
  std::vector<std::int32_t> moved;
  const auto is_zero = [](const std::vector<float>& v, std::size_t i) {
    return v[3 * i] == 0.0F && v[3 * i + 1] == 0.0F && v[3 * i + 2] == 0.0F;
  };
  for (std::size_t i = 0; i < group.vertex_count; ++i) {
    if (!is_zero(offsets, i) || (!normals.empty() && !is_zero(normals, i))) {
      moved.push_back(static_cast<std::int32_t>(i));
    }
  }
  if (2 * moved.size() < group.vertex_count) {
    const auto compact = [&](std::vector<float>& v) {
      for (std::size_t i = 0; i < moved.size(); ++i) {
        for (std::size_t k = 0; k < 3; ++k) {
          v[3 * i + k] = v[3 * static_cast<std::size_t>(moved[i]) + k];
        }
      }
      v.resize(3 * moved.size());
    };
    compact(offsets);
    if (!normals.empty()) compact(normals);
    out_.set_uniform(prim, "int[]", "pointIndices",
                     out_.array(ElementType::int_, std::span<const std::int32_t>(moved)));
  }
  out_.set_uniform(prim, "vector3f[]", "offsets",
                   out_.array_of_floats(ElementType::float3, offsets));
  if (!normals.empty()) {
    out_.set_uniform(prim, "vector3f[]", "normalOffsets",
                     out_.array_of_floats(ElementType::float3, normals));
  }
}

void MeshWriter::write_shapes(MeshGroup& group, OutPrim* prim) {
  const std::vector<Target>& targets = data(group).targets;
  if (context_.plans->morph_skeletons[index_] == kNothing) return;
  group.shapes.clear();
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (context_.is_over()) return;
    OutPrim* const shape = out_.add(prim, "BlendShape", mesh_.target_names[i], "target");
    group.shapes.push_back(shape->name);
    write_target(group, targets[i], shape);
    ++context_.counts->blend_shapes;
  }
}

void MeshWriter::write_targets(const MeshGroup& group, OutPrim* prim) {
  const std::vector<Target>& targets = data(group).targets;
  const std::int32_t skeleton = context_.plans->morph_skeletons[index_];
  if (targets.empty() || skeleton == kNothing || context_.is_over()) return;
  const SkeletonPlan& plan = context_.plans->skeletons[static_cast<std::size_t>(skeleton)];
  const auto first = std::lower_bound(
      plan.morphs.begin(), plan.morphs.end(), index_,
      [](const MorphChannel& before, std::uint32_t node) { return before.node < node; });
  std::vector<std::string> names;
  std::vector<layer::Path> shapes;
  const layer::Path path = out_.path(*prim);
  for (std::size_t i = 0; i < targets.size(); ++i) {
    names.push_back((first + static_cast<std::ptrdiff_t>(i))->name);
    if (!out_.budget().spend(path.str().size() + group.shapes[i].size())) return;
    shapes.push_back(layer::Path::from_trusted(path.str() + "/" + group.shapes[i]));
  }
  out_.set_uniform(prim, "token[]", "skel:blendShapes", out_.tokens(names));
  out_.relate_paths(prim, "skel:blendShapeTargets", std::move(shapes));
  if (names != mesh_.target_names) out_.note(prim, origin::kTargets, mesh_.target_names);
  if (context_.bindings.empty() || context_.bindings.back().first != prim) {
    context_.bindings.emplace_back(prim, skeleton);
  }
}

void MeshWriter::write_instances(OutPrim* instancer, OutPrim* prototype) {
  const Instances& instances = *node_.instances;
  const std::vector<std::int32_t> zeros(instances.count);
  out_.relate(instancer, "prototypes", prototype);
  out_.set(instancer, "int[]", "protoIndices",
           out_.array(ElementType::int_, std::span<const std::int32_t>(zeros)));
  std::vector<float> positions(3 * instances.count);
  if (instances.translations) positions = *instances.translations.values;
  scale_within_range(positions, static_cast<float>(context_.per_metre));
  out_.set(instancer, "point3f[]", "positions",
           out_.array_of_floats(ElementType::float3, positions));
  if (instances.rotations) {
    std::vector<Quath> rotations;
    std::size_t unturned = 0;
    for (std::size_t i = 0; i < instances.count; ++i) {
      const float* q = instances.rotations[i];
      const Quatd rotation = Quatf(q[3], q[0], q[1], q[2]).cast<double>();
      const bool turns = rotation.norm() > 0.0;
      if (!turns) ++unturned;
      rotations.push_back((turns ? rotation.normalized() : Quatd::Identity()).cast<Half>());
    }
    if (unturned > 0) {
      context_.faults().error(
          format_text("/nodes/{}/extensions/EXT_mesh_gpu_instancing/attributes/ROTATION", index_),
          "gltf-rotation",
          format_text("{} rotations of instances are zero; they are taken for none.", unturned));
    }
    out_.set(instancer, "quath[]", "orientations",
             out_.array(ElementType::quath, std::span<const Quath>(rotations)));
  }
  if (instances.scales) {
    out_.set(instancer, "float3[]", "scales",
             out_.array_of_floats(ElementType::float3, *instances.scales.values));
  }
}

void MeshWriter::write_shape(const MeshGroup& group, OutPrim* prim) {
  out_.set(prim, "point3f[]", "points", group.points);
  out_.set(prim, "float3[]", "extent", group.extent);
  if (group.kind == MeshGroup::Kind::faces) {
    out_.set(prim, "int[]", "faceVertexCounts", group.counts);
    out_.set(prim, "int[]", "faceVertexIndices", group.indices);
    out_.set_uniform(prim, "token", "subdivisionScheme", out_.token("none"));
    if (group.is_double_sided) out_.set_uniform(prim, "bool", "doubleSided", value_of(true));
  } else if (group.kind == MeshGroup::Kind::curves) {
    out_.set(prim, "int[]", "curveVertexCounts", group.counts);
    out_.set_uniform(prim, "token", "type", out_.token("linear"));
    const bool is_loop = group.primitives.front()->mode == Mode::line_loop;
    out_.set_uniform(prim, "token", "wrap", out_.token(is_loop ? "periodic" : "nonperiodic"));
  }
}

void MeshWriter::write_common(MeshGroup& group, OutPrim* prim) {
  write_shape(group, prim);
  if (group.normals.has_value() && group.kind == MeshGroup::Kind::faces) {
    out_.set_primvar(prim, "normal3f[]", "normals", group.normals, "vertex");
  }
  if (group.tangents.has_value()) {
    out_.set_primvar(prim, "float4[]", "primvars:tangents", group.tangents, "vertex");
  }
  for (std::size_t i = 0; i < group.uvs.size(); ++i) {
    if (!group.uvs[i].has_value()) continue;
    const std::string name = i == 0 ? "primvars:st" : format_text("primvars:st{}", i);
    out_.set_primvar(prim, "texCoord2f[]", name, group.uvs[i], "vertex");
  }
  if (group.colors.has_value()) {
    out_.set_primvar(prim, "color3f[]", "primvars:displayColor", group.colors, "vertex");
  }
  if (group.opacities.has_value()) {
    out_.set_primvar(prim, "float[]", "primvars:displayOpacity", group.opacities, "vertex");
  }
  write_materials(group, prim);
  if (group.kind == MeshGroup::Kind::faces) write_shapes(group, prim);
}

void MeshWriter::write(MeshGroup& group, OutPrim* prim) {
  count(group);
  if (const OutPrim* const from = shared(group)) {
    out_.inherit(prim, *from);
  } else {
    write_common(group, prim);
  }
  if (group.kind != MeshGroup::Kind::faces) return;
  if (context_.reversed[index_]) {
    out_.set_uniform(prim, "token", "orientation", out_.token("leftHanded"));
  }
  const bool has_material =
      std::any_of(group.primitives.begin(), group.primitives.end(),
                  [](const Primitive* primitive) { return primitive->material != kNothing; });
  if (group.colors.has_value() && has_material) out_.note(prim, origin::kColors, true);
  write_influences(group, prim);
  write_targets(group, prim);
}

}  // namespace

std::size_t mesh_prims(const WriteContext& context, std::uint32_t node) {
  const std::int32_t mesh = context.node(node).mesh;
  return mesh == kNothing ? 0 : context.groups[static_cast<std::size_t>(mesh)].size();
}

std::string_view mesh_prim_type(const WriteContext& context, std::uint32_t node) {
  return MeshWriter::type_of(
      context.groups[static_cast<std::size_t>(context.node(node).mesh)].front());
}

void write_mesh(WriteContext& context, std::uint32_t node, OutPrim* parent, OutPrim* host) {
  MeshWriter(context, node, context.node(node).mesh).run(parent, host);
}

std::vector<OutPrim*> write_collider_mesh(WriteContext& context, std::uint32_t node,
                                          std::int32_t mesh, OutPrim* parent) {
  return MeshWriter(context, node, mesh).run_for_collider(parent);
}

}  // namespace sinew::exporter::gltf_import
