#!/usr/bin/env bash
# Installs what the tests need and runs all of them: formatting, lints, every test on CPU and GPU (Mesa's lavapipe where there is no GPU), every kernel
# on that GPU, documentation, exports, page and viewer, the README's first scene. It ends with the time of every step.
# usage: scripts/test.sh
set -euo pipefail
cd "$(dirname "$0")/.."
# A missing GPU driver must fail here, not skip. Mesa wants a runtime folder. `quick` is the profile of tests: all steps share what they build with it.
profile=quick
export CI=true XDG_RUNTIME_DIR="${XDG_RUNTIME_DIR:-$(mktemp -d)}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

current="" began=$SECONDS
done_steps=()
finish_step() {
  [ -z "$current" ] || done_steps+=("$(printf '%4d s  %s' $((SECONDS - began)) "$current")")
  current="" began=$SECONDS
}
step() {
  finish_step
  current=$*
  printf '\n== %s (%d:%02d)\n' "$*" $((SECONDS / 60)) $((SECONDS % 60))
}

# Downloads wait for the network while compilers work: packages come in the background, and are waited for where they are needed first.
scripts/install-test-tools.sh > "$work/install.log" 2>&1 &
install=$!
wait_for_tools() {
  [ -z "$install" ] || wait "$install" || { cat "$work/install.log" >&2; exit 1; }
  install=""
}

step "formatting"
cargo fmt --all --check
step "lints"
cargo clippy --profile "$profile" --workspace --all-targets --quiet -- -D warnings
step "without features"
scripts/check-features.sh "$profile"
step "documentation"
RUSTDOCFLAGS="-D warnings" cargo doc --profile "$profile" --workspace --no-deps --quiet
scripts/check-docs.sh
step "build of the tests"
cargo test --profile "$profile" --workspace --no-run --quiet
step "packages"
wait_for_tools
step "tests, and every kernel on the GPU"
scripts/run-tests.sh "$profile" 2>&1 | tee "$work/tests.log"
passed=$(grep -oE '[0-9]+ passed' "$work/tests.log" | awk '{ n += $1 } END { print n + 0 }')
export THALWEG="$PWD/target/$profile/thalweg"
step "exports, page and player, first scene, viewer"
# The browser mostly waits; the others run beside it.
scripts/check-web.sh > "$work/web.log" 2>&1 &
web=$!
scripts/check-exports.sh
"$THALWEG" run dam-break --out "$work/out" --quiet
ls "$work/out/report.html" "$work/out/poster.png" >/dev/null
scripts/check-video.sh "$work/out/view.mp4" "$work"/out/frames/view-*.png
scripts/check-view.sh
failed=0
wait "$web" || failed=$?
cat "$work/web.log"
[ "$failed" = 0 ] || exit "$failed"
finish_step
printf '\nwhat took how long:\n'
printf '%s\n' "${done_steps[@]}"
printf '\n%s passed, 0 failed\n' "$passed"
