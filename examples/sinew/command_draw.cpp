// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"

namespace sinew::tool {

ExitStatus run_draw(const DrawOptions&, Reporter& reporter) {
  return reporter.usage_error("draw: not available yet");
}

}  // namespace sinew::tool
