// SPDX-License-Identifier: CC0-1.0
// The physics of a stage in Jolt: bodies with the mass that Sinew resolved, colliders, joints with limits
// and drives, filtered pairs. In metres, kilograms and seconds. Knows nothing of a page.
//
// Why Jolt: of the engines with a WebAssembly build it can say what USD says. Its constraints limit and drive
// each of six degrees of freedom, with stiffness, damping, a limit of force, and accelerations instead of
// forces; bodies take any mass, centre and inertia; pairs can be kept apart one by one. Rapier's JavaScript
// interface has drives for joints of one degree of freedom alone, without a limit of force, and no limits for
// spherical joints.
import { number } from './sinew/sinew.js';
import { addJoint, turned } from './jolt_joints.js';
import { makeShape, makeTemporaries } from './jolt_shapes.js';

const still = 0;
const moving = 1;
/** Above so many bodies only jointed pairs are asked about: the question is quadratic. */
const mostPairs = 300;

/** An engine with nothing in it, whose two layers all collide but for what stands still. */
function startEngine(Jolt, bodyCount) {
  const settings = new Jolt.JoltSettings();
  settings.mMaxBodies = Math.max(64, 2 * bodyCount);
  const pairs = new Jolt.ObjectLayerPairFilterTable(2);
  pairs.EnableCollision(still, moving);
  pairs.EnableCollision(moving, moving);
  const layers = new Jolt.BroadPhaseLayerInterfaceTable(2, 2);
  layers.MapObjectToBroadPhaseLayer(still, new Jolt.BroadPhaseLayer(0));
  layers.MapObjectToBroadPhaseLayer(moving, new Jolt.BroadPhaseLayer(1));
  settings.mObjectLayerPairFilter = pairs;
  settings.mBroadPhaseLayerInterface = layers;
  settings.mObjectVsBroadPhaseLayerFilter = new Jolt.ObjectVsBroadPhaseLayerFilterTable(layers, 2, pairs, 2);
  const engine = new Jolt.JoltInterface(settings);
  Jolt.destroy(settings);
  return engine;
}

/** Friction and restitution of the colliders of one body: Jolt has one pair of figures for each. */
function surfaceOf(physics, colliders, tell) {
  const found = colliders.map(({ shape }) => physics.materials[shape.boundMaterial]).filter(Boolean);
  if (found.length && found.some((m) => m.path !== found[0].path || found.length !== colliders.length)) {
    tell(`${colliders[0].shape.path}: its body has several materials, of which ${found[0].path} counts`);
  }
  if (found.some((m) => number(m.staticFriction) !== number(m.dynamicFriction))) {
    tell(`${found[0].path}: dynamic friction holds for standing bodies too`);
  }
  return { friction: found.length ? number(found[0].dynamicFriction) : 0.5, restitution: found.length ? number(found[0].restitution) : 0 };
}

/**
 * @param Jolt The engine, initialised.
 * @param stage A stage of Sinew.
 * @param timeStep Seconds.
 */
export function createSimulation(Jolt, stage, timeStep = 1 / 240) {
  const physics = stage.physics({ si: true });
  const notExpressed = new Set();
  const tell = (sentence) => notExpressed.add(sentence);
  const isFinitePose = ({ position, rotation }) => [...position, ...rotation].every((x) => Number.isFinite(number(x)));

  const colliders = physics.shapes.map((shape, index) => ({ shape, index })).filter(({ shape }) => shape.isValid && shape.collisionEnabled);
  // What is a body of the engine: rigid bodies, then each static collider.
  const units = physics.rigidBodies.map((body, i) => ({
    body, path: body.path, colliders: colliders.filter(({ shape }) => shape.body === i), mass: physics.mass[i],
    position: body.position, rotation: body.rotation,
  })).concat(colliders.filter(({ shape }) => shape.body < 0).map((collider) => ({
    body: null, path: collider.shape.path, colliders: [collider], mass: null,
    position: collider.shape.localPos, rotation: collider.shape.localRot,
  })));
  for (const unit of units) {
    unit.moves = Boolean(unit.body?.rigidBodyEnabled && unit.body.isValid && isFinitePose(unit));
  }

  let engine, bodies, joints, time, left;

  function keepApart(filter) {
    const asked = units.length <= mostPairs
      ? units.flatMap((_, a) => units.slice(a + 1).map((__, k) => [a, a + 1 + k]))
      : physics.joints.map((joint) => joint.form.bodies).filter(([a, b]) => a >= 0 && b >= 0);
    if (units.length > mostPairs) tell(`more than ${mostPairs} bodies: of filters only those of joints are kept`);
    for (const [a, b] of asked) {
      if (!(units[a].moves || units[b].moves) || !units[a].colliders.length || !units[b].colliders.length) continue;
      const { collides, reasons } = stage.collide(units[a].path, units[b].path);
      if (!collides) filter.DisableCollision(a, b);
      else if (reasons.length > 1) tell(`${units[a].path} and ${units[b].path}: filters of single colliders; all of theirs collide`);
    }
  }

  function addBody(system, filter, unit, index) {
    const t = makeTemporaries(Jolt);
    const mass = unit.mass;
    const center = mass ? mass.centerOfMass.map(number) : null;
    const isKinematic = Boolean(unit.body?.kinematicBody);
    const shape = makeShape(Jolt, stage, unit.colliders, { place: Boolean(unit.body), moves: unit.moves && !isKinematic, center: unit.moves ? center : null, tell });
    const motion = !unit.moves ? Jolt.EMotionType_Static : isKinematic ? Jolt.EMotionType_Kinematic : Jolt.EMotionType_Dynamic;
    const settings = new Jolt.BodyCreationSettings(
      shape, t.place(unit.position), t.quat(unit.rotation), motion, unit.moves ? moving : still);
    if (isKinematic) tell(`${unit.path}: a kinematic body stands still`);
    settings.mCollisionGroup = t.keep(new Jolt.CollisionGroup(filter, 0, index));
    const { friction, restitution } = surfaceOf(physics, unit.colliders, tell);
    settings.mFriction = friction;
    settings.mRestitution = restitution;
    settings.mLinearDamping = 0;
    settings.mAngularDamping = 0;
    settings.mMaxLinearVelocity = 1e4;
    settings.mMaxAngularVelocity = 1e3;
    settings.mAllowSleeping = Boolean(unit.body?.startsAsleep);
    settings.mApplyGyroscopicForce = true;
    if (unit.moves) {
      settings.mLinearVelocity = t.vec(unit.body.linearVelocity);
      settings.mAngularVelocity = t.vec(unit.body.angularVelocity);
      // Any that is valid: what counts is set below.
      settings.mOverrideMassProperties = Jolt.EOverrideMassProperties_MassAndInertiaProvided;
      settings.mMassPropertiesOverride.mMass = number(mass.mass);
      settings.mMassPropertiesOverride.mInertia = t.keep(Jolt.Mat44.prototype.sIdentity());
    }
    const body = system.GetBodyInterface().CreateBody(settings);
    if (motion === Jolt.EMotionType_Dynamic) {
      const properties = body.GetMotionProperties();
      properties.SetInverseMass(1 / number(mass.mass));
      properties.SetInverseInertia(
        t.vec(mass.diagonalInertia.map((i) => 1 / Math.max(number(i), 1e-12))), t.quat(mass.principalAxes));
    }
    const asleep = unit.body?.startsAsleep ? Jolt.EActivation_DontActivate : Jolt.EActivation_Activate;
    system.GetBodyInterface().AddBody(body.GetID(), asleep);
    Jolt.destroy(settings);
    t.free();
    // Of what stands still Jolt takes the middle of the colliders.
    const middle = shape.GetCenterOfMass();
    return { body, center: unit.moves && center ? center : [middle.GetX(), middle.GetY(), middle.GetZ()] };
  }

  /** The fixed world, as something that joints can hold. */
  function addWorld(system) {
    const t = makeTemporaries(Jolt);
    const settings = new Jolt.BodyCreationSettings(
      new Jolt.EmptyShapeSettings().Create().Get(), t.place([0, 0, 0]), t.quat([1, 0, 0, 0]), Jolt.EMotionType_Static, still);
    const body = system.GetBodyInterface().CreateBody(settings);
    system.GetBodyInterface().AddBody(body.GetID(), Jolt.EActivation_DontActivate);
    Jolt.destroy(settings);
    t.free();
    return { body, center: [0, 0, 0] };
  }

  function start() {
    engine = startEngine(Jolt, units.length + 1);
    const system = engine.GetPhysicsSystem();
    const gravity = new Jolt.Vec3(...physics.gravity.map(number));
    system.SetGravity(gravity);
    Jolt.destroy(gravity);
    const settings = system.GetPhysicsSettings();
    settings.mMinVelocityForRestitution = 0.05;
    settings.mNumVelocitySteps = 16;
    settings.mNumPositionSteps = 4;
    system.SetPhysicsSettings(settings);
    const filter = new Jolt.GroupFilterTable(units.length);
    filter.AddRef();
    keepApart(filter);
    bodies = units.map((unit, i) => addBody(system, filter, unit, i));
    const world = addWorld(system);
    joints = new Map();
    for (const joint of physics.joints) {
      const [a, b] = joint.form.bodies;
      if (!joint.isValid || !joint.jointEnabled || !joint.form.enabled) continue;
      if (![a, b].some((i) => i >= 0 && units[i].moves)) continue;
      if (joint.type === 'CustomJoint') {
        tell(`${joint.path}: a joint of type ${joint.typeName} is left out`);
        continue;
      }
      joints.set(joint.path, addJoint(Jolt, system, joint, [a, b].map((i) => (i < 0 ? world : bodies[i])), tell));
    }
    if (physics.articulations.length) tell('articulations are solved as ordinary joints');
    system.OptimizeBroadPhase();
    time = 0;
    left = 0;
  }

  function stop() {
    if (engine) Jolt.destroy(engine);
    engine = null;
  }

  start();
  return {
    physics,
    /** Sentences about what the engine cannot express. */
    get notExpressed() { return [...notExpressed]; },
    /** Seconds since the start. */
    get time() { return time; },
    /** Number of rigid bodies that move. */
    movingCount: units.filter((unit) => unit.moves).length,
    /** Lets so many seconds pass, in whole steps; what is left over counts next time. */
    step(seconds) {
      for (left += seconds; left >= timeStep / 2; left -= timeStep) {
        engine.Step(timeStep, 1);
        time += timeStep;
      }
    },
    /** Where a rigid body is: { position, rotation } with w first. */
    pose(index) {
      const body = bodies[index].body;
      const p = body.GetPosition();
      const q = body.GetRotation();
      return { position: [p.GetX(), p.GetY(), p.GetZ()], rotation: [q.GetW(), q.GetX(), q.GetY(), q.GetZ()] };
    },
    /** Where its centre of mass is. */
    center(index) {
      const { position, rotation } = this.pose(index);
      return turned(rotation, bodies[index].center).map((c, i) => c + position[i]);
    },
    /** Position (metres) or angle (radians) of a joint with one degree of freedom; null for others. */
    jointPosition: (path) => joints.get(path)?.read() ?? null,
    reset() {
      stop();
      start();
    },
    dispose: stop,
  };
}
