// SPDX-License-Identifier: Apache-2.0
// Many files at once.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "output.hpp"

namespace sinew::tool {

/// The layers and packages that `names` stand for: files as they are given; of folders every .usd,
/// .usda, .usdc and .usdz file below, in the order of their names. Hidden ones are left out.
std::vector<std::string> find_files(const std::vector<std::string>& names);

/// Does `work(i)` for every i below `count`, on all cores, and hands over to `finish(i)` on the
/// calling thread in ascending order, each as soon as all before it are done. Shows progress. So
/// what is printed does not depend on which file was ready first.
void for_each_file(std::size_t count, std::string_view label, const Reporter& reporter,
                   const std::function<void(std::size_t)>& work,
                   const std::function<void(std::size_t)>& finish);

}  // namespace sinew::tool
