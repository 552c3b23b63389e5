// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

// Where this checkout is. In functions of one source, so that a compiler's cache knows all others
// again in the next checkout.
namespace sinew::test {

// Files that the tests read: `tests/data`.
std::string data_folder();

// Files that come with the examples: `examples/data`.
std::string example_data_folder();

}  // namespace sinew::test
