// Water: how far light goes through it, what it takes from the light, and what the surface mirrors.
//
// The length of water along a line of sight is the sum over all faces of the closed surface, back faces counted positive and front
// faces negative, each no farther than the solid behind. Colour is lost along it (Beer and Lambert), the rest of the light is what
// stands behind, shifted by refraction. Reflection follows Schlick's form of Fresnel's law.

import * as THREE from 'thalweg/three';
import { KIND, DRY } from 'thalweg/decode';
import { SKY } from 'thalweg/scenery';

export const TONE = /* glsl */ `
  // Hable's curve would grey the sky: a soft shoulder for what is brighter than white is enough.
  vec3 shown(vec3 c) {
    c = mix(c, 1.0 - 0.3 * exp(-(c - 0.7) / 0.3), step(0.7, c));
    return mix(12.92 * c, 1.055 * pow(max(c, 0.0), vec3(1.0 / 2.4)) - 0.055, step(0.0031308, c));
  }
`;

const VERTEX = /* glsl */ `
  attribute vec4 look; // octahedral normal, speed as a share
  uniform vec3 low, size;
  uniform bool closed;
  varying vec3 vView, vWorld, vNormal;
  varying float vSpeed;
  vec3 unfolded(vec2 p) {
    vec3 n = vec3(p.x, 1.0 - abs(p.x) - abs(p.y), p.y);
    if (n.y < 0.0) n.xz = (1.0 - abs(n.zx)) * vec2(n.x < 0.0 ? -1.0 : 1.0, n.z < 0.0 ? -1.0 : 1.0);
    return normalize(n);
  }
  void main() {
    vec3 place = closed ? low + position * size : position;
    vec4 view = viewMatrix * vec4(place, 1.0);
    vView = view.xyz;
    vWorld = place;
    vNormal = unfolded(look.xy * (255.0 / 127.0) - 1.0);
    vSpeed = look.z;
    gl_Position = projectionMatrix * view;
  }
`;

const DEPTH = /* glsl */ `
  uniform sampler2D solidDepth;
  uniform vec2 pixels;
  uniform vec2 range; // near, far
  float solidDistance(vec2 uv, vec3 view) {
    float depth = texture2D(solidDepth, uv).x;
    float z = range.x * range.y / (range.y - depth * (range.y - range.x));
    return z * length(view) / -view.z;
  }
`;

/** Sums up lengths: [length beyond a reference distance, faces behind minus faces in front]. */
function thickness(shared) {
  return new THREE.ShaderMaterial({
    uniforms: shared,
    side: THREE.DoubleSide,
    depthTest: false,
    depthWrite: false,
    blending: THREE.CustomBlending,
    blendEquation: THREE.AddEquation,
    blendSrc: THREE.OneFactor,
    blendDst: THREE.OneFactor,
    vertexShader: VERTEX,
    fragmentShader: /* glsl */ `
      varying vec3 vView; ${DEPTH}
      uniform float reference;
      void main() {
        float far = min(length(vView), solidDistance(gl_FragCoord.xy / pixels, vView)) - reference;
        gl_FragColor = gl_FrontFacing ? vec4(-far, -1.0, 0.0, 0.0) : vec4(far, 1.0, 0.0, 0.0);
      }`,
  });
}

function surface(shared) {
  return new THREE.ShaderMaterial({
    uniforms: shared,
    side: THREE.DoubleSide,
    vertexShader: VERTEX,
    fragmentShader: /* glsl */ `
      varying vec3 vView, vWorld, vNormal;
      varying float vSpeed;
      uniform sampler2D solidColour, lengths;
      uniform vec3 eye;
      uniform float reference, clear, foamSpeed, topSpeed;
      uniform bool closed;
      ${DEPTH} ${SKY} ${TONE}
      float hash(vec3 p) { return fract(sin(dot(p, vec3(12.99, 78.23, 37.72))) * 43758.55); }
      float noise(vec3 p) {
        vec3 i = floor(p), f = fract(p);
        f = f * f * (3.0 - 2.0 * f);
        vec2 e = vec2(0.0, 1.0);
        return mix(
          mix(mix(hash(i), hash(i + e.yxx), f.x), mix(hash(i + e.xyx), hash(i + e.yyx), f.x), f.y),
          mix(mix(hash(i + e.xxy), hash(i + e.yxy), f.x), mix(hash(i + e.xyy), hash(i + e.yyy), f.x), f.y), f.z);
      }
      void main() {
        vec2 uv = gl_FragCoord.xy / pixels;
        float far = length(vView);
        if (far > solidDistance(uv, vView) * 1.0005) discard;
        vec3 n = normalize(vNormal);
        vec3 sight = normalize(vWorld - eye);
        if (dot(n, sight) > 0.0) n = -n; // seen from inside, or bent over at an edge
        vec3 nView = (viewMatrix * vec4(n, 0.0)).xyz;

        // What is behind, bent; more where there is more water.
        vec2 sum = texture2D(lengths, uv).xy;
        float through = closed ? sum.x + sum.y * reference : solidDistance(uv, vView) - far;
        through = max(through, 0.0);
        float bend = 0.06 * (1.0 - exp(-through / clear));
        vec2 bent = clamp(uv - nView.xy * bend, 0.001, 0.999);
        if (solidDistance(bent, vView) < far) bent = uv; // something in front of the water
        if (!closed) through = mix(through, max(solidDistance(bent, vView) - far, 0.0), 0.8);
        vec3 behind = texture2D(solidColour, bent).rgb;

        vec3 taken = exp(-through / clear * vec3(2.4, 0.62, 0.34));
        float lit = 0.55 + 0.45 * max(dot(n, SUN), 0.0);
        vec3 scattered = vec3(0.012, 0.125, 0.175) * lit * (1.0 - exp(-1.3 * through / clear));
        vec3 inside = behind * taken + scattered;

        float facing = clamp(-dot(n, sight), 0.0, 1.0);
        float mirror = 0.02 + 0.98 * pow(1.0 - facing, 5.0);
        vec3 away = reflect(sight, n);
        away.y = abs(away.y) * 0.97 + 0.03 * away.y; // other water is not mirrored: the sky is
        vec3 colour = mix(inside, sky(away), mirror * 0.9);
        vec3 halfway = normalize(SUN - sight);
        colour += vec3(1.0, 0.94, 0.82) * (1.8 * pow(max(dot(n, halfway), 0.0), 380.0));

        // Fast water is white with air.
        float fast = smoothstep(0.7, 1.5, vSpeed * topSpeed / foamSpeed);
        float patches = noise(vWorld / clear * 9.0) * 0.65 + noise(vWorld / clear * 26.0) * 0.35;
        float foam = fast * smoothstep(0.25, 0.85, patches) * 0.6;
        colour = mix(colour, vec3(0.86, 0.91, 0.93) * (0.55 + 0.45 * lit), foam);
        gl_FragColor = vec4(shown(colour), 1.0);
      }`,
  });
}

export class Water {
  constructor() {
    const uniform = (value) => ({ value });
    this.uniforms = {
      low: uniform(new THREE.Vector3()), size: uniform(new THREE.Vector3(1, 1, 1)), closed: uniform(true),
      solidDepth: uniform(null), solidColour: uniform(null), lengths: uniform(null),
      pixels: uniform(new THREE.Vector2()), range: uniform(new THREE.Vector2()), eye: uniform(new THREE.Vector3()),
      reference: uniform(1), clear: uniform(1), foamSpeed: uniform(3), topSpeed: uniform(1),
    };
    this.thickness = thickness(this.uniforms);
    this.surface = surface(this.uniforms);
    this.mesh = new THREE.Mesh(new THREE.BufferGeometry(), this.surface);
    this.mesh.frustumCulled = false;
    this.scene = new THREE.Scene();
    this.scene.add(this.mesh);
    this.grid = '';
  }

  /** `height` is the ground's, for columns that are dry. */
  set(frame, ground) {
    this.uniforms.topSpeed.value = frame.topSpeed;
    if (frame.kind === KIND.MESH) this.setMesh(frame);
    else this.setHeights(frame, ground);
    this.frame = frame;
  }

  setMesh(frame) {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.BufferAttribute(frame.places, 3, true));
    geometry.setAttribute('look', new THREE.BufferAttribute(frame.looks, 4, true));
    geometry.setIndex(new THREE.BufferAttribute(frame.corners, 1));
    this.mesh.geometry.dispose();
    this.mesh.geometry = geometry;
    this.grid = '';
    this.uniforms.closed.value = true;
    this.uniforms.low.value.set(...frame.low);
    this.uniforms.size.value.set(...frame.high).sub(this.uniforms.low.value);
  }

  setHeights(frame, ground) {
    const [nx, nz] = frame.size.map((n) => Math.max(n, 2));
    if (this.grid !== `${nx} ${nz}`) {
      this.grid = `${nx} ${nz}`;
      const geometry = new THREE.BufferGeometry();
      geometry.setAttribute('position', new THREE.BufferAttribute(new Float32Array(3 * nx * nz), 3));
      geometry.setAttribute('look', new THREE.BufferAttribute(new Uint8Array(4 * nx * nz), 4, true));
      const corners = new Uint32Array(6 * (nx - 1) * (nz - 1));
      let at = 0;
      for (let k = 0; k + 1 < nz; k++) {
        for (let i = 0; i + 1 < nx; i++, at += 6) {
          const a = i + nx * k;
          corners.set([a, a + nx, a + 1, a + 1, a + nx, a + nx + 1], at);
        }
      }
      geometry.setIndex(new THREE.BufferAttribute(corners, 1));
      this.mesh.geometry.dispose();
      this.mesh.geometry = geometry;
      this.uniforms.closed.value = false;
    }
    const { low, high } = frame;
    const position = this.mesh.geometry.attributes.position;
    const look = this.mesh.geometry.attributes.look;
    const source = (i, k) => Math.min(i, frame.size[0] - 1) + frame.size[0] * Math.min(k, frame.size[1] - 1);
    const under = 0.02 * Math.max(high[1] - low[1], 1e-3); // dry columns: below the ground
    const y = new Float32Array(nx * nz);
    for (let k = 0; k < nz; k++) {
      for (let i = 0; i < nx; i++) {
        const word = frame.heights[source(i, k)];
        y[i + nx * k] = word === DRY ? ground.height(i, k) - under : low[1] + (word / 65534) * (high[1] - low[1]);
      }
    }
    const [dx, dz] = [(high[0] - low[0]) / (nx - 1), (high[2] - low[2]) / (nz - 1)];
    for (let k = 0; k < nz; k++) {
      for (let i = 0; i < nx; i++) {
        const at = i + nx * k;
        position.array.set([low[0] + i * dx, y[at], low[2] + k * dz], 3 * at);
        const [w, e] = [Math.max(i - 1, 0), Math.min(i + 1, nx - 1)];
        const [s, n] = [Math.max(k - 1, 0), Math.min(k + 1, nz - 1)];
        const gx = -(y[e + nx * k] - y[w + nx * k]) / ((e - w) * dx);
        const gz = -(y[i + nx * n] - y[i + nx * s]) / ((n - s) * dz);
        const sum = Math.abs(gx) + 1 + Math.abs(gz);
        look.array.set([(gx / sum / 2 + 0.5) * 254, (gz / sum / 2 + 0.5) * 254, frame.speeds[source(i, k)], 0], 4 * at);
      }
    }
    position.needsUpdate = look.needsUpdate = true;
  }

  /** Places of vertices in the world, for picking. */
  worldGeometry() {
    if (!this.uniforms.closed.value) return this.mesh.geometry;
    const geometry = new THREE.BufferGeometry();
    const { places, low, high } = this.frame;
    const array = new Float32Array(places.length);
    for (let n = 0; n < places.length; n++) array[n] = low[n % 3] + (places[n] / 65535) * (high[n % 3] - low[n % 3]);
    geometry.setAttribute('position', new THREE.BufferAttribute(array, 3));
    geometry.setIndex(this.mesh.geometry.index);
    return geometry;
  }
}
