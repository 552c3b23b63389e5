// SPDX-License-Identifier: Apache-2.0

/** A number; those that are not finite cross as their names. `number()` gives them back. */
export type Figure = number | 'inf' | '-inf' | 'nan';
/** x, y, z. */
export type Vec3 = [Figure, Figure, Figure];
/** w, x, y, z. */
export type Quat = [Figure, Figure, Figure, Figure];

/**
 * Compiles the module and starts an instance, which shares nothing with others.
 * @param source Default: sinew.wasm beside this script. `Sinew.module` of another instance saves compiling.
 */
export function load(source?: URL | string | BufferSource | Response | WebAssembly.Module): Promise<Sinew>;

/** The number that a figure stands for. */
export function number(value: Figure): number;

/** A file could not be read, or something was asked for that is not there. */
export class SinewError extends Error {
  /** "not_found", "syntax", "corrupt", "limit_exceeded", "invalid_argument" ... */
  readonly code: string;
  /** The file that was opened; empty if it is not about one. */
  readonly file: string;
  /** 1-based; 0 if there is no place in a text. */
  readonly line: number;
  readonly column: number;
}

/** The instance has ended: out of memory, or a mistake in it. Every later call throws this again. */
export class SinewCrash extends SinewError {}

export interface Sinew {
  readonly version: string;
  /** Whether kernels use 128-bit SIMD. */
  readonly simd: boolean;
  /** For load() and for postMessage(). */
  readonly module: WebAssembly.Module;
  /** Size of the instance's memory. It grows and never shrinks. */
  readonly memoryBytes: number;
  /**
   * Reads and composes a stage.
   * @param files By name. Paths in layers are looked for beside the layer that writes them, then as they
   *   stand, then by file name alone where only one file has it.
   * @param root The name of the file to open.
   * @throws SinewError if the root layer cannot be read. What is wrong elsewhere is in `diagnostics`.
   */
  open(files: Record<string, Uint8Array> | Map<string, Uint8Array>, root: string, options?: OpenOptions): Stage;
}

export interface OpenOptions {
  /** Default: documented. */
  rules?: 'documented' | 'openusd';
  /** Default: load. */
  payloads?: 'load' | 'skip';
  /** Between time samples; default: linear. */
  interpolation?: 'linear' | 'held';
  /** Nothing that is written in a package leads out of it. Default: false. */
  closedPackages?: boolean;
  /** What a file may ask for. Exceeding one is an ordinary error. */
  limits?: Limits;
  /** Selections that win over authored ones: prim path, set, variant. */
  variants?: Record<string, Record<string, string>>;
  /** Paths of Skeletons, and of the SkelAnimations that play them instead of their own. */
  animations?: Record<string, string>;
}

/** Each has a default that suits files of strangers. */
export interface Limits {
  primNesting?: number;
  valueNesting?: number;
  variantNesting?: number;
  namesPerSpec?: number;
  layers?: number;
  arcsPerPrim?: number;
  arcsPerStage?: number;
  compositionSteps?: number;
  compositionStepsPerPrim?: number;
  prims?: number;
  instanceProxies?: number;
  clipEntries?: number;
  /** Default: 1 GiB. */
  fileBytes?: number;
  arrayElements?: number;
  arrayEditBytes?: number;
  /** Default: 1 GiB. */
  decodedBytes?: number;
  /** Default: 64. */
  decodedPerByte?: number;
  valueItems?: number;
}

/** Valid until dispose(). Afterwards everything throws SinewError. */
export interface Stage {
  /** The name it was opened by. */
  readonly root: string;
  readonly metrics: Metrics;
  readonly primCount: number;
  /** Of all files that were given. */
  readonly byteCount: number;
  /** Names of the layers that take part, the root first. */
  readonly layers: string[];
  /** Paths that layers and materials ask for and no file answers. */
  readonly missing: string[];
  readonly characters: Character[];
  /** What is drawn without a skeleton. */
  readonly meshes: StaticMesh[];
  readonly materials: Material[];
  /** What was worth telling so far; made anew by each access. */
  readonly diagnostics: Diagnostic[];
  /** 16 numbers for each of `meshes`, column by column; all zero: invisible. See Mesh.points for how long. */
  readonly matrices: Float32Array;
  /** Moves `meshes` to a time code; without one to the default time. */
  poseMeshes(time?: number): void;
  /** Every prim, parents first; what lies below instances is left out. */
  tree(): PrimInfo[];
  /** The authored properties of a prim. */
  properties(path: string): PropertyInfo[];
  /**
   * The value of an attribute: a number, a text, a list, or a typed array of all numbers of an array. Null if there
   * is none.
   * @param path For example "/World/Arm.points".
   * @param time A time code; default: the default time, at which time samples do not count.
   */
  attribute(path: string, time?: number): unknown;
  /** Every opinion about a prim or a property, strongest first. */
  explain(path: string, time?: number): Opinion[];
  /** Bodies, colliders, joints. */
  physics(options?: {
    /** In metres, kilograms, seconds and radians; default: in the units of the stage, and degrees. */
    si?: boolean;
  }): Physics;
  /** The mass of every body, in units of the stage, and how it came about. */
  masses(): BodyMass[];
  /** Whether two bodies or colliders touch each other. */
  collide(a: string, b: string): { collides: boolean; reasons: string[] };
  /**
   * The faces or the convex hull of a collider, in metres, in its frame. Copies.
   * @param index In Physics.shapes.
   */
  shapeMesh(index: number, form?: 'surface' | 'hull'): { points: Float64Array; triangles: Uint32Array };
  /** The stage as a .glb file. */
  exportGlb(options?: GlbOptions): Uint8Array;
  /** A copy of a file that was given, or of one inside a package: `file` of a Texture. */
  file(identifier: string): Uint8Array;
  dispose(): void;
  [Symbol.dispose](): void;
}

export interface Metrics {
  upAxis: string;
  metersPerUnit: Figure;
  kilogramsPerUnit: Figure;
  timeCodesPerSecond: Figure;
  framesPerSecond: Figure;
  startTimeCode: Figure;
  endTimeCode: Figure;
  hasTimeCodeRange: boolean;
  defaultPrim: string;
}

export interface Diagnostic {
  severity: 'info' | 'warning' | 'error';
  /** For programs. */
  code: string;
  message: string;
  file: string;
  /** 1-based; 0 without a place in a text. */
  line: number;
  column: number;
  path: string;
  excerpt: string;
  hint: string;
}

export interface PrimInfo {
  path: string;
  type: string;
  specifier: 'def' | 'over' | 'class';
  active: boolean;
  instance: boolean;
  /** By name of the set. */
  variants?: Record<string, { selected: string; names: string[] }>;
}

export interface PropertyInfo {
  name: string;
  /** "point3f[]"; "rel" for relationships. */
  type: string;
  /** Number of time samples. */
  samples?: number;
  /** Of relationships. */
  targets?: string[];
}

export interface Opinion {
  layer: string;
  line: number;
  /** Where in that layer. */
  path: string;
  /** How composition came there: "reference > variant look=red". */
  arcs: string;
  /** Whether it gives the value. */
  wins: boolean;
  note: string;
}

/** Arrays are views of the module's memory: copy what is kept beyond the next call of any function. */
export interface Mesh {
  readonly path: string;
  readonly pointCount: number;
  readonly vertexCount: number;
  readonly triangleCount: number;
  readonly doubleSided: boolean;
  /** (displayColor) One for all. */
  readonly color: Vec3 | null;
  /** Three numbers per vertex. */
  readonly points: Float32Array;
  /** Three numbers per vertex, of length 1. */
  readonly normals: Float32Array;
  /** Two numbers per vertex; V points up. */
  readonly uv: Float32Array | null;
  /** (displayColor) Three numbers per vertex. */
  readonly colors: Float32Array | null;
  /** Three vertices per triangle. */
  readonly triangles: Uint32Array;
  /** Which part of `triangles` has which material; paths of materials. */
  readonly groups: { first: number; count: number; material: string | null }[];
  /** That of the first group. */
  readonly material: string | null;
}

/** A mesh that joints and blend shapes deform: in metres of world space, as of the last pose(). */
export interface Target extends Mesh {
  /** (skel:skinningMethod) */
  readonly method: string;
  /** Joints per point; 0: no joint moves it. */
  readonly influences: number;
  readonly blendShapes: { name: string; inbetweens: { name: string; weight: Figure }[] }[];
}

/** A mesh without a skeleton, in its own space; or a simple shape, which has no arrays. */
export interface StaticMesh extends Mesh {
  /** Null: a mesh. */
  readonly shape: PlainShape | null;
  /** Whether its points vary with time. */
  readonly moves: boolean;
  /** Metres of world space from its own space, as of the last poseMeshes(); all zero: invisible. */
  readonly matrix: Float32Array;
  /** Whether PointInstancers show it, as often as `instances` says; `matrix` is identity then. */
  readonly instanced: boolean;
  /** 16 numbers for each copy, like `matrix`. Null: there is none now. */
  readonly instances: Float32Array | null;
}

export type PlainShape =
  | { type: 'sphere'; radius: Figure }
  | { type: 'cube'; size: Figure }
  | { type: 'plane'; width: Figure; length: Figure; axis: string }
  | { type: 'cylinder' | 'capsule' | 'cone'; height: Figure; radiusTop: Figure; radiusBottom: Figure; axis: string };

/** A UsdPreviewSurface. */
export interface Material {
  path: string;
  /** False: another shader; the numbers are fallbacks. */
  known: boolean;
  diffuseColor: Vec3;
  emissiveColor: Vec3;
  normal: Vec3;
  metallic: Figure;
  roughness: Figure;
  opacity: Figure;
  opacityThreshold: Figure;
  occlusion: Figure;
  /** By input. */
  textures: Record<string, Texture>;
}

export interface Texture {
  /** For Stage.file(). */
  file: string;
  /** As it is written in the layer. */
  written: string;
  /** "rgb", "r" ... */
  channel: string;
  wrapS: string;
  wrapT: string;
}

export interface Character {
  /** Of the Skeleton. */
  readonly path: string;
  readonly skelRoot: string;
  /** Of the SkelAnimation that plays it. */
  readonly animation: string | null;
  /** Slash-separated, parents first. */
  readonly joints: string[];
  /** -1 for roots. A copy. */
  readonly parents: Int32Array;
  /** First and last sample, in time codes; both 0 if nothing moves. */
  readonly range: [number, number];
  readonly blendShapes: string[];
  readonly targets: Target[];
  /** Puts joints and meshes where they are at a time code; without one at the default time. */
  pose(time?: number): void;
  /** What the next pose() shows. */
  show(pose: 'animated' | 'rest' | 'bind'): void;
  /** 16 numbers per joint, column by column: metres of world space from joint. A view. */
  readonly jointWorld: Float32Array;
  /** In the order of `blendShapes`. Set: these instead of the animation's, from the next pose() on; null: the animation's. */
  get blendWeights(): Float32Array;
  set blendWeights(weights: ArrayLike<number> | null);
  /** How much a joint moves each vertex of a target, 0 to 1; empty if that mesh does not follow joints. A view. */
  jointWeights(target: number, joint: number): Float32Array;
}

export interface GlbOptions {
  physics?: boolean;
  materials?: boolean;
  extras?: boolean;
  textures?: 'embed' | 'none';
  influences?: 4 | 8 | 'all';
  instancing?: 'nodes' | 'gpu';
  /** Keys at these steps of time codes too, beside the authored ones. */
  step?: number;
}

export interface Physics {
  upAxis: string;
  metersPerUnit: Figure;
  kilogramsPerUnit: Figure;
  /** Whether angles are in radians. */
  radians: boolean;
  gravity: Vec3;
  scenes: { path: string; type: string; isValid: boolean; gravityDirection: Vec3; gravityMagnitude: Figure }[];
  materials: PhysicsMaterial[];
  collisionGroups: { path: string; invertFilteredGroups: boolean; filteredGroups: string[]; mergeGroupName: string; mergedGroups: string[] }[];
  rigidBodies: RigidBody[];
  shapes: Collider[];
  joints: Joint[];
  articulations: { path: string; rootPrims: string[]; filteredCollisions: string[]; articulatedJoints: string[]; articulatedBodies: string[] }[];
  /** Of MuJoCo's dialect, which the module does not read: empty. */
  sites: unknown[];
  /** The same. */
  actuators: unknown[];
  /** Of Isaac's, in the same way. */
  robots: unknown[];
  /** One per body, without the explanation. */
  mass: MassFigures[];
}

export interface PhysicsMaterial {
  path: string;
  staticFriction: Figure;
  dynamicFriction: Figure;
  restitution: Figure;
  density: Figure;
}

export interface RigidBody {
  path: string;
  isValid: boolean;
  collisions: string[];
  filteredCollisions: string[];
  simulationOwners: string[];
  /** World space. */
  position: Vec3;
  rotation: Quat;
  scale: Vec3;
  rigidBodyEnabled: boolean;
  kinematicBody: boolean;
  startsAsleep: boolean;
  /** World space. */
  linearVelocity: Vec3;
  angularVelocity: Vec3;
}

/** Sizes have their scale applied. What is there depends on `type`. */
export interface Collider {
  path: string;
  /** "Sphere", "Cube", "Capsule", "Cylinder", "Cone", "Plane", "Mesh" ... */
  type: string;
  isValid: boolean;
  rigidBody: string | null;
  /** In Physics.rigidBodies; -1: static. */
  body: number;
  /** In the frame of the body; of static ones in the world. */
  localPos: Vec3;
  localRot: Quat;
  localScale: Vec3;
  /** In Physics.materials; -1: none. */
  boundMaterial: number;
  materials: string[];
  simulationOwners: string[];
  filteredCollisions: string[];
  collisionGroups: string[];
  collisionEnabled: boolean;
  radius?: Figure;
  topRadius?: Figure;
  bottomRadius?: Figure;
  halfHeight?: Figure;
  halfExtents?: Vec3;
  axis?: 'X' | 'Y' | 'Z';
  approximation?: string;
  meshScale?: Vec3;
  doubleSided?: boolean;
  /** Materials of parts of a mesh. */
  subsetMaterials?: { subset: string; material: string }[];
  box?: { position: Vec3; rotation: Quat; halfExtents: Vec3 };
  ball?: { position: Vec3; radius: Figure };
  spherePoints?: { center: Vec3; radius: Figure }[];
  customGeometryToken?: string;
}

export interface Drive {
  enabled: boolean;
  targetPosition: Figure;
  targetVelocity: Figure;
  forceLimit: Figure;
  stiffness: Figure;
  damping: Figure;
  /** Whether the force is an acceleration. */
  acceleration: boolean;
}

export type Dof = 'distance' | 'transX' | 'transY' | 'transZ' | 'rotX' | 'rotY' | 'rotZ';

export interface Joint {
  path: string;
  type: string;
  isValid: boolean;
  /** The prims that the file names, and the bodies that they belong to; empty: the world. */
  rel0: string;
  rel1: string;
  body0: string;
  body1: string;
  localPose0Position: Vec3;
  localPose0Orientation: Quat;
  localPose1Position: Vec3;
  localPose1Orientation: Quat;
  jointEnabled: boolean;
  collisionEnabled: boolean;
  breakForce: Figure;
  breakTorque: Figure;
  excludeFromArticulation: boolean;
  axis?: 'X' | 'Y' | 'Z';
  limit?: { enabled: boolean; lower: Figure; upper: Figure };
  drive?: Drive;
  minEnabled?: boolean;
  maxEnabled?: boolean;
  /** Of joints without a kind, as the file has them. */
  limits?: { dof: Dof; limit: { enabled: boolean; lower: Figure; upper: Figure } }[];
  drives?: { dof: Dof; drive: Drive }[];
  typeName?: string;
  /** The joint in the form that all types have: what each degree of freedom of frame 1 in frame 0 may do. */
  form: {
    /** In Physics.rigidBodies; -1: the world. */
    bodies: [number, number];
    frames: [Pose, Pose];
    /** The swings are the half-angles of one cone. */
    cone: boolean;
    enabled: boolean;
    dofs: Record<Dof, { state: 'free' | 'limited' | 'locked'; lower: Figure; upper: Figure; drive?: Drive }>;
  };
  /** Both frames in the world, as the file poses the bodies. */
  worldFrames: [Pose, Pose];
}

export interface Pose {
  position: Vec3;
  rotation: Quat;
}

export interface MassFigures {
  path: string;
  mass: Figure;
  /** In the frame of the body. */
  centerOfMass: Vec3;
  diagonalInertia: Vec3;
  principalAxes: Quat;
}

export interface BodyMass extends MassFigures {
  /** One per prim that has a say; the first is the body. */
  steps: MassStep[];
  /** The explanation for people, indented. */
  text: string;
}

export interface MassStep {
  path: string;
  /** In `steps`; -1 for the body. */
  parent: number;
  collider: boolean;
  massSource: 'none' | 'authored' | 'parts' | 'assumed' | 'unset';
  densitySource: 'none' | 'massApi' | 'material' | 'water';
  centerSource: FigureSource;
  inertiaSource: FigureSource;
  axesSource: FigureSource;
  /** Authored figures that were passed over, and why: "massNotPositive", "densityOverruled" ... */
  ignored: string[];
  /** In `steps`: whose prim gives the density; -1: none does. */
  densityStep: number;
  volume: Figure;
  density: Figure;
  partsMass: Figure;
  mass: Figure;
  /** What it finally adds to the body. */
  share: Figure;
  center: Vec3;
}

export type FigureSource = 'computed' | 'authored' | 'smallSphere' | 'unit';
