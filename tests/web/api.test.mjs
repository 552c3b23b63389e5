// SPDX-License-Identifier: Apache-2.0
// The interface in node: every function, every error, memory.
import assert from 'node:assert/strict';
import test from 'node:test';
import { bundled, compiled, nativeTool, openText, runTool, sinewModule, start, text, wasm } from './support.mjs';

const { load, number, SinewCrash, SinewError } = sinewModule;
const sinew = await start();
const gecko = () => sinew.open({ 'character.usda': bundled('character.usda') }, 'character.usda');
const arm = () => sinew.open({ 'robot_arm.usda': bundled('robot_arm.usda') }, 'robot_arm.usda');
const failsWith = (code) => (error) => error instanceof SinewError && !(error instanceof SinewCrash) && error.code === code;

test('load() takes bytes, a module, a response and an address', async () => {
  const response = new Response(wasm, { headers: { 'Content-Type': 'application/wasm' } });
  for (const source of [wasm, compiled, response, undefined]) {
    const instance = await load(source);
    assert.match(instance.version, /^\d+\.\d+\.\d+$/);
    assert.equal(instance.simd, true);
  }
  await assert.rejects(load(new URL('file:///no/such/module.wasm')));
});

test('a character has joints, targets and a range', () => {
  const stage = gecko();
  assert.equal(stage.metrics.upAxis, 'Y');
  assert.equal(stage.characters.length, 1);
  const [character] = stage.characters;
  assert.equal(character.joints.length, character.parents.length);
  assert.equal(character.parents[0], -1);
  assert.ok(character.parents.every((parent, joint) => parent < joint));
  assert.ok(character.range[1] > character.range[0]);
  assert.deepEqual(character.blendShapes, ['Smile', 'Blink', 'Surprise']);
  assert.equal(character.targets.reduce((sum, { pointCount }) => sum + pointCount, 0), 2762);
  for (const target of character.targets) {
    assert.equal(target.points.length, 3 * target.vertexCount);
    assert.equal(target.normals.length, 3 * target.vertexCount);
    assert.equal(target.triangles.length, 3 * target.triangleCount);
    assert.ok(target.triangles.every((vertex) => vertex < target.vertexCount));
  }
  stage.dispose();
});

test('pose() moves points to where the tool says', { skip: nativeTool() ? false : 'no native tool' }, () => {
  const expected = JSON.parse(runTool('skel', '--json', '--time', '12', 'character.usda')).bindings[0];
  const stage = gecko();
  const [character] = stage.characters;
  character.pose(12);
  const scale = number(stage.metrics.metersPerUnit);
  expected.jointWorldTransforms.forEach((matrix, joint) => {
    for (let i = 0; i < 16; i++) {
      const want = matrix[i] * (i % 4 === 3 ? 1 : scale);
      assert.ok(Math.abs(character.jointWorld[16 * joint + i] - want) < 1e-5, `joint ${joint}`);
    }
  });
  const body = expected.targets.find(({ path }) => path.endsWith('/Body'));
  const target = character.targets.find(({ path }) => path.endsWith('/Body'));
  assert.equal(target.vertexCount, body.points.length); // Its normals are per point.
  body.points.forEach((point, i) => point.forEach((x, k) =>
    assert.ok(Math.abs(target.points[3 * i + k] - x * scale) < 1e-5, `point ${i}`)));
  stage.dispose();
});

test('two times differ, one time is the same twice, poses and weights can be chosen', () => {
  const stage = gecko();
  const [character] = stage.characters;
  const at = (time) => (character.pose(time), character.targets.flatMap(({ points }) => [...points]));
  const first = at(1);
  assert.notDeepEqual(at(13), first);
  assert.deepEqual(at(1), first);
  character.show('rest');
  const rest = at(1);
  assert.notDeepEqual(rest, first);
  assert.deepEqual(at(13), rest);
  character.show('bind');
  const bind = at(1);
  assert.deepEqual(at(13), bind);
  character.show('animated');
  assert.deepEqual(at(1), first);

  const face = character.targets.findIndex(({ path }) => path.endsWith('/Face'));
  assert.deepEqual(character.targets[face].blendShapes.map(({ name }) => name), ['Smile', 'Blink', 'Surprise']);
  character.blendWeights = [1, 0, 0];
  character.pose(1);
  assert.deepEqual([...character.blendWeights], [1, 0, 0]);
  const smiling = [...character.targets[face].points];
  character.blendWeights = [0, 0, 0];
  character.pose(1);
  assert.notDeepEqual([...character.targets[face].points], smiling);
  character.blendWeights = null;
  assert.deepEqual(at(1), first);
  stage.dispose();
});

test('the fast and the slow road agree', () => {
  const stage = gecko();
  const [character] = stage.characters;
  character.pose(7.5);
  const fast = character.targets.map(({ points }) => [...points]);
  const weights = [...character.blendWeights];
  character.blendWeights = weights;
  character.pose(7.5);
  character.targets.forEach(({ points }, t) => points.forEach((x, i) => assert.ok(Math.abs(x - fast[t][i]) < 2e-5)));
  stage.dispose();
});

test('the weights of all joints add up to one', () => {
  const stage = gecko();
  const [character] = stage.characters;
  character.targets.forEach((target, t) => {
    const sums = new Float64Array(target.vertexCount);
    character.joints.forEach((_, joint) => character.jointWeights(t, joint).forEach((w, i) => { sums[i] += w; }));
    assert.ok(sums.every((sum) => Math.abs(sum - 1) < 1e-4), target.path);
  });
  assert.equal(character.jointWeights(99, 0).length, 0);
  assert.equal(character.jointWeights(0, 9999).length, 0);
  stage.dispose();
});

test('meshes and shapes without a skeleton', () => {
  const stage = openText(sinew, `#usda 1.0
    ( metersPerUnit = 0.5 )
    def Xform "W" {
      double3 xformOp:translate.timeSamples = { 0: (0, 0, 0), 10: (10, 0, 0) }
      uniform token[] xformOpOrder = ["xformOp:translate"]
      def Sphere "Ball" { double radius = 3; color3f[] primvars:displayColor = [(1, 0, 0)]; }
      def Mesh "Quad" {
        int[] faceVertexCounts = [4]
        int[] faceVertexIndices = [0, 1, 2, 3]
        point3f[] points = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]
        texCoord2f[] primvars:st = [(0, 0), (1, 0), (1, 1), (0, 1)] ( interpolation = "faceVarying" )
      }
      def Cube "Hidden" { token visibility = "invisible"; }
    }`);
  const [ball, quad, hidden] = stage.meshes;
  assert.deepEqual(ball.shape, { type: 'sphere', radius: 3 });
  assert.deepEqual(ball.color, [1, 0, 0]);
  assert.equal(quad.shape, null);
  assert.equal(quad.triangleCount, 2);
  assert.deepEqual([...quad.uv], [0, 0, 1, 0, 1, 1, 0, 1]);
  assert.deepEqual([...quad.normals.slice(0, 3)], [0, 0, 1]);
  stage.poseMeshes(5);
  assert.deepEqual([...ball.matrix], [0.5, 0, 0, 0, 0, 0.5, 0, 0, 0, 0, 0.5, 0, 2.5, 0, 0, 1]);
  assert.ok(hidden.matrix.every((x) => x === 0));
  stage.dispose();
});

// The places of what an array of matrices moves.
const origins = (matrices) => Array.from({ length: (matrices?.length ?? 0) / 16 }, (_, i) => [...matrices.slice(16 * i + 12, 16 * i + 15)]);

test('angles of any size turn things', () => {
  for (const degrees of [30, 1e7, 123456789012, 7e22, 1e200, -3e307]) {
    const stage = openText(sinew, `#usda 1.0
      ( metersPerUnit = 1 )
      def Cube "C" { double xformOp:rotateX = ${degrees}; uniform token[] xformOpOrder = ["xformOp:rotateX"]; }`);
    const [cube] = stage.meshes;
    const angle = degrees * Math.PI / 180;
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    const expected = [1, 0, 0, 0, 0, c, s, 0, 0, -s, c, 0, 0, 0, 0, 1];
    cube.matrix.forEach((x, i) => assert.ok(Math.abs(x - expected[i]) < 1e-6, `${degrees}: ${[...cube.matrix]}`));
    stage.dispose();
  }
});

test('what instancers show is there as often as they show it', () => {
  const stage = openText(sinew, `#usda 1.0
    ( metersPerUnit = 0.5 )
    def PointInstancer "Many" {
      double3 xformOp:translate = (0, 0, 100)
      uniform token[] xformOpOrder = ["xformOp:translate"]
      int[] protoIndices = [0, 1, 0, 2, 0]
      int64[] invisibleIds = [4]
      point3f[] positions.timeSamples = {
        0: [(1, 0, 0), (2, 0, 0), (3, 0, 0), (4, 0, 0), (5, 0, 0)],
        10: [(1, 0, 0), (2, 0, 0), (3, 8, 0), (4, 0, 0), (5, 0, 0)] }
      float3[] scales = [(2, 2, 2), (1, 1, 1), (1, 1, 1), (1, 1, 1), (1, 1, 1)]
      rel prototypes = [</Many/Ball>, </Elsewhere/Pair>, </Many/Gone>]
      def Sphere "Ball" {
        double3 xformOp:translate = (0, 1, 0)
        uniform token[] xformOpOrder = ["xformOp:translate"]
      }
      def Sphere "Unused" {}
    }
    over "Elsewhere" {
      double3 xformOp:translate = (1000, 0, 0)
      uniform token[] xformOpOrder = ["xformOp:translate"]
      def PointInstancer "Pair" {
        int[] protoIndices = [0, 0]
        point3f[] positions = [(0, 10, 0), (0, 20, 0)]
        rel prototypes = </Elsewhere/Pair/Cube>
        def Cube "Cube" {
          def Cone "Hidden" { token visibility = "invisible"; }
          def Cylinder "Blinks" { token visibility.timeSamples = { 0: "inherited", 5: "invisible" }; }
        }
      }
    }
    over "Unseen" {
      def Sphere "Ball" {}
    }
    def Sphere "Once" {}`);
  assert.deepEqual(stage.diagnostics.map(({ code, message }) => [code, message]), [
    ['geom-instancer', stage.diagnostics[0].message],
  ]);
  const found = Object.fromEntries(stage.meshes.map((mesh) => [mesh.path, mesh]));
  assert.deepEqual(Object.keys(found).sort(), ['/Elsewhere/Pair/Cube', '/Elsewhere/Pair/Cube/Blinks', '/Elsewhere/Pair/Cube/Hidden', '/Many/Ball', '/Once']);
  const { '/Many/Ball': ball, '/Elsewhere/Pair/Cube': cube, '/Once': once } = found;
  assert.deepEqual([ball.instanced, cube.instanced, once.instanced], [true, true, false]);
  assert.deepEqual([...ball.matrix], [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
  assert.equal(once.instances, null);
  stage.poseMeshes(0);
  assert.deepEqual([...ball.instances.slice(0, 16)], [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0.5, 1, 50, 1]);
  assert.deepEqual(origins(ball.instances), [[0.5, 1, 50], [1.5, 0.5, 50]]);
  assert.deepEqual(origins(cube.instances), [[1, 5, 50], [1, 10, 50]]);
  assert.equal(found['/Elsewhere/Pair/Cube/Hidden'].instances, null);
  assert.equal(origins(found['/Elsewhere/Pair/Cube/Blinks'].instances).length, 2);
  stage.poseMeshes(5);
  assert.deepEqual(origins(ball.instances), [[0.5, 1, 50], [1.5, 2.5, 50]]);
  assert.deepEqual(origins(cube.instances), [[1, 5, 50], [1, 10, 50]]);
  assert.equal(found['/Elsewhere/Pair/Cube/Blinks'].instances, null);
  stage.dispose();
});

test('instancers inside themselves, and those that show each other many times over, come to an end', async () => {
  const own = await start();
  const links = (count) => Array.from({ length: count }, (_, i) => `
    def Xform "G${i}" {
      def PointInstancer "P" {
        int[] protoIndices = [0, 1]
        point3f[] positions = [(0, 0, 0), (1, 0, 0)]
        rel prototypes = [</G${(i + 1) % count}>, </G${(i + 1) % count}/P>]
      }
    }`).join('');
  for (const count of [1, 2, 12, 40]) {
    const stage = openText(own, `#usda 1.0\n${links(count)}`);
    stage.poseMeshes(0);
    assert.equal(stage.meshes.length, 0); // No prototype is anything but an instancer.
    stage.dispose();
  }
  const begin = performance.now();
  const many = openText(own, `#usda 1.0\n${links(40)}
`.replaceAll('def PointInstancer "P" {', `def Mesh "M" {
        int[] faceVertexCounts = [${'3, '.repeat(2000)}3]
        int[] faceVertexIndices = [${'0, 1, 2, '.repeat(2000)}0, 1, 2]
        point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]
      }
      def PointInstancer "P" {`));
  assert.deepEqual(many.diagnostics.filter(({ code }) => code === 'web-limit').length, 1);
  many.dispose();
  assert.ok(performance.now() - begin < 10_000, `${performance.now() - begin} ms`);
  const deep = Array.from({ length: 8 }, (_, i) => `
    def PointInstancer "P${i}" {
      int[] protoIndices = [${'0, '.repeat(20)}0]
      point3f[] positions = [${'(0, 0, 0), '.repeat(20)}(1, 0, 0)]
      rel prototypes = ${i < 7 ? `</P${i + 1}>` : '</Ball>'}
    }`).join('');
  const stage = openText(own, `#usda 1.0\n${deep}\ndef Sphere "Ball" {}`);
  const copies = stage.meshes.map(({ instances }) => (instances?.length ?? 0) / 16);
  assert.ok(Math.max(...copies) > 100_000, `${copies}`);
  assert.ok(copies.reduce((sum, count) => sum + count, 0) <= 1_000_000, `${copies}`);
  stage.dispose();
});

test('what instances hold has materials, and their textures are found or missed', () => {
  const stage = sinew.open({ 'a.usda': text(`#usda 1.0
def "I1" (instanceable = true
  references = @b.usda@) {}
def "I2" (instanceable = true
  references = @b.usda@) {}
`), 'b.usda': text(`#usda 1.0
( defaultPrim = "W" )
def Xform "W" {
  def Mesh "Mesh" (apiSchemas = ["MaterialBindingAPI"]) {
    int[] faceVertexCounts = [3]
    int[] faceVertexIndices = [0, 1, 2]
    point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]
    rel material:binding = </W/M>
  }
  def Material "M" {
    token outputs:surface.connect = </W/M/S.outputs:surface>
    def Shader "S" {
      uniform token info:id = "UsdPreviewSurface"
      color3f inputs:diffuseColor.connect = </W/M/T.outputs:rgb>
      token outputs:surface
    }
    def Shader "T" {
      uniform token info:id = "UsdUVTexture"
      asset inputs:file = @none.png@
      float3 outputs:rgb
    }
  }
}
`) }, 'a.usda');
  assert.deepEqual(stage.materials.map(({ path, known }) => [path, known]), [['/I1/M', true], ['/I2/M', true]]);
  assert.deepEqual(stage.meshes.map(({ material }) => material), ['/I1/M', '/I2/M']);
  assert.deepEqual(stage.missing.map((path) => path.split('/').at(-1)), ['none.png']);
  stage.dispose();
});

test('what an exported .glb lacks is told', () => {
  const stage = openText(sinew, '#usda 1.0\ndef NurbsPatch "N" {}\ndef Cube "C" {}\n');
  const told = () => stage.diagnostics.filter(({ code }) => code.startsWith('gltf-')).length;
  assert.equal(told(), 0);
  stage.exportGlb();
  const once = told();
  assert.ok(once > 0);
  stage.exportGlb();
  assert.equal(told(), once);
  stage.dispose();
});

test('the tree, properties, values and opinions', () => {
  const stage = sinew.open({
    'a.usda': text('#usda 1.0\n( subLayers = [@b.usda@] )\nover "P" { float x = 2; }\n'),
    'b.usda': text('#usda 1.0\ndef Xform "P" { float x = 1\n int[] list = [1, 2, 3]\n double y.timeSamples = { 0: 0, 10: 5 }\n rel r = </P>\n string s = "a\\"b"; }\n'),
  }, 'a.usda');
  assert.deepEqual(stage.layers, ['a.usda', 'b.usda']);
  assert.deepEqual(stage.tree().map(({ path, type }) => [path, type]), [['/P', 'Xform']]);
  assert.deepEqual(stage.properties('/P').find(({ name }) => name === 'r').targets, ['/P']);
  assert.equal(stage.properties('/P').find(({ name }) => name === 'y').samples, 2);
  assert.equal(stage.attribute('/P.x'), 2);
  assert.equal(stage.attribute('/P.s'), 'a"b');
  assert.equal(stage.attribute('/P.y', 4), 2);
  assert.equal(stage.attribute('/P.y'), null);
  assert.deepEqual(stage.attribute('/P.list'), Int32Array.of(1, 2, 3));
  const opinions = stage.explain('/P.x');
  assert.deepEqual(opinions.map(({ layer, wins }) => [layer, wins]), [['a.usda', true], ['b.usda', false]]);
  assert.equal(opinions[0].line, 3);
  assert.equal(stage.explain('/P').length, 2);
  for (const wrong of ['/Q', '/P.q', 'nonsense..', '']) assert.throws(() => stage.explain(wrong), failsWith('not_found'));
  assert.throws(() => stage.properties('/Q'), failsWith('not_found'));
  assert.throws(() => stage.attribute('/P.q'), failsWith('not_found'));
  stage.dispose();
});

test('variants and clips are chosen when a stage is opened', () => {
  const layer = `#usda 1.0
    def Xform "P" ( variants = { string look = "red"; }
 prepend variantSets = "look" ) {
      variantSet "look" = {
        "red" { int n = 1; }
        "blue" { int n = 2; }
      }
    }`;
  const plain = openText(sinew, layer);
  assert.equal(plain.attribute('/P.n'), 1);
  assert.deepEqual(plain.tree()[0].variants, { look: { selected: 'red', names: ['red', 'blue'] } });
  const blue = openText(sinew, layer, { variants: { '/P': { look: 'blue' } } });
  assert.equal(blue.attribute('/P.n'), 2);
  plain.dispose();
  blue.dispose();

  const files = { 'crowd.usda': bundled('crowd.usda'), 'character.usda': bundled('character.usda') };
  const crowd = sinew.open(files, 'crowd.usda');
  assert.equal(crowd.characters.length, 5);
  crowd.dispose();
  assert.throws(() => sinew.open(files, 'crowd.usda', { animations: { 'x" {}': '/A' } }), failsWith('invalid_argument'));
});

test('a skeleton plays the animation that it is told to', () => {
  const layer = `#usda 1.0
    def SkelRoot "R" {
      def Skeleton "S" ( prepend apiSchemas = ["SkelBindingAPI"] ) {
        uniform token[] joints = ["A"]
        uniform matrix4d[] bindTransforms = [((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))]
        uniform matrix4d[] restTransforms = [((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))]
        rel skel:animationSource = </R/One>
      }
      ${['One', 'Two'].map((name, i) => `def SkelAnimation "${name}" {
        uniform token[] joints = ["A"]
        float3[] translations = [(${i + 1}, 0, 0)]
        quatf[] rotations = [(1, 0, 0, 0)]
        half3[] scales = [(1, 1, 1)]
      }`).join('\n')}
      def Mesh "M" ( prepend apiSchemas = ["SkelBindingAPI"] ) {
        rel skel:skeleton = </R/S>
        int[] faceVertexCounts = [3]
        int[] faceVertexIndices = [0, 1, 2]
        point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]
        int[] primvars:skel:jointIndices = [0, 0, 0] ( interpolation = "vertex"; elementSize = 1 )
        float[] primvars:skel:jointWeights = [1, 1, 1] ( interpolation = "vertex"; elementSize = 1 )
      }
    }`;
  for (const [animations, x] of [[{}, 0.01], [{ '/R/S': '/R/Two' }, 0.02]]) {
    const stage = openText(sinew, layer, { animations });
    stage.characters[0].pose(0);
    assert.ok(Math.abs(stage.characters[0].targets[0].points[0] - x) < 1e-7);
    stage.dispose();
  }
});

test('physics in units of the stage and in SI; masses with their explanation', () => {
  const stage = openText(sinew, `#usda 1.0
    ( metersPerUnit = 0.01; upAxis = "Z" )
    def PhysicsScene "S" {}
    def Cube "Box" ( prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI", "PhysicsMassAPI"] ) {
      double size = 100
      float physics:density = 0.0005
      double3 xformOp:translate = (0, 0, 100)
      uniform token[] xformOpOrder = ["xformOp:translate"]
    }
    def PhysicsRevoluteJoint "J" { rel physics:body1 = </Box>; uniform token physics:axis = "Z"; float physics:lowerLimit = -90; float physics:upperLimit = 180; }
    `);
  const own = stage.physics();
  assert.equal(own.rigidBodies[0].position[2], 100);
  assert.equal(own.joints[0].limit.upper, 180);
  assert.ok(Math.abs(own.gravity[2] + 981) < 1e-3);
  const si = stage.physics({ si: true });
  assert.equal(si.rigidBodies[0].position[2], 1);
  assert.ok(Math.abs(number(si.joints[0].form.dofs.rotZ.upper) - Math.PI) < 1e-6);
  assert.equal(si.joints[0].form.dofs.rotX.state, 'locked');
  assert.ok(Math.abs(si.gravity[2] + 9.81) < 1e-6);
  const [mass] = stage.masses();
  assert.equal(mass.path, '/Box');
  assert.ok(Math.abs(mass.mass - 500) < 1e-2);
  assert.equal(mass.steps[0].densitySource, 'massApi');
  assert.match(mass.text, /500/);
  stage.dispose();
});

test('masses are explained as the tool explains them', { skip: nativeTool() ? false : 'no native tool' }, () => {
  for (const file of ['robot_arm.usda', 'bouncing_spheres.usda', 'box_on_quad.usda', 'driven_joint.usda']) {
    const stage = sinew.open({ [file]: bundled(file) }, file);
    assert.equal(stage.masses().map(({ text: words }) => `${words}\n`).join(''), runTool('mass', '--explain', file));
    stage.dispose();
  }
});

test('whether two bodies collide, and why not', () => {
  const stage = sinew.open({ 'g.usda': bundled('pair_filtering.usda') }, 'g.usda');
  const { shapes } = stage.physics();
  const answers = shapes.flatMap(({ path: a }, i) => shapes.slice(i + 1).map(({ path: b }) => stage.collide(a, b)));
  assert.ok(answers.some(({ collides }) => collides));
  assert.ok(answers.some(({ collides, reasons }) => !collides && reasons.some((reason) => /^filtered-pair: \//.test(reason))));
  assert.throws(() => stage.collide('/nothing', shapes[0].path), failsWith('not_found'));
  stage.dispose();
});

test('an exported .glb is one, with what was asked for', () => {
  const stage = gecko();
  const glb = stage.exportGlb();
  const view = new DataView(glb.buffer, glb.byteOffset);
  assert.equal(view.getUint32(0, true), 0x46546c67);
  assert.equal(view.getUint32(8, true), glb.length);
  const json = JSON.parse(new TextDecoder().decode(glb.subarray(20, 20 + view.getUint32(12, true))));
  assert.ok(json.skins.every(({ joints }) => joints.length === stage.characters[0].joints.length));
  assert.ok(json.meshes.length >= 6 && json.animations.length === 1);
  const smaller = stage.exportGlb({ materials: false, extras: false });
  assert.ok(smaller.length < glb.length);
  assert.throws(() => stage.exportGlb({ influences: 5 }), failsWith('invalid_argument'));
  assert.throws(() => stage.exportGlb({ colour: 1 }), failsWith('invalid_argument'));
  stage.dispose();
});

test('what is missing is told, and found when it comes', () => {
  const files = { 'crowd.usda': bundled('crowd.usda') };
  const alone = sinew.open(files, 'crowd.usda');
  assert.deepEqual(alone.missing.map((path) => path.split('/').at(-1)), ['character.usda']);
  assert.ok(alone.diagnostics.some(({ severity, line, file }) => severity === 'error' && line > 0 && file === 'crowd.usda'));
  alone.dispose();
  // In another folder: found by its name alone.
  const complete = sinew.open({ ...files, 'elsewhere/character.usda': bundled('character.usda') }, 'crowd.usda');
  assert.deepEqual(complete.missing, []);
  assert.equal(complete.characters.length, 5);
  complete.dispose();
});

test('files of a stage can be read back', () => {
  const stage = arm();
  assert.deepEqual(stage.file('robot_arm.usda'), bundled('robot_arm.usda'));
  assert.throws(() => stage.file('nothing.png'), failsWith('not_found'));
  stage.dispose();
});

test('errors say where', () => {
  assert.throws(() => openText(sinew, '#usda 1.0\ndef Xform "A" {\n  int x = = 3\n}\n'), (error) =>
    failsWith('syntax')(error) && error.line === 3 && error.column > 0 && error.file === 'test.usda');
  assert.throws(() => sinew.open({}, 'nothing.usda'), failsWith('not_found'));
  assert.throws(() => sinew.open({ 'a.usdc': text('PXR-USDC and nothing more') }, 'a.usdc'), (error) => error instanceof SinewError);
  assert.throws(() => openText(sinew, '#usda 1.0\n', { rules: 'mine' }), failsWith('invalid_argument'));
  assert.throws(() => openText(sinew, '#usda 1.0\n', { limits: { prims: -1 } }), failsWith('invalid_argument'));
  assert.throws(() => openText(sinew, '#usda 1.0\n', { nonsense: 1 }), failsWith('invalid_argument'));
});

test('limits are ordinary errors', () => {
  const layer = '#usda 1.0\ndef "A" {\n def "B" {\n def "C" {\n}\n}\n}\n';
  assert.throws(() => openText(sinew, layer, { limits: { fileBytes: 10 } }), failsWith('limit_exceeded'));
  assert.throws(() => openText(sinew, layer, { limits: { primNesting: 2 } }), failsWith('limit_exceeded'));
  openText(sinew, layer, { limits: { primNesting: 3 } }).dispose();
});

test('after dispose() everything throws', () => {
  const stage = arm();
  const character = gecko().characters[0];
  stage.dispose();
  stage.dispose();
  for (const call of [() => stage.tree(), () => stage.physics(), () => stage.masses(), () => stage.diagnostics, () => stage.matrices,
    () => stage.exportGlb(), () => stage.attribute('/Arm.x'), () => stage.poseMeshes(0), () => stage.meshes[0].points]) {
    assert.throws(call, failsWith('invalid_argument'));
  }
  assert.ok(character.jointWorld.length > 0);
});

test('views follow the memory when it grows', () => {
  const stage = gecko();
  const [character] = stage.characters;
  character.pose(3);
  const before = character.targets[0].points;
  const kept = [...before];
  const big = sinew.open({ 'big.usda': text(`#usda 1.0\ndef "P" { int[] x = [${'1, '.repeat(3_000_000)}1]; }`) }, 'big.usda');
  assert.equal(before.length, 0); // The old buffer is gone.
  assert.deepEqual([...character.targets[0].points], kept);
  assert.equal(big.attribute('/P.x').length, 3_000_001);
  big.dispose();
  stage.dispose();
});

test('a hundred stages leave nothing behind', () => {
  const once = () => {
    const stage = gecko();
    stage.characters[0].pose(5);
    stage.masses();
    stage.dispose();
  };
  for (let i = 0; i < 5; i++) once();
  const { memoryBytes } = sinew;
  for (let i = 0; i < 100; i++) once();
  assert.equal(sinew.memoryBytes, memoryBytes);
});

test('two instances do not know of each other', async () => {
  const [a, b] = [await start(), await start()];
  const first = a.open({ 'x.usda': text('#usda 1.0\ndef "A" {}') }, 'x.usda');
  const second = b.open({ 'x.usda': text('#usda 1.0\ndef "B" {}') }, 'x.usda');
  assert.equal(first.tree()[0].path, '/A');
  assert.equal(second.tree()[0].path, '/B');
  assert.throws(() => b.open({}, 'x.usda'), failsWith('not_found'));
});

test('an instance that traps stays dead, and others live', async () => {
  const victim = await load(compiled);
  const stage = victim.open({ 'x.usda': text('#usda 1.0\ndef "A" {}') }, 'x.usda');
  // Prims so deep that the stack ends, with the limit lifted that refuses them.
  const deep = `#usda 1.0\n${'def "A" {\n'.repeat(200_000)}${'}\n'.repeat(200_000)}`;
  assert.throws(() => openText(victim, deep), failsWith('limit_exceeded'));
  assert.equal(victim.open({ 'y.usda': text('#usda 1.0\n') }, 'y.usda').primCount, 0);
  assert.throws(() => openText(victim, deep, { limits: { primNesting: 1e9 } }), SinewCrash);
  assert.throws(() => stage.tree(), SinewCrash);
  assert.throws(() => openText(victim, '#usda 1.0\n'), SinewCrash);
  const fresh = await load(victim.module);
  assert.equal(fresh.open({ 'x.usda': text('#usda 1.0\ndef "A" {}') }, 'x.usda').tree()[0].path, '/A');
});

test('figures that are not finite cross by name', () => {
  const stage = openText(sinew, '#usda 1.0\ndef "A" { double x = inf\n double y = -inf\n double z = nan; }');
  assert.deepEqual(['x', 'y', 'z'].map((name) => stage.attribute(`/A.${name}`)), ['inf', '-inf', 'nan']);
  assert.deepEqual(['inf', '-inf', 2].map(number), [Infinity, -Infinity, 2]);
  assert.ok(Number.isNaN(number('nan')));
  stage.dispose();
});
