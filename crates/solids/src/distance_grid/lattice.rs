//! Which bricks the surface comes near, and distances on their nodes.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use super::hierarchy::Hierarchy;
use super::triangle::{Point, dot};
use crate::constants::brick;

/// No rounding makes a bound too small by more than this part of it.
const ROUNDED: f64 = 1.0 + 1e-12;

/// Where bricks are, and the triangles around them.
pub(super) struct Lattice<'a> {
    pub(super) surface: Hierarchy<'a>,
    pub(super) low: Point,
    pub(super) step: f64,
    /// Bricks along every axis.
    pub(super) bricks: [usize; 3],
    /// Bricks that are farther from all triangles have no nodes.
    pub(super) reach: f64,
}

/// What is in bricks.
pub(super) enum Found<T> {
    /// No surface near a block of bricks: none of their points is nearer to it than this.
    Far { block: [Range<usize>; 3], distance: f64 },
    /// A brick near the surface.
    Near { brick: [usize; 3], nodes: T },
}

impl Lattice<'_> {
    /// Where a node is; it may lie between nodes.
    pub(super) fn place(&self, node: [f64; 3]) -> Point {
        std::array::from_fn(|axis| self.low[axis] + node[axis] * self.step)
    }

    /// What is in all bricks; `None` if more than `most` are near the surface. `nodes` gets a brick and a distance that
    /// none of its points exceeds.
    pub(super) fn look<T: Send>(
        &self,
        most: usize,
        nodes: impl Fn([usize; 3], f64) -> T + Sync,
    ) -> Option<Vec<Found<T>>> {
        let near = AtomicUsize::new(0);
        let at_brick = |brick: [usize; 3], farthest: f64| {
            // All threads stop soon after the last brick that may be.
            (near.fetch_add(1, Ordering::Relaxed) < most).then(|| nodes(brick, farthest))
        };
        let found = self.look_in(self.bricks.map(|n| 0..n), f64::INFINITY, &at_brick);
        (near.into_inner() <= most).then_some(found)
    }

    /// No point of the block is farther from the surface than `farthest`.
    fn look_in<T: Send>(
        &self,
        block: [Range<usize>; 3],
        farthest: f64,
        nodes: &(impl Fn([usize; 3], f64) -> Option<T> + Sync),
    ) -> Vec<Found<T>> {
        let edges = |block: &Range<usize>| [block.start, block.end].map(|n| (brick::STEPS * n) as f64);
        let middle = self.place(std::array::from_fn(|axis| 0.5 * edges(&block[axis]).iter().sum::<f64>()));
        let half: Point = std::array::from_fn(|axis| 0.5 * self.step * (brick::STEPS * block[axis].len()) as f64);
        let radius = dot(half, half).sqrt();
        let nearest = self.surface.squared_distance(middle, farthest.powi(2)).sqrt();
        let distance = nearest - radius;
        let is_brick = block.iter().all(|range| range.len() == 1);
        // The distance of a large block that is only just far would be too small for its bricks.
        if distance > self.reach && (is_brick || distance > radius) {
            return vec![Found::Far { block, distance }];
        }
        let farthest = (nearest + radius) * ROUNDED;
        if is_brick {
            let brick = [0, 1, 2].map(|axis| block[axis].start);
            return nodes(brick, farthest).map(|nodes| Found::Near { brick, nodes }).into_iter().collect();
        }
        let parts = halves(&block).into_par_iter().map(|part| self.look_in(part, farthest, nodes));
        parts.flatten_iter().collect()
    }

    /// Distances of the nodes of a brick, without a sign, x fastest; none is more than `farthest`.
    pub(super) fn nodes(&self, brick: [usize; 3], farthest: f64) -> Vec<f32> {
        let mut values = vec![0.0; brick::NODES];
        for at in 0..brick::NODES {
            let node = [at % brick::EDGE, at / brick::EDGE % brick::EDGE, at / brick::EDGE / brick::EDGE];
            // A step away it is a step more at most.
            let known = [1, brick::EDGE, brick::EDGE * brick::EDGE].into_iter().zip(node).filter(|(_, n)| *n > 0);
            let known = known.map(|(stride, _)| values[at - stride] + self.step).fold(farthest, f64::min);
            let place = self.place(std::array::from_fn(|axis| (brick::STEPS * brick[axis] + node[axis]) as f64));
            values[at] = self.surface.squared_distance(place, (known * ROUNDED).powi(2)).sqrt();
        }
        values.into_iter().map(|v| v as f32).collect()
    }
}

/// A block cut in half along every axis along which it can be.
fn halves(block: &[Range<usize>; 3]) -> Vec<[Range<usize>; 3]> {
    let cut = |range: &Range<usize>| {
        let middle = range.start + range.len().div_ceil(2);
        [range.start..middle, middle..range.end]
    };
    let [x, y, z] = [0, 1, 2].map(|axis| cut(&block[axis]));
    let parts = z.iter().flat_map(|z| y.iter().flat_map(|y| x.iter().map(|x| [x.clone(), y.clone(), z.clone()])));
    parts.filter(|part| part.iter().all(|range| !range.is_empty())).collect()
}
