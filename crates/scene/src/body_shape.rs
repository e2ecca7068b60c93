//! Shapes of bodies: those of obstacles, hulls, and several as one.

use std::sync::Arc;

use thalweg_model::{BodyPart, PartShape, Pose, Solid};

use crate::body::lower_turn;
use crate::context::Context;
use crate::format::{self, BodyShapeName};
use crate::mesh;
use crate::obstacle::is_good;
use crate::report::At;
use crate::turn::turned;

/// What a body is made of.
pub(crate) struct Lowered {
    pub(crate) parts: Vec<BodyPart>,
    /// The origin of its frame, in the coordinates of the scene before the body is moved, m.
    pub(crate) middle: [f64; 3],
}

/// Corners of a box around a part in the body's frame, m. A turned part's box holds its own box.
pub(crate) fn bounds(part: &BodyPart) -> [[f64; 3]; 2] {
    let [low, high] = part.shape.bounds();
    let corner = |n: usize| {
        let corner = std::array::from_fn(|axis| if n >> axis & 1 == 1 { high[axis] } else { low[axis] });
        let turned = turned(part.pose.rotation, corner);
        std::array::from_fn(|axis| part.pose.position[axis] + turned[axis])
    };
    around((0..8).map(corner))
}

pub(crate) fn around(points: impl Iterator<Item = [f64; 3]>) -> [[f64; 3]; 2] {
    points.fold([[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]], |[low, high], p| {
        [std::array::from_fn(|a| p[a].min(low[a])), std::array::from_fn(|a| p[a].max(high[a]))]
    })
}

/// The parts of a body, or `None` with the reasons in the report.
pub(crate) fn lower(file: &format::Body, context: &mut Context<'_>, at: &At) -> Option<Lowered> {
    let whole = file.as_part();
    if file.shape != BodyShapeName::Compound {
        if file.parts.is_some() {
            wrong_key(file.shape, "parts", context, at);
        }
        let shape = lower_shape(&whole, context, at)?;
        let middle = shape.middle();
        let part = BodyPart { shape: shape.moved(middle.map(|v| -v)), pose: Pose::default() };
        return Some(Lowered { parts: vec![part], middle });
    }
    refuse_keys(&whole, context, at);
    let Some(files) = &file.parts else {
        let message = format!("`{at}` is a compound without `parts`");
        context.report.error_with(at, message, "add `parts = [{ shape = \"box\", size = [1, 1, 1] }]`");
        return None;
    };
    let mut parts = Vec::new();
    for (index, file) in files.iter().enumerate() {
        parts.push(lower_part(file, context, &at.key("parts").index(index)));
    }
    let mut parts = parts.into_iter().collect::<Option<Vec<BodyPart>>>()?;
    let [low, high] = around(parts.iter().flat_map(bounds));
    let middle: [f64; 3] = std::array::from_fn(|axis| 0.5 * (low[axis] + high[axis]));
    for part in &mut parts {
        part.pose.position = std::array::from_fn(|axis| part.pose.position[axis] - middle[axis]);
    }
    Some(Lowered { parts, middle })
}

fn lower_part(file: &format::BodyPart, context: &mut Context<'_>, at: &At) -> Option<BodyPart> {
    if file.shape == BodyShapeName::Compound {
        let message = "a part of a compound cannot be a compound";
        context.report.error_with(&at.key("shape"), message, "list all parts in one");
        return None;
    }
    let shape = lower_shape(file, context, at);
    let rotation = lower_turn(file.rotation.as_ref(), context, &at.key("rotation"))?;
    let shape = shape?;
    let middle = shape.middle();
    let position = std::array::from_fn(|axis| middle[axis] + file.position[axis]);
    Some(BodyPart { shape: shape.moved(middle.map(|v| -v)), pose: Pose { position, rotation } })
}

/// Keys of a shape that a file has, and those that belong to a shape.
fn given(file: &format::BodyPart) -> [(&'static str, bool); 10] {
    [
        ("size", file.size.is_some()),
        ("min", file.min.is_some()),
        ("max", file.max.is_some()),
        ("center", file.center.is_some()),
        ("radius", file.radius.is_some()),
        ("from", file.from.is_some()),
        ("to", file.to.is_some()),
        ("radii", file.radii.is_some()),
        ("file", file.file.is_some()),
        ("points", file.points.is_some()),
    ]
}

fn keys_of(shape: BodyShapeName) -> (&'static str, &'static [&'static str]) {
    match shape {
        BodyShapeName::Box => ("box", &["size", "min", "max"]),
        BodyShapeName::Sphere => ("sphere", &["radius", "center"]),
        BodyShapeName::Capsule => ("capsule", &["from", "to", "radius"]),
        BodyShapeName::Cylinder => ("cylinder", &["from", "to", "radius"]),
        BodyShapeName::Cone => ("cone", &["from", "to", "radii"]),
        BodyShapeName::Hull => ("hull", &["points", "file"]),
        BodyShapeName::Mesh => ("mesh", &["file"]),
        BodyShapeName::Compound => ("compound", &["parts"]),
    }
}

fn wrong_key(shape: BodyShapeName, key: &str, context: &mut Context<'_>, at: &At) {
    let (name, keys) = keys_of(shape);
    let message = format!("`{key}` belongs to another shape than `{name}`");
    context.report.error_with(&at.key(key), message, format!("a {name} has `{}`", keys.join("`, `")));
}

/// Reports keys that the shape has no use for.
fn refuse_keys(file: &format::BodyPart, context: &mut Context<'_>, at: &At) {
    let (_, keys) = keys_of(file.shape);
    for (key, _) in given(file).into_iter().filter(|(key, is_there)| *is_there && !keys.contains(key)) {
        wrong_key(file.shape, key, context, at);
    }
    let from_file = keys.contains(&"file") && file.file.is_some();
    for (key, is_there) in [("scale", file.scale.is_some()), ("rotate", file.rotate.is_some())] {
        if is_there && !from_file {
            let message = format!("`{key}` is for shapes from a `file`");
            context.report.error_with(&at.key(key), message, "leave it out; `rotation` turns any body");
        }
    }
}

/// The value of a key that the shape cannot do without.
fn needed<T>(file: &format::BodyPart, value: Option<T>, key: &str, context: &mut Context<'_>, at: &At) -> Option<T> {
    if value.is_none() {
        let (name, keys) = keys_of(file.shape);
        let message = format!("`{at}` is a {name} without `{key}`");
        context.report.error_with(at, message, format!("a {name} has `{}`", keys.join("`, `")));
    }
    value
}

fn lower_shape(file: &format::BodyPart, context: &mut Context<'_>, at: &At) -> Option<PartShape> {
    refuse_keys(file, context, at);
    let solid = match file.shape {
        BodyShapeName::Box => lower_box(file, context, at)?,
        BodyShapeName::Sphere => {
            let radius = needed(file, file.radius, "radius", context, at)?;
            Solid::Sphere { center: file.center.unwrap_or_default(), radius }
        }
        BodyShapeName::Capsule | BodyShapeName::Cylinder | BodyShapeName::Cone => {
            let ends = [needed(file, file.from, "from", context, at)?, needed(file, file.to, "to", context, at)?];
            match file.shape {
                BodyShapeName::Cone => Solid::Cone { ends, radii: needed(file, file.radii, "radii", context, at)? },
                BodyShapeName::Capsule => {
                    Solid::Capsule { ends, radius: needed(file, file.radius, "radius", context, at)? }
                }
                _ => Solid::Cylinder { ends, radius: needed(file, file.radius, "radius", context, at)? },
            }
        }
        BodyShapeName::Hull => return lower_hull(file, context, at),
        BodyShapeName::Mesh => {
            let mesh = lower_mesh(file, context, at)?;
            Solid::Mesh { mesh: Arc::new(mesh), position: [0.0; 3] }
        }
        BodyShapeName::Compound => return None,
    };
    is_good(&solid, context, at).then_some(PartShape::Solid(solid))
}

fn lower_box(file: &format::BodyPart, context: &mut Context<'_>, at: &At) -> Option<Solid> {
    match (file.size, file.min, file.max) {
        (Some(size), None, None) => {
            if let Some(axis) = size.iter().position(|edge| *edge <= 0.0) {
                context.report.error(&at.key("size").index(axis), "the box is empty: its edges must be more than 0 m");
                return None;
            }
            Some(Solid::Box { min: size.map(|edge| -0.5 * edge), max: size.map(|edge| 0.5 * edge) })
        }
        (None, Some(min), Some(max)) => Some(Solid::Box { min, max }),
        (Some(_), _, _) => {
            let message = format!("`{at}` has both `size` and a corner");
            context.report.error_with(&at.key("size"), message, "give `size`, or `min` and `max`");
            None
        }
        (None, _, _) => {
            let message = format!("`{at}` is a box without a size");
            context.report.error_with(at, message, "give `size`, or `min` and `max`");
            None
        }
    }
}

fn lower_mesh(file: &format::BodyPart, context: &mut Context<'_>, at: &At) -> Option<mesh::TriangleMesh> {
    let name = needed(file, file.file.as_deref(), "file", context, at)?;
    let mesh = mesh::lower(name, context, &at.key("file"))?;
    Some(mesh.placed(file.scale.unwrap_or(1.0), file.rotate.unwrap_or_default()))
}

fn lower_hull(file: &format::BodyPart, context: &mut Context<'_>, at: &At) -> Option<PartShape> {
    let (points, key) = match (&file.points, &file.file) {
        (Some(points), None) => (points.clone(), "points"),
        (None, Some(_)) => (lower_mesh(file, context, at)?.vertices, "file"),
        (Some(_), Some(_)) => {
            context.report.error(&at.key("file"), format!("`{at}` has both `points` and `file`"));
            return None;
        }
        (None, None) => {
            needed(file, None::<()>, "points", context, at);
            return None;
        }
    };
    if is_flat(&points) {
        context.report.error_with(
            &at.key(key),
            format!("the {} points of the hull lie in one plane", points.len()),
            "a hull needs four that do not",
        );
        return None;
    }
    Some(PartShape::Hull { points })
}

/// Whether points lie in a plane, within a ten-thousandth of their extent.
fn is_flat(points: &[[f64; 3]]) -> bool {
    let less = |a: [f64; 3], b: [f64; 3]| [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
    let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let cross =
        |a: [f64; 3], b: [f64; 3]| [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
    let length = |a: [f64; 3]| dot(a, a).sqrt();
    let Some(&first) = points.first() else { return true };
    let farthest = |measure: &dyn Fn([f64; 3]) -> f64| {
        let arms = points.iter().map(|p| less(*p, first));
        arms.map(|arm| (measure(arm), arm))
            .fold((0.0, [0.0; 3]), |best, next| if next.0 > best.0 { next } else { best })
    };
    let (size, along) = farthest(&length);
    let (area, across) = farthest(&|arm| length(cross(along, arm)));
    let normal = cross(along, across);
    let (volume, _) = farthest(&|arm| dot(normal, arm).abs());
    let flat = 1e-4 * size;
    size == 0.0 || area <= flat * size || volume <= flat * area
}
