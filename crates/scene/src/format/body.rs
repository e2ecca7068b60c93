//! `[[body]]` and `[bodies]`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thalweg_model::Coupling;

use super::obstacle::Motion;

/// `[bodies]`: what all bodies have in common.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Bodies {
    /// How water acts on bodies.
    #[serde(default)]
    pub coupling: Coupling,
    /// Drag coefficient of bodies that have none of their own. Default: 0.1 with `pressure`, where drag stands for what the
    /// pressure leaves out, and 1 with `buoyancy`.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 1000.0))]
    pub drag: Option<f64>,
    /// Coefficient of friction of bodies that have none of their own.
    #[serde(default = "default_friction")]
    #[schemars(range(min = 0.0, max = 10.0))]
    pub friction: f64,
    /// Coefficient of restitution of bodies that have none of their own: 0 does not bounce, 1 loses nothing.
    #[serde(default = "default_restitution")]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub restitution: f64,
}

impl Default for Bodies {
    fn default() -> Self {
        Self {
            coupling: Coupling::default(),
            drag: None,
            friction: default_friction(),
            restitution: default_restitution(),
        }
    }
}

fn default_friction() -> f64 {
    0.5
}

fn default_restitution() -> f64 {
    0.1
}

/// `[[body]]`: a rigid body in three-dimensional water. Its shape is given by the keys of an obstacle, in the world or, with a
/// `position`, relative to that.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Body {
    /// Unique name of letters, digits, `_` and `-`.
    pub name: String,
    /// What it looks like; the keys that follow say how large it is.
    pub shape: BodyShapeName,
    /// Of a box: edges `[x, y, z]`, m; its middle is at `position`. Or give `min` and `max`.
    #[serde(default)]
    #[schemars(inner(range(min = 0.0, max = 1e5)), extend("x-unit" = "m"))]
    pub size: Option<[f64; 3]>,
    /// Of a box: low corner `[x, y, z]`, m.
    #[serde(default)]
    #[schemars(inner(range(min = -1e8, max = 1e8)), extend("x-unit" = "m"))]
    pub min: Option<[f64; 3]>,
    /// Of a box: high corner `[x, y, z]`, m.
    #[serde(default)]
    #[schemars(inner(range(min = -1e8, max = 1e8)), extend("x-unit" = "m"))]
    pub max: Option<[f64; 3]>,
    /// Of a sphere: its middle `[x, y, z]`, m. Default: `position`.
    #[serde(default)]
    #[schemars(inner(range(min = -1e8, max = 1e8)), extend("x-unit" = "m"))]
    pub center: Option<[f64; 3]>,
    /// Of a sphere, a capsule and a cylinder: radius, m.
    #[serde(default)]
    #[schemars(extend("exclusiveMinimum" = 0.0, "maximum" = 1e5, "x-unit" = "m"))]
    pub radius: Option<f64>,
    /// Of a capsule, a cylinder and a cone: one end of the axis `[x, y, z]`, m.
    #[serde(default)]
    #[schemars(inner(range(min = -1e8, max = 1e8)), extend("x-unit" = "m"))]
    pub from: Option<[f64; 3]>,
    /// Of a capsule, a cylinder and a cone: the other end `[x, y, z]`, m.
    #[serde(default)]
    #[schemars(inner(range(min = -1e8, max = 1e8)), extend("x-unit" = "m"))]
    pub to: Option<[f64; 3]>,
    /// Of a cone: radii at `from` and at `to`, m. One of them may be 0.
    #[serde(default)]
    #[schemars(inner(range(min = 0.0, max = 1e5)), extend("x-unit" = "m"))]
    pub radii: Option<[f64; 2]>,
    /// Of a mesh and a hull: OBJ, STL, glTF (.gltf) or GLB file with a closed surface, relative to the scene file.
    #[serde(default)]
    pub file: Option<String>,
    /// Factor on the coordinates in the file, m per unit. Default 1.
    #[serde(default)]
    #[schemars(extend("exclusiveMinimum" = 0.0, "maximum" = 1e6))]
    pub scale: Option<f64>,
    /// Turns of the file around x, then y, then z, degrees. A file with z up needs `[-90, 0, 0]`.
    #[serde(default)]
    #[schemars(inner(range(min = -360.0, max = 360.0)), extend("x-unit" = "°"))]
    pub rotate: Option<[f64; 3]>,
    /// Of a hull: points `[x, y, z]` whose convex hull it is, m; at least four, not all in a plane.
    #[serde(default)]
    #[schemars(length(min = 4, max = 100_000), extend("x-unit" = "m"))]
    pub points: Option<Vec<[f64; 3]>>,
    /// Of a compound: its parts, m from `position`. Where they overlap, their masses add.
    #[serde(default)]
    #[schemars(length(min = 1, max = 1000))]
    pub parts: Option<Vec<BodyPart>>,
    /// Way `[x, y, z]` by which the shape is moved, m.
    #[serde(default)]
    #[schemars(inner(range(min = -1e8, max = 1e8)), extend("x-unit" = "m"))]
    pub position: [f64; 3],
    /// A turn about its middle, of a mesh about the origin of its file, before it is moved.
    #[serde(default)]
    pub rotation: Option<Turn>,
    /// Density, kg/m³: below 1000 it floats. Default 500.
    #[serde(default)]
    #[schemars(extend("exclusiveMinimum" = 0.0, "maximum" = 1e6, "x-unit" = "kg/m³"))]
    pub density: Option<f64>,
    /// Mass, kg, instead of a density.
    #[serde(default)]
    #[schemars(extend("exclusiveMinimum" = 0.0, "maximum" = 1e12, "x-unit" = "kg"))]
    pub mass: Option<f64>,
    /// Centre of mass `[x, y, z]` before `rotation` and `position`, m. Default: that of a body that is the same throughout.
    #[serde(default)]
    #[schemars(inner(range(min = -1e8, max = 1e8)), extend("x-unit" = "m"))]
    pub center_of_mass: Option<[f64; 3]>,
    /// Moments of inertia about the centre of mass around x, y and z before `rotation`, kg m². Default: those of a body that
    /// is the same throughout.
    #[serde(default)]
    #[schemars(inner(range(min = 0.0, max = 1e18)), extend("x-unit" = "kg m²"))]
    pub inertia: Option<[f64; 3]>,
    /// Velocity `[x, y, z]` at the start, m/s.
    #[serde(default)]
    #[schemars(inner(range(min = -1e3, max = 1e3)), extend("x-unit" = "m/s"))]
    pub velocity: Option<[f64; 3]>,
    /// Rates of turn around x, y and z at the start, rad/s.
    #[serde(default)]
    #[schemars(inner(range(min = -1e3, max = 1e3)), extend("x-unit" = "rad/s"))]
    pub spin: Option<[f64; 3]>,
    /// Coefficient of friction. Default: that of `[bodies]`.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 10.0))]
    pub friction: Option<f64>,
    /// Coefficient of restitution: 0 does not bounce, 1 loses nothing. Default: that of `[bodies]`.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub restitution: Option<f64>,
    /// Drag coefficient. Default: that of `[bodies]`.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 1000.0))]
    pub drag: Option<f64>,
    /// A motion that is given, as of an obstacle: the body then yields to nothing. Default: it moves as it is pushed.
    #[serde(default)]
    pub motion: Option<Motion>,
    /// Lines that hold it.
    #[serde(default)]
    pub moorings: Vec<Mooring>,
    /// What it cannot do.
    #[serde(default)]
    pub lock: Vec<LockName>,
}

/// Shapes of bodies.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum BodyShapeName {
    /// A box: `size`, or `min` and `max`.
    #[default]
    Box,
    /// A sphere: `radius`, `center`.
    Sphere,
    /// All that is no further than `radius` from the line between `from` and `to`.
    Capsule,
    /// A cylinder with flat ends: `from`, `to`, `radius`.
    Cylinder,
    /// A cone with flat ends: `from`, `to`, `radii`.
    Cone,
    /// The convex hull of `points`, or of a `file`.
    Hull,
    /// A closed surface of triangles from a `file`.
    Mesh,
    /// Several shapes as one: `parts`.
    Compound,
}

/// A part of a compound.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BodyPart {
    /// What it looks like.
    pub shape: BodyShapeName,
    /// Of a box: edges `[x, y, z]`, m; its middle is at `position`. Or give `min` and `max`.
    #[serde(default)]
    #[schemars(inner(range(min = 0.0, max = 1e5)), extend("x-unit" = "m"))]
    pub size: Option<[f64; 3]>,
    /// Of a box: low corner `[x, y, z]`, m.
    #[serde(default)]
    #[schemars(inner(range(min = -1e8, max = 1e8)), extend("x-unit" = "m"))]
    pub min: Option<[f64; 3]>,
    /// Of a box: high corner `[x, y, z]`, m.
    #[serde(default)]
    #[schemars(inner(range(min = -1e8, max = 1e8)), extend("x-unit" = "m"))]
    pub max: Option<[f64; 3]>,
    /// Of a sphere: its middle `[x, y, z]`, m. Default: `position`.
    #[serde(default)]
    #[schemars(inner(range(min = -1e8, max = 1e8)), extend("x-unit" = "m"))]
    pub center: Option<[f64; 3]>,
    /// Of a sphere, a capsule and a cylinder: radius, m.
    #[serde(default)]
    #[schemars(extend("exclusiveMinimum" = 0.0, "maximum" = 1e5, "x-unit" = "m"))]
    pub radius: Option<f64>,
    /// Of a capsule, a cylinder and a cone: one end of the axis `[x, y, z]`, m.
    #[serde(default)]
    #[schemars(inner(range(min = -1e8, max = 1e8)), extend("x-unit" = "m"))]
    pub from: Option<[f64; 3]>,
    /// Of a capsule, a cylinder and a cone: the other end `[x, y, z]`, m.
    #[serde(default)]
    #[schemars(inner(range(min = -1e8, max = 1e8)), extend("x-unit" = "m"))]
    pub to: Option<[f64; 3]>,
    /// Of a cone: radii at `from` and at `to`, m. One of them may be 0.
    #[serde(default)]
    #[schemars(inner(range(min = 0.0, max = 1e5)), extend("x-unit" = "m"))]
    pub radii: Option<[f64; 2]>,
    /// Of a mesh and a hull: OBJ, STL, glTF (.gltf) or GLB file with a closed surface, relative to the scene file.
    #[serde(default)]
    pub file: Option<String>,
    /// Factor on the coordinates in the file, m per unit. Default 1.
    #[serde(default)]
    #[schemars(extend("exclusiveMinimum" = 0.0, "maximum" = 1e6))]
    pub scale: Option<f64>,
    /// Turns of the file around x, then y, then z, degrees.
    #[serde(default)]
    #[schemars(inner(range(min = -360.0, max = 360.0)), extend("x-unit" = "°"))]
    pub rotate: Option<[f64; 3]>,
    /// Of a hull: points `[x, y, z]` whose convex hull it is, m; at least four, not all in a plane.
    #[serde(default)]
    #[schemars(length(min = 4, max = 100_000), extend("x-unit" = "m"))]
    pub points: Option<Vec<[f64; 3]>>,
    /// Way `[x, y, z]` by which the part is moved, m.
    #[serde(default)]
    #[schemars(inner(range(min = -1e8, max = 1e8)), extend("x-unit" = "m"))]
    pub position: [f64; 3],
    /// A turn about its middle, of a mesh about the origin of its file, before it is moved.
    #[serde(default)]
    pub rotation: Option<Turn>,
}

impl Body {
    /// Its shape as that of a part: the keys are the same.
    pub(crate) fn as_part(&self) -> BodyPart {
        BodyPart {
            shape: self.shape,
            size: self.size,
            min: self.min,
            max: self.max,
            center: self.center,
            radius: self.radius,
            from: self.from,
            to: self.to,
            radii: self.radii,
            file: self.file.clone(),
            scale: self.scale,
            rotate: self.rotate,
            points: self.points.clone(),
            position: self.position,
            rotation: self.rotation.clone(),
        }
    }
}

/// A turn around an axis.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Turn {
    /// Direction `[x, y, z]` of the axis, of any length. Default: up.
    #[serde(default = "super::obstacle::up")]
    #[schemars(inner(range(min = -1e8, max = 1e8)))]
    pub axis: [f64; 3],
    /// Angle, degrees; counter-clockwise, seen against the axis.
    #[schemars(range(min = -3600.0, max = 3600.0), extend("x-unit" = "°"))]
    pub degrees: f64,
}

impl Default for Turn {
    fn default() -> Self {
        Self { axis: super::obstacle::up(), degrees: 0.0 }
    }
}

/// A line from a body to a fixed point. It pulls when it is taut, and never pushes.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Mooring {
    /// Where it is tied to the body `[x, y, z]` before `rotation` and `position`, m. Default: its middle.
    #[serde(default)]
    #[schemars(inner(range(min = -1e8, max = 1e8)), extend("x-unit" = "m"))]
    pub at: Option<[f64; 3]>,
    /// Where it is tied to the world `[x, y, z]`, m.
    #[schemars(inner(range(min = -1e8, max = 1e8)), extend("x-unit" = "m"))]
    pub anchor: [f64; 3],
    /// Length up to which it is slack, m. Default: its length at the start.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 1e6), extend("x-unit" = "m"))]
    pub length: Option<f64>,
    /// Stiffness, N/m.
    #[schemars(extend("exclusiveMinimum" = 0.0, "maximum" = 1e12, "x-unit" = "N/m"))]
    pub stiffness: f64,
    /// Damping while it is taut, N s/m.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 1e12), extend("x-unit" = "N s/m"))]
    pub damping: f64,
}

/// What a body cannot do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum LockName {
    /// Move along x.
    X,
    /// Move along y.
    Y,
    /// Move along z.
    Z,
    /// Turn around x.
    TurnX,
    /// Turn around y.
    TurnY,
    /// Turn around z.
    TurnZ,
}
