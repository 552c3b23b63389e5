// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "web/open_request.hpp"
#include "web/web_stage.hpp"

namespace sinew::web {

/// What JavaScript holds on to, by number. A number is used once: one that was let go finds nothing
/// afterwards, whatever came later.
///
/// Not thread-safe; a module has one thread.
class HandleTable {
 public:
  /// Keeps a request or a stage. The number, never 0.
  std::uint32_t add(std::unique_ptr<OpenRequest> request);
  std::uint32_t add(std::unique_ptr<WebStage> stage);  ///< The same.

  /// What a number stands for; null if it is something else, or nothing.
  OpenRequest* request(std::uint32_t handle) noexcept;
  WebStage* stage(std::uint32_t handle) noexcept;  ///< The same.

  /// Takes a request out; null if it is none.
  std::unique_ptr<OpenRequest> take_request(std::uint32_t handle) noexcept;
  /// Lets go of whatever a number stands for.
  void remove(std::uint32_t handle) noexcept;

 private:
  struct Entry {
    std::uint32_t handle = 0;
    std::unique_ptr<OpenRequest> request;
    std::unique_ptr<WebStage> stage;
  };
  Entry* find(std::uint32_t handle) noexcept;
  Entry& add_entry();

  std::vector<Entry> entries_;
  std::uint32_t last_ = 0;
};

/// The one table of the module.
HandleTable& handles() noexcept;

}  // namespace sinew::web
