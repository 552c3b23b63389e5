// SPDX-License-Identifier: Apache-2.0
// MJCF: the assets. Meshes in files and in the text, and materials by name.

#include <utility>

#include "core/format_text.hpp"
#include "export/robot_import/mjcf_reader.hpp"

namespace sinew::exporter::robot_import {

namespace {

std::string stem_of(std::string_view file) {
  file = file.substr(file.find_last_of("/\\") + 1);
  return std::string(file.substr(0, file.rfind('.')));
}

}  // namespace

std::int32_t MjcfReader::mesh_named(std::string_view name, const Where& where) {
  const auto known = meshes_.find(name);
  if (known != meshes_.end()) return known->second;
  const auto found = mesh_elements_.find(name);
  std::int32_t mesh = kNothing;
  if (found == mesh_elements_.end()) {
    in_.faults->error("robot-reference", where,
                      format_text("There is no mesh '{}'; what has it is left out.", name));
  } else {
    const View view{found->second, class_of(*found->second, &classes_.front())};
    mesh = read_mesh(view, std::string(name));
    if (mesh != kNothing) at(robot_.meshes, mesh).weighing = read_weighing(view);
  }
  meshes_.emplace(name, mesh);
  return mesh;
}

MeshWeighing MjcfReader::read_weighing(const View& view) const {
  const XmlAttribute* const said = view.find("inertia");
  if (said == nullptr) return weighing_;
  if (said->value == "legacy") return MeshWeighing::legacy;
  if (said->value == "exact") return MeshWeighing::exact;
  if (said->value == "convex") return MeshWeighing::convex;
  if (said->value == "shell") return MeshWeighing::shell;
  in_.faults->error("robot-value", in_.where(*said),
                    format_text("A mesh is not weighed by '{}'.", said->value.substr(0, 20)));
  return weighing_;
}

std::int32_t MjcfReader::read_mesh(const View& view, std::string name) {
  const Vector3d scale = vector(view, "scale").value_or(Vector3d::Ones());
  // What the file calls its origin, before it is scaled.
  const auto position = vector(view, "refpos");
  const auto rotation = several(view, "refquat", 4, 4);
  const bool is_moved = position || rotation;
  const Vector3d first_scale = is_moved ? Vector3d::Ones() : scale;
  const Where where = in_.where(*view.element);
  const auto wrong = [&](std::string_view what) {
    in_.faults->error("robot-mesh", where,
                      format_text("Mesh '{}' {}; what has it is left out.", name, what));
    return kNothing;
  };
  std::int32_t index = kNothing;
  if (const XmlAttribute* file = view.find("file"); file != nullptr) {
    std::string path(file->value);
    if (strip_path_) path = path.substr(path.find_last_of("/\\") + 1);
    const bool is_absolute = path.starts_with('/');
    if (!is_absolute && !mesh_folder_.empty()) {
      path = mesh_folder_ + (mesh_folder_.ends_with('/') ? "" : "/") + path;
    }
    index = read_mesh_file(in_, path, name, first_scale, where);
    if (index == kNothing) return index;
  } else {
    const XmlAttribute* vertices = view.find("vertex");
    if (vertices == nullptr) return wrong("has neither a file nor vertices");
    constexpr std::size_t kMost = 1U << 30;
    const auto numbers = in_.numbers(*view.element, *vertices, 12, kMost);
    if (!numbers || numbers->size() % 3 != 0) return wrong("has no points");
    RobotMesh mesh;
    for (std::size_t i = 0; i < numbers->size(); i += 3) {
      const Vector3d point((*numbers)[i], (*numbers)[i + 1], (*numbers)[i + 2]);
      mesh.points.push_back(point.cwiseProduct(first_scale).cast<float>());
      if (!mesh.points.back().allFinite()) return wrong("has a point that is too far away");
    }
    if (const auto faces = several(view, "face", 3, kMost)) {
      const auto count = static_cast<double>(mesh.points.size());
      for (const double corner : *faces) {
        if (!(corner >= 0 && corner < count)) return wrong("has a face with no such point");
        mesh.corners.push_back(static_cast<std::int32_t>(corner));
      }
      if (mesh.corners.size() % 3 != 0) return wrong("has faces that are no triangles");
    }
    if (first_scale.prod() < 0.0) mesh.turn_faces();
    mesh.name = name;
    index = static_cast<std::int32_t>(robot_.meshes.size());
    robot_.meshes.push_back(std::move(mesh));
  }
  if (!is_moved) return index;
  Quatd turn = Quatd::Identity();
  if (rotation) {
    turn = Quatd((*rotation)[0], (*rotation)[1], (*rotation)[2], (*rotation)[3]);
    turn = turn.norm() > 1e-12 ? turn.normalized() : Quatd::Identity();
  }
  RobotMesh& mesh = at(robot_.meshes, index);
  for (Vector3f& point : mesh.points) {
    const Vector3d moved = point.cast<double>() - position.value_or(Vector3d::Zero());
    point = (turn.conjugate() * moved).cwiseProduct(scale).cast<float>();
    if (!point.allFinite()) return wrong("has a point that is too far away");
  }
  if (scale.prod() < 0.0) mesh.turn_faces();
  return index;
}

void MjcfReader::read_assets(const XmlElement& root) {
  for (const XmlElement* section : root.children) {
    if (section->name != "asset") continue;
    for (const XmlElement* asset : section->children) {
      const XmlAttribute* name = asset->find("name");
      if (asset->name == "material" && name != nullptr) materials_.emplace(name->value, asset);
      if (asset->name != "mesh") continue;
      const XmlAttribute* file = asset->find("file");
      std::string key;
      if (name != nullptr) {
        key = name->value;
      } else if (file != nullptr) {
        key = stem_of(file->value);
      }
      if (!mesh_elements_.emplace(key, asset).second) {
        in_.faults->error("robot-duplicate", in_.where(*asset),
                          format_text("There are two meshes '{}'; the first counts.", key));
      }
    }
  }
}

}  // namespace sinew::exporter::robot_import
