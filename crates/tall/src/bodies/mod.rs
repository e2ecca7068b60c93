//! Bodies that the pressure moves: one solve for the water and for them.
//!
//! A body closes the share `c` of faces around it and has the velocity `v + ω × r` there, so that the right-hand side of the projection is
//! linear in its six velocities: `b = b₀ + B V`. The pressure gives it the impulse `P = −ρ Δx Bᵀ q`, and `V = V* + M⁻¹ P`. Together:
//!
//! ```text
//! (A + ρ Δx B M⁻¹ Bᵀ) q = b₀ + B V*
//! ```
//!
//! (Batty, Bertails & Bridson 2007). The second matrix has rank six per body, is symmetric and not negative; conjugate gradients multiply by it,
//! and the cycles that precondition leave it out: `Bᵀ A⁻¹ B` is the added mass, so that what they miss are the eigenvalues `1 + m_a/m`, six per
//! body. No added mass is guessed, and however light a body is, it is stable.
//!
//! `q` is the pressure less that of still water under a level (`gauges.rs`). The still part is known before the solve: it is taken at the
//! wall, which lies where the solid fraction of a cell says, and is a part of the first impulse. A body that is wholly under water gets the weight of
//! its volume instead: walls are known to some hundredths of a cell only, and a body as dense as water would rise or sink. A body that is so deep that the cells beside it
//! are tall is not seen there: it gets the weight of the water that it displaces, and moves the water by its given velocity.
//!
//! Stages: [`Wet`] finds what each body displaces, [`Press`] adds up impulses per column, [`Respond`] makes velocities of them, [`Carry`] puts
//! them on faces, [`Couple`] multiplies a vector by the second matrix.

mod cpu;
mod fleet;
#[cfg(test)]
mod tests;

use thalweg_compute::{kernel, uniform};

pub(crate) use fleet::{Afloat, Fleet};
pub use fleet::{BodyLoad, FreeBody};

/// Words of a body in its buffer. Twin in bodies_faces.wesl.
pub(crate) mod word {
    /// Centre of mass, cells.
    pub(crate) const CENTRE: usize = 0;
    /// Velocity without the water, m/s.
    pub(crate) const FREE_VELOCITY: usize = 3;
    /// Angular velocity without the water times the edge of a cell, m/s per cell.
    pub(crate) const FREE_RATES: usize = 6;
    /// Density of water over the mass along every axis, times Δx².
    pub(crate) const PER_MASS: usize = 9;
    /// Density of water times the inverse of the inertia times Δx⁴, by rows.
    pub(crate) const PER_INERTIA: usize = 12;
    /// First item, and how many: integers as floats, exact up to 2²⁴.
    pub(crate) const FIRST: usize = 21;
    pub(crate) const ITEMS: usize = 22;
    /// Volume over that of the cells of its items.
    pub(crate) const FILL: usize = 23;
    /// What the kernels write: velocity m/s, angular velocity as above, impulse over ρ Δx² and its moment over ρ Δx³ (m²/s).
    pub(crate) const VELOCITY: usize = 24;
    pub(crate) const RATES: usize = 27;
    pub(crate) const IMPULSE: usize = 30;
    pub(crate) const MOMENT: usize = 33;
    /// `p·C p` of this body's part.
    pub(crate) const ENERGY: usize = 36;
    /// Cells displaced, their first moments about the centre; of them in tall cells.
    pub(crate) const DISPLACED: usize = 37;
    pub(crate) const DISPLACED_MOMENT: usize = 38;
    pub(crate) const DEEP: usize = 41;
    /// Cells of water around it, and the sum of their velocities.
    pub(crate) const AROUND: usize = 42;
    pub(crate) const FLOW: usize = 43;
    /// Cells that it fills by their solid fractions, displaced or not.
    pub(crate) const FILLED: usize = 46;
    /// Its volume, cells.
    pub(crate) const VOLUME: usize = 47;
    /// How many there are.
    pub(crate) const COUNT: usize = 48;
}

/// Words that an item adds up.
pub(crate) const SUMS: usize = 10;

/// A body is under water if it displaces this share of what it fills.
pub(crate) const UNDER_WATER: f32 = 0.9999;

uniform! {
    /// The columns and the bodies between them.
    pub struct BodiesParams {
        /// Columns along x.
        pub nx: u32,
        /// Columns along z.
        pub nz: u32,
        /// Samples of a column.
        pub samples: u32,
        /// Samples of all levels.
        pub total: u32,
        /// Columns beside bodies, each body by itself.
        pub items: u32,
        /// Bodies.
        pub bodies: u32,
        /// Columns beside any body.
        pub columns: u32,
        /// What [`Respond`] makes: 0 velocities, 1 their change by a vector, 2 sums of what is displaced.
        pub kind: u32,
        /// Level that still pressures are counted from, cells like centres of cells.
        pub level: f32,
        /// `g Δt Δx`, m²/s per cell; 0 leaves the still part out.
        pub weight: f32,
        /// `Δx`, m.
        pub cell: f32,
        /// Word of the partial sums that the product of a vector with itself is added to.
        pub dot_at: u32,
    }
}

kernel! {
    /// What a column holds of a body: cells displaced and their moments, those in tall cells, water around it and its velocity.
    pub struct Wet slices WetSlices = "tall.bodies_wet" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/bodies_wet.wgsl")), entry: "wet",
        workgroup: [256, 1, 1],
        params: BodiesParams,
        cpu: cpu::wet,
        read heights: [i32; 2],
        read phi: f32,
        read solid: f32,
        read owner: u32,
        read faces: f32,
        read bodies: f32,
        read items: [i32; 4],
        write sums: f32,
    }
}

kernel! {
    /// What the pressures of a column do to a body: impulse and its moment.
    pub struct Press slices PressSlices = "tall.bodies_press" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/bodies_press.wgsl")), entry: "press",
        workgroup: [256, 1, 1],
        params: BodiesParams,
        cpu: cpu::press,
        read heights: [i32; 2],
        read cells: f32,
        read aperture: f32,
        read owner: u32,
        read x: f32,
        read bodies: f32,
        read items: [i32; 4],
        write sums: f32,
    }
}

kernel! {
    /// Adds up the items of every body, a workgroup each, and answers.
    pub struct Respond slices RespondSlices = "tall.bodies_respond" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/bodies_respond.wgsl")), entry: "respond",
        workgroup: [64, 1, 1],
        params: BodiesParams,
        cpu: cpu::respond,
        read sums: f32,
        write bodies: f32,
    }
}

kernel! {
    /// Velocities of bodies on the faces that they close.
    pub struct Carry slices CarrySlices = "tall.bodies_carry" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/bodies_carry.wgsl")), entry: "carry",
        workgroup: [256, 1, 1],
        params: BodiesParams,
        cpu: cpu::carry,
        read heights: [i32; 2],
        read owner: u32,
        read bodies: f32,
        read columns: [i32; 4],
        write velocity: f32,
    }
}

kernel! {
    /// `q −= B V` with the change of velocities that a vector makes, and its product with that vector.
    pub struct Couple slices CoupleSlices = "tall.bodies_couple" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/bodies_couple.wgsl")), entry: "couple",
        workgroup: [256, 1, 1],
        params: BodiesParams,
        cpu: cpu::couple,
        read heights: [i32; 2],
        read cells: f32,
        read aperture: f32,
        read owner: u32,
        read bodies: f32,
        read columns: [i32; 4],
        write q: f32,
        write partials: f32,
    }
}
