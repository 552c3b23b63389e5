// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"

namespace sinew::tool {

ExitStatus run_mass(const MassOptions&, Reporter& reporter) {
  return reporter.usage_error("mass: not available yet");
}

}  // namespace sinew::tool
