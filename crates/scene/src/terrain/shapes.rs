//! Ground given by formulas.

use fastnoise_lite::{FastNoiseLite, FractalType, NoiseType};

use crate::format::{Mode, Shape};

/// A shape, ready to be sampled.
pub(crate) struct Sampler {
    shape: Shape,
    noise: Option<FastNoiseLite>,
    /// Low and high corner of the ground that a part of a channel's path may touch: a cheap look before its distance.
    touched: Vec<[[f64; 2]; 2]>,
}

impl Sampler {
    pub(crate) fn new(shape: Shape) -> Self {
        let noise = match shape {
            Shape::Hills { seed, wavelength, octaves, .. } => {
                let mut noise = FastNoiseLite::with_seed(seed);
                noise.set_noise_type(Some(NoiseType::OpenSimplex2));
                noise.set_fractal_type(Some(FractalType::FBm));
                noise.set_fractal_octaves(Some(octaves as i32));
                noise.set_frequency(Some((1.0 / wavelength) as f32));
                Some(noise)
            }
            _ => None,
        };
        let touched = match &shape {
            Shape::Channel { path, width, bank, .. } => {
                path.windows(2).map(|ends| around(ends[0], ends[1], 0.5 * width + bank)).collect()
            }
            _ => Vec::new(),
        };
        Self { shape, noise, touched }
    }

    /// The ground after this shape, where it was `ground` before, m.
    pub(crate) fn apply(&self, ground: f64, point: [f64; 2]) -> f64 {
        let Some(height) = self.height(point) else { return ground };
        match mode(&self.shape) {
            Mode::Add => ground + height,
            Mode::Max => ground.max(height),
            Mode::Min => ground.min(height),
            Mode::Set => height,
        }
    }

    /// The height of the shape itself, m; `None` outside the part of the ground that it touches.
    fn height(&self, point: [f64; 2]) -> Option<f64> {
        match &self.shape {
            Shape::Plane { height, .. } => Some(*height),
            Shape::Slope { from, to, heights, clamp, .. } => {
                let along = along(*from, *to, point);
                let along = if *clamp { along.clamp(0.0, 1.0) } else { along };
                Some(heights[0] + (heights[1] - heights[0]) * along)
            }
            Shape::Bowl { center, radius, depth, height, .. } => {
                let part = distance(*center, point) / radius;
                Some(height + depth * part * part)
            }
            Shape::Cone { center, base_radius, top_radius, height, .. } => {
                let part = (base_radius - distance(*center, point)) / (base_radius - top_radius);
                (part >= 0.0).then(|| height * part.min(1.0))
            }
            Shape::Hills { amplitude, .. } => {
                let noise = self.noise.as_ref()?;
                Some(amplitude * f64::from(noise.get_noise_2d(point[0], point[1])))
            }
            Shape::Channel { path, width, depth, bank, .. } => {
                let parts = path.windows(2).zip(&self.touched).filter(|(_, touched)| is_in(**touched, point));
                let distances = parts.map(|(ends, _)| distance_to_line(ends[0], ends[1], point));
                let nearest = distances.fold(f64::INFINITY, f64::min);
                let outside = nearest - 0.5 * width;
                if outside <= 0.0 {
                    Some(-depth)
                } else if outside < *bank {
                    Some(-depth * (1.0 - outside / bank))
                } else {
                    None
                }
            }
        }
    }
}

fn mode(shape: &Shape) -> Mode {
    match shape {
        Shape::Plane { mode, .. }
        | Shape::Slope { mode, .. }
        | Shape::Bowl { mode, .. }
        | Shape::Cone { mode, .. }
        | Shape::Hills { mode, .. }
        | Shape::Channel { mode, .. } => *mode,
    }
}

fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}

/// Where a point is along a line: 0 at `from`, 1 at `to`.
fn along(from: [f64; 2], to: [f64; 2], point: [f64; 2]) -> f64 {
    let line = [to[0] - from[0], to[1] - from[1]];
    let offset = [point[0] - from[0], point[1] - from[1]];
    (offset[0] * line[0] + offset[1] * line[1]) / (line[0] * line[0] + line[1] * line[1])
}

/// The rectangle around a line and all that is within a distance of it: low and high corner.
fn around(from: [f64; 2], to: [f64; 2], reach: f64) -> [[f64; 2]; 2] {
    [[0, 1].map(|axis| from[axis].min(to[axis]) - reach), [0, 1].map(|axis| from[axis].max(to[axis]) + reach)]
}

fn is_in([low, high]: [[f64; 2]; 2], [x, z]: [f64; 2]) -> bool {
    x >= low[0] && x <= high[0] && z >= low[1] && z <= high[1]
}

fn distance_to_line(from: [f64; 2], to: [f64; 2], point: [f64; 2]) -> f64 {
    // A line of no length gives 0/0; clamp keeps the NaN, max turns it into its start.
    let along = along(from, to, point).clamp(0.0, 1.0).max(0.0);
    let nearest = [from[0] + along * (to[0] - from[0]), from[1] + along * (to[1] - from[1])];
    distance(nearest, point)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn height(shape: Shape, x: f64, z: f64) -> f64 {
        Sampler::new(shape).apply(0.0, [x, z])
    }

    #[test]
    fn slope_clamps_or_goes_on() {
        let slope =
            |clamp| Shape::Slope { from: [0.0, 0.0], to: [10.0, 0.0], heights: [1.0, 2.0], clamp, mode: Mode::Add };
        assert_eq!(height(slope(true), 5.0, 3.0), 1.5);
        assert_eq!(height(slope(true), 20.0, 0.0), 2.0);
        assert_eq!(height(slope(false), 20.0, 0.0), 3.0);
    }

    #[test]
    fn bowl_is_a_paraboloid() {
        let bowl = || Shape::Bowl { center: [1.0, 1.0], radius: 2.0, depth: 8.0, height: -1.0, mode: Mode::Add };
        assert_eq!(height(bowl(), 1.0, 1.0), -1.0);
        assert_eq!(height(bowl(), 3.0, 1.0), 7.0);
        assert_eq!(height(bowl(), 1.0, 5.0), 31.0);
    }

    #[test]
    fn cone_is_flat_on_top_and_nothing_outside() {
        let cone = |mode| Shape::Cone { center: [0.0, 0.0], base_radius: 3.0, top_radius: 1.0, height: 4.0, mode };
        assert_eq!(height(cone(Mode::Add), 0.5, 0.0), 4.0);
        assert_eq!(height(cone(Mode::Add), 2.0, 0.0), 2.0);
        assert_eq!(Sampler::new(cone(Mode::Set)).apply(7.0, [9.0, 0.0]), 7.0, "outside its base");
        assert_eq!(Sampler::new(cone(Mode::Max)).apply(3.0, [2.0, 0.0]), 3.0);
        assert_eq!(Sampler::new(cone(Mode::Min)).apply(3.0, [2.0, 0.0]), 2.0);
    }

    #[test]
    fn channel_has_a_bottom_and_banks() {
        let channel = || Shape::Channel {
            path: vec![[0.0, 0.0], [0.0, 0.0], [10.0, 0.0], [10.0, 10.0]],
            width: 2.0,
            depth: 3.0,
            bank: 2.0,
            mode: Mode::Add,
        };
        assert_eq!(height(channel(), 5.0, 0.9), -3.0);
        assert_eq!(height(channel(), 5.0, 2.0), -1.5);
        assert_eq!(height(channel(), 5.0, 3.5), 0.0);
        assert_eq!(height(channel(), 10.5, 9.0), -3.0);
    }

    #[test]
    fn hills_are_bounded_and_repeat() {
        let hills = |seed| Shape::Hills { seed, amplitude: 5.0, wavelength: 100.0, octaves: 4, mode: Mode::Add };
        let at = |seed| (0..50).map(|i| height(hills(seed), f64::from(i) * 13.0, 7.0)).collect::<Vec<_>>();
        assert_eq!(at(1), at(1));
        assert_ne!(at(1), at(2));
        assert!(at(1).iter().all(|height| height.abs() <= 5.0) && at(1).iter().any(|height| height.abs() > 0.5));
    }
}
