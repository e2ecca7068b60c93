use std::convert::Infallible;

use thalweg_columns::Heights;

use super::{
    CoarsestMatrixSlices, LevelResidualSlices, MatrixParams, MultiplyDotSlices, ProlongSlices, RelaxSlices,
    RelaxTallSlices, ResidualSlices, RestrictSlices, StartSlices, TailSlices, TailWideSlices,
};
use crate::constants::{PARTIALS, flag, plane, prolonged, restricted, slot};
use crate::cycle::{Cycle, Hierarchy, Sweeps, cycle};
use crate::device::layout::PackedLevel;
use crate::differences::residual_afresh;
use crate::rows::LevelView;
use crate::smooth::{Group, Relaxation, SWEEP, multiply, relax, residual, start};
use crate::transfer::{CoarseCorrection, Prolongation, Source, prolong, restrict};

/// The packed matrix, read.
#[derive(Clone, Copy)]
struct Packed<'a> {
    p: &'a MatrixParams,
    heights: &'a [Heights],
    marks: &'a [u32],
    cells: &'a [f32],
    matrix: &'a [f32],
}

impl<'a> Packed<'a> {
    fn view(&self, level: &PackedLevel) -> LevelView<'a, f32> {
        let (weights, blocks): (&[f32], &[f32]) = match self.matrix.get(..self.p.blocks_at as usize) {
            Some(weights) => (&weights[level.faces()], &self.matrix[self.p.blocks_at as usize..]),
            None => (&[], &[]), // prolongation has no use for it
        };
        let blocks: &[[f32; 4]] = bytemuck::cast_slice(blocks);
        LevelView {
            shape: level.shape,
            heights: &self.heights[level.columns()],
            weights,
            diagonal: self.plane(level, plane::DIAGONAL),
            blocks: blocks.get(level.columns()).unwrap_or_default(),
            unit: self.marks[flag::COUNT * level.number + flag::NOT_UNIT] == 0,
            discretisation: self.p.discretisation(),
        }
    }

    fn plane(&self, level: &PackedLevel, number: usize) -> &'a [f32] {
        &self.cells[number * self.p.total as usize..][level.samples()]
    }

    fn ends(&self, level: &PackedLevel) -> &'a [u32] {
        &self.marks[self.p.ends_at as usize..][level.columns()]
    }

    fn start(&self, level: &PackedLevel, b: &[f32], x: &mut [f32]) {
        let inverse = self.plane(level, plane::INVERSE);
        let relaxation = Relaxation { inverse, ends: self.ends(level), b: &b[level.samples()] };
        start(&self.view(level), &relaxation, &mut x[level.samples()]);
    }

    fn relax(&self, level: &PackedLevel, group: Group, b: &[f32], x: &mut [f32]) {
        let tall = self.marks[flag::COUNT * level.number + flag::HAS_TALL] != 0;
        if matches!(group, Group::TallEven | Group::TallOdd) && !tall {
            return;
        }
        let inverse = self.plane(level, plane::INVERSE);
        let relaxation = Relaxation { inverse, ends: self.ends(level), b: &b[level.samples()] };
        relax(&self.view(level), &relaxation, group, &mut x[level.samples()]);
    }

    fn restrict(&self, fine: &PackedLevel, of_residual: bool, x: &[f32], b: &mut [f32]) {
        let coarse = fine.coarser();
        let (below, above) = b.split_at_mut(coarse.sample_at);
        let b = &below[fine.samples()];
        let source = if of_residual { Source::Residual { b, x: &x[fine.samples()] } } else { Source::Vector(b) };
        let out = &mut above[..coarse.shape.len()];
        restrict(&self.view(fine), self.ends(fine), source, &self.view(&coarse), out);
    }

    fn prolong(&self, fine: &PackedLevel, mode: Prolongation, x: &mut [f32]) {
        let coarse = fine.coarser();
        let (below, above) = x.split_at_mut(coarse.sample_at);
        let correction = CoarseCorrection {
            shape: coarse.shape,
            heights: &self.heights[coarse.columns()],
            solid: self.plane(&coarse, plane::SOLID),
            solids: &self.marks[self.p.solids_at as usize..][coarse.columns()],
            values: &above[..coarse.shape.len()],
        };
        prolong(&correction, &self.view(fine), self.ends(fine), mode, &mut below[fine.samples()]);
    }
}

pub(super) fn start_level(p: &MatrixParams, s: StartSlices<'_>) {
    let packed = Packed { p, heights: s.heights, marks: s.marks, cells: s.cells, matrix: s.matrix };
    packed.start(&p.level(), s.b, s.x);
}

pub(super) fn relax_level(p: &MatrixParams, s: RelaxSlices<'_>) {
    let packed = Packed { p, heights: s.heights, marks: s.marks, cells: s.cells, matrix: s.matrix };
    packed.relax(&p.level(), SWEEP[p.group as usize], s.b, s.x);
}

pub(super) fn relax_tall_level(p: &MatrixParams, s: RelaxTallSlices<'_>) {
    let packed = Packed { p, heights: s.heights, marks: s.marks, cells: s.cells, matrix: s.matrix };
    packed.relax(&p.level(), SWEEP[p.group as usize], s.b, s.x);
}

pub(super) fn level_residual(p: &MatrixParams, s: LevelResidualSlices<'_>) {
    let packed = Packed { p, heights: s.heights, marks: s.marks, cells: s.cells, matrix: s.matrix };
    let level = p.level();
    let (b, x) = (&s.b[level.samples()], &s.x[level.samples()]);
    residual(&packed.view(&level), packed.ends(&level), b, x, &mut s.r[level.samples()]);
}

pub(super) fn restrict_level(p: &MatrixParams, s: RestrictSlices<'_>) {
    let packed = Packed { p, heights: s.heights, marks: s.marks, cells: s.cells, matrix: s.matrix };
    let fine = p.level();
    let coarse = fine.coarser();
    let (below, above) = s.b.split_at_mut(coarse.sample_at);
    let source =
        Source::Vector(if p.mode == restricted::RESIDUAL { &s.r[fine.samples()] } else { &below[fine.samples()] });
    let out = &mut above[..coarse.shape.len()];
    restrict(&packed.view(&fine), packed.ends(&fine), source, &packed.view(&coarse), out);
}

pub(super) fn prolong_level(p: &MatrixParams, s: ProlongSlices<'_>) {
    let packed = Packed { p, heights: s.heights, marks: s.marks, cells: s.cells, matrix: &[] };
    let mode = if p.mode == prolonged::SET { Prolongation::Set } else { Prolongation::Add };
    packed.prolong(&p.level(), mode, s.x);
}

pub(super) fn multiply_dot(p: &MatrixParams, s: MultiplyDotSlices<'_>) {
    let packed = Packed { p, heights: s.heights, marks: s.marks, cells: s.cells, matrix: s.matrix };
    let level = p.level();
    let len = level.shape.len();
    let dot = multiply(&packed.view(&level), packed.ends(&level), &s.x[..len], &mut s.q[..len]);
    put(s.partials, slot::PQ, p.groups, dot as f32);
}

pub(super) fn residual_level(p: &MatrixParams, s: ResidualSlices<'_>) {
    let packed = Packed { p, heights: s.heights, marks: s.marks, cells: s.cells, matrix: s.matrix };
    let level = p.level();
    let (n, len) = (level.shape.samples(), level.shape.len());
    let view = packed.view(&level);
    let cells = sum(s.partials, slot::SUM_M, p.groups);
    let shift = sum(s.partials, slot::SUM_B, p.groups) / cells;
    let singular = s.marks[flag::COUNT * level.number + flag::TOUCHES_AIR] == 0 && cells > 0.0;
    let consistent: Vec<f32> = if singular {
        let moved = |(at, b): (usize, &f32)| b - (shift * cells_of(view.heights[at / n], at % n)) as f32;
        s.b[..len].iter().enumerate().map(moved).collect()
    } else {
        Vec::new()
    };
    let b = if singular { &consistent[..] } else { &s.b[..len] };
    let largest = residual_afresh(&view, packed.ends(&level), b, &s.x[..len], &mut s.whole[..len]);
    let unknown = b.iter().zip(view.diagonal).filter(|(_, d)| **d > 0.0);
    let largest_b = unknown.fold(0.0f32, |a, (b, _)| if b.abs() > a || b.is_nan() { b.abs() } else { a });
    put(s.partials, slot::MAX_R, p.groups, largest as f32);
    put(s.partials, slot::MAX_B, p.groups, largest_b);
}

/// Cells that a sample stands for.
pub(crate) fn cells_of(heights: Heights, sample: usize) -> f64 {
    if sample < 2 { 0.5 * f64::from(heights[1] - heights[0]) } else { 1.0 }
}

/// Leaves a result as the first of many partial ones.
pub fn put(partials: &mut [f32], slot: usize, groups: u32, value: f32) {
    let words = &mut partials[slot * PARTIALS..slot * PARTIALS + groups as usize];
    words.fill(0.0);
    words[0] = value;
}

/// Adds up partial results.
pub fn sum(partials: &[f32], slot: usize, groups: u32) -> f64 {
    partials[slot * PARTIALS..slot * PARTIALS + groups as usize].iter().map(|v| f64::from(*v)).sum()
}

pub(super) fn coarsest_matrix(p: &MatrixParams, s: CoarsestMatrixSlices<'_>) {
    let packed = Packed { p, heights: s.heights, marks: s.marks, cells: s.cells, matrix: s.matrix };
    let level = p.level();
    let n = level.shape.len();
    for (unit, column) in s.x.chunks(n).zip(s.q.chunks_mut(n)).take(n) {
        multiply(&packed.view(&level), packed.ends(&level), unit, column);
    }
}

/// The tail as a hierarchy of its own: its first level is level 0.
struct TailLevels<'a> {
    packed: Packed<'a>,
    levels: Vec<PackedLevel>,
    /// The inverse of the coarsest level's matrix, column by column.
    direct: &'a [f32],
    x: &'a mut [f32],
    b: &'a mut [f32],
}

pub(super) fn tail_wide(p: &MatrixParams, s: TailWideSlices<'_>) {
    let TailWideSlices { heights, marks, cells, x, b, matrix, r, direct } = s;
    tail(p, TailSlices { heights, marks, cells, x, b, matrix, r, direct });
}

pub(super) fn tail(p: &MatrixParams, s: TailSlices<'_>) {
    let packed = Packed { p, heights: s.heights, marks: s.marks, cells: s.cells, matrix: s.matrix };
    let count = (p.last - p.number) as usize + 1;
    let levels = std::iter::successors(Some(p.level()), |l| Some(l.coarser())).take(count).collect();
    let mut tail = TailLevels { packed, levels, direct: s.direct, x: s.x, b: s.b };
    let kind = if p.full == 0 { Cycle::V } else { Cycle::Full };
    let sweeps = Sweeps { before: p.before as usize, after: p.after as usize };
    match cycle(&mut tail, kind, sweeps) {
        Ok(()) => {}
        Err(never) => match never {},
    }
}

impl Hierarchy for TailLevels<'_> {
    type Error = Infallible;

    fn levels(&self) -> usize {
        self.levels.len()
    }

    fn tail(&self) -> usize {
        self.levels.len() - 1
    }

    fn start(&mut self, level: usize) -> Result<(), Infallible> {
        self.packed.start(&self.levels[level], self.b, self.x);
        Ok(())
    }

    fn relax(&mut self, level: usize, group: Group) -> Result<(), Infallible> {
        self.packed.relax(&self.levels[level], group, self.b, self.x);
        Ok(())
    }

    fn relax_borders(&mut self, _: usize, _: bool) -> Result<(), Infallible> {
        Ok(())
    }

    fn restrict_residual(&mut self, level: usize) -> Result<(), Infallible> {
        self.packed.restrict(&self.levels[level], true, self.x, self.b);
        Ok(())
    }

    fn restrict_rhs(&mut self, level: usize) -> Result<(), Infallible> {
        self.packed.restrict(&self.levels[level], false, self.x, self.b);
        Ok(())
    }

    fn prolong(&mut self, level: usize, mode: Prolongation) -> Result<(), Infallible> {
        self.packed.prolong(&self.levels[level], mode, self.x);
        Ok(())
    }

    fn solve_tail(&mut self) -> Result<(), Infallible> {
        let last = self.levels.len() - 1;
        if self.packed.p.coarsest == 0 {
            let samples = self.levels[last].samples();
            let (x, b) = (&mut self.x[samples.clone()], &self.b[samples]);
            x.fill(0.0);
            for (b, column) in b.iter().zip(self.direct.chunks(b.len())) {
                x.iter_mut().zip(column).for_each(|(x, a)| *x += a * b);
            }
            return Ok(());
        }
        self.start(last)?;
        let there = SWEEP.iter().cycle().take(4 * self.packed.p.coarsest as usize).skip(2);
        let back = SWEEP.iter().rev().cycle().take(4 * self.packed.p.coarsest as usize);
        for group in there.chain(back) {
            self.relax(last, *group)?;
        }
        Ok(())
    }
}
