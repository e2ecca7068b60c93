//! The rules of one face and one cell of the staggered scheme. `rules.wesl` has the same names.

use super::limits::{DEPTH_LIMIT, DRY, OVERSHOOT_SHARE, OVERSHOOT_STEP, SPEED_LIMIT};
use crate::boundary::{Edge, kind};
use crate::hllc::HllcParams;
use crate::physics::{depth, friction_factor, inverse_cbrt, inverse_depth, max, min, surface};

/// Surface, depth and bed of a cell.
#[derive(Debug, Clone, Copy)]
pub(super) struct Water {
    pub(super) eta: f32,
    pub(super) h: f32,
    pub(super) z: f32,
}

#[inline(always)]
pub(super) fn water(s: f32, z: f32) -> Water {
    Water { eta: surface(s, z), h: depth(s, z), z }
}

/// Where a place `d` cells away (−1 to 1) lies between its two nodes: the lower one and the weight of the upper.
#[inline(always)]
pub(super) fn foot(d: f32) -> (i32, f32) {
    let d = min(max(d, -1.0), 1.0);
    if d < 0.0 { (-1, d + 1.0) } else { (0, d) }
}

/// Linear between two nodes; equal nodes give their own value to the last bit.
#[inline(always)]
pub(super) fn between(a: f32, b: f32, part: f32) -> f32 {
    a + part * (b - a)
}

/// MacCormack's correction of the traced value, or the traced value where that leaves its source's range.
#[inline(always)]
pub(super) fn corrected(old: f32, traced: f32, back: f32, low: f32, high: f32) -> f32 {
    let value = traced + 0.5 * (old - back);
    if value >= low && value <= high { value } else { traced }
}

/// Largest depth that takes part in a flux: waves on it cross at most C cells a step.
#[inline(always)]
pub(super) fn depth_limit(p: &HllcParams, dt: f32) -> f32 {
    DEPTH_LIMIT * p.cell * p.cell / max(p.gravity * dt * dt, 1e-30)
}

/// Flux through an inner face, m²/s: the donor's depth, limited, times the velocity.
#[inline(always)]
pub(super) fn carried(u: f32, left: f32, right: f32, limit: f32) -> f32 {
    u * min(if u > 0.0 { left } else { right }, limit)
}

/// Part of its outflow (m of depth) that a cell can pay for.
#[inline(always)]
pub(super) fn payable(h: f32, outflow: f32) -> f32 {
    if outflow > h { h / outflow } else { 1.0 }
}

#[inline(always)]
pub(super) fn clamped(p: &HllcParams, dt: f32, u: f32) -> f32 {
    let limit = SPEED_LIMIT * p.cell / max(dt, 1e-30);
    min(max(u, -limit), limit)
}

/// Whether the face lies between water and dry land above it.
#[inline(always)]
pub(super) fn shore(p: &HllcParams, l: Water, r: Water) -> bool {
    let dry = DRY * p.cell;
    (l.h <= dry && l.z > r.eta) || (r.h <= dry && r.z > l.eta)
}

/// Velocity of an inner face after a step under gravity, rain and friction.
#[inline(always)]
pub(super) fn pushed(p: &HllcParams, dt: f32, rain: f32, u: f32, across: f32, l: Water, r: Water) -> f32 {
    if shore(p, l, r) {
        return 0.0;
    }
    let mut u = u - dt * p.gravity * (r.eta - l.eta) / p.cell;
    let over_sill = max(max(l.eta, r.eta) - max(l.z, r.z), 1e-12);
    u *= max(1.0 - dt * rain / over_sill, 0.0); // rain brings no momentum
    if p.drag > 0.0 {
        u *= friction_factor(p.drag, dt, over_sill, (u * u + across * across).sqrt());
    }
    let donor = if u > 0.0 { l.h } else { r.h };
    if donor < p.h_eps {
        u *= donor * inverse_depth(donor, p.h_eps); // a film creeps
    }
    clamped(p, dt, u)
}

/// Depth that `here`, high above the water `behind` it, hands to the lower water `ahead`. The published rule
/// drops it instead, and asks depths only: handing on also must not lift `ahead` above `here`. Four
/// neighbours take a quarter of the depth each at most, so the sum needs no cap.
#[inline(always)]
pub(super) fn overshoot(p: &HllcParams, behind: Water, here: Water, ahead: Water) -> f32 {
    let excess = 0.5 * min(here.h - ahead.h, here.eta - ahead.eta);
    if here.eta - behind.eta > OVERSHOOT_STEP * p.cell { OVERSHOOT_SHARE * max(excess, 0.0) } else { 0.0 }
}

/// What acts at one edge face: kind, still level and value of its side, and +1 if inward is along the axis.
#[derive(Debug, Clone, Copy)]
pub(super) struct EdgeFace {
    pub(super) kind: u32,
    pub(super) rest: f32,
    pub(super) value: f32,
    pub(super) inward: f32,
}

impl EdgeFace {
    pub(super) fn new(edge: &Edge, kind: u32, value: f32, side: usize) -> Self {
        Self { kind, rest: edge.rest, value, inward: if side & 1 == 0 { 1.0 } else { -1.0 } }
    }
}

/// Velocity of an edge face beside the cell `c`; `inner` is that of the next face inside.
pub(super) fn edge_velocity(p: &HllcParams, dt: f32, e: EdgeFace, c: Water, inner: f32) -> f32 {
    let g = p.gravity;
    let u = match e.kind {
        kind::WALL => return 0.0,
        kind::OUTFLOW => inner,
        kind::FAR_FIELD => {
            // u_t of a simple wave from still water, and the characteristic that leaves: √(g/h) (η − η_t).
            let h = max(e.value - c.z, 0.0);
            let h0 = max(e.rest - c.z, 0.0);
            let entering = 2.0 * ((g * h).sqrt() - (g * h0).sqrt());
            let impedance = (g / max(max(h, c.h), p.h_eps)).sqrt();
            e.inward * (entering - impedance * (c.eta - max(e.value, c.z)))
        }
        _ => {
            let q = max(e.value, 0.0);
            let critical = 1.0 / inverse_cbrt(max(q * q / g, 1e-18));
            e.inward * q / max(c.h, critical)
        }
    };
    clamped(p, dt, u)
}

/// Flux through an edge face beside the cell `c`, m²/s along the axis.
pub(super) fn edge_flux(e: EdgeFace, c: Water, u: f32, limit: f32) -> f32 {
    match e.kind {
        kind::WALL => 0.0,
        kind::OUTFLOW => u * min(c.h, limit),
        kind::FAR_FIELD => {
            let donor = if u * e.inward > 0.0 { max(e.value - c.z, 0.0) } else { c.h };
            u * min(donor, limit)
        }
        _ => e.inward * max(e.value, 0.0),
    }
}
