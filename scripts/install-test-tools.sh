#!/usr/bin/env bash
# Debian packages that the tests use: a software GPU, a browser, a display without a screen, programs that read what we write.
# usage: scripts/install-test-tools.sh
set -euo pipefail
if [ "$(uname -s)" != Linux ] || ! command -v apt-get >/dev/null; then
  echo "no apt-get: the scripts that need more say what"
  exit 0
fi
packages=()
want() { # want PACKAGES... unless COMMAND
  local check=${*: -1}
  eval "$check" >/dev/null 2>&1 || packages+=("${@:1:$#-1}")
}
want libvulkan1 mesa-vulkan-drivers 'ls /usr/share/vulkan/icd.d/*lvp*'
want chromium '[ -n "${CHROMIUM:-}" ] || command -v chromium'
want nodejs npm 'command -v npm'
want xvfb 'command -v Xvfb'
want xdotool 'command -v xdotool'
want jq 'command -v jq'
want libx11-xcb1 libxcursor1 libxi6 libxkbcommon-x11-0 'ldconfig -p | grep -q libxkbcommon-x11.so.0 && ldconfig -p | grep -q libXi.so.6'
want ffmpeg 'command -v ffprobe'
want python3-openvdb python3-numpy '/usr/bin/python3 -c "import pyopenvdb, numpy"'
want python3-venv 'python3 -c "import ensurepip"'
[ ${#packages[@]} -gt 0 ] || exit 0
sudo=""; [ "$(id -u)" = 0 ] || sudo=sudo
$sudo apt-get update -qq
DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq "${packages[@]}" >/dev/null
