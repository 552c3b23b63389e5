// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"

namespace sinew::tool {

ExitStatus run_stage(const StageOptions&, Reporter& reporter) {
  return reporter.usage_error("stage: not available yet");
}

}  // namespace sinew::tool
