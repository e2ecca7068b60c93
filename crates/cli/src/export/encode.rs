//! The water of a simulation as the bytes of a file.

use thalweg::tall::SurfaceMesh;
use thalweg::{Simulation, WaterSurface, WaterVolume};
use thalweg_io::heights::HeightField;
use thalweg_io::mesh::{Mesh, MeshFormat};
use thalweg_io::volume::{Lattice, Volume, VolumeField, VolumeFormat};

use crate::failure::{Failure, Outcome};

/// Less water than this part of a cell is wet ground, not water, as in pictures.
const DRY: f64 = 4e-3;

/// The closed surface; three-dimensional water has one.
pub(crate) fn surface_mesh(simulation: &Simulation) -> Outcome<SurfaceMesh> {
    simulation.surface_mesh()?.ok_or_else(|| flat("mesh"))
}

/// The water on cells; three-dimensional water has them.
pub(crate) fn water_volume(simulation: &Simulation) -> Outcome<WaterVolume> {
    simulation.water_volume()?.ok_or_else(|| flat("volume"))
}

fn flat(what: &str) -> Failure {
    Failure::Input(format!(
        "shallow water is a height field and has no {what}: take height maps (png, exr, asc, tif, npz)"
    ))
}

pub(crate) fn mesh(surface: &SurfaceMesh, format: MeshFormat) -> Vec<u8> {
    let SurfaceMesh { vertices, normals, velocities, triangles, .. } = surface;
    Mesh { vertices, normals, velocities, triangles }.encode(format)
}

pub(crate) fn volume(
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

pub(crate) fn heights(water: &WaterSurface, time: f64) -> HeightField<'_> {
    let [u, w] = &water.velocity;
    HeightField {
        size: water.size,
        cell: water.cell,
        origin: water.origin,
        bed: &water.bed,
        depth: &water.depth,
        surface: &water.surface,
        velocity: [u, w],
        dry_depth: (DRY * water.cell) as f32,
        time,
    }
}
