// SPDX-License-Identifier: Apache-2.0
// Sinew's stages as three.js objects. Everything is described in sinew-three.d.ts.
import {
  BoxGeometry, BufferAttribute, BufferGeometry, CapsuleGeometry, Color, CylinderGeometry, DoubleSide, FileLoader, Group,
  InstancedBufferAttribute, InstancedMesh, LatheGeometry, Loader, LoaderUtils, Matrix4, Mesh, MeshStandardMaterial, MirroredRepeatWrapping, PlaneGeometry, RepeatWrapping, SphereGeometry,
  SRGBColorSpace, TextureLoader, Vector2, AnimationMixer,
} from 'three';
import { load, number } from './sinew.js';

/** Turns what lies along Y in three.js to where a USD axis points. */
const turns = {
  X: (geometry) => geometry.rotateZ(-Math.PI / 2),
  Y: (geometry) => geometry,
  Z: (geometry) => geometry.rotateX(Math.PI / 2),
};

/** A capsule whose ends differ: two balls and the cone that touches both. */
function taperedCapsule(top, bottom, height) {
  const tilt = Math.asin(Math.max(-1, Math.min(1, (bottom - top) / Math.max(height, 1e-9))));
  const profile = [];
  for (let i = 0; i <= 12; i++) {
    const a = -Math.PI / 2 + (i / 12) * (Math.PI / 2 + tilt);
    profile.push(new Vector2(bottom * Math.cos(a), bottom * Math.sin(a) - height / 2));
  }
  for (let i = 0; i <= 12; i++) {
    const a = tilt + (i / 12) * (Math.PI / 2 - tilt);
    profile.push(new Vector2(top * Math.cos(a), top * Math.sin(a) + height / 2));
  }
  return new LatheGeometry(profile, 48);
}

/** The geometry of a sphere, cube, cylinder, capsule, cone or plane, in its own units. */
export function shapeGeometry(shape) {
  const n = (name) => number(shape[name]);
  switch (shape.type) {
    case 'sphere':
      return new SphereGeometry(n('radius'), 48, 24);
    case 'cube':
      return new BoxGeometry(n('size'), n('size'), n('size'));
    case 'cylinder':
    case 'cone':
      return turns[shape.axis](new CylinderGeometry(n('radiusTop'), n('radiusBottom'), n('height'), 48));
    case 'capsule':
      return turns[shape.axis](n('radiusTop') === n('radiusBottom')
        ? new CapsuleGeometry(n('radiusTop'), n('height'), 12, 48)
        : taperedCapsule(n('radiusTop'), n('radiusBottom'), n('height')));
    case 'plane': {
      const plane = new PlaneGeometry(n('width'), n('length'));
      if (shape.axis === 'X') plane.rotateY(Math.PI / 2);
      if (shape.axis === 'Y') plane.rotateX(-Math.PI / 2);
      return plane;
    }
    default:
      return new BufferGeometry();
  }
}

/** What three.js does beyond an image, by the words of USD; else its edge goes on. */
const wraps = { repeat: RepeatWrapping, mirror: MirroredRepeatWrapping };

/** Bytes of an image as a texture; null where there is no document to decode it. */
function textureOf(stage, { file, wrapS, wrapT }, isColor) {
  if (typeof document === 'undefined' || !file) return null;
  let bytes;
  try {
    bytes = stage.file(file);
  } catch {
    return null; // Stage.missing tells.
  }
  const url = URL.createObjectURL(new Blob([bytes]));
  const texture = new TextureLoader().load(url, () => URL.revokeObjectURL(url));
  texture.wrapS = wraps[wrapS] ?? texture.wrapS;
  texture.wrapT = wraps[wrapT] ?? texture.wrapT;
  if (isColor) texture.colorSpace = SRGBColorSpace;
  return texture;
}

/** A material for each path and kind of mesh, made when it is first asked for. */
class Materials {
  #made = new Map();
  constructor(stage) {
    this.stage = stage;
    this.byPath = new Map(stage.materials.map((material) => [material.path, material]));
  }
  get(path, { color, colors, doubleSided }) {
    const key = JSON.stringify([path, color, Boolean(colors), doubleSided]);
    if (!this.#made.has(key)) this.#made.set(key, this.#make(this.byPath.get(path), color, colors, doubleSided));
    return this.#made.get(key);
  }
  #make(surface, color, colors, doubleSided) {
    const material = new MeshStandardMaterial({ roughness: 0.7, metalness: 0 });
    if (doubleSided) material.side = DoubleSide;
    if (!surface?.known) {
      material.color.setRGB(...(color ?? [0.7, 0.7, 0.72]).map(number));
      material.vertexColors = Boolean(colors);
      return material;
    }
    const image = (input, isColor) => surface.textures[input] && textureOf(this.stage, surface.textures[input], isColor);
    material.map = image('diffuseColor', true) ?? null;
    material.normalMap = image('normal') ?? null;
    material.emissiveMap = image('emissiveColor', true) ?? null;
    material.color = material.map ? new Color(1, 1, 1) : new Color(...surface.diffuseColor.map(number));
    material.emissive.setRGB(...(material.emissiveMap ? [1, 1, 1] : surface.emissiveColor.map(number)));
    material.metalness = number(surface.metallic);
    material.roughness = number(surface.roughness);
    material.opacity = number(surface.opacity);
    material.alphaTest = number(surface.opacityThreshold);
    material.transparent = material.opacity < 1 && material.alphaTest === 0;
    return material;
  }
}

function geometryOf(mesh) {
  const geometry = new BufferGeometry();
  const add = (name, array, size) => array && geometry.setAttribute(name, new BufferAttribute(array.slice(), size));
  add('position', mesh.points, 3);
  add('normal', mesh.normals, 3);
  add('uv', mesh.uv, 2);
  add('color', mesh.colors, 3);
  geometry.setIndex(new BufferAttribute(mesh.triangles.slice(), 1));
  mesh.groups.forEach(({ first, count }, i) => geometry.addGroup(first, count, i));
  return geometry;
}

function meshOf(mesh, geometry, materials) {
  const list = mesh.groups.map(({ material }) => materials.get(material, mesh));
  const material = list.length && !mesh.shape ? list : materials.get(mesh.material, mesh);
  const object = mesh.instanced ? new InstancedMesh(geometry, material, 0) : new Mesh(geometry, material);
  object.name = mesh.path.slice(mesh.path.lastIndexOf('/') + 1);
  object.userData.path = mesh.path;
  return object;
}

/** Copies what the stage has computed into a geometry. */
function refresh(geometry, mesh) {
  for (const [name, array] of [['position', mesh.points], ['normal', mesh.normals]]) {
    geometry.getAttribute(name).array.set(array);
    geometry.getAttribute(name).needsUpdate = true;
  }
}

/** Puts the copies of what PointInstancers show where they are. */
function placeCopies(object, copies) {
  object.count = copies ? copies.length / 16 : 0;
  object.boundingBox = object.boundingSphere = null;
  if (!copies) return;
  if (object.count > object.instanceMatrix.count) {
    object.dispose(); // What the graphics card has of the fewer.
    object.instanceMatrix = new InstancedBufferAttribute(copies.slice(), 16);
  } else {
    object.instanceMatrix.array.set(copies);
    object.instanceMatrix.needsUpdate = true;
  }
}

/** A stage as a Group that follows it; see sinew-three.d.ts. */
export function buildGroup(stage) {
  const group = new Group();
  group.name = stage.root;
  if (stage.metrics.upAxis === 'Z') group.rotation.x = -Math.PI / 2;
  const materials = new Materials(stage);
  const characters = stage.characters.map((character) => {
    character.pose(character.range[0]);
    return character.targets.map((target) => {
      const object = meshOf(target, geometryOf(target), materials);
      object.frustumCulled = false; // Its bounds change with every frame.
      group.add(object);
      return object;
    });
  });
  const meshes = stage.meshes.map((mesh) => {
    const object = meshOf(mesh, mesh.shape ? shapeGeometry(mesh.shape) : geometryOf(mesh), materials);
    object.matrixAutoUpdate = false;
    group.add(object);
    return object;
  });
  const place = () => meshes.forEach((object, i) => {
    const mesh = stage.meshes[i];
    object.matrix.copy(new Matrix4().fromArray(mesh.matrix));
    object.visible = mesh.matrix[15] !== 0;
    object.matrixWorldNeedsUpdate = true;
    if (mesh.instanced) placeCopies(object, mesh.instances);
    if (mesh.moves) refresh(object.geometry, mesh);
  });
  group.update = (time) => {
    stage.characters.forEach((character, i) => {
      character.pose(time);
      character.targets.forEach((target, k) => refresh(characters[i][k].geometry, target));
    });
    stage.poseMeshes(time);
    place();
  };
  group.userData = { stage, characters, meshes };
  place();
  return group;
}

/** The stage as glTF has it: skins and morph targets that the graphics card deforms. */
async function buildOnGpu(stage) {
  const { GLTFLoader } = await import('three/addons/loaders/GLTFLoader.js');
  const glb = stage.exportGlb({ physics: false });
  const { scene, animations } = await new GLTFLoader().parseAsync(glb.buffer, '');
  const mixer = new AnimationMixer(scene);
  const actions = animations.map((clip) => mixer.clipAction(clip).play());
  const { startTimeCode, timeCodesPerSecond } = stage.metrics;
  const first = stage.metrics.hasTimeCodeRange
    ? number(startTimeCode)
    : Math.min(...stage.characters.map(({ range }) => range[0]), Infinity);
  scene.update = (time) => {
    const seconds = (time - (Number.isFinite(first) ? first : 0)) / number(timeCodesPerSecond);
    // Before and after it a clip holds still; the mixer alone would begin again.
    for (const action of actions) action.time = Math.max(0, Math.min(seconds, action.getClip().duration));
    mixer.update(0);
  };
  scene.userData.stage = stage;
  return scene;
}

export class SinewLoader extends Loader {
  constructor(manager, { sinew = null, gpu = false, open = {} } = {}) {
    super(manager);
    this.sinew = sinew;
    this.gpu = gpu;
    this.options = open;
  }
  load(url, onLoad, onProgress, onError) {
    const files = new FileLoader(this.manager);
    files.setPath(this.path);
    files.setResponseType('arraybuffer');
    files.setRequestHeader(this.requestHeader);
    files.setWithCredentials(this.withCredentials);
    const name = url.slice(LoaderUtils.extractUrlBase(url).replace(/^\.\/$/, '').length);
    files.load(url, (buffer) => {
      this.parse({ [name]: new Uint8Array(buffer) }, name).then(onLoad).catch((error) => {
        if (onError) onError(error);
        else console.error(error);
        this.manager.itemError(url);
      });
    }, onProgress, onError);
  }
  async parse(files, root) {
    this.sinew ??= await load();
    const stage = this.sinew.open(files, root, this.options);
    return this.gpu ? buildOnGpu(stage) : buildGroup(stage);
  }
}
