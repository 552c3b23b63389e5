// SPDX-License-Identifier: Apache-2.0
// three.js's USDLoader as a tool of the conformance suite: deformed points (form points).
//
//   npm install three            # in this folder, or in the folder that NODE_PATH_THREE names
//   python3 ../run.py three.mjs --form points --rules openusd
//
// A clip of the file is played on the loaded group, as an application would: the one that the
// skeleton of a mesh names, or the only one. The points of the geometry, which are those of its
// triangles, are mapped back to the points of the prim and to the space in which the root bones
// stand. three.js has no default time, and its triangles of face subsets are not mapped back:
// those are not answered (exit status 77).
import fs from 'node:fs';
import path from 'node:path';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const NOT_ANSWERED = 77;
const [command, file, ...options] = process.argv.slice(2);
const time = options[options.indexOf('--time') + 1];
if (command !== 'points' || time === 'default' || !Number.isFinite(Number(time))) process.exit(NOT_ANSWERED);

const home = process.env.NODE_PATH_THREE ?? path.dirname(new URL(import.meta.url).pathname);
const main = createRequire(pathToFileURL(home + '/')).resolve('three');  // three/build/three.cjs
const inside = (name) => import(pathToFileURL(path.join(path.dirname(main), '..', name)).href);
console.warn = console.log = () => {};  // What the loader says is no part of the result.

const { default: _, ...THREE } = await inside('build/three.module.js');
const { USDLoader } = await inside('examples/jsm/loaders/USDLoader.js');
const { USDComposer } = await inside('examples/jsm/loaders/usd/USDComposer.js');

// What the loader knows about each skinned mesh and does not hand out.
let skinned = [], skeletons = {}, fps = 24;
const corners = new Map();
const build = USDComposer.prototype._buildGeometry;
USDComposer.prototype._buildGeometry = function (prim, fields, ...rest) {
  const triangulate = this._triangulateIndicesWithPattern;
  this._triangulateIndicesWithPattern = (...all) => {
    const result = triangulate.apply(this, all);
    corners.set(prim, { indices: result.indices, count: fields.points.length / 3 });
    return result;
  };
  const geometry = build.call(this, prim, fields, ...rest);
  delete this._triangulateIndicesWithPattern;
  return geometry;
};
const bind = USDComposer.prototype._bindSkeletons;
USDComposer.prototype._bindSkeletons = function () {
  ({ skinnedMeshes: skinned, skeletons, fps } = this);
  return bind.call(this);
};

const bytes = fs.readFileSync(file);
let group;
try {
  group = new USDLoader().parse(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
} catch (error) {
  process.stderr.write(`${error}\n`);
  process.exit(1);
}

const mixer = new THREE.AnimationMixer(group);
const wanted = new Set(Object.values(skeletons).map((skeleton) => skeleton.animationPath?.split('/').pop()));
const clips = group.animations.filter((clip) => clip.name === 'TransformAnimation' || group.animations.length === 1 || wanted.has(clip.name));
for (const clip of clips) {
  const action = mixer.clipAction(clip);
  action.setLoop(THREE.LoopOnce);
  action.clampWhenFinished = true;
  action.play();
}
mixer.setTime(Number(time) / fps);
group.updateMatrixWorld(true);

const meshes = [];
for (const { mesh, path: prim } of skinned) {
  const corner = corners.get(prim);
  if (!corner) process.exit(NOT_ANSWERED);
  if (!mesh.skeleton) continue;
  const root = mesh.skeleton.bones.find((bone) => !bone.parent?.isBone)?.parent;
  const from_world = (root?.matrixWorld ?? new THREE.Matrix4()).clone().invert();
  const points = Array.from({ length: corner.count }, () => null);
  const position = mesh.geometry.attributes.position;
  for (let i = 0; i < corner.indices.length; i++) {
    const point = mesh.applyBoneTransform(i, new THREE.Vector3().fromBufferAttribute(position, i));
    points[corner.indices[i]] = mesh.localToWorld(point).applyMatrix4(from_world).toArray();
  }
  // Points that no face uses are not drawn, so the loader drops them.
  meshes.push({ path: prim, points: points.map((point) => point ?? [0, 0, 0]) });
}
process.stdout.write(JSON.stringify({ meshes }, (_, value) => (typeof value === 'number' && !Number.isFinite(value) ? String(value) : value)) + '\n');
