//! Kernels between velocities on faces and pressures of the fine grid.
//!
//! Faces lie behind each other: x-faces, y-faces, z-faces, each as in [`FaceField`](crate::narrow_band::FaceField).

mod cpu;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod parity;

use thalweg_compute::{kernel, uniform};

use crate::narrow_band::FineGrid;

uniform! {
    /// The fine grid.
    pub struct FacesParams {
        /// Cells along x.
        pub nx: u32,
        /// Cells along y.
        pub ny: u32,
        /// Cells along z.
        pub nz: u32,
        /// Equations.
        pub unknowns: u32,
        /// Workgroups of a reduction, at most 1024.
        pub groups: u32,
        /// What a difference of velocities or pressures is multiplied by.
        pub scale: f32,
    }
}

kernel! {
    /// `b = −(ρ Δx/Δt) Σ ± a u` of every unknown, and partial maxima of `|b|`.
    pub struct Rhs slices RhsSlices = "labs.band_rhs" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/band_rhs.wgsl")), entry: "band_rhs",
        workgroup: [256, 1, 1],
        params: FacesParams,
        cpu: cpu::rhs,
        read cell_of_unknown: u32,
        read open: f32,
        read u: f32,
        write b: f32,
        write partials: f32,
    }
}

kernel! {
    /// `u −= Δt/(ρ Δx) (p₊ − p₋)/θ` on every open face; closed faces come to rest.
    pub struct Update slices UpdateSlices = "labs.band_update" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/band_update.wgsl")), entry: "band_update",
        workgroup: [256, 1, 1],
        params: FacesParams,
        cpu: cpu::update,
        read unknown_of_cell: u32,
        read open: f32,
        read slope: f32,
        read pressure: f32,
        write u: f32,
    }
}

impl FacesParams {
    pub(super) fn new(grid: &FineGrid, unknowns: usize, groups: u32) -> Self {
        let [nx, ny, nz] = grid.cells().map(|n| n as u32);
        Self { nx, ny, nz, unknowns: unknowns as u32, groups, scale: 1.0 }
    }

    /// Faces along each axis, for the faces with their normal along `axis`.
    fn size(&self, axis: usize) -> [usize; 3] {
        let mut size = [self.nx, self.ny, self.nz].map(|n| n as usize);
        size[axis] += 1;
        size
    }

    /// Where the faces with their normal along each axis begin, and their number.
    fn starts(&self) -> [usize; 4] {
        let count = |axis: usize| self.size(axis).iter().product::<usize>();
        [0, count(0), count(0) + count(1), count(0) + count(1) + count(2)]
    }

    /// Faces of all axes.
    pub(super) fn faces(&self) -> usize {
        self.starts()[3]
    }
}
