"""VTK, NumPy, GDAL, OpenEXR and trimesh read the files of a run and agree on what is in them.

usage: check-exports.py FOLDER, with `out`, `flood` and exported files in it as scripts/check-exports.sh makes them;
       check-exports.py --terrain FILE writes the ground of the flood as a GeoTIFF
"""
import csv
import json
import sys
import warnings
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import OpenEXR
import rasterio
import trimesh
import vtk
from vtk.util.numpy_support import vtk_to_numpy

# Pictures have no place in the world.
warnings.filterwarnings("ignore", category=rasterio.errors.NotGeoreferencedWarning)

# The ground of the flood: a valley that falls to the east, between slopes. Rows of files run from north to south.
CELL, WEST, SOUTH = 4.0, 1000.0, 5000.0
if sys.argv[1] == "--terrain":
    x, z = np.meshgrid(np.arange(100) + 0.5, np.arange(60)[::-1] + 0.5)
    ground = 6 - 0.05 * x + 0.02 * (z - 30) ** 2
    place = rasterio.transform.from_origin(WEST, SOUTH + 60 * CELL, CELL, CELL)
    about = {"width": 100, "height": 60, "count": 1, "dtype": "float32", "transform": place}
    with rasterio.open(sys.argv[2], "w", driver="GTiff", **about) as tif:
        tif.write(ground.astype(np.float32), 1)
    sys.exit()
work = Path(sys.argv[1])
out = work / "out"


def opened(reader, file):
    reader.SetFileName(str(file))
    errors = []
    reader.AddObserver("ErrorEvent", lambda *_: errors.append(1))
    reader.Update()
    assert not errors, f"VTK refuses {file}"
    return reader.GetOutput()


def array(data, name):
    return vtk_to_numpy(data.GetArray(name))


for frame in range(3):
    name = f"water-{frame:05}"
    npz = np.load(out / f"volumes/{name}.npz")
    level_set, flow, pressure = npz["level_set"], npz["velocity"], npz["pressure"]

    image = opened(vtk.vtkXMLImageDataReader(), out / f"volumes/{name}.vti")
    high = npz["origin"] + npz["cell"] * level_set.shape
    bounds = np.array(image.GetBounds()).reshape(3, 2)
    assert np.allclose(bounds[:, 0], npz["origin"]) and np.allclose(bounds[:, 1], high), "bounds of the image"
    cells = image.GetCellData()
    flat = lambda field: field.flatten(order="F")
    assert np.array_equal(array(cells, "level_set"), flat(level_set))
    assert np.array_equal(array(cells, "velocity"), flow.reshape(-1, 3, order="F"))
    assert np.array_equal(array(cells, "pressure"), flat(pressure), equal_nan=True)
    assert vtk_to_numpy(image.GetFieldData().GetArray("TimeValue"))[0] == npz["time"]

    surface = opened(vtk.vtkXMLPolyDataReader(), out / f"meshes/surface-{frame:05}.vtp")
    inside = np.array(surface.GetBounds()).reshape(3, 2)
    assert (inside[:, 0] >= bounds[:, 0]).all() and (inside[:, 1] <= bounds[:, 1]).all() and surface.GetNumberOfPolys() > 100
    assert np.allclose(np.linalg.norm(array(surface.GetPointData(), "Normals"), axis=1), 1, atol=1e-3)
    edges = vtk.vtkFeatureEdges()
    edges.SetInputData(surface)
    edges.FeatureEdgesOff()
    edges.Update()
    assert edges.GetOutput().GetNumberOfCells() == 0, "the mesh has open edges"

    heights = np.load(out / f"heights/{name}.npz")
    # Rows of files run from north to south: high z first.
    rows = lambda field: field.T[::-1]
    wet = rows(heights["depth"]) >= 4e-3 * heights["cell"]
    maps = {name: heights[name] for name in ("depth", "surface", "bed")}
    maps |= {f"velocity.{axis}": heights["velocity"][..., at] for at, axis in enumerate("xz")}
    with OpenEXR.File(str(out / f"heights/{name}.exr"), separate_channels=True) as exr:
        assert set(exr.channels()) == set(maps)
        for key, field in maps.items():
            assert np.array_equal(exr.channels()[key].pixels, rows(field)), key
        assert json.loads(exr.header()["thalweg"])["time"] == heights["time"]
    with rasterio.open(out / f"heights/{name}.tif") as tif:
        west, north = heights["origin"][0], heights["origin"][1] + heights["cell"] * heights["depth"].shape[1]
        assert np.allclose([tif.transform.a, tif.transform.e], [heights["cell"], -heights["cell"]])
        assert np.allclose([tif.transform.c, tif.transform.f], [west, north]) and tif.nodata == -9999
        assert list(tif.descriptions) == ["depth", "surface", "bed", "velocity.x", "velocity.z"]
        assert tif.units == ("m", "m", "m", "m/s", "m/s")
        for band, (key, field) in enumerate(maps.items(), start=1):
            wanted = rows(field) if key in ("depth", "bed") else np.where(wet, rows(field), -9999)
            assert np.array_equal(tif.read(band), wanted), key
    ranges = {entry["file"]: entry.get("range") for entry in json.loads((out / "heights/index.json").read_text())}
    for key in ("depth", "surface"):
        wanted = np.where(wet, rows(maps[key]), -9999) if key == "surface" else rows(maps[key])
        with rasterio.open(out / f"heights/{key}-{frame:05}.asc") as asc:
            assert np.allclose(asc.bounds, (west, heights["origin"][1], west + 2, north)) and asc.nodata == -9999
            assert np.array_equal(asc.read(1), wanted), key
        with rasterio.open(out / f"heights/{key}-{frame:05}.png") as png:
            low, high = ranges[f"{key}-{frame:05}.png"]
            found = low + (high - low) * png.read(1).astype(np.float64) / 65535
            assert png.dtypes == ("uint16",) and np.abs(found - rows(maps[key])).max() <= 0.51 * (high - low) / 65535
assert (~wet).any() and wet.any(), "some ground is dry"
assert np.nanmax(pressure) > 1000, "there is pressure below"

with rasterio.open(work / "bed.tif") as tif:
    assert tif.count == 1 and np.array_equal(tif.read(1), rows(heights["bed"]))

# Maps over time of a flood, each a GeoTIFF of its own.
flood = {}
for name in ("max-depth", "max-surface", "max-speed", "arrival", "peak-time", "depth", "bed"):
    with rasterio.open(work / f"flood-{name}.tif") as tif:
        assert (tif.count, tif.dtypes, tif.nodata) == (1, ("float32",), -9999), name
        assert tif.transform == rasterio.transform.from_origin(WEST, SOUTH + 60 * CELL, CELL, CELL), tif.transform
        assert tif.descriptions == (name,) and tif.tags()["TIME_S"] == "60", (tif.descriptions, tif.tags())
        unit = "s" if "time" in name or name == "arrival" else "m/s" if "speed" in name else "m"
        assert tif.units == (unit,), name
        flood[name] = tif.read(1, masked=True)
with rasterio.open(work / "valley.tif") as tif:
    assert np.abs(flood["bed"] - tif.read(1)).max() < 1e-5, "the ground is the file's"
never = np.ma.getmaskarray(flood["max-depth"])
assert 500 < never.sum() < 5000, never.sum()
for name in ("max-surface", "max-speed", "arrival", "peak-time"):
    assert np.array_equal(np.ma.getmaskarray(flood[name]), never), f"{name} has a value wherever the ground was wet, and nowhere else"
assert (flood["depth"][never] <= 0.05).all() and (flood["max-depth"] > 0.05).all()
assert (flood["max-depth"] >= flood["depth"])[~never].all(), "greatest depths are no less than those at the end"
assert np.abs(flood["max-surface"] - flood["bed"] - flood["max-depth"]).max() < 1e-4
assert flood["arrival"].min() == 0 and 20 < flood["arrival"].max() <= 60 and (flood["peak-time"] >= flood["arrival"]).all()
# Behind the dam there was water at the start; along the valley the flood comes later and later.
x = np.arange(100) * CELL
assert (flood["arrival"][30, x < 76] == 0).all() and (np.diff(flood["arrival"][30, x > 84].compressed()) >= 0).all()
assert 5 < flood["max-speed"].max() < 30 and (flood["max-speed"] >= 0).all()
# The run's own files have them as bands.
with rasterio.open(work / "flood/heights/water-00003.tif") as tif:
    assert list(tif.descriptions)[5:] == ["max-depth", "max-surface", "max-speed", "arrival", "peak-time"]
    for band, name in enumerate(tif.descriptions, start=1):
        if name in flood:
            assert np.array_equal(tif.read(band), flood[name].filled(-9999)), name

for folder in ("volumes", "meshes"):
    steps = ElementTree.parse(out / folder / "series.pvd").getroot().find("Collection").findall("DataSet")
    assert [float(step.get("timestep")) for step in steps] == [0.0, 0.1, 0.2]
    assert all((out / folder / step.get("file")).is_file() for step in steps)

for ending in ("ply", "glb"):
    mesh = trimesh.load(work / f"surface.{ending}", force="mesh")
    assert mesh.is_watertight and mesh.is_winding_consistent, ending
    # The last row of the statistics is the state that was exported.
    volume = float(list(csv.DictReader(open(out / "stats.csv")))[-1]["volume"])
    assert abs(mesh.volume / volume - 1) < 0.005, (ending, mesh.volume, volume)
print(f"VTK {vtk.VTK_VERSION}, GDAL {rasterio.__gdal_version__}, OpenEXR, NumPy, trimesh: all agree")
