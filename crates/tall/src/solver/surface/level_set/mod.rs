//! The surface as a level set: the distance to it is carried itself.

pub(crate) mod advect;
pub(crate) mod fill;
pub(crate) mod fine;
pub(crate) mod reinitialise;
pub(crate) mod thicken;

use thalweg_columns::Heights;
use thalweg_compute::{Dispatch, Executor, Recording};
use thalweg_solids::Obstacle;

use super::{FineLattice, Surface};
use crate::constants::FAR;
use crate::error::Result;
use crate::setup::{Options, Setup};
use crate::solver::stages::Step;
use crate::solver::stages::advect::AdvectParams;
use crate::solver::stages::exchange::{Exchanger, Moment, ZoneCells};
use crate::solver::state::{ColumnFields, State};
use advect::LevelSet as MoveLevelSet;
use fill::{FillSolids, MOSTLY, Reach};
use fine::{ColumnSolids, FineSurface};
use reinitialise::Reinitialise;
use thicken::Thickener;

/// The level set of the columns is `phi` of the state; this is what it needs beside that.
#[derive(Debug)]
pub(crate) struct LevelSet {
    reinitialise: Reinitialise,
    /// Continues it into solids, if any moves.
    fill: Option<FillSolids>,
    /// Solid fraction from which cells are filled.
    mostly: f32,
    thickener: Option<Thickener>,
    /// The surface, if it is finer than the columns.
    fine: Option<FineSurface>,
}

impl LevelSet {
    pub(super) fn new(
        exec: &Executor,
        setup: &Setup<'_>,
        (heights, terrain): (&[Heights], &[f32]),
        is_plain: bool,
    ) -> Result<Self> {
        let Setup { shape, options, obstacles, .. } = *setup;
        let fine = match options.fine_surface {
            true => {
                let fine = FineSurface::new(exec, shape, (!is_plain).then_some(terrain))?;
                fine.load(exec, heights, &setup.begin_fine(heights))?;
                Some(fine)
            }
            false => None,
        };
        let moves = obstacles.iter().any(Obstacle::is_moving);
        let has_paths = obstacles.iter().any(|obstacle| matches!(obstacle, Obstacle::Moving { .. }));
        Ok(Self {
            reinitialise: Reinitialise::new(exec, shape)?,
            fill: if moves { Some(FillSolids::new(exec, shape)?) } else { None },
            mostly: if has_paths { 1.0 } else { MOSTLY },
            thickener: if options.thickening { Some(Thickener::new(exec, shape)?) } else { None },
            fine,
        })
    }

    /// How far the level set goes on into solids that move: as far as they move in a step and two cells more, in cells
    /// `finer` times as small.
    fn reach(&self, options: &Options, finer: u32) -> Reach {
        let cells = if options.single_step { 16.0 } else { options.max_cfl };
        Reach { layers: finer * (cells.ceil().clamp(1.0, 16.0) as u32 + 2), mostly: self.mostly }
    }
}

/// The columns as they are, with what their solids leave open.
fn column_solids(s: &State) -> ColumnSolids<'_> {
    ColumnSolids { heights: &s.now.heights, aperture: s.aperture(), solid: &s.solid }
}

impl Surface for LevelSet {
    fn begin(&self, rec: &mut Recording<'_>, s: &State) -> Result<()> {
        if let Some(fine) = &self.fine {
            fine.restore(rec, column_solids(s), true, None)?;
            fine.begin(rec, (&s.now.heights, &s.solid), &s.now.phi)?;
        }
        Ok(self.reinitialise.record(rec, &s.now.heights, s.aperture(), &s.now.phi)?)
    }

    fn restore(&self, rec: &mut Recording<'_>, s: &State, step: &Step) -> Result<()> {
        let (heights, aperture, phi) = (&s.now.heights, s.aperture(), &s.now.phi);
        if let Some(fine) = &self.fine {
            let reach = self.fill.as_ref().map(|_| self.reach(&step.options, 2));
            fine.restore(rec, column_solids(s), step.reinitialises(), reach)?;
        }
        if step.reinitialises() {
            self.reinitialise.record(rec, heights, aperture, phi)?;
        } else {
            self.reinitialise.record_clamp(rec, heights, aperture, phi)?;
        }
        if let Some(fill) = &self.fill {
            fill.record(rec, heights, &s.solid, phi, self.reach(&step.options, 1))?;
        }
        Ok(())
    }

    fn beyond(&self, step: &Step) -> f32 {
        // Only right after a reinitialisation is air at the end of the band really that far.
        if step.reinitialises() { FAR as f32 } else { f32::INFINITY }
    }

    fn advect(&self, rec: &mut Recording<'_>, s: &State, step: &Step) -> Result<()> {
        let ColumnFields { heights, phi, faces, inner, .. } = &s.now;
        // Without sub-steps the surface may come from beyond the band.
        let band = if step.options.single_step { f32::INFINITY } else { FAR as f32 };
        let params = AdvectParams::new(s, &step.options, step.moment.dt, band);
        let kernel = MoveLevelSet { heights, phi, faces, inner, moved: &s.next.phi, source: phi };
        rec.run(&kernel, &params, Dispatch::Elements(s.shape.len()))?;
        if let Some(fine) = &self.fine {
            fine.advect(rec, (&s.now, &s.solid), &params, &s.next.phi)?;
        }
        Ok(())
    }

    fn thicken(&self, rec: &mut Recording<'_>, s: &State, step: &Step) -> Result<()> {
        match &self.thickener {
            Some(thickener) => thickener.record(rec, s, step),
            None => Ok(()),
        }
    }

    fn exchange(&self, rec: &mut Recording<'_>, s: &State, exchange: &Exchanger, moment: Moment) -> Result<()> {
        let (heights, solid, phi) = (&s.now.heights, &s.solid, &s.next.phi);
        exchange.change_surface(rec, ZoneCells { heights, terrain: &s.terrain, solid, phi }, moment)?;
        if let Some(fine) = &self.fine {
            fine.exchange(rec, (exchange, moment), (heights, solid), phi)?;
        }
        Ok(())
    }

    fn keep_columns(&mut self) {
        if let Some(fine) = &mut self.fine {
            fine.keep_columns();
        }
    }

    fn move_columns(&mut self, rec: &mut Recording<'_>, s: &State) -> Result<()> {
        match &mut self.fine {
            Some(fine) => Ok(fine.move_columns(rec, &s.now.heights, &s.now.phi)?),
            None => Ok(()),
        }
    }

    fn fine(&self) -> Option<FineLattice<'_>> {
        self.fine.as_ref().map(FineSurface::lattice)
    }

    fn load_fine(&self, exec: &Executor, heights: &[Heights], values: &[f32]) -> Result<()> {
        match &self.fine {
            Some(fine) => Ok(fine.load(exec, heights, values)?),
            None => Ok(()),
        }
    }
}
