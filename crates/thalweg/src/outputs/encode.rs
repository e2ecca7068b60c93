//! The water of a simulation as the bytes of a file.

use serde_json::{Value, json};
use thalweg_compute::Later;
use thalweg_io::heights::HeightField;
use thalweg_io::mesh::MeshFormat;
use thalweg_io::points::{PointFormat, Points};
use thalweg_io::volume::{Lattice, Volume, VolumeField, VolumeFormat};
use thalweg_tall::SurfaceMesh;

use super::OutputError;
use crate::{Error, Particles, Simulation, WaterSurface, WaterVolume};

/// Less water than this part of a cell is wet ground, not water, as in pictures.
const DRY: f64 = 4e-3;

/// The surface: closed around three-dimensional water, open over a quadtree.
pub fn surface_mesh(simulation: &mut Simulation) -> Result<Later<SurfaceMesh, Error>, OutputError> {
    simulation.surface_mesh_later()?.ok_or(OutputError::Missing(
        "shallow water is a height field and has no mesh: take height maps (png, exr, asc, tif, npz)",
    ))
}

/// What there is to know about it; only a closed surface has a volume.
pub fn about_mesh(surface: &SurfaceMesh, is_closed: bool) -> Value {
    let mut about = json!({ "vertices": surface.vertices.len(), "triangles": surface.triangles.len() });
    if is_closed {
        about["volume"] = surface.volume().into();
    }
    about
}

/// The water on cells; three-dimensional water has them.
pub fn water_volume(simulation: &Simulation) -> Result<Later<WaterVolume, Error>, OutputError> {
    simulation.water_volume_later()?.ok_or(OutputError::Missing(
        "shallow water is a height field and has no volume: take height maps (png, exr, asc, tif, npz)",
    ))
}

/// Spray, mist and foam; scenes with whitewater have them.
pub fn particles(simulation: &Simulation) -> Result<Later<Particles, Error>, OutputError> {
    simulation
        .particles_later()?
        .ok_or(OutputError::Missing("the scene has no particles: add a table [whitewater], which may be empty"))
}

/// Particles in a format. Kinds are 0 spray, 1 mist, 2 foam.
pub fn points(particles: &Particles, format: PointFormat) -> Result<Vec<u8>, thalweg_io::Error> {
    let kinds: Vec<f32> = particles.kinds.iter().map(|kind| *kind as u32 as f32).collect();
    let Particles { positions, velocities, radii, .. } = particles;
    Points { positions, velocities, attributes: &[("radius", radii), ("kind", &kinds)] }.encode(format)
}

/// A mesh in a format.
pub fn mesh(surface: &SurfaceMesh, format: MeshFormat) -> Vec<u8> {
    thalweg_io::mesh::encode(surface, format)
}

/// A volume in a format, with some of its fields.
pub fn volume(
    water: &WaterVolume,
    time: f64,
    format: VolumeFormat,
    fields: &[VolumeField],
) -> Result<Vec<u8>, thalweg_io::Error> {
    let lattice = Lattice { size: water.size, cell: [water.cell; 3], origin: water.origin };
    let fine = water.fine.as_ref();
    let volume = Volume {
        lattice,
        level_set: &water.level_set,
        velocity: &water.velocity,
        pressure: &water.pressure,
        fine: fine.map(|fine| (Lattice { size: fine.size, cell: fine.cell, ..lattice }, &fine.level_set[..])),
        time,
    };
    volume.encode(format, fields)
}

/// A height field, for its maps.
pub fn heights(water: &WaterSurface, time: f64) -> HeightField<'_> {
    HeightField { water, dry_depth: (DRY * water.cell) as f32, time }
}
