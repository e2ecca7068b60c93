//! All levels on an executor, and cycles recorded over them.

use thalweg_columns::grid::is_tall;
use thalweg_columns::{ColumnGrid, GridError, Heights, Shape};
use thalweg_compute::{Buffer, ComputeError, Dispatch, Executor, Kernel, Recording, fold};

use super::build::{
    Adopt, AdoptParams, CoarsenFields, CoarsenHeights, CoarsenOpen, CoarsenSinks, Conductances, Diagonals,
    DiagonalsParams, Invert, InvertParams, LevelParams,
};
use super::cycle::{
    CoarsestMatrix, LevelResidual, MatrixParams, Prolong, Relax, RelaxTall, Restrict, Start, Tail, TailWide,
};
use super::layout::{Layout, column_groups, reduction_groups};
use crate::constants::{SIDES, plane};
use crate::cycle::{Cycle, Hierarchy, Sweeps, cycle};
use crate::fields::Fields;
use crate::host::HierarchyOptions;
use crate::smooth::Group;
use crate::transfer::Prolongation;

/// Why a hierarchy could not be made.
#[derive(Debug, Clone, thiserror::Error)]
pub enum DeviceError {
    /// The fields do not fit the grid.
    #[error(transparent)]
    Grid(#[from] GridError),
    /// The executor failed.
    #[error(transparent)]
    Compute(#[from] ComputeError),
}

/// How a hierarchy is laid out and built.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DeviceOptions {
    /// As on the host; the extra sweeps near borders are left out.
    pub hierarchy: HierarchyOptions,
    /// Levels of at most this many samples are handled by one workgroup; of twice as many, where workgroups may have
    /// 512 invocations.
    pub tail_samples: usize,
    /// Sweeps there and back on a coarsest level that is too large for its inverse: few columns, but high ones.
    pub coarsest_sweeps: usize,
    /// Whether heights may change later. If not, levels without tall cells skip the kernels for them.
    pub remeshed: bool,
}

impl Default for DeviceOptions {
    fn default() -> Self {
        Self { hierarchy: HierarchyOptions::default(), tail_samples: 1024, coarsest_sweeps: 10, remeshed: false }
    }
}

/// Levels from fine to coarse in the memory of one executor. Sizes are fixed; heights and fields may change, see
/// [`Self::adopt`] and [`Self::rebuild`].
#[derive(Debug)]
pub struct DeviceHierarchy {
    pub(super) layout: Layout,
    options: DeviceOptions,
    tail: usize,
    /// Whether the tail has 512 invocations.
    is_wide: bool,
    /// One bit per level that may have tall cells.
    tall: u32,
    pub(super) heights: Buffer<Heights>,
    open: Buffer<f32>,
    pub(super) cells: Buffer<f32>,
    pub(super) matrix: Buffer<f32>,
    /// The inverse of the coarsest level's matrix; one word if that level is too large for it.
    pub(super) direct: Buffer<f32>,
    /// Unit vectors of the coarsest level, likewise.
    units: Buffer<f32>,
    pub(super) marks: Buffer<u32>,
    pub(super) x: Buffer<f32>,
    pub(super) b: Buffer<f32>,
    /// Residuals, for the next level.
    pub(super) r: Buffer<f32>,
}

impl DeviceHierarchy {
    /// Uploads the finest level and builds all others on the executor.
    pub fn new(
        exec: &Executor,
        grid: &ColumnGrid,
        fields: &Fields<f32>,
        options: DeviceOptions,
    ) -> Result<Self, DeviceError> {
        let len = grid.shape.len();
        for (what, found, expected) in [
            ("phi", fields.phi.len(), len),
            ("solid fraction", fields.solid.len(), len),
            ("open fraction", fields.open.len(), 3 * len),
            ("sink", fields.sink.len(), if fields.sink.is_empty() { 0 } else { len }),
        ] {
            if found != expected {
                return Err(GridError::Length { what, found, expected }.into());
            }
        }
        let layout = Layout::new(grid.shape);
        let (columns, samples) = (layout.columns(), layout.samples());
        let tall = if options.remeshed { u32::MAX } else { tall_levels(grid, layout.levels.len()) };
        let coarsest = layout.coarsest_unknowns().unwrap_or(0);
        let units = unit_vectors(coarsest);
        let is_wide = exec.largest_workgroup() >= <TailWide<'_> as Kernel>::INFO.workgroup[0];
        let tail_samples = if is_wide { 2 * options.tail_samples } else { options.tail_samples };
        let hierarchy = Self {
            tail: layout.tail(tail_samples),
            is_wide,
            tall,
            heights: exec.buffer("pressure.heights", columns)?,
            open: exec.buffer("pressure.open", 3 * samples)?,
            cells: exec.zeros("pressure.cells", plane::COUNT * samples)?,
            matrix: exec.buffer("pressure.matrix", 3 * samples + 4 * columns)?,
            direct: exec.buffer("pressure.direct", units.len().max(1))?,
            units: exec.buffer("pressure.units", units.len().max(1))?,
            marks: exec.buffer("pressure.marks", layout.solids_at() + columns)?,
            x: exec.buffer("pressure.x", samples)?,
            b: exec.buffer("pressure.b", samples)?,
            r: exec.buffer("pressure.r", samples)?,
            layout,
            options,
        };
        exec.write(&hierarchy.heights, 0, &grid.heights)?;
        exec.write(&hierarchy.open, 0, &fields.open)?;
        exec.write(&hierarchy.cells, plane::PHI * samples, &fields.phi)?;
        exec.write(&hierarchy.cells, plane::SOLID * samples, &fields.solid)?;
        exec.write(&hierarchy.cells, plane::SINK * samples, &fields.sink)?;
        exec.write(&hierarchy.units, 0, &units)?;
        exec.submit(|rec| hierarchy.rebuild(rec))?;
        Ok(hierarchy)
    }

    /// Copies heights, level set (in cells), solid and open fractions of the finest level from buffers of a simulation.
    /// The levels change with the next [`Self::rebuild`].
    pub fn adopt(
        &self,
        rec: &mut Recording<'_>,
        heights: &Buffer<Heights>,
        phi: &Buffer<f32>,
        solid: &Buffer<f32>,
        open: &Buffer<f32>,
    ) -> Result<usize, ComputeError> {
        let shape = self.shape();
        let params = AdoptParams {
            columns: shape.columns() as u32,
            len: shape.len() as u32,
            total: self.layout.samples() as u32,
        };
        let kernel = Adopt {
            own_heights: heights,
            phi,
            solid,
            own_open: open,
            heights: &self.heights,
            open: &self.open,
            cells: &self.cells,
        };
        rec.run(&kernel, &params, Dispatch::Elements(3 * shape.len()))?;
        Ok(1)
    }

    /// Forms all levels anew from what the buffers hold for the finest one. Returns the number of dispatches.
    pub fn rebuild(&self, rec: &mut Recording<'_>) -> Result<usize, ComputeError> {
        let Self { heights, open, cells, matrix, marks, .. } = self;
        let options = &self.options.hierarchy;
        rec.clear(marks)?;
        let mut dispatches = 0;
        for (number, level) in self.layout.levels.iter().enumerate() {
            let len = level.shape.len();
            if number > 0 {
                let p = LevelParams::new(&self.layout, &self.layout.levels[number - 1], options);
                rec.run(&CoarsenHeights { heights }, &p, Dispatch::Elements(level.shape.columns()))?;
                rec.run(&CoarsenFields { heights, open, cells }, &p, Dispatch::Elements(len))?;
                rec.run(&CoarsenOpen { heights, open }, &p, Dispatch::Elements(3 * len))?;
                dispatches += 3;
                if options.bubbles.sinks {
                    rec.run(&CoarsenSinks { heights, open, cells }, &p, Dispatch::Elements(len))?;
                    dispatches += 1;
                }
            }
            let p = LevelParams::new(&self.layout, level, options);
            rec.run(&Conductances { heights, open, cells, matrix, marks }, &p, Dispatch::Elements(3 * len))?;
            let p = DiagonalsParams::new(&self.layout, level, options.discretisation);
            rec.run(&Diagonals { heights, cells, matrix, marks }, &p, Dispatch::Elements(len))?;
            dispatches += 2;
        }
        if let Some(n) = self.layout.coarsest_unknowns() {
            let p = self.params(self.levels() - 1);
            let kernel = CoarsestMatrix { heights, marks, cells, x: &self.units, q: &self.direct, matrix };
            rec.run(&kernel, &p, Dispatch::Elements(n * n))?;
            let kernel = Invert { direct: &self.direct };
            rec.run(&kernel, &InvertParams { n: n as u32 }, Dispatch::Groups([1, 1, 1]))?;
            dispatches += 2;
        }
        Ok(dispatches)
    }

    /// Columns and samples of the finest level.
    pub fn shape(&self) -> Shape {
        self.layout.levels[0].shape
    }

    /// Number of levels.
    pub fn levels(&self) -> usize {
        self.layout.levels.len()
    }

    /// The first level that one workgroup handles, with all coarser ones.
    pub fn tail(&self) -> usize {
        self.tail
    }

    /// How it was made.
    pub fn options(&self) -> &DeviceOptions {
        &self.options
    }

    /// `[H, T]` of all levels, the finest first.
    pub fn heights(&self) -> &Buffer<Heights> {
        &self.heights
    }

    /// Open fractions of all levels, the finest first: its x faces, y faces, z faces.
    pub fn open(&self) -> &Buffer<f32> {
        &self.open
    }

    /// [`Planes`](plane) of all levels, the finest first in each; a plane has [`Self::samples`] numbers.
    pub fn cells(&self) -> &Buffer<f32> {
        &self.cells
    }

    /// Samples of all levels together.
    pub fn samples(&self) -> usize {
        self.layout.samples()
    }

    /// Values of all levels; the finest come first.
    pub fn x(&self) -> &Buffer<f32> {
        &self.x
    }

    /// Right-hand sides of all levels; that of the finest comes first.
    pub fn b(&self) -> &Buffer<f32> {
        &self.b
    }

    /// Flags per level, then the ends of columns, then their lowest solid samples.
    pub fn marks(&self) -> &Buffer<u32> {
        &self.marks
    }

    /// Conductances of all levels, then the blocks of tall cells.
    pub fn matrix(&self) -> &Buffer<f32> {
        &self.matrix
    }

    /// Records one cycle from zero: `x ≈ A⁻¹ b` on the finest level. Returns the number of dispatches.
    pub fn cycle(&self, rec: &mut Recording<'_>, kind: Cycle, sweeps: Sweeps) -> Result<usize, ComputeError> {
        self.switched_cycle(rec, kind, sweeps, None, false)
    }

    /// The same, with extents from a buffer: those of the levels up to the tail, then see [`Self::extents`].
    pub(super) fn switched_cycle(
        &self,
        rec: &mut Recording<'_>,
        kind: Cycle,
        sweeps: Sweeps,
        args: Option<&Buffer<u32>>,
        detailed: bool,
    ) -> Result<usize, ComputeError> {
        let full_tail = kind == Cycle::Full;
        let mut recorded = RecordedHierarchy { of: self, rec, sweeps, args, full_tail, detailed, dispatches: 0 };
        cycle(&mut recorded, kind, sweeps)?;
        Ok(recorded.dispatches)
    }

    /// Workgroups of everything that a solve can switch off: one triple for the samples of every level up to the tail's
    /// first, one for reductions, one for the tail, one for the sides of columns of every level before the tail.
    pub(super) fn extents(&self) -> Result<Vec<u32>, ComputeError> {
        let folded = |groups: usize| {
            let kernel = || <Relax<'_> as Kernel>::INFO.name.to_string();
            fold(groups as u64).ok_or_else(|| ComputeError::TooManyGroups { kernel: kernel(), groups: groups as u64 })
        };
        let mut extents = Vec::new();
        for level in &self.layout.levels[..=self.tail] {
            extents.extend(folded(column_groups(level.shape))?);
        }
        extents.extend([reduction_groups(self.shape().len()) as u32, 1, 1]);
        extents.extend([1, 1, 1]);
        for level in &self.layout.levels[..self.tail] {
            extents.extend(folded((SIDES * level.shape.columns()).div_ceil(thalweg_compute::WORKGROUP as usize))?);
        }
        Ok(extents)
    }

    /// Which triple of [`Self::extents`] reductions use.
    pub(super) fn reduction_slot(&self) -> usize {
        self.tail + 1
    }

    /// Parameters of the kernels of one level.
    pub(super) fn params(&self, level: usize) -> MatrixParams {
        let p = MatrixParams::new(&self.layout, &self.layout.levels[level], self.options.hierarchy.discretisation);
        let sweeps = if self.layout.coarsest_unknowns().is_some() { 0 } else { self.options.coarsest_sweeps };
        MatrixParams { tall: self.tall, coarsest: sweeps as u32, ..p }
    }
}

/// The unit vectors of a space one after the other.
pub(super) fn unit_vectors(n: usize) -> Vec<f32> {
    (0..n * n).map(|i| f32::from(u8::from(i % (n + 1) == 0))).collect()
}

/// One bit per level with a true tall cell.
fn tall_levels(grid: &ColumnGrid, levels: usize) -> u32 {
    let mut bits = 0;
    let mut grid = grid.clone();
    for number in 0..levels {
        if number > 0 {
            grid = grid.coarser();
        }
        bits |= u32::from(grid.heights.iter().any(|h| is_tall(*h))) << number;
    }
    bits
}

/// A hierarchy whose operations are recorded.
struct RecordedHierarchy<'a, 'r, 'e> {
    of: &'a DeviceHierarchy,
    rec: &'r mut Recording<'e>,
    sweeps: Sweeps,
    args: Option<&'a Buffer<u32>>,
    /// Whether the next visit of the tail is the first of a full cycle.
    full_tail: bool,
    /// Whether every kind of kernel is a stage of its own.
    detailed: bool,
    dispatches: usize,
}

/// Names of stages, by kind of kernel and by level.
const STAGES: [[&str; 8]; 7] = [
    ["start 0", "start 1", "start 2", "start 3", "start 4", "start 5", "start 6", "start 7"],
    ["relax 0", "relax 1", "relax 2", "relax 3", "relax 4", "relax 5", "relax 6", "relax 7"],
    ["tall 0", "tall 1", "tall 2", "tall 3", "tall 4", "tall 5", "tall 6", "tall 7"],
    ["residual 0", "residual 1", "residual 2", "residual 3", "residual 4", "residual 5", "residual 6", "residual 7"],
    ["prolong 0", "prolong 1", "prolong 2", "prolong 3", "prolong 4", "prolong 5", "prolong 6", "prolong 7"],
    ["tail 0", "tail 1", "tail 2", "tail 3", "tail 4", "tail 5", "tail 6", "tail 7"],
    ["restrict 0", "restrict 1", "restrict 2", "restrict 3", "restrict 4", "restrict 5", "restrict 6", "restrict 7"],
];

impl<'a> RecordedHierarchy<'a, '_, '_> {
    /// Counts a dispatch, and names its stage if stages are timed apart.
    fn begin(&mut self, kind: usize, level: usize) {
        self.dispatches += 1;
        if self.detailed {
            self.rec.stage(STAGES[kind][level.min(7)]);
        }
    }

    /// One invocation per side of a column of a level, unless the solve was stopped.
    fn column_extent(&self, level: usize) -> Dispatch<'a> {
        match self.args {
            Some(args) => Dispatch::Indirect(args, 3 * (self.of.tail + 3 + level)),
            None => Dispatch::Elements(SIDES * self.of.layout.levels[level].shape.columns()),
        }
    }

    /// One invocation per sample of a level, unless the solve was stopped.
    fn extent(&self, level: usize) -> Dispatch<'a> {
        match self.args {
            Some(args) => Dispatch::Indirect(args, 3 * level),
            None => Dispatch::Elements(
                column_groups(self.of.layout.levels[level].shape) * thalweg_compute::WORKGROUP as usize,
            ),
        }
    }
}

impl RecordedHierarchy<'_, '_, '_> {
    fn restrict(&mut self, level: usize, residual: bool) -> Result<(), ComputeError> {
        let DeviceHierarchy { heights, marks, cells, x, b, matrix, r, .. } = self.of;
        let params = self.of.params(level).restricting(residual);
        if residual {
            let extent = self.extent(level);
            self.begin(3, level);
            self.rec.run(&LevelResidual { heights, marks, cells, x, b, matrix, r }, &params, extent)?;
        }
        let extent = self.extent(level + 1);
        self.begin(6, level);
        self.rec.run(&Restrict { heights, marks, cells, x, b, matrix, r }, &params, extent)
    }
}

impl Hierarchy for RecordedHierarchy<'_, '_, '_> {
    type Error = ComputeError;

    fn levels(&self) -> usize {
        self.of.levels()
    }

    fn tail(&self) -> usize {
        self.of.tail
    }

    fn start(&mut self, level: usize) -> Result<(), ComputeError> {
        let DeviceHierarchy { heights, marks, cells, x, b, matrix, .. } = self.of;
        let extent = self.extent(level);
        self.begin(0, level);
        self.rec.run(&Start { heights, marks, cells, x, b, matrix }, &self.of.params(level), extent)
    }

    fn relax(&mut self, level: usize, group: Group) -> Result<(), ComputeError> {
        let tall = matches!(group, Group::TallEven | Group::TallOdd);
        if tall && (self.of.tall >> level) & 1 == 0 {
            return Ok(());
        }
        let DeviceHierarchy { heights, marks, cells, x, b, matrix, .. } = self.of;
        let params = self.of.params(level).relaxing(group);
        self.begin(if tall { 2 } else { 1 }, level);
        if tall {
            let extent = self.column_extent(level);
            self.rec.run(&RelaxTall { heights, marks, cells, x, b, matrix }, &params, extent)
        } else {
            let extent = self.extent(level);
            self.rec.run(&Relax { heights, marks, cells, x, b, matrix }, &params, extent)
        }
    }

    fn relax_borders(&mut self, _: usize, _: bool) -> Result<(), ComputeError> {
        Ok(())
    }

    fn restrict_residual(&mut self, level: usize) -> Result<(), ComputeError> {
        self.restrict(level, true)
    }

    fn restrict_rhs(&mut self, level: usize) -> Result<(), ComputeError> {
        self.restrict(level, false)
    }

    fn prolong(&mut self, level: usize, mode: Prolongation) -> Result<(), ComputeError> {
        let DeviceHierarchy { heights, marks, cells, x, .. } = self.of;
        let extent = self.extent(level);
        self.begin(4, level);
        let params = self.of.params(level).prolonging(mode);
        self.rec.run(&Prolong { heights, marks, cells, x }, &params, extent)
    }

    fn solve_tail(&mut self) -> Result<(), ComputeError> {
        let DeviceHierarchy { heights, marks, cells, x, b, matrix, r, direct, tail, is_wide, .. } = self.of;
        let extent = match self.args {
            Some(args) => Dispatch::Indirect(args, 3 * (tail + 2)),
            None => Dispatch::Groups([1, 1, 1]),
        };
        let params = MatrixParams {
            before: self.sweeps.before as u32,
            after: self.sweeps.after as u32,
            full: u32::from(std::mem::take(&mut self.full_tail)),
            ..self.of.params(*tail)
        };
        self.begin(5, *tail);
        if *is_wide {
            self.rec.run(&TailWide { heights, marks, cells, x, b, matrix, r, direct }, &params, extent)
        } else {
            self.rec.run(&Tail { heights, marks, cells, x, b, matrix, r, direct }, &params, extent)
        }
    }
}
