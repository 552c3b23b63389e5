// SPDX-License-Identifier: Apache-2.0
// sinew diff: what one layer says otherwise than another, whatever their encodings.

#include <cstdio>

#include "commands.hpp"
#include "layer_difference.hpp"

namespace sinew::tool {

namespace {

constexpr std::size_t kMostShown = 100;

Json to_json(const LayerDifference& difference) {
  Json list = Json::array();
  for (const Difference& d : difference.differences()) {
    list.push_back(Json{{"path", d.path}, {"field", d.field}, {"a", d.a}, {"b", d.b}});
  }
  return Json{{"equal", difference.differences().empty()}, {"differences", std::move(list)}};
}

void print(const Difference& d) {
  if (d.field.empty()) {
    std::printf("<%s>: only in %s\n", d.path.c_str(), d.a == "-" ? "B" : "A");
  } else {
    std::printf("<%s> %s: %s | %s\n", d.path.c_str(), d.field.c_str(), d.a.c_str(), d.b.c_str());
  }
}

}  // namespace

ExitStatus run_diff(const DiffOptions& options, Reporter& reporter) {
  Diagnostics diagnostics;
  const auto a = read_layer(options.a, options.common, diagnostics);
  const auto b = read_layer(options.b, options.common, diagnostics);
  reporter.report(diagnostics);
  // 1 means that they differ, so what cannot be read is no file error here.
  if (!a) return reporter.usage_error(options.a + ": " + a.error().message);
  if (!b) return reporter.usage_error(options.b + ": " + b.error().message);
  const LayerDifference difference(**a, **b);
  if (options.json) {
    print_json(to_json(difference));
  } else {
    std::size_t shown = 0;
    for (const Difference& d : difference.differences()) {
      if (!options.all && shown++ == kMostShown) {
        std::printf("... and %zu more (--all shows them)\n",
                    difference.differences().size() - kMostShown);
        break;
      }
      print(d);
    }
  }
  return difference.differences().empty() ? ExitStatus::success : ExitStatus::file_error;
}

}  // namespace sinew::tool
