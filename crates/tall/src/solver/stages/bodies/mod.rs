//! Bodies that the pressure moves: one solve for the water and for them.
//!
//! A body closes the share `c` of faces around it and has the velocity `v + ω × r` there, so that the right-hand side
//! of the projection is linear in its six velocities: `b = b₀ + B V`. The pressure gives it the impulse `P = −ρ Δx Bᵀ
//! q`, and `V = V* + M⁻¹ P`. Together:
//!
//! ```text
//! (A + ρ Δx B M⁻¹ Bᵀ) q = b₀ + B V*
//! ```
//!
//! (Batty, Bertails & Bridson 2007). The second matrix has rank six per body, is symmetric and not negative; conjugate
//! gradients multiply by it, and the cycles that precondition leave it out: `Bᵀ A⁻¹ B` is the added mass, so that what
//! they miss are the eigenvalues `1 + m_a/m`, six per body. No added mass is guessed, and however light a body is, it
//! is stable.
//!
//! `q` is the pressure less that of still water under a level (`view/pressures.rs`). The still part is known before the
//! solve: it is what the body displaces cell by cell (`assemble.rs`), and is a part of the first impulse. A body that
//! is wholly under water gets the weight of its volume instead: fractions are known to some hundredths of a cell only,
//! and a body as dense as water would rise or sink.
//!
//! Tall cells end below bodies (`solids/`), and columns get more regular cells for that where they must
//! (`water/more_cells.rs`). Where there is no memory for them, the part of a body in tall cells is not seen: what is
//! above is closed at their tops, and the still part is the weight of all that it displaces.
//!
//! Stages: [`Wet`] finds what each body displaces, [`Assemble`] the rows of `Bᵀ` and what still water does, [`Sides`]
//! the rows of `B`, once per step; [`Total`] adds up per body. [`Press`] multiplies by `Bᵀ` and makes velocities of
//! impulses, [`Carry`] puts them on faces, [`Couple`] multiplies by `B`: an iteration of a solve is [`Press`] and
//! [`Couple`].
//!
//! Bodies go over slots: a cell of one of their items, the columns of their bounding box. [`CHUNK`] slots of a body are
//! a chunk, which a workgroup adds up. The slots of `columns` are cells beside any body, each once.

mod assemble;
pub(crate) mod constants;
mod cpu;
mod faces;
mod floating;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod parity;
#[cfg(test)]
mod tests;
pub(crate) mod word;

pub(crate) use constants::{FRACTIONS, LINK_ROWS, NONE, SIDE_ROWS, STILLS, SUMS, UNDER_WATER};
use thalweg_compute::{kernel, uniform};

pub(crate) use floating::FloatingBodies;
pub use floating::{BodyLoad, FreeBody};

/// Slots of a chunk: as many as a workgroup has lanes.
pub(crate) const CHUNK: usize = thalweg_compute::WORKGROUP as usize;

/// No body, in a pair.
pub(crate) const NOBODY: u32 = 0xffff;

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
    /// velocity, cells filled, columns that end below its top. `items` are body, column, lowest and highest cell; then
    /// chunks: first and one past the last item, slots of an item, first slot.
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
    /// What the pressures of cells do to a body: impulse and its moment per pressure, and sums of what still water
    /// does.
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
