// SPDX-License-Identifier: Apache-2.0
// The page in Chromium: every sample dropped, what it shows, what it says, and what it does not do.
// Pictures are kept in build/web/screenshots.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { pathToFileURL } from 'node:url';
import { data, nativeTool, requireTool, root, runTool, web } from './support.mjs';

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

/** Drops files as a person does; what the page reports of them. */
async function drop(files) {
  const given = Object.entries(files).map(([name, bytes]) => [name, Buffer.from(bytes).toString('base64')]);
  const serial = await page.evaluate('window.sinewReport?.serial ?? 0');
  await page.evaluate((list) => {
    const transfer = new DataTransfer();
    for (const [name, text] of list) {
      transfer.items.add(new File([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))], name));
    }
    document.getElementById('stage').dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }));
  }, given);
  await page.waitForFunction((before) => (window.sinewReport?.serial ?? 0) > before, { timeout: 60_000 }, serial);
  return page.evaluate('window.sinewReport');
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

test('a hundred megabytes of spaces', { skip }, async () => {
  await page.evaluate(() => window.sinewPage.open({ 'spaces.usda': new Uint8Array(100 * 1024 * 1024).fill(32) }));
  assert.ok(await page.evaluate('window.sinewReport.error'));
  assert.equal((await drop(read('arm.usda'))).error, null);
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
