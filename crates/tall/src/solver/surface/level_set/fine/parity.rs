use thalweg_columns::grid::world_cell;
use thalweg_columns::{Heights, Shape};
use thalweg_compute::parity::{Outputs, Rng, Tolerance};
use thalweg_compute::{Dispatch, Executor, Result};

use super::{FineEnds, FineGrid, FineHeights, FineOpen, FineParams, FineSolid, FineVolume, Restrict, fine_heights};
use crate::solver::view::statistics::{StatsParams, StatsTotal, WORDS, word};
use crate::testing::{Scene, random_scene};

pub(super) fn params(shape: Shape) -> FineParams {
    FineParams { nx: shape.nx as u32, nz: shape.nz as u32, samples: shape.samples() as u32 }
}

/// A level set on the fine columns of a scene, given at points in cells with centres of cells at integers.
pub(super) fn fine_of(grid: FineGrid, heights: &[Heights], phi: impl Fn([f32; 3]) -> f32) -> Vec<f32> {
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
pub(super) fn random_fine(rng: &mut Rng, scene: &Scene) -> Vec<f32> {
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

fn fine(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    for number in 0..16 {
        let rng = &mut rng.clone();
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
    }
    Ok(())
}

/// Words of the statistics of what a fine level set holds.
pub(super) fn volume_words(
    exec: &Executor,
    scene: &Scene,
    terrain: &[f32],
    solid: &[f32],
    fine: &[f32],
) -> Result<Vec<u32>> {
    let groups = 3;
    let p = StatsParams {
        nx: scene.shape.nx as u32,
        nz: scene.shape.nz as u32,
        samples: scene.shape.samples() as u32,
        groups,
    };
    let heights = exec.buffer_from("heights", &scene.heights)?;
    let terrain = exec.buffer_from("terrain", terrain)?;
    let solid = exec.buffer_from("solid", solid)?;
    let fine = exec.buffer_from("fine", fine)?;
    // Words that other kernels write are zero here, and broken values are counted on.
    let partials = exec.zeros("partials", groups as usize * WORDS)?;
    let result = exec.buffer("result", WORDS)?;
    let mut rec = exec.record();
    let kernel = FineVolume { heights: &heights, terrain: &terrain, solid: &solid, fine: &fine, partials: &partials };
    rec.run(&kernel, &p, Dispatch::Groups([groups, 1, 1]))?;
    rec.run(&StatsTotal { partials: &partials, result: &result }, &p, Dispatch::Groups([1, 1, 1]))?;
    rec.submit()?;
    exec.read(&result)
}

/// Sums of thousands of shares of cells, taken in another order. A share that is 1 but for a rounding counts as a full
/// cell or as a part of one, so that only both together are compared.
fn fine_volume(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    for number in 0..16 {
        let rng = &mut rng.clone();
        (0..number).for_each(|_| _ = rng.next_u64());
        let scene = random_scene(rng, number);
        let terrain: Vec<f32> = scene.heights.iter().map(|h| h[0] as f32 + rng.range(0.0, 1.0)).collect();
        let solid: Vec<f32> = rng.f32s(scene.shape.len(), -2.0, 1.0).iter().map(|s| s.max(0.0)).collect();
        let mut fine = random_fine(rng, &scene);
        let words = volume_words(exec, &scene, &terrain, &solid, &fine)?;
        let volume = words[word::FULL] as f32 + f32::from_bits(words[word::PART]);
        out.f32("volume", vec![volume], Tolerance::Mixed { absolute: 1e-5, relative: 5e-6 });
        for _ in 0..rng.below(4) {
            let at = rng.below(fine.len() as u32) as usize;
            fine[at] = [f32::NAN, f32::INFINITY][rng.below(2) as usize];
        }
        out.u32("broken", vec![volume_words(exec, &scene, &terrain, &solid, &fine)?[word::BROKEN]]);
    }
    Ok(())
}

thalweg_compute::parity_cases! {
    fine: 1 seeds,
    fine_volume: 1 seeds,
}
