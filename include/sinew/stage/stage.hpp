// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/core/diagnostic.hpp"
#include "sinew/core/executor.hpp"
#include "sinew/core/export.hpp"
#include "sinew/core/limits.hpp"
#include "sinew/core/result.hpp"
#include "sinew/core/rules.hpp"
#include "sinew/layer/layer.hpp"
#include "sinew/layer/path.hpp"
#include "sinew/stage/asset_resolver.hpp"
#include "sinew/stage/prim.hpp"
#include "sinew/stage/time.hpp"

namespace sinew::stage {

/// Whether payloads are read. What a skipped one would bring is not there; is_loaded() tells.
enum class Payloads : std::uint8_t {
  load,  ///< All of them.
  skip,  ///< None.
};
/// What lies between two samples of types that can be interpolated; others are held.
enum class Interpolation : std::uint8_t {
  linear,  ///< A value between the two; quaternions along the shorter arc.
  held,    ///< The earlier one.
};

/// How a stage is opened.
struct OpenOptions {
  Rules rules = Rules::documented;     ///< See docs/conventions.md for every difference.
  Limits limits;                       ///< Of each layer, and of the stage as a whole.
  Payloads payloads = Payloads::load;  ///< `skip`: all of them.
  /// `held`: the earlier sample, for all types.
  Interpolation interpolation = Interpolation::linear;
  AssetResolver* resolver = nullptr;      ///< Null: a FileResolver. Used only while opening.
  std::string session_layer;              ///< Asset path of a session layer, or empty.
  std::vector<std::string> muted_layers;  ///< Resolved identifiers that are treated as empty.
  /// Variant to use for a set where no opinion selects one: the first that exists.
  std::map<std::string, std::vector<std::string>, std::less<>> variant_fallbacks;
  /// Selections that win over every authored one: prim path -> set -> variant ("" for none).
  std::map<std::string, std::map<std::string, std::string>> variant_selections;
  Executor executor;  ///< For parsing large arrays.
  /// What is written inside a .usdz package leads to nothing outside of it.
  bool closed_packages = false;
};

/// Units and time of a stage, with the fallbacks of USD.
struct Metrics {
  std::string up_axis = "Y";            ///< As authored; "Y" and "Z" are the valid ones.
  double meters_per_unit = 0.01;        ///< (metersPerUnit) Centimetres if not authored.
  double kilograms_per_unit = 1.0;      ///< (kilogramsPerUnit)
  double time_codes_per_second = 24.0;  ///< As written; not positive in broken files.
  double frames_per_second = 24.0;      ///< As written; for playback, values do not depend on it.
  /// In stage time; 0 if not authored. The legacy name `startFrame` counts too.
  double start_time_code = 0.0;
  /// In stage time; 0 if not authored. The legacy name `endFrame` counts too.
  double end_time_code = 0.0;
  bool has_meters_per_unit = false;     ///< Authored, not fallback; likewise below.
  bool has_kilograms_per_unit = false;  ///< Authored.
  bool has_up_axis = false;             ///< Authored.
  bool has_time_code_range = false;     ///< Both start and end are authored.
  std::string default_prim;             ///< As authored; may name no prim.
};

/// A composed scene: what a file and everything it refers to say together.
///
/// Immutable; const functions may run concurrently. Handles (Prim, Attribute, Relationship) are
/// small values that point into the stage: the stage must outlive them.
class SINEW_API Stage {
 public:
  /// Reads and composes a file.
  /// @param diagnostics  Everything that could not be read, found or composed; what can be, is.
  /// @return The stage; or an error if the root layer itself, or the session layer, cannot be read
  ///         (`io_failed`, `not_found`, `syntax`, `limit_exceeded`).
  static Result<std::shared_ptr<const Stage>> open(const std::string& file,
                                                   Diagnostics& diagnostics,
                                                   const OpenOptions& options = {});

  /// Composes a layer that is already in memory. Its relative asset paths are anchored at its
  /// identifier.
  static Result<std::shared_ptr<const Stage>> open(layer::LayerPtr root_layer,
                                                   Diagnostics& diagnostics,
                                                   const OpenOptions& options = {});

  ~Stage();
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;

  /// The nameless prim above all others.
  Prim root() const noexcept;

  /// The prim at an absolute path, instance proxies included; invalid if there is none.
  /// @par Cost  O(depth) hash look-ups.
  Prim prim(std::string_view path) const noexcept;
  /// The same for a path.
  Prim prim(const layer::Path& path) const noexcept { return prim(path.view()); }

  /// The prim that `defaultPrim` names, or an invalid one.
  Prim default_prim() const noexcept;

  /// Read once, when the stage is opened.
  const Metrics& metrics() const noexcept;
  /// Those it was opened with; readers of schemas follow them.
  Rules rules() const noexcept;

  /// A field of the root (or session) layer's metadata, or null.
  const layer::Value* metadata(std::string_view key) const noexcept;

  /// The token for a name, empty if no layer of the stage mentions it. Look names up once and pass
  /// tokens where a loop reads many prims.
  Token find_token(std::string_view text) const noexcept;

  /// Prims of the composed stage, prototypes counted once, the root and instance proxies not.
  std::size_t prim_count() const noexcept;

  /// Every layer that takes part, the root layer first.
  std::span<const layer::LayerPtr> layers() const noexcept;

  struct Impl;

 private:
  friend struct StageAccess;
  explicit Stage(std::unique_ptr<Impl> impl);
  static Result<std::shared_ptr<const Stage>> compose(layer::LayerPtr root_layer,
                                                      Diagnostics& diagnostics,
                                                      const OpenOptions& options,
                                                      AssetResolver& resolver);
  std::unique_ptr<Impl> impl_;
};

using StagePtr = std::shared_ptr<const Stage>;  ///< How stages are held and shared.

/// Reads one layer of any format, a package's first file included; nothing is composed.
/// @return The layer; or an error as Stage::open(), which is reported too.
SINEW_API Result<layer::LayerPtr> read_layer(const std::string& file, Diagnostics& diagnostics,
                                             const OpenOptions& options = {});

}  // namespace sinew::stage
