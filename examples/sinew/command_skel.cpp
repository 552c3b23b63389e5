// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"

namespace sinew::tool {

ExitStatus run_skel(const SkelOptions&, Reporter& reporter) {
  return reporter.usage_error("skel: not available yet");
}

}  // namespace sinew::tool
