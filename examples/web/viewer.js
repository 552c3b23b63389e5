// SPDX-License-Identifier: CC0-1.0
// The picture: a scene, a camera that turns around it, and what lies under the pointer.
import {
  Box3, Color, DirectionalLight, Group, GridHelper, HemisphereLight, PerspectiveCamera, Raycaster, Scene, Vector2, Vector3,
  WebGLRenderer,
} from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';

export function createViewer(canvas) {
  const renderer = new WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: true });
  const scene = new Scene();
  const camera = new PerspectiveCamera(40, 1, 0.01, 1000);
  const controls = new OrbitControls(camera, canvas);
  controls.listenToKeyEvents(canvas);
  const content = new Group();
  const sun = new DirectionalLight(0xffffff, 2.2);
  const grid = new Group();
  scene.add(new HemisphereLight(0xffffff, 0x8a8578, 1.6), sun, content, grid);

  let isWanted = true;
  const ask = () => {
    isWanted = true;
  };
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const paint = () => {
    scene.background = new Color(dark.matches ? 0x16181b : 0xf5f5f2);
    ask();
  };
  dark.addEventListener('change', paint);
  paint();
  controls.addEventListener('change', ask);

  function resize() {
    const { clientWidth: width, clientHeight: height } = canvas.parentElement;
    renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    renderer.setSize(width, height, false);
    camera.aspect = width / Math.max(1, height);
    camera.updateProjectionMatrix();
    ask();
  }
  new ResizeObserver(resize).observe(canvas.parentElement);
  resize();

  return {
    scene, camera, content, renderer,
    ask,
    /** Puts the camera where all of the content is seen. */
    frame() {
      content.updateMatrixWorld(true);
      const box = new Box3();
      const floors = new Box3(); // Planes count where there is nothing else.
      content.traverseVisible((object) => {
        if (!object.geometry || object.userData.isHelper) return;
        object.geometry.computeBoundingBox();
        const own = object.geometry.boundingBox?.clone().applyMatrix4(object.matrixWorld);
        const isFlat = object.userData.isFloor || object.geometry.type === 'PlaneGeometry';
        if (own && own.getSize(new Vector3()).length() < 1e4) (isFlat ? floors : box).union(own);
      });
      if (box.isEmpty()) box.copy(floors);
      if (box.isEmpty()) box.set(new Vector3(-1, 0, -1), new Vector3(1, 1, 1));
      const center = box.getCenter(new Vector3());
      const radius = Math.max(1e-3, 1.08 * (box.getSize(new Vector3()).length() / 2));
      const distance = radius / Math.sin((camera.fov / 2) * (Math.PI / 180)) / Math.min(1, camera.aspect);
      controls.target.copy(center);
      camera.position.copy(center).add(new Vector3(0.5, 0.35, 1).normalize().multiplyScalar(distance));
      camera.near = distance / 100;
      camera.far = distance * 100;
      camera.updateProjectionMatrix();
      sun.position.copy(center).add(new Vector3(1, 2, 1.5).multiplyScalar(radius));
      sun.target.position.copy(center);
      sun.target.updateMatrixWorld();
      controls.update();
      grid.clear();
      const cell = 10 ** Math.floor(Math.log10(radius));
      grid.add(new GridHelper(cell * 20, 20, 0x888888, 0x888888));
      grid.children[0].material.transparent = true;
      grid.children[0].material.opacity = 0.25;
      ask();
    },
    /** The nearest object with a path under a point of the window. */
    pick(x, y) {
      const box = canvas.getBoundingClientRect();
      const ray = new Raycaster();
      ray.setFromCamera(new Vector2(((x - box.left) / box.width) * 2 - 1, 1 - ((y - box.top) / box.height) * 2), camera);
      const isShown = (object) => object === null || (object.visible && isShown(object.parent));
      return ray.intersectObject(content, true).find(({ object }) => object.isMesh && object.userData.path && isShown(object)) ?? null;
    },
    /** Where a point of the world is in the picture, in CSS pixels; null behind the camera. */
    project(point) {
      const seen = point.clone().project(camera);
      if (seen.z > 1 || seen.z < -1) return null;
      return [((seen.x + 1) / 2) * canvas.clientWidth, ((1 - seen.y) / 2) * canvas.clientHeight];
    },
    /** Draws if something has changed since. */
    draw() {
      if (!isWanted) return false;
      isWanted = false;
      renderer.render(scene, camera);
      return true;
    },
  };
}
