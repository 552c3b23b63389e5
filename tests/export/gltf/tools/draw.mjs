// SPDX-License-Identifier: Apache-2.0
// A picture of one file in a headless browser: draw.mjs NODE_MODULES FILE.glb CHROMIUM OUT.png
// Serves the page to itself; the exit status is 1 if nothing is drawn, or nothing moves.
import {createServer} from 'node:http';
import {execFile} from 'node:child_process';
import {existsSync, mkdtempSync, readFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';

const [modules, file, chromium, out] = process.argv.slice(2);
const here = dirname(fileURLToPath(import.meta.url));
const page = readFileSync(join(here, 'draw.html'), 'utf8')
  .replace('THREE_MODULE', '/three/build/three.module.js')
  .replace('LOADER_MODULE', '/three/examples/jsm/loaders/GLTFLoader.js')
  .replace('FILE_BYTES', readFileSync(file).toString('base64'));
const server = createServer((request, response) => {
  const path = request.url.split('?')[0];
  if (path === '/') return response.setHeader('Content-Type', 'text/html').end(page);
  const local = join(modules, path);
  if (!local.startsWith(modules) || !existsSync(local)) return response.writeHead(404).end();
  response.setHeader('Content-Type', 'text/javascript').end(readFileSync(local));
});
await new Promise((done) => server.listen(0, '127.0.0.1', done));
const run = (extra) => new Promise((done) => execFile(chromium, [
  '--headless=new', '--no-sandbox', '--disable-gpu-sandbox', '--use-gl=angle', '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader', '--disable-background-networking', '--disable-component-update',
  '--no-first-run', '--hide-scrollbars', '--window-size=800,900', '--virtual-time-budget=60000',
  `--user-data-dir=${mkdtempSync(join(tmpdir(), 'sinew-draw-'))}`, ...extra,
  `http://127.0.0.1:${server.address().port}/`], {timeout: 180000, maxBuffer: 1 << 28},
  (error, text) => done(text ?? '')));
await run([`--screenshot=${out}`]);
const dom = await run(['--dump-dom']);
server.close();
const found = dom.match(/<p id="report">(.*?)<\/p>/);
console.log(found ? found[1] : 'nothing was drawn');
const report = found ? JSON.parse(found[1]) : null;
process.exit(report && report.triangles > 0 && report.first !== report.half && existsSync(out) ? 0 : 1);
