//! Each kernel on both executors and against the host; then what projections promise, on every executor.

use thalweg_columns::FaceVelocity;
use thalweg_columns::grid::is_tall;
use thalweg_columns::testing::{FaceBuffers, random_velocity};
use thalweg_columns::{ColumnGrid, Shape};
use thalweg_compute::parity::{Rng, physics_executors, test_executors};
use thalweg_compute::{Buffer, Executor};

use super::DeviceStaggered;
use super::parity::{CELL, Input, host_level, input, operate, options};
use crate::constants::plane;
use crate::device::testing::{Scene, lake};
use crate::device::{DeviceHierarchy, DeviceSolver, DeviceStop, SolverOptions};
use crate::fields::Fields;
use crate::level::Level;
use crate::velocity::{self, Staggered};

#[test]
fn operators_on_the_cpu_executor_are_those_of_the_host() {
    let exec = Executor::cpu().unwrap();
    let (mut fitted, mut moving) = (0, 0);
    for seed in 0..48 {
        let input = input(&mut Rng::new(seed), seed);
        let got = operate(&exec, &input);
        let Input { level, u, q, solid } = &input;
        let host = if solid.is_empty() { Staggered::new(level) } else { Staggered::with_solids(level, solid) };
        let (mut b, mut u) = (vec![f32::NAN; q.len()], u.clone());
        host.rhs(&u, &mut b);
        host.update(q, &mut u);
        assert!(got.b == b && got.u == u, "seed {seed}");
        assert!(got.aperture == velocity::apertures(level), "seed {seed}");
        moving += usize::from(!solid.is_empty());
        fitted += cut_overlaps(level, &got.aperture);
    }
    assert!(fitted > 100 && moving > 10, "the scenes must reach every branch: {fitted} fits, {moving} with solids");
}

/// Overlaps of tall cells that the surface cuts: those whose gradient is fitted.
fn cut_overlaps(level: &Level<f32>, aperture: &[f32]) -> usize {
    let Shape { nx, .. } = level.grid.shape;
    let (n, heights) = (level.grid.shape.samples(), &level.grid.heights);
    let cut = |column: usize| {
        let [lo, hi] = thalweg_columns::grid::face_heights(heights[column - 1], heights[column]);
        let (a, w) = (&aperture[column * n..][..2], &level.weights[column * n..][..2]);
        hi - lo > 2 && a != w && (a[0] > 0.0 || a[1] > 0.0)
    };
    (0..heights.len()).filter(|column| !column.is_multiple_of(nx) && cut(*column)).count()
}

/// A solver with its operators and buffers.
struct Projector {
    solver: DeviceSolver,
    operators: DeviceStaggered,
    b: Buffer<f32>,
    q: Buffer<f32>,
}

impl Projector {
    fn new(exec: &Executor, scene: &Scene) -> Self {
        let h = DeviceHierarchy::new(exec, &scene.grid, &scene.fields, options()).unwrap();
        let operators = DeviceStaggered::new(exec, &h, scene.grid.cell, false).unwrap();
        let len = scene.grid.shape.len();
        let (b, q) = (exec.buffer("b", len).unwrap(), exec.buffer("q", len).unwrap());
        Self { solver: DeviceSolver::new(exec, h, SolverOptions::default()).unwrap(), operators, b, q }
    }

    fn rhs(&self, exec: &Executor, u: &FaceBuffers) -> Vec<f32> {
        let mut rec = exec.record();
        self.operators.rhs(&mut rec, self.solver.hierarchy(), &u.faces, &u.inner, &self.b).unwrap();
        rec.submit().unwrap();
        exec.read(&self.b).unwrap()
    }

    /// Right-hand side, solve from the pressure of the last time, update.
    fn project(&mut self, exec: &Executor, u: &FaceBuffers, relative: f32) {
        self.project_refined(exec, u, relative, 0);
    }

    /// The same with further solves: each begins with the residual of the pressure so far, formed from differences.
    fn project_refined(&mut self, exec: &Executor, u: &FaceBuffers, relative: f32, refinements: usize) {
        let mut rec = exec.record();
        let stop = DeviceStop { residual: 0.0, relative, iterations: self.solver.options().iterations };
        self.operators.rhs(&mut rec, self.solver.hierarchy(), &u.faces, &u.inner, &self.b).unwrap();
        for _ in 0..=refinements {
            self.solver.solve(&mut rec, &self.b, &self.q, stop).unwrap();
        }
        self.operators.update(&mut rec, self.solver.hierarchy(), &self.q, &u.faces, &u.inner).unwrap();
        rec.submit().unwrap();
    }
}

fn largest<'a>(values: impl IntoIterator<Item = &'a f32>) -> f32 {
    values.into_iter().fold(0.0, |a, v| if v.abs() > a || v.is_nan() { v.abs() } else { a })
}

/// `g Δt`, m/s.
const G_DT: f32 = 9.81 / 30.0;

/// Still water over hilly ground, with two islands and tall cells of 2 to 40 cells.
fn still_lake() -> Scene {
    let shape = Shape { nx: 23, nz: 9, regular: 16 };
    let (mut terrain, mut tall) = (Vec::new(), Vec::new());
    let mut rng = Rng::new(1);
    for column in 0..shape.columns() {
        let (i, k) = ((column % shape.nx) as f32, (column / shape.nx) as f32);
        let wave = (0.26 * i + 1.0).sin() * (0.1 * k).cos();
        let island = column % 83 == 20; // 2.6 cells above the water
        let top = if island { 36 } else { 20 + rng.below(4) as i32 };
        let height = if island { 2 } else { (21.0 + 20.0 * wave).round().clamp(2.0, 40.0) as i32 };
        terrain.push(top - height);
        tall.push(height);
    }
    let grid = ColumnGrid::new(shape, 0.25, &terrain, &tall).unwrap();
    let n = shape.samples();
    let phi: Vec<f32> =
        (0..shape.len()).map(|i| (grid.world_cell(i / n, i % n) as f32 + 0.5 - 31.37) * grid.cell as f32).collect();
    Scene { fields: Fields::open_water(&grid, &phi).unwrap(), grid }
}

#[test]
fn still_water_stays_still() {
    let scene = still_lake();
    let level = host_level(&scene);
    assert!(level.has_tall() && level.unknowns() > 500);
    let (n, len) = (scene.grid.shape.samples(), scene.grid.shape.len());
    // `q = g Δt (depth)`.
    let exact =
        |at: usize| (31.37 - scene.grid.world_cell(at / n, at % n) as f32 - 0.5) * scene.grid.cell as f32 * G_DT;
    let deepest = (0..len).map(exact).fold(0.0, f32::max);
    // Nothing here damps a circulation, so that what rounding makes of a column's pressure adds up, evenly: 1.2e-7 g Δt
    // a step on the processor, 2.0e-7 on an H200. A sixteenth of the last place of the deepest pressure is 3.8e-7.
    let rounding = deepest * f32::EPSILON / 16.0 / (G_DT * scene.grid.cell as f32);
    for exec in physics_executors() {
        let mut projector = Projector::new(exec, &scene);
        let mut u = FaceVelocity::zero(scene.grid.shape);
        let buffers = FaceBuffers::new(exec, &u);
        let mut fastest = 0.0f32;
        for step in 0..600 {
            u.accelerate([0.0, -G_DT, 0.0]);
            buffers.write(exec, &u);
            projector.project_refined(exec, &buffers, 1e-6, usize::from(step == 0));
            u = buffers.read(exec);
            if step == 0 {
                let q = exec.read(&projector.q).unwrap();
                let wet = (0..len).filter(|at| level.diagonal[*at] > 0.0);
                let off = wet.map(|at| (q[at] - exact(at)).abs()).fold(0.0, f32::max) / deepest;
                println!("{}: pressure off by {off:.1e}", exec.describe());
                println!("rounding allows {rounding:.1e} g Δt a step");
                assert!(off < 1e-5, "{}: pressure off by {off:e}", exec.describe());
            }
            let faces = u.faces.iter().zip(&level.weights).filter(|(_, w)| **w > 0.0).map(|(u, _)| u);
            let inner = u.inner.iter().enumerate().filter(|(c, _)| level.weights[len + c * n + 1] > 0.0);
            fastest = fastest.max(largest(faces.chain(inner.map(|(_, v)| v))) / G_DT);
            let most = 2e-5 + rounding * step as f32;
            assert!(fastest < most, "{} step {step}: {fastest:e} g Δt, at most {most:e}", exec.describe());
        }
        println!("{}: still water moves at {fastest:.1e} g Δt after 600 steps", exec.describe());
    }
}

/// Lakes with tall cells, without, and with half-open faces.
fn lakes() -> [Scene; 3] {
    let mut porous = lake(24, 17, 10, true);
    let mut rng = Rng::new(4);
    for open in &mut porous.fields.open {
        *open = if rng.below(4) == 0 { rng.range(0.2, 1.0) } else { 1.0 };
    }
    let mut lakes = [lake(24, 17, 10, true), lake(24, 17, 10, false), porous];
    lakes.iter_mut().for_each(|lake| lake.grid.cell = CELL);
    lakes
}

#[test]
fn projecting_twice_is_projecting_once() {
    for exec in test_executors() {
        for (number, scene) in lakes().iter().enumerate() {
            let level = host_level(scene);
            let host = Staggered::new(&level);
            let mut projector = Projector::new(exec, scene);
            let start = random_velocity(&mut Rng::new(number as u64), scene.grid.shape);
            let buffers = FaceBuffers::new(exec, &start);
            let before = largest(&projector.rhs(exec, &buffers));
            projector.project(exec, &buffers, 3e-6);
            let once = buffers.read(exec);
            let after = largest(&projector.rhs(exec, &buffers));
            exec.write(&projector.q, 0, &vec![0.0; scene.grid.shape.len()]).unwrap();
            projector.project(exec, &buffers, 3e-6);
            let twice = buffers.read(exec);
            let change = |a: &FaceVelocity<f32>, b: &FaceVelocity<f32>| {
                let both = |u: &FaceVelocity<f32>| [&u.faces[..], &u.inner[..]].concat();
                largest(&both(a).iter().zip(both(b)).map(|(a, b)| a - b).collect::<Vec<_>>())
            };
            let (first, second) = (change(&start, &once), change(&once, &twice));
            let energy = [&start, &once, &twice].map(|u| host.kinetic_energy(u, 1000.0));
            let name = format!("{} lake {number}", exec.describe());
            println!(
                "{name}: divergence to {:.1e}, second change {:.1e} of the first, energy {:.3} and {:.7}",
                after / before,
                second / first,
                energy[1] / energy[0],
                energy[2] / energy[1]
            );
            assert!(before > 0.1 && after <= 1e-4 * before, "{name}: {before} to {after:e}");
            assert!(first > 0.1 && second <= 1e-3 * first, "{name}: {first}, then {second:e}");
            assert!(energy[1] < energy[0] && energy[2] <= energy[1] * (1.0 + 1e-6), "{name}: {energy:?} J");
        }
    }
}

/// Solids of another hierarchy come in with [`DeviceStaggered::refresh`].
#[test]
fn apertures_follow_the_solids() {
    for exec in test_executors() {
        let mut scene = lake(12, 9, 6, true);
        let h = DeviceHierarchy::new(exec, &scene.grid, &scene.fields, options()).unwrap();
        let operators = DeviceStaggered::new(exec, &h, CELL, false).unwrap();
        let before = exec.read(operators.aperture()).unwrap();
        let mut rng = Rng::new(2);
        for (index, solid) in scene.fields.solid.iter_mut().enumerate() {
            let column = scene.grid.heights[index / scene.grid.shape.samples()];
            *solid = if rng.below(5) == 0 && is_tall(column) { 1.0 } else { 0.0 };
        }
        exec.write(h.cells(), plane::SOLID * h.samples(), &scene.fields.solid).unwrap();
        let mut rec = exec.record();
        operators.refresh(&mut rec, &h).unwrap();
        rec.submit().unwrap();
        let after = exec.read(operators.aperture()).unwrap();
        assert!(after == velocity::apertures(&host_level(&scene)), "{}", exec.describe());
        assert!(after != before);
    }
}
