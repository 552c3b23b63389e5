// SPDX-License-Identifier: Apache-2.0
// Meshes beside a robot: OBJ, and STL as text or binary. Only points and faces are read.

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstring>
#include <map>
#include <utility>

#include "core/format_text.hpp"
#include "export/robot_import/reading.hpp"

namespace sinew::exporter::robot_import {

namespace {

// The next word of a line; empty at its end.
std::string_view next_word(std::string_view& line) {
  const std::size_t first = line.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return line = {};
  line.remove_prefix(first);
  const std::string_view word = line.substr(0, line.find_first_of(" \t\r"));
  line.remove_prefix(word.size());
  return word;
}

// Of a binary STL file.
constexpr std::size_t kHeader = 84;
constexpr std::size_t kTriangle = 50;

std::size_t triangle_count(std::string_view bytes) {
  std::uint32_t count = 0;
  std::memcpy(&count, bytes.data() + 80, sizeof count);
  return count;
}

// Headers of binary files may begin like text.
bool has_binary_length(std::string_view bytes) {
  return bytes.size() >= kHeader && bytes.size() - kHeader == triangle_count(bytes) * kTriangle;
}

class MeshFileReader {
 public:
  explicit MeshFileReader(RobotMesh& mesh) : mesh_(mesh) {}

  // Each returns what is wrong, or nothing.
  std::string read_obj(std::string_view text) {
    return for_each_line(text, [&](std::string_view line) -> std::string {
      const std::string_view kind = next_word(line);
      if (kind == "v") return add_vertex(line);
      if (kind != "f") return {};
      std::vector<std::int32_t> face;
      for (std::string_view word = next_word(line); !word.empty(); word = next_word(line)) {
        const auto number = number_of(word.substr(0, word.find('/')));
        const auto count = static_cast<double>(mesh_.points.size());
        if (!number || *number != std::floor(*number)) return "a face has no number of a vertex";
        const double index = *number < 0 ? count + *number : *number - 1;
        if (!(index >= 0 && index < count)) return "a face names a vertex that is not there";
        face.push_back(static_cast<std::int32_t>(index));
      }
      for (std::size_t i = 2; i < face.size(); ++i) add_triangle(face[0], face[i - 1], face[i]);
      return {};
    });
  }

  std::string read_stl_text(std::string_view text) {
    std::vector<std::int32_t> loop;
    return for_each_line(text, [&](std::string_view line) -> std::string {
      const std::string_view kind = next_word(line);
      if (kind == "outer") loop.clear();
      if (kind == "vertex") {
        Vector3f point;
        if (!read_point(line, point)) return "a vertex has no three numbers";
        loop.push_back(index_of(point));
      }
      if (kind == "endloop" && loop.size() >= 3) add_triangle(loop[0], loop[1], loop[2]);
      return {};
    });
  }

  std::string read_stl_binary(std::string_view bytes) {
    if (bytes.size() < kHeader) return "it is too short";
    const std::size_t count = triangle_count(bytes);
    if (count > (bytes.size() - kHeader) / kTriangle) return "it ends before its triangles do";
    for (std::size_t i = 0; i < count; ++i) {
      std::array<float, 12> numbers{};  // The normal first.
      std::memcpy(numbers.data(), bytes.data() + kHeader + i * kTriangle, sizeof numbers);
      std::array<std::int32_t, 3> corners{};
      for (std::size_t k = 0; k < 3; ++k) {
        const Vector3f point(numbers[3 + 3 * k], numbers[4 + 3 * k], numbers[5 + 3 * k]);
        if (!point.allFinite()) return "a point is not finite";
        corners[k] = index_of(point);
      }
      add_triangle(corners[0], corners[1], corners[2]);
    }
    return {};
  }

 private:
  template <typename Read>
  static std::string for_each_line(std::string_view text, Read read) {
    std::size_t number = 1;
    while (!text.empty()) {
      const std::size_t end = text.find('\n');
      const std::string wrong = read(text.substr(0, end));
      if (!wrong.empty()) return format_text("in line {} {}", number, wrong);
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
      ++number;
    }
    return {};
  }

  static bool read_point(std::string_view line, Vector3f& point) {
    for (int i = 0; i < 3; ++i) {
      const std::optional<double> value = number_of(next_word(line));
      if (!value || !std::isfinite(static_cast<float>(*value))) return false;
      point[i] = static_cast<float>(*value);
    }
    return true;
  }

  std::string add_vertex(std::string_view line) {
    Vector3f point;
    if (!read_point(line, point)) return "a vertex has no three numbers";
    mesh_.points.push_back(point);
    return {};
  }

  void add_triangle(std::int32_t a, std::int32_t b, std::int32_t c) {
    if (a == b || b == c || c == a) return;
    mesh_.corners.insert(mesh_.corners.end(), {a, b, c});
  }

  // STL repeats each point in each triangle.
  std::int32_t index_of(const Vector3f& point) {
    const auto next = static_cast<std::int32_t>(mesh_.points.size());
    const auto [found, is_new] = indices_.try_emplace({point.x(), point.y(), point.z()}, next);
    if (is_new) mesh_.points.push_back(point);
    return found->second;
  }

  RobotMesh& mesh_;
  std::map<std::array<float, 3>, std::int32_t> indices_;
};

std::string lower_extension(const std::string& file) {
  std::string extension = file.substr(std::min(file.rfind('.'), file.size()));
  for (char& c : extension) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return extension;
}

// Where the file of a mesh may be. Packages of robots have their meshes beside their descriptions.
std::vector<std::string> places_of(std::string file) {
  for (const std::string_view scheme : {"package://", "model://"}) {
    if (!file.starts_with(scheme)) continue;
    file.erase(0, scheme.size());
    const std::size_t slash = file.find('/');
    std::vector<std::string> places = {file, "../" + file, "../../" + file, "../../../" + file};
    if (slash != std::string::npos) {
      const std::string inside = file.substr(slash + 1);
      places.insert(places.end(), {inside, "../" + inside});
    }
    return places;
  }
  if (file.starts_with("file://")) file.erase(0, 7);
  return {file};
}

}  // namespace

std::int32_t read_mesh_file(const RobotInput& input, const std::string& file, std::string name,
                            const Vector3d& scale, const Where& where) {
  const auto refuse = [&](std::string message, std::string_view hint = {}) {
    input.faults->error("robot-mesh", where, std::move(message), hint);
    return kNothing;
  };
  const std::string extension = lower_extension(file);
  if (extension != ".obj" && extension != ".stl") {
    return refuse(
        format_text("'{}' is neither .obj nor .stl; what has this mesh is left out.", file),
        "Convert the mesh.");
  }
  if (input.options->resolver == nullptr) {
    return refuse(format_text("Nothing reads '{}'; what has this mesh is left out.", file),
                  "Give a resolver.");
  }
  if (input.budget->is_spent()) return kNothing;
  std::optional<Bytes> bytes;
  for (const std::string& place : places_of(file)) {
    const auto found = input.options->resolver->resolve(place, input.options->file);
    if (!found) continue;
    auto read = input.options->resolver->read(*found, input.options->limits.file_bytes);
    if (!read) return refuse(format_text("'{}': {}", file, read.error().message));
    bytes = *std::move(read);
    input.budget->add_file(*found, bytes->size());
    break;
  }
  if (!bytes)
    return refuse(format_text("'{}' is not found; what has this mesh is left out.", file));
  // A mesh takes some more than its file: points, corners, and for STL the search for equal points.
  if (!input.budget->spend(bytes->size(), 8)) return kNothing;
  RobotMesh mesh;
  mesh.name = std::move(name);
  MeshFileReader reader(mesh);
  const std::string_view text = bytes->text();
  const bool is_stl_text = extension == ".stl" && !has_binary_length(text) &&
                           text.starts_with("solid") && text.find("facet") < 1000;
  const std::string wrong = extension == ".obj" ? reader.read_obj(text)
                            : is_stl_text       ? reader.read_stl_text(text)
                                                : reader.read_stl_binary(text);
  if (!wrong.empty()) return refuse(format_text("'{}' is broken: {}.", file, wrong));
  if (mesh.points.size() < 4) return refuse(format_text("'{}' holds no solid.", file));
  const Vector3f factor = scale.cast<float>();
  for (Vector3f& point : mesh.points) {
    point = point.cwiseProduct(factor);
    if (!point.allFinite()) {
      return refuse(format_text("'{}' has a point that is too far away.", file));
    }
  }
  if (scale.prod() < 0.0) mesh.turn_faces();
  input.robot->meshes.push_back(std::move(mesh));
  return static_cast<std::int32_t>(input.robot->meshes.size() - 1);
}

}  // namespace sinew::exporter::robot_import
