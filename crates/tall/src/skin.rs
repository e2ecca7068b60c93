//! The surface of the water as triangles, for other programs.
//!
//! The middles of cells, and one layer of them outside the domain, are the corners of cubes, each cut into six tetrahedra along its diagonal. A tetrahedron that the
//! surface cuts gives one triangle or two, and tetrahedra that share a face cut it alike: the surface closes, whatever the water
//! does, with no edge left alone (Doi and Koide 1991). Water ends at the ground, at obstacles and at the sides of the domain too: a point is
//! water if neither the level set nor `−d`, with the distance `d` to the nearest of them, says no, and the surface is where the first of both
//! does. Edges at which two walls meet are cut off by up to half a cell.

use std::collections::HashMap;

use thalweg_pressure::Shape;
use thalweg_pressure::grid::Heights;

use crate::lattice::{cell_at, level_set, sample_pair, vertical_at};
use crate::surface::{velocities_aside, velocity_aside};

/// A closed surface; triangles are counter-clockwise seen from outside.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SurfaceMesh {
    /// Places, m from the corner of the domain.
    pub vertices: Vec<[f32; 3]>,
    /// Unit vectors away from the water, one per vertex.
    pub normals: Vec<[f32; 3]>,
    /// Velocity of the water at the vertices, m/s.
    pub velocities: Vec<[f32; 3]>,
    /// Corners of triangles.
    pub triangles: Vec<[u32; 3]>,
}

impl SurfaceMesh {
    /// Volume inside, m³.
    pub fn volume(&self) -> f64 {
        let place = |at: u32| self.vertices[at as usize].map(f64::from);
        let part = |[a, b, c]: &[u32; 3]| dot(place(*a), cross(place(*b), place(*c)));
        self.triangles.iter().map(part).sum::<f64>() / 6.0
    }
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// A level set on columns; lengths in its own cells.
pub(crate) struct SkinWater<'a> {
    pub(crate) shape: Shape,
    pub(crate) heights: &'a [Heights],
    pub(crate) phi: &'a [f32],
    /// Ground per column.
    pub(crate) terrain: &'a [f32],
    /// Distance of a point to the nearest obstacle, negative inside.
    pub(crate) solid: &'a (dyn Fn([f32; 3]) -> f32 + Sync),
    /// Velocity of a world cell of a column, m/s.
    pub(crate) velocity: &'a (dyn Fn(usize, i32) -> [f32; 3] + Sync),
    /// Edges of a cell along x, y, z, m.
    pub(crate) edges: [f64; 3],
}

impl SkinWater<'_> {
    /// The column of a cell, or the nearest.
    fn column(&self, [i, _, k]: [i32; 3]) -> usize {
        let Shape { nx, nz, .. } = self.shape;
        i.clamp(0, nx as i32 - 1) as usize + nx * k.clamp(0, nz as i32 - 1) as usize
    }

    /// Level set, and depth inside the nearest solid, in the middle of a cell that may lie outside the domain: both negative in water.
    pub(crate) fn value(&self, cell: [i32; 3]) -> [f32; 2] {
        let Shape { nx, nz, .. } = self.shape;
        let n = self.shape.samples();
        let column = self.column(cell);
        let [x, y, z] = cell.map(|c| c as f32);
        let line = &self.phi[column * n..][..n];
        let phi = match cell[1] < self.heights[column][0] {
            true => cell_at(line, self.heights[column], cell[1]),
            false => level_set(line, sample_pair(self.heights[column], n, y)),
        };
        let sides = (-0.5 - x).max(x + 0.5 - nx as f32).max(-0.5 - z).max(z + 0.5 - nz as f32);
        let ground = self.terrain[column] - 0.5 - y;
        [phi, sides.max(ground).max(-(self.solid)([x + 0.5, y + 0.5, z + 0.5]))]
    }
}

/// Velocities of the columns, read back.
pub(crate) struct CellVelocities<'a> {
    pub(crate) shape: Shape,
    pub(crate) heights: &'a [Heights],
    pub(crate) faces: &'a [f32],
    pub(crate) inner: &'a [f32],
}

impl CellVelocities<'_> {
    /// The mean of opposite faces of a cell, m/s.
    pub(crate) fn at(&self, column: usize, y: i32) -> [f32; 3] {
        let [x, z] = velocity_aside(self.shape, self.heights, self.faces, column, y);
        let [below, above] = self.vertical(column, y);
        [x, 0.5 * (below + above), z]
    }

    /// What flows out of a cell, (m/s) per cell.
    pub(crate) fn outflow(&self, column: usize, y: i32) -> f32 {
        let [x, z] = velocities_aside(self.shape, self.heights, self.faces, column, y);
        [x, self.vertical(column, y), z].into_iter().map(|[lower, upper]| upper - lower).sum()
    }

    fn vertical(&self, column: usize, y: i32) -> [f32; 2] {
        let n = self.shape.samples();
        let line = &self.faces[self.shape.len() + column * n..][..n];
        [y, y + 1].map(|face| vertical_at(line, self.inner[column], self.heights[column], face))
    }
}

/// The six tetrahedra of a cube, all turned the same way; bits 0, 1, 2 of a corner are its sides along x, y, z.
const TETRAHEDRA: [[usize; 4]; 6] =
    [[0, 1, 3, 7], [0, 2, 6, 7], [0, 4, 5, 7], [0, 3, 2, 7], [0, 6, 4, 7], [0, 5, 1, 7]];

/// Orders of the corners of a tetrahedron that keep its turn: a corner first, or a pair first.
const ALONE: [[usize; 4]; 4] = [[0, 1, 2, 3], [1, 0, 3, 2], [2, 0, 1, 3], [3, 0, 2, 1]];
const PAIRS: [[usize; 4]; 6] = [[0, 1, 2, 3], [0, 2, 3, 1], [0, 3, 1, 2], [1, 2, 0, 3], [1, 3, 2, 0], [2, 3, 0, 1]];

/// The points at which water is looked at: middles of cells and one layer around them.
struct Points<'a> {
    water: &'a SkinWater<'a>,
    /// Points along x, y, z.
    size: [usize; 3],
    /// World cell of the lowest.
    low: i32,
    /// Level set, and depth inside the nearest solid: both negative in water.
    values: Vec<[f32; 2]>,
}

impl<'a> Points<'a> {
    fn new(water: &'a SkinWater<'a>) -> Self {
        let Shape { nx, nz, .. } = water.shape;
        let low = water.heights.iter().map(|h| h[0]).min().unwrap_or(0) - 1;
        let high = water.heights.iter().map(|h| h[1]).max().unwrap_or(0) + water.shape.regular as i32;
        let size = [nx + 2, (high - low + 2) as usize, nz + 2];
        let mut points = Self { water, size, low, values: Vec::new() };
        points.values = (0..size.iter().product()).map(|at| water.value(points.place(at))).collect();
        points
    }

    /// World cell of a point; outside the domain it has no column.
    fn place(&self, at: usize) -> [i32; 3] {
        let [nx, ny, _] = self.size;
        [(at % nx) as i32 - 1, (at / nx % ny) as i32 + self.low, (at / (nx * ny)) as i32 - 1]
    }

    fn column(&self, cell: [i32; 3]) -> usize {
        self.water.column(cell)
    }

    fn is_wet(&self, at: usize) -> bool {
        self.values[at].iter().all(|value| *value < 0.0)
    }

    /// Share of the way from a wet point to a dry one at which the water ends.
    fn end(&self, wet: usize, dry: usize) -> f32 {
        let ways = self.values[wet].into_iter().zip(self.values[dry]);
        ways.filter(|(_, to)| *to >= 0.0).map(|(from, to)| from / (from - to)).fold(1.0, f32::min)
    }
}

/// The surface of water, in m.
pub(crate) fn skin(water: &SkinWater<'_>) -> SurfaceMesh {
    let points = Points::new(water);
    let [nx, ny, nz] = points.size;
    let corner = |corner: usize| (corner & 1) + nx * ((corner >> 1 & 1) + ny * (corner >> 2));
    let mut mesh = Builder { points: &points, found: HashMap::new(), mesh: SurfaceMesh::default() };
    for (k, j) in (0..nz - 1).flat_map(|k| (0..ny - 1).map(move |j| (k, j))) {
        for i in 0..nx - 1 {
            let first = i + nx * (j + ny * k);
            let wet = (0..8).filter(|c| points.is_wet(first + corner(*c))).count();
            if wet > 0 && wet < 8 {
                for tetrahedron in TETRAHEDRA {
                    mesh.add(tetrahedron.map(|c| first + corner(c)));
                }
            }
        }
    }
    mesh.finish()
}

struct Builder<'a> {
    points: &'a Points<'a>,
    /// Vertices by the points between which they lie, the lower first.
    found: HashMap<[usize; 2], u32>,
    mesh: SurfaceMesh,
}

impl Builder<'_> {
    /// The triangles in a tetrahedron.
    fn add(&mut self, corners: [usize; 4]) {
        let wet = corners.map(|at| self.points.is_wet(at));
        let count = wet.iter().filter(|wet| **wet).count();
        match count {
            1 | 3 => {
                let lonely = count == 1;
                let Some(order) = ALONE.into_iter().find(|order| wet[order[0]] == lonely) else { return };
                let [a, b, c, d] = order.map(|c| corners[c]);
                let [p, q, r] = [b, c, d].map(|to| self.vertex(a, to));
                self.mesh.triangles.push(if lonely { [p, q, r] } else { [p, r, q] });
            }
            2 => {
                let Some(order) = PAIRS.into_iter().find(|order| wet[order[0]] && wet[order[1]]) else { return };
                let [a, b, c, d] = order.map(|c| corners[c]);
                let [p, q, r, s] = [[a, c], [a, d], [b, d], [b, c]].map(|[from, to]| self.vertex(from, to));
                self.mesh.triangles.extend([[p, q, r], [p, r, s]]);
            }
            _ => {}
        }
    }

    /// The vertex between two points, one of them in the water.
    fn vertex(&mut self, a: usize, b: usize) -> u32 {
        let key = [a.min(b), a.max(b)];
        if let Some(known) = self.found.get(&key) {
            return *known;
        }
        let points = self.points;
        let [wet, dry] = if points.is_wet(a) { [a, b] } else { [b, a] };
        let share = points.end(wet, dry);
        let [wet, dry] = [wet, dry].map(|at| points.place(at));
        let edges = points.water.edges;
        let place = std::array::from_fn(|c| {
            let middle = f64::from(wet[c]) + 0.5 + f64::from(share) * f64::from(dry[c] - wet[c]);
            (middle * edges[c]) as f32
        });
        let number = self.mesh.vertices.len() as u32;
        self.mesh.vertices.push(place);
        self.mesh.velocities.push((points.water.velocity)(points.column(wet), wet[1]));
        self.found.insert(key, number);
        number
    }

    /// With normals: means over the triangles around a vertex, by their areas.
    fn finish(self) -> SurfaceMesh {
        let mut mesh = self.mesh;
        let mut sums = vec![[0.0_f64; 3]; mesh.vertices.len()];
        for triangle in &mesh.triangles {
            let [a, b, c] = triangle.map(|at| mesh.vertices[at as usize].map(f64::from));
            let way = |to: [f64; 3]| std::array::from_fn(|axis| to[axis] - a[axis]);
            let area = cross(way(b), way(c));
            for at in triangle {
                let sum = &mut sums[*at as usize];
                *sum = std::array::from_fn(|axis| sum[axis] + area[axis]);
            }
        }
        mesh.normals = sums
            .iter()
            .map(|sum| {
                let length = dot(*sum, *sum).sqrt();
                if length > 0.0 { sum.map(|c| (c / length) as f32) } else { [0.0, 1.0, 0.0] }
            })
            .collect();
        mesh
    }
}
