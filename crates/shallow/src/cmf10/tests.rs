use thalweg_compute::parity::{Rng, test_executors};

use super::parity::{adopt, advect, height, predict, scene, velocity};
use super::*;
use crate::clock::word;
use crate::testing::{SIZES, volume};

/// A uniform flow is carried unchanged, and a linear one as its equation says: u = a x becomes u (1 − a Δt) to
/// first order; MacCormack gets the square too.
#[test]
fn advection_is_exact_for_uniform_and_second_order_for_linear_flow() {
    for exec in test_executors() {
        let (mut c, mut faces) = scene(&mut Rng::new(3), (41, 5));
        let x_count = 42 * 5;
        faces[..x_count].fill(0.7);
        faces[x_count..].fill(0.3);
        let predicted = predict(exec, &c, &faces).unwrap();
        let advected = advect(exec, &c, &faces, &predicted).unwrap();
        let inner = (0..x_count).filter(|n| n % 42 > 0 && n % 42 < 41);
        assert!(inner.clone().all(|n| advected[n] == 0.7), "uniform flow keeps its bits");

        faces[x_count..].fill(0.0);
        let slope = 0.02f32; // per cell
        faces[..x_count].iter_mut().enumerate().for_each(|(n, u)| *u = slope * (n % 42) as f32);
        c.clock[word::DT] = 0.25;
        let predicted = predict(exec, &c, &faces).unwrap();
        let advected = advect(exec, &c, &faces, &predicted).unwrap();
        let a_dt = slope * 0.25 / c.params.cell;
        for n in inner.filter(|n| (3..38).contains(&(n % 42))) {
            let exact = faces[n] / (1.0 + a_dt);
            let error = (advected[n] / exact - 1.0).abs();
            assert!(error < 0.6 * a_dt * a_dt, "face {}: relative error {error}", n % 42);
        }
    }
}

#[test]
fn heights_count_every_drop_and_stay_positive() {
    for exec in test_executors() {
        for (seed, size) in SIZES.into_iter().enumerate() {
            let (mut c, mut faces) = scene(&mut Rng::new(seed as u64), size);
            if seed % 2 == 1 {
                // As fast as the clamp lets water run: cells would give twice what they have.
                let limit = limits::SPEED_LIMIT * c.params.cell / c.clock[word::DT];
                faces.iter_mut().for_each(|u| *u = limit * u.signum() * if *u == 0.0 { 0.0 } else { 1.0 });
            }
            c.clock[word::RAIN_RATE] = 0.0;
            let (heights, edges) = height(exec, &c, &faces, &vec![0.0; 2 * (size.0 + size.1) as usize]).unwrap();
            let cells = c.bed.len();
            assert!((0..cells).all(|at| heights[at].is_finite() && depth(heights[at], c.bed[at]) >= 0.0));
            let gained = volume(&heights, &c.bed) - volume(&c.state[..cells], &c.bed);
            let entered: f64 = edges.iter().map(|&v| f64::from(v)).sum::<f64>() / f64::from(c.params.cell).powi(2);
            assert!((gained - entered).abs() < 2e-7 * cells as f64 + 1e-6, "{size:?}: {gained} {entered}");
        }
    }
}

/// Overshoots are levelled without losing water, and the velocity rule keeps a lake at rest.
#[test]
fn overshoots_are_handed_on_and_lakes_rest() {
    for exec in test_executors() {
        let (mut c, mut faces) = scene(&mut Rng::new(8), (29, 23));
        let cells = c.bed.len();
        faces.fill(0.0);
        c.clock[word::RAIN_RATE] = 0.0;
        for (s, z) in c.state.iter_mut().zip(&c.bed) {
            *s = z.min(0.0).max(if *z < 0.0 { 0.0 } else { z.min(0.0) });
        }
        c.state[cells..].fill(0.0);
        let (next, moved, _) = velocity(exec, &c, &faces).unwrap();
        assert!(moved.iter().all(|&u| u == 0.0) && next == c.state, "{}: a lake with islands rests", exec.describe());

        let peak = 14 + 29 * 11;
        c.state[peak] += 3.0; // six cells high
        let (next, ..) = velocity(exec, &c, &faces).unwrap();
        let change = volume(&next[..cells], &c.bed) - volume(&c.state[..cells], &c.bed);
        assert!(change.abs() < 1e-5, "levelling keeps the water: {change}");
        assert!(next[peak] < c.state[peak] - 0.5, "the peak is lower");
    }
}

/// Cells that nobody changed leave their faces alone; changed ones move them by as much.
#[test]
fn adopted_changes_reach_the_faces() {
    for exec in test_executors() {
        let (mut c, mut faces) = scene(&mut Rng::new(2), (12, 7));
        let (cells, x_count) = (c.bed.len(), 13 * 7);
        c.bed.fill(-1.0);
        c.state[..cells].fill(0.0);
        faces[..x_count].fill(0.4);
        faces[x_count..].fill(-0.2);
        c.state[cells..2 * cells].fill(0.4);
        c.state[2 * cells..].fill(-0.2);
        let same = adopt(exec, &c, &faces).unwrap();
        assert!(same.iter().zip(&faces).all(|(a, b)| (a - b).abs() < 1e-6));
        c.state[cells..2 * cells].fill(0.1);
        let slowed = adopt(exec, &c, &faces).unwrap();
        for (n, u) in slowed[..x_count].iter().enumerate() {
            let wanted = if n % 13 == 0 || n % 13 == 12 { 0.4 } else { 0.1 }; // sides set their own
            assert!((u - wanted).abs() < 1e-6, "face {n}: {u}");
        }
        assert!(slowed[x_count..].iter().all(|w| (w + 0.2).abs() < 1e-6));
    }
}

#[test]
fn faces_start_with_the_momentum_of_their_cells() {
    let (mut c, _) = scene(&mut Rng::new(1), (6, 4));
    let cells = c.bed.len();
    c.bed.fill(-2.0);
    c.state[..cells].fill(0.0);
    c.state[cells..2 * cells].fill(1.0);
    c.state[2 * cells..].fill(-3.0);
    let faces = initial_faces(&c.params, &c.bed, &c.state);
    for (n, &u) in faces[..7 * 4].iter().enumerate() {
        assert_eq!(u, if n % 7 == 0 || n % 7 == 6 { 0.0 } else { 0.5 });
    }
    for (n, &w) in faces[7 * 4..].iter().enumerate() {
        assert_eq!(w, if (6..6 * 4).contains(&n) { -1.5 } else { 0.0 });
    }
}
