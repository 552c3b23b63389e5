// SPDX-License-Identifier: Apache-2.0
// What Ctrl-C does while files are being written.
#pragma once

namespace sinew::tool {

/// From here on Ctrl-C (SIGINT) and SIGTERM end the tool at once, except while a WriteScope is
/// alive: then as soon as the last one ends. So neither half a file nor a temporary one is left.
void end_cleanly_when_interrupted();

/// Lasts while one file is written and moved to its place. Any number of threads may hold one.
class WriteScope {
 public:
  WriteScope();
  ~WriteScope();
  WriteScope(const WriteScope&) = delete;
  WriteScope& operator=(const WriteScope&) = delete;
};

}  // namespace sinew::tool
