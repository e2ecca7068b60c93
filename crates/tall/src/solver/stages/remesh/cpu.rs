use rayon::prelude::*;
use thalweg_columns::grid::{face_heights, is_tall, neighbours};
use thalweg_columns::interpolate::cell_at;
use thalweg_columns::{Heights, Shape};

use super::constants::NOWHERE;
use super::{
    AHEAD, BoundsSlices, HeightsParams, LimitHeightsSlices, ResignSlices, SmoothHeightsSlices, fate, limit,
    lowest_followed,
};
use crate::solver::stages::exchange::Reach;
use crate::solver::stages::solids::Keel;

/// Water on the old heights.
struct Water<'a> {
    shape: Shape,
    heights: &'a [Heights],
    phi: &'a [f32],
}

impl Water<'_> {
    /// One past the highest cell of a column.
    fn end(&self, column: usize) -> i32 {
        self.heights[column][1] + self.shape.regular as i32
    }

    /// Whether a world cell over the terrain is liquid; over a column is air.
    fn is_liquid(&self, column: usize, y: i32) -> bool {
        let n = self.shape.samples();
        y < self.end(column) && cell_at(&self.phi[column * n..][..n], self.heights[column], y) < 0.0
    }

    fn highest_liquid(&self, column: usize) -> Option<i32> {
        let [bottom, top] = self.heights[column];
        let regular = (top - 1..self.end(column)).rev().find(|y| self.is_liquid(column, *y));
        // A line that ends in air holds water only if it begins in water.
        let in_tall = || if self.is_liquid(column, bottom) { bottom..top - 1 } else { 0..0 };
        regular.or_else(|| in_tall().rev().find(|y| self.is_liquid(column, *y)))
    }

    /// The lowest cell that differs from the one above it.
    fn lowest_border(&self, column: usize) -> Option<i32> {
        let [bottom, top] = self.heights[column];
        // A line has one sign if its ends have.
        let uniform = self.is_liquid(column, bottom) == self.is_liquid(column, top - 1);
        let start = if uniform { top - 1 } else { bottom };
        (start..self.end(column)).find(|y| self.is_liquid(column, *y) != self.is_liquid(column, y + 1))
    }

    /// The lowest cell under `below` that differs from the one beside it in another column. Terrain differs from
    /// nothing.
    fn lowest_side_border(&self, column: usize, other: usize, below: i32) -> Option<i32> {
        let [low, high] = face_heights(self.heights[column], self.heights[other]);
        let first = self.is_liquid(column, low);
        let same = |c: usize, y: i32| self.is_liquid(c, y) == first;
        // Both are lines in the overlap.
        let uniform = low < high && same(column, high - 1) && same(other, low) && same(other, high - 1);
        let start = if uniform { high } else { low };
        (start..self.end(column).min(below)).find(|y| self.is_liquid(column, *y) != self.is_liquid(other, *y))
    }

    /// The limits of a column, and whether they contradict each other; and how many regular cells more keep the tall
    /// cell [`AHEAD`] cells below the `keel` of what moves.
    fn limits(
        &self,
        p: &HeightsParams,
        (ceiling, keel): (i32, Keel),
        reach: Reach,
        column: usize,
    ) -> ([i32; 4], bool, u32) {
        let [bottom, top] = self.heights[column];
        // Cubic cells go up to sources at least.
        let lowest = (bottom + 2).max(reach[0] - self.shape.regular as i32);
        let Some(highest) = self.highest_liquid(column) else { return ([lowest, lowest, fate::DRY, 1], false, 0) };
        let mut border = self.lowest_border(column).unwrap_or(highest);
        let mut lowest_top = NOWHERE - p.step;
        for other in neighbours(self.shape, column).into_iter().flatten() {
            border = self.lowest_side_border(column, other, border).unwrap_or(border);
            lowest_top = lowest_top.min(self.heights[other][1]);
        }
        let under_air = highest + 1 + p.above - self.shape.regular as i32;
        let min = under_air.max(lowest);
        let max = (border + 1 - p.below).min(ceiling).min(reach[1]).max(bottom + 2);
        let short = (min + AHEAD).saturating_sub(keel[0].max(bottom + 2)).max(0) as u32;
        if min > max {
            let keeps = top == min;
            return ([min, min, if keeps { fate::KEEPS } else { fate::MOVES }, 0], true, short);
        }
        // Tall cells hold water: under a drop over dry ground they are as low as they can be.
        let filling = if self.is_liquid(column, bottom) { -1 } else { 1 };
        let followed = keel[1].max(lowest_followed(under_air, p.hysteresis));
        let max = if filling < 0 { max.min(followed).max(min) } else { min };
        // High enough, or as high as the neighbours allow.
        let enough = (middle(min, max) - p.hysteresis).min(lowest_top + p.step);
        let keeps = top >= min && top <= max && top >= enough;
        ([min, max, if keeps { fate::KEEPS } else { fate::MOVES }, filling], false, short)
    }
}

/// Rounded down.
fn middle(min: i32, max: i32) -> i32 {
    (min + max) >> 1
}

pub(super) fn bounds(p: &HeightsParams, s: BoundsSlices<'_>) {
    let shape = p.shape();
    let columns = shape.columns();
    let water = Water { shape, heights: &s.old_heights[..columns], phi: s.phi };
    let out = s.limits[..columns].par_iter_mut().zip(&mut s.wish[..columns]).enumerate();
    let (contradicting, short) = out
        .map(|(column, (limits, wish))| {
            let (contradict, short);
            (*limits, contradict, short) =
                water.limits(p, (s.ceiling[column], s.keel[column]), s.reach[column], column);
            let [bottom, top] = water.heights[column];
            let keeps = limits[limit::FATE] == fate::KEEPS;
            *wish = [bottom, if keeps { top } else { middle(limits[limit::MIN], limits[limit::MAX]) }];
            (u32::from(contradict), short)
        })
        .reduce(|| (0, 0), |a, b| (a.0 + b.0, a.1.max(b.1)));
    s.infeasible[0] += contradicting;
    s.infeasible[1] = s.infeasible[1].max(short);
}

pub(super) fn smooth_heights(p: &HeightsParams, s: SmoothHeightsSlices<'_>) {
    let shape = p.shape();
    let smoothed = |column: usize| {
        let ([bottom, top], own) = (s.wish[column], s.limits[column]);
        if own[limit::FATE] != fate::MOVES {
            return [bottom, top];
        }
        let (mut sum, mut count) = (top, 1);
        for other in neighbours(shape, column).into_iter().flatten() {
            if s.limits[other][limit::FATE] != fate::DRY {
                sum += s.wish[other][1];
                count += 1;
            }
        }
        [bottom, sum.div_euclid(count).min(own[limit::MAX]).max(own[limit::MIN])]
    };
    s.next[..shape.columns()].par_iter_mut().enumerate().for_each(|(column, next)| *next = smoothed(column));
}

pub(super) fn limit_heights(p: &HeightsParams, s: LimitHeightsSlices<'_>) {
    let shape = p.shape();
    let limited = |column: usize| {
        let [bottom, mut top] = s.wish[column];
        for other in neighbours(shape, column).into_iter().flatten() {
            top = top.min(s.wish[other][1] + p.step);
        }
        [bottom, top.max(s.limits[column][limit::MIN])]
    };
    s.next[..shape.columns()].par_iter_mut().enumerate().for_each(|(column, next)| *next = limited(column));
}

pub(super) fn resign(p: &HeightsParams, s: ResignSlices<'_>) {
    let shape = p.shape();
    s.phi[..shape.len()].par_chunks_mut(shape.samples()).enumerate().for_each(|(column, line)| {
        if is_tall(s.heights[column]) {
            for phi in &mut line[..2] {
                *phi = match s.limits[column][limit::FILLING] {
                    -1 => phi.min(-1.0),
                    1 => phi.max(1.0),
                    _ => *phi,
                };
            }
        }
    });
}
