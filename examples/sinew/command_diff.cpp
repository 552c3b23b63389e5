// SPDX-License-Identifier: Apache-2.0
// sinew diff: where two layers differ, whatever their encodings.

#include <fmt/format.h>

#include <cstdio>
#include <limits>

#include "commands.hpp"
#include "sinew/core/one_line.hpp"
#include "sinew/layer/compare.hpp"
#include "sinew/usda/writer.hpp"

namespace sinew::tool {

namespace {

constexpr std::size_t kMostShown = 100;

Json differences_to_json(const std::vector<layer::Difference>& differences) {
  Json list = Json::array();
  for (const layer::Difference& d : differences) {
    list.push_back(Json{{"path", d.path}, {"field", d.field}, {"a", d.a}, {"b", d.b}});
  }
  return list;
}

void print(const layer::Difference& d) {
  const std::string line = d.field.empty()
                               ? fmt::format("<{}>: only in {}", d.path, d.a == "-" ? "B" : "A")
                               : fmt::format("<{}> {}: {} | {}", d.path, d.field, d.a, d.b);
  std::printf("%s\n", one_line(line).c_str());
}

// 1 means that they differ, so what cannot be read gets another status.
ExitStatus unreadable(const std::string& file, const Error& error, const Diagnostics& diagnostics,
                      Reporter& reporter) {
  (void)reporter.open_failed(file, error, diagnostics);
  return ExitStatus::usage;
}

}  // namespace

ExitStatus run_diff(const DiffOptions& options, Reporter& reporter) {
  Diagnostics diagnostics;
  const auto a = read_layer(options.a, options.common, diagnostics);
  if (!a) return unreadable(options.a, a.error(), diagnostics, reporter);
  const auto b = read_layer(options.b, options.common, diagnostics);
  if (!b) return unreadable(options.b, b.error(), diagnostics, reporter);
  reporter.report(diagnostics, options.a);
  const std::size_t most = options.all ? std::numeric_limits<std::size_t>::max() : kMostShown + 1;
  std::vector<layer::Difference> found =
      layer::differences(**a, **b, {.most = most, .spell_value = usda::write_value});
  const bool more = !options.all && found.size() > kMostShown;
  if (more) found.pop_back();
  if (options.json) {
    print_json(Json{
        {"equal", found.empty()}, {"more", more}, {"differences", differences_to_json(found)}});
  } else {
    for (const layer::Difference& d : found) print(d);
    if (more) std::fprintf(stderr, "... and more (--all shows them)\n");
  }
  return found.empty() ? ExitStatus::success : ExitStatus::file_error;
}

}  // namespace sinew::tool
