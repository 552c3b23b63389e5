// SPDX-License-Identifier: Apache-2.0
#include "web/handle_table.hpp"

#include <algorithm>

namespace sinew::web {

HandleTable::Entry* HandleTable::find(std::uint32_t handle) noexcept {
  for (Entry& entry : entries_) {
    if (entry.handle == handle) return &entry;
  }
  return nullptr;
}

HandleTable::Entry& HandleTable::add_entry() {
  Entry& entry = entries_.emplace_back();
  entry.handle = ++last_;
  return entry;
}

std::uint32_t HandleTable::add(std::unique_ptr<OpenRequest> request) {
  Entry& entry = add_entry();
  entry.request = std::move(request);
  return entry.handle;
}

std::uint32_t HandleTable::add(std::unique_ptr<WebStage> stage) {
  Entry& entry = add_entry();
  entry.stage = std::move(stage);
  return entry.handle;
}

OpenRequest* HandleTable::request(std::uint32_t handle) noexcept {
  Entry* const entry = find(handle);
  return entry == nullptr ? nullptr : entry->request.get();
}

WebStage* HandleTable::stage(std::uint32_t handle) noexcept {
  Entry* const entry = find(handle);
  return entry == nullptr ? nullptr : entry->stage.get();
}

std::unique_ptr<OpenRequest> HandleTable::take_request(std::uint32_t handle) noexcept {
  Entry* const entry = find(handle);
  if (entry == nullptr || entry->request == nullptr) return nullptr;
  std::unique_ptr<OpenRequest> request = std::move(entry->request);
  remove(handle);
  return request;
}

void HandleTable::remove(std::uint32_t handle) noexcept {
  std::erase_if(entries_, [handle](const Entry& entry) { return entry.handle == handle; });
}

HandleTable& handles() noexcept {
  static HandleTable table;
  return table;
}

}  // namespace sinew::web
