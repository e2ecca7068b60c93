//! Numbers on which the processor and kernels agree, by what they are of.

thalweg_wesl::constants! {
    /// The table of the sky.
    pub(crate) mod sky {
        /// Columns and rows of the table.
        pub(crate) const COLUMNS: usize = 48;
        pub(crate) const ROWS: usize = 48;
    }

    /// Height fields, see `crate::heights`.
    pub(crate) mod heights {
        /// Water thinner than this share of a cell is wet ground.
        pub(crate) const FILM: f32 = 4e-3;
        /// On dry ground beside water the surface goes on at its level, but at least so far below the ground, cells.
        pub(crate) const BELOW: f32 = 0.02;
        /// Elsewhere it lies so far below the ground, cells.
        pub(crate) const BURIED: f32 = 4.0;
        /// From the highest water or ground to the top of the block, cells.
        pub(crate) const HEADROOM: f32 = 0.5;
    }

    /// Tiles of columns, see `crate::tiles`.
    pub(crate) mod tiles {
        use super::sky::{COLUMNS, ROWS};
        /// Columns along the side of a tile.
        pub(crate) const TILE: u32 = 8;
        /// Tiles along the side of a wide tile.
        pub(crate) const WIDE: u32 = 4;
        /// Where the bounds of the whole block are: behind the table of the sky, as a kernel has room for eight
        /// buffers.
        pub(crate) const WHOLE: usize = COLUMNS * ROWS;
        /// Where the tiles begin; the wide ones are behind them.
        pub(crate) const FIRST: usize = WHOLE + 1;
    }

    /// Where neighbours differ, see `crate::edges`.
    pub(crate) mod edges {
        /// Pixels along the side of the square that a workgroup sees.
        pub(crate) const SQUARE: u32 = 16;
        /// Difference of mapped luminance between neighbours that asks for more rays where a surface ends.
        pub(crate) const CONTRAST: f32 = 0.03;
        /// Words before the pixels of a list: how many pixels there are, and sums of rays of each.
        pub(crate) const HEAD: usize = 2;
        /// Where in the arguments the workgroups for rays, those for pixels, and the count are.
        pub(crate) const OF_RAYS: usize = 0;
        pub(crate) const OF_PIXELS: usize = 3;
        pub(crate) const COUNT: usize = 6;
        /// Bend of the inverse distance across a pixel, as a share of the largest, beyond which a surface ends. Of a
        /// plane it is 0.
        pub(crate) const BEND: f32 = 0.02;
    }

    /// Drops, see `crate::splat`.
    pub(crate) mod splat {
        /// One drop that fills a pixel.
        pub(crate) const ONE: f32 = 4096.0;
        /// Largest radius of a disc, pixels.
        pub(crate) const LARGEST: f32 = 12.0;
        /// Least radius: smaller drops cover less of a pixel instead.
        pub(crate) const LEAST: f32 = 0.7;
        /// Mist and foam, by the whole part of the last number.
        pub(crate) const MIST: f32 = 1.0;
        pub(crate) const FOAM: f32 = 2.0;
        /// A drop of mist stands for a puff this much wider, and this thin.
        pub(crate) const PUFF: f32 = 8.0;
        pub(crate) const THIN: f32 = 0.06;
        /// A foam particle stands for a patch of bubbles this much wider, and this dense.
        pub(crate) const PATCH: f32 = 2.0;
        pub(crate) const DENSE: f32 = 0.5;
        /// Foam lies on what hides it: it is seen this many cells through.
        pub(crate) const THROUGH: f32 = 0.6;
    }

    /// What the picture shows; `mode` of `crate::trace::TraceParams`.
    pub(crate) mod mode {
        /// Water as one would see it.
        pub(crate) const WATER: u32 = 0;
        /// Cells in a cut.
        pub(crate) const CELLS: u32 = 1;
        /// A field in a cut.
        pub(crate) const FIELD: u32 = 2;
    }

    /// The image of rays.
    pub(crate) mod trace {
        /// No single ray is brighter than this, so that the mean of some has no white dots.
        pub(crate) const BRIGHTEST: f32 = 12.0;
    }

    /// What is where.
    pub(crate) mod scene {
        /// How far a ray may go for every cell that it is above the ground: hills up to 45° are not jumped over.
        pub(crate) const OVER_GROUND: f32 = 0.7;
        /// The same above a height field of water.
        pub(crate) const OVER_WATER: f32 = 0.8;
        /// An obstacle that a ray meets so deep inside is cut by the block, cells.
        pub(crate) const DEEP: f32 = 0.2;
    }

    /// Where a ray meets something.
    pub(crate) mod march {
        /// Most steps of a ray through the block.
        pub(crate) const STEPS: u32 = 160;
        /// A solid this near is met, cells.
        pub(crate) const NEAR: f32 = 0.01;
        /// Shortest and longest step, cells.
        pub(crate) const SHORTEST: f32 = 0.04;
        pub(crate) const LONGEST: f32 = 8.0;
        /// Shortest step to the ground, which is smooth between columns.
        pub(crate) const SHORTEST_TO_GROUND: f32 = 0.25;
        /// What the shortest step grows by on the way: a ray that grazes a surface for long need not feel for every
        /// tenth of a cell.
        pub(crate) const GROWTH: f32 = 0.004;
        /// The same for rays that a rippled surface has bent.
        pub(crate) const GROWTH_BENT: f32 = 0.02;
        /// And for those in the air that it has mirrored, in which one sees no detail.
        pub(crate) const GROWTH_MIRRORED: f32 = 0.2;
        pub(crate) const LARGEST: f32 = 0.5;
        pub(crate) const LARGEST_MIRRORED: f32 = 4.0;
        /// Share of the way to where the surface would be if it came nearer as it has, and at most so many distances
        /// to it.
        pub(crate) const AHEAD: f32 = 0.9;
        pub(crate) const FARTHEST_AHEAD: f32 = 2.5;
        pub(crate) const FARTHEST_TO_GROUND: f32 = 3.0;
        /// Distance to the ground at which a ray has landed, cells.
        pub(crate) const LANDED: f32 = 0.01;
        /// Share of a pixel by which a ray from the eye may miss the sea.
        pub(crate) const MISS: f32 = 0.15;
        /// Distance to the surface that is near enough, cells, and as much again for every hundred cells from the eye.
        pub(crate) const CLOSE: f32 = 2e-4;
        /// Distance to the surface where a ray cannot meet it, cells.
        pub(crate) const FREE: f32 = 1e4;
        /// Most steps of a ray over the sea around the block, and where it ends, cells.
        pub(crate) const SEA_STEPS: u32 = 320;
        pub(crate) const HORIZON: f32 = 2e5;
    }

    /// Waves on the water and beyond the block.
    pub(crate) mod waves {
        /// Columns beyond the block over which its surface becomes that of the sea.
        pub(crate) const BLEND: f32 = 10.0;
        /// Layers of drifting coordinates.
        pub(crate) const LAYERS: usize = 3;
        /// How much foam of the simulated water takes from waves on it.
        pub(crate) const CALMING: f32 = 0.7;
        /// Steepest surface of the sea.
        pub(crate) const STEEPEST: f32 = 0.35;
        /// Slope that a ray over the sea reckons with: short waves are steeper, and low. Where it has gone too far it
        /// goes back.
        pub(crate) const STEEP: f32 = 0.18;
        /// Roughness of the sea at most.
        pub(crate) const ROUGHEST: f32 = 0.25;
    }

    /// What a ray brings to the eye.
    pub(crate) mod shade {
        /// Surfaces that the rays of a pixel cross at most.
        pub(crate) const TURNS: u32 = 12;
        /// Refractive index of water.
        pub(crate) const INDEX: f32 = 1.333;
        /// Width of the sun's image in the ripples that no cell holds.
        pub(crate) const ROUGHNESS: f32 = 0.06;
        /// A ray that brings less is given up.
        pub(crate) const FAINT: f32 = 0.02;
        /// What wet ground keeps of its colour.
        pub(crate) const WET: f32 = 0.55;
        /// Distance by which a ray begins behind the surface that it comes from, cells.
        pub(crate) const BEHIND: f32 = 0.06;
        /// Distance of points that are lit from their surface, cells.
        pub(crate) const ABOVE: f32 = 0.08;
        /// Colour of foam.
        pub(crate) const FOAM: f32 = 0.85;
        /// Distance over which haze takes all but a third of what is seen over the sea, diagonals of the block.
        pub(crate) const HAZE: f32 = 60.0;
    }

    /// Light at a point.
    pub(crate) mod light {
        /// Steps towards the sun.
        pub(crate) const STEPS: u32 = 40;
        /// Shortest step towards the sun, cells.
        pub(crate) const SHORTEST: f32 = 0.4;
        /// Longest; the level set is known no farther.
        pub(crate) const LONGEST: f32 = 4.0;
        /// How far below the lowest surface of a tile a ray looks closer, cells: not right on level water, where a
        /// last bit would decide.
        pub(crate) const BELOW: f32 = 0.2;
        /// Distance from the block within which the sea beside it shades its ground, cells.
        pub(crate) const BEYOND: f32 = 32.0;
        /// How sharp shadows are: the sun's disc would be 200, hazy air and a bright sky soften it.
        pub(crate) const SHARPNESS: f32 = 14.0;
        /// Radiance of a diffuse surface over its irradiance, 1/π.
        pub(crate) const DIFFUSE: f32 = std::f32::consts::FRAC_1_PI;
        /// Share of the light from above that comes back from the ground around.
        pub(crate) const FROM_BELOW: f32 = 0.3;
        /// What a ray bends at the surface, over the way below it: (1 − 1/1.333) of its slope.
        pub(crate) const BENDING: f32 = 0.25;
    }

    /// Tiles that a ray passes.
    pub(crate) mod passed {
        /// Distance to what a tile may hold within which a ray looks closer, cells.
        pub(crate) const MARGIN: f32 = 0.05;
        /// By which a ray goes past the end of a tile, cells.
        pub(crate) const PAST: f32 = 1e-3;
        /// Tiles that are passed at most before a ray looks closer.
        pub(crate) const MOST: u32 = 64;
    }

    /// Obstacles on a ray.
    pub(crate) mod bodies {
        /// Steps of a ray in the box around an obstacle at most, and of one towards the sun past it.
        pub(crate) const STEPS: u32 = 64;
        pub(crate) const SHADE_STEPS: u32 = 24;
        /// Shortest step past an obstacle towards the sun, cells.
        pub(crate) const SHORTEST: f32 = 0.4;
    }

    /// Colours, linear.
    pub(crate) mod colour {
        /// Edges of the block.
        pub(crate) const EDGE: [f32; 3] = [0.12, 0.14, 0.16];
        /// The plane around the block.
        pub(crate) const PLANE: [f32; 3] = [0.62, 0.61, 0.59];
        /// Tops of tall cells, the line of \[000\] Figure 1.
        pub(crate) const TOPS: [f32; 3] = [0.95, 0.32, 0.02];
        /// Water and air in a cut.
        pub(crate) const WET: [f32; 3] = [0.36, 0.62, 0.86];
        pub(crate) const DRY: [f32; 3] = [0.86, 0.88, 0.9];
        /// Five colours of viridis (van der Walt and Smith 2015).
        pub(crate) const SCALE: [[f32; 3]; 5] = [
            [0.0579, 0.0003, 0.0889],
            [0.0437, 0.0844, 0.2582],
            [0.0152, 0.2823, 0.2623],
            [0.1119, 0.5841, 0.1247],
            [0.9832, 0.7991, 0.0185],
        ];
    }

    /// Cuts through the block.
    pub(crate) mod slice {
        /// Half the width of lines between cells, and of the line at the tops of tall cells, cells.
        pub(crate) const LINE: f32 = 0.04;
        pub(crate) const THICK: f32 = 0.14;
    }
}
