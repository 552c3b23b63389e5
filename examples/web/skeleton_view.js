// SPDX-License-Identifier: CC0-1.0
// Bones, names of joints, and the weights of a joint as colours.
import { BufferAttribute, BufferGeometry, Group, LineBasicMaterial, LineSegments, MeshBasicMaterial, Points, PointsMaterial, Vector3 } from 'three';

/** A colour for a weight from 0 (deep blue) over green to 1 (red). */
function ramp(weight, out, at) {
  out[at] = Math.min(1, Math.max(0, 2 * weight - 0.6));
  out[at + 1] = weight < 0.02 ? 0.16 : 0.25 + 0.6 * Math.max(0, 1 - Math.abs(weight - 0.5) * 2);
  out[at + 2] = Math.max(0.05, 0.55 - weight);
}

export function createSkeletonView(group, stage, namesElement) {
  const bones = new Group();
  bones.visible = false;
  group.add(bones);
  const lines = stage.characters.map((character) => {
    const withParent = [...character.parents.keys()].filter((joint) => character.parents[joint] >= 0);
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(new Float32Array(6 * withParent.length), 3));
    const dots = new BufferGeometry();
    dots.setAttribute('position', new BufferAttribute(new Float32Array(3 * character.joints.length), 3));
    const over = { depthTest: false, transparent: true };
    const object = new LineSegments(geometry, new LineBasicMaterial({ color: 0xd98b1f, ...over }));
    const points = new Points(dots, new PointsMaterial({ color: 0xd98b1f, size: 5, sizeAttenuation: false, ...over }));
    for (const helper of [object, points]) {
      helper.frustumCulled = false;
      helper.renderOrder = 10;
      helper.userData.isHelper = true;
    }
    bones.add(object, points);
    return { geometry, dots, withParent };
  });
  const weightMaterial = new MeshBasicMaterial({ vertexColors: true });
  let shownJoint = null;
  let showsNames = false;
  const before = new Map(); // Materials and colours of meshes that show weights.

  const place = (character, joint) => {
    const m = character.jointWorld;
    return [m[16 * joint + 12], m[16 * joint + 13], m[16 * joint + 14]];
  };

  function restore() {
    for (const [object, { material, color }] of before) {
      object.material = material;
      if (color) object.geometry.setAttribute('color', color);
      else object.geometry.deleteAttribute('color');
    }
    before.clear();
  }

  return {
    showBones(yes) { bones.visible = yes; },
    showNames(yes) {
      showsNames = yes;
      namesElement.replaceChildren();
    },
    /** The joint nearest to a point in the scene's own space: { character, joint }. */
    nearest(point) {
      let best = null;
      stage.characters.forEach((character, c) => {
        for (let joint = 0; joint < character.joints.length; joint++) {
          const distance = Math.hypot(...place(character, joint).map((p, i) => p - point[i]));
          if (!best || distance < best.distance) best = { character: c, joint, distance };
        }
      });
      return best;
    },
    /** Colours the meshes of a character by the weights of a joint; null: as they were. */
    showWeights(which) {
      const key = which && `${which.character}/${which.joint}`;
      if (key === shownJoint) return;
      shownJoint = key;
      restore();
      if (!which) return;
      stage.characters[which.character].targets.forEach((target, t) => {
        const object = group.userData.characters[which.character][t];
        const weights = stage.characters[which.character].jointWeights(t, which.joint);
        const colors = new Float32Array(3 * target.vertexCount);
        for (let i = 0; i < target.vertexCount; i++) ramp(weights[i] ?? 0, colors, 3 * i);
        before.set(object, { material: object.material, color: object.geometry.getAttribute('color') });
        object.geometry.setAttribute('color', new BufferAttribute(colors, 3));
        object.material = weightMaterial;
      });
    },
    /** Follows the last pose. */
    update(viewer) {
      if (!bones.visible && !showsNames) return;
      stage.characters.forEach((character, c) => {
        const { geometry, dots, withParent } = lines[c];
        const ends = geometry.getAttribute('position');
        withParent.forEach((joint, i) => {
          ends.array.set(place(character, character.parents[joint]), 6 * i);
          ends.array.set(place(character, joint), 6 * i + 3);
        });
        ends.needsUpdate = true;
        character.joints.forEach((_, joint) => dots.getAttribute('position').array.set(place(character, joint), 3 * joint));
        dots.getAttribute('position').needsUpdate = true;
      });
      if (!showsNames) return;
      group.updateWorldMatrix(true, false);
      const labels = [];
      stage.characters.slice(0, 4).forEach((character) => character.joints.forEach((path, joint) => {
        const at = viewer.project(new Vector3(...place(character, joint)).applyMatrix4(group.matrixWorld));
        if (at) labels.push([path.slice(path.lastIndexOf('/') + 1), at]);
      }));
      while (namesElement.childElementCount < labels.length) namesElement.append(document.createElement('span'));
      while (namesElement.childElementCount > labels.length) namesElement.lastElementChild.remove();
      labels.forEach(([name, [x, y]], i) => {
        namesElement.children[i].textContent = name;
        namesElement.children[i].style.transform = `translate(${x + 4}px, ${y - 8}px)`;
      });
    },
  };
}
