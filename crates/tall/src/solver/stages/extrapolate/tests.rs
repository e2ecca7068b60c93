//! What each rule promises, on every executor, and both executors against each other.

use thalweg_columns::Shape;
use thalweg_columns::cells_and_faces::{DIRECTIONS, Faces, Spot};
use thalweg_columns::grid::{is_tall, world_cell};
use thalweg_compute::Executor;
use thalweg_compute::parity::{Rng, test_executors};

use super::parity::{Bench, Outcome, random_velocity};
use super::{BALANCED, CLOSED, FAR, LEAST_OPENING};
use crate::testing::{Scene, random_scene};

impl Bench {
    fn spread(&self, exec: &Executor, passes: u32) -> Outcome {
        let mut rec = exec.record();
        self.stage.record_spread(&mut rec, self.buffers(), passes, f32::INFINITY).expect("recorded");
        rec.submit().expect("done");
        self.outcome(exec)
    }

    fn run(&self, exec: &Executor, passes: u32) -> Outcome {
        self.run_within(exec, passes, f32::INFINITY)
    }

    /// However fast faces become.
    fn run_in_haste(&self, exec: &Executor, passes: u32) -> Outcome {
        let mut rec = exec.record();
        self.stage.record_spread(&mut rec, self.buffers(), passes, f32::INFINITY).expect("recorded");
        for layer in 1..=BALANCED {
            self.stage.record_balance(&mut rec, self.buffers(), layer, f32::INFINITY).expect("recorded");
        }
        rec.submit().expect("done");
        self.outcome(exec)
    }
}

/// Velocities that hold `value(plane, column, y)` where the first pass of a run finds them known, and nonsense
/// elsewhere.
fn known_velocity(exec: &Executor, scene: &Scene, value: impl Fn(usize, usize) -> f32) -> Bench {
    let shape = scene.shape;
    let nonsense = vec![1e6; 3 * shape.len()];
    let bench = Bench::new(exec, scene, &nonsense, &vec![1e6; shape.columns()]);
    let first = bench.spread(exec, 0);
    let n = shape.samples();
    let of = |at: usize| (at / shape.len(), at % shape.len() / n);
    let faces: Vec<f32> =
        (0..3 * shape.len()).map(|at| if first.known[at] == 0 { value(of(at).0, of(at).1) } else { 1e6 }).collect();
    let inner: Vec<f32> = (0..shape.columns()).map(|column| value(1, column)).collect();
    exec.write(&bench.faces, 0, &faces).unwrap();
    exec.write(&bench.inner, 0, &inner).unwrap();
    bench
}

/// To the last bit, wherever a pass arrives.
#[test]
fn constant_velocities_are_continued() {
    const VELOCITY: [f32; 3] = [0.1, -0.7, 1.3];
    for exec in test_executors() {
        let mut reached = 0;
        for seed in 0..24 {
            let scene = random_scene(&mut Rng::new(seed), seed);
            let bench = known_velocity(exec, &scene, |plane, _| VELOCITY[plane]);
            let got = bench.spread(exec, 5);
            for (at, known) in got.known.iter().enumerate() {
                let expected = if *known <= 5 { VELOCITY[at / scene.shape.len()] } else { 1e6 };
                assert_eq!(got.faces[at], expected, "{} seed {seed} entry {at}: {known}", exec.describe());
                reached += usize::from((1..=5).contains(known));
            }
            assert!(got.inner.iter().all(|v| *v == VELOCITY[1]), "{} seed {seed}", exec.describe());
        }
        assert!(reached > 2000, "only {reached} faces in the air");
    }
}

/// Two pools at a wall of closed faces keep their own velocities, around every kind of face.
#[test]
fn nothing_leaks_through_a_closed_wall() {
    const WALL: usize = 5;
    let shape = Shape { nx: 11, nz: 4, regular: 12 };
    let heights = (0..shape.columns()).map(|c| [0, if c % 3 == 0 { 5 } else { 2 }]).collect();
    let mut scene = Scene::new(shape, heights, |[i, y, _]| y - if i < WALL as f32 { 5.3 } else { 7.8 });
    for k in 0..shape.nz {
        scene.close_x(WALL + k * shape.nx);
    }
    for exec in test_executors() {
        let side = |column: usize| if column % shape.nx < WALL { 1.0 } else { 2.0 };
        let got = known_velocity(exec, &scene, |_, column| side(column)).spread(exec, 14);
        for (at, known) in got.known.iter().enumerate() {
            let column = at % shape.len() / shape.samples();
            let expected = if *known < CLOSED { side(column) } else { 1e6 };
            assert_eq!(got.faces[at], expected, "{} entry {at}: {known}", exec.describe());
        }
        assert!(!got.known.contains(&FAR), "air is left over");
    }
}

/// Over a flat surface velocities go straight up: a field that changes along the surface stays as it is.
#[test]
fn fields_along_a_flat_surface_stay_exact() {
    let shape = Shape { nx: 9, nz: 7, regular: 12 };
    let heights = (0..shape.columns()).map(|c| [0, [2, 4, 5][c % 3]]).collect();
    let scene = Scene::new(shape, heights, |[_, y, _]| y - 6.4);
    let field = |plane: usize, column: usize| {
        let (i, k) = ((column % shape.nx) as f32, (column / shape.nx) as f32);
        0.3 * i - 0.7 * k + plane as f32
    };
    for exec in test_executors() {
        let got = known_velocity(exec, &scene, field).spread(exec, 6);
        let mut reached = 0;
        for (at, known) in got.known.iter().enumerate().filter(|(_, known)| **known <= 6) {
            let (plane, column) = (at / shape.len(), at % shape.len() / shape.samples());
            let error = (got.faces[at] - field(plane, column)).abs();
            assert!(error <= 1e-6, "{} entry {at}: {error:e}", exec.describe());
            reached += usize::from(*known > 0);
        }
        assert!(reached > 500, "only {reached} faces in the air");
    }
}

/// Outflow of a cell, the sum of its magnitudes, and the open area of its faces towards higher layers.
fn outflow(faces: &Faces<'_>, got: &Outcome, spot: Spot, layer: u32) -> (f64, f64, f32) {
    let (mut sum, mut size, mut opening) = (0.0, 0.0, 0.0);
    for direction in 0..DIRECTIONS {
        let Some(next) = spot.step(faces.shape, direction) else { continue };
        let face = spot.face(faces.shape, direction);
        let Some(holder) = faces.holder(face) else { continue };
        let at = faces.start(face) + holder.entry;
        let flux = f64::from(faces.aperture[at]) * f64::from(got.faces[at]);
        sum += if direction % 2 == 1 { flux } else { -flux };
        size += flux.abs();
        let heights = faces.heights[next.column];
        let sample = if next.y < heights[1] - 1 && is_tall(heights) { 1 } else { next.y - heights[1] + 2 };
        let above = sample as usize >= faces.shape.samples();
        let next_layer = || got.layers[next.column * faces.shape.samples() + sample as usize];
        if above || next_layer() > layer {
            opening += faces.aperture[at];
        }
    }
    (sum, size, opening)
}

#[test]
fn two_layers_of_air_are_free_of_divergence() {
    for exec in test_executors() {
        let (mut cells, mut worst, mut stuck) = (0, 0.0_f64, 0);
        for seed in 0..24 {
            let mut rng = Rng::new(seed);
            let scene = random_scene(&mut rng, seed);
            let (faces, inner) = random_velocity(&mut rng, scene.shape);
            let got = Bench::new(exec, &scene, &faces, &inner).run_in_haste(exec, 3);
            let n = scene.shape.samples();
            let faces = Faces { shape: scene.shape, heights: &scene.heights, aperture: &scene.aperture };
            for (at, layer) in got.layers.iter().enumerate().filter(|(_, layer)| (1..=BALANCED).contains(*layer)) {
                let spot = Spot { column: at / n, y: world_cell(scene.heights[at / n], at % n) };
                let (sum, size, opening) = outflow(&faces, &got, spot, *layer);
                if opening < LEAST_OPENING {
                    stuck += 1;
                    continue;
                }
                cells += 1;
                worst = worst.max(sum.abs() / size.max(1e-3));
            }
        }
        println!("{}: divergence at most {worst:.1e} in {cells} cells, {stuck} without a way out", exec.describe());
        assert!(cells > 1000 && worst < 1e-5, "{}: {worst:e} in {cells} cells", exec.describe());
    }
}

/// Water rises into a cell that only its upper side leads out of: through four fifths of a face faster, through half of
/// it as fast as may be, through a sliver not faster at all.
#[test]
fn nothing_shoots_through_slivers() {
    for (open, velocity) in [(0.8, 1.25), (0.5, 1.5), (0.1, 1.0)] {
        let mut scene = Scene::uniform([3, 9, 3], |[_, y, _]| y - 3.5);
        let middle = 4;
        for side in
            [scene.at(0, middle, 4), scene.at(0, middle + 1, 4), scene.at(2, middle, 4), scene.at(2, middle + 3, 4)]
        {
            scene.aperture[side] = 0.0;
        }
        let way_out = scene.at(1, middle, 5);
        scene.aperture[way_out] = open;
        for exec in test_executors() {
            let bench = known_velocity(exec, &scene, |plane, _| if plane == 1 { 1.0 } else { 0.0 });
            let got = bench.run(exec, 3);
            assert_eq!(got.layers[middle * scene.shape.samples() + 4], 1);
            assert!((got.faces[way_out] - velocity).abs() < 1e-6, "{}: {}", exec.describe(), got.faces[way_out]);
        }
    }
}

/// Entries that hold the same face twice agree: the single face of a run, and that between two cells at the bottom.
#[test]
fn faces_stored_twice_agree() {
    for exec in test_executors() {
        let mut twice = 0;
        for seed in 0..24 {
            let mut rng = Rng::new(seed);
            let scene = random_scene(&mut rng, seed);
            let (mut faces, mut inner) = random_velocity(&mut rng, scene.shape);
            let grid = Faces { shape: scene.shape, heights: &scene.heights, aperture: &scene.aperture };
            let single = |plane: usize, column: usize| {
                grid.span(plane, column).is_some_and(|span| span.run[1] - span.run[0] == 1)
            };
            let doubles: Vec<usize> = (0..2 * scene.shape.columns())
                .filter(|c| single(2 * (c % 2), c / 2))
                .map(|c| scene.at(2 * (c % 2), c / 2, 0))
                .collect();
            doubles.iter().for_each(|at| faces[*at] = faces[at + 1]);
            let middle = |column: usize| scene.at(1, column, 1);
            let pairs: Vec<usize> = (0..scene.shape.columns()).filter(|c| !is_tall(scene.heights[*c])).collect();
            pairs.iter().for_each(|column| inner[*column] = faces[middle(*column)]);
            let got = Bench::new(exec, &scene, &faces, &inner).run(exec, 4);
            assert!(doubles.iter().all(|at| got.faces[*at] == got.faces[at + 1]), "{} seed {seed}", exec.describe());
            assert!(pairs.iter().all(|c| got.inner[*c] == got.faces[middle(*c)]), "{} seed {seed}", exec.describe());
            twice += doubles.len().min(pairs.len());
        }
        assert!(twice > 100, "only {twice} faces");
    }
}

/// Faces in reach are as without a limit, others as they were.
#[test]
fn out_of_reach_nothing_changes() {
    for exec in test_executors() {
        let shape = Shape { nx: 6, nz: 5, regular: 14 };
        let scene = Scene::new(shape, vec![[0, 2]; 30], |[_, y, _]| y - 4.3);
        let mut rng = Rng::new(7);
        let (faces, inner) = random_velocity(&mut rng, shape);
        let all = Bench::new(exec, &scene, &faces, &inner).run(exec, 6);
        let near = Bench::new(exec, &scene, &faces, &inner).run_within(exec, 6, 4.0);
        let n = shape.samples();
        let (mut changed, mut kept) = (0, 0);
        for at in (2 * shape.len()..3 * shape.len()).filter(|at| (at / n) % shape.columns() >= shape.nx) {
            // World cells at 8.3 and above are 4 cells from the water.
            let is_near = at % n < 9;
            assert_eq!(near.faces[at], if is_near { all.faces[at] } else { faces[at] }, "{} {at}", exec.describe());
            changed += usize::from(is_near && near.faces[at] != faces[at]);
            kept += usize::from(!is_near && all.faces[at] != faces[at]);
        }
        assert!(changed > 20 && kept > 20, "{changed} {kept}");
    }
}
