//! The spectrum of the tiles at a time.
//!
//! `H(k, t) = h₀(k) e^(−iωt) + conj h₀(−k) e^(+iωt)`. Eight real fields follow from it; two of them make one complex
//! field: `η + i D_xz`, `D_x + i D_z`, `η_x + i η_z`, `D_xx + i D_zz`, with the shift `D = i k/k H` towards the crests.

mod cpu;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod parity;

pub(crate) use crate::constants::evolve::FIELDS;
use thalweg_compute::{kernel, uniform};

uniform! {
    /// The tiles, and a time.
    pub struct EvolveParams {
        /// Points along the side of a tile.
        pub points: u32,
        /// Tiles.
        pub tiles: u32,
        /// The time as a share of the period, in units of 2⁻³².
        pub time: u32,
        /// Wave number of one wave along the first tile, 1/m.
        pub step_0: f32,
        /// The same of the second.
        pub step_1: f32,
        /// The same of the third.
        pub step_2: f32,
        /// The same of the fourth.
        pub step_3: f32,
    }
}

kernel! {
    /// The spectra of all fields of all tiles.
    pub struct Evolve slices EvolveSlices = "waves.evolve" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/evolve.wgsl")), entry: "evolve",
        workgroup: [256, 1, 1],
        params: EvolveParams,
        cpu: cpu::evolve,
        read amplitudes: [f32; 4],
        read turns: u32,
        write fields: [f32; 2],
    }
}
