// SPDX-License-Identifier: Apache-2.0
// The order of functions in which the module packs best.
import assert from 'node:assert/strict';
import test from 'node:test';
import { nameByLikeness } from '../../src/web/name_by_likeness.mjs';

const i32 = 0x7f;
const get = (index) => [0x20, index];
const constant = (value) => [0x41, value];
const add = 0x6a;
const multiply = 0x6c;
const end = 0x0b;

const leb = (value) => (value < 128 ? [value] : [value % 128 + 128, ...leb(Math.floor(value / 128))]);
const sized = (bytes) => [...leb(bytes.length), ...bytes];
const section = (id, bytes) => [id, ...sized(bytes)];
const text = (string) => sized([...Buffer.from(string)]);

/** A module that imports one function and exports "f0", "f1" and so on, of one number each. */
function moduleOf(bodies, ...custom) {
  const exported = bodies.flatMap((_, i) => [...text(`f${i}`), 0, ...leb(i + 1)]);
  return Uint8Array.from([
    0, 0x61, 0x73, 0x6d, 1, 0, 0, 0,
    ...custom.flatMap((name) => section(0, [...text(name), 1, 2, 3])),
    ...section(1, [1, 0x60, 1, i32, 1, i32]),
    ...section(2, [1, ...text('host'), ...text('f'), 0, 0]),
    ...section(3, [...leb(bodies.length), ...bodies.map(() => 0)]),
    ...section(7, [...leb(bodies.length), ...exported]),
    ...section(10, [...leb(bodies.length), ...bodies.flatMap((body) => sized([0, ...body, end]))]),
  ]);
}

/** Names of functions by their indices, as the module's section says them. */
function namesOf(module) {
  const [section, ...others] = WebAssembly.Module.customSections(new WebAssembly.Module(module), 'name');
  assert.equal(others.length, 0);
  const bytes = new Uint8Array(section);
  assert.equal(bytes[0], 1, 'names of functions');
  let at = 1;
  const number = () => (bytes[at] < 128 ? bytes[at++] : (bytes[at++] & 127) + 128 * number());
  assert.equal(number(), bytes.length - at);
  const names = {};
  for (let left = number(); left > 0; --left) {
    const index = number();
    const size = number();
    names[index] = Buffer.from(bytes.subarray(at, at + size)).toString();
    at += size;
  }
  return names;
}

const times = (count) => [...get(0), ...Array.from({ length: count }, () => [...get(0), multiply]).flat()];
const plus = (count) => [...get(0), ...Array.from({ length: count }, () => [...constant(5), add]).flat()];

test('the largest comes first, and then what resembles the one before', () => {
  const named = nameByLikeness(moduleOf([times(2), plus(3), times(9), plus(4), times(3)]));
  assert.deepEqual(namesOf(named), {
    1: '000002', 2: '000003', 3: '000000', 4: '000004', 5: '000001',
  });
});

test('nothing else of the module changes but what engines do not read', () => {
  const bodies = [plus(1), times(1)];
  const plain = moduleOf(bodies);
  const named = nameByLikeness(moduleOf(bodies, 'name', '.debug_info'));
  assert.deepEqual(named.subarray(0, plain.length), Buffer.from(plain));
  const compiled = new WebAssembly.Module(named);
  assert.equal(WebAssembly.Module.customSections(compiled, '.debug_info').length, 0);
  const { f0, f1 } = new WebAssembly.Instance(compiled, { host: { f: () => 0 } }).exports;
  assert.deepEqual([f0(7), f1(7)], [12, 49]);
});

test('sizes and indices of several bytes are read and written', () => {
  const bodies = Array.from({ length: 200 }, (_, i) => (i === 150 ? times(100) : plus(i % 50)));
  const names = namesOf(nameByLikeness(moduleOf(bodies)));
  assert.equal(names[151], '000000');
  assert.deepEqual(Object.values(names).sort(), bodies.map((_, i) => String(i).padStart(6, '0')));
});
