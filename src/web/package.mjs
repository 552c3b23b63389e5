// SPDX-License-Identifier: Apache-2.0
// Makes the npm folder: node package.mjs MODULE.wasm FOLDER-WITH-binaryen OUT
// Shrinks the module by wasm-opt, copies what belongs to it, and tells the sizes. Fails if the
// module imports something new, or if what a page loads is above the budget.
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { compactScript } from './compact_script.mjs';
import { nameByLikeness } from './name_by_likeness.mjs';

const [module, tools, out] = process.argv.slice(2);
const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '..', '..');

/** Bytes of sinew.wasm and sinew.js together, by brotli at its best. */
const brotliBudget = 430_000;
/** Bytes of sinew.js as it is. */
const scriptBudget = 12_000;
/** What the C library asks of its host: the time, and where to write why it gives up. There are no files. */
const knownImports = new Set(['clock_time_get', 'fd_write']);

mkdirSync(out, { recursive: true });
const wasm = join(out, 'sinew.wasm');
const optimizer = join(tools, 'node_modules', 'binaryen', 'bin', 'wasm-opt');
const upToDate = existsSync(wasm) && [module, fileURLToPath(import.meta.url), join(here, 'name_by_likeness.mjs')].every(
  (source) => statSync(source).mtimeMs < statSync(wasm).mtimeMs);
if (!upToDate) {
  // The first kilobyte of memory is the end of the stack, where no object lies. Features one by one:
  // with all of them, types appear that engines refuse.
  const optimize = (from, to, ...passes) => execFileSync(process.execPath, [
    optimizer, from, '-o', to, ...passes, '--low-memory-unused', '--one-caller-inline-max-function-size=16',
    '--strip-debug', '--strip-producers', '--enable-simd', '--enable-bulk-memory',
    '--enable-bulk-memory-opt', '--enable-sign-ext', '--enable-mutable-globals',
    '--enable-nontrapping-float-to-int', '--enable-exception-handling', '--enable-multivalue',
    '--enable-reference-types', '--enable-call-indirect-overlong',
  ], { stdio: 'inherit' });
  const named = join(out, 'named.wasm');
  // Control flow made anew is smaller than that of the compiler.
  optimize(module, named, '-Oz', '--flatten', '--rereloop', '-Oz', '-Oz');
  writeFileSync(named, nameByLikeness(readFileSync(named)));
  optimize(named, wasm, '-Oz', '--reorder-functions-by-name');
  rmSync(named);
}
writeFileSync(join(out, 'sinew.js'), compactScript(readFileSync(join(here, 'sinew.js'), 'utf8')));
for (const file of ['sinew.d.ts', 'sinew-worker.js', 'sinew-worker.d.ts', 'sinew-three.js', 'sinew-three.d.ts']) {
  copyFileSync(join(here, file), join(out, file));
}
copyFileSync(join(root, 'LICENSE'), join(out, 'LICENSE'));
const version = /VERSION (\d+\.\d+\.\d+)/.exec(readFileSync(join(root, 'CMakeLists.txt'), 'utf8'))[1];
const manifest = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'));
writeFileSync(join(out, 'package.json'), JSON.stringify({ ...manifest, version }, null, 2) + '\n');

let failed = false;
const fail = (sentence) => {
  console.error(`FAIL  ${sentence}`);
  failed = true;
};
const bytes = readFileSync(wasm);
const compiled = new WebAssembly.Module(bytes);
const imports = WebAssembly.Module.imports(compiled);
for (const { module: from, name } of imports) {
  if (from !== 'wasi_snapshot_preview1' || !knownImports.has(name)) fail(`new import: ${from}.${name}`);
}
const sizes = { file: 'raw gzip-9 brotli-11'.split(' ') };
let total = [0, 0, 0];
const best = (data) => brotliCompressSync(data, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: data.length } });
for (const file of ['sinew.wasm', 'sinew.js']) {
  const data = readFileSync(join(out, file));
  sizes[file] = [data.length, gzipSync(data, { level: 9 }).length, best(data).length];
  total = total.map((sum, i) => sum + sizes[file][i]);
}
sizes.together = total;
for (const [name, figures] of Object.entries(sizes)) {
  console.log(name.padEnd(12) + figures.map((f) => String(f).padStart(12)).join(''));
}
console.log(`${imports.length} imports, ${WebAssembly.Module.exports(compiled).length} exports`);
writeFileSync(join(out, '..', 'sizes.json'), JSON.stringify(sizes, null, 2) + '\n');
if (sizes.together[2] > brotliBudget) fail(`${sizes.together[2]} bytes by brotli, more than ${brotliBudget}`);
if (sizes['sinew.js'][0] > scriptBudget) fail(`sinew.js has ${sizes['sinew.js'][0]} bytes, more than ${scriptBudget}`);
process.exitCode = failed ? 1 : 0;
