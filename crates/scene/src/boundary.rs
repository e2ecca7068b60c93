//! The four sides of the domain.

use thalweg_model::{Ability, Inflow, Side, Sides};

use crate::context::Context;
use crate::format::{self, BoundaryName, BoundaryTable};
use crate::grid::Grid;
use crate::number::{exact, tidy};
use crate::rating;
use crate::report::At;
use crate::series;
use crate::water::Solver;

/// Cells of the absorbing layer of an open side, unless the scene says otherwise.
const DEFAULT_LAYER: u32 = 12;

/// The same for three-dimensional water.
const DEFAULT_LAYER_3D: u32 = 16;

/// Cells of the layer in which a side makes waves in three-dimensional water, unless the scene says otherwise.
const DEFAULT_WAVE_LAYER: u32 = 32;

/// Largest discharge through a side, m³/s; a hundred Amazons.
const LARGEST_DISCHARGE: f64 = 2e7;

/// One side while it is validated.
struct SideChecker<'a> {
    at: At,
    /// Manning's n of the scene, s·m^(-1/3).
    manning: f64,
    grid: &'a Grid,
    /// Cells across the side, that is from it to the opposite one.
    across: u32,
    /// Axis along the side: 0 for x, 1 for z.
    along: usize,
    solver: Solver,
}

/// All four sides, or `None` if one is not known.
pub(crate) fn lower(
    file: &format::Boundaries,
    grid: &Grid,
    (solver, manning): (Solver, f64),
    context: &mut Context<'_>,
) -> Option<Sides> {
    let at = At::root().key("boundary");
    let mut side = |name: &str, file: &format::Boundary| {
        let along = if matches!(name, "west" | "east") { 1 } else { 0 };
        let across = if along == 1 { grid.nx } else { grid.nz };
        let side = SideChecker { at: at.key(name), manning, grid, across, along, solver };
        side.lower(file, context)
    };
    // All four are read before one can fail, so that all errors are found.
    let [west, east, south, north] =
        [side("west", &file.west), side("east", &file.east), side("south", &file.south), side("north", &file.north)];
    Some(Sides { west: west?, east: east?, south: south?, north: north? })
}

impl SideChecker<'_> {
    fn lower(&self, file: &format::Boundary, context: &mut Context<'_>) -> Option<Side> {
        let boundary = match file {
            format::Boundary::Name(BoundaryName::Wall) => Side::Wall,
            format::Boundary::Name(BoundaryName::Outflow) => Side::Outflow,
            format::Boundary::Name(BoundaryName::Ocean) => {
                Side::Ocean { level: None, ramp: None, layer: self.wave_layer() }
            }
            format::Boundary::Name(BoundaryName::Open) => Side::Open { level: None, layer: self.default_layer() },
            format::Boundary::Table(table) => self.lower_table(table, context)?,
        };
        if self.across == 1 && boundary != Side::Wall {
            let message = format!("`{}` must be a wall: the domain is one cell thick across it", self.at);
            context.report.error(&self.at, message);
        }
        Some(boundary)
    }

    fn lower_table(&self, file: &BoundaryTable, context: &mut Context<'_>) -> Option<Side> {
        Some(match file {
            BoundaryTable::Wall {} => Side::Wall,
            BoundaryTable::Outflow {} => Side::Outflow,
            BoundaryTable::Level { level, absorb, span } => {
                self.check_given_span(*span, context);
                let level = series::lower(level, context, &self.at.key("level"), [-1e5, 1e5], "m")?;
                Side::Level { level, absorb: *absorb, span: *span }
            }
            BoundaryTable::Rating { curve, span } => {
                self.check_given_span(*span, context);
                Side::Rating { curve: rating::lower(curve, context, &self.at.key("curve"))?, span: *span }
            }
            BoundaryTable::Normal { slope, manning, span } => {
                self.check_given_span(*span, context);
                let manning = manning.unwrap_or(self.manning);
                if manning <= 0.0 {
                    let message =
                        format!("`{}` needs `manning`: uniform flow has friction, and this scene has none", self.at);
                    let hint = "give the roughness of the channel beyond, rivers: 0.025 to 0.15, here or as `manning` in [water.shallow]";
                    context.report.error_with(&self.at, message, hint);
                    return None;
                }
                Side::Normal { slope: *slope, manning, span: *span }
            }
            BoundaryTable::Open { level, layer } => {
                if let Some(layer) = layer {
                    self.check_layer(*layer, context);
                }
                Side::Open { level: *level, layer: layer.unwrap_or(self.default_layer()) }
            }
            BoundaryTable::Inflow { discharge, surface, span, layer } => {
                let layer = layer.unwrap_or_else(|| match self.solver.has(Ability::ThreeDimensional) {
                    false => 0,
                    true => self.wave_layer(),
                });
                self.check_layer(layer, context);
                self.check_given_span(*span, context);
                let kind = self.inflow(discharge.as_ref(), surface.as_ref(), context)?;
                Side::Inflow { kind, span: *span, layer }
            }
            BoundaryTable::Ocean { level, ramp, layer } => {
                let layer = layer.unwrap_or_else(|| self.wave_layer());
                self.check_layer(layer, context);
                Side::Ocean { level: *level, ramp: *ramp, layer }
            }
            BoundaryTable::Wave { amplitude, period, ramp, level, layer } => {
                let layer = layer.unwrap_or_else(|| self.wave_layer());
                self.check_layer(layer, context);
                let (amplitude, period) = (*amplitude, *period);
                Side::Wave { amplitude, period, ramp: ramp.unwrap_or(period), level: *level, layer }
            }
        })
    }

    fn inflow(
        &self,
        discharge: Option<&format::Series>,
        surface: Option<&format::Series>,
        context: &mut Context<'_>,
    ) -> Option<Inflow> {
        match (discharge, surface) {
            (Some(series), None) => {
                let range = [0.0, LARGEST_DISCHARGE];
                let series = series::lower(series, context, &self.at.key("discharge"), range, "m³/s")?;
                Some(Inflow::Discharge(series))
            }
            (None, Some(series)) => {
                let series = series::lower(series, context, &self.at.key("surface"), [-1e5, 1e5], "m")?;
                Some(Inflow::Surface(series))
            }
            (given, _) => {
                let message = match given {
                    Some(_) => format!("`{}` has both `discharge` and `surface`", self.at),
                    None => format!("`{}` needs `discharge` or `surface`", self.at),
                };
                let hint =
                    "give the water that enters (`discharge`, m³/s) or the elevation of the surface (`surface`, m)";
                context.report.error_with(&self.at, message, hint);
                None
            }
        }
    }

    /// Thinner in a small domain: at most a quarter of it.
    fn default_layer(&self) -> u32 {
        let layer = if self.solver.has(Ability::ThreeDimensional) { DEFAULT_LAYER_3D } else { DEFAULT_LAYER };
        layer.min(self.across / 4)
    }

    fn wave_layer(&self) -> u32 {
        DEFAULT_WAVE_LAYER.min(self.across / 4).max(1)
    }

    fn check_layer(&self, layer: u32, context: &mut Context<'_>) {
        if layer >= self.across {
            context.report.error_with(
                &self.at.key("layer"),
                format!("the layer of {layer} cells fills the domain"),
                format!("the domain has {} cells across this side", self.across),
            );
        }
    }

    fn check_given_span(&self, span: Option<[f64; 2]>, context: &mut Context<'_>) {
        if let Some(span) = span {
            self.check_span(span, context);
        }
    }

    fn check_span(&self, span: [f64; 2], context: &mut Context<'_>) {
        let at = self.at.key("span");
        let (low, high) = (self.grid.origin[self.along], self.grid.high()[self.along]);
        let slack = 1e-6 * self.grid.cell;
        if span[0] >= span[1] {
            let [from, to] = span.map(exact);
            context.report.error(&at, format!("the span is empty: it goes from {from} to {to} m"));
        } else if span[0] < low - slack || span[1] > high + slack {
            let name = ["x", "z"][self.along];
            context.report.error_with(
                &at,
                "the span is outside the domain",
                format!("this side goes from {name} {} to {} m", exact(low), tidy(high)),
            );
        } else {
            let mut min = self.grid.origin;
            let mut max = self.grid.high();
            (min[self.along], max[self.along]) = (span[0], span[1]);
            if !self.grid.touches(min, max) {
                let message = format!("the span of {} m holds no cell", tidy(span[1] - span[0]));
                context.report.error_with(&at, message, format!("a cell has {} m", exact(self.grid.cell)));
            }
        }
    }
}
