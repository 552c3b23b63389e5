// SPDX-License-Identifier: Apache-2.0
import type { Character, Diagnostic, Mesh, OpenOptions, Stage, StaticMesh, Target } from './sinew.js';

/** Starts a Worker with an instance of its own. */
export function startWorker(options?: {
  /** Default: sinew.wasm beside the script. A compiled module can be given to many Workers. */
  source?: URL | string | WebAssembly.Module;
  /** Default: a module Worker of this script. */
  worker?: Worker;
}): Promise<RemoteSinew>;

/** As Sinew, in a Worker: every call gives a promise, and arrays are copies that were handed over. */
export interface RemoteSinew {
  readonly version: string;
  readonly simd: boolean;
  memoryBytes(): Promise<number>;
  open(files: Record<string, Uint8Array> | Map<string, Uint8Array>, root: string, options?: OpenOptions): Promise<RemoteStage>;
  /** Ends the Worker. What waits is rejected. */
  terminate(): void;
}

type Views = 'points' | 'normals' | 'uv' | 'colors' | 'triangles' | 'matrix';
type Functions = 'tree' | 'properties' | 'attribute' | 'explain' | 'physics' | 'masses' | 'collide' | 'shapeMesh' | 'exportGlb' | 'file';
type Facts = 'root' | 'metrics' | 'primCount' | 'byteCount' | 'layers' | 'missing' | 'materials';

type Promised = {
  [K in Functions]: (...values: Parameters<Stage[K]>) => Promise<ReturnType<Stage[K]>>;
};

export interface RemoteStage extends Pick<Stage, Facts>, Promised {
  readonly characters: RemoteCharacter[];
  readonly meshes: Omit<StaticMesh, Views>[];
  diagnostics(): Promise<Diagnostic[]>;
  /** Arrays of `meshes`; null for shapes. */
  meshGeometry(): Promise<(Pick<Mesh, 'points' | 'normals' | 'uv' | 'colors' | 'triangles'> | null)[]>;
  /** Matrices of all `meshes` at a time. */
  poseMeshes(time?: number): Promise<Float32Array>;
  dispose(): Promise<void>;
}

export interface RemoteCharacter
  extends Pick<Character, 'path' | 'skelRoot' | 'animation' | 'joints' | 'parents' | 'range' | 'blendShapes'> {
  readonly targets: Omit<Target, Views>[];
  /** Per target what does not change with time. */
  geometry(): Promise<Pick<Mesh, 'triangles' | 'uv' | 'colors'>[]>;
  /** Joints and meshes at a time. */
  pose(time?: number): Promise<{
    jointWorld: Float32Array;
    blendWeights: Float32Array;
    targets: Pick<Mesh, 'points' | 'normals'>[];
  }>;
  show(pose: 'animated' | 'rest' | 'bind'): Promise<void>;
  setBlendWeights(weights: number[] | null): Promise<void>;
  jointWeights(target: number, joint: number): Promise<Float32Array>;
}
