//! Rigid bodies, from a scene's text.

use std::collections::HashMap;

use thalweg_model::{Body, BodyPart, Coupling, Locks, Mass, Mooring, Pose, is_name};

use crate::body_shape::{self, around};
use crate::context::Context;
use crate::diagnostics::quoted;
use crate::format::{self, LockName};
use crate::grid::Grid;
use crate::motion;
use crate::number::{exact, tidy};
use crate::report::At;
use crate::turn::{from_axis, turned};

/// Where a point of a body's frame is at the start, m.
fn point(body: &Body, p: [f64; 3]) -> [f64; 3] {
    let p = turned(body.pose.rotation, p);
    std::array::from_fn(|axis| body.pose.position[axis] + p[axis])
}

/// Corners of a box around a body at the start, m.
pub(crate) fn bounds(body: &Body) -> [[f64; 3]; 2] {
    let corners = body.parts.iter().flat_map(|part| {
        let bounds = body_shape::bounds(part);
        (0..8).map(move |n: usize| std::array::from_fn(|axis| bounds[n >> axis & 1][axis]))
    });
    around(corners.map(|corner| point(body, corner)))
}

/// Memory that the surfaces of a body take, bytes.
pub(crate) fn bytes(body: &Body) -> u64 {
    body.parts.iter().map(BodyPart::bytes).sum()
}

/// All bodies and how water acts on them, or `None` if one is not known.
pub(crate) fn lower_all(
    file: &[format::Body],
    all: &format::Bodies,
    grid: &Grid,
    context: &mut Context<'_>,
) -> Option<(Vec<Body>, Coupling)> {
    let mut seen: HashMap<&str, usize> = HashMap::new();
    let mut bodies = Vec::new();
    for (index, file) in file.iter().enumerate() {
        let at = At::root().key("body").index(index);
        check_name(&file.name, context, &at.key("name"));
        if let Some(first) = seen.insert(&file.name, index) {
            let message = format!("the name {} is taken by body {}", quoted(&file.name), first + 1);
            context.report.error_with(&at.key("name"), message, "probes find bodies by name: it must be unique");
        }
        bodies.push(lower(file, all, grid, context, &at));
    }
    Some((bodies.into_iter().collect::<Option<_>>()?, all.coupling))
}

fn lower(file: &format::Body, all: &format::Bodies, grid: &Grid, context: &mut Context<'_>, at: &At) -> Option<Body> {
    let body_shape::Lowered { parts, middle } = body_shape::lower(file, context, at)?;
    let rotation = lower_turn(file.rotation.as_ref(), context, &at.key("rotation"))?;
    let position: [f64; 3] = std::array::from_fn(|axis| file.position[axis] + middle[axis]);
    if !grid.contains([position[0], position[2]]) {
        let message = format!("the body at x {}, z {} is outside the domain", tidy(position[0]), tidy(position[2]));
        context.report.error_with(at, message, grid.extent_text());
    }
    let motion = match &file.motion {
        Some(motion) => {
            refuse_beside_motion(file, context, at);
            Some(motion::lower(motion, position, context, &at.key("motion"))?)
        }
        None => None,
    };
    let local = |p: [f64; 3]| std::array::from_fn(|axis| p[axis] - middle[axis]);
    let drag = match all.coupling {
        Coupling::Pressure => 0.1,
        Coupling::Buoyancy => 1.0,
    };
    let mut body = Body {
        name: file.name.clone(),
        parts,
        pose: Pose { position, rotation },
        mass: lower_mass(file, context, at),
        center_of_mass: file.center_of_mass.map(local),
        inertia: file.inertia,
        velocity: file.velocity.unwrap_or_default(),
        spin: file.spin.unwrap_or_default(),
        friction: file.friction.unwrap_or(all.friction),
        restitution: file.restitution.unwrap_or(all.restitution),
        drag: file.drag.or(all.drag).unwrap_or(drag),
        motion,
        moorings: Vec::new(),
        locks: locks(&file.lock),
    };
    check_inertia(file.inertia, context, &at.key("inertia"));
    let moorings = file.moorings.iter().map(|mooring| {
        let tied = mooring.at.map_or([0.0; 3], local);
        let from = point(&body, tied);
        let reach = (0..3).map(|axis| (from[axis] - mooring.anchor[axis]).powi(2)).sum::<f64>().sqrt();
        Mooring {
            at: tied,
            anchor: mooring.anchor,
            length: mooring.length.unwrap_or(reach),
            stiffness: mooring.stiffness,
            damping: mooring.damping,
        }
    });
    body.moorings = moorings.collect();
    Some(body)
}

/// A turn as a quaternion.
pub(crate) fn lower_turn(file: Option<&format::Turn>, context: &mut Context<'_>, at: &At) -> Option<[f64; 4]> {
    match file {
        None => Some([0.0, 0.0, 0.0, 1.0]),
        Some(turn) if turn.axis == [0.0; 3] => {
            context.report.error(&at.key("axis"), "the axis has no length");
            None
        }
        Some(turn) => Some(from_axis(turn.axis, turn.degrees)),
    }
}

fn lower_mass(file: &format::Body, context: &mut Context<'_>, at: &At) -> Mass {
    match (file.density, file.mass) {
        (Some(_), Some(mass)) => {
            let message = format!("`{at}` has both `density` and `mass`");
            context.report.error_with(&at.key("mass"), message, "one follows from the other: leave one out");
            Mass::Mass(mass)
        }
        (None, Some(mass)) => Mass::Mass(mass),
        (density, None) => Mass::Density(density.unwrap_or(Body::DEFAULT_DENSITY)),
    }
}

fn check_inertia(moments: Option<[f64; 3]>, context: &mut Context<'_>, at: &At) {
    let Some([x, y, z]) = moments else { return };
    let fits = |a: f64, b: f64, c: f64| a > 0.0 && a <= b + c;
    if !(fits(x, y, z) && fits(y, z, x) && fits(z, x, y)) {
        let [x, y, z] = [x, y, z].map(exact);
        let message = format!("no body has moments of inertia of {x}, {y} and {z} kg m²");
        context.report.error_with(at, message, "each must be more than 0 and at most the sum of the others");
    }
}

/// Whoever follows a path is not pushed: keys that would push it are refused.
fn refuse_beside_motion(file: &format::Body, context: &mut Context<'_>, at: &At) {
    let keys = [
        ("velocity", file.velocity.is_some()),
        ("spin", file.spin.is_some()),
        ("moorings", !file.moorings.is_empty()),
        ("lock", !file.lock.is_empty()),
    ];
    for (key, _) in keys.iter().filter(|(_, is_there)| *is_there) {
        let message = format!("`{key}` has no effect on a body that follows `motion`");
        context.report.error_with(&at.key(key), message, "leave one of them out");
    }
}

fn locks(file: &[LockName]) -> Locks {
    let has = |name: LockName| file.contains(&name);
    Locks {
        translation: [has(LockName::X), has(LockName::Y), has(LockName::Z)],
        rotation: [has(LockName::TurnX), has(LockName::TurnY), has(LockName::TurnZ)],
    }
}

fn check_name(name: &str, context: &mut Context<'_>, at: &At) {
    if !is_name(name) {
        let message = format!("{} cannot be the name of a body", quoted(name));
        context.report.error_with(at, message, "a name has 1 to 64 letters, digits, `_` or `-`");
    }
}
