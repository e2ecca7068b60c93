use std::collections::BTreeSet;

use thalweg_compute::parity::{Rng, test_executors};
use thalweg_compute::{Cpu, Executor};

use super::parity::{Sorting, scattered, sorted};
use crate::constants::extent;
use crate::grid::Grid;
use crate::testing::params;

/// Pairs of numbers nearer than a kernel's radius, as the runs of cells have them.
fn pairs(found: &Sorting) -> BTreeSet<(u32, u32)> {
    let p = params(found.places.len());
    let grid = Grid::new(&p, &found.extent, &found.starts, &found.cells);
    let mut pairs = BTreeSet::new();
    for (cell, own) in grid.by_cell(0..grid.count) {
        for n in own {
            for other in grid.runs(cell).into_iter().flatten().filter(|other| *other != n) {
                if near(found.places[n], found.places[other], p.radius) {
                    assert!(pairs.insert((found.ids[n], found.ids[other])), "a neighbour comes once");
                }
            }
        }
    }
    pairs
}

fn near(a: [f32; 4], b: [f32; 4], radius: f32) -> bool {
    (0..3).map(|axis| (f64::from(a[axis]) - f64::from(b[axis])).powi(2)).sum::<f64>() < f64::from(radius).powi(2)
}

#[test]
fn neighbours_are_those_of_brute_force() {
    let (places, ids) = scattered(&mut Rng::new(3), 2500);
    for exec in test_executors() {
        let found = sorted(exec, &places, &ids).expect("sorted");
        let radius = params(1).radius;
        let mut brute = BTreeSet::new();
        for (a, at) in found.ids.iter().zip(&found.places) {
            for (b, other) in found.ids.iter().zip(&found.places) {
                if a != b && near(*at, *other, radius) {
                    brute.insert((*a, *b));
                }
            }
        }
        assert!(brute.len() > 10_000 && pairs(&found) == brute, "{}", exec.describe());
    }
}

#[test]
fn particles_keep_what_they_carry_and_leavers_are_counted() {
    let (places, ids) = scattered(&mut Rng::new(4), 1500);
    for exec in test_executors() {
        let found = sorted(exec, &places, &ids).expect("sorted");
        let count = found.extent[extent::COUNT] as usize;
        assert_eq!(count + found.tally.iter().sum::<u32>() as usize, places.len(), "{}", exec.describe());
        for (n, id) in found.ids.iter().enumerate() {
            let own = ids.iter().position(|of| of == id).expect("a number that was there");
            assert_eq!(found.places[n], places[own]);
            assert_eq!(found.motions[n], places[own].map(|x| 2.0 * x));
            assert!(found.places[n][0] >= 0.0 && found.places[n][2] <= 0.7, "sides that are open");
        }
        for (n, pair) in found.cells.windows(2).enumerate() {
            assert!(
                pair[0] < pair[1] || pair[0] == pair[1] && found.ids[n] < found.ids[n + 1],
                "by cell, then by number"
            );
        }
    }
}

#[test]
fn bits_do_not_depend_on_threads() {
    let (places, ids) = scattered(&mut Rng::new(5), 20_000);
    let [one, three] = [1, 3].map(|threads| {
        let exec = Executor::from(Cpu::with_threads(threads).expect("threads"));
        sorted(&exec, &places, &ids).expect("sorted")
    });
    assert!(one == three);
}
