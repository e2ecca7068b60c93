//! Open edges: what of a wave comes back from an absorbing layer.

use std::f64::consts::TAU;
use std::sync::Arc;

use thalweg_compute::Executor;
use thalweg_io::plot::{Chart, Mark, Series};
use thalweg_shallow::{FarField, InitialCell, Setup, Side};

use crate::height_field::{HeightField, Uniform};
use crate::rig::{
    Edge, GRAVITY, Gauges, Run, SECOND, channel_edges, is_software, largest, options, sides_and_far_fields,
};
use crate::{Case, Limit, Outcome, Result};

pub(crate) const CASE: Case = Case {
    name: "absorbing-layer",
    about: "Waves of 10 to 80 cells run into an absorbing layer of 12 cells: what comes back, straight and oblique",
    source: "exact: nothing comes back; a run in a larger domain for oblique waves",
    run,
};

/// Width of the layer, cells: the default of scene files.
pub(super) const LAYER: u32 = 12;
pub(super) const DEPTH: f64 = 1.0;

fn still(_i: u32, _k: u32) -> InitialCell {
    InitialCell { bed: -DEPTH, surface: 0.0, velocity: [0.0; 2] }
}

pub(super) fn open(layer: u32) -> Edge {
    Edge::Side(Side::Open { level: Some(0.0), layer })
}

/// Height of the waves of a train, m.
pub(super) const HEIGHT: f64 = 1e-3;
/// Angles of incidence of a pulse, degrees, and what may come back.
pub(super) const ANGLES: [f64; 4] = [0.0, 30.0, 45.0, 60.0];
pub(super) const OBLIQUE: [f64; 4] = [0.035, 0.042, 0.066, 0.16];

/// A side at which waves of a length, m, come in.
pub(super) fn train(wavelength: f64) -> Edge {
    let period = wavelength / (GRAVITY * DEPTH).sqrt();
    let train = move |t: f64| HEIGHT * (0.5 * t / period).min(1.0).powi(2) * (TAU * t / period).sin();
    Edge::FarField(FarField { level: Box::new(train), rest: 0.0, layer: 0 })
}

/// What the first listed place sees of waves in a channel: invariants of those that go in and of those that come back,
/// as heights.
pub(super) fn invariants(water: &mut dyn HeightField, length: f64, wavelength: f64) -> Result<[Vec<[f64; 2]>; 2]> {
    let c = (GRAVITY * DEPTH).sqrt();
    let period = wavelength / c;
    let mut records = [Vec::new(), Vec::new()];
    let frames = ((length / wavelength + 8.0) * 32.0) as u32;
    for n in 1..=frames {
        let time = f64::from(n) / 32.0 * period;
        water.to(time)?;
        let here = water.listed()?[0];
        let rise = 2.0 * ((GRAVITY * (DEPTH + here.surface)).sqrt() - c);
        // Riemann invariants: a wave to the east keeps u − 2c, one to the west u + 2c.
        let to_height = 0.5 * c / GRAVITY;
        records[0].push([time, to_height * (rise + here.velocity[0])]);
        records[1].push([time, to_height * (rise - here.velocity[0])]);
    }
    Ok(records)
}

/// What comes back of what goes in.
pub(super) fn share([going, coming]: &[Vec<[f64; 2]>; 2]) -> f64 {
    let size = |r: &[[f64; 2]]| largest(r.iter().map(|p| p[1]));
    size(coming) / size(going)
}

/// Reflection of a train of waves `wavelength` cells long by the east edge at normal incidence, and what a gauge before
/// the layer saw.
fn reflection(exec: &Arc<Executor>, wavelength: f64, edge: Edge) -> Result<(f64, [Vec<[f64; 2]>; 2])> {
    let cells = 120u32;
    let mut setup = Setup::new(cells, 1, 1.0, &still);
    setup.options = options(SECOND);
    (setup.sides, setup.far_fields) = sides_and_far_fields(channel_edges(train(wavelength), edge));
    let gauge = [[f64::from(cells - LAYER - 3) + 0.5, 0.5]];
    let mut water = Uniform::new(Run::new(exec, setup)?, &[], &gauge)?;
    let records = invariants(&mut water, f64::from(cells), wavelength)?;
    Ok((share(&records), records))
}

/// Distance of a mound from the layer, and the length of the domain, m.
const DISTANCE: f64 = 30.0;
const SHORT: u32 = 72;

/// A mound at a place; the south wall mirrors it.
pub(super) fn mound([x, z]: [f64; 2]) -> InitialCell {
    let x = x - (f64::from(SHORT - LAYER) - DISTANCE);
    InitialCell { bed: -DEPTH, surface: 1e-3 * (-(x * x + z * z) / 32.0).exp(), velocity: [0.0; 2] }
}

/// Gauges before the layer, by [`ANGLES`].
pub(super) fn places() -> Vec<[f64; 2]> {
    let along = |angle: &f64| [f64::from(SHORT - LAYER) - 2.0, (DISTANCE - 2.0) * angle.to_radians().tan()];
    ANGLES.iter().map(along).collect()
}

/// A mound spreads near an open east side; what differs from a run in a wider domain is reflection. Returns its size
/// over the wave's, at gauges before the layer under several angles of incidence.
fn oblique(exec: &Arc<Executor>, layer: u32) -> Result<Vec<f64>> {
    let (nx, nz) = (SHORT, 96u32);
    let initial = |i: u32, k: u32| mound([i, k].map(|n| f64::from(n) + 0.5));
    let mut records: Vec<Vec<Vec<f64>>> = Vec::new();
    for (width, layer) in [(nx, layer), (nx + 60, 0)] {
        let mut setup = Setup::new(width, nz, 1.0, &initial);
        setup.options = options(SECOND);
        setup.sides.east = Side::Open { level: Some(0.0), layer };
        let mut run = Run::new(exec, setup)?;
        let gauges = Gauges::new(&run.water, &places())?;
        let mut record = Vec::new();
        // Until waves from the wider domain's own edge could come back.
        for n in 1..=100 {
            run.to(0.3 * f64::from(n))?;
            record.push(gauges.read(&mut run.water)?);
        }
        records.push(record);
    }
    let ratio = |g: usize| {
        let size = largest(records[1].iter().map(|r| r[g]));
        largest(records[0].iter().zip(&records[1]).map(|(a, b)| a[g] - b[g])) / size
    };
    Ok((0..ANGLES.len()).map(ratio).collect())
}

fn run(exec: &Arc<Executor>) -> Result<Outcome> {
    let mut out = Outcome::default();
    let mut points = Vec::new();
    for wavelength in [10.0, 20.0, 40.0, 80.0] {
        let (found, records) = reflection(exec, wavelength, open(LAYER))?;
        out.ratio(format!("reflection, wave of {wavelength} cells"), found, Limit::AtMost(0.01));
        points.push([wavelength, found]);
        if wavelength == 20.0 {
            let [going, coming] = records;
            out.charts.push(
                Chart::new("A wave of 20 cells before the layer")
                    .axes("time (s)", "height (m)")
                    .with(Series::new("going in", going))
                    .with(Series::new("coming back", coming)),
            );
        }
    }
    let found = oblique(exec, LAYER)?;
    if !is_software(exec) {
        let (bare, _) = reflection(exec, 20.0, open(0))?;
        let pulses: Vec<String> = oblique(exec, 0)?.iter().map(|s| format!("{:.1}", 100.0 * s)).collect();
        out.notes.push(format!(
            "without a layer the edge returns {:.2} % of a wave of 20 cells, and {} % of a pulse at 0, 30, 45, 60°",
            100.0 * bare,
            pulses.join(", ")
        ));
    }
    for ((angle, value), limit) in ANGLES.iter().zip(&found).zip(OBLIQUE) {
        out.ratio(format!("reflection of a pulse at {angle}°"), *value, Limit::AtMost(limit));
    }
    out.charts.push(
        Chart::new("Reflection of a layer of 12 cells")
            .axes("wavelength (cells)", "reflected share")
            .with(Series::new("normal incidence", points).mark(Mark::LinePoints)),
    );
    let by_angle = ANGLES.iter().zip(found).map(|(&a, f)| [a, f]);
    out.charts.push(
        Chart::new("Reflection of a pulse by angle")
            .axes("angle of incidence (degrees)", "reflected share")
            .with(Series::new("pulse of 4 cells", by_angle).mark(Mark::LinePoints)),
    );
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The measure sees a reflection where there is one.
    #[test]
    fn a_wall_reflects() {
        let exec = Arc::new(Executor::cpu().unwrap());
        for wavelength in [20.0, 80.0] {
            let (share, _) = reflection(&exec, wavelength, Edge::Side(Side::Wall)).unwrap();
            assert!(share > 0.5, "a wall returns {share} of a wave of {wavelength} cells");
        }
    }
}
