# SPDX-License-Identifier: Apache-2.0
# Adapters to engines are read whole before they are copied: at most 150 lines each.
# Usage: cmake -DROOT=<project folder> -P short_adapters.cmake
cmake_minimum_required(VERSION 3.22)
file(GLOB adapters "${ROOT}/examples/*_world.hpp" "${ROOT}/examples/simulate_*.cpp"
     "${ROOT}/examples/physics_to_engine.cpp")
list(LENGTH adapters count)
if(count LESS 6)
  message(FATAL_ERROR "'${ROOT}' is not the project's folder")
endif()
set(wrong "")
foreach(adapter IN LISTS adapters)
  file(READ "${adapter}" text)
  string(REGEX MATCHALL "\n" lines "${text}")
  list(LENGTH lines count)
  if(count GREATER 150)
    string(APPEND wrong "\n  ${adapter}: ${count} lines")
  endif()
endforeach()
if(wrong)
  message(FATAL_ERROR "Longer than 150 lines:${wrong}")
endif()
