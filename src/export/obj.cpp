// SPDX-License-Identifier: Apache-2.0
#include "sinew/export/obj.hpp"

#include <cstddef>
#include <cstdio>
#include <iterator>

#include "core/format_text.hpp"
#include "sinew/core/text_file.hpp"

namespace sinew::exporter {

namespace {

enum class NormalsPer { none, point, corner };

Status check(const ObjMesh& mesh, NormalsPer& normals_per) {
  std::size_t corners = 0;
  for (const std::int32_t count : mesh.face_vertex_counts) {
    if (count < 0) {
      return {ErrorCode::size_mismatch,
              format_text("mesh '{}' has a face of {} corners.", mesh.name, count)};
    }
    corners += static_cast<std::size_t>(count);
  }
  if (corners != mesh.face_vertex_indices.size()) {
    return {ErrorCode::size_mismatch,
            format_text("mesh '{}' has {} face-vertex indices, but its counts add up to {}.",
                        mesh.name, mesh.face_vertex_indices.size(), corners)};
  }
  for (std::size_t i = 0; i < corners; ++i) {
    const std::int32_t index = mesh.face_vertex_indices[i];
    if (index < 0 || static_cast<std::size_t>(index) >= mesh.points.size()) {
      return {ErrorCode::index_out_of_range,
              format_text("mesh '{}': face-vertex index {} at position {} is not below {}.",
                          mesh.name, index, i, mesh.points.size())};
    }
  }
  if (mesh.normals.empty()) {
    normals_per = NormalsPer::none;
  } else if (mesh.normals.size() == mesh.points.size()) {
    normals_per = NormalsPer::point;
  } else if (mesh.normals.size() == corners) {
    normals_per = NormalsPer::corner;
  } else {
    return {ErrorCode::size_mismatch,
            format_text("mesh '{}' has {} normals for {} points and {} corners.", mesh.name,
                        mesh.normals.size(), mesh.points.size(), corners)};
  }
  return {};
}

void write_vectors(std::string& out, std::string_view keyword, std::span<const Vector3f> vectors) {
  for (const Vector3f& v : vectors) {
    append_text(out, "{} {} {} {}\n", keyword, v.x(), v.y(), v.z());
  }
}

// OBJ counts from 1, over all groups of the file.
struct Bases {
  std::size_t point = 1;
  std::size_t normal = 1;
};

void write_faces(std::string& out, const ObjMesh& mesh, NormalsPer normals_per,
                 const Bases& bases) {
  std::size_t corner = 0;
  for (const std::int32_t count : mesh.face_vertex_counts) {
    const std::size_t end = corner + static_cast<std::size_t>(count);
    if (count < 3) {
      corner = end;
      continue;
    }
    out += 'f';
    for (; corner < end; ++corner) {
      const auto point = static_cast<std::size_t>(mesh.face_vertex_indices[corner]);
      append_text(out, " {}", bases.point + point);
      if (normals_per != NormalsPer::none) {
        const std::size_t normal = normals_per == NormalsPer::point ? point : corner;
        append_text(out, "//{}", bases.normal + normal);
      }
    }
    out += '\n';
  }
}

}  // namespace

Result<std::string> write_obj(std::span<const ObjMesh> meshes) {
  std::string out;
  Bases bases;
  for (const ObjMesh& mesh : meshes) {
    NormalsPer normals_per = NormalsPer::none;
    if (Status status = check(mesh, normals_per); !status) return std::move(status).error();
    out += "g ";
    for (const char c : mesh.name) out += (c == ' ' || (c >= '\t' && c <= '\r')) ? '_' : c;
    out += '\n';
    write_vectors(out, "v", mesh.points);
    write_vectors(out, "vn", mesh.normals);
    write_faces(out, mesh, normals_per, bases);
    bases.point += mesh.points.size();
    bases.normal += mesh.normals.size();
  }
  return out;
}

Status write_obj_file(std::span<const ObjMesh> meshes, const std::string& file) {
  Result<std::string> text = write_obj(meshes);
  if (!text) return std::move(text).error();
  return write_text_file(*text, file);
}

}  // namespace sinew::exporter
