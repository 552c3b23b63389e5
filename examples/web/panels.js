// SPDX-License-Identifier: CC0-1.0
// What the page says in words: prims and their opinions, characters, physics, masses, diagnostics.
import { checkbox, choice, facts, figure, h, pathLink } from './dom.js';
import { number } from './sinew/sinew.js';

const mostRows = 500;

/** Rows of a list, with a sentence where there are too many. */
function list(items, row) {
  const shown = items.slice(0, mostRows).map((item) => h('li', {}, row(item)));
  if (items.length > mostRows) shown.push(h('li', { className: 'quiet' }, `and ${items.length - mostRows} more`));
  return h('ul', {}, shown);
}

/** A value in a few words. */
function brief(value) {
  if (value === null) return 'none';
  if (ArrayBuffer.isView(value)) return `${value.length} numbers: ${[...value.slice(0, 6)].map(figure).join(', ')}${value.length > 6 ? ' …' : ''}`;
  const text = JSON.stringify(value);
  return text.length > 120 ? `${text.slice(0, 120)} …` : text;
}

function opinions(found) {
  return list(found, ({ layer, line, path, arcs, wins, note }) => [
    h('b', {}, wins ? 'wins: ' : ''), `${layer}:${line} ${path}`, arcs ? ` by ${arcs}` : '', h('span', { className: 'quiet' }, ` ${note}`)]);
}

/** What a stage may have and the picture lacks. */
const notDrawn = {
  BasisCurves: 'curves', NurbsCurves: 'curves', HermiteCurves: 'curves',
  NurbsPatch: 'surfaces', TetMesh: 'volumes', Volume: 'volumes', Points: 'points',
};

/** The scene: prims, and of the selected one its properties; of a property which layer won. */
export function scenePanel(app) {
  const { stage, selected, select } = app;
  const parts = [h('h2', {}, 'Stage'), facts({
    file: stage.root, prims: stage.primCount, layers: stage.layers.join(', '), 'up axis': stage.metrics.upAxis,
    'metres per unit': stage.metrics.metersPerUnit,
    time: stage.metrics.hasTimeCodeRange ? `${figure(stage.metrics.startTimeCode)} to ${figure(stage.metrics.endTimeCode)}` : 'no range',
  })];
  const withVariants = app.tree.filter(({ variants }) => variants);
  if (withVariants.length) {
    parts.push(h('h2', {}, 'Variants'), list(withVariants, ({ path, variants }) => [pathLink(path, select), ' ',
      Object.entries(variants).map(([set, { selected: now, names }]) =>
        choice(set, names.includes(now) ? names : ['', ...names], now, (variant) => app.setVariant(path, set, variant)))]));
  }
  const missing = app.tree.filter(({ type, active }) => active && type in notDrawn);
  if (missing.length) {
    parts.push(h('h2', {}, 'Not in the picture'), list(missing, ({ path, type }) => [
      pathLink(path, select), h('span', { className: 'quiet' }, ` ${type}: ${notDrawn[type]}`)]));
  }
  const prim = app.tree.find(({ path }) => path === selected);
  if (prim) {
    parts.push(h('h2', {}, prim.path), facts({ type: prim.type || 'none', specifier: prim.specifier }));
    const details = h('div', { 'aria-live': 'polite' });
    parts.push(list(stage.properties(prim.path), ({ name, type, samples, targets }) => {
      const show = () => {
        const path = `${prim.path}.${name}`;
        const value = targets ? null : stage.attribute(path, samples ? app.time : undefined);
        details.replaceChildren(h('h2', {}, path), targets ? list(targets, (target) => pathLink(target, select)) : h('p', {}, brief(value)),
          h('h2', {}, 'Opinions, strongest first'), opinions(stage.explain(path, samples ? app.time : undefined)));
      };
      return [h('button', { type: 'button', className: 'path', onclick: show }, name), h('span', { className: 'quiet' }, ` ${type}${samples ? `, ${samples} samples` : ''}`)];
    }), details, h('h2', {}, 'Opinions about the prim'), opinions(stage.explain(prim.path)));
  }
  parts.push(h('h2', {}, 'Prims'), list(app.tree, ({ path, type, active }) => [
    pathLink(path, select), h('span', { className: 'quiet' }, ` ${type}${active ? '' : ', inactive'}`)]));
  return parts;
}

export function characterPanel(app) {
  const { stage, select, skeleton, settings } = app;
  if (!stage.characters.length) return [h('p', { className: 'quiet' }, 'No mesh of this stage is bound to a skeleton.')];
  const parts = [
    h('div', {}, checkbox('Bones', settings.bones, (yes) => app.set('bones', yes)), checkbox('Joint names', settings.names, (yes) => app.set('names', yes)),
      checkbox('Weights of the joint under the pointer', settings.weights, (yes) => app.set('weights', yes))),
    choice('Pose', ['animated', 'rest', 'bind'], settings.pose, (pose) => app.set('pose', pose)),
  ];
  const animations = app.tree.filter(({ type }) => type === 'SkelAnimation').map(({ path }) => path);
  stage.characters.slice(0, 50).forEach((character, c) => {
    parts.push(h('h2', {}, pathLink(character.path, select)), facts({
      joints: character.joints.length, meshes: character.targets.length,
      points: character.targets.reduce((sum, { pointCount }) => sum + pointCount, 0),
      method: [...new Set(character.targets.map(({ method }) => method))].join(', '),
      clip: character.animation ? pathLink(character.animation, select) : 'none: the rest pose',
      range: character.range.map(figure).join(' to '),
    }));
    if (animations.length > 1) {
      parts.push(choice('Clip', animations, character.animation, (animation) => app.setAnimation(character.path, animation)));
    }
    const shapes = new Map(character.targets.flatMap(({ blendShapes }) => blendShapes.map((shape) => [shape.name, shape])));
    character.blendShapes.forEach((name, i) => {
      const output = h('output', {}, '');
      const between = shapes.get(name)?.inbetweens ?? [];
      const marks = h('datalist', { id: `marks-${c}-${i}` }, between.map(({ weight }) => h('option', { value: number(weight) })));
      const slider = h('input', { type: 'range', min: 0, max: 1, step: 0.01, value: character.blendWeights[i], 'aria-label': `Blend shape ${name}` });
      slider.setAttribute('list', marks.id);
      slider.addEventListener('input', () => {
        app.setWeight(c, i, Number(slider.value));
        output.textContent = Number(slider.value).toFixed(2);
      });
      parts.push(h('label', { className: 'slider' }, `${name}${between.length ? ` (${between.map(({ name: n, weight }) => `${n} at ${figure(weight)}`).join(', ')})` : ''}`, slider, output), marks);
    });
    if (character.blendShapes.length) {
      parts.push(h('button', { type: 'button', onclick: () => app.freeWeights(c) }, 'Weights of the animation'));
    }
    if (c === 0 && skeleton) {
      parts.push(h('h2', {}, 'Joints'), list(character.joints, (joint) => joint));
    }
  });
  return parts;
}

export function physicsPanel(app) {
  const { physics, select, selected, settings, simulation } = app;
  if (!app.hasPhysics) return [h('p', { className: 'quiet' }, 'This stage has no bodies, colliders or joints.')];
  const pathsOf = (items) => items.map(({ path }) => path);
  const parts = [
    h('div', {}, checkbox('Colliders', settings.colliders, (yes) => app.set('colliders', yes)), checkbox('Joints', settings.joints, (yes) => app.set('joints', yes)),
      checkbox('Mass and inertia', settings.masses, (yes) => app.set('masses', yes)), checkbox('Geometry', settings.geometry, (yes) => app.set('geometry', yes))),
    facts({ gravity: physics.gravity, units: `${figure(physics.metersPerUnit)} m, ${figure(physics.kilogramsPerUnit)} kg` }),
    h('h2', {}, `Bodies (${physics.rigidBodies.length})`),
    list(physics.rigidBodies, (body) => [
      h('span', { className: body.path === selected ? 'selected' : '' }, pathLink(body.path, select)),
      h('span', { className: 'quiet' }, ` ${!body.rigidBodyEnabled ? 'disabled' : body.kinematicBody ? 'kinematic' : 'dynamic'}, mass ${figure(physics.mass[physics.rigidBodies.indexOf(body)].mass)}`)]),
    h('h2', {}, `Colliders (${physics.shapes.length})`),
    list(physics.shapes, (shape) => [pathLink(shape.path, select), h('span', { className: 'quiet' },
      ` ${shape.type}${shape.approximation && shape.approximation !== 'none' ? `, ${shape.approximation}` : ''}${shape.rigidBody ? '' : ', static'}${shape.collisionEnabled ? '' : ', disabled'}${shape.isValid ? '' : ', not usable'}`)]),
    h('h2', {}, `Joints (${physics.joints.length})`),
    list(physics.joints, (joint) => {
      const parts = [pathLink(joint.path, select), h('span', { className: 'quiet' }, ` ${joint.type}${joint.isValid ? '' : ', not valid'}`)];
      for (const [dof, rule] of Object.entries(joint.form.dofs)) {
        if (rule.state === 'limited') parts.push(h('div', { className: 'quiet' }, `${dof}: ${figure(rule.lower)} to ${figure(rule.upper)}`));
        if (rule.drive) parts.push(h('div', { className: 'quiet' }, `${dof} is driven to ${figure(rule.drive.targetPosition)}, stiffness ${figure(rule.drive.stiffness)}, damping ${figure(rule.drive.damping)}`));
      }
      return parts;
    }),
  ];
  if (physics.articulations.length) {
    parts.push(h('h2', {}, 'Articulations'), list(physics.articulations, ({ path, rootPrims, articulatedBodies }) => [
      pathLink(path, select), list(rootPrims, (root) => pathLink(root, select)), h('ul', {}, articulatedBodies.filter(Boolean).map((body) => h('li', {}, pathLink(body, select))))]));
  }
  const ends = [...pathsOf(physics.rigidBodies), ...physics.shapes.filter(({ body }) => body < 0).map(({ path }) => path)];
  if (ends.length > 1) {
    const answer = h('output', {}, '');
    const pair = [ends[0], ends[1]];
    const ask = () => {
      try {
        const { collides, reasons } = app.stage.collide(...pair);
        answer.textContent = `${collides ? 'They collide' : 'They do not collide'}: ${reasons.join('; ')}`;
      } catch (error) {
        answer.textContent = error.message;
      }
    };
    const pick = (i) => choice(i ? 'and' : 'Do', ends, pair[i], (path) => {
      pair[i] = path;
      ask();
    });
    parts.push(h('h2', {}, 'Pairs'), h('p', {}, pick(0), ' ', pick(1), ' collide?'), answer);
    ask();
  }
  if (simulation) {
    parts.push(h('h2', {}, 'What the engine (Jolt) cannot express'),
      simulation.notExpressed.length ? list(simulation.notExpressed, (sentence) => sentence) : h('p', { className: 'quiet' }, 'Nothing of this stage.'));
  }
  return parts;
}

/** Steps as a tree. */
function steps(mass, parent, select) {
  const below = mass.steps.map((step, i) => [step, i]).filter(([step]) => step.parent === parent);
  return below.length ? h('ul', {}, below.map(([step, i]) => h('li', {}, pathLink(step.path, select),
    h('div', {}, `adds ${figure(step.share)}`, h('span', { className: 'quiet' },
      ` mass: ${step.massSource}${step.densitySource === 'none' ? '' : `, density ${figure(step.density)} from ${step.densitySource}${step.densityStep >= 0 ? ` of ${mass.steps[step.densityStep].path}` : ''}, volume ${figure(step.volume)}`}, centre ${step.centerSource}, inertia ${step.inertiaSource}${step.ignored.length ? `; passed over: ${step.ignored.join(', ')}` : ''}`)),
    steps(mass, i, select)))) : null;
}

export function massPanel(app) {
  const { masses, selected, select } = app;
  if (!masses.length) return [h('p', { className: 'quiet' }, 'This stage has no rigid bodies.')];
  const isOf = ({ path }) => selected === path || selected?.startsWith(`${path}/`);
  const chosen = masses.filter(isOf).sort((a, b) => b.path.length - a.path.length)[0];
  if (!chosen) return [h('p', {}, 'Select a body to see why it weighs what it weighs.'), list(masses, ({ path }) => pathLink(path, select))];
  return [
    h('h2', {}, pathLink(chosen.path, select)),
    facts({ mass: chosen.mass, 'centre of mass': chosen.centerOfMass, inertia: chosen.diagonalInertia, 'principal axes': chosen.principalAxes }),
    h('h2', {}, 'How it comes about'), steps(chosen, -1, select),
    h('h2', {}, 'In words'), h('pre', { id: 'mass-text' }, chosen.text),
    h('h2', {}, 'Other bodies'), list(masses.filter((mass) => mass !== chosen), ({ path }) => pathLink(path, select)),
  ];
}

export function diagnosticsPanel(app) {
  const { diagnostics, files, stage, select, error } = app;
  const parts = [];
  if (error) parts.push(h('p', { className: 'error' }, error));
  if (stage?.missing.length) {
    const asking = (path) => diagnostics.filter(({ message }) => message.includes(path)).map(({ file, line }) => `${file}${line ? `:${line}` : ''}`);
    parts.push(h('h2', {}, 'Missing files'), list(stage.missing, (path) => [h('b', {}, path), h('span', { className: 'quiet' }, ` ${asking(path).join(', ')}`)]),
      h('p', {}, 'Drop them here; what is open stays.'));
  }
  const lineOf = ({ file, line }) => {
    const bytes = line ? files.get(file) : null;
    return bytes && !/z$/i.test(file) ? new TextDecoder().decode(bytes).split('\n', line)[line - 1] : null;
  };
  if (!diagnostics.length) parts.push(h('p', { className: 'quiet' }, 'Nothing to complain about.'));
  parts.push(list(diagnostics, (d) => {
    const text = lineOf(d);
    return [h('span', { className: d.severity }, d.severity), ` ${d.message} `, h('span', { className: 'quiet' }, `[${d.code}] ${d.file}${d.line ? `:${d.line}:${d.column}` : ''}`),
      d.path ? [' ', pathLink(d.path, select)] : null, d.hint ? h('div', {}, d.hint) : null, text !== null && text !== undefined ? h('pre', {}, text.slice(0, 400)) : null].flat();
  }));
  return parts;
}
