// SPDX-License-Identifier: Apache-2.0
// How every subcommand opens its files.
#pragma once

#include <string>

#include "sinew/core/diagnostic.hpp"
#include "sinew/core/limits.hpp"
#include "sinew/core/result.hpp"
#include "sinew/core/rules.hpp"
#include "sinew/layer/layer.hpp"
#include "sinew/stage/stage.hpp"

namespace sinew::tool {

struct CommonOptions {
  Rules rules = Rules::documented;
  bool quiet = false;   ///< No warnings.
  bool trust = false;   ///< No limits, for files that are known.
  bool closed = false;  ///< Nothing that is written in a package leads out of it.
};

/// What files may ask for. Of files that are not trusted, compressed data may not take more memory
/// than any real file needs. Trusted ones are limited in nothing but nesting, which takes stack.
Limits limits_of(const CommonOptions& common);

/// How a stage is opened for these options.
stage::OpenOptions open_options(const CommonOptions& common);

/// Opens a stage by the rules that were asked for.
Result<stage::StagePtr> open_stage(const std::string& file, const CommonOptions& common,
                                   Diagnostics& diagnostics);

/// Adds the file and line of their prims to diagnostics that have none: those of functions that
/// know no stage but only a model of it, as body_masses().
void add_places(Diagnostics& diagnostics, const stage::Stage& stage);

/// Reads one layer of any format by the rules that were asked for.
Result<layer::LayerPtr> read_layer(const std::string& file, const CommonOptions& common,
                                   Diagnostics& diagnostics);

}  // namespace sinew::tool
