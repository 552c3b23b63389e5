// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <limits>
#include <utility>

#include "commands.hpp"
#include "read_layer.hpp"
#include "sinew/layer/compare.hpp"

namespace sinew::tool {

namespace {

constexpr std::size_t kListed = 100;

void print_line(const layer::Difference& difference) {
  if (difference.field.empty()) {
    std::printf("<%s>: only in %s\n", difference.path.c_str(), difference.a == "-" ? "B" : "A");
    return;
  }
  std::printf("<%s> %s: %s | %s\n", difference.path.c_str(), difference.field.c_str(),
              difference.a.c_str(), difference.b.c_str());
}

}  // namespace

ExitStatus run_diff(const DiffOptions& options, Reporter& reporter) {
  Diagnostics diagnostics;
  const auto a = read_layer(options.a, options.common, diagnostics);
  const auto b = read_layer(options.b, options.common, diagnostics);
  reporter.report(diagnostics);
  if (!a || !b) return ExitStatus::usage;
  const auto found =
      layer::differences(**a, **b, options.all ? std::numeric_limits<std::size_t>::max() : kListed);
  if (options.json) {
    Json list = Json::array();
    for (const layer::Difference& difference : found) {
      list.push_back(Json{{"path", difference.path},
                          {"field", difference.field},
                          {"a", difference.a},
                          {"b", difference.b}});
    }
    print_json(Json{{"equal", found.empty()}, {"differences", std::move(list)}});
  } else {
    for (const layer::Difference& difference : found) print_line(difference);
  }
  return found.empty() ? ExitStatus::success : ExitStatus::file_error;
}

}  // namespace sinew::tool
