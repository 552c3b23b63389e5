// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "usda/model.hpp"

namespace sinew::usda {

// Rules of the grammar that whoever reads text and whoever writes it must agree on.

/// Whether a path without selections is that of a prim or of a property, perhaps of a target
/// ("/A.b[/C].d"): not of the target itself, of a mapper or of an expression. Targets inside are
/// absolute.
bool is_prim_or_property(std::string_view path) noexcept;

/// Whether a variant can be selected by that text: a variant name or an expression, which is not
/// empty.
bool is_selected_variant(std::string_view name) noexcept;

/// Whether the text can be an asset path: UTF-8 without control characters, also those of two
/// bytes.
bool is_asset_path(std::string_view text) noexcept;

/// Whether the text can stand for the type before the name of a prim.
bool is_prim_type(std::string_view text) noexcept;

/// Whether the text can stand for the type of an attribute, known or not.
bool is_attribute_type(std::string_view text) noexcept;

/// Whether attributes of that type can have splines.
bool can_have_spline(const ValueType& type) noexcept;

/// Whether a number is still finite in the type of a spline.
bool is_finite_as(ElementType type, double value) noexcept;

/// Whether it is how often the inner loop of a spline can repeat, a whole number.
bool is_loop_count(double count) noexcept;

}  // namespace sinew::usda
