// SPDX-License-Identifier: Apache-2.0
#include "usdc/output.hpp"

#include <algorithm>

#include "sinew/core/assert.hpp"

namespace sinew::usdc {

void Output::write_out(std::span<const std::byte> bytes) {
  good_ = good_ && std::fwrite(bytes.data(), 1, bytes.size(), file_) == bytes.size();
}

void Output::append(std::span<const std::byte> bytes) {
  size_ += bytes.size();
  while (!bytes.empty()) {
    if (blocks_.empty() || blocks_.back().size() == kBlockBytes) {
      if (file_ != nullptr && !blocks_.empty()) {
        write_out(blocks_.back());
        blocks_.back().clear();
      } else {
        blocks_.emplace_back().reserve(kBlockBytes);
      }
    }
    std::vector<std::byte>& block = blocks_.back();
    const std::span<const std::byte> part =
        bytes.first(std::min(bytes.size(), kBlockBytes - block.size()));
    block.insert(block.end(), part.begin(), part.end());
    bytes = bytes.subspan(part.size());
  }
}

void Output::append_zeros(std::size_t count) {
  static constexpr std::byte kZeros[64] = {};
  for (; count > sizeof kZeros; count -= sizeof kZeros) append(kZeros);
  append(std::span(kZeros).first(count));
}

void Output::finish(std::span<const std::byte> header) {
  SINEW_ASSERT(size_ >= header.size());
  if (file_ == nullptr) {
    std::copy(header.begin(), header.end(), blocks_.front().begin());
    return;
  }
  write_out(blocks_.back());
  good_ = good_ && std::fseek(file_, 0, SEEK_SET) == 0;
  write_out(header);
}

std::vector<std::byte> Output::take() {
  if (blocks_.size() == 1) return std::move(blocks_.front());
  std::vector<std::byte> bytes;
  bytes.reserve(static_cast<std::size_t>(size_));
  for (; !blocks_.empty(); blocks_.pop_front()) {
    bytes.insert(bytes.end(), blocks_.front().begin(), blocks_.front().end());
  }
  return bytes;
}

}  // namespace sinew::usdc
