// The picture: solids first, then the length of water along every line of sight, then the water over it.

import * as THREE from 'thalweg/three';
import { decode } from 'thalweg/decode';
import { SUN, body, dome, frameOf, ground, obstacle, table } from 'thalweg/scenery';
import { TONE, Water } from 'thalweg/water';

const MOST_PIXELS = 2.2e6;

export class View {
  constructor(canvas) {
    this.canvas = canvas;
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: true });
    this.renderer.autoClear = false;
    this.renderer.shadowMap.enabled = true;
    this.camera = new THREE.PerspectiveCamera(40, 1, 0.1, 100);
    this.controls = new THREE.OrbitControls(this.camera, canvas);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.12;
    this.controls.maxPolarAngle = 0.52 * Math.PI;
    this.water = new Water();
    const target = (options) => new THREE.WebGLRenderTarget(1, 1, options);
    this.solids = target({ samples: 4, type: THREE.HalfFloatType });
    this.solids.depthTexture = new THREE.DepthTexture(1, 1, THREE.UnsignedIntType);
    // Sums of distances: single precision where it can be blended.
    const float = this.renderer.extensions.has('EXT_float_blend') && this.renderer.extensions.has('EXT_color_buffer_float');
    const type = float ? THREE.FloatType : THREE.HalfFloatType;
    this.lengths = target({ type, depthBuffer: false, minFilter: THREE.NearestFilter, magFilter: THREE.NearestFilter });
    const copy = new THREE.ShaderMaterial({
      uniforms: { picture: { value: this.solids.texture } },
      depthTest: false,
      depthWrite: false,
      vertexShader: 'varying vec2 vUv; void main() { vUv = uv; gl_Position = vec4(position.xy, 0.0, 1.0); }',
      fragmentShader: `varying vec2 vUv; uniform sampler2D picture; ${TONE}
        void main() { gl_FragColor = vec4(shown(texture2D(picture, vUv).rgb), 1.0); }`,
    });
    this.screen = new THREE.Scene();
    this.screen.add(new THREE.Mesh(new THREE.PlaneGeometry(2, 2), copy));
    this.flat = new THREE.OrthographicCamera(-1, 1, 1, -1, 0, 1);
    const mark = new THREE.MeshBasicMaterial({ color: 0xffffff, transparent: true, opacity: 0.85, side: THREE.DoubleSide });
    this.marker = new THREE.Mesh(new THREE.RingGeometry(0.8, 1, 48), mark);
    this.marker.rotation.x = -Math.PI / 2;
    this.marker.visible = false;
    this.scene = new THREE.Scene();
    this.generation = -1;
  }

  /** A new scene: `hello` and the message of its ground. */
  setWorld(hello, groundBuffer) {
    const known = this.hello && this.hello.scene === hello.scene;
    this.hello = hello;
    this.generation = hello.generation;
    const [low, high] = hello.bounds;
    const size = [0, 1, 2].map((axis) => high[axis] - low[axis]);
    const wide = Math.max(size[0], size[2]);
    this.scene = new THREE.Scene();
    this.scene.add(dome());
    this.ground = ground(decode(groundBuffer), hello.bounds);
    this.scene.add(this.ground.mesh, table(hello.bounds, this.ground.base));
    if (hello.meshes) this.scene.add(frameOf(hello.bounds, this.ground.isFlat));
    this.obstacles = hello.obstacles.map((solid) => obstacle(solid)); // its second argument is a colour, not a number
    this.bodies = (hello.bodies ?? []).map(body); // recordings of old have none
    this.solidThings = [...this.obstacles, ...this.bodies];
    if (this.solidThings.length) this.scene.add(...this.solidThings);
    this.scene.add(new THREE.HemisphereLight(0xdcecf8, 0xa39a8b, 1.7));
    const middle = new THREE.Vector3((low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2);
    const sun = new THREE.DirectionalLight(0xfff1dc, 2.4);
    sun.position.copy(middle).addScaledVector(SUN, 2 * wide);
    sun.target.position.copy(middle);
    sun.castShadow = true;
    sun.shadow.mapSize.set(2048, 2048);
    const reach = 0.75 * Math.hypot(size[0], size[2]);
    Object.assign(sun.shadow.camera, { left: -reach, right: reach, top: reach, bottom: -reach, near: 0.1 * wide, far: 5 * wide });
    sun.shadow.bias = -0.0006;
    sun.shadow.normalBias = 0.004 * wide;
    this.scene.add(sun, sun.target, this.marker);
    const height = hello.meshes ? size[1] : Math.max(size[1], 0.02 * wide);
    this.water.uniforms.clear.value = hello.meshes ? 0.35 * Math.min(height, Math.max(size[2], 0.3 * size[0])) : 0.4 * height;
    this.water.uniforms.foamSpeed.value = Math.sqrt(2 * 9.81 * Math.max(height, 1e-3)) * 0.62;
    // Looks at a scene that comes again from where one looked before.
    if (!known) this.home();
  }

  /** The view from the front, a little from above. */
  home() {
    const [low, high] = this.hello.bounds;
    const size = [0, 1, 2].map((axis) => high[axis] - low[axis]);
    const aspect = Math.max(this.camera.aspect || 1, 0.1);
    const radius = 0.5 * Math.hypot(size[0], (this.hello.meshes ? 0.7 : 1) * size[1], size[2]);
    const angle = Math.min(this.camera.fov / 2, Math.atan(Math.tan((this.camera.fov * Math.PI) / 360) * aspect) * (180 / Math.PI));
    const far = (0.84 * radius) / Math.sin((angle * Math.PI) / 180);
    const middle = new THREE.Vector3((low[0] + high[0]) / 2, low[1] + (this.hello.meshes ? 0.3 : 0.5) * size[1], (low[2] + high[2]) / 2);
    const direction = new THREE.Vector3(0.32, this.hello.meshes ? 0.34 : 0.6, 0.85).normalize();
    this.controls.target.copy(middle);
    this.camera.position.copy(middle).addScaledVector(direction, far);
    this.camera.near = 0.02 * radius;
    this.camera.far = 60 * radius;
    this.controls.minDistance = 0.15 * radius;
    this.controls.maxDistance = 8 * radius;
    this.controls.update();
  }

  /** New water; false if it belongs to another scene. */
  setFrame(buffer, at = 0) {
    const frame = decode(buffer, at);
    if (!this.hello || frame.generation !== this.generation) return null;
    this.water.set(frame, this.ground);
    frame.poses.slice(0, this.solidThings.length).forEach((pose, n) => {
      this.solidThings[n].quaternion.set(...pose.turn);
      this.solidThings[n].position.set(...pose.way);
    });
    return frame;
  }

  fit() {
    const { clientWidth: w, clientHeight: h } = this.canvas;
    const ratio = Math.min(devicePixelRatio || 1, 2, Math.sqrt(MOST_PIXELS / Math.max(w * h, 1)));
    const size = [Math.max(Math.round(w * ratio), 1), Math.max(Math.round(h * ratio), 1)];
    if (size[0] === this.solids.width && size[1] === this.solids.height) return;
    this.renderer.setSize(size[0], size[1], false);
    this.solids.setSize(...size);
    this.lengths.setSize(...size);
    const first = this.camera.aspect;
    this.camera.aspect = size[0] / size[1];
    this.camera.updateProjectionMatrix();
    if (this.hello && Math.abs(first / this.camera.aspect - 1) > 0.2) this.home();
  }

  render() {
    this.fit();
    this.controls.update();
    this.camera.updateProjectionMatrix();
    const { renderer, camera, water } = this;
    const u = water.uniforms;
    renderer.setRenderTarget(this.solids);
    renderer.clear();
    renderer.render(this.scene, camera);
    u.solidDepth.value = this.solids.depthTexture;
    u.solidColour.value = this.solids.texture;
    u.lengths.value = null;
    u.pixels.value.set(this.solids.width, this.solids.height);
    u.range.value.set(camera.near, camera.far);
    u.eye.value.copy(camera.position);
    u.reference.value = camera.position.distanceTo(this.controls.target);
    const hasWater = water.frame && (water.mesh.geometry.index?.count ?? 0) > 0;
    if (hasWater && u.closed.value) {
      water.mesh.material = water.thickness;
      renderer.setRenderTarget(this.lengths);
      renderer.setClearColor(0x000000, 0);
      renderer.clear();
      renderer.render(water.scene, camera);
    }
    renderer.setRenderTarget(null);
    renderer.clear();
    renderer.render(this.screen, this.flat);
    if (hasWater) {
      u.lengths.value = this.lengths.texture;
      water.mesh.material = water.surface;
      renderer.clearDepth();
      renderer.render(water.scene, camera);
    }
  }

  /** The line of sight through a point of the screen. */
  rayAt(clientX, clientY) {
    const box = this.canvas.getBoundingClientRect();
    const at = new THREE.Vector2(((clientX - box.left) / box.width) * 2 - 1, 1 - ((clientY - box.top) / box.height) * 2);
    const ray = new THREE.Raycaster();
    this.camera.updateMatrixWorld(); // it may have moved since the last picture
    ray.setFromCamera(at, this.camera);
    return ray;
  }

  /** The body under a point of the screen, if it can be grabbed, and the point of it; water hides nothing. */
  pickBody(clientX, clientY) {
    if (!this.hello || !this.bodies?.length) return null;
    this.scene.updateMatrixWorld();
    const [hit] = this.rayAt(clientX, clientY).intersectObjects([...this.solidThings, this.ground.mesh], true);
    let group = hit?.object;
    while (group && !this.bodies.includes(group)) group = group.parent;
    return group?.userData.free ? { name: group.userData.name, point: hit.point } : null;
  }

  /** Where the line of sight meets the plane through a point that faces the camera. */
  onPlane(clientX, clientY, through) {
    const normal = this.camera.getWorldDirection(new THREE.Vector3());
    const ray = this.rayAt(clientX, clientY).ray;
    const ahead = ray.direction.dot(normal);
    if (ahead < 1e-6) return null;
    const away = through.clone().sub(ray.origin).dot(normal) / ahead;
    return ray.origin.clone().addScaledVector(ray.direction, away);
  }

  /** The highest point of water, else of the ground, at the place under a point of the screen, m. */
  pick(clientX, clientY) {
    if (!this.hello || !this.water.frame) return null;
    const ray = this.rayAt(clientX, clientY);
    const wet = new THREE.Mesh(this.water.worldGeometry(), new THREE.MeshBasicMaterial({ side: THREE.DoubleSide }));
    const [hit] = ray.intersectObjects([wet, this.ground.mesh], false);
    if (!hit) return null;
    // Behind the side of a tank, not on it; then what is on top there.
    const [low, high] = this.hello.bounds;
    const place = hit.point.clone().addScaledVector(ray.ray.direction, 2 * this.hello.cell);
    const inside = (axis) => {
      const rim = Math.min(2 * this.hello.pour_radius, (high[axis] - low[axis]) / 2);
      return Math.min(Math.max(place.getComponent(axis), low[axis] + rim), high[axis] - rim);
    };
    ray.set(new THREE.Vector3(inside(0), high[1] + (high[1] - low[1]), inside(2)), new THREE.Vector3(0, -1, 0));
    return ray.intersectObjects([wet, this.ground.mesh], false)[0]?.point ?? null;
  }

  /** Shows where water is poured for a while. */
  mark(point, radius) {
    this.marker.position.copy(point);
    this.marker.position.y += 0.15 * radius;
    this.marker.scale.setScalar(1.6 * radius);
    this.marker.visible = true;
    clearTimeout(this.markTimer);
    this.markTimer = setTimeout(() => { this.marker.visible = false; }, 1200);
  }
}

