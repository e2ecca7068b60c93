//! The surface of the water as triangles, for other programs.
//!
//! The middles of cells are the corners of cubes, each cut into six tetrahedra along its diagonal. A tetrahedron that
//! the surface cuts gives one triangle or two, and tetrahedra that share a face cut it alike: the surface closes,
//! whatever the water does, with no edge left alone (Doi and Koide 1991). Water ends at the ground, at obstacles and at
//! the sides of the domain too: a point is water if neither the level set nor `−d`, with the distance `d` to the
//! nearest of them, says no, and the surface is where the first of both does.
//!
//! **Walls.** On the sides of the domain and on the ground of every column lies a layer of points of its own, so that
//! edges between walls are sharp and films thinner than half a cell are kept; where such a point is wet, the point
//! itself is the vertex for all that lies behind the wall. A column's points move up and down with its ground: of a
//! tetrahedron's edges one is vertical, and as long as that one stays upright none is turned inside out.
//!
//! **Volume.** Sheets and drops of less than a cell hold less between their surfaces than the sums over cells count.
//! The surface is taken at the level, the same everywhere, at which the mesh holds what the statistics say; that is a
//! few hundredths of a cell in a splash.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use thalweg_columns::interpolate::{cell_at, level_set, sample_pair, vertical_at};
use thalweg_columns::{Heights, Shape};
pub use thalweg_model::SurfaceMesh;

use crate::solver::view::columns::{velocities_aside, velocity_aside};

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// A level set on columns; lengths in its own cells.
pub(crate) struct MeshWater<'a> {
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

impl MeshWater<'_> {
    /// The column of a cell, or the nearest.
    fn column(&self, [i, _, k]: [i32; 3]) -> usize {
        let Shape { nx, nz, .. } = self.shape;
        i.clamp(0, nx as i32 - 1) as usize + nx * k.clamp(0, nz as i32 - 1) as usize
    }

    /// The level set of a column at a height in cells. Below its lowest cell the line goes on, no steeper than a
    /// distance.
    fn level_set_at(&self, column: usize, y: f32) -> f32 {
        let (n, heights) = (self.shape.samples(), self.heights[column]);
        let line = &self.phi[column * n..][..n];
        let at = |y: f32| level_set(line, sample_pair(heights, n, y));
        let lowest = heights[0] as f32;
        if y >= lowest {
            return at(y);
        }
        at(lowest) - (lowest - y) * (at(lowest + 1.0) - at(lowest)).clamp(-1.0, 1.0)
    }

    /// Level set, and depth inside the nearest solid, in the middle of a cell that may lie outside the domain: both
    /// negative in water.
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

/// How far the layer behind a wall is from it, cells. It holds no vertex.
const BEHIND: f32 = 0.25;
/// Most that the surface is moved so that the mesh holds the water, cells.
const MOST_SHIFT: f32 = 0.3;
/// Part of the volume that may be missing.
const VOLUME_ERROR: f64 = 5e-4;

/// What a point is to walls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wall {
    /// In the open.
    None,
    /// On a wall: the water reaches it.
    On,
    /// Behind one.
    Behind,
}

/// The points at which water is looked at: middles of cells, places on the walls and a layer behind them.
struct Points<'a> {
    water: &'a MeshWater<'a>,
    /// Points along x, y, z.
    size: [usize; 3],
    /// Level set, and depth inside the nearest obstacle: both negative in water.
    values: Vec<[f32; 2]>,
    walls: Vec<Wall>,
    /// Height of every point in cells, middles at whole numbers.
    ups: Vec<f32>,
    /// The level that is taken for the surface.
    shift: f32,
}

impl<'a> Points<'a> {
    fn new(water: &'a MeshWater<'a>) -> Self {
        let Shape { nx, nz, .. } = water.shape;
        let low = water.heights.iter().map(|h| h[0]).min().unwrap_or(0) - 2;
        let high = water.heights.iter().map(|h| h[1]).max().unwrap_or(0) + water.shape.regular as i32;
        let size = [nx + 4, (high - low + 2) as usize, nz + 4];
        let mut points = Self { water, size, values: Vec::new(), walls: Vec::new(), ups: Vec::new(), shift: 0.0 };
        for at in 0..size.iter().product() {
            let [i, j, k] = points.indices(at);
            let column = points.column(at);
            let sides = [points.side(i, nx), points.side(k, nz)];
            let cell = low + j as i32;
            let ground = water.terrain[column] - 0.5;
            let layer = ground.floor() as i32;
            let (up, wall) = match cell.cmp(&layer) {
                std::cmp::Ordering::Less => (cell as f32, Wall::Behind),
                std::cmp::Ordering::Equal => (ground, Wall::On),
                std::cmp::Ordering::Greater => (cell as f32, Wall::None),
            };
            let wall = match (sides, wall) {
                ([Wall::Behind, _] | [_, Wall::Behind], _) | (_, Wall::Behind) => Wall::Behind,
                ([Wall::On, _] | [_, Wall::On], _) | (_, Wall::On) => Wall::On,
                _ => Wall::None,
            };
            let [x, z] = [points.across(i, nx), points.across(k, nz)];
            let depth = -(water.solid)([x + 0.5, up + 0.5, z + 0.5]);
            points.values.push([water.level_set_at(column, up), depth]);
            points.walls.push(wall);
            points.ups.push(up);
        }
        points
    }

    fn indices(&self, at: usize) -> [usize; 3] {
        let [nx, ny, _] = self.size;
        [at % nx, at / nx % ny, at / (nx * ny)]
    }

    /// Along an axis of `n` columns: behind the wall, on it, the middles, on the other wall, behind that.
    fn across(&self, index: usize, n: usize) -> f32 {
        match index {
            0 => -0.5 - BEHIND,
            1 => -0.5,
            _ if index == n + 2 => n as f32 - 0.5,
            _ if index == n + 3 => n as f32 - 0.5 + BEHIND,
            _ => (index - 2) as f32,
        }
    }

    fn side(&self, index: usize, n: usize) -> Wall {
        match index {
            0 => Wall::Behind,
            1 => Wall::On,
            _ if index == n + 2 => Wall::On,
            _ if index == n + 3 => Wall::Behind,
            _ => Wall::None,
        }
    }

    /// Whether a point lies outside the sides of the domain.
    fn is_beyond(&self, at: usize) -> bool {
        let ([i, _, k], Shape { nx, nz, .. }) = (self.indices(at), self.water.shape);
        [self.side(i, nx), self.side(k, nz)].contains(&Wall::Behind)
    }

    /// The column of a point, or the nearest.
    fn column(&self, at: usize) -> usize {
        let ([i, _, k], Shape { nx, nz, .. }) = (self.indices(at), self.water.shape);
        i.saturating_sub(2).min(nx - 1) + nx * k.saturating_sub(2).min(nz - 1)
    }

    /// In cells, middles at whole numbers.
    fn place(&self, at: usize) -> [f32; 3] {
        let ([i, _, k], Shape { nx, nz, .. }) = (self.indices(at), self.water.shape);
        [self.across(i, nx), self.ups[at], self.across(k, nz)]
    }

    /// Both values, with the surface at the level that is taken for it.
    fn value(&self, at: usize) -> [f32; 2] {
        let [phi, solid] = self.values[at];
        [phi - self.shift, solid]
    }

    fn is_wet(&self, at: usize) -> bool {
        self.walls[at] != Wall::Behind && self.value(at).iter().all(|value| *value < 0.0)
    }

    /// Share of the way from a wet point to a dry one at which the water ends.
    fn end(&self, wet: usize, dry: usize) -> f32 {
        if self.walls[dry] == Wall::Behind {
            // A side is reached by points on it alone. The ground is a line from column to column; a point on it is its
            // own end.
            let [over, under] = [wet, dry].map(|at| self.ups[at] - self.water.terrain[self.column(at)] + 0.5);
            return if self.is_beyond(dry) { 0.0 } else { (over / (over - under)).max(0.0) };
        }
        let ways = self.value(wet).into_iter().zip(self.value(dry));
        ways.filter(|(_, to)| *to >= 0.0).map(|(from, to)| from / (from - to)).fold(1.0, f32::min)
    }
}

/// The surface of water, in m, around a volume in m³.
pub(crate) fn surface_mesh(water: &MeshWater<'_>, volume: f64) -> SurfaceMesh {
    let mut points = Points::new(water);
    let mut mesh = surface(&points);
    // False position on the level: the volume grows with it, by the area of the free surface.
    let (mut low, mut high) = ((-MOST_SHIFT, None), (MOST_SHIFT, None));
    for _ in 0..6 {
        let missing = volume - mesh.volume();
        if missing.abs() <= VOLUME_ERROR * volume || mesh.triangles.is_empty() {
            break;
        }
        *(if missing > 0.0 { &mut low } else { &mut high }) = (points.shift, Some(missing));
        let guess = match (low.1, high.1) {
            (Some(below), Some(above)) => {
                f64::from(low.0) + f64::from(high.0 - low.0) * (below / (below - above)).clamp(0.1, 0.9)
            }
            _ => f64::from(points.shift) + 1.2 * missing / (mesh.area() * water.edges[1]),
        };
        points.shift = (guess as f32).clamp(low.0, high.0);
        mesh = surface(&points);
    }
    mesh.level = points.shift * water.edges[1] as f32;
    mesh
}

fn surface(points: &Points<'_>) -> SurfaceMesh {
    let [nx, ny, nz] = points.size;
    let corner = |corner: usize| (corner & 1) + nx * ((corner >> 1 & 1) + ny * (corner >> 2));
    // Every point is asked by eight cubes.
    let wet: Vec<bool> = (0..nx * ny * nz).map(|at| points.is_wet(at)).collect();
    let mut mesh = Builder { points, wet: &wet, found: HashMap::default(), mesh: SurfaceMesh::default() };
    for (k, j) in (0..nz - 1).flat_map(|k| (0..ny - 1).map(move |j| (k, j))) {
        for i in 0..nx - 1 {
            let first = i + nx * (j + ny * k);
            let count = (0..8).filter(|c| wet[first + corner(*c)]).count();
            if count > 0 && count < 8 {
                for tetrahedron in TETRAHEDRA {
                    mesh.add(tetrahedron.map(|c| first + corner(c)));
                }
            }
        }
    }
    mesh.finish()
}

/// Spreads numbers of points; nobody chooses them so that they meet, against which the usual hasher guards at three
/// times the price.
#[derive(Default)]
struct PlaceHasher(u64);

impl Hasher for PlaceHasher {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_usize((*byte).into()));
    }

    fn write_usize(&mut self, place: usize) {
        // The golden ratio of 2^64, whose multiples lie far apart.
        self.0 = (self.0.rotate_left(26) ^ place as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn finish(&self) -> u64 {
        // The table looks at the highest and at the lowest bits.
        self.0 ^ self.0 >> 32
    }
}

struct Builder<'a> {
    points: &'a Points<'a>,
    /// Whether every point is in the water.
    wet: &'a [bool],
    /// Vertices by the points between which they lie, the lower first.
    found: HashMap<[usize; 2], u32, BuildHasherDefault<PlaceHasher>>,
    mesh: SurfaceMesh,
}

impl Builder<'_> {
    /// The triangles in a tetrahedron.
    fn add(&mut self, corners: [usize; 4]) {
        let wet = corners.map(|at| self.wet[at]);
        let count = wet.iter().filter(|wet| **wet).count();
        match count {
            1 | 3 => {
                let lonely = count == 1;
                let Some(order) = ALONE.into_iter().find(|order| wet[order[0]] == lonely) else { return };
                let [a, b, c, d] = order.map(|c| corners[c]);
                let [p, q, r] = [b, c, d].map(|to| self.vertex(a, to));
                self.triangle(if lonely { [p, q, r] } else { [p, r, q] });
            }
            2 => {
                let Some(order) = PAIRS.into_iter().find(|order| wet[order[0]] && wet[order[1]]) else { return };
                let [a, b, c, d] = order.map(|c| corners[c]);
                let [p, q, r, s] = [[a, c], [a, d], [b, d], [b, c]].map(|[from, to]| self.vertex(from, to));
                self.triangle([p, q, r]);
                self.triangle([p, r, s]);
            }
            _ => {}
        }
    }

    /// Points on walls stand for several vertices: triangles between those are lines.
    fn triangle(&mut self, [a, b, c]: [u32; 3]) {
        if a != b && b != c && c != a {
            self.mesh.triangles.push([a, b, c]);
        }
    }

    /// The vertex between two points, one of them in the water.
    fn vertex(&mut self, a: usize, b: usize) -> u32 {
        let points = self.points;
        let [wet, dry] = if self.wet[a] { [a, b] } else { [b, a] };
        let share = points.end(wet, dry);
        let key = if share == 0.0 { [wet, wet] } else { [a.min(b), a.max(b)] };
        if let Some(known) = self.found.get(&key) {
            return *known;
        }
        let [from, to] = [wet, dry].map(|at| points.place(at));
        let edges = points.water.edges;
        let place = std::array::from_fn(|c| {
            let middle = f64::from(from[c]) + 0.5 + f64::from(share) * f64::from(to[c] - from[c]);
            (middle * edges[c]) as f32
        });
        let number = self.mesh.vertices.len() as u32;
        self.mesh.vertices.push(place);
        let cell = from[1].round() as i32;
        self.mesh.velocities.push((points.water.velocity)(points.column(wet), cell));
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
