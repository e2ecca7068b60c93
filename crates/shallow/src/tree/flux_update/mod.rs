//! One step of the tiles of a level: the finite volumes of `crate::hllc` inside a tile, and one flux per contact
//! segment between tiles (methods note §4.3).
//!
//! A tile is seen with two cells around it, which come from neighbours of the same size, from larger cells (with their
//! slopes, at the time that is needed) or from smaller ones (their mean, for slopes alone). Where cells of two sizes
//! meet the smaller ones compute the flux, step first, and add up what passed in a register; the larger ones then take
//! the register for their flux. So water and its momentum are passed on exactly, whatever the steps.
//!
//! A tile gives no more water than it has. What it holds back at its edge is told to the neighbour afterwards
//! (`crate::tree::reflux`). Large cells at the border of small ones
//! have no say in what is taken from them, so that the small ones take at most their share of it.

mod constants;
mod cpu;
mod lanes;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod parity;
mod window;

use thalweg_compute::{kernel, uniform};

use crate::boundary::{Edge, Edges, first_faces};

uniform! {
    /// Parameters of the steps of one level. Levels of water are relative to the datum.
    pub struct FluxParams {
        /// Which level.
        pub level: u32,
        /// Levels.
        pub levels: u32,
        /// Finest cells along x.
        pub nx: u32,
        /// Finest cells along z.
        pub nz: u32,
        /// Slots.
        pub capacity: u32,
        /// Sources.
        pub sources: u32,
        /// 1 for the first order, 2 for the second.
        pub order: u32,
        /// Size of a cell of this level, m.
        pub cell: f32,
        /// m/s².
        pub gravity: f32,
        /// Depth below which velocities fade, m.
        pub h_eps: f32,
        /// 1 for minmod, 2 for MC.
        pub theta: f32,
        /// g n², for Manning's n.
        pub drag: f32,
        /// Kind, span in finest cells, still level, width (m) and strength (1/s) of the absorbing layer of the four
        /// sides.
        pub west_kind: u32, pub west_start: u32, pub west_stop: u32, pub west_rest: f32, pub west_layer: f32, pub west_strength: f32,
        /// East.
        pub east_kind: u32, pub east_start: u32, pub east_stop: u32, pub east_rest: f32, pub east_layer: f32, pub east_strength: f32,
        /// South.
        pub south_kind: u32, pub south_start: u32, pub south_stop: u32, pub south_rest: f32, pub south_layer: f32, pub south_strength: f32,
        /// North.
        pub north_kind: u32, pub north_start: u32, pub north_stop: u32, pub north_rest: f32, pub north_layer: f32, pub north_strength: f32,
    }
}

/// Absorbing layer of a side.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Layer {
    /// m.
    pub(crate) width: f32,
    /// 1/s.
    pub(crate) strength: f32,
}

impl FluxParams {
    pub(crate) fn set_side(&mut self, side: usize, e: Edge, layer: Layer) {
        let Layer { width, strength } = layer;
        match side {
            0 => {
                (self.west_kind, self.west_start, self.west_stop, self.west_rest) = (e.kind, e.from, e.to, e.rest);
                (self.west_layer, self.west_strength) = (width, strength);
            }
            1 => {
                (self.east_kind, self.east_start, self.east_stop, self.east_rest) = (e.kind, e.from, e.to, e.rest);
                (self.east_layer, self.east_strength) = (width, strength);
            }
            2 => {
                (self.south_kind, self.south_start, self.south_stop, self.south_rest) = (e.kind, e.from, e.to, e.rest);
                (self.south_layer, self.south_strength) = (width, strength);
            }
            _ => {
                (self.north_kind, self.north_start, self.north_stop, self.north_rest) = (e.kind, e.from, e.to, e.rest);
                (self.north_layer, self.north_strength) = (width, strength);
            }
        }
    }

    /// Finest cells along a cell of this level, as a shift.
    pub(crate) fn shift(&self) -> u32 {
        self.levels - 1 - self.level
    }

    /// The sides as ghost cells of this level see them.
    pub(crate) fn edges<'a>(&self, values: [f32; 4], levels: &'a [f32]) -> Edges<'a> {
        let shift = self.shift();
        let edge =
            |kind, from: u32, to: u32, rest| Edge { kind, from: from >> shift, to: to.div_ceil(1 << shift), rest };
        Edges {
            nx: self.nx >> shift,
            nz: self.nz >> shift,
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
            shift,
        }
    }

    pub(crate) fn layers(&self) -> [Layer; 4] {
        [
            Layer { width: self.west_layer, strength: self.west_strength },
            Layer { width: self.east_layer, strength: self.east_strength },
            Layer { width: self.south_layer, strength: self.south_strength },
            Layer { width: self.north_layer, strength: self.north_strength },
        ]
    }
}

kernel! {
    /// The steps of the tiles of a level, into `out`.
    pub struct FluxUpdate slices FluxSlices = "tree.flux_update" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/flux_update.wgsl")), entry: "flux_update",
        workgroup: [256, 1, 1],
        params: FluxParams,
        cpu: cpu::flux_update,
        read topology: u32,
        read lists: u32,
        read clock: f32,
        read cells: f32,
        read registers: f32,
        read levels: f32,
        write out: f32,
    }
}
