// SPDX-License-Identifier: CC0-1.0
// Serves a folder on 127.0.0.1: node serve.mjs FOLDER [PORT]
import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

const types = {
  '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm',
  '.glb': 'model/gltf-binary', '.json': 'application/json',
};

/** A server of the files below a folder, and its address. Port 0: any that is free. */
export function serve(folder, port = 0) {
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, 'http://localhost').pathname));
    let file = join(folder, path);
    try {
      if (!file.startsWith(normalize(folder))) throw new Error('outside');
      if (statSync(file).isDirectory()) file = join(file, 'index.html');
      statSync(file);
    } catch {
      response.writeHead(404).end('not found');
      return;
    }
    response.writeHead(200, { 'Content-Type': types[extname(file)] ?? 'application/octet-stream', 'Cache-Control': 'no-cache' });
    createReadStream(file).pipe(response);
  });
  return new Promise((good, bad) => {
    server.on('error', bad);
    server.listen(port, '127.0.0.1', () => good({ server, address: `http://127.0.0.1:${server.address().port}/` }));
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [folder, port] = process.argv.slice(2);
  const { address } = await serve(folder, Number(port ?? 0));
  console.log(`The page is at ${address} (Ctrl-C ends)`);
}
