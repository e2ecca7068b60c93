//! What the kernels of a sub-step know: one block of parameters for all of them, so that each number has one name.

use thalweg_compute::uniform;

uniform! {
    /// Parameters of a sub-step. Lengths in m, times in s; densities in units of the density of rest.
    pub struct StepParams {
        /// Slots of particles.
        pub capacity: u32,
        /// Cells of the neighbour grid along x, with one more on each side that stays empty.
        pub cells_x: u32,
        /// The same along y.
        pub cells_y: u32,
        /// The same along z.
        pub cells_z: u32,
        /// One over the edge of a cell, 1/m.
        pub per_cell: f32,
        /// Length of the sub-step.
        pub dt: f32,
        /// One over it.
        pub per_dt: f32,
        /// Acceleration, m/s².
        pub gravity_x: f32,
        /// See `gravity_x`.
        pub gravity_y: f32,
        /// See `gravity_x`.
        pub gravity_z: f32,
        /// The domain along x.
        pub size_x: f32,
        /// See `size_x`.
        pub size_y: f32,
        /// See `size_x`.
        pub size_z: f32,
        /// A bit for each side that is a wall, see `constants::side`.
        pub walls: u32,
        /// Boxes that swallow particles.
        pub drains: u32,
        /// Solids.
        pub solids: u32,
        /// First of their words in this sub-step.
        pub solids_first: u32,
        /// Nodes of the ground along x; 0 without ground.
        pub ground_x: u32,
        /// The same along z.
        pub ground_z: u32,
        /// One over the distance of its nodes, 1/m.
        pub per_ground: f32,
        /// Spacing a of particles at rest.
        pub spacing: f32,
        /// Radius h of the kernel.
        pub radius: f32,
        /// Volume a³ over the lattice sum: m/ρ₀, m³.
        pub volume: f32,
        /// How much farther than they are walls take mass away, so that a lattice half a spacing from one is at rest.
        pub wall_gap: f32,
        /// Coefficient of friction on walls.
        pub friction: f32,
        /// Largest speed.
        pub most_speed: f32,
        /// ε of the denominator of λ, 1/m².
        pub softness: f32,
        /// k of the tensile correction, m².
        pub tension: f32,
        /// Share ω of a correction of places that is applied.
        pub relaxation: f32,
        /// c of XSPH.
        pub smoothing: f32,
        /// Strength ε_v of the vorticity confinement.
        pub vorticity: f32,
        /// Mean error at which an iteration stops, in units of the density of rest.
        pub tolerance: f32,
        /// Iterations that are always made.
        pub least: u32,
        /// Number of the iteration.
        pub iteration: u32,
        /// Which sum a solver works on, see `dfsph`.
        pub which: u32,
        /// Particles that come from sources in this sub-step.
        pub births: u32,
        /// First of them among those of the frame.
        pub births_first: u32,
        /// Number of the first of them.
        pub births_id: u32,
    }
}
