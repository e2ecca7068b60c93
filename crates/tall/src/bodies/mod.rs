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
//! `q` is the pressure less that of still water under a level (`gauges.rs`). The still part is known before the solve: it is what the body displaces cell
//! by cell (`assemble.rs`), and is a part of the first impulse. A body that is wholly under water gets the weight of
//! its volume instead: fractions are known to some hundredths of a cell only, and a body as dense as water would rise or sink.
//!
//! Tall cells end below bodies (`solids/`), and columns get more regular cells for that where they must (`grow.rs`). Where there is no memory
//! for them, the part of a body in tall cells is not seen: what is above is closed at their tops, and the still part is the weight of all that it
//! displaces.
//!
//! Stages: [`Wet`] finds what each body displaces, [`Assemble`] the rows of `Bᵀ` and what still water does, [`Sides`] the rows of `B`, once per
//! step; [`Total`] adds up per body. [`Press`] multiplies by `Bᵀ` and makes velocities of impulses, [`Carry`] puts them on faces, [`Couple`]
//! multiplies by `B`: an iteration of a solve is [`Press`] and [`Couple`].
//!
//! Bodies go over slots: a cell of one of their items, the columns of their bounding box. [`CHUNK`] slots of a body are a chunk, which a
//! workgroup adds up. The slots of `columns` are cells beside any body, each once.

mod assemble;
mod cpu;
mod faces;
mod fleet;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod parity;
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
    /// First chunk, and how many: integers as floats, exact up to 2²⁴.
    pub(crate) const FIRST: usize = 21;
    pub(crate) const CHUNKS: usize = 22;
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
    /// Impulse and moment of still water, in the units of [`IMPULSE`] and [`MOMENT`].
    pub(crate) const STILL_IMPULSE: usize = 48;
    pub(crate) const STILL_MOMENT: usize = 51;
    /// How many there are.
    pub(crate) const COUNT: usize = 54;
}

/// Slots of a chunk: as many as a workgroup has lanes.
pub(crate) const CHUNK: usize = thalweg_compute::WORKGROUP as usize;

/// Words that [`Wet`] adds up in a chunk.
pub(crate) const SUMS: usize = 11;

/// Words that [`Assemble`] adds up in a chunk: still impulse along x and z, its moment; upwards, and the moments of that around x and z.
pub(crate) const STILLS: usize = 8;

/// Rows of a chunk of links: the cell or [`NONE`], bits of its impulse per pressure and of the moment of that.
pub(crate) const LINK_ROWS: usize = 7;

/// Rows of a workgroup of sides: the cell or [`NONE`], its height, pairs of bodies at its lower and upper faces along x, y and z, bits of what they
/// close of the lower faces times −1, and of the upper ones.
pub(crate) const SIDE_ROWS: usize = 11;

/// No cell.
pub(crate) const NONE: u32 = u32::MAX;

/// No body, in a pair.
pub(crate) const NOBODY: u32 = 0xffff;

/// What cells are filled by in all, and the volume of the body, differ by less than this share, unless something else fills
/// some of its cells.
pub(crate) const FRACTIONS: f32 = 0.05;

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
        /// Chunks of all bodies.
        pub chunks: u32,
        /// Bodies.
        pub bodies: u32,
        /// Columns beside any body.
        pub columns: u32,
        /// Slots of each of them.
        pub levels: u32,
        /// What [`Press`] makes: 0 velocities, 1 their change by a vector.
        pub changes: u32,
        /// Level that still pressures are counted from, cells like centres of cells.
        pub level: f32,
        /// `g Δt Δx`, m²/s per cell.
        pub weight: f32,
        /// `Δx`, m.
        pub cell: f32,
        /// Word of the partial sums that the product of a vector with itself is added to.
        pub dot_at: u32,
    }
}

kernel! {
    /// What a chunk holds of a body: cells displaced and their moments, those in tall cells, water around it and its
    /// velocity, cells filled, columns that end below its top.
    /// `items` are body, column, lowest and highest cell; then chunks: first and one past the last item, slots of an item, first slot.
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
    /// What the pressures of cells do to a body: impulse and its moment per pressure, and sums of what still water does.
    pub struct Assemble slices AssembleSlices = "tall.bodies_assemble" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/bodies_assemble.wgsl")), entry: "assemble",
        workgroup: [256, 1, 1],
        params: BodiesParams,
        cpu: assemble::assemble,
        read heights: [i32; 2],
        read cells: f32,
        read aperture: f32,
        read owner: u32,
        read bodies: f32,
        read items: [i32; 4],
        write links: u32,
        write stills: f32,
    }
}

kernel! {
    /// Which bodies close the faces of cells, and how much of them.
    pub struct Sides slices SidesSlices = "tall.bodies_sides" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/bodies_sides.wgsl")), entry: "find_sides",
        workgroup: [256, 1, 1],
        params: BodiesParams,
        cpu: assemble::sides,
        read heights: [i32; 2],
        read cells: f32,
        read aperture: f32,
        read owner: u32,
        read bodies: f32,
        read columns: [i32; 4],
        write sides: u32,
    }
}

kernel! {
    /// Adds up the chunks of every body.
    pub struct Total slices TotalSlices = "tall.bodies_total" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/bodies_total.wgsl")), entry: "total",
        workgroup: [64, 1, 1],
        params: BodiesParams,
        cpu: cpu::total,
        read sums: f32,
        read stills: f32,
        write bodies: f32,
    }
}

kernel! {
    /// What pressures do to every body, a workgroup each: its velocities, or their change and its energy.
    pub struct Press slices PressSlices = "tall.bodies_press" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/bodies_press.wgsl")), entry: "press",
        workgroup: [256, 1, 1],
        params: BodiesParams,
        cpu: cpu::press,
        read links: u32,
        read x: f32,
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
        read sides: u32,
        read bodies: f32,
        write q: f32,
        write partials: f32,
    }
}
