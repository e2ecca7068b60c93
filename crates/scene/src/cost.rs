//! What a scene will need, told before anything is allocated.

use serde::Serialize;

use crate::scene::Scene;

/// State of a cell: depth and two discharges in two copies (24 bytes), bed (4), two fluxes and the
/// partial sums of reductions (about 12).
const BYTES_PER_CELL: u64 = 40;

/// Bytes of a pixel while it is drawn (RGBA).
const BYTES_PER_PIXEL: u64 = 4;

/// What a scene needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Cost {
    /// Cells of the grid.
    pub cells: u64,
    /// Memory of the solver's state, bytes.
    pub bytes_state: u64,
    /// Memory of the height maps that the scene reads, bytes.
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
        let cells = self.grid.cells();
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
            bytes_state: cells * BYTES_PER_CELL,
            bytes_files: self.terrain.bytes() + self.water.bytes(),
            rows: (self.duration / self.step).ceil() as u64 + 1,
            pictures: frames * fields,
            pixels,
            bytes_frame: pixels * fields * BYTES_PER_PIXEL,
        }
    }
}
