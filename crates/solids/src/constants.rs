//! Numbers on which the processor and kernels agree, by what they are of. Kernels of other crates import them too.

thalweg_wesl::constants! {
    /// Words of a solid in its buffer. What follows from a shape is computed once, on the host, so that both executors
    /// round alike.
    pub(crate) mod word {
        /// Kind of shape.
        pub(crate) const KIND: usize = 0;
        /// Centre, first end or position.
        pub(crate) const A: usize = 1;
        /// Half the edges, second end, or low corner of the grid of distances.
        pub(crate) const B: usize = 4;
        /// Two radii, or the spacing of the grid; 1 for a box that is a part of a body.
        pub(crate) const RADII: usize = 7;
        /// Corners of the bounding box.
        pub(crate) const LOW: usize = 9;
        pub(crate) const HIGH: usize = 12;
        /// First of its distances: a float, even and so exact up to 2²⁵.
        pub(crate) const FIRST: usize = 15;
        /// Quaternion that turned a box or a mesh.
        pub(crate) const TURN: usize = 16;
        /// Velocity, m/s.
        pub(crate) const VELOCITY: usize = 20;
        /// Angular velocity times the edge of a cell, m/s per cell.
        pub(crate) const RATES: usize = 23;
        /// The point that it turns around.
        pub(crate) const CENTRE: usize = 26;
        /// Bricks of distances along every axis.
        pub(crate) const BRICKS: usize = 29;
        /// Of a box that is a part of a body: steepness of its walls, see `crate::packed::share`.
        pub(crate) const STEEPNESS: usize = 29;
        /// How many there are.
        pub(crate) const COUNT: usize = 32;
    }

    /// Kinds of shapes. A cylinder is a cone of equal radii.
    pub(crate) mod kind {
        pub(crate) const BOX: f32 = 0.0;
        pub(crate) const SPHERE: f32 = 1.0;
        pub(crate) const CAPSULE: f32 = 2.0;
        pub(crate) const CONE: f32 = 3.0;
        pub(crate) const MESH: f32 = 4.0;
    }

    /// Bricks of a grid of distances.
    pub(crate) mod brick {
        /// Steps along an edge of a brick; it has a node more.
        pub(crate) const STEPS: usize = 8;
        /// Nodes along an edge of a brick.
        pub(crate) const EDGE: usize = STEPS + 1;
        /// Nodes of a brick.
        pub(crate) const NODES: usize = EDGE * EDGE * EDGE;
        /// Words of a brick in the table: its number among those with nodes, or -1, and the distance of all that has
        /// none.
        pub(crate) const WORDS: usize = 2;
    }
}
