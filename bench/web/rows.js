// SPDX-License-Identifier: Apache-2.0
// What is measured, in Node and in browsers alike: files opened beside other readers, in turns so that who
// shares the machine slows all alike, then what Sinew does with them. Times are the best of several.

const rounds = 8;
const encode = (text) => new TextEncoder().encode(text);

/** The time of one call in milliseconds, or the reason why it failed. */
function time(work) {
  const begin = performance.now();
  try {
    work();
  } catch (error) {
    return String(error?.message ?? error).slice(0, 60);
  }
  return performance.now() - begin;
}

/** The best of several calls; a failure is thrown. */
function best(calls, work) {
  let least = Infinity;
  for (let i = 0; i < calls; i++) {
    const took = time(() => work(i));
    if (typeof took === 'string') throw new Error(took);
    least = Math.min(least, took);
  }
  return least;
}

/**
 * The other readers, as functions of bytes and a name that throw: { name: function }.
 * @param importUsdLoader, startTiny  Give three.js's module, and tinyusdz's.
 */
export async function peersOf(importUsdLoader, startTiny, print) {
  const peers = {};
  try {
    const { USDLoader } = await importUsdLoader();
    peers['three.js USDLoader'] = (bytes) => new USDLoader().parse(new TextDecoder().decode(bytes));
  } catch (error) {
    print(`skipped: three.js USDLoader (${error.message})`);
  }
  try {
    const tiny = await startTiny();
    peers.tinyusdz = (bytes, name) => {
      const loader = new tiny.TinyUSDZLoaderNative();
      const good = loader.loadFromBinary(bytes, name);
      const error = good ? null : loader.error();
      loader.delete();
      if (!good) throw new Error(error || 'not loaded');
    };
  } catch (error) {
    print(`skipped: tinyusdz (${error.message})`);
  }
  return peers;
}

/** Text that is nearly all numbers, as large scenes are, and that nothing draws. */
function numbersText(count) {
  const points = Array.from({ length: count }, (_, i) =>
    `(${(Math.sin(i) * 100).toFixed(5)}, ${(Math.cos(i * 1.3) * 100).toFixed(5)}, ${((i % 977) / 9.77).toFixed(4)})`);
  const indices = Array.from({ length: 3 * count }, (_, i) => (i * 7919) % count);
  return `#usda 1.0\ndef "Data" {\n  custom float3[] points = [${points.join(', ')}]\n  custom int[] indices = [${indices.join(', ')}]\n}\n`;
}

/** A character of 100 points and 10 joints, each of which turns. */
function smallCharacter() {
  const joints = Array.from({ length: 10 }, (_, i) => Array.from({ length: i + 1 }, (_, k) => `j${k}`).join('/'));
  const matrix = (y) => `((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, ${y}, 0, 1))`;
  const list = (count, item) => `[${Array.from({ length: count }, (_, i) => item(i)).join(', ')}]`;
  const turns = (angle) => list(10, () => `(${Math.cos(angle)}, 0, 0, ${Math.sin(angle)})`);
  return `#usda 1.0
( defaultPrim = "Root" )
def SkelRoot "Root" ( prepend apiSchemas = ["SkelBindingAPI"] ) {
  rel skel:skeleton = </Root/Skeleton>
  rel skel:animationSource = </Root/Animation>
  def Skeleton "Skeleton" {
    uniform token[] joints = ${list(10, (i) => `"${joints[i]}"`)}
    uniform matrix4d[] bindTransforms = ${list(10, (i) => matrix(i))}
    uniform matrix4d[] restTransforms = ${list(10, (i) => matrix(i ? 1 : 0))}
  }
  def SkelAnimation "Animation" {
    uniform token[] joints = ${list(10, (i) => `"${joints[i]}"`)}
    float3[] translations = ${list(10, (i) => `(0, ${i ? 1 : 0}, 0)`)}
    quatf[] rotations.timeSamples = { 0: ${turns(0)}, 10: ${turns(0.05)}, 20: ${turns(-0.05)} }
    half3[] scales = ${list(10, () => '(1, 1, 1)')}
  }
  def Mesh "Mesh" ( prepend apiSchemas = ["SkelBindingAPI"] ) {
    int[] faceVertexCounts = ${list(81, () => 4)}
    int[] faceVertexIndices = ${list(81, (f) => [0, 1, 11, 10].map((k) => Math.floor(f / 9) * 10 + (f % 9) + k).join(', '))}
    point3f[] points = ${list(100, (i) => `(${i % 10}, ${Math.floor(i / 10)}, 0)`)}
    int[] primvars:skel:jointIndices = ${list(200, (i) => Math.min(9, Math.floor(i / 20) + (i % 2)))} (
      interpolation = "vertex"
      elementSize = 2 )
    float[] primvars:skel:jointWeights = ${list(200, (i) => (i % 2 ? 0.25 : 0.75))} (
      interpolation = "vertex"
      elementSize = 2 )
  }
}
`;
}

/**
 * Measures everything and prints it line by line.
 * @param load   sinew.js's.
 * @param files  { name: bytes }.
 */
export async function measure({ load, peers, files, print }) {
  const sinew = await load();
  const readers = { Sinew: (bytes, name) => sinew.open({ [name]: bytes }, name).dispose(), ...peers };
  print(['open and compose, ms'.padEnd(30), ...Object.keys(readers).map((name) => name.padStart(20))].join(''));
  for (const [file, bytes] of Object.entries(files)) {
    const least = Object.fromEntries(Object.keys(readers).map((name) => [name, Infinity]));
    let first;
    for (let round = 0; round < rounds; round++) {
      for (const [name, open] of Object.entries(readers)) {
        if (typeof least[name] === 'string') continue;
        const took = time(() => open(bytes, file));
        if (name === 'Sinew') first ??= took;
        least[name] = typeof took === 'string' ? took : Math.min(least[name], took);
      }
    }
    const shown = Object.values(least).map((took) => (typeof took === 'string' ? 'fails' : took.toFixed(2)).padStart(20));
    print([`${file}, ${bytes.length}`.padEnd(30), ...shown].join(''));
    print(`  Sinew, the first time: ${first.toFixed(2)}`);
    for (const [name, took] of Object.entries(least)) if (typeof took === 'string') print(`  ${name}: ${took}`);
  }

  const begin = performance.now();
  await load(sinew.module);
  print(`load() of a compiled module: ${(performance.now() - begin).toFixed(2)} ms`);

  for (const [file, bytes] of Object.entries(files)) {
    const alone = await load(sinew.module);
    const stage = alone.open({ [file]: bytes }, file);
    const points = stage.characters.flatMap(({ targets }) => targets).reduce((sum, { pointCount }) => sum + pointCount, 0);
    if (points) {
      const [from, to] = stage.characters[0].range;
      // Fifty at a time: clocks of browsers are coarse.
      const took = best(rounds, () => {
        for (let i = 0; i < 50; i++) stage.characters.forEach((character) => character.pose(from + ((to - from) * i) / 50));
      }) / 50;
      print(`${file}: pose and skin of ${points} points in ${(took * 1000).toFixed(0)} us; ${(alone.memoryBytes / 1048576).toFixed(2)} MiB`);
    }
    stage.dispose();
  }

  const text = encode(numbersText(200_000));
  const took = best(rounds, () => sinew.open({ 'numbers.usda': text }, 'numbers.usda').dispose());
  print(`text of ${(text.length / 1e6).toFixed(1)} MB, nearly all numbers: ${(text.length / 1e3 / took).toFixed(0)} MB/s`);

  const crowd = `#usda 1.0\n${Array.from({ length: 1000 }, (_, i) =>
    `def "A${i}" ( references = @character.usda@ ) { double3 xformOp:translate = (${i % 32}, 0, ${i >> 5})\n uniform token[] xformOpOrder = ["xformOp:translate"]; }`).join('\n')}\n`;
  const stage = sinew.open({ 'crowd.usda': encode(crowd), 'character.usda': encode(smallCharacter()) }, 'crowd.usda');
  const frame = best(40, (i) => stage.characters.forEach((character) => character.pose((i % 20) + 0.5)));
  const count = stage.characters.reduce((sum, { targets }) => sum + targets[0].pointCount, 0);
  print(`${stage.characters.length} characters of ${count / stage.characters.length} points: ${frame.toFixed(1)} ms a frame`);
  stage.dispose();
}
