//! What a scene will need, known before anything is allocated.

use serde::Serialize;

use thalweg_model::Ability;

use crate::body;
use crate::quadtree::QUADTREE_TILE;
use crate::scene::Scene;

/// State of a cell: depth and two discharges in two copies (24 bytes), bed (4), two fluxes and the
/// partial sums of reductions (about 12).
const BYTES_PER_CELL: u64 = 40;

/// What a cell takes more with maps over time: highest surface, speed and two times.
const BYTES_OF_MAPS: u64 = 16;

/// Three-dimensional water: two states of 6 words a sample, three vectors of 4, solids, right-hand side and scratch of the
/// stages (about 10), the levels of the pressure solve (about 26).
const BYTES_PER_SAMPLE: u64 = 60 * 4;

/// A fine surface: two level sets, a scratch, three faces, and with obstacles solids and a mark.
const BYTES_PER_FINE_SAMPLE: u64 = 8 * 4;

/// What a sample takes more if solids move: their velocities on its faces, and a mark.
const BYTES_OF_MOTION: u64 = 4 * 4;

/// Heights, ground and limits of a column.
const BYTES_PER_COLUMN: u64 = 16 * 4;

/// A particle: place and motion in two copies, a flag, a place in lists and their scratch.
const BYTES_PER_PARTICLE: u64 = 20 * 4;

/// What a column takes more with whitewater: four trial particles with their counts, and foam.
const BYTES_OF_TRIALS: u64 = 46 * 4;

/// A tile of a quadtree: state and bed of its 256 cells, beds of its children, what its step gives out with the edges, what
/// passes to larger cells, and its places in lists.
const BYTES_PER_TILE: u64 = (4 * 256 + 4 * 256 + 3 * 256 + 2 * 192 + 64) * 4;

/// Place of a tile in the maps of a quadtree: one word of its own, a third of one on all coarser levels.
const BYTES_PER_PLACE: u64 = 6;

/// Bytes of a pixel while it is drawn (RGBA).
const BYTES_PER_PIXEL: u64 = 4;

/// What a scene needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Cost {
    /// Cells of the grid; of a quadtree its budget. Of three-dimensional water the numbers that a field holds: cubic cells, and two for each tall
    /// cell.
    pub cells: u64,
    /// Memory of the solver's state, bytes.
    pub bytes_state: u64,
    /// Memory of the scene's text and of the files that it reads, both as they are (checkpoints hold them) and decoded, bytes.
    pub bytes_files: u64,
    /// Rows of the statistics.
    pub rows: u64,
    /// Pictures that are written.
    pub pictures: u64,
    /// Pixels of a picture.
    pub pixels: u64,
    /// Memory of one frame's pictures, bytes.
    pub bytes_frame: u64,
}

impl Cost {
    /// Memory of a run, bytes: state, height maps and the frame being drawn.
    pub fn bytes(&self) -> u64 {
        self.bytes_state + self.bytes_files + self.bytes_frame
    }
}

impl Scene {
    /// What the scene will need, computed from its numbers alone.
    pub fn cost(&self) -> Cost {
        let columns = self.grid.cells();
        let (cells, bytes_state) = if self.water.solver.has(Ability::AdaptiveCells) {
            let tile = u64::from(QUADTREE_TILE * QUADTREE_TILE);
            let budget = self.water.quadtree.budget;
            (budget, budget.div_ceil(tile) * BYTES_PER_TILE + columns / tile * BYTES_PER_PLACE)
        } else if self.water.solver.has(Ability::ThreeDimensional) {
            let samples = self.water.tall.samples(&self.grid);
            let moving = !self.bodies.is_empty() || self.obstacles.iter().any(|obstacle| obstacle.motion.is_some());
            let per_sample = BYTES_PER_SAMPLE + if moving { BYTES_OF_MOTION } else { 0 };
            let surface = self.water.tall.fine_samples(&self.grid) * BYTES_PER_FINE_SAMPLE;
            let particles = self
                .whitewater
                .as_ref()
                .map_or(0, |settings| u64::from(settings.capacity) * BYTES_PER_PARTICLE + columns * BYTES_OF_TRIALS);
            (samples, samples * per_sample + columns * BYTES_PER_COLUMN + surface + particles)
        } else {
            let maps = if self.maps.is_some() { BYTES_OF_MAPS } else { 0 };
            (columns, columns * (BYTES_PER_CELL + maps))
        };
        let frames = if self.output.frames || self.output.animation {
            (self.duration / self.output.every).floor() as u64 + 1
        } else {
            0
        };
        let fields = self.render.fields.len() as u64;
        let width = u64::from(self.render.width);
        // A picture has the shape of the domain, as far as pixels and sense allow.
        let height = (width as f64 * f64::from(self.grid.nz) / f64::from(self.grid.nx)).ceil();
        let pixels = width * (height as u64).clamp(1, 8192);
        Cost {
            cells,
            bytes_state,
            bytes_files: self.text.bytes()
                + self.terrain.bytes()
                + self.water.bytes()
                + self.obstacles.iter().map(|obstacle| obstacle.shape.bytes()).sum::<u64>()
                + self.bodies.iter().map(body::bytes).sum::<u64>(),
            rows: (self.duration / self.step).ceil() as u64 + 1,
            pictures: frames * fields,
            pixels,
            bytes_frame: pixels * fields * BYTES_PER_PIXEL,
        }
    }
}
