//! The edges of the domain: what lies beyond them, seen as ghost cells.

pub(crate) mod kind;

use crate::physics::{depth, inverse_depth, max, min};
use crate::setup::SIDES;

/// Words of the uniform block that describe one side, see [`edge_params!`].
#[derive(Debug, Clone, Copy)]
pub(crate) struct Edge {
    pub(crate) kind: u32,
    /// First and one past the last cell along the side where the kind holds; a wall elsewhere.
    pub(crate) from: u32,
    pub(crate) to: u32,
    /// Still-water level of a far field, m above the datum.
    pub(crate) rest: f32,
}

/// State of one cell: surface variable, discharges, bed.
#[derive(Clone, Copy)]
pub(crate) struct Cell {
    pub(crate) s: f32,
    pub(crate) qx: f32,
    pub(crate) qz: f32,
    pub(crate) z: f32,
}

/// Fixed parameters of ghost cells.
#[derive(Clone, Copy)]
pub(crate) struct Edges<'a> {
    pub(crate) nx: u32,
    pub(crate) nz: u32,
    pub(crate) gravity: f32,
    pub(crate) h_eps: f32,
    pub(crate) sides: [Edge; SIDES],
    /// Level (m above datum) or discharge (m²/s, inward) of each side now.
    pub(crate) values: [f32; SIDES],
    /// Levels at the edge faces of sides that hold one, m above datum: see `crate::sides`. Empty if no side does.
    pub(crate) levels: &'a [f32],
    /// First word of each side in `levels`.
    pub(crate) faces: [u32; SIDES],
    /// Words of `levels` along one of these cells, as a shift.
    pub(crate) shift: u32,
}

/// First of the edge faces of each side: west and east have `nz`, south and north `nx`.
pub(crate) fn first_faces(nx: u32, nz: u32) -> [u32; SIDES] {
    [0, nz, 2 * nz, 2 * nz + nx]
}

/// Water beyond a side that holds a level.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Held {
    /// Depth, m.
    pub(crate) h: f32,
    /// Velocity outwards, m/s.
    pub(crate) u: f32,
    /// Whether it is another state than that inside: not where water shoots out.
    pub(crate) felt: bool,
}

/// What stands at a face where the depth beyond is `rise` more than that inside, `h_in`, where the water flows out at
/// `u_out`: the state on the outgoing characteristic, u + 2c = const. It lies on both sides of the face, so that the
/// level is held there whether water leaves or enters.
///
/// Shooting water feels a level only if a bore can run up against it; without a level that high water leaves at the
/// critical depth. None enters faster than critical.
pub(crate) fn held(g: f32, h_in: f32, u_out: f32, rise: f32) -> Held {
    let h = max(h_in + rise, 0.0);
    let c_in = (g * max(h_in, 0.0)).sqrt();
    if u_out > c_in && !(rise > 0.0 && 2.0 * u_out * u_out * h_in < g * h * (h + h_in)) {
        return Held { h: h_in, u: u_out, felt: false };
    }
    let c = (g * h).sqrt();
    let critical = (u_out + 2.0 * c_in) / 3.0;
    if c < critical && u_out <= c_in {
        return Held { h: critical * critical / g, u: critical, felt: true };
    }
    // 2 (c_in − c) as a quotient: the difference of two roots would lose what small waves are.
    let u = u_out - 2.0 * g * max(rise, -h_in) / max(c + c_in, 1e-12);
    Held { h, u: min(max(u, -c), c), felt: true }
}

/// What a wall or a one-way side stops and what a discharge side forces, in lanes of fluxes: mass, left, right, tangent.
/// `inward` is 1 where the domain lies after the face along its axis, else −1.
pub(crate) fn enforce<const N: usize>(code: u32, inward: f32, value: f32, flux: &mut [[f32; N]; 4], lane: usize) {
    match code {
        kind::WALL => (flux[0][lane], flux[3][lane]) = (0.0, 0.0),
        kind::OUTFLOW if inward * flux[0][lane] > 0.0 => (flux[0][lane], flux[3][lane]) = (0.0, 0.0),
        kind::DISCHARGE => (flux[0][lane], flux[3][lane]) = (inward * max(value, 0.0), 0.0),
        _ => {}
    }
}

/// Cell that a ghost at `i` mirrors in `0..n`, and the sign of its normal velocity.
fn mirrored(i: i32, n: u32) -> (u32, f32) {
    let period = 2 * n as i32;
    let wrapped = i.rem_euclid(period);
    if wrapped < n as i32 { (wrapped as u32, 1.0) } else { ((period - 1 - wrapped) as u32, -1.0) }
}

/// The edge cell that a place outside `0..n` lies beyond, the cell inside of that, and the distance in cells.
fn beyond(i: i32, n: u32) -> (u32, u32, f32) {
    if i < 0 { (0, 1.min(n - 1), -i as f32) } else { (n - 1, n.max(2) - 2, (i - n as i32 + 1) as f32) }
}

impl Cell {
    /// The edge cell as it would be `away` cells further out: the bed goes on at its slope and the depth
    /// stays, so that a river in balance feels the same slope in its first cell as in all others.
    fn sloping(self, inner_bed: f32, away: f32) -> Self {
        let z = self.z + away * (self.z - inner_bed);
        Self { s: depth(self.s, self.z) + min(z, 0.0), z, ..self }
    }
}

impl Edges<'_> {
    /// The kind that holds at place `along` of a side.
    pub(crate) fn kind_at(&self, side: usize, along: u32) -> u32 {
        let edge = &self.sides[side];
        if along >= edge.from && along < edge.to { edge.kind } else { kind::WALL }
    }

    /// The cell at any integer place: inside the domain as stored, outside as its side says.
    pub(crate) fn cell(&self, at: impl Fn(u32, u32) -> Cell, i: i32, k: i32) -> Cell {
        let (nx, nz) = (self.nx as i32, self.nz as i32);
        let x_side = if i < 0 {
            Some(0)
        } else if i >= nx {
            Some(1)
        } else {
            None
        };
        let z_side = if k < 0 {
            Some(2)
        } else if k >= nz {
            Some(3)
        } else {
            None
        };
        let (mi, sx) = mirrored(i, self.nx);
        let (mk, sz) = mirrored(k, self.nz);
        let wall = |c: Cell| Cell { qx: c.qx * sx, qz: c.qz * sz, ..c };
        match (x_side, z_side) {
            (None, None) => at(i as u32, k as u32),
            // A corner's ghost touches no cell through a face: any finite state does.
            (Some(_), Some(_)) => wall(at(mi, mk)),
            (Some(side), None) => {
                let (edge_i, inner_i, away) = beyond(i, self.nx);
                let near = at(edge_i, k as u32);
                let edge = near.sloping(at(inner_i, k as u32).z, away);
                let inward = if side == 0 { 1.0 } else { -1.0 };
                match self.kind_at(side, k as u32) {
                    kind::WALL => wall(at(mi, mk)),
                    kind::OUTFLOW => edge,
                    kind::LEVEL => {
                        let (s, q, along) = self.level(side, k as u32, near, edge.z, edge.qx * inward);
                        Cell { s, qx: q * inward, qz: edge.qz * along, z: edge.z }
                    }
                    code => {
                        let (s, q) = self.driven(side, code, edge, edge.qx * inward);
                        Cell { s, qx: q * inward, qz: 0.0, z: edge.z }
                    }
                }
            }
            (None, Some(side)) => {
                let (edge_k, inner_k, away) = beyond(k, self.nz);
                let near = at(i as u32, edge_k);
                let edge = near.sloping(at(i as u32, inner_k).z, away);
                let inward = if side == 2 { 1.0 } else { -1.0 };
                match self.kind_at(side, i as u32) {
                    kind::WALL => wall(at(mi, mk)),
                    kind::OUTFLOW => edge,
                    kind::LEVEL => {
                        let (s, q, along) = self.level(side, i as u32, near, edge.z, edge.qz * inward);
                        Cell { s, qx: edge.qx * along, qz: q * inward, z: edge.z }
                    }
                    code => {
                        let (s, q) = self.driven(side, code, edge, edge.qz * inward);
                        Cell { s, qx: 0.0, qz: q * inward, z: edge.z }
                    }
                }
            }
        }
    }

    /// Surface variable, inward discharge and share of the discharge along the side beyond a face that holds a level,
    /// from the edge cell there; `z` is the bed of the ghost.
    fn level(&self, side: usize, along: u32, near: Cell, z: f32, q_inward: f32) -> (f32, f32, f32) {
        let level = self.levels[(self.faces[side] + (along << self.shift)) as usize];
        let h_in = depth(near.s, near.z);
        let inverse = inverse_depth(h_in, self.h_eps);
        let rise = max(level, near.z) - max(near.z, 0.0) - near.s;
        let held = held(self.gravity, h_in, -q_inward * inverse, rise);
        if !held.felt {
            return (h_in + min(z, 0.0), q_inward, 1.0);
        }
        // Water that leaves at the critical depth stands higher than the level.
        let top = if held.h > max(h_in + rise, 0.0) { near.z + held.h } else { level };
        let s = max(top, z) - max(z, 0.0);
        let h = depth(s, z);
        (s, -h * held.u, if held.u > 0.0 { h * inverse } else { 0.0 })
    }

    /// Surface variable and inward discharge beyond a driven side, from its edge cell.
    fn driven(&self, side: usize, code: u32, edge: Cell, q_inward: f32) -> (f32, f32) {
        let g = self.gravity;
        let value = self.values[side];
        if code == kind::FAR_FIELD {
            // A simple wave from still water carries u = 2(c − c0) (Riemann invariant); the Riemann solver
            // at the face lets what leaves the domain pass.
            let h = max(value - edge.z, 0.0);
            let h0 = max(self.sides[side].rest - edge.z, 0.0);
            let u = 2.0 * ((g * h).sqrt() - (g * h0).sqrt());
            return (max(value, edge.z) - max(edge.z, 0.0), h * u);
        }
        // Discharge: q = u h with the invariant u − 2c of the outgoing wave, never supercritical.
        let h_in = depth(edge.s, edge.z);
        let invariant = q_inward * inverse_depth(h_in, self.h_eps) - 2.0 * (g * max(h_in, 0.0)).sqrt();
        let c = discharge_celerity(g, max(value, 0.0), invariant, h_in);
        (c * c / g + min(edge.z, 0.0), value)
    }
}

/// Celerity c with `q g / c² − 2c = invariant` by Newton's method, at least the critical one.
pub(crate) fn discharge_celerity(g: f32, q: f32, invariant: f32, h_in: f32) -> f32 {
    let critical = 1.0 / crate::physics::inverse_cbrt(max(g * q, 1e-18)); // (g q)^(1/3)
    let mut c = max((g * max(h_in, 0.0)).sqrt(), critical);
    for _ in 0..6 {
        let f = g * q / (c * c) - 2.0 * c - invariant;
        let slope = -2.0 * g * q / (c * c * c) - 2.0;
        c = max(c - f / slope, critical);
    }
    c
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mirrors_fold_any_distance_into_any_domain() {
        assert_eq!(mirrored(-1, 5), (0, -1.0));
        assert_eq!(mirrored(-3, 5), (2, -1.0));
        assert_eq!(mirrored(5, 5), (4, -1.0));
        assert_eq!(mirrored(3, 5), (3, 1.0));
        for i in -9..9 {
            assert_eq!(mirrored(i, 1).0, 0, "one cell mirrors itself");
        }
    }

    /// Against the exact solution at a face: both Riemann invariants of still water, a level above and below, critical
    /// outflow, shooting water, dry land.
    #[test]
    fn a_level_is_held_on_the_outgoing_characteristic() {
        let g = 9.81f32;
        let c = |h: f32| (g * h).sqrt();
        assert_eq!(held(g, 2.0, 0.0, 0.0), Held { h: 2.0, u: 0.0, felt: true }, "at rest");
        for (h_in, u, rise) in [(2.0f32, 0.0f32, 0.5f32), (2.0, 0.0, -0.3), (1.0, 1.2, 0.2), (1.0, -0.8, -0.1)] {
            let out = held(g, h_in, u, rise);
            assert_eq!((out.h, out.felt), (h_in + rise, true));
            assert!((out.u + 2.0 * c(out.h) - u - 2.0 * c(h_in)).abs() < 1e-5, "{out:?} from {h_in} m, {u} m/s");
        }
        // The other bank falls away: two thirds of the celerity, 4/9 of the depth.
        let fall = held(g, 1.0, 0.0, -5.0);
        assert!((fall.h - 4.0 / 9.0).abs() < 1e-6 && (fall.u - 2.0 / 3.0 * c(1.0)).abs() < 1e-5, "{fall:?}");
        let dry = held(g, 0.0, 0.0, 0.8);
        assert_eq!((dry.h, dry.u), (0.8, -c(0.8)), "onto dry land water comes at critical speed");
        assert_eq!(held(g, 0.0, 0.0, -1.0).h * held(g, 0.0, 0.0, -1.0).u, 0.0);
        // Twice as fast as waves: the conjugate depth is 2.372 times as large.
        let fast = 2.0 * c(1.0);
        for (rise, felt) in [(-0.5, false), (1.3, false), (1.4, true)] {
            assert_eq!(held(g, 1.0, fast, rise).felt, felt, "{rise}");
        }
    }

    #[test]
    fn discharge_celerity_solves_its_equation() {
        let g = 9.81;
        for (q, h, u) in [(2.0f32, 3.0f32, 0.2f32), (0.5, 0.4, 0.0), (4.0, 2.0, 1.5)] {
            let invariant = u - 2.0 * (g * h).sqrt();
            let c = discharge_celerity(g, q, invariant, h);
            let residual = g * q / (c * c) - 2.0 * c - invariant;
            let critical = (g * q).cbrt();
            assert!(residual.abs() < 1e-4 || (c - critical).abs() < 1e-4, "q {q}: {residual}");
        }
        let c = discharge_celerity(g, 1.0, 0.0, 0.0);
        assert!((c - (g * 1.0f32).cbrt()).abs() < 1e-5, "onto a dry bed water enters at critical depth");
    }
}
