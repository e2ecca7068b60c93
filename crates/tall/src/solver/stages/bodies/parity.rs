use thalweg_compute::parity::{Outputs, Rng, Tolerance};
use thalweg_compute::{Buffer, ComputeError, Dispatch, Executor, Result};

use super::{
    Assemble, BodiesParams, CHUNK, Carry, Couple, LINK_ROWS, NONE, Press, SIDE_ROWS, STILLS, SUMS, Sides, Total, Wet,
    word,
};
use crate::testing::{Scene, SceneBuffers, random_scene};

/// Two bodies of three obstacles, and one obstacle that belongs to none.
const OBSTACLES: [f32; 5] = [-1.0, 0.0, 1.0, -1.0, 1.0];

pub(super) const BODIES: usize = 2;

/// Random water with random bodies: what closes a face is any obstacle, whatever it looks like.
pub(super) struct TestBodies {
    pub(super) scene: Scene,
    pub(super) buffers: SceneBuffers,
    pub(super) owner: Buffer<u32>,
    pub(super) items: Buffer<[i32; 4]>,
    pub(super) columns: Buffer<[i32; 4]>,
    pub(super) bodies: Buffer<f32>,
    pub(super) sums: Buffer<f32>,
    pub(super) stills: Buffer<f32>,
    pub(super) links: Buffer<u32>,
    pub(super) sides: Buffer<u32>,
    pub(super) cells: Buffer<f32>,
    pub(super) params: BodiesParams,
}

/// Chunks of items of one body, with slots for every cell that they may have.
fn chunks_of(items: &[[i32; 4]], body: i32, samples: usize) -> Vec<[i32; 4]> {
    let first = items.iter().position(|item| item[0] == body).unwrap_or(items.len());
    let end = first + items.iter().filter(|item| item[0] == body).count();
    let levels = levels_of(&items[first..end], samples);
    (0..(end - first) * levels).step_by(CHUNK).map(|slot| [first, end, levels, slot].map(|v| v as i32)).collect()
}

fn levels_of(items: &[[i32; 4]], samples: usize) -> usize {
    items.iter().map(|[.., low, high]| (high - low + 1).clamp(1, samples as i32) as usize).max().unwrap_or(1)
}

pub(super) fn test_bodies(exec: &Executor, rng: &mut Rng) -> Result<TestBodies, ComputeError> {
    let number = u64::from(rng.below(8));
    let scene = random_scene(rng, number);
    let (shape, len) = (scene.shape, scene.shape.len());
    let buffers = scene.upload(exec);
    let bottom = scene.heights.iter().map(|h| h[0]).min().unwrap_or(0);
    let mut items = Vec::new();
    for body in 0..BODIES as i32 {
        for column in 0..shape.columns() as i32 {
            if rng.below(3) == 0 {
                continue;
            }
            let low = bottom + rng.below(6) as i32;
            items.push([body, column, low, low + rng.below(9) as i32]);
        }
    }
    items.sort_unstable();
    let mut columns = items.clone();
    columns.sort_unstable_by_key(|item| item[1]);
    columns.dedup_by_key(|item| item[1]);
    let test_bodies = Slots::new(items, columns, shape.samples());
    let mut words = rng.f32s(BODIES * word::COUNT, -1.0, 1.0);
    for body in 0..BODIES {
        let own = &mut words[body * word::COUNT..][..word::COUNT];
        (own[word::FIRST], own[word::CHUNKS]) = test_bodies.chunks_of_bodies[body];
        own[word::FILL] = 0.7;
        own[word::DEEP] = body as f32; // one is deep, one is not
        // Under water, or not.
        (own[word::DISPLACED], own[word::FILLED]) = (0.8, if number % 2 == 0 { 0.8 } else { 0.9 });
    }
    words.extend(OBSTACLES);
    let owners: Vec<u32> = (0..4 * len).map(|_| rng.below(OBSTACLES.len() as u32) | rng.below(1 << 16) << 16).collect();
    // φ, solid fraction, sink, diagonal: unknowns here and there.
    let mut cells = rng.f32s(5 * len, -0.5, 1.0);
    cells[len..2 * len].iter_mut().for_each(|solid| *solid = solid.clamp(0.0, 1.0));
    let params = BodiesParams {
        nx: shape.nx as u32,
        nz: shape.nz as u32,
        samples: shape.samples() as u32,
        total: len as u32,
        items: test_bodies.items as u32,
        chunks: test_bodies.chunks as u32,
        bodies: BODIES as u32,
        columns: test_bodies.columns.len() as u32,
        levels: test_bodies.levels as u32,
        changes: 0,
        level: bottom as f32 + rng.range(0.0, 6.0),
        weight: 0.3,
        cell: 0.25,
        dot_at: 3,
    };
    exec.write(&buffers.aperture, 0, &rng.f32s(3 * len, 0.0, 1.0))?;
    Ok(TestBodies {
        owner: exec.buffer_from("owner", &owners)?,
        sums: exec.buffer_from("sums", &rng.f32s(SUMS * test_bodies.chunks.max(1), -1.0, 1.0))?,
        stills: exec.buffer_from("stills", &rng.f32s(STILLS * test_bodies.chunks.max(1), -1.0, 1.0))?,
        links: exec.buffer_from("links", &random_links(rng, test_bodies.chunks, len))?,
        sides: exec.zeros("sides", SIDE_ROWS * CHUNK * test_bodies.side_groups())?,
        items: exec.buffer_from("items", &test_bodies.list)?,
        columns: exec.buffer_from("columns", &test_bodies.columns)?,
        bodies: exec.buffer_from("bodies", &words)?,
        cells: exec.buffer_from("cells", &cells)?,
        scene,
        buffers,
        params,
    })
}

/// Items and chunks as a step has them.
pub(super) struct Slots {
    /// Items, then chunks.
    pub(super) list: Vec<[i32; 4]>,
    pub(super) items: usize,
    pub(super) chunks: usize,
    pub(super) columns: Vec<[i32; 4]>,
    pub(super) levels: usize,
    /// First chunk and how many.
    pub(super) chunks_of_bodies: [(f32, f32); BODIES],
}

impl Slots {
    pub(super) fn new(mut list: Vec<[i32; 4]>, columns: Vec<[i32; 4]>, samples: usize) -> Self {
        let items = list.len();
        let of_bodies = [0, 1].map(|body| chunks_of(&list, body, samples));
        let counts = [0, 1].map(|body| of_bodies[body].len() as f32);
        list.extend(of_bodies.iter().flatten());
        let chunks = list.len() - items;
        let levels = levels_of(&columns, samples);
        Self { list, items, chunks, columns, levels, chunks_of_bodies: [(0.0, counts[0]), (counts[0], counts[1])] }
    }

    pub(super) fn side_groups(&self) -> usize {
        (self.columns.len() * self.levels).div_ceil(CHUNK).max(1)
    }
}

/// Links of any cells; every third slot has none, as [`Assemble`] would leave it.
fn random_links(rng: &mut Rng, chunks: usize, cells: usize) -> Vec<u32> {
    let mut links = vec![0; LINK_ROWS * CHUNK * chunks.max(1)];
    for rows in links.chunks_exact_mut(LINK_ROWS * CHUNK) {
        for lane in 0..CHUNK {
            let has = rng.below(3) > 0;
            rows[lane] = if has { rng.below(cells as u32) } else { NONE };
            for n in 1..LINK_ROWS {
                rows[n * CHUNK + lane] = if has { rng.range(-1.0, 1.0).to_bits() } else { 0 };
            }
        }
    }
    links
}

/// Sums of some ten products of numbers around 1, with arms of some ten cells.
const SUM: Tolerance = Tolerance::Absolute(2e-4);

/// Rows of bits of numbers, with cells and their like apart from them.
fn rows_out(out: &mut Outputs, words: &[u32], rows: usize, exact: usize) {
    let parts = |numbers: bool| {
        let rows = words
            .chunks_exact(rows * CHUNK)
            .flat_map(move |chunk| if numbers { &chunk[exact * CHUNK..] } else { &chunk[..exact * CHUNK] });
        rows.copied().collect::<Vec<u32>>()
    };
    out.u32("cells", parts(false));
    out.f32("numbers", parts(true).into_iter().map(f32::from_bits).collect(), Tolerance::Absolute(2e-5));
}

fn assemble(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    let test_bodies = &test_bodies(exec, rng)?;
    let TestBodies {
        buffers: SceneBuffers { heights, aperture, .. }, cells, owner, bodies, items, links, stills, ..
    } = test_bodies;
    let mut rec = exec.record();
    let kernel = Assemble { heights, cells, aperture, owner, bodies, items, links, stills };
    rec.run(&kernel, &test_bodies.params, Dispatch::Elements(test_bodies.params.chunks as usize * CHUNK))?;
    rec.submit()?;
    rows_out(out, &exec.read(links)?, LINK_ROWS, 1);
    out.f32("stills", exec.read(stills)?, Tolerance::Mixed { absolute: 2e-4, relative: 1e-5 });
    Ok(())
}

fn sides(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    let test_bodies = &test_bodies(exec, rng)?;
    let TestBodies { buffers: SceneBuffers { heights, aperture, .. }, cells, owner, bodies, columns, sides, .. } =
        test_bodies;
    let mut rec = exec.record();
    let kernel = Sides { heights, cells, aperture, owner, bodies, columns, sides };
    rec.run(
        &kernel,
        &test_bodies.params,
        Dispatch::Elements((test_bodies.params.columns * test_bodies.params.levels) as usize),
    )?;
    rec.submit()?;
    rows_out(out, &exec.read(sides)?, SIDE_ROWS, 5);
    Ok(())
}

fn press(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    for changes in 0..2 {
        let rng = &mut rng.clone();
        let test_bodies = &test_bodies(exec, rng)?;
        let x = exec.buffer_from("x", &rng.f32s(test_bodies.scene.shape.len(), -1.0, 1.0))?;
        let mut rec = exec.record();
        let kernel = Press { links: &test_bodies.links, x: &x, bodies: &test_bodies.bodies };
        let params = BodiesParams { changes, ..test_bodies.params };
        // Fewer workgroups than bodies, as in a solve of many.
        rec.run(&kernel, &params, Dispatch::Groups([1, 1, 1]))?;
        rec.submit()?;
        // Some hundred numbers in another order, and three of them multiplied.
        out.f32("bodies", exec.read(&test_bodies.bodies)?, Tolerance::Mixed { absolute: 2e-4, relative: 1e-5 });
    }
    Ok(())
}

fn wet(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    let test_bodies = &test_bodies(exec, rng)?;
    let len = test_bodies.scene.shape.len();
    let solid: Vec<f32> = rng.f32s(len, -0.5, 1.5).iter().map(|v| v.clamp(0.0, 1.0)).collect();
    let solid = exec.buffer_from("solid", &solid)?;
    let faces = exec.buffer_from("faces", &rng.f32s(3 * len, -1.0, 1.0))?;
    let TestBodies { buffers: SceneBuffers { heights, phi, .. }, owner, bodies, items, sums, .. } = test_bodies;
    let mut rec = exec.record();
    let kernel = Wet { heights, phi, solid: &solid, owner, faces: &faces, bodies, items, sums };
    rec.run(&kernel, &test_bodies.params, Dispatch::Elements(test_bodies.params.chunks as usize * CHUNK))?;
    rec.submit()?;
    out.f32("sums", exec.read(sums)?, SUM);
    Ok(())
}

fn total(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    let test_bodies = &test_bodies(exec, rng)?;
    // Deep, under water, afloat, afloat and higher than columns: by what chunks hold.
    let mut sums = exec.read(&test_bodies.sums)?;
    let kind = rng.below(4);
    for chunk in sums.chunks_exact_mut(SUMS) {
        (chunk[0], chunk[4]) = (chunk[0].abs(), if kind == 0 { chunk[4].abs() } else { 0.0 });
        chunk[9] = if kind == 1 { chunk[0] } else { 2.0 * chunk[0] };
        chunk[10] = if kind == 3 { 1.0 } else { 0.0 };
    }
    exec.write(&test_bodies.sums, 0, &sums)?;
    let mut rec = exec.record();
    let kernel = Total { sums: &test_bodies.sums, stills: &test_bodies.stills, bodies: &test_bodies.bodies };
    rec.run(&kernel, &test_bodies.params, Dispatch::Groups([1, 1, 1]))?;
    rec.submit()?;
    out.f32("bodies", exec.read(&test_bodies.bodies)?, Tolerance::Mixed { absolute: 2e-4, relative: 1e-5 });
    Ok(())
}

fn carry(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    let test_bodies = &test_bodies(exec, rng)?;
    let velocity = exec.buffer_from("velocity", &vec![9.0; 3 * test_bodies.scene.shape.len()])?;
    let TestBodies { buffers: SceneBuffers { heights, .. }, owner, bodies, columns, .. } = test_bodies;
    let mut rec = exec.record();
    let kernel = Carry { heights, owner, bodies, columns, velocity: &velocity };
    rec.run(
        &kernel,
        &test_bodies.params,
        Dispatch::Elements(3 * (test_bodies.params.columns * test_bodies.params.levels) as usize),
    )?;
    rec.submit()?;
    out.f32("velocity", exec.read(&velocity)?, Tolerance::Absolute(1e-5));
    Ok(())
}

fn couple(exec: &Executor, rng: &mut Rng, out: &mut Outputs) -> Result<()> {
    let test_bodies = &test_bodies(exec, rng)?;
    let q = exec.buffer_from("q", &rng.f32s(test_bodies.scene.shape.len(), -1.0, 1.0))?;
    let partials = exec.buffer_from("partials", &[1.0f32, 2.0, 3.0, 4.0, 5.0])?;
    let TestBodies { buffers: SceneBuffers { heights, aperture, .. }, cells, owner, bodies, columns, sides, .. } =
        test_bodies;
    let mut rec = exec.record();
    let kernel = Sides { heights, cells, aperture, owner, bodies, columns, sides };
    rec.run(
        &kernel,
        &test_bodies.params,
        Dispatch::Elements((test_bodies.params.columns * test_bodies.params.levels) as usize),
    )?;
    let kernel = Couple { sides, bodies, q: &q, partials: &partials };
    // Fewer workgroups than slots, as in a solve.
    rec.run(&kernel, &test_bodies.params, Dispatch::Groups([1, 1, 1]))?;
    rec.submit()?;
    out.f32("q", exec.read(&q)?, Tolerance::Absolute(2e-5));
    out.f32("partials", exec.read(&partials)?, Tolerance::Absolute(1e-6));
    Ok(())
}

thalweg_compute::parity_cases! {
    assemble: 8 seeds,
    sides: 8 seeds,
    press: 8 seeds,
    wet: 8 seeds,
    total: 8 seeds,
    carry: 8 seeds,
    couple: 8 seeds,
}
