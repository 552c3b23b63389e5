# SPDX-License-Identifier: Apache-2.0
# Windows on x86-64, with MinGW's GCC on another system; programs run under Wine. What they need is
# looked for in CMAKE_PREFIX_PATH alone: /usr/include as a whole would take the place of the target's
# C library.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc-posix)
set(CMAKE_CXX_COMPILER x86_64-w64-mingw32-g++-posix)
set(CMAKE_RC_COMPILER x86_64-w64-mingw32-windres)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(CMAKE_FIND_ROOT_PATH /usr/x86_64-w64-mingw32 ${CMAKE_PREFIX_PATH})
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES CMAKE_PREFIX_PATH)
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)
find_program(SINEW_WINE NAMES wine64 wine PATHS /usr/lib/wine)
if(SINEW_WINE)
  set(CMAKE_CROSSCOMPILING_EMULATOR "${SINEW_WINE}")
endif()
