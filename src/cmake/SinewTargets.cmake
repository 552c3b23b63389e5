# SPDX-License-Identifier: Apache-2.0
# Settings shared by every target of the project. Nothing here leaks to consumers.

# sinew_target_settings(<target>): language level, warnings, sanitizers.
function(sinew_target_settings target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
  if(CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
    target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wconversion -Wshadow)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      # GCC 12 reports false positives inside the standard library and Eigen when it inlines.
      target_compile_options(
        ${target} PRIVATE -Wno-maybe-uninitialized -Wno-array-bounds -Wno-stringop-overflow
                          -Wno-stringop-overread -Wno-restrict)
    endif()
    # Results must not depend on whether the compiler fuses multiplications and additions.
    target_compile_options(${target} PRIVATE -ffp-contract=off)
    if(SINEW_WARNINGS_AS_ERRORS)
      target_compile_options(${target} PRIVATE -Werror)
    endif()
    if(SINEW_SANITIZE)
      # The modules have no RTTI, which the vptr check would need when tests use their objects.
      target_compile_options(
        ${target} PRIVATE -fsanitize=${SINEW_SANITIZE} -fno-sanitize=vptr
                          -fno-sanitize-recover=all -fno-omit-frame-pointer)
      target_link_options(${target} PUBLIC -fsanitize=${SINEW_SANITIZE})
    endif()
  endif()
endfunction()

# sinew_library(<target> <name>): a library that users link as sinew::<name>, collected of modules.
function(sinew_library target name)
  add_library(${target})
  add_library(sinew::${name} ALIAS ${target})
  set_target_properties(
    ${target} PROPERTIES EXPORT_NAME ${name} CXX_VISIBILITY_PRESET hidden
                         VISIBILITY_INLINES_HIDDEN ON LINKER_LANGUAGE CXX
                         VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_include_directories(
    ${target}
    PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
           $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include> $<INSTALL_INTERFACE:include>)
  target_link_libraries(
    ${target}
    PUBLIC Eigen3::Eigen
    PRIVATE hwy::hwy)
  if(SINEW_SANITIZE)
    target_link_options(${target} PUBLIC -fsanitize=${SINEW_SANITIZE})
  endif()
  if(BUILD_SHARED_LIBS)
    target_compile_definitions(${target} PUBLIC SINEW_SHARED)
  endif()
endfunction()

# sinew_module(<name> [COMPUTE] SOURCES ... [PRIVATE_LIBRARIES ...])
#
# One module of the library, or a half of one: an object library sinew_<name>, collected into
# sinew::sinew and, with COMPUTE, into sinew::compute. What computes on arrays alone uses no fmt.
# Modules build without exceptions and RTTI, because many engines do.
function(sinew_module name)
  cmake_parse_arguments(ARG "COMPUTE" "" "SOURCES;PRIVATE_LIBRARIES" ${ARGN})
  add_library(sinew_${name} OBJECT ${ARG_SOURCES})
  sinew_target_settings(sinew_${name})
  set_target_properties(
    sinew_${name} PROPERTIES CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
                             POSITION_INDEPENDENT_CODE ON)
  if(CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
    target_compile_options(sinew_${name} PRIVATE -fno-exceptions -fno-rtti)
  endif()
  target_include_directories(
    sinew_${name} PRIVATE "${PROJECT_SOURCE_DIR}/include" "${PROJECT_SOURCE_DIR}/src"
                          "${PROJECT_BINARY_DIR}/include")
  target_compile_definitions(sinew_${name} PRIVATE SINEW_BUILDING_LIBRARY)
  target_link_libraries(sinew_${name} PRIVATE Eigen3::Eigen ${ARG_PRIVATE_LIBRARIES})
  target_sources(sinew PRIVATE $<TARGET_OBJECTS:sinew_${name}>)
  if(ARG_COMPUTE)
    target_sources(sinew_compute PRIVATE $<TARGET_OBJECTS:sinew_${name}>)
  else()
    target_compile_definitions(sinew_${name} PRIVATE FMT_EXCEPTIONS=0)
    target_link_libraries(sinew_${name} PRIVATE fmt::fmt)
  endif()
endfunction()
