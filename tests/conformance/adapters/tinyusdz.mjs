// SPDX-License-Identifier: Apache-2.0
// tinyusdz as a tool of the conformance suite: verdicts on layers, and stages.
//
//   npm install tinyusdz         # in this folder, or in the folder that NODE_PATH_TINYUSDZ names
//   python3 ../run.py tinyusdz.mjs --serve --form parse,damage --rules openusd
//   SINEW=path/to/sinew python3 ../run.py tinyusdz.mjs --serve --form stage --rules openusd
//
// A verdict is whether the layer loads (loadAsLayerFromBinary). For a stage, the layer is composed by
// the calls of TinyUSDZComposer, in the order of strength and as long as there are arcs left, and
// printed by tinyusdz as text; that text is turned into JSON by the tool that SINEW names. What the
// WebAssembly build has no call for is not answered (exit status 77).
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import readline from 'node:readline';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const NOT_ANSWERED = 77;
const home = process.env.NODE_PATH_TINYUSDZ ?? path.dirname(new URL(import.meta.url).pathname);
const script = createRequire(pathToFileURL(home + '/')).resolve('tinyusdz');
// The package is built for browsers, and asks what it runs in.
globalThis.window = globalThis;
process.type = 'renderer';
const { default: instantiate } = await import(pathToFileURL(script).href);
const quiet = () => {};
const module = await instantiate({ wasmBinary: fs.readFileSync(path.join(path.dirname(script), 'tinyusdz.wasm')), print: quiet, printErr: quiet });

const read = (name) => fs.readFileSync(name);
const list = (vector) => (Array.isArray(vector) ? vector : Array.from({ length: vector.size() }, (_, i) => vector.get(i)));
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'suite-'));
process.on('exit', () => fs.rmSync(scratch, { recursive: true, force: true }));

function compose(loader, file) {
  const folder = path.dirname(file);
  const provide = (names) => {
    for (const name of list(names)) {
      const at = path.resolve(folder, name);
      if (!loader.hasAsset(name) && fs.existsSync(at) && fs.statSync(at).isFile()) loader.setAsset(name, read(at));
    }
  };
  // Arcs bring further arcs; a chain longer than this is none of the suite's.
  for (let i = 0; i < 16; i++) {
    let left = false;
    provide(loader.extractSublayerAssetPaths());
    if (i === 0) loader.composeSublayers();
    if (loader.hasReferences()) { provide(loader.extractReferencesAssetPaths()); left = loader.composeReferences() || left; }
    if (loader.hasPayload()) { provide(loader.extractPayloadAssetPaths()); left = loader.composePayload() || left; }
    if (loader.hasInherits()) left = loader.composeInherits() || left;
    if (loader.hasVariants()) left = loader.composeVariants() || left;
    if (!left) break;
  }
}

function answer([command, file, ...options]) {
  const parse = command === 'check' && options.includes('--parse-only');
  if ((!parse && command !== 'stage') || (command === 'stage' && !process.env.SINEW)) return { status: NOT_ANSWERED, stdout: '', stderr: '' };
  const loader = new module.TinyUSDZLoaderNative();
  try {
    if (!loader.loadAsLayerFromBinary(read(file), path.basename(file)) || !loader.ok()) return { status: 1, stdout: '', stderr: `${loader.error()}\n` };
    if (parse) return { status: 0, stdout: '', stderr: '' };
    compose(loader, file);
    const text = path.join(scratch, 'composed.usda');
    fs.writeFileSync(text, loader.layerToString());
    const made = spawnSync(process.env.SINEW, ['stage', text, '--json', '--rules', 'openusd'], { maxBuffer: 1 << 28, encoding: 'utf8' });
    return { status: made.status ?? 1, stdout: made.stdout, stderr: made.stderr };
  } finally {
    loader.delete();
  }
}

if (process.argv[2] === 'serve') {
  // An abort of the module ends the process: the runner counts a crash and starts it anew.
  for await (const line of readline.createInterface({ input: process.stdin })) {
    process.stdout.write(JSON.stringify(answer(JSON.parse(line).arguments)) + '\n');
  }
} else {
  const { status, stdout, stderr } = answer(process.argv.slice(2));
  process.stdout.write(stdout);
  process.stderr.write(stderr);
  process.exitCode = status;
}
