#!/usr/bin/env bash
# Other programs read what `thalweg run` and `thalweg export` write: OpenVDB, VTK, NumPy, GDAL (rasterio), OpenEXR, trimesh, the Khronos
# glTF validator. Installs them: a system package for OpenVDB, everything else in a folder that is removed at the end.
# usage: scripts/check-exports.sh
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_RUNTIME_DIR="${XDG_RUNTIME_DIR:-$work}"

# OpenVDB's module belongs to the system's Python, whatever `python3` is.
system_python=/usr/bin/python3
missing=()
"$system_python" -c 'import pyopenvdb, numpy' 2>/dev/null || missing+=(python3-openvdb python3-numpy)
python3 -c 'import ensurepip' 2>/dev/null || missing+=(python3-venv)
command -v npm >/dev/null || missing+=(npm)
if [ "${#missing[@]}" -gt 0 ]; then
  sudo=""; [ "$(id -u)" = 0 ] || sudo=sudo
  $sudo apt-get update -qq
  $sudo apt-get install -y -qq "${missing[@]}" >/dev/null
fi
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check numpy vtk trimesh rasterio OpenEXR
npm install --silent --no-audit --no-fund --prefix "$work/npm" gltf-validator >/dev/null

cat > "$work/scene.toml" <<'SCENE'
[scene]
name = "Exports"
duration = 0.2
step = 0.025
[domain]
size = [2, 1.6, 0.8]
cell = 0.1
origin = [10, 20]
[terrain]
shapes = [{ shape = "cone", center = [11.7, 20.5], base_radius = 0.5, height = 0.3 }]
[water]
solver = "tall-cells"
level = 0.25
boxes = [{ min = [10, 0, 20], max = [10.6, 1.0, 20.8] }]
[[obstacle]]
shape = "sphere"
center = [11.1, 0.3, 20.3]
radius = 0.2
[output]
every = 0.1
meshes = "vtp"
volumes = ["vdb", "npz", "vti"]
heights = ["png", "exr", "asc", "tif", "npz"]
SCENE
sed 's/^solver.*/&\ntall = { surface = 2 }/' "$work/scene.toml" > "$work/fine.toml"
[ -n "${THALWEG:-}" ] || { cargo build --release --quiet; THALWEG=$PWD/target/release/thalweg; }
thalweg() { "$THALWEG" "$@"; }
thalweg run "$work/scene.toml" --out "$work/out" --backend cpu --no-pictures --quiet
thalweg run "$work/fine.toml" --out "$work/fine" --backend cpu --no-pictures --quiet
for ending in ply glb; do
  thalweg export "$work/out" --to "$work/surface.$ending" --quiet
done
thalweg export "$work/out" --to "$work/bed.tif" --what bed --quiet

# A flood over a GeoTIFF, and GeoTIFFs of what it did.
"$work/venv/bin/python" scripts/check-exports.py --terrain "$work/valley.tif"
cat > "$work/flood.toml" <<'SCENE'
[scene]
name = "Flood"
duration = 60
step = 2
[domain]
size = [400, 50, 240]
cell = 4
origin = [1000, 5000]
[terrain]
file = "valley.tif"
[water]
boxes = [{ min = [1000, 0, 5000], max = [1080, 14, 5240] }]
shallow = { manning = 0.03 }
[boundary]
east = "outflow"
[maps]
wet = 0.05
[output]
every = 20
heights = ["tif"]
SCENE
thalweg run "$work/flood.toml" --out "$work/flood" --backend cpu --no-pictures --quiet
for map in max-depth max-surface max-speed arrival peak-time depth bed; do
  thalweg export "$work/flood" --to "$work/flood-$map.tif" --what "$map" --quiet
done

"$system_python" scripts/check-vdb.py "$work"
"$work/venv/bin/python" scripts/check-exports.py "$work"
cat > "$work/npm/validate.js" <<'SCRIPT'
const fs = require("fs");
const validator = require("gltf-validator");
validator.validateBytes(new Uint8Array(fs.readFileSync(process.argv[2]))).then((report) => {
  const { numErrors, numWarnings, numHints } = report.issues;
  console.log(`glTF: ${numErrors} errors, ${numWarnings} warnings, ${numHints} hints`);
  if (numErrors + numWarnings + numHints > 0) { console.log(JSON.stringify(report.issues, null, 1)); process.exit(1); }
});
SCRIPT
node "$work/npm/validate.js" "$work/surface.glb"
