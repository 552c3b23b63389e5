// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace sinew::tool {

/// What the tool was started with, behind its own name, in UTF-8 on every system. On Windows also
/// makes the streams give bytes as they are written, and the terminal take UTF-8.
std::vector<std::string> arguments_of(int argc, char** argv);

}  // namespace sinew::tool
