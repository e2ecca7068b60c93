//! One explicit step of the well-balanced, positive finite-volume scheme (methods note §2): hydrostatic
//! reconstruction, HLLC fluxes, MUSCL-Hancock for second order, draining limiter, rain and friction.
//!
//! All in one kernel that reads the state once and writes it once (28 bytes a cell): rows are marched,
//! and slopes, fluxes and limiter factors of the last rows stay in registers (GPU) or in cache (CPU).
//!
//! Rows lag behind the newest row `r` that is loaded:
//!
//! ```text
//! r      primitive variables: surface, depth, velocity
//! r − 1  slopes and face values at half time; fluxes through x-faces; z-faces r−2 | r−1
//! r − 2  draining factor α = min(1, h / outflow)
//! r − 3  update
//! ```

mod constants;
mod cpu;
mod lanes;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod parity;
#[cfg(test)]
mod tests;

use thalweg_compute::{kernel, uniform};

use crate::boundary::{Edge, Edges, first_faces};
pub(crate) use constants::{COLUMNS, GIVEN_AWAY, HALO, OWN_COLUMNS};

uniform! {
    /// Parameters of one step. Levels are relative to the datum.
    pub struct HllcParams {
        /// Cells along x.
        pub nx: u32,
        /// Cells along z.
        pub nz: u32,
        /// Rows that a workgroup updates.
        pub rows: u32,
        /// Size of a cell, m.
        pub cell: f32,
        /// m/s².
        pub gravity: f32,
        /// Depth below which velocities fade, m.
        pub h_eps: f32,
        /// 1 for minmod, 2 for MC.
        pub theta: f32,
        /// g n², for Manning's n.
        pub drag: f32,
        /// 1 if waves run along z too, 0 in a domain one cell thick.
        pub planar: f32,
        /// Kind, span and still level of the four sides.
        pub west_kind: u32, pub west_start: u32, pub west_stop: u32, pub west_rest: f32,
        /// East.
        pub east_kind: u32, pub east_start: u32, pub east_stop: u32, pub east_rest: f32,
        /// South.
        pub south_kind: u32, pub south_start: u32, pub south_stop: u32, pub south_rest: f32,
        /// North.
        pub north_kind: u32, pub north_start: u32, pub north_stop: u32, pub north_rest: f32,
    }
}

impl HllcParams {
    pub(crate) fn set_sides(&mut self, sides: &[Edge; 4]) {
        let [w, e, s, n] = *sides;
        (self.west_kind, self.west_start, self.west_stop, self.west_rest) = (w.kind, w.from, w.to, w.rest);
        (self.east_kind, self.east_start, self.east_stop, self.east_rest) = (e.kind, e.from, e.to, e.rest);
        (self.south_kind, self.south_start, self.south_stop, self.south_rest) = (s.kind, s.from, s.to, s.rest);
        (self.north_kind, self.north_start, self.north_stop, self.north_rest) = (n.kind, n.from, n.to, n.rest);
    }

    pub(crate) fn edges<'a>(&self, values: [f32; 4], levels: &'a [f32]) -> Edges<'a> {
        let edge = |kind, from, to, rest| Edge { kind, from, to, rest };
        Edges {
            nx: self.nx,
            nz: self.nz,
            gravity: self.gravity,
            h_eps: self.h_eps,
            sides: [
                edge(self.west_kind, self.west_start, self.west_stop, self.west_rest),
                edge(self.east_kind, self.east_start, self.east_stop, self.east_rest),
                edge(self.south_kind, self.south_start, self.south_stop, self.south_rest),
                edge(self.north_kind, self.north_start, self.north_stop, self.north_rest),
            ],
            values,
            levels,
            faces: first_faces(self.nx, self.nz),
            shift: 0,
        }
    }

    /// Workgroups along x and z on a GPU.
    pub(crate) fn groups(&self) -> [u32; 3] {
        [self.nx.div_ceil(OWN_COLUMNS), self.nz.div_ceil(self.rows), 1]
    }
}

/// Rows per workgroup: long marches waste fewer halo rows, short ones feed more of a large GPU.
pub(crate) fn rows_per_group(nx: u32, nz: u32) -> u32 {
    const WANTED_GROUPS: u32 = 3072;
    let across = nx.div_ceil(OWN_COLUMNS);
    (nz * across / WANTED_GROUPS).clamp(8, 72).next_multiple_of(8).min(nz.max(1))
}

kernel! {
    /// A step of first order.
    pub struct HllcFirst slices HllcFirstSlices = "shallow.hllc_first" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/hllc.wgsl")), entry: "first_order",
        workgroup: [COLUMNS, 1, 1],
        params: HllcParams,
        cpu: cpu::first_order,
        read state: f32,
        read bed: f32,
        read clock: f32,
        read levels: f32,
        write next: f32,
        write speeds: f32,
        write edges: f32,
    }
}

kernel! {
    /// A step of second order.
    pub struct HllcSecond slices HllcSecondSlices = "shallow.hllc_second" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/hllc.wgsl")), entry: "second_order",
        workgroup: [COLUMNS, 1, 1],
        params: HllcParams,
        cpu: cpu::second_order,
        read state: f32,
        read bed: f32,
        read clock: f32,
        read levels: f32,
        write next: f32,
        write speeds: f32,
        write edges: f32,
    }
}
