// SPDX-License-Identifier: Apache-2.0
// The order of a module's functions in which they pack best: each after the one that it resembles.

const sectionId = { custom: 0, imports: 2, code: 10 };
const headerSize = 8;
/** The least that tells functions apart: more makes a module smaller by less than a thousandth. */
const dimensions = 512;

/** Reads a module's numbers (unsigned LEB128) and pieces, which have their size before them. */
class Reader {
  constructor(data, at = 0) {
    this.data = data;
    this.at = at;
  }

  number() {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.data[this.at++];
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  }

  piece() {
    const size = this.number();
    this.at += size;
    return this.data.subarray(this.at - size, this.at);
  }
}

function leb(value) {
  const bytes = [];
  for (; value > 127; value = Math.floor(value / 128)) bytes.push((value % 128) + 128);
  return [...bytes, value];
}

function* sectionsOf(module) {
  for (const reader = new Reader(module, headerSize); reader.at < module.length; ) {
    const start = reader.at;
    const id = module[reader.at++];
    const content = reader.piece();
    yield { id, content, whole: module.subarray(start, reader.at) };
  }
}

/** How often each pair of bytes stands in a function, by a hash of the pair, as a vector of length one. */
function traitsOf(code) {
  const traits = new Float32Array(dimensions);
  for (let i = 1; i < code.length; ++i) {
    ++traits[Math.imul(code[i - 1] * 256 + code[i], 0x9e3779b1) >>> (32 - Math.log2(dimensions))];
  }
  let squares = 0;
  for (let i = 0; i < dimensions; ++i) {
    traits[i] = Math.log1p(traits[i]);
    squares += traits[i] * traits[i];
  }
  return traits.map((trait) => trait / Math.sqrt(squares || 1));
}

/** Indices of `codes`: the largest, then always the one left that resembles the last most. Quadratic. */
function chain(codes) {
  const traits = codes.map(traitsOf);
  const left = new Set(codes.keys());
  const order = [];
  let next = codes.reduce((largest, code, i) => (code.length > codes[largest].length ? i : largest), 0);
  while (left.size > 0) {
    const last = traits[next];
    order.push(next);
    left.delete(next);
    let most = -1;
    for (const i of left) {
      let likeness = 0;
      for (let k = 0; k < dimensions; ++k) likeness += last[k] * traits[i][k];
      if (likeness > most) [most, next] = [likeness, i];
    }
  }
  return order;
}

/**
 * A WebAssembly module (Uint8Array) whose functions are named by their places in that order, so that
 * wasm-opt --reorder-functions-by-name puts them there. Other names, and all else that engines do not
 * read, are left out.
 */
export function nameByLikeness(module) {
  const kept = [module.subarray(0, headerSize)];
  let imported = 0;
  let codes = [];
  for (const { id, content, whole } of sectionsOf(module)) {
    if (id !== sectionId.custom) kept.push(whole);
    const reader = new Reader(content);
    if (id === sectionId.imports) imported = reader.number();
    if (id === sectionId.code) codes = Array.from({ length: reader.number() }, () => reader.piece());
  }
  const places = [];
  chain(codes).forEach((code, place) => (places[code] = place));
  const names = leb(codes.length);
  places.forEach((place, code) => {
    const name = Buffer.from(String(place).padStart(6, '0'));
    names.push(...leb(imported + code), name.length, ...name);
  });
  const functionNames = 1;
  const section = [4, ...Buffer.from('name'), functionNames, ...leb(names.length), ...names];
  return Buffer.concat([...kept, Buffer.from([sectionId.custom, ...leb(section.length), ...section])]);
}
