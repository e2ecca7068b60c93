//! What the solver of a scene cannot do: refused where it is asked for, never ignored.

use thalweg_model::Ability;

use crate::context::Context;
use crate::format::{self, BoundaryName, BoundaryTable, Discretisation, Limiter, SceneFile, Scheme, TreeSchemeName};
use crate::report::At;
use crate::water::Solver;

/// Reports every key that the scene's solver has no use for.
pub(crate) fn refuse_unsupported(file: &SceneFile, solver: Solver, context: &mut Context<'_>) {
    if file.water.quadtree.is_some() && !solver.has(Ability::AdaptiveCells) {
        let message = format!("`water.quadtree` has no effect on `{}`", solver.name());
        let hint = "set `solver = \"quadtree\"` in [water], or leave it out";
        context.report.error_with(&At::root().key("water").key("quadtree"), message, hint);
    }
    if file.terrain.stream && !solver.has(Ability::StreamedGround) {
        let message = format!("the solver `{}` has no ground that streams", solver.name());
        let hint = "set `solver = \"quadtree\"` in [water], or leave `stream` out: the file is then read whole";
        context.report.error_with(&At::root().key("terrain").key("stream"), message, hint);
    }
    over_time(file, solver, context);
    of_three_dimensions(file, solver, context);
    if solver.has(Ability::ThreeDimensional) {
        three_dimensional(file, solver, context);
    } else if solver.has(Ability::AdaptiveCells) {
        quadtree(file, context);
    } else {
        staggered(file, context);
    }
}

/// The kind of a side that holds a level, of whatever it follows from.
fn level_kind(side: &format::Boundary) -> Option<&'static str> {
    let format::Boundary::Table(table) = side else { return None };
    match **table {
        BoundaryTable::Level { .. } => Some("level"),
        BoundaryTable::Rating { .. } => Some("rating"),
        BoundaryTable::Normal { .. } => Some("normal"),
        _ => None,
    }
}

/// What the staggered scheme lacks.
fn staggered(file: &SceneFile, context: &mut Context<'_>) {
    if !file.water.shallow.as_ref().is_some_and(|shallow| matches!(shallow.scheme, Scheme::Cmf10)) {
        return;
    }
    for (name, side) in sides(&file.boundary) {
        if let Some(kind) = level_kind(side) {
            let message = format!("the scheme `cmf10` has no side `{kind}`");
            let hint = "leave `scheme` in [water.shallow] out, which is then `hllc`";
            context.report.error_with(&At::root().key("boundary").key(name), message, hint);
        }
    }
}

/// Maps over time that the solver does not keep, and fields of them that nobody asks it to keep.
fn over_time(file: &SceneFile, solver: Solver, context: &mut Context<'_>) {
    let root = At::root();
    let has_them = solver.has(Ability::MapsOverTime);
    if file.maps.is_some() && !has_them {
        let message = format!("the solver `{}` keeps no maps over time", solver.name());
        let hint = "leave [maps] out, or set `solver = \"shallow\"` in [water]";
        context.report.error_with(&root.key("maps"), message, hint);
    }
    let fields = file.render.fields.iter().flatten().copied().enumerate();
    for (index, field) in fields.filter(|(_, field)| field.is_over_time()) {
        let at = root.key("render").key("fields").index(index);
        let name = field.name();
        if !has_them {
            let message =
                format!("the field `{name}` is a map over time, and the solver `{}` keeps none", solver.name());
            context.report.error_with(&at, message, "leave it out, or set `solver = \"shallow\"` in [water]");
        } else if file.maps.is_none() {
            let message = format!("the field `{name}` needs [maps]");
            context.report.error_with(&at, message, "add a table [maps], which may be empty");
        }
    }
}

/// What a quadtree lacks beside a uniform grid.
fn quadtree(file: &SceneFile, context: &mut Context<'_>) {
    if file.water.shallow.as_ref().is_some_and(|shallow| matches!(shallow.scheme, Scheme::Cmf10)) {
        let at = At::root().key("water").key("shallow").key("scheme");
        let message = "the solver `quadtree` has the scheme `hllc` only";
        context.report.error_with(&at, message, "leave it out, or use `solver = \"shallow\"`");
    }
    if file.water.quadtree.as_ref().is_some_and(|tree| tree.scheme == TreeSchemeName::KernelAdvection) {
        kernel_advection(file, context);
    }
}

/// What kernel advection lacks beside finite volumes: sides that let water in, and a choice of order.
fn kernel_advection(file: &SceneFile, context: &mut Context<'_>) {
    let root = At::root();
    let mut refuse = |at: At, what: &str| {
        let message = format!("the scheme `kernel-advection` {what}");
        context.report.error_with(
            &at,
            message,
            "leave it out, or use `scheme = \"finite-volumes\"` in [water.quadtree]",
        );
    };
    for (name, side) in sides(&file.boundary) {
        if !is_wall(side) && !is_outflow(side) {
            refuse(root.key("boundary").key(name), "has walls and outflow for sides");
        }
    }
    if let Some(shallow) = &file.water.shallow {
        let at = root.key("water").key("shallow");
        if shallow.order != format::Shallow::default().order {
            refuse(at.key("order"), "has no order to choose");
        }
        if shallow.limiter != Limiter::default() {
            refuse(at.key("limiter"), "has no slope limiter");
        }
    }
}

/// What only three-dimensional water has.
fn of_three_dimensions(file: &SceneFile, solver: Solver, context: &mut Context<'_>) {
    let at = At::root();
    let hint = "set `solver = \"tall-cells\"` in [water], or leave it out";
    let mut refuse = |needed: Ability, at: At, what: &str| {
        if !solver.has(needed) {
            let message = format!("{what} for three-dimensional water, and the solver here is `{}`", solver.name());
            context.report.error_with(&at, message, hint);
        }
    };
    if file.water.tall.is_some() {
        refuse(Ability::ThreeDimensional, at.key("water").key("tall"), "`water.tall` is");
    }
    if file.whitewater.is_some() {
        refuse(Ability::Whitewater, at.key("whitewater"), "`whitewater` is");
    }
    if !file.obstacle.is_empty() {
        refuse(Ability::Obstacles, at.key("obstacle").index(0), "obstacles are");
    }
    if !file.body.is_empty() {
        refuse(Ability::Bodies, at.key("body").index(0), "bodies are");
    }
    for (index, source) in file.source.iter().enumerate() {
        for (key, is_there) in [("y", source.y.is_some()), ("direction", source.direction.is_some())] {
            if is_there {
                let at = at.key("source").index(index).key(key);
                refuse(Ability::SourceHeights, at, &format!("`{key}` of a source is"));
            }
        }
    }
    for (name, side) in sides(&file.boundary) {
        if let format::Boundary::Table(table) = side
            && let BoundaryTable::Wave { .. } = **table
        {
            refuse(Ability::WaveSides, at.key("boundary").key(name), "the side `wave` is");
        }
    }
    for (name, side) in sides(&file.boundary) {
        if ocean_level(side).is_some() {
            refuse(Ability::WaveSides, at.key("boundary").key(name), "the side `ocean` is");
        }
    }
    for (index, probe) in file.probe.iter().enumerate() {
        if let Some((needed, what)) = probe_of_three_dimensions(probe) {
            refuse(needed, at.key("probe").index(index).key("kind"), what);
        }
    }
    for (index, field) in file.render.fields.iter().flatten().enumerate() {
        let name = *field;
        if name.is_a_cut() {
            refuse(
                Ability::Section,
                at.key("render").key("fields").index(index),
                &format!("the field `{}` is", name.name()),
            );
        }
    }
    if file.render.slice_z.is_some() {
        refuse(Ability::Section, at.key("render").key("slice_z"), "`slice_z` is");
    }
    for (key, needed, is_there) in [
        ("meshes", Ability::Mesh, file.output.meshes.is_some()),
        ("volumes", Ability::Volume, !file.output.volumes.is_empty()),
        ("particles", Ability::Whitewater, file.output.particles.is_some()),
    ] {
        if is_there {
            refuse(needed, at.key("output").key(key), &format!("`output.{key}` is"));
        }
    }
}

/// What a probe needs that a height field lacks, and how to say so.
fn probe_of_three_dimensions(probe: &format::Probe) -> Option<(Ability, &'static str)> {
    Some(match probe {
        format::Probe::Pressure { .. } => (Ability::Volume, "the probe `pressure` is"),
        format::Probe::Force { .. } => (Ability::Obstacles, "the probe `force` is"),
        format::Probe::BodyPosition { .. } => (Ability::Bodies, "the probe `body_position` is"),
        format::Probe::BodyVelocity { .. } => (Ability::Bodies, "the probe `body_velocity` is"),
        format::Probe::BodyRotation { .. } => (Ability::Bodies, "the probe `body_rotation` is"),
        format::Probe::BodyForce { .. } => (Ability::Bodies, "the probe `body_force` is"),
        _ => return None,
    })
}

fn sides(file: &format::Boundaries) -> [(&'static str, &format::Boundary); 4] {
    let format::Boundaries { west, east, south, north } = file;
    [("west", west), ("east", east), ("south", south), ("north", north)]
}

fn is_wall(side: &format::Boundary) -> bool {
    match side {
        format::Boundary::Name(name) => matches!(name, BoundaryName::Wall),
        format::Boundary::Table(table) => matches!(**table, BoundaryTable::Wall {}),
    }
}

fn is_outflow(side: &format::Boundary) -> bool {
    match side {
        format::Boundary::Name(name) => matches!(name, BoundaryName::Outflow),
        format::Boundary::Table(table) => matches!(**table, BoundaryTable::Outflow {}),
    }
}

/// The level that a side of the sea is given; `None` for other sides.
fn ocean_level(side: &format::Boundary) -> Option<Option<f64>> {
    match side {
        format::Boundary::Name(BoundaryName::Ocean) => Some(None),
        format::Boundary::Name(_) => None,
        format::Boundary::Table(table) => match **table {
            BoundaryTable::Ocean { level, .. } => Some(level),
            _ => None,
        },
    }
}

/// What three-dimensional water lacks, and what only some of it has.
fn three_dimensional(file: &SceneFile, its_solver: Solver, context: &mut Context<'_>) {
    let (root, solver) = (At::root(), its_solver.name());
    let lacks = |ability: Ability| !its_solver.has(ability);
    let mut refuse = |at: At, message: String, hint: &str| context.report.error_with(&at, message, hint);
    let leave_out = "leave it out, or use `solver = \"shallow\"`";
    if file.water.shallow.is_some() {
        let hint = "the settings of this solver are in [water.tall]";
        refuse(root.key("water").key("shallow"), format!("`water.shallow` has no effect on `{solver}`"), hint);
    }
    if file.water.surface.is_some() && lacks(Ability::StartFromFile) {
        let message = format!("the solver `{solver}` cannot start from a file yet");
        refuse(root.key("water").key("surface"), message, "use `level` and `boxes`, or `solver = \"shallow\"`");
    }
    if file.rain.is_some() && lacks(Ability::Rain) {
        refuse(root.key("rain"), format!("the solver `{solver}` has no rain yet"), leave_out);
    }
    for (index, source) in file.source.iter().enumerate() {
        if source.y.is_none() {
            let message = format!("a source of the solver `{solver}` needs `y`");
            refuse(
                root.key("source").index(index),
                message,
                "give the elevations it reaches from and to, [low, high] in m",
            );
        }
    }
    sides_of_three_dimensions(file, its_solver, &mut refuse);
    collocated(file, &mut refuse);
    if file.output.particles.is_some() && file.whitewater.is_none() {
        let message = "there are no particles to write: the scene has no [whitewater]".to_owned();
        refuse(root.key("output").key("particles"), message, "add a table [whitewater], which may be empty");
    }
    let holds = file.water.tall.as_ref().is_none_or(|tall| tall.hold_volume);
    if file.whitewater.as_ref().is_some_and(|some| some.mass) && !holds {
        let message = "drops cannot carry water with `hold_volume = false`: nothing takes it from the water".to_owned();
        refuse(root.key("whitewater").key("mass"), message, "leave one of the two out");
    }
    if let Some(tall) = file.water.tall.as_ref().filter(|tall| tall.thickening && tall.surface > 1) {
        let message = format!("thin water is not thickened with `surface = {}`", tall.surface);
        refuse(
            root.key("water").key("tall").key("thickening"),
            message,
            "a fine surface keeps it by itself: leave one out",
        );
    }
    for (index, probe) in file.probe.iter().enumerate() {
        let kind = match probe {
            format::Probe::Discharge { .. } => "discharge",
            format::Probe::WetArea { .. } => "wet_area",
            format::Probe::Runup { .. } => "runup",
            _ => continue,
        };
        if lacks(Ability::FlowProbes) {
            let hint = "it has `surface`, `depth`, `velocity`, `volume`, `pressure`, `force` and `front`";
            let at = root.key("probe").index(index).key("kind");
            refuse(at, format!("the solver `{solver}` cannot measure `{kind}` yet"), hint);
        }
    }
}

/// What sides of three-dimensional water need, and which ones it lacks.
fn sides_of_three_dimensions(file: &SceneFile, its_solver: Solver, refuse: &mut impl FnMut(At, String, &str)) {
    let (root, solver) = (At::root(), its_solver.name());
    let lacks_rivers = !its_solver.has(Ability::RiverSides);
    for (name, side) in sides(&file.boundary) {
        let at = root.key("boundary").key(name);
        if let format::Boundary::Table(table) = side
            && let BoundaryTable::Wave { level: None, .. } = **table
            && file.water.level.is_none()
        {
            refuse(
                at.clone(),
                format!("`{at}` needs `level`: there is no `water.level`"),
                "waves run over still water",
            );
        }
        if let Some(level) = ocean_level(side) {
            if file.waves.is_none() {
                refuse(
                    at.clone(),
                    format!("`{at}` needs [waves]"),
                    "say what sea it is: `[waves]` with `wind` and `fetch`",
                );
            }
            if level.or(file.water.level).is_none() {
                let message = format!("`{at}` needs `level`: there is no `water.level`");
                refuse(at.clone(), message, "waves run over still water");
            }
        }
        if let Some(kind) = level_kind(side).filter(|_| lacks_rivers) {
            let hint = "use `open` with a `level`, or `solver = \"shallow\"`";
            refuse(at.clone(), format!("the solver `{solver}` has no side `{kind}` yet"), hint);
        }
        if let format::Boundary::Table(table) = side
            && let BoundaryTable::Inflow { discharge, span, .. } = &**table
        {
            if discharge.is_some() && lacks_rivers {
                let message = format!("the solver `{solver}` cannot let a discharge in through a side");
                refuse(at.key("discharge"), message, "use a [[source]] with `direction` at the side, or `surface`");
            }
            if span.is_some() {
                let message = format!("the solver `{solver}` makes waves along a whole side");
                refuse(at.key("span"), message, "leave it out");
            }
        }
    }
}

/// What velocities at samples lack: water that enters or leaves.
fn collocated(file: &SceneFile, refuse: &mut impl FnMut(At, String, &str)) {
    let is_asked = |tall: &format::Tall| tall.discretisation == Discretisation::Collocated;
    if !file.water.tall.as_ref().is_some_and(is_asked) {
        return;
    }
    let hint = "leave it out, or use `discretisation = \"galerkin\"` in [water.tall]";
    if !file.source.is_empty() {
        let message = "the discretisation `collocated` has no sources or drains".to_owned();
        refuse(At::root().key("source").index(0), message, hint);
    }
    for (name, side) in sides(&file.boundary) {
        if !is_wall(side) {
            let message = "all sides are walls in the discretisation `collocated`".to_owned();
            refuse(At::root().key("boundary").key(name), message, hint);
        }
    }
}
