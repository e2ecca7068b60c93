//! Numbers on which the processor and kernels agree, by what they are of.

thalweg_wesl::constants! {
    /// Waves of a tile, see `crate::evolve`.
    pub(crate) mod evolve {
        /// Complex fields of a tile.
        pub(crate) const FIELDS: usize = 4;
        /// Radians of 2⁻³² turns.
        pub(crate) const TURN: f32 = 1.462_918e-9;
    }

    /// Coordinates that drift, see `crate::carry`.
    pub(crate) mod carry {
        /// Layers.
        pub(crate) const LAYERS: usize = 3;
        /// A layer that is stretched this much still counts in full.
        pub(crate) const FAITHFUL: f32 = 1.3;
        /// One that is stretched this much does not count.
        pub(crate) const TORN: f32 = 2.0;
        /// Weights are not divided by less: where all layers are torn the texture fades.
        pub(crate) const LEAST: f32 = 0.3;
    }

    /// Sums at points, see `crate::flatten`.
    pub(crate) mod flatten {
        /// Steps of the inversion.
        pub(crate) const STEPS: u32 = 4;
    }

    /// Transforms, see `crate::fft`.
    pub(crate) mod fft {
        /// Most points of a line.
        pub(crate) const LONGEST: usize = 512;
    }

    /// The surface of a tile, see `crate::surface`.
    pub(crate) mod surface {
        /// Slopes are not divided by less than this: near a fold they would be infinite.
        pub(crate) const LEAST: f32 = 0.2;
    }

    /// Where things lie in [`Ocean::words`](crate::Ocean::words).
    pub mod layout {
        /// Words at the start, before the first tile.
        pub const HEAD: usize = 64;
        /// Words of the head per tile: place of the domain's corner (two), steps per column (two), share of slopes that
        /// no grid holds, mean wavelength in columns, variance of slopes, height per column.
        pub const HEAD_OF_TILE: usize = 16;
        /// Words of a point of a tile: height, slopes along x and z, foam.
        pub const POINT: usize = 4;
        /// Words of a column: offset along x and z in columns and weight, of three layers.
        pub const COLUMN: usize = 9;
    }
}
