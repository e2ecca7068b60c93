//! Sources and drains: water is added to, or taken from, the cells of a shape.
//!
//! Added water brings no momentum. Taken water takes its own along, and never more than there is.

mod cpu;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod parity;
#[cfg(test)]
mod tests;

use thalweg_compute::{kernel, uniform};

uniform! {
    /// Parameters of one source.
    pub struct SourceParams {
        /// Cells along x.
        pub nx: u32,
        /// Cells along z.
        pub nz: u32,
        /// Rectangle of cells around the shape.
        pub x0: u32, pub z0: u32, pub width: u32, pub height: u32,
        /// Squared radius of a disc in cells; negative for a rectangle.
        pub radius2: f32,
        /// Centre of a disc in cells.
        pub center_x: f32, pub center_z: f32,
        /// Which source.
        pub source: u32,
        /// Area of a cell, m².
        pub area: f32,
        /// First word of this source in `exchanged`.
        pub exchanged_start: u32,
    }
}

kernel! {
    /// Adds or takes the water of one source.
    pub struct AddSources slices SourceSlices = "shallow.add_sources" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/add_sources.wgsl")), entry: "add_sources",
        workgroup: [256, 1, 1],
        params: SourceParams,
        cpu: cpu::add_sources,
        read bed: f32,
        read clock: f32,
        write state: f32,
        write exchanged: f32,
    }
}

impl SourceParams {
    /// Whether cell `(i, k)` of the rectangle belongs to the shape.
    pub(crate) fn covers(&self, i: u32, k: u32) -> bool {
        let (dx, dz) = (i as f32 + 0.5 - self.center_x, k as f32 + 0.5 - self.center_z);
        self.radius2 < 0.0 || dx * dx + dz * dz <= self.radius2
    }
}
