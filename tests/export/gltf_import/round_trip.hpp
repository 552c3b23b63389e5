// SPDX-License-Identifier: Apache-2.0
// glTF files that become layers and glTF files again, and what they are made of.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "export/gltf_import/imported.hpp"
#include "export/gltf_import/same_glb.hpp"
#include "sinew/export/glb.hpp"
#include "sinew/export/import_glb.hpp"

namespace sinew::test {

/// What became of a file.
struct RoundTrip {
  GlbFile file;
  std::string text;
  std::string said;
  std::string told;
};

/// glb, layer, text, stage, glb.
inline RoundTrip round_trip(const GlbFile& file,
                            const std::vector<exporter::GlbClipRequest>& clips = {}) {
  RoundTrip result;
  Diagnostics said, told;
  auto imported = exporter::import_glb(file.bytes(), {}, said);
  result.said = lines_of(said);
  if (!imported) {
    ADD_FAILURE() << imported.error().message;
    return result;
  }
  stage::MemoryResolver resolver;
  result.text = usda::write(*imported->layer);
  resolver.add("imported.usda", result.text);
  for (const exporter::ImportedImage& image : imported->images) {
    resolver.add(image.name, std::string(image.bytes.text()));
  }
  stage::OpenOptions open;
  open.resolver = &resolver;
  const auto stage = stage::Stage::open("imported.usda", told, open);
  if (!stage) {
    ADD_FAILURE() << stage.error().message;
    return result;
  }
  exporter::GlbOptions options;
  options.resolver = &resolver;
  options.clips = clips;
  const auto again = exporter::write_glb(**stage, options, told);
  result.told = lines_of(told);
  if (!again) {
    ADD_FAILURE() << again.error().message;
    return result;
  }
  result.file = open_file(again->bytes.data(), again->bytes.size());
  return result;
}

inline void expect_same(const GlbFile& file, double curve_tolerance = 1e-5,
                        const std::vector<exporter::GlbClipRequest>& clips = {}) {
  const RoundTrip trip = round_trip(file, clips);
  EXPECT_EQ(trip.said, "");
  EXPECT_EQ(trip.told, "");
  SameGlb same(file, trip.file);
  same.curve_tolerance = curve_tolerance;
  same.expect();
  if (::testing::Test::HasFailure()) {
    ADD_FAILURE() << trip.text << "\n" << trip.file.json.dump(1);
  }
}

/// A square whose points are at heights of their own.
inline const std::vector<float> kTilted = {0, 0, 1, 1, 0, 2, 1, 1, 3, 0, 1, 2};
inline constexpr float kHalf = 0.70710678F;

inline GltfJson square(GlbFile& file, GltfJson attributes = GltfJson::object(),
                       const std::vector<float>& points = kSquare) {
  if (!attributes.contains("POSITION")) attributes["POSITION"] = file.floats("VEC3", points);
  return {{"attributes", attributes},
          {"indices", file.accessor("SCALAR", std::vector<std::uint16_t>{0, 1, 2, 0, 2, 3})}};
}

inline int add_mesh(GlbFile& file, const std::string& name, std::vector<GltfJson> primitives,
                    GltfJson more = GltfJson::object()) {
  GltfJson mesh = std::move(more);
  if (!name.empty()) mesh["name"] = name;
  mesh["primitives"] = primitives;
  return file.add("meshes", mesh);
}

}  // namespace sinew::test
