// SPDX-License-Identifier: Apache-2.0
// Convex hulls, which the module makes by an algorithm of its own: volumes, flat ones, surfaces.
import assert from 'node:assert/strict';
import test from 'node:test';
import { openText, start } from './support.mjs';

const sinew = await start();

/** A body with a hull of points, density 1. */
function bodyOf(points, faces = [[0, 1, 2]]) {
  const list = (items) => items.map((item) => `(${item.join(', ')})`).join(', ');
  return openText(sinew, `#usda 1.0
    ( metersPerUnit = 1 )
    def Mesh "M" ( prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI", "PhysicsMeshCollisionAPI", "PhysicsMassAPI"] ) {
      float physics:density = 1
      uniform token physics:approximation = "convexHull"
      int[] faceVertexCounts = [${faces.map((face) => face.length).join(', ')}]
      int[] faceVertexIndices = [${faces.flat().join(', ')}]
      point3f[] points = [${list(points)}]
    }`);
}

const massOf = (stage) => stage.masses()[0].mass;

/** Signed volume of a closed surface. */
function volumeOf({ points: p, triangles: t }) {
  let volume = 0;
  for (let i = 0; i < t.length; i += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => [...p.slice(3 * t[i + k], 3 * t[i + k] + 3)]);
    volume += (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0])) / 6;
  }
  return volume;
}

test('a tetrahedron weighs a sixth', () => {
  const stage = bodyOf([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]);
  assert.ok(Math.abs(massOf(stage) - 1 / 6) < 1e-9);
  assert.deepEqual(stage.masses()[0].centerOfMass.map((c) => Number(c.toFixed(9))), [0.25, 0.25, 0.25]);
  const hull = stage.shapeMesh(0, 'hull');
  assert.equal(hull.triangles.length, 12);
  assert.ok(Math.abs(volumeOf(hull) - 1 / 6) < 1e-9, 'wound outwards');
  stage.dispose();
});

test('points inside and on the faces of a cube change nothing', () => {
  const cube = [];
  for (const x of [0, 0.5, 1]) for (const y of [0, 0.5, 1]) for (const z of [0, 0.5, 1]) cube.push([x, y, z]);
  const stage = bodyOf(cube);
  assert.ok(Math.abs(massOf(stage) - 1) < 1e-9);
  assert.equal(stage.shapeMesh(0, 'hull').triangles.length, 36);
  stage.dispose();
});

test('a ball of many points comes near its volume, whatever its size', () => {
  for (const radius of [1e-3, 1, 1e4]) {
    const points = [];
    for (let i = 0; i < 2000; i++) {
      const z = 1 - (2 * i + 1) / 2000;
      const turn = i * 2.399963229728653;
      const ring = Math.sqrt(1 - z * z);
      points.push([radius * ring * Math.cos(turn), radius * ring * Math.sin(turn), radius * z]);
    }
    const stage = bodyOf(points);
    const ball = (4 / 3) * Math.PI * radius ** 3;
    assert.ok(massOf(stage) < ball && massOf(stage) > 0.99 * ball, `${massOf(stage)} of ${ball}`);
    const hull = stage.shapeMesh(0, 'hull');
    assert.equal(hull.triangles.length / 3, 2 * 2000 - 4);
    stage.dispose();
  }
});

test('flat, straight and single points have no hull, and no trap', () => {
  const flat = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0.3, 0.4, 0]];
  const tilted = flat.map(([x, y]) => [x, y, x + 2 * y]);
  const straight = [[0, 0, 0], [1, 1, 1], [2, 2, 2], [3, 3, 3]];
  const same = [[1, 1, 1], [1, 1, 1], [1, 1, 1], [1, 1, 1]];
  for (const points of [flat, tilted, straight, same]) {
    const stage = bodyOf(points);
    assert.ok(Number.isFinite(massOf(stage)));
    assert.equal(stage.shapeMesh(0, 'hull').triangles.length, 0);
    assert.ok(stage.diagnostics.some(({ code }) => code.startsWith('physics-')));
    stage.dispose();
  }
});

test('random clouds: no point lies outside of its hull', () => {
  let state = 7;
  const random = () => ((state = (state * 1103515245 + 12345) % 2147483648) / 2147483648) - 0.5;
  for (let round = 0; round < 40; round++) {
    const count = 4 + Math.floor(Math.abs(random()) * 200);
    // Half of them on a grid, where many points share planes.
    const snap = round % 2 ? (x) => Math.round(x * 4) / 4 : (x) => x;
    const points = Array.from({ length: count }, () => [snap(random()), snap(random() * 3), snap(random() * 0.5)]);
    const stage = bodyOf(points);
    const { points: p, triangles: t } = stage.shapeMesh(0, 'hull');
    for (let i = 0; i < t.length; i += 3) {
      const [a, b, c] = [0, 1, 2].map((k) => [...p.slice(3 * t[i + k], 3 * t[i + k] + 3)]);
      const u = b.map((x, k) => x - a[k]);
      const v = c.map((x, k) => x - a[k]);
      const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
      const length = Math.hypot(...n);
      if (length < 1e-9) continue;
      for (const q of points) {
        assert.ok(n.reduce((sum, x, k) => sum + x * (q[k] - a[k]), 0) / length < 1e-6, `round ${round}`);
      }
    }
    stage.dispose();
  }
});
