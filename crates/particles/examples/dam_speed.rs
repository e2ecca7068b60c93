//! Time of a dam break by stage: `cargo run --release -p thalweg-particles --example dam_speed -- [PARTICLES]
//! [FRAMES]`.

use std::sync::Arc;
use std::time::Instant;

use thalweg_compute::{Cpu, Executor};
use thalweg_particles::{Constraint, DivergenceFree, LiquidParticles, Options, PositionBased, Seed, Setup};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut numbers = std::env::args().skip(1).map(|word| word.parse::<f64>());
    let wanted = numbers.next().transpose()?.unwrap_or(1e5);
    let frames = numbers.next().transpose()?.unwrap_or(15.0) as u32;
    let spacing = (1.0 / wanted).cbrt();
    for threads in [1, 2] {
        for constraint in
            [Constraint::PositionBased(PositionBased::default()), Constraint::DivergenceFree(DivergenceFree::default())]
        {
            let exec = Arc::new(Executor::from(Cpu::with_threads(threads)?));
            let options = Options { constraint, ..Options::default() };
            let seeds = [Seed::lattice([0.0; 3], [1.0; 3])];
            let mut water =
                LiquidParticles::new(Arc::clone(&exec), &Setup::new([3.0, 2.0, 1.0], spacing, &seeds, &options))?;
            for _ in 0..frames / 3 {
                water.advance(1.0 / 30.0)?;
            }
            exec.set_timed(true);
            exec.take_timings()?;
            let (begin, mut substeps) = (Instant::now(), 0);
            for _ in frames / 3..frames {
                water.advance(1.0 / 30.0)?;
                substeps += water.substeps();
            }
            let us = |seconds: f64| 1e6 * seconds / f64::from(substeps) / water.known().count as f64;
            let name = if matches!(constraint, Constraint::PositionBased(_)) { "PBF" } else { "DFSPH" };
            println!(
                "{name}, {} particles, {threads} threads: {:.3} µs per particle and sub-step, {substeps} sub-steps, speed {:.2} m/s, density {:.3}, {:?}",
                water.known().count,
                us(begin.elapsed().as_secs_f64()),
                water.known().speed,
                water.known().density,
                water.report_later()?.wait()?,
            );
            for (stage, time) in exec.take_timings()?.stages() {
                println!("    {stage}: {:.3} µs", us(1e-3 * time.ms));
            }
        }
    }
    Ok(())
}
