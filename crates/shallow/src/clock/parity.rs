use thalweg_compute::parity::{Outputs, Rng, Tolerance};
use thalweg_compute::{Dispatch, Executor, Result};

use super::*;
use crate::boundary::kind;
use crate::testing::launch;

pub(super) const EXTENTS: [u32; 6] = [7, 3, 1, 2, 1, 1];

const ONE: Dispatch<'static> = Dispatch::Groups([1, 1, 1]);

pub(super) fn params(speeds: usize, sources: u32) -> ClockParams {
    ClockParams {
        speeds: speeds as u32,
        sources,
        kernels: 2,
        cell: 0.5,
        gravity: 9.81,
        courant: 0.9,
        axes: 2.0,
        max_substeps: 1000.0,
        west_kind: kind::FAR_FIELD,
        east_kind: kind::OUTFLOW,
        south_kind: kind::DISCHARGE,
        north_kind: kind::WALL,
        west_bed: -1.3,
        east_bed: -1.0,
        south_bed: -2.0,
        north_bed: 0.4,
    }
}

/// Ticks with one list of speeds each; the clock and the arguments after every tick.
pub(super) fn ticks(
    exec: &Executor,
    p: &ClockParams,
    frame: f32,
    drivers: &[f32],
    speeds: &[Vec<f32>],
) -> Result<Vec<(Vec<f32>, Vec<u32>)>> {
    let mut words = vec![0.0; word::SOURCE_RATES + p.sources as usize];
    words[word::FRAME] = frame;
    let clock = &exec.buffer_from("test.clock", &words)?;
    let drivers = &exec.buffer_from("test.drivers", drivers)?;
    let extents = &exec.buffer_from("test.extents", &EXTENTS)?;
    let args = &exec.buffer_from("test.args", &[u32::MAX; EXTENTS.len()])?;
    let mut seen = Vec::new();
    for list in speeds {
        let speeds = &exec.buffer_from("test.speeds", list)?;
        launch(exec, &Clock { speeds, drivers, extents, clock, args }, p, ONE)?;
        seen.push((exec.read(clock)?, exec.read(args)?));
    }
    Ok(seen)
}

/// s.
const FRAME: f32 = 0.37;

fn random_speeds(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    for (n, sources) in [(1, 0), (5, 1), (256, 2), (777, 3)] {
        let drivers = rng.f32s((FIXED_DRIVERS + sources) * DRIVER_SAMPLES, -0.2, 0.4);
        let speeds: Vec<_> = (0..5).map(|_| rng.f32s(n, 0.0, 9.0)).collect();
        for (tick, (clock, args)) in
            ticks(exec, &params(n, sources as u32), FRAME, &drivers, &speeds)?.into_iter().enumerate()
        {
            // A handful of roundings; the cube root of a rate is good to 5e-7. The frame's last step is what is left of
            // it.
            let tolerance = Tolerance::Mixed { absolute: 3e-6 * FRAME, relative: 3e-6 };
            out.f32(&format!("clock {tick}, {n} speeds"), clock, tolerance);
            out.u32(&format!("args {tick}, {n} speeds"), args);
        }
    }
    Ok(())
}

thalweg_compute::parity_cases! {
    random_speeds: 6 seeds,
}
