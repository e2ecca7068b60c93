//! New columns around the surface, and everything on them.

use std::mem::swap;

use thalweg_columns::Shape;
use thalweg_columns::transfer::{AboveTop, DeviceRemesh};
use thalweg_compute::{Buffer, Executor, Recording};

use super::{NewHeights, RemeshOptions};
use crate::error::Result;
use crate::solver::stages::solids::Solids;
use crate::solver::state::{ColumnBounds, State};
use crate::solver::surface::Surface;

/// The stage with its memory; a uniform grid has none.
#[derive(Debug)]
pub(crate) struct Remesh {
    heights: Option<NewHeights>,
}

impl Remesh {
    /// `None` for a uniform grid.
    pub(crate) fn new(exec: &Executor, shape: Shape, options: Option<RemeshOptions>) -> Result<Self> {
        let heights = options.map(|options| NewHeights::new(exec, shape, options)).transpose()?;
        Ok(Self { heights })
    }

    /// Whether columns change.
    pub(crate) fn is_active(&self) -> bool {
        self.heights.is_some()
    }

    /// See [`NewHeights::infeasible`]; `None` on a uniform grid.
    pub(crate) fn infeasible(&self) -> Option<&Buffer<u32>> {
        self.heights.as_ref().map(NewHeights::infeasible)
    }

    /// Records the stage: afterwards `now` is the state, but for what solids leave open. Whether columns have changed.
    pub(crate) fn record(
        &self,
        rec: &mut Recording<'_>,
        s: &mut State,
        solids: &Solids,
        surface: &mut dyn Surface,
    ) -> Result<bool> {
        let Some(heights) = &self.heights else {
            swap(&mut s.now.phi, &mut s.next.phi);
            surface.keep_columns();
            return Ok(false);
        };
        let ColumnBounds { ceiling, keel, reach } = &s.bounds;
        if solids.is_moving() {
            solids.ceiling(rec, (ceiling, keel))?;
        }
        let (now, next) = (&s.now, &s.next);
        heights.record(rec, &now.heights, &next.phi, (ceiling, keel, reach), &next.heights)?;
        let columns = DeviceRemesh { shape: s.shape, old: &now.heights, new: &next.heights };
        columns.transfer_cells(rec, AboveTop::Distance, &next.phi, &now.phi)?;
        columns.transfer_faces(rec, [&now.faces, &now.inner], [&next.faces, &next.inner])?;
        columns.transfer_cells(rec, AboveTop::Constant, &now.q, &next.q)?;
        if let (Some(now), Some(next)) = (&now.samples, &next.samples) {
            columns.transfer_samples(rec, now, next)?;
        }
        let (now, next) = (&mut s.now, &mut s.next);
        swap(&mut now.heights, &mut next.heights);
        swap(&mut now.faces, &mut next.faces);
        swap(&mut now.inner, &mut next.inner);
        swap(&mut now.q, &mut next.q);
        swap(&mut now.samples, &mut next.samples);
        heights.resign(rec, &now.heights, &now.phi)?;
        surface.move_columns(rec, s)?;
        Ok(true)
    }
}
