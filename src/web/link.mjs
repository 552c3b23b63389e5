// SPDX-License-Identifier: Apache-2.0
// Links the module: node link.mjs COMPILER ARGUMENT..., where the rest is the command that would link
// it. What the linker's optimiser makes of the whole program is guarded (guard_results.mjs) and
// compiled with functions that return several values, which the linker alone cannot be asked for.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { guardResults } from './guard_results.mjs';

const [compiler, ...command] = process.argv.slice(2);
const out = command[command.indexOf('-o') + 1];
const run = (tool, ...options) => execFileSync(tool, options, { stdio: 'inherit' });
/** A tool of the compiler's version, from beside it. */
const tool = (name) => join(dirname(compiler), basename(compiler).replace(/^clang(\+\+)?/, name));
/** The arguments that follow those of a name, in the form "-Xlinker NAME -Xlinker ARGUMENT". */
const after = (name) => command.flatMap((argument, i) => (argument === name ? [command[i + 2]] : []));

run(compiler, ...command, '-Xlinker', '--save-temps');
const text = `${out}.ll`;
const object = `${out}.o`;
run(tool('llvm-dis'), `${out}.0.5.precodegen.bc`, '-o', text);
writeFileSync(text, guardResults(readFileSync(text, 'utf8')));
run(tool('llc'), '-O2', '-relocation-model=static', '-function-sections', '-data-sections', '-filetype=obj',
  ...after('-target-abi').map((name) => `-target-abi=${name}`), ...after('-mllvm'), text, '-o', object);
const ownObject = /\.obj?$/;
run(compiler, ...command.filter((argument) => !ownObject.test(argument)), object);
for (const name of readdirSync(dirname(out))) {
  if (name.startsWith(`${basename(out)}.`)) rmSync(join(dirname(out), name));
}
