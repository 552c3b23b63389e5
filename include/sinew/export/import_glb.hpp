// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sinew/core/axis.hpp"
#include "sinew/core/bytes.hpp"
#include "sinew/core/diagnostic.hpp"
#include "sinew/core/export.hpp"
#include "sinew/core/limits.hpp"
#include "sinew/core/result.hpp"
#include "sinew/layer/layer.hpp"
#include "sinew/stage/asset_resolver.hpp"

namespace sinew::exporter {

/// What becomes of images.
enum class ImportedTextures : std::uint8_t {
  /// Those inside the file are handed over as files to stand beside the layer, see
  /// ImportedGlb::images; others stay references.
  extract,
  /// The same, and of others what ImportGlbOptions::resolver reads: for packages.
  collect,
  none,  ///< Those inside the file are left out, with one diagnostic; materials keep their factors.
};

/// What import_glb() makes of a file, and how.
struct ImportGlbOptions {
  /// Of the layer. References to images are relative to its folder.
  std::string identifier = "imported.usda";
  /// Names the input in diagnostics, and is what external buffers and images are relative to.
  std::string file = {};
  /// Reads external buffers. Null: a file that has any lacks their data, which is reported.
  stage::AssetResolver* resolver = nullptr;
  /// Up axis of the layer, y or z. With z the scene is turned by 90 degrees about X.
  Axis up = Axis::y;
  double meters_per_unit = 1.0;         ///< Of the layer; lengths are divided by it. Positive.
  double time_codes_per_second = 24.0;  ///< Of the layer; seconds are multiplied by it. Positive.
  /// How far the keys that stand for a cubic spline may be from it: radians of rotations; for
  /// others, relative to the largest difference between values of the channel.
  double curve_tolerance = 1e-4;
  std::optional<std::uint32_t> scene = {};  ///< Instead of the one that the file names.
  bool materials = true;                    ///< False: none is made, and no image is read.
  bool physics = true;                      ///< Whether bodies, colliders and joints are read.
  ImportedTextures textures = ImportedTextures::extract;  ///< What becomes of the images.
  std::string image_folder = "textures";  ///< Of the extracted images, relative to the layer.
  /// What is made of the file takes no more memory than decoded_bytes and decoded_per_byte say.
  Limits limits = {.decoded_per_byte = 64};
  /// Called with how many parts (meshes, skeletons and animations) are done, of how many.
  std::function<void(std::size_t, std::size_t)> progress = {};
};

/// A file to be written beside the layer.
struct ImportedImage {
  std::string name;  ///< Relative to the layer, such as "textures/wood.png".
  Bytes bytes;       ///< As it lay in the input, which is shared.
};

/// How many there are of each in the layer.
struct GlbCounts {
  std::size_t nodes = 0;           ///< In the scene.
  std::size_t meshes = 0;          ///< Mesh prims; primitives of one mesh may share one.
  std::size_t points = 0;          ///< Of all meshes.
  std::size_t faces = 0;           ///< Of all meshes.
  std::size_t skeletons = 0;       ///< Skeleton prims.
  std::size_t joints = 0;          ///< Of all skeletons.
  std::size_t blend_shapes = 0;    ///< BlendShape prims.
  std::size_t animations = 0;      ///< SkelAnimation prims.
  std::size_t cameras = 0;         ///< Camera prims.
  std::size_t materials = 0;       ///< Material prims.
  std::size_t images = 0;          ///< Extracted ones alone.
  std::size_t bodies = 0;          ///< Prims that are rigid bodies.
  std::size_t colliders = 0;       ///< Prims that collide.
  std::size_t physics_joints = 0;  ///< Prims of joints between bodies.
};

/// A glTF file as a layer, and what belongs beside it.
struct ImportedGlb {
  layer::LayerPtr layer;  ///< Never null.
  /// What the layer refers to and the caller writes; may be empty.
  std::vector<ImportedImage> images;
  GlbCounts counts;  ///< What the layer holds.
};

/// Makes a layer of a glTF 2.0 file: a .glb, or the JSON of a .gltf with buffers in data URIs or
/// files that `options.resolver` finds.
///
/// One scene becomes the default prim: nodes become Xforms, Meshes, Cameras or Skeletons; skins,
/// morph targets and animations what UsdSkel has for them; materials UsdPreviewSurface networks;
/// KHR_physics_rigid_bodies and KHR_implicit_shapes the physics schemas. docs/from_gltf.md says
/// what becomes of what.
///
/// Faults are reported with the JSON pointer of what is wrong as Diagnostic::path, such as
/// "/meshes/0/primitives/1/indices"; what a fault spoils is left out, the rest is still read.
///
/// @param bytes  The file.
/// @return The layer; or
///         - corrupt if the container, the JSON, or the tree of nodes is broken;
///         - unsupported for another version of glTF, or an extension that the file requires and
///           that is not known;
///         - limit_exceeded if the file asks for more than `options.limits`;
///         - invalid_argument for options outside their range.
/// @par Cost  O(bytes + what is made of them); every accessor is read once.
SINEW_API Result<ImportedGlb> import_glb(const Bytes& bytes, const ImportGlbOptions& options,
                                         Diagnostics& diagnostics);

}  // namespace sinew::exporter
