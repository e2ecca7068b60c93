//! The fine level set in memory of an executor, and what a step does with it.

use thalweg_columns::transfer::{AboveTop, DeviceRemesh};
use thalweg_columns::{Heights, Shape};
use thalweg_compute::{Buffer, ComputeError, Dispatch, Executor, Recording};

use super::{FineEnds, FineGrid, FineHeights, FineOpen, FineParams, FineSolid, Restrict, fine_heights};
use crate::solver::stages::advect::AdvectParams;
use crate::solver::stages::exchange::{Exchanger, Moment};
use crate::solver::state::ColumnFields;
use crate::solver::surface::FineLattice;
use crate::solver::surface::level_set::advect::FineLevelSet;
use crate::solver::surface::level_set::fill::{FillSolids, Reach};
use crate::solver::surface::level_set::reinitialise::Reinitialise;

/// The solids of fine cells, and how the level set is continued into them.
#[derive(Debug)]
struct FineSolids {
    solid: Buffer<f32>,
    fill: FillSolids,
    /// Ground per fine column, fine cells.
    terrain: Buffer<f32>,
    /// What zones add to fine columns.
    exchanged: Buffer<f32>,
}

/// The fine level set of the next state, still on the old columns.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FineCells<'a> {
    pub(crate) grid: FineGrid,
    pub(crate) heights: &'a Buffer<Heights>,
    /// Ground per fine column, fine cells.
    pub(crate) terrain: &'a Buffer<f32>,
    pub(crate) solid: &'a Buffer<f32>,
    pub(crate) phi: &'a Buffer<f32>,
    /// For what zones add to fine columns.
    pub(crate) exchanged: &'a Buffer<f32>,
}

/// The columns as they are, with what their solids leave open.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ColumnSolids<'a> {
    pub(crate) heights: &'a Buffer<Heights>,
    pub(crate) aperture: &'a Buffer<f32>,
    pub(crate) solid: &'a Buffer<f32>,
}

/// Layers of fine cells of solids at rest that get a level set. Traces end at walls; values are read one fine cell
/// beyond.
const AT_REST: Reach = Reach { layers: 2, mostly: 1.0 };

/// The fine level set in memory of an executor.
#[derive(Debug)]
pub(crate) struct FineSurface {
    grid: FineGrid,
    heights: Buffer<Heights>,
    next_heights: Buffer<Heights>,
    phi: Buffer<f32>,
    next_phi: Buffer<f32>,
    /// Open faces.
    open: Buffer<f32>,
    /// What there is with obstacles, or where water enters or leaves.
    solids: Option<FineSolids>,
    reinitialise: Reinitialise,
}

impl FineSurface {
    /// Takes the memory. `terrain` is the ground of the columns in cells, `None` if there are no obstacles, sources or
    /// open sides.
    pub(crate) fn new(exec: &Executor, coarse: Shape, terrain: Option<&[f32]>) -> Result<Self, ComputeError> {
        let grid = FineGrid::new(coarse);
        let shape = grid.shape();
        Ok(Self {
            grid,
            heights: exec.buffer("tall.fine_heights", shape.columns())?,
            next_heights: exec.buffer("tall.fine_heights", shape.columns())?,
            phi: exec.buffer("tall.fine_phi", shape.len())?,
            next_phi: exec.buffer("tall.fine_phi", shape.len())?,
            // Terrain ends at the bottoms of columns: where no face is stored, none is asked for.
            open: exec.buffer_from("tall.fine_open", &vec![1.0; 3 * shape.len()])?,
            solids: match terrain {
                Some(terrain) => {
                    let ground = |column: usize| 2.0 * terrain[grid.coarse_column(column)];
                    let terrain: Vec<f32> = (0..shape.columns()).map(ground).collect();
                    Some(FineSolids {
                        solid: exec.buffer("tall.fine_solid", shape.len())?,
                        fill: FillSolids::new(exec, shape)?,
                        terrain: exec.buffer_from("tall.fine_terrain", &terrain)?,
                        exchanged: exec.buffer("tall.fine_exchanged", shape.columns())?,
                    })
                }
                None => None,
            },
            reinitialise: Reinitialise::new(exec, shape)?,
        })
    }

    /// The fine lattice, its columns and the level set on it.
    pub(crate) fn lattice(&self) -> FineLattice<'_> {
        FineLattice { shape: self.grid.shape(), heights: &self.heights, phi: &self.phi }
    }

    /// Takes up a level set on columns.
    pub(crate) fn load(&self, exec: &Executor, heights: &[Heights], phi: &[f32]) -> Result<(), ComputeError> {
        let columns = 0..self.grid.shape().columns();
        let heights: Vec<Heights> = columns.map(|c| fine_heights(heights[self.grid.coarse_column(c)])).collect();
        exec.write(&self.heights, 0, &heights)?;
        exec.write(&self.phi, 0, phi)
    }

    /// Records that values become distances, or at least stay in bounds, and are continued into solids, as far
    /// as `reach` says if they move.
    pub(crate) fn restore(
        &self,
        rec: &mut Recording<'_>,
        columns: ColumnSolids<'_>,
        reinitialises: bool,
        reach: Option<Reach>,
    ) -> Result<(), ComputeError> {
        let (params, len) = (self.params(), self.grid.shape().len());
        let ColumnSolids { heights, aperture, solid } = columns;
        if self.solids.is_some() {
            rec.run(&FineOpen { heights, aperture, open: &self.open }, &params, Dispatch::Elements(3 * len))?;
        }
        if reinitialises {
            self.reinitialise.record(rec, &self.heights, &self.open, &self.phi)?;
        } else {
            self.reinitialise.record_clamp(rec, &self.heights, &self.open, &self.phi)?;
        }
        let Some(FineSolids { solid: fine_solid, fill, .. }) = &self.solids else { return Ok(()) };
        rec.run(&FineSolid { heights, solid, fine_solid }, &params, Dispatch::Elements(len))?;
        fill.record(rec, &self.heights, fine_solid, &self.phi, reach.unwrap_or(AT_REST))
    }

    /// Records how the surface moves with the water `now`, and the level set `moved` of the columns, which has moved by
    /// itself, after it.
    pub(crate) fn advect(
        &self,
        rec: &mut Recording<'_>,
        (now, solid): (&ColumnFields, &Buffer<f32>),
        params: &AdvectParams,
        moved: &Buffer<f32>,
    ) -> Result<(), ComputeError> {
        let ColumnFields { heights, phi, faces, inner, .. } = now;
        let kernel = FineLevelSet { heights, phi, faces, inner, moved: &self.next_phi, source: &self.phi };
        rec.run(&kernel, params, Dispatch::Elements(self.grid.shape().len()))?;
        self.restrict(rec, (heights, solid), &self.next_phi, moved)
    }

    /// Records how water enters and leaves, and the level set `moved` of the columns after it.
    pub(crate) fn exchange(
        &self,
        rec: &mut Recording<'_>,
        exchange: (&Exchanger, Moment),
        columns: (&Buffer<Heights>, &Buffer<f32>),
        moved: &Buffer<f32>,
    ) -> Result<(), ComputeError> {
        if exchange.0.is_closed() {
            return Ok(());
        }
        let (grid, heights, phi) = (self.grid, &self.heights, &self.next_phi);
        exchange.0.paint_fine_surface(rec, (grid, heights), phi, exchange.1)?;
        // Water that began without solids and open sides has no zones.
        if let Some(FineSolids { solid, terrain, exchanged, .. }) = &self.solids {
            let cells = FineCells { grid, heights, terrain, solid, phi, exchanged };
            exchange.0.relax_fine_surface(rec, cells, exchange.1)?;
        }
        self.restrict(rec, columns, &self.next_phi, moved)
    }

    /// Records the level set of the columns at the start.
    pub(crate) fn begin(
        &self,
        rec: &mut Recording<'_>,
        columns: (&Buffer<Heights>, &Buffer<f32>),
        phi: &Buffer<f32>,
    ) -> Result<(), ComputeError> {
        self.restrict(rec, columns, &self.phi, phi)
    }

    fn restrict(
        &self,
        rec: &mut Recording<'_>,
        (heights, solid): (&Buffer<Heights>, &Buffer<f32>),
        fine: &Buffer<f32>,
        phi: &Buffer<f32>,
    ) -> Result<(), ComputeError> {
        rec.run(&Restrict { heights, solid, fine, phi }, &self.params(), Dispatch::Elements(self.grid.coarse.len()))
    }

    /// The columns stay as they are.
    pub(crate) fn keep_columns(&mut self) {
        std::mem::swap(&mut self.phi, &mut self.next_phi);
    }

    /// Records the move to new columns, which hold their own level set `phi` already.
    pub(crate) fn move_columns(
        &mut self,
        rec: &mut Recording<'_>,
        heights: &Buffer<Heights>,
        phi: &Buffer<f32>,
    ) -> Result<(), ComputeError> {
        let (params, shape) = (self.params(), self.grid.shape());
        let columns = Dispatch::Elements(shape.columns());
        rec.run(&FineHeights { heights, fine_heights: &self.next_heights }, &params, columns)?;
        let moved = DeviceRemesh { shape, old: &self.heights, new: &self.next_heights };
        moved.transfer_cells(rec, AboveTop::Distance, &self.next_phi, &self.phi)?;
        std::mem::swap(&mut self.heights, &mut self.next_heights);
        rec.run(&FineEnds { heights, phi, fine: &self.phi }, &params, columns)
    }

    fn params(&self) -> FineParams {
        let Shape { nx, nz, .. } = self.grid.coarse;
        FineParams { nx: nx as u32, nz: nz as u32, samples: self.grid.coarse.samples() as u32 }
    }
}
