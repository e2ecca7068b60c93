//! Dart throwing on a grid: samples no nearer to each other than a radius.

use thalweg_compute::Rng;

/// Points in the box from its low to its high corner, no two nearer than `radius`; at most `most`.
///
/// Rounds of a few tries in every cell of two radii are made until there are enough, and those that are too many are
/// taken out at random, so that no part of the box is fuller than others. All rounds fill 0.7 of the points per cube of
/// the radius.
pub fn poisson_disk(bounds: [[f64; 3]; 2], radius: f64, most: usize, seed: u64) -> Vec<[f64; 3]> {
    let mut darts = Darts::new(bounds, radius);
    let mut rng = Rng::new(seed);
    for _ in 0..ROUNDS {
        if darts.points.len() >= most {
            break;
        }
        darts.round(TRIES, &mut rng);
    }
    let mut points = darts.points;
    while points.len() > most {
        points.swap_remove(rng.below(points.len() as u32) as usize);
    }
    points
}

/// Rounds of tries at most, and tries of a round in a cell.
const ROUNDS: u32 = 80;
const TRIES: u32 = 5;
/// What a cell without a point holds.
const EMPTY: u32 = u32::MAX;

/// Points so far, and a grid of cells that hold one point each: an edge is radius/√3.
pub(super) struct Darts {
    low: [f64; 3],
    high: [f64; 3],
    radius: f64,
    cell: f64,
    size: [usize; 3],
    grid: Vec<u32>,
    pub(super) points: Vec<[f64; 3]>,
}

impl Darts {
    pub(super) fn new([low, high]: [[f64; 3]; 2], radius: f64) -> Self {
        let cell = radius / 3f64.sqrt();
        let size: [usize; 3] = std::array::from_fn(|axis| ((high[axis] - low[axis]).max(0.0) / cell) as usize + 1);
        Self { low, high, radius, cell, size, grid: vec![EMPTY; size.iter().product()], points: Vec::new() }
    }

    /// So many tries in every cell of two radii.
    pub(super) fn round(&mut self, tries: u32, rng: &mut Rng) {
        let block = 2.0 * self.radius;
        let edges: [f64; 3] = std::array::from_fn(|axis| (self.high[axis] - self.low[axis]).max(0.0));
        let counts = edges.map(|edge| (edge / block).ceil().max(1.0) as usize);
        for n in 0..counts.iter().product::<usize>() {
            let at = [n % counts[0], n / counts[0] % counts[1], n / counts[0] / counts[1]];
            let corner: [f64; 3] = std::array::from_fn(|axis| self.low[axis] + at[axis] as f64 * block);
            for _ in 0..tries {
                let point = std::array::from_fn(|axis| {
                    corner[axis] + block.min(edges[axis]) * f64::from(rng.next_u32()) / 4_294_967_296.0
                });
                self.offer(point);
            }
        }
    }

    /// Takes a point if it is inside, and none is too near.
    fn offer(&mut self, point: [f64; 3]) {
        if (0..3).any(|axis| point[axis] > self.high[axis]) {
            return;
        }
        let own: [usize; 3] = std::array::from_fn(|axis| {
            (((point[axis] - self.low[axis]) / self.cell) as usize).min(self.size[axis] - 1)
        });
        let number = |at: [usize; 3]| at[0] + self.size[0] * (at[1] + self.size[1] * at[2]);
        let around: [_; 3] =
            std::array::from_fn(|axis| own[axis].saturating_sub(2)..(own[axis] + 3).min(self.size[axis]));
        for k in around[2].clone() {
            for j in around[1].clone() {
                for i in around[0].clone() {
                    let other = self.grid[number([i, j, k])];
                    if other == EMPTY {
                        continue;
                    }
                    let other = self.points[other as usize];
                    let distance2: f64 = (0..3).map(|axis| (other[axis] - point[axis]).powi(2)).sum();
                    if distance2 < self.radius * self.radius {
                        return;
                    }
                }
            }
        }
        self.grid[number(own)] = self.points.len() as u32;
        self.points.push(point);
    }
}
