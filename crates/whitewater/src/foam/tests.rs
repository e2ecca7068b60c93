use thalweg_compute::parity::test_executors;

use super::FoamParams;
use super::parity::{after, params};
use crate::constants::COVERED;
use crate::testing::Water;

#[test]
fn foam_decays_by_its_time_and_not_where_it_is() {
    let water = Water::plain([9, 8, 7], |[_, y, _]| y - 4.0, [0.0; 3]);
    let foam: Vec<f32> = (0..63).map(|at| at as f32 / 63.0).collect();
    let (dt, tau) = (0.05_f64, 0.7_f64);
    let p = FoamParams { keeps: (-dt / tau).exp() as f32, ..params(&water) };
    for exec in test_executors() {
        let left = after(exec, &water, p, &[0; 63], &foam, 40);
        let wanted = (-40.0 * dt / tau).exp() as f32;
        assert!(
            left.iter().zip(&foam).all(|(left, begin)| (left - begin * wanted).abs() < 1e-6),
            "{}",
            exec.describe()
        );
    }
}

/// A spot in water that moves by half a cell a step along x and a whole one along z.
#[test]
fn uniform_flow_carries_foam_along() {
    let water = Water::plain([30, 8, 30], |[_, y, _]| y - 4.0, [1.0, 0.0, 2.0]);
    let spot = |x: f32, z: f32| {
        move |at: usize| (-((at % 30) as f32 - x).powi(2) / 8.0 - ((at / 30) as f32 - z).powi(2) / 8.0).exp()
    };
    let begin: Vec<f32> = (0..900).map(spot(8.0, 8.0)).collect();
    let p = FoamParams { keeps: 1.0, ..params(&water) };
    for exec in test_executors() {
        let moved = after(exec, &water, p, &[0; 900], &begin, 8);
        let (mass, x, z) = moved.iter().enumerate().fold((0.0, 0.0, 0.0), |(mass, x, z), (at, f)| {
            (mass + f, x + f * (at % 30) as f32, z + f * (at / 30) as f32)
        });
        assert!((mass - begin.iter().sum::<f32>()).abs() < 0.3, "{mass}");
        assert!((x / mass - 12.0).abs() < 0.05 && (z / mass - 16.0).abs() < 0.05, "{} {}", x / mass, z / mass);
        // Whole cells along z are exact; half cells along x widen the spot a little.
        let error =
            moved.iter().enumerate().fold(0.0_f32, |worst, (at, f)| worst.max((f - spot(12.0, 16.0)(at)).abs()));
        assert!(error < 0.2, "{}: {error}", exec.describe());
        let still = FoamParams { cells_per_speed: 1.0, ..p };
        let shifted = after(exec, &water, still, &[0; 900], &begin, 1);
        assert!((0..900).filter(|at| at % 30 > 0 && at / 30 > 1).all(|at| (shifted[at] - begin[at - 61]).abs() < 1e-6));
    }
}

#[test]
fn deposits_whiten_water_up_to_all_of_it_and_dry_columns_have_none() {
    let water = Water::plain([4, 8, 1], |[x, y, _]| if x < 2.0 { y - 4.0 } else { 3.0 }, [0.0; 3]);
    for exec in test_executors() {
        let quarter = (0.25 * COVERED) as u32;
        let foam = after(exec, &water, params(&water), &[quarter, 6 * quarter, quarter, 0], &[0.5; 4], 1);
        assert!((foam[0] - 0.7).abs() < 1e-6 && foam[1..] == [1.0, 0.0, 0.0], "{}: {foam:?}", exec.describe());
    }
}
