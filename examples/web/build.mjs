// SPDX-License-Identifier: CC0-1.0
// Puts the page together: node build.mjs PACKAGE TOOLS OUT
//   PACKAGE  the npm folder of Sinew; TOOLS  a folder with three and jolt-physics in node_modules.
// OUT is a folder for any server. OUT/sinew.html is the same in one file, which opens without a server.
import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const [packageFolder, tools, out] = process.argv.slice(2);
const here = dirname(fileURLToPath(import.meta.url));
const three = join(tools, 'node_modules', 'three');
const addons = ['controls/OrbitControls.js', 'loaders/GLTFLoader.js', 'utils/BufferGeometryUtils.js', 'utils/SkeletonUtils.js'];

rmSync(out, { recursive: true, force: true });
mkdirSync(join(out, 'vendor'), { recursive: true });
for (const file of readdirSync(here)) {
  if (/\.(js|css|html)$/.test(file)) copyFileSync(join(here, file), join(out, file));
}
cpSync(packageFolder, join(out, 'sinew'), { recursive: true });
for (const file of ['three.module.js', 'three.core.js']) copyFileSync(join(three, 'build', file), join(out, 'vendor', file));
for (const file of addons) {
  mkdirSync(dirname(join(out, 'vendor/addons', file)), { recursive: true });
  copyFileSync(join(three, 'examples/jsm', file), join(out, 'vendor/addons', file));
}
copyFileSync(join(three, 'LICENSE'), join(out, 'vendor', 'LICENSE-three'));
const jolt = join(tools, 'node_modules/jolt-physics');
copyFileSync(join(jolt, 'dist/jolt-physics.wasm-compat.js'), join(out, 'vendor/jolt-physics.wasm-compat.js'));
copyFileSync(join(jolt, 'LICENSE'), join(out, 'vendor', 'LICENSE-jolt'));
const data = join(here, '..', 'data');
const samples = readdirSync(data).filter((file) => file.endsWith('.usda'));
mkdirSync(join(out, 'samples'));
for (const file of samples) copyFileSync(join(data, file), join(out, 'samples', file));

// One file. Modules become data addresses, which know no relative paths: each gets a name instead.
const modules = readdirSync(out, { recursive: true }).map((file) => file.replaceAll('\\', '/')).filter((file) => file.endsWith('.js'));
const nameOf = (from, to) => (to === 'three' ? 'page/vendor/three.module.js'
  : to.startsWith('three/addons/') ? `page/vendor/addons/${to.slice(13)}`
    : to.startsWith('.') ? `page/${join(dirname(from), to).replaceAll('\\', '/')}` : null);
const imports = {};
for (const file of modules) {
  const text = readFileSync(join(out, file), 'utf8').replace(
    /(\bfrom\s*|\bimport\s*\(?\s*)(['"])([^'"\n]+)\2/g,
    (all, before, quote, to) => (nameOf(file, to) ? `${before}${quote}${nameOf(file, to)}${quote}` : all));
  imports[`page/${file}`] = `data:text/javascript;base64,${Buffer.from(text).toString('base64')}`;
}
const wasm = readFileSync(join(packageFolder, 'sinew.wasm')).toString('base64');
const files = Object.fromEntries(samples.map((file) => [`samples/${file}`, readFileSync(join(data, file)).toString('base64')]));
const inline = `
  const bytes = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const files = ${JSON.stringify(files)};
  window.sinewModule = bytes('${wasm}');
  const fetchOther = window.fetch;
  window.fetch = (name, ...more) => (name in files ? Promise.resolve(new Response(bytes(files[name]))) : fetchOther(name, ...more));
  document.addEventListener('DOMContentLoaded', () => import('page/main.js'));`;
const page = readFileSync(join(here, 'index.html'), 'utf8')
  .replace(/<link rel="stylesheet"[^>]*>/, () => `<style>${readFileSync(join(here, 'style.css'), 'utf8')}</style>`)
  .replace(/\{ "imports": .*\}/, () => JSON.stringify({ imports }))
  .replace(/<script type="module" src="main.js"><\/script>/, () => `<script>${inline}</script>`);
writeFileSync(join(out, 'sinew.html'), page);
console.log(`${out}: ${modules.length} modules, ${samples.length} samples, sinew.html has ${page.length} bytes`);
