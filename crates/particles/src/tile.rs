//! What the particles of a cell may touch, coordinate by coordinate: how kernels see neighbours on the processor.
//!
//! Particles of a cell share their candidates, those of 27 cells. They are gathered once, without those that are
//! farther than the kernel's radius from the box around the particles at hand: at a spacing of half a radius that
//! keeps 2 of 5. Loops over them then read contiguous memory, in vectors of a fixed width with one sum per lane, so
//! that bits are the same whatever instructions a processor has.

use std::ops::Range;

use crate::grid::Grid;

/// Lanes of a vector: AVX-512's.
pub(crate) const LANES: usize = 16;
/// Where lanes behind the last candidate are, m: no kernel reaches as far, and squares are finite.
const NOWHERE: f32 = 1e18;

/// One number per lane.
pub(crate) type Lane = [f32; LANES];

/// Candidates with `N` numbers each; the first three are a place.
#[derive(Debug)]
pub(crate) struct Tile<const N: usize> {
    numbers: [Vec<f32>; N],
    len: usize,
}

impl<const N: usize> Default for Tile<N> {
    fn default() -> Self {
        Self { numbers: std::array::from_fn(|_| Vec::new()), len: 0 }
    }
}

impl<const N: usize> Tile<N> {
    /// Gathers what may be within `radius` of the particles `own`, which are in `cell`; `load` gives the numbers of a
    /// particle.
    #[inline(always)]
    pub(crate) fn gather(
        &mut self,
        grid: &Grid<'_>,
        (cell, own): (u32, Range<usize>),
        radius: f32,
        load: impl Fn(usize) -> [f32; N],
    ) {
        let (mut low, mut high) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
        for n in own {
            let numbers = load(n);
            for axis in 0..3 {
                low[axis] = low[axis].min(numbers[axis]);
                high[axis] = high[axis].max(numbers[axis]);
            }
        }
        let runs = grid.runs(cell);
        let most = runs.iter().map(Range::len).sum::<usize>() + LANES;
        for numbers in &mut self.numbers {
            if numbers.len() < most {
                numbers.resize(most.next_power_of_two(), 0.0);
            }
        }
        let lanes = self.numbers.each_mut().map(|numbers| &mut numbers[..most]);
        // A little more than the radius: what is rounded away here has no weight.
        let reach2 = radius * radius * 1.000_01;
        let mut len = 0;
        for n in runs.into_iter().flatten() {
            let numbers = load(n);
            let mut distance2 = 0.0;
            for axis in 0..3 {
                let beyond = (low[axis] - numbers[axis]).max(numbers[axis] - high[axis]).max(0.0);
                distance2 += beyond * beyond;
            }
            for k in 0..N {
                lanes[k][len] = numbers[k];
            }
            len += usize::from(distance2 < reach2);
        }
        let end = len.next_multiple_of(LANES);
        for (k, lane) in lanes.into_iter().enumerate() {
            lane[len..end].fill(if k < 3 { NOWHERE } else { 0.0 });
        }
        self.len = end;
    }

    /// The numbers of all candidates, vector by vector.
    #[inline(always)]
    pub(crate) fn vectors(&self) -> impl Iterator<Item = [&Lane; N]> {
        let all = self.numbers.each_ref().map(|numbers| numbers[..self.len].as_chunks().0);
        (0..self.len / LANES).map(move |n| all.map(|vectors: &[Lane]| &vectors[n]))
    }
}

/// The sum of all lanes, in one order.
#[inline(always)]
pub(crate) fn sum(lane: Lane) -> f32 {
    let mut half = [0.0; LANES / 2];
    for n in 0..LANES / 2 {
        half[n] = lane[n] + lane[n + LANES / 2];
    }
    let quarter = [half[0] + half[4], half[1] + half[5], half[2] + half[6], half[3] + half[7]];
    (quarter[0] + quarter[2]) + (quarter[1] + quarter[3])
}
