#!/usr/bin/env bash
# Whether two builds of `thalweg` compute the same bits on the processor: both run the shipped scenes for some frames, and every table, volume, height
# map, mesh and particle that they write is compared byte for byte. For changes that must not touch the physics.
# usage: scripts/check-same-bits.sh OLD NEW [SCENE...]     FRAMES=4 by default; OLD may be a folder of digests that an earlier call left in $KEEP
set -euo pipefail
[ $# -ge 2 ] || { sed -n '2,4s/^# //p' "$0" >&2; exit 2; }
old=$(realpath "$1") new=$(realpath "$2")
shift 2
frames=${FRAMES:-4}
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
keep=${KEEP:-$work/kept}
mkdir -p "$keep"

scenes=("$@")
if [ ${#scenes[@]} = 0 ]; then
  # What no shipped scene runs is in scripts/bits and in the scenes that set every key.
  mapfile -t scenes < <("$new" scenes --json | jq -r '.[].name')
  scenes+=(scripts/bits/*.toml crates/scene/tests/valid/every-*key.toml)
fi

digests() { # digests BINARY SCENE
  local out="$work/out"
  rm -rf "$out"
  # What a solver or a scene does not have is refused: the first call writes all, the last one what every water has.
  local all=(--meshes ply --volumes npz --particles ply) some=(--meshes ply --volumes npz) least=(--meshes ply) write
  for write in "${all[*]}" "${some[*]}" "${least[*]}" ""; do
    # shellcheck disable=SC2086
    if "$1" run "$2" --backend cpu --frames "$frames" --no-pictures --checkpoint-every 0 --quiet --out "$out" --heights npz $write \
      2>"$work/err"; then break; fi
    [ -n "$write" ] || { cat "$work/err" >&2; return 1; }
  done
  # All but the times of the stages.
  awk -F, -v OFS=, 'NR == 1 { for (n = 1; n <= NF; n++) if ($n !~ /_ms$/) keep[++count] = n }
    { for (n = 1; n <= count; n++) printf "%s%s", $keep[n], n < count ? OFS : "\n" }' "$out/stats.csv" > "$out/sums" && mv "$out/sums" "$out/stats.csv"
  (cd "$out" && find . -type f \( -name '*.csv' -o -path './meshes/*' -o -path './volumes/*' -o -path './heights/*' \
    -o -path './particles/*' \) -print0 | sort -z | xargs -0 sha256sum)
}

differ=0
for scene in "${scenes[@]}"; do
  name=$(basename "$scene" .toml)
  if [ -d "$old" ]; then cp "$old/$name" "$work/old"; else digests "$old" "$scene" > "$work/old"; fi
  digests "$new" "$scene" > "$keep/$name"
  if cmp -s "$work/old" "$keep/$name"; then
    printf '%-20s %3d files the same\n' "$name" "$(wc -l < "$keep/$name")"
  else
    differ=$((differ + 1))
    changed=$( (diff "$work/old" "$keep/$name" || true) | awk '/^>/ { print $3 }' | head -n 4 | tr '\n' ' ')
    printf '%-20s DIFFERS: %s\n' "$name" "$changed"
  fi
done
[ "$differ" = 0 ] || { echo "$differ scenes differ" >&2; exit 1; }
