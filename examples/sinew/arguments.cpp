// SPDX-License-Identifier: Apache-2.0
#include "arguments.hpp"

#include <algorithm>

#if defined(_WIN32)
#include <cstdio>
#include <filesystem>

#include "paths.hpp"

#define WIN32_LEAN_AND_MEAN
#if !defined(NOMINMAX)
#define NOMINMAX
#endif
#include <windows.h>

// Behind what it needs.
#include <fcntl.h>
#include <io.h>
#include <shellapi.h>
#endif

namespace sinew::tool {

#if defined(_WIN32)

std::vector<std::string> arguments_of(int, char**) {
  ::SetConsoleOutputCP(CP_UTF8);
  ::_setmode(::_fileno(stdout), _O_BINARY);
  ::_setmode(::_fileno(stderr), _O_BINARY);
  std::vector<std::string> words;
  int count = 0;
  wchar_t** const given = ::CommandLineToArgvW(::GetCommandLineW(), &count);
  for (int i = 1; given != nullptr && i < count; ++i) {
    const std::u8string word = std::filesystem::path(given[i]).u8string();
    words.emplace_back(word.begin(), word.end());
  }
  ::LocalFree(given);
  return words;
}

#else

std::vector<std::string> arguments_of(int argc, char** argv) {
  return {argv + std::min(argc, 1), argv + argc};
}

#endif

}  // namespace sinew::tool
