# SPDX-License-Identifier: Apache-2.0
# Names of files are UTF-8 everywhere, and files may be larger than 2 GiB on every system, which
# holds only if one place opens them: src/core/files.cpp for the library, and for the tool what
# makes paths of names stands in paths.hpp.
# Usage: cmake -DROOT=<project folder> -P files_in_one_place.cmake
cmake_minimum_required(VERSION 3.22)
set(wrong "")
file(GLOB_RECURSE files RELATIVE "${ROOT}" "${ROOT}/src/*.hpp" "${ROOT}/src/*.cpp"
     "${ROOT}/include/*.hpp")
list(LENGTH files count)
if(count LESS 100 OR NOT "src/core/files.cpp" IN_LIST files)
  message(FATAL_ERROR "'${ROOT}' is not the project's folder")
endif()
list(REMOVE_ITEM files src/core/files.cpp)
foreach(file IN LISTS files)
  file(STRINGS "${ROOT}/${file}" lines
       REGEX "<filesystem>|std::filesystem|<[io]?fstream>|<iostream>|[io]fstream|[^_a-z]fopen *\\(|ftello? *\\(")
  foreach(line IN LISTS lines)
    list(APPEND wrong "${file}: ${line}")
  endforeach()
endforeach()
file(GLOB files RELATIVE "${ROOT}" "${ROOT}/examples/sinew/*.?pp")
list(REMOVE_ITEM files examples/sinew/paths.hpp)
foreach(file IN LISTS files)
  file(STRINGS "${ROOT}/${file}" lines REGEX "fs::path\\([^)]|\\.(generic_)?string\\(\\)|[^_a-z]fopen *\\(")
  foreach(line IN LISTS lines)
    list(APPEND wrong "${file}: ${line}")
  endforeach()
endforeach()
if(wrong)
  string(REPLACE ";" "\n  " wrong "${wrong}")
  message(FATAL_ERROR "Files are opened elsewhere too:\n  ${wrong}")
endif()
