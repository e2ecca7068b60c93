use thalweg_solids::Obstacle;
use thalweg_solids::packed::pack_all;

use super::{Solids, held, let_go, wall};
use crate::kernel::{NO_PLANE, missing_poly6};
use crate::params::StepParams;
use crate::testing::params;

#[test]
fn two_walls_take_what_is_behind_either() {
    let p = StepParams { wall_gap: 0.0, ..params(1) };
    let far = wall(&p, NO_PLANE, [0.5, 0.5, 0.35], missing_poly6);
    assert_eq!((far.share, far.gradient), (0.0, [0.0; 3]));
    let one = wall(&p, NO_PLANE, [0.5, 0.025, 0.35], missing_poly6);
    let two = wall(&p, NO_PLANE, [0.025, 0.025, 0.35], missing_poly6);
    assert!((one.share - 0.217).abs() < 1e-3 && (two.share - one.share * (2.0 - one.share)).abs() < 1e-6);
    assert!(one.gradient[1] < 0.0 && one.gradient[0] == 0.0, "it grows towards the wall");
    let corner = wall(&p, NO_PLANE, [0.0, 0.9, 0.0], missing_poly6);
    assert!((corner.share - 0.875).abs() < 1e-6 && corner.gradient[1] > 0.0, "seven eighths: {corner:?}");
    let open = StepParams { walls: 0, ..p };
    assert_eq!(wall(&open, NO_PLANE, [0.0, 0.0, 0.0], missing_poly6).share, 0.0);
}

#[test]
fn the_gradient_is_that_of_the_share() {
    let p = params(1);
    let plane = [0.6, 0.8, 0.0, 0.02];
    for place in [[0.03, 0.05, 0.02], [0.04, 0.02, 0.35], [1.07, 0.03, 0.66]] {
        let found = wall(&p, plane, place, missing_poly6);
        for axis in 0..3 {
            let share = |by: f32| {
                let mut place = place;
                place[axis] += by;
                wall(&p, plane, place, missing_poly6).share
            };
            let difference = (share(1e-3) - share(-1e-3)) / 2e-3;
            assert!((difference - found.gradient[axis]).abs() < 0.02, "{place:?}: {difference} {found:?}");
        }
    }
}

#[test]
fn nothing_is_nearer_than_half_a_spacing() {
    let p = params(1);
    let plane = [0.6, 0.8, 0.0, 0.5];
    let held = held(&p, plane, [0.0; 3], [0.5; 3], [0.3, 0.2, 0.75]);
    assert!(0.6 * held[0] + 0.8 * held[1] - 0.5 > 0.0249 && (held[2] - 0.675).abs() < 1e-6);
}

#[test]
fn friction_takes_back_as_much_as_the_wall_has_pushed() {
    let rough = StepParams { friction: 0.5, ..params(1) };
    // 1 cm too deep after 3 cm along the wall: half a centimetre back.
    let slid = held(&rough, NO_PLANE, [0.0; 3], [0.5, 0.025, 0.35], [0.53, 0.015, 0.35]);
    assert!((slid[0] - 0.525).abs() < 1e-6 && (slid[1] - 0.025).abs() < 1e-6);
    let stuck = held(&rough, NO_PLANE, [0.0; 3], [0.5, 0.025, 0.35], [0.503, 0.015, 0.35]);
    assert!((stuck[0] - 0.5).abs() < 1e-6, "a short way is taken back");
    let free = let_go(&rough, NO_PLANE, [0.0; 3], [0.5, 0.025, 0.35], [3.0, -1.0, 0.0]);
    assert!((free[0] - 2.5).abs() < 1e-5 && free[1].abs() < 1e-6);
    let flying = let_go(&rough, NO_PLANE, [0.0; 3], [0.5, 0.2, 0.35], [3.0, -1.0, 0.0]);
    assert_eq!(flying, [3.0, -1.0, 0.0]);
}

#[test]
fn planes_are_those_of_ground_and_solids() {
    let ground = [0.1f32, 0.1, 0.3, 0.3]; // 0.2 m up over 1 m along z
    let sphere = pack_all(&[Obstacle::Sphere { centre: [0.8, 0.6, 0.5], radius: 0.1 }]);
    let p = StepParams { solids: 1, ground_x: 2, ground_z: 2, per_ground: 1.0, ..params(1) };
    let all = Solids { p: &p, solids: &sphere, distances: &[], ground: &ground };
    let [x, y, z, at] = all.nearest([0.3, 0.25, 0.5], 0.2).plane;
    let up = 1.0 / 1.04f32.sqrt();
    assert!(x == 0.0 && (y - up).abs() < 1e-6 && (z + 0.2 * up).abs() < 1e-6);
    assert!((0.25 * y + 0.5 * z - at - 0.05 * up).abs() < 1e-6);
    let [x, y, _, at] = all.nearest([0.65, 0.6, 0.5], 0.2).plane;
    assert!((x + 1.0).abs() < 1e-5 && y.abs() < 1e-5 && (0.65 * x - at - 0.05).abs() < 1e-5);
    assert_eq!(all.nearest([0.5, 0.85, 0.1], 0.2).plane, NO_PLANE);
}
