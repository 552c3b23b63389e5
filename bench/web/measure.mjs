// SPDX-License-Identifier: Apache-2.0
// Measures the module beside tinyusdz and three.js, in this Node and then in headless Chromium:
//   node measure.mjs PACKAGE PEERS TOOLS FILE...
// PEERS: a folder with tinyusdz and three in node_modules; TOOLS: one with puppeteer-core. rows.js says what.
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { measure, peersOf } from './rows.js';

const [packageFolder, peerFolder, tools, ...paths] = process.argv.slice(2).map((path) => resolve(path));
const here = dirname(fileURLToPath(import.meta.url));
const from = (path) => import(pathToFileURL(path));
const files = Object.fromEntries(paths.map((path) => [basename(path), new Uint8Array(readFileSync(path))]));
const print = (line) => console.log(line);

print(`== Node ${process.versions.node}`);
const peers = await peersOf(
  () => from(join(peerFolder, 'node_modules/three/examples/jsm/loaders/USDLoader.js')),
  async () => {
    globalThis.window ??= globalThis; // It is built for browsers alone.
    process.type = 'renderer';
    const { default: start } = await from(join(peerFolder, 'node_modules/tinyusdz/tinyusdz.js'));
    return start({ wasmBinary: readFileSync(join(peerFolder, 'node_modules/tinyusdz/tinyusdz.wasm')) });
  }, print);
const { load } = await from(join(packageFolder, 'sinew.js'));
await measure({ load, peers, files, print });

const chromium = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
if (!chromium) {
  print('skipped: Chromium is not installed');
  process.exit(0);
}
const folder = join(packageFolder, '..', 'bench');
rmSync(folder, { recursive: true, force: true });
mkdirSync(join(folder, 'data'), { recursive: true });
for (const path of paths) copyFileSync(path, join(folder, 'data', basename(path)));
copyFileSync(join(here, 'rows.js'), join(folder, 'rows.js'));
symlinkSync(packageFolder, join(folder, 'sinew'));
symlinkSync(join(peerFolder, 'node_modules'), join(folder, 'peers'));
writeFileSync(join(folder, 'index.html'), `<!doctype html>
<meta charset="utf-8" /><title>Measuring</title><link rel="icon" href="data:," />
<script type="importmap">{ "imports": { "three": "./peers/three/build/three.module.js", "three/addons/": "./peers/three/examples/jsm/" } }</script>
<script type="module">
  import { measure, peersOf } from './rows.js';
  import { load } from './sinew/sinew.js';
  const print = (line) => window.tell(line);
  const bytes = async (path) => new Uint8Array(await (await fetch(path)).arrayBuffer());
  try {
    const peers = await peersOf(() => import('three/addons/loaders/USDLoader.js'),
      async () => (await import('./peers/tinyusdz/tinyusdz.js')).default(), print);
    const files = {};
    for (const name of ${JSON.stringify(Object.keys(files))}) files[name] = await bytes('data/' + name);
    await measure({ load, peers, files, print });
    window.outcome = 'done';
  } catch (error) {
    window.outcome = String(error?.stack ?? error);
  }
</script>`);
const { serve } = await from(join(here, '../../examples/web/serve.mjs'));
const { default: puppeteer } = await from(createRequire(join(tools, 'package.json')).resolve('puppeteer-core'));
const { server, address } = await serve(folder);
const browser = await puppeteer.launch({ executablePath: chromium, headless: true, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
let outcome;
try {
  print(`== ${await browser.version()}, headless`);
  const page = await browser.newPage();
  await page.exposeFunction('tell', print);
  await page.goto(address);
  await page.waitForFunction('window.outcome', { timeout: 600_000 });
  outcome = await page.evaluate('window.outcome');
} finally {
  await browser.close();
  server.close();
}
if (outcome !== 'done') {
  console.error(outcome);
  process.exitCode = 1;
}
