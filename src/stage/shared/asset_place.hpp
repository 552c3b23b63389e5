// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sinew::stage {

/// Whether an asset path says where it is without a layer to start from: "/a", "C:\a", "x://a".
bool leads_out(std::string_view asset_path) noexcept;

/// The name of an entry of a package as seen from a folder of it: without "." and "..", separated
/// by single slashes. None if it climbs out of the package.
std::optional<std::string> entry_name(std::string_view folder, std::string_view path);

/// The folder of a package's entry, without the slash at the end; empty if it is in none.
std::string_view folder_of_entry(std::string_view name) noexcept;

/// Where `asset_path`, written in `layer`, is looked for first: beside that layer, in a package if
/// that is where the layer is. By the texts alone.
std::string asset_place(std::string_view asset_path, std::string_view layer);

}  // namespace sinew::stage
