// Looks at the page of `thalweg serve` and at the player of a report in a real browser.
// usage: node browser.mjs URL REPORT PICTURES; puppeteer-core must be found from the working directory.

import { createRequire } from 'node:module';
import { mkdirSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import path from 'node:path';

const puppeteer = createRequire(path.join(process.cwd(), 'package.json'))('puppeteer-core');
const [url, report, pictures] = process.argv.slice(2);
mkdirSync(pictures, { recursive: true });

let failures = 0;
function check(isGood, what) {
  console.log(`${isGood ? 'ok  ' : 'FAIL'} ${what}`);
  if (!isGood) failures += 1;
}
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const browser = await puppeteer.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--hide-scrollbars'],
  defaultViewport: { width: 960, height: 600 },
});

/** A small picture of a canvas: colours of a grid of points. */
const sample = (page, selector) => page.evaluate((selector) => {
  const canvas = document.querySelector(selector);
  const small = new OffscreenCanvas(64, 40);
  const context = small.getContext('2d', { willReadFrequently: true });
  context.drawImage(canvas, 0, 0, 64, 40);
  return Array.from(context.getImageData(0, 0, 64, 40).data);
}, selector);

/** Share of points that differ visibly. */
function difference(a, b) {
  let count = 0;
  for (let n = 0; n < a.length; n += 4) {
    if (Math.abs(a[n] - b[n]) + Math.abs(a[n + 1] - b[n + 1]) + Math.abs(a[n + 2] - b[n + 2]) > 24) count += 1;
  }
  return count / (a.length / 4);
}

function colours(picture) {
  const seen = new Set();
  for (let n = 0; n < picture.length; n += 4) seen.add(`${picture[n] >> 4} ${picture[n + 1] >> 4} ${picture[n + 2] >> 4}`);
  return seen.size;
}

async function until(page, condition, what, ms = 60000) {
  try {
    await page.waitForFunction(condition, { timeout: ms, polling: 100 });
    check(true, what);
  } catch {
    check(false, `${what} (waited ${ms / 1000} s)`);
  }
}

const troubles = [];
async function open(address, viewport) {
  const page = await browser.newPage();
  if (viewport) await page.setViewport(viewport);
  page.on('pageerror', (error) => troubles.push(error.message));
  page.on('console', (line) => { if (line.type() === 'error') troubles.push(line.text()); });
  page.on('request', (request) => {
    const own = request.url().startsWith(new URL(address).origin) || /^(data|blob|file):/.test(request.url());
    if (!own) troubles.push(`asks the network for ${request.url()}`);
  });
  await page.goto(address, { waitUntil: 'load' });
  return page;
}

if (url && url !== '-') {
  const page = await open(url);
  await until(page, 'thalweg.state.shown >= 3', 'frames arrive');
  const first = await sample(page, '#water');
  check(colours(first) > 12, `the picture is not blank (${colours(first)} colours)`);
  await page.screenshot({ path: `${pictures}/live-first.png` });
  await until(page, 'thalweg.state.last.time > 0.7', 'time goes on');
  const later = await sample(page, '#water');
  check(difference(first, later) > 0.02, `the picture changes (${(100 * difference(first, later)).toFixed(1)} % of it)`);
  await page.screenshot({ path: `${pictures}/live-later.png` });

  await page.click('#pause');
  await until(page, 'thalweg.state.paused', 'it pauses');
  const time = () => page.evaluate('thalweg.state.last.time');
  // A slow browser may still have a frame to draw.
  let stopped = -1;
  for (let n = 0; n < 20 && stopped !== (await time()); n++) {
    stopped = await time();
    await sleep(1500);
  }
  await sleep(1500);
  check((await time()) === stopped, `time stands still at ${stopped} s`);
  const still = await sample(page, '#water');
  await page.click('#step');
  await until(page, `thalweg.state.last.time > ${stopped}`, 'one step goes on', 30000);
  await sleep(800);
  check((await time()) < stopped + 0.2, 'and only one');

  await page.mouse.move(480, 200);
  await page.mouse.down();
  await page.mouse.move(650, 240, { steps: 5 });
  await page.mouse.up();
  await sleep(1500);
  const turned = await sample(page, '#water');
  check(difference(still, turned) > 0.05, `dragging turns the picture (${(100 * difference(still, turned)).toFixed(1)} % of it)`);
  await page.screenshot({ path: `${pictures}/live-turned.png` });
  await page.click('#home');
  await sleep(1500);

  const volume = await page.evaluate('thalweg.state.last.volume');
  await page.keyboard.down('Shift');
  await page.mouse.click(420, 410);
  await page.keyboard.up('Shift');
  await sleep(300);
  const notice = await page.$eval('#notice', (element) => (element.hidden ? '' : element.textContent));
  check(notice === '', `pouring is taken${notice && `: ${notice}`}`);
  await page.keyboard.press('Space');
  await until(page, `thalweg.state.last.volume > ${volume} * 1.004 && thalweg.state.last.added > 0`, 'pouring adds water');
  await page.screenshot({ path: `${pictures}/live-poured.png` });

  // A body: where it is on the screen, m in the world, and under the pointer.
  const crateAt = () => page.evaluate(() => {
    const { view } = thalweg;
    const group = view.bodies[0];
    view.camera.updateMatrixWorld();
    const seen = group.position.clone().project(view.camera);
    const box = view.canvas.getBoundingClientRect();
    return {
      place: group.position.toArray(),
      x: box.left + ((seen.x + 1) / 2) * box.width,
      y: box.top + ((1 - seen.y) / 2) * box.height,
    };
  });
  await page.keyboard.press('Space');
  await until(page, 'thalweg.state.paused', 'it pauses again');
  await sleep(1500);
  const lying = await crateAt();
  await page.mouse.move(lying.x, lying.y);
  check(await page.$eval('#water', (element) => element.style.cursor === 'grab'), 'the pointer shows that a body can be taken');
  await page.mouse.down();
  check(await page.evaluate('thalweg.hand.held?.name === "crate"'), 'the body is taken');
  await page.mouse.move(lying.x, lying.y - 140, { steps: 6 });
  await page.keyboard.press('Space');
  await until(page, `thalweg.view.bodies[0].position.y > ${lying.place[1]} + 0.15`, 'it follows the pointer upwards');
  await page.screenshot({ path: `${pictures}/live-held.png` });
  await page.mouse.up();
  check(await page.evaluate('thalweg.hand.held === null'), 'and is let go');
  const hung = await crateAt();
  await until(page, `thalweg.view.bodies[0].position.y < ${hung.place[1]} - 0.1`, 'it falls');
  const bodies = await page.evaluate('thalweg.view.bodies.length');
  await page.click('#ball');
  await page.mouse.click(420, 410);
  await until(page, `thalweg.view.bodies.length === ${bodies} + 1`, 'a ball is dropped');
  await page.click('#ball');
  await page.screenshot({ path: `${pictures}/live-dropped.png` });

  await page.keyboard.press('r');
  await until(page, `thalweg.view.bodies.length === ${bodies}`, 'a restart has the bodies of the scene', 30000);
  await until(page, 'thalweg.state.last.time < 0.5 && thalweg.state.last.generation > 1', 'it begins again');
  await page.select('#scene', 'lake');
  await until(page, "thalweg.view.hello.scene === 'lake' && thalweg.state.last.kind === 2", 'another scene is loaded');
  await sleep(1500);
  const lake = await sample(page, '#water');
  check(colours(lake) > 8, `a height field is drawn (${colours(lake)} colours)`);
  await page.screenshot({ path: `${pictures}/live-lake.png` });

  const phone = await open(url, { width: 390, height: 780, isMobile: true, hasTouch: true });
  await until(phone, 'thalweg.state.shown >= 1', 'a second page looks on, as small as a phone');
  await sleep(1000);
  const fits = await phone.evaluate('document.documentElement.scrollWidth <= innerWidth && document.querySelector("nav").getBoundingClientRect().right <= innerWidth + 1');
  check(fits, 'it fits a phone');
  await phone.screenshot({ path: `${pictures}/live-phone.png` });
  await phone.close();
  if (process.env.SERVER_PID) {
    process.kill(Number(process.env.SERVER_PID));
    await until(page, '!document.querySelector("#notice").hidden && /lost/.test(document.querySelector("#notice").textContent)', 'a lost connection is told');
    troubles.splice(0); // the browser reports the refused connections
  }
  await page.close();
}

if (report) {
  const page = await open(pathToFileURL(path.resolve(report)).href);
  await until(page, 'document.querySelector(".tw-player").thalweg?.at >= 0', 'the player of the report starts');
  await page.$eval('.tw-player', (element) => element.scrollIntoView({ block: 'center' }));
  await sleep(1500);
  const first = await sample(page, '.tw-water');
  check(colours(first) > 12, `its picture is not blank (${colours(first)} colours)`);
  await page.screenshot({ path: `${pictures}/report-first.png` });
  const [red, green, blue] = await page.evaluate(() => {
    const { view } = document.querySelector('.tw-player').thalweg;
    const [block] = view.obstacles[0].children;
    const seen = block.position.clone().applyMatrix4(view.obstacles[0].matrixWorld).project(view.camera);
    const { width, height } = view.canvas;
    const dot = new OffscreenCanvas(1, 1).getContext('2d');
    dot.drawImage(view.canvas, ((seen.x + 1) / 2) * width, ((1 - seen.y) / 2) * height, 1, 1, 0, 0, 1, 1);
    return Array.from(dot.getImageData(0, 0, 1, 1).data);
  });
  check(red > 80 && red > green && green > blue, `its block is of clay, not black (${red} ${green} ${blue})`);
  await page.$eval('.tw-scrub', (input) => {
    input.value = Math.floor(input.max / 2);
    input.dispatchEvent(new Event('input'));
  });
  await sleep(1500);
  const half = await sample(page, '.tw-water');
  check(difference(first, half) > 0.02, `scrubbing changes it (${(100 * difference(first, half)).toFixed(1)} % of it)`);
  await page.screenshot({ path: `${pictures}/report-half.png` });
  const fell = await page.evaluate(() => {
    const { view, frames } = document.querySelector('.tw-player').thalweg;
    const now = view.bodies[0].position.y;
    view.setFrame(frames[0]);
    return view.bodies[0].position.y - now;
  });
  check(fell > 0.1, `its body has fallen ${fell.toFixed(2)} m`);
  const at = await page.evaluate('document.querySelector(".tw-player").thalweg.at');
  await page.click('.tw-play');
  await until(page, `document.querySelector(".tw-player").thalweg.at > ${at}`, 'it plays');
  await page.close();
}

await browser.close();
check(troubles.length === 0, `no errors in the console${troubles.length ? `: ${troubles.join(' | ')}` : ''}`);
console.log(failures ? `${failures} failed` : 'all passed');
process.exit(failures ? 1 : 0);
