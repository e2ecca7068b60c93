//! `check`, `scenes` and `schema`: what a scene is, without running it.

use std::path::Path;

use thalweg::Ability;
use thalweg_scene::number::{exact, tidy};
use thalweg_scene::{Grid, Scene, shipped};

use crate::args::{CheckArgs, ScenesArgs};
use crate::failure::{Failure, Outcome};
use crate::text;

/// Cells that a check looks at in one go.
const STRIP_CELLS: u32 = 1 << 20;

/// A scene file if the name looks like one or exists, a shipped scene otherwise. What it hardly means is told.
pub(crate) fn open_scene(name: &str) -> Outcome<Scene> {
    let path = Path::new(name);
    let looks_like_file = path.extension().is_some_and(|e| e == "toml") || path.components().count() > 1;
    let is_shipped = shipped().iter().any(|s| s.name == name);
    let scene =
        if looks_like_file || (path.exists() && !is_shipped) { Scene::from_file(path) } else { Scene::shipped(name) };
    let scene = scene?;
    scene.warnings.iter().for_each(|warning| text::message(&warning.to_string()));
    Ok(scene)
}

pub(crate) fn check(args: &CheckArgs) -> Outcome {
    let scene = open_scene(&args.scene)?;
    check_ground(&scene)?;
    let cost = scene.cost();
    if args.json {
        let mut object = serde_json::json!({
            "scene": scene.name, "solver": scene.water.solver.name(), "nx": scene.grid.nx, "nz": scene.grid.nz, "cell_m": scene.grid.cell,
            "duration_s": scene.duration, "cost": cost, "bytes": cost.bytes(), "warnings": scene.warnings,
        });
        if let Some(streamed) = scene.terrain.streamed() {
            let raster = streamed.raster();
            object["streamed"] = serde_json::json!({
                "file": streamed.name(), "width": raster.width(), "height": raster.height(), "cache_bytes": streamed.cache_bytes(),
            });
        }
        if scene.water.solver.has(Ability::AdaptiveCells) {
            let quadtree = &scene.water.quadtree;
            let coarsest = quadtree.coarsest_cell(&scene.grid);
            object["quadtree"] = serde_json::json!({
                "scheme": quadtree.scheme.name(), "levels": quadtree.levels, "budget": quadtree.budget, "coarsest_cell_m": coarsest,
            });
        }
        text::print(&object.to_string());
        return Ok(());
    }
    let grid = &scene.grid;
    text::print(&format!("{}: valid", scene.name));
    let solver = scene.water.solver;
    let is_adaptive = solver.has(Ability::AdaptiveCells);
    let cells = if is_adaptive {
        format!("{} × {} finest cells", grid.nx, grid.nz)
    } else if solver.has(Ability::ThreeDimensional) {
        format!("{} × {} columns of {} + 2 cells", grid.nx, grid.nz, scene.water.tall.regular_cells)
    } else {
        format!("{} × {} cells", grid.nx, grid.nz)
    };
    let quadtree = &scene.water.quadtree;
    let (levels, coarsest) = (quadtree.levels, quadtree.coarsest_cell(grid));
    let sizes = match is_adaptive {
        true => format!(
            "of {} m to {} m on {levels} levels, at most {} at a time",
            exact(grid.cell),
            tidy(coarsest),
            text::grouped(quadtree.budget)
        ),
        false => format!("of {} m", exact(grid.cell)),
    };
    let scheme = if is_adaptive { format!(", {}", quadtree.scheme.name()) } else { String::new() };
    let solver = format!("{}{scheme}", solver.name());
    let rows = [
        ("solver", solver),
        ("grid", format!("{cells} {sizes}")),
        ("cells", text::grouped(cost.cells)),
        ("state", text::bytes(cost.bytes_state)),
        ("files", text::bytes(cost.bytes_files)),
        ("pictures", format!("{} of {} pixels", cost.pictures, text::grouped(cost.pixels))),
        ("memory in all", text::bytes(cost.bytes())),
        ("simulated", {
            let (duration, step) = (exact(scene.duration), text::short(scene.step));
            format!("{duration} s in {} steps of {step} s", cost.rows - 1)
        }),
    ];
    let ground = scene.terrain.streamed().map(|streamed| {
        let (raster, cache) = (streamed.raster(), text::bytes(streamed.cache_bytes()));
        format!(
            "streams from `{}`, {} × {} pixels, {cache} at a time",
            streamed.name(),
            raster.width(),
            raster.height()
        )
    });
    for (name, value) in rows.into_iter().chain(ground.map(|ground| ("ground", ground))) {
        text::print(&format!("  {name:<14} {value}"));
    }
    Ok(())
}

/// Looks at every cell's bed and water as a run would, but strip by strip: a scene too large for memory can be checked
/// as well. Of a quadtree, which has too many finest cells to look at, those of its height fields. Then asks the solver.
fn check_ground(scene: &Scene) -> Outcome {
    let grid = &scene.surface_grid();
    let rows = (STRIP_CELLS / grid.nx).clamp(1, grid.nz);
    let mut ground = thalweg::LowestGround::default();
    for first in (0..grid.nz).step_by(rows as usize) {
        let origin = [grid.origin[0], grid.origin[1] + grid.cell * f64::from(first)];
        let strip = Grid { nz: rows.min(grid.nz - first), origin, ..*grid };
        let bed = scene.terrain.rasterise(&strip)?;
        scene.water.rasterise(&strip, &bed)?;
        ground.look(&bed, grid.nx as usize, first as usize, grid.nz as usize);
    }
    if scene.water.solver.has(Ability::ThreeDimensional) {
        scene.water.check_height(scene.elevations(&[ground.anywhere]))?;
    }
    Ok(thalweg::judge(scene, &ground)?)
}

pub(crate) fn scenes(args: &ScenesArgs) -> Outcome {
    if let Some(name) = &args.show {
        let found = shipped().iter().find(|s| s.name == name);
        let scene = found.ok_or_else(|| {
            Failure::Input(format!("no shipped scene is called `{name}`; `thalweg scenes` lists them"))
        })?;
        text::print(scene.text.trim_end());
        return Ok(());
    }
    let mut rows = Vec::new();
    let mut objects = Vec::new();
    for shipped in shipped() {
        let scene = Scene::shipped(shipped.name)?;
        let cells = scene.cost().cells;
        objects.push(serde_json::json!({
            "name": shipped.name, "title": scene.name, "description": scene.description, "cells": cells,
            "duration_s": scene.duration,
        }));
        rows.push(vec![
            shipped.name.to_string(),
            text::grouped(cells),
            format!("{} s", exact(scene.duration)),
            scene.description,
        ]);
    }
    if args.json {
        text::print(&serde_json::Value::from(objects).to_string());
    } else {
        rows.iter().for_each(|r| text::print(&format!("{:<12} {:>9} cells {:>8}   {}", r[0], r[1], r[2], r[3])));
    }
    Ok(())
}

pub(crate) fn schema() -> Outcome {
    text::print(&format!("{:#}", thalweg_scene::schema()));
    Ok(())
}
