// SPDX-License-Identifier: Apache-2.0
#include "usdc/report.hpp"

#include <utility>

#include "core/format_text.hpp"
#include "core/report.hpp"

namespace sinew::usdc {

void Report::add(Severity severity, std::string_view code, std::string message, std::string path) {
  Diagnostic diagnostic;
  diagnostic.severity = severity;
  diagnostic.code = code;
  diagnostic.message = sentence(std::move(message));
  diagnostic.file = file_;
  diagnostic.path = std::move(path);
  diagnostics_.push_back(std::move(diagnostic));
}

bool Report::reject(std::string_view code, std::string_view message, std::uint64_t offset,
                    ErrorCode error) {
  error_ = {error, offset == kNoOffset ? format_text("{}.", message)
                                       : format_text("{} (at byte {}).", message, offset)};
  add(Severity::error, code, error_.message);
  return false;
}

void Report::finish() {
  for (const auto& [code, count] : counts_) {
    if (count <= kMostOfOneKind) continue;
    add(Severity::warning, code,
        format_text("{} more of this kind are not listed", count - kMostOfOneKind));
  }
  counts_.clear();
}

}  // namespace sinew::usdc
