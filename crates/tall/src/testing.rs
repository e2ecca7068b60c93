//! Random scenes for the tests of kernels.

use thalweg_columns::grid::{is_tall, neighbours, world_cell};
use thalweg_columns::interpolate::SideSpan;
use thalweg_columns::{Heights, Shape};
use thalweg_compute::parity::Rng;
use thalweg_compute::{Buffer, Executor};

/// Columns with a level set (cells) and open fractions of faces.
#[derive(Debug, Clone)]
pub(crate) struct Scene {
    pub(crate) shape: Shape,
    pub(crate) heights: Vec<Heights>,
    pub(crate) phi: Vec<f32>,
    pub(crate) aperture: Vec<f32>,
}

/// A [`Scene`] in the memory of an executor.
#[derive(Debug)]
pub(crate) struct SceneBuffers {
    pub(crate) heights: Buffer<[i32; 2]>,
    pub(crate) phi: Buffer<f32>,
    pub(crate) aperture: Buffer<f32>,
}

/// Awkward sizes: slices, single columns, thin layers, odd numbers.
const SHAPES: [(usize, usize, usize); 8] =
    [(13, 9, 7), (16, 16, 8), (17, 1, 9), (1, 11, 8), (5, 3, 6), (21, 6, 13), (2, 2, 7), (9, 18, 10)];

impl Scene {
    /// Everything open, a level set given at points in cells.
    pub(crate) fn new(shape: Shape, heights: Vec<Heights>, phi: impl Fn([f32; 3]) -> f32) -> Self {
        let n = shape.samples();
        let at = |at: usize| {
            let (column, sample) = (at / n, at % n);
            let y = world_cell(heights[column], sample);
            phi([(column % shape.nx) as f32, y as f32, (column / shape.nx) as f32])
        };
        let phi = (0..shape.len()).map(at).collect();
        let aperture = open_faces(shape, &heights);
        Self { shape, heights, phi, aperture }
    }

    /// Single cells of `nx × ny × nz` on flat ground.
    #[cfg(test)]
    pub(crate) fn uniform([nx, ny, nz]: [usize; 3], phi: impl Fn([f32; 3]) -> f32) -> Self {
        let shape = Shape { nx, nz, regular: ny - 2 };
        Self::new(shape, vec![[0, 2]; shape.columns()], phi)
    }

    pub(crate) fn upload(&self, exec: &Executor) -> SceneBuffers {
        let stored = "the scene fits into the memory";
        SceneBuffers {
            heights: exec.buffer_from("heights", &self.heights).expect(stored),
            phi: exec.buffer_from("phi", &self.phi).expect(stored),
            aperture: exec.buffer_from("aperture", &self.aperture).expect(stored),
        }
    }

    /// Closes the whole face column between a column and the one before it in x.
    pub(crate) fn close_x(&mut self, column: usize) {
        let n = self.shape.samples();
        self.aperture[column * n..(column + 1) * n].fill(0.0);
    }

    /// Index of an entry in the three planes.
    pub(crate) fn at(&self, plane: usize, column: usize, entry: usize) -> usize {
        plane * self.shape.len() + column * self.shape.samples() + entry
    }
}

/// 1 for every face that exists, 0 for entries that are none.
pub(crate) fn open_faces(shape: Shape, heights: &[Heights]) -> Vec<f32> {
    let n = shape.samples();
    let is_open = |at: usize| {
        let (plane, column, entry) = (at / shape.len(), at % shape.len() / n, at % n);
        if plane == 1 {
            return true;
        }
        let other = neighbours(shape, column)[plane];
        other.is_some_and(|other| SideSpan::new(heights[other], heights[column], n).has(entry))
    };
    (0..3 * shape.len()).map(|at| if is_open(at) { 1.0 } else { 0.0 }).collect()
}

/// Rough terrain, partly above a wavy surface; tall cells from none to deep, all inside the water; walls, half-open
/// faces and lids in two of three scenes.
pub(crate) fn random_scene(rng: &mut Rng, number: u64) -> Scene {
    let (nx, nz, regular) = SHAPES[number as usize % SHAPES.len()];
    let shape = Shape { nx, nz, regular };
    let depth = [2.0, 6.0, 14.0, 40.0][rng.below(4) as usize];
    let tall = rng.below(4) > 0;
    let [a, b, c] = [rng.range(0.2, 0.6), rng.range(0.2, 0.6), rng.range(0.0, 6.0)];
    let height = rng.range(0.3, 1.8);
    let surface = |i: f32, k: f32| height * ((a * i + c).sin() + (b * k).cos());
    let rough = 1 + rng.below(4);
    let heights = (0..shape.columns())
        .map(|column| {
            let (i, k) = ((column % nx) as f32, (column / nx) as f32);
            let island = if rng.below(12) == 0 { depth + 1.0 } else { 0.0 };
            let bottom = (island - depth + (0.3 * i).sin() * 0.3 * depth) as i32 + rng.below(rough) as i32;
            // The top of a tall cell is two to four cells below the surface.
            let top = surface(i, k).floor() as i32 - 1 - rng.below(3) as i32;
            [bottom, if tall { top.max(bottom + 2) } else { bottom + 2 }]
        })
        .collect();
    // Slopes differ from 1, and some air is inside the water; never in tall cells.
    let slope = rng.range(0.6, 1.5);
    let mut scene = Scene::new(shape, heights, |[i, y, k]| slope * (y - surface(i, k)));
    let n = shape.samples();
    for (at, phi) in scene.phi.iter_mut().enumerate() {
        let is_end = at % n < 2 && is_tall(scene.heights[at / n]);
        if !is_end && rng.below(25) == 0 {
            *phi = rng.range(-0.9, 0.9);
        }
    }
    if !number.is_multiple_of(3) {
        add_walls(rng, &mut scene);
    }
    scene
}

fn add_walls(rng: &mut Rng, scene: &mut Scene) {
    let Shape { nx, .. } = scene.shape;
    for aperture in &mut scene.aperture {
        *aperture *= match rng.below(12) {
            0 => 0.0,
            1 | 2 => rng.range(0.1, 1.0),
            _ => 1.0,
        };
    }
    let wall = rng.below(nx as u32) as usize;
    for column in (wall..scene.shape.columns()).step_by(nx) {
        scene.close_x(column);
    }
    for column in 0..scene.shape.columns() {
        if rng.below(4) == 0 {
            let lid = scene.at(1, column, 0);
            scene.aperture[lid] = 0.0;
        }
    }
}

/// Tests over random scenes are worth what the scenes contain.
#[test]
fn random_scenes_have_everything() {
    let (mut tall, mut dry, mut runs, mut single, mut uniform) = (0, 0, 0, 0, 0);
    for seed in 0..24 {
        let scene = random_scene(&mut Rng::new(seed), seed);
        let n = scene.shape.samples();
        uniform += usize::from(!scene.heights.iter().any(|h| is_tall(*h)));
        for (column, heights) in scene.heights.iter().enumerate() {
            let line = &scene.phi[column * n..(column + 1) * n];
            assert!(!is_tall(*heights) || (line[0] < 0.0 && line[1] < 0.0), "seed {seed}: air in a tall cell");
            tall += usize::from(is_tall(*heights));
            dry += usize::from(line.iter().all(|phi| *phi >= 0.0));
            for other in neighbours(scene.shape, column).into_iter().flatten() {
                let run = SideSpan::new(*heights, scene.heights[other], n).run;
                runs += usize::from(run[1] - run[0] > 2);
                single += usize::from(run[1] - run[0] == 1);
            }
        }
    }
    println!("{tall} tall, {dry} dry, {runs} runs, {single} of one face, {uniform} scenes without tall cells");
    assert!(tall > 300 && dry > 20 && runs > 300 && single > 100 && uniform > 2);
}
