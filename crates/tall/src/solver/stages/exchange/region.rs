//! Where a source adds or takes water. Lengths are in cells from the corner of the domain; twin of region.wesl.

pub(crate) use super::region_kind::{BOX, DISC};

/// The shape of a source.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Region {
    /// Between two corners.
    Box {
        /// Low corner.
        min: [f64; 3],
        /// High corner.
        max: [f64; 3],
    },
    /// A cylinder that stands upright.
    Disc {
        /// Its axis `[x, z]`.
        centre: [f64; 2],
        /// Its radius.
        radius: f64,
        /// From the lowest to the highest point.
        y: [f64; 2],
    },
}

impl Region {
    pub(crate) fn kind(&self) -> u32 {
        match self {
            Self::Box { .. } => BOX,
            Self::Disc { .. } => DISC,
        }
    }

    pub(crate) fn scaled(&self, factor: f64) -> Self {
        match *self {
            Self::Box { min, max } => Self::Box { min: min.map(|x| x * factor), max: max.map(|x| x * factor) },
            Self::Disc { centre, radius, y } => {
                Self::Disc { centre: centre.map(|x| x * factor), radius: radius * factor, y: y.map(|x| x * factor) }
            }
        }
    }

    /// The corners of its bounding box.
    pub(crate) fn corners(&self) -> [[f64; 3]; 2] {
        match *self {
            Self::Box { min, max } => [min, max],
            Self::Disc { centre: [x, z], radius, y } => {
                [[x - radius, y[0], z - radius], [x + radius, y[1], z + radius]]
            }
        }
    }
}

/// Signed distance of a point to a shape with this bounding box, negative inside.
pub(crate) fn distance(kind: u32, low: [f32; 3], high: [f32; 3], point: [f32; 3]) -> f32 {
    let half: [f32; 3] = std::array::from_fn(|axis| 0.5 * (high[axis] - low[axis]));
    let off: [f32; 3] = std::array::from_fn(|axis| point[axis] - 0.5 * (low[axis] + high[axis]));
    let up = off[1].abs() - half[1];
    if kind == DISC {
        let across = (off[0] * off[0] + off[2] * off[2]).sqrt() - half[0];
        return across.max(up).min(0.0) + length([across.max(0.0), up.max(0.0), 0.0]);
    }
    let away = [off[0].abs() - half[0], up, off[2].abs() - half[2]];
    away[0].max(away[1]).max(away[2]).min(0.0) + length(away.map(|d| d.max(0.0)))
}

fn length([x, y, z]: [f32; 3]) -> f32 {
    (x * x + y * y + z * z).sqrt()
}

/// How long a shape is along a unit vector, cells: the way from its back to its front.
pub(crate) fn extent(kind: u32, low: [f32; 3], high: [f32; 3], along: [f32; 3]) -> f32 {
    let size: [f32; 3] = std::array::from_fn(|axis| high[axis] - low[axis]);
    if kind == DISC {
        return size[0] * (along[0] * along[0] + along[2] * along[2]).sqrt() + size[1] * along[1].abs();
    }
    (0..3).map(|axis| size[axis] * along[axis].abs()).sum()
}

#[cfg(test)]
mod tests {
    use super::{BOX, DISC, distance, extent};

    #[test]
    fn distances_of_box_and_cylinder() {
        let (low, high) = ([0.0, 0.0, 0.0], [4.0, 2.0, 4.0]);
        for (point, to_box, to_disc) in [
            ([2.0, 1.0, 2.0], -1.0, -1.0),
            ([5.0, 1.0, 2.0], 1.0, 1.0),
            ([5.0, 3.0, 2.0], 2f32.sqrt(), 2f32.sqrt()),
            ([0.5, 1.0, 2.0], -0.5, -0.5),
            ([4.0, 1.0, 4.0], 0.0, 8f32.sqrt() - 2.0),
        ] {
            assert!((distance(BOX, low, high, point) - to_box).abs() < 1e-6, "{point:?}");
            assert!((distance(DISC, low, high, point) - to_disc).abs() < 1e-6, "{point:?}");
        }
        let slanted = [0.6, 0.8, 0.0];
        assert!((extent(BOX, low, high, slanted) - 4.0).abs() < 1e-6);
        assert!((extent(DISC, low, high, slanted) - 4.0).abs() < 1e-6);
    }
}
