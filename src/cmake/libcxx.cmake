# SPDX-License-Identifier: Apache-2.0
# Clang 19 with libc++ 19 instead of the system's standard library. The packages of libc++ are not
# installed, which would remove those of other versions, but unpacked (.ci/platforms does so) into
# SINEW_LIBCXX_ROOT; what was built with another standard library must not be linked.
set(SINEW_LIBCXX_ROOT "${CMAKE_CURRENT_LIST_DIR}/../../build/platforms/libcxx/root/usr/lib/llvm-19"
    CACHE PATH "Folder with include/c++/v1 and lib/libc++.a")
get_filename_component(libcxx "${SINEW_LIBCXX_ROOT}" ABSOLUTE)
set(CMAKE_C_COMPILER clang-19)
set(CMAKE_CXX_COMPILER clang++-19)
set(CMAKE_CXX_FLAGS_INIT "-nostdinc++ -isystem ${libcxx}/include/c++/v1")
set(CMAKE_EXE_LINKER_FLAGS_INIT "-nostdlib++ -L${libcxx}/lib")
set(CMAKE_SHARED_LINKER_FLAGS_INIT "-nostdlib++ -L${libcxx}/lib")
set(CMAKE_CXX_STANDARD_LIBRARIES
    "${libcxx}/lib/libc++.a ${libcxx}/lib/libc++abi.a ${libcxx}/lib/libunwind.a -lpthread -ldl")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES SINEW_LIBCXX_ROOT)
