// SPDX-License-Identifier: CC0-1.0
// How files come to the page: dropped, picked, or as samples.

/** What the page brings along. The first file of each is opened. */
export const samples = [
  { name: 'Gecko', files: ['character.usda'] },
  { name: 'Robot arm', files: ['robot_arm.usda'] },
  { name: 'Crowd of instances', files: ['crowd.usda', 'character.usda'] },
  { name: 'Collision groups', files: ['group_filtering.usda'] },
  { name: 'Filtered pairs', files: ['pair_filtering.usda'] },
  { name: 'Bouncing spheres', files: ['bouncing_spheres.usda'] },
  { name: 'Box on a quad', files: ['box_on_quad.usda'] },
  { name: 'Driven joint', files: ['driven_joint.usda'] },
  { name: 'Distance joint', files: ['distance_joint.usda'] },
];

/** More would not fit into the module's memory. */
export const mostBytes = 1024 * 1024 * 1024;

const layer = /\.usd[acz]?$/i;

/** The file to open: the shallowest layer that no other names, packages first. */
export function chooseRoot(files) {
  const names = [...files.keys()].filter((name) => layer.test(name));
  const depth = (name) => name.split('/').length;
  const shallowest = Math.min(...names.map(depth));
  const candidates = names.filter((name) => depth(name) === shallowest);
  if (candidates.length < 2) return candidates[0] ?? null;
  const text = new TextDecoder();
  const isNamed = (name) => candidates.some((other) => other !== name && !/z$/i.test(other) &&
    text.decode(files.get(other)).includes(`${name.split('/').at(-1)}@`));
  return candidates.find((name) => !isNamed(name)) ?? candidates[0];
}

async function read(found, files) {
  for (const { name, file } of found) {
    if (file.size > mostBytes) {
      throw new Error(`${name} has ${file.size} bytes; a page can hold ${mostBytes}.`);
    }
    files.set(name, new Uint8Array(await file.arrayBuffer()));
  }
  return files;
}

/** Files of an <input>, with the paths that a picked folder gives them. */
export function readPicked(list) {
  return read([...list].map((file) => ({ name: file.webkitRelativePath || file.name, file })), new Map());
}

async function walk(entry, found, path = '') {
  if (entry.isFile) {
    found.push({ name: path + entry.name, file: await new Promise((good, bad) => entry.file(good, bad)) });
    return;
  }
  const reader = entry.createReader();
  for (;;) {
    const entries = await new Promise((good, bad) => reader.readEntries(good, bad));
    if (!entries.length) return;
    for (const child of entries) await walk(child, found, `${path}${entry.name}/`);
  }
}

/** Everything that was dropped, folders too. */
export async function readDropped(transfer) {
  const entries = [...transfer.items].filter(({ kind }) => kind === 'file').map((item) => item.webkitGetAsEntry?.() ?? null);
  const plain = [...transfer.files];
  const found = [];
  if (entries.length && entries.every(Boolean)) {
    for (const entry of entries) await walk(entry, found);
  } else {
    for (const file of plain) found.push({ name: file.name, file });
  }
  return read(found, new Map());
}

export async function readSample({ files }) {
  const read = new Map();
  for (const name of files) {
    const response = await fetch(`samples/${name}`);
    if (!response.ok) throw new Error(`cannot load the sample ${name}: ${response.status}`);
    read.set(name, new Uint8Array(await response.arrayBuffer()));
  }
  return read;
}

/** Hands a file to the person. */
export function save(bytes, name, type) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([bytes], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
