// SPDX-License-Identifier: Apache-2.0
// Sinew in a Worker. The page calls startWorker(), which runs this same file there; large arrays are
// transferred, not copied twice. Everything is described in sinew-worker.d.ts.
import { load, SinewCrash, SinewError } from './sinew.js';

/** Names of functions of a stage that are passed on as they are. */
const passed = ['tree', 'properties', 'attribute', 'explain', 'physics', 'masses', 'collide', 'shapeMesh', 'exportGlb', 'file'];

/** Facts of an object without its views. */
function factsOf(mesh) {
  const { path, pointCount, vertexCount, triangleCount, doubleSided, color, groups, material, method, influences,
    blendShapes, shape, moves, instanced } = mesh;
  return { path, pointCount, vertexCount, triangleCount, doubleSided, color, groups, material, method, influences,
    blendShapes, shape, moves, instanced };
}

/** Where PointInstancers show each mesh at present. */
function copiesOf(stage) {
  return stage.meshes.map((mesh) => mesh.instances?.slice() ?? null);
}

/** Copies of the arrays of a mesh that do not change with time. */
function geometryOf(mesh) {
  return { triangles: mesh.triangles.slice(), uv: mesh.uv?.slice() ?? null, colors: mesh.colors?.slice() ?? null };
}

function placeOf(mesh) {
  return { points: mesh.points.slice(), normals: mesh.normals.slice() };
}

/** What is asked of the Worker, by name. `stages` holds what it has opened. */
function makeService(sinew, stages) {
  let last = 0;
  const stageOf = (id) => {
    const stage = stages.get(id);
    if (!stage) throw new SinewError({ code: 'invalid_argument', message: 'the stage has been disposed of' });
    return stage;
  };
  const characterOf = (id, index) => stageOf(id).characters[index];
  const service = {
    facts: () => ({ version: sinew.version, simd: sinew.simd }),
    memoryBytes: () => sinew.memoryBytes,
    open(files, root, options) {
      const stage = sinew.open(files, root, options);
      stages.set(++last, stage);
      const { metrics, primCount, byteCount, layers, missing, materials } = stage;
      return {
        id: last,
        facts: { root: stage.root, metrics, primCount, byteCount, layers, missing, materials },
        meshes: stage.meshes.map(factsOf),
        copies: copiesOf(stage),
        characters: stage.characters.map(({ path, skelRoot, animation, joints, parents, range, blendShapes, targets }) => (
          { path, skelRoot, animation, joints, parents, range, blendShapes, targets: targets.map(factsOf) })),
      };
    },
    dispose(id) {
      stages.get(id)?.dispose();
      stages.delete(id);
    },
    diagnostics: (id) => stageOf(id).diagnostics,
    meshes: (id) => stageOf(id).meshes.map((mesh) => (mesh.shape ? null : { ...geometryOf(mesh), ...placeOf(mesh) })),
    poseMeshes(id, time) {
      stageOf(id).poseMeshes(time);
      return { matrices: stageOf(id).matrices.slice(), copies: copiesOf(stageOf(id)) };
    },
    geometry: (id, index) => characterOf(id, index).targets.map(geometryOf),
    pose(id, index, time) {
      const character = characterOf(id, index);
      character.pose(time);
      return {
        jointWorld: character.jointWorld.slice(),
        blendWeights: character.blendWeights.slice(),
        targets: character.targets.map(placeOf),
      };
    },
    show: (id, index, pose) => characterOf(id, index).show(pose),
    setBlendWeights(id, index, weights) {
      characterOf(id, index).blendWeights = weights;
    },
    jointWeights: (id, index, target, joint) => characterOf(id, index).jointWeights(target, joint).slice(),
  };
  for (const name of passed) service[name] = (id, ...values) => stageOf(id)[name](...values);
  return service;
}

/** The buffers in a result, each once, to be handed over. */
function buffersIn(value, found = new Set()) {
  if (ArrayBuffer.isView(value)) found.add(value.buffer);
  else if (value && typeof value === 'object') Object.values(value).forEach((item) => buffersIn(item, found));
  return found;
}

async function serve(port, source) {
  const service = makeService(await load(source), new Map());
  port.onmessage = ({ data: { id, name, values } }) => {
    try {
      const value = service[name](...values);
      port.postMessage({ id, value }, [...buffersIn(value)]);
    } catch (error) {
      const { message, code, file, line, column } = error;
      port.postMessage({ id, error: { message, code, file, line, column, crash: error instanceof SinewCrash } });
    }
  };
  port.postMessage({ id: 0, value: service.facts() });
}

class RemoteCharacter {
  #ask;
  constructor(ask, facts) {
    Object.assign(this, facts);
    this.#ask = ask;
  }
  geometry() { return this.#ask('geometry'); }
  pose(time) { return this.#ask('pose', time); }
  show(pose) { return this.#ask('show', pose); }
  setBlendWeights(weights) { return this.#ask('setBlendWeights', weights); }
  jointWeights(target, joint) { return this.#ask('jointWeights', target, joint); }
}

class RemoteStage {
  #ask;
  constructor(ask, { id, facts, meshes, copies, characters }) {
    Object.assign(this, facts, { meshes });
    this.#show(copies);
    this.#ask = (name, ...values) => ask(name, id, ...values);
    for (const name of passed) this[name] = (...values) => this.#ask(name, ...values);
    this.characters = characters.map(
      (character, i) => new RemoteCharacter((name, ...values) => this.#ask(name, i, ...values), character));
  }
  diagnostics() { return this.#ask('diagnostics'); }
  meshGeometry() { return this.#ask('meshes'); }
  async poseMeshes(time) {
    const { matrices, copies } = await this.#ask('poseMeshes', time);
    this.#show(copies);
    return matrices;
  }
  #show(copies) { copies.forEach((instances, i) => { this.meshes[i].instances = instances; }); }
  dispose() { return this.#ask('dispose'); }
}

/** Starts a Worker with an instance of its own. */
export async function startWorker({ source, worker = new Worker(import.meta.url, { type: 'module' }) } = {}) {
  const waiting = new Map();
  let last = 0;
  const endAll = (error) => {
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  worker.onerror = (event) => endAll(new SinewError({ code: 'crash', message: event.message ?? 'the Worker has failed' }));
  worker.onmessage = ({ data: { id, value, error } }) => {
    const { resolve, reject } = waiting.get(id) ?? {};
    waiting.delete(id);
    if (error) reject?.(new (error.crash ? SinewCrash : SinewError)(error));
    else resolve?.(value);
  };
  const expect = (id) => new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
  const started = expect(0);
  worker.postMessage({ sinewWorker: { source: source instanceof URL ? source.href : source } });
  const facts = await started;
  const ask = (name, ...values) => {
    const answer = expect(++last);
    worker.postMessage({ id: last, name, values });
    return answer;
  };
  return {
    ...facts,
    memoryBytes: () => ask('memoryBytes'),
    open: async (files, root, options) => new RemoteStage(ask, await ask('open', files, root, options)),
    terminate() {
      worker.terminate();
      endAll(new SinewError({ code: 'crash', message: 'the Worker has been ended' }));
    },
  };
}

if (typeof WorkerGlobalScope !== 'undefined' && globalThis instanceof WorkerGlobalScope) {
  globalThis.onmessage = ({ data }) => {
    if (!data.sinewWorker) return;
    serve(globalThis, data.sinewWorker.source).catch((error) =>
      globalThis.postMessage({ id: 0, error: { message: error.message, code: error.code ?? 'crash' } }));
  };
}
