#!/usr/bin/env bash
# Makes crates/web/page/vendor/three.min.js again: the parts of three.js that entry.js names, as one minified module.
# Needs node and npm. usage: scripts/vendor-three.sh
set -euo pipefail
cd "$(dirname "$0")/../crates/web/page/vendor"
here=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp entry.js "$work/"
cd "$work"
npm init -y >/dev/null
npm install --silent --no-fund --no-audit three@0.187.0 esbuild@0.28.2 >/dev/null
npx esbuild entry.js --bundle --minify --format=esm --target=es2022 --legal-comments=inline --outfile=three.min.js
cp three.min.js "$here/three.min.js"
cp node_modules/three/LICENSE "$here/LICENSE.three"
