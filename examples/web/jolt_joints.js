// SPDX-License-Identifier: CC0-1.0
// Joints of a stage as constraints of Jolt. A joint comes in the form that all types have: what each
// degree of freedom of frame 1 in frame 0 may do.
import { number } from './sinew/sinew.js';
import { makeTemporaries } from './jolt_shapes.js';

const letters = ['X', 'Y', 'Z'];

/** v turned by a quaternion w, x, y, z. */
export function turned([w, x, y, z], v) {
  const c = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  const u = [x, y, z];
  const first = c(u, v);
  const second = c(u, first);
  return v.map((a, i) => a + 2 * (w * first[i] + second[i]));
}

/** The three axes of a joint frame in its body, from `main` on. */
function axesOf(frame, main) {
  const rotation = frame.rotation.map(number);
  return [0, 1, 2].map((i) => turned(rotation, [0, 1, 2].map((k) => (k === (main + i) % 3 ? 1 : 0))));
}

/** Puts what a drive says into a motor. The position that it aims at is moved by `middle`. */
function setMotor(Jolt, motor, drive, isRotation) {
  const spring = motor.mSpringSettings;
  spring.mMode = drive.acceleration
    ? Jolt.ESpringMode_MassNormalizedStiffnessAndDamping
    : Jolt.ESpringMode_StiffnessAndDamping;
  const damping = number(drive.damping);
  // Without any stiffness Jolt takes a spring for a hard one.
  spring.mStiffness = Math.max(number(drive.stiffness), 1e-6 * damping, 1e-9);
  spring.mDamping = damping;
  const limit = Math.min(number(drive.forceLimit), 3e38);
  if (isRotation) {
    motor.mMinTorqueLimit = -limit;
    motor.mMaxTorqueLimit = limit;
  } else {
    motor.mMinForceLimit = -limit;
    motor.mMaxForceLimit = limit;
  }
}

/** The middle of a range that does not hold 0, else 0: Jolt wants 0 inside. */
function middleOf(rule) {
  if (rule.state !== 'limited') return 0;
  const [lower, upper] = [number(rule.lower), number(rule.upper)];
  if (lower <= 0 && upper >= 0) return 0;
  return Number.isFinite(lower) && Number.isFinite(upper) ? (lower + upper) / 2 : Number.isFinite(lower) ? lower : upper;
}

/**
 * Adds a joint to the world.
 * @param ends Two of { body, center }: a Jolt body and the centre of mass in its frame.
 * @return { read } gives the position or angle of a joint with one degree of freedom, else null.
 */
export function addJoint(Jolt, system, joint, ends, tell) {
  const { form } = joint;
  const t = makeTemporaries(Jolt);
  const rule = (kind, i) => form.dofs[kind + letters[i]];
  const all = (kind, state) => letters.every((_, i) => rule(kind, i).state === state);
  const open = (kind) => [0, 1, 2].filter((i) => rule(kind, i).state !== 'locked');
  const point = (side) => form.frames[side].position.map((p, i) => number(p) - ends[side].center[i]);
  const finish = (settings, Type) => {
    settings.mSpace = Jolt.EConstraintSpace_LocalToBodyCOM;
    const constraint = Jolt.castObject(settings.Create(ends[0].body, ends[1].body), Type);
    system.AddConstraint(constraint);
    Jolt.destroy(settings);
    t.free();
    return constraint;
  };
  const setPoints = (settings, first = 'mPoint1', second = 'mPoint2') => {
    settings[first] = t.place(point(0));
    settings[second] = t.place(point(1));
  };
  const setFrames = (settings, main = 0) => {
    for (const side of [0, 1]) {
      const [x, y] = axesOf(form.frames[side], main);
      settings[`mAxisX${side + 1}`] = t.vec(x);
      settings[`mAxisY${side + 1}`] = t.vec(y);
    }
  };
  if (number(joint.breakForce) < 1e37 || number(joint.breakTorque) < 1e37) tell(`${joint.path}: does not break`);

  const distance = form.dofs.distance;
  if (distance.state === 'limited') {
    const settings = new Jolt.DistanceConstraintSettings();
    setPoints(settings);
    settings.mMinDistance = Math.max(0, number(distance.lower));
    settings.mMaxDistance = Math.min(1e6, number(distance.upper));
    finish(settings, Jolt.DistanceConstraint);
    if (distance.drive) tell(`${joint.path}: the drive of the distance is left out`);
    return { read: () => null };
  }
  if (all('trans', 'locked') && all('rot', 'locked')) {
    const settings = new Jolt.FixedConstraintSettings();
    setPoints(settings);
    setFrames(settings);
    finish(settings, Jolt.FixedConstraint);
    return { read: () => null };
  }
  if (all('trans', 'locked') && open('rot').length === 1) return hinge(open('rot')[0]);
  if (all('rot', 'locked') && open('trans').length === 1) return slider(open('trans')[0]);
  if (all('trans', 'locked') && all('rot', 'free') && !Object.values(form.dofs).some((dof) => dof.drive)) {
    const settings = new Jolt.PointConstraintSettings();
    setPoints(settings);
    finish(settings, Jolt.PointConstraint);
    return { read: () => null };
  }
  return general();

  function hinge(main) {
    const dof = rule('rot', main);
    const middle = middleOf(dof);
    const settings = new Jolt.HingeConstraintSettings();
    setPoints(settings);
    const [axis0, normal0, side0] = axesOf(form.frames[0], main);
    const [axis1, normal1] = axesOf(form.frames[1], main);
    settings.mHingeAxis1 = t.vec(axis0);
    settings.mHingeAxis2 = t.vec(axis1);
    settings.mNormalAxis1 = t.vec(normal0.map((n, i) => n * Math.cos(middle) + side0[i] * Math.sin(middle)));
    settings.mNormalAxis2 = t.vec(normal1);
    return single(settings, Jolt.HingeConstraint, dof, middle, true);
  }

  function slider(main) {
    const dof = rule('trans', main);
    const middle = middleOf(dof);
    const settings = new Jolt.SliderConstraintSettings();
    const [axis0, normal0] = axesOf(form.frames[0], main);
    const [axis1, normal1] = axesOf(form.frames[1], main);
    settings.mAutoDetectPoint = false;
    settings.mPoint1 = t.place(point(0).map((p, i) => p + middle * axis0[i]));
    settings.mPoint2 = t.place(point(1));
    settings.mSliderAxis1 = t.vec(axis0);
    settings.mNormalAxis1 = t.vec(normal0);
    settings.mSliderAxis2 = t.vec(axis1);
    settings.mNormalAxis2 = t.vec(normal1);
    return single(settings, Jolt.SliderConstraint, dof, middle, false);
  }

  /** Finishes a joint with one degree of freedom: its limits, its motor and how it is read. */
  function single(settings, Type, dof, middle, isRotation) {
    const [position, velocity] = isRotation ? ['Angle', 'AngularVelocity'] : ['Position', 'Velocity'];
    const most = isRotation ? Math.PI : 1e6;
    if (dof.state === 'limited') {
      const [lower, upper] = [number(dof.lower) - middle, number(dof.upper) - middle];
      if (isRotation && (lower < -most || upper > most)) tell(`${joint.path}: limits beyond half a turn are left out`);
      settings.mLimitsMin = Math.max(-most, lower);
      settings.mLimitsMax = Math.min(most, upper);
    }
    if (dof.drive) setMotor(Jolt, settings.mMotorSettings, dof.drive, isRotation);
    const made = finish(settings, Type);
    if (dof.drive) {
      made[`SetTarget${position}`](number(dof.drive.targetPosition) - middle);
      made[`SetTarget${velocity}`](number(dof.drive.targetVelocity));
      made.SetMotorState(Jolt.EMotorState_PositionAndVelocity);
    }
    return { read: () => made[`GetCurrent${position}`]() + middle };
  }

  function general() {
    // Jolt twists about its first axis and swings about the others.
    const main = joint.axis && joint.type === 'Spherical' ? letters.indexOf(joint.axis) : 0;
    const settings = new Jolt.SixDOFConstraintSettings();
    setPoints(settings, 'mPosition1', 'mPosition2');
    setFrames(settings, main);
    settings.mSwingType = form.cone ? Jolt.ESwingType_Cone : Jolt.ESwingType_Pyramid;
    const driven = [];
    for (const [kind, first] of [['trans', 0], ['rot', 3]]) {
      for (let i = 0; i < 3; i++) {
        const dof = rule(kind, (main + i) % 3);
        const axis = first + i;
        if (dof.state === 'locked') settings.MakeFixedAxis(axis);
        else if (dof.state === 'free') settings.MakeFreeAxis(axis);
        else {
          const most = kind === 'rot' ? Math.PI : 1e6;
          settings.SetLimitedAxis(axis, Math.max(-most, number(dof.lower)), Math.min(most, number(dof.upper)));
        }
        if (dof.drive) {
          setMotor(Jolt, settings.get_mMotorSettings(axis), dof.drive, kind === 'rot');
          driven.push({ kind, i, axis, drive: dof.drive });
        }
      }
    }
    const made = finish(settings, Jolt.SixDOFConstraint);
    if (driven.length) {
      const target = { trans: [0, 0, 0], rot: [0, 0, 0] };
      const speed = { trans: [0, 0, 0], rot: [0, 0, 0] };
      for (const { kind, i, drive } of driven) {
        target[kind][i] = number(drive.targetPosition);
        speed[kind][i] = number(drive.targetVelocity);
      }
      made.SetTargetPositionCS(t.vec(target.trans));
      made.SetTargetVelocityCS(t.vec(speed.trans));
      const angle = Math.hypot(...target.rot);
      const s = angle > 0 ? Math.sin(angle / 2) / angle : 0;
      made.SetTargetOrientationCS(t.xyzw([...target.rot.map((a) => a * s), Math.cos(angle / 2)]));
      made.SetTargetAngularVelocityCS(t.vec(speed.rot));
      for (const { axis } of driven) made.SetMotorState(axis, Jolt.EMotorState_PositionAndVelocity);
      if (driven.filter(({ kind }) => kind === 'rot').length > 1) {
        tell(`${joint.path}: drives about several axes aim at one orientation`);
      }
      t.free();
    }
    return { read: () => null };
  }
}
