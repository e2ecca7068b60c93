// What is not water: sky, ground, obstacles, the edges of the tank.

import * as THREE from 'thalweg/three';
import { fromBase64 } from 'thalweg/decode';

export const SUN = new THREE.Vector3(0.45, 0.72, 0.38).normalize();

/** The sky in a direction; dome, fog and reflections share it. */
export const SKY = /* glsl */ `
  const vec3 SUN = vec3(${SUN.x.toFixed(4)}, ${SUN.y.toFixed(4)}, ${SUN.z.toFixed(4)});
  vec3 sky(vec3 d) {
    float up = clamp(d.y, 0.0, 1.0);
    vec3 colour = mix(vec3(0.80, 0.87, 0.92), vec3(0.16, 0.38, 0.68), pow(up, 0.55));
    float below = clamp(-d.y, 0.0, 1.0);
    colour = mix(colour, vec3(0.52, 0.54, 0.53), smoothstep(0.02, 0.5, below));
    float sun = max(dot(d, SUN), 0.0);
    return colour + vec3(1.0, 0.85, 0.6) * (0.18 * pow(sun, 24.0) + 0.5 * pow(sun, 400.0));
  }
`;

export function dome() {
  const material = new THREE.ShaderMaterial({
    side: THREE.BackSide,
    depthWrite: false,
    vertexShader: `varying vec3 vDirection;
      void main() {
        vDirection = position;
        vec4 p = projectionMatrix * vec4(mat3(modelViewMatrix) * position, 1.0);
        gl_Position = p.xyww;
      }`,
    fragmentShader: `varying vec3 vDirection; ${SKY}
      void main() { gl_FragColor = vec4(sky(normalize(vDirection)), 1.0); }`,
  });
  const mesh = new THREE.Mesh(new THREE.SphereGeometry(1, 32, 16), material);
  mesh.frustumCulled = false;
  mesh.renderOrder = -1;
  return mesh;
}

/** Pale tiles: straight lines show how water bends light. */
function tiles() {
  const n = 64;
  const data = new Uint8Array(4 * n * n);
  for (let k = 0; k < n; k++) {
    for (let i = 0; i < n; i++) {
      const joint = i < 2 || k < 2;
      const shade = joint ? 150 : 205 + ((i * 7 + k * 13) % 5);
      data.set([shade, shade + 4, shade + 6, 255], 4 * (i + n * k));
    }
  }
  const texture = new THREE.DataTexture(data, n, n);
  texture.wrapS = texture.wrapT = THREE.RepeatWrapping;
  texture.colorSpace = THREE.SRGBColorSpace;
  texture.magFilter = THREE.LinearFilter;
  texture.generateMipmaps = true;
  texture.minFilter = 1008; // linear between mipmaps
  texture.anisotropy = 8;
  texture.needsUpdate = true;
  return texture;
}

const SAND = new THREE.Color(0.62, 0.52, 0.36);
const GRASS = new THREE.Color(0.24, 0.33, 0.14);
const ROCK = new THREE.Color(0.34, 0.31, 0.28);

/** The ground as a block: its top, and sides down to a common base. */
export function ground(frame, bounds) {
  const [nx, nz] = [Math.max(frame.size[0], 2), Math.max(frame.size[1], 2)];
  const [low, high] = [frame.low, frame.high];
  const height = (i, k) => {
    const at = Math.min(i, frame.size[0] - 1) + frame.size[0] * Math.min(k, frame.size[1] - 1);
    return low[1] + (frame.heights[at] / (65534)) * (high[1] - low[1]);
  };
  const x = (i) => low[0] + (i / (nx - 1)) * (high[0] - low[0]);
  const z = (k) => low[2] + (k / (nz - 1)) * (high[2] - low[2]);
  const wide = Math.max(high[0] - low[0], high[2] - low[2]);
  const isFlat = high[1] - low[1] < 0.002 * wide;
  const base = low[1] - 0.03 * wide;
  const places = [];
  const colours = [];
  const uv = [];
  const corners = [];
  const colour = new THREE.Color();
  const tile = wide / 16;
  const put = (i, k, y, shade) => {
    places.push(x(i), y, z(k));
    colours.push(shade.r, shade.g, shade.b);
    uv.push(x(i) / tile, z(k) / tile);
    return places.length / 3 - 1;
  };
  const white = new THREE.Color(1, 1, 1);
  for (let k = 0; k < nz; k++) {
    for (let i = 0; i < nx; i++) {
      if (isFlat) {
        put(i, k, height(i, k), white);
        continue;
      }
      const dx = (height(Math.min(i + 1, nx - 1), k) - height(Math.max(i - 1, 0), k)) / (x(1) - x(0)) / 2;
      const dz = (height(i, Math.min(k + 1, nz - 1)) - height(i, Math.max(k - 1, 0))) / (z(1) - z(0)) / 2;
      const slope = Math.hypot(dx, dz);
      const share = (height(i, k) - low[1]) / (high[1] - low[1]);
      colour.lerpColors(SAND, GRASS, THREE.MathUtils.smoothstep(share, 0.45, 0.75));
      colour.lerp(ROCK, THREE.MathUtils.smoothstep(slope, 0.35, 0.9));
      put(i, k, height(i, k), colour);
    }
  }
  for (let k = 0; k + 1 < nz; k++) {
    for (let i = 0; i + 1 < nx; i++) {
      const a = i + nx * k;
      corners.push(a, a + nx, a + 1, a + 1, a + nx, a + nx + 1);
    }
  }
  const side = isFlat ? new THREE.Color(0.55, 0.57, 0.6) : new THREE.Color(0.36, 0.29, 0.21);
  const wall = (list) => {
    for (let n = 0; n + 1 < list.length; n++) {
      const [[i, k], [j, l]] = [list[n], list[n + 1]];
      const a = put(i, k, height(i, k), side);
      const b = put(j, l, height(j, l), side);
      const c = put(i, k, base, side);
      const d = put(j, l, base, side);
      corners.push(a, b, c, b, d, c);
    }
  };
  const along = (n, f) => Array.from({ length: n }, (_, i) => f(i));
  wall(along(nx, (i) => [i, nz - 1]).reverse());
  wall(along(nx, (i) => [i, 0]));
  wall(along(nz, (k) => [nx - 1, k]));
  wall(along(nz, (k) => [0, k]).reverse());
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.BufferAttribute(new Float32Array(places), 3));
  geometry.setAttribute('color', new THREE.BufferAttribute(new Float32Array(colours), 3));
  geometry.setAttribute('uv', new THREE.BufferAttribute(new Float32Array(uv), 2));
  geometry.setIndex(new THREE.BufferAttribute(new Uint32Array(corners), 1));
  geometry.computeVertexNormals();
  const material = new THREE.MeshStandardMaterial({
    vertexColors: true, roughness: 0.95, map: isFlat ? tiles() : null, side: THREE.DoubleSide,
  });
  const mesh = new THREE.Mesh(geometry, material);
  mesh.receiveShadow = true;
  mesh.castShadow = !isFlat;
  return { mesh, base, isFlat, height };
}

/** The table that the block stands on, out to the haze. */
export function table(bounds, base) {
  const [low, high] = bounds;
  const wide = Math.max(high[0] - low[0], high[2] - low[2]);
  const material = new THREE.MeshStandardMaterial({ color: 0xb9bcb6, roughness: 1 });
  material.onBeforeCompile = (shader) => {
    // Fades into the sky: no edge of the world.
    shader.vertexShader = shader.vertexShader
      .replace('#include <common>', '#include <common>\nvarying vec2 vFar;')
      .replace('#include <begin_vertex>', '#include <begin_vertex>\nvFar = position.xy;');
    shader.fragmentShader = shader.fragmentShader
      .replace('#include <common>', '#include <common>\nvarying vec2 vFar;')
      .replace('#include <opaque_fragment>',
        `outgoingLight = mix(outgoingLight, vec3(0.80, 0.87, 0.92), smoothstep(0.1, 0.8, length(vFar)));
         #include <opaque_fragment>`);
  };
  const mesh = new THREE.Mesh(new THREE.PlaneGeometry(2, 2), material);
  mesh.scale.setScalar(9 * wide);
  mesh.rotation.x = -Math.PI / 2;
  mesh.position.set((low[0] + high[0]) / 2, base, (low[2] + high[2]) / 2);
  mesh.receiveShadow = true;
  return mesh;
}

/** Edges of the domain. */
export function frameOf(bounds, isFlat) {
  const [low, high] = bounds;
  const size = [0, 1, 2].map((axis) => high[axis] - low[axis]);
  const edges = new THREE.EdgesGeometry(new THREE.BoxGeometry(...size));
  const material = new THREE.LineBasicMaterial({ color: 0x33414c, transparent: true, opacity: isFlat ? 0.55 : 0.2 });
  const lines = new THREE.LineSegments(edges, material);
  lines.position.set(...[0, 1, 2].map((axis) => (low[axis] + high[axis]) / 2));
  return lines;
}

function between(mesh, [a, b]) {
  const [from, to] = [new THREE.Vector3(...a), new THREE.Vector3(...b)];
  mesh.position.copy(from).add(to).multiplyScalar(0.5);
  mesh.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), to.sub(from).normalize());
  return mesh;
}

/** Woods of bodies. */
const WOODS = [0xd9a45b, 0xb5773f, 0xe0bb80, 0x9c6b3c, 0xc98f6a];

/** A rigid body in its own frame; the group around it takes the pose of a frame. */
export function body(shape, number) {
  const group = new THREE.Group();
  for (const { solid, turn, place } of shape.parts) {
    const part = obstacle(solid, WOODS[number % WOODS.length]);
    part.quaternion.set(...turn);
    part.position.set(...place);
    group.add(part);
  }
  Object.assign(group.userData, { name: shape.name, free: shape.free });
  return group;
}

/** An obstacle in its place; the group around it takes the pose of a frame. */
export function obstacle(solid, color = 0xc9703a) {
  const material = new THREE.MeshStandardMaterial({ color, roughness: 0.55 });
  const made = (geometry) => new THREE.Mesh(geometry, material);
  const long = (ends) => Math.hypot(...[0, 1, 2].map((axis) => ends[1][axis] - ends[0][axis]));
  let mesh;
  if (solid.shape === 'box') {
    mesh = made(new THREE.BoxGeometry(...[0, 1, 2].map((axis) => solid.max[axis] - solid.min[axis])));
    mesh.position.set(...[0, 1, 2].map((axis) => (solid.max[axis] + solid.min[axis]) / 2));
  } else if (solid.shape === 'sphere') {
    mesh = made(new THREE.SphereGeometry(solid.radius, 48, 32));
    mesh.position.set(...solid.center);
  } else if (solid.shape === 'capsule') {
    mesh = between(made(new THREE.CapsuleGeometry(solid.radius, long(solid.ends), 16, 32)), solid.ends);
  } else if (solid.shape === 'cone') {
    const [from, to] = solid.radii;
    mesh = between(made(new THREE.CylinderGeometry(to, from, long(solid.ends), 48)), solid.ends);
  } else {
    const geometry = new THREE.BufferGeometry();
    const places = new Float32Array(fromBase64(solid.vertices).buffer);
    geometry.setAttribute('position', new THREE.BufferAttribute(places, 3));
    geometry.setIndex(new THREE.BufferAttribute(new Uint32Array(fromBase64(solid.triangles).buffer), 1));
    const flat = geometry.toNonIndexed();
    flat.computeVertexNormals();
    mesh = made(flat);
  }
  mesh.castShadow = mesh.receiveShadow = true;
  const group = new THREE.Group();
  group.add(mesh);
  return group;
}
