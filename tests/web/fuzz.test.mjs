// SPDX-License-Identifier: Apache-2.0
// Damaged files through the module: an error or a result, never a trap, and never long.
import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { bundled, bytesOf, conformance, data, root, sinewModule, start } from './support.mjs';

const { SinewCrash, SinewError } = sinewModule;
let sinew = await start();
const mostMs = 10_000;

/** Opens and looks at everything. A crash fails the test; any other error is an answer. */
function survive(files, name, what) {
  const begin = performance.now();
  let opened = false;
  try {
    const stage = sinew.open(files, name);
    opened = true;
    try {
      for (const character of stage.characters) character.pose(character.range[0]);
      stage.physics();
      stage.masses();
      stage.tree();
      void stage.diagnostics;
      try {
        stage.exportGlb();
      } catch (error) {
        if (error instanceof SinewCrash || !(error instanceof SinewError)) throw error;
      }
    } finally {
      stage.dispose();
    }
  } catch (error) {
    if (error instanceof SinewCrash) assert.fail(`${what}: ${error.message}`);
    if (!(error instanceof SinewError)) throw error;
  }
  const ms = performance.now() - begin;
  assert.ok(ms < mostMs, `${what} takes ${ms} ms`);
  return opened;
}

test('a thousand places to cut the samples off', (t) => {
  const names = readdirSync(data).filter((name) => name.endsWith('.usda'));
  const cutsOf = (size, count) => Array.from({ length: count }, (_, i) => Math.floor((size * i) / count));
  let cuts = 0;
  let opened = 0;
  for (const name of names) {
    const whole = bundled(name);
    for (const size of cutsOf(whole.length, 101)) {
      opened += survive({ 'a.usda': whole.subarray(0, size) }, 'a.usda', `${name} cut at ${size}`);
      cuts++;
    }
  }
  assert.ok(cuts >= 990, `${cuts} cuts`);
  t.diagnostic(`${cuts} cuts, ${opened} of them opened`);
});

test('single bytes of the samples replaced', () => {
  let state = 1;
  const random = (most) => (state = (state * 48271) % 2147483647) % most;
  for (const name of ['robot_arm.usda', 'group_filtering.usda', 'arm.usda']) {
    for (let i = 0; i < 100; i++) {
      const bytes = bundled(name);
      for (let k = 0; k < 3; k++) bytes[random(bytes.length)] = random(256);
      survive({ 'a.usda': bytes }, 'a.usda', `${name}, round ${i}`);
    }
  }
});

const corpora = [
  [join(root, 'tests/fuzz'), 'the corpus of tests/fuzz'],
  [join(conformance, 'usdc-hostile'), 'hostile crates'],
];
for (const [folder, name] of corpora) {
  test(name, { skip: existsSync(folder) ? false : 'not beside this checkout' }, (t) => {
    const found = readdirSync(folder, { recursive: true }).map(String).filter((file) => /\.usd[acz]?$/.test(file));
    let opened = 0;
    for (const file of found) opened += survive({ [file]: bytesOf(join(folder, file)) }, file, file);
    t.diagnostic(`${found.length} files, ${opened} of them opened`);
    if (name.startsWith('hostile')) assert.ok(found.length > 0);
  });
}

test('a hundred megabytes of spaces', () => {
  const spaces = new Uint8Array(100 * 1024 * 1024).fill(32);
  survive({ 'a.usda': spaces }, 'a.usda', 'spaces');
  spaces.set(new TextEncoder().encode('#usda 1.0\n'));
  assert.ok(survive({ 'a.usda': spaces }, 'a.usda', 'a layer of spaces'));
});
