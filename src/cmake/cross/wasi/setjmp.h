/* SPDX-License-Identifier: Apache-2.0 */
/* setjmp() and longjmp() for WASI's C library, which lacks them. Clang turns calls of them into
 * calls of the functions in setjmp.c if told to by -mllvm -wasm-enable-sjlj. */
#ifndef SINEW_WASI_SETJMP_H
#define SINEW_WASI_SETJMP_H

typedef struct {
  void *invocation;   /* Which call of the function that called setjmp(). */
  unsigned int label; /* Which setjmp() in it. */
  struct {
    void *buffer;
    int value;
  } thrown; /* What the exception carries. */
} jmp_buf[1];

#ifdef __cplusplus
extern "C" {
#endif

int setjmp(jmp_buf) __attribute__((returns_twice));
void longjmp(jmp_buf, int) __attribute__((noreturn));

#ifdef __cplusplus
}
#endif

#endif
