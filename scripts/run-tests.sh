#!/usr/bin/env bash
# Runs all tests of the workspace, and `thalweg selftest --liberties`, which compares every kernel on the GPU with the processor: its cases are left out
# of the test programs. Programs run two at a time, the longest first: most of them end with one slow test, beside which a core would be idle. The output
# of each is shown as a whole, and failures once more at the end.
# usage: scripts/run-tests.sh [PROFILE of cargo]
set -euo pipefail
cd "$(dirname "$0")/.."
profile=${1:-quick}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export work

# A line per program: folder, program, arguments.
cargo test --profile "$profile" --workspace --no-run --quiet --message-format=json > "$work/built"
{
  jq -r 'select(.profile.test and .executable) | [(.manifest_path | rtrimstr("/Cargo.toml")), .executable, "--quiet --skip ::agrees::"] | @tsv' "$work/built"
  jq -r 'select(.target.name == "thalweg" and .executable and (.profile.test | not)) | [(.manifest_path | rtrimstr("/crates/cli/Cargo.toml")), .executable, "selftest --liberties"] | @tsv' "$work/built"
} > "$work/programs"
# Those that take longest first.
{ grep -E '/cases-' "$work/programs"; grep -E '/crates/(tall|shallow|cli|particles)	' "$work/programs"; grep selftest "$work/programs"; cat "$work/programs"; } |
  awk '!seen[$0]++' > "$work/order"

one() { # one FOLDER PROGRAM ARGUMENTS: runs it where cargo would
  local name=${2##*/} begin=$SECONDS
  # shellcheck disable=SC2086
  if (cd "$1" && CARGO_MANIFEST_DIR="$1" "$2" $3) > "$work/$name.log" 2>&1; then :; else touch "$work/$name.failed"; fi
  { printf -- '-- %s of %s, %d s\n' "$name" "${1##*/}" $((SECONDS - begin)); cat "$work/$name.log"; }
}
export -f one
tr '\t\n' '\0\0' < "$work/order" | xargs -0 -P 2 -n 3 bash -c 'one "$0" "$1" "$2"'

printf -- '-- examples in the documentation\n'
cargo test --profile "$profile" --workspace --doc --quiet 2>&1 || touch "$work/doc.failed"

failed=$(find "$work" -name '*.failed')
for program in $failed; do
  printf '\nFAILED: %s\n' "$(basename "${program%.failed}")" >&2
  cat "${program%.failed}.log" >&2 2>/dev/null || true
done
[ -z "$failed" ]
