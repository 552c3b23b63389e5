// SPDX-License-Identifier: Apache-2.0
// Runs sinew.wasm under Node: node wasi.mjs sinew.wasm COMMAND FILE [OPTION]...
import { readFile } from 'node:fs/promises';
import { WASI } from 'node:wasi';

const [program, ...words] = process.argv.slice(2);
// The C library takes "/" and "." for the same folder, so it gets one of them.
const isAbsolute = words.some((word) => word.startsWith('/'));
const wasi = new WASI({
  version: 'preview1',
  args: ['sinew', ...words],
  preopens: isAbsolute ? { '/': '/' } : { '.': process.cwd() },
});
const module = await WebAssembly.compile(await readFile(program));
const instance = await WebAssembly.instantiate(module, wasi.getImportObject());
process.exitCode = wasi.start(instance);
