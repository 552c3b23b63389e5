// SPDX-License-Identifier: Apache-2.0
// What the tests share: where things are, the module, files, and an oracle.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
export const web = join(root, 'build', 'web');
export const data = join(root, 'examples', 'data');
export const conformance = join(root, '..', 'shared', 'conformance');

/** The published package, as others import it. */
export const sinewModule = await import(pathToFileURL(join(web, 'sinew', 'sinew.js')));
export const wasm = readFileSync(join(web, 'sinew', 'sinew.wasm'));
export const compiled = new WebAssembly.Module(wasm);

/** A package of tests/web/package.json. */
export const requireTool = createRequire(join(web, 'tools', 'package.json'));

export const bytesOf = (file) => new Uint8Array(readFileSync(file));
export const bundled = (name) => bytesOf(join(data, name));
export const text = (string) => new TextEncoder().encode(string);

/** A fresh instance. */
export const start = () => sinewModule.load(compiled);

/** A stage of one text. */
export const openText = (sinew, string, options) => sinew.open({ 'test.usda': text(string) }, 'test.usda', options);

/** The tool built for this machine, or null. */
export function nativeTool() {
  const tool = process.env.SINEW_TOOL ?? join(root, 'build/release/examples/sinew/sinew');
  return existsSync(tool) ? tool : null;
}

export const runTool = (...words) => execFileSync(nativeTool(), words, { cwd: data, encoding: 'utf8', maxBuffer: 1 << 28 });
