#!/usr/bin/env bash
# Every path that README.md, ARCHITECTURE.md and the pages of docs/ name in backticks must exist.
set -euo pipefail
cd "$(dirname "$0")/.."
missing=0
for doc in README.md ARCHITECTURE.md docs/*.md; do
  while IFS= read -r path; do
    if [ ! -e "$path" ]; then
      echo "$doc names \`$path\`, which does not exist"
      missing=1
    fi
  done < <(grep -oE '`(crates|labs|validation|docs|scenes|scripts|fuzz|\.ci|\.github)/[A-Za-z0-9_./-]*`' "$doc" | tr -d '`' | sort -u)
done
exit $missing
