// A recorded run inside a report.

import { View } from 'thalweg/view';
import { decode, fromBase64 } from 'thalweg/decode';

/** Blocks of bytes, each after its length as u32, from a deflated text. */
async function unpack(text) {
  const stream = new Blob([fromBase64(text)]).stream().pipeThrough(new DecompressionStream('deflate'));
  const buffer = await new Response(stream).arrayBuffer();
  const view = new DataView(buffer);
  const blocks = [];
  for (let at = 0; at < buffer.byteLength;) {
    const length = view.getUint32(at, true);
    blocks.push(buffer.slice(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return blocks;
}

async function play(root) {
  const part = (name) => root.querySelector(`.tw-${name}`);
  const blocks = await unpack(root.querySelector('script[type="application/x-thalweg"]').textContent.trim());
  const hello = JSON.parse(new TextDecoder().decode(blocks[0]));
  const frames = blocks.slice(2);
  const view = new View(part('water'));
  view.setWorld(hello, blocks[1]);
  const times = frames.map((frame) => decode(frame).time);
  const scrub = part('scrub');
  scrub.max = frames.length - 1;
  const state = { view, at: -1, playing: false, from: 0, time: 0, frames };
  root.thalweg = state;
  const show = (at) => {
    if (at === state.at) return;
    state.at = at;
    const frame = view.setFrame(frames[at]);
    scrub.value = at;
    part('time').textContent = `${frame.time.toFixed(2)} s`;
    part('volume').textContent = `${frame.volume.toLocaleString('en', { maximumSignificantDigits: 5 })} m³`;
  };
  const setPlaying = (playing) => {
    state.playing = playing;
    if (playing && state.at === frames.length - 1) show(0);
    state.from = performance.now() - 1000 * (times[Math.max(state.at, 0)] - times[0]) / speed();
    part('play').textContent = playing ? '❚❚' : '▶';
  };
  // Long runs are shown in half a minute, short ones as they were.
  const speed = () => Math.max(1, (times[times.length - 1] - times[0]) / 30);
  part('play').onclick = () => setPlaying(!state.playing);
  scrub.oninput = () => {
    setPlaying(false);
    show(Number(scrub.value));
  };
  root.addEventListener('keydown', (event) => {
    if (event.key !== ' ' || event.target === part('play')) return;
    event.preventDefault();
    setPlaying(!state.playing);
  });
  show(0);
  let isSeen = true;
  new IntersectionObserver(([entry]) => { isSeen = entry.isIntersecting; }).observe(root);
  const draw = (now) => {
    requestAnimationFrame(draw);
    if (state.playing) {
      const time = times[0] + ((now - state.from) / 1000) * speed();
      let at = state.at;
      while (at + 1 < times.length && times[at + 1] <= time) at += 1;
      show(at);
      if (at === times.length - 1) setPlaying(false);
    }
    if (isSeen) view.render();
  };
  requestAnimationFrame(draw);
}

for (const root of document.querySelectorAll('.tw-player')) {
  play(root).catch((error) => {
    root.querySelector('.tw-trouble').textContent = `This browser cannot play the run: ${error.message}`;
  });
}
