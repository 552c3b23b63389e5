// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"

namespace sinew::tool {

ExitStatus run_info(const InfoOptions&, Reporter& reporter) {
  return reporter.usage_error("info: not available yet");
}

}  // namespace sinew::tool
