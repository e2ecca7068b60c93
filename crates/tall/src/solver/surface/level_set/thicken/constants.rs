//! What is thin, where particles begin, and how they write.

thalweg_wesl::constants! {
    /// Water is thin where it is no deeper than this, cells.
    pub(crate) const THIN: f32 = 1.5;
    /// Particles write into cells this far outside of them, cells.
    pub(crate) const SKIN: f32 = 1.0;
    /// In the middle of a sheet the level set has no slope; below this square of a difference over two cells it tells
    /// no normal.
    pub(crate) const FLAT: f32 = 0.1;
    /// Units of the keys in a cell, and the distance that stands for 0.
    pub(crate) const UNITS: f32 = 1_048_576.0;
    pub(crate) const FARTHEST: f32 = 8.0;
    /// Where the particles lie on their disc, cells: a sunflower's seeds.
    pub(crate) const DISC: [[f32; 2]; 16] = [
        [0.088388, 0.000000],
        [-0.112886, 0.103413],
        [0.017279, -0.196886],
        [0.142286, 0.185586],
        [-0.261112, -0.046187],
        [0.247348, -0.157342],
        [-0.082733, 0.307763],
        [-0.157781, -0.303797],
        [0.342321, 0.125015],
        [-0.356128, 0.147004],
        [0.171677, -0.366864],
        [0.126865, 0.404466],
        [-0.382373, -0.221593],
        [0.448567, -0.098616],
        [-0.273753, 0.389386],
        [-0.063243, -0.488045],
    ];
}
