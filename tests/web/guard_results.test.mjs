// SPDX-License-Identifier: Apache-2.0
// Programs whose functions return several values do what they say.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { guardResults } from '../../src/web/guard_results.mjs';

const guard = (first, type, at = '0', name = '%r', id = 0) => [
  `  %guard.${id}.first = extractvalue ${type} %guard.${id}.all, ${at}`,
  `  %guard.${id}.kept = call ${first} asm "", "=r,0"(${first} %guard.${id}.first)`,
  `  ${name} = insertvalue ${type} %guard.${id}.all, ${first} %guard.${id}.kept, ${at}`,
];

test('the first of several results is guarded, whatever types it stands in', () => {
  const types = ['%"class.a<b, c>" = type { [0 x i8], %pair, float }', '%pair = type <{ i8, [2 x i64] }>'];
  for (const [type, first, at] of [
    ['{ ptr, i32 }', 'ptr', '0'],
    ['%pair', 'i8', '0'],
    ['<{ i64, [4 x i8] }>', 'i64', '0'],
    ['[3 x double]', 'double', '0'],
    ['%"class.a<b, c>"', 'i8', '1, 0'],
    ['{ {}, [2 x { <4 x float>, i1 }] }', '<4 x float>', '1, 0, 0'],
  ]) {
    const call = (to) => `  ${to} = tail call fastcc noundef range(i32 0, 2) ${type} @f(ptr %x) #3`;
    assert.deepEqual(guardResults([...types, call('%r')].join('\n')).split('\n'),
      [...types, call('%guard.0.all'), ...guard(first, type, at)]);
  }
});

test('unnamed values keep their numbers, and each call has names of its own', () => {
  assert.deepEqual(guardResults('  %7 = call { i1, i1 } @f()\n  %8 = call { i1, i1 } %7()').split('\n'), [
    '  %guard.0.all = call { i1, i1 } @f()', ...guard('i1', '{ i1, i1 }', '0', '%7'),
    '  %guard.1.all = call { i1, i1 } %7()', ...guard('i1', '{ i1, i1 }', '0', '%8', 1),
  ]);
});

test('nothing else is changed', () => {
  const program = [
    '%one = type { { i32 }, [0 x i8] }', '%opaque = type opaque',
    '  %a = call ptr @f(%one %x)', '  %b = call %one @f({ i32, i32 } %x)', '  call void @g({ i32, i32 } %x)',
    '  %c = call { i32, i1 } @llvm.umul.with.overflow.i32(i32 %a, i32 %b)',
    '  %d = call noundef nonnull align 4 dereferenceable(12) ptr @h()', '  %e = load { i32, i32 }, ptr %d', '',
  ].join('\n');
  assert.equal(guardResults(program), program);
});

test('what cannot be read is refused', () => {
  assert.throws(() => guardResults('  %r = call %unknown @f()'), /unknown type: %unknown/);
  assert.throws(() => guardResults('  %r = call { i32, ! } @f()'), /no type at/);
  assert.throws(() => guardResults('  %r = call cc 10 { i32, i32 } @f()'), /not known what is returned/);
  assert.throws(() => guardResults('  %r = invoke %pair @"f g"(ptr %x)'), /not known what is returned/);
});

/** Functions "f0", "f1" and so on of two numbers, at random, and what each returns. */
function randomFunctions(count, seed) {
  const below = (end) => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return Math.floor((seed / 2 ** 32) * end);
  };
  const operations = {
    add: (a, b) => (a + b) | 0, sub: (a, b) => (a - b) | 0, xor: (a, b) => a ^ b, and: (a, b) => a & b,
  };
  const names = Object.keys(operations);
  const lines = ['target triple = "wasm32-unknown-wasi"'];
  const meanings = [];
  for (let f = 0; f < count; ++f) {
    const values = [['%a', (a) => a], ['%b', (_, b) => b]];
    const any = () => values[below(values.length)];
    lines.push(`define i32 @f${f}(i32 %a, i32 %b) {`);
    for (let step = 0; step < 6; ++step) {
      const [[x, xOf], [y, yOf], [z, zOf]] = [any(), any(), any()];
      const v = `%v${step}`;
      const kind = below(3);
      if (kind === 0) {
        lines.push(`  ${v} = call { i32, i32 } @two(i32 ${x}, i32 ${y})`,
          `  ${v}.0 = extractvalue { i32, i32 } ${v}, 0`, `  ${v}.1 = extractvalue { i32, i32 } ${v}, 1`);
        values.push([`${v}.0`, (a, b) => xOf(a, b) & yOf(a, b)], [`${v}.1`, (a, b) => (xOf(a, b) + 9) ^ yOf(a, b)]);
      } else if (kind === 1) {
        lines.push(`  ${v}.c = icmp eq i32 ${x}, 0`, `  ${v} = select i1 ${v}.c, i32 ${y}, i32 ${z}`);
        values.push([v, (a, b) => (xOf(a, b) === 0 ? yOf(a, b) : zOf(a, b))]);
      } else {
        const name = names[below(names.length)];
        lines.push(`  ${v} = ${name} i32 ${x}, ${y}`);
        values.push([v, (a, b) => operations[name](xOf(a, b), yOf(a, b))]);
      }
    }
    const [last, lastOf] = values[values.length - 1];
    lines.push(`  ret i32 ${last}`, '}');
    meanings.push(lastOf);
  }
  lines.push('define { i32, i32 } @two(i32 %a, i32 %b) noinline {', '  %x = and i32 %a, %b', '  %c = add i32 %a, 9',
    '  %y = xor i32 %c, %b', '  %p = insertvalue { i32, i32 } undef, i32 %x, 0',
    '  %q = insertvalue { i32, i32 } %p, i32 %y, 1', '  ret { i32, i32 } %q', '}', '');
  return { program: lines.join('\n'), meanings };
}

/** How many of the functions do something else than they mean, compiled as the module is. */
function wrongOnes(program, meanings) {
  const folder = mkdtempSync(join(tmpdir(), 'sinew-'));
  try {
    const [text, object, wasm] = ['p.ll', 'p.o', 'p.wasm'].map((name) => join(folder, name));
    writeFileSync(text, program);
    execFileSync('llc-19', ['-O2', '-mattr=+multivalue', '-target-abi=experimental-mv', '-filetype=obj', text, '-o', object]);
    execFileSync('wasm-ld-19', ['--no-entry', '--export-all', object, '-o', wasm]);
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(wasm)));
    return meanings.filter((meaning, i) => [[0, 0], [1, 2], [6, 3], [-5, 12]].some(
      ([a, b]) => exports[`f${i}`](a, b) !== meaning(a, b))).length;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('five hundred random functions do what they mean, and some do not without it', () => {
  const { program, meanings } = randomFunctions(500, 20261128);
  assert.equal(wrongOnes(guardResults(program), meanings), 0);
  assert.notEqual(wrongOnes(program, meanings), 0, 'this LLVM is mended: link.mjs and guard_results.mjs can go');
});
