//! Pictures and files that a run writes.

use crate::context::Context;
use crate::format;
use crate::grid::Grid;
use crate::report::At;
use crate::water::Solver;

/// Frames that a run writes unless the scene says how often.
const DEFAULT_FRAMES: f64 = 60.0;

/// Most frames of a run; more is a slip in `every`.
const MOST_FRAMES: f64 = 100_000.0;

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
    /// z of the vertical cut of [`Field::Side`], m; `None`: the middle of the domain.
    pub slice_z: Option<f64>,
}

/// What a picture shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Field {
    /// Depth of the water, m.
    Depth,
    /// Speed of the water, m/s.
    Speed,
    /// Elevation of the water surface, m.
    Surface,
    /// A vertical cut through three-dimensional water.
    Side,
}

impl Field {
    /// Every field.
    pub const ALL: [Self; 4] = [Self::Depth, Self::Speed, Self::Surface, Self::Side];

    /// The name in scene files and file names.
    pub fn name(self) -> &'static str {
        match self {
            Self::Depth => "depth",
            Self::Speed => "speed",
            Self::Surface => "surface",
            Self::Side => "side",
        }
    }
}

impl Render {
    /// Values at the ends of a field's colour scale; `None`: fitted to the run.
    pub fn range(&self, field: Field) -> Option<[f64; 2]> {
        match field {
            Field::Depth => self.depth_range,
            Field::Speed => self.speed_range,
            Field::Surface => self.surface_range,
            Field::Side => None,
        }
    }

    pub(crate) fn lower(file: &format::Render, solver: Solver, context: &mut Context<'_>) -> Self {
        let at = At::root().key("render");
        let mut fields = Vec::new();
        for (index, name) in file.fields.iter().flatten().enumerate() {
            let field = match name {
                format::FieldName::Depth => Field::Depth,
                format::FieldName::Speed => Field::Speed,
                format::FieldName::Surface => Field::Surface,
                format::FieldName::Side => Field::Side,
            };
            if fields.contains(&field) {
                context
                    .report
                    .error(&at.key("fields").index(index), format!("the field `{}` is there twice", field.name()));
            }
            fields.push(field);
        }
        if file.fields.is_none() {
            fields = match solver {
                Solver::Shallow => vec![Field::Depth, Field::Speed, Field::Surface],
                Solver::TallCells | Solver::Uniform => vec![Field::Side, Field::Surface],
            };
        }
        let format::Ranges { depth, speed, surface } = file.range;
        for (name, range) in [("depth", depth), ("speed", speed), ("surface", surface)] {
            if range.is_some_and(|[low, high]| low >= high) {
                let message = "the range is empty: the first number must be less than the second";
                context.report.error(&at.key("range").key(name), message);
            }
        }
        Self {
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
            context.report.error_with(&at, format!("the cut at z {z} is outside the domain"), grid.extent_text());
        }
    }
}

/// What is written, and how often.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Output {
    /// Simulated time between frames, s.
    pub every: f64,
    /// Whether frames are written as pictures.
    pub frames: bool,
    /// Whether an animation of the frames is written.
    pub animation: bool,
    /// Wall-clock time between checkpoints, s.
    pub checkpoint_every: f64,
}

impl Output {
    pub(crate) fn lower(file: &format::Output, context: &mut Context<'_>) -> Self {
        let every = file.every.unwrap_or(context.duration / DEFAULT_FRAMES);
        let frames = context.duration / every;
        if frames > MOST_FRAMES {
            context.report.error_with(
                &At::root().key("output").key("every"),
                format!("a frame every {every} s makes {frames:.0} frames"),
                format!(
                    "at most {MOST_FRAMES} frames are written; it must be at least {} s",
                    context.duration / MOST_FRAMES
                ),
            );
        }
        Self { every, frames: file.frames, animation: file.animation, checkpoint_every: file.checkpoint_every }
    }
}
