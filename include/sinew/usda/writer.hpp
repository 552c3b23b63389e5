// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sinew/core/diagnostic.hpp"
#include "sinew/core/export.hpp"
#include "sinew/core/result.hpp"
#include "sinew/layer/layer.hpp"

namespace sinew::usda {

/// The layer as .usda text that reads back to an equal layer; the same layer always gives the same
/// bytes. Comments in the original text and the order of metadata are not kept. The version is the
/// lowest that has what the layer says: 1.0, or up to 1.3 for tangent algorithms, array edits and
/// loops of splines with a boundary.
///
/// What text has no form for, which layers of binary files may hold (attributes without a type,
/// values that do not have the type of their field, lists and blocks in dictionaries, names and
/// paths that text does not take), is left out, with a warning `usda-not-representable` each.
SINEW_API std::string write(const layer::Layer& layer, Diagnostics& diagnostics);
/// The same without telling what is left out.
SINEW_API std::string write(const layer::Layer& layer);

/// write() into a file.
/// @return ok, or `io_failed`.
SINEW_API Status write_file(const layer::Layer& layer, const std::string& file,
                            Diagnostics& diagnostics);
/// The same without telling what is left out.
SINEW_API Status write_file(const layer::Layer& layer, const std::string& file);

/// One value as written to the right of '=', e.g. "(0, 1, 2)".
SINEW_API std::string write_value(const layer::Value& value);

/// The shortest text that reads back to the same float or double; "inf", "-inf" and "nan" included.
SINEW_API std::string write_number(float value);
/// The same in double precision.
SINEW_API std::string write_number(double value);

}  // namespace sinew::usda
