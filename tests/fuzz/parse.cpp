// SPDX-License-Identifier: Apache-2.0
// The text parser: a layer, or one error that says where, and the same without vectors.
#include "fuzz/target.hpp"
#include "sinew/usda/parser.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sinew;
  usda::ParseOptions options;
  options.rules = fuzz::rules_for(size);
  options.on_error = size % 4 < 2 ? usda::OnError::reject : usda::OnError::keep_what_was_read;
  Diagnostics diagnostics;
  const auto layer = usda::parse(fuzz::as_text(data, size), "fuzzed.usda", diagnostics, options);
  const std::size_t errors = count(diagnostics, Severity::error);
  if (layer) {
    fuzz::require((*layer)->complete() == (errors == 0), "incomplete layers have an error");
  } else {
    fuzz::require(errors == 1, "a rejected text has one error");
    fuzz::require(layer.error().line != 0 && !layer.error().message.empty(),
                  "the error says what is wrong, and where");
  }
  options.level = SimdLevel::scalar;
  Diagnostics scalar_diagnostics;
  const auto scalar =
      usda::parse(fuzz::as_text(data, size), "fuzzed.usda", scalar_diagnostics, options);
  fuzz::require(
      layer.has_value() == scalar.has_value() && diagnostics.size() == scalar_diagnostics.size(),
      "every level accepts the same texts");
  if (layer) fuzz::require(layer::equal(**layer, **scalar), "every level reads the same layer");
  for (const Diagnostic& diagnostic : diagnostics) {
    fuzz::require(!diagnostic.code.empty(), "every diagnostic has a code");
    fuzz::require(diagnostic.excerpt.size() < 1000, "excerpts are short");
  }
  return 0;
}
