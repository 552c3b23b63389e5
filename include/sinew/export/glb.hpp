// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/core/diagnostic.hpp"
#include "sinew/core/export.hpp"
#include "sinew/core/result.hpp"
#include "sinew/export/glb_builder.hpp"
#include "sinew/geom/bounds.hpp"
#include "sinew/physics/read/read_physics.hpp"
#include "sinew/stage/asset_resolver.hpp"
#include "sinew/stage/stage.hpp"

namespace sinew::exporter {

/// How many joints a vertex may follow.
enum class GlbInfluences : std::uint8_t {
  four,   ///< The strongest four: JOINTS_0 alone, which every viewer reads.
  eight,  ///< JOINTS_0 and, where some vertex needs it, JOINTS_1.
  all,
};

/// What becomes of the images that materials read.
enum class GlbTextures : std::uint8_t {
  embed,      ///< The files themselves, in the .glb.
  reference,  ///< A relative address of each.
  none,
};

/// How copies of one prototype are written.
enum class GlbInstancing : std::uint8_t {
  nodes,  ///< A node for each instance: works everywhere.
  gpu,    ///< EXT_mesh_gpu_instancing, for what is neither skinned nor animated.
};

/// A SkelAnimation to write as a clip of its own.
struct GlbClipRequest {
  std::string name;       ///< Of the clip in the file.
  std::string prim_path;  ///< Absolute path of the SkelAnimation.
};

/// What write_glb() may make of a stage. Exceeding one is limit_exceeded, with the prim's path.
struct GlbLimits {
  std::uint64_t nodes = 500'000;           ///< With joints, and each instance, also for GPUs.
  std::uint64_t vertices = 1ULL << 30;     ///< Of one mesh.
  std::uint64_t joints = 65'536;           ///< Of one skeleton.
  std::uint64_t keys = 1ULL << 26;         ///< Numbers of the clip of one skeleton.
  std::uint64_t bytes = 0xFFFFFFFF;        ///< Of the file.
  std::uint64_t image_bytes = 1ULL << 30;  ///< Of one texture.
};

/// What write_glb() takes over from a stage, and in which form.
struct GlbOptions {
  /// The part of the animation that is written, in time codes. Absent: from start to end time code
  /// if both are authored, else all samples: of a clip of `clips` its own.
  struct TimeRange {
    double first = 0.0;  ///< Time code that becomes 0 seconds.
    double last = 0.0;   ///< Included; not before `first`.
  };
  /// The part that is written; see TimeRange for what absent means.
  std::optional<TimeRange> time_range;
  /// Keys at these steps of time codes too, beside the authored ones; 0: authored ones alone. Steps
  /// that make more than ten million keys are refused.
  double step = 0.0;
  /// Clips beside the one that the stage plays. Each is matched with every skeleton by the names of
  /// joints.
  std::vector<GlbClipRequest> clips;
  GlbInfluences influences = GlbInfluences::four;  ///< Weaker ones are dropped, the rest rescaled.
  bool physics = true;  ///< Bodies, colliders and joints as KHR_physics_rigid_bodies.
  /// Of `physics`: whether a body inside a body is one of its own.
  physics::NestedBodies nested_bodies = physics::NestedBodies::by_rules;
  bool materials = true;                            ///< Without them there are no textures either.
  GlbTextures textures = GlbTextures::embed;        ///< PNG, JPEG or WebP; others are left out.
  GlbInstancing instancing = GlbInstancing::nodes;  ///< Of prims and point instancers.
  bool keep_up_axis = false;                        ///< No node that turns Z upwards to Y.
  std::optional<double> meters_per_unit;            ///< Instead of the stage's.
  /// Purposes of which geometry is written.
  geom::PurposeSet purposes = {.default_ = true, .render = true};
  std::vector<std::string> primvars;  ///< Written as "_NAME", if they are numbers of points.
  bool extras = true;                 ///< Paths of prims, and what glTF cannot say.
  GlbLimits limits;                   ///< Exceeding one fails the call.
  /// What textures are read through; null: a FileResolver.
  stage::AssetResolver* resolver = nullptr;
  /// Textures named within a .usdz package are taken from it alone, as with the option of stages.
  bool closed_packages = false;
  /// Where the file will be; references to textures are relative to its folder.
  std::string output;
  /// Called with what is being done, and how much of it is; may be empty.
  std::function<void(std::string_view what, std::size_t done, std::size_t total)> progress;
};

/// Writes a stage as binary glTF: nodes, meshes, skins, morph targets, clips, instances, materials,
/// cameras and rigid bodies; docs/to_gltf.md says how each of them comes over.
///
/// Lengths become metres, and Z is turned upwards to Y by one node on top. Numbers come from scalar
/// code in double precision: the same stage and options give the same bytes on every machine.
///
/// @param diagnostics  What glTF cannot say, and what was left out: codes "gltf-...", listed on
///                     that page, with the path of the prim.
/// @return The file; or limit_exceeded, invalid_argument (a time range without end, a unit that is
///         none, a clip whose prim is no SkelAnimation).
/// @par Cost    Every array is made once and copied once. Memory beside that of the stage: at most
///              twice that of the file; a tenth more if it is all one mesh with split corners.
SINEW_API Result<GltfFile> write_glb(const stage::Stage& stage, const GlbOptions& options,
                                     Diagnostics& diagnostics);

/// write_glb() into a file, which is replaced in one step when all is written.
/// Arrays are written one by one and never stand beside each other as a file in memory.
/// @return The summary; an error of write_glb(), or io_failed.
SINEW_API Result<GltfSummary> write_glb_file(const stage::Stage& stage, const std::string& file,
                                             const GlbOptions& options, Diagnostics& diagnostics);

}  // namespace sinew::exporter
