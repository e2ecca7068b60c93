//! The loops over rows. A row of cells, of west faces or of south faces is one task.

use rayon::prelude::*;

use super::limits::OVERSHOOT_STEP;
use super::rules::{
    EdgeFace, Water, between, carried, corrected, depth_limit, edge_flux, edge_velocity, foot, overshoot, payable,
    pushed, shore, water,
};
use super::{AdoptSlices, AdvectSlices, HeightSlices, PredictSlices, VelocitySlices};
use crate::boundary::Edges;
use crate::clock::{NOT_FINITE, word};
use crate::hllc::HllcParams;
use crate::physics::{add_dithered, depth, max, min, signal_speed};

/// Rows of a task, at least: a small grid is not worth waking every thread for.
fn grain(nx: usize) -> usize {
    4096usize.div_ceil(nx)
}

/// Values on the nodes of a grid: one kind of face, or cells.
#[derive(Clone, Copy)]
struct Nodes<'a> {
    values: &'a [f32],
    width: usize,
    height: usize,
}

impl Nodes<'_> {
    fn at(&self, i: usize, k: usize) -> f32 {
        self.values[i + self.width * k]
    }

    /// The four values around a place (dx, dz) cells from a node, and the weights of the upper ones.
    fn around(&self, i: usize, k: usize, dx: f32, dz: f32) -> ([f32; 4], f32, f32) {
        let ((x_step, x_part), (z_step, z_part)) = (foot(dx), foot(dz));
        let node = |n: usize, step: i32, count: usize| n.saturating_add_signed(step as isize).min(count - 1);
        let (i0, i1) = (node(i, x_step, self.width), node(i, x_step + 1, self.width));
        let (k0, k1) = (node(k, z_step, self.height), node(k, z_step + 1, self.height));
        ([self.at(i0, k0), self.at(i1, k0), self.at(i0, k1), self.at(i1, k1)], x_part, z_part)
    }

    fn sample(&self, i: usize, k: usize, dx: f32, dz: f32) -> f32 {
        let ([a, b, c, d], x, z) = self.around(i, k, dx, dz);
        between(between(a, b, x), between(c, d, x), z)
    }
}

/// All faces of the grid.
#[derive(Clone, Copy)]
struct Faces<'a> {
    x: Nodes<'a>,
    z: Nodes<'a>,
}

impl<'a> Faces<'a> {
    fn new(p: &HllcParams, faces: &'a [f32]) -> Self {
        let (nx, nz) = (p.nx as usize, p.nz as usize);
        let (x, z) = faces.split_at((nx + 1) * nz);
        let x = Nodes { values: x, width: nx + 1, height: nz };
        Self { x, z: Nodes { values: z, width: nx, height: nz + 1 } }
    }

    /// Velocity along z at an inner west face.
    fn across_x(&self, i: usize, k: usize) -> f32 {
        0.25 * (self.z.at(i - 1, k) + self.z.at(i, k) + self.z.at(i - 1, k + 1) + self.z.at(i, k + 1))
    }

    /// Velocity along x at an inner south face.
    fn across_z(&self, i: usize, k: usize) -> f32 {
        0.25 * (self.x.at(i, k - 1) + self.x.at(i, k) + self.x.at(i + 1, k - 1) + self.x.at(i + 1, k))
    }
}

/// Sets every face from its place: `x(i, k)` for west faces, `z(i, k)` for south faces.
fn fill_faces(
    p: &HllcParams,
    faces: &mut [f32],
    x: impl Fn(usize, usize) -> f32 + Sync,
    z: impl Fn(usize, usize) -> f32 + Sync,
) {
    let (nx, nz) = (p.nx as usize, p.nz as usize);
    let (x_faces, z_faces) = faces.split_at_mut((nx + 1) * nz);
    let rows = x_faces.par_chunks_mut(nx + 1).with_min_len(grain(nx)).enumerate();
    rows.for_each(|(k, row)| row.iter_mut().enumerate().for_each(|(i, u)| *u = x(i, k)));
    let rows = z_faces.par_chunks_mut(nx).with_min_len(grain(nx)).enumerate();
    rows.for_each(|(k, row)| row.iter_mut().enumerate().for_each(|(i, w)| *w = z(i, k)));
}

/// One row of each plane of a state.
type PlaneRows<'a> = ((&'a mut [f32], &'a mut [f32]), &'a mut [f32]);

/// Cells, sides and time step.
#[derive(Clone, Copy)]
struct Domain<'a> {
    p: &'a HllcParams,
    s: &'a [f32],
    bed: &'a [f32],
    nx: usize,
    nz: usize,
    dt: f32,
    rain: f32,
    dither: f32,
    /// See [`depth_limit`].
    limit: f32,
    edges: Edges<'a>,
}

impl<'a> Domain<'a> {
    fn new(p: &'a HllcParams, s: &'a [f32], bed: &'a [f32], clock: &[f32]) -> Self {
        let values = std::array::from_fn(|side| clock[word::SIDE_VALUES + side]);
        let (nx, nz, dt) = (p.nx as usize, p.nz as usize, clock[word::DT]);
        let (rain, limit) = (clock[word::RAIN_RATE], depth_limit(p, dt));
        Self { p, s, bed, nx, nz, dt, rain, dither: clock[word::DITHER], limit, edges: p.edges(values, &[]) }
    }

    fn cell(&self, i: usize, k: usize) -> Water {
        let at = i + self.nx * k;
        water(self.s[at], self.bed[at])
    }

    fn edge_face(&self, side: usize, along: usize) -> EdgeFace {
        let e = &self.edges;
        EdgeFace::new(&e.sides[side], e.kind_at(side, along as u32), e.values[side], side)
    }

    /// Flux through a west face before anyone runs dry, m²/s.
    fn flux_x(&self, faces: &Faces<'_>, i: usize, k: usize) -> f32 {
        let (u, limit) = (faces.x.at(i, k), self.limit);
        if i > 0 && i < self.nx {
            return carried(u, self.cell(i - 1, k).h, self.cell(i, k).h, limit);
        }
        edge_flux(self.edge_face(usize::from(i > 0), k), self.cell(i.min(self.nx - 1), k), u, limit)
    }

    /// Flux through a south face.
    fn flux_z(&self, faces: &Faces<'_>, i: usize, k: usize) -> f32 {
        if self.p.planar == 0.0 {
            return 0.0;
        }
        let (w, limit) = (faces.z.at(i, k), self.limit);
        if k > 0 && k < self.nz {
            return carried(w, self.cell(i, k - 1).h, self.cell(i, k).h, limit);
        }
        edge_flux(self.edge_face(2 + usize::from(k > 0), i), self.cell(i, k.min(self.nz - 1)), w, limit)
    }

    /// Part of its outflow that a cell can pay for.
    fn share(&self, faces: &Faces<'_>, i: usize, k: usize) -> f32 {
        let ratio = self.dt / self.p.cell;
        let x = max(faces.x.at(i, k).abs(), faces.x.at(i + 1, k).abs());
        let z = max(faces.z.at(i, k).abs(), faces.z.at(i, k + 1).abs());
        if ratio * max(x, z) < 0.24 {
            return 1.0; // four faces take less than all there is
        }
        let x = max(-self.flux_x(faces, i, k), 0.0) + max(self.flux_x(faces, i + 1, k), 0.0);
        let z = max(-self.flux_z(faces, i, k), 0.0) + max(self.flux_z(faces, i, k + 1), 0.0);
        payable(self.cell(i, k).h, ratio * (x + z))
    }

    /// What a cell hands to its neighbours west, east, south and north.
    fn handed(&self, i: usize, k: usize) -> [f32; 4] {
        let here = self.cell(i, k);
        let pair = |low: Water, high: Water| [overshoot(self.p, high, here, low), overshoot(self.p, low, here, high)];
        let inner_x = i > 0 && i + 1 < self.nx;
        let inner_z = k > 0 && k + 1 < self.nz;
        let [west, east] = if inner_x { pair(self.cell(i - 1, k), self.cell(i + 1, k)) } else { [0.0; 2] };
        let [south, north] = if inner_z { pair(self.cell(i, k - 1), self.cell(i, k + 1)) } else { [0.0; 2] };
        [west, east, south, north]
    }

    /// Whether any cell hands water on: rare, and much cheaper to ask than to hand on nothing everywhere.
    fn overshoots(&self) -> bool {
        let step = OVERSHOOT_STEP * self.p.cell;
        let above = |a: Water, b: Water| (a.h > 0.0 && a.eta - b.eta > step) || (b.h > 0.0 && b.eta - a.eta > step);
        (0..self.nz).into_par_iter().with_min_len(grain(self.nx)).any(|k| {
            let here = |i: usize| self.cell(i, k);
            let along_x = (1..self.nx).any(|i| above(here(i - 1), here(i)));
            along_x || (k > 0 && (0..self.nx).any(|i| above(self.cell(i, k - 1), here(i))))
        })
    }

    /// Surface variable of a cell after overshoots were handed on.
    fn levelled(&self, i: usize, k: usize) -> f32 {
        let [west, east, south, north] = self.handed(i, k);
        let given = (west + east) + (south + north);
        let mut taken = 0.0;
        if i > 0 {
            taken += self.handed(i - 1, k)[1];
        }
        if i + 1 < self.nx {
            taken += self.handed(i + 1, k)[0];
        }
        if k > 0 {
            taken += self.handed(i, k - 1)[3];
        }
        if k + 1 < self.nz {
            taken += self.handed(i, k + 1)[2];
        }
        let at = i + self.nx * k;
        max(self.s[at] - given + taken, min(self.bed[at], 0.0))
    }
}

pub(super) fn predict(p: &HllcParams, a: PredictSlices<'_>) {
    let (nx, nz) = (p.nx as usize, p.nz as usize);
    let faces = Faces::new(p, a.faces);
    let ratio = a.clock[word::DT] / p.cell;
    let x = |i: usize, k: usize| {
        let u = faces.x.at(i, k);
        if i == 0 || i == nx { u } else { faces.x.sample(i, k, -ratio * u, -ratio * faces.across_x(i, k)) }
    };
    let z = |i: usize, k: usize| {
        let w = faces.z.at(i, k);
        if k == 0 || k == nz { w } else { faces.z.sample(i, k, -ratio * faces.across_z(i, k), -ratio * w) }
    };
    fill_faces(p, a.predicted, x, z);
}

pub(super) fn advect(p: &HllcParams, a: AdvectSlices<'_>) {
    let d = Domain::new(p, a.state, a.bed, a.clock);
    let (faces, predicted) = (Faces::new(p, a.faces), Faces::new(p, a.predicted));
    let ratio = d.dt / p.cell;
    let inner = |old: Nodes<'_>, traced: Nodes<'_>, i: usize, k: usize, dx: f32, dz: f32| {
        let ([a, b, c, d], ..) = old.around(i, k, -dx, -dz);
        let (low, high) = (min(min(a, b), min(c, d)), max(max(a, b), max(c, d)));
        corrected(old.at(i, k), traced.at(i, k), traced.sample(i, k, dx, dz), low, high)
    };
    let inner_x = |i, k| inner(faces.x, predicted.x, i, k, ratio * faces.x.at(i, k), ratio * faces.across_x(i, k));
    let inner_z = |i, k| inner(faces.z, predicted.z, i, k, ratio * faces.across_z(i, k), ratio * faces.z.at(i, k));
    let x = |i: usize, k: usize| {
        if i > 0 && i < d.nx {
            return inner_x(i, k);
        }
        let inside = if d.nx > 1 { inner_x(i.clamp(1, d.nx - 1), k) } else { faces.x.at(i, k) };
        edge_velocity(p, d.dt, d.edge_face(usize::from(i > 0), k), d.cell(i.min(d.nx - 1), k), inside)
    };
    let z = |i: usize, k: usize| {
        if k > 0 && k < d.nz {
            return inner_z(i, k);
        }
        if p.planar == 0.0 {
            return 0.0;
        }
        let inside = inner_z(i, k.clamp(1, d.nz - 1)); // a planar domain has inner faces
        edge_velocity(p, d.dt, d.edge_face(2 + usize::from(k > 0), i), d.cell(i, k.min(d.nz - 1)), inside)
    };
    fill_faces(p, a.advected, x, z);
}

pub(super) fn height(p: &HllcParams, a: HeightSlices<'_>) {
    let d = Domain::new(p, a.state, a.bed, a.clock);
    let faces = Faces::new(p, a.advected);
    let (nx, nz) = (d.nx, d.nz);
    let share = |i: isize, k: isize| {
        let inside = i >= 0 && k >= 0 && i < nx as isize && k < nz as isize;
        if inside { d.share(&faces, i as usize, k as usize) } else { 1.0 } // what lies outside can always pay
    };
    // Fluxes that their donors can pay for.
    let paid_x = |i: usize, k: usize| {
        let f = d.flux_x(&faces, i, k);
        f * share(i as isize - isize::from(f > 0.0), k as isize)
    };
    let paid_z = |i: usize, k: usize| {
        let f = d.flux_z(&faces, i, k);
        f * share(i as isize, k as isize - isize::from(f > 0.0))
    };
    let ratio = d.dt / p.cell;
    let fill_row = |row: &mut Rows, (k, heights): (usize, &mut [f32])| {
        row.load(nx, k, &paid_x, &paid_z);
        for (i, s) in heights.iter_mut().enumerate() {
            let at = i + nx * k;
            let outflow = ratio * ((row.x[i + 1] - row.x[i]) + (row.north[i] - row.south[i]));
            *s = max(add_dithered(d.s[at], d.dt * d.rain - outflow, d.dither), min(d.bed[at], 0.0));
        }
    };
    let rows = a.heights[..nx * nz].par_chunks_mut(nx).with_min_len(grain(nx)).enumerate();
    rows.for_each_init(Rows::default, fill_row);

    let volume = d.dt * p.cell;
    let (sides, ends) = a.edges.split_at_mut(2 * nz);
    for k in 0..nz {
        sides[k] += volume * paid_x(0, k);
        sides[nz + k] -= volume * paid_x(nx, k);
    }
    for i in 0..nx {
        ends[i] += volume * paid_z(i, 0);
        ends[nx + i] -= volume * paid_z(i, nz);
    }
}

/// Paid fluxes around one row of cells.
#[derive(Default)]
struct Rows {
    x: Vec<f32>,
    south: Vec<f32>,
    north: Vec<f32>,
    /// The row that `north` belongs to: the next row's south.
    last: Option<usize>,
}

impl Rows {
    fn load(&mut self, nx: usize, k: usize, x: &impl Fn(usize, usize) -> f32, z: &impl Fn(usize, usize) -> f32) {
        self.x.clear();
        self.x.extend((0..=nx).map(|i| x(i, k)));
        if k > 0 && self.last == Some(k - 1) {
            std::mem::swap(&mut self.south, &mut self.north);
        } else {
            self.south.clear();
            self.south.extend((0..nx).map(|i| z(i, k)));
        }
        self.north.clear();
        self.north.extend((0..nx).map(|i| z(i, k + 1)));
        self.last = Some(k);
    }
}

pub(super) fn velocity(p: &HllcParams, a: VelocitySlices<'_>) {
    let d = Domain::new(p, a.heights, a.bed, a.clock);
    let advected = Faces::new(p, a.advected);
    let (nx, nz) = (d.nx, d.nz);
    let x = |i: usize, k: usize| {
        let u = advected.x.at(i, k);
        if i == 0 || i == nx {
            return u;
        }
        pushed(p, d.dt, d.rain, u, advected.across_x(i, k), d.cell(i - 1, k), d.cell(i, k))
    };
    let z = |i: usize, k: usize| {
        let w = advected.z.at(i, k);
        if k == 0 || k == nz {
            return w;
        }
        pushed(p, d.dt, d.rain, w, advected.across_z(i, k), d.cell(i, k - 1), d.cell(i, k))
    };
    fill_faces(p, a.faces, x, z);

    let faces = Faces::new(p, a.faces);
    let (s, q) = a.next.split_at_mut(nx * nz);
    let (qx, qz) = q.split_at_mut(nx * nz);
    let overshoots = d.overshoots();
    let rows = s.par_chunks_mut(nx).zip(qx.par_chunks_mut(nx)).zip(qz.par_chunks_mut(nx)).enumerate();
    let fill_row = |(k, ((s, qx), qz)): (usize, PlaneRows<'_>)| {
        let mut fastest = 0.0;
        for i in 0..nx {
            s[i] = if overshoots { d.levelled(i, k) } else { d.s[i + nx * k] };
            let h = depth(s[i], d.bed[i + nx * k]);
            let (west, east) = (faces.x.at(i, k), faces.x.at(i + 1, k));
            let (south, north) = (faces.z.at(i, k), faces.z.at(i, k + 1));
            qx[i] = h * 0.5 * (west + east);
            qz[i] = h * 0.5 * (south + north);
            let (u, w) = (max(west.abs(), east.abs()), max(south.abs(), north.abs()));
            let finite = s[i].is_finite() && (west + east + south + north).is_finite();
            fastest = max(if finite { signal_speed(p.gravity, h, u, w, p.planar) } else { NOT_FINITE }, fastest);
        }
        fastest
    };
    let fastest = rows.with_min_len(grain(nx)).map(fill_row).reduce(|| 0.0, max);
    a.speeds.fill(0.0);
    a.speeds[0] = fastest;
}

pub(super) fn adopt(p: &HllcParams, a: AdoptSlices<'_>) {
    let (nx, nz) = (p.nx as usize, p.nz as usize);
    let own = Faces::new(p, a.own);
    let cell = |i: usize, k: usize| water(a.state[i + nx * k], a.bed[i + nx * k]);
    // What was done to a cell's velocity since its discharge was made of the velocities of its faces.
    let change = |i: usize, k: usize, plane: usize, low: f32, high: f32| {
        let h = cell(i, k).h;
        if h > p.h_eps { a.state[i + nx * k + plane * nx * nz] / h - 0.5 * (low + high) } else { 0.0 }
    };
    let change_x = |i: usize, k: usize| change(i, k, 1, own.x.at(i, k), own.x.at(i + 1, k));
    let change_z = |i: usize, k: usize| change(i, k, 2, own.z.at(i, k), own.z.at(i, k + 1));
    // Changed velocity of an inner face; a shore stays still.
    let adopted = |u: f32, changes: f32, l: Water, r: Water| if shore(p, l, r) { 0.0 } else { u + 0.5 * changes };
    let x = |i: usize, k: usize| {
        let u = own.x.at(i, k);
        if i == 0 || i == nx {
            return u;
        }
        adopted(u, change_x(i - 1, k) + change_x(i, k), cell(i - 1, k), cell(i, k))
    };
    let z = |i: usize, k: usize| {
        let w = own.z.at(i, k);
        if k == 0 || k == nz {
            return w;
        }
        adopted(w, change_z(i, k - 1) + change_z(i, k), cell(i, k - 1), cell(i, k))
    };
    fill_faces(p, a.faces, x, z);
}
