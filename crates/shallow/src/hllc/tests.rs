use thalweg_compute::parity::{Rng, Tolerance, assert_parity, test_executors};
use thalweg_compute::{Dispatch, Executor, Result};

use super::*;
use crate::clock::word;
use crate::testing::{Case, SENTINEL, SIZES, case, fastest, launch, unwritten, volume};

/// One step: the new state, volumes through edge faces, the fastest signal.
fn step(exec: &Executor, c: &Case, second: bool, booked: &[f32]) -> Result<(Vec<f32>, Vec<f32>, f32)> {
    let state = &exec.buffer_from("test.state", &c.state)?;
    let bed = &exec.buffer_from("test.bed", &c.bed)?;
    let clock = &exec.buffer_from("test.clock", &c.clock)?;
    let edges = &exec.buffer_from("test.edges", booked)?;
    let groups = c.params.groups();
    let next = &unwritten(exec, c.state.len())?;
    let speeds = &unwritten(exec, (groups[0] * groups[1]) as usize)?;
    let by = Dispatch::Groups(groups);
    if second {
        launch(exec, &HllcSecond { state, bed, clock, next, speeds, edges }, &c.params, by)?;
    } else {
        launch(exec, &HllcFirst { state, bed, clock, next, speeds, edges }, &c.params, by)?;
    }
    Ok((exec.read(next)?, exec.read(edges)?, fastest(&exec.read(speeds)?)))
}

fn edge_faces(c: &Case) -> usize {
    2 * (c.params.nx + c.params.nz) as usize
}

#[test]
fn steps_parity() {
    assert_parity(6, |exec, rng, out| {
        for second in [false, true] {
            for size in SIZES {
                let c = case(rng, size, 0.9);
                let booked = rng.f32s(edge_faces(&c), -1.0, 1.0);
                let (next, edges, speed) = step(exec, &c, second, &booked)?;
                let name = |what: &str| format!("{what}, second order {second}, {size:?}");
                // Depths up to 2 m and discharges up to 2 m²/s after some fifty roundings of 1.2e-7, whose
                // divisions by differences of wave speeds magnify them about tenfold.
                let tolerance = Tolerance::Mixed { absolute: 2e-5, relative: 1e-5 };
                out.f32(&name("next"), next, tolerance);
                out.f32(&name("edges"), edges, tolerance);
                // A film's velocity is a quotient of two small numbers.
                out.f32(&name("fastest"), vec![speed], Tolerance::Relative(1e-3));
            }
        }
        Ok(())
    });
}

#[test]
fn a_step_books_every_drop() {
    for exec in test_executors() {
        for (seed, size) in SIZES.into_iter().enumerate() {
            for second in [false, true] {
                let c = case(&mut Rng::new(seed as u64), size, 0.9);
                let (next, edges, _) = step(exec, &c, second, &vec![0.0; edge_faces(&c)]).unwrap();
                assert!(next.iter().all(|&x| x != SENTINEL && x.is_finite()), "{size:?}: every cell is written");
                let cells = c.bed.len();
                assert!((0..cells).all(|at| depth_of(&next, &c, at) >= 0.0), "{size:?}: a negative depth");
                let area = f64::from(c.params.cell).powi(2);
                let rain = f64::from(c.clock[word::DT] * c.clock[word::RAIN_RATE]) * cells as f64;
                let entered = edges.iter().map(|&v| f64::from(v)).sum::<f64>() / area + rain;
                let gained = volume(&next[..cells], &c.bed) - volume(&c.state[..cells], &c.bed);
                // Every cell rounds its surface once, to 6e-8 of at most 1.5 m.
                let tolerance = 2e-7 * cells as f64 + 1e-6;
                assert!((gained - entered).abs() < tolerance, "{size:?} {}: {gained} {entered}", exec.describe());
            }
        }
    }
}

fn depth_of(state: &[f32], c: &Case, at: usize) -> f32 {
    crate::physics::depth(state[at], c.bed[at])
}

/// A still lake over any bed does not change by a single bit.
#[test]
fn still_water_keeps_every_bit() {
    for exec in test_executors() {
        for second in [false, true] {
            let mut c = case(&mut Rng::new(5), (131, 19), 0.9);
            c.params.set_sides(&[Edge { kind: 0, from: 0, to: 0, rest: 0.0 }; 4]);
            c.clock[word::RAIN_RATE] = 0.0;
            c.state.fill(0.0);
            for (s, z) in c.state.iter_mut().zip(&c.bed) {
                *s = if *z < 0.0 { 0.0 } else { z.min(0.0) }; // level with the datum, or dry land
            }
            let (next, ..) = step(exec, &c, second, &vec![0.0; edge_faces(&c)]).unwrap();
            let worst = next.iter().zip(&c.state).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
            assert_eq!(worst, 0.0, "second order {second}, {}", exec.describe());
        }
    }
}
