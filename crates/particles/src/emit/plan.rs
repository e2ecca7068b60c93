//! Which particles a source lets go in a frame, worked out on the host.

use crate::error::{Result, invalid};

/// A jet of water with a round cross-section. Lengths in m, times in s.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Source {
    /// Middle of the cross-section.
    pub centre: [f64; 3],
    /// Velocity of what comes out, along the normal of the cross-section, m/s.
    pub velocity: [f64; 3],
    /// Radius of the cross-section.
    pub radius: f64,
    /// When it begins and ends.
    pub open: [f64; 2],
}

impl Source {
    /// Volume that comes out, m³/s.
    pub fn rate(&self) -> f64 {
        let [u, v, w] = self.velocity;
        std::f64::consts::PI * self.radius * self.radius * (u * u + v * v + w * w).sqrt()
    }

    /// The lattice of its cross-section, from its middle, in an order in which neighbours do not follow each other.
    fn lattice(&self, spacing: f64) -> Vec<[f64; 3]> {
        let [u, v, w] = self.velocity;
        let speed = (u * u + v * v + w * w).sqrt();
        let n = [u / speed, v / speed, w / speed];
        // The axis that is least along the jet.
        let least = (0..3).min_by(|a, b| n[*a].abs().total_cmp(&n[*b].abs())).unwrap_or_default();
        let mut across = [0.0; 3];
        across[least] = 1.0;
        let along = n[least];
        let across: [f64; 3] = std::array::from_fn(|axis| across[axis] - along * n[axis]);
        let length = across.iter().map(|v| v * v).sum::<f64>().sqrt();
        let s = across.map(|v| v / length);
        let t = [n[1] * s[2] - n[2] * s[1], n[2] * s[0] - n[0] * s[2], n[0] * s[1] - n[1] * s[0]];
        let reach = (self.radius / spacing).ceil() as i32;
        let cells = (-reach..=reach).flat_map(|i| (-reach..=reach).map(move |k| (f64::from(i), f64::from(k))));
        let inside = cells.map(|(i, k)| (i * spacing, k * spacing));
        let inside = inside.filter(|(x, y)| x * x + y * y <= self.radius * self.radius);
        let points: Vec<[f64; 3]> =
            inside.map(|(x, y)| std::array::from_fn(|axis| x * s[axis] + y * t[axis])).collect();
        let stride = (points.len() as f64 * 0.618).round().max(1.0) as usize;
        let stride = (stride..).find(|stride| gcd(*stride, points.len()) == 1).unwrap_or(1);
        (0..points.len()).map(|k| points[k * stride % points.len()]).collect()
    }

    fn check(&self) -> Result<()> {
        let mut numbers = self.centre.iter().chain(&self.velocity).chain([&self.radius, &self.open[0]]);
        if !numbers.all(|v| v.is_finite()) || self.rate() <= 0.0 || self.open[1].is_nan() || self.radius <= 0.0 {
            return invalid("a source needs a finite centre and velocity, a speed and a radius that are positive");
        }
        Ok(())
    }
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// A source and how far it has come.
#[derive(Debug, Clone, PartialEq)]
struct Running {
    source: Source,
    lattice: Vec<[f64; 3]>,
    /// Share of a particle that has come out.
    carried: f64,
    /// Particles let go.
    count: u64,
}

/// The particles of a frame.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Births {
    /// Place and velocity of each.
    pub(crate) born: Vec<[f32; 4]>,
    /// How many come in every sub-step.
    pub(crate) counts: Vec<u32>,
}

/// All sources.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Sources {
    running: Vec<Running>,
    /// Volume of a particle, m³.
    volume: f64,
}

impl Sources {
    pub(crate) fn new(sources: &[Source], spacing: f64) -> Result<Self> {
        let running = sources.iter().map(|source| {
            source.check()?;
            Ok(Running { source: *source, lattice: source.lattice(spacing), carried: 0.0, count: 0 })
        });
        Ok(Self { running: running.collect::<Result<_>>()?, volume: spacing.powi(3) })
    }

    /// What comes in the `substeps` of `dt` from `time` on.
    pub(crate) fn plan(&mut self, time: f64, dt: f64, substeps: u32) -> Births {
        let mut births = Births::default();
        for n in 0..substeps {
            let (begin, before) = (time + f64::from(n) * dt, births.born.len());
            for running in &mut self.running {
                running.step(self.volume, [begin, begin + dt], &mut births.born);
            }
            births.counts.push(((births.born.len() - before) / 2) as u32);
        }
        births
    }

    /// The fastest, m/s.
    pub(crate) fn speed(&self) -> f64 {
        let speeds = self.running.iter().map(|of| of.source.velocity.iter().map(|v| v * v).sum::<f64>().sqrt());
        speeds.fold(0.0, f64::max)
    }

    /// What is carried on, and how many were let go, for snapshots.
    pub(crate) fn saved(&self) -> Vec<(f64, u64)> {
        self.running.iter().map(|of| (of.carried, of.count)).collect()
    }

    pub(crate) fn restore(&mut self, saved: &[(f64, u64)]) {
        for (running, (carried, count)) in self.running.iter_mut().zip(saved) {
            (running.carried, running.count) = (*carried, *count);
        }
    }
}

impl Running {
    fn step(&mut self, volume: f64, [begin, end]: [f64; 2], born: &mut Vec<[f32; 4]>) {
        let [opens, closes] = self.source.open;
        let open = (end.min(closes) - begin.max(opens)).max(0.0);
        let per_second = self.source.rate() / volume;
        let all = self.carried + per_second * open;
        let whole = all.floor();
        self.carried = all - whole;
        let velocity = self.source.velocity;
        for later in (0..whole as u64).rev() {
            // How long ago it came out.
            let age = (self.carried + later as f64) / per_second;
            let across = self.lattice[(self.count % self.lattice.len() as u64) as usize];
            let place: [f64; 3] =
                std::array::from_fn(|axis| self.source.centre[axis] + across[axis] + velocity[axis] * age);
            let as_words = |v: [f64; 3]| [v[0] as f32, v[1] as f32, v[2] as f32, 0.0];
            born.extend([as_words(place), as_words(velocity)]);
            self.count += 1;
        }
    }
}
