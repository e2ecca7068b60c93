#!/usr/bin/env bash
# Opens `thalweg view` on a display of its own, drives it with real mouse and key events and looks at what it leaves behind.
# usage: scripts/check-view.sh [FOLDER for the screenshots]
set -euo pipefail
cd "$(dirname "$0")/.."
export XDG_RUNTIME_DIR="${XDG_RUNTIME_DIR:-$(mktemp -d)}"

missing() {
  local libraries
  libraries=$(ldconfig -p)
  for program in Xvfb xdotool jq; do command -v "$program" >/dev/null || return 0; done
  for library in libX11-xcb.so.1 libXcursor.so.1 libXi.so.6 libxkbcommon-x11.so.0; do
    grep -q "$library" <<< "$libraries" || return 0
  done
  ! ls /usr/share/vulkan/icd.d/*.json >/dev/null 2>&1
}
if missing; then
  command -v apt-get >/dev/null || { echo "install Xvfb, xdotool, jq, X11 libraries and a Vulkan driver first" >&2; exit 1; }
  sudo=""; [ "$(id -u)" = 0 ] || sudo=sudo
  $sudo apt-get update -qq
  $sudo apt-get install -y -qq jq xvfb xdotool libx11-xcb1 libxcursor1 libxi6 libxkbcommon-x11-0 libvulkan1 mesa-vulkan-drivers
fi
[ -n "${THALWEG:-}" ] || cargo build --release --quiet

work=$(mktemp -d)
shots=${1:-$work/shots}
mkdir -p "$shots"
viewer="" display=""
finish() {
  [ -z "$viewer" ] || kill "$viewer" 2>/dev/null || true
  [ -z "$display" ] || kill "$display" 2>/dev/null || true
  rm -rf "$work"
}
trap finish EXIT
fail() { echo "check-view: $*" >&2; cat "$work/err" >&2; exit 1; }

# Half a cubic metre of water in a small tank, so that a step takes milliseconds.
cat > "$work/basin.toml" <<'SCENE'
[scene]
name = "A basin"
duration = 20.0
[domain]
size = [1.6, 1.2, 0.8]
cell = 0.05
[water]
solver = "tall-cells"
level = 0.4
SCENE

Xvfb -displayfd 3 -screen 0 1000x700x24 3> "$work/display" >/dev/null 2>&1 &
display=$!
for _ in $(seq 100); do [ -s "$work/display" ] && break; sleep 0.1; done
DISPLAY=":$(cat "$work/display")"
export DISPLAY

"${THALWEG:-target/release/thalweg}" view "$work/basin.toml" --backend cpu --size 1000x700 --out "$shots" --json > "$work/json" 2> "$work/err" &
viewer=$!
window=$(timeout 20 xdotool search --sync --onlyvisible --name Thalweg | head -n 1) || fail "no window opened"
xdotool windowfocus --sync "$window"

count() { find "$shots" -name 'basin-*.png' | wc -l; }
# Takes a screenshot and waits for it; prints its path.
shot() {
  local number
  number=$(($(count) + 1))
  xdotool key s
  for _ in $(seq 100); do
    if [ "$(count)" -ge "$number" ]; then printf '%s/basin-%04d.png\n' "$shots" "$number"; return; fi
    kill -0 "$viewer" 2>/dev/null || return 1
    sleep 0.1
  done
  return 1
}
# Drags from a place to another with a button, as slowly as a hand.
drag() {
  xdotool mousemove "$2" "$3"; sleep 0.2
  xdotool mousedown "$1"; sleep 0.2
  for part in 1 2 3 4 5 6; do
    xdotool mousemove $(($2 + ($4 - $2) * part / 6)) $(($3 + ($5 - $3) * part / 6)); sleep 0.1
  done
  sleep "${6:-0.2}"
  xdotool mouseup "$1"; sleep 0.3
}

sleep 2 # until there is a picture
xdotool key space; sleep 1
before=$(shot) || fail "no screenshot came"
sleep 1
paused=$(shot) || fail "no screenshot came while paused"
cmp -s "$before" "$paused" || fail "the water moved while it was paused"
[ "$(stat -c %s "$before")" -gt 20000 ] || fail "the screenshot is blank"
drag 1 700 300 560 340
turned=$(shot) || fail "no screenshot came after the drag"
cmp -s "$paused" "$turned" && fail "dragging did not turn the camera"
xdotool key Home; sleep 0.5
home=$(shot) || fail "no screenshot came after Home"
cmp -s "$before" "$home" || fail "Home did not bring the first camera back"
xdotool key space; sleep 0.3
xdotool keydown shift
drag 1 680 400 640 400 2
xdotool keyup shift
xdotool key 3; drag 1 560 420 720 420
xdotool key 4; xdotool mousemove 640 430; sleep 0.2; xdotool click 1; sleep 1
shot > /dev/null || fail "no screenshot came of the ball"
# A box is dropped while the water rests, taken where it hangs, lifted, and held until the end: without the hand it would fall to 0.5 m.
xdotool key space; sleep 0.5
xdotool key 8; xdotool mousemove 612 275; sleep 0.2; xdotool click 1; sleep 2
xdotool key 7; xdotool mousemove 612 170; sleep 0.2; xdotool mousedown 1; sleep 0.3
xdotool mousemove 640 140; sleep 0.2; xdotool mousemove 670 110; sleep 0.2
xdotool key space; sleep 3
shot > /dev/null || fail "no screenshot came of the box"
xdotool key ctrl+q
xdotool mouseup 1
for _ in $(seq 100); do kill -0 "$viewer" 2>/dev/null || break; sleep 0.1; done
kill -0 "$viewer" 2>/dev/null && fail "the viewer did not close"
wait "$viewer" || fail "the viewer ended with an error"
viewer=""
check='.volume_m3 > 0.515 and .added_m3 > 0.003 and .obstacles == 1 and .bodies == 1 and .last_body_m[1] > 0.62 and .removed_m3 > 0 and .trouble == null and .time_s > 0.5 and (.screenshots | length) == 6'
jq -e "$check" "$work/json" > /dev/null || fail "the last figures are wrong: $(cat "$work/json")"
echo "view: $(jq -c '{time_s, volume_m3, added_m3, obstacles, bodies, last_body_m, pictures}' "$work/json")"
