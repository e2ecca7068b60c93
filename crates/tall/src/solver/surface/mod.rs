//! How the surface is carried.
//!
//! What the other stages read of the surface is the distance to it at every sample, `phi` of the state; where that
//! comes from they do not know. The level set is the one way that there is; [`new`] is the one place that chooses.

pub(crate) mod level_set;

use thalweg_columns::{Heights, Shape};
use thalweg_compute::{Buffer, Executor, Recording};

use crate::error::Result;
use crate::setup::Setup;
use crate::solver::stages::Step;
use crate::solver::stages::exchange::{Exchanger, Moment};
use crate::solver::state::State;
use level_set::LevelSet;

/// A way to carry the surface, with what it needs of memory beside the state. Methods are in the order in which a step
/// calls them.
pub(crate) trait Surface: std::fmt::Debug + Send + Sync {
    /// Records the surface at the start, from what [`new`] was given: distances in `s.now`.
    fn begin(&self, rec: &mut Recording<'_>, s: &State) -> Result<()>;

    /// Records what distances need before they are carried: they are true near the surface again, bounded, and go on
    /// into solids.
    fn restore(&self, rec: &mut Recording<'_>, s: &State, step: &Step) -> Result<()>;

    /// From this distance on, cells, distances say no more than "at least": air there is not asked for. Infinite if
    /// they are true everywhere.
    fn beyond(&self, step: &Step) -> f32;

    /// Records how the surface moves with the water: distances in `s.next`, still on the old columns.
    fn advect(&self, rec: &mut Recording<'_>, s: &State, step: &Step) -> Result<()>;

    /// Records that sheets too thin for the grid become thicker, if that was asked for.
    fn thicken(&self, rec: &mut Recording<'_>, s: &State, step: &Step) -> Result<()>;

    /// Records what enters and leaves through sources and open sides.
    fn exchange(&self, rec: &mut Recording<'_>, s: &State, exchange: &Exchanger, moment: Moment) -> Result<()>;

    /// Columns stay: what was made in this step is the state.
    fn keep_columns(&mut self);

    /// Records the move to new columns, which `s.now` has already.
    fn move_columns(&mut self, rec: &mut Recording<'_>, s: &State) -> Result<()>;

    /// The surface on a lattice finer than the columns, if it is carried on one.
    fn fine(&self) -> Option<FineLattice<'_>>;

    /// Takes up the values of the [`Self::fine`] lattice on columns, if there is one.
    fn load_fine(&self, exec: &Executor, heights: &[Heights], values: &[f32]) -> Result<()>;
}

/// Distances to the surface on a lattice finer than the columns.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FineLattice<'a> {
    pub(in crate::solver) shape: Shape,
    /// `[H, T]` per fine column, fine cells.
    pub(in crate::solver) heights: &'a Buffer<Heights>,
    /// Fine cells, negative in water.
    pub(in crate::solver) phi: &'a Buffer<f32>,
}

impl FineLattice<'_> {
    /// Values of the lattice.
    pub(crate) fn len(&self) -> usize {
        self.phi.len()
    }
}

/// The surface of a setup, on columns with these heights and this ground (cells). `is_plain`: there are no solids, and
/// no water enters or leaves.
pub(crate) fn new(
    exec: &Executor,
    setup: &Setup<'_>,
    (heights, terrain): (&[Heights], &[f32]),
    is_plain: bool,
) -> Result<Box<dyn Surface>> {
    Ok(Box::new(LevelSet::new(exec, setup, (heights, terrain), is_plain)?))
}
