use thalweg_compute::parity::test_executors;

use super::parity::{EXTENTS, params, ticks};
use super::*;
use crate::boundary::kind;

#[test]
fn time_steps_add_up_to_the_frame_and_then_stop() {
    for exec in test_executors() {
        for (frame, speed) in [(1.0 / 60.0, 0.0), (0.1, 3.0), (5.0, 11.0), (1.0, 0.02)] {
            let mut p = params(3, 0);
            (p.west_kind, p.south_kind) = (kind::WALL, kind::WALL);
            let drivers = vec![0.0; FIXED_DRIVERS * DRIVER_SAMPLES];
            let speeds: Vec<_> = (0..140).map(|n| vec![0.5 * speed, speed * (1.0 - 0.001 * n as f32), 0.0]).collect();
            let seen = ticks(exec, &p, frame, &drivers, &speeds).unwrap();
            let sum: f64 = seen.iter().map(|(clock, _)| f64::from(clock[word::DT])).sum();
            assert!((sum / f64::from(frame) - 1.0).abs() < 2e-6, "{}: {sum} of {frame} s", exec.describe());
            for ((clock, args), list) in seen.iter().zip(&speeds) {
                let on = clock[word::DT] > 0.0;
                assert_eq!(*args == EXTENTS, on, "switched on exactly while time runs");
                assert!(on || args.iter().all(|&a| a == 0));
                let limit = p.courant * p.cell / list[1].max(1e-12);
                assert!(clock[word::DT] <= limit * 1.000_001, "stable");
                assert_eq!(clock[word::STATUS], status::FINE);
            }
            let last = &seen.last().unwrap().0;
            let taken = seen.iter().filter(|(clock, _)| clock[word::DT] > 0.0).count();
            assert_eq!(last[word::SUBSTEPS], taken as f32);
            assert_eq!(last[word::DT], 0.0, "the frame ended");
        }
    }
}

#[test]
fn broken_and_collapsed_steps_are_reported_and_stop_the_frame() {
    for exec in test_executors() {
        let drivers = vec![0.0; FIXED_DRIVERS * DRIVER_SAMPLES];
        for (speed, expected) in [(NOT_FINITE, status::NOT_FINITE), (1e9, status::COLLAPSED)] {
            let seen = ticks(exec, &params(2, 0), 1.0, &drivers, &[vec![0.1, speed], vec![0.1, 0.1]]).unwrap();
            for (clock, args) in seen {
                assert_eq!(clock[word::STATUS], expected, "{}: it stays", exec.describe());
                assert_eq!((clock[word::DT], clock[word::SUBSTEPS]), (0.0, 0.0));
                assert!(args.iter().all(|&a| a == 0));
            }
        }
    }
}

/// Rain counts with the rate that the step used, and drivers are read where the frame stands.
#[test]
fn drivers_are_linear_between_their_samples() {
    for exec in test_executors() {
        let mut drivers = vec![0.0; FIXED_DRIVERS * DRIVER_SAMPLES];
        for (n, rain) in drivers[4 * DRIVER_SAMPLES..].iter_mut().enumerate() {
            *rain = 1e-3 * n as f32;
        }
        let (frame, speeds) = (2.0, vec![vec![4.0]; 40]);
        let seen = ticks(exec, &params(1, 0), frame, &drivers, &speeds).unwrap();
        let mut depth = 0.0;
        for (clock, _) in seen.iter().filter(|(clock, _)| clock[word::DT] > 0.0) {
            let expected = 1e-3 * clock[word::ELAPSED] / frame * DRIVER_STEPS as f32;
            assert!((clock[word::RAIN_RATE] - expected).abs() < 1e-7, "{} {expected}", clock[word::RAIN_RATE]);
            depth += clock[word::DT] * clock[word::RAIN_RATE];
            assert!((clock[word::RAIN_DEPTH] - depth).abs() < 1e-6 * depth.max(1e-3));
        }
    }
}
