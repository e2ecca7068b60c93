//! Random water for kernel tests, and how to run one kernel on it.

use thalweg_compute::parity::{Rng, SENTINEL};
use thalweg_compute::{Buffer, Dispatch, Executor, Kernel, Result};

use crate::boundary::{Edge, kind};
use crate::clock::word;
use crate::hllc::{HllcParams, rows_per_group};
use crate::physics::{depth, inverse_depth, max, signal_speed};

/// Grids that are no multiple of anything: one cell, one row, one column, less and more than a workgroup.
pub(crate) const SIZES: [(u32, u32); 6] = [(1, 1), (1, 9), (41, 1), (2, 3), (131, 19), (263, 37)];

/// What words hold that a kernel leaves alone: nothing that water would be.
pub(crate) const LEFT_ALONE: f32 = -7.25e8;

/// A random scene.
pub(crate) struct Case {
    pub(crate) params: HllcParams,
    pub(crate) bed: Vec<f32>,
    pub(crate) state: Vec<f32>,
    pub(crate) clock: Vec<f32>,
    /// Levels of sides that hold one, by edge face.
    pub(crate) levels: Vec<f32>,
}

/// Islands, dry cells, films and water up to 1.5 m deep that moves at up to 1 m/s; random sides with spans,
/// rain, and a time step of nine tenths of what `courant` allows.
pub(crate) fn case(rng: &mut Rng, (nx, nz): (u32, u32), courant: f32) -> Case {
    let cells = (nx * nz) as usize;
    let mut params: HllcParams = bytemuck::Zeroable::zeroed();
    (params.nx, params.nz, params.rows) = (nx, nz, rows_per_group(nx, nz));
    (params.cell, params.gravity, params.h_eps) = (0.5, 9.81, 5e-4);
    params.theta = rng.range(1.0, 2.0);
    params.drag = if rng.below(2) == 0 { 0.0 } else { 9.81 * 9e-4 };
    params.planar = if nz > 1 { 1.0 } else { 0.0 };
    params.set_sides(&std::array::from_fn(|side| random_side(rng, if side < 2 { nz } else { nx })));

    let mut state = vec![0.0; 3 * cells];
    let bed: Vec<f32> = rng.f32s(cells, -1.2, 0.8);
    let mut fastest = 0.5f32;
    for at in 0..cells {
        let level = match rng.below(8) {
            0 => bed[at],        // dry
            1 => bed[at] + 2e-4, // a film
            _ => 0.1 + rng.range(-0.1, 0.1),
        };
        let (s, z) = (max(level, bed[at]) - max(bed[at], 0.0), bed[at]);
        let h = depth(s, z);
        let (u, w) = (rng.range(-1.0, 1.0), rng.range(-1.0, 1.0) * params.planar);
        (state[at], state[at + cells], state[at + 2 * cells]) = (s, h * u, h * w);
        let fade = h * inverse_depth(h, params.h_eps);
        fastest = max(fastest, signal_speed(params.gravity, h, u * fade, w * fade, params.planar));
    }
    let mut clock = vec![0.0; word::SOURCE_RATES + 2];
    clock[word::DT] = 0.9 * courant * params.cell / fastest;
    clock[word::RAIN_RATE] = if rng.below(2) == 0 { 0.0 } else { 1e-3 };
    clock[word::DITHER] = rng.range(0.0, 1.0);
    for side in 0..4 {
        clock[word::SIDE_VALUES + side] = rng.range(0.05, 0.3);
    }
    let levels = rng.f32s(2 * (nx + nz) as usize, -1.0, 0.6);
    Case { params, bed, state, clock, levels }
}

fn random_side(rng: &mut Rng, length: u32) -> Edge {
    let kind = [kind::WALL, kind::OUTFLOW, kind::FAR_FIELD, kind::DISCHARGE, kind::LEVEL][rng.below(5) as usize];
    let from = rng.below(length);
    let to = from + 1 + rng.below(length - from);
    let (from, to) = if kind == kind::OUTFLOW { (0, length) } else { (from, to) };
    Edge { kind, from, to, rest: 0.1 }
}

/// A buffer of NaNs, every word of which a kernel has to write.
pub(crate) fn unwritten(exec: &Executor, len: usize) -> Result<Buffer<f32>> {
    exec.buffer_from("test.unwritten", &vec![f32::from_bits(SENTINEL); len])
}

/// A buffer at whose end a kernel leaves words alone.
pub(crate) fn left_alone(exec: &Executor, len: usize) -> Result<Buffer<f32>> {
    exec.buffer_from("test.left_alone", &vec![LEFT_ALONE; len])
}

/// Records and submits one kernel.
pub(crate) fn launch<K: Kernel + Sync>(exec: &Executor, kernel: &K, params: &K::Params, by: Dispatch<'_>) -> Result<()>
where
    K::Params: Sync,
{
    let mut rec = exec.record();
    rec.run(kernel, params, by)?;
    rec.submit()
}

/// The largest of a list of speeds; every word must have been written.
pub(crate) fn fastest(speeds: &[f32]) -> f32 {
    assert!(speeds.iter().all(|&s| s >= 0.0), "a speed was not written");
    speeds.iter().fold(0.0, |a, &b| max(b, a))
}

/// Volume of water per area of a cell, m, in f64.
#[cfg(test)]
pub(crate) fn volume(s: &[f32], bed: &[f32]) -> f64 {
    s.iter().zip(bed).map(|(&s, &z)| f64::from(s) - f64::from(z.min(0.0))).sum()
}
