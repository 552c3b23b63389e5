// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sinew/core/diagnostic.hpp"
#include "sinew/core/export.hpp"
#include "sinew/core/result.hpp"
#include "sinew/stage/stage.hpp"
#include "sinew/usdc/version.hpp"
#include "sinew/usdz/writer.hpp"

namespace sinew::stage {

/// What pack() makes of a layer.
struct PackOptions {
  /// Rules, limits and the resolver, as for a stage. What `Limits::layers` and `file_bytes` forbid
  /// is not packed.
  OpenOptions open;
  /// What the layer is called in the package, "model.usdc". Everything else gets a name below the
  /// folder of this one.
  std::string name;
  /// The layer is written anew, as a binary layer of this version or a higher one; else it keeps
  /// its format.
  std::optional<usdc::Version> binary = {};
  /// The layer, as read_layer() gives it for the same file, if it has been read: it is not read
  /// again, and what was told of it and its package is not told again.
  layer::LayerPtr layer = nullptr;
};

/// A layer and every file it needs, for usdz::write(): sublayers, what references and payloads
/// name, and assets in values, samples, metadata and array edits, of this layer and of all that are
/// found so. Of a path with `<UDIM>`, the tiles 1001 to 1999 that exist; of a template of value
/// clips, the files that exist at its times. Of a variable expression, what it gives by the
/// variables of the layer, which win over those of the others.
///
/// Files below the folder of the layer keep their places, others get folders with numbers, "0/",
/// "1/", one for each they come from. Paths in the packed layers become "./" paths that lead there
/// from the layer that holds them; nothing else changes, and layers without other paths are packed
/// byte for byte. What lies in another package is packed with that package, as it is. A layer that
/// is itself in a package is packed with what it needs of that package, file by file.
///
/// What is not packed (paths that lead nowhere, expressions of variables that the layer does not
/// have, templates whose times another opinion states) is told, as a warning `usdz-not-packed`
/// each, and keeps its path. Nothing is packed of what only packages within refer to.
///
/// @param file  As for Stage::open().
/// @return The files, the layer first, then further layers and then other files, each in the order
///         in which they are found; or an error as Stage::open() if the layer cannot be read, or as
///         usdc::write().
/// @par Cost  Each layer is read and may be written once; other files are mapped.
SINEW_API Result<std::vector<usdz::File>> pack(const std::string& file, Diagnostics& diagnostics,
                                               const PackOptions& options);

}  // namespace sinew::stage
