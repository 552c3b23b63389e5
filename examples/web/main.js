// SPDX-License-Identifier: CC0-1.0
// The page: opens files, plays them, and keeps panels and picture in step. What tests look at is
// window.sinewReport, made anew whenever a stage was opened or could not be.
import { load, SinewCrash } from './sinew/sinew.js';
import { buildGroup } from './sinew/sinew-three.js';
import { h, figure } from './dom.js';
import { chooseRoot, readDropped, readPicked, readSample, samples, save } from './files.js';
import { characterPanel, diagnosticsPanel, massPanel, physicsPanel, scenePanel } from './panels.js';
import { createPhysicsView } from './physics_view.js';
import { createSkeletonView } from './skeleton_view.js';
import { createViewer } from './viewer.js';

const $ = (id) => document.getElementById(id);
const panels = { Scene: scenePanel, Character: characterPanel, Physics: physicsPanel, Mass: massPanel, Diagnostics: diagnosticsPanel };
const calm = matchMedia('(prefers-reduced-motion: reduce)');

const app = {
  sinew: null, stage: null, group: null, skeleton: null, physicsView: null, simulation: null, jolt: null,
  files: new Map(), root: null, options: { variants: {}, animations: {} }, sample: null,
  tree: [], masses: [], physics: null, hasPhysics: false, diagnostics: [], error: null, selected: null,
  time: 0, range: [0, 0], playing: false, simulating: false, panel: 'Scene', openMs: 0, frameUs: 0, weights: new Map(),
  settings: { bones: false, names: false, weights: false, pose: 'animated', colliders: true, joints: true, masses: false, geometry: true },
  select, set, setVariant, setAnimation, setWeight, freeWeights,
};
const viewer = createViewer($('canvas'));

/** The instance, made anew if the last one has ended. */
async function instance() {
  app.sinew ??= await load(window.sinewModule);
  window.sinewModule ??= app.sinew.module;
  return app.sinew;
}

function tell(message) {
  app.error = message;
  $('message').textContent = message ?? '';
  $('message').hidden = !message;
}

/** Opens what is in `files`. The stage that was there stays if this one cannot be opened. */
async function open(files, root, options = { variants: {}, animations: {} }, keepView = false) {
  try {
    if (!root) throw new Error('None of these files is a .usda, .usdc, .usdz or .usd file.');
    const sinew = await instance();
    const begin = performance.now();
    const stage = sinew.open(files, root, options);
    const openMs = performance.now() - begin;
    let made;
    try {
      made = { stage, openMs, tree: stage.tree(), physics: stage.physics(), masses: stage.masses(), group: buildGroup(stage) };
      made.skeleton = createSkeletonView(made.group, stage, $('names'));
      made.hasPhysics = ['rigidBodies', 'shapes', 'joints'].some((kind) => made.physics[kind].length);
      made.physicsView = made.hasPhysics ? createPhysicsView(made.group, stage) : null;
    } catch (error) {
      if (!(error instanceof SinewCrash)) stage.dispose();
      throw error;
    }
    close();
    Object.assign(app, made, { files, root, options, diagnostics: stage.diagnostics, selected: keepView ? app.selected : null });
    tell(null);
    $('hint').hidden = true;
    viewer.content.add(app.group);
    startClock(keepView);
    applySettings();
    if (!keepView) viewer.frame();
  } catch (error) {
    if (error instanceof SinewCrash) {
      app.sinew = null; // The next one gets a fresh instance; what is drawn stays.
      app.stage = null;
    }
    const place = error.line ? ` (${error.file}:${error.line}:${error.column})` : '';
    tell(`${error.message ?? error}${place}`);
  }
  show();
  report();
}

function close() {
  stopSimulation();
  app.simulation?.dispose();
  app.simulation = null;
  if (app.group) {
    viewer.content.remove(app.group);
    app.group.traverse(({ geometry, material }) => {
      geometry?.dispose();
      for (const one of [material].flat()) one?.dispose?.();
    });
  }
  $('names').replaceChildren();
  app.weights.clear();
  if (app.stage && !app.sinew?.dead) app.stage.dispose();
}

// Time

function startClock(keep) {
  const { stage } = app;
  const ranges = stage.characters.map(({ range }) => range).filter(([first, last]) => last > first);
  const { hasTimeCodeRange, startTimeCode, endTimeCode } = stage.metrics;
  app.range = hasTimeCodeRange && endTimeCode > startTimeCode
    ? [startTimeCode, endTimeCode]
    : ranges.length ? [Math.min(...ranges.map(([first]) => first)), Math.max(...ranges.map(([, last]) => last))] : [0, 0];
  const moves = app.range[1] > app.range[0];
  $('clock').hidden = !moves;
  $('simulation').hidden = !app.hasPhysics || !app.physics.rigidBodies.length;
  [$('time').min, $('time').max] = app.range;
  setPlaying(moves && !calm.matches && !keep);
  setTime(keep ? Math.min(Math.max(app.time, app.range[0]), app.range[1]) : app.range[0]);
}

function setTime(time) {
  app.time = time;
  $('time').value = time;
  $('now').textContent = time.toFixed(2);
  if (!app.stage) return;
  const begin = performance.now();
  try {
    for (const [c, weights] of app.weights) app.stage.characters[c].blendWeights = weights;
    app.group.update(time);
    if (app.simulating) placeSimulated();
    else app.physicsView?.place();
    app.skeleton.update(viewer);
  } catch (error) {
    setPlaying(false);
    tell(error.message);
    if (error instanceof SinewCrash) {
      app.sinew = null;
      app.stage = null;
    }
  }
  app.frameUs = (performance.now() - begin) * 1000;
  viewer.ask();
}

function setPlaying(yes) {
  app.playing = yes;
  $('play').setAttribute('aria-pressed', String(yes));
  $('play').textContent = yes ? 'Pause' : 'Play';
}

let last = performance.now();
function tick(now) {
  const seconds = Math.min(0.1, (now - last) / 1000);
  last = now;
  if (app.playing && app.stage) {
    const [first, end] = app.range;
    let time = app.time + seconds * Number($('speed').value) * Number(app.stage.metrics.timeCodesPerSecond);
    if (time > end) {
      if ($('loop').checked) time = first + ((time - first) % (end - first));
      else {
        time = end;
        setPlaying(false);
      }
    }
    setTime(time);
  }
  if (app.simulating) {
    app.simulation.step(seconds);
    placeSimulated();
    viewer.ask();
  }
  if (viewer.draw()) {
    app.skeleton?.update(viewer);
    figures();
  }
  requestAnimationFrame(tick);
}

// Simulation

async function simulate(yes) {
  if (yes && !app.simulation) {
    $('simulate').disabled = true;
    const [{ default: start }, { createSimulation }] = await Promise.all([import('./vendor/jolt-physics.wasm-compat.js'), import('./simulation.js')]);
    app.jolt ??= await start();
    app.simulation = createSimulation(app.jolt, app.stage);
    $('simulate').disabled = false;
    $('reset').disabled = false;
    show();
  }
  app.simulating = yes;
  $('simulate').setAttribute('aria-pressed', String(yes));
  $('simulate').textContent = yes ? 'Pause' : 'Simulate';
}

function placeSimulated() {
  app.physicsView.place((i) => app.simulation.pose(i));
  $('simulated').textContent = `${app.simulation.time.toFixed(2)} s`;
}

function stopSimulation() {
  app.simulating = false;
  $('simulate').setAttribute('aria-pressed', 'false');
  $('simulate').textContent = 'Simulate';
  $('reset').disabled = true;
  $('simulated').textContent = '0.00 s';
}

// What is chosen

function select(path) {
  app.selected = path;
  app.physicsView?.select(path);
  if (app.panel === 'Diagnostics' || app.panel === 'Character') app.panel = 'Scene';
  show();
  viewer.ask();
}

function set(name, value) {
  app.settings[name] = value;
  applySettings();
}

function applySettings() {
  const { settings, group, skeleton, physicsView, stage } = app;
  if (!stage) return;
  skeleton.showBones(settings.bones);
  skeleton.showNames(settings.names);
  if (!settings.weights) skeleton.showWeights(null);
  for (const object of [...group.userData.meshes, ...group.userData.characters.flat()]) {
    object.layers.set(settings.geometry ? 0 : 1);
  }
  physicsView?.show('colliders', settings.colliders);
  physicsView?.show('joint', settings.joints);
  physicsView?.show('mass', settings.masses);
  for (const character of stage.characters) character.show(settings.pose);
  setTime(app.time);
}

function setVariant(path, name, variant) {
  const variants = { ...app.options.variants, [path]: { ...app.options.variants[path], [name]: variant } };
  open(app.files, app.root, { ...app.options, variants }, true);
}

function setAnimation(skeleton, animation) {
  open(app.files, app.root, { ...app.options, animations: { ...app.options.animations, [skeleton]: animation } }, true);
}

function setWeight(character, shape, weight) {
  const weights = app.weights.get(character) ?? Float32Array.from(app.stage.characters[character].blendWeights);
  weights[shape] = weight;
  app.weights.set(character, weights);
  setTime(app.time);
}

function freeWeights(character) {
  app.weights.delete(character);
  app.stage.characters[character].blendWeights = null;
  setTime(app.time);
  show();
}

// Words and figures

function show() {
  const tabs = document.querySelector('nav');
  const focused = document.activeElement?.getAttribute?.('role') === 'tab';
  tabs.replaceChildren(...Object.keys(panels).map((name) => h('button', {
    type: 'button', role: 'tab', id: `tab-${name}`, 'aria-selected': String(name === app.panel), 'aria-controls': 'panels',
    tabIndex: name === app.panel ? 0 : -1,
    onclick: () => {
      app.panel = name;
      show();
    },
  }, name === 'Diagnostics' && app.diagnostics.length ? `${name} (${app.diagnostics.length})` : name)));
  const panel = $('panels');
  panel.setAttribute('role', 'tabpanel');
  panel.setAttribute('aria-labelledby', `tab-${app.panel}`);
  panel.tabIndex = 0;
  const ready = app.stage || app.panel === 'Diagnostics';
  panel.replaceChildren(...(ready ? panels[app.panel](app) : [h('p', { className: 'quiet' }, 'Nothing is open.')]).filter(Boolean));
  if (focused) $(`tab-${app.panel}`).focus();
  for (const id of ['save', 'copy', 'link']) $(id).disabled = !app.stage || (id === 'link' && !app.sample);
}

function summary() {
  const { stage } = app;
  return {
    file: app.root, bytes: stage.byteCount, openMs: Number(app.openMs.toFixed(2)), prims: stage.primCount,
    characters: stage.characters.length, joints: stage.characters.reduce((sum, { joints }) => sum + joints.length, 0),
    points: stage.characters.flatMap(({ targets }) => targets).concat(stage.meshes).reduce((sum, { pointCount }) => sum + (pointCount ?? 0), 0),
    meshes: stage.meshes.length, bodies: app.physics.rigidBodies.length, colliders: app.physics.shapes.length, physicsJoints: app.physics.joints.length,
    missing: stage.missing, diagnostics: app.diagnostics.length, memoryBytes: app.sinew.memoryBytes,
  };
}

function figures() {
  if (!app.stage) return;
  const s = summary();
  $('figures').textContent = `${s.bytes} bytes · opened in ${s.openMs} ms · ${Math.round(app.frameUs)} µs per frame · ${s.points} points · ${figure(s.memoryBytes / 1048576)} MiB of memory`;
}

/** For tests: what is open, and what was said. */
function report() {
  window.sinewReport = {
    serial: (window.sinewReport?.serial ?? 0) + 1, error: app.error,
    ...(app.stage ? { ...summary(), masses: Object.fromEntries(app.masses.map(({ path, text }) => [path, text])), range: app.range } : {}),
  };
}

// Controls

async function guarded(work) {
  try {
    await work();
  } catch (error) {
    tell(error.message ?? String(error));
    show();
    report();
  }
}

/** Files that came: what an open stage misses is added to it, anything else is opened. */
function take(files) {
  app.sample = null;
  const wanted = app.stage?.missing.map((path) => path.split('/').at(-1)) ?? [];
  const completes = [...files.keys()].some((name) => wanted.includes(name.split('/').at(-1)));
  if (completes) return open(new Map([...app.files, ...files]), app.root, app.options, true);
  return open(files, chooseRoot(files));
}

async function openSample(name) {
  const sample = samples.find((one) => one.name === name);
  if (!sample) return;
  const files = await readSample(sample);
  app.sample = sample;
  $('sample').value = name;
  await open(files, sample.files[0]);
}

$('sample').append(h('option', { value: '' }, 'choose…'), ...samples.map(({ name }) => h('option', { value: name }, name)));
$('sample').addEventListener('change', () => guarded(() => openSample($('sample').value)));
$('open').addEventListener('click', () => $('files').click());
$('open-folder').addEventListener('click', () => $('folder').click());
for (const id of ['files', 'folder']) {
  $(id).addEventListener('change', () => guarded(async () => take(await readPicked($(id).files))));
}
for (const type of ['dragover', 'drop', 'dragleave']) {
  document.addEventListener(type, (event) => {
    event.preventDefault();
    $('stage').classList.toggle('over', type === 'dragover');
    if (type === 'drop') guarded(async () => take(await readDropped(event.dataTransfer)));
  });
}
$('play').addEventListener('click', () => setPlaying(!app.playing));
$('time').addEventListener('input', () => {
  setPlaying(false);
  setTime(Number($('time').value));
});
$('simulate').addEventListener('click', () => guarded(() => simulate(!app.simulating)));
$('reset').addEventListener('click', () => {
  app.simulation?.reset();
  placeSimulated();
  viewer.ask();
});
$('save').addEventListener('click', () => guarded(async () =>
  save(app.stage.exportGlb(), `${app.root.split('/').at(-1).replace(/\.[^.]*$/, '')}.glb`, 'model/gltf-binary')));
$('copy').addEventListener('click', () => guarded(() => navigator.clipboard.writeText(JSON.stringify(summary(), null, 2))));
$('link').addEventListener('click', () => guarded(() =>
  navigator.clipboard.writeText(`${location.href.split('#')[0]}#${encodeURIComponent(app.sample.name)}`)));

let pressed = null;
$('canvas').addEventListener('pointerdown', ({ clientX, clientY }) => {
  pressed = [clientX, clientY];
});
$('canvas').addEventListener('pointerup', ({ clientX, clientY }) => {
  if (!pressed || Math.hypot(clientX - pressed[0], clientY - pressed[1]) > 4) return;
  const hit = viewer.pick(clientX, clientY);
  if (!hit) return;
  const { path, body } = hit.object.userData;
  select(app.panel === 'Mass' && body ? body : path);
});
$('canvas').addEventListener('pointermove', ({ clientX, clientY, buttons }) => {
  if (!app.settings.weights || buttons || !app.stage) return;
  const hit = viewer.pick(clientX, clientY);
  app.skeleton.showWeights(hit ? app.skeleton.nearest(app.group.worldToLocal(hit.point).toArray()) : null);
  viewer.ask();
});
document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const tab = event.target.closest?.('[role=tab]');
  if (tab && ['ArrowLeft', 'ArrowRight'].includes(event.key)) {
    const names = Object.keys(panels);
    app.panel = names[(names.indexOf(app.panel) + (event.key === 'ArrowRight' ? 1 : names.length - 1)) % names.length];
    show();
    $(`tab-${app.panel}`).focus();
  }
  if (event.target.closest?.('input, select, button, [role=tabpanel]')) return;
  if (event.key === ' ') {
    event.preventDefault();
    if (!$('clock').hidden) setPlaying(!app.playing);
  } else if (event.key === 'f') viewer.frame();
});

/** For tests and for the curious. */
window.sinewPage = { app, viewer, open: (files, root) => open(new Map(Object.entries(files)), root ?? Object.keys(files)[0]), setTime: (time) => {
  setPlaying(false);
  setTime(time);
  viewer.draw();
}, simulate };

show();
requestAnimationFrame(tick);
guarded(async () => {
  await instance();
  await openSample(decodeURIComponent(location.hash.slice(1)));
  window.sinewReady = true;
});
