// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"

namespace sinew::tool {

ExitStatus run_check(const CheckOptions&, Reporter& reporter) {
  return reporter.usage_error("check: not available yet");
}

}  // namespace sinew::tool
