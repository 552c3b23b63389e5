// SPDX-License-Identifier: Apache-2.0
// Opens and poses files in node, beside tinyusdz and three.js, in turns so that who shares the machine slows
// all alike: node measure.mjs PACKAGE TOOLS FILE...   Prints the best of eight, in milliseconds.
import { readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const [packageFolder, tools, ...files] = process.argv.slice(2);
const rounds = 8;
const from = (path) => import(pathToFileURL(resolve(path)));
const { load } = await from(join(packageFolder, 'sinew.js'));
const sinew = await load();

/** The time of one call, or the reason why it failed. */
function time(work) {
  const begin = performance.now();
  try {
    work();
  } catch (error) {
    return String(error.message ?? error).slice(0, 60);
  }
  return performance.now() - begin;
}

const peers = { Sinew: (bytes, name) => sinew.open({ [name]: bytes }, name).dispose() };
try {
  const { USDLoader } = await from(join(tools, 'node_modules/three/examples/jsm/loaders/USDLoader.js'));
  peers['three.js USDLoader'] = (bytes) => new USDLoader().parse(new TextDecoder().decode(bytes));
} catch (error) {
  console.log(`skipped: three.js USDLoader (${error.message})`);
}
try {
  const folder = resolve(tools, 'node_modules/tinyusdz');
  globalThis.window ??= globalThis; // It is built for browsers alone.
  process.type = 'renderer';
  const { default: start } = await from(join(folder, 'tinyusdz.js'));
  const tiny = await start({ wasmBinary: readFileSync(join(folder, 'tinyusdz.wasm')) });
  peers.tinyusdz = (bytes, name) => {
    const loader = new tiny.TinyUSDZLoaderNative();
    const good = loader.loadFromBinary(bytes, name);
    const error = good ? null : loader.error();
    loader.delete();
    if (!good) throw new Error(error || 'not loaded');
  };
} catch (error) {
  console.log(`skipped: tinyusdz (${error.message})`);
}

console.log(['open and compose, ms'.padEnd(30), ...Object.keys(peers).map((name) => name.padStart(20))].join(''));
for (const file of files) {
  const bytes = new Uint8Array(readFileSync(file));
  const best = Object.fromEntries(Object.keys(peers).map((name) => [name, Infinity]));
  for (let round = 0; round < rounds; round++) {
    for (const [name, open] of Object.entries(peers)) {
      if (typeof best[name] === 'string') continue;
      const took = time(() => open(bytes, basename(file)));
      best[name] = typeof took === 'string' ? took : Math.min(best[name], took);
    }
  }
  const shown = Object.values(best).map((took) => (typeof took === 'string' ? 'fails' : took.toFixed(2)).padStart(20));
  console.log([`${basename(file)}, ${bytes.length}`.padEnd(30), ...shown].join(''));
  for (const [name, took] of Object.entries(best)) if (typeof took === 'string') console.log(`  ${name}: ${took}`);
}

const begin = performance.now();
await load(sinew.module);
console.log(`load() of a compiled module: ${(performance.now() - begin).toFixed(2)} ms`);
for (const file of files) {
  const stage = sinew.open({ [basename(file)]: new Uint8Array(readFileSync(file)) }, basename(file));
  const points = stage.characters.flatMap(({ targets }) => targets).reduce((sum, { pointCount }) => sum + pointCount, 0);
  if (points) {
    const [first, last] = stage.characters[0].range;
    let best = Infinity;
    for (let round = 0; round < 200; round++) {
      const at = first + ((last - first) * (round % 50)) / 50;
      best = Math.min(best, time(() => stage.characters.forEach((character) => character.pose(at))));
    }
    console.log(`${basename(file)}: pose and skin of ${points} points in ${(best * 1000).toFixed(0)} us; ${(sinew.memoryBytes / 1048576).toFixed(2)} MiB`);
  }
  stage.dispose();
}
