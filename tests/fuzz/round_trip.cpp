// SPDX-License-Identifier: Apache-2.0
// What was read and written reads back to the same layer, and writes to the same bytes.
#include <string>

#include "fuzz/target.hpp"
#include "sinew/usda/parser.hpp"
#include "sinew/usda/writer.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sinew;
  usda::ParseOptions options;
  options.rules = fuzz::rules_for(size);
  Diagnostics diagnostics;
  const auto first = usda::parse(fuzz::as_text(data, size), "first.usda", diagnostics, options);
  if (!first) return 0;
  fuzz::require(layer::equal(**first, **first), "a layer equals itself");
  const std::string written = usda::write(**first);
  Diagnostics again;
  const auto second = usda::parse(written, "second.usda", again, options);
  if (!second) {
    std::fprintf(stderr, "%s\n%s\n", second.error().message.c_str(), written.c_str());
    fuzz::require(false, "what was written can be read");
  }
  if (!layer::equal(**first, **second)) std::fprintf(stderr, "%s\n", written.c_str());
  fuzz::require(layer::equal(**first, **second), "what was written reads back to the same layer");
  fuzz::require(usda::write(**second) == written, "the same layer gives the same bytes");
  return 0;
}
