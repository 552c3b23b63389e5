// SPDX-License-Identifier: Apache-2.0
// The declarations: TypeScript reads them strictly, a program that uses them right passes, and one that does not fails.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { web } from './support.mjs';

const folder = join(web, 'types');
mkdirSync(folder, { recursive: true });
const config = (file) => ({
  compilerOptions: {
    strict: true, noEmit: true, target: 'es2022', module: 'nodenext', moduleResolution: 'nodenext', lib: ['esnext', 'dom'],
    skipLibCheck: file.endsWith('three.mts'), types: [], exactOptionalPropertyTypes: true,
    paths: { sinew: [join(web, 'sinew/sinew.d.ts')], 'sinew/worker': [join(web, 'sinew/sinew-worker.d.ts')], 'sinew/three': [join(web, 'sinew/sinew-three.d.ts')],
      three: [join(web, 'tools/node_modules/@types/three/index.d.ts')] },
    typeRoots: [],
  },
  files: [file],
});
const compiler = join(web, 'tools/node_modules/typescript/bin/tsc');

function check(name, source) {
  const file = join(folder, name);
  writeFileSync(file, source);
  const project = join(folder, `${name}.json`);
  writeFileSync(project, JSON.stringify(config(file)));
  try {
    execFileSync(process.execPath, [compiler, '-p', project], { encoding: 'utf8', stdio: 'pipe' });
    return '';
  } catch (error) {
    return error.stdout + error.stderr;
  }
}

const program = `
import { load, number, SinewCrash, SinewError, type Stage } from 'sinew';
import { startWorker } from 'sinew/worker';

const sinew = await load(new URL('sinew.wasm', 'https://example.com/'));
const files = { 'a.usda': new Uint8Array() };
let stage: Stage;
try {
  stage = sinew.open(files, 'a.usda', { rules: 'openusd', limits: { prims: 10 }, variants: { '/A': { look: 'red' } } });
} catch (error) {
  if (error instanceof SinewCrash) throw error;
  if (error instanceof SinewError) console.error(error.code, error.line, error.column);
  throw error;
}
const [character] = stage.characters;
if (character) {
  character.pose(character.range[0]);
  const weights: Float32Array = character.blendWeights;
  character.blendWeights = [...weights];
  character.blendWeights = null;
  for (const { points, uv, groups } of character.targets) console.log(points.length, uv?.length, groups[0]?.material);
}
const { rigidBodies, joints } = stage.physics({ si: true });
for (const { mass, steps, text } of stage.masses()) console.log(number(mass), steps[0]?.densitySource === 'water', text);
console.log(rigidBodies[0]?.position[0], joints[0]?.form.dofs.rotX.state === 'limited', stage.collide('/A', '/B').reasons.join());
const glb: Uint8Array = stage.exportGlb({ influences: 8, textures: 'none' });
for (const mesh of stage.meshes) {
  if (mesh.shape?.type === 'sphere') console.log(number(mesh.shape.radius), mesh.matrix[12]);
}
stage.dispose();
const worker = await startWorker({ source: sinew.module });
const remote = await worker.open(files, 'a.usda');
const { targets } = await remote.characters[0]!.pose(1);
console.log(glb.length, targets[0]!.points.length, (await remote.physics()).shapes.length, (await remote.diagnostics())[0]?.hint);
worker.terminate();
`;

test('a program that uses everything passes', () => assert.equal(check('program.mts', program), ''));

test('the adapter for three.js passes', () => assert.equal(check('three.mts', `
import { SinewLoader, buildGroup, shapeGeometry } from 'sinew/three';
const loader = new SinewLoader(undefined, { gpu: true });
const group = await loader.parse({ 'a.usda': new Uint8Array() }, 'a.usda');
group.update(3);
loader.load('a.usdz', (loaded) => loaded.update(1));
console.log(buildGroup, shapeGeometry({ type: 'cube', size: 1 }).attributes);
`), ''));

for (const [what, wrong] of [
  ['an option that is none', `(await load()).open({}, 'a', { rule: 'openusd' });`],
  ['a value that is none', `(await load()).open({}, 'a', { rules: 'mine' });`],
  ['writing what is read', `(await load()).open({}, 'a').primCount = 3;`],
  ['a figure as a number', `const mass: number = (await load()).open({}, 'a').masses()[0]!.mass; console.log(mass);`],
]) {
  test(`${what} is refused`, () => {
    assert.match(check(`wrong-${what.replaceAll(' ', '-')}.mts`, `import { load } from 'sinew';\n${wrong}\n`), /error TS/);
  });
}
