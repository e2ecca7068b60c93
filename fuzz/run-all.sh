#!/usr/bin/env bash
# Runs every fuzz target for SECONDS each, on its seeds: fuzz/run-all.sh SECONDS
# Without the nightly toolchain or cargo-fuzz it says so and skips; FUZZ_REQUIRED=1 makes that a failure.
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=${1:-}
if ! [[ $seconds =~ ^[1-9][0-9]*$ ]]; then
    echo "usage: fuzz/run-all.sh SECONDS" >&2
    exit 2
fi

skip() {
    if [[ ${FUZZ_REQUIRED:-0} == 1 ]]; then
        echo "fuzz: failed: $1" >&2
        exit 1
    fi
    echo "fuzz: skipped: $1"
    exit 0
}
cargo +nightly --version >/dev/null 2>&1 || skip "there is no nightly toolchain (rustup toolchain install nightly)"
cargo +nightly fuzz --version >/dev/null 2>&1 || skip "there is no cargo-fuzz (cargo install cargo-fuzz)"

# One build for all; `cargo fuzz run` would look at each again.
cargo +nightly fuzz build
triple=$(rustc +nightly -vV | sed -n 's/^host: //p')
target=${CARGO_TARGET_DIR:-fuzz/target}/$triple/release

failed=()
for name in $(cargo +nightly fuzz list); do
    mkdir -p "fuzz/corpus/$name" "fuzz/artifacts/$name"
    options=(-max_total_time="$seconds" -rss_limit_mb=2048 -artifact_prefix="fuzz/artifacts/$name/" -print_final_stats=1)
    if [[ $name == *_toml ]]; then
        options+=(-dict=fuzz/toml.dict)
    fi
    log=$(mktemp)
    if "$target/$name" "${options[@]}" "fuzz/corpus/$name" "fuzz/seeds/$name" >"$log" 2>&1; then
        coverage=$(grep -o 'cov: [0-9]*' "$log" | tail -n 1 || true)
        runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
        echo "fuzz: $name: passed, $runs executions, $coverage"
    else
        tail -n 40 "$log" >&2
        echo "fuzz: $name: FAILED, see fuzz/artifacts/$name" >&2
        failed+=("$name")
    fi
    rm -f "$log"
done
if ((${#failed[@]})); then
    echo "fuzz: failed: ${failed[*]}" >&2
    exit 1
fi
