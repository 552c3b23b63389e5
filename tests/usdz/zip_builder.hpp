// SPDX-License-Identifier: Apache-2.0
// Makes archives, with any number in them wrong.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sinew/core/bytes.hpp"
#include "sinew/usdz/package.hpp"

namespace sinew::usdz {

class ZipBuilder {
 public:
  /// What a header says instead of the truth.
  struct Lies {
    std::uint16_t flags = 0;
    std::uint16_t method = 0;
    std::optional<std::uint32_t> crc, size, plain_size, header;
    std::optional<std::uint16_t> name_size, extra_size;
    std::string extra;
    std::string behind;  ///< Bytes behind the data.
    std::string central_name;
    std::optional<std::uint32_t> central_size;
    bool is_listed = true;
    bool is_aligned = true;
  };

  ZipBuilder& add(std::string_view name, std::string_view data) { return add(name, data, Lies()); }
  ZipBuilder& add(std::string_view name, std::string_view data, const Lies& lies) {
    const std::size_t header = text_.size();
    std::string extra = lies.extra;
    if (lies.is_aligned && extra.empty()) {
      extra.assign((64 - (header + 30 + name.size()) % 64) % 64, '\0');
    }
    const std::uint32_t crc = lies.crc.value_or(crc32(std::as_bytes(std::span(data))));
    const auto true_size = static_cast<std::uint32_t>(data.size());
    const auto size = lies.size.value_or(true_size);
    put32(text_, 0x04034B50);
    put16(text_, 10);
    common(text_, lies, crc, size, lies.plain_size.value_or(size));
    put16(text_, lies.name_size.value_or(static_cast<std::uint16_t>(name.size())));
    put16(text_, lies.extra_size.value_or(static_cast<std::uint16_t>(extra.size())));
    text_ += std::string(name) + extra + std::string(data) + lies.behind;
    if (!lies.is_listed) return *this;
    const std::string central = lies.central_name.empty() ? std::string(name) : lies.central_name;
    const std::uint32_t central_size =
        lies.central_size.value_or(lies.flags & 8 ? true_size : size);
    put32(directory_, 0x02014B50);
    put32(directory_, 10 << 16);
    common(directory_, lies, crc, central_size, lies.plain_size.value_or(central_size));
    put16(directory_, static_cast<std::uint16_t>(central.size()));
    directory_.append(12, '\0');
    put32(directory_, lies.header.value_or(static_cast<std::uint32_t>(header)));
    directory_ += central;
    ++count_;
    return *this;
  }

  const std::string& entries() const { return text_; }
  std::string end(std::string_view comment = {}) const {
    std::string result = text_ + directory_;
    put32(result, 0x06054B50);
    put32(result, 0);
    put16(result, count_);
    put16(result, count_);
    put32(result, static_cast<std::uint32_t>(directory_.size()));
    put32(result, static_cast<std::uint32_t>(text_.size()));
    put16(result, static_cast<std::uint16_t>(comment.size()));
    return result + std::string(comment);
  }

 private:
  static void put16(std::string& out, std::uint16_t value) {
    out += static_cast<char>(value & 0xFF);
    out += static_cast<char>(value >> 8);
  }
  static void put32(std::string& out, std::uint32_t value) {
    put16(out, static_cast<std::uint16_t>(value & 0xFFFF));
    put16(out, static_cast<std::uint16_t>(value >> 16));
  }
  static void common(std::string& out, const Lies& lies, std::uint32_t crc, std::uint32_t size,
                     std::uint32_t plain_size) {
    put16(out, lies.flags);
    put16(out, lies.method);
    put32(out, 0x210000);
    put32(out, crc);
    put32(out, size);
    put32(out, plain_size);
  }

  std::string text_;
  std::string directory_;
  std::uint16_t count_ = 0;
};

}  // namespace sinew::usdz
