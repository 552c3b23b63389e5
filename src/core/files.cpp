// SPDX-License-Identifier: Apache-2.0
#include "core/files.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <limits>
#include <vector>

#include "core/unicode.hpp"

#if defined(_WIN32)
#include <fcntl.h>
#include <io.h>
#include <sys/stat.h>
#endif

#if defined(__wasi__)
#include <sys/stat.h>
#else
#include <filesystem>
#endif

namespace sinew {

#if !defined(__wasi__)

namespace {

namespace fs = std::filesystem;

#if defined(_WIN32)

constexpr std::uint32_t kReplacement = 0xFFFD;  // For what is no character.

// The conversions of the standard library fail on what is not valid, and read what is not marked as
// UTF-8 in the code page of the system.
fs::path path_of(std::string_view utf8) {
  std::wstring wide;
  while (!utf8.empty()) {
    const CodePoint read = decode_utf8(utf8);
    const std::uint32_t code = read.size == 0 ? kReplacement : read.value;
    utf8.remove_prefix(std::max<std::size_t>(read.size, 1));
    if (code < 0x10000) {
      wide += static_cast<wchar_t>(code);
    } else {
      wide += static_cast<wchar_t>(0xD7C0 + (code >> 10));
      wide += static_cast<wchar_t>(0xDC00 + (code & 0x3FF));
    }
  }
  return {wide};
}

std::string utf8_of(const fs::path& path) {
  const std::wstring wide = path.generic_wstring();
  std::string utf8;
  const auto add = [&utf8](std::uint32_t bits) { utf8 += static_cast<char>(bits); };
  for (std::size_t i = 0; i < wide.size(); ++i) {
    std::uint32_t code = wide[i];
    if (code >= 0xD800 && code < 0xE000) {
      const std::uint32_t next = i + 1 < wide.size() ? std::uint32_t{wide[i + 1]} : 0;
      const bool is_pair = code < 0xDC00 && next >= 0xDC00 && next < 0xE000;
      code = is_pair ? 0x10000 + ((code - 0xD800) << 10) + (next - 0xDC00) : kReplacement;
      i += is_pair ? 1 : 0;
    }
    if (code < 0x80) {
      add(code);
      continue;
    }
    const int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    add((0xFF00U >> (more + 1) & 0xFF) | code >> (6 * more));
    for (int k = more - 1; k >= 0; --k) add(0x80 | (code >> (6 * k) & 0x3F));
  }
  return utf8;
}

#else

fs::path path_of(std::string_view utf8) {
  return {utf8};
}

std::string utf8_of(const fs::path& path) {
  return path.string();
}

#endif

}  // namespace

#endif

#if defined(_WIN32)

std::FILE* open_file(const std::string& file, const char* mode) noexcept {
  const std::string_view letters = mode;
  return ::_wfopen(path_of(file).c_str(), std::wstring(letters.begin(), letters.end()).c_str());
}

std::FILE* create_file(const std::string& file) noexcept {
  // The mode "x" of fopen() is newer than some of the C libraries of this system.
  const int number = ::_wopen(path_of(file).c_str(), _O_CREAT | _O_EXCL | _O_WRONLY | _O_BINARY,
                              _S_IREAD | _S_IWRITE);
  return number < 0 ? nullptr : ::_fdopen(number, "wb");
}

std::FILE* open_null_file() noexcept {
  return open_file("NUL", "w");
}

#elif defined(SINEW_NO_FILES)

// A host that has none, such as a browser: what would read or write them is left out.

std::FILE* open_file(const std::string&, const char*) noexcept {
  errno = ENOENT;
  return nullptr;
}

std::FILE* create_file(const std::string&) noexcept {
  errno = ENOSYS;
  return nullptr;
}

std::FILE* open_null_file() noexcept {
  return nullptr;
}

FileKind kind_of_file(const std::string&) {
  return FileKind::missing;
}

std::error_code rename_file(const std::string&, const std::string&) {
  return std::make_error_code(std::errc::no_such_file_or_directory);
}

void remove_file(const std::string&) noexcept {}

#else

std::FILE* open_file(const std::string& file, const char* mode) noexcept {
  return std::fopen(file.c_str(), mode);
}

std::FILE* create_file(const std::string& file) noexcept {
  return std::fopen(file.c_str(), "wbx");
}

std::FILE* open_null_file() noexcept {
#if defined(__wasi__)
  // There is no such device. What does not fit is lost, which is what is wanted.
  return ::fmemopen(nullptr, 64, "w");
#else
  return std::fopen("/dev/null", "w");
#endif
}

#endif

std::uint64_t file_size(std::FILE* file) noexcept {
#if defined(_WIN32)
  const bool knows_its_end = ::_fseeki64(file, 0, SEEK_END) == 0;
  const std::int64_t size = knows_its_end ? ::_ftelli64(file) : 0;
#else
  const bool knows_its_end = ::fseeko(file, 0, SEEK_END) == 0;
  const std::int64_t size = knows_its_end ? std::int64_t{::ftello(file)} : 0;
#endif
  if (knows_its_end) std::rewind(file);
  // The largest number is what the C library says of a folder.
  if (size == (std::numeric_limits<std::int64_t>::max)()) return 0;
  return static_cast<std::uint64_t>(std::max<std::int64_t>(0, size));
}

std::string join_names(std::string_view folder, std::string_view file) {
  const bool is_absolute = file.starts_with('/') || (!folder.empty() && folder.front() == '/');
  std::vector<std::string_view> names;
  for (std::string_view part : {file.starts_with('/') ? std::string_view() : folder, file}) {
    while (!part.empty()) {
      const std::size_t slash = std::min(part.find('/'), part.size());
      const std::string_view name = part.substr(0, slash);
      part.remove_prefix(std::min(slash + 1, part.size()));
      if (name.empty() || name == ".") continue;
      if (name != ".." || (names.empty() && !is_absolute) ||
          (!names.empty() && names.back() == "..")) {
        names.push_back(name);
      } else if (!names.empty()) {
        names.pop_back();
      }
    }
  }
  std::string joined = is_absolute ? "/" : "";
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i != 0) joined += '/';
    joined += names[i];
  }
  return joined.empty() ? "." : joined;
}

#if defined(__wasi__)

// Nothing but names and stat() here: there are no links, and no folder that programs are in.

#if !defined(SINEW_NO_FILES)

FileKind kind_of_file(const std::string& file) {
  struct stat status;
  if (::stat(file.c_str(), &status) != 0) return FileKind::missing;
  return S_ISREG(status.st_mode) ? FileKind::regular : FileKind::other;
}

std::error_code rename_file(const std::string& from, const std::string& to) {
  if (std::rename(from.c_str(), to.c_str()) == 0) return {};
  return {errno, std::generic_category()};
}

void remove_file(const std::string& file) noexcept {
  std::remove(file.c_str());
}

#endif

std::string behind_links(const std::string& file) {
  return file;
}

void copy_permissions(const std::string&, const std::string&) {}

bool is_absolute_name(const std::string& file) {
  return file.starts_with('/');
}

std::string folder_of(std::string_view file) {
  const std::size_t slash = file.rfind('/');
  if (slash == std::string_view::npos) return {};
  return std::string(file.substr(0, slash == 0 ? 1 : slash));
}

std::string last_name_of(std::string_view file) {
  return std::string(file.substr(file.rfind('/') + 1));
}

std::string place_in(const std::string& folder, const std::string& file) {
  return folder.empty() || is_absolute_name(file) ? file : folder + '/' + file;
}

std::string one_spelling(const std::string& file) {
  return join_names({}, file);
}

std::string name_from(const std::string&, const std::string& file) {
  return file;
}

bool lies_below(const std::string& file, const std::string& folder) {
  const std::string start = join_names({}, folder);
  const std::string name = join_names({}, file);
  if (start == ".") return !name.starts_with("..") && !name.starts_with('/');
  return name == start || name.starts_with(start.ends_with('/') ? start : start + '/');
}

#else

FileKind kind_of_file(const std::string& file) {
  std::error_code error;
  const fs::file_status status = fs::status(path_of(file), error);
  if (!fs::exists(status)) return FileKind::missing;
  return fs::is_regular_file(status) ? FileKind::regular : FileKind::other;
}

std::string behind_links(const std::string& file) {
  std::error_code error;
  const fs::path path = path_of(file);
  if (!fs::is_symlink(fs::symlink_status(path, error))) return file;
  const fs::path real = fs::weakly_canonical(path, error);
  return error ? file : utf8_of(real);
}

void copy_permissions(const std::string& from, const std::string& to) {
  std::error_code error;
  const fs::file_status status = fs::status(path_of(from), error);
  if (!error) fs::permissions(path_of(to), status.permissions(), error);
}

std::error_code rename_file(const std::string& from, const std::string& to) {
  std::error_code error;
  fs::rename(path_of(from), path_of(to), error);
  return error;
}

void remove_file(const std::string& file) noexcept {
  std::error_code error;
  fs::remove(path_of(file), error);
}

bool is_absolute_name(const std::string& file) {
  return path_of(file).is_absolute();
}

std::string folder_of(std::string_view file) {
  return utf8_of(path_of(file).parent_path());
}

std::string last_name_of(std::string_view file) {
  return utf8_of(path_of(file).filename());
}

std::string place_in(const std::string& folder, const std::string& file) {
  return utf8_of((path_of(folder) / path_of(file)));
}

std::string one_spelling(const std::string& file) {
  std::error_code error;
  const fs::path path = path_of(file);
  const fs::path absolute = fs::absolute(path, error);
  return utf8_of((error ? path : absolute).lexically_normal());
}

std::string name_from(const std::string& folder, const std::string& file) {
  const fs::path start = path_of(one_spelling(folder.empty() ? "." : folder));
  const fs::path relative = path_of(one_spelling(file)).lexically_relative(start);
  return relative.empty() ? file : utf8_of(relative);
}

bool lies_below(const std::string& file, const std::string& folder) {
  std::error_code error;
  const fs::path real = fs::canonical(path_of(file), error);
  if (error) return false;
  const fs::path root = fs::canonical(path_of(folder), error);
  if (error) return false;
  const fs::path relative = real.lexically_relative(root);
  return !relative.empty() && *relative.begin() != "..";
}

#endif

}  // namespace sinew
