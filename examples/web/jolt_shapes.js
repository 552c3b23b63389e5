// SPDX-License-Identifier: CC0-1.0
// Colliders of a stage as shapes of Jolt.
import { number } from './sinew/sinew.js';

/** Turns Jolt's shapes, which lie along Y, to an axis of USD: quaternions x, y, z, w. */
const half = Math.SQRT1_2;
const turns = { X: [0, 0, -half, half], Y: [0, 0, 0, 1], Z: [half, 0, 0, half] };
const normals = { X: [1, 0, 0], Y: [0, 1, 0], Z: [0, 0, 1] };

/** Vectors and quaternions that Jolt copies: made, used, destroyed. */
export function makeTemporaries(Jolt) {
  const made = [];
  const keep = (object) => (made.push(object), object);
  return {
    vec: (v) => keep(new Jolt.Vec3(...v.map(number))),
    place: (v) => keep(new Jolt.RVec3(...v.map(number))),
    /** From w, x, y, z. */
    quat: ([w, x, y, z]) => keep(new Jolt.Quat(number(x), number(y), number(z), number(w))),
    xyzw: (q) => keep(new Jolt.Quat(...q)),
    keep,
    free() {
      for (const object of made.splice(0)) Jolt.destroy(object);
    },
  };
}

function hullSettings(Jolt, t, points) {
  const settings = new Jolt.ConvexHullShapeSettings();
  for (let i = 0; i < points.length; i += 3) settings.mPoints.push_back(t.vec([...points.subarray(i, i + 3)]));
  settings.mMaxConvexRadius = 0;
  return settings;
}

function meshSettings(Jolt, t, { points, triangles }) {
  const vertices = t.keep(new Jolt.VertexList());
  const faces = t.keep(new Jolt.IndexedTriangleList());
  for (let i = 0; i < points.length; i += 3) {
    vertices.push_back(t.keep(new Jolt.Float3(points[i], points[i + 1], points[i + 2])));
  }
  for (let i = 0; i < triangles.length; i += 3) {
    faces.push_back(t.keep(new Jolt.IndexedTriangle(triangles[i], triangles[i + 1], triangles[i + 2], 0)));
  }
  return new Jolt.MeshShapeSettings(vertices, faces, t.keep(new Jolt.PhysicsMaterialList()));
}

/**
 * The parts that a collider is made of: settings, and where they are in its frame (x, y, z, and x, y, z, w).
 * @param moves Whether its body moves: triangles are for what stands still.
 * @param tell Called with a sentence for each thing that the engine cannot express.
 */
function partsOf(Jolt, t, stage, shape, index, moves, tell) {
  const n = (name) => Math.abs(number(shape[name]));
  const at = [0, 0, 0];
  const along = turns[shape.axis] ?? turns.Y;
  switch (shape.type) {
    case 'Sphere':
      return [{ settings: new Jolt.SphereShapeSettings(n('radius')), at, turn: turns.Y }];
    case 'Cube':
      return [{ settings: new Jolt.BoxShapeSettings(t.vec(shape.halfExtents.map((h) => Math.abs(number(h)))), 0), at, turn: turns.Y }];
    case 'Capsule':
      return [{ settings: new Jolt.CapsuleShapeSettings(n('halfHeight'), n('radius')), at, turn: along }];
    case 'Cylinder':
      return [{ settings: new Jolt.CylinderShapeSettings(n('halfHeight'), n('radius'), 0), at, turn: along }];
    case 'Capsule1':
    case 'Cylinder1': {
      const [top, bottom, height] = [n('topRadius'), n('bottomRadius'), n('halfHeight')];
      const round = shape.type === 'Capsule1';
      const settings = Math.abs(top - bottom) < 1e-9
        ? round ? new Jolt.CapsuleShapeSettings(height, top) : new Jolt.CylinderShapeSettings(height, top, 0)
        : round ? new Jolt.TaperedCapsuleShapeSettings(height, top, bottom)
          : new Jolt.TaperedCylinderShapeSettings(height, top, bottom, 0);
      return [{ settings, at, turn: along }];
    }
    case 'Plane': {
      const plane = t.keep(new Jolt.Plane(t.vec(normals[shape.axis]), 0));
      return [{ settings: new Jolt.PlaneShapeSettings(plane), at, turn: turns.Y }];
    }
    case 'SpherePoints':
      return shape.spherePoints.map(({ center, radius }) => (
        { settings: new Jolt.SphereShapeSettings(number(radius)), at: center.map(number), turn: turns.Y }));
    case 'Mesh':
      if (shape.box) {
        const { position, rotation: [w, x, y, z], halfExtents } = shape.box;
        const size = t.vec(halfExtents.map((h) => Math.max(1e-4, Math.abs(number(h)))));
        return [{ settings: new Jolt.BoxShapeSettings(size, 0), at: position.map(number), turn: [x, y, z, w] }];
      }
      if (shape.ball) {
        return [{ settings: new Jolt.SphereShapeSettings(number(shape.ball.radius)), at: shape.ball.position.map(number), turn: turns.Y }];
      }
      if (!moves && shape.approximation !== 'convexHull') {
        return [{ settings: meshSettings(Jolt, t, stage.shapeMesh(index)), at, turn: turns.Y }];
      }
      if (shape.approximation !== 'convexHull') {
        tell(`${shape.path}: a mesh that moves collides as its convex hull, not by "${shape.approximation}"`);
      }
      return [{ settings: hullSettings(Jolt, t, stage.shapeMesh(index, 'hull').points), at, turn: turns.Y }];
    case 'Cone':
      return [{ settings: hullSettings(Jolt, t, stage.shapeMesh(index, 'hull').points), at, turn: turns.Y }];
    default:
      tell(`${shape.path}: a collider of type ${shape.type} is left out`);
      return [];
  }
}

/**
 * One Jolt shape of several colliders.
 * @param colliders Of the form { shape, index }, posed in the frame of the body, or of themselves.
 * @param place Whether local poses count; not so for a static collider that is a body of its own.
 * @param center Centre of mass that the shape shall have, or null.
 */
export function makeShape(Jolt, stage, colliders, { place, moves, center, tell }) {
  const t = makeTemporaries(Jolt);
  const compound = new Jolt.StaticCompoundShapeSettings();
  let count = 0;
  for (const { shape, index } of colliders) {
    for (const { settings, at, turn } of partsOf(Jolt, t, stage, shape, index, moves, tell)) {
      const made = settings.Create();
      if (made.HasError()) {
        tell(`${shape.path}: ${made.GetError().c_str()}`);
        continue;
      }
      const part = new Jolt.RotatedTranslatedShapeSettings(t.vec(at), t.xyzw(turn), settings);
      compound.AddShape(
        t.vec(place ? shape.localPos : [0, 0, 0]), t.quat(place ? shape.localRot : [1, 0, 0, 0]), part, index);
      count++;
    }
  }
  const base = count ? compound : new Jolt.EmptyShapeSettings();
  let result = base.Create();
  if (result.HasError()) {
    tell(`${colliders[0].shape.path}: ${result.GetError().c_str()}`);
    result = new Jolt.EmptyShapeSettings().Create();
  }
  let shape = result.Get();
  shape.AddRef();
  if (center) {
    const found = shape.GetCenterOfMass();
    const offset = t.vec([center[0] - found.GetX(), center[1] - found.GetY(), center[2] - found.GetZ()]);
    shape = new Jolt.OffsetCenterOfMassShape(shape, offset);
    shape.AddRef();
  }
  t.free();
  return shape;
}
