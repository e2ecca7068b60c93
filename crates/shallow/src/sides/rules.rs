//! The level at the faces of one side; a grid says what water stands at its edge.

use super::{HALVINGS, SideParams, UNSET, rule};
use crate::boundary::{first_faces, held};
use crate::physics::{depth, inverse_cbrt, inverse_depth, max, min, surface};

/// Water in a cell at the edge.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EdgeWater {
    /// Surface, m above the datum.
    pub(crate) eta: f32,
    /// Depth, m.
    pub(crate) h: f32,
    /// Bed, m above the datum.
    pub(crate) z: f32,
    /// Velocity outwards, m/s.
    pub(crate) u: f32,
}

impl EdgeWater {
    /// Of a cell with a surface variable and a bed (m), and a discharge across the side (m²/s).
    pub(crate) fn of_cell(p: &SideParams, s: f32, z: f32, discharge: f32) -> Self {
        let h = depth(s, z);
        let u = discharge * inverse_depth(h, p.h_eps);
        Self { eta: surface(s, z), h, z, u: if p.side & 1 == 0 { -u } else { u } }
    }

    /// Depth at which nothing flows: all that moves has become height, (u + 2c)² / 4g, m.
    fn stagnant(&self, g: f32) -> f32 {
        let invariant = max(self.u + 2.0 * (g * max(self.h, 0.0)).sqrt(), 0.0);
        invariant * invariant / (4.0 * g)
    }

    /// What leaves through a metre of the face if the depth beyond is `h`, m²/s. Where that would be less than nothing,
    /// nothing leaves.
    fn outflow(&self, g: f32, h: f32) -> f32 {
        let beyond = held(g, self.h, self.u, min(max(h, 0.0), self.stagnant(g)) - self.h);
        max(beyond.h * beyond.u, 0.0)
    }
}

/// Sets the levels of a side. `value` is the level that its driver gives, `dt` the length of the sub-step, which is 0
/// past the end of the frame.
pub(crate) fn settle(
    p: &SideParams,
    value: f32,
    dt: f32,
    curves: &[f32],
    levels: &mut [f32],
    water: impl Fn(u32) -> EdgeWater,
) {
    if dt <= 0.0 {
        return;
    }
    let (levels, outside) = levels.split_at_mut(2 * (p.nx + p.nz) as usize);
    let first = first_faces(p.nx, p.nz)[p.side as usize];
    let level_of_all = if p.rule == rule::RATING { rated_level(p, curves, &water) } else { value };
    for along in p.start..p.stop {
        let face = (first + along) as usize;
        let w = water(along);
        levels[face] = match p.rule {
            rule::RATING => min(level_of_all, w.z + w.stagnant(p.gravity)),
            rule::NORMAL => normal_level(p, w),
            _ if p.memory > 0.0 => absorbing_level(p, value, dt, w, &mut outside[face]),
            _ => value,
        };
    }
}

/// The water outside stands at the level `value` and moves as the flow through the face has in the mean of the last
/// seconds: waves, which are shorter, meet nothing that they could be thrown back by.
///
/// With the invariants u + 2c of what leaves and u − 2c of what comes the celerity at the face is (u + 2c − (u_out − 2
/// c_out)) / 4.
fn absorbing_level(p: &SideParams, value: f32, dt: f32, w: EdgeWater, outside: &mut f32) -> f32 {
    let g = p.gravity;
    let c = (g * max(w.h, 0.0)).sqrt();
    let rise = max(max(value, w.z) - w.eta, -w.h);
    let c_level = (g * max(w.h + rise, 0.0)).sqrt();
    let gap = 2.0 * g * rise / max(c + c_level, 1e-12); // 2 (c_level − c)
    let strict = max(w.u - gap, -c_level);
    let before = if *outside == UNSET { w.u } else { *outside };
    let now = before + dt / (p.memory + dt) * (strict - before);
    *outside = now;
    let d = max(0.25 * (w.u - now + gap), -c);
    w.eta + d * (2.0 * c + d) / g
}

/// The level at which uniform flow takes what comes.
fn normal_level(p: &SideParams, w: EdgeWater) -> f32 {
    let (mut low, mut high) = (0.0, w.stagnant(p.gravity));
    for _ in 0..HALVINGS {
        let h = 0.5 * (low + high);
        let carried = p.conveyance * h * h * inverse_cbrt(max(h, 1e-12));
        if w.outflow(p.gravity, h) > carried { low = h } else { high = h }
    }
    w.z + 0.5 * (low + high)
}

/// The level at which all faces together let out what the curve says.
fn rated_level(p: &SideParams, curves: &[f32], water: &impl Fn(u32) -> EdgeWater) -> f32 {
    let faces: Vec<EdgeWater> = (p.start..p.stop).map(water).collect();
    let mut low = faces.iter().fold(f32::MAX, |low, w| min(w.z, low));
    let mut high = faces.iter().fold(-f32::MAX, |high, w| max(w.z + w.stagnant(p.gravity), high));
    for _ in 0..HALVINGS {
        let level = 0.5 * (low + high);
        let leaves: f64 = faces.iter().map(|w| f64::from(w.outflow(p.gravity, level - w.z))).sum();
        if p.face * leaves as f32 > rated(p, curves, level) { low = level } else { high = level }
    }
    0.5 * (low + high)
}

/// The curve at a level, m³/s: straight between its points, the first and the last piece go on beyond them.
pub(crate) fn rated(p: &SideParams, curves: &[f32], level: f32) -> f32 {
    let at = |n: u32| {
        let word = 2 * (p.curve_start + n) as usize;
        (curves[word], curves[word + 1])
    };
    let (mut low, mut high) = (0, p.curve_len - 1);
    while high - low > 1 {
        let middle = (low + high) / 2;
        if at(middle).0 <= level { low = middle } else { high = middle }
    }
    let ((l0, q0), (l1, q1)) = (at(low), at(high));
    max(q0 + (q1 - q0) * ((level - l0) / (l1 - l0)), 0.0)
}
