// SPDX-License-Identifier: Apache-2.0
// File names are UTF-8 in the tool as in the library; the standard library reads a plain string in
// the code page of the system, so every path is made and read here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#if defined(__wasi__)
#include <sys/stat.h>
#else
#include <filesystem>
#include <system_error>
#endif

#include "sinew/usdz/package_path.hpp"

namespace sinew::tool {

using usdz::file_of;

/// With its dot and in lower case; empty if there is none, as of names that begin with their only
/// dot.
inline std::string extension_of(const std::string& file) {
#if defined(_WIN32)
  const std::size_t folders = file.find_last_of("/\\:") + 1;  // 0 if there are none.
#else
  const std::size_t folders = file.rfind('/') + 1;
#endif
  const std::size_t dot = file.rfind('.');
  if (dot == std::string::npos || dot <= folders || file.substr(folders) == "..") return {};
  std::string extension = file.substr(dot);
  for (char& c : extension) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return extension;
}

#if defined(__wasi__)

inline bool is_folder(const std::string& name) {
  struct stat status;
  return ::stat(name.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

inline std::string absolute_name(const std::string& name) {
  return name;
}

/// Whether there is something of that name that is neither a file nor a folder, as a pipe.
inline bool is_stream(const std::string& name) {
  struct stat status;
  return ::stat(name.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

/// In bytes; 0 if there is no such file.
inline std::uint64_t size_of_file(const std::string& name) {
  struct stat status;
  return ::stat(name.c_str(), &status) == 0 ? static_cast<std::uint64_t>(status.st_size) : 0;
}

#else

inline std::filesystem::path path_of(const std::string& utf8) {
  return {std::u8string(utf8.begin(), utf8.end())};
}

/// With "/" between folders on every system.
inline std::string utf8_of(const std::filesystem::path& path) {
  const std::u8string utf8 = path.generic_u8string();
  return {utf8.begin(), utf8.end()};
}

/// From the root of the file system on.
inline std::string absolute_name(const std::string& name) {
  std::error_code failed;
  const std::filesystem::path whole = std::filesystem::absolute(path_of(name), failed);
  return failed ? name : utf8_of(whole.lexically_normal());
}

/// Whether there is something of that name that is neither a file nor a folder, as a pipe.
inline bool is_stream(const std::string& name) {
  std::error_code ignored;
  return std::filesystem::is_other(path_of(name), ignored);
}

inline bool is_folder(const std::string& name) {
  std::error_code ignored;
  return std::filesystem::is_directory(path_of(name), ignored);
}

/// In bytes; 0 if there is no such file.
inline std::uint64_t size_of_file(const std::string& name) {
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(path_of(name), error);
  return error ? 0 : size;
}

#endif

}  // namespace sinew::tool
