// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Marks what a shared build of the library exports. Everything else is hidden.
#if defined(_WIN32) && defined(SINEW_SHARED)
#if defined(SINEW_BUILDING_LIBRARY)
#define SINEW_API __declspec(dllexport)
#else
#define SINEW_API __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define SINEW_API __attribute__((visibility("default")))
#else
#define SINEW_API
#endif
