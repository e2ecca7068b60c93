//! The staggered scheme of Chentanez & Müller-Fischer 2010 (methods note §1): depths in cells, velocities on
//! faces. For gentle open water and for coupling to staggered 3-D grids. Bores and
//! dry fronts run too slow (a dam break of 1 m over 0.1 m: a quarter slower than HLLC's, over dry ground two
//! thirds slower than the exact one), probably as a face ahead of a front is traced back with its own velocity,
//! zero. Floods belong to HLLC.
//!
//! One step, one kernel each:
//!
//! ```text
//! predict   u′: face velocities traced back along the flow (semi-Lagrangian)
//! advect    u″: MacCormack's correction, reverted where it leaves the range of its source; edge faces
//! height    h −= Δt/Δx · div(h̄ u″), h̄ from upwind, limited; a cell gives at most what it has
//! velocity  u = u″ − Δt g ∂η/∂x with the new surface; friction, dry faces, clamp; overshoots; discharges
//! adopt     u += what layers and sources did to the discharges of cells (only if there are any)
//! ```
//!
//! The state keeps its meaning: planes 1 and 2 are `h` times the mean velocity of opposite faces, so whatever
//! reads cells works with either scheme. The velocities themselves are [`Staggered::faces`].
//!
//! **The published depth limiter is not built in.** It takes the excess of a mean of four faces over
//! β Δx/(g Δt) off those faces: that bound is a time, not a depth, and neighbours take different amounts
//! off their common face, so water is made or lost. Here each face is limited by itself, to the
//! stability bound: h̄ ≤ C² Δx²/(g Δt²), C² = 0.45. The clock keeps Δt (Σ|u| + c)/Δx ≤ ½ ([`COURANT`]), below
//! both this limiter and the clamp |u| ≤ ½ Δx/Δt, so that they act only on what speeds up within a step.

mod cpu;
mod limits;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod parity;
mod rules;
#[cfg(test)]
mod tests;

use thalweg_compute::{Buffer, Dispatch, Executor, Recording, fold, kernel};

use crate::error::Result;
use crate::hllc::HllcParams;
use crate::physics::depth;
use crate::plan::Plan;
use crate::step::Buffers;

/// Largest Δt · (sum of signal speeds) / Δx.
pub(crate) const COURANT: f32 = limits::SPEED_LIMIT;

kernel! {
    /// Face velocities traced back along the flow.
    pub struct Predict slices PredictSlices = "shallow.cmf10_predict" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/predict.wgsl")), entry: "predict",
        workgroup: [256, 1, 1],
        params: HllcParams,
        cpu: cpu::predict,
        read clock: f32,
        read faces: f32,
        write predicted: f32,
    }
}

kernel! {
    /// MacCormack's correction of the traced velocities, and the velocities of edge faces.
    pub struct Advect slices AdvectSlices = "shallow.cmf10_advect" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/advect.wgsl")), entry: "advect",
        workgroup: [256, 1, 1],
        params: HllcParams,
        cpu: cpu::advect,
        read state: f32,
        read bed: f32,
        read clock: f32,
        read faces: f32,
        read predicted: f32,
        write advected: f32,
    }
}

kernel! {
    /// The new surface variable from the fluxes through faces; counts what crosses edges.
    pub struct Height slices HeightSlices = "shallow.cmf10_height" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/height.wgsl")), entry: "height",
        workgroup: [256, 1, 1],
        params: HllcParams,
        cpu: cpu::height,
        read state: f32,
        read bed: f32,
        read clock: f32,
        read advected: f32,
        write heights: f32,
        write edges: f32,
    }
}

kernel! {
    /// New face velocities, overshoot reduction, cell discharges, fastest signal.
    pub struct Velocity slices VelocitySlices = "shallow.cmf10_velocity" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/velocity.wgsl")), entry: "velocity",
        workgroup: [256, 1, 1],
        params: HllcParams,
        cpu: cpu::velocity,
        read heights: f32,
        read bed: f32,
        read clock: f32,
        read advected: f32,
        write next: f32,
        write faces: f32,
        write speeds: f32,
    }
}

kernel! {
    /// Hands changes of cell discharges, made by layers and sources, on to the faces.
    pub struct Adopt slices AdoptSlices = "shallow.cmf10_adopt" {
        shader: include_str!(concat!(env!("OUT_DIR"), "/adopt.wgsl")), entry: "adopt",
        workgroup: [256, 1, 1],
        params: HllcParams,
        cpu: cpu::adopt,
        read state: f32,
        read bed: f32,
        read own: f32,
        write faces: f32,
    }
}

/// Memory of this scheme. Faces are ordered west faces of all rows (nx + 1 each), then south faces of all
/// rows (nx each) and the north faces of the last.
#[derive(Debug)]
pub(crate) struct Staggered {
    /// Normal velocity of every face, m/s.
    pub(crate) faces: Buffer<f32>,
    predicted: Buffer<f32>,
    advected: Buffer<f32>,
    /// Surface variable before overshoots are reduced, m.
    heights: Buffer<f32>,
}

impl Staggered {
    /// Memory with the face velocities of a state.
    pub(crate) fn new(exec: &Executor, p: &HllcParams, bed: &[f32], state: &[f32]) -> Result<Self> {
        let count = face_count(p.nx as usize, p.nz as usize);
        Ok(Self {
            faces: exec.buffer_from("shallow.faces", &initial_faces(p, bed, state))?,
            predicted: exec.buffer("shallow.predicted", count)?,
            advected: exec.buffer("shallow.advected", count)?,
            heights: exec.buffer("shallow.heights", bed.len())?,
        })
    }
}

fn face_count(nx: usize, nz: usize) -> usize {
    (nx + 1) * nz + nx * (nz + 1)
}

/// Workgroups of every kernel here: one invocation per corner of the grid, which owns the faces and the
/// cell east and north of it.
pub(crate) fn groups(nx: u32, nz: u32) -> [u32; 3] {
    let corners = (u64::from(nx) + 1) * (u64::from(nz) + 1);
    fold(corners.div_ceil(256)).expect("a grid has far fewer than 2^40 corners")
}

/// Face velocities that carry the momentum of the cells beside them; walls and dry faces stand still.
fn initial_faces(p: &HllcParams, bed: &[f32], state: &[f32]) -> Vec<f32> {
    let (nx, nz, cells) = (p.nx as usize, p.nz as usize, bed.len());
    let between = |a: usize, b: usize, plane: usize| {
        let h = depth(state[a], bed[a]) + depth(state[b], bed[b]);
        if h > p.h_eps { (state[a + plane] + state[b + plane]) / h } else { 0.0 }
    };
    let mut faces = vec![0.0; face_count(nx, nz)];
    let (x_faces, z_faces) = faces.split_at_mut((nx + 1) * nz);
    for k in 0..nz {
        for i in 0..nx {
            let at = i + nx * k;
            if i > 0 {
                x_faces[i + (nx + 1) * k] = between(at - 1, at, cells);
            }
            if k > 0 {
                z_faces[at] = between(at - nx, at, 2 * cells);
            }
        }
    }
    faces
}

/// The scheme's own stages of a sub-step, before layers and sources.
pub(crate) fn substep(
    rec: &mut Recording<'_>,
    plan: &Plan,
    b: &Buffers,
    m: &Staggered,
    from: usize,
    extent: Dispatch<'_>,
) -> Result<()> {
    let (state, next) = (&b.state[from], &b.state[1 - from]);
    let Buffers { clock, bed, edges, speeds, .. } = b;
    let Staggered { faces, predicted, advected, heights } = m;
    rec.stage("advect");
    rec.run(&Predict { clock, faces, predicted }, &plan.hllc, extent)?;
    rec.run(&Advect { state, bed, clock, faces, predicted, advected }, &plan.hllc, extent)?;
    rec.stage("height");
    rec.run(&Height { state, bed, clock, advected, heights, edges }, &plan.hllc, extent)?;
    rec.stage("velocity");
    // `adopt` reads the velocities that the discharges were made of, and `predicted` is free by now.
    let faces = if plan.changes_cells() { predicted } else { faces };
    rec.run(&Velocity { heights, bed, clock, advected, next, faces, speeds }, &plan.hllc, extent)?;
    Ok(())
}

/// The stage after layers and sources changed cells of `state`.
pub(crate) fn adopt(
    rec: &mut Recording<'_>,
    plan: &Plan,
    b: &Buffers,
    m: &Staggered,
    state: &Buffer<f32>,
    extent: Dispatch<'_>,
) -> Result<()> {
    rec.stage("adopt");
    rec.run(&Adopt { state, bed: &b.bed, own: &m.predicted, faces: &m.faces }, &plan.hllc, extent)?;
    Ok(())
}
