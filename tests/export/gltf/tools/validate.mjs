// SPDX-License-Identifier: Apache-2.0
// Runs the Khronos validator: validate.mjs NODE_MODULES FILE.glb...
// Prints every error and warning; the exit status is 1 if there is one. Infos are allowed only if
// they are listed here.
import {createRequire} from 'node:module';
import {readFileSync} from 'node:fs';

const [modules, ...files] = process.argv.slice(2);
const require = createRequire(modules + '/');
const validator = require('gltf-validator');

const allowed = new Set([
  'UNSUPPORTED_EXTENSION', 'UNUSED_OBJECT', 'NODE_EMPTY', 'MESH_PRIMITIVE_GENERATED_TANGENT_SPACE',
  'ACCESSOR_INDEX_TRIANGLE_DEGENERATE', 'UNUSED_MESH_TANGENT', 'IMAGE_NPOT_DIMENSIONS',
  'IMAGE_NON_POWER_OF_TWO', 'UNUSED_OBJECT_NODE', 'EXTRA_PROPERTY', 'IO_ERROR',
]);
let bad = 0;
for (const file of files) {
  const report = await validator.validateBytes(new Uint8Array(readFileSync(file)), {maxIssues: 1000});
  for (const message of report.issues.messages) {
    const isFault = message.severity <= 1 || !allowed.has(message.code);
    if (!isFault) continue;
    ++bad;
    if (bad <= 50) {
      console.log(`${file}: ${['error', 'warning', 'info', 'hint'][message.severity]} ` +
                  `${message.code} at ${message.pointer ?? message.offset}: ${message.message}`);
    }
  }
}
console.log(`${files.length} files validated, ${bad} faults`);
process.exit(bad ? 1 : 0);
