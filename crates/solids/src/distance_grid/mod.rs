//! Signed distances to a closed surface of triangles, on bricks of nodes where the surface is.
//!
//! A **lattice** of nodes covers the part of the surface that is asked for (`window`). It is cut into **bricks** of
//! eight steps. A brick that the surface comes near (`reach`) has a distance at each of its nodes, those on its faces
//! too, so that a reader needs one brick alone; any other has one distance for all of its points, which no point of it
//! is below: a ray may go as far. Memory goes with the area of the surface, not with the volume around it. A surface
//! may be any size: what is outside of the window costs nothing and still counts for distances and for signs.
//!
//! Distances are exact, to the nearest triangle (`hierarchy.rs`), in double precision until they are stored. The sign
//! is the winding number along lines in x (`signs.rs`).

mod hierarchy;
mod lattice;
mod signs;
#[cfg(test)]
mod tests;
mod triangle;

use std::fmt;

use crate::constants::brick;
use crate::obstacle::ObstacleError;
use crate::vector::{length, minus};
use hierarchy::Hierarchy;
use lattice::{Found, Lattice};
use triangle::{Point, Triangle, bounds};

/// Where and how finely a surface is sampled, in the unit of its coordinates.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sampling {
    /// Distance of nodes.
    pub spacing: f64,
    /// How far from the surface distances are exact.
    pub reach: f64,
    /// Corners of the box that is asked about; `None` for all of the surface.
    pub window: Option<[[f64; 3]; 2]>,
    /// Most numbers that may be stored.
    pub most: usize,
}

/// Signed distances to the surface of a solid, negative inside.
#[derive(Clone, PartialEq)]
pub struct DistanceGrid {
    low: [f32; 3],
    spacing: f32,
    /// Bricks along every axis.
    bricks: [usize; 3],
    /// The table of bricks, x fastest, then the nodes of those that have any, x fastest.
    words: Vec<f32>,
    /// Corners of the box around what there is of the surface in the window.
    bounds: [[f32; 3]; 2],
}

impl DistanceGrid {
    /// Distances to triangles that close, wound one way.
    pub fn from_triangles(
        vertices: &[[f64; 3]],
        triangles: &[[u32; 3]],
        sampling: &Sampling,
    ) -> Result<Self, ObstacleError> {
        let corners = corners(vertices, triangles)?;
        let (lattice, bounds) = sampling.lattice(&corners)?;
        let count = lattice.bricks.iter().product::<usize>();
        // Counted first: distances take time, and there may be too many.
        let near = lattice.look(sampling.most_bricks(count), |_, _| ()).ok_or(sampling.too_many())?;
        let near = near.iter().filter(|found| matches!(found, Found::Near { .. })).count();
        let found = lattice.look(near, |brick, farthest| lattice.nodes(brick, farthest)).ok_or(sampling.too_many())?;

        let mut words = vec![-1.0; brick::WORDS * count + brick::NODES * near];
        let number = |[i, j, k]: [usize; 3]| i + lattice.bricks[0] * (j + lattice.bricks[1] * k);
        let mut bricks = Vec::with_capacity(near);
        for found in found {
            match found {
                Found::Near { brick, nodes } => bricks.push((number(brick), nodes)),
                Found::Far { block: [x, y, z], distance } => {
                    for [j, k] in z.flat_map(|k| y.clone().map(move |j| [j, k])) {
                        for i in x.clone() {
                            words[brick::WORDS * number([i, j, k]) + 1] = distance as f32;
                        }
                    }
                }
            }
        }
        // Blocks come in the order in which they were cut.
        bricks.sort_unstable_by_key(|(number, _)| *number);
        for (n, (number, nodes)) in bricks.into_iter().enumerate() {
            words[brick::WORDS * number] = n as f32;
            words[brick::WORDS * count + brick::NODES * n..][..brick::NODES].copy_from_slice(&nodes);
        }
        signs::sign(&lattice, &mut words);
        let single = |p: Point| p.map(|v| v as f32);
        Ok(Self {
            low: single(lattice.low),
            spacing: lattice.step as f32,
            bricks: lattice.bricks,
            words,
            bounds: bounds.map(single),
        })
    }

    /// Whether [`Self::from_triangles`] would find room: it takes a part of the time.
    pub fn fits(vertices: &[[f64; 3]], triangles: &[[u32; 3]], sampling: &Sampling) -> Result<(), ObstacleError> {
        let corners = corners(vertices, triangles)?;
        let (lattice, _) = sampling.lattice(&corners)?;
        let most = sampling.most_bricks(lattice.bricks.iter().product());
        lattice.look(most, |_, _| ()).map(|_| ()).ok_or(sampling.too_many())
    }

    /// The same in another unit of length.
    pub(crate) fn scaled(&self, factor: f32) -> Self {
        let point = |p: [f32; 3]| p.map(|v| v * factor);
        let (table, nodes) = self.words.split_at(brick::WORDS * self.bricks.iter().product::<usize>());
        let table = table.chunks(brick::WORDS).flat_map(|entry| [entry[0], entry[1] * factor]);
        Self {
            low: point(self.low),
            spacing: self.spacing * factor,
            bricks: self.bricks,
            words: table.chain(nodes.iter().map(|v| v * factor)).collect(),
            bounds: self.bounds.map(point),
        }
    }

    /// Distance of nodes.
    pub fn spacing(&self) -> f32 {
        self.spacing
    }

    /// Bricks along every axis, of eight steps each.
    pub fn bricks(&self) -> [usize; 3] {
        self.bricks
    }

    /// Corners of the box around what there is of the surface in the window.
    pub fn bounds(&self) -> [[f32; 3]; 2] {
        self.bounds
    }

    /// What kernels read: the table of bricks and their distances.
    pub fn words(&self) -> &[f32] {
        &self.words
    }

    pub(crate) fn low(&self) -> [f32; 3] {
        self.low
    }

    pub(crate) fn is_good(&self) -> bool {
        self.spacing > 0.0 && self.bricks.iter().all(|n| *n > 0)
    }
}

/// The distance that the words of a grid hold at a point, in steps of its `spacing` from its corner: trilinear between
/// nodes. Outside it is that of the nearest point plus the distance to that point. Kernels have it as
/// `mesh_distance`, each beside its own buffers.
pub(crate) fn read(words: &[f32], bricks: [usize; 3], at: [f32; 3], spacing: f32) -> f32 {
    let inside: [f32; 3] = std::array::from_fn(|axis| at[axis].clamp(0.0, (brick::STEPS * bricks[axis]) as f32));
    let beyond = spacing * length(minus(at, inside));
    let brick: [usize; 3] = std::array::from_fn(|axis| (inside[axis] as usize / brick::STEPS).min(bricks[axis] - 1));
    let entry = brick::WORDS * (brick[0] + bricks[0] * (brick[1] + bricks[1] * brick[2]));
    if words[entry] < 0.0 {
        return words[entry + 1] + beyond;
    }
    let inner: [f32; 3] = std::array::from_fn(|axis| inside[axis] - (brick::STEPS * brick[axis]) as f32);
    let low: [usize; 3] = std::array::from_fn(|axis| (inner[axis] as usize).min(brick::STEPS - 1));
    let share: [f32; 3] = std::array::from_fn(|axis| inner[axis] - low[axis] as f32);
    let first = brick::WORDS * bricks[0] * bricks[1] * bricks[2]
        + brick::NODES * words[entry] as usize
        + low[0]
        + brick::EDGE * (low[1] + brick::EDGE * low[2]);
    let along_x = |at: usize| words[at] + (words[at + 1] - words[at]) * share[0];
    let along_y = |at: usize| along_x(at) + (along_x(at + brick::EDGE) - along_x(at)) * share[1];
    along_y(first) + (along_y(first + brick::EDGE * brick::EDGE) - along_y(first)) * share[2] + beyond
}

impl fmt::Debug for DistanceGrid {
    /// Without its distances, which may be millions.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { low, spacing, bricks, words, bounds } = self;
        let mut found = f.debug_struct("DistanceGrid");
        found.field("low", low).field("spacing", spacing).field("bricks", bricks).field("words", &words.len());
        found.field("bounds", bounds).finish()
    }
}

fn corners(vertices: &[Point], triangles: &[[u32; 3]]) -> Result<Vec<Triangle>, ObstacleError> {
    if triangles.iter().flatten().any(|corner| *corner as usize >= vertices.len()) {
        return Err(ObstacleError::Triangles);
    }
    let corners: Vec<Triangle> = triangles.iter().map(|t| t.map(|corner| vertices[corner as usize])).collect();
    // No triangles have no bounds.
    if corners.is_empty() || !corners.as_flattened().as_flattened().iter().all(|v| v.is_finite()) {
        return Err(ObstacleError::NotFinite);
    }
    Ok(corners)
}

impl Sampling {
    /// The lattice over the part of the surface in the window, and the box around that part.
    fn lattice<'a>(&self, triangles: &'a [Triangle]) -> Result<(Lattice<'a>, [Point; 2]), ObstacleError> {
        let Self { spacing, reach, window, most } = *self;
        let numbers = [spacing, reach].into_iter().chain(window.iter().flatten().flatten().copied());
        if numbers.into_iter().any(f64::is_nan) || !(spacing + reach).is_finite() {
            return Err(ObstacleError::NotFinite);
        }
        let [low, high] = bounds(triangles);
        if !(spacing > 0.0 && reach > 0.0 && (0..3).all(|axis| high[axis] > low[axis])) {
            return Err(ObstacleError::Size);
        }
        let [least, end] = window.unwrap_or([low, high]);
        if (0..3).any(|axis| least[axis] > end[axis]) {
            return Err(ObstacleError::Size);
        }
        // Of a surface beside the window there is a plane at its side.
        let part = [low, high].map(|p: Point| std::array::from_fn(|axis| p[axis].clamp(least[axis], end[axis])));
        // Kernels know it in single precision.
        let low: Point = std::array::from_fn(|axis| f64::from((part[0][axis] - reach) as f32));
        let step = f64::from(spacing as f32);
        let sizes: Point = std::array::from_fn(|axis| {
            ((part[1][axis] + reach - low[axis]) / (brick::STEPS as f64 * step)).ceil().max(1.0)
        });
        if brick::WORDS as f64 * sizes.iter().product::<f64>() > most as f64 {
            return Err(self.too_many());
        }
        let surface = Hierarchy::around(triangles);
        Ok((Lattice { surface, low, step, bricks: sizes.map(|n| n as usize), reach }, part))
    }

    /// Bricks with nodes that there is room for.
    fn most_bricks(&self, count: usize) -> usize {
        (self.most - brick::WORDS * count) / brick::NODES
    }

    fn too_many(&self) -> ObstacleError {
        ObstacleError::TooFine { most: self.most }
    }
}
