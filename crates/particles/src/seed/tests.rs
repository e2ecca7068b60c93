use thalweg_compute::Rng;

use super::poisson::Darts;
use super::{Placing, Seed, poisson_disk};

fn nearest(points: &[[f64; 3]]) -> f64 {
    let mut least = f64::INFINITY;
    for (n, a) in points.iter().enumerate() {
        for b in &points[..n] {
            least = least.min((0..3).map(|axis| (a[axis] - b[axis]).powi(2)).sum::<f64>());
        }
    }
    least.sqrt()
}

/// The notes' §6: points per cube of the radius after one round and after four.
#[test]
fn rounds_of_tries_fill_as_much_as_they_should() {
    let (edge, radius) = (40.0, 1.0);
    for (tries, once, four_times) in [(5, 0.30, 0.46), (20, 0.47, 0.58), (100, 0.61, 0.67)] {
        let mut darts = Darts::new([[0.0; 3], [edge; 3]], radius);
        let mut rng = Rng::new(1);
        let mut density = || {
            darts.round(tries, &mut rng);
            darts.points.len() as f64 * (radius / edge).powi(3)
        };
        let (first, _, _, last) = (density(), density(), density(), density());
        assert!((first / once - 1.0).abs() < 0.05 && (last / four_times - 1.0).abs() < 0.05, "{tries}: {first} {last}");
    }
}

#[test]
fn random_seeds_have_the_number_of_their_volume_and_distances() {
    let spacing = 0.05;
    let seed = Seed { placing: Placing::Random(7), ..Seed::lattice([0.1; 3], [0.6, 0.8, 0.5]) };
    let places = seed.places(spacing);
    let wanted = 0.5 * 0.7 * 0.4 / spacing.powi(3);
    assert!((places.len() as f64 / wanted - 1.0).abs() < 0.05, "{} of {wanted}", places.len());
    assert!(nearest(&places) >= 0.8 * spacing);
    assert!(places == seed.places(spacing), "the same every time");
    let middle = places.iter().map(|place| place[2]).sum::<f64>() / places.len() as f64;
    assert!((middle - 0.3).abs() < 0.005, "no end is fuller than the other: {middle}");
}

#[test]
fn a_box_too_small_for_a_point_has_at_most_one() {
    assert_eq!(poisson_disk([[0.0; 3], [0.01; 3]], 0.1, 10, 1).len(), 1);
    assert!(Seed::lattice([0.0; 3], [0.04, 1.0, 1.0]).places(0.05).is_empty());
    assert_eq!(Seed::lattice([0.0; 3], [0.3, 0.1, 0.05]).places(0.1).len(), 0);
    assert_eq!(Seed::lattice([0.0; 3], [0.3, 0.1, 0.1]).places(0.1).len(), 3);
}
