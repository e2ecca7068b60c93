//! Pictures and files that a run writes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thalweg_model::{Ability, HeightFormat, MeshFormat, PointFormat, VolumeFormat};

use crate::context::Context;
use crate::format;
use crate::grid::Grid;
use crate::number::exact;
use crate::report::At;
use crate::water::Solver;

/// Frames that a run writes unless the scene says how often.
const DEFAULT_FRAMES: f64 = 60.0;

/// Most frames of a run; more is a slip in `every`.
const MOST_FRAMES: f64 = 100_000.0;

/// Time in which wet ground dries to a third unless the scene says otherwise, s.
const DRIES_IN: f64 = 30.0;

/// What the pictures show.
#[derive(Debug, Clone, PartialEq)]
pub struct Render {
    /// One picture each per frame.
    pub fields: Vec<Field>,
    /// Width of the pictures, pixels, 64 to 8192.
    pub width: u32,
    /// Values at the ends of the colour scale of the depth, m; `None`: fitted to the run.
    pub depth_range: Option<[f64; 2]>,
    /// Values at the ends of the colour scale of the speed, m/s.
    pub speed_range: Option<[f64; 2]>,
    /// Values at the ends of the colour scale of the surface, m.
    pub surface_range: Option<[f64; 2]>,
    /// z of vertical cuts, m; `None`: the middle of the domain.
    pub slice_z: Option<f64>,
    /// Pixels of rendered pictures, across and down, even numbers.
    pub size: [u32; 2],
    /// Rays of a pixel at edges.
    pub samples: u32,
    /// Brightness in stops.
    pub exposure: f64,
    /// Time in which wet ground dries to a third, s.
    pub dries_in: f64,
    /// Azimuth and elevation of the sun, degrees.
    pub sun: [f64; 2],
    /// Colours.
    pub materials: Materials,
}

/// Where rendered pictures are seen from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Camera {
    /// Where it is, m; `None`: as near as shows the whole domain.
    pub position: Option<[f64; 3]>,
    /// The point in the middle of the picture, m; `None`: the middle of the domain.
    pub target: Option<[f64; 3]>,
    /// Direction from which it looks, from the side of large z towards large x, and above the horizon, degrees.
    pub angles: [f64; 2],
    /// Angle between the upper and the lower edge of the picture, degrees.
    pub field_of_view: f64,
    /// Distance relative to the one that shows the whole domain.
    pub distance: f64,
}

/// Linear red, green and blue; what is `None` follows from the scene.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Materials {
    /// Absorption of water, 1/m.
    pub absorption: Option<[f64; 3]>,
    /// Share of the light that deep water sends back.
    pub water: Option<[f64; 3]>,
    /// Colour of the ground.
    pub ground: Option<[f64; 3]>,
    /// Colour of obstacles.
    pub obstacles: Option<[f64; 3]>,
}

/// What a picture shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Field {
    /// The water as one would see it.
    View,
    /// Depth of the water, m.
    Depth,
    /// Speed of the water, m/s.
    Speed,
    /// Elevation of the water surface, m.
    Surface,
    /// A vertical cut through three-dimensional water.
    Side,
    /// The cells in a cut, tall cells below an orange line, and the water behind it.
    Cells,
    /// Speed in a cut, m/s.
    Velocity,
    /// Pressure in a cut, Pa.
    Pressure,
    /// Divergence of the velocity in a cut, 1/s.
    Divergence,
    /// Distance to the surface in a cut, m.
    LevelSet,
    /// Greatest depth so far, m; like the following ones it needs `[maps]`.
    MaxDepth,
    /// Highest elevation of the water surface so far, m.
    MaxSurface,
    /// Greatest speed so far, m/s.
    MaxSpeed,
    /// Time of the first wetting, s.
    Arrival,
    /// Time of the highest surface so far, s.
    PeakTime,
}

impl Field {
    /// Every field.
    pub const ALL: [Self; 15] = [
        Self::View,
        Self::Depth,
        Self::Speed,
        Self::Surface,
        Self::Side,
        Self::Cells,
        Self::Velocity,
        Self::Pressure,
        Self::Divergence,
        Self::LevelSet,
        Self::MaxDepth,
        Self::MaxSurface,
        Self::MaxSpeed,
        Self::Arrival,
        Self::PeakTime,
    ];

    /// Whether rays are traced for it.
    pub fn is_rendered(self) -> bool {
        !matches!(self, Self::Depth | Self::Speed | Self::Surface | Self::Side) && !self.is_over_time()
    }

    /// Whether it is a map over time, which [`Scene::maps`](crate::Scene::maps) asks for.
    pub fn is_over_time(self) -> bool {
        matches!(self, Self::MaxDepth | Self::MaxSurface | Self::MaxSpeed | Self::Arrival | Self::PeakTime)
    }

    /// Whether only three-dimensional water has it.
    pub fn is_a_cut(self) -> bool {
        self == Self::Side || (self.is_rendered() && self != Self::View)
    }

    /// The name in scene files and file names.
    pub fn name(self) -> &'static str {
        match self {
            Self::Depth => "depth",
            Self::Speed => "speed",
            Self::Surface => "surface",
            Self::Side => "side",
            Self::View => "view",
            Self::Cells => "cells",
            Self::Velocity => "velocity",
            Self::Pressure => "pressure",
            Self::Divergence => "divergence",
            Self::LevelSet => "level-set",
            Self::MaxDepth => "max-depth",
            Self::MaxSurface => "max-surface",
            Self::MaxSpeed => "max-speed",
            Self::Arrival => "arrival",
            Self::PeakTime => "peak-time",
        }
    }
}

impl Render {
    /// Values at the ends of a field's colour scale; `None`: fitted to the run.
    pub fn range(&self, field: Field) -> Option<[f64; 2]> {
        match field {
            Field::Depth | Field::MaxDepth => self.depth_range,
            Field::Speed | Field::MaxSpeed => self.speed_range,
            Field::Surface | Field::MaxSurface => self.surface_range,
            _ => None,
        }
    }

    pub(crate) fn lower(file: &format::Render, solver: Solver, context: &mut Context<'_>) -> Self {
        let at = At::root().key("render");
        let mut fields = Vec::new();
        for (index, name) in file.fields.iter().flatten().enumerate() {
            let field = *name;
            if fields.contains(&field) {
                context
                    .report
                    .error(&at.key("fields").index(index), format!("the field `{}` is there twice", field.name()));
            }
            fields.push(field);
        }
        if file.fields.is_none() {
            fields = match solver.has(Ability::Section) {
                false => vec![Field::View, Field::Depth, Field::Speed, Field::Surface],
                true => vec![Field::View, Field::Side, Field::Surface],
            };
        }
        let format::Ranges { depth, speed, surface } = file.range;
        for (name, range) in [("depth", depth), ("speed", speed), ("surface", surface)] {
            if range.is_some_and(|[low, high]| low >= high) {
                let message = "the range is empty: the first number must be less than the second";
                context.report.error(&at.key("range").key(name), message);
            }
        }
        if file.size.iter().any(|n| !(16..=8192).contains(n) || n % 2 != 0) {
            let hint = "both must be even, as videos want it, and from 16 to 8192";
            context.report.error_with(&at.key("size"), format!("a picture of {:?} pixels", file.size), hint.to_owned());
        }
        let m = &file.materials;
        for (name, colour) in [("water", m.water), ("ground", m.ground), ("obstacles", m.obstacles)] {
            if colour.is_some_and(|c| c.iter().any(|v| !(0.0..=1.0).contains(v))) {
                let message = "a colour is three numbers from 0 to 1";
                context.report.error(&at.key("materials").key(name), message);
            }
        }
        if m.absorption.is_some_and(|a| a.iter().any(|v| !(0.0..=1e4).contains(v))) {
            let message = "an absorption is three numbers from 0 to 10 000 per metre";
            context.report.error(&at.key("materials").key("absorption"), message);
        }
        Self {
            size: file.size,
            samples: file.samples,
            exposure: file.exposure,
            dries_in: file.dries_in.unwrap_or(DRIES_IN),
            sun: [file.sun.azimuth, file.sun.elevation],
            materials: Materials { absorption: m.absorption, water: m.water, ground: m.ground, obstacles: m.obstacles },
            fields,
            width: file.width,
            depth_range: depth,
            speed_range: speed,
            surface_range: surface,
            slice_z: file.slice_z,
        }
    }

    /// The cut must be in the domain.
    pub(crate) fn check_slice(&self, grid: &Grid, context: &mut Context<'_>) {
        let at = At::root().key("render").key("slice_z");
        if let Some(z) = self.slice_z
            && !grid.contains([grid.origin[0], z])
        {
            context.report.error_with(
                &at,
                format!("the cut at z {} is outside the domain", exact(z)),
                grid.extent_text(),
            );
        }
    }
}

impl Camera {
    pub(crate) fn lower(file: &format::Camera, context: &mut Context<'_>) -> Self {
        let at = At::root().key("camera");
        for (name, place) in [("position", file.position), ("target", file.target)] {
            if place.is_some_and(|p| p.iter().any(|v| !v.is_finite() || v.abs() > 1e8)) {
                context.report.error(&at.key(name), "a place is three numbers of at most 100 000 km");
            }
        }
        if file.position.is_some() && file.position == file.target {
            context.report.error(&at.key("target"), "the camera is where it looks at");
        }
        Self {
            position: file.position,
            target: file.target,
            angles: [file.azimuth, file.elevation],
            field_of_view: file.field_of_view,
            distance: file.distance,
        }
    }
}

/// What is written, and how often.
#[derive(Debug, Clone, PartialEq)]
pub struct Output {
    /// Simulated time between frames, s.
    pub every: f64,
    /// Whether frames are written as pictures.
    pub frames: bool,
    /// Whether a video of the frames of the first field is written.
    pub animation: bool,
    /// Wall-clock time between checkpoints, s.
    pub checkpoint_every: f64,
    /// What meshes of the surface are written as, if they are; only three-dimensional water has them.
    pub meshes: Option<MeshFormat>,
    /// What volumes are written as; only three-dimensional water has them.
    pub volumes: Vec<VolumeFormat>,
    /// What particles are written as, if they are; only scenes with whitewater have them.
    pub particles: Option<PointFormat>,
    /// What height maps are written as.
    pub heights: Vec<HeightFormat>,
}

impl Output {
    pub(crate) fn lower(file: &format::Output, context: &mut Context<'_>) -> Self {
        let every = file.every.unwrap_or(context.duration / DEFAULT_FRAMES);
        let frames = context.duration / every;
        if frames > MOST_FRAMES {
            context.report.error_with(
                &At::root().key("output").key("every"),
                format!("a frame every {} s makes {} frames", exact(every), exact(frames.round())),
                format!(
                    "at most {MOST_FRAMES} frames are written; it must be at least {} s",
                    exact(context.duration / MOST_FRAMES)
                ),
            );
        }
        refuse_twice("volumes", &file.volumes, context);
        refuse_twice("heights", &file.heights, context);
        Self {
            every,
            frames: file.frames,
            animation: file.animation,
            checkpoint_every: file.checkpoint_every,
            meshes: file.meshes,
            volumes: file.volumes.clone(),
            particles: file.particles,
            heights: file.heights.clone(),
        }
    }
}

/// A format that is listed twice is a slip.
fn refuse_twice<T: PartialEq>(key: &str, list: &[T], context: &mut Context<'_>) {
    for (index, name) in list.iter().enumerate() {
        if list[..index].contains(name) {
            let at = At::root().key("output").key(key).index(index);
            context.report.error(&at, "this format is there twice");
        }
    }
}
