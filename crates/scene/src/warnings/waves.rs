//! Waves that come in through a side and are higher than the water there.

use super::ground::Ground;
use super::some_of;
use thalweg_model::{Ability, Side};

use crate::context::Context;
use crate::format::{self, BoundaryTable, SceneFile, SeriesTable};
use crate::number::{exact, short, tidy};
use crate::report::At;
use crate::scene::Scene;

/// Cells of a side at which the ground is looked at, at most.
const MOST_CELLS: u32 = 128;

/// Height of the highest wave over the depth of the water that it travels on (McCowan 1894): higher ones break.
const BREAKING: f64 = 0.78;

/// Height of the steepest wave over its length in deep water (Miche 1944).
const STEEPEST: f64 = 0.142;

/// Waves at a side.
struct Incoming {
    /// Elevation of still water, m.
    level: f64,
    /// From trough to crest, m.
    height: f64,
    /// Period of regular waves, s.
    period: Option<f64>,
    /// Whether they are a tide or the like, too long to break.
    is_long: bool,
    /// The key that says how high they are.
    at: At,
}

pub(super) fn look(scene: &Scene, file: &SceneFile, ground: &Ground, context: &mut Context<'_>) {
    let boundary = &scene.boundary;
    let sides = [
        ("west", &boundary.west, &file.boundary.west),
        ("east", &boundary.east, &file.boundary.east),
        ("south", &boundary.south, &file.boundary.south),
        ("north", &boundary.north, &file.boundary.north),
    ];
    for (number, (name, side, file)) in sides.into_iter().enumerate() {
        let at = At::root().key("boundary").key(name);
        let Some(waves) = incoming(scene, side, file, &at) else { continue };
        let lowest = lowest_along(scene, ground, number);
        check_depth(&waves, lowest, context);
        check_steepness(&waves, lowest, scene.gravity, context);
        if scene.water.solver.has(Ability::ThreeDimensional) {
            check_crests(&waves, ground.elevations(scene)[1], context);
        }
    }
}

/// The waves of a side, if it has any of a known height.
fn incoming(scene: &Scene, side: &Side, file: &format::Boundary, at: &At) -> Option<Incoming> {
    match side {
        Side::Wave { amplitude, level, period, .. } => {
            let (level, height) = (level.or(scene.water.level)?, 2.0 * amplitude);
            Some(Incoming { level, height, period: Some(*period), is_long: false, at: at.key("amplitude") })
        }
        Side::Ocean { level, .. } => {
            let (level, height) = (level.or(scene.water.level)?, scene.waves.as_ref()?.height?);
            Some(Incoming { level, height, period: None, is_long: false, at: At::root().key("waves").key("height") })
        }
        _ => {
            let format::Boundary::Table(table) = file else { return None };
            let BoundaryTable::Inflow { surface: Some(format::Series::Table(series)), .. } = &**table else {
                return None;
            };
            let SeriesTable::Sine { sine } = series else { return None };
            let at = at.key("surface").key("sine").key("amplitude");
            Some(Incoming { level: sine.mean, height: 2.0 * sine.amplitude.abs(), period: None, is_long: true, at })
        }
    }
}

/// The lowest ground along a side, west, east, south or north, m.
fn lowest_along(scene: &Scene, ground: &Ground, side: usize) -> f64 {
    let grid = &scene.grid;
    let count = if side < 2 { grid.nz } else { grid.nx };
    let cells = some_of(count, MOST_CELLS).map(|n| match side {
        0 => (0, n),
        1 => (grid.nx - 1, n),
        2 => (n, 0),
        _ => (n, grid.nz - 1),
    });
    cells.map(|(i, k)| ground.at(grid.center(i, k))).fold(f64::INFINITY, f64::min)
}

fn check_depth(waves: &Incoming, lowest: f64, context: &mut Context<'_>) {
    let depth = waves.level - lowest;
    // The troughs of a tide may reach the ground.
    let highest = if waves.is_long { 2.0 * depth } else { BREAKING * depth };
    if !depth.is_finite() || waves.height <= highest {
        return;
    }
    let height = short(waves.height);
    let (message, hint) = if waves.is_long {
        (
            format!(
                "the surface falls to {} m at this side, below all of the ground there",
                tidy(waves.level - 0.5 * waves.height)
            ),
            format!(
                "the lowest ground at this side is at {} m: make the amplitude smaller, or raise `mean`",
                short(lowest)
            ),
        )
    } else if depth > 0.0 {
        (
            format!("waves {height} m high come in over water of {} m at most", short(depth)),
            format!(
                "waves break before they are higher than {BREAKING} of the depth, here {} m: make them lower, or raise the water",
                short(BREAKING * depth)
            ),
        )
    } else {
        let (level, lowest) = (exact(waves.level), short(lowest));
        (
            format!("waves {height} m high come in over dry ground"),
            format!(
                "still water is at {level} m, the lowest ground at this side at {lowest} m: raise the water, or take a side with water"
            ),
        )
    };
    context.report.warn(&waves.at, message, hint);
}

/// Waves that are too steep break in any depth.
fn check_steepness(waves: &Incoming, lowest: f64, gravity: f64, context: &mut Context<'_>) {
    let depth = waves.level - lowest;
    let Some(period) = waves.period.filter(|_| depth > 0.0 && waves.height <= BREAKING * depth) else { return };
    let length = wavelength(period, depth, gravity);
    let highest = STEEPEST * length * (std::f64::consts::TAU * depth / length).tanh();
    if waves.height > highest {
        let (height, length, highest) = (short(waves.height), short(length), short(highest));
        context.report.warn(
            &waves.at,
            format!("waves {height} m high come in, and are only {length} m long"),
            format!(
                "waves of this length break before they are {highest} m high: make them lower, or their period longer"
            ),
        );
    }
}

/// Length of waves of small amplitude, m: ω² = g k tanh(k h). By halving: the left side is between those of deep and of shallow water.
fn wavelength(period: f64, depth: f64, gravity: f64) -> f64 {
    let frequency2 = (std::f64::consts::TAU / period).powi(2);
    let (mut low, mut high) = (0.0, frequency2 / gravity + frequency2.sqrt() / (gravity * depth).sqrt());
    for _ in 0..60 {
        let k = 0.5 * (low + high);
        if gravity * k * (k * depth).tanh() < frequency2 { low = k } else { high = k }
    }
    std::f64::consts::TAU / high
}

fn check_crests(waves: &Incoming, top: f64, context: &mut Context<'_>) {
    let crest = waves.level + 0.5 * waves.height;
    if crest > top {
        context.report.warn(
            &waves.at,
            format!(
                "the crests of the waves are at {} m, above the domain, which ends at {} m",
                tidy(crest),
                tidy(top)
            ),
            "raise `size` in [domain], or make the waves lower",
        );
    }
}
