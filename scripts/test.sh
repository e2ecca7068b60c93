#!/usr/bin/env bash
# Installs what the tests need and runs all of them: formatting, lints, every test on CPU and GPU (Mesa's
# lavapipe where there is no GPU), documentation, fuzz targets for seconds, the README's first command.
# usage: scripts/test.sh
set -euo pipefail
cd "$(dirname "$0")/.."
# A missing GPU driver must fail here, not skip. Mesa wants a runtime folder.
export CI=true XDG_RUNTIME_DIR="${XDG_RUNTIME_DIR:-$(mktemp -d)}"

step() { printf '\n== %s (%d:%02d)\n' "$*" $((SECONDS / 60)) $((SECONDS % 60)); }

if [ "$(uname -s)" = Linux ] && command -v apt-get >/dev/null && ! ls /usr/share/vulkan/icd.d/*lvp* >/dev/null 2>&1; then
  step "Mesa's software Vulkan driver"
  sudo=""; [ "$(id -u)" = 0 ] || sudo=sudo
  $sudo apt-get update -qq
  $sudo apt-get install -y -qq libvulkan1 mesa-vulkan-drivers
fi

step "formatting"
cargo fmt --all --check
step "lints"
cargo clippy --release --workspace --all-targets --quiet -- -D warnings
step "without features"
scripts/check-features.sh
step "tests"
log=$(mktemp)
cargo test --release --workspace --quiet 2>&1 | tee "$log"
passed=$(grep -oE '[0-9]+ passed' "$log" | awk '{ n += $1 } END { print n + 0 }')
rm -f "$log"
step "documentation"
RUSTDOCFLAGS="-D warnings" cargo doc --release --workspace --no-deps --quiet
scripts/check-docs.sh
step "fuzz targets, seconds each"
if cargo +nightly --version >/dev/null 2>&1 && ! cargo +nightly fuzz --version >/dev/null 2>&1; then
  cargo install --quiet cargo-fuzz
fi
fuzz/run-all.sh 5
step "exports, read by other programs"
scripts/check-exports.sh
step "the web page and the player, in a browser"
scripts/check-web.sh
step "the viewer, on a virtual display"
scripts/check-view.sh
step "the README's first command"
out=$(mktemp -d)
cargo run --release --quiet -- run dam-break --out "$out" --quiet
ls "$out/report.html" "$out/poster.png" >/dev/null
scripts/check-video.sh "$out/view.mp4" "$out"/frames/view-*.png
rm -rf "$out"
printf '\n%s passed, 0 failed\n' "$passed"
