// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <fstream>
#include <string>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace sinew::test {

/// The most memory that the process held, from here on, as the operating system counts it. Linux
/// only; elsewhere all figures are 0.
class PeakMemory {
 public:
  PeakMemory() {
#if defined(__GLIBC__)
    malloc_trim(0);
#endif
    std::ofstream reset("/proc/self/clear_refs");
    reset << "5" << std::flush;  // The peak is now what is held.
    if (reset) before_ = kilobytes("VmRSS:");
  }

  /// Bytes at the peak, without what was held at first; 0 if the system does not tell.
  double peak() const {
    const double peak = kilobytes("VmHWM:");
    return before_ == 0.0 || peak == 0.0 ? 0.0 : 1024.0 * (peak - before_);
  }

  /// (input + peak) / (input + what is held now), both without what was held at first; 0 if the
  /// system does not tell.
  double peak_to_result(double input_bytes) const {
    const double peak = kilobytes("VmHWM:");
    const double now = kilobytes("VmRSS:");
    if (before_ == 0.0 || peak == 0.0) return 0.0;
    return (input_bytes + 1024.0 * (peak - before_)) / (input_bytes + 1024.0 * (now - before_));
  }

 private:
  static double kilobytes(const std::string& key) {
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;) {
      double value = 0.0;
      if (word == key && status >> value) return value;
    }
    return 0.0;
  }

  double before_ = 0.0;
};

}  // namespace sinew::test
