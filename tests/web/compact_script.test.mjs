// SPDX-License-Identifier: Apache-2.0
// A script made shorter says the same: what is text stays, and so do the blanks that part words.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { compactScript } from '../../src/web/compact_script.mjs';

test('keeps texts and what parts words', () => {
  const script = [
    "const a = 'x  // y'; // A comment.",
    '  const b = `  ${a} /* z */ `;',
    '/* Of several',
    '   lines. */',
    'export function f(x, y) {',
    '  if (x - y > 2 / 3) return -1;',
    '  return typeof x === "it\'s" ? { x, y } : [ x, y ];',
    '}',
    'new Map();',
  ].join('\n');
  assert.equal(compactScript(script),
    "const a='x  // y';const b=`  ${a} /* z */ `;export function f(x,y){if(x-y>2 / 3)return-1;" +
    'return typeof x==="it\'s"?{x,y}:[x,y];}new Map();\n');
});

test('takes what it is for', () => {
  const script = readFileSync(new URL('../../src/web/sinew.js', import.meta.url), 'utf8');
  const compact = compactScript(script);
  assert.ok(compact.length < 0.85 * script.length);
  // What the rules are for: no regular expression, no template within a template.
  assert.doesNotMatch(script, /[=(,]\s*\/[^/*]/);
  assert.equal((script.match(/`/g) ?? []).length % 2, 0);
});
