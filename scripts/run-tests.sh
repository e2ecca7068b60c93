#!/usr/bin/env bash
# Runs all tests of the workspace. Test programs run two at a time, the longest first: most of them end with one slow test,
# beside which a core would be idle. The output of each is shown as a whole, and failures once more at the end.
# Kernels are not compared with the processor here: `thalweg selftest --liberties` runs the same cases, all in one process.
# usage: scripts/run-tests.sh [PROFILE of cargo]
set -euo pipefail
cd "$(dirname "$0")/.."
profile=${1:-quick}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export work

cargo test --profile "$profile" --workspace --no-run --quiet --message-format=json |
  jq -r 'select(.profile.test and .executable) | [(.manifest_path | rtrimstr("/Cargo.toml")), .executable] | @tsv' > "$work/programs"
# Those that take longest first.
{ grep -E '/cases-' "$work/programs"; grep -E '/crates/tall	' "$work/programs"; cat "$work/programs"; } | awk '!seen[$0]++' > "$work/order"

one() { # one FOLDER PROGRAM: runs it where cargo would
  local name=${2##*/} begin=$SECONDS
  if (cd "$1" && CARGO_MANIFEST_DIR="$1" "$2" --quiet --skip ::agrees::) > "$work/$name.log" 2>&1; then :; else touch "$work/$name.failed"; fi
  { printf -- '-- %s of %s, %d s\n' "$name" "${1##*/}" $((SECONDS - begin)); cat "$work/$name.log"; }
}
export -f one
xargs -P 2 -n 2 bash -c 'one "$0" "$1"' < "$work/order"

printf -- '-- examples in the documentation\n'
cargo test --profile "$profile" --workspace --doc --quiet 2>&1 || touch "$work/doc.failed"

failed=$(find "$work" -name '*.failed')
for program in $failed; do
  printf '\nFAILED: %s\n' "$(basename "${program%.failed}")" >&2
  cat "${program%.failed}.log" >&2 2>/dev/null || true
done
[ -z "$failed" ]
