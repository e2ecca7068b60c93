//! `export`: the water of a checkpoint as a file for other programs.

use std::path::Path;

use serde_json::{Value, json};
use thalweg::outputs::encode;
use thalweg::{Ability, Backend, Simulation};
use thalweg_io::heights::{HeightFormat, Map};
use thalweg_io::mesh::MeshFormat;
use thalweg_io::volume::{VolumeField, VolumeFormat};

use crate::args::{ExportArgs, WhatArg};
use crate::failure::{Failure, Outcome};
use crate::opening::open_simulation;
use crate::run::checkpoint;
use crate::text;

/// What a file shall be, by its ending and `--what`.
#[derive(Debug, PartialEq)]
enum Target {
    Mesh(MeshFormat),
    Volume(VolumeFormat, Vec<VolumeField>),
    /// `None`: all maps that there are.
    Heights(HeightFormat, Option<Vec<Map>>),
}

pub(crate) fn export(args: &ExportArgs) -> Outcome {
    // The ending first: a slip there should not cost a minute of loading.
    let wish = Wish::new(&args.to, args.what)?;
    let opened = checkpoint::open(&args.checkpoint)?;
    let is_volume = opened.scene.water.solver.has(Ability::Volume);
    let target = wish.target(is_volume)?;
    let name = opened.scene.name.clone();
    let quiet = args.quiet || args.json;
    let mut simulation = open_simulation(Backend::Cpu.open(None)?, opened.scene, quiet)?;
    simulation.load(&opened.saved)?;
    let time = simulation.time();
    if !quiet {
        text::message(&format!("{name} at {} s", text::short(time)));
    }
    let (bytes, about) = encoded(&mut simulation, &target)?;
    thalweg_io::write_atomically(&args.to, &bytes)
        .map_err(|e| Failure::Run(format!("cannot write {}: {e}", args.to.display())))?;
    if args.json {
        let object = json!({
            "scene": name, "time": time, "step": simulation.steps(), "file": args.to.display().to_string(), "bytes": bytes.len(),
            "about": about,
        });
        text::print(&object.to_string());
    } else if !args.quiet {
        text::print(&format!("{} ({})", args.to.display(), text::bytes(bytes.len() as u64)));
    }
    Ok(())
}

/// The bytes, and what there is to know about them.
fn encoded(simulation: &mut Simulation, target: &Target) -> Outcome<(Vec<u8>, Value)> {
    let time = simulation.time();
    Ok(match target {
        Target::Mesh(format) => {
            let surface = encode::surface_mesh(simulation)?.wait()?;
            (
                encode::mesh(&surface, *format),
                encode::about_mesh(&surface, simulation.abilities().has(Ability::ClosedMesh)),
            )
        }
        Target::Volume(format, fields) => {
            let water = encode::water_volume(simulation)?.wait()?;
            let about = json!({ "cells": water.size, "cell": water.cell, "origin": water.origin });
            (encode::volume(&water, time, *format, fields)?, about)
        }
        Target::Heights(format, maps) => {
            let water = simulation.water_surface()?;
            let field = encode::heights(&water, time);
            let maps = maps.clone().unwrap_or_else(|| field.maps());
            let file = field.encode(*format, &maps).map_err(unkept)?;
            let written = if *format == HeightFormat::Npz { field.maps() } else { maps };
            let names: Vec<&str> = written.into_iter().map(Map::name).collect();
            (file.bytes, json!({ "maps": names, "range": file.range }))
        }
    })
}

/// What the user asked for, before the kind of water is known.
struct Wish<'a> {
    ending: &'a str,
    what: Option<WhatArg>,
}

impl<'a> Wish<'a> {
    fn new(file: &'a Path, what: Option<WhatArg>) -> Outcome<Self> {
        let ending = file.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        let known = ["ply", "obj", "glb", "vtp", "vdb", "npz", "vti", "png", "exr", "asc", "tif"];
        match known.contains(&ending) {
            true => Ok(Self { ending, what }),
            false => Err(Failure::Input(format!(
                "--to {}: its ending chooses the format; surfaces are .ply .obj .glb .vtp, volumes .vdb .npz .vti, height maps .png .exr .asc \
                 .tif .npz",
                file.display()
            ))),
        }
    }

    fn target(&self, is_volume: bool) -> Outcome<Target> {
        if let Some(format) = MeshFormat::ALL.into_iter().find(|format| format.extension() == self.ending) {
            return self.without_choice(Target::Mesh(format));
        }
        // Both kinds have NumPy archives: what is asked for decides, and then the water.
        let wants_map = self.map().is_some();
        let wants_field = matches!(self.what, Some(WhatArg::LevelSet | WhatArg::Pressure));
        let volume = VolumeFormat::ALL.into_iter().find(|format| format.extension() == self.ending);
        let height = HeightFormat::ALL.into_iter().find(|format| format.extension() == self.ending);
        match (volume, height) {
            (Some(VolumeFormat::Vdb), _) => {
                self.without_choice(Target::Volume(VolumeFormat::Vdb, VolumeField::ALL.to_vec()))
            }
            (Some(format), None) => Ok(Target::Volume(format, self.fields()?)),
            (Some(format), Some(_)) if wants_field || (is_volume && !wants_map) => {
                Ok(Target::Volume(format, self.fields()?))
            }
            // It holds all maps, and the one that is asked for has to be among them.
            (_, Some(HeightFormat::Npz)) => Ok(Target::Heights(HeightFormat::Npz, self.map().map(|map| vec![map]))),
            (_, Some(format)) => Ok(Target::Heights(format, self.maps(format)?)),
            (None, None) => Err(self.refused("is no format of exports")),
        }
    }

    /// A format that holds all there is.
    fn without_choice(&self, target: Target) -> Outcome<Target> {
        match self.what {
            None => Ok(target),
            Some(_) => Err(self.refused("files hold all that they can: leave --what out")),
        }
    }

    fn fields(&self) -> Outcome<Vec<VolumeField>> {
        match self.what {
            None => Ok(VolumeField::ALL.to_vec()),
            Some(WhatArg::LevelSet) => Ok(vec![VolumeField::LevelSet]),
            Some(WhatArg::Velocity) => Ok(vec![VolumeField::Velocity]),
            Some(WhatArg::Pressure) => Ok(vec![VolumeField::Pressure]),
            Some(_) => Err(self.refused("files of volumes hold --what level-set, velocity or pressure")),
        }
    }

    /// The one map that is asked for.
    fn map(&self) -> Option<Map> {
        Some(match self.what? {
            WhatArg::Surface => Map::Surface,
            WhatArg::Depth => Map::Depth,
            WhatArg::Bed => Map::Bed,
            WhatArg::Speed => Map::Speed,
            WhatArg::MaxDepth => Map::MaxDepth,
            WhatArg::MaxSurface => Map::MaxSurface,
            WhatArg::MaxSpeed => Map::MaxSpeed,
            WhatArg::Arrival => Map::Arrival,
            WhatArg::PeakTime => Map::PeakTime,
            WhatArg::Velocity | WhatArg::Pressure | WhatArg::LevelSet => return None,
        })
    }

    fn maps(&self, format: HeightFormat) -> Outcome<Option<Vec<Map>>> {
        match (self.what, self.map()) {
            (_, Some(map)) => Ok(Some(vec![map])),
            (None, _) if format.holds_one_map() => Ok(Some(vec![Map::Surface])),
            (None, _) => Ok(None),
            (Some(WhatArg::Velocity), _) if format.holds_one_map() => {
                Err(self
                    .refused("files hold one number per cell, a velocity has two: take --what speed, or .exr or .tif"))
            }
            (Some(WhatArg::Velocity), _) => Ok(Some(vec![Map::VelocityX, Map::VelocityZ])),
            (Some(_), _) => Err(self.refused("files hold height maps, this is a volume: take .vti or .npz")),
        }
    }

    fn refused(&self, why: &str) -> Failure {
        Failure::Input(format!(".{} {why}", self.ending))
    }
}

/// A map that the scene does not keep is the user's to ask for.
fn unkept(error: thalweg_io::Error) -> Failure {
    match error {
        thalweg_io::Error::NotKept { .. } => Failure::Input(error.to_string()),
        other => other.into(),
    }
}
