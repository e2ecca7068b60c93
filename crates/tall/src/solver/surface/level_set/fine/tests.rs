use thalweg_columns::cells_and_faces::{DIRECTIONS, Faces, Spot};
use thalweg_columns::grid::{is_tall, neighbours};
use thalweg_columns::interpolate::cell_at;
use thalweg_columns::{Heights, Shape};
use thalweg_compute::parity::{Rng, test_executors};
use thalweg_compute::{Dispatch, Executor};

use super::parity::{fine_of, params, random_fine, volume_words};
use super::{FineGrid, FineOpen, Restrict, fine_heights};
use crate::solver::view::statistics::Statistics;
use crate::testing::{Scene, random_scene};

fn restricted(exec: &Executor, scene: &Scene, fine: &[f32]) -> Vec<f32> {
    let buffers = scene.upload(exec);
    let fine = exec.buffer_from("fine", fine).expect("memory");
    let mut rec = exec.record();
    let solid = exec.zeros("solid", scene.shape.len()).expect("memory");
    let kernel = Restrict { heights: &buffers.heights, solid: &solid, fine: &fine, phi: &buffers.phi };
    rec.run(&kernel, &params(scene.shape), Dispatch::Elements(scene.shape.len())).expect("recorded");
    rec.submit().expect("done");
    exec.read(&buffers.phi).expect("a level set")
}

fn volume(exec: &Executor, scene: &Scene, terrain: &[f32], solid: &[f32], fine: &[f32]) -> Statistics {
    Statistics::unpack(&volume_words(exec, scene, terrain, solid, fine).expect("words"))
}

/// The kernel against a plain sum over all fine cells, on every executor.
#[test]
fn the_volume_is_that_of_the_fine_cells() {
    for number in 0..16 {
        let mut rng = Rng::new(number);
        let scene = random_scene(&mut rng, number);
        let grid = FineGrid::new(scene.shape);
        let (n, columns) = (scene.shape.samples(), scene.shape.columns());
        let terrain: Vec<f32> = scene.heights.iter().map(|h| h[0] as f32 + rng.range(0.0, 1.0)).collect();
        let mut solid = rng.f32s(scene.shape.len(), -2.0, 1.0);
        solid.iter_mut().for_each(|s| *s = s.max(0.0));
        let mut fine = random_fine(&mut rng, &scene);
        let mut sum = 0.0;
        for column in 0..columns {
            let h = scene.heights[column];
            for y in h[0]..h[1] + scene.shape.regular as i32 {
                let in_tall = is_tall(h) && y < h[1];
                let share = match y == h[0] {
                    true if in_tall => terrain[column] - h[0] as f32,
                    _ if in_tall => 0.0,
                    _ => cell_at(&solid[column * n..][..n], h, y),
                };
                for phi in grid.inside(&fine, h, column, y) {
                    let water = ((0.5 - phi).clamp(0.0, 1.0) - share).max(0.0);
                    sum += f64::from(water) / (2 * grid.columns_inside()) as f64;
                }
            }
        }
        for exec in test_executors() {
            let found = volume(exec, &scene, &terrain, &solid, &fine);
            assert!((found.volume - sum).abs() < 1e-5 * sum.max(10.0), "{}: {} {sum}", exec.describe(), found.volume);
            assert_eq!(found.not_finite, 0);
        }
        fine[3] = f32::NAN;
        for exec in test_executors() {
            assert_eq!(volume(exec, &scene, &terrain, &solid, &fine).not_finite, 1, "{}", exec.describe());
        }
    }
}

/// Planes are exact, whatever their slope: the mean of the fine values is the value of the cell.
#[test]
fn planes_are_restricted_exactly() {
    for exec in test_executors() {
        for tall in [2, 6] {
            let shape = Shape { nx: 7, nz: 5, regular: 10 };
            let plane = |[x, y, z]: [f32; 3]| 0.1 * x + 0.9 * y - 0.2 * z - 6.3;
            let scene = Scene::new(shape, vec![[0, tall]; 35], |point| plane(point).clamp(-5.0, 5.0));
            let fine = fine_of(FineGrid::new(shape), &scene.heights, plane);
            for (found, wanted) in restricted(exec, &scene, &fine).iter().zip(&scene.phi) {
                let bound = if wanted.abs() < 1.4 { 1e-5 } else { 0.2 };
                assert!((found - wanted).abs() < bound, "{}: {found} {wanted}", exec.describe());
            }
        }
    }
}

/// A sheet of one fine cell is water for the columns; the ordinary surface gets no thicker.
#[test]
fn thin_sheets_are_seen_and_surfaces_are_not_thickened() {
    let shape = Shape { nx: 6, nz: 4, regular: 12 };
    let n = shape.samples();
    // Water up to 3.4 cells, a sheet of 0.5 cells around the height 9.75; cell 9 reaches from 9 to 10.
    let level = |y: f32| (y + 0.5 - 3.4).min((y + 0.5 - 9.75).abs() - 0.25);
    let scene = Scene::new(shape, vec![[0, 2]; 24], |[_, y, _]| level(y));
    let fine = fine_of(FineGrid::new(shape), &scene.heights, |[_, y, _]| level(y));
    for exec in test_executors() {
        for line in restricted(exec, &scene, &fine).chunks(n) {
            let wet: Vec<usize> = (0..n).filter(|y| line[*y] < 0.0).collect();
            assert_eq!(wet, [0, 1, 2, 9], "{}: {line:?}", exec.describe());
        }
    }
}

/// Fine faces are closed exactly where the face of the columns that they lie in is.
#[test]
fn fine_faces_are_closed_with_those_of_the_columns() {
    let exec = Executor::cpu().expect("an executor");
    for number in 0..16 {
        let scene = random_scene(&mut Rng::new(number), number);
        let (shape, grid) = (scene.shape, FineGrid::new(scene.shape));
        let buffers = scene.upload(&exec);
        let open = exec.buffer("open", 3 * grid.shape().len()).expect("memory");
        let mut rec = exec.record();
        let kernel = FineOpen { heights: &buffers.heights, aperture: &buffers.aperture, open: &open };
        rec.run(&kernel, &params(shape), Dispatch::Elements(3 * grid.shape().len())).expect("recorded");
        rec.submit().expect("done");
        let open = exec.read(&open).expect("flags");
        let columns = 0..grid.shape().columns();
        let heights: Vec<Heights> = columns.map(|c| fine_heights(scene.heights[grid.coarse_column(c)])).collect();
        let fine = Faces { shape: grid.shape(), heights: &heights, aperture: &open };
        let coarse = Faces { shape, heights: &scene.heights, aperture: &scene.aperture };
        for (column, h) in heights.iter().enumerate() {
            let own = grid.coarse_column(column);
            for (y, direction) in (h[1]..fine.top(column)).flat_map(|y| (0..DIRECTIONS).map(move |d| (y, d))) {
                let spot = Spot { column, y };
                let Some(next) = spot.step(grid.shape(), direction).filter(|next| next.y < fine.top(next.column))
                else {
                    continue;
                };
                let held_by = grid.coarse_column(next.column);
                let [spot, next] = [Spot { column: own, y: y >> 1 }, Spot { column: held_by, y: next.y >> 1 }];
                let is_beside_line = held_by != own && neighbours(shape, own).contains(&Some(held_by)) && {
                    let [a, b] = [scene.heights[own], scene.heights[held_by]];
                    next.y < a[1].min(b[1]) // flags of whole runs are lines between those of their ends
                };
                if is_beside_line {
                    continue;
                }
                let wanted = spot == next || coarse.is_open(spot.face(shape, direction));
                let found = fine.is_open(Spot { column, y }.face(grid.shape(), direction));
                assert_eq!(found, wanted, "scene {number}, column {column} {h:?}, {y}, direction {direction}");
            }
        }
    }
}
