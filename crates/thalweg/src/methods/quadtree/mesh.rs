//! The surface of a quadtree as triangles without cracks.

use std::collections::HashMap;

use thalweg_shallow::tree::{CELLS, TILE, TileFields};
use thalweg_tall::SurfaceMesh;

use super::leaves::{Leaves, Water, water};

/// The surface in world coordinates; `origin` is the low corner of the domain and `cell` the size of the finest cells, m.
///
/// A wet cell is two triangles between its corners. One with smaller cells beside it is a fan around its middle, and its rim has the corners of those
/// cells: every edge between wet cells belongs to two triangles. Heights of corners are means over the wet cells around, the same for all of them.
pub(crate) fn surface_mesh(leaves: &Leaves, origin: [f64; 2], cell: f64) -> SurfaceMesh {
    let mut builder = Builder { origin, cell, found: HashMap::new(), mesh: SurfaceMesh::default() };
    for tile in &leaves.tiles {
        if (0..CELLS).any(|at| Leaves::is_wet(tile, at)) {
            builder.add(leaves, tile);
        }
    }
    builder.finish()
}

struct Builder {
    origin: [f64; 2],
    cell: f64,
    /// Vertices by their place on the finest lattice.
    found: HashMap<[u32; 2], u32>,
    mesh: SurfaceMesh,
}

impl Builder {
    fn add(&mut self, leaves: &Leaves, tile: &TileFields) {
        let corners = leaves.corners(tile);
        for at in (0..CELLS).filter(|at| Leaves::is_wet(tile, *at)) {
            let (i, k) = (at % TILE, at / TILE);
            let own = water(tile, at);
            // Around the cell, counter-clockwise seen from above: each corner, and the middle of the side that follows it.
            let mut rim = Vec::with_capacity(8);
            for ([di, dk], side) in [([0, 0], 0), ([0, 1], 3), ([1, 1], 1), ([1, 0], 2)] {
                let corner = [i + di, k + dk];
                let place = leaves.corner_place(tile, corner.map(|n| n as u32));
                rim.push(self.vertex(place, corners.corner(corner).unwrap_or(own)));
                if let Some(middle) = corners.middle(side, [i, k]) {
                    let along = if side < 2 { k } else { i };
                    rim.push(self.vertex(leaves.middle_place(tile, side, along as u32), middle));
                }
            }
            if let [a, b, c, d] = rim[..] {
                self.mesh.triangles.extend([[a, b, d], [d, b, c]]);
                continue;
            }
            let half = 0.5 * f64::from(1u32 << leaves.shift(tile));
            let [x, z] = leaves.corner_place(tile, [i as u32, k as u32]).map(|n| f64::from(n) + half);
            let middle = self.push([x, z], own);
            let fan = (0..rim.len()).map(|n| [middle, rim[n], rim[(n + 1) % rim.len()]]);
            self.mesh.triangles.extend(fan);
        }
    }

    fn vertex(&mut self, place: [u32; 2], water: Water) -> u32 {
        if let Some(found) = self.found.get(&place) {
            return *found;
        }
        let new = self.push(place.map(f64::from), water);
        self.found.insert(place, new);
        new
    }

    /// A vertex at a place in finest cells.
    fn push(&mut self, place: [f64; 2], [surface, _, u, w]: Water) -> u32 {
        let [x, z] = [0, 1].map(|axis| (self.origin[axis] + place[axis] * self.cell) as f32);
        self.mesh.vertices.push([x, surface, z]);
        self.mesh.velocities.push([u, 0.0, w]);
        (self.mesh.vertices.len() - 1) as u32
    }

    /// Normals are means over the triangles around, large ones counting more.
    fn finish(self) -> SurfaceMesh {
        let mut mesh = self.mesh;
        let mut sums = vec![[0.0f64; 3]; mesh.vertices.len()];
        for corners in &mesh.triangles {
            let [a, b, c] = corners.map(|n| mesh.vertices[n as usize].map(f64::from));
            let (p, q): ([f64; 3], [f64; 3]) =
                (std::array::from_fn(|axis| b[axis] - a[axis]), std::array::from_fn(|axis| c[axis] - a[axis]));
            let normal = [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]];
            for corner in corners {
                sums[*corner as usize].iter_mut().zip(normal).for_each(|(sum, n)| *sum += n);
            }
        }
        let unit = |v: &[f64; 3]| {
            let length = v.iter().map(|x| x * x).sum::<f64>().sqrt();
            if length > 0.0 { v.map(|x| (x / length) as f32) } else { [0.0, 1.0, 0.0] }
        };
        mesh.normals = sums.iter().map(unit).collect();
        mesh
    }
}
