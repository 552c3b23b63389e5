// SPDX-License-Identifier: Apache-2.0
// Conformance through the module: what the tool prints is put together from the interface, in JavaScript,
// and compared with the reference results where they lie beside this checkout; elsewhere with what the
// tool of this machine prints of the bundled files.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { bytesOf, conformance, data, nativeTool, runTool, sinewModule, start } from './support.mjs';

const { number } = sinewModule;
const sinew = await start();
const near = (a, b) => Object.is(a, b) || a === b || Math.abs(a - b) <= 2e-5 + 2e-5 * Math.abs(b);
const value = (x) => (typeof x === 'string' && ['inf', '-inf', 'nan'].includes(x) ? number(x) : x);

/** The first place where `found` lacks or contradicts something of `expected`; null if none. */
function difference(found, expected, path = '') {
  [found, expected] = [value(found), value(expected)];
  if (typeof expected === 'number') {
    if (Number.isNaN(expected)) return Number.isNaN(found) ? null : path;
    return typeof found === 'number' && near(found, expected) ? null : `${path}: ${found} for ${expected}`;
  }
  if (expected === null || typeof expected !== 'object') return found === expected ? null : `${path}: ${JSON.stringify(found)} for ${JSON.stringify(expected)}`;
  if (found === null || typeof found !== 'object') return `${path}: missing`;
  if (Array.isArray(expected) && expected.length !== found.length) return `${path}: ${found.length} items for ${expected.length}`;
  for (const key of Object.keys(expected)) {
    const inside = difference(found[key], expected[key], `${path}/${key}`);
    if (inside) return inside;
  }
  return null;
}

const negated = (q) => q.map((x) => -value(x));
const lists = ['scenes', 'materials', 'collisionGroups', 'rigidBodies', 'shapes', 'joints', 'articulations', 'mass'];
/** Fields that say another thing here than in the tool's JSON, or that several values describe. */
const others = new Set(['linearVelocity', 'angularVelocity', 'spherePoints', 'diagonalInertia', 'principalAxes']);
const turns = new Set(['rotation', 'localRot', 'localPose0Orientation', 'localPose1Orientation']);
const unordered = new Set(['collisions', 'filteredCollisions', 'collisionGroups', 'mergedGroups', 'filteredGroups', 'articulatedJoints',
  'articulatedBodies', 'simulationOwners']);

function comparePhysics(stage, expected) {
  const found = stage.physics();
  for (const list of lists) {
    if (!expected[list]) continue;
    const byPath = new Map(found[list].map((item) => [item.path, item]));
    if (byPath.size !== new Set(expected[list].map(({ path }) => path)).size) return `${list}: ${byPath.size} for ${expected[list].length}`;
    for (const item of expected[list]) {
      const mine = byPath.get(item.path);
      if (!mine) return `${list}: no ${item.path}`;
      for (const field of Object.keys(item)) {
        if (others.has(field)) continue;
        const ordered = (found) => (Array.isArray(found) && unordered.has(field) ? [...found].sort() : found);
        let wrong = difference(ordered(mine[field]), ordered(item[field]), `${item.path}.${field}`);
        if (wrong && turns.has(field)) wrong = difference(negated(mine[field]), item[field], `${item.path}.${field}`);
        if (wrong) return wrong;
      }
    }
  }
  return null;
}

function compareSkel(stage, expected, time) {
  const meters = number(stage.metrics.metersPerUnit);
  if (stage.characters.length !== expected.bindings.length) return `${stage.characters.length} bindings for ${expected.bindings.length}`;
  for (const [i, binding] of expected.bindings.entries()) {
    const character = stage.characters[i];
    if (character.path !== binding.skeleton || character.skelRoot !== binding.skelRoot) return `${character.path} for ${binding.skeleton}`;
    if (!binding.valid) continue;
    const wrong = difference(character.joints, binding.joints, 'joints') ?? difference([...character.parents], binding.parents, 'parents') ??
      difference(character.animation, binding.animationSource, 'animation');
    if (wrong) return wrong;
    character.pose(time);
    const joints = character.jointWorld;
    for (const [joint, matrix] of (binding.jointWorldTransforms ?? []).entries()) {
      for (let i = 0; i < 16; i++) {
        const want = value(matrix[i]) * (i % 4 === 3 ? 1 : meters);
        if (!near(joints[16 * joint + i] / (i % 4 === 3 ? 1 : meters), value(matrix[i])) && !near(joints[16 * joint + i], want)) return `joint ${joint}`;
      }
    }
    if (binding.blendShapeWeights) {
      const weights = difference([...character.blendWeights], binding.blendShapeWeights, 'blendShapeWeights');
      if (weights) return weights;
    }
    const targets = difference(character.targets.map(({ path }) => path).sort(), binding.targets.map(({ path }) => path).sort(), 'targets');
    if (targets) return targets;
  }
  return null;
}

/** Cases of a folder: { name, file, time, expected }. */
function casesOf(folder, kind) {
  return readdirSync(folder).filter((name) => name.includes(`.${kind}`) && name.endsWith('.json')).map((name) => {
    const [stem] = name.split(`.${kind}`);
    const time = /@(.*)\.json$/.exec(name)?.[1];
    const file = ['usda', 'usd', 'usdc', 'usdz'].map((ending) => join(folder, `${stem}.${ending}`)).find(existsSync);
    return { name, file, time: time === undefined || time === 'default' ? undefined : Number(time), expected: JSON.parse(readFileSync(join(folder, name))) };
  }).filter(({ file }) => file);
}

/** Everything beside a file, for its references. */
function openBeside(folder, file, rules) {
  const files = {};
  const walk = (at, prefix) => {
    for (const entry of readdirSync(at, { withFileTypes: true })) {
      if (entry.isDirectory()) walk(join(at, entry.name), `${prefix}${entry.name}/`);
      else if (/\.usd[acz]?$/.test(entry.name)) files[prefix + entry.name] = bytesOf(join(at, entry.name));
    }
  };
  walk(folder, '');
  return sinew.open(files, file.slice(folder.length + 1), { rules });
}

for (const [folder, kind, compare] of [
  ['skel', 'skel', compareSkel], ['skel-documented', 'skel', compareSkel],
  ['physics', 'physics', comparePhysics], ['physics-documented', 'physics', comparePhysics], ['physics-mesh-mass', 'physics', comparePhysics],
]) {
  const at = join(conformance, folder);
  test(`cases of ${folder}`, { skip: existsSync(at) ? false : 'no conformance cases beside this checkout' }, (t) => {
    const cases = casesOf(at, kind);
    const failures = [];
    for (const { name, file, time, expected } of cases) {
      let wrong;
      let stage;
      try {
        stage = openBeside(at, file, folder.endsWith('-documented') ? 'documented' : 'openusd');
        wrong = expected.ok === false ? null : compare(stage, expected, time);
      } catch (error) {
        wrong = expected.ok === false ? null : error.message;
      }
      stage?.dispose();
      if (wrong) failures.push(`${name}: ${wrong}`);
    }
    t.diagnostic(`${folder}: ${cases.length - failures.length} of ${cases.length} cases`);
    assert.ok(cases.length > 0);
    assert.deepEqual(failures, []);
  });
}

const files = readdirSync(data).filter((name) => name.endsWith('.usda'));
test('bundled files as the tool reads them', { skip: nativeTool() ? false : 'no native tool' }, () => {
  for (const file of files) {
    const stage = openBeside(data, join(data, file), 'documented');
    assert.equal(comparePhysics(stage, JSON.parse(runTool('physics', '--json', file))), null, file);
    for (const time of ['1', '8.5']) {
      assert.equal(compareSkel(stage, JSON.parse(runTool('skel', '--json', '--time', time, file)), Number(time)), null, file);
    }
    stage.dispose();
  }
});
