#!/usr/bin/env bash
# The page of `thalweg serve` and the player of a report, in a real browser: Chromium without a screen. Installs what is missing.
# usage: scripts/check-web.sh [FOLDER for screenshots]
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
pictures=$(realpath -m "${1:-$(mktemp -d)}")
export XDG_RUNTIME_DIR="${XDG_RUNTIME_DIR:-$(mktemp -d)}"
work=$(mktemp -d)
server=
cleanup() { if [ -n "$server" ]; then kill "$server" 2>/dev/null || true; fi; rm -rf "$work"; }
trap cleanup EXIT

sudo=""; [ "$(id -u)" = 0 ] || sudo=sudo
missing=()
command -v chromium >/dev/null || [ -n "${CHROMIUM:-}" ] || missing+=(chromium)
command -v npm >/dev/null || missing+=(nodejs npm)
if [ ${#missing[@]} -gt 0 ]; then
  command -v apt-get >/dev/null || { echo "install ${missing[*]} (or set CHROMIUM to a browser) and try again" >&2; exit 1; }
  $sudo apt-get update -qq
  $sudo apt-get install -y -qq "${missing[@]}" >/dev/null
fi
export CHROMIUM="${CHROMIUM:-$(command -v chromium)}"

[ -n "${THALWEG:-}" ] || cargo build --release --quiet
thalweg="${THALWEG:-$root/target/release/thalweg}"
cat > "$work/small.toml" <<'SCENE'
[scene]
name = "A small dam breaks"
duration = 1.5
step = 0.025
[domain]
size = [1.6, 1.2, 0.48]
cell = 0.04
[water]
solver = "tall-cells"
boxes = [{ min = [0, 0, 0], max = [0.48, 0.72, 0.48] }]
[water.tall]
regular_cells = 32
[[obstacle]]
shape = "box"
min = [1.0, 0, 0.12]
max = [1.12, 0.2, 0.36]
[[body]]
name = "crate"
shape = "box"
size = [0.2, 0.2, 0.2]
position = [0.24, 0.9, 0.24]
[output]
every = 0.05
SCENE
"$thalweg" run "$work/small.toml" --out "$work/out" --backend cpu --quiet
"$thalweg" serve "$work/small.toml" --backend cpu --no-open > "$work/url" 2> "$work/log" &
server=$!
for _ in $(seq 100); do [ -s "$work/url" ] && break; sleep 0.1; done
[ -s "$work/url" ] || { cat "$work/log" >&2; echo "thalweg serve printed no address" >&2; exit 1; }
cd "$work"
npm init -y >/dev/null
npm install --silent --no-fund --no-audit puppeteer-core@24 >/dev/null
SERVER_PID=$server node "$root/crates/web/tests/browser.mjs" "$(cat url)" "$work/out/report.html" "$pictures"
echo "screenshots: $pictures"
