// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sinew/core/export.hpp"
#include "sinew/core/result.hpp"
#include "sinew/layer/layer.hpp"

namespace sinew::usda {

/// The layer as .usda text that reads back to an equal layer; the same layer always gives the same
/// bytes. Comments in the original text and the order of metadata are not kept.
SINEW_API std::string write(const layer::Layer& layer);

/// write() into a file.
/// @return ok, or `io_failed`.
SINEW_API Status write_file(const layer::Layer& layer, const std::string& file);

/// One value as written to the right of '=', e.g. "(0, 1, 2)".
SINEW_API std::string write_value(const layer::Value& value);

/// The shortest text that reads back to the same float or double; "inf", "-inf" and "nan" included.
SINEW_API std::string write_number(float value);
/// The same in double precision.
SINEW_API std::string write_number(double value);

}  // namespace sinew::usda
