//! Pictures of made-up water: exact on the processor, alike on a GPU.
//!
//! `THALWEG_BLESS=1 cargo test -p thalweg-render` writes the pictures that are expected anew: look at them before they are committed.

#![allow(clippy::unwrap_used, reason = "a test")]

use std::path::{Path, PathBuf};

use thalweg_compute::parity::own_test_executors;
use thalweg_compute::{Buffer, Cpu, Executor};
use thalweg_render::{Camera, HeightField, Look, Renderer, Show, WaterLook, WaterShape, WaterView, WaveView};
use thalweg_solids::Obstacle;
use thalweg_waves::{Foam, Ocean, Place, Sea, Texture, Tiles, TilesSettings};

const SIZE: [u32; 2] = [192, 108];
const COLUMNS: [u32; 2] = [40, 24];
const UP: u32 = 20;
const CELL: f64 = 0.1;

/// Waves around a ball and a box on uneven ground, with a drop in the air.
struct Pool {
    lattice: Buffer<f32>,
    ground: Buffer<[f32; 4]>,
    words: Buffer<f32>,
    no_distances: Buffer<f32>,
    field: Buffer<f32>,
    drops: Buffer<[f32; 4]>,
    per_cell: u32,
}

fn surface(x: f32, z: f32) -> f32 {
    9.0 + 1.2 * (0.35 * x + 0.2 * z).sin() + 0.6 * (0.5 * z - 0.2 * x).cos()
}

fn bed(x: f32, z: f32) -> f32 {
    (0.28 * x - 1.0 + 0.7 * (0.4 * z).sin()).max(0.0)
}

impl Pool {
    fn new(exec: &Executor, per_cell: u32) -> Self {
        let ([nx, nz], n) = (COLUMNS, per_cell);
        let mut lattice = Vec::new();
        for k in 0..nz * n {
            for i in 0..nx * n {
                for j in 0..UP * n {
                    let [x, y, z] = [i, j, k].map(|at| (at as f32 + 0.5) / n as f32);
                    let drop = ((x - 12.0).powi(2) + (y - 15.0).powi(2) + (z - 12.0).powi(2)).sqrt() - 2.2;
                    let value = (0.85 * (y - surface(x, z))).min(drop);
                    lattice.push(value.clamp(-6.0, 6.0) * n as f32);
                }
            }
        }
        let columns = (0..nx * nz).map(|at| ((at % nx) as f32 + 0.5, (at / nx) as f32 + 0.5));
        let ground = columns.map(|(x, z)| {
            let wet = if bed(x, z) < 9.5 { 1.0 } else { 0.0 };
            [bed(x, z), wet, if z < 5.0 { 0.6 } else { 0.0 }, (surface(x, z) - 4.0).floor()]
        });
        let obstacles = [
            Obstacle::Sphere { centre: [24.0, 9.0, 16.0], radius: 3.0 },
            Obstacle::Box { centre: [14.0, 5.0, 18.0], half: [2.0, 7.0, 1.5] },
        ];
        let words = thalweg_solids::packed::pack_all(&obstacles);
        let field: Vec<f32> = (0..nx * UP * nz).map(|at| (at % UP) as f32).collect();
        let drops: Vec<[f32; 4]> = (0..400)
            .map(|n| {
                let f = |step: f32| (0.5 + n as f32 * step).fract();
                [30.0 + 6.0 * f(0.754_877_7), 12.0 + 6.0 * f(0.569_840_3), 8.0 + 8.0 * f(0.819_172_5), 0.05]
            })
            .collect();
        Self {
            lattice: exec.buffer_from("lattice", &lattice).unwrap(),
            ground: exec.buffer_from("ground", &ground.collect::<Vec<_>>()).unwrap(),
            words: exec.buffer_from("words", &words).unwrap(),
            no_distances: exec.buffer("distances", 1).unwrap(),
            field: exec.buffer_from("field", &field).unwrap(),
            drops: exec.buffer_from("drops", &drops).unwrap(),
            per_cell,
        }
    }

    fn view(&self) -> WaterView<'_> {
        let ([nx, nz], n) = (COLUMNS, self.per_cell);
        WaterView {
            corner: [2.0, -1.0, 3.0],
            cell: CELL,
            columns: COLUMNS,
            water: WaterShape::LevelSet {
                values: &self.lattice,
                size: [nx * n, UP * n, nz * n],
                per_cell: n,
                ground: &self.ground,
                height: UP as f32,
            },
            obstacles: Some((&self.words, 2)),
            distances: Some(&self.no_distances),
            field: Some((&self.field, UP)),
            drops: Some((&self.drops, 400)),
            waves: None,
        }
    }
}

/// Elevation of the datum of the height field, m: some ground is below it.
const DATUM: f64 = -0.9;

/// The same waves and ground as a height field: its level and its bed, m above the datum.
fn pool_as_height_field(exec: &Executor) -> (Buffer<f32>, Buffer<f32>) {
    let [nx, nz] = COLUMNS;
    let above_datum = |cells: f32| (f64::from(cells) * CELL - 1.0 - DATUM) as f32;
    let columns = || (0..nx * nz).map(|at| ((at % nx) as f32 + 0.5, (at / nx) as f32 + 0.5));
    let bed: Vec<f32> = columns().map(|(x, z)| above_datum(bed(x, z))).collect();
    let level = columns().zip(&bed).map(|((x, z), bed)| above_datum(surface(x, z)).max(*bed) - bed.max(0.0));
    let level: Vec<f32> = level.collect();
    (exec.buffer_from("level", &level).unwrap(), exec.buffer_from("bed", &bed).unwrap())
}

fn look(show: Show) -> Look {
    let (low, high) = ([2.0, -1.0, 3.0], [6.0, 1.0, 5.4]);
    Look {
        camera: Camera::around(low, high, [30.0, 24.0], 27.0, 16.0 / 9.0),
        size: SIZE,
        samples: 4,
        sun: [-60.0, 40.0],
        exposure: 0.0,
        water: WaterLook { absorption: [1.8, 0.6, 0.4], body: [0.012, 0.1, 0.14] },
        ground: [0.56, 0.46, 0.32],
        tile: 0.0,
        obstacles: [0.7, 0.34, 0.16],
        edges: true,
        show,
    }
}

/// A sea over the pool at a time, with coordinates that have drifted.
fn sea(exec: &Executor) -> Ocean {
    let sea = Sea { wind: 5.0, fetch: 300.0, direction: 0.6, depth: 2.0, height: Some(0.12), ..Sea::default() };
    let settings = TilesSettings { size: 6.0, points: 64, ..Default::default() };
    let place = Place { corner: [2.0, 3.0], cell: CELL, columns: COLUMNS };
    let foam = Foam { threshold: 0.7, ..Foam::default() };
    let mut ocean = Ocean::new(exec, Tiles::new(&sea, &settings).unwrap(), 1.0, foam, &place).unwrap();
    let mut layers = Texture::new(exec, COLUMNS, CELL).unwrap();
    let count = COLUMNS[0] * COLUMNS[1];
    let flow: Vec<[f32; 2]> = (0..count).map(|at| [0.1, 0.05 * ((at % COLUMNS[0]) as f32 * 0.2).sin()]).collect();
    let flow = exec.buffer_from("flow", &flow).unwrap();
    for time in [0.0, 0.5, 1.0] {
        let mut rec = exec.record();
        ocean.record(&mut rec, time).unwrap();
        layers.record(&mut rec, &flow, time).unwrap();
        ocean.record_texture(&mut rec, &layers).unwrap();
        rec.submit().unwrap();
    }
    ocean
}

/// Every picture, by its name.
fn pictures(exec: &std::sync::Arc<Executor>) -> Vec<(&'static str, Vec<u8>)> {
    let pool = Pool::new(exec, 1);
    let fine = Pool::new(exec, 2);
    let mut renderer = Renderer::new(std::sync::Arc::clone(exec)).unwrap();
    let mut draw = |view: &WaterView<'_>, look: &Look| renderer.draw(view, look).unwrap();
    let plain = look(Show::Water);
    let (level, bed) = pool_as_height_field(exec);
    let field = HeightField { level: &level, bed: &bed, datum: DATUM };
    let heights = WaterView { water: WaterShape::HeightField(field), obstacles: None, drops: None, ..pool.view() };
    let mut below = plain.clone();
    below.camera = Camera { eye: [3.6, -0.5, 4.2], target: [5.2, -0.3, 3.6], field_of_view: 60.0 };
    let mut evening = plain.clone();
    evening.sun = [150.0, 6.0];
    evening.camera = Camera { eye: [-0.5, 0.4, 5.0], target: [4.0, -0.1, 4.0], field_of_view: 40.0 };
    let ocean = sea(exec);
    let waves = |far| Some(WaveView { words: ocean.words(), tiles: 3, points: 64, texture: 1.0, far });
    let far = Some([9.0, 1.5]);
    let mut low = plain.clone();
    low.camera = Camera { eye: [7.4, 0.7, 7.8], target: [4.0, 0.0, 3.0], field_of_view: 45.0 };
    vec![
        ("texture", draw(&WaterView { waves: waves(None), ..pool.view() }, &plain)),
        ("sea", draw(&WaterView { waves: waves(far), ..pool.view() }, &low)),
        ("sea_above", draw(&WaterView { waves: waves(far), ..pool.view() }, &plain)),
        ("sea_heights", draw(&WaterView { waves: waves(far), ..heights }, &low)),
        ("sea_below", draw(&WaterView { waves: waves(far), ..pool.view() }, &below)),
        ("water", draw(&pool.view(), &plain)),
        ("fine", draw(&fine.view(), &plain)),
        ("heights", draw(&heights, &Look { tile: 0.5, ..plain.clone() })),
        ("below", draw(&pool.view(), &below)),
        ("evening", draw(&pool.view(), &evening)),
        ("cells", draw(&pool.view(), &look(Show::Cells { z: 4.2 }))),
        ("field", draw(&pool.view(), &look(Show::Field { z: 4.2, range: [0.0, 12.0] }))),
        ("rough", draw(&pool.view(), &Look { samples: 1, ..plain })),
    ]
}

#[test]
fn pictures_of_the_processor_are_exact() {
    let exec = std::sync::Arc::new(Executor::from(Cpu::with_threads(2).unwrap()));
    let one = std::sync::Arc::new(Executor::from(Cpu::with_threads(1).unwrap()));
    let mut wrong = Vec::new();
    for ((name, pixels), (_, alone)) in pictures(&exec).into_iter().zip(pictures(&one)) {
        assert!(pixels == alone, "{name}: one thread and two do not draw the same");
        let path = folder().join(format!("{name}.png"));
        if std::env::var_os("THALWEG_BLESS").is_some() {
            write(&path, &pixels);
        }
        let expected = read(&path);
        if expected != pixels {
            let left = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
            write(&left.join(format!("{name}-expected.png")), &expected);
            write(&left.join(format!("{name}-actual.png")), &pixels);
            write(&left.join(format!("{name}-difference.png")), &difference(&expected, &pixels));
            wrong.push(format!("{}", left.join(format!("{name}-difference.png")).display()));
        }
    }
    assert!(wrong.is_empty(), "pictures differ, see {wrong:#?}; if they are right: THALWEG_BLESS=1");
}

#[test]
fn a_gpu_draws_the_same_pictures() {
    let executors = own_test_executors();
    assert!(matches!(*executors[0], Executor::Cpu(_)), "the first is the processor");
    let drawn: Vec<_> = executors.iter().map(pictures).collect();
    for (exec, others) in executors.iter().zip(&drawn).skip(1) {
        for ((name, ours), (_, theirs)) in drawn[0].iter().zip(others) {
            let differences: Vec<u8> = ours.iter().zip(theirs).map(|(a, b)| a.abs_diff(*b)).collect();
            let mean = differences.iter().map(|d| f64::from(*d)).sum::<f64>() / differences.len() as f64;
            let pixels = differences.chunks(4).map(|d| d.iter().copied().max().unwrap_or(0));
            let far = pixels.filter(|d| *d > 8).count() as f64 / (differences.len() / 4) as f64;
            let all = differences.iter().filter(|d| **d > 0).count();
            println!(
                "{name} on {}: mean {mean:.6} of 255, {all} bytes differ, {:.3} % of pixels beyond 8",
                exec.describe(),
                100.0 * far
            );
            if mean > 5e-3 || far > 1e-3 {
                let left = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
                write(&left.join(format!("{name}-cpu.png")), ours);
                write(&left.join(format!("{name}-gpu.png")), theirs);
                write(&left.join(format!("{name}-gpu-difference.png")), &difference(ours, theirs));
            }
            assert!(mean <= 5e-3 && far <= 1e-3, "{name} on {}: mean {mean}, far {far}", exec.describe());
        }
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

/// Differences, eight times as large.
fn difference(a: &[u8], b: &[u8]) -> Vec<u8> {
    if a.len() != b.len() {
        return vec![255; b.len()];
    }
    let channel = |(at, (a, b)): (usize, (&u8, &u8))| if at % 4 == 3 { 255 } else { a.abs_diff(*b).saturating_mul(8) };
    a.iter().zip(b).enumerate().map(channel).collect()
}

fn write(path: &Path, rgba: &[u8]) {
    let mut encoder = png::Encoder::new(std::fs::File::create(path).unwrap(), SIZE[0], SIZE[1]);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_compression(png::Compression::High);
    let mut whole = rgba.to_vec();
    whole.resize((4 * SIZE[0] * SIZE[1]) as usize, 0);
    encoder.write_header().unwrap().write_image_data(&whole).unwrap();
}

/// Black if there is none.
fn read(path: &Path) -> Vec<u8> {
    let Ok(file) = std::fs::File::open(path) else { return vec![0; (4 * SIZE[0] * SIZE[1]) as usize] };
    let mut reader = png::Decoder::new(std::io::BufReader::new(file)).read_info().unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut bytes).unwrap();
    bytes.truncate(info.buffer_size());
    bytes
}
