//! Which cells keep their own unknown, and how the unknowns are numbered.

use thalweg_columns::Real;
use thalweg_pressure::NONE;

use super::grid::{FineGrid, FineSystem, ravel, unravel};

/// What happens at the free surface.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Surface {
    /// Cells within `max(8, 2f)` cells of air stay fine. The error of coarsening is largest there.
    #[default]
    Fine,
    /// Only blocks that are not wholly liquid stay fine, as in Prakash & Chaudhuri.
    Coarse,
}

/// The shape of a band.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BandShape {
    /// Fine cells per coarse block and axis, a power of two. 1 leaves every cell fine.
    pub factor: usize,
    /// Width of the band along solids and walls, in fine cells.
    pub width: usize,
    /// What happens at the free surface.
    pub surface: Surface,
}

/// The fine cells and coarse blocks of a liquid. Blocks are aligned boxes of `factor` cells per axis; each is coarse as
/// a whole, with one unknown, or fine.
///
/// Unknowns are numbered in the order of the lowest cell of each block or cell, so that the reduced matrix has the
/// order of the fine one wherever nothing is coarse, and incomplete factors keep their quality.
#[derive(Debug, Clone, PartialEq)]
pub struct Band {
    shape: BandShape,
    blocks: [usize; 3],
    step: [usize; 3],
    coarse: Vec<bool>,
    /// Reduced unknown of a coarse block; [`NONE`] of a fine one.
    pub(super) of_block: Vec<u32>,
    /// Reduced unknown of a fine unknown: of its own in the band, of its block at a block's lowest cell, else [`NONE`].
    pub(super) of_fine: Vec<u32>,
    /// Fine unknown at which a reduced one sits: the cell itself or the block's lowest cell.
    pub(super) seat: Vec<u32>,
}

impl Band {
    /// Chooses the fine cells of a grid: within `width` of a solid, a wall or a cut cell (chessboard distance), near
    /// air as [`Surface`] says, in every block that is not wholly liquid, and in blocks that the domain's edge cuts.
    ///
    /// # Panics
    ///
    /// If the factor is not a power of two.
    pub fn new<T: Real>(grid: &FineGrid, system: &FineSystem<T>, shape: BandShape) -> Self {
        let f = shape.factor;
        assert!(f.is_power_of_two(), "a coarsening factor of {f}");
        let cells = grid.cells();
        let axes = grid.dimensions();
        let step = [f, f, if axes == 2 { 1 } else { f }];
        let blocks = [0, 1, 2].map(|a| cells[a].div_ceil(step[a]));
        let mut coarse = vec![false; blocks.iter().product()];
        if f > 1 {
            let fine = fine_cells(grid, system, shape);
            coarse = (0..coarse.len())
                .map(|b| {
                    let low = unravel(blocks, b);
                    let low = [0, 1, 2].map(|a| low[a] * step[a]);
                    (0..3).all(|a| low[a] + step[a] <= cells[a])
                        && children(low, step).all(|at| {
                            let c = ravel(cells, at);
                            !fine[c] && system.unknown_of_cell[c] != NONE
                        })
                })
                .collect();
        }
        let mut band = Self {
            shape,
            blocks,
            step,
            coarse,
            of_block: vec![NONE; blocks.iter().product()],
            of_fine: vec![NONE; system.unknowns()],
            seat: Vec::new(),
        };
        for (unknown, &cell) in system.cell_of_unknown.iter().enumerate() {
            let at = unravel(cells, cell as usize);
            let block = band.block_of(at);
            let lowest = (0..3).all(|a| at[a].is_multiple_of(step[a]));
            if !band.coarse[block] || lowest {
                let number = band.seat.len() as u32;
                band.of_fine[unknown] = number;
                band.seat.push(unknown as u32);
                if band.coarse[block] {
                    band.of_block[block] = number;
                }
            }
        }
        band
    }

    /// The shape that was asked for.
    pub fn shape(&self) -> BandShape {
        self.shape
    }

    /// Unknowns of the reduced system.
    pub fn unknowns(&self) -> usize {
        self.seat.len()
    }

    /// Coarse blocks among them.
    pub fn coarse_blocks(&self) -> usize {
        self.coarse.iter().filter(|c| **c).count()
    }

    /// Blocks along each axis.
    pub fn blocks(&self) -> [usize; 3] {
        self.blocks
    }

    /// Whether a block is coarse.
    pub fn is_coarse(&self, block: usize) -> bool {
        self.coarse[block]
    }

    /// Cells of a block along each axis.
    pub(super) fn step(&self) -> [usize; 3] {
        self.step
    }

    /// The block of a cell.
    #[inline]
    pub(super) fn block_of(&self, cell: [usize; 3]) -> usize {
        let shift = self.shape.factor.trailing_zeros();
        let z = if self.step[2] == 1 { cell[2] } else { cell[2] >> shift };
        ravel(self.blocks, [cell[0] >> shift, cell[1] >> shift, z])
    }

    /// Coarse blocks whose neighbours out to `reach` blocks are all coarse.
    pub(super) fn interior(&self, reach: usize) -> Vec<bool> {
        let axes = if self.step[2] == 1 { 2 } else { 3 };
        let mut near: Vec<bool> = self.coarse.iter().map(|c| !c).collect();
        dilate(self.blocks, &mut near, reach, axes);
        mark_walls(self.blocks, &mut near, reach, axes);
        near.iter().map(|n| !n).collect()
    }
}

/// Cells of the box at `low`, `x` fastest.
pub(super) fn children(low: [usize; 3], step: [usize; 3]) -> impl Iterator<Item = [usize; 3]> {
    (0..step[2]).flat_map(move |z| {
        (0..step[1]).flat_map(move |y| (0..step[0]).map(move |x| [low[0] + x, low[1] + y, low[2] + z]))
    })
}

/// Cells that the distance rules keep fine.
fn fine_cells<T: Real>(grid: &FineGrid, system: &FineSystem<T>, shape: BandShape) -> Vec<bool> {
    let cells = grid.cells();
    let axes = grid.dimensions();
    let count = cells.iter().product::<usize>();
    // Cut cells are seeds like solids, so that the matrix is that of open water outside the band.
    let mut fine: Vec<bool> = (0..count).map(|c| grid.is_solid(c)).collect();
    grid.cut_cells().iter().for_each(|c| fine[*c as usize] = true);
    dilate(cells, &mut fine, shape.width, axes);
    mark_walls(cells, &mut fine, shape.width, axes);
    if shape.surface == Surface::Fine {
        let mut near_air: Vec<bool> =
            (0..count).map(|c| !grid.is_solid(c) && system.unknown_of_cell[c] == NONE).collect();
        dilate(cells, &mut near_air, (2 * shape.factor).max(8), axes);
        fine.iter_mut().zip(near_air).for_each(|(fine, near)| *fine |= near);
    }
    fine
}

/// Marks the cells within `reach` of the domain's walls; the first cell is at distance 1.
fn mark_walls(cells: [usize; 3], marked: &mut [bool], reach: usize, axes: usize) {
    let near = |a: usize, x: usize| a < axes && (x < reach || x + reach >= cells[a]);
    for (line, marked) in marked.chunks_mut(cells[0]).enumerate() {
        if near(1, line % cells[1]) || near(2, line / cells[1]) {
            marked.fill(true);
        } else {
            let ends = reach.min(cells[0]);
            marked[..ends].fill(true);
            marked[cells[0] - ends..].fill(true);
        }
    }
}

/// Marks the cells within chessboard distance `reach` of a marked one: one dilation per axis, each a pass up and a pass
/// down that count the cells since the last mark.
fn dilate(cells: [usize; 3], marked: &mut [bool], reach: usize, axes: usize) {
    if reach == 0 || !marked.contains(&true) {
        return;
    }
    let reach = reach.min(usize::from(u16::MAX) - 1) as u16;
    let mut since = Vec::new();
    let mut before = vec![false; marked.len()];
    for axis in 0..axes {
        let stride: usize = cells[..axis].iter().product();
        let length = cells[axis];
        since.resize(stride, 0_u16);
        before.copy_from_slice(marked);
        for (slab, before) in marked.chunks_mut(stride * length).zip(before.chunks(stride * length)) {
            let mut pass = |positions: &mut dyn Iterator<Item = usize>| {
                since.fill(reach + 1);
                for position in positions {
                    let row = position * stride..(position + 1) * stride;
                    for ((marked, seed), since) in slab[row.clone()].iter_mut().zip(&before[row]).zip(&mut since) {
                        *since = if *seed { 0 } else { since.saturating_add(1) };
                        *marked |= *since <= reach;
                    }
                }
            };
            pass(&mut (0..length));
            pass(&mut (0..length).rev());
        }
    }
}
