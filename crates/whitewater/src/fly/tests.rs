use thalweg_columns::flow::spray_word as word;
use thalweg_compute::parity::{Rng, test_executors};
use thalweg_ledger::transfer::load;

use super::parity::{UNIT_SPHERE, ceilings, flown, flown_under, params};
use crate::constants::event::DEPOSITS;
use crate::constants::kind::{FOAM, MIST, SPRAY};
use crate::particle::fraction;
use crate::testing::{Water, random_particles};

#[test]
fn drops_follow_the_closed_path_of_a_fall_with_drag_whatever_the_steps() {
    let water = Water::plain([40, 60, 8], |[_, y, _]| y - 2.0, [0.0; 3]);
    let places = [[5.0, 30.0, 4.0, SPRAY + 0.1], [5.0, 30.0, 4.0, MIST + 0.1]];
    let motions = [[3.0, 4.0, 0.1, 9.0]; 2];
    for exec in test_executors() {
        for (steps, dt) in [(1, 0.6), (20, 0.03), (60, 0.01)] {
            let flown = flown(exec, &water, params(&water, dt), (&places, &motions), steps);
            for (kind, drag) in [(0, 0.3_f64), (1, 3.0)] {
                let (t, g) = (0.6_f64, 9.81);
                let mean = (1.0 - (-drag * t).exp()) / drag;
                let wanted = [5.0 + 4.0 * 3.0 * mean, 30.0 + 4.0 * (4.0 * mean - g * (t - mean) / drag)];
                let speed = 4.0 * (-drag * t).exp() - g * mean;
                let (place, motion) = (flown.places[kind], flown.motions[kind]);
                assert!((f64::from(place[0]) - wanted[0]).abs() < 1e-3, "{steps}: {place:?} {wanted:?}");
                assert!((f64::from(place[1]) - wanted[1]).abs() < 1e-3, "{steps}: {place:?} {wanted:?}");
                assert!((f64::from(motion[1]) - speed).abs() < 1e-4 && (motion[3] - 8.4).abs() < 1e-4, "{motion:?}");
            }
        }
    }
}

#[test]
fn drops_land_as_foam_or_not_at_all_and_their_water_goes_back() {
    let water = Water::plain([6, 12, 5], |[_, y, _]| y - 4.0, [0.0; 3]);
    let (places, motions) = (vec![[3.0, 4.1, 2.0, SPRAY + 0.25]; 2000], vec![[0.0, -5.0, 0.0, 9.0]; 2000]);
    for exec in test_executors() {
        let flown = flown(exec, &water, params(&water, 0.05), (&places, &motions), 1);
        let foam = flown.flags.iter().filter(|flag| **flag == 1).count();
        assert!((900..1100).contains(&foam), "half of 2000: {foam}");
        let lives = flown.places.iter().zip(&flown.motions).zip(&flown.flags).filter(|(_, flag)| **flag == 1);
        for ((place, motion), _) in lives {
            assert!(place[3] == FOAM + 0.25 && (1.0..3.0).contains(&motion[3]), "{place:?} {motion:?}");
        }
        let back = load(&flown.events, word::RETURNED);
        assert_eq!(back, 2000 * u64::from(fraction(UNIT_SPHERE, 0.25)));
        assert_eq!(flown.events[DEPOSITS + 3 + 6 * 2], 2000 * 100, "{}", exec.describe());
        assert_eq!(flown.events[DEPOSITS..].iter().sum::<u32>(), 2000 * 100);
    }
}

#[test]
fn sides_ground_and_age_end_a_flight() {
    let mut water = Water::plain([6, 12, 5], |[_, y, _]| y - 2.0, [0.0; 3]);
    water.solid[5 * 12..6 * 12].fill(1.0); // the column at x 5 to 6, z 0 to 1
    let word = SPRAY + 0.1;
    let cases = [
        ([0.1, 8.0, 2.5], [-5.0, 0.0, 0.0], 9.0, Some([0.3 * 0.9, 1.5])), // a wall: bounces
        ([5.9, 8.0, 2.5], [5.0, 0.0, 0.0], 9.0, Some([6.0 - 0.3 * 0.9, -1.5])),
        ([3.0, 8.0, 4.9], [0.0, 0.0, 5.0], 9.0, Some([3.0, 0.0])), // a wall too
        ([3.0, 8.0, 0.1], [0.0, 0.0, -5.0], 9.0, None),            // open
        ([5.5, 8.0, 0.5], [0.0, 0.0, 0.0], 9.0, None),             // inside the solid
        ([3.0, 8.0, 2.5], [0.0, 0.0, 0.0], 0.01, None),            // too old
        ([3.0, 90.0, 2.5], [0.0, 0.0, 0.0], 9.0, Some([3.0, 0.0])), // far above the columns
    ];
    let places: Vec<[f32; 4]> = cases.iter().map(|(p, ..)| [p[0], p[1], p[2], word]).collect();
    let motions: Vec<[f32; 4]> = cases.iter().map(|(_, v, life, _)| [v[0], v[1], v[2], *life]).collect();
    for exec in test_executors() {
        let mut p = params(&water, 0.05);
        (p.spray_decay, p.spray_mean, p.spray_fall) = (1.0, 0.05, 0.0);
        let flown = flown(exec, &water, p, (&places, &motions), 1);
        for (at, (_, _, _, wanted)) in cases.iter().enumerate() {
            assert_eq!(flown.flags[at] == 1, wanted.is_some(), "case {at} on {}", exec.describe());
            if let Some([x, u]) = wanted {
                let (place, motion) = (flown.places[at], flown.motions[at]);
                assert!((place[0] - x).abs() < 1e-5 && (motion[0] - u).abs() < 1e-5, "{at}: {place:?} {motion:?}");
            }
        }
        let one = fraction(UNIT_SPHERE, 0.1);
        assert_eq!((flown.events[word::GONE], flown.events[word::RETURNED]), (one, 2 * one));
    }
}

#[test]
fn foam_stays_on_the_surface_goes_with_the_water_and_fades() {
    // A slope of 1 in 2: its normal is (-1, 2)/√5, and the velocity points into the water.
    let slope = |[x, y, _]: [f32; 3]| (y - 4.0 - 0.5 * x) / 1.25_f32.sqrt();
    let water = Water::plain([12, 20, 5], slope, [1.0, 0.0, 0.5]);
    let places = [[4.0, 6.3, 2.5, FOAM + 0.1], [4.0, 6.3, 2.5, FOAM + 0.1], [4.0, 9.0, 2.5, FOAM + 0.1]];
    let motions = [[0.0, 0.0, 0.0, 5.0], [0.0, 0.0, 0.0, 0.01], [0.0, 0.0, 0.0, 5.0]];
    for exec in test_executors() {
        let flown = flown(exec, &water, params(&water, 0.05), (&places, &motions), 1);
        assert_eq!(flown.flags, [1, 0, 0], "one is too old, one is far from the water: {}", exec.describe());
        let ([x, y, z, _], motion) = (flown.places[0], flown.motions[0]);
        assert!(slope([x, y, z]).abs() < 1e-4, "{x} {y}");
        // 0.8 of the velocity along x is along the slope, (2, 1)/√5 · 2/√5.
        assert!((motion[0] - 0.8).abs() < 1e-4 && (motion[1] - 0.4).abs() < 1e-4 && (motion[2] - 0.5).abs() < 1e-4);
        assert!((z - 2.6).abs() < 1e-4, "0.05 s at 0.5 m/s on 4 cells a metre: {z}");
        assert!(flown.events.iter().all(|word| *word == 0), "foam carries no water");
    }
}

/// A ceiling saves lookups and changes nothing.
#[test]
fn ceilings_change_no_bit() {
    for exec in test_executors() {
        let mut rng = Rng::new(5);
        let water = Water::random(&mut rng);
        let (places, motions) = random_particles(&mut rng, 3000);
        let p = params(&water, 0.03);
        let [with, without] = [ceilings(&water), vec![i32::MAX; water.shape.columns()]]
            .map(|ceilings| flown_under(exec, &water, p, (&places, &motions), &ceilings, 1));
        assert!(with.places == without.places && with.motions == without.motions && with.events == without.events);
        let low = flown_under(exec, &water, p, (&places, &motions), &vec![-9; water.shape.columns()], 1);
        assert!(low.places != with.places, "ceilings are looked at: {}", exec.describe());
    }
}
