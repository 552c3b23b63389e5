// SPDX-License-Identifier: Apache-2.0
// Every public header among the macros of windows.h and of others like it. The headers of the
// standard library and of Eigen come first: they are not ours to judge.
#include <Eigen/Core>
#include <Eigen/Geometry>

#include <algorithm>
#include <array>
#include <atomic>
#include <cassert>
#include <cmath>
#include <compare>
#include <concepts>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <iosfwd>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <type_traits>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

// Function-like, as windows.h defines them without NOMINMAX.
#define min(a, b) (((a) < (b)) ? (a) : (b))
#define max(a, b) (((a) > (b)) ? (a) : (b))
// Words that it takes for itself.
#define near
#define far
#define small char
#define interface struct
#define IN
#define OUT
#define OPTIONAL
#define CONST const
#define VOID void
#define TRUE 1
#define FALSE 0
#define ERROR 0
#define NO_ERROR 0
#define DELETE 0x10000
#define STRICT 1
#define CALLBACK
#define DIFFERENCE 11
#define ABSOLUTE 1
#define RELATIVE 2
#define TRANSPARENT 1
#define OPAQUE 2
#define Yield()
#define CreateFile CreateFileW
#define ReplaceFile ReplaceFileW
#define CopyFile CopyFileW
#define GetObject GetObjectW
#define GetMessage GetMessageW
#define LoadString LoadStringW
#define DrawText DrawTextW
// Of other systems' headers.
#define major(device) (device)
#define minor(device) (device)
#define linux 1
#define unix 1

#include "among_macros.inc"
