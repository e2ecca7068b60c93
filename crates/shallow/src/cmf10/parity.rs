use thalweg_compute::parity::{Outputs, Rng, Tolerance};
use thalweg_compute::{Buffer, Dispatch, Executor, Result};

use super::*;
use crate::testing::{Case, SIZES, case, fastest, launch, unwritten};

/// Water at a Courant number of a half, with random face velocities.
pub(super) fn scene(rng: &mut Rng, size: (u32, u32)) -> (Case, Vec<f32>) {
    let c = case(rng, size, COURANT);
    let (nx, nz) = (size.0 as usize, size.1 as usize);
    let mut faces = rng.f32s(face_count(nx, nz), -1.0, 1.0);
    if nz == 1 {
        faces[(nx + 1) * nz..].fill(0.0);
    }
    (c, faces)
}

/// The inputs of every kernel, on an executor.
struct Inputs {
    state: Buffer<f32>,
    bed: Buffer<f32>,
    clock: Buffer<f32>,
    faces: Buffer<f32>,
}

impl Inputs {
    fn new(exec: &Executor, c: &Case, faces: &[f32]) -> Result<Self> {
        Ok(Self {
            state: exec.buffer_from("test.state", &c.state)?,
            bed: exec.buffer_from("test.bed", &c.bed)?,
            clock: exec.buffer_from("test.clock", &c.clock)?,
            faces: exec.buffer_from("test.faces", faces)?,
        })
    }
}

fn by(c: &Case) -> Dispatch<'static> {
    Dispatch::Groups(groups(c.params.nx, c.params.nz))
}

pub(super) fn predict(exec: &Executor, c: &Case, faces: &[f32]) -> Result<Vec<f32>> {
    let Inputs { clock, faces, .. } = &Inputs::new(exec, c, faces)?;
    let predicted = &unwritten(exec, faces.len())?;
    launch(exec, &Predict { clock, faces, predicted }, &c.params, by(c))?;
    exec.read(predicted)
}

pub(super) fn advect(exec: &Executor, c: &Case, faces: &[f32], predicted: &[f32]) -> Result<Vec<f32>> {
    let Inputs { state, bed, clock, faces } = &Inputs::new(exec, c, faces)?;
    let predicted = &exec.buffer_from("test.predicted", predicted)?;
    let advected = &unwritten(exec, faces.len())?;
    launch(exec, &Advect { state, bed, clock, faces, predicted, advected }, &c.params, by(c))?;
    exec.read(advected)
}

/// Heights and edges.
pub(super) fn height(exec: &Executor, c: &Case, faces: &[f32], entered: &[f32]) -> Result<(Vec<f32>, Vec<f32>)> {
    let Inputs { state, bed, clock, faces: advected } = &Inputs::new(exec, c, faces)?;
    let heights = &unwritten(exec, bed.len())?;
    let edges = &exec.buffer_from("test.edges", entered)?;
    launch(exec, &Height { state, bed, clock, advected, heights, edges }, &c.params, by(c))?;
    Ok((exec.read(heights)?, exec.read(edges)?))
}

/// The new state, faces and the fastest signal.
pub(super) fn velocity(exec: &Executor, c: &Case, faces: &[f32]) -> Result<(Vec<f32>, Vec<f32>, f32)> {
    let Inputs { bed, clock, faces: advected, .. } = &Inputs::new(exec, c, faces)?;
    let heights = &exec.buffer_from("test.heights", &c.state[..c.bed.len()])?;
    let next = &unwritten(exec, c.state.len())?;
    let faces = &unwritten(exec, advected.len())?;
    let [x, y, _] = groups(c.params.nx, c.params.nz);
    let speeds = &unwritten(exec, (x * y) as usize)?;
    launch(exec, &Velocity { heights, bed, clock, advected, next, faces, speeds }, &c.params, by(c))?;
    Ok((exec.read(next)?, exec.read(faces)?, fastest(&exec.read(speeds)?)))
}

pub(super) fn adopt(exec: &Executor, c: &Case, faces: &[f32]) -> Result<Vec<f32>> {
    let Inputs { state, bed, faces: own, .. } = &Inputs::new(exec, c, faces)?;
    let faces = &unwritten(exec, own.len())?;
    launch(exec, &Adopt { state, bed, own, faces }, &c.params, by(c))?;
    exec.read(faces)
}

/// Velocities of up to 2 m/s after a dozen roundings.
const VELOCITY: Tolerance = Tolerance::Absolute(3e-6);

fn predicted(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    for size in SIZES {
        let (c, faces) = scene(rng, size);
        out.f32(&format!("predicted {size:?}"), predict(exec, &c, &faces)?, VELOCITY);
    }
    Ok(())
}

fn advected(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    for size in SIZES {
        let (c, faces) = scene(rng, size);
        let predicted: Vec<f32> = faces.iter().map(|u| u + rng.range(-0.1, 0.1)).collect();
        out.f32(&format!("advected {size:?}"), advect(exec, &c, &faces, &predicted)?, VELOCITY);
    }
    Ok(())
}

fn heights(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    for size in SIZES {
        let (c, faces) = scene(rng, size);
        let entered = rng.f32s(2 * (size.0 + size.1) as usize, -1.0, 1.0);
        let (heights, edges) = height(exec, &c, &faces, &entered)?;
        // Surfaces below 1 m from four fluxes of at most half a cell's depth each.
        out.f32(&format!("heights {size:?}"), heights, Tolerance::Absolute(2e-6));
        out.f32(&format!("edges {size:?}"), edges, Tolerance::Absolute(2e-6));
    }
    Ok(())
}

fn velocities(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    for size in SIZES {
        let (mut c, faces) = scene(rng, size);
        for s in &mut c.state[..c.bed.len()] {
            *s += if rng.below(9) == 0 { 2.5 } else { 0.0 }; // overshoots
        }
        let (next, faces, speed) = velocity(exec, &c, &faces)?;
        // Discharges: velocities of that tolerance times depths up to 4 m.
        out.f32(&format!("next {size:?}"), next, Tolerance::Absolute(2e-5));
        out.f32(&format!("faces {size:?}"), faces, VELOCITY);
        out.f32(&format!("fastest {size:?}"), vec![speed], Tolerance::Relative(3e-6));
    }
    Ok(())
}

fn adopted(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    for size in SIZES {
        let (c, faces) = scene(rng, size);
        out.f32(&format!("faces {size:?}"), adopt(exec, &c, &faces)?, VELOCITY);
    }
    Ok(())
}

thalweg_compute::parity_cases! {
    predicted: 5 seeds,
    advected: 5 seeds,
    heights: 5 seeds,
    velocities: 5 seeds,
    adopted: 5 seeds,
}
