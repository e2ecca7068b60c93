// Binary messages to typed arrays. Twin of crates/web/src/frame.rs, which has the layout.

const HEADER = 88;
const MAGIC = 0x46574854; // "THWF"
export const KIND = { MESH: 1, HEIGHTS: 2, GROUND: 3 };
export const DRY = 65535;

/** Figures, poses and planes of a message; planes are views into the buffer. */
export function decode(buffer, at = 0) {
  const view = new DataView(buffer, at);
  if (view.getUint32(0, true) !== MAGIC || view.getUint16(4, true) !== 1) {
    throw new Error('this is no frame of version 1: reload the page');
  }
  const f32 = (offset) => view.getFloat32(offset, true);
  const frame = {
    kind: view.getUint16(6, true),
    time: view.getFloat64(8, true),
    volume: view.getFloat64(16, true),
    added: view.getFloat64(24, true),
    steps: view.getUint32(32, true),
    generation: view.getUint32(36, true),
    stepMs: f32(40),
    rate: f32(44),
    topSpeed: f32(48),
    low: [f32(64), f32(68), f32(72)],
    high: [f32(76), f32(80), f32(84)],
    poses: [],
  };
  const [obstacles, a, b] = [52, 56, 60].map((offset) => view.getUint32(offset, true));
  let next = at + HEADER;
  const plane = (Type, count) => {
    const array = new Type(buffer, next, count);
    next = (next + array.byteLength + 3) & ~3;
    return array;
  };
  for (let n = 0; n < obstacles; n++) {
    const words = plane(Float32Array, 7);
    frame.poses.push({ turn: words.subarray(0, 4), way: words.subarray(4, 7) });
  }
  if (frame.kind === KIND.MESH) {
    frame.places = plane(Uint16Array, 3 * a);
    frame.looks = plane(Uint8Array, 4 * a);
    frame.corners = plane(a <= 65536 ? Uint16Array : Uint32Array, 3 * b);
  } else {
    frame.size = [a, b];
    frame.heights = plane(Uint16Array, a * b);
    frame.speeds = frame.kind === KIND.HEIGHTS ? plane(Uint8Array, a * b) : new Uint8Array(0);
  }
  return frame;
}

/** Bytes of a base64 text. */
export function fromBase64(text) {
  const raw = atob(text);
  const bytes = new Uint8Array(raw.length);
  for (let n = 0; n < raw.length; n++) bytes[n] = raw.charCodeAt(n);
  return bytes;
}
