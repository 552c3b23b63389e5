// SPDX-License-Identifier: Apache-2.0
// What the page simulates: analytic cases within 2 %, limits, drives, filtered pairs. In node, by the same modules.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { pathToFileURL } from 'node:url';
import { bundled, bytesOf, requireTool, root, start, text, web } from './support.mjs';

const { createSimulation } = await import(pathToFileURL(join(web, 'page', 'simulation.js')));
const jolt = requireTool.resolve('jolt-physics/package.json').replace('package.json', 'dist/jolt-physics.wasm-compat.js');
const { default: startJolt } = await import(pathToFileURL(jolt));
const Jolt = await startJolt();
const sinew = await start();
const g = 9.81;

const open = (name) => sinew.open({ [name]: bytesOf(join(root, 'tests/web/data', name)) }, name);
const within = (found, expected, part = 0.02) =>
  assert.ok(Math.abs(found - expected) <= part * Math.abs(expected), `${found} for ${expected}`);

test('a pendulum has the period of its length and inertia', () => {
  const stage = open('pendulum.usda');
  const simulation = createSimulation(Jolt, stage);
  // Moment about the end of a rod with a square section.
  const inertia = 2 * ((1 + 0.02 * 0.02) / 12 + 0.25);
  const amplitude = 0.1;
  const period = 2 * Math.PI * Math.sqrt(inertia / (2 * g * 0.5)) * (1 + amplitude ** 2 / 16);
  const crossings = [];
  let before = simulation.center(0)[0];
  within(before, 0.5 * Math.sin(amplitude));
  let most = 0;
  while (simulation.time < 10) {
    simulation.step(1 / 240);
    const now = simulation.center(0)[0];
    most = Math.max(most, Math.abs(now));
    if (before < 0 && now >= 0) crossings.push(simulation.time - (now / (now - before)) / 240);
    before = now;
  }
  const measured = (crossings.at(-1) - crossings[0]) / (crossings.length - 1);
  within(measured, period);
  within(most, 0.5 * Math.sin(amplitude));
  // Where it is after two seconds, as a share of how far it swings.
  simulation.reset();
  simulation.step(2);
  const expected = 0.5 * Math.sin(amplitude * Math.cos((2 * Math.PI * 2) / period));
  assert.ok(Math.abs(simulation.center(0)[0] - expected) < 0.02 * 0.5 * Math.sin(amplitude), `${simulation.center(0)[0]} for ${expected}`);
  simulation.dispose();
  stage.dispose();
});

test('a sliding box stops where friction says', () => {
  const stage = open('sliding_box.usda');
  const simulation = createSimulation(Jolt, stage);
  simulation.step(0.5);
  within(simulation.pose(0).position[0], 3 * 0.5 - 0.5 * 0.3 * g * 0.25);
  simulation.step(1.5);
  within(simulation.pose(0).position[0], 9 / (2 * 0.3 * g));
  within(simulation.pose(0).position[2], 0.25);
  simulation.dispose();
  stage.dispose();
});

test('a ball bounces to the height that its restitution says', () => {
  const stage = open('bouncing_ball.usda');
  const simulation = createSimulation(Jolt, stage);
  const fall = Math.sqrt(2 / g);
  const peaks = [];
  let [older, old] = [1.1, 1.1];
  while (simulation.time < 2) {
    simulation.step(1 / 240);
    const now = simulation.pose(0).position[1];
    if (old > older && old >= now && simulation.time > fall) peaks.push([old, simulation.time - 1 / 240]);
    [older, old] = [old, now];
  }
  within(peaks[0][0] - 0.1, 0.64);
  within(peaks[0][1], fall * (1 + 0.8));
  within(peaks[1][0] - 0.1, 0.64 ** 2, 0.03);
  // Two seconds: on its way after the second bounce.
  const second = fall * (1 + 2 * 0.8);
  const up = 0.64 * Math.sqrt(2 * g);
  const t = 2 - second;
  const expected = t < (2 * up) / g ? up * t - 0.5 * g * t * t : null;
  if (expected !== null) assert.ok(Math.abs(simulation.pose(0).position[1] - 0.1 - expected) < 0.02);
  simulation.dispose();
  stage.dispose();
});

test('the robot arm holds its drives, falls without them, and reaches other targets', () => {
  const original = new TextDecoder().decode(bundled('robot_arm.usda'));
  const run = (layer, seconds) => {
    const stage = sinew.open({ 'arm.usda': text(layer) }, 'arm.usda');
    const simulation = createSimulation(Jolt, stage);
    simulation.step(seconds);
    const found = Object.fromEntries(simulation.physics.joints.map(({ path }) => [path, simulation.jointPosition(path)]));
    const heights = simulation.physics.rigidBodies.map((_, i) => simulation.center(i)[2]);
    const { physics } = simulation;
    simulation.dispose();
    stage.dispose();
    return { found, heights, physics };
  };
  const held = run(original, 2);
  const driven = held.physics.joints.filter(({ form }) => Object.values(form.dofs).some(({ drive }) => drive));
  assert.ok(driven.length >= 6);
  for (const { path, type } of driven) {
    assert.ok(Math.abs(held.found[path]) < (type === 'Prismatic' ? 0.005 : 0.05), `${path} at ${held.found[path]}`);
  }
  const loose = run(original.replace(/.*drive:angular:physics:(stiffness|damping).*\n/g, ''), 2);
  assert.ok(Math.max(...loose.heights) < Math.max(...held.heights) - 0.2, 'it falls');

  const targets = { turntable_joint: 40, shoulder_joint: -30, upper_arm_joint: 50 };
  let moved = original;
  for (const [name, degrees] of Object.entries(targets)) {
    moved = moved.replace(new RegExp(`(def PhysicsRevoluteJoint "${name}"[^{]*\\{\\n)`), `$1        float drive:angular:physics:targetPosition = ${degrees}\n`);
  }
  const reached = run(moved, 3);
  for (const [name, degrees] of Object.entries(targets)) {
    const angle = (reached.found[`/Arm/${name}`] * 180) / Math.PI;
    assert.ok(Math.abs(angle - degrees) < 3, `${name} at ${angle} for ${degrees}`);
  }
});

test('limits hold, distances too, and what is filtered passes through', () => {
  const limited = sinew.open({ 'a.usda': text(`#usda 1.0
    ( metersPerUnit = 1; upAxis = "Z" )
    def Cube "Rod" ( prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI"] ) {
      double size = 0.2
      double3 xformOp:translate = (0.5, 0, 0)
      uniform token[] xformOpOrder = ["xformOp:translate"]
    }
    def PhysicsRevoluteJoint "J" {
      rel physics:body1 = </Rod>
      uniform token physics:axis = "Y"
      point3f physics:localPos1 = (-0.5, 0, 0)
      float physics:lowerLimit = -10
      float physics:upperLimit = 35
    }
    `) }, 'a.usda');
  const swing = createSimulation(Jolt, limited);
  for (let i = 0; i < 100; i++) {
    swing.step(0.02);
    assert.ok(swing.jointPosition('/J') < (35.5 * Math.PI) / 180);
  }
  within(swing.jointPosition('/J'), (35 * Math.PI) / 180);
  swing.dispose();
  limited.dispose();

  const rope = sinew.open({ 'd.usda': bundled('distance_joint.usda') }, 'd.usda');
  const hanging = createSimulation(Jolt, rope);
  const joint = hanging.physics.joints.find(({ type }) => type === 'Distance');
  assert.ok(joint);
  hanging.step(2);
  assert.ok(hanging.physics.rigidBodies.every((_, i) => hanging.pose(i).position.every(Number.isFinite)));
  hanging.dispose();
  rope.dispose();

  const pairs = sinew.open({ 'p.usda': bundled('pair_filtering.usda') }, 'p.usda');
  const passing = createSimulation(Jolt, pairs);
  const bodies = passing.physics.rigidBodies.map(({ path }) => path);
  passing.step(2);
  const [one, two] = ['/World/Box1', '/World/Box2'].map((path) => passing.pose(bodies.indexOf(path)).position);
  const up = passing.physics.upAxis === 'Z' ? 2 : 1;
  assert.ok(Math.abs(one[up] - two[up]) < 0.02, 'both lie on the floor');
  passing.dispose();
  pairs.dispose();
});

test('cones hold whichever axis is theirs, each way by its own angle', () => {
  const triple = (v) => `(${v.join(', ')})`;
  for (const axis of [0, 1, 2]) {
    for (const [way, degrees] of [[1, 20], [2, 50]]) {
      const unit = (i, length = 1) => [0, 1, 2].map((k) => (k === i % 3 ? length : 0));
      // A ball at the end of the cone's axis, twisted about it, and gravity that pulls it aside.
      const stage = sinew.open({ 'a.usda': text(`#usda 1.0
        ( metersPerUnit = 1; upAxis = "Z" )
        def PhysicsScene "S" {
          vector3f physics:gravityDirection = ${triple(unit(axis + way))}
          float physics:gravityMagnitude = 5
        }
        def Sphere "Ball" ( prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI"] ) {
          double radius = 0.2
          double3 xformOp:translate = ${triple(unit(axis))}
          uniform token[] xformOpOrder = ["xformOp:translate"]
        }
        def PhysicsSphericalJoint "J" {
          rel physics:body1 = </Ball>
          uniform token physics:axis = "${'XYZ'[axis]}"
          point3f physics:localPos1 = ${triple(unit(axis, -1))}
          quatf physics:localRot1 = ${triple([0.819152, ...unit(axis, 0.573576)])}
          float physics:coneAngle0Limit = 20
          float physics:coneAngle1Limit = 50
        }
        `) }, 'a.usda');
      const simulation = createSimulation(Jolt, stage);
      simulation.step(6);
      const { position } = simulation.pose(0);
      const swing = (Math.atan2(position[(axis + way) % 3], position[axis]) * 180) / Math.PI;
      assert.ok(Math.abs(swing - degrees) < 1, `${swing} for ${degrees} about ${'XYZ'[axis]}`);
      simulation.dispose();
      stage.dispose();
    }
  }
});

test('joints hold on to bodies that are switched off, wherever their colliders are', () => {
  const stage = sinew.open({ 'a.usda': text(`#usda 1.0
    ( metersPerUnit = 1; upAxis = "Z" )
    def Xform "Post" ( prepend apiSchemas = ["PhysicsRigidBodyAPI"] ) {
      bool physics:rigidBodyEnabled = 0
      def Cube "Far" ( prepend apiSchemas = ["PhysicsCollisionAPI"] ) {
        double size = 0.2
        double3 xformOp:translate = (2, 1, 0)
        uniform token[] xformOpOrder = ["xformOp:translate"]
      }
    }
    def Cube "Load" ( prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI"] ) {
      double size = 0.2
      double3 xformOp:translate = (0, 0, 1)
      uniform token[] xformOpOrder = ["xformOp:translate"]
    }
    def PhysicsFixedJoint "J" {
      rel physics:body0 = </Post>
      rel physics:body1 = </Load>
      point3f physics:localPos0 = (0, 0, 1)
    }
    `) }, 'a.usda');
  const held = createSimulation(Jolt, stage);
  const load = held.physics.rigidBodies.findIndex(({ path }) => path === '/Load');
  held.step(1);
  held.pose(load).position.forEach((x, i) => assert.ok(Math.abs(x - [0, 0, 1][i]) < 1e-3, `${x} along axis ${i}`));
  held.dispose();
  stage.dispose();
});

test('a drive of velocity reaches it, and an acceleration does not care for mass', () => {
  const wheel = (mass, extra) => `#usda 1.0
    ( metersPerUnit = 1; upAxis = "Y" )
    def PhysicsScene "S" {
      float physics:gravityMagnitude = 0
    }
    def Cube "W" ( prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI", "PhysicsMassAPI"] ) {
      float physics:mass = ${mass}
    }
    def PhysicsRevoluteJoint "J" ( prepend apiSchemas = ["PhysicsDriveAPI:angular"] ) {
      rel physics:body1 = </W>
      uniform token physics:axis = "Y"
      ${extra.join('\n      ')}
    }
    `;
  const after = (layer, seconds) => {
    const stage = sinew.open({ 'w.usda': text(layer) }, 'w.usda');
    const simulation = createSimulation(Jolt, stage);
    simulation.step(seconds);
    const first = simulation.jointPosition('/J');
    simulation.step(0.05);
    const speed = (simulation.jointPosition('/J') - first) / 0.05;
    simulation.dispose();
    stage.dispose();
    return { angle: first, speed };
  };
  const velocity = ['float drive:angular:physics:damping = 50', 'float drive:angular:physics:targetVelocity = 90'];
  within(after(wheel(1, velocity), 1).speed, Math.PI / 2);
  const acceleration = ['uniform token drive:angular:physics:type = "acceleration"', 'float drive:angular:physics:stiffness = 4',
    'float drive:angular:physics:damping = 0.5', 'float drive:angular:physics:targetPosition = 60'];
  const [light, heavy] = [after(wheel(1, acceleration), 0.1), after(wheel(1000, acceleration), 0.1)];
  assert.ok(light.angle > 0.001);
  within(heavy.angle, light.angle);
});

test('what the engine cannot express is told', () => {
  const stage = sinew.open({ 'arm.usda': bundled('robot_arm.usda') }, 'arm.usda');
  const simulation = createSimulation(Jolt, stage);
  assert.ok(simulation.notExpressed.some((sentence) => /articulations/.test(sentence)));
  assert.ok(simulation.notExpressed.some((sentence) => /friction/.test(sentence)));
  simulation.dispose();
  stage.dispose();
});
