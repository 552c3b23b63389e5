// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"

namespace sinew::tool {

ExitStatus run_physics(const PhysicsOptions&, Reporter& reporter) {
  return reporter.usage_error("physics: not available yet");
}

}  // namespace sinew::tool
