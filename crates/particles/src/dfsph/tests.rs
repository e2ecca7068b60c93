use std::sync::Arc;

use thalweg_compute::parity::own_test_executors;
use thalweg_compute::{Dispatch, Executor};

use super::{Factors, Judge, Push, Rate, solve};
use crate::kernel::lattice_sum_cubic;
use crate::params::StepParams;
use crate::state::CHUNK;
use crate::testing::{Sorted, SortedBuffers, params};

/// A block that flows together from all sides: the mean rate of compression after so many iterations, and the sum of
/// velocities.
fn converging(exec: &Executor, iterations: u32) -> Vec<(f32, [f64; 3])> {
    let free = params(4000);
    let a = f64::from(free.spacing);
    let volume = (a.powi(3) / lattice_sum_cubic(a, f64::from(free.radius))) as f32;
    let p = StepParams { volume, walls: 0, which: solve::DIVERGENCE, tolerance: 1e-9, least: 99, ..free };
    let all: Vec<_> = (0..12 * 12 * 12)
        .map(|n| {
            let at = [n % 12, n / 12 % 12, n / 144].map(|n| (n as f32 + 0.5) * p.spacing + 0.02);
            let [u, v, w] = at.map(|x| 5.0 * (0.32 - x));
            ([at[0], at[1], at[2], 0.0], [u, v, w, 0.0])
        })
        .collect();
    let sorted = Sorted::new(&p, all);
    let count = sorted.places.len();
    let SortedBuffers { extent, starts, cells, places, motions, none } = &sorted.upload(exec).expect("memory");
    let factors = &exec.buffer("factors", count).expect("memory");
    let density = &exec.buffer("density", count).expect("memory");
    let with_kappa = &exec.buffer("with_kappa", count).expect("memory");
    let errors = &exec.buffer("errors", count.div_ceil(CHUNK)).expect("memory");
    let report = &exec.zeros("report", 4).expect("memory");
    let run = || -> thalweg_compute::Result<Vec<(f32, [f64; 3])>> {
        let mut found = Vec::new();
        let extent_words = Dispatch::Elements(count);
        let mut rec = exec.record();
        let kernel = Factors { extent, starts, cells, places, planes: none, drifts: none, factors, density };
        rec.run(&kernel, &p, extent_words)?;
        rec.submit()?;
        for _ in 0..iterations {
            let mut rec = exec.record();
            let kernel = Rate { extent, starts, cells, places, motions, factors, with_kappa, errors };
            rec.run(&kernel, &p, Dispatch::Elements(count))?;
            rec.run(&Judge { errors, extent, report }, &p, Dispatch::Groups([1, 1, 1]))?;
            rec.run(
                &Push { extent, starts, cells, with_kappa, factors, planes: none, drifts: none, motions },
                &p,
                Dispatch::Elements(count),
            )?;
            rec.submit()?;
            let sums = exec.read(motions)?.iter().fold([0.0; 3], |sum, v| [0, 1, 2].map(|k| sum[k] + f64::from(v[k])));
            found.push((exec.read(report)?[0] * p.per_dt, sums));
        }
        Ok(found)
    };
    run().expect("iterations")
}

/// The notes' §4: a field of uniform compression loses it in a few iterations, and no momentum.
#[test]
fn divergence_decays_and_momentum_stays() {
    for exec in own_test_executors() {
        let exec: Arc<Executor> = exec;
        let found = converging(&exec, 9);
        let rates: Vec<f32> = found.iter().map(|(rate, _)| *rate).collect();
        println!("{}: {rates:?}", exec.describe());
        assert!(rates[0] > 5.0 && rates[4] < 0.35 * rates[0] && rates[8] < 0.15 * rates[0], "{rates:?}");
        for (_, sums) in found {
            // 1728 velocities of 1 m/s, each rounded to 6e-8.
            assert!(sums.iter().all(|sum| sum.abs() < 2e-3), "{sums:?}");
        }
    }
}
