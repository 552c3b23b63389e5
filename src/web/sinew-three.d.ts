// SPDX-License-Identifier: Apache-2.0
import type { BufferGeometry, Group, Loader, LoadingManager, Mesh } from 'three';
import type { OpenOptions, PlainShape, Sinew, Stage } from './sinew.js';

/** A stage in the scene graph of three.js, in metres, Y upwards. */
export interface SinewGroup extends Group {
  /** Moves everything to a time code. */
  update(time: number): void;
}

/** Opens .usda, .usdc and .usdz files that need no others; for those that do see parse(). */
export class SinewLoader extends Loader<SinewGroup> {
  constructor(
    manager?: LoadingManager,
    options?: {
      /** Default: an instance of its own, loaded when it is first needed. */
      sinew?: Sinew;
      /** Skins and morph targets that the graphics card deforms, as glTF has them: linear, four joints per point. Default:
       *  Sinew deforms, exactly as USD says. */
      gpu?: boolean;
      open?: OpenOptions;
    },
  );
  load(url: string, onLoad: (group: SinewGroup) => void, onProgress?: (event: ProgressEvent) => void, onError?: (error: unknown) => void): void;
  /** A stage of files that are there; `root` is the one to open. */
  parse(files: Record<string, Uint8Array> | Map<string, Uint8Array>, root: string): Promise<SinewGroup>;
}

/** A Group that shows a stage, and what it is made of: objects parallel to `stage.characters[i].targets` and to `stage.meshes`. */
export function buildGroup(stage: Stage): SinewGroup & {
  userData: { stage: Stage; characters: Mesh[][]; meshes: Mesh[] };
};

/** The geometry of a simple shape, in units of the stage. */
export function shapeGeometry(shape: PlainShape): BufferGeometry;
