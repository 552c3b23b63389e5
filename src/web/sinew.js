// SPDX-License-Identifier: Apache-2.0
// Sinew in JavaScript: a thin layer over sinew.wasm. Everything is described in sinew.d.ts.

export class SinewError extends Error {
  constructor({ code, message, file = '', line = 0, column = 0 }) {
    super(message);
    Object.assign(this, { name: this.constructor.name, code, file, line, column });
  }
}
export class SinewCrash extends SinewError {}

const arrays = [null, Float32Array, Float64Array, Int32Array, Uint32Array, Uint8Array]; // NumberKind
const poses = { animated: 0, rest: 1, bind: 2 };
const fail = (code, message) => {
  throw new SinewError({ code, message });
};
const encoder = new TextEncoder();
const decoder = new TextDecoder();

async function bytesOf(source) {
  const url = new URL(source, import.meta.url);
  if (url.protocol === 'file:' && globalThis.process?.versions?.node) {
    const files = 'node:fs/promises'; // Not for bundlers to look for.
    return (await import(/* @vite-ignore */ files)).readFile(url);
  }
  const response = await fetch(url);
  if (!response.ok) fail('not_found', `cannot load ${url}: ${response.status}`);
  return response;
}

async function compile(source) {
  if (source instanceof WebAssembly.Module) return source;
  if (typeof source === 'string' || source instanceof URL) source = await bytesOf(source);
  if (typeof Response !== 'function' || !(source instanceof Response)) return WebAssembly.compile(source);
  if (source.headers.get('Content-Type') === 'application/wasm') return WebAssembly.compileStreaming(source);
  return WebAssembly.compile(await source.arrayBuffer());
}

/** What the C library asks for: it may write why it gives up, and nothing else. */
function host(module, memory) {
  const calls = {
    fd_write(fd, list, count, written) {
      const view = new DataView(memory().buffer);
      let text = '', size = 0;
      for (let i = 0; i < count; i++) {
        const bytes = view.getUint32(list + 8 * i + 4, true);
        text += decoder.decode(new Uint8Array(view.buffer, view.getUint32(list + 8 * i, true), bytes));
        size += bytes;
      }
      if (fd === 2 && text.trim()) console.error(text.trimEnd());
      view.setUint32(written, size, true);
      return 0;
    },
  };
  const imports = {};
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    (imports[from] ??= {})[name] = calls[name] ?? (() => 52);
  }
  return imports;
}

class Machine {
  constructor(exports) {
    this.exports = exports;
    this.dead = null;
    this.call('_initialize');
    this.answer = this.call('sinew_allocate', 24);
  }
  get buffer() { return this.exports.memory.buffer; }
  call(name, ...values) {
    if (this.dead) throw new SinewCrash({ code: 'crash', message: `the module has ended: ${this.dead}` });
    try {
      return this.exports[name](...values);
    } catch (error) {
      this.dead = String(error?.message ?? error);
      throw new SinewCrash({ code: 'crash', message: this.dead });
    }
  }
  put(bytes) {
    const at = this.call('sinew_allocate', bytes.length) >>> 0;
    if (!at) fail('limit_exceeded', `no memory for ${bytes.length} bytes`);
    new Uint8Array(this.buffer).set(bytes, at);
    return at;
  }
  /** Calls with texts given as texts; `asks` adds the answer as last argument. */
  run(name, values, asks) {
    const words = [], texts = [];
    for (const value of values) {
      if (typeof value !== 'string') {
        words.push(value);
        continue;
      }
      const bytes = encoder.encode(value);
      texts.push(this.put(bytes));
      words.push(texts.at(-1), bytes.length);
    }
    if (asks) {
      new Uint8Array(this.buffer, this.answer, 24).fill(0);
      words.push(this.answer);
    }
    const result = this.call(name, ...words);
    for (const text of texts) this.call('sinew_free', text);
    if (!asks) return result;
    const [status, data, size, kind, more, moreSize] = new Uint32Array(this.buffer, this.answer, 6);
    if (status) throw new SinewError(JSON.parse(decoder.decode(this.take(data, size))));
    return { result, data, size, kind, more, moreSize };
  }
  ask(name, ...values) {
    return this.run(name, values, true);
  }
  take(data, size) {
    const bytes = new Uint8Array(this.buffer, data, size).slice();
    if (data) this.call('sinew_free', data);
    return bytes;
  }
  text(name, ...values) {
    const { data, size } = this.ask(name, ...values);
    return decoder.decode(this.take(data, size));
  }
  json(name, ...values) {
    return JSON.parse(this.text(name, ...values));
  }
  view(Type, data, size) {
    return new Type(this.buffer, data, size / Type.BYTES_PER_ELEMENT);
  }
  array(Type, name, ...values) {
    const { data, size } = this.ask(name, ...values);
    return this.view(Type, data, size);
  }
}

/** `array` gives one of its arrays by number. */
class Mesh {
  #array;
  constructor(facts, array) {
    Object.assign(this, facts);
    this.#array = array;
  }
  // The numbers are those of MeshArray.
  get points() { return this.#array(Float32Array, 0); }
  get normals() { return this.#array(Float32Array, 1); }
  get uv() { return this.#some(2); }
  get colors() { return this.#some(3); }
  get triangles() { return this.#array(Uint32Array, 4); }
  get instances() { return this.#some(5); }
  get material() { return this.groups?.[0]?.material ?? null; }
  #some(which) {
    const found = this.#array(Float32Array, which);
    return found.length ? found : null;
  }
}

class Character {
  #stage;
  #index;
  constructor(stage, index, facts) {
    Object.assign(this, facts);
    this.#stage = stage;
    this.#index = index;
    this.joints ??= [];
    this.range ??= [0, 0];
    this.parents = this.#array(Int32Array, 'sinew_parents').slice();
    this.targets = facts.targets.map(
      (target, i) => new Mesh(target, (Type, which) => this.#array(Type, 'sinew_target_array', i, which)));
  }
  #array(Type, name, ...values) {
    return this.#stage.machine.array(Type, name, this.#stage.handle, this.#index, ...values);
  }
  pose(time) {
    this.#stage.machine.call('sinew_pose', this.#stage.handle, this.#index, time ?? NaN);
  }
  show(pose) {
    this.#stage.machine.call('sinew_show_pose', this.#stage.handle, this.#index, poses[pose] ?? 0);
  }
  get jointWorld() { return this.#array(Float32Array, 'sinew_joints'); }
  get blendWeights() {
    const { more, moreSize } = this.#stage.machine.ask('sinew_joints', this.#stage.handle, this.#index);
    return this.#stage.machine.view(Float32Array, more, moreSize);
  }
  set blendWeights(weights) {
    const { machine, handle } = this.#stage;
    const floats = Float32Array.from(weights ?? []);
    const at = machine.put(new Uint8Array(floats.buffer));
    machine.call('sinew_set_blend_weights', handle, this.#index, at, floats.length);
    machine.call('sinew_free', at);
  }
  jointWeights(target, joint) { return this.#array(Float32Array, 'sinew_joint_weights', target, joint); }
}

class Stage {
  #machine;
  #handle;
  constructor(machine, handle, facts) {
    this.#machine = machine;
    this.#handle = handle;
    const inside = { machine, stage: this, get handle() { return this.stage.#live(); } };
    const { characters, meshes, ...others } = facts;
    Object.assign(this, others);
    this.characters = characters.map((c, i) => new Character(inside, i, c));
    this.meshes = meshes.map((mesh, i) => Object.defineProperty(
      new Mesh(mesh, (Type, which) => machine.array(Type, 'sinew_mesh_array', this.#live(), i, which)),
      'matrix', { get: () => this.matrices.subarray(16 * i, 16 * i + 16) }));
  }
  #live() {
    if (!this.#handle) fail('invalid_argument', 'the stage has been disposed of');
    return this.#handle;
  }
  get diagnostics() { return this.#machine.json('sinew_diagnostics', this.#live()); }
  get matrices() { return this.#machine.array(Float32Array, 'sinew_mesh_matrices', this.#live()); }
  poseMeshes(time) { this.#machine.call('sinew_pose_meshes', this.#live(), time ?? NaN); }
  tree() { return this.#machine.json('sinew_tree', this.#live()); }
  properties(path) { return this.#machine.json('sinew_properties', this.#live(), path); }
  attribute(path, time = NaN) {
    const { data, size, kind } = this.#machine.ask('sinew_attribute', this.#live(), path, time);
    if (!kind) return JSON.parse(decoder.decode(this.#machine.take(data, size)));
    // Where the numbers lie in a file they need not be aligned.
    return new arrays[kind](new Uint8Array(this.#machine.buffer, data, size).slice().buffer);
  }
  explain(path, time = NaN) { return this.#machine.json('sinew_explain', this.#live(), path, time); }
  physics({ si = false } = {}) { return this.#machine.json('sinew_physics', this.#live(), Number(si)); }
  masses() { return this.#machine.json('sinew_masses', this.#live()); }
  collide(a, b) { return this.#machine.json('sinew_collide', this.#live(), a, b); }
  shapeMesh(index, form = 'surface') {
    const m = this.#machine;
    const { data, size, more, moreSize } = m.ask('sinew_shape_mesh', this.#live(), index, Number(form === 'hull'));
    return { points: m.view(Float64Array, data, size).slice(), triangles: m.view(Uint32Array, more, moreSize).slice() };
  }
  exportGlb(options = {}) {
    const lines = Object.entries(options).map(([name, value]) => `${name} ${value}`).join('\n');
    const { data, size } = this.#machine.ask('sinew_glb', this.#live(), lines);
    return this.#machine.take(data, size);
  }
  file(identifier) {
    const { data, size } = this.#machine.ask('sinew_file', this.#live(), identifier);
    return new Uint8Array(this.#machine.buffer, data, size).slice();
  }
  dispose() {
    if (this.#handle && !this.#machine.dead) this.#machine.call('sinew_dispose', this.#handle);
    this.#handle = 0;
  }
  [Symbol.dispose ?? Symbol('dispose')]() { this.dispose(); }
}

class Sinew {
  #machine;
  constructor(module, exports) {
    this.#machine = new Machine(exports);
    this.module = module;
    this.version = this.#machine.text('sinew_version');
    this.simd = this.#machine.call('sinew_simd') === 1;
  }
  get memoryBytes() { return this.#machine.buffer.byteLength; }
  open(files, root, options = {}) {
    const m = this.#machine;
    const { limits = {}, variants = {}, animations = {}, ...others } = options;
    const request = m.call('sinew_request');
    try {
      for (const [name, bytes] of files instanceof Map ? files : Object.entries(files)) {
        const text = encoder.encode(name);
        const at = m.put(text);
        m.call('sinew_request_file', request, at, text.length, m.put(bytes), bytes.length);
        m.call('sinew_free', at);
      }
      for (const [name, value] of [...Object.entries(others), ...Object.entries(limits)]) {
        m.ask('sinew_request_option', request, name, String(value));
      }
      for (const [prim, sets] of Object.entries(variants)) {
        for (const [set, variant] of Object.entries(sets)) {
          m.run('sinew_request_variant', [request, prim, set, variant]);
        }
      }
      for (const [skeleton, animation] of Object.entries(animations)) {
        m.ask('sinew_request_animation', request, skeleton, animation);
      }
      const { result, data, size } = m.ask('sinew_open', request, root);
      return new Stage(m, result, JSON.parse(decoder.decode(m.take(data, size))));
    } catch (error) {
      if (!m.dead) m.call('sinew_dispose', request);
      throw error;
    }
  }
}

export async function load(source = new URL('sinew.wasm', import.meta.url)) {
  const module = await compile(source);
  const instance = await WebAssembly.instantiate(module, host(module, () => instance.exports.memory));
  return new Sinew(module, instance.exports);
}

/** The number that a figure of a result stands for. */
export function number(value) {
  return value === 'inf' ? Infinity : value === '-inf' ? -Infinity : value === 'nan' ? NaN : value;
}
