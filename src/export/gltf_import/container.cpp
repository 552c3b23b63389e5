// SPDX-License-Identifier: Apache-2.0
#include "export/gltf_import/container.hpp"

#include <cstdint>
#include <string>

#include "core/format_text.hpp"
#include "core/unescape.hpp"

namespace sinew::exporter::gltf_import {

namespace {

constexpr std::uint32_t kMagic = 0x46546C67;  // "glTF"
constexpr std::uint32_t kJson = 0x4E4F534A;   // "JSON"
constexpr std::uint32_t kBin = 0x004E4942;    // "BIN\0"

std::uint32_t word_at(const Bytes& bytes, std::size_t offset) {
  std::uint32_t word = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    word |= static_cast<std::uint32_t>(bytes.data()[offset + i]) << (8 * i);
  }
  return word;
}

bool looks_like_json(const Bytes& bytes) {
  std::string_view text = bytes.text();
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text[first] == '{';
}

int base64_digit(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  if (c == '+' || c == '-') return 62;
  if (c == '/' || c == '_') return 63;
  return -1;
}

std::optional<std::string> decode_base64(std::string_view text) {
  while (text.ends_with('=')) text.remove_suffix(1);
  if (text.size() % 4 == 1) return std::nullopt;
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3 + 2);
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    const int digit = base64_digit(c);
    if (digit < 0) return std::nullopt;
    bits = (bits << 6) | static_cast<std::uint32_t>(digit);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes.push_back(static_cast<char>((bits >> count) & 0xFF));
  }
  return bytes;
}

}  // namespace

Result<Container> open_container(const Bytes& bytes, Faults& faults) {
  const auto broken = [&](const std::string& message) {
    return faults.refuse(ErrorCode::corrupt, "", "gltf-container", message);
  };
  if (bytes.size() < 4 || word_at(bytes, 0) != kMagic) {
    if (looks_like_json(bytes)) return Container{bytes, std::nullopt};
    return broken("This is neither a .glb nor the JSON of a .gltf file.");
  }
  if (bytes.size() < 20) return broken("The file ends within its header.");
  if (const std::uint32_t version = word_at(bytes, 4); version != 2) {
    return faults.refuse(ErrorCode::unsupported, "", "gltf-version",
                         format_text("Version {} of the container is not known; 2 is.", version));
  }
  const std::size_t length = word_at(bytes, 8);
  if (length > bytes.size()) {
    return broken(
        format_text("The header promises {} bytes, the file has {}.", length, bytes.size()));
  }
  if (length < bytes.size()) {
    faults.warning("", "gltf-container-length",
                   format_text("The {} bytes after the {} that the header promises are ignored.",
                               bytes.size() - length, length));
  }
  Container result;
  bool has_json = false;
  for (std::size_t at = 12; at < length;) {
    if (length - at < 8) return broken(format_text("The chunk at byte {} ends early.", at));
    const std::size_t size = word_at(bytes, at);
    const std::uint32_t type = word_at(bytes, at + 4);
    if (size > length - at - 8) {
      return broken(format_text("The chunk at byte {} promises {} bytes, {} are left.", at, size,
                                length - at - 8));
    }
    const Bytes chunk = bytes.slice(at + 8, size);
    if (!has_json) {
      if (type != kJson) return broken("The first chunk is not the JSON.");
      result.json = chunk;
      has_json = true;
    } else if (type == kBin && !result.binary) {
      result.binary = chunk;
    }
    at += 8 + size;
  }
  if (!has_json) return broken("The file has no JSON chunk.");
  return result;
}

bool is_data_uri(std::string_view uri) {
  return uri.starts_with("data:");
}

std::optional<DataUri> decode_data_uri(std::string_view uri) {
  constexpr std::string_view kEncoding = ";base64";
  const std::size_t comma = uri.find(',');
  if (!is_data_uri(uri) || comma == std::string_view::npos) return std::nullopt;
  std::string_view head = uri.substr(5, comma - 5);
  if (!head.ends_with(kEncoding)) return std::nullopt;
  head.remove_suffix(kEncoding.size());
  std::optional<std::string> bytes = decode_base64(uri.substr(comma + 1));
  if (!bytes) return std::nullopt;
  return DataUri{Bytes(*std::move(bytes)), head.substr(0, head.find(';'))};
}

std::string path_of_uri(std::string_view uri) {
  std::string path;
  for (std::size_t i = 0; i < uri.size(); ++i) {
    if (uri[i] == '%' && i + 2 < uri.size()) {
      const int high = hex_digit(uri[i + 1]);
      const int low = hex_digit(uri[i + 2]);
      if (high >= 0 && low >= 0 && high + low > 0) {
        path.push_back(static_cast<char>(high * 16 + low));
        i += 2;
        continue;
      }
    }
    path.push_back(uri[i]);
  }
  return path;
}

}  // namespace sinew::exporter::gltf_import
