// The page of `thalweg serve`: socket, buttons, keys, figures.

import { Hand } from 'thalweg/hand';
import { View } from 'thalweg/view';

const find = (id) => document.getElementById(id);
const view = new View(find('water'));
const state = { socket: null, paused: false, speed: 1, last: null, frames: 0, shown: 0, wait: 500, world: null };
const hand = new Hand(view, find('water'), (command) => send(command));
// For tests and for the curious.
globalThis.thalweg = { view, state, hand };

const SPEEDS = [0.05, 0.1, 0.25, 0.5, 1, 2, 4, null];

function say(text, isError = false) {
  const notice = find('notice');
  notice.textContent = text;
  notice.classList.toggle('error', isError);
  notice.hidden = !text;
}

function send(command) {
  if (state.socket?.readyState === WebSocket.OPEN) state.socket.send(JSON.stringify(command));
}

function connect() {
  const socket = new WebSocket(`ws://${location.host}${location.pathname}live`);
  socket.binaryType = 'arraybuffer';
  state.socket = socket;
  socket.onopen = () => {
    state.wait = 500;
    say('');
  };
  socket.onmessage = ({ data }) => {
    if (typeof data === 'string') hear(JSON.parse(data));
    else if (state.world) enter(data);
    else state.frame = data; // drawn with the next picture
  };
  socket.onclose = () => {
    say(`The connection is lost. Is \`thalweg serve\` still running? Trying again …`, true);
    setTimeout(connect, state.wait);
    state.wait = Math.min(2 * state.wait, 8000);
  };
}

function hear(message) {
  if (message.type === 'hello') {
    if (message.protocol !== 2) return say('The page is of another version than the server: reload it.', true);
    state.world = message; // the ground comes next
  } else if (message.type === 'status') {
    state.paused = message.paused;
    state.speed = message.speed;
    find('pause').textContent = message.paused ? '▶' : '❚❚';
    find('pause').title = message.paused ? 'Go on (space)' : 'Pause (space)';
    const at = SPEEDS.indexOf(message.speed);
    if (at >= 0) find('speed').value = at;
    find('speed-value').textContent = message.speed === null ? 'as fast as can be' : `${message.speed} ×`;
    say(message.trouble, Boolean(message.trouble));
  }
}

function enter(groundBuffer) {
  const hello = state.world;
  state.world = null;
  if (state.frame) send({ do: 'next' }); // of the scene before: it will not be drawn
  state.frame = null;
  view.setWorld(hello, groundBuffer);
  document.title = `${hello.title} · Thalweg`;
  find('title').textContent = hello.title;
  find('about').textContent = [hello.description, hello.backend].filter(Boolean).join(' · ');
  find('hint').hidden = !hello.meshes;
  ['box', 'ball'].forEach((shape) => { find(shape).hidden = !hello.meshes; });
  const menu = find('scene');
  const names = hello.scenes.includes(hello.scene) ? hello.scenes : [hello.scene, ...hello.scenes];
  menu.replaceChildren(...names.map((name) => new Option(name, name, false, name === hello.scene)));
}

const number = (value, digits) => value.toLocaleString('en', { maximumSignificantDigits: digits });

function figures(frame) {
  find('time').textContent = `${frame.time.toFixed(2)} s`;
  find('rate').textContent = `${number(frame.rate, 3)} /s`;
  find('step-ms').textContent = `${number(frame.stepMs, 3)} ms`;
  find('volume').textContent = `${number(frame.volume, 5)} m³`;
  find('added').textContent = `${number(frame.added, 4)} m³`;
}

function draw() {
  requestAnimationFrame(draw);
  if (state.frame) {
    const frame = view.setFrame(state.frame);
    state.frame = null;
    if (frame) {
      state.last = frame;
      state.shown += 1;
      figures(frame);
    }
    send({ do: 'next' });
  }
  if (view.hello) view.render();
}

function toggle() {
  send({ do: state.paused ? 'resume' : 'pause' });
}

function pour(clientX, clientY) {
  if (!view.hello?.meshes) return say('Only three-dimensional water can be poured onto.');
  const point = view.pick(clientX, clientY);
  if (!point) return say('There is neither water nor ground under the pointer.');
  view.mark(point, view.hello.pour_radius);
  send({ do: 'pour', at: point.toArray(), seconds: 1.5 });
}

function drop(shape, clientX, clientY) {
  const point = view.pick(clientX, clientY);
  if (!point) return say('There is neither water nor ground under the pointer.');
  send({ do: 'drop', shape, at: point.toArray() });
}

/** The buttons of what a click does: one at a time. */
const TOOLS = ['pour', 'box', 'ball'];
const chosen = () => TOOLS.find((tool) => find(tool).classList.contains('on'));
TOOLS.forEach((tool) => {
  find(tool).onclick = () => TOOLS.forEach((other) => find(other).classList.toggle('on', other === tool && chosen() !== tool));
});

find('pause').onclick = toggle;
find('step').onclick = () => send({ do: 'step' });
find('restart').onclick = () => send({ do: 'restart' });
find('home').onclick = () => view.home();
find('speed').oninput = ({ target }) => send({ do: 'speed', factor: SPEEDS[target.value] });
find('scene').onchange = ({ target }) => {
  say(`Loading ${target.value} …`);
  send({ do: 'scene', name: target.value });
  target.blur();
};
find('water').addEventListener('pointerdown', (event) => {
  const tool = event.shiftKey ? 'pour' : chosen();
  if (!tool && !hand.take(event)) return;
  event.stopImmediatePropagation();
  event.preventDefault();
  if (tool === 'pour') pour(event.clientX, event.clientY);
  else if (tool) drop(tool, event.clientX, event.clientY);
}, { capture: true });
addEventListener('keydown', (event) => {
  if (event.target.tagName === 'SELECT' || event.ctrlKey || event.metaKey || event.altKey) return;
  const keys = {
    ' ': toggle,
    s: () => send({ do: 'step' }),
    r: () => send({ do: 'restart' }),
    h: () => view.home(),
    p: () => find('pour').click(),
    b: () => find('box').click(),
    o: () => find('ball').click(),
    x: () => hand.remove(),
    delete: () => hand.remove(),
    '+': () => faster(1),
    '-': () => faster(-1),
  };
  const act = keys[event.key.toLowerCase()];
  if (!act) return;
  event.preventDefault();
  act();
});

function faster(by) {
  const at = SPEEDS.indexOf(state.speed);
  send({ do: 'speed', factor: SPEEDS[Math.min(Math.max(at + by, 0), SPEEDS.length - 1)] });
}

connect();
requestAnimationFrame(draw);
