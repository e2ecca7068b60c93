use thalweg_compute::parity::{Outputs, Rng, Tolerance};
use thalweg_compute::{Buffer, Dispatch, Executor, Result};

use super::{Accelerate, Factors, Judge, Push, Rate, Travel, Warm, solve};
use crate::constants::extent;
use crate::params::StepParams;
use crate::state::CHUNK;
use crate::testing::{Sorted, SortedBuffers, params};

/// What solvers work on.
struct Solve {
    b: SortedBuffers,
    factors: Buffer<[f32; 8]>,
    density: Buffer<f32>,
    with_kappa: Buffer<[f32; 4]>,
    errors: Buffer<f32>,
}

impl Solve {
    fn new(exec: &Executor, p: &StepParams, sorted: &Sorted) -> Result<Self> {
        let count = sorted.places.len();
        let solve = Self {
            b: sorted.upload(exec)?,
            factors: exec.buffer("factors", count)?,
            density: exec.buffer("density", count)?,
            with_kappa: exec.buffer("with_kappa", count)?,
            errors: exec.buffer("errors", count.div_ceil(CHUNK))?,
        };
        let Self { b, factors, density, .. } = &solve;
        let SortedBuffers { extent, starts, cells, places, none, .. } = b;
        let mut rec = exec.record();
        let kernel = Factors { extent, starts, cells, places, planes: none, drifts: none, factors, density };
        rec.run(&kernel, p, Dispatch::Elements(count))?;
        rec.submit()?;
        Ok(solve)
    }
}

fn factors(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    let p = params(3000);
    let sorted = Sorted::random(&p, rng);
    let solve = Solve::new(exec, &p, &sorted)?;
    let words = exec.read(&solve.factors)?;
    assert!(words.iter().any(|words| words[6] == 1.0) && words.iter().any(|words| words[6] == 0.0));
    out.f32("density", exec.read(&solve.density)?, Tolerance::Absolute(1e-5));
    out.f32("gradients", words.iter().flat_map(|words| words[..4].to_vec()).collect(), Tolerance::Absolute(1e-4));
    // α is one over a sum of thirty squares.
    out.f32("alpha", words.iter().map(|words| words[5]).collect(), Tolerance::Relative(2e-5));
    out.f32("inner", words.iter().map(|words| words[6]).collect(), Tolerance::Exact);
    Ok(())
}

fn iterations(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    let free = params(3000);
    let sorted = Sorted::random(&free, rng);
    let count = sorted.places.len();
    let Solve { b, factors, with_kappa, errors, .. } = &Solve::new(exec, &free, &sorted)?;
    let SortedBuffers { extent: words, starts, cells, places, motions, none } = b;
    let report = exec.zeros("report", 4)?;
    let all = || Dispatch::Elements(count);
    for which in [solve::DIVERGENCE, solve::DENSITY] {
        let p = StepParams { which, tolerance: 1e-9, iteration: 1, ..free };
        let mut rec = exec.record();
        let kernel = Rate { extent: words, starts, cells, places, motions, factors, with_kappa, errors };
        rec.run(&kernel, &p, all())?;
        rec.run(&Judge { errors, extent: words, report: &report }, &p, Dispatch::Groups([1, 1, 1]))?;
        rec.run(
            &Push { extent: words, starts, cells, with_kappa, factors, planes: none, drifts: none, motions },
            &p,
            all(),
        )?;
        rec.submit()?;
        // Speeds of 4 m/s over 0.1 m: rates of about 100/s, of terms that cancel; α is about 1e-3 m².
        let kappas = exec.read(with_kappa)?.iter().map(|place| place[3]).collect();
        out.f32("kappa", kappas, Tolerance::Mixed { absolute: 3e-6, relative: 1e-4 });
        out.f32("errors", exec.read(errors)?, Tolerance::Relative(2e-4));
        out.f32("motions", exec.read(motions)?.concat(), Tolerance::Absolute(1e-3));
    }
    out.f32("report", exec.read(&report)?, Tolerance::Relative(2e-4));
    assert!(exec.read(words)?[extent::SOLVE] > 0, "not yet");
    let mut rec = exec.record();
    let p = StepParams { which: solve::DENSITY, tolerance: 1e9, iteration: 2, least: 3, ..free };
    let judge = Judge { errors, extent: words, report: &report };
    rec.run(&judge, &p, Dispatch::Groups([1, 1, 1]))?;
    rec.submit()?;
    assert!(exec.read(words)?[extent::SOLVE] > 0, "three are always made");
    let mut rec = exec.record();
    rec.run(&judge, &StepParams { iteration: 3, ..p }, Dispatch::Groups([1, 1, 1]))?;
    rec.submit()?;
    let words = exec.read(words)?;
    assert!(words[extent::SOLVE..][..3] == [0; 3] && words[extent::COUNT] as usize == count);
    out.u32("extent", words);
    Ok(())
}

fn motion(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    let p = StepParams { friction: 0.3, most_speed: 3.0, dt: 0.02, per_dt: 50.0, ..params(3000) };
    let sorted = Sorted::random(&p, rng);
    let count = sorted.places.len();
    let SortedBuffers { extent, places, motions, none, .. } = &sorted.upload(exec)?;
    let with_kappa = &exec.buffer("with_kappa", count)?;
    let kappas: Vec<[f32; 4]> = sorted.motions.iter().map(|[u, v, w, _]| [*u, *v, *w, rng.range(0.0, 1e-3)]).collect();
    exec.write(motions, 0, &kappas)?;
    let mut rec = exec.record();
    rec.run(&Accelerate { extent, places, planes: none, drifts: none, motions }, &p, Dispatch::Elements(count))?;
    rec.run(&Warm { extent, places, motions, with_kappa }, &p, Dispatch::Elements(count))?;
    let kernel = Travel { extent, planes: none, drifts: none, places, motions };
    rec.run(&kernel, &p, Dispatch::Elements(count))?;
    rec.submit()?;
    out.f32("kappa", exec.read(with_kappa)?.concat(), Tolerance::Relative(1e-6));
    out.f32("places", exec.read(places)?.concat(), Tolerance::Absolute(1e-6));
    // A velocity that uses up the room before a wall is that room over the step.
    out.f32("motions", exec.read(motions)?.concat(), Tolerance::Absolute(2e-5));
    Ok(())
}

thalweg_compute::parity_cases! {
    factors: 4 seeds,
    iterations: 4 seeds,
    motion: 4 seeds,
}
