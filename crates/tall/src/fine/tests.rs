use thalweg_compute::parity::{Rng, Tolerance, assert_parity, test_executors};
use thalweg_compute::{Dispatch, Executor};
use thalweg_pressure::Shape;
use thalweg_pressure::grid::{Heights, is_tall, world_cell};

use super::{FineEnds, FineGrid, FineHeights, FineOpen, FineParams, FineSolid, FineVolume, Restrict, fine_heights};
use crate::lattice::{cell_at, neighbours};
use crate::places::{DIRECTIONS, Faces, Spot};
use crate::stats::{Statistics, StatsTotal, WORDS};
use crate::testing::{Scene, random_scene};

fn params(shape: Shape) -> FineParams {
    FineParams { nx: shape.nx as u32, nz: shape.nz as u32, samples: shape.samples() as u32 }
}

/// A level set on the fine columns of a scene, given at points in cells with centres of cells at integers.
fn fine_of(grid: FineGrid, heights: &[Heights], phi: impl Fn([f32; 3]) -> f32) -> Vec<f32> {
    let (shape, n) = (grid.shape(), grid.shape().samples());
    let value = |at: usize| {
        let column = at / n;
        let y = world_cell(fine_heights(heights[grid.coarse_column(column)]), at % n) as f32;
        let place = |fine: usize, ratio: usize| (fine as f32 + 0.5) / ratio as f32 - 0.5;
        let [x, z] = [place(column % shape.nx, grid.ratio[0]), place(column / shape.nx, grid.ratio[1])];
        (2.0 * phi([x, 0.5 * y - 0.25, z])).clamp(-5.0, 5.0)
    };
    (0..shape.len()).map(value).collect()
}

/// A wavy surface with noise in it, drops and bubbles of a fine cell.
fn random_fine(rng: &mut Rng, scene: &Scene) -> Vec<f32> {
    let grid = FineGrid::new(scene.shape);
    let (shift, height) = (rng.range(-2.0, 3.0), rng.range(0.3, 1.8));
    let mut fine = fine_of(grid, &scene.heights, |[x, y, z]| y - shift - height * ((0.4 * x).sin() + (0.3 * z).cos()));
    for value in &mut fine {
        if rng.below(20) == 0 {
            *value = rng.range(-0.9, 0.9);
        }
    }
    fine
}

fn restricted(exec: &Executor, scene: &Scene, fine: &[f32]) -> Vec<f32> {
    let buffers = scene.upload(exec);
    let fine = exec.buffer_from("fine", fine).expect("memory");
    let mut rec = exec.record();
    let solid = exec.buffer("solid", scene.shape.len()).expect("memory");
    let kernel = Restrict { heights: &buffers.heights, solid: &solid, fine: &fine, phi: &buffers.phi };
    rec.run(&kernel, &params(scene.shape), Dispatch::Elements(scene.shape.len())).expect("recorded");
    rec.submit().expect("done");
    exec.read(&buffers.phi).expect("a level set")
}

#[test]
fn fine_parity() {
    for number in 0..16 {
        assert_parity(1, |exec, rng, out| {
            for _ in 0..number {
                rng.next_u64();
            }
            let scene = random_scene(rng, number);
            let (shape, grid) = (scene.shape, FineGrid::new(scene.shape));
            let (fine_shape, p) = (grid.shape(), params(scene.shape));
            let buffers = scene.upload(exec);
            let heights = &buffers.heights;
            let values = random_fine(rng, &scene);
            let fine = &exec.buffer_from("fine", &values)?;
            let ended = &exec.buffer_from("ended", &rng.f32s(fine_shape.len(), -2.0, 2.0))?;
            let found = &exec.buffer("heights", fine_shape.columns())?;
            let open = &exec.buffer_from("open", &vec![-1.0; 3 * fine_shape.len()])?;
            let mut shares = rng.f32s(shape.len(), -2.0, 1.5);
            shares.iter_mut().for_each(|s| *s = s.clamp(0.0, 1.0));
            let solid = &exec.buffer_from("solid", &shares)?;
            let mut rec = exec.record();
            let columns = || Dispatch::Elements(fine_shape.columns());
            rec.run(&FineHeights { heights, fine_heights: found }, &p, columns())?;
            rec.run(&FineEnds { heights, phi: &buffers.phi, fine: ended }, &p, columns())?;
            let kernel = FineOpen { heights, aperture: &buffers.aperture, open };
            rec.run(&kernel, &p, Dispatch::Elements(3 * fine_shape.len()))?;
            let fine_solid = &exec.buffer_from("fine_solid", &vec![-1.0; fine_shape.len()])?;
            rec.run(&FineSolid { heights, solid, fine_solid }, &p, Dispatch::Elements(fine_shape.len()))?;
            rec.run(&Restrict { heights, solid, fine, phi: &buffers.phi }, &p, Dispatch::Elements(shape.len()))?;
            rec.submit()?;
            let heights = exec.read(found)?.into_iter().flatten().map(i32::cast_unsigned).collect();
            out.u32("heights", heights);
            out.f32("ends", exec.read(ended)?, Tolerance::Exact);
            out.f32("solid", exec.read(fine_solid)?, Tolerance::Exact);
            out.f32("open", exec.read(open)?, Tolerance::Exact);
            // Means of eight numbers of size 5, some of them on lines.
            out.f32("restricted", exec.read(&buffers.phi)?, Tolerance::Absolute(4e-6));
            Ok(())
        });
    }
}

fn volume(exec: &Executor, scene: &Scene, terrain: &[f32], solid: &[f32], fine: &[f32]) -> Statistics {
    let groups = 3;
    let p = crate::stats::StatsParams {
        nx: scene.shape.nx as u32,
        nz: scene.shape.nz as u32,
        samples: scene.shape.samples() as u32,
        groups,
    };
    let heights = exec.buffer_from("heights", &scene.heights).expect("memory");
    let terrain = exec.buffer_from("terrain", terrain).expect("memory");
    let solid = exec.buffer_from("solid", solid).expect("memory");
    let fine = exec.buffer_from("fine", fine).expect("memory");
    let partials = exec.buffer_from("partials", &vec![0; groups as usize * WORDS]).expect("memory");
    let result = exec.buffer("result", WORDS).expect("memory");
    let mut rec = exec.record();
    let kernel = FineVolume { heights: &heights, terrain: &terrain, solid: &solid, fine: &fine, partials: &partials };
    rec.run(&kernel, &p, Dispatch::Groups([groups, 1, 1])).expect("recorded");
    rec.run(&StatsTotal { partials: &partials, result: &result }, &p, Dispatch::Groups([1, 1, 1])).expect("recorded");
    rec.submit().expect("done");
    Statistics::unpack(&exec.read(&result).expect("words"))
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
