//! Rigid bodies.

use std::collections::HashMap;

use thalweg_model::Motion;

use crate::body_shape::{self, BodyPart, PartShape, around};
use crate::context::Context;
use crate::diagnostics::quoted;
use crate::format::{self, CouplingName, LockName};
use crate::grid::Grid;
use crate::motion;
use crate::number::{exact, tidy};
use crate::probe::is_name;
use crate::report::At;
use crate::turn::{from_axis, turned};

/// Density of a body that says nothing of its weight, kg/m³.
const DEFAULT_DENSITY: f64 = 500.0;

/// A rigid body in three-dimensional water. Its frame has its origin in the middle of its shape, of a mesh in the origin of
/// its file.
#[derive(Debug, Clone, PartialEq)]
pub struct Body {
    /// Unique among bodies.
    pub name: String,
    /// What it is made of, in its frame; at least one.
    pub parts: Vec<BodyPart>,
    /// Where its frame is at the start, m in the world.
    pub position: [f64; 3],
    /// How its frame is turned at the start, a unit quaternion `[x, y, z, w]`.
    pub rotation: [f64; 4],
    /// How heavy it is.
    pub mass: BodyMass,
    /// Centre of mass in its frame, m; `None` if it is the same throughout.
    pub center_of_mass: Option<[f64; 3]>,
    /// Moments of inertia about the centre of mass along the axes of its frame, kg m²; `None` if it is the same throughout.
    pub inertia: Option<[f64; 3]>,
    /// Velocity at the start, m/s.
    pub velocity: [f64; 3],
    /// Rates of turn around the world's axes at the start, rad/s.
    pub spin: [f64; 3],
    /// Coefficient of friction.
    pub friction: f64,
    /// Coefficient of restitution.
    pub restitution: f64,
    /// Drag coefficient.
    pub drag: f64,
    /// A given motion; it then yields to nothing.
    pub motion: Option<Motion>,
    /// Lines that hold it.
    pub moorings: Vec<BodyMooring>,
    /// Whether it cannot move along x, y, z, or turn around them.
    pub locks: [[bool; 3]; 2],
}

/// How heavy a body is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum BodyMass {
    /// kg/m³.
    Density(f64),
    /// kg.
    Mass(f64),
}

/// A line from a body to a fixed point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BodyMooring {
    /// Where it is tied to the body, m in its frame.
    pub at: [f64; 3],
    /// Where it is tied to the world, m.
    pub anchor: [f64; 3],
    /// Length up to which it is slack, m.
    pub length: f64,
    /// N/m.
    pub stiffness: f64,
    /// N s/m.
    pub damping: f64,
}

/// How water acts on bodies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum BodyCoupling {
    /// By its pressure, solved together with the bodies.
    #[default]
    Pressure,
    /// By the weight of the water that is displaced, and drag.
    Buoyancy,
}

impl Body {
    /// A free body of one shape around its own middle, at rest at a place, half as heavy as water.
    pub fn new(name: impl Into<String>, shape: PartShape, position: [f64; 3]) -> Self {
        let turn = [0.0, 0.0, 0.0, 1.0];
        Self {
            name: name.into(),
            parts: vec![BodyPart { shape, turn, place: [0.0; 3] }],
            position,
            rotation: turn,
            mass: BodyMass::Density(DEFAULT_DENSITY),
            center_of_mass: None,
            inertia: None,
            velocity: [0.0; 3],
            spin: [0.0; 3],
            friction: 0.5,
            restitution: 0.1,
            drag: 0.1,
            motion: None,
            moorings: Vec::new(),
            locks: [[false; 3]; 2],
        }
    }

    /// Whether it has a name that scene files could give it: 1 to 64 letters, digits, `_` or `-`.
    pub fn is_well_named(&self) -> bool {
        is_name(&self.name)
    }

    /// Where a point of its frame is at the start, m.
    pub fn point(&self, p: [f64; 3]) -> [f64; 3] {
        let p = turned(self.rotation, p);
        std::array::from_fn(|axis| self.position[axis] + p[axis])
    }

    /// Corners of a box around it at the start, m.
    pub(crate) fn bounds(&self) -> [[f64; 3]; 2] {
        let corners = self.parts.iter().flat_map(|part| {
            let bounds = part.bounds();
            (0..8).map(move |n: usize| std::array::from_fn(|axis| bounds[n >> axis & 1][axis]))
        });
        around(corners.map(|corner| self.point(corner)))
    }

    /// Memory that its surfaces take, bytes.
    pub(crate) fn bytes(&self) -> u64 {
        self.parts.iter().map(BodyPart::bytes).sum()
    }

    /// All bodies and how water acts on them, or `None` if one is not known.
    pub(crate) fn lower_all(
        file: &[format::Body],
        all: &format::Bodies,
        grid: &Grid,
        context: &mut Context<'_>,
    ) -> Option<(Vec<Self>, BodyCoupling)> {
        let coupling = match all.coupling {
            CouplingName::Pressure => BodyCoupling::Pressure,
            CouplingName::Buoyancy => BodyCoupling::Buoyancy,
        };
        let mut seen: HashMap<&str, usize> = HashMap::new();
        let mut bodies = Vec::new();
        for (index, file) in file.iter().enumerate() {
            let at = At::root().key("body").index(index);
            check_name(&file.name, context, &at.key("name"));
            if let Some(first) = seen.insert(&file.name, index) {
                let message = format!("the name {} is taken by body {}", quoted(&file.name), first + 1);
                context.report.error_with(&at.key("name"), message, "probes find bodies by name: it must be unique");
            }
            bodies.push(Self::lower(file, all, grid, context, &at));
        }
        Some((bodies.into_iter().collect::<Option<_>>()?, coupling))
    }

    fn lower(
        file: &format::Body,
        all: &format::Bodies,
        grid: &Grid,
        context: &mut Context<'_>,
        at: &At,
    ) -> Option<Self> {
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
            CouplingName::Pressure => 0.1,
            CouplingName::Buoyancy => 1.0,
        };
        let mut body = Self {
            name: file.name.clone(),
            parts,
            position,
            rotation,
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
            let from = body.point(tied);
            let reach = (0..3).map(|axis| (from[axis] - mooring.anchor[axis]).powi(2)).sum::<f64>().sqrt();
            BodyMooring {
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

fn lower_mass(file: &format::Body, context: &mut Context<'_>, at: &At) -> BodyMass {
    match (file.density, file.mass) {
        (Some(_), Some(mass)) => {
            let message = format!("`{at}` has both `density` and `mass`");
            context.report.error_with(&at.key("mass"), message, "one follows from the other: leave one out");
            BodyMass::Mass(mass)
        }
        (None, Some(mass)) => BodyMass::Mass(mass),
        (density, None) => BodyMass::Density(density.unwrap_or(DEFAULT_DENSITY)),
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

fn locks(file: &[LockName]) -> [[bool; 3]; 2] {
    let has = |name: LockName| file.contains(&name);
    [
        [has(LockName::X), has(LockName::Y), has(LockName::Z)],
        [has(LockName::TurnX), has(LockName::TurnY), has(LockName::TurnZ)],
    ]
}

fn check_name(name: &str, context: &mut Context<'_>, at: &At) {
    if !is_name(name) {
        let message = format!("{} cannot be the name of a body", quoted(name));
        context.report.error_with(at, message, "a name has 1 to 64 letters, digits, `_` or `-`");
    }
}
