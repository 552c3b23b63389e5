# SPDX-License-Identifier: Apache-2.0
# A module includes only its own private headers, and those of core. The few that cross modules today
# are listed; the list may only become shorter.
# Usage: cmake -DSOURCE=<src folder> -P private_headers.cmake
cmake_minimum_required(VERSION 3.22)
set(known
    "physics geom/transform_reader.hpp"
    "physics stage/locate.hpp"
    "physics stage/stage_impl.hpp"
    "skel geom/model.hpp"
    "skel stage/locate.hpp"
    "usda layer/dictionary_builder.hpp"
    "usda layer/element_shape.hpp"
    "usda layer/fields.hpp"
    "usda layer/layer_assembly.hpp"
    "usda layer/list_edits.hpp"
    "usda layer/path_expression_syntax.hpp"
    "usdc layer/dictionary_builder.hpp"
    "usdc layer/element_shape.hpp"
    "usdc layer/fields.hpp"
    "usdc layer/layer_impl.hpp")
set(seen "")
set(wrong "")
file(GLOB modules RELATIVE "${SOURCE}" "${SOURCE}/*")
file(GLOB_RECURSE files RELATIVE "${SOURCE}" "${SOURCE}/*.hpp" "${SOURCE}/*.cpp")
foreach(file IN LISTS files)
  string(REGEX REPLACE "/.*" "" from "${file}")
  file(STRINGS "${SOURCE}/${file}" lines REGEX "^#include \"")
  foreach(line IN LISTS lines)
    string(REGEX REPLACE "^#include \"([^\"]*)\".*" "\\1" header "${line}")
    string(REGEX REPLACE "/.*" "" to "${header}")
    if(to STREQUAL from OR to STREQUAL "sinew" OR to STREQUAL "core" OR NOT to IN_LIST modules)
      continue()
    endif()
    if("${from} ${header}" IN_LIST known)
      list(APPEND seen "${from} ${header}")
    else()
      list(APPEND wrong "${file} includes ${header}")
    endif()
  endforeach()
endforeach()
foreach(pair IN LISTS known)
  if(NOT pair IN_LIST seen)
    list(APPEND wrong "nothing in '${pair}' any more: take it off the list")
  endif()
endforeach()
if(wrong)
  string(REPLACE ";" "\n  " wrong "${wrong}")
  message(FATAL_ERROR "Private headers of other modules:\n  ${wrong}")
endif()
