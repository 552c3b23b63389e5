// SPDX-License-Identifier: Apache-2.0
#pragma once

/// 1 in a program that is watched by AddressSanitizer or ThreadSanitizer, whose memory and
/// instructions are not its own.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SINEW_TEST_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SINEW_TEST_SANITIZED 1
#endif
#endif
#ifndef SINEW_TEST_SANITIZED
#define SINEW_TEST_SANITIZED 0
#endif
