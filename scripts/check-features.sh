#!/usr/bin/env bash
# Libraries and command line compile without their features, and refuse what they then lack; the shallow-water solver on the processor alone stays
# small. Not the features' own tests: those run with everything on.
# usage: scripts/check-features.sh [PROFILE of cargo]
set -euo pipefail
cd "$(dirname "$0")/.."
profile=${1:-quick}
lint() { cargo clippy --profile "$profile" --quiet --no-default-features "$@" -- -D warnings; }

lint -p thalweg-shallow
lint -p thalweg
lint -p thalweg --features bodies,render
lint -p thalweg-cli
# What is run here is a handful of short tests: the compiler need not optimise for them.
plain=(--config "profile.$profile.opt-level=0")
for package in thalweg-bodies thalweg-columns thalweg-compute thalweg-ledger thalweg-solids; do
  plain+=(--config "profile.$profile.package.$package.opt-level=0")
done
cargo test "${plain[@]}" --profile "$profile" --quiet --no-default-features -p thalweg-compute --test no_gpu
cargo test "${plain[@]}" --profile "$profile" --quiet --no-default-features --lib -p thalweg-bodies -p thalweg-io -- refused

# The fuzz targets are a workspace of their own: a crate that they use must not lean on this one in a way that only works from here.
cargo metadata --manifest-path fuzz/Cargo.toml --no-deps --format-version 1 > /dev/null

most=60
crates=$(cargo tree --prefix none --edges normal,build --no-default-features -p thalweg-shallow | sed 's/ (.*//' | sort -u | wc -l)
if [ "$crates" -gt "$most" ]; then
  echo "thalweg-shallow without features builds $crates crates, at most $most are allowed" >&2
  exit 1
fi
echo "thalweg-shallow without features: $crates crates"
