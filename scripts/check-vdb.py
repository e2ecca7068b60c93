"""OpenVDB's own library opens the files of a run, and finds in them what the NumPy archives hold.

usage: check-vdb.py FOLDER, with `out` and `fine` in it as scripts/check-exports.sh makes them.
"""
import sys
from pathlib import Path

import numpy as np
import pyopenvdb as vdb

HALF_BAND = 3  # cells


def dense(grid, shape):
    array = np.empty(shape, dtype=np.float32)
    grid.copyToArray(array)
    return array


work = Path(sys.argv[1])
for frame in range(3):
    file = str(work / f"out/volumes/water-{frame:05}.vdb")
    surface, velocity = vdb.read(file, "surface"), vdb.read(file, "velocity")
    with np.load(work / f"out/volumes/water-{frame:05}.npz") as npz:
        level_set, flow, origin, cell = (npz[name] for name in ("level_set", "velocity", "origin", "cell"))
    width = np.float32(HALF_BAND * cell[0])
    assert surface.gridClass == vdb.GridClass.LEVEL_SET and np.isclose(surface.background, width)
    assert np.allclose(surface.transform.voxelSize(), cell)
    assert np.allclose(surface.transform.indexToWorld((0, 0, 0)), origin + 0.5 * cell)
    assert np.array_equal(dense(surface, level_set.shape), np.clip(level_set, -width, width)), "level set"
    wanted = np.where((level_set < width)[..., None], flow, 0)
    assert np.array_equal(dense(velocity, flow.shape), wanted), "velocity"
    active = np.abs(level_set) < width
    assert surface.activeVoxelCount() == active.sum() and velocity.activeVoxelCount() == (level_set < width).sum()
    low, high = surface.evalActiveVoxelBoundingBox()
    where = np.argwhere(active)
    assert tuple(where.min(0)) == low and tuple(where.max(0)) == high
    # A level set without holes: in the mesh that OpenVDB makes of it every edge is passed as often in one direction as in the other.
    points, triangles, quads = surface.convertToPolygons(adaptivity=0)
    edges = np.concatenate([quads[:, [a, (a + 1) % 4]] for a in range(4)]).astype(np.int64)
    forth, back = (np.sort(edges @ order) for order in ([len(points), 1], [1, len(points)]))
    assert len(triangles) == 0 and len(quads) > 100 and np.array_equal(forth, back), "the surface has holes"
assert np.abs(wanted).max() > 0.5, "the water moves"

fine = vdb.read(str(work / "fine/volumes/water-00002.vdb"), "surface")
assert np.allclose(fine.transform.voxelSize(), 0.5 * cell) and fine.activeVoxelCount() > 2 * active.sum()
print(f"OpenVDB {'.'.join(map(str, vdb.LIBRARY_VERSION))}: level sets and velocities as in NumPy, closed surfaces")
