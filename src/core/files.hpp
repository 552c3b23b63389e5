// SPDX-License-Identifier: Apache-2.0
#pragma once

// All that the library asks of the operating system about files. Names are UTF-8 on every system,
// with "/" between folders; nothing else in src opens a file or knows paths, and a test looks.

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <system_error>

namespace sinew {

/// As the C library opens files, by a name in UTF-8. Sets errno.
std::FILE* open_file(const std::string& file, const char* mode) noexcept;

/// Opens a new file to write to; fails with errno EEXIST if there is one of that name.
std::FILE* create_file(const std::string& file) noexcept;

/// A stream that takes what is written to it and keeps nothing; null if the system has none.
std::FILE* open_null_file() noexcept;

/// How many bytes a file just opened has, in 64 bits everywhere; 0 if it does not know (a pipe, a
/// folder).
std::uint64_t file_size(std::FILE* file) noexcept;

enum class FileKind : std::uint8_t {
  missing,
  regular,
  other,  ///< A folder, a pipe, a device.
};

/// What is there, after links are followed.
FileKind kind_of_file(const std::string& file);

/// Where a symbolic link leads in the end; the file itself if it is none, or that is unknown.
std::string behind_links(const std::string& file);

/// Gives `to` the permissions of `from`, as far as the system lets it.
void copy_permissions(const std::string& from, const std::string& to);

/// Moves a file, replacing what is at `to` in one step.
std::error_code rename_file(const std::string& from, const std::string& to);

void remove_file(const std::string& file) noexcept;

/// Whether a name says where it is without a folder to start from: "/a", on Windows "C:/a" and
/// "//server/a", there with "\" for "/" too.
bool is_absolute_name(const std::string& file);

/// The part before the last separator, without it; empty if there is none.
std::string folder_of(std::string_view file);

/// The part after the last separator.
std::string last_name_of(std::string_view file);

/// `file` as seen from `folder`: itself if it is absolute.
std::string place_in(const std::string& folder, const std::string& file);

/// One spelling for one file: absolute, without "." and "..", with "/" as the separator. Links are
/// not followed.
std::string one_spelling(const std::string& file);

/// How a file is named in a folder, the working one if empty: relative, with ".." where need be.
/// The file as it is if there is no such name. Links are not followed.
std::string name_from(const std::string& folder, const std::string& file);

/// Whether a file lies below a folder, both after links are followed. False if either is missing.
bool lies_below(const std::string& file, const std::string& folder);

/// `file` as seen from `folder`, both names of no file system in particular: text alone decides,
/// the same on every machine. Without "." and "..", except that ".." may climb above the start.
std::string join_names(std::string_view folder, std::string_view file);

}  // namespace sinew
