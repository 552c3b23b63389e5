// SPDX-License-Identifier: Apache-2.0
// The page in Chromium: every sample dropped, what it shows, what it says, and what it does not do.
// Pictures are kept in build/web/screenshots.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { pathToFileURL } from 'node:url';
import { bundled, data, nativeTool, requireTool, root, runTool, text, web } from './support.mjs';

const chromium = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
const skip = process.env.SINEW_NO_CHROMIUM ?? (chromium ? false : 'no chromium');
const { serve } = await import(pathToFileURL(join(root, 'examples/web/serve.mjs')));
const { samples } = await import(pathToFileURL(join(root, 'examples/web/files.js')));
const shots = join(web, 'screenshots');
mkdirSync(shots, { recursive: true });

let browser, page, address, server;
const complaints = [];
if (!skip) {
  const { default: puppeteer } = await import(pathToFileURL(requireTool.resolve('puppeteer-core')));
  ({ server, address } = await serve(join(web, 'page')));
  browser = await puppeteer.launch({
    executablePath: chromium, headless: true,
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist'],
  });
  page = await browser.newPage();
  await page.setViewport({ width: 1200, height: 800 });
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(address) && !/^(data|blob):/.test(url)) complaints.push(`request to ${url}`);
  });
  await page.goto(address);
  await page.waitForFunction('window.sinewReady', { timeout: 60_000 });
}
after(async () => {
  await browser?.close();
  server?.close();
});

/** Does something that opens a stage; what the page reports of it. */
async function reported(work) {
  const serial = await page.evaluate('window.sinewReport?.serial ?? 0');
  await work();
  await page.waitForFunction((before) => (window.sinewReport?.serial ?? 0) > before, { timeout: 60_000 }, serial);
  return page.evaluate('window.sinewReport');
}

/** Drops files as a person does; what the page reports of them. */
function drop(files) {
  const given = Object.entries(files).map(([name, bytes]) => [name, Buffer.from(bytes).toString('base64')]);
  return reported(() => page.evaluate((list) => {
    const transfer = new DataTransfer();
    for (const [name, text] of list) {
      transfer.items.add(new File([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))], name));
    }
    document.getElementById('stage').dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }));
  }, given));
}
const read = (...names) => Object.fromEntries(names.map((name) => [name, readFileSync(join(data, name))]));
const picture = async (time) => {
  await page.evaluate((t) => window.sinewPage.setTime(t), time);
  return page.evaluate(() => document.getElementById('canvas').toDataURL());
};

for (const { name, files } of samples) {
  test(`sample: ${name}`, { skip }, async () => {
    const report = await drop(read(...files));
    assert.equal(report.error, null);
    assert.deepEqual(report.missing, []);
    assert.ok(report.prims > 0);
    const counts = { Gecko: ['characters', 1], 'Robot arm': ['bodies', 9], 'Crowd of instances': ['characters', 5] }[name];
    if (counts) assert.ok(report[counts[0]] >= counts[1], `${report[counts[0]]} ${counts[0]}`);
    if (nativeTool()) {
      const text = Object.values(report.masses).map((words) => `${words}\n`).join('') || 'no rigid bodies\n';
      assert.equal(text, runTool('mass', '--explain', files[0]));
    }
    const [first, last] = report.range;
    const one = await picture(first);
    assert.equal(await picture(first), one);
    if (last > first) assert.notEqual(await picture(first + (last - first) * 0.37), one);
    await page.screenshot({ path: join(shots, `${name.toLowerCase().replaceAll(' ', '-')}.png`) });
    assert.deepEqual(complaints.splice(0), []);
  });
}

test('instances are drawn, come and go', { skip }, async () => {
  const report = await drop({ 'many.usda': Buffer.from(`#usda 1.0
    ( startTimeCode = 0
      endTimeCode = 2 )
    def PointInstancer "Many" {
      int[] protoIndices.timeSamples = { 0: [0], 1: [0, 0, 0], 2: [] }
      point3f[] positions.timeSamples = { 0: [(0, 0, 0)], 1: [(0, 0, 0), (3, 0, 0), (6, 0, 0)], 2: [] }
      rel prototypes = </Many/Ball>
      def Sphere "Ball" { color3f[] primvars:displayColor = [(1, 0, 0)]; }
    }
    def Cube "Other" { double3 xformOp:translate = (0, 4, 0); uniform token[] xformOpOrder = ["xformOp:translate"]; }`) });
  assert.equal(report.error, null);
  const redAt = async (time) => {
    await page.evaluate((t) => window.sinewPage.setTime(t), time);
    return page.evaluate(() => {
      const shown = document.getElementById('canvas');
      const copy = Object.assign(document.createElement('canvas'), { width: shown.width, height: shown.height }).getContext('2d');
      copy.drawImage(shown, 0, 0);
      const { data } = copy.getImageData(0, 0, shown.width, shown.height);
      let red = 0;
      for (let i = 0; i < data.length; i += 4) red += data[i] > 2 * data[i + 1] && data[i] > 60;
      return red;
    });
  };
  const [one, three, none, again] = [await redAt(0), await redAt(1), await redAt(2), await redAt(0)];
  assert.ok(one > 0, `${one}`);
  assert.ok(three > 2 * one, `${three} of ${one}`);
  assert.equal(none, 0);
  assert.equal(again, one);
  assert.deepEqual(complaints.splice(0), []);
});

test('what is missing is asked for, and taken when it is dropped', { skip }, async () => {
  const alone = await drop(read('crowd.usda'));
  assert.deepEqual(alone.missing.map((path) => path.split('/').at(-1)), ['character.usda']);
  await page.click('#tab-Diagnostics');
  assert.match(await page.$eval('#panels', (panel) => panel.textContent), /Missing files.*character\.usda.*crowd\.usda:\d+/s);
  const complete = await drop(read('character.usda'));
  assert.deepEqual(complete.missing, []);
  assert.equal(complete.characters, 5);
});

test('a broken file is told, and the scene stays', { skip }, async () => {
  await drop(read('robot_arm.usda'));
  const broken = await drop({ 'broken.usda': Buffer.from('#usda 1.0\ndef Xform "A" {\n  int x = = 3\n}\n') });
  assert.match(broken.error, /broken\.usda:3:/);
  assert.equal(broken.bodies, 9);
  const shown = await page.$eval('#message', (message) => (message.hidden ? '' : message.textContent));
  assert.equal(shown, broken.error);
  assert.match((await drop({ 'notes.txt': Buffer.from('hello') })).error, /None of these files/);
  assert.equal((await drop(read('arm.usda'))).error, null);
  assert.deepEqual(complaints.splice(0), []);
});

test('by keyboard: open a sample, play, select a body, read its mass', { skip }, async () => {
  await page.focus('#sample');
  await page.keyboard.type('Robot');
  await page.waitForFunction("window.sinewReport.file === 'robot_arm.usda' && window.sinewPage.app.sample", { timeout: 20_000 });
  await page.focus('[role=tab][aria-selected=true]');
  while (await page.$eval('[role=tab][aria-selected=true]', (tab) => tab.id !== 'tab-Physics')) await page.keyboard.press('ArrowRight');
  const found = await page.evaluateHandle(() => [...document.querySelectorAll('#panels button.path')].find((b) => b.textContent === '/Arm/shoulder'));
  await found.focus();
  await page.keyboard.press('Enter');
  await page.focus('[role=tab][aria-selected=true]');
  while (await page.$eval('[role=tab][aria-selected=true]', (tab) => tab.id !== 'tab-Mass')) await page.keyboard.press('ArrowRight');
  const words = await page.$eval('#mass-text', (text) => text.textContent);
  assert.equal(words, await page.evaluate("window.sinewReport.masses['/Arm/shoulder']"));
  await page.screenshot({ path: join(shots, 'mass.png') });
  const nameless = await page.evaluate(() => [...document.querySelectorAll('button, select, input:not([hidden])')]
    .filter((e) => !(e.textContent.trim() || e.getAttribute('aria-label') || e.labels?.length)).map((e) => e.outerHTML));
  assert.deepEqual(nameless, []);
});

test('the robot arm is simulated, holds, and is reset', { skip }, async () => {
  await drop(read('robot_arm.usda'));
  await page.click('#simulate');
  await page.waitForFunction('window.sinewPage.app.simulation?.time > 0.2', { timeout: 60_000 });
  const angles = await page.evaluate(() => {
    const { simulation } = window.sinewPage.app;
    simulation.step(2);
    return simulation.physics.joints.filter(({ type }) => type === 'Revolute').map(({ path }) => simulation.jointPosition(path));
  });
  assert.ok(angles.length >= 6 && angles.every((angle) => Math.abs(angle) < 0.05), angles.join());
  await page.screenshot({ path: join(shots, 'simulated-arm.png') });
  await page.click('#reset');
  assert.ok((await page.evaluate('window.sinewPage.app.simulation.time')) < 1);
  await page.click('#tab-Physics');
  assert.match(await page.$eval('#panels', (panel) => panel.textContent), /cannot express/);
  assert.deepEqual(complaints.splice(0), []);
});

const toy = text(`#usda 1.0
( startTimeCode = 0
  endTimeCode = 10 )
def Xform "Toy" ( prepend variantSets = "size"
  variants = { string size = "small" } ) {
  variantSet "size" = {
    "small" {
      def Sphere "Ball" { double radius = 0.2; }
    }
    "large" {
      def Sphere "Ball" { double radius = 0.6; }
      def Cube "Box" { double size = 0.5; }
    }
  }
}
def SkelRoot "Flag" ( prepend apiSchemas = ["SkelBindingAPI"] ) {
  rel skel:skeleton = </Flag/Pole>
  def Skeleton "Pole" ( prepend apiSchemas = ["SkelBindingAPI"] ) {
    uniform token[] joints = ["a"]
    uniform matrix4d[] bindTransforms = [((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))]
    uniform matrix4d[] restTransforms = [((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))]
    rel skel:animationSource = </Flag/Left>
  }
  def SkelAnimation "Left" { uniform token[] joints = ["a"]
    float3[] translations.timeSamples = { 0: [(-1, 0, 0)], 10: [(-2, 0, 0)] }
    quatf[] rotations = [(1, 0, 0, 0)]
    half3[] scales = [(1, 1, 1)]; }
  def SkelAnimation "Right" { uniform token[] joints = ["a"]
    float3[] translations.timeSamples = { 0: [(1, 0, 0)], 10: [(2, 0, 0)] }
    quatf[] rotations = [(1, 0, 0, 0)]
    half3[] scales = [(1, 1, 1)]; }
  def Mesh "Cloth" ( prepend apiSchemas = ["SkelBindingAPI"] ) {
    int[] faceVertexCounts = [3]
    int[] faceVertexIndices = [0, 1, 2]
    point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]
    int[] primvars:skel:jointIndices = [0, 0, 0] ( interpolation = "vertex"
      elementSize = 1 )
    float[] primvars:skel:jointWeights = [1, 1, 1] ( interpolation = "vertex"
      elementSize = 1 )
  }
}
def BasisCurves "Many" {}
`);

/** The <select> whose label begins with a word, in the panel that is shown. */
const selectOf = (word) => page.evaluateHandle((name) =>
  [...document.querySelectorAll('#panels label')].find((label) => label.textContent.startsWith(`${name} `))?.querySelector('select'), word);

test('variants are chosen, and the picture follows', { skip }, async () => {
  const small = await drop({ 'toy.usda': toy });
  assert.equal(small.error, null);
  assert.equal(small.meshes, 1);
  await page.click('#tab-Scene');
  const before = await picture(0);
  const large = await reported(async () => (await selectOf('size')).select('large'));
  assert.equal(large.error, null);
  assert.equal(large.meshes, 2);
  assert.equal(await (await selectOf('size')).evaluate((select) => select.value), 'large');
  assert.notEqual(await picture(0), before);
  const again = await reported(async () => (await selectOf('size')).select('small'));
  assert.equal(again.meshes, 1);
  assert.equal(await picture(0), before);
  assert.deepEqual(complaints.splice(0), []);
});

test('what the picture lacks is listed', { skip }, async () => {
  await drop({ 'toy.usda': toy });
  await page.click('#tab-Scene');
  assert.match(await page.$eval('#panels', (panel) => panel.textContent), /Not in the picture\/Many BasisCurves: curves/);
  await drop(read('arm.usda'));
  assert.doesNotMatch(await page.$eval('#panels', (panel) => panel.textContent), /Not in the picture/);
});

test('clips are chosen, and the character follows', { skip }, async () => {
  await drop({ 'toy.usda': toy });
  await page.click('#tab-Character');
  const firstX = async (time) => {
    await page.evaluate((t) => window.sinewPage.setTime(t), time);
    return page.evaluate(() => window.sinewPage.app.stage.characters[0].targets[0].points[0]);
  };
  assert.ok(Math.abs((await firstX(10)) + 0.02) < 1e-6); // Metres.
  const left = await picture(10);
  const right = await reported(async () => (await selectOf('Clip')).select('/Flag/Right'));
  assert.equal(right.error, null);
  assert.ok(Math.abs((await firstX(10)) - 0.02) < 1e-6);
  assert.notEqual(await picture(10), left);
  assert.equal(await (await selectOf('Clip')).evaluate((select) => select.value), '/Flag/Right');
  assert.deepEqual(complaints.splice(0), []);
});

test('buttons save a .glb and copy summary and link', { skip }, async () => {
  const downloads = join(web, 'downloads');
  rmSync(downloads, { recursive: true, force: true });
  mkdirSync(downloads, { recursive: true });
  const session = await browser.target().createCDPSession();
  await session.send('Browser.setDownloadBehavior', { behavior: 'allow', downloadPath: downloads, eventsEnabled: true });
  await browser.defaultBrowserContext().overridePermissions(address, ['clipboard-read', 'clipboard-write', 'clipboard-sanitized-write']);
  await page.bringToFront();
  await reported(() => page.select('#sample', 'Gecko'));

  const saved = new Promise((good, bad) => {
    session.on('Browser.downloadProgress', ({ state }) => state === 'completed' && good());
    setTimeout(() => bad(new Error('nothing was saved')), 30_000).unref();
  });
  await page.click('#save');
  await saved;
  assert.deepEqual(readdirSync(downloads), ['character.glb']);
  const glb = readFileSync(join(downloads, 'character.glb'));
  assert.equal(glb.toString('latin1', 0, 4), 'glTF');
  assert.equal(glb.readUInt32LE(8), glb.length);

  await page.click('#copy');
  await page.waitForFunction("navigator.clipboard.readText().then((text) => text.startsWith('{'))", { timeout: 10_000 });
  const summary = JSON.parse(await page.evaluate('navigator.clipboard.readText()'));
  assert.equal(summary.file, 'character.usda');
  assert.equal(summary.bytes, bundled('character.usda').length);
  assert.equal(summary.characters, 1);

  await page.click('#link');
  await page.waitForFunction("navigator.clipboard.readText().then((text) => text.startsWith('http'))", { timeout: 10_000 });
  const link = await page.evaluate('navigator.clipboard.readText()');
  assert.equal(link, `${address}#Gecko`);
  const other = await browser.newPage();
  await other.goto(link);
  await other.waitForFunction("window.sinewReport?.file === 'character.usda'", { timeout: 60_000 });
  await other.close();
  await page.bringToFront();
  assert.deepEqual(complaints.splice(0), []);
});

/** Texts of the page whose contrast is below what WCAG 2.2 asks for (level AA), and how many there are. */
function faintTexts() {
  const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const rgba = (color) => {
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = color;
    context.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = context.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = ([r, g, b, a], below) => [r, g, b].map((c, i) => c * a + below[i] * (1 - a));
  const light = (color) => {
    const [r, g, b] = color.map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  // What lies behind the picture's own words is what is drawn; its background is that of the page.
  const behind = (element) => {
    const own = element ? behind(element.parentElement) : rgba('Canvas').slice(0, 3);
    return element ? over(rgba(getComputedStyle(element).backgroundColor), own) : own;
  };
  const faint = [];
  let count = 0;
  for (const element of document.querySelectorAll('body *')) {
    const words = [...element.childNodes].filter((node) => node.nodeType === 3 && node.data.trim());
    const style = getComputedStyle(element);
    if (!words.length || element.closest(':disabled, [aria-hidden=true], option') || !element.checkVisibility({ visibilityProperty: true })) continue;
    const back = behind(element);
    const [a, b] = [light(over(rgba(style.color), back)), light(back)];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    const size = parseFloat(style.fontSize);
    const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    count++;
    if (ratio < (isLarge ? 3 : 4.5)) faint.push(`${words[0].data.trim().slice(0, 40)}: ${ratio.toFixed(2)}`);
  }
  return { faint, count };
}

test('words stand out from what is behind them, in light and in dark', { skip }, async () => {
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'light' }]);
  const faint = [];
  let count = 0;
  for (const theme of ['light', 'dark']) {
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }]);
    await drop({ 'crowd.usda': bundled('crowd.usda') }); // A missing file: an error.
    await drop({ 'broken.usda': text('#usda 1.0\ndef "A" { int x = = 3 }') });
    for (const files of [null, read('robot_arm.usda'), { 'toy.usda': toy }]) {
      if (files) await drop(files);
      for (const panel of ['Scene', 'Character', 'Physics', 'Mass', 'Diagnostics']) {
        await page.click(`#tab-${panel}`);
        const found = await page.evaluate(faintTexts);
        faint.push(...found.faint.map((words) => `${theme}, ${panel}: ${words}`));
        count += found.count;
      }
    }
  }
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'light' }]);
  assert.ok(count > 300, `${count} texts`);
  assert.deepEqual(faint, []);
});

test('a hundred megabytes of spaces', { skip }, async () => {
  await page.evaluate(() => window.sinewPage.open({ 'spaces.usda': new Uint8Array(100 * 1024 * 1024).fill(32) }));
  assert.ok(await page.evaluate('window.sinewReport.error'));
  assert.equal((await drop(read('arm.usda'))).error, null);
});

test('the Worker tells where copies stand, at the start and when they have moved', { skip }, async () => {
  const seen = await page.evaluate(async (source) => {
    const { startWorker } = await import('./sinew/sinew-worker.js');
    const worker = await startWorker();
    const stage = await worker.open({ 'a.usda': new TextEncoder().encode(source) }, 'a.usda');
    const at = () => stage.meshes.map(({ instanced, instances }) => [instanced, instances && [...instances.slice(12, 15)]]);
    const before = at();
    const matrices = await stage.poseMeshes(10);
    const after = at();
    worker.terminate();
    return { before, after, matrices: matrices.length };
  }, `#usda 1.0
( metersPerUnit = 1 )
def Cube "Alone" {}
def PointInstancer "P" {
  int[] protoIndices = [0]
  point3f[] positions.timeSamples = { 0: [(1, 2, 3)], 10: [(4, 5, 6)] }
  rel prototypes = </P/Ball>
  def Sphere "Ball" {}
}
`);
  assert.deepEqual(seen.before, [[false, null], [true, [1, 2, 3]]]);
  assert.deepEqual(seen.after, [[false, null], [true, [4, 5, 6]]]);
  assert.equal(seen.matrices, 32);
});

test('what the graphics card moves holds still before and after its clip', { skip }, async () => {
  const seen = await page.evaluate(async (source) => {
    const { SinewLoader } = await import('./sinew/sinew-three.js');
    const loader = new SinewLoader(undefined, { gpu: true });
    const group = await loader.parse({ 'a.usda': new TextEncoder().encode(source) }, 'a.usda');
    return [-2, 0, 5, 10, 12, 5].map((time) => {
      group.update(time);
      group.updateMatrixWorld(true);
      let x = null;
      group.traverse((object) => { if (object.isMesh) x = object.matrixWorld.elements[12]; });
      return Math.round(1000 * x) / 1000;
    });
  }, `#usda 1.0
( metersPerUnit = 1
  startTimeCode = 0
  endTimeCode = 10 )
def Mesh "M" {
  double3 xformOp:translate.timeSamples = { 0: (0, 0, 0), 10: (1, 0, 0) }
  uniform token[] xformOpOrder = ["xformOp:translate"]
  int[] faceVertexCounts = [3]
  int[] faceVertexIndices = [0, 1, 2]
  point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]
}
`);
  assert.deepEqual(seen, [0, 0, 0.5, 1, 1, 0.5]);
});

test('the Worker gives what the page gives', { skip }, async () => {
  const result = await page.evaluate(async () => {
    const { startWorker } = await import('./sinew/sinew-worker.js');
    const worker = await startWorker();
    const bytes = new Uint8Array(await (await fetch('samples/character.usda')).arrayBuffer());
    const stage = await worker.open({ 'c.usda': bytes }, 'c.usda');
    const { targets } = await stage.characters[0].pose(5);
    let code = null;
    await worker.open({}, 'nothing').catch((error) => { code = error.code; });
    const points = targets.reduce((sum, { points: p }) => sum + p.length, 0);
    await stage.dispose();
    worker.terminate();
    return { points, code };
  });
  assert.ok(result.points >= 3 * 2762);
  assert.equal(result.code, 'not_found');
});

test('on a phone, in the dark, and as one file without a server', { skip }, async () => {
  await page.setViewport({ width: 390, height: 844, deviceScaleFactor: 2, isMobile: true });
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'dark' }]);
  await drop(read('character.usda'));
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  await page.screenshot({ path: join(shots, 'phone-dark.png') });
  const alone = await browser.newPage();
  await alone.goto(pathToFileURL(join(web, 'page/sinew.html')).href + '#Gecko');
  await alone.waitForFunction('window.sinewReport?.characters === 1', { timeout: 60_000 });
  await alone.close();
});
