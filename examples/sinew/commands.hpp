// SPDX-License-Identifier: Apache-2.0
// The subcommands of the tool. Each gets its options and a Reporter for diagnostics, prints its
// result to standard output and returns an exit status. One source file per subcommand.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "export_engines.hpp"
#include "files.hpp"
#include "open.hpp"
#include "output.hpp"
#include "sinew/core/axis.hpp"
#include "sinew/core/simd.hpp"
#include "sinew/export/glb.hpp"
#include "sinew/stage/stage.hpp"
#include "sinew/stage/time.hpp"
#include "sinew/usdc/version.hpp"

namespace sinew::tool {

/// The extensions of layers that can be written: .usdc, .usda, .usd and .usdz.
inline constexpr std::array<std::string_view, 4> kLayerExtensions = {".usdc", ".usda", ".usd",
                                                                     ".usdz"};

/// Writes a layer in the format that the extension says, into a folder that is made if need be.
Status write_layer(const layer::Layer& layer, const std::string& file, usdc::Version version,
                   Diagnostics& diagnostics);

struct InfoOptions {
  CommonOptions common;
  BatchOptions batch;
};

struct CheckOptions {
  CommonOptions common;
  BatchOptions batch;
  bool parse_only = false;
  bool strict = false;  ///< Warnings count as errors.
  bool json = false;
  bool sarif = false;
};

struct DiffOptions {
  CommonOptions common;
  std::string a;
  std::string b;
  bool json = false;
  bool all = false;  ///< List every difference.
};

struct StageOptions {
  CommonOptions common;
  std::string file;
  std::string explain;  ///< Path of a property, or empty.
  stage::Time time;     ///< Which opinion wins at this time.
  bool json = false;
};

struct SkelOptions {
  CommonOptions common;
  std::string file;
  stage::Time time;
  SimdLevel simd = SimdLevel::best;  ///< What deforms the points.
  bool fast = false;                 ///< By skel::Character.
  bool json = false;
};

/// Time codes from `first` to `last`, both included.
struct FrameRange {
  double first = 0.0;
  double last = 0.0;
  double step = 1.0;
};

struct SkinOptions {
  CommonOptions common;
  BatchOptions batch;
  OutputOptions output;
  stage::Time time;
  std::optional<FrameRange> frames;
};

struct PhysicsOptions {
  CommonOptions common;
  std::string file;
  bool json = false;
  bool si = false;                ///< Metres, kilograms, radians.
  bool fields = false;            ///< Every field of every object, as text.
  std::string dialects = "none";  ///< As parse_dialects() takes them.
};

struct MassOptions {
  CommonOptions common;
  std::string file;
  bool explain = false;
};

struct DrawOptions {
  CommonOptions common;
  std::string file;
  stage::Time time;
  std::string output;
};

struct ConvertOptions {
  CommonOptions common;
  BatchOptions batch;
  OutputOptions output;
  std::optional<std::string> usdc_version;  ///< As written.
  bool pack = false;                        ///< Packages get all files that a layer needs.
};

struct ExportOptions {
  CommonOptions common;
  std::string file;
  std::string output;
  std::optional<FrameRange> frames;
  bool has_step = false;  ///< --frames gives one.
  physics::NestedBodies nested_bodies = physics::NestedBodies::keep;
  exporter::GlbOptions glb;
  ExportEnginesOptions engines;
  bool json = false;
};

/// Whether the options ask for a file of a physics engine; else it is a .glb file or unknown.
bool is_for_engines(const ExportOptions& options);

struct ImportOptions {
  CommonOptions common;
  std::string input;
  std::string output;
  Axis up = Axis::y;
  double meters_per_unit = 1.0;
  double time_codes_per_second = 24.0;
  std::optional<std::uint32_t> scene;
  std::string textures = "extract";
  bool materials = true;
  bool physics = true;
  std::string base = "free";  ///< Of URDF.
  bool visuals = true;        ///< Of robots.
  std::string prim_name;      ///< Of robots.
  bool json = false;          ///< What was imported, as one document.
};

/// Whether a file is one of MJCF or URDF by its name.
bool is_robot_file(const std::string& file);

ExitStatus run_convert(const ConvertOptions& options, Reporter& reporter);
ExitStatus run_export(const ExportOptions& options, Reporter& reporter);
ExitStatus run_diff(const DiffOptions& options, Reporter& reporter);
ExitStatus run_import(const ImportOptions& options, Reporter& reporter);
ExitStatus run_info(const InfoOptions& options, Reporter& reporter);
ExitStatus run_check(const CheckOptions& options, Reporter& reporter);
ExitStatus run_stage(const StageOptions& options, Reporter& reporter);
ExitStatus run_skel(const SkelOptions& options, Reporter& reporter);
ExitStatus run_skin(const SkinOptions& options, Reporter& reporter);
ExitStatus run_physics(const PhysicsOptions& options, Reporter& reporter);
ExitStatus run_mass(const MassOptions& options, Reporter& reporter);
ExitStatus run_draw(const DrawOptions& options, Reporter& reporter);
ExitStatus run_export(const ExportOptions& options, Reporter& reporter);

}  // namespace sinew::tool
