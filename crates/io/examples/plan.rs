//! Pictures, a video and a report of an island among waves.
//!
//! `cargo run -p thalweg-io --example plan -- FOLDER`

use std::path::{Path, PathBuf};

use thalweg_io::plan::{FieldKind, PlanView, draw};
use thalweg_io::plot::{Chart, Mark, Scale, Series};
use thalweg_io::report::{Report, Video};
use thalweg_io::table::{self, Table};
use thalweg_io::{Error, video};

/// Made-up water: rings that run from a corner over a rough island.
struct Sea {
    nx: usize,
    nz: usize,
    cell: f64,
    bed: Vec<f32>,
    depth: Vec<f32>,
    surface: Vec<f32>,
    speed: Vec<f32>,
}

impl Sea {
    fn at(nx: usize, nz: usize, cell: f64, time: f64) -> Self {
        let mut sea = Self { nx, nz, cell, bed: Vec::new(), depth: Vec::new(), surface: Vec::new(), speed: Vec::new() };
        let size = [nx as f64 * cell, nz as f64 * cell];
        let span = size[0].max(size[1]);
        for k in 0..nz {
            for i in 0..nx {
                let (x, z) = ((i as f64 + 0.5) / nx as f64, (k as f64 + 0.5) / nz as f64);
                let r = ((x - 0.55).powi(2) * 7.0 + (z - 0.5).powi(2) * 9.0).sqrt();
                let rough = 0.35 * (x * 23.0 + 2.0 * (z * 9.0).sin()).sin() * (z * 19.0).cos()
                    + 0.15 * (x * 61.0).cos() * (z * 53.0 + x * 17.0).sin();
                let bed = 3.2 * (-r * r * 2.2).exp() + rough * (0.35 + (-r).exp()) - 1.6;
                let away = ((x * size[0]).powi(2) + (z * size[1]).powi(2)).sqrt() / span;
                let wave = 0.16 * (42.0 * (away - 0.18 * time)).sin() * (-1.2 * away).exp();
                let depth = (wave - bed).max(0.0);
                sea.bed.push(bed as f32);
                sea.depth.push(depth as f32);
                sea.surface.push(wave as f32);
                sea.speed.push((wave.abs() * (9.81 / depth.max(0.1)).sqrt()) as f32);
            }
        }
        sea
    }

    fn view<'a>(&'a self, field: FieldKind, title: &'a str, time: f64, width: usize) -> PlanView<'a> {
        let (values, range) = match field {
            FieldKind::Depth => (&self.depth, [0.0, 2.0]),
            FieldKind::Speed => (&self.speed, [0.0, 0.6]),
            _ => (&self.surface, [-0.2, 0.2]),
        };
        PlanView {
            nx: self.nx,
            nz: self.nz,
            cell: self.cell,
            origin: [0.0, 0.0],
            bed: &self.bed,
            depth: &self.depth,
            field,
            values,
            range,
            dry_depth: 1e-3,
            title,
            time,
            width,
        }
    }
}

fn main() -> Result<(), Error> {
    let folder = PathBuf::from(std::env::args().nth(1).unwrap_or_else(|| "plan-pictures".to_owned()));
    stills(&folder)?;
    run(&folder)
}

/// One picture of every kind and shape.
fn stills(folder: &Path) -> Result<(), Error> {
    let kinds = [("depth", FieldKind::Depth), ("speed", FieldKind::Speed), ("surface", FieldKind::Surface)];
    let shapes = [
        ("map", 320, 200, 0.5, 960),
        ("coarse", 48, 32, 2.0, 640),
        ("fine", 2400, 1600, 10.0, 960),
        ("wide", 1000, 10, 1.0, 960),
        ("tall", 20, 600, 0.1, 960),
        ("tiny", 3, 2, 1.0, 480),
        ("side", 400, 1, 0.25, 960),
    ];
    for (shape, nx, nz, cell, width) in shapes {
        let sea = Sea::at(nx, nz, cell, 2.0);
        for (kind, field) in kinds {
            let title = format!("Island among waves: {kind}");
            let view = sea.view(field, &title, 2.0, width);
            let _ = draw(&view); // the first one pays for cold memory
            let start = std::time::Instant::now();
            let image = draw(&view);
            let ms = start.elapsed().as_secs_f64() * 1e3;
            println!("{shape}-{kind}: {}×{} in {ms:.1} ms", image.width, image.height);
            image.write_png(folder.join(format!("{shape}-{kind}.png")))?;
        }
    }
    Ok(())
}

/// A run's worth of files: frames, video, table, report.
fn run(folder: &Path) -> Result<(), Error> {
    let mut table = Table::create(folder.join("stats.csv"), &["time", "volume", "max_speed"])?;
    let mut frames = Vec::new();
    for step in 0..40 {
        let time = f64::from(step) * 0.05;
        let sea = Sea::at(240, 150, 0.5, time);
        let fastest = sea.speed.iter().fold(0.0_f32, |m, &v| m.max(v));
        let volume: f64 = sea.depth.iter().map(|&d| f64::from(d)).sum::<f64>() * sea.cell * sea.cell;
        table.row(&[time, volume, fastest.into()])?;
        let path = folder.join(format!("frames/{step:04}.png"));
        draw(&sea.view(FieldKind::Surface, "Island among waves", time, 720)).write_png(&path)?;
        frames.push(path);
    }
    let film = folder.join("surface.mp4");
    video::from_frames(&frames, &film, 20.0, |_| ())?;

    let convergence = Chart::new("Convergence of the drying front")
        .axes("cell (m)", "error (m)")
        .scales(Scale::Log, Scale::Log)
        .with(Series::new("measured", [[0.4, 0.31], [0.2, 0.082], [0.1, 0.019], [0.05, 0.0051]]).mark(Mark::LinePoints))
        .with(Series::new("second order", [[0.4, 0.3], [0.05, 0.0047]]).mark(Mark::Dashed));
    let wave = |phase: f64| (0..400).map(move |i| [f64::from(i) * 0.05, (f64::from(i) * 0.1 + phase).sin() * 0.1]);
    let gauges = Chart::new("Gauges")
        .axes("time (s)", "surface (m)")
        .with(Series::new("harbour", wave(0.0)))
        .with(Series::new("lighthouse", wave(1.0)))
        .with(Series::new("measured", wave(0.1).step_by(25)).mark(Mark::Points));
    let stages = [("flux", 1.42), ("friction", 0.21), ("dry front", 0.34), ("picture", 0.9)];
    Report::new("Island among waves")
        .describe("Rings run from the south-west corner over a rough island. Made-up water, real files.")
        .summarise("backend", "cpu, 2 threads")
        .summarise("cells", "36,000")
        .summarise("simulated", "2.0 s")
        .summarise("step", "2.9 ms")
        .summarise("volume drift", "1.2e-7")
        .video(Video { path: Some(film), poster: frames.get(20).cloned(), caption: "In real time".to_owned() })
        .columns("Statistics", &table::read(folder.join("stats.csv"))?)
        .charts("Probes", [gauges, convergence])
        .shares("Stages", "ms", stages.map(|(name, ms)| (name.to_owned(), ms)))
        .frames("Frames", frames)
        .text("Scene", "[scene]\nname = \"Island among waves\"\nduration = 2.0\n")
        .write(folder.join("report.html"))
}
