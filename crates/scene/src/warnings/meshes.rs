//! Meshes in another unit than the scene, inside out, or too thin for its cells.

use thalweg_model::{PartShape, Solid};

use crate::context::Context;
use crate::format::{self, SceneFile};
use crate::mesh::{TriangleMesh, thinner_than};
use crate::number::{exact, short, tidy};
use crate::report::At;
use crate::scene::Scene;

/// A mesh that is longer than the domain by this factor is hardly in metres.
const TOO_LONG: f64 = 10.0;

/// A mesh that is thinner than a cell in more than this share of its surface is more than a sharp edge.
const THIN: f64 = 0.25;

/// Units that modellers work in, m.
const UNITS: [(&str, f64); 2] = [("millimetres", 1e-3), ("centimetres", 1e-2)];

pub(super) fn look(scene: &Scene, file: &SceneFile, context: &mut Context<'_>) {
    let root = At::root();
    for (n, (obstacle, file)) in scene.obstacles.iter().zip(&file.obstacle).enumerate() {
        if let (Solid::Mesh { mesh, position }, format::Obstacle::Mesh { scale, .. }) = (&obstacle.shape, file) {
            let at = root.key("obstacle").index(n).key("file");
            check_size(mesh.bounds(), *scale, scene, context, &at);
            check_walls(mesh, Some(*position), scene, context, &at);
        }
    }
    for (n, (body, file)) in scene.bodies.iter().zip(&file.body).enumerate() {
        let at = root.key("body").index(n);
        let whole = (file.file.is_some(), file.scale);
        for (m, part) in body.parts.iter().enumerate() {
            let inner = file.parts.as_ref().and_then(|parts| parts.get(m));
            let (is_from_file, scale) = inner.map_or(whole, |part| (part.file.is_some(), part.scale));
            let at = if inner.is_some() { at.key("parts").index(m) } else { at.clone() };
            if is_from_file {
                check_size(part.shape.bounds(), scale.unwrap_or(1.0), scene, context, &at.key("file"));
            }
            if let PartShape::Solid(Solid::Mesh { mesh, .. }) = &part.shape {
                check_walls(mesh, None, scene, context, &at.key("file"));
            }
        }
    }
}

/// Warns of a mesh that was inside out, or that has less than a cell between its sides. `position` is where its origin is in the scene, if it has a place
/// there.
fn check_walls(mesh: &TriangleMesh, position: Option<[f64; 3]>, scene: &Scene, context: &mut Context<'_>, at: &At) {
    if mesh.was_inside_out {
        context.report.warn(
            at,
            "the mesh is inside out: its triangles look inwards, and were turned",
            "recalculate the normals outwards in a mesh editor, if it is meant to be solid there",
        );
    }
    let cell = scene.grid.cell;
    let [low, high] = mesh.bounds();
    if (0..3).all(|axis| high[axis] - low[axis] < cell) {
        return; // all of it is small, which is reported already
    }
    // A domain one cell thick sees nothing of what lies along z.
    let Some(thin) = thinner_than(mesh, cell, [true, true, scene.grid.nz > 1]).filter(|thin| thin.share > THIN) else {
        return;
    };
    let place = position.map_or(thin.at, |way| std::array::from_fn(|axis| thin.at[axis] + way[axis]));
    let of = if position.is_some() { "" } else { " of its own coordinates" };
    context.report.warn(
        at,
        format!(
            "{:.0} % of the mesh has less than a cell of {} m between its sides: {} m at [{}]{of}",
            100.0 * thin.share,
            exact(cell),
            short(thin.least),
            place.map(short).join(", ")
        ),
        "water goes through what is thinner than a cell: make it thicker, or `cell` in [domain] smaller",
    );
}

/// Warns of a mesh that is far too long or too short for the domain; `scale` is the factor that it has already.
fn check_size([low, high]: [[f64; 3]; 2], scale: f64, scene: &Scene, context: &mut Context<'_>, at: &At) {
    let grid = &scene.grid;
    let domain = [f64::from(grid.nx) * grid.cell, grid.height, f64::from(grid.nz) * grid.cell];
    let domain = domain.into_iter().fold(0.0, f64::max);
    let length = (0..3).map(|axis| high[axis] - low[axis]).fold(0.0, f64::max);
    if length > TOO_LONG * domain {
        let fits = |unit: f64| length * unit <= domain && length * unit >= grid.cell;
        let hint = match UNITS.into_iter().find(|(_, unit)| fits(*unit)) {
            Some((name, unit)) => format!("if the file is in {name}, set `scale = {}`", tidy(scale * unit)),
            None => "set `scale` to the metres that a unit of the file stands for".to_owned(),
        };
        let (length, domain) = (short(length), short(domain));
        context.report.warn(at, format!("the mesh is {length} m long, the domain {domain} m"), hint);
    } else if length < grid.cell {
        let (length, cell) = (short(length), exact(grid.cell));
        context.report.warn(
            at,
            format!("the mesh is {length} m long, less than a cell of {cell} m: the water hardly sees it"),
            "set `scale` to the metres that a unit of the file stands for, or make `cell` in [domain] smaller",
        );
    }
}
