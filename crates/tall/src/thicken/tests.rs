use thalweg_compute::parity::{Tolerance, assert_parity, own_test_executors};
use thalweg_compute::{Dispatch, Executor, Result};
use thalweg_pressure::Shape;

use super::{Merge, Thicken, ThickenParams};
use crate::testing::{Scene, random_scene};
use crate::{Options, Setup, TallError, TallWater};

/// The level set `moved` after thickening, with velocities of samples.
fn thickened(
    exec: &Executor,
    scene: &Scene,
    moved: &[f32],
    centres: &[[f32; 4]],
    cells_per_speed: f32,
) -> Result<Vec<f32>> {
    let Shape { nx, nz, .. } = scene.shape;
    let p = ThickenParams { nx: nx as u32, nz: nz as u32, samples: scene.shape.samples() as u32, cells_per_speed };
    let b = scene.upload(exec);
    let (centres, moved) = (exec.buffer_from("centres", centres)?, exec.buffer_from("moved", moved)?);
    let keys = exec.buffer("keys", scene.shape.len())?;
    let mut rec = exec.record();
    let all = || Dispatch::Elements(scene.shape.len());
    rec.run(&Thicken { heights: &b.heights, phi: &b.phi, centres: &centres, keys: &keys }, &p, all())?;
    rec.run(&Merge { keys: &keys, moved: &moved }, &p, all())?;
    rec.submit()?;
    exec.read(&moved)
}

/// Traces through interpolated velocities, then distances in steps of a millionth of a cell.
#[test]
fn thicken_parity() {
    assert_parity(8, |exec, rng, out| {
        let number = u64::from(rng.below(8));
        let mut scene = random_scene(rng, number);
        // Sheets: all water deeper than a cell and a half becomes air.
        scene.phi.iter_mut().for_each(|phi| *phi = phi.abs() - rng.range(0.6, 0.9));
        let centres: Vec<[f32; 4]> = (0..scene.shape.len())
            .map(|_| [rng.range(-1.0, 1.0), rng.range(-1.0, 1.0), rng.range(-1.0, 1.0), 0.0])
            .collect();
        let moved = thickened(exec, &scene, &scene.phi, &centres, 0.7)?;
        assert!(
            number == 6 || moved.iter().zip(&scene.phi).any(|(a, b)| a < b),
            "something was thin in scene {number}"
        );
        out.f32("moved", moved, Tolerance::Absolute(2e-4));
        Ok(())
    });
}

/// A level sheet half a cell thick, which moves by half a cell: the particles keep it where the moved level set has lost it.
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
