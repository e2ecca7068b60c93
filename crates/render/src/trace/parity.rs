use std::f64::consts::{PI, TAU};
use std::sync::Arc;

use thalweg_compute::bytemuck::Zeroable;
use thalweg_compute::parity::{Outputs, Rng, Tolerance};
use thalweg_compute::{Executor, Result};
use thalweg_solids::{DistanceGrid, Obstacle, Sampling, packed};
use thalweg_waves::{Foam, Ocean, Place, Texture, Tiles, TilesSettings};

use super::{Refine, Trace, TraceParams, mode};
use crate::edges::{CONTRAST, Edges, EdgesParams, squares};
use crate::sky::Sky;
use crate::tiles::{self, TilesParams};

const SIZE: [u32; 2] = [40, 24];
const COLUMNS: [u32; 2] = [14, 10];
const UP: u32 = 12;

/// Words of a ball of triangles, and its distances.
fn ball_of_distances() -> (Vec<f32>, Vec<f32>) {
    let (rings, around) = (12_u32, 24_u32);
    let vertex = |n: u32| {
        let (s, c) = (PI * f64::from(n / around) / f64::from(rings)).sin_cos();
        let (sn, cn) = (TAU * f64::from(n % around) / f64::from(around)).sin_cos();
        [1.2 * s * cn, 1.2 * c, 1.2 * s * sn]
    };
    let quad = |n: u32| {
        let next = n / around * around + (n + 1) % around;
        [[n, next, n + around], [next, next + around, n + around]]
    };
    let vertices: Vec<[f64; 3]> = (0..(rings + 1) * around).map(vertex).collect();
    let triangles: Vec<[u32; 3]> = (0..rings * around).flat_map(quad).collect();
    let sampling = Sampling { spacing: 0.25, reach: 1.5, window: None, most: 1 << 20 };
    let distances = Arc::new(DistanceGrid::from_triangles(&vertices, &triangles, &sampling).expect("a ball"));
    let ball = Obstacle::Mesh { distances: distances.clone(), position: [9.0, 6.0, 7.0] };
    (packed::pack_all(&[ball]), distances.words().to_vec())
}

/// Whether there are waves, and whether the sea goes on beyond the block.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Sea {
    None,
    Texture,
    Far,
}

/// Words of a sea over the columns, made on the processor: both executors read the same.
fn sea_words() -> Vec<f32> {
    let exec = Executor::cpu().expect("memory");
    let sea = thalweg_waves::Sea { wind: 5.0, fetch: 2000.0, height: Some(0.4), ..Default::default() };
    let settings = TilesSettings { size: 20.0, points: 64, cascades: 2, ..Default::default() };
    let place = Place { corner: [3.0, -7.0], cell: 1.0, columns: COLUMNS };
    let mut ocean =
        Ocean::new(&exec, Tiles::new(&sea, &settings).expect("memory"), 1.0, Foam::default(), &place).expect("memory");
    let mut layers = Texture::new(&exec, COLUMNS, 1.0).expect("memory");
    let flow = exec.buffer_from("flow", &vec![[0.4_f32, -0.2]; (COLUMNS[0] * COLUMNS[1]) as usize]).expect("memory");
    for time in [0.0, 1.0, 2.5] {
        let mut rec = exec.record();
        ocean.record(&mut rec, time).expect("recorded");
        layers.record(&mut rec, &flow, time).expect("recorded");
        ocean.record_texture(&mut rec, &layers).expect("recorded");
        rec.submit().expect("done");
    }
    exec.read(ocean.words()).expect("a buffer")
}

/// A picture to draw.
#[derive(Debug, Clone, Copy)]
struct View {
    seed: u64,
    mode: u32,
    height_field: u32,
    sea: Sea,
}

/// Random waves over random ground, seen from a random side: the picture of one ray per pixel, and the refined one. The
/// eye is moved by `nudge` times [`NUDGE`], and turned by `nudge` times [`TURN`].
fn pictures(exec: &Executor, view: View, nudge: [f32; 3]) -> [Vec<[f32; 4]>; 2] {
    let View { seed, mode, height_field, sea } = view;
    let mut rng = Rng::new(seed);
    let ([nx, nz], [width, height]) = (COLUMNS, SIZE);
    let phase = rng.f32s(4, 0.0, 6.0);
    let surface = |x: f32, z: f32| 5.0 + 0.8 * (0.7 * x + phase[0]).sin() + 0.5 * (0.9 * z + phase[1]).cos();
    let column = |at: u32| ((at % nx) as f32 + 0.5, (at / nx) as f32 + 0.5);
    let water: Vec<f32> = (0..nx * nz * UP)
        .map(|at| {
            let (x, z) = column(at / UP);
            (0.9 * ((at % UP) as f32 + 0.5 - surface(x, z))).clamp(-6.0, 6.0)
        })
        .collect();
    let ground: Vec<[f32; 4]> = (0..nx * nz)
        .map(|at| {
            let (x, z) = column(at);
            let bed = (2.0 + 2.5 * (0.3 * x + phase[2]).sin()).max(0.0);
            [
                bed,
                rng.range(0.0, 1.0),
                if x < 4.0 || sea == Sea::Texture { 0.5 } else { 0.0 },
                if height_field > 0 { surface(x, z) } else { 3.0 },
            ]
        })
        .collect();
    let mut field = rng.f32s((nx * nz * UP) as usize, 0.0, 1.0);
    if sea != Sea::None {
        field = sea_words();
    }
    let (ball, distances) = ball_of_distances();
    let mut words = ball;
    words.extend(packed::pack_all(&[
        Obstacle::Box { centre: [4.0, 4.0, 5.0], half: [1.0, 2.0, 1.5] },
        Obstacle::Capsule { ends: [[11.0, 2.0, 2.0], [12.0, 8.0, 3.0]], radius: 0.7 },
    ]));
    let sun = glam::Vec3::new(phase[3].cos(), 0.9, phase[3].sin()).normalize();
    let sky = Sky::new(sun);
    let mut table = sky.table.clone();
    table.resize(tiles::room(COLUMNS), [0.0; 4]);
    let side = rng.range(-0.5, 0.5);
    let nudge = glam::Vec3::from(nudge);
    let forward = glam::Vec3::new(side, -0.4, -1.0).normalize();
    let right = forward.cross(glam::Vec3::Y).normalize() * 0.45;
    let up = right.normalize().cross(forward) * 0.27;
    let eye = glam::Vec3::new(7.0, 5.0, 5.0) - forward * 30.0 + nudge * NUDGE;
    let forward = forward + nudge * TURN;
    let p = TraceParams {
        width,
        height,
        samples: 3,
        mode,
        nx,
        nz,
        lattice_x: nx,
        lattice_y: UP,
        lattice_z: nz,
        per_cell: 1.0,
        field_y: UP,
        height_field,
        obstacle_count: 3,
        eye_x: eye.x,
        eye_y: eye.y,
        eye_z: eye.z,
        right_x: right.x,
        right_y: right.y,
        right_z: right.z,
        up_x: up.x,
        up_y: up.y,
        up_z: up.z,
        forward_x: forward.x,
        forward_y: forward.y,
        forward_z: forward.z,
        top: UP as f32,
        end_z: if mode == mode::WATER { nz as f32 } else { 5.2 },
        sun_x: sun.x,
        sun_y: sun.y,
        sun_z: sun.z,
        sunlight_r: sky.sun.x,
        sunlight_g: sky.sun.y,
        sunlight_b: sky.sun.z,
        skylight_r: sky.mean.x,
        skylight_g: sky.mean.y,
        skylight_b: sky.mean.z,
        absorb_r: 0.2,
        absorb_g: 0.08,
        absorb_b: 0.05,
        body_g: 0.1,
        body_b: 0.14,
        ground_r: 0.5,
        ground_g: 0.4,
        ground_b: 0.3,
        obstacle_r: 0.7,
        obstacle_g: 0.3,
        obstacle_b: 0.2,
        tile: if seed.is_multiple_of(2) { 2.0 } else { 0.0 },
        edge: 0.1,
        field_high: 1.0,
        exposure: 1.0,
        waves: if sea == Sea::None { 0 } else { 2 },
        wave_points: 64,
        texture: 1.0,
        far: u32::from(sea == Sea::Far),
        sea: if sea == Sea::Far { 5.0 } else { 0.0 },
        crests: if sea == Sea::Far { 1.2 } else { 0.0 },
        // Finer than the pixels are, or all of the small waves would have faded.
        pixel: 0.002,
        ..Zeroable::zeroed()
    };
    let count = (width * height) as usize;
    let buffer = |name: &str, values: &[f32]| exec.buffer_from(name, values).expect("memory");
    let (water, obstacles) = (buffer("water", &water), buffer("obstacles", &words));
    let (distances, field) = (buffer("distances", &distances), buffer("field", &field));
    let (ground, sky) =
        (exec.buffer_from("ground", &ground).expect("memory"), exec.buffer_from("sky", &table).expect("memory"));
    let (image, rough) = (exec.buffer("image", count).expect("memory"), exec.buffer("rough", count).expect("memory"));
    let edges = Edges::new(exec, count).expect("memory");
    let (water, ground, obstacles, distances, field, sky) = (&water, &ground, &obstacles, &distances, &field, &sky);
    let mut rec = exec.record();
    let of_tiles = TilesParams { nx, nz, lattice_x: nx, lattice_y: UP, lattice_z: nz, per_cell: 1.0, height_field };
    tiles::record(&mut rec, &of_tiles, (water, ground), sky).expect("recorded");
    let trace = Trace { water, ground, obstacles, distances, field, sky, list: &edges.list, image: &image };
    rec.run(&trace, &p, squares(SIZE)).expect("recorded");
    rec.copy(&image, &rough).expect("recorded");
    let of_edges = EdgesParams { width, height, samples: p.samples, exposure: p.exposure, anywhere: CONTRAST };
    edges.record(&mut rec, &of_edges, &image).expect("recorded");
    let refine = Refine { water, ground, obstacles, distances, field, sky, list: &edges.list, image: &edges.rays };
    rec.run(&refine, &p, edges.of_rays()).expect("recorded");
    edges.gather(&mut rec, &of_edges, &image).expect("recorded");
    rec.submit().expect("done");
    [exec.read(&rough).expect("a buffer"), exec.read(&image).expect("a buffer")]
}

/// How far the eye is moved to find unsteady pixels, cells: what some ten roundings add up to 30 cells away from it.
const NUDGE: f32 = 2e-5;
/// How far it is turned, rad: the same farther away, where rays meet the sea.
const TURN: f32 = 1e-6;
/// Directions of both: the corners of a tetrahedron.
const NUDGES: [[f32; 3]; 4] = [[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]];
/// Share of a picture that may be unsteady.
const UNSTEADY: f64 = 0.06;
/// Share of the steady pixels that may differ.
const DIFFERENT: f64 = 0.005;

/// Blackens pixels that change on the processor when the eye moves by [`NUDGE`] and [`TURN`]: a ray that grazes an edge
/// ends on its other side, a search along it ends a step earlier. Where executors round differently these pixels
/// differ.
fn keep_steady(picture: &mut [[f32; 4]], still: &[[f32; 4]], nudged: &[&Vec<[f32; 4]>]) {
    let is_close = |a: &[f32; 4], b: &[f32; 4]| a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 1e-3 + 1e-3 * a.abs());
    let mut unsteady = 0;
    for (at, pixel) in picture.iter_mut().enumerate() {
        if !nudged.iter().all(|other| is_close(&still[at], &other[at])) {
            (*pixel, unsteady) = ([0.0; 4], unsteady + 1);
        }
    }
    assert!(f64::from(unsteady) < UNSTEADY * picture.len() as f64, "{unsteady} pixels are unsteady");
}

fn trace_and_refine(exec: &Executor, _: &mut Rng, out: &mut Outputs) -> Result<()> {
    let views = [
        (0, mode::WATER, 0, Sea::None),
        (1, mode::WATER, 0, Sea::None),
        (2, mode::WATER, 1, Sea::None),
        (3, mode::CELLS, 0, Sea::None),
        (4, mode::FIELD, 0, Sea::None),
        (5, mode::WATER, 0, Sea::Texture),
        (6, mode::WATER, 0, Sea::Far),
        (7, mode::WATER, 1, Sea::Far),
    ];
    let processor = Executor::cpu()?;
    for (seed, mode, height_field, sea) in views {
        let view = View { seed, mode, height_field, sea };
        let drawn = pictures(exec, view, [0.0; 3]);
        let [rough, refined] = &drawn;
        let light = |[r, g, b, _]: &[f32; 4]| r + g + b;
        let [low, high] = rough.iter().fold([f32::MAX, 0.0], |[a, b], p| [light(p).min(a), light(p).max(b)]);
        assert!(low.is_finite() && high > low + 0.2, "there is something to see: {low} to {high}");
        assert!(rough != refined, "edges are refined");
        let still = pictures(&processor, view, [0.0; 3]);
        let nudged = NUDGES.map(|to| pictures(&processor, view, to));
        for (which, (mut picture, name)) in drawn.into_iter().zip(["a ray per pixel", "refined"]).enumerate() {
            keep_steady(&mut picture, &still[which], &nudged.each_ref().map(|both| &both[which]));
            let close = Tolerance::Mixed { absolute: 2e-3, relative: 2e-3 };
            out.most_of_f32(&format!("picture {seed}, {name}"), &picture, close, DIFFERENT);
        }
    }
    Ok(())
}

thalweg_compute::parity_cases! {
    trace_and_refine: 1 seeds,
}
