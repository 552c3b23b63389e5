// SPDX-License-Identifier: Apache-2.0
#include "support/folders.hpp"

namespace sinew::test {

std::string data_folder() {
  return SINEW_SOURCE_FOLDER "/tests/data";
}

std::string example_data_folder() {
  return SINEW_SOURCE_FOLDER "/examples/data";
}

}  // namespace sinew::test
