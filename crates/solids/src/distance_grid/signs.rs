//! What is inside: the winding number along lines in x. A node is inside if the crossings before it do not cancel,
//! those before the lattice too.

use rayon::prelude::*;

use super::lattice::Lattice;
use super::triangle::{Triangle, bounds, crossing, span_at};
use crate::constants::brick;

/// Rows around those that a triangle has at a z: its span there is rounded.
const SLACK: f64 = 1e-3;

/// Makes distances inside negative. `words` are the table of bricks and the nodes of those near the surface, in the
/// order of the table.
pub(super) fn sign(lattice: &Lattice<'_>, words: &mut [f32]) {
    let [bx, by, bz] = lattice.bricks;
    let (table, mut nodes) = words.split_at_mut(brick::WORDS * bx * by * bz);
    let mut layers = Vec::new();
    let mut first = 0;
    for (layer, table) in table.chunks_mut(brick::WORDS * bx * by).enumerate() {
        let count = table.chunks(brick::WORDS).filter(|entry| entry[0] >= 0.0).count();
        let (own, others) = nodes.split_at_mut(count * brick::NODES);
        nodes = others;
        layers.push(Layer { lattice, layer, table, first, nodes: own });
        first += count;
    }
    layers.into_par_iter().for_each(Layer::sign);
}

/// All bricks at one height along z.
struct Layer<'a> {
    lattice: &'a Lattice<'a>,
    layer: usize,
    table: &'a mut [f32],
    /// Number of its first brick with nodes.
    first: usize,
    nodes: &'a mut [f32],
}

/// Where a row of nodes crosses the surface: the row, its first node behind, and the side that it comes from.
type Crossing = (usize, usize, i32);

impl Layer<'_> {
    fn sign(mut self) {
        let Lattice { low, step, bricks, surface, .. } = self.lattice;
        let (low, step) = (*low, *step);
        let layer = self.layer;
        let z = |k: usize| low[2] + (brick::STEPS * layer + k) as f64 * step;
        let near: Vec<&Triangle> = surface
            .triangles()
            .iter()
            .filter(|triangle| {
                let [least, most] = bounds(std::slice::from_ref(*triangle));
                most[2] >= z(0) && least[2] <= z(brick::STEPS) && most[1] >= low[1]
            })
            .collect();
        let mut inside = vec![false; brick::STEPS * bricks[0] + 1];
        for k in 0..=brick::STEPS {
            let mut crossings: Vec<Crossing> =
                near.iter().flat_map(|triangle| self.lattice.crossings(triangle, z(k))).collect();
            crossings.sort_unstable();
            for row in crossings.chunk_by(|a, b| a.0 == b.0) {
                let mut winding = 0;
                for (n, (j, first, side)) in row.iter().enumerate() {
                    if n == 0 {
                        inside[..*first].fill(false);
                    }
                    winding += side;
                    let end = row.get(n + 1).map_or(inside.len(), |(_, next, _)| *next);
                    inside[*first..end].fill(winding != 0);
                    if n + 1 == row.len() {
                        self.sign_row(*j, k, &inside);
                    }
                }
            }
        }
    }

    /// Signs the nodes of all bricks that a row runs through.
    fn sign_row(&mut self, j: usize, k: usize, inside: &[bool]) {
        let [bx, by, _] = self.lattice.bricks;
        // A row between two bricks belongs to both.
        let lowest =
            if j.is_multiple_of(brick::STEPS) { (j / brick::STEPS).saturating_sub(1) } else { j / brick::STEPS };
        for brick_y in lowest..=(j / brick::STEPS).min(by - 1) {
            let inner = j - brick::STEPS * brick_y;
            for brick_x in 0..bx {
                let entry = &mut self.table[brick::WORDS * (brick_x + bx * brick_y)..][..brick::WORDS];
                let is_inside = &inside[brick::STEPS * brick_x..][..=brick::STEPS];
                if entry[0] < 0.0 {
                    // One side of the surface: its first node says which.
                    if inner == 0 && k == 0 && is_inside[0] {
                        entry[1] = -entry[1].abs();
                    }
                    continue;
                }
                let first = (entry[0] as usize - self.first) * brick::NODES
                    + (brick::STEPS + 1) * (inner + (brick::STEPS + 1) * k);
                for (value, is_inside) in self.nodes[first..][..=brick::STEPS].iter_mut().zip(is_inside) {
                    if *is_inside {
                        *value = -value.abs();
                    }
                }
            }
        }
    }
}

impl Lattice<'_> {
    /// Where the rows of nodes at a z cross a triangle before their end.
    fn crossings(&self, triangle: &Triangle, z: f64) -> Vec<Crossing> {
        let Some(span) = span_at(triangle, z) else { return Vec::new() };
        let [least, most] = span.map(|y| (y - self.low[1]) / self.step);
        let rows = (brick::STEPS * self.bricks[1] + 1) as f64;
        let first = (least - SLACK).ceil().clamp(0.0, rows) as usize;
        let end = ((most + SLACK).floor() + 1.0).clamp(0.0, rows) as usize;
        let cross = |j: usize| {
            let (x, side) = crossing([self.low[1] + j as f64 * self.step, z], triangle)?;
            let first = ((x - self.low[0]) / self.step).ceil().max(0.0);
            (first <= (brick::STEPS * self.bricks[0]) as f64).then_some((j, first as usize, side))
        };
        (first..end.max(first)).filter_map(cross).collect()
    }
}
