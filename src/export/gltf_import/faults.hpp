// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "core/report.hpp"
#include "export/shared/budget.hpp"
#include "sinew/core/diagnostic.hpp"
#include "sinew/core/result.hpp"

namespace sinew::exporter::gltf_import {

/// Reports what is wrong with a file, each with the JSON pointer of the place.
class Faults {
 public:
  Faults(Diagnostics& diagnostics, std::string file)
      : diagnostics_(&diagnostics), file_(std::move(file)) {}

  void error(std::string_view pointer, std::string_view code, std::string message) {
    add(Severity::error, pointer, code, std::move(message));
  }
  void warning(std::string_view pointer, std::string_view code, std::string message) {
    add(Severity::warning, pointer, code, std::move(message));
  }
  void info(std::string_view pointer, std::string_view code, std::string message) {
    add(Severity::info, pointer, code, std::move(message));
  }
  /// An error for which the whole file is refused.
  Error refuse(ErrorCode error_code, std::string_view pointer, std::string_view code,
               const std::string& message) {
    error(pointer, code, message);
    return {error_code, pointer.empty() ? message : std::string(pointer) + ": " + message};
  }

 private:
  // What many things refer to is told once for each place.
  void add(Severity severity, std::string_view pointer, std::string_view code,
           std::string message) {
    if (!told_.emplace(pointer, code).second) return;
    report(diagnostics_, severity, code, {.file = file_, .path = pointer}, std::move(message));
  }

  Diagnostics* diagnostics_;
  std::string file_;
  std::set<std::pair<std::string, std::string>> told_;
};

}  // namespace sinew::exporter::gltf_import
