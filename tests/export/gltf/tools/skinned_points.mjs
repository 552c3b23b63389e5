// SPDX-License-Identifier: Apache-2.0
// Where three.js has the points of files: skinned_points.mjs NODE_MODULES FOLDER [MUTANT]
//
// FOLDER holds N.glb and N.json of expected_points. Prints the largest distance of each file as a
// part of its size; the exit status is 1 if one is above the tolerance. A vertex is compared with
// the points that have its position at rest.
//
// MUTANT damages every file before it is read: "transpose" the inverse bind matrices, "drop" the
// keys that were put where weights cross in-betweens, or "shift" the joints of vertices by one. Then
// the exit status is 0 if some file is off.
import {createRequire, register} from 'node:module';
import {existsSync, readFileSync, readdirSync} from 'node:fs';
import {pathToFileURL} from 'node:url';

const [modules, folder, mutant] = process.argv.slice(2);
const three = pathToFileURL(modules + '/three/').href;
globalThis.self = globalThis;
register('data:text/javascript,' + encodeURIComponent(`
export async function resolve(specifier, context, next) {
  if (specifier === 'three') return {url: '${three}build/three.module.js', shortCircuit: true};
  return next(specifier, context);
}`));
const THREE = await import('three');
const {GLTFLoader} = await import(three + 'examples/jsm/loaders/GLTFLoader.js');

function damage(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const jsonLength = view.getUint32(12, true);
  const json = JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20 + jsonLength)));
  const binary = 20 + jsonLength + 8;
  const start = (accessor) => binary + json.bufferViews[accessor.bufferView].byteOffset;
  let changed = 0;
  if (mutant === 'transpose') {
    for (const index of new Set((json.skins ?? []).map((skin) => skin.inverseBindMatrices))) {
      const accessor = json.accessors[index];
      for (let m = 0; m < accessor.count; ++m) {
        const at = start(accessor) + 64 * m;
        // The upper 3x3: the last row must stay for the file to be read.
        for (const [a, b] of [[1, 4], [2, 8], [6, 9]]) {
          const x = view.getFloat32(at + 4 * a, true);
          const y = view.getFloat32(at + 4 * b, true);
          view.setFloat32(at + 4 * a, y, true);
          view.setFloat32(at + 4 * b, x, true);
          changed += x !== y;
        }
      }
    }
  } else if (mutant === 'shift') {
    const done = new Set();
    for (const node of json.nodes ?? []) {
      if (node.skin === undefined) continue;
      const count = json.skins[node.skin].joints.length;
      for (const primitive of json.meshes[node.mesh].primitives) {
        const index = primitive.attributes.JOINTS_0;
        if (index === undefined || done.has(index)) continue;
        done.add(index);
        const accessor = json.accessors[index];
        for (let i = 0; i < 4 * accessor.count; ++i) {
          const wide = accessor.componentType === 5123;
          const at = start(accessor) + i * (wide ? 2 : 1);
          const joint = wide ? view.getUint16(at, true) : view.getUint8(at);
          const next = (joint + 1) % count;
          changed += next !== joint;
          wide ? view.setUint16(at, next, true) : view.setUint8(at, next);
        }
      }
    }
  } else if (mutant === 'drop') {
    // A key whose neighbours tell another value than it has: they are made to tell it.
    for (const animation of json.animations ?? []) {
      for (const channel of animation.channels) {
        if (channel.target.path !== 'weights') continue;
        const sampler = animation.samplers[channel.sampler];
        const times = json.accessors[sampler.input];
        const values = json.accessors[sampler.output];
        const width = values.count / times.count;
        for (let k = 1; k + 1 < times.count; k += 2) {
          const t = [-1, 0, 1].map((d) => view.getFloat32(start(times) + 4 * (k + d), true));
          const part = (t[1] - t[0]) / (t[2] - t[0]);
          for (let i = 0; i < width; ++i) {
            const at = (key) => start(values) + 4 * (key * width + i);
            const a = view.getFloat32(at(k - 1), true);
            const b = view.getFloat32(at(k + 1), true);
            const between = a + (b - a) * part;
            changed += Math.abs(between - view.getFloat32(at(k), true)) > 1e-3;
            view.setFloat32(at(k), between, true);
          }
        }
      }
    }
  }
  return changed;
}

async function compare(name) {
  const bytes = new Uint8Array(readFileSync(`${folder}/${name}.glb`));
  const expected = JSON.parse(readFileSync(`${folder}/${name}.json`, 'utf8'));
  if (mutant && !damage(bytes)) return {changed: false};
  const loader = new GLTFLoader();
  // Pictures need a browser; points do not need pictures.
  loader.register(() => ({name: 'NO_TEXTURES', loadTexture: () => Promise.resolve(null)}));
  const gltf = await new Promise((resolve, reject) => loader.parse(bytes.buffer, '', resolve, reject));
  const mixer = new THREE.AnimationMixer(gltf.scene);
  for (const clip of gltf.animations.slice(0, 1)) {
    const action = mixer.clipAction(clip);
    action.setLoop(THREE.LoopOnce, 1);
    action.clampWhenFinished = true;
    action.play();
  }
  const meshes = new Map();
  gltf.scene.traverse((object) => {
    if (!object.isMesh) return;
    const path = object.userData.usd?.path ?? object.parent?.userData.usd?.path;
    if (!path) return;
    if (!meshes.has(path)) meshes.set(path, []);
    meshes.get(path).push(object);
  });
  const low = new THREE.Vector3(Infinity, Infinity, Infinity);
  const high = new THREE.Vector3(-Infinity, -Infinity, -Infinity);
  const vertex = new THREE.Vector3();
  const wanted = new THREE.Vector3();
  const result = {changed: true, worst: 0, points: 0, where: '', tolerance: expected.tolerance};
  const off = (worst, where) => Object.assign(result, {worst, where});
  for (const time of expected.times) {
    mixer.setTime(time.seconds);
    gltf.scene.updateMatrixWorld(true);
    for (const entry of time.meshes) {
      const objects = meshes.get(entry.path);
      if (!objects) return off(Infinity, `no mesh for ${entry.path}`);
      const key = (x, y, z) => `${Math.fround(x) || 0},${Math.fround(y) || 0},${Math.fround(z) || 0}`;
      const places = new Map();
      for (let p = 0; p < entry.points.length; p += 3) {
        const at = key(entry.rest[p], entry.rest[p + 1], entry.rest[p + 2]);
        if (!places.has(at)) places.set(at, []);
        places.get(at).push(p);
        wanted.fromArray(entry.points, p);
        low.min(wanted);
        high.max(wanted);
      }
      for (const mesh of objects) {
        const position = mesh.geometry.attributes.position;
        for (let i = 0; i < position.count; ++i) {
          const at = places.get(key(position.getX(i), position.getY(i), position.getZ(i)));
          if (!at) return off(Infinity, `${entry.path} vertex ${i} stands nowhere`);
          mesh.getVertexPosition(i, vertex).applyMatrix4(mesh.matrixWorld);
          let nearest = Infinity;
          for (const p of at) nearest = Math.min(nearest, vertex.distanceTo(wanted.fromArray(entry.points, p)));
          ++result.points;
          if (!(nearest <= result.worst)) off(nearest, `${entry.path} vertex ${i} at ${time.seconds} s`);
        }
      }
    }
  }
  const size = high.distanceTo(low);
  if (result.points && size > 0) result.worst /= size;
  return result;
}

let files = 0;
let points = 0;
let worst = 0;
let off = 0;
const names = readdirSync(folder).filter((f) => f.endsWith('.json')).map((f) => f.slice(0, -5));
for (const name of names.sort((a, b) => a - b)) {
  if (!existsSync(`${folder}/${name}.glb`)) continue;
  const source = JSON.parse(readFileSync(`${folder}/${name}.json`, 'utf8')).file;
  const result = await compare(name);
  if (!result.changed) continue;
  ++files;
  points += result.points;
  worst = Math.max(worst, result.worst);
  if (!(result.worst <= result.tolerance)) {
    ++off;
    console.log(`off by ${result.worst.toExponential(2)} of the size: ${source}: ${result.where}`);
  }
}
console.log(`${files} files, ${points} points compared, ${off} files off, ${worst.toExponential(2)} of the size at worst`);
process.exit((mutant ? off > 0 : off === 0 && points > 0) ? 0 : 1);
