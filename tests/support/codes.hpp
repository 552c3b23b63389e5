// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sinew/core/diagnostic.hpp"

namespace sinew::test {

/// Code and path of every diagnostic, in order: "geom-shape-value /A.radius;".
inline std::string codes_of(const Diagnostics& diagnostics) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics) {
    text += diagnostic.code + " " + diagnostic.path + ";";
  }
  return text;
}

}  // namespace sinew::test
