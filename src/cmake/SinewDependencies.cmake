# SPDX-License-Identifier: Apache-2.0
# Finds every dependency as an installed package. With SINEW_FETCH_DEPS=ON, what is missing is
# downloaded instead; nothing is ever downloaded otherwise.

include(FetchContent)

# sinew_dependency(<name> <target> <git repository> <tag>)
#
# Makes <target> available: from an installed package, else by download if that was asked for.
macro(sinew_dependency name target repository tag)
  if(NOT TARGET ${target})
    find_package(${name} QUIET)
    if(NOT TARGET ${target})
      if(SINEW_FETCH_DEPS)
        FetchContent_Declare(${name} GIT_REPOSITORY ${repository} GIT_TAG ${tag} GIT_SHALLOW TRUE)
        FetchContent_MakeAvailable(${name})
      else()
        message(
          FATAL_ERROR
            "${name} (${target}) was not found. Install it (tests/run does so on Debian and "
            "Ubuntu), or configure with -DSINEW_FETCH_DEPS=ON to download it.")
      endif()
    endif()
  endif()
endmacro()

# What runs big-endian or in 32 bits would need tests there; WebAssembly has some.
if(CMAKE_CXX_BYTE_ORDER STREQUAL "BIG_ENDIAN")
  message(FATAL_ERROR "Sinew runs on little-endian machines only; this one is big-endian.")
endif()
if(CMAKE_SIZEOF_VOID_P EQUAL 4 AND NOT CMAKE_SYSTEM_NAME STREQUAL "WASI" AND NOT EMSCRIPTEN)
  message(FATAL_ERROR "Sinew runs on 64-bit machines and in WebAssembly; this compiler makes 32-bit programs.")
endif()

sinew_dependency(Eigen3 Eigen3::Eigen https://gitlab.com/libeigen/eigen.git 3.4.0)
sinew_dependency(fmt fmt::fmt https://github.com/fmtlib/fmt.git 9.1.0)
sinew_dependency(FastFloat FastFloat::fast_float https://github.com/fastfloat/fast_float.git v3.9.0)

# Older packages of Highway ship no CMake config, so look for the files too.
find_package(hwy QUIET)
if(NOT TARGET hwy::hwy)
  find_path(SINEW_HWY_INCLUDE_DIR hwy/highway.h)
  find_library(SINEW_HWY_LIBRARY hwy)
  if(SINEW_HWY_INCLUDE_DIR AND SINEW_HWY_LIBRARY)
    add_library(hwy::hwy UNKNOWN IMPORTED)
    set_target_properties(
      hwy::hwy PROPERTIES IMPORTED_LOCATION "${SINEW_HWY_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES
                                                                   "${SINEW_HWY_INCLUDE_DIR}")
  endif()
endif()
sinew_dependency(hwy hwy::hwy https://github.com/google/highway.git 1.0.3)

# LZ4 comes without a CMake config, or with one whose names differ: look for the files.
if(NOT TARGET LZ4::lz4)
  find_path(SINEW_LZ4_INCLUDE_DIR lz4.h)
  find_library(SINEW_LZ4_LIBRARY lz4)
  if(SINEW_LZ4_INCLUDE_DIR AND SINEW_LZ4_LIBRARY)
    add_library(LZ4::lz4 UNKNOWN IMPORTED)
    set_target_properties(
      LZ4::lz4 PROPERTIES IMPORTED_LOCATION "${SINEW_LZ4_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES
                                                                   "${SINEW_LZ4_INCLUDE_DIR}")
  elseif(SINEW_FETCH_DEPS)
    set(LZ4_BUILD_CLI OFF)
    set(LZ4_BUILD_LEGACY_LZ4C OFF)
    FetchContent_Declare(lz4 GIT_REPOSITORY https://github.com/lz4/lz4.git GIT_TAG v1.9.4
                         GIT_SHALLOW TRUE SOURCE_SUBDIR build/cmake)
    FetchContent_MakeAvailable(lz4)
    if(TARGET lz4_static)
      add_library(LZ4::lz4 ALIAS lz4_static)
    else()
      add_library(LZ4::lz4 ALIAS lz4_shared)
    endif()
  endif()
endif()
sinew_dependency(lz4 LZ4::lz4 https://github.com/lz4/lz4.git v1.9.4)

if(SINEW_QHULL)
  # A static Qhull is a target of another name. What a static Sinew was built with is what its users
  # must link, so the name goes into the installed package.
  find_package(Qhull QUIET)
  if(NOT TARGET Qhull::qhull_r AND NOT TARGET Qhull::qhullstatic_r AND SINEW_FETCH_DEPS)
    set(BUILD_STATIC_LIBS ON)
    FetchContent_Declare(Qhull GIT_REPOSITORY https://github.com/qhull/qhull.git GIT_TAG v8.0.2
                         GIT_SHALLOW TRUE)
    FetchContent_MakeAvailable(Qhull)
    foreach(name IN ITEMS qhull_r qhullstatic_r)
      if(TARGET ${name} AND NOT TARGET Qhull::${name})
        add_library(Qhull::${name} ALIAS ${name})
      endif()
    endforeach()
  endif()
  if(TARGET Qhull::qhull_r)
    set(SINEW_QHULL_TARGET Qhull::qhull_r)
  elseif(TARGET Qhull::qhullstatic_r)
    set(SINEW_QHULL_TARGET Qhull::qhullstatic_r)
  else()
    sinew_dependency(Qhull Qhull::qhull_r https://github.com/qhull/qhull.git v8.0.2)
  endif()
else()
  set(SINEW_QHULL_TARGET "")
endif()

# Headers alone: what links the library later does not need it.
sinew_dependency(nlohmann_json nlohmann_json::nlohmann_json https://github.com/nlohmann/json.git
                 v3.11.2)
sinew_dependency(pugixml pugixml::pugixml https://github.com/zeux/pugixml.git v1.13)

if(SINEW_BUILD_TESTS)
  sinew_dependency(GTest GTest::gmock https://github.com/google/googletest.git release-1.12.1)
endif()
if(SINEW_BUILD_BENCHMARKS)
  sinew_dependency(benchmark benchmark::benchmark https://github.com/google/benchmark.git v1.7.1)
endif()
if(SINEW_BUILD_TOOL OR SINEW_BUILD_TESTS)
  sinew_dependency(CLI11 CLI11::CLI11 https://github.com/CLIUtils/CLI11.git v2.1.2)
endif()
