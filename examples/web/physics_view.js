// SPDX-License-Identifier: CC0-1.0
// Colliders as translucent shapes, centres of mass and inertia, joints with their limits. In metres.
import {
  BoxGeometry, BufferAttribute, BufferGeometry, CapsuleGeometry, Color, CylinderGeometry, DoubleSide, Group, Line,
  LineBasicMaterial, LineSegments, Matrix4, Mesh, MeshBasicMaterial, MeshStandardMaterial, PlaneGeometry, Quaternion,
  SphereGeometry, Vector3,
} from 'three';
import { shapeGeometry } from './sinew/sinew-three.js';
import { number } from './sinew/sinew.js';

const axes = { X: [1, 0, 0], Y: [0, 1, 0], Z: [0, 0, 1] };
const letters = ['X', 'Y', 'Z'];
const vector = (v) => new Vector3(...v.map(number));
const quaternion = ([w, x, y, z]) => new Quaternion(number(x), number(y), number(z), number(w));

function put(object, position, rotation) {
  object.position.copy(vector(position));
  object.quaternion.copy(quaternion(rotation));
  return object;
}

function triangles({ points, triangles: indices }) {
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(Float32Array.from(points), 3));
  geometry.setIndex(new BufferAttribute(indices, 1));
  const flat = geometry.toNonIndexed();
  flat.computeVertexNormals();
  return flat;
}

/** Exact surfaces of what an engine will see: hulls as hulls. */
function geometryOf(stage, shape, index) {
  const n = (name) => Math.abs(number(shape[name]));
  switch (shape.type) {
    case 'Sphere':
      return new SphereGeometry(n('radius'), 32, 16);
    case 'Cube':
      return new BoxGeometry(...shape.halfExtents.map((half) => 2 * Math.abs(number(half))));
    case 'Capsule':
    case 'Capsule1':
      return shapeGeometry({ type: 'capsule', height: 2 * n('halfHeight'), axis: shape.axis,
        radiusTop: number(shape.topRadius ?? shape.radius), radiusBottom: number(shape.bottomRadius ?? shape.radius) });
    case 'Cylinder':
    case 'Cylinder1':
    case 'Cone':
      return shapeGeometry({ type: 'cylinder', height: 2 * n('halfHeight'), axis: shape.axis,
        radiusTop: shape.type === 'Cone' ? 0 : number(shape.topRadius ?? shape.radius), radiusBottom: number(shape.bottomRadius ?? shape.radius) });
    case 'Plane': {
      const plane = new PlaneGeometry(20, 20);
      return plane.applyQuaternion(new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), new Vector3(...axes[shape.axis])));
    }
    case 'Mesh':
      if (shape.box) {
        const { position, rotation, halfExtents } = shape.box;
        return new BoxGeometry(...halfExtents.map((half) => 2 * number(half))).applyQuaternion(quaternion(rotation)).translate(...position.map(number));
      }
      if (shape.ball) return new SphereGeometry(number(shape.ball.radius), 32, 16).translate(...shape.ball.position.map(number));
      return triangles(stage.shapeMesh(index, shape.approximation.startsWith('convex') ? 'hull' : 'surface'));
    default:
      return triangles(stage.shapeMesh(index, 'hull'));
  }
}

/** A hue of its own for each body. */
const hueOf = (index) => new Color().setHSL((0.08 + index * 0.381966) % 1, 0.55, 0.52);

function line(points, color) {
  const geometry = new BufferGeometry().setFromPoints(points.map((p) => new Vector3(...p)));
  const object = new Line(geometry, new LineBasicMaterial({ color, depthTest: false, transparent: true }));
  object.renderOrder = 9;
  object.userData.isHelper = true;
  return object;
}

/** A joint at its frame: three axes, and the range of what may turn or slide. */
function jointObject(joint, size) {
  const object = put(new Group(), joint.form.frames[0].position, joint.form.frames[0].rotation);
  letters.forEach((letter, i) => {
    const along = axes[letter].map((a) => a * size);
    object.add(line([[0, 0, 0], along], [0xd05050, 0x4fa04f, 0x4f74d0][i]));
    const turn = joint.form.dofs[`rot${letter}`];
    const a = axes[letters[(i + 1) % 3]];
    const b = axes[letters[(i + 2) % 3]];
    if (turn.state !== 'locked' && joint.form.dofs.distance.state === 'free') {
      const limited = turn.state === 'limited';
      const from = limited ? Math.max(-Math.PI, number(turn.lower)) : -Math.PI;
      const to = limited ? Math.min(Math.PI, number(turn.upper)) : Math.PI;
      const at = (angle) => a.map((x, k) => size * 0.7 * (x * Math.cos(angle) + b[k] * Math.sin(angle)));
      const arc = Array.from({ length: 33 }, (_, k) => at(from + ((to - from) * k) / 32));
      object.add(line(limited ? [[0, 0, 0], ...arc, [0, 0, 0]] : arc, 0xd9a520));
      if (turn.drive) object.add(line([[0, 0, 0], at(number(turn.drive.targetPosition))], 0xb04fc0));
    }
    const slide = joint.form.dofs[`trans${letter}`];
    if (slide.state === 'limited') {
      const ends = [slide.lower, slide.upper].map((value) => axes[letter].map((x) => x * Math.max(-10, Math.min(10, number(value)))));
      object.add(line(ends, 0xd9a520));
    }
  });
  return object;
}

/** The ellipsoid of even density with these moments. */
function ellipsoid(mass) {
  const moments = mass.diagonalInertia.map(number);
  const sum = moments[0] + moments[1] + moments[2];
  const half = moments.map((moment) => Math.sqrt(Math.max(1e-9, (5 / (2 * number(mass.mass))) * (sum - 2 * moment))));
  const object = new Mesh(new SphereGeometry(1, 24, 12), new MeshBasicMaterial({ color: 0xb04fc0, wireframe: true, transparent: true, opacity: 0.35 }));
  put(object, mass.centerOfMass, mass.principalAxes);
  object.scale.set(...half);
  object.userData.isHelper = true;
  return object;
}

/** @param group The group of the stage, whose space this shares. */
export function createPhysicsView(group, stage) {
  const physics = stage.physics({ si: true });
  const root = new Group();
  group.add(root);
  const bodies = physics.rigidBodies.map((body) => put(new Group(), body.position, body.rotation));
  const masses = new Group();
  const joints = [];
  root.add(...bodies, masses);
  const colliders = [];
  const parentOf = (body) => (body < 0 ? root : bodies[body]);
  physics.shapes.forEach((shape, index) => {
    if (!shape.isValid) return;
    const isStatic = shape.body < 0 || !physics.rigidBodies[shape.body].rigidBodyEnabled;
    const material = new MeshStandardMaterial({
      color: isStatic ? 0x8d9197 : hueOf(shape.body), transparent: true, opacity: 0.45, depthWrite: false, side: DoubleSide,
      wireframe: !shape.collisionEnabled, roughness: 0.8,
      polygonOffset: true, polygonOffsetFactor: -2, polygonOffsetUnits: -2, // Before the surface that it lies on.
    });
    const object = put(new Mesh(geometryOf(stage, shape, index), material), shape.localPos, shape.localRot);
    object.userData = { path: shape.path, body: shape.rigidBody, collider: true };
    colliders.push(object);
    parentOf(shape.body).add(object);
  });
  const size = Math.min(1, Math.max(0.02, ...colliders.filter(({ geometry }) => geometry.type !== 'PlaneGeometry').slice(0, 50).map(({ geometry }) => {
    geometry.computeBoundingSphere();
    return Math.min(1, geometry.boundingSphere.radius) * 0.6;
  })));
  physics.mass.forEach((mass, i) => {
    const dot = new Mesh(new SphereGeometry(size * 0.12, 12, 8), new MeshBasicMaterial({ color: 0xb04fc0, depthTest: false }));
    dot.position.copy(vector(mass.centerOfMass));
    dot.renderOrder = 8;
    dot.userData.isHelper = true;
    const both = new Group();
    both.add(dot, ellipsoid(mass));
    both.visible = false;
    bodies[i].add(both);
    joints.push({ kind: 'mass', object: both });
  });
  for (const joint of physics.joints.filter(({ isValid }) => isValid)) {
    const object = jointObject(joint, size);
    parentOf(joint.form.bodies[0]).add(object);
    joints.push({ kind: 'joint', object });
  }

  // What is drawn moves with the nearest body above it.
  const starts = physics.rigidBodies.map((body) => new Matrix4().compose(vector(body.position), quaternion(body.rotation), new Vector3(1, 1, 1)));
  const carried = group.userData.meshes.map((object, i) => {
    const path = stage.meshes[i].path;
    let best = -1;
    physics.rigidBodies.forEach((body, b) => {
      const isAbove = path === body.path || path.startsWith(`${body.path}/`);
      if (isAbove && (best < 0 || body.path.length > physics.rigidBodies[best].path.length)) best = b;
    });
    return best < 0 ? null : { object, body: best, fromBody: starts[best].clone().invert().multiply(object.matrix) };
  }).filter(Boolean);

  return {
    physics, root,
    show(kind, yes) {
      if (kind === 'colliders') for (const object of colliders) object.visible = yes;
      for (const item of joints) if (item.kind === kind) item.object.visible = yes;
    },
    select(path) {
      for (const object of colliders) {
        const isChosen = path !== null && (object.userData.path === path || object.userData.body === path);
        object.material.opacity = isChosen ? 0.85 : 0.45;
        object.material.emissive.set(isChosen ? 0x333333 : 0x000000);
      }
    },
    /** Puts all bodies where a function of their number says, or where the file has them. */
    place(poseOf = (i) => physics.rigidBodies[i]) {
      bodies.forEach((object, i) => {
        const { position, rotation } = poseOf(i);
        put(object, position, rotation);
        object.updateMatrix();
      });
      for (const { object, body, fromBody } of carried) {
        object.matrix.multiplyMatrices(bodies[body].matrix, fromBody);
        object.matrixWorldNeedsUpdate = true;
      }
    },
  };
}
