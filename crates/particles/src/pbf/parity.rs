use thalweg_compute::parity::{Outputs, Rng, Tolerance};
use thalweg_compute::{Dispatch, Executor, Result};

use super::{Confine, Curl, Lambda, Shift, Smooth, Velocity};
use crate::params::StepParams;
use crate::testing::{Sorted, SortedBuffers, params};

fn iteration(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    let p = StepParams { friction: 0.2, ..params(3000) };
    let sorted = Sorted::random(&p, rng);
    let count = sorted.places.len();
    let b = sorted.upload(exec)?;
    let (with_lambda, density) = (exec.buffer("with_lambda", count)?, exec.buffer("density", count)?);
    let (shifted, motions) = (exec.buffer("shifted", count)?, exec.buffer("motions", count)?);
    let smoothed = exec.buffer("smoothed", count)?;
    let all = || Dispatch::Elements(count);
    let mut rec = exec.record();
    let kernel = Lambda {
        extent: &b.extent,
        starts: &b.starts,
        cells: &b.cells,
        places: &b.places,
        planes: &b.none,
        with_lambda: &with_lambda,
        density: &density,
    };
    rec.run(&kernel, &p, all())?;
    let kernel = Shift {
        extent: &b.extent,
        starts: &b.starts,
        cells: &b.cells,
        with_lambda: &with_lambda,
        planes: &b.none,
        drifts: &b.none,
        origins: &b.places,
        shifted: &shifted,
    };
    rec.run(&kernel, &p, all())?;
    let kernel =
        Velocity { extent: &b.extent, origins: &b.motions, places: &shifted, density: &density, motions: &motions };
    rec.run(&kernel, &p, all())?;
    let kernel = Smooth {
        extent: &b.extent,
        starts: &b.starts,
        cells: &b.cells,
        places: &b.places,
        motions: &motions,
        smoothed: &smoothed,
    };
    rec.run(&kernel, &p, all())?;
    rec.submit()?;
    let with_lambda = exec.read(&with_lambda)?;
    let compressed = with_lambda.iter().filter(|place| place[3] < 0.0).count();
    assert!(compressed > 300 && compressed < count, "{compressed} of {count} are compressed");
    // Thirty positive terms, in another order; places are rounded to 6e-8 m of distances of 0.1 m.
    out.f32("density", exec.read(&density)?, Tolerance::Absolute(1e-5));
    // λ is in m², about 1e-4 for a compression of a tenth; that is known to 1e-5.
    out.f32("lambda", with_lambda.iter().map(|place| place[3]).collect(), Tolerance::Absolute(3e-8));
    out.f32("shifted", exec.read(&shifted)?.concat(), Tolerance::Absolute(2e-6));
    // Clamped to 12 m/s.
    out.f32("motions", exec.read(&motions)?.concat(), Tolerance::Absolute(1e-3));
    out.f32("smoothed", exec.read(&smoothed)?.concat(), Tolerance::Absolute(1e-3));
    Ok(())
}

fn eddies(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    let p = StepParams { vorticity: 0.05, ..params(3000) };
    let mut sorted = Sorted::random(&p, rng);
    for motion in &mut sorted.motions {
        motion[3] = p.volume * rng.range(0.8, 1.2);
    }
    let count = sorted.places.len();
    let SortedBuffers { extent, places, motions, starts, cells, .. } = &sorted.upload(exec)?;
    let (curls, confined) = (&exec.buffer("curls", count)?, &exec.buffer_from("confined", &sorted.motions)?);
    let mut rec = exec.record();
    rec.run(&Curl { extent, starts, cells, places, motions, curls }, &p, Dispatch::Elements(count))?;
    let kernel = Confine { extent, starts, cells, places, motions, curls, confined };
    rec.run(&kernel, &p, Dispatch::Elements(count))?;
    rec.submit()?;
    let changed = exec.read(confined)?.iter().zip(&sorted.motions).filter(|(a, b)| a != b).count();
    assert!(changed > 500, "{changed} velocities");
    // Thirty terms of velocities of 2 m/s over 0.05 m.
    out.f32("curls", exec.read(curls)?.concat(), Tolerance::Absolute(1e-3));
    // A direction, of a vector that may be small, times a curl of up to 80/s and 4e-4 m.
    let confined: Vec<[f32; 4]> = exec.read(confined)?;
    out.most_of_f32("confined", &confined, Tolerance::Absolute(1e-4), 0.005);
    Ok(())
}

thalweg_compute::parity_cases! {
    iteration: 4 seeds,
    eddies: 4 seeds,
}
