// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "sinew/core/diagnostic.hpp"
#include "sinew/core/result.hpp"

namespace sinew::usdc {

/// Collects what a file has wrong. A damaged file can have millions of faults: of each kind only
/// the first hundred are reported, then how many more there are.
class Report {
 public:
  Report(std::string file, Diagnostics& diagnostics)
      : file_(std::move(file)), diagnostics_(diagnostics) {}

  /// Counts a fault.
  /// @return Whether it is still to be reported. Ask before making the text.
  bool wants(std::string_view code) {
    ++faults_;
    return counts_[code]++ < kMostOfOneKind;
  }
  /// How many faults were counted, reported or not.
  std::size_t faults() const noexcept { return faults_; }
  /// Reports a fault that was counted.
  void add(Severity severity, std::string_view code, std::string message, std::string path = {});

  /// Reports a fault for which there is no layer, and keeps it as the error. `offset` is where,
  /// kNoOffset if that is no one place.
  /// @return false.
  bool reject(std::string_view code, std::string_view message, std::uint64_t offset,
              ErrorCode error = ErrorCode::syntax);
  const Error& error() const noexcept { return error_; }

  /// Reports how many faults were left out.
  void finish();

  static constexpr std::uint64_t kNoOffset = ~std::uint64_t{0};

 private:
  static constexpr std::size_t kMostOfOneKind = 100;

  std::string file_;
  Diagnostics& diagnostics_;
  std::map<std::string_view, std::size_t> counts_;  // Codes are literals.
  std::size_t faults_ = 0;
  Error error_;
};

}  // namespace sinew::usdc
