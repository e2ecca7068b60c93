//! The flows of the uniform solver on a tree: as good, with fewer cells.

use std::f64::consts::TAU;
use std::sync::Arc;

use thalweg_compute::Executor;
use thalweg_io::plot::{Chart, Mark, Scale, Series};
use thalweg_shallow::Boundary;
use thalweg_shallow::tree::{GroundPyramid, InitialField, InitialWater, Refinement, TreeScheme, TreeSetup, TreeWater};

use super::{bump, ritter, stoker, thacker};
use crate::grove::{Flow, basin, channel_width, compare};
use crate::rig::{GRAVITY, is_software};
use crate::{Case, Limit, Outcome, Result};

pub(crate) const CASE: Case = Case {
    name: "quadtree",
    about: "Dam breaks, bowls and steady flows on a tree beside the uniform grid of its finest cells: error, cells, volume; the published scheme beside ours",
    source: "the exact solutions of ritter, stoker, thacker-planar, thacker-radial, bump-subcritical, bump-transcritical",
    run,
};

fn refinement(surface: f64, speed: f64) -> Refinement {
    Refinement { surface, speed, budget: 1 << 20, interval: 4, ..Refinement::default() }
}

fn still(surface: f64) -> InitialWater {
    InitialWater { surface, velocity: [0.0; 2] }
}

fn run(exec: &Arc<Executor>) -> Result<Outcome> {
    let mut out = Outcome::default();
    // A software GPU takes smaller flows.
    let (levels, fine) = if is_software(exec) { (3, 1) } else { (4, 4) };
    let wide = channel_width(levels);

    let star = stoker::star(1)?;
    let stoker_depth = |[x, _]: [f64; 2]| stoker::exact(star, x, stoker::TIME);
    let stoker_start = |[x, _]: [f64; 2]| still(if x < stoker::DAM { stoker::DEPTH } else { star.tail });
    let ritter_depth = |[x, _]: [f64; 2]| ritter::exact(x, ritter::TIME);
    let ritter_start = |[x, _]: [f64; 2]| still(if x < ritter::DAM { ritter::DEPTH } else { 0.0 });
    let level_ground = |_: [f64; 2]| 0.0;

    let bowl = |[x, z]: [f64; 2]| thacker::bed(x - thacker::HALF, z - thacker::HALF);
    let omega = (2.0 * GRAVITY * thacker::H0).sqrt() / thacker::A;
    let swing_time = 1.25 * TAU / omega;
    let swing = |t: f64| {
        move |[x, z]: [f64; 2]| {
            let (x, z) = (x - thacker::HALF, z - thacker::HALF);
            let s = 0.5;
            let (cos, sin) = ((omega * t).cos(), (omega * t).sin());
            let surface = s * thacker::H0 / thacker::A.powi(2) * (2.0 * x * cos + 2.0 * z * sin - s);
            InitialWater { surface, velocity: [-s * omega * sin, s * omega * cos] }
        }
    };
    let swing_start = swing(0.0);
    let swing_depth = |at: [f64; 2]| (swing(swing_time)(at).surface - bowl(at)).max(0.0);

    let fall = bump::Flow { name: "no jump", q: 1.53, outlet: None, level: 0.1, critical: true };
    let calm = bump::Flow { name: "subcritical", q: 4.42, outlet: Some(2.0), level: 2.0, critical: false };
    let bump_ground = |[x, _]: [f64; 2]| bump::bed(x);
    let (fall_exact, _) = fall.exact();
    let (calm_exact, _) = calm.exact();
    let fall_depth = |[x, _]: [f64; 2]| fall_exact(x);
    let calm_depth = |[x, _]: [f64; 2]| calm_exact(x);
    let fall_start = |[x, _]: [f64; 2]| still(fall.level.max(bump::bed(x)));
    let calm_start = |[x, _]: [f64; 2]| still(calm.level.max(bump::bed(x)));
    let bump_cells = 1024;
    let bump_cell = bump::LENGTH / f64::from(bump_cells);
    let bump_sides = |flow: &bump::Flow, n: u32| {
        let (q, width) = (flow.q, f64::from(n) * bump_cell);
        let inflow = Boundary::Discharge { rate: Box::new(move |_| q * width), span: 0..n };
        let outlet = match flow.outlet {
            Some(h) => crate::rig::downstream_along(0.0, h, q / h, n),
            None => Boundary::Outflow,
        };
        [inflow, outlet, Boundary::Wall, Boundary::Wall]
    };
    let fall_sides = |n: u32| bump_sides(&fall, n);
    let calm_sides = |n: u32| bump_sides(&calm, n);

    let long = 400 * fine;
    let flows = [
        Flow {
            name: "wet dam break",
            size: [long, wide],
            cell: stoker::LENGTH / f64::from(long),
            levels,
            bed: &level_ground,
            initial: &stoker_start,
            sides: &basin,
            manning: 0.0,
            time: stoker::TIME,
            depth: &stoker_depth,
            fewer_cells: 4.0,
            drift: 1e-6,
            refinement: refinement(0.008, 0.05),
        },
        Flow {
            name: "dry dam break",
            size: [long, wide],
            cell: ritter::LENGTH / f64::from(long),
            levels,
            bed: &level_ground,
            initial: &ritter_start,
            sides: &basin,
            manning: 0.0,
            time: ritter::TIME,
            depth: &ritter_depth,
            fewer_cells: 4.0,
            drift: 1e-6,
            refinement: refinement(6e-5, 6e-3),
        },
        Flow {
            name: "planar swing in a bowl",
            size: [64 * fine, 64 * fine],
            cell: 2.0 * thacker::HALF / f64::from(64 * fine),
            levels,
            bed: &bowl,
            initial: &swing_start,
            sides: &basin,
            manning: 0.0,
            time: swing_time,
            depth: &swing_depth,
            // All of its water moves, and its edge passes nearly everywhere: there is little to save.
            fewer_cells: 1.1,
            drift: 1e-6,
            refinement: refinement(0.004, 0.2),
        },
        Flow {
            name: "subcritical flow over a bump",
            size: [bump_cells, channel_width(4)],
            cell: bump_cell,
            levels: 4,
            bed: &bump_ground,
            initial: &calm_start,
            sides: &calm_sides,
            manning: 0.0,
            time: 80.0,
            depth: &calm_depth,
            fewer_cells: 4.0,
            // Ten thousand steps of a through-flow: what a cell gains is below the last digit of its depth.
            drift: 5e-5,
            refinement: refinement(0.006, 0.03),
        },
        Flow {
            name: "transcritical flow over a bump",
            size: [bump_cells, channel_width(4)],
            cell: bump_cell,
            levels: 4,
            bed: &bump_ground,
            initial: &fall_start,
            sides: &fall_sides,
            manning: 0.0,
            time: 80.0,
            depth: &fall_depth,
            fewer_cells: 4.0,
            // Ten thousand steps of a through-flow: what a cell gains is below the last digit of its depth.
            drift: 5e-5,
            refinement: refinement(0.015, 0.1),
        },
    ];
    let (mut uniform, mut tree) = (Vec::new(), Vec::new());
    for flow in flows.iter().take(if is_software(exec) { 2 } else { flows.len() }) {
        let found = compare(exec, flow)?;
        let name = flow.name;
        out.ratio(
            format!("error over that of the uniform grid, {name}"),
            found.tree / found.uniform,
            Limit::AtMost(2.0),
        );
        out.ratio(
            format!("cells of the uniform grid over those of the tree, {name}"),
            found.fewer_cells,
            Limit::AtLeast(flow.fewer_cells),
        );
        out.ratio(format!("unexplained change of volume, {name}"), found.drift.abs(), Limit::AtMost(flow.drift));
        out.notes.push(format!(
            "{name}: error {:.2e} on the uniform grid, {:.2e} on the tree; {:.1} times fewer cells ({:.1} at the end), {:.1} times fewer cell-steps",
            found.uniform, found.tree, found.fewer_cells, found.fewer_at_the_end, found.less_work
        ));
        let cells = f64::from(flow.size[0]) * f64::from(flow.size[1]);
        uniform.push([cells, found.uniform]);
        tree.push([cells / found.fewer_cells, found.tree]);
    }
    if !is_software(exec) {
        published(exec, &mut out)?;
    }
    out.charts.push(
        Chart::new("Error against cells: uniform grids and trees of the same finest cells")
            .axes("cells", "relative L1 error of depth")
            .scales(Scale::Log, Scale::Log)
            .with(Series::new("uniform", uniform).mark(Mark::Points))
            .with(Series::new("tree", tree).mark(Mark::Points)),
    );
    Ok(out)
}

/// The published scheme of [004], corrected, beside finite volumes: a wet dam break and a standing wave.
fn published(exec: &Arc<Executor>, out: &mut Outcome) -> Result<()> {
    let schemes = [("finite volumes", TreeScheme::FiniteVolumes), ("[004], corrected", TreeScheme::kernel_advection())];
    let star = stoker::star(1)?;
    let (n, width) = (400, 16);
    let cell = stoker::LENGTH / f64::from(n);
    let dam = |[x, _]: [f64; 2], _: f64| still(if x < stoker::DAM { stoker::DEPTH } else { star.tail });
    let mut profiles = Chart::new("Wet dam break on a tree of one level, after 2 s").axes("x (m)", "depth (m)");
    let exact = (0..2000).map(|i| f64::from(i) * 0.01).map(|x| [x, stoker::exact(star, x, stoker::TIME)]);
    profiles = profiles.with(Series::new("exact", exact).mark(Mark::Dashed));
    let (length, depth, amplitude) = (20.0, 1.0, 1e-3);
    let wave = |[x, _]: [f64; 2], _: f64| still(amplitude * (TAU * x / length).cos());
    let period = length / (GRAVITY * depth).sqrt();
    let mut decay =
        Chart::new("Standing wave of 20 cells: height at the wall").axes("time (periods)", "over the start");
    for (name, scheme) in schemes {
        let mut water = one_level(exec, [n, width], (cell, 0.0), &dam, scheme)?;
        let began = water.statistics()?.volume;
        for _ in 0..20 {
            water.advance(stoker::TIME / 20.0)?;
        }
        let places: Vec<[f64; 2]> = (0..n).map(|i| [(f64::from(i) + 0.5) * cell, 0.5 * cell]).collect();
        let found = water.sample(&places)?;
        profiles = profiles.with(Series::new(name, places.iter().zip(&found).map(|(at, s)| [at[0], s.depth])));
        let drift = water.statistics()?.volume / began - 1.0;
        out.ratio(format!("change of volume, wet dam break, {name}"), drift.abs(), Limit::AtMost(1e-6));

        let mut water = one_level(exec, [16 * 5, width], (1.0, -depth), &wave, scheme)?;
        let mut heights = vec![[0.0, 1.0]];
        for frame in 1..=60 {
            water.advance(period / 12.0)?;
            let height = water.sample(&[[0.5, 0.5]])?[0].surface / amplitude;
            heights.push([f64::from(frame) / 12.0, height]);
        }
        decay = decay.with(Series::new(name, heights));
    }
    out.charts.extend([profiles, decay]);
    Ok(())
}

fn one_level(
    exec: &Arc<Executor>,
    size: [u32; 2],
    (cell, bed): (f64, f64),
    initial: &InitialField<'_>,
    scheme: TreeScheme,
) -> Result<TreeWater> {
    let ground = Arc::new(GroundPyramid::new(size, 1, move |_, _| bed));
    let mut setup = TreeSetup::new(size, cell, 1, ground, initial);
    (setup.options.scheme, setup.options.still) = (scheme, 0.0);
    Ok(TreeWater::new(exec.clone(), setup)?)
}
