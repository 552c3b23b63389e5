/* SPDX-License-Identifier: Apache-2.0 */
/* What Clang calls in place of setjmp() and longjmp() in WebAssembly. A longjmp() is an exception
 * that carries the buffer and the value; whoever catches it asks whether the buffer is of one of its
 * own calls of setjmp(), and passes it on otherwise. */
#include <setjmp.h>

void __wasm_setjmp(void *buffer, unsigned int label, void *invocation);
unsigned int __wasm_setjmp_test(void *buffer, void *invocation);
void __wasm_longjmp(void *buffer, int value) __attribute__((noreturn));

/* The kind of exception: one pointer. */
__asm__(".globl __c_longjmp\n"
        ".tagtype __c_longjmp i32\n"
        "__c_longjmp:\n");

void __wasm_setjmp(void *buffer, unsigned int label, void *invocation) {
  jmp_buf *to = buffer;
  (*to)->label = label;
  (*to)->invocation = invocation;
}

/* The label of the setjmp() that filled the buffer; 0 if that was in another call. */
unsigned int __wasm_setjmp_test(void *buffer, void *invocation) {
  const jmp_buf *from = buffer;
  return (*from)->invocation == invocation ? (*from)->label : 0;
}

void __wasm_longjmp(void *buffer, int value) {
  jmp_buf *from = buffer;
  (*from)->thrown.buffer = buffer;
  (*from)->thrown.value = value == 0 ? 1 : value; /* setjmp() never returns 0 twice. */
  __builtin_wasm_throw(1, &(*from)->thrown);
}
