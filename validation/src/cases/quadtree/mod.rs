//! The flows of the uniform solver on a tree: as good, with fewer cells.

mod flows;
mod measures;

use std::f64::consts::TAU;
use std::sync::Arc;

use thalweg_compute::Executor;
use thalweg_io::plot::{Chart, Mark, Scale, Series};
use thalweg_shallow::tree::{GroundPyramid, InitialField, TreeScheme, TreeSetup, TreeWater};

use self::flows::{Start, still};
use super::{bump, stoker};
use crate::comparison::Flow;
use crate::height_field::{FEWER, WORSE};
use crate::rig::{GRAVITY, is_software};
use crate::{Case, Limit, Outcome, Result};

pub(crate) const CASE: Case = Case {
    name: "quadtree",
    about: "Dam breaks, bowls, rivers and steady flows on a tree beside the uniform grid of its finest cells: error, cells, volume; the published scheme beside ours",
    source: "the exact solutions of ritter, stoker, double-rarefaction, circular-dam-break, thacker-planar, thacker-radial, bump-subcritical, bump-transcritical, macdonald",
    run: |exec| run(exec, Start::Steady),
};

/// Steady flows begin at rest.
pub(crate) const LONG: Case = Case {
    about: "The flows of the short form, the steady ones from rest, and two more; swings and round dams on finer cells",
    run: |exec| run(exec, Start::AtRest),
    ..CASE
};

fn flows(exec: &Arc<Executor>, start: Start) -> Result<Vec<Flow>> {
    let star = stoker::star(1)?;
    if is_software(exec) {
        return Ok(vec![flows::wet_dam_break(star, 2, 4)]);
    }
    let mut flows = vec![
        flows::wet_dam_break(star, 4, 4),
        flows::dry_dam_break(4, 4),
        flows::rarefactions("rarefactions, wet middle", 4.0),
        flows::rarefactions("rarefactions, dry middle", 8.0),
        flows::round_dam_break(exec)?,
        flows::round_swing(768)?,
        flows::over_a_bump("subcritical flow over a bump", bump::CALM, start).tolerate(0.0004, 0.0025),
        // Behind a standing jump HLLC leaves streaks that one row alone does not have: they are the uniform grid's too.
        Flow {
            all_rows: true,
            ..flows::over_a_bump("hydraulic jump behind a bump", bump::JUMP, start).tolerate(0.005, 5.0)
        },
        flows::river()?,
    ];
    if start == Start::AtRest {
        flows.push(flows::planar_swing(768));
        flows.push(flows::over_a_bump("transcritical flow over a bump", bump::FALL, start).tolerate(0.006, 0.04));
    }
    Ok(flows)
}

fn run(exec: &Arc<Executor>, start: Start) -> Result<Outcome> {
    let mut out = Outcome::default();
    let (mut uniform, mut tree) = (Vec::new(), Vec::new());
    for flow in flows(exec, start)? {
        let found = flow.compare(exec)?;
        let name = flow.name;
        out.ratio(format!("error over that of the uniform grid, {name}"), found.tree / found.uniform, WORSE);
        out.ratio(format!("cells of the uniform grid over those of the tree, {name}"), found.fewer_cells, FEWER);
        out.ratio(format!("unexplained change of volume, {name}"), found.drift, Limit::AtMost(1e-6));
        let one_row = found.one_row.map_or_else(String::new, |e| format!(", {e:.2e} in a single row of it"));
        out.notes.push(format!(
            "{name}: error {:.2e} on the uniform grid{one_row}, {:.2e} on the tree; {:.1} times fewer cells ({:.1} at the end), {:.1} times fewer cell-steps",
            found.uniform, found.tree, found.fewer_cells, found.fewer_at_the_end, found.less_work
        ));
        out.notes.push(format!(
            "{name}: with cells twice as large all over, 4 times fewer, the error is {:.2} times that of the uniform grid; on the tree {:.2} times",
            found.doubled / found.uniform,
            found.tree / found.uniform
        ));
        if let Some(measure) = &flow.also {
            measure(&found, &mut out)?;
        }
        let cells = f64::from(flow.size[0]) * f64::from(flow.size[1]);
        uniform.push([cells, found.uniform]);
        tree.push([cells / found.fewer_cells, found.tree]);
    }
    if !is_software(exec) {
        measures::bores(exec, &mut out)?;
        // Limits are those of the uniform cases, which have 128 and 200 cells across.
        let (bowl, dam) = if start == Start::AtRest { (768, 1024) } else { (384, 512) };
        measures::periods(exec, bowl, &mut out)?;
        measures::symmetry(exec, dam, &mut out)?;
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
        let after_one = heights[12][1];
        out.ratio(
            format!("height of the standing wave at the wall after a period, {name}"),
            after_one,
            Limit::AtLeast(0.8),
        );
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
