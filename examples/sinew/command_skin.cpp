// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"

namespace sinew::tool {

ExitStatus run_skin(const SkinOptions&, Reporter& reporter) {
  return reporter.usage_error("skin: not available yet");
}

}  // namespace sinew::tool
