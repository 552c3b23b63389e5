// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "sinew/core/export.hpp"

namespace sinew::usdz {

// The address of a file in a package: "set.usdz[house/Table.usd]", and of one in a package in a
// package: "set.usdz[areas/shire.usdz[house/Table.usd]]". A bracket that belongs to the name of a
// file is written with a backslash in front.

/// Whether `path` has this form: it ends in a bracket that has its partner.
SINEW_API bool is_package_path(std::string_view path) noexcept;

/// The outermost package and what is in it: "a[b[c]]" gives "a" and "b[c]". Anything else gives
/// itself and nothing.
SINEW_API std::pair<std::string, std::string> split_outer(std::string_view path);

/// The file and the package it is in: "a[b[c]]" gives "a[b]" and "c". Anything else gives itself
/// and nothing.
SINEW_API std::pair<std::string, std::string> split_inner(std::string_view path);

/// The file that holds what is at an address: "a[b[c]]" gives "a", and so does "a" itself.
SINEW_API std::string file_of(std::string_view path);

/// The address of `inner` in `package`: "a[b]" and "c" give "a[b[c]]". An empty part gives the
/// other one.
SINEW_API std::string join(std::string_view package, std::string_view inner);

/// Whether the name ends in ".usdz", in any case of letters.
SINEW_API bool is_package_name(std::string_view name) noexcept;

}  // namespace sinew::usdz
