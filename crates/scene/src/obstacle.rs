//! Solids.

use std::collections::HashMap;
use std::sync::Arc;

use thalweg_model::{Motion, Obstacle, Solid, is_name};

use crate::context::Context;
use crate::diagnostics::quoted;
use crate::format;
use crate::grid::Grid;
use crate::mesh;
use crate::motion;
use crate::number::exact;
use crate::report::At;

/// Whether the shape is one; reported at the key that says otherwise.
pub(crate) fn is_good(solid: &Solid, context: &mut Context<'_>, at: &At) -> bool {
    match *solid {
        Solid::Box { min, max } => {
            for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
                if min[axis] >= max[axis] {
                    let (from, to) = (exact(min[axis]), exact(max[axis]));
                    let message = format!("the box is empty: {name} goes from {from} to {to} m");
                    context.report.error(&at.key("max").index(axis), message);
                    return false;
                }
            }
        }
        Solid::Capsule { ends: [a, b], .. }
        | Solid::Cylinder { ends: [a, b], .. }
        | Solid::Cone { ends: [a, b], .. }
            if a == b =>
        {
            context.report.error(&at.key("to"), "the axis has no length: `from` and `to` are the same");
            return false;
        }
        Solid::Cone { radii: [0.0, 0.0], .. } => {
            context.report.error(&at.key("radii"), "the cone is empty: one radius must be more than 0");
            return false;
        }
        _ => {}
    }
    true
}

/// All obstacles, or `None` if the shape or the motion of one is not known.
pub(crate) fn lower_all(file: &[format::Obstacle], grid: &Grid, context: &mut Context<'_>) -> Option<Vec<Obstacle>> {
    let mut seen: HashMap<String, usize> = HashMap::new();
    let mut obstacles = Vec::new();
    for (index, file) in file.iter().enumerate() {
        let at = At::root().key("obstacle").index(index);
        let obstacle = lower(file, grid, context, &at);
        if let Some(name) = obstacle.as_ref().and_then(|obstacle| obstacle.name.clone()) {
            if !is_name(&name) {
                let message = format!("{} cannot be the name of an obstacle", quoted(&name));
                context.report.error_with(&at.key("name"), message, "a name has 1 to 64 letters, digits, `_` or `-`");
            }
            if let Some(first) = seen.insert(name.clone(), index) {
                let message = format!("the name {} is taken by obstacle {}", quoted(&name), first + 1);
                context.report.error_with(&at.key("name"), message, "probes find obstacles by name: it must be unique");
            }
        }
        obstacles.push(obstacle);
    }
    obstacles.into_iter().collect()
}

fn lower(file: &format::Obstacle, grid: &Grid, context: &mut Context<'_>, at: &At) -> Option<Obstacle> {
    let (shape, name, motion) = match file.clone() {
        format::Obstacle::Box { min, max, name, motion } => (Solid::Box { min, max }, name, motion),
        format::Obstacle::Sphere { center, radius, name, motion } => (Solid::Sphere { center, radius }, name, motion),
        format::Obstacle::Capsule { from, to, radius, name, motion } => {
            (Solid::Capsule { ends: [from, to], radius }, name, motion)
        }
        format::Obstacle::Cylinder { from, to, radius, name, motion } => {
            (Solid::Cylinder { ends: [from, to], radius }, name, motion)
        }
        format::Obstacle::Cone { from, to, radii, name, motion } => {
            (Solid::Cone { ends: [from, to], radii }, name, motion)
        }
        format::Obstacle::Mesh { file, scale, rotate, position, name, motion } => {
            let mesh = mesh::lower(&file, context, &at.key("file"))?.placed(scale, rotate);
            (Solid::Mesh { mesh: Arc::new(mesh), position }, name, motion)
        }
    };
    let is_good = is_good(&shape, context, at);
    let motion = match motion {
        Some(motion) => Some(motion::lower(&motion, shape.middle(), context, &at.key("motion"))?),
        None => None,
    };
    let [low, high] = swept(&shape, motion.as_ref(), context.duration);
    let end = grid.high();
    let outside = |axis: usize, side: usize| high[axis] <= grid.origin[side] || low[axis] >= end[side];
    if is_good && (outside(0, 0) || outside(2, 1)) {
        context.report.error_with(at, "the obstacle is outside the domain", grid.extent_text());
    }
    Some(Obstacle { name, shape, motion })
}

/// Corners of a box around all places of a shape during a scene, m.
pub(crate) fn swept(shape: &Solid, motion: Option<&Motion>, duration: f64) -> [[f64; 3]; 2] {
    let [mut low, mut high] = shape.bounds();
    let Some(motion) = motion else { return [low, high] };
    if let Some(spin) = motion.spin {
        // A sphere around the pivot holds it however it turns.
        let middle: [f64; 3] = std::array::from_fn(|axis| 0.5 * (low[axis] + high[axis]));
        let pivot = spin.pivot.unwrap_or(middle);
        let far = |axis: usize| (low[axis] - pivot[axis]).abs().max((high[axis] - pivot[axis]).abs());
        let radius = (0..3).map(|axis| far(axis).powi(2)).sum::<f64>().sqrt();
        (low, high) = (pivot.map(|v| v - radius), pivot.map(|v| v + radius));
    }
    let [least, most] = motion.reach(duration);
    [std::array::from_fn(|axis| low[axis] + least[axis]), std::array::from_fn(|axis| high[axis] + most[axis])]
}
