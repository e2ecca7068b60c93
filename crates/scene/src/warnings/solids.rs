//! Obstacles that leave no room for the water, or reach below its cubic cells.

use thalweg_model::Solid;

use super::ground::Ground;
use super::some_of;
use thalweg_model::Ability;

use crate::context::Context;
use crate::number::tidy;
use crate::report::At;
use crate::scene::Scene;
use crate::water::WaterBox;

/// Points along an axis at which obstacles are looked for.
const POINTS: u32 = 24;

/// An obstacle that takes more of the water than this is hardly meant.
const MOST: f64 = 0.95;

/// Cells between an obstacle and tall cells, and over the ground in a column that has no tall cell. The solver keeps so
/// many; here they only decide about a warning.
const CLEARANCE: f64 = 2.0;

pub(super) fn look(scene: &Scene, ground: &Ground, context: &mut Context<'_>) {
    if scene.obstacles.is_empty() {
        return;
    }
    if scene.water.solver.has(Ability::TallCells) {
        look_deep(scene, ground, context);
    }
    look_full(scene, ground, context);
}

/// Tall cells end below obstacles as far as there are cubic cells for that. Columns grow for what moves, not for what
/// stands.
fn look_deep(scene: &Scene, ground: &Ground, context: &mut Context<'_>) {
    let (grid, tall) = (&scene.grid, &scene.water.tall);
    let [low_side, high_side] = [grid.origin, grid.high()];
    for (n, obstacle) in scene.obstacles.iter().enumerate().filter(|(_, obstacle)| obstacle.motion.is_none()) {
        let [low, high] = obstacle.bounds();
        let over = |min: [f64; 3], max: [f64; 3]| {
            [0, 2].into_iter().all(|axis| min[axis] < high[axis] && max[axis] > low[axis])
        };
        let is_inside =
            [(0, 0), (2, 1)].into_iter().all(|(axis, at)| low[axis] < high_side[at] && high[axis] > low_side[at]);
        let boxes = scene.water.boxes.iter().filter(|water| over(water.min, water.max)).map(|water| water.max[1]);
        let surface = boxes.chain(scene.water.level).fold(f64::NEG_INFINITY, f64::max);
        if !is_inside || surface <= low[1] {
            continue;
        }
        let bed = lowest_under(scene, ground, [low, high]);
        let end = (low[1] - CLEARANCE * grid.cell).max(bed + CLEARANCE * grid.cell);
        // Columns reach from their highest water with `above` on it down to where the tall cell ends.
        let needed = ((surface - end) / grid.cell - 1e-6).ceil() + 1.0 + f64::from(tall.above);
        if f64::from(tall.regular_cells) >= needed {
            continue;
        }
        context.report.warn(
            &At::root().key("obstacle").index(n),
            format!(
                "the obstacle reaches into tall cells, where the water does not see its shape: it goes down to {} m, and columns have {} cubic cells",
                tidy(low[1].max(bed)),
                tall.regular_cells
            ),
            format!("set `regular_cells` in [water.tall] to {needed} or more, or leave it out: the default has room for obstacles"),
        );
    }
}

/// The lowest ground under a box, m.
fn lowest_under(scene: &Scene, ground: &Ground, [low, high]: [[f64; 3]; 2]) -> f64 {
    let [floor, _] = ground.elevations(scene);
    let along = |axis: usize, at: usize| {
        let (from, to) = (low[axis].max(scene.grid.origin[at]), high[axis].min(scene.grid.high()[at]));
        (0..POINTS).map(move |n| from + (to - from) * (f64::from(n) + 0.5) / f64::from(POINTS))
    };
    let heights = along(0, 0).flat_map(|x| along(2, 1).map(move |z| [x, z])).map(|place| ground.at(place));
    heights.fold(f64::INFINITY, f64::min).max(floor)
}

/// Obstacles that leave no room.
fn look_full(scene: &Scene, ground: &Ground, context: &mut Context<'_>) {
    let all = points(scene, ground);
    let wet: Vec<[f64; 3]> = all.iter().copied().filter(|point| is_water(scene, *point)).collect();
    // A tank that is dry at the start is to be filled.
    let (room, what) = if wet.is_empty() { (all, "the domain") } else { (wet, "the water at the start") };
    if room.is_empty() {
        return;
    }
    let [floor, top] = ground.elevations(scene);
    // As soon as more is free there is no need to look on: a scene may have thousands of obstacles.
    let most_free = ((1.0 - MOST) * room.len() as f64) as usize;
    for (n, obstacle) in scene.obstacles.iter().enumerate() {
        let around = obstacle.bounds();
        let free = room.iter().filter(|point| !holds(&obstacle.shape, around, **point)).take(most_free + 1).count();
        if free > most_free || !is_full(&obstacle.shape, around) {
            continue;
        }
        let share = 100.0 * (1.0 - free as f64 / room.len() as f64);
        context.report.warn(
            &At::root().key("obstacle").index(n),
            format!("the obstacle takes the place of {share:.0} % of {what}"),
            format!(
                "make it smaller or move it: {}, elevations from {} to {} m",
                scene.grid.extent_text(),
                tidy(floor),
                tidy(top)
            ),
        );
    }
}

/// Points of the domain above the ground.
fn points(scene: &Scene, ground: &Ground) -> Vec<[f64; 3]> {
    let grid = &scene.grid;
    let [floor, top] = ground.elevations(scene);
    let mut points = Vec::new();
    for k in some_of(grid.nz, POINTS) {
        for i in some_of(grid.nx, POINTS) {
            let [x, z] = grid.center(i, k);
            let bed = ground.at([x, z]);
            let heights = (0..POINTS).map(|j| floor + (top - floor) * (f64::from(j) + 0.5) / f64::from(POINTS));
            points.extend(heights.filter(|y| *y > bed).map(|y| [x, y, z]));
        }
    }
    points
}

/// Whether a point above the ground is in water at the start.
fn is_water(scene: &Scene, point: [f64; 3]) -> bool {
    let is_in = |water: &WaterBox| (0..3).all(|axis| (water.min[axis]..water.max[axis]).contains(&point[axis]));
    scene.water.level.is_some_and(|level| point[1] < level) || scene.water.boxes.iter().any(is_in)
}

/// Whether a point is inside a shape, whose corners are given too; a mesh counts as the box around it.
fn holds(shape: &Solid, [low, high]: [[f64; 3]; 2], point: [f64; 3]) -> bool {
    if !(0..3).all(|axis| (low[axis]..=high[axis]).contains(&point[axis])) {
        return false;
    }
    match shape {
        Solid::Box { .. } | Solid::Mesh { .. } => true,
        Solid::Sphere { center, radius } => distance(*center, point) <= *radius,
        Solid::Capsule { ends, radius } => {
            let (share, _) = along(*ends, point);
            let nearest = std::array::from_fn(|a| ends[0][a] + share.clamp(0.0, 1.0) * (ends[1][a] - ends[0][a]));
            distance(nearest, point) <= *radius
        }
        Solid::Cylinder { ends, radius } => {
            let (share, away) = along(*ends, point);
            (0.0..=1.0).contains(&share) && away <= *radius
        }
        Solid::Cone { ends, radii } => {
            let (share, away) = along(*ends, point);
            (0.0..=1.0).contains(&share) && away <= radii[0] + share * (radii[1] - radii[0])
        }
    }
}

/// Whether a shape is what [`holds`] takes it for: a mesh must fill the box around it.
fn is_full(shape: &Solid, [low, high]: [[f64; 3]; 2]) -> bool {
    let Solid::Mesh { mesh, .. } = shape else { return true };
    let around: f64 = (0..3).map(|axis| high[axis] - low[axis]).product();
    mesh.volume() > MOST * around
}

fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    (0..3).map(|axis| (a[axis] - b[axis]).powi(2)).sum::<f64>().sqrt()
}

/// Where a point is along a line, 0 at its first end and 1 at its second, and how far it is from the line, m.
fn along([a, b]: [[f64; 3]; 2], point: [f64; 3]) -> (f64, f64) {
    let dot = |u: [f64; 3], v: [f64; 3]| (0..3).map(|axis| u[axis] * v[axis]).sum::<f64>();
    let less = |u: [f64; 3], v: [f64; 3]| std::array::from_fn(|axis| u[axis] - v[axis]);
    let (line, arm): ([f64; 3], [f64; 3]) = (less(b, a), less(point, a));
    let share = dot(arm, line) / dot(line, line);
    (share, distance(arm, line.map(|v| share * v)))
}
