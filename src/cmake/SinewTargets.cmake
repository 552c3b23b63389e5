# SPDX-License-Identifier: Apache-2.0
# Settings shared by every target of the project. Nothing here leaks to consumers.

# Clang is asked for by GNU's options, or as clang-cl by those of MSVC.
if(CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang" AND NOT CMAKE_CXX_COMPILER_FRONTEND_VARIANT STREQUAL "MSVC")
  set(sinew_compiler_options gnu)
elseif(MSVC)
  set(sinew_compiler_options msvc)
else()
  set(sinew_compiler_options other)
endif()

# sinew_target_settings(<target>): language level, warnings, sanitizers.
function(sinew_target_settings target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
  if(sinew_compiler_options STREQUAL "msvc")
    target_compile_options(${target} PRIVATE /utf-8 /permissive- /bigobj /W4 /fp:precise /EHsc)
    if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
      target_compile_options(${target} PRIVATE /Zc:__cplusplus /Zc:preprocessor)
    endif()
    target_compile_definitions(${target} PRIVATE NOMINMAX _CRT_SECURE_NO_WARNINGS)
    if(SINEW_WARNINGS_AS_ERRORS)
      target_compile_options(${target} PRIVATE /WX)
    endif()
  elseif(sinew_compiler_options STREQUAL "gnu")
    target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wconversion -Wshadow)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      if(CMAKE_UNITY_BUILD)
        # Said of unnamed namespaces outside of what GCC takes for the main file, which is here none.
        target_compile_options(${target} PRIVATE -Wno-subobject-linkage)
      endif()
      # GCC 12 reports false positives inside the standard library and Eigen when it inlines.
      target_compile_options(
        ${target} PRIVATE -Wno-maybe-uninitialized -Wno-array-bounds -Wno-stringop-overflow
                          -Wno-stringop-overread -Wno-restrict)
      if(SINEW_GCC_HEAP)
        target_compile_options(${target} PRIVATE --param=ggc-min-heapsize=${SINEW_GCC_HEAP})
      endif()
    endif()
    if(CMAKE_SYSTEM_NAME STREQUAL "WASI")
      # What fmt has for numbers of 128 bits is a library of arithmetic.
      target_compile_definitions(${target} PRIVATE FMT_USE_LONG_DOUBLE=0 FMT_USE_INT128=0)
      # Sizes have 32 bits there, and what is larger never comes to be.
      target_compile_options(${target} PRIVATE -Wno-shorten-64-to-32)
    endif()
    if(MINGW)
      # Templates have a section each; object files of Windows count them in 16 bits unasked.
      target_compile_options(${target} PRIVATE -Wa,-mbig-obj)
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
    # Templates of the standard library are instantiated in it, and would be exported too.
    if(UNIX AND NOT APPLE AND sinew_compiler_options STREQUAL "gnu")
      set(script "${PROJECT_SOURCE_DIR}/src/cmake/exports.map")
      target_link_options(${target} PRIVATE "LINKER:--version-script=${script}")
      set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS "${script}")
    endif()
  endif()
endfunction()

# sinew_module(<name> [COMPUTE] SOURCES ... [PRIVATE_LIBRARIES ...])
#
# One module of the library, or a half of one: an object library sinew_<name>, collected into
# sinew::sinew and, with COMPUTE, into sinew::compute.
# Modules build without exceptions and RTTI, because many engines do.
function(sinew_module name)
  cmake_parse_arguments(ARG "COMPUTE" "" "SOURCES;PRIVATE_LIBRARIES" ${ARGN})
  add_library(sinew_${name} OBJECT ${ARG_SOURCES})
  sinew_target_settings(sinew_${name})
  set_target_properties(
    sinew_${name} PROPERTIES CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  if(NOT CMAKE_SYSTEM_NAME STREQUAL "WASI")
    set_target_properties(sinew_${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  endif()
  if(sinew_compiler_options STREQUAL "gnu")
    target_compile_options(sinew_${name} PRIVATE -fno-exceptions -fno-rtti)
  elseif(sinew_compiler_options STREQUAL "msvc")
    target_compile_options(sinew_${name} PRIVATE /GR- /EHs-c-)
    target_compile_definitions(sinew_${name} PRIVATE _HAS_EXCEPTIONS=0)
  endif()
  if(SINEW_MINGW_WIDE)
    target_compile_definitions(sinew_${name} PRIVATE SINEW_MINGW_WIDE)
  endif()
  if(NOT SINEW_AVX512)
    target_compile_definitions(sinew_${name} PRIVATE SINEW_NO_AVX512)
  endif()
  # A kernel includes itself once per instruction set, so it stays a file of its own, and so does
  # what Highway's choice of instruction sets must not be disturbed in.
  set(kernels ${ARG_SOURCES})
  list(FILTER kernels INCLUDE REGEX "^kernels/|^simd[.]cpp")
  set_source_files_properties(${kernels} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  if(CMAKE_SYSTEM_NAME STREQUAL "WASI")
    # What is smallest is 3 % slower, and no smaller when it is packed.
    set_source_files_properties(${kernels} PROPERTIES COMPILE_OPTIONS "$<$<CONFIG:MinSizeRel>:-Os>")
  endif()
  target_include_directories(
    sinew_${name} PRIVATE "${PROJECT_SOURCE_DIR}/include" "${PROJECT_SOURCE_DIR}/src"
                          "${PROJECT_BINARY_DIR}/include")
  target_compile_definitions(sinew_${name} PRIVATE SINEW_BUILDING_LIBRARY)
  target_link_libraries(sinew_${name} PRIVATE Eigen3::Eigen ${ARG_PRIVATE_LIBRARIES})
  target_sources(sinew PRIVATE $<TARGET_OBJECTS:sinew_${name}>)
  if(TARGET sinew_for_tests)
    target_sources(sinew_for_tests PRIVATE $<TARGET_OBJECTS:sinew_${name}>)
  endif()
  if(ARG_COMPUTE)
    target_sources(sinew_compute PRIVATE $<TARGET_OBJECTS:sinew_${name}>)
  endif()
endfunction()

# sinew_program_settings(<target>): settings of a test, an example or the tool, which may be built
# quickly rather than well.
function(sinew_program_settings target)
  sinew_target_settings(${target})
  target_compile_options(${target} PRIVATE ${SINEW_PROGRAM_OPTIONS})
endfunction()
