//! The two schemes of the tree side by side: dam break, standing wave, radial wave, cost. The table of
//! docs/quadtree-published.md.
//!
//! `RAYON_NUM_THREADS=1 cargo run --release -p thalweg-shallow --example tree_schemes [cost]`

use std::error::Error;
use std::f64::consts::PI;
use std::sync::Arc;
use std::time::Instant;

use thalweg_compute::Executor;
use thalweg_shallow::tree::{GroundPyramid, InitialWater, TreeOptions, TreeScheme, TreeSetup, TreeWater};
use thalweg_shallow::{Order, Sample};

type Outcome<T> = Result<T, Box<dyn Error>>;

const GRAVITY: f64 = 9.81;

fn schemes() -> [(&'static str, TreeOptions); 3] {
    let base = TreeOptions::default();
    [
        ("finite volumes, second order", base),
        ("finite volumes, first order", TreeOptions { order: Order::First, ..base }),
        ("kernel advection", TreeOptions { scheme: TreeScheme::kernel_advection(), ..base }),
    ]
}

/// A flat basin; with more than one level the tree follows the water.
fn basin(
    size: [u32; 2],
    cell: f64,
    levels: u32,
    options: TreeOptions,
    water: &(dyn Fn([f64; 2], f64) -> InitialWater + Sync),
) -> Outcome<TreeWater> {
    let ground = Arc::new(GroundPyramid::new(size, levels, |_, _| -1.0));
    let mut setup = TreeSetup::new(size, cell, levels, ground, water);
    setup.options = TreeOptions { still: 0.0, ..options };
    setup.refinement.budget = 2 * (size[0] * size[1]) as usize;
    Ok(TreeWater::new(Arc::new(Executor::cpu()?), setup)?)
}

fn run(water: &mut TreeWater, seconds: f64, frames: u32) -> Outcome<()> {
    for _ in 0..frames {
        water.advance(seconds / f64::from(frames))?;
    }
    Ok(water.settle()?)
}

fn still(surface: f64) -> InitialWater {
    InitialWater { surface, velocity: [0.0; 2] }
}

/// Stoker's solution: depth and velocity between rarefaction and shock, and the shock's speed.
fn stoker(left: f64, right: f64) -> [f64; 3] {
    let c = |h: f64| (GRAVITY * h).sqrt();
    let rarefaction = |h: f64| 2.0 * (c(left) - c(h));
    let shock = |h: f64| (h - right) * (0.5 * GRAVITY * (h + right) / (h * right)).sqrt();
    let (mut low, mut high) = (right, left);
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if rarefaction(middle) > shock(middle) { low = middle } else { high = middle }
    }
    let (h, u) = (low, rarefaction(low));
    [h, u, h * u / (h - right)]
}

fn stoker_depth(x: f64, t: f64, left: f64, right: f64) -> f64 {
    let [h, u, speed] = stoker(left, right);
    let (c, star) = ((GRAVITY * left).sqrt(), (GRAVITY * h).sqrt());
    match x / t {
        v if v < -c => left,
        v if v < u - star => ((2.0 * c - v) / 3.0).powi(2) / GRAVITY,
        v if v < speed => h,
        _ => right,
    }
}

/// 1 m against 0.1 m in 100 m, cells of 0.25 m, after 6 s.
fn dam_break() -> Outcome<()> {
    let (left, right, t, cell) = (1.0, 0.1, 6.0, 0.25);
    let [h, u, speed] = stoker(left, right);
    println!("Dam break 1 : 0.1 m, 6 s: star state {h:.4} m, {u:.4} m/s, front at {:.2} m", speed * t);
    for levels in [1, 3] {
        for (name, options) in schemes() {
            for (way, east) in [("east", true), ("west", false)] {
                let dam = |[x, _]: [f64; 2], _: f64| still(-1.0 + if (x < 50.0) == east { left } else { right });
                let mut water = basin([400, 64], cell, levels, options, &dam)?;
                run(&mut water, t, 60)?;
                let centre =
                    |n: u32| if east { (f64::from(n) + 0.5) * cell } else { 100.0 - (f64::from(n) + 0.5) * cell };
                let points: Vec<[f64; 2]> = (0..400).map(|n| [centre(n), 7.9]).collect();
                let profile = water.sample(&points)?;
                let at = |n: usize| (n as f64 + 0.5) * cell - 50.0;
                let l1 = profile.iter().enumerate().map(|(n, s)| (s.depth - stoker_depth(at(n), t, left, right)).abs());
                let l1 = l1.sum::<f64>() * cell;
                // The middle third between rarefaction and shock.
                let (from, to) = ((u - (GRAVITY * h).sqrt()) * t, speed * t);
                let star: Vec<&Sample> = profile
                    .iter()
                    .enumerate()
                    .filter(|(n, _)| at(*n) > from + (to - from) / 3.0 && at(*n) < to - (to - from) / 3.0)
                    .map(|(_, s)| s)
                    .collect();
                let mean = |f: &dyn Fn(&Sample) -> f64| star.iter().map(|s| f(s)).sum::<f64>() / star.len() as f64;
                let front = profile.iter().rposition(|s| s.depth > 0.5 * (h + right)).map_or(f64::NAN, at);
                let most = profile.iter().fold(0.0f64, |most, s| most.max(s.depth));
                println!(
                    "| {name}, {levels} levels, to the {way} | {:.4} m | {:.4} m/s | {front:.2} m | {l1:.3} m² | {most:.4} m | {:.0} |",
                    mean(&|s| s.depth),
                    mean(&|s| s.velocity[0].abs()),
                    water.cell_steps()
                );
            }
        }
    }
    Ok(())
}

/// A standing wave of 20 cells, 1 mm high on 1 m of water, in a closed basin.
fn standing_wave() -> Outcome<()> {
    let (cell, wave, periods) = (0.25, 20.0, 5);
    let length = wave * cell;
    let period = length / GRAVITY.sqrt();
    println!("Standing wave, 20 cells long, 1 mm on 1 m: amplitude left after {periods} periods, and the period");
    for (name, options) in schemes() {
        let shape = |x: f64| (2.0 * PI * x / length).cos();
        let hump = |[x, _]: [f64; 2], _: f64| still(1e-3 * shape(x));
        let mut water = basin([80, 16], cell, 1, options, &hump)?;
        let points: Vec<[f64; 2]> = (0..80).map(|n| [(f64::from(n) + 0.5) * cell, 2.1]).collect();
        let samples = 40;
        let mut amplitudes = Vec::new();
        for _ in 0..(periods + 1) * samples {
            run(&mut water, period / f64::from(samples), 1)?;
            let surface = water.sample(&points)?;
            let sum: f64 = surface.iter().zip(&points).map(|(s, p)| s.surface * shape(p[0])).sum();
            amplitudes.push(1e3 * sum / 40.0);
        }
        // Largest near the end of period `periods`, and when the sign changes the last time but one … as a mean period.
        let around = |n: usize| &amplitudes[n * samples as usize - 10..n * samples as usize + 10];
        let most = |n: usize| around(n).iter().fold(0.0f64, |most, a| most.max(a.abs()));
        let rises: Vec<f64> = amplitudes
            .windows(2)
            .enumerate()
            .filter(|(_, a)| a[0] < 0.0 && a[1] >= 0.0)
            .map(|(n, a)| n as f64 + a[0] / (a[0] - a[1]))
            .collect();
        let measured = (rises[rises.len() - 1] - rises[0]) / (rises.len() - 1) as f64 / f64::from(samples);
        println!("| {name} | {:.3} | {:.3} | {:.3} |", most(1), most(periods as usize), measured);
    }
    Ok(())
}

fn hump([x, z]: [f64; 2], _: f64) -> InitialWater {
    let r2 = (x - 20.0).powi(2) + (z - 20.0).powi(2);
    still(0.1 * (-r2 / 4.0).exp())
}

/// A hump of 0.1 m, 2 m wide, spreads in a basin of 40 m; after 4 s the ring is 12 m away.
fn radial_wave() -> Outcome<()> {
    let t = 4.0;
    let mut fine = basin([640, 640], 0.0625, 1, TreeOptions::default(), &hump)?;
    run(&mut fine, t, 8)?;
    let cells: Vec<[f64; 2]> =
        (0..160 * 160).map(|n| [(f64::from(n % 160) + 0.5) * 0.25, (f64::from(n / 160) + 0.5) * 0.25]).collect();
    // A little off the middle of a cell of the reference, which has none there: the mean of four.
    let mean_of_four = |water: &mut TreeWater| -> Outcome<Vec<f64>> {
        let near = |p: &[f64; 2]| {
            [(-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0)].map(|(a, b)| [p[0] + a * 0.03, p[1] + b * 0.03])
        };
        let points: Vec<[f64; 2]> = cells.iter().flat_map(near).collect();
        Ok(water.sample(&points)?.chunks_exact(4).map(|s| s.iter().map(|s| s.surface).sum::<f64>() / 4.0).collect())
    };
    let reference = mean_of_four(&mut fine)?;
    println!("Radial wave, cells of 0.25 m, after 4 s, against second order on cells of 0.0625 m");
    for levels in [1, 3] {
        for (name, options) in schemes() {
            let mut water = basin([160, 160], 0.25, levels, options, &hump)?;
            let before = water.statistics()?;
            run(&mut water, t, 40)?;
            let after = water.statistics()?;
            let surface: Vec<f64> = water.sample(&cells)?.iter().map(|s| s.surface).collect();
            let size: f64 = reference.iter().map(|s| s.abs()).sum();
            let l1: f64 = surface.iter().zip(&reference).map(|(a, b)| (a - b).abs()).sum();
            // How the ring differs from its mirror image.
            let mirror = (0..160 * 160).map(|n| (surface[n] - surface[n / 160 * 160 + 159 - n % 160]).abs());
            let crest = |from: &[f64], dx: f64, dz: f64| {
                let at = |r: f64| from[((20.0 + dx * r) / 0.25) as usize + 160 * ((20.0 + dz * r) / 0.25) as usize];
                (40..76).map(|n| 0.25 * f64::from(n)).map(at).fold(f64::MIN, f64::max)
            };
            let d = 0.5f64.sqrt();
            let ways = [(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0), (d, d), (-d, d), (d, -d), (-d, -d)];
            let crests = ways.map(|(a, b)| crest(&surface, a, b) / crest(&reference, a, b));
            let (low, high) = crests.iter().fold((f64::MAX, f64::MIN), |(low, high), &c| (low.min(c), high.max(c)));
            println!(
                "| {name}, {levels} levels | {:.1} % | {low:.3} to {high:.3} | {:.2e} m | {:+.1e} | {:.0} |",
                100.0 * l1 / size,
                mirror.fold(0.0, f64::max),
                after.volume / before.volume - 1.0,
                water.cell_steps()
            );
        }
    }
    Ok(())
}

/// Time of a cell's step: the best of several frames.
fn cost() -> Outcome<()> {
    println!("Cost of a cell and step, best of 12 frames, {}", Executor::cpu()?.describe());
    let mut first = None;
    for levels in [1, 3] {
        for (name, options) in schemes() {
            let mut water =
                basin([512, 512], 0.25, levels, options, &|[x, z], _| still(0.1 * (0.3 * x).sin() * (0.2 * z).cos()))?;
            let mut best = f64::MAX;
            for _ in 0..12 {
                let (start, before) = (Instant::now(), water.cell_steps());
                run(&mut water, 0.2, 1)?;
                best = best.min(1e9 * start.elapsed().as_secs_f64() / (water.cell_steps() - before));
            }
            let first = *first.get_or_insert(best);
            println!("| {name}, {levels} levels | {best:.1} ns | {:.2} |", best / first);
        }
    }
    Ok(())
}

fn main() -> Outcome<()> {
    if std::env::args().nth(1).as_deref() == Some("cost") {
        return cost();
    }
    dam_break()?;
    standing_wave()?;
    radial_wave()?;
    cost()
}
