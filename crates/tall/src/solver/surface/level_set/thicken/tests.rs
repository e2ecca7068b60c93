use thalweg_columns::Shape;
use thalweg_compute::parity::own_test_executors;

use super::parity::thickened;
use crate::testing::Scene;
use crate::{Options, Setup, TallError, TallWater};

/// A level sheet half a cell thick, which moves by half a cell: the particles keep it where the moved level set has
/// lost it.
#[test]
fn a_sheet_is_kept_at_its_place_and_thick_water_is_left_alone() {
    for exec in own_test_executors() {
        let sheet = Scene::uniform([11, 16, 11], |[_, y, _]| (y - 8.0).abs() - 0.4);
        let centres = vec![[0.0, 1.0, 0.0, 0.0]; sheet.shape.len()];
        let moved = thickened(&exec, &sheet, &vec![5.0; sheet.shape.len()], &centres, 0.5).expect("thickened");
        let n = sheet.shape.samples();
        let column = &moved[(5 + 11 * 5) * n..][..n];
        // The middle of the sheet is at 8.5 now: the cells on either side of it are 0.1 outside at most.
        assert!((column[8] - 0.1).abs() < 0.02 && (column[9] - 0.1).abs() < 0.02, "{}: {column:?}", exec.describe());
        let pool = Scene::uniform([11, 16, 11], |[_, y, _]| y - 8.3);
        let still = vec![[0.0; 4]; pool.shape.len()];
        assert_eq!(
            thickened(&exec, &pool, &pool.phi, &still, 0.5).expect("thickened"),
            pool.phi,
            "{}",
            exec.describe()
        );
    }
}

#[test]
fn a_fine_surface_has_no_thickening() {
    let setup = Setup {
        shape: Shape { nx: 8, nz: 1, regular: 12 },
        cell: 0.1,
        height: 1.0,
        terrain: &[0.0; 8],
        level_set: &|[_, y, _]| y - 0.5,
        obstacles: &[],
        velocity: [0.0; 2],
        options: Options { thickening: true, fine_surface: true, ..Default::default() },
    };
    let refused = TallWater::new(own_test_executors().remove(0), &setup);
    assert!(matches!(refused, Err(TallError::Setting { setting: "thickening", .. })));
}
