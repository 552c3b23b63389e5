// SPDX-License-Identifier: Apache-2.0
// The reader of binary files. An input is a whole file if it begins like one. Anything else is made
// part of one that is sound: the values of a few attributes and fields, which a fuzzer could hardly
// reach through compressed tables.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>

#include "fuzz/target.hpp"
#include "sinew/layer/compare.hpp"
#include "sinew/usda/parser.hpp"
#include "sinew/usda/writer.hpp"
#include "sinew/usdc/reader.hpp"
#include "usdc/crate_builder.hpp"
#include "usdc/use_values.hpp"

namespace {

using namespace sinew;
using usdc::test::CrateBuilder;
using usdc::test::kInline;
using usdc::test::rep;

// The first byte chooses the version, the next words are values, the rest is what they point to.
std::string file_around(std::string_view input) {
  constexpr std::size_t kWords = 4;
  constexpr const char* kNames[] = {"default", "timeSamples", "spline", "connectionPaths"};
  constexpr unsigned kMinors[] = {0, 4, 5, 6, 7, 8, 14, 15};
  CrateBuilder crate(kMinors[input.empty() ? 0 : static_cast<unsigned char>(input[0]) % 8], 1);
  for (const char* text : {"string", "x", "look", "red"}) crate.string(text);
  std::uint64_t words[kWords] = {};
  if (!input.empty()) input.remove_prefix(1);
  for (std::uint64_t& word : words) {
    const std::size_t size = std::min(sizeof word, input.size());
    if (size != 0) std::memcpy(&word, input.data(), size);  // Empty views may be null.
    input.remove_prefix(size);
    // Types of today, and offsets near the values.
    word = (word & ~(0xFFULL << 48)) | ((word >> 48) % 62) << 48;
    if ((word & (1ULL << 62)) == 0) word = (word & ~0xFFFFFFFFFFFFULL) | (88 + word % 512);
  }
  crate.put(input);
  const std::uint32_t a = crate.path(0, "A");
  const std::uint32_t x = crate.path(a, "x", true);
  crate.spec(0, 7, {{"primChildren", crate.token_vector({"A"})}, {"customLayerData", words[0]}});
  crate.spec(a, 6,
             {{"specifier", rep(42, 0, kInline)},
              {"properties", crate.token_vector({"x"})},
              {"references", words[1]},
              {"payload", words[2]},
              {"apiSchemas", words[3]},
              {"variantSelection", words[0]},
              {"inheritPaths", words[2]}});
  CrateBuilder::Fields fields = {{"typeName", crate.token_value("double[]")}};
  for (std::size_t i = 0; i < kWords; ++i) fields.emplace_back(kNames[i], words[i]);
  crate.spec(x, 1, fields);
  return crate.build();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input = fuzz::as_text(data, size);
  const Bytes bytes(input.starts_with("PXR-USDC") ? std::string(input) : file_around(input));
  usdc::ReadOptions options;
  options.rules = fuzz::rules_for(size);
  options.limits = fuzz::small_limits();
  options.limits.decoded_bytes = 8 << 20;
  options.limits.value_items = 100'000;
  options.on_error = static_cast<usdc::OnError>(size / 2 % 3);
  options.unpack = usdc::Unpack::at_once;
  Diagnostics diagnostics;
  const auto at_once = usdc::read(bytes, "fuzzed.usdc", diagnostics, options);
  fuzz::require(at_once.has_value() || count(diagnostics, Severity::error) != 0,
                "a rejected file has an error");
  options.unpack = usdc::Unpack::when_used;
  Diagnostics later;
  const auto when_used = usdc::read(bytes, "fuzzed.usdc", later, options);
  if (!when_used) {
    fuzz::require(!at_once.has_value(), "what is read at once can be read when used");
    return 0;
  }
  usdc::test::use((*when_used)->root());
  if (at_once && (*when_used)->damaged_values() == 0) {
    fuzz::require(layer::differences(**at_once, **when_used).empty(),
                  "values are the same whenever they are unpacked");
  }
  // Whatever it holds, there is text of it.
  const std::string text = usda::write(**when_used);
  Diagnostics parsed;
  if (const auto again = usda::parse(text, "written.usda", parsed); !again) {
    std::fprintf(stderr, "%s\n%s\n", again.error().message.c_str(), text.c_str());
    fuzz::require(false, "what was written can be read");
  }
  Diagnostics described;
  (void)usdc::describe(bytes, "fuzzed.usdc", described, options.limits);
  return 0;
}
