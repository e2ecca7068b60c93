//! Distances to triangles on the nodes of bricks, from the whole lattice down to single nodes: every block hands on the triangles that can be nearest
//! to a point of it, and no others.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use super::triangle::{Point, Triangle, dot, squared_distance};

/// Steps along an edge of a brick; it has a node more.
pub(super) const BRICK: usize = 8;

/// Nodes of a brick.
pub(super) const BRICK_NODES: usize = (BRICK + 1) * (BRICK + 1) * (BRICK + 1);

/// Where bricks are, and the triangles around them.
pub(super) struct Lattice<'a> {
    pub(super) triangles: &'a [Triangle],
    /// A ball around each of them.
    pub(super) balls: Vec<Ball>,
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

    /// What is in all bricks; `None` if more than `most` are near the surface. `nodes` gets a brick and the triangles around it.
    pub(super) fn look<T: Send>(
        &self,
        most: usize,
        nodes: impl Fn([usize; 3], &[u32]) -> T + Sync,
    ) -> Option<Vec<Found<T>>> {
        let all: Vec<u32> = (0..self.triangles.len() as u32).collect();
        let near = AtomicUsize::new(0);
        let at_brick = |brick: [usize; 3], of: &[u32]| {
            // All threads stop soon after the last brick that may be.
            (near.fetch_add(1, Ordering::Relaxed) < most).then(|| nodes(brick, of))
        };
        let found = self.look_in(self.bricks.map(|n| 0..n), &all, &at_brick);
        (near.into_inner() <= most).then_some(found)
    }

    fn look_in<T: Send>(
        &self,
        block: [Range<usize>; 3],
        of: &[u32],
        nodes: &(impl Fn([usize; 3], &[u32]) -> Option<T> + Sync),
    ) -> Vec<Found<T>> {
        let [low, high] = [
            [0, 1, 2].map(|axis| (BRICK * block[axis].start) as f64),
            [0, 1, 2].map(|axis| (BRICK * block[axis].end) as f64),
        ];
        let (near, nearest, radius) = self.nearest(of, low, high);
        let distance = nearest - radius;
        let is_brick = block.iter().all(|range| range.len() == 1);
        // A large block that is only just far would tell its bricks too little.
        if distance > self.reach && (is_brick || distance > radius) {
            return vec![Found::Far { block, distance }];
        }
        if is_brick {
            let brick = [0, 1, 2].map(|axis| block[axis].start);
            return nodes(brick, &near).map(|nodes| Found::Near { brick, nodes }).into_iter().collect();
        }
        let parts: Vec<[Range<usize>; 3]> = halves(&block);
        let parts = parts.into_par_iter().map(|part| self.look_in(part, &near, nodes));
        parts.flatten_iter().collect()
    }

    /// Those of some triangles that can be nearest to a point of a box between nodes, the distance of the nearest one to its middle, and how far its
    /// corners are from there.
    fn nearest(&self, of: &[u32], low: [f64; 3], high: [f64; 3]) -> (Vec<u32>, f64, f64) {
        let middle = self.place(std::array::from_fn(|axis| 0.5 * (low[axis] + high[axis])));
        let half: Point = std::array::from_fn(|axis| 0.5 * self.step * (high[axis] - low[axis]));
        let radius = dot(half, half).sqrt();
        // What is known of every distance without much work: no less than this.
        let mut least: Vec<f64> = of.iter().map(|n| self.balls[*n as usize].distance(middle)).collect();
        // A triangle is no farther than the middle of its ball.
        let farthest = |(n, least): (&u32, &f64)| least + self.balls[*n as usize].radius;
        let mut nearest = of.iter().zip(&least).map(farthest).fold(f64::INFINITY, f64::min);
        for (n, least) in of.iter().zip(&mut least) {
            let ball = &self.balls[*n as usize];
            // Of one that is large for the box its ball says little.
            if *least < nearest || (ball.radius > radius && *least < nearest + 2.0 * radius) {
                *least = squared_distance(middle, &self.triangles[*n as usize]).sqrt();
                nearest = nearest.min(*least);
            }
        }
        // A point of the box is `radius` from the middle at most. Roundings must not lose the nearest one.
        let most = (nearest + 2.0 * radius) * (1.0 + 1e-12);
        let near = of.iter().zip(&least).filter(|(_, least)| **least <= most);
        (near.map(|(n, _)| *n).collect(), nearest, radius)
    }

    /// Distances of the nodes of a brick, without a sign, x fastest; `of` are the triangles around it.
    pub(super) fn nodes(&self, brick: [usize; 3], of: &[u32]) -> Vec<f32> {
        let mut values = vec![0.0; BRICK_NODES];
        self.fill(brick, &[0, 1, 2].map(|_| 0..BRICK + 1), of, &mut values);
        values
    }

    fn fill(&self, brick: [usize; 3], block: &[Range<usize>; 3], of: &[u32], values: &mut [f32]) {
        let node = |n: [usize; 3]| std::array::from_fn(|axis| (BRICK * brick[axis] + n[axis]) as f64);
        let (low, high) = ([0, 1, 2].map(|axis| block[axis].start), [0, 1, 2].map(|axis| block[axis].end - 1));
        let (near, nearest, radius) = self.nearest(of, node(low), node(high));
        if near.len() > 2 && block.iter().map(Range::len).product::<usize>() > 8 {
            return halves(block).iter().for_each(|part| self.fill(brick, part, &near, values));
        }
        for k in block[2].clone() {
            for j in block[1].clone() {
                for i in block[0].clone() {
                    let place = self.place(node([i, j, k]));
                    // None of the block is farther from the surface.
                    let mut square = ((nearest + radius) * (1.0 + 1e-12)).powi(2);
                    for n in &near {
                        let least = self.balls[*n as usize].distance(place).max(0.0);
                        if least * least < square {
                            square = square.min(squared_distance(place, &self.triangles[*n as usize]));
                        }
                    }
                    values[i + (BRICK + 1) * (j + (BRICK + 1) * k)] = square.sqrt() as f32;
                }
            }
        }
    }
}

/// A ball around a triangle, whose middle lies in it.
pub(super) struct Ball {
    middle: Point,
    radius: f64,
}

impl Ball {
    pub(super) fn around(triangle: &Triangle) -> Self {
        let middle: Point = std::array::from_fn(|axis| triangle.iter().map(|p| p[axis] / 3.0).sum());
        let square = |p: &Point| (0..3).map(|axis| (p[axis] - middle[axis]).powi(2)).sum::<f64>();
        let radius = triangle.iter().map(square).fold(0.0, f64::max).sqrt();
        // No rounding makes it too small.
        Self { middle, radius: radius * (1.0 + 1e-12) }
    }

    /// A distance that no point of the triangle is below.
    fn distance(&self, p: Point) -> f64 {
        let away: Point = std::array::from_fn(|axis| p[axis] - self.middle[axis]);
        dot(away, away).sqrt() - self.radius
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
