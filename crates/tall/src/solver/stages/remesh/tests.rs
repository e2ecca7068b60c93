//! What new heights promise, on every executor.

use thalweg_columns::grid::{is_tall, neighbours};
use thalweg_columns::interpolate::cell_at;
use thalweg_columns::transfer::{AboveTop, DeviceRemesh};
use thalweg_columns::{Heights, Shape};
use thalweg_compute::Executor;
use thalweg_compute::parity::{Rng, test_executors};

use super::parity::{OPTIONS, find, find_below, find_reaching};
use super::{NewHeights, RemeshOptions, limit};
use crate::solver::stages::exchange::FREE;
use crate::testing_heights::{Scene, random_scene};

fn free(scene: &Scene) -> Vec<i32> {
    vec![i32::MAX; scene.heights.len()]
}

/// Every world cell of a column and beside it, one by one.
struct Cells<'a>(&'a Scene);

impl Cells<'_> {
    /// `None` in terrain.
    fn is_liquid(&self, column: usize, y: i32) -> Option<bool> {
        let (n, h) = (self.0.shape.samples(), self.0.heights[column]);
        let inside = y < h[1] + n as i32 - 2;
        (y >= h[0]).then(|| inside && cell_at(&self.0.phi[column * n..][..n], h, y) < 0.0)
    }

    fn range(&self, column: usize) -> std::ops::Range<i32> {
        let [bottom, top] = self.0.heights[column];
        bottom..top + self.0.shape.regular as i32
    }

    fn is_border(&self, column: usize, y: i32) -> bool {
        let own = self.is_liquid(column, y);
        let mut beside = neighbours(self.0.shape, column).into_iter().flatten();
        own != self.is_liquid(column, y + 1)
            || beside.any(|other| self.is_liquid(other, y).is_some_and(|liquid| Some(liquid) != own))
    }
}

#[test]
fn constraints_hold_where_they_can() {
    let (mut wet, mut dry, mut infeasible_columns, mut tall) = (0, 0, 0, 0);
    for exec in test_executors() {
        for seed in 0..64 {
            let rng = &mut Rng::new(seed);
            let scene = random_scene(rng, seed);
            let limited: Vec<i32> =
                scene.heights.iter().map(|h| if rng.below(9) == 0 { h[0] + 7 } else { i32::MAX }).collect();
            let found = find(exec, &scene, &limited, RemeshOptions { limit_passes: 64, ..OPTIONS });
            let (cells, regular) = (Cells(&scene), scene.shape.regular as i32);
            let mut infeasible = 0;
            for (column, &[bottom, top]) in found.heights.iter().enumerate() {
                let name = format!("{} seed {seed} column {column}", exec.describe());
                assert!(bottom == scene.heights[column][0] && top >= bottom + 2, "{name}");
                let Some(highest) = cells.range(column).rev().find(|y| cells.is_liquid(column, *y) == Some(true))
                else {
                    assert_eq!(top, bottom + 2, "{name} is dry");
                    dry += 1;
                    continue;
                };
                wet += 1;
                assert!(top + regular > highest + OPTIONS.above, "{name}: air above");
                let lowest = cells.range(column).find(|y| cells.is_border(column, *y)).unwrap();
                let most = (lowest + 1 - OPTIONS.below).min(limited[column]).max(bottom + 2);
                let least = (highest + 1 + OPTIONS.above - regular).max(bottom + 2);
                if least > most {
                    infeasible += 1;
                    assert_eq!(top, least, "{name}");
                    continue;
                }
                assert!(top <= most, "{name}: {top} > {most}, water below");
                tall += u32::from(top > bottom + 2);
                for other in neighbours(scene.shape, column).into_iter().flatten() {
                    let beside = found.heights[other][1];
                    assert!(top <= (beside + OPTIONS.step).max(least), "{name}: step of {top} from {beside}");
                }
            }
            assert_eq!(found.infeasible, infeasible, "{} seed {seed}", exec.describe());
            infeasible_columns += infeasible;
        }
    }
    println!("{wet} wet columns, {dry} dry, {infeasible_columns} infeasible, {tall} tall");
    assert!(
        wet > 1000 && dry > 300 && infeasible_columns > 50 && tall > 300,
        "{wet} {dry} {infeasible_columns} {tall}"
    );
}

fn hills(i: usize, k: usize) -> f32 {
    14.0 + 14.0 * (i as f32 * 0.25).sin() + 6.0 * (k as f32 * 0.3).cos()
}

const LAKE: Shape = Shape { nx: 40, nz: 33, regular: 28 };

/// Some columns of the lake with an obstacle over them, so that ramps lead down to them.
fn ceilings(lowest: i32) -> Vec<i32> {
    (0..LAKE.columns()).map(|column| if column % 97 == 5 { lowest } else { i32::MAX }).collect()
}

/// A lake over hills that rise out of it, on heights that were found for it.
fn lake(
    exec: &Executor,
    ceiling: &[i32],
    options: RemeshOptions,
    surface: impl Fn(usize, usize) -> f32 + Copy,
) -> Scene {
    let mut scene = Scene::dry(LAKE, hills).with_tops(|_, _| 8).with_surface(surface);
    // It begins with a rough guess.
    for _ in 0..SEARCHES {
        scene.heights = find(exec, &scene, ceiling, options).heights;
        scene = scene.with_surface(surface);
    }
    scene
}

/// After this many all columns have settled.
const SEARCHES: usize = 4;

fn tall_columns(heights: &[Heights]) -> usize {
    heights.iter().filter(|h| is_tall(**h)).count()
}

#[test]
fn still_water_keeps_its_heights() {
    for exec in test_executors() {
        for (step, lowest) in [(4, i32::MAX), (1, 12), (2, 11)] {
            let options = RemeshOptions { step, ..Default::default() };
            let ceiling = ceilings(lowest);
            let scene = lake(exec, &ceiling, options, |_, _| 30.3);
            let (tall, dry) = (tall_columns(&scene.heights), scene.heights.iter().filter(|h| h[0] >= 31).count());
            assert!(tall > LAKE.columns() / 4 && dry > 10, "{tall} tall columns, {dry} dry");
            let found = find(exec, &scene, &ceiling, options);
            assert!(found.heights == scene.heights, "{} step {step}", exec.describe());
            assert_eq!(found.infeasible, 0);
        }
    }
}

#[test]
fn waves_of_a_cell_move_few_heights() {
    let wave = |phase: f32| move |i: usize, k: usize| 30.3 + ((i as f32 + 0.5 * k as f32) * 0.4 + phase).sin();
    for exec in test_executors() {
        let ceiling = ceilings(i32::MAX);
        let mut scene = lake(exec, &ceiling, RemeshOptions::default(), wave(0.0));
        let (mut changed, mut tall) = ([0, 0], 0);
        for step in 1..=16 {
            scene = scene.with_surface(wave(step as f32 * 0.4));
            tall += tall_columns(&scene.heights);
            let found = [0, 4].map(|hysteresis| {
                find(exec, &scene, &ceiling, RemeshOptions { hysteresis, ..Default::default() }).heights
            });
            for (changed, heights) in changed.iter_mut().zip(&found) {
                *changed += heights.iter().zip(&scene.heights).filter(|(a, b)| a != b).count();
            }
            [_, scene.heights] = found;
        }
        let [without, with] = changed.map(|n| n as f32 / tall as f32);
        println!("{}: {with} of the tall cells change per step, without hysteresis {without}", exec.describe());
        assert!(with < 0.01 && without > 0.2, "{with} {without}");
    }
}

/// Water stands 30 cells high on the left; its face moves over the columns.
#[test]
fn no_face_of_a_dam_touches_a_tall_cell() {
    let shape = Shape { nx: 48, nz: 5, regular: 44 };
    for exec in test_executors() {
        let mut scene = Scene::dry(shape, |_, _| 0.25).with_tops(|_, _| 2);
        let mut tall = 0;
        for front in 12..40 {
            scene.fill(|i, y, _| (i as f32 - front as f32 + 0.5).max(y as f32 + 0.5 - 30.0));
            let found = find(exec, &scene, &free(&scene), RemeshOptions::default());
            assert_eq!(found.infeasible, 0);
            for k in 0..shape.nz {
                for i in [front - 1, front] {
                    assert_eq!(found.heights[i + k * shape.nx], [0, 2], "{} front {front}", exec.describe());
                }
            }
            tall += found.heights.iter().filter(|h| is_tall(**h)).count();
            scene.heights = found.heights;
        }
        assert!(tall > 1000, "{tall}");
    }
}

/// Islands, ponds over the surface of their neighbours, walls: everything that stands beside water.
#[test]
fn cliffs_and_ponds_are_no_borders() {
    let shape = Shape { nx: 3, nz: 1, regular: 20 };
    let exec = Executor::cpu().unwrap();
    // Deep water beside a wall that is higher than all of it.
    let wall = Scene::dry(shape, |i, _| [0.0, 70.5, 0.0][i]).with_tops(|_, _| 45).with_surface(|_, _| 50.2);
    let found = find(&exec, &wall, &free(&wall), OPTIONS);
    assert_eq!(found.limits[0][limit::MAX], 50 - OPTIONS.below);
    assert_eq!(found.heights[1], [70, 72]);
    assert_eq!(found.infeasible, 0);
    // A pond whose bottom is over the columns of a lake: beside it is air, so it needs cubic cells.
    let pond = Scene::dry(shape, |i, _| [0.0, 80.5, 0.0][i])
        .with_tops(|i, _| [45, 86, 45][i])
        .with_surface(|i, _| [50.2, 96.2, 50.2][i]);
    let found = find(&exec, &pond, &free(&pond), OPTIONS);
    assert_eq!((found.heights[1], found.limits[1][limit::MAX]), ([80, 82], 82));
    assert_eq!(found.limits[0][limit::MAX], 50 - OPTIONS.below);
}

/// A drop falls onto dry ground: no tall cell under it unless the regular cells would not reach it otherwise.
#[test]
fn under_a_drop_there_is_no_tall_cell_without_need() {
    let shape = Shape { nx: 9, nz: 9, regular: 30 };
    for exec in test_executors() {
        for (height, top) in [(15, 2), (40, 40 + 3 + 1 + OPTIONS.above - 30)] {
            let mut scene = Scene::dry(shape, |_, _| 0.0).with_tops(|_, _| height - 12);
            let away = |a: f32, b: f32, c: f32| (a * a + b * b + c * c).sqrt();
            scene.fill(|i, y, k| away(i as f32 - 4.0, y as f32 - height as f32, k as f32 - 4.0) - 3.5);
            let found = find(exec, &scene, &free(&scene), RemeshOptions { step: 99, ..OPTIONS });
            assert_eq!((found.heights[40], found.infeasible), ([0, top], 0), "{}", exec.describe());
            assert_eq!(found.limits[40][limit::FILLING], 1);
        }
    }
}

/// A line that rounding has bent through zero is water again; one that holds both is left alone.
#[test]
fn tall_cells_are_water_or_air() {
    let shape = Shape { nx: 24, nz: 7, regular: 30 };
    for exec in test_executors() {
        let scene = Scene::dry(shape, |i, _| 0.3 + 0.4 * i as f32)
            .with_tops(|i, _| 15 + (i as i32 % 5))
            .with_surface(|_, _| 40.3);
        let remesh = NewHeights::new(exec, shape, RemeshOptions::default()).unwrap();
        let [old, new] = [0, 1].map(|_| exec.buffer_from("heights", &scene.heights).unwrap());
        let [phi, moved] = [0, 1].map(|_| exec.buffer_from("phi", &scene.phi).unwrap());
        let ceiling = exec.buffer_from("ceiling", &free(&scene)).unwrap();
        let keel = exec.buffer_from("keel", &vec![[i32::MAX; 2]; scene.heights.len()]).unwrap();
        let reach = exec.buffer_from("reach", &vec![FREE; shape.columns()]).unwrap();
        let mut rec = exec.record();
        remesh.record(&mut rec, &old, &phi, (&ceiling, &keel, &reach), &new).unwrap();
        let transfer = DeviceRemesh { shape, old: &old, new: &new };
        transfer.transfer_cells(&mut rec, AboveTop::Distance, &phi, &moved).unwrap();
        rec.submit().unwrap();
        let (heights, before) = (exec.read(&new).unwrap(), exec.read(&moved).unwrap());
        assert!(heights != scene.heights);
        let n = shape.samples();
        let mut bent = before.clone();
        for (column, line) in bent.chunks_mut(n).enumerate() {
            line[column % 2] = 0.25;
        }
        for (field, after_same) in [(before, true), (bent, false)] {
            exec.write(&moved, 0, &field).unwrap();
            let mut rec = exec.record();
            remesh.resign(&mut rec, &new, &moved).unwrap();
            rec.submit().unwrap();
            let after = exec.read(&moved).unwrap();
            assert!(!after_same || after == field, "{}", exec.describe());
            let mut tall = 0;
            for (column, h) in heights.iter().enumerate() {
                let (line, given) = (&after[column * n..][..n], &field[column * n..][..n]);
                assert!(line[2..] == given[2..]);
                if is_tall(*h) {
                    tall += 1;
                    assert!(line[0] <= -1.0 && line[1] <= -1.0, "{} column {column}: {line:?}", exec.describe());
                } else {
                    assert!(line == given);
                }
            }
            assert!(tall > 100, "{tall}");
        }
    }
}

/// Columns under a source keep cubic cells up to it, wet or dry, and none of its jet is in a tall cell.
#[test]
fn columns_reach_up_to_sources() {
    let shape = Shape { nx: 12, nz: 3, regular: 20 };
    for exec in test_executors() {
        let scene = Scene::dry(shape, |i, _| if i < 6 { 0.3 } else { 12.0 })
            .with_tops(|i, _| if i < 6 { 2 } else { 14 })
            .with_surface(|_, _| 10.3);
        let mut reach = vec![FREE; shape.columns()];
        (reach[3], reach[9]) = ([40, i32::MAX], [60, i32::MAX]);
        let free = vec![i32::MAX; shape.columns()];
        let found = find_reaching(exec, &scene, (&free, &reach), RemeshOptions::default());
        assert!(found.heights[3][1] + 20 >= 40, "{:?}", found.heights[3]);
        assert_eq!(found.heights[9], [12, 40], "dry");
        reach[3] = [0, 1];
        let found = find_reaching(exec, &scene, (&free, &reach), RemeshOptions::default());
        assert_eq!(found.heights[3], [0, 2], "a jet on the ground");
    }
}

/// Cubic cells follow the flow around what moves as deep as columns have them, but waves of a few cells leave columns as
/// they are. Where columns reach the ground nothing is kept back.
#[test]
fn waves_do_not_move_columns_that_follow_a_flow() {
    let shape = Shape { nx: 9, nz: 5, regular: 30 };
    let (free, reach) = (vec![i32::MAX; shape.columns()], vec![FREE; shape.columns()]);
    for exec in test_executors() {
        for (asked, most) in [(50, 50), (5, 34 + 2 * OPTIONS.hysteresis)] {
            let keel = vec![[i32::MAX, asked]; shape.columns()];
            let below = |scene: &Scene| find_below(exec, scene, (&free, &keel, &reach), OPTIONS);
            let mut scene = Scene::dry(shape, |_, _| 0.0).with_tops(|_, _| 54).with_surface(|_, _| 60.6);
            let found = below(&scene);
            let name = format!("{}, asked for {asked}", exec.describe());
            assert_eq!(found.limits[0][..2], [34, most], "{name}");
            let middle = (34 + most) / 2;
            assert!(found.heights.iter().all(|h| *h == [0, middle]), "{name}: {:?}", found.heights);
            for wave in [-3.0, 3.0] {
                scene = Scene { heights: found.heights.clone(), ..scene }.with_surface(|_, _| 60.6 + wave);
                assert_eq!(below(&scene).heights, found.heights, "{name}, wave of {wave}");
            }
        }
        let scene = Scene::dry(shape, |_, _| 0.0).with_tops(|_, _| 9).with_surface(|_, _| 16.6);
        let keel = vec![[i32::MAX, 1]; shape.columns()];
        let found = find_below(exec, &scene, (&free, &keel, &reach), OPTIONS);
        assert!(found.heights.iter().all(|h| *h == [0, 2]), "{}: {:?}", exec.describe(), found.heights);
    }
}
