# SPDX-License-Identifier: Apache-2.0
# What computes on arrays, which is core and all of skel and physics outside their folders `read`,
# includes nothing that reads: no layers, no stages, no fmt, no Qhull. sinew::compute relies on it. The
# text of models and the hulls that masses need are not part of it.
# Usage: cmake -DROOT=<root of the project> -P computing_half.cmake
cmake_minimum_required(VERSION 3.22)
set(wrong "")
set(seen 0)
foreach(module IN ITEMS core skel physics)
  foreach(tree IN ITEMS src include/sinew)
    if(NOT module STREQUAL "core" AND NOT IS_DIRECTORY "${ROOT}/${tree}/${module}/read")
      continue()
    endif()
    file(GLOB_RECURSE files RELATIVE "${ROOT}" "${ROOT}/${tree}/${module}/*.hpp"
         "${ROOT}/${tree}/${module}/*.cpp")
    list(FILTER files EXCLUDE REGEX "/read/|^src/physics/(describe|explain|hull)\\.cpp$")
    foreach(file IN LISTS files)
      math(EXPR seen "${seen} + 1")
      file(STRINGS "${ROOT}/${file}" lines REGEX "^#include ")
      foreach(line IN LISTS lines)
        if(line MATCHES "\"(sinew/)?(layer|usda|usdc|usdz|stage|geom|export)/|/read/|<fmt/|<libqhull")
          list(APPEND wrong "${file}: ${line}")
        endif()
      endforeach()
    endforeach()
  endforeach()
endforeach()
if(seen EQUAL 0)
  message(FATAL_ERROR "No sources below ${ROOT}")
endif()
if(wrong)
  string(REPLACE ";" "\n  " wrong "${wrong}")
  message(FATAL_ERROR "Computing needs what reads:\n  ${wrong}")
endif()
